//! `topology/*.npy`: arrays that do not change during a run, written once: body, mass and radius of
//! each particle, springs, triangles and tetrahedra.

use super::npy::Layout;
use crate::output::folder::atomic;
use crate::output::folder::digest::Digest;
use crate::output::folder::files::{Files, named};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use stiction_core::model::Model;

/// The folder.
pub(crate) const TOPOLOGY: &str = "topology";

/// Numbers of one array.
pub enum Numbers {
    /// float64.
    Real(Vec<f64>),
    /// int32.
    Whole(Vec<u32>),
}

/// One array.
pub(crate) struct TopologyArray {
    /// Name of its file, without folder and ending.
    pub name: &'static str,
    /// Letters of its axes, and the length of the last if it is fixed.
    pub shape: (&'static str, Option<usize>),
    /// NumPy's name of its type.
    pub dtype: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Its meaning.
    pub about: &'static str,
    read: fn(&Model) -> Numbers,
}

impl TopologyArray {
    /// Its file.
    pub fn file(&self) -> String {
        format!("{TOPOLOGY}/{}.npy", self.name)
    }

    fn layout(&self) -> Layout {
        let item = if self.dtype == "<f8" { 8 } else { 4 };
        let inner = self.shape.1.into_iter().collect();
        Layout { descr: format!("'{}'", self.dtype), item, inner }
    }

    /// The rows in a file of this length \[bytes\], if they may be those of a model with so many particles.
    fn rows(&self, bytes: u64, particles: usize) -> Option<u64> {
        let (layout, n) = (self.layout(), particles as u64);
        let data = bytes.checked_sub(layout.head() as u64)?;
        let rows = data / layout.row() as u64;
        // bodies of few particles that other programs build may have several springs a pair
        let most = n.saturating_mul(n).max(FEW);
        let fits = if self.shape.0 == "N" { rows == n } else { rows <= most };
        (data % layout.row() as u64 == 0 && fits).then_some(rows)
    }

    /// The bytes of its file.
    pub fn bytes(&self, model: &Model) -> Vec<u8> {
        let data = match (self.read)(model) {
            Numbers::Real(of) => bytemuck::cast_slice::<f64, u8>(&of).to_vec(),
            Numbers::Whole(of) => bytemuck::cast_slice::<u32, u8>(&of).to_vec(),
        };
        let layout = self.layout();
        let mut bytes = layout.header(data.len() / layout.row());
        bytes.extend(data);
        bytes
    }
}

/// A value of every spring, in the order of the model.
fn springs<T>(model: &Model, of: impl Fn(stiction_core::forces::springs::Spring) -> T) -> Vec<T> {
    (0..model.springs.len()).map(|s| of(model.springs.get(s))).collect()
}

/// All arrays.
pub(crate) const TOPOLOGY_ARRAYS: &[TopologyArray] = &[
    TopologyArray {
        name: "body",
        shape: ("N", None),
        dtype: "<i4",
        unit: "1",
        about: "body of each particle, from 0, in the order of `bodies` in run.json",
        read: |model| {
            let each = model.bodies.iter().enumerate();
            let of = each.flat_map(|(b, body)| body.particles.clone().map(move |_| b as u32));
            Numbers::Whole(of.collect())
        },
    },
    TopologyArray {
        name: "mass",
        shape: ("N", None),
        dtype: "<f8",
        unit: "kg",
        about: "mass of each particle",
        read: |model| Numbers::Real(model.masses.clone()),
    },
    TopologyArray {
        name: "radius",
        shape: ("N", None),
        dtype: "<f8",
        unit: "m",
        about: "contact radius of each particle",
        read: |model| Numbers::Real(model.surfaces.radii.clone()),
    },
    TopologyArray {
        name: "spring",
        shape: ("S", Some(2)),
        dtype: "<i4",
        unit: "1",
        about: "particles i < j of each spring, from 0",
        read: |model| {
            let ends = springs(model, |spring| [spring.i as u32, spring.j as u32]);
            Numbers::Whole(ends.concat())
        },
    },
    TopologyArray {
        name: "rest_length",
        shape: ("S", None),
        dtype: "<f8",
        unit: "m",
        about: "rest length of each spring",
        read: |model| Numbers::Real(springs(model, |spring| spring.rest_length)),
    },
    TopologyArray {
        name: "stiffness",
        shape: ("S", None),
        dtype: "<f8",
        unit: "N/m",
        about: "stiffness k of each spring",
        read: |model| Numbers::Real(springs(model, |spring| spring.material.stiffness)),
    },
    TopologyArray {
        name: "damping",
        shape: ("S", None),
        dtype: "<f8",
        unit: "N·s/m",
        about: "damping c of each spring",
        read: |model| Numbers::Real(springs(model, |spring| spring.material.damping)),
    },
    TopologyArray {
        name: "triangle",
        shape: ("T", Some(3)),
        dtype: "<i4",
        unit: "1",
        about: "particles of each surface triangle, outward, from 0",
        read: |model| {
            let all = model.bodies.iter().flat_map(|body| body.triangles.iter().flatten());
            Numbers::Whole(all.copied().collect())
        },
    },
    TopologyArray {
        name: "tetrahedron",
        shape: ("Q", Some(4)),
        dtype: "<i4",
        unit: "1",
        about: "particles of each tetrahedron of meshes and elastic solids, from 0",
        read: |model| {
            let all = model.bodies.iter().flat_map(|body| body.tetrahedra.iter().flatten());
            Numbers::Whole(all.copied().collect())
        },
    },
];

/// Whether a file has a name of one of them.
pub(crate) fn is_topology(name: &str) -> bool {
    TOPOLOGY_ARRAYS.iter().any(|array| array.file() == name)
}

/// Springs, triangles and tetrahedra that particles of any number may have.
const FEW: u64 = 1 << 12;

/// The first of these files whose length cannot be that of its array for so many particles.
pub(crate) fn misfit(files: &BTreeMap<String, Digest>, particles: usize) -> Option<&String> {
    let mut lengths: BTreeMap<&str, u64> = BTreeMap::new();
    files.iter().find_map(|(name, digest)| {
        let array = TOPOLOGY_ARRAYS.iter().find(|array| array.file() == *name)?;
        // arrays of one axis have one length
        let agrees = array
            .rows(digest.bytes, particles)
            .is_some_and(|rows| *lengths.entry(array.shape.0).or_insert(rows) == rows);
        (!agrees).then_some(name)
    })
}

/// Writes those that are not there as they should be.
pub fn write(files: &dyn Files, path: &Path, model: &Model) -> io::Result<()> {
    let folder = path.join(TOPOLOGY);
    files.make_folder(&folder).map_err(|error| named(&folder, &error))?;
    for array in TOPOLOGY_ARRAYS {
        let (at, bytes) = (path.join(array.file()), array.bytes(model));
        let there = files.read(&at, bytes.len() as u64);
        if there.is_ok_and(|there| there == bytes) {
            continue;
        }
        atomic::write_alone(files, &at, &bytes).map_err(|error| named(&at, &error))?;
    }
    Ok(())
}

/// Length and digest of each.
pub(crate) fn digests(model: &Model) -> BTreeMap<String, Digest> {
    let of = |array: &TopologyArray| (array.file(), Digest::of(&array.bytes(model)));
    TOPOLOGY_ARRAYS.iter().map(of).collect()
}

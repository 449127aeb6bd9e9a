//! Elements of elastic bodies, in the model's numbers.

use super::locking::stiffening;
use crate::forces::elements::{Elements, Joint, List, Patch, Simplex, SolidMaterial};
use crate::math::{PI, Vector, larger, number, radians, rotation_xyz, smaller};
use crate::world::body::Body;
use crate::world::error::{Part, WorldError};
use crate::world::materials::{Elasticity, Material};
use crate::world::shapes::{BodyShape, Geometry, Masses, Solid};
use std::collections::BTreeMap;

/// Largest sine of the angle between two segments of a rope that is straight.
const STRAIGHT: f64 = 1e-6;

/// Whether a body is made of elastic elements: its material is elastic, and neither springs nor rigidity replace it.
pub(super) fn is_elastic(body: &Body, material: Option<&Material>, particles: usize) -> bool {
    let sprung = body.springs.iter().any(|family| family.is_some());
    material.and_then(|m| m.elasticity).is_some() && !body.rigid && !sprung && particles > 1
}

/// The elements of all bodies so far.
#[derive(Default)]
pub(super) struct Elastic {
    /// Remarks for the user.
    pub remarks: Vec<String>,
    list: List,
    table: Vec<SolidMaterial>,
}

/// A body to be made of elements.
pub(super) struct Making<'a> {
    pub number: usize,
    pub body: &'a Body,
    pub elasticity: Elasticity,
    pub shape: &'a dyn BodyShape,
    /// Its first particle.
    pub start: u32,
}

impl Making<'_> {
    fn fault<T>(&self, message: String, help: &str) -> Result<T, WorldError> {
        Err(Part::Shape(self.number).fault(message, help))
    }

    /// Lengths at rest over those at t = 0.
    fn rest(&self) -> f64 {
        1.0 / self.body.prestretch.unwrap_or(1.0)
    }

    /// The thickness \[m\] of a sheet or a rope.
    fn thickness(&self, of: &str) -> Result<f64, WorldError> {
        match self.body.thickness {
            Some(thickness) => Ok(thickness),
            None => self.fault(
                format!("body `{}` is an {of} without a `thickness`", self.body.name),
                "give the thickness of a sheet, or the diameter of a rope (m); or `springs`; a surface becomes a solid by fill = \"tets\" or \"lattice\"",
            ),
        }
    }
}

/// Share of the area of a round shape below which its triangles are told to have less.
const ROUND: f64 = 0.99;

/// With three digits behind the point.
fn round(ratio: f64) -> f64 {
    (1e3 * ratio).round() / 1e3
}

/// The least extent of a solid along its axes, in shortest edges: in a lattice the number of its cells.
fn cells_over(geometry: &Geometry) -> u64 {
    let at = |i: u32| geometry.positions[i as usize];
    let edge = |[a, b, ..]: &[u32; 4]| (at(*a) - at(*b)).norm();
    let shortest = geometry.tetrahedra.iter().map(edge).fold(f64::INFINITY, smaller);
    let extent = |axis: usize| {
        let places = geometry.positions.iter().map(|x| x[axis]);
        places.clone().fold(f64::NEG_INFINITY, larger) - places.fold(f64::INFINITY, smaller)
    };
    let least = (0..3).map(extent).fold(f64::INFINITY, smaller);
    ((least / shortest).round() as u64).max(1)
}

impl Elastic {
    /// Adds the elements of a body, and their volumes to its geometry.
    pub fn add(&mut self, of: &Making, geometry: &mut Geometry) -> Result<(), WorldError> {
        let name = &of.body.name;
        let volumes = match of.shape.solid() {
            Some(_) if of.body.thickness.is_some() => {
                return of.fault(
                    format!("body `{name}` is a solid and has a `thickness`"),
                    "leave it out: thickness is that of sheets and ropes",
                );
            }
            Some(solid) => self.add_solid(of, solid, geometry)?,
            None if !geometry.triangles.is_empty() => self.add_sheet(of, geometry)?,
            None if !geometry.segments.is_empty() => self.add_rope(of, geometry)?,
            None => {
                return of.fault(
                    format!("body `{name}` is to be elastic, but its shape has nothing to be so"),
                    "give it `springs`; or a shape of cells, tetrahedra, triangles or segments: a lattice of two layers or more along each axis, a mesh, a cloth, a disc, a rope",
                );
            }
        };
        let lumped = match geometry.masses {
            Masses::Even { .. } | Masses::Unknown => true,
            Masses::ByVolume(_) => of.shape.solid_size() == 0,
            Masses::Given(_) => false,
        };
        if lumped {
            if let Some(lone) = volumes.iter().position(|volume| *volume <= 0.0) {
                return of.fault(
                    format!("particle {lone} of body `{name}` belongs to no element, and has no mass"),
                    "leave it out of the shape (the hub of a sphere: hub = false), or give the body `springs`",
                );
            }
            geometry.masses = Masses::ByVolume(volumes);
            geometry.check().map_err(|problem| Part::Shape(of.number).unfit(problem))?;
        }
        let poisson = of.elasticity.poisson;
        if !geometry.tetrahedra.is_empty() && poisson > Elasticity::LOCKS {
            let cells = cells_over(geometry);
            let [own, four, eight] = [cells, 4, 8].map(|n| number(round(stiffening(n, poisson))));
            self.remarks.push(format!(
                "body `{name}`: at Poisson's ratio {poisson} tetrahedra lock where a solid is confined: pressed between plates that hold it, a strip four times as wide as high is {own} times too stiff with {cells} of its cells over the height, {four} with 4, {eight} with 8"
            ));
        }
        Ok(())
    }

    /// Adds tetrahedra; the volume of each particle \[m³\].
    fn add_solid(
        &mut self,
        of: &Making,
        solid: Solid,
        geometry: &mut Geometry,
    ) -> Result<Vec<f64>, WorldError> {
        let flat = |(_, [a, b, c]): &(_, [Vector; 3])| a.cross(b).dot(c) <= 0.0;
        if let Some((corners, _)) = solid.tetrahedra.iter().find(|tetrahedron| flat(tetrahedron)) {
            return of.fault(
                format!(
                    "a tetrahedron of body `{}` has no volume: that of its particles {corners:?}",
                    of.body.name
                ),
                "repair the mesh",
            );
        }
        let material = self.material(of, of.elasticity.solid())?;
        geometry.tetrahedra = solid.tetrahedra.iter().map(|(corners, _)| *corners).collect();
        let turn = rotation_xyz(of.body.rotation.map(radians));
        let own = |(corners, edges): ([u32; 4], [Vector; 3])| Simplex {
            corners: corners.map(|i| i + of.start),
            edges: edges.map(|edge| turn * edge * of.rest()),
            section: 1.0,
            material,
        };
        self.list.tetrahedra.extend(solid.tetrahedra.into_iter().map(own));
        Ok(solid.volumes)
    }

    /// Adds the triangles of a sheet and its bending; the volume of each particle \[m³\].
    fn add_sheet(&mut self, of: &Making, geometry: &Geometry) -> Result<Vec<f64>, WorldError> {
        let thickness = of.thickness("elastic sheet")?;
        let material = self.material(of, of.elasticity.sheet())?;
        let place = |i: u32| geometry.positions[i as usize];
        let mut volumes = vec![0.0; geometry.positions.len()];
        for triangle in &geometry.triangles {
            let [a, b, c] = triangle.map(place);
            let edges = [b - a, c - a, Vector::zeros()];
            let area = 0.5 * edges[0].cross(&edges[1]).norm();
            if area == 0.0 {
                return of.fault(
                    format!(
                        "a triangle of body `{}` has no area: that of its particles {triangle:?}",
                        of.body.name
                    ),
                    "repair the mesh",
                );
            }
            triangle.iter().for_each(|i| volumes[*i as usize] += area * thickness / 3.0);
            let (corners, edges) =
                (triangle.map(|i| i + of.start), edges.map(|edge| edge * of.rest()));
            self.list.triangles.push(Simplex { corners, edges, section: thickness, material });
        }
        self.remark_area(of, volumes.iter().sum::<f64>() / thickness);
        let Elasticity { young, poisson, .. } = of.elasticity;
        let (patches, loose) = patches(&geometry.triangles);
        let first = self.list.patches.len();
        self.list.patches.extend(patches.into_iter().map(|corners| Patch {
            corners: corners.map(|i| i + of.start),
            places: corners.map(|i| place(i) * of.rest()),
            thickness,
            elasticity: [young, poisson],
            material,
        }));
        let bounded = self.list.patches[first..].iter().filter(|patch| patch.is_bounded()).count();
        self.remark(loose, "edges where three triangles or more meet, which turn freely there", of);
        self.remark(bounded, "triangles that bend too easily, since they are slender or lie with their neighbours near one conic", of);
        Ok(volumes)
    }

    /// Adds the segments of a rope and its bending; the volume of each particle \[m³\].
    fn add_rope(&mut self, of: &Making, geometry: &Geometry) -> Result<Vec<f64>, WorldError> {
        let diameter = of.thickness("elastic rope")?;
        let material = self.material(of, of.elasticity.rope())?;
        let section = 0.25 * PI * diameter * diameter;
        // EI of a round section
        let bending = of.elasticity.young * section * diameter * diameter / 16.0;
        let edge =
            |[i, j]: [u32; 2]| geometry.positions[j as usize] - geometry.positions[i as usize];
        let mut volumes = vec![0.0; geometry.positions.len()];
        check_rope(of, geometry)?;
        let mut ends: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for segment in &geometry.segments {
            let along = edge(*segment);
            let half = 0.5 * section * along.norm();
            segment.iter().for_each(|i| volumes[*i as usize] += half);
            let [i, j] = *segment;
            ends.entry(i).or_default().push(j);
            ends.entry(j).or_default().push(i);
            let (corners, edges) = (
                segment.map(|i| i + of.start),
                [along * of.rest(), Vector::zeros(), Vector::zeros()],
            );
            self.list.segments.push(Simplex { corners, edges, section, material });
        }
        let mut loose = 0;
        for (middle, ends) in ends {
            let &[a, b] = &ends[..] else {
                loose += usize::from(ends.len() > 2);
                continue;
            };
            let [first, second] = [edge([a, middle]), edge([middle, b])];
            let [l, m] = [first.norm(), second.norm()];
            if first.cross(&second).norm() > STRAIGHT * l * m || first.dot(&second) < 0.0 {
                return of.fault(
                    format!("body `{}` is an elastic line that is not straight", of.body.name),
                    "elastic lines are straight at rest, as a rope is: give it `springs`",
                );
            }
            let corners = [a, middle, b].map(|i| i + of.start);
            let stiffness = bending / (0.5 * (l + m) * of.rest());
            self.list.joints.push(Joint { corners, stiffness, material });
        }
        self.remark(
            loose,
            "particles where three segments or more meet, which turn freely there",
            of,
        );
        Ok(volumes)
    }

    /// A remark on a round body whose triangles have less area than it.
    fn remark_area(&mut self, of: &Making, area: f64) {
        let round_area = of.shape.round_area().filter(|whole| area < ROUND * whole);
        if let Some(whole) = round_area {
            self.remarks.push(format!(
                "body `{}`: its triangles have {} % of the area of its round shape, and by `density` as much of its mass, whatever --verify=mesh says",
                of.body.name,
                number(round(100.0 * area / whole))
            ));
        }
    }

    /// Remarks on some parts of a body, if there are any.
    fn remark(&mut self, count: usize, parts: &str, of: &Making) {
        if count > 0 {
            self.remarks.push(format!("body `{}`: {parts}: {count}", of.body.name));
        }
    }

    /// The number of an elastic material.
    fn material(&mut self, of: &Making, own: SolidMaterial) -> Result<u16, WorldError> {
        let known = self.table.iter().position(|known| *known == own);
        let at = known.unwrap_or_else(|| {
            self.table.push(own);
            self.table.len() - 1
        });
        u16::try_from(at).map_err(|_| {
            let message = "there are more than 65,536 different elastic materials";
            Part::Body(of.number).fault(message, "give bodies that behave alike one material")
        })
    }

    /// The elements among `particles` particles.
    pub fn finish(self, particles: usize) -> Elements {
        Elements::new(self.list, self.table, particles)
    }
}

/// Refuses rest lengths that are not those of the places, and segments without a length.
fn check_rope(of: &Making, geometry: &Geometry) -> Result<(), WorldError> {
    let name = &of.body.name;
    if geometry.links.iter().any(|link| link.rest_length.is_some()) {
        return of.fault(
            format!("body `{name}` is elastic and has rest lengths of its own"),
            "leave them out: an elastic rope is at rest where it lies; or give it `springs`",
        );
    }
    let place = |i: &u32| geometry.positions[*i as usize];
    match geometry.segments.iter().find(|[i, j]| place(i) == place(j)) {
        Some(segment) => of.fault(
            format!("a segment of body `{name}` has no length: that of its particles {segment:?}"),
            "place its ends apart",
        ),
        None => Ok(()),
    }
}

/// Each triangle with the corners of its neighbours across the edges that face its corners, and the number of edges of
/// three triangles or more. These, and edges of one triangle, have no neighbour: the corner that faces them stands twice.
fn patches(triangles: &[[u32; 3]]) -> (Vec<[u32; 6]>, usize) {
    let edge = |t: &[u32; 3], e: usize| {
        let (i, j) = (t[(e + 1) % 3], t[(e + 2) % 3]);
        [i.min(j), i.max(j)]
    };
    // the corners that face each edge
    let mut facing: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for t in triangles {
        (0..3).for_each(|e| facing.entry(edge(t, e)).or_default().push(t[e]));
    }
    let across = |t: &[u32; 3], e: usize| match facing[&edge(t, e)][..] {
        [a, b] if a == t[e] => b,
        [a, b] if b == t[e] => a,
        _ => t[e],
    };
    let patch = |t: &[u32; 3]| [t[0], t[1], t[2], across(t, 0), across(t, 1), across(t, 2)];
    let patch = triangles.iter().map(patch);
    let patches = patch.filter(|patch| (0..3).any(|e| patch[3 + e] != patch[e])).collect();
    (patches, facing.values().filter(|corners| corners.len() > 2).count())
}

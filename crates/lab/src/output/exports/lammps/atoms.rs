//! Atoms and bonds, and the commands that read them.

use super::{Export, bounds, numbers};
use std::collections::BTreeMap;
use stiction_core::math::{PI, larger, pow};

/// Types of bonds.
pub(super) struct Bonds {
    /// `bond_style` and its coefficients.
    text: String,
    /// longest rest length of a bond \[m\]
    longest: f64,
    /// number of all bonds
    count: usize,
}

/// Relative deviation from the rest length attributed to rounding.
pub(super) const AT_REST: f64 = 1e-9;

/// Types of bonds while they are collected, one for every pair of coefficients.
struct Kinds {
    at_rest: bool,
    /// coefficients as bits → type from 1, in order of first use
    types: BTreeMap<[u64; 2], usize>,
    coefficients: Vec<String>,
}

impl Kinds {
    fn number(&mut self, first: f64, second: f64) -> usize {
        let next = self.types.len() + 1;
        let number = *self.types.entry([first.to_bits(), second.to_bits()]).or_insert(next);
        if number == next {
            let words = if self.at_rest {
                // stiffness, the strain at which it would break, damping
                format!("{first:?} 1.0 {second:?}")
            } else {
                // E = K (r − r0)²
                format!("{:?} {second:?}", 0.5 * first)
            };
            self.coefficients.push(format!("bond_coeff {number} {words}\n"));
        }
        number
    }
}

/// Whether every spring has its rest length at t = 0, as `bpm/spring` requires.
pub(super) fn at_rest(export_of: &stiction_scene::build::Built) -> bool {
    let x = &export_of.state.positions;
    let mut all = true;
    export_of.model.springs.for_each(|spring| {
        let length = (x[spring.j] - x[spring.i]).norm();
        all &= (length - spring.rest_length).abs() <= AT_REST * spring.rest_length;
    });
    all
}

/// The data file, and the types of its bonds.
pub(super) fn data(export: &Export) -> (Bonds, String) {
    let (model, state) = (&export.built.model, &export.built.state);
    let mut kinds =
        Kinds { at_rest: at_rest(export.built), types: BTreeMap::new(), coefficients: Vec::new() };
    let (mut lines, mut count, mut longest) = (String::new(), 0, 0.0);
    model.springs.for_each(|spring| {
        count += 1;
        longest = larger(longest, spring.rest_length);
        let material = spring.material;
        let second = if kinds.at_rest { material.damping } else { spring.rest_length };
        let kind = kinds.number(material.stiffness, second);
        lines += &format!("{count} {kind} {} {}\n", spring.i + 1, spring.j + 1);
    });
    let mut text = head(export, count, kinds.types.len());
    text += "Atoms # hybrid sphere bond\n\n";
    for (number, body) in model.bodies.iter().enumerate() {
        for i in body.particles.clone() {
            let radius = radius(export, i);
            // LAMMPS computes the mass from density and volume
            let density = model.masses[i] / (4.0 / 3.0 * PI * pow(radius, 3.0));
            text += &format!(
                "{} {} {} {:?} {density:?} {}\n",
                i + 1,
                number + 1,
                numbers(state.positions[i]),
                2.0 * radius,
                number + 1
            );
        }
    }
    text += "\nVelocities\n\n";
    for (i, v) in state.velocities.iter().enumerate() {
        text += &format!("{} {} 0 0 0\n", i + 1, numbers(*v));
    }
    if count > 0 {
        text += &format!("\nBonds\n\n{lines}");
    }
    let style = match (count, kinds.at_rest) {
        (0, _) => "",
        (_, true) => "bond_style bpm/spring break no smooth no\n",
        (_, false) => "bond_style harmonic\n",
    };
    (Bonds { text: style.to_string() + &kinds.coefficients.concat(), longest, count }, text)
}

/// Radius of an atom \[m\]; arbitrary without contact.
pub(super) fn radius(export: &Export, particle: usize) -> f64 {
    let radius = export.built.model.surfaces.radii[particle] + export.shift;
    if radius > 0.0 { radius } else { 1.0 }
}

/// The counts and the box.
fn head(export: &Export, bonds: usize, kinds: usize) -> String {
    let state = &export.built.state;
    let bodies = export.built.model.bodies.len();
    let [min, max] = bounds(&state.positions);
    // the box follows the atoms; a margin at the start, since a flat box is refused
    let room = larger(0.01 * (max - min).norm(), 1e-3);
    let mut text = format!(
        "{}\n\n{} atoms\n{bodies} atom types\n",
        "particles as atoms, bodies as types and molecules, springs as bonds; SI",
        state.positions.len()
    );
    if bonds > 0 {
        text += &format!("{bonds} bonds\n{kinds} bond types\n");
    }
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let (low, high) = (min[axis] - room, max[axis] + room);
        text += &format!("{low:?} {high:?} {name}lo {name}hi\n");
    }
    text + "\n"
}

/// The part of the script up to the atoms.
pub(super) fn reading(export: &Export, bonds: &Bonds, name: &str) -> String {
    let touching = export.built.model.surfaces.between.is_some();
    let widest = export.built.model.surfaces.radii.iter().copied().fold(0.0, larger);
    let reach = larger(bonds.longest, if touching { 2.0 * widest } else { 0.0 });
    let skin = if reach > 0.0 { 0.3 * reach } else { 0.1 };
    let mut text = format!(
        "\nunits si\natom_style hybrid sphere bond\natom_modify map yes\ndimension 3\nboundary s s s\nnewton on off\n\
         comm_modify vel yes cutoff {:?}\nspecial_bonds lj 0 1 1 coul 1 1 1\nread_data {name}.data\n\
         neighbor {skin:?} bin\nneigh_modify every 1 delay 0 check yes\n",
        // a bond may become twice as long
        2.0 * reach + skin
    );
    if bonds.count > 0 {
        text += &format!("\n# springs: stiffness and damping along the bond\n{}", bonds.text);
    }
    text
}

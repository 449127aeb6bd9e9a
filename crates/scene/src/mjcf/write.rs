//! The text of a scene.

use super::flex::{Flex, Grid};
use super::reading::{Geom, Model, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use stiction_core::contact::collider::{capsule, cylinder};
use stiction_core::impulses::exact;
use stiction_core::integrators::symplectic_euler;
use stiction_core::math::{Matrix, Vector, asin, atan2, degrees, sqrt};

/// The text of a scene, and the origin of its parts.
pub struct Written {
    pub text: String,
    /// End of the part before those of geoms.
    pub head: usize,
    /// End of the part of each geom or elastic body, and line and column of its element.
    pub origins: Vec<(usize, [u32; 2])>,
}

/// The number in the name of each geom's material: that of the first geom with the same friction; geoms
/// of a pair have one of their own.
fn materials(model: &Model) -> Vec<usize> {
    let paired: BTreeSet<usize> = model.pairs.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
    let mut first: BTreeMap<u64, usize> = BTreeMap::new();
    let of = |(number, geom): (usize, &Geom)| match paired.contains(&number) {
        true => number,
        false => *first.entry(geom.friction.to_bits()).or_insert(number),
    };
    model.geoms.iter().enumerate().map(of).collect()
}

/// The scene of a model.
pub fn scene(model: &Model) -> Written {
    let mut text = String::from("format = 1\ntitle = \"Imported from MJCF\"\n\n");
    for (line, what) in &model.left_out {
        let _ = writeln!(text, "# left out: line {line}: {what}");
    }
    let [x, y, z] = model.gravity;
    let step = step(model);
    let _ = write!(
        text,
        "\n[world]\ngravity = {}\n\n# MJCF does not say how long a model is run\n[time]\nend = {:?}\nstep = {step:?}\noutput = {:?}\n\n[integrator]\nmethod = \"{}\"\n\n# as MuJoCo does\n[pairing]\nfriction = \"maximum\"\n\n# rigid, as near to MuJoCo's contact as there is; bodies touch colliders, not each other\n[contact]\nmethod = \"{}\"\n",
        list(&[x, y, z]),
        1000.0 * model.step,
        10.0 * model.step,
        symplectic_euler::ENTRY.name,
        exact::ENTRY.name,
    );
    let (materials, head) = (materials(model), text.len());
    let mut origins = Vec::with_capacity(model.geoms.len());
    for (number, geom) in model.geoms.iter().enumerate() {
        let (mu, material) = (geom.friction, materials[number]);
        if material == number {
            let _ = write!(text, "\n[materials.m{number}]\nstatic_friction = {mu:?}\n");
        }
        text += &match geom.mass {
            Some(mass) => body(geom, number, material, mass),
            None => collider(geom, number, material),
        };
        origins.push((text.len(), geom.origin));
    }
    for (number, (flex, place)) in model.flexes.iter().enumerate() {
        text += &elastic(flex, number);
        origins.push((text.len(), *place));
    }
    for (a, b, mu) in &model.pairs {
        let _ = write!(
            text,
            "\n[[pair]]\nmaterials = [\"m{a}\", \"m{b}\"]\nstatic_friction = {mu:?}\n"
        );
    }
    Written { text, head, origins }
}

/// Largest step of the explicit method in a grid, as a share of the time that a pressure wave takes along an edge.
const STABLE: f64 = 0.7;

/// The step of the model, in parts of it that half the largest stable one of its elastic bodies exceeds \[s\].
fn step(model: &Model) -> f64 {
    let stable = |flex: &Flex| {
        let Flex { young, poisson, damping, .. } = *flex;
        let stiffness = young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        let wave = flex.spacing / sqrt(stiffness * flex.grid.volume(flex.spacing) / flex.mass);
        // x'' + τ ω² x' + ω² x = 0 at ω = 2/h₀
        let undamped = STABLE * wave;
        let rate = 4.0 * damping / (undamped * undamped);
        4.0 / (rate + sqrt(rate * rate + 16.0 / (undamped * undamped)))
    };
    let stable = model.flexes.iter().map(|(flex, _)| stable(flex)).fold(f64::INFINITY, f64::min);
    model.step / (2.0 * model.step / stable).ceil().max(1.0)
}

/// An elastic body, and its material.
fn elastic(flex: &Flex, number: usize) -> String {
    let Flex { spacing, radius, young, poisson, damping, friction, mass, .. } = flex;
    let (turn, mut place) = (flex.frame.turn, flex.frame.place);
    let density = mass / flex.grid.volume(*spacing);
    let (shape, thickness) = match flex.grid {
        Grid::Solid(counts) => {
            place -= turn * Vector::z() * (0.5 * (counts[2] - 1) as f64 * spacing);
            (format!("lattice = {{ counts = {counts:?}, spacing = {spacing:?} }}"), None)
        }
        Grid::Sheet(counts, thickness) => {
            (format!("cloth = {{ counts = {counts:?}, spacing = {spacing:?} }}"), Some(thickness))
        }
        Grid::Line(count, thickness) => {
            let half = 0.5 * (count - 1) as f64 * spacing;
            let ends = format!("from = [{:?}, 0, 0], to = [{half:?}, 0, 0]", -half);
            (format!("rope = {{ {ends}, segments = {} }}", count - 1), Some(thickness))
        }
    };
    let thickness = thickness.map_or(String::new(), |t| format!("thickness = {t:?}\n"));
    let name = format!("{}_f{number}", quoted(&flex.name));
    let mut text = format!(
        "\n[materials.f{number}]\nstatic_friction = {friction:?}\nyoung = {young:?}\npoisson = {poisson:?}\ndensity = {density:?}\ndamping = {{ time = {damping:?} }}\n"
    );
    let _ = write!(
        text,
        "\n# masses by the volume of elements, and not alike for all particles\n[[body]]\nname = \"{name}\"\nmaterial = \"f{number}\"\nradius = {radius:?}\n{thickness}shape = {{ {shape} }}\nrotation = {}\nposition = {}\n",
        list(&angles(&turn)),
        list(place.as_slice())
    );
    if !flex.pinned.is_empty() {
        let _ = write!(
            text,
            "\n[[pin]]\nbody = \"{name}\"\nwhere = {{ particles = {:?} }}\n",
            flex.pinned
        );
    }
    text
}

fn list(numbers: &[f64]) -> String {
    format!("{numbers:?}")
}

fn quoted(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

/// Rotation angles about x, then y, then z \[°\].
fn angles(m: &Matrix) -> [f64; 3] {
    let y = asin((-m[(2, 0)]).clamp(-1.0, 1.0));
    let (x, z) = if m[(2, 0)].abs() > 1.0 - 1e-12 {
        (0.0, atan2(-m[(0, 1)], m[(1, 1)]))
    } else {
        (atan2(m[(2, 1)], m[(2, 2)]), atan2(m[(1, 0)], m[(0, 0)]))
    };
    [x, y, z].map(degrees)
}

fn collider(geom: &Geom, number: usize, material: usize) -> String {
    let at = list(geom.frame.place.as_slice());
    let axis = list((geom.frame.turn * Vector::z()).as_slice());
    let shape = match geom.shape {
        Shape::Plane => format!("plane = {{ normal = {axis}, point = {at} }}"),
        Shape::Sphere(r) => format!("sphere = {{ center = {at}, radius = {r:?} }}"),
        Shape::Box(half) => format!(
            "box = {{ center = {at}, size = {}, rotation = {} }}",
            list(&half.map(|x| 2.0 * x)),
            list(&angles(&geom.frame.turn))
        ),
        Shape::Cylinder(r, half) | Shape::Capsule(r, half) => {
            let cylinder = matches!(geom.shape, Shape::Cylinder(..));
            let kind = if cylinder { cylinder::ENTRY.name } else { capsule::ENTRY.name };
            let length = 2.0 * half;
            format!(
                "{kind} = {{ center = {at}, axis = {axis}, radius = {r:?}, length = {length:?} }}"
            )
        }
    };
    let name = quoted(&geom.name);
    format!(
        "\n[[collider]]\nname = \"{name}_{number}\"\nmaterial = \"m{material}\"\nshape = {{ {shape} }}\n"
    )
}

fn body(geom: &Geom, number: usize, material: usize, mass: f64) -> String {
    let (mut place, turn) = (geom.frame.place, geom.frame.turn);
    let shape = match geom.shape {
        Shape::Box(half) => {
            let (counts, spacing, exact) = grid(half);
            place -= turn * Vector::z() * (0.5 * (counts[2] - 1) as f64 * spacing);
            let note = if exact { "" } else { "# no grid has just these sides: the nearest\n" };
            format!(
                "{note}shape = {{ lattice = {{ counts = {counts:?}, spacing = {spacing:?} }} }}\nrigid = true\nrotation = {}\nspin = {}\n",
                list(&angles(&turn)),
                list(geom.spin.as_slice())
            )
        }
        Shape::Sphere(r) => {
            format!(
                "# a particle with a radius: it does not roll\nshape = {{ particle = {{}} }}\nradius = {r:?}\n"
            )
        }
        _ => unreachable!("bodies that move are boxes and spheres"),
    };
    format!(
        "\n[[body]]\nname = \"{}_{number}\"\nmaterial = \"m{material}\"\nmass = {mass:?}\n{shape}position = {}\nvelocity = {}\n",
        quoted(&geom.name),
        list(place.as_slice()),
        list(geom.velocity.as_slice())
    )
}

/// Counts and spacing \[m\] of the grid that fits a box of these half sizes best, the coarsest of
/// equals, and whether it fits to 1e-9 of half the shortest side.
fn grid(half: [f64; 3]) -> ([usize; 3], f64, bool) {
    let least = half.iter().copied().fold(f64::INFINITY, f64::min);
    let mut best = ([2; 3], 2.0 * least, f64::INFINITY);
    for pieces in 1..=6 {
        let spacing = 2.0 * least / pieces as f64;
        // long boxes: at most twenty particles along a side
        let along = half.map(|x| (2.0 * x / spacing).round().clamp(1.0, 19.0));
        let off = (0..3).map(|k| (along[k] * spacing - 2.0 * half[k]).abs()).fold(0.0, f64::max);
        if off < 0.999 * best.2 && best.2 > 1e-9 * least {
            best = (along.map(|n| n as usize + 1), spacing, off);
        }
    }
    (best.0, best.1, best.2 <= 1e-9 * least)
}

//! A scene as an input script of LAMMPS with its data file, so that a run too large for one machine
//! can be computed over MPI.
//!
//! Particles are atoms with individual masses that do not rotate; springs are bonds `bpm/spring`,
//! or `harmonic` if they are not at rest at t = 0. Contacts are granular: `viscous-cap` is
//! `linear_nohistory`, `cundall-strack` is `linear_history`, `linear` is `hooke` with damping by
//! velocity. `fix nve` is velocity Verlet as here: the same forces at the same positions, so the
//! same trajectory up to rounding. The engine: \[lammps2022\].

mod atoms;
mod loads;
mod misfits;
mod walls;

use crate::output::Inexpressible;
use std::ops::Range;
use stiction_core::contact::friction::FrictionForm;
use stiction_core::contact::laws::Laws;
use stiction_core::contact::pair::Pair;
use stiction_core::integrators::velocity_verlet;
use stiction_core::math::{Vector, larger, smaller};
use stiction_core::registry::words::unprintable;
use stiction_scene::Scene;
use stiction_scene::build::Built;

/// Script, data and the differences from the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Files {
    /// The input script.
    pub script: String,
    /// The data file: atoms, velocities, bonds.
    pub data: String,
    /// Sentences on everything different or missing in LAMMPS; they are comments of the script.
    pub notes: Vec<String>,
}

/// The script and the data of a scene; the script reads `NAME.data` and writes `NAME.dump`.
///
/// # Errors
/// Everything in the scene without a counterpart in LAMMPS.
pub fn files(scene: &Scene, built: &Built, name: &str) -> Result<Files, Inexpressible> {
    misfits::refuse(scene, built)?;
    let mut export = Export::new(scene, built);
    let (bonds, data) = atoms::data(&export);
    let mut body = atoms::reading(&export, &bonds, name);
    body += &walls::between(&export);
    body += "\n# velocity Verlet; particles have no attitude, so nothing turns\nfix integrate all nve\n";
    let loads = loads::script(&mut export)?;
    let walls = walls::script(&mut export)?;
    let held = loads::held(&mut export)?;
    body += &export.groups.text();
    body += &(loads + &walls + &held);
    body += &running(scene, name);
    export.notes.extend(method(scene, built));
    export.notes.extend(law(scene, built));
    Ok(Files { script: header(scene, name, &export.notes) + &body, data, notes: export.notes })
}

/// A scene being exported.
struct Export<'a> {
    scene: &'a Scene,
    built: &'a Built,
    /// length by which radii grow and surfaces recede \[m\]
    shift: f64,
    groups: Groups,
    notes: Vec<String>,
}

impl<'a> Export<'a> {
    fn new(scene: &'a Scene, built: &'a Built) -> Self {
        let shift = if built.model.surfaces.between.is_some() { 0.0 } else { shift(built) };
        let bodies = built.model.bodies.iter().map(|body| body.particles.clone()).collect();
        let groups = Groups { bodies, named: Vec::new() };
        let mut export = Export { scene, built, shift, groups, notes: Vec::new() };
        if shift > 0.0 {
            export.notes.push(format!(
                "radii are larger by {shift:?} m and surfaces as much farther away: depths are the same, and LAMMPS loses no centre that comes through a surface"
            ));
        }
        export.notes.push("verdict, measures and [expect] stay behind".into());
        export
    }
}

/// How far radii grow and surfaces recede \[m\], meant to exceed the depth of any centre: an eighth
/// of the size of the scene, at most half the radius of a solid ball.
fn shift(built: &Built) -> f64 {
    let [min, max] = bounds(&built.state.positions);
    let size = (max - min).norm();
    let size = if size > 0.0 { size } else { 1.0 };
    walls::balls(built).fold(size / 8.0, |shift, radius| smaller(shift, radius / 2.0))
}

/// Corners of the bounding box of points.
fn bounds(points: &[Vector]) -> [Vector; 2] {
    let over = |start: f64, f: fn(f64, f64) -> f64| {
        points.iter().fold(Vector::repeat(start), |most, x| most.zip_map(x, f))
    };
    [over(f64::INFINITY, smaller), over(f64::NEG_INFINITY, larger)]
}

/// Named sets of particles.
#[derive(Debug)]
struct Groups {
    bodies: Vec<Range<usize>>,
    named: Vec<(String, Vec<usize>)>,
}

/// Largest number of groups in LAMMPS, `all` included.
const MOST_GROUPS: usize = 32;

/// Largest number of ranges of particles in one line of the script.
const A_LINE: usize = 12;

impl Groups {
    /// The name of the group of these particles, which ascend; `wish` if the group is new.
    fn of(
        &mut self,
        wish: &str,
        particles: Vec<usize>,
        all: usize,
    ) -> Result<String, Inexpressible> {
        if particles.len() == all {
            return Ok("all".into());
        }
        if let Some((name, _)) = self.named.iter().find(|(_, same)| *same == particles) {
            return Ok(name.clone());
        }
        if self.named.len() + 1 == MOST_GROUPS {
            return Err(Inexpressible(vec![format!(
                "pushes, drags, pins and materials choose more than {} different sets of particles, and LAMMPS has {MOST_GROUPS} groups",
                MOST_GROUPS - 1
            )]));
        }
        let is_whole = |body: &Range<usize>| body.clone().eq(particles.iter().copied());
        let body = self.bodies.iter().position(is_whole);
        let name = body.map_or(wish.to_string(), |body| format!("body{}", body + 1));
        self.named.push((name.clone(), particles));
        Ok(name)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (name, particles) in &self.named {
            for line in ranges(particles).chunks(A_LINE) {
                text += &format!("group {name} id {}\n", line.join(" "));
            }
        }
        text
    }
}

/// Numbers from 1 in LAMMPS' notation, consecutive ones as a range.
fn ranges(particles: &[usize]) -> Vec<String> {
    let runs = particles.chunk_by(|a, b| a + 1 == *b);
    let range = |run: &[usize]| match run {
        [one] => (one + 1).to_string(),
        _ => format!("{}:{}", run[0] + 1, run[run.len() - 1] + 1),
    };
    runs.map(range).collect()
}

/// A normal damping of zero is replaced by this share of the tangential damping.
const NEXT_TO_NONE: f64 = 1e-9;

/// Tangential style of the same formula as the friction law, and its damping \[N·s/m\]; `None` if
/// LAMMPS has no such style.
fn tangential(laws: &Laws) -> Option<(String, f64)> {
    let damper = || "linear_nohistory".to_string();
    match laws.friction.form() {
        FrictionForm::Frictionless => Some((damper(), 0.0)),
        FrictionForm::CappedDamper { damping } => Some((damper(), damping)),
        FrictionForm::CappedSpring { stiffness, damping } => {
            Some((format!("linear_history {stiffness:?}"), damping))
        }
        FrictionForm::Coulomb | FrictionForm::Own => None,
    }
}

/// The words of a granular contact, after the style: `hooke ...`. `mass` is the effective mass of
/// the contact \[kg\].
fn granular(laws: &Laws, pair: &Pair, mass: f64) -> String {
    let stiffness = laws.normal.elastic(1.0);
    let damping = laws.normal.damping(pair.bounce, mass);
    let (style, own) = tangential(laws).expect("laws without a style were refused");
    let rubs = laws.friction.form() != FrictionForm::Frictionless;
    let mu = if rubs { pair.friction.static_friction } else { 0.0 };
    // in LAMMPS the tangential damping is a multiple of the normal one
    let normal = if damping > 0.0 { damping } else { NEXT_TO_NONE * own };
    let multiple = if own > 0.0 { own / normal } else { 0.0 };
    format!(
        "hooke {stiffness:?} {normal:?} damping velocity tangential {style} {multiple:?} {mu:?} limit_damping"
    )
}

/// The integrator whose steps are those of `fix nve`.
const SAME_STEPS: &str = velocity_verlet::REUSED.name;

/// The note on the integrator, if that of LAMMPS takes other steps.
fn method(scene: &Scene, built: &Built) -> Option<String> {
    let name = scene.integrator.name;
    if name == SAME_STEPS {
        return None;
    }
    Some(if built.integrator.capabilities().is_velocity_first() {
        format!(
            "{name} becomes velocity Verlet: the same steps, but its first kick is half a step, so that trajectories differ by order 1 in the step"
        )
    } else {
        format!(
            "{name} becomes velocity Verlet, which is of order 1 in the step with friction and damping: --integrator {SAME_STEPS} gives the same trajectory"
        )
    })
}

/// Notes on the tangential model in LAMMPS.
fn law(scene: &Scene, built: &Built) -> Vec<String> {
    let name = scene.contact.friction.name;
    let laws = built.model.laws.as_ref().filter(|_| built.model.touches());
    let Some(FrictionForm::CappedSpring { damping, .. }) = laws.map(|laws| laws.friction.form())
    else {
        return Vec::new();
    };
    let mut notes = vec![format!(
        "{name}: the spring of a contact that begins is drawn from the step before its first, not from the first: a difference of order 1 in the step"
    )];
    if damping > 0.0 {
        notes.push(format!("{name}: in slip the stretch is such that spring and damper reach the cone, here that the spring alone does; with damping = 0 they are the same"));
    }
    notes
}

fn header(scene: &Scene, name: &str, notes: &[String]) -> String {
    let title = if scene.title.is_empty() { name } else { &scene.title };
    let mut text = format!("# {}\n", plain(title));
    text += &format!(
        "# written by stiction {} for LAMMPS of July 2025 and later, with the packages BPM, GRANULAR and MOLECULE:\n#   lmp -in {name}.in      mpirun -n 8 lmp -in {name}.in\n",
        env!("CARGO_PKG_VERSION")
    );
    notes.iter().for_each(|note| text += &format!("# {}\n", plain(note)));
    text
}

/// A text for a comment of one line: `&` at its end would continue it, `"""` would begin several.
fn plain(text: &str) -> String {
    let one_line = |c: char| if unprintable(c) { ' ' } else { c };
    let text: String = text.replace(r#"""""#, "''").chars().map(one_line).collect();
    let text = text.trim_end();
    if text.ends_with('&') { format!("{text}.") } else { text.into() }
}

fn running(scene: &Scene, name: &str) -> String {
    let (every, steps) = (scene.time.steps_per_frame, scene.time.steps);
    format!(
        "\ntimestep {:?}\nthermo {every}\nthermo_style custom step time ke\nthermo_modify norm no lost error\n\
         dump frames all custom {every} {name}.dump id x y z vx vy vz\n\
         dump_modify frames sort id format float %.17g\nrun {steps}\n",
        scene.time.step
    )
}

/// Three numbers, each with all its digits.
fn numbers(v: Vector) -> String {
    format!("{:?} {:?} {:?}", v.x, v.y, v.z)
}

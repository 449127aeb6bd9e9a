//! Forces of contacts as written to results, against the change of momentum.

use stiction::{Model, Simulation, Vector};
use stiction_core::forces::Force;
use stiction_core::measures::contact_fields::ContactFields;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load};

/// Steps after which a scene is looked at.
const LOOKS: [u64; 3] = [1, 60, 240];

/// Promised error of the sum over a body, as a share of its forces.
const PROMISED: f64 = 1e-12;

fn start(path: &std::path::Path, set: &[&str]) -> Option<Simulation> {
    let set = set.iter().map(|text| text.to_string()).collect();
    let options = LoadOptions { set, ..LoadOptions::default() };
    let scene = load(path, &options).ok()?.scene;
    Run::new(&scene, &BuildOptions::default()).ok().map(Run::into_simulation)
}

fn scenes() -> Vec<std::path::PathBuf> {
    let folders = ["scenes", "scenes/league"];
    let mut all: Vec<_> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("the library"))
        .map(|entry| entry.expect("a name").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    all.sort();
    all
}

/// Σ over the particles of a body.
fn sum(model: &Model, body: usize, of: &[Vector]) -> Vector {
    model.bodies[body].particles.clone().map(|i| of[i]).sum()
}

/// The forces of all loads \[N\].
fn loads(simulation: &Simulation) -> Vec<Vector> {
    let mut f = vec![Vector::zeros(); simulation.model.particles()];
    let at = simulation.state.configuration();
    simulation.model.loads.iter().for_each(|load| load.add_force(&at, &mut f));
    f
}

/// For every particle, springs, elements, loads, reactions and the written forces of contacts add up to the
/// force of the commit.
#[test]
fn contacts_as_put_out_make_the_force_of_every_particle() {
    let (mut touched, mut worst) = (0, 0.0_f64);
    for path in scenes() {
        let Some(mut simulation) = start(&path, &[]) else { panic!("{}", path.display()) };
        if simulation.model.laws.is_none() {
            continue;
        }
        let mut contacts = 0;
        for steps in LOOKS {
            while simulation.state.step_count < steps {
                simulation.advance().expect("a step");
            }
            let (model, state) = (&simulation.model, &simulation.state);
            let fields = ContactFields::of(model, state);
            let mut f = loads(&simulation);
            let at = state.configuration();
            model.springs.add_force(&at, &mut f);
            model.elements.add_force(&at, &mut f);
            let mut scale: f64 = f.iter().map(|f| f.norm()).sum();
            for (i, f) in f.iter_mut().enumerate() {
                *f += fields.force(i);
                scale += fields.force(i).norm();
            }
            model.constraints().for_each(|constraint| constraint.add_reaction(&at, &mut f));
            let off = |i: usize| (f[i] - state.forces[i]).norm();
            let largest = (0..f.len()).map(off).fold(0.0, f64::max);
            worst = worst.max(largest / scale.max(f64::MIN_POSITIVE));
            assert!(largest <= PROMISED * scale, "{}: {largest} of {scale} N", path.display());
            contacts += state.memory.contacts.len();
        }
        touched += usize::from(contacts > 0);
    }
    println!("{touched} scenes with contacts; at most {worst:.1e} of the forces");
    assert!(touched >= 40, "{touched}");
}

/// Σ of the contact forces over a body is d(momentum)/dt less the loads: under symplectic Euler the
/// change of momentum in a step is h times the force at its start.
#[test]
fn contacts_of_a_body_change_its_momentum() {
    let (mut bodies, mut worst) = (0, 0.0_f64);
    for path in scenes() {
        let set = ["integrator.method=symplectic-euler", "contact.method=penalty"];
        let Some(mut simulation) = start(&path, &set) else { continue };
        let model = simulation.model.clone();
        let free = |m: &Vector| (0..3).all(|axis| m[axis] > 0.0 || model.locked_axis == Some(axis));
        let held = !model.inverse_masses.iter().all(free);
        if held || model.constraints().next().is_some() {
            continue;
        }
        for steps in LOOKS {
            while simulation.state.step_count < steps {
                if simulation.advance().is_err() {
                    break;
                }
            }
            let before = simulation.state.clone();
            let (fields, loads) = (ContactFields::of(&model, &before), loads(&simulation));
            if before.memory.contacts.is_empty() || simulation.advance().is_err() {
                continue;
            }
            let h = simulation.state.time - before.time;
            for body in 0..model.bodies.len() {
                let own = model.bodies[body].particles.clone();
                let contact: Vector = own.clone().map(|i| fields.force(i)).sum();
                let momentum =
                    |v: &[Vector]| -> Vector { own.clone().map(|i| v[i] * model.masses[i]).sum() };
                let change =
                    (momentum(&simulation.state.velocities) - momentum(&before.velocities)) / h;
                let mut off = change - sum(&model, body, &loads) - contact;
                if let Some(axis) = model.locked_axis {
                    off[axis] = 0.0;
                }
                // rounding of velocities that are divided by the step, and of springs
                let speeds: f64 =
                    own.clone().map(|i| before.velocities[i].norm() * model.masses[i]).sum();
                let forces: f64 =
                    own.clone().map(|i| before.forces[i].norm() + fields.force(i).norm()).sum();
                let scale = forces + sum(&model, body, &loads).norm() + 1e-2 * speeds / h;
                if contact != Vector::zeros() {
                    bodies += 1;
                    worst = worst.max(off.norm() / scale);
                }
                assert!(off.norm() <= PROMISED * scale, "{}: {off:?} of {scale} N", path.display());
            }
        }
    }
    println!("{bodies} bodies in contact; at most {worst:.1e}");
    assert!(bodies >= 30, "{bodies}");
}

/// Under methods that jump velocities, the mean forces of a step are its impulses over h.
#[test]
fn impulses_of_a_body_change_its_momentum() {
    for method in ["impulse", "exact"] {
        let set = [format!("contact.method={method}"), "integrator.method=symplectic-euler".into()];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let path = std::path::Path::new("scenes/sliding_block.toml");
        let mut simulation = start(path, &set).expect("a scene");
        for _ in 0..50 {
            simulation.advance().expect("a step");
        }
        let (before, loads) = (simulation.state.clone(), loads(&simulation));
        simulation.advance().expect("a step");
        let model = simulation.model.clone();
        let fields = ContactFields::of(&model, &simulation.state);
        let h = simulation.state.time - before.time;
        let change: Vector = (0..model.particles())
            .map(|i| (simulation.state.velocities[i] - before.velocities[i]) * model.masses[i] / h)
            .sum();
        let contact: Vector = (0..model.particles()).map(|i| fields.force(i)).sum();
        let loads: Vector = loads.iter().sum();
        assert!(contact.norm() > 0.5 * loads.norm(), "{method}: it bears the block");
        assert!((change - loads - contact).norm() <= 1e-9 * loads.norm(), "{method}: {contact:?}");
    }
}

/// Work dissipated at the particles adds up to what the energy audit finds.
#[test]
fn work_of_particles_adds_up_to_the_audit() {
    for name in ["sliding_block", "spinning_disc", "layers", "gripper"] {
        let path = format!("scenes/{name}.toml");
        let mut simulation = start(std::path::Path::new(&path), &[]).expect("a scene");
        for _ in 0..400 {
            simulation.advance().expect("a step");
        }
        let watches = &simulation.watches;
        let all: f64 = watches.friction_work.dissipated.iter().sum();
        let flows = watches.audit.flows;
        let audit = flows.friction_stick + flows.friction_slip;
        assert!(audit > 0.0, "{name}: friction dissipates");
        assert!((all / audit - 1.0).abs() < 2e-3, "{name}: {all} J at particles, {audit} J in all");
    }
}

/// Of a block that slides the power of friction is μ N v, and of one at rest nothing.
#[test]
fn the_power_of_friction_is_that_of_the_slide() {
    for speed in [0.0, 2.0] {
        let set = format!("body.block.velocity=[{speed:e},0,0]");
        let scene = std::path::Path::new("scenes/sliding_block.toml");
        let mut simulation = start(scene, &[&set, "world.gravity=[0,0,-9.81]"]).expect("a scene");
        for _ in 0..20 {
            simulation.advance().expect("a step");
        }
        let (model, state) = (&simulation.model, &simulation.state);
        let fields = ContactFields::of(model, state);
        let v = state.velocities[0];
        for i in 0..model.particles() {
            let exact = -fields.friction[i].dot(&v);
            assert!((fields.power[i] - exact).abs() <= 1e-9 * exact.abs(), "{speed}: {exact} W");
        }
        assert_eq!(fields.power.iter().sum::<f64>() > 1.0, speed > 0.0);
    }
}

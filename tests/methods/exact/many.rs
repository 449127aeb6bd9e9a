//! Rigid boxes on more contacts than they have motions: what each contact bears is not unique, the
//! motion of the box is, and has a closed form.

use super::*;
use stiction_core::math::sqrt;
use stiction_lab::output::folder::run_json;
use stiction_lab::run::Run;

/// A rigid box of 1 kg whose lowest layer stands on the floor.
fn rigid(counts: [u32; 3], keys: &str) -> String {
    format!(
        "[[body]]
        name = \"box\"
        mass = 1
        rigid = true
        shape = {{ lattice = {{ counts = {counts:?}, spacing = 0.05 }} }}
        {keys}
        {FLOOR}"
    )
}

/// Gravity in the axes of a slope that falls towards +x.
fn tilted(degrees: f64) -> String {
    let a = radians(degrees);
    format!("world.gravity = [{:e}, 0, {:e}]\n", 9.81 * sin(a), -9.81 * cos(a))
}

const COUNTS: [[u32; 3]; 6] = [[2, 2, 2], [3, 3, 2], [5, 3, 3], [10, 10, 2], [5, 1, 3], [2, 1, 2]];

#[test]
fn boxes_slide_by_gravity_less_friction() {
    let jobs: Vec<([u32; 3], f64)> =
        COUNTS.iter().flat_map(|counts| [0.0, 0.1, 0.5, 0.8].map(|mu| (*counts, mu))).collect();
    jobs.par_iter().for_each(|(counts, mu)| {
        let wide = counts[0] > 2;
        let mu = if wide { 2.0 * mu } else { *mu };
        let text = tilted(20.0) + &rigid(*counts, "velocity = [2, 0, 0]");
        // tall boxes tip
        let half = 0.025 * f64::from(counts[0] - 1);
        if mu * 0.025 * f64::from(counts[2] - 1) >= half {
            return;
        }
        let mut slide = exact(SYMPLECTIC, 1e-3, [mu; 2], &text);
        until(&mut slide, 0.1);
        let a = radians(20.0);
        let theory = 2.0 + 0.1 * 9.81 * (sin(a) - mu * cos(a));
        for v in &slide.state.velocities {
            let off = (v - Vector::new(theory, 0.0, 0.0)).norm();
            assert!(off < 1e-9, "{counts:?}, {mu}: {v}, not {theory}");
        }
        trusted(&slide);
    });
}

#[test]
fn boxes_hold_without_creep() {
    let jobs: Vec<([u32; 3], f64)> =
        COUNTS.iter().flat_map(|counts| [0.3, 0.5, 1.0, 2.0].map(|mu| (*counts, mu))).collect();
    jobs.par_iter().for_each(|(counts, mu)| {
        for method in [SYMPLECTIC, "rk4"] {
            let text = tilted(15.0) + &rigid(*counts, "");
            let mut rest = exact(method, 1e-3, [*mu; 2], &text);
            let before = center(&rest);
            until(&mut rest, 0.2);
            let way = (center(&rest) - before).norm();
            // the tolerance in m/s, for .2 s
            assert!(way < 0.2 * 5e-13, "{counts:?}, {mu}, {method}: {way:e} m");
            for v in &rest.state.velocities {
                assert!(v.norm() < 2e-12, "{counts:?}, {mu}, {method}: {v}");
            }
            let borne: f64 = rest.state.memory.contacts.iter().map(|c| c.normal_force).sum();
            let weight = 9.81 * cos(radians(15.0));
            assert!((borne - weight).abs() < 1e-8 * weight, "{counts:?}, {mu}: {borne}");
            trusted(&rest);
        }
    });
}

/// Friction brakes the spin by μ m g times the mean distance of the contacts, weighted by their
/// loads; each of four contacts bears the same load.
#[test]
fn a_spinning_box_is_braked_by_the_mean_arm() {
    for n in [2u32, 4, 7] {
        for mu in [0.1, 0.5, 1.0] {
            let text = rigid([n, n, 2], "spin = [0, 0, 8]");
            let mut spinning = exact(SYMPLECTIC, 1e-4, [mu; 2], &text);
            let points: Vec<Vector> = spinning.state.positions.clone();
            let middle = center(&spinning);
            let arm = |x: &Vector| sqrt((x - middle).xy().norm_squared());
            let mean = points.iter().map(arm).sum::<f64>() / points.len() as f64;
            let inertia = points.iter().map(|x| arm(x) * arm(x)).sum::<f64>() / points.len() as f64;
            let rate = mu * 9.81 * mean / inertia;
            let time = (4.0 / rate / 1e-4).floor() * 1e-4;
            until(&mut spinning, time);
            let (_, spin) = spinning.model.rigid[0].twist(&spinning.state);
            let theory = 8.0 - rate * time;
            println!("{n}, {mu}: {spin}, {theory}");
            // within a step the slip turns by ω h
            if n == 2 {
                assert!((spin.z - theory).abs() < 1e-3 * 8.0, "{mu}: {spin}, not {theory}");
            }
            // more than four contacts share the load in many ways: the arm lies between theirs
            let arms: Vec<f64> = points.iter().map(arm).collect();
            let least = arms.iter().copied().fold(f64::INFINITY, f64::min);
            let most = arms.iter().copied().fold(0.0, f64::max);
            let found = (8.0 - spin.z) / time * inertia / (mu * 9.81);
            let room = 1e-3 * most;
            assert!(found > least - room && found < most + room, "{n}, {mu}: {found} m");
            // gaps of 1e-9 m at one end of the box close in a step
            assert!(spin.xy().norm() < 1e-9 / 0.05 / 1e-4, "{n}, {mu}: {spin}");
        }
    }
}

/// Boxes on each other on a slope that holds them, of equal masses or each heavier or lighter than
/// the one below.
#[test]
fn stacks_hold() {
    let jobs: Vec<(u32, f64)> =
        (2..=5).flat_map(|boxes| [1.0, 1000.0, 1e-3].map(|ratio| (boxes, ratio))).collect();
    jobs.par_iter().for_each(|(boxes, ratio)| {
        let share = match boxes {
            2 => *ratio,
            3 => sqrt(*ratio),
            _ => sqrt(sqrt(*ratio)),
        };
        let (mut mass, mut bodies, mut weight) = (1.0, String::new(), 0.0);
        for k in 0..*boxes {
            bodies += &format!(
                "[[body]]
                name = \"box{k}\"
                mass = {mass:e}
                rigid = true
                shape = {{ lattice = {{ counts = [3, 3, 2], spacing = 0.05 }} }}
                position = [0, 0, {:e}]
                radius = 0.001
                ",
                0.001 + 0.052 * f64::from(k)
            );
            weight += 9.81 * mass;
            mass *= share;
        }
        let text = format!("{}{bodies}{FLOOR}", tilted(5.0));
        let keys = "method = \"exact\", bodies = true";
        let mut stack = contact(keys, SYMPLECTIC, 1e-3, [0.5; 2], &text);
        let start = stack.state.positions.clone();
        until(&mut stack, 0.1);
        let moved = stack.state.positions.iter().zip(&start).map(|(x, from)| (x - from).norm());
        let moved = moved.fold(0.0, f64::max);
        // nine gaps of up to 1e-9 m close
        assert!(moved < 1e-8, "{boxes}, {ratio}: {moved:e} m");
        let borne: f64 = (stack.state.memory.contacts.iter())
            .filter(|contact| contact.normal.z > 0.999 && contact.point.z < 0.01)
            .map(|contact| contact.normal_force)
            .sum();
        let theory = weight * cos(radians(5.0));
        assert!((borne - theory).abs() < 1e-5 * theory, "{boxes}, {ratio}: {borne}, {theory}");
    });
}

/// The boards of `scenes/rigid_ramp.toml` turn under boxes of 15 contacts, of which some part and
/// come back. All expectations of the scene are met under exact contact.
#[test]
fn boxes_on_turning_boards_move_as_derived() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/rigid_ramp.toml");
    let set = vec!["contact.method=exact".into()];
    let loaded = load(&path, &LoadOptions { set, ..LoadOptions::default() }).expect("a scene");
    let mut run = Run::new(&loaded.scene, &BuildOptions::default()).expect("a run");
    let outcome = run.finish().expect("an end");
    println!("{}", run_json::document(&loaded.scene, &run, Some(&outcome), &[]));
    assert_eq!(outcome.checked.len(), 4);
    assert!(outcome.checked.iter().all(|checked| checked.met()), "{:?}", outcome.checked);
}

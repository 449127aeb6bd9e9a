//! Rigid boxes of one size on each other: every particle of the rims lies on the rim of the other box, at no distance
//! from faces whose normals differ.

use super::*;

/// Two boxes on the floor, of these masses; the lower one is pushed along +x.
fn stack(
    counts: [u32; 3],
    masses: [f64; 2],
    mu: f64,
    push: f64,
    (step, turned): (f64, f64),
) -> Simulation {
    let height = 0.1 * f64::from(counts[2] - 1);
    let body = |name: &str, mass: f64, z: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = {mass}\nrigid = true\nposition = [0, 0, {z}]\nrotation = [0, 0, {turned}]\n\
             shape = {{ lattice = {{ counts = {counts:?}, spacing = 0.1 }} }}\n"
        )
    };
    let (below, above) = (body("below", masses[0], 0.0), body("above", masses[1], height));
    let push = format!("[[push]]\nbody = \"below\"\nforce = [{push:e}, 0, 0]\n");
    let keys = "method = \"exact\", bodies = true";
    contact(keys, SYMPLECTIC, step, [mu; 2], &(below + &above + &push + FLOOR))
}

/// Mean velocity along x of each box, and how far one leans.
fn moves(stack: &Simulation) -> ([f64; 2], f64) {
    let bodies = &stack.model.bodies;
    let mean = |number: usize| {
        let particles = bodies[number].particles.clone();
        let count = particles.len() as f64;
        particles.map(|i| stack.state.velocities[i].x).sum::<f64>() / count
    };
    let leans = |number: usize| {
        let particles = bodies[number].particles.clone();
        let heights = particles.map(|i| stack.state.positions[i].z - stack.model.reference[i].z);
        heights.fold(0.0, |most: f64, height| most.max(height.abs()))
    };
    ([mean(0), mean(1)], leans(0).max(leans(1)))
}

const COUNTS: [[u32; 3]; 4] = [[2, 2, 2], [3, 3, 2], [4, 2, 3], [2, 3, 2]];

#[test]
fn boxes_that_friction_holds_together_move_as_one() {
    let jobs: Vec<_> =
        COUNTS.iter().flat_map(|counts| [0.0, 30.0].map(|turned| (*counts, turned))).collect();
    jobs.par_iter().for_each(|(counts, turned)| {
        for step in [1e-3, 8e-3] {
            // (F − μ 2 m g)/2m, less than μ g
            let (mu, push) = (0.5, 1.3 * 9.81);
            let mut run = stack(*counts, [1.0; 2], mu, push, (step, *turned));
            until(&mut run, 0.4);
            let theory = 0.4 * (push - mu * 2.0 * 9.81) / 2.0;
            let ([below, above], leans) = moves(&run);
            let label = format!(
                "{counts:?} turned {turned} at {step}: {below} {above} of {theory}, {leans:e}"
            );
            assert!((below - theory).abs() < 1e-6 && (above - theory).abs() < 1e-6, "{label}");
            assert!(leans < 1e-6, "{label}");
        }
    });
}

#[test]
fn a_box_is_pulled_from_under_another() {
    COUNTS.par_iter().for_each(|counts| {
        // above: μ g, which is less than (F − μ 3 m g)/m below
        let (mu, push) = (0.2, 1.5 * 9.81);
        let mut run = stack(*counts, [1.0; 2], mu, push, (1e-3, 0.0));
        until(&mut run, 0.1);
        let theory = [0.1 * (push - 3.0 * mu * 9.81), 0.1 * mu * 9.81];
        let ([below, above], leans) = moves(&run);
        let label = format!("{counts:?}: {below} {above} of {theory:?}, {leans:e}");
        assert!((below - theory[0]).abs() < 1e-6 && (above - theory[1]).abs() < 1e-6, "{label}");
        assert!(leans < 1e-6, "{label}");
    });
}

#[test]
fn a_heavy_box_stands_on_a_light_one() {
    COUNTS.par_iter().for_each(|counts| {
        let mut run = stack(*counts, [1.0, 100.0], 0.5, 0.0, (4e-3, 0.0));
        until(&mut run, 1.0);
        let ([below, above], leans) = moves(&run);
        assert!(below.abs().max(above.abs()) < 1e-9, "{counts:?}: {below:e} {above:e}");
        assert!(leans < 1e-9, "{counts:?}: {leans:e}");
    });
}

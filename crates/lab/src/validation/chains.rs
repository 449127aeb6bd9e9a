//! Chains, ropes and beams of springs: frequencies and static deflections.

use super::{Case, CaseFigure, CaseTrial};
use stiction_core::integrators::implicit_euler;
use stiction_core::math::{PI, cos, larger, sin, sqrt};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "units",
        name: "chain modes",
        about: "6 particles between two walls swing in mode j with ω = 2 √(k/m) sin(jπ/(2·7)); timed where the first passes the middle for the first and the third time",
        trials: modes,
    },
    Case {
        group: "units",
        name: "hanging chain",
        about: "n = 10 springs of length l hang n l + (m g/k) n (n + 1)/2 long",
        trials: hanging,
    },
    Case {
        group: "units",
        name: "catenary",
        about: "a rope of 1.5 m between two pins 1 m apart: 2 a sinh(1/(2a)) = 1.5, sag a (cosh(1/(2a)) − 1) = .502633",
        trials: catenary,
    },
    Case {
        group: "units",
        name: "cantilever lattices",
        about: "edges and both diagonals, k 2e4, length 1, mass .5, left column pinned: how far the lower free corner sinks",
        trials: cantilevers,
    },
];

/// The text of a chain of unit masses at distances of 1 m along an axis (z downward), displaced
/// along it by `offsets` \[m\].
fn chain(particles: usize, axis: usize, offsets: &[f64]) -> String {
    let at = |i: usize| {
        let mut x = [0.0; 3];
        x[axis] = i as f64 + offsets[i];
        [x[0], x[1], -x[2]]
    };
    let positions: Vec<[f64; 3]> = (0..particles).map(at).collect();
    let links: Vec<[usize; 2]> = (1..particles).map(|i| [i - 1, i]).collect();
    let ones = vec![1; particles];
    format!(
        "materials.steel.static_friction = 0.5
        [[body]]
        name = \"chain\"
        shape.points = {{ positions = {positions:?}, links = {links:?}, masses = {ones:?}, rest_lengths = {:?} }}
        springs.edge.stiffness = 100
        ",
        &ones[1..]
    )
}

fn modes() -> Vec<CaseTrial> {
    const N: usize = 6;
    let trial = |j: usize| {
        CaseTrial::new(format!("mode {j}, rk4"), move |setting| {
            let angle = j as f64 * PI / (N + 1) as f64;
            let offsets: Vec<f64> = (0..N + 2).map(|i| 0.1 * sin(angle * i as f64)).collect();
            let exact = 2.0 * sqrt(100.0) * sin(0.5 * angle);
            let h = 2.0 * PI / exact / 2000.0;
            let rest = format!(
                "world.gravity = [0, 0, 0]
                {}
                [[pin]]
                body = \"chain\"
                where.particles = [0, {}]",
                chain(N + 2, 0, &offsets),
                N + 1
            );
            let mut rig = setting.stand_under("\"rk4\"", h, &rest)?;
            let mut passes = Vec::new();
            while passes.len() < 3 && rig.state.step_count < 4000 {
                let before = rig.state.positions[1].x - 1.0;
                rig.advance()?;
                let after = rig.state.positions[1].x - 1.0;
                if before * after <= 0.0 {
                    passes.push(rig.state.time - h * after / (after - before));
                }
            }
            let period = passes.get(2).map_or(f64::NAN, |last| last - passes[0]);
            Ok(vec![CaseFigure::relative("ω", "rad/s", exact, 2.0 * PI / period, 1e-6)])
        })
    };
    (1..=N).map(trial).collect()
}

fn hanging() -> Vec<CaseTrial> {
    const N: usize = 10;
    vec![CaseTrial::new(implicit_euler::ENTRY.name, |setting| {
        let rest = format!(
            "{}
            [[pin]]
            body = \"chain\"
            where.particles = [0]",
            chain(N + 1, 2, &[0.0; N + 1])
        );
        let mut rig = setting.stand_under("\"implicit-euler\"", 0.5, &rest)?;
        rig.steps(2000)?;
        let exact = N as f64 + 9.81 / 100.0 * (N * (N + 1)) as f64 / 2.0;
        let tip = -rig.state.positions[N].z;
        Ok(vec![CaseFigure::absolute("tip below the pin", "m", exact, tip, 1e-9)])
    })]
}

fn catenary() -> Vec<CaseTrial> {
    const HALF: usize = 50;
    vec![CaseTrial::new("100 segments, implicit-euler", |setting| {
        // released from an arc of a circle, sin a/a = 2/3 for half its angle; the chords are shorter by 4e-5
        let angle = 1.495_781_568_222_099_6;
        let radius = 0.75 / angle;
        let at = |k: usize| {
            let turned = angle * (k as f64 - HALF as f64) / HALF as f64;
            [0.5 + radius * sin(turned), 0.0, radius * (cos(angle) - cos(turned))]
        };
        let points: Vec<[f64; 3]> = (0..=2 * HALF).map(at).collect();
        let links: Vec<[usize; 2]> = (0..2 * HALF).map(|k| [k, k + 1]).collect();
        let rest = format!(
            "world.planar = \"xz\"
            materials.hemp.static_friction = 0.5
            [[body]]
            name = \"rope\"
            mass = 1e-3
            shape.points = {{ positions = {points:?}, links = {links:?} }}
            springs.edge.stiffness = 1e5
            [[pin]]
            body = \"rope\"
            where.particles = [0, {}]",
            2 * HALF
        );
        let method = "\"implicit-euler\", linear_solver = \"sparse-cholesky\"";
        let mut rig = setting.stand_under(method, 0.02, &rest)?;
        rig.steps(800)?;
        let sag = -rig.state.positions[HALF].z;
        Ok(vec![CaseFigure::relative("sag", "m", 0.502633, sag, 1e-3)])
    })]
}

/// Numbers of cells along and across, and final vertical displacement of the corner \[m\].
const BEAMS: [(u32, u32, f64); 3] =
    [(10, 1, -0.06399602), (10, 2, -0.01445782), (20, 2, -0.10962695)];

fn cantilevers() -> Vec<CaseTrial> {
    let trial = |(along, across, exact): (u32, u32, f64)| {
        CaseTrial::new(format!("{along} × {across} cells, implicit-euler"), move |setting| {
            let rest = format!(
                "world.planar = \"xz\"
                materials.rubber.static_friction = 0.5
                [[body]]
                name = \"beam\"
                mass = 0.5
                shape.lattice = {{ counts = [{}, 1, {}], spacing = {:e} }}
                springs = {{ edge = {{ stiffness = 2e4 }}, face_diagonal = {{ stiffness = 2e4 }} }}
                [[pin]]
                body = \"beam\"
                where.box = {{ min = [-0.51, -1, -1], max = [-0.49, 1, 2] }}
                ",
                along + 1,
                across + 1,
                1.0 / f64::from(along)
            );
            let mut rig = setting.stand_under("\"implicit-euler\"", 0.02, &rest)?;
            rig.steps(2000)?;
            let corner = along as usize;
            let tip = rig.state.positions[corner].z - rig.model.reference[corner].z;
            let speed = rig.state.velocities.iter().fold(0.0, |most, v| larger(most, v.norm()));
            Ok(vec![
                CaseFigure::absolute("tip", "m", exact, tip, 1e-8),
                CaseFigure::absolute("fastest particle at the end", "m/s", 0.0, speed, 1e-9),
            ])
        })
    };
    BEAMS.into_iter().map(trial).collect()
}

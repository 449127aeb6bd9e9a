//! Detection between bodies: a cloud of loose particles that falls on a cloth with self-contact.
//! Prints CPU time per call of the search, of a visit and of trying every pair, all in one process.
//! Then a block of 100,000 particles on a mesh of 100,000 triangles: the cost of its contact beside
//! that of its springs. Compare ratios of one run, never times of two.

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::path::Path;
use stiction_core::contact::collider::mesh::Mesh;
use stiction_core::contact::detect::{BodyOutline, Detector};
use stiction_core::forces::Force;
use stiction_core::forces::account::Ledger;
use stiction_core::math::{Vector, sin};
use stiction_core::state::Configuration;
use stiction_core::state::memory::Candidates;
use stiction_core::state::memory::Memory;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

fn main() {
    println!(
        "{:>9} {:>10} {:>10} {:>11} {:>11} {:>11} {:>14}",
        "particles",
        "candidates",
        "near",
        "search [µs]",
        "visit [µs]",
        "valid [µs]",
        "all pairs/visit"
    );
    for n in [10, 20, 40, 80] {
        let (detector, positions) = cloud_over_cloth(n);
        let mut candidates = Candidates::default();
        let search = seconds(|| detector.refresh(&mut candidates, black_box(&positions), 0.0));
        let mut near = 0;
        detector.for_each(&candidates, &positions, 0.0, |_| near += 1);
        let visit = seconds(|| {
            detector.for_each(&candidates, black_box(&positions), 0.0, |p| {
                black_box(p.distance);
            });
        });
        let valid = seconds(|| {
            black_box(detector.still_valid(&candidates, black_box(&positions), 0.0));
        });
        // trying every pair takes minutes for the largest n
        let all = (n <= 20).then(|| {
            seconds(|| {
                detector.brute_force(black_box(&positions), 0.0, |p| {
                    black_box(p.distance);
                });
            })
        });
        let ratio = all.map_or_else(|| "-".to_owned(), |all| format!("{:.0}", all / visit));
        let listed = candidates.points.len() + candidates.surfaces.len() + candidates.edges.len();
        println!(
            "{:>9} {listed:>10} {near:>10} {:>11.1} {:>11.1} {:>11.1} {ratio:>14}",
            positions.len(),
            search * 1e6,
            visit * 1e6,
            valid * 1e6,
        );
    }
    block_on_mesh();
}

/// Contact and springs of a step of 46³ particles whose lower layer lies on hilly ground.
fn block_on_mesh() {
    let text = "format = 1
        time = { end = 1.0, step = 1e-4, output = 1.0 }
        integrator = { method = \"symplectic-euler\" }
        materials.jelly = { static_friction = 0.5 }
        [contact]
        normal = { stiffness = 1e4, damping = 5 }
        [[body]]
        name = \"block\"
        mass = 973.36
        shape = { lattice = { counts = [46, 46, 46], spacing = 0.1 } }
        springs = { edge = { stiffness = 500, damping = 0.5 }, face_diagonal = { stiffness = 500, damping = 0.5 } }
        position = [0.7, 0.7, 0.002]
        velocity = [1, 0, 0]
        [[collider]]
        name = \"ground\"
        shape = { plane = {} }";
    let scene = load_text("block", text, Path::new("."), &LoadOptions::default())
        .expect("a sound scene")
        .scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).expect("a sound scene");
    let (vertices, triangles) = hills(158);
    let ground = Mesh::new(&vertices, &triangles, false).expect("a closed surface");
    let model =
        std::sync::Arc::get_mut(&mut run.simulation_mut().model).expect("nobody shares it yet");
    model.surfaces.colliders[0].shape = Box::new(ground);
    for _ in 0..800 {
        run.simulation_mut().advance().expect("the block falls");
    }
    let (model, state) = (&run.simulation().model, &run.simulation().state);
    let touching = state.memory.contacts.len();
    let at = state.configuration();
    let mut f = vec![Vector::zeros(); model.particles()];
    let (mut ledger, mut next) = (Ledger::default(), Memory::default());
    let force = model.contact_force().expect("contact is a force");
    let contact = seconds(|| force.commit(black_box(&at), &mut f, &mut ledger, &mut next));
    let springs = seconds(|| model.springs.commit(black_box(&at), &mut f, &mut ledger, &mut next));
    let none = Memory::default();
    let unaware = Configuration { memory: &none, ..at };
    let searched = seconds(|| force.add_force(black_box(&unaware), &mut f));
    let whole = seconds(|| run.simulation_mut().advance().expect("the block slides"));
    println!(
        "\n{} particles, {touching} of them on a mesh of {} triangles, per step:",
        f.len(),
        triangles.len()
    );
    println!(
        "contact {:.2} ms, springs {:.2} ms: ratio {:.2}",
        contact * 1e3,
        springs * 1e3,
        contact / springs
    );
    println!(
        "whole step {:.2} ms; contact without what is known to be far {:.2} ms",
        whole * 1e3,
        searched * 1e3
    );
}

/// A closed block of ground, 6 m wide and 1 m deep, with hills of 1 cm on an n × n grid.
fn hills(n: usize) -> (Vec<Vector>, Vec<[usize; 3]>) {
    let side = n + 1;
    let place = |k: usize| (k % side, k / side);
    let height = |x: f64, y: f64| 0.01 * sin(7.0 * x) * sin(5.0 * y) - 0.005;
    let mut vertices = Vec::new();
    for top in [true, false] {
        for k in 0..side * side {
            let (i, j) = place(k);
            let (x, y) = (6.0 * i as f64 / n as f64, 6.0 * j as f64 / n as f64);
            vertices.push(Vector::new(x, y, if top { height(x, y) } else { -1.0 }));
        }
    }
    let (mut triangles, bottom) = (Vec::new(), side * side);
    let mut quad = |a: usize, b: usize, c: usize, d: usize| {
        triangles.push([a, b, c]);
        triangles.push([a, c, d]);
    };
    for j in 0..n {
        for i in 0..n {
            let k = j * side + i;
            quad(k, k + 1, k + side + 1, k + side);
            quad(bottom + k, bottom + k + side, bottom + k + side + 1, bottom + k + 1);
        }
    }
    for i in 0..n {
        let (near, far) = (i, n * side + i);
        quad(bottom + near, bottom + near + 1, near + 1, near);
        quad(far, far + 1, bottom + far + 1, bottom + far);
        let (left, right) = (i * side, i * side + n);
        quad(left, left + side, bottom + left + side, bottom + left);
        quad(bottom + right, bottom + right + side, right + side, right);
    }
    (vertices, triangles)
}

/// An n × n cloth, folded once, and a cloud of as many particles in and above it.
fn cloud_over_cloth(n: u32) -> (Detector, Vec<Vector>) {
    let spacing = 0.1;
    let at = |x: u32, y: u32| Vector::new(f64::from(x), f64::from(y), 0.0) * spacing;
    let flat: Vec<Vector> = (0..n * n).map(|i| at(i % n, i / n)).collect();
    let mut triangles = Vec::new();
    for i in (0..n * (n - 1)).filter(|i| i % n + 1 < n) {
        triangles.extend([[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]);
    }
    let mut random = 1u64;
    let mut share = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 40) as f64 / 16777216.0
    };
    let side = f64::from(n) * spacing;
    let cloud: Vec<Vector> = (0..n * n)
        .map(|_| Vector::new(share() * side, share() * side, 0.02 + share() * 0.3))
        .collect();
    let count = flat.len();
    let outlines = [
        BodyOutline {
            particles: 0..count,
            triangles: &triangles,
            segments: &[],
            radii: &vec![0.03; count],
            reference: &flat,
        },
        BodyOutline {
            particles: count..2 * count,
            triangles: &[],
            segments: &[],
            radii: &vec![0.03; count],
            reference: &cloud,
        },
    ];
    let detector = Detector::new(&outlines, true, true);
    let fold = |p: &Vector| match p.x > 0.55 * side {
        true => Vector::new(1.1 * side - p.x, p.y, 0.05),
        false => *p,
    };
    (detector, flat.iter().map(fold).chain(cloud.iter().copied()).collect())
}

/// CPU-seconds of one call: the best of several batches of at least 20 ms.
fn seconds(mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    let mut batch = 1;
    let mut counted = 0;
    while counted < 5 {
        let start = ProcessTime::now();
        for _ in 0..batch {
            work();
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds < 0.02 {
            batch *= 2;
            continue;
        }
        counted += 1;
        best = best.min(seconds / f64::from(batch));
    }
    best
}

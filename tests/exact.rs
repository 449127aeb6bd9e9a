//! contact.method = "exact": Coulomb's law as a set, against theory and against the laws it is the
//! limit of.

use rayon::prelude::*;
use std::path::{Path, PathBuf};
use stiction::math::{Vector, cos, radians, sin};
use stiction::scene::build::{BuildOptions, build};
use stiction::scene::{LoadOptions, load, load_text};
use stiction::simulation::{Simulation, SimulationError};
use stiction::step_error::ContactsUnsolved;
use stiction::step_error::StepError;

const SYMPLECTIC: &str = "symplectic-euler";

/// The simulation of a scene given as text.
fn simulation(text: &str) -> Simulation {
    let loaded = load_text("test.toml", text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let built = build(&loaded.scene, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let step = loaded.scene.time.step;
    Simulation::with_method(built.model, built.state, built.integrator, built.method, step)
}

/// A scene under exact contact: integrator, step, μ_s and μ_k, contact keys, and the rest.
fn exact(integrator: &str, h: f64, mu: [f64; 2], rest: &str) -> Simulation {
    contact("method = \"exact\"", integrator, h, mu, rest)
}

fn contact(keys: &str, integrator: &str, h: f64, [s, k]: [f64; 2], rest: &str) -> Simulation {
    let world = if rest.contains("world") { "" } else { "world.gravity = [0, 0, -9.81]" };
    simulation(&format!(
        "format = 1
        {world}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator.method = \"{integrator}\"
        materials.wood = {{ static_friction = {s:e}, kinetic_friction = {k:e} }}
        contact = {{ {keys} }}
        {rest}"
    ))
}

fn until(simulation: &mut Simulation, time: f64) {
    let last = (time / simulation.step_size()).round() as u64;
    while simulation.state.step < last {
        simulation.advance().unwrap_or_else(|e| panic!("{}", e.describe(&simulation.model)));
    }
}

/// Mean position of the particles [m].
fn center(simulation: &Simulation) -> Vector {
    let x = &simulation.state.positions;
    x.iter().sum::<Vector>() / x.len() as f64
}

fn trusted(simulation: &Simulation) {
    let verdict = simulation.verdict();
    let reasons = verdict.reasons.iter().map(|r| r.describe(&simulation.model));
    assert!(verdict.trusted(), "{}", reasons.collect::<Vec<_>>().join("\n"));
}

const FLOOR: &str = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";
const SOFT: &str = "springs = { edge = { stiffness = 2e3, damping = 1 }, face_diagonal = { stiffness = 2e3, damping = 1 }, body_diagonal = { stiffness = 2e3, damping = 1 } }";
const RIGID: &str = "rigid = true";

fn particle(position: &str, velocity: &str) -> String {
    format!(
        "[[body]]\nname = \"block\"\nmass = 1.0\nshape = {{ particle = {{}} }}\nposition = {position}\nvelocity = {velocity}\n"
    )
}

/// A box of 1 kg, 0.4 × 0.4 × 0.2 m.
fn lattice(kind: &str, position: &str, velocity: &str) -> String {
    format!(
        "[[body]]\nname = \"box\"\nmass = 1.0\nshape = {{ lattice = {{ counts = [5, 5, 3], spacing = 0.1 }} }}\n{kind}\nposition = {position}\nvelocity = {velocity}\n"
    )
}

/// What v' = v − μ g h, x' = x + h v', or the mean of v and v', makes of a slide to rest.
fn discrete_distance(speed: f64, deceleration: f64, h: f64, share: f64) -> f64 {
    let (mut v, mut x) = (speed, 0.0);
    while v > 0.0 {
        let next = if v > deceleration * h { v - deceleration * h } else { 0.0 };
        x += h * (share * next + (1.0 - share) * v);
        v = next;
    }
    x
}

#[test]
fn a_particle_stops_where_the_discrete_law_says() {
    for (method, share) in [("symplectic-euler", 1.0), ("rk4", 0.5), ("explicit-euler", 0.0)] {
        for h in [1e-2, 1e-3, 1e-4] {
            let block = particle("[0, 0, 0]", "[2, 0, 0]");
            let mut slide = exact(method, h, [0.4; 2], &format!("{block}{FLOOR}"));
            until(&mut slide, 1.0);
            let x = slide.state.positions[0];
            let discrete = discrete_distance(2.0, 0.4 * 9.81, h, share);
            assert!((x.x - discrete).abs() < 1e-12, "{method}, {h}: {x}, not {discrete}");
            let theory = 4.0 / (2.0 * 0.4 * 9.81);
            assert!(
                (x.x - theory).abs() < 0.01 * theory + 1.1 * h,
                "{method}, {h}: {x}, not {theory}"
            );
            assert!(x.z.abs() < 1e-15 && x.y == 0.0, "{method}: {x}");
            assert!(slide.state.velocities[0].norm() < 1e-15);
            if h < 1e-2 {
                trusted(&slide);
            }
        }
    }
}

#[test]
fn boxes_stop_within_one_percent_of_theory() {
    for kind in [SOFT, RIGID] {
        for method in ["symplectic-euler", "rk4"] {
            let block = lattice(kind, "[0, 0, 0]", "[2, 0, 0]");
            let mut slide = exact(method, 5e-4, [0.4; 2], &format!("{block}{FLOOR}"));
            let start = center(&slide);
            until(&mut slide, 1.0);
            let way = center(&slide) - start;
            let theory = 4.0 / (2.0 * 0.4 * 9.81);
            println!("{kind} {method}: {way}, {theory}, {:?}", slide.work.iterations);
            assert!((way.x - theory).abs() < 0.01 * theory, "{kind} {method}: {way}, {theory}");
            trusted(&slide);
        }
    }
}

#[test]
fn what_is_pressed_against_a_wall_does_not_creep() {
    let wall = "[[collider]]\nname = \"wall\"\nshape = { plane = { normal = [-1, 0, 0] } }\n";
    let push = |body: &str| format!("[[push]]\nbody = \"{body}\"\nforce = [20, 0, 0]\n");
    for (what, block) in [
        ("particle", format!("{}{}", particle("[0, 0, 0]", "[0, 0, 0]"), push("block"))),
        ("soft", format!("{}{}", lattice(SOFT, "[-0.2, 0, 0]", "[0, 0, 0]"), push("box"))),
        ("rigid", format!("{}{}", lattice(RIGID, "[-0.2, 0, 0]", "[0, 0, 0]"), push("box"))),
    ] {
        for method in ["symplectic-euler", "rk4"] {
            let mut press = exact(method, 5e-4, [1.0; 2], &format!("{block}{wall}"));
            let at_first = center(&press);
            until(&mut press, 1.5);
            let before = press.state.positions.clone();
            let sweeps = press.work.iterations;
            until(&mut press, 2.0);
            // particles at the wall, in pairs of now and then
            let contacts = &press.state.memory.contacts;
            let creep = contacts.iter().fold(0.0f64, |most, contact| {
                let i = contact.particle();
                most.max((press.state.positions[i] - before[i]).norm() / 0.5)
            });
            let moved = center(&press) - at_first;
            println!(
                "{what} {method}: {creep:e} m/s, {:e}; {sweeps} {}",
                moved.norm(),
                press.work.iterations
            );
            assert!(!contacts.is_empty());
            assert!(creep < 1e-12, "{what} {method}: {creep:e} m/s");
            let held: f64 = contacts.iter().map(|contact| contact.friction.z).sum();
            assert!((held - 9.81).abs() < 1e-3, "{what} {method}: {held}");
            trusted(&press);
        }
    }
}

/// Particle on a slope that falls towards +x: way down the slope [m].
fn slope(method: &str, h: f64, mu: [f64; 2], gravity: [f64; 2], end: f64) -> (f64, Simulation) {
    let [sine, cosine] = gravity;
    let block = particle("[0, 0, 0]", "[0, 0, 0]");
    let world = format!("world.gravity = [{:e}, 0, {:e}]\n", sine, -cosine);
    let mut slide = exact(method, h, mu, &format!("{world}{block}{FLOOR}"));
    until(&mut slide, end);
    (slide.state.positions[0].x, slide)
}

#[test]
fn on_an_incline_what_holds_holds_and_what_slides_slides() {
    // 15 degrees, at rest: to rounding
    let a = radians(15.0);
    let (way, slide) = slope(SYMPLECTIC, 1e-3, [0.5; 2], [9.81 * sin(a), 9.81 * cos(a)], 2.0);
    assert!(way.abs() < 1e-16, "{way:e}");
    assert!(slide.state.memory.contacts[0].sticking);
    // tan = 1/2: the threshold
    let root = 5f64.sqrt();
    let g = [9.8 / root, 2.0 * 9.8 / root];
    for near in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (way, _) = slope(SYMPLECTIC, 1e-3, [0.5 + near; 2], g, 2.5);
        assert!(way.abs() < 1e-16, "{near:e}: {way:e}");
        let (way, _) = slope(SYMPLECTIC, 1e-3, [0.5 - near; 2], g, 2.5);
        let slides = 0.5 * g[1] * near * 2.5 * 2.5;
        assert!((way / slides - 1.0).abs() < 2e-3, "{near:e}: {way:e}, not {slides:e}");
    }
    // below it: 0.27392 m in 2.5 s, and h t a/2 of the method
    for h in [1e-2, 1e-3] {
        let (way, _) = slope(SYMPLECTIC, h, [0.49; 2], g, 2.5);
        let theory = 0.5 * g[1] * 0.01 * 6.25;
        assert!((theory - 0.27392).abs() < 5e-6);
        assert!((way - theory * (1.0 + h / 2.5)).abs() < 1e-10, "{way}, not {theory}");
        let (way, _) = slope("rk4", h, [0.49; 2], g, 2.5);
        assert!((way - theory).abs() < 1e-10, "{way}, not {theory}");
    }
}

/// What holds has μ_s, what slides μ_k, decided by the step before.
#[test]
fn static_friction_holds_and_kinetic_brakes() {
    let root = 5f64.sqrt();
    let g = [9.8 / root, 2.0 * 9.8 / root];
    let (way, _) = slope(SYMPLECTIC, 1e-3, [0.51, 0.4], g, 1.0);
    assert!(way.abs() < 1e-16, "{way:e}");
    // one step with the static coefficient, all others with the kinetic one
    let (way, _) = slope(SYMPLECTIC, 1e-3, [0.49, 0.4], g, 1.0);
    let (first, later) = (g[1] * 0.01, g[1] * 0.1);
    let discrete: f64 = (1..=1000).map(|n| 1e-6 * (first + later * f64::from(n - 1))).sum();
    assert!((way - discrete).abs() < 1e-12, "{way}, not {discrete}");
    // thrown uphill with μ_k it stops, and then is held by μ_s
    let thrown = format!(
        "world.gravity = [{:e}, 0, {:e}]\n{}{FLOOR}",
        g[0],
        -g[1],
        particle("[0, 0, 0]", "[-1, 0, 0]")
    );
    let mut slide = exact(SYMPLECTIC, 1e-4, [0.51, 0.3], &thrown);
    until(&mut slide, 1.0);
    let theory = -1.0 / (2.0 * (g[0] + 0.3 * g[1]));
    let way = slide.state.positions[0].x;
    assert!((way - theory).abs() < 1e-4, "{way}, not {theory}");
    assert_eq!(slide.state.memory.contacts.len(), 1);
    trusted(&slide);
}

/// The laws of penalty contact tend to this one: what holds creeps at ε F/(μ N), what sticks and slips
/// on a shaken table goes another way by as much.
#[test]
fn it_is_the_limit_of_the_threshold_law() {
    let incline = |keys: &str| {
        let (sine, cosine) = (sin(radians(15.0)), cos(radians(15.0)));
        let world = format!("world.gravity = [{:e}, 0, {:e}]\n", 9.81 * sine, -9.81 * cosine);
        let at = if keys.contains("exact") { 0.0 } else { -9.81 * cosine / 1e5 };
        let block = particle(&format!("[0, 0, {at:e}]"), "[0, 0, 0]");
        let h = if keys.contains("exact") { 5e-6 } else { 2e-5 };
        let mut slide = contact(keys, "rk4", h, [0.5; 2], &format!("{world}{block}{FLOOR}"));
        until(&mut slide, 1.0);
        slide.state.positions[0].x
    };
    let shaken = |keys: &str| {
        let table = "[[collider]]\nname = \"table\"\nshape = { plane = {} }\nmotion.oscillate = { direction = [1, 0, 0], amplitude = 0.1, frequency = 1.3 }\n";
        let at = if keys.contains("exact") { 0.0 } else { -9.81 / 1e5 };
        let block = particle(&format!("[0, 0, {at:e}]"), "[0, 0, 0]");
        let push = "[[push]]\nbody = \"block\"\nforce = [0.3, 0, 0]\n";
        let h = if keys.contains("exact") { 5e-6 } else { 2e-5 };
        let mut slide = contact(keys, "rk4", h, [0.5; 2], &format!("{block}{table}{push}"));
        until(&mut slide, 1.0);
        slide.state.positions[0].x
    };
    for (what, run) in [("held", &incline as &dyn Fn(&str) -> f64), ("shaken", &shaken)] {
        let limit = run("method = \"exact\"");
        let error = |epsilon: f64| {
            let laws = format!(
                "normal = {{ law = \"linear\", stiffness = 1e5, damping = 200 }}, friction = {{ law = \"threshold\", epsilon = {epsilon:e} }}"
            );
            run(&laws) - limit
        };
        let errors: Vec<f64> = [4e-3, 2e-3, 1e-3].map(error).to_vec();
        println!("{what}: {limit}, {errors:?}");
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((ratio - 2.0).abs() < 0.25, "{what}: {errors:?}");
        }
    }
}

#[test]
fn bounces_return_the_coefficient_of_restitution() {
    for e in [0.3, 0.5, 0.9, 1.0] {
        for method in ["symplectic-euler", "rk4"] {
            let h = 1e-4;
            let mut ball = simulation(&format!(
                "format = 1
                time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
                integrator.method = \"{method}\"
                world.gravity = [0, 0, 0]
                materials.rubber = {{ static_friction = 0.5, restitution = {e:e} }}
                contact.method = \"exact\"
                {}{FLOOR}",
                particle("[0, 0, 0.50003]", "[0, 0, -3]")
            ));
            until(&mut ball, 0.5);
            let v = ball.state.velocities[0].z;
            assert!((v - 3.0 * e).abs() < 1e-12, "{method}, {e}: {v}");
        }
    }
    // dropped: the apex after the first bounce, e² of the height
    for method in ["symplectic-euler", "rk4"] {
        let h = 1e-5;
        let mut ball = simulation(&format!(
            "format = 1
            time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
            integrator.method = \"{method}\"
            world.gravity = [0, 0, -9.81]
            materials.rubber = {{ static_friction = 0.5, restitution = 0.7 }}
            contact.method = \"exact\"
            {}{FLOOR}",
            particle("[0, 0, 1]", "[0, 0, 0]")
        ));
        let (mut apex, mut landed) = (0.0f64, false);
        for _ in 0..110_000 {
            ball.advance().expect("a step");
            landed |= ball.state.velocities[0].z > 0.0;
            if landed {
                apex = apex.max(ball.state.positions[0].z);
            }
        }
        let e = apex.sqrt();
        println!("{method}: e = {e}");
        assert!((e - 0.7).abs() < 0.0007, "{method}: {e}");
        trusted(&ball);
    }
}

/// A box 0.6 m wide, pushed at a height, with 1.05 times the force that tips or moves it: whether it
/// tips.
fn tips(kind: &str, mu: f64, height: f64) -> bool {
    let h = 1e-3;
    let weight = 9.81;
    let least = (mu * weight).min(weight * 0.6 / (2.0 * height));
    let force = 1.002 * least;
    let mut pushed = exact(
        SYMPLECTIC,
        h,
        [mu; 2],
        &format!(
            "world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
        [[body]]
        name = \"box\"
        mass = 1.0
        shape = {{ lattice = {{ counts = [7, 1, 17], spacing = 0.1 }} }}
        {kind}
        {FLOOR}
        [[push]]
        body = \"box\"
        where.nearest = [-0.3, 0, {height}]
        force = [{force:e}, 0, 0]
        ramp = 0.5
        "
        ),
    );
    let start = pushed.state.positions.clone();
    for _ in 0..(6.0 / h) as usize {
        pushed.advance().unwrap_or_else(|e| panic!("{}", e.describe(&pushed.model)));
        let x = &pushed.state.positions;
        // the lower corner on the side of the push
        if x[0].z > 0.05 {
            trusted(&pushed);
            return true;
        }
        if x[0].x - start[0].x > 0.05 {
            trusted(&pushed);
            return false;
        }
    }
    panic!("neither, at mu = {mu}, height = {height}: {}", pushed.state.positions[0] - start[0]);
}

#[test]
fn a_rigid_box_tips_where_statics_says() {
    for height in [0.6, 1.0] {
        let threshold = 0.6 / (2.0 * height);
        for share in [0.99, 0.995, 1.005, 1.01] {
            let tipped = tips(RIGID, share * threshold, height);
            println!("{height} {share}: {tipped}");
            assert_eq!(tipped, share > 1.0, "{share} of the threshold at {height} m");
        }
    }
}

/// A rod of 1 m and 1 kg that leans towards +x and slides on the floor.
fn rod(angle: f64, mu: f64, speed: f64) -> Simulation {
    let a = radians(angle);
    // evenly massive along its length, as nearly as eleven particles are
    let points: Vec<String> = (0..=40)
        .map(|k| {
            let r = f64::from(k) / 40.0;
            format!("[{:e}, 0, {:e}]", r * cos(a), r * sin(a))
        })
        .collect();
    exact(
        SYMPLECTIC,
        1e-4,
        [mu; 2],
        &format!(
            "world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
        [[body]]
        name = \"rod\"
        mass = 1.0
        rigid = true
        shape = {{ points = {{ positions = [{}] }} }}
        velocity = [{speed}, 0, 0]
        {FLOOR}",
            points.join(", ")
        ),
    )
}

#[test]
fn painleves_rod_ends_with_an_error_that_says_so() {
    // 1 + 3 cos θ (cos θ − μ sin θ) < 0 where it slides away from its upper end
    let inertia = |n: f64| (n + 1.0) / (12.0 * (n - 1.0));
    let mobility = |angle: f64, mu: f64| {
        let (s, c) = (sin(radians(angle)), cos(radians(angle)));
        1.0 + 0.25 / inertia(41.0) * c * (c - mu * s)
    };
    let (angle, mu) = (55.0, 2.0);
    assert!(mobility(angle, mu) < 0.0, "{}", mobility(angle, mu));
    let mut paradox = rod(angle, mu, -2.0);
    let error = (0..100).find_map(|_| paradox.advance().err()).expect("the paradox");
    println!("{}; {}", error.describe(&paradox.model), error.remedy().expect("a remedy"));
    match error.cause {
        StepError::Painleve { particle, friction, mobility: found, .. } => {
            assert_eq!((particle, friction), (0, mu));
            assert!((found - mobility(angle, mu)).abs() < 1e-2, "{found}, {}", mobility(angle, mu));
        }
        other => panic!("{other}"),
    }
    // the other way it slides, and with less friction too
    for (mu, speed) in [(mu, 2.0), (1.0, -2.0)] {
        let mut fine = rod(angle, mu, speed);
        until(&mut fine, 0.01);
    }
}

#[test]
fn what_is_crushed_between_walls_ends_with_an_error_that_says_so() {
    for solver in ["gauss-seidel", "conic"] {
        for body in [
            particle("[0, 0, 0]", "[0, 0, 0]") + "radius = 0.1\n",
            lattice(RIGID, "[0, 0, -0.1]", "[0, 0, 0]"),
        ] {
            let walls = "
                [[collider]]
                name = \"left\"
                shape = { plane = { normal = [1, 0, 0], point = [-0.21, 0, 0] } }
                motion.velocity = [0.1, 0, 0]
                [[collider]]
                name = \"right\"
                shape = { plane = { normal = [-1, 0, 0], point = [0.21, 0, 0] } }
                motion.velocity = [-0.2, 0, 0]
                ";
            let keys = format!("method = \"exact\", solver = \"{solver}\"");
            let mut crushed = contact(&keys, SYMPLECTIC, 1e-3, [0.5; 2], &format!("{body}{walls}"));
            let error = (0..1000).find_map(|_| crushed.advance().err()).expect("a crush");
            println!("{}", error.describe(&crushed.model));
            let StepError::ContactsUnsolved { cause, residual, .. } = error.cause.clone() else {
                panic!("{error}");
            };
            assert_eq!(cause, ContactsUnsolved::Infeasible, "{solver}");
            assert!(error.remedy().is_some_and(|remedy| remedy.contains("give way")));
            assert!(residual > 0.01);
        }
    }
}

/// The first steps of a scene of the library under exact contact; a text where it is refused.
fn first_steps(
    path: &Path,
    contact: &str,
    method: &str,
) -> Result<Result<(), SimulationError>, String> {
    let set = [format!("contact.method={contact}"), format!("integrator.method={method}")];
    let options = LoadOptions { set: set.to_vec(), ..LoadOptions::default() };
    let loaded = load(path, &options).map_err(|errors| errors.render(false))?;
    let built = build(&loaded.scene, &BuildOptions::default()).map_err(|e| e.to_string())?;
    let step = loaded.scene.time.step;
    let mut run =
        Simulation::with_method(built.model, built.state, built.integrator, built.method, step);
    let steps = (0.03 / step).min(1000.0) as u64;
    Ok((0..steps).try_for_each(|_| run.advance()))
}

#[test]
fn scenes_of_the_library_run_or_say_why_not() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the folder of scenes");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let jobs: Vec<(&PathBuf, &str)> =
        paths.iter().flat_map(|path| [(path, SYMPLECTIC), (path, "rk4")]).collect();
    let outcomes: Vec<_> =
        jobs.par_iter().map(|(path, method)| first_steps(path, "exact", method)).collect();
    let (mut ran, mut faults) = (0, Vec::new());
    for ((path, method), outcome) in jobs.iter().zip(outcomes) {
        let name = path.file_name().expect("a file").display();
        println!("{name}, {method}: {outcome:?}");
        match outcome {
            Ok(Ok(())) => ran += 1,
            // what exact contact cannot do
            Err(why) if why.contains("adhesion") || why.contains("does not go with `rk4`") => {}
            // too large a step for its springs, whatever contact does
            Ok(Err(SimulationError { cause: StepError::BlownUp { .. }, .. }))
                if matches!(first_steps(path, "penalty", method), Ok(Err(_))) => {}
            // boxes on boards that begin to turn under them: the sweeps do not settle, and say so
            Ok(Err(SimulationError { cause: StepError::ContactsUnsolved { .. }, .. }))
                if path.ends_with("rigid_ramp.toml") => {}
            other => faults.push(format!("{name}, {method}: {other:?}")),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(ran > 60, "{ran} of {}", jobs.len());
}

#[test]
fn scenes_that_end_with_an_error_do_so() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/failing/painleve_rod.toml");
    let error = first_steps(&path, "exact", SYMPLECTIC).expect("a scene").expect_err("the paradox");
    assert!(matches!(error.cause, StepError::Painleve { .. }), "{error}");
}

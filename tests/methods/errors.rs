//! Every way in which a step can fail, each from a run of a scene: the message says what failed,
//! where, when, and what to do.

use crate::support::simulation;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use stiction_core::contact::friction::{FrictionLaw, Slip, SlipJacobian};
use stiction_core::halt::Halt;
use stiction_core::linear::LinearError;
use stiction_core::math::{Matrix, Vector, sqrt};
use stiction_core::simulation::{Simulation, SimulationError};
use stiction_core::state::memory::Coefficients;
use stiction_core::step_error::{ContactsUnsolved, StepError};

/// The variant of an error, with its cause where it has one. No other arm: a new variant does not
/// compile before it has a name here, and fails below before a run makes it.
fn variant(error: &StepError) -> &'static str {
    match error {
        StepError::BlownUp { .. } => "BlownUp",
        StepError::Undefined { .. } => "Undefined",
        StepError::NewtonDiverged { .. } => "NewtonDiverged",
        StepError::Unsolved { cause, .. } => match cause {
            LinearError::Singular => "Unsolved Singular",
            LinearError::Indefinite => "Unsolved Indefinite",
            LinearError::Stagnated { .. } => "Unsolved Stagnated",
            LinearError::OutOfMemory { .. } => "Unsolved OutOfMemory",
        },
        StepError::ContactsUnsolved { cause, .. } => match cause {
            ContactsUnsolved::NotConverged => "ContactsUnsolved NotConverged",
            ContactsUnsolved::Infeasible => "ContactsUnsolved Infeasible",
        },
        StepError::Painleve { .. } => "Painleve",
        StepError::Stopped => "Stopped",
        StepError::StepUnderflow { .. } => "StepUnderflow",
        StepError::TooManySubsteps { .. } => "TooManySubsteps",
    }
}

/// The names of the variants of an enum, from its source.
fn variants_of(source: &str, name: &str) -> Vec<String> {
    let from = source.split(&format!("pub enum {name} {{\n")).nth(1).expect("the enum");
    let body = from.split("\n}\n").next().expect("its end");
    let names = body.lines().filter_map(|line| line.strip_prefix("    "));
    names
        .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
        .map(|line| line.trim_end_matches([' ', '{', ',']).to_string())
        .collect()
}

/// All variants, as [`variant`] names them.
fn all() -> BTreeSet<String> {
    let steps = include_str!("../../crates/core/src/step_error.rs");
    let linear = variants_of(include_str!("../../crates/core/src/linear/mod.rs"), "LinearError");
    let contacts = variants_of(steps, "ContactsUnsolved");
    let with = |name: &str, causes: &[String]| -> Vec<String> {
        causes.iter().map(|cause| format!("{name} {cause}")).collect()
    };
    let names = variants_of(steps, "StepError").into_iter().flat_map(|name| match &name[..] {
        "Unsolved" => with(&name, &linear),
        "ContactsUnsolved" => with(&name, &contacts),
        _ => vec![name],
    });
    names.collect()
}

/// A scene of a method, a step, and the rest.
fn scene(method: &str, h: f64, rest: &str) -> String {
    let gravity = if rest.contains("world.gravity") { "" } else { "world.gravity = [0, 0, -9.81]" };
    format!(
        "format = 1
        {gravity}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator = {{ method = {method} }}
        materials.wood = {{ static_friction = 0.5 }}
        {rest}"
    )
}

/// The error with which a run ends, at the step after its last good state.
fn failure(text: &str) -> (Simulation, SimulationError) {
    let mut run = simulation(text);
    for _ in 0..2000 {
        let before = run.state.clone();
        if let Err(error) = run.advance() {
            assert_eq!(run.state, before, "{error}");
            assert_eq!(error.last_good, run.state.time, "{error}");
            return (run, error);
        }
    }
    panic!("no error in\n{text}");
}

const FLOOR: &str = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";
const LAWS: &str = "[contact]
    normal = { law = \"linear\", stiffness = 1e4, damping = 10 }
    friction = { law = \"threshold\", epsilon = 1e-2 }
    ";

fn stone(mass: f64, keys: &str) -> String {
    format!("[[body]]\nname = \"stone\"\nmass = {mass:e}\nshape = {{ particle = {{}} }}\n{keys}\n")
}

/// Two particles joined by a spring, the first pinned.
fn pair(stiffness: f64) -> String {
    format!(
        "[[body]]
        name = \"pair\"
        mass = 1
        shape = {{ points = {{ positions = [[0, 0, 0], [0.1, 0, 0]], links = [[0, 1]] }} }}
        springs = {{ edge = {{ stiffness = {stiffness:e} }} }}
        [[pin]]
        body = \"pair\"
        where = {{ particles = [0] }}
        "
    )
}

/// A rigid box that slides and turns on the floor.
fn sliding(contact: &str) -> String {
    format!(
        "[contact]
        {contact}
        [[body]]
        name = \"box\"
        mass = 1
        rigid = true
        shape = {{ lattice = {{ counts = [3, 3, 2], spacing = 0.1 }} }}
        velocity = [1, 0.3, 0]
        spin = [0, 0, 3]
        {FLOOR}"
    )
}

/// A particle between walls that close in.
fn crushed(contact: &str) -> String {
    let wall = |name: &str, side: f64| {
        format!(
            "[[collider]]
            name = \"{name}\"
            shape = {{ plane = {{ normal = [{:e}, 0, 0], point = [{:e}, 0, 0] }} }}
            motion.velocity = [{:e}, 0, 0]
            ",
            -side,
            0.11 * side,
            -0.2 * side
        )
    };
    let walls = wall("left", -1.0) + &wall("right", 1.0);
    format!(
        "world.gravity = [0, 0, 0]\n[contact]\n{contact}\n{}{walls}",
        stone(1.0, "radius = 0.1")
    )
}

/// A floor that lifts a pinned particle.
fn lifted(contact: &str) -> String {
    let pinned = stone(1.0, "position = [0, 0, 0.01]");
    format!(
        "[contact]\n{contact}\n{pinned}[[pin]]\nbody = \"stone\"\naxes = \"z\"\n{FLOOR}motion = {{ velocity = [0, 0, 1] }}\n"
    )
}

/// Scenes that fail, and how.
fn cases() -> Vec<(&'static str, String)> {
    let symplectic = "\"symplectic-euler\"";
    let with_laws = |method: &str, h: f64, rest: &str| {
        // keys of the top level come before tables
        match rest.strip_prefix("world.gravity = [-9.81, 0, 0]\n") {
            Some(rest) => scene(method, h, &format!("world.gravity = [-9.81, 0, 0]\n{LAWS}{rest}")),
            None => scene(method, h, &format!("{LAWS}{rest}")),
        }
    };
    let mut cases = Vec::new();
    // a force beyond all numbers, under each kind of method
    let pushed = stone(1.0, "")
        + "[[push]]\nbody = \"stone\"\nforce = [1e15, 0, 0]\nfactor = { formula = \"1e300 * (1 + t)\" }\n";
    for method in ["symplectic-euler", "rk45", "dopri5", "implicit-euler", "imex"] {
        cases.push(("BlownUp", with_laws(&format!("\"{method}\""), 1e-3, &pushed)));
    }
    let exact = format!("[contact]\nmethod = \"exact\"\n{pushed}{FLOOR}");
    cases.push(("BlownUp", scene(symplectic, 1e-3, &exact)));
    // a force that grows after some steps, under methods that keep what was before
    let grows = "[contact]
        normal = { law = \"linear\", stiffness = 1e4, damping = 10 }
        friction = { law = \"cundall-strack\", stiffness = 1e4, damping = 10 }
        [[push]]
        body = \"stone\"
        force = [1, 0, 0]
        factor = { formula = \"exp(1e5 * (t - 0.0055))\" }
        "
    .to_string()
        + &stone(1.0, "position = [0, 0, -9.81e-4]")
        + FLOOR;
    for method in ["adams-bashforth-2", "bdf2", "rk4", "heun"] {
        cases.push(("BlownUp", scene(&format!("\"{method}\""), 1e-3, &grows)));
    }
    for method in ["rk4", "heun"] {
        let carried = grows.replace("[contact]", "[contact]\n        stretch = \"state\"");
        cases.push(("BlownUp", scene(&format!("\"{method}\""), 1e-3, &carried)));
    }
    // a spring far too stiff for its step
    let shaken = format!("{}[[push]]\nbody = \"pair\"\nforce = [1, 0, 0]\n", pair(1e9));
    cases.push(("BlownUp", with_laws(symplectic, 1.0, &shaken)));
    // and of so many particles that their forces are cleared as they move
    let many = "[[body]]
        name = \"box\"
        mass = 1
        shape = { lattice = { counts = [26, 26, 26], spacing = 0.1 } }
        springs = { edge = { stiffness = 1e9 } }
        [[pin]]
        body = \"box\"
        where = { particles = [0] }
        ";
    cases.push(("BlownUp", with_laws(symplectic, 1e-2, many)));
    let timed = |formula: &str| {
        stone(1.0, "")
            + &format!(
                "[[push]]\nbody = \"stone\"\nforce = [1, 0, 0]\nfactor = {{ formula = \"{formula}\" }}\n"
            )
    };
    cases.push(("Undefined", with_laws("\"rk4\"", 0.02, &timed("sqrt(0.05 - t)"))));
    let once = "\"implicit-euler\", max_iterations = 1, newton_tolerance = 1e-14";
    cases.push(("NewtonDiverged", with_laws(once, 1.0, &pair(1e5))));
    // friction that falls with the slip outweighs the inertia of the mass, however often the step
    // is halved
    let falling = format!(
        "[contact]
        normal = {{ law = \"linear\", stiffness = 1e4, damping = 10 }}
        friction = {{ law = \"stribeck\", epsilon = 1e-3, stribeck_speed = 1e-2 }}
        {}{FLOOR}",
        stone(1.0, "position = [0, 0, -9.81e-4]\nvelocity = [0.01, 0, 0]")
    );
    for solver in ["pcg", "sparse-cholesky"] {
        let method = format!("\"implicit-euler\", linear_solver = \"{solver}\"");
        let text = scene(&method, 10.0, &falling);
        let steep = "static_friction = 1.5, kinetic_friction = 0.1";
        cases.push(("Unsolved Indefinite", text.replace("static_friction = 0.5", steep)));
    }
    // a rope so long that conjugate gradients do not reach its end
    let rope = "[[body]]
        name = \"rope\"
        mass = 1
        shape = { rope = { from = [0, 0, 0], to = [0, 0, -9], segments = 5000 } }
        springs = { edge = { stiffness = 1e12 } }
        [[pin]]
        body = \"rope\"
        where = { particles = [0] }
        ";
    let pcg = "\"implicit-euler\", linear_solver = \"pcg\"";
    cases.push(("Unsolved Stagnated", with_laws(pcg, 1.0, rope)));
    for contact in [
        "method = \"exact\"\nmax_iterations = 1",
        "method = \"exact\"\nsolver = \"conic\"\nmax_iterations = 1",
        "method = \"impulse\"\niterations = 1",
    ] {
        cases.push(("ContactsUnsolved NotConverged", scene(symplectic, 1e-3, &sliding(contact))));
    }
    for contact in ["method = \"exact\"", "method = \"exact\"\nsolver = \"conic\""] {
        cases.push(("ContactsUnsolved Infeasible", scene(symplectic, 1e-3, &crushed(contact))));
    }
    let lifted = lifted("method = \"impulse\"");
    cases.push(("ContactsUnsolved Infeasible", scene(symplectic, 1e-3, &lifted)));
    cases.push(("Painleve", include_str!("../../scenes/failing/painleve_rod.toml").to_string()));
    // a force without bound at a time inside a step
    let steep = timed("1/(0.0501234567 - t)^2");
    // a spring whose period is less than a millionth of the step
    let shaking = format!("world.gravity = [-9.81, 0, 0]\n{}", pair(1e14));
    for method in ["\"rk45\"", "\"dopri5\""] {
        cases.push(("StepUnderflow", with_laws(method, 0.02, &steep)));
        cases.push(("TooManySubsteps", with_laws(method, 1.0, &shaking)));
    }
    cases.push(("TooManySubsteps", with_laws("\"dop853\"", 1.0, &shaking)));
    cases
}

/// A law of a user whose slope at rest has no bound, F = −μ_s N √s along the slip, s in m/s.
struct SteepAtRest;

impl FrictionLaw for SteepAtRest {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let s = slip.velocity.norm();
        let size = pair.static_friction * slip.normal_force;
        if s > 0.0 { slip.velocity * (-size / sqrt(s)) } else { Vector::zeros() }
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let size = pair.static_friction * slip.normal_force;
        let chord = -size / sqrt(slip.velocity.norm());
        SlipJacobian {
            by_displacement: Matrix::zeros(),
            by_velocity: Matrix::from_diagonal_element(chord),
            by_normal_force: Vector::zeros(),
        }
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity.norm() == 0.0
    }

    fn damping(&self, _slip: &Slip, _pair: &Coefficients) -> f64 {
        f64::INFINITY
    }

    fn creep(&self, _: f64, _: f64, _: &Coefficients) -> Option<f64> {
        None
    }
}

/// A pushed block at rest under that law. With μ_s > μ_k Newton's method starts at the velocity of the start.
fn steep_at_rest(method: &str, solver: &str) -> (Simulation, SimulationError) {
    let block = stone(1.0, "position = [0, 0, -9.81e-4]");
    let push = "[[push]]\nbody = \"stone\"\nforce = [1, 0, 0]\n";
    let method = format!("\"{method}\", linear_solver = \"{solver}\"");
    let text = scene(&method, 1e-3, &format!("{LAWS}{block}{push}{FLOOR}"));
    let text =
        text.replace("static_friction = 0.5", "static_friction = 0.5, kinetic_friction = 0.4");
    let mut run = simulation(&text);
    let model = std::sync::Arc::get_mut(&mut run.model).expect("nobody shares it yet");
    model.laws.as_mut().expect("contact is a force").friction = Box::new(SteepAtRest);
    let error = run.advance().expect_err("no matrix");
    (run, error)
}

/// Words of a message that say where: a body or the load, by name.
const PLACES: [&str; 7] = ["`stone`", "`pair`", "`rope`", "`box`", "`rod`", "push", "substeps"];

#[test]
fn every_error_arises_from_a_run_and_says_what_it_is() {
    let mut reached = BTreeSet::from([lack_of_memory(), stopped()]);
    let mut failures: Vec<_> =
        cases().into_iter().map(|(expected, text)| (expected, failure(&text), text)).collect();
    for method in ["implicit-euler", "imex"] {
        for solver in ["sparse-lu", "bicgstab"] {
            let failure = steep_at_rest(method, solver);
            failures.push(("Unsolved Singular", failure, format!("{method}, {solver}")));
        }
    }
    for (expected, (run, error), text) in failures {
        let said = error.describe(&run.model);
        println!("{expected}: {said}; {:?}", error.remedy());
        assert_eq!(variant(&error.cause), expected, "{said}\n{text}");
        assert!(said.contains("t = "), "when: {said}");
        assert!(said.contains("last good state"), "{said}");
        assert!(
            PLACES.iter().any(|place| said.contains(place)) || expected == "StepUnderflow",
            "where: {said}"
        );
        reached.insert(expected.to_string());
    }
    let all = all();
    assert!(all.len() >= 12, "{all:?}");
    assert_eq!(reached, all);
}

/// Methods that iterate leave a step when a stop is requested, with the state of its start.
fn stopped() -> String {
    let mut names = BTreeSet::new();
    for method in ["implicit-euler", "bdf2", "rk45"] {
        let mut run =
            simulation(&scene(&format!("\"{method}\""), 1e-3, &format!("{LAWS}{}", pair(1e5))));
        let model = std::sync::Arc::get_mut(&mut run.model).expect("nobody shares it yet");
        model.halt = Halt::at(std::sync::Arc::new(AtomicBool::new(true)));
        let before = run.state.clone();
        let error = run.advance().expect_err("it was stopped");
        assert_eq!(run.state, before, "{method}");
        names.insert(variant(&error.cause).to_string());
    }
    assert_eq!(names.len(), 1, "{names:?}");
    names.pop_first().expect("a name")
}

/// Set in the process that runs short of memory.
const SHORT: &str = "STICTION_TEST_SHORT_OF_MEMORY";

/// A run that was built while there was memory, and takes its first step when there is none for its
/// factors: in a process of its own, whose limit is lowered in between.
#[cfg(target_os = "linux")]
fn lack_of_memory() -> String {
    let test = "errors::a_step_short_of_memory";
    let output = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test, "--nocapture"])
        .env(SHORT, "1")
        .output()
        .expect("a process");
    let said = String::from_utf8_lossy(&output.stdout);
    let variant = said.lines().find_map(|line| line.strip_prefix("short of memory: "));
    variant
        .unwrap_or_else(|| panic!("{said}{}", String::from_utf8_lossy(&output.stderr)))
        .to_string()
}

#[cfg(not(target_os = "linux"))]
fn lack_of_memory() -> String {
    "Unsolved OutOfMemory".to_string()
}

/// The part of [`lack_of_memory`] in the process of its own; elsewhere nothing.
#[test]
fn a_step_short_of_memory() {
    if std::env::var_os(SHORT).is_none() {
        return;
    }
    let cloth = format!(
        "{LAWS}[[body]]
        name = \"cloth\"
        mass = 1
        shape = {{ cloth = {{ counts = [100, 100], spacing = 0.01 }} }}
        springs = {{ edge = {{ stiffness = 500 }}, face_diagonal = {{ stiffness = 500 }} }}
        position = [0, 0, 1]
        "
    );
    let method = "\"implicit-euler\", linear_solver = \"sparse-lu\"";
    let mut run = simulation(&scene(method, 1e-3, &cloth));
    let status = std::fs::read_to_string("/proc/self/status").expect("its memory");
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).expect("a size");
    let kib: u64 = size.trim().trim_end_matches(" kB").parse().expect("a number");
    let limit = format!("--as={}", (kib << 10) + (24 << 20));
    let lowered = std::process::Command::new("prlimit")
        .args(["--pid", &std::process::id().to_string(), &limit])
        .status();
    assert!(lowered.expect("prlimit").success());
    let error = run.advance().expect_err("no memory");
    let said = error.describe(&run.model);
    assert!(said.contains("MiB of memory"), "{said}");
    assert!(error.remedy().is_some_and(|remedy| remedy.contains("pcg")), "{said}");
    println!("\nshort of memory: {}", variant(&error.cause));
}

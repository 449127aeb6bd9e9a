//! An integrator, a collider and a measure of one's own, by name in a scene: if they do the same as
//! those of the program, every bit is the same.

use std::path::Path;
use stiction::run::{Run, Unobserved};
use stiction::scene::build::BuildOptions;
use stiction::scene::diagnostics::SceneErrors;
use stiction::scene::{LoadOptions, load_text};
use stiction::{
    COLLIDERS, Capabilities, Entry, Gap, INTEGRATORS, Integrator, MEASURES, MeasureKind, Model,
    RegistrationError, Shape, State, StepError, StepReport, Vector,
};

/// Another method under a name of its own.
struct Renamed(Box<dyn Integrator>);

impl Integrator for Renamed {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        self.0.step(model, state, h)
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }
}

/// The half-space z < 0.
struct Ground;

impl Shape for Ground {
    fn gap(&self, p: Vector) -> Gap {
        Gap { distance: p.z, normal: Vector::z() }
    }

    fn center(&self) -> Vector {
        Vector::zeros()
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }
}

const SCENE: &str = r#"
format = 1
[time]
end = 0.2
step = 1e-4
output = 0.01
[integrator]
method = "METHOD"
[materials.wood]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 1e5, damping = 200 }
friction = { law = "threshold", epsilon = 1e-3 }
[[body]]
name = "block"
mass = 1.0
shape = { particle = {} }
position = [0, 0, 0.01]
velocity = [1, 0, 0]
[[collider]]
name = "floor"
shape = { GROUND = {} }
[[measure]]
name = "height"
kind = HEIGHT
body = "block"
[expect]
height = { at = "max", value = 0.01, tolerance = 1e-3 }
"#;

/// The hash of the last state, and the greatest height that was measured \[m\].
fn run(method: &str, ground: &str, height: &str) -> Result<(u64, f64), SceneErrors> {
    let text = SCENE.replace("METHOD", method).replace("GROUND", ground).replace("HEIGHT", height);
    let loaded = load_text("thrown", &text, Path::new("."), &LoadOptions::default())?;
    let mut run = Run::new(&loaded.scene, &BuildOptions::default()).expect("a run");
    let outcome = run.finish_with(&mut Unobserved, &|| false).expect("an outcome");
    Ok((outcome.state_hash, outcome.checked[0].measured.expect("a height")))
}

#[test]
fn what_is_registered_runs_by_its_name() {
    let own = ["my-rk4", "my-ground", "\"my-height\""];
    let unknown = run(own[0], own[1], own[2]).expect_err("nobody has registered them");
    assert_eq!(unknown.count(), 3, "{unknown}");

    let rk4 = |name| {
        Entry::<dyn Integrator>::new(name, "rk4 by another name", |_| {
            Ok(Box::new(Renamed(INTEGRATORS.find("rk4").expect("a row").from_defaults()?)))
        })
    };
    INTEGRATORS.register(rk4("my-rk4")).expect("a new name");
    let taken = RegistrationError::Taken { what: "integrator", name: "my-rk4" };
    assert_eq!(INTEGRATORS.register(rk4("my-rk4")).map(|row| row.name), Err(taken));
    let ground =
        Entry::<dyn Shape>::new("my-ground", "what is below z = 0", |_| Ok(Box::new(Ground)));
    COLLIDERS.register(ground).expect("a new name");
    let height = MeasureKind::number("my-height", "m", "height of the centre of mass", |scope| {
        Vector::x() * scope.mean(&scope.state.positions).z
    });
    MEASURES.register(height).expect("a new name");

    let theirs = run("rk4", "plane", "\"position\"\ndirection = [0, 0, 1]").expect("a scene");
    assert_eq!(run(own[0], own[1], own[2]).expect("a scene"), theirs);
}

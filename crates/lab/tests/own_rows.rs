//! Laws and methods that a program registers are treated by their properties, as those of the crate
//! are: in exports, in the grid of a search, in validation. These tests have a process of their
//! own, since rows stay registered.

use std::path::Path;
use std::sync::Once;
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionForm, FrictionLaw, Slip, threshold};
use stiction_core::integrators::{
    Capabilities, INTEGRATORS, Integrator, StepReport, implicit_euler, rk4,
};
use stiction_core::math::Vector;
use stiction_core::model::Model;
use stiction_core::registry::{Entry, Fallback, Key, Kind, Range};
use stiction_core::state::State;
use stiction_core::state::memory::Coefficients;
use stiction_core::step_error::StepError;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::tune::SearchGrid;
use stiction_lab::output::exports::{lammps, mjcf};
use stiction_lab::validation::{CaseGap, CasePlan, RigSetting};

const EPSILON: Key = stiction_core::contact::friction::ramp::EPSILON;

const STIFFNESS: Key = Key {
    name: "stiffness",
    kind: Kind::Number { unit: "N/m", range: Range::Positive },
    default: Fallback::Required,
    about: "k",
};

const DAMPING: Key = Key { name: "damping", default: Fallback::Number(0.0), ..STIFFNESS };

/// The threshold law with a form of its own, with or without a place in searches and a creep speed.
struct Own {
    law: Box<dyn FrictionLaw>,
    form: FrictionForm,
    suits_search: bool,
    creeps: bool,
}

impl FrictionLaw for Own {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        self.law.force(slip, pair)
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        self.law.sticks(slip, pair)
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        self.law.damping(slip, pair)
    }

    fn creep(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        self.law.creep(load_ratio, normal_force, pair).filter(|_| self.creeps)
    }

    fn has_memory(&self) -> bool {
        matches!(self.form, FrictionForm::CappedSpring { .. })
    }

    fn form(&self) -> FrictionForm {
        self.form
    }

    fn suits_search(&self) -> bool {
        self.suits_search
    }
}

fn own(form: FrictionForm, suits_search: bool, creeps: bool) -> Box<dyn FrictionLaw> {
    let law = threshold::ENTRY.from_defaults().expect("a law");
    Box::new(Own { law, form, suits_search, creeps })
}

/// An integrator under another name, and whether it suits a search.
struct Renamed(Box<dyn Integrator>, bool);

impl Integrator for Renamed {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        self.0.step(model, state, h)
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    fn suits_search(&self) -> bool {
        self.1
    }
}

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let law =
            |name, make| FRICTION_LAWS.register(Entry::new(name, "", make).with_keys(&[EPSILON]));
        law("own-cone", |_| Ok(own(FrictionForm::Coulomb, true, true))).expect("a new name");
        law("own-formula", |_| Ok(own(FrictionForm::Own, false, true))).expect("a new name");
        law("own-slider", |_| Ok(own(FrictionForm::Coulomb, false, false))).expect("a new name");
        let spring = Entry::<dyn FrictionLaw>::new("own-spring", "", |values| {
            let (stiffness, damping) = (values.number("stiffness"), values.number("damping"));
            Ok(own(FrictionForm::CappedSpring { stiffness, damping }, true, true))
        });
        FRICTION_LAWS.register(spring.with_keys(&[STIFFNESS, DAMPING])).expect("a new name");
        let method = |name, make| INTEGRATORS.register(Entry::new(name, "", make));
        method("own-rk4", |_| Ok(Box::new(Renamed(rk4::ENTRY.from_defaults()?, true))))
            .expect("a new name");
        method("own-implicit", |_| {
            Ok(Box::new(Renamed(implicit_euler::ENTRY.from_defaults()?, false)))
        })
        .expect("a new name");
    });
}

fn base(law: &str) -> Base {
    let text = format!(
        "format = 1
        time = {{ end = 0.1, step = 1e-4, output = 0.01 }}
        integrator.method = \"velocity-verlet\"
        materials.wood.static_friction = 0.5
        [contact]
        normal = {{ stiffness = 1e5, damping = 200 }}
        friction = {{ {law} }}
        [[body]]
        name = \"block\"
        mass = 1.0
        radius = 0.05
        shape.particle = {{}}
        position = [0, 0, 0.05]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    );
    Base::bytes("own.toml", text.as_bytes(), Path::new("."))
}

/// The exports to MJCF and LAMMPS, or their refusals.
fn exported(law: &str) -> [Result<String, String>; 2] {
    let base = base(law);
    let scene = base.load(&[]).unwrap_or_else(|errors| panic!("{errors}")).scene;
    let built = base.build(&scene).unwrap_or_else(|errors| panic!("{errors}"));
    let script = lammps::files(&scene, &built, "own").map(|files| files.script);
    [mjcf::document(&scene, &built), script].map(|done| done.map_err(|misfit| misfit.to_string()))
}

#[test]
fn exports_go_by_the_form_of_a_law() {
    register();
    let [mujoco, script] = exported("law = \"own-cone\"");
    assert!(mujoco.is_ok_and(|xml| xml.contains("condim=\"3\" friction=\"0.5")));
    assert!(script.is_err_and(|misfit| misfit.contains("friction by `own-cone`")));
    let [mujoco, script] = exported("law = \"own-formula\"");
    assert!(
        mujoco.is_err_and(|misfit| misfit.contains("`own-formula`: MuJoCo's friction has no law"))
    );
    assert!(script.is_err_and(|misfit| misfit.contains("friction by `own-formula`")));
    let [mujoco, script] = exported("law = \"own-spring\", stiffness = 3e4, damping = 7");
    assert!(mujoco.is_err_and(|misfit| misfit.contains("keeps no memory")));
    let script = script.unwrap_or_else(|misfit| panic!("{misfit}"));
    assert!(script.contains("tangential linear_history 30000.0 0.035 0.5"), "{script}");
    assert!(script.contains("# own-spring: the spring of a contact that begins"), "{script}");
}

#[test]
fn a_search_tries_rows_that_suit_one() {
    register();
    let grid =
        SearchGrid::of(&base("law = \"threshold\"")).unwrap_or_else(|errors| panic!("{errors}"));
    let spring = |law| format!("{law}:stiffness=1e5:damping=2e2");
    assert_eq!(grid.laws[..2], ["cundall-strack", "own-spring"].map(spring));
    for law in ["threshold", "quadratic", "cubic", "hyperbolic", "tanh", "stribeck", "own-cone"] {
        assert!(grid.laws[2..].iter().any(|known| known == law), "{law}: {:?}", grid.laws);
    }
    for law in ["none", "quintic", "dahl", "lugre", "own-formula", "own-slider"] {
        assert!(!grid.laws.iter().any(|known| known.starts_with(law)), "{law}: {:?}", grid.laws);
    }
    let tried = |method: &str| grid.integrators.iter().any(|known| known == method);
    for method in ["symplectic-euler", "velocity-verlet", "rk4", "rk45", "bdf2", "own-rk4"] {
        assert!(tried(method), "{method}: {:?}", grid.integrators);
    }
    for method in ["explicit-euler", "midpoint", "dopri5", "trapezoid", "own-implicit"] {
        assert!(!tried(method), "{method}: {:?}", grid.integrators);
    }
}

/// Variants of a case that are reported as not validated.
fn gaps(case: &str) -> Vec<CaseGap> {
    // nothing is run
    let stopped = RigSetting { stop: &|| true };
    let [outcome] = &CasePlan::of(|one| one.name == case).run(&stopped, &|_| {})[..] else {
        panic!("one case")
    };
    outcome.gaps.clone()
}

#[test]
fn validation_tells_the_rows_that_it_has_no_reference_for() {
    register();
    let creep = gaps("creep of every law");
    let variants: Vec<&str> = creep.iter().map(|gap| gap.variant.as_str()).collect();
    assert_eq!(variants, ["own-cone", "own-formula", "own-spring"]);
    assert_eq!(creep[0].reason, "its creep has no second closed form");
    let factor = gaps("factor per step");
    assert_eq!(factor.len(), 1);
    assert_eq!(factor[0].variant, "own-implicit");
}

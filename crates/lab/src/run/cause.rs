//! Causes of an error beside the time step: what a run computes other than what it stands for, and how far its scene
//! is from that.
//!
//! A cause is a family of scenes with one number q: the run itself at q = 1, coarser ones above, its ideal at q = 0.
//! Laws say themselves which of their keys lead there ([`Regularisation`]): q multiplies the times of the law, so that
//! a run at a larger q is stable at the same step, and one at half of it at half the step. The edges of elements are
//! such a number too (mesh.rs).

use serde::{Deserialize, Serialize};
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::contact::normal::NORMAL_LAWS;
use stiction_core::contact::regularisation::Regularisation;
use stiction_core::integrators::{INTEGRATORS, stage};
use stiction_core::math::{larger, pow, smaller};
use stiction_core::model::Model;
use stiction_core::registry::{Value, Values};
use stiction_core::state::memory::{Coefficients, Contact};
use stiction_scene::Scene;
use stiction_scene::build::make;

pub(super) mod mesh;

/// A cause of an error beside the time step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// The friction law against Coulomb's law: its threshold ε, or its stretch.
    Epsilon,
    /// The normal law against a rigid surface: its depth.
    Depth,
    /// Iterations that end before their equations are solved.
    Solver,
    /// The elements of elastic bodies against the continuum.
    Mesh,
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 4] = [Cause::Epsilon, Cause::Depth, Cause::Solver, Cause::Mesh];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Cause::Epsilon => "epsilon",
            Cause::Depth => "depth",
            Cause::Solver => "solver",
            Cause::Mesh => "mesh",
        }
    }

    /// Name of its runs.
    pub(super) fn run(self) -> &'static str {
        match self {
            Cause::Epsilon => "a run at another ε",
            Cause::Depth => "a run at another depth",
            Cause::Solver => "a run at another tolerance",
            Cause::Mesh => "the run on a finer mesh",
        }
    }

    /// Whether it acts where bodies touch alone.
    pub(super) fn is_of_contact(self) -> bool {
        matches!(self, Cause::Epsilon | Cause::Depth)
    }

    /// Its runs of a scene with this model, with the contacts at the end; `None` if there was none in the whole run.
    pub(super) fn scaled(
        self,
        scene: &Scene,
        model: &Model,
        contacts: Option<&[Contact]>,
    ) -> Scaled {
        match self {
            Cause::Epsilon if scene.contact.jumps() => Scaled::Nothing(
                "no friction law: the contact method solves Coulomb's law itself".into(),
            ),
            Cause::Depth if scene.contact.jumps() => {
                Scaled::Nothing("no penalty: contact is exact".into())
            }
            Cause::Epsilon => with_both_coefficients(scene, law(scene, Section::Friction)),
            Cause::Depth => law(scene, Section::Normal),
            Cause::Solver => solver(scene),
            Cause::Mesh => mesh::scaled(scene, model, contacts),
        }
    }
}

/// The runs of a cause.
pub(super) enum Scaled {
    By(Box<dyn Family>),
    /// Nothing: the run has no error by this cause, for this reason.
    Nothing(String),
    /// Not known what, for this reason.
    Unknown(String),
}

/// A family of scenes with one number q.
pub(super) trait Family {
    /// The parameter that stands for it in tables.
    fn name(&self) -> String;

    /// Its value in the scene; `None` where the method takes its own default, which is coarser than the one that is
    /// scaled.
    fn value(&self) -> Option<f64>;

    /// Its value at a q.
    fn value_at(&self, q: f64) -> f64;

    /// Its factor at a q.
    fn factor(&self, q: f64) -> f64;

    /// The scene at a q.
    fn at(&self, q: f64, scene: Scene) -> Scene;

    /// The q of runs that are no dearer than the run itself, at its own step: without halvings.
    fn coarser(&self) -> Vec<(f64, u32)>;

    /// The q of runs nearer to the ideal, and the halvings of the step that each needs.
    fn finer(&self) -> Vec<(f64, u32)>;

    /// A note on these runs.
    fn note(&self) -> Option<String> {
        None
    }
}

/// A table of the scene whose keys are scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Friction,
    Normal,
    Method,
    Integrator,
}

impl Section {
    fn path(self) -> &'static str {
        match self {
            Section::Friction => "contact.friction",
            Section::Normal => "contact.normal",
            Section::Method => "contact",
            Section::Integrator => "integrator",
        }
    }

    fn values(self, scene: &mut Scene) -> &mut Values {
        match self {
            Section::Friction => &mut scene.contact.friction.values,
            Section::Normal => &mut scene.contact.normal.values,
            Section::Method => &mut scene.contact.method.values,
            Section::Integrator => &mut scene.integrator.values,
        }
    }
}

/// Keys that are scaled together, the first one named.
struct Parameter {
    cause: Cause,
    keys: Vec<ScaledKey>,
    /// whether the first key is not in the scene
    by_default: bool,
}

struct ScaledKey {
    section: Section,
    key: &'static str,
    /// at q = 1
    value: f64,
    power: f64,
}

impl Family for Parameter {
    /// The key that is named, with its place in the scene.
    fn name(&self) -> String {
        format!("{}.{}", self.keys[0].section.path(), self.keys[0].key)
    }

    fn value(&self) -> Option<f64> {
        (!self.by_default).then_some(self.keys[0].value)
    }

    fn value_at(&self, q: f64) -> f64 {
        self.keys[0].value * self.factor(q)
    }

    fn factor(&self, q: f64) -> f64 {
        pow(q, self.keys[0].power)
    }

    fn at(&self, q: f64, mut scene: Scene) -> Scene {
        for ScaledKey { section, key, value, power } in &self.keys {
            let values = section.values(&mut scene);
            let scaled = value * pow(q, *power);
            let scaled = Value::Number(match self.cause {
                Cause::Solver => larger(scaled, LEAST_TOLERANCE),
                _ => scaled,
            });
            *values = std::mem::take(values).set(key, scaled);
        }
        scene
    }

    fn coarser(&self) -> Vec<(f64, u32)> {
        match self.cause {
            Cause::Solver if !self.can_be_tightened() => vec![(10.0, 0), (100.0, 0)],
            Cause::Solver => Vec::new(),
            // half and a quarter of a stiffness
            _ if self.keys[0].power <= -2.0 => vec![(std::f64::consts::SQRT_2, 0), (2.0, 0)],
            _ => vec![(2.0, 0), (4.0, 0)],
        }
    }

    fn finer(&self) -> Vec<(f64, u32)> {
        match self.cause {
            Cause::Solver if !self.can_be_tightened() => Vec::new(),
            // of loose tolerances a tenth and a hundredth may take the same iterations
            Cause::Solver => vec![(0.1, 0), (smaller(0.01, AS_SOLVED / self.keys[0].value), 0)],
            _ => vec![(0.5, 1), (0.25, 2)],
        }
    }
}

impl Parameter {
    fn can_be_tightened(&self) -> bool {
        self.keys.iter().all(|key| 0.01 * key.value >= LEAST_TOLERANCE)
    }
}

/// A q that is as good as none.
const IDEAL: f64 = 1e-8;

/// Load ratio that Coulomb's law still holds, and N \[N\].
const HELD: (f64, f64) = (0.99, 1.0);

/// The same, but not known where a material has a μ_s above μ_k and the law, as near to its ideal as can be, does not
/// hold a load between them: its ideal is Coulomb's law with one coefficient.
fn with_both_coefficients(scene: &Scene, scaled: Scaled) -> Scaled {
    let Scaled::By(of) = &scaled else { return scaled };
    let ideal = make(&FRICTION_LAWS, &of.at(IDEAL, scene.clone()).contact.friction);
    let materials = scene.materials.iter().map(|m| (m.static_friction, m.kinetic_friction));
    let pairs = scene.pairs.iter().map(|pair| (pair.static_friction, pair.kinetic_friction));
    let pairs = pairs.filter_map(|(s, k)| Some((s?, k?)));
    let misses = |(static_friction, kinetic_friction): (f64, f64)| {
        let pair = Coefficients { static_friction, kinetic_friction };
        let holds = ideal.as_ref().is_ok_and(|law| law.creep(HELD.0, HELD.1, &pair).is_some());
        static_friction > kinetic_friction && !holds
    };
    match materials.chain(pairs).any(misses) {
        false => scaled,
        true => Scaled::Unknown(format!(
            "the law {} has one coefficient, μ_k: no ε of it holds what μ_s would",
            scene.contact.friction.name
        )),
    }
}

/// Most runs by one cause.
pub(super) const MOST: usize = 4;

/// A tolerance of velocities \[m/s\] at which equations count as solved.
const AS_SOLVED: f64 = 1e-11;

/// The smallest tolerance: below it rounding decides.
const LEAST_TOLERANCE: f64 = 1e-13;

/// The keys by which a law leads to its ideal.
fn law(scene: &Scene, section: Section) -> Scaled {
    let contact = &scene.contact;
    let (choice, keys) = match section {
        Section::Normal => {
            let law = make(&NORMAL_LAWS, &contact.normal);
            (&contact.normal, law.map(|law| law.regularisation()))
        }
        _ => {
            let law = make(&FRICTION_LAWS, &contact.friction);
            (&contact.friction, law.map(|law| law.regularisation()))
        }
    };
    let unknown = || {
        Scaled::Unknown(format!(
            "the law {} does not say which of its keys lead to its ideal",
            choice.name
        ))
    };
    let keys = match keys {
        Ok(Regularisation::Keys(keys)) => keys,
        Ok(Regularisation::None) => {
            return Scaled::Nothing(format!("the law {} is not regularised", choice.name));
        }
        Ok(Regularisation::Unknown) | Err(_) => return unknown(),
    };
    let of =
        |(key, value, power): (&'static str, f64, f64)| ScaledKey { section, key, value, power };
    let keys: Vec<ScaledKey> = keys.into_iter().map(of).collect();
    if keys.is_empty() {
        return unknown();
    }
    let cause = if section == Section::Normal { Cause::Depth } else { Cause::Epsilon };
    Scaled::By(Box::new(Parameter { cause, keys, by_default: false }))
}

/// The key of the tolerance of Newton's method.
const NEWTON: &str = "newton_tolerance";

/// The tolerances of iterations.
fn solver(scene: &Scene) -> Scaled {
    let integrator = &scene.integrator.values;
    let iterates = INTEGRATORS
        .find(scene.integrator.name)
        .is_some_and(|row| row.keys.iter().any(|key| key.name == NEWTON));
    let newton = iterates.then(|| integrator.get_number(NEWTON).unwrap_or(stage::FINEST));
    let tolerances = [
        (Section::Integrator, NEWTON, newton),
        (Section::Integrator, "linear_tolerance", integrator.get_number("linear_tolerance")),
        (Section::Method, "tolerance", scene.contact.method.values.get_number("tolerance")),
    ];
    let given = |(section, key, value): (Section, &'static str, Option<f64>)| {
        Some(ScaledKey { section, key, value: value?, power: 1.0 })
    };
    let keys: Vec<ScaledKey> = tolerances.into_iter().filter_map(given).collect();
    match keys.is_empty() {
        true => Scaled::Nothing("no iteration: the method is explicit".into()),
        false => {
            let by_default = keys[0].key == NEWTON && integrator.get_number(NEWTON).is_none();
            Scaled::By(Box::new(Parameter { cause: Cause::Solver, keys, by_default }))
        }
    }
}

//! Runs of a comparison: one scene under every combination of the given settings.

use super::base::{Base, Change};
use super::trial::Trial;
use super::{law, multiplier};
use std::sync::Arc;
use stiction_core::impulses::{CONTACT_METHODS, penalty};
use stiction_core::integrators::dormand_prince::DOPRI5;
use stiction_core::integrators::{INTEGRATORS, symplectic_euler};
use stiction_core::linear::SOLVERS;
use stiction_core::math::number;
use stiction_core::registry::{Entry, Table};
use stiction_core::state::Lag;
use stiction_scene::Scene;
use stiction_scene::build::Built;
use stiction_scene::diagnostics::SceneErrors;

/// A scene and the settings under which it is run; an empty list means the scene's own value.
#[derive(Clone)]
pub struct Plan {
    /// The scene.
    pub base: Base,
    /// Contact methods; `multiplier` holds single particles on the collider by `[[curve]]`.
    pub methods: Vec<String>,
    /// Integrators. If empty and no methods are given: all of them.
    pub integrators: Vec<String>,
    /// Friction laws with their keys after colons: `threshold:epsilon=1e-4`.
    pub laws: Vec<String>,
    /// ε of the laws that have one \[m/s\].
    pub epsilons: Vec<String>,
    /// Steps \[s\].
    pub steps: Vec<String>,
    /// Quantities that friction takes from the start of the step, for the integrators with such a
    /// key.
    pub lags: Vec<String>,
    /// Linear solvers, for the integrators that have one.
    pub solvers: Vec<String>,
    /// Whether runs are compared with a reference, which may take longer than all of them.
    pub reference: bool,
    changes: Vec<Change>,
}

/// One run of a plan.
#[derive(Clone)]
pub struct Variant {
    /// Settings that name it: one value per applicable axis of [`AXES`].
    pub settings: Vec<(&'static str, String)>,
    /// The scene with these settings.
    pub scene: Scene,
    base: Base,
    changes: Vec<Change>,
}

/// The law of runs without a penalty law: contact by impulses, and multipliers.
pub(crate) const COULOMB: &str = "coulomb";

/// Settings that can vary, in the order of the columns.
pub const AXES: [&str; 7] =
    ["contact", "integrator", "law", "epsilon", "step", "lag", "linear_solver"];

/// Variants with the same exact solution: a law and an ε.
pub struct Group {
    /// The law, and ε if it was varied.
    pub name: String,
    sets: Vec<String>,
    changes: Vec<Change>,
}

/// The runs of a plan.
pub struct PlanLayout {
    /// Every run, with the index of its group.
    pub variants: Vec<(Variant, usize)>,
    /// Groups of variants that share a reference.
    pub groups: Vec<Group>,
    /// Variants refused by the scene, with the reason.
    pub left_out: Vec<(String, SceneErrors)>,
}

/// Reason why a plan cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The scene is at fault.
    #[error("{0}")]
    Scene(#[from] SceneErrors),
    /// The scene is at fault under one of the laws only.
    #[error("{errors}\nThis is the scene under the law {law}. {LAW_KEYS}")]
    Law {
        /// The law as given.
        law: String,
        /// Errors of the scene under it.
        errors: SceneErrors,
    },
    /// An unknown name.
    #[error("there is no {kind} `{name}`; known are {known}")]
    Unknown {
        /// Kind of thing named.
        kind: &'static str,
        /// The name.
        name: String,
        /// The known names.
        known: String,
    },
    /// A text that should be a number above zero.
    #[error("{kind} `{text}` is not a number above zero")]
    Number {
        /// Quantity that it should be.
        kind: &'static str,
        /// The text given.
        text: String,
    },
    /// ε given twice.
    #[error("the law {0} has its ε already; give it there or as a list, not both")]
    TwoEpsilons(String),
    /// The scene does not allow multipliers instead of contact.
    #[error(
        "the scene cannot be held by multipliers: {0}\n  help: single particles on one plane, or one implicit surface, at rest"
    )]
    Multiplier(String),
}

/// Changes that make a scene one for the reference.
fn reference_sets() -> [String; 4] {
    [
        format!("contact.method={}", penalty::ENTRY.name),
        format!("integrator.method={}", DOPRI5.name),
        "integrator.rtol=1e-10".into(),
        "integrator.atol=1e-12".into(),
    ]
}

/// Syntax of the keys of a law.
pub const LAW_KEYS: &str = "A law's own keys follow its name after colons, and texts stand in \
    quotation marks: cundall-strack:stiffness=1e4:damping=5, 'formula:mu=\"0.3 + 0.2*exp(-s/0.1)\"'";

impl Plan {
    /// A plan with the scene's own settings.
    pub fn of(base: Base) -> Plan {
        Plan {
            base,
            methods: Vec::new(),
            integrators: Vec::new(),
            laws: Vec::new(),
            epsilons: Vec::new(),
            steps: Vec::new(),
            lags: Vec::new(),
            solvers: Vec::new(),
            reference: true,
            changes: Vec::new(),
        }
    }

    /// Sets the integrators.
    pub fn integrators(mut self, names: &[&str]) -> Plan {
        self.integrators = names.iter().map(|name| (*name).into()).collect();
        self
    }

    /// Sets the steps \[s\], each written as a number.
    pub fn steps(mut self, steps: &[&str]) -> Plan {
        self.steps = steps.iter().map(|step| (*step).into()).collect();
        self
    }

    /// Sets the friction laws, with keys after colons.
    pub fn laws(mut self, laws: &[&str]) -> Plan {
        self.laws = laws.iter().map(|law| (*law).into()).collect();
        self
    }

    /// Changes the built scene of every run, for comparisons that no scene file can express.
    pub fn change(&mut self, change: impl Fn(&mut Built) + Send + Sync + 'static) {
        self.changes.push(Arc::new(change));
    }

    /// Every combination, and separately those refused by the scene.
    ///
    /// # Errors
    /// The scene itself is wrong, a name is unknown, or no combination remains.
    pub fn layout(&self) -> Result<PlanLayout, PlanError> {
        let scene = self.base.load(&[])?.scene;
        self.base.build(&scene)?;
        self.check_names()?;
        if let Some(law) = self
            .laws
            .iter()
            .find(|law| law::keys(law).iter().any(|key| key.starts_with("epsilon=")))
            && !self.epsilons.is_empty()
        {
            return Err(PlanError::TwoEpsilons(law.clone()));
        }
        let methods = or(&self.methods, scene.contact.method.name);
        let laws = or(&self.laws, scene.contact.friction.name);
        for law in &self.laws {
            let loaded = self.base.load(&law::sets(law));
            loaded.map_err(|errors| PlanError::Law { law: law.clone(), errors })?;
        }
        let mut layout =
            PlanLayout { variants: Vec::new(), groups: Vec::new(), left_out: Vec::new() };
        for method in &methods {
            // contact by impulses has no friction law
            let is_force = method == penalty::ENTRY.name;
            for law in if is_force { &laws[..] } else { &laws[..1] } {
                for epsilon in optional(&self.epsilons, is_force && law::has_epsilon(law)) {
                    let group = layout.group(self.group(law, epsilon));
                    self.numerics(&scene, method, law, epsilon, group, &mut layout)?;
                }
            }
        }
        match layout.left_out.pop() {
            Some((_, errors)) if layout.variants.is_empty() => Err(errors.into()),
            last => {
                layout.left_out.extend(last);
                Ok(layout)
            }
        }
    }

    /// Adds the runs of one contact method, law and ε: all integrators, steps, lags and solvers.
    fn numerics(
        &self,
        scene: &Scene,
        method: &str,
        law: &str,
        epsilon: Option<&str>,
        group: usize,
        layout: &mut PlanLayout,
    ) -> Result<(), PlanError> {
        for integrator in self.integrators_under(scene, method) {
            let keys = INTEGRATORS.find(&integrator).map_or(&[][..], |row| row.keys);
            let has = |name: &str| keys.iter().any(|key| key.name == name);
            let lags = optional(&self.lags, has("lag"));
            let solvers = optional(&self.solvers, has("linear_solver"));
            for step in or(&self.steps, &scene.time.step.to_string()) {
                let kinds = lags.iter().flat_map(|lag| solvers.iter().map(move |by| (*lag, *by)));
                for (lag, solver) in kinds {
                    let (step, by) = (Some(step.as_str()), Some(integrator.as_str()));
                    match self.variant(&[Some(method), by, Some(law), epsilon, step, lag, solver]) {
                        Ok(variant) => layout.variants.push((variant, group)),
                        Err(PlanError::Scene(errors)) => {
                            layout.left_out.push((format!("{method} {integrator}"), errors));
                        }
                        Err(other) => return Err(other),
                    }
                }
            }
        }
        Ok(())
    }

    fn variant(&self, values: &[Option<&str>; 7]) -> Result<Variant, PlanError> {
        let [method, integrator, law, epsilon, step, lag, solver] = values.map(|v| v.unwrap_or(""));
        let on_curves = method == multiplier::NAME;
        let contact = if on_curves { penalty::ENTRY.name } else { method };
        let mut sets = law::sets(law);
        let keys = [
            ("contact.method", contact),
            ("integrator.method", integrator),
            ("contact.friction.epsilon", epsilon),
            ("time.step", step),
            ("integrator.lag", lag),
            ("integrator.linear_solver", solver),
        ];
        let given = keys.iter().filter(|(_, value)| !value.is_empty());
        sets.extend(given.map(|(key, value)| format!("{key}={value}")));
        let mut scene = self.base.load(&sets)?.scene;
        if on_curves {
            scene = multiplier::instead_of_contact(&scene).map_err(PlanError::Multiplier)?;
        }
        self.base.build(&scene)?;
        let mut settings: Vec<(&'static str, String)> = Vec::new();
        for (axis, value) in AXES.into_iter().zip(values) {
            settings.extend(value.map(|value| (axis, as_written(value))));
        }
        if method != penalty::ENTRY.name {
            settings
                .iter_mut()
                .filter(|(axis, _)| *axis == "law")
                .for_each(|s| s.1 = COULOMB.into());
        }
        Ok(Variant { settings, scene, base: self.base.clone(), changes: self.changes.clone() })
    }

    fn group(&self, law: &str, epsilon: Option<&str>) -> Group {
        let mut sets = law::sets(law);
        sets.extend(epsilon.map(|epsilon| format!("contact.friction.epsilon={epsilon}")));
        let name = epsilon.map_or(law.into(), |epsilon| format!("{law}, ε = {epsilon} m/s"));
        Group { name, sets, changes: self.changes.clone() }
    }

    fn check_names(&self) -> Result<(), PlanError> {
        fn known<T: ?Sized>(
            kind: &'static str,
            asked: &[String],
            table: &Table<Entry<T>>,
            more: Option<&'static str>,
        ) -> Result<(), PlanError> {
            let mut known = table.names();
            known.extend(more);
            match asked.iter().find(|name| !known.contains(&name.as_str())) {
                Some(name) => {
                    Err(PlanError::Unknown { kind, name: name.clone(), known: known.join(", ") })
                }
                None => Ok(()),
            }
        }
        known("contact method", &self.methods, &CONTACT_METHODS, Some(multiplier::NAME))?;
        known("integrator", &self.integrators, &INTEGRATORS, None)?;
        known("linear solver", &self.solvers, &SOLVERS, None)?;
        let modes = Lag::NAMES;
        if let Some(lag) = self.lags.iter().find(|lag| !modes.contains(&lag.as_str())) {
            let known = modes.join(", ");
            return Err(PlanError::Unknown { kind: "lag mode", name: lag.clone(), known });
        }
        let positive = |text: &&String| !text.parse::<f64>().is_ok_and(|x| x > 0.0);
        for (kind, list) in [("step", &self.steps), ("ε", &self.epsilons)] {
            if let Some(text) = list.iter().find(positive) {
                return Err(PlanError::Number { kind, text: text.clone() });
            }
        }
        Ok(())
    }

    /// The integrators for a contact method.
    fn integrators_under(&self, scene: &Scene, method: &str) -> Vec<String> {
        if !self.integrators.is_empty() {
            return self.integrators.clone();
        }
        if self.methods.is_empty() {
            return INTEGRATORS.names().into_iter().map(String::from).collect();
        }
        // symplectic Euler moves velocities first, so that a body held by friction does not move
        let own = method == penalty::ENTRY.name;
        vec![if own { scene.integrator.name } else { symplectic_euler::ENTRY.name }.into()]
    }
}

impl PlanLayout {
    /// The index of a group, which is added if it is new.
    fn group(&mut self, group: Group) -> usize {
        let known = self.groups.iter().position(|g| g.name == group.name);
        known.unwrap_or_else(|| {
            self.groups.push(group);
            self.groups.len() - 1
        })
    }
}

impl Group {
    /// The reference variant of a plan's scene, with the step divided by `parts`.
    pub fn reference(&self, base: &Base, step: f64, parts: u32) -> Result<Variant, SceneErrors> {
        let mut sets = self.sets.clone();
        sets.extend(reference_sets());
        sets.push(format!("time.step={:?}", step / f64::from(parts)));
        let scene = base.load(&sets)?.scene;
        base.build(&scene)?;
        let changes = self.changes.clone();
        // the reference is refined anyway
        let base = base.verified(None);
        Ok(Variant { settings: Vec::new(), scene, base, changes })
    }
}

impl Variant {
    /// Runs the variant.
    pub fn run(&self, stop: &(dyn Fn() -> bool + Sync)) -> Result<Trial, SceneErrors> {
        self.base
            .trial((&self.scene, &[]), &self.changes, &|| stop())
            .map_err(|error| error.in_scene(&self.scene))
    }

    /// The settings that name its trial, whose step may have been found.
    pub(super) fn settings_of(&self, trial: &Trial) -> Vec<(&'static str, String)> {
        let mut settings = self.settings.clone();
        if trial.accuracy.is_some() {
            let found = as_written(&number(trial.step));
            let step = settings.iter_mut().find(|(axis, _)| *axis == "step");
            step.into_iter().for_each(|(_, step)| step.clone_from(&found));
        }
        settings
    }

    /// Memory of its run until its end \[bytes\]: an estimate.
    pub(super) fn memory(&self) -> Result<u128, SceneErrors> {
        self.base.memory(&self.scene)
    }

    /// Whether the built scene is changed beyond its settings.
    pub(crate) fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The value on an axis.
    pub fn setting(&self, axis: &str) -> Option<&str> {
        let found = self.settings.iter().find(|(name, _)| *name == axis)?;
        Some(&found.1)
    }
}

/// A number in one notation, independent of how it was given.
fn as_written(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && (x == 0.0 || (1e-3..1e5).contains(&x.abs())) => format!("{x}"),
        Ok(x) if x.is_finite() => format!("{x:e}"),
        _ => text.to_string(),
    }
}

/// The given values, or the scene's own.
fn or(given: &[String], own: &str) -> Vec<String> {
    if given.is_empty() { vec![own.into()] } else { given.to_vec() }
}

/// The given values if they apply, else one `None`.
fn optional(given: &[String], has: bool) -> Vec<Option<&str>> {
    match has && !given.is_empty() {
        true => given.iter().map(|value| Some(value.as_str())).collect(),
        false => vec![None],
    }
}

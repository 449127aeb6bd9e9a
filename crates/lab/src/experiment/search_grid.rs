//! The combinations available to a search.

use super::base::Base;
use super::law;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::integrators::INTEGRATORS;
use stiction_scene::diagnostics::SceneErrors;

/// The combinations available to a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchGrid {
    /// Friction laws, with keys after colons.
    pub laws: Vec<String>,
    /// ε of the laws that have one \[m/s\].
    pub epsilons: Vec<f64>,
    /// Integrators.
    pub integrators: Vec<String>,
    /// Steps \[s\].
    pub steps: Vec<f64>,
}

impl SearchGrid {
    /// A grid for a scene: laws that hold, those with stretch as stiff as the scene's contacts;
    /// integrators of all kinds; steps up to a frame.
    pub fn of(base: &Base) -> Result<SearchGrid, SceneErrors> {
        let scene = base.load(&[])?.scene;
        let normal = &scene.contact.normal.values;
        let stiffness = normal.get_number("stiffness").unwrap_or(1e5);
        let damping = normal.get_number("damping").unwrap_or(0.0);
        // first the law that needs no small step: others must be cheaper
        let mut laws = vec![format!("cundall-strack:stiffness={stiffness:e}:damping={damping:e}")];
        laws.extend(
            ["threshold", "quadratic", "cubic", "hyperbolic", "tanh", "stribeck"].map(String::from),
        );
        let integrators = [
            "symplectic-euler",
            "velocity-verlet",
            "heun",
            "rk4",
            "rk45",
            "semi-implicit",
            "implicit-euler",
            "bdf2",
            "sdirk2",
            "imex",
        ];
        let frame = scene.time.step * scene.time.steps_per_frame as f64;
        Ok(SearchGrid {
            laws,
            epsilons: series(1e-6, 1e-1),
            integrators: integrators.map(String::from).into(),
            steps: series(1e-6, frame),
        })
    }

    /// Checks that no list is empty and that all names are known.
    ///
    /// # Errors
    /// The unknown name or the empty list.
    pub fn check(&self) -> Result<(), String> {
        for (kind, asked, known) in [
            ("friction law", &self.laws, FRICTION_LAWS.names()),
            ("integrator", &self.integrators, INTEGRATORS.names()),
        ] {
            let mut names = asked.iter().map(|text| law::name(text));
            if let Some(unknown) = names.find(|name| !known.contains(name)) {
                let known = known.join(", ");
                return Err(format!("there is no {kind} `{unknown}`; known are {known}"));
            }
        }
        let lists =
            [self.laws.len(), self.epsilons.len(), self.integrators.len(), self.steps.len()];
        if lists.contains(&0) {
            return Err("there is nothing to try: a list is empty".into());
        }
        Ok(())
    }
}

/// 1, 2 and 5 times powers of ten between two bounds, the largest first.
pub fn series(least: f64, most: f64) -> Vec<f64> {
    let mut values = Vec::new();
    for exponent in -12..3 {
        for digit in [1, 2, 5] {
            // parsed, so that it is the number as people write it
            values.extend(format!("{digit}e{exponent}").parse::<f64>().ok());
        }
    }
    values.retain(|value| *value >= least * (1.0 - 1e-9) && *value <= most * (1.0 + 1e-9));
    values.reverse();
    values
}

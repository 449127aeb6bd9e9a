//! The combinations available to a search.

use super::base::Base;
use super::law;
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionLaw};
use stiction_core::integrators::{INTEGRATORS, Integrator};
use stiction_core::registry::Entry;
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
    /// Whether the scene's own law, ε, method and step are tried first.
    pub own: bool,
}

impl SearchGrid {
    /// A grid for a scene: laws and integrators whose rows suit a search; laws with a stretch get
    /// the stiffness and damping of the scene's contacts; steps go up to the time of a frame.
    pub fn of(base: &Base) -> Result<SearchGrid, SceneErrors> {
        let scene = base.load(&[])?.scene;
        let normal = &scene.contact.normal.values;
        let stiffness = normal.get_number("stiffness").unwrap_or(1e5);
        let damping = normal.get_number("damping").unwrap_or(0.0);
        let frame = scene.time.step * scene.time.steps_per_frame as f64;
        Ok(SearchGrid {
            laws: laws(stiffness, damping),
            epsilons: series(1e-6, 1e-1),
            integrators: integrators(),
            steps: series(1e-6, frame),
            own: true,
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

/// The friction laws that suit a search. Those with a stretch, of the given stiffness \[N/m\] and
/// damping \[N·s/m\], stand first: they need no small step, so that others must beat them.
fn laws(stiffness: f64, damping: f64) -> Vec<String> {
    let made = |row: &'static Entry<dyn FrictionLaw>| Some((row, row.from_defaults().ok()?));
    let suits = |(_, law): &(_, Box<dyn FrictionLaw>)| law.suits_search();
    let fitting = FRICTION_LAWS.iter().filter_map(made).filter(suits);
    let (stretched, others): (Vec<_>, Vec<_>) = fitting.partition(|(_, law)| law.has_memory());
    let written = |(row, _): &(&'static Entry<dyn FrictionLaw>, _)| {
        let given = row.keys.iter().filter_map(|key| match key.name {
            "stiffness" => Some(format!(":stiffness={stiffness:e}")),
            "damping" => Some(format!(":damping={damping:e}")),
            _ => None,
        });
        row.name.to_string() + &given.collect::<String>()
    };
    stretched.iter().chain(&others).map(written).collect()
}

/// The integrators that suit a search.
fn integrators() -> Vec<String> {
    let suits = |row: &&'static Entry<dyn Integrator>| {
        row.from_defaults().is_ok_and(|method| method.suits_search())
    };
    INTEGRATORS.iter().filter(suits).map(|row| row.name.to_string()).collect()
}

/// 1, 2 and 5 of every decade within two bounds, the largest first.
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

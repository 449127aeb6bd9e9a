//! The measures of a scene, ready for reading.

use stiction_core::measures::kinds::Reads;
use stiction_core::measures::{MEASURES, MeasureKind, Other, Probe, Reduction};
use stiction_core::model::Model;
use stiction_core::registry::Problem;
use stiction_core::state::State;
use stiction_scene::build::{BuildError, select};
use stiction_scene::description::{Measure, MeasuredAgainst, Scene};

/// All measures of a scene, their selections resolved at the state of t = 0.
pub fn probes(scene: &Scene, model: &Model, state: &State) -> Result<Vec<Probe>, BuildError> {
    let mut probes = Vec::with_capacity(scene.measures.len());
    for measure in &scene.measures {
        let kind = MEASURES
            .iter()
            .find(|kind| kind.name == measure.kind)
            .expect("the scene reader only lets known kinds through");
        refuse_misread(kind, measure, model)?;
        let particles = match measure.body {
            Some(b) => {
                select(&measure.selection, &model.bodies[b], &state.positions, measure.place)?
            }
            None => (0..model.particles()).collect(),
        };
        let direction = measure.direction;
        let probe = Probe::new(&measure.name, kind, particles, direction);
        let probe = probe.against(measure.other.map(|other| other_side(other, scene, model)));
        probes.push(match measure.reduce {
            Some(by) => probe.reduced(by, measure.from.unwrap_or_default()),
            None => probe,
        });
    }
    Ok(probes)
}

/// Refuses a measure of springs on an elastic body, and one of solids on another body.
fn refuse_misread(kind: &MeasureKind, measure: &Measure, model: &Model) -> Result<(), BuildError> {
    let Some(body) = measure.body.map(|body| &model.bodies[body]) else { return Ok(()) };
    let is_solid = || model.elements.are_in(&body.particles);
    let (own, help) = match kind.reads {
        Reads::Springs if is_solid() => {
            ("is an elastic body without springs", "measure `von-mises` or `stretch`")
        }
        Reads::Solids if !is_solid() => (
            "is no elastic body",
            "give its material `young` and `poisson`, and itself no `springs`; or measure the `tension` of its springs",
        ),
        _ => return Ok(()),
    };
    let message = format!(
        "[[measure]] `{}` is the {} of body `{}`, which {own}",
        measure.name, kind.name, body.name
    );
    let problem = Problem { key: None, message, help: help.into() };
    Err(BuildError::Scene { problem, place: measure.place })
}

/// The reduction of the measure of a column to one number, which is no curve, and its beginning \[s\].
pub fn reduction(scene: &Scene, column: &str) -> Option<(Reduction, f64)> {
    scene.measures.iter().find_map(|measure| {
        let rest = column.strip_prefix(measure.name.as_str())?;
        let own = matches!(rest, "" | "_x" | "_y" | "_z");
        own.then_some(())?;
        Some((measure.reduce?, measure.from.unwrap_or_default()))
    })
}

/// The other side of a measure: the particles of a body, or the pieces of a collider.
fn other_side(other: MeasuredAgainst, scene: &Scene, model: &Model) -> Other {
    match other {
        MeasuredAgainst::Body(b) => Other::Body(model.bodies[b].particles.clone()),
        MeasuredAgainst::Collider(c) => {
            let pieces = model.surfaces.colliders.iter().enumerate();
            let own = pieces.filter(|(_, piece)| piece.name == scene.colliders[c].name);
            Other::Collider(own.map(|(number, _)| number).collect())
        }
    }
}

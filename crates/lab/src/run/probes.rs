//! The measures of a scene, ready for reading.

use stiction_core::measures::{MEASURES, Other, Probe, Reduction};
use stiction_core::model::Model;
use stiction_core::state::State;
use stiction_scene::build::{BuildError, select};
use stiction_scene::description::{MeasuredAgainst, Scene};

/// All measures of a scene, their selections resolved at the state of t = 0.
pub fn probes(scene: &Scene, model: &Model, state: &State) -> Result<Vec<Probe>, BuildError> {
    let mut probes = Vec::with_capacity(scene.measures.len());
    for measure in &scene.measures {
        let kind = MEASURES
            .iter()
            .find(|kind| kind.name == measure.kind)
            .expect("the scene reader only lets known kinds through");
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

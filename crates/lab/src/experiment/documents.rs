//! Results of `tune` and `stiffness` as JSON; that of `compare` is in `table.rs`.

use super::stiffness::{LocalRates, Price, Stiffness, StiffnessSnapshot};
use super::tune::{Answer, Combination, Ending, SearchEnd, TuneCandidate};
use serde_json::{Value, json};
use stiction_scene::Scene;

/// The answer of a search: the combinations tried, the best one, and why the others were rejected.
pub fn tuning(answer: &Answer) -> Value {
    let combination = |c: &Combination| json!({ "law": c.law, "epsilon": c.epsilon, "integrator": c.integrator, "step": c.step });
    let candidate = |c: &TuneCandidate| {
        let (end, why) = match &c.end {
            SearchEnd::Holds => ("holds", None),
            SearchEnd::TooDear => ("too-dear", None),
            SearchEnd::Fails(why) => ("fails", Some(why)),
            SearchEnd::Refused(why) => ("refused", Some(why)),
        };
        let mut value = combination(&c.combination);
        value["cost"] = json!(c.cost);
        value["creep"] = json!(c.creep);
        value["end"] = json!(end);
        value["why"] = json!(why);
        value["runs"] = json!(c.runs);
        value
    };
    let unverified = answer.unverified.iter().map(|(c, why)| {
        let mut value = combination(c);
        value["why"] = json!(why);
        value
    });
    let ending = match answer.ending {
        Ending::Complete => "complete",
        Ending::OutOfTime => "out-of-time",
        Ending::Stopped => "stopped",
    };
    json!({
        "ending": ending,
        "own": answer.own.as_ref().map(combination),
        "so_far": answer.so_far.as_ref().map(candidate),
        "best": answer.best.as_ref().map(candidate),
        "verified_creep": answer.verified_creep,
        "fragment": answer.best.as_ref().map(|best| best.combination.fragment()),
        "unverified": unverified.collect::<Vec<_>>(),
        "dropped": answer.dropped.iter().map(|(law, why)| json!({ "law": law, "why": why })).collect::<Vec<_>>(),
        "candidates": answer.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "error": answer.error,
        "runs": answer.runs,
    })
}

/// The stiffness of a scene: rates of every particle, modes, and the price of every integrator.
pub fn stiffness(scene: &Scene, found: &Stiffness) -> Value {
    json!({
        "title": scene.title,
        "step": scene.time.step,
        "integrator": scene.integrator.name,
        "settling": found.settling,
        "missing": found.missing,
        "states": found.snapshots.iter().map(|s| state(found, s)).collect::<Vec<_>>(),
        "integrators": found.prices.iter().map(|p| integrator(found, p)).collect::<Vec<_>>(),
    })
}

fn state(found: &Stiffness, snapshot: &StiffnessSnapshot) -> Value {
    let particle = |rates: &LocalRates| {
        json!({
            "particle": found.model.particle_name(rates.particle),
            "friction_rate": rates.friction_rate,
            "stretch_frequency": rates.stretch_frequency,
            "contact_frequency": rates.contact_frequency,
            "contact_damping_rate": rates.contact_damping_rate,
            "spring_frequency": rates.spring_frequency,
            "spring_damping_rate": rates.spring_damping_rate,
        })
    };
    let modes = snapshot.spectrum.modes.iter().map(|mode| [mode.value.re, mode.value.im]);
    json!({
        "label": snapshot.label,
        "spectral_radius": snapshot.spectrum.radius(),
        "spectrum_complete": snapshot.spectrum.complete,
        "spectrum_known": snapshot.spectrum.known,
        "eigenvalues": modes.collect::<Vec<_>>(),
        "particles": snapshot.rates.iter().map(particle).collect::<Vec<_>>(),
        "bodies": snapshot.loads.iter().zip(&snapshot.whole_after).map(|((body, load, creep), whole_after)| json!({
            "body": body,
            "load_ratio": load.map(|load| load.ratio),
            "law_creep": creep,
            "creeps_as_a_whole_after": whole_after,
        })).collect::<Vec<_>>(),
    })
}

fn integrator(found: &Stiffness, price: &Price) -> Value {
    json!({
        "integrator": price.integrator,
        "order": price.order,
        "adaptive": price.adaptive,
        "largest_stable_step": price.largest_step.filter(|_| !found.limit_is_unknown(price)),
        "upper_bound_only": price.at_most,
        "limited_by": price.culprit.as_ref().map(|culprit| json!({
            "kind": culprit.kind(),
            "where": culprit.describe(&found.model),
        })),
        "rings_above": price.rings_above,
        "priced_at_step": price.step,
        "steps_per_second": price.steps_per_second,
        "cpu_seconds_per_second": price.cpu_per_second,
    })
}

//! `run.json`: settings of the run, its results, and its verdict.

use crate::output::arrays::measures_csv::standard_values;
use crate::output::folder::sha256::sha256;
use crate::output::folder::{catalogue, causes_json};
use crate::run::profile::Profiled;
use crate::run::verification::{MeasureBar, RefinedRun, Verification};
use crate::run::{Advice, Checked, Creep, DriftAt, Outcome, Run, Split, Status};
use serde_json::{Map, Value, json};
use std::path::Path;
use stiction_core::diagnosis::forecast::Forecast;
use stiction_core::diagnosis::islands::BodyAudit;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::integrators::StepReport;
use stiction_core::measures::columns::{channel, standard};
use stiction_core::model::Model;
use stiction_core::registry::{Value as RowValue, Values};
use stiction_core::state::hash_text;
use stiction_scene::Scene;
use stiction_scene::place::Choice;

/// The document, without an outcome while the run is in progress. It depends only on the run and
/// contains no wall time.
pub fn document(scene: &Scene, run: &Run, outcome: Option<&Outcome>, warnings: &[String]) -> Value {
    let model = &run.simulation().model;
    let of_start = run.start.iter().map(|Forecast { kind, text }| format!("{kind}: {text}"));
    let all_warnings: Vec<String> = warnings.iter().cloned().chain(of_start).collect();
    let inputs: Vec<Value> = scene
        .sources
        .iter()
        .map(|source| {
            // relative to the scene's folder, independent of the working directory
            let name = Path::new(&source.name).strip_prefix(scene.folder.path());
            let name = name.map_or(source.name.clone(), |name| name.display().to_string());
            json!({ "name": name, "sha256": sha256(source.text.as_bytes()) })
        })
        .collect();
    let mut document = json!({
        "format": 1,
        "title": scene.title,
        "stiction": env!("CARGO_PKG_VERSION"),
        "inputs": inputs,
        "scene_sha256": scene_sha256(scene),
        "integrator": {
            "method": scene.integrator.name,
            "step": scene.time.step,
            "settings": settings(&scene.integrator.values),
        },
        "contact": scene.contact.method.name,
        "friction": if model.laws.is_some() { scene.contact.friction.name } else { "coulomb" },
        "laws": laws(scene, run),
        "units": "SI: m, kg, s, N, Pa, J, W; angles of measures in degrees",
        "files": catalogue::files(run),
        "measures": measures(run),
        "topology": ranges(model),
        "particles": model.particles(),
        "springs": model.springs.len(),
        "elements": model.elements.len(),
        "end": scene.time.end(),
        "status": outcome.map_or(Status::RUNNING, |o| o.status.word()),
        "warnings": all_warnings,
    });
    if let Some(outcome) = outcome {
        let Value::Object(fields) = &mut document else { unreachable!("json! made an object") };
        fields.extend(results(run, outcome));
    }
    document
}

/// SHA-256 of the texts of the scene with its includes and settings, in order.
fn scene_sha256(scene: &Scene) -> String {
    let hashes = scene.sources.iter().map(|source| sha256(source.text.as_bytes()));
    sha256(hashes.collect::<Vec<_>>().join("\n").as_bytes())
}

/// The active laws, with every parameter; Coulomb's law if contact acts by impulses.
fn laws(scene: &Scene, run: &Run) -> Value {
    let contact = &scene.contact;
    let of = |choice: &Choice| json!({ "law": choice.name, "settings": settings(&choice.values) });
    match run.simulation().model.laws.is_some() {
        true => json!({ "normal": of(&contact.normal), "friction": of(&contact.friction) }),
        false => {
            json!({ "contact": { "method": contact.method.name, "settings": settings(&contact.method.values) }, "friction": { "law": "coulomb" } })
        }
    }
}

/// Parameters of a law or method, defaults filled in.
fn settings(of: &Values) -> Value {
    let value = |value: &RowValue| match value {
        RowValue::Number(x) => json!(x),
        RowValue::Integer(n) => json!(n),
        RowValue::Flag(flag) => json!(flag),
        RowValue::Text(text) => json!(text),
        RowValue::Texts(texts) => json!(texts),
        RowValue::Vector(v) => json!([v.x, v.y, v.z]),
        RowValue::Numbers(of) => json!(of),
        RowValue::Integers(of) => json!(of),
        RowValue::Vectors(of) => json!(of.iter().map(|v| [v.x, v.y, v.z]).collect::<Vec<_>>()),
        RowValue::Points(of) => json!(of),
        RowValue::Pairs(of) => json!(of),
        RowValue::Triples(of) => json!(of),
        RowValue::Constants(of) => json!(of),
    };
    Value::Object(of.0.iter().map(|(name, of)| (String::from(*name), value(of))).collect())
}

/// Unit of each column of the scene's measures in `measures.csv`.
fn measures(run: &Run) -> Value {
    let units = run.columns.iter().zip(run.units());
    Value::Object(units.map(|(name, unit)| (name.clone(), json!(unit))).collect())
}

/// Mass of each body, and its ranges of particles, triangles and tetrahedra: first and last + 1,
/// from 0.
fn ranges(model: &Model) -> Vec<Value> {
    let (mut triangles, mut tetrahedra) = (0, 0);
    let mut all = Vec::new();
    for body in &model.bodies {
        let own = body.particles.clone();
        let [first, second] = [triangles, tetrahedra];
        triangles += body.triangles.len();
        tetrahedra += body.tetrahedra.len();
        all.push(json!({
            "body": body.name,
            "particles": [own.start, own.end],
            "triangles": [first, triangles],
            "tetrahedra": [second, tetrahedra],
            "mass": model.masses[own].iter().sum::<f64>(),
        }));
    }
    all
}

fn results(run: &Run, outcome: &Outcome) -> Map<String, Value> {
    let model = &run.simulation().model;
    let reasons = listed(&outcome.verdict.reasons, model);
    let creep: Vec<Value> = outcome.creep.iter().map(creep_of).collect();
    let start: Vec<Value> =
        run.start.iter().map(|doubt| json!({ "name": doubt.kind, "text": doubt.text })).collect();
    let expectations: Vec<Value> = outcome.checked.iter().map(expectation).collect();
    let mut last = Map::new();
    if let Some(frame) = &run.tally.last {
        last.insert("time".into(), json!(frame.time));
        for (name, value) in run.columns.iter().zip(&frame.measures) {
            last.insert(name.clone(), json!(value));
        }
        let names = standard(!model.elements.is_empty());
        for (name, value) in names.into_iter().zip(standard_values(frame)) {
            last.insert(name.into(), json!(value));
        }
    }
    let (audit, events) =
        (&run.simulation().watches.audit, run.simulation().watches.impacts.events);
    let fields = json!({
        "steps": outcome.steps,
        "frames": run.tally.count,
        "counters": counters(&outcome.work),
        "events_inside_steps": {
            "closed": events.closed,
            "opened": events.opened,
            "turned": events.turned,
        },
        "energy_audit": {
            "residual": audit.residual(),
            "largest_residual": audit.largest_residual(),
            "throughput": audit.throughput(),
            "doubt": audit.doubt(),
        },
        "bodies": bodies(run),
        "creep": creep,
        "expectations": expectations,
        "last_frame": last,
        "state_hash": hash_text(outcome.state_hash),
        "trust": {
            "level": outcome.verdict.level().word(),
            "trusted": outcome.verdict.trusted(),
            "error": outcome.verdict.error,
            "reasons": reasons,
            "outweighed": listed(&outcome.verdict.outweighed, model),
            "start": start,
            "advice": outcome.advice.as_ref().map(advice),
        },
        "verification": outcome.verification.as_ref().map(|of| {
            verification(of, run.scene().time.step)
        }),
    });
    match fields {
        Value::Object(fields) => fields,
        _ => unreachable!("json! made an object"),
    }
}

fn advice(advice: &Advice) -> Value {
    let set: Map<String, Value> =
        advice.set.iter().map(|(key, value)| (key.to_string(), json!(value))).collect();
    json!({ "set": set, "options": advice.options(), "work": advice.work })
}

fn counters(work: &StepReport) -> Value {
    json!({
        "evaluations": work.evaluations,
        "jacobians": work.jacobians,
        "iterations": work.iterations,
        "iterations_per_stage": (work.stages.stages() > 0).then(|| json!({
            "stages": work.stages.stages(),
            "median": work.stages.quantile(0.5),
            "p95": work.stages.quantile(0.95),
            "most": work.stages.most(),
        })),
        "linear_iterations": work.linear_iterations,
        "substeps": work.substeps,
        "rejections": work.rejections,
        "eased_contact": work.eased,
        "frozen_contact": work.frozen,
        "events_located": work.events,
        "judged_stiff": work.stiff,
    })
}

/// The drift of a body and its parts.
fn creep_of(c: &Creep) -> Value {
    let runs = |runs: &[DriftAt]| -> Value {
        runs.iter().map(|run| json!({ "step": run.step, "drift": run.drift })).collect()
    };
    let (split, by_step) = match &c.split {
        Split::Balance => ("balance", Value::Null),
        Split::Refinement(drifts) => ("refinement", runs(drifts)),
        Split::Unsettled(drifts) => ("unsettled", runs(drifts)),
        Split::Unfounded(drifts) => ("unfounded", runs(drifts)),
    };
    json!({
                "body": c.body,
                "measured": c.measured,
                "load_ratio": c.load_ratio,
                "load": c.carried.map(|carried| carried.load),
                "friction": c.carried.map(|carried| carried.friction),
                "load_angle": c.carried.and_then(|carried| carried.angle),
                "carried_by_friction": c.carried.map(|carried| carried.by_friction),
                "from": c.window[0],
                "until": c.window[1],
                "time_sliding": c.time_sliding(),
                "law": c.parts.map(|parts| parts.law),
                "stretch": c.parts.map(|parts| parts.stretch),
                "sliding": c.parts.map(|parts| parts.sliding),
                "lag": c.parts.map(|parts| parts.lag),
                "integrator": c.parts.map(|parts| parts.integrator),
                "slid": c.slip.time,
                "slid_from": c.slip.between.map(|between| between[0]),
                "slid_until": c.slip.between.map(|between| between[1]),
                "closed_form": c.steadiness.closed_form,
                "change": c.steadiness.change,
                "steady_end": c.steadiness.end,
                "split": split,
                "drift_by_step": by_step,
    })
}

fn expectation(c: &Checked) -> Value {
    json!({
                "measure": c.expectation.column,
                "expected": c.expectation.value,
                "tolerance": c.expectation.tolerance,
                "measured": c.measured,
                "error": c.error,
                "met": c.met(),
                "in_doubt": c.in_doubt(),
    })
}

fn listed(reasons: &[Reason], model: &Model) -> Vec<Value> {
    let one = |r: &Reason| json!({ "name": r.name(), "message": r.describe(model) });
    reasons.iter().map(one).collect()
}

/// The energy audit of each body separately \[J\]; bodies that touched each other are listed under
/// the first of them.
fn bodies(run: &Run) -> Vec<Value> {
    let model = &run.simulation().model;
    let audits = run.simulation().watches.islands.bodies(model, &run.simulation().watches.audit);
    let solids = !model.elements.is_empty();
    let one = |audit: &BodyAudit| {
        json!({
            "body": model.bodies[audit.body].name,
            "kinetic": audit.kinetic,
            (channel("dissipated_spring", solids)): audit.flows.spring,
            "dissipated_normal": audit.flows.normal,
            "dissipated_friction_stick": audit.flows.friction_stick,
            "dissipated_friction_slip": audit.flows.friction_slip,
            "dissipated_drag": audit.flows.drag,
            "work": audit.flows.work,
            "residual": audit.residual,
            "throughput": audit.throughput,
            "doubt": audit.doubt,
        })
    };
    audits.iter().map(one).collect()
}

/// The runs used for verification, and the error bars.
fn verification(of: &Verification, step: f64) -> Value {
    let run = |run: &RefinedRun| {
        json!({
            "name": run.name,
            "integrator": run.integrator,
            "step": run.step,
            "status": run.status,
            "reasons": run.verdict.reasons.iter().map(Reason::name).collect::<Vec<_>>(),
            "evaluations": run.evaluations,
            "state_hash": hash_text(run.state_hash),
        })
    };
    let bars = |bars: &[MeasureBar]| {
        let mut all = Map::new();
        for measure in bars {
            for (k, column) in measure.columns.iter().enumerate() {
                let about = json!({
                    "value": measure.ends[k][0],
                    "error": measure.error_at_end(k),
                    "unit": measure.unit,
                    "share": measure.bar.share,
                    "scale": measure.bar.scale,
                    "order": measure.bar.order,
                    "determined": measure.bar.converges,
                    "runs": measure.ends[k],
                });
                all.insert(column.clone(), about);
            }
        }
        Value::Object(all)
    };
    let mut all = json!({
        "runs": of.runs.iter().map(run).collect::<Vec<_>>(),
        "measures": bars(&of.measures),
        "bodies": bars(&of.bodies),
        "parting": of.parting.as_ref().map(|p| json!({
            "time": p.time, "particle": p.particle, "distance": p.distance, "event": p.event,
        })),
        "notes": of.notes,
    });
    if !of.causes.is_empty() {
        all["causes"] = causes_json::causes(of, step);
        all["sum"] = causes_json::sum(of);
    }
    all
}

/// Wall time of a run: seconds by section, and rates per second.
pub fn profile(of: &Profiled) -> Value {
    let sections = of.sections.iter().map(|(name, seconds)| (String::from(*name), json!(seconds)));
    json!({
        "seconds": of.seconds,
        "sections": Value::Object(sections.collect()),
        "clock_seconds": of.clock,
        "steps": of.steps,
        "timed_steps": of.timed_steps,
        "springs": of.springs,
        "springs_per_second": of.springs_per_second(),
        "contacts": of.contacts,
        "contacts_per_second": of.contacts_per_second(),
        "threads": of.threads,
        "limit_per_core": of.limit,
        "share_of_limit": of.share_of_limit(),
    })
}

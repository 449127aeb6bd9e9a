//! `compare`: one scene under several integrators, steps and laws.

use super::explain::from_defaults;
use super::machine::StopSignal;
use super::scene::SceneOptions;
use super::terminal::{self, number, say, table};
use super::{Exit, Failure};
use crate::experiment::compare::{Comparison, Reference, Row, Variant, compare as run_all};
use crate::experiment::multiplier;
use crate::impulses::{CONTACT_METHODS, penalty};
use crate::integrators::{INTEGRATORS, symplectic_euler};
use crate::registry::{find, names};
use crate::scene::Scene;

/// Options of `compare`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Integrators, separated by commas (default: all)
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    integrators: Vec<String>,
    /// Steps in seconds, separated by commas (default: the scene's)
    #[arg(long, value_delimiter = ',', value_name = "SECONDS")]
    steps: Vec<String>,
    /// Friction laws, separated by commas, with parameters after colons: threshold:epsilon=1e-4,
    /// cundall-strack:stiffness=1e4:damping=100 (default: the scene's)
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    laws: Vec<String>,
    /// Contact methods, separated by commas: penalty,impulse,exact, or
    /// multiplier, which holds single particles on a plane by [[curve]] (default: the scene's). Without
    /// --integrators penalty runs under the scene's own, the others under symplectic-euler
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    methods: Vec<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A table for people
    Table,
    /// JSON
    Json,
    /// Comma-separated values
    Csv,
}

/// Runs the verb.
pub fn compare(options: &Options) -> Result<Exit, Failure> {
    let (scene, _) = options.scene.load()?;
    options.scene.open(&scene)?;
    let methods = if options.methods.is_empty() {
        vec![scene.contact.method.name.to_string()]
    } else {
        options.methods.clone()
    };
    let steps = if options.steps.is_empty() {
        vec![scene.time.step.to_string()]
    } else {
        options.steps.clone()
    };
    let laws = if options.laws.is_empty() {
        vec![scene.contact.friction.name.to_string()]
    } else {
        options.laws.clone()
    };
    for law in &options.laws {
        options.scene.load_with(&law_sets(law)).map_err(|failure| under_law(law, failure))?;
    }
    let mut variants = Vec::new();
    for method in &methods {
        let jumps = method != multiplier::NAME && jumps(method)?;
        // contacts that are no force know no law
        for law in if jumps || method == multiplier::NAME { &laws[..1] } else { &laws[..] } {
            for integrator in integrators(options, &scene, jumps)? {
                for step in &steps {
                    variants.push(variant(options, method, law, &integrator, step)?);
                }
            }
        }
    }
    let references = laws
        .iter()
        .map(|law| Ok(Reference { law: law.clone(), scene: reference(options, law, &steps)? }))
        .collect::<Result<Vec<_>, Failure>>()?;
    let signal = StopSignal::listen();
    let bar = terminal::progress(0, "comparing");
    let comparison = run_all(
        variants,
        references,
        &options.scene.build_options(),
        &mut |label, done, total| {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(label.to_string());
        },
        &|| signal.heard().is_some(),
    )
    .map_err(|(scene, error)| super::scene::build_failure(&scene, error))?;
    bar.finish_and_clear();
    if let Some(exit) = signal.heard() {
        return Ok(exit);
    }
    show(options.format, &scene.title, &comparison)?;
    Ok(Exit::Ok)
}

/// Whether a contact method jumps velocities.
fn jumps(method: &str) -> Result<bool, Failure> {
    let Some(row) = find(CONTACT_METHODS, method) else {
        let known = names(CONTACT_METHODS).join(", ");
        let message = format!(
            "there is no contact method `{method}`; known are {known}, and {}",
            multiplier::NAME
        );
        return Err(Failure::new(Exit::Usage, message));
    };
    Ok(row.name != penalty::ENTRY.name)
}

/// The integrators of the comparison that bear the contact method.
fn integrators(options: &Options, scene: &Scene, jumps: bool) -> Result<Vec<String>, Failure> {
    let bears = |name: &str| {
        let row = find(INTEGRATORS, name);
        !jumps || row.is_none_or(|row| from_defaults(row).capabilities().kick_share.is_some())
    };
    if !options.integrators.is_empty() {
        let (kept, left): (Vec<String>, Vec<String>) =
            options.integrators.iter().cloned().partition(|name| bears(name));
        if kept.is_empty() {
            let message = format!(
                "{} cannot run contacts that jump velocities; add an explicit method such as symplectic-euler",
                left.join(", ")
            );
            return Err(Failure::new(Exit::Usage, message));
        }
        if !left.is_empty() {
            say(&format!("{} left out where contacts jump velocities", left.join(", ")));
        }
        return Ok(kept);
    }
    if options.methods.is_empty() {
        let all = names(INTEGRATORS).into_iter().filter(|name| bears(name));
        return Ok(all.map(String::from).collect());
    }
    // velocity first, so that what holds does not move either
    Ok(vec![if jumps { symplectic_euler::ENTRY.name } else { scene.integrator.name }.into()])
}

/// "NAME:key=value:key=value" as `--set` values.
fn law_sets(law: &str) -> Vec<String> {
    let mut parts = law.split(':');
    let name = parts.next().unwrap_or_default();
    let parameters = parts.map(|part| format!("contact.friction.{part}"));
    std::iter::once(format!("contact.friction.law={name}")).chain(parameters).collect()
}

/// A failure that the scene does not have under its own law.
fn under_law(law: &str, failure: Failure) -> Failure {
    let message = format!(
        "{}\nThis is the scene under --laws {law}. A law's own keys follow its name after colons, and \
         texts stand in quotation marks: cundall-strack:stiffness=1e4:damping=5, \
         'formula:mu=\"0.3 + 0.2*exp(-s/0.1)\"'",
        failure.message.trim_end()
    );
    Failure::new(failure.exit, message)
}

fn variant(
    options: &Options,
    method: &str,
    law: &str,
    integrator: &str,
    step: &str,
) -> Result<Variant, Failure> {
    let mut sets = law_sets(law);
    let on_curves = method == multiplier::NAME;
    let contact = if on_curves { penalty::ENTRY.name } else { method };
    sets.push(format!("contact.method={contact}"));
    sets.extend([format!("integrator.method={integrator}"), format!("time.step={step}")]);
    let mut scene = options.scene.load_with(&sets)?.scene;
    if on_curves {
        scene = multiplier::instead_of_contact(&scene).map_err(|why| {
            let message = format!(
                "the scene cannot be held by multipliers: {why}\n  help: single particles on one plane, or one implicit surface, at rest"
            );
            Failure::new(Exit::Usage, message)
        })?;
    }
    Ok(Variant { law: law.into(), method: method.into(), scene })
}

/// The reference: Dormand–Prince at tolerances far below any method compared here, committing at
/// the smallest step in the comparison.
fn reference(
    options: &Options,
    law: &str,
    steps: &[String],
) -> Result<crate::scene::Scene, Failure> {
    let smallest = steps
        .iter()
        .min_by(|a, b| {
            let value = |s: &&String| s.trim().parse().unwrap_or(f64::INFINITY);
            value(a).total_cmp(&value(b))
        })
        .cloned()
        .unwrap_or_default();
    let mut sets = law_sets(law);
    sets.extend(
        [
            "contact.method=penalty",
            "integrator.method=dopri5",
            "integrator.rtol=1e-10",
            "integrator.atol=1e-12",
        ]
        .map(String::from),
    );
    sets.push(format!("time.step={smallest}"));
    Ok(options.scene.load_with(&sets)?.scene)
}

fn show(format: Format, title: &str, comparison: &Comparison) -> Result<(), Failure> {
    match format {
        Format::Table => {
            if !title.is_empty() {
                say(title);
            }
            let rows: Vec<Vec<String>> = comparison.rows.iter().map(cells).collect();
            terminal::print(&table(&HEADER, &rows))?;
            say(
                "error: RMS distance of the particles from the reference at the end (penalty forces, dopri5, rtol 1e-10, atol 1e-12)\ncreep: mean speed along the surface over the last quarter, from displacement; law: the friction law's own creep under the friction that was needed",
            );
            let bad = comparison.rows.iter().filter(|row| !row.verdict.trusted()).count();
            for (law, verdict) in &comparison.references {
                if !verdict.trusted() {
                    say(&format!(
                        "the reference for {law} is itself not to be trusted: {}",
                        verdict.marks()
                    ));
                }
            }
            say(&format!("{bad} of {} rows are not to be trusted", comparison.rows.len()));
        }
        Format::Json => {
            let rows: Vec<_> = comparison.rows.iter().map(json).collect();
            let text = serde_json::to_string_pretty(&rows).expect("a JSON value");
            terminal::print(&(text + "\n"))?;
        }
        Format::Csv => {
            let mut writer = csv::Writer::from_writer(Vec::new());
            let mut write = |cells: &[String]| {
                writer.write_record(cells).expect("a vector takes every byte");
            };
            write(&FIELDS.map(String::from));
            for row in &comparison.rows {
                write(&values(row));
            }
            let bytes = writer.into_inner().expect("a vector takes every byte");
            terminal::print(&String::from_utf8_lossy(&bytes))?;
        }
    }
    Ok(())
}

const HEADER: [&str; 14] = [
    "contact",
    "integrator",
    "law",
    "step s",
    "status",
    "steps",
    "evaluations",
    "CPU s",
    "error m",
    "creep m/s",
    "law m/s",
    "penetration m",
    "max h λ",
    "verdict",
];

const FIELDS: [&str; 15] = [
    "contact",
    "integrator",
    "law",
    "step",
    "status",
    "steps",
    "evaluations",
    "cpu_seconds",
    "error",
    "creep",
    "law_creep",
    "max_penetration",
    "energy_residual",
    "max_hlambda",
    "verdict",
];

fn cells(row: &Row) -> Vec<String> {
    let optional = |x: Option<f64>| x.map_or("–".into(), number);
    let mark = if row.verdict.trusted() { "" } else { "✗ " };
    vec![
        row.method.clone(),
        row.integrator.clone(),
        row.law.clone(),
        number(row.step),
        row.status.clone(),
        row.steps.to_string(),
        row.evaluations.to_string(),
        format!("{:.3}", row.cpu_seconds),
        optional(row.error),
        optional(row.creep),
        optional(row.law_creep),
        number(row.max_penetration),
        number(row.max_hlambda),
        format!("{mark}{}", row.verdict.marks()),
    ]
}

fn values(row: &Row) -> Vec<String> {
    let optional = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
    vec![
        row.method.clone(),
        row.integrator.clone(),
        row.law.clone(),
        row.step.to_string(),
        row.status.clone(),
        row.steps.to_string(),
        row.evaluations.to_string(),
        row.cpu_seconds.to_string(),
        optional(row.error),
        optional(row.creep),
        optional(row.law_creep),
        row.max_penetration.to_string(),
        row.energy_residual.to_string(),
        row.max_hlambda.to_string(),
        row.verdict.marks(),
    ]
}

fn json(row: &Row) -> serde_json::Value {
    serde_json::json!({
        "contact": row.method,
        "integrator": row.integrator,
        "law": row.law,
        "step": row.step,
        "status": row.status,
        "steps": row.steps,
        "evaluations": row.evaluations,
        "cpu_seconds": row.cpu_seconds,
        "error": row.error,
        "creep": row.creep,
        "law_creep": row.law_creep,
        "max_penetration": row.max_penetration,
        "energy_residual": row.energy_residual,
        "max_hlambda": row.max_hlambda,
        "trusted": row.verdict.trusted(),
        "reasons": row.verdict.reasons.iter().map(|r| r.name()).collect::<Vec<_>>(),
    })
}

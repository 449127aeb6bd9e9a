//! `run --profile`: time by section, in words.

use super::terminal::{number, table};
use stiction_core::integrators::stage::StageCounts;
use stiction_lab::run::profile::Profiled;

/// The table, and the rates of springs and contacts.
pub fn describe(profiled: &Profiled) -> String {
    let row = |(name, seconds): &(&str, f64)| {
        let share = 100.0 * seconds / profiled.seconds;
        vec![
            (*name).into(),
            format!("{seconds:.3} s"),
            format!("{share:.1} %"),
            meaning(name).into(),
        ]
    };
    let taken = profiled.sections.iter().filter(|(_, seconds)| *seconds > 0.0);
    let mut rows: Vec<Vec<String>> = taken.map(row).collect();
    rows.push(vec![
        "all".into(),
        format!("{:.3} s", profiled.seconds),
        "100 %".into(),
        String::new(),
    ]);
    let mut text = table(&["where the time went", "", "", ""], &rows);
    if let (Some(rate), Some(share)) = (profiled.springs_per_second(), profiled.share_of_limit()) {
        let cores = match profiled.threads {
            1 => "one core of this machine".into(),
            threads => format!("{threads} cores of this machine"),
        };
        text += &format!(
            "springs: {} million per second, {:.0} % of the {} million that square roots and divisions allow {cores}\n",
            millions(rate),
            100.0 * share,
            millions(profiled.limit * profiled.threads as f64)
        );
    }
    if let Some(rate) = profiled.contacts_per_second() {
        text += &format!("contacts: {} million per second, found and acted on\n", millions(rate));
    }
    let every = profiled.steps as f64 / profiled.timed_steps.max(1) as f64;
    let timed = match every < 1.5 {
        true => "every step".into(),
        false => format!("1 step in {every:.0}"),
    };
    text += &format!(
        "time is that of the clock on the wall; timed {timed}; reading the clock took {} % of it, which stands \
         under profiling\n",
        number((1000.0 * profiled.clock / profiled.seconds).round() / 10.0)
    );
    text
}

/// Newton iterations per stage of an implicit method; nothing for others.
pub fn iterations(stages: &StageCounts) -> String {
    let (Some(median), Some(most_of_all)) = (stages.quantile(0.5), stages.quantile(0.95)) else {
        return String::new();
    };
    format!(
        "Newton iterations per implicit stage, {} stages: {median} at the median, at most {most_of_all} in 95 %, {} in the worst\n",
        stages.stages(),
        stages.most()
    )
}

fn millions(rate: f64) -> String {
    if rate < 1e8 { number((rate / 1e4).round() / 100.0) } else { format!("{:.0}", rate / 1e6) }
}

fn meaning(section: &str) -> &'static str {
    match section {
        "springs" => "forces of springs",
        "elements" => "forces of elastic elements",
        "search" => "finding contacts (an estimate)",
        "friction" => "laws of contact, normal and friction",
        "loads" => "gravity, pushes, drag, reactions of constraints",
        "method" => "stages, moving and counting particles",
        "solver" => "Jacobians, linear solvers, impulses, constraints",
        "watches" => "watches and energy books",
        "output" => "measures of frames, files",
        "profiling" => "reading the clock, searches done again for the estimate",
        _ => "what is none of these",
    }
}

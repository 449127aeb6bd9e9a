//! Names of measures as columns of a table, and the times of expectations on them.

use super::description::Scene;
use super::diagnostics::{Diagnostic, quoted};
use super::place::{Moment, Place};
use super::record::Resolved;
use super::sections::Names;
use std::collections::BTreeMap;
use stiction_core::measures::columns::{ERROR, OF_BODY, OF_ORDER, STANDARD, TIME, standard};
use stiction_core::measures::{MEASURES, columns_of};

/// Source of a column: the program, the creep of a body, another measure.
struct Maker {
    words: String,
    /// Place of the source's name, if a scene gives it.
    place: Option<Place>,
}

/// Refuses measures with a column whose name is taken.
pub(super) fn unique_columns(resolved: &Resolved, scene: &Scene, names: &mut Names) {
    let mut makers: BTreeMap<String, Maker> = BTreeMap::new();
    let own = |words: &str| Maker { words: words.to_string(), place: None };
    makers.insert(TIME.to_string(), own("every table of a run has it"));
    for column in STANDARD {
        makers.insert(column.to_string(), own("every table of a run has it"));
    }
    if scene.materials.iter().any(|material| material.young.is_some()) {
        for column in standard(true) {
            makers.entry(column.into()).or_insert(own("every table of elastic bodies has it"));
        }
    }
    for column in OF_ORDER {
        makers.insert(column.to_string(), own("run --observe-order adds it"));
    }
    for (record, body) in resolved.items("body").iter().zip(&scene.bodies) {
        for column in OF_BODY {
            let words = format!("the creep of body {} has it", quoted(&body.name));
            let place = Some(record.place_of("name"));
            makers.insert(format!("{column}_{}", body.name), Maker { words, place });
        }
    }
    let mut made = Vec::new();
    for (record, measure) in resolved.items("measure").iter().zip(&scene.measures) {
        let Some(kind) = MEASURES.find(measure.kind) else { continue };
        let place = record.place_of("name");
        let columns = columns_of(&measure.name, kind, measure.direction.is_some());
        let words = format!("measure {} has it", quoted(&measure.name));
        let other = columns.iter().find_map(|column| Some((column, makers.get(column)?)));
        match other {
            // two measures of the same name have been refused already
            Some((_, maker)) if maker.words == words => {}
            Some((column, maker)) => names.push(duplicate(&measure.name, column, place, maker)),
            None => made.extend(columns.into_iter().map(|column| (column, words.clone(), place))),
        }
        for (column, words, place) in made.iter().rev().take_while(|(_, of, _)| *of == words) {
            let maker = Maker { words: words.clone(), place: Some(*place) };
            makers.insert(column.clone(), maker);
        }
    }
    let mut first: BTreeMap<&str, &(String, String, Place)> = BTreeMap::new();
    for made in &made {
        first.entry(&made.0).or_insert(made);
    }
    for (column, words, place) in &made {
        let of = column.strip_prefix(ERROR).and_then(|of| first.get(of));
        if let Some((of, _, other)) = of.filter(|(_, of, _)| of != words) {
            let words = format!("run --verify adds it, the error bar of {}", quoted(of));
            names.push(duplicate(column, column, *place, &Maker { words, place: Some(*other) }));
        }
    }
}

fn duplicate(name: &str, column: &str, place: Place, maker: &Maker) -> Diagnostic {
    let message = format!(
        "[[measure]] {} makes a column {}, but {}",
        quoted(name),
        quoted(column),
        maker.words
    );
    let mut diagnostic =
        Diagnostic::error("E306", place, message).help("give the measure another name");
    if let Some(other) = maker.place {
        diagnostic = diagnostic.beside("the other is", other);
    }
    diagnostic
}

/// Refuses expectations at a time beyond the end of the run, unless the command line has set that
/// end: then they are merely not met. Texts from number `sets` on come from the command line.
pub(super) fn expected_times(resolved: &Resolved, scene: &Scene, sets: usize, names: &mut Names) {
    let Some(time) = resolved.single("time") else { return };
    let place = time.place_of("end");
    let end = scene.time.end();
    if place.source >= sets || end <= 0.0 {
        return;
    }
    for (record, expectation) in resolved.items("expect").iter().zip(&scene.expectations) {
        let Moment::Time(at) = expectation.at else { continue };
        if at <= end + 1e-6 * scene.time.step {
            continue;
        }
        let message = format!(
            "`at` = {at:?} s of [expect] {} lies beyond the end of the run, {:?} s",
            quoted(&expectation.column),
            time.number("end")
        );
        let diagnostic = Diagnostic::error("E309", record.place_of("at"), message)
            .help("give a time of the run, \"end\", \"max\" or \"min\"")
            .beside("`end` is", place);
        names.push(diagnostic);
    }
}

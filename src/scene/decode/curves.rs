//! `[[curve]]`.

use super::Decoder;
use crate::constraints::curve::Coupling;
use crate::expression::Expression;
use crate::scene::description::Curve;
use crate::scene::diagnostics::Diagnostic;
use crate::scene::record::Record;
use crate::world;

impl Decoder<'_> {
    pub(super) fn curve(&mut self, record: &Record) -> Curve {
        let friction = record.table("friction").unwrap_or(record);
        let kinetic = friction.number("kinetic");
        let given = friction.values.get_number("static");
        if let Some(given) = given
            && given < kinetic
        {
            let message = format!(
                "`static` ({given}) must be at least `kinetic` ({kinetic}): what is at rest would slip back at once"
            );
            let help = "leave out `static` to make them equal";
            let place = friction.place_of("static");
            self.diagnostics.push(Diagnostic::error("E310", place, message).help(help));
        }
        let texts = record.values.texts("phi").to_vec();
        Curve {
            body: self.find_body(record).unwrap_or_default(),
            selection: record.selection(),
            phi: self.formulas(record, &texts),
            texts,
            kinetic,
            static_: given.unwrap_or(kinetic),
            coupling: friction.text("coupling").and_then(Coupling::named),
            rest: friction.flag("rest"),
            stabilisation: record.number("stabilisation"),
            projection: record.flag("projection"),
            place: record.place,
            phi_place: record.place_of("phi"),
            coupling_place: friction.place_of("coupling"),
        }
    }

    /// The formulas of a curve; none when one of them is wrong.
    fn formulas(&mut self, record: &Record, texts: &[String]) -> Vec<Expression> {
        match world::Curve::parse(texts, &record.values.constants("constants")) {
            Ok(formulas) => formulas,
            Err(fault) => {
                let at = if fault.position.is_some() { "phi" } else { "constants" };
                let message = format!("`{at}` in [[curve]]: {}", fault.message);
                let place = record.place_of(at);
                self.diagnostics
                    .push(Diagnostic::error("E311", place, message).help(fault.help.clone()));
                Vec::new()
            }
        }
    }
}

//! Messages about a scene, with places in an editor's convention: lines and columns from 1, offsets
//! from 0; columns and offsets in units of UTF-16.

use crate::library::SceneSource;
use serde_json::{Value, json};
use stiction_scene::diagnostic::{Diagnostic, Severity};
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::excerpt;
use stiction_scene::place::Source;

/// Checks a scene: it is read and built, but not run.
///
/// # Errors
/// The scene does not exist.
pub fn check(source: &SceneSource, set: Vec<String>) -> Result<Value, String> {
    let base = source.base(set)?;
    let loaded = match base.load(&[]) {
        Ok(loaded) => loaded,
        Err(errors) => return Ok(refused(&errors)),
    };
    Ok(match base.build(&loaded.scene) {
        Err(errors) => refused(&errors),
        Ok(built) => json!({
            "good": true,
            "title": loaded.scene.title,
            "particles": built.model.particles(),
            "remarks": built.remarks,
            "diagnostics": listed(&loaded.warnings, &loaded.scene.sources),
        }),
    })
}

/// The answer for a scene that cannot be used.
pub fn refused(errors: &SceneErrors) -> Value {
    json!({
        "good": false,
        "brief": errors.brief(),
        "count": errors.count(),
        "diagnostics": listed(&errors.diagnostics, &errors.sources),
    })
}

/// Messages with their places.
pub fn listed(diagnostics: &[Diagnostic], sources: &[Source]) -> Value {
    diagnostics.iter().map(|diagnostic| one(diagnostic, sources)).collect()
}

fn one(diagnostic: &Diagnostic, sources: &[Source]) -> Value {
    // an editor shows the first text; places in an included file or a `--set` are given in words
    let place = diagnostic.place.filter(|place| place.source == 0);
    let at = |byte: usize| sources.first().map(|source| position(&source.text, byte));
    json!({
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": diagnostic.code,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
        "notes": diagnostic.notes,
        "from": place.and_then(|place| at(place.start)),
        "to": place.and_then(|place| at(place.end)),
        "rendered": excerpt::render(std::slice::from_ref(diagnostic), sources, false),
    })
}

/// Line, column and offset of a byte of a text.
fn position(text: &str, byte: usize) -> Value {
    let before = &text[..excerpt::floor(text, byte)];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let units = |text: &str| text.encode_utf16().count();
    json!({
        "line": before.matches('\n').count() + 1,
        "column": units(&before[line..]) + 1,
        "offset": units(before),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_as_an_editor_does() {
        let text = "title = \"ε 𝜇\"\nbodi = 3\n";
        let source = SceneSource::Text(text.into());
        let found = check(&source, Vec::new()).unwrap();
        assert_eq!(found["good"], false);
        let all = found["diagnostics"].as_array().expect("a list");
        let unknown = all.iter().find(|one| one["code"] == "E201").expect("`bodi` is unknown");
        let from = &unknown["from"];
        assert_eq!((from["line"].as_u64(), from["column"].as_u64()), (Some(2), Some(1)), "{found}");
        // the second letter of the title has two units
        assert_eq!(from["offset"].as_u64(), Some(15));
    }

    #[test]
    fn a_scene_of_the_library_is_good_with_its_meshes() {
        for name in ["tipping_box", "brick_on_stairs", "wheel_in_a_valley", "league/a_creep"] {
            let found = check(&SceneSource::Name(name.into()), Vec::new()).unwrap();
            assert_eq!(found["good"], true, "{name}: {found}");
        }
        assert!(check(&SceneSource::Name("no_such".into()), Vec::new()).is_err());
    }

    #[test]
    fn a_mesh_that_is_not_there_is_said_with_its_place() {
        let text = crate::library::text("brick_on_stairs").unwrap();
        let source = SceneSource::Text(text.replace("brick.msh", "../brick.msh"));
        let found = check(&source, Vec::new()).unwrap();
        assert_eq!(found["good"], false);
        assert!(found["diagnostics"][0]["from"]["line"].as_u64() > Some(1), "{found}");
    }
}

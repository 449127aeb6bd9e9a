//! Every mistake gives one clear error at the right place.

use super::*;

/// The scene with further keys of its material.
fn elastic(keys: &str) -> String {
    with("static_friction = 0.9", &format!("static_friction = 0.9\n{keys}"))
}

/// Bad scenes: text with `«` where the error must point, its code, and a word of its message or
/// help.
pub fn bad_scenes() -> Vec<(String, &'static str, &'static str)> {
    vec![
        ("«".into(), "E308", "no bodies"),
        ("«# nothing\n\n   \n".into(), "E308", "no bodies"),
        (with("end = 1.0", "end «1.0"), "E101", "="),
        (with("method = \"rk4\"", "method = «\"rk4"), "E101", "not closed"),
        (
            with("{ law = \"linear\", stiffness = 2e5 }", "«{ law = \"linear\", stiffness = 2e5"),
            "E101",
            "line 19",
        ),
        (and("x = «[1, 2,\n"), "E101", "ends on line 20"),
        (with("step = 1e-3", "step = 1e-3\n«step = 1e-4"), "E102", "line 4"),
        (and("[«time]\nend = 2\n"), "E102", "line 2"),
        (with("friction = {", "«frction = {"), "E201", "`friction`"),
        (and("[«tiem]\nend = 2\n"), "E201", "`time`"),
        (with("stiffness = 2e5", "«stifness = 2e5"), "E201", "`stiffness`"),
        (with("mass = 1.0", "mass = 1.0\nm«\u{430}ss = 2.0"), "E101", "U+0430"),
        (with("mass = 1.0", "mass = 1.0\n«\"m\u{430}ss\" = 2.0"), "E201", "U+0430"),
        (with("[contact]\n", "[contact]\n«damping = 5\n"), "E202", "[contact] normal"),
        (with("end = 1.0", "end = 1.0\n«gravity = [0, 0, 0]"), "E202", "[world]"),
        (with("method = \"rk4\"", "method = \"rk4\"\n«rtol = 1e-6"), "E202", "dopri5"),
        (with("format = 1", "format = 1\n«gravity = [0, 0, 0]"), "E202", "[world]"),
        (with("[time]\nend = 1.0", "«[time]"), "E203", "`end` in [time]: a number > 0 in s"),
        (with("{ law = \"linear\", stiffness = 2e5 }", "«{ law = \"linear\" }"), "E203", "N/m"),
        (with("[[body]]\nname = \"box\"", "«[[body]]"), "E203", "`name`"),
        (
            with("[[body]]\nname = \"box\"\nmass = 1.0", "«[[body]]\nname = \"box\""),
            "E203",
            "density",
        ),
        (
            with(
                "[[body]]\nname = \"box\"\nmass = 1.0\nshape = { particle = {} }",
                "«[[body]]\nname = \"box\"\nmass = 1.0",
            ),
            "E203",
            "particle",
        ),
        (elastic("young = «1e6"), "E203", "poisson"),
        (elastic("poisson = «0.3"), "E203", "young"),
        (elastic("young = 1e6\npoisson = 0.3\ndamping = { ratio = «0.1 }"), "E203", "frequency"),
        (
            elastic(
                "young = 1e6\npoisson = 0.3\ndamping = { time = 1e-3, loss_factor = «0.1, frequency = 5 }",
            ),
            "E310",
            "keep one",
        ),
        (
            and("[[motion]]\nof = «\"flor\"\ndirection = [1, 0, 0]\nat = [[0, 0], [1, 1]]\n"),
            "E307",
            "did you mean `floor`",
        ),
        (
            and("«[[motion]]\nof = \"floor\"\ndirection = [1, 0, 0]\n"),
            "E310",
            "neither `at` nor `formula`",
        ),
        (
            and(
                "[[motion]]\nof = \"floor\"\ndirection = [1, 0, 0]\nat = [[0, 0]]\nformula = «\"t\"\n",
            ),
            "E310",
            "both `at` and `formula`",
        ),
        (
            and(
                "[[motion]]\nof = \"floor\"\ndirection = [1, 0, 0]\naxis = «[0, 0, 1]\nformula = \"t\"\n",
            ),
            "E310",
            "both `direction` and `axis`",
        ),
        (
            and(
                "[[motion]]\nof = \"floor\"\ndirection = [1, 0, 0]\nat = «[[0, 0], [2, 1], [1, 0]]\n",
            ),
            "E311",
            "times must ascend: t = 2.0 s is followed by t = 1.0 s",
        ),
        (
            and("[[motion]]\nof = \"floor\"\ndirection = [1, 0, 0]\nformula = «\"sin(x)\"\n"),
            "E311",
            "variables: `t`",
        ),
        (
            and(
                "[[pin]]\nname = \"p\"\nbody = \"box\"\n[[motion]]\nof = «\"p\"\naxis = [0, 0, 1]\nformula = \"t\"\n",
            ),
            "E310",
            "a pin is moved along a direction",
        ),
        (and("[[pin]]\nname = «\"floor\"\nbody = \"box\"\n"), "E306", "of a collider"),
        (
            and("«[[measure]]\nname = \"m\"\nkind = \"separation\"\nbody = \"box\"\n"),
            "E203",
            "missing key `other`",
        ),
        (
            and("[[measure]]\nname = \"m\"\nkind = \"tilt\"\nbody = \"box\"\nother = «\"floor\"\n"),
            "E310",
            "not relative to anything",
        ),
        (
            and("[[measure]]\nname = \"m\"\nkind = \"slip\"\nbody = \"box\"\nother = «\"flor\"\n"),
            "E307",
            "did you mean `floor`",
        ),
        (with("mass = 1.0", "mass = «\"2\""), "E204", "quotation marks"),
        (with("step = 1e-3", "step = «[1]"), "E204", "list"),
        (with("name = \"box\"", "name = «3"), "E204", "text"),
        (
            with(
                "[contact]\nnormal = { law = \"linear\", stiffness = 2e5 }",
                "[contact]\nnormal = «3",
            ),
            "E204",
            "table",
        ),
        (with("[time]", "«[[time]]"), "E204", "single brackets"),
        (with("[[body]]", "«[body]"), "E204", "double brackets"),
        (
            with("[materials.rubber]\nstatic_friction = 0.9", "[materials]\nrubber = «0.9"),
            "E204",
            "NAME",
        ),
        (with("mass = 1.0", "mass = «1979-05-27"), "E204", "date"),
        (and("[world]\ngravity = «\"down\"\n"), "E204", "three numbers"),
        (and("[world]\ngravity = «[0, -9.81]\n"), "E304", "3 numbers, got 2"),
        (with("mass = 1.0", "mass = «99999999999999999999"), "E303", "9223372036854775807"),
        (with("mass = 1.0", "mass = «1e400"), "E303", "too large"),
        (with("mass = 1.0", "mass = «1e-400"), "E303", "zero"),
        (with("mass = 1.0", "mass = «1e-310"), "E303", "small"),
        (with("mass = 1.0", "mass = «nan"), "E302", "finite"),
        (with("mass = 1.0", "mass = «-inf"), "E302", "finite"),
        (and("[world]\ngravity = [0, 0, «nan]\n"), "E302", "z of"),
        (with("mass = 1.0", "mass = «0"), "E301", "> 0"),
        (with("mass = 1.0", "mass = «-1"), "E301", "-1"),
        (with("mass = 1.0", "mass = «1e300"), "E301", "1e15"),
        (with("mass = 1.0", "mass = 1.0\nposition = [0, 0, «1e308]"), "E301", "1e15"),
        (with("step = 1e-3", "step = «0"), "E301", "> 0"),
        (with("step = 1e-3", "step = «-1e-3"), "E301", "> 0"),
        (with("step = 1e-3", "step = «1e-320"), "E303", "small"),
        (with("end = 1.0\nstep = 1e-3", "end = «1.0\nstep = 2.0"), "E309", "at least one step"),
        (with("end = 1.0", "end = «1.0005"), "E309", "1.0 s and 1.001 s"),
        (with("output = 0.1", "output = «0.00015"), "E309", "at least one step"),
        (with("output = 0.1", "output = «0.0115"), "E309", "0.011 s and 0.012 s"),
        (with("output = 0.1", "output = «2.0"), "E309", "longer"),
        (with("end = 1.0\nstep = 1e-3", "end = «1e9\nstep = 1e-9"), "E309", "2^53"),
        (with("output = 0.1", "output = «0"), "E301", "> 0"),
        (with("stiffness = 2e5", "stiffness = «-2e5"), "E301", "stiffness"),
        (with("stiffness = 2e5", "stiffness = «0"), "E301", "stiffness"),
        (with("stiffness = 2e5", "stiffness = 2e5, damping = «-1"), "E301", "damping"),
        (with("epsilon = 1e-2", "epsilon = «0"), "E301", "epsilon"),
        (with("epsilon = 1e-2", "epsilon = «nan"), "E302", "epsilon"),
        (with("static_friction = 0.9", "static_friction = «-0.1"), "E301", "0 to 100"),
        (with("static_friction = 0.9", "static_friction = «101"), "E301", "0 to 100"),
        (
            with("static_friction = 0.9", "static_friction = 0.9\nrestitution = «1.5"),
            "E301",
            "0 to 1",
        ),
        (with("normal = [0, 0, 1]", "normal = «[0, 0, 0]"), "E301", "direction"),
        (with("name = \"floor\"", "name = \"floor\"\nmaterial = «\"rubbr\""), "E307", "`rubber`"),
        (with("method = \"rk4\"", "method = «\"rk5\""), "E307", "`rk4`"),
        (with("law = \"threshold\"", "law = «\"treshold\""), "E307", "`threshold`"),
        (with("particle = {}", "«particel = {}"), "E307", "`particle`"),
        (with("shape = { plane", "shape = { «plan"), "E307", "`plane`"),
        (and("[[push]]\nbody = «\"bxo\"\nforce = [1, 0, 0]\n"), "E307", "`box`"),
        (and("[[measure]]\nname = \"t\"\nkind = «\"tlit\"\nbody = \"box\"\n"), "E307", "`tilt`"),
        (and("[pairing]\nfriction = «\"avg\"\n"), "E307", "minimum"),
        (and("[[pair]]\nmaterials = [\"rubber\", «\"ice\"]\n"), "E307", "rubber"),
        (and("[expect]\nx = { at = «\"start\", value = 1, tolerance = 0 }\n"), "E307", "max"),
        (and("[world]\nplanar = «\"zx\"\n"), "E307", "xz"),
        (and("«[[measure]]\nname = \"t\"\nkind = \"tilt\"\n"), "E203", "`body`"),
        (
            and(
                "[[measure]]\nname = \"t\"\nkind = \"tilt\"\nbody = \"box\"\ndirection = «[1, 0, 0]\n",
            ),
            "E310",
            "direction",
        ),
        (formula("mu = «\"0.3 + t\""), "E311", "at character 7"),
        (formula("mu = «\"0.3 + mu_m\""), "E311", "did you mean `mu_"),
        (formula("mu = «\"0.3 - s\""), "E311", "negative at s = "),
        (formula("force = «\"0.3*N/s\""), "E311", "no finite value at s = 0 m/s"),
        (formula("mu = \"0.3\", force = «\"0.3*N\""), "E311", "both"),
        (formula("mu = \"a\", constants = { a = «\"b\" }"), "E204", "a number"),
        (formula("mu = \"0.3\", constants = { «sin = 1 }"), "E311", "knows already"),
        (formula("mu = \"0.3\", constants = { «\"a b\" = 1 }"), "E311", "no name"),
        (formula("mu = \"0.3\", constants = «{ s = 1 }"), "E311", "something else"),
        (formula("mu = \"0.3\", constants = «3"), "E204", "a table of numbers"),
        (implicit("phi = «\"2 + 3\""), "E311", "none of x, y and z"),
        (implicit("phi = «\"z - u\""), "E311", "variables: `x`, `y`, `z`"),
        (implicit("phi = «\"log(z)\""), "E311", "no finite value at ["),
        (
            with(
                "law = \"linear\", stiffness = 2e5",
                "law = \"hunt-crossley\", stiffness = 2e5, dissipation = 1, restitution = «0.5",
            ),
            "E311",
            "both decide",
        ),
        (with("mass = 1.0", "mass = 1.0\ndensity = «3"), "E310", "both"),
        (with("particle = {}", "particle = {}, «rope = {}"), "E310", "one kind"),
        (
            and("[[pin]]\nbody = \"box\"\nwhere = «{ particles = [0], nearest = [0, 0, 0] }\n"),
            "E310",
            "exactly one",
        ),
        (and("[[pin]]\nbody = \"box\"\nwhere = { particles = [0, «-1] }\n"), "E301", "-1"),
        (
            and("[[push]]\nbody = \"box\"\nforce = [1, 0, 0]\nfrom = 1\nuntil = «0.5\n"),
            "E310",
            "later",
        ),
        (
            with(
                "[[collider]]",
                "[[body]]\nname = «\"box\"\nmass = 1\nshape = { particle = {} }\n[[collider]]",
            ),
            "E306",
            "`box`",
        ),
        (with("name = \"box\"", "name = «\"\""), "E305", "empty"),
        (with("name = \"box\"", "name = «\"b\\u001b[31mx\""), "E305", "\\u{1b}"),
        (with("name = \"box\"", "name = «\"b\u{202e}x\""), "E305", "U+202E"),
        (with("name = \"box\"", "name = «\"b\u{200b}x\""), "E305", "U+200B"),
        (with("name = \"box\"", "name = \"b\\u«D800x\""), "E101", "TOML"),
        (with("name = \"box\"", "name = \"b«\0x\""), "E104", "NUL"),
        (with("end = 1.0\n", "end = 1.0«\r"), "E104", "line feed"),
        (with("format = 1", "format = «99"), "E206", "reads format 1"),
        (with("format = 1\n", "«"), "E206", "format = 1"),
        (and("«[[curve]]\nphi = \"x\"\n"), "E203", "body"),
        (and("[[curve]]\nbody = \"box\"\nphi = «[\"x\", \"y\", \"z\"]\n"), "E204", "list of two"),
        (and("[[curve]]\nbody = \"box\"\nphi = «\"x + w\"\n"), "E311", "unknown name `w`"),
        (
            and(
                "[[curve]]\nbody = \"box\"\nphi = \"x\"\nfriction = { kinetic = 1, static = «0.5 }\n",
            ),
            "E310",
            "at least",
        ),
        (with("[contact]\n", "[contact]\nmethod = «\"impuls\"\n"), "E307", "`impulse`"),
        (with("mass = 1.0", "mass = 1.0\nrigid = «1"), "E204", "true"),
        (and("[view]\nfollow = «\"bix\"\n"), "E307", "did you mean `box`"),
        (and("[view]\nfollow = «\"ball\"\n"), "E307", "known: `all`, `nothing`, `box`"),
        (and("[view]\npitch = «100\n"), "E301", "from -90 to 90 in degrees"),
        (and("[view]\nzoom = «0\n"), "E301", "0.001"),
        (and("[view]\nspeed = «-1\n"), "E301", "> 0"),
        (and("[view]\ntarget = «[0, 1]\n"), "E304", "3 numbers"),
        (and("[view]\nprojection = «\"ortho\"\n"), "E307", "`orthographic`"),
        (and("[view]\nshow = «\"heet\"\n"), "E307", "did you mean `heat`"),
        (and("[view]\nshow = [\"heat\", «\"help\"]\n"), "E307", "`plots`"),
        (and("[view]\nhide = «true\n"), "E204", "or a list of them"),
        (and("[view]\nshow = \"heat\"\nhide = «[\"panel\", \"heat\"]\n"), "E310", "both"),
        (and("[view]\n«jaw = 3\n"), "E201", "did you mean `yaw`"),
        (and("«[[view]]\nyaw = 3\n"), "E204", "single brackets"),
        (
            with("[materials.rubber]\nstatic_friction = 0.9\n", "")
                .replace(
                    "[[collider]]\nname = \"floor\"",
                    "[[collider]]\nname = \"floor\"\nmaterial = «\"ice\"",
                )
                .replace("mass = 1.0\n", "mass = 1.0\nmaterial = \"ice\"\n"),
            "E307",
            "known: none",
        ),
        (format!("include = [«\"../x.toml\"]\n{}", whole()), "E107", ".."),
        (format!("include = [«\"/etc/passwd\"]\n{}", whole()), "E107", "absolute"),
        (format!("include = [«\"~/x.toml\"]\n{}", whole()), "E107", "~"),
        (format!("include = [«\"missing.toml\"]\n{}", whole()), "E107", "no such file"),
        (format!("include = [«\"src\"]\n{}", whole()), "E107", "directory"),
        (format!("include = [«3]\n{}", whole()), "E204", "file names"),
        (format!("include = «\"a.toml\"\n{}", whole()), "E204", "list"),
    ]
}

#[test]
fn every_bad_scene_is_told_where_and_why() {
    let mut failures = Vec::new();
    for (marked, code, word) in bad_scenes() {
        let at = marked.find('«').expect("a mark");
        let text = marked.replace('«', "");
        let wanted = {
            let line_start = text[..at].rfind('\n').map_or(0, |n| n + 1);
            (text[..at].matches('\n').count() + 1, text[line_start..at].chars().count() + 1)
        };
        match read(&text) {
            Ok(_) => failures.push(format!("accepted, {code} expected:\n{marked}")),
            Err(errors) => {
                let hit = errors.diagnostics.iter().any(|d| {
                    let place = d.place.map(|place| position(&errors.sources, place));
                    let says = format!("{} {}", d.message, d.help).contains(word);
                    d.code == code && place == Some(wanted) && says
                });
                let printed = errors.render(false);
                let line = format!("error[{code}] scene.toml:{}:{}: ", wanted.0, wanted.1);
                if !hit || !printed.contains(&line) {
                    failures.push(format!("wanted {line}... {word} ... got\n{printed}"));
                }
                if printed.chars().any(|c| c.is_control() && c != '\n') {
                    failures.push(format!("control characters in {printed:?}"));
                }
                if errors.kind != FailureKind::Scene {
                    failures.push(format!("kind {:?} of {code}", errors.kind));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n----\n"));
}

#[test]
fn most_bad_scenes_give_exactly_one_error() {
    let several = bad_scenes()
        .iter()
        .filter(|(text, ..)| read(&text.replace('«', "")).is_err_and(|e| e.count() > 1))
        .count();
    assert!(several <= 10, "{several} scenes give more than one error for one fault");
}

#[test]
fn a_valid_scene_is_accepted_and_has_no_warnings() {
    let options = LoadOptions::default();
    let text = whole();
    let loaded = load_text("s", &text, Path::new("."), &options).map_err(|e| e.to_string());
    let loaded = loaded.unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let scene = loaded.scene;
    assert_eq!(
        (scene.time.steps, scene.time.steps_per_frame, scene.time.frames()),
        (1000, 100, 11)
    );
    assert_eq!(scene.gravity.z, -9.81);
    assert_eq!(scene.contact.normal.values.get_number("damping"), None);
    assert_eq!(scene.materials[0].kinetic_friction, 0.9);
}

#[test]
fn byte_order_marks_and_carriage_returns() {
    let crlf = whole().replace('\n', "\r\n");
    assert!(read(&format!("\u{feff}{crlf}")).is_ok());
    let errors = read(&format!("\u{feff}frmat = 1\r\n{crlf}")).unwrap_err();
    assert!(errors.render(false).starts_with("error[E201] scene.toml:1:1: "), "{errors}");
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(whole().encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let load = |bytes: &[u8]| load_bytes("s.toml", bytes, Path::new("."), &LoadOptions::default());
    assert!(load(&utf16).unwrap_err().to_string().contains("UTF-16"));
    let text = load(b"format = 1\ntitle = \"\xff\"\n").unwrap_err().to_string();
    assert!(text.contains("E103] s.toml:2:10") && text.contains("byte 20 (line 2)"), "{text}");
}

#[test]
fn all_independent_errors_come_at_once_and_are_capped() {
    let text = with("mass = 1.0", "mass = 0").replace("rk4", "rk5").replace("2e5", "-1");
    let errors = read(&text).unwrap_err();
    let codes: Vec<_> = errors.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E307", "E301", "E301"]);
    let many: String = (0..100_000).map(|n| format!("k{n} = 1\n")).collect();
    let errors = read(&format!("{many}{}", whole())).unwrap_err();
    let printed = errors.render(false);
    assert_eq!(printed.matches("error[").count(), 20);
    assert!(printed.contains("99980 more; 100000 in all"), "{printed}");
}

#[test]
fn unused_materials_and_uneven_frames_are_warned_about() {
    let text = with("output = 0.1", "output = 0.3") + "[materials.ice]\nstatic_friction = 0.1\n";
    let text = text.replace("name = \"box\"\n", "name = \"box\"\nmaterial = \"rubber\"\n");
    let text = text.replace("name = \"floor\"\n", "name = \"floor\"\nmaterial = \"rubber\"\n");
    let loaded = load_text("s", &text, Path::new("."), &LoadOptions::default()).unwrap();
    let codes: Vec<_> = loaded.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["W402", "W401"]);
}

/// A formula may be larger than what the materials state; only the pair can tell.
#[test]
fn a_formula_beyond_its_materials_is_pointed_at() {
    let text = formula("mu = \"1.2 - 0.2*tanh(s)\"");
    let error = build(&read(&text).unwrap(), &BuildOptions::default()).err().unwrap();
    let BuildError::Scene { problem, place } = error else { panic!("{error:?}") };
    assert_eq!(&text[place.start..place.end], "\"1.2 - 0.2*tanh(s)\"");
    for word in ["1.2 at s = 0 m/s", "is 0.9", "rubber on rubber"] {
        assert!(problem.message.contains(word), "{word}: {}", problem.message);
    }
    let text = formula("mu = \"a - 0.2*tanh(s/v)\", constants = { a = 0.9, v = 2.5e-3 }");
    let scene = read(&text).unwrap();
    assert!(build(&scene, &BuildOptions::default()).is_ok());
    // shown and loaded again it is the same
    let loaded = load_text("s", &text, Path::new("."), &LoadOptions::default()).unwrap();
    let again = read(&show(&loaded)).unwrap();
    assert_eq!(again.contact.friction.values, scene.contact.friction.values);
    let text = implicit("phi = \"z - a*sin(5*x)\", constants = { a = 0.1 }");
    let scene = set(&text, &["collider.floor.shape.implicit.constants.a = 0.2"]).unwrap();
    assert_eq!(scene.colliders[0].shape.values.constants("constants")["a"], 0.2);
}

/// Lagged normal forces are known only where something touches; adhesion pulls across gaps too.
#[test]
fn adhesion_is_refused_where_normal_forces_are_lagged() {
    let sticky = with("[contact]\n", "[contact]\nadhesion = { force = 0.1, range = 1e-3 }\n");
    assert!(build(&read(&sticky).unwrap(), &BuildOptions::default()).is_ok());
    let text = sticky.replace("\"rk4\"", "\"imex\"");
    let error = build(&read(&text).unwrap(), &BuildOptions::default()).err().unwrap();
    let BuildError::Scene { problem, place } = error else { panic!("{error:?}") };
    let line = text[..place.start].rfind('\n').map_or("", |n| &text[n + 1..]);
    assert!(line.starts_with("adhesion"), "{line}");
    assert!(problem.message.contains("`imex` does not feel adhesion"), "{}", problem.message);
    assert!(problem.help.contains("implicit-euler"), "{}", problem.help);
    assert!(build(&read(&with("\"rk4\"", "\"imex\"")).unwrap(), &BuildOptions::default()).is_ok());
}

/// Formulas of time without a value or a rate during the run, and pins that contradict each other
/// or themselves, are told before the run, at their table.
#[test]
fn what_time_cannot_lead_is_told_before_the_run() {
    let motion = |of: &str, direction: &str, formula: &str| {
        format!("[[motion]]\nof = \"{of}\"\ndirection = {direction}\nformula = \"{formula}\"\n")
    };
    let floor = |formula: &str| motion("floor", "[1, 0, 0]", formula);
    let pin = |name: &str, axes: &str| {
        format!("[[pin]]\nname = \"{name}\"\nbody = \"box\"\naxes = \"{axes}\"\n")
    };
    let two = pin("a", "xyz") + &pin("b", "z") + &motion("b", "[0, 0, 1]", "t");
    let push = |formula: &str| {
        format!(
            "[[push]]\nbody = \"box\"\nforce = [1, 0, 0]\nfactor = {{ formula = \"{formula}\" }}\n"
        )
    };
    for (text, says) in [
        (floor("sqrt(t - 0.5)"), "the motion of `floor` is not a number at t = 0 s"),
        (floor("log(t)"), "the motion of `floor` is not a number at t = 0 s"),
        (floor("sqrt(t)"), "its formula or its rate has no value there"),
        (floor("sqrt(0.5 - t)"), "the motion of `floor` is not a number at t = 0.5 s"),
        (floor("exp(1000*t)"), "the motion of `floor` is not a number at t = 0.703 s"),
        (push("log(0.3 - t)"), "the factor of a push is not a number at t = 0.3 s"),
        (pin("a", "yz") + &motion("a", "[1, 0, 1]", "t"), "moved along x, which it does not hold"),
        (two, "particle 0 of `box` is held along z by two pins that move differently"),
    ] {
        let error = build(&read(&and(&text)).unwrap(), &BuildOptions::default()).err().unwrap();
        let BuildError::Scene { problem, place } = error else { panic!("{text}: {error:?}") };
        assert!(problem.message.contains(says), "{text}: {}", problem.message);
        assert!(place.end > place.start && !problem.help.is_empty(), "{text}");
    }
    let fine = [
        floor("sqrt(t + 1)"),
        floor("log(t)") + "from = 0.1\n",
        pin("a", "x") + &pin("b", "xz") + &motion("b", "[0, 0, 1]", "t"),
    ];
    for text in fine {
        assert!(build(&read(&and(&text)).unwrap(), &BuildOptions::default()).is_ok(), "{text}");
    }
}

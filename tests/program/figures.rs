//! Figures at the width of a printed column: letters that can be read, numbers that differ, texts and
//! lines on the page, texts beside each other. Those of the documents, and one of each kind.

use crate::support::files::{files, home};
use assert_cmd::Command;
use std::path::{Path, PathBuf};
use stiction_lab::output::plots::figure::letters::width;

fn stiction() -> Command {
    Command::cargo_bin("stiction").expect("the program")
}

/// A text of an SVG.
#[derive(Debug)]
struct Text {
    panel: usize,
    class: String,
    text: String,
    size: f64,
    /// left, top, right, bottom \[pt\]
    place: [f64; 4],
}

fn value<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    line.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

fn number(line: &str, name: &str) -> f64 {
    value(line, name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name}: {line}"))
}

/// All texts; their boxes reach from the baseline to the height of a capital letter.
fn texts(svg: &str) -> Vec<Text> {
    let (mut texts, mut panel) = (Vec::new(), 0);
    for line in svg.lines() {
        panel += usize::from(line.starts_with("<g "));
        let Some(inner) = line.strip_prefix("<text").and_then(|rest| rest.strip_suffix("</text>"))
        else {
            continue;
        };
        let text = inner.split_once('>').expect("an element").1;
        // subscripts are counted as wide as letters
        let plain = |part: &str| part.split_once('>').map_or("", |(_, text)| text).to_string();
        let parts = text.split('<').enumerate();
        let text: String =
            parts.map(|(k, part)| if k == 0 { part.into() } else { plain(part) }).collect();
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let (x, y, size) = (number(line, "x"), number(line, "y"), number(line, "font-size"));
        let long = width(&text, size, value(line, "font-weight").is_some());
        let before = match value(line, "text-anchor").expect("an anchor") {
            "start" => 0.0,
            "middle" => long / 2.0,
            _ => long,
        };
        let high = 0.73 * size;
        let place = match value(line, "transform") {
            // a text that is read upwards
            Some(_) => [x - high, y + before - long, x, y + before],
            None => [x - before, y - high, x - before + long, y],
        };
        let class = value(line, "class").unwrap_or_default().to_string();
        texts.push(Text { panel, class, text, size, place });
    }
    texts
}

/// Checks a figure that was drawn at the width of a column.
fn check(path: &Path) {
    let svg = std::fs::read_to_string(path).expect("a figure");
    let head = svg.lines().next().expect("a line");
    assert_eq!(value(head, "width"), Some("3.3in"), "{head}");
    let box_ = value(head, "viewBox").expect("a box");
    let sides: Vec<f64> = box_.split(' ').map(|side| side.parse().expect("points")).collect();
    assert_eq!(sides[2], 237.6, "{box_}");
    let sizes = svg.split("font-size=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let sizes: Vec<f64> = sizes.map(|size| size.parse().expect("points")).collect();
    assert!(sizes.iter().all(|size| *size >= 7.0), "{sizes:?}");
    for line in svg.split(" points=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        for place in line.split(' ') {
            let (x, y) = place.split_once(',').expect("a place");
            let inside =
                |at: &str, side: f64| at.parse().is_ok_and(|at| (0.0..=side).contains(&at));
            assert!(inside(x, sides[2]) && inside(y, sides[3]), "{place} in {}", path.display());
        }
    }
    let texts = texts(&svg);
    let numbers = texts.iter().filter(|text| !text.class.is_empty()).count();
    assert!(numbers >= 4, "{numbers} numbers of axes in {}", path.display());
    for (k, text) in texts.iter().enumerate() {
        assert!(text.size >= 7.0, "{text:?}");
        let [left, top, right, bottom] = text.place;
        assert!(left >= 0.0 && top >= 0.0 && right <= sides[2] && bottom <= sides[3], "{text:?}");
        assert!(!text.text.contains('…'), "{text:?} is cut in {}", path.display());
        for other in &texts[..k] {
            let [x0, y0, x1, y1] = other.place;
            let apart = right <= x0 || x1 <= left || bottom <= y0 || y1 <= top;
            assert!(apart, "{text:?} covers {other:?} in {}", path.display());
            let of_one_axis =
                !text.class.is_empty() && (text.panel, &text.class) == (other.panel, &other.class);
            assert!(!of_one_axis || text.text != other.text, "{text:?} twice");
        }
    }
}

/// Pictures that a page shows, by their places.
fn shown(page: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(page).expect("a page");
    let folder = page.parent().expect("its folder");
    let links =
        text.split("![").skip(1).filter_map(|rest| rest.split_once("](")?.1.split(')').next());
    links.map(|link| folder.join(link).canonicalize().expect(link)).collect()
}

/// A picture of the documents is a figure in docs/figures, which is held to the width of a column, or
/// a still of the window in docs/pictures.
#[test]
fn figures_of_the_documents_fit_into_a_column() {
    let [figures, pictures] =
        ["docs/figures", "docs/pictures"].map(|path| home(path).canonicalize().expect("a folder"));
    let folders = ["docs", "crates", "examples", "exam", "tests"].map(home);
    let mut pages: Vec<PathBuf> = folders.iter().flat_map(|folder| files(folder, "md")).collect();
    pages.extend(["README.md", "web/README.md"].map(home));
    let all: Vec<PathBuf> = pages.iter().flat_map(|page| shown(page)).collect();
    let drawn = std::fs::read_dir(&figures).expect("a folder").map(|entry| entry.unwrap().path());
    let (held, stills): (Vec<PathBuf>, Vec<PathBuf>) =
        all.into_iter().chain(drawn).partition(|path| !path.starts_with(&pictures));
    assert!(stills.iter().all(|path| path.extension().is_some_and(|ending| ending == "png")));
    for path in &held {
        assert!(path.starts_with(&figures), "{} is not in docs/figures", path.display());
        assert!(path.extension().is_some_and(|ending| ending == "svg"), "{}", path.display());
        check(path);
    }
    assert!(held.len() > 12 && stills.len() > 2, "{held:?} {stills:?}");
}

#[test]
fn every_kind_of_figure_fits_into_a_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let draw = |arguments: &[&str], name: &str, more: &[&str]| {
        let path = at(name);
        let mut command = stiction();
        command.args(arguments).arg(&path).args(["--size", "column"]).args(more);
        command.assert().success();
        check(&path);
    };
    let creep = "scenes/incline_creep.toml";
    draw(&["run", creep, "--set", "time.end=0.05", "--verify", "--plot"], "run.svg", &[]);
    let bead = "scenes/bead_on_sine.toml";
    draw(&["run", bead, "--set", "time.end=0.2", "--plot"], "bead.svg", &[]);
    // work and precision: an axis of decades, one of less than a decade, many lines
    let compared = ["compare", creep, "--integrators", "rk4,heun,implicit-euler", "--jobs", "1"];
    let steps = ["--steps", "1e-4,2e-4,4e-4", "--set", "time.end=0.02", "--plot"];
    draw(&[&compared[..], &steps].concat(), "compare.svg", &[]);
    draw(&["list", "pairing", "--plot"], "pairing.svg", &[]);

    let sweep = at("sweep");
    let mut command = stiction();
    command.args(["sweep", creep, "--set", "time.end=0.01", "--step", "1e-4", "--out"]).arg(&sweep);
    command.args(["--vary", "contact.friction.epsilon=0.0140..0.0149:4"]);
    command.args(["--vary", "materials.wood.static_friction=0.6,0.65,0.7"]);
    command.assert().success();
    let sweep = sweep.to_string_lossy().into_owned();
    let over = ["sweep", "plot", &sweep, "--x", "contact.friction.epsilon", "--value", "creep"];
    let friction = "materials.wood.static_friction";
    let lines = [&over[..], &["--by", friction, "-o"]].concat();
    draw(&lines, "lines.svg", &[]);
    draw(&lines, "logarithmic.svg", &["--log", "xy"]);
    draw(&[&over[..], &["--panels-by", friction, "-o"]].concat(), "panels.svg", &[]);
    draw(&lines, "law.svg", &["--line", "law_creep", "--errors", "off"]);
    draw(&[&over[..], &["--y", friction, "-o"]].concat(), "map.svg", &["--log", "z"]);
    let svg = std::fs::read_to_string(at("map.svg")).expect("drawn");
    assert!(svg.contains("creep over ε and μ<tspan"), "the title has symbols");
}

#[test]
fn options_of_a_figure_are_heard_and_wrong_ones_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.svg");
    let run = |more: &[&str]| {
        let mut command = stiction();
        command.args(["run", "scenes/incline_creep.toml", "--set", "time.end=0.02"]);
        command.args(more).assert()
    };
    let file = path.to_string_lossy().into_owned();
    let plot = ["--plot", file.as_str(), "--size", "84mm x 60mm", "--font-size", "7pt"];
    let words = ["--title", "", "--x-label", "t [s]", "--y-label", "v [m/s]", "--panels", "creep"];
    run(&[&plot[..], &words, &["--data", "--script"]].concat()).success();
    let svg = std::fs::read_to_string(&path).expect("drawn");
    assert!(svg.starts_with("<svg width=\"84mm\" height=\"60mm\""), "{svg}");
    assert!(svg.contains(">t [s]<") && svg.contains(">v [10⁻⁴ m/s]<"), "{svg}");
    assert!(svg.contains("font-size=\"7\"") && !svg.contains("incline"));
    let data = std::fs::read_to_string(folder.path().join("a.csv")).expect("its numbers");
    assert!(data.starts_with("panel,series,name,style,colour,x,y,symbol\n0,0,"), "{data}");
    let script = std::fs::read_to_string(folder.path().join("a.py")).expect("its script");
    assert!(
        script.contains("NAME, DRAWN = \"a\", \"a\"") && script.contains("which is missing here")
    );
    // the figure and its data are replaced, a file of somebody else's is not
    run(&[&plot[..], &["--data"]].concat()).success();
    std::fs::write(folder.path().join("a.csv"), "time,mine\n").expect("written");
    run(&[&plot[..], &["--data"]].concat()).code(8);

    for (arguments, words) in [
        (&["--plot", &file, "--panels", "creeep"][..], "did you mean `creep`?"),
        (&["--plot", &file, "--size", "3.3"], "3.3in"),
        (&["--plot", &file, "--font-size", "6pt"], "7 pt"),
        (&["--plot", &file, "--log", "w"], "x, y, xy or none, or z for the colours"),
        (&["--plot", &file, "--log", "y"], "--log"),
        (&["--plot", &file, "--log", "z"], "these are lines"),
        (&["--plot", &file, "--size", "3in x 1in"], "one panel does not fit into a height of 1in"),
        (&["--size", "column"], "--plot FILE"),
    ] {
        let output = run(arguments).code(2).get_output().clone();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
}

/// A panel that is named by one of its measures draws it alone; what is reduced to a number is none of
/// the curves.
#[test]
fn panels_of_a_run_draw_what_they_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.svg");
    let drawn = |panels: &str| {
        let mut command = stiction();
        command.args(["run", "scenes/stick_slip.toml", "--set", "time.end=0.1", "--plot"]);
        command.arg(&path).args(["--panels", panels]).assert()
    };
    drawn("pull").success();
    let svg = std::fs::read_to_string(&path).expect("drawn");
    assert!(svg.contains(">pull [") && svg.contains("period none"), "{svg}");
    assert!(!svg.contains("friction [") && !svg.contains("expected"), "only what is named");
    drawn("pull,friction").success();
    let svg = std::fs::read_to_string(&path).expect("drawn");
    assert!(svg.contains(">pull, friction ["), "{svg}");
    drawn("swing").code(2);
}

/// A height that does not suffice is refused before a run, at the width that was typed.
#[test]
fn a_height_is_judged_before_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.svg");
    let refused = |verb: &str, more: &[&str]| {
        let mut command = stiction();
        // a thousand seconds of a scene that takes some to run one
        command.args([verb, "scenes/incline_creep.toml", "--set", "time.end=1000", "--plot"]);
        let output = command.arg(&path).args(more).assert().code(2).get_output().clone();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let error = refused("run", &["--size", "3.3in x 1.2in"]);
    assert!(error.contains("as --size \"3.3in x "), "{error}");
    let error = refused("compare", &["--size", "84mm x 60mm", "--integrators", "rk4"]);
    assert!(error.contains("4 panels below each other") && error.contains("\"84mm x "), "{error}");
}

/// A comparison draws the scene's measures over time, by their names.
#[test]
fn measures_are_panels_of_a_comparison() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.svg");
    let compared = |panels: &str| {
        let mut command = stiction();
        command.args(["compare", "scenes/stick_slip.toml", "--set", "time.end=0.05"]);
        command.args(["--integrators", "rk4", "--steps", "1e-3,5e-4", "--no-reference"]);
        command.arg("--plot").arg(&path).args(["--title", "", "--panels", panels]).assert()
    };
    compared("pull").success();
    let svg = std::fs::read_to_string(&path).expect("drawn");
    // the axis alone has the name of a single panel, and lines of unequal steps unequal dashes
    assert!(svg.contains(">pull [N]<") && !svg.contains(">pull<"), "{svg}");
    assert!(svg.contains("stroke-dasharray"), "{svg}");
    let error = compared("pul").code(2).get_output().clone();
    let error = String::from_utf8_lossy(&error.stderr).into_owned();
    assert!(error.contains("did you mean `pull`?") && error.contains("`friction`"), "{error}");
}

/// The messages of a command on stderr, with the figure that it has drawn.
fn drawn(arguments: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.svg");
    let mut command = stiction();
    let output = command.args(arguments).arg("--plot").arg(&path).output().expect("an end");
    let svg = std::fs::read_to_string(&path).expect("drawn");
    (String::from_utf8_lossy(&output.stderr).into_owned(), svg)
}

/// The steps of a legend are numbers in full, in one notation.
#[test]
fn steps_of_a_legend_have_their_power_of_ten() {
    for (steps, words) in [
        ("1e-4,2e-4", ["h = 10⁻⁴ s", "h = 2·10⁻⁴ s"]),
        ("1e-3,2e-3", ["h = 10⁻³ s", "h = 2·10⁻³ s"]),
        ("1e-4,1.25e-4", ["h = 1.00·10⁻⁴ s", "h = 1.25·10⁻⁴ s"]),
        ("1e-4,1e-3", ["h = 10⁻⁴ s", "h = 10⁻³ s"]),
        ("1e-5,1e-4,1e-3", ["h = 10⁻⁵ s", "h = 10⁻³ s"]),
    ] {
        let scene = ["compare", "scenes/stick_slip.toml", "--set", "time.end=0.02"];
        let methods = ["--integrators", "rk4,heun", "--no-reference", "--steps", steps];
        let (_, svg) = drawn(&[&scene[..], &methods].concat());
        assert!(words.iter().all(|word| svg.contains(word)), "{steps}: {svg}");
    }
}

/// A point that a logarithmic axis cannot hold is counted for the axis that cannot.
#[test]
fn a_time_that_is_not_above_0_is_called_by_its_name() {
    let run = ["run", "scenes/stick_slip.toml", "--set", "time.end=0.02", "--panels", "pull"];
    let (said, svg) = drawn(&[&run[..], &["--log", "x"]].concat());
    let words = "points, where time is not above 0";
    assert_eq!((said.matches(words).count(), svg.matches(words).count()), (1, 1), "{said}");
    assert!(said.contains("logarithmic axes: without 1 of "), "{said}");
}

/// The figure of a run says that it is not trusted, and that it failed.
#[test]
fn a_run_that_is_not_trusted_or_failed_says_so_in_its_figure() {
    let creep = ["run", "scenes/incline_creep.toml", "--set"];
    let wrong = ["time.end=0.1", "--integrator", "explicit-euler", "--step", "1e-2"];
    let (_, svg) = drawn(&[&creep[..], &wrong].concat());
    assert!(svg.contains(">not trusted: step-above-stable-step, energy-unaudited"), "{svg}");
    let right = ["time.end=0.02", "--step", "1e-5"];
    assert!(!drawn(&[&creep[..], &right].concat()).1.contains("not trusted"));
    let blown = ["run", "scenes/stick_slip.toml", "--set", "time.end=100", "--step", "0.5"];
    let method = ["--integrator", "explicit-euler", "--set", "time.output=10"];
    let (said, svg) = drawn(&[&blown[..], &method].concat());
    assert!(svg.contains(">failed: the simulation blew up at t = 4.5"), "{said}\n{svg}");
    assert!(svg.contains("not trusted: step-above-stable-step"), "{svg}");
}

/// Letters too large for the width are refused before a run.
#[test]
fn letters_too_large_for_the_width_are_refused_before_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    for (verb, more) in [
        ("run", &["--font-size", "40pt"][..]),
        ("run", &["--font-size", "28"]),
        ("compare", &["--columns", "2", "--font-size", "16"]),
    ] {
        let mut command = stiction();
        command.args([verb, "scenes/incline_creep.toml", "--set", "time.end=1000", "--plot"]);
        command.arg(folder.path().join("a.svg")).args(["--size", "column"]).args(more);
        let output = command.assert().code(2).get_output().clone();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("into a width of 3.3in with letters of"), "{text}");
    }
}

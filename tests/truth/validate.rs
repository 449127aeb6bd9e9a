//! The cases whose answers are known, group by group, and what the program says of them.

use assert_cmd::Command;
use stiction_lab::validation::{CaseFigure, CasePlan, RigSetting, cases, groups};

/// Runs a group and asserts that every figure is within its tolerance.
fn green(group: &str) {
    let plan = CasePlan::of(|case| case.group == group);
    assert!(plan.trials() > 0, "there is no group {group}");
    let outcomes = plan.run(&RigSetting::default(), &|_| {});
    let said = |name: &str, figure: &CaseFigure| {
        let CaseFigure { variant, name: what, reference, measured, tolerance, trouble, .. } =
            figure;
        let trouble = trouble.as_deref().unwrap_or("");
        format!(
            "{name}: {variant}: {what}: {measured:e}, not {reference:e}; error {:.3e}, tolerance {tolerance:e} {trouble}",
            figure.error()
        )
    };
    let mut red = Vec::new();
    for outcome in &outcomes {
        assert!(!outcome.figures.is_empty(), "{} measures nothing", outcome.case.name);
        assert!(outcome.gaps.is_empty(), "not validated: {:?}", outcome.gaps);
        for figure in outcome.figures.iter().filter(|figure| !figure.green()) {
            red.push(said(outcome.case.name, figure));
        }
    }
    assert!(red.is_empty(), "out of tolerance:\n{}", red.join("\n"));
}

#[test]
fn p1_sliding_block() {
    green("P1");
}

#[test]
fn p2_creep() {
    green("P2");
}

#[test]
fn p3_step_limits() {
    green("P3");
}

#[test]
fn p4_tip_or_slide() {
    green("P4");
}

#[test]
fn p5_capstan() {
    green("P5");
}

#[test]
fn p6_disc_and_ring() {
    green("P6");
}

#[test]
fn p7_bead_on_a_curve() {
    green("P7");
}

#[test]
fn p8_restitution_and_rest() {
    green("P8");
}

#[test]
fn pair_laws() {
    green("pairs");
}

#[test]
fn unit_level_references() {
    green("units");
}

#[test]
fn softness_in_closed_form() {
    green("softness");
}

#[test]
fn elastic_solids() {
    green("solids");
}

#[test]
fn every_group_has_its_test() {
    let tested =
        ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "pairs", "units", "softness", "solids"];
    assert_eq!(groups(), tested);
}

fn stiction(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let elsewhere = tempfile::tempdir().expect("a folder");
    let output = command
        .arg("validate")
        .args(arguments)
        .current_dir(elsewhere.path())
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

#[test]
fn the_list_names_every_case() {
    let (code, out, _) = stiction(&["--list"]);
    assert_eq!(code, 0);
    for case in cases() {
        assert!(out.contains(case.name), "{}:\n{out}", case.name);
    }
    let (_, out, _) = stiction(&["--list", "--only", "p6"]);
    assert!(out.contains("disc") && !out.contains("capstan"), "{out}");
}

#[test]
fn an_unknown_group_lists_the_known_ones() {
    let (code, out, said) = stiction(&["--only", "P6,P12"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        said.contains("`P12`") && said.contains("P8, pairs, units, softness, solids"),
        "{said}"
    );
}

#[test]
fn a_group_ends_with_its_summary_and_is_one_json_document() {
    let (code, out, said) = stiction(&["--only", "pairs"]);
    assert_eq!((code, said.as_str()), (0, ""));
    let last = out.lines().last().expect("a line");
    assert!(last.starts_with("validate: ") && last.contains("(pairs "), "{last}");

    for json in [&["--json"][..], &["--format", "json"]] {
        let (_, out, _) = stiction(&[&["--only", "pairs"], json].concat());
        let document: serde_json::Value = serde_json::from_str(&out).expect("a document");
        assert_eq!(document["figures"], document["within_tolerance"]);
        let figure = &document["cases"][0]["figures"][0];
        assert_eq!(figure["reference"], 0.0);
        assert_eq!(figure["within"], true);
    }
}

/// Measured values may differ in their last digits from machine to machine; the cases may not.
#[test]
fn the_page_of_the_documentation_has_every_case() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/validation.md");
    let page = std::fs::read_to_string(path).expect("docs/validation.md");
    for case in cases() {
        let head = format!("### {}\n\n{}\n", case.name, case.about);
        assert!(
            page.contains(&head),
            "run `stiction validate --markdown > docs/validation.md`: {head}"
        );
    }
}

//! Parameters of `creep` from MJCF: masses, inverse weights, rules of pairs, and what is not read.
//! Figures are those of MuJoCo 4.0.0: model.body_invweight0 and data.contact.

use super::engines::number;
use serde_json::{Value, json};
use stiction_engines::creep::document;

/// The answer to a model, with the force of a grip.
fn told(xml: &str, more: Value) -> Result<Value, String> {
    let mut given = json!({ "mjcf": xml });
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    document("mujoco", &given).map_err(|error| error.to_string())
}

/// A value that was read from a model.
fn read(told: &Value, key: &str) -> f64 {
    number(&told["model"]["read"][key])
}

/// A brick between two fingers, the first of which is as given.
fn grip(finger: &str) -> String {
    let other = r#"<body name="right" pos=".04 0 0"><joint type="slide" axis="1 0 0"/><geom type="box" size=".01 .01 .01" mass=".1"/></body>"#;
    format!(
        r#"<mujoco><worldbody><body name="brick"><freejoint/><geom type="box" size=".03 .03 .03" mass=".3"/></body>
        {finger}{other}</worldbody></mujoco>"#
    )
}

const PAD: &str = r#"<geom type="box" size=".01 .01 .01" mass=".1"/>"#;
const SLIDE: &str = r#"<joint type="slide" axis="1 0 0"/>"#;

/// The first finger: its place, and its content.
fn left(place: &str, content: &str) -> String {
    format!("<body name='left' pos='{place}'>{content}</body>")
}

/// A box of .1 kg as a geom.
fn pad(more: &str) -> String {
    format!("<geom type='box' size='.01 .01 .01' mass='.1' {more}/>")
}

/// Joints and geoms of a finger beside the brick, and model.body_invweight0 \[1/kg\].
fn contents() -> Vec<(String, f64)> {
    let slide = |more: &str| format!("<joint type='slide' {more}/>");
    let [along, across] = ["axis='1 0 0'", "axis='0 1 0'"].map(slide);
    let inertial = |pos: &str| format!("<inertial pos='{pos}' mass='.1' diaginertia='2 2 3'/>");
    let welded = "<body><geom size='.001' mass='.3' contype='0' conaffinity='0'/></body>";
    let third = |mass: f64| 1.0 / (3.0 * mass);
    vec![
        (along.clone() + PAD, 10.0),
        (slide("axis='1 0 0' armature='.1'") + PAD, 10.0),
        (slide("axis='1 1 0'") + PAD, third(0.1)),
        (along.clone() + &pad("euler='0 0 90'"), third(0.1)),
        (along.clone() + PAD + welded, third(0.4)),
        (along.clone() + &inertial("0 0 .1") + PAD, third(0.1)),
        (along.clone() + &inertial("0 0 0") + PAD, 10.0),
        (along.clone() + &across + PAD, 10.0),
        // 1,000 kg/m³ · 8e-6 m³
        (along + "<geom type='box' size='.01 .01 .01'/>", 125.0),
    ]
}

/// Fingers, and model.body_invweight0 of each \[1/kg\].
fn fingers() -> Vec<(String, f64)> {
    let near = |(content, weight): (String, f64)| (left("-.04 0 0", &content), weight);
    let mut all: Vec<(String, f64)> = contents().into_iter().map(near).collect();
    let plain = left("-.04 0 0", &format!("{SLIDE}{PAD}"));
    let carrier = "<body><geom size='.001' contype='0' conaffinity='0'/>";
    all.push((format!("{carrier}{plain}</body>"), 10.0));
    all.push((format!("<body><body>{plain}</body></body>"), 1.0 / 0.3));
    let below = left("-.04 0 -.1", &format!("{SLIDE}{}", pad("pos='0 0 .1'")));
    all.push((below, 1.0 / 0.3));
    all
}

#[test]
fn inverse_weights_are_those_of_mujoco() {
    for (finger, weight) in fingers() {
        let told = told(&grip(&finger), json!({ "grip_force": 16 }))
            .unwrap_or_else(|e| panic!("{finger}: {e}"));
        let off = read(&told, "other_invweight") / weight - 1.0;
        assert!(off.abs() < 1e-9, "{finger}: {}", told["model"]);
        assert_eq!((read(&told, "second_invweight"), read(&told, "mass")), (10.0, 0.3));
    }
}

/// A tree of hinges has a weight that is not read: MuJoCo's own number is asked for, and taken.
#[test]
fn a_weight_that_is_not_read_is_asked_for() {
    for finger in [
        format!("<body name='left' pos='-.04 0 0'><joint axis='0 1 0' pos='0 0 .5'/>{PAD}</body>"),
        format!(
            "<body name='arm'><joint/><geom size='.001' mass='1' contype='0' conaffinity='0'/><body name='left' pos='-.04 0 0'>{SLIDE}{PAD}</body></body>"
        ),
        format!(
            "<body name='left' pos='-.04 0 0'>{SLIDE}{PAD}<geom type='box' size='.01 .01 .01' mass='.1' contype='0' conaffinity='0'/></body>"
        ),
    ] {
        let xml = grip(&finger);
        let error = told(&xml, json!({ "grip_force": 16 })).expect_err("a refusal");
        assert!(error.contains("give other_invweight, in MuJoCo model.body_invweight0"), "{error}");
        let told =
            told(&xml, json!({ "grip_force": 16, "other_invweight": 4 })).expect("an answer");
        assert_eq!(read(&told, "other_invweight"), 4.0);
    }
}

/// A box on a floor.
fn floor(options: &str, ground: &str, own: &str, rest: &str) -> String {
    format!(
        r#"<mujoco>{options}<worldbody><geom name="floor" type="plane" size="9 9 1" {ground}/><body name="box" pos="0 0 .1">
        <freejoint/><geom name="cube" type="box" size=".2 .2 .1" mass="2" {own}/></body></worldbody>{rest}</mujoco>"#
    )
}

/// Priorities, mixes, classes, pairs and overrides.
#[test]
fn parameters_of_a_contact_follow_the_rules_of_pairs() {
    let tilt = r#"<option gravity="2 0 -9.6"/>"#;
    let solref = |told: &Value| [read(told, "timeconst"), read(told, "dampratio")];
    for (xml, reference, friction) in [
        (floor(tilt, "", "", ""), [0.02, 1.0], 1.0),
        (floor(tilt, r#"solref=".04 1""#, r#"friction=".4""#, ""), [0.03, 1.0], 1.0),
        (floor(tilt, r#"solref=".04 1" solmix="3""#, "", ""), [0.035, 1.0], 1.0),
        (floor(tilt, r#"solref=".04 1" friction=".5" priority="1""#, "", ""), [0.04, 1.0], 0.5),
        (
            floor(tilt, r#"solref=".04 1" friction=".5""#, r#"solref=".06" friction=".6""#, ""),
            [0.05, 1.0],
            0.6,
        ),
        (
            floor(
                tilt,
                "",
                r#"friction=".5""#,
                r#"<contact><pair geom1="cube" geom2="floor" solref=".03"/></contact>"#,
            ),
            [0.03, 1.0],
            1.0,
        ),
        (
            floor(
                r#"<option gravity="2 0 -9.6" o_solref=".025 1"><flag override="enable"/></option>"#,
                "",
                "",
                "",
            ),
            [0.025, 1.0],
            1.0,
        ),
        (
            floor(
                r#"<option gravity="2 0 -9.6"/><default><geom solref=".03 2" friction=".7"/><default class="a"><geom solref=".05"/></default></default>"#,
                r#"class="a""#,
                r#"class="a""#,
                "",
            ),
            [0.05, 2.0],
            0.7,
        ),
    ] {
        let told = told(&xml, json!({})).unwrap_or_else(|e| panic!("{xml}: {e}"));
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
        assert!(
            near(solref(&told)[0], reference[0]) && near(solref(&told)[1], reference[1]),
            "{xml}: {}",
            told["model"]
        );
        assert_eq!(read(&told, "friction"), friction, "{xml}");
        assert_eq!(told["exact"], true, "{told}");
    }
    let direct = floor(tilt, r#"solref="-2000 -80""#, r#"solref=".02 1""#, "");
    let told = told(&direct, json!({})).expect("an answer");
    assert_eq!((read(&told, "stiffness"), read(&told, "damping")), (2000.0, 80.0));
}

/// Parts that are not read make an estimate or a refusal, and are named.
#[test]
fn what_is_not_read_is_named() {
    let tilt = r#"<option gravity="2 0 -9.6"/>"#;
    for (xml, words) in [
        (floor(tilt, "", r#"euler="0 0 30""#, ""), "no edge of `box` points downhill"),
        (
            floor(tilt, "", "", "<equality><connect body1='box' anchor='0 0 0'/></equality>"),
            "<equality> is not read",
        ),
        (floor(r#"<option gravity="2 0 -9.6" wind="1 0 0"/>"#, "", "", ""), "`wind`"),
        (floor(&format!("<compiler settotalmass='3'/>{tilt}"), "", "", ""), "`settotalmass`"),
        (floor(r#"<option gravity="2 0 -9.6" solver="PGS"/>"#, "", "", ""), "the solver PGS"),
        (floor(r#"<option gravity="2 0 -9.6" iterations="5"/>"#, "", "", ""), "with 5 iterations"),
        (
            floor(tilt, "", "", "<actuator><adhesion body='box' gain='1'/></actuator>"),
            "<adhesion> presses",
        ),
        (floor(tilt, "", "", "").replace("<body ", "<body gravcomp='.5' "), "`gravcomp` of"),
        (
            floor(tilt, "", "", "").replace("<freejoint/>", "<freejoint/><geom size='.01'/>"),
            "touches by 2 pairs",
        ),
        (
            floor(tilt, "", "", "").replace(
                "<freejoint/>",
                "<freejoint/><inertial pos='.03 0 0' mass='1' diaginertia='.01 .01 .01'/>",
            ),
            "<inertial> has another place",
        ),
        (
            floor(tilt, "", "", "").replace(
                "<freejoint/>",
                "<freejoint/><geom size='.01' pos='0 0 .2' contype='0' conaffinity='0'/>",
            ),
            "it has several geoms",
        ),
        (
            floor(tilt, "", "", "")
                .replace(r#"type="box" size=".2 .2 .1""#, r#"type="cylinder" size=".2 .1""#),
            "it may roll",
        ),
        (
            floor(tilt, "", "", "").replace(
                r#"type="plane" size="9 9 1""#,
                r#"type="box" size=".15 1 .1" pos="0 0 -.1""#,
            ),
            "overhangs",
        ),
    ] {
        assert_named(&xml, json!({}), words);
    }
}

/// The same of grips.
#[test]
fn grips_that_are_not_read_are_named() {
    for (xml, words) in [
        (
            grip(&format!("<body name='left' pos='-.04 .01 0'>{SLIDE}{PAD}</body>")),
            "not between the pads",
        ),
        (grip(&format!("<body name='left' pos='-.04 0 .01'>{SLIDE}{PAD}</body>")), "not opposite"),
        (
            grip(&format!("<body name='left' pos='-.04 0 0' euler='20 0 0'>{SLIDE}{PAD}</body>")),
            "is turned",
        ),
    ] {
        assert_named(&xml, json!({ "grip_force": 16 }), words);
    }
}

/// Whether the estimate of a model, or its refusal, names something.
fn assert_named(xml: &str, more: Value, words: &str) {
    match told(xml, more) {
        Ok(told) => {
            let reason = told["estimate"].as_str().unwrap_or_else(|| panic!("exact: {xml}"));
            assert!(reason.contains(words), "{xml}: {reason}");
        }
        Err(error) => assert!(error.contains(words), "{xml}: {error}"),
    }
}

/// Models that are no answer are refused, with the names that would do.
#[test]
fn models_that_are_no_answer_are_refused() {
    let tilt = r#"<option gravity="2 0 -9.6"/>"#;
    for (xml, words) in [
        ("<mujoco", "the model, 1:"),
        ("<robot/>", "the outermost element of MJCF is <mujoco>"),
        ("<mujoco><include file='a.xml'/></mujoco>", "mj_saveLastXML"),
        ("<mujoco/>", "no <worldbody>"),
        (
            floor(
                tilt,
                "",
                "",
                "<contact><pair geom1='cube' geom2='floor' friction='.5'/></contact>",
            )
            .as_str(),
            "two coefficients of friction, 0.5 and 1",
        ),
        ("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", "no body has a free joint"),
    ] {
        let error = told(xml, json!({})).expect_err("a refusal");
        assert!(error.contains(words), "{xml}: {error}");
    }
    let two = grip(&format!("<body name='left' pos='-.04 0 0'>{SLIDE}{PAD}</body>"))
        .replace("<worldbody>", "<worldbody><geom type='plane' size='9 9 1' pos='0 0 -1'/>");
    let error = told(&two, json!({ "grip_force": 16 })).expect_err("three bodies");
    assert!(error.contains("give other=NAME; there are world, left, right"), "{error}");
    let named = told(&two, json!({ "grip_force": 16, "other": "left,right" })).expect("an answer");
    assert_eq!(named["exact"], true, "{named}");
    let error = document("drake", &json!({ "mjcf": two })).expect_err("another engine").to_string();
    assert!(error.contains("no law that MJCF describes"), "{error}");
}

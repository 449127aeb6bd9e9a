use super::super::random::SampleKind;
use super::*;

fn values(text: &str) -> Vec<String> {
    match SweepAxis::parse(text).expect(text).values {
        Values::Values(list) => list,
        Values::Sampled(range) => panic!("{text} is sampled: {range:?}"),
    }
}

fn refused(texts: &[&str], sample: Option<SamplePlan>) -> String {
    let axes: Vec<SweepAxis> =
        texts.iter().map(|text| SweepAxis::parse(text).expect(text)).collect();
    SweepGrid::new(axes, sample, 1000).expect_err("refused").to_string()
}

#[test]
fn lists_split_at_commas_outside_brackets_and_quotes() {
    assert_eq!(values("a=1, 2 ,x"), ["1", "2", "x"]);
    assert_eq!(values("a=[0, 1],[2, 3]"), ["[0, 1]", "[2, 3]"]);
    assert_eq!(values("a=\"p, q\",{ b = 1, c = [2, 3] }"), ["\"p, q\"", "{ b = 1, c = [2, 3] }"]);
    assert_eq!(values("a=../x.obj,y.obj"), ["../x.obj", "y.obj"]);
    assert_eq!(SweepAxis::parse("\"a=b\".c=1").expect("a quoted key").key, "\"a=b\".c");
}

#[test]
fn ranges_have_their_ends_and_short_decimals() {
    assert_eq!(values("a=0..1:5"), ["0", "0.25", "0.5", "0.75", "1"]);
    assert_eq!(values("a=0..0.6:linear:7"), ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
    assert_eq!(values("a=1e-5..1e-1:log:5"), ["1e-5", "0.0001", "0.001", "0.01", "0.1"],);
    let half = values("a=1..10:log:3");
    assert_eq!(half[1], "3.1622776601683795");
    assert_eq!(values("a=3..1:3"), ["3", "2", "1"]);
}

#[test]
fn what_is_no_axis_says_why() {
    for (text, why) in [
        ("a", "KEY=VALUES"),
        ("a=", "is empty"),
        ("a=1,,2", "value 2 of 3 is empty"),
        ("a=1..2:1", "from 2 to"),
        ("a=1..2:log:x", "from 2 to"),
        ("a=0..2:log:3", "above 0"),
        ("a=1..1:3", "two different"),
        ("a=1..inf:3", "finite"),
        ("a=1..2:cubic:3", "no range"),
        ("a=1..2:3,7", "one of several"),
    ] {
        let message = SweepAxis::parse(text).expect_err(text);
        assert!(message.contains(why), "{text}: {message}");
    }
}

#[test]
fn grids_that_make_no_sense_are_refused() {
    assert!(refused(&[], None).contains("nothing is varied"));
    assert!(refused(&["a=1,2", " a=3"], None).contains("varied twice"));
    assert!(refused(&["a=1,2,1.0"], None).contains("value 1.0 twice"));
    assert!(refused(&["a=rk4,\"rk4\""], None).contains("twice"));
    assert!(refused(&["a=1..2"], None).contains("--sample latin"));
    let sample = SamplePlan { kind: SampleKind::Random, count: 4, seed: 0 };
    assert!(refused(&["a=1,2"], Some(sample)).contains("nothing to sample"));
    assert!(refused(&["a=0..1:40", "b=0..1:30"], None).contains("1200 jobs, at most 1000"));
}

#[test]
fn grids_are_crossed_with_the_sampled_points() {
    let axes = ["a=1,2", "s=0..1", "b=x,y,z"].map(|text| SweepAxis::parse(text).expect(text));
    let sample = SamplePlan { kind: SampleKind::Latin, count: 4, seed: 9 };
    let grid = SweepGrid::new(axes.to_vec(), Some(sample), 1000).expect("good");
    assert_eq!(grid.jobs().count(), 2 * 3 * 4);
    let jobs: Vec<SweepSettings> = grid.jobs().iter().collect();
    let keys = |job: &SweepSettings| job.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    assert!(jobs.iter().all(|job| keys(job) == ["a", "s", "b"]));
    let value = |job: usize, k: usize| jobs[job][k].1.as_str();
    assert_eq!([value(0, 0), value(0, 2)], ["1", "x"]);
    assert_eq!([value(4, 0), value(4, 2)], ["1", "y"]);
    assert_eq!([value(23, 0), value(23, 2)], ["2", "z"]);
    // every cell of the grid has the same points
    assert!((0..24).all(|job| value(job, 1) == value(job % 4, 1)));
    let mut all: Vec<&SweepSettings> = jobs.iter().collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 24);
}

#[test]
fn a_plan_from_others_is_checked_as_the_command_line_is() {
    let sampled =
        |from: f64, logarithmic| Values::Sampled(SweptRange { from, to: 1.0, logarithmic });
    let axis = |values| SweepAxis { key: "a".into(), values };
    let points = |count| Some(SamplePlan { kind: SampleKind::Random, count, seed: 1 });
    let refused = |values, sample| {
        let refused = SweepGrid::new(vec![axis(values)], sample, u64::MAX);
        refused.expect_err("no program wrote it").to_string()
    };
    assert!(refused(Values::Values(Vec::new()), None).contains("no values"));
    assert!(refused(sampled(0.0, false), points(0)).contains("cannot be drawn"));
    assert!(refused(sampled(0.0, false), points(u32::MAX)).contains("cannot be drawn"));
    assert!(refused(sampled(-1.0, true), points(3)).contains("above 0"));
    assert!(refused(sampled(1.0, false), points(3)).contains("different"));
}

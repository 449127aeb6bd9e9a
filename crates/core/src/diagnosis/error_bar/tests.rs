//! Runs with known errors.

use super::*;
use crate::diagnosis::watch::Fault;
use crate::math::{exp, sin};
use crate::world::{Body, World};

/// A measure of three runs with the error `error(h, t)`.
fn runs(exact: impl Fn(f64) -> f64, error: impl Fn(f64, f64) -> f64) -> Vec<Vec<f64>> {
    let at =
        |h: f64| (0..=200).map(|k| f64::from(k) * 0.05).map(|t| exact(t) + error(h, t)).collect();
    [1.0, 0.5, 0.25].map(at).into()
}

fn bar(runs: &[Vec<f64>], count: usize, zero: Zero) -> ErrorBar {
    let column: Vec<&[f64]> = runs[..count].iter().map(Vec::as_slice).collect();
    ErrorBar::estimate(&[column], &[1.0, 0.5, 0.25][..count], (zero, 0.0), None)
}

/// The bar of a run at h by those at the `multiples` of it.
fn by_larger(exact: f64, error: impl Fn(f64) -> f64, multiples: &[f64]) -> ErrorBar {
    let steps = [&[1.0], multiples].concat();
    let at = |h: &f64| (0..=200).map(|_| exact + error(*h)).collect::<Vec<f64>>();
    let runs: Vec<Vec<f64>> = steps.iter().map(at).collect();
    let column = runs.iter().map(Vec::as_slice).collect();
    ErrorBar::estimate(&[column], &steps, (Zero::Natural, 0.0), None)
}

/// 3 |y_h − y_qh|/(q − 1) with y_qh − y = c qᵖ: 3 c for p = 1, and more for a higher order.
#[test]
fn an_error_is_bounded_by_runs_at_larger_steps() {
    let c = 0.01;
    for (order, multiples, factor) in [
        (1.0, &[2.0][..], 3.0),
        (1.0, &[4.0], 3.0),
        (2.0, &[2.0], 9.0),
        (2.0, &[2.0, 4.0], 15.0),
        (0.5, &[2.0], 3.0 * 0.414_213_562_373_095),
    ] {
        let bar = by_larger(1.0, |h| c * pow(h, order), multiples);
        let found = bar.bars[0][100] / c;
        assert!((found / factor - 1.0).abs() < 1e-9, "order {order}, {multiples:?}: {found}");
        assert!((bar.share * (1.0 + c) / c / factor - 1.0).abs() < 1e-9, "{}", bar.share);
        assert!(bar.converges && bar.order.is_none());
    }
}

/// By chance the run at 2 h is off as much as that at h.
#[test]
fn the_farther_of_two_larger_steps_decides() {
    let error = |h: f64| if h > 2.0 { 0.04 } else { 0.01 };
    assert_eq!(by_larger(1.0, error, &[2.0]).share, 0.0);
    let both = by_larger(1.0, error, &[2.0, 4.0]);
    assert!((both.share - 0.03 / 1.01).abs() < 1e-9, "{}", both.share);
}

/// The scale is that of the run itself, so that a peak of a larger step makes no error smaller.
#[test]
fn a_peak_at_a_larger_step_is_no_scale() {
    let (own, mut coarse) = (vec![1.0; 200], vec![1.02; 200]);
    coarse[10] = 50.0;
    let bar = |own: &[f64]| {
        ErrorBar::estimate(&[vec![own, &coarse]], &[1.0, 2.0], (Zero::Natural, 0.0), None)
    };
    assert!(bar(&own).scale == 1.0 && bar(&own).share > 0.06, "{:?}", bar(&own).share);
    // what is zero at h alone is no agreement
    assert!(bar(&[0.0; 200]).share > TRUSTED);
}

#[test]
fn the_truth_lies_within_the_bar_whatever_the_order() {
    for order in [1, 2, 4] {
        let error = |h: f64, t: f64| 0.03 * pow(h, f64::from(order)) * t * sin(3.0 * t);
        let runs = runs(|t| sin(2.0 * t), error);
        for count in [2, 3] {
            let bar = bar(&runs, count, Zero::Natural);
            let outside = (0..=200)
                .filter(|k| error(1.0, f64::from(*k as u32) * 0.05).abs() > bar.bars[0][*k]);
            assert_eq!(outside.count(), 0, "order {order}, {count} runs");
            assert!(bar.converges);
        }
        let bar = bar(&runs, 3, Zero::Natural);
        assert!((bar.order.expect("seen") - f64::from(order)).abs() < 0.1, "{bar:?}");
        // the error is .3 of the amplitude at the end
        assert!(bar.share > 0.2 && bar.share < 0.6, "{}", bar.share);
    }
}

#[test]
fn what_agrees_is_trusted_and_what_wanders_is_not_determined() {
    let fall = |t: f64| 1.0 - exp(-t);
    let good = bar(&runs(fall, |h, t| 1e-3 * h * t), 3, Zero::Chosen);
    assert!(good.share < 0.02 && good.converges && good.parts().is_none(), "{good:?}");
    let same = bar(&runs(fall, |_, _| 0.0), 3, Zero::Chosen);
    assert_eq!((same.share, same.order), (0.0, None));
    // errors of 0.4, 0.45 and 0.29: their differences grow
    let wild = bar(&runs(fall, |h, t| if t < 5.0 { 0.0 } else { h * (1.4 - h) }), 3, Zero::Natural);
    assert!(!wild.converges && wild.share > 0.1, "{wild:?}");
    assert!(wild.parts().is_some_and(|frame| (95..=101).contains(&frame)));
}

#[test]
fn a_jump_that_comes_a_frame_early_is_no_error_and_a_wrong_end_is_one() {
    let jump = |at: f64| move |t: f64| if t < at { 1.0 } else { -1.0 };
    let series =
        |at: f64| -> Vec<f64> { (0..=200).map(|k| jump(at)(f64::from(k) * 0.05)).collect() };
    let early = [series(5.0), series(5.02), series(5.04)];
    assert!(bar(&early, 3, Zero::Natural).share < TRUSTED);
    let mut wrong = early.clone();
    wrong[0][200] = 0.5;
    assert!(bar(&wrong, 3, Zero::Natural).share > 1.0);
}

/// A value that exists from t = 5 on, in one run some frames early: there its bar is the scale. One that a run has
/// for a second alone, one that comes and goes in one run, and one that is infinite are errors.
#[test]
fn a_value_that_one_run_has_some_frames_early_is_no_error() {
    let from = |frame: usize| -> Vec<f64> {
        (0..=200).map(|k| if k < frame { f64::NAN } else { 1.8 }).collect()
    };
    let of = |frames: [usize; 3], count: usize| bar(&frames.map(from), count, Zero::Natural);
    for frames in [[100, 99, 100], [99, 97, 100], [100, 100, 98]] {
        assert!(of(frames, 2).share < 1e-9 && of(frames, 3).share < 1e-9, "{frames:?}");
    }
    let early = of([100, 99, 100], 2);
    assert_eq!((early.bars[0][99], early.bars[0][150]), (1.8, 0.0));
    assert!(of([100, 80, 100], 2).share > 0.1);
    for value in [f64::NAN, f64::INFINITY] {
        let mut flickers = [100, 100, 100].map(from);
        flickers[1][150] = value;
        flickers[1][160] = value;
        assert!(bar(&flickers, 2, Zero::Natural).share > 0.03, "{value}");
    }
}

/// A jump that the finest run alone has a frame later, beside an error of first order.
#[test]
fn a_jump_that_one_run_has_later_says_nothing_about_the_order() {
    let mut runs = runs(|t| sin(2.0 * t), |h, _| 2e-3 * h);
    for run in &mut runs {
        run[77..].iter_mut().for_each(|y| *y += 0.9);
    }
    runs[2][77] -= 0.9;
    let own = bar(&runs, 3, Zero::Natural);
    assert!((own.order.expect("seen") - 1.0).abs() < 1e-9, "{:?}", own.order);
    assert!(own.converges && own.share < TRUSTED, "{own:?}");
    // twice the distance and the factor of safety
    assert!((own.bars[0][77] / (2.0 * 1.25 * 0.9) - 1.0).abs() < 0.01, "{}", own.bars[0][77]);
    // with a second one all are unknown from the first on
    runs[2][150] -= 0.9;
    let unknown = bar(&runs, 3, Zero::Natural);
    assert!(!unknown.converges && unknown.bars[0][100] >= 1.25 * unknown.scale);
}

/// Peaks that fall by half with the step: an order of 1, and zero between them. None is left out.
#[test]
fn peaks_of_one_frame_count() {
    let mut runs = runs(|_| 0.0, |_, _| 0.0);
    for peak in (10..200).step_by(25) {
        (runs[0][peak], runs[1][peak], runs[2][peak]) = (0.2, 0.9, 1.25);
    }
    let bar = bar(&runs, 3, Zero::Natural);
    assert!(bar.converges && bar.share > TRUSTED, "{bar:?}");
}

/// Peaks that no two runs have alike, one in each window, and rounding or a converging error between them.
#[test]
fn peaks_in_every_window_are_no_convergence() {
    for between in [0.0, 1e-6] {
        let mut runs = runs(|_| 0.0, |h, _| between * h);
        for peak in (10..200).step_by(25) {
            (runs[0][peak], runs[1][peak], runs[2][peak]) = (1.0, 2.4, 0.1);
        }
        let bar = bar(&runs, 3, Zero::Natural);
        assert!(!bar.converges && bar.share > TRUSTED, "{between}: {bar:?}");
    }
}

#[test]
fn what_goes_by_jumps_is_compared_with_a_jump() {
    // rest until t = 2, then a jump of .1 at every .5: 1.6 in all
    let stairs = |t: f64| if t < 2.0 { 0.0 } else { 0.1 * (2.0 * (t - 2.0)).floor() };
    let bar = bar(&runs(stairs, |h, t| if t > 4.0 { 0.01 * h } else { 0.0 }), 3, Zero::Chosen);
    assert!((0.04..0.07).contains(&bar.scale), "{}", bar.scale);
    assert!(bar.share > 0.1, "{}", bar.share);
    // a decay swings by its first amplitude; a slide to rest does not swing
    let dies = |t: f64| exp(-0.3 * t) * sin(6.0 * t);
    let bar = super::tests::bar(&runs(dies, |_, _| 0.0), 3, Zero::Chosen);
    assert!((0.6..1.0).contains(&bar.scale), "{}", bar.scale);
    let stops = |t: f64| if t < 4.0 { t * (2.0 - 0.25 * t) } else { 4.0 };
    let bar = super::tests::bar(&runs(stops, |_, _| 0.0), 3, Zero::Chosen);
    assert!(bar.scale > 2.5, "{}", bar.scale);
}

/// Two jumps are three swings about the straight line, and their travel is no size of one.
#[test]
fn displacements_of_few_jumps_are_compared_with_a_jump() {
    let scale = |of: &dyn Fn(f64) -> f64| bar(&runs(of, |_, _| 0.0), 3, Zero::Start).scale;
    let jumps =
        |t: f64| 10.0 + 0.1 * f64::from(u8::from(t > 2.0)) + 0.1 * f64::from(u8::from(t > 7.0));
    let two = scale(&|t| jumps(t) - jumps(0.0));
    assert!((0.04..0.06).contains(&two), "{two}");
    // one jump, a slide to rest and a load that rises are no swings
    assert!((scale(&|t| if t > 5.0 { 0.1 } else { 0.0 }) - 0.1).abs() < 1e-12);
    let stops = |t: f64| if t < 4.0 { t * (2.0 - 0.25 * t) } else { 4.0 };
    assert!((scale(&stops) - 4.0).abs() < 1e-12);
    assert!((scale(&|t| t * t) - 100.0).abs() < 1e-9);
    // of a vector that goes by jumps along one axis and travels along another
    let along = runs(|t| jumps(t) - jumps(0.0), |_, _| 0.0);
    let across = runs(|t| 0.1 * t, |_, _| 0.0);
    let columns = [&along, &across].map(|runs| runs.iter().map(Vec::as_slice).collect());
    let both = ErrorBar::estimate(&columns, &[1.0, 0.5, 0.25], (Zero::Start, 0.0), None);
    assert!((both.scale - 1.0).abs() < 1e-12, "{}", both.scale);
    // the first swing of what dies away is its largest
    let dies = scale(&|t| exp(-0.5 * t) * sin(4.0 * t));
    assert!(dies > 0.6, "{dies}");
}

#[test]
fn the_scale_of_a_position_does_not_depend_on_the_origin() {
    let near = bar(&runs(|t| 0.1 * t, |h, _| 0.01 * h), 3, Zero::Chosen);
    let far = bar(&runs(|t| 100.0 + 0.1 * t, |h, _| 0.01 * h), 3, Zero::Chosen);
    assert!((near.share - far.share).abs() < 1e-9 && near.share > 0.02, "{near:?} {far:?}");
    // a value that only one run has counts as an error of the whole scale
    let mut lost = runs(|t| t, |_, _| 0.0);
    lost[1][200] = f64::NAN;
    assert!(bar(&lost, 3, Zero::Natural).share >= 1.0);
}

/// y₀ = y + c, y₁ = y + c/2ᵖ, y₂ = y + c/4ᵖ: then |y₀ − y₂| + |y₁ − y₂|/(2ᵖ − 1) = c, and the bar of
/// three runs is 1.25 c; that of two is 3 × 2 |y₀ − y₁|, three times the error for p = 1.
#[test]
fn an_error_by_one_power_of_the_step_is_found_itself_times_its_safety() {
    let c = 0.01;
    for order in [1.0, 1.5, 2.0, 3.0] {
        let runs = runs(|t| sin(2.0 * t), |h, _| c * pow(h, order));
        let three = bar(&runs, 3, Zero::Natural);
        assert!((three.order.expect("seen") - order).abs() < 1e-9, "{:?}", three.order);
        for found in &three.bars[0] {
            assert!((found / (1.25 * c) - 1.0).abs() < 1e-9, "order {order}: {found}");
        }
        let two = bar(&runs, 2, Zero::Natural);
        let right = 3.0 * 2.0 * c * (1.0 - pow(0.5, order));
        assert!((two.bars[0][100] / right - 1.0).abs() < 1e-9, "{}", two.bars[0][100]);
    }
}

/// Runs that agree until t = 5 s and then do not converge: from there on the measure is unknown.
#[test]
fn where_halving_brings_nothing_closer_the_bar_is_the_measure_itself() {
    let parting = |ends: [f64; 3]| -> Vec<Vec<f64>> {
        let run = |end: f64| (0..=200).map(|k| if k < 100 { 1.0 } else { end }).collect();
        ends.map(run).into()
    };
    // the run at h/2 is off by 4 %, or of opposite sign: the bar is the measure, or the runs' distance
    for (ends, least) in [([1.0, 1.04, 1.0], 1.04), ([1.0, -1.0, 1.0], 2.0)] {
        let bar = bar(&parting(ends), 3, Zero::Natural);
        assert!(!bar.converges, "{ends:?}");
        let [before, after] = [&bar.bars[0][..90], &bar.bars[0][100..]];
        assert!(before.iter().all(|found| *found == 0.0), "{ends:?}: {before:?}");
        assert!(after.iter().all(|found| *found >= least), "{ends:?}: {after:?}");
    }
}

#[test]
fn faults_tell_their_share_and_the_three_percent_that_are_trusted() {
    let mut world = World::new();
    world.body(Body::new("bead", "particle").mass(1.0));
    let model = world.simulate().expect("a world").model;
    let bar = ErrorTooLarge {
        measure: "speed".into(),
        value: 2.0,
        error: 0.1,
        unit: "m/s",
        share: 0.07,
        step: 1e-4,
    };
    let far = FarFromReference { distance: 0.07, uncertainty: 1e-3, travelled: 1.0 };
    let told = bar.describe(&model);
    assert!(told.contains("by up to 7 % of its scale during the run (at most 3 %)"), "{told}");
    let told = far.describe(&model);
    assert!(told.contains("(7 %, at most 3 %)"), "{told}");
    // as in the explanations of both
    for kind in [&ERROR_TOO_LARGE, &FAR_FROM_REFERENCE] {
        assert!(kind.about.contains("than 3 % of"), "{}", kind.about);
    }
}

/// An error as large as the scale says nothing: runs further apart than a quarter of it show no order of 2.
#[test]
fn no_order_is_assumed_of_runs_that_are_too_far_apart() {
    for (ends, known) in [([1.0, 1.3], true), ([1.0, 1.4], false), ([1.0, -0.2], false)] {
        let runs: Vec<Vec<f64>> = ends.map(|end| vec![end; 20]).into();
        let column: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
        let bar = ErrorBar::by_order(std::slice::from_ref(&column), (Zero::Natural, 0.0), 2.0);
        assert!(bar.converges == known && bar.share.is_finite() == known, "{ends:?}: {bar:?}");
        assert_eq!(bar.bars[0][19].is_nan(), !known);
    }
}

/// 3 · 2ᵖ/(2ᵖ − 1) times the distance of two runs: 4 times for p = 2.
#[test]
fn an_assumed_order_gives_the_factor_of_two_runs() {
    let runs: Vec<Vec<f64>> = [1.0, 0.9].map(|end| vec![end; 201]).into();
    let column: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
    for (order, wanted) in [(2.0, 0.4), (1.0, 0.6)] {
        let bar = ErrorBar::by_order(std::slice::from_ref(&column), (Zero::Natural, 0.0), order);
        let off = (bar.bars[0][200] - wanted).abs();
        assert!(off < 1e-12 && (bar.share - wanted).abs() < 1e-12, "{order}: {bar:?}");
    }
}

//! Euler and Eytelwein: a rope round a turning drum pulls e^{μθ} times as hard at one end as at the
//! other.

mod support;

use rayon::prelude::*;
use stiction::math::{Vector, cos, exp, radians, sin};
use support::simulation;

/// Mean pull at the pin over the last second of six, for a dead load of 1 N, after `wrap` degrees
/// on a drum that turns with `rate` \[rad/s\] about +y.
fn pull(wrap: usize, rate: f64, friction: f64) -> f64 {
    let radius = 0.1;
    let length = 2.0 * radius * sin(radians(2.5));
    let arc = wrap / 5;
    // the rope comes up on the left of the drum, six segments free, and leaves along the tangent
    let on_drum = |k: usize| {
        let angle = radians(5.0 * k as f64);
        Vector::new(-cos(angle), 0.0, sin(angle)) * radius
    };
    let end = radians(wrap as f64);
    let leaving = Vector::new(sin(end), 0.0, cos(end));
    let mut positions: Vec<Vector> =
        (1..=6).rev().map(|k| on_drum(0) - Vector::z() * (k as f64 * length)).collect();
    positions.extend((0..=arc).map(on_drum));
    positions.extend((1..=6).map(|k| on_drum(arc) + leaving * (k as f64 * length)));
    let points: Vec<[f64; 3]> = positions.iter().map(|p| [p.x, p.y, p.z]).collect();
    let last = positions.len() - 1;
    let links: Vec<[usize; 2]> = (0..last).map(|k| [k, k + 1]).collect();
    let mut run = simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, 0] }}
        time = {{ end = 6, step = 5e-5, output = 6 }}
        integrator = {{ method = \"rk4\" }}
        materials.steel = {{ static_friction = {friction} }}
        [contact]
        normal = {{ stiffness = 2e3, damping = 0.5 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"rope\"
        mass = {}
        shape = {{ points = {{ positions = {points:?}, links = {links:?} }} }}
        springs = {{ edge = {{ stiffness = 2e4, damping = 0.5 }} }}
        [[collider]]
        name = \"drum\"
        shape = {{ cylinder = {{ axis = [0, 1, 0], radius = {radius} }} }}
        motion = {{ spin = {{ axis = [0, 1, 0], rate = {rate} }} }}
        [[pin]]
        body = \"rope\"
        where = {{ particles = [0] }}
        [[push]]
        body = \"rope\"
        where = {{ particles = [{last}] }}
        force = [{}, 0, {}]
        [[drag]]
        rate = 20
        ",
        1e-3 * positions.len() as f64,
        leaving.x,
        leaving.z,
    ));
    let (mut sum, mut count) = (0.0, 0.0);
    for step in 0..120_000 {
        run.advance().expect("a step");
        if step >= 100_000 {
            sum += run.model.springs.tension(0, &run.state.configuration());
            count += 1.0;
        }
    }
    assert!(run.verdict().trusted(), "{wrap}: {:?}", run.verdict());
    sum / count
}

#[test]
fn the_pull_grows_exponentially_with_the_wrap() {
    let cases = [
        (90, 1.0, 1.60198),
        (180, 1.0, 2.56633),
        (360, 1.0, 6.58606),
        (90, -1.0, 0.62423),
        (180, -1.0, 0.38966),
        (360, -1.0, 0.15184),
    ];
    cases.par_iter().for_each(|&(wrap, rate, expected)| {
        let exact = exp(rate * 0.3 * radians(wrap as f64));
        assert!((exact - expected).abs() < 1e-5);
        let found = pull(wrap, rate, 0.3);
        println!(
            "{wrap}°, {rate:+}: {found:.5}, {expected} ({:+.2} %)",
            100.0 * (found / exact - 1.0)
        );
        let tolerance = if wrap == 360 { 0.01 } else { 0.005 };
        assert!((found / exact - 1.0).abs() < tolerance, "{wrap}° {rate}: {found} {exact}");
    });
}

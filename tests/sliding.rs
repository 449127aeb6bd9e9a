//! A sliding block against its exact solution under the threshold law with N = m g cos a.

#[path = "support/block.rs"]
mod block;
mod support;

use block::{Block, Slide};
use stiction::math::{cos, radians, sin};

/// A method, its step [s], and the sign of its error in distance: a left sum of the velocity goes
/// too far while it falls, a right sum not far enough.
const METHODS: [(&str, f64, f64); 6] = [
    ("\"explicit-euler\"", 1e-4, 1.0),
    ("\"symplectic-euler\"", 1e-4, -1.0),
    ("\"implicit-euler\"", 1e-4, -1.0),
    ("\"rk4\"", 1e-5, 0.0),
    ("\"dopri5\", rtol = 1e-10, atol = 1e-12", 1e-3, 0.0),
    ("\"rk45\", rtol = 1e-10, atol = 1e-12", 1e-3, 0.0),
];

/// The distance must be `exact` but for ±(v(0) − v(end)) h/2, the error of a rectangle sum.
fn assert_distance(name: &str, found: f64, exact: f64, fall: f64, h: f64, sign: f64) {
    let bias = 0.5 * fall * h * sign;
    let rest = (found - exact - bias).abs();
    println!(
        "{name}: error {:.3e}, of that the method's {bias:.3e}, rest {rest:.3e}",
        found - exact
    );
    assert!(rest <= 0.05 * bias.abs() + 1e-6, "{name}: {found} instead of {exact}, bias {bias}");
}

/// Advances until the speed is below `epsilon`; returns when, linearly between two steps.
fn time_to_stick(slide: &mut Slide, epsilon: f64) -> f64 {
    loop {
        let (time, speed) = (slide.time(), slide.speed());
        slide.advance();
        if slide.speed() < epsilon {
            let share = (speed - epsilon) / (speed - slide.speed());
            return time + share * (slide.time() - time);
        }
    }
}

#[test]
fn on_a_floor_it_stops_at_the_laws_distance() {
    let epsilon = 1e-2;
    for (friction, distance, time) in
        [([0.4, 0.4], 0.509696738, 0.507136), ([0.6, 0.3], 0.679578661, 0.676181)]
    {
        for (method, h, sign) in METHODS {
            let block = Block { speed: 2.0, ..Block::threshold(0.0, friction, epsilon) };
            let mut slide = block.under(method, h);
            let stuck = time_to_stick(&mut slide, epsilon);
            // after the jump of μ a step that straddles it ends lower
            let late = if friction[0] > friction[1] { h } else { 1e-6 + 0.05 * h };
            assert!((stuck - time).abs() < late, "{method}: {stuck} {time}");
            slide.until(1.0);
            assert!(slide.speed().abs() < 1e-5, "{method}: {}", slide.speed());
            assert_distance(method, slide.travel(), distance, 2.0, h, sign);
        }
    }
}

/// rk4 is exact in the slide; only the step that crosses ε errs.
#[test]
fn rk4_dopri5_and_rk45_are_exact_to_a_nanometre() {
    let block = Block { speed: 2.0, ..Block::threshold(0.0, [0.4, 0.4], 1e-2) };
    let exact = (4.0 - 1e-4) / (2.0 * 0.4 * 9.81) + 1e-4 / (0.4 * 9.81);
    for (method, h, _) in &METHODS[3..] {
        let mut slide = block.under(method, *h);
        slide.until(1.0);
        let error = slide.travel() - exact;
        println!("{method}: {error:.3e}");
        assert!(error.abs() < 2e-9, "{method}: {error}");
    }
}

#[test]
fn up_an_incline_it_turns_into_the_crawl() {
    for (method, h, sign) in METHODS {
        let block = Block { speed: 3.0, ..Block::threshold(20.0, [0.6, 0.3], 1e-3) };
        let mut slide = block.under(method, h);
        let mut highest = 0.0;
        while slide.time() < 0.6 {
            slide.advance();
            highest = slide.travel().max(highest);
        }
        assert_distance(method, highest, 0.7352061, 3.0, h, sign);
        let crawl = slide.speed();
        assert!((crawl / -6.066171e-4 - 1.0).abs() < 1e-6, "{method}: {crawl}");
    }
}

#[test]
fn from_rest_on_an_incline_too_steep_it_slides_down() {
    for (epsilon, distance) in [(1e-2, -0.75922831), (1e-3, -0.75611656)] {
        for (method, h, sign) in METHODS {
            let mut slide = Block::threshold(20.0, [0.2, 0.2], epsilon).under(method, h);
            slide.until(1.0);
            let bias = 0.5 * -slide.speed().abs() * h * -sign;
            let error = slide.travel() - distance;
            println!("{method}, ε {epsilon}: error {error:.3e}, of that {bias:.3e}");
            // a first-order method also leaves the ramp below ε up to half a step early or late
            let ramp = 0.5 * 0.2 * 9.81 * cos(radians(20.0)) * h * sign.abs();
            assert!((error - bias).abs() <= ramp + 1e-6, "{method}: {error}");
            assert!(bias == 0.0 || error * bias > 0.0, "{method}: {error}");
        }
    }
}

/// Stopping distances v0²/(2 μ g): (v0, μ, metres, relative tolerance).
#[test]
fn stopping_distances_are_those_of_coulomb() {
    for (speed, mu, distance, tolerance) in [
        (5.0, 0.5, 2.548, 0.005),
        (2.0, 0.2, 1.0194, 0.01),
        (2.0, 0.4, 0.5097, 0.01),
        (2.0, 0.7, 0.2912, 0.01),
    ] {
        for (method, h, _) in METHODS {
            let block = Block { speed, ..Block::threshold(0.0, [mu, mu], 1e-2) };
            let mut slide = block.under(method, h);
            slide.until(1.2);
            let found = slide.travel();
            assert!((found / distance - 1.0).abs() < tolerance, "{method}: {found} {distance}");
        }
    }
}

#[test]
fn sliding_decelerates_by_mu_g_at_every_step() {
    let mu = 0.3;
    for (method, h, _) in METHODS {
        let block = Block { speed: 3.0, ..Block::threshold(0.0, [mu, mu], 1e-3) };
        let mut slide = block.under(method, h);
        let mut worst = 0.0f64;
        while slide.time() < 1.0 {
            slide.advance();
            worst = worst.max((slide.speed() - (3.0 - mu * 9.81 * slide.time())).abs());
        }
        println!("{method}: {worst:.3e}");
        assert!(worst < 1e-4, "{method}: {worst}");
    }
}

/// tan 26.565° is a hair below ½.
#[test]
fn an_incline_holds_up_to_the_angle_of_friction() {
    let epsilon = 1e-3;
    for (method, h, _) in METHODS {
        let travel = |mu: f64| {
            let block = Block { gravity: 9.8, ..Block::threshold(26.565, [mu, mu], epsilon) };
            let mut slide = block.under(method, h);
            slide.until(2.5);
            slide.travel()
        };
        let held = travel(0.5);
        assert!(held < 0.0 && held > -epsilon * 2.5, "{method}: {held}");
        let slid = travel(0.49);
        println!("{method}: held {held:.6}, slid {slid:.6}");
        assert!((slid + 0.274).abs() < 0.003, "{method}: {slid}");
    }
}

/// 35°, μ .3, from the onset of sliding: v(.2) = .64320 and x(.2) = .064320; symplectic Euler at 2 ms
/// adds its v h/2, which makes .064964.
#[test]
fn a_steep_incline_accelerates_as_coulomb_says() {
    for (method, h, sign) in METHODS {
        for h in [h, 2e-3] {
            let stable = h < 2e-3 || !matches!(method, "\"explicit-euler\"" | "\"rk4\"");
            if !stable {
                continue;
            }
            let block = Block { speed: -1.1e-6, ..Block::threshold(35.0, [0.3, 0.3], 1e-6) };
            let mut slide = block.under(method, h);
            slide.until(0.2);
            let (v, x) = (-slide.speed(), -slide.travel());
            let bias = -0.5 * v * h * sign;
            println!("{method}, h {h}: v {v:.6}, x {x:.7}");
            assert!((v - 0.64320).abs() < 1e-5, "{method}: {v}");
            assert!((x - 0.064320 - bias).abs() < 1e-6, "{method}: {x}");
            if h == 2e-3 && method == "\"symplectic-euler\"" {
                assert!((x - 0.064964).abs() < 1e-6, "{x}");
            }
        }
    }
}

#[test]
fn a_sticking_block_only_creeps() {
    for (method, h, _) in METHODS {
        let epsilon = 1e-3;
        let mut slide = Block::threshold(25.0, [0.7, 0.7], epsilon).under(method, h);
        slide.until(1.0);
        let crawl = epsilon * sin(radians(25.0)) / cos(radians(25.0)) / 0.7;
        let way = -slide.travel();
        assert!(way > 0.0 && way <= crawl * (1.0 + 1e-9), "{method}: {way}, creep {crawl}");
    }
}

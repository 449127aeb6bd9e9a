//! P1: a sliding block against its exact solution under the threshold law with N = m g cos a.

use super::block::{BlockScene, Slide};
use super::rig::label;
use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::math::{cos, exp, log, log1p, radians, sin};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "P1",
        name: "stops on a floor",
        about: "v0 = 2 m/s, ε 1e-2: d = (v0² − ε²)/(2 μ_k g) + ε²/(μ_s g), v = ε at t = (v0 − ε)/(μ_k g); \
                rectangle sums are off by ±v0 h/2",
        trials: stops_on_a_floor,
    },
    Case {
        group: "P1",
        name: "climbs and creeps",
        about: "20° uphill at 3 m/s, μ .6/.3, ε 1e-3: the highest point, then the creep −ε tan(a)/μ_s",
        trials: climbs_and_creeps,
    },
    Case {
        group: "P1",
        name: "slides from rest",
        about: "20°, μ .2, 1 s from rest: s = w t1 − ε/λ up to v = ε, w = g sin(a)/λ, t1 = −ln(1 − ε/w)/λ, then uniform acceleration; λ as the method's steps make it",
        trials: slides_from_rest,
    },
    Case {
        group: "P1",
        name: "stopping distance",
        about: "v0²/(2 μ g), Coulomb's own, which ε 1e-2 changes little",
        trials: stopping_distance,
    },
    Case {
        group: "P1",
        name: "deceleration",
        about: "v = 3 − μ g t at every step for 1 s, μ .3: the worst of all steps",
        trials: deceleration,
    },
    Case {
        group: "P1",
        name: "angle of friction",
        about: "26.565° (tan a = ½, g 9.8): μ .5 holds and creeps, μ .49 slides .274 m in 2.5 s; 25° with μ .7 holds",
        trials: angle_of_friction,
    },
    Case {
        group: "P1",
        name: "steep incline",
        about: "35°, μ .3: v(.2 s) = .64320, x = .064320; symplectic Euler at 2 ms adds v h/2, which makes .064964",
        trials: steep_incline,
    },
];

/// A method, its step \[s\], the sign of its error in distance, and its decay. While the velocity
/// falls, a left sum overestimates the distance and a right sum underestimates it.
#[derive(Clone, Copy)]
struct SlidingMethod {
    text: &'static str,
    h: f64,
    sign: f64,
    /// Decay rate of its steps divided by the exact rate λ, as a function of h λ.
    decay: fn(f64) -> f64,
}

const fn method(text: &'static str, h: f64, sign: f64, decay: fn(f64) -> f64) -> SlidingMethod {
    SlidingMethod { text, h, sign, decay }
}

/// Decay by the factor 1 − z per step.
fn explicitly(z: f64) -> f64 {
    -log1p(-z) / z
}

/// Decay by the factor 1/(1 + z) per step.
fn implicitly(z: f64) -> f64 {
    log1p(z) / z
}

fn exactly(_: f64) -> f64 {
    1.0
}

const METHODS: [SlidingMethod; 9] = [
    method("\"explicit-euler\"", 1e-4, 1.0, explicitly),
    method("\"symplectic-euler\"", 1e-4, -1.0, explicitly),
    method("\"implicit-euler\"", 1e-4, -1.0, implicitly),
    // friction uses the half-step velocities, which follow each other by Euler steps
    method("\"velocity-verlet\"", 1e-5, 0.0, explicitly),
    method("\"heun\"", 1e-5, 0.0, exactly),
    method("\"rk4\"", 1e-5, 0.0, exactly),
    method("\"dopri5\", rtol = 1e-10, atol = 1e-12", 1e-3, 0.0, exactly),
    method("\"rk45\", rtol = 1e-10, atol = 1e-12", 1e-3, 0.0, exactly),
    method("\"bdf2\"", 1e-5, 0.0, exactly),
];

const G: f64 = 9.81;

/// A trial for every method.
fn under_all(
    name: impl Fn(&SlidingMethod) -> String,
    run: impl Fn(&RigSetting, SlidingMethod) -> Result<Vec<CaseFigure>, Trouble>
    + Clone
    + Send
    + Sync
    + 'static,
) -> impl Iterator<Item = CaseTrial> {
    METHODS.into_iter().map(move |method| {
        let run = run.clone();
        CaseTrial::new(name(&method), move |setting| run(setting, method))
    })
}

/// A distance \[m\] over which the speed falls by `fall` \[m/s\]: the reference is the exact
/// distance plus the method's own error ±fall h/2, the tolerance a tenth of that error plus 1 µm.
fn way(name: &str, exact: f64, fall: f64, method: SlidingMethod, measured: f64) -> CaseFigure {
    let own = 0.5 * fall * method.h * method.sign;
    CaseFigure::absolute(name, "m", exact + own, measured, 0.1 * own.abs() + 1e-6)
}

/// Stopping distance (v0² − ε²)/(2 μ_k g) + ε²/(μ_s g) \[m\].
fn stopping_way(speed: f64, [mu_s, mu_k]: [f64; 2], epsilon: f64) -> f64 {
    let squared = epsilon * epsilon;
    (speed * speed - squared) / (2.0 * mu_k * G) + squared / (mu_s * G)
}

/// Distance uphill \[m\]: the speed falls to ε at the rate g (sin a + μ_k cos a), then v' = −λ (v +
/// w) with w = g sin(a)/λ.
fn climb(angle: f64, speed: f64, [mu_s, mu_k]: [f64; 2], epsilon: f64) -> f64 {
    let (s, c) = (sin(radians(angle)), cos(radians(angle)));
    let rate = mu_s * G * c / epsilon;
    let w = G * s / rate;
    (speed * speed - epsilon * epsilon) / (2.0 * G * (s + mu_k * c)) + epsilon / rate
        - w / rate * log1p(epsilon / w)
}

/// Distance downhill \[m\] from rest within `time` \[s\]: v' = λ (w − v) up to ε, which is reached
/// if w > ε, then v' = g (sin a − μ cos a); λ is the decay rate of the method.
fn descent(angle: f64, mu: f64, epsilon: f64, g: f64, time: f64, method: &SlidingMethod) -> f64 {
    let (s, c) = (sin(radians(angle)), cos(radians(angle)));
    let exact = mu * g * c / epsilon;
    let (w, rate) = (g * s / exact, exact * (method.decay)(method.h * exact));
    if w <= epsilon {
        return w * (time - (1.0 - exp(-rate * time)) / rate);
    }
    let start = -log(1.0 - epsilon / w) / rate;
    let rest = time - start;
    w * start - epsilon / rate + epsilon * rest + 0.5 * g * (s - mu * c) * rest * rest
}

/// A tenth of the step for the Euler methods: below ε their error is also of order h λ.
fn finer(method: SlidingMethod) -> SlidingMethod {
    if method.sign == 0.0 { method } else { SlidingMethod { h: 0.1 * method.h, ..method } }
}

/// Time at which the speed falls below `epsilon`, linear between two steps \[s\].
fn time_to_stick(slide: &mut Slide, epsilon: f64) -> Result<f64, Trouble> {
    loop {
        let (time, speed) = (slide.time(), slide.speed());
        slide.rig.advance()?;
        if slide.speed() < epsilon {
            let share = (speed - epsilon) / (speed - slide.speed());
            return Ok(time + share * (slide.time() - time));
        }
    }
}

fn stops_on_a_floor() -> Vec<CaseTrial> {
    let (speed, epsilon) = (2.0, 1e-2);
    let scene = move |friction: [f64; 2]| {
        let name = move |m: &SlidingMethod| {
            format!("μ {}/{}, {}", friction[0], friction[1], label(m.text))
        };
        under_all(name, move |setting, method| {
            let block = BlockScene { speed, ..BlockScene::threshold(0.0, friction, epsilon) };
            let mut slide = block.slide(setting, method.text, method.h)?;
            let stuck = time_to_stick(&mut slide, epsilon)?;
            slide.rig.until(1.0)?;
            let exact = stopping_way(speed, friction, epsilon);
            let time = (speed - epsilon) / (friction[1] * G);
            // a step across the jump of μ ends at a lower speed
            let late = if friction[0] > friction[1] { method.h } else { 1e-6 + 0.05 * method.h };
            Ok(vec![
                way("distance", exact, speed, method, slide.travel()),
                CaseFigure::absolute("time to ε", "s", time, stuck, late),
            ])
        })
    };
    [[0.4, 0.4], [0.6, 0.3]].into_iter().flat_map(scene).chain(nanometre()).collect()
}

/// Trials of methods that are exact while sliding; only their step across ε has an error.
fn nanometre() -> impl Iterator<Item = CaseTrial> {
    METHODS[5..8].iter().map(|&method| {
        CaseTrial::new(format!("μ 0.4, {}", label(method.text)), move |setting| {
            let block = BlockScene { speed: 2.0, ..BlockScene::threshold(0.0, [0.4; 2], 1e-2) };
            let mut slide = block.slide(setting, method.text, method.h)?;
            slide.rig.until(1.0)?;
            let exact = stopping_way(2.0, [0.4; 2], 1e-2);
            let name = "distance, to some nanometres";
            Ok(vec![CaseFigure::absolute(name, "m", exact, slide.travel(), 2e-9)])
        })
    })
}

fn climbs_and_creeps() -> Vec<CaseTrial> {
    let (angle, speed, friction, epsilon) = (20.0, 3.0, [0.6, 0.3], 1e-3);
    let trials = under_all(
        |m| label(m.text),
        move |setting, method| {
            let block = BlockScene { speed, ..BlockScene::threshold(angle, friction, epsilon) };
            let mut slide = block.slide(setting, method.text, method.h)?;
            let mut highest = 0.0;
            while slide.time() < 0.6 {
                slide.rig.advance()?;
                highest = slide.travel().max(highest);
            }
            let exact = climb(angle, speed, friction, epsilon);
            let creep = -epsilon * sin(radians(angle)) / cos(radians(angle)) / friction[0];
            Ok(vec![
                way("highest point", exact, speed, method, highest),
                CaseFigure::relative("creep", "m/s", creep, slide.speed(), 1e-6),
            ])
        },
    );
    trials.collect()
}

fn slides_from_rest() -> Vec<CaseTrial> {
    let (angle, mu) = (20.0, 0.2);
    let scene = move |epsilon: f64| {
        let name = move |m: &SlidingMethod| format!("ε {epsilon:e}, {}", label(m.text));
        under_all(name, move |setting, method| {
            let method = finer(method);
            let block = BlockScene::threshold(angle, [mu; 2], epsilon);
            let mut slide = block.slide(setting, method.text, method.h)?;
            slide.rig.until(1.0)?;
            // a gain of speed downhill is a fall of the velocity uphill
            let fall = slide.speed().abs();
            let exact = -descent(angle, mu, epsilon, G, 1.0, &method);
            Ok(vec![way("way in 1 s", exact, fall, method, slide.travel())])
        })
    };
    [1e-2, 1e-3].into_iter().flat_map(scene).collect()
}

/// Speed \[m/s\], μ, distance \[m\], relative tolerance.
const DISTANCES: [(f64, f64, f64, f64); 4] = [
    (5.0, 0.5, 2.548, 0.005),
    (2.0, 0.2, 1.0194, 0.01),
    (2.0, 0.4, 0.5097, 0.01),
    (2.0, 0.7, 0.2912, 0.01),
];

fn stopping_distance() -> Vec<CaseTrial> {
    let trials = under_all(
        |m| label(m.text),
        |setting, method| {
            let stop = |&(speed, mu, distance, tolerance): &(f64, f64, f64, f64)| {
                let block = BlockScene { speed, ..BlockScene::threshold(0.0, [mu; 2], 1e-2) };
                let mut slide = block.slide(setting, method.text, method.h)?;
                slide.rig.until(1.2)?;
                let name = format!("distance, v0 {speed}, μ {mu}");
                Ok(CaseFigure::relative(name, "m", distance, slide.travel(), tolerance))
            };
            DISTANCES.iter().map(stop).collect()
        },
    );
    trials.collect()
}

fn deceleration() -> Vec<CaseTrial> {
    let (speed, mu) = (3.0, 0.3);
    let trials = under_all(
        |m| label(m.text),
        move |setting, method| {
            let block = BlockScene { speed, ..BlockScene::threshold(0.0, [mu; 2], 1e-3) };
            let mut slide = block.slide(setting, method.text, method.h)?;
            let mut worst = 0.0f64;
            while slide.time() < 1.0 {
                slide.rig.advance()?;
                worst = worst.max((slide.speed() - (speed - mu * G * slide.time())).abs());
            }
            Ok(vec![CaseFigure::absolute("v − (v0 − μ g t), worst", "m/s", 0.0, worst, 1e-4)])
        },
    );
    trials.collect()
}

fn angle_of_friction() -> Vec<CaseTrial> {
    let epsilon = 1e-3;
    let trials = under_all(
        |m| label(m.text),
        move |setting, method| {
            let method = finer(method);
            let go = |name: &str, angle: f64, mu: f64, gravity: f64, time: f64| {
                let block =
                    BlockScene { gravity, ..BlockScene::threshold(angle, [mu; 2], epsilon) };
                let mut slide = block.slide(setting, method.text, method.h)?;
                slide.rig.until(time)?;
                let exact = -descent(angle, mu, epsilon, gravity, time, &method);
                Ok(way(name, exact, slide.speed().abs(), method, slide.travel()))
            };
            Ok(vec![
                go("way in 2.5 s, μ .5", 26.565, 0.5, 9.8, 2.5)?,
                go("way in 2.5 s, μ .49", 26.565, 0.49, 9.8, 2.5)?,
                go("way in 1 s, 25°, μ .7", 25.0, 0.7, G, 1.0)?,
            ])
        },
    );
    trials.collect()
}

fn steep_incline() -> Vec<CaseTrial> {
    let run = |setting: &RigSetting, method: SlidingMethod, published: Option<f64>| {
        // starts at the onset of sliding
        let block = BlockScene { speed: -1.1e-6, ..BlockScene::threshold(35.0, [0.3; 2], 1e-6) };
        let mut slide = block.slide(setting, method.text, method.h)?;
        slide.rig.until(0.2)?;
        let (v, x) = (-slide.speed(), -slide.travel());
        let exact = published.unwrap_or(0.064320 - 0.5 * v * method.h * method.sign);
        Ok(vec![
            CaseFigure::absolute("speed at .2 s", "m/s", 0.64320, v, 1e-5),
            CaseFigure::absolute("way at .2 s", "m", exact, x, 1e-6),
        ])
    };
    let coarse = method("\"symplectic-euler\"", 2e-3, -1.0, explicitly);
    let published = CaseTrial::new("symplectic-euler, h 2 ms", move |setting| {
        run(setting, coarse, Some(0.064964))
    });
    let fine = under_all(|m| label(m.text), move |setting, method| run(setting, method, None));
    fine.chain([published]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_give_the_published_figures() {
        let near = |found: f64, published: f64, last: f64| {
            assert!((found - published).abs() < last, "{found} {published}");
        };
        near(stopping_way(2.0, [0.4, 0.4], 1e-2), 0.509696738, 1e-9);
        near(stopping_way(2.0, [0.6, 0.3], 1e-2), 0.679578661, 1e-9);
        near(climb(20.0, 3.0, [0.6, 0.3], 1e-3), 0.7352061, 1e-7);
        near(descent(20.0, 0.2, 1e-2, G, 1.0, &METHODS[5]), 0.75922831, 1e-8);
        near(descent(20.0, 0.2, 1e-3, G, 1.0, &METHODS[5]), 0.75611656, 1e-8);
        near(descent(20.0, 0.2, 1e-12, G, 1.0, &METHODS[5]), 0.75577034, 1e-8);
        near(descent(26.565, 0.49, 1e-12, 9.8, 2.5, &METHODS[5]), 0.274, 5e-4);
    }
}

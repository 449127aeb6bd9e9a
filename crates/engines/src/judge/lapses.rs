//! Lapses of friction: T = m Δv/Δt − load along the surface against −Σ μ_k N slip/|slip| in each frame of a slide.

use super::balance::{NO_GRAVITY, percent};
use super::log::Contact;
use super::momentum::slides_together;
use super::motion::NO_SPIN;
use super::sliding::FRICTION_OFF_THE_CONE;
use super::statistics::median;
use super::{Check, Evidence, Outcome};
use stiction_core::math::{Vector, larger, number, smaller, sqrt};

/// Tolerated difference of T, as a share of Σ μ_k N.
const OFF: f64 = 0.1;

/// Tolerated change of Σ μ_k N from two frames before to two after, as a share: an impact changes it by more.
const STEADY: f64 = 0.1;

/// Least number of successive frames of a lapse, and its least share of the frames that are compared.
const FEWEST: usize = 4;
const SHARE: f64 = 0.01;

/// Largest number of frames over which v is taken to differ: below noise a lapse is not seen.
const LONGEST: usize = 16;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "lapses of friction",
    about: "T = m Δv/Δt − load along the surface against −Σ μ_k N slip/|slip|, in each frame in which all contacts slide in one direction under a steady Σ N",
    judge,
};

/// An interval of a slide: its last frame, and |T + Σ μ_k N slip/|slip||/Σ μ_k N.
struct Slide {
    frame: usize,
    off: f64,
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.log.contacts.is_none() {
        return vec![Outcome::lacks("the log has no contacts")];
    }
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    if evidence.spins[n].is_none() && evidence.log.all_contacts_of(n).any(|c| c.slip.is_none()) {
        return vec![Outcome::lacks(NO_SPIN)];
    }
    let bounds: Vec<f64> = (0..evidence.log.time.len()).map(|k| bound(evidence, n, k)).collect();
    let usual = median(bounds.iter().copied().filter(|bound| *bound > 0.0));
    let Some(span) = span(evidence, n, usual) else {
        return vec![Outcome::lacks("noise of the velocities hides lapses of 16 frames")];
    };
    let slides: Vec<Slide> = (span.max(2)..bounds.len().saturating_sub(2))
        .filter_map(|k| slide(evidence, n, (k - span, k), &bounds))
        .collect();
    if slides.len() < 2 * FEWEST {
        return vec![Outcome::lacks(
            "it does not slide in one direction under a steady force, or μ is not known",
        )];
    }
    vec![answer(evidence, &slides, span)]
}

fn answer(evidence: &Evidence, slides: &[Slide], span: usize) -> Outcome {
    let most = slides.iter().map(|of| of.off).fold(0.0, larger);
    let lapse = longest(slides);
    let long = lapse.len() >= FEWEST + span - 1;
    if long {
        let middle = median(lapse.iter().map(|of| of.off));
        let [from, to] =
            [lapse[0].frame, lapse[lapse.len() - 1].frame].map(|k| number(evidence.log.time[k]));
        let text = format!(
            "from t = {from} s to {to} s the motion has not the friction of a slide: it is {} of μN off, in {} successive frames, or forces are not in the log (drag?)",
            number(middle),
            lapse.len()
        );
        return match lapse.len() as f64 >= SHARE * slides.len() as f64 {
            true => Outcome::Fault(&FRICTION_OFF_THE_CONE, text),
            false => Outcome::Found(format!("a transient: {text}")),
        };
    }
    let single = slides.iter().filter(|of| of.off > OFF).count();
    if single as f64 > SHARE * slides.len() as f64 {
        return Outcome::Found(format!(
            "{single} of {} frames of a slide are off, by up to {} of μN, fewer than {} of them successive",
            slides.len(),
            percent(most),
            FEWEST + span - 1
        ));
    }
    Outcome::Clear(format!(
        "none of {} successive frames or more in {} frames of a slide; single ones are up to {} of μN off",
        FEWEST + span - 1,
        slides.len(),
        percent(most)
    ))
}

/// The longest run of successive frames that are off.
fn longest(slides: &[Slide]) -> &[Slide] {
    let (mut from, mut best) = (0, 0..0);
    for k in 0..slides.len() {
        let follows = k > 0 && slides[k - 1].frame + 1 == slides[k].frame;
        if slides[k].off <= OFF {
            from = k + 1;
        } else if !follows {
            from = k;
        }
        if k + 1 > from && k + 1 - from > best.len() {
            best = from..k + 1;
        }
    }
    &slides[best]
}

/// Σ μ_k N of a body in a frame \[N\]; zero where a coefficient is not known.
fn bound(evidence: &Evidence, n: usize, k: usize) -> f64 {
    let of = |c: &Contact| Some(evidence.kinetic_friction(c)? * larger(c.normal_force, 0.0));
    evidence.log.contacts_of(n, k).map(of).sum::<Option<f64>>().unwrap_or(0.0)
}

/// The number of frames between velocities whose noise is a twentieth of the usual Σ μ_k N \[N\] or less.
fn span(evidence: &Evidence, n: usize, usual: f64) -> Option<usize> {
    let force = evidence.body(n).mass * sqrt(2.0) * evidence.noise_of_velocity(n)
        / evidence.usual_interval();
    let spans = [1, 2, 4, 8, LONGEST];
    spans.into_iter().find(|span| 6.0 * force <= 0.5 * OFF * usual * *span as f64)
}

/// The interval between two frames, if in all of it the body slides in one direction under a steady force.
fn slide(
    evidence: &Evidence,
    n: usize,
    (first, last): (usize, usize),
    bounds: &[f64],
) -> Option<Slide> {
    let around = &bounds[first.saturating_sub(2)..last + 3];
    let least = around.iter().copied().fold(f64::MAX, smaller);
    let most = around.iter().copied().fold(0.0, larger);
    if least <= 0.0 || most > (1.0 + STEADY) * least {
        return None;
    }
    let window = first..last + 1;
    let ground = evidence.ground(n, &window).filter(|ground| ground.is_open())?;
    let direction = slides_together(evidence, n, &window)?.normalize();
    let v = &evidence.velocities[n];
    let change = evidence.body(n).mass * (v[last] - v[first])
        / (evidence.log.time[last] - evidence.log.time[first]);
    let loads: Option<Vec<Vector>> = window.map(|k| evidence.load(n, k)).collect();
    let (load, rule) = mean(&loads?);
    // a load that changes fast from frame to frame hides friction
    if rule > OFF * least {
        return None;
    }
    let needed = ground.along(change - load);
    let of = |bound: f64| (needed + bound * ground.along(direction)).norm() / bound;
    Some(Slide { frame: last, off: smaller(of(least), of(most)) - rule / least })
}

/// The mean of loads by the trapezoidal rule, and the largest difference of any other rule from it \[N\].
fn mean(loads: &[Vector]) -> (Vector, f64) {
    let count = (loads.len() - 1) as f64;
    let sum: Vector = loads.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).sum();
    let doubt: f64 = loads.windows(2).map(|pair| 0.5 * (pair[1] - pair[0]).norm()).sum();
    (sum / count, doubt / count)
}

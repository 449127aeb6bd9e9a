//! Force balance: m Δv/Δt against gravity, applied forces and the reported contact forces.

use super::evidence::{Convention, FEW};
use super::statistics::{doubt, median_vector};
use super::{Check, Evidence, Outcome};
use std::ops::Range;
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::{Vector, larger, number};

/// Tolerated unbalanced share of the load.
pub(super) const SHARE: f64 = 0.01;

/// Share of the load, or of another scale, that noise may hide where something is called clear.
pub(super) const LOOSE: f64 = 0.1;

/// Least number of successive intervals in which forces are missing, and their least share in a window.
const SUCCESSIVE: usize = 4;
const OFTEN: f64 = 0.2;

/// Weight of the mean beside the medians.
const EQUAL: f64 = 1e-6;

/// Residual of an interval in loads from which it has an impact.
const IMPACT: f64 = 3.0;

/// Why loads are missing.
pub(super) const NO_GRAVITY: &str = "gravity is not known (--gravity X,Y,Z)";

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "force balance",
    about: "m Δv/Δt − (m g + applied + reactions of joints + Σ contact) over windows, in share of the load; the median of a window, so that impacts between two frames do not count, and stretches of four steps",
    judge,
};

/// The reported forces do not produce the motion of the body.
pub(crate) static FORCES_UNBALANCED: FaultKind = FaultKind::symptom(
    "forces-unbalanced",
    "The contact forces that an engine reports, with gravity, applied forces and the reactions of joints, do not make the change of momentum that its velocities show, by more than 1 % of the load over a whole window, 10 % in four successive steps or a fifth of those of a window, or 5 % of the largest momentum in one; or the forces of two bodies on each other differ by 1 %. The forces are not those that acted, or the velocities are not those of the motion. Do not use them as sensors.",
);

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if evidence.gravity.is_none() {
        return vec![Outcome::lacks(NO_GRAVITY)];
    }
    if evidence.windows.is_empty() {
        return vec![Outcome::lacks(FEW)];
    }
    if !evidence.reports_forces(n) {
        return vec![Outcome::lacks("the log has no friction forces of contacts")];
    }
    let (convention, residuals) = best(evidence, n);
    vec![of_windows(evidence, n, convention, &residuals)]
}

/// The answer for the residuals of all intervals \[N\].
fn of_windows(
    evidence: &Evidence,
    n: usize,
    convention: Convention,
    residuals: &[Vector],
) -> Outcome {
    let scale = evidence.scale_of_force(n);
    let sigma =
        evidence.body(n).mass * evidence.noise_of_velocity(n) * 2.0 / evidence.usual_interval();
    let all = by_window(evidence, n, residuals, sigma);
    let words = convention.words();
    if let Some(Left { off, doubt, time, .. }) = worst(&all)
        && off - doubt > SHARE * scale
    {
        let reactions = match evidence.body(n).reaction {
            Some(_) => "",
            None => "; no reactions of joints are reported",
        };
        let text = format!(
            "from t = {} s on {} N are missing or too much, {} of the load of {} N (forces are {words}){reactions}",
            number(*time),
            number(*off),
            percent(off / scale),
            number(scale)
        );
        return Outcome::Fault(&FORCES_UNBALANCED, text);
    }
    if let Some(text) = lapse(evidence, n, residuals, sigma) {
        return Outcome::Fault(&FORCES_UNBALANCED, format!("{text} (forces are {words})"));
    }
    let Some((share, windows)) = balanced(&all, scale) else {
        return Outcome::lacks("noise of the velocities hides a tenth of the load");
    };
    Outcome::Clear(format!(
        "within {} of the load, the median of each of {windows} windows (forces are {words})",
        percent(share)
    ))
}

/// A stretch in which forces are missing that is too short for the median of a window: successive intervals, or a
/// fifth of those of a window, with more than a tenth of the load on average; in words.
fn lapse(evidence: &Evidence, n: usize, residuals: &[Vector], sigma: f64) -> Option<String> {
    let (scale, asleep) = (evidence.scale_of_force(n), asleep(evidence, n));
    let reported: Vec<f64> =
        (0..residuals.len() + 1).map(|k| reported_force(evidence, n, k).norm()).collect();
    // between frames an impact has another mean than at them
    let least = |k: usize| {
        let around = &reported[k.saturating_sub(1)..(k + 3).min(reported.len())];
        LOOSE * around.iter().copied().fold(scale, larger) + 6.0 * sigma
    };
    // between frames that are further apart than a step forces may have been others, and velocities from positions
    // smear an impact
    let smeared = evidence.may_be_sampled() || evidence.body(n).velocity.is_none();
    if smeared || 6.0 * sigma > scale {
        return None;
    }
    let off = |k: usize| !asleep[k + 1] && residuals[k].norm() > least(k);
    let mean = |all: &[usize]| all.iter().map(|k| residuals[*k]).sum::<Vector>() / all.len() as f64;
    let words = |all: &[usize], missing: f64| {
        let [from, to] = [all[0], all[all.len() - 1] + 1].map(|k| number(evidence.log.time[k]));
        let share = percent(missing / scale);
        format!(
            "from t = {from} s to {to} s {} N are missing or too much, {share} of the load, in {} frames",
            number(missing),
            all.len()
        )
    };
    let all: Vec<usize> = (0..residuals.len()).filter(|k| off(*k)).collect();
    for run in all.chunk_by(|a, b| a + 1 == *b).filter(|run| run.len() >= SUCCESSIVE) {
        // a body that bounces with every frame has others in each of them
        let (middle, most) = (mean(run), run.iter().map(|k| least(*k)).fold(0.0, larger));
        let apart = run.iter().map(|k| (residuals[*k] - middle).norm()).fold(0.0, larger);
        let missing = middle.norm();
        if missing > most && apart < 0.5 * missing + 6.0 * sigma {
            return Some(words(run, missing));
        }
    }
    for window in &evidence.windows {
        // without impacts between two frames
        let counts = |k: &usize| !asleep[k + 1] && residuals[*k].norm() <= IMPACT * scale;
        let frames: Vec<usize> = (window.start..window.end - 1).filter(counts).collect();
        let off: Vec<usize> = frames.iter().copied().filter(|k| off(*k)).collect();
        if frames.is_empty() {
            continue;
        }
        let missing = mean(&frames).norm();
        if off.len() as f64 > OFTEN * frames.len() as f64 && missing > least(off[0]) {
            return Some(words(&off, missing));
        }
    }
    None
}

/// The rest of a balance in a window: its median and the doubt of that \[N or N m\], and its start \[s\].
pub(super) struct Left {
    pub window: Range<usize>,
    pub middle: Vector,
    pub off: f64,
    pub doubt: f64,
    pub time: f64,
}

/// The rest in each window, of the intervals in which the body is not [`asleep`].
pub(super) fn by_window(
    evidence: &Evidence,
    n: usize,
    residuals: &[Vector],
    sigma: f64,
) -> Vec<Left> {
    let asleep = asleep(evidence, n);
    let of = |window: &Range<usize>| {
        let awake = (window.start..window.end - 1).filter(|k| !asleep[k + 1]);
        let of: Vec<Vector> = awake.map(|k| residuals[k]).collect();
        if of.is_empty() {
            return None;
        }
        let middle = median_vector(&of);
        let time = evidence.log.time[window.start];
        let window = window.clone();
        Some(Left { window, middle, off: middle.norm(), doubt: doubt(&of, sigma), time })
    };
    evidence.windows.iter().filter_map(of).collect()
}

/// The window with the most that is left beyond its doubt.
pub(super) fn worst(all: &[Left]) -> Option<&Left> {
    all.iter().max_by(|a, b| (a.off - a.doubt).total_cmp(&(b.off - b.doubt)))
}

/// The largest share of a scale that may be left, and the number of windows that show it; none where noise hides it in
/// most of them.
pub(super) fn balanced(all: &[Left], scale: f64) -> Option<(f64, usize)> {
    let clear: Vec<f64> =
        all.iter().map(|of| of.off + of.doubt).filter(|x| *x <= LOOSE * scale).collect();
    // the few windows that happen to be close show nothing
    let most = clear.iter().copied().fold(0.0, larger) / scale;
    let many = !clear.is_empty() && 2 * clear.len() >= all.len();
    (many && scale > 0.0).then_some((most, clear.len()))
}

/// The frames without contacts of a body that is motionless since it had some: an engine may report none of what it
/// has put to sleep.
pub(super) fn asleep(evidence: &Evidence, n: usize) -> Vec<bool> {
    let x = &evidence.body(n).position;
    let (mut since_contact, mut all) = (false, Vec::with_capacity(x.len()));
    for k in 0..x.len() {
        let touches = evidence.log.contacts_of(n, k).next().is_some();
        since_contact = touches || (since_contact && k > 0 && x[k] == x[k - 1]);
        all.push(since_contact && !touches);
    }
    all
}

/// The median of what is not balanced before a frame \[N\]; none with few frames.
pub(super) fn unbalanced(evidence: &Evidence, n: usize, before: usize) -> Option<f64> {
    let (_, residuals) = best(evidence, n);
    let moving = residuals.get(..before.checked_sub(1)?)?;
    (moving.len() >= 8).then(|| median_vector(moving).norm())
}

/// The sum of the contact forces in a frame \[N\].
fn reported_force(evidence: &Evidence, n: usize, k: usize) -> Vector {
    evidence.log.contacts_of(n, k).map(|c| c.force()).sum()
}

/// The residual of each interval \[N\], under the conventions for contact and applied forces with the
/// smallest medians; and the convention for contact forces.
fn best(evidence: &Evidence, n: usize) -> (Convention, Vec<Vector>) {
    let (body, velocity) = (evidence.body(n), &evidence.velocities[n]);
    let weight = body.mass * evidence.gravity.unwrap_or_default();
    let change = |k: usize| body.mass * (velocity[k] - velocity[k - 1]) / evidence.interval(k);
    let acting = Acting {
        change: (1..velocity.len()).map(|k| change(k) - weight).collect(),
        reported: (0..velocity.len()).map(|k| reported_force(evidence, n, k)).collect(),
        applied: (0..velocity.len()).map(|k| body.force(k)).collect(),
    };
    acting.best(evidence)
}

/// A balance of forces or of torques.
pub(super) struct Acting {
    /// rate of change of momentum in each interval, less the weight \[N or N m\]
    pub change: Vec<Vector>,
    /// of contacts, at each frame
    pub reported: Vec<Vector>,
    /// of drives, pushes and joints, at each frame
    pub applied: Vec<Vector>,
}

impl Acting {
    /// The residual of each interval under the conventions for contacts and for applied forces with the smallest
    /// medians over windows; and the convention for contacts.
    pub fn best(&self, evidence: &Evidence) -> (Convention, Vec<Vector>) {
        let residuals = |reported: Convention, pushed: Convention| -> Vec<Vector> {
            let between = |convention: Convention, of: &[Vector], k: usize| {
                convention.between(of[k], of[k + 1])
            };
            let left = |(k, change): (usize, &Vector)| {
                change - between(pushed, &self.applied, k) - between(reported, &self.reported, k)
            };
            self.change.iter().enumerate().map(left).collect()
        };
        let pairs = Convention::ALL
            .iter()
            .flat_map(|reported| Convention::ALL.iter().map(move |pushed| (*reported, *pushed)));
        let all = pairs.map(|(reported, pushed)| (reported, residuals(reported, pushed)));
        // the sum of the medians over windows: impacts do not count, and no window hides another
        let sized = all.map(|of| (size(evidence, &of.1), of));
        let best = sized.reduce(|best, other| if other.0 < best.0 { other } else { best });
        best.map_or((Convention::End, Vec::new()), |best| best.1)
    }
}

/// The sum of the medians of residuals over windows; between equal ones their mean decides.
pub(super) fn size(evidence: &Evidence, residuals: &[Vector]) -> f64 {
    let of = |w: &Range<usize>| median_vector(&residuals[w.start..w.end - 1]).norm();
    let mean = residuals.iter().map(Vector::norm).sum::<f64>() / residuals.len().max(1) as f64;
    evidence.windows.iter().map(of).sum::<f64>() + EQUAL * mean
}

/// A share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share))
}

//! Work of friction: it brakes what slides.

use super::balance::percent;
use super::{Check, Evidence, Outcome};
use stiction_core::diagnosis::passivity::FRICTION_CREATES_ENERGY;
use stiction_core::math::{larger, number};

/// Tolerated share of driving (positive) work in all work of friction.
const DRIVEN: f64 = 0.05;

/// Tolerated share of the frames with sliding contacts in which friction drives the body.
const SHARE: f64 = 0.01;

/// Share of Σ |f| |slip| from which friction drives; below it the two are at right angles.
const ALONG: f64 = 0.1;

/// Path under the scale of forces whose work counts as none \[m\]: rounding.
const NOTHING: f64 = 1e-9;

/// Least number of successive frames in which friction drives: an impact takes fewer.
const FEWEST: usize = 3;

/// The check.
pub(crate) static CHECK: Check = Check {
    name: "work of friction",
    about: "f·slip at each contact, by the mean of its slip at this frame and the one before; over surroundings at rest, or between bodies",
    judge,
};

/// Sums over contacts and intervals.
#[derive(Default)]
struct Sums {
    /// Σ of positive f·slip Δt \[J\]
    driving: f64,
    /// Σ |f·slip| Δt \[J\]
    all: f64,
    /// frames with contacts that slide, and those in which friction drives
    frames: usize,
    drives: Vec<usize>,
}

impl Sums {
    /// The longest run of successive frames in which friction drives.
    fn longest(&self) -> usize {
        let (mut longest, mut run) = (0, 0);
        for (place, frame) in self.drives.iter().enumerate() {
            let follows = place > 0 && self.drives[place - 1] + 1 == *frame;
            run = if follows { run + 1 } else { 1 };
            longest = longest.max(run);
        }
        longest
    }
}

fn judge(evidence: &Evidence, n: usize) -> Vec<Outcome> {
    if !evidence.reports_forces(n) {
        return vec![Outcome::lacks("the log has no friction forces of contacts")];
    }
    let (sums, unknown) = sums(evidence, n);
    let noise = evidence.scale_of_force(n) * 6.0 * evidence.noise_of_slip(n) * evidence.duration();
    let kinetic = 0.5 * evidence.body(n).mass * evidence.fastest(n) * evidence.fastest(n);
    if sums.all > noise && noise > DRIVEN * sums.all {
        return vec![Outcome::lacks("noise of the velocities hides the work of friction")];
    }
    let least = larger(1e-6 * kinetic, NOTHING * evidence.scale_of_force(n));
    if sums.all <= noise || sums.all < least {
        return vec![Outcome::lacks(unknown.unwrap_or("friction does no work"))];
    }
    let share = sums.drives.len() as f64 / sums.frames.max(1) as f64;
    if sums.driving > DRIVEN * sums.all + noise {
        let (driving, all) = (number(sums.driving), number(sums.all));
        let text = format!("friction drove with {driving} J of {all} J");
        return vec![Outcome::Fault(&FRICTION_CREATES_ENERGY, text)];
    }
    if share > SHARE && sums.longest() >= FEWEST {
        let text = format!(
            "friction drives in {} of {} frames in which it slides, first at t = {} s",
            percent(share),
            sums.frames,
            number(evidence.log.time[sums.drives[0]])
        );
        return vec![Outcome::Fault(&FRICTION_CREATES_ENERGY, text)];
    }
    let mut text = format!(
        "friction brakes in {} of its {} J",
        percent(1.0 - sums.driving / sums.all),
        number(sums.all)
    );
    if sums.frames > 0 {
        let brakes = percent(1.0 - share);
        text += &format!(", and in {brakes} of {} frames in which it slides", sums.frames);
    }
    vec![Outcome::Clear(text)]
}

/// The sums of a body, and the reason why slips are not known where they are not.
fn sums(evidence: &Evidence, n: usize) -> (Sums, Option<&'static str>) {
    let (mut sums, mut unknown) = (Sums::default(), None);
    let least = evidence.sliding_speed(n);
    for k in 1..evidence.log.time.len() {
        // of the contacts that slide: f·slip before and now, and Σ |f| |slip|
        let (mut before, mut now, mut size) = (0.0, 0.0, 0.0);
        for contact in evidence.log.contacts_of(n, k) {
            let slips = evidence
                .slip(n, k - 1, contact)
                .and_then(|before| Ok((before, evidence.slip(n, k, contact)?)));
            let (first, last) = match slips {
                Ok(slips) => slips,
                Err(why) => {
                    unknown = Some(why);
                    continue;
                }
            };
            let friction = contact.friction.unwrap_or_default();
            // the force acts from one frame to the next
            let work = friction.dot(&(0.5 * (first + last))) * evidence.interval(k);
            sums.all += work.abs();
            sums.driving += larger(work, 0.0);
            if first.norm() > least && last.norm() > least {
                before += friction.dot(&first);
                now += friction.dot(&last);
                size += friction.norm() * last.norm();
            }
        }
        sums.frames += usize::from(size > 0.0);
        if size > 0.0 && before > ALONG * size && now > ALONG * size {
            sums.drives.push(k);
        }
    }
    (sums, unknown)
}

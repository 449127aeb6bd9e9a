//! Summary of all frames, updated with every frame, so that no frame need stay in memory.

use super::Frame;
use super::extremes::ColumnRange;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::math::{Vector, larger};
use stiction_scene::{Expectation, Moment};

/// Number, extremes, first and last of the frames so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Number of frames.
    pub count: usize,
    /// The last of them.
    pub last: Option<Frame>,
    /// The largest depth \[m\].
    pub max_penetration: f64,
    /// The largest h λ.
    pub max_hlambda: f64,
    /// Whether there was a contact at any frame, or a depth at any step.
    pub touched: bool,
    /// Time \[s\] of the last frame at which each fault stood, by its name.
    faults: BTreeMap<String, f64>,
    /// centre of mass of each body at the first and the last frame \[m\]
    ends: [Vec<Vector>; 2],
    sought: Vec<Sought>,
}

/// The frame to which an expectation refers, among those so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Sought {
    /// index of its column; none if no measure has it
    column: Option<usize>,
    at: Moment,
    found: Option<NearestFrame>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct NearestFrame {
    frame: usize,
    value: f64,
    /// distance from the requested time \[s\]
    off: f64,
}

impl Tally {
    /// An empty summary of frames with these columns, for these expectations.
    pub(super) fn of(columns: &[String], expectations: &[Expectation]) -> Self {
        let sought = expectations.iter().map(|e| Sought {
            column: columns.iter().position(|name| *name == e.column),
            at: e.at,
            found: None,
        });
        Tally { sought: sought.collect(), ..Tally::default() }
    }

    /// Whether `later` can be of the same run, with so many bodies and columns.
    pub(super) fn fits(&self, later: &Tally, bodies: usize, columns: usize) -> bool {
        let same = |(own, it): (&Sought, &Sought)| {
            let found = it.found.is_none_or(|found| found.frame < later.count);
            own.column == it.column && own.at == it.at && found
        };
        let frame = |it: &Frame| it.measures.len() == columns && it.creep.len() == bodies;
        let centers = if later.count == 0 { 0 } else { bodies };
        later.last.is_some() == (later.count > 0)
            && later.last.iter().all(frame)
            && later.ends.iter().all(|ends| ends.len() == centers)
            && self.sought.len() == later.sought.len()
            && self.sought.iter().zip(&later.sought).all(same)
    }

    /// Adds a frame, the centres of mass of the bodies \[m\], and the verdict there.
    pub(super) fn add(&mut self, frame: &Frame, centers: &[Vector], verdict: &Verdict) {
        for reason in &verdict.reasons {
            match self.faults.get_mut(reason.name()) {
                Some(last) => *last = frame.time,
                None => _ = self.faults.insert(reason.name().into(), frame.time),
            }
        }
        for sought in &mut self.sought {
            sought.see(self.count, frame);
        }
        self.count += 1;
        self.max_penetration = larger(self.max_penetration, frame.max_penetration);
        self.max_hlambda = larger(self.max_hlambda, frame.max_hlambda);
        self.touched |= frame.contacts > 0 || frame.max_penetration > 0.0;
        if self.count == 1 {
            self.ends[0] = centers.to_vec();
        }
        self.ends[1].clear();
        self.ends[1].extend_from_slice(centers);
        self.last.get_or_insert_default().clone_from(frame);
    }

    /// Faults at frames that a later verdict no longer has, each with the last frame's time \[s\]: measured
    /// against what the run had done until then, they were too large.
    pub fn passed(&self, verdict: &Verdict) -> impl Iterator<Item = (&str, f64)> {
        let stands = |name: &str| {
            let all = verdict.reasons.iter().chain(&verdict.outweighed);
            all.into_iter().any(|reason| reason.name() == name)
        };
        let faults = self.faults.iter().map(|(name, time)| (name.as_str(), *time));
        faults.filter(move |(name, _)| !stands(name))
    }

    /// Distance of a body's centre of mass from its start \[m\].
    pub(super) fn travel(&self, body: usize) -> f64 {
        (self.ends[1][body] - self.ends[0][body]).norm()
    }

    /// The frame and the value to which the expectation with this index refers, and by how much an extreme lies beyond
    /// all values at the ends of steps. `range`: extremes over all accepted states, if known; `near`: largest distance
    /// of a frame from a time \[s\].
    pub(super) fn measured(
        &self,
        number: usize,
        completed: bool,
        range: impl Fn(usize) -> Option<ColumnRange>,
        near: impl Fn(f64) -> f64,
    ) -> Option<(usize, f64, f64)> {
        let Sought { column, at, found } = &self.sought[number];
        let (NearestFrame { frame, value, off }, range) = ((*found)?, range((*column)?));
        let extreme = |greatest| {
            let (value, between) = range.and_then(|r| r.extreme(greatest)).unwrap_or((value, 0.0));
            Some((frame, value, between))
        };
        match at {
            Moment::End => completed.then_some((frame, value, 0.0)),
            Moment::Maximum => extreme(true),
            Moment::Minimum => extreme(false),
            Moment::Time(time) => (off <= near(*time)).then_some((frame, value, 0.0)),
        }
    }
}

impl Sought {
    fn see(&mut self, number: usize, frame: &Frame) {
        let Some(column) = self.column else { return };
        let value = frame.measures[column];
        let off = match self.at {
            Moment::Time(time) => (frame.time - time).abs(),
            _ => 0.0,
        };
        let better = |found: &NearestFrame| match self.at {
            Moment::End => true,
            // a value that does not exist yet is no extreme
            Moment::Maximum => value > found.value || found.value.is_nan(),
            Moment::Minimum => value < found.value || found.value.is_nan(),
            Moment::Time(_) => off.total_cmp(&found.off).is_lt(),
        };
        if self.found.as_ref().is_none_or(better) {
            self.found = Some(NearestFrame { frame: number, value, off });
        }
    }
}

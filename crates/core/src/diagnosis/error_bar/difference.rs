//! Distances of the values of two runs, and their size over a course.

use super::{Columns, ROUNDING, TRUSTED};
use crate::math::{larger, log2, sqrt};
use std::ops::Range;

/// Frames of a window: all frames over the second number, but at least the first.
const WINDOW: (usize, usize) = (8, 8);

/// Distances of two runs, `[column][frame]`.
pub(super) struct Difference(pub Vec<Vec<f64>>);

impl Difference {
    /// A value that only one run has counts as an error of the whole scale; at frames of [`late`] the distance is that
    /// of the frames beside them.
    pub fn between(columns: &Columns, a: usize, b: usize, frames: usize, scale: f64) -> Self {
        let late = late(columns, frames);
        let apart = |x: f64, y: f64| match (x.is_finite(), y.is_finite()) {
            (true, true) => (x - y).abs(),
            (false, false) => 0.0,
            _ => scale,
        };
        let column = |runs: &Vec<&[f64]>| -> Vec<f64> {
            let mut apart: Vec<f64> = (0..frames).map(|k| apart(runs[a][k], runs[b][k])).collect();
            for of in &late {
                let beside = larger(apart[of.start - 1], apart[of.end]);
                apart[of.clone()].fill(beside);
            }
            apart
        };
        Difference(columns.iter().map(column).collect())
    }

    /// The same, but at least the scale where some run has no value.
    pub fn unknown_at(mut self, late: &[Range<usize>], scale: f64) -> Self {
        for column in &mut self.0 {
            late.iter().cloned().flatten().for_each(|k| column[k] = larger(column[k], scale));
        }
        self
    }

    fn with(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Self {
        let columns = self.0.iter().zip(&other.0);
        Difference(
            columns.map(|(a, b)| a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect()).collect(),
        )
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    pub fn or(&self, other: &Self) -> Self {
        self.with(other, larger)
    }

    pub fn times(&self, factor: f64) -> Self {
        self.with(self, |a, _| factor * a)
    }

    /// The same, but at least the scale from the first frame with a distance above the trusted share, in columns
    /// in which the runs differ at all.
    pub fn unknown(&self, scale: f64) -> Self {
        let from = (0..self.frames()).find(|frame| self.norm(*frame) > TRUSTED * scale);
        let mut wide = self.times(1.0);
        let differs = |column: &&mut Vec<f64>| column.iter().any(|x| *x > ROUNDING * scale);
        for column in wide.0.iter_mut().filter(differs) {
            column[from.unwrap_or(self.frames())..].iter_mut().for_each(|x| *x = larger(*x, scale));
        }
        wide
    }

    /// Distance over all columns at a frame.
    pub fn norm(&self, frame: usize) -> f64 {
        sqrt(self.0.iter().map(|column| column[frame] * column[frame]).sum())
    }

    pub fn frames(&self) -> usize {
        self.0.first().map_or(0, Vec::len)
    }

    /// The larger of the last distance and the largest mean over a window, without its largest distance at a jump: a
    /// jump one step early is no error of later frames.
    pub fn size(&self, jumps: &[bool]) -> f64 {
        let norms: Vec<f64> = (0..self.frames()).map(|frame| self.norm(frame)).collect();
        let (window, whole) = (window(self.frames()), norms.len() >= WINDOW.0);
        let mean = |from: usize, norms: &[f64]| {
            let at_jumps = norms.iter().zip(&jumps[from..]).filter(|(_, jump)| **jump && whole);
            let left_out = at_jumps.map(|(norm, _)| *norm).reduce(larger);
            let count = norms.len() - usize::from(left_out.is_some());
            (norms.iter().sum::<f64>() - left_out.unwrap_or(0.0)) / count as f64
        };
        let step = (window / 2).max(1);
        let windows = norms.windows(window.max(1)).enumerate().step_by(step);
        let means = windows.map(|(from, norms)| mean(from, norms));
        means.chain(norms.last().copied()).fold(0.0, larger)
    }

    /// The order by which distances at these frames fall from this to `next`; `None` if they are rounding.
    pub fn order_over(&self, next: &Self, frames: &[usize], rounding: f64) -> Option<f64> {
        let root = |d: &Self| {
            let squares =
                |column: &Vec<f64>| frames.iter().map(|k| column[*k] * column[*k]).sum::<f64>();
            sqrt(d.0.iter().map(squares).sum())
        };
        let count = sqrt((frames.len() * self.0.len()) as f64);
        let (first, second) = (root(self), root(next));
        (larger(first, second) > rounding * count).then(|| log2(first / second))
    }

    /// The frame where this or `other` is largest; never the last one, and none where a window has all frames.
    pub fn farthest_frame(&self, other: &Self) -> Option<usize> {
        let apart = |k: usize| larger(self.norm(k), other.norm(k));
        let before_the_last = (0..self.frames()).filter(|_| self.frames() > WINDOW.0);
        let before_the_last = before_the_last.take(self.frames().saturating_sub(1));
        before_the_last.reduce(|a, b| if apart(b) > apart(a) { b } else { a })
    }

    /// The same, but at this frame at least `other`.
    pub fn or_at(mut self, frame: usize, other: &Self) -> Self {
        for (column, other) in self.0.iter_mut().zip(&other.0) {
            column[frame] = larger(column[frame], other[frame]);
        }
        self
    }

    /// The largest distance near each frame, within an eighth of a window: differences of oscillations
    /// pass through zero.
    pub fn around(&self) -> Vec<Vec<f64>> {
        let reach = reach(self.frames());
        let column = |column: &Vec<f64>| {
            let near =
                |k: usize| &column[k.saturating_sub(reach)..(k + reach + 1).min(column.len())];
            (0..column.len()).map(|k| near(k).iter().copied().fold(0.0, larger)).collect()
        };
        self.0.iter().map(column).collect()
    }
}

/// Frames of a window over a course of some frames.
fn window(frames: usize) -> usize {
    let (least, parts) = WINDOW;
    (frames / parts).max(least).min(frames)
}

/// Number of frames that are near each other: an eighth of a window.
fn reach(frames: usize) -> usize {
    (window(frames) / 8).max(1)
}

/// Stretches of frames, near each other, at which some runs have a value and others have none, between a frame at
/// which none has and one at which all have: a value that exists once something has happened, as the mean time of a
/// cycle does, which is a little later in one run than in another.
pub(super) fn late(columns: &Columns, frames: usize) -> Vec<Range<usize>> {
    let runs = columns.first().map_or(0, Vec::len);
    let has = |run: usize, k: usize| !columns.iter().any(|of| of[run][k].is_nan());
    let count = |k: usize| (0..runs).filter(|run| has(*run, k)).count();
    let in_part = |k: &usize| (1..runs).contains(&count(*k));
    let (mut stretches, mut next) = (Vec::new(), 1);
    while let Some(from) = (next..frames).find(in_part) {
        next = (from..frames).find(|k| !in_part(k)).unwrap_or(frames);
        if next < frames && next - from <= reach(frames) && count(from - 1) != count(next) {
            stretches.push(from..next);
        }
    }
    stretches
}

/// Whether the runs are no further apart at a frame than twice what one of them changes from the frame before it to
/// that behind it: there a value jumps in one run earlier than in others. A peak of one frame is no jump.
pub(super) fn jumps(columns: &Columns, frames: usize) -> Vec<bool> {
    let runs = columns.first().map_or(0, Vec::len);
    let distance = |of: &dyn Fn(&Vec<&[f64]>) -> f64| {
        sqrt(columns.iter().map(|column| of(column) * of(column)).sum())
    };
    let jumps = |k: usize| {
        let (before, after) = (k.saturating_sub(1), (k + 1).min(frames - 1));
        let change = (0..runs).map(|run| distance(&|of| of[run][after] - of[run][before]));
        let pairs = (0..runs).flat_map(|a| (0..a).map(move |b| (a, b)));
        let apart = pairs.map(|(a, b)| distance(&|of| of[a][k] - of[b][k]));
        apart.fold(0.0, larger) <= 2.0 * change.fold(0.0, larger)
    };
    (0..frames).map(jumps).collect()
}

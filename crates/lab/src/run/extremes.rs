//! Extremes over all accepted states, not only frames: the largest depth, the extremes of measures
//! with an expectation at "max" or "min", and creep over the last quarter.

use serde::{Deserialize, Serialize};
use stiction_core::diagnosis::drift::Drift;
use stiction_core::math::{larger, smaller};
use stiction_core::measures::vertex::vertex;
use stiction_core::measures::{Probe, ProbeMemory};
use stiction_core::simulation::Simulation;
use stiction_scene::{Expectation, Moment};

/// A measure with an expectation of its extremes.
struct Watched {
    probe: Probe,
    /// index of the first of its columns in the run
    first: usize,
    /// of each of its columns
    range: Vec<ColumnRange>,
}

/// Least and largest value of a column at the ends of steps, and between these.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct ColumnRange {
    /// at the ends of steps
    read: (f64, f64),
    /// with the vertices of parabolas between them
    reached: (f64, f64),
    /// times and values of the last three, the newest last
    last: [Option<(f64, f64)>; 3],
}

impl ColumnRange {
    const EMPTY: ColumnRange = {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        ColumnRange { read: nothing, reached: nothing, last: [None; 3] }
    };

    /// Adds a value; one that is not a number is left out, and so is a second one at that time, as after a resumption.
    fn add(&mut self, time: f64, value: f64) {
        if value.is_nan() || self.last[2].is_some_and(|(before, _)| time <= before) {
            return;
        }
        let wider = |(least, most): (f64, f64), value| (smaller(least, value), larger(most, value));
        self.read = wider(self.read, value);
        self.reached = wider(self.reached, value);
        let [first, second, third] = self.last;
        self.last = [second, third, Some((time, value))];
        if let (Some(first), Some(second), Some(third)) = (first, second, third) {
            let turns = (third.1 - second.1) * (value - third.1) <= 0.0;
            let between = vertex([first, second, third, (time, value)]).filter(|_| turns);
            self.reached = between.map_or(self.reached, |(_, y)| wider(self.reached, y));
        }
    }

    /// The largest value, or the least, and by how much it lies beyond those at the ends of steps.
    pub(super) fn extreme(&self, greatest: bool) -> Option<(f64, f64)> {
        let of = |(least, most)| if greatest { most } else { least };
        let (value, read): (f64, f64) = (of(self.reached), of(self.read));
        let between = if value == read { 0.0 } else { (value - read).abs() };
        (self.read.0 <= self.read.1).then_some((value, between))
    }
}

/// Least and largest values of a measure, and its memory.
#[derive(Clone, Serialize, Deserialize)]
struct RangeCheckpoint {
    range: Vec<ColumnRange>,
    memory: ProbeMemory,
}

/// The time in which contacts of a body slid, found between frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Slip {
    /// Start and end of the first and last interval between frames in which they slid \[s\].
    pub between: Option<[f64; 2]>,
    /// Time, weighted with N \[s\].
    pub time: f64,
}

/// The part of [`Extremes`] that changes during a run.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ExtremesCheckpoint {
    watched: Vec<RangeCheckpoint>,
    deepest: f64,
    pending: Vec<Drift>,
    quarter: Vec<Drift>,
    halves: Option<[Vec<Drift>; 2]>,
    slips: Vec<Slip>,
    counted: f64,
    quarter_from: f64,
}

/// Sums and extremes over accepted states.
#[derive(Default)]
pub(super) struct Extremes {
    watched: Vec<Watched>,
    /// largest depth since the last frame \[m\]
    deepest: f64,
    /// creep of each body since the last frame, and over the last quarter
    pending: Vec<Drift>,
    quarter: Vec<Drift>,
    /// the same over the two halves of the last quarter: frames that end in the first, and the others
    halves: Option<[Vec<Drift>; 2]>,
    /// the time in which each body slid, and until when it was counted \[s\]
    slips: Vec<Slip>,
    counted: f64,
    /// end of the run \[s\]
    end: f64,
    /// start of the last quarter, once it has begun \[s\]
    quarter_from: f64,
    values: Vec<f64>,
}

impl Extremes {
    /// Watches the measures with an expectation of an extreme. Measures that depend on the previous
    /// frame are evaluated at frames only.
    pub(super) fn of(probes: &[Probe], expectations: &[Expectation], end: f64) -> Self {
        let (mut watched, mut first) = (Vec::new(), 0);
        for probe in probes {
            let wanted = |e: &Expectation| {
                probe.columns.contains(&e.column)
                    && matches!(e.at, Moment::Maximum | Moment::Minimum)
            };
            if expectations.iter().any(wanted) && !probe.is_of_frames() {
                let range = vec![ColumnRange::EMPTY; probe.columns.len()];
                watched.push(Watched { probe: probe.anew(), first, range });
            }
            first += probe.columns.len();
        }
        Extremes { watched, end, ..Extremes::default() }
    }

    /// Adds an accepted state; `begins_quarter` marks the last one before the last quarter.
    pub(super) fn look(&mut self, simulation: &mut Simulation, begins_quarter: bool) {
        if begins_quarter {
            self.end_creep(simulation);
            self.quarter = vec![Drift::default(); self.pending.len()];
            self.halves = Some(Default::default());
            self.quarter_from = simulation.state.time;
        }
        let depths = simulation.state.memory.contacts.iter().map(|contact| contact.depth);
        self.deepest = depths.fold(self.deepest, larger);
        for watched in &mut self.watched {
            self.values.clear();
            watched.probe.read(simulation, &mut self.values);
            let time = simulation.state.time;
            let columns = watched.range.iter_mut().zip(&self.values);
            columns.for_each(|(range, value)| range.add(time, *value));
        }
    }

    /// The largest depth since the last frame \[m\].
    pub(super) fn take_deepest(&mut self) -> f64 {
        std::mem::take(&mut self.deepest)
    }

    /// Extremes of a column, if watched.
    pub(super) fn range(&self, column: usize) -> Option<ColumnRange> {
        self.watched.iter().find_map(|w| w.range.get(column.checked_sub(w.first)?).copied())
    }

    /// The creep of each body since the last frame.
    pub(super) fn take_creep(&mut self, simulation: &mut Simulation) -> Vec<Drift> {
        self.end_creep(simulation);
        std::mem::take(&mut self.pending)
    }

    /// The creep of each body over the last quarter; over the whole run if it ended before.
    pub(super) fn quarter(&self) -> &[Drift] {
        &self.quarter
    }

    /// The creep of each body over the two halves of the last quarter.
    pub(super) fn halves(&self) -> [&[Drift]; 2] {
        self.halves.as_ref().map_or([&[]; 2], |halves| halves.each_ref().map(Vec::as_slice))
    }

    /// The time in which each body slid.
    pub(super) fn slips(&self) -> &[Slip] {
        &self.slips
    }

    /// Start of the time over which [`Self::quarter`] is taken \[s\].
    pub(super) fn quarter_from(&self) -> f64 {
        self.quarter_from
    }

    /// Everything in it that changes during a run.
    pub(super) fn checkpoint(&self) -> ExtremesCheckpoint {
        let range = |w: &Watched| RangeCheckpoint {
            range: w.range.clone(),
            memory: w.probe.memory().clone(),
        };
        ExtremesCheckpoint {
            watched: self.watched.iter().map(range).collect(),
            deepest: self.deepest,
            pending: self.pending.clone(),
            quarter: self.quarter.clone(),
            halves: self.halves.clone(),
            slips: self.slips.clone(),
            counted: self.counted,
            quarter_from: self.quarter_from,
        }
    }

    /// Whether they can be of the same run, with so many bodies.
    pub(super) fn fits(&self, from: &ExtremesCheckpoint, bodies: usize) -> bool {
        let ranges =
            |(own, from): (&Watched, &RangeCheckpoint)| own.range.len() == from.range.len();
        let creep = [&from.pending, &from.quarter].into_iter().chain(from.halves.iter().flatten());
        let creep = creep.map(Vec::len).chain([from.slips.len()]);
        self.watched.len() == from.watched.len()
            && self.watched.iter().zip(&from.watched).all(ranges)
            && creep.into_iter().all(|length| [0, bodies].contains(&length))
    }

    /// Restores what [`Self::checkpoint`] returned for the same scene.
    pub(super) fn restore(&mut self, from: ExtremesCheckpoint) {
        for (watched, before) in self.watched.iter_mut().zip(from.watched) {
            watched.range = before.range;
            watched.probe.restore(before.memory);
        }
        (self.deepest, self.pending) = (from.deepest, from.pending);
        (self.quarter, self.quarter_from) = (from.quarter, from.quarter_from);
        (self.halves, self.slips, self.counted) = (from.halves, from.slips, from.counted);
    }

    fn end_creep(&mut self, simulation: &mut Simulation) {
        let h = simulation.time_step();
        let creep = simulation.watches.stick.end_frame(&simulation.model, &simulation.state, h);
        let middle = 0.5 * (self.quarter_from + self.end);
        let half = usize::from(simulation.state.time > middle * (1.0 + 1e-12));
        let half = self.halves.as_mut().map(|halves| &mut halves[half]);
        let (since, now) = (self.counted, simulation.state.time);
        self.counted = now;
        self.slips.resize(creep.len(), Slip::default());
        for (slip, drift) in self.slips.iter_mut().zip(&creep) {
            let slid = drift.share_of_sliding() * (now - since);
            if slid > 0.0 {
                slip.time += slid;
                slip.between = Some([slip.between.map_or(since, |known| known[0]), now]);
            }
        }
        for sums in [&mut self.pending, &mut self.quarter].into_iter().chain(half) {
            sums.resize(creep.len(), Drift::default());
            sums.iter_mut().zip(&creep).for_each(|(sum, since)| sum.append(since));
        }
    }
}

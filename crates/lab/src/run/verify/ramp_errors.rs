//! The share of error bars that comes of ramps of friction which steps jumped over.

use crate::run::Run;
use stiction_core::diagnosis::jumped_ramp::JumpedRamp;
use stiction_core::math::larger;

impl Run {
    /// The error at each of these times \[s\] of a measure or, by the numbers after those, of a body, in its unit: that
    /// of a place or a speed; of others the share of their `scale` that the error of the speed is of `speed` \[m/s\].
    /// `None` without jumped ramps.
    pub(super) fn ramp_errors(
        &self,
        number: usize,
        (unit, scale): (&str, f64),
        speed: f64,
        times: &[f64],
    ) -> Option<Vec<f64>> {
        let ramps = &self.simulation().watches.impacts.ramps;
        let of: Vec<&JumpedRamp> = match self.body_of(number) {
            Some(body) => ramps.of(body).into_iter().collect(),
            None => ramps.all().collect(),
        };
        let largest = |of_one: &dyn Fn(&JumpedRamp) -> f64| {
            of.iter().map(|ramp| of_one(ramp)).fold(0.0, larger)
        };
        let error = |frame: usize| {
            let (before, time) = (times[frame.saturating_sub(1)], times[frame]);
            match unit {
                "m" => largest(&|ramp| ramp.place(time)),
                "m/s" => largest(&|ramp| ramp.speed(before, time)),
                _ if speed > 0.0 => scale / speed * largest(&|ramp| ramp.speed(before, time)),
                _ => 0.0,
            }
        };
        (!of.is_empty()).then(|| (0..times.len()).map(error).collect())
    }

    /// The body of a measure of places or, by the numbers after those of measures, the body itself.
    fn body_of(&self, number: usize) -> Option<usize> {
        let Some(probe) = self.probes.get(number) else { return Some(number - self.probes.len()) };
        let (_, particles) = probe.places()?;
        self.simulation().model.body_of(*particles.first()?)
    }
}

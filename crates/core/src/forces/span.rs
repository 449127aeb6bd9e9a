//! The time span of a load.

use crate::state::Configuration;

/// A span of time \[s\]. At a boundary the load has two values: the earlier one for a step that
/// ends there, the later one for the state accepted there. So a load that switches at a step
/// boundary adds no error of impulse and lowers no order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Start \[s\].
    pub from: f64,
    /// End \[s\].
    pub until: f64,
}

impl Span {
    /// From t = 0 on.
    pub const ALWAYS: Span = Span { from: 0.0, until: f64::INFINITY };

    /// Whether the load acts at a configuration.
    pub fn contains(&self, at: &Configuration) -> bool {
        // boundaries are compared with room for the rounding of step count × dt
        let room = 1e-12 * if at.time > 1.0 { at.time } else { 1.0 };
        let shift = if at.within_step { -room } else { room };
        let time = at.time + shift;
        time >= self.from && time < self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;

    #[test]
    fn a_boundary_has_two_sides() {
        let span = Span { from: 0.5, until: 1.0 };
        let state = State::default();
        let acts = |time: f64, within_step: bool| {
            span.contains(&Configuration { time, within_step, ..state.configuration() })
        };
        assert!(acts(0.5, false) && !acts(0.5, true));
        assert!(!acts(1.0, false) && acts(1.0, true));
        assert!(acts(0.7, false) && acts(0.7, true));
        // 0.1 + 0.2 is not 0.3, but it is the same boundary
        let third = Span { from: 0.3, until: 1.0 };
        let at =
            |within_step| Configuration { time: 0.1 + 0.2, within_step, ..state.configuration() };
        assert!(third.contains(&at(false)) && !third.contains(&at(true)));
    }
}

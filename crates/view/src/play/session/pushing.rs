//! The push of a session: force and height, on and off.

use super::Session;
use crate::dial::Dial;
use crate::display::Setting;
use crate::keys::{Direction, Knob};
use crate::play::grip;
use crate::text::quantity;
use stiction_core::math::{larger, smaller};
use stiction_core::state::memory::Hand;

/// Initial force of a push, and its change per turn, in weights of the body.
const PUSH: (f64, f64) = (0.3, 0.05);

/// Largest force on the slider, in weights of the body.
const SLIDER: f64 = 2.0;

/// Change of the height per turn, in heights of the body.
const RUNG: f64 = 0.05;

impl Session {
    /// The pushed body: that of the chosen particle, else the first that is not a single particle,
    /// else the first.
    fn pushed(&self) -> usize {
        let model = &self.panes[self.active].simulation().model;
        let of = |i: usize| model.bodies.iter().position(|body| body.particles.contains(&i));
        let chosen = self.panes[self.active].chosen().and_then(of);
        let first = || model.bodies.iter().position(|body| body.particles.len() > 1);
        chosen.or_else(first).unwrap_or(0)
    }

    /// Force \[N\] and height \[m\] of the push.
    fn push_setting(&self) -> Option<(f64, f64)> {
        let simulation = &self.panes[self.active].simulation();
        let body = simulation.model.bodies.get(self.pushed())?;
        let (low, high) = grip::heights(&simulation.state, body);
        let weight = grip::weight(&simulation.model, body);
        Some(self.push.unwrap_or((PUSH.0 * weight, 0.5 * (low + high))))
    }

    pub(super) fn turn_push(&mut self, knob: Knob, way: Direction) -> Result<(), String> {
        let (force, height) = self.push_setting().ok_or("there is no body to push")?;
        let simulation = &self.panes[self.active].simulation();
        let body = &simulation.model.bodies[self.pushed()];
        let sign = if way == Direction::Up { 1.0 } else { -1.0 };
        if knob == Knob::PushForce {
            let rung = PUSH.1 * grip::weight(&simulation.model, body);
            // rounded to whole turns, so that turning back restores the start
            self.set_push(knob, (force / rung + sign).round() * rung)
        } else {
            let (low, high) = grip::heights(&simulation.state, body);
            self.set_push(knob, height + sign * RUNG * (high - low))
        }
    }

    /// Sets the force \[N\] or the height \[m\] of the push.
    pub(super) fn set_push(&mut self, knob: Knob, value: f64) -> Result<(), String> {
        let (mut force, mut height) = self.push_setting().ok_or("there is no body to push")?;
        let simulation = &self.panes[self.active].simulation();
        let body = &simulation.model.bodies[self.pushed()];
        if !value.is_finite() {
            return Err(format!("{} cannot be {value}", knob.name()));
        }
        if knob == Knob::PushForce {
            force = value;
        } else {
            let (low, high) = grip::heights(&simulation.state, body);
            height = larger(low, smaller(high, value));
        }
        self.push = Some((force, height));
        if self.panes[self.active].hand().push.is_some() {
            self.push_now(true)?;
        }
        let force = quantity(force, "N");
        self.notice = Some(format!("the push is {force} at {}", quantity(height, "m")));
        Ok(())
    }

    pub(super) fn toggle_push(&mut self) -> Result<(), String> {
        let on = self.panes[self.active].hand().push.is_none();
        self.push_now(on)
    }

    fn push_now(&mut self, on: bool) -> Result<(), String> {
        let (force, height) = self.push_setting().ok_or("there is no body to push")?;
        let pushed = self.pushed();
        self.push = Some((force, height));
        self.every(|pane| {
            let simulation = &pane.simulation();
            let body = &simulation.model.bodies[pushed];
            let push = grip::push(&simulation.model, &simulation.state, body, force, height);
            let hand = Hand { push: push.filter(|_| on), ..pane.hand().clone() };
            pane.handle(&hand)
        })
    }

    pub(super) fn push_settings(&self) -> Vec<Setting> {
        let Some((force, height)) = self.push_setting() else { return Vec::new() };
        let simulation = &self.panes[self.active].simulation();
        let body = &simulation.model.bodies[self.pushed()];
        let weight = grip::weight(&simulation.model, body);
        let (low, high) = grip::heights(&simulation.state, body);
        let setting = |knob, value, unit, range: [f64; 2]| {
            let dial = Dial { value, unit, range, logarithmic: false };
            Setting::of(knob, quantity(value, unit), Some(dial).filter(|_| range[1] > range[0]))
        };
        let mut push = setting(Knob::PushForce, force, "N", [-SLIDER * weight, SLIDER * weight]);
        if self.panes[self.active].hand().push.is_none() {
            push.value += ", off";
        }
        vec![push, setting(Knob::PushHeight, height, "m", [low, high])]
    }
}

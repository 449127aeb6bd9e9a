//! Gravity, pushes and drags as fixes that add forces; held axes as forces set to zero.

use super::{Export, Inexpressible, plain};
use stiction_core::math::Vector;
use stiction_scene::build::select;

/// Gravity, pushes and drags.
pub(super) fn script(export: &mut Export) -> Result<String, Inexpressible> {
    let mut text = String::new();
    let g = export.scene.gravity;
    if g != Vector::zeros() {
        let words = super::numbers(g);
        text += &format!("fix gravity all gravity {:?} vector {words}\n", g.norm());
    }
    pushes(export, &mut text)?;
    drags(export, &mut text)?;
    Ok(text)
}

/// A factor in the language of variables: 1 between two times, and ½ at a step where it changes,
/// since the force of that step acts on the half steps before and after it.
struct Window<'a> {
    export: &'a Export<'a>,
    whole: bool,
}

impl Window<'_> {
    /// A time in steps; notes whether it is a whole number.
    fn steps(&mut self, time: f64) -> u64 {
        let steps = time / self.export.scene.time.step;
        let near = steps.round();
        self.whole &= (steps - near).abs() <= 1e-6;
        near as u64
    }

    fn text(&mut self, from: f64, until: Option<f64>) -> String {
        let edge = |at: u64| format!("0.5*((step>={at})+(step>{at}))");
        let mut text = match self.steps(from) {
            0 => "1".to_string(),
            at => edge(at),
        };
        if let Some(until) = until {
            text += &format!("-{}", edge(self.steps(until)));
        }
        format!("({text})")
    }
}

fn pushes(export: &mut Export, text: &mut String) -> Result<(), Inexpressible> {
    let built = export.built;
    let all = built.model.particles();
    for (number, push) in export.scene.pushes.iter().enumerate() {
        let number = number + 1;
        let body = &built.model.bodies[push.body];
        let chosen = select(&push.selection, body, &built.state.positions, push.place);
        let chosen = chosen.map_err(|error| Inexpressible(vec![error.to_string()]))?;
        let share = if push.per_particle { 1.0 } else { chosen.len() as f64 };
        let (factor, whole) = {
            let mut window = Window { export, whole: true };
            let mut factor = window.text(push.from, push.until);
            if push.ramp > 0.0 {
                let (start, rise) = (window.steps(push.from), window.steps(push.ramp));
                let rise = rise.max(1);
                factor += &format!("*ternary(step<{},(step-{start})/{rise},1)", start + rise);
            }
            (factor, window.whole)
        };
        note_times(export, whole, &format!("push {number}"));
        let group = export.groups.of(&format!("pushed{number}"), chosen, all)?;
        let force = push.force / share;
        *text += &format!("\n# push on {}\n", plain(&body.name));
        for (axis, f) in ["x", "y", "z"].into_iter().zip(force.iter()) {
            *text += &format!("variable push{number}{axis} equal {f:?}*{factor}\n");
        }
        *text += &format!(
            "fix push{number} {group} addforce v_push{number}x v_push{number}y v_push{number}z\n"
        );
    }
    Ok(())
}

fn drags(export: &mut Export, text: &mut String) -> Result<(), Inexpressible> {
    let built = export.built;
    let all = built.model.particles();
    for (number, drag) in export.scene.drags.iter().enumerate() {
        let number = number + 1;
        let particles = match drag.body {
            Some(body) => built.model.bodies[body].particles.clone().collect(),
            None => (0..all).collect(),
        };
        let (factor, whole) = {
            let mut window = Window { export, whole: true };
            (window.text(drag.from, drag.until), window.whole)
        };
        note_times(export, whole, &format!("drag {number}"));
        let group = export.groups.of(&format!("dragged{number}"), particles, all)?;
        *text += "\n# drag\n";
        for axis in ["x", "y", "z"] {
            let rate = drag.rate;
            *text += &format!("variable drag{number}{axis} atom -{rate:?}*{factor}*mass*v{axis}\n");
        }
        *text += &format!(
            "fix drag{number} {group} addforce v_drag{number}x v_drag{number}y v_drag{number}z\n"
        );
    }
    Ok(())
}

fn note_times(export: &mut Export, whole: bool, name: &str) {
    if !whole {
        export.notes.push(format!("{name} switches inside a step, and here at the nearest one"));
    }
}

/// Sets forces on axes held by pins or a planar scene to zero, so that the velocity there keeps its
/// initial value. This must be the last of all fixes.
pub(super) fn held(export: &mut Export) -> Result<String, Inexpressible> {
    let inverse_masses = &export.built.model.inverse_masses;
    let all = inverse_masses.len();
    let mut text = String::new();
    for mask in 1..8usize {
        let holds = |axis: usize| mask >> axis & 1 == 1;
        let is_so = |i: &usize| (0..3).all(|axis| (inverse_masses[*i][axis] == 0.0) == holds(axis));
        let particles: Vec<usize> = (0..all).filter(is_so).collect();
        if particles.is_empty() {
            continue;
        }
        let axes = ["x", "y", "z"];
        let name: String = (0..3).filter(|axis| holds(*axis)).map(|axis| axes[axis]).collect();
        let group = export.groups.of(&format!("held_{name}"), particles, all)?;
        let words = [0, 1, 2].map(|axis| if holds(axis) { "0.0" } else { "NULL" }).join(" ");
        text += &format!("\n# held along {name}\nfix held_{name} {group} setforce {words}\n");
    }
    Ok(text)
}

//! `explain`: an error code, or anything a scene can name.

use super::{Exit, Failure, terminal};
use crate::contact::collider::COLLIDERS;
use crate::contact::friction::{Coefficients, FRICTION_LAWS, FrictionLaw, Slip};
use crate::contact::material::{FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use crate::contact::normal::NORMAL_LAWS;
use crate::diagnosis::trust::REASONS;
use crate::integrators::INTEGRATORS;
use crate::math::Vector;
use crate::measures::MEASURES;
use crate::registry::{Entry, Fallback, Key, Kind, Value, Values};
use crate::scene::shapes::SHAPES;

/// Options of `explain`.
#[derive(clap::Args)]
pub struct Options {
    /// An error code such as E101, or the name of a law, integrator, shape or collider
    name: String,
}

/// Runs the verb.
pub fn explain(options: &Options) -> Result<Exit, Failure> {
    let name = options.name.as_str();
    let code = crate::scene::codes::explain(name);
    let mut pages: Vec<String> =
        code.map(|c| format!("{}: {}\n{}\n", c.code, c.title, c.about)).into_iter().collect();
    let reason = REASONS.iter().find(|reason| reason.0 == name);
    pages.extend(
        reason.map(|(name, about)| format!("{name} (reason not to trust a run)\n{about}\n")),
    );
    for (what, laws) in [("friction", FRICTION_PAIRINGS), ("restitution", RESTITUTION_PAIRINGS)] {
        let law = laws.iter().find(|law| law.name == name);
        pages.extend(law.map(|law| format!("{name} (pair law for {what})\n{}\n", law.about)));
    }
    let kind = MEASURES.iter().find(|kind| kind.name == name);
    pages.extend(kind.map(|kind| format!("{name} (measure)\n{} [{}]\n", kind.about, kind.unit)));
    pages.extend(page("friction law", FRICTION_LAWS, name));
    pages.extend(page("integrator", INTEGRATORS, name));
    pages.extend(page("normal law", NORMAL_LAWS, name));
    pages.extend(page("body shape", SHAPES, name));
    pages.extend(page("collider", COLLIDERS, name));
    if pages.is_empty() {
        return Err(Failure::new(
            Exit::Usage,
            format!(
                "nothing is called `{name}`; `stiction list` shows all names, error codes look like E101"
            ),
        ));
    }
    terminal::print(&pages.join("\n"))?;
    Ok(Exit::Ok)
}

fn page<T: ?Sized>(what: &str, table: &'static [Entry<T>], name: &str) -> Option<String> {
    let entry = crate::registry::find(table, name)?;
    let mut text = format!("{name} ({what})\n{}\n", entry.about);
    for key in entry.keys {
        let fallback = match key.default {
            Fallback::Required => "required".into(),
            Fallback::Optional(meaning) => format!("optional: {meaning}"),
            _ => format!("default {}", shown(key)),
        };
        text += &format!("  {}  {} [{}]\n", key.name, key.about, fallback);
    }
    Some(text)
}

fn shown(key: &Key) -> String {
    match key.default.value() {
        Some(Value::Number(x)) => match key.kind {
            Kind::Number { unit, .. } if !unit.is_empty() => format!("{x} {unit}"),
            _ => x.to_string(),
        },
        Some(Value::Integer(n)) => n.to_string(),
        Some(Value::Flag(b)) => b.to_string(),
        Some(Value::Text(s)) => s,
        Some(Value::Vector(v)) => format!("[{}, {}, {}]", v.x, v.y, v.z),
        _ => String::new(),
    }
}

/// Makes a row from its defaults; required numbers are one.
pub fn from_defaults<T: ?Sized>(entry: &'static Entry<T>) -> Box<T> {
    let mut values = Values::defaults(entry.keys);
    for key in entry.keys {
        if matches!((key.default, key.kind), (Fallback::Required, Kind::Number { .. })) {
            values = values.set(key.name, Value::Number(1.0));
        }
    }
    (entry.make)(&values).unwrap_or_else(|problem| panic!("{}: {problem}", entry.name))
}

/// The slope of |F| against speed at zero, in units of μN/ε, measured on the law; a law with
/// stretch shows its stiffness instead.
pub fn slope_at_zero(law: &dyn FrictionLaw) -> String {
    if law.stiffness() > 0.0 {
        return "spring k".into();
    }
    let pair = Coefficients { static_friction: 1.0, kinetic_friction: 1.0 };
    let epsilon = law.threshold();
    let speed = if epsilon > 0.0 { 1e-6 * epsilon } else { 1e-9 };
    let force = |speed: f64| {
        let slip = Slip { velocity: Vector::x() * speed, normal_force: 1.0, ..Slip::default() };
        law.force(&slip, &pair).norm()
    };
    let at_speed = force(speed);
    if at_speed == 0.0 {
        "0".into()
    } else if epsilon > 0.0 {
        format!("{:.3}", at_speed / speed * epsilon)
    } else if force(0.5 * speed) < 0.75 * at_speed {
        // in proportion to the speed, by a coefficient of its own
        "damper k".into()
    } else {
        "∞".into()
    }
}

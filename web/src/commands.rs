//! Words of the page for commands to a session.

use serde_json::Value;
use stiction_view::keys::{Action, Direction, Knob, Layer};
use stiction_view::play::PlayerCommand;

/// Names of knobs.
pub const KNOBS: [(&str, Knob); 13] = [
    ("integrator", Knob::Integrator),
    ("law", Knob::Law),
    ("epsilon", Knob::Epsilon),
    ("step", Knob::Step),
    ("friction", Knob::Friction),
    ("kinetic-friction", Knob::KineticFriction),
    ("stiffness", Knob::Stiffness),
    ("push-force", Knob::PushForce),
    ("push-height", Knob::PushHeight),
    ("number-0", Knob::Number(0)),
    ("number-1", Knob::Number(1)),
    ("number-2", Knob::Number(2)),
    ("number-3", Knob::Number(3)),
];

/// Names of actions.
const ACTIONS: [(&str, Action); 31] = [
    ("play", Action::Play),
    ("step", Action::Step),
    ("frame", Action::Frame),
    ("back", Action::Back),
    ("faster", Action::Faster),
    ("slower", Action::Slower),
    ("real-time", Action::RealTime),
    ("restart", Action::Restart),
    ("undo", Action::Undo),
    ("loop", Action::Loop),
    ("push", Action::Push),
    ("above", Action::Above),
    ("below", Action::Below),
    ("camera", Action::Camera),
    ("projection", Action::Projection),
    ("follow", Action::Follow),
    ("theme", Action::Theme),
    ("map", Action::Map),
    ("pane-1", Action::Pane(0)),
    ("pane-2", Action::Pane(1)),
    ("pane-3", Action::Pane(2)),
    ("pane-4", Action::Pane(3)),
    ("toggle-normals", Action::Toggle(Layer::Normals)),
    ("toggle-friction", Action::Toggle(Layer::Friction)),
    ("toggle-surfaces", Action::Toggle(Layer::Surfaces)),
    ("toggle-springs", Action::Toggle(Layer::Springs)),
    ("toggle-particles", Action::Toggle(Layer::Particles)),
    ("toggle-heat", Action::Toggle(Layer::Heat)),
    ("toggle-ghost", Action::Toggle(Layer::Ghost)),
    ("toggle-names", Action::Toggle(Layer::Names)),
    ("toggle-panel", Action::Toggle(Layer::Panel)),
];

fn find<T: Copy>(table: &[(&str, T)], kind: &str, name: &Value) -> Result<T, String> {
    let name = name.as_str().unwrap_or_default();
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| format!("there is no {kind} `{name}`"))
}

/// The name of a knob.
pub fn knob_name(knob: Knob) -> &'static str {
    KNOBS.iter().find(|(_, known)| *known == knob).map_or("", |(name, _)| name)
}

/// The action named by a request `{do: "act", action}`.
///
/// # Errors
/// The action does not exist.
pub fn action(request: &Value) -> Result<Action, String> {
    find(&ACTIONS, "action", &request["action"])
}

/// The command of a request; `None` if it is not a command.
///
/// # Errors
/// The knob does not exist, or a value is missing.
pub fn command(request: &Value) -> Result<Option<PlayerCommand>, String> {
    let knob = || find(&KNOBS, "knob", &request["knob"]);
    let number = |key: &str| {
        request[key].as_f64().ok_or_else(|| format!("`{key}` is not a number: {}", request[key]))
    };
    let flag = |key: &str| request[key].as_bool().unwrap_or(false);
    Ok(Some(match request["do"].as_str().unwrap_or_default() {
        "turn" => {
            let way = if flag("up") { Direction::Up } else { Direction::Down };
            PlayerCommand::Act(Action::Turn(knob()?, way))
        }
        "set" => {
            PlayerCommand::Set { knob: knob()?, value: number("value")?, again: flag("again") }
        }
        "choose" => {
            let name = request["name"].as_str().unwrap_or_default().to_string();
            PlayerCommand::Name { knob: knob()?, name }
        }
        "speed" => PlayerCommand::Speed(number("value")?),
        "slider" => PlayerCommand::Slider(request["path"].as_str().unwrap_or_default().to_string()),
        _ => return Ok(None),
    }))
}

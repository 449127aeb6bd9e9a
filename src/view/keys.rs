//! The keys: one table that the window obeys and the help is written from.

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Plays, or pauses.
    Play,
    /// Pauses and takes one step of the integrator.
    Step,
    /// Pauses and goes on by one sixtieth of a second at the present speed.
    Frame,
    /// Doubles the speed.
    Faster,
    /// Halves the speed.
    Slower,
    /// Back to real time.
    RealTime,
    /// Starts again with the present integrator.
    Restart,
    /// Goes on with the integrator of this number in the table, from 0.
    Integrator(usize),
    /// Contact normals on or off.
    Normals,
    /// Friction arrows on or off.
    Friction,
    /// Surfaces of bodies on or off.
    Surfaces,
    /// Springs on or off.
    Springs,
    /// Particles on or off.
    Particles,
    /// Panel on or off.
    Panel,
    /// The other theme.
    Theme,
    /// Frames the scene again.
    Camera,
    /// Perspective or orthographic.
    Projection,
    /// Help on or off.
    Help,
    /// Closes the window.
    Quit,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Characters that trigger it; escape is `\u{1b}`.
    pub characters: &'static [char],
    /// How the help writes them.
    pub shown: &'static str,
    /// What they do; for the digits the number is replaced.
    pub action: Action,
    /// What the help says.
    pub about: &'static str,
    /// Whether holding the key repeats it.
    pub repeats: bool,
}

const fn once(
    characters: &'static [char],
    shown: &'static str,
    action: Action,
    about: &'static str,
) -> Binding {
    Binding { characters, shown, action, about, repeats: false }
}

const fn repeated(
    characters: &'static [char],
    shown: &'static str,
    action: Action,
    about: &'static str,
) -> Binding {
    Binding { characters, shown, action, about, repeats: true }
}

/// All keys.
pub const BINDINGS: &[Binding] = &[
    once(&[' '], "space", Action::Play, "play or pause"),
    repeated(&['s'], "s", Action::Step, "one step of the integrator"),
    repeated(&['.'], ".", Action::Frame, "one frame, a sixtieth of a second"),
    repeated(&['+', '='], "+", Action::Faster, "twice as fast"),
    repeated(&['-', '_'], "-", Action::Slower, "half as fast: slow motion"),
    once(&['0'], "0", Action::RealTime, "real time"),
    once(&['r'], "r", Action::Restart, "start again"),
    once(
        &['1', '2', '3', '4', '5', '6', '7', '8', '9'],
        "1 … 9",
        Action::Integrator(0),
        "go on with another integrator (below)",
    ),
    once(&['n'], "n", Action::Normals, "contact normals on/off"),
    once(&['f'], "f", Action::Friction, "friction arrows on/off"),
    once(&['b'], "b", Action::Surfaces, "surfaces of bodies on/off"),
    once(&['l'], "l", Action::Springs, "springs on/off"),
    once(&['p'], "p", Action::Particles, "particles on/off"),
    once(&['i'], "i", Action::Panel, "panel on/off"),
    once(&['t'], "t", Action::Theme, "light or dark"),
    once(&['c'], "c", Action::Camera, "frame the scene again"),
    once(&['o'], "o", Action::Projection, "perspective or orthographic"),
    once(&['h', '?'], "h", Action::Help, "this help"),
    once(&['q', '\u{1b}'], "q, Esc", Action::Quit, "quit"),
];

/// What the mouse does, for the help.
pub const MOUSE: &[(&str, &str)] = &[
    ("left drag", "turn"),
    ("right drag", "move (also shift and left drag)"),
    ("wheel", "closer, farther"),
];

/// The action of a character; `held` when it comes from a key that was down already.
pub fn action(character: char, held: bool) -> Option<Action> {
    let character = character.to_ascii_lowercase();
    let binding = BINDINGS.iter().find(|b| b.characters.contains(&character))?;
    if held && !binding.repeats {
        return None;
    }
    match binding.action {
        Action::Integrator(_) => character.to_digit(10).map(|d| Action::Integrator(d as usize - 1)),
        action => Some(action),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_has_two_meanings() {
        let mut all: Vec<char> = BINDINGS.iter().flat_map(|b| b.characters).copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn digits_choose_integrators_and_held_keys_toggle_once() {
        assert_eq!(action('3', false), Some(Action::Integrator(2)));
        assert_eq!(action('N', false), Some(Action::Normals));
        assert_eq!(action('n', true), None);
        assert_eq!(action('s', true), Some(Action::Step));
        assert_eq!(action('ß', false), None);
    }
}

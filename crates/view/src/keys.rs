//! The keys: one table for the window and for the help.

/// A setting that a user can change during the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knob {
    /// The integrator.
    Integrator,
    /// The friction law.
    Law,
    /// ε of the law.
    Epsilon,
    /// The step h.
    Step,
    /// All coefficients of friction; μ_s alone where μ_k differs.
    Friction,
    /// μ_k, where it differs from μ_s.
    KineticFriction,
    /// k_n of the normal law.
    Stiffness,
    /// The force of the user's push.
    PushForce,
    /// The height of its point of action.
    PushHeight,
    /// The slider with this place among those made for numbers of the scene.
    Number(usize),
}

impl Knob {
    /// Those that every scene has, in the order of display.
    pub const ALL: [Knob; 8] = [
        Knob::Integrator,
        Knob::Law,
        Knob::Epsilon,
        Knob::Step,
        Knob::Friction,
        Knob::Stiffness,
        Knob::PushForce,
        Knob::PushHeight,
    ];

    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Knob::Integrator => "integrator",
            Knob::Law => "law",
            Knob::Epsilon => "ε",
            Knob::Step => "step h",
            Knob::Friction => "μ",
            Knob::KineticFriction => "μ_k",
            Knob::Stiffness => "k_n",
            Knob::PushForce => "hand push",
            Knob::PushHeight => "at height",
            Knob::Number(_) => "the number",
        }
    }
}

/// Direction in which a knob is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the next row of the table, or to a smaller value.
    Down,
    /// To the previous row, or to a larger value.
    Up,
}

/// A part of the picture that can be shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// Contact normals.
    Normals,
    /// Friction arrows.
    Friction,
    /// Surfaces of bodies.
    Surfaces,
    /// Springs.
    Springs,
    /// Particles.
    Particles,
    /// A quantity of every particle as colour.
    Heat,
    /// The reference.
    Ghost,
    /// Names of bodies.
    Names,
    /// Energies in panel and plots.
    Energies,
    /// The panel of facts.
    Panel,
    /// The live plots.
    Plots,
    /// The help.
    Help,
    /// The scene browser.
    Browser,
}

/// Action of a key or a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Plays, or pauses.
    Play,
    /// Pauses and takes one step of the integrator.
    Step,
    /// Pauses and advances by one sixtieth of a second at the present speed.
    Frame,
    /// Pauses and goes back to the previous checkpoint.
    Back,
    /// Doubles the speed.
    Faster,
    /// Halves the speed.
    Slower,
    /// Returns to real time.
    RealTime,
    /// Restarts with the present settings.
    Restart,
    /// Reads the scene again.
    Reload,
    /// Changes a setting.
    Turn(Knob, Direction),
    /// Starts typing the value of a knob.
    Type(Knob),
    /// Undoes the last change.
    Undo,
    /// Goes to the time under the mouse, on the line of time.
    Timeline,
    /// Switches restarting at the end on or off.
    Loop,
    /// Starts or stops pushing.
    Push,
    /// Directs keys to this pane, from 0.
    Pane(usize),
    /// Shows or hides a layer.
    Toggle(Layer),
    /// Shows the plots that have no room: the next ones, or all in place of the panel.
    MorePlots,
    /// Shows the next map.
    Map,
    /// Switches the theme.
    Theme,
    /// Frames the scene again.
    Camera,
    /// Switches between perspective and orthographic projection.
    Projection,
    /// Follows all bodies, then each single one, then none.
    Follow,
    /// In the scene browser moves up, else raises the push.
    Above,
    /// In the scene browser moves down, else lowers the push.
    Below,
    /// In the scene browser opens the selected scene, else starts typing the value of the last knob
    /// turned.
    Open,
    /// Opens the scene with this index in the browser, from 0.
    OpenScene(usize),
    /// Searches for a number of the scene by its name.
    Find,
    /// Makes a slider of the candidate with this place.
    Candidate(usize),
    /// Verifies the scene with the present settings, in parallel to the run.
    Verify,
    /// Writes the picture to a file.
    Screenshot,
    /// Starts or ends a film.
    Film,
    /// Closes the card that covers the picture, else the window.
    Escape,
    /// Closes the window.
    Quit,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// The characters that trigger it, with their actions. Keys without a character have one in
    /// `special`.
    pub keys: &'static [(char, Action)],
    /// The keys as written in the help.
    pub shown: &'static str,
    /// The description in the help.
    pub about: &'static str,
    /// Whether holding the key repeats it.
    pub repeats: bool,
}

/// Characters that represent keys without one.
pub(crate) mod special {
    /// Escape.
    pub(crate) const ESCAPE: char = '\u{1b}';
    /// Tab.
    pub(crate) const TAB: char = '\t';
    /// Enter.
    pub(crate) const ENTER: char = '\r';
    /// Control and z.
    pub(crate) const CTRL_Z: char = '\u{1a}';
    /// Arrow up. This and all following ones are in the private use area.
    pub(crate) const UP: char = '\u{f700}';
    /// Arrow down.
    pub(crate) const DOWN: char = '\u{f701}';
    /// Arrow left.
    pub(crate) const LEFT: char = '\u{f702}';
    /// Arrow right.
    pub const RIGHT: char = '\u{f703}';
}

const fn once(
    keys: &'static [(char, Action)],
    shown: &'static str,
    about: &'static str,
) -> Binding {
    Binding { keys, shown, about, repeats: false }
}

const fn repeated(
    keys: &'static [(char, Action)],
    shown: &'static str,
    about: &'static str,
) -> Binding {
    Binding { keys, shown, about, repeats: true }
}

use Action::{Pane, Toggle, Turn};
use Direction::{Down, Up};
use Knob::{Epsilon, Friction, Integrator, Law, PushForce, Stiffness};

/// All keys.
pub const BINDINGS: &[Binding] = &[
    once(&[(' ', Action::Play)], "space", "play or pause"),
    repeated(&[('s', Action::Step)], "s", "one step of the integrator"),
    repeated(
        &[(',', Action::Back), ('.', Action::Frame)],
        ", .",
        "to the state kept before, a frame on",
    ),
    repeated(
        &[('-', Action::Slower), ('+', Action::Faster), ('=', Action::Faster)],
        "− +",
        "half as fast, twice as fast",
    ),
    once(&[('0', Action::RealTime)], "0", "real time"),
    once(&[('r', Action::Restart)], "r", "start again with what is set"),
    once(&[('O', Action::Loop)], "O", "start again at the end, over and over, or no longer"),
    once(&[('R', Action::Reload)], "R", "read the scene file again"),
    repeated(
        &[('i', Turn(Integrator, Down)), ('I', Turn(Integrator, Up))],
        "i I",
        "next, previous integrator",
    ),
    repeated(&[('l', Turn(Law, Down)), ('L', Turn(Law, Up))], "l L", "next, previous friction law"),
    repeated(&[('e', Turn(Epsilon, Down)), ('E', Turn(Epsilon, Up))], "e E", "smaller, larger ε"),
    repeated(
        &[('d', Turn(Knob::Step, Down)), ('D', Turn(Knob::Step, Up))],
        "d D",
        "smaller, larger step h",
    ),
    repeated(&[('m', Turn(Friction, Down)), ('M', Turn(Friction, Up))], "m M", "smaller, larger μ"),
    repeated(
        &[('k', Turn(Stiffness, Down)), ('K', Turn(Stiffness, Up))],
        "k K",
        "smaller, larger k_n",
    ),
    once(&[('/', Action::Find)], "/", "a slider for any number of the scene, by its name"),
    once(&[('U', Action::Undo), (special::CTRL_Z, Action::Undo)], "U", "take the last change back"),
    once(&[('x', Action::Push)], "x", "push by hand besides the scene, or stop"),
    repeated(
        &[(special::LEFT, Turn(PushForce, Down)), (special::RIGHT, Turn(PushForce, Up))],
        "← →",
        "push less, more; through 0 to the other side",
    ),
    repeated(
        &[(special::DOWN, Action::Below), (special::UP, Action::Above)],
        "↓ ↑",
        "push lower, higher",
    ),
    once(
        &[('1', Pane(0)), ('2', Pane(1)), ('3', Pane(2)), ('4', Pane(3))],
        "1 … 4",
        "let keys act on this pane",
    ),
    once(&[('n', Toggle(Layer::Normals))], "n", "contact normals"),
    once(&[('f', Toggle(Layer::Friction))], "f", "friction arrows"),
    once(&[('b', Toggle(Layer::Surfaces))], "b", "surfaces of bodies"),
    once(&[('B', Toggle(Layer::Names))], "B", "names of bodies"),
    once(&[('u', Toggle(Layer::Springs))], "u", "springs"),
    once(&[('p', Toggle(Layer::Particles))], "p", "particles"),
    once(&[('c', Toggle(Layer::Heat))], "c", "creep, or another map, as colour"),
    once(&[('C', Action::Map)], "C", "the next map: pressure, shear, load ratio, dissipation"),
    once(&[('w', Toggle(Layer::Ghost))], "w", "the reference"),
    once(&[('j', Toggle(Layer::Panel))], "j", "facts and verdict"),
    once(&[('g', Toggle(Layer::Plots))], "g", "live plots"),
    once(&[('P', Action::MorePlots)], "P", "the plots that have no room, in turn"),
    once(&[('G', Toggle(Layer::Energies))], "G", "energies, and h λ where it has no limit"),
    once(&[('V', Action::Verify)], "V", "verify: error bars, from runs at other steps"),
    once(&[('t', Action::Theme)], "t", "light or dark"),
    once(&[('a', Action::Camera)], "a", "frame the scene again"),
    once(&[('y', Action::Follow)], "y", "follow all, one body, none"),
    once(&[('o', Action::Projection)], "o", "perspective or orthographic"),
    once(&[('z', Action::Screenshot)], "z", "screenshot"),
    once(&[('v', Action::Film)], "v", "begin or end a film"),
    once(&[(special::TAB, Toggle(Layer::Browser))], "tab", "other scenes"),
    once(
        &[(special::ENTER, Action::Open)],
        "enter",
        "open the marked scene; type the value changed last",
    ),
    once(&[('h', Toggle(Layer::Help)), ('?', Toggle(Layer::Help))], "h", "this help"),
    once(&[(special::ESCAPE, Action::Escape)], "esc", "close what covers, then the window"),
    once(&[('q', Action::Quit)], "q", "close the window"),
];

/// Actions of the mouse, for the help.
pub const MOUSE: &[(&str, &str)] = &[
    ("drag a particle", "hold it by a spring"),
    ("click a particle", "follow its path"),
    ("drag", "turn"),
    ("right drag", "move (also shift and drag)"),
    ("wheel", "closer, farther"),
    ("drag on the line of time", "to an earlier or a later time"),
    ("click a value", "type it"),
    ("drag on a value", "slide it"),
];

/// The action of a character; `held` if its key was already down. A capital without a binding acts
/// as its small letter.
pub fn action(character: char, held: bool) -> Option<Action> {
    let of = |character: char| {
        BINDINGS.iter().find_map(|binding| {
            let (_, action) = binding.keys.iter().find(|(key, _)| *key == character)?;
            Some((*action, binding.repeats))
        })
    };
    let (action, repeats) = of(character).or_else(|| of(character.to_ascii_lowercase()))?;
    (repeats || !held).then_some(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_has_two_meanings() {
        let keys = BINDINGS.iter().flat_map(|b| b.keys);
        let mut all: Vec<char> = keys.map(|(key, _)| *key).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn every_knob_and_layer_has_a_key() {
        let has =
            |action: Action| BINDINGS.iter().any(|b| b.keys.iter().any(|(_, a)| *a == action));
        for knob in Knob::ALL.iter().filter(|knob| **knob != Knob::PushHeight) {
            assert!(has(Turn(*knob, Down)) && has(Turn(*knob, Up)), "{knob:?}");
        }
        use Layer::*;
        for layer in [
            Normals,
            Layer::Friction,
            Surfaces,
            Springs,
            Particles,
            Heat,
            Ghost,
            Names,
            Energies,
            Panel,
            Plots,
            Help,
            Browser,
        ] {
            assert!(has(Toggle(layer)), "{layer:?}");
        }
    }

    #[test]
    fn capitals_and_held_keys() {
        assert_eq!(action('E', false), Some(Turn(Epsilon, Up)));
        assert_eq!(action('N', false), Some(Toggle(Layer::Normals)));
        assert_eq!(action('n', true), None);
        assert_eq!(action('s', true), Some(Action::Step));
        assert_eq!(action('ß', false), None);
    }
}

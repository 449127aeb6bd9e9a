//! `[view]`.

use super::table::*;
use crate::values::unknown_name;

/// Layers of a picture that can be shown or hidden by name.
pub const LAYERS: &[&str] = &[
    "normals",
    "friction",
    "surfaces",
    "springs",
    "particles",
    "heat",
    "ghost",
    "panel",
    "plots",
    "labels",
    "names",
    "energies",
];

table! {
    /// `[view]`: the initial view of the scene.
    #[derive(Debug, Clone, PartialEq)]
    pub struct View: VIEW {
        keys {
            yaw: Option<f64> = number("degrees", Any), Optional("-32; in a planar scene along the locked axis"), "turn of the camera about z; at 0 it looks along +y, with x to the right";
            pitch: Option<f64> = number("degrees", Between(-90.0, 90.0)), Optional("20; in a planar scene almost along the locked axis"), "height of the camera above the horizon; negative from below";
            zoom: f64 = number("", Between(0.001, 1000.0)), Number(1.0), "1: all bodies fill the picture; 2: twice as close";
            target: Option<Vector> = vector("m"), Optional("the middle of the bodies at t = 0"), "the point in the middle of the picture";
            orthographic as "projection": bool [is_orthographic] = Kind::Word(&["perspective", "orthographic"]), Text("perspective"), "whether far things are smaller";
            follow: Follow [follow] = Kind::Text, Text("all"), "what the camera goes along with when it moves away: `all` bodies, `nothing`, or a name of [[body]]";
            theme: Theme [theme] = Kind::Word(&["light", "dark"]), Text("light"), "colours";
            map: Option<MapKind> [map] = Kind::Word(&MAPS), Optional("`creep`, where the layer `heat` is shown"), "quantity of particles that the layer `heat` shows as colour; naming one shows the layer";
            layers as "show": Vec<(&'static str, bool)> [layers] = Kind::Words(LAYERS), Optional("the usual"), "what is shown besides the usual; usual are all but `heat`, `plots` and `energies`, and `names` of up to 12 bodies",
                also "hide" = Kind::Words(LAYERS), Optional("nothing"), "what is not shown";
            speed: Option<f64> = number("", Positive), Optional("1; in the window 0.5, 0.25 … where the scene is over in less than 2 s"), "seconds of the scene per second of the window or the film; 0.1 is slow motion";
        }
    }
}

impl Default for View {
    fn default() -> Self {
        View {
            yaw: None,
            pitch: None,
            zoom: 1.0,
            target: None,
            orthographic: false,
            follow: Follow::All,
            theme: Theme::Light,
            map: None,
            layers: Vec::new(),
            speed: None,
        }
    }
}

/// Quantities of particles shown as colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MapKind {
    /// Creep since the previous frame.
    #[default]
    Creep,
    /// Normal force per area.
    Pressure,
    /// Friction force per area.
    Shear,
    /// Load ratio |F|/(μ_s N), F the friction force.
    LoadRatio,
    /// Work that friction has dissipated since t = 0.
    Dissipation,
    /// Von Mises stress of elastic bodies.
    VonMises,
    /// Pressure inside elastic bodies.
    Hydrostatic,
    /// Largest principal stretch of elastic bodies.
    Stretch,
}

/// Names of these quantities, in the order of [`MapKind::ALL`].
pub const MAPS: [&str; MapKind::ALL.len()] = {
    let mut names = [""; MapKind::ALL.len()];
    let mut k = 0;
    while k < names.len() {
        names[k] = MapKind::ALL[k].name();
        k += 1;
    }
    names
};

impl MapKind {
    /// All of them.
    pub const ALL: [MapKind; 8] = [
        MapKind::Creep,
        MapKind::Pressure,
        MapKind::Shear,
        MapKind::LoadRatio,
        MapKind::Dissipation,
        MapKind::VonMises,
        MapKind::Hydrostatic,
        MapKind::Stretch,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            MapKind::Creep => "creep",
            MapKind::Pressure => "pressure",
            MapKind::Shear => "shear",
            MapKind::LoadRatio => "load-ratio",
            MapKind::Dissipation => "dissipation",
            MapKind::VonMises => "von-mises",
            MapKind::Hydrostatic => "hydrostatic",
            MapKind::Stretch => "stretch",
        }
    }

    /// The next one, of scenes with or without elastic bodies; the first after the last.
    pub fn next(self, solids: bool) -> MapKind {
        let count = if solids { MapKind::ALL.len() } else { MapKind::VonMises as usize };
        MapKind::ALL[(self as usize + 1) % MapKind::ALL.len() % count]
    }
}

fn map(record: &Record, key: &str, _: &mut Names) -> Option<MapKind> {
    let name = record.text(key)?;
    MapKind::ALL.into_iter().find(|kind| kind.name() == name)
}

/// Target that the camera follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Follow {
    /// All bodies.
    #[default]
    All,
    /// Nothing.
    Nothing,
    /// Index into [`crate::Scene::bodies`].
    Body(usize),
}

/// Colours of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

fn is_orthographic(record: &Record, key: &str, _: &mut Names) -> bool {
    record.text(key) == Some("orthographic")
}

fn theme(record: &Record, key: &str, _: &mut Names) -> Theme {
    match record.text(key) {
        Some("dark") => Theme::Dark,
        _ => Theme::Light,
    }
}

fn follow(record: &Record, key: &str, names: &mut Names) -> Follow {
    let name = match record.text(key) {
        None | Some("all") => return Follow::All,
        Some("nothing") => return Follow::Nothing,
        Some(name) => name,
    };
    match names.bodies.find(name) {
        Some(body) => Follow::Body(body),
        None => {
            let words = ["all", "nothing"].map(String::from);
            let known: Vec<String> = words.into_iter().chain(names.bodies.to_vec()).collect();
            names.push(*unknown_name(record.place_of(key), name, "body", &known));
            Follow::All
        }
    }
}

/// Layers shown, then layers hidden; a name in both lists is an error.
fn layers(record: &Record, _: &str, names: &mut Names) -> Vec<(&'static str, bool)> {
    let (show, hide) = (record.values.texts("show"), record.values.texts("hide"));
    if let Some(both) = hide.iter().find(|name| show.contains(name)) {
        let message = format!("{} is in both `show` and `hide` of [view]", quoted(both));
        names.fault("E310", (record, "hide"), message, "leave it in one of the two");
    }
    let known = |names: &[String]| {
        LAYERS.iter().filter(|l| names.iter().any(|n| n == **l)).copied().collect::<Vec<_>>()
    };
    let shown = known(show).into_iter().map(|layer| (layer, true));
    shown.chain(known(hide).into_iter().map(|layer| (layer, false))).collect()
}

//! The options common to all verbs that show a scene. They override the scene's `[view]`.

use super::scene::SceneOptions;
use clap::builder::PossibleValuesParser;
use stiction_scene::description::View;
use stiction_scene::sections::{LAYERS, MAPS};

/// Camera, colours, and what is drawn.
#[derive(clap::Args, Clone, Default)]
pub struct ViewOptions {
    /// Turn of the camera about z in degrees; at 0 it looks along +y
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    yaw: Option<f64>,
    /// Height of the camera above the horizon in degrees
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pitch: Option<f64>,
    /// 2 is twice as close as where all bodies fill the picture
    #[arg(long, value_name = "FACTOR")]
    zoom: Option<f64>,
    /// The point in the middle of the picture, in metres
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    target: Option<[f64; 3]>,
    /// Whether far things are smaller
    #[arg(long, value_name = "KIND", value_parser = ["perspective", "orthographic"])]
    projection: Option<String>,
    /// The same as --projection orthographic
    #[arg(long, conflicts_with = "projection")]
    orthographic: bool,
    /// Bodies that the camera follows: all, nothing, or a body's name
    #[arg(long, value_name = "BODY")]
    follow: Option<String>,
    /// Layers to show besides the usual, for example heat,plots
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', value_parser = PossibleValuesParser::new(LAYERS))]
    show: Vec<String>,
    /// Layers not to show, for example panel,labels
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', value_parser = PossibleValuesParser::new(LAYERS))]
    hide: Vec<String>,
    /// Quantity of particles as colour; shows the layer heat
    #[arg(long, value_name = "QUANTITY", value_parser = PossibleValuesParser::new(MAPS))]
    map: Option<String>,
    /// Dark colours
    #[arg(long, conflicts_with = "light")]
    dark: bool,
    /// Light colours
    #[arg(long)]
    light: bool,
    /// Pixels per point: 2 draws the same picture with twice as many pixels a side
    #[arg(long, value_name = "FACTOR", value_parser = scale)]
    pub scale: Option<f64>,
}

/// "1280x720".
pub fn size(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    parts.ok_or_else(|| "give two numbers such as 1280x720".into())
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let point = numbers.and_then(|list| <[f64; 3]>::try_from(list).ok());
    point.ok_or_else(|| "give three numbers such as 0,0.5,1".into())
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(x) if (0.5..=8.0).contains(&x) => Ok(x),
        _ => Err("give a number from 0.5 to 8".into()),
    }
}

impl ViewOptions {
    /// The scene with these options in its `[view]`, checked like any others.
    pub fn with(&self, scene: &SceneOptions) -> SceneOptions {
        let mut scene = scene.clone();
        let text = |text: &str| toml::Value::from(text).to_string();
        let orthographic = self.orthographic.then(|| "orthographic".to_string());
        let theme = if self.dark { Some("dark") } else { self.light.then_some("light") };
        let keys = [
            ("yaw", self.yaw.map(|x| format!("{x:?}"))),
            ("pitch", self.pitch.map(|x| format!("{x:?}"))),
            ("zoom", self.zoom.map(|x| format!("{x:?}"))),
            ("target", self.target.map(|p| format!("{p:?}"))),
            ("projection", self.projection.clone().or(orthographic).map(|word| text(&word))),
            ("follow", self.follow.as_deref().map(text)),
            ("theme", theme.map(text)),
            ("map", self.map.as_deref().map(text)),
        ];
        for (key, value) in keys {
            scene.set.extend(value.map(|value| format!("view.{key}={value}")));
        }
        scene
    }

    /// Adds the layers to those of the scene, which they override.
    pub fn add_layers(&self, view: &mut View) {
        for (names, shown) in [(&self.show, true), (&self.hide, false)] {
            let known = LAYERS.iter().filter(|layer| names.iter().any(|name| name == **layer));
            view.layers.extend(known.map(|layer| (*layer, shown)));
        }
    }
}

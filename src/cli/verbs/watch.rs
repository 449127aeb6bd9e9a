//! Options of `watch`, with a window or without.

use crate::cli::panes::{PaneOptions, positive};
use crate::cli::scene::SceneOptions;
use crate::cli::view::{ViewOptions, size};
use std::path::PathBuf;

/// Options of `watch`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    pub scene: SceneOptions,
    #[command(flatten)]
    pub panes: PaneOptions,
    #[command(flatten)]
    pub view: ViewOptions,
    /// Seconds of the scene per second of the clock (default: the scene's, else 1, or slower where
    /// the scene is over in less than 2 s)
    #[arg(long, value_parser = positive)]
    pub speed: Option<f64>,
    /// Start again at the end, over and over
    #[arg(long = "loop")]
    pub looping: bool,
    /// Say in the panel where the time of the run goes
    #[arg(long)]
    pub profile: bool,
    /// Start paused
    #[arg(long)]
    pub paused: bool,
    /// Width and height of the window in points
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = size)]
    pub size: (usize, usize),
    /// Close after so many frames
    #[arg(long, value_name = "NUMBER")]
    pub frames: Option<u64>,
    /// Write the last picture to this PNG file when the window closes
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,
    /// When the window closes, write what was done in it to this new file, for --replay
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    pub record: Option<PathBuf>,
}

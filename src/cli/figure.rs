//! The look of a figure: the options common to all verbs that draw one.

use super::failures::plot_failure;
use super::space::{replaces_plot, say_plot};
use super::terminal::{Exit, Failure, say};
use std::path::Path;
use stiction_lab::output::plots::figure::picture::{DATA, Picture, SCRIPT, beside, is_beside};
use stiction_lab::output::plots::figure::style::{
    FigureSize, FigureStyle, letters_of, logarithmic_of,
};
use stiction_lab::output::plots::figure::{FigureFile, FigureFormat};

/// The look of a figure.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Figure")]
pub struct FigureOptions {
    /// Width on paper, as 3.3in or 84mm, or width and height, as 3.3in x 2.4in; or column (3.3 in),
    /// page (6.9 in) or slide (10 in). A height not given is that of the content [default: page]
    #[arg(long, value_name = "SIZE")]
    size: Option<FigureSize>,
    /// Size of letters, 7pt or more [default: 8pt in a column, 9pt on a page, 14pt on a slide]
    #[arg(long, value_name = "SIZE", value_parser = letters_of)]
    font_size: Option<f64>,
    /// Title instead of the figure's own; an empty one leaves out title and note
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Name of the axis along x, with its unit
    #[arg(long, value_name = "TEXT")]
    x_label: Option<String>,
    /// Name of the axis along y, with its unit, where all panels have the same
    #[arg(long, value_name = "TEXT")]
    y_label: Option<String>,
    /// Which axes are logarithmic: x, y, xy or none; z for the colours of a map
    #[arg(long, value_name = "AXES", value_parser = logarithmic_of)]
    log: Option<[bool; 3]>,
    /// Panels to draw, in this order, separated by commas; a panel of a run is named by its measures
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    panels: Vec<String>,
    /// Panels side by side [default: 2 where each is 2.6 in wide or more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    columns: Option<u8>,
    /// Also write the numbers of the figure, as CSV beside it: laws.csv beside
    /// laws.svg
    #[arg(long)]
    data: bool,
    /// Also write a Python script that draws them anew with matplotlib: laws.py
    #[arg(long)]
    script: bool,
}

impl FigureOptions {
    /// The style asked for.
    pub fn style(&self) -> FigureStyle {
        FigureStyle {
            size: self.size.unwrap_or_default(),
            letters: self.font_size,
            title: self.title.clone(),
            labels: [self.x_label.clone(), self.y_label.clone()],
            logarithmic: self.log,
            panels: self.panels.clone(),
            columns: self.columns.map(usize::from),
        }
    }

    /// Files written beside a figure, by their endings. A script reads the data.
    fn endings(&self) -> Vec<&'static str> {
        let data = (self.data || self.script).then_some(DATA);
        data.into_iter().chain(self.script.then_some(SCRIPT)).collect()
    }

    /// Refuses options of a figure where none is drawn.
    pub fn check_use(&self, drawn: bool) -> Result<(), Failure> {
        if drawn || (self.style() == FigureStyle::default() && self.endings().is_empty()) {
            return Ok(());
        }
        let message = "--size, --font-size, --title, --x-label, --y-label, --log, --panels, --columns, --data \
                       and --script are of the figure that --plot FILE draws: name its file";
        Err(Failure::new(Exit::Usage, message))
    }

    /// Refuses a size into which a figure with these words and panels, or more of them, does not fit.
    pub fn check_room(&self, figure: &FigureFile) -> Result<(), Failure> {
        // values of which a logarithm can be drawn may come later
        let style = FigureStyle { logarithmic: None, ..self.style() };
        let figure = style.figure(figure).map_err(plot_failure)?;
        Picture::Lines(figure).check_room(&style).map_err(plot_failure)
    }

    /// Finds out whether a figure can be written to a file, and whether it replaces another.
    pub fn check_file(&self, path: &Path, force: bool) -> Result<bool, Failure> {
        FigureFormat::of(path).map_err(plot_failure)?;
        let replaced = replaces_plot(path, force)?;
        for ending in self.endings() {
            // the data of an earlier figure are replaced with it
            let beside = beside(path, ending);
            replaces_plot(&beside, force || (replaced && is_beside(&beside)))?;
        }
        Ok(replaced)
    }

    /// Writes a figure with its data and its script, and says where they are.
    pub fn write(&self, picture: &Picture, path: &Path, replaced: bool) -> Result<(), Failure> {
        let style = self.style();
        picture.write(&style, path).map_err(plot_failure)?;
        say_plot(path, replaced);
        let left = picture.left_out(&style).map_err(plot_failure)?;
        if !left.is_empty() {
            let left = left.join(", ");
            say(&format!(
                "not drawn, since the figure would be higher than a page: {left} (--panels)"
            ));
        }
        let left = picture.left_off(&style).map_err(plot_failure)?;
        if !left.is_empty() {
            say(&format!("logarithmic axes: {left}"));
        }
        if let Some(high) = picture.beyond_page(&style).map_err(plot_failure)? {
            say(&format!("the figure is {:.1} in high, more than a page", high / 72.0));
        }
        for ending in self.endings() {
            let beside = beside(path, ending);
            let (written, what) = match ending {
                DATA => (picture.write_data(&style, path), "its numbers are in"),
                _ => (picture.write_script(&style, path), "to draw them anew: python3"),
            };
            written.map_err(plot_failure)?;
            say(&format!("{what} {}", beside.display()));
        }
        Ok(())
    }
}

//! A spoke in every ring and disc, which shows its rotation.

use super::Scenery;
use stiction_core::math::Vector;

/// Draws a line from the middle of each to its farthest particle.
pub(super) fn draw(canvas: &mut super::Canvas, scenery: &Scenery) {
    let positions = &scenery.state.positions;
    for (particles, furthest) in &scenery.skin.spokes {
        let own = &positions[particles.clone()];
        let middle = own.iter().sum::<Vector>() / own.len() as f64;
        let Some([from, to]) = scenery.view.segment(middle, positions[*furthest]) else { continue };
        let theme = scenery.look.theme;
        for (width, colour) in [(5.0, theme.card.0), (2.6, theme.ink)] {
            canvas.line(from.at, to.at, scenery.pixels(width), colour, 255);
        }
    }
}

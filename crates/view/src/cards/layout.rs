//! Positions of cards. A card that does not fit is dropped, never drawn over another: first the
//! plots, then the controls, then the panel.

use super::MARGIN;
use crate::canvas::Rect;

/// Width of the panel and of the controls.
pub(crate) const PANEL_WIDTH: i32 = 306;

/// Width below which a canvas has no room beside the panel: a compact card at the top shows the
/// most important facts.
const SIDE_BY_SIDE: i32 = 760;

/// Least width of the focus beside the plots.
const FOCUS: i32 = 380;

/// Width of plots chosen by name in a small picture, and least width of the focus beside them.
const NARROW: i32 = 300;
const SMALL_FOCUS: i32 = 240;

/// Least height of the facts above the controls.
const FACTS: i32 = 190;

/// Least height of plots that share the column with other cards.
const PLOT: i32 = 120;

/// Gap between panes.
const GAP: i32 = 4;

/// The panes and cards to be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wishes {
    /// Number of runs side by side, 1 to 4.
    pub panes: usize,
    /// Whether facts and controls are shown.
    pub panel: bool,
    /// Height of the controls; 0 without any.
    pub controls: i32,
    /// Whether live plots are shown.
    pub plots: bool,
    /// Whether the plots are chosen by name: the panel gives way to them.
    pub chosen: bool,
}

/// Rectangles in pixels of the design; `None` if not shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// The panes.
    pub panes: Vec<Rect>,
    /// The part of each pane not covered by cards.
    pub focus: Vec<Rect>,
    /// The space for facts: the card takes the height of its content.
    pub facts: Option<Rect>,
    /// The controls.
    pub controls: Option<Rect>,
    /// The plots.
    pub plots: Option<Rect>,
    /// The compact cards of multiple panes.
    pub compact: Vec<Rect>,
}

impl Layout {
    /// Arranges a canvas of the given size.
    pub fn new(width: i32, height: i32, wishes: &Wishes) -> Layout {
        let mut layout = Layout::default();
        let whole = Rect { x0: 0, y0: 0, x1: width, y1: height };
        if wishes.panes > 1 {
            layout.several(whole, wishes);
        } else {
            layout.single(whole, wishes);
        }
        layout
    }

    /// Keeps a strip at the bottom of every focus free; `height` gives its height from the width
    /// and height of the focus.
    pub(crate) fn keep_free(&mut self, height: impl Fn(i32, i32) -> i32) {
        for focus in &mut self.focus {
            focus.y1 -= height(focus.width(), focus.height());
        }
    }

    /// Moves everything down.
    pub(crate) fn lower(&mut self, by: i32) {
        let cards = [&mut self.facts, &mut self.controls, &mut self.plots].into_iter().flatten();
        let lists = [&mut self.panes, &mut self.focus, &mut self.compact].into_iter().flatten();
        for rect in cards.chain(lists) {
            (rect.y0, rect.y1) = (rect.y0 + by, rect.y1 + by);
        }
    }

    fn single(&mut self, whole: Rect, wishes: &Wishes) {
        let mut focus = whole;
        let mut plots = (whole.width() * 3 / 10).clamp(370, 520);
        let mut least = FOCUS;
        let tall = whole.height() >= 300;
        if wishes.plots && wishes.chosen && whole.width() - plots - MARGIN < FOCUS {
            // plots that are asked for by name are narrower in a small picture
            (plots, least) = (NARROW, SMALL_FOCUS);
        }
        // the width left of plots beside a panel of a width
        let left = |panel: i32| whole.width() - panel - plots - MARGIN;
        let gives_way = wishes.plots
            && wishes.chosen
            && tall
            && left(PANEL_WIDTH + MARGIN) < FOCUS
            && left(0) >= least;
        let beside = whole.width() >= SIDE_BY_SIDE && !gives_way;
        let column = column(&whole);
        if wishes.panel && beside {
            self.facts = Some(column);
            self.stack_controls(column, wishes.controls, FACTS);
            focus.x0 += PANEL_WIDTH + MARGIN;
        } else if wishes.panel && column.width() >= 150 && whole.height() >= 3 * COMPACT {
            let free = if gives_way { plots + MARGIN } else { 0 };
            let x1 = (whole.x1 - free - MARGIN).min(MARGIN + 2 * PANEL_WIDTH);
            let card = Rect { x1, y1: MARGIN + COMPACT, ..column };
            focus.y0 = card.y1;
            self.compact.push(card);
        }
        if wishes.plots && focus.width() - plots - MARGIN >= least && tall {
            focus.x1 -= plots + MARGIN;
            self.plots = Some(Rect { x0: focus.x1, x1: focus.x1 + plots, ..column });
        }
        // nothing of the picture lies under a card
        self.panes = vec![focus];
        self.focus = vec![focus];
    }

    /// Places the controls at the bottom of a column if a height of `above` remains for the facts.
    fn stack_controls(&mut self, column: Rect, height: i32, above: i32) {
        let y0 = column.y1 - height;
        if height > 0 && y0 - MARGIN - column.y0 >= above {
            self.controls = Some(Rect { y0, ..column });
            self.facts = Some(Rect { y1: y0 - MARGIN, ..column });
        }
    }

    fn several(&mut self, whole: Rect, wishes: &Wishes) {
        let mut area = whole;
        if (wishes.panel || wishes.plots) && whole.width() >= SIDE_BY_SIDE {
            area.x0 += PANEL_WIDTH + 2 * MARGIN;
            self.share(column(&whole), wishes);
        }
        let columns = 2;
        let rows = if wishes.panes > 2 { 2 } else { 1 };
        let (w, h) = ((area.width() - GAP) / columns, (area.height() - GAP * (rows - 1)) / rows);
        for k in 0..wishes.panes.min(4) as i32 {
            let (x0, y0) = (area.x0 + k % 2 * (w + GAP), area.y0 + k / 2 * (h + GAP));
            let pane = Rect { x0, y0, x1: x0 + w, y1: y0 + h };
            self.panes.push(pane);
            let mut focus = pane;
            let card = Rect { x0: x0 + 8, y0: y0 + 8, x1: x0 + w - 8, y1: y0 + 8 + COMPACT };
            if card.width() >= 150 && h >= 2 * COMPACT {
                focus.y0 = card.y1;
                self.compact.push(card);
            }
            self.focus.push(focus);
        }
    }

    /// The column for multiple panes: common facts, plots below them, controls at the bottom.
    fn share(&mut self, column: Rect, wishes: &Wishes) {
        const COMMON: i32 = 118;
        let mut free = column;
        if wishes.panel {
            self.facts = Some(Rect { y1: (column.y0 + COMMON).min(column.y1), ..column });
            free.y0 += COMMON + MARGIN;
            let y0 = free.y1 - wishes.controls;
            if wishes.controls > 0 && y0 >= free.y0 {
                self.controls = Some(Rect { y0, ..free });
                free.y1 = y0 - MARGIN;
            }
        }
        if wishes.plots && free.height() >= PLOT {
            self.plots = Some(free);
        }
    }
}

/// Height of a compact card.
pub(crate) const COMPACT: i32 = 70;

/// The column at the left.
fn column(whole: &Rect) -> Rect {
    let width = PANEL_WIDTH.min(whole.width() - 2 * MARGIN);
    Rect { x0: MARGIN, y0: MARGIN, x1: MARGIN + width, y1: whole.y1 - MARGIN }
}

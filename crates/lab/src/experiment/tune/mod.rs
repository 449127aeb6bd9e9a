//! The cheapest combination of friction law, ε, integrator and step that keeps a scene within a
//! budget of creep.
//!
//! A lane is one law with one ε and one integrator; its steps are tried from the largest downward.
//! Lanes take turns under a ceiling of cost per simulated second, which grows fourfold until a
//! combination holds. Laws that hold without creep, which need no small ε, are two such steps ahead until
//! then, so that a best is there early to bound the others, and to be verified if the time ends. A
//! run above the ceiling is stopped and postponed, so that no run costs much
//! more than the answer. Combinations that cannot be cheaper than the best so far are not run, and
//! a run ends as soon as it is certain not to hold (`foresight.rs`). The ε of a law are those at
//! which the law's own creep is within the budget, from the largest downward, until two in a row
//! bring no improvement. The cheapest candidate is verified by a run twice as long at half the
//! step, and by runs at other steps; if it fails, its next smaller step joins the candidates unless it
//! costs too much, and the cheapest of them is verified next.
//! Before all that the scene's own combination is run and verified (`own.rs`): the search is for a
//! cheaper one.

pub mod answer;
mod deciding;
mod forecast;
mod foresight;
mod lane;
mod own;
mod probe;
mod search;
mod tuning;

pub use super::search_grid::{SearchGrid, series};
pub use answer::{Answer, Combination, Cost, Ending, SearchEnd, TuneBudget, TuneCandidate};
pub use forecast::Progress;
pub use tuning::Tuning;

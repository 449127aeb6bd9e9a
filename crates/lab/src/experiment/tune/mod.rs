//! The cheapest combination of friction law, ε, integrator and step that keeps a scene within a
//! budget of creep.
//!
//! Every law with one of its ε and one integrator is a lane, whose steps are tried from the largest
//! downwards. Lanes take turns under a ceiling of cost per simulated second, which grows fourfold until
//! something holds: what would cost more is put off, and a run that does is stopped, so that nothing
//! is run much dearer than the answer. What can no longer beat the best so far is not run, and a run
//! ends where it is determined that it does not hold (`foresight.rs`). The ε of a law are those whose
//! own creep is within the budget, from the largest downwards, until two in a row bring nothing.
//! The answer is verified by a run twice as long at half the step; where that fails, the next smaller
//! step takes its place.

pub mod answer;
mod deciding;
mod forecast;
mod foresight;
mod lane;
mod probe;
mod search;
mod tuning;

pub use super::search_grid::{SearchGrid, series};
pub use answer::{Answer, Combination, Cost, Ending, SearchEnd, TuneBudget, TuneCandidate};
pub use forecast::Progress;
pub use tuning::Tuning;

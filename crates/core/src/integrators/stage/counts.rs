//! Counts of Newton iterations per stage.

use serde::{Deserialize, Serialize};

/// Largest number of iterations of each class, ascending; the last class is open.
const CLASSES: [u32; 12] = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 40, u32::MAX];

/// Stages of implicit methods by their Newton iterations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StageCounts {
    counts: [u64; CLASSES.len()],
    most: u32,
}

impl StageCounts {
    /// No stage.
    pub const NONE: StageCounts = StageCounts { counts: [0; CLASSES.len()], most: 0 };

    /// Counts a stage.
    pub fn count(&mut self, iterations: u32) {
        self.counts[CLASSES.partition_point(|class| *class < iterations)] += 1;
        self.most = self.most.max(iterations);
    }

    /// Adds the counts of another step.
    #[inline]
    pub fn add(&mut self, other: &StageCounts) {
        // explicit methods have none
        if other.most > 0 {
            self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
            self.most = self.most.max(other.most);
        }
    }

    /// Number of stages, those given up included.
    pub fn stages(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Largest number of iterations.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// The number of iterations that this share of the stages does not exceed, up to six exactly, beyond
    /// that the end of its class: 8, 12, 16, 24, 40, the largest number. `None` without stages.
    pub fn quantile(&self, share: f64) -> Option<u32> {
        let enough = share * self.stages() as f64;
        let mut below = 0;
        for (count, class) in self.counts.iter().zip(CLASSES) {
            below += count;
            if below > 0 && below as f64 >= enough {
                return Some(class.min(self.most));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_list() {
        let mut counts = StageCounts::default();
        assert_eq!(counts.quantile(0.5), None);
        for iterations in [1, 1, 2, 2, 2, 3, 3, 6, 7, 30] {
            counts.count(iterations);
        }
        let mut all = StageCounts::default();
        all.add(&counts);
        all.add(&StageCounts::default());
        assert_eq!(all, counts);
        let at = |share: f64| all.quantile(share).unwrap();
        assert_eq!((all.stages(), all.most()), (10, 30));
        assert_eq!([at(0.0), at(0.2), at(0.5), at(0.8)], [1, 1, 2, 6]);
        // the ends of classes, and never more than the largest
        assert_eq!([at(0.9), at(1.0)], [8, 30]);
    }
}

//! Adhesion: a pull-off force with a range.

/// A surface pulls a touching particle with the constant force F; across a gap g the pull falls to zero
/// at the range R:
///
/// ```text
/// P = F             in contact
/// P = F (1 − g/R)   at a gap 0 < g < R
/// ```
///
/// N is unchanged: friction is that of the whole force k d between the surfaces, so an adhering
/// contact without load still bears μ F. Adhesion is conservative. A force above F pulls one
/// contact off. Source: the form of \[derjaguin1975\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adhesion {
    /// F \[N\] per contact.
    pub force: f64,
    /// R \[m\] > 0.
    pub range: f64,
}

impl Adhesion {
    /// P at the depth `d` \[m\], which is −g across a gap \[N\].
    pub fn pull(&self, d: f64) -> f64 {
        if d >= 0.0 {
            self.force
        } else if d > -self.range {
            self.force * (1.0 + d / self.range)
        } else {
            0.0
        }
    }

    /// ∂P/∂d \[N/m\].
    pub fn slope(&self, d: f64) -> f64 {
        if d < 0.0 && d > -self.range { self.force / self.range } else { 0.0 }
    }

    /// Energy −∫ P dd \[J\], zero far away.
    pub fn energy(&self, d: f64) -> f64 {
        if d >= 0.0 {
            -self.force * (0.5 * self.range + d)
        } else if d > -self.range {
            let left = self.range + d;
            -0.5 * self.force * left * left / self.range
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pull_is_the_slope_of_the_energy() {
        let law = Adhesion { force: 0.3, range: 2e-3 };
        for d in [-3e-3, -1.9e-3, -1e-3, -1e-5, 1e-5, 1e-3] {
            let h = 1e-8;
            let slope = (law.energy(d + h) - law.energy(d - h)) / (2.0 * h);
            assert!((slope + law.pull(d)).abs() < 1e-6, "{d}: {slope}");
            let slope = (law.pull(d + h) - law.pull(d - h)) / (2.0 * h);
            assert!((slope - law.slope(d)).abs() < 1e-3, "{d}: {slope}");
        }
        assert_eq!((law.pull(-2e-3), law.pull(0.0)), (0.0, 0.3));
        // at touch the energy is −F R/2, gained across the range
        assert_eq!((law.energy(-2e-3), law.energy(0.0)), (0.0, -0.5 * 0.3 * 2e-3));
        assert!((law.energy(-1e-12) - law.energy(0.0)).abs() < 1e-12);
    }
}

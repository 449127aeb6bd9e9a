//! A block that a spring pulls at constant speed sticks and slips with the period and the swing of the
//! closed form.

use std::path::Path;
use stiction_core::math::{atan2, sqrt};
use stiction_lab::run::{Run, Unobserved};
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load};

/// Block of 1 kg with μ_s = 0.6 and μ_k = 0.35 on a spring k \[N/m\], pulled at V \[m/s\].
struct Pull {
    stiffness: f64,
    speed: f64,
}

impl Pull {
    /// Stretch of the spring at which a slip begins, less that at which friction balances it
    /// \[m\], and ω = √(k/m) \[1/s\].
    fn scales(&self) -> (f64, f64) {
        ((0.6 - 0.35) * 9.81 / self.stiffness, sqrt(self.stiffness))
    }

    /// The time from slip to slip, 2 u₀/V + (2π − 2 arctan(ω u₀/V))/ω \[s\].
    fn period(&self) -> f64 {
        let (start, rate) = self.scales();
        let angle = std::f64::consts::TAU - 2.0 * atan2(rate * start, self.speed);
        2.0 * start / self.speed + angle / rate
    }

    /// Greatest less least force of the spring, 2 k √(u₀² + (V/ω)²) \[N\].
    fn swing(&self) -> f64 {
        let (start, rate) = self.scales();
        2.0 * self.stiffness * sqrt(start * start + self.speed * self.speed / (rate * rate))
    }
}

/// The last values of the columns of a scene.
fn last(name: &str, set: &[String]) -> impl Fn(&str) -> f64 + use<> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    let options = LoadOptions { set: set.to_vec(), ..LoadOptions::default() };
    let loaded = load(&path, &options).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let mut run = Run::new(&loaded.scene, &BuildOptions::default()).expect("a world");
    run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
    let (columns, last) = (run.columns.clone(), run.tally.last.clone().expect("a frame").measures);
    move |column| last[columns.iter().position(|name| name == column).expect("a column")]
}

fn within_a_hundredth(found: f64, exact: f64, of: &str) {
    assert!((found / exact - 1.0).abs() < 0.01, "{of}: {found}, not {exact}");
}

#[test]
fn a_pulled_block_has_period_and_swing_of_the_closed_form() {
    for (stiffness, speed) in [(40.0, 0.1), (80.0, 0.1), (40.0, 0.2), (25.0, 0.15)] {
        let pull = Pull { stiffness, speed };
        let set = [
            format!("body.block.springs.edge.stiffness={stiffness:?}"),
            format!("pin.hand.motion.velocity=[{speed:?},0,0]"),
        ];
        let last = last("stick_slip.toml", &set);
        let of = format!("{stiffness} N/m at {speed} m/s");
        within_a_hundredth(last("period"), pull.period(), &of);
        within_a_hundredth(last("swing"), pull.swing(), &of);
    }
}

#[test]
fn blocks_on_a_belt_have_periods_of_their_own() {
    let last = last("stick_slip_belt.toml", &[]);
    for (name, stiffness) in [("soft", 20.0), ("stiff", 40.0)] {
        let pull = Pull { stiffness, speed: 0.1 };
        within_a_hundredth(last(&format!("{name}_period")), pull.period(), name);
        within_a_hundredth(last(&format!("{name}_swing")), pull.swing(), name);
    }
}

/// Above the speed of the pull, ε is a friction without a peak: the block follows the hand, and there is
/// no period.
#[test]
fn no_block_sticks_and_slips_at_an_epsilon_above_the_speed() {
    let last = last("stick_slip.toml", &["contact.friction.epsilon=0.2".into()]);
    assert!(last("period").is_nan());
    within_a_hundredth(last("pull"), 0.6 * 9.81 * 0.1 / 0.2, "μ_s N V/ε");
}

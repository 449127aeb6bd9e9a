//! The rows of the league: a scene, the quantity read from it, and how each of six contestants
//! plays it: a soft box and its rigid twin, each held in three ways.

use super::runs::{Ran, run, sets};

/// The laws and the method that hold the boxes; in each column the soft box comes first, then its
/// rigid twin.
pub const HOLDS: [&str; 3] = ["threshold", "cundall-strack", "exact"];

/// How a contestant plays a row: words of `--set`, or not at all.
pub type Play = Option<&'static [&'static [&'static str]]>;

/// The quantity read from a run.
pub enum Reading {
    /// Mean speed between two times, in µm/s.
    Creep([f64; 2]),
    /// Distance travelled between two times \[s\], times a factor.
    Way([f64; 2], f64),
    /// Error of the distance travelled from t = 0 to a time \[s\], in per cent of the right one
    /// \[m\].
    Error(f64, f64),
}

/// A row.
pub struct Row {
    /// As in `engines.csv`.
    pub key: &'static str,
    /// The scene, from the top of the project.
    pub scene: &'static str,
    /// The measure's column.
    pub column: &'static str,
    pub reading: Reading,
    /// How each contestant plays it: two for each of [`HOLDS`].
    pub plays: [Play; 6],
}

/// The memory law, as stiff as the body it holds.
pub const STRETCH: &[&str] = &[
    "contact.friction.law=cundall-strack",
    "contact.friction.stiffness=1e6",
    "contact.friction.damping=100",
];
/// Cones, beside explicit springs.
const EXACT: &[&str] =
    &["contact.method=exact", "integrator.method=symplectic-euler", "time.step=2e-5"];
/// The rigid twin under a law.
const RIGID: &[&str] = &["body.box.rigid=true", "integrator.method=rk4", "time.step=1e-4"];
/// The rigid twin under the threshold law of the soft box.
const RIGID_CREEPS: &[&str] = &["body.box.rigid=true", "integrator.method=rk4", "time.step=5e-5"];
/// The rigid twin at a larger ε than the soft box's, which would need yet smaller steps: only
/// explicit methods know rigid bodies.
const RIGID_SLOPE: &[&str] = &[
    "body.box.rigid=true",
    "integrator.method=rk4",
    "time.step=2e-5",
    "contact.friction.epsilon=1e-4",
];
/// The rigid twin under cones.
pub const RIGID_EXACT: &[&str] =
    &["body.box.rigid=true", "contact.method=exact", "integrator.method=rk4", "time.step=1e-3"];

const BOX: [Play; 6] = [
    Some(&[]),
    Some(&[RIGID_CREEPS]),
    Some(&[STRETCH]),
    Some(&[RIGID, STRETCH]),
    Some(&[EXACT]),
    Some(&[RIGID_EXACT]),
];
const SOFT: [Play; 6] = [BOX[0], None, BOX[2], None, BOX[4], None];
const BOX_ON_SLOPE: [Play; 6] = [BOX[0], Some(&[RIGID_SLOPE]), BOX[2], BOX[3], BOX[4], BOX[5]];

/// The capsule's scene measures creep; here its displacement is measured.
const CAPSULE: &[&str] = &["measure.creep.kind=displacement"];
/// The threshold law in the pinch: an implicit method allows a small ε, and the step resolves the
/// grip.
const CAPSULE_CREEPS: &[&str] = &[
    "contact.friction.law=threshold",
    "contact.friction.epsilon=1e-3",
    "integrator.method=tr-bdf2",
    "integrator.newton_tolerance=1e-12",
];
const CAPSULE_EXACT: &[&str] = &["contact.method=exact", "time.step=5e-5"];
const CAPSULE_RIGID: &[&str] =
    &["body.capsule.rigid=true", "integrator.method=rk4", "time.step=2e-5"];
const CAPSULE_RIGID_CREEPS: &[&str] =
    &["contact.friction.law=threshold", "contact.friction.epsilon=1e-2"];

/// Distance travelled by a box down a slope of 1 in 2 at μ = .49 in 2.5 s under 9.8 m/s² \[m\].
pub const SLIDE: f64 = 0.273_918_326_7;
/// Stopping distance v₀²/(2 μ g) of a box from 2 m/s at μ = .4 \[m\].
pub const STOP: f64 = 4.0 / (2.0 * 0.4 * 9.81);

/// All rows that compare distances and speeds.
pub const ROWS: [Row; 9] = [
    Row {
        key: "A creep, 15°, μ .5 [µm/s]",
        scene: "scenes/league/a_creep.toml",
        column: "way",
        reading: Reading::Creep([1.0, 2.0]),
        plays: BOX,
    },
    Row {
        key: "B μ .50, moved in 2.5 s [mm]",
        scene: "scenes/league/b_holds.toml",
        column: "way",
        reading: Reading::Way([1.0, 3.5], 1e3),
        plays: BOX_ON_SLOPE,
    },
    Row {
        key: "B μ .49, way in 2.5 s [m]",
        scene: "scenes/league/b_slides.toml",
        column: "way",
        reading: Reading::Way([0.5, 3.0], 1.0),
        plays: BOX_ON_SLOPE,
    },
    Row {
        key: "C stop, v0 2 m/s, μ .4 [% off]",
        scene: "scenes/league/c_stops.toml",
        column: "way",
        reading: Reading::Error(0.8, STOP),
        plays: BOX_ON_SLOPE,
    },
    Row {
        key: "D wall press, 20 N, μ 1 [µm/s]",
        scene: "scenes/league/d_wall.toml",
        column: "way",
        reading: Reading::Creep([1.0, 2.0]),
        plays: BOX,
    },
    Row {
        key: "E pinched capsule [µm/s]",
        scene: "scenes/pinched_capsule.toml",
        column: "creep_z",
        reading: Reading::Creep([3.0, 4.0]),
        plays: [
            Some(&[CAPSULE, CAPSULE_CREEPS]),
            Some(&[CAPSULE, CAPSULE_RIGID, CAPSULE_RIGID_CREEPS]),
            Some(&[CAPSULE]),
            Some(&[CAPSULE, CAPSULE_RIGID]),
            Some(&[CAPSULE, CAPSULE_EXACT]),
            None,
        ],
    },
    Row {
        key: "F creep, 15°, μ .8 [µm/s]",
        scene: "scenes/league/f_creep.toml",
        column: "way",
        reading: Reading::Creep([1.0, 2.0]),
        plays: BOX,
    },
    Row {
        key: "F stop, soft [% off]",
        scene: "scenes/league/c_stops.toml",
        column: "way",
        reading: Reading::Error(0.8, STOP),
        plays: SOFT,
    },
    Row {
        key: "F μ .49, soft, way [m]",
        scene: "scenes/league/b_slides.toml",
        column: "way",
        reading: Reading::Way([0.5, 3.0], 1.0),
        plays: SOFT,
    },
];

impl Row {
    /// The row whose key begins with `key`.
    pub fn of(key: &str) -> &'static Row {
        ROWS.iter().find(|row| row.key.starts_with(key)).expect("a row of the league")
    }

    /// Runs it as the contestant of that number plays it; `None` if it does not.
    pub fn play(&self, contestant: usize) -> Option<Ran> {
        let words: Vec<&str> = self.plays[contestant]?.concat();
        Some(run(self.scene, &sets(&words)))
    }

    /// The quantity read from a run, in the unit of the key.
    pub fn read(&self, ran: &Ran) -> f64 {
        match self.reading {
            Reading::Creep([from, to]) => 1e6 * ran.growth(self.column, [from, to]) / (to - from),
            Reading::Way(times, factor) => factor * ran.growth(self.column, times),
            Reading::Error(time, right) => {
                1e2 * (ran.growth(self.column, [0.0, time]) / right - 1.0)
            }
        }
    }
}

//! P6: a disc and a ring that slide and spin on a floor: friction couples the two motions, so that
//! both end simultaneously \[farkas2003\].

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::math::{PI, Vector, cos, sin, sqrt};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "P6",
        name: "disc",
        about: "R .1, μ .3, v0 1 m/s: way, and time and v/(R ω) when √(v² + R²ω²) is down to a twentieth; v/(R ω) tends to .653",
        trials: disc,
    },
    Case {
        group: "P6",
        name: "ring",
        about: "R .1, μ .3, v0 1 m/s, 20 rad/s: ends with v = R ω",
        trials: ring,
    },
];

const RADIUS: f64 = 0.1;
const MU: f64 = 0.3;
const G: f64 = 9.81;

/// A body that slides with `velocity` and spins at `spin` about z.
#[derive(Clone, Copy)]
struct DiscMotion {
    displacement: Vector,
    velocity: Vector,
    spin: f64,
}

impl DiscMotion {
    /// Sliding along x at 1 m/s.
    fn thrown(spin: f64) -> DiscMotion {
        DiscMotion { displacement: Vector::zeros(), velocity: Vector::x(), spin }
    }

    /// Size of the motion √(v² + R²ω²) \[m/s\].
    fn size(&self) -> f64 {
        sqrt(self.velocity.norm_squared() + RADIUS * RADIUS * self.spin * self.spin)
    }

    /// v/(R ω).
    fn quotient(&self) -> f64 {
        self.velocity.norm() / (RADIUS * self.spin)
    }
}

/// End of a motion.
struct Ending {
    /// Distance travelled at the end \[m\].
    travelled: f64,
    /// Time at which the size of the motion has fallen to 1/20 \[s\].
    late: f64,
    /// v/(R ω) at that time.
    quotient: f64,
    /// Time of the stop \[s\], extrapolated linearly from 1/20 and 1/50 of the size.
    stop: f64,
}

/// Follows a motion by `advance`, which returns time and motion after a step, until its size has
/// fallen to 1/500.
fn follow(
    start: DiscMotion,
    mut advance: impl FnMut() -> Result<(f64, DiscMotion), Trouble>,
) -> Result<Ending, Trouble> {
    let (full, mut now) = (start.size(), (0.0, start));
    // the time at which the size falls below a share of its first value, linear between two steps
    let passes = |share: f64, before: (f64, DiscMotion), after: (f64, DiscMotion)| {
        let [a, b] = [before.1.size() / full, after.1.size() / full];
        (a >= share && b < share).then(|| before.0 + (a - share) / (a - b) * (after.0 - before.0))
    };
    let (mut late, mut later) = ((0.0, 0.0), 0.0);
    while now.1.size() > 2e-3 * full {
        let next = advance()?;
        if let Some(time) = passes(0.05, now, next) {
            late = (time, next.1.quotient());
        }
        later = passes(0.02, now, next).unwrap_or(later);
        now = next;
    }
    let stop = later + (later - late.0) * 0.02 / 0.03;
    Ok(Ending { travelled: now.1.displacement.norm(), late: late.0, quotient: late.1, stop })
}

/// Connection between the particles of a body.
#[derive(Clone, Copy)]
enum Hold {
    Springs,
    Rigid,
}

impl Hold {
    fn text(self) -> &'static str {
        match self {
            Hold::Springs => "springs = { edge = { stiffness = 2e4, damping = 4 } }",
            Hold::Rigid => "rigid = true",
        }
    }

    fn word(self) -> &'static str {
        match self {
            Hold::Springs => "soft",
            Hold::Rigid => "rigid",
        }
    }

    /// time step \[s\]
    fn step(self) -> f64 {
        match self {
            Hold::Springs => 4e-5,
            Hold::Rigid => 1e-4,
        }
    }
}

/// The mean motion of a body, its spin from its angular momentum.
fn mean_motion(rig: &Rig) -> DiscMotion {
    let count = rig.model.particles() as f64;
    let mean = |values: &[Vector]| values.iter().sum::<Vector>() / count;
    let (x, v) = (&rig.state.positions, &rig.state.velocities);
    let (center, velocity) = (mean(x), mean(v));
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for (x, v) in x.iter().zip(v) {
        let r = x - center;
        momentum += r.x * v.y - r.y * v.x;
        inertia += r.x * r.x + r.y * r.y;
    }
    DiscMotion {
        displacement: center - mean(&rig.model.reference),
        velocity,
        spin: momentum / inertia,
    }
}

/// The ending of a body of 1 kg, thrown flat over the floor, each of its particles at its static
/// depth, connected by `hold`.
fn ending(
    setting: &RigSetting,
    shape: &str,
    hold: Hold,
    particles: usize,
    start: DiscMotion,
) -> Result<Ending, Trouble> {
    let stiffness = 1e3;
    let depth = G / (particles as f64 * stiffness);
    let rest = format!(
        "world = {{ gravity = [0, 0, -{G}] }}
        materials.steel = {{ static_friction = {MU} }}
        [contact]
        normal = {{ stiffness = {stiffness:e}, damping = 2 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"top\"
        mass = 1
        shape = {{ {shape} }}
        {}
        position = [0, 0, {:e}]
        velocity = [{:e}, 0, 0]
        spin = [0, 0, {:e}]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        ",
        hold.text(),
        -depth,
        start.velocity.x,
        start.spin
    );
    let mut rig = setting.stand_under("\"symplectic-euler\"", hold.step(), &rest)?;
    let first = mean_motion(&rig);
    let ending = follow(first, || {
        rig.advance()?;
        Ok((rig.state.time, mean_motion(&rig)))
    })?;
    rig.trusted()?;
    Ok(ending)
}

/// Spin at the start \[rad/s\], displacement at the end \[m\]; time \[s\] and v/(R ω) at 1/20 of
/// the size.
const DISCS: [(f64, f64, f64, f64); 2] =
    [(10.0, 0.216581, 0.43394, 0.683), (20.0, 0.334182, 0.61328, 0.617)];

fn disc() -> Vec<CaseTrial> {
    let trial = |hold: Hold, row: (f64, f64, f64, f64)| {
        let name = format!("{} rad/s, 200 particles, {}, symplectic-euler", row.0, hold.word());
        CaseTrial::new(name, move |setting| {
            let shape = format!("disc = {{ radius = {RADIUS}, count = 200 }}");
            let found = ending(setting, &shape, hold, 200, DiscMotion::thrown(row.0))?;
            Ok(of_disc(row, &found, [0.003, 0.005, 0.01]))
        })
    };
    let both = [Hold::Springs, Hold::Rigid].into_iter();
    both.flat_map(|hold| DISCS.map(|row| trial(hold, row))).collect()
}

fn of_disc(row: (f64, f64, f64, f64), found: &Ending, tolerances: [f64; 3]) -> Vec<CaseFigure> {
    let ((_, travelled, late, quotient), [a, b, c]) = (row, tolerances);
    vec![
        CaseFigure::relative("way", "m", travelled, found.travelled, a),
        CaseFigure::relative("time to a twentieth", "s", late, found.late, b),
        CaseFigure::absolute("v/(R ω) then", "", quotient, found.quotient, c),
    ]
}

const AROUND: usize = 64;

fn bare(ring: &[Vector]) -> String {
    let points: Vec<[f64; 3]> = ring.iter().map(|p| [p.x, p.y, p.z]).collect();
    format!("points = {{ positions = {points:?} }}")
}

/// A ring with chords; friction would deform a bare one.
fn braced(ring: &[Vector]) -> String {
    let points: Vec<[f64; 3]> = ring.iter().map(|p| [p.x, p.y, p.z]).collect();
    let chords = [1, 2, 8, 16].into_iter().flat_map(|apart| {
        (0..AROUND).map(move |i| [i.min((i + apart) % AROUND), i.max((i + apart) % AROUND)])
    });
    let links: Vec<[usize; 2]> = chords.collect();
    format!("points = {{ positions = {points:?}, links = {links:?} }}")
}

fn ring() -> Vec<CaseTrial> {
    let round = || -> Vec<Vector> {
        let angles = (0..AROUND).map(|i| 2.0 * PI * i as f64 / AROUND as f64);
        angles.map(|angle| Vector::new(cos(angle), sin(angle), 0.0) * RADIUS).collect()
    };
    let of_ring = |found: &Ending, [a, b, c]: [f64; 3]| {
        vec![
            CaseFigure::relative("way", "m", 0.481912, found.travelled, a),
            CaseFigure::relative("stop", "s", 0.823008, found.stop, b),
            CaseFigure::absolute("v/(R ω) at a twentieth", "", 1.0, found.quotient, c),
        ]
    };
    let trial = |hold: Hold| {
        let name = format!("64 particles, {}, symplectic-euler", hold.word());
        CaseTrial::new(name, move |setting| {
            let shape = match hold {
                Hold::Springs => braced(&round()),
                Hold::Rigid => bare(&round()),
            };
            let found = ending(setting, &shape, hold, AROUND, DiscMotion::thrown(20.0))?;
            Ok(of_ring(&found, [0.003, 0.005, 0.002]))
        })
    };
    vec![trial(Hold::Springs), trial(Hold::Rigid)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::math::larger;

    /// The rate of a rigid body under Coulomb's law, pressed evenly on the floor at its points.
    fn rigid_rate(points: &[Vector], motion: &DiscMotion) -> DiscMotion {
        let (mut force, mut torque, mut inertia) = (Vector::zeros(), 0.0, 0.0);
        for r in points {
            let slip = motion.velocity + Vector::new(-r.y, r.x, 0.0) * motion.spin;
            let friction = slip * (-MU * G / larger(slip.norm(), 1e-12));
            force += friction;
            torque += r.x * friction.y - r.y * friction.x;
            inertia += r.norm_squared();
        }
        DiscMotion {
            displacement: motion.velocity,
            velocity: force / points.len() as f64,
            spin: torque / inertia,
        }
    }

    /// The rigid body's ending, by the midpoint rule with steps that shrink with the motion.
    fn rigid(points: &[Vector], start: DiscMotion) -> Result<Ending, Trouble> {
        let (mut motion, mut time) = (start, 0.0);
        let moved = |from: &DiscMotion, rate: &DiscMotion, h: f64| DiscMotion {
            displacement: from.displacement + rate.displacement * h,
            velocity: from.velocity + rate.velocity * h,
            spin: from.spin + rate.spin * h,
        };
        follow(start, || {
            let h = 5e-4 * motion.size() / start.size();
            let middle = moved(&motion, &rigid_rate(points, &motion), 0.5 * h);
            motion = moved(&motion, &rigid_rate(points, &middle), h);
            time += h;
            Ok((time, motion))
        })
    }

    /// Rings of points, each representing the same area of a disc.
    fn even_points(rings: u32, around: u32) -> Vec<Vector> {
        let point = |i: u32, j: u32| {
            let r = RADIUS * sqrt((f64::from(i) + 0.5) / f64::from(rings));
            let angle = 2.0 * PI * (f64::from(j) + 0.5) / f64::from(around);
            Vector::new(r * cos(angle), r * sin(angle), 0.0)
        };
        (0..rings).flat_map(|i| (0..around).map(move |j| point(i, j))).collect()
    }

    /// the published values, derived again without particles of the program
    #[test]
    fn the_published_values_are_those_of_rigid_bodies() {
        for (spin, travelled, late, quotient) in DISCS {
            let found = rigid(&even_points(60, 60), DiscMotion::thrown(spin)).expect("it ends");
            assert!((found.travelled / travelled - 1.0).abs() < 1e-4, "{}", found.travelled);
            assert!((found.late / late - 1.0).abs() < 1e-4, "{}", found.late);
            assert!((found.quotient - quotient).abs() < 5e-4, "{}", found.quotient);
        }
        let angles = (0..AROUND).map(|i| 2.0 * PI * i as f64 / AROUND as f64);
        let points: Vec<Vector> =
            angles.map(|angle| Vector::new(cos(angle), sin(angle), 0.0) * RADIUS).collect();
        let found = rigid(&points, DiscMotion::thrown(20.0)).expect("it ends");
        assert!((found.travelled / 0.481912 - 1.0).abs() < 1e-4, "{}", found.travelled);
        assert!((found.stop / 0.823008 - 1.0).abs() < 1e-4, "{}", found.stop);
    }
}

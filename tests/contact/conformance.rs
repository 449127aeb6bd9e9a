//! Laws with a stretch against their own equations, integrated here by another route: a block that
//! a spring pulls over the floor at constant speed, the loop of presliding, and the force at
//! break-away against the rate of loading.

use crate::support::simulation;
use stiction_core::contact::friction::dahl::Dahl;
use stiction_core::contact::friction::lugre::LuGre;
use stiction_core::contact::friction::{FrictionLaw, Slip};
use stiction_core::math::{PI, Vector, cos, exp, sin};
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Coefficients;

const NORMAL_FORCE: f64 = 10.0;
const STATIC: f64 = 0.5;
const KINETIC: f64 = 0.3;

/// One law along a line, with the parameters of its source.
#[derive(Clone, Copy, Debug)]
enum Own {
    /// σ0, σ1, σ2, v_s.
    LuGre(f64, f64, f64, f64),
    /// σ0, c.
    Dahl(f64, f64),
    /// k, c.
    CundallStrack(f64, f64),
}

const LUGRE: Own = Own::LuGre(1e4, 50.0, 0.5, 0.02);
const STIFFER: Own = Own::LuGre(1e5, 200.0, 0.4, 0.005);
const DAHL: Own = Own::Dahl(1e4, 20.0);
const CUNDALL_STRACK: Own = Own::CundallStrack(1e4, 50.0);

impl Own {
    /// The scene's table of the law.
    fn table(&self) -> String {
        match self {
            Own::LuGre(k, damping, viscosity, speed) => format!(
                "{{ law = \"lugre\", stiffness = {k:e}, damping = {damping}, viscosity = {viscosity}, stribeck_speed = {speed} }}"
            ),
            Own::Dahl(k, c) => format!("{{ law = \"dahl\", stiffness = {k:e}, damping = {c} }}"),
            Own::CundallStrack(k, c) => {
                format!("{{ law = \"cundall-strack\", stiffness = {k:e}, damping = {c} }}")
            }
        }
    }

    /// Friction that opposes the slip \[N\] and the rate of the stretch \[m/s\], at the velocity
    /// `v` and the stretch `z`; `slides` is for the law of two branches. The bristles' friction is
    /// bounded by the cone, which is this program's addition.
    fn friction(&self, v: f64, z: f64, slides: bool) -> (f64, f64) {
        match *self {
            Own::LuGre(k, damping, viscosity, speed) => {
                let fall = (STATIC - KINETIC) * exp(-(v / speed) * (v / speed));
                let g = (KINETIC + fall) * NORMAL_FORCE;
                let rate = v - k * v.abs() * z / g;
                let cone = STATIC * NORMAL_FORCE;
                ((k * z + damping * rate + viscosity * v).clamp(-cone, cone), rate)
            }
            Own::Dahl(k, c) => {
                let cone = KINETIC * NORMAL_FORCE;
                ((k * z + c * v).clamp(-cone, cone), v - k * v.abs() * z / cone)
            }
            Own::CundallStrack(k, c) => {
                if slides {
                    (KINETIC * NORMAL_FORCE * z.signum(), 0.0)
                } else {
                    (k * z + c * v, v)
                }
            }
        }
    }
}

/// A block of 1 kg on a spring whose other end moves at constant speed, or under a force that grows
/// at a constant rate.
#[derive(Clone, Copy)]
enum Load {
    /// k \[N/m\], V \[m/s\].
    Spring(f64, f64),
    /// \[N/s\].
    Ramp(f64),
}

impl Load {
    fn force(self, t: f64, x: f64) -> f64 {
        match self {
            Load::Spring(k, speed) => k * (speed * t - x),
            Load::Ramp(rate) => rate * t,
        }
    }
}

/// Time, position, velocity and friction of the block, as both kinds of integration give them.
#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    t: f64,
    x: f64,
    v: f64,
    friction: f64,
}

/// The block integrated by a Runge–Kutta rule for [x, v, z], from rest without stretch; `see`
/// receives every step and ends the integration by `false`.
fn integrate(law: Own, load: Load, h: f64, mut see: impl FnMut(Moment) -> bool) {
    let (mut y, mut t, mut slides) = ([0.0; 3], 0.0, false);
    let rates = |t: f64, y: [f64; 3], slides: bool| {
        let (friction, rate) = law.friction(y[1], y[2], slides);
        [y[1], load.force(t, y[0]) - friction, rate]
    };
    let step = |t: f64, y: [f64; 3], h: f64, slides: bool| {
        let go = |k: [f64; 3], h: f64| [0, 1, 2].map(|i| y[i] + h * k[i]);
        let a = rates(t, y, slides);
        let b = rates(t + 0.5 * h, go(a, 0.5 * h), slides);
        let c = rates(t + 0.5 * h, go(b, 0.5 * h), slides);
        let d = rates(t + h, go(c, h), slides);
        [0, 1, 2].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
    };
    // whether the law of Cundall and Strack changes its branch: it slips from the static cone on,
    // and sticks again at standstill
    let leaves = |y: [f64; 3], slides: bool| match law {
        Own::CundallStrack(k, c) if !slides => (k * y[2] + c * y[1]).abs() > STATIC * NORMAL_FORCE,
        Own::CundallStrack(..) => y[1] * y[2] < 0.0,
        _ => false,
    };
    loop {
        let mut left = h;
        while left > 0.0 {
            let mut piece = left;
            let mut next = step(t, y, piece, slides);
            let mut change = leaves(next, slides);
            while change && piece > 1e-12 {
                piece *= 0.5;
                next = step(t, y, piece, slides);
                change = leaves(next, slides);
                if !change {
                    break;
                }
            }
            (y, t, left) = (next, t + piece, left - piece);
            if change {
                slides = !slides;
                if let (true, Own::CundallStrack(k, _)) = (slides, law) {
                    y[2] = KINETIC * NORMAL_FORCE / k * y[2].signum();
                }
            }
        }
        let (friction, _) = law.friction(y[1], y[2], slides);
        if !see(Moment { t, x: y[0], v: y[1], friction }) {
            return;
        }
    }
}

/// The same block as a scene.
fn scene(law: Own, load: Load, integrator: &str, stretch: &str, h: f64) -> Simulation {
    let (spring, speed) = match load {
        Load::Spring(k, speed) => (k, speed),
        Load::Ramp(_) => (1e-9, 0.0),
    };
    let push = match load {
        Load::Spring(..) => String::new(),
        Load::Ramp(rate) => format!(
            "[[push]]\nbody = \"block\"\nwhere = {{ particles = [0] }}\nforce = [{:e}, 0, 0]\nramp = 100",
            rate * 100.0
        ),
    };
    simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, -{NORMAL_FORCE}] }}
        time = {{ end = 1000, step = {h:e}, output = 1000 }}
        integrator = {{ {integrator} }}
        materials.wood = {{ static_friction = {STATIC}, kinetic_friction = {KINETIC} }}
        [contact]
        {stretch}
        normal = {{ stiffness = 1e5, damping = 200 }}
        friction = {table}
        [[body]]
        name = \"block\"
        mass = 2
        shape = {{ points = {{ positions = [[0, 0, 0], [1, 0, 0]], links = [[0, 1]] }} }}
        position = [0, 0, {depth:e}]
        springs = {{ edge = {{ stiffness = {spring:e} }} }}
        [[pin]]
        body = \"block\"
        where = {{ particles = [1] }}
        motion = {{ velocity = [{speed}, 0, 0] }}
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        {push}
        ",
        table = law.table(),
        depth = -NORMAL_FORCE / 1e5,
    ))
}

/// The scene's block, step by step.
fn simulate(mut run: Simulation, mut see: impl FnMut(Moment) -> bool) {
    loop {
        run.advance().expect("a step");
        let state = &run.state;
        let friction = state.memory.contacts.first().map_or(0.0, |contact| -contact.friction.x);
        let (x, v) = (state.positions[0].x, state.velocities[0].x);
        if !see(Moment { t: state.time, x, v, friction }) {
            return;
        }
    }
}

/// Figures of a pulled block that are compared: its position after 3 s and 10 s \[m\], and the
/// times at which it becomes as fast as the pulling end, which are those of the largest tension
/// \[s\].
#[derive(Debug, Default)]
struct Pulled {
    at: [f64; 2],
    slips: Vec<f64>,
}

impl Pulled {
    const TIMES: [f64; 2] = [3.0, 10.0];

    fn watch(speed: f64, run: impl FnOnce(&mut dyn FnMut(Moment) -> bool)) -> Pulled {
        let (mut pulled, mut last) = (Pulled::default(), Moment::default());
        run(&mut |now| {
            for (at, time) in pulled.at.iter_mut().zip(Pulled::TIMES) {
                if last.t < time && now.t >= time {
                    *at = last.x + (now.x - last.x) * (time - last.t) / (now.t - last.t);
                }
            }
            if last.v < speed && now.v >= speed {
                let share = (speed - last.v) / (now.v - last.v);
                pulled.slips.push(last.t + share * (now.t - last.t));
            }
            last = now;
            now.t < Pulled::TIMES[1] + 1e-3
        });
        pulled
    }

    fn period(&self) -> f64 {
        let slips = &self.slips;
        (slips[slips.len() - 1] - slips[0]) / (slips.len() - 1) as f64
    }
}

/// Positions after 3 s and 10 s agree within a hundredth of half a jump, (μ_s − μ_k) N/k; first
/// slip and period within a thousandth.
#[test]
fn a_pulled_block_sticks_and_slips_as_the_equation_of_its_law() {
    let symplectic = "method = \"symplectic-euler\"";
    let state = "stretch = \"state\"";
    let dopri5 = "method = \"dopri5\", rtol = 1e-8, atol = 1e-10";
    for (law, spring, speed, integrator, stretch, h) in [
        (LUGRE, 100.0, 0.05, symplectic, "stretch = \"commit\"", 2e-6),
        (LUGRE, 100.0, 0.05, "method = \"rk4\"", "stretch = \"state\"", 1e-4),
        (LUGRE, 100.0, 0.05, dopri5, "", 1e-2),
        (LUGRE, 100.0, 0.05, "method = \"dop853\", rtol = 1e-8, atol = 1e-10", "", 1e-2),
        (LUGRE, 100.0, 0.05, "method = \"rk45\", rtol = 1e-8, atol = 1e-10", "", 1e-2),
        (STIFFER, 400.0, 0.02, "method = \"rk45\"", "", 1e-2),
        (DAHL, 100.0, 0.05, dopri5, "", 1e-2),
        (CUNDALL_STRACK, 100.0, 0.05, "method = \"rk45\", rtol = 1e-8, atol = 1e-10", state, 1e-2),
        (CUNDALL_STRACK, 100.0, 0.05, dopri5, state, 1e-3),
        (STIFFER, 400.0, 0.02, "method = \"rk4\"", "stretch = \"state\"", 5e-5),
        (CUNDALL_STRACK, 100.0, 0.05, symplectic, "stretch = \"commit\"", 1e-5),
        (CUNDALL_STRACK, 100.0, 0.05, "method = \"rk4\"", "stretch = \"state\"", 1e-5),
        (DAHL, 100.0, 0.05, symplectic, "stretch = \"commit\"", 1e-5),
        (DAHL, 100.0, 0.05, "method = \"rk4\"", "stretch = \"state\"", 1e-4),
    ] {
        let load = Load::Spring(spring, speed);
        let own = Pulled::watch(speed, |see| integrate(law, load, 1e-5, see));
        let run = scene(law, load, integrator, stretch, h);
        let run = Pulled::watch(speed, |see| simulate(run, see));
        let half = (STATIC - KINETIC) * NORMAL_FORCE / spring;
        let off = [0, 1].map(|i| (run.at[i] - own.at[i]) / half);
        let first = run.slips[0] / own.slips[0] - 1.0;
        let period = run.period() / own.period() - 1.0;
        println!(
            "{law:?} {integrator} {stretch} h {h:e}: off by {:.3} and {:.3} of half a jump, first slip {first:.1e}, {} slips, period {period:.1e}",
            off[0],
            off[1],
            own.slips.len()
        );
        assert!(off.iter().all(|off| off.abs() < 0.01), "{law:?} {integrator}: {off:?}");
        assert!(first.abs() < 1e-3 && period.abs() < 1e-3, "{law:?} {integrator}");
    }
}

/// The law of bristles with the same numbers.
fn bristles(own: Own) -> Box<dyn FrictionLaw> {
    match own {
        Own::LuGre(stiffness, damping, viscosity, stribeck_speed) => {
            Box::new(LuGre { stiffness, damping, viscosity, stribeck_speed })
        }
        Own::Dahl(stiffness, damping) => Box::new(Dahl { stiffness, damping }),
        Own::CundallStrack(..) => unreachable!("its loop has a closed form, in `hysteresis`"),
    }
}

/// Swung to and fro in presliding and beyond, at speeds below and above v_s: the area of the loop
/// and the forces at its ends are those of the equation.
#[test]
fn the_loop_of_presliding_is_that_of_the_equation() {
    let pair = Coefficients { static_friction: STATIC, kinetic_friction: KINETIC };
    for (own, amplitude, rate) in [
        (LUGRE, 2e-4, 1.0),
        (LUGRE, 5e-4, 10.0),
        (LUGRE, 2e-3, 40.0),
        (LUGRE, 1e-3, 200.0),
        (DAHL, 2e-4, 1.0),
        (DAHL, 2e-3, 40.0),
    ] {
        let law = bristles(own);
        let steps = 100_000;
        let h = 2.0 * PI / rate / f64::from(steps);
        let course = |t: f64| (amplitude * sin(rate * t), amplitude * rate * cos(rate * t));
        // work of friction in the second period, and its forces at the two ends of the swing
        let (mut ways, mut ends) = ([0.0; 2], [[0.0; 2]; 2]);
        let (mut z, mut stretch) = (0.0, Vector::zeros());
        let mut before = [0.0; 2];
        for step in 0..2 * steps {
            let (t, along) = (h * f64::from(step), |x: f64| Vector::new(x, 0.0, 0.0));
            let (x, next) = (course(t).0, course(t + h));
            let r = |t: f64, z: f64| own.friction(course(t).1, z, false).1;
            let a = r(t, z);
            let b = r(t + 0.5 * h, z + 0.5 * h * a);
            let c = r(t + 0.5 * h, z + 0.5 * h * b);
            z += h / 6.0 * (a + 2.0 * b + 2.0 * c + r(t + h, z + h * c));
            let slip = Slip {
                displacement: along(next.0 - x),
                velocity: along(next.1),
                normal_force: NORMAL_FORCE,
                stretch,
                sliding: false,
            };
            stretch = law.relax(&slip, &pair);
            let now = [own.friction(next.1, z, false).0, -law.force(&slip, &pair).x];
            if step >= steps {
                for k in 0..2 {
                    ways[k] += 0.5 * (before[k] + now[k]) * (next.0 - x);
                }
            }
            for (end, at) in [(0, steps + steps / 4), (1, steps + 3 * steps / 4)] {
                if step + 1 == at {
                    ends[end] = now;
                }
            }
            before = now;
        }
        let scale = STATIC * NORMAL_FORCE;
        println!("{own:?} ± {amplitude:e} m at {rate} /s: {ways:?} J, {ends:?} N");
        assert!((ways[1] / ways[0] - 1.0).abs() < 2e-3, "{own:?} {amplitude}: {ways:?}");
        for [truth, found] in ends {
            assert!((found - truth).abs() < 2e-3 * scale, "{own:?} {amplitude}: {ends:?}");
        }
    }
}

/// A run that gives each of its moments to a function, until this returns `false`.
type Watched<'a> = dyn FnMut(&mut dyn FnMut(Moment) -> bool) + 'a;

/// The faster the load grows, the less friction it takes to break LuGre's bristle away.
#[test]
fn lugre_breaks_away_at_less_when_it_is_loaded_faster() {
    // σ1 adds nothing to the peak
    let law = Own::LuGre(1e6, 50.0, 0.4, 1e-3);
    // largest friction until the slip is a hundred times v_s
    let most = |run: &mut Watched<'_>| {
        let mut most = 0.0;
        run(&mut |now| {
            most = if now.friction > most { now.friction } else { most };
            now.v < 0.1
        });
        most
    };
    let mut last = f64::INFINITY;
    for rate in [2.0, 10.0, 50.0, 200.0] {
        let load = Load::Ramp(rate);
        let truth = most(&mut |see| integrate(law, load, 1e-5, see));
        for (stretch, h) in [("stretch = \"state\"", 1e-4), ("stretch = \"commit\"", 2e-6)] {
            let method = "method = \"rk4\"";
            let found = most(&mut |see| simulate(scene(law, load, method, stretch, h), see));
            println!(
                "{rate} N/s, {stretch}: break-away at {found:.4} N, the equation {truth:.4} N"
            );
            assert!((found / truth - 1.0).abs() < 5e-3, "{rate} N/s: {found}, not {truth}");
        }
        assert!(truth < last, "{rate} N/s: {truth} after {last}");
        last = truth;
    }
}

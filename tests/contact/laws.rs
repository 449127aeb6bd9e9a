//! Conformance of every friction and normal law, and of every force's Jacobian.

use crate::support::simulation;
use proptest::prelude::*;
use stiction_core::contact::friction::coulomb::Coulomb;
use stiction_core::contact::friction::{
    FRICTION_LAWS, FrictionForm, FrictionLaw, Slip, central_differences, lugre,
};
use stiction_core::contact::normal::{NORMAL_LAWS, NormalLaw};
use stiction_core::forces::BlockSink;
use stiction_core::math::{Matrix, PI, Vector, cos, rotation, sin};
use stiction_core::registry::{Entry, Fallback, Value, Values};
use stiction_core::state::memory::Coefficients;
use stiction_core::state::memory::Memory;
use stiction_core::state::{Configuration, Lag};

/// A row made from its defaults, and from `required` where it has none.
fn made<T: ?Sized>(row: &Entry<T>, required: &[(&str, f64)]) -> Box<T> {
    let mut values = Values::defaults(row.keys);
    for key in row.keys {
        if matches!(key.default, Fallback::Required) {
            let (_, value) = required
                .iter()
                .find(|(name, _)| *name == key.name)
                .unwrap_or_else(|| panic!("{} needs {}: say here how much", row.name, key.name));
            values = values.set(key.name, Value::Number(*value));
        }
    }
    (row.make)(&values).expect("a law")
}

fn friction_laws() -> Vec<(&'static str, Box<dyn FrictionLaw>)> {
    FRICTION_LAWS
        .iter()
        .map(|row| (row.name, made(row, &[("stiffness", 1e4), ("damping", 50.0)])))
        .collect()
}

fn normal_laws() -> Vec<(&'static str, Box<dyn NormalLaw>)> {
    NORMAL_LAWS.iter().map(|row| (row.name, made(row, &[("stiffness", 1e4)]))).collect()
}

/// A tangential vector for the normal z, of a size that may be anywhere over six decades.
fn tangent(largest: f64) -> impl Strategy<Value = Vector> {
    (0.0..2.0 * PI, -6.0..0.0f64).prop_map(move |(angle, decades)| {
        Vector::new(cos(angle), sin(angle), 0.0)
            * (largest * stiction_core::math::pow(10.0, decades))
    })
}

fn slip() -> impl Strategy<Value = Slip> {
    (tangent(1.0), tangent(1e-3), tangent(1e-2), 0.0..100.0f64, any::<bool>()).prop_map(
        |(velocity, displacement, stretch, normal_force, sliding)| Slip {
            velocity,
            displacement,
            stretch,
            normal_force,
            sliding,
        },
    )
}

fn pair() -> impl Strategy<Value = Coefficients> {
    (0.0..1.5f64, 0.0..1.0f64).prop_map(|(kinetic_friction, more)| Coefficients {
        static_friction: kinetic_friction + more,
        kinetic_friction,
    })
}

fn turned(slip: &Slip, turn: &Matrix) -> Slip {
    Slip {
        velocity: turn * slip.velocity,
        displacement: turn * slip.displacement,
        stretch: turn * slip.stretch,
        ..*slip
    }
}

proptest! {
    #[test]
    fn friction_is_tangential_inside_the_cone_and_zero_without_load(slip in slip(), pair in pair()) {
        for (name, law) in friction_laws() {
            let force = law.force(&slip, &pair);
            prop_assert_eq!(force.z, 0.0, "{}", name);
            let cone = pair.static_friction * slip.normal_force;
            prop_assert!(force.norm() <= cone * (1.0 + 1e-12), "{name}: {} {cone}", force.norm());
            let unloaded = Slip { normal_force: 0.0, ..slip };
            prop_assert_eq!(law.force(&unloaded, &pair).norm(), 0.0, "{}", name);
            let smooth = law.force(&slip, &Coefficients::default());
            prop_assert_eq!(smooth.norm(), 0.0, "{}", name);
        }
    }

    #[test]
    fn friction_is_isotropic(slip in slip(), pair in pair(), angle in 0.0..2.0 * PI) {
        let turn = rotation(Vector::z(), angle);
        for (name, law) in friction_laws() {
            let force = turn * law.force(&slip, &pair);
            let other = law.force(&turned(&slip, &turn), &pair);
            // a slip on the very edge of a jump may fall to either side when it is turned
            let edge = (law.sticks(&slip, &pair)) != law.sticks(&turned(&slip, &turn), &pair);
            prop_assert!(edge || (force - other).norm() <= 1e-12 * (1.0 + force.norm()), "{name}");
            let stretch = turn * law.relax(&slip, &pair);
            let other = law.relax(&turned(&slip, &turn), &pair);
            prop_assert!(edge || (stretch - other).norm() <= 1e-12 * (1.0 + stretch.norm()), "{name}");
        }
    }

    /// Laws without memory never push along the slip; those with memory may not create energy
    /// over a cycle, see below.
    #[test]
    fn friction_without_memory_never_drives(slip in slip(), pair in pair()) {
        for (name, law) in friction_laws() {
            if !law.has_memory() {
                let power = law.force(&slip, &pair).dot(&slip.velocity);
                prop_assert!(power <= 0.0, "{name}: {power}");
                prop_assert_eq!(law.rate(&slip, &pair), Vector::zeros(), "{}", name);
                prop_assert_eq!(law.relax(&slip, &pair), Vector::zeros(), "{}", name);
            }
        }
    }

    /// Work of friction over slip cycles a cos(ωt + α), b cos(ωt + β): after the first lap the law
    /// is in a steady state, and a second lap takes energy out.
    #[test]
    fn friction_dissipates_over_a_closed_slip_cycle(
        (a, b, phase) in (1e-5..1e-2f64, 0.0..1e-2f64, 0.0..2.0 * PI),
        period in 0.01..1.0f64,
        normal_force in 0.1..100.0f64,
        pair in pair(),
    ) {
        const STEPS: usize = 4000;
        let rate = 2.0 * PI / period;
        let way = |t: f64| Vector::new(a * cos(rate * t), b * cos(rate * t + phase), 0.0);
        let speed = |t: f64| Vector::new(-a * rate * sin(rate * t), -b * rate * sin(rate * t + phase), 0.0);
        for (name, law) in friction_laws() {
            let mut stretch = Vector::zeros();
            let (mut sliding, mut work, mut stored) = (false, 0.0, 0.0);
            for step in 0..2 * STEPS {
                let (t0, t1) = [step, step + 1].map(|s| period * s as f64 / STEPS as f64).into();
                let displacement = way(t1) - way(t0);
                let slip = Slip { displacement, velocity: speed(t1), normal_force, stretch, sliding };
                if step == STEPS {
                    (work, stored) = (0.0, law.energy(stretch));
                }
                work += law.force(&slip, &pair).dot(&displacement);
                sliding = law.has_memory() && !law.sticks(&slip, &pair);
                stretch = law.relax(&slip, &pair);
            }
            let taken = -work - (law.energy(stretch) - stored);
            let scale = pair.static_friction * normal_force * 4.0 * (a + b);
            prop_assert!(taken >= -2e-3 * scale, "{name}: creates {} of {scale}", -taken);
        }
    }

    #[test]
    fn friction_derivatives_agree_with_differences(slip in slip(), pair in pair()) {
        for (name, law) in friction_laws() {
            if near_kink(law.as_ref(), &slip, &pair) || slip.normal_force < 1e-3 {
                continue;
            }
            let (exact, numeric) = (law.derivative(&slip, &pair), central_differences(law.as_ref(), &slip, &pair));
            let force = pair.static_friction * slip.normal_force;
            // only tangential directions exist
            let plane = Matrix::from_diagonal(&Vector::new(1.0, 1.0, 0.0));
            let stiff = exact.by_velocity.norm().max(force / slip.velocity.norm());
            let off = plane * (exact.by_velocity - numeric.by_velocity) * plane;
            prop_assert!(off.norm() <= 1e-5 * stiff, "{name}: {} {}", exact.by_velocity, numeric.by_velocity);
            let stiff = exact.by_displacement.norm().max(force / slip.displacement.norm());
            let off = plane * (exact.by_displacement - numeric.by_displacement) * plane;
            prop_assert!(off.norm() <= 1e-5 * stiff, "{name}: {} {}", exact.by_displacement, numeric.by_displacement);
            let off = exact.by_normal_force - numeric.by_normal_force;
            prop_assert!(off.norm() <= 1e-6 * pair.static_friction + 1e-9, "{name}: {off}");
        }
    }

    #[test]
    fn normal_laws_never_pull(
        depth in 1e-9..0.1f64,
        rate in -10.0..10.0f64,
        restitution in 0.01..1.0f64,
        mass in 1e-3..10.0f64,
    ) {
        for (name, law) in normal_laws() {
            let damping = law.damping(law.bounce(Some(restitution)), mass);
            let force = |d, rate| law.force(d, rate, damping);
            let n = force(depth, rate);
            prop_assert!(n >= 0.0 && n.is_finite(), "{name}: {n}");
            prop_assert!(force(depth, rate + 1.0) >= n, "{name}");
            // no damping without restitution asked for, and none at e = 1
            for undamped in [law.bounce(None), law.bounce(Some(1.0))] {
                let n = law.force(depth, rate, law.damping(undamped, mass));
                prop_assert!((n - law.elastic(depth)).abs() <= 1e-9 * n, "{name}");
            }
            // away from the clamp the derivative is the difference quotient
            let (h, g) = (1e-6 * depth, 1e-6);
            let corners = [(h, 0.0), (-h, 0.0), (0.0, g), (0.0, -g)];
            let values = corners.map(|(d, r)| force(depth + d, rate + r));
            let zero = values.iter().filter(|f| **f == 0.0).count();
            if zero == 0 || zero == 4 {
                let (by_depth, by_rate) = law.derivative(depth, rate, damping);
                prop_assert!((by_depth - (values[0] - values[1]) / (2.0 * h)).abs() < 1e-4 * (1.0 + by_depth + n / depth), "{name}");
                prop_assert!((by_rate - (values[2] - values[3]) / (2.0 * g)).abs() < 1e-4 * (1.0 + by_rate + n), "{name}");
            }
            // the elastic part is the slope of the stored energy
            let slope = (law.energy(depth + h) - law.energy(depth - h)) / (2.0 * h);
            prop_assert!((slope - law.elastic(depth)).abs() < 1e-6 * slope.abs(), "{name}");
        }
    }
}

/// The presliding curve F = μN (1 − exp(−σ0 x/(μN))) of Dahl's law, in one step or in many.
#[test]
fn the_bristle_is_exact_along_a_straight_slip() {
    let pair = Coefficients { static_friction: 0.5, kinetic_friction: 0.5 };
    for name in ["dahl", "lugre"] {
        let row = FRICTION_LAWS.find(name).expect("a law");
        let law = made(row, &[("stiffness", 1e4)]);
        for way in [1e-9, 1e-4, 1e-3, 1e-2] {
            for steps in [1, 7, 100] {
                let displacement = Vector::x() * (way / f64::from(steps));
                let mut slip = Slip { displacement, normal_force: 10.0, ..Slip::default() };
                for _ in 1..steps {
                    slip.stretch = law.relax(&slip, &pair);
                }
                let force = -law.force(&slip, &pair).x;
                let exact = 5.0 * (1.0 - stiction_core::math::exp(-1e4 * way / 5.0));
                assert!(
                    (force / exact - 1.0).abs() < 1e-6,
                    "{name} {way} {steps}: {force} {exact}"
                );
            }
        }
    }
}

/// Steady sliding of the LuGre law is its Stribeck curve plus σ2 s, bounded by the cone.
#[test]
fn lugre_slides_on_its_stribeck_curve() {
    let row = FRICTION_LAWS.find("lugre").expect("a law");
    let values = Values::defaults(row.keys)
        .set("stiffness", Value::Number(1e4))
        .set("damping", Value::Number(50.0))
        .set("viscosity", Value::Number(2.0));
    let law = (row.make)(&values).expect("a law");
    let pair = Coefficients { static_friction: 0.6, kinetic_friction: 0.4 };
    for (speed, force) in [
        (1e-3, 5.982099667498336), // 4 + 2 e^(−0.01) + 0.002
        (1e-2, 4.755758882342885), // 4 + 2 e^(−1) + 0.02
        (0.1, 4.2),
        (10.0, 6.0),
    ] {
        let slip = Slip {
            displacement: Vector::x(),
            velocity: Vector::x() * speed,
            normal_force: 10.0,
            ..Slip::default()
        };
        let measured = -law.force(&slip, &pair).x;
        assert!((measured - force).abs() < 1e-9, "{speed}: {measured} {force}");
        assert!(!law.sticks(&slip, &pair));
    }
}

/// Whether the force changes its branch or its slope close to this slip: the stick flag or the
/// derivative differs within the reach of a difference quotient.
fn near_kink(law: &dyn FrictionLaw, slip: &Slip, pair: &Coefficients) -> bool {
    let near = |scale: f64| Slip {
        velocity: slip.velocity * scale,
        displacement: slip.displacement * scale,
        stretch: slip.stretch * scale,
        ..*slip
    };
    let (a, b) = (near(1.0 - 1e-3), near(1.0 + 1e-3));
    let same = |x: &Slip| law.sticks(x, pair) == law.sticks(slip, pair);
    let press = |scale: f64| Slip { normal_force: slip.normal_force * scale, ..*slip };
    !(same(&a) && same(&b) && same(&press(1.0 - 1e-3)) && same(&press(1.0 + 1e-3)))
}

/// Dense Jacobians gathered block by block.
struct Dense {
    by_position: Vec<Vec<Matrix>>,
    by_velocity: Vec<Vec<Matrix>>,
}

impl BlockSink for Dense {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        self.by_position[i][j] += by_position;
        self.by_velocity[i][j] += by_velocity;
    }
}

/// Springs, drag, a push and two colliders in one small model.
fn small_world(law: &str) -> String {
    format!(
        "format = 1
        time = {{ end = 1e-3, step = 1e-3, output = 1e-3 }}
        integrator = {{ method = \"rk4\" }}
        materials.rubber = {{ static_friction = 0.6, kinetic_friction = 0.4 }}
        [contact]
        normal = {{ law = \"linear\", stiffness = 2e3, damping = 10 }}
        friction = {law}
        [[body]]
        name = \"box\"
        mass = 1.0
        shape = {{ lattice = {{ counts = [2, 2, 2], spacing = 0.1 }} }}
        springs = {{ edge = {{ stiffness = 500, damping = 3 }}, face_diagonal = {{ stiffness = 300, damping = 2 }}, body_diagonal = {{ stiffness = 200 }} }}
        [[collider]]
        name = \"plane\"
        shape = {{ plane = {{ normal = [0.2, 0.1, 1], point = [0, 0, 0.012] }} }}
        [[collider]]
        name = \"ball\"
        shape = {{ sphere = {{ center = [0, 0, 100.09], radius = 100 }} }}
        motion = {{ velocity = [0.01, 0.02, 0] }}
        [[drag]]
        rate = 2.0
        [[push]]
        body = \"box\"
        force = [1, 2, 3]
        "
    )
}

fn shifted(list: &[Vector], i: usize, axis: usize, by: f64) -> Vec<Vector> {
    let mut list = list.to_vec();
    list[i][axis] += by;
    list
}

/// The largest errors of ∂F/∂x \[N/m\] and ∂F/∂v \[N·s/m\] of a scene near its start, by
/// differences, and its number of contacts.
fn jacobian_errors(text: &str, lag: Lag) -> (f64, f64, usize) {
    let mut simulation = simulation(text);
    let model = &simulation.model;
    let n = model.particles();
    // commit once, so that a law with memory has some
    let mut spare = Memory::default();
    model.commit(&mut simulation.state, &mut spare);
    let state = &simulation.state;
    let wobble = |i: usize, k: f64| {
        Vector::new(sin(k + i as f64), cos(2.0 * k + i as f64), sin(3.0 * k - i as f64))
    };
    let x: Vec<Vector> = (0..n).map(|i| state.positions[i] + wobble(i, 0.3) * 2e-3).collect();
    let v: Vec<Vector> = (0..n).map(|i| wobble(i, 0.7) * 0.1).collect();
    let at = |x: &[Vector], v: &[Vector]| {
        let mut f = vec![Vector::zeros(); n];
        let memory = &state.memory;
        let at = Configuration {
            time: 0.0,
            positions: x,
            velocities: v,
            memory,
            stretch: None,
            lag,
            within_step: false,
        };
        model.forces_at(&at, &mut f);
        f
    };
    let zeros = || vec![vec![Matrix::zeros(); n]; n];
    let mut dense = Dense { by_position: zeros(), by_velocity: zeros() };
    let memory = &state.memory;
    let here = Configuration {
        time: 0.0,
        positions: &x,
        velocities: &v,
        memory,
        stretch: None,
        lag,
        within_step: false,
    };
    model.jacobian_at(&here, &mut dense);
    let (mut worst_x, mut worst_v) = (0.0f64, 0.0f64);
    for j in 0..n {
        for axis in 0..3 {
            let h = 1e-7;
            let (a, b) = (at(&shifted(&x, j, axis, -h), &v), at(&shifted(&x, j, axis, h), &v));
            let (c, d) = (at(&x, &shifted(&v, j, axis, -h)), at(&x, &shifted(&v, j, axis, h)));
            for i in 0..n {
                let by_x = (b[i] - a[i]) / (2.0 * h) - dense.by_position[i][j].column(axis);
                let by_v = (d[i] - c[i]) / (2.0 * h) - dense.by_velocity[i][j].column(axis);
                worst_x = worst_x.max(by_x.norm());
                worst_v = worst_v.max(by_v.norm());
            }
        }
    }
    (worst_x, worst_v, state.memory.contacts.len())
}

/// Springs + plane + sphere + drag + push: the sum of all Jacobians against differences of the sum
/// of all forces. The ball is so large that the turning of its normal, which is left out, is small.
#[test]
fn jacobians_agree_with_differences_of_the_forces() {
    for law in [
        "{ law = \"none\" }",
        "{ law = \"kinetic\" }",
        "{ law = \"threshold\", epsilon = 0.5 }",
        "{ law = \"threshold\", epsilon = 1e-3 }",
        "{ law = \"quadratic\", epsilon = 0.5 }",
        "{ law = \"cubic\", epsilon = 0.5 }",
        "{ law = \"quintic\", epsilon = 0.5 }",
        "{ law = \"quintic\", epsilon = 0.05 }",
        "{ law = \"hyperbolic\", epsilon = 0.1 }",
        "{ law = \"tanh\", epsilon = 0.1 }",
        "{ law = \"stribeck\", epsilon = 0.1, stribeck_speed = 0.2 }",
        "{ law = \"viscous-cap\", damping = 3 }",
        "{ law = \"formula\", mu = \"a + 0.2*exp(-s/0.05) + 0.1*N/(10 + N)\", constants = { a = 0.3 }, epsilon = 0.1 }",
        "{ law = \"formula\", force = \"mu_k*N*tanh(s/0.2)\", epsilon = 1e-3 }",
        "{ law = \"cundall-strack\", stiffness = 200, damping = 3 }",
        "{ law = \"dahl\", stiffness = 200, damping = 3 }",
        "{ law = \"dahl\", stiffness = 2000, damping = 30 }",
        "{ law = \"lugre\", stiffness = 200, damping = 3, viscosity = 0.5, stribeck_speed = 0.2 }",
    ] {
        let (worst_x, worst_v, contacts) = jacobian_errors(&small_world(law), Lag::NONE);
        assert!(contacts >= 6, "{contacts}");
        println!("{law}: ∂F/∂x off by {worst_x:.2e} of 2e3 N/m, ∂F/∂v by {worst_v:.2e} N·s/m");
        assert!(worst_x < 0.5, "{law}: {worst_x}");
        assert!(worst_v < 1e-4, "{law}: {worst_v}");
    }
}

/// The damping is so strong that contacts which approach bear 100 k d + 10 c d/h, the most that they may where
/// they are eased.
#[test]
fn jacobians_of_eased_contact_agree_with_differences() {
    let text = small_world("{ law = \"threshold\", epsilon = 0.5 }");
    let strong = text.replace("damping = 10 }", "damping = 1e5 }");
    let eased = Lag { eased: 0.1, ..Lag::NONE };
    let (worst_x, worst_v, contacts) = jacobian_errors(&strong, eased);
    println!("∂F/∂x off by {worst_x:.2e} of 3e5 N/m, ∂F/∂v by {worst_v:.2e} N·s/m");
    assert!(contacts >= 6, "{contacts}");
    assert!(worst_x < 50.0, "{worst_x}");
    assert!(worst_v < 1e-2, "{worst_v}");
}

/// Two bodies that press on each other: exact along the normal. ∂F/∂x leaves out that the points at
/// which friction acts move over the triangles, a stiffness of about F/edge: here 5 N over .1 m.
#[test]
fn jacobians_between_bodies_agree_with_differences() {
    for (law, allowed) in [
        ("{ law = \"none\" }", 1e-5),
        ("{ law = \"threshold\", epsilon = 0.5 }", 60.0),
        ("{ law = \"cundall-strack\", stiffness = 200, damping = 3 }", 60.0),
    ] {
        let text = format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 1, step = 1e-3, output = 1 }}
            integrator = {{ method = \"rk4\" }}
            materials.rubber = {{ static_friction = 0.6 }}
            [contact]
            bodies = true
            normal = {{ stiffness = 2e3, damping = 10 }}
            friction = {law}
            [[body]]
            name = \"lower\"
            mass = 1
            shape = {{ lattice = {{ counts = [3, 3, 2], spacing = 0.1 }} }}
            springs = {{ edge = {{ stiffness = 500, damping = 3 }} }}
            [[body]]
            name = \"upper\"
            mass = 1
            shape = {{ lattice = {{ counts = [2, 2, 2], spacing = 0.1 }} }}
            springs = {{ edge = {{ stiffness = 500, damping = 3 }} }}
            rotation = [0, 0, 25]
            position = [0.05, 0.03, 0.095]
            "
        );
        let (worst_x, worst_v, contacts) = jacobian_errors(&text, Lag::NONE);
        println!("{law}: ∂F/∂x off by {worst_x:.2e} N/m, ∂F/∂v by {worst_v:.2e} N·s/m, {contacts}");
        assert!(contacts >= 4, "{contacts}");
        assert!(worst_x < allowed, "{law}: {worst_x}");
        assert!(worst_v < 1e-4, "{law}: {worst_v}");
    }
}

/// At one coefficient and a speed far above every threshold.
#[test]
fn laws_have_the_force_of_their_form() {
    let pair = Coefficients { static_friction: 0.4, kinetic_friction: 0.4 };
    let cone = 0.4 * 9.81;
    let mut forms = [0; 3];
    for (name, law) in friction_laws() {
        let at = |velocity: f64, stretch: f64| {
            let (velocity, stretch) = (Vector::x() * velocity, Vector::x() * stretch);
            let slip = Slip { velocity, stretch, normal_force: 9.81, ..Slip::default() };
            law.force(&slip, &pair).x
        };
        let near = |force: f64, exact: f64| {
            assert!((force - exact).abs() <= 1e-6 * cone, "{name}: {force}, not {exact}");
        };
        match law.form() {
            FrictionForm::Frictionless => near(at(1.0, 1.0), 0.0),
            FrictionForm::Coulomb => {
                forms[0] += 1;
                [1.0, 10.0].iter().for_each(|s| near(at(1e4 * law.threshold() + s, 0.0), -cone));
            }
            FrictionForm::CappedDamper { damping } => {
                forms[1] += 1;
                let speed = cone / damping;
                near(at(0.5 * speed, 0.0), -0.5 * cone);
                near(at(2.0 * speed, 0.0), -cone);
            }
            FrictionForm::CappedSpring { stiffness, damping } => {
                forms[2] += 1;
                let (stretch, speed) = (cone / stiffness, 1e-3);
                near(at(0.0, 0.5 * stretch), -0.5 * cone);
                near(at(speed, 0.5 * stretch), -0.5 * cone - damping * speed);
                near(at(0.0, 2.0 * stretch), -cone);
            }
            FrictionForm::Own => {}
        }
    }
    assert!(forms.iter().all(|&laws| laws > 0), "{forms:?}");
}

/// Drawn slowly from rest, a law with memory bears a load after the distance that it states.
/// `lugre` states the offset of a linear spring, without the saturation of its bristle, which is
/// that of `dahl`.
#[test]
fn laws_with_memory_state_the_offset_at_which_they_bear_a_load() {
    let pair = Coefficients { static_friction: 0.4, kinetic_friction: 0.4 };
    let cone = 0.4 * 9.81;
    let mut met = 0;
    for (name, law) in friction_laws() {
        if !law.has_memory() || name == lugre::ENTRY.name {
            continue;
        }
        met += 1;
        let (load, step) = (0.7 * cone, 1e-5 * cone / law.stiffness());
        let (mut stretch, mut travelled) = (Vector::zeros(), 0.0);
        while law.stiffness() * stretch.norm() < load {
            let displacement = Vector::x() * step;
            let slip = Slip { displacement, stretch, normal_force: 9.81, ..Slip::default() };
            stretch = law.relax(&slip, &pair);
            travelled += step;
        }
        let stated = law.offset_under(load, law.stiffness(), cone);
        assert!((travelled / stated - 1.0).abs() < 1e-4, "{name}: {travelled:e}, not {stated:e}");
    }
    assert!(met > 0);
}

/// At rest every law has a force and a derivative, and above the cone none has a creep.
#[test]
fn laws_are_defined_at_rest_and_creep_below_the_cone_alone() {
    let pair = Coefficients { static_friction: 0.4, kinetic_friction: 0.4 };
    let coulomb: (String, Box<dyn FrictionLaw>) = ("coulomb".into(), Box::new(Coulomb));
    for (name, law) in
        friction_laws().into_iter().map(|(name, law)| (name.to_string(), law)).chain([coulomb])
    {
        let slip = Slip { normal_force: 9.81, ..Slip::default() };
        let slopes = law.derivative(&slip, &pair);
        let finite = slopes
            .by_velocity
            .iter()
            .chain(slopes.by_displacement.iter())
            .chain(slopes.by_normal_force.iter())
            .all(|x| x.is_finite());
        assert!(finite && law.force(&slip, &pair) == Vector::zeros(), "{name}: {slopes:?}");
        for ratio in [1.01, 1.3, 3.0] {
            assert_eq!(law.creep(ratio, 9.81, &pair), None, "{name} under {ratio} times the cone");
        }
    }
}

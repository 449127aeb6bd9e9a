//! Boxes that tip, slide, hold and fall, and the friction limit of a body with all its contacts.

use super::*;

/// The fate of a box.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Tips,
    Slides,
    Stands,
}

/// Lander's box as one rigid body: 7 × 17 particles, 0.6 m wide and 1.6 m high, of 10 kg.
#[derive(Debug, Clone, Copy)]
struct Crate {
    friction: f64,
    /// Tangent of the slope of the floor.
    slope: f64,
    speed: f64,
    /// Height \[m\] and force \[N\] of the push; it rises from 1 to 3 s.
    push: (f64, f64),
}

impl Crate {
    const WEIGHT: f64 = 10.0 * G;

    fn under(self, method: &str, h: f64) -> Simulation {
        let Crate { friction, slope, speed, push: (height, force) } = self;
        let steep = 1.0 / sqrt(1.0 + slope * slope);
        // until it has settled on the floor
        let drag = if speed == 0.0 { "[[drag]]\nrate = 50\nuntil = 1" } else { "" };
        simulation(&format!(
            "format = 1
            world = {{ gravity = [{:e}, 0, {:e}], planar = \"xz\" }}
            time = {{ end = 1, step = {h:e}, output = 1 }}
            integrator = {{ method = {method} }}
            materials.wood = {{ static_friction = {friction:e} }}
            [contact]
            normal = {{ stiffness = 2e6, damping = 2000 }}
            friction = {{ law = \"threshold\", epsilon = 1e-2 }}
            [[body]]
            name = \"crate\"
            rigid = true
            mass = 10
            shape = {{ lattice = {{ counts = [7, 1, 17], spacing = 0.1 }} }}
            position = [0, 0, {:e}]
            velocity = [{speed:e}, 0, 0]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}
            [[push]]
            body = \"crate\"
            where = {{ nearest = [-0.3, 0, {height:e}] }}
            force = [{force:e}, 0, 0]
            from = 1
            ramp = 2
            {drag}",
            -G * slope * steep,
            -G * steep,
            -Crate::WEIGHT * steep / (7.0 * 2e6),
        ))
    }

    /// Pushed at a height with 1.004 times the smaller of the forces that make it slide or tip.
    fn pushed(friction: f64, height: f64) -> Crate {
        let force = 1.004 * Crate::WEIGHT * friction.min(0.3 / height);
        Crate { friction, slope: 0.0, speed: 0.0, push: (height, force) }
    }

    fn leaning(slope: f64) -> Crate {
        Crate { friction: 0.9, slope, speed: 0.0, push: (0.8, 0.0) }
    }
}

fn tilt(run: &Simulation) -> f64 {
    let up = run.state.attitudes[0] * Vector::z();
    degrees(acos(up.z.clamp(-1.0, 1.0)))
}

/// Watches a box until it has tilted by 3° or slides at thrice ε; the run must be without fault.
fn fate(run: &mut Simulation, until: f64) -> Fate {
    let base = |run: &Simulation| run.state.velocities[..7].iter().map(|v| v.x).sum::<f64>() / 7.0;
    let mut fate = Fate::Stands;
    while run.state.time < until && fate == Fate::Stands {
        run.advance().expect("a step");
        if tilt(run) > 3.0 {
            fate = Fate::Tips;
        } else if tilt(run) < 0.3 && base(run).abs() > 0.03 {
            fate = Fate::Slides;
        }
    }
    let verdict = run.verdict();
    println!(
        "{fate:?} at {:.3} s, tilted by {:.2}°, {}",
        run.state.time,
        tilt(run),
        verdict.marks()
    );
    assert!(verdict.faultless(), "{verdict:?}");
    fate
}

/// Tips iff μ > w/(2 h), and on a slope iff tan a > w/H, to a percent.
#[test]
fn a_rigid_box_tips_where_statics_say() {
    let cases = [("\"rk4\"", 5e-4), ("\"symplectic-euler\"", 2e-4), ("\"dopri5\"", 1e-3)];
    cases.par_iter().for_each(|&(method, h)| {
        for height in [0.4, 0.7, 1.2] {
            let limit = 0.3 / height;
            for (share, expected) in [(0.99, Fate::Slides), (1.01, Fate::Tips)] {
                let mut run = Crate::pushed(share * limit, height).under(method, h);
                let found = fate(&mut run, 8.0);
                assert_eq!(found, expected, "{method}: pushed at {height}, {share} of the limit");
            }
        }
        for (share, expected) in [(0.99, Fate::Stands), (1.01, Fate::Tips)] {
            let mut run = Crate::leaning(share * 0.6 / 1.6).under(method, h);
            let found = fate(&mut run, 5.0);
            assert_eq!(found, expected, "{method}: on a slope, {share} of the limit");
        }
    });
}

/// Thrown, it slides v²/(2 μ g) with its centre of pressure μ h_cm ahead.
#[test]
fn a_thrown_rigid_box_slides_as_far_as_a_block() {
    for (friction, way, lead) in [(0.2, 2.2936, 0.160), (0.3, 1.5291, 0.240)] {
        let crate_ = Crate { friction, slope: 0.0, speed: 3.0, push: (0.8, 0.0) };
        let mut run = crate_.under("\"rk4\"", 5e-4);
        let stop = 3.0 / (friction * G);
        let (mut weighted, mut weight) = (0.0, 0.0);
        let start = body(&run).0.x;
        while run.state.time < stop + 0.3 {
            run.advance().expect("a step");
            if run.state.time > 0.3 * stop && run.state.time < 0.9 * stop {
                let center = body(&run).0.x;
                for contact in &run.state.memory.contacts {
                    let x = run.state.positions[contact.particle()].x - center;
                    weighted += contact.normal_force * x;
                    weight += contact.normal_force;
                }
            }
        }
        assert_near(&format!("μ {friction}: way"), body(&run).0.x - start, way, 0.005);
        assert_near(&format!("μ {friction}: lead"), weighted / weight, lead, 0.01);
        assert!(run.verdict().faultless(), "{:?}", run.verdict());
    }
}

/// A box at rest on a slope, under a law of friction and a method.
fn resting(law: &str, method: &str, h: f64) -> Simulation {
    simulation(&format!(
        "format = 1
        world = {{ gravity = [-1, 0, -9.8], planar = \"xz\" }}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator = {{ method = {method} }}
        materials.wood = {{ static_friction = 0.5 }}
        [contact]
        normal = {{ stiffness = 2e4, damping = 1000 }}
        friction = {law}
        [[body]]
        name = \"box\"
        rigid = true
        mass = 10
        shape = {{ lattice = {{ counts = [7, 1, 17], spacing = 0.1 }} }}
        position = [0, 0, -7e-4]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}"
    ))
}

const THRESHOLD: &str = "{ law = \"threshold\", epsilon = 1e-3 }";

/// 1/M + z²/I of the box, for the height of its centre above the floor.
fn inverse_mass(run: &Simulation) -> f64 {
    let body = &run.model.rigid[0];
    1.0 / body.mass + 0.64 / body.inertia[(1, 1)]
}

/// All seven contacts together damp the body's tipping as well as its sliding: λ = μ M g/ε (1/M +
/// z²/I), many times that of a block, which limits explicit methods to steps as much smaller.
#[test]
fn the_friction_limit_of_a_rigid_body_is_where_it_is_said_to_be() {
    let run = resting(THRESHOLD, "\"rk4\"", 1e-5);
    let rate = 0.5 * 7.0 * 2e4 * 7e-4 / 1e-3 * inverse_mass(&run);
    let found = run.watches.friction_limit.latest() / 1e-5;
    assert_near("friction rate", found, rate, 1e-6);
    let methods = [("\"symplectic-euler\"", 2.0), ("\"rk4\"", 2.785293)];
    methods.par_iter().for_each(|&(method, limit)| {
        for (share, fine) in [(0.95, true), (1.05, false)] {
            let mut run = resting(THRESHOLD, method, share * limit / rate);
            while run.state.time < 1.0 {
                run.advance().expect("a step");
            }
            // the law's creep under a load of a fifth of what friction holds
            let (_, v, w) = body(&run);
            let creep = 1e-3 / 9.8 / 0.5;
            let off = (v.x + w.y * -0.8).abs() / creep - 1.0;
            let verdict = run.verdict();
            println!("{method}, {share} of the limit: off by {off:.2e}, {}", verdict.marks());
            assert_eq!(verdict.faultless(), fine, "{method}, {share}: {verdict:?}");
            assert_eq!(off.abs() < 0.01, fine, "{method}, {share}: creep is off by {off}");
            if !fine {
                assert_eq!(verdict.reasons[0].name(), "step-above-friction-limit");
            }
        }
    });
}

/// Laws that hold by a stretch hold a rigid body where it is.
#[test]
fn laws_with_stretch_hold_a_rigid_box() {
    let laws = [
        "{ law = \"cundall-strack\", stiffness = 2e4, damping = 50 }",
        "{ law = \"lugre\", stiffness = 2e4, damping = 50 }",
    ];
    for law in laws {
        for (method, h) in [("\"rk4\"", 2e-4), ("\"symplectic-euler\"", 1e-4)] {
            let mut run = resting(law, method, h);
            let mut at = Vector::zeros();
            while run.state.time < 4.0 {
                run.advance().expect("a step");
                if run.state.time < 2.0 {
                    at = body(&run).0;
                }
            }
            let moved = (body(&run).0 - at).norm();
            println!("{law}, {method}: {moved:.2e} m in 2 s, {}", run.verdict().marks());
            assert!(moved < 1e-6, "{law}, {method}: moved by {moved:e}");
            assert!(run.verdict().faultless(), "{law}, {method}: {:?}", run.verdict());
        }
    }
}

/// A grain that is fixed to a rigid body turns with it: it slides far along it, and short across.
#[test]
fn the_grain_of_a_rigid_body_turns_with_it() {
    let way = |turn: f64, shape_turn: f64| {
        let mut run = simulation(&format!(
            "format = 1
            time = {{ end = 1, step = 1e-4, output = 1 }}
            integrator = {{ method = \"symplectic-euler\" }}
            materials.wood = {{ static_friction = 0.2 }}
            [contact]
            normal = {{ stiffness = 1e4, damping = 50 }}
            friction = {{ law = \"threshold\", epsilon = 1e-2 }}
            [[body]]
            name = \"sledge\"
            rigid = true
            mass = 1
            shape = {{ lattice = {{ counts = [3, 3, 2], spacing = 0.05 }} }}
            anisotropy = {{ direction = [1, 0, 0], ratio = 3 }}
            rotation = [0, 0, {shape_turn}]
            position = [0, 0, -1e-4]
            velocity = [1, 0, 0]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}"
        ));
        let about = Vector::z() * turn;
        let rigid = run.model.rigid[0].clone();
        rigid.displace(Vector::zeros(), about, &mut run.state);
        rigid.set_twist(Vector::x(), Vector::zeros(), &mut run.state);
        let start = body(&run).0;
        while run.state.time < 0.8 {
            run.advance().expect("a step");
        }
        (body(&run).0 - start).norm()
    };
    let expected = |mu: f64| 1.0 / (2.0 * mu * G);
    assert_near("along", way(0.0, 0.0), expected(0.2), 0.01);
    assert_near("across, placed so", way(0.0, 90.0), expected(0.6), 0.01);
    assert_near("across, turned so", way(0.5 * PI, 0.0), expected(0.6), 0.01);
}

/// A box dropped flat is turned back by all its contacts together: each alone would seem resolved.
#[test]
fn an_impact_of_a_rigid_box_between_steps_is_named() {
    let dropped = |h: f64| {
        let mut run = simulation(&format!(
            "format = 1
            world = {{ planar = \"xz\" }}
            time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
            integrator = {{ method = \"rk4\" }}
            materials.wood = {{ static_friction = 0.5 }}
            [contact]
            normal = {{ stiffness = 1e4, damping = 1 }}
            friction = {{ law = \"threshold\", epsilon = 0.1 }}
            [[body]]
            name = \"box\"
            rigid = true
            mass = 1
            shape = {{ lattice = {{ counts = [13, 1, 3], spacing = 0.05 }} }}
            position = [0, 0, 0.101]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}"
        ));
        let steps = (0.3 / h) as u64;
        advance(&mut run, steps);
        println!("h {h}: {}", run.verdict().marks());
        run.verdict()
    };
    let fine = dropped(1e-4);
    assert!(fine.faultless(), "{fine:?}");
    let coarse = dropped(2.5e-3);
    assert!(coarse.reasons.iter().any(|r| r.name() == "impact-unresolved"), "{coarse:?}");
}

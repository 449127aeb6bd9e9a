//! Against Coulomb's closed forms, and as the limit of the laws of penalty contact.

use super::*;

/// Distance of a slide to rest by v' = v − μ g h and x' = x + h w, where w is the mean of v' with
/// the weight `share` and of v.
fn discrete_distance(speed: f64, deceleration: f64, h: f64, share: f64) -> f64 {
    let (mut v, mut x) = (speed, 0.0);
    while v > 0.0 {
        let next = if v > deceleration * h { v - deceleration * h } else { 0.0 };
        x += h * (share * next + (1.0 - share) * v);
        v = next;
    }
    x
}

#[test]
fn a_particle_stops_where_the_discrete_law_says() {
    for (method, share) in [("symplectic-euler", 1.0), ("rk4", 0.5), ("explicit-euler", 0.0)] {
        for h in [1e-2, 1e-3, 1e-4] {
            let block = particle("[0, 0, 0]", "[2, 0, 0]");
            let mut slide = exact(method, h, [0.4; 2], &format!("{block}{FLOOR}"));
            until(&mut slide, 1.0);
            let x = slide.state.positions[0];
            let discrete = discrete_distance(2.0, 0.4 * 9.81, h, share);
            assert!((x.x - discrete).abs() < 1e-12, "{method}, {h}: {x}, not {discrete}");
            let theory = 4.0 / (2.0 * 0.4 * 9.81);
            assert!(
                (x.x - theory).abs() < 0.01 * theory + 1.1 * h,
                "{method}, {h}: {x}, not {theory}"
            );
            assert!(x.z.abs() < 1e-15 && x.y == 0.0, "{method}: {x}");
            assert!(slide.state.velocities[0].norm() < 1e-15);
            if h < 1e-2 {
                trusted(&slide);
            }
        }
    }
}

#[test]
fn boxes_stop_within_one_percent_of_theory() {
    for kind in [SOFT, RIGID] {
        for method in ["symplectic-euler", "rk4"] {
            let block = lattice(kind, "[0, 0, 0]", "[2, 0, 0]");
            let mut slide = exact(method, 5e-4, [0.4; 2], &format!("{block}{FLOOR}"));
            let start = center(&slide);
            until(&mut slide, 1.0);
            let way = center(&slide) - start;
            let theory = 4.0 / (2.0 * 0.4 * 9.81);
            println!("{kind} {method}: {way}, {theory}, {:?}", slide.work.iterations);
            assert!((way.x - theory).abs() < 0.01 * theory, "{kind} {method}: {way}, {theory}");
            trusted(&slide);
        }
    }
}

#[test]
fn what_is_pressed_against_a_wall_does_not_creep() {
    let wall = "[[collider]]\nname = \"wall\"\nshape = { plane = { normal = [-1, 0, 0] } }\n";
    let push = |body: &str| format!("[[push]]\nbody = \"{body}\"\nforce = [20, 0, 0]\n");
    for (what, block) in [
        ("particle", format!("{}{}", particle("[0, 0, 0]", "[0, 0, 0]"), push("block"))),
        ("soft", format!("{}{}", lattice(SOFT, "[-0.2, 0, 0]", "[0, 0, 0]"), push("box"))),
        ("rigid", format!("{}{}", lattice(RIGID, "[-0.2, 0, 0]", "[0, 0, 0]"), push("box"))),
    ] {
        for method in ["symplectic-euler", "rk4"] {
            let mut press = exact(method, 5e-4, [1.0; 2], &format!("{block}{wall}"));
            let at_first = center(&press);
            until(&mut press, 1.5);
            let before = press.state.positions.clone();
            let sweeps = press.work.iterations;
            until(&mut press, 2.0);
            // the particles at the wall: mean speeds over the last half second
            let contacts = &press.state.memory.contacts;
            let creep = contacts.iter().fold(0.0f64, |most, contact| {
                let i = contact.particle();
                most.max((press.state.positions[i] - before[i]).norm() / 0.5)
            });
            let moved = center(&press) - at_first;
            println!(
                "{what} {method}: {creep:e} m/s, {:e}; {sweeps} {}",
                moved.norm(),
                press.work.iterations
            );
            assert!(!contacts.is_empty());
            assert!(creep < 1e-12, "{what} {method}: {creep:e} m/s");
            let held: f64 = contacts.iter().map(|contact| contact.friction.z).sum();
            assert!((held - 9.81).abs() < 1e-3, "{what} {method}: {held}");
            trusted(&press);
        }
    }
}

/// Particle on a slope that falls towards +x: its distance down the slope \[m\].
fn slope(method: &str, h: f64, mu: [f64; 2], gravity: [f64; 2], end: f64) -> (f64, Simulation) {
    let [sine, cosine] = gravity;
    let block = particle("[0, 0, 0]", "[0, 0, 0]");
    let world = format!("world.gravity = [{:e}, 0, {:e}]\n", sine, -cosine);
    let mut slide = exact(method, h, mu, &format!("{world}{block}{FLOOR}"));
    until(&mut slide, end);
    (slide.state.positions[0].x, slide)
}

#[test]
fn on_an_incline_what_holds_holds_and_what_slides_slides() {
    // 15 degrees, at rest: to rounding
    let a = radians(15.0);
    let (way, slide) = slope(SYMPLECTIC, 1e-3, [0.5; 2], [9.81 * sin(a), 9.81 * cos(a)], 2.0);
    assert!(way.abs() < 1e-16, "{way:e}");
    assert!(slide.state.memory.contacts[0].sticking);
    // tan = 1/2: the threshold
    let root = 5f64.sqrt();
    let g = [9.8 / root, 2.0 * 9.8 / root];
    for near in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (way, _) = slope(SYMPLECTIC, 1e-3, [0.5 + near; 2], g, 2.5);
        assert!(way.abs() < 1e-16, "{near:e}: {way:e}");
        let (way, _) = slope(SYMPLECTIC, 1e-3, [0.5 - near; 2], g, 2.5);
        let slides = 0.5 * g[1] * near * 2.5 * 2.5;
        assert!((way / slides - 1.0).abs() < 2e-3, "{near:e}: {way:e}, not {slides:e}");
    }
    // below it: 0.27392 m in 2.5 s, and h t a/2 of the method
    for h in [1e-2, 1e-3] {
        let (way, _) = slope(SYMPLECTIC, h, [0.49; 2], g, 2.5);
        let theory = 0.5 * g[1] * 0.01 * 6.25;
        assert!((theory - 0.27392).abs() < 5e-6);
        assert!((way - theory * (1.0 + h / 2.5)).abs() < 1e-10, "{way}, not {theory}");
        let (way, _) = slope("rk4", h, [0.49; 2], g, 2.5);
        assert!((way - theory).abs() < 1e-10, "{way}, not {theory}");
    }
}

/// A contact that holds has μ_s, one that slides μ_k, decided by the step before.
#[test]
fn static_friction_holds_and_kinetic_brakes() {
    let root = 5f64.sqrt();
    let g = [9.8 / root, 2.0 * 9.8 / root];
    let (way, _) = slope(SYMPLECTIC, 1e-3, [0.51, 0.4], g, 1.0);
    assert!(way.abs() < 1e-16, "{way:e}");
    // one step with the static coefficient, all others with the kinetic one
    let (way, _) = slope(SYMPLECTIC, 1e-3, [0.49, 0.4], g, 1.0);
    let (first, later) = (g[1] * 0.01, g[1] * 0.1);
    let discrete: f64 = (1..=1000).map(|n| 1e-6 * (first + later * f64::from(n - 1))).sum();
    assert!((way - discrete).abs() < 1e-12, "{way}, not {discrete}");
    // thrown uphill with μ_k it stops, and then is held by μ_s
    let thrown = format!(
        "world.gravity = [{:e}, 0, {:e}]\n{}{FLOOR}",
        g[0],
        -g[1],
        particle("[0, 0, 0]", "[-1, 0, 0]")
    );
    let mut slide = exact(SYMPLECTIC, 1e-4, [0.51, 0.3], &thrown);
    until(&mut slide, 1.0);
    let theory = -1.0 / (2.0 * (g[0] + 0.3 * g[1]));
    let way = slide.state.positions[0].x;
    assert!((way - theory).abs() < 1e-4, "{way}, not {theory}");
    assert_eq!(slide.state.memory.contacts.len(), 1);
    trusted(&slide);
}

/// The laws of penalty contact tend to this one: a held block creeps at ε F/(μ N), and one that
/// sticks and slips on a shaken table ends elsewhere by as much.
#[test]
fn it_is_the_limit_of_the_threshold_law() {
    let incline = |keys: &str| {
        let (sine, cosine) = (sin(radians(15.0)), cos(radians(15.0)));
        let world = format!("world.gravity = [{:e}, 0, {:e}]\n", 9.81 * sine, -9.81 * cosine);
        let at = if keys.contains("exact") { 0.0 } else { -9.81 * cosine / 1e5 };
        let block = particle(&format!("[0, 0, {at:e}]"), "[0, 0, 0]");
        let h = if keys.contains("exact") { 5e-6 } else { 2e-5 };
        let mut slide = contact(keys, "rk4", h, [0.5; 2], &format!("{world}{block}{FLOOR}"));
        until(&mut slide, 1.0);
        slide.state.positions[0].x
    };
    let shaken = |keys: &str| {
        let table = "[[collider]]\nname = \"table\"\nshape = { plane = {} }\nmotion.oscillate = { direction = [1, 0, 0], amplitude = 0.1, frequency = 1.3 }\n";
        let at = if keys.contains("exact") { 0.0 } else { -9.81 / 1e5 };
        let block = particle(&format!("[0, 0, {at:e}]"), "[0, 0, 0]");
        let push = "[[push]]\nbody = \"block\"\nforce = [0.3, 0, 0]\n";
        let h = if keys.contains("exact") { 5e-6 } else { 2e-5 };
        let mut slide = contact(keys, "rk4", h, [0.5; 2], &format!("{block}{table}{push}"));
        until(&mut slide, 1.0);
        slide.state.positions[0].x
    };
    for (what, run) in [("held", &incline as &dyn Fn(&str) -> f64), ("shaken", &shaken)] {
        let limit = run("method = \"exact\"");
        let error = |epsilon: f64| {
            let laws = format!(
                "normal = {{ law = \"linear\", stiffness = 1e5, damping = 200 }}, friction = {{ law = \"threshold\", epsilon = {epsilon:e} }}"
            );
            run(&laws) - limit
        };
        let errors: Vec<f64> = [4e-3, 2e-3, 1e-3].map(error).to_vec();
        println!("{what}: {limit}, {errors:?}");
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((ratio - 2.0).abs() < 0.25, "{what}: {errors:?}");
        }
    }
}

#[test]
fn bounces_return_the_coefficient_of_restitution() {
    for e in [0.3, 0.5, 0.9, 1.0] {
        for method in ["symplectic-euler", "rk4"] {
            let h = 1e-4;
            let mut ball = simulation(&format!(
                "format = 1
                time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
                integrator.method = \"{method}\"
                world.gravity = [0, 0, 0]
                materials.rubber = {{ static_friction = 0.5, restitution = {e:e} }}
                contact.method = \"exact\"
                {}{FLOOR}",
                particle("[0, 0, 0.50003]", "[0, 0, -3]")
            ));
            until(&mut ball, 0.5);
            let v = ball.state.velocities[0].z;
            assert!((v - 3.0 * e).abs() < 1e-12, "{method}, {e}: {v}");
        }
    }
    // dropped: the apex after the first bounce, e² of the height
    for method in ["symplectic-euler", "rk4"] {
        let h = 1e-5;
        let mut ball = simulation(&format!(
            "format = 1
            time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
            integrator.method = \"{method}\"
            world.gravity = [0, 0, -9.81]
            materials.rubber = {{ static_friction = 0.5, restitution = 0.7 }}
            contact.method = \"exact\"
            {}{FLOOR}",
            particle("[0, 0, 1]", "[0, 0, 0]")
        ));
        let (mut apex, mut landed) = (0.0f64, false);
        for _ in 0..110_000 {
            ball.advance().expect("a step");
            landed |= ball.state.velocities[0].z > 0.0;
            if landed {
                apex = apex.max(ball.state.positions[0].z);
            }
        }
        let e = apex.sqrt();
        println!("{method}: e = {e}");
        assert!((e - 0.7).abs() < 0.0007, "{method}: {e}");
        trusted(&ball);
    }
}

/// A floor that rises at w throws a ball at rest up at (1 + e) w.
#[test]
fn a_rising_floor_throws_with_the_coefficient_of_restitution() {
    for (method, e) in [("exact", 0.5), ("exact", 0.8), ("impulse", 0.5)] {
        let h = 1e-4;
        let mut ball = simulation(&format!(
            "format = 1
            time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
            integrator.method = \"symplectic-euler\"
            world.gravity = [0, 0, 0]
            materials.rubber = {{ static_friction = 0.5, restitution = {e:e} }}
            contact.method = \"{method}\"
            {}
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            motion = {{ velocity = [0, 0, 1.25] }}
            ",
            particle("[0, 0, 0.05003]", "[0, 0, 0]")
        ));
        until(&mut ball, 0.2);
        let v = ball.state.velocities[0].z;
        assert!((v - (1.0 + e) * 1.25).abs() < 1e-12, "{method}, {e}: {v}");
    }
}

/// Whether a box 0.6 m wide tips when pushed at a height, with 1.002 times the smaller of the
/// forces that tip it or move it.
fn tips(kind: &str, mu: f64, height: f64) -> bool {
    let h = 1e-3;
    let weight = 9.81;
    let least = (mu * weight).min(weight * 0.6 / (2.0 * height));
    let force = 1.002 * least;
    let mut pushed = exact(
        SYMPLECTIC,
        h,
        [mu; 2],
        &format!(
            "world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
        [[body]]
        name = \"box\"
        mass = 1.0
        shape = {{ lattice = {{ counts = [7, 1, 17], spacing = 0.1 }} }}
        {kind}
        {FLOOR}
        [[push]]
        body = \"box\"
        where.nearest = [-0.3, 0, {height}]
        force = [{force:e}, 0, 0]
        ramp = 0.5
        "
        ),
    );
    let start = pushed.state.positions.clone();
    for _ in 0..(6.0 / h) as usize {
        pushed.advance().unwrap_or_else(|e| panic!("{}", e.describe(&pushed.model)));
        let x = &pushed.state.positions;
        // the lower corner on the side of the push
        if x[0].z > 0.05 {
            trusted(&pushed);
            return true;
        }
        if x[0].x - start[0].x > 0.05 {
            trusted(&pushed);
            return false;
        }
    }
    panic!("neither, at mu = {mu}, height = {height}: {}", pushed.state.positions[0] - start[0]);
}

#[test]
fn a_rigid_box_tips_where_statics_says() {
    for height in [0.6, 1.0] {
        let threshold = 0.6 / (2.0 * height);
        for share in [0.99, 0.995, 1.005, 1.01] {
            let tipped = tips(RIGID, share * threshold, height);
            println!("{height} {share}: {tipped}");
            assert_eq!(tipped, share > 1.0, "{share} of the threshold at {height} m");
        }
    }
}

//! Lines, planes, spheres and circles with closed forms, and what is refused.

use super::*;

/// A straight line is the incline of the sliding block, with Coulomb's law itself.
#[test]
fn a_straight_line_is_an_incline() {
    let a = radians(20.0);
    let slope = |mu: f64, coupling: &str, speed: f64| {
        let phi = format!("\"z - {:?}*x\"", tan(a));
        let velocity = [speed * cos(a), 0.0, speed * sin(a)];
        let method = if coupling == "reduced" { "rk4" } else { "symplectic-euler" };
        let friction = format!("{{ kinetic = {mu}, coupling = \"{coupling}\" }}");
        Bead {
            phi,
            velocity,
            method,
            friction,
            end: 1.0,
            ..Bead::on_sine(0.0, 0.0, coupling, 1e-3)
        }
    };
    for coupling in ["velocity-linear", "multiplier-linear", "lagged", "reduced"] {
        let first_order = match coupling {
            "reduced" => 1e-9,
            // the coupling linear in the velocity starts late too: by about h μg ln(t/h)
            "velocity-linear" => 15.0,
            _ => 1.0,
        };
        // from rest it slides down
        let pull = G * (sin(a) - 0.2 * cos(a));
        let down = slope(0.2, coupling, 0.0).run();
        near(coupling, -down.end.x / cos(a), 0.5 * pull, first_order * 0.51e-3 * pull);
        near("the sliding block", 0.5 * pull, 0.75577034, 1e-8);
        // thrown up it stops and stays, since tan 20° < .6
        let brake = G * (sin(a) + 0.6 * cos(a));
        let up = slope(0.6, coupling, 3.0).run();
        near(coupling, up.end.x / cos(a), 9.0 / (2.0 * brake), first_order.min(1.0) * 4e-3);
        let late = if coupling == "velocity-linear" { 0.02 } else { 1e-3 };
        near(coupling, up.stop().1, 3.0 / brake, late);
        near(coupling, up.speed, 0.0, 1e-13);
        for ride in [down, up] {
            assert_eq!(ride.reasons, [""; 0], "{coupling}");
        }
    }
}

/// On an incline of tan a = μ a particle thrown across keeps |v| + v_down, and ends at half its
/// initial speed, straight down.
#[test]
fn friction_in_a_tangent_plane_turns_what_slides() {
    let (a, speed) = (radians(30.0), 2.0);
    for coupling in ["velocity-linear", "multiplier-linear", "lagged", "reduced"] {
        let method = if coupling == "reduced" { "rk4" } else { "symplectic-euler" };
        let bead = Bead {
            phi: format!("\"z - {:?}*x\"", tan(a)),
            friction: format!("{{ kinetic = {:?}, coupling = \"{coupling}\" }}", tan(a)),
            velocity: [0.0, speed, 0.0],
            planar: false,
            method,
            end: 3.0,
            ..Bead::on_sine(0.0, 0.0, coupling, 1e-3)
        };
        let mut simulation = bead.simulation();
        let tolerance = if coupling == "reduced" { 1e-10 } else { 5e-3 };
        for _ in 0..3000 {
            simulation.advance().expect("the step is taken");
            let v = simulation.state.velocities[0];
            let down = -(v.x * cos(a) + v.z * sin(a));
            near(coupling, v.norm() + down, speed, tolerance);
        }
        near(coupling, simulation.state.velocities[0].norm(), 0.5 * speed, 5e-3);
        assert_eq!(simulation.verdict().marks(), "no fault found");
    }
}

/// A pendulum on a sphere, without friction: energy and the momentum about the vertical.
#[test]
fn a_ball_on_a_sphere_keeps_its_energy() {
    let ball = |method: &'static str, more: &str| Bead {
        phi: "\"x^2 + y^2 + z^2 - 1\"".into(),
        friction: "{}".into(),
        position: [0.6, 0.0, -0.8],
        velocity: [0.0, 2.5, 0.0],
        planar: false,
        method,
        end: 5.0,
        more: more.into(),
        ..Bead::on_sine(0.0, 0.0, "reduced", 1e-3)
    };
    for (method, more, tolerance) in [
        ("rk4", "", 1e-9),
        ("dopri5", "projection = true", 1e-6),
        ("symplectic-euler", "", 0.02),
        ("symplectic-euler", "projection = true", 0.02),
    ] {
        let bead = ball(method, more);
        let mut simulation = bead.simulation();
        for _ in 0..5000 {
            simulation.advance().expect("the step is taken");
        }
        let (x, v) = (simulation.state.positions[0], simulation.state.velocities[0]);
        let name = format!("{method} {more}");
        near(&name, 0.5 * v.norm_squared() + G * x.z, 0.5 * 6.25 - 0.8 * G, tolerance);
        near(&name, x.x * v.y - x.y * v.x, 0.6 * 2.5, tolerance);
        near(&name, x.norm(), 1.0, if more.is_empty() && method != "rk4" { 5e-5 } else { 1e-12 });
        assert_eq!(simulation.verdict().marks(), "no fault found", "{name}");
    }
}

/// Two formulas: the circle in which a tilted plane cuts a sphere is a pendulum under less gravity;
/// so is the sphere for a particle that a pin holds in a plane.
#[test]
fn a_curve_in_space_is_a_pendulum_in_its_plane() {
    let a = radians(40.0);
    for method in ["rk4", "symplectic-euler"] {
        let pendulum = Bead {
            phi: "\"x^2 + z^2 - 1\"".into(),
            friction: "{ kinetic = 0.15 }".into(),
            position: [0.6, 0.0, -0.8],
            method,
            end: 2.0,
            ..Bead::on_sine(0.0, 0.0, "reduced", 1e-3)
        };
        let weaker = |text: String| text.replace("-9.81", &format!("{:?}", -G * cos(a)));
        let flat = end_of(&weaker(pendulum.text()));
        let pinned = Bead { planar: false, ..pendulum.clone() };
        let pin = "\n[[pin]]\nbody = \"bead\"\naxes = \"y\"";
        let held = end_of(&weaker(pinned.text().replace("x^2 + z^2", "x^2 + y^2 + z^2") + pin));
        assert!((held - flat).norm() < 1e-12, "{method}: {held} {flat}");
        let tilted = Bead {
            phi: format!("[\"x^2 + y^2 + z^2 - 1\", \"y*{:?} + z*{:?}\"]", cos(a), sin(a)),
            position: [0.6, 0.8 * sin(a), -0.8 * cos(a)],
            planar: false,
            friction: "{}".into(),
            ..pendulum.clone()
        };
        // without friction, since gravity also presses the particle across its plane
        let flat = end_of(&weaker(Bead { friction: "{}".into(), ..pendulum }.text()));
        let end = end_of(&tilted.text());
        let unfolded = Vector::new(end.x, 0.0, end.z * cos(a) - end.y * sin(a));
        let tolerance = if method == "rk4" { 1e-10 } else { 1e-9 };
        assert!((unfolded - flat).norm() < tolerance, "{method}: {unfolded} {flat}");
    }
}

/// Position of the particle at the end of a scene \[m\].
fn end_of(text: &str) -> Vector {
    let folder = std::path::Path::new(".");
    let loaded = match load_text("bead.toml", text, folder, &LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(errors) => panic!("{}\n{text}", errors.render(false)),
    };
    let mut run = Run::new(&loaded.scene, &BuildOptions::default()).expect("it can be built");
    for _ in 0..loaded.scene.time.steps {
        run.simulation_mut().advance().expect("the step is taken");
    }
    run.simulation().state.positions[0]
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let sine = Bead::on_sine(0.1, 0.1, "lagged", 1e-3);
    let says = |bead: &Bead, words: &str| {
        let said = bead.refusal();
        assert!(said.contains(words), "{said}\nsays not: {words}");
    };
    says(&Bead { method: "rk4", ..sine.clone() }, "after a step of symplectic-euler");
    let reduced = Bead::on_sine(0.1, 0.1, "reduced", 1e-3);
    says(&Bead { method: "implicit-euler", ..reduced.clone() }, "is implicit");
    says(&Bead { method: "adams-bashforth-2", ..reduced }, "rates of the step before");
    says(&Bead { position: [0.0, 0.0, 0.5], ..sine.clone() }, "m off the curve");
    let two = "[\"sin(x) + z\", \"y\"]";
    says(&Bead { phi: two.into(), ..sine.clone() }, "nothing is left");
    says(&Bead { phi: "\"sin(w) + z\"".into(), ..sine.clone() }, "unknown name `w`");
    says(&Bead { phi: "[]".into(), ..sine.clone() }, "or a list of two");
    says(&Bead { phi: "\"(sin(x) + z)^2\"".into(), ..sine.clone() }, "its gradient vanishes");
    let slippery = "{ kinetic = 0.2, static = 0.1 }";
    says(&Bead { friction: slippery.into(), ..sine.clone() }, "must be at least `kinetic` (0.2)");
    let again = "\n[[curve]]\nbody = \"bead\"\nphi = \"z\"";
    says(&Bead { more: again.into(), ..sine.clone() }, "is on two curves");
    let rigid = sine.text().replace("mass = 1.0", "mass = 1.0\nrigid = true");
    let said = refusal_of(&rigid);
    assert!(said.contains("is rigid"), "{said}");
}

#[test]
fn a_run_is_plotted_over_time_with_friction_against_the_constraint_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/bead_on_sine.toml");
    let run = |plot: &str| {
        let mut command = assert_cmd::Command::cargo_bin("stiction").expect("the program");
        command.arg("run").arg(&scene).arg("--plot").arg(folder.path().join(plot)).assert()
    };
    run("bead.svg").success();
    run("bead.png").success();
    let text = std::fs::read_to_string(folder.path().join("bead.svg")).expect("the plot");
    for part in ["time [s]", "off in position", "friction of bead", "constraint force [N]"] {
        assert!(text.contains(part), "{part}");
    }
    run("bead.pdf").code(if stiction_lab::output::plots::figure::WRITES_PDF { 0 } else { 2 });
    let refused = run("bead.gif").code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains(".svg, .png or .pdf"), "{said}");
}

/// A particle whose x is moved up a slope z = x/2 is lifted at half that speed: the motion does the
/// work m g t V/2 against weight, plus all that friction takes.
#[test]
fn an_axis_that_is_moved_does_the_work_of_lifting() {
    for (friction, mu) in [("{}", 0.0), ("{ kinetic = 0.3, static = 0.3 }", 0.3)] {
        let bead = Bead {
            phi: "\"z - 0.5*x\"".into(),
            friction: friction.into(),
            more: "[[pin]]\nbody = \"bead\"\naxes = \"x\"\nmotion = { velocity = [2, 0, 0] }"
                .into(),
            velocity: [2.0, 0.0, 1.0],
            planar: false,
            end: 0.5,
            ..Bead::on_sine(0.0, 0.0, "multiplier-linear", 1e-3)
        };
        let mut simulation = bead.simulation();
        let kinetic = simulation.watches.audit.energies.kinetic;
        for _ in 0..500 {
            simulation.advance().expect("a step");
        }
        let x = simulation.state.positions[0];
        assert!((x - Vector::new(1.0, 0.0, 0.5)).norm() < 1e-9, "{x}");
        // vertically m g = N (2 − μ)/√5; distance travelled √5 V t/2, with V t = 1 m
        let normal = G / (2.0 / 5f64.sqrt() - mu / 5f64.sqrt());
        let rubbed = mu * normal * 5f64.sqrt() / 2.0;
        let lifted = G * 0.5;
        let flows = simulation.watches.audit.flows;
        assert!((flows.friction_slip - rubbed).abs() < 1e-6, "{flows:?}, not {rubbed}");
        assert!((flows.work - lifted - rubbed).abs() < 1e-6, "{flows:?}, not {}", lifted + rubbed);
        assert!((simulation.watches.audit.energies.kinetic - kinetic).abs() < 1e-9);
        assert!(
            simulation.watches.audit.residual().abs() < 1e-6,
            "{}",
            simulation.watches.audit.residual()
        );
    }
}

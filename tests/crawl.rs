//! Creep under a load that friction holds: what the law itself does, what the method adds to it,
//! and whether the program says so.

#[path = "support/block.rs"]
mod block;
mod support;

use block::{Block, Slide};
use stiction::contact::friction::{Coefficients, FRICTION_LAWS, FrictionLaw};
use stiction::diagnosis::friction_limit::AboveLimit;
use stiction::diagnosis::trust::Reason;
use stiction::math::{cos, exp, log, pow, radians, sqrt, tan, tanh};
use stiction::registry::{Entry, Fallback, Value, Values};

const METHODS: [&str; 5] =
    ["\"explicit-euler\"", "\"symplectic-euler\"", "\"rk4\"", "\"dopri5\"", "\"implicit-euler\""];

/// λ of the block of 1 kg under the threshold law.
fn friction_rate(angle: f64, mu: f64, epsilon: f64) -> f64 {
    mu * 9.81 * cos(radians(angle)) / epsilon
}

/// Mean velocity uphill over the next `span` seconds, from positions.
fn mean_speed(slide: &mut Slide, span: f64) -> f64 {
    let (time, travel) = (slide.time(), slide.travel());
    slide.until(time + span);
    (slide.travel() - travel) / (slide.time() - time)
}

#[test]
fn the_threshold_law_creeps_at_epsilon_tan_a_by_mu() {
    let (angle, mu) = (20.0, 0.6);
    for epsilon in [1e-1, 1e-2, 1e-3] {
        let rate = friction_rate(angle, mu, epsilon);
        let crawl = -epsilon * tan(radians(angle)) / mu;
        for method in METHODS {
            // half of the Eulers' limit 2/λ, or what the contact spring wants
            let h = (1.0 / rate).min(1e-4);
            let method = match method {
                "\"dopri5\"" => "\"dopri5\", rtol = 1e-9, atol = 1e-12",
                other => other,
            };
            let mut slide = Block::threshold(angle, [mu, mu], epsilon).under(method, h);
            slide.until(20.0 / rate);
            let error = slide.speed() / crawl - 1.0;
            println!("{method}, ε {epsilon}: {error:.2e}");
            assert!(error.abs() < 1e-6, "{method}, ε {epsilon}: {error}");
        }
    }
}

/// The inline table of a law from its row: its defaults, and a near-critical stiffness where one is
/// required.
fn inline(row: &Entry<dyn FrictionLaw>, epsilon: f64) -> (String, Values) {
    let mut text = format!("{{ law = \"{}\"", row.name);
    let mut values = Values::defaults(row.keys);
    for key in row.keys {
        let value = match (key.name, key.default) {
            ("epsilon", _) => epsilon,
            ("stiffness", _) => 1e4,
            // half of what is critical at rest: near the cone a bristle is softer
            ("damping", _) => 60.0,
            (_, Fallback::Required) => panic!("{} needs {}: say here how much", row.name, key.name),
            _ => continue,
        };
        text += &format!(", {} = {value:e}", key.name);
        values = values.set(key.name, Value::Number(value));
    }
    (text + " }", values)
}

/// The u in 0 ≤ u ≤ `top` with f(u) = target, of a rising f.
fn root(f: impl Fn(f64) -> f64, target: f64, top: f64) -> f64 {
    let (mut low, mut high) = (0.0, top);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) < target { low = middle } else { high = middle }
    }
    high
}

/// Creep speed by the table of laws, not by the law's own word; N = 9.81 N.
fn tabled(name: &str, ratio: f64, pair: &Coefficients, epsilon: f64) -> Option<f64> {
    let (s, k) = (pair.static_friction, pair.kinetic_friction);
    // the smooth laws without a peak bear μ_k N
    let share = ratio * s / k;
    let borne = |u: f64| (share < 1.0).then_some(epsilon * u);
    match name {
        "none" | "kinetic" => None,
        "threshold" => Some(epsilon * ratio),
        // the default: the threshold law's ramp, with μ falling from μ_s over .1 m/s
        "formula" => {
            let mu = |v: f64| k + (s - k) * exp(-100.0 * v * v);
            let ramp = |u: f64| u * mu(epsilon * u);
            Some(epsilon * root(ramp, ratio * s, 1.0))
        }
        "quadratic" => Some(epsilon * (1.0 - sqrt(1.0 - ratio))),
        "cubic" => Some(epsilon * (1.0 - pow(1.0 - ratio, 1.0 / 3.0))),
        "quintic" => {
            let step = |u: f64| pow(u, 3.0) * 10.0 - 15.0 * pow(u, 4.0) + 6.0 * pow(u, 5.0);
            Some(epsilon * root(step, ratio, 1.0))
        }
        "hyperbolic" => borne(share / sqrt(1.0 - share * share)),
        "tanh" => borne(0.5 * log((1.0 + share) / (1.0 - share))),
        "stribeck" => {
            let curve = |u: f64| tanh(u) * (k + (s - k) * exp(-(u / 10.0) * (u / 10.0)));
            let top = if s > k { 2.0 } else { 10.0 };
            Some(epsilon * root(curve, ratio * s, top))
        }
        "viscous-cap" => Some(ratio * s * 9.81 / 60.0),
        "cundall-strack" | "lugre" => Some(0.0),
        "dahl" => (share < 1.0).then_some(0.0),
        other => panic!("{other} creeps by a formula this test does not know"),
    }
}

#[test]
fn every_law_creeps_as_it_says() {
    let epsilon = 1e-2;
    let mut met = 0;
    for row in FRICTION_LAWS {
        let (law, values) = inline(row, epsilon);
        let made = (row.make)(&values).expect("a law");
        for (mu, ratio) in
            [[0.5, 0.5], [0.6, 0.3]].into_iter().flat_map(|mu| [0.1, 0.5, 0.9].map(|r| (mu, r)))
        {
            let pair = Coefficients { static_friction: mu[0], kinetic_friction: mu[1] };
            let crawl = made.crawl(ratio, 9.81, &pair);
            let table = tabled(row.name, ratio, &pair, epsilon);
            assert_eq!(crawl.is_some(), table.is_some(), "{} at {ratio}", row.name);
            let (Some(crawl), Some(table)) = (crawl, table) else { continue };
            met += 1;
            assert!((crawl - table).abs() < 1e-14, "{} at {ratio}: {crawl} {table}", row.name);
            // beyond the kinetic cone a spring that is loaded at once may swing past its peak and
            // break away, as it should
            if made.has_memory() && ratio * mu[0] >= mu[1] && mu[0] > mu[1] {
                continue;
            }
            for method in METHODS {
                let push = ratio * mu[0] * 9.81;
                let block = Block { law: law.clone(), push, ..Block::threshold(0.0, mu, epsilon) };
                let mut slide = block.under(method, 1e-4);
                slide.until(1.0);
                let (speed, drift) = (slide.speed(), mean_speed(&mut slide, 0.5));
                let (at, off) = (format!("{} {method} {mu:?} {ratio}", row.name), 1e-6 * epsilon);
                assert!((speed - table).abs() < off, "{at}: {speed} {table}");
                assert!((drift - table).abs() < off, "{at}: {drift} {table}");
            }
        }
    }
    // twelve laws that hold at three ratios; with two coefficients the laws without a peak slide at
    // two of them
    assert_eq!(met, 12 * 3 + 12 * 3 - 3 * 2);
}

/// A small load shows the slope at rest: v = ε ρ/slope.
#[test]
fn the_slope_at_rest_is_that_of_the_table() {
    let (mu, epsilon, ratio) = (0.5, 1e-2, 1e-5);
    for (name, slope) in [
        ("threshold", 1.0),
        ("quadratic", 2.0),
        ("cubic", 3.0),
        ("hyperbolic", 1.0),
        ("tanh", 1.0),
        ("stribeck", 1.0),
        // 60 N·s/m as a share of μN/ε
        ("viscous-cap", 60.0 * 1e-2 / (0.5 * 9.81)),
    ] {
        let row = FRICTION_LAWS.iter().find(|row| row.name == name).expect("a law");
        let (law, _) = inline(row, epsilon);
        for method in METHODS {
            let push = ratio * mu * 9.81;
            let method = match method {
                "\"dopri5\"" => "\"dopri5\", rtol = 1e-9, atol = 1e-14",
                other => other,
            };
            let block = Block { law: law.clone(), push, ..Block::threshold(0.0, [mu; 2], epsilon) };
            let mut slide = block.under(method, 1e-4);
            slide.until(0.5);
            let measured = epsilon * ratio / slide.speed();
            assert!((measured / slope - 1.0).abs() < 1e-4, "{name} {method}: {measured} {slope}");
        }
    }
}

/// A bristle that has come to rest bears the load and does not move.
#[test]
fn bristles_hold_without_creep() {
    for law in ["dahl", "lugre"] {
        for method in METHODS {
            let law = format!("{{ law = \"{law}\", stiffness = 1e4, damping = 60 }}");
            let block = Block { law, ..Block::threshold(20.0, [0.6; 2], 1e-3) };
            let mut slide = block.under(method, 1e-4);
            slide.until(2.0);
            let settled = slide.travel();
            slide.until(12.0);
            let drift = (slide.travel() - settled).abs();
            println!("{} {method}: drift {drift:.2e} m in 10 s", block.law);
            assert!(drift < 1e-9, "{} {method}: {drift}", block.law);
            let contact = slide.simulation.state.memory.contacts[0];
            let stretch = 9.81 * stiction::math::sin(radians(20.0)) / 1e4;
            assert!((contact.stretch.norm() - stretch).abs() < 1e-10, "{contact:?}");
            assert!(contact.sticking);
            assert!(slide.simulation.verdict().trusted(), "{:?}", slide.simulation.verdict());
        }
    }
}

/// The tangential load under a law with elastic stretch rests at T/k and does not move.
#[test]
fn cundall_strack_holds_without_creep() {
    let (angle, mu, stiffness) = (20.0, 0.6, 1e4);
    for method in METHODS {
        let law =
            format!("{{ law = \"cundall-strack\", stiffness = {stiffness:e}, damping = 150 }}");
        let block = Block { law, ..Block::threshold(angle, [mu; 2], 1e-3) };
        let mut slide = block.under(method, 1e-4);
        slide.until(1.0);
        let at_one = slide.travel();
        slide.until(20.0);
        let drift = (slide.travel() - at_one).abs();
        let offset = -9.81 * stiction::math::sin(radians(angle)) / stiffness;
        println!("{method}: drift {drift:.2e}, offset error {:.2e}", slide.travel() - offset);
        assert!(drift < 1e-12, "{method}: {drift}");
        assert!((slide.travel() - offset).abs() < 1e-12, "{method}: {}", slide.travel());
        assert!(slide.simulation.verdict().trusted(), "{:?}", slide.simulation.verdict());
    }
}

/// Without damping the load swings about T/k between 0 and 2 T/k for ever, and drifts nowhere.
#[test]
fn cundall_strack_without_damping_swings_about_its_offset() {
    let law = "{ law = \"cundall-strack\", stiffness = 1e4 }".to_string();
    let block = Block { law, push: 2.0, ..Block::threshold(0.0, [0.5; 2], 1e-3) };
    let mut slide = block.under("\"rk4\"", 1e-5);
    let (mut sum, mut most, mut crossings) = (0.0, 0.0f64, Vec::new());
    let period = 2.0 * stiction::math::PI / 100.0;
    let steps = (10.0 * period / 1e-5).round() as u64;
    for _ in 0..steps {
        let before = slide.travel() - 2e-4;
        slide.advance();
        let after = slide.travel() - 2e-4;
        sum += slide.travel();
        most = most.max(slide.travel());
        if before < 0.0 && after >= 0.0 {
            crossings.push(slide.time() - 1e-5 * after / (after - before));
        }
    }
    let mean = sum / steps as f64;
    let measured = (crossings[9] - crossings[0]) / 9.0;
    println!("mean {mean:.4e}, max {most:.4e}, period {measured:.6}");
    assert!((mean - 2e-4).abs() < 1e-8, "{mean}");
    assert!((most - 4e-4).abs() < 1e-9, "{most}");
    assert!((measured - 0.062832).abs() < 1e-6, "{measured}");
    // after whole periods it is back at the start
    assert!(slide.travel().abs() < 1e-8, "{}", slide.travel());
}

/// With μ_s > μ_k a slip just below ε is caught, just above it runs away.
#[test]
fn the_jump_of_mu_makes_two_fates() {
    let epsilon = 1e-2;
    for method in METHODS {
        let start = |share: f64| {
            let block =
                Block { speed: -share * epsilon, ..Block::threshold(20.0, [0.6, 0.3], epsilon) };
            let mut slide = block.under(method, 1e-4);
            slide.until(1.0);
            -slide.speed()
        };
        let (caught, free) = (start(0.99), start(1.01));
        println!("{method}: {caught:.6e} {free:.6}");
        assert!((caught - 6.0662e-3).abs() < 1e-7, "{method}: {caught}");
        assert!((free - 0.599802).abs() < 1e-5, "{method}: {free}");
    }
}

/// The block of the silent instabilities; its soft contact spring is stable at any step used here.
fn gentle() -> (Block, f64) {
    let block = Block { normal: [1e3, 40.0], ..Block::threshold(15.0, [0.5; 2], 1e-3) };
    (block, 2.0 / friction_rate(15.0, 0.5, 1e-3))
}

fn violation(slide: &Slide) -> AboveLimit {
    let verdict = slide.simulation.verdict();
    assert!(!verdict.trusted());
    assert_eq!(verdict.reasons[0].name(), "step-above-friction-limit");
    let Reason::StepAboveFrictionLimit(above) = verdict.reasons[0] else { panic!("{verdict:?}") };
    above
}

/// The exact creep of [`gentle`], in units of ε.
const LAWFUL: f64 = 0.535898;

#[test]
fn explicit_euler_above_its_limit_walks_and_is_flagged() {
    let (block, limit) = gentle();
    let mut slide = block.under("\"explicit-euler\"", 20.0 * limit);
    slide.until(2.0);
    let drift = mean_speed(&mut slide, 20.0) / -1e-3;
    println!("explicit-euler at 20 times its limit drifts at {drift:.3} ε");
    assert!((drift - 20.7).abs() < 0.5, "{drift}");
    let above = violation(&slide);
    assert_eq!(above.particle, 0);
    assert_eq!(above.limit, 2.0);
    assert!((above.hlambda / 40.0 - 1.0).abs() < 1e-6, "{above:?}");
    assert!((above.largest_step / limit - 1.0).abs() < 1e-6, "{above:?}");
}

#[test]
fn rk4_above_its_limit_creeps_smoothly_at_a_wrong_speed_and_is_flagged() {
    let (block, limit) = gentle();
    let mut slide = block.under("\"rk4\"", 1.5 * limit);
    slide.until(2.0);
    let reported = slide.speed() / -1e-3;
    let drift = mean_speed(&mut slide, 1.0) / -1e-3;
    println!("rk4 at 1.5 times the Eulers' limit reports {reported:.4} ε, drifts at {drift:.4} ε");
    assert!((reported - 1.0).abs() < 5e-4, "{reported}");
    assert!((drift - 0.652).abs() < 1e-3, "{drift}");
    let above = violation(&slide);
    assert_eq!(above.particle, 0);
    assert!((above.hlambda - 3.0).abs() < 1e-6, "{above:?}");
    assert!((above.limit - 2.785294).abs() < 1e-6, "{above:?}");
}

#[test]
fn below_the_limit_a_run_is_trusted() {
    let (block, limit) = gentle();
    for (method, share) in
        [("\"explicit-euler\"", 0.95), ("\"symplectic-euler\"", 0.95), ("\"rk4\"", 1.3)]
    {
        let mut slide = block.under(method, share * limit);
        slide.until(2.0);
        let drift = mean_speed(&mut slide, 1.0) / -1e-3;
        assert!((drift - LAWFUL).abs() < 1e-5, "{method}: {drift}");
        assert!(slide.simulation.verdict().trusted(), "{method}: {:?}", slide.simulation.verdict());
        // a little further and it is not
        let mut slide = block.under(method, share * limit * 1.1);
        slide.until(2.0);
        assert!(!slide.simulation.verdict().trusted(), "{method}");
    }
}

#[test]
fn implicit_and_adaptive_methods_creep_lawfully_at_any_step() {
    let (block, limit) = gentle();
    for method in ["\"implicit-euler\"", "\"dopri5\""] {
        for share in [0.5, 1.5, 20.0, 200.0] {
            let mut slide = block.under(method, share * limit);
            slide.until(2.0);
            let drift = mean_speed(&mut slide, 1.0) / -1e-3;
            println!("{method} at {share}: {:.2e}", drift / LAWFUL - 1.0);
            assert!((drift / LAWFUL - 1.0).abs() < 1e-3, "{method} at {share}: {drift}");
            assert!(slide.simulation.verdict().trusted(), "{method} at {share}");
        }
    }
}

/// The sign law cannot hold: whatever the step, it is named, and not only by its energy.
#[test]
fn kinetic_friction_that_should_hold_is_called_chatter() {
    for method in ["explicit-euler", "symplectic-euler", "rk4", "dopri5"] {
        let mut run = support::simulation(&format!(
            r#"
format = 1
[world]
gravity = [0, 0, -9.81]
[time]
end = 0.01
step = 1e-5
output = 0.01
[integrator]
method = "{method}"
[materials.wood]
static_friction = 0.6
[contact]
normal = {{ law = "linear", stiffness = 1e5, damping = 200 }}
friction = {{ law = "kinetic" }}
[[body]]
name = "block"
mass = 1.0
shape = {{ particle = {{}} }}
position = [0, 0, -9.81e-5]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
[[push]]
body = "block"
force = [2, 0, 0]
"#
        ));
        while run.state.step < 1000 {
            run.advance().unwrap();
        }
        let names: Vec<_> = run.verdict().reasons.iter().map(|r| r.name()).collect();
        assert!(names.contains(&"chatter"), "{method}: {names:?}");
    }
}

/// With μ_s > μ_k one step too large throws a held block off the stick branch for good. It does not
/// chatter long, but it is named.
#[test]
fn a_step_that_throws_a_held_block_off_is_flagged() {
    for method in ["explicit-euler", "symplectic-euler", "rk4"] {
        for (step, holds) in [("1e-4", true), ("1e-3", false)] {
            let path =
                std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/incline_creep.toml");
            let set = vec![
                "materials.wood.kinetic_friction=0.3".to_string(),
                format!("integrator.method={method}"),
                format!("time.step={step}"),
            ];
            let options = stiction::scene::LoadOptions { set, allow_path: false };
            let scene = stiction::scene::load(&path, &options).unwrap().scene;
            let mut run = stiction::run::Run::new(&scene, &Default::default()).unwrap();
            let outcome = run.finish(&mut stiction::run::Unobserved, &|| false).unwrap();
            let creep = outcome.creep[0].measured;
            assert_eq!(creep < 7e-4, holds, "{method} {step}: {creep}");
            assert_eq!(outcome.verdict.trusted(), holds, "{method} {step}");
        }
    }
}

/// A stretch too stiff for the step chatters inside the cone without exploding: it is flagged by
/// its frequency, also without any damping in the law; a step that resolves it is not.
#[test]
fn a_stretch_too_stiff_for_the_step_is_flagged() {
    for (method, limit) in [("symplectic-euler", 2.0), ("rk4", 2.828_427)] {
        for (share, holds) in [(0.98, true), (1.02, false), (3.0, false)] {
            // h ω = share × limit for 1 kg at h = 1e-4
            let omega = share * limit / 1e-4;
            let mut run = support::simulation(&format!(
                r#"
format = 1
[world]
gravity = [0, 0, -9.81]
[time]
end = 0.1
step = 1e-4
output = 0.1
[integrator]
method = "{method}"
[materials.wood]
static_friction = 0.5
[contact]
normal = {{ law = "linear", stiffness = 1e5, damping = 200 }}
friction = {{ law = "cundall-strack", stiffness = {stiffness} }}
[[body]]
name = "block"
mass = 1.0
shape = {{ particle = {{}} }}
position = [0, 0, -9.81e-5]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
[[push]]
body = "block"
force = [1.5, 0, 0]
"#,
                stiffness = omega * omega
            ));
            while run.state.step < 1000 {
                run.advance().unwrap();
            }
            let names: Vec<_> = run.verdict().reasons.iter().map(|r| r.name()).collect();
            let flagged = names.contains(&"step-above-friction-limit");
            assert_eq!(flagged, !holds, "{method} at {share} of its limit: {names:?}");
        }
    }
}

/// A block in a groove bears on two planes, and along the groove their friction adds up: each h λ is
/// below the limit of 2, and together they are above it.
#[test]
fn the_friction_rates_of_several_contacts_add_up() {
    let groove = |h: f64| {
        let mut run = support::simulation(&format!(
            "format = 1
            time = {{ end = 1, step = {h:e}, output = 1 }}
            integrator = {{ method = \"explicit-euler\" }}
            materials.wood = {{ static_friction = 0.5 }}
            [contact]
            normal = {{ stiffness = 1e5, damping = 600 }}
            friction = {{ law = \"threshold\", epsilon = 1e-3 }}
            [[body]]
            name = \"block\"
            mass = 1
            shape = {{ particle = {{}} }}
            position = [0, 0, -6e-5]
            [[collider]]
            name = \"left\"
            shape = {{ plane = {{ normal = [0.5, 0, 0.8660254] }} }}
            [[collider]]
            name = \"right\"
            shape = {{ plane = {{ normal = [-0.5, 0, 0.8660254] }} }}
            [[push]]
            body = \"block\"
            force = [0, 1, 0]
            "
        ));
        while run.state.time < 1.0 - 0.5 * h {
            run.advance().expect("a step");
        }
        run
    };
    // N = m g/(2 cos 30°) on each; v = ε T/(2 μ N)
    let normal_force = 9.81 / (2.0 * cos(radians(30.0)));
    let rate = 2.0 * 0.5 * normal_force / 1e-3;
    let creep = 1e-3 / normal_force;
    let fine = groove(2e-5);
    assert!((fine.state.velocities[0].y / creep - 1.0).abs() < 1e-4);
    assert!(fine.verdict().trusted());
    let coarse = groove(5e-4);
    let worst = coarse.friction_limit.worst.expect("a step above the limit");
    assert!((worst.hlambda / (5e-4 * rate) - 1.0).abs() < 0.05, "{worst:?}");
    assert!(!coarse.verdict().trusted());
}

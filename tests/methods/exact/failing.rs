//! Steps without a solution end with an error that says so.

use super::*;

/// A rod of 1 m and 1 kg that leans towards +x and slides on the floor.
fn rod(angle: f64, mu: f64, speed: f64) -> Simulation {
    let a = radians(angle);
    // evenly massive along its length, as nearly as 41 particles are
    let points: Vec<String> = (0..=40)
        .map(|k| {
            let r = f64::from(k) / 40.0;
            format!("[{:e}, 0, {:e}]", r * cos(a), r * sin(a))
        })
        .collect();
    exact(
        SYMPLECTIC,
        1e-4,
        [mu; 2],
        &format!(
            "world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
        [[body]]
        name = \"rod\"
        mass = 1.0
        rigid = true
        shape = {{ points = {{ positions = [{}] }} }}
        velocity = [{speed}, 0, 0]
        {FLOOR}",
            points.join(", ")
        ),
    )
}

#[test]
fn painleves_rod_ends_with_an_error_that_says_so() {
    // inverse mass of the contact times m: 1 + 3 cos θ (cos θ − μ sin θ) for a uniform rod, < 0
    // where it slides away from its upper end
    let inertia = |n: f64| (n + 1.0) / (12.0 * (n - 1.0));
    let inverse_mass = |angle: f64, mu: f64| {
        let (s, c) = (sin(radians(angle)), cos(radians(angle)));
        1.0 + 0.25 / inertia(41.0) * c * (c - mu * s)
    };
    let (angle, mu) = (55.0, 2.0);
    assert!(inverse_mass(angle, mu) < 0.0, "{}", inverse_mass(angle, mu));
    let mut paradox = rod(angle, mu, -2.0);
    let error = (0..100).find_map(|_| paradox.advance().err()).expect("the paradox");
    println!("{}; {}", error.describe(&paradox.model), error.remedy().expect("a remedy"));
    match error.cause {
        StepError::Painleve { particle, friction, inverse_mass: found, .. } => {
            assert_eq!((particle, friction), (0, mu));
            assert!(
                (found - inverse_mass(angle, mu)).abs() < 1e-2,
                "{found}, {}",
                inverse_mass(angle, mu)
            );
        }
        other => panic!("{other}"),
    }
    // in the other sense it slides, and with less friction too
    for (mu, speed) in [(mu, 2.0), (1.0, -2.0)] {
        let mut fine = rod(angle, mu, speed);
        until(&mut fine, 0.01);
    }
}

#[test]
fn what_is_crushed_between_walls_ends_with_an_error_that_says_so() {
    for solver in ["gauss-seidel", "conic"] {
        for body in [
            particle("[0, 0, 0]", "[0, 0, 0]") + "radius = 0.1\n",
            lattice(RIGID, "[0, 0, -0.1]", "[0, 0, 0]"),
        ] {
            let walls = "
                [[collider]]
                name = \"left\"
                shape = { plane = { normal = [1, 0, 0], point = [-0.21, 0, 0] } }
                motion.velocity = [0.1, 0, 0]
                [[collider]]
                name = \"right\"
                shape = { plane = { normal = [-1, 0, 0], point = [0.21, 0, 0] } }
                motion.velocity = [-0.2, 0, 0]
                ";
            let keys = format!("method = \"exact\", solver = \"{solver}\"");
            let mut crushed = contact(&keys, SYMPLECTIC, 1e-3, [0.5; 2], &format!("{body}{walls}"));
            let error = (0..1000).find_map(|_| crushed.advance().err()).expect("a crush");
            println!("{}", error.describe(&crushed.model));
            let StepError::ContactsUnsolved { cause, residual, .. } = error.cause.clone() else {
                panic!("{error}");
            };
            assert_eq!(cause, ContactsUnsolved::Infeasible, "{solver}");
            assert!(error.remedy().is_some_and(|remedy| remedy.contains("give way")));
            assert!(residual > 0.01);
        }
    }
}

/// The first steps of a scene of the library under exact contact; a text where it is refused.
fn first_steps(
    path: &Path,
    contact: &str,
    method: &str,
) -> Result<Result<(), SimulationError>, String> {
    let set = [format!("contact.method={contact}"), format!("integrator.method={method}")];
    let options = LoadOptions { set: set.to_vec(), ..LoadOptions::default() };
    let loaded = load(path, &options).map_err(|errors| errors.render(false))?;
    let built = build(&loaded.scene, &BuildOptions::default()).map_err(|e| e.to_string())?;
    let step = loaded.scene.time.step;
    let mut run =
        Simulation::with_method(built.model, built.state, built.integrator, built.method, step);
    let steps = (0.03 / step).min(1000.0) as u64;
    Ok((0..steps).try_for_each(|_| run.advance()))
}

#[test]
fn scenes_of_the_library_run_or_say_why_not() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the folder of scenes");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let jobs: Vec<(&PathBuf, &str)> =
        paths.iter().flat_map(|path| [(path, SYMPLECTIC), (path, "rk4")]).collect();
    let outcomes: Vec<_> =
        jobs.par_iter().map(|(path, method)| first_steps(path, "exact", method)).collect();
    let (mut ran, mut faults) = (0, Vec::new());
    for ((path, method), outcome) in jobs.iter().zip(outcomes) {
        let name = path.file_name().expect("a file").display();
        println!("{name}, {method}: {outcome:?}");
        match outcome {
            Ok(Ok(())) => ran += 1,
            // cases that exact contact refuses
            Err(why) if why.contains("friction that differs by sense") => {}
            Err(why) if why.contains("no anisotropy by components") => {}
            Err(why) if why.contains("adhesion") || why.contains("does not go with `rk4`") => {}
            // too large a step for its springs, whatever contact does
            Ok(Err(SimulationError {
                cause: StepError::BlownUp { .. } | StepError::Painleve { .. },
                ..
            })) if matches!(first_steps(path, "penalty", method), Ok(Err(_))) => {}
            other => faults.push(format!("{name}, {method}: {other:?}")),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(ran > 60, "{ran} of {}", jobs.len());
}

#[test]
fn scenes_that_end_with_an_error_do_so() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/failing/painleve_rod.toml");
    let error = first_steps(&path, "exact", SYMPLECTIC).expect("a scene").expect_err("the paradox");
    assert!(matches!(error.cause, StepError::Painleve { .. }), "{error}");
}

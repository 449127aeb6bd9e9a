use super::*;
use crate::forces::{BlockSink, Edge};
use crate::math::{Matrix, Vector, flat, sin};
use nalgebra::{DMatrix, DVector};

/// Particles of 1 kg in a line, joined by springs along x with some stiffness across; the first is
/// held on all axes, the second on y.
fn chain(n: usize, form: MatrixForm, stiffness: f64) -> System {
    let mut inverse_masses = vec![Vector::repeat(1.0); n];
    inverse_masses[0] = Vector::zeros();
    inverse_masses[1].y = 0.0;
    let mut system = System::new(&vec![1.0; n], &inverse_masses);
    system.assemble(form, 0.1, |system| join(system, stiffness));
    system
}

fn join(system: &mut System, stiffness: f64) {
    let spring = Matrix::from_diagonal(&Vector::new(stiffness, 0.1 * stiffness, 0.1 * stiffness));
    for i in 1..system.particles() {
        system.add_pair(i - 1, i, &spring, &(spring * 0.01));
    }
}

/// Adds contact of every third particle with friction that depends on N, and of the second and
/// fifth with each other.
fn touch(system: &mut System) {
    let by_n = Matrix::new(0.0, 0.0, 250.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0);
    let normal = Matrix::from_diagonal(&Vector::new(0.0, 0.0, -500.0));
    for i in (2..system.particles()).step_by(3) {
        let coupling = if system.symmetric() { Matrix::zeros() } else { by_n };
        system.add(i, i, &(normal + coupling), &Matrix::from_diagonal_element(-3.0));
    }
    for (i, j, sign) in [(1, 1, -1.0), (1, 4, 1.0), (4, 1, 1.0), (4, 4, -1.0)] {
        system.add(i, j, &(Matrix::from_diagonal_element(40.0 * sign)), &Matrix::zeros());
    }
}

/// As [`touch`] without the second and fifth, the friction beside the symmetric form.
fn touch_beside(system: &mut System, slip: f64) {
    let by_n = Matrix::new(0.0, 0.0, slip, 0.0, 0.0, 0.4 * slip, 0.0, 0.0, 0.0);
    let normal = Matrix::from_diagonal(&Vector::new(0.0, 0.0, -500.0));
    for i in (2..system.particles()).step_by(3) {
        system.add(i, i, &normal, &Matrix::from_diagonal_element(-3.0));
        if system.symmetric() {
            system.add_beside(i, i, &by_n, &Matrix::zeros());
        } else {
            system.add(i, i, &by_n, &Matrix::zeros());
        }
    }
}

fn load(n: usize) -> Vec<Vector> {
    (0..n).map(|i| Vector::new(sin(i as f64), 1.0, sin(0.7 * i as f64 + 1.0))).collect()
}

fn answer(name: &str, system: &System, tolerance: f64) -> (Result<u32, LinearError>, Vec<Vector>) {
    let mut solver = solver(name);
    let mut b = load(system.particles());
    let wanted = Wanted { tolerance, guess: None };
    let solved = solver.factor(system).and_then(|()| solver.solve(system, &wanted, &mut b));
    (solved, b)
}

fn residual(system: &System, y: &[Vector]) -> f64 {
    let mut image = vec![Vector::zeros(); y.len()];
    system.apply(y, &mut image);
    let mut left = 0.0;
    for ((image, b), free) in image.iter().zip(load(y.len())).zip(system.free()) {
        left += (image - b.component_mul(free)).norm_squared();
    }
    crate::math::sqrt(left)
}

#[test]
fn all_solvers_solve_their_form() {
    for n in [5, 40, 400] {
        for entry in &SOLVERS {
            let mut system = chain(n, solver(entry.name).form(n), 1e3);
            touch(&mut system);
            let (solved, y) = answer(entry.name, &system, 1e-11);
            let left = residual(&system, &y);
            println!("{} × {n}: {solved:?}, residual {left:.1e}", entry.name);
            assert!(solved.is_ok(), "{}: {solved:?}", entry.name);
            assert!(left < 1e-8, "{} × {n}: {left}", entry.name);
            assert!(y[0] == Vector::zeros() && y[1].y == 0.0, "held axes move: {}", y[1]);
        }
    }
}

#[test]
fn solvers_agree_where_forms_do() {
    let n = 60;
    let (_, exact) = answer("sparse-lu", &chain(n, MatrixForm::Full, 1e3), 1e-12);
    for entry in &SOLVERS {
        let system = chain(n, solver(entry.name).form(n), 1e3);
        let (_, y) = answer(entry.name, &system, 1e-12);
        let off = y.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{}: {off}", entry.name);
    }
}

/// Conjugate gradients with the outer iteration solve the full matrix, from a guess too.
#[test]
fn what_stands_beside_the_symmetric_form_is_solved_too() {
    for (n, slip) in [(60, 250.0), (300, 400.0), (300, -450.0)] {
        let system = |form| {
            let mut system = chain(n, form, 1e3);
            touch_beside(&mut system, slip);
            system
        };
        let (_, exact) = answer("sparse-lu", &system(MatrixForm::Full), 1e-12);
        let symmetric = system(MatrixForm::Symmetric);
        let off =
            |y: &[Vector]| y.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let (cold, y) = answer("pcg", &symmetric, 1e-12);
        assert!(off(&y) < 1e-9, "{n}: {cold:?}, {}", off(&y));
        let near: Vec<Vector> = exact.iter().map(|y| y * (1.0 + 1e-6)).collect();
        let (mut solver, mut b) = (solver("pcg"), load(n));
        solver.factor(&symmetric).expect("a matrix");
        let wanted = Wanted { tolerance: 1e-12, guess: Some(&near) };
        let warm = solver.solve(&symmetric, &wanted, &mut b).expect("a solution");
        assert!(warm < cold.expect("a solution") && off(&b) < 1e-9, "{n}: {}", off(&b));
    }
}

/// A system whose contacts are replaced equals a new one.
#[test]
fn renewed_blocks_leave_nothing_of_the_old() {
    let n = 30;
    for form in [MatrixForm::Full, MatrixForm::Symmetric] {
        let mut renewed = chain(n, form, 1e3);
        renewed.assemble(form, 0.1, |system| {
            join(system, 1e3);
            touch(system);
            system.mark();
            touch_beside(system, 100.0);
        });
        for slip in [250.0, 0.0, -80.0] {
            renewed.renew(|system| touch_beside(system, slip));
            let mut fresh = chain(n, form, 1e3);
            fresh.assemble(form, 0.1, |system| {
                join(system, 1e3);
                touch(system);
                touch_beside(system, slip);
            });
            let images = [&renewed, &fresh].map(|system| {
                let mut image = vec![Vector::zeros(); n];
                system.apply(&load(n), &mut image);
                system.add_beside_product(&load(n), &mut image);
                (image, (0..n).map(|i| system.own(i)).collect::<Vec<_>>())
            });
            assert_eq!(images[0], images[1], "{form:?} {slip}");
        }
    }
}

#[test]
fn a_guess_saves_iterations_and_changes_nothing_else() {
    for name in ["pcg", "bicgstab"] {
        let n = 80;
        let system = chain(n, solver(name).form(n), 1e3);
        let (cold, y) = answer(name, &system, 1e-11);
        let mut solver = solver(name);
        solver.factor(&system).expect("a matrix");
        let near: Vec<Vector> = y.iter().map(|y| y * (1.0 + 1e-6)).collect();
        let mut b = load(n);
        let wanted = Wanted { tolerance: 1e-11, guess: Some(&near) };
        let warm = solver.solve(&system, &wanted, &mut b).expect("a solution");
        assert!(warm < cold.expect("a solution"), "{name}: {warm} {cold:?}");
        let off = y.iter().zip(&b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(off < 1e-8, "{name}: {off}");
    }
}

#[test]
fn what_cannot_be_solved_is_told_apart() {
    // springs of negative stiffness, stronger than the masses
    for (name, error) in
        [("sparse-cholesky", LinearError::Indefinite), ("pcg", LinearError::Indefinite)]
    {
        let system = chain(30, MatrixForm::Symmetric, -1e3);
        assert_eq!(answer(name, &system, 1e-10).0, Err(error), "{name}");
    }
    // a solver that needs no minimum solves the same matrix, in a long chain too
    for n in [30, 300] {
        let system = chain(n, MatrixForm::Full, -1e3);
        let (solved, y) = answer("sparse-lu", &system, 1e-10);
        assert!(solved.is_ok() && residual(&system, &y) < 1e-8);
    }
    // a block that cancels the mass
    for (name, n) in [("sparse-lu", 6), ("sparse-lu", 200), ("bicgstab", 6), ("automatic", 6)] {
        let mut system = chain(n, MatrixForm::Full, 0.0);
        system.add(3, 3, &Matrix::zeros(), &Matrix::from_diagonal_element(10.0));
        assert_eq!(answer(name, &system, 1e-10).0, Err(LinearError::Singular), "{name} {n}");
    }
}

/// `add_pair` acts as the four blocks it stands for, in the full and in the symmetric form.
#[test]
fn pairs_are_their_four_blocks() {
    struct Plain(Vec<(usize, usize, Matrix)>);
    impl BlockSink for Plain {
        fn add(&mut self, i: usize, j: usize, by_position: &Matrix, _: &Matrix) {
            self.0.push((i, j, *by_position));
        }
    }
    let block = Matrix::new(4.0, 1.0, 2.0, 1.0, 5.0, 3.0, 2.0, 3.0, 6.0);
    let mut plain = Plain(Vec::new());
    plain.add_pair(0, 1, &block, &Matrix::zeros());
    for form in [MatrixForm::Full, MatrixForm::Symmetric] {
        let mut system = System::new(&[1.0, 2.0], &[Vector::repeat(1.0); 2]);
        system.assemble(form, 1.0, |system| system.add_pair(0, 1, &block, &Matrix::zeros()));
        let p = [Vector::new(1.0, -2.0, 0.5), Vector::new(0.3, 0.4, -1.0)];
        let mut y = [Vector::zeros(); 2];
        system.apply(&p, &mut y);
        let mut expected = [p[0], p[1] * 2.0];
        for (i, j, block) in &plain.0 {
            expected[*i] -= block * p[*j];
        }
        for i in 0..2 {
            assert!((y[i] - expected[i]).norm() < 1e-14, "{form:?}: {} {}", y[i], expected[i]);
        }
    }
}

/// `add_edge` acts as the four blocks it stands for: any in the full form; in the symmetric one a transposed
/// pair, whose parts beside the symmetric ones add up to nothing at each particle.
#[test]
fn edges_are_their_four_blocks() {
    struct Plain(Vec<(usize, usize, Matrix)>);
    impl BlockSink for Plain {
        fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
            self.0.push((i, j, by_position * 0.01 + by_velocity * 0.1));
        }
    }
    let half = Matrix::new(4.0, 1.0, 2.0, 1.0, 5.0, 3.0, 2.0, 3.0, 6.0);
    let twist = Vector::new(0.7, -0.3, 1.1).cross_matrix();
    let edge = |there: Matrix, more: Matrix| Edge {
        there,
        back: there.transpose() + more,
        by_velocity: there * 3.0,
    };
    let ends = [(0, 1), (0, 2), (1, 2)];
    for (form, more) in [(MatrixForm::Full, half * twist), (MatrixForm::Symmetric, Matrix::zeros())]
    {
        let edges = [half + twist, half * 2.0 - twist, half * 0.5 + twist].map(|m| edge(m, more));
        let gather = |into: &mut dyn BlockSink| {
            ends.iter().zip(&edges).for_each(|((i, j), edge)| into.add_edge(*i, *j, edge));
            into.add_pair(2, 3, &half, &half);
        };
        let (mut plain, n) = (Plain(Vec::new()), 4);
        gather(&mut plain);
        let mut system = System::new(&[1.0, 2.0, 3.0, 4.0], &vec![Vector::repeat(1.0); n]);
        system.assemble(form, 0.1, |system| gather(system));
        let mut whole = DMatrix::from_diagonal(&DVector::from_fn(3 * n, |k, _| (k / 3 + 1) as f64));
        for (i, j, block) in &plain.0 {
            let mut place = whole.fixed_view_mut::<3, 3>(3 * i, 3 * j);
            place -= block;
        }
        let p: Vec<Vector> = (0..n).map(|i| Vector::new(1.0, -0.4 * i as f64, 0.3)).collect();
        let mut y = vec![Vector::zeros(); n];
        system.apply(&p, &mut y);
        let wanted = &whole * DVector::from_column_slice(flat(&p));
        let off = wanted.iter().zip(flat(&y)).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-13, "{form:?}");
        for solver in ["sparse-lu", "bicgstab", "sparse-cholesky", "pcg"] {
            if SOLVERS.find(solver).is_some() && super::solver(solver).form(n) == form {
                let (solved, x) = answer(solver, &system, 1e-12);
                assert!(solved.is_ok(), "{solver} {solved:?}");
                assert!(residual(&system, &x) < 1e-9, "{solver}");
            }
        }
    }
}

/// A system with changing pairs equals a new one.
#[test]
fn patterns_are_kept_and_given_up() {
    let n = 12;
    let spring = Matrix::from_diagonal_element(7.0);
    let lists: [&[(usize, usize)]; 7] = [
        &[(0, 1), (0, 5), (2, 3), (7, 11)],
        &[(0, 1), (0, 5), (2, 3), (7, 11)],
        // one more, one less, another end, none, and out of order
        &[(0, 1), (0, 5), (2, 3), (2, 9), (7, 11)],
        &[(0, 1), (2, 3), (7, 11)],
        &[(0, 1), (2, 4), (7, 11)],
        &[],
        &[(3, 4), (0, 1), (5, 2), (6, 7), (6, 7)],
    ];
    for form in [MatrixForm::Full, MatrixForm::Symmetric] {
        let mut kept = System::new(&vec![1.0; n], &vec![Vector::repeat(1.0); n]);
        for list in lists {
            let gather = |system: &mut System| {
                for (k, (i, j)) in list.iter().enumerate() {
                    system.add_pair(*i, *j, &(spring * (k + 1) as f64), &Matrix::zeros());
                }
            };
            kept.assemble(form, 0.1, gather);
            let mut fresh = System::new(&vec![1.0; n], &vec![Vector::repeat(1.0); n]);
            fresh.assemble(form, 0.1, gather);
            let mut images = [&kept, &fresh].map(|system| {
                let mut image = vec![Vector::zeros(); n];
                system.apply(&load(n), &mut image);
                image
            });
            assert_eq!(images[0], images[1], "{form:?} {list:?}");
            // (1 + h² Σ k) p_i − h² Σ k p_j, spring by spring
            for (k, (i, j)) in list.iter().enumerate() {
                let pull = (load(n)[*j] - load(n)[*i]) * (0.07 * (k + 1) as f64);
                images[0][*i] += pull;
                images[0][*j] -= pull;
            }
            let off = images[0].iter().zip(load(n)).map(|(a, b)| (a - b).norm());
            assert!(off.fold(0.0, f64::max) < 1e-13, "{form:?} {list:?}");
        }
    }
}

/// So does one with strips of pairs, whose form changes in between.
#[test]
fn strips_are_given_up_with_their_pairs() {
    let n = 40;
    let row = |offset: usize| (0..n - offset).map(move |i| (i, i + offset));
    let mut all: Vec<(usize, usize)> = row(1).chain(row(5)).collect();
    all.sort_unstable();
    let [mut more, mut fewer, mut shorter] = [all.clone(), all.clone(), all.clone()];
    more.insert(30, (all[29].0, all[29].1 + 2));
    fewer.remove(41);
    shorter.truncate(60);
    let mut used = System::new(&vec![1.0; n], &vec![Vector::repeat(1.0); n]);
    let lists = [&all, &all, &more, &fewer, &all, &shorter, &all, &shorter, &fewer];
    for (round, list) in lists.into_iter().enumerate() {
        // a full assembly between some of the symmetric ones, of the same pairs or of others
        if round % 3 == 1 {
            let other = if round == 4 { &more } else { list };
            used.assemble(MatrixForm::Full, 0.1, |system| couple(system, other));
        }
        used.assemble(MatrixForm::Symmetric, 0.1, |system| couple(system, list));
        let mut fresh = System::new(&vec![1.0; n], &vec![Vector::repeat(1.0); n]);
        fresh.assemble(MatrixForm::Symmetric, 0.1, |system| couple(system, list));
        let images = [&used, &fresh].map(|system| {
            let mut image = vec![Vector::zeros(); n];
            system.apply(&load(n), &mut image);
            image
        });
        assert_eq!(images[0], images[1], "round {round}");
        let mut right = load(n);
        for (i, j) in list {
            let pull = (load(n)[*j] - load(n)[*i]) * (0.01 * stiffness(*i, *j));
            right[*i] -= pull;
            right[*j] += pull;
        }
        let off = images[0].iter().zip(&right).map(|(a, b)| (a - b).norm());
        assert!(off.fold(0.0, f64::max) < 1e-12, "round {round}");
    }
}

/// Of a pair, so that no two rows of pairs are alike.
fn stiffness(i: usize, j: usize) -> f64 {
    1.0 + 0.1 * i as f64 + 0.03 * j as f64
}

fn couple(system: &mut System, pairs: &[(usize, usize)]) {
    for (i, j) in pairs {
        let block = Matrix::from_diagonal_element(stiffness(*i, *j));
        system.add_pair(*i, *j, &block, &Matrix::zeros());
    }
}

/// Stored data of a solver and a system save time and change no bit.
#[test]
fn what_is_kept_changes_no_bit() {
    let wanted = Wanted { tolerance: 1e-11, guess: None };
    for entry in &SOLVERS {
        let form = solver(entry.name).form(90);
        let mut used = solver(entry.name);
        for (n, touching) in [(40, true), (90, true), (90, false), (90, true)] {
            let mut system = chain(n, form, 1e3);
            if touching {
                system.assemble(form, 0.1, |system| {
                    join(system, 1e3);
                    touch(system);
                });
            }
            let [mut with_past, mut without] = [load(n), load(n)];
            used.factor(&system).expect("a matrix");
            let used = used.solve(&system, &wanted, &mut with_past);
            let mut new = solver(entry.name);
            new.factor(&system).expect("a matrix");
            assert_eq!(used, new.solve(&system, &wanted, &mut without), "{}", entry.name);
            assert_eq!(with_past, without, "{}", entry.name);
        }
    }
}

/// Factors beyond any memory are refused with their size, never as a singular matrix.
#[test]
fn factors_that_do_not_fit_are_refused_with_their_size() {
    let beyond = usize::MAX / 4;
    let error = LinearError::OutOfMemory { needed_bytes: beyond as u64 };
    assert_eq!(sparse::must_fit(beyond), Err(error));
    assert_eq!(sparse::must_fit(1 << 20), Ok(()));
    let told = LinearError::OutOfMemory { needed_bytes: 3001 << 20 }.to_string();
    assert!(told.contains("3001 MiB") && !told.contains("singular"), "{told}");
}

/// Large systems are factored without row exchange. That fails at a pivot near zero: the residual shows
/// it, and rows are exchanged.
#[test]
fn rows_are_exchanged_where_they_must_be() {
    let n = 150;
    let mut system = chain(n, MatrixForm::Full, 1e3);
    let turn = Matrix::new(1.0 - 1e-14, 30.0, 0.0, -30.0, 1.0 - 1e-14, 0.0, 0.0, 0.0, 0.0);
    system.assemble(MatrixForm::Full, 1.0, |system| {
        for i in 2..n {
            // M − h D has almost no diagonal, and is regular
            system.add(i, i, &Matrix::zeros(), &turn);
        }
    });
    let (solved, y) = answer("sparse-lu", &system, 1e-10);
    assert!(solved.is_ok(), "{solved:?}");
    let left = residual(&system, &y);
    assert!(left < 1e-9, "{left:e}");
}

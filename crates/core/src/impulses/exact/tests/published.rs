//! Problems that others have published, from the test data of Siconos \[acary2018\]: what the solver of a run
//! makes of them, as a table in docs/maintainers/testing.md. `STICTION_PUBLISHED=write` writes it anew.

use super::super::newton::tests::like;
use super::{Random, apart, velocities};
use crate::halt::Halt;
use crate::impulses::exact::cone::Cone;
use crate::impulses::exact::residuals::impulses;
use crate::impulses::exact::{ROUNDING, SolverSettings, conic, solve_evenly};
use crate::impulses::islands::islands;
use crate::impulses::problem::ContactProblem;
use crate::math::{Vector, larger};
use std::path::Path;

mod factor;
mod files;
mod freedom;
use files::{Published, Residuals};

/// File, name, and the share of M's largest diagonal entry to which its entries are known: those of Confeti
/// are printed with seven digits. The names are those of Siconos, but for a scene of our own.
const PROBLEMS: [(&str, &str, f64); 17] = [
    ("boxes_stack", "BoxesStack1-i100000-32", FULL),
    ("capsules_225", "Capsules-i101-404", FULL),
    ("capsules_296", "Capsules-i122-1617", FULL),
    ("confeti_4", "Confeti-ex13-4contact", SEVEN_DIGITS),
    ("confeti_54", "Confeti-ex03", SEVEN_DIGITS),
    ("confeti_107", "Confeti-ex13", SEVEN_DIGITS),
    ("spheres_9", "NESpheres_10_1", FULL),
    ("spheres_44", "NESpheres_30_1", FULL),
    ("one_object_23", "OneObject-i1028-138", FULL),
    ("one_object_24", "OneObject-i100000-499", FULL),
    ("one_object_25", "OneObject-i100000-316", FULL),
    ("rover_4396", "Rover4396", FULL),
    ("rover_1039", "Rover1039", FULL),
    ("rover_1040", "Rover1040", FULL),
    ("rover_9770", "Rover9770", FULL),
    ("pinched_capsule", "pinched capsule", FULL),
    ("rock_pile", "RockPile_tob1", FULL),
];

/// Problems that the solver leaves unsolved.
const UNSOLVED: [&str; 2] = ["pinched_capsule", "rock_pile"];

/// The problem that takes minutes.
const SLOW: &str = "rock_pile";

const FULL: f64 = 1e-12;

const SEVEN_DIGITS: f64 = 1e-7;

/// Tolerance and sweeps of `contact.method = "exact"` without keys.
const TOLERANCE: f64 = 5e-13;
const SWEEPS: u64 = 2_000;

/// Velocities that differ by less, as a share of the largest, are the same solution.
const SAME: f64 = 1e-5;

/// Most contacts of a problem that cone programmes solve in a moment.
const QUICK: usize = 60;

/// A problem as the solver has it.
struct Case {
    published: Published,
    problem: ContactProblem,
    cones: Vec<Cone>,
    rank: usize,
    rounding: f64,
}

/// Impulses that a solver found, and their velocities.
struct Solution {
    sweeps: u64,
    converged: bool,
    impulses: Vec<Vector>,
    velocities: Vec<Vector>,
}

impl Case {
    fn new(file: &str, rounding: f64) -> Self {
        let path = format!("../../tests/siconos/{file}.txt");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let published = Published::read(&std::fs::read_to_string(path).expect("a problem"));
        let (rows, rank) = factor::factor(&published, rounding);
        let problem = ContactProblem::given(&like(), &rows, &published.free);
        let rows = problem.rows.iter().zip(&published.friction);
        let cones = rows.map(|(row, mu)| Cone::new(row, *mu, 0.0)).collect();
        Case { published, problem, cones, rank, rounding }
    }

    fn settings(&self) -> SolverSettings {
        let tolerance = larger(TOLERANCE, ROUNDING * self.published.speed());
        SolverSettings { tolerance, max_iterations: SWEEPS, halt: Halt::default() }
    }

    /// The result of a run's solver from given normal impulses.
    fn solve(&self, mut start: impl FnMut(&Cone) -> f64) -> Solution {
        let mut problem = self.problem.clone();
        let (mut sweeps, mut converged) = (0, true);
        for island in islands(&problem) {
            for k in &island {
                problem.kick(*k, Vector::x() * start(&self.cones[*k]));
            }
            match solve_evenly(&mut problem, &self.cones, &island, &self.settings()) {
                Ok(more) => sweeps += more,
                Err(unsettled) => {
                    (sweeps, converged) = (sweeps + unsettled.iterations, false);
                }
            }
        }
        Solution::of(&problem, sweeps, converged)
    }

    /// The result of the cone programmes.
    fn reference(&self) -> Solution {
        let mut problem = self.problem.clone();
        let settings = self.settings();
        let solved = islands(&problem)
            .iter()
            .all(|island| conic::solve(&mut problem, &self.cones, island, &settings).is_ok());
        Solution::of(&problem, 0, solved)
    }

    /// The conditions by the published M and q, asserted of what converged.
    fn residuals(&self, solution: &Solution) -> Residuals {
        let residuals = self.published.residuals(&solution.impulses);
        if !solution.converged {
            return residuals;
        }
        // entries of M that are known to some digits only
        let load: f64 = solution.impulses.iter().map(|r| r.norm()).sum();
        let unknown = 10.0 * self.rounding * self.published.largest() * load;
        let allowed = self.settings().tolerance + unknown;
        assert!(residuals.natural <= allowed, "{residuals:?}, not {allowed:e}");
        // from natural ≤ e follow |û·r| ≤ e (|r| + 2 ρ|û|), and as much for each of its two parts
        assert!(residuals.complementarity <= 2.0 * allowed, "{residuals:?}, not {allowed:e}");
        assert!(residuals.dissipation <= 4.0 * allowed, "{residuals:?}, not {allowed:e}");
        assert!(residuals.work <= allowed * load, "friction drives: {residuals:?}");
        residuals
    }

    /// The largest difference of velocities between a solution and those from two other starts and, of
    /// few contacts, from cone programmes \[m/s\].
    fn ambiguity(&self, found: &Solution) -> f64 {
        let mut random = Random(1);
        let speed = self.published.speed();
        let mut others: Vec<Solution> =
            (0..2).map(|_| self.solve(|c| (1.0 + random.next()) * speed / c.scale())).collect();
        for other in &others {
            self.residuals(other);
        }
        if self.cones.len() <= QUICK {
            others.push(self.reference());
        }
        let converged = others.iter().filter(|other| other.converged);
        converged.fold(0.0, |most, other| larger(most, apart(&other.velocities, &found.velocities)))
    }

    /// The line of the table, and whether the problem is solved.
    fn line(&self, name: &str) -> (String, bool) {
        let speed = self.published.speed();
        let found = self.solve(|_| 0.0);
        let residuals = self.residuals(&found);
        let solutions = if found.converged {
            let tolerance = self.settings().tolerance;
            let free =
                freedom::directions(&self.published, &found.impulses, tolerance, self.rounding);
            match (free, self.ambiguity(&found) <= SAME * speed) {
                (0, true) => "one found".into(),
                (0, false) => "not unique: velocities".into(),
                (free, true) => format!("not unique: loads, {free} free"),
                (free, false) => format!("not unique: velocities; loads, {free} free"),
            }
        } else {
            "none found".into()
        };
        let figures = [residuals.natural, residuals.complementarity, residuals.dissipation];
        let [natural, complementarity, dissipation] = figures.map(|x| format!("{:.0e}", x / speed));
        let (contacts, rank, sweeps) = (self.cones.len(), self.rank, found.sweeps);
        let line = format!(
            "| {name} | {contacts} | {rank} | {sweeps} | {natural} | {complementarity} | {dissipation} | {solutions} |"
        );
        (line, found.converged)
    }
}

impl Solution {
    fn of(problem: &ContactProblem, sweeps: u64, converged: bool) -> Self {
        let all: Vec<usize> = (0..problem.rows.len()).collect();
        let (impulses, velocities) = (impulses(problem, &all), velocities(problem));
        Solution { sweeps, converged, impulses, velocities }
    }
}

/// The table of the document, whose lines follow those of `fresh`, or are written anew.
fn compare(fresh: &[(&str, String)]) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/maintainers/testing.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (begin, end) = ("<!-- published problems: begin -->\n", "<!-- published problems: end -->");
    let from = text.find(begin).expect("its begin") + begin.len();
    let to = text.find(end).expect("its end");
    let line = |name: &str| {
        let known = text[from..to].lines().find(|line| line.starts_with(&format!("| {name} |")));
        let new = fresh.iter().find(|(other, _)| *other == name).map(|(_, line)| line.as_str());
        new.or(known).map(|line| format!("{line}\n")).unwrap_or_default()
    };
    let lines: String = PROBLEMS.iter().map(|(_, name, _)| line(name)).collect();
    let table = format!("\n{HEAD}\n{lines}\n");
    if std::env::var_os("STICTION_PUBLISHED").is_some() {
        let written = format!("{}{table}{}", &text[..from], &text[to..]);
        std::fs::write(&page, written).expect("written");
        return;
    }
    assert_eq!(&text[from..to], table, "STICTION_PUBLISHED=write writes it anew");
}

const HEAD: &str = "| problem | contacts | rank of M | sweeps | natural map | complementarity | dissipation | solutions |
| --- | --- | --- | --- | --- | --- | --- | --- |";

/// Solves the problems that are selected, and compares their lines.
fn check(selected: impl Fn(&str) -> bool) {
    let mut fresh = Vec::new();
    for (file, name, rounding) in PROBLEMS.into_iter().filter(|(file, ..)| selected(file)) {
        let (line, solved) = Case::new(file, rounding).line(name);
        println!("{line}");
        assert_eq!(solved, !UNSOLVED.contains(&file), "{line}");
        fresh.push((name, line));
    }
    compare(&fresh);
}

#[test]
fn published_problems_meet_their_conditions() {
    check(|file| file != SLOW);
}

#[test]
#[ignore = "takes long: .ci/nightly"]
fn a_pile_of_463_contacts_comes_as_near_as_the_table_says() {
    check(|file| file == SLOW);
}

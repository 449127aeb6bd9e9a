//! The runs: four scenes, and on each a grid of laws, stiffnesses at rest, methods and steps.

use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{cos, radians, tan};

/// One scene with its grid.
pub struct Study {
    /// The name of its folder.
    pub name: &'static str,
    /// Its name on figures.
    pub title: &'static str,
    /// A sentence on the scene, and one on what was left out.
    pub about: &'static str,
    /// The scene file.
    pub scene: &'static str,
    /// Settings of the scene, as `key=value` texts.
    pub set: Vec<String>,
    /// Direction in which the body creeps, and speed of the surface below it in that direction
    /// \[m/s\].
    pub direction: [f64; 3],
    pub surface: f64,
    /// Load ratio ρ = T/(μ N).
    pub load_ratio: f64,
    /// Coefficient of friction, and N of one contact \[N\] with the mass on it \[kg\].
    pub friction: f64,
    pub normal_force: f64,
    pub mass: f64,
    /// Names of laws; and stiffnesses at rest, each as the ε of the threshold law that has it
    /// \[m/s\].
    pub laws: Vec<&'static str>,
    pub epsilons: Vec<f64>,
    /// Methods with the steps \[s\] they are run at.
    pub parts: Vec<Part>,
    /// Whether the creep of a law that creeps is known in closed form.
    pub closed: bool,
    /// Method and step of the run that is the truth where no closed form is known, under the same
    /// law.
    pub reference: (&'static str, &'static str),
}

/// Some methods, each at some steps.
pub struct Part {
    pub methods: Vec<&'static str>,
    pub steps: Vec<&'static str>,
}

/// Every law with a parameter that makes it stiff at rest.
pub const LAWS: [&str; 12] = [
    "threshold",
    "quadratic",
    "cubic",
    "quintic",
    "hyperbolic",
    "tanh",
    "stribeck",
    "formula",
    "viscous-cap",
    "cundall-strack",
    "dahl",
    "lugre",
];

/// Whether a law holds by a stretch and has no creep of its own.
pub fn holds(law: &str) -> bool {
    ["cundall-strack", "dahl", "lugre"].contains(&law)
}

impl Study {
    /// Damping of one contact at rest \[N·s/m\]: that of the threshold law at ε.
    pub fn damping(&self, epsilon: f64) -> f64 {
        self.friction * self.normal_force / epsilon
    }

    /// The text of a law that is as stiff at rest as the threshold law at ε. The quintic law, flat
    /// at rest, is matched by its steepest slope; a law with stretch has the same damping, and the
    /// stiffness for which this damping is critical.
    pub fn law(&self, name: &str, epsilon: f64) -> String {
        let damping = self.damping(epsilon);
        let threshold = |times: f64| format!("epsilon = {}", written(times * epsilon));
        let stretch = |damping: f64| {
            let stiffness = damping * damping / (4.0 * self.mass);
            format!("stiffness = {}, damping = {}", written(stiffness), written(damping))
        };
        let keys = match name {
            "quadratic" => threshold(2.0),
            "cubic" => threshold(3.0),
            "quintic" => threshold(1.875),
            "formula" => format!("mu = \"mu_s/(1 + s)\", {}", threshold(1.0)),
            "viscous-cap" => format!("damping = {}", written(damping)),
            "cundall-strack" | "dahl" | "lugre" => stretch(damping),
            _ => threshold(1.0),
        };
        format!("{{ law = \"{name}\", {keys} }}")
    }

    /// Friction rate at rest of the mass on one contact \[1/s\].
    pub fn rate(&self, epsilon: f64) -> f64 {
        self.damping(epsilon) / self.mass
    }
}

/// A number in seven digits.
fn written(x: f64) -> String {
    let short: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    format!("{short:e}")
}

const G: f64 = 9.81;

/// All four studies, or a small part of the first two if `quick`.
pub fn studies(quick: bool) -> Vec<Study> {
    let mut studies = vec![incline(), belt()];
    if quick {
        for study in &mut studies {
            study.laws = vec!["threshold", "cundall-strack"];
            study.epsilons = vec![1e-3, 1e-1];
            study.parts = vec![Part {
                methods: vec!["explicit-euler", "symplectic-euler", "rk4", "implicit-euler"],
                steps: vec!["1e-4", "6e-4", "3e-3"],
            }];
            study.reference = ("rk4", "1e-4");
        }
    } else {
        studies.extend([tipping_box(), cloth()]);
    }
    studies
}

/// All methods at eight steps, for one particle.
fn everything() -> Vec<Part> {
    vec![Part {
        methods: INTEGRATORS.iter().map(|row| row.name).collect(),
        steps: vec!["1e-5", "3e-5", "1e-4", "3e-4", "1e-3", "3e-3", "6e-3", "1e-2"],
    }]
}

fn sets(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}

fn incline() -> Study {
    let angle = radians(20.0);
    Study {
        name: "incline",
        title: "a block on an incline, ρ = 0.61",
        about: "A block of one particle is held on a 20° incline, μ 0.6. Nothing of the grid is left out.",
        scene: "scenes/incline_creep.toml",
        // a normal law so soft that friction is what limits the step
        set: sets(&[
            "time.end=0.6",
            "time.output=0.15",
            "contact.normal={ law = \"linear\", stiffness = 1e3, damping = 40 }",
            "body.0.position=[3.1528732255125e-3, 0, -8.6624479934986e-3]",
            "expect={}",
            "measure=[{ name = \"speed\", kind = \"velocity\", body = \"block\", direction = [-0.9396926207859084, 0, -0.3420201433256687] }]",
        ]),
        direction: [-0.9396926207859084, 0.0, -0.3420201433256687],
        surface: 0.0,
        load_ratio: tan(angle) / 0.6,
        friction: 0.6,
        normal_force: G * cos(angle),
        mass: 1.0,
        laws: LAWS.to_vec(),
        epsilons: vec![1e-4, 1e-3, 1e-2, 1e-1],
        parts: everything(),
        closed: true,
        reference: ("rk4", "1e-5"),
    }
}

fn belt() -> Study {
    Study {
        name: "belt",
        title: "a block on a belt, ρ = 0.4",
        about: "A block of one particle is put on a belt that moves at 0.3 m/s and held back by 0.4 μN, μ 0.5: it slides, is taken along, and creeps. Nothing of the grid is left out.",
        scene: "examples/atlas/block_on_belt.toml",
        set: Vec::new(),
        direction: [-1.0, 0.0, 0.0],
        surface: -0.3,
        load_ratio: 0.4,
        friction: 0.5,
        normal_force: G,
        mass: 1.0,
        laws: LAWS.to_vec(),
        epsilons: vec![1e-4, 1e-3, 1e-2, 1e-1],
        parts: everything(),
        closed: true,
        reference: ("rk4", "1e-5"),
    }
}

fn tipping_box() -> Study {
    Study {
        name: "box",
        title: "a soft box pushed, ρ = 0.6",
        about: "The soft box of 119 particles, pushed at half its height with 0.6 of what friction bears and 0.8 of what tips it, μ 0.5. Thinned: five laws, two stiffnesses, eight methods at two to four steps; two seconds.",
        scene: "scenes/tipping_box.toml",
        set: sets(&[
            "time.end=2.0",
            "time.output=0.1",
            "drag.0.until=2.0",
            "push.0.force=[29.43, 0, 0]",
            "push.0.from=0.1",
            "push.0.ramp=0.2",
            "expect={}",
            "measure=[{ name = \"speed\", kind = \"velocity\", body = \"box\", direction = [1, 0, 0] }]",
        ]),
        direction: [1.0, 0.0, 0.0],
        surface: 0.0,
        load_ratio: 0.6,
        friction: 0.5,
        normal_force: 10.0 * G / 7.0,
        mass: 10.0 / 119.0,
        laws: vec!["threshold", "cubic", "tanh", "cundall-strack", "lugre"],
        epsilons: vec![1e-2, 1e-1],
        parts: vec![
            Part {
                methods: vec!["symplectic-euler", "velocity-verlet", "heun", "rk4"],
                steps: vec!["2.5e-5", "5e-5", "1e-4", "2e-4"],
            },
            Part { methods: vec!["dopri5"], steps: vec!["2e-4", "1e-3"] },
            Part {
                methods: vec!["implicit-euler", "trapezoid", "bdf2"],
                steps: vec!["2e-4", "1e-3", "5e-3"],
            },
        ],
        closed: false,
        reference: ("rk4", "2.5e-5"),
    }
}

fn cloth() -> Study {
    Study {
        name: "cloth",
        title: "a cloth in a clamp, ρ = 0.05",
        about: "The cloth of 90 particles hanging from a clamp, not blown at. Thinned: five laws, two stiffnesses, eight methods at one to four steps; one second.",
        scene: "scenes/pinched_cloth.toml",
        set: sets(&[
            "time.end=1.0",
            "time.output=0.05",
            "push=[]",
            "expect={}",
            "measure=[{ name = \"speed\", kind = \"velocity\", body = \"cloth\", direction = [0, 0, -1] }]",
        ]),
        direction: [0.0, 0.0, -1.0],
        surface: 0.0,
        load_ratio: 0.05 * G / 9.0,
        friction: 0.5,
        normal_force: 1.0,
        mass: 0.05 / 90.0,
        laws: vec!["threshold", "cubic", "tanh", "cundall-strack", "lugre"],
        epsilons: vec![1e-2, 1e-1],
        parts: vec![
            Part {
                methods: vec!["symplectic-euler", "velocity-verlet", "heun", "rk4"],
                steps: vec!["1e-5", "5e-5", "1.25e-4", "5e-4"],
            },
            Part { methods: vec!["dopri5"], steps: vec!["1e-3"] },
            Part {
                methods: vec!["implicit-euler", "trapezoid", "bdf2"],
                steps: vec!["1.25e-4", "1e-3", "5e-3"],
            },
        ],
        closed: false,
        reference: ("rk4", "1e-5"),
    }
}

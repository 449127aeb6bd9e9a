//! Small scenes made by hand: the view's tests do not depend on scene files, and the golden
//! pictures not on integrators.

use std::path::Path;
use std::sync::Arc;
use stiction_core::contact::collider::cuboid::Cuboid;
use stiction_core::contact::collider::plane::Plane;
use stiction_core::contact::collider::sphere::SphereSurface;
use stiction_core::contact::collider::{Collider, Motion, Shape};
use stiction_core::contact::friction::threshold::Threshold;
use stiction_core::contact::laws::{Laws, StretchIn};
use stiction_core::contact::normal::linear::{Linear, LinearDamping};
use stiction_core::contact::pair::{Pair, Pairs};
use stiction_core::contact::surfaces::Surfaces;
use stiction_core::forces::Force;
use stiction_core::forces::crew::Crew;
use stiction_core::forces::gravity::Gravity;
use stiction_core::forces::push::PushForce;
use stiction_core::forces::span::Span;
use stiction_core::forces::springs::{Spring, Springs};
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{Matrix, Vector};
use stiction_core::model::{Body, Model};
use stiction_core::profile::Profile;
use stiction_core::registry::Values;
use stiction_core::simulation::Simulation;
use stiction_core::state::State;
use stiction_core::state::memory::Coefficients;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, SpringMaterial, load_text};

/// A body that grows into a model.
pub struct Making {
    bodies: Vec<Body>,
    positions: Vec<Vector>,
    springs: Vec<Spring>,
    radii: Vec<f64>,
    colliders: Vec<Collider>,
    locked_axis: Option<usize>,
    push: Option<(usize, Vector)>,
}

impl Making {
    pub fn new() -> Making {
        Making {
            bodies: Vec::new(),
            positions: Vec::new(),
            springs: Vec::new(),
            radii: Vec::new(),
            colliders: Vec::new(),
            locked_axis: None,
            push: None,
        }
    }

    /// A lattice with springs to all neighbours of its cells, and its surface.
    pub fn lattice(mut self, counts: [usize; 3], spacing: f64, corner: Vector) -> Making {
        let start = self.positions.len();
        let [nx, ny, nz] = counts;
        let at = |x: usize, y: usize, z: usize| start + (x * ny + y) * nz + z;
        for x in 0..nx {
            for y in 0..ny {
                for z in 0..nz {
                    let p = Vector::new(x as f64, y as f64, z as f64) * spacing;
                    self.positions.push(corner + p);
                }
            }
        }
        let cells: Vec<[usize; 3]> = (0..nx)
            .flat_map(|x| (0..ny).flat_map(move |y| (0..nz).map(move |z| [x, y, z])))
            .collect();
        for a in &cells {
            for step in 1..27 {
                // every neighbour that comes later in the order of the cells
                let d = [step / 9, step / 3 % 3, step % 3].map(|k: isize| k - 1);
                let b: [isize; 3] = std::array::from_fn(|k| a[k] as isize + d[k]);
                if (0..3).all(|k| b[k] >= 0 && b[k] < counts[k] as isize) {
                    let b = b.map(|k| k as usize);
                    let (i, j) = (at(a[0], a[1], a[2]), at(b[0], b[1], b[2]));
                    if i < j {
                        self.link(i, j, 2e4);
                    }
                }
            }
        }
        let mut triangles = Vec::new();
        let mut quad = |a: usize, b: usize, c: usize, d: usize| {
            let [a, b, c, d] = [a, b, c, d].map(|p| p as u32);
            triangles.extend([[a, b, c], [a, c, d]]);
        };
        let ends = |n: usize| if n == 1 { vec![0] } else { vec![0, n - 1] };
        for z in 0..nz - 1 {
            for y in ends(ny) {
                for x in 0..nx - 1 {
                    quad(at(x, y, z), at(x + 1, y, z), at(x + 1, y, z + 1), at(x, y, z + 1));
                }
            }
            for x in if ny > 1 { ends(nx) } else { vec![] } {
                for y in 0..ny - 1 {
                    quad(at(x, y, z), at(x, y + 1, z), at(x, y + 1, z + 1), at(x, y, z + 1));
                }
            }
        }
        for z in if ny > 1 { ends(nz) } else { vec![] } {
            for x in 0..nx - 1 {
                for y in 0..ny - 1 {
                    quad(at(x, y, z), at(x + 1, y, z), at(x + 1, y + 1, z), at(x, y + 1, z));
                }
            }
        }
        self.close("lattice", start, triangles, 0.0)
    }

    /// A chain of balls.
    pub fn chain(mut self, points: Vec<Vector>, radius: f64) -> Making {
        let start = self.positions.len();
        self.positions.extend(points);
        for i in start..self.positions.len() - 1 {
            self.link(i, i + 1, 5e3);
        }
        self.close("chain", start, Vec::new(), radius)
    }

    fn link(&mut self, i: usize, j: usize, stiffness: f64) {
        let rest_length = (self.positions[j] - self.positions[i]).norm();
        let material = SpringMaterial { stiffness, damping: 2.0 };
        self.springs.push(Spring { i, j, rest_length, material });
    }

    fn close(mut self, name: &str, start: usize, triangles: Vec<[u32; 3]>, radius: f64) -> Making {
        let particles = start..self.positions.len();
        self.radii.resize(self.positions.len(), radius);
        self.bodies.push(Body {
            name: name.into(),
            particles,
            triangles,
            segments: Vec::new(),
            tetrahedra: Vec::new(),
            midpoints: Vec::new(),
        });
        self
    }

    pub fn collider(mut self, name: &str, shape: impl Shape + 'static, motion: Motion) -> Making {
        let shape: Box<dyn Shape> = Box::new(shape);
        self.colliders.push(Collider {
            name: name.into(),
            material: 0,
            shape,
            motion,
            anisotropy: None,
        });
        self
    }

    pub fn floor(self) -> Making {
        let plane = Plane { normal: Vector::z(), point: Vector::zeros() };
        self.collider("floor", plane, Motion::default())
    }

    pub fn planar(mut self) -> Making {
        self.locked_axis = Some(1);
        self
    }

    pub fn push(mut self, particle: usize, force: Vector) -> Making {
        self.push = Some((particle, force));
        self
    }

    /// A run with these positions and velocities as functions of the positions at rest.
    pub fn run(
        self,
        integrator: &str,
        step: f64,
        place: impl Fn(Vector) -> Vector,
        velocity: impl Fn(Vector) -> Vector,
    ) -> Simulation {
        let n = self.positions.len();
        let masses = vec![0.08; n];
        let mut inverse_masses: Vec<Vector> =
            masses.iter().map(|m| Vector::repeat(1.0 / m)).collect();
        if let Some(axis) = self.locked_axis {
            inverse_masses.iter_mut().for_each(|m| m[axis] = 0.0);
        }
        let friction = Coefficients { static_friction: 0.9, kinetic_friction: 0.7 };
        let pair = Pair { friction, bounce: 0.0, restitution: 0.0 };
        let acceleration = Vector::new(0.0, 0.0, -9.81);
        let mut loads: Vec<Box<dyn Force>> = vec![Box::new(Gravity {
            acceleration,
            masses: masses.clone(),
            factor: None,
            crew: Arc::default(),
        })];
        if let Some((particle, force)) = self.push {
            let (from, until, ramp) = (0.0, f64::INFINITY, 0.2);
            loads.push(Box::new(PushForce {
                particles: vec![particle],
                force,
                span: Span { from, until },
                ramp,
                factor: None,
            }));
        }
        let model = Model {
            springs: Springs::new(self.springs, n),
            elements: Default::default(),
            cuts: Default::default(),
            crew: Arc::new(Crew::alone(n)),
            surfaces: Surfaces {
                anisotropic: false,
                inverse_masses: masses.iter().map(|m| 1.0 / m).collect(),
                pairs: Pairs::new(
                    &vec![0; self.colliders.len()],
                    &vec![0; self.bodies.len()],
                    |_, _| pair,
                ),
                colliders: self.colliders,
                grains: Vec::new(),
                between: None,
                slack: 0.01,
                radii: self.radii,
                starts: self.bodies.iter().map(|b| b.particles.start).chain([n]).collect(),
                shared: Vec::new(),
                crew: Arc::default(),
                found: Default::default(),
            },
            laws: Some(Laws {
                normal: Box::new(Linear {
                    stiffness: 2e4,
                    damping: LinearDamping::Coefficient(20.0),
                }),
                friction: Box::new(Threshold { epsilon: 1e-2 }),
                adhesion: None,
                stretch: StretchIn::Commit,
            }),
            muscles: Vec::new(),
            halt: Default::default(),
            unsteady: false,
            bodies: self.bodies,
            masses,
            inverse_masses,
            gravity: acceleration,
            locked_axis: self.locked_axis,
            loads,
            rigid: Vec::new(),
            others: Vec::new(),
            profile: Profile::default(),
            reference: self.positions.clone(),
        };
        let state = State {
            velocities: self.positions.iter().map(|p| velocity(*p)).collect(),
            positions: self.positions.into_iter().map(place).collect(),
            ..State::default()
        };
        let row = INTEGRATORS.find(integrator).unwrap();
        let method = (row.make)(&Values::defaults(row.keys)).unwrap();
        Simulation::new(model, state, method, step)
    }
}

fn still(_: Vector) -> Vector {
    Vector::zeros()
}

/// A soft box of 7 × 17 particles, posed: leaning over, its heel in the floor, sliding there.
pub fn leaning_box() -> Simulation {
    let making = Making::new().lattice([7, 1, 17], 0.1, Vector::zeros()).floor().planar();
    let lean = |p: Vector| {
        let x = p.x + 0.10 * p.z * p.z;
        Vector::new(x, p.y, p.z * (1.0 - 0.03 * p.x) - 0.004 * p.x - 0.001)
    };
    making.run("rk4", 2e-6, lean, |p| Vector::new(0.004 + 0.02 * p.x, 0.0, 0.0))
}

/// A soft cube on a floor beside a ball and a block.
pub fn cube() -> Simulation {
    let ball = SphereSurface { center: Vector::new(1.1, 0.2, 0.25), radius: 0.25, inside: false };
    let block = Cuboid {
        center: Vector::new(-0.55, 0.35, 0.15),
        half: Vector::new(0.25, 0.2, 0.15),
        rotation: Matrix::identity(),
        inside: false,
    };
    let making = Making::new().lattice([7, 7, 7], 0.1, Vector::zeros()).floor();
    let making = making.collider("ball", ball, Motion::default());
    let making = making.collider("block", block, Motion::default());
    let twist = |p: Vector| {
        let (x, y) = (p.x - 0.3, p.y - 0.3);
        let angle = 0.5 * p.z;
        Vector::new(0.3 + x - angle * y, 0.3 + y + angle * x, p.z * 0.98 - 0.002)
    };
    making.run("implicit-euler", 1e-3, twist, |p| Vector::new(0.02 * p.x, -0.02 * p.y, 0.0))
}

/// A twisted cube of 4,096 particles and 45,000 springs, in the floor.
pub fn crowd() -> Simulation {
    let making = Making::new().lattice([16, 16, 16], 0.1, Vector::zeros()).floor();
    let twist = |p: Vector| {
        let (s, c) = (stiction_core::math::sin(0.6 * p.z), stiction_core::math::cos(0.6 * p.z));
        Vector::new(c * p.x - s * p.y, s * p.x + c * p.y, 0.96 * p.z - 0.001)
    };
    making.run("symplectic-euler", 1e-4, twist, |p| Vector::new(0.02 * p.x, 0.0, 0.0))
}

/// A chain of balls over a sphere above a moving belt.
pub fn chain() -> Simulation {
    let post = SphereSurface { center: Vector::new(0.0, 0.0, 0.6), radius: 0.3, inside: false };
    let points = (0..25).map(|k| {
        let angle = 0.13 * f64::from(k - 12);
        let (s, c) = (stiction_core::math::sin(angle), stiction_core::math::cos(angle));
        Vector::new(0.339 * s, 0.02 * s, 0.6 + 0.339 * c)
    });
    let belt = Motion { belt: Vector::new(0.3, 0.0, 0.0), ..Motion::default() };
    let plane = Plane { normal: Vector::z(), point: Vector::zeros() };
    let making = Making::new().chain(points.collect(), 0.04);
    let making = making.collider("post", post, Motion::default()).collider("belt", plane, belt);
    making.run("symplectic-euler", 1e-4, |p| p, |p| Vector::new(0.0, 0.02 * p.x, 0.0))
}

/// A bead on a tilted ring.
pub fn bead_on_ring() -> Simulation {
    let text = r#"
format = 1
time = { end = 1.0, step = 1e-3, output = 1.0 }
integrator = { method = "rk4" }
[world]
gravity = [0, 0, -9.81]
[materials.steel]
static_friction = 0.05
[[body]]
name = "bead"
mass = 0.2
shape = { particle = {} }
position = [0.9, 0.3, -0.316227766]
[[curve]]
body = "bead"
phi = ["x^2 + y^2 + z^2 - 1", "y + z/3 + c"]
constants = { c = -0.194590745 }
"#;
    let options = LoadOptions::default();
    let scene = load_text("ring", text, Path::new("."), &options).unwrap().scene;
    Run::new(&scene, &BuildOptions::default()).unwrap().into_simulation()
}

/// Nothing at all.
pub fn empty() -> Simulation {
    Making::new().run("rk4", 1e-3, |p| p, still)
}

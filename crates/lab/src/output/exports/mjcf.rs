//! A scene as MuJoCo's XML (MJCF), to run the same box there.
//!
//! Rigid bodies, balls and elastic lattices on resting colliders: geometry, mass, inertia, pose, velocity, gravity,
//! step, moduli and coefficients of friction are the scene's. Normal force and friction are MuJoCo's own, a
//! soft constraint whose friction creeps by the regularisation of its cone: neither normal nor
//! friction law is carried over. The format: \[mujoco2012\].

mod flex;
mod misfits;
mod surfaces;

use crate::output::Inexpressible;
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionForm, FrictionLaw};
use stiction_core::integrators::Capabilities;
use stiction_core::math::{Matrix, Rotation, Vector, radians, rotation_xyz, sqrt, tangential};
use stiction_core::nalgebra::Rotation3;
use stiction_core::world::shapes::{self, lattice, particle};
use stiction_scene::build::{Built, coefficients};
use stiction_scene::{Body, Collider, Scene};
use surfaces::{Surface, surface};

/// Names of the body shapes that become geoms; [`geom`] reads their keys.
const LATTICE: &str = lattice::ENTRY.name;
const SPHERE: &str = shapes::sphere::ENTRY.name;
const PARTICLE: &str = particle::ENTRY.name;

/// Geom that a body becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Geom {
    /// Half sizes \[m\].
    Box(Vector),
    /// Radius \[m\].
    Ball(f64),
    /// Radius of a particle \[m\]: a ball that does not rotate.
    Particle(f64),
}

/// The XML text.
///
/// # Errors
/// Everything in the scene without a counterpart in MJCF.
pub fn document(scene: &Scene, built: &Built) -> Result<String, Inexpressible> {
    misfits::refuse(scene)?;
    let mut xml = String::from("<mujoco>\n");
    let method = &scene.integrator.name;
    let integrator = integrator(&built.integrator.capabilities());
    xml += &format!("  <!-- stiction {}: ", env!("CARGO_PKG_VERSION"));
    xml += &format!("{method} becomes {integrator}; contact and friction are MuJoCo's own -->\n");
    xml += &format!(
        "  <option timestep=\"{}\" gravity=\"{}\" integrator=\"{integrator}\" cone=\"elliptic\"/>\n",
        scene.time.step,
        numbers(scene.gravity)
    );
    if !scene.title.is_empty() {
        let title = escaped(&scene.title);
        xml += &format!("  <custom>\n    <text name=\"title\" data=\"{title}\"/>\n  </custom>\n");
    }
    xml += "  <worldbody>\n";
    let soft = scene.bodies.iter().any(|body| flex::is_grid(scene, body));
    scene.colliders.iter().for_each(|c| xml += &collider(c, soft));
    let (mut places, mut speeds) = (Vec::new(), Vec::new());
    for (number, described) in scene.bodies.iter().enumerate() {
        if flex::is_grid(scene, described) {
            xml += &flex::element((scene, number), built, (&mut places, &mut speeds));
            continue;
        }
        let placed = Placed::new(described, number, built);
        xml += &placed.element(described);
        placed.key(&mut places, &mut speeds);
    }
    xml += "  </worldbody>\n  <contact>\n";
    xml += &pairs(scene);
    let (places, speeds) = (joined(&places), joined(&speeds));
    xml += &format!(
        "  </contact>\n  <keyframe>\n    <key name=\"start\" qpos=\"{places}\" qvel=\"{speeds}\"/>\n  </keyframe>\n</mujoco>\n"
    );
    Ok(xml)
}

/// The nearest of MuJoCo's methods: its Euler updates the velocity first.
fn integrator(method: &Capabilities) -> &'static str {
    match (method.implicit, method.order) {
        (true, _) => "implicitfast",
        (false, 3..) => "RK4",
        (false, _) => "Euler",
    }
}

/// The geom of a body, if it has one.
fn geom(body: &Body) -> Option<Geom> {
    let values = &body.shape.values;
    match (body.shape.name, body.rigid) {
        (LATTICE, true) => {
            let (counts, spacing) = (values.get_integers("counts")?, values.number("spacing"));
            let half = |k: usize| 0.5 * (counts[k] - 1) as f64 * spacing + body.radius;
            Some(Geom::Box(Vector::new(half(0), half(1), half(2))))
        }
        (SPHERE, true) => Some(Geom::Ball(values.number("radius") + body.radius)),
        (PARTICLE, _) => Some(Geom::Particle(body.radius)),
        _ => None,
    }
}

/// Pose and motion of a body at t = 0.
struct Placed {
    geom: Geom,
    /// centre of mass \[m\]
    center: Vector,
    attitude: Matrix,
    /// of the centre of mass \[m/s\]
    velocity: Vector,
    /// in the body's own axes \[rad/s\]
    spin: Vector,
    mass: f64,
    /// in the body's own axes \[kg·m²\]
    inertia: Matrix,
}

impl Placed {
    fn new(body: &Body, number: usize, built: &Built) -> Placed {
        let geom = geom(body).expect("bodies without a geom were refused");
        let particles = &built.model.bodies[number].particles;
        let (first, state) = (particles.start, &built.state);
        let attitude = rotation_xyz(body.rotation.map(radians));
        match (geom, built.model.rigid_of(first)) {
            (Geom::Box(_) | Geom::Ball(_), Some(rigid)) => {
                let (velocity, spin) = rigid.twist(state);
                Placed {
                    geom,
                    center: rigid.center(&state.positions),
                    attitude,
                    velocity,
                    spin: attitude.transpose() * spin,
                    mass: rigid.mass,
                    inertia: attitude.transpose() * rigid.inertia * attitude,
                }
            }
            _ => Placed {
                geom,
                center: state.positions[first],
                attitude: Matrix::identity(),
                velocity: state.velocities[first],
                spin: Vector::zeros(),
                mass: built.model.masses[first],
                // it cannot rotate, but MJCF requires an inertia
                inertia: Matrix::identity() * built.model.masses[first] * body.radius * body.radius,
            },
        }
    }

    fn element(&self, body: &Body) -> String {
        let name = escaped(&body.name);
        let (pos, quat) = (numbers(self.center), quaternion(&self.attitude));
        let mut xml = format!("    <body name=\"{name}\" pos=\"{pos}\" quat=\"{quat}\">\n");
        xml += &match self.geom {
            Geom::Particle(_) => ["1 0 0", "0 1 0", "0 0 1"]
                .map(|axis| format!("      <joint type=\"slide\" axis=\"{axis}\"/>\n"))
                .concat(),
            _ => "      <freejoint/>\n".into(),
        };
        let i = &self.inertia;
        let inertia = [i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(0, 1)], i[(0, 2)], i[(1, 2)]];
        xml += &format!(
            "      <inertial pos=\"0 0 0\" mass=\"{}\" fullinertia=\"{}\"/>\n",
            self.mass,
            joined(&inertia)
        );
        let size = match self.geom {
            Geom::Box(half) => format!("type=\"box\" size=\"{}\"", numbers(half)),
            Geom::Ball(radius) | Geom::Particle(radius) => {
                format!("type=\"sphere\" size=\"{radius}\"")
            }
        };
        xml + &format!(
            "      <geom name=\"body {name}\" {size} {TOUCHES_BY_PAIRS}/>\n    </body>\n"
        )
    }

    /// Adds its coordinates and velocities to the keyframe.
    fn key(&self, places: &mut Vec<f64>, speeds: &mut Vec<f64>) {
        speeds.extend(self.velocity.iter());
        if let Geom::Particle(_) = self.geom {
            // slides count from the initial position
            places.extend([0.0; 3]);
            return;
        }
        speeds.extend(self.spin.iter());
        places.extend(self.center.iter());
        places.extend(quaternion_numbers(&self.attitude));
    }
}

/// Geoms touch only by explicit pairs.
const TOUCHES_BY_PAIRS: &str = "contype=\"0\" conaffinity=\"0\"";

/// A geom at rest, which elastic bodies touch too where there are any.
fn collider(collider: &Collider, soft: bool) -> String {
    let touches = if soft { flex::COLLIDES } else { TOUCHES_BY_PAIRS };
    let surface = surface(collider.shape.name).expect("other shapes were refused");
    let Surface { kind, size, center, turn } = surface(&collider.shape.values);
    let mut xml = format!(
        "    <geom name=\"collider {}\" type=\"{kind}\" pos=\"{}\" quat=\"{}\" size=\"{size}\" {touches}",
        escaped(&collider.name),
        numbers(center),
        quaternion(&turn)
    );
    let mut belt = collider.motion.belt.velocity;
    if kind == "plane" {
        belt = tangential(belt, turn * Vector::z());
    }
    if belt != Vector::zeros() {
        // in the geom's own axes, like the rate of turn after it
        xml += &format!(" surfacevel=\"{} 0 0 0\"", numbers(turn.transpose() * belt));
    }
    xml + "/>\n"
}

/// The friction law of a scene whose contacts are forces.
fn made(scene: &Scene) -> Option<Box<dyn FrictionLaw>> {
    let friction = Some(&scene.contact.friction).filter(|_| !scene.contact.jumps())?;
    (FRICTION_LAWS.find(friction.name)?.make)(&friction.values).ok()
}

/// Whether contact has its normal alone.
fn is_frictionless(scene: &Scene) -> bool {
    made(scene).is_some_and(|law| law.form() == FrictionForm::Frictionless)
}

/// The coefficient of every pair that may touch; without friction, contact has its normal alone.
fn pairs(scene: &Scene) -> String {
    let mut xml = String::new();
    let frictionless = is_frictionless(scene);
    let mut pair = |a: String, b: String, mu: f64| {
        let dimensions = if frictionless || mu == 0.0 { 1 } else { 3 };
        xml += &format!(
            "    <pair geom1=\"{a}\" geom2=\"{b}\" condim=\"{dimensions}\" friction=\"{mu} {mu} 0 0 0\"/>\n"
        );
    };
    let geoms = scene.bodies.iter().enumerate();
    for (number, body) in geoms.filter(|(_, body)| !flex::is_grid(scene, body)) {
        let own = format!("body {}", escaped(&body.name));
        let mu = |other: usize| coefficients(scene, body.material, other).static_friction;
        for collider in &scene.colliders {
            let other = format!("collider {}", escaped(&collider.name));
            pair(own.clone(), other, mu(collider.material));
        }
        let others = scene.bodies[number + 1..].iter().filter(|_| scene.contact.bodies);
        for other in others {
            pair(own.clone(), format!("body {}", escaped(&other.name)), mu(other.material));
        }
    }
    xml
}

fn numbers(v: Vector) -> String {
    joined(v.as_slice())
}

fn joined(numbers: &[f64]) -> String {
    let texts: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
    texts.join(" ")
}

fn quaternion(turn: &Matrix) -> String {
    joined(&quaternion_numbers(turn))
}

/// The components w, x, y, z of a rotation's quaternion.
fn quaternion_numbers(turn: &Matrix) -> [f64; 4] {
    let rotation = Rotation3::from_matrix_unchecked(*turn);
    let q = Rotation::from_rotation_matrix(&rotation);
    let length = sqrt(q.w * q.w + q.i * q.i + q.j * q.j + q.k * q.k);
    [q.w / length, q.i / length, q.j / length, q.k / length]
}

/// A text escaped for use in an attribute.
fn escaped(text: &str) -> String {
    let entities = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;")];
    // XML has no control characters
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    entities.iter().fold(text, |text, (sign, entity)| text.replace(*sign, entity))
}

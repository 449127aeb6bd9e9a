//! The same scene with bodies held on surfaces by Lagrange multipliers instead of contact forces:
//! contact without lift-off.

use stiction_core::contact::collider::{implicit, plane};
use stiction_core::math::Vector;
use stiction_core::world;
use stiction_core::world::shapes::particle;
use stiction_scene::build::coefficients;
use stiction_scene::description::{Body, Curve, CurveFriction, Scene, Selection};

/// Names of the colliders that can be written as curves.
const PLANE: &str = plane::ENTRY.name;
const IMPLICIT: &str = implicit::ENTRY.name;

/// Name of this method in `compare --methods`.
pub const NAME: &str = "multiplier";

/// The scene with every body held by `[[curve]]` on its only collider, a plane or an implicit
/// surface at rest, with the friction of the pair; else the reason why not.
pub(crate) fn instead_of_contact(scene: &Scene) -> Result<Scene, String> {
    let [collider] = &scene.colliders[..] else {
        return Err(format!("the scene has {} colliders, not one", scene.colliders.len()));
    };
    let resting = collider.motion == Default::default() && scene.motions.is_empty();
    if !resting || collider.anisotropy.is_some() {
        return Err("the collider moves or has a grain".into());
    }
    let particle = |body: &Body| !body.rigid && body.shape.name == particle::ENTRY.name;
    if let Some(body) = scene.bodies.iter().find(|body| !particle(body)) {
        return Err(format!("`{}` is not a single particle", body.name));
    }
    let mut scene = scene.clone();
    let collider = scene.colliders.remove(0);
    let values = &collider.shape.values;
    if collider.shape.name == PLANE {
        let (n, p) = (values.vector("normal").normalize(), values.vector("point"));
        // a multiplier holds bodies on the plane, without the depth that a contact force needs
        for body in &mut scene.bodies {
            let depth = n.dot(&(p - body.position)) + body.radius;
            body.position += n * depth;
        }
    }
    for (number, body) in scene.bodies.iter().enumerate() {
        let text = match collider.shape.name {
            PLANE => {
                let (n, p) = (values.vector("normal").normalize(), values.vector("point"));
                plane(n, n.dot(&p) + body.radius)
            }
            IMPLICIT if body.radius == 0.0 => values.text("phi").to_string(),
            other => {
                return Err(format!("a collider `{other}` is no curve for a body of its radius"));
            }
        };
        let constants = values.constants("constants");
        world::Curve::parse(&[&text], &constants).map_err(|fault| fault.message)?;
        let friction = coefficients(&scene, body.material, collider.material);
        scene.curves.push(Curve {
            body: number,
            selection: Selection::All,
            phi: vec![text],
            constants,
            friction: CurveFriction {
                kinetic: friction.kinetic_friction,
                static_: friction.static_friction,
                rest: true,
                ..CurveFriction::default()
            },
            stabilisation: 0.2,
            ..Curve::default()
        });
    }
    Ok(scene)
}

/// n·x − d as a formula.
fn plane(n: Vector, d: f64) -> String {
    format!("({:?})*x + ({:?})*y + ({:?})*z - ({d:?})", n.x, n.y, n.z)
}

//! Colliders as granular walls, contact between loose particles as a granular pair style.

use super::{Export, Inexpressible, granular, numbers, plain};
use stiction_core::contact::collider::{Collider, ColliderForm};
use stiction_core::contact::pair::Pair;
use stiction_scene::build::Built;

/// Radii of solid balls among the colliders \[m\].
pub(super) fn balls(built: &Built) -> impl Iterator<Item = f64> {
    built.model.surfaces.colliders.iter().filter_map(|collider| match collider.shape.form() {
        ColliderForm::Sphere(ball) if !ball.inside => Some(ball.radius),
        _ => None,
    })
}

/// The LAMMPS region in which the particles may be. Its surface recedes by `shift` \[m\], by which
/// the exported radii exceed those of the scene. `None` for forms other than planes and balls.
pub(super) fn region(collider: &Collider, shift: f64) -> Option<String> {
    Some(match collider.shape.form() {
        ColliderForm::Plane(plane) => {
            let point = plane.point - plane.normal * shift;
            format!("plane {} {}", numbers(point), numbers(plane.normal))
        }
        ColliderForm::Sphere(ball) => {
            let (radius, side) = if ball.inside {
                (ball.radius + shift, "in")
            } else {
                (ball.radius - shift, "out")
            };
            format!("sphere {} {radius:?} side {side}", numbers(ball.center))
        }
        _ => return None,
    })
}

/// One fix for each collider and each kind of contact on it.
pub(super) fn script(export: &mut Export) -> Result<String, Inexpressible> {
    let built = export.built;
    let (model, all) = (&built.model, built.model.particles());
    let Some(laws) = model.laws.as_ref().filter(|_| model.touches()) else {
        return Ok(String::new());
    };
    let mut text = String::new();
    for (number, collider) in model.surfaces.colliders.iter().enumerate() {
        let place = region(collider, export.shift).expect("other forms were refused");
        let wall = number + 1;
        text += &format!("\n# collider {}\nregion wall{wall} {place}\n", plain(&collider.name));
        let mut kinds: Vec<(String, Vec<usize>, usize)> = Vec::new();
        for (at, body) in model.bodies.iter().enumerate() {
            let pair: &Pair = model.surfaces.pairs.of(number, at);
            let words = granular(laws, pair, model.masses[body.particles.start]);
            match kinds.iter_mut().find(|(same, ..)| *same == words) {
                Some((_, particles, _)) => particles.extend(body.particles.clone()),
                None => kinds.push((words, body.particles.clone().collect(), at + 1)),
            }
        }
        for (words, particles, body) in kinds {
            let group = export.groups.of(&format!("like_body{body}"), particles, all)?;
            text += &format!(
                "fix wall{wall}_{group} {group} wall/gran/region granular {words} region wall{wall}\n"
            );
        }
    }
    Ok(text)
}

/// Contact between bodies: the pair style and its coefficients, or none.
pub(super) fn between(export: &Export) -> String {
    let model = &export.built.model;
    let (Some(between), Some(laws)) = (&model.surfaces.between, &model.laws) else {
        return "\n# bodies do not touch each other\npair_style none\natom_modify sort 0 0\n"
            .into();
    };
    let mass = |body: usize| model.masses[model.bodies[body].particles.start];
    let mut text = String::from("\n# contact between bodies\npair_style granular\n");
    for a in 0..model.bodies.len() {
        for b in a..model.bodies.len() {
            let meeting = 1.0 / (1.0 / mass(a) + 1.0 / mass(b));
            let words = granular(laws, between.pairs.of(a, b), meeting);
            text += &format!("pair_coeff {} {} {words}\n", a + 1, b + 1);
        }
    }
    text + "neigh_modify exclude molecule/intra all\n"
}

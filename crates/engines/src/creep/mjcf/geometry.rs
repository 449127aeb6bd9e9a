//! The contact's geometry: how the body lies or is gripped, as parameters of the engine.

use super::model::{Body, Element, Model};
use super::weights::Reason;
use crate::creep::reading::Parameters;
use stiction_core::math::{Vector, atan2, degrees, larger};
use stiction_scene::mjcf::attributes::Frame;

/// Largest deviation from a right angle or from an axis: sine of the angle.
const STRAIGHT: f64 = 1e-6;

/// The frame of an element, if its angles and those around it are read.
fn frame_of<'a>(model: &Model<'a>, body: &Body<'a>, node: Element<'a>) -> Result<Frame, Reason> {
    let shown = || format!("the pose of a geom of `{}` is not read", body.name);
    if node.parent_element().is_some_and(|around| around.has_tag_name("frame")) {
        return Err(shown());
    }
    let outer = body.frame.ok_or_else(shown)?;
    model.reader.frame(node, outer).map_err(|_| shown())
}

/// Number of contacts of a box with another geom, or of a geom with a box or plane; `None` if that
/// is not known.
pub fn contacts(one: &str, other: &str) -> Option<f64> {
    match (one, other) {
        ("box", "box" | "plane") | ("plane", "box") => Some(4.0),
        ("box" | "plane", "sphere" | "ellipsoid") | ("sphere" | "ellipsoid", "box" | "plane") => {
            Some(1.0)
        }
        ("box" | "plane", "capsule") | ("capsule", "box" | "plane") => Some(2.0),
        _ => None,
    }
}

/// Whether a geom may roll on a slope and between fingers.
pub fn is_round(kind: &str) -> bool {
    matches!(kind, "sphere" | "capsule" | "ellipsoid" | "cylinder")
}

/// Half sizes of a box \[m\].
fn half<'a>(model: &Model<'a>, node: Element<'a>) -> Option<Vector> {
    (model.reader.text(node, "type") == Some("box"))
        .then(|| model.reader.merged::<3>(node, "size", [0.0; 3]).ok())?
        .map(Vector::from)
}

/// The axis of a frame, and its sign, nearest to a direction.
fn nearest(frame: &Frame, direction: &Vector) -> (usize, Vector) {
    let along = |k: usize| frame.turn.column(k).dot(direction);
    let mut best = 0;
    for k in 1..3 {
        if along(k).abs() > along(best).abs() {
            best = k;
        }
    }
    (best, frame.turn.column(best) * along(best).signum())
}

/// The normal of the face of a box beyond which a place lies farthest.
fn face(ground: &Frame, size: &Vector, place: &Vector) -> Vector {
    let local = ground.turn.transpose() * (place - ground.place);
    let beyond = |k: usize| local[k].abs() - size[k];
    let mut best = 0;
    for k in 1..3 {
        if beyond(k) > beyond(best) {
            best = k;
        }
    }
    ground.turn.column(best) * local[best].signum()
}

/// Whether the centre of mass of a body is that of its geom: the only one with mass, or at the place of `<inertial>`.
fn centred<'a>(model: &Model<'a>, body: &Body<'a>, geom: Element<'a>) -> Result<(), Reason> {
    let shown = |what: &str| {
        format!("the centre of mass of `{}` is not that of its geom: {what}", body.name)
    };
    if model.reader.text(geom, "fromto").is_some() {
        return Err(shown("`fromto` is not read"));
    }
    let place = |node: Element<'a>| {
        let place = model.reader.merged::<3>(node, "pos", [0.0; 3]);
        place.map(Vector::from).map_err(|_| shown("its place is not read"))
    };
    match body.inertial {
        Some(inertial) if (place(inertial)? - place(geom)?).norm() > STRAIGHT => {
            Err(shown("<inertial> has another place"))
        }
        None if body.geoms.len() > 1 => Err(shown("it has several geoms")),
        _ => Ok(()),
    }
}

/// A body that lies on another: the slope, and the base of its box.
pub fn lying<'a>(
    model: &Model<'a>,
    [body, floor]: [&Body<'a>; 2],
    [own, under]: [Element<'a>; 2],
    gravity: &Vector,
    into: &mut Parameters,
) -> Result<(), Reason> {
    let ground = frame_of(model, floor, under)?;
    let plane = model.reader.text(under, "type");
    let frame = frame_of(model, body, own)?;
    let normal = match (plane == Some("plane"), half(model, under)) {
        (true, _) => ground.turn.column(2).into_owned(),
        (false, Some(size)) => face(&ground, &size, &frame.place),
        _ => return Err(format!("`{}` is neither a plane nor a box", floor.name)),
    };
    let pull = gravity - normal * gravity.dot(&normal);
    let angle = degrees(atan2(pull.norm(), -gravity.dot(&normal)));
    into.entry("slope").or_insert(angle.into());
    centred(model, body, own)?;
    let Some(half) = half(model, own) else {
        return Err(format!("`{}` is no box: what it does on a slope is not known", body.name));
    };
    let (standing, axis) = nearest(&frame, &normal);
    if axis.cross(&normal).norm() > STRAIGHT {
        return Err(format!("`{}` does not lie flat at the start", body.name));
    }
    let downhill = if pull.norm() > 0.0 {
        pull.normalize()
    } else {
        frame.turn.column((standing + 1) % 3).into_owned()
    };
    let (front, ahead) = nearest(&frame, &downhill);
    if ahead.cross(&downhill).norm() > STRAIGHT {
        return Err(format!("no edge of `{}` points downhill", body.name));
    }
    let side = 3 - standing - front;
    for (key, k, times) in [("length", front, 2.0), ("width", side, 2.0), ("height", standing, 1.0)]
    {
        into.entry(key).or_insert((times * half[k]).into());
    }
    let below = match plane == Some("plane") {
        true => None,
        false => self::half(model, under).map(|size| (ground, size)),
    };
    if below.is_some_and(|below| overhangs(&frame, &half, standing, &below)) {
        return Err(format!("the base of `{}` overhangs `{}`", body.name, floor.name));
    }
    along_edge(&normal, &downhill)
}

/// Whether a corner of a box lies beyond the sides of the box below it.
fn overhangs(
    frame: &Frame,
    half: &Vector,
    standing: usize,
    (ground, size): &(Frame, Vector),
) -> bool {
    let up = frame.turn.column(standing).into_owned();
    let (face, _) = nearest(ground, &up);
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let own = Vector::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z);
        ground.turn.transpose() * (frame.place + frame.turn * own - ground.place)
    };
    (0..8)
        .map(corner)
        .any(|at| (0..3).any(|k| k != face && at[k].abs() > (1.0 + STRAIGHT) * size[k]))
}

/// Whether a load lies along a tangent of the frame that MuJoCo gives a contact with this normal: the
/// first is y, or z where the normal is near y, made perpendicular to it.
fn along_edge(normal: &Vector, load: &Vector) -> Result<(), Reason> {
    let near = normal.y.abs() >= 0.5;
    let guess = if near { Vector::z() } else { Vector::y() };
    let first = (guess - normal * guess.dot(normal)).normalize();
    let across = larger(first.dot(load).abs(), first.cross(normal).dot(load).abs());
    match across > 1.0 - STRAIGHT {
        true => Ok(()),
        false => Err("the load lies between the edges of the friction cone".into()),
    }
}

/// The joint axis of what carries a finger, in the world.
fn joint_axis(model: &Model, finger: &Body) -> Result<Vector, Reason> {
    let shown = || format!("the slide joint of `{}` is not read", finger.name);
    let mut carrier = finger;
    while carrier.joints.is_empty() {
        carrier = &model.bodies[carrier.parent.ok_or_else(shown)?];
    }
    let ([joint], Some(frame)) = (&carrier.joints[..], carrier.frame) else { return Err(shown()) };
    let axis = model.reader.merged::<3>(*joint, "axis", [0.0, 0.0, 1.0]).map_err(|_| shown())?;
    Ok((frame.turn * Vector::from(axis)).normalize())
}

/// A body between two fingers on slide joints, one geom on each: whether it was compared so, with
/// the load across the joints, the pads opposite each other, and the centre of the body between.
pub fn gripped<'a>(
    model: &Model<'a>,
    body: &Body<'a>,
    fingers: [&Body<'a>; 2],
    pads: [[Element<'a>; 2]; 2],
    gravity: &Vector,
) -> Result<(), Reason> {
    if let Some([own, _]) = pads.first() {
        centred(model, body, *own)?;
    }
    let down = gravity.normalize();
    let mut places = Vec::new();
    for (finger, [own, pad]) in fingers.into_iter().zip(pads) {
        let axis = joint_axis(model, finger)?;
        if axis.dot(&down).abs() > STRAIGHT {
            return Err(format!("gravity acts along the joint of `{}`", finger.name));
        }
        along_edge(&axis, &down)?;
        let (inner, outer) = (frame_of(model, body, own)?, frame_of(model, finger, pad)?);
        if nearest(&inner, &axis).1.cross(&axis).norm() > STRAIGHT {
            return Err(format!("`{}` presses on no face of `{}`", finger.name, body.name));
        }
        let aligned = |k: usize| {
            let side = inner.turn.column(k).into_owned();
            nearest(&outer, &side).1.cross(&side).norm() < STRAIGHT
        };
        if half(model, pad).is_some() && !(0..3).all(aligned) {
            return Err(format!(
                "the pad of `{}` is turned: its contacts are not counted",
                finger.name
            ));
        }
        let across = axis.cross(&down);
        let place = outer.place - inner.place;
        if place.dot(&across).abs() > STRAIGHT {
            return Err(format!("the centre of `{}` is not between the pads", body.name));
        }
        places.push(place);
    }
    let apart = (places[0] - places[1]).dot(&down).abs();
    if apart > STRAIGHT || places[0].dot(&places[1]) > 0.0 {
        return Err("the pads are not opposite each other".into());
    }
    Ok(())
}

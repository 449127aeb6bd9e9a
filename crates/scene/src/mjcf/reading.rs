//! Elements of MJCF as colliders and bodies.

use super::attributes::{Fault, Frame, Lines, Reader, fault, quaternion};
use super::flex::{self, Flex};
use roxmltree::{Document, Node};
use std::collections::{HashMap, HashSet};
use stiction_core::math::{Matrix, Vector};
use stiction_core::registry::words::{listed, quoted};

/// The frame of the world.
const AT_ORIGIN: Frame = Frame {
    place: Vector::new(0.0, 0.0, 0.0),
    turn: Matrix::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
};

/// Attributes, by element, that are read, have no effect on the motion or are told of elsewhere.
const READ_ATTRIBUTES: [(&str, &[&str]); 10] = [
    ("option", &["gravity", "timestep"]),
    ("compiler", &["angle"]),
    (
        "geom",
        &[
            "name",
            "class",
            "type",
            "size",
            "pos",
            "quat",
            "axisangle",
            "euler",
            "friction",
            "mass",
            "density",
            "fromto",
            "solref",
            "solimp",
            "contype",
            "conaffinity",
            "rgba",
            "material",
            "group",
        ],
    ),
    ("body", &["name", "pos", "quat", "axisangle", "euler", "childclass"]),
    ("inertial", &["mass", "pos", "quat", "diaginertia", "fullinertia"]),
    ("pair", &["name", "class", "geom1", "geom2", "friction"]),
    ("key", &["name", "qpos", "qvel", "time"]),
    (
        "flexcomp",
        &[
            "name",
            "type",
            "count",
            "spacing",
            "dim",
            "mass",
            "radius",
            "rigid",
            "pos",
            "quat",
            "axisangle",
            "euler",
            "rgba",
            "material",
            "group",
        ],
    ),
    ("elasticity", &["young", "poisson", "damping", "thickness", "elastic2d"]),
    ("pin", &["id", "range", "grid", "gridrange"]),
];

/// Lists the attributes without a counterpart, element by element.
fn unread(model: &mut Model<'_>, root: Node) {
    for node in root.descendants() {
        let known = READ_ATTRIBUTES.iter().find(|(tag, _)| node.has_tag_name(*tag));
        let Some((_, known)) = known else { continue };
        let names = node.attributes().map(|attribute| attribute.name());
        let unknown: Vec<&str> = names.filter(|name| !known.contains(name)).collect();
        if !unknown.is_empty() {
            model.leave(node, &format!("{} without a counterpart", listed(&unknown)));
        }
    }
}

/// Shape of a geom \[m\].
#[derive(Debug, Clone)]
pub enum Shape {
    Plane,
    Box([f64; 3]),
    Sphere(f64),
    /// Radius and half length.
    Cylinder(f64, f64),
    /// Radius and half length.
    Capsule(f64, f64),
}

/// A geom: a collider, or a body if it has a mass.
#[derive(Debug)]
pub struct Geom {
    pub name: String,
    pub geom: String,
    /// Its line and column.
    pub origin: [u32; 2],
    pub shape: Shape,
    pub frame: Frame,
    /// Its frame relative to its body.
    pub offset: Frame,
    pub friction: f64,
    pub mass: Option<f64>,
    pub velocity: Vector,
    pub spin: Vector,
}

/// The content of a model.
pub struct Model<'a> {
    pub gravity: [f64; 3],
    pub step: f64,
    pub geoms: Vec<Geom>,
    /// Elastic bodies, each with its line and column.
    pub flexes: Vec<(Flex, [u32; 2])>,
    /// Numbers of two geoms and their coefficient of friction.
    pub pairs: Vec<(usize, usize, f64)>,
    pub left_out: Vec<(u32, String)>,
    lines: Lines,
    /// names of geoms in pairs
    paired: HashSet<&'a str>,
}

/// Reads a document.
pub fn read<'a>(document: &'a Document<'a>) -> Result<Model<'a>, Fault> {
    let root = document.root_element();
    if !root.has_tag_name("mujoco") {
        return fault(root, "the outermost element of MJCF is <mujoco>");
    }
    let child = |name| root.children().find(|n| n.has_tag_name(name));
    let degrees = child("compiler").and_then(|c| c.attribute("angle")) != Some("radian");
    if let Some(compiler) = child("compiler").filter(|c| c.has_attribute("eulerseq")) {
        return fault(compiler, "`eulerseq` is not read; give quat or axisangle");
    }
    let reader = Reader::new(document, degrees);
    let mut model = Model {
        gravity: [0.0, 0.0, -9.81],
        step: 0.002,
        geoms: Vec::new(),
        flexes: Vec::new(),
        pairs: Vec::new(),
        left_out: Vec::new(),
        lines: Lines::of(document),
        paired: HashSet::new(),
    };
    for pair in document.descendants().filter(|n| n.has_tag_name("pair")) {
        model.paired.extend(["geom1", "geom2"].iter().filter_map(|key| pair.attribute(*key)));
    }
    if let Some(option) = child("option") {
        model.gravity = reader.first(option, "gravity", Some(model.gravity))?;
        [model.step] = reader.positive(option, "timestep", Some([model.step]))?;
    }
    const READ: [&str; 5] = ["option", "compiler", "default", "worldbody", "contact"];
    for node in root.children().filter(Node::is_element) {
        let name = node.tag_name().name();
        if name == "keyframe" || READ.contains(&name) {
            continue;
        }
        model.leave(node, "no counterpart in a scene");
        node.children().filter(Node::is_element).for_each(|n| model.leave(n, "as all around it"));
    }
    let mut free = Vec::new();
    root.children()
        .filter(|n| n.has_tag_name("worldbody"))
        .try_for_each(|world| walk(&reader, &mut model, &mut free, world, AT_ORIGIN))?;
    if model.flexes.is_empty() && model.geoms.iter().all(|geom| geom.mass.is_none()) {
        let world = child("worldbody").unwrap_or(root);
        let grid = model.left_out.iter().find(|(_, what)| what.starts_with("<flexcomp>"));
        let grid = grid.map_or(String::new(), |(line, what)| format!("; line {line}: {what}"));
        return fault(
            world,
            format!(
                "no body moves that a scene could have: one with a free joint or three slides, and a box or a sphere that touches, or a flexcomp grid with elasticity{grid}"
            ),
        );
    }
    pairs(&reader, &mut model, root)?;
    keyframe(&reader, &mut model, &free, root)?;
    unread(&mut model, root);
    model.left_out.sort();
    Ok(model)
}

impl Model<'_> {
    fn leave(&mut self, node: Node, why: &str) {
        let name = node.attribute("name").map(|n| format!(" {}", quoted(n)));
        let tag = node.tag_name().name();
        self.left_out
            .push((self.lines.line(node), format!("<{tag}>{}: {why}", name.unwrap_or_default())));
    }
}

/// Reads the elements of a body at rest, and bodies in it.
fn walk<'a>(
    reader: &Reader<'a>,
    model: &mut Model<'a>,
    free: &mut Vec<(usize, bool)>,
    body: Node<'a, 'a>,
    frame: Frame,
) -> Result<(), Fault> {
    for node in body.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "geom" => geom(reader, model, node, frame, None)?,
            "flexcomp" => {
                let read = flex::read(reader, node, frame, &mut |n, why| model.leave(n, why))?;
                let place = model.lines.place(node);
                model.flexes.extend(read.map(|flex| (flex, place)));
            }
            "body" => {
                let inner = reader.frame(node, frame)?;
                let has = |name| node.children().any(|n| n.has_tag_name(name));
                let joints = || node.children().filter(|n| n.has_tag_name("joint"));
                let kind = |n| reader.text(n, "type").unwrap_or("hinge");
                let slides = joints().count() == 3 && joints().all(|n| kind(n) == "slide");
                if has("freejoint") || joints().any(|n| kind(n) == "free") || slides {
                    moving(reader, model, free, node, inner, slides)?;
                } else {
                    walk(reader, model, free, node, inner)?;
                }
            }
            "joint" => model.leave(node, "joints are not modelled; the body is a collider at rest"),
            "inertial" => model.leave(node, "a body at rest needs no mass"),
            _ => model.leave(node, "no counterpart in a scene"),
        }
    }
    Ok(())
}

/// Reads a body that moves freely.
fn moving<'a>(
    reader: &Reader<'a>,
    model: &mut Model<'a>,
    free: &mut Vec<(usize, bool)>,
    body: Node<'a, 'a>,
    frame: Frame,
    slides: bool,
) -> Result<(), Fault> {
    let mut mass = None;
    let mut first = true;
    let before = model.geoms.len();
    if let Some(inertial) = body.children().find(|n| n.has_tag_name("inertial")) {
        mass = Some(reader.positive::<1>(inertial, "mass", None)?[0]);
        model.leave(inertial, "the inertia is that of the lattice of particles");
    }
    for node in body.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "geom" if first => {
                geom(reader, model, node, frame, Some(mass))?;
                first = model.geoms.len() == before;
            }
            "geom" => model.leave(node, "a body has one geom here"),
            "freejoint" | "joint" | "inertial" => {}
            _ => model.leave(node, "no counterpart in a scene"),
        }
    }
    if let Some(geom) = model.geoms.get_mut(before) {
        geom.name = body.attribute("name").unwrap_or(&geom.geom).to_string();
        let back = frame.turn.transpose();
        geom.offset =
            Frame { place: back * (geom.frame.place - frame.place), turn: back * geom.frame.turn };
        free.push((before, slides));
    } else {
        model.leave(body, "no geom that can be said");
        free.push((usize::MAX, slides));
    }
    Ok(())
}

/// Reads a geom. `body` is `None` for a body at rest, else the mass of its `inertial`, if there is
/// one.
fn geom<'a>(
    reader: &Reader<'a>,
    model: &mut Model<'a>,
    node: Node<'a, 'a>,
    frame: Frame,
    body: Option<Option<f64>>,
) -> Result<(), Fault> {
    let is_zero = |name| reader.text(node, name).is_some_and(|text| text.trim() == "0");
    let paired = node.attribute("name").is_some_and(|name| model.paired.contains(name));
    if is_zero("contype") && is_zero("conaffinity") && !paired {
        model.leave(node, "it is only seen: contype and conaffinity are 0");
        return Ok(());
    }
    let frame = reader.frame(node, frame)?;
    let Some(shape) = shape(reader, model, node)? else { return Ok(()) };
    let volume = match shape {
        Shape::Box([a, b, c]) => 8.0 * a * b * c,
        Shape::Sphere(r) => 4.0 / 3.0 * std::f64::consts::PI * r * r * r,
        _ if body.is_some() => {
            model.leave(node, "bodies that move are boxes and spheres");
            return Ok(());
        }
        _ => 0.0,
    };
    let friction = friction(reader, model, node)?;
    for name in ["solref", "solimp"] {
        if reader.text(node, name).is_some() {
            model.leave(node, &format!("`{name}`: contact here is exact, without stiffness"));
        }
    }
    let mass = match body {
        None => None,
        Some(Some(mass)) => Some(mass),
        Some(None) if reader.text(node, "mass").is_some() => {
            Some(reader.positive::<1>(node, "mass", None)?[0])
        }
        Some(None) => Some(reader.positive(node, "density", Some([1000.0]))?[0] * volume),
    };
    let name = node.attribute("name").map_or(format!("geom{}", model.geoms.len()), str::to_string);
    model.geoms.push(Geom {
        geom: name.clone(),
        origin: model.lines.place(node),
        name,
        shape,
        frame,
        offset: AT_ORIGIN,
        friction,
        mass,
        velocity: Vector::zeros(),
        spin: Vector::zeros(),
    });
    Ok(())
}

/// The coefficient of sliding friction of a geom; its torsional and rolling friction are left out.
fn friction<'a>(
    reader: &Reader<'a>,
    model: &mut Model<'a>,
    node: Node<'a, 'a>,
) -> Result<f64, Fault> {
    let [friction] = reader.first(node, "friction", Some([1.0]))?;
    if !(0.0..=100.0).contains(&friction) {
        return fault(node, "`friction` must lie from 0 to 100");
    }
    if reader.numbers(node, "friction")?.is_some_and(|f| f.len() > 1) {
        model.leave(node, "torsional and rolling friction");
    }
    Ok(friction)
}

/// The shape of a geom; `None` if it cannot be read, and the model then lists it as left out.
fn shape<'a>(
    reader: &Reader<'a>,
    model: &mut Model<'a>,
    node: Node<'a, 'a>,
) -> Result<Option<Shape>, Fault> {
    Ok(Some(match reader.text(node, "type").unwrap_or("sphere") {
        "plane" => Shape::Plane,
        "box" => Shape::Box(reader.positive(node, "size", None)?),
        "sphere" => Shape::Sphere(reader.positive::<1>(node, "size", None)?[0]),
        kind @ ("cylinder" | "capsule") => {
            if reader.text(node, "fromto").is_some() {
                model.leave(node, "`fromto` is not read; give pos, quat and size");
                return Ok(None);
            }
            let [radius, half] = reader.positive(node, "size", None)?;
            let cylinder = kind == "cylinder";
            if cylinder { Shape::Cylinder(radius, half) } else { Shape::Capsule(radius, half) }
        }
        kind => {
            model.leave(node, &format!("geoms of type {} are not read", quoted(kind)));
            return Ok(None);
        }
    }))
}

/// Reads the coefficients of pairs of geoms.
fn pairs<'a>(reader: &Reader<'a>, model: &mut Model<'a>, root: Node<'a, 'a>) -> Result<(), Fault> {
    let mut named: HashMap<String, usize> = HashMap::new();
    for (number, geom) in model.geoms.iter().enumerate() {
        named.entry(geom.geom.clone()).or_insert(number);
    }
    let contacts = root.children().filter(|n| n.has_tag_name("contact"));
    for node in contacts.flat_map(|n| n.children()).filter(Node::is_element) {
        let find = |key| named.get(node.attribute(key)?).copied();
        let mu = reader.first::<1>(node, "friction", Some([1.0]))?[0];
        match (node.has_tag_name("pair"), find("geom1"), find("geom2")) {
            (true, Some(a), Some(b)) if (0.0..=100.0).contains(&mu) => model.pairs.push((a, b, mu)),
            _ => model.leave(node, "contacts are chosen by colliders and bodies"),
        }
    }
    Ok(())
}

/// Reads positions and velocities of the first keyframe.
fn keyframe<'a>(
    reader: &Reader<'a>,
    model: &mut Model<'a>,
    free: &[(usize, bool)],
    root: Node<'a, 'a>,
) -> Result<(), Fault> {
    let keys = root.children().filter(|n| n.has_tag_name("keyframe"));
    let mut keys = keys.flat_map(|n| n.children()).filter(|n| n.has_tag_name("key"));
    let Some(key) = keys.next() else { return Ok(()) };
    keys.for_each(|n| model.leave(n, "a scene begins with the first keyframe"));
    let holds = |n: &Node<'a, 'a>| {
        let kind = reader.text(*n, "type").unwrap_or("hinge");
        n.has_tag_name("joint") && kind != "free" && kind != "slide"
    };
    if !model.flexes.is_empty() || root.descendants().any(|n| holds(&n)) {
        model.leave(key, "a keyframe counts joints that are not modelled");
        return Ok(());
    }
    let (q, v) = (reader.numbers(key, "qpos")?, reader.numbers(key, "qvel")?);
    let (mut at, mut speed) = (0, 0);
    for &(number, slides) in free {
        let (places, speeds) = if slides { (3, 3) } else { (7, 6) };
        let part = |all: &Option<Vec<f64>>, from: usize, count: usize| match all {
            None => Ok(None),
            Some(all) => match all.get(from..from + count) {
                Some(part) => Ok(Some(part.to_vec())),
                None => fault(key, "a keyframe has too few numbers"),
            },
        };
        let (q, v) = (part(&q, at, places)?, part(&v, speed, speeds)?);
        (at, speed) = (at + places, speed + speeds);
        let Some(geom) = model.geoms.get_mut(number) else { continue };
        if let Some(q) = q {
            let place = Vector::new(q[0], q[1], q[2]);
            if slides {
                geom.frame.place += place;
            } else {
                let length = stiction_core::math::sqrt(q[3..].iter().map(|x| x * x).sum());
                if length == 0.0 {
                    return fault(key, "a quaternion of `qpos` is zero");
                }
                let turn = quaternion([3, 4, 5, 6].map(|k| q[k] / length));
                geom.frame.place = place + turn * geom.offset.place;
                geom.frame.turn = turn * geom.offset.turn;
            }
        }
        if let Some(v) = v {
            geom.velocity = Vector::new(v[0], v[1], v[2]);
            if !slides {
                geom.spin = geom.frame.turn * Vector::new(v[3], v[4], v[5]);
            }
        }
    }
    Ok(())
}

//! The bodies of a model with their joints, geoms and frames.

use roxmltree::{Document, Node};
use stiction_core::math::{Matrix, Vector};
use stiction_scene::mjcf::attributes::{Frame, Reader, line};

/// An element of the document.
pub type Element<'a> = Node<'a, 'a>;

/// A body; the first is the world.
pub struct Body<'a> {
    /// Its name, or its line.
    pub name: String,
    /// Its number.
    pub number: usize,
    /// Its element.
    pub node: Element<'a>,
    /// Number of the body that it is in; none for the world.
    pub parent: Option<usize>,
    /// Joints, free ones too.
    pub joints: Vec<Element<'a>>,
    /// Geoms, each with the frame of the elements around it in the frame of the body.
    pub geoms: Vec<Element<'a>>,
    /// Its `inertial`.
    pub inertial: Option<Element<'a>>,
    /// Its frame in the world at the start; none if it cannot be read.
    pub frame: Option<Frame>,
}

/// A model.
pub struct Model<'a> {
    /// Attributes with their defaults.
    pub reader: Reader<'a>,
    /// The outermost element.
    pub root: Element<'a>,
    /// All bodies, those around others first.
    pub bodies: Vec<Body<'a>>,
    /// Parts that may change creep and are not read: line and reason.
    pub left_out: Vec<(u32, String)>,
}

/// Sections that hold, drive or deform bodies by other means than contact.
const CHANGING: [&str; 5] = ["equality", "tendon", "deformable", "extension", "custom"];

/// Elements within bodies that make bodies.
const MAKING: [&str; 4] = ["replicate", "attach", "composite", "flexcomp"];

/// Settings of the compiler that change masses or the order of angles.
const COMPILER: [&str; 6] = [
    "settotalmass",
    "boundmass",
    "boundinertia",
    "inertiagrouprange",
    "inertiafromgeom",
    "eulerseq",
];

/// The frame of the world.
const AT_ORIGIN: Frame = Frame {
    place: Vector::new(0.0, 0.0, 0.0),
    turn: Matrix::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
};

impl<'a> Model<'a> {
    /// The bodies of a document.
    pub fn of(document: &'a Document<'a>) -> Self {
        let root = document.root_element();
        let compilers = || root.children().filter(|n| n.has_tag_name("compiler"));
        let degrees = !compilers().any(|c| c.attribute("angle") == Some("radian"));
        let reader = Reader { document, degrees };
        let mut model = Model { reader, root, bodies: Vec::new(), left_out: Vec::new() };
        for node in root.children().filter(Node::is_element) {
            let tag = node.tag_name().name();
            if CHANGING.contains(&tag) && tag != "custom" && node.children().any(|n| n.is_element())
            {
                model.leave(node, format!("<{tag}> is not read"));
            }
        }
        for node in root.descendants().filter(|n| n.has_tag_name("adhesion")) {
            model.leave(node, "<adhesion> presses contacts and is not read".into());
        }
        for (node, name) in compilers().flat_map(|c| COMPILER.map(|name| (c, name))) {
            if node.has_attribute(name) {
                model.leave(node, format!("`{name}` of <compiler> is not read"));
            }
        }
        let worlds: Vec<Element> =
            root.children().filter(|n| n.has_tag_name("worldbody")).collect();
        for (k, world) in worlds.into_iter().enumerate() {
            if k == 0 {
                model.add(world, None, Some(AT_ORIGIN), "world".into());
            }
            model.fill(world);
        }
        model
    }

    fn leave(&mut self, node: Element, why: String) {
        self.left_out.push((line(node), why));
    }

    fn add(
        &mut self,
        node: Element<'a>,
        parent: Option<usize>,
        frame: Option<Frame>,
        name: String,
    ) {
        self.bodies.push(Body {
            name,
            number: self.bodies.len(),
            node,
            parent,
            joints: Vec::new(),
            geoms: Vec::new(),
            inertial: None,
            frame,
        });
    }

    /// Reads a `<worldbody>` without recursion: frames are part of the body around them.
    fn fill(&mut self, world: Element<'a>) {
        let at = self.bodies[0].frame;
        let mut open = vec![(world, 0, at)];
        while let Some((element, owner, frame)) = open.pop() {
            for node in element.children().filter(Node::is_element) {
                let inner = || frame.and_then(|frame| self.reader.frame(node, frame).ok());
                match node.tag_name().name() {
                    "body" => {
                        let name = node.attribute("name").map(String::from);
                        let name = name.unwrap_or_else(|| format!("body of line {}", line(node)));
                        let inner = inner();
                        open.push((node, self.bodies.len(), inner));
                        self.add(node, Some(owner), inner, name);
                    }
                    "frame" => open.push((node, owner, inner())),
                    "geom" => self.bodies[owner].geoms.push(node),
                    "joint" | "freejoint" => self.bodies[owner].joints.push(node),
                    "inertial" => self.bodies[owner].inertial = Some(node),
                    tag if MAKING.contains(&tag) => {
                        self.leave(node, format!("<{tag}> is not read"));
                    }
                    _ => {}
                }
            }
        }
    }

    /// The body with a name.
    pub fn body(&self, name: &str) -> Option<&Body<'a>> {
        self.bodies.iter().find(|body| body.name == name)
    }

    /// Bodies directly in a body.
    pub fn children(&self, number: usize) -> impl Iterator<Item = &Body<'a>> {
        self.bodies.iter().filter(move |body| body.parent == Some(number))
    }

    /// Type of a joint.
    pub fn joint(&self, node: Element<'a>) -> &'a str {
        match node.has_tag_name("freejoint") {
            true => "free",
            false => self.reader.text(node, "type").unwrap_or("hinge"),
        }
    }

    /// The geoms of a body that touch others by their bits, or by a `<pair>` that names them.
    pub fn touching(&self, body: &Body<'a>) -> Vec<Element<'a>> {
        let bit = |node, name| self.reader.text(node, name).is_none_or(|text| text.trim() != "0");
        let paired = |node: Element| {
            let name = node.attribute("name");
            name.is_some()
                && self
                    .pairs()
                    .any(|p| [p.attribute("geom1"), p.attribute("geom2")].contains(&name))
        };
        let touches = |node: &Element<'a>| {
            bit(*node, "contype") || bit(*node, "conaffinity") || paired(*node)
        };
        body.geoms.iter().copied().filter(touches).collect()
    }

    /// All `<pair>`.
    pub fn pairs(&self) -> impl Iterator<Item = Element<'a>> {
        self.listed("pair")
    }

    /// All `<exclude>`.
    pub fn excluded(&self) -> impl Iterator<Item = Element<'a>> {
        self.listed("exclude")
    }

    fn listed(&self, tag: &'static str) -> impl Iterator<Item = Element<'a>> {
        let contacts = self.root.children().filter(|n| n.has_tag_name("contact"));
        contacts.flat_map(|n| n.children()).filter(move |n| n.has_tag_name(tag))
    }
}

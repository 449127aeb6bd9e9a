//! The bodies of a model with their joints, geoms and frames.

use roxmltree::{Document, Node};
use std::collections::{HashMap, HashSet};
use stiction_core::math::{Matrix, Vector};
use stiction_scene::mjcf::attributes::{Frame, Lines, Reader};

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
    /// Numbers of the bodies directly in it.
    pub inside: Vec<usize>,
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
    /// The first `<pair>` of two geoms, by their names in order.
    pub pairs: HashMap<[&'a str; 2], Element<'a>>,
    /// The last `<option>` that overrides the parameters of contacts.
    pub overriding: Option<Element<'a>>,
    /// names of geoms in pairs
    paired: HashSet<&'a str>,
    /// names of two bodies in order
    excluded: HashSet<[&'a str; 2]>,
    lines: Lines,
}

/// Two names in order.
pub fn sorted<'n>(one: &'n str, other: &'n str) -> [&'n str; 2] {
    if one <= other { [one, other] } else { [other, one] }
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
        let reader = Reader::new(document, degrees);
        let mut model = Model {
            reader,
            root,
            bodies: Vec::new(),
            left_out: Vec::new(),
            lines: Lines::of(document),
            pairs: HashMap::new(),
            paired: HashSet::new(),
            excluded: HashSet::new(),
            overriding: None,
        };
        model.contacts();
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
        self.left_out.push((self.lines.line(node), why));
    }

    fn add(
        &mut self,
        node: Element<'a>,
        parent: Option<usize>,
        frame: Option<Frame>,
        name: String,
    ) {
        let number = self.bodies.len();
        if let Some(parent) = parent {
            self.bodies[parent].inside.push(number);
        }
        self.bodies.push(Body {
            name,
            number,
            inside: Vec::new(),
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
                        let name = name
                            .unwrap_or_else(|| format!("body of line {}", self.lines.line(node)));
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
        self.bodies[number].inside.iter().map(|inner| &self.bodies[*inner])
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
        let paired =
            |node: Element| node.attribute("name").is_some_and(|name| self.paired.contains(name));
        let touches = |node: &Element<'a>| {
            bit(*node, "contype") || bit(*node, "conaffinity") || paired(*node)
        };
        body.geoms.iter().copied().filter(touches).collect()
    }

    /// Reads which geoms and bodies are named together, and the option that overrides all.
    fn contacts(&mut self) {
        let contacts = self.root.children().filter(|n| n.has_tag_name("contact"));
        for node in contacts.flat_map(|n| n.children()) {
            let both = |keys: [&str; 2]| keys.map(|key| node.attribute(key));
            match (node.tag_name().name(), both(["geom1", "geom2"]), both(["body1", "body2"])) {
                ("pair", names, _) => {
                    self.paired.extend(names.iter().flatten());
                    if let [Some(one), Some(other)] = names {
                        self.pairs.entry(sorted(one, other)).or_insert(node);
                    }
                }
                ("exclude", _, [Some(one), Some(other)]) => {
                    self.excluded.insert(sorted(one, other));
                }
                _ => {}
            }
        }
        let overrides = |option: &Element| {
            let flags = option.children().filter(|n| n.has_tag_name("flag"));
            flags.filter_map(|n| n.attribute("override")).next_back() == Some("enable")
        };
        self.overriding = self.options().filter(overrides).last();
    }

    /// Whether two bodies are excluded from contact.
    pub fn excludes(&self, one: &Body, other: &Body) -> bool {
        self.excluded.contains(&sorted(&one.name, &other.name))
    }
}

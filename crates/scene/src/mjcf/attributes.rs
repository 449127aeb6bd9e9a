//! Attributes of elements, including those of default classes, and frames.

use roxmltree::{Document, Node, NodeId};
use std::cell::RefCell;
use std::collections::HashMap;
use stiction_core::math::{Matrix, Vector, radians, rotation, sqrt};

/// A fault of the XML and its place.
#[derive(Debug)]
pub struct Fault {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The fault in words.
    pub message: String,
}

/// The error at an element.
pub fn fault<T>(node: Node, message: impl Into<String>) -> Result<T, Fault> {
    let at = node.document().text_pos_at(node.range().start);
    Err(Fault { line: at.row, column: at.col, message: message.into() })
}

/// Line of an element, from 1; for errors, as it counts all lines before.
pub fn line(node: Node) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

/// The ends of the lines of a text.
#[derive(Debug)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// The lines of a document.
    pub fn of(document: &Document) -> Self {
        Lines(document.input_text().match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Line of an element, from 1.
    pub fn line(&self, node: Node) -> u32 {
        self.0.partition_point(|end| *end < node.range().start) as u32 + 1
    }

    /// Line and column of an element, from 1; the column in bytes.
    pub fn place(&self, node: Node) -> [u32; 2] {
        let line = self.line(node);
        let before = line.checked_sub(2).map_or(0, |above| self.0[above as usize] + 1);
        [line, (node.range().start - before) as u32 + 1]
    }
}

/// Attributes of the elements with one tag in a default class.
type Own<'a> = HashMap<&'a str, &'a str>;

/// The document and its global settings.
pub struct Reader<'a> {
    /// Whether angles are in degrees, MJCF's default; else in radians.
    pub degrees: bool,
    /// the first default class of each name, and the outermost
    classes: HashMap<&'a str, Node<'a, 'a>>,
    outermost: Option<Node<'a, 'a>>,
    /// what a default class says of the elements with a tag
    own: HashMap<(NodeId, &'a str), Own<'a>>,
    document: &'a Document<'a>,
    /// the nearest element with a `childclass`, from elements outwards, as far as it was asked for
    around: RefCell<HashMap<NodeId, Option<NodeId>>>,
}

/// A position and an orientation.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Origin \[m\].
    pub place: Vector,
    /// Axes, in columns.
    pub turn: Matrix,
}

impl<'a> Reader<'a> {
    /// Reads the default classes of a document.
    pub fn new(document: &'a Document<'a>, degrees: bool) -> Self {
        let mut reader = Reader {
            document,
            degrees,
            classes: HashMap::new(),
            outermost: None,
            own: HashMap::new(),
            around: RefCell::default(),
        };
        let defaults = document.descendants().filter(|n| n.has_tag_name("default"));
        for node in defaults {
            if node.parent_element().is_some_and(|p| p.has_tag_name("mujoco")) {
                reader.outermost.get_or_insert(node);
            }
            if let Some(class) = node.attribute("class") {
                reader.classes.entry(class).or_insert(node);
            }
            for child in node.children().filter(Node::is_element) {
                let own = reader.own.entry((node.id(), child.tag_name().name())).or_default();
                for attribute in child.attributes() {
                    own.entry(attribute.name()).or_insert(attribute.value());
                }
            }
        }
        reader
    }

    /// The nearest `childclass` of the elements around one.
    fn childclass(&self, node: Node<'a, 'a>) -> Option<&'a str> {
        let found = self.document.get_node(self.with_childclass(node)?)?;
        found.attribute("childclass")
    }

    fn with_childclass(&self, node: Node<'a, 'a>) -> Option<NodeId> {
        let outer = node.parent_element()?;
        if let Some(known) = self.around.borrow().get(&outer.id()) {
            return *known;
        }
        let found = match outer.has_attribute("childclass") {
            true => Some(outer.id()),
            false => self.with_childclass(outer),
        };
        self.around.borrow_mut().insert(outer.id(), found);
        found
    }

    /// An attribute, or its default from the class of the element, else of an enclosing body, else
    /// from the top. A class inherits the defaults of the classes around it.
    pub fn text(&self, node: Node<'a, 'a>, name: &str) -> Option<&'a str> {
        node.attribute(name).or_else(|| self.defaults(node, name).next())
    }

    /// The defaults of an attribute, from the nearest class outwards.
    fn defaults<'r>(
        &'r self,
        node: Node<'a, 'a>,
        name: &str,
    ) -> impl Iterator<Item = &'a str> + use<'a, 'r> {
        let tag = node.tag_name().name();
        let class = node.attribute("class").or_else(|| self.childclass(node));
        // the outermost class is `main`, named or not
        let class = class.filter(|class| *class != "main");
        let class = class.map_or(self.outermost, |class| self.classes.get(class).copied());
        let around = class.into_iter().flat_map(|n| n.ancestors());
        let around = around.filter(|n| n.has_tag_name("default"));
        let name = name.to_string();
        around.filter_map(move |n| self.own.get(&(n.id(), tag))?.get(name.as_str()).copied())
    }

    /// `N` numbers of an attribute: each from the nearest of the element and its default classes
    /// that has so many, else from `otherwise`.
    ///
    /// # Errors
    /// A word that is no finite number.
    pub fn merged<const N: usize>(
        &self,
        node: Node<'a, 'a>,
        name: &str,
        otherwise: [f64; N],
    ) -> Result<[f64; N], Fault> {
        let mut layers: Vec<&str> = self.defaults(node, name).collect();
        layers.reverse();
        layers.extend(node.attribute(name));
        let mut numbers = otherwise;
        for layer in layers {
            for (number, word) in numbers.iter_mut().zip(layer.split_whitespace()) {
                match word.parse::<f64>() {
                    Ok(x) if x.is_finite() => *number = x,
                    _ => return fault(node, format!("`{name}`: `{word}` is not a finite number")),
                }
            }
        }
        Ok(numbers)
    }

    /// Numbers of an attribute.
    pub fn numbers(&self, node: Node<'a, 'a>, name: &str) -> Result<Option<Vec<f64>>, Fault> {
        let Some(text) = self.text(node, name) else { return Ok(None) };
        let mut numbers = Vec::new();
        for word in text.split_whitespace() {
            match word.parse::<f64>() {
                Ok(x) if x.is_finite() && x.abs() <= 1e12 => numbers.push(x),
                Ok(x) if x.is_finite() => {
                    return fault(node, format!("`{name}`: `{word}` is beyond 1e12"));
                }
                _ => return fault(node, format!("`{name}`: `{word}` is not a finite number")),
            }
        }
        Ok(Some(numbers))
    }

    /// The first `N` numbers of an attribute.
    pub fn first<const N: usize>(
        &self,
        node: Node<'a, 'a>,
        name: &str,
        default: Option<[f64; N]>,
    ) -> Result<[f64; N], Fault> {
        match (self.numbers(node, name)?, default) {
            (Some(found), _) if found.len() >= N => Ok(std::array::from_fn(|k| found[k])),
            (None, Some(default)) => Ok(default),
            (None, None) => fault(node, format!("`{name}` is missing")),
            (Some(_), _) => fault(node, format!("`{name}` takes {N} numbers")),
        }
    }

    /// The first `N` numbers of an attribute, all positive.
    pub fn positive<const N: usize>(
        &self,
        node: Node<'a, 'a>,
        name: &str,
        default: Option<[f64; N]>,
    ) -> Result<[f64; N], Fault> {
        let found = self.first(node, name, default)?;
        match found.iter().all(|x| *x > 0.0) {
            true => Ok(found),
            false => fault(node, format!("`{name}` must be positive")),
        }
    }

    /// The frame of an element that lies in the frame `outer`.
    pub fn frame(&self, node: Node<'a, 'a>, outer: Frame) -> Result<Frame, Fault> {
        for name in ["zaxis", "xyaxes"] {
            if self.text(node, name).is_some() {
                return fault(node, format!("`{name}` is not read; give quat, axisangle or euler"));
            }
        }
        let place = Vector::from(self.first(node, "pos", Some([0.0; 3]))?);
        let angle = |x: f64| if self.degrees { radians(x) } else { x };
        let turn = if self.text(node, "quat").is_some() {
            let q: [f64; 4] = self.first(node, "quat", None)?;
            let length = sqrt(q.iter().map(|x| x * x).sum());
            if length == 0.0 {
                return fault(node, "`quat` must not be zero");
            }
            quaternion(q.map(|x| x / length))
        } else if self.text(node, "axisangle").is_some() {
            let [x, y, z, a] = self.first(node, "axisangle", None)?;
            let axis = Vector::new(x, y, z);
            if axis == Vector::zeros() {
                return fault(node, "the axis of `axisangle` must not be zero");
            }
            rotation(axis.normalize(), angle(a))
        } else {
            let e = self.first(node, "euler", Some([0.0; 3]))?.map(angle);
            rotation(Vector::x(), e[0]) * rotation(Vector::y(), e[1]) * rotation(Vector::z(), e[2])
        };
        Ok(Frame { place: outer.place + outer.turn * place, turn: outer.turn * turn })
    }
}

/// The matrix of a unit quaternion w, x, y, z.
pub fn quaternion([w, x, y, z]: [f64; 4]) -> Matrix {
    let v = Vector::new(x, y, z);
    let cross = v.cross_matrix();
    Matrix::identity() + cross * (2.0 * w) + cross * cross * 2.0
}

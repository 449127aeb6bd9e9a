//! Elastic bodies of MJCF: grids of `flexcomp`.

use super::attributes::{Fault, Frame, Reader, fault};
use roxmltree::Node;
use stiction_core::registry::words::quoted;

/// An elastic grid.
#[derive(Debug)]
pub struct Flex {
    pub name: String,
    pub grid: Grid,
    /// Distance of neighbouring particles \[m\].
    pub spacing: f64,
    /// The frame of its middle.
    pub frame: Frame,
    /// Total mass \[kg\].
    pub mass: f64,
    /// Of its particles \[m\].
    pub radius: f64,
    pub young: f64,
    pub poisson: f64,
    /// The time by which damping is in proportion to stiffness \[s\].
    pub damping: f64,
    pub friction: f64,
    /// Numbers of particles at rest, x fastest.
    pub pinned: Vec<usize>,
}

/// Particles of a grid along its axes.
#[derive(Debug, Clone, Copy)]
pub enum Grid {
    Solid([usize; 3]),
    /// And its thickness \[m\].
    Sheet([usize; 2], f64),
    /// And its thickness \[m\].
    Line(usize, f64),
}

impl Grid {
    /// Number of its axes.
    fn dimensions(&self) -> usize {
        match self {
            Grid::Solid(_) => 3,
            Grid::Sheet(..) => 2,
            Grid::Line(..) => 1,
        }
    }

    fn counts(&self) -> [usize; 3] {
        match *self {
            Grid::Solid(counts) => counts,
            Grid::Sheet([x, y], _) => [x, y, 1],
            Grid::Line(x, _) => [x, 1, 1],
        }
    }

    /// Its volume \[m³\].
    pub fn volume(&self, spacing: f64) -> f64 {
        let lengths = self.counts().map(|n| (n - 1) as f64 * spacing);
        match *self {
            Grid::Solid(_) => lengths.iter().product(),
            Grid::Sheet(_, thickness) => lengths[0] * lengths[1] * thickness,
            Grid::Line(_, diameter) => {
                lengths[0] * 0.25 * std::f64::consts::PI * diameter * diameter
            }
        }
    }
}

/// Most particles of a grid.
const MOST: f64 = 1e6;

/// Receiver of elements that no scene can have, each with the reason.
type Leave<'l> = &'l mut dyn FnMut(Node, &str);

/// Reads a `flexcomp` that lies in the frame `outer`; `None` where no scene can have it.
pub(super) fn read<'a>(
    reader: &Reader<'a>,
    node: Node<'a, 'a>,
    outer: Frame,
    leave: Leave,
) -> Result<Option<Flex>, Fault> {
    let child = |name| node.children().find(|n| n.has_tag_name(name));
    let young = |n: &Node<'a, 'a>| reader.text(*n, "young").is_some();
    let Some(elasticity) = child("elasticity").filter(young) else {
        leave(node, "no elasticity with `young`: its edges alone make no material");
        return Ok(None);
    };
    if reader.text(node, "rigid") == Some("true") {
        leave(node, "it is rigid: give a body with a geom");
        return Ok(None);
    }
    let [young, poisson, damping] = material(reader, elasticity)?;
    let Some((grid, spacing)) = grid(reader, node, elasticity, leave)? else { return Ok(None) };
    let stiff = reader.text(elasticity, "elastic2d").unwrap_or("none");
    if matches!(grid, Grid::Sheet(..)) && stiff != "both" {
        let why =
            format!("`elastic2d` {}: here a sheet resists stretch and bending", quoted(stiff));
        leave(elasticity, &why);
    }
    let friction = match child("contact") {
        Some(contact) => reader.first(contact, "friction", Some([1.0]))?[0],
        None => 1.0,
    };
    if !(0.0..=100.0).contains(&friction) {
        return fault(node, "`friction` must lie from 0 to 100");
    }
    let mut pinned = Vec::new();
    for n in node.children().filter(Node::is_element) {
        match n.tag_name().name() {
            "elasticity" => {}
            "pin" => pinned.extend(pins(reader, n, &grid)?),
            "contact" => leave(n, "all but the first number of `friction`"),
            _ => leave(n, "no counterpart in an elastic body"),
        }
    }
    pinned.sort_unstable();
    pinned.dedup();
    let name = node.attribute("name").unwrap_or("flex").to_string();
    let frame = reader.frame(node, outer)?;
    let [mass] = reader.positive(node, "mass", Some([1.0]))?;
    let [radius] = reader.first(node, "radius", Some([0.005]))?;
    Ok(Some(Flex {
        name,
        grid,
        spacing,
        frame,
        mass,
        radius,
        young,
        poisson,
        damping,
        friction,
        pinned,
    }))
}

/// E \[Pa\], ν and the time of damping \[s\].
fn material<'a>(reader: &Reader<'a>, elasticity: Node<'a, 'a>) -> Result<[f64; 3], Fault> {
    let [young] = reader.positive(elasticity, "young", None)?;
    let [poisson] = reader.first(elasticity, "poisson", Some([0.0]))?;
    let [damping] = reader.first(elasticity, "damping", Some([0.0]))?;
    if !(-0.99..=0.499).contains(&poisson) {
        return fault(elasticity, "`poisson` must lie from -0.99 to 0.499");
    }
    if damping < 0.0 {
        return fault(elasticity, "`damping` must not be negative");
    }
    Ok([young, poisson, damping])
}

/// The grid and its spacing \[m\]; `None` where no scene can have it.
fn grid<'a>(
    reader: &Reader<'a>,
    node: Node<'a, 'a>,
    elasticity: Node<'a, 'a>,
    leave: Leave,
) -> Result<Option<(Grid, f64)>, Fault> {
    let kind = reader.text(node, "type").unwrap_or("grid");
    if kind != "grid" {
        leave(node, &format!("of type {}: grids alone are read", quoted(kind)));
        return Ok(None);
    }
    let counts = reader.positive(node, "count", Some([10.0; 3]))?;
    if counts.iter().any(|n| *n != n.round()) || counts.iter().product::<f64>() > MOST {
        return fault(
            node,
            format!("`count` takes three whole numbers, of {MOST:.0e} vertices at most"),
        );
    }
    let [dim] = reader.positive(node, "dim", Some([2.0]))?;
    if ![1.0, 2.0, 3.0].contains(&dim) {
        return fault(node, "`dim` is 1, 2 or 3");
    }
    let along = dim as usize;
    let spacings = reader.positive(node, "spacing", Some([0.02; 3]))?;
    if spacings[1..along].iter().any(|other| (other / spacings[0] - 1.0).abs() > 1e-9) {
        leave(node, "its spacing differs from axis to axis");
        return Ok(None);
    }
    let counts = counts.map(|n| n as usize);
    if (0..3).any(|axis| (counts[axis] > 1) != (axis < along)) {
        return fault(node, format!("`count` does not fit `dim` {dim}"));
    }
    let thickness = || reader.positive(elasticity, "thickness", None).map(|[thickness]| thickness);
    let grid = match along {
        3 => Grid::Solid(counts),
        2 => Grid::Sheet([counts[0], counts[1]], thickness()?),
        _ => Grid::Line(counts[0], thickness()?),
    };
    Ok(Some((grid, spacings[0])))
}

/// The particles of a `pin`, x fastest: MuJoCo numbers them with the last axis fastest. Places in the grid have as many
/// numbers as the grid has axes.
fn pins<'a>(reader: &Reader<'a>, pin: Node<'a, 'a>, grid: &Grid) -> Result<Vec<usize>, Fault> {
    let (counts, axes) = (grid.counts(), grid.dimensions());
    let [nx, ny, nz] = counts;
    let number = |at: [usize; 3]| match (0..3).all(|axis| at[axis] < counts[axis]) {
        true => Ok(at[0] + nx * (at[1] + ny * at[2])),
        false => fault(pin, "a pinned vertex lies beyond the grid"),
    };
    let by_id = |id: usize| number([id / (ny * nz), id / nz % ny, id % nz]);
    let whole = |name: &str, parts: usize| -> Result<Vec<usize>, Fault> {
        let found = reader.numbers(pin, name)?.unwrap_or_default();
        let sound = found.iter().all(|x| *x == x.round() && (0.0..1e9).contains(x));
        match sound && found.len().is_multiple_of(parts) {
            true => Ok(found.into_iter().map(|x| x as usize).collect()),
            false => fault(pin, format!("`{name}` takes whole numbers, {parts} at a time")),
        }
    };
    let place = |numbers: &[usize]| {
        let mut at = [0; 3];
        at[..axes].copy_from_slice(numbers);
        at
    };
    let mut found = Vec::new();
    let mut add = |particle: usize| match found.len() < MOST as usize {
        true => {
            found.push(particle);
            Ok(())
        }
        false => fault(pin, format!("it lists more than {MOST:.0e} vertices")),
    };
    for id in whole("id", 1)? {
        add(by_id(id)?)?;
    }
    for ends in whole("range", 2)?.chunks(2) {
        for id in ends[0]..=ends[1].min(nx * ny * nz) {
            add(by_id(id)?)?;
        }
    }
    for at in whole("grid", axes)?.chunks(axes) {
        add(number(place(at))?)?;
    }
    for ends in whole("gridrange", 2 * axes)?.chunks(2 * axes) {
        let (low, high) = (place(&ends[..axes]), place(&ends[axes..]));
        let along = |axis: usize| low[axis]..=high[axis].min(counts[axis]);
        for x in along(0) {
            for y in along(1) {
                for z in along(2) {
                    add(number([x, y, z])?)?;
                }
            }
        }
    }
    Ok(found)
}

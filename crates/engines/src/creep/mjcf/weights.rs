//! Masses of bodies, and their inverse weights as far as they follow from joints alone.
//!
//! The table of MuJoCo's `body_invweight0` stands in the module of its bodies. A tree of hinges has
//! one that depends on all its inertias: it is refused, and MuJoCo's own number is asked for.

use super::model::{Body, Element, Model};
use stiction_core::math::{Vector, sqrt};

/// Deviation at which MuJoCo takes two frames for different.
const SAME: f64 = 1e-6;

/// A reason in words.
pub type Reason = String;

impl<'a> Model<'a> {
    /// Mass of a body itself \[kg\].
    pub fn mass(&self, body: &Body<'a>) -> Result<f64, Reason> {
        let unread = |fault: stiction_scene::mjcf::attributes::Fault| fault.message;
        if let Some(inertial) = body.inertial {
            return Ok(self.reader.positive::<1>(inertial, "mass", None).map_err(unread)?[0]);
        }
        body.geoms.iter().map(|node| self.weight(*node)).sum()
    }

    /// Mass of a geom \[kg\]: its own, else by density and volume.
    fn weight(&self, node: Element<'a>) -> Result<f64, Reason> {
        let read = |name, otherwise| {
            let found = self.reader.merged::<1>(node, name, [otherwise]);
            found.map(|[x]| x).map_err(|fault| fault.message)
        };
        if self.reader.text(node, "mass").is_some() {
            return read("mass", 0.0);
        }
        if self.reader.text(node, "shellinertia") == Some("true") {
            return Err("the mass of a shell is not read".into());
        }
        let density = read("density", 1000.0)?;
        if density == 0.0 {
            return Ok(0.0);
        }
        Ok(density * self.volume(node)?)
    }

    /// Half length of a geom along its axis \[m\]: by `fromto`, else a number of `size`.
    fn half(&self, node: Element<'a>, number: usize) -> Result<f64, Reason> {
        let size =
            self.reader.merged::<3>(node, "size", [0.0; 3]).map_err(|fault| fault.message)?;
        if self.reader.text(node, "fromto").is_none() {
            return Ok(size[number]);
        }
        let ends = self.reader.merged::<6>(node, "fromto", [0.0; 6]);
        let e = ends.map_err(|fault| fault.message)?;
        Ok(0.5 * Vector::new(e[3] - e[0], e[4] - e[1], e[5] - e[2]).norm())
    }

    /// Volume of a geom \[m³\].
    fn volume(&self, node: Element<'a>) -> Result<f64, Reason> {
        let size =
            self.reader.merged::<3>(node, "size", [0.0; 3]).map_err(|fault| fault.message)?;
        let pi = std::f64::consts::PI;
        let [r, second, _] = size;
        Ok(match self.reader.text(node, "type").unwrap_or("sphere") {
            "sphere" => 4.0 / 3.0 * pi * r * r * r,
            "capsule" => pi * r * r * (2.0 * self.half(node, 1)? + 4.0 / 3.0 * r),
            "cylinder" => 2.0 * pi * r * r * self.half(node, 1)?,
            "ellipsoid" => 4.0 / 3.0 * pi * r * second * self.half(node, 2)?,
            "box" => 8.0 * r * second * self.half(node, 2)?,
            kind => {
                return Err(format!(
                    "the mass of a {kind} is not read; give its body an <inertial>"
                ));
            }
        })
    }

    /// Mass of a body with all that is welded to it \[kg\]; refused if joints hang on it.
    fn welded(&self, body: &Body<'a>) -> Result<f64, Reason> {
        let (mut mass, mut open) = (0.0, vec![body.number]);
        while let Some(number) = open.pop() {
            mass += self.mass(&self.bodies[number])?;
            for child in self.children(number) {
                if !child.joints.is_empty() {
                    return Err(format!("the body `{}` hangs on it by joints", child.name));
                }
                open.push(child.number);
            }
        }
        Ok(mass)
    }

    /// MuJoCo's translational inverse weight of a body \[1/kg\].
    pub fn invweight(&self, body: &Body<'a>) -> Result<f64, Reason> {
        let mut moved = body;
        while moved.joints.is_empty() {
            match moved.parent {
                None => return Ok(0.0),
                Some(parent) => moved = &self.bodies[parent],
            }
            if moved.parent.is_none() {
                return Ok(0.0);
            }
        }
        let mut above = moved.parent;
        while let Some(parent) = above {
            if !self.bodies[parent].joints.is_empty() {
                return Err(format!(
                    "the body `{}` that carries it moves by joints",
                    self.bodies[parent].name
                ));
            }
            above = self.bodies[parent].parent;
        }
        let mass = self.welded(moved)?;
        let kinds: Vec<&str> = moved.joints.iter().map(|node| self.joint(*node)).collect();
        if kinds == ["free"] {
            return self.of_free(moved, mass);
        }
        match kinds.iter().all(|kind| *kind == "slide") {
            true => self.of_slides(body, moved, mass),
            false => Err("it moves by hinges or balls".into()),
        }
    }

    fn of_free(&self, body: &Body<'a>, mass: f64) -> Result<f64, Reason> {
        if self.children(body.number).next().is_some() {
            return Err("bodies are welded to it".into());
        }
        if body.joints[0].has_tag_name("joint") && self.armature(body.joints[0])? != 0.0 {
            return Err("its free joint has an armature".into());
        }
        Ok(1.0 / mass)
    }

    fn armature(&self, node: Element<'a>) -> Result<f64, Reason> {
        let found = self.reader.merged::<1>(node, "armature", [0.0]);
        found.map(|[x]| x).map_err(|fault| fault.message)
    }

    /// The sum of 1/(3 (m + armature)) over perpendicular slide joints, or the short cut 1/m.
    fn of_slides(&self, body: &Body<'a>, moved: &Body<'a>, mass: f64) -> Result<f64, Reason> {
        let mut axes = Vec::new();
        if moved.joints.len() > 3 {
            return Err("its slide joints are not perpendicular".into());
        }
        for node in &moved.joints {
            let axis = self.reader.merged::<3>(*node, "axis", [0.0, 0.0, 1.0]);
            axes.push(Vector::from(axis.map_err(|fault| fault.message)?).normalize());
        }
        let pairs = (0..axes.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        if pairs.into_iter().any(|(i, j): (usize, usize)| axes[i].dot(&axes[j]).abs() > SAME) {
            return Err("its slide joints are not perpendicular".into());
        }
        if body.number == moved.number && self.is_simple(moved, &axes)? {
            return Ok(1.0 / mass);
        }
        let terms =
            moved.joints.iter().map(|node| Ok(1.0 / (3.0 * (mass + self.armature(*node)?))));
        terms.sum()
    }

    /// Whether MuJoCo takes its short cut: alone on the world or on a fixed body of it, axes and joints
    /// those of its frame, and its frame that of its inertia.
    fn is_simple(&self, body: &Body<'a>, axes: &[Vector]) -> Result<bool, Reason> {
        let parent = body.parent.unwrap_or(0);
        let near = parent == 0 || self.bodies[parent].parent == Some(0);
        let alone = self.children(body.number).next().is_none();
        let along = |axis: &Vector| axis.iter().filter(|x| x.abs() > SAME).count() == 1;
        let at_origin = |node: &Element<'a>| {
            let place = self.reader.merged::<3>(*node, "pos", [0.0; 3]);
            place.map(|p| p.iter().all(|x| x.abs() < SAME)).map_err(|fault| fault.message)
        };
        let mut centred = true;
        for node in &body.joints {
            centred &= at_origin(node)?;
        }
        if !(near && alone && centred && axes.iter().all(along)) {
            return Ok(false);
        }
        if let Some(inertial) = body.inertial {
            let turned = ["quat", "axisangle", "euler", "xyaxes", "zaxis", "fullinertia"];
            let turned = turned.iter().any(|name| inertial.has_attribute(*name));
            return Ok(!turned && at_origin(&inertial)?);
        }
        let mut massive = Vec::new();
        for node in &body.geoms {
            if self.weight(*node)? > 0.0 {
                massive.push(*node);
            }
        }
        let turned = |node: &Element<'a>| {
            let names = ["quat", "axisangle", "euler", "xyaxes", "zaxis", "fromto"];
            names.iter().any(|name| self.reader.text(*node, name).is_some())
                || node.parent_element().is_some_and(|around| around.has_tag_name("frame"))
        };
        match &massive[..] {
            [one] => Ok(!turned(one) && at_origin(one)?),
            _ => {
                let mut sum = Vector::zeros();
                for node in &massive {
                    let place = self.reader.merged::<3>(*node, "pos", [0.0; 3]);
                    let place = place.map_err(|fault| fault.message)?;
                    sum += Vector::from(place) * self.weight(*node)?;
                }
                if massive.iter().any(turned) || sqrt(sum.dot(&sum)) < SAME * self.mass(body)? {
                    return Err("it has several geoms with mass around its origin".into());
                }
                Ok(false)
            }
        }
    }
}

//! The parameters of a contact of two geoms, by MuJoCo's rules for pairs \[mujocodocs\].
//!
//! The geom of higher priority decides. Between equals friction and condim are the larger ones,
//! solref and solimp the means weighted with solmix; of a direct solref the smaller numbers count.
//! A `<pair>` has its own parameters, and the usual ones where it names none. `option override`
//! overrides solref, solimp and friction of all.

use super::model::{Element, Model, sorted};
use stiction_core::math::larger;
use stiction_scene::mjcf::attributes::Fault;

/// Parameters of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// Coefficients of friction along both tangents.
    pub friction: [f64; 2],
    /// Dimension.
    pub condim: i64,
    /// solref.
    pub solref: [f64; 2],
    /// solimp.
    pub solimp: [f64; 5],
}

const SOLREF: [f64; 2] = [0.02, 1.0];
const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// MuJoCo's smallest weight.
const LEAST: f64 = 1e-15;

/// A geom's own parameters.
struct Own {
    law: Law,
    priority: f64,
    solmix: f64,
}

impl<'a> Model<'a> {
    fn own(&self, node: Element<'a>) -> Result<Own, Fault> {
        let r = &self.reader;
        let [sliding] = r.merged(node, "friction", [1.0])?;
        let [condim] = r.merged(node, "condim", [3.0])?;
        Ok(Own {
            law: Law {
                friction: [sliding; 2],
                condim: condim as i64,
                solref: r.merged(node, "solref", SOLREF)?,
                solimp: r.merged(node, "solimp", SOLIMP)?,
            },
            priority: r.merged::<1>(node, "priority", [0.0])?[0],
            solmix: r.merged::<1>(node, "solmix", [1.0])?[0],
        })
    }

    /// Whether the bits of two geoms let them touch.
    fn bits(&self, one: Element<'a>, other: Element<'a>) -> Result<bool, Fault> {
        let bits = |node, name| Ok(self.reader.merged::<1>(node, name, [1.0])?[0] as u32);
        let meets = |a, b| Ok::<bool, Fault>(bits(a, "contype")? & bits(b, "conaffinity")? != 0);
        Ok(meets(one, other)? || meets(other, one)?)
    }

    /// The parameters of the contact of two geoms; `None` if they do not touch.
    pub fn law(&self, one: Element<'a>, other: Element<'a>) -> Result<Option<Law>, Fault> {
        let names = one.attribute("name").zip(other.attribute("name"));
        let pair = names.and_then(|(one, other)| self.pairs.get(&sorted(one, other)).copied());
        if pair.is_none() && !self.bits(one, other)? {
            return Ok(None);
        }
        let r = &self.reader;
        let mut law = match pair {
            Some(pair) => Law {
                friction: r.merged(pair, "friction", [1.0; 2])?,
                condim: r.merged::<1>(pair, "condim", [3.0])?[0] as i64,
                solref: r.merged(pair, "solref", SOLREF)?,
                solimp: r.merged(pair, "solimp", SOLIMP)?,
            },
            None => mixed(self.own(one)?, self.own(other)?),
        };
        if let Some(option) = self.overriding {
            law.solref = r.merged(option, "o_solref", SOLREF)?;
            law.solimp = r.merged(option, "o_solimp", SOLIMP)?;
            law.friction = r.merged(option, "o_friction", [1.0; 2])?;
        }
        Ok(Some(law))
    }

    /// All `<option>`.
    pub fn options(&self) -> impl Iterator<Item = Element<'a>> {
        self.root.children().filter(|n| n.has_tag_name("option"))
    }
}

/// The parameters of two geoms together.
fn mixed(one: Own, other: Own) -> Law {
    if one.priority != other.priority {
        return if one.priority > other.priority { one.law } else { other.law };
    }
    let share = match (one.solmix >= LEAST, other.solmix >= LEAST) {
        (true, true) => one.solmix / (one.solmix + other.solmix),
        (false, false) => 0.5,
        (true, false) => 1.0,
        (false, true) => 0.0,
    };
    let mean = |a: f64, b: f64| share * a + (1.0 - share) * b;
    let (a, b) = (one.law, other.law);
    let times = a.solref[0] > 0.0 && b.solref[0] > 0.0;
    let reference = |k: usize| match times {
        true => mean(a.solref[k], b.solref[k]),
        false => a.solref[k].min(b.solref[k]),
    };
    Law {
        friction: std::array::from_fn(|k| larger(a.friction[k], b.friction[k])),
        condim: a.condim.max(b.condim),
        solref: std::array::from_fn(reference),
        solimp: std::array::from_fn(|k| mean(a.solimp[k], b.solimp[k])),
    }
}

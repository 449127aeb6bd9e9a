//! Particles and springs listed one by one.

use super::{BodyShape, Family, Geometry, Link, Masses};
use crate::math::Vector;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range, Values};

/// Particles given by their positions, with optional masses, velocities and springs.
///
/// All springs are of the `edge` family. Without `rest_lengths` a spring is at rest at its
/// initial length. Two particles may share a point only if a spring of rest length 0 joins them.
/// With `links_touch` other bodies meet the links as they meet a rope.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    geometry: Geometry,
}

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "points",
    about: "particles and springs listed one by one",
    keys: &[
        Key {
            name: "positions",
            kind: Kind::Vectors { unit: "m" },
            default: Fallback::Required,
            about: "where the particles are",
        },
        Key {
            name: "masses",
            kind: Kind::Numbers { unit: "kg", range: Range::Positive },
            default: Fallback::Optional("the body's mass is spread evenly"),
            about: "mass of each particle; makes the body's `mass` unnecessary",
        },
        Key {
            name: "velocities",
            kind: Kind::Vectors { unit: "m/s" },
            default: Fallback::Optional("the body's velocity alone"),
            about: "velocity of each particle, added to the body's",
        },
        Key {
            name: "links",
            kind: Kind::Pairs,
            default: Fallback::Optional("loose particles"),
            about: "springs [i, j] between particles, counted from 0",
        },
        Key {
            name: "rest_lengths",
            kind: Kind::Numbers { unit: "m", range: Range::NonNegative },
            default: Fallback::Optional("the initial lengths"),
            about: "rest length of each link",
        },
        Key {
            name: "links_touch",
            kind: Kind::Flag,
            default: Fallback::Flag(true),
            about: "links touch other bodies as the segments of a rope do, each with a contact of its own; `false`: only the particles do, as balls",
        },
    ],
    page: Page::NONE,
    make: |values| Ok(Box::new(Points::new(values)?)),
};

impl Points {
    fn new(values: &Values) -> Result<Self, Problem> {
        let positions = values.get_vectors("positions").unwrap_or_default();
        let links = values.get_pairs("links").unwrap_or_default();
        let rest_lengths = values.get_numbers("rest_lengths");
        check_lengths(values, positions.len(), links.len())?;
        check_links(links, positions.len())?;
        check_rest_lengths(positions, links, rest_lengths)?;
        check_distinct(positions, links, rest_lengths)?;

        let mut springs: Vec<Link> = links
            .iter()
            .enumerate()
            .map(|(k, &[i, j])| Link {
                rest_length: rest_lengths.map(|list| list[k]),
                ..Link::new(i.min(j) as u32, i.max(j) as u32, Family::Edge)
            })
            .collect();
        springs.sort_by_key(|link| (link.i, link.j));
        let masses = match values.get_numbers("masses") {
            Some(list) => Masses::Given(list.to_vec()),
            None => Masses::Even { volume: None },
        };
        Ok(Points {
            geometry: Geometry {
                positions: positions.to_vec(),
                velocities: values.get_vectors("velocities").unwrap_or_default().to_vec(),
                masses,
                segments: match values.get_flag("links_touch").unwrap_or(true) {
                    true => springs.iter().map(|link| [link.i, link.j]).collect(),
                    false => Vec::new(),
                },
                links: springs,
                ..Geometry::default()
            },
        })
    }
}

impl BodyShape for Points {
    fn size(&self) -> (u128, u128) {
        let made = &self.geometry;
        (made.positions.len() as u128, made.links.len() as u128)
    }

    fn springs_of(&self, families: [bool; 4]) -> u128 {
        self.geometry.springs_of(families)
    }

    fn surface(&self) -> u128 {
        self.geometry.surface()
    }

    /// Mostly the scene's text that lists the points, parsed number by number.
    fn making(&self) -> u128 {
        let (particles, links) = self.size();
        self.geometry.making() + 440 * particles + 320 * links
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        Ok(self.geometry.clone())
    }
}

/// Requires one mass and one velocity per particle, one rest length per link.
fn check_lengths(values: &Values, particles: usize, links: usize) -> Result<(), Problem> {
    if particles == 0 {
        return Err(Problem::of(
            "positions",
            "`positions` is empty: the body has no particles",
            "give at least one position [x, y, z]",
        ));
    }
    if u32::try_from(particles).is_err() {
        return Err(Problem::of(
            "positions",
            format!("{particles} positions are more than particles can be numbered"),
            "split the body",
        ));
    }
    let lists = [
        ("masses", values.get_numbers("masses").map(<[_]>::len), particles, "particle"),
        ("velocities", values.get_vectors("velocities").map(<[_]>::len), particles, "particle"),
        ("rest_lengths", values.get_numbers("rest_lengths").map(<[_]>::len), links, "link"),
    ];
    for (key, found, expected, of) in lists {
        if let Some(found) = found
            && found != expected
        {
            return Err(Problem::of(
                key,
                format!("`{key}` holds {found} values for {expected} {of}s"),
                format!("give one value per {of}, {expected} in all, or leave `{key}` out"),
            ));
        }
    }
    Ok(())
}

/// Requires links between two different existing particles, each pair once.
fn check_links(links: &[[usize; 2]], particles: usize) -> Result<(), Problem> {
    for (k, &[i, j]) in links.iter().enumerate() {
        if let Some(index) = [i, j].into_iter().find(|&index| index >= particles) {
            return Err(Problem::of(
                "links",
                format!("links[{k}] = [{i}, {j}]: there is no particle {index} among {particles}"),
                format!("particles count from 0: the last one is {}", particles.saturating_sub(1)),
            ));
        }
        if i == j {
            return Err(Problem::of(
                "links",
                format!("links[{k}] = [{i}, {j}] joins particle {i} to itself"),
                "a link needs two different particles",
            ));
        }
    }
    let mut order: Vec<(usize, usize, usize)> =
        links.iter().enumerate().map(|(k, &[i, j])| (i.min(j), i.max(j), k)).collect();
    order.sort_unstable();
    for pair in order.windows(2) {
        let [(i, j, first), (i2, j2, again)] = [pair[0], pair[1]];
        if (i, j) == (i2, j2) {
            return Err(Problem::of(
                "links",
                format!("links[{again}] joins particles {i} and {j} again, as links[{first}] does"),
                "keep one of the two and give it the sum of their stiffnesses",
            ));
        }
    }
    Ok(())
}

/// Requires a direction for every spring with a rest length.
fn check_rest_lengths(
    positions: &[Vector],
    links: &[[usize; 2]],
    rest_lengths: Option<&[f64]>,
) -> Result<(), Problem> {
    for (k, (&[i, j], &rest)) in links.iter().zip(rest_lengths.unwrap_or_default()).enumerate() {
        if rest > 0.0 && positions[i] == positions[j] {
            return Err(Problem::of(
                "links",
                format!(
                    "links[{k}] joins particles {i} and {j}, which lie on the same point, with rest length {rest} m: its direction is undefined"
                ),
                "move one of the two particles, or set this rest length to 0",
            ));
        }
    }
    Ok(())
}

/// Refuses two particles at one point, unless a spring of stated rest length 0 joins them.
fn check_distinct(
    positions: &[Vector],
    links: &[[usize; 2]],
    rest_lengths: Option<&[f64]>,
) -> Result<(), Problem> {
    // adding zero turns −0 into +0
    let bits = |i: usize| positions[i].map(|x| (x + 0.0).to_bits());
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|&i| (bits(i).x, bits(i).y, bits(i).z, i));
    let mut excused: Vec<(usize, usize)> = links
        .iter()
        .zip(rest_lengths.unwrap_or_default())
        .filter(|&(_, &rest)| rest == 0.0)
        .map(|(&[i, j], _)| (i.min(j), i.max(j)))
        .collect();
    excused.sort_unstable();
    for pair in order.windows(2) {
        let (i, j) = (pair[0], pair[1]);
        if positions[i] == positions[j] && excused.binary_search(&(i, j)).is_err() {
            let p = positions[i];
            return Err(Problem::of(
                "positions",
                format!("particles {i} and {j} lie on the same point [{}, {}, {}]", p.x, p.y, p.z),
                "move one of them, drop it, or join the two by a link of rest length 0",
            ));
        }
    }
    Ok(())
}

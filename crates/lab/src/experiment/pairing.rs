//! The combine rules as maps: coefficient of a pair over those of its two materials.

use crate::output::plots::figure::contour::{Atlas, Map};
use stiction_core::contact::material::{
    CombineRule, FRICTION_PAIRINGS, RESTITUTION_PAIRINGS, friction_family,
};
use stiction_core::math::sqrt;

/// Number of cells of a map along each side.
const CELLS: usize = 96;

/// The values of c for which the family of weights w(x) = c (1 − x) + 1 is shown.
pub(crate) const FAMILY: [f64; 5] = [0.5, 1.0, std::f64::consts::SQRT_2, 2.0, 4.0];

/// Contours of all combine rules for friction and restitution, and of the family of weighted sums.
/// Cells are shaded where a larger coefficient of a material lowers that of the pair. Source:
/// \[stock2015\].
pub fn atlas() -> Atlas {
    let maps = |laws: &[CombineRule]| laws.iter().map(|law| map(law.name, law.combine)).collect();
    let family = |c: &f64| {
        let (c, root) = (*c, sqrt(2.0));
        let name = if c == root { "c = √2".into() } else { format!("c = {c}") };
        let mut map = map(&name, |x, y| friction_family(c, x, y));
        map.marks = turning(c).into_iter().flat_map(|x| [(x, 0.0), (0.0, x)]).collect();
        map
    };
    Atlas {
        title: "What two materials make of each other: f(x, y)".into(),
        rows: vec![
            ("friction".into(), maps(FRICTION_PAIRINGS)),
            ("restitution".into(), maps(RESTITUTION_PAIRINGS)),
            (
                "friction, weighted sums with w(x) = c (1 − x) + 1; shaded: falls where a coefficient grows; dots: where f(x, 0) is largest".into(),
                FAMILY.iter().map(family).collect(),
            ),
        ],
        axes: ["x".into(), "y".into()],
    }
}

fn map(name: &str, f: impl Fn(f64, f64) -> f64) -> Map {
    let levels: Vec<f64> = (1..10).map(|k| 0.1 * f64::from(k)).collect();
    let mut map = Map::sampled(name, CELLS, &levels, f);
    map.shaded = falling(&map);
    map
}

/// The cells over which a value falls as one of the coefficients grows.
fn falling(map: &Map) -> Vec<Vec<bool>> {
    let v = &map.values;
    let n = v.len() - 1;
    let falls = |a: f64, b: f64| b < a - 1e-12;
    let cell = |i: usize, j: usize| {
        let along = falls(v[j][i], v[j][i + 1]) || falls(v[j + 1][i], v[j + 1][i + 1]);
        along || falls(v[j][i], v[j + 1][i]) || falls(v[j][i + 1], v[j + 1][i + 1])
    };
    (0..n).map(|j| (0..n).map(|i| cell(i, j)).collect()).collect()
}

/// Point x < 1 at which f(x, 0) = w x/(w + c + 1) is largest, with w = c (1 − x) + 1, if there is
/// one: the family is monotone only for c ≤ √2.
///
/// With s = c + 1, f(x, 0) = (s − c x) x/(2 s − c x), whose derivative vanishes at c² x² − 4 c s x
/// + 2 s² = 0: x = (2 − √2) s/c.
pub fn turning(c: f64) -> Option<f64> {
    let x = (2.0 - sqrt(2.0)) * (c + 1.0) / c;
    (x < 1.0 - 1e-12).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// the published peak of c = 2, and the values around the turning point of each
    #[test]
    fn the_turning_points_are_where_the_family_is_largest() {
        let peak = turning(2.0).expect("not monotone");
        assert!((peak - 0.87868).abs() < 5e-6, "{peak}");
        assert!((friction_family(2.0, peak, 0.0) - 0.257359).abs() < 5e-7);
        for c in FAMILY {
            let Some(x) = turning(c) else {
                assert!(c <= sqrt(2.0));
                continue;
            };
            let at = |x: f64| friction_family(c, x, 0.0);
            assert!(at(x) > at(x - 1e-3) && at(x) > at(x + 1e-3), "{c}");
        }
    }

    /// only c = 2 and 4 have shaded cells, and none of the combine rules that a scene can name
    #[test]
    fn only_weights_above_the_root_of_two_fall() {
        let atlas = atlas();
        let shaded = |map: &Map| map.shaded.iter().flatten().any(|cell| *cell);
        for (row, (_, maps)) in atlas.rows.iter().enumerate() {
            for map in maps {
                let falls = row == 2 && (map.title == "c = 2" || map.title == "c = 4");
                assert_eq!(shaded(map), falls, "{}", map.title);
            }
        }
    }

    /// A dip at (1, ½): the cells on either side of it are shaded, and no others.
    #[test]
    fn cells_over_which_a_value_falls_are_shaded() {
        let dip = |x: f64, y: f64| if x == 1.0 && y == 0.5 { -1.0 } else { 0.0 };
        let map = Map::sampled("dip", 2, &[], dip);
        assert_eq!(falling(&map), [[false, true], [false, true]]);
        let dip = |x: f64, y: f64| if x == 0.5 && y == 1.0 { -1.0 } else { 0.0 };
        assert_eq!(falling(&Map::sampled("dip", 2, &[], dip)), [[false, false], [true, true]]);
    }
}

//! Search for candidates.

use super::Detector;
use super::closest::on_triangle;
use super::grid::{Grid, around, widened};
use super::threads::search_by;
use crate::contact::collider::Bounds;
use crate::forces::crew::Crew;
use crate::math::{Vector, larger, sqrt};
use crate::state::memory::Candidates;

/// Factor by which search ranges are widened for the rounding of distances.
const ROUNDING: f64 = 1.0 + 1e-9;

impl Detector {
    /// Lists every pair whose gap is below `range` \[m\] now, or can be before a particle has moved
    /// by half the skin against a translation of all. Allocates.
    pub fn refresh(&self, candidates: &mut Candidates, positions: &[Vector], range: f64) {
        self.refresh_by(&Crew::alone(positions.len()), candidates, positions, range);
    }

    /// As [`Detector::refresh`], by several threads.
    pub(crate) fn refresh_by(
        &self,
        crew: &Crew,
        candidates: &mut Candidates,
        positions: &[Vector],
        range: f64,
    ) {
        candidates.positions.clear();
        candidates.positions.extend_from_slice(positions);
        candidates.skin = self.skin;
        candidates.range = range;
        candidates.points.clear();
        candidates.surfaces.clear();
        candidates.edges.clear();
        candidates.lines.clear();
        if !self.self_contact && !self.between {
            return;
        }
        self.list_points(crew, positions, range, &mut candidates.points);
        self.list_surfaces(crew, positions, range, &mut candidates.surfaces);
        self.list_edges(crew, positions, range, &mut candidates.edges);
        self.list_lines(crew, positions, range, &mut candidates.lines);
    }

    /// The distance `range` \[m\] plus the skin, widened for rounding: how far to search.
    fn searched(&self, range: f64) -> f64 {
        (range + self.skin) * ROUNDING
    }

    fn list_points(&self, crew: &Crew, x: &[Vector], ahead: f64, pairs: &mut Vec<[u32; 2]>) {
        let largest = self.loose.iter().map(|i| self.radius(*i)).fold(0.0, larger);
        if self.loose.len() < 2 || largest <= 0.0 {
            return;
        }
        // each in a box of its own size: a large particle does not widen the search of all
        let half = 0.5 * self.searched(ahead);
        let area = |i: &u32| widened(around(&[x[*i as usize]]), self.radius(*i) * ROUNDING + half);
        let areas: Vec<Bounds> = self.loose.iter().map(area).collect();
        let grid = Grid::new(&areas, 0.0);
        search_by(crew, self.loose.len(), pairs, |own, pairs| {
            let mut near = Vec::new();
            for n in own {
                let i = self.loose[n];
                near.clear();
                grid.for_each_near(&areas[n], |m| {
                    if m as usize > n {
                        near.push(self.loose[m as usize]);
                    }
                });
                near.sort_unstable();
                for &j in &near {
                    let range = self.searched(self.radius(i) + self.radius(j) + ahead);
                    let square = (x[i as usize] - x[j as usize]).norm_squared();
                    if square <= range * range && self.points_may_meet(i, j) {
                        pairs.push([i, j]);
                    }
                }
            }
        });
    }

    fn list_surfaces(&self, crew: &Crew, x: &[Vector], ahead: f64, pairs: &mut Vec<[u32; 2]>) {
        let count = self.triangles.corners.len() as u32;
        if count == 0 {
            return;
        }
        let areas: Vec<Bounds> = (0..count)
            .map(|t| {
                let body = &self.bodies[self.triangles.bodies[t as usize] as usize];
                let touch = body.radius + ahead;
                let range = if body.reach > touch { body.reach } else { touch };
                widened(around(&self.triangles.places(t, x)), self.searched(range))
            })
            .collect();
        let grid = Grid::new(&areas, 0.0);
        search_by(crew, self.exposed.len(), pairs, |own, pairs| {
            let mut near = Vec::new();
            for &i in &self.exposed[own] {
                let p = x[i as usize];
                let home = self.body_of[i as usize];
                let point = widened(around(&[p]), self.radius(i) * ROUNDING);
                near.clear();
                grid.for_each_near(&point, |t| {
                    let body = self.triangles.bodies[t as usize];
                    if self.may_meet(home, body) && overlap(&point, &areas[t as usize]) {
                        near.push(t);
                    }
                });
                near.sort_unstable();
                for &t in &near {
                    let body = self.triangles.bodies[t as usize];
                    let range = self.searched(self.surface_range(i, body, ahead));
                    let found = on_triangle(p, self.triangles.places(t, x));
                    if sqrt(found.square) <= range && self.triangle_may_meet(i, t) {
                        pairs.push([i, t]);
                    }
                }
            }
        });
    }

    /// Boxes of the edges, widened by their own radii and the range common to all pairs.
    fn edge_areas(&self, x: &[Vector], ahead: f64) -> Vec<Bounds> {
        let common = self.searched(ahead);
        let area = |edge: &super::Edge| {
            let ends = edge.places(x);
            widened(around(&ends), common + self.edge_radius(edge) * ROUNDING)
        };
        self.edges.iter().map(area).collect()
    }

    fn list_edges(&self, crew: &Crew, x: &[Vector], ahead: f64, pairs: &mut Vec<[u32; 2]>) {
        if self.edges.is_empty() {
            return;
        }
        let areas = self.edge_areas(x, ahead);
        let grid = Grid::new(&areas, 0.0);
        search_by(crew, self.edges.len(), pairs, |own, pairs| {
            let mut near = Vec::new();
            for (e, edge) in (own.start as u32..).zip(&self.edges[own]) {
                let radius = self.edge_radius(edge);
                let ends = edge.places(x);
                let area = widened(around(&ends), radius * ROUNDING);
                near.clear();
                grid.for_each_near(&area, |f| {
                    let other = &self.edges[f as usize];
                    let meet = f > e && self.may_meet(edge.body, other.body);
                    if meet && overlap(&area, &areas[f as usize]) {
                        near.push(f);
                    }
                });
                near.sort_unstable();
                for &f in &near {
                    let other = self.edge_radius(&self.edges[f as usize]);
                    let range = self.searched(radius + other + ahead);
                    if self.edge_distance(e, f, x) <= range && self.edges_may_meet(e, f) {
                        pairs.push([e, f]);
                    }
                }
            }
        });
    }

    fn list_lines(&self, crew: &Crew, x: &[Vector], ahead: f64, pairs: &mut Vec<[u32; 2]>) {
        let segments: Vec<u32> = self.bodies.iter().flat_map(|b| b.segments.clone()).collect();
        if segments.is_empty() || self.loose.is_empty() {
            return;
        }
        let area = |s: &u32| {
            let edge = &self.edges[*s as usize];
            // the closest segment of the whole rope decides: all share the largest radius
            let range = self.bodies[edge.body as usize].radius + ahead;
            widened(around(&edge.places(x)), self.searched(range))
        };
        let areas: Vec<Bounds> = segments.iter().map(area).collect();
        let grid = Grid::new(&areas, 0.0);
        search_by(crew, self.loose.len(), pairs, |own, pairs| {
            let mut near = Vec::new();
            for &i in &self.loose[own] {
                let point = widened(around(&[x[i as usize]]), self.radius(i) * ROUNDING);
                near.clear();
                grid.for_each_near(&point, |n| near.push(segments[n as usize]));
                near.sort_unstable();
                for &s in &near {
                    let edge = &self.edges[s as usize];
                    let body = &self.bodies[edge.body as usize];
                    let range = self.searched(self.radius(i) + body.radius + ahead);
                    if self.line_may_meet(i, s) && self.line_distance(i, s, x) <= range {
                        pairs.push([i, s]);
                    }
                }
            }
        });
    }
}

/// Whether two boxes share a point.
fn overlap(a: &Bounds, b: &Bounds) -> bool {
    (0..3).all(|k| a.min[k] <= b.max[k] && b.min[k] <= a.max[k])
}

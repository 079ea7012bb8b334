//! Density and speed by Voronoi cells (Steffen and Seyfried 2010, "Methods for measuring pedestrian
//! density, flow, speed and direction with minimal scatter"), as PedPy computes them.
//!
//! The cell of an agent is the ground nearer to it than to any other: the half-planes on its side of the
//! middle to each of its neighbours in the Delaunay triangulation, cut by the cutoff's polygon, then the
//! part of it on open ground that holds the agent. In a cell of area A the density is 1 / A, and the
//! speed that of its agent; an area has the mean of both over its ground. Ground that is not connected is
//! looked at part by part.

use std::collections::BTreeMap;

use spade::{DelaunayTriangulation, Point2, Triangulation as _};

use crate::map::Map;
use crate::map::area::free_rects;
use crate::math::each::Each;
use crate::par;
use crate::report::Crowd;
use crate::report::measure::convex::{Point, area, bounds, circle, cut, cut_to, overlap};
use crate::report::measure::walkable::Walkable;
use crate::scenario::AreaPlan;

/// Density and speed of an area at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Local {
    /// Persons/m².
    pub(super) density: f64,
    /// m/s; `None` where no cell reaches the area.
    pub(super) speed: Option<f64>,
}

/// The ground of an area.
#[derive(Clone, Debug)]
struct Ground {
    /// By rectangle of the walkable ground: rectangles of the area in it.
    pieces: BTreeMap<u32, Vec<[f64; 4]>>,
    bounds: [f64; 4],
    free_m2: f64,
}

/// Looks at the areas of a run.
#[derive(Clone, Debug)]
pub(super) struct Voronoi {
    walkable: Walkable,
    areas: Vec<Ground>,
    /// The parts of the ground that areas lie on, in order.
    parts: Vec<u32>,
    /// Radius in m, and the polygon around (0, 0).
    cutoff: Option<(f64, Vec<Point>)>,
    /// The map: smallest x, y, largest x, y.
    whole: [f64; 4],
}

/// Agents of a part of the ground that stand at one point.
struct Place {
    at: Point,
    rect: u32,
    count: f64,
    /// Sum of their speeds.
    speed: f64,
}

impl Voronoi {
    /// For some areas of a map, with cells of a largest radius, if any.
    pub(super) fn new(map: &Map, areas: &[AreaPlan], cutoff: Option<f64>) -> Self {
        let walkable = Walkable::new(map);
        let areas: Vec<Ground> =
            areas.iter().map(|area| Ground::new(map, &walkable, area)).collect();
        let rects = areas.iter().flat_map(|area| area.pieces.keys());
        let mut parts: Vec<u32> = rects.map(|&rect| walkable.part(rect)).collect();
        parts.sort_unstable();
        parts.dedup();
        let round = |radius: f64| {
            (radius, circle().iter().map(|corner| corner.each(|c| c * radius)).collect())
        };
        let [width, height] = [map.width(), map.height()].each(|n| f64::from(n) * map.cell_size());
        Self { walkable, areas, parts, cutoff: cutoff.map(round), whole: [0.0, 0.0, width, height] }
    }

    /// Density and speed of all areas; velocities in m/s, by row.
    pub(super) fn look(&self, crowd: &Crowd, velocities: &[[f32; 2]]) -> Vec<Local> {
        let mut sums = vec![[0.0; 2]; self.areas.len()];
        for places in self.places(crowd, velocities) {
            for shares in self.shares(&places) {
                for (at, [persons, speed]) in shares {
                    sums[at][0] += persons;
                    sums[at][1] += speed;
                }
            }
        }
        let mean = |(area, [persons, speed]): (&Ground, [f64; 2])| match persons > 0.0 {
            true => Local { density: persons / area.free_m2, speed: Some(speed / area.free_m2) },
            false => Local::default(),
        };
        self.areas.iter().zip(sums).map(mean).collect()
    }

    /// Positions of the agents that can matter, part by part, in the order of x, then y.
    fn places(&self, crowd: &Crowd, velocities: &[[f32; 2]]) -> Vec<Vec<Place>> {
        // With a cutoff a cell that reaches an area belongs to an agent within one radius of it, and
        // is cut by agents within two radii of that one.
        let far = self.cutoff.as_ref().map_or(f64::INFINITY, |(radius, _)| 3.0 * radius);
        let matters = |[x, y]: Point| {
            let near = |area: &Ground| overlap(grown(area.bounds, far), [x, y, x, y]);
            self.areas.iter().any(near)
        };
        let mut parts: Vec<Vec<Place>> = self.parts.iter().map(|_| Vec::new()).collect();
        let mut rows: Vec<usize> = (0..crowd.len()).collect();
        let key = |row: usize| crowd.positions[row];
        rows.sort_unstable_by(|&a, &b| {
            let ([ax, ay], [bx, by]) = (key(a), key(b));
            ax.total_cmp(&bx).then(ay.total_cmp(&by)).then(crowd.ids[a].cmp(&crowd.ids[b]))
        });
        for row in rows {
            let at = crowd.positions[row].each(f64::from);
            let Some(rect) = self.walkable.at(at).filter(|_| matters(at)) else { continue };
            let Ok(part) = self.parts.binary_search(&self.walkable.part(rect)) else { continue };
            let [vx, vy] = velocities[row].each(f64::from);
            let speed = (vx * vx + vy * vy).sqrt();
            match parts[part].last_mut() {
                Some(last) if last.at == at => {
                    last.count += 1.0;
                    last.speed += speed;
                }
                _ => parts[part].push(Place { at, rect, count: 1.0, speed }),
            }
        }
        parts
    }

    /// By place of one part of the ground: the areas that its cell reaches, with persons, and with
    /// m² times speed.
    fn shares(&self, places: &[Place]) -> Vec<Vec<(usize, [f64; 2])>> {
        let points = places.iter().map(|place| Point2::new(place.at[0], place.at[1])).collect();
        let cells = DelaunayTriangulation::<Point2<f64>>::bulk_load_stable(points)
            .expect("agents stand at different points of the map");
        let vertices: Vec<_> = cells.vertices().collect();
        par::map(places.len(), 64, |place| {
            let beside = vertices[place].out_edges().map(|edge| edge.to().position());
            self.share(&places[place], beside.map(|point| [point.x, point.y]))
        })
    }

    /// The areas that the cell of a place reaches, with persons, and with m² times speed.
    fn share(&self, place: &Place, beside: impl Iterator<Item = Point>) -> Vec<(usize, [f64; 2])> {
        let [x, y] = place.at;
        let mut cell = match &self.cutoff {
            Some((_, circle)) => {
                circle.iter().map(|corner| [x + corner[0], y + corner[1]]).collect()
            }
            None => {
                let [x0, y0, x1, y1] = self.whole;
                vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
            }
        };
        let mut spare = Vec::new();
        for [bx, by] in beside {
            let half = [(x + bx) * 0.5, (y + by) * 0.5];
            let across = [bx - x, by - y];
            cut(
                &mut cell,
                &mut spare,
                [across[0], across[1], across[0] * half[0] + across[1] * half[1]],
            );
        }
        let reach = bounds(&cell);
        let near = |(_, area): &(usize, &Ground)| overlap(area.bounds, reach);
        let areas: Vec<(usize, &Ground)> = self.areas.iter().enumerate().filter(near).collect();
        if areas.is_empty() {
            return Vec::new();
        }
        let (rects, whole) = self.walkable.reach(&cell, place.rect);
        let mut rest = Vec::new();
        let mut inside = |piece: &[f64; 4]| {
            rest.clear();
            rest.extend_from_slice(&cell);
            cut_to(&mut rest, &mut spare, *piece);
            area(&rest)
        };
        let mut found = Vec::new();
        for (at, ground) in areas {
            let pieces = rects.iter().filter_map(|rect| ground.pieces.get(rect)).flatten();
            let m2: f64 = pieces.filter(|&&piece| overlap(piece, reach)).map(&mut inside).sum();
            if m2 > 0.0 && whole > 0.0 {
                found.push((at, [m2 / whole * place.count, m2 * place.speed / place.count]));
            }
        }
        found
    }
}

impl Ground {
    fn new(map: &Map, walkable: &Walkable, plan: &AreaPlan) -> Self {
        let mut pieces: BTreeMap<u32, Vec<[f64; 4]>> = BTreeMap::new();
        let (mut corners, mut free_m2) = (Vec::new(), 0.0);
        for piece in free_rects(map, &plan.shapes) {
            let around = (0..walkable.len() as u32).filter(|&r| overlap(walkable.rect(r), piece));
            for rect in around {
                let whole = walkable.rect(rect);
                let [x0, y0] = [0, 1].each(|k| piece[k].max(whole[k]));
                let [x1, y1] = [2, 3].each(|k| piece[k].min(whole[k]));
                pieces.entry(rect).or_default().push([x0, y0, x1, y1]);
                corners.extend([[x0, y0], [x1, y1]]);
                free_m2 += (x1 - x0) * (y1 - y0);
            }
        }
        Self { pieces, bounds: bounds(&corners), free_m2 }
    }
}

/// A box, so much larger on all sides.
fn grown([x0, y0, x1, y1]: [f64; 4], by: f64) -> [f64; 4] {
    [x0 - by, y0 - by, x1 + by, y1 + by]
}

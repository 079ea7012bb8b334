//! Edges of polygons, cut where they meet.

use crate::math::each::Each;
use robust::Coord;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A point, ordered by y, then x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place(pub(super) [f64; 2]);

impl Place {
    /// The point, without negative zeros.
    pub(super) fn new([x, y]: [f64; 2]) -> Self {
        Self([x + 0.0, y + 0.0])
    }

    fn coord(self) -> Coord<f64> {
        let [x, y] = self.0;
        Coord { x, y }
    }
}

impl Eq for Place {}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0[1].total_cmp(&other.0[1]).then_with(|| self.0[0].total_cmp(&other.0[0]))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In how many polygons a face is; or how many more polygons the face on the left of an edge is in
/// than the face on its right, where y points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Winding {
    pub(super) boundary: i32,
    pub(super) obstacles: i32,
}

impl Winding {
    pub(super) fn plus(self, other: Self, times: i32) -> Self {
        Self {
            boundary: self.boundary + times * other.boundary,
            obstacles: self.obstacles + times * other.obstacles,
        }
    }
}

/// 1 where `c` is on the left of the line from `a` to `b` (y points up), −1 on the right, 0 on it;
/// exact.
pub(super) fn side(a: Place, b: Place, c: Place) -> i32 {
    let side = robust::orient2d(a.coord(), b.coord(), c.coord());
    i32::from(side > 0.0) - i32::from(side < 0.0)
}

/// An edge of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) winding: Winding,
}

/// How far apart places are where edges cross, at least; they are rounded to multiples of it.
const STEPS_PER_UNIT: f64 = 1_048_576.0;

impl Segment {
    /// Smallest and largest x, y.
    pub(super) fn bounds(&self) -> [[f64; 2]; 2] {
        let ([a, b], [c, d]) = (self.from.0, self.to.0);
        [[a.min(c), b.min(d)], [a.max(c), b.max(d)]]
    }

    /// Adds the places on this edge, beside its ends, where another one meets it: where that one
    /// ends on it, exactly, or crosses it, rounded. The other way round it is the same place.
    pub(super) fn meet(&self, other: &Self, places: &mut Vec<Place>) {
        let [from, to] = [other.from, other.to].each(|end| side(self.from, self.to, end));
        if from * to < 0 {
            let [a, b] = [self.from, self.to].each(|end| side(other.from, other.to, end));
            if a * b < 0 {
                places.push(crossing(self, other));
            }
        }
        for (end, side) in [(other.from, from), (other.to, to)] {
            if side == 0 && end != self.from && end != self.to && within(self.bounds(), end) {
                places.push(end);
            }
        }
    }

    /// This edge's ends and the places between, in order.
    pub(super) fn chain(&self, mut places: Vec<Place>) -> Vec<Place> {
        let ([x, y], [to_x, to_y]) = (self.from.0, self.to.0);
        let along = |place: &Place| (place.0[0] - x) * (to_x - x) + (place.0[1] - y) * (to_y - y);
        places.retain(|&place| place != self.from && place != self.to);
        places.sort_by(|a, b| along(a).total_cmp(&along(b)).then_with(|| a.cmp(b)));
        places.dedup();
        places.insert(0, self.from);
        places.push(self.to);
        places
    }
}

fn within([low, high]: [[f64; 2]; 2], place: Place) -> bool {
    (0..2).all(|i| low[i] <= place.0[i] && place.0[i] <= high[i])
}

/// Whether two boxes touch.
pub(super) fn touch(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> bool {
    (0..2).all(|i| a[0][i] <= b[1][i] && b[0][i] <= a[1][i])
}

/// Where two edges cross, the same for every order of edges and ends.
fn crossing(a: &Segment, b: &Segment) -> Place {
    let ends = |s: &Segment| (s.from.min(s.to), s.from.max(s.to));
    let (first, second) = (ends(a).min(ends(b)), ends(a).max(ends(b)));
    let ([x, y], end) = (first.0.0, first.1.0);
    let edge = [end[0] - x, end[1] - y];
    let across = |place: Place| edge[0] * (place.0[1] - y) - edge[1] * (place.0[0] - x);
    let (from, to) = (across(second.0), across(second.1));
    // Ends on both sides may look as if they were on the line once rounded.
    let share = if from == to { 0.5 } else { (from / (from - to)).clamp(0.0, 1.0) };
    let round = |value: f64| (value * STEPS_PER_UNIT + 0.5).floor() / STEPS_PER_UNIT;
    let at = |i: usize| second.0.0[i] + share * (second.1.0[i] - second.0.0[i]);
    Place::new([round(at(0)), round(at(1))])
}

/// How polygons lie beside an edge, from its lower end to its higher one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    /// Zero where nothing changes across the edge: it is no wall.
    pub(super) winding: Winding,
    count: i32,
}

/// Edges by their ends, the lower one first.
pub(super) type Edges = BTreeMap<[Place; 2], Weight>;

/// Adds (`times` 1) or takes away (−1) an edge's parts; each is told to `changed`.
pub(super) fn put(
    edges: &mut Edges,
    chain: &[Place],
    winding: Winding,
    times: i32,
    mut changed: impl FnMut([Place; 2]),
) {
    for ends in chain.windows(2) {
        let up = ends[0] < ends[1];
        let key = if up { [ends[0], ends[1]] } else { [ends[1], ends[0]] };
        let weight = edges.entry(key).or_default();
        weight.winding = weight.winding.plus(winding, if up { times } else { -times });
        weight.count += times;
        if weight.count == 0 {
            edges.remove(&key);
        }
        changed(key);
    }
}

/// Every edge's ends and the places where others meet it, in order.
pub(super) fn chains(segments: &[Segment]) -> Vec<Vec<Place>> {
    let bounds: Vec<_> = segments.iter().map(Segment::bounds).collect();
    let mut order: Vec<u32> = (0..segments.len() as u32).collect();
    let left = |at: u32| bounds[at as usize][0][0];
    order.sort_by(|&a, &b| left(a).total_cmp(&left(b)).then_with(|| a.cmp(&b)));
    let mut places = vec![Vec::new(); segments.len()];
    for (i, &a) in order.iter().enumerate() {
        let a = a as usize;
        for &b in &order[i + 1..] {
            if left(b) > bounds[a][1][0] {
                break;
            }
            let b = b as usize;
            if touch(bounds[a], bounds[b]) {
                segments[a].meet(&segments[b], &mut places[a]);
                segments[b].meet(&segments[a], &mut places[b]);
            }
        }
    }
    segments.iter().zip(places).map(|(segment, places)| segment.chain(places)).collect()
}

/// The parts of edges as edges of their own, each once.
pub(super) fn parts(edges: &Edges) -> Vec<Segment> {
    let part = |(ends, weight): (&[Place; 2], &Weight)| Segment {
        from: ends[0],
        to: ends[1],
        winding: weight.winding,
    };
    edges.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::{Place, Segment, Winding, crossing};

    /// Edges that are nearly parallel: the place found on one would be another than on the other.
    #[test]
    fn edges_cross_at_one_place_in_every_order() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64 / 16_777_216.0
        };
        let mut segment = |y: f64, to_y: f64| {
            let place = |x: f64, y: f64, shift: f64| Place::new([x, y + (shift + 0.1) * 1e-6]);
            let (from, to) = (place(0.3, y, random()), place(70.1, to_y, random()));
            Segment { from, to, winding: Winding::default() }
        };
        let back = |s: &Segment| Segment { from: s.to, to: s.from, winding: s.winding };
        for _ in 0..1000 {
            let a = segment(0.0, 40.0 + 2e-6);
            let b = segment(2e-6, 40.0);
            let at = crossing(&a, &b);
            assert_eq!(
                [crossing(&b, &a), crossing(&back(&a), &b), crossing(&b, &back(&a))],
                [at; 3]
            );
        }
    }
}

//! Merging of convex polygons.

use super::pieces::Pieces;
use crate::graph::NONE;
use crate::math::each::Each;
use robust::Coord;

/// Merges convex polygons across edges, the longest first, while the result is convex; angles of
/// 180° stay as corners, so that neighbours go on to share whole edges.
///
/// An edge that cannot go when its turn comes cannot go later either, as angles only grow, so one
/// round is enough.
pub(super) fn merge(points: &[[f64; 2]], pieces: &Pieces) -> Pieces {
    let twins = pieces.twins();
    let mut outline = Outline::new(points, pieces);
    for edge in by_length(points, pieces, &twins) {
        let twin = twins[edge as usize];
        if outline.convex_without(edge, twin) && outline.convex_without(twin, edge) {
            outline.take_away(edge, twin);
        }
    }
    outline.pieces(pieces)
}

/// One half of every inner edge, the longest first.
fn by_length(points: &[[f64; 2]], pieces: &Pieces, twins: &[u32]) -> Vec<u32> {
    let mut edges = Vec::new();
    for (at, &twin) in twins.iter().enumerate() {
        if twin == NONE {
            continue;
        }
        let (from, to) = (pieces.corners[at], pieces.corners[twin as usize]);
        if from < to {
            let (a, b) = (points[from as usize], points[to as usize]);
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            edges.push((dx * dx + dy * dy, from, to, at as u32));
        }
    }
    edges.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    edges.into_iter().map(|edge| edge.3).collect()
}

/// Half edges in rings: each belongs to the corner that it starts at.
struct Outline<'a> {
    points: &'a [[f64; 2]],
    from: &'a [u32],
    next: Vec<u32>,
    before: Vec<u32>,
    gone: Vec<bool>,
}

impl<'a> Outline<'a> {
    fn new(points: &'a [[f64; 2]], pieces: &'a Pieces) -> Self {
        let count = pieces.walls.len() as u32;
        let mut next: Vec<u32> = (1..=count).collect();
        let mut before: Vec<u32> = (0..count).map(|at| at.wrapping_sub(1)).collect();
        for range in (0..pieces.corners.count()).map(|piece| pieces.corners.range(piece)) {
            next[range.end - 1] = range.start as u32;
            before[range.start] = range.end as u32 - 1;
        }
        let gone = vec![false; count as usize];
        Self { points, from: pieces.corners.items(), next, before, gone }
    }

    fn point(&self, edge: u32) -> Coord<f64> {
        let [x, y] = self.points[self.from[edge as usize] as usize];
        Coord { x, y }
    }

    /// Whether the corner where an edge starts is convex when the edge is gone.
    fn convex_without(&self, edge: u32, twin: u32) -> bool {
        let after = self.next[self.next[twin as usize] as usize];
        let corners = [self.before[edge as usize], edge, after].each(|at| self.point(at));
        robust::orient2d(corners[0], corners[1], corners[2]) >= 0.0
    }

    fn take_away(&mut self, edge: u32, twin: u32) {
        for (edge, twin) in [(edge, twin), (twin, edge)] {
            let (before, after) = (self.before[edge as usize], self.next[twin as usize]);
            self.next[before as usize] = after;
            self.before[after as usize] = before;
            self.gone[edge as usize] = true;
        }
    }

    fn pieces(&self, old: &Pieces) -> Pieces {
        let mut seen = self.gone.clone();
        let mut pieces = Pieces::default();
        for start in 0..self.next.len() {
            let mut at = start;
            while !seen[at] {
                seen[at] = true;
                pieces.corners.push(self.from[at]);
                pieces.walls.push(old.walls[at]);
                at = self.next[at] as usize;
            }
            if !pieces.corners.open_row().is_empty() {
                pieces.close();
            }
        }
        pieces.sorted()
    }
}

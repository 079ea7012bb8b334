//! Shorter paths: skipping points and pulling the string.
//!
//! No step makes a path longer, none leads where the agent does not fit, and none takes a shortcut
//! through slower ground: what replaces a part of the path crosses nothing slower than the worst of
//! that part, and takes no longer.

use crate::graph::network::nearby::Sight;
use crate::graph::network::obstacles::{Obstacles, Point, Stretch};
use crate::math::plane::{blend, distance, nearest_on};

/// Shares of the way to the straight line that [`pull`] tries for a point.
const SHARES: [f64; 7] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625];

/// Goes from each kept point straight to the farthest one in sight, up to `look` points ahead, for
/// an agent of a radius in metres.
pub fn skip(obstacles: &impl Obstacles, radius: f64, look: u32, path: &mut Vec<Point>) {
    if let (Some(&from), Some(&to)) = (path.first(), path.last()) {
        let sight = Sight::new(obstacles, radius, [from, to]);
        skip_with(&sight, look, path, &mut Vec::new());
    }
}

/// Moves each inner point of a path as far towards the straight line between its neighbours as they
/// stay in sight, for an agent of a radius in metres.
pub fn pull(obstacles: &impl Obstacles, radius: f64, path: &mut [Point]) {
    if let (Some(&from), Some(&to)) = (path.first(), path.last()) {
        pull_with(&Sight::new(obstacles, radius, [from, to]), path);
    }
}

/// The first part of a path, from that point to the next, that an agent of a radius in metres
/// cannot walk any more; `None` when all is clear. A path that is blocked is to be sought again.
pub fn first_blocked(obstacles: &impl Obstacles, radius: f64, path: &[Point]) -> Option<usize> {
    let (&from, &to) = (path.first()?, path.last()?);
    let sight = Sight::new(obstacles, radius, [from, to]);
    path.windows(2).position(|pair| !sight.sees(pair[0], pair[1]))
}

/// Where an agent of a radius in metres that is at a position, on its path or off it, goes next: the
/// farthest point in sight, at most `look` points after `next`, the one that it was going to, and
/// over no slower ground than by way of `next`. `None` when `next` is not in sight: the way is to be
/// sought again.
pub fn farthest_visible(
    obstacles: &impl Obstacles,
    radius: f64,
    at: Point,
    path: &[Point],
    next: usize,
    look: u32,
) -> Option<usize> {
    let (&first, &last) = (path.get(next)?, path.last()?);
    let sight = Sight::new(obstacles, radius, [at, last]);
    if !sight.sees(at, first) {
        return None;
    }
    let weighted = weighted(obstacles);
    let no_slower = |to: usize| {
        let parts = path[next..=to].windows(2).map(|pair| obstacles.ground(pair[0], pair[1]));
        obstacles.ground(at, path[to]).within(parts.fold(obstacles.ground(at, first), Stretch::and))
    };
    let end = (next + look as usize).min(path.len() - 1);
    let good = |&to: &usize| sight.sees(at, path[to]) && (!weighted || no_slower(to));
    Some((next + 1..=end).rev().find(good).unwrap_or(next))
}

/// [`skip`]; `grounds` is memory. Returns how often it looked.
pub(super) fn skip_with<O: Obstacles>(
    sight: &Sight<'_, O>,
    look: u32,
    path: &mut Vec<Point>,
    grounds: &mut Vec<Stretch>,
) -> u32 {
    let weighted = weighted(sight.obstacles);
    grounds.clear();
    if weighted {
        grounds.extend(path.windows(2).map(|pair| sight.obstacles.ground(pair[0], pair[1])));
    }
    let (mut at, mut kept, mut looked) = (0, 1, 0);
    while at + 1 < path.len() {
        let from = path[at];
        let mut next = (at + look.max(1) as usize).min(path.len() - 1);
        while next > at + 1 {
            let no_slower = || {
                let parts = grounds[at..next].iter();
                let old = parts.fold(Stretch { cost: 0.0, worst: 0 }, |sum, part| sum.and(*part));
                sight.obstacles.ground(from, path[next]).within(old)
            };
            looked += 1;
            if sight.sees(from, path[next]) && (!weighted || no_slower()) {
                break;
            }
            next -= 1;
        }
        path[kept] = path[next];
        kept += 1;
        at = next;
    }
    path.truncate(kept);
    looked
}

/// [`pull`]. Returns how often it looked, and how many points it moved.
pub(super) fn pull_with<O: Obstacles>(sight: &Sight<'_, O>, path: &mut [Point]) -> [u32; 2] {
    let ground = |a: Point, b: Point| sight.obstacles.ground(a, b);
    let weighted = weighted(sight.obstacles);
    let (mut looked, mut moved) = (0, 0);
    for i in 1..path.len().saturating_sub(1) {
        let [a, p, b] = [path[i - 1], path[i], path[i + 1]];
        let line = blend(a, b, nearest_on(p, a, b));
        let old = distance(a, p) + distance(p, b);
        for share in SHARES {
            let q = blend(p, line, share);
            if distance(a, q) + distance(q, b) >= old {
                continue;
            }
            let no_slower = || {
                let was = ground(a, p).and(ground(p, b));
                ground(a, q).and(ground(q, b)).within(was)
            };
            looked += 1;
            if sight.sees(a, q) && sight.sees(q, b) && (!weighted || no_slower()) {
                path[i] = q;
                moved += 1;
                break;
            }
        }
    }
    [looked, moved]
}

fn weighted(obstacles: &impl Obstacles) -> bool {
    let [least, greatest] = obstacles.slowness();
    least != greatest
}

impl Stretch {
    /// One after the other.
    fn and(self, next: Self) -> Self {
        Self { cost: self.cost + next.cost, worst: self.worst.max(next.worst) }
    }

    /// Whether this ground is no slower, anywhere or in all.
    fn within(self, other: Self) -> bool {
        self.worst <= other.worst && self.cost <= other.cost
    }
}

/// Length of a path in metres.
pub(super) fn length(path: &[Point]) -> f64 {
    path.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

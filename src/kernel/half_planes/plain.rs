//! The linear programmes for one agent, in `f64`, by points and directions of borders.

use crate::math::each::Each;
use crate::math::plane::{cross, dot, minus, unit};

/// The border of a half-plane: a point on it, and a unit vector along it with the half-plane to the
/// left (where x turns into y).
#[derive(Clone, Copy, Debug)]
pub struct Border {
    /// In m/s.
    pub point: [f64; 2],
    /// A unit vector.
    pub along: [f64; 2],
}

fn plus(a: [f64; 2], b: [f64; 2], share: f64) -> [f64; 2] {
    [a[0] + share * b[0], a[1] + share * b[1]]
}

impl Border {
    /// How far a velocity lies outside the half-plane; negative inside.
    pub fn depth(&self, vel: [f64; 2]) -> f64 {
        cross(minus(vel, self.point), self.along)
    }
}

/// Borders count as parallel below this sine.
const PARALLEL: f64 = 1e-5;

/// The best velocity on a border: the nearest to `aim`, or the farthest along it.
fn on_border(
    line: &Border,
    others: &[Border],
    most: f64,
    aim: [f64; 2],
    direction: bool,
) -> Option<[f64; 2]> {
    let middle = -dot(line.point, line.along);
    let square = middle * middle + most * most - dot(line.point, line.point);
    if square < 0.0 {
        return None;
    }
    let (mut low, mut high) = (middle - square.sqrt(), middle + square.sqrt());
    for other in others {
        let sine = cross(line.along, other.along);
        let lead = cross(other.along, minus(line.point, other.point));
        if sine.abs() <= PARALLEL {
            if lead < 0.0 {
                return None;
            }
            continue;
        }
        if sine > 0.0 {
            high = high.min(lead / sine);
        } else {
            low = low.max(lead / sine);
        }
        if low > high {
            return None;
        }
    }
    let t = match direction {
        true if dot(aim, line.along) > 0.0 => high,
        true => low,
        false => dot(line.along, minus(aim, line.point)).max(low).min(high),
    };
    Some(plus(line.point, line.along, t))
}

/// The velocity and the number of half-planes that it satisfies, in order.
fn programme(lines: &[Border], most: f64, aim: [f64; 2], direction: bool) -> ([f64; 2], usize) {
    let mut vel = match direction {
        true => aim.each(|c| c * most),
        false if dot(aim, aim) > most * most => unit(aim).each(|c| c * most),
        false => aim,
    };
    for (i, line) in lines.iter().enumerate() {
        if line.depth(vel) > 0.0 {
            match on_border(line, &lines[..i], most, aim, direction) {
                Some(better) => vel = better,
                None => return (vel, i),
            }
        }
    }
    (vel, lines.len())
}

/// The velocity of [`super::HalfPlanes::solve`] and whether it satisfies every half-plane. The
/// first `walls` half-planes are walls.
pub fn reference(
    lines: &[Border],
    walls: usize,
    preferred: [f64; 2],
    most: f64,
) -> ([f64; 2], bool) {
    let (mut vel, satisfied) = programme(lines, most, preferred, false);
    if satisfied == lines.len() {
        return (vel, true);
    }
    if satisfied < walls {
        vel = [0.0; 2];
    }
    let mut deepest = 0.0;
    for (i, line) in lines.iter().enumerate().skip(satisfied.max(walls)) {
        if line.depth(vel) <= deepest {
            continue;
        }
        let mut even = lines[..walls].to_vec();
        for other in &lines[walls..i] {
            let sine = cross(line.along, other.along);
            let same_way = dot(line.along, other.along) > 0.0;
            let point = if sine.abs() > PARALLEL {
                let t = cross(other.along, minus(line.point, other.point)) / sine;
                plus(line.point, line.along, t)
            } else if same_way {
                continue;
            } else {
                plus(line.point, minus(other.point, line.point), 0.5)
            };
            even.push(Border { point, along: unit(minus(other.along, line.along)) });
        }
        let inwards = [-line.along[1], line.along[0]];
        let (better, satisfied) = programme(&even, most, inwards, true);
        if satisfied == even.len() {
            vel = better;
        }
        deepest = line.depth(vel);
    }
    (vel, false)
}

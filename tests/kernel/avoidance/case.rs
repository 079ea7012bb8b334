//! Random neighbourhoods, in numbers that every number type holds exactly.

use throng::kernel::half_planes;
use throng::kernel::half_planes::Border;
use throng::kernel::orca::{Body, reference_border};
use throng::math::{hash3, unit_f64};

/// Kinds of neighbourhoods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Walkers.
    Crowd,
    /// Walkers between up to three walls.
    Walled,
    /// Walkers near one wall.
    OneWall,
    /// Numbers from the whole allowed ranges.
    Extreme,
}

/// A wall as an agent sees it: distance in metres, and a unit vector away from it.
pub(crate) type Wall = (f64, [f64; 2]);

/// An agent and its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) agent: Body,
    /// Nearest first.
    pub(crate) others: Vec<Body>,
    pub(crate) walls: Vec<Wall>,
    pub(crate) horizon: f64,
    pub(crate) wall_horizon: f64,
    pub(crate) step: f64,
    pub(crate) preferred: [f64; 2],
    pub(crate) most: f64,
}

pub(crate) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn length(a: [f64; 2]) -> f64 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}

/// Limits of what is drawn.
struct Limits {
    others: f64,
    /// Largest distance of a neighbour, speed, radius; smallest and largest horizon and step.
    reach: f64,
    speed: f64,
    radius: [f64; 2],
    horizon: [f64; 2],
    step: [f64; 2],
}

impl Case {
    /// Case `i` of a kind.
    pub(crate) fn new(kind: Kind, i: u64) -> Self {
        let draw = |stream: u64| unit_f64(hash3(17 + kind as u64, stream, i));
        let limits = match kind {
            Kind::Extreme => Limits {
                others: 11.0,
                // Small neighbourhoods as well as large ones.
                reach: 50.0 * draw(0) * draw(0),
                speed: 50.0 * draw(1) * draw(1),
                radius: [0.05, 8.0 * draw(2) * draw(2) + 0.05],
                horizon: [0.1, if i.is_multiple_of(2) { 60.0 } else { 2.0 }],
                step: [0.002, 0.1],
            },
            _ => Limits {
                others: 11.0,
                reach: 1.0 + 9.0 * draw(0) * draw(0),
                speed: 2.0,
                radius: [0.2, 0.5],
                horizon: [0.5, 5.0],
                step: [0.05, 0.1],
            },
        };
        let mut next = 100;
        let mut number = |[low, high]: [f64; 2], steps: f64| {
            next += 1;
            ((low + (high - low) * draw(next)) * steps).ceil() / steps
        };
        let speeds = [-limits.speed * 0.7, limits.speed * 0.7];
        let mut body = |reach: f64| {
            let mut two = |range: [f64; 2], steps| [number(range, steps), number(range, steps)];
            let (pos, vel) = (two([-reach, reach], 1024.0), two(speeds, 4096.0));
            let radius = number(limits.radius, 1024.0);
            let weight = number([-1.0, 4.0], 16.0).max(0.0);
            Body { pos, vel, radius, weight }
        };
        let mut agent = body(0.0);
        agent.weight = agent.weight.max(0.25);
        let count = (draw(3) * limits.others) as usize;
        let mut others: Vec<_> = (0..count).map(|_| body(limits.reach)).collect();
        if i.is_multiple_of(2) {
            // All of the change is the agent's.
            others.iter_mut().for_each(|other| other.weight = 0.0);
        }
        others.sort_by(|a, b| length(a.pos).total_cmp(&length(b.pos)));
        let horizon = number(limits.horizon, 64.0);
        let wall_horizon = number(limits.horizon, 64.0);
        let step = number(limits.step, 1024.0);
        let preferred = [number(speeds, 4096.0), number(speeds, 4096.0)];
        let most = number([0.25, limits.speed.max(0.5)], 1024.0);
        let walls = match kind {
            Kind::Crowd | Kind::Extreme => 0,
            Kind::OneWall => 1,
            Kind::Walled => (draw(4) * 4.0) as u64,
        };
        let wall = |k: u64| {
            // Rational points of the unit circle, rounded to single precision by all alike.
            let t = 2.0 * draw(10 + k) - 1.0;
            let side = if draw(20 + k) < 0.5 { -1.0 } else { 1.0 };
            let normal = [side * (1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)];
            let normal = normal.map(|c| (c * 65_536.0).round() / 65_536.0);
            ((draw(30 + k) * 2.0 * 1024.0).round() / 1024.0, normal)
        };
        let walls = (0..walls).map(wall).collect();
        Self { agent, others, walls, horizon, wall_horizon, step, preferred, most }
    }

    /// The half-planes of the walls.
    fn wall_borders(&self) -> Vec<Border> {
        let border = |&(distance, normal): &Wall| {
            let room = (distance - self.agent.radius).max(0.0) / self.wall_horizon;
            Border { point: normal.map(|n| -n * room), along: [normal[1], -normal[0]] }
        };
        self.walls.iter().map(border).collect()
    }

    /// The half-planes of the neighbours.
    fn borders(&self) -> Vec<Border> {
        let border = |other| reference_border(&self.agent, other, self.horizon, self.step);
        self.others.iter().map(border).collect()
    }

    /// The velocity that the plain formulas give, and whether it satisfies all.
    pub(crate) fn reference(&self) -> ([f64; 2], bool) {
        let mut lines = self.wall_borders();
        lines.extend(self.borders());
        half_planes::reference(&lines, self.walls.len(), self.preferred, self.most)
    }

    /// By how much a velocity fails the neighbour's half-plane that it fails most.
    pub(crate) fn depth(&self, vel: [f64; 2]) -> f64 {
        self.borders().iter().fold(0.0, |most, border| most.max(border.depth(vel)))
    }

    /// Likewise for walls.
    pub(crate) fn wall_depth(&self, vel: [f64; 2]) -> f64 {
        self.wall_borders().iter().fold(0.0, |most, border| most.max(border.depth(vel)))
    }
}

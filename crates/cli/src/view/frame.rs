//! A frame: where agents are, in which group and state.
//!
//! *Dense* frames hold a place for every id index, so that the page finds an agent of one frame in the
//! next: first all positions, two `u16` each over the map, then group and state, a byte each; group 255
//! is an empty place. *Near* frames hold the agents of a window alone, each with its id index (`u32`),
//! position over the window (two `u16`), group, state, heading (256ths of a turn as [`turn`] counts) and
//! value. The upper three bits of a state are its kind, in a dense frame the lower five a value.
//! Projectiles come last: position as for agents, height above the ground in 1/8 m, group, `u16` each.

use rayon::prelude::*;
use throng::lane::Numbers;
use throng::map::area::extent;
use throng::world::{Tag, World, state};

use crate::view::ask::{AgentsAsk, Frame, Value};

/// Group byte of an empty place; groups from here on are shown as the one before.
pub(super) const NOBODY: u8 = 255;
/// Most agents of a near frame; the page shows no more of them large enough.
const MAX_NEAR: usize = 120_000;
/// Most projectiles of a frame.
const MAX_SHOTS: usize = 100_000;
/// Agents that are looked at together.
const CHUNK: usize = 8_192;
/// Bytes of an agent, and of a projectile.
const DENSE: usize = 6;
const NEAR: usize = 12;

/// A frame without its head.
pub(super) struct Built {
    pub(super) is_near: bool,
    /// Places for agents.
    pub(super) places: usize,
    /// The rectangle in metres over which positions count.
    pub(super) frame: Frame,
    pub(super) shots: usize,
    pub(super) body: Vec<u8>,
}

/// Turns agents into bytes.
struct Coder<'a, N: Numbers> {
    world: &'a World<N>,
    /// By group: the byte of its base, whether it has an order, and what full health is.
    groups: Vec<(u8, bool, f32)>,
    value: Value,
    top_speed: f32,
    /// Origin and 65,535ths of a side to a metre, by axis.
    frame: Frame,
    scale: [f64; 2],
}

/// The kinds of states, as the page names them.
pub(super) const KINDS: [&str; 7] = [
    "under way",
    "at its place",
    "in the goal",
    "no room in the goal",
    "in formation",
    "on the way to a place",
    "without an order",
];

/// The agents that a page shows.
pub(super) fn build<N: Numbers>(world: &World<N>, ask: &AgentsAsk) -> Built {
    let [width, height] = extent(world.map());
    let whole = [0.0, 0.0, width, height];
    let near = ask.frame.filter(|_| !world.is_empty()).and_then(|frame| {
        // The border keeps discs at the edge, and agents that come in, in the picture.
        let margin = 0.05 * (frame[2] - frame[0]).max(frame[3] - frame[1]) + 1.0;
        let frame = [
            (frame[0] - margin).max(0.0),
            (frame[1] - margin).max(0.0),
            (frame[2] + margin).min(width),
            (frame[3] + margin).min(height),
        ];
        (frame[0] < frame[2] && frame[1] < frame[3]).then_some(frame)
    });
    let dense_bytes = world.len() * DENSE;
    if let Some(frame) = near {
        let coder = Coder::new(world, ask.value, frame);
        let rows = coder.rows();
        let is_worth = rows.len() * NEAR < dense_bytes || ask.detail;
        if is_worth && rows.len() <= MAX_NEAR {
            return coder.near(&rows);
        }
    }
    Coder::new(world, ask.value, whole).dense()
}

/// The largest top speed of all groups, m/s.
pub(super) fn top_speed<N: Numbers>(world: &World<N>) -> f64 {
    let speeds = world.groups().iter().map(|group| group.def.speed * group.def.sprint);
    speeds.fold(0.1, f64::max)
}

impl<'a, N: Numbers> Coder<'a, N> {
    fn new(world: &'a World<N>, value: Value, frame: Frame) -> Self {
        let groups = (0..world.groups().len() as u16).map(|index| {
            let group = &world.groups()[usize::from(index)];
            let base = world.base_group(index).min(u16::from(NOBODY) - 1) as u8;
            (base, group.has_order(), group.def.health as f32)
        });
        Self {
            groups: groups.collect(),
            world,
            value,
            top_speed: top_speed(world) as f32,
            scale: [65_535.0 / (frame[2] - frame[0]), 65_535.0 / (frame[3] - frame[1])],
            frame,
        }
    }

    fn place(&self, pos: [f64; 2]) -> [u16; 2] {
        [0, 1].map(|axis| ((pos[axis] - self.frame[axis]) * self.scale[axis] + 0.5) as u16)
    }

    /// The rows of the agents in the frame.
    fn rows(&self) -> Vec<u32> {
        let [x0, y0, x1, y1] = self.frame;
        let inside = |pos: &[N; 2]| {
            let [x, y] = pos.map(N::to_f64);
            x0 <= x && x <= x1 && y0 <= y && y <= y1
        };
        let positions = self.world.positions().par_chunks(CHUNK).enumerate();
        let rows = positions.flat_map_iter(|(chunk, positions)| {
            let rows = positions.iter().enumerate().filter(|(_, pos)| inside(pos));
            rows.map(move |(row, _)| (chunk * CHUNK + row) as u32)
        });
        rows.collect()
    }

    fn kind(&self, tag: Tag) -> u8 {
        let (settled, arrived) = (tag.state & state::SETTLED != 0, tag.state & state::ARRIVED != 0);
        match (arrived, settled) {
            (true, true) => 1,
            (true, false) => 2,
            (false, true) => 3,
            _ if tag.state & state::FORMED != 0 => 4,
            _ if tag.state & state::WAITING != 0 => 5,
            _ if !self.groups[usize::from(tag.group)].1 => 6,
            _ => 0,
        }
    }

    /// The value of an agent, 0 to 1.
    fn share(&self, row: usize, value: Value) -> f32 {
        let [x, y] = self.world.velocities()[row].map(|v| N::to_f64(v) as f32);
        match value {
            Value::Heading => turn(x, y),
            Value::Speed => ((x * x + y * y).sqrt() / self.top_speed).min(1.0),
            Value::Health => {
                let full = self.groups[usize::from(self.world.tags()[row].group)].2;
                let health = self.world.health(self.world.id(row));
                health.map_or(1.0, |health| (N::to_f64(health) as f32 / full).clamp(0.0, 1.0))
            }
            Value::Mind => 0.0,
        }
    }

    /// The value of an agent in so many steps.
    fn value(&self, row: usize, steps: f32) -> u8 {
        match self.value {
            Value::Heading => (self.share(row, Value::Heading) * (steps + 1.0)).min(steps) as u8,
            Value::Mind => {
                self.world.state_of(self.world.id(row)).map_or(31, |state| state.min(30))
            }
            value => (self.share(row, value) * steps + 0.5) as u8,
        }
    }

    fn dense(&self) -> Built {
        let tags = self.world.tags();
        let last = tags.par_iter().with_min_len(CHUNK).map(|tag| tag.id + 1).max();
        let places = last.unwrap_or(0) as usize;
        let mut body = vec![0; places * DENSE];
        let (positions, words) = body.split_at_mut(places * 4);
        words.as_chunks_mut::<2>().0.fill([NOBODY, 0]);
        let (positions, words) = (positions.as_chunks_mut::<4>().0, words.as_chunks_mut::<2>().0);
        for (row, (pos, tag)) in self.world.positions().iter().zip(tags).enumerate() {
            let [x, y] = self.place(pos.map(N::to_f64));
            let ([x0, x1], [y0, y1]) = (x.to_le_bytes(), y.to_le_bytes());
            positions[tag.id as usize] = [x0, x1, y0, y1];
            let group = self.groups[usize::from(tag.group)].0;
            words[tag.id as usize] = [group, self.kind(*tag) << 5 | self.value(row, 31.0)];
        }
        let shots = self.shots(&mut body);
        Built { is_near: false, places, frame: self.frame, shots, body }
    }

    fn near(&self, rows: &[u32]) -> Built {
        let tags = self.world.tags();
        let code = |&row: &u32| {
            let (row, mut bytes) = (row as usize, [0; NEAR]);
            let tag = tags[row];
            let [x, y] = self.place(self.world.positions()[row].map(N::to_f64));
            bytes[..4].copy_from_slice(&tag.id.to_le_bytes());
            bytes[4..6].copy_from_slice(&x.to_le_bytes());
            bytes[6..8].copy_from_slice(&y.to_le_bytes());
            bytes[8] = self.groups[usize::from(tag.group)].0;
            bytes[9] = self.kind(tag) << 5;
            bytes[10] = (self.share(row, Value::Heading) * 256.0).min(255.0) as u8;
            bytes[11] = self.value(row, 31.0);
            (tag.id, bytes)
        };
        let mut agents: Vec<_> = rows.par_iter().with_min_len(CHUNK).map(code).collect();
        agents.sort_unstable_by_key(|(id, _)| *id);
        let mut body = Vec::with_capacity(agents.len() * NEAR);
        agents.iter().for_each(|(_, bytes)| body.extend_from_slice(bytes));
        let shots = self.shots(&mut body);
        Built { is_near: true, places: agents.len(), frame: self.frame, shots, body }
    }

    /// Appends the projectiles in the frame; returns how many.
    fn shots(&self, body: &mut Vec<u8>) -> usize {
        let projectiles = self.world.projectiles();
        let [x0, y0, x1, y1] = self.frame;
        if !body.len().is_multiple_of(4) {
            body.extend_from_slice(&[0; 2]);
        }
        let mut count = 0;
        for (pos, shot) in projectiles.pos.iter().zip(projectiles.shot.iter()) {
            let [x, y, z] = pos.map(N::to_f64);
            if !(x0 <= x && x <= x1 && y0 <= y && y <= y1) || count == MAX_SHOTS {
                continue;
            }
            let ground = self.world.map().height_at([pos[0], pos[1]]).to_f64();
            let height = ((z - ground) * 8.0).clamp(0.0, 65_535.0) as u16;
            let [x, y] = self.place([x, y]);
            let group = self.groups.get(usize::from(shot.group)).map_or(0, |group| group.0);
            for word in [x, y, height, u16::from(group)] {
                body.extend_from_slice(&word.to_le_bytes());
            }
            count += 1;
        }
        count
    }
}

/// The heading of a vector as a share of a turn: 0 to the right, a quarter down the page. Between the
/// axes it goes by the sum of the sides of the vector, not by its angle; the page goes back by the same
/// rule.
pub(super) fn turn(x: f32, y: f32) -> f32 {
    let sum = x.abs() + y.abs();
    if sum == 0.0 {
        return 0.0;
    }
    let share = y / sum;
    let quarters = match (x >= 0.0, y >= 0.0) {
        (true, true) => share,
        (false, _) => 2.0 - share,
        (true, false) => 4.0 + share,
    };
    quarters / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_go_around_once() {
        let around = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 1.0], [-1.0, 0.0], [-1.0, -1.0]];
        for (eighth, [x, y]) in around.into_iter().enumerate() {
            assert_eq!(turn(x, y), eighth as f32 / 8.0);
        }
        assert_eq!(turn(0.0, -2.0), 0.75);
        assert!(turn(1.0, -1e-6) > 0.99);
    }
}

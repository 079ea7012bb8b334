//! Follows every agent from tick to tick: when it crosses a line, sets out, arrives, and how far it
//! has walked.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use crate::math::each::Each;
use crate::par;
use crate::report::measure::REST;
use crate::report::measure::gate::Line;
use crate::report::{ARRIVED, Crowd, ORDERED};

/// Rows that are looked at together.
const CHUNK: usize = 1 << 12;

/// What is known of an agent, by the index part of its id. Rows are looked at in parallel and each
/// writes its own agent's alone, so these are atomics only to be written from there.
#[derive(Debug, Default)]
struct Track {
    /// Position at the last round, x in the low half; before that while the agent is exactly on a line.
    pos: AtomicU64,
    /// Metres walked since it appeared, as bits of an `f64`.
    walked: AtomicU64,
    /// The round that saw it last.
    seen: AtomicU32,
    /// How often an agent of this index has appeared.
    appeared: AtomicU32,
    /// Whether it had an order and had not arrived.
    under_way: AtomicBool,
}

/// All agents' tracks.
#[derive(Debug)]
pub(super) struct Tracks {
    tracks: Vec<Track>,
    round: u32,
}

/// Something that happened between two rounds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// The agent in a row crossed a line.
    Crossed { row: u32, gate: u32, share: f64, forward: bool },
    /// It has set out.
    Began { row: u32 },
    /// It has arrived.
    Arrived { row: u32 },
}

impl Default for Tracks {
    fn default() -> Self {
        // A track that was never seen has round 0, which is never the one before.
        Self { tracks: Vec::new(), round: 1 }
    }
}

impl Tracks {
    /// Looks at the crowd once more; says what happened, in an order that depends on the rows alone,
    /// and which groups have an agent that moves.
    pub(super) fn follow(
        &mut self,
        crowd: &Crowd,
        velocities: &[[f32; 2]],
        lines: &[Line],
    ) -> (Vec<Event>, Vec<bool>) {
        self.round += 1;
        let ids = crowd.ids.iter().max().map_or(0, |&most| most as usize + 1);
        if ids > self.tracks.len() {
            self.tracks.resize_with(ids, Track::default);
        }
        let moves: Vec<AtomicBool> = crowd.radii.iter().map(|_| AtomicBool::new(false)).collect();
        let tracks = &*self;
        let parts = par::runs(velocities.len(), CHUNK, |rows| {
            let mut events = Vec::new();
            for (row, &[x, y]) in rows.clone().zip(&velocities[rows]) {
                tracks.row(crowd, row, lines, &mut events);
                let (x, y) = (f64::from(x), f64::from(y));
                let moving = &moves[usize::from(crowd.groups[row])];
                if x * x + y * y >= REST * REST && !moving.load(Relaxed) {
                    moving.store(true, Relaxed);
                }
            }
            events
        });
        let moves = moves.into_iter().map(AtomicBool::into_inner).collect();
        (parts.concat(), moves)
    }

    #[inline]
    fn row(&self, crowd: &Crowd, row: usize, lines: &[Line], events: &mut Vec<Event>) {
        let track = &self.tracks[crowd.ids[row] as usize];
        let single = crowd.positions[row];
        let now = single.each(f64::from);
        let known = track.seen.load(Relaxed) + 1 == self.round;
        track.seen.store(self.round, Relaxed);
        if !known {
            track.appeared.store(track.appeared.load(Relaxed) + 1, Relaxed);
            track.walked.store(0, Relaxed);
            track.pos.store(pack(single), Relaxed);
        } else if !lines.iter().any(|line| line.holds(now)) {
            let before = unpack(track.pos.load(Relaxed));
            for (gate, line) in (0..).zip(lines) {
                if let Some((share, forward)) = line.crossed(before, now) {
                    events.push(Event::Crossed { row: row as u32, gate, share, forward });
                }
            }
            let (dx, dy) = (now[0] - before[0], now[1] - before[1]);
            let walked = f64::from_bits(track.walked.load(Relaxed)) + (dx * dx + dy * dy).sqrt();
            track.walked.store(walked.to_bits(), Relaxed);
            track.pos.store(pack(single), Relaxed);
        }
        let flags = crowd.flags[row];
        let goes = flags & (ORDERED | ARRIVED) == ORDERED;
        let went = known && track.under_way.load(Relaxed);
        track.under_way.store(goes, Relaxed);
        match (went, goes) {
            (false, true) => events.push(Event::Began { row: row as u32 }),
            (true, false) if flags & ARRIVED != 0 => {
                events.push(Event::Arrived { row: row as u32 });
            }
            _ => {}
        }
    }

    /// How many agents of this index there have been.
    pub(super) fn appeared(&self, id: u32) -> u32 {
        self.tracks[id as usize].appeared.load(Relaxed)
    }

    /// Where an agent that was there at the last round and has gone since was then, and the metres that it
    /// has walked, with its last step to a point; nothing of one that was not there.
    pub(super) fn last_step(&self, id: u32, [x, y]: [f64; 2]) -> Option<([f64; 2], f64)> {
        let track = self.tracks.get(id as usize)?;
        let before = unpack(track.pos.load(Relaxed));
        let (dx, dy) = (x - before[0], y - before[1]);
        let is_known = track.seen.load(Relaxed) == self.round;
        is_known.then(|| (before, self.walked(id) + (dx * dx + dy * dy).sqrt()))
    }

    /// Metres that an agent has walked since it appeared.
    pub(super) fn walked(&self, id: u32) -> f64 {
        f64::from_bits(self.tracks[id as usize].walked.load(Relaxed))
    }
}

fn pack([x, y]: [f32; 2]) -> u64 {
    u64::from(x.to_bits()) | u64::from(y.to_bits()) << 32
}

fn unpack(bits: u64) -> [f64; 2] {
    [bits as u32, (bits >> 32) as u32].each(|half| f64::from(f32::from_bits(half)))
}

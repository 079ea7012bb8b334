//! Parcels: what processes that have a strip each send each other of agents, as bytes.

use bytemuck::Pod;

use crate::lane::Numbers;
use crate::math::Num;
use crate::math::each::Each;
use crate::world::{AgentRows, Tag};

/// Agents and bytes for which memory is not kept.
const MANY: usize = 1 << 16;

/// Memory of what is sent and received.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N> {
    /// Agents that come to the own strip.
    pub(super) pos: Vec<[N; 2]>,
    pub(super) vel: Vec<[N; 2]>,
    pub(super) tag: Vec<Tag>,
    /// Agents for each process, and what each has sent.
    pub(super) to: Vec<Vec<u8>>,
    pub(super) from: Vec<Vec<u8>>,
    /// What all are told, and what all have told.
    pub(super) told: Vec<u8>,
    pub(super) heard: Vec<u8>,
    pub(super) lists: Lists,
}

/// What a process tells all others of its agents before places are given away.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// Runs with agents that are to get a place or a home.
    pub(super) runs: Vec<u32>,
    /// Own rows that may be looked at, and all rows that may be looked at from there.
    pub(super) own: Vec<u32>,
    pub(super) near: Vec<u32>,
    /// Where the near ones are found in the table of cells.
    pub(super) entries: Vec<u32>,
}

impl Lists {
    /// Bytes of an entry of each list.
    const BYTES: [usize; 4] = [4, 20, 20, 8];

    pub(super) fn clear(&mut self) {
        let Self { runs, own, near, entries } = self;
        [runs, own, near, entries].into_iter().for_each(Vec::clear);
    }

    /// How long the lists are.
    pub(super) fn counts(&self) -> [u32; 4] {
        [&self.runs, &self.own, &self.near, &self.entries].each(|list| list.len() as u32)
    }
}

/// Takes the next value off bytes.
pub(super) fn take<T: Pod>(bytes: &mut &[u8]) -> T {
    let (value, rest) = bytes.split_at(size_of::<T>());
    *bytes = rest;
    bytemuck::pod_read_unaligned(value)
}

/// Appends a value.
pub(super) fn put<T: Pod>(bytes: &mut Vec<u8>, value: &T) {
    bytes.extend_from_slice(bytemuck::bytes_of(value));
}

/// Shows what each process has told before places are given away: how long its lists are, and their bytes.
pub(super) fn each_told(mut heard: &[u8], mut show: impl FnMut([u32; 4], [&[u8]; 4])) {
    while !heard.is_empty() {
        let counts: [u32; 4] = take(&mut heard);
        let mut lists = [&heard[..0]; 4];
        for ((list, count), bytes) in lists.iter_mut().zip(counts).zip(Lists::BYTES) {
            (*list, heard) = heard.split_at(count as usize * bytes);
        }
        show(counts, lists);
    }
}

/// Writes an agent that crosses a cut.
pub(super) fn put_agent<N: Numbers>(to: &mut Vec<u8>, rows: &AgentRows<N>, row: usize) {
    put(to, &rows.pos[row]);
    put(to, &rows.vel[row]);
    put(to, &rows.tag[row]);
}

impl<N: Num> Memory<N> {
    /// Takes the agents that others have sent apart; gives how many come from processes before this one.
    pub(super) fn receive(&mut self, place: usize) -> usize {
        let Self { pos, vel, tag, from, .. } = self;
        pos.clear();
        vel.clear();
        tag.clear();
        let mut before = 0;
        for (process, bytes) in from.iter().enumerate() {
            if process == place {
                before = pos.len();
                continue;
            }
            let mut left = &bytes[..];
            while !left.is_empty() {
                pos.push(take(&mut left));
                vel.push(take(&mut left));
                tag.push(take(&mut left));
            }
        }
        before
    }
}

impl<N> Memory<N> {
    /// Frees what was needed for many agents that crossed a cut at once, as when they have just come.
    pub(super) fn shrink(&mut self) {
        let Self { pos, vel, tag, to, from, .. } = self;
        if pos.len() > MANY {
            (*pos, *vel, *tag) = (Vec::new(), Vec::new(), Vec::new());
        }
        for bytes in to.iter_mut().chain(from).filter(|bytes| bytes.len() > MANY) {
            *bytes = Vec::new();
        }
    }
}

/// Writes the numbers of agents by grid row, from the first to the last row with some.
pub(super) fn tell_counts(counts: &[u32], told: &mut Vec<u8>) {
    let first = counts.iter().position(|&count| count > 0).unwrap_or(0);
    let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    told.clear();
    put(told, &[first as u32, (end - first) as u32]);
    told.extend_from_slice(bytemuck::cast_slice(&counts[first..end]));
}

/// Adds what all processes have told of their numbers.
pub(super) fn add_counts(mut heard: &[u8], counts: &mut [u32]) {
    while !heard.is_empty() {
        let [first, rows]: [u32; 2] = take(&mut heard);
        for count in &mut counts[first as usize..][..rows as usize] {
            *count += take::<u32>(&mut heard);
        }
    }
}

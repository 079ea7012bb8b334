//! Ranks: members of a formation line up, each in a slot near to where it is.
//!
//! The groups stand behind each other in the order of the company's list. Within a group the
//! foremost get the front ranks; within a rank each member keeps to its side. So paths cross little.
//! Neighbours that are in each other's way later exchange their slots.

use std::cmp::Ordering;

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::tick::march::place;
use crate::world::{AgentRows, Agents, Anchor, Groups, Slot};

/// A member that is to get a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recruit {
    id: u32,
    /// Place of its group in the company's list.
    order: u32,
    /// Metres to the right of the anchor and in front of it.
    aside: f64,
    ahead: f64,
}

impl Recruit {
    /// The order within a rank.
    fn along_rank(&self, other: &Self) -> Ordering {
        self.aside.total_cmp(&other.aside).then(self.id.cmp(&other.id))
    }

    /// The order in which members are called to the ranks.
    fn by_rank(&self, other: &Self) -> Ordering {
        let front = self.order.cmp(&other.order).then(other.ahead.total_cmp(&self.ahead));
        front.then(self.id.cmp(&other.id))
    }
}

/// Memory for lining up.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    recruits: Vec<Recruit>,
    /// By slot: where its holder is, and its group.
    stands: Vec<([f64; 2], u16)>,
    /// The first slot of every rank, and the end of the last.
    starts: Vec<u32>,
}

/// Metres of an offset at most: fixed point holds a position and two of them.
const FARTHEST: f64 = 8_192.0;

/// Exchanges are worth this share of a spacing, squared.
const WORTH: f64 = 0.25;

/// Gives every member of a company a slot around an anchor; sets the anchor's reach.
pub(super) fn line_up<N: Numbers>(
    Agents { rows, place_of, .. }: &mut Agents<N>,
    groups: &mut Groups<N>,
    index: u16,
    anchor: &mut Anchor<N>,
    memory: &mut Memory,
) {
    let memory = &mut memory.recruits;
    call(rows, groups, index, anchor, memory);
    let company = &groups.companies[usize::from(index)];
    let Some(formation) = company.def.formation else { return };
    let spacing = groups.spacing(index);
    let ranks = formation.ranks(memory.len() as u32, company.def.files);
    let deepest = ranks.clone().count() as f64 - 1.0;
    let slots = &mut groups.companies[usize::from(index)].slots;
    slots.clear();
    let (mut start, mut reach) = (0, 0.0_f64);
    for (rank, size) in ranks.enumerate() {
        let recruits = &mut memory[start..start + size as usize];
        recruits.sort_unstable_by(Recruit::along_rank);
        for (file, recruit) in recruits.iter().enumerate() {
            let aside = (file as f64 - f64::from(size - 1) / 2.0) * spacing;
            let ahead = (deepest / 2.0 - rank as f64) * spacing;
            reach = reach.max(aside * aside + ahead * ahead);
            place_of[recruit.id as usize] = slots.len() as u32;
            let offset = [aside, ahead].each(|part| part.clamp(-FARTHEST, FARTHEST));
            slots.push(Slot { id: recruit.id, offset: offset.each(N::from_f64) });
        }
        start += size as usize;
    }
    anchor.reach = N::from_f64(reach.sqrt().min(FARTHEST));
    anchor.reform = false;
}

/// The members of a company in the order of their ranks.
fn call<N: Numbers>(
    rows: &AgentRows<N>,
    groups: &Groups<N>,
    index: u16,
    anchor: &Anchor<N>,
    memory: &mut Vec<Recruit>,
) {
    let ranked = &groups.companies[usize::from(index)].def.groups;
    let ([x, y], [hx, hy]) = (anchor.pos.each(N::to_f64), anchor.heading.each(N::to_f64));
    memory.clear();
    for (tag, pos) in rows.tag.iter().zip(rows.pos.iter()) {
        let group = &groups.list[usize::from(tag.group)];
        if group.company != Some(index) || !group.marches {
            continue;
        }
        let order = ranked.iter().position(|group| group.index() == tag.group).unwrap_or(0) as u32;
        let (dx, dy) = (pos[0].to_f64() - x, pos[1].to_f64() - y);
        let (aside, ahead) = (dy * hx - dx * hy, dx * hx + dy * hy);
        memory.push(Recruit { id: tag.id, order, aside, ahead });
    }
    memory.sort_unstable_by(Recruit::by_rank);
}

/// Lets neighbours in the ranks exchange their slots where both together are nearer then: neighbours
/// of one rank, or of one group. `pose` is the anchor's position and heading.
pub(super) fn exchange<N: Numbers>(
    Agents { rows, place_of, .. }: &mut Agents<N>,
    groups: &mut Groups<N>,
    index: u16,
    pose: [[N; 2]; 2],
    memory: &mut Memory,
) {
    let company = &groups.companies[usize::from(index)];
    let Some(formation) = company.def.formation else { return };
    let Memory { stands, starts, .. } = memory;
    stands.clear();
    stands.resize(company.slots.len(), ([0.0; 2], u16::MAX));
    for (tag, pos) in rows.tag.iter().zip(rows.pos.iter()) {
        let group = &groups.list[usize::from(tag.group)];
        let slot = place_of[tag.id as usize] as usize;
        let holds = company.slots.get(slot).is_some_and(|slot| slot.id == tag.id);
        if group.company == Some(index) && group.marches && holds {
            stands[slot] = (pos.each(N::to_f64), tag.group);
        }
    }
    starts.clear();
    starts.push(0);
    for size in formation.ranks(company.slots.len() as u32, company.def.files) {
        starts.push(starts[starts.len() - 1] + size);
    }
    let worth = (WORTH * groups.spacing(index)) * (WORTH * groups.spacing(index));
    let slots = &mut groups.companies[usize::from(index)].slots;
    for rank in 0..starts.len() - 1 {
        let (start, end) = (starts[rank], starts[rank + 1]);
        let next = starts.get(rank + 2).map_or(0, |&after| after - end);
        for slot in start..end {
            let beside = (slot + 1 < end).then_some(slot + 1);
            // The slots behind, half a slot to the left and to the right where the ranks differ.
            let behind = i64::from(slot - start) + (i64::from(next) - i64::from(end - start)) / 2;
            let behind = behind.max(1) - 1..(behind + 2).min(i64::from(next));
            for other in behind.map(|file| end + file as u32).chain(beside) {
                exchange_two(slots, place_of, pose, stands, [slot, other], worth);
            }
        }
    }
}

/// Exchanges two slots where that is worth it.
fn exchange_two<N: Numbers>(
    slots: &mut [Slot<N>],
    place_of: &mut [u32],
    pose: [[N; 2]; 2],
    stands: &mut [([f64; 2], u16)],
    [a, b]: [u32; 2],
    worth: f64,
) {
    let (a, b) = (a as usize, b as usize);
    let [at_a, at_b] = [a, b].each(|slot| place(pose, slots[slot].offset).each(N::to_f64));
    let same_rank = slots[a].offset[1] == slots[b].offset[1];
    let known = stands[a].1 != u16::MAX && stands[b].1 != u16::MAX;
    if !known || !(same_rank || stands[a].1 == stands[b].1) {
        return;
    }
    let square = |p: [f64; 2], q: [f64; 2]| {
        let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
        dx * dx + dy * dy
    };
    let (holds_a, holds_b) = (stands[a].0, stands[b].0);
    let now = square(holds_a, at_a) + square(holds_b, at_b);
    if square(holds_a, at_b) + square(holds_b, at_a) + worth < now {
        stands.swap(a, b);
        let ids = [slots[a].id, slots[b].id];
        (slots[a].id, slots[b].id) = (ids[1], ids[0]);
        (place_of[ids[0] as usize], place_of[ids[1] as usize]) = (b as u32, a as u32);
    }
}

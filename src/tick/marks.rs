//! Marks: what others see of every agent when they decide how near to come: its heading, how thin it
//! makes itself, its radius. And for how long it has been blocked under way.

use crate::data::{Column, renew};
use crate::kernel::approach::{Mark, THINNEST, polar};
use crate::lane::{BLOCK, IntLane, Lane, Mask, Numbers};
use crate::math::Num;
use crate::par;
use crate::tick::CHUNK;
use crate::tick::block_traits::{BlockTraits, all_share};
use crate::tick::courses::{Bound, Courses, goes_somewhere};
use crate::world::{Avoidance, Combatants, Groups, Log, Tag, Traits, World, state};
use std::ops::Range;

/// How long an agent has been blocked when it begins to make itself thin towards agents that come the
/// other way, and when it is as thin as it gets: in multiples of its patience, which is 2 s for people
/// and more for agents that are slow for their size.
const PATIENT: u32 = 1;
/// See [`PATIENT`].
const THIN: u32 = 2;
/// How much later agents that choose their velocity by ORCA do so: they often wait for others.
const AVOIDING: u32 = 2;
/// Share of its speed below which an agent is blocked.
const BLOCKED: f64 = 0.25;

pub(super) fn run<L: Lane>(
    world: &mut World<L::Num>,
    near: Range<usize>,
    desired: &Column<[L::Num; 2]>,
    marks: &mut Vec<Mark<L::Num>>,
) {
    let World { log, agents, groups, routes, combat, .. } = world;
    let (pos, vel, tag) = (&agents.rows.pos, &agents.rows.vel, &mut agents.rows.tag);
    if pos.is_empty() {
        return;
    }
    let padded = near.start..near.start + near.len().next_multiple_of(L::WIDTH);
    renew(marks, pos.len() + 2 * BLOCK);
    let alike = all_share(groups, |t| [t.radius]);
    let courses = Courses::new(groups, routes);
    let counting = Counting::new(log, groups, &combat.combatants);
    let (first, rows) = (padded.start, padded.len());
    let columns = (&mut tag.padded_mut()[padded.clone()], &mut marks[padded]);
    par::chunks_from(first, rows, CHUNK, columns, &|_, first, (tags, marks)| {
        for at in (0..tags.len()).step_by(L::WIDTH) {
            let row = first + at;
            let desired: [L; 2] = L::load_pairs(&desired.padded()[row..]).into();
            let vel: [L; 2] = L::load_pairs(&vel.padded()[row..]).into();
            let (speed, heading, _) = polar(desired);
            let along = vel[0] * heading[0] + vel[1] * heading[1];
            let stands = speed.le(L::zero());
            let blocked = along.lt(speed * L::splat(L::Num::from_f64(BLOCKED)));
            let tags = &mut tags[at..at + L::WIDTH];
            let rows = near.end.saturating_sub(row).min(L::WIDTH);
            let bound = Bound::<L>::new(&courses, tags);
            let patience = counting.count(&bound, blocked, rows, tags);
            let block_traits = BlockTraits::shared(tags, groups, alike);
            let [x, y] = heading;
            let radius = block_traits.radius();
            let thin = L::Int::splat(counting.least).less(patience);
            let soft = match (thin | stands).any() {
                true => L::from_fn(|i| soft(groups, tags[i], stands.bits() >> i & 1 == 1)),
                false => L::one(),
            };
            let pos: [L; 2] = L::load_pairs(&pos.padded()[row..]).into();
            let columns = [x, y, soft, radius, vel[0], vel[1], pos[0], pos[1]];
            L::store_eights(columns, &mut marks[at..at + L::WIDTH]);
        }
    });
}

/// The share of the radii that an agent keeps to agents of the opposite heading, or lets walkers keep
/// while it stands.
#[inline(always)]
fn soft<N: Numbers>(groups: &Groups<N>, tag: Tag, stands: bool) -> N {
    let traits = &groups.traits[usize::from(tag.group)];
    let at_home = state::ARRIVED | state::PLACED;
    match stands {
        true if traits.keeps_place(tag) => N::ONE,
        true => N::from_f64(thinnest(traits)),
        // In its goal an agent changes its place rather than squeeze past others.
        false if tag.patience == 0 || tag.state & at_home == at_home => N::ONE,
        false if walks(groups, tag) => thinness(traits, tag),
        false => N::ONE,
    }
}

/// How often an agent's patience has run out since it was blocked, in 256ths; [`AVOIDING`] is taken
/// off for agents that choose their velocity by ORCA.
#[inline(always)]
fn waited<N: Numbers>(traits: &Traits<N>, tag: Tag) -> u32 {
    let later = if traits.avoidance == Avoidance::Orca { AVOIDING } else { 0 };
    let waited = 256 * u32::from(tag.patience) * u32::from(traits.ticks_per_count);
    (waited / u32::from(traits.patience).max(1)).saturating_sub(256 * later)
}

/// How thin agents of a group make themselves at most.
#[inline(always)]
fn thinnest<N: Numbers>(traits: &Traits<N>) -> f64 {
    THINNEST[usize::from(traits.is_free())]
}

/// How thin an agent makes itself.
#[inline(always)]
fn thinness<N: Numbers>(traits: &Traits<N>, tag: Tag) -> N {
    let waited = waited(traits, tag).clamp(256 * PATIENT, 256 * THIN) - 256 * PATIENT;
    let share = f64::from(waited) / f64::from(256 * (THIN - PATIENT));
    N::from_f64(1.0 - (1.0 - thinnest(traits)) * share)
}

/// Whether an agent walks to its group's goal, or to its place in it.
#[inline(always)]
pub(super) fn walks<N: Numbers>(groups: &Groups<N>, tag: Tag) -> bool {
    let rests = state::SETTLED | state::FORMED;
    tag.state & rests == 0 && goes_somewhere(&groups.traits[usize::from(tag.group)])
}

/// Whether an agent has been blocked for so long that it presses on: it no longer waits until it can
/// avoid all others. In a goal, where most of the others stand, that is soon.
#[inline(always)]
pub(super) fn presses<N: Numbers>(groups: &Groups<N>, tag: Tag) -> bool {
    let traits = &groups.traits[usize::from(tag.group)];
    let is_in_goal = tag.state & (state::ARRIVED | state::PLACED) != 0;
    let is_fed_up = match is_in_goal {
        true => tag.patience > traits.patience / 8,
        false => waited(traits, tag) >= 256 * THIN,
    };
    is_fed_up && walks(groups, tag)
}

/// Whether an agent leaves to ORCA how it passes oncoming agents: until it is blocked.
#[inline(always)]
pub(super) fn trusts<N: Numbers>(groups: &Groups<N>, tag: Tag) -> bool {
    let traits = &groups.traits[usize::from(tag.group)];
    traits.avoidance == Avoidance::Orca
        && u32::from(tag.patience) * u32::from(traits.ticks_per_count) < u32::from(traits.patience)
}

/// Counts for how long agents under way have been blocked.
struct Counting<'a, N: Numbers> {
    log: &'a Log,
    groups: &'a Groups<N>,
    combatants: &'a Combatants<N>,
    /// Whether the agents of all groups count in every tick: none halts, or counts more rarely.
    is_plain: bool,
    /// Patience up to which no agent is thin.
    least: i32,
}

impl<'a, N: Numbers> Counting<'a, N> {
    fn new(log: &'a Log, groups: &'a Groups<N>, combatants: &'a Combatants<N>) -> Self {
        let present = || groups.list.iter().zip(&groups.traits).filter(|(row, _)| row.members > 0);
        let may_halt = !combatants.aim.is_empty();
        let is_plain =
            present().all(|(_, traits)| traits.ticks_per_count == 1 && !(may_halt && traits.halts));
        let most = |traits: &Traits<N>| {
            PATIENT * u32::from(traits.patience) / u32::from(traits.ticks_per_count)
        };
        let least = present().map(|(_, traits)| most(traits)).min().unwrap_or(0);
        Self { log, groups, combatants, is_plain, least: least as i32 }
    }

    /// Counts the first `rows` agents of a block once more where they are blocked, and twice as fast back
    /// where they get on; gives their patience.
    #[inline(always)]
    fn count<L: Lane<Num = N>>(
        &self,
        bound: &Bound<L>,
        blocked: L::Mask,
        rows: usize,
        tags: &mut [Tag],
    ) -> L::Int {
        let old = bound.tags.patience();
        let mut counts = bound.are_under_way() & (blocked | bound.tags.wait());
        if !counts.any() {
            return old;
        }
        if !self.is_plain || rows < L::WIDTH {
            let counting = counts.bits();
            counts =
                L::Mask::from_fn(|i| i < rows && counting >> i & 1 == 1 && self.is_due(tags[i]));
        }
        let int = L::Int::splat;
        let (more, less) = ((old + int(1)).smaller(int(255)), (old - int(2)).larger(int(0)));
        let new = L::Int::select(counts, L::Int::select(blocked, more, less), old);
        for (i, tag) in tags.iter_mut().enumerate() {
            tag.patience = new.get(i) as u8;
        }
        new
    }

    /// Whether an agent counts in this tick (see [`Traits::ticks_per_count`]).
    fn is_due(&self, tag: Tag) -> bool {
        let every = u64::from(self.groups.traits[usize::from(tag.group)].ticks_per_count);
        (self.log.tick + u64::from(tag.id)).is_multiple_of(every)
            && !self.combatants.halts(self.groups, tag)
    }
}

//! What commanders know: the number of living agents and the middle of every group, and the inputs of
//! conditions that follow from that.
//!
//! Sums are of whole numbers (positions in 1/256 m), so that their order does not matter.

use crate::data::GroupId;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::world::strategy::input;
use crate::world::{
    COMMANDED_INPUTS, Commander, FIRST_COMMANDED, FIRST_SIGNAL, Group, World, state,
};

/// Units of positions in a metre.
pub(super) const UNITS: f64 = 256.0;
/// The largest input.
const MOST: f64 = 32_000.0;

/// What is known of a group and its variants; of a variant alone nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sense {
    living: u64,
    arrived: u64,
    engaged: u64,
    fallen: u64,
    /// Sum of the positions.
    sum: [i64; 2],
}

impl Sense {
    /// The middle of the living agents, if there are any, in 1/256 m.
    pub(super) fn middle(&self) -> Option<[i64; 2]> {
        (self.living > 0).then(|| self.sum.each(|sum| sum.div_euclid(self.living as i64)))
    }

    fn add(&mut self, other: &Self) {
        self.living += other.living;
        self.arrived += other.arrived;
        self.engaged += other.engaged;
        self.fallen += other.fallen;
    }

    /// Share of the agents, living and fallen, that are alive.
    fn strength(&self) -> f64 {
        share(self.living, self.living + self.fallen, 1.0)
    }
}

/// Looks at all agents.
pub(super) fn take<N: Numbers>(world: &World<N>, senses: &mut Vec<Sense>) {
    senses.clear();
    senses.resize(world.groups.list.len(), Sense::default());
    for (index, group) in (0_u16..).zip(&world.groups.list) {
        senses[usize::from(world.base_group(index))].fallen += u64::from(group.fallen);
    }
    let rows = world.agents.rows.tag.iter().zip(world.agents.rows.pos.iter());
    for (tag, pos) in rows.filter(|(tag, _)| tag.state & state::LEAVING == 0) {
        let sense = &mut senses[usize::from(world.base_group(tag.group))];
        sense.living += 1;
        sense.arrived += u64::from(tag.is_done());
        let target = world.combat.combatants.aim.get(tag.id as usize).and_then(|aim| aim.target());
        sense.engaged += u64::from(target.is_some_and(|target| world.is_alive(target)));
        for (sum, &at) in sense.sum.iter_mut().zip(pos) {
            *sum += (at.to_f64() * UNITS).floor() as i64;
        }
    }
}

/// The whole part of the distance between two points.
pub(super) fn distance(a: [i64; 2], b: [i64; 2]) -> i64 {
    square(a, b).isqrt() as i64
}

fn square([ax, ay]: [i64; 2], [bx, by]: [i64; 2]) -> u64 {
    let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
    dx * dx + dy * dy
}

/// The middle of the foe group whose middle is nearest to a point.
pub(super) fn nearest_foe<N: Numbers>(
    groups: &[Group<N>],
    senses: &[Sense],
    foes: u32,
    from: [i64; 2],
) -> Option<[i64; 2]> {
    let rows = groups.iter().zip(senses).filter(|(group, _)| foes >> group.def.team & 1 != 0);
    rows.filter_map(|(_, sense)| sense.middle()).min_by_key(|&at| square(from, at))
}

/// A part of a whole, or what holds without a whole.
fn share(part: u64, whole: u64, without: f64) -> f64 {
    if whole == 0 { without } else { part as f64 / whole as f64 }
}

fn number<N: Numbers>(value: f64) -> N {
    N::from_f64(if value < MOST { value } else { MOST })
}

/// What a commander knows at a review.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<N> {
    /// The first inputs.
    of_team: [N; input::OF_TEAM],
    /// The teams that it fights, one bit a team.
    pub(super) foes: u32,
    /// Agents of the team that have been killed.
    pub(super) fallen: u64,
}

/// What facts are made from, for one commander.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a, N: Numbers> {
    pub(super) world: &'a World<N>,
    pub(super) senses: &'a [Sense],
    pub(super) commander: &'a Commander<N>,
}

impl<N: Numbers> Scene<'_, N> {
    /// What holds for all strategies of the team.
    pub(super) fn facts(&self) -> Facts<N> {
        let Self { world, senses, commander } = *self;
        let own = |group: &&Group<N>| group.def.team == commander.team && !group.is_removed;
        let foes =
            world.groups.list.iter().filter(own).fold(0, |bits, group| bits | group.def.foes);
        let (mut ours, mut theirs) = (Sense::default(), Sense::default());
        for (group, sense) in world.groups.list.iter().zip(senses) {
            if group.def.team == commander.team {
                ours.add(sense);
            } else if foes >> group.def.team & 1 != 0 {
                theirs.add(sense);
            }
        }
        let middles =
            commander.def.groups.iter().filter_map(|c| senses[usize::from(c.group)].middle());
        let distances = middles.filter_map(|from| {
            nearest_foe(&world.groups.list, senses, foes, from).map(|foe| distance(from, foe))
        });
        let nearest = distances.min().map_or(MOST, |units| units as f64 / UNITS);
        let lost = ours.fallen.saturating_sub(commander.fallen);
        let of_team = [
            ours.strength(),
            theirs.strength(),
            ours.living as f64,
            theirs.living as f64,
            share(ours.living, theirs.living, MOST),
            nearest,
            share(ours.engaged, ours.living, 0.0),
            share(lost, ours.living + ours.fallen, 0.0),
            self.seconds(world.log.tick),
        ];
        Facts { of_team: of_team.map(number), foes, fallen: ours.fallen }
    }

    fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 / f64::from(self.world.settings.tick_rate)
    }

    /// Seconds since a tick; a very long time if that has not been.
    fn since(&self, tick: Option<u64>) -> f64 {
        tick.map_or(MOST, |tick| self.seconds(self.world.log.tick.saturating_sub(tick)))
    }

    /// Share of the agents of some groups that have arrived.
    pub(super) fn arrived(&self, groups: impl Iterator<Item = GroupId>) -> f64 {
        let mut all = Sense::default();
        groups.for_each(|group| all.add(&self.senses[usize::from(group)]));
        share(all.arrived, all.living, 1.0)
    }

    /// An input of a strategy.
    pub(super) fn value(&self, facts: &Facts<N>, strategy: usize, input: u16) -> N {
        let index = usize::from(input);
        if let Some(&value) = facts.of_team.get(index) {
            return value;
        }
        let (course, def) =
            (&self.commander.courses[strategy], &self.commander.def.strategies[strategy]);
        let runs = course.is_running;
        number(match input {
            input::ARRIVED if runs => {
                self.arrived(def.steps[usize::from(course.step)].groups.iter().copied())
            }
            input::ARRIVED => self.arrived(def.groups().into_iter()),
            input::TIMER if runs => self.since(Some(course.begun)),
            input::STEP if runs => self.since(Some(course.stepped)),
            input::REST if !runs => self.since(Some(course.ended).filter(|&t| t != u64::MAX)),
            input::BEGINS => f64::from(course.begins),
            input::DONE => f64::from(u8::from(runs && course.is_done)),
            _ if index >= FIRST_COMMANDED => self.of_group(facts, index - FIRST_COMMANDED),
            _ if index >= FIRST_SIGNAL => {
                let signal = (index - FIRST_SIGNAL) as u8;
                self.since(self.world.signalled(self.commander.team, signal))
            }
            _ => 0.0,
        })
    }

    /// An input about a group under command.
    fn of_group(&self, facts: &Facts<N>, index: usize) -> f64 {
        let commanded = self.commander.def.groups.get(index / COMMANDED_INPUTS.len());
        let Some(group) = commanded.map(|commanded| commanded.group) else { return 0.0 };
        let sense = &self.senses[usize::from(group)];
        match index % COMMANDED_INPUTS.len() {
            0 => sense.strength(),
            1 => sense.middle().map_or(MOST, |from| {
                let foe = nearest_foe(&self.world.groups.list, self.senses, facts.foes, from);
                foe.map_or(MOST, |foe| distance(from, foe) as f64 / UNITS)
            }),
            2 => share(sense.engaged, sense.living, 0.0),
            _ => share(sense.arrived, sense.living, 1.0),
        }
    }
}

//! The inputs of minds: what agents perceive, a block at a time.

use crate::lane::{BLOCK, Lane, Numbers};
use crate::math::each::Each;
use crate::math::{Num, hash3, unit_f64};
use crate::tick::perceive::{Sights, View};
use crate::world::mind::input;
use crate::world::{FIRST_OUTPUT, FIRST_SIGNAL, MAX_USED, Mind, World};

/// Agents whose inputs are made together.
pub(super) const BATCH: usize = 128;
/// What stands for no limit: the largest number that conditions compare with.
pub(super) const NO_LIMIT: f64 = 32_000.0;
/// Stream of the random numbers that agents perceive.
const CHANCE: u64 = 0x6d1d_c4a1;

/// When the agents of a group look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub(super) mind: u16,
    pub(super) variant_set: u16,
    /// Ticks from one look to the next (0 for groups that do not think), and the tick modulo that.
    pub(super) every: u32,
    pub(super) beat: u32,
}

/// Input of the stage, the same for all blocks.
pub(super) struct Plan<'a, N: Numbers> {
    pub(super) world: &'a World<N>,
    pub(super) view: View<'a, N>,
    pub(super) sights: &'a [Sights<N>],
    pub(super) turns: &'a [Turn],
}

/// Some agents in one state of one mind.
pub(super) struct Block<'a, N: Numbers> {
    pub(super) mind: &'a Mind<N>,
    /// Their rows; lanes past the last agent repeat its row.
    pub(super) rows: [usize; BLOCK],
    pub(super) count: usize,
}

/// How long an agent has been in its state, in seconds.
pub(super) fn timer<N: Numbers>(world: &World<N>, id: usize) -> N {
    let ticks = (world.log.tick as u32).wrapping_sub(world.minds.thoughts.since[id]);
    N::from_f64(f64::from(ticks) * world.dt())
}

/// Fills in the inputs of a block's mind from a place of the columns on, and the nearest foes where
/// they are needed.
pub(super) fn perceive_block<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L::Num>,
    at: usize,
    columns: &mut [[L::Num; BATCH]; MAX_USED],
    nearest: &mut [Option<(usize, f64)>],
) {
    let mind = block.mind;
    if mind.heads_for_foes || mind.reads(&[input::ENEMY]) {
        for (lane, nearest) in nearest.iter_mut().enumerate().take(block.count) {
            let group = plan.world.agents.rows.tag[block.rows[lane]].group;
            let sight = &plan.sights[usize::from(group)].foes;
            *nearest = plan.view.nearest::<L>(block.rows[lane], sight);
        }
        let last = nearest[block.count - 1];
        nearest[block.count..].fill(last);
    }
    for (column, &input) in columns.iter_mut().zip(&mind.used) {
        perceive::<L>(plan, block, input, nearest).store(&mut column[at..]);
    }
}

/// An input of the agents of a block.
#[inline(always)]
fn perceive<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L::Num>,
    input: u16,
    nearest: &[Option<(usize, f64)>],
) -> L {
    let (world, rows, n) = (plan.world, &block.rows, L::Num::from_f64);
    let tag = |lane: usize| world.agents.rows.tag[rows[lane]];
    let id = |lane: usize| tag(lane).id as usize;
    let traits = |lane: usize| &world.groups.traits[usize::from(tag(lane).group)];
    let sights = |lane: usize| &plan.sights[usize::from(tag(lane).group)];
    let flag = |set: &dyn Fn(usize) -> bool| {
        L::from_fn(|lane| if set(lane) { L::Num::ONE } else { L::Num::ZERO })
    };
    let distance = |found: Option<(usize, f64)>, range: L::Num| {
        found.map_or(range, |(_, square)| n(square.sqrt()))
    };
    let health = |lane: usize| world.combat.combatants.health.get(id(lane)).map(|health| health[0]);
    match input {
        input::HEALTH => {
            let whole = L::from_fn(|lane| traits(lane).health);
            let hurt = L::from_fn(|lane| health(lane).unwrap_or(traits(lane).health));
            let can_be_hurt = L::zero().lt(whole);
            let share = hurt.smaller(whole).ratio(L::select(can_be_hurt, whole, L::one()));
            L::select(can_be_hurt, share, L::one())
        }
        input::HIT => flag(&|lane| {
            health(lane).is_some_and(|health| health < world.minds.thoughts.memory[id(lane)][2])
        }),
        input::ENEMY => L::from_fn(|lane| distance(nearest[lane], sights(lane).range)),
        input::FRIEND => each_lane::<L>(block, |lane| {
            let found = plan.view.nearest::<L>(rows[lane], &sights(lane).friends);
            distance(found, sights(lane).range)
        }),
        input::ENEMIES | input::FRIENDS => each_lane::<L>(block, |lane| {
            let Sights { foes, friends, near, .. } = sights(lane);
            let sight = if input == input::ENEMIES { foes } else { friends };
            let count = plan.view.count::<L>(rows[lane], sight, *near);
            n(f64::from(count).min(NO_LIMIT))
        }),
        input::TARGET => flag(&|lane| world.target(world.agents.ids.id(tag(lane).id)).is_some()),
        input::AMMUNITION => L::from_fn(|lane| {
            let weapon = world.combat.weapons.get(usize::from(traits(lane).weapon));
            let counted = weapon.filter(|weapon| weapon.def.ammunition > 0);
            let rounds = counted.and_then(|_| world.combat.combatants.rounds.get(id(lane)));
            n(rounds.map_or(NO_LIMIT, |&rounds| f64::from(rounds)))
        }),
        input::ARRIVED => flag(&|lane| tag(lane).is_done()),
        input::BLOCKED => L::from_fn(|lane| n(f64::from(tag(lane).patience) * world.dt())),
        input::GOAL => {
            let to = L::pairs_from_fn(|lane| {
                let has = world.groups.list[usize::from(tag(lane).group)].goal.is_some();
                let pos = world.agents.rows.pos[rows[lane]];
                let target = if has { traits(lane).target } else { pos };
                [0, 1].each(|i| target[i] - pos[i])
            });
            L::length(to[0], to[1])
        }
        input::SPEED => {
            let [x, y] = L::pairs_from_fn(|lane| world.agents.rows.vel[rows[lane]]);
            L::length(x, y)
        }
        input::TOLD => flag(&|lane| {
            let turn = &plan.turns[usize::from(tag(lane).group)];
            let told = world.minds.variant_sets[usize::from(turn.variant_set)].told;
            world.log.tick.checked_sub(told).is_some_and(|ago| ago < u64::from(turn.every))
        }),
        input::TIMER => L::from_fn(|lane| timer(world, id(lane))),
        input::ARGUMENT => L::from_fn(|lane| world.minds.thoughts.memory[id(lane)][0]),
        input::COUNT => L::from_fn(|lane| world.minds.thoughts.memory[id(lane)][1]),
        input::CHANCE => L::from_fn(|lane| {
            let seed = world.settings.seed ^ CHANCE;
            n(unit_f64(hash3(seed, world.log.tick, id(lane) as u64)))
        }),
        _ => other_input::<L>(plan, block, usize::from(input)),
    }
}

/// An input that takes work, made for the agents of a block one by one.
#[inline(always)]
fn each_lane<L: Lane>(block: &Block<'_, L::Num>, mut number: impl FnMut(usize) -> L::Num) -> L {
    let zero = L::Num::ZERO;
    L::from_fn(|lane| if lane < block.count { number(lane) } else { zero })
}

/// An input beyond the fixed ones: how long ago a signal was given.
fn other_input<L: Lane>(plan: &Plan<'_, L::Num>, block: &Block<'_, L::Num>, input: usize) -> L {
    let world = plan.world;
    if !(FIRST_SIGNAL..FIRST_OUTPUT).contains(&input) {
        return L::zero();
    }
    let signal = (input - FIRST_SIGNAL) as u8;
    L::from_fn(|lane| {
        let group = usize::from(world.agents.rows.tag[block.rows[lane]].group);
        let given = world.signalled(world.groups.list[group].def.team, signal);
        let seconds = given.map_or(NO_LIMIT, |tick| (world.log.tick - tick) as f64 * world.dt());
        L::Num::from_f64(seconds.min(NO_LIMIT))
    })
}

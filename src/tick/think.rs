//! Think: agents whose turn it is look around, and their machines say where they go.
//!
//! Every agent sees the world as it is before any moves, and nothing changes here: what is decided is
//! noted by row, and the stage `decide` applies it when the tick is all but over. So no agent sees
//! another half-changed, and the order of rows cannot matter.
//!
//! Agents of a chunk are sorted by mind and state, so that a block of lanes runs through one list of
//! transitions. Inputs are made once, as columns of a batch, which fuzzy controllers extend; only the
//! timer and the argument change within a chain of decisions.

mod inputs;

use crate::data::{Id, MindId};
use crate::kernel::fuzzy;
use crate::lane::{BLOCK, Lane, Mask, Numbers};
use crate::math::Num;
use crate::math::each::{Each, Make};
use crate::mind::{Argument, Output};
use crate::par;
use crate::par::PerBand;
use crate::space::Grid;
use crate::tick::think::inputs::{BATCH, Block, NO_LIMIT, Plan, Turn, perceive_block, timer};
use crate::tick::{CHUNK, perceive};
use crate::world::mind::input;
use crate::world::{Destination, EndlessChain, MAX_USED, Mind, World, state};

/// The agent looked.
pub(super) const LOOKS: u8 = 1;
/// It goes to a state.
pub(super) const GOES: u8 = 2;
/// Its count changes.
pub(super) const COUNTS: u8 = 4;
/// It has a point to head for.
pub(super) const FOCUSES: u8 = 8;
/// It lets go of its target.
pub(super) const FORGETS: u8 = 16;
/// It has all of its ammunition again.
pub(super) const RELOADS: u8 = 32;
/// It leaves.
pub(super) const LEAVES: u8 = 64;

/// What an agent decided.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Verdict<N> {
    pub(super) flags: u8,
    /// The state that it goes to.
    pub(super) to: u8,
    /// Signals that it gives, as bits.
    pub(super) signals: u32,
    pub(super) argument: N,
    pub(super) count: N,
    /// Its health as it looked.
    pub(super) health: N,
    pub(super) focus: [N; 2],
}

/// Memory of the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N> {
    others: perceive::Memory<N>,
    turns: Vec<Turn>,
    /// By row.
    pub(super) verdicts: Vec<Verdict<N>>,
    /// By chunk: whether an agent in it looked, and the chains of its agents that found no end.
    pub(super) busy: Vec<bool>,
    pub(super) endless: Vec<Vec<EndlessChain>>,
}

pub(super) fn run<L: Lane>(
    world: &World<L::Num>,
    grid: &Grid<L::Num>,
    memory: &mut Memory<L::Num>,
) {
    if world.minds.variant_sets.is_empty() {
        return;
    }
    prepare(world, grid, memory);
    let Memory { others, turns, verdicts, busy, endless } = memory;
    let view = others.view(world, grid);
    let plan = Plan { world, view, sights: &others.sights, turns };
    let columns = (&mut verdicts[..], PerBand(&mut busy[..]), PerBand(&mut endless[..]));
    par::chunks(world.len(), CHUNK, columns, &|_, first, (verdicts, busy, endless)| {
        busy.0[0] = chunk::<L>(&plan, first, verdicts, &mut endless.0[0]);
    });
}

fn prepare<N: Numbers>(world: &World<N>, grid: &Grid<N>, memory: &mut Memory<N>) {
    memory.turns.clear();
    for group in 0..world.groups.list.len() as u16 {
        let turn = world.variant_set(group).map(|variant_set| {
            let every = world.minds.list[usize::from(variant_set.mind)].def.every;
            let beat = (world.log.tick % u64::from(every)) as u32;
            let variant_set_of = world.minds.variant_set_of[usize::from(group)];
            Turn { mind: variant_set.mind, variant_set: variant_set_of, every, beat }
        });
        memory.turns.push(turn.unwrap_or_default());
    }
    memory.others.prepare(world, grid);
    memory.verdicts.resize(world.len(), Verdict::default());
    let chunks = world.len().div_ceil(CHUNK);
    memory.busy.resize(chunks, false);
    memory.endless.resize(chunks, Vec::new());
}

/// Lets the agents of a chunk look whose turn it is; returns whether there are any.
fn chunk<L: Lane>(
    plan: &Plan<'_, L::Num>,
    first: usize,
    verdicts: &mut [Verdict<L::Num>],
    endless: &mut Vec<EndlessChain>,
) -> bool {
    let world = plan.world;
    endless.clear();
    // Mind and state above, the row within the chunk below.
    let (mut due, mut count) = ([0_u32; CHUNK], 0);
    for (i, verdict) in verdicts.iter_mut().enumerate() {
        *verdict = Verdict::default();
        let tag = world.agents.rows.tag[first + i];
        let turn = &plan.turns[usize::from(tag.group)];
        let looks = turn.every > 0
            && tag.state & state::LEAVING == 0
            && (turn.beat + tag.id % turn.every).is_multiple_of(turn.every);
        if looks {
            let state = world.minds.thoughts.state[tag.id as usize];
            due[count] = (u32::from(turn.mind) << 6 | u32::from(state)) << 10 | i as u32;
            count += 1;
        }
    }
    let due = &mut due[..count];
    due.sort_unstable();
    for alike in due.chunk_by(|a, b| a >> 10 == b >> 10) {
        let mind = &world.minds.list[(alike[0] >> 16) as usize];
        let state = (alike[0] >> 10) as u8 & 63;
        for some in alike.chunks(BATCH) {
            batch::<L>(plan, first, (mind, state), some, verdicts, endless);
        }
    }
    count > 0
}

/// Lets agents in one state of one mind look.
fn batch<L: Lane>(
    plan: &Plan<'_, L::Num>,
    first: usize,
    (mind, state): (&Mind<L::Num>, u8),
    due: &[u32],
    verdicts: &mut [Verdict<L::Num>],
    endless: &mut Vec<EndlessChain>,
) {
    let mut columns = [[L::Num::ZERO; BATCH]; MAX_USED];
    let mut nearest = [None; BATCH];
    let row = |at: usize| (due[at.min(due.len() - 1)] as usize) & (CHUNK - 1);
    let block = |at: usize| Block {
        mind,
        rows: Make::make(|lane| first + row(at + lane)),
        count: L::WIDTH.min(due.len() - at),
    };
    for at in (0..due.len()).step_by(L::WIDTH) {
        let nearest = &mut nearest[at..at + L::WIDTH];
        perceive_block::<L>(plan, &block(at), at, &mut columns, nearest);
    }
    for controls in &mind.controls {
        let mut outputs = [[L::Num::ZERO; BATCH]; fuzzy::MAX_OUTPUTS];
        let mut inputs = [&columns[0][..]; fuzzy::MAX_INPUTS];
        for (input, &place) in inputs.iter_mut().zip(&controls.inputs) {
            *input = &columns[usize::from(place)];
        }
        let mut to = outputs.each_mut().map(|column| &mut column[..]);
        let (inputs, to) = (&inputs[..controls.inputs.len()], &mut to[..controls.outputs.len()]);
        fuzzy::evaluate_lanes::<L>(&controls.compiled, due.len(), inputs, to);
        for (output, place) in outputs.iter().zip(&controls.outputs) {
            if let Some(place) = place {
                columns[usize::from(*place)] = *output;
            }
        }
    }
    for at in (0..due.len()).step_by(L::WIDTH) {
        let values = std::array::from_fn(|i| L::load(&columns[i][at..]));
        let nearest = &nearest[at..at + L::WIDTH];
        let decided = decide_block::<L>(plan, &block(at), state, values, nearest, endless);
        for (lane, verdict) in decided.into_iter().enumerate().take(L::WIDTH.min(due.len() - at)) {
            verdicts[row(at + lane)] = verdict;
        }
    }
}

/// How far the chains of a block are.
struct Chains<N> {
    states: [u8; BLOCK],
    taken: [u8; BLOCK],
    /// What the agents decided so far.
    verdicts: [Verdict<N>; BLOCK],
    /// Agents that are still to decide, and agents that found no end, as bits.
    open: u32,
    lost: u32,
}

impl<N: Numbers> Chains<N> {
    /// Notes an output of an agent's machine.
    fn put(&mut self, lane: usize, output: Output) {
        let verdict = &mut self.verdicts[lane];
        match output {
            Output::Signal(signal) => verdict.signals |= 1 << signal,
            Output::SetCount(number) => {
                verdict.count = N::from_f64(number);
                verdict.flags |= COUNTS;
            }
            Output::AddCount(number) => {
                let most = N::from_f64(NO_LIMIT / 2.0);
                let half = verdict.count * N::HALF + N::from_f64(number) * N::HALF;
                let half = half.smaller(most).larger(-most);
                // Halves, because the sum of two large counts has no number in fixed point.
                let whole = verdict.count + N::from_f64(number);
                let fits = half < most && -most < half;
                verdict.count = if fits { whole } else { half + half };
                verdict.flags |= COUNTS;
            }
            Output::Forget => verdict.flags |= FORGETS,
            Output::Reload => verdict.flags |= RELOADS,
            Output::Leave => verdict.flags |= LEAVES,
        }
    }

    /// An agent goes on to a state.
    fn go(&mut self, lane: usize, mind: &Mind<N>, to: u8, argument: N) {
        self.states[lane] = to;
        self.taken[lane] += 1;
        let verdict = &mut self.verdicts[lane];
        verdict.flags |= GOES;
        verdict.to = to;
        verdict.argument = argument;
        if !mind.machine.decides(to) {
            self.open &= !(1 << lane);
        }
    }
}

/// What the agents of a block decide.
fn decide_block<L: Lane>(
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L::Num>,
    state: u8,
    mut values: [L; MAX_USED],
    nearest: &[Option<(usize, f64)>],
    endless: &mut Vec<EndlessChain>,
) -> [Verdict<L::Num>; BLOCK] {
    let world = plan.world;
    let mind = block.mind;
    let id = |lane: usize| world.agents.rows.tag[block.rows[lane]].id as usize;
    let mut chains = Chains {
        states: [state; BLOCK],
        taken: [0; BLOCK],
        verdicts: Make::make(|lane| Verdict {
            flags: LOOKS,
            count: world.minds.thoughts.memory[id(lane)][1],
            health: world.combat.combatants.health.get(id(lane)).map_or(L::Num::ZERO, |h| h[0]),
            ..Verdict::default()
        }),
        open: (1 << block.count) - 1,
        lost: 0,
    };
    obey(plan, block, &mut chains);
    settle_inputs::<L>(mind, &chains, &mut values);
    while chains.open != 0 {
        let state = chains.states[chains.open.trailing_zeros() as usize];
        step::<L>(mind, state, &mut chains, &values);
        settle_inputs::<L>(mind, &chains, &mut values);
    }
    for (lane, &nearest) in nearest.iter().enumerate().take(block.count) {
        if chains.lost >> lane & 1 == 1 {
            let way = lost_way::<L>(mind, state, lane, &values, plan, block);
            let tag = world.agents.rows.tag[block.rows[lane]];
            let mind = MindId::new(plan.turns[usize::from(tag.group)].mind);
            endless.push(EndlessChain { id: id_of(world, tag.id), mind, states: way });
            let health = chains.verdicts[lane].health;
            chains.verdicts[lane] = Verdict { flags: LOOKS, health, ..Verdict::default() };
        } else if chains.taken[lane] == 0 {
            mind.machine.update_outputs(state).iter().for_each(|&output| chains.put(lane, output));
        }
        focus(plan, block, lane, state, nearest, &mut chains.verdicts[lane]);
    }
    chains.verdicts
}

fn id_of<N: Numbers>(world: &World<N>, index: u32) -> Id {
    world.agents.ids.id(index)
}

/// Agents that a plan has sent to a state since they looked last go to it.
fn obey<N: Numbers>(plan: &Plan<'_, N>, block: &Block<'_, N>, chains: &mut Chains<N>) {
    let mind = block.mind;
    for lane in 0..block.count {
        let group = plan.world.agents.rows.tag[block.rows[lane]].group;
        let turn = plan.turns[usize::from(group)];
        let variant_set = &plan.world.minds.variant_sets[usize::from(turn.variant_set)];
        let Some((to, tick)) = variant_set.sent else { continue };
        let from = chains.states[lane];
        let is_new = plan.world.log.tick - tick < u64::from(turn.every);
        if is_new && to != from && !mind.def.conducts[usize::from(from)].deaf {
            let crossing = mind.machine.crossing(from, to);
            crossing.for_each(|&output| chains.put(lane, output));
            chains.go(lane, mind, to, N::ZERO);
        }
    }
}

/// Sets the timer and the argument of agents that have gone on to another state.
#[inline(always)]
fn settle_inputs<L: Lane>(
    mind: &Mind<L::Num>,
    chains: &Chains<L::Num>,
    values: &mut [L; MAX_USED],
) {
    if chains.open == 0 || chains.taken == [0; BLOCK] {
        return;
    }
    let gone = L::Mask::from_fn(|lane| chains.taken[lane] > 0);
    if mind.reads(&[input::TIMER]) {
        let timer = &mut values[usize::from(mind.place[usize::from(input::TIMER)])];
        *timer = L::select(gone, L::zero(), *timer);
    }
    if mind.reads(&[input::ARGUMENT]) {
        let argument = &mut values[usize::from(mind.place[usize::from(input::ARGUMENT)])];
        let new = L::from_fn(|lane| chains.verdicts[lane].argument);
        *argument = L::select(gone, new, *argument);
    }
}

/// Agents in a state take the first of its transitions that holds.
#[inline(always)]
fn step<L: Lane>(
    mind: &Mind<L::Num>,
    state: u8,
    chains: &mut Chains<L::Num>,
    values: &[L; MAX_USED],
) {
    let here = |lane: usize| chains.open >> lane & 1 == 1 && chains.states[lane] == state;
    let mut left = (0..BLOCK).fold(0, |bits, lane| bits | u32::from(here(lane)) << lane);
    let value = |input: u16| values[usize::from(mind.place[usize::from(input)])];
    for go in mind.machine.transitions(state) {
        let mut takes = if go.when.is_always() { left } else { left & go.when.mask(value).bits() };
        left &= !takes;
        while takes != 0 {
            let lane = takes.trailing_zeros() as usize;
            takes &= takes - 1;
            if chains.taken[lane] == mind.machine.chain() {
                chains.lost |= 1 << lane;
                chains.open &= !(1 << lane);
                continue;
            }
            let argument = match go.argument {
                Argument::Number(number) => L::Num::from_f64(number),
                Argument::Input(input) => value(input).get(lane),
            };
            go.outputs.iter().for_each(|&output| chains.put(lane, output));
            chains.go(lane, mind, go.to, argument);
        }
        if left == 0 {
            return;
        }
    }
    chains.open &= !left;
}

/// The states through which the chain of a lane goes round.
#[cold]
fn lost_way<L: Lane>(
    mind: &Mind<L::Num>,
    state: u8,
    lane: usize,
    values: &[L; MAX_USED],
    plan: &Plan<'_, L::Num>,
    block: &Block<'_, L::Num>,
) -> Vec<u8> {
    let id = plan.world.agents.rows.tag[block.rows[lane]].id as usize;
    let own = [timer(plan.world, id), plan.world.minds.thoughts.memory[id][0]];
    let verdict = mind.machine.update(state, |index, link| match (index, link.taken) {
        (input::TIMER, 0) => own[0],
        (input::TIMER, _) => L::Num::ZERO,
        (input::ARGUMENT, 0) => own[1],
        (input::ARGUMENT, _) => link.argument,
        _ => values[usize::from(mind.place[usize::from(index)])].get(lane),
    });
    match verdict {
        crate::mind::Verdict::Endless(way) => way,
        // A plan sent it into the chain.
        _ => vec![state],
    }
}

/// Where an agent heads for in the state that it will be in.
fn focus<N: Numbers>(
    plan: &Plan<'_, N>,
    block: &Block<'_, N>,
    lane: usize,
    state: u8,
    nearest: Option<(usize, f64)>,
    verdict: &mut Verdict<N>,
) {
    let goes = verdict.flags & GOES != 0;
    let state = if goes { verdict.to } else { state };
    let destination = &block.mind.def.conducts[usize::from(state)].destination;
    let away = match destination {
        Destination::Enemy => false,
        Destination::Away => true,
        _ => return,
    };
    let world = plan.world;
    let own = world.agents.rows.pos[block.rows[lane]];
    let found = nearest.map(|(row, _)| world.agents.rows.pos[row]);
    verdict.focus = match found {
        Some(foe) if away => {
            let edge = [world.ground.map.width(), world.ground.map.height()]
                .each(|cells| N::from_f64(f64::from(cells) * world.ground.map.cell_size()));
            // Eight times as far on the other side.
            [0, 1].each(|i| {
                let offset = own[i] - foe[i];
                let twice = offset + offset;
                let far = own[i] + twice + twice + twice + twice;
                far.larger(N::ZERO).smaller(edge[i])
            })
        }
        Some(foe) => foe,
        None if goes => own,
        None => return,
    };
    verdict.flags |= FOCUSES;
}

//! Agents that think: groups with minds, the variants of their states, and what agents have in mind.

use std::cmp::Ordering;

use bytemuck::Zeroable;
use serde::{Deserialize, Serialize};

use crate::data::{Id, MindId, table};
use crate::kernel::fuzzy::Compiled;
use crate::lane::Numbers;
use crate::mind::{MAX_SIGNALS, Machine};
use crate::world::{
    Control, Destination, FIRST_OUTPUT, Guidance, MAX_INPUTS, MAX_MINDS, MindDef, StateTraits, Tag,
    World, WorldError, state,
};

/// A mind as the tick reads it.
#[derive(Clone, Debug)]
pub(crate) struct Mind<N: Numbers> {
    pub(crate) def: MindDef,
    pub(crate) machine: Machine<N>,
    /// The inputs that it reads, and the place of each among them.
    pub(crate) used: Vec<u16>,
    pub(crate) place: [u8; MAX_INPUTS],
    /// Whether agents in some state go to foes, or away from them.
    pub(crate) heads_for_foes: bool,
    /// The controllers that are read.
    pub(crate) controls: Vec<Controls<N>>,
}

/// A controller as the tick reads it: places are those among the inputs that the mind reads.
#[derive(Clone, Debug)]
pub(crate) struct Controls<N: Numbers> {
    pub(crate) compiled: Compiled<N>,
    pub(crate) inputs: Vec<u8>,
    /// Of the outputs that are read.
    pub(crate) outputs: Vec<Option<u8>>,
}

impl<N: Numbers> Mind<N> {
    /// A mind that has been checked.
    pub(crate) fn new(def: MindDef) -> Self {
        let used = def.used();
        let mut place = [0; MAX_INPUTS];
        for (i, &input) in used.iter().enumerate() {
            place[usize::from(input)] = i as u8;
        }
        let heads = |state_traits: &StateTraits| {
            matches!(state_traits.destination, Destination::Enemy | Destination::Away)
        };
        let heads_for_foes = def.conducts.iter().any(heads);
        let mut controls = Vec::new();
        let mut first = FIRST_OUTPUT;
        let of = |input: usize| {
            let is_used = used.binary_search(&(input as u16)).is_ok();
            is_used.then_some(place[input])
        };
        let read: Vec<bool> = def.read_controllers(&used).collect();
        for (Control { controller, inputs }, read) in def.controllers.iter().zip(read) {
            let own = first..first + controller.outputs.len();
            first = own.end;
            if read {
                controls.push(Controls {
                    compiled: controller.compile().expect("the controller has been checked"),
                    inputs: inputs.iter().map(|&input| place[usize::from(input)]).collect(),
                    outputs: own.map(of).collect(),
                });
            }
        }
        let machine = Machine::of_checked(&def.machine);
        Self { machine, used, place, heads_for_foes, controls, def }
    }

    /// Whether it reads one of these inputs.
    pub(crate) fn reads(&self, inputs: &[u16]) -> bool {
        inputs.iter().any(|input| self.used.binary_search(input).is_ok())
    }
}

/// A group that thinks, and its variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct VariantSet {
    /// Index of the group, and of its mind.
    pub(crate) group: u16,
    pub(crate) mind: u16,
    /// Index of the group that agents in each state belong to.
    pub(crate) variants: Vec<u16>,
    /// The tick in which it was given its last order; the largest before that.
    pub(crate) told: u64,
    /// The state to which a plan last sent it, and the tick in which it did.
    pub(crate) sent: Option<(u8, u64)>,
}

impl VariantSet {
    /// Its groups, each once, ascending by their first state; the group itself first.
    pub(crate) fn groups(&self) -> impl Iterator<Item = u16> + '_ {
        let fresh = move |i: usize| {
            let group = self.variants[i];
            let is_new = group != self.group && !self.variants[..i].contains(&group);
            is_new.then_some(group)
        };
        std::iter::once(self.group).chain((0..self.variants.len()).filter_map(fresh))
    }

    /// The first state whose agents belong to a group of the variant set.
    pub(crate) fn state_of(&self, group: u16) -> Option<u8> {
        self.variants.iter().position(|&variant| variant == group).map(|state| state as u8)
    }
}

table! {
    /// What agents have in mind, by id index; without rows in a world without minds. Rows of free
    /// ids, and of agents that do not think, are zero.
    pub struct Thoughts<N: Numbers> as "thoughts" {
        /// The state that an agent is in.
        state: u8, "";
        /// The low bits of the tick in which it entered it.
        since: u32, "";
        /// Its argument, its count, and its health when it looked last.
        memory: [N; 3], "";
        /// Where an agent on the destination [`Destination::Enemy`] or [`Destination::Away`] heads for.
        focus: [N; 2], "m";
    }
}

/// An agent whose machine found no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessChain {
    /// The agent.
    pub id: Id,
    /// The mind.
    pub mind: MindId,
    /// The states through which the chain went, as indices; its own first. It stayed in that.
    pub states: Vec<u8>,
}

/// No signal so far.
pub(crate) const NEVER: u64 = u64::MAX;
/// No variant set.
pub(crate) const NO_VARIANT_SET: u16 = u16::MAX;

impl<N: Numbers> World<N> {
    /// The minds, in the order they were added.
    pub fn minds(&self) -> impl ExactSizeIterator<Item = &MindDef> {
        self.minds.list.iter().map(|mind| &mind.def)
    }

    /// What agents have in mind.
    pub fn thoughts(&self) -> &Thoughts<N> {
        &self.minds.thoughts
    }

    /// By indices: the group of which another is a variant, or to which agents in it return when they
    /// have no order of their own; any other group is its own.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn base_group(&self, group: u16) -> u16 {
        let base = self.groups.list[usize::from(group)].detached_from;
        base.unwrap_or_else(|| self.variant_set(group).map_or(group, |variants| variants.group))
    }

    /// The mind of the group with an index, or of what it is a variant of.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn mind_of(&self, group: u16) -> Option<MindId> {
        self.variant_set(group).map(|variant_set| MindId::new(variant_set.mind))
    }

    /// The state of a living agent that thinks; of others 0 or none.
    pub fn state_of(&self, id: Id) -> Option<u8> {
        // An id without a row has never entered a state.
        let state = self.minds.thoughts.state.get(id.index as usize)?;
        self.is_alive(id).then_some(*state)
    }

    /// The agents whose machines found no end in the last tick, by row.
    pub fn endless(&self) -> &[EndlessChain] {
        &self.minds.endless
    }

    /// The variant set of a group.
    pub(crate) fn variant_set(&self, group: u16) -> Option<&VariantSet> {
        let variant_set = self.minds.variant_set_of[usize::from(group)];
        (variant_set != NO_VARIANT_SET).then(|| &self.minds.variant_sets[usize::from(variant_set)])
    }

    /// The variant set of which a group is the base, or [`NO_VARIANT_SET`].
    #[inline(always)]
    pub(crate) fn kin_of_base(&self, group: u16) -> u16 {
        match self.minds.variant_set_of[usize::from(group)] {
            variant_set_of if variant_set_of == NO_VARIANT_SET => NO_VARIANT_SET,
            variant_set_of
                if self.minds.variant_sets[usize::from(variant_set_of)].group == group =>
            {
                variant_set_of
            }
            _ => NO_VARIANT_SET,
        }
    }

    /// The tick in which a team was last given a signal.
    pub fn signalled(&self, team: u8, signal: u8) -> Option<u64> {
        let at = usize::from(team) * MAX_SIGNALS + usize::from(signal);
        self.minds.signals.get(at).copied().filter(|&tick| tick != NEVER)
    }

    /// Adds a mind.
    ///
    /// # Errors
    /// When it cannot be run, or there are too many.
    pub fn add_mind(&mut self, def: MindDef) -> Result<MindId, WorldError> {
        def.check()?;
        if self.minds.list.len() == MAX_MINDS {
            let asked = MAX_MINDS as u64 + 1;
            return Err(WorldError::TooMany { what: "minds", asked, most: MAX_MINDS as u64 });
        }
        self.minds.list.push(Mind::new(def));
        Ok(MindId::new(self.minds.list.len() as u16 - 1))
    }

    /// Lets the agents of a group decide by a mind from now on: those that it has, and those that
    /// join it. A variant of the group for every state that needs one gets the next indices.
    ///
    /// # Errors
    /// When there is no such mind, the group thinks already or is in a company, or a
    /// variant cannot be made. Nothing changes then but groups without agents, which stay.
    pub(crate) fn think(&mut self, group: u16, mind: MindId) -> Result<(), WorldError> {
        let wrong = |why: String| Err(WorldError::Mind(why));
        if usize::from(mind) >= self.minds.list.len() {
            return wrong(format!(
                "there is no mind {mind}: the world has {}",
                self.minds.list.len()
            ));
        }
        if self.variant_set(group).is_some() {
            return wrong(format!("group {group} thinks already"));
        }
        if self.groups.list[usize::from(group)].company.is_some() {
            return wrong(format!("group {group} is in a company, which decides for it"));
        }
        let conducts = self.minds.list[usize::from(mind)].def.conducts.clone();
        let base = self.groups.list[usize::from(group)].def.clone();
        let mut variants: Vec<u16> = Vec::new();
        for (state, state_traits) in conducts.iter().enumerate() {
            let alike = |other: &StateTraits| {
                StateTraits { deaf: state_traits.deaf, ..other.clone() } == *state_traits
            };
            let known = conducts[..state].iter().position(alike).map(|state| variants[state]);
            variants.push(match known {
                _ if state_traits.is_plain() => group,
                Some(known) => known,
                None => {
                    let variant = self.add_group(state_traits.traits(&base))?.index();
                    let behaviours = &self.groups.list[usize::from(group)].behaviours;
                    let behaviours = state_traits.behaviours.as_ref().unwrap_or(behaviours).clone();
                    let made = self.behave(variant, &behaviours);
                    made.map_err(|refusal| WorldError::Mind(refusal.to_string()))?;
                    variant
                }
            });
        }
        let mind = mind.index();
        let variant_set = VariantSet { group, mind, variants, told: NEVER, sent: None };
        variant_set.groups().for_each(|group| {
            self.minds.variant_set_of[usize::from(group)] = self.minds.variant_sets.len() as u16
        });
        self.minds.variant_sets.push(variant_set);
        self.make_thoughts();
        let start = self.minds.list[usize::from(mind)].def.machine.start;
        for row in 0..self.len() {
            if self.agents.rows.tag[row].group == group {
                self.begin(row, start);
            }
        }
        Ok(())
    }

    /// A group and its variants think no more. What its agents had in mind stays for them to forget.
    pub(crate) fn forget_mind(&mut self, group: u16) {
        let gone = self.minds.variant_set_of[usize::from(group)];
        if gone == NO_VARIANT_SET {
            return;
        }
        self.minds.variant_sets.remove(usize::from(gone));
        for of in self.minds.variant_set_of.iter_mut().filter(|of| **of != NO_VARIANT_SET) {
            match (*of).cmp(&gone) {
                Ordering::Less => {}
                Ordering::Equal => *of = NO_VARIANT_SET,
                Ordering::Greater => *of -= 1,
            }
        }
        if self.minds.variant_sets.is_empty() {
            self.minds.thoughts.resize(0);
        }
    }

    /// An agent in a row begins to think, in a state of its variant set.
    pub(crate) fn begin(&mut self, row: usize, state: u8) {
        let tag = self.agents.rows.tag[row];
        let Some(variant_set) = self.variant_set(tag.group) else { return };
        let variant = variant_set.variants[usize::from(state)];
        let id = tag.id as usize;
        self.minds.thoughts.state[id] = state;
        self.minds.thoughts.since[id] = self.log.tick as u32;
        let health = self.combat.combatants.health.get(id).map_or(N::ZERO, |health| health[0]);
        self.minds.thoughts.memory[id] = [N::ZERO, N::ZERO, health];
        self.minds.thoughts.focus[id] = self.agents.rows.pos[row];
        self.move_to_group(row, variant);
    }

    /// The agent in a row changes to another variant of its group. Where both have one order, an
    /// agent that has come to rest by it stays so.
    pub(crate) fn move_to_group(&mut self, row: usize, group: u16) {
        let former = self.agents.rows.tag[row].group;
        if former == group {
            return;
        }
        let shapes = |group: u16| {
            let goal = &self.groups.list[usize::from(group)].goal;
            goal.as_ref().map(|goal| &goal.shapes)
        };
        let is_same = shapes(former).is_some() && shapes(former) == shapes(group);
        let stands = self.groups.traits[usize::from(group)].guidance == Guidance::Stand;
        self.give_up_place(self.agents.rows.tag[row]);
        let tag = &mut self.agents.rows.tag[row];
        let rests = is_same && tag.state & state::SETTLED != 0;
        let kept = if rests { state::SETTLED | state::ARRIVED } else { 0 };
        let rest = if stands || rests { state::HOMELESS } else { 0 };
        tag.state = tag.state & (state::LEAVING | kept) | rest;
        tag.group = group;
        tag.patience = 0;
        let id = tag.id;
        self.groups.list[usize::from(former)].members -= 1;
        self.groups.list[usize::from(group)].members += 1;
        self.forget_steps(id);
    }

    /// The agent in a row joins a group as if it were new there, even its own.
    pub(crate) fn join_group(&mut self, row: usize, group: u16) {
        let Tag { id, group: former, .. } = self.agents.rows.tag[row];
        let weapon = |group: u16| self.groups.traits[usize::from(group)].weapon;
        if weapon(former) != weapon(group) {
            self.reload(id, group);
        }
        self.give_up_place(self.agents.rows.tag[row]);
        self.groups.list[usize::from(former)].members -= 1;
        self.groups.list[usize::from(group)].members += 1;
        self.agents.rows.tag[row].group = group;
        self.begin_order_anew(row);
        self.forget_thoughts(id);
        if let Some(state) = self.first_state(group) {
            self.begin(row, state);
        }
    }

    /// The agent in a row begins its group's order anew. It must have given up its place.
    pub(crate) fn begin_order_anew(&mut self, row: usize) {
        let tag = &mut self.agents.rows.tag[row];
        let stands = self.groups.traits[usize::from(tag.group)].guidance == Guidance::Stand;
        let rest = if stands { state::HOMELESS } else { 0 };
        tag.state = tag.state & state::LEAVING | rest;
        tag.patience = 0;
        let id = tag.id;
        self.forget_steps(id);
    }

    /// The state in which agents begin that join a group that thinks.
    pub(crate) fn first_state(&self, group: u16) -> Option<u8> {
        let variant_set = self.variant_set(group)?;
        let own = if group == variant_set.group { None } else { variant_set.state_of(group) };
        Some(own.unwrap_or(self.minds.list[usize::from(variant_set.mind)].def.machine.start))
    }

    /// Gives every id its thoughts, once a group thinks.
    pub(crate) fn make_thoughts(&mut self) {
        if !self.minds.variant_sets.is_empty()
            && self.minds.thoughts.state.len() < self.agents.ids.capacity()
        {
            self.minds.thoughts.resize(self.agents.ids.capacity());
        }
    }

    /// An agent's thoughts end.
    pub(crate) fn forget_thoughts(&mut self, id: u32) {
        let id = id as usize;
        if id < self.minds.thoughts.state.len() {
            self.minds.thoughts.state[id] = 0;
            self.minds.thoughts.since[id] = 0;
            self.minds.thoughts.memory[id] = <[N; 3]>::zeroed();
            self.minds.thoughts.focus[id] = <[N; 2]>::zeroed();
        }
    }
}

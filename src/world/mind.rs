//! Minds: what the agents of a group decide by.
//!
//! A mind is a state machine whose inputs are what an agent perceives and whose states say how it
//! goes about. To the engine an agent in a state is a member of a group with the traits, behaviours
//! and order of that state: a *variant* of the group that it belongs to. States that change nothing
//! share the group itself.

use bytemuck::Zeroable;
use serde::Deserialize;
use serde::Serialize;

use crate::data::Id;
use crate::data::bytes::BytesError;
use crate::data::bytes::Reader;
use crate::data::bytes::Write;
use crate::data::table;
use crate::kernel::fuzzy::Compiled;
use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::mind::MOST_SIGNALS;
use crate::mind::Machine;
use crate::mind::MachineDef;
use crate::mind::fuzzy::Controller;
use crate::nav::navigator::Navigator;
use crate::world::Aim;
use crate::world::Behaviour;
use crate::world::GroupDef;
use crate::world::Tag;
use crate::world::World;
use crate::world::WorldError;
use crate::world::settings::check;
use crate::world::state;

/// Minds of a world at most.
pub const MOST_MINDS: usize = 1_024;
/// Different inputs that a mind's conditions read at most.
pub const MOST_USED: usize = 32;

/// What every agent perceives: the inputs of conditions, by their indices.
///
/// | input | what | unit |
/// |---|---|---|
/// | `health` | what is left of it, as a share | 0 ..= 1 |
/// | `hit` | 1 when it has lost health since the agent looked last | |
/// | `enemy` | distance to the nearest foe; the range of sight when none is in it | m |
/// | `friend` | the same of its own team | m |
/// | `enemies` | foes within `near` | |
/// | `friends` | others of its own team within `near` | |
/// | `target` | 1 when its weapon is pointed at somebody | |
/// | `ammunition` | shots that are left; 32,000 without a limit | |
/// | `arrived` | 1 when it is where it was ordered to | |
/// | `blocked` | for how long it has found no way on, inside its goal or back home | s |
/// | `goal` | distance to the middle of its goal; 0 without one | m |
/// | `speed` | how fast it goes | m/s |
/// | `told` | 1 when its group has been given an order since the agent looked last | |
/// | `timer` | time since it entered its state | s |
/// | `argument` | what the transition to its state handed on | |
/// | `count` | its own count | |
/// | `chance` | another random number at every look | 0 ..< 1 |
pub const INPUTS: [&str; 17] = [
    "health",
    "hit",
    "enemy",
    "friend",
    "enemies",
    "friends",
    "target",
    "ammunition",
    "arrived",
    "blocked",
    "goal",
    "speed",
    "told",
    "timer",
    "argument",
    "count",
    "chance",
];

/// Places in [`INPUTS`].
pub(crate) mod input {
    pub(crate) const HEALTH: u16 = 0;
    pub(crate) const HIT: u16 = 1;
    pub(crate) const ENEMY: u16 = 2;
    pub(crate) const FRIEND: u16 = 3;
    pub(crate) const ENEMIES: u16 = 4;
    pub(crate) const FRIENDS: u16 = 5;
    pub(crate) const TARGET: u16 = 6;
    pub(crate) const AMMUNITION: u16 = 7;
    pub(crate) const ARRIVED: u16 = 8;
    pub(crate) const BLOCKED: u16 = 9;
    pub(crate) const GOAL: u16 = 10;
    pub(crate) const SPEED: u16 = 11;
    pub(crate) const TOLD: u16 = 12;
    pub(crate) const TIMER: u16 = 13;
    pub(crate) const ARGUMENT: u16 = 14;
    pub(crate) const COUNT: u16 = 15;
    pub(crate) const CHANCE: u16 = 16;
}

/// The first of the inputs that say how many seconds ago the team was given a signal.
pub const FIRST_SIGNAL: usize = 32;
/// The first of the inputs that are outputs of fuzzy controllers.
pub const FIRST_OUTPUT: usize = FIRST_SIGNAL + MOST_SIGNALS;
/// Inputs that there are at most.
pub const MOST_INPUTS: usize = FIRST_OUTPUT + MOST_FED;
/// Outputs that the controllers of a mind have at most, together.
pub const MOST_FED: usize = 32;

/// The names of all inputs by their indices: those of [`INPUTS`], `since.NAME` for every signal, and
/// the outputs of controllers. Places without an input have an empty name.
pub fn input_names(signals: &[String], outputs: &[String]) -> Vec<String> {
    let mut names = vec![String::new(); MOST_INPUTS];
    let since = signals.iter().map(|signal| format!("since.{signal}"));
    names.iter_mut().zip(INPUTS).for_each(|(to, name)| *to = name.to_owned());
    names[FIRST_SIGNAL..FIRST_OUTPUT].iter_mut().zip(since).for_each(|(to, name)| *to = name);
    names[FIRST_OUTPUT..].iter_mut().zip(outputs).for_each(|(to, name)| to.clone_from(name));
    names
}

/// What the agents of a group decide by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MindDef {
    /// The state machine. Its inputs are those of [`input_names`].
    pub machine: MachineDef,
    /// How agents go about, one for each state.
    pub conducts: Vec<Conduct>,
    /// Fuzzy controllers, whose outputs are inputs too: the first output of the first one is input
    /// [`FIRST_OUTPUT`], and so on.
    pub controllers: Vec<Control>,
    /// How far foes and friends are seen, in metres, 1 ..= 200.
    pub sight: f64,
    /// Within what distance foes and friends are counted, in metres, 1 ..= 30.
    pub near: f64,
    /// Ticks from one look of an agent to its next, 1 ..= 10,000; agents look in turn.
    pub every: u32,
}

/// A fuzzy controller of a mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// The controller.
    pub controller: Controller,
    /// What it is fed with: an input of the mind for each of its own, none of them the output of a
    /// controller.
    pub inputs: Vec<u16>,
}

/// How agents in a state go about. What is `None` is as in their group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conduct {
    /// Their speed as a share of the group's, 0.01 ..= 4.
    pub speed: f64,
    /// How they find their way.
    pub navigator: Option<Navigator>,
    /// Their steering behaviours.
    pub behaviours: Option<Vec<Behaviour>>,
    /// Whether they keep their place when they stand.
    pub hold: Option<bool>,
    /// Whether they stand still while they have a target.
    pub halts: Option<bool>,
    /// Whether they do not shoot.
    pub hold_fire: Option<bool>,
    /// Where they go.
    pub errand: Errand,
    /// Whether they do not heed the steps of plans.
    pub deaf: bool,
}

impl Default for Conduct {
    fn default() -> Self {
        Self {
            speed: 1.0,
            navigator: None,
            behaviours: None,
            hold: None,
            halts: None,
            hold_fire: None,
            errand: Errand::Ordered,
            deaf: false,
        }
    }
}

/// Where agents in a state go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Errand {
    /// Where their group is ordered to.
    Ordered,
    /// They stand.
    Stand,
    /// To the nearest part of these shapes, in metres.
    Go(Vec<Shape>),
    /// Straight to where they last saw the nearest foe.
    Enemy,
    /// Straight away from there.
    Away,
}

impl Conduct {
    /// Whether agents go about as their group does.
    pub fn is_plain(&self) -> bool {
        Self { deaf: self.deaf, ..Self::default() } == *self
    }

    /// The traits of agents of a group in the state.
    pub fn traits(&self, group: &GroupDef) -> GroupDef {
        GroupDef {
            speed: group.speed * self.speed,
            navigator: self.navigator.unwrap_or(group.navigator),
            hold: self.hold.unwrap_or(group.hold),
            halts: self.halts.unwrap_or(group.halts),
            hold_fire: self.hold_fire.unwrap_or(group.hold_fire),
            ..group.clone()
        }
    }
}

impl MindDef {
    /// A mind of a machine, with plain states, sight of 30 m, 10 m that count as near, and a look in
    /// every 10th tick.
    pub fn new(machine: MachineDef) -> Self {
        let conducts = vec![Conduct::default(); machine.states.len()];
        Self { machine, conducts, controllers: Vec::new(), sight: 30.0, near: 10.0, every: 10 }
    }

    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn check(&self) -> Result<(), WorldError> {
        let told: Vec<u8> = (0..self.machine.states.len().min(255) as u8).collect();
        self.machine.check(MOST_INPUTS, MOST_SIGNALS, &told)?;
        check("conducts", self.conducts.len() as f64, told.len() as f64, told.len() as f64)?;
        check("sight", self.sight, 1.0, 200.0)?;
        check("near", self.near, 1.0, 30.0)?;
        check("every", f64::from(self.every), 1.0, 10_000.0)?;
        check("controllers' outputs", self.outputs() as f64, 0.0, MOST_FED as f64)?;
        for Control { controller, inputs } in &self.controllers {
            let name = &controller.name;
            let wrong = |why: String| WorldError::Mind(format!("controller `{name}`: {why}"));
            controller.check().map_err(|error| wrong(error.to_string()))?;
            let fed = inputs.len() == controller.inputs.len();
            if !fed || inputs.iter().any(|&input| usize::from(input) >= FIRST_OUTPUT) {
                return Err(wrong(format!("it cannot be fed with the inputs {inputs:?}")));
            }
        }
        check("inputs that a mind reads", self.used().len() as f64, 0.0, MOST_USED as f64)?;
        self.conducts.iter().try_for_each(|conduct| check("speed", conduct.speed, 0.01, 4.0))
    }

    /// The inputs that it reads, ascending.
    pub(crate) fn used(&self) -> Vec<u16> {
        let go = || self.machine.states.iter().flat_map(|state| &state.go);
        let arguments = go().filter_map(|go| match go.argument {
            Some(crate::mind::Argument::Input(input)) => Some(input),
            _ => None,
        });
        let mut used: Vec<u16> = go().flat_map(|go| go.when.inputs()).chain(arguments).collect();
        let read: Vec<bool> = self.read_controllers(&used).collect();
        let fed = self.controllers.iter().zip(read).filter(|(_, read)| *read);
        used.extend(fed.flat_map(|(control, _)| &control.inputs));
        used.sort_unstable();
        used.dedup();
        used
    }

    /// How many outputs the controllers have.
    fn outputs(&self) -> usize {
        self.controllers.iter().map(|control| control.controller.outputs.len()).sum()
    }

    /// Which controllers have an output that is among these inputs.
    fn read_controllers<'a>(&'a self, used: &'a [u16]) -> impl Iterator<Item = bool> + 'a {
        let mut first = FIRST_OUTPUT;
        self.controllers.iter().map(move |control| {
            let own = first..first + control.controller.outputs.len();
            first = own.end;
            used.iter().any(|&input| own.contains(&usize::from(input)))
        })
    }

    /// Appends it to bytes.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        to.run(&postcard::to_allocvec(self).expect("a mind has no part that cannot be written"));
    }

    /// Reads one, in range or not.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        let bytes = from.run("mind")?;
        postcard::from_bytes(bytes).map_err(|error| from.error("mind", error.to_string()))
    }
}

/// A mind as the tick reads it.
#[derive(Clone, Debug)]
pub(crate) struct Mind<N: Numbers> {
    pub(crate) def: MindDef,
    pub(crate) machine: Machine<N>,
    /// The inputs that it reads, and the place of each among them.
    pub(crate) used: Vec<u16>,
    pub(crate) place: [u8; MOST_INPUTS],
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
        let mut place = [0; MOST_INPUTS];
        for (i, &input) in used.iter().enumerate() {
            place[usize::from(input)] = i as u8;
        }
        let heads = |conduct: &Conduct| matches!(conduct.errand, Errand::Enemy | Errand::Away);
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
pub(crate) struct Family {
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

impl Family {
    /// Its groups, each once, ascending by their first state; the group itself first.
    pub(crate) fn groups(&self) -> impl Iterator<Item = u16> + '_ {
        let fresh = move |i: usize| {
            let group = self.variants[i];
            let is_new = group != self.group && !self.variants[..i].contains(&group);
            is_new.then_some(group)
        };
        std::iter::once(self.group).chain((0..self.variants.len()).filter_map(fresh))
    }

    /// The first state whose agents belong to a group of the family.
    pub(crate) fn state_of(&self, group: u16) -> Option<u8> {
        self.variants.iter().position(|&variant| variant == group).map(|state| state as u8)
    }
}

table! {
    /// What agents have in mind, by id index; without rows in a world without minds. Those of free
    /// ids, and of agents that do not think, are zero.
    pub struct Thoughts<N: Numbers> as "thoughts" {
        /// The state that an agent is in.
        state: u8, "";
        /// The low bits of the tick in which it entered it.
        since: u32, "";
        /// Its argument, its count, and its health when it looked last.
        memory: [N; 3], "";
        /// Where an agent on the errand [`Errand::Enemy`] or [`Errand::Away`] heads for.
        focus: [N; 2], "m";
    }
}

/// An agent whose machine found no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless {
    /// Who.
    pub id: Id,
    /// Index of the mind.
    pub mind: u16,
    /// The states through which the chain went, as indices; its own first. It stayed in that.
    pub states: Vec<u8>,
}

/// No signal so far.
pub(crate) const NEVER: u64 = u64::MAX;
/// No family.
pub(crate) const NO_FAMILY: u16 = u16::MAX;

impl<N: Numbers> World<N> {
    /// The minds, in the order they were added.
    pub fn minds(&self) -> impl ExactSizeIterator<Item = &MindDef> {
        self.minds.iter().map(|mind| &mind.def)
    }

    /// What agents have in mind.
    pub fn thoughts(&self) -> &Thoughts<N> {
        &self.thoughts
    }

    /// The group of which another is a variant; any other group is its own.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn base_group(&self, group: u16) -> u16 {
        self.family(group).map_or(group, |family| family.group)
    }

    /// Index of the mind of a group or of what it is a variant of.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn mind_of(&self, group: u16) -> Option<u16> {
        self.family(group).map(|family| family.mind)
    }

    /// The state of a living agent that thinks.
    pub fn state_of(&self, id: Id) -> Option<u8> {
        // Who does not think has never entered a state.
        let state = self.thoughts.state.get(id.index as usize)?;
        self.is_alive(id).then_some(*state)
    }

    /// The agents whose machines found no end in the last tick, by row.
    pub fn endless(&self) -> &[Endless] {
        &self.endless
    }

    /// The family of a group.
    pub(crate) fn family(&self, group: u16) -> Option<&Family> {
        let family = self.kin[usize::from(group)];
        (family != NO_FAMILY).then(|| &self.families[usize::from(family)])
    }

    /// The family of which a group is the base, or [`NO_FAMILY`].
    #[inline(always)]
    pub(crate) fn kin_of_base(&self, group: u16) -> u16 {
        match self.kin[usize::from(group)] {
            kin if kin == NO_FAMILY => NO_FAMILY,
            kin if self.families[usize::from(kin)].group == group => kin,
            _ => NO_FAMILY,
        }
    }

    /// The tick in which a team was last given a signal.
    pub fn signalled(&self, team: u8, signal: u8) -> Option<u64> {
        let at = usize::from(team) * MOST_SIGNALS + usize::from(signal);
        self.signals.get(at).copied().filter(|&tick| tick != NEVER)
    }

    /// Adds a mind and returns its index.
    ///
    /// # Errors
    /// When it cannot be run, or there are too many.
    pub fn add_mind(&mut self, def: MindDef) -> Result<u16, WorldError> {
        def.check()?;
        if self.minds.len() == MOST_MINDS {
            let asked = MOST_MINDS as u64 + 1;
            return Err(WorldError::TooMany { what: "minds", asked, most: MOST_MINDS as u64 });
        }
        self.minds.push(Mind::new(def));
        Ok(self.minds.len() as u16 - 1)
    }

    /// Lets the agents of a group decide by a mind from now on: those that it has, and those that
    /// join it. A variant of the group for every state that needs one gets the next indices.
    ///
    /// # Errors
    /// When there is no such group or mind, the group thinks already or is in a company, or a
    /// variant cannot be made. Nothing changes then but groups without agents, which stay.
    pub fn think(&mut self, group: u16, mind: u16) -> Result<(), WorldError> {
        let groups = self.groups.len();
        if usize::from(group) >= groups {
            return Err(WorldError::NoSuchGroup { group, groups });
        }
        let wrong = |why: String| Err(WorldError::Mind(why));
        if usize::from(mind) >= self.minds.len() {
            return wrong(format!("there is no mind {mind}: the world has {}", self.minds.len()));
        }
        if self.family(group).is_some() {
            return wrong(format!("group {group} thinks already"));
        }
        if self.groups[usize::from(group)].company.is_some() {
            return wrong(format!("group {group} is in a company, which decides for it"));
        }
        let conducts = self.minds[usize::from(mind)].def.conducts.clone();
        let base = self.groups[usize::from(group)].def.clone();
        let mut variants: Vec<u16> = Vec::new();
        for (state, conduct) in conducts.iter().enumerate() {
            let alike =
                |other: &Conduct| Conduct { deaf: conduct.deaf, ..other.clone() } == *conduct;
            let known = conducts[..state].iter().position(alike).map(|state| variants[state]);
            variants.push(match known {
                _ if conduct.is_plain() => group,
                Some(known) => known,
                None => {
                    let variant = self.add_group(conduct.traits(&base))?;
                    let behaviours = &self.groups[usize::from(group)].behaviours;
                    let behaviours = conduct.behaviours.as_ref().unwrap_or(behaviours).clone();
                    let made = self.behave(variant, &behaviours);
                    made.map_err(|refusal| WorldError::Mind(refusal.to_string()))?;
                    variant
                }
            });
        }
        let family = Family { group, mind, variants, told: NEVER, sent: None };
        family.groups().for_each(|group| self.kin[usize::from(group)] = self.families.len() as u16);
        self.families.push(family);
        self.make_thoughts();
        let start = self.minds[usize::from(mind)].def.machine.start;
        for row in 0..self.len() {
            if self.agents.tag[row].group == group {
                self.begin(row, start);
            }
        }
        Ok(())
    }

    /// An agent in a row begins to think, in a state of its family.
    pub(crate) fn begin(&mut self, row: usize, state: u8) {
        let tag = self.agents.tag[row];
        let Some(family) = self.family(tag.group) else { return };
        let variant = family.variants[usize::from(state)];
        let id = tag.id as usize;
        self.thoughts.state[id] = state;
        self.thoughts.since[id] = self.tick as u32;
        let health = self.fighters.health.get(id).map_or(N::ZERO, |health| health[0]);
        self.thoughts.memory[id] = [N::ZERO, N::ZERO, health];
        self.thoughts.focus[id] = self.agents.pos[row];
        self.move_to_group(row, variant);
    }

    /// The agent in a row changes to another variant of its group. Where both have one order, who has
    /// come to rest by it stays so.
    pub(crate) fn move_to_group(&mut self, row: usize, group: u16) {
        let former = self.agents.tag[row].group;
        if former == group {
            return;
        }
        let shapes = |group: u16| {
            let goal = &self.groups[usize::from(group)].goal;
            goal.as_ref().map(|goal| &goal.shapes)
        };
        let is_same = shapes(former).is_some() && shapes(former) == shapes(group);
        let stands = self.traits[usize::from(group)].aim == Aim::Stand;
        let tag = &mut self.agents.tag[row];
        let rests = is_same && tag.state & state::SETTLED != 0;
        let kept = if rests { state::SETTLED | state::ARRIVED } else { 0 };
        let rest = if stands || rests { state::HOMELESS } else { 0 };
        tag.state = tag.state & (state::LEAVING | kept) | rest;
        tag.group = group;
        tag.patience = 0;
        let id = tag.id;
        self.groups[usize::from(former)].members -= 1;
        self.groups[usize::from(group)].members += 1;
        self.forget_steps(id);
    }

    /// The agent in a row joins a group as if it were new there, even its own.
    pub(crate) fn join_group(&mut self, row: usize, group: u16) {
        let stands = self.traits[usize::from(group)].aim == Aim::Stand;
        let rest = if stands { state::HOMELESS } else { 0 };
        let Tag { id, group: former, .. } = self.agents.tag[row];
        let weapon = |group: u16| self.traits[usize::from(group)].weapon;
        if weapon(former) != weapon(group) {
            self.reload(id, group);
        }
        let tag = &mut self.agents.tag[row];
        self.groups[usize::from(tag.group)].members -= 1;
        self.groups[usize::from(group)].members += 1;
        tag.group = group;
        tag.state = tag.state & state::LEAVING | rest;
        tag.patience = 0;
        self.forget_steps(id);
        self.forget_thoughts(id);
        if let Some(state) = self.first_state(group) {
            self.begin(row, state);
        }
    }

    /// The state in which those begin who join a group that thinks.
    pub(crate) fn first_state(&self, group: u16) -> Option<u8> {
        let family = self.family(group)?;
        let own = if group == family.group { None } else { family.state_of(group) };
        Some(own.unwrap_or(self.minds[usize::from(family.mind)].def.machine.start))
    }

    /// Gives every id its thoughts, once somebody thinks.
    pub(crate) fn make_thoughts(&mut self) {
        if !self.families.is_empty() && self.thoughts.state.len() < self.ids.capacity() {
            self.thoughts.resize(self.ids.capacity());
        }
    }

    /// An agent's thoughts end.
    pub(crate) fn forget_thoughts(&mut self, id: u32) {
        let id = id as usize;
        if id < self.thoughts.state.len() {
            self.thoughts.state[id] = 0;
            self.thoughts.since[id] = 0;
            self.thoughts.memory[id] = <[N; 3]>::zeroed();
            self.thoughts.focus[id] = <[N; 2]>::zeroed();
        }
    }
}

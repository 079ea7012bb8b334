//! Minds: what the agents of a group decide by.
//!
//! A mind is a state machine whose inputs are what an agent perceives and whose states say how it
//! goes about. To the engine an agent in a state is a member of a group with the traits, behaviours
//! and order of that state: a *variant* of the group that it belongs to. States that change nothing
//! share the group itself.

use serde::{Deserialize, Serialize};

use crate::map::area::Shape;
use crate::mind::fuzzy::Controller;
use crate::mind::{MAX_SIGNALS, MachineDef};
use crate::nav::navigator::Navigator;
use crate::world::error::check;
use crate::world::limits::{NEAR, SIGHT, STATE_SPEED};
use crate::world::{Behaviour, GroupDef, WorldError};

/// Minds of a world at most.
pub const MAX_MINDS: usize = 1_024;
/// Different inputs that a mind's conditions read at most.
pub const MAX_USED: usize = 32;

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
/// | `target` | 1 when its weapon is pointed at an agent | |
/// | `ammunition` | shots that are left; 32,000 without a limit | |
/// | `arrived` | 1 when it is where it was ordered to, or stands around a goal that is full | |
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
pub const FIRST_OUTPUT: usize = FIRST_SIGNAL + MAX_SIGNALS;
/// Inputs that there are at most.
pub const MAX_INPUTS: usize = FIRST_OUTPUT + MAX_FED;
/// Outputs that the controllers of a mind have at most, together.
pub const MAX_FED: usize = 32;

/// The names of all inputs by their indices: those of [`INPUTS`], `since.NAME` for every signal, and
/// the outputs of controllers. Places without an input have an empty name.
pub fn input_names(signals: &[String], outputs: &[String]) -> Vec<String> {
    let mut names = vec![String::new(); MAX_INPUTS];
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
    pub conducts: Vec<StateTraits>,
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
pub struct StateTraits {
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
    /// The goal of agents in the state.
    pub destination: Destination,
    /// Whether they do not heed the steps of plans.
    pub deaf: bool,
}

impl Default for StateTraits {
    fn default() -> Self {
        Self {
            speed: STATE_SPEED.default,
            navigator: None,
            behaviours: None,
            hold: None,
            halts: None,
            hold_fire: None,
            destination: Destination::Ordered,
            deaf: false,
        }
    }
}

/// Where agents in a state go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Destination {
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

impl StateTraits {
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
        let conducts = vec![StateTraits::default(); machine.states.len()];
        let (sight, near) = (SIGHT.default, NEAR.default);
        Self { machine, conducts, controllers: Vec::new(), sight, near, every: 10 }
    }

    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn check(&self) -> Result<(), WorldError> {
        let told: Vec<u8> = (0..self.machine.states.len().min(255) as u8).collect();
        self.machine.check(MAX_INPUTS, MAX_SIGNALS, &told)?;
        check("conducts", self.conducts.len() as f64, told.len() as f64, told.len() as f64)?;
        SIGHT.check(self.sight)?;
        NEAR.check(self.near)?;
        check("every", f64::from(self.every), 1.0, 10_000.0)?;
        check("controllers' outputs", self.outputs() as f64, 0.0, MAX_FED as f64)?;
        for Control { controller, inputs } in &self.controllers {
            let name = &controller.name;
            let wrong = |why: String| WorldError::Mind(format!("controller `{name}`: {why}"));
            controller.check().map_err(|error| wrong(error.to_string()))?;
            let fed = inputs.len() == controller.inputs.len();
            if !fed || inputs.iter().any(|&input| usize::from(input) >= FIRST_OUTPUT) {
                return Err(wrong(format!("it cannot be fed with the inputs {inputs:?}")));
            }
        }
        check("inputs that a mind reads", self.used().len() as f64, 0.0, MAX_USED as f64)?;
        for state_traits in &self.conducts {
            STATE_SPEED.check(state_traits.speed)?;
            if let Destination::Go(shapes) = &state_traits.destination
                && let Some(error) = shapes.iter().find_map(|shape| shape.validate().err())
            {
                return Err(WorldError::Mind(format!("where its agents go: {error}")));
            }
        }
        Ok(())
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
    pub(crate) fn read_controllers<'a>(
        &'a self,
        used: &'a [u16],
    ) -> impl Iterator<Item = bool> + 'a {
        let mut first = FIRST_OUTPUT;
        self.controllers.iter().map(move |control| {
            let own = first..first + control.controller.outputs.len();
            first = own.end;
            used.iter().any(|&input| own.contains(&usize::from(input)))
        })
    }
}

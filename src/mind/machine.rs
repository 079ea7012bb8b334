//! State machines: tables of states and of what leads from one to another.
//!
//! A machine is Moore's where what counts is the state that an agent is in, and Mealy's where
//! transitions have outputs of their own (Moore 1956, Mealy 1955); most are both. It never acts: an
//! update returns that an agent stays, or where it goes and what it puts out on the way, and the caller
//! applies that when all agents have been asked.
//!
//! States of decision take no time. An agent that enters one goes on at once by the same inputs, so
//! that a chain of them settles within one update. A chain ends after [`MachineDef::chain`]
//! transitions at the latest; one that is longer changes nothing and says so.
//!
//! ```
//! use throng::mind::{Expression, Machine, MachineDef, Output, StateDef, TransitionDef, Verdict};
//!
//! // A turnstile (Mealy): a coin unlocks it, and rings the bell when it was unlocked already.
//! let inputs = ["coin", "push"];
//! let go = |when: &str, to: u8, outputs: &[Output]| TransitionDef {
//!     when: Expression::parse(when, &inputs).unwrap(),
//!     to,
//!     argument: None,
//!     outputs: outputs.to_vec(),
//! };
//! let locked = StateDef { go: vec![go("coin", 1, &[])], ..StateDef::new("locked") };
//! let bell = Output::Signal(0);
//! let open = StateDef { go: vec![go("push", 0, &[]), go("coin", 1, &[bell])], ..StateDef::new("open") };
//! let machine = Machine::<f32>::new(&MachineDef::new(vec![locked, open]))?;
//! let update = |state, coin, push| machine.update(state, |input, _| [coin, push][usize::from(input)]);
//! assert_eq!(update(0, 0.0, 1.0), Verdict::Stay);
//! let Verdict::Go(to) = update(1, 1.0, 0.0) else { panic!("it goes round") };
//! assert_eq!((to.state, &to.outputs[..]), (1, &[bell][..]));
//! # Ok::<(), throng::mind::MachineError>(())
//! ```

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::math::Num;
use crate::mind::{Condition, Expression};

/// States of a machine at most.
pub const MAX_STATES: usize = 64;
/// Transitions from a state at most.
pub const MAX_TRANSITIONS: usize = 32;
/// Outputs of a list at most.
pub const MAX_OUTPUTS: usize = 16;
/// Transitions of a chain at most.
pub const MAX_CHAIN: u8 = 32;
/// Signals that there are at most.
pub const MAX_SIGNALS: usize = 32;

/// A state machine as it is declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineDef {
    /// The states, at most 64.
    pub states: Vec<StateDef>,
    /// Index of the state that agents begin in.
    pub start: u8,
    /// Transitions that one update follows at most, 1 ..= 32.
    pub chain: u8,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateDef {
    /// Its name, unique within the machine.
    pub name: String,
    /// Whether it decides within the update in which it is entered. Its last transition must be
    /// unconditional.
    pub decides: bool,
    /// What is put out when it is entered from another state.
    pub enter: Vec<Output>,
    /// What is put out when it is left for another state.
    pub exit: Vec<Output>,
    /// What is put out by every update in which it is not left.
    pub update: Vec<Output>,
    /// The ways out, of which the first whose condition holds is taken.
    pub go: Vec<TransitionDef>,
}

/// A way from a state to another, or back to itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TransitionDef {
    /// The condition on which it is taken.
    pub when: Expression,
    /// Index of the state that it leads to.
    pub to: u8,
    /// What the state is told on entry; without it the argument is 0.
    pub argument: Option<Argument>,
    /// What is put out on the way, between the exit and the entry.
    pub outputs: Vec<Output>,
}

/// What a transition hands on to the state that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// A number within ±32,000.
    Number(f64),
    /// An input as it is now.
    Input(u16),
}

/// An output of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Output {
    /// Signal of this number to the team.
    Signal(u8),
    /// The agent's own count becomes this, within ±32,000.
    SetCount(f64),
    /// This is added to it.
    AddCount(f64),
    /// The agent lets go of its target.
    Forget,
    /// Its weapon has all of its ammunition again.
    Reload,
    /// The agent leaves the world.
    Leave,
}

/// What is wrong with a machine.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MachineError {
    /// There is no state, or there are too many.
    #[error("a machine has 1 to {MAX_STATES} states, not {0}")]
    States(usize),
    /// A chain of no transition, or too long a one.
    #[error("a chain has 1 to {MAX_CHAIN} transitions, not {0}")]
    Chain(u8),
    /// Two states have one name.
    #[error("two states are called `{name}`: {first} and {second}")]
    SameName {
        /// The name.
        name: String,
        /// Their indices.
        first: usize,
        /// See `first`.
        second: usize,
    },
    /// The machine begins in a state that it does not have.
    #[error("there is no state {0} to begin in")]
    NoStart(u8),
    /// A transition leads nowhere.
    #[error("transition {transition} of state `{state}` leads to state {to}, which there is not")]
    NoSuchState {
        /// Name of the state that it leads from.
        state: String,
        /// Index of the transition.
        transition: usize,
        /// Index of the state that it leads to; there is none.
        to: u8,
    },
    /// No way leads to a state from the start.
    #[error("state `{name}` cannot be reached from the start")]
    Unreachable {
        /// Index of the state.
        state: usize,
        /// Name of the state.
        name: String,
    },
    /// A transition behind one that is always taken.
    #[error("transition {transition} of state `{state}` is never taken: the one before always is")]
    NeverTaken {
        /// Name of the state.
        state: String,
        /// Index of the transition.
        transition: usize,
    },
    /// A state of decision that may not decide.
    #[error("state `{name}` decides, so its last transition must be without condition")]
    Undecided {
        /// Index of the state.
        state: usize,
        /// Name of the state.
        name: String,
    },
    /// States of decision that always lead back to each other.
    #[error("these states lead to each other without end: {}", names.join(" -> "))]
    Loop {
        /// Index of the first.
        state: usize,
        /// Their names, the first once more at the end.
        names: Vec<String>,
    },
    /// Too many of something in a state.
    #[error("state `{state}` has {count} {what}; it may have {most}")]
    TooMany {
        /// Name of the state.
        state: String,
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A condition or an output that cannot be evaluated.
    #[error("state `{state}`: {what}")]
    Unsound {
        /// Name of the state.
        state: String,
        /// What is wrong.
        what: &'static str,
    },
}

impl StateDef {
    /// A state of this name without outputs or ways out.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            decides: false,
            enter: Vec::new(),
            exit: Vec::new(),
            update: Vec::new(),
            go: Vec::new(),
        }
    }

    /// All lists of outputs.
    fn outputs(&self) -> impl Iterator<Item = &Vec<Output>> {
        let own = [&self.enter, &self.exit, &self.update];
        own.into_iter().chain(self.go.iter().map(|go| &go.outputs))
    }
}

impl MachineDef {
    /// A machine of these states that begins in the first one, with chains of up to 8.
    pub fn new(states: Vec<StateDef>) -> Self {
        Self { states, start: 0, chain: 8 }
    }

    /// Index of the state of a name.
    pub fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|state| state.name == name)
    }

    /// Refuses a machine that cannot be run, given how many inputs and signals there are; a state
    /// in `told` counts as reached, because others may send agents there.
    ///
    /// # Errors
    /// Names the state and what is wrong with it.
    pub fn check(&self, inputs: usize, signals: usize, told: &[u8]) -> Result<(), MachineError> {
        let states = self.states.len();
        if !(1..=MAX_STATES).contains(&states) {
            return Err(MachineError::States(states));
        }
        if !(1..=MAX_CHAIN).contains(&self.chain) {
            return Err(MachineError::Chain(self.chain));
        }
        if usize::from(self.start) >= states {
            return Err(MachineError::NoStart(self.start));
        }
        for (second, state) in self.states.iter().enumerate() {
            if let Some(first) = self.state(&state.name).filter(|&first| first < second) {
                return Err(MachineError::SameName { name: state.name.clone(), first, second });
            }
            self.check_state(state, inputs, signals)?;
        }
        self.check_reached(told)?;
        self.check_loops()
    }

    fn check_state(
        &self,
        state: &StateDef,
        inputs: usize,
        signals: usize,
    ) -> Result<(), MachineError> {
        let name = || state.name.clone();
        let too_many = |what, count, most| {
            let state = name();
            Err(MachineError::TooMany { state, what, count, most })
        };
        if state.go.len() > MAX_TRANSITIONS {
            return too_many("transitions", state.go.len(), MAX_TRANSITIONS);
        }
        for list in state.outputs() {
            if list.len() > MAX_OUTPUTS {
                return too_many("outputs", list.len(), MAX_OUTPUTS);
            }
            let fits = |output: &Output| match *output {
                Output::Signal(signal) => usize::from(signal) < signals,
                Output::SetCount(number) | Output::AddCount(number) => number.abs() <= 32_000.0,
                Output::Forget | Output::Reload | Output::Leave => true,
            };
            if !list.iter().all(fits) {
                let what = "an output names no signal, or a number beyond 32000";
                return Err(MachineError::Unsound { state: name(), what });
            }
        }
        for (transition, go) in state.go.iter().enumerate() {
            if usize::from(go.to) >= self.states.len() {
                return Err(MachineError::NoSuchState { state: name(), transition, to: go.to });
            }
            if transition > 0 && state.go[transition - 1].when.is_always() {
                return Err(MachineError::NeverTaken { state: name(), transition });
            }
            let argument = match go.argument {
                Some(Argument::Number(number)) => number.abs() <= 32_000.0,
                Some(Argument::Input(input)) => usize::from(input) < inputs,
                None => true,
            };
            if !(argument && go.when.is_sound(inputs)) {
                let what = "a transition's condition or argument cannot be evaluated";
                return Err(MachineError::Unsound { state: name(), what });
            }
        }
        let index = self.state(&state.name).unwrap_or(0);
        if state.decides && !state.go.last().is_some_and(|go| go.when.is_always()) {
            return Err(MachineError::Undecided { state: index, name: name() });
        }
        Ok(())
    }

    /// Every state must be reached by some way from the start, or be one that others send to.
    fn check_reached(&self, told: &[u8]) -> Result<(), MachineError> {
        let mut reached = vec![false; self.states.len()];
        let mut open = vec![usize::from(self.start)];
        open.extend(told.iter().map(|&state| usize::from(state)));
        while let Some(at) = open.pop() {
            let Some(seen) = reached.get_mut(at) else { continue };
            if !std::mem::replace(seen, true) {
                open.extend(self.states[at].go.iter().map(|go| usize::from(go.to)));
            }
        }
        match reached.iter().position(|reached| !reached) {
            Some(state) => {
                let name = self.states[state].name.clone();
                Err(MachineError::Unreachable { state, name })
            }
            None => Ok(()),
        }
    }

    /// States of decision that only have one way to go must not go round.
    fn check_loops(&self) -> Result<(), MachineError> {
        let only_way = |at: usize| {
            let StateDef { decides, go, .. } = &self.states[at];
            go.first()
                .filter(|_| *decides)
                .filter(|go| go.when.is_always())
                .map(|go| usize::from(go.to))
        };
        for first in 0..self.states.len() {
            let mut way = vec![first];
            while let Some(next) = only_way(way[way.len() - 1]) {
                if way.len() > self.states.len() {
                    break;
                }
                way.push(next);
                if next == first {
                    let names = way.iter().map(|&at| self.states[at].name.clone()).collect();
                    return Err(MachineError::Loop { state: first, names });
                }
            }
        }
        Ok(())
    }
}

/// A state machine as it is run, in number type `N`.
#[derive(Clone, Debug)]
pub struct Machine<N> {
    states: Vec<State<N>>,
    chain: u8,
}

#[derive(Clone, Debug)]
struct State<N> {
    decides: bool,
    go: Vec<Transition<N>>,
    update: Vec<Output>,
    enter: Vec<Output>,
    exit: Vec<Output>,
}

/// A transition as it is run.
#[derive(Clone, Debug)]
pub struct Transition<N> {
    /// The condition on which it is taken.
    pub when: Condition<N>,
    /// Index of the state that it leads to.
    pub to: u8,
    /// The argument that the state gets.
    pub argument: Argument,
    /// All that is put out: by the exit, on the way, and by the entry.
    pub outputs: Vec<Output>,
}

/// The result of an update.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<N> {
    /// The agent stays where it is, and puts out what its state does on updates.
    Stay,
    /// It goes to another state, or enters its own anew.
    Go(Destination<N>),
    /// The chain has no end: these are its states, the agent's own first. It stays.
    Endless(Vec<u8>),
}

/// The state that an update leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Destination<N> {
    /// Index of the state.
    pub state: u8,
    /// Argument of the state.
    pub argument: N,
    /// What is put out on the way.
    pub outputs: Vec<Output>,
}

/// What changes within a chain: inputs that depend on the state that is being left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<N> {
    /// Transitions taken so far; 0 at the agent's own state.
    pub taken: u8,
    /// The argument of the last one; meant only when one was taken.
    pub argument: N,
}

impl<N: Num> Machine<N> {
    /// A machine to be run.
    ///
    /// # Errors
    /// When [`MachineDef::check`] finds something; inputs and signals may be any.
    pub fn new(def: &MachineDef) -> Result<Self, MachineError> {
        def.check(usize::from(u16::MAX) + 1, MAX_SIGNALS, &[])?;
        Ok(Self::of_checked(def))
    }

    /// A machine that has been checked.
    pub(crate) fn of_checked(def: &MachineDef) -> Self {
        let state = |(at, state): (usize, &StateDef)| {
            let go = |go: &TransitionDef| {
                let to = &def.states[usize::from(go.to)];
                let stays = usize::from(go.to) == at;
                let border = |list: &[Output]| if stays { Vec::new() } else { list.to_vec() };
                Transition {
                    when: go.when.compile(),
                    to: go.to,
                    argument: go.argument.unwrap_or(Argument::Number(0.0)),
                    outputs: [border(&state.exit), go.outputs.clone(), border(&to.enter)].concat(),
                }
            };
            let go = state.go.iter().map(go).collect();
            State {
                decides: state.decides,
                go,
                update: state.update.clone(),
                enter: state.enter.clone(),
                exit: state.exit.clone(),
            }
        };
        let states = def.states.iter().enumerate().map(state).collect();
        Self { states, chain: def.chain }
    }

    /// Transitions that one update follows at most.
    pub fn chain(&self) -> u8 {
        self.chain
    }

    /// Whether a state decides at once.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn decides(&self, state: u8) -> bool {
        self.states[usize::from(state)].decides
    }

    /// The ways out of a state, in their order.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn transitions(&self, state: u8) -> &[Transition<N>] {
        &self.states[usize::from(state)].go
    }

    /// What a state puts out when an update does not leave it.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn update_outputs(&self, state: u8) -> &[Output] {
        &self.states[usize::from(state)].update
    }

    /// What is put out when an agent is sent from a state to another one, whatever its transitions.
    pub fn crossing(&self, from: u8, to: u8) -> impl Iterator<Item = &Output> {
        let (from, to) = (&self.states[usize::from(from)], &self.states[usize::from(to)]);
        from.exit.iter().chain(&to.enter)
    }

    /// What an agent in a state does, for inputs that may depend on how far the chain is.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn update(&self, state: u8, input: impl Fn(u16, Link<N>) -> N) -> Verdict<N> {
        let (mut at, mut outputs, mut way) = (state, Vec::new(), vec![state]);
        let mut link = Link { taken: 0, argument: N::ZERO };
        loop {
            let value = |index: u16| input(index, link);
            let taken = self.transitions(at).iter().find(|go| go.when.holds(value));
            let Some(go) = taken else {
                return match link.taken {
                    0 => Verdict::Stay,
                    _ => Verdict::Go(Destination { state: at, argument: link.argument, outputs }),
                };
            };
            way.push(go.to);
            if link.taken == self.chain {
                return Verdict::Endless(way);
            }
            let argument = match go.argument {
                Argument::Number(number) => N::from_f64(number),
                Argument::Input(index) => value(index),
            };
            outputs.extend_from_slice(&go.outputs);
            link = Link { taken: link.taken + 1, argument };
            at = go.to;
            if !self.decides(at) {
                return Verdict::Go(Destination { state: at, argument, outputs });
            }
        }
    }
}

//! `signals` and `[[machine]]` of a scenario file.

use std::collections::BTreeMap;

use crate::data::definition::{Key, Limits};
use crate::data::{GroupId, sets};
use crate::mind::{MAX_CHAIN, MAX_SIGNALS, MAX_STATES, MachineDef, MachineError, StateDef};
use crate::scenario::def::{CompanyEntry, GroupEntry, MAX_GROUPS};
use crate::scenario::def_mind::{MachineEntry, StateEntry};
use crate::scenario::error::{Place, Problems};
use crate::scenario::parse_name::{Taken, named, names_of, own_name, ticks_of};
use crate::scenario::parse_state::{Known, state, transitions};
use crate::scenario::read::Table;
use crate::scenario::suggest::meant;
use crate::world::limits::{NEAR, SIGHT};
use crate::world::{FIRST_OUTPUT, MAX_INPUTS, MAX_MINDS, MAX_USED, MindDef, StateTraits};

pub(super) const MACHINE: [&str; 8] =
    ["name", "start", "every", "sight", "near", "chain", "always", "state"];

/// From one look to the next.
pub(super) const EVERY: Key = Key {
    name: "every",
    default: 0.5,
    limits: Limits::above("the seconds between two looks", 0.0, 3_600.0),
};

/// Ticks from one look to the next at most.
const MAX_EVERY: u32 = 10_000;

/// Whether conditions and rules can call something so.
pub(super) fn is_word(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let goes_on = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    begins && goes_on && name.chars().count() <= 64 && !["and", "or", "not"].contains(&name)
}

/// `signals`.
pub(super) fn signals(top: &Table<'_>) -> Vec<String> {
    let what = "an array of at most 32 names of signals, as in [\"alarm\"]";
    let entries = top.get("signals").and_then(|node| node.array(what, MAX_SIGNALS));
    let mut signals: Vec<String> = Vec::new();
    for node in entries.unwrap_or_default() {
        let expected = "a letter or `_`, and letters, digits, `_` and `-` after it";
        let Some(name) = node.text("the name of a signal") else { continue };
        if !is_word(name) {
            node.bad_value("is no name for a signal", expected);
        } else if signals.iter().any(|signal| signal == name) {
            node.bad_value("is listed twice", "every signal once");
        }
        signals.push(name.to_owned());
    }
    signals
}

/// The machines' names and indices, before anything else is read of them.
pub(super) fn machine_names<'a>(top: &Table<'a>) -> BTreeMap<&'a str, u16> {
    // What is wrong with the tables as such is reported when they are read.
    names_of(&top.get("machine").map_or(Vec::new(), |node| node.entries()))
}

pub(super) fn machines(top: &Table<'_>, known: &Known<'_>, tick_rate: u32) -> Vec<MachineEntry> {
    let Some(node) = top.get("machine") else { return Vec::new() };
    let entries = node.array("`[[machine]]` tables, at most 1,024", MAX_MINDS);
    let mut machines = Vec::new();
    let mut names = Taken::default();
    for node in entries.unwrap_or_default() {
        let before = top.problems.count();
        let Some(table) = node.table("a table `[[machine]]`", &MACHINE) else { continue };
        let name = own_name(&table, "machine", &mut names);
        let (mind, states) = mind(&table, known, tick_rate);
        let at = table.place("name");
        let is_read = top.problems.count() == before;
        machines.push(MachineEntry { name, mind, states, at, is_read });
    }
    machines
}

/// A machine and its states.
fn mind(table: &Table<'_>, known: &Known<'_>, tick_rate: u32) -> (MindDef, Vec<StateEntry>) {
    let (sight, near) = (table.key(&SIGHT), table.key(&NEAR));
    let (what, range) = ("the transitions of a chain", [1, MAX_CHAIN.into()]);
    let plain = MachineDef::new(Vec::new()).chain;
    let chain = table.whole("chain", what, range, plain.into()) as u8;
    let every = ticks_of(table, &EVERY, [tick_rate, MAX_EVERY]);
    let what = "`[[machine.state]]` tables, 1 to 64";
    let entries = table.get("state").and_then(|node| node.array(what, MAX_STATES));
    table.needed("state", "at least one `[[machine.state]]`");
    let entries = entries.unwrap_or_default();
    let names = names_of(&entries);
    let mut own_names = Taken::default();
    let mut conducts: Vec<StateTraits> = Vec::new();
    let mut states: Vec<StateDef> = Vec::new();
    let mut places: Vec<StateEntry> = Vec::new();
    for node in &entries {
        let Some((def, state_traits, place)) = state(node, &names, &mut own_names, known) else {
            continue;
        };
        conducts.push(state_traits);
        states.push(def);
        places.push(place);
    }
    if let Some(node) = table.get("always") {
        for (go, at) in transitions(&node, &names, known).into_iter().rev() {
            let others = states.iter_mut().zip(&mut places).enumerate();
            let others =
                others.filter(|(i, (state, _))| *i != usize::from(go.to) && !state.decides);
            for (_, (state, place)) in others {
                state.go.insert(0, go.clone());
                place.go.insert(0, at.clone());
            }
        }
    }
    let start = table.get("start").and_then(|node| named(&node, "state", &names));
    let machine = MachineDef { states, start: start.unwrap_or(0), chain };
    let mut mind = MindDef { machine, conducts, controllers: Vec::new(), sight, near, every };
    // Only a mind that reads outputs has use for what makes them.
    if mind.used().iter().any(|&input| usize::from(input) >= FIRST_OUTPUT) {
        mind.controllers = known.controls.to_vec();
    }
    (mind, places)
}

/// Refuses machines that cannot be run, given the states that plans send agents to, and groups that
/// cannot think so.
pub(super) fn check(
    machines: &[MachineEntry],
    told: &[Vec<u8>],
    groups: &[GroupEntry],
    companies: &[CompanyEntry],
    [tick_rate, cell]: [f64; 2],
    problems: &Problems<'_>,
) {
    for (entry, told) in machines.iter().zip(told).filter(|(entry, _)| entry.is_read) {
        let machine = &entry.mind.machine;
        if let Err(error) = machine.check(MAX_INPUTS, MAX_SIGNALS, told) {
            problems.problem(&place(entry, &error), error.to_string(), expected(&error));
        }
        let used = entry.mind.used().len();
        if used > MAX_USED {
            let wrong = format!("its conditions read {used} different inputs");
            problems.problem(&entry.at, wrong, format!("at most {MAX_USED}"));
        }
    }
    let owner = |group: usize| {
        companies
            .iter()
            .position(|company| company.def.groups.contains(&GroupId::new(group as u16)))
    };
    let (mut all, mut minds) = (groups.len(), machines.len());
    for (i, group) in groups.iter().enumerate() {
        let entry = group.machine.and_then(|machine| machines.get(usize::from(machine)));
        check_places(entry, group, problems);
        let (Some(entry), at) = (entry, &group.machine_at) else { continue };
        if let Some(company) = owner(i) {
            let wrong = format!("the group is in company[{company}], which decides for it");
            problems.problem(at, wrong, "a machine for groups of no company");
        }
        for (state_traits, state) in entry.mind.conducts.iter().zip(&entry.states) {
            let speed = group.def.speed * state_traits.speed;
            let name = &group.name;
            if !(0.01..=500.0).contains(&speed) {
                let wrong = format!("`{name}` goes at {speed} m/s in this state");
                problems.problem(&state.speed, wrong, "0.01 to 500 m/s");
            } else if speed * group.def.sprint / tick_rate > cell {
                let step = speed * group.def.sprint / tick_rate;
                let wrong = format!("`{name}` goes {step} m a tick in this state");
                problems.problem(
                    &state.speed,
                    wrong,
                    format!("at most one cell, {cell} m, a tick"),
                );
            }
        }
        minds += usize::from(entry.is_of_group());
        if minds == MAX_MINDS + 1 {
            let wrong = "the machines whose states are about the group itself are too many";
            let expected = "machines, and groups with such a machine, at most 1,024";
            problems.problem(at, wrong, expected);
        }
        let before = all;
        all += entry.variants(GroupId::new(i as u16), group);
        if before <= MAX_GROUPS && all > MAX_GROUPS {
            let wrong = format!("groups and the variants that states make of them are {all}");
            problems.problem(at, wrong, "at most 65,535");
        }
    }
}

/// Refuses places of a group that no state goes to, and states whose place the group does not have.
fn check_places(entry: Option<&MachineEntry>, group: &GroupEntry, problems: &Problems<'_>) {
    let states = entry.map_or(&[][..], |entry| &entry.states);
    let wanted = || states.iter().filter_map(|state| state.place.as_deref());
    for (name, area) in &group.places {
        let Some(at) = area.places.first() else { continue };
        if entry.is_none_or(|entry| entry.is_read) && !wanted().any(|place| place == name) {
            let wrong =
                format!("no state of a machine sends `{}` to its place `{name}`", group.name);
            let meant = meant('`', name, wanted());
            problems.problem(
                at,
                wrong,
                meant.unwrap_or("a state with it as its `goal`".to_owned()),
            );
        }
    }
    let missing = wanted().filter(|name| group.place(name).is_none());
    for name in sets::distinct(missing) {
        let wrong =
            format!("`{}` has no place `{name}`, where a state of its machine goes", group.name);
        let expected = format!("`places = {{ {name} = AREA }}` in the group");
        problems.problem(&group.machine_at, wrong, expected);
    }
}

/// Where an error of a machine is written.
fn place(entry: &MachineEntry, error: &MachineError) -> Place {
    let of_name = |name: &str| entry.mind.machine.state(name).map(|i| &entry.states[i]);
    let place = match error {
        MachineError::Unreachable { state, .. }
        | MachineError::Undecided { state, .. }
        | MachineError::Loop { state, .. } => entry.states.get(*state).map(|state| &state.at),
        MachineError::SameName { second, .. } => entry.states.get(*second).map(|state| &state.at),
        MachineError::NoSuchState { state, transition, .. }
        | MachineError::NeverTaken { state, transition } => {
            of_name(state).and_then(|state| state.go.get(*transition))
        }
        MachineError::TooMany { state, .. } | MachineError::Unsound { state, .. } => {
            of_name(state).map(|state| &state.at)
        }
        _ => None,
    };
    place.unwrap_or(&entry.at).clone()
}

/// A description of what would be right.
fn expected(error: &MachineError) -> &'static str {
    match error {
        MachineError::Unreachable { .. } => "a transition that leads there, or none such state",
        MachineError::NeverTaken { .. } => "transitions without `when` last",
        MachineError::Undecided { .. } => "a last transition without `when`",
        MachineError::Loop { .. } => "a way out that takes time",
        MachineError::TooMany { .. } => "fewer of them, those of `always` included",
        _ => "a machine that can be run",
    }
}

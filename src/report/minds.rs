//! What agents have in mind: how many are in which state, and which machines found no end.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::lane::Numbers;
use crate::report::number::{plural, thousands};
use crate::world::World;

/// Groups that the text lists at most.
const LISTED: usize = 12;

/// Counts endless chains: feed it every tick.
#[derive(Clone, Debug, Default)]
pub struct MindMeter {
    chains: u64,
    /// Names of the states of the first one.
    first: Option<String>,
}

impl MindMeter {
    /// Looks at a world after a tick.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) {
        self.chains += world.endless().len() as u64;
        if let (None, Some(chain)) = (&self.first, world.endless().first()) {
            let mind = world.minds().nth(usize::from(chain.mind));
            let states = mind.map_or(&[][..], |mind| &mind.machine.states);
            let name = |state: &u8| states.get(usize::from(*state)).map(|state| &state.name[..]);
            let names: Vec<&str> = chain.states.iter().filter_map(name).collect();
            self.first = Some(names.join(" -> "));
        }
    }
}

/// The states of a group's agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupMind {
    /// The group.
    pub name: String,
    /// How many are in each state, in the order of its machine.
    #[serde(serialize_with = "as_object")]
    pub states: Vec<(String, u64)>,
}

/// What agents have in mind. The text of `Display` is made for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Minds {
    /// The groups that think, by index.
    pub groups: Vec<GroupMind>,
    /// How often an agent's machine found no end, over the run.
    pub endless: u64,
    /// The states through which the first of these chains went; `None` without any.
    pub first_endless: Option<String>,
}

impl Minds {
    /// The minds in a world; `None` when no group thinks. Groups without a name are numbered.
    pub fn new<N: Numbers>(world: &World<N>, names: &[String], meter: &MindMeter) -> Option<Self> {
        let minds: Vec<_> = world.minds().collect();
        let thinks = |&group: &u16| world.base_group(group) == group;
        let mut groups = Vec::new();
        let mut place = vec![None; world.groups().len()];
        for group in (0..world.groups().len() as u16).filter(thinks) {
            let Some(mind) = world.mind_of(group) else { continue };
            let states = &minds[usize::from(mind)].machine.states;
            let name = names.get(usize::from(group));
            place[usize::from(group)] = Some(groups.len());
            groups.push(GroupMind {
                name: name.cloned().unwrap_or_else(|| format!("group {group}")),
                states: states.iter().map(|state| (state.name.clone(), 0)).collect(),
            });
        }
        if groups.is_empty() {
            return None;
        }
        for tag in world.tags() {
            if let Some(at) = place[usize::from(world.base_group(tag.group))] {
                let state = world.thoughts().state[tag.id as usize];
                groups[at].states[usize::from(state)].1 += 1;
            }
        }
        Some(Self { groups, endless: meter.chains, first_endless: meter.first.clone() })
    }
}

impl fmt::Display for Minds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for GroupMind { name, states } in self.groups.iter().take(LISTED) {
            let some = states.iter().filter(|(_, agents)| *agents > 0);
            let some: Vec<String> =
                some.map(|(state, agents)| format!("{state} {}", thousands(*agents))).collect();
            let some = if some.is_empty() { "nobody".to_owned() } else { some.join(", ") };
            writeln!(f, "  {name:<15} {some}")?;
        }
        if self.groups.len() > LISTED {
            let more = plural((self.groups.len() - LISTED) as u64, "group");
            writeln!(f, "  and {more} more that think")?;
        }
        if let Some(first) = &self.first_endless {
            let count = thousands(self.endless);
            let decisions = if count == "1" { "DECISION" } else { "DECISIONS" };
            writeln!(f, "  {count} {decisions} FOUND NO END, the first: {first}")?;
        }
        Ok(())
    }
}

fn as_object<S: Serializer>(states: &[(String, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(states.iter().map(|(state, agents)| (state, agents)))
}

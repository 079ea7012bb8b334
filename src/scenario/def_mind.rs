//! What a scenario file says about minds.

use crate::data::GroupId;
use crate::scenario::def::{AreaDef, BehaviourEntry, GroupEntry};
use crate::scenario::error::Place;
use crate::world::{Behaviour, BehaviourKind, Destination, Mark, MindDef, StateTraits};

/// In place of a group in the behaviours of a state: the group whose agents are in it.
pub const OWN_GROUP: GroupId = GroupId::new(u16::MAX);

/// `[[machine]]`.
#[derive(Clone, Debug)]
pub struct MachineEntry {
    /// Name, unique among the machines.
    pub name: String,
    /// The machine and the state traits of its states. Behaviours may be about [`OWN_GROUP`].
    pub mind: MindDef,
    /// Where its states are written.
    pub(super) states: Vec<StateEntry>,
    pub(super) at: Place,
    /// Whether it was read without a problem.
    pub(super) is_read: bool,
}

/// Where a state of a machine is written.
#[derive(Clone, Debug)]
pub(super) struct StateEntry {
    pub(super) at: Place,
    pub(super) speed: Place,
    /// Its transitions, those of `always` too.
    pub(super) go: Vec<Place>,
    /// The goal that it sends agents to.
    pub(super) goal: Option<AreaDef>,
    /// The name of the group's place that it sends agents to.
    pub(super) place: Option<String>,
    pub(super) behaviours: Vec<BehaviourEntry>,
}

impl MachineEntry {
    /// Whether a state is about the group whose agents are in it, by a behaviour or by a place of the
    /// group, so that groups do not share a mind.
    pub(super) fn is_of_group(&self) -> bool {
        if self.states.iter().any(|state| state.place.is_some()) {
            return true;
        }
        let lists =
            self.mind.conducts.iter().filter_map(|state_traits| state_traits.behaviours.as_ref());
        lists.flatten().any(|behaviour| behaviour.kind.group() == Some(OWN_GROUP))
    }

    /// The mind of a group. States whose place the group does not have go where it is
    /// ordered to.
    pub(super) fn mind_of(&self, own_group: GroupId, group: &GroupEntry) -> MindDef {
        let mut mind = self.mind.clone();
        for (state_traits, state) in mind.conducts.iter_mut().zip(&self.states) {
            state_traits
                .behaviours
                .iter_mut()
                .flatten()
                .for_each(|behaviour| own(behaviour, own_group));
            let place = state.place.as_ref().and_then(|name| group.place(name));
            if let Some(place) = place {
                state_traits.destination = Destination::Go(place.shapes.clone());
            }
        }
        mind
    }

    /// Groups that a group which thinks so needs beside itself.
    pub(super) fn variants(&self, own_group: GroupId, group: &GroupEntry) -> usize {
        let heedful =
            |state_traits: &StateTraits| StateTraits { deaf: false, ..state_traits.clone() };
        let own = self.is_of_group().then(|| self.mind_of(own_group, group).conducts);
        let conducts: Vec<StateTraits> =
            own.as_ref().unwrap_or(&self.mind.conducts).iter().map(heedful).collect();
        let fresh = |&(i, state_traits): &(usize, &StateTraits)| {
            !state_traits.is_plain() && !conducts[..i].contains(state_traits)
        };
        conducts.iter().enumerate().filter(fresh).count()
    }
}

impl GroupEntry {
    /// Its place of a name.
    pub(super) fn place(&self, name: &str) -> Option<&AreaDef> {
        self.places.iter().find(|(known, _)| known == name).map(|(_, area)| area)
    }
}

/// Puts a group in the place of [`OWN_GROUP`].
fn own(behaviour: &mut Behaviour, group: GroupId) {
    match &mut behaviour.kind {
        BehaviourKind::Seek { to: Mark::Group(of), .. }
        | BehaviourKind::Flee { from: Mark::Group(of), .. }
        | BehaviourKind::Pursue { quarry: of, .. }
        | BehaviourKind::Evade { hunter: of, .. }
        | BehaviourKind::Cohesion { with: of, .. }
        | BehaviourKind::Alignment { with: of, .. }
            if *of == OWN_GROUP =>
        {
            *of = group;
        }
        _ => {}
    }
}

//! What a scenario file says about minds.

use crate::scenario::def::AreaDef;
use crate::scenario::def::BehaviourEntry;
use crate::scenario::error::Place;
use crate::world::Behaviour;
use crate::world::BehaviourKind;
use crate::world::Conduct;
use crate::world::Mark;
use crate::world::MindDef;

/// In place of a group's index in the behaviours of a state: the group whose agents are in it.
pub const OWN_GROUP: u16 = u16::MAX;

/// `[[machine]]`.
#[derive(Clone, Debug)]
pub struct MachineEntry {
    /// Name, unique among the machines.
    pub name: String,
    /// The machine and the conduct of its states. Behaviours may be about [`OWN_GROUP`].
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
    /// Where it sends agents.
    pub(super) goal: Option<AreaDef>,
    pub(super) behaviours: Vec<BehaviourEntry>,
}

impl MachineEntry {
    /// Whether a behaviour is about the group whose agents are in the state, so that groups do not
    /// share a mind.
    pub(super) fn is_of_group(&self) -> bool {
        let lists = self.mind.conducts.iter().filter_map(|conduct| conduct.behaviours.as_ref());
        lists.flatten().any(|behaviour| behaviour.kind.group() == Some(OWN_GROUP))
    }

    /// The mind of a group.
    pub(super) fn mind_of(&self, group: u16) -> MindDef {
        let mut mind = self.mind.clone();
        let lists = mind.conducts.iter_mut().filter_map(|conduct| conduct.behaviours.as_mut());
        lists.flatten().for_each(|behaviour| own(behaviour, group));
        mind
    }

    /// Groups that a group which thinks so needs beside itself.
    pub(super) fn variants(&self) -> usize {
        let heedful = |conduct: &Conduct| Conduct { deaf: false, ..conduct.clone() };
        let conducts: Vec<Conduct> = self.mind.conducts.iter().map(heedful).collect();
        let fresh = |&(i, conduct): &(usize, &Conduct)| {
            !conduct.is_plain() && !conducts[..i].contains(conduct)
        };
        conducts.iter().enumerate().filter(fresh).count()
    }
}

/// Puts a group in the place of [`OWN_GROUP`].
fn own(behaviour: &mut Behaviour, group: u16) {
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

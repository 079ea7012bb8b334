//! Groups: agents of one kind under one order.

use crate::lane::Numbers;
use crate::nav::field::FieldId;
use crate::world::goal::Goal;
use crate::world::{Behaviour, GroupDef, Steering, Way};

/// A group of a world.
#[derive(Clone, Debug, Default)]
pub struct Group<N: Numbers> {
    /// Traits of its agents.
    pub def: GroupDef,
    /// Index of its clearance class.
    pub(crate) class: u16,
    /// How many agents it has.
    pub(crate) members: u32,
    /// Where it is ordered to, if anywhere.
    pub(crate) goal: Option<Goal<N>>,
    /// The field it follows, and the one it will follow as soon as that is done.
    pub(crate) field: Option<FieldId>,
    pub(crate) next_field: Option<FieldId>,
    /// The field of its order without crowds and streams, held while it follows one around them.
    pub(crate) plain_field: Option<FieldId>,
    /// Its way without a flow field.
    pub(crate) way: Way,
    /// How its agents behave on their way, as declared and as the tick reads it.
    pub(crate) behaviours: Vec<Behaviour>,
    pub(crate) steering: Steering<N>,
    /// Index of its company.
    pub(crate) company: Option<u16>,
    /// Whether it follows its company's order rather than its own.
    pub(crate) marches: bool,
    /// How many of its agents have been killed.
    pub(crate) fallen: u32,
    /// The group whose agents are in this one while they have an order of their own.
    pub(crate) detached_from: Option<u16>,
    /// How many groups had its index before.
    pub(crate) generation: u16,
    /// Whether it was removed: only agents that leave are in it.
    pub(crate) is_removed: bool,
}

impl<N: Numbers> Group<N> {
    /// A group without agents and orders.
    pub(super) fn new(def: GroupDef, class: u16, generation: u16) -> Self {
        Self { def, class, generation, ..Self::default() }
    }

    /// Whether it was removed: its agents leave at the end of the tick, and its index can be that of
    /// another group then.
    pub fn is_removed(&self) -> bool {
        self.is_removed
    }

    /// The fields that it holds.
    pub(crate) fn fields(&self) -> impl Iterator<Item = FieldId> {
        [self.field, self.next_field, self.plain_field].into_iter().flatten()
    }

    /// How many agents it has.
    pub fn members(&self) -> u32 {
        self.members
    }

    /// How many of its agents have been killed so far.
    pub fn fallen(&self) -> u32 {
        self.fallen
    }

    /// The steering behaviours of its agents.
    pub fn behaviours(&self) -> &[Behaviour] {
        &self.behaviours
    }

    /// Whether it is ordered to go somewhere.
    pub fn has_order(&self) -> bool {
        self.goal.is_some()
    }

    /// How many agents its goal has room for: known once the first of them has arrived, and no less
    /// than members where it is enough.
    pub fn goal_room(&self) -> Option<u32> {
        let goal = self.goal.as_ref().filter(|goal| goal.laid_for > 0)?;
        let is_enough = goal.inside >= goal.laid_for;
        Some(if is_enough { goal.inside.max(self.members) } else { goal.inside })
    }

    /// The field that its agents follow, once it is done.
    pub fn field(&self) -> Option<FieldId> {
        self.field
    }
}

//! Ids and handles as C has them: the one place that knows how the engine writes them.

use throng::{CompanyId, DoorId, GroupId, Id, SinkId, SourceId, StructureId, WeaponId};

/// Names an agent for as long as it lives; never another one later.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongAgentId {
    /// Index into tables that are keyed by id.
    pub index: u32,
    /// How many agents had this index before.
    pub generation: u32,
}

/// Names a group of a simulation; never another one later. In JSON it is one number,
/// `index + 65536 * generation`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongGroupId {
    /// Groups count from 0, in the order in which they were added. A group that was removed leaves
    /// its index to another.
    pub index: u16,
    /// How many groups had this index before.
    pub generation: u16,
}

/// Names a weapon of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongWeaponId {
    /// Weapons count from 0, in the order in which they were added.
    pub index: u16,
}

/// Names a company of a simulation; never another one later. In JSON it is one number,
/// `index + 65536 * generation`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongCompanyId {
    /// Companies count from 0, in the order in which they were added. A company that was removed
    /// leaves its index to another.
    pub index: u16,
    /// How many companies had this index before.
    pub generation: u16,
}

/// Names a source of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongSourceId {
    /// Sources count from 0, in the order in which they were added.
    pub index: u16,
}

/// Names a sink of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongSinkId {
    /// Sinks count from 0, in the order in which they were added.
    pub index: u16,
}

/// Names a door of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongDoorId {
    /// Doors count from 0, in the order in which they were added.
    pub index: u16,
}

/// Names a structure of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongStructureId {
    /// Structures count from 0, in the order in which they were added; fallen ones keep theirs.
    pub index: u16,
}

/// The id of no agent.
pub(crate) const NOBODY: ThrongAgentId = ThrongAgentId { index: u32::MAX, generation: 0 };
/// The id of no group.
pub(crate) const NO_GROUP: ThrongGroupId = ThrongGroupId { index: u16::MAX, generation: 0 };
/// The id of no weapon.
pub(crate) const NO_WEAPON: ThrongWeaponId = ThrongWeaponId { index: u16::MAX };

impl From<Id> for ThrongAgentId {
    fn from(Id { index, generation }: Id) -> Self {
        Self { index, generation }
    }
}

impl From<ThrongAgentId> for Id {
    fn from(ThrongAgentId { index, generation }: ThrongAgentId) -> Self {
        Self { index, generation }
    }
}

/// Handles that are an index, there and back.
macro_rules! indices {
    ($($own:ident = $engine:ident;)+) => {$(
        impl From<$engine> for $own {
            fn from(id: $engine) -> Self {
                Self { index: id.index() }
            }
        }

        impl From<$own> for $engine {
            fn from(id: $own) -> Self {
                Self::new(id.index)
            }
        }
    )+};
}
indices! {
    ThrongWeaponId = WeaponId;
    ThrongSourceId = SourceId;
    ThrongSinkId = SinkId;
    ThrongDoorId = DoorId;
    ThrongStructureId = StructureId;
}

/// Handles with a generation, there and back.
macro_rules! handles {
    ($($own:ident = $engine:ident;)+) => {$(
        impl From<$engine> for $own {
            fn from(id: $engine) -> Self {
                Self { index: id.index(), generation: id.generation() }
            }
        }

        impl From<$own> for $engine {
            fn from(id: $own) -> Self {
                Self::with_generation(id.index, id.generation)
            }
        }
    )+};
}
handles! {
    ThrongGroupId = GroupId;
    ThrongCompanyId = CompanyId;
}

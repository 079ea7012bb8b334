//! Ids and handles as C has them: the one place that knows how the engine writes them.

use throng::{CompanyId, GroupId, Id, WeaponId};

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

impl From<WeaponId> for ThrongWeaponId {
    fn from(id: WeaponId) -> Self {
        Self { index: id.index() }
    }
}

impl From<ThrongWeaponId> for WeaponId {
    fn from(id: ThrongWeaponId) -> Self {
        Self::new(id.index)
    }
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

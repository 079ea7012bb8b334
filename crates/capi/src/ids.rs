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

/// Names a group of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongGroupId {
    /// Groups count from 0, in the order in which they were added.
    pub index: u16,
}

/// Names a weapon of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongWeaponId {
    /// Weapons count from 0, in the order in which they were added.
    pub index: u16,
}

/// Names a company of a simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrongCompanyId {
    /// Companies count from 0, in the order in which they were added.
    pub index: u16,
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

/// Handles, there and back.
macro_rules! handles {
    ($($own:ident = $engine:ident, $in_order:ident: $named:ty;)+) => {$(
        impl From<$engine> for $own {
            fn from(id: $engine) -> Self {
                Self { index: id.index() }
            }
        }

        impl From<u16> for $own {
            fn from(index: u16) -> Self {
                Self { index }
            }
        }

        impl From<$own> for $engine {
            fn from(id: $own) -> Self {
                Self::new(id.index)
            }
        }

        /// As orders and definitions name it.
        pub(crate) fn $in_order(id: $own) -> $named {
            id.index
        }
    )+};
}
handles! {
    ThrongGroupId = GroupId, group: u16;
    ThrongWeaponId = WeaponId, weapon: u16;
    ThrongCompanyId = CompanyId, company: u16;
}

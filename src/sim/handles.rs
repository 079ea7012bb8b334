//! Names of what was added to a simulation.

use std::fmt;

/// Declares handles: an index that cannot be taken for that of another kind of thing.
macro_rules! handles {
    ($($(#[$meta:meta])* $name:ident;)+) => {
        $($(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u16);

        impl $name {
            /// The handle for an index.
            pub fn new(index: u16) -> Self {
                Self(index)
            }

            /// The index by which orders and columns name it.
            pub fn index(self) -> u16 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        })+
    };
}

handles! {
    /// Names a group of a simulation.
    GroupId;
    /// Names a weapon of a simulation.
    WeaponId;
    /// Names a mind of a simulation.
    MindId;
    /// Names a company of a simulation.
    CompanyId;
}

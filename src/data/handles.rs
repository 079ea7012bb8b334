//! Names of groups, companies, weapons and minds: one type for each kind of thing.
//!
//! What orders, definitions and events name is a handle, so that a weapon cannot be taken for a group.
//! Columns of a world hold plain indices, which mean what they mean until the next tick.

use std::fmt;

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Declares handles of things that are never removed: an index.
macro_rules! indexed {
    ($($(#[$meta:meta])* $name:ident;)+) => {$(
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
            Pod, Zeroable,
        )]
        #[serde(transparent)]
        #[repr(transparent)]
        pub struct $name(u16);

        impl $name {
            /// The handle for an index.
            pub const fn new(index: u16) -> Self {
                Self(index)
            }

            /// Its index in the lists of the world.
            pub const fn index(self) -> u16 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }

        common!($name);
    )+};
}

/// Declares handles of things that can be removed: an index, and how often it was used before.
macro_rules! generational {
    ($($(#[$meta:meta])* $name:ident;)+) => {$(
        $(#[$meta])*
        ///
        /// It names that one for good: when the index is used again, it is with another generation, and
        /// what names the former one is refused. Written as one number, `index + 65,536 × generation`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name {
            index: u16,
            generation: u16,
        }

        impl $name {
            /// The first one that an index is used for.
            pub const fn new(index: u16) -> Self {
                Self { index, generation: 0 }
            }

            /// The one that an index is used for after so many others.
            pub const fn with_generation(index: u16, generation: u16) -> Self {
                Self { index, generation }
            }

            /// Its index in the lists and columns of the world.
            pub const fn index(self) -> u16 {
                self.index
            }

            /// How many had its index before.
            pub const fn generation(self) -> u16 {
                self.generation
            }

            /// It as one number, for other languages: `index + 65,536 × generation`.
            pub const fn to_bits(self) -> u32 {
                self.index as u32 | (self.generation as u32) << 16
            }

            /// The one that [`Self::to_bits`] gave.
            pub const fn from_bits(bits: u32) -> Self {
                Self { index: bits as u16, generation: (bits >> 16) as u16 }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u32(self.to_bits())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                u32::deserialize(deserializer).map(Self::from_bits)
            }
        }

        /// Its index, and its generation behind a colon if there was one before.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.generation {
                    0 => write!(f, "{}", self.index),
                    generation => write!(f, "{}:{generation}", self.index),
                }
            }
        }

        common!($name);
    )+};
}

macro_rules! common {
    ($name:ident) => {
        impl From<u16> for $name {
            fn from(index: u16) -> Self {
                Self::new(index)
            }
        }

        /// The index of the handle.
        impl From<$name> for usize {
            fn from(handle: $name) -> Self {
                usize::from(handle.index())
            }
        }
    };
}

generational! {
    /// Names a group.
    GroupId;
    /// Names a company.
    CompanyId;
}

indexed! {
    /// Names a weapon.
    WeaponId;
    /// Names a mind.
    MindId;
    /// Names a source.
    SourceId;
    /// Names a sink.
    SinkId;
    /// Names a structure.
    StructureId;
    /// Names a door.
    DoorId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_an_index_is_written_as_the_index() {
        for index in [0, 1, 127, 128, 16_383, 16_384, u16::MAX] {
            let plain = postcard::to_allocvec(&index).expect("a number");
            let bytes = |value: &[u8]| value.to_vec();
            assert_eq!(bytes(&postcard::to_allocvec(&GroupId::new(index)).unwrap()), plain);
            assert_eq!(bytes(&postcard::to_allocvec(&CompanyId::new(index)).unwrap()), plain);
            assert_eq!(bytes(&postcard::to_allocvec(&WeaponId::new(index)).unwrap()), plain);
            assert_eq!(bytes(&postcard::to_allocvec(&MindId::new(index)).unwrap()), plain);
        }
    }

    #[test]
    fn handles_come_back_from_bytes_and_bits() {
        for (index, generation) in [(0, 0), (3, 1), (65_534, 65_535)] {
            let id = GroupId::with_generation(index, generation);
            assert_eq!((id.index(), id.generation()), (index, generation));
            assert_eq!(GroupId::from_bits(id.to_bits()), id);
            let bytes = postcard::to_allocvec(&id).unwrap();
            assert_eq!(postcard::from_bytes::<GroupId>(&bytes).unwrap(), id);
        }
        assert_eq!(GroupId::new(3).to_string(), "3");
        assert_eq!(GroupId::with_generation(3, 2).to_string(), "3:2");
    }
}

//! Declared definitions: what a thing is like, every field said once.
//!
//! `define!` makes a struct of a list of fields, each with its meaning, its type, its default and what
//! a key of a file may say of it. From the list follow the struct's `Default`, its check, its bytes, the
//! words of its rows in a dump, its keys in scenario files, their table in `docs/scenario.md` and their
//! words for fuzzing. `words!` does the same for an enum of words.

use thiserror::Error;

use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::{Kind, WeaponId, Word};

/// Which numbers a key takes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What the number is, with its unit, as in `a speed in m/s`.
    pub what: &'static str,
    /// Smallest number.
    pub low: f64,
    /// Whether `low` itself is refused.
    pub above: bool,
    /// Largest number.
    pub high: f64,
}

impl Limits {
    /// From `low` to `high`.
    pub const fn from(what: &'static str, low: f64, high: f64) -> Self {
        Self { what, low, above: false, high }
    }

    /// Above `low`, to `high`.
    pub const fn above(what: &'static str, low: f64, high: f64) -> Self {
        Self { what, low, above: true, high }
    }

    /// Whether a number lies within; NaN does not.
    pub fn hold(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number) && !(self.above && number == self.low)
    }
}

/// Letters of a map that a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// All that the map knows.
    All,
    /// Letters of open ground.
    Open,
    /// Letters of walls.
    Walls,
}

/// A number that stands in no list of fields: its key in files, its default and its range.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it is where nothing is said.
    pub default: f64,
    /// The numbers that it may be.
    pub limits: Limits,
}

impl Key {
    /// A number, called `name` and from `low` to `high`, of which `what` says what it is.
    pub const fn new(
        name: &'static str,
        default: f64,
        what: &'static str,
        range: [f64; 2],
    ) -> Self {
        Self { name, default, limits: Limits::from(what, range[0], range[1]) }
    }

    /// Refuses a number that is not within the range.
    ///
    /// # Errors
    /// Names the number and the range.
    pub fn check(&self, value: f64) -> Result<(), OutOfRange> {
        let Limits { low: least, high: most, .. } = self.limits;
        let wrong = OutOfRange { of: "", name: self.name, value, least, most };
        if self.limits.hold(value) { Ok(()) } else { Err(wrong) }
    }
}

/// What a key of a file takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A number.
    Number(Limits),
    /// A whole number.
    Whole {
        /// What the number is, as in `a layer`.
        what: &'static str,
        /// Smallest.
        low: u64,
        /// Largest.
        high: u64,
    },
    /// Whether something holds.
    Truth,
    /// One of these words; the field is its index.
    Word(&'static [&'static str]),
    /// An array of whole numbers below `count`; the field has a bit for each.
    Set {
        /// What one of them is, as in `layer`.
        of: &'static str,
        /// How many there are.
        count: u8,
    },
    /// The name of another table of the file; the field is its index.
    Name {
        /// Of which kind it is, as in `weapon`.
        of: &'static str,
        /// Largest index.
        most: u16,
    },
    /// A letter of a map; the field is its byte.
    Letter(Letters),
    /// No file says it under its name: it is a whole number from `low` to `high`.
    Unsaid {
        /// Smallest.
        low: u64,
        /// Largest.
        high: u64,
    },
}

impl Takes {
    /// A number from `low` to `high`; `what` says what it is, with its unit.
    pub const fn number(what: &'static str, low: f64, high: f64) -> Self {
        Self::Number(Limits::from(what, low, high))
    }

    /// A whole number from `low` to `high`; `what` says what it is.
    pub const fn whole(what: &'static str, low: u64, high: u64) -> Self {
        Self::Whole { what, low, high }
    }

    /// The numbers that the field may have, beside its default.
    pub(crate) fn limits(&self) -> Option<Limits> {
        match *self {
            Self::Number(limits) => Some(limits),
            Self::Whole { what, low, high } => Some(Limits::from(what, low as f64, high as f64)),
            Self::Name { of, most } => Some(Limits::from(of, 0.0, f64::from(most))),
            Self::Unsaid { low, high } => Some(Limits::from("", low as f64, high as f64)),
            Self::Truth | Self::Word(_) | Self::Set { .. } | Self::Letter(_) => None,
        }
    }
}

/// A field of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, which is its key in files.
    pub key: &'static str,
    /// What its key takes.
    pub takes: Takes,
    /// What it means: its documentation.
    pub meaning: &'static str,
}

/// What a field can hold, as a number: so it is kept in files and compared with limits.
pub trait Value {
    /// The number that stands for the value.
    fn get(&self) -> f64;

    /// Takes on the value of a number.
    ///
    /// # Errors
    /// What is wrong with a number that stands for no value of the type.
    fn set(&mut self, number: f64) -> Result<(), String>;
}

/// A value of which the type alone says what a key takes.
pub trait Plain: Value {
    /// What a key takes for it.
    const TAKES: Takes;
}

/// A whole number from 0 to `most`.
fn whole(number: f64, most: f64) -> Result<f64, String> {
    let is_whole = number.fract() == 0.0 && (0.0..=most).contains(&number);
    if is_whole { Ok(number) } else { Err(format!("{number} is no whole number from 0 to {most}")) }
}

/// The index of one of `count` words.
pub(crate) fn index(number: f64, count: usize) -> Result<usize, String> {
    Ok(whole(number, (count - 1) as f64)? as usize)
}

impl Value for f64 {
    fn get(&self) -> f64 {
        *self
    }

    fn set(&mut self, number: f64) -> Result<(), String> {
        *self = number;
        Ok(())
    }
}

impl Value for bool {
    fn get(&self) -> f64 {
        f64::from(u8::from(*self))
    }

    fn set(&mut self, number: f64) -> Result<(), String> {
        *self = whole(number, 1.0)? == 1.0;
        Ok(())
    }
}

impl Plain for bool {
    const TAKES: Takes = Takes::Truth;
}

macro_rules! whole_value {
    ($($type:ty),+) => {$(
        impl Value for $type {
            fn get(&self) -> f64 {
                *self as f64
            }

            fn set(&mut self, number: f64) -> Result<(), String> {
                *self = whole(number, Self::MAX as f64)? as Self;
                Ok(())
            }
        }
    )+};
}
whole_value!(u8, u16, u32, u64);

/// An index, or -1.
impl Value for Option<WeaponId> {
    fn get(&self) -> f64 {
        self.map_or(-1.0, |weapon| f64::from(weapon.index()))
    }

    fn set(&mut self, number: f64) -> Result<(), String> {
        let index = |number| Ok::<_, String>(whole(number, u16::MAX.into())? as u16);
        *self = if number == -1.0 { None } else { Some(WeaponId::new(index(number)?)) };
        Ok(())
    }
}

/// A number, or -1.
impl Value for Option<u8> {
    fn get(&self) -> f64 {
        self.map_or(-1.0, f64::from)
    }

    fn set(&mut self, number: f64) -> Result<(), String> {
        let own = |number| Ok::<_, String>(whole(number, u8::MAX.into())? as u8);
        *self = if number == -1.0 { None } else { Some(own(number)?) };
        Ok(())
    }
}

/// A value that lies outside its range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{of}{name} is {value}, but must lie in {least} ..= {most}")]
pub struct OutOfRange {
    /// What it is of, with a space behind it; empty where its name says that.
    pub of: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The value that is refused.
    pub value: f64,
    /// Smallest that is allowed.
    pub least: f64,
    /// Largest.
    pub most: f64,
}

/// A struct that `define!` has made.
pub trait Definition: Default {
    /// Its fields, in the order of its bytes.
    const FIELDS: &'static [Field];
    /// What errors put before the names of its fields, with a space behind it; empty for nothing.
    const OF: &'static str;
    /// The words of its bytes.
    const WORDS: &'static [Word];

    /// The values of the fields as numbers.
    fn numbers(&self) -> Vec<f64>;

    /// The values of the fields.
    fn values(&mut self) -> Vec<&mut dyn Value>;

    /// Refuses the first field that has neither its default nor a number within its limits.
    ///
    /// # Errors
    /// Names the field, its value and its range.
    fn check_fields(&self) -> Result<(), OutOfRange> {
        let plain = Self::default().numbers();
        for ((field, value), plain) in Self::FIELDS.iter().zip(self.numbers()).zip(plain) {
            if let Some(limits) = field.takes.limits().filter(|_| value != plain)
                && !limits.hold(value)
            {
                let Limits { low: least, high: most, .. } = limits;
                return Err(OutOfRange { of: Self::OF, name: field.key, value, least, most });
            }
        }
        Ok(())
    }

    /// Appends every field as a number of 8 bytes.
    fn write(&self, to: &mut Vec<u8>) {
        self.numbers().iter().for_each(|&number| to.f64(number));
    }

    /// Reads the fields, in range or not.
    ///
    /// # Errors
    /// When the bytes are cut, or hold what the type of a field cannot.
    fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        let mut def = Self::default();
        for (field, value) in Self::FIELDS.iter().zip(def.values()) {
            let number = from.any_f64(field.key)?;
            value.set(number).map_err(|problem| from.error(field.key, problem))?;
        }
        Ok(def)
    }

    /// The fields that files can say.
    fn keys() -> impl Iterator<Item = &'static Field> {
        Self::FIELDS.iter().filter(|field| !matches!(field.takes, Takes::Unsaid { .. }))
    }

    /// The keys, and the words that they take.
    fn dictionary() -> impl Iterator<Item = &'static str> {
        Self::keys().flat_map(|field| {
            let words = if let Takes::Word(words) = field.takes { words } else { &[] };
            [field.key].into_iter().chain(words.iter().copied())
        })
    }
}

/// Several lists of fields in one, `N` in all.
pub(crate) const fn joined<const N: usize>(lists: &[&[Field]]) -> [Field; N] {
    let (mut all, mut at, mut list) = ([lists[0][0]; N], 0, 0);
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            all[at] = lists[list][i];
            (at, i) = (at + 1, i + 1);
        }
        list += 1;
    }
    all
}

/// The words of `N` fields.
pub(crate) const fn words_of<const N: usize>(fields: &[Field]) -> [Word; N] {
    let (mut words, mut i) = ([Word::new("", Kind::F64); N], 0);
    while i < N {
        words[i].name = fields[i].key;
        i += 1;
    }
    words
}

/// Declares a definition: `field: type = default, takes;`, where `takes` may be left out of a type that
/// is [`Plain`]. Errors put the word after `as` before the names of fields. After the fields come those
/// of another definition, if one is `with` it; what stands `beside` them are no fields.
macro_rules! define {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident $(as $of:literal)? {
            $($(#[doc = $doc:literal])+ $key:ident: $type:ty = $default:expr $(, $takes:expr)?;)+
        }
        $(with { $(#[doc = $part_doc:literal])+ $part:ident: $part_type:ty })?
        $(beside {
            $($(#[$beside_doc:meta])+ $sight:vis $beside:ident: $beside_type:ty = $plain:expr;)+
        })?
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $name {
            $(
                $(#[doc = $doc])+
                #[doc = concat!("\n\nDefault: `", stringify!($default), "`.")]
                $(#[doc = concat!(" In files: `", stringify!($takes), "`.")])?
                pub $key: $type,
            )+
            $($(#[doc = $part_doc])+ pub $part: $part_type,)?
            $($($(#[$beside_doc])+ $sight $beside: $beside_type,)+)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($key: $default,)+
                    $($part: <$part_type>::default(),)?
                    $($($beside: $plain,)+)?
                }
            }
        }

        impl $crate::data::definition::Definition for $name {
            const FIELDS: &'static [$crate::data::definition::Field] = &{
                const OWN: &[$crate::data::definition::Field] = &[$(
                    $crate::data::definition::Field {
                        key: stringify!($key),
                        takes: $crate::data::definition::define!(@takes $type $(, $takes)?),
                        meaning: concat!($($doc),+),
                    },
                )+];
                $crate::data::definition::joined::<{
                    OWN.len() $(+ <$part_type as $crate::data::definition::Definition>::FIELDS.len())?
                }>(&[OWN $(, <$part_type as $crate::data::definition::Definition>::FIELDS)?])
            };
            const OF: &'static str = concat!($($of, " ")?);
            const WORDS: &'static [$crate::data::Word] = &$crate::data::definition::words_of::<{
                <$name as $crate::data::definition::Definition>::FIELDS.len()
            }>(<$name as $crate::data::definition::Definition>::FIELDS);

            fn numbers(&self) -> Vec<f64> {
                let own = [$($crate::data::definition::Value::get(&self.$key)),+];
                own.into_iter() $(.chain(self.$part.numbers()))? .collect()
            }

            fn values(&mut self) -> Vec<&mut dyn $crate::data::definition::Value> {
                let own = [$(&mut self.$key as &mut dyn $crate::data::definition::Value),+];
                own.into_iter() $(.chain(self.$part.values()))? .collect()
            }
        }
    };
    (@takes $type:ty) => { <$type as $crate::data::definition::Plain>::TAKES };
    (@takes $type:ty, $takes:expr) => { $takes };
}
pub(crate) use define;

/// Declares an enum of which every variant has a word in files: `Variant = "word"`, in the order of
/// their codes.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])+ $variant:ident = $word:literal,)+
        }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $(#[$attribute])*
        pub enum $name {
            $($(#[$doc])+ $variant,)+
        }

        impl $name {
            /// All of them, in the order of their codes in files.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// Their names in scenario files, in the same order.
            pub const NAMES: [&str; Self::ALL.len()] = [$($word),+];

            /// Its name in scenario files.
            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// What a name stands for.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.name() == name)
            }
        }

        impl $crate::data::definition::Value for $name {
            fn get(&self) -> f64 {
                f64::from(*self as u8)
            }

            fn set(&mut self, number: f64) -> Result<(), String> {
                *self = Self::ALL[$crate::data::definition::index(number, Self::ALL.len())?];
                Ok(())
            }
        }

        /// A word, or -1.
        impl $crate::data::definition::Value for Option<$name> {
            fn get(&self) -> f64 {
                self.map_or(-1.0, |word| f64::from(word as u8))
            }

            fn set(&mut self, number: f64) -> Result<(), String> {
                *self = if number == -1.0 {
                    None
                } else {
                    Some($name::ALL[$crate::data::definition::index(number, $name::ALL.len())?])
                };
                Ok(())
            }
        }

        impl $crate::data::definition::Plain for $name {
            const TAKES: $crate::data::definition::Takes =
                $crate::data::definition::Takes::Word(&Self::NAMES);
        }
    };
}
pub(crate) use words;

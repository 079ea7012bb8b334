//! Records: rows of small tables as words, every word said once.
//!
//! Columns of large tables lie in memory as they are written ([`Row`](crate::data::Row)); a record is
//! written and read word by word.

use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::row::{Kind, Word};
use crate::math::Num;

/// Simulated numbers of records lie between this and its negative, m or m/s.
pub(crate) const MAX_NUMBER: f64 = 1.0e6;

/// The words of a record, at most 32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    list: [Word; 32],
    count: usize,
}

impl Words {
    /// None yet.
    pub(crate) const NONE: Self = Self { list: [Word::new("", Kind::U8); 32], count: 0 };

    /// One, without a name.
    pub(crate) const fn one(kind: Kind) -> Self {
        Self::NONE.and("", kind)
    }

    /// These and another one.
    pub(crate) const fn and(mut self, name: &'static str, kind: Kind) -> Self {
        self.list[self.count] = Word::new(name, kind);
        self.count += 1;
        self
    }

    /// These words, then the words of a part, each named after it.
    pub(crate) const fn with(mut self, name: &'static str, part: &Self) -> Self {
        let mut i = 0;
        while i < part.count {
            let Word { name: own, of, kind } = part.list[i];
            let own = if own.is_empty() { of } else { own };
            self.list[self.count] = Word { of: name, name: own, kind };
            self.count += 1;
            i += 1;
        }
        self
    }

    /// The words.
    pub(crate) const fn list(&self) -> &[Word] {
        self.list.split_at(self.count).0
    }
}

/// A value of some words.
pub(crate) trait Record: Sized {
    /// Its words, in the order of its bytes.
    const WORDS: Words;

    /// Appends its words.
    fn write(&self, to: &mut Vec<u8>);

    /// Reads its words; `name` is its name in the record that it is a part of.
    ///
    /// # Errors
    /// When the bytes are cut, or hold no such value.
    fn read(from: &mut Reader<'_>, name: &'static str) -> Result<Self, BytesError>;
}

macro_rules! plain {
    ($($type:ty: $kind:ident, $read:ident;)+) => {$(
        impl Record for $type {
            const WORDS: Words = Words::one(Kind::$kind);

            fn write(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            fn read(from: &mut Reader<'_>, name: &'static str) -> Result<Self, BytesError> {
                from.$read(name)
            }
        }
    )+};
}
plain! { u8: U8, u8; u16: U16, u16; u32: U32, u32; u64: U64, u64; f64: F64, f64; }

impl Record for bool {
    const WORDS: Words = u8::WORDS;

    fn write(&self, to: &mut Vec<u8>) {
        to.u8(u8::from(*self));
    }

    fn read(from: &mut Reader<'_>, name: &'static str) -> Result<Self, BytesError> {
        from.flag(name)
    }
}

impl<N: Num> Record for N {
    const WORDS: Words = Words::one(Kind::of::<N>());

    fn write(&self, to: &mut Vec<u8>) {
        to.u32(self.bits());
    }

    fn read(from: &mut Reader<'_>, name: &'static str) -> Result<Self, BytesError> {
        let number = Self::from_bits(from.u32(name)?);
        let is_good = number.to_f64().abs() <= MAX_NUMBER;
        if is_good { Ok(number) } else { Err(from.error(name, format!("{number:?}"))) }
    }
}

impl<T: Record + Copy> Record for [T; 2] {
    const WORDS: Words =
        Words::NONE.and("x", T::WORDS.list[0].kind).and("y", T::WORDS.list[0].kind);

    fn write(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|part| part.write(to));
    }

    fn read(from: &mut Reader<'_>, name: &'static str) -> Result<Self, BytesError> {
        Ok([T::read(from, name)?, T::read(from, name)?])
    }
}

/// A word says whether there is a value; without one the other words are the default's.
impl<T: Record + Default> Record for Option<T> {
    const WORDS: Words = Words::NONE.and("given", Kind::U8).with("", &T::WORDS);

    fn write(&self, to: &mut Vec<u8>) {
        self.is_some().write(to);
        self.as_ref().unwrap_or(&T::default()).write(to);
    }

    fn read(from: &mut Reader<'_>, name: &'static str) -> Result<Self, BytesError> {
        let is_some = bool::read(from, name)?;
        let value = T::read(from, name)?;
        Ok(is_some.then_some(value))
    }
}

/// Declares a struct that is a record: its fields are the parts, in this order.
macro_rules! record {
    (
        $(#[$attribute:meta])*
        $sight:vis struct $name:ident $(<$n:ident: $bound:ident>)? {
            $($(#[$doc:meta])* $part_sight:vis $part:ident: $type:ty,)+
        }
    ) => {
        $(#[$attribute])*
        $sight struct $name $(<$n: $bound>)? {
            $($(#[$doc])* $part_sight $part: $type,)+
        }

        impl $(<$n: $bound>)? $crate::data::record::Record for $name $(<$n>)? {
            const WORDS: $crate::data::record::Words = $crate::data::record::Words::NONE
                $(.with(stringify!($part), &<$type as $crate::data::record::Record>::WORDS))+;

            fn write(&self, to: &mut Vec<u8>) {
                $($crate::data::record::Record::write(&self.$part, to);)+
            }

            fn read(
                from: &mut $crate::data::bytes::Reader<'_>,
                _: &'static str,
            ) -> Result<Self, $crate::data::bytes::BytesError> {
                Ok(Self { $($part: $crate::data::record::Record::read(from, stringify!($part))?,)+ })
            }
        }
    };
}
pub(crate) use record;

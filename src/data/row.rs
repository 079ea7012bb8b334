//! What a row of a column consists of.

use std::borrow::Cow;

use bytemuck::Pod;
use rayon::prelude::*;

use crate::math::{Num, Numeric};

/// Rows that one task reads.
const ROWS_PER_TASK: usize = 8_192;

/// Type of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An unsigned integer of one byte.
    U8,
    /// Of 2 bytes.
    U16,
    /// Of 4 bytes.
    U32,
    /// Of 8 bytes.
    U64,
    /// An IEEE 754 single.
    F32,
    /// An `i32` that counts 1/65,536.
    Fixed,
    /// An IEEE 754 double.
    F64,
}

impl Kind {
    /// All of them, in the order of their codes in files.
    pub const ALL: [Self; 7] =
        [Self::U8, Self::U16, Self::U32, Self::U64, Self::F32, Self::Fixed, Self::F64];

    /// Bytes of a word.
    pub const fn width(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 | Self::F32 | Self::Fixed => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// The kind of a simulated number.
    pub const fn of<N: Num>() -> Self {
        match N::NUMERIC {
            Numeric::F32 => Self::F32,
            Numeric::Fixed => Self::Fixed,
        }
    }

    /// A word's value in decimal, and its bits in hexadecimal, from its little-endian bytes.
    ///
    /// # Panics
    /// When there are not as many bytes as the kind has.
    pub fn show(self, bytes: &[u8]) -> [String; 2] {
        assert_eq!(bytes.len(), self.width(), "a word is as wide as its kind");
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(raw);
        let decimal = match self {
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => bits.to_string(),
            Self::F32 => f32::from_bits(bits as u32).to_string(),
            Self::Fixed => (f64::from(bits as u32 as i32) / 65_536.0).to_string(),
            Self::F64 => f64::from_bits(bits).to_string(),
        };
        [decimal, format!("{bits:0width$x}", width = 2 * bytes.len())]
    }
}

/// A word of a row: its name within the row, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The part of a row that it belongs to; empty in rows without parts.
    pub of: &'static str,
    /// Its name; empty in rows and parts of one word.
    pub name: &'static str,
    /// Type of its value.
    pub kind: Kind,
}

impl Word {
    /// A word.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self { of: "", name, kind }
    }

    /// Its name with that of its part, as in `target_x`.
    pub fn label(&self) -> Cow<'static, str> {
        match [self.of, self.name] {
            ["", alone] | [alone, ""] => Cow::Borrowed(alone),
            [of, name] => Cow::Owned(format!("{of}_{name}")),
        }
    }
}

/// Bytes of a row of these words.
pub const fn width(words: &[Word]) -> usize {
    let (mut bytes, mut i) = (0, 0);
    while i < words.len() {
        bytes += words[i].kind.width();
        i += 1;
    }
    bytes
}

/// A plain value that is a row of words, one after another.
pub trait Row: Pod {
    /// Its words, in the order of its bytes.
    const WORDS: &'static [Word];
}

impl<N: Num> Row for [N; 2] {
    const WORDS: &'static [Word] =
        &[Word::new("x", Kind::of::<N>()), Word::new("y", Kind::of::<N>())];
}

impl<N: Num> Row for [N; 1] {
    const WORDS: &'static [Word] = &[Word::new("", Kind::of::<N>())];
}

impl<N: Num> Row for [N; 3] {
    const WORDS: &'static [Word] = &[
        Word::new("x", Kind::of::<N>()),
        Word::new("y", Kind::of::<N>()),
        Word::new("z", Kind::of::<N>()),
    ];
}

impl<N: Num> Row for [N; 16] {
    const WORDS: &'static [Word] = &{
        const fn pair<N: Num>(names: [&'static str; 2]) -> [Word; 2] {
            [Word::new(names[0], Kind::of::<N>()), Word::new(names[1], Kind::of::<N>())]
        }
        let [a, b] = [pair::<N>(["x0", "y0"]), pair::<N>(["x1", "y1"])];
        let [c, d] = [pair::<N>(["x2", "y2"]), pair::<N>(["x3", "y3"])];
        let [e, f] = [pair::<N>(["x4", "y4"]), pair::<N>(["x5", "y5"])];
        let [g, h] = [pair::<N>(["x6", "y6"]), pair::<N>(["x7", "y7"])];
        [
            a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], e[0], e[1], f[0], f[1], g[0], g[1],
            h[0], h[1],
        ]
    };
}

impl Row for u64 {
    const WORDS: &'static [Word] = &[Word::new("", Kind::U64)];
}

impl Row for u8 {
    const WORDS: &'static [Word] = &[Word::new("", Kind::U8)];
}

/// A letter of a map, and its slowness.
impl Row for [u8; 2] {
    const WORDS: &'static [Word] =
        &[Word::new("letter", Kind::U8), Word::new("slowness", Kind::U8)];
}

impl Row for u16 {
    const WORDS: &'static [Word] = &[Word::new("", Kind::U16)];
}

impl Row for u32 {
    const WORDS: &'static [Word] = &[Word::new("", Kind::U32)];
}

/// Reads a row from its little-endian bytes.
///
/// # Panics
/// When there are not as many bytes as a row has.
#[inline(always)]
pub fn read<T: Row>(bytes: &[u8]) -> T {
    let mut row: T = bytemuck::pod_read_unaligned(bytes);
    if cfg!(target_endian = "big") {
        swap_bytes(T::WORDS, bytemuck::bytes_of_mut(&mut row));
    }
    row
}

/// Reads rows from their little-endian bytes, in parallel.
///
/// # Panics
/// When there are not as many bytes as the rows have.
pub fn read_all<T: Row + Send>(bytes: &[u8], rows: &mut [T]) {
    read_bytes(T::WORDS, bytes, bytemuck::cast_slice_mut(rows));
}

/// [`read_all`], compiled once for all rows.
fn read_bytes(words: &[Word], bytes: &[u8], rows: &mut [u8]) {
    assert_eq!(bytes.len(), rows.len(), "as many bytes as the rows have");
    let size = ROWS_PER_TASK * width(words);
    rows.par_chunks_mut(size).zip(bytes.par_chunks(size)).for_each(|(rows, bytes)| {
        rows.copy_from_slice(bytes);
        if cfg!(target_endian = "big") {
            swap_bytes(words, rows);
        }
    });
}

/// Turns rows of words from big-endian to little-endian bytes, or back.
pub fn swap_bytes(words: &[Word], rows: &mut [u8]) {
    for row in rows.chunks_exact_mut(width(words)) {
        let mut at = 0;
        for word in words {
            let end = at + word.kind.width();
            row[at..end].reverse();
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_in_decimal_and_in_bits() {
        let show = |kind: Kind, bytes: &[u8]| kind.show(bytes).join(" ");
        assert_eq!(show(Kind::F32, &1.5_f32.to_le_bytes()), "1.5 3fc00000");
        assert_eq!(show(Kind::Fixed, &(-98_304_i32).to_le_bytes()), "-1.5 fffe8000");
        assert_eq!(show(Kind::F64, &(-2.0_f64).to_le_bytes()), "-2 c000000000000000");
        assert_eq!(show(Kind::U16, &[1, 2]), "513 0201");
    }

    #[test]
    fn a_word_is_named_with_its_part() {
        let label = |of, name| Word { of, name, kind: Kind::U8 }.label();
        let labels = [label("target", "x"), label("", "x"), label("target", ""), label("", "")];
        assert_eq!(labels, ["target_x", "x", "target", ""]);
    }

    #[test]
    fn swapping_turns_every_word_around() {
        let words =
            [Word::new("a", Kind::U32), Word::new("b", Kind::U16), Word::new("c", Kind::U8)];
        let mut rows: Vec<u8> = (1..=14).collect();
        swap_bytes(&words, &mut rows);
        assert_eq!(rows, [4, 3, 2, 1, 6, 5, 7, 11, 10, 9, 8, 13, 12, 14]);
    }
}

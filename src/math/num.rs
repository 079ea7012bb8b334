//! What a simulated number can do.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use bytemuck::Pod;

/// The numeric mode of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// Strict IEEE single precision.
    #[default]
    F32,
    /// Q16.16 fixed point.
    Fixed,
}

impl Numeric {
    /// The mode that a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::F32, Self::Fixed].into_iter().find(|numeric| numeric.word() == word)
    }

    /// The code that files use.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The mode of a code.
    pub fn from_code(code: u8) -> Option<Self> {
        [Self::F32, Self::Fixed].into_iter().find(|numeric| numeric.code() == code)
    }

    /// The word that scenario files and the command line use.
    pub fn word(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Fixed => "fixed",
        }
    }
}

/// A number type of the simulation: `f32` or [`Fx`](crate::math::Fx).
///
/// Every operation gives the same bits on every machine. Lengths are metres, times seconds.
pub trait Num:
    Pod
    + PartialOrd
    + Default
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Which mode this is.
    const NUMERIC: Numeric;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// 1/2.
    const HALF: Self;
    /// Largest magnitude that a coordinate may have, in metres.
    const EXTENT: f64;
    /// The smallest step between numbers near 1.
    const STEP: f64;

    /// The nearest number (ties to even; beyond the range: the range's end; NaN: 0).
    fn from_f64(value: f64) -> Self;
    /// The same value, exactly.
    fn to_f64(self) -> f64;
    /// The bits, as digests and files hold them.
    fn bits(self) -> u32;
    /// The number of these bits.
    fn from_bits(bits: u32) -> Self;
    /// Whether this is a number that a run may hold: finite.
    fn is_finite(self) -> bool;

    /// The larger of two.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// The smaller of two.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
}

impl Num for f32 {
    const NUMERIC: Numeric = Numeric::F32;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const HALF: Self = 0.5;
    const EXTENT: f64 = 16_384.0;
    const STEP: f64 = 1.0 / 8_388_608.0;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        if value.is_nan() { 0.0 } else { (value as Self).clamp(Self::MIN, Self::MAX) }
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn bits(self) -> u32 {
        self.to_bits()
    }

    fn from_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }

    fn is_finite(self) -> bool {
        Self::is_finite(self)
    }
}

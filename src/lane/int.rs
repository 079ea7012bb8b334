//! Integer lanes and masks.

use crate::lane::{BLOCK, inlined, operators};
use crate::math::each::{Each, Make};
use std::num::Wrapping;
use std::ops::{Add, BitAnd, BitOr, Mul, Not, Sub};

use wide::i32x8;

/// What a comparison of lanes gives.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// The mask with lane `i` set where `set(i)`.
    fn from_fn(set: impl FnMut(usize) -> bool) -> Self;
    /// Whether any lane is set.
    fn any(self) -> bool;
    /// Lane `i` as bit `i`.
    fn bits(self) -> u32;
}

/// `WIDTH` 32-bit integers at once; sums and products wrap.
pub trait IntLane: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// The result of a comparison.
    type Mask: Mask;
    /// The same integer in every lane.
    fn splat(int: i32) -> Self;
    /// Lane `i` gets `int(i)`.
    fn from_fn(int: impl FnMut(usize) -> i32) -> Self;
    /// −1 where the mask is set, else 0.
    fn from_mask(mask: Self::Mask) -> Self;
    /// The integer in lane `i`.
    fn get(self, i: usize) -> i32;
    /// The lower and the upper halves of `WIDTH` integers of 64 bits.
    fn halves(words: &[u64]) -> [Self; 2];
    /// Integers of 64 bits of their lower and upper halves; zero beyond `WIDTH`.
    fn joined(halves: [Self; 2]) -> [u64; BLOCK];
    /// Writes integers from 0 to 255 to the first `WIDTH` bytes.
    fn store_bytes(self, bytes: &mut [u8]);
    /// Shifted right by `BITS`, the sign kept.
    fn shift_right<const BITS: u32>(self) -> Self;
    /// Shifted left by `BITS`.
    fn shift_left<const BITS: u32>(self) -> Self;
    /// Bit by bit and.
    fn and(self, other: Self) -> Self;
    /// Bit by bit or.
    fn or(self, other: Self) -> Self;
    /// The larger of two, lane by lane.
    fn larger(self, other: Self) -> Self;
    /// The smaller of two, lane by lane.
    fn smaller(self, other: Self) -> Self;
    /// The largest integer of all lanes.
    fn largest(self) -> i32;
    /// Where equal.
    fn equal(self, other: Self) -> Self::Mask;
    /// Where `self < other`.
    fn less(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Limited to `low ..= high`.
    #[inline(always)]
    fn limit(self, low: Self, high: Self) -> Self {
        self.larger(low).smaller(high)
    }
}

/// A mask of 8 lanes: all bits of a lane set, or none.
#[derive(Clone, Copy, Debug)]
pub struct Mask8(pub(super) i32x8);

operators!(Mask8: BitAnd bitand, BitOr bitor);

impl Not for Mask8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for Mask8 {
    inlined! {
        fn from_fn(mut set: impl FnMut(usize) -> bool) -> Self =
            Self(i32x8::new(Make::make(|i| -i32::from(set(i)))));
        fn any(self) -> bool = self.0.any();
        fn bits(self) -> u32 = self.0.to_bitmask();
    }
}

/// 8 integers at once.
#[derive(Clone, Copy, Debug)]
pub struct Int8(pub(super) i32x8);

operators!(Int8: Add add, Sub sub, Mul mul);

impl IntLane for Int8 {
    type Mask = Mask8;

    inlined! {
        fn splat(int: i32) -> Self = Self(i32x8::splat(int));
        fn from_fn(int: impl FnMut(usize) -> i32) -> Self = Self(i32x8::new(Make::make(int)));
        fn from_mask(mask: Mask8) -> Self = Self(mask.0);
        fn get(self, i: usize) -> i32 = self.0.as_array()[i];
        fn halves(words: &[u64]) -> [Self; 2] =
            crate::lane::halves(words).each(|half| Self(bytemuck::cast(half)));
        fn shift_right<const BITS: u32>(self) -> Self = Self(self.0 >> BITS);
        fn shift_left<const BITS: u32>(self) -> Self = Self(self.0 << BITS);
        fn and(self, other: Self) -> Self = Self(self.0 & other.0);
        fn or(self, other: Self) -> Self = Self(self.0 | other.0);
        fn larger(self, other: Self) -> Self = Self(self.0.max(other.0));
        fn smaller(self, other: Self) -> Self = Self(self.0.min(other.0));
        fn equal(self, other: Self) -> Mask8 = Mask8(self.0.simd_eq(other.0));
        fn less(self, other: Self) -> Mask8 = Mask8(self.0.simd_lt(other.0));
        fn select(mask: Mask8, yes: Self, no: Self) -> Self = Self(mask.0.select(yes.0, no.0));
    }

    #[inline(always)]
    fn joined(halves: [Self; 2]) -> [u64; BLOCK] {
        let [low, high] = halves.each(|half| half.0.to_array());
        Make::make(|i| u64::from(low[i] as u32) | u64::from(high[i] as u32) << 32)
    }

    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8]) {
        *crate::lane::eight_mut(bytes) = self.0.to_array().each(|int| int as u8);
    }

    #[inline(always)]
    fn largest(self) -> i32 {
        let all = self.0.to_array();
        let four: [i32; 4] = Make::make(|i| all[i].max(all[i + 4]));
        four[0].max(four[2]).max(four[1].max(four[3]))
    }
}

impl Mask for bool {
    inlined! {
        fn from_fn(mut set: impl FnMut(usize) -> bool) -> Self = set(0);
        fn any(self) -> bool = self;
        fn bits(self) -> u32 = u32::from(self);
    }
}

/// Plain integers would not wrap where overflow is checked, as it is without optimisation.
impl IntLane for Wrapping<i32> {
    type Mask = bool;

    inlined! {
        fn splat(int: i32) -> Self = Self(int);
        fn from_fn(mut int: impl FnMut(usize) -> i32) -> Self = Self(int(0));
        fn from_mask(mask: bool) -> Self = Self(-i32::from(mask));
        fn get(self, _: usize) -> i32 = self.0;
        fn halves(words: &[u64]) -> [Self; 2] =
            [Self(words[0] as i32), Self((words[0] >> 32) as i32)];
        fn shift_right<const BITS: u32>(self) -> Self = Self(self.0 >> BITS);
        fn shift_left<const BITS: u32>(self) -> Self = Self(self.0 << BITS);
        fn and(self, other: Self) -> Self = self & other;
        fn or(self, other: Self) -> Self = self | other;
        fn larger(self, other: Self) -> Self = if self > other { self } else { other };
        fn smaller(self, other: Self) -> Self = if self < other { self } else { other };
        fn largest(self) -> i32 = self.0;
        fn equal(self, other: Self) -> bool = self == other;
        fn less(self, other: Self) -> bool = self < other;
        fn select(mask: bool, yes: Self, no: Self) -> Self = if mask { yes } else { no };
    }

    #[inline(always)]
    fn joined([low, high]: [Self; 2]) -> [u64; BLOCK] {
        let mut words = [0; BLOCK];
        words[0] = u64::from(low.0 as u32) | u64::from(high.0 as u32) << 32;
        words
    }

    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8]) {
        bytes[0] = self.0 as u8;
    }
}

//! What numbers in lanes and real numbers in lanes have in common.

use bytemuck::Zeroable;
use std::ops::{Add, Mul, Neg, Sub};

use crate::lane::{Mask, inlined};
use crate::math::Fx;

/// `WIDTH` numbers at once that can be compared.
pub trait Compare:
    Copy
    + Send
    + Sync
    + Zeroable
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// The result of a comparison.
    type Mask: Mask;
    /// How many lanes there are: 8 or 1.
    const WIDTH: usize;

    /// Where `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Where `self ≤ other`.
    fn le(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// The square root, rounded as the number type says; of a number ≥ 0.
    fn sqrt(self) -> Self;

    /// The larger of two, lane by lane.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(other.lt(self), self, other)
    }

    /// The smaller of two, lane by lane.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    /// The number without its sign.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::select(self.lt(Self::zero()), -self, self)
    }

    /// Where neither is less than the other.
    #[inline(always)]
    fn equal(self, other: Self) -> Self::Mask {
        !(self.lt(other) | other.lt(self))
    }

    /// 0 in every lane.
    #[inline(always)]
    fn zero() -> Self {
        Self::zeroed()
    }
}

/// One lane.
macro_rules! single {
    ($number:ident, $of:ident => $sqrt:expr) => {
        impl Compare for $number {
            type Mask = bool;
            const WIDTH: usize = 1;

            inlined! {
                fn lt(self, other: Self) -> bool = self < other;
                fn le(self, other: Self) -> bool = self <= other;
                fn select(mask: bool, yes: Self, no: Self) -> Self = if mask { yes } else { no };
                fn sqrt(self) -> Self = {
                    let $of = self;
                    $sqrt
                };
            }
        }
    };
}

single!(f32, number => Self::sqrt(number));
single!(f64, number => Self::sqrt(number));
single!(Fx, number => Self::from_raw((i64::from(number.raw()) << 16).isqrt() as i32));

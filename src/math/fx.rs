//! Fixed point: Q16.16 over the `fixed` crate's type.
//!
//! Every operation is defined on the integer that a number holds (`value · 2¹⁶`), so it can be
//! written again in any language: sums and products wrap, products round down.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use bytemuck::{Pod, Zeroable};
use fixed::types::I16F16;

use crate::math::num::{Num, Numeric};

/// A Q16.16 number: range ±32,768, step 1/65,536.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Fx(I16F16);

impl Fx {
    /// The number that an integer holds: `raw / 65,536`.
    #[inline(always)]
    pub const fn from_raw(raw: i32) -> Self {
        Self(I16F16::from_bits(raw))
    }

    /// The integer that holds it: `value · 65,536`.
    #[inline(always)]
    pub const fn raw(self) -> i32 {
        self.0.to_bits()
    }
}

impl Add for Fx {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Fx {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Fx {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Mul for Fx {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }
}

impl Neg for Fx {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Num for Fx {
    const NUMERIC: Numeric = Numeric::Fixed;
    const ZERO: Self = Self::from_raw(0);
    const ONE: Self = Self::from_raw(1 << 16);
    const HALF: Self = Self::from_raw(1 << 15);
    const EXTENT: f64 = 16_384.0;
    const STEP: f64 = 1.0 / 65_536.0;

    fn from_f64(value: f64) -> Self {
        // `as` saturates and takes NaN to 0.
        Self::from_raw((value * 65_536.0).round_ties_even() as i32)
    }

    fn to_f64(self) -> f64 {
        f64::from(self.raw()) / 65_536.0
    }

    fn bits(self) -> u32 {
        self.raw() as u32
    }

    fn from_bits(bits: u32) -> Self {
        Self::from_raw(bits as i32)
    }

    fn is_finite(self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Fx;
    use crate::math::num::Num;

    #[test]
    fn products_round_down_as_the_wide_product_does() {
        let samples = [0, 1, -1, 3, -3, 65_535, 65_536, -65_537, 1 << 23, -(1 << 23), 12_345_678];
        for a in samples {
            for b in samples {
                let wide = (i64::from(a) * i64::from(b)) >> 16;
                assert_eq!((Fx::from_raw(a) * Fx::from_raw(b)).raw(), wide as i32, "{a} * {b}");
            }
        }
    }

    #[test]
    fn conversions_are_exact_or_nearest() {
        assert_eq!(Fx::from_f64(0.5).raw(), 32_768);
        assert_eq!(Fx::from_f64(-1.25).to_f64(), -1.25);
        assert_eq!(Fx::from_f64(f64::NAN).raw(), 0);
        assert_eq!(Fx::from_f64(1e9).raw(), i32::MAX);
    }
}

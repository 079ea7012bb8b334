//! Real numbers in lanes: what geometry with roots and divisions is computed in.
//!
//! `f32` lanes are their own real numbers. Fixed point goes by way of `f64`, which holds every Q16.16
//! number, and every product and sum of two of them that geometry forms, with bits to spare: nothing
//! overflows, and what comes back is rounded once. IEEE `+ − × ÷ √` and comparisons give the same
//! bits on every machine, so this is as repeatable as integers are.

use crate::math::each::{Each, Make};
use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use wide::f64x4;

use crate::lane::{Compare, F32x8, Lane, Mask, inlined};

/// `WIDTH` real numbers at once: `f32` or `f64`.
pub trait Real: Compare + Debug + Div<Output = Self> {
    /// The distance from 1 to the next number.
    const STEP: f64;

    /// The same number in every lane, rounded to the nearest.
    fn splat(number: f64) -> Self;
    /// Lane `i` gets `number(i)`, rounded to the nearest.
    fn from_fn(number: impl FnMut(usize) -> f64) -> Self;
    /// The number in lane `i`, exactly.
    fn get(self, i: usize) -> f64;

    /// 1 in every lane.
    #[inline(always)]
    fn one() -> Self {
        Self::splat(1.0)
    }

    /// The scalar product of two vectors.
    #[inline(always)]
    fn dot([a, b]: [Self; 2], [c, d]: [Self; 2]) -> Self {
        a * c + b * d
    }

    /// The scalar product of two vectors of space; the same bits when x and y change places.
    #[inline(always)]
    fn dot3([a, b, c]: [Self; 3], [d, e, f]: [Self; 3]) -> Self {
        a * d + b * e + c * f
    }

    /// A vector times a number.
    #[inline(always)]
    fn scaled([x, y]: [Self; 2], by: Self) -> [Self; 2] {
        [x * by, y * by]
    }

    /// The vector `yes` where the mask is set, else `no`.
    #[inline(always)]
    fn pick(mask: Self::Mask, yes: [Self; 2], no: [Self; 2]) -> [Self; 2] {
        [Self::select(mask, yes[0], no[0]), Self::select(mask, yes[1], no[1])]
    }
}

impl Real for F32x8 {
    const STEP: f64 = f32::EPSILON as f64;

    inlined! {
        fn splat(number: f64) -> Self = <Self as Lane>::splat(number as f32);
        fn from_fn(mut number: impl FnMut(usize) -> f64) -> Self =
            <Self as Lane>::from_fn(|i| number(i) as f32);
        fn get(self, i: usize) -> f64 = f64::from(<Self as Lane>::get(self, i));
    }
}

/// A number as a lane of width 1.
macro_rules! single {
    ($number:ty) => {
        impl Real for $number {
            const STEP: f64 = <$number>::EPSILON as f64;

            inlined! {
                fn splat(number: f64) -> Self = number as Self;
                fn from_fn(mut number: impl FnMut(usize) -> f64) -> Self = number(0) as Self;
                fn get(self, _: usize) -> f64 = f64::from(self);
            }
        }
    };
}

single!(f32);
single!(f64);

/// 8 double-precision numbers at once.
#[derive(Clone, Copy, Debug, bytemuck::Zeroable)]
pub struct F64x8(pub(super) [f64x4; 2]);

/// A mask of 8 lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Mask64x8(pub(super) [f64x4; 2]);

/// An operator of two operands, half by half.
macro_rules! operator {
    ($lanes:ident, $operator:ident, $function:ident) => {
        impl $operator for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self([self.0[0].$function(other.0[0]), self.0[1].$function(other.0[1])])
            }
        }
    };
}

operator!(F64x8, Add, add);
operator!(F64x8, Sub, sub);
operator!(F64x8, Mul, mul);
operator!(F64x8, Div, div);
operator!(Mask64x8, BitAnd, bitand);
operator!(Mask64x8, BitOr, bitor);

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self([-self.0[0], -self.0[1]])
    }
}

impl Not for Mask64x8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1]])
    }
}

impl Mask for Mask64x8 {
    #[inline(always)]
    fn from_fn(mut set: impl FnMut(usize) -> bool) -> Self {
        let mut bits = |i| f64::from_bits(0_u64.wrapping_sub(u64::from(set(i))));
        Self([0, 4].each(|first| f64x4::new(Make::make(|i| bits(first + i)))))
    }

    #[inline(always)]
    fn any(self) -> bool {
        (self.0[0] | self.0[1]).to_bitmask() != 0
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0[0].to_bitmask() | self.0[1].to_bitmask() << 4
    }
}

impl Compare for F64x8 {
    type Mask = Mask64x8;
    const WIDTH: usize = 8;

    inlined! {
        fn sqrt(self) -> Self = Self([self.0[0].sqrt(), self.0[1].sqrt()]);
        fn lt(self, other: Self) -> Mask64x8 =
            Mask64x8([self.0[0].simd_lt(other.0[0]), self.0[1].simd_lt(other.0[1])]);
        fn le(self, other: Self) -> Mask64x8 =
            Mask64x8([self.0[0].simd_le(other.0[0]), self.0[1].simd_le(other.0[1])]);
        fn select(mask: Mask64x8, yes: Self, no: Self) -> Self =
            Self([mask.0[0].select(yes.0[0], no.0[0]), mask.0[1].select(yes.0[1], no.0[1])]);
    }

    // On x86-64 `maxpd` is `a > b ? a : b` to the bit.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self([self.0[0].fast_max(other.0[0]), self.0[1].fast_max(other.0[1])])
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self([self.0[0].fast_min(other.0[0]), self.0[1].fast_min(other.0[1])])
    }
}

impl Real for F64x8 {
    const STEP: f64 = f64::EPSILON;

    inlined! {
        fn splat(number: f64) -> Self = Self([f64x4::splat(number); 2]);
        fn from_fn(mut number: impl FnMut(usize) -> f64) -> Self =
            Self([0, 4].each(|first| f64x4::new(Make::make(|i| number(first + i)))));
        fn get(self, i: usize) -> f64 = self.0[i / 4].as_array()[i % 4];
    }
}

#[cfg(test)]
mod tests {
    use super::{F64x8, Real};
    use crate::lane::{F32x8, Mask};
    use crate::math::{hash2, unit_f64};

    /// Every operation on two numbers, the masks as bits.
    fn results<R: Real>(a: R, b: R) -> (Vec<R>, Vec<R::Mask>) {
        let less = a.lt(b);
        let positive = R::select(a.lt(R::zero()), -a, a);
        let odd = R::Mask::from_fn(|i| i % 2 == 1);
        (
            vec![
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                positive.sqrt(),
                a.larger(b),
                a.smaller(b),
                a.abs(),
                R::dot3([a, b, a], [b, b, -a]),
            ],
            vec![
                a.le(b),
                a.le(a),
                (a / R::zero() - a / R::zero()).le(b),
                less,
                !less,
                less & a.lt(R::zero()),
                less | a.lt(R::zero()),
                odd & !odd,
            ],
        )
    }

    fn check<W: Real, S: Real>() {
        let number = |i: usize, axis| 20.0 * unit_f64(hash2(i as u64, axis)) - 10.0;
        let (mut set, mut clear) = (0, 0);
        for first in (0..800).step_by(8) {
            let wide = [0, 1].map(|axis| W::from_fn(|lane| number(first + lane, axis)));
            let (numbers, masks) = results(wide[0], wide[1]);
            for lane in 0..8 {
                let single = [0, 1].map(|axis| S::splat(number(first + lane, axis)));
                let (expected, expected_masks) = results(single[0], single[1]);
                for (number, expected) in numbers.iter().zip(&expected) {
                    assert_eq!(number.get(lane).to_bits(), expected.get(0).to_bits());
                }
                for (mask, expected) in masks.iter().zip(&expected_masks) {
                    assert_eq!(mask.bits() >> lane & 1 == 1, expected.any());
                    if expected.any() { set += 1 } else { clear += 1 }
                }
            }
            assert_eq!(masks[3].any(), masks[3].bits() != 0);
        }
        assert!(set > 500 && clear > 500, "{set} set, {clear} clear");
    }

    #[test]
    fn eight_lanes_compute_as_one() {
        check::<F32x8, f32>();
        check::<F64x8, f64>();
    }
}

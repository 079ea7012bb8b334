//! 8 `f32` lanes over `wide`.

use crate::math::each::Make;
use std::ops::Neg;

use bytemuck::{Pod, Zeroable, cast};
use wide::{f32x8, i32x8};

use crate::lane::int::{Int8, Mask8};
use crate::lane::{Compare, Lane, eight, eight_mut, inlined, operators};

/// 8 single-precision numbers at once.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct F32x8(f32x8);

impl Neg for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

operators!(F32x8: Add add, Sub sub, Mul mul, Div div);

impl Compare for F32x8 {
    type Mask = Mask8;
    const WIDTH: usize = 8;

    inlined! {
        fn lt(self, other: Self) -> Mask8 = Mask8(cast(self.0.simd_lt(other.0)));
        fn le(self, other: Self) -> Mask8 = Mask8(cast(self.0.simd_le(other.0)));
        fn equal(self, other: Self) -> Mask8 = Mask8(cast(self.0.simd_eq(other.0)));
        fn select(mask: Mask8, yes: Self, no: Self) -> Self =
            Self(cast::<i32x8, f32x8>(mask.0).select(yes.0, no.0));
        fn sqrt(self) -> Self = Self(self.0.sqrt());
    }

    // On x86-64 `maxps` is `a > b ? a : b` to the bit, zeros and NaN included: the select that every
    // other processor gets.
    #[cfg(target_arch = "x86_64")]
    #[expect(clippy::disallowed_methods, reason = "the same bits as the select, on x86-64 alone")]
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(self.0.fast_max(other.0))
    }

    #[cfg(target_arch = "x86_64")]
    #[expect(clippy::disallowed_methods, reason = "the same bits as the select, on x86-64 alone")]
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(self.0.fast_min(other.0))
    }
}

impl Lane for F32x8 {
    type Num = f32;
    type Int = Int8;
    type Real = Self;

    inlined! {
        fn splat(number: f32) -> Self = Self(f32x8::splat(number));
        fn from_fn(number: impl FnMut(usize) -> f32) -> Self = Self(f32x8::new(Make::make(number)));
        fn load(rows: &[f32]) -> Self = Self(f32x8::new(eight(rows)));
        fn get(self, i: usize) -> f32 = self.0.as_array()[i];
        fn extremes(self) -> [f32; 2] = crate::lane::extremes(self.0.to_array());
        fn ratio(self, whole: Self) -> Self = Self(self.0 / whole.0);
        fn length(x: Self, y: Self) -> Self = (x * x + y * y).sqrt();
        fn mul_unit(self, other: Self) -> Self = self * other;
        fn mul_coarse(self, other: Self) -> Self = self * other;
        fn near(self) -> Self = self;
        fn real(self) -> Self = self;
        fn from_real(real: Self) -> Self = real;
        fn real_mask(mask: Self::Mask) -> Self::Mask = mask;
        fn from_real_mask(mask: Self::Mask) -> Self::Mask = mask;
        fn square_order(x: Self, y: Self, _: u32) -> Int8 = Int8(cast((x * x + y * y).0));
        fn from_int(int: Int8) -> Self = Self(f32x8::from_i32x8(int.0));
        fn from_q14(int: Int8) -> Self =
            Self(f32x8::from_i32x8(int.0) * f32x8::splat(1.0 / 16_384.0));
        fn from_q8(int: Int8) -> Self = Self(f32x8::from_i32x8(int.0) * f32x8::splat(1.0 / 256.0));
    }

    #[inline(always)]
    fn store(self, rows: &mut [f32]) {
        *eight_mut(rows) = self.0.to_array();
    }

    #[inline(always)]
    fn store_pairs(x: Self, y: Self, rows: &mut [[f32; 2]]) {
        let (x, y) = (x.0.to_array(), y.0.to_array());
        *eight_mut(rows) = Make::make(|i| [x[i], y[i]]);
    }

    #[inline(always)]
    fn floor_int(self) -> Int8 {
        let toward_zero = self.0.fast_trunc_int();
        let above: i32x8 = cast(self.0.simd_lt(f32x8::from_i32x8(toward_zero)));
        Int8(toward_zero + above)
    }
}

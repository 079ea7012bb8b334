//! One lane: the scalar twins, `f32` and `Fx` themselves.

use crate::lane::{Lane, inlined};
use crate::math::each::Each;
use crate::math::{Fx, Num};
use std::num::Wrapping;

/// Largest difference whose square a coarse fixed-point product holds.
pub(super) const NEAR: Fx = Fx::from_raw(30 << 16);

/// What every single lane does the same way.
macro_rules! single {
    () => {
        type Int = Wrapping<i32>;

        inlined! {
            fn splat(number: Self) -> Self = number;
            fn from_fn(mut number: impl FnMut(usize) -> Self) -> Self = number(0);
            fn load(rows: &[Self]) -> Self = rows[0];
            fn store(self, rows: &mut [Self]) -> () = rows[0] = self;
            fn load_pairs(rows: &[[Self; 2]]) -> (Self, Self) = (rows[0][0], rows[0][1]);
            fn fours_from_fn(mut four: impl FnMut(usize) -> [Self; 4]) -> [Self; 4] = four(0);
            fn eights_from_fn(mut eight: impl FnMut(usize) -> [Self; 8]) -> [Self; 8] = eight(0);
            fn store_pairs(x: Self, y: Self, rows: &mut [[Self; 2]]) -> () = rows[0] = [x, y];
            fn store_eights(columns: [Self; 8], rows: &mut [[Self; 8]]) -> () = rows[0] = columns;
            fn get(self, _: usize) -> Self = self;
            fn extremes(self) -> [Self; 2] = [self; 2];
            fn real_mask(mask: bool) -> bool = mask;
            fn from_real_mask(mask: bool) -> bool = mask;
        }
    };
}

impl Lane for f32 {
    type Num = Self;
    type Real = Self;
    single!();

    inlined! {
        fn real(self) -> Self = self;
        fn from_real(real: Self) -> Self = real;
        fn square_order(x: Self, y: Self, _: u32) -> Wrapping<i32> =
            Wrapping((x * x + y * y).to_bits() as i32);
        fn ratio(self, whole: Self) -> Self = self / whole;
        fn length(x: Self, y: Self) -> Self = Self::sqrt(x * x + y * y);
        fn mul_unit(self, other: Self) -> Self = self * other;
        fn mul_coarse(self, other: Self) -> Self = self * other;
        fn near(self) -> Self = self;
        fn from_int(int: Wrapping<i32>) -> Self = int.0 as Self;
        fn from_q14(int: Wrapping<i32>) -> Self = int.0 as Self * (1.0 / 16_384.0);
        fn from_q8(int: Wrapping<i32>) -> Self = int.0 as Self * (1.0 / 256.0);
    }

    #[inline(always)]
    fn floor_int(self) -> Wrapping<i32> {
        let toward_zero = self as i32;
        Wrapping(toward_zero) - Wrapping(i32::from(self < toward_zero as Self))
    }
}

impl Lane for Fx {
    type Num = Self;
    type Real = f64;
    single!();

    inlined! {
        fn real(self) -> f64 = f64::from(self.raw()) * (1.0 / 65_536.0);
        fn ratio(self, whole: Self) -> Self =
            Self::from_raw(((i64::from(self.raw()) << 16) / i64::from(whole.raw())) as i32);
        fn mul_unit(self, other: Self) -> Self =
            Self::from_raw((self.raw() >> 2).wrapping_mul(other.raw() >> 2) >> 12);
        fn mul_coarse(self, other: Self) -> Self =
            Self::from_raw((self.raw() >> 6).wrapping_mul(other.raw() >> 6) >> 4);
        fn near(self) -> Self = Num::smaller(Num::larger(self, -NEAR), NEAR);
        fn floor_int(self) -> Wrapping<i32> = Wrapping(self.raw() >> 16);
        fn from_int(int: Wrapping<i32>) -> Self = Self::from_raw(int.0 << 16);
        fn from_q14(int: Wrapping<i32>) -> Self = Self::from_raw(int.0 << 2);
        fn from_q8(int: Wrapping<i32>) -> Self = Self::from_raw(int.0 << 8);
    }

    #[inline(always)]
    fn from_real(real: f64) -> Self {
        // `as` rounds towards 0 and saturates.
        Self::from_raw((real * 65_536.0) as i32)
    }

    #[inline(always)]
    fn square_order(x: Self, y: Self, coarse: u32) -> Wrapping<i32> {
        let limited = |v: Self| (v.raw().unsigned_abs() >> coarse).min(i16::MAX as u32) as i32;
        let [x, y] = [x, y].each(limited);
        Wrapping(x * x + y * y)
    }

    #[inline(always)]
    fn length(x: Self, y: Self) -> Self {
        let (x, y) = (f64::from(x.raw()), f64::from(y.raw()));
        Self::from_raw((x * x + y * y).sqrt() as i32)
    }
}

//! 8 fixed-point lanes over `wide`.

use crate::math::each::{Each, Make};
use std::ops::{Mul, Neg};

use wide::{f64x4, i32x4, i32x8, u32x8};

use crate::lane::int::{Int8, Mask8};
use crate::lane::single::NEAR;
use crate::lane::{Compare, F64x8, Lane, Mask, Mask64x8, eight, eight_mut, inlined, operators};
use crate::math::Fx;

/// 8 Q16.16 numbers at once.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Fx8(i32x8);

impl Mul for Fx8 {
    type Output = Self;
    /// With b = b₁·2¹⁶ + b₀ the product a·b / 2¹⁶ is a·b₁ + a₁·b₀ + (a₀·b₀ / 2¹⁶), each part in 32
    /// bits that wrap.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let low = i32x8::splat(0xffff);
        let (a0, a1) = (self.0 & low, self.0 >> 16_u32);
        let (b0, b1) = (other.0 & low, other.0 >> 16_u32);
        let bottom: u32x8 = bytemuck::cast(a0 * b0);
        let bottom: i32x8 = bytemuck::cast(bottom >> 16_u32);
        Self(self.0 * b1 + a1 * b0 + bottom)
    }
}

impl Neg for Fx8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(i32x8::splat(0) - self.0)
    }
}

/// The lower and the upper four lanes as `f64`, exactly.
#[inline(always)]
fn halves(lanes: i32x8) -> [f64x4; 2] {
    let [low, high]: [i32x4; 2] = bytemuck::cast(lanes);
    [f64x4::from_i32x4(low), f64x4::from_i32x4(high)]
}

/// Numbers as integers, rounded towards 0; 2³¹ − 1 where they are larger.
///
/// A whole number added to 1.5 · 2⁵² stands in the low bits of the sum: no lane is converted by
/// itself.
#[inline(always)]
fn whole(halves: [f64x4; 2]) -> i32x8 {
    let most = f64x4::splat(f64::from(i32::MAX));
    let bits = |half: f64x4| -> [u64; 4] {
        bytemuck::cast(half.fast_min(most).trunc() + f64x4::splat(6_755_399_441_055_744.0))
    };
    let [a, b] = halves.each(bits);
    i32x8::new(Make::make(|i| if i < 4 { a[i] as i32 } else { b[i - 4] as i32 }))
}

operators!(Fx8: Add add, Sub sub);

impl Compare for Fx8 {
    type Mask = Mask8;
    const WIDTH: usize = 8;

    inlined! {
        fn lt(self, other: Self) -> Mask8 = Mask8(self.0.simd_lt(other.0));
        fn le(self, other: Self) -> Mask8 = !Mask8(self.0.simd_gt(other.0));
        fn select(mask: Mask8, yes: Self, no: Self) -> Self = Self(mask.0.select(yes.0, no.0));
        fn larger(self, other: Self) -> Self = Self(self.0.max(other.0));
        fn smaller(self, other: Self) -> Self = Self(self.0.min(other.0));
        fn abs(self) -> Self = Self(self.0.abs());
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let scale = f64x4::splat(65_536.0);
        Self(whole(halves(self.0).each(|half| (half * scale).sqrt())))
    }
}

impl Lane for Fx8 {
    type Num = Fx;
    type Int = Int8;
    type Real = F64x8;

    inlined! {
        fn splat(number: Fx) -> Self = Self(i32x8::splat(number.raw()));
        fn from_fn(mut number: impl FnMut(usize) -> Fx) -> Self =
            Self(i32x8::new(Make::make(|i| number(i).raw())));
        fn load(rows: &[Fx]) -> Self = Self(i32x8::new(bytemuck::cast(eight(rows))));
        fn get(self, i: usize) -> Fx = Fx::from_raw(self.0.as_array()[i]);
        fn extremes(self) -> [Fx; 2] = crate::lane::extremes(self.0.to_array().each(Fx::from_raw));
        fn mul_unit(self, other: Self) -> Self =
            Self(((self.0 >> 2_u32) * (other.0 >> 2_u32)) >> 12_u32);
        fn mul_coarse(self, other: Self) -> Self =
            Self(((self.0 >> 6_u32) * (other.0 >> 6_u32)) >> 4_u32);
        fn near(self) -> Self = self.larger(Self::splat(-NEAR)).smaller(Self::splat(NEAR));
        fn floor_int(self) -> Int8 = Int8(self.0 >> 16_u32);
        fn from_int(int: Int8) -> Self = Self(int.0 << 16_u32);
        fn from_q14(int: Int8) -> Self = Self(int.0 << 2_u32);
        fn from_q8(int: Int8) -> Self = Self(int.0 << 8_u32);
    }

    #[inline(always)]
    fn store(self, rows: &mut [Fx]) {
        *eight_mut(rows) = bytemuck::cast(self.0.to_array());
    }

    #[inline(always)]
    fn store_pairs(x: Self, y: Self, rows: &mut [[Fx; 2]]) {
        let (x, y) = (x.0.to_array(), y.0.to_array());
        let pairs: [[i32; 2]; 8] = Make::make(|i| [x[i], y[i]]);
        *eight_mut(rows) = bytemuck::cast(pairs);
    }

    #[inline(always)]
    fn ratio(self, most: Self) -> Self {
        let scale = f64x4::splat(65_536.0);
        let ([a, b], [c, d]) = (halves(self.0), halves(most.0));
        Self(whole([a * scale / c, b * scale / d]))
    }

    #[inline(always)]
    fn length(x: Self, y: Self) -> Self {
        let ([a, b], [c, d]) = (halves(x.0), halves(y.0));
        Self(whole([(a * a + c * c).sqrt(), (b * b + d * d).sqrt()]))
    }

    #[inline(always)]
    fn real(self) -> F64x8 {
        let step = f64x4::splat(1.0 / 65_536.0);
        let [a, b] = halves(self.0);
        F64x8([a * step, b * step])
    }

    #[inline(always)]
    fn from_real(real: F64x8) -> Self {
        let (scale, least) = (f64x4::splat(65_536.0), f64x4::splat(f64::from(i32::MIN)));
        let [a, b] = real.0;
        Self(whole([(a * scale).fast_max(least), (b * scale).fast_max(least)]))
    }

    #[inline(always)]
    fn real_mask(mask: Mask8) -> Mask64x8 {
        let [a, b] = halves(mask.0);
        Mask64x8([a.simd_lt(f64x4::splat(0.0)), b.simd_lt(f64x4::splat(0.0))])
    }

    #[inline(always)]
    fn from_real_mask(mask: Mask64x8) -> Mask8 {
        let bits = mask.bits();
        Mask8::from_fn(|i| bits >> i & 1 == 1)
    }

    #[inline(always)]
    fn square_order(x: Self, y: Self, coarse: u32) -> Int8 {
        let most = u32x8::splat(i16::MAX as u32);
        let limited = |v: i32x8| (bytemuck::cast::<i32x8, u32x8>(v.abs()) >> coarse).min(most);
        let (x, y): (i32x8, i32x8) = (bytemuck::cast(limited(x.0)), bytemuck::cast(limited(y.0)));
        Int8(x * x + y * y)
    }
}

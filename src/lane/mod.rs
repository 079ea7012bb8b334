//! Several numbers at once.
//!
//! A kernel is written once over [`Lane`]. It runs on 8 lanes ([`F32x8`], [`Fx8`], over `wide`), or
//! on one: `f32` and [`Fx`] are lanes of width 1, the scalar twins. Every operation
//! gives the same bits in both.

mod built;
mod compare;
mod f32x8;
mod fx8;
mod int;
mod real;
mod single;

use bytemuck::{Pod, cast};

use crate::math::each::{Each, Make};
pub(crate) use built::{built_here, pick};
pub use compare::Compare;
pub use f32x8::F32x8;
pub use fx8::Fx8;
pub use int::{Int8, IntLane, Mask, Mask8};
pub use real::{F64x8, Mask64x8, Real};

use crate::math::{Fx, Num};

/// The smallest and the largest of 8 numbers; pairwise, so that it compiles to shuffles.
#[inline(always)]
fn extremes<N: Num>(all: [N; 8]) -> [N; 2] {
    let fold = |pick: fn(N, N) -> N| {
        let four: [N; 4] = Make::make(|i| pick(all[i], all[i + 4]));
        let two = [pick(four[0], four[2]), pick(four[1], four[3])];
        pick(two[0], two[1])
    };
    [fold(N::smaller), fold(N::larger)]
}

/// The first eight of some rows. As an array, not by `copy_from_slice`: that is a call in builds with
/// several units of code.
#[inline(always)]
fn eight<T: Copy>(rows: &[T]) -> [T; 8] {
    *rows.first_chunk().expect("eight rows")
}

/// The same rows, to be written.
#[inline(always)]
pub(crate) fn eight_mut<T>(rows: &mut [T]) -> &mut [T; 8] {
    rows.first_chunk_mut().expect("eight rows")
}

/// The first and the second halves of 8 pairs. Pairs are taken as 64-bit integers, because the
/// compiler finds the shuffles then.
#[inline(always)]
fn unzip<N: Num>(rows: &[[N; 2]]) -> [[u32; 8]; 2] {
    let pairs: [u64; 8] = cast(eight(rows));
    halves(&pairs.each(u64::from_le))
}

/// The lower and the upper halves of 8 integers.
#[inline(always)]
fn halves(words: &[u64]) -> [[u32; 8]; 2] {
    let all = eight(words);
    [all.each(|word| word as u32), all.each(|word| (word >> 32) as u32)]
}

/// Eight rows of four as four columns of eight.
#[inline(always)]
fn columns<N: Num>(mut row: impl FnMut(usize) -> [N; 4]) -> [[u32; 8]; 4] {
    use wide::f32x4;
    // Loops, as the compiler calls a closure that is mapped. The bits are moved, never computed with.
    let mut rows = [[N::ZERO; 4]; 8];
    for (i, to) in rows.iter_mut().enumerate() {
        *to = row(i);
    }
    let [a, b, c, d, e, f, g, h]: [f32x4; 8] = cast(rows);
    let [upper, lower] = [f32x4::transpose([a, b, c, d]), f32x4::transpose([e, f, g, h])];
    let mut columns = [[0; 8]; 4];
    for (to, halves) in columns.iter_mut().zip(upper.into_iter().zip(lower)) {
        *to = cast([halves.0, halves.1]);
    }
    columns
}

/// Eight rows of eight as eight columns. The bits are moved, never computed with.
#[inline(always)]
fn transposed<N: Num>(mut row: impl FnMut(usize) -> [N; 8]) -> [[u32; 8]; 8] {
    let mut rows = [[N::ZERO; 8]; 8];
    for (i, to) in rows.iter_mut().enumerate() {
        *to = row(i);
    }
    cast(wide::f32x8::transpose(cast(rows)))
}

/// Operators of two operands, lane by lane.
macro_rules! operators {
    ($lanes:ident: $($operator:ident $function:ident),+) => {$(
        impl std::ops::$operator for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(std::ops::$operator::$function(self.0, other.0))
            }
        }
    )+};
}
use operators;

/// Functions that are one expression, as a table.
macro_rules! inlined {
    ($(
        fn $function:ident $(<const $bits:ident: u32>)? ($($arguments:tt)*) -> $result:ty = $value:expr;
    )+) => {$(
        #[inline(always)]
        fn $function $(<const $bits: u32>)? ($($arguments)*) -> $result {
            $value
        }
    )+};
}
use inlined;

/// The widest block: columns are padded to whole blocks of this many rows.
pub const BLOCK: usize = 8;

/// A number type with its lanes.
pub trait Numbers: Num {
    /// 8 lanes.
    type Wide: Lane<Num = Self>;
    /// One lane: the scalar twin.
    type Single: Lane<Num = Self>;
}

impl Numbers for f32 {
    type Wide = F32x8;
    type Single = Self;
}

impl Numbers for Fx {
    type Wide = Fx8;
    type Single = Self;
}

/// `WIDTH` numbers at once.
///
/// Loads and stores take slices of at least `WIDTH` rows and use the first ones.
pub trait Lane: Compare + Pod {
    /// The number in a lane.
    type Num: Numbers;
    /// As many 32-bit integers.
    type Int: IntLane<Mask = Self::Mask>;
    /// What roots and divisions are computed in: `f32` itself, or `f64` for fixed point.
    type Real: Real;

    /// The same number in every lane.
    fn splat(number: Self::Num) -> Self;
    /// Lane `i` gets `number(i)`.
    fn from_fn(number: impl FnMut(usize) -> Self::Num) -> Self;
    /// Reads `WIDTH` rows.
    fn load(rows: &[Self::Num]) -> Self;
    /// Writes `WIDTH` rows.
    fn store(self, rows: &mut [Self::Num]);
    /// Reads `WIDTH` pairs as two lanes.
    #[inline(always)]
    fn load_pairs(rows: &[[Self::Num; 2]]) -> (Self, Self) {
        let [x, y] = unzip(rows);
        (cast(x), cast(y))
    }

    /// Lane `i` gets `pair(i)`.
    #[inline(always)]
    fn pairs_from_fn(pair: impl FnMut(usize) -> [Self::Num; 2]) -> [Self; 2] {
        let mut pairs = [[Self::Num::ZERO; 2]; BLOCK];
        pairs.iter_mut().take(Self::WIDTH).zip((0..).map(pair)).for_each(|(to, from)| *to = from);
        Self::load_pairs(&pairs).into()
    }

    /// Lane `i` gets `four(i)`.
    #[inline(always)]
    fn fours_from_fn(four: impl FnMut(usize) -> [Self::Num; 4]) -> [Self; 4] {
        let [a, b, c, d] = columns(four);
        [cast(a), cast(b), cast(c), cast(d)]
    }

    /// Lane `i` gets `eight(i)`.
    #[inline(always)]
    fn eights_from_fn(eight: impl FnMut(usize) -> [Self::Num; 8]) -> [Self; 8] {
        let mut lanes = [Self::zero(); 8];
        for (to, column) in lanes.iter_mut().zip(transposed(eight)) {
            *to = cast(column);
        }
        lanes
    }

    /// Writes `WIDTH` pairs.
    fn store_pairs(x: Self, y: Self, rows: &mut [[Self::Num; 2]]);
    /// Writes `WIDTH` rows of eight.
    #[inline(always)]
    fn store_eights(columns: [Self; 8], rows: &mut [[Self::Num; 8]]) {
        let mut all = [[Self::Num::ZERO; 8]; 8];
        for (to, column) in all.iter_mut().zip(columns) {
            column.store(to);
        }
        let all = transposed(|i| all[i]);
        for (row, bits) in rows[..8].iter_mut().zip(all) {
            *row = cast(bits);
        }
    }

    /// The number in lane `i`.
    fn get(self, i: usize) -> Self::Num;
    /// The smallest and the largest number of all lanes.
    fn extremes(self) -> [Self::Num; 2];

    /// `self / whole` for `−whole ≤ self ≤ whole` and `whole > 0`: between −1 and 1, in fixed point
    /// rounded towards 0.
    fn ratio(self, whole: Self) -> Self;
    /// The length of a vector; in fixed point rounded down, exactly below 1,000 and by way of `f64`
    /// beyond.
    fn length(x: Self, y: Self) -> Self;
    /// A product of two numbers below 2: in fixed point each keeps 14 bits of fraction.
    fn mul_unit(self, other: Self) -> Self;
    /// A product below 2,048 that may be coarse: in fixed point each factor keeps 10 bits of
    /// fraction.
    fn mul_coarse(self, other: Self) -> Self;
    /// Limits a difference to what [`Lane::mul_coarse`] can square: ±30 in fixed point.
    fn near(self) -> Self;

    /// The same numbers as [`Real`]s, exactly.
    fn real(self) -> Self::Real;
    /// [`Real`]s as numbers: in fixed point rounded towards 0, and limited to its range.
    fn from_real(real: Self::Real) -> Self;
    /// A mask for [`Real`]s.
    fn real_mask(mask: Self::Mask) -> <Self::Real as Compare>::Mask;
    /// A mask of [`Real`]s as one for numbers.
    fn from_real_mask(mask: <Self::Real as Compare>::Mask) -> Self::Mask;

    /// An integer from 0 that grows with the square of a vector's length: the bits of the square in
    /// `f32`. In fixed point the sum of squares of the coordinates' integers divided by 2^`coarse`
    /// and limited to 32,767, so longer ones than that are all alike.
    fn square_order(x: Self, y: Self, coarse: u32) -> Self::Int;

    /// The integer at or below; of numbers within ±2³⁰.
    fn floor_int(self) -> Self::Int;
    /// The integer as a number; exact within ±2²⁴ (`f32`), ±2¹⁵ (fixed).
    fn from_int(int: Self::Int) -> Self;
    /// `int / 2¹⁴`, exactly; of 16-bit integers.
    fn from_q14(int: Self::Int) -> Self;
    /// `int / 2⁸`, exactly; of 16-bit integers.
    fn from_q8(int: Self::Int) -> Self;

    /// 1 in every lane.
    #[inline(always)]
    fn one() -> Self {
        Self::splat(Self::Num::ONE)
    }

    /// Writes the first `count` of the pairs, at most `WIDTH`.
    #[inline(always)]
    fn store_some_pairs(x: Self, y: Self, count: usize, rows: &mut [[Self::Num; 2]]) {
        if count == Self::WIDTH {
            Self::store_pairs(x, y, rows);
        } else {
            for (i, row) in rows[..count].iter_mut().enumerate() {
                *row = [x.get(i), y.get(i)];
            }
        }
    }
}

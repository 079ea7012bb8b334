//! Random numbers of a distribution, in operations that have the same bits everywhere.
//!
//! The platform's own `ln` and `exp` differ between machines. Those here use `+ - * /` and `sqrt`
//! alone, each rounded as IEEE 754 says, in a stated order, so bits repeat. Errors are relative unless
//! stated otherwise.

use crate::math::{hash2, unit_f64};

/// ln 2 in two parts: the first has few enough bits for exact products with small whole numbers.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// The natural logarithm of a positive, normal number; error below 4e-16 or, near 1, 2e-16 absolute.
///
/// # Panics
/// In debug builds, when the number is not positive and normal.
pub fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0, "the logarithm of {x}");
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh((m − 1) / (m + 1)); the square is below 0.0295.
    let share = (mantissa - 1.0) / (mantissa + 1.0);
    let square = share * share;
    let mut sum = 0.0;
    for odd in (3..=23).rev().step_by(2) {
        sum = (sum + 1.0 / f64::from(odd)) * square;
    }
    let whole = exponent as f64;
    2.0 * share + (2.0 * share * sum + whole * LN_2[1]) + whole * LN_2[0]
}

/// e to the power of a number from -700 to 700; error below 1e-15.
///
/// # Panics
/// In debug builds, when the number lies outside.
pub fn exp(x: f64) -> f64 {
    debug_assert!(x.abs() <= 700.0, "e to the power of {x}");
    let whole = (x * std::f64::consts::LOG2_E + 0.5).floor();
    let rest = x - whole * LN_2[0] - whole * LN_2[1];
    let mut sum = 1.0;
    for term in (1..=18).rev() {
        sum = 1.0 + rest * sum / f64::from(term);
    }
    sum * f64::from_bits(((whole as i64 + 1023) as u64) << 52)
}

/// What a standard normal number is below with probability `p`, above 0 and below 1; error below
/// 1e-15 (Wichura 1988, algorithm AS 241).
pub fn normal_quantile(p: f64) -> f64 {
    let from_middle = p - 0.5;
    if from_middle.abs() <= 0.425 {
        let r = 0.180_625 - from_middle * from_middle;
        return from_middle * ratio(r, &MIDDLE);
    }
    let tail = if from_middle < 0.0 { p } else { 1.0 - p };
    let r = (-ln(tail.max(f64::MIN_POSITIVE))).sqrt();
    let far = if r <= 5.0 { ratio(r - 1.6, &SHOULDER) } else { ratio(r - 5.0, &TAIL) };
    if from_middle < 0.0 { -far } else { far }
}

/// A ratio of two polynomials, lowest power first.
fn ratio(x: f64, [above, below]: &[[f64; 8]; 2]) -> f64 {
    let polynomial = |terms: &[f64; 8]| terms.iter().rev().fold(0.0, |sum, term| sum * x + term);
    polynomial(above) / polynomial(below)
}

#[expect(clippy::excessive_precision, reason = "as they are published")]
const MIDDLE: [[f64; 8]; 2] = [
    [
        3.387_132_872_796_366_608_0,
        1.331_416_678_917_843_774_5e+2,
        1.971_590_950_306_551_442_7e+3,
        1.373_169_376_550_946_112_5e+4,
        4.592_195_393_154_987_145_7e+4,
        6.726_577_092_700_870_085_3e+4,
        3.343_057_558_358_812_810_5e+4,
        2.509_080_928_730_122_672_7e+3,
    ],
    [
        1.0,
        4.231_333_070_160_091_125_2e+1,
        6.871_870_074_920_579_083_0e+2,
        5.394_196_021_424_751_107_7e+3,
        2.121_379_430_158_659_586_7e+4,
        3.930_789_580_009_271_061_0e+4,
        2.872_908_573_572_194_267_4e+4,
        5.226_495_278_852_854_561_0e+3,
    ],
];

#[expect(clippy::excessive_precision, reason = "as they are published")]
const SHOULDER: [[f64; 8]; 2] = [
    [
        1.423_437_110_749_683_577_34,
        4.630_337_846_156_545_295_90,
        5.769_497_221_460_691_405_50,
        3.647_848_324_763_204_605_04,
        1.270_458_252_452_368_382_58,
        2.417_807_251_774_506_117_70e-1,
        2.272_384_498_926_918_458_33e-2,
        7.745_450_142_783_414_076_40e-4,
    ],
    [
        1.0,
        2.053_191_626_637_758_821_87,
        1.676_384_830_183_803_849_40,
        6.897_673_349_851_000_045_50e-1,
        1.481_039_764_274_800_745_90e-1,
        1.519_866_656_361_645_719_66e-2,
        5.475_938_084_995_344_946_00e-4,
        1.050_750_071_644_416_843_24e-9,
    ],
];

#[expect(clippy::excessive_precision, reason = "as they are published")]
const TAIL: [[f64; 8]; 2] = [
    [
        6.657_904_643_501_103_777_20,
        5.463_784_911_164_114_369_90,
        1.784_826_539_917_291_335_80,
        2.965_605_718_285_048_912_30e-1,
        2.653_218_952_657_612_309_30e-2,
        1.242_660_947_388_078_438_60e-3,
        2.711_555_568_743_487_578_15e-5,
        2.010_334_399_292_288_132_65e-7,
    ],
    [
        1.0,
        5.998_322_065_558_879_376_90e-1,
        1.369_298_809_227_358_053_10e-1,
        1.487_536_129_085_061_485_25e-2,
        7.868_691_311_456_132_591_00e-4,
        1.846_318_317_510_054_681_80e-5,
        1.421_511_758_316_445_888_70e-7,
        2.044_263_103_389_939_785_64e-15,
    ],
];

/// Largest mean of one product of uniform numbers: larger means are cut into parts.
const LARGEST_PART: f64 = 8.0;

/// A whole number of the Poisson distribution with a mean of 0 or more, from random bits: uniform
/// numbers are multiplied until the product is below e to the power of −mean (Knuth 1969).
pub fn poisson(mean: f64, bits: u64) -> u64 {
    let parts = (mean / LARGEST_PART).ceil().max(1.0);
    let least = exp(-mean / parts);
    let (mut count, mut draw) = (0, 0);
    for _ in 0..parts as u64 {
        let mut product = 1.0;
        loop {
            product *= unit_f64(hash2(bits, draw));
            draw += 1;
            if product < least || product == 0.0 {
                break;
            }
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{exp, ln, normal_quantile, poisson};
    use crate::math::hash2;

    #[test]
    fn logarithms_and_powers_are_inverse_and_known() {
        assert_eq!(ln(1.0), 0.0);
        assert!((ln(10.0) - std::f64::consts::LN_10).abs() < 1e-15);
        assert!((ln(2.0) - std::f64::consts::LN_2).abs() < 1e-16);
        assert!((exp(1.0) / std::f64::consts::E - 1.0).abs() < 1e-15);
        assert_eq!(exp(0.0), 1.0);
        for i in -6_900..=6_900 {
            let x = f64::from(i) / 10.0;
            assert!((ln(exp(x)) - x).abs() <= 4e-15 * x.abs().max(1.0), "{x}: {}", ln(exp(x)));
        }
    }

    /// The probability of being below `x`: Simpson's rule over the density from -12.
    fn below(x: f64) -> f64 {
        let density = |t: f64| exp(-0.5 * t * t) / (2.0 * std::f64::consts::PI).sqrt();
        let (from, steps) = (-12.0, 20_000);
        let width = (x - from) / f64::from(steps);
        let weight = |i: i32| match i {
            0 => 1.0,
            i if i == steps => 1.0,
            i => f64::from(2 + 2 * (i & 1)),
        };
        let sum: f64 = (0..=steps).map(|i| weight(i) * density(from + f64::from(i) * width)).sum();
        sum * width / 3.0
    }

    #[test]
    fn normal_quantiles_are_those_of_the_density() {
        assert_eq!(normal_quantile(0.5), 0.0);
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
        for p in [1e-9, 1e-6, 0.001, 0.05, 0.074, 0.076, 0.3, 0.6, 0.925, 0.95, 0.9999, 1.0 - 1e-9]
        {
            let found = below(normal_quantile(p));
            assert!((found - p).abs() < 1e-13 + 1e-9 * p.min(1.0 - p), "{p}: {found}");
        }
    }

    #[test]
    fn poisson_numbers_have_their_mean_and_variance() {
        for (i, mean) in [0.0, 0.01, 0.4, 3.0, 8.0, 8.1, 40.0].into_iter().enumerate() {
            let draws = 40_000;
            let all: Vec<f64> =
                (0..draws).map(|k| poisson(mean, hash2(i as u64, k)) as f64).collect();
            let average = all.iter().sum::<f64>() / draws as f64;
            let variance =
                all.iter().map(|n| (n - average) * (n - average)).sum::<f64>() / draws as f64;
            // Five standard deviations of the mean, and of the variance.
            let n = f64::from(draws as u32);
            assert!((average - mean).abs() <= 5.0 * (mean / n).sqrt(), "{mean}: {average}");
            let spread = ((mean + 2.0 * mean * mean) / n).sqrt();
            assert!((variance - mean).abs() <= 5.0 * spread, "{mean}: {variance}");
        }
    }
}

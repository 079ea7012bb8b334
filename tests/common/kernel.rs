//! A kernel as a test sees it: the same bits on 8 lanes and on one, and near a plain formula.

use throng::lane::{Lane, Numbers};
use throng::math::{Fx, hash3, unit_f64};

/// Lengths 0 to 3 blocks and 2 more.
const LENGTHS: std::ops::RangeInclusive<usize> = 0..=26;

/// A kernel as a function from rows of numbers to rows of numbers.
pub(crate) trait Kernel {
    /// Calls the kernel once, for the rows in the lanes.
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L>;
    /// The numbers that row `row` gets.
    fn inputs(&self, row: u64) -> Vec<f64>;
    /// What a plain formula gives; `None` where the formula is not defined.
    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>>;
}

/// The outputs of `rows` rows, `L` lanes at a time; the last block is padded with its last row.
pub(crate) fn run<L: Lane, K: Kernel>(kernel: &K, rows: usize) -> Vec<Vec<L::Num>> {
    use throng::math::Num;
    let table: Vec<Vec<L::Num>> = (0..rows as u64)
        .map(|row| kernel.inputs(row).into_iter().map(L::Num::from_f64).collect())
        .collect();
    let mut outputs = Vec::new();
    for first in (0..rows).step_by(L::WIDTH) {
        let row = |lane: usize| &table[(first + lane).min(rows - 1)];
        let inputs: Vec<L> = (0..row(0).len()).map(|i| L::from_fn(|lane| row(lane)[i])).collect();
        let result = kernel.call::<L>(&inputs);
        for lane in 0..L::WIDTH.min(rows - first) {
            outputs.push(result.iter().map(|column| column.get(lane)).collect());
        }
    }
    outputs
}

pub(crate) fn check_in<N: Numbers, K: Kernel>(kernel: &K, tolerance: f64) {
    let mut compared = 0;
    for rows in LENGTHS.chain([1_000]) {
        let wide = run::<N::Wide, K>(kernel, rows);
        let single = run::<N::Single, K>(kernel, rows);
        for (row, (wide, single)) in wide.iter().zip(&single).enumerate() {
            let bits = |numbers: &[N]| numbers.iter().map(|n| n.bits()).collect::<Vec<_>>();
            let inputs = kernel.inputs(row as u64);
            assert_eq!(bits(wide), bits(single), "row {row} of {rows}: {inputs:?}");
            let exact: Vec<f64> = inputs.iter().map(|&v| N::from_f64(v).to_f64()).collect();
            let Some(expected) = kernel.expected(&exact) else { continue };
            compared += 1;
            for (value, expected) in wide.iter().zip(expected) {
                let difference = (value.to_f64() - expected).abs();
                assert!(difference <= tolerance, "row {row}: {value:?}, not {expected}: {exact:?}");
            }
        }
    }
    assert!(compared > 500, "the formula must be defined for most rows");
}

pub(crate) fn check<K: Kernel>(kernel: &K, f32_tolerance: f64, fixed_tolerance: f64) {
    check_in::<f32, K>(kernel, f32_tolerance);
    check_in::<Fx, K>(kernel, fixed_tolerance);
}

/// Tests of kernels: the name of each, the kernel, and the tolerances of [`check`].
macro_rules! check_kernels {
    ($($test:ident: $kernel:expr, $f32:expr, $fixed:expr;)+) => {$(
        #[test]
        fn $test() {
            check(&$kernel, $f32, $fixed);
        }
    )+};
}
pub(crate) use check_kernels;

/// A random number for (stream, row) in `low .. high`.
pub(crate) fn random(stream: u64, row: u64, low: f64, high: f64) -> f64 {
    low + (high - low) * unit_f64(hash3(7, stream, row))
}

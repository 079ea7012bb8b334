//! What the tests share: maps from a seed, data files, oracles and a walker.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test program uses a part")]

/// Makes a test in `f32` and one in fixed point of each of these functions, which are generic over the
/// number type.
macro_rules! in_both {
    ($($check:ident),+ $(,)?) => {$(
        mod $check {
            #[test]
            fn f32() {
                super::$check::<f32>();
            }

            #[test]
            fn fixed() {
                super::$check::<throng::math::Fx>();
            }
        }
    )+};
}

pub(crate) mod battle;
pub(crate) mod crowd;
pub(crate) mod data;
pub(crate) mod generated;
pub(crate) mod golden;
pub(crate) mod kernel;
pub(crate) mod meeting;
pub(crate) mod mesh_ground;
pub(crate) mod mesh_rows;
pub(crate) mod oracle;
pub(crate) mod ranks;
pub(crate) mod scenarios;
pub(crate) mod stage;
pub(crate) mod steering;
pub(crate) mod strips;
pub(crate) mod sweep;
pub(crate) mod terrain;
pub(crate) mod thinkers;
pub(crate) mod walker;

/// A number of random cases; the failing one is printed, not written to a file.
pub(crate) fn cases(count: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases: count, failure_persistence: None, ..Default::default() }
}

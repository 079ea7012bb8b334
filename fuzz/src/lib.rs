//! Fuzz targets for everything that throng reads. See `README.md`.

// Beside the test that runs them on stable Rust, which is packaged with the engine.
#[path = "../../tests/fuzz_corpus/targets/mod.rs"]
pub mod targets;

#[doc(hidden)]
pub use libfuzzer_sys;

use targets::Target;
use targets::mutate::Random;

/// Makes a fuzz target of a [`Target`].
#[macro_export]
macro_rules! fuzz {
    ($target:expr) => {
        use $crate::libfuzzer_sys;
        libfuzzer_sys::fuzz_target!(init: $crate::begin(), |bytes: &[u8]| {
            ($target.run)(bytes);
        });
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
            $crate::mutate(&$target, data, size, most, seed)
        });
    };
}

/// Does without threads: a world of a fuzz target is too small for them.
pub fn begin() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("there is no other pool");
}

/// Changes an input: as its bytes are, or with knowledge of its format.
pub fn mutate(target: &Target, data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut random = Random::new(u64::from(seed));
    if random.below(3) == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, most);
    }
    let mut part = |piece: &mut Vec<u8>, _: &mut Random| {
        let size = piece.len();
        piece.resize(size + 64, 0);
        let size = libfuzzer_sys::fuzzer_mutate(piece, size, size + 64);
        piece.truncate(size);
    };
    let new = (target.mutate)(&data[..size], &mut random, &mut part);
    let size = new.len().min(most);
    data[..size].copy_from_slice(&new[..size]);
    size
}

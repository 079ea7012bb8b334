//! The machine that is measured.

use std::fs;
use std::hint::black_box;
use std::process::Command;

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use crate::bench::seconds;

/// Numbers in each of the three lists of the triad: 32 MiB, far more than caches hold.
const TRIAD: usize = 4 << 20;
/// Numbers that a thread takes at a time.
const PART: usize = 1 << 16;

/// A machine, and what this build asks of it.
#[derive(Debug, Serialize)]
pub(super) struct Machine {
    pub(super) processor: String,
    pub(super) build: String,
    pub(super) threads: u32,
    /// Bytes that go through memory in `a[i] = b[i] + s · c[i]`, by one thread and by all, in GB/s (STREAM,
    /// McCalpin 1995).
    pub(super) triad_gb_s: [f64; 2],
}

impl Machine {
    /// This machine; by all threads of the present pool, and by `one`.
    pub(super) fn measured(one: &ThreadPool) -> Self {
        let threads = rayon::current_num_threads() as u32;
        Self {
            processor: processor(),
            build: build(),
            threads,
            triad_gb_s: [one.install(triad), triad()],
        }
    }
}

fn triad() -> f64 {
    let [b, c] = [1.5, 2.5].map(|number| vec![number; TRIAD]);
    let mut a = vec![0.0_f64; TRIAD];
    let seconds = seconds(|| {
        let parts = a.par_chunks_mut(PART).zip(b.par_chunks(PART)).zip(c.par_chunks(PART));
        parts.for_each(|((a, b), c)| {
            for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                *a = b + 3.0 * c;
            }
        });
        black_box(&a);
    });
    (3 * size_of::<f64>() * TRIAD) as f64 / seconds / 1e9
}

/// The name of the processor, as far as the system tells it.
fn processor() -> String {
    let name = || {
        let text = fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let asked = || {
        let sysctl =
            Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        let name = String::from_utf8(sysctl.stdout).ok()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    };
    let told = || std::env::var("PROCESSOR_IDENTIFIER").ok();
    let unknown = || format!("a processor of the kind {}", std::env::consts::ARCH);
    name().or_else(asked).or_else(told).unwrap_or_else(unknown)
}

/// What the program was built for.
fn build() -> String {
    let arch = std::env::consts::ARCH;
    let lanes = match () {
        () if cfg!(target_feature = "avx512f") => " with AVX-512",
        () if cfg!(target_feature = "avx2") => " with AVX2",
        () if cfg!(target_feature = "avx") => " with AVX",
        () if cfg!(target_feature = "sse2") => " with SSE2",
        () if cfg!(target_feature = "neon") => " with NEON",
        () if cfg!(target_feature = "simd128") => " with simd128",
        () => "",
    };
    format!("{arch}{lanes}")
}

//! Whether this machine can run this build.

use std::hint::black_box;

/// What a processor must have for a build with AVX2 (x86-64-v3).
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
fn check_processor() -> Result<(), String> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // The build may assume AVX2, so only the processor itself can be asked.
    let highest = __cpuid(0).eax;
    let basic = __cpuid(1).ecx;
    let beyond = __cpuid(0x8000_0000).eax;
    let lzcnt = if beyond > 0x8000_0000 { __cpuid(0x8000_0001).ecx >> 5 } else { 0 };
    let extended = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let bits = [
        ("FMA", basic >> 12),
        ("MOVBE", basic >> 22),
        ("AVX", basic >> 28),
        ("XSAVE for AVX (switched on by the system)", basic >> 27),
        ("F16C", basic >> 29),
        ("LZCNT", lzcnt),
        ("BMI1", extended >> 3),
        ("AVX2", extended >> 5),
        ("BMI2", extended >> 8),
    ];
    let missing: Vec<&str> = bits.iter().filter(|(_, bit)| bit & 1 == 0).map(|b| b.0).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!(
        "it is built for x86-64-v3, and this processor lacks {}. Build it for any x86-64 with\n  \
         RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n\
         The results are the same bits; it is slower.",
        missing.join(", ")
    ))
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
fn check_processor() -> Result<(), String> {
    Ok(())
}

/// Refuses a machine on which results would differ, by its processor or by the modes in which the
/// program was started.
///
/// # Errors
/// Why results would differ here, in words.
pub fn check() -> Result<(), String> {
    check_processor()?;
    if black_box(f32::MIN_POSITIVE) * black_box(0.5) == 0.0 {
        return Err("it flushes denormal numbers to zero, so its results would differ".into());
    }
    // Far less than half a step from 1, up and down: only the nearest number is 1 both times.
    let single = [1e-20, -1e-20].map(|little| black_box(1_f32) + black_box(little) == 1.0);
    let double = [1e-40, -1e-40].map(|little| black_box(1_f64) + black_box(little) == 1.0);
    if [single, double] != [[true; 2]; 2] {
        let why = "it does not round to the nearest number, so its results would differ";
        return Err(why.into());
    }
    Ok(())
}

//! Random numbers as a pure function of their coordinates (seed, tick, id, stream).
//!
//! The mixer is SplitMix64's finalizer (Steele, Lea, Flood 2014): stateless, so neither threads nor
//! the order of calls can matter.

#[inline(always)]
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 64 random bits of a pair.
#[inline(always)]
pub fn hash2(a: u64, b: u64) -> u64 {
    mix(mix(a) ^ b)
}

/// 64 random bits of a triple.
#[inline(always)]
pub fn hash3(a: u64, b: u64, c: u64) -> u64 {
    mix(hash2(a, b) ^ c)
}

/// Random bits as a number in `[0, 1)`.
#[inline(always)]
pub fn unit_f64(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

//! How fast agents go on the ground under them: cost is time.

use crate::lane::Numbers;
use crate::map::PLAIN;

/// Speed on ground of every slowness as a share of that on plain ground. On forbidden ground, which
/// has none, it is that of the slowest there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeedFactors<N>([N; 256]);

impl<N: Numbers> Default for SpeedFactors<N> {
    fn default() -> Self {
        let speed_factor = |slowness: usize| {
            let slowness = if slowness == 0 { 255.0 } else { slowness as f64 };
            N::from_f64(f64::from(PLAIN) / slowness)
        };
        Self(std::array::from_fn(speed_factor))
    }
}

impl<N: Numbers> SpeedFactors<N> {
    /// The share on ground of a slowness in 1/16; 0 is forbidden.
    #[inline(always)]
    pub(crate) fn of(&self, slowness: u8) -> N {
        self.0[usize::from(slowness)]
    }
}

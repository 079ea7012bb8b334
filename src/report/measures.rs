//! How deep agents overlap.

use crate::map::Map;
use crate::par;
use crate::report::Crowd;
use crate::report::disc_grid::DiscGrid;

/// Overlap in metres up to which two discs count as touching only.
pub const CONTACT: f64 = 1e-4;

/// How agents' discs overlap at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlaps {
    /// The deepest overlap, metres; 0 without pairs.
    pub max_overlap_m: f64,
    /// The largest share of the smaller disc's radius that an overlap takes; up to 1 + R/r, when
    /// one centre lies on the other.
    pub max_overlap_radii: f64,
    /// Pairs whose discs overlap by more than [`CONTACT`].
    pub pairs: u64,
}

impl Overlaps {
    /// The worse of two moments or of two parts of a crowd: the deeper overlaps, and the pairs of
    /// both.
    fn join(self, other: Self) -> Self {
        Self {
            max_overlap_m: self.max_overlap_m.max(other.max_overlap_m),
            max_overlap_radii: self.max_overlap_radii.max(other.max_overlap_radii),
            pairs: self.pairs + other.pairs,
        }
    }

    /// The worse of two moments: the larger of each number.
    pub fn worse(self, other: Self) -> Self {
        let pairs = self.pairs.max(other.pairs);
        Self { pairs, ..self.join(other) }
    }
}

/// Bins of a [`Depths`] to a radius.
const BINS: f64 = 256.0;

/// Bins at most: all that is deeper than 64 radii is in the last.
const MAX_BINS: usize = 64 * 256;

/// Depths beyond which [`Depths::deeper`] counts, in radii.
pub const DEEP: [f64; 3] = [0.25, 0.5, 1.0];

/// How deep the pairs of a crowd overlap, at one moment or at several together.
///
/// The depth of a pair is the length by which its discs overlap, as a share of the smaller radius:
/// (r + R - d) / r. It is 2 when one of two equal discs lies on the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Depths {
    /// The deepest, and the number of pairs.
    pub overlaps: Overlaps,
    /// Pairs deeper than each of [`DEEP`].
    pub deeper: [u64; 3],
    /// Pairs by depth: bin `i` from `i / BINS` on.
    bins: Vec<u64>,
}

impl Depths {
    /// Takes in a pair that overlaps by so many metres, with `radius` the smaller one.
    fn take(&mut self, depth_m: f64, radius: f64) {
        let depth = depth_m / radius;
        let pair = Overlaps { max_overlap_m: depth_m, max_overlap_radii: depth, pairs: 1 };
        self.overlaps = self.overlaps.join(pair);
        for (count, limit) in self.deeper.iter_mut().zip(DEEP) {
            *count += u64::from(depth > limit);
        }
        let bin = ((depth * BINS) as usize).min(MAX_BINS - 1);
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
    }

    /// Takes in the pairs of another moment or of another part of the crowd.
    pub fn add(&mut self, other: &Self) {
        self.overlaps = self.overlaps.join(other.overlaps);
        self.deeper.iter_mut().zip(other.deeper).for_each(|(count, more)| *count += more);
        self.bins.resize(self.bins.len().max(other.bins.len()), 0);
        self.bins.iter_mut().zip(&other.bins).for_each(|(count, more)| *count += more);
    }

    fn join(mut self, other: Self) -> Self {
        self.add(&other);
        self
    }

    /// The depth up to which this share of the overlapping pairs goes, in radii, rounded up to the
    /// next 1/256 but never above the deepest; 0 without pairs.
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = ((share * self.overlaps.pairs as f64).ceil() as u64).max(1);
        let mut pairs = 0;
        let bin = self.bins.iter().position(|&count| {
            pairs += count;
            pairs >= wanted
        });
        let deepest = self.overlaps.max_overlap_radii;
        bin.filter(|&bin| bin + 1 < MAX_BINS)
            .map_or(deepest, |bin| deepest.min((bin + 1) as f64 / BINS))
    }
}

/// The deepest of all overlapping pairs of a crowd, and their number; see [`depths`].
pub fn overlaps(crowd: &Crowd, map: &Map) -> Overlaps {
    depths(crowd, map).overlaps
}

/// All overlapping pairs of a crowd. Positions that are not finite and radii that are not positive
/// are left out. The result does not depend on the order of rows nor on threads. About 30 ms for
/// 1,000,000 agents on 4 cores; the time grows with the pairs.
pub fn depths(crowd: &Crowd, map: &Map) -> Depths {
    crowd.check();
    let Some(grid) = DiscGrid::new(crowd, map) else { return Depths::default() };
    let parts = par::runs(grid.discs().len(), 4096, |slots| {
        let mut found = Depths::default();
        slots.for_each(|slot| depths_of(&grid, slot, &mut found));
        found
    });
    parts.into_iter().fold(Depths::default(), Depths::join)
}

/// The overlaps of one disc with smaller ones, and with those of its size in later slots.
fn depths_of(grid: &DiscGrid, slot: usize, found: &mut Depths) {
    let disc = grid.discs()[slot];
    let (x, y, radius) = (f64::from(disc.x), f64::from(disc.y), f64::from(disc.radius));
    for slots in grid.near(x, y, 2.0 * radius) {
        for (at, other) in slots.clone().zip(&grid.discs()[slots]) {
            let (dx, dy) = (f64::from(other.x) - x, f64::from(other.y) - y);
            let other_radius = f64::from(other.radius);
            let reach = radius + other_radius - CONTACT;
            let squared = dx * dx + dy * dy;
            let own = other_radius < radius || (other_radius == radius && at > slot);
            if own && reach > 0.0 && squared < reach * reach {
                found.take(radius + other_radius - squared.sqrt(), other_radius);
            }
        }
    }
}

//! Straight lines over cells: the one line of sight of maps, navigators and waypoints.
//!
//! Every cell that the line touches is looked at, in exact whole numbers: Amanatides & Woo, "A Fast
//! Voxel Traversal Algorithm for Ray Tracing", 1987, with both cells beside a corner.

use crate::map::Clearance;
use crate::math::each::Each;

impl Clearance {
    /// Whether the straight line between the centres of two cells (padded indices, on the raster)
    /// touches only passable cells that are no slower than `slowest`, not even a corner of others.
    pub fn sees(&self, from: u32, to: u32, slowest: u8) -> bool {
        is_clear(self.slowness(), self.stride(), from, to, |slowness| slowness <= slowest)
    }
}

/// Whether every cell that the straight line between the centres of two cells touches is passable
/// and of a slowness that `accepts` takes. There are none off the raster.
pub(crate) fn is_clear(
    slowness: &[u8],
    stride: u32,
    from: u32,
    to: u32,
    accepts: impl Fn(u8) -> bool,
) -> bool {
    let open = |cell: i64| {
        let slowness = slowness.get(cell as usize).copied().unwrap_or(0);
        slowness != 0 && accepts(slowness)
    };
    let [from, to, stride] = [from, to, stride].each(i64::from);
    let (across, down) = (to % stride - from % stride, to / stride - from / stride);
    let (side, row) = (across.signum(), stride * down.signum());
    let (across, down) = (across.abs(), down.abs());
    let mut cell = from;
    // Twice the area between the line and the next corner, signed: which side is left first.
    let mut corner = down - across;
    while cell != to {
        if !open(cell) {
            return false;
        }
        if corner < 0 {
            cell += side;
            corner += 2 * down;
        } else if corner > 0 {
            cell += row;
            corner -= 2 * across;
        } else {
            if !open(cell + side) || !open(cell + row) {
                return false;
            }
            cell += side + row;
            corner += 2 * (down - across);
        }
    }
    open(to)
}

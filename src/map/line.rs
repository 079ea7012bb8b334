//! Straight lines over cells.

use crate::map::Clearance;

impl Clearance {
    /// Whether the straight line between the centres of two cells (padded indices, on the raster)
    /// touches only passable cells that are no slower than `slowest`, not even a corner of others.
    ///
    /// Every cell that the line touches is looked at, in exact whole numbers: Amanatides & Woo, "A
    /// Fast Voxel Traversal Algorithm for Ray Tracing", 1987, with both cells beside a corner.
    pub fn sees(&self, from: u32, to: u32, slowest: u8) -> bool {
        let stride = i64::from(self.stride());
        let open = |cell: i64| {
            let slowness = self.slowness()[cell as usize];
            slowness != 0 && slowness <= slowest
        };
        let (from, to) = (i64::from(from), i64::from(to));
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
}

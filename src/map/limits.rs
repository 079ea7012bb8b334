//! How large a map may be.
//!
//! **Distances.** A field stores `i32` distances, 256 for one plain cell. The step into a cell of
//! slowness s costs at most 16·s, and any two cells of a component are joined by a way of
//! orthogonal steps that enters no cell twice. So no distance exceeds the sum of 16·s over all open
//! cells, and that is enough for every map of up to 8 Mi plain cells, whatever is later taken away
//! from it. A larger sum is not refused at once: a breadth-first tree from one cell r of each
//! component gives every cell x a way from r of cost U(x); two cells a, b are never farther apart
//! than U(a) + U(b), so twice the greatest U bounds the component.

use crate::map::MapError;

/// Most bytes of a map file, a picture among them, and of all tilesets of a map: 256 MiB.
pub const MAX_FILE: u64 = 256 << 20;
/// Most elements, attributes and texts of a file of XML.
pub(super) const MAX_NODES: u32 = 1 << 20;
/// Most cells a side.
pub const MAX_SIDE: u32 = 16_384;
/// Most cells of a map.
pub const MAX_CELLS: u64 = 64 << 20;
/// Longest side in metres.
pub const MAX_EXTENT: f64 = 16_384.0;
/// Greatest distance of a field, 256 a plain cell.
pub const MAX_DISTANCE: i32 = 0x7fff_0000;

/// Cells that the classes of a world may have in all: 1 GiB of memory.
const MAX_CLASS_CELLS: u64 = 1 << 27;
/// Classes of a world at most, however small its map is.
const MAX_CLASSES: u64 = 1024;

/// Classes, kinds of agents by size and costs of ground, that a world on a map of so many cells may
/// have: at least 8.
pub fn max_classes(cells: u64) -> usize {
    (MAX_CLASS_CELLS / cells.max(1)).clamp(8, MAX_CLASSES) as usize
}

/// Up to this sum of 16·s no distance needs a look.
pub(super) const MAX_SUM: u64 = MAX_DISTANCE as u64;

/// Checks sides that are not known to fit 32 bits.
pub(crate) fn sides(width: u64, height: u64) -> Result<(u32, u32), MapError> {
    let limit = u64::from(MAX_SIDE);
    if (1..=limit).contains(&width) && (1..=limit).contains(&height) {
        Ok((width as u32, height as u32))
    } else {
        Err(MapError::Size { width, height, limit: MAX_SIDE })
    }
}

/// Checks that there are as many cells as a map of these sides has.
pub(crate) fn check_count(width: u32, height: u32, found: usize) -> Result<(), MapError> {
    let (found, expected) = (found as u64, u64::from(width) * u64::from(height));
    if found == expected {
        return Ok(());
    }
    Err(MapError::CellCount { width, height, found, expected })
}

/// Checks sides, their product and the cell size in metres.
///
/// # Errors
/// [`MapError::Size`], [`MapError::TooManyCells`] and [`MapError::CellSize`].
pub fn check_size(width: u32, height: u32, cell_size: f64) -> Result<(), MapError> {
    sides(u64::from(width), u64::from(height))?;
    let cells = u64::from(width) * u64::from(height);
    if cells > MAX_CELLS {
        return Err(MapError::TooManyCells { width, height, cells, limit: MAX_CELLS });
    }
    let extent = f64::from(width.max(height)) * cell_size;
    if cell_size > 0.0 && extent <= MAX_EXTENT {
        Ok(())
    } else {
        Err(MapError::CellSize { cell_size, width, height, limit: MAX_EXTENT })
    }
}

/// Checks that no distance on a padded raster of slowness can exceed [`MAX_DISTANCE`], and returns
/// what none does exceed.
pub(crate) fn check_distances(slowness: &[u8], stride: u32) -> Result<u64, MapError> {
    let limit = MAX_DISTANCE as u64;
    let sum: u64 = slowness.iter().map(|&s| u64::from(s) * 16).sum();
    if sum <= limit {
        return Ok(sum);
    }
    let bound = 2 * farthest(slowness, stride as usize);
    if bound <= limit { Ok(bound) } else { Err(MapError::DistanceBound { bound, limit }) }
}

/// Greatest cost U of a breadth-first way from the first cell of a component to any of its cells.
fn farthest(slowness: &[u8], stride: usize) -> u64 {
    // 0 is a cell not seen yet; costs saturate far above the limit.
    let mut cost = vec![0_u32; slowness.len()];
    let mut wave = Vec::new();
    let mut next = Vec::new();
    let mut greatest = 0;
    for root in 0..slowness.len() {
        if slowness[root] == 0 || cost[root] != 0 {
            continue;
        }
        cost[root] = 16 * u32::from(slowness[root]);
        wave.push(root);
        while !wave.is_empty() {
            for &cell in &wave {
                greatest = greatest.max(cost[cell]);
                for other in [cell - stride, cell - 1, cell + 1, cell + stride] {
                    if slowness[other] != 0 && cost[other] == 0 {
                        cost[other] = cost[cell].saturating_add(16 * u32::from(slowness[other]));
                        next.push(other);
                    }
                }
            }
            wave.clear();
            std::mem::swap(&mut wave, &mut next);
        }
    }
    u64::from(greatest)
}

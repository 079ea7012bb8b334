//! Discs sorted by place, so that near ones are found. Plain and independent of the engine's grid.

use std::ops::Range;

use crate::map::Map;
use crate::math::each::Each;
use crate::par;
use crate::report::Crowd;

/// Agents that one task sorts.
const CHUNK: usize = 1 << 15;

/// Bands of rows, each sorted by one task.
const BANDS: usize = 64;

/// A disc, metres, and the row of its agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Disc {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) radius: f32,
    pub(crate) row: u32,
}

/// The discs of a crowd, sorted by square cells, row by row. Discs outside the box lie in its
/// outermost cells.
pub(crate) struct DiscGrid {
    origin: [f64; 2],
    /// Cells per metre.
    scale: f64,
    columns: usize,
    rows: usize,
    /// First slot of each cell, and the number of discs.
    starts: Vec<u32>,
    discs: Vec<Disc>,
}

/// The discs of some agents with their cells, band after band, and where each band begins.
struct Sorted {
    discs: Vec<(u32, Disc)>,
    bands: Vec<usize>,
}

impl DiscGrid {
    /// Sorts the discs whose position is finite and whose radius is positive; `None` without any.
    pub(crate) fn new(crowd: &Crowd, map: &Map) -> Option<Self> {
        let mut grid = Self::lay_out(crowd, map)?;
        let band_rows = grid.rows.div_ceil(BANDS);
        let chunks: Vec<Sorted> = par::runs(crowd.len(), CHUNK, |rows| {
            let disc = |row: usize| {
                let [x, y] = crowd.positions[row];
                Disc { x, y, radius: crowd.radius(row), row: row as u32 }
            };
            grid.sort_by_band(rows.map(disc), band_rows)
        });
        let count = chunks.iter().map(|chunk| chunk.discs.len()).sum();
        grid.discs.resize(count, Disc::default());
        grid.starts.resize(grid.columns * grid.rows + 1, count as u32);
        let (mut discs, mut starts) = (&mut grid.discs[..], &mut grid.starts[..]);
        let (mut tasks, mut first) = (Vec::new(), 0);
        for band in 0..BANDS {
            let parts: Vec<&[(u32, Disc)]> = chunks
                .iter()
                .map(|chunk| &chunk.discs[chunk.bands[band]..chunk.bands[band + 1]])
                .collect();
            let count = parts.iter().map(|part| part.len()).sum();
            let cells = (band_rows * grid.columns).min(starts.len() - 1);
            let (own_discs, own_starts);
            (own_discs, discs) = discs.split_at_mut(count);
            (own_starts, starts) = starts.split_at_mut(cells);
            tasks.push((band * band_rows * grid.columns, first, parts, own_starts, own_discs));
            first += count as u32;
        }
        par::each(&mut tasks, &|(cell, slot, parts, starts, discs)| {
            sort_by_cell(*cell as u32, *slot, parts, starts, discs);
        });
        Some(grid)
    }

    /// The box and the cell size: a mean diameter, or more, so that cells stay fewer than 4 an
    /// agent.
    fn lay_out(crowd: &Crowd, map: &Map) -> Option<Self> {
        let mut counts = vec![0u64; crowd.radii.len()];
        for &group in crowd.groups {
            counts[group as usize] += 1;
        }
        let sized = counts.iter().zip(crowd.radii).filter(|&(_, &radius)| is_size(radius));
        let (sum, discs) = sized.fold((0.0, 0), |(sum, discs), (&count, &radius)| {
            (sum + count as f64 * f64::from(radius), discs + count)
        });
        let [min, max] = bounds(crowd, map)?;
        if discs == 0 {
            return None;
        }
        let [width, height] = [max[0] - min[0], max[1] - min[1]];
        let limit = 4.0 * discs as f64 + 1024.0;
        let side = (2.0 * sum / discs as f64)
            .max((width * height / limit).sqrt())
            .max(width.max(height) / limit);
        let cells = |length: f64| (length / side) as usize + 1;
        let (columns, rows) = (cells(width), cells(height));
        let (starts, discs) = (Vec::new(), Vec::new());
        Some(Self { origin: min, scale: 1.0 / side, columns, rows, starts, discs })
    }

    fn sort_by_band(&self, discs: impl Iterator<Item = Disc>, band_rows: usize) -> Sorted {
        let band = |cell: u32| cell as usize / (band_rows * self.columns);
        let counts = |disc: &Disc| disc.x.is_finite() && disc.y.is_finite() && is_size(disc.radius);
        let cells: Vec<(u32, Disc)> = discs
            .filter(counts)
            .map(|disc| {
                let row = self.row(f64::from(disc.y));
                ((row * self.columns + self.column(f64::from(disc.x))) as u32, disc)
            })
            .collect();
        let mut bands = vec![0; BANDS + 1];
        cells.iter().for_each(|&(cell, _)| bands[band(cell) + 1] += 1);
        (0..BANDS).for_each(|i| bands[i + 1] += bands[i]);
        let (mut next, mut sorted) = (bands.clone(), vec![(0, Disc::default()); cells.len()]);
        for entry in cells {
            let slot = &mut next[band(entry.0)];
            sorted[*slot] = entry;
            *slot += 1;
        }
        Sorted { discs: sorted, bands }
    }

    /// Column of a coordinate; casts saturate, so anything outside lands in an outermost column.
    fn column(&self, x: f64) -> usize {
        (((x - self.origin[0]) * self.scale) as usize).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        (((y - self.origin[1]) * self.scale) as usize).min(self.rows - 1)
    }

    /// All discs, by slot.
    pub(crate) fn discs(&self) -> &[Disc] {
        &self.discs
    }

    /// Slots of all discs whose centres may be within `reach` metres of a point.
    pub(crate) fn near(&self, x: f64, y: f64, reach: f64) -> impl Iterator<Item = Range<usize>> {
        let (left, right) = (self.column(x - reach), self.column(x + reach));
        (self.row(y - reach)..=self.row(y + reach)).map(move |row| {
            let first = row * self.columns;
            self.starts[first + left] as usize..self.starts[first + right + 1] as usize
        })
    }
}

/// Sorts one band's discs from all chunks by cell. `cell` and `slot` are its first ones.
fn sort_by_cell(
    cell: u32,
    slot: u32,
    parts: &[&[(u32, Disc)]],
    starts: &mut [u32],
    discs: &mut [Disc],
) {
    if starts.is_empty() {
        return;
    }
    starts.fill(0);
    parts.iter().copied().flatten().for_each(|&(at, _)| starts[(at - cell) as usize] += 1);
    let mut next = 0;
    for start in starts.iter_mut() {
        next += std::mem::replace(start, next);
    }
    for &(at, disc) in parts.iter().copied().flatten() {
        let start = &mut starts[(at - cell) as usize];
        discs[*start as usize] = disc;
        *start += 1;
    }
    // Every start has moved to the end of its cell, which is the start of the next.
    starts.copy_within(..starts.len() - 1, 1);
    starts[0] = 0;
    starts.iter_mut().for_each(|start| *start += slot);
}

fn is_size(radius: f32) -> bool {
    radius.is_finite() && radius > 0.0
}

/// The box of all finite positions, but no more than one map beyond the map on each side, so that
/// one lost agent does not make every cell huge. `None` without a finite position.
fn bounds(crowd: &Crowd, map: &Map) -> Option<[[f64; 2]; 2]> {
    let nothing = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    let join = |(a, b): ([f32; 2], [f32; 2]), (c, d): ([f32; 2], [f32; 2])| {
        ([a[0].min(c[0]), a[1].min(c[1])], [b[0].max(d[0]), b[1].max(d[1])])
    };
    let parts = par::runs(crowd.len(), CHUNK, |rows| {
        let finite = crowd.positions[rows].iter().filter(|[x, y]| x.is_finite() && y.is_finite());
        finite.map(|&at| (at, at)).fold(nothing, join)
    });
    let (min, max) = parts.into_iter().fold(nothing, join);
    if min[0] > max[0] {
        return None;
    }
    let size = [map.width(), map.height()].each(|cells| f64::from(cells) * map.cell_size());
    let held = |at: f32, axis: usize| f64::from(at).clamp(-size[axis], 2.0 * size[axis]);
    Some([[held(min[0], 0), held(min[1], 1)], [held(max[0], 0), held(max[1], 1)]])
}

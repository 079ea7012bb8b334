//! Sectors, and the portals on the borders between them.

use crate::data::sets;
use crate::graph::rows::Rows;
use crate::map::Clearance;
use crate::math::each::Each;
use crate::par;
use std::ops::Range;

/// Cells to a side of a sector.
pub const SECTOR: u32 = 32;

/// Most cells of a portal.
const LONGEST: u32 = 16;

/// A run of cells along a border that can be crossed. It is on the right or lower border of the
/// sector that its near side belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portal {
    /// The near side's cell that stands for the portal, as a padded index.
    cell: u32,
    /// Cells of the run before that one.
    before: u8,
    /// Cells of the run.
    count: u8,
    /// Whether the far side is below, not on the right.
    down: bool,
}

impl Portal {
    /// Cells of the run.
    pub fn count(&self) -> u32 {
        u32::from(self.count)
    }

    /// Place of the pair of cells that stands for the portal among those of the run.
    pub fn middle(&self) -> u32 {
        u32::from(self.before)
    }

    /// A pair of cells of the run, near side first, on a map of some stride.
    pub fn pair(&self, place: u32, stride: u32) -> [u32; 2] {
        let (along, across) = if self.down { (1, stride) } else { (stride, 1) };
        let near = self.cell + place * along - self.middle() * along;
        [near, near + across]
    }
}

/// The sectors of a map and their portals. Portals are numbered in the order of the sectors, row by
/// row, of each the right border and then the lower one, along the border. Cells are padded
/// indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    width: u32,
    height: u32,
    /// Sectors to a row.
    columns: u32,
    rows: u32,
    /// Portals by border; a sector's borders are 2·sector, the right one, and 2·sector + 1, the lower
    /// one.
    portals: Rows<Portal>,
}

impl Layout {
    /// The portals of a class's map.
    pub fn new(class: &Clearance) -> Self {
        let width = class.stride() - 2;
        let height = class.slowness().len() as u32 / class.stride() - 2;
        let (columns, rows) = (width.div_ceil(SECTOR), height.div_ceil(SECTOR));
        let mut layout = Self { width, height, columns, rows, portals: Rows::default() };
        let borders = 2 * layout.sectors() as usize;
        let found = par::map(borders, 8, |border| layout.border(class, border as u32));
        found.into_iter().for_each(|portals| layout.portals.extend(portals));
        layout
    }

    /// Finds the portals again after cells have changed, and returns the sectors whose cells or
    /// portals are others now, ascending.
    pub(crate) fn repair(&mut self, class: &Clearance, changed: &[u32]) -> Vec<u32> {
        let touched = changed.iter().filter_map(|&cell| self.sector_at(cell));
        let mut touched = sets::distinct(touched);
        let borders = touched.iter().flat_map(|&sector| self.borders(sector)).flatten();
        let borders = sets::distinct(borders);
        let mut portals = Rows::default();
        let mut next = borders.iter().copied().peekable();
        for border in 0..2 * self.sectors() {
            let old = self.portals.row(border as usize);
            if next.next_if_eq(&border).is_some() {
                let new = self.border(class, border);
                if new != old {
                    touched.extend(self.beside(border));
                }
                portals.extend(new);
            } else {
                portals.extend(old.iter().copied());
            }
        }
        self.portals = portals;
        sets::distinct(touched)
    }

    /// The sectors on both sides of a border that is not the map's edge.
    fn beside(&self, border: u32) -> [u32; 2] {
        let sector = border / 2;
        [sector, sector + if border.is_multiple_of(2) { 1 } else { self.columns }]
    }

    /// The left, upper, right and lower border of a sector; `None` on the map's edge.
    fn borders(&self, sector: u32) -> [Option<u32>; 4] {
        let (x, y) = (sector % self.columns, sector / self.columns);
        [
            (x > 0).then(|| 2 * (sector - 1)),
            (y > 0).then(|| 2 * (sector - self.columns) + 1),
            (x + 1 < self.columns).then_some(2 * sector),
            (y + 1 < self.rows).then_some(2 * sector + 1),
        ]
    }

    fn range(&self, border: u32) -> Range<u32> {
        let Range { start, end } = self.portals.range(border as usize);
        start as u32..end as u32
    }

    /// Finds the portals of a border.
    fn border(&self, class: &Clearance, border: u32) -> Vec<Portal> {
        let (sector, down) = (border / 2, !border.is_multiple_of(2));
        let (columns, rows) = self.cells(sector);
        let (edge, end) = if down { (rows.end, self.height) } else { (columns.end, self.width) };
        if edge == end {
            return Vec::new();
        }
        let stride = self.stride();
        let (start, along, across, count) = if down {
            (self.index(columns.start, edge - 1), 1, stride, columns.end - columns.start)
        } else {
            (self.index(edge - 1, rows.start), stride, 1, rows.end - rows.start)
        };
        let open = |place: u32| {
            let cell = start + place * along;
            class.passable(cell) && class.passable(cell + across)
        };
        let mut found = Vec::new();
        let mut place = 0;
        while place < count {
            let run = (place..count).take_while(|&place| open(place)).count() as u32;
            let parts = run.div_ceil(LONGEST);
            for part in 0..parts {
                let (begin, end) = (run * part / parts, run * (part + 1) / parts);
                let before = (end - begin) / 2;
                let cell = start + (place + begin + before) * along;
                let count = (end - begin) as u8;
                found.push(Portal { cell, before: before as u8, count, down });
            }
            place += run + 1;
        }
        found
    }

    /// Sectors; they are numbered row by row.
    pub fn sectors(&self) -> u32 {
        self.columns * self.rows
    }

    /// Sectors to a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Cells from one row of a padded raster to the next.
    pub fn stride(&self) -> u32 {
        self.width + 2
    }

    /// Padded index of a cell.
    pub(crate) fn index(&self, x: u32, y: u32) -> u32 {
        (y + 1) * self.stride() + x + 1
    }

    /// The sector of a cell, which must not be padding.
    pub fn sector(&self, cell: u32) -> u32 {
        let (x, y) = (cell % self.stride() - 1, cell / self.stride() - 1);
        y / SECTOR * self.columns + x / SECTOR
    }

    /// The sector of a cell; `None` for padding and off the raster.
    pub fn sector_at(&self, cell: u32) -> Option<u32> {
        let (x, y) = (cell % self.stride(), cell / self.stride());
        let inside = (1..=self.width).contains(&x) && (1..=self.height).contains(&y);
        inside.then(|| self.sector(cell))
    }

    /// Columns and rows of a sector's cells, without padding.
    pub fn cells(&self, sector: u32) -> (Range<u32>, Range<u32>) {
        let (x, y) = (sector % self.columns * SECTOR, sector / self.columns * SECTOR);
        (x..(x + SECTOR).min(self.width), y..(y + SECTOR).min(self.height))
    }

    /// The left, upper, right and lower neighbour of a sector.
    pub fn neighbours(&self, sector: u32) -> [Option<u32>; 4] {
        let mut offset = [-1, -(self.columns as i32), 1, self.columns as i32].into_iter();
        self.borders(sector).each(|border| {
            let offset = offset.next().unwrap_or(0);
            border.map(|_| sector.wrapping_add_signed(offset))
        })
    }

    /// Index of a cell in the window of a sector that holds it, or that it lies beside.
    pub(crate) fn window_index(&self, cell: u32, sector: u32) -> usize {
        let (columns, rows) = self.cells(sector);
        let (x, y) = (cell % self.stride(), cell / self.stride());
        ((y - rows.start) as usize) * super::SIDE + (x - columns.start) as usize
    }

    /// Index of a cell among those of its sector, row by row, as of a whole sector.
    pub(crate) fn tile_index(&self, cell: u32) -> usize {
        let (x, y) = (cell % self.stride() - 1, cell / self.stride() - 1);
        (y % SECTOR * SECTOR + x % SECTOR) as usize
    }

    /// Padded index of a cell of a sector's window.
    pub(crate) fn padded_index(&self, window_index: usize, sector: u32) -> u32 {
        let (columns, rows) = self.cells(sector);
        let (x, y) = (window_index % super::SIDE, window_index / super::SIDE);
        (y as u32 + rows.start) * self.stride() + x as u32 + columns.start
    }

    /// Portals of the map.
    pub fn node_count(&self) -> u32 {
        self.portals.items().len() as u32
    }

    /// A portal.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn portal(&self, node: u32) -> Portal {
        self.portals[node as usize]
    }

    /// Both sides of a portal, near side first: the sector and the cell that stands for the portal.
    pub fn sides(&self, node: u32) -> [(u32, u32); 2] {
        let portal = self.portal(node);
        portal.pair(portal.middle(), self.stride()).each(|cell| (self.sector(cell), cell))
    }

    /// The sector on the other side of a portal.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn other_sector(&self, node: u32, sector: u32) -> u32 {
        let [(near, _), (far, _)] = self.sides(node);
        if near == sector { far } else { near }
    }

    /// The cell that stands for a portal on its side in a sector.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn cell_in(&self, sector: u32, node: u32) -> u32 {
        let [(near, a), (_, b)] = self.sides(node);
        if near == sector { a } else { b }
    }

    /// The portals on the left, upper, right and lower border of a sector. A portal's place in the
    /// sector counts through all four.
    pub fn nodes(&self, sector: u32) -> [Range<u32>; 4] {
        self.borders(sector).map(|border| border.map_or(0..0, |border| self.range(border)))
    }

    /// The place of a portal in a sector that it belongs to.
    pub(crate) fn place(&self, sector: u32, node: u32) -> u32 {
        let mut before = 0;
        for range in self.nodes(sector) {
            if range.contains(&node) {
                return before + node - range.start;
            }
            before += range.end - range.start;
        }
        unreachable!("portal {node} is not in sector {sector}")
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.portals.bytes()
    }
}

//! The directions of one sector.
//!
//! **What.** Let D(p) be a portal's distance and T⁰ of a sector the any-angle distances inside it
//! from its goals and its portals, each cell of a portal being seeded with D(p) and the cost of
//! going along the portal to the cell that stands for it. A tile holds the directions down T¹: the
//! distances of the sector integrated from its goals and from T⁰ of the four sectors beside it, in
//! a frame of one cell.
//!
//! **Why no way goes round in circles.** D is such that T⁰ of a sector is nowhere above what any of
//! its portals, crossed from there, is seeded with on the other side: coming from a portal costs
//! what integrating from its seeds gives, and crossing one costs the slower cell. Integration only
//! falls when what it starts from falls, so T¹ is nowhere above T⁰. A step out of a sector by a cell's
//! direction leads to a cell of the frame whose T⁰ was below the cell's own T¹; beyond the border
//! T¹ is no more than that. So along a way distances fall at every step, within sectors and across
//! borders.
//!
//! A tile depends on the map, the goals and D alone, not on other tiles.

use crate::graph::portals::{CELLS, Layout, LocalSearch, SECTOR, SIDE, UNREACHED};
use crate::map::Clearance;
use crate::map::area::GoalCells;
use crate::math::hash2;
use crate::nav::corridor::integrate;
use crate::nav::field;
use crate::nav::field::{SOLID, direction};

/// Directions of a tile.
pub(super) const TILE: usize = (SECTOR * SECTOR) as usize;

/// What tiles of one goal are made from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) class: &'a Clearance,
    pub(super) layout: &'a Layout,
    pub(super) goals: &'a GoalCells,
    /// Distance of every portal.
    pub(super) distances: &'a [u32],
}

/// Memory for making tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct TileMaker {
    pub(super) local: LocalSearch,
    /// T⁰ beyond the left, upper, right and lower border.
    rings: [Vec<u32>; 4],
    signed: Vec<i32>,
    rows: Vec<u32>,
}

/// Window indices of a border's cells: the first one and the step, of the own cells beside the
/// left, upper, right and lower frame.
const EDGES: [(usize, usize); 4] =
    [(SIDE + 1, SIDE), (SIDE + 1, 1), (2 * SIDE - 2, SIDE), (SIDE * (SIDE - 2) + 1, 1)];

/// Offset from an own cell to the frame on each side.
const OUT: [isize; 4] = [-1, -(SIDE as isize), 1, SIDE as isize];

impl TileMaker {
    /// Writes the directions of a sector, row by row, over `target`.
    pub(super) fn make(&mut self, source: Source<'_>, sector: u32, target: &mut Vec<u32>) {
        let Source { class, layout, goals, .. } = source;
        for (side, neighbour) in layout.neighbours(sector).into_iter().enumerate() {
            self.rings[side].clear();
            let Some(neighbour) = neighbour else { continue };
            self.integrate_plain(source, neighbour);
            // The border that both share, seen from the other side.
            let (first, step) = EDGES[(side + 2) % 4];
            let cells = (0..SECTOR as usize).map(|place| first + place * step);
            let Self { local, rings, .. } = self;
            rings[side].extend(cells.map(|cell| local.distance(cell)));
        }
        self.local.load(class, layout, sector);
        self.fill_frame(class, layout, sector);
        integrate::seed_goals(&mut self.local, class, layout, sector, goals.seeds());
        integrate::integrate(&mut self.local);
        self.write(target);
        integrate::each_inside(layout, sector, goals.area(), |_, index| {
            let (x, y) = (index % SIDE - 1, index / SIDE - 1);
            let direction = &mut target[y * SECTOR as usize + x];
            if *direction != SOLID {
                *direction |= direction::GOAL_AREA;
            }
        });
    }

    /// T⁰ of a sector.
    fn integrate_plain(&mut self, source: Source<'_>, sector: u32) {
        let Source { class, layout, goals, distances } = source;
        self.local.load(class, layout, sector);
        integrate::seed_goals(&mut self.local, class, layout, sector, goals.seeds());
        for node in layout.nodes(sector).into_iter().flatten() {
            let distance = distances[node as usize];
            if distance != UNREACHED {
                let portal = (node, distance);
                integrate::seed_portal(&mut self.local, class, layout, sector, portal);
            }
        }
        integrate::integrate(&mut self.local);
    }

    /// Writes the rings into the frame, and seeds the cells beside it.
    fn fill_frame(&mut self, class: &Clearance, layout: &Layout, sector: u32) {
        let Self { local, rings, .. } = self;
        for ((ring, (first, step)), out) in rings.iter().zip(EDGES).zip(OUT) {
            for (place, &distance) in ring.iter().enumerate() {
                let cell = first + place * step;
                local.distances[cell.wrapping_add_signed(out)] = distance;
            }
        }
        // A corner stops a direction only when it is solid; how far it is does not matter.
        for corner in [0, SIDE - 1, CELLS - SIDE, CELLS - 1] {
            if class.passable(layout.padded_index(corner, sector)) {
                local.distances[corner] = UNREACHED - 1;
            }
        }
        for (first, step) in EDGES {
            for cell in (0..SECTOR as usize).map(|place| first + place * step) {
                let near = |a: usize, b: usize| local.distances[a].min(local.distances[b]);
                let (x, y) = (near(cell - 1, cell + 1), near(cell - SIDE, cell + SIDE));
                if local.slowness[cell] != 0 && x.min(y) != UNREACHED {
                    let distance = integrate::step(local.slowness[cell], x, y);
                    local.seed(cell, distance);
                }
            }
        }
    }

    /// Directions down the distances.
    fn write(&mut self, target: &mut Vec<u32>) {
        let Self { local, signed, rows, .. } = self;
        let least = local.distances.iter().copied().min().unwrap_or(0);
        let relative = |&distance: &u32| match distance {
            UNREACHED => field::UNREACHED,
            _ => (distance - least).min(i32::MAX as u32 - 1) as i32,
        };
        signed.clear();
        signed.extend(local.distances.iter().map(relative));
        rows.resize(SECTOR as usize * SIDE, SOLID);
        direction::write_rows(signed, SIDE as u32, 1, rows);
        target.clear();
        for row in rows.chunks_exact(SIDE) {
            target.extend_from_slice(&row[1..SIDE - 1]);
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let rings: usize = self.rings.iter().map(Vec::capacity).sum();
        let words = rings + self.signed.capacity() + self.rows.capacity();
        self.local.bytes() + 4 * words as u64
    }
}

/// A hash of the distances that a tile depends on, relative to each other, and of what they belong
/// to.
pub(super) fn inputs(source: Source<'_>, sector: u32) -> u64 {
    let Source { layout, distances, .. } = source;
    let around = layout.neighbours(sector).into_iter().flatten().chain([sector]);
    let nodes = || around.clone().flat_map(|sector| layout.nodes(sector)).flatten();
    let distance = |node: u32| distances[node as usize];
    // Goals are at 0, so where there are any, distances count as they are.
    let least = nodes().map(distance).min().unwrap_or(0);
    let mut hash = hash2(u64::from(has_goals(source, sector)), 0);
    let base = if has_goals(source, sector) { 0 } else { least };
    for node in nodes() {
        let relative = match distance(node) {
            UNREACHED => u64::MAX,
            distance => u64::from(distance - base),
        };
        hash = hash2(hash2(hash, u64::from(layout.sides(node)[0].1)), relative);
    }
    hash
}

/// Whether there are goals in a sector or beside it.
fn has_goals(source: Source<'_>, sector: u32) -> bool {
    let Source { layout, goals, .. } = source;
    let mut around = layout.neighbours(sector).into_iter().flatten().chain([sector]);
    around.any(|sector| {
        let mut found = false;
        integrate::each_inside(layout, sector, goals.seeds(), |_, _| found = true);
        found
    })
}

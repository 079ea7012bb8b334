//! Any-angle distances inside one sector; see [`eikonal`](crate::nav::field::eikonal).

use crate::graph::portals::{Layout, LocalSearch, SIDE};
use crate::map::Clearance;
use crate::math::each::Each;
use crate::nav::field::eikonal::update;

/// The distance of a cell from the smaller distance of each axis, one of which is reached.
#[inline(always)]
pub(super) fn step(slowness: u8, horizontal: u32, vertical: u32) -> u32 {
    let lo = horizontal.min(vertical);
    let d = (horizontal.max(vertical) - lo).min(16 * u32::from(slowness));
    lo.saturating_add(update(slowness, 0, d as i32) as u32)
}

/// Integrates a sector from its seeds, and from distances in its frame, which stay as they are.
pub(super) fn integrate(local: &mut LocalSearch) {
    let LocalSearch { slowness, distances, queue, .. } = local;
    queue.begin();
    while let Some(cell) = queue.next(distances) {
        let cell = usize::from(cell);
        let here = distances[cell];
        // If the cell beyond is nearer, that one improves the neighbour, or did; the frame did when
        // the cells beside it were seeded.
        let mut lower = |other: usize, along: usize, before: usize, after: usize| {
            let old = distances[other];
            if old <= here || slowness[other] == 0 || distances[along] < here {
                return;
            }
            let across = distances[before].min(distances[after]);
            let new = step(slowness[other], here, across);
            if new < old {
                distances[other] = new;
                queue.lower(other as u16, old, new);
            }
        };
        let (up, down) = (cell - SIDE, cell + SIDE);
        lower(up, up.wrapping_sub(SIDE), up - 1, up + 1);
        lower(cell - 1, cell.wrapping_sub(2), up - 1, down - 1);
        lower(cell + 1, cell + 2, up + 1, down + 1);
        lower(down, down + SIDE, down - 1, down + 1);
    }
}

/// Calls `visit` with every cell of a portal on its side in a sector, and what it costs at most to
/// go there from the cell that stands for the portal, on either side.
pub(super) fn each_cell(
    class: &Clearance,
    layout: &Layout,
    sector: u32,
    node: u32,
    mut visit: impl FnMut(u32, u32),
) {
    let portal = layout.portal(node);
    let side = usize::from(layout.sides(node)[0].0 != sector);
    let pair = |place: u32| portal.pair(place, layout.stride());
    visit(pair(portal.middle())[side], 0);
    let mut cost = 0;
    for place in portal.middle() + 1..portal.count() {
        cost += slowest(class, pair(place));
        visit(pair(place)[side], cost);
    }
    let mut cost = 0;
    for place in (0..portal.middle()).rev() {
        cost += slowest(class, pair(place));
        visit(pair(place)[side], cost);
    }
}

/// What crossing a portal costs at most.
pub(super) fn crossing(class: &Clearance, layout: &Layout, node: u32) -> u32 {
    let portal = layout.portal(node);
    let costs =
        (0..portal.count()).map(|place| slowest(class, portal.pair(place, layout.stride())));
    costs.max().unwrap_or(0)
}

/// What it costs to cross the slower cell of a pair.
fn slowest(class: &Clearance, pair: [u32; 2]) -> u32 {
    let [a, b] = pair.each(|cell| class.slowness()[cell as usize]);
    16 * u32::from(a.max(b))
}

/// Seeds all cells of a portal on its side in a sector.
pub(super) fn seed_portal(
    local: &mut LocalSearch,
    class: &Clearance,
    layout: &Layout,
    sector: u32,
    (node, distance): (u32, u32),
) {
    each_cell(class, layout, sector, node, |cell, cost| {
        local.seed(layout.window_index(cell, sector), distance.saturating_add(cost));
    });
}

/// Calls `visit` with those of some ascending cells that are in a sector.
pub(super) fn each_inside(
    layout: &Layout,
    sector: u32,
    cells: &[u32],
    mut visit: impl FnMut(u32, usize),
) {
    let (columns, rows) = layout.cells(sector);
    for y in rows {
        let (first, end) = (layout.index(columns.start, y), layout.index(columns.end, y));
        let skipped = cells.partition_point(|&cell| cell < first);
        for &cell in cells[skipped..].iter().take_while(|&&cell| cell < end) {
            visit(cell, layout.window_index(cell, sector));
        }
    }
}

/// Seeds the goals in a sector; impassable ones are left out.
pub(super) fn seed_goals(
    local: &mut LocalSearch,
    class: &Clearance,
    layout: &Layout,
    sector: u32,
    goals: &[u32],
) {
    each_inside(layout, sector, goals, |cell, index| {
        if class.passable(cell) {
            local.seed(index, 0);
        }
    });
}

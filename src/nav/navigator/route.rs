//! Routes: the corners of a way over cells.

use crate::graph::grid::StepCosts;
use crate::graph::search::Found;
use crate::graph::{Grid, Search};
use crate::map::Clearance;
use crate::nav::navigator::Ground;

/// Points that a route holds at most; an agent that has passed the last asks for the rest.
pub const MAX_POINTS: usize = 8;

/// The first points of a way, as cells that see each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corners {
    /// The cells, the first `count` of them.
    pub cells: [u32; MAX_POINTS],
    /// How many there are.
    pub count: usize,
    /// Whether the last is the end of the way.
    pub is_whole: bool,
}

/// The cheapest way on the grid, of eight neighbours, of a class from a cell to one of some others
/// (ascending). The estimate is the octile distance to the rectangle around them, over the quickest
/// ground.
pub fn find(
    grid: &Grid,
    class: &Clearance,
    search: &mut Search,
    from: u32,
    seeds: &[u32],
) -> Option<Found> {
    let around = Around::new(class, seeds);
    let is_goal = |cell: u32| match seeds {
        [only] => cell == *only,
        _ => seeds.binary_search(&cell).is_ok(),
    };
    search.find(grid, &[(from, 0)], is_goal, |cell| around.octile(cell))
}

/// Nodes expanded between two looks at whether all ways are known.
const LOOK_EVERY: u32 = 256;

/// The cheapest ways on the grid of a class from several cells, each to the nearest of some seeds:
/// one search from the seeds outward, until it has reached all the cells that can be reached.
/// [`Search::parent`] of each of them is then the next cell on its way; the search counts what it
/// expanded. `starts` is memory.
pub(super) fn find_together(
    grid: &Grid,
    class: &Clearance,
    search: &mut Search,
    starts: &mut Vec<(u32, u32)>,
    [from, seeds]: [&[u32]; 2],
) {
    let around = Around::new(class, from);
    let estimate = |cell| around.octile(cell);
    starts.clear();
    starts.extend(seeds.iter().filter(|&&cell| class.passable(cell)).map(|&cell| (cell, 0)));
    search.begin(grid, starts, estimate);
    let mut known = 0;
    while let Some(found) = search.pop() {
        if search.expansions().is_multiple_of(LOOK_EVERY) {
            // The estimate is consistent, so what costs no more than this is final.
            let sum = found.cost.saturating_add(estimate(found.node));
            let is_known = |&cell: &u32| search.cost(cell).is_some_and(|cost| cost <= sum);
            known += from[known..].iter().take_while(|cell| is_known(cell)).count();
            if known == from.len() {
                return;
            }
        }
        search.expand(grid, found.node, estimate);
    }
}

/// The rectangle around some cells, to which distances are estimated.
struct Around<'a> {
    ground: Ground<'a>,
    /// Least and greatest column and row.
    bounds: [i32; 4],
    /// What steps over the quickest ground cost.
    costs: StepCosts,
}

impl<'a> Around<'a> {
    fn new(class: &'a Clearance, cells: &[u32]) -> Self {
        let ground = Ground::new(class);
        let mut bounds = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
        for &cell in cells {
            let [i, j] = ground.place(cell);
            bounds = [bounds[0].min(i), bounds[1].min(j), bounds[2].max(i), bounds[3].max(j)];
        }
        let costs = StepCosts::FINE.between(class.least(), class.least());
        Self { ground, bounds, costs }
    }

    /// The octile distance from a cell, over the quickest ground.
    #[inline(always)]
    fn octile(&self, cell: u32) -> u32 {
        let ([i, j], around) = (self.ground.place(cell), self.bounds);
        let x = (around[0] - i).max(i - around[2]).max(0);
        let y = (around[1] - j).max(j - around[3]).max(0);
        self.costs.octile(x as u32, y as u32)
    }
}

impl Corners {
    /// Appends a corner, if there is room.
    pub(super) fn push(&mut self, cell: u32) -> bool {
        let room = self.count < MAX_POINTS;
        if room {
            self.cells[self.count] = cell;
            self.count += 1;
        }
        room
    }
}

/// The first corners of a way over cells, pulled tight between those where it turns. No way is cut
/// through ground of another slowness.
pub fn corners(ground: &Ground<'_>, way: &[u32]) -> Corners {
    let mut corners = Corners::default();
    corners.is_whole = each_corner(ground, way, |cell| corners.push(cell));
    corners
}

/// Calls `push` with the corners of a way over cells until it refuses one; says whether it took all.
pub(super) fn each_corner(
    ground: &Ground<'_>,
    way: &[u32],
    mut push: impl FnMut(u32) -> bool,
) -> bool {
    let Some((&start, _)) = way.split_first() else { return true };
    let turns = |at: usize| {
        at + 1 == way.len()
            || way[at].wrapping_sub(way[at - 1]) != way[at + 1].wrapping_sub(way[at])
    };
    let (mut anchor, mut last) = (start, start);
    for at in (1..way.len()).filter(|&at| turns(at)) {
        // Between turns the way is straight and free.
        if last != anchor && !ground.sees(anchor, way[at], true) {
            if !push(last) {
                return false;
            }
            anchor = last;
        }
        last = way[at];
    }
    push(last)
}

//! A walk without a world.

use crate::map::Clearance;
use crate::map::area::GoalCells;
use crate::nav::navigator::{Ground, Navigator, Walker};

/// Seed, limit of steps and crumbs of a [`walk()`].
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions<'a> {
    /// Seed of what is random.
    pub seed: u64,
    /// It gives up after so many steps.
    pub most_steps: u32,
    /// Crumbs for [`Navigator::Breadcrumbs`], oldest first.
    pub trail: &'a [u32],
}

impl Default for WalkOptions<'_> {
    fn default() -> Self {
        Self { seed: 1, most_steps: 100_000, trail: &[] }
    }
}

/// The way that a walker went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The cells, as padded indices, the start first.
    pub cells: Vec<u32>,
    /// Whether it came into the goal's area.
    pub arrived: bool,
}

/// Walks cell by cell from `start` into the area of a goal, by a navigator that goes [by
/// cells](Navigator::is_by_cells); by the others it stays where it is. Of a goal of several cells
/// walkers head for the middle one.
///
/// It ends in the area, where the navigator stops, or after `options.most_steps`.
pub fn walk(
    navigator: Navigator,
    class: &Clearance,
    start: u32,
    goals: &GoalCells,
    options: &WalkOptions<'_>,
) -> Walk {
    let ground = Ground::new(class);
    let is_in = |cell: u32| goals.area().binary_search(&cell).is_ok();
    let mut walk = Walk { cells: vec![start], arrived: is_in(start) };
    let seeds = goals.seeds();
    let Some(&goal) = seeds.get(seeds.len() / 2) else { return walk };
    let mut walker = Walker::new(&ground, start, goal);
    while !walk.arrived && walker.steps < options.most_steps {
        let next = walker.next(navigator, &ground, goal, options.seed, options.trail);
        let Some(next) = next else { break };
        walk.cells.push(next);
        walk.arrived = is_in(next);
    }
    walk
}

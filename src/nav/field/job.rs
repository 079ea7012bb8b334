//! One field from start to end.

use crate::map::Clearance;
use crate::map::area::GoalCells;
use crate::nav::field::eikonal::Solver;
use crate::nav::field::sight::Sight;
use crate::nav::field::{Costs, CrowdCosts, Progress, SOLID, direction};

/// A finished field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Direction of every cell, padded; see [`direction`].
    pub directions: Vec<u32>,
    /// Eikonal distance of every cell, padded, 256 for one plain cell.
    pub distances: Vec<i32>,
}

/// The field to some goals.
pub fn solve(class: &Clearance, goals: &GoalCells) -> Field {
    let mut job = Job::default();
    job.start(class, goals, Vec::new());
    while !job.advance(class, u32::MAX).done {}
    job.take()
}

/// The field to some goals around crowds.
pub fn solve_around(class: &Clearance, goals: &GoalCells, crowd: &CrowdCosts) -> Field {
    let mut job = Job::default();
    job.start_around(class, goals, crowd, Vec::new());
    while !job.advance(class, u32::MAX).done {}
    job.take()
}

/// Directions that cost one unit of work, the time of about one cell of the search.
const DIRECTIONS_PER_UNIT: u32 = 4;

/// Cells whose slowness among crowds costs one unit of work.
const RAISED_PER_UNIT: u32 = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    /// Rows before this one have their slowness among crowds.
    Raise(u32),
    #[default]
    Distances,
    /// Rows before this one are done.
    Directions(u32),
    Sight,
    Done,
}

/// A field in the making, with all the memory it needs. It can be stopped after any amount of work
/// and go on later; the field does not depend on it.
#[derive(Clone, Debug, Default)]
pub struct Job {
    step: Step,
    solver: Solver,
    sight: Sight,
    seeds: Vec<u32>,
    area: Vec<u32>,
    directions: Vec<u32>,
    crowd: CrowdCosts,
    /// Slowness of every cell among crowds; meant only where there are any.
    slowness: Vec<u8>,
}

impl Job {
    /// Prepares the field to some goals; impassable ones are left out. The directions are written
    /// into `directions`, whatever it holds.
    pub fn start(&mut self, class: &Clearance, goals: &GoalCells, directions: Vec<u32>) {
        self.prepare(class, goals, directions);
        self.crowd.clear();
        self.step = Step::Distances;
        self.solver.start(class, goals.seeds(), None);
    }

    /// Prepares the field to some goals around crowds, or none, in the memory of another field;
    /// [`Job::take`] gives it back.
    pub fn start_in(
        &mut self,
        class: &Clearance,
        goals: &GoalCells,
        crowd: &CrowdCosts,
        memory: Field,
    ) {
        self.solver.give_memory(memory.distances);
        self.start_around(class, goals, crowd, memory.directions);
    }

    /// Prepares the field to some goals around crowds, like [`Job::start`]. A crowd in the goal's own
    /// area costs nothing: there it has arrived. No cell is overwritten by a straight line.
    pub fn start_around(
        &mut self,
        class: &Clearance,
        goals: &GoalCells,
        crowd: &CrowdCosts,
        directions: Vec<u32>,
    ) {
        if crowd.is_free() {
            self.start(class, goals, directions);
            return;
        }
        self.prepare(class, goals, directions);
        self.crowd.clone_from(crowd);
        self.slowness.resize(class.slowness().len(), 0);
        self.step = Step::Raise(0);
    }

    fn prepare(&mut self, class: &Clearance, goals: &GoalCells, directions: Vec<u32>) {
        self.directions = directions;
        self.directions.resize(class.slowness().len(), SOLID);
        self.seeds.clear();
        self.seeds.extend_from_slice(goals.seeds());
        self.area.clear();
        self.area.extend_from_slice(goals.area());
    }

    /// Works on until done, or until `budget` units are used. A unit is a cell of the search, 16
    /// cells cleared or raised, 4 directions or a cell of the lines of sight; whole rows are not cut. `class`
    /// is the one it was started with.
    pub fn advance(&mut self, class: &Clearance, budget: u32) -> Progress {
        let mut work = 0;
        while self.step != Step::Done && work < budget {
            work += self.advance_step(class, budget - work);
        }
        Progress { work, done: self.step == Step::Done }
    }

    fn advance_step(&mut self, class: &Clearance, budget: u32) -> u32 {
        match self.step {
            Step::Raise(first) => self.advance_raise(class, first, budget),
            Step::Distances => {
                let costs = costs(class, &self.crowd, &self.slowness);
                let Progress { work, done } = self.solver.advance(costs, budget);
                if done {
                    self.step = Step::Directions(0);
                }
                work
            }
            Step::Directions(first) => self.advance_directions(class, first, budget),
            Step::Sight => {
                let Self { sight, solver, directions, .. } = self;
                let progress = sight.advance(class, solver.distances(), directions, budget);
                if progress.done {
                    self.mark_area();
                    self.step = Step::Done;
                }
                progress.work
            }
            Step::Done => 0,
        }
    }

    fn advance_raise(&mut self, class: &Clearance, first: u32, budget: u32) -> u32 {
        let stride = class.stride();
        let rows = self.slowness.len() as u32 / stride;
        let per_row = stride.div_ceil(RAISED_PER_UNIT);
        let count = (budget / per_row).max(1).min(rows - first);
        let (begin, end) = (first * stride, (first + count) * stride);
        self.crowd.raise(class, first, &mut self.slowness[begin as usize..end as usize]);
        self.step = Step::Raise(first + count);
        if first + count == rows {
            let own = class.slowness();
            for &cell in self.area.iter().filter(|&&cell| (cell as usize) < own.len()) {
                self.slowness[cell as usize] = own[cell as usize];
            }
            let costs = costs(class, &self.crowd, &self.slowness);
            self.solver.start(costs, &self.seeds, None);
            self.step = Step::Distances;
        }
        count * per_row
    }

    fn advance_directions(&mut self, class: &Clearance, first: u32, budget: u32) -> u32 {
        let stride = class.stride();
        let rows = self.directions.len() as u32 / stride;
        let per_row = stride.div_ceil(DIRECTIONS_PER_UNIT);
        let count = (budget / per_row).max(1).min(rows - first);
        let end = first + count;
        let start_of = |row: u32| row as usize * stride as usize;
        if first == 0 {
            self.directions[..stride as usize].fill(SOLID);
        }
        let (begin, stop) = (first.max(1), end.min(rows - 1));
        if begin < stop {
            let target = &mut self.directions[start_of(begin)..start_of(stop)];
            direction::write_rows(self.solver.distances(), stride, begin, target);
        }
        self.step = Step::Directions(end);
        if end == rows {
            self.directions[start_of(rows - 1)..].fill(SOLID);
            self.step = if self.crowd.is_free() {
                self.sight.start(class, &self.seeds);
                Step::Sight
            } else {
                self.mark_area();
                Step::Done
            };
        }
        count * per_row
    }

    fn mark_area(&mut self) {
        direction::mark_area(&mut self.directions, &self.area, |_| true);
    }

    /// Takes the directions out, finished or not.
    pub fn take_directions(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.directions)
    }

    /// Takes directions and distances out, finished or not.
    pub fn take(&mut self) -> Field {
        let directions = self.take_directions();
        Field { directions, distances: self.solver.take_distances() }
    }

    /// Bytes held, without the directions.
    pub fn workspace_bytes(&self) -> u64 {
        let lists = 4 * (self.seeds.capacity() + self.area.capacity()) as u64;
        let crowd = (self.crowd.extra().len() + self.slowness.capacity()) as u64;
        self.solver.bytes() + self.sight.bytes() + lists + crowd
    }
}

/// The costs that a job's search reads.
fn costs<'a>(class: &'a Clearance, crowd: &CrowdCosts, slowness: &'a [u8]) -> Costs<'a> {
    let plain = Costs::from(class);
    if crowd.is_free() { plain } else { Costs { slowness, greatest: u8::MAX, ..plain } }
}

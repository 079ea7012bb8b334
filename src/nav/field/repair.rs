//! A field after some cells have changed.

use crate::map::Clearance;
use crate::map::area::GoalCells;
use crate::nav::field::eikonal::DistanceRepair;
use crate::nav::field::marks::Marks;
use crate::nav::field::sight::Sight;
use crate::nav::field::{CellChanges, CrowdCosts, Field, Job, Progress, SOLID, direction};

/// A repair of distances gives way to a new field when it has looked at more than this share,
/// 1 / 10, of the cells that the new field takes.
const SHARE: u32 = 10;

/// Directions that cost one unit of work, the time of about one cell of the search.
const DIRECTIONS_PER_UNIT: u32 = 4;

/// Cells that are cleared, and directions that are made, in the time of a look at a distance.
const CLEARED_PER_LOOK: u32 = 64;
const DIRECTIONS_PER_LOOK: u32 = 16;

/// Words of 64 cells whose directions are one step of work.
const WORDS_PER_STEP: usize = 64;

/// Cells of the goal area that cost one unit of work.
const AREA_PER_UNIT: u32 = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    Distances,
    /// Looks for the cells whose sight of a goal may have changed.
    Behind,
    /// The directions of the cells before this word are done.
    Directions(usize),
    Sight,
    Area,
    /// Too much has changed: the field is made anew.
    Anew,
    #[default]
    Done,
}

/// A repair of a field, with all the memory it needs. It can be stopped after any amount of work and
/// go on later; the field does not depend on it: it is the one that [`Job`] makes on the changed
/// class, bit for bit.
///
/// The old directions stay in use until [`Repair::finish`]. Fields around crowds are not repaired.
///
/// ```
/// use throng::map::{Legend, Map};
/// use throng::nav::field::{CellChanges, GoalCells, Repair, solve};
///
/// let class = |rows| Map::from_rows(rows, &Legend::default(), 1.0).map(|map| map.class(0.4));
/// let before = class(&["......", "......", "......"])?;
/// let after = class(&["......", "..@@..", "......"])?;
/// let goals = GoalCells::point(before.stride() + 1);
///
/// let mut field = solve(&before, &goals);
/// let changes = CellChanges::between(&before, &after);
/// let mut repair = Repair::default();
/// repair.start(&after, &goals, &changes, std::mem::take(&mut field.distances));
/// while !repair.advance(&after, 1000).done {}
/// repair.finish(&mut field);
/// assert_eq!(field, solve(&after, &goals));
/// # Ok::<(), throng::map::MapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Repair {
    step: Step,
    distances: DistanceRepair,
    sight: Sight,
    job: Job,
    goals: GoalCells,
    changes: CellChanges,
    /// Cells whose direction is made again.
    marks: Marks,
    /// New directions: those of marked cells, or all when the field is made anew.
    directions: Vec<u32>,
    anew: bool,
    /// Looks at distances so far, and how many there may be.
    looks: u32,
    most_looks: u32,
}

impl Repair {
    /// Prepares the repair of the field to some goals. `distances` are those of the finished field,
    /// `changes` lead from the class it was made for to `class`.
    ///
    /// # Panics
    /// When the distances are not of the size of the class.
    pub fn start(
        &mut self,
        class: &Clearance,
        goals: &GoalCells,
        changes: &CellChanges,
        distances: Vec<i32>,
    ) {
        let (cells, found) = (class.slowness().len(), distances.len());
        assert!(found == cells, "{found} distances, a class of {cells} cells");
        drop(self.cancel());
        self.goals.clone_from(goals);
        self.changes.clone_from(changes);
        self.marks.clear(cells);
        self.directions.resize(cells, SOLID);
        self.anew = false;
        self.looks = 0;
        self.distances.start(class, goals.seeds(), changes, distances);
        self.begin(class);
    }

    /// Takes in later changes of the class before the repair is finished; from now on `class` is
    /// the one to work with.
    pub fn extend(&mut self, class: &Clearance, changes: &CellChanges) {
        self.changes.extend(changes);
        if self.anew {
            self.start_job(class);
            return;
        }
        self.distances.extend(class, self.goals.seeds(), changes);
        self.begin(class);
    }

    fn take_memory(&mut self) -> Field {
        let directions = std::mem::take(&mut self.directions);
        Field { directions, distances: self.distances.take_distances() }
    }

    fn begin(&mut self, class: &Clearance) {
        self.most_looks = work_of_new_field(class, self.goals.seeds()) / SHARE;
        self.step = Step::Distances;
        // All that is seen depends on the least slowness.
        let in_another_light = class.least() != self.changes.least_before();
        if in_another_light || self.changes.cells().len() > self.most_looks as usize {
            self.start_job(class);
        }
    }

    fn start_job(&mut self, class: &Clearance) {
        let memory = if self.anew { self.job.take() } else { self.take_memory() };
        self.job.start_in(class, &self.goals, &CrowdCosts::default(), memory);
        self.anew = true;
        self.step = Step::Anew;
    }

    /// Works on until done, or until `budget` units are used. A unit is a cell of the search or of
    /// the lines of sight, or 4 directions. `class` is the one of the last start or extension.
    pub fn advance(&mut self, class: &Clearance, budget: u32) -> Progress {
        let mut work = 0;
        while self.step != Step::Done && work < budget {
            work += self.advance_step(class, budget - work);
        }
        Progress { work, done: self.step == Step::Done }
    }

    fn advance_step(&mut self, class: &Clearance, budget: u32) -> u32 {
        match self.step {
            Step::Distances => self.advance_distances(class, budget),
            Step::Behind => {
                let Self { sight, changes, marks, .. } = self;
                let progress = sight.mark_behind(class, changes, marks, budget);
                if progress.done {
                    self.step = Step::Directions(self.first_word(class));
                }
                progress.work
            }
            Step::Directions(first) => self.advance_directions(class, first),
            Step::Sight => {
                let Self { sight, distances, marks, directions, .. } = self;
                let distances = distances.distances();
                let progress = sight.advance_marked(class, distances, marks, directions, budget);
                if progress.done {
                    self.step = Step::Area;
                }
                progress.work
            }
            Step::Area => self.mark_area(),
            Step::Anew => {
                let Progress { work, done } = self.job.advance(class, budget);
                if done {
                    self.step = Step::Done;
                }
                work
            }
            Step::Done => 0,
        }
    }

    fn advance_distances(&mut self, class: &Clearance, budget: u32) -> u32 {
        let left = self.most_looks - self.looks.min(self.most_looks);
        let Progress { work, done } = self.distances.advance(class, budget.min(left + 1));
        self.looks += work;
        if done {
            self.sight.start_behind(class, self.goals.seeds(), &self.changes);
            self.step = Step::Behind;
        } else if self.looks > self.most_looks {
            self.start_job(class);
        }
        work
    }

    /// The first word of the set of cells with a new direction.
    fn first_word(&self, class: &Clearance) -> usize {
        let reach = class.stride() as usize / 64 + 2;
        let changed = self.distances.changed().range();
        changed.start.saturating_sub(reach).min(self.marks.range().start)
    }

    /// The end of the words of that set.
    fn end_word(&self, class: &Clearance) -> usize {
        let reach = class.stride() as usize / 64 + 2;
        let changed = self.distances.changed().range();
        let grown = if changed.is_empty() { 0 } else { changed.end + reach };
        grown.max(self.marks.range().end).min(class.slowness().len().div_ceil(64))
    }

    /// Marks the cells around changed distances, and makes the directions of marked ones.
    fn advance_directions(&mut self, class: &Clearance, first: usize) -> u32 {
        let stride = class.stride() as usize;
        // The border has no directions.
        let inner = stride + 1..class.slowness().len() - stride - 1;
        let all = self.end_word(class);
        let end = (first + WORDS_PER_STEP).min(all);
        let Self { distances, marks, directions, .. } = self;
        let mut count = 0;
        for word in first..end {
            let grown = distances.changed().grown(word, stride);
            marks.add_word(word, grown & within(word, &inner));
            count += marks.count(word);
        }
        if first < end {
            marks.each_run(first..end, |run| {
                let target = &mut directions[run.clone()];
                direction::write_run(distances.distances(), class.stride(), run.start, target);
            });
        }
        self.step = Step::Directions(end);
        if end >= all {
            self.sight.start_marked(class, self.goals.seeds(), &self.marks);
            self.step = Step::Sight;
        }
        1 + count.div_ceil(DIRECTIONS_PER_UNIT)
    }

    fn mark_area(&mut self) -> u32 {
        let Self { goals, marks, directions, .. } = self;
        direction::mark_area(directions, goals.area(), |cell| marks.contains(cell));
        self.step = Step::Done;
        1 + goals.area().len() as u32 / AREA_PER_UNIT
    }

    /// Brings a field up to date once the repair is done: its directions are those of the field
    /// that was repaired; its distances, whatever they are, are replaced. This takes the time of the
    /// cells that change.
    ///
    /// # Panics
    /// When the repair is not done, or the directions are not of the size of the class.
    pub fn finish(&mut self, field: &mut Field) {
        assert!(self.step == Step::Done, "a repair is done before it is finished");
        if self.anew {
            let made = self.job.take();
            self.directions = std::mem::replace(&mut field.directions, made.directions);
            field.distances = made.distances;
            self.anew = false;
            return;
        }
        let (found, cells) = (field.directions.len(), self.directions.len());
        assert!(found == cells, "{found} directions, a class of {cells} cells");
        field.distances = self.distances.take_distances();
        self.marks.each_run(self.marks.range(), |run| {
            field.directions[run.clone()].copy_from_slice(&self.directions[run]);
        });
    }

    /// Ends the repair, done or not, and gives the memory of the distances back.
    pub fn cancel(&mut self) -> Vec<i32> {
        let Field { directions, distances } =
            if self.anew { self.job.take() } else { self.take_memory() };
        self.directions = directions;
        (self.anew, self.step) = (false, Step::Done);
        distances
    }

    /// Whether so much has changed that the field is made anew.
    pub fn is_anew(&self) -> bool {
        self.anew
    }

    /// Bytes held, without the distances of the field that is repaired.
    pub fn workspace_bytes(&self) -> u64 {
        let goals = 4 * (self.goals.seeds().len() + self.goals.area().len()) as u64;
        let own = 4 * self.directions.capacity() as u64 + self.marks.bytes() + goals;
        let parts = self.distances.workspace_bytes() + self.sight.bytes() + self.changes.bytes();
        own + parts + self.job.workspace_bytes()
    }
}

/// The cells of a word that are within a range.
fn within(word: usize, range: &std::ops::Range<usize>) -> u64 {
    let first = 64 * word;
    let below = |end: usize| match end.saturating_sub(first) {
        bits @ 0..64 => (1 << bits) - 1,
        _ => u64::MAX,
    };
    below(range.end) & !below(range.start)
}

/// What a new field takes, in cells of the search.
fn work_of_new_field(class: &Clearance, seeds: &[u32]) -> u32 {
    let cells = class.slowness().len() as u32;
    cells / CLEARED_PER_LOOK + cells / DIRECTIONS_PER_LOOK + reached(class, seeds)
}

/// Cells from which a goal can be reached; no less than that when their components take turns.
pub(super) fn reached(class: &Clearance, seeds: &[u32]) -> u32 {
    let (mut last, mut sum) = (0, 0_u32);
    for &seed in seeds {
        let component = class.component(seed);
        if component != 0 && component != last {
            sum = sum.saturating_add(class.component_size(component));
            last = component;
        }
    }
    sum.min(class.slowness().len() as u32)
}

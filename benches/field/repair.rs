//! Repairs beside new searches and new fields.

use crate::terrain;
use crate::terrain::Random;
use std::time::{Duration, Instant};
use throng::map::{Clearance, Map};
use throng::nav::field::eikonal::{DistanceRepair, Solver};
use throng::nav::field::{CellChanges, CrowdCosts, Field, GoalCells, Job, Repair};

/// Cells to the side of a building.
const SIDE: u32 = 8;
/// Each time is the least of so many.
const RUNS: u32 = 3;

/// Times of new and repaired, over all cases.
#[derive(Default)]
struct Times {
    cases: u32,
    new: Duration,
    repaired: Duration,
    /// Greatest time of a repair as a share of the new one.
    worst: f64,
    anew: u32,
}

impl Times {
    fn add(&mut self, new: Duration, repaired: Duration, anew: bool) {
        self.cases += 1;
        self.new += new;
        self.repaired += repaired;
        self.worst = self.worst.max(repaired.as_secs_f64() / new.as_secs_f64());
        self.anew += u32::from(anew);
    }

    #[allow(clippy::print_stdout, reason = "a benchmark reports to the screen")]
    fn print(&self, map: &str, what: &str) {
        let [new, repaired] = [self.new, self.repaired].map(|t| t.as_secs_f64());
        let to_ms = 1e3 / f64::from(self.cases);
        println!(
            "repair/{map:<9} {what:<10} new {:7.3} ms, repaired {:7.3} ms: {:6.1} times; worst {:.2} of \
             new, {} made anew",
            new * to_ms,
            repaired * to_ms,
            new / repaired,
            self.worst,
            self.anew,
        );
    }
}

/// The least time of some runs; what `prepare` and dropping the outcome take is not timed.
fn least<T, R>(mut prepare: impl FnMut() -> T, mut run: impl FnMut(T) -> R) -> Duration {
    let time = |_| {
        let prepared = prepare();
        let begin = Instant::now();
        let outcome = run(prepared);
        let time = begin.elapsed();
        drop(outcome);
        time
    };
    (0..RUNS).map(time).min().expect("a run")
}

/// All that is repaired, with its memory.
#[derive(Default)]
struct Bench {
    solver: Solver,
    job: Job,
    distances: DistanceRepair,
    field: Repair,
    times: [Times; 2],
}

impl Bench {
    /// One change of a map.
    fn case(&mut self, goal: u32, [before, after]: [&Clearance; 2]) {
        let changes = CellChanges::between(before, after);
        let goals = GoalCells::point(goal);
        let old = self.new_field(before, &goals, Field::default());
        let new = self.new_field(after, &goals, Field::default());

        let Self { solver, distances, .. } = self;
        distances.start(after, &[goal], &changes, old.distances.clone());
        distances.advance(after, u32::MAX);
        assert!(distances.distances() == new.distances);
        let made = least(
            || (),
            |()| {
                solver.start(after, &[goal], None);
                assert!(solver.advance(after, u32::MAX).done);
            },
        );
        let repaired = least(
            || old.distances.clone(),
            |old| {
                distances.start(after, &[goal], &changes, old);
                assert!(distances.advance(after, u32::MAX).done);
            },
        );
        self.times[0].add(made, repaired, false);

        let mut memory = Field::default();
        let made =
            least(|| (), |()| memory = self.new_field(after, &goals, std::mem::take(&mut memory)));
        let mut found = old.clone();
        let mut anew = false;
        let repair = &mut self.field;
        let repaired = least(
            || old.clone(),
            |mut field| {
                repair.start(after, &goals, &changes, std::mem::take(&mut field.distances));
                assert!(repair.advance(after, u32::MAX).done);
                anew = repair.is_anew();
                repair.finish(&mut field);
                std::mem::replace(&mut found, field)
            },
        );
        assert!(found == new);
        self.times[1].add(made, repaired, anew);
    }

    fn new_field(&mut self, class: &Clearance, goals: &GoalCells, memory: Field) -> Field {
        self.job.start_in(class, goals, &CrowdCosts::default(), memory);
        assert!(self.job.advance(class, u32::MAX).done);
        self.job.take()
    }
}

/// Prints a line for every map and every kind of field: the mean times of making it anew and of
/// repairing it after a building was put up or taken away, at so many places, all in one run.
pub(crate) fn print_table(maps: &[(&str, Map)], places: u32) {
    for (name, map) in maps {
        let mut random = Random(5);
        let free = map.class(0.4);
        let mut bench = Bench::default();
        for _ in 0..places {
            let goal = terrain::passable_cell(free.slowness(), random.below(1000));
            let goal = goal.expect("an open cell");
            let most = [map.width() - SIDE, map.height() - SIDE];
            let built = built(map, most.map(|most| random.below(most))).class(0.4);
            bench.case(goal, [&free, &built]);
            bench.case(goal, [&built, &free]);
        }
        for (times, what) in bench.times.iter().zip(["distances", "field"]) {
            times.print(name, what);
        }
    }
}

/// A map with a building on it.
fn built(map: &Map, [left, top]: [u32; 2]) -> Map {
    let (width, height) = (map.width(), map.height());
    let cell = |i: u32| {
        let (x, y) = (i % width, i / width);
        let inside = (left..left + SIDE).contains(&x) && (top..top + SIDE).contains(&y);
        if inside { 0 } else { map.slowness()[map.index(x, y) as usize] }
    };
    let cells: Vec<u8> = (0..width * height).map(cell).collect();
    Map::from_slowness(width, height, 1.0, &cells)
}

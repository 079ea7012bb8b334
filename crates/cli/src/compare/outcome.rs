//! Results of a method over the rows of a file, and whether it kept what it promises.

use crate::pathfinding::{Method, Promise, Way};

use crate::compare::rows::Row;

/// The result of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    row: Row,
    /// Whether there is a way, and whether one was found.
    exists: bool,
    found: bool,
    length: f64,
    /// The length in steps, where the way goes by them.
    stepped: Option<f64>,
    /// The shortest of all.
    best: f64,
    expansions: u64,
}

impl Asked {
    pub(super) fn new(way: &Way, row: &Row, best: Option<f64>) -> Self {
        Self {
            row: *row,
            exists: best.is_some(),
            found: way.found,
            length: way.length,
            stepped: way.steps.map(|steps| steps.length()),
            best: best.unwrap_or(0.0),
            expansions: way.expansions,
        }
    }

    /// Whether the row shows that the method does not keep what it promises. Where a file says that
    /// a way from one cell to another has no length, there is none.
    fn misses(&self, promise: Promise) -> bool {
        let none = self.row.length == 0.0 && self.row.from != self.row.to;
        let octile = |length: f64| (length - self.row.length).abs() <= self.row.tolerance;
        let shorter = self.found && self.length < self.best - 1e-6 * (1.0 + self.best);
        match promise {
            // Whatever was found, nothing is shorter than the shortest.
            _ if shorter => true,
            Promise::Nothing => false,
            _ if none => self.found,
            _ if !self.found || !self.exists => true,
            Promise::Found => false,
            Promise::Octile => !self.stepped.is_some_and(octile),
            Promise::Straight => self.length > self.row.length + self.row.tolerance,
        }
    }
}

/// Mean and largest of some ratios.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ratio {
    sum: f64,
    count: u64,
    most: f64,
}

impl Ratio {
    fn add(&mut self, length: f64, best: f64) {
        if best > 0.0 {
            self.sum += length / best;
            self.count += 1;
            self.most = self.most.max(length / best);
        }
    }

    fn join(&mut self, other: &Self) {
        self.sum += other.sum;
        self.count += other.count;
        self.most = self.most.max(other.most);
    }

    /// `None` without ratios.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// `None` without ratios.
    pub(super) fn most(&self) -> Option<f64> {
        (self.count > 0).then_some(self.most)
    }
}

/// The results of a method over a file, or over all.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) method: Method,
    pub(super) file: String,
    pub(super) rows: usize,
    pub(super) found: usize,
    /// Lengths over the lengths in the file, and over the shortest at any angle.
    pub(super) octile: Ratio,
    pub(super) shortest: Ratio,
    /// Rows that show that it does not keep its promise, and the line of the first.
    pub(super) missed: usize,
    pub(super) first_missed: Option<usize>,
    pub(super) expansions: u64,
    /// Published length and time in microseconds of the rows that were timed.
    pub(super) timed: Vec<[f64; 2]>,
    /// Published length and ratio to the shortest of the rows found, at most some thousands.
    pub(super) ratios: Vec<[f64; 2]>,
    pub(super) prepared_ms: f64,
    pub(super) bytes: u64,
}

impl Outcome {
    /// The outcome of the rows of a file.
    pub(super) fn of(method: Method, rows: &[Asked]) -> Self {
        let mut all = Self { method, rows: rows.len(), ..Self::default() };
        for one in rows {
            all.expansions += one.expansions;
            if one.found {
                all.found += 1;
                all.octile.add(one.length, one.row.length);
                all.shortest.add(one.length, one.best);
                if one.best > 0.0 {
                    all.ratios.push([one.row.length, one.length / one.best]);
                }
            }
            if one.misses(method.promise()) {
                all.missed += 1;
                all.first_missed.get_or_insert(one.row.line);
            }
        }
        all
    }

    /// That of all files: sums, but for the memory, of which the most is told.
    pub(super) fn total<'a>(method: Method, files: impl Iterator<Item = &'a Self>) -> Self {
        let mut all = Self { method, file: "all".to_owned(), ..Self::default() };
        for one in files {
            all.rows += one.rows;
            all.found += one.found;
            all.octile.join(&one.octile);
            all.shortest.join(&one.shortest);
            all.missed += one.missed;
            all.expansions += one.expansions;
            all.timed.extend_from_slice(&one.timed);
            all.ratios.extend_from_slice(&one.ratios);
            all.prepared_ms += one.prepared_ms;
            all.bytes = all.bytes.max(one.bytes);
        }
        all
    }

    /// The median time of a query in microseconds.
    pub(super) fn microseconds(&self) -> f64 {
        let mut times: Vec<f64> = self.timed.iter().map(|timed| timed[1]).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0)
    }
}

//! Work in parallel, split by data alone.
//!
//! Rows are cut into bands whose ends depend on the rows, never on the number of threads. A band's
//! slices are split off safely by [`Split`]; `rayon::join` runs the halves, so nothing is allocated.

use std::ops::Range;

/// A set of mutable columns that can be cut in two.
pub trait Split: Send + Sized {
    /// Cuts after `rows` rows, which are `bands` bands.
    fn split(self, rows: usize, bands: usize) -> (Self, Self);
}

impl Split for () {
    fn split(self, _: usize, _: usize) -> (Self, Self) {
        ((), ())
    }
}

impl<T: Send> Split for &mut [T] {
    fn split(self, rows: usize, _: usize) -> (Self, Self) {
        self.split_at_mut(rows)
    }
}

/// One item for each band.
pub struct PerBand<'a, T>(pub &'a mut [T]);

impl<T: Send> Split for PerBand<'_, T> {
    fn split(self, _: usize, bands: usize) -> (Self, Self) {
        let (left, right) = self.0.split_at_mut(bands);
        (Self(left), Self(right))
    }
}

/// A run of items for each band, of any length.
pub struct Ragged<'a, T> {
    items: &'a mut [T],
    /// Where each band's run ends, counted from the first band's start plus `start`.
    ends: &'a [u32],
    start: u32,
}

impl<'a, T> Ragged<'a, T> {
    /// Runs that end at `ends`, counted from `start`, where the first one begins.
    pub fn new(items: &'a mut [T], ends: &'a [u32], start: u32) -> Self {
        Self { items, ends, start }
    }

    /// The run of a single band.
    pub fn items(self) -> &'a mut [T] {
        self.items
    }
}

impl<T: Send> Split for Ragged<'_, T> {
    fn split(self, _: usize, bands: usize) -> (Self, Self) {
        let cut = self.ends[bands - 1];
        let (left, right) = self.items.split_at_mut((cut - self.start) as usize);
        (
            Self { items: left, ends: &self.ends[..bands], start: self.start },
            Self { items: right, ends: &self.ends[bands..], start: cut },
        )
    }
}

macro_rules! split_tuple {
    ($($name:ident $left:ident $right:ident),+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            #[expect(non_snake_case, reason = "a type's letter names its value")]
            fn split(self, rows: usize, bands: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let ($left, $right) = $name.split(rows, bands);)+
                (($($left,)+), ($($right,)+))
            }
        }
    };
}
split_tuple!(A a0 a1, B b0 b1);
split_tuple!(A a0 a1, B b0 b1, C c0 c1);
split_tuple!(A a0 a1, B b0 b1, C c0 c1, D d0 d1);
split_tuple!(A a0 a1, B b0 b1, C c0 c1, D d0 d1, E e0 e1);

/// Runs `work(band, first row, columns)` for these bands; band `b` ends before row `ends[b]`. The columns
/// are those of the bands' rows alone.
pub fn bands<S: Split>(
    ends: &[u32],
    bands: Range<usize>,
    columns: S,
    work: &(dyn Fn(usize, usize, S) + Sync),
) {
    if !bands.is_empty() {
        let first = if bands.start == 0 { 0 } else { ends[bands.start - 1] as usize };
        run(&|band| ends[band] as usize, bands.start, bands.end, first, columns, work);
    }
}

/// Runs `work(chunk, first row, columns)` for every chunk of `size` rows out of `rows`.
pub fn chunks<S: Split>(
    rows: usize,
    size: usize,
    columns: S,
    work: &(dyn Fn(usize, usize, S) + Sync),
) {
    chunks_from(0, rows, size, columns, work);
}

/// Runs `work(chunk, first row, columns)` for every chunk of `size` rows out of `rows`, the first of which
/// is row `first`.
pub fn chunks_from<S: Split>(
    first: usize,
    rows: usize,
    size: usize,
    columns: S,
    work: &(dyn Fn(usize, usize, S) + Sync),
) {
    let count = rows.div_ceil(size);
    if count > 0 {
        let end = |chunk: usize| first + ((chunk + 1) * size).min(rows);
        run(&end, 0, count, first, columns, work);
    }
}

/// Runs `work` for every item.
pub fn each<T: Send>(items: &mut [T], work: &(dyn Fn(&mut T) + Sync)) {
    chunks(items.len(), 1, items, &|_, _, items| items.iter_mut().for_each(work));
}

/// Runs `work` for every item, and gives the first error in their order.
///
/// # Errors
/// The error of the first item that has one.
pub fn try_each<T: Send, E: Send>(
    items: &mut [T],
    work: impl Fn(&mut T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let mut tried: Vec<_> = items.iter_mut().map(|item| (item, Ok(()))).collect();
    each(&mut tried, &|(item, result)| *result = work(item));
    tried.into_iter().try_for_each(|(_, result)| result)
}

/// What `made` makes of every run of `size` rows out of `rows`, in their order.
pub fn runs<T: Send>(rows: usize, size: usize, made: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let mut all: Vec<Option<T>> = (0..rows.div_ceil(size)).map(|_| None).collect();
    chunks(rows, size, PerBand(&mut all), &|_, first, to: PerBand<'_, Option<T>>| {
        to.0[0] = Some(made(first..rows.min(first + size)));
    });
    all.into_iter().flatten().collect()
}

/// What `made` makes of every number below `count`, in their order; `size` of them at a time.
pub fn map<T: Send>(count: usize, size: usize, made: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_with(count, size, || (), |(), index| made(index))
}

/// [`map`] with what every `size` of them have together, which `own` makes.
pub fn map_with<W, T: Send>(
    count: usize,
    size: usize,
    own: impl Fn() -> W + Sync,
    made: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let mut all: Vec<Option<T>> = (0..count).map(|_| None).collect();
    chunks(count, size, &mut all[..], &|_, first, all| {
        let mut own = own();
        all.iter_mut().zip(first..).for_each(|(to, index)| *to = Some(made(&mut own, index)));
    });
    all.into_iter().flatten().collect()
}

/// Makes a column what `made` makes of every row, in chunks of `size`.
pub fn fill<T: Copy + Default + Send>(
    column: &mut Vec<T>,
    rows: usize,
    size: usize,
    made: impl Fn(usize) -> T + Sync,
) {
    column.resize(rows, T::default());
    chunks(rows, size, &mut column[..], &|_, first, column| {
        column.iter_mut().zip(first..).for_each(|(to, row)| *to = made(row));
    });
}

fn run<S: Split>(
    end: &(dyn Fn(usize) -> usize + Sync),
    low: usize,
    high: usize,
    first: usize,
    columns: S,
    work: &(dyn Fn(usize, usize, S) + Sync),
) {
    if high - low == 1 {
        work(low, first, columns);
        return;
    }
    let middle = low.midpoint(high);
    let cut = end(middle - 1);
    let (left, right) = columns.split(cut - first, middle - low);
    let (mut left, mut right) = (Some(left), Some(right));
    join(
        &mut || left.take().into_iter().for_each(|c| run(end, low, middle, first, c, work)),
        &mut || right.take().into_iter().for_each(|c| run(end, middle, high, cut, c, work)),
    );
}

/// Runs both, side by side where a thread is free. It is compiled once for all stages.
fn join(left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
    rayon::join(left, right);
}

#[cfg(test)]
mod tests {
    use super::{PerBand, Ragged, bands, chunks, chunks_from};

    #[test]
    fn every_row_is_visited_once_in_its_band() {
        let ends = [3, 3, 10, 11];
        let runs = [1, 4, 4, 9];
        let (mut rows, mut per_band, mut ragged) = ([0_u32; 11], [0_u32; 4], [9_usize; 9]);
        let columns =
            (&mut rows[..], PerBand(&mut per_band[..]), Ragged::new(&mut ragged[..], &runs, 0));
        bands(&ends, 0..4, columns, &|band, first, (rows, one, run)| {
            for (i, row) in rows.iter_mut().enumerate() {
                *row += (first + i) as u32 + 1;
            }
            one.0[0] = rows.len() as u32;
            run.items().fill(band);
        });
        assert_eq!(rows, std::array::from_fn(|i| i as u32 + 1));
        assert_eq!(per_band, [3, 0, 7, 1]);
        assert_eq!(ragged, [0, 1, 1, 1, 3, 3, 3, 3, 3]);
    }

    #[test]
    fn a_part_is_visited_as_in_the_whole() {
        let ends = [3, 3, 10, 11];
        let mut rows = [0_usize; 7];
        bands(&ends, 1..3, &mut rows[..], &|band, first, rows: &mut [usize]| {
            rows.iter_mut().enumerate().for_each(|(i, row)| *row = 100 * band + first + i);
        });
        assert_eq!(rows, std::array::from_fn(|i| 203 + i));
        chunks_from(5, 7, 4, &mut rows[..], &|chunk, first, rows: &mut [usize]| {
            rows.iter_mut().enumerate().for_each(|(i, row)| *row = 100 * chunk + first + i);
        });
        assert_eq!(rows, [5, 6, 7, 8, 109, 110, 111]);
        bands(&ends, 2..2, &mut rows[..0], &|_, _, _| panic!("there is no band"));
    }

    #[test]
    fn chunks_cover_the_rows() {
        for rows in 0..40 {
            let mut seen = vec![0; rows];
            chunks(rows, 8, &mut seen[..], &|chunk, first, seen| {
                assert_eq!(first, chunk * 8);
                seen.iter_mut().for_each(|s| *s += 1);
            });
            assert!(seen.iter().all(|&s| s == 1));
        }
    }
}

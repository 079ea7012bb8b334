//! The digest tree: world → table → column → chunk of 1,024 rows.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::{ColumnView, row};
use crate::lane::{Numbers, built_here};
use crate::math::{Digest, digest_bytes};
use crate::par;
use crate::state::kept::{Content, StateColumn, columns, little_endian};
use crate::world::World;

/// Rows of a column that are digested together.
pub const CHUNK_ROWS: usize = 1_024;

/// Ticks in which the quick digest sees every chunk once.
pub const QUICK_TICKS: u64 = 32;

/// Chunks that one task digests.
const CHUNKS_PER_TASK: usize = 8;

/// The digest of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDigest {
    /// `table.column`.
    pub name: &'static str,
    /// 64 bits.
    pub digest: u64,
}

/// A column of a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// `table.column`.
    pub name: &'static str,
    /// Rows of each of its lists: one list, or one for every group, company or field.
    pub rows: Vec<u64>,
    /// Digests of the chunks of [`CHUNK_ROWS`] rows, list after list.
    pub chunks: Vec<u64>,
}

/// All digests of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The columns, in the order of the state.
    pub columns: Vec<Branch>,
}

impl Branch {
    /// The digest of the column: of the numbers of rows and the chunks' digests.
    pub fn digest(&self) -> u64 {
        column_digest(&self.rows, &self.chunks)
    }
}

/// A column's digest from its lists' rows and its chunks.
pub(super) fn column_digest(rows: &[u64], chunks: &[u64]) -> u64 {
    let mut all = Digest::new();
    all.word(rows.len() as u64);
    rows.iter().chain(chunks).for_each(|&word| {
        all.word(word);
    });
    all.finish()
}

/// A chunk's digest, from its little-endian bytes.
pub(super) fn chunk_digest(bytes: &[u8]) -> u64 {
    digest_bytes(0, bytes)
}

impl Tree {
    /// The tree of a world's state. The chunks are digested in parallel.
    pub fn of<N: Numbers>(world: &World<N>) -> Self {
        built_here!(N; fn(world: &World<N>) -> Tree = Tree::of_world)(world)
    }

    fn of_world<N: Numbers>(world: &World<N>) -> Self {
        Self::of_columns(&columns(world), &RowDigests::default())
    }

    /// The tree of a world of which this process has some rows of agents alone: the digests of those
    /// columns were made by all processes.
    pub fn of_divided<N: Numbers>(world: &World<N>, rows: &RowDigests) -> Self {
        built_here!(N; fn(world: &World<N>, rows: &RowDigests) -> Tree = of_parts)(world, rows)
    }

    /// The tree of columns that are no state, such as those of a tick's scratch memory.
    pub fn of_views(views: &[ColumnView<'_>]) -> Self {
        let columns = views.iter().map(|view| {
            let content = Content::Stored(vec![view.bytes]);
            StateColumn { name: view.name, unit: view.unit, words: view.words, content }
        });
        Self::of_columns(&columns.collect::<Vec<_>>(), &RowDigests::default())
    }

    fn of_columns(columns: &[StateColumn<'_>], made: &RowDigests) -> Self {
        let lists: Vec<_> = columns.iter().map(StateColumn::lists).collect();
        let size = |column: &StateColumn<'_>| CHUNK_ROWS * column.width();
        let chunks: Vec<&[u8]> = (columns.iter().zip(&lists))
            .filter(|(column, _)| made.of(column.name).is_none())
            .flat_map(|(column, lists)| lists.iter().flat_map(|list| list.chunks(size(column))))
            .collect();
        let digests = par::map(chunks.len(), CHUNKS_PER_TASK, |chunk| chunk_digest(chunks[chunk]));
        let mut digests = digests.into_iter();
        let branch = |(column, lists): (&StateColumn<'_>, &Vec<Cow<'_, [u8]>>)| {
            let rows: Vec<u64> =
                lists.iter().map(|list| (list.len() / column.width()) as u64).collect();
            let count = lists.iter().map(|list| list.len().div_ceil(size(column))).sum();
            let chunks = match made.of(column.name) {
                Some(made) => made.to_vec(),
                None => digests.by_ref().take(count).collect(),
            };
            Branch { name: column.name, rows, chunks }
        };
        Self { columns: columns.iter().zip(&lists).map(branch).collect() }
    }

    /// The digest of every column, in the order of the state.
    pub fn column_digests(&self) -> Vec<ColumnDigest> {
        let digest = |branch: &Branch| ColumnDigest { name: branch.name, digest: branch.digest() };
        self.columns.iter().map(digest).collect()
    }

    /// The digest of the state.
    pub fn digest(&self) -> u64 {
        combine(&self.column_digests())
    }

    /// The first column, list and chunk in which two trees differ; the chunk is missing where the
    /// numbers of rows differ.
    pub fn first_difference(&self, other: &Self) -> Option<Place> {
        let (column, (a, b)) =
            self.columns.iter().zip(&other.columns).enumerate().find(|(_, (a, b))| a != b)?;
        let name = self.columns[column].name;
        if a.rows != b.rows {
            return Some(Place { column: name, list: 0, chunk: None });
        }
        let chunk = a.chunks.iter().zip(&b.chunks).position(|(a, b)| a != b)?;
        let mut before = 0;
        for (list, &rows) in a.rows.iter().enumerate() {
            let count = (rows as usize).div_ceil(CHUNK_ROWS);
            if chunk < before + count {
                return Some(Place { column: name, list, chunk: Some(chunk - before) });
            }
            before += count;
        }
        None
    }
}

fn of_parts<N: Numbers>(world: &World<N>, rows: &RowDigests) -> Tree {
    Tree::of_columns(&columns(world), rows)
}

/// Digests of chunks of the columns of agents' rows, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowDigests(pub(crate) Vec<(&'static str, Vec<u64>)>);

impl RowDigests {
    fn of(&self, name: &str) -> Option<&[u64]> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, digests)| &digests[..])
    }

    /// Digests of chunks of a column, the first and the last by number.
    pub(crate) fn make(column: &ColumnView<'_>, chunks: Range<usize>) -> Vec<u64> {
        let width = CHUNK_ROWS * row::width(column.words);
        par::map(chunks.len(), 1, |chunk| {
            let bytes = &column.bytes[(chunks.start + chunk) * width..];
            chunk_digest(&little_endian(column.words, &bytes[..bytes.len().min(width)]))
        })
    }
}

/// The place at which two states differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// `table.column`.
    pub column: &'static str,
    /// The list: 0, or the index of a group, company or field.
    pub list: usize,
    /// The chunk of [`CHUNK_ROWS`] rows in the list; none where the numbers of rows differ.
    pub chunk: Option<usize>,
}

/// One digest of all columns: those of a table make one, and those of the tables make this.
pub fn combine(columns: &[ColumnDigest]) -> u64 {
    let table = |column: &ColumnDigest| column.name.split('.').next().unwrap_or_default();
    combine_named(columns.iter().map(|column| (table(column), column.name, column.digest)))
}

/// Columns that are in the digest of the state only while they have rows, so that worlds without them
/// have the digests that they had before there were such columns.
const OPTIONAL: [&str; 17] = [
    "ids.wait",
    "ids.head",
    "ids.leader",
    "ids.chooses",
    "ids.smaller",
    "ids.slower",
    "traffic.sources",
    "traffic.comers",
    "traffic.sinks",
    "traffic.varieties",
    "traffic.choices",
    "traffic.followings",
    "structures.def",
    "structures.condition",
    "structures.walls",
    "structures.attacks",
    "doors.door",
];

/// Whether a column of this digest has no rows and is left out of the state's.
fn is_left_out(name: &str, digest: u64) -> bool {
    OPTIONAL.contains(&name)
        && [column_digest(&[0], &[]), column_digest(&[], &[])].contains(&digest)
}

/// The same from names that are not this program's.
pub(super) fn combine_named<'a>(columns: impl Iterator<Item = (&'a str, &'a str, u64)>) -> u64 {
    let columns = columns.filter(|(_, name, digest)| !is_left_out(name, *digest));
    let mut all = Digest::new();
    let mut open: Option<(&str, Digest)> = None;
    let close = |all: &mut Digest, (name, digest): (&str, Digest)| {
        all.bytes(name.as_bytes()).word(digest.finish());
    };
    for (table, column, digest) in columns {
        if let Some(done) = open.take_if(|(name, _)| *name != table) {
            close(&mut all, done);
        }
        let (_, under_way) = open.get_or_insert_with(|| (table, Digest::new()));
        under_way.bytes(column.as_bytes()).word(digest);
    }
    if let Some(done) = open {
        close(&mut all, done);
    }
    all.finish()
}

/// A digest of a share of the state that changes from tick to tick: after [`QUICK_TICKS`] ticks it
/// has seen every chunk. It costs about a 32nd of the full one.
///
/// In the tick t it sees the chunks whose number leaves the remainder t when divided by 32, counting
/// through all columns whose rows lie in memory; columns of few rows are seen whole, by their own
/// number. Always in it are the tick, the digest of all orders and the numbers of rows.
pub fn quick_digest<N: Numbers>(world: &World<N>) -> u64 {
    built_here!(N; fn(world: &World<N>) -> u64 = digest_share)(world)
}

fn digest_share<N: Numbers>(world: &World<N>) -> u64 {
    let share = world.log.tick % QUICK_TICKS;
    let mut all = Digest::new();
    all.word(world.log.tick).word(world.log.ordered);
    let mut next = 0_u64;
    let mut buffer = Vec::new();
    // The first chunk of a list that is due, and how many chunks the list has.
    let mut due = |rows: usize| {
        let chunks = rows.div_ceil(CHUNK_ROWS) as u64;
        let first = (share + QUICK_TICKS - next % QUICK_TICKS) % QUICK_TICKS;
        next += chunks;
        (first..chunks).step_by(QUICK_TICKS as usize)
    };
    let has_rows = |column: &StateColumn<'_>| match &column.content {
        Content::Made(make) => make().iter().any(|list| !list.is_empty()),
        Content::Stored(lists) => lists.iter().any(|list| !list.is_empty()),
        Content::Shared(rows, _) => *rows > 0,
    };
    let is_there = |column: &StateColumn<'_>| !OPTIONAL.contains(&column.name) || has_rows(column);
    for (index, column) in (0_u64..).zip(columns(world).into_iter().filter(is_there)) {
        let width = column.width();
        match &column.content {
            Content::Made(make) if index % QUICK_TICKS == share => {
                make().iter().for_each(|list| {
                    all.bytes(list);
                });
            }
            Content::Made(_) => {}
            Content::Stored(lists) => {
                for list in lists {
                    let rows = list.len() / width;
                    all.word(rows as u64);
                    for chunk in due(rows) {
                        let first = chunk as usize * CHUNK_ROWS * width;
                        let end = (first + CHUNK_ROWS * width).min(list.len());
                        let bytes = little_endian(column.words, &list[first..end]);
                        all.word(chunk_digest(&bytes));
                    }
                }
            }
            Content::Shared(rows, write) => {
                all.word(*rows as u64);
                for chunk in due(*rows) {
                    let first = chunk as usize * CHUNK_ROWS;
                    buffer.clear();
                    write(first..(first + CHUNK_ROWS).min(*rows), &mut buffer);
                    all.word(chunk_digest(&buffer));
                }
            }
        }
    }
    all.finish()
}

//! What the fuzz targets run, and what `tests/fuzz_corpus.rs` runs on the stored corpus.
//!
//! Every target is a module with the same three functions: `run` feeds bytes to a reader and, when
//! it takes them, uses what was read; `seeds` makes files to begin with; `mutate` changes a file so
//! that it gets past the reader's first checks. A panic, a wait without end, or memory beyond
//! [`meter`]'s caps is a find.

pub mod lockstep;
pub mod map;
pub mod mesh;
pub mod meter;
pub mod mutate;
pub mod orders;
pub mod picture;
pub mod play;
pub mod replay;
pub mod scenario;
pub mod snapshot;
pub mod thinkers;
pub mod tiled;

/// How far a target gets with some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The reader refused them.
    Refused,
    /// They were read, but are too large to be tried out here.
    Read,
    /// They were read and tried out.
    Played,
}

/// A target.
pub struct Target {
    /// Its name, and that of its folder in the corpus.
    pub name: &'static str,
    /// Feeds bytes to the reader.
    pub run: fn(&[u8]) -> Outcome,
    /// Files to begin with, by name.
    pub seeds: fn() -> Vec<(&'static str, Vec<u8>)>,
    /// Changes a file with knowledge of its format; `part` changes a piece of it.
    pub mutate: fn(&[u8], &mut mutate::Random, mutate::Part<'_>) -> Vec<u8>,
}

/// All targets.
pub const TARGETS: [Target; 9] = [
    lockstep::TARGET,
    map::TARGET,
    mesh::TARGET,
    orders::TARGET,
    picture::TARGET,
    replay::TARGET,
    scenario::TARGET,
    snapshot::TARGET,
    tiled::TARGET,
];

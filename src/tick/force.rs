//! A force of the caller's own: changes what agents desire, between steering behaviours and avoidance.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::data::Column;
use crate::lane::Numbers;
use crate::par;
use crate::tick::CHUNK;
use crate::world::World;

/// Largest component of a desired velocity that is left as it is, m/s.
const LARGEST: f64 = 8_000.0;

/// Changes the desired velocities of some rows, m/s.
pub(crate) type Change<N> = dyn Fn(&World<N>, Range<usize>, &mut [[N; 2]]) + Send + Sync;

/// A force, if the caller has one.
#[derive(Clone)]
pub(super) struct Force<N: Numbers>(pub(super) Option<Arc<Change<N>>>);

impl<N: Numbers> Default for Force<N> {
    fn default() -> Self {
        Self(None)
    }
}

impl<N: Numbers> fmt::Debug for Force<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "a force" } else { "no force" })
    }
}

/// Calls the force for every chunk of some rows. What it makes too large, infinite or NaN counts as 0.
pub(super) fn run<N: Numbers>(
    world: &World<N>,
    force: &Force<N>,
    rows: Range<usize>,
    desired: &mut Column<[N; 2]>,
) {
    let Some(change) = &force.0 else { return };
    let largest = N::from_f64(LARGEST);
    let (first, desired) = (rows.start, &mut desired[rows]);
    par::chunks_from(first, desired.len(), CHUNK, desired, &|_, first, desired: &mut [[N; 2]]| {
        change(world, first..first + desired.len(), desired);
        for component in desired.iter_mut().flatten() {
            // A choice and no branch, so that it takes many at once.
            let is_fit = -largest <= *component && *component <= largest;
            *component = if is_fit { *component } else { N::ZERO };
        }
    });
}

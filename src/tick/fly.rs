//! Fly: projectiles move and strike.

use crate::lane::Lane;
use crate::lane::Numbers;
use crate::tick::Scratch;
use crate::world::World;

/// Memory of the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N> {
    /// Where agents were before they moved, by row.
    before: Vec<[N; 2]>,
}

impl<N: Copy> Memory<N> {
    /// Notes where agents are before they move.
    pub(super) fn remember(&mut self, pos: &[[N; 2]]) {
        self.before.clear();
        self.before.extend_from_slice(pos);
    }
}

pub(super) fn run<L: Lane>(_world: &mut World<L::Num>, _scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
}

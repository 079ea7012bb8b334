//! The agents of a block and their groups' traits, in lanes.

use crate::lane::Lane;
use crate::world::Tag;
use crate::world::Traits;

/// The tags of a block with the traits to read for them.
#[derive(Clone, Copy)]
pub(super) struct Cast<'a, N> {
    pub(super) tags: &'a [Tag],
    traits: &'a [Traits<N>],
    /// All are of the first one's group.
    pub(super) uniform: bool,
}

impl<'a, N: Copy> Cast<'a, N> {
    #[inline(always)]
    pub(super) fn new(tags: &'a [Tag], traits: &'a [Traits<N>]) -> Self {
        let first = tags[0].group;
        Self { tags, traits, uniform: tags.iter().all(|tag| tag.group == first) }
    }

    /// The same block, for traits that all groups share.
    #[inline(always)]
    pub(super) fn alike(self) -> Self {
        Self { uniform: true, ..self }
    }

    /// The traits of the agent in a lane.
    #[inline(always)]
    pub(super) fn traits(&self, lane: usize) -> &'a Traits<N> {
        &self.traits[usize::from(self.tags[lane].group)]
    }

    /// One trait in lanes.
    #[inline(always)]
    pub(super) fn lanes<L: Lane<Num = N>>(&self, pick: impl Fn(&Traits<N>) -> N) -> L {
        if self.uniform {
            L::splat(pick(self.traits(0)))
        } else {
            L::from_fn(|i| pick(self.traits(i)))
        }
    }
}

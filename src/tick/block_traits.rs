//! The agents of a block and their groups' traits, in lanes.

use crate::lane::{BLOCK, IntLane, Lane, Mask, Numbers};
use crate::world::{Groups, Tag, Traits};

/// Whether all groups with members have these numbers in common.
pub(super) fn all_share<N: Numbers, const M: usize>(
    groups: &Groups<N>,
    numbers: impl Fn(&Traits<N>) -> [N; M],
) -> bool {
    let groups = groups.list.iter().zip(&groups.traits);
    let mut sets = groups.filter(|(group, _)| group.members > 0).map(|(_, traits)| numbers(traits));
    let first = sets.next();
    sets.all(|set| Some(set) == first)
}

/// The tags of a block, in lanes.
#[derive(Clone, Copy)]
pub(super) struct TagLanes<L: Lane> {
    pub(super) id: L::Int,
    /// Group, state and patience, from the lowest bits up.
    rest: L::Int,
}

impl<L: Lane> TagLanes<L> {
    #[inline(always)]
    pub(super) fn of(tags: &[Tag]) -> Self {
        let mut words = [0; BLOCK];
        for (word, tag) in words.iter_mut().zip(&tags[..L::WIDTH]) {
            let [group, state, patience] =
                [u32::from(tag.group), u32::from(tag.state), u32::from(tag.patience)];
            let rest = group | state << 16 | patience << 24;
            *word = u64::from(tag.id) | u64::from(rest) << 32;
        }
        let [id, rest] = L::Int::halves(&words);
        Self { id, rest }
    }

    /// Where a state has any of these bits.
    #[inline(always)]
    pub(super) fn have(&self, bits: u8) -> L::Mask {
        self.have_rest(i32::from(bits) << 16)
    }

    /// Where patience is not zero.
    #[inline(always)]
    pub(super) fn wait(&self) -> L::Mask {
        self.have_rest(0xff << 24)
    }

    #[inline(always)]
    fn have_rest(&self, bits: i32) -> L::Mask {
        !self.rest.and(L::Int::splat(bits)).equal(L::Int::splat(0))
    }

    /// Whether all are of the first one's group.
    #[inline(always)]
    pub(super) fn are_of_one_group(&self) -> bool {
        let group = self.rest.and(L::Int::splat(0xffff));
        !(!group.equal(L::Int::splat(group.get(0)))).any()
    }

    /// A number from 0 to 255 by the id.
    #[inline(always)]
    pub(super) fn byte(&self) -> L::Int {
        let hash = self.id * L::Int::splat(0x9e37_79b1_u32 as i32);
        hash.shift_right::<24>().and(L::Int::splat(0xff))
    }
}

/// The tags of a block with the traits to read for them.
#[derive(Clone, Copy)]
pub(super) struct BlockTraits<'a, N> {
    pub(super) tags: &'a [Tag],
    traits: &'a [Traits<N>],
    /// All are of the first one's group.
    pub(super) uniform: bool,
}

impl<'a, N: Copy> BlockTraits<'a, N> {
    #[inline(always)]
    pub(super) fn new(tags: &'a [Tag], traits: &'a [Traits<N>]) -> Self {
        let first = tags[0].group;
        Self { tags, traits, uniform: tags.iter().all(|tag| tag.group == first) }
    }

    /// A block whose traits all groups share, or else [`BlockTraits::new`]; for any trait but the goal's.
    #[inline(always)]
    pub(super) fn shared(tags: &'a [Tag], traits: &'a [Traits<N>], alike: bool) -> Self {
        if alike { Self { tags, traits, uniform: true } } else { Self::new(tags, traits) }
    }

    /// The traits of the agent in a lane.
    #[inline(always)]
    pub(super) fn traits(&self, lane: usize) -> &'a Traits<N> {
        &self.traits[usize::from(self.tags[lane].group)]
    }

    /// Where a group is so.
    #[inline(always)]
    pub(super) fn mask<L: Lane<Num = N>>(&self, is_so: impl Fn(&Traits<N>) -> bool) -> L::Mask {
        if self.uniform {
            let all = is_so(self.traits(0));
            return L::Int::splat(i32::from(all)).equal(L::Int::splat(1));
        }
        L::Mask::from_fn(|i| is_so(self.traits(i)))
    }

    /// Who stands and is told to keep its place.
    #[inline(always)]
    pub(super) fn holds<L: Lane<Num = N>>(&self) -> L::Mask {
        if self.uniform && !self.traits(0).hold {
            return L::Mask::from_fn(|_| false);
        }
        L::Mask::from_fn(|i| self.traits(i).keeps_place(self.tags[i]))
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

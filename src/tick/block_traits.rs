//! The agents of a block and their groups' traits, in lanes.

use crate::kernel::separate::ALIKE;
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

    /// Lanes whose state has any of these bits.
    #[inline(always)]
    pub(super) fn have(&self, bits: u8) -> L::Mask {
        self.have_rest(i32::from(bits) << 16)
    }

    #[inline(always)]
    pub(super) fn patience(&self) -> L::Int {
        self.rest.shift_right::<24>().and(L::Int::splat(0xff))
    }

    /// Lanes whose patience is not zero.
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
    /// Shares by id index by which agents differ from them ([`OwnTraits`](crate::world::OwnTraits)).
    smaller: &'a [u16],
    slower: &'a [u16],
    /// All are of the first one's group.
    pub(super) uniform: bool,
}

impl<'a, N: Numbers> BlockTraits<'a, N> {
    #[inline(always)]
    pub(super) fn new(tags: &'a [Tag], groups: &'a Groups<N>) -> Self {
        let first = tags[0].group;
        Self::made(tags, groups, tags.iter().all(|tag| tag.group == first))
    }

    /// A block whose traits all groups share, or else [`BlockTraits::new`]; for any trait but the goal's.
    #[inline(always)]
    pub(super) fn shared(tags: &'a [Tag], groups: &'a Groups<N>, alike: bool) -> Self {
        if !alike {
            return Self::new(tags, groups);
        }
        Self::made(tags, groups, true)
    }

    #[inline(always)]
    fn made(tags: &'a [Tag], groups: &'a Groups<N>, uniform: bool) -> Self {
        let (smaller, slower) = (&groups.own.smaller[..], &groups.own.slower[..]);
        Self { tags, traits: &groups.traits, smaller, slower, uniform }
    }

    /// The same where `KIND` says in what agents differ: [`ALIKE`] ones are all as large as their groups say.
    #[inline(always)]
    pub(super) fn of_kind<const KIND: u8>(self) -> Self {
        if KIND == ALIKE { Self { smaller: &[], ..self } } else { self }
    }
}

impl<'a, N: Copy> BlockTraits<'a, N> {
    /// The traits of the agent in a lane.
    #[inline(always)]
    pub(super) fn traits(&self, lane: usize) -> &'a Traits<N> {
        &self.traits[usize::from(self.tags[lane].group)]
    }

    /// Lanes of agents whose group is so.
    #[inline(always)]
    pub(super) fn mask<L: Lane<Num = N>>(&self, is_so: impl Fn(&Traits<N>) -> bool) -> L::Mask {
        if self.uniform {
            let all = is_so(self.traits(0));
            return L::Int::splat(i32::from(all)).equal(L::Int::splat(1));
        }
        L::Mask::from_fn(|i| is_so(self.traits(i)))
    }

    /// Lanes of agents that stand and are told to keep their place.
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

    /// Radii, in metres.
    #[inline(always)]
    pub(super) fn radius<L: Lane<Num = N>>(&self) -> L {
        self.in_proportion(|t| t.radius, self.smaller)
    }

    /// Radii, in cells.
    #[inline(always)]
    pub(super) fn clearance<L: Lane<Num = N>>(&self) -> L {
        self.in_proportion(|t| t.clearance, self.smaller)
    }

    /// Distances from walls from which they are avoided, in metres.
    #[inline(always)]
    pub(super) fn margin<L: Lane<Num = N>>(&self) -> L {
        self.around(|t| t.margin)
    }

    /// 1 / response times, 1/s.
    #[inline(always)]
    pub(super) fn response<L: Lane<Num = N>>(&self) -> L {
        self.in_proportion(|t| t.response, self.slower)
    }

    /// Half the ranges of separation in metres, and 1 / the squares of these ranges.
    #[inline(always)]
    pub(super) fn reach<L: Lane<Num = N>>(&self) -> [L; 2] {
        let (reach, scale) = (self.around(|t| t.reach), self.lanes(|t| t.reach_scale));
        match self.smaller.is_empty() {
            true => [reach, scale],
            false => {
                let larger = self.stretch(reach);
                [reach, scale * larger * larger]
            }
        }
    }

    /// Forces per mass of a unit of push, m/s² per m.
    #[inline(always)]
    pub(super) fn push<L: Lane<Num = N>>(&self) -> L {
        let push = self.lanes(|t| t.push);
        match self.smaller.is_empty() {
            true => push,
            false => push * self.stretch(self.around(|t| t.reach)),
        }
    }

    /// The reach of the group, divided by the agents' own.
    #[inline(always)]
    fn stretch<L: Lane<Num = N>>(&self, reach: L) -> L {
        self.lanes::<L>(|t| t.reach).ratio(reach)
    }

    /// A trait that is smaller by each agent's own share, from the column `less`.
    #[inline(always)]
    fn in_proportion<L: Lane<Num = N>>(&self, pick: impl Fn(&Traits<N>) -> N, less: &[u16]) -> L {
        let whole: L = self.lanes(pick);
        if less.is_empty() { whole } else { whole - whole * self.shares(less) }
    }

    /// A distance from the middle of agents to something about them: less by as much as the radius is.
    #[inline(always)]
    fn around<L: Lane<Num = N>>(&self, pick: impl Fn(&Traits<N>) -> N) -> L {
        let (whole, less) = (self.lanes::<L>(pick), self.smaller);
        if less.is_empty() {
            return whole;
        }
        whole - self.lanes::<L>(|t| t.radius) * self.shares(less)
    }

    /// Shares of agents.
    #[inline(never)]
    fn shares<L: Lane<Num = N>>(&self, column: &[u16]) -> L {
        let parts = |i: usize| column.get(self.tags[i].id as usize).map_or(0, |&p| i32::from(p));
        L::from_q14(L::Int::from_fn(parts))
    }
}

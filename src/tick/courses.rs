//! Courses: how the agents of every group find their way in this tick, in the form that lanes read.

use crate::lane::{IntLane, Lane, Mask, Numbers};
use crate::math::each::Each;
use crate::tick::block_traits::TagLanes;
use crate::world::{Avoidance, Groups, Guidance, Routes, Tag, Traits, state};

/// Number of groups whose courses are at hand; the courses of others are looked up for each agent.
const COURSES: usize = 16;

/// Its group has an order.
pub(super) const ORDERED: i32 = 1;
/// Straight to an own place from the start.
pub(super) const OWN: i32 = 2;
/// Straight to the target.
pub(super) const STRAIGHT: i32 = 4;
/// To points that a navigator names.
pub(super) const GUIDED: i32 = 8;
/// By the field of the present goal.
pub(super) const BY_FIELD: i32 = 16;
/// The agents may be under way to their group's goal, and keep clear of others.
pub(super) const GOES: i32 = 32;
/// They choose their velocity by ORCA.
pub(super) const ORCA: i32 = 64;
/// They queue behind slow ones: they keep no time gap and have no foes.
pub(super) const QUEUES: i32 = 128;
/// The group follows no field.
const APART: i32 = 256;
/// The group's goal has places and ground around it where agents ask for one.
const ZONED: i32 = 512;
/// That goal has no room left.
const OVERFLOWS: i32 = 1_024;
/// Straight to the points that followers head for, slower near by.
pub(super) const LED: i32 = 2_048;

/// Whether the agents of a group may be under way to its goal, and keep clear of others.
#[inline(always)]
pub(super) fn goes_somewhere<N>(traits: &Traits<N>) -> bool {
    traits.avoidance != Avoidance::None
        && !matches!(traits.guidance, Guidance::Stand | Guidance::Own | Guidance::Formation)
}

/// How the agents of a group find their way.
#[derive(Clone, Copy)]
struct Course<'a, N> {
    /// The bits above.
    bits: i32,
    /// Directions of the group's field; empty without one.
    codes: &'a [u32],
    /// Least x and y, and greatest, of the ground where agents ask for a place, in metres.
    zone: [N; 4],
}

impl<'a, N: Numbers> Course<'a, N> {
    const NONE: Self = Self { bits: 0, codes: &[], zone: [N::ZERO; 4] };

    fn of(groups: &Groups<N>, routes: &'a Routes<N>, group: usize) -> Self {
        let (row, traits) = (&groups.list[group], &groups.traits[group]);
        let goal = row.goal.as_ref().filter(|goal| goal.laid_for > 0);
        let guidance = match traits.guidance {
            Guidance::Stand => 0,
            Guidance::Own => ORDERED | OWN,
            Guidance::Straight | Guidance::Focus => ORDERED | STRAIGHT,
            Guidance::Leader => ORDERED | STRAIGHT | LED,
            Guidance::Points => ORDERED | GUIDED,
            Guidance::Field => ORDERED | BY_FIELD,
            Guidance::FormerField | Guidance::Formation => ORDERED,
        };
        let set = |bit: i32, is_so: bool| if is_so { bit } else { 0 };
        let codes = row.field.and_then(|id| routes.fields.directions(id));
        Self {
            bits: guidance
                | set(GOES, goes_somewhere(traits))
                | set(ORCA, traits.avoidance == Avoidance::Orca)
                | set(QUEUES, traits.headway == N::ZERO && traits.foes == 0)
                | set(APART, row.field.is_none())
                | set(ZONED, goal.is_some())
                | set(OVERFLOWS, goal.is_some_and(|goal| goal.overflows())),
            codes: codes.unwrap_or_default(),
            zone: goal.map_or([N::ZERO; 4], |goal| {
                let [[low_x, low_y], [high_x, high_y]] = goal.zone;
                [low_x, low_y, high_x, high_y]
            }),
        }
    }
}

/// The courses of all groups.
pub(super) struct Courses<'a, N: Numbers> {
    groups: &'a Groups<N>,
    routes: &'a Routes<N>,
    first: [Course<'a, N>; COURSES],
    /// The bits of all groups with members, where they have the same.
    alike: Option<i32>,
}

impl<'a, N: Numbers> Courses<'a, N> {
    pub(super) fn new(groups: &'a Groups<N>, routes: &'a Routes<N>) -> Self {
        let mut first = [Course::NONE; COURSES];
        let mut bits = None;
        let mut are_alike = true;
        for (group, row) in groups.list.iter().enumerate() {
            let course = Course::of(groups, routes, group);
            if let Some(first) = first.get_mut(group) {
                *first = course;
            }
            if row.members > 0 {
                are_alike &= *bits.get_or_insert(course.bits) == course.bits;
            }
        }
        Self { groups, routes, first, alike: bits.filter(|_| are_alike) }
    }

    #[inline(always)]
    fn of(&self, group: u16) -> Course<'a, N> {
        let group = usize::from(group);
        match self.first.get(group) {
            Some(course) => *course,
            None => self.look_up(group),
        }
    }

    #[cold]
    fn look_up(&self, group: usize) -> Course<'a, N> {
        Course::of(self.groups, self.routes, group)
    }

    /// The directions of a group's field; empty without one.
    #[inline(always)]
    pub(super) fn codes(&self, group: u16) -> &'a [u32] {
        self.of(group).codes
    }
}

/// The tags of a block and the courses of its agents, in lanes.
#[derive(Clone, Copy)]
pub(super) struct Bound<L: Lane> {
    pub(super) tags: TagLanes<L>,
    courses: L::Int,
    /// All are of the first one's group.
    pub(super) uniform: bool,
}

impl<L: Lane> Bound<L> {
    #[inline(always)]
    pub(super) fn new(courses: &Courses<'_, L::Num>, tags: &[Tag]) -> Self {
        let lanes = TagLanes::of(tags);
        let uniform = lanes.are_of_one_group();
        let courses = match (courses.alike, uniform) {
            (Some(bits), _) => L::Int::splat(bits),
            (None, true) => L::Int::splat(courses.of(tags[0].group).bits),
            (None, false) => L::Int::from_fn(|i| courses.of(tags[i].group).bits),
        };
        Self { tags: lanes, courses, uniform }
    }

    /// Agents that walk to their group's goal, or to their place in it.
    #[inline(always)]
    pub(super) fn walk(&self) -> L::Mask {
        self.has(GOES) & !self.tags.have(state::SETTLED | state::FORMED)
    }

    /// Agents under way to their group's goal. Their patience counts ticks of being blocked.
    #[inline(always)]
    pub(super) fn are_under_way(&self) -> L::Mask {
        let there = state::ARRIVED | state::SETTLED | state::PLACED | state::FORMED;
        self.has(GOES) & !self.tags.have(there)
    }

    /// Lanes whose course has any of these bits.
    #[inline(always)]
    pub(super) fn has(&self, bits: i32) -> L::Mask {
        !self.courses.and(L::Int::splat(bits)).equal(L::Int::splat(0))
    }

    /// Lanes of agents whose group follows no field.
    #[inline(always)]
    pub(super) fn apart(&self) -> L::Mask {
        self.has(APART)
    }

    /// Agents that ask for a place near their goal: it has no room left, or they are blocked.
    #[inline(always)]
    pub(super) fn in_zone(
        &self,
        courses: &Courses<'_, L::Num>,
        tags: &[Tag],
        [x, y]: [L; 2],
        is_blocked: impl Fn(usize) -> bool,
    ) -> L::Mask {
        let zoned = self.has(ZONED);
        if !zoned.any() {
            return zoned;
        }
        let [low_x, low_y, high_x, high_y] = match self.uniform {
            true => courses.of(tags[0].group).zone.each(L::splat),
            false => L::fours_from_fn(|i| courses.of(tags[i].group).zone),
        };
        let is_in = zoned & low_x.lt(x) & x.lt(high_x) & low_y.lt(y) & y.lt(high_y);
        match is_in.any() {
            true => is_in & (self.has(OVERFLOWS) | L::Mask::from_fn(is_blocked)),
            false => is_in,
        }
    }
}

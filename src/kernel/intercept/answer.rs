//! Answers in lanes, and how real numbers become lanes of the number type.

use crate::kernel::intercept::course::Course;
use crate::lane::{Compare, IntLane, Lane, Mask, Real};
use crate::math::each::Each;
use crate::math::{Num, Numeric};

/// What became of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// It hits.
    Hit = 0,
    /// It hits, and took the bracketed search: aiming again and again did not end there.
    Searched = 1,
    /// The steps that the search may take ran out. Time and launch belong together and are its best
    /// so far, but the launch may not have the muzzle speed.
    Capped = 2,
    /// No launch hits within the time limit, or the shot is out of range. Time and launch are 0, for
    /// [`Method::Least`](crate::kernel::intercept::Method::Least) what it would take.
    Impossible = 3,
}

impl Outcome {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Hit, Self::Searched, Self::Capped, Self::Impossible];

    /// The outcome of a code; what is no code is [`Outcome::Impossible`].
    #[inline(always)]
    pub fn from_code(code: u8) -> Self {
        Self::ALL[usize::from(code.min(3))]
    }

    /// Whether the launch hits.
    pub fn hits(self) -> bool {
        matches!(self, Self::Hit | Self::Searched)
    }
}

/// What solvers answer, in lanes.
#[derive(Clone, Copy, Debug)]
pub struct Answer<L: Lane> {
    /// When it hits, s.
    pub time: L,
    /// The velocity to launch with, m/s.
    pub launch: [L; 3],
    /// An [`Outcome`]'s code.
    pub outcome: L::Int,
    /// How often it aimed or looked at a curve; 0 for closed forms.
    pub iterations: L::Int,
}

/// An answer in real numbers.
#[derive(Clone, Copy)]
pub(super) struct Found<R: Real> {
    pub(super) time: R,
    pub(super) launch: [R; 3],
    pub(super) hits: R::Mask,
    pub(super) searched: R::Mask,
    pub(super) capped: R::Mask,
    pub(super) iterations: R,
}

impl<R: Real> Found<R> {
    /// An answer by a closed form.
    #[inline(always)]
    pub(super) fn closed(course: &Course<R>, time: R, hits: R::Mask) -> Self {
        let none = R::Mask::from_fn(|_| false);
        let launch = course.launch(time);
        Self { time, launch, hits, searched: none, capped: none, iterations: R::zero() }
    }

    /// The answer with illegal shots and targets at hand settled; what does not hit has time and
    /// launch 0, unless `tells`.
    #[inline(always)]
    pub(super) fn settled(self, course: &Course<R>, tells: bool) -> Self {
        let hits = course.legal & (self.hits | course.at_hand);
        let told = if tells { course.legal } else { hits };
        let told = told & !course.at_hand;
        let keep = |number: R| R::select(told, number, R::zero());
        let apart = !course.at_hand;
        Self {
            time: keep(self.time),
            launch: self.launch.each(keep),
            hits,
            searched: self.searched & apart,
            capped: self.capped & apart,
            iterations: keep(self.iterations),
        }
    }
}

/// A real number as the nearest of the number type.
#[inline(always)]
pub(in crate::kernel) fn nearest<L: Lane>(number: L::Real) -> L {
    match L::Num::NUMERIC {
        Numeric::F32 => L::from_real(number),
        // It is cut off towards 0: half a step more rounds it.
        Numeric::Fixed => {
            let half = L::Real::splat(<L::Num as Num>::STEP * 0.5);
            let below = number.lt(L::Real::zero());
            L::from_real(number + L::Real::select(below, -half, half))
        }
    }
}

impl<L: Lane> Answer<L> {
    #[inline(always)]
    pub(super) fn new(found: &Found<L::Real>) -> Self {
        let code = |outcome: Outcome| L::Int::splat(outcome as i32);
        let mask = L::from_real_mask;
        let hit = L::Int::select(mask(found.searched), code(Outcome::Searched), code(Outcome::Hit));
        let outcome = L::Int::select(mask(found.capped), code(Outcome::Capped), hit);
        let outcome = L::Int::select(mask(found.hits), outcome, code(Outcome::Impossible));
        Self {
            time: nearest::<L>(found.time),
            launch: found.launch.each(nearest::<L>),
            outcome,
            iterations: L::from_real(found.iterations).floor_int(),
        }
    }
}

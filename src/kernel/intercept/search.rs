//! The first or the last time at which a shot hits, of up to four; it misses none.
//!
//! |V(t)|² = |d|²/t² + 2 d·v/t + … + 2 v·c t + |c|² t² falls from infinity and ends rising (or at the
//! time limit). It bends where p(t) = |c|² t⁴ + (v·c) t³ − (d·v) t − |d|² is zero: once or three
//! times. Between bends it is monotone, so each stretch has one hit or none, and the signs of
//! |P(t)| − s t at the ends tell which.
//!
//! The bends themselves: p′ has no linear term, so p″ is zero at one time, t₁ = −v·c / (2 |c|²). Only
//! a target that comes nearer (d·v < 0) while it turns back (v·c < 0) can have three. With t = t₁ y,
//! p′ = 0 becomes 3y² − 2y³ = κ = d·v / (v·c t₁²): two roots above 0 for κ < 1, none beyond. The
//! second follows from the first by a quadratic. Those two times part the roots of p.
//!
//! Bends need not be exact: |V|² is flat there, so an error changes the sign of |P| − s t only for
//! shots that all but touch, whose speed is s to within rounding.
//!
//! Every root is found by Newton's method in a bracket. The outermost brackets are the times before
//! which |d| − |v| t − |c| t² still exceeds s t, and after which |c| t² − |v| t − |d| does.

use crate::kernel::intercept::Arc;
use crate::kernel::intercept::course::{Course, Curve, Gap, Growth, Moment, TINY, root};
use crate::lane::{Mask, Real};
use crate::math::each::Each;

/// Where the launch speed |V(t)| has its lows and its peak, limited to the longest time.
#[derive(Clone, Copy)]
pub(super) struct Bends<R: Real> {
    /// The first low; the only one without `three`.
    pub(super) early: R,
    /// The peak between the lows; `early` without `three`.
    pub(super) peak: R,
    /// The last low; `early` without `three`.
    pub(super) late: R,
    pub(super) steps: R,
    pub(super) open: R::Mask,
}

/// What the search found.
#[derive(Clone, Copy)]
pub(super) struct Found<R: Real> {
    pub(super) time: R,
    /// Where there is a hit.
    pub(super) hits: R::Mask,
    pub(super) steps: R,
    /// Where the steps ran out.
    pub(super) open: R::Mask,
}

/// y in 0 ..= 1 with 3y² − 2y³ = `share`, for shares from 0 to 1.
#[inline(always)]
fn inverse_smoothstep<R: Real>(share: R) -> R {
    let n = R::splat;
    // The curve is the same from both ends: only the nearer one is solved for.
    let far = n(0.5).lt(share);
    let share = R::select(far, R::one() - share, share).larger(n(TINY));
    let z = (share * n(1.0 / 3.0)).sqrt();
    let mut y = z * (R::one() + z * (n(1.0 / 3.0) + z * n(5.0 / 18.0)));
    for _ in 0..2 {
        let excess = y * y * (n(3.0) - (y + y)) - share;
        y = y - excess / (n(6.0) * y * (R::one() - y));
    }
    R::select(far, R::one() - y, y)
}

/// Where the lanes that may have three bends have the two times that part them; 0 in both, and no
/// mask, elsewhere.
#[inline(always)]
fn partings<R: Real>(course: &Course<R>) -> ([R; 2], R::Mask) {
    let (n, zero) = (R::splat, R::zero());
    let Course { closing, turning, bend_square, .. } = *course;
    let may = closing.lt(zero) & turning.lt(zero) & n(TINY).lt(bend_square);
    let inflexion = R::select(may, -turning / (bend_square + bend_square), R::one());
    let depth = turning * inflexion * inflexion;
    let three = may & depth.lt(closing);
    let share = R::select(three, closing / depth, zero);
    let offset = inverse_smoothstep(share) - n(0.5);
    let second = (n(3.0) * (R::one() - offset * offset)).sqrt();
    let second = (second - offset) * n(0.5);
    let at = |offset: R| R::select(three, inflexion * (offset + n(0.5)), zero);
    ([at(offset), at(second)], three)
}

/// Where |V(t)| has one low alone, for sure: p′ is nowhere negative after it was positive.
#[inline(always)]
pub(super) fn single<R: Real>(course: &Course<R>) -> R::Mask {
    let zero = R::zero();
    let Course { closing, turning, bend_square, .. } = *course;
    let depth = turning * turning * turning;
    let falls = depth.lt(R::splat(4.0) * bend_square * bend_square * closing);
    !(closing.lt(zero) & turning.lt(zero) & falls)
}

/// Where |V(t)| bends.
#[inline(always)]
pub(super) fn bends<R: Real>(course: &Course<R>, most: u32) -> Bends<R> {
    let (zero, growth) = (R::zero(), Growth(course));
    let all = R::Mask::from_fn(|_| true);
    let [low, high] = course.bounds(zero);
    let (mut bracket, mut three) = ([low, high], R::Mask::from_fn(|_| false));
    let ([first, second], may) = partings(course);
    if may.any() {
        let within = |time: R| time.larger(low).smaller(high);
        let rises = may & zero.lt(growth.at(first).value);
        three = rises & growth.at(second).value.lt(zero);
        bracket[1] = R::select(rises, within(first), high);
        bracket[0] = R::select(may & !rises, within(second), low);
    }
    // Between nearness and bend a target that stands has its only low.
    let start = (course.distance / (course.curve + R::splat(TINY))).sqrt();
    // Without a low before the limit the limit is the lowest.
    let wanted = zero.lt(growth.at(bracket[1]).value);
    let rising = !all;
    let found = root(&growth, bracket, start, rising, wanted, most);
    let early = R::select(wanted, found.time, bracket[1]);
    let mut bends = Bends { early, peak: early, late: early, steps: found.steps, open: found.open };
    if three.any() {
        let middle = [first, second].each(|time| time.larger(early).smaller(high));
        let found = root(&growth, middle, middle[0], all, three, most);
        bends.peak = R::select(three, found.time, bends.peak);
        bends.steps = bends.steps + R::select(three, found.steps, zero);
        bends.open = bends.open | found.open;
        let wanted = three & zero.lt(growth.at(high).value);
        let found = root(&growth, [middle[1], high], high, rising, wanted, most);
        bends.late = R::select(three, R::select(wanted, found.time, high), bends.late);
        bends.steps = bends.steps + R::select(wanted, found.steps, zero);
        bends.open = bends.open | found.open;
    }
    bends
}

/// The first hit, or the last, of the lanes of `wanted`. `guess` is where to begin.
#[inline(always)]
pub(super) fn search<R: Real>(
    course: &Course<R>,
    arc: Arc,
    guess: R,
    wanted: R::Mask,
    most: u32,
) -> Found<R> {
    let gap = Gap(course);
    let [low, high] = course.bounds(course.speed);
    let bends = bends(course, most);
    let within = |time: R| time.larger(low).smaller(high);
    let [early, peak, late] = [bends.early, bends.peak, bends.late].each(within);
    // Where the weapon is fast enough; a shot that touches counts.
    let reaches = |time: R| {
        let Moment { value, noise, .. } = gap.at(time);
        value.le(noise)
    };
    let [at_early, at_peak, at_late, at_end] = [early, peak, late, high].each(reaches);
    let pick = |mask: R::Mask, yes: [R; 2], no: [R; 2]| R::pick(mask, yes, no);
    let (first, second) = ([low, early], [peak, late]);
    let (bracket, falling, hits) = match arc {
        Arc::Low => (pick(at_early, first, second), R::Mask::from_fn(|_| true), at_early | at_late),
        Arc::High => {
            let ends = at_late & !at_end;
            let dips = at_late & at_end & !at_peak;
            let climbs = !at_late & at_early;
            let bracket = pick(dips, second, first);
            let bracket = pick(climbs, [early, peak], bracket);
            (pick(ends, [late, high], bracket), !(ends | climbs), at_early | at_late)
        }
    };
    // From outside of the valley Newton's method comes down without turning.
    let outer = R::select(falling, bracket[0], bracket[1]);
    let guessed = bracket[0].lt(guess) & guess.lt(bracket[1]);
    let start = R::select(guessed, guess, outer);
    let found = root(&gap, bracket, start, falling, wanted & hits, most);
    Found {
        time: found.time,
        hits,
        steps: bends.steps + found.steps,
        open: bends.open | found.open,
    }
}

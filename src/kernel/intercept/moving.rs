//! Low or high arc to a target that moves and accelerates: aim, see how long it takes, move the
//! target on by that, aim again.
//!
//! t₀ = 0, and tₙ₊₁ is the time of the arc to where the target will be at tₙ. That
//! settles where the target is slower than the projectile, the faster the slower it is. Once two
//! times agree to one part in 64, Newton's method on |P(t)| − s t ends it.
//!
//! A time that settled may still be a later hit than the first, or not the last. It is the first when
//! the launch speed |V| has one low alone ([`search`]) and still falls at that time, the last when it
//! has one and rises. Every shot that did not settle, is a touch, is out of some arc's reach on the
//! way, or cannot be told to be the first (or last) by this goes to the search, which misses none.
//! Of the battlefield shots of the tests that hit, 9 % of the low ones take it, and 75 % of the high
//! ones: the time of a high arc changes faster than the target's place, so aiming runs away.
//!
//! Tried and lost: aiming until times agree to one part in 1,024 takes 35 ns a shot where one in 64
//! takes 30 (low arcs, `f32`, 8 lanes). [`fastest`], which does not aim at all, takes 24 and comes to
//! the same hits: aiming is here because it is what others do, and to be compared with.
//!
//! [`fastest`]: mod@crate::kernel::intercept::fastest
//! [`search`]: mod@crate::kernel::intercept::search

use crate::kernel::intercept::answer::{Answer, Found};
use crate::kernel::intercept::course::{Course, Curve, Gap, Growth, Moment, precision};
use crate::kernel::intercept::search::{search, single};
use crate::kernel::intercept::shot::Shot;
use crate::kernel::intercept::still::times;
use crate::kernel::intercept::{Arc, Effort};
use crate::lane::{Lane, Mask, Real};

/// Two times that agree so well, in parts of them, are near enough for Newton's method.
const AGREE: f64 = 1.0 / 64.0;

/// Steps of Newton's method at most.
const POLISH: u32 = 4;

/// The low or the high arc to targets that move and accelerate: their first hit, or the last within
/// [`Shot::longest`].
#[inline(always)]
pub fn moving<L: Lane>(case: &Shot<L>, arc: Arc, effort: Effort) -> Answer<L> {
    let course = Course::new(&case.map(L::real));
    Answer::new(&solve(&course, arc, effort).settled(&course, false))
}

/// What aiming again and again came to.
struct Settled<R: Real> {
    time: R,
    settled: R::Mask,
    iterations: R,
}

/// Aims until two times agree.
#[inline(always)]
fn aim<R: Real>(course: &Course<R>, arc: Arc, aims: u32) -> Settled<R> {
    let all = R::Mask::from_fn(|_| true);
    let (mut time, mut iterations) = (R::zero(), R::zero());
    let (mut aiming, mut settled) = (all, !all);
    for _ in 0..aims {
        if !aiming.any() {
            break;
        }
        let ([low, high], reached) = times(course.point(time), course.speed, course.gravity);
        let next = match arc {
            Arc::Low => low,
            Arc::High => high,
        };
        let agree = (next - time).abs().le(next * R::splat(AGREE));
        let reached = reached & next.le(course.longest);
        iterations = R::select(aiming, iterations + R::one(), iterations);
        time = R::select(aiming & reached, next, time);
        settled = settled | (aiming & reached & agree);
        aiming = aiming & reached & !agree;
    }
    Settled { time, settled, iterations }
}

/// Newton's method from where aiming settled.
#[inline(always)]
fn polish<R: Real>(course: &Course<R>, aimed: Settled<R>) -> Settled<R> {
    let Settled { mut time, mut settled, mut iterations } = aimed;
    let (gap, near) = (Gap(course), precision::<R>());
    let mut open = settled;
    for _ in 0..POLISH {
        if !open.any() {
            break;
        }
        let Moment { value, slope, noise } = gap.at(time);
        let exact = value.abs().le(noise);
        let step = R::select(exact, R::zero(), value / slope);
        // A long step means that the curve is flat: a touch.
        let short = step.abs().le(time * R::splat(0.125));
        iterations = R::select(open, iterations + R::one(), iterations);
        time = R::select(open & short, time - step, time);
        settled = settled & (short | !open);
        open = open & short & !step.abs().le(near * time);
    }
    Settled { time, settled: settled & !open & time.le(course.longest), iterations }
}

#[inline(always)]
fn solve<R: Real>(course: &Course<R>, arc: Arc, effort: Effort) -> Found<R> {
    let aimed = polish(course, aim(course, arc, effort.aims));
    let Moment { value, .. } = Growth(course).at(aimed.time);
    let side = match arc {
        Arc::Low => value.lt(R::zero()),
        Arc::High => R::zero().lt(value),
    };
    let proved = aimed.settled & side & single(course);
    let mut found = Found::closed(course, aimed.time, proved);
    found.iterations = aimed.iterations;
    let rest = !proved;
    if rest.any() {
        let by_search = search(course, arc, aimed.time, rest, effort.steps);
        let time = R::select(rest, by_search.time, aimed.time);
        let more = R::select(rest, by_search.steps, R::zero());
        let iterations = aimed.iterations + more;
        found = Found {
            time,
            launch: course.launch(time),
            hits: proved | by_search.hits,
            searched: rest,
            capped: rest & by_search.open,
            iterations,
        };
    }
    found
}

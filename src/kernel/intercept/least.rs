//! The slowest launch that hits: the shot of least energy.
//!
//! V(t) = d / t + v + c t is slowest where V·V′ = 0, which times t³ is p(t) = |c|² t⁴ + (v·c) t³ −
//! (d·v) t − |d|² = 0: at one time, or at three, the second of which is a peak. [`search`] says how
//! they are found. Where the speed still falls at the time limit, the limit is the answer.
//!
//! A shot that needs more than the muzzle speed is impossible; its time and launch are told all the
//! same, for they say what speed would do.
//!
//! [`search`]: mod@crate::kernel::intercept::search

use crate::kernel::intercept::Effort;
use crate::kernel::intercept::answer::{Answer, Found};
use crate::kernel::intercept::course::Course;
use crate::kernel::intercept::search::bends;
use crate::kernel::intercept::shot::Shot;
use crate::lane::{Lane, Mask, Real};
use crate::math::each::Each;

/// The slowest launches that hit targets that move and accelerate, within [`Shot::longest`].
#[inline(always)]
pub fn least<L: Lane>(case: &Shot<L>, effort: Effort) -> Answer<L> {
    let course = Course::new(&case.map(L::real));
    Answer::new(&slowest(&course, effort).settled(&course, true))
}

#[inline(always)]
fn slowest<R: Real>(course: &Course<R>, effort: Effort) -> Found<R> {
    let bends = bends(course, effort.steps);
    let [early, late] = [bends.early, bends.late].each(|time| course.launch(time));
    let squares = [early, late].each(|launch| R::dot3(launch, launch));
    let later = squares[1].lt(squares[0]);
    let pick = |yes: R, no: R| R::select(later, yes, no);
    let launch = [0, 1, 2].each(|i| pick(late[i], early[i]));
    let square = pick(squares[1], squares[0]);
    // A muzzle speed that is the least one to within rounding will do.
    let most = course.speed * R::splat(1.0 + 4.0 * R::STEP);
    Found {
        time: pick(bends.late, bends.early),
        launch,
        hits: square.le(most * most),
        searched: R::Mask::from_fn(|_| false),
        capped: bends.open,
        iterations: bends.steps,
    }
}

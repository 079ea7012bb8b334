//! The first hit of all, through gravity, by holding back.
//!
//! Straight flight at the speed h arrives at the time t of [`constant`], but gravity makes the
//! launch of that time, V(t) = d / t + v − ½ g t (g downwards), faster or slower than h: it may exceed
//! the muzzle speed s. Holding back, a smaller h gives a later t. The largest h, and so the first t,
//! with |V(t)| ≤ s is the fastest shot that the weapon has.
//!
//! Method: t falls as h rises, and |V| comes from infinity, so the largest such h belongs to the first
//! t with |V(t)| = s; that is the first root of |P(t)| − s t, and [`search`] finds it without h. Which
//! h it was is |d / t + v| ([`held_back`]). Times after the one at which the target is slowest to catch
//! belong to no h; the search covers these as well.
//!
//! [`constant`]: mod@crate::kernel::intercept::constant
//! [`search`]: mod@crate::kernel::intercept::search

use crate::kernel::intercept::answer::{Answer, Found};
use crate::kernel::intercept::course::Course;
use crate::kernel::intercept::search::search;
use crate::kernel::intercept::shot::Shot;
use crate::kernel::intercept::{Arc, Effort};
use crate::lane::{Compare, Lane, Mask};
use crate::math::each::Each;

/// The first hit of shots at targets that move and accelerate.
#[inline(always)]
pub fn fastest<L: Lane>(case: &Shot<L>, effort: Effort) -> Answer<L> {
    let course = Course::new(&case.map(L::real));
    let all = L::real_mask(L::Mask::from_fn(|_| true));
    let none = !all;
    let found = search(&course, Arc::Low, L::Real::zero(), all, effort.steps);
    let found = Found {
        time: found.time,
        launch: course.launch(found.time),
        hits: found.hits,
        searched: none,
        capped: found.open,
        iterations: found.steps,
    };
    Answer::new(&found.settled(&course, false))
}

/// The speed in m/s at which a straight shot at a target at `delta` (m) with velocity `vel` (m/s)
/// arrives after `time` (s, above 0).
pub fn held_back(delta: [f64; 3], vel: [f64; 3], time: f64) -> f64 {
    let [x, y, z] = [0, 1, 2].each(|i| delta[i] / time + vel[i]);
    (x * x + y * y + z * z).sqrt()
}

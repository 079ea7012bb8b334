//! A block of shots by any method.

use crate::kernel::intercept::answer::{Answer, Case};
use crate::kernel::intercept::constant::constant;
use crate::kernel::intercept::fastest::fastest_within;
use crate::kernel::intercept::least::least_within;
use crate::kernel::intercept::moving::moving_within;
use crate::kernel::intercept::still::still;
use crate::kernel::intercept::{Effort, Method};
use crate::lane::Lane;

/// Solves a block of shots with a limit to the work; closed forms have none.
#[inline(always)]
pub fn solve_block<L: Lane>(method: Method, case: &Case<L>, effort: Effort) -> Answer<L> {
    match method {
        Method::Constant => constant(case),
        Method::Still(arc) => still(case, arc),
        Method::Moving(arc) => moving_within(case, arc, effort),
        Method::Fastest => fastest_within(case, effort),
        Method::Least => least_within(case, effort),
    }
}

//! A block of shots by any method.

use crate::kernel::intercept::{
    Answer, Effort, Method, Shot, constant, fastest, least, moving, still,
};
use crate::lane::Lane;

/// Solves a block of shots with a limit to the work; closed forms have none.
#[inline(always)]
pub fn solve_block<L: Lane>(method: Method, case: &Shot<L>, effort: Effort) -> Answer<L> {
    match method {
        Method::Constant => constant(case),
        Method::Still(arc) => still(case, arc),
        Method::Moving(arc) => moving(case, arc, effort),
        Method::Fastest => fastest(case, effort),
        Method::Least => least(case, effort),
    }
}

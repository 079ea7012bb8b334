//! The columns of a sort.

use throng::par::Split;
use throng::space::Gather;

/// The row in which each agent was before the sort.
pub(crate) struct Rows<'a>(pub(crate) &'a mut [u32]);

impl Split for Rows<'_> {
    fn split(self, rows: usize, _: usize) -> (Self, Self) {
        let (left, right) = self.0.split_at_mut(rows);
        (Self(left), Self(right))
    }
}

impl Gather for Rows<'_> {
    #[inline(always)]
    fn gather(&mut self, to: usize, from: usize) {
        self.0[to] = from as u32;
    }
}

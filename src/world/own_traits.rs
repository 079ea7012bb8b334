//! What single agents do not share with their group, as kernels read it.

/// The parts in which shares of radii and rates are kept: as [`Lane::from_q14`] takes them.
///
/// [`Lane::from_q14`]: crate::lane::Lane::from_q14
pub(crate) const PARTS: u16 = 1 << 14;

/// Differences of agents from their groups, by id index. A column is empty while no agent differs in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnTraits {
    /// How much smaller an agent is: that share of its group's radius, in [`PARTS`], below one.
    pub(crate) smaller: Vec<u16>,
    /// How much more sluggish it is: that share of its group's 1 / `response`, in [`PARTS`], below one.
    pub(crate) slower: Vec<u16>,
}

impl OwnTraits {
    /// All columns with what they are called.
    fn columns(&mut self) -> [&mut Vec<u16>; 2] {
        [&mut self.smaller, &mut self.slower]
    }

    /// Gives the columns that there are room for so many ids.
    pub(crate) fn grow(&mut self, ids: usize) {
        let used = self.columns().into_iter().filter(|column| !column.is_empty());
        used.for_each(|column| column.resize(ids, 0));
    }

    /// An id's agent is as its group says.
    pub(crate) fn forget(&mut self, id: u32) {
        let own = self.columns().into_iter().filter_map(|column| column.get_mut(id as usize));
        own.for_each(|parts| *parts = 0);
    }

    /// By which share of its group's radius an agent is smaller.
    #[inline(always)]
    pub(crate) fn smaller(&self, id: u32) -> f64 {
        share(&self.smaller, id)
    }

    /// By which share of its group's an agent's 1 / `response` is less.
    #[inline(always)]
    pub(crate) fn slower(&self, id: u32) -> f64 {
        share(&self.slower, id)
    }
}

/// A share of an agent, exact in every number type.
#[inline(always)]
fn share(column: &[u16], id: u32) -> f64 {
    column.get(id as usize).map_or(0.0, |&parts| f64::from(parts) / f64::from(PARTS))
}

/// Notes a share of an agent, of so many ids; a column begins with the first one that differs.
pub(crate) fn note(column: &mut Vec<u16>, id: u32, share: f64, ids: usize) {
    let parts = (share * f64::from(PARTS)).clamp(0.0, f64::from(PARTS - 1)) as u16;
    if parts != 0 || !column.is_empty() {
        column.resize(ids, 0);
        column[id as usize] = parts;
    }
}

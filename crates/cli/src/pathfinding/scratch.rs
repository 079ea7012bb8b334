//! Memory of queries, used again and again.

use throng::graph::mesh::{ExactSearch, FunnelSearch, MeshPath, RelaxedSearch};
use throng::graph::portals::PortalSearch;
use throng::graph::split::SplitSearch;
use throng::graph::{Search, highways, network};
use throng::nav::navigator::Finder;

/// Memory of the queries of any method.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) search: Search,
    pub(super) highways: highways::RelaxedSearch,
    pub(super) finder: Finder,
    pub(super) portals: PortalSearch,
    pub(super) split: SplitSearch,
    pub(super) funnel: FunnelSearch,
    pub(super) relaxed: RelaxedSearch,
    pub(super) exact: ExactSearch,
    pub(super) network: network::Scratch,
    pub(super) path: MeshPath,
    pub(crate) cells: Vec<u32>,
}

impl Scratch {
    /// Bytes held by the memory of searches.
    pub fn bytes(&self) -> u64 {
        self.search.bytes()
            + self.highways.bytes()
            + self.finder.bytes()
            + self.portals.bytes()
            + self.split.bytes()
            + self.funnel.bytes()
            + self.relaxed.bytes()
            + self.exact.bytes()
    }
}

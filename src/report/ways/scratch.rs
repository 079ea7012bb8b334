//! Memory of queries, used again and again.

use crate::graph::Search;
use crate::graph::mesh::ExactSearch;
use crate::graph::mesh::FunnelSearch;
use crate::graph::mesh::MeshPath;
use crate::graph::mesh::RelaxedSearch;
use crate::graph::network;
use crate::graph::portals::PortalSearch;
use crate::graph::split::SplitSearch;

/// Memory of the queries of any method.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) search: Search,
    pub(super) portals: PortalSearch,
    pub(super) split: SplitSearch,
    pub(super) funnel: FunnelSearch,
    pub(super) relaxed: RelaxedSearch,
    pub(super) exact: ExactSearch,
    pub(super) network: network::Scratch,
    pub(super) path: MeshPath,
    pub(super) cells: Vec<u32>,
    pub(super) corners: Vec<u32>,
}

impl Scratch {
    /// Bytes held by the memory of searches.
    pub fn bytes(&self) -> u64 {
        self.search.bytes()
            + self.portals.bytes()
            + self.split.bytes()
            + self.funnel.bytes()
            + self.relaxed.bytes()
            + self.exact.bytes()
    }
}

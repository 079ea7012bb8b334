//! Networks: a query allocates nothing once warm.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::{allocations, alone};
use throng::graph::network::{
    FloodFill, Method, Network, Placement, Query, Scratch, Sizes, Trip, Unseen, Walls,
};

#[test]
fn queries_allocate_nothing_once_warm() {
    let _alone = alone();
    for weighted in [false, true] {
        let map = if weighted { terrain::weighted(96, 2) } else { terrain::rooms(96, 2) };
        let method = Method::FloodFill(FloodFill::every(5.0));
        let placement = Placement { sizes: Sizes { radius: 0.4, cap: 3.0 }, method };
        let network = Network::for_class(&map, &map.class(0.4), &placement);
        let walls = Walls::new(&map);
        let (mut scratch, mut path) = (Scratch::default(), Vec::new());
        let follow = Unseen::WallFollow { steps: 50 };
        let mut run = || {
            let random = &mut Random(9);
            let mut length = 0;
            for i in 0..300 {
                let mut number = || 96.0 * f64::from(random.below(1 << 16)) / 65_536.0;
                let trip =
                    Trip { from: [number(), number()], to: [number(), number()], radius: 0.4 };
                let unseen = [Query::default().unseen, follow, Unseen::MoreNodes][i % 3];
                let query = Query { unseen, ..Query::default() };
                network.route(&walls, &trip, &query, &mut scratch, &mut path);
                length += path.len();
            }
            length
        };
        let first = run();
        assert_eq!(allocations(|| assert_eq!(run(), first)), 0);
        assert!(first > 600, "there were ways");
    }
}

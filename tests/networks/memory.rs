//! A query allocates nothing once warm.
//!
//! Memory is counted for the whole process, so the counting runs in a process of its own.

use crate::MEMORY;
use crate::terrain;
use crate::terrain::Random;
use stats_alloc::Region;
use std::process::Command;
use throng::graph::network::FloodFill;
use throng::graph::network::Method;
use throng::graph::network::Network;
use throng::graph::network::Placement;
use throng::graph::network::Query;
use throng::graph::network::Scratch;
use throng::graph::network::Sizes;
use throng::graph::network::Trip;
use throng::graph::network::Unseen;
use throng::graph::network::Walls;

const ALONE: &str = "THRONG_NETWORKS_ALONE";

#[test]
fn queries_allocate_nothing_once_warm() {
    if std::env::var_os(ALONE).is_some() {
        count();
        return;
    }
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(["--exact", "memory::queries_allocate_nothing_once_warm", "--test-threads=1"]);
    let output = command.args(["--nocapture"]).env(ALONE, "1").output().expect("a run of it");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
}

fn count() {
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
        let region = Region::new(MEMORY);
        assert_eq!(run(), first);
        assert_eq!(region.change().allocations + region.change().reallocations, 0);
        assert!(first > 600, "there were ways");
    }
    let region = Region::new(MEMORY);
    assert_eq!(vec![1_u8; 10].len(), 10);
    assert_eq!(region.change().allocations, 1, "an allocation is counted");
}

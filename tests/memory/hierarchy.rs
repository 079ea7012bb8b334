//! Levels above grids: warm queries and corridors allocate nothing.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::{allocations, alone};
use throng::graph::hop_cache::HopCache;
use throng::graph::portals::{PortalSearch, Portals};
use throng::graph::split::{Split, SplitSearch};
use throng::graph::waypoints::{WaypointOptions, Waypoints};
use throng::nav::corridor::{CorridorLimits, Corridors};
use throng::nav::field::GoalCells;

#[test]
fn warm_queries_allocate_nothing() {
    let _alone = alone();
    let map = terrain::rooms(160, 1);
    let class = map.class(0.4);
    let mut random = Random(2);
    let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
    let queries: Vec<(u32, u32)> = (0..12).map(|_| (cell(), cell())).collect();
    let portals = Portals::new(&class);
    let waypoints = Waypoints::new(&map, &class, WaypointOptions::default()).unwrap();
    let cuts = throng::graph::split::cut_nodes(waypoints.graph());
    let gates: Vec<Vec<u32>> = cuts.iter().take(3).map(|cut| vec![cut.node]).collect();
    let split = Split::new(waypoints.graph(), &gates).unwrap();
    let (mut search, mut splits) = (PortalSearch::default(), SplitSearch::default());
    let (mut path, mut hops) = (Vec::new(), HopCache::new(200));
    let mut ways = 0;
    let mut run = || {
        ways = 0;
        for &(from, to) in &queries {
            ways += u32::from(search.find(&portals, &class, from, to, &mut path).is_some());
            hops.insert_path(&path);
            hops.path(from, to, &mut path);
            ways += u32::from(waypoints.route(&class, from, to, &mut path).is_some());
            let ends = (waypoints.nearest(from).unwrap(), waypoints.nearest(to).unwrap());
            let found = splits.find(&split, waypoints.graph(), ends, |_, _| 0, &mut path);
            ways += u32::from(found.is_some());
        }
    };
    run();
    assert_eq!(allocations(run), 0);
    assert!(ways > 20, "{ways}");
    assert_eq!(hops.len(), 200);
}

/// Tiles come and go at the cap.
#[test]
fn warm_corridors_allocate_nothing() {
    let _alone = alone();
    let class = terrain::rooms(320, 1).class(0.4);
    let goal = terrain::passable_cell(class.slowness(), 500).unwrap();
    let limits = CorridorLimits { cap_bytes: 80_000, ..CorridorLimits::default() };
    let mut corridors = Corridors::new(&class, limits);
    let id = corridors.request(&GoalCells::point(goal), 0).unwrap();
    corridors.hold(id);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut tick = 0;
    let mut made = 0;
    let mut run = || {
        pool.install(|| {
            for _ in 0..30 {
                tick += 1;
                let sector = (tick % 100) as u32;
                let (columns, rows) = corridors.layout().cells(sector);
                let cell = (rows.start + 9) * class.stride() + columns.start + 9;
                made += u32::from(corridors.need(id, cell, tick).unwrap());
                corridors.advance(&class);
                made += u32::from(corridors.need(id, cell, tick).unwrap());
            }
        });
    };
    for _ in 0..8 {
        run();
    }
    assert_eq!(allocations(run), 0);
    assert!(made > 200 && corridors.bytes() <= limits.cap_bytes);
    assert!(corridors.tile_count() < 100);
}

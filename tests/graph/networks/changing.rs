//! Buildings that come and go: what is measured again is what measuring everything would give.

use crate::common::terrain;
use crate::common::terrain::Random;
use throng::graph::network::{
    Corners, FloodFill, Method, Network, Outcome, Placement, Query, Scratch, Sizes, Trip, Walls,
    first_blocked,
};
use throng::map::{Map, Window};

/// A map and its cells, to be changed.
struct Ground {
    side: u32,
    cells: Vec<u8>,
}

impl Ground {
    fn of(map: &Map) -> Self {
        let side = map.width();
        let cells = (0..side * side)
            .map(|i| map.slowness()[map.index(i % side, i / side) as usize])
            .collect();
        Self { side, cells }
    }

    fn map(&self) -> Map {
        Map::from_slowness(self.side, self.side, 1.0, &self.cells)
    }

    fn fill(&mut self, [x, y, width, height]: [u32; 4], slowness: u8) -> [[f64; 2]; 2] {
        for row in y..y + height {
            let start = (row * self.side + x) as usize;
            self.cells[start..start + width as usize].fill(slowness);
        }
        let at = |x: u32, y: u32| [f64::from(x), f64::from(y)];
        [at(x, y), at(x + width, y + height)]
    }
}

#[test]
fn measuring_a_window_again_is_measuring_all_again() {
    let mut counts = [0; 2];
    for seed in 0..8 {
        let random = &mut Random(seed);
        let start =
            if seed % 2 == 0 { terrain::noise(64, 5, seed) } else { terrain::weighted(64, seed) };
        let method = if seed % 4 < 2 {
            Method::FloodFill(FloodFill::every(5.0))
        } else {
            Method::Corners(Corners::default())
        };
        let placement = Placement { sizes: Sizes { radius: 0.4, cap: 3.0 }, method };
        let first = Network::for_class(&start, &start.class(0.4), &placement);
        let (mut ground, mut network) = (Ground::of(&start), first.clone());
        for step in 0..12 {
            let mut side = || 1 + random.below(9);
            let (width, height) = (side(), side());
            let (x, y) = (random.below(64 - width), random.below(64 - height));
            let slowness = [0, 16, 40][step % 3];
            let window = ground.fill([x, y, width, height], slowness);
            let map = ground.map();
            let walls = Walls::new(&map);
            let changed = network.invalidate(&walls, window);
            let all = Network::new(&network.edit(), &walls, placement.sizes);
            assert!(network == all, "seed {seed}, step {step}");
            counts[usize::from(changed > 0)] += 1;
        }
        // All torn down and built as before: as on the first day.
        let window = [[0.0, 0.0], [64.0, 64.0]];
        network.invalidate(&Walls::new(&start), window);
        assert!(network == first, "seed {seed}");
    }
    assert!(counts[0] > 5 && counts[1] > 20, "{counts:?}");
}

#[test]
fn wide_agents_lose_cells_beyond_the_clearances() {
    let mut changes = 0;
    for seed in 0..6 {
        let random = &mut Random(seed);
        let start = terrain::noise(48, 3, seed);
        let sizes = Sizes { radius: 1.6, cap: 1.6 };
        // Not at the middles of cells, so that edges cross cells whose middles are closer to a wall.
        let method = Method::Corners(Corners { margin: 0.1, ..Corners::default() });
        let mut network =
            Network::for_class(&start, &start.class(1.6), &Placement { sizes, method });
        let mut ground = Ground::of(&start);
        for step in 0..40 {
            let (x, y) = (random.below(46), random.below(46));
            let window = ground.fill([x, y, 2, 2], [0, 16][step % 2]);
            let (map, padded) = (ground.map(), [x + 1, y + 1]);
            let class = map.class(1.6);
            let walls = Walls::of_class(&map, &class);
            let cells = Window { min: padded, max: padded.map(|v| v + 2) };
            assert_eq!(walls.metres(cells), window);
            changes += network.invalidate(&walls, window);
            let all = Network::new(&network.edit(), &walls, sizes);
            assert!(network == all, "seed {seed}, step {step}");
        }
    }
    assert!(changes > 100, "{changes}");
}

#[test]
fn a_stale_edge_is_found() {
    // The planted fault: a window that misses the building leaves the network as it was.
    let start = terrain::open(32);
    let method = Method::FloodFill(FloodFill::every(4.0));
    let placement = Placement { sizes: Sizes { radius: 0.4, cap: 2.0 }, method };
    let mut network = Network::for_class(&start, &start.class(0.4), &placement);
    let mut ground = Ground::of(&start);
    ground.fill([10, 10, 6, 6], 0);
    let map = ground.map();
    network.invalidate(&Walls::new(&map), [[25.0, 25.0], [30.0, 30.0]]);
    assert!(network != Network::new(&network.edit(), &Walls::new(&map), placement.sizes));
}

#[test]
fn agents_go_around_a_new_building_and_straight_again_when_it_falls() {
    let mut ground = Ground::of(&terrain::open(48));
    // A wall with two doors.
    ground.fill([24, 0, 1, 48], 0);
    ground.fill([24, 10, 1, 3], 16);
    ground.fill([24, 40, 1, 3], 16);
    let start = ground.map();
    let method = Method::FloodFill(FloodFill::every(4.0));
    let placement = Placement { sizes: Sizes { radius: 0.4, cap: 2.0 }, method };
    let mut network = Network::for_class(&start, &start.class(0.4), &placement);
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    let trip = Trip { from: [4.0, 11.0], to: [44.0, 11.0], radius: 0.4 };
    let mut ask = |network: &Network, map: &Map, path: &mut Vec<[f64; 2]>| match network.route(
        &Walls::new(map),
        &trip,
        &Query::default(),
        &mut scratch,
        path,
    ) {
        Outcome::Found { length, .. } => Some(length),
        _ => None,
    };
    let short = ask(&network, &start, &mut path).expect("through the door");
    assert!(short < 41.0);
    let window = ground.fill([22, 9, 5, 5], 0);
    let built = ground.map();
    let stale = path.clone();
    assert!(first_blocked(&Walls::new(&built), 0.4, &stale).is_some(), "the way is blocked");
    assert!(network.invalidate(&Walls::new(&built), window) > 0);
    let long = ask(&network, &built, &mut path).expect("through the other door");
    assert!(long > 60.0 && first_blocked(&Walls::new(&built), 0.4, &path).is_none());
    let window = ground.fill([24, 40, 1, 3], 0);
    let closed = ground.map();
    network.invalidate(&Walls::new(&closed), window);
    assert_eq!(ask(&network, &closed, &mut path), None);
    assert!(network.invalidate(&Walls::new(&start), [[22.0, 9.0], [27.0, 43.0]]) > 0);
    assert_eq!(ask(&network, &start, &mut path), Some(short));
}

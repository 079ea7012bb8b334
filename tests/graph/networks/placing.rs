//! Flood fill covers everything; corners get nodes that are clear; drafts can be edited.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::networks::oracle::{Drawn, Solid};
use throng::graph::network::{
    Corners, FloodFill, Method, Network, Obstacles, Placement, Polygons, SLACK, Scratch, Sizes,
    Stray, Walls, flood_fill_raster, points_of_visibility,
};
use throng::map::{Clearance, Map};

/// The part of every node: nodes that open edges join have the same.
fn parts(network: &Network) -> Vec<u32> {
    let mut part: Vec<u32> = (0..network.points().len() as u32).collect();
    loop {
        let mut changed = false;
        for (edge, ends) in network.edges().iter().enumerate() {
            let [a, b] = ends.nodes.map(|node| node as usize);
            if network.open(edge as u32, 0.0) && part[a] != part[b] {
                let least = part[a].min(part[b]);
                (part[a], part[b]) = (least, least);
                changed = true;
            }
        }
        if !changed {
            return part;
        }
    }
}

fn check_flood(map: &Map, class: &Clearance, radius: f64, spacing: f64) -> Network {
    let sizes = Sizes { radius, cap: 4.0 };
    let method = Method::FloodFill(FloodFill::every(spacing));
    let network = Network::for_class(map, class, &Placement { sizes, method });
    let component = |at: [f64; 2]| class.component(map.cell_at(at[0], at[1]).unwrap());
    let parts = parts(&network);
    // Every component has one part, and that part no other.
    let mut part_of = vec![u32::MAX; class.component_count() as usize + 1];
    for (node, &at) in network.points().iter().enumerate() {
        let own = component(at) as usize;
        assert_ne!(own, 0, "node {node} stands in a wall");
        assert!(network.radii()[node] + SLACK >= radius);
        if part_of[own] == u32::MAX {
            part_of[own] = parts[node];
        }
        assert_eq!(part_of[own], parts[node], "component {own} is not in one part");
    }
    let missed = part_of[1..].iter().position(|&part| part == u32::MAX);
    assert_eq!(missed, None, "a component has no node");
    for edge in 0..network.edges().len() as u32 {
        assert!(network.open(edge, radius), "edge {edge} is drawn through a wall");
    }
    network
}

#[test]
fn flood_fill_covers_every_component_in_one_part() {
    for seed in 0..6 {
        for (percent, radius) in [(10, 0.3), (40, 0.3), (10, 1.2), (5, 2.4)] {
            let map = terrain::noise(64, percent, seed);
            let class = map.class(radius);
            check_flood(&map, &class, radius, [2.0, 5.0, 8.0][seed as usize % 3]);
        }
        let map = terrain::rooms(96, seed);
        check_flood(&map, &map.class(0.4), 0.4, 8.0);
        let map = terrain::weighted(64, seed);
        check_flood(&map, &map.class(0.4), 0.4, 6.0);
    }
}

#[test]
fn nodes_on_open_ground_are_evenly_spread_and_joined_to_eight() {
    let map = terrain::open(96);
    let network = check_flood(&map, &map.class(0.4), 0.4, 8.0);
    assert_eq!(network.points().len(), 144);
    let inner = |at: [f64; 2]| (8.0..88.0).contains(&at[0]) && (8.0..88.0).contains(&at[1]);
    for (node, &at) in network.points().iter().enumerate() {
        let degree = network.links(node as u32).len();
        assert!(degree == 8 || !inner(at) && degree < 8, "{at:?} has {degree} edges");
    }
}

#[test]
fn flood_fill_finds_the_free_space_between_polygons() {
    let mut nodes = 0;
    for seed in 0..12 {
        let mut drawn = Drawn::random(&mut Random(seed), 6);
        drawn.boundary.get_or_insert(vec![[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]]);
        let polygons = drawn.built();
        let draft = flood_fill_raster(&polygons, 0.5, 0.4, &FloodFill::every(4.0));
        let network = Network::new(&draft, &polygons, Sizes { radius: 0.4, cap: 3.0 });
        for (node, &at) in network.points().iter().enumerate() {
            assert!(drawn.from(at) >= 0.4 - SLACK, "node {node} at {at:?}");
        }
        // A point with room around it sees a node.
        let mut scratch = Scratch::default();
        for i in 0..400 {
            let at = [f64::from(i % 20) * 2.0 + 1.0, f64::from(i / 20) * 2.0 + 1.0];
            if drawn.from(at) > 1.2 {
                assert!(
                    network.nearest_visible(&polygons, at, 0.4, &mut scratch).is_some(),
                    "{seed}: {at:?}"
                );
                nodes += 1;
            }
        }
    }
    assert!(nodes > 1000, "{nodes}");
}

fn square(x: f64, y: f64, side: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
}

#[test]
fn a_block_has_four_nodes_around_it() {
    let hall = square(0.0, 0.0, 20.0);
    let obstacles = Polygons::new(&[square(8.0, 8.0, 4.0)], Some(&hall)).unwrap();
    let placing = Corners { margin: 0.25, ..Corners::default() };
    let draft = points_of_visibility(&obstacles, 0.5, &placing);
    let mut nodes: Vec<_> = draft.nodes().filter_map(|node| draft.at(node)).collect();
    nodes.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
    let expected = [[7.25, 7.25], [12.75, 7.25], [7.25, 12.75], [12.75, 12.75]];
    for (node, expected) in nodes.iter().zip(expected) {
        assert!((node[0] - expected[0]).abs() + (node[1] - expected[1]).abs() < 1e-9, "{nodes:?}");
    }
    // Along the walls, and not through the block.
    assert_eq!(draft.edges().count(), 4);
    let reflex = points_of_visibility(&obstacles, 0.5, &Corners { reflex: true, ..placing });
    assert_eq!(reflex.nodes().count(), 8, "four more in the corners of the hall");
    // The same of the other side of cells.
    let mut cells = vec![16; 400];
    for i in 0..16 {
        cells[(8 + i / 4) * 20 + 8 + i % 4] = 0;
    }
    let map = Map::from_slowness(20, 20, 1.0, &cells);
    let on_map = points_of_visibility(&Walls::new(&map), 0.5, &placing);
    assert_eq!((on_map.nodes().count(), on_map.edges().count()), (4, 4));
}

#[test]
fn a_spike_has_a_node_beyond_either_side_and_can_be_walked_around() {
    let spike = vec![[10.0, 5.0], [10.6, 15.0], [9.4, 15.0]];
    let obstacles = Polygons::new(&[spike], Some(&square(0.0, 0.0, 20.0))).unwrap();
    let draft = points_of_visibility(&obstacles, 0.5, &Corners::default());
    let tip: Vec<_> = draft.nodes().filter(|&node| draft.at(node).unwrap()[1] < 6.0).collect();
    assert_eq!(tip.len(), 2);
    assert!(draft.joined(tip[0], tip[1]));
    assert!(draft.nodes().all(|node| obstacles.clearance(draft.at(node).unwrap(), 1.0) >= 0.5));
}

#[test]
fn nodes_that_fall_into_other_obstacles_move_or_are_dropped() {
    // Two blocks, corner to corner: the gap is too narrow for the offset, but not for the agent.
    let blocks = [square(4.0, 4.0, 4.0), square(9.2, 9.2, 4.0)];
    let obstacles = Polygons::new(&blocks, Some(&square(0.0, 0.0, 20.0))).unwrap();
    let placing = |stray| Corners { margin: 1.0, stray, ..Corners::default() };
    let moved = points_of_visibility(&obstacles, 0.5, &placing(Stray::Move));
    let dropped = points_of_visibility(&obstacles, 0.5, &placing(Stray::Drop));
    assert_eq!(moved.nodes().count(), 8);
    assert_eq!(dropped.nodes().count(), 6);
    for node in moved.nodes() {
        assert!(obstacles.clearance(moved.at(node).unwrap(), 1.0) + SLACK >= 0.5);
    }
}

#[test]
fn every_node_at_a_corner_is_clear() {
    for seed in 0..8 {
        let random = &mut Random(seed);
        let map = terrain::noise(48, 15, seed);
        let drawn = Drawn::random(random, 7);
        let (walls, polygons) = (Walls::new(&map), drawn.built());
        let on_map = points_of_visibility(&walls, 0.3, &Corners::default());
        let drafted = points_of_visibility(&polygons, 0.3, &Corners::default());
        assert!(on_map.nodes().count() > 50 && on_map.edges().count() > 50);
        assert!(on_map.nodes().all(|node| map.from(on_map.at(node).unwrap()) >= 0.3 - SLACK));
        assert!(drafted.nodes().all(|node| drawn.from(drafted.at(node).unwrap()) >= 0.3 - SLACK));
    }
}

#[test]
fn networks_are_the_same_on_any_number_of_threads() {
    let map = terrain::noise(96, 15, 7);
    let class = map.class(0.4);
    let sizes = Sizes { radius: 0.4, cap: 3.0 };
    let methods = [Method::FloodFill(FloodFill::every(5.0)), Method::Corners(Corners::default())];
    for method in methods {
        let build = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Network::for_class(&map, &class, &Placement { sizes, method }))
        };
        let one = build(1);
        assert!([2, 3, 8].iter().all(|&threads| build(threads) == one));
        assert!(one.edges().len() > 300);
    }
}

#[test]
fn drafts_are_edited_by_hand() {
    let obstacles = Polygons::new(&[], Some(&square(0.0, 0.0, 20.0))).unwrap();
    let sizes = Sizes { radius: 0.5, cap: 2.0 };
    let draft = flood_fill_raster(&obstacles, 1.0, 0.5, &FloodFill::every(5.0));
    let network = Network::new(&draft, &obstacles, sizes);
    let mut draft = network.edit();
    assert_eq!(Network::new(&draft, &obstacles, sizes), network);
    let last = network.points().len() as u32 - 1;
    assert!(draft.remove(0) && !draft.remove(0) && !draft.set_tag(0, 1));
    assert!(draft.set_tag(last, 42) && draft.shift(last, [19.0, 19.0]));
    let cover = draft.add([10.0, 10.0], 9);
    assert!(draft.link(cover, last) && draft.unlink(last, cover) && !draft.unlink(cover, last));
    assert!(draft.link(cover, last));
    let edited = Network::new(&draft, &obstacles, sizes);
    assert_eq!(edited.points().len(), network.points().len());
    assert_eq!(edited.tags()[last as usize - 1..], [42, 9]);
    assert_eq!(edited.points()[last as usize - 1], [19.0, 19.0]);
    let gone = network.links(0).len();
    assert_eq!(edited.edges().len(), network.edges().len() - gone + 1);
}

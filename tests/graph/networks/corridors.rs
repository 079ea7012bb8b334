//! Corridors: what they claim is free is free, and agents go only where they fit.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::networks::oracle;
use crate::networks::oracle::{Drawn, Solid};
use throng::graph::network::{
    Corners, FloodFill, Method, Network, Outcome, Placement, Query, Scratch, Sizes, Trip, Unseen,
    Walls, points_of_visibility,
};
use throng::map::Map;

const CLOSE: f64 = 1e-6;

/// Checks points across corridors; returns the mean half width over the mean of the ends' radii.
fn check(network: &Network, solid: &impl Solid, random: &mut Random, edges: u32) -> f64 {
    let (mut wide, mut ends) = (0.0, 0.0);
    for _ in 0..edges {
        let edge = random.below(network.edges().len() as u32);
        let own = network.edges()[edge as usize];
        let [a, b] = own.nodes.map(|node| network.points()[node as usize]);
        if !network.open(edge, 0.0) {
            continue;
        }
        let length = oracle::distance(a, b);
        let normal = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
        assert!(network.corridor(edge, 0.0) <= network.radii()[own.nodes[0] as usize] + CLOSE);
        assert!(network.corridor(edge, 1.0) <= network.radii()[own.nodes[1] as usize] + CLOSE);
        for i in 0..=20 {
            let t = f64::from(i) / 20.0;
            let (axis, half) = (oracle::between(a, b, t), network.corridor(edge, t));
            assert!(half + CLOSE >= own.clearance);
            for j in -4..=4 {
                let aside = half * f64::from(j) / 4.0;
                let at = [axis[0] + normal[0] * aside, axis[1] + normal[1] * aside];
                let free = solid.from(at);
                let claimed = half - aside.abs();
                assert!(free >= claimed - CLOSE, "edge {edge} at {t}: {free}, claims {claimed}");
            }
            // Wherever an agent wants to be, it is kept where there is room.
            let mut off = || f64::from(random.below(2001)) / 200.0 - 5.0;
            let wanted = [axis[0] + off(), axis[1] + off()];
            for radius in [0.0, 0.4, own.clearance] {
                let at = network.clamp(edge, wanted, radius);
                assert!(solid.from(at) >= radius.min(own.clearance) - CLOSE);
            }
        }
        wide += network.corridor(edge, 0.5);
        let radii = own.nodes.map(|node| network.radii()[node as usize]);
        ends += 0.5 * (radii[0] + radii[1]);
    }
    wide / ends
}

#[test]
fn corridors_are_free_on_maps() {
    let mut share = 0.0;
    for seed in 0..6 {
        let random = &mut Random(seed);
        let map =
            if seed % 2 == 0 { terrain::noise(40, 4, seed) } else { terrain::rooms(40, seed) };
        let method = if seed % 3 == 0 {
            Method::Corners(Corners::default())
        } else {
            Method::FloodFill(FloodFill::every(5.0))
        };
        let placement = Placement { sizes: Sizes { radius: 0.3, cap: 4.0 }, method };
        let network = Network::for_class(&map, &map.class(0.3), &placement);
        share += check(&network, &map, random, 60) / 6.0;
    }
    assert!(share > 0.5, "corridors are {share:.2} as wide as their ends");
}

#[test]
fn corridors_are_free_among_polygons() {
    for seed in 0..6 {
        let random = &mut Random(seed);
        let drawn = Drawn::random(random, 5);
        let polygons = drawn.built();
        let draft = points_of_visibility(&polygons, 0.3, &Corners::default());
        let network = Network::new(&draft, &polygons, Sizes { radius: 0.3, cap: 4.0 });
        if !network.edges().is_empty() {
            check(&network, &drawn, random, 30);
        }
    }
}

#[test]
fn wide_agents_take_the_wide_door() {
    // A wall with a door of 1 m near and one of 4 m far away.
    let mut cells = vec![16_u8; 2304];
    for y in 0..48 {
        if y != 10 && !(36..40).contains(&y) {
            cells[y * 48 + 24] = 0;
        }
    }
    let map = Map::from_slowness(48, 48, 1.0, &cells);
    let method = Method::FloodFill(FloodFill::every(4.0));
    let placement = Placement { sizes: Sizes { radius: 0.4, cap: 4.0 }, method };
    let network = Network::for_class(&map, &map.class(0.4), &placement);
    let (walls, query) =
        (Walls::new(&map), Query { unseen: Unseen::MoreNodes, ..Query::default() });
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    let mut crossed = Vec::new();
    for radius in [0.4, 0.5, 0.6, 1.5, 2.2] {
        let trip = Trip { from: [10.0, 10.0], to: [40.0, 12.0], radius };
        let outcome = network.route(&walls, &trip, &query, &mut scratch, &mut path);
        if !matches!(outcome, Outcome::Found { .. }) {
            crossed.push(None);
            continue;
        }
        for pair in path.windows(2) {
            let [_, most] = oracle::sampled(&map, pair[0], pair[1], 200);
            assert!(most + 1e-5 >= radius, "radius {radius}: {pair:?} comes as near as {most}");
        }
        let pair = path.windows(2).find(|pair| pair[0][0] < 24.5 && pair[1][0] >= 24.5);
        crossed.push(pair.map(|pair| pair[1][1] > 20.0));
    }
    assert_eq!(crossed, [Some(false), Some(false), Some(true), Some(true), None]);
}

//! Routes by network and mesh, without a world.

use throng::map::Map;
use throng::map::area::GoalCells;
use throng::nav::navigator::{Finder, Ground, Navigator, Prepared, Terrain};

use crate::common::terrain::{Random, noise, open, rooms};

/// Length of a way in cells, hop by hop and route by route; how many hops are not clear; how many
/// routes it took. None where it does not lead to the goal.
fn length(
    navigator: Navigator,
    terrain: &Terrain<'_>,
    from: u32,
    to: u32,
) -> Option<(f64, u32, u32)> {
    let ground = Ground::new(terrain.class);
    let mut finder = Finder::default();
    let (mut at, mut length, mut hidden, mut asked) = (from, 0.0, 0, 0);
    while at != to {
        asked += 1;
        if asked > 50 {
            return None;
        }
        let corners = finder.find(navigator, terrain, at, &GoalCells::point(to), to)?;
        assert!(finder.work() > 0);
        for &corner in &corners.cells[..corners.count] {
            length += (ground.square(at, corner) as f64).sqrt();
            hidden += u32::from(!ground.sees(at, corner, false));
            at = corner;
        }
        assert!(!corners.is_whole || at == to);
    }
    Some((length, hidden, asked))
}

#[test]
fn every_method_leads_to_the_goal_and_little_farther_than_another() {
    let mut random = Random(12);
    let maps: [(&str, Map, f64); 5] = [
        ("open", open(96), 0.3),
        ("noise", noise(96, 12, 4), 0.3),
        ("dense", noise(96, 30, 5), 0.3),
        ("rooms", rooms(128, 6), 0.3),
        ("rooms, wide", rooms(128, 6), 0.9),
    ];
    for (name, map, radius) in maps {
        let class = map.class(radius);
        let mut prepared = Prepared::default();
        for navigator in
            [Navigator::Path, Navigator::Waypoints, Navigator::Network, Navigator::Mesh]
        {
            prepared.prepare(navigator, &map, &class, None).unwrap();
        }
        let terrain = Terrain { map: &map, class: &class, prepared: &prepared };
        let all = [Navigator::Path, Navigator::Waypoints, Navigator::Network, Navigator::Mesh];
        let (mut sums, mut found, mut hidden, mut trips) = ([0.0; 4], [0; 4], [0; 4], 0);
        while trips < 100 {
            let mut cell = || map.index(random.below(map.width()), random.below(map.height()));
            let (from, to) = (cell(), cell());
            if !class.same_component(from, to) {
                continue;
            }
            trips += 1;
            let lengths = all.map(|navigator| length(navigator, &terrain, from, to));
            for (i, length) in lengths.iter().enumerate() {
                found[i] += u32::from(length.is_some());
                hidden[i] += length.map_or(0, |(_, hidden, _)| hidden);
                if lengths.iter().all(Option::is_some) {
                    sums[i] += length.unwrap().0;
                }
            }
        }
        let ratio = sums.map(|sum| (sum / sums[0] * 1000.0).round() / 1000.0);
        assert_eq!(hidden, [0; 4], "{name}: corners see each other");
        assert!(found.iter().all(|&found| found >= 99), "{name}: {found:?}");
        assert!(ratio.iter().all(|&ratio| ratio < 1.15), "{name}: {ratio:?}");
        eprintln!("{name:<12} found {found:?} of 100, lengths {ratio:?}");
    }
}

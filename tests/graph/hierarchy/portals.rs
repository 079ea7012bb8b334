//! Portals: repaired ones equal rebuilt ones, and ways through them keep their bound.

use crate::common::terrain::Random;
use crate::common::{data, oracle, terrain};
use proptest::prelude::*;
use rayon::prelude::*;
use throng::graph::portals;
use throng::graph::portals::{PortalSearch, Portals, SECTOR};
use throng::map::{Clearance, Map};
use throng::nav::field::UNREACHED;

/// A map of a few sectors: noise, rooms of odd sizes, weights.
pub(crate) fn medium(random: &mut Random) -> Map {
    let (width, height) = (20 + random.below(120), 20 + random.below(120));
    let percent = [0, 10, 30, 42][random.below(4) as usize];
    let room = [7, 13, 40, 1000][random.below(4) as usize];
    let most = [1, 1, 4, 240][random.below(4) as usize];
    let mut cells = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let wall = (x % room == 3 || y % room == 3) && random.below(6) != 0;
            let solid = wall || random.below(100) < percent;
            let slowness = if most == 1 { 16 } else { 1 + random.below(most) as u8 };
            cells.push(if solid { 0 } else { slowness });
        }
    }
    Map::from_slowness(width, height, 1.0, &cells)
}

/// The slowness of a map without its padding.
pub(crate) fn unpadded(map: &Map) -> Vec<u8> {
    let rows = map.slowness().chunks_exact(map.stride() as usize).skip(1);
    rows.take(map.height() as usize).flat_map(|row| &row[1..row.len() - 1]).copied().collect()
}

/// The map with a building put up or taken down, and the cells that changed.
pub(crate) fn rebuilt(map: &Map, random: &mut Random) -> (Map, Vec<u32>) {
    let (width, height) = (map.width(), map.height());
    let (x, y) = (random.below(width), random.below(height));
    let columns = x..(x + 1 + random.below(12)).min(width);
    let rows = y..(y + 1 + random.below(12)).min(height);
    let slowness = if random.below(2) == 0 { 0 } else { 16 };
    let mut cells = unpadded(map);
    let mut changed = Vec::new();
    for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
        let cell = &mut cells[(y * width + x) as usize];
        if *cell != slowness {
            changed.push(map.index(x, y));
        }
        *cell = slowness;
    }
    (Map::from_slowness(width, height, 1.0, &cells), changed)
}

fn sector_of(map: &Map, cell: u32) -> (u32, u32) {
    let (x, y) = map.cell(cell);
    (x / SECTOR, y / SECTOR)
}

/// Cost of a way of cells; panics when a step is not one.
fn walk(class: &Clearance, path: &[u32]) -> u32 {
    let slowness = class.slowness();
    let stride = class.stride();
    let mut cost = 0;
    for step in path.windows(2) {
        let (a, b) = (step[0], step[1]);
        let (dx, dy) = ((b % stride).abs_diff(a % stride), (b / stride).abs_diff(a / stride));
        assert!(dx.max(dy) == 1, "from {a} to {b}");
        let beside = [a - a % stride + b % stride, b - b % stride + a % stride];
        assert!(beside.iter().all(|&cell| class.passable(cell)) && class.passable(b));
        let sum = u32::from(slowness[a as usize]) + u32::from(slowness[b as usize]);
        cost += if dx + dy == 2 { sum * 181 / 16 } else { sum * 8 };
    }
    cost
}

/// Borders that a way crosses; over a corner of sectors two.
fn crossings(map: &Map, path: &[u32]) -> u32 {
    let of = |cell| sector_of(map, cell);
    let both = |step: &[u32]| {
        let (a, b) = (of(step[0]), of(step[1]));
        u32::from(a.0 != b.0) + u32::from(a.1 != b.1)
    };
    path.windows(2).map(both).sum()
}

/// One way against the optimum; the ratio of costs.
fn check(
    map: &Map,
    class: &Clearance,
    portals: &Portals,
    search: &mut PortalSearch,
    ends: (u32, u32),
) -> Option<(f64, f64)> {
    let (start, goal) = ends;
    let cheapest = oracle::Cheapest::to(class, goal);
    let best = cheapest.cost(start);
    let mut path = Vec::new();
    let found = search.find(portals, class, start, goal, &mut path);
    assert_eq!(found.is_some(), best.is_some(), "{start} to {goal}");
    let (found, best) = (found?, best?);
    assert_eq!((path[0], *path.last().unwrap()), (start, goal));
    assert_eq!(walk(class, &path), found.cost);
    let crossed = crossings(map, &cheapest.way(start).unwrap());
    let most = best + crossed * portals::slack(class.greatest());
    assert!(best <= found.cost && found.cost <= found.coarse, "{best} {found:?}");
    assert!(found.coarse <= most, "{best} {crossed} {found:?}");
    let ratio = |cost: u32| f64::from(cost) / f64::from(best.max(1));
    Some((ratio(found.cost), ratio(found.coarse)))
}

proptest! {
    #![proptest_config(crate::common::cases(120))]

    #[test]
    fn ways_are_ways_and_keep_the_bound(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = medium(&mut random);
        let class = map.class([0.4, 0.9][random.below(2) as usize]);
        let portals = Portals::new(&class);
        let mut search = PortalSearch::default();
        for _ in 0..6 {
            let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000));
            let (Some(start), Some(goal)) = (cell(), cell()) else { return Ok(()) };
            check(&map, &class, &portals, &mut search, (start, goal));
        }
    }

    #[test]
    fn repaired_portals_equal_rebuilt_ones(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut map = medium(&mut random);
        let mut repaired = Portals::new(&map.class(0.4));
        for _ in 0..6 {
            let (next, changed) = rebuilt(&map, &mut random);
            map = next;
            let class = map.class(0.4);
            repaired.repair(&class, &changed);
            prop_assert!(repaired == Portals::new(&class));
        }
    }

    /// Edges by a search of the whole map in which only one sector is open.
    #[test]
    fn edges_are_the_cheapest_ways_inside_a_sector(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = medium(&mut random);
        let class = map.class(0.4);
        let portals = Portals::new(&class);
        let layout = portals.layout();
        let sector = random.below(layout.sectors());
        let (columns, rows) = layout.cells(sector);
        let mut cells = unpadded(&map);
        for (i, cell) in (0_u32..).zip(&mut cells) {
            let inside = columns.contains(&(i % map.width())) && rows.contains(&(i / map.width()));
            *cell = if inside { *cell } else { 0 };
        }
        let alone = Map::from_slowness(map.width(), map.height(), 1.0, &cells).class(0.0);
        let nodes: Vec<u32> = layout.nodes(sector).into_iter().flatten().collect();
        for (a, &from) in (0..).zip(&nodes) {
            let distances = oracle::octile(&alone, &[layout.cell_in(sector, from)]);
            for (b, &to) in (0..).zip(&nodes) {
                let found = portals.cost_inside(sector, a, b).map_or(UNREACHED, |c| c as i32);
                let expected = distances[layout.cell_in(sector, to) as usize];
                prop_assert_eq!(found, expected, "{} {}", from, to);
            }
        }
    }
}

/// Every pair of passable cells across a border belongs to exactly one portal, and nothing else
/// does.
#[test]
fn portals_cover_the_borders() {
    for map in [terrain::noise(200, 25, 3), terrain::open(200), terrain::rooms(200, 3)] {
        let class = map.class(0.4);
        let portals = Portals::new(&class);
        let layout = portals.layout();
        let mut pairs = Vec::new();
        for node in 0..layout.node_count() {
            let portal = layout.portal(node);
            assert!((1..=16).contains(&portal.count()) && portal.middle() < portal.count());
            pairs.extend((0..portal.count()).map(|place| portal.pair(place, map.stride())));
        }
        pairs.sort_unstable();
        let mut expected = Vec::new();
        for (x, y) in (0..200).flat_map(|y| (0..200).map(move |x| (x, y))) {
            let cell = map.index(x, y);
            for (other, border) in [(cell + 1, x + 1), (cell + map.stride(), y + 1)] {
                if border % SECTOR == 0 && class.passable(cell) && class.passable(other) {
                    expected.push([cell, other]);
                }
            }
        }
        expected.sort_unstable();
        assert_eq!(pairs, expected);
        assert!(expected.len() > 50, "{}", expected.len());
    }
}

/// A wall cuts a sector in two; the way from one half to the other leads out of it and back.
#[test]
fn halves_of_a_sector_are_joined_outside_it() {
    let cells: Vec<u8> =
        (0..64 * 64).map(|i| if i % 64 == 10 && i < 64 * 40 { 0 } else { 16 }).collect();
    let map = Map::from_slowness(64, 64, 1.0, &cells);
    let class = map.class(0.4);
    let portals = Portals::new(&class);
    let ends = (map.index(3, 3), map.index(20, 3));
    let ratio = check(&map, &class, &portals, &mut PortalSearch::default(), ends).unwrap();
    assert!(ratio.0 < 1.02, "{ratio:?}");
}

#[test]
fn portals_do_not_depend_on_threads() {
    let class = terrain::noise(300, 20, 8).class(0.4);
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Portals::new(&class))
    };
    assert!(of(1) == of(5));
}

#[test]
fn ratios_on_benchmark_maps() {
    let Some(folder) = data::folder() else { return };
    let share = if data::all() { 40 } else { 4 };
    let of_map = |path: &std::path::PathBuf| {
        let map = data::read_map(path);
        let class = map.class(0.4);
        let portals = Portals::new(&class);
        let mut random = Random(map.hash());
        let mut search = PortalSearch::default();
        let mut ratios = Vec::new();
        for _ in 0..share {
            let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
            let ends = (cell(), cell());
            ratios.extend(check(&map, &class, &portals, &mut search, ends));
        }
        ratios
    };
    let ratios: Vec<(f64, f64)> = data::maps(&folder).par_iter().flat_map_iter(of_map).collect();
    let mean =
        |of: fn(&(f64, f64)) -> f64| ratios.iter().map(of).sum::<f64>() / ratios.len() as f64;
    let most = |of: fn(&(f64, f64)) -> f64| ratios.iter().map(of).fold(0.0, f64::max);
    let (fine, coarse) = (mean(|r| r.0), mean(|r| r.1));
    let (worst, worst_coarse) = (most(|r| r.0), most(|r| r.1));
    eprintln!(
        "{} ways: refined mean {fine:.4} max {worst:.4}, coarse mean {coarse:.4} max {worst_coarse:.4}",
        ratios.len()
    );
    assert!(ratios.len() > 100 && fine < 1.02 && worst < 1.5, "{fine} {worst}");
}

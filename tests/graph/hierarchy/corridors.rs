//! Corridors: no walker gets stuck, and tiles are what the map and the goal say, whatever came before.

use crate::common::terrain::Random;
use crate::common::{data, oracle, terrain};
use crate::hierarchy::portals::{medium, rebuilt};
use crate::hierarchy::walk::walk;
use proptest::prelude::*;
use rayon::prelude::*;
use throng::map::{Clearance, Map};
use throng::nav::corridor::{CorridorError, CorridorId, CorridorLimits, Corridors};
use throng::nav::field::{GoalCells, SOLID, direction, solve};

fn finish(corridors: &mut Corridors, class: &Clearance) -> u32 {
    (0..)
        .find(|_| {
            corridors.advance(class);
            corridors.pending() == 0
        })
        .expect("some tick")
}

/// Asks for all tiles of a corridor, in some order.
fn need_all(corridors: &mut Corridors, id: CorridorId, tick: u64, from: u32) {
    let sectors = corridors.layout().sectors();
    for sector in (0..sectors).map(|i| (i + from) % sectors) {
        let (columns, rows) = corridors.layout().cells(sector);
        let cell = (rows.start + 1) * corridors.layout().stride() + columns.start + 1;
        corridors.need(id, cell, tick).unwrap();
    }
}

/// All directions of a corridor.
fn raster(corridors: &Corridors, id: CorridorId, class: &Clearance) -> Vec<u32> {
    let cells = 0..class.slowness().len() as u32;
    cells.map(|cell| corridors.code(id, cell).unwrap_or(SOLID)).collect()
}

/// Every direction to some goals, from the beginning.
fn whole(class: &Clearance, goals: &GoalCells) -> Vec<u32> {
    let mut corridors = Corridors::new(class, CorridorLimits::default());
    let id = corridors.request(goals, 0).unwrap();
    need_all(&mut corridors, id, 0, 0);
    finish(&mut corridors, class);
    raster(&corridors, id, class)
}

fn cell(class: &Clearance, random: &mut Random) -> Option<u32> {
    terrain::passable_cell(class.slowness(), random.below(1000))
}

/// A cell whose direction leads from its centre into a wall or round a corner.
fn leads_into_wall(class: &Clearance, directions: &[u32]) -> Option<usize> {
    let stride = class.stride() as i64;
    let open = |cell: i64| class.slowness()[cell as usize] != 0;
    (0..directions.len()).find(|&cell| {
        let Some((x, y)) = direction::unpack(directions[cell]) else { return false };
        let at = cell as i64;
        let (side, beyond) = (at + i64::from(x.signum()), at + i64::from(y.signum()) * stride);
        let (x, y) = (i32::from(x).abs(), i32::from(y).abs());
        // A cell whose direction has both parts leaves by the longer one, and a corner by both.
        let across = side + beyond - at;
        x > y && !open(side) || y > x && !open(beyond) || x.min(y) > 8_194 && !open(across)
    })
}

/// A cell from which going along the longer part of each direction, from cell to cell, does not end
/// at the goal.
fn leads_astray(class: &Clearance, directions: &[u32], goal: u32) -> Option<u32> {
    let stride = class.stride() as i64;
    let next = |cell: u32| {
        let (x, y) = direction::unpack(directions[cell as usize])?;
        let step = if x.unsigned_abs() >= y.unsigned_abs() {
            i64::from(x.signum())
        } else {
            i64::from(y.signum()) * stride
        };
        (step != 0).then_some((i64::from(cell) + step) as u32)
    };
    let mut home = vec![false; directions.len()];
    home[goal as usize] = true;
    let mut way = Vec::new();
    for cell in (0..directions.len() as u32).filter(|&cell| class.same_component(cell, goal)) {
        let mut at = cell;
        while !home[at as usize] {
            way.push(at);
            match next(at) {
                Some(next) if way.len() <= directions.len() => at = next,
                _ => return Some(cell),
            }
        }
        way.drain(..).for_each(|cell| home[cell as usize] = true);
    }
    None
}

proptest! {
    #![proptest_config(crate::common::cases(200))]

    #[test]
    fn everybody_arrives(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = medium(&mut random);
        let class = map.class([0.4, 0.4, 0.9][random.below(3) as usize]);
        let Some(goal) = cell(&class, &mut random) else { return Ok(()) };
        let directions = whole(&class, &GoalCells::point(goal));
        prop_assert_eq!(leads_into_wall(&class, &directions), None);
        prop_assert_eq!(leads_astray(&class, &directions, goal), None);
        for at in 0..class.slowness().len() as u32 {
            let leads = directions[at as usize] != SOLID;
            prop_assert_eq!(leads, class.same_component(at, goal), "cell {}", at);
        }
        for _ in 0..12 {
            let start = cell(&class, &mut random).unwrap();
            if class.same_component(start, goal) {
                let longest = 40.0 * f64::from(map.width() + map.height()) + 1000.0;
                let walked = walk(&class, (start, goal), longest, |at| directions[at as usize]);
                prop_assert!(walked.is_ok(), "{} to {}: {:?}", start, goal, walked);
            }
        }
    }

    /// Neither the order in which tiles are asked for, nor the work a tick may do, nor the workers,
    /// nor the threads, nor what was evicted before.
    #[test]
    fn tiles_depend_on_map_and_goals_alone(seed in any::<u64>()) {
        let mut random = Random(seed);
        let class = medium(&mut random).class(0.4);
        let Some(goal) = cell(&class, &mut random) else { return Ok(()) };
        let others = [0; 3].map(|_| GoalCells::point(cell(&class, &mut random).unwrap()));
        let goals = GoalCells::new(vec![goal, cell(&class, &mut random).unwrap()], vec![goal + 1]);
        let expected = whole(&class, &goals);
        let limits = CorridorLimits {
            cap_bytes: 140_000,
            cells_per_tick: 1 + random.below(20_000),
            workers: 1 + random.below(5),
        };
        let mut corridors = Corridors::new(&class, limits);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + random.below(4) as usize);
        let pool = pool.build().unwrap();
        pool.install(|| {
            for (tick, other) in (0..).zip(&others) {
                let id = corridors.request(other, tick).unwrap();
                need_all(&mut corridors, id, tick, random.below(9));
                for _ in 0..random.below(6) {
                    corridors.advance(&class);
                }
            }
            let id = corridors.request(&goals, 9).unwrap();
            need_all(&mut corridors, id, 9, random.below(9));
            finish(&mut corridors, &class);
            prop_assert!(raster(&corridors, id, &class) == expected);
            prop_assert!(corridors.bytes() <= limits.cap_bytes);
            Ok(())
        })?;
    }

    #[test]
    fn repaired_corridors_equal_new_ones(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut map = medium(&mut random);
        let mut class = map.class(0.4);
        let Some(goal) = cell(&class, &mut random) else { return Ok(()) };
        let goals = GoalCells::point(goal);
        let mut corridors = Corridors::new(&class, CorridorLimits::default());
        let id = corridors.request(&goals, 0).unwrap();
        need_all(&mut corridors, id, 0, 0);
        for _ in 0..4 {
            for _ in 0..random.below(3) {
                corridors.advance(&class);
            }
            let (next, changed) = rebuilt(&map, &mut random);
            map = next;
            class = map.class(0.4);
            corridors.repair(&class, &changed);
        }
        finish(&mut corridors, &class);
        prop_assert!(raster(&corridors, id, &class) == whole(&class, &goals));
    }
}

/// Ratios of walked lengths: corridor to the octile optimum and to the whole field.
fn ratios(map: &Map, walks: u32, random: &mut Random) -> Vec<(f64, f64)> {
    let class = map.class(0.4);
    let goal = cell(&class, random).unwrap();
    let goals = GoalCells::point(goal);
    let directions = whole(&class, &goals);
    assert_eq!(leads_astray(&class, &directions, goal), None);
    let field = solve(&class, &goals).directions;
    let best = oracle::Cheapest::to(&class, goal);
    let mut found = Vec::new();
    for _ in 0..walks {
        let start = cell(&class, random).unwrap();
        let Some(best) = best.length(start).filter(|&length| length > 20.0) else { continue };
        let by = |directions: &[u32]| {
            let longest = 3.0 * best + 100.0;
            let walked = walk(&class, (start, goal), longest, |at| directions[at as usize]);
            walked.unwrap_or_else(|at| panic!("stuck at {at:?} from {start} to {goal}"))
        };
        let (corridor, field) = (by(&directions), by(&field));
        found.push((corridor / best, corridor / field));
    }
    found
}

fn report(name: &str, ratios: &[(f64, f64)]) -> (f64, f64) {
    let count = ratios.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| ratios.iter().map(of).sum::<f64>() / count;
    let most = |of: fn(&(f64, f64)) -> f64| ratios.iter().map(of).fold(0.0, f64::max);
    let (octile, field) = (mean(|r| r.0), mean(|r| r.1));
    eprintln!(
        "{name}: {count} ways, to the octile optimum mean {octile:.4} max {:.4}, to the whole field \
         mean {field:.4} max {:.4}",
        most(|r| r.0),
        most(|r| r.1)
    );
    (octile, most(|r| r.1))
}

/// What an agent samples is made wherever it stands, at the ends of a map and of sectors too.
#[test]
fn directions_around_any_cell_are_there() {
    for (width, height) in [(33, 20), (20, 33), (35, 35), (65, 34), (32, 64), (1, 40)] {
        let class = Map::from_slowness(width, height, 1.0, &vec![16; (width * height) as usize]);
        let class = class.class(0.0);
        let padded = |x: u32, y: u32| (y + 1) * class.stride() + x + 1;
        let mut fresh = Corridors::new(&class, CorridorLimits::default());
        let id = fresh.request(&GoalCells::point(padded(0, 0)), 0).unwrap();
        fresh.hold(id);
        fresh.advance(&class);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let near_sides = |at: u32| at % 32 < 5 || at % 32 > 26;
            if !near_sides(x) && !near_sides(y) {
                continue;
            }
            let mut corridors = fresh.clone();
            corridors.need(id, padded(x, y), 1).unwrap();
            corridors.advance(&class);
            let around = (y.saturating_sub(1)..=y + 1)
                .flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| (x, y)));
            for (x, y) in around.filter(|&(x, y)| x < width && y < height) {
                assert!(
                    corridors.code(id, padded(x, y)).is_some(),
                    "({x}, {y}) of {width} × {height}"
                );
            }
        }
    }
}

#[test]
fn nobody_sticks_on_large_maps() {
    let side = 1024;
    let maps = [
        ("open", terrain::open(side)),
        ("rooms", terrain::rooms(side, 1)),
        ("noise", terrain::noise(side, 20, 1)),
        ("dense noise", terrain::noise(side, 38, 1)),
        ("weighted", terrain::weighted(side, 1)),
        ("maze", terrain::maze(side, 2, 1)),
    ];
    let walks = if data::all() { 200 } else { 12 };
    maps.par_iter().for_each(|(name, map)| {
        let found = ratios(map, walks, &mut Random(7));
        report(name, &found);
    });
}

#[test]
fn nobody_sticks_on_benchmark_maps() {
    let Some(folder) = data::folder() else { return };
    let walks = if data::all() { 40 } else { 3 };
    let of = |path: &std::path::PathBuf| {
        let map = data::read_map(path);
        ratios(&map, walks, &mut Random(map.hash()))
    };
    let found: Vec<(f64, f64)> = data::maps(&folder).par_iter().flat_map_iter(of).collect();
    let (octile, _) = report("benchmark maps", &found);
    assert!(found.len() > 50 && octile < 1.05, "{octile}");
}

#[test]
fn what_is_used_stays_and_the_rest_gives_way() {
    let class = terrain::rooms(256, 3).class(0.4);
    let mut random = Random(3);
    let mut goal = || GoalCells::point(cell(&class, &mut random).unwrap());
    let limits = CorridorLimits { cap_bytes: 60_000, ..CorridorLimits::default() };
    let mut corridors = Corridors::new(&class, limits);
    let first = corridors.request(&goal(), 0).unwrap();
    corridors.hold(first);
    let middle = |corridors: &Corridors, sector: u32| {
        let (columns, rows) = corridors.layout().cells(sector);
        (rows.start + 17) * class.stride() + columns.start + 17
    };
    // A few tiles a tick: the oldest give way, the others are still there.
    for tick in 0..20_u64 {
        for sector in tick as u32..tick as u32 + 3 {
            corridors.need(first, middle(&corridors, sector), tick).unwrap();
        }
        finish(&mut corridors, &class);
        assert!(corridors.bytes() <= limits.cap_bytes);
    }
    assert_eq!(corridors.code(first, middle(&corridors, 0)), None);
    assert!(corridors.code(first, middle(&corridors, 20)).is_some());
    assert!(corridors.code(first, middle(&corridors, 14)).is_some());
    // All in one tick do not fit, and it says so.
    let refused = (0..64).find_map(|s| corridors.need(first, middle(&corridors, s), 99).err());
    assert!(matches!(refused, Some(CorridorError::CapReached { cap: 60_000, .. })), "{refused:?}");
    // Corridors that are not held make room for others, a held one does not.
    let ids: Vec<CorridorId> =
        (100..140).map(|tick| corridors.request(&goal(), tick).unwrap()).collect();
    assert!(corridors.bytes() <= limits.cap_bytes);
    assert_eq!(corridors.corridor_count(), 2);
    assert!(!corridors.need(first, middle(&corridors, 5), 150).unwrap());
    assert!(corridors.need(*ids.last().unwrap(), middle(&corridors, 5), 150).is_ok());
    corridors.release(first);
    let bad = corridors.request(&GoalCells::new(vec![], vec![]), 0);
    assert_eq!(bad, Err(CorridorError::NoGoal));
    let bad = corridors.request(&GoalCells::point(258 * 258), 0);
    assert_eq!(bad, Err(CorridorError::Outside { cell: 66_564, cells: 66_564 }));
}

#[test]
fn corridors_have_known_bits() {
    let maps = [terrain::rooms(200, 1), terrain::weighted(200, 1), terrain::noise(200, 30, 1)];
    let hash = |map: &Map| {
        let class = map.class(0.4);
        let goal = cell(&class, &mut Random(4)).unwrap();
        let words = whole(&class, &GoalCells::new(vec![goal, goal + 9], vec![goal + 1]));
        words.iter().fold(0, |hash, &word| throng::math::hash2(hash, u64::from(word)))
    };
    let known =
        [10_816_793_009_000_780_093, 17_586_006_877_439_209_853, 11_962_484_005_778_201_033];
    assert_eq!(maps.each_ref().map(hash), known);
}

/// Tiles that are asked for are there when their work is done, however many threads there are.
#[test]
fn tiles_come_when_their_work_is_done() {
    let class = terrain::rooms(256, 3).class(0.4);
    let goal = GoalCells::point(cell(&class, &mut Random(3)).unwrap());
    let ticks = |cells_per_tick: u32, workers: u32, threads: usize| {
        let limits = CorridorLimits { cells_per_tick, workers, ..CorridorLimits::default() };
        let mut corridors = Corridors::new(&class, limits);
        let id = corridors.request(&goal, 0).unwrap();
        need_all(&mut corridors, id, 0, 0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| finish(&mut corridors, &class))
    };
    // 64 tiles of 5,120 cells.
    assert_eq!(ticks(u32::MAX, 1, 1), 1);
    assert_eq!(ticks(20_480, 1, 3), 16);
    assert_eq!(ticks(20_480, 4, 1), 4);
    assert!(ticks(20, 4, 2) > 16);
}

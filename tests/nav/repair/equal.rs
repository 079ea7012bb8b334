//! A repaired field is the field that is made anew, in everything.

use crate::common::terrain::Random;
use crate::common::{cases, data, terrain};
use crate::repair::ground::{Ground, goals};
use proptest::prelude::*;
use throng::map::Clearance;
use throng::nav::field::{CellChanges, Field, GoalCells, Repair, SOLID, direction, solve};

/// Repairs a field, in slices of random length up to `slice`.
pub(crate) fn repair(
    repair: &mut Repair,
    field: &mut Field,
    goals: &GoalCells,
    [before, after]: [&Clearance; 2],
    slice: impl FnMut() -> u32,
) -> u64 {
    let changes = CellChanges::between(before, after);
    repair.start(after, goals, &changes, std::mem::take(&mut field.distances));
    let work = work_off(repair, after, slice);
    repair.finish(field);
    work
}

/// Works until done; returns the work.
fn work_off(repair: &mut Repair, class: &Clearance, mut slice: impl FnMut() -> u32) -> u64 {
    let mut work = 0;
    loop {
        let progress = repair.advance(class, slice());
        work += u64::from(progress.work);
        if progress.done {
            return work;
        }
    }
}

/// The first cell in which two fields differ, with both directions.
fn difference(found: &Field, expected: &Field) -> Option<(usize, [u32; 2])> {
    let cells = 0..expected.directions.len();
    let differs = |&cell: &usize| {
        found.directions[cell] != expected.directions[cell]
            || found.distances[cell] != expected.distances[cell]
    };
    let cell = { cells }.find(differs)?;
    Some((cell, [found.directions[cell], expected.directions[cell]]))
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn fields_equal_new_ones_after_every_change(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut ground = Ground::new(&terrain::small(&mut random, 50));
        let radius = [0.4, 0.4, 1.3][random.below(3) as usize];
        let mut class = ground.class(radius);
        let goals = goals(&class, &mut random, [1, 1, 4, 20][seed as usize % 4]);
        let mut field = solve(&class, &goals);
        let mut memory = Repair::default();
        for change in 0..6 {
            ground.change(&mut random, 9);
            let before = std::mem::replace(&mut class, ground.class(radius));
            let slice = || 1 + random.below(50);
            repair(&mut memory, &mut field, &goals, [&before, &class], slice);
            let found = difference(&field, &solve(&class, &goals));
            prop_assert_eq!(found, None, "change {}", change);
        }
    }

    #[test]
    fn fields_take_later_changes_in(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut ground = Ground::new(&terrain::small(&mut random, 50));
        let mut class = ground.class(0.4);
        let goals = goals(&class, &mut random, [1, 1, 4, 20][seed as usize % 4]);
        let mut field = solve(&class, &goals);
        let mut memory = Repair::default();
        let distances = std::mem::take(&mut field.distances);
        memory.start(&class, &goals, &CellChanges::default(), distances);
        for _ in 0..5 {
            ground.change(&mut random, 9);
            let before = std::mem::replace(&mut class, ground.class(0.4));
            memory.extend(&class, &CellChanges::between(&before, &class));
            let most = [30, 300, 10_000][random.below(3) as usize];
            memory.advance(&class, random.below(most));
        }
        work_off(&mut memory, &class, || 20);
        memory.finish(&mut field);
        prop_assert_eq!(difference(&field, &solve(&class, &goals)), None);
    }
}

/// Larger maps of every kind, where walls of sight are long.
#[test]
fn fields_equal_new_ones_on_every_terrain() {
    let maps = [
        terrain::open(300),
        terrain::noise(300, 20, 3),
        terrain::rooms(300, 3),
        terrain::weighted(300, 3),
        terrain::maze(300, 3, 3),
    ];
    let mut memory = Repair::default();
    let mut random = Random(17);
    for map in &maps {
        let mut ground = Ground::new(map);
        for most in [1, 3] {
            let mut class = ground.class(0.4);
            let goals = goals(&class, &mut random, most);
            let mut field = solve(&class, &goals);
            for change in 0..20 {
                match change % 2 {
                    0 => ground.build([random.below(300), random.below(300), 8, 8], 0),
                    _ => ground.demolish(),
                }
                let before = std::mem::replace(&mut class, ground.class(0.4));
                repair(&mut memory, &mut field, &goals, [&before, &class], || 5000);
                assert_eq!(difference(&field, &solve(&class, &goals)), None, "change {change}");
            }
        }
    }
}

/// A goal is built over, alone and with its neighbours, and freed again; so is one of two.
#[test]
fn goals_are_built_over_and_freed() {
    let mut ground = Ground::new(&terrain::noise(80, 10, 5));
    ground.build([40, 40, 2, 1], 16);
    ground.build([10, 70, 1, 1], 16);
    let free = ground.class(0.4);
    let cell = |x: u32, y: u32| (y + 1) * free.stride() + x + 1;
    for seeds in [vec![cell(40, 40)], vec![cell(40, 40), cell(10, 70)]] {
        let goals = GoalCells::new(seeds.clone(), (cell(36, 39)..cell(44, 39)).collect());
        let mut memory = Repair::default();
        let mut field = solve(&free, &goals);
        for rect in [[40, 40, 1, 1], [39, 39, 3, 3], [41, 40, 1, 1], [0, 0, 80, 80]] {
            ground.build(rect, 0);
            let shut = ground.class(0.4);
            repair(&mut memory, &mut field, &goals, [&free, &shut], || 100);
            assert_eq!(difference(&field, &solve(&shut, &goals)), None, "{rect:?} built");
            let leads = field.directions.iter().any(|&d| d != SOLID);
            assert_eq!(leads, seeds.iter().any(|&seed| shut.passable(seed)), "{rect:?}");
            ground.demolish();
            repair(&mut memory, &mut field, &goals, [&shut, &free], || 100);
            assert_eq!(difference(&field, &solve(&free, &goals)), None, "{rect:?} freed");
            let marked = field.directions.iter().filter(|&&d| direction::is_goal_area(d)).count();
            assert!(marked >= seeds.len() + 3, "{marked}");
        }
    }
}

/// The line from the goal to cell (701, 635) touches the corner of a building far before it, where
/// the distance does not change.
#[test]
fn a_cell_behind_a_corner_is_hidden() {
    let mut ground = Ground::new(&terrain::open(720));
    let free = ground.class(0.4);
    ground.build([343, 318, 8, 8], 0);
    let built = ground.class(0.4);
    let goals = GoalCells::point(free.stride() + 1);
    let mut field = solve(&free, &goals);
    let mut memory = Repair::default();
    for pair in [[&free, &built], [&built, &free]] {
        repair(&mut memory, &mut field, &goals, pair, || u32::MAX);
        assert_eq!(difference(&field, &solve(pair[1], &goals)), None);
    }
}

/// When the plainest ground goes or comes, everything is seen in another light.
#[test]
fn the_least_slowness_changes() {
    let mut ground = Ground::new(&terrain::open(40));
    ground.build([0, 0, 40, 40], 32);
    ground.build([30, 30, 1, 1], 16);
    let before = ground.class(0.4);
    ground.build([30, 30, 1, 1], 0);
    let after = ground.class(0.4);
    let goals = GoalCells::point(before.stride() * 9 + 9);
    let mut field = solve(&before, &goals);
    let mut memory = Repair::default();
    for pair in [[&before, &after], [&after, &before]] {
        repair(&mut memory, &mut field, &goals, pair, || 64);
        assert_eq!(difference(&field, &solve(pair[1], &goals)), None);
    }
}

/// A repair that is given up leaves nothing behind, and neither does the field of another map.
#[test]
fn memory_leaves_no_trace() {
    let mut random = Random(23);
    let mut memory = Repair::default();
    for round in 0..60 {
        let mut ground = Ground::new(&terrain::small(&mut random, 40));
        let before = ground.class(0.4);
        ground.change(&mut random, 20);
        let after = ground.class(0.4);
        let goals = goals(&before, &mut random, 3);
        let mut field = solve(&before, &goals);
        let changes = CellChanges::between(&before, &after);
        if round % 2 == 0 {
            memory.start(&after, &goals, &changes, field.distances.clone());
            memory.advance(&after, random.below(400));
            if round % 4 == 0 {
                assert_eq!(memory.cancel().len(), after.slowness().len());
            }
        }
        repair(&mut memory, &mut field, &goals, [&before, &after], || 33);
        assert_eq!(difference(&field, &solve(&after, &goals)), None, "round {round}");
    }
}

/// Buildings on real maps. `THRONG_ALL` tries all of them.
#[test]
fn fields_equal_new_ones_on_benchmark_maps() {
    let Some(folder) = data::folder() else { return };
    let maps = data::maps(&folder);
    let step = if data::all() { 1 } else { maps.len().div_ceil(6) };
    let mut memory = Repair::default();
    for path in maps.iter().step_by(step) {
        let map = data::read_map(path);
        let mut random = Random(map.hash());
        let mut ground = Ground::new(&map);
        let mut class = ground.class(0.4);
        let goals = goals(&class, &mut random, 2);
        let mut field = solve(&class, &goals);
        for change in 0..4 {
            match change % 2 {
                0 => {
                    let (x, y) = (random.below(ground.width), random.below(ground.height));
                    ground.build([x, y, 8, 8], 0);
                }
                _ => ground.demolish(),
            }
            let before = std::mem::replace(&mut class, ground.class(0.4));
            repair(&mut memory, &mut field, &goals, [&before, &class], || u32::MAX);
            let found = difference(&field, &solve(&class, &goals));
            assert_eq!(found, None, "{}, change {change}", path.display());
        }
    }
}

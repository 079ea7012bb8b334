//! Distances after changes are as the textbook's on the new ground.

use crate::common::terrain::Random;
use crate::common::{cases, oracle, terrain};
use crate::repair::ground::{Ground, goals};
use proptest::prelude::*;
use throng::map::Clearance;
use throng::nav::field::eikonal::DistanceRepair;
use throng::nav::field::{CellChanges, UNREACHED};

/// The goals that can be stood on.
fn passable(class: &Clearance, seeds: &[u32]) -> Vec<u32> {
    seeds.iter().copied().filter(|&seed| class.passable(seed)).collect()
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn distances_equal_the_heap_after_every_change(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut ground = Ground::new(&terrain::small(&mut random, 40));
        let radius = [0.4, 0.4, 1.3][random.below(3) as usize];
        let mut class = ground.class(radius);
        let goals = goals(&class, &mut random, 4);
        let seeds = goals.seeds();
        let mut eikonal = oracle::eikonal(&class, &passable(&class, seeds));
        let mut repair = DistanceRepair::default();
        for change in 0..6 {
            ground.change(&mut random, 9);
            let before = std::mem::replace(&mut class, ground.class(radius));
            let changes = CellChanges::between(&before, &class);
            let open = passable(&class, seeds);
            repair.start(&class, seeds, &changes, eikonal);
            while !repair.advance(&class, 1 + random.below(30)).done {}
            eikonal = repair.take_distances();
            let expected = oracle::eikonal(&class, &open);
            prop_assert!(eikonal == expected, "eikonal, change {}", change);
        }
    }

    #[test]
    fn distances_take_later_changes_in(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut ground = Ground::new(&terrain::small(&mut random, 40));
        let mut class = ground.class(0.4);
        let goals = goals(&class, &mut random, 3);
        let seeds = goals.seeds();
        let mut repair = DistanceRepair::default();
        let distances = oracle::eikonal(&class, &passable(&class, seeds));
        repair.start(&class, seeds, &CellChanges::default(), distances);
        for _ in 0..6 {
            ground.change(&mut random, 12);
            let before = std::mem::replace(&mut class, ground.class(0.4));
            repair.extend(&class, seeds, &CellChanges::between(&before, &class));
            repair.advance(&class, random.below(60));
        }
        while !repair.advance(&class, 7).done {}
        let expected = oracle::eikonal(&class, &passable(&class, seeds));
        prop_assert!(repair.take_distances() == expected);
    }
}

/// Two halves with one door: it is closed, so that one half is cut off, and opened again.
#[test]
fn a_part_is_cut_off_and_joined_again() {
    for slowness in [16, 3, 255] {
        let mut ground = Ground::new(&terrain::open(64));
        ground.build([0, 0, 64, 64], slowness);
        ground.build([30, 0, 1, 40], 0);
        ground.build([30, 43, 1, 21], 0);
        let open = ground.class(0.4);
        ground.build([30, 40, 1, 3], 0);
        let shut = ground.class(0.4);
        let goal = [open.stride() * 5 + 5];
        let mut repair = DistanceRepair::default();
        repair.start(&open, &goal, &CellChanges::default(), oracle::eikonal(&open, &goal));
        for _ in 0..3 {
            let changes = CellChanges::between(&open, &shut);
            repair.extend(&shut, &goal, &changes);
            while !repair.advance(&shut, u32::MAX).done {}
            let reached = repair.distances().iter().filter(|&&d| d != UNREACHED).count();
            assert_eq!(reached, 30 * 64, "the half of the goal");
            assert!(repair.distances() == oracle::eikonal(&shut, &goal));
            let changes = CellChanges::between(&shut, &open);
            repair.extend(&open, &goal, &changes);
            while !repair.advance(&open, u32::MAX).done {}
            assert!(repair.distances() == oracle::eikonal(&open, &goal));
        }
    }
}

/// A change that is not told is not repaired: so the comparisons above would find a repair that overlooks
/// something.
#[test]
fn a_change_that_is_not_told_shows() {
    let mut ground = Ground::new(&terrain::noise(200, 20, 4));
    let before = ground.class(0.4);
    ground.build([100, 150, 8, 8], 0);
    let after = ground.class(0.4);
    let goal = [terrain::passable_cell(before.slowness(), 100).unwrap()];
    let told: Vec<(u32, u8)> = CellChanges::between(&before, &after)
        .cells()
        .iter()
        .map(|&cell| (cell, before.slowness()[cell as usize]))
        .collect();
    for told in [&told[..told.len() / 3], &told[told.len() / 3..]] {
        let mut repair = DistanceRepair::default();
        let distances = oracle::eikonal(&before, &goal);
        repair.start(&after, &goal, &CellChanges::new(&after, told), distances);
        while !repair.advance(&after, u32::MAX).done {}
        assert!(repair.distances() != oracle::eikonal(&after, &goal));
    }
}

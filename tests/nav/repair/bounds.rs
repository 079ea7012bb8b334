//! What a repair costs: work in cells.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::repair::equal::repair;
use crate::repair::ground::Ground;
use throng::map::Clearance;
use throng::nav::field::{CellChanges, GoalCells, Job, Repair, solve};

const SIDE: u32 = 400;

/// The work of a new field.
fn work_of_new(class: &Clearance, goals: &GoalCells) -> u64 {
    let mut job = Job::default();
    job.start(class, goals, Vec::new());
    u64::from(job.advance(class, u32::MAX).work)
}

/// A building of 8 x 8 cells anywhere, put up and taken away: no case costs more than a fifth more
/// than a new field, and together they cost a small part of it.
#[test]
fn a_building_costs_little() {
    let maps = [
        ("open", terrain::open(SIDE), 4),
        ("noise", terrain::noise(SIDE, 20, 1), 4),
        ("rooms", terrain::rooms(SIDE, 1), 2),
        ("weighted", terrain::weighted(SIDE, 1), 2),
    ];
    let mut memory = Repair::default();
    for (name, map, times) in &maps {
        let mut random = Random(9);
        let mut ground = Ground::new(map);
        let free = ground.class(0.4);
        let (mut repaired, mut anew) = (0, 0);
        for _ in 0..14 {
            let goal = terrain::passable_cell(free.slowness(), random.below(1000)).unwrap();
            let goals = GoalCells::point(goal);
            ground.build([random.below(SIDE), random.below(SIDE), 8, 8], 0);
            let built = ground.class(0.4);
            ground.demolish();
            let mut field = solve(&free, &goals);
            for pair in [[&free, &built], [&built, &free]] {
                let work = repair(&mut memory, &mut field, &goals, pair, || u32::MAX);
                let new = work_of_new(pair[1], &goals);
                assert!(5 * work <= 6 * new + 5 * 4096, "{name}: {work} against {new}");
                repaired += work;
                anew += new;
            }
        }
        assert!(repaired * times < anew, "{name}: {repaired} against {anew}");
    }
}

/// Where most of a map changes, the field is made anew after little work in vain.
#[test]
fn a_great_change_is_given_up() {
    let mut ground = Ground::new(&terrain::noise(256, 20, 2));
    let free = ground.class(0.4);
    let goal = terrain::passable_cell(free.slowness(), 10).unwrap();
    let goals = GoalCells::point(goal);
    // A band of another speed beside the goal.
    ground.build([0, 8, 256, 3], 40);
    let slow = ground.class(0.4);
    let mut field = solve(&free, &goals);
    let mut memory = Repair::default();
    for pair in [[&free, &slow], [&slow, &free]] {
        let changes = CellChanges::between(pair[0], pair[1]);
        memory.start(pair[1], &goals, &changes, std::mem::take(&mut field.distances));
        let work = u64::from(memory.advance(pair[1], u32::MAX).work);
        assert!(memory.is_anew());
        memory.finish(&mut field);
        assert_eq!(field, solve(pair[1], &goals));
        let new = work_of_new(pair[1], &goals);
        assert!(new < work && 5 * work < 6 * new, "{work} against {new}");
    }
}

#[test]
fn work_does_not_depend_on_slices() {
    let mut random = Random(31);
    let mut anew = [0, 0];
    for _ in 0..60 {
        let mut ground = Ground::new(&terrain::small(&mut random, 60));
        let before = ground.class(0.4);
        ground.change(&mut random, 30);
        let after = ground.class(0.4);
        let goals = crate::repair::ground::goals(&before, &mut random, 3);
        let changes = CellChanges::between(&before, &after);
        let old = solve(&before, &goals);
        let work = [1, 7, 300, u32::MAX].map(|slice| {
            let mut memory = Repair::default();
            let mut field = old.clone();
            memory.start(&after, &goals, &changes, std::mem::take(&mut field.distances));
            let mut work = 0;
            loop {
                let progress = memory.advance(&after, slice);
                work += u64::from(progress.work);
                if progress.done {
                    break;
                }
            }
            (work, memory.is_anew())
        });
        // A new field clears its memory in portions that are rounded up.
        let exact = !work[0].1;
        anew[usize::from(exact)] += 1;
        let same =
            work.iter().all(|&(work_, anew)| anew == work[0].1 && (!exact || work_ == work[0].0));
        assert!(same, "{work:?}");
    }
    assert!(anew[0] > 5 && anew[1] > 5, "{anew:?}");
}

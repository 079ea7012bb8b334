//! Processes that share the work of a world have, each of them, the bits of a single one: for any number
//! of them, wherever they cut it, and whatever lies in the rows that they have no need of.

use std::panic;
use std::panic::AssertUnwindSafe;

use crate::common::crowd::{Case, busy, ids};
use crate::common::strips::{self, Agents};
use throng::lane::{Lane, Numbers};
use throng::math::Fx;

fn compare<L: Lane>(case: &Case, counts: &[usize]) {
    let expected = case.digests::<L>(1);
    for (&count, agents) in counts.iter().flat_map(|n| [(n, Agents::Shared), (n, Agents::Divided)])
    {
        let orders = |tick, world: &_| (case.orders)(tick, &ids(world));
        let how = (count, agents);
        let (all, sent) =
            strips::digests::<L>(&case.map, case.settings, case.ticks, &orders, how, None);
        assert_eq!(all.len(), count);
        assert_eq!(sent > 0, count > 1, "{} processes exchange {sent} bytes", count);
        for (place, digests) in all.iter().enumerate() {
            let tick = expected.iter().zip(digests).position(|(a, b)| a != b);
            assert_eq!(tick, None, "{}: process {place} of {how:?} differs", case.name);
        }
    }
}

fn same_for_all(case: &Case, counts: &[usize]) {
    compare::<<f32 as Numbers>::Wide>(case, counts);
    compare::<<Fx as Numbers>::Wide>(case, &counts[counts.len() - 1..]);
}

#[test]
fn a_crossing_in_strips_is_the_same() {
    same_for_all(&Case::of("crossing", 1_500, 120), &[1, 2, 5]);
}

#[test]
fn a_circle_in_strips_is_the_same() {
    same_for_all(&Case::of("circle", 1_000, 120), &[3, 4]);
}

#[test]
fn doors_in_strips_are_the_same() {
    same_for_all(&Case::of("doors", 1_500, 120), &[3]);
}

#[test]
fn formations_in_strips_are_the_same() {
    same_for_all(&Case::of("formations", 240, 120), &[3]);
}

#[test]
fn a_battle_in_strips_is_the_same() {
    same_for_all(&Case::of("battle", 600, 120), &[3]);
}

#[test]
fn a_flock_in_strips_is_the_same() {
    same_for_all(&Case::of("flock", 605, 80), &[4]);
}

#[test]
fn who_comes_and_leaves_in_strips_is_the_same() {
    same_for_all(&Case::of("foyer", 120, 300), &[3]);
}

#[test]
fn a_busy_world_in_strips_is_the_same() {
    same_for_all(&busy(), &[2, 8]);
}

/// The digests of a case on three processes, of which `lost` of the columns that they share in a tick gets
/// lost; `None` where that ends them.
fn play(case: &Case, agents: Agents, lost: u64) -> Option<Vec<Vec<u64>>> {
    let orders = |tick, world: &_| (case.orders)(tick, &ids(world));
    let Case { map, settings, ticks, .. } = case;
    let (how, lost) = ((3, agents), Some(lost));
    let play =
        || strips::digests::<<f32 as Numbers>::Wide>(map, *settings, *ticks, &orders, how, lost).0;
    panic::catch_unwind(AssertUnwindSafe(play)).ok()
}

/// Every column that is shared in a tick is needed: each that gets lost is seen.
#[test]
fn what_gets_lost_is_seen() {
    let case = Case { ticks: 60, ..busy() };
    let expected = case.digests::<<f32 as Numbers>::Wide>(1);
    // Desired velocities, twice, and positions on the way; positions and velocities at the end.
    for lost in 0..5 {
        let played = play(&case, Agents::Shared, lost);
        let is_same = played.is_some_and(|all| all.iter().all(|digests| *digests == expected));
        assert!(!is_same, "column {lost} may get lost");
    }
    let all = play(&case, Agents::Shared, 5).unwrap();
    assert!(all.iter().all(|digests| *digests == expected), "there are five");
}

/// The same where each process has its own agents alone.
#[test]
fn what_gets_lost_around_a_part_is_seen() {
    let case = Case { ticks: 60, ..busy() };
    let expected = case.digests::<<f32 as Numbers>::Wide>(1);
    // Positions, velocities and tags after the sort; tags after they have changed; desired velocities,
    // twice, and positions on the way.
    for lost in 0..7 {
        let played = play(&case, Agents::Divided, lost);
        let is_same = played.is_some_and(|all| all.iter().all(|digests| *digests == expected));
        assert!(!is_same, "column {lost} may get lost");
    }
    // What is not sent at the end of a tick.
    for kept in 7..10 {
        let all = play(&case, Agents::Divided, kept).unwrap();
        assert!(all.iter().all(|digests| *digests == expected), "column {kept}");
    }
}

//! The same bits for any number of threads and any lane width, tick by tick; and the same bits as
//! before, by `scenarios/golden.txt`.
//!
//! After a change that is meant to change results, write the file anew and commit it by itself,
//! with the reason:
//!
//! ```text
//! THRONG_BLESS=1 cargo test --release --test state determinism
//! ```

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::crowd::{Case, busy, on_threads, shutters};
use crate::common::golden::{golden, play};
use throng::GroupId;
use throng::lane::{Lane, Numbers};
use throng::math::Fx;
use throng::scenario::builtin_names;
use throng::world::Outcome;

in_both!(
    small_is_the_same_for_all,
    doors_are_the_same_for_all,
    a_flock_is_the_same_for_all,
    who_comes_and_leaves_is_the_same_for_all,
    doors_that_open_and_close_are_the_same_for_all,
    a_busy_world_is_the_same_for_all
);

/// The same number again, powers of two, an odd one, and more than there are cores.
const THREADS: [usize; 6] = [1, 2, 3, 4, 8, 32];

/// The first tick at which two runs differ.
fn first_difference(a: &[u64], b: &[u64]) -> Option<usize> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).position(|(a, b)| a != b)
}

fn compare<L: Lane>(case: &Case, threads: usize, expected: &[u64]) {
    let digests = case.digests::<L>(threads);
    let differs = first_difference(expected, &digests);
    let numeric = <L::Num as throng::math::Num>::NUMERIC.word();
    let (name, lanes) = (case.name, L::WIDTH);
    assert_eq!(differs, None, "{name} in {numeric}, {threads} threads, {lanes} lanes: that tick");
}

fn same_for_all<N: Numbers>(case: &Case) {
    let expected = case.digests::<N::Wide>(1);
    assert_eq!(expected.len() as u64, case.ticks);
    let distinct = std::collections::BTreeSet::from_iter(&expected);
    assert_eq!(distinct.len(), expected.len(), "{}: every tick has its own digest", case.name);
    for threads in THREADS {
        compare::<N::Wide>(case, threads, &expected);
        compare::<N::Single>(case, threads, &expected);
    }
}

fn small_is_the_same_for_all<N: Numbers>() {
    let case = Case::of("small", 400, 200);
    same_for_all::<N>(&case);
}

fn doors_are_the_same_for_all<N: Numbers>() {
    let case = Case::of("doors", 5_000, 150);
    same_for_all::<N>(&case);
}

fn a_flock_is_the_same_for_all<N: Numbers>() {
    let case = Case::of("flock", 605, 150);
    same_for_all::<N>(&case);
}

fn who_comes_and_leaves_is_the_same_for_all<N: Numbers>() {
    let case = Case::of("foyer", 120, 400);
    same_for_all::<N>(&case);
}

#[test]
fn a_breach_is_the_same_for_all() {
    let case = Case::of("breach", 800, 300);
    let mut fallen = 0;
    case.run::<<f32 as Numbers>::Wide>(|world| fallen += world.collapsed().len());
    assert!(fallen > 0, "a structure has fallen");
    same_for_all::<f32>(&case);
    same_for_all::<Fx>(&case);
}

fn doors_that_open_and_close_are_the_same_for_all<N: Numbers>() {
    let case = shutters();
    same_for_all::<N>(&case);
}

fn a_busy_world_is_the_same_for_all<N: Numbers>() {
    let case = busy();
    same_for_all::<N>(&case);
}

/// The busy world does what it is there for: every kind of order done, and some refused.
#[test]
fn the_busy_world_is_busy() {
    let (mut done, mut refused, mut most, mut fewest) = (0, Vec::new(), 0, usize::MAX);
    busy().run::<<f32 as Numbers>::Wide>(|world| {
        throng::state::validate(world).unwrap();
        for outcome in world.outcomes() {
            match outcome {
                Outcome::Refused(why) => refused.push(why.to_string()),
                _ => done += 1,
            }
        }
        most = most.max(world.len());
        fewest = fewest.min(world.len());
    });
    assert!(done >= 18, "{done} orders done");
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(most > 3_500 && fewest < most, "{fewest} to {most} agents");
}

/// A seed, a speed and an order each change the digest: it sees what it should see.
#[test]
fn the_digest_sees_small_differences() {
    let digests = |case: &Case| case.digests::<<f32 as Numbers>::Wide>(2);
    let expected = digests(&Case::of("small", 400, 60));
    let mut other = Case::of("small", 400, 60);
    other.settings.seed += 1;
    assert_eq!(first_difference(&expected, &digests(&other)), Some(0), "another seed");
    let mut other = Case::of("small", 400, 60);
    other.settings.field_cells_per_tick -= 1;
    assert_eq!(first_difference(&expected, &digests(&other)), Some(0), "another budget");
    let mut other = Case::of("small", 400, 60);
    let orders = other.orders;
    let stop = |tick| (tick == 40).then_some(throng::world::Order::Stop { group: GroupId::new(2) });
    other.orders =
        Box::new(move |tick, ids| orders(tick, ids).into_iter().chain(stop(tick)).collect());
    assert_eq!(first_difference(&expected, &digests(&other)), Some(40), "another order");
}

const HEAD: &str = "\
# Digests of the shipped scenarios, made by tests/state/determinism.rs.
# Scenario, numeric mode, agents at the end, ticks, the last digest, and the
# digest of the digests of all ticks. src/bin/golden.rs plays them in every build.
";

#[test]
fn the_digests_are_the_golden_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/golden.txt");
    let mut text = HEAD.to_owned();
    for plan in builtin_names().map(golden) {
        for run in [play::<<f32 as Numbers>::Wide>, play::<<Fx as Numbers>::Wide>] {
            writeln!(text, "{}", on_threads(3, || run(&plan)).line).unwrap();
        }
    }
    if std::env::var_os("THRONG_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, &text).unwrap();
        return;
    }
    let found = fs::read_to_string(&path).unwrap();
    let differing: Vec<_> =
        text.lines().zip(found.lines()).filter(|(now, golden)| now != golden).collect();
    assert!(differing.is_empty(), "(now, golden): {differing:#?}");
    assert_eq!(text.lines().count(), found.lines().count());
}

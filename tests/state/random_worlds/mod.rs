//! Random legal worlds keep what is promised: nothing panics, no centre is inside a wall, every
//! snapshot is taken back and goes on as if nothing had been, into a new world and into one that is
//! ahead, processes that share the work have the same bits, and the replay verifies. Failures are
//! shrunk to few orders and printed with their seed.
//!
//! `THRONG_WORLDS` says how many worlds are tried, `THRONG_FIRST_WORLD` the first seed.

mod kept;
mod traffic;
mod world;

use std::collections::BTreeSet;
use std::panic;
use std::panic::AssertUnwindSafe;

use crate::common::strips::{self, Agents};
use rayon::prelude::*;
use throng::lane::Numbers;
use throng::math::Fx;
use throng::replay::{RecordOptions, Recorder, Replay, verify};
use throng::state;
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};
use world::Case;

in_both!(worlds_are_the_same_on_up_to_eight_processes);

/// Ticks for which a restored world is compared with the one that was never stopped.
const AFTER: u64 = 6;

fn orders_at(case: &Case, at: u64) -> Vec<Order> {
    let orders = case.orders.iter().filter(|(tick, _)| *tick == at);
    orders.map(|(_, order)| order.clone()).collect()
}

/// A world and the memory of its ticks.
struct Run<N: Numbers> {
    world: World<N>,
    scratch: Scratch<N>,
}

impl<N: Numbers> Run<N> {
    fn new(case: &Case) -> Self {
        let world = World::new(case.map.clone(), case.settings).unwrap();
        Self { world, scratch: Scratch::new() }
    }

    fn tick(&mut self, case: &Case) {
        let orders = orders_at(case, self.world.tick_count());
        tick(&mut self.world, &orders, &mut self.scratch);
    }
}

/// Plays a case; the first promise that is broken.
fn play<N: Numbers>(case: &Case) -> Result<(), String> {
    let mut run = Run::<N>::new(case);
    let options =
        RecordOptions { keyframe_bytes: 1 << 20, flush_ticks: 4, ..RecordOptions::default() };
    let mut recorder = Recorder::start(&run.world, options, Vec::new()).unwrap();
    let (mut digests, mut images) = (vec![state::digest(&run.world)], Vec::new());
    for at in 0..case.ticks {
        if at.is_multiple_of(case.every) {
            images.push((at, state::save(&run.world)));
        }
        run.tick(case);
        recorder.tick(&run.world, &orders_at(case, at)).map_err(|error| error.to_string())?;
        state::validate(&run.world).unwrap();
        digests.push(state::digest(&run.world));
    }
    // Every third case in strips too: each process of them plays the whole case.
    if case.every.is_multiple_of(3) {
        in_strips::<N>(case, &digests[1..], (3, Agents::Divided))?;
    }
    let bytes = recorder.finish().map_err(|error| error.to_string())?;
    let replay = Replay::read(&bytes).map_err(|error| format!("the replay: {error}"))?;
    let verdict = verify(&replay, |_| ()).map_err(|error| format!("the replay: {error}"))?;
    if let Some(difference) = verdict.difference {
        let (tick, columns) = (difference.tick, difference.columns);
        return Err(format!("the replay differs at tick {tick} in {columns:?}"));
    }
    let mut other = Run::<N>::new(case);
    let goes_on = |other: &mut Run<N>, at: u64, image: &[u8]| {
        let told = |what: &str, tick: u64| format!("saved at tick {at}: {what} at tick {tick}");
        state::restore(&mut other.world, image).map_err(|error| told(&error.to_string(), at))?;
        for now in at..(at + AFTER).min(case.ticks) {
            if state::digest(&other.world) != digests[now as usize] {
                return Err(told(&differs::<N>(case, now, &other.world), now));
            }
            other.tick(case);
        }
        Ok(())
    };
    // Into a new world, or one of the same past that is ahead.
    for (at, image) in &images {
        goes_on(&mut other, *at, image).map_err(|why| format!("forward: {why}"))?;
    }
    for (at, image) in images.iter().rev() {
        goes_on(&mut run, *at, image).map_err(|why| format!("back: {why}"))?;
    }
    for (at, image) in images.iter().step_by(5) {
        goes_on(&mut Run::new(case), *at, image).map_err(|why| format!("anew: {why}"))?;
    }
    Ok(())
}

/// Plays a case on several processes, each of which comes to these digests.
fn in_strips<N: Numbers>(
    case: &Case,
    digests: &[u64],
    (count, agents): (usize, Agents),
) -> Result<(), String> {
    let orders = |at, _: &World<N>| orders_at(case, at);
    let how = (count, agents);
    let (shared, _) =
        strips::digests::<N::Wide>(&case.map, case.settings, case.ticks, &orders, how, None);
    for (place, shared) in shared.iter().enumerate() {
        if let Some(at) = shared.iter().zip(digests).position(|(a, b)| a != b) {
            return Err(format!("process {place} of {count}, {agents:?}, differs at tick {at}"));
        }
    }
    Ok(())
}

/// In what a world differs from the one that was never stopped.
fn differs<N: Numbers>(case: &Case, tick: u64, world: &World<N>) -> String {
    let mut run = Run::<N>::new(case);
    while run.world.tick_count() < tick {
        run.tick(case);
    }
    let images = [state::save(&run.world), state::save(world)];
    let [plain, other] = [0, 1].map(|i| state::Image::read(&images[i]).unwrap());
    let found = state::differences(&plain, &other).into_iter().map(|found| format!("{found:?}"));
    format!("differs in {}", found.collect::<Vec<_>>().join(", "))
}

/// The fault of a case in either number type, if any.
fn fails(case: &Case) -> Option<String> {
    let both = [("f32", play::<f32> as fn(&Case) -> _), ("fixed", play::<Fx>)];
    both.into_iter().find_map(|(numeric, play)| {
        let played = panic::catch_unwind(AssertUnwindSafe(|| play(case)));
        let found = match played {
            Ok(found) => found.err()?,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text =
                    text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
                format!("panic: {}", text.unwrap_or_default())
            }
        };
        Some(format!("{numeric}: {found}"))
    })
}

/// The same failure with as few orders as leaving them out one by one comes to.
fn shrink(case: &Case) -> Case {
    let mut least = case.clone();
    loop {
        let before = least.orders.len();
        for place in (0..least.orders.len()).rev() {
            let mut fewer = least.clone();
            fewer.orders.remove(place);
            if fails(&fewer).is_some() {
                least = fewer;
            }
        }
        if least.orders.len() == before {
            break;
        }
    }
    for every in [1, 2, 3, 7, 13] {
        let other = Case { every, ..least.clone() };
        if fails(&other).is_some() {
            least = other;
            break;
        }
    }
    least
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_worlds_keep_what_is_promised() {
    let first = number("THRONG_FIRST_WORLD", 0);
    let seeds = first..first + number("THRONG_WORLDS", 150);
    panic::set_hook(Box::new(|_| ()));
    let bad: Vec<_> = seeds
        .into_par_iter()
        .filter_map(|seed| {
            let case = Case::new(seed);
            fails(&case).map(|why| (seed, why, case))
        })
        .collect();
    let told = bad.iter().take(4).map(|(seed, why, case)| {
        let least = shrink(case);
        let cell = least.map.cell_size();
        let size = [least.map.width(), least.map.height()];
        let why = fails(&least).unwrap_or_else(|| why.clone());
        let orders: Vec<_> = least.orders.iter().map(|order| format!("{order:?}")).collect();
        let (settings, every) = (least.settings, least.every);
        format!("seed {seed}: {why}\n  {size:?} cells of {cell}, saved every {every}, {settings:?}\n  {}",
            orders.join("\n  "))
    });
    let told: Vec<_> = told.collect();
    let _ = panic::take_hook();
    let all: Vec<_> = bad.iter().map(|(seed, why, _)| format!("{seed} {why}")).collect();
    assert!(bad.is_empty(), "{} fail:\n{}\n{}", bad.len(), told.join("\n"), all.join("\n"));
}

/// Of a case, the digests after all ticks; and whether its agents can be divided after most of them.
fn digests<N: Numbers>(case: &Case) -> (Vec<u64>, bool) {
    let mut run = Run::<N>::new(case);
    let mut divided = 0;
    let after = |_| {
        run.tick(case);
        divided += u64::from(run.scratch.why_whole(&run.world).is_none());
        state::digest(&run.world)
    };
    let digests = (0..case.ticks).map(after).collect();
    (digests, 2 * divided > case.ticks)
}

/// Twenty worlds whose agents are divided among processes, and twenty of any kind.
fn worlds_are_the_same_on_up_to_eight_processes<N: Numbers>() {
    let divided = (0..).map(Case::new).filter(|case| digests::<N>(case).1).take(20);
    let cases: Vec<Case> = divided.chain((0..20).map(Case::new)).collect();
    cases.par_iter().for_each(|case| {
        let (expected, _) = digests::<N>(case);
        for count in [1, 2, 3, 4, 8] {
            in_strips::<N>(case, &expected, (count, Agents::Divided)).unwrap();
        }
        in_strips::<N>(case, &expected, (3, Agents::Shared)).unwrap();
    });
}

/// The worlds have groups that were removed, with agents and without, and groups in their place.
#[test]
fn random_worlds_remove_groups() {
    let ends = |seed: u64| {
        let case = Case::new(seed);
        let mut run = Run::<f32>::new(&case);
        (0..case.ticks).for_each(|_| run.tick(&case));
        let groups = run.world.groups();
        let removed = groups.iter().filter(|group| group.is_removed()).count();
        let again = (0..groups.len() as u16).filter(|&g| run.world.group_id(g).generation() > 0);
        [removed, again.count()]
    };
    let sum = |a: [usize; 2], b: [usize; 2]| [a[0] + b[0], a[1] + b[1]];
    let [removed, again] = (0..50).into_par_iter().map(ends).reduce(|| [0; 2], sum);
    assert!(removed > 0 && again > 5, "{removed} removed, {again} added in their place");
}

/// Orders of every kind are given, and taken by some world.
#[test]
fn random_worlds_take_orders_of_all_kinds() {
    let kind = |order: &Order| {
        let told = format!("{order:?}");
        told.split([' ', '{', '(']).next().unwrap_or_default().to_owned()
    };
    let taken = |seed: u64| {
        let case = Case::new(seed);
        let mut run = Run::<f32>::new(&case);
        let mut taken = BTreeSet::new();
        for at in 0..case.ticks {
            run.tick(&case);
            let orders = orders_at(&case, at);
            let fine = orders.iter().zip(run.world.outcomes()).filter(|(_, o)| !o.is_refused());
            taken.extend(fine.map(|(order, _)| kind(order)));
        }
        taken
    };
    let all = (0..200).into_par_iter().map(taken).reduce(BTreeSet::new, |a, b| &a | &b);
    let kinds = [
        "Group",
        "Weapon",
        "Launch",
        "Mind",
        "Think",
        "Strategies",
        "Build",
        "Demolish",
        "Move",
        "Opposite",
        "Behave",
        "Stop",
        "Spawn",
        "Remove",
        "Assign",
        "Company",
        "MoveCompany",
        "StopCompany",
        "Form",
        "Agents",
        "Change",
        "RemoveGroup",
        "RemoveCompany",
        "Source",
        "CloseSource",
        "Sink",
        "Vary",
        "Choose",
        "Structure",
        "Attack",
        "Follow",
        "Door",
        "SetDoor",
    ];
    let absent: Vec<_> = kinds.into_iter().filter(|kind| !all.contains(*kind)).collect();
    assert!(absent.is_empty(), "no world takes {absent:?}");
}

#[test]
fn what_was_broken_once_holds() {
    for (wrong, scenario) in kept::KEPT {
        for every in [1, 3, 7] {
            let broken = fails(&Case::of(scenario, every));
            assert!(broken.is_none(), "{wrong}, saved every {every}: {broken:?}");
        }
    }
}

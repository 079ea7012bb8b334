//! That a case repeats: on any threads and lanes, after any save, and with every bit in its digest.

use throng::lane::{F32x8, Fx8, Lane, Numbers};
use throng::math::Fx;
use throng::replay::{Driven, Rewind, Subject};
use throng::{Scratch, World, state, tick};

use crate::common::crowd::{Case, ids};

/// Flips every bit of the world of a case after so many ticks and wants the digest to change; some columns
/// have to have bits by then. Returns that world.
pub(crate) fn shows_every_bit<N: Numbers>(case: &Case, ticks: u64, columns: &[&str]) -> World<N> {
    let orders = |world: &World<N>| (case.orders)(world.tick_count(), &ids(world));
    let world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut subject = Driven::new(world, &orders);
    (0..ticks).for_each(|_| subject.step());
    assert_eq!(Rewind::unseen(&subject), Vec::<String>::new());
    let names: Vec<String> = subject.flipped().into_iter().map(|(name, _)| name).collect();
    for &name in columns {
        assert!(names.iter().any(|known| known == name), "{name} has no bit to be flipped");
    }
    subject.world
}

/// Digests of a case are the same on 1, 2 and 3 threads, with 1 and 8 lanes, and where the world is
/// saved and restored after some ticks; for both number types.
pub(crate) fn is_the_same_in_all_ways(case: &Case, saved: &[u64]) {
    fn check<L: Lane>(case: &Case, saved: &[u64], one_lane: Vec<u64>) {
        let digests = case.digests::<L>(1);
        assert!(case.digests::<L>(3) == digests, "threads matter");
        assert!(one_lane == digests, "lanes matter");
        let mut world = World::<L::Num>::new(case.map.clone(), case.settings).unwrap();
        let mut scratch = Scratch::new();
        for at in 0..case.ticks {
            let orders = (case.orders)(at, &ids(&world));
            tick(&mut world, &orders, &mut scratch);
            state::validate(&world).unwrap();
            assert_eq!(state::digest(&world), digests[at as usize], "tick {at}");
            if saved.contains(&at) {
                let image = state::save(&world);
                world = World::new(case.map.clone(), case.settings).unwrap();
                state::restore(&mut world, &image).unwrap();
                scratch = Scratch::new();
            }
        }
    }
    check::<F32x8>(case, saved, case.digests::<f32>(2));
    check::<Fx8>(case, saved, case.digests::<Fx>(2));
}

//! Projectiles that turn after their target.

use throng::data::Id;
use throng::kernel::flight::pursue;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::world::{GroupDef, Order, Struck, WeaponDef};
use throng::{GroupId, state};

use crate::flight::range::{Range, group, plain, random, shot};

in_both!(it_turns_no_faster_than_told_and_hits_who_turns_too, a_dead_target_is_followed_no_more);

const RATE: u32 = 20;

fn missile(turn_rate: f64) -> WeaponDef {
    let (speed, damage) = (40.0, 10.0);
    WeaponDef { turn_rate, speed, damage, lifetime: 40.0, ..WeaponDef::default() }
}

/// Makes the first projectile follow an agent.
fn follow<N: Numbers>(range: &mut Range<N>, target: Id) {
    let now = range.world.projectiles().shot[0];
    for (at, from, to) in
        [(128, now.target, target.index), (160, now.generation, target.generation)]
    {
        for bit in (0..32_usize).filter(|bit| (from ^ to) >> bit & 1 == 1) {
            state::plant(&mut range.world, "projectiles.shot", 0, at + bit).unwrap();
        }
    }
    let now = range.world.projectiles().shot[0];
    assert_eq!((now.target, now.generation), (target.index, target.generation));
}

fn velocity<N: Numbers>(range: &Range<N>) -> Option<[f64; 3]> {
    range.world.projectiles().vel.first().map(|vel| vel.map(N::to_f64))
}

fn angle(a: [f64; 3], b: [f64; 3]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).clamp(-1.0, 1.0).acos()
}

/// A target that runs to and fro, and a missile that begins the wrong way: the ticks until it hits.
fn chase<N: Numbers>(turn_rate: f64, seed: u64) -> Option<u64> {
    let runner = GroupDef { speed: 8.0, acceleration: 40.0, hold: false, ..group(1, 1) };
    let mut range =
        Range::<N>::new(plain(200, 200, 1.0), RATE, &[missile(turn_rate)], &[group(0, 2), runner]);
    let id = range.stand(1, [100.0, 100.0]);
    let at = |k, span| random(seed, [k, 0], span);
    let from = [at(0, [60.0, 140.0]), at(1, [60.0, 140.0]), at(2, [25.0, 60.0])];
    let way = [at(3, [-1.0, 1.0]), at(4, [-1.0, 1.0]), at(5, [0.0, 0.3])];
    let size = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    range.tick::<N::Wide>(&[shot(0, 0, from, way.map(|v| v / size * 40.0))]);
    follow(&mut range, id);
    let mut before = velocity(&range)?;
    for tick in 1..30 * u64::from(RATE) {
        let turns = tick % 25 == 1;
        let goal = [at(tick, [70.0, 130.0]), at(tick + 1, [70.0, 130.0])];
        let goal = vec![Shape::Disc { centre: goal, radius: 2.0 }];
        let orders = [Order::Move { group: GroupId::new(1), goal }];
        range.tick::<N::Wide>(if turns { &orders } else { &[] });
        if let [impact] = range.world.impacts() {
            return (impact.struck == Struck::Agent(id)).then_some(tick);
        }
        let now = velocity(&range)?;
        let turned = angle(before, now);
        let most = turn_rate / f64::from(RATE);
        assert!(turned <= most * 1.05 + 1e-3, "{turned} rad in a tick, not {most}");
        let speed = (now[0] * now[0] + now[1] * now[1] + now[2] * now[2]).sqrt();
        assert!((speed - 40.0).abs() < 2e-3, "{speed} m/s");
        before = now;
    }
    None
}

fn it_turns_no_faster_than_told_and_hits_who_turns_too<N: Numbers>() {
    let hits = (0..40).filter(|&seed| chase::<N>(4.0, seed).is_some()).count();
    assert_eq!(hits, 40, "of 40 chases");
    // A projectile that hardly turns misses more often than not.
    let hits = (0..20).filter(|&seed| chase::<N>(0.05, seed).is_some()).count();
    assert!(hits < 6, "{hits} of 20");
}

/// Without its target it flies straight on; gravity never matters.
fn a_dead_target_is_followed_no_more<N: Numbers>() {
    let groups = [group(0, 2), group(1, 1)];
    let mut range = Range::<N>::new(plain(200, 200, 1.0), RATE, &[missile(2.0)], &groups);
    let id = range.stand(1, [100.0, 100.0]);
    range.tick::<N::Wide>(&[shot(0, 0, [20.0, 20.0, 9.0], [40.0, 0.0, 0.0])]);
    let straight = velocity(&range);
    range.tick::<N::Wide>(&[]);
    assert_eq!(velocity(&range), straight, "no target, no turn, no fall");
    follow(&mut range, id);
    (0..8).for_each(|_| range.tick::<N::Wide>(&[]));
    let turned = velocity(&range).unwrap();
    assert!(angle(straight.unwrap(), turned) > 0.5, "{turned:?}");
    range.tick::<N::Wide>(&[Order::Remove { group: GroupId::new(1), area: None }]);
    // A new agent has the same id index.
    assert_eq!(range.stand(1, [20.0, 180.0]).index, id.index);
    let last = velocity(&range);
    let from = range.world.projectiles().pos[0].map(N::to_f64);
    (0..20).for_each(|_| range.tick::<N::Wide>(&[]));
    assert_eq!(velocity(&range), last);
    let (to, vel) = (range.world.projectiles().pos[0].map(N::to_f64), last.unwrap());
    for i in 0..3 {
        assert!((to[i] - from[i] - vel[i]).abs() < 2e-3, "a second of {vel:?}: {from:?} {to:?}");
    }
}

/// From every direction, also from straight ahead and straight behind, a turn brings the velocity
/// nearer to the target, until it is there.
#[test]
fn every_turn_leads_to_the_target() {
    let vel = [30.0, 0.0, 0.0];
    let mut cases = vec![[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 1e-9]];
    cases.extend((0..200).map(|i| [0, 1, 2].map(|k| random(3, [i, k], [-1.0, 1.0]))));
    let upright = |to: [f64; 3]| ([0.0, 0.0, 30.0], to.map(|v| v * 50.0));
    for (vel, to) in
        cases.iter().map(|&to| (vel, to.map(|v| v * 50.0))).chain([upright([0.0, 0.0, -1.0])])
    {
        let mut now = vel;
        for _ in 0..70 {
            let next = pursue([0.0; 3], now, to, 30.0, 1.5);
            assert!(angle(next, to) < angle(now, to) || angle(next, to) < 1e-6, "{now:?} {next:?}");
            assert!(angle(now, next) <= 0.0502, "{}", angle(now, next));
            now = next;
        }
        assert!(angle(now, to) < 1e-6, "{now:?} to {to:?}");
    }
    // At the very place of its target there is nowhere to turn.
    assert_eq!(pursue([1.0; 3], vel, [1.0; 3], 30.0, 1.5), vel);
}

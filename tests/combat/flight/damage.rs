//! What a hit does: to the agent it strikes, to agents around, to friends, to the dead.

use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::world::{GroupDef, Order, Struck, WeaponDef};
use throng::{GroupId, state};

use crate::flight::range::{Range, group, length, plain, shot, straight};

in_both!(
    who_is_struck_is_hurt_once,
    friends_and_strangers_are_passed_unless_friendly_fire,
    nobody_shoots_himself,
    the_dead_die_once,
    who_is_leaving_can_fall,
    a_lifetime_is_as_long_as_it_says
);

/// Groups: the shooters, their foes, their friends, foes that cannot be hurt.
fn groups() -> [GroupDef; 4] {
    [group(0, 2), group(1, 1), group(0, 2), GroupDef { health: 0.0, ..group(1, 1) }]
}

fn range<N: Numbers>(weapon: WeaponDef) -> Range<N> {
    Range::new(plain(60, 40, 1.0), 20, &[weapon], &groups())
}

/// Down on a point of the ground.
fn drop_at(x: f64) -> Order {
    shot(0, 0, [x, 20.0, 3.0], [0.0, 0.0, -100.0])
}

/// Along the middle of the map.
fn along() -> Order {
    shot(0, 0, [2.0, 20.0, 1.0], [200.0, 0.0, 0.0])
}

#[test]
fn splash_falls_linearly_with_the_distance() {
    fn profile<N: Numbers>(precision: f64) {
        for up in [0.0, 1.0, 4.75] {
            let weapon = WeaponDef { splash: 5.0, damage: 60.0, ..straight() };
            // A wall cell of that height to fall on, or the ground.
            let mut cells = vec![16; 60 * 40];
            cells[21 * 60 + 20] = 0;
            let map = Map::from_slowness(60, 40, 1.0, &cells).with_heights(&[], up).unwrap();
            let mut range = Range::<N>::new(map, 20, &[weapon], &groups());
            let places: Vec<f64> = (0..16).map(|i| 20.0 + 0.75 * f64::from(i)).collect();
            let ids: Vec<Id> = places.iter().map(|&x| range.stand(1, [x, 20.0])).collect();
            let friend = range.stand(2, [19.0, 20.0]);
            let rock = range.stand(3, [18.0, 20.0]);
            let blast = shot(0, 0, [20.25, 21.5, 9.0], [0.0, 0.0, -300.0]);
            let all = range.play(&[blast], 5);
            let at = all[0].1.at;
            assert!((at[2] - up).abs() < 2e-3 && all.len() == 1, "{all:?}");
            let mut hurt = 0;
            for (&x, &id) in places.iter().zip(&ids) {
                let above = (at[2] - 1.8).max(0.0);
                let distance = length([length([x - at[0], 1.5]), above]);
                let damage = (60.0 * (1.0 - distance / 5.0)).max(0.0);
                let lost = 100.0 - range.health(id);
                assert!((lost - damage).abs() < precision, "{x}: {lost}, not {damage}");
                hurt += u64::from(damage > 0.0);
            }
            let tally = range.tally(0);
            assert!(hurt >= 4 && tally.hurt == hurt, "{hurt}: {tally:?}");
            let all_lost: f64 = ids.iter().map(|&id| 100.0 - range.health(id)).sum();
            assert!((tally.damage - all_lost).abs() < 1e-3, "{tally:?}");
            assert_eq!(range.health(friend), 100.0);
            assert_eq!(range.health(rock), 0.0);
        }
    }
    profile::<f32>(0.05);
    profile::<Fx>(0.02);
}

fn who_is_struck_is_hurt_once<N: Numbers>() {
    let mut range = range::<N>(WeaponDef { splash: 3.0, damage: 40.0, ..straight() });
    let ids = [20.0, 21.5, 24.0].map(|x| range.stand(1, [x, 20.0]));
    let all = range.play(&[along()], 20);
    assert_eq!(all[0].1.struck, Struck::Agent(ids[0]));
    let health = ids.map(|id| range.health(id));
    assert_eq!([health[0], health[2]], [60.0, 100.0], "the struck, and who is too far away");
    // From where it struck, 0.3 m before the middle of the first, to the axis of the second.
    let expected = 100.0 - 40.0 * (1.0 - 1.8 / 3.0);
    assert!((health[1] - expected).abs() < 0.1, "{health:?}, not {expected}");
    assert_eq!(range.tally(0).hurt, 2);
}

/// Runs a shot along a line of a friend, an agent that cannot be hurt and a foe; their health after it.
fn line<N: Numbers>(friendly_fire: bool, foes: u32) -> ([f64; 3], Struck) {
    let weapon = WeaponDef { damage: 10.0, splash: 0.5, friendly_fire, ..straight() };
    let mut all = groups();
    all[0].foes = foes;
    // The agent that cannot be hurt is of a third side.
    all[3].team = 2;
    let mut range = Range::<N>::new(plain(60, 40, 1.0), 20, &[weapon], &all);
    let ids = [(2, 20.0), (3, 30.0), (1, 40.0)].map(|(group, x)| range.stand(group, [x, 20.0]));
    let impacts = range.play(&[along()], 20);
    assert_eq!(impacts.len(), 1);
    let struck = impacts[0].1.struck;
    let which = ids.iter().position(|&id| struck == Struck::Agent(id));
    if let Some(which) = which {
        assert!((impacts[0].1.at[0] - (19.7 + 10.0 * which as f64)).abs() < 0.01);
    }
    let tally = range.tally(0);
    assert_eq!(tally.struck, u64::from(which.is_some()));
    (ids.map(|id| range.health(id)), struck)
}

fn friends_and_strangers_are_passed_unless_friendly_fire<N: Numbers>() {
    // Foes of team 1 only, of 1 and 2, and of no team.
    assert_eq!(line::<N>(false, 2).0, [100.0, 0.0, 90.0]);
    let (health, struck) = line::<N>(false, 6);
    assert_eq!(health, [100.0, 0.0, 100.0], "who cannot be hurt stops the shot");
    assert!(matches!(struck, Struck::Agent(_)));
    assert_eq!(line::<N>(false, 0), ([100.0, 0.0, 100.0], Struck::Nothing));
    assert_eq!(line::<N>(true, 0).0, [90.0, 0.0, 100.0], "the friend is the first");
}

/// A shooter is never struck by its own shot, nor hurt by its splash, friendly fire or not.
fn nobody_shoots_himself<N: Numbers>() {
    for own in [false, true] {
        let weapon = WeaponDef { damage: 10.0, splash: 4.0, friendly_fire: true, ..straight() };
        let mut range = range::<N>(weapon);
        // Far away, so that the shot is still in the air when its target is made its shooter.
        let id = range.stand(1, [30.0, 20.0]);
        range.tick::<N::Wide>(&[shot(0, 0, [10.0, 20.0, 1.0], [100.0, 0.0, 0.0])]);
        if own {
            for bit in 0..32_usize {
                let nobody = u32::MAX >> bit & 1;
                if nobody != id.index >> bit & 1 {
                    state::plant(&mut range.world, "projectiles.shot", 0, 64 + bit).unwrap();
                }
            }
            assert_eq!(range.world.projectiles().shot[0].shooter, id.index);
        }
        let all = range.play(&[], 40);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].1.struck == Struck::Agent(id), !own);
        assert_eq!(range.health(id), if own { 100.0 } else { 90.0 });
    }
}

/// Three shots at one agent in one tick, each of them deadly: one kills, all strike.
fn the_dead_die_once<N: Numbers>() {
    let mut range = range::<N>(WeaponDef { damage: 100.0, splash: 2.0, ..straight() });
    let (id, other) = (range.stand(1, [20.0, 20.0]), range.stand(1, [21.0, 20.0]));
    let last = range.stand(1, [50.0, 30.0]);
    let shots = [18.0, 18.2, 18.4].map(|x| shot(0, 0, [x, 20.0, 1.0], [100.0, 0.0, 0.0]));
    range.tick::<N::Wide>(&shots);
    let tally = range.tally(0);
    assert_eq!([tally.struck, tally.kills], [3, 2], "{tally:?}");
    // The first kills the one, the splash of all three the other.
    assert_eq!(tally.hurt, 4, "{tally:?}");
    assert_eq!(tally.damage, 200.0);
    let fallen: Vec<Id> = range.world.fallen().iter().map(|fallen| fallen.id).collect();
    assert_eq!(fallen, [id, other]);
    assert!(!range.world.is_alive(id) && !range.world.is_alive(other));
    assert!(range.world.is_alive(last));
    assert_eq!((range.world.len(), range.world.groups()[1].fallen()), (1, 2));
    state::validate(&range.world).unwrap();
    // The id of the dead goes to a new agent, in full health.
    let next = range.stand(1, [20.0, 20.0]);
    assert!(next.index == id.index || next.index == other.index);
    assert_eq!(range.health(next), 100.0);
    range.tick::<N::Wide>(&[]);
    assert!(range.world.fallen().is_empty() && range.world.impacts().is_empty());
}

/// An agent that is ordered away in a tick still stands there, and falls as others do.
fn who_is_leaving_can_fall<N: Numbers>() {
    let mut range = range::<N>(WeaponDef { damage: 100.0, ..straight() });
    let id = range.stand(1, [20.0, 20.0]);
    range.tick::<N::Wide>(&[
        Order::Remove { group: GroupId::new(1), area: None },
        shot(0, 0, [18.0, 20.0, 1.0], [100.0, 0.0, 0.0]),
    ]);
    assert_eq!(range.world.impacts()[0].struck, Struck::Agent(id));
    assert_eq!((range.tally(0).kills, range.world.groups()[1].fallen()), (1, 1));
    assert!(range.world.is_empty());
    state::validate(&range.world).unwrap();
}

/// A shot lives for its lifetime, to the tick, and hurts no agent at its end.
fn a_lifetime_is_as_long_as_it_says<N: Numbers>() {
    let weapon = WeaponDef { lifetime: 0.5, splash: 50.0, speed: 1.0, ..straight() };
    let mut range = range::<N>(weapon);
    let id = range.stand(1, [30.0, 20.0]);
    let all = range.play(&[shot(0, 0, [28.0, 20.0, 5.0], [2.0, 0.0, 0.0])], 40);
    assert_eq!((all.len(), all[0].0, all[0].1.struck), (1, 10, Struck::Nothing));
    assert!((all[0].1.at[0] - 29.0).abs() < 2e-3, "{all:?}");
    assert_eq!((range.health(id), range.tally(0).lost), (100.0, 1));
    // One on the ground of the same place does hurt.
    range.play(&[drop_at(28.0)], 40);
    assert_eq!(range.tally(0).ground, 1);
}

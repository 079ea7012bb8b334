//! Doors: agents wait before a closed one, and pass it while it is open.

use throng::lane::Numbers;
use throng::scenario::{Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::World;

in_both!(who_waits_before_a_closed_door_passes_while_it_is_open, a_door_is_waited_at_or_gone_round);

/// A door in a wall that is open once.
const ONCE: &str = r#"
walls = [{ rect = [20, 0, 21, 10] }]

[[door]]
name = "in the wall"
open = [[10, 22]]
rect = [20, 4, 21, 6]
"#;

/// A door across open ground that opens again and again.
const AGAIN: &str = r#"
[[door]]
name = "across the hall"
every = 8
open = [[0, 4]]
rect = [20, 0, 21, 10]
"#;

/// A run of 30 guests with these doors, on their way to x = 22 and beyond, not around each other;
/// `look` sees every tick.
fn run<N: Numbers>(doors: &str, mut look: impl FnMut(&World<N>)) {
    let spawn = "{ rect = [1, 1, 9, 9], count = 30 }";
    let text = format!(
        "ticks = 1200\n[map]\nsize = [30, 10]\n{doors}\n[[group]]\nname = \"guests\"\n\
         spawn = {spawn}\ngoal = {{ rect = [22, 0, 30, 10] }}\navoid_crowds = false\n"
    );
    let def = ScenarioDef::parse(&text, "doors.toml").unwrap();
    let plan = Plan::new(&def, def.load_map(&|_| unreachable!()).unwrap()).unwrap();
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..plan.ticks {
        let orders: Vec<_> = plan.orders_at(at).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        assert!(world.outcomes().iter().all(|outcome| !outcome.is_refused()));
        look(&world);
    }
}

/// Seconds at which agents are first seen beyond x, in order.
fn passed<N: Numbers>(doors: &str, x: f64) -> Vec<f64> {
    let mut first = vec![None; 30];
    run::<N>(doors, |world| {
        for (tag, pos) in world.tags().iter().zip(world.positions()) {
            if pos[0].to_f64() > x {
                first[tag.id as usize].get_or_insert((world.tick_count() - 1) as f64 / 20.0);
            }
        }
    });
    let mut times: Vec<f64> = first.into_iter().flatten().collect();
    times.sort_by(f64::total_cmp);
    times
}

/// How far each agent is from a point, in metres, when so many seconds are over.
fn far_from<N: Numbers>(doors: &str, to: [f64; 2], seconds: f64) -> Vec<f64> {
    let mut far = Vec::new();
    run::<N>(doors, |world| {
        if world.tick_count() == (seconds * 20.0) as u64 {
            let square = |pos: &[N; 2]| {
                let [x, y] = [0, 1].map(|axis| pos[axis].to_f64() - to[axis]);
                x * x + y * y
            };
            far = world.positions().iter().map(|pos| square(pos).sqrt()).collect();
        }
    });
    far
}

fn who_waits_before_a_closed_door_passes_while_it_is_open<N: Numbers>() {
    let once = passed::<N>(ONCE, 21.0);
    assert!(once.len() > 20, "they wait before it, so most pass in 12 s: {once:?}");
    assert!(once.iter().all(|time| (10.0..22.1).contains(time)), "{once:?}");
    let again = passed::<N>(AGAIN, 21.0);
    assert_eq!(again.len(), 30, "nobody is left behind a door that opens again: {again:?}");
    // Agents where a door closes are moved out of it, to either side.
    assert!(again.iter().all(|time| time % 8.0 <= 4.1), "{again:?}");
}

fn a_door_is_waited_at_or_gone_round<N: Numbers>() {
    let farther = "[[door]]\nname = \"farther\"\nopen = [[0, 60]]\nrect = [20, 0, 21, 2]\n";
    let nearer = ONCE.replace("open = [[10, 22]]", "open = [[50, 60]]");
    let both = format!("{nearer}\n{farther}");
    let detour = both.replace("open = [[50, 60]]", "detour = true\nopen = [[50, 60]]");
    // With a detour all agents go round by the other door; without, most wait where it is nearest.
    let [waits, goes] = [both, detour].map(|doors| passed::<N>(&doors, 21.0));
    assert_eq!(goes.len(), 30);
    assert!(goes.iter().all(|time| *time < 48.0), "{goes:?}");
    let late = waits.iter().filter(|time| **time >= 50.0).count();
    assert!(late >= 10, "{late} wait for 50 s: {waits:?}");
    // Agents without another way stay where they are, and come when it opens.
    let alone = ONCE.replace("open = [[10, 22]]", "detour = true\nopen = [[10, 40]]");
    let near = far_from::<N>(ONCE, [20.0, 5.0], 9.5);
    assert!(near.iter().all(|metres| *metres < 7.0), "before the door: {near:?}");
    let far = far_from::<N>(&alone, [20.0, 5.0], 9.5);
    assert!(far.iter().filter(|metres| **metres > 9.0).count() > 25, "where they were: {far:?}");
    assert_eq!(passed::<N>(&alone, 21.0).len(), 30);
}

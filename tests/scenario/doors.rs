//! Doors: who waits before one that is closed, and passes it while it is open.

use throng::lane::Numbers;
use throng::math::Fx;
use throng::scenario::{Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::World;

/// A door in a wall that is open once.
const ONCE: &str = r#"
walls = [{ rect = [20, 0, 21, 10] }]

[[door]]
name = "in the wall"
open = [[10, 22]]
rect = [20, 4, 21, 6]
"#;

/// One across open ground that opens again and again.
const AGAIN: &str = r#"
[[door]]
name = "across the hall"
every = 8
open = [[0, 4]]
rect = [20, 0, 21, 10]
"#;

/// Seconds at which agents are first seen beyond x, in order.
fn passed<N: Numbers>(doors: &str, x: f64) -> Vec<f64> {
    let spawn = "{ rect = [1, 1, 9, 9], count = 30 }";
    let text = format!(
        "ticks = 1200\n[map]\nsize = [30, 10]\n{doors}\n[[group]]\nname = \"guests\"\n\
         spawn = {spawn}\ngoal = {{ rect = [22, 0, 30, 10] }}\n"
    );
    let def = ScenarioDef::parse(&text, "doors.toml").unwrap();
    let plan = Plan::new(&def, def.load_map(&|_| unreachable!()).unwrap()).unwrap();
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).unwrap();
    let mut scratch = Scratch::new();
    let mut first = vec![None; 30];
    for at in 0..plan.ticks {
        let orders: Vec<_> = plan.orders_at(at).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        for (tag, pos) in world.tags().iter().zip(world.positions()) {
            if pos[0].to_f64() > x {
                first[tag.id as usize].get_or_insert(at as f64 / 20.0);
            }
        }
    }
    let mut times: Vec<f64> = first.into_iter().flatten().collect();
    times.sort_by(f64::total_cmp);
    times
}

fn who_waits_passes<N: Numbers>() {
    let once = passed::<N>(ONCE, 21.0);
    assert!(once.len() > 3, "those in front come in time: {once:?}");
    assert!(once.iter().all(|time| (10.0..22.1).contains(time)), "{once:?}");
    let again = passed::<N>(AGAIN, 21.0);
    assert_eq!(again.len(), 30, "nobody is left behind a door that opens again: {again:?}");
    // Who stands where a door closes is moved out of it, to either side.
    assert!(again.iter().all(|time| time % 8.0 <= 4.1), "{again:?}");
}

#[test]
fn who_waits_before_a_closed_door_passes_while_it_is_open() {
    who_waits_passes::<f32>();
    who_waits_passes::<Fx>();
}

//! Plays what was read: a few ticks of a small world, looked over after each.

use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::map::area::extent;
use throng::state;
use throng::tick::{Scratch, tick_with};
use throng::world::{Order, World};

/// Cells of a map that is played on, at most.
pub const CELLS: usize = 4_096;
/// The longer side of such a map in metres, at most.
const METRES: f64 = 2_000.0;
/// Agents at once, at most.
const AGENTS: usize = 40;
/// Groups, at most: each brings work of its own for every tick.
const GROUPS: usize = 64;
/// Ticks, at most.
pub const TICKS: usize = 12;

/// Whether a map is small enough.
pub fn is_small(map: &Map) -> bool {
    let [width, height] = extent(map);
    map.letters().len() <= CELLS && width.max(height) <= METRES
}

/// The orders of a tick with no more new agents than there is room for here. A number that no
/// world takes stays what it is.
fn bounded<N: Numbers>(world: &World<N>, orders: &[Order]) -> Vec<Order> {
    let mut room = AGENTS.saturating_sub(world.len()) as u32;
    let mut groups = GROUPS.saturating_sub(world.groups().len());
    let mut bounded = Vec::new();
    for order in orders {
        let mut order = order.clone();
        match &mut order {
            Order::Spawn { count, .. } if *count <= 1 << 24 => {
                *count = (*count).min(room);
                room -= *count;
            }
            Order::Group { .. } if groups == 0 => continue,
            Order::Group { .. } => groups -= 1,
            _ => {}
        }
        bounded.push(order);
    }
    bounded
}

/// Plays ticks of orders.
///
/// # Panics
/// When a tick does, or the world is no longer whole.
pub fn play<N: Numbers>(world: &mut World<N>, ticks: &[&[Order]]) {
    play_in::<N::Wide>(world, ticks);
}

fn play_in<L: Lane>(world: &mut World<L::Num>, ticks: &[&[Order]]) {
    let mut scratch = Scratch::new();
    for orders in ticks.iter().take(TICKS) {
        let orders = bounded(world, orders);
        tick_with::<L>(world, &orders, &mut scratch, &mut ());
        assert_eq!(world.outcomes().len(), orders.len(), "every order has an outcome");
        state::validate(world).unwrap();
    }
}

/// Plays ticks of orders in wide lanes and one agent at a time.
///
/// # Panics
/// When the bits differ.
pub fn play_twice<N: Numbers>(world: &World<N>, ticks: &[&[Order]]) {
    let (mut wide, mut single) = (world.clone(), world.clone());
    play_in::<N::Wide>(&mut wide, ticks);
    play_in::<N::Single>(&mut single, ticks);
    assert_eq!(state::columns(&wide), state::columns(&single), "lanes change nothing");
}

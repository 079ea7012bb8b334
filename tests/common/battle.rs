//! A battle as four players give it: thousands of ticks, an order a second from each.

use throng::GroupId;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::{hash3, unit_f64};
use throng::replay::{RecordOptions, Recorder, Replay};
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};

/// Side of the map in metres and cells.
const SIDE: u32 = 128;
/// Players, and the groups that each commands.
const PLAYERS: u64 = 4;
const GROUPS: u64 = 3;
/// Ticks from one order of a player to the next.
const PACE: u64 = 20;

fn map() -> Map {
    let wall = |i: u32| {
        let (x, y) = (i % SIDE % 32, i / SIDE % 32);
        (10..18).contains(&x) && (12..15).contains(&y)
    };
    let cells: Vec<u8> = (0..SIDE * SIDE).map(|i| if wall(i) { 0 } else { 16 }).collect();
    Map::from_slowness(SIDE, SIDE, 1.0, &cells)
}

/// A number below `most` for what a player does at a tick.
fn draw(tick: u64, what: u64, most: f64) -> f64 {
    most * unit_f64(hash3(11, tick, what))
}

/// What the players order at a tick, when these are alive.
fn orders(tick: u64, agents: u32, alive: &[Id]) -> Vec<Order> {
    let group = |player: u64, index: u64| GroupId::new((player * GROUPS + index) as u16);
    if tick == 0 {
        let groups =
            (0..PLAYERS * GROUPS).map(|_| Order::Group { def: GroupDef::preset("rts").unwrap() });
        let corner = |player: u64| [player % 2, player / 2].map(|far| 2.0 + 84.0 * far as f64);
        let spawns = (0..PLAYERS).flat_map(|player| {
            let min = corner(player);
            let area = vec![Shape::Rect { min, max: min.map(|v| v + 40.0) }];
            let count = agents / (PLAYERS * GROUPS) as u32;
            (0..GROUPS).map(move |index| Order::Spawn {
                group: group(player, index),
                area: area.clone(),
                count,
            })
        });
        return groups.chain(spawns).collect();
    }
    let player = tick % PACE;
    if player >= PLAYERS {
        return Vec::new();
    }
    let own = group(player, draw(tick, 1, GROUPS as f64) as u64);
    let place = [0, 1].map(|axis| 3.0 + draw(tick, 2 + axis, f64::from(SIDE) - 6.0));
    match draw(tick, 5, 10.0) as u32 {
        0 => vec![Order::Stop { group: own }],
        1 | 2 => {
            let chosen = |i: u64| alive[draw(tick, 10 + i, alive.len() as f64) as usize];
            vec![Order::Assign { agents: (0..12).map(chosen).collect(), group: own }]
        }
        _ => {
            vec![Order::Move { group: own, goal: vec![Shape::Disc { centre: place, radius: 6.0 }] }]
        }
    }
}

/// Records a battle.
pub(crate) fn record<N: Numbers>(agents: u32, ticks: u64, options: RecordOptions) -> Vec<u8> {
    let players = ["red", "blue", "green", "gold"].map(str::to_owned).to_vec();
    let options = RecordOptions { players, ..options };
    let mut world = World::<N>::new(map(), Settings::default()).unwrap();
    let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..ticks {
        let alive: Vec<Id> = if at % PACE < PLAYERS && at > 0 {
            (0..world.len()).map(|row| world.id(row)).collect()
        } else {
            Vec::new()
        };
        let orders = orders(at, agents, &alive);
        tick(&mut world, &orders, &mut scratch);
        recorder.tick(&world, &orders).unwrap();
    }
    let bytes = recorder.finish().unwrap();
    assert_eq!(Replay::read(&bytes).unwrap().header.players.len(), 4);
    bytes
}

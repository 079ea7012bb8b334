//! Groups that go by corridors: on large maps, directions only where agents are.

use crate::common::crowd::on_threads;
use crate::common::stage::{Stage, disc, rect};
use crate::common::terrain;
use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::nav::navigator::Navigator;
use throng::world::{GroupDef, Order, Outcome, Refusal, Settings};
use throng::{GroupId, state};

/// Two crowds on their way across a map of rooms.
fn crossing<N: Numbers>(map: &Map, navigator: Navigator) -> Stage<N> {
    let mut stage = Stage::<N>::new(map.clone());
    let side = f64::from(map.width());
    for (radius, from, to) in [(0.3, 8.0, side - 20.0), (0.8, side - 30.0, 20.0)] {
        let def = GroupDef { radius, navigator, ..GroupDef::default() };
        let group = stage.world.add_group(def).unwrap();
        let area = rect(from, from, from + 22.0, from + 22.0);
        let outcome = stage.order(Order::Spawn { group, area, count: 60 });
        assert_eq!(outcome, Outcome::Done { agents: 60 });
        stage.send(group, disc(to, to, 12.0));
    }
    stage
}

#[test]
fn everybody_arrives_and_no_whole_field_is_made() {
    let map = terrain::rooms(200, 3);
    let mut stage = crossing::<f32>(&map, Navigator::Corridor);
    let ticks = stage.until(12_000, Stage::all_arrived).expect("all arrive");
    state::validate(&stage.world).unwrap();
    assert_eq!(stage.world.fields().bytes(), 0);
    assert!(stage.world.corridor_bytes() > 0);
    // Hardly farther than by a field: both walk at about the same speed.
    let mut by_field = Stage::<f32>::new(map.clone());
    for (radius, from, to) in [(0.3, 8.0, 180.0), (0.8, 170.0, 20.0)] {
        let def = GroupDef { radius, ..GroupDef::default() };
        let group = by_field.world.add_group(def).unwrap();
        let area = rect(from, from, from + 22.0, from + 22.0);
        by_field.order(Order::Spawn { group, area, count: 60 });
        by_field.send(group, disc(to, to, 12.0));
    }
    let other = by_field.until(12_000, Stage::all_arrived).expect("all arrive");
    eprintln!("{ticks} ticks by corridors, {other} by fields");
    assert!(f64::from(ticks) < 1.25 * f64::from(other), "{ticks} against {other}");
}

/// Digests of a run on a map that changes; every so often another world goes on with it.
fn run<N: Numbers>(map: &Map, navigator: Navigator, ticks: u32, move_house: bool) -> Vec<u64> {
    let mut stage = crossing::<N>(map, navigator);
    let mut digests = Vec::new();
    for tick in 0..ticks {
        let at = f64::from(40 + tick * 7 % 90);
        let area = rect(at, at, at + 9.0, at + 3.0);
        match tick % 50 {
            10 => drop(stage.order(Order::Build { area })),
            35 => drop(stage.order(Order::Demolish { area })),
            _ => stage.tick(),
        }
        state::validate(&stage.world).unwrap();
        digests.push(state::digest(&stage.world));
        if move_house && tick % 40 == 20 {
            let image = state::save(&stage.world);
            let mut other =
                if tick % 80 == 20 { Stage::new(map.clone()) } else { crossing(map, navigator) };
            state::restore(&mut other.world, &image).expect("a good image");
            stage = other;
        }
    }
    digests
}

#[test]
fn corridors_repeat_and_can_be_restored() {
    let map = terrain::rooms(160, 8);
    let run = |threads, move_house| {
        on_threads(threads, || run::<f32>(&map, Navigator::Corridor, 400, move_house))
    };
    let plain = run(1, false);
    assert_eq!(run(3, false), plain);
    assert_eq!(run(2, true), plain);
    let fixed = |move_house| self::run::<Fx>(&map, Navigator::Corridor, 200, move_house);
    assert_eq!(fixed(true), fixed(false));
}

#[test]
fn what_routes_are_found_by_is_repaired_to_what_it_would_be_if_made_anew() {
    let map = terrain::rooms(120, 8);
    for navigator in [Navigator::Path, Navigator::Waypoints, Navigator::Network, Navigator::Mesh] {
        // A restored world makes it anew; one that goes on repairs it.
        let plain = run::<f32>(&map, navigator, 300, false);
        assert!(run::<f32>(&map, navigator, 300, true) == plain, "{navigator:?}");
    }
}

#[test]
fn a_corridor_that_does_not_fit_is_refused() {
    let settings = Settings { field_cache_bytes: 9, ..Settings::default() };
    let mut stage = Stage::<f32>::with(terrain::rooms(100, 3), settings);
    let def = GroupDef { navigator: Navigator::Corridor, ..GroupDef::default() };
    stage.world.add_group(def).unwrap();
    let before = state::digest(&stage.world);
    let outcome = stage.order(Order::Move { group: GroupId::new(0), goal: disc(50.0, 50.0, 20.0) });
    let Outcome::Refused(Refusal::NoFieldMemory(why)) = outcome else { panic!("{outcome:?}") };
    assert!(why.contains("cap of 9 bytes"), "{why}");
    let mut silent = Stage::<f32>::with(terrain::rooms(100, 3), settings);
    let def = GroupDef { navigator: Navigator::Corridor, ..GroupDef::default() };
    silent.world.add_group(def).unwrap();
    assert_eq!(state::digest(&silent.world), before);
    silent.tick();
    assert_eq!(state::digest(&silent.world), state::digest(&stage.world));
}

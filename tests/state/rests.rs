//! The rest of a replay is a replay, from any tick of it.

use throng::replay::{Keyframe, Player, RecordOptions, Recorder, Replay, ReplayError, verify};
use throng::scenario::{Plan, ScenarioDef, builtin};
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};
use throng::{Numbers, Shape};

const TICKS: u64 = 90;

/// A run with a wall built on the way, and with keyframes.
fn recorded<N: Numbers>() -> Replay {
    let def = ScenarioDef::parse(builtin("small").unwrap().text, "small.toml").unwrap();
    let map = def.load_map(&|_| panic!("no file")).unwrap();
    let plan = Plan::new(&def, map).unwrap();
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).unwrap();
    let options = RecordOptions { keyframe_bytes: 1 << 30, ..RecordOptions::from("small") };
    let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..TICKS {
        let mut orders: Vec<_> = plan.orders_at(at).cloned().collect();
        if at == 30 {
            orders.push(Order::Build { area: vec![Shape::rect([20.0, 2.0], [21.0, 9.0])] });
        }
        tick(&mut world, &orders, &mut scratch);
        recorder.tick(&world, &orders).unwrap();
    }
    Replay::read(&recorder.finish().unwrap()).unwrap()
}

fn rests_repeat<N: Numbers>() {
    let replay = recorded::<N>();
    assert!(replay.keyframes.len() > 2, "{}", replay.keyframes.len());
    let mut player = Player::<N>::new(&replay).unwrap();
    for first in [0, 1, 29, 31, 57, replay.keyframes[1].tick, TICKS - 1, TICKS] {
        player.seek(first).unwrap();
        let rest = Replay::read(&replay.rest(player.world()).unwrap()).unwrap();
        assert_eq!((rest.header.first_tick, rest.end_tick()), (first, TICKS));
        assert_eq!(rest.frames, replay.frames[first as usize..]);
        assert_eq!(rest.header.label, "small");
        let verdict = verify(&rest, |_| {}).unwrap();
        assert!(verdict.difference.is_none(), "from tick {first}");
        // Later keyframes stay.
        let later = |keyframes: &[Keyframe]| {
            keyframes.iter().filter(|k| k.tick > first).cloned().collect::<Vec<_>>()
        };
        assert_eq!(later(&rest.keyframes), later(&replay.keyframes));
        // A rest has rests of its own.
        let again = Replay::read(&rest.rest(player.world()).unwrap()).unwrap();
        assert_eq!((again.frames, again.keyframes), (rest.frames, rest.keyframes));
    }
}

#[test]
fn rests_of_a_replay_repeat_it() {
    rests_repeat::<f32>();
    rests_repeat::<throng::Fx>();
}

#[test]
fn another_state_is_refused() {
    let replay = recorded::<f32>();
    let mut player = Player::<f32>::new(&replay).unwrap();
    player.seek(40).unwrap();
    let mut world = player.world().clone();
    throng::state::plant(&mut world, "agents.pos", 7, 3).unwrap();
    assert!(matches!(replay.rest(&world), Err(ReplayError::OtherState { tick: 40 })));
    // So is a state from beyond the end.
    player.seek(TICKS).unwrap();
    let mut world = player.world().clone();
    tick(&mut world, &[], &mut Scratch::new());
    assert!(matches!(replay.rest(&world), Err(ReplayError::OtherState { tick: 91 })));
}

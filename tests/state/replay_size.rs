//! How large replays are, and how far a seek has to play.

use crate::common::battle::record;
use throng::math::Fx;
use throng::replay::{Player, RecordOptions, Replay};
use throng::state;

const TICKS: u64 = 10_000;

#[test]
fn a_battle_of_10_000_ticks_takes_less_than_a_megabyte() {
    let options = RecordOptions { keyframe_bytes: 0, ..RecordOptions::default() };
    let bytes = record::<f32>(600, TICKS, options);
    let replay = Replay::read(&bytes).unwrap();
    let orders: usize = replay.frames.iter().map(|frame| frame.orders.len()).sum();
    eprintln!("{} bytes, {orders} orders", bytes.len());
    assert_eq!((replay.end_tick(), replay.keyframes.len()), (TICKS, 0));
    assert!(orders > 1_900, "{orders} orders");
    assert!(bytes.len() <= 1_000_000, "{} bytes", bytes.len());
}

#[test]
fn a_seek_plays_a_fiftieth_at_most_and_keyframes_keep_their_budget() {
    let options = RecordOptions::default();
    let ticks = TICKS / 2;
    let bytes = record::<Fx>(300, ticks, options.clone());
    let replay = Replay::read(&bytes).unwrap();
    for tick in 900..=ticks {
        let from = replay.keyframe_before(tick).map_or(0, |keyframe| keyframe.tick);
        assert!((tick - from) * 50 <= tick, "tick {tick} is played from {from}");
    }
    eprintln!("{} keyframes, {} bytes in all", replay.keyframes.len(), bytes.len());
    let mut player = Player::<Fx>::new(&replay).unwrap();
    for tick in [4_999, 17, 2_500, 0, ticks, 2_501] {
        player.seek(tick).unwrap();
        assert_eq!(player.world().tick_count(), tick);
        if tick > 0 {
            let expected = replay.frame(tick - 1).unwrap().digest;
            assert_eq!(state::digest(player.world()), expected, "tick {tick}");
        }
    }
    // A small budget is kept to, and still reaches far.
    let budget = 1_000_000;
    let options = RecordOptions { keyframe_bytes: budget, ..options };
    let small = Replay::read(&record::<Fx>(300, ticks, options)).unwrap();
    let spent: usize = small.keyframes.iter().map(|keyframe| keyframe.bytes()).sum();
    assert!(spent as u64 <= budget, "{spent} bytes");
    let last = small.keyframes.last().unwrap().tick;
    eprintln!("{} keyframes of {spent} bytes, the last at {last}", small.keyframes.len());
    assert!(last > ticks / 2, "the last one at {last}");
}

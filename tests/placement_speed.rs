//! How long placing takes. Run with `cargo test --release --test placement_speed -- --ignored
//! --nocapture`.

use std::time::Instant;

use throng::map::Map;
use throng::map::area::Shape;
use throng::map::area::extent;
use throng::map::placement::MAX_COUNT;
use throng::map::placement::place;

fn open_map(side: u32) -> Map {
    Map::from_slowness(side, side, 1.0, &vec![16; (side * side) as usize])
}

/// Walls on a fifth of the cells, at random (Lehmer's generator).
fn noise_map(side: u32) -> Map {
    let mut state = 1_u64;
    let mut cell = || {
        state = state * 48_271 % 0x7FFF_FFFF;
        if state.is_multiple_of(5) { 0 } else { 16 }
    };
    let cells: Vec<u8> = (0..side * side).map(|_| cell()).collect();
    Map::from_slowness(side, side, 1.0, &cells)
}

#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "the times are what it is for")]
fn placing_takes_how_long() {
    let cases = [
        ("1,000,000 on 1,280², open", open_map(1280), 1_000_000),
        ("1,000,000 on 4,096², 20 % walls", noise_map(4096), 1_000_000),
        ("16 Mi on 4,096², open", open_map(4096), MAX_COUNT),
        ("10 on 8,192², open", open_map(8192), 10),
    ];
    for (name, map, count) in cases {
        let shapes = [Shape::Rect { min: [0.0; 2], max: extent(&map) }];
        let start = Instant::now();
        let placed = place(&map, map.slowness(), &shapes, count, 0.3, 1).unwrap();
        println!("{name}: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
        assert_eq!(placed.len() as u64, count);
    }
}

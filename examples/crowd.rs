//! Two groups pass each other on a small map: `cargo run --release --example crowd`.
//!
//! The map is drawn as rows of letters, the groups come and go by orders, and ten seconds pass
//! through an `Accumulator`, as in a game whose frames take as long as they take. All that once in
//! each numeric mode. Nothing here needs the feature `cli`.

use throng::{
    Accumulator, Fx, GroupDef, Legend, Map, Numbers, Order, Outcome, Scratch, Settings, Shape,
    World, state, tick,
};

/// 30 × 16 cells of 1 m: a hall, and a wall with two doors.
const HALL: [&str; 16] = [
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@............................@",
    "@............................@",
    "@............................@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@............................@",
    "@............................@",
    "@............................@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
];

/// Frame times of a game that stutters, in seconds. They decide how many ticks a frame gets, and
/// nothing else: any others that add up to as many ticks give the same digest.
const FRAMES: [f64; 5] = [0.016, 0.017, 0.033, 0.012, 0.022];

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let strict = cross::<f32>()?;
    let fixed = cross::<Fx>()?;
    println!("digests {strict:016x} (f32), {fixed:016x} (fixed): the same wherever this runs");
    Ok(())
}

/// Lets the groups cross in number type `N`, and gives the digest of the state in the end.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn cross<N: Numbers>() -> Result<u64, Box<dyn std::error::Error>> {
    let map = Map::from_rows(&HALL, &Legend::default(), 1.0)?;
    let mut world = World::<N>::new(map, Settings::default())?;
    let mut scratch = Scratch::new();
    let mut clock = Accumulator::new(world.settings().tick_rate, 5);

    // Orders wait here until the next tick takes them.
    let west = Shape::Rect { min: [3.0, 2.0], max: [11.0, 14.0] };
    let east = Shape::Rect { min: [19.0, 2.0], max: [27.0, 14.0] };
    let walkers = GroupDef::default();
    let joggers = GroupDef { speed: 2.8, radius: 0.25, ..GroupDef::default() };
    let mut orders = vec![
        Order::Group { def: walkers },
        Order::Group { def: joggers },
        Order::Spawn { group: 0, area: vec![west.clone()], count: 40 },
        Order::Spawn { group: 1, area: vec![east.clone()], count: 40 },
        Order::Move { group: 0, goal: vec![east] },
        Order::Move { group: 1, goal: vec![west] },
    ];

    let mut frames = FRAMES.iter().cycle();
    while world.tick_count() < 10 * u64::from(world.settings().tick_rate) {
        for _ in 0..clock.frame(*frames.next().expect("an endless list")) {
            tick(&mut world, &orders, &mut scratch);
            for (order, outcome) in orders.iter().zip(world.outcomes()) {
                if let Outcome::Refused(why) = outcome {
                    println!("refused: {order:?}: {why}");
                }
            }
            orders.clear();
            if world.tick_count().is_multiple_of(40) {
                report(&world);
            }
        }
        // Here a game would draw, `clock.fraction()` of the way to the next tick.
    }
    Ok(state::digest(&world))
}

/// Says how the crowd is doing. Columns are slices, row by row; rows move, ids stay.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn report<N: Numbers>(world: &World<N>) {
    let seconds = world.tick_count() as f64 * world.dt();
    let mut east = [0; 2];
    for (pos, tag) in world.positions().iter().zip(world.tags()) {
        east[usize::from(tag.group)] += usize::from(pos[0].to_f64() > 15.0);
    }
    let (mode, arrived) = (N::NUMERIC.word(), world.arrived());
    println!(
        "{mode}, {seconds:>2} s: {:>2} walkers and {:>2} joggers in the east, {arrived} arrived",
        east[0], east[1]
    );
}

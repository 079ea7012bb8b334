//! Walls hold: no agent's centre is ever inside one, whatever the speed, the radius or the crowd; and
//! agents slide along them.

use crate::common::crowd::blocks;
use crate::common::stage::{Stage, disc, map, point, rect};
use crate::common::terrain::Random;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::world::{GroupDef, Order, Outcome, Refusal, Settings};

in_both!(
    agents_slide_along_a_wall_in_their_way,
    a_head_on_walker_is_pulled_aside,
    nobody_walks_into_a_wall,
    fast_agents_do_not_tunnel,
    a_fast_crowd_stays_out_of_the_walls,
    a_goal_behind_a_corridor_too_narrow_is_unreachable,
    a_pressed_crowd_stays_out_of_the_walls
);

/// Settings under which no field is done before the test is over, so agents walk straight.
fn straight() -> Settings {
    Settings { field_cells_per_tick: 1, ..Settings::default() }
}

/// A wall across the map with a gap at the bottom.
fn barrier() -> Map {
    map(60, 60, &[[30, 0, 32, 50]])
}

/// One agent that walks straight at a wall: its velocity along the wall after some seconds.
fn slide<N: Numbers>(start: [f64; 2], goal: [f64; 2]) -> f64 {
    let mut stage = Stage::<N>::with(barrier(), straight());
    let group = stage.group(GroupDef::default(), &[start]);
    stage.send(group, point(goal[0], goal[1]));
    let mut along = 0.0;
    for tick in 0..200 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
        let body = stage.one();
        assert!(body.pos[0] < 30.0, "{body:?}");
        if tick >= 100 {
            along += body.vel[1] / 100.0;
        }
    }
    assert!(stage.one().pos[0] > 28.5, "it got to the wall: {:?}", stage.one());
    along
}

fn agents_slide_along_a_wall_in_their_way<N: Numbers>() {
    // Down along the wall: its aim is far down on the other side.
    let down = slide::<N>([26.0, 10.0], [38.0, 48.0]);
    let up = slide::<N>([26.0, 40.0], [38.0, 2.0]);
    assert!(down > 0.9, "{down} m/s along the wall");
    assert!(up < -0.9, "{up} m/s along the wall");
}

/// Agents that walk at a wall exactly head-on are pulled to one side, some left, some right.
fn a_head_on_walker_is_pulled_aside<N: Numbers>() {
    let mut stage = Stage::<N>::with(barrier(), straight());
    for i in 0..12 {
        let y = 3.0 + 4.0 * f64::from(i);
        let group = stage.group(GroupDef::default(), &[[25.0, y]]);
        stage.send(group, point(50.0, y));
    }
    let mut most = [0.0_f64; 2];
    for _ in 0..300 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
        for (i, body) in stage.bodies().iter().enumerate().skip(1).take(10) {
            let side = body.pos[1] - (3.0 + 4.0 * i as f64);
            most = [most[0].max(side), most[1].max(-side)];
        }
    }
    assert!(most.iter().all(|&side| side > 0.05), "pulled up to {most:?} m aside");
}

/// Many agents walk straight at a wall, head-on and at all angles, at their full speed.
fn wall_holds<N: Numbers>(radius: f64, speed: f64) {
    let mut stage = Stage::<N>::with(barrier(), straight());
    let mut random = Random(8);
    for _ in 0..60 {
        let [a, b, c] = [0; 3].map(|_| f64::from(random.below(1_000)) / 1_000.0);
        let def = GroupDef { radius, speed, acceleration: speed * 4.0, ..GroupDef::default() };
        let group = stage.group(def, &[[10.0 + 15.0 * a, 5.0 + 40.0 * b]]);
        stage.send(group, point(34.0 + 20.0 * a, 2.0 + 46.0 * c));
    }
    let mut reached = vec![false; 60];
    for _ in 0..400 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
        for (body, reached) in stage.bodies().iter().zip(&mut reached) {
            let crossed = body.pos[0] > 30.0 && body.pos[1] < 48.0;
            assert!(!crossed, "{body:?} is behind the wall");
            *reached |= body.pos[0] > 27.0 - radius;
        }
    }
    let reached = reached.iter().filter(|&&reached| reached).count();
    assert!(reached > 50, "{reached} of 60 got to the wall, radius {radius}, {speed} m/s");
}

fn nobody_walks_into_a_wall<N: Numbers>() {
    for (radius, speed) in [(0.3, 1.4), (0.05, 4.0), (0.8, 8.0), (0.3, 19.0)] {
        wall_holds::<N>(radius, speed);
    }
}

/// Agents as fast as the engine allows: 25 cells a tick, over walls of one cell.
fn no_tunnel<N: Numbers>(speed: f64, tick_rate: u32) {
    // A chamber whose only door is on the side away from the goal, behind a screen.
    let walls = [
        [20, 20, 41, 21],
        [20, 40, 41, 41],
        [40, 20, 41, 41],
        [20, 20, 21, 29],
        [20, 32, 21, 41],
        [24, 23, 25, 38],
    ];
    let settings = Settings { tick_rate, ..straight() };
    let mut stage = Stage::<N>::with(map(120, 64, &walls), settings);
    let mut random = Random(5);
    let def = GroupDef { speed, acceleration: 1000.0, response: 0.02, ..GroupDef::default() };
    for _ in 0..40 {
        let [a, b, c] = [0; 3].map(|_| f64::from(random.below(1_000)) / 1_000.0);
        let group = stage.group(def.clone(), &[[26.0 + 13.0 * a, 23.0 + 15.0 * b]]);
        stage.send(group, point(60.0 + 50.0 * c, 2.0 + 60.0 * a));
    }
    let (mut fastest, mut before) = (0.0_f64, stage.bodies());
    let is_in = |at: f64| (21.0..40.0).contains(&at);
    for _ in 0..6 * tick_rate {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
        let now = stage.bodies();
        for (body, old) in now.iter().zip(&before).filter(|(_, old)| old.pos.into_iter().all(is_in))
        {
            // An agent that others push around the screen may find the door.
            let is_at_door = old.pos[0] < 25.0;
            let inside = body.pos.into_iter().all(is_in);
            assert!(inside || is_at_door, "{old:?} → {body:?}: left through the wall");
            fastest = fastest.max(body.speed());
        }
        before = now;
    }
    let out = before.iter().filter(|body| !body.pos.into_iter().all(is_in)).count();
    assert!(out <= 4, "{out} of 40 are out");
    assert!(fastest * stage.world.dt() > 1.0, "more than a cell a tick: {fastest} m/s");
}

fn fast_agents_do_not_tunnel<N: Numbers>() {
    for (speed, tick_rate) in [(40.0, 20), (500.0, 20), (500.0, 5)] {
        no_tunnel::<N>(speed, tick_rate);
    }
}

/// Fast agents on a map full of blocks, by the field and in a crowd.
fn fast_crowd<N: Numbers>(speed: f64) {
    let mut stage = Stage::<N>::new(blocks(96, 96, 1.0, 21));
    for (area, goal) in [
        (rect(2.0, 2.0, 30.0, 90.0), disc(80.0, 50.0, 14.0)),
        (rect(66.0, 2.0, 94.0, 90.0), disc(16.0, 50.0, 14.0)),
    ] {
        let def = GroupDef { speed, acceleration: 1000.0, response: 0.05, ..GroupDef::default() };
        let group = stage.world.add_group(def).unwrap();
        stage.order(Order::Spawn { group, area, count: 400 });
        stage.send(group, goal);
    }
    for _ in 0..300 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
    }
}

fn a_fast_crowd_stays_out_of_the_walls<N: Numbers>() {
    for speed in [10.0, 60.0, 500.0] {
        fast_crowd::<N>(speed);
    }
}

/// Two halls joined by a corridor one cell wide and, far away, by one of five cells.
fn halls(with_detour: bool) -> Map {
    let mut walls = vec![[24, 0, 36, 19], [24, 20, 36, if with_detour { 50 } else { 60 }]];
    if with_detour {
        walls.push([24, 55, 36, 60]);
    }
    map(60, 60, &walls)
}

fn corridor<N: Numbers>(radius: f64) -> f64 {
    let mut stage = Stage::<N>::new(halls(true));
    let def = GroupDef { radius, ..GroupDef::default() };
    let group = stage.group(def, &[[15.0, 19.5]]);
    stage.send(group, disc(50.0, 19.5, 4.0));
    let mut middle = f64::NAN;
    for _ in 0..1_600 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
        let [x, y] = stage.one().pos;
        if (29.0..31.0).contains(&x) {
            middle = y;
        }
        let narrow = (25.0..35.0).contains(&x) && y < 49.0;
        assert!(!narrow || radius < 0.5, "radius {radius} in the narrow corridor at ({x}, {y})");
    }
    assert!(stage.all_arrived(), "radius {radius}: {:?}", stage.one());
    middle
}

#[test]
fn a_corridor_narrower_than_the_agent_is_not_entered() {
    for (radius, expected) in [(0.3, 19.5), (0.7, 52.5), (1.4, 52.5)] {
        for middle in [corridor::<f32>(radius), corridor::<Fx>(radius)] {
            assert!((middle - expected).abs() < 2.5, "radius {radius} passes at y = {middle}");
        }
    }
}

fn a_goal_behind_a_corridor_too_narrow_is_unreachable<N: Numbers>() {
    let mut stage = Stage::<N>::new(halls(false));
    let wide = GroupDef { radius: 0.7, ..GroupDef::default() };
    let wide = stage.group(wide, &[[15.0, 19.5]]);
    let thin = stage.group(GroupDef::default(), &[[15.0, 22.5]]);
    let goal = disc(50.0, 19.5, 4.0);
    let outcome = stage.order(Order::Move { group: wide, goal: goal.clone() });
    assert_eq!(outcome, Outcome::Refused(Refusal::Unreachable));
    assert_eq!(stage.order(Order::Move { group: thin, goal }), Outcome::Done { agents: 1 });
}

/// A crowd presses through doors into a corner; the guard is the last word, so centres stay out of
/// walls even when thousands push.
fn a_pressed_crowd_stays_out_of_the_walls<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(48, 48, &[[20, 0, 22, 22], [20, 25, 22, 48]]));
    let def = GroupDef { speed: 3.0, acceleration: 20.0, separation: 0.0, ..GroupDef::default() };
    let group = stage.world.add_group(def).unwrap();
    stage.order(Order::Spawn { group, area: rect(1.0, 1.0, 19.0, 47.0), count: 1_800 });
    stage.send(group, vec![Shape::Point { at: [47.5, 47.5] }]);
    for _ in 0..600 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
    }
    let through = stage.bodies().iter().filter(|body| body.pos[0] > 22.0).count();
    assert!(through > 100, "{through} are through the door");
}

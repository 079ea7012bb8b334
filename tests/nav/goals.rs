//! Goals fill: evenly, agents that are said to have arrived are inside, and one that is too small says so.

use crate::common::stage::{Stage, map, point, rect};
use throng::GroupId;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::world::{CompanyDef, Formation, GroupDef, Order, World, state};

/// Side of the cells in which agents are counted, metres.
const SIDE: f64 = 4.0;

/// How a goal has filled.
#[derive(Debug)]
struct Filling {
    agents: usize,
    arrived: usize,
    overflowed: usize,
    settled: usize,
    /// Agents said to have arrived that are farther outside than a radius.
    outside: usize,
    /// Agents per m² in the cells that lie inside with all their neighbours.
    mean: f64,
    most: f64,
    /// Standard deviation over mean.
    spread: f64,
    empty: f64,
}

fn contains(shapes: &[Shape], [x, y]: [f64; 2]) -> bool {
    shapes.iter().any(|shape| shape.contains(x, y))
}

/// How the goal of a group has filled.
fn filling<N: Numbers>(world: &World<N>, group: GroupId, goal: &[Shape]) -> Filling {
    let radius = world.groups()[usize::from(group)].def.radius;
    let map = world.map();
    let size = map.cell_size();
    let open = |at: [f64; 2]| {
        map.cell_at(at[0], at[1]).is_some_and(|cell| map.slowness()[cell as usize] > 0)
    };
    let columns = (f64::from(map.width()) * size / SIDE).ceil() as usize;
    let rows = (f64::from(map.height()) * size / SIDE).ceil() as usize;
    let mut counts = vec![0_u32; columns * rows];
    let mut found = Filling {
        agents: 0,
        arrived: 0,
        overflowed: 0,
        settled: 0,
        outside: 0,
        mean: 0.0,
        most: 0.0,
        spread: 0.0,
        empty: 0.0,
    };
    for (tag, pos) in world.tags().iter().zip(world.positions()) {
        if tag.group != group.index() {
            continue;
        }
        let [x, y] = pos.map(N::to_f64);
        found.agents += 1;
        found.arrived += usize::from(tag.state & state::ARRIVED != 0);
        found.settled += usize::from(tag.state & state::SETTLED != 0);
        found.overflowed += usize::from(tag.has_overflowed());
        // A goal is made of whole cells of the map, so its edge may be a cell out.
        let reach = radius + size;
        let near = (0..16).any(|i| {
            let (dx, dy) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][i % 4];
            let far = reach * (i / 4) as f64 / 3.0;
            contains(goal, [x + dx * far, y + dy * far])
        });
        found.outside += usize::from(tag.state & state::ARRIVED != 0 && !near);
        counts[(y / SIDE) as usize * columns + (x / SIDE) as usize] += 1;
    }
    let is_in = |column: i64, row: i64| {
        (0..9).all(|i| {
            let at = [column as f64 + f64::from(i % 3) * 0.5, row as f64 + f64::from(i / 3) * 0.5];
            let at = at.map(|c| c * SIDE);
            contains(goal, at) && open(at)
        })
    };
    let mut densities = Vec::new();
    for row in 0..rows as i64 {
        for column in 0..columns as i64 {
            if (0..9).all(|i| is_in(column + i % 3 - 1, row + i / 3 - 1)) {
                let count = counts[row as usize * columns + column as usize];
                densities.push(f64::from(count) / (SIDE * SIDE));
            }
        }
    }
    let cells = densities.len().max(1) as f64;
    found.mean = densities.iter().sum::<f64>() / cells;
    let squares = densities.iter().map(|d| (d - found.mean) * (d - found.mean)).sum::<f64>();
    found.spread = (squares / cells).sqrt() / found.mean;
    found.most = densities.iter().copied().fold(0.0, f64::max);
    found.empty = densities.iter().filter(|&&d| d == 0.0).count() as f64 / cells;
    found
}

fn block([x, y]: [f64; 2], columns: u32, rows: u32, gap: f64) -> Vec<[f64; 2]> {
    let place = |i| [x + f64::from(i % columns) * gap, y + f64::from(i / columns) * gap];
    (0..columns * rows).map(place).collect()
}

/// Ticks until no agent has moved for a second, at most so often.
fn until_still<N: Numbers>(stage: &mut Stage<N>, most: u32) -> Option<u32> {
    let mut still = 0;
    for ticks in 0..most {
        let rests = stage.world.velocities().iter().all(|vel| *vel == [N::ZERO; 2]);
        let done = stage.world.tags().iter().all(|tag| tag.is_done());
        still = if rests && done { still + 1 } else { 0 };
        if still == stage.world.settings().tick_rate {
            return Some(ticks);
        }
        stage.tick();
    }
    None
}

/// A crowd that has come to rest is told the same every second.
fn stays_when_told_again<N: Numbers>(goal: &[Shape]) {
    let mut stage = Stage::<N>::new(map(80, 60, &[]));
    let group = stage.group(GroupDef::default(), &block([4.0, 16.0], 20, 25, 1.0));
    stage.send(group, goal.to_vec());
    until_still(&mut stage, 4_000).expect("the crowd comes to rest");
    let before = stage.bodies();
    for _ in 0..20 {
        stage.send(group, goal.to_vec());
        for _ in 0..19 {
            stage.tick();
            let moving = stage.bodies().iter().filter(|body| body.speed() > 0.0).count();
            assert_eq!(moving, 0, "agents move after an order that says nothing new");
        }
    }
    assert!(before == stage.bodies(), "an order that says nothing new changed somebody");
    stage.send(group, rect(4.0, 16.0, 24.0, 41.0));
    stage.tick();
    assert_eq!(stage.world.arrived(), 0, "another goal is another order");
}

#[test]
fn the_same_order_again_moves_nobody() {
    stays_when_told_again::<f32>(&rect(45.0, 15.0, 75.0, 45.0));
    stays_when_told_again::<f32>(&point(60.0, 30.0));
    stays_when_told_again::<Fx>(&point(60.0, 30.0));
}

/// How many of 600 arrive, of which 100 come late, while the order is given every second.
fn arrive_when_told_again(avoid_crowds: bool) -> u32 {
    let mut stage = Stage::<f32>::new(map(80, 60, &[]));
    let def = GroupDef { avoid_crowds, ..GroupDef::default() };
    let group = stage.group(def, &block([4.0, 16.0], 20, 25, 1.0));
    for second in 0..120 {
        stage.send(group, rect(45.0, 15.0, 75.0, 45.0));
        (0..19).for_each(|_| stage.tick());
        if second == 40 {
            stage.world.spawn(group, &block([4.0, 2.0], 20, 5, 1.0)).unwrap();
        }
    }
    let settled = stage.bodies().iter().filter(|body| body.state & state::SETTLED != 0).count();
    assert!(settled >= 594, "newcomers are sent, and come to rest: {settled} of 600");
    stage.world.arrived() as u32
}

#[test]
fn the_same_order_again_lets_a_crowd_arrive() {
    assert_eq!(arrive_when_told_again(false), 600);
    // Around the settled ones they come from all sides; one may stand on the edge of the area.
    assert!(arrive_when_told_again(true) >= 599);
}

#[test]
fn the_same_order_again_to_a_company_moves_nobody() {
    for formation in [None, Some(Formation::Line)] {
        let mut stage = Stage::<f32>::new(map(80, 60, &[]));
        let group = stage.group(GroupDef::default(), &block([4.0, 16.0], 10, 10, 1.0));
        let def = CompanyDef { groups: vec![group], formation, ..CompanyDef::default() };
        let company = stage.world.add_company(def).unwrap();
        let order = || Order::MoveCompany { company, goal: rect(45.0, 15.0, 75.0, 45.0) };
        stage.order(order());
        until_still(&mut stage, 4_000).expect("the company comes to rest");
        let before = stage.bodies();
        for _ in 0..10 {
            stage.order(order());
            (0..19).for_each(|_| stage.tick());
        }
        assert!(before == stage.bodies(), "{formation:?}: somebody has moved or changed");
    }
}

/// Agents said to have arrived that are outside of a goal by more than a radius.
fn arrived_outside<N: Numbers>(stage: &Stage<N>, goal: &[Shape], radius: f64) -> usize {
    let bodies = stage.bodies().into_iter().filter(|body| body.has_arrived());
    let near = |[x, y]: [f64; 2]| {
        let reach = radius + 1e-3;
        let sides = [[reach, 0.0], [-reach, 0.0], [0.0, reach], [0.0, -reach], [0.0, 0.0]];
        sides.iter().any(|[dx, dy]| contains(goal, [x + dx, y + dy]))
    };
    bodies.filter(|body| !near(body.pos)).count()
}

#[test]
fn who_has_arrived_is_inside_of_a_goal_with_walls() {
    // Three rooms with doors in turn at the top and at the bottom.
    let walls = [[40, 10, 41, 40], [50, 14, 51, 50], [60, 10, 61, 46], [30, 20, 31, 40]];
    let goal = rect(35.0, 10.0, 70.0, 50.0);
    let mut stage = Stage::<f32>::new(map(90, 60, &walls));
    let group = stage.group(GroupDef::default(), &block([3.0, 10.0], 25, 40, 0.9));
    stage.send(group, goal.clone());
    for tick in 0..6_000 {
        stage.tick();
        assert_eq!(arrived_outside(&stage, &goal, 0.3), 0, "tick {tick}");
    }
    assert_eq!(stage.world.arrived(), 1_000);
    let settled = stage.bodies().iter().filter(|body| body.state & state::SETTLED != 0).count();
    assert!(settled >= 990, "{settled} of 1,000 have settled");
}

#[test]
fn who_is_moved_out_of_its_goal_is_under_way_again() {
    let goal = rect(40.0, 10.0, 60.0, 30.0);
    let mut stage = Stage::<f32>::new(map(90, 40, &[]));
    let group = stage.group(GroupDef::default(), &block([10.0, 10.0], 10, 20, 1.0));
    stage.send(group, goal.clone());
    until_still(&mut stage, 4_000).expect("the crowd comes to rest");
    assert_eq!(stage.world.arrived(), 200);
    // A wall over the goal's left edge moves agents that stand there out.
    let area = rect(36.0, 10.0, 43.0, 30.0);
    stage.order(Order::Build { area: area.clone() });
    stage.tick();
    assert_eq!(arrived_outside(&stage, &goal, 0.3), 0);
    let arrived = stage.world.arrived();
    assert!(arrived < 200, "{arrived}");
    stage.order(Order::Demolish { area });
    for _ in 0..2_000 {
        stage.tick();
        assert_eq!(arrived_outside(&stage, &goal, 0.3), 0);
    }
    assert_eq!(stage.world.arrived(), 200, "they have come back");
}

#[test]
fn too_small_a_goal_overflows_evenly_and_says_so() {
    let goal = rect(44.0, 24.0, 56.0, 36.0);
    let mut stage = Stage::<f32>::new(map(100, 60, &[]));
    let group = stage.group(GroupDef::default(), &block([4.0, 5.0], 20, 50, 0.9));
    stage.send(group, goal.clone());
    let ticks = until_still(&mut stage, 6_000);
    let found = filling(&stage.world, group, &goal);
    eprintln!("at rest after {ticks:?} ticks: {found:?}");
    assert!(ticks.is_some(), "{found:?}");
    let room = stage.world.groups()[usize::from(group)].goal_room().unwrap() as usize;
    let (arrived, overflowed) = (stage.world.arrived(), stage.world.overflowed());
    assert_eq!(arrived + overflowed, 1_000);
    assert!(arrived.abs_diff(room) * 20 <= room, "{arrived} arrived, room for {room}");
    assert_eq!(arrived_outside(&stage, &goal, 0.3), 0);
    // As many on every side, about.
    let mut sides = [0_usize; 4];
    for body in stage.bodies().iter().filter(|body| !body.has_arrived()) {
        let [x, y] = [body.pos[0] - 50.0, body.pos[1] - 30.0];
        let side = match (x.abs() > y.abs(), x > 0.0, y > 0.0) {
            (true, right, _) => usize::from(right),
            (false, _, below) => 2 + usize::from(below),
        };
        sides[side] += 1;
        assert!(x.abs().max(y.abs()) < 16.0, "somebody stands far off, at {:?}", body.pos);
    }
    let share = overflowed / 4;
    assert!(sides.iter().all(|&side| side.abs_diff(share) * 4 < share), "{sides:?}");
}

#[test]
fn a_goal_with_room_has_room_for_all() {
    let goal = rect(40.0, 10.0, 80.0, 50.0);
    let mut stage = Stage::<f32>::new(map(100, 60, &[]));
    let group = stage.group(GroupDef::default(), &block([4.0, 15.0], 20, 20, 0.9));
    assert_eq!(stage.world.groups()[usize::from(group)].goal_room(), None);
    stage.send(group, goal.clone());
    until_still(&mut stage, 4_000).expect("the crowd comes to rest");
    assert!(stage.world.groups()[usize::from(group)].goal_room().unwrap() >= 400);
    assert_eq!((stage.world.arrived(), stage.world.overflowed()), (400, 0));
}

#[test]
fn a_goal_reached_through_doors_fills_evenly() {
    // A hall, a wall with three doors, and a goal behind it.
    let walls = [[48, 0, 50, 10], [48, 14, 50, 28], [48, 33, 50, 46], [48, 51, 50, 60]];
    let goal = rect(56.0, 2.0, 98.0, 58.0);
    let mut stage = Stage::<f32>::new(map(100, 60, &walls));
    let def = GroupDef { radius: 0.25, ..GroupDef::default() };
    let group = stage.group(def, &block([3.0, 3.0], 42, 60, 0.9));
    stage.send(group, goal.clone());
    let done = |stage: &Stage<f32>| stage.world.arrived() * 100 >= stage.world.len() * 99;
    let ticks = stage.until(6_000, done);
    let found = filling(&stage.world, group, &goal);
    eprintln!("after {ticks:?} ticks: {found:?}");
    assert!(ticks.is_some(), "{found:?}");
    (0..600).for_each(|_| stage.tick());
    let found = filling(&stage.world, group, &goal);
    eprintln!("half a minute on: {found:?}");
    assert!(found.spread <= 0.2, "{found:?}");
    assert!(found.most <= 3.2 && found.empty == 0.0 && found.outside == 0, "{found:?}");
}

//! Routes around crowds: a queue is left for a longer, freer way, and nothing else is.

use crate::common::crowd::Case;
use crate::common::stage::{Stage, disc, map, rect};
use crate::common::terrain::Random;
use crate::common::{oracle, terrain};
use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::nav::field::{CrowdCosts, GoalCells, direction, solve, solve_around};
use throng::replay::{Recorder, Replay, verify};
use throng::scenario::{Overrides, Plan};
use throng::state;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};
use throng::{GroupId, Simulation};

in_both!(
    a_queue_is_left_for_a_longer_freer_way,
    without_a_crowd_routes_are_the_same,
    the_raster_is_the_naive_count,
    digests_are_the_same_for_threads_and_lanes,
    replays_verify,
    a_crowd_uses_the_width_of_a_corner
);

/// The shipped scenario, with crowd costs or without.
fn two_routes(avoid_crowds: bool) -> Case {
    let plan = Plan::load("two_routes", &Overrides::default()).unwrap();
    let (map, settings, ticks) = (plan.map.clone(), plan.settings, plan.ticks);
    let orders = move |at, _: &_| {
        let set = |order: &Order| match order {
            Order::Group { def } => Order::Group { def: GroupDef { avoid_crowds, ..def.clone() } },
            other => other.clone(),
        };
        plan.orders_at(at).map(set).collect()
    };
    Case { name: "two_routes", map, settings, ticks, orders: Box::new(orders) }
}

/// How a run through two routes went.
#[derive(Debug)]
struct Run {
    /// Seconds until 99 % and until all had arrived.
    most: f64,
    last: f64,
    /// Agents whose last way across the wall was the short one, and the long one.
    short: usize,
    long: usize,
}

/// Runs two routes until all have arrived.
fn run<N: Numbers>(avoid_crowds: bool) -> Run {
    let case = two_routes(avoid_crowds);
    let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut scratch = Scratch::new();
    let mut by_long = vec![None; 1_200];
    let mut past = vec![[0.0; 2]; 1_200];
    let (mut most, mut last) = (None, None);
    // All through one door takes longer than the scenario lasts.
    for at in 0..20_000 {
        tick(&mut world, &(case.orders)(at, &Vec::new()), &mut scratch);
        for (tag, pos) in world.tags().iter().zip(world.positions()) {
            let (id, [x, y]) = (tag.id as usize, pos.map(N::to_f64));
            if past[id][0] < 70.0 && x >= 70.0 && at > 0 {
                by_long[id] = Some(y > 40.0);
            }
            past[id] = [x, y];
        }
        let seconds = (at + 1) as f64 * world.dt();
        most = most.or((world.arrived() >= 1_188).then_some(seconds));
        last = (world.arrived() == 1_200).then_some(seconds);
        if last.is_some() {
            break;
        }
    }
    state::validate(&world).unwrap();
    let took = |long| by_long.iter().filter(|way| **way == Some(long)).count();
    let (most, last) = (most.expect("99 % arrive"), last.expect("all arrive"));
    Run { most, last, short: took(false), long: took(true) }
}

fn a_queue_is_left_for_a_longer_freer_way<N: Numbers>() {
    let (off, on) = (run::<N>(false), run::<N>(true));
    assert!(off.short >= 1_190, "without crowd costs nearly all take the short way: {off:?}");
    assert!(on.short >= 120 && on.long >= 120, "with them both ways are used: {on:?}");
    assert_eq!(on.short + on.long, 1_200);
    assert!(on.most <= 0.75 * off.most && on.last <= 0.75 * off.last, "{on:?}, off {off:?}");
}

/// A group with the default settings.
fn avoiding() -> GroupDef {
    GroupDef::default()
}

/// Where there is no crowd, routes are the same to the bit.
fn without_a_crowd_routes_are_the_same<N: Numbers>() {
    let ways = [false, true].map(|avoid_crowds| {
        let mut stage = Stage::<N>::new(map(60, 40, &[[28, 8, 32, 30]]));
        let def = GroupDef { avoid_crowds, ..GroupDef::default() };
        let starts = [[5.0, 10.0], [6.0, 20.0], [4.0, 30.0]];
        let group = stage.group(def, &starts);
        stage.send(group, disc(52.0, 20.0, 4.0));
        let mut ways = Vec::new();
        for _ in 0..900 {
            stage.tick();
            ways.push(stage.bodies());
        }
        assert!(stage.all_arrived());
        assert!(stage.world.crowding().costs().is_free());
        (ways, stage.world.crowding().block())
    });
    assert!(ways[0].0 == ways[1].0, "crowd costs change a route where there is no crowd");
    assert_eq!((ways[0].1, ways[1].1), (0, 1), "and nothing is counted where nobody asks");
}

/// A lone walker from left to right past a block of 14 m × 14 m, whose upper edge lies 2 m above the
/// straight way: how far from that way it gets.
fn detour<N: Numbers>(block_walks: bool, avoid_crowds: bool) -> f64 {
    let mut stage = Stage::<N>::new(map(80, 60, &[]));
    let walker = stage.group(GroupDef { avoid_crowds, ..GroupDef::default() }, &[[6.5, 30.5]]);
    let places: Vec<[f64; 2]> = (0..20 * 20)
        .map(|i| [33.0 + 0.7 * f64::from(i % 20), 28.0 + 0.7 * f64::from(i / 20)])
        .collect();
    let block = stage.group(GroupDef { hold: !block_walks, ..GroupDef::default() }, &places);
    if block_walks {
        stage.send(block, rect(52.0, 24.0, 78.0, 58.0));
    }
    stage.send(walker, disc(74.5, 30.5, 3.0));
    let mut farthest = 0.0_f64;
    for _ in 0..1_400 {
        stage.tick();
        let walker = stage.bodies()[0];
        if walker.pos[0] < 50.0 {
            farthest = farthest.max((walker.pos[1] - 30.5).abs());
        }
    }
    // No walker gets through agents that hold, 0.1 m apart.
    let gets_there = block_walks || avoid_crowds;
    let body = stage.bodies()[0];
    assert!(body.has_arrived() || !gets_there, "{block_walks} {avoid_crowds}: {body:?}");
    farthest
}

#[test]
fn a_walker_goes_around_a_standing_block_and_not_around_one_that_walks() {
    for detours in [
        [detour::<f32>(false, true), detour::<f32>(true, true), detour::<f32>(true, false)],
        [detour::<Fx>(false, true), detour::<Fx>(true, true), detour::<Fx>(true, false)],
    ] {
        let [standing, walking, plain] = detours;
        assert!(standing > 2.0, "around the block: {detours:?}");
        assert!(walking < 1.8 && plain < 0.1, "behind a block that walks: {detours:?}");
    }
}

/// How often agents turn back: changes between going up and going down by two metres or more,
/// while still before the wall.
fn reversals<N: Numbers>(agents: usize) -> Vec<u32> {
    let walls = [[60, 0, 62, 18], [60, 20, 62, 60], [60, 62, 62, 80]];
    let mut stage = Stage::<N>::new(map(100, 80, &walls));
    let place = |i: usize| [34.5 - 0.9 * (i % 30) as f64, 40.0 + 0.9 * ((i / 30) as f64 - 9.5)];
    let places: Vec<_> = (0..agents).map(place).collect();
    let group = stage.group(avoiding(), &places);
    stage.send(group, rect(70.0, 2.0, 98.0, 78.0));
    let mut turned = vec![0; agents];
    let mut corner: Vec<[f64; 2]> = places.iter().map(|at| [at[1], 0.0]).collect();
    for _ in 0..6_000 {
        stage.tick();
        for (i, body) in stage.bodies().iter().enumerate() {
            let [from, way] = &mut corner[i];
            let moved = body.pos[1] - *from;
            if body.pos[0] > 58.0 {
                continue;
            }
            if moved * *way >= 0.0 && moved.abs() >= 2.0 {
                (*from, *way) = (body.pos[1], moved);
            } else if moved * *way < 0.0 && moved.abs() >= 2.0 {
                turned[i] += 1;
                (*from, *way) = (body.pos[1], moved);
            }
        }
        if stage.all_arrived() {
            return turned;
        }
    }
    panic!("not all arrive");
}

#[test]
fn nobody_turns_back_and_forth_between_equal_ways() {
    for turned in [reversals::<f32>(1), reversals::<Fx>(1)] {
        assert_eq!(turned, [0]);
    }
    for turned in [reversals::<f32>(600), reversals::<Fx>(600)] {
        let mean = f64::from(turned.iter().sum::<u32>()) / 600.0;
        let most = turned.iter().max().unwrap();
        assert!(mean < 0.8 && *most <= 8, "{mean} turns an agent, at most {most}");
    }
}

/// The formula of the costs, block by block and agent by agent.
fn naive<N: Numbers>(stage: &Stage<N>, past: &[[f64; 2]], kept: &mut [u32]) -> Vec<u8> {
    let world = &stage.world;
    let (map, seconds) = (world.map(), world.dt() * f64::from(world.settings().crowding_ticks));
    let (stride, n) = (map.stride() as usize, map.slowness().len());
    let mut sums = vec![[0_i64; 3]; n];
    for (row, pos) in world.positions().iter().enumerate() {
        let pos = pos.map(N::to_f64);
        let cell = map.cell_at(pos[0], pos[1]).unwrap() as usize;
        let tag = world.tags()[row];
        let group = &world.groups()[usize::from(tag.group)];
        let from = past[tag.id as usize];
        let delta = [pos[0] - from[0], pos[1] - from[1]];
        let field = group.field().filter(|_| tag.state & throng::world::state::PLACED == 0);
        let field = field.and_then(|id| world.fields().directions(id));
        let mut radius = group.def.radius;
        let way = match field.and_then(|field| direction::unpack(field[cell])) {
            Some((x, y)) => {
                radius *= 2.0;
                (delta[0] * f64::from(x) + delta[1] * f64::from(y)) / 16_384.0
            }
            None => (delta[0] * delta[0] + delta[1] * delta[1]).sqrt(),
        };
        let area = (std::f64::consts::PI * 1024.0 * radius * radius) as i64;
        let share = way / (group.def.speed * seconds);
        let moving = (area * ((256.0 * share).clamp(-256.0, 256.0) as i64)) >> 8;
        for dy in [n - stride, 0, stride] {
            for dx in [n - 1, 0, 1] {
                let sum = &mut sums[(cell + dx + dy) % n];
                (sum[0], sum[1]) = (sum[0] + area, sum[1] + moving);
            }
        }
    }
    for cell in (0..n).filter(|&cell| map.slowness()[cell] > 0) {
        for dy in [n - stride, 0, stride] {
            for dx in [n - 1, 0, 1] {
                sums[(cell + dx + dy) % n][2] += 1024;
            }
        }
    }
    for (at, kept) in kept.iter_mut().enumerate() {
        let [area, moving, open] = sums[at];
        let padding = at < stride || at >= n - stride || at % stride == 0 || (at + 1) % stride == 0;
        let mut cost = 0;
        if !padding && area > 0 && open > 0 {
            let dense = (((area * 256 / open).min(96) - 32).max(0)) * 4;
            let slow = 256 - (moving * 256).div_euclid(area).clamp(0, 256);
            cost = (4096 / (256 - dense * slow / 256).max(16) - 16).min(240) as u32;
        }
        *kept = *kept / 2 + 128 * cost;
    }
    kept.iter().map(|&kept| if kept < 1024 { 0 } else { (kept / 256) as u8 }).collect()
}

fn the_raster_is_the_naive_count<N: Numbers>() {
    let settings =
        Settings { crowding_ticks: 10, field_cells_per_tick: 900, ..Settings::default() };
    let walls = [[30, 0, 32, 14], [30, 16, 32, 40]];
    let mut stage = Stage::<N>::with(map(50, 40, &walls), settings);
    let place = |i: u32| [2.0 + 0.65 * f64::from(i % 40), 5.0 + 0.65 * f64::from(i / 40)];
    let group = stage.group(avoiding(), &(0..600).map(place).collect::<Vec<_>>());
    let wide = GroupDef { radius: 0.6, ..GroupDef::default() };
    let block = stage
        .group(wide, &(0..9).map(|i| [20.0 + 1.3 * f64::from(i) - 6.0, 36.0]).collect::<Vec<_>>());
    assert_eq!(block, GroupId::new(1));
    // The tick of the order remembers where all agents are.
    let places = |stage: &Stage<N>| stage.bodies().iter().map(|body| body.pos).collect::<Vec<_>>();
    let mut past = places(&stage);
    stage.send(group, rect(36.0, 4.0, 48.0, 36.0));
    let mut kept = vec![0; stage.world.map().slowness().len()];
    let (mut crowded, mut counts) = (0, 0);
    for _ in 0..400 {
        // The next tick counts the agents as they stand before it.
        if !stage.world.tick_count().is_multiple_of(10) {
            stage.tick();
            continue;
        }
        let expected = naive(&stage, &past, &mut kept);
        past = places(&stage);
        stage.tick();
        let found = stage.world.crowding().costs().extra();
        if found.is_empty() {
            assert!(expected.iter().all(|&cost| cost == 0), "a crowd is missed");
        } else {
            assert!(found == expected, "at tick {}", stage.world.tick_count() - 1);
        }
        crowded += expected.iter().filter(|&&cost| cost > 40).count();
        counts += 1;
    }
    assert!(crowded > 500 && counts > 30, "{crowded} crowded blocks in {counts} counts");
}

/// Costs from a seed, on blocks of so many cells.
fn random_costs(random: &mut Random, map: &Map, block: u32) -> CrowdCosts {
    let (stride, rows) = (map.width().div_ceil(block) + 2, map.height().div_ceil(block) + 2);
    let mut extra = vec![0_u8; (stride * rows) as usize];
    for y in 1..rows - 1 {
        for x in 1..stride - 1 {
            let cost = if random.below(3) == 0 { 0 } else { random.below(241) as u8 };
            extra[(y * stride + x) as usize] = cost;
        }
    }
    let mut costs = CrowdCosts::default();
    costs.set(block, stride, extra.into_iter());
    costs
}

#[test]
fn a_field_around_crowds_is_the_oracle_s() {
    let mut random = Random(7);
    let (mut crowded, mut reached) = (0, 0);
    for _ in 0..300 {
        let map = terrain::small(&mut random, 24);
        let class = map.class(0.4);
        let share = random.below(1000);
        let Some(cell) = terrain::passable_cell(class.slowness(), share) else { continue };
        let block = 1 + random.below(4);
        let costs = random_costs(&mut random, &map, block);
        let area = vec![cell, cell + 1, cell + map.stride()];
        let goals = GoalCells::new(vec![cell], area);
        // The same map with the costs painted on, except in the goal's area.
        let stride = map.width().div_ceil(block) + 2;
        let mut painted = Vec::new();
        for y in 0..map.height() {
            for x in 0..map.width() {
                let own = u32::from(map.slowness()[map.index(x, y) as usize]);
                let at = (y / block + 1) * stride + x / block + 1;
                let extra = costs.extra().get(at as usize).map_or(0, |&extra| u32::from(extra));
                let free = goals.area().contains(&map.index(x, y));
                let all = if free { own } else { (own + own * extra / 16).min(255) };
                crowded += u32::from(all > own);
                painted.push(all as u8);
            }
        }
        let painted = Map::from_slowness(map.width(), map.height(), 1.0, &painted);
        let expected = oracle::eikonal(&painted.class(0.4), goals.seeds());
        let field = solve_around(&class, &goals, &costs);
        assert_eq!(field.distances, expected);
        reached += expected.iter().filter(|&&distance| distance != i32::MAX).count();
        let stride = map.stride() as usize;
        let mut directions = vec![direction::SOLID; expected.len()];
        let inner = stride..expected.len() - stride;
        direction::write_rows(&expected, map.stride(), 1, &mut directions[inner]);
        for (cell, (found, expected)) in field.directions.iter().zip(&directions).enumerate() {
            let found =
                if *found == direction::SOLID { *found } else { *found & !direction::GOAL_AREA };
            if !costs.is_free() {
                assert_eq!(found, *expected, "cell {cell}");
            }
        }
    }
    assert!(crowded > 10_000 && reached > 10_000, "{crowded} crowded cells, {reached} reached");
}

#[test]
fn no_crowd_gives_the_plain_field() {
    let map = terrain::rooms(96, 2);
    let class = map.class(0.4);
    let goals = GoalCells::point(terrain::passable_cell(class.slowness(), 400).unwrap());
    let mut costs = CrowdCosts::default();
    costs.set(1, map.stride(), map.slowness().iter().map(|_| 0));
    assert!(costs.is_free());
    assert_eq!(solve_around(&class, &goals, &costs), solve(&class, &goals));
}

/// Two groups that avoid crowds, one that does not, and one that changes its mind, at a choke.
fn choke() -> Case {
    let walls = [[40, 0, 43, 12], [40, 14, 43, 46], [40, 52, 43, 60]];
    let area = |x: f64, y: f64| vec![Shape::Rect { min: [x, y], max: [x + 30.0, y + 25.0] }];
    let orders = move |at, _: &_| match at {
        0 => {
            let plain = GroupDef { radius: 0.4, ..GroupDef::default() };
            let mut orders: Vec<Order> =
                [avoiding(), avoiding(), plain].map(|def| Order::Group { def }).into();
            for (group, [x, y]) in [(0, [3.0, 3.0]), (1, [3.0, 30.0]), (2, [55.0, 3.0])] {
                orders.push(Order::Spawn {
                    group: GroupId::new(group),
                    area: area(x, y),
                    count: 350,
                });
            }
            let goals = [[55.0, 3.0], [55.0, 30.0], [3.0, 3.0]];
            orders.extend((0..).zip(goals).map(|(group, [x, y])| Order::Move {
                group: GroupId::new(group),
                goal: area(x, y),
            }));
            orders
        }
        250 => vec![Order::Move { group: GroupId::new(1), goal: area(55.0, 3.0) }],
        300 => vec![Order::Spawn { group: GroupId::new(0), area: area(3.0, 30.0), count: 40 }],
        400 => vec![Order::Remove { group: GroupId::new(2), area: None }],
        _ => Vec::new(),
    };
    let settings =
        Settings { crowding_ticks: 12, field_cells_per_tick: 2_000, ..Settings::default() };
    Case { name: "choke", map: map(88, 60, &walls), settings, ticks: 480, orders: Box::new(orders) }
}

fn digests_are_the_same_for_threads_and_lanes<N: Numbers>() {
    let case = choke();
    let expected = case.digests::<N::Wide>(1);
    for threads in [2, 3, 8] {
        assert!(case.digests::<N::Wide>(threads) == expected, "{threads} threads");
    }
    for threads in [1, 3] {
        assert!(case.digests::<N::Single>(threads) == expected, "one lane, {threads} threads");
    }
    let mut other = choke();
    other.settings.crowding_ticks = 13;
    let digests = other.digests::<N::Wide>(2);
    let differs = digests.iter().zip(&expected).position(|(a, b)| a != b);
    assert!(differs.is_some_and(|at| at <= 12), "the digest sees the first count: {differs:?}");
}

fn renewed<L: Lane>() -> usize {
    let (mut fields, mut crowded) = (std::collections::BTreeSet::new(), 0);
    choke().run::<L>(|world| {
        fields.extend(world.groups().iter().filter_map(|group| group.field()));
        crowded += usize::from(!world.crowding().costs().is_free());
        let bytes = world.fields().bytes();
        assert!(bytes <= 8 * world.fields().field_bytes(), "past fields are used again: {bytes}");
    });
    assert!(crowded > 100, "{crowded} ticks with a crowd");
    fields.len()
}

#[test]
fn fields_are_renewed_in_the_same_memory() {
    let fields = renewed::<<f32 as Numbers>::Wide>();
    assert!(fields > 25, "{fields} fields");
}

fn replays_verify<N: Numbers>() {
    let case = choke();
    let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut recorder = Recorder::start(&world, case.name, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..case.ticks {
        let orders = (case.orders)(at, &Vec::new());
        tick(&mut world, &orders, &mut scratch);
        recorder.tick(&world, &orders).unwrap();
        if at == 310 {
            // A copy goes on alike, with new scratch memory.
            world = world.clone();
            scratch = Scratch::new();
        }
    }
    let mut replay = Replay::read(&recorder.finish().unwrap()).unwrap();
    let verdict = verify(&replay, |_| ()).unwrap();
    assert_eq!((verdict.difference, verdict.digest), (None, state::digest(&world)));
    replay.header.settings.crowding_ticks += 1;
    let difference = verify(&replay, |_| ()).unwrap().difference.unwrap();
    assert_eq!(difference.columns, ["world.settings"], "a planted difference is found");
}

/// With memory for one field the group keeps its first one, and says nothing.
#[test]
fn a_full_cache_keeps_the_field() {
    let walls = [[30, 0, 32, 14], [30, 15, 32, 40]];
    let map = map(50, 40, &walls);
    let field_cache_bytes = 8 * map.slowness().len() as u64;
    let settings = Settings { field_cache_bytes, ..Settings::default() };
    let mut stage = Stage::<f32>::with(map, settings);
    let place = |i: u32| [2.0 + 0.7 * f64::from(i % 30), 5.0 + 0.7 * f64::from(i / 30)];
    let group = stage.group(avoiding(), &(0..300).map(place).collect::<Vec<_>>());
    stage.send(group, rect(36.0, 4.0, 48.0, 36.0));
    stage.until(20, |stage| stage.world.groups()[0].field().is_some()).unwrap();
    let field = stage.world.groups()[0].field();
    let mut crowded = false;
    for _ in 0..400 {
        stage.tick();
        assert_eq!(stage.world.groups()[0].field(), field);
        crowded |= !stage.world.crowding().costs().is_free();
    }
    assert!(crowded);
}

/// Two crowds change sides through two gates of 20 m, on cells of a metre and on cells of 5 m, as in
/// maps that are drawn by hand.
#[test]
fn crowds_pass_each_other_on_coarse_maps() {
    for cell in [1.0, 5.0] {
        let size = [120.0, 60.0].map(|metres: f64| (metres / cell) as u32);
        let is_wall = |i: u32, j: u32| {
            let [x, y] = [i, j].map(|c| f64::from(c) * cell);
            [40.0, 75.0].iter().any(|at| (*at..at + 5.0).contains(&x)) && !(20.0..40.0).contains(&y)
        };
        let cells = (0..size[1]).flat_map(|j| (0..size[0]).map(move |i| (i, j)));
        let cells: Vec<u8> = cells.map(|(i, j)| if is_wall(i, j) { 0 } else { 16 }).collect();
        let map = Map::from_slowness(size[0], size[1], cell, &cells);
        let mut sim = Simulation::<f32>::new(map, Settings::default()).unwrap();
        let sides = [[1.0, 1.0], [81.0, 1.0]].map(|[x, y]| Shape::rect([x, y], [x + 38.0, 59.0]));
        for (from, to) in [(0, 1), (1, 0)] {
            let group = sim.add_group(GroupDef::default()).unwrap();
            sim.spawn(group, sides[from].clone(), 1_000).unwrap();
            sim.send(group, sides[to].clone()).unwrap();
        }
        while sim.seconds() < 180.0 {
            sim.step();
        }
        assert!(sim.world().arrived() > 1_980, "cells of {cell} m: {}", sim.world().arrived());
    }
}

/// 500 agents around a corner in a corridor 20 m wide: after how many seconds all have come around it,
/// and how many of them came more than 5 m beside it.
fn corner<N: Numbers>(avoid_crowds: bool) -> (f64, usize) {
    let cells: Vec<u8> =
        (0..61 * 50).map(|i| if i % 50 >= 20 && i / 50 < 40 { 0 } else { 16 }).collect();
    let map = Map::from_slowness(50, 61, 1.0, &cells);
    let mut sim = Simulation::<N>::new(map, Settings::default()).unwrap();
    let group = sim.add_group(GroupDef { avoid_crowds, ..GroupDef::default() }).unwrap();
    sim.spawn(group, Shape::rect([0.0, 0.0], [20.0, 10.0]), 500).unwrap();
    sim.send(group, Shape::rect([48.0, 40.0], [50.0, 61.0])).unwrap();
    let mut outer = vec![false; 500];
    loop {
        sim.step();
        let world = sim.world();
        let mut around = 0;
        for (pos, tag) in world.positions().iter().zip(world.tags()) {
            let [x, y] = pos.map(|c| c.to_f64());
            around += usize::from(x > 24.0);
            outer[tag.id as usize] |= (20.0..24.0).contains(&x) && y > 45.0;
        }
        if around == 500 || sim.seconds() > 200.0 {
            return (sim.seconds(), outer.iter().filter(|outer| **outer).count());
        }
    }
}

/// A crowd that avoids crowds, as by default, uses the width of a corner.
fn a_crowd_uses_the_width_of_a_corner<N: Numbers>() {
    let ((off, _), (on, outer)) = (corner::<N>(false), corner::<N>(true));
    assert!(on < 0.75 * off && outer > 80, "{on} s for {off} s, {outer} of 500 on the outer side");
}

/// How often a group's field is new in 600 ticks on a map of a million cells: groups queue, others stand.
fn renewals([groups, others]: [u32; 2]) -> usize {
    let is_open = |i: u32, j: u32| {
        let elsewhere = (100..400).contains(&i) && (100..400).contains(&j);
        i < 50 && j < 40 && (i / 2 != 15 || j == 14) || elsewhere
    };
    let cells = (0..1_u32 << 20).map(|at| u8::from(is_open(at % 1_024, at / 1_024)) * 16);
    let map = Map::from_slowness(1_024, 1_024, 1.0, &cells.collect::<Vec<u8>>());
    let mut sim = Simulation::<f32>::new(map, Settings::default()).unwrap();
    for _ in 0..groups {
        let group = sim.add_group(GroupDef::default()).unwrap();
        sim.spawn(group, Shape::rect([2.0, 4.0], [28.0, 36.0]), 320 / groups).unwrap();
        sim.send(group, Shape::rect([36.0, 4.0], [48.0, 36.0])).unwrap();
    }
    let group = sim.add_group(GroupDef::default()).unwrap();
    sim.spawn(group, Shape::rect([101.0, 101.0], [399.0, 399.0]), others).unwrap();
    let mut fields = Vec::new();
    for _ in 0..600 {
        sim.step();
        fields.push(sim.world().groups()[0].field());
    }
    fields.dedup();
    fields.len()
}

/// On a large map groups of few agents ask more rarely than fewer groups do, or than groups of many.
#[test]
fn many_groups_of_few_agents_on_a_large_map_ask_more_rarely() {
    let [one, few_agents, many_agents] = [[1, 1], [4, 1], [4, 20_000]].map(renewals);
    assert!((15..=22).contains(&one) && (15..=22).contains(&many_agents), "{one}, {many_agents}");
    assert!((4..=6).contains(&few_agents), "{few_agents}");
}

//! Overlaps, walls, density, speed, lanes.

use proptest::prelude::*;
use throng::map::Map;
use throng::report::Crowd;
use throng::report::measure::{LaneOrder, Options, Walker, lane_order, wall_contact};

use crate::measures::{Agent, Bench, near};

#[test]
fn two_discs_overlap_by_a_tenth_of_a_metre() {
    let mut bench = Bench::new("");
    bench.tick(&[Agent::at(0, 10.0, 10.0), Agent::at(1, 10.5, 10.0)]);
    bench.tick(&[Agent::at(0, 10.0, 10.0), Agent::at(1, 10.65, 10.0)]);
    bench.tick(&[Agent::at(0, 10.0, 10.0), Agent::at(1, 10.7, 10.0).of(1)]);
    let report = bench.measures.report();
    near(report.overlap.max_m, 0.1, 1e-6);
    near(report.overlap.max_radii, 1.0 / 3.0, 1e-5);
    assert_eq!(report.overlap.max_pairs, 1);
    assert_eq!(report.series.overlapping_pairs, [1, 0, 1]);
    assert_eq!(report.series.max_overlap_m[1], 0.0);
    near(report.series.max_overlap_m[2], 0.1, 1e-6);
}

#[test]
fn the_press_is_a_series() {
    let mut bench = Bench::new("");
    // A look is every other tick, at the first, the third and so on.
    let agents = |x: f64, y: f64| {
        [Agent::at(0, 10.0, 10.0), Agent::at(1, 10.0 + x, 10.0), Agent::at(7, 10.0, 10.0 - y).of(1)]
    };
    for [x, y] in [[0.7, 1.0], [0.5, 1.0], [0.2, 1.0], [0.2, 0.1], [0.2, 0.1], [0.2, 0.1]] {
        bench.tick(&agents(x, y));
    }
    let report = bench.measures.report();
    let press = &report.series;
    // The two of a group overlap by 1/3 and 4/3 of a radius; the one of 0.5 m reaches both, by 7/3 of
    // 0.3 m the one, and by (0.8 - √0.05) / 0.3 the other.
    let third = 1e3 / 3.0;
    for (found, wanted) in [
        (&press.pairs_per_1000, [0.0, 1.0, 1.0, 3.0, 3.0, 3.0]),
        (&press.deeper_25, [0.0, 1.0, 1.0, 3.0, 3.0, 3.0]),
        (&press.deeper_50, [0.0, 0.0, 1.0, 3.0, 3.0, 3.0]),
        (&press.deeper_100, [0.0, 0.0, 1.0, 3.0, 3.0, 3.0]),
        (&press.passes_same_per_s, [0.0, 0.0, 0.06, 0.0, 0.0, 0.0]),
        (&press.passes_other_per_s, [0.0, 0.0, 0.0, 0.0, 0.12, 0.0]),
    ] {
        assert_eq!(found.len(), 6);
        for (found, wanted) in found.iter().zip(wanted) {
            near(*found, wanted * third, 1e-9);
        }
    }
    near(press.overlap_p99[1], 1.0 / 3.0, 1.0 / 256.0);
    near(press.overlap_p99[5], 7.0 / 3.0, 1e-5);
    let crush = report.crush;
    near(crush.pairs_per_1000, 11.0 / 6.0 * third, 1e-9);
    near(crush.deeper_50, 10.0 / 6.0 * third, 1e-9);
    near(crush.overlap_max, 7.0 / 3.0, 1e-5);
    near(crush.overlap_p50, (0.8 - 0.05_f64.sqrt()) / 0.3, 1.0 / 256.0);
    assert_eq!((crush.worst_at, report.stuck_agents_max), (4, 0));
    near(crush.worst_deeper_25, 1e3, 1e-9);
    assert_eq!((crush.passed_through_same, crush.passed_through_other), (1, 2));
}

#[test]
fn discs_reach_into_walls() {
    let mut bench = Bench::new("");
    // 0.2 m from the left edge of the map; in its corner, 0.2 m from both sides; far from it.
    bench.tick(&[Agent::at(0, 0.2, 10.0), Agent::at(1, 0.2, 0.2), Agent::at(2, 0.31, 5.0)]);
    bench.tick(&[Agent::at(0, -0.1, 10.0)]);
    bench.tick(&[Agent::at(0, 9.0, 10.0)]);
    let report = bench.measures.report();
    near(report.series.max_wall_depth_m[0], 0.1, 1e-6);
    near(report.series.max_wall_depth_m[1], 0.3, 1e-6);
    assert_eq!(report.series.wall_contacts, [2, 1, 0]);
    assert_eq!(report.series.inside_wall, [0, 1, 0]);
    assert_eq!((report.walls.max_agents, report.walls.max_inside), (2, 1));
}

/// Every cell of the map and a ring around it.
fn wall_contact_plainly(map: &Map, at: [f32; 2], radius: f64) -> f64 {
    let [x, y] = at.map(f64::from);
    let solid = |i: i64, j: i64| {
        let inside = i >= 0 && j >= 0 && i < i64::from(map.width()) && j < i64::from(map.height());
        !inside || map.slowness()[map.index(i as u32, j as u32) as usize] == 0
    };
    let size = map.cell_size();
    if solid((x / size).floor() as i64, (y / size).floor() as i64) {
        return radius;
    }
    let mut least = f64::INFINITY;
    for j in -1..=i64::from(map.height()) {
        for i in -1..=i64::from(map.width()) {
            if solid(i, j) {
                let [left, top] = [i, j].map(|n| n as f64 * size);
                let dx = x - x.clamp(left, left + size);
                let dy = y - y.clamp(top, top + size);
                least = least.min((dx * dx + dy * dy).sqrt());
            }
        }
    }
    (radius - least).max(0.0)
}

proptest! {
    #![proptest_config(crate::common::cases(400))]
    #[test]
    fn wall_depth_is_that_of_all_cells(
        cells in prop::collection::vec(prop::bool::weighted(0.3), 12 * 9),
        at in [-1.0f32..26.0, -1.0f32..20.0],
        radius in 0.05f32..6.0,
    ) {
        let cells: Vec<u8> = cells.into_iter().map(|solid| if solid { 0 } else { 16 }).collect();
        let map = Map::from_slowness(12, 9, 2.0, &cells);
        let crowd = Crowd {
            positions: &[at], groups: &[0], flags: &[0], ids: &[0], sizes: &[], radii: &[radius],
            colours: &[[0; 3]],
        };
        let found = wall_contact(&crowd, &map).max_depth_m;
        let plain = wall_contact_plainly(&map, at, f64::from(radius));
        prop_assert!((found - plain).abs() < 2e-4, "{} {}", found, plain);
    }
}

#[test]
fn uniform_motion_gives_density_by_speed_as_flow() {
    // Four files 1 m apart, their walkers 0.8 m apart at 1.2 m/s, through 4 m between y = 8 and 12.
    let mut bench = Bench::new(
        "[[area]]\nname = \"hall\"\nrect = [12, 8, 28, 12]\n\
         [[gate]]\nname = \"middle\"\nfrom = [20, 12]\nto = [20, 8]\n",
    );
    for tick in 1..=600 {
        let shift = f64::from(tick) * 0.05 * 1.2;
        let agents = (0..400).map(|k| {
            let (file, place) = (f64::from(k % 4), f64::from(k / 4));
            Agent::at(k, 39.0 - place * 0.8 - file * 0.2 + shift, 8.5 + file).walking(1.2, 0.0)
        });
        let there = agents.filter(|agent| agent.pos[0] > 0.0 && agent.pos[0] < 40.0);
        bench.tick(&there.collect::<Vec<_>>());
    }
    let report = bench.measures.report();
    let (area, gate) = (&report.areas[0], &report.gates[0]);
    assert_eq!(area.free_m2, 64.0);
    near(area.mean_speed.unwrap(), 1.2, 1e-6);
    near(area.mean_density.unwrap(), 1.25, 0.02);
    near(area.specific_flow_per_m_s.unwrap(), 1.5, 0.03);
    near(gate.forward.specific_flow_per_m_s.unwrap(), 1.5, 0.02);
    assert_eq!(area.lane_order, None, "nobody walks against anybody");
    near(report.series.kinetic_energy[5].unwrap(), 0.72, 1e-6);
    near(report.mean_speed.unwrap(), 1.2, 1e-6);
}

#[test]
fn density_is_by_open_ground_and_an_area_counts_everybody_once() {
    let plan = crate::measures::plan_of(
        "ticks = 9\n[map]\nsize = [40, 20]\nwalls = [{ rect = [10, 0, 12, 20] }]\n\
         [[group]]\nname = \"a\"\nspawn = { point = [1.5, 1.5] }\n[[area]]\nname = \"x\"\n\
         any = [{ rect = [8, 4, 14, 8] }, { rect = [13, 4, 16, 8] }]\n",
    );
    let options = Options { every: 2, warm_up_s: 0.0, ..Options::default() };
    let mut measures = throng::report::measure::Measures::new(&plan, options);
    // The walls take 8 m² of 32 m²; 13 ..= 14 is in both shapes.
    let positions = [[13.5, 5.0], [9.0, 5.0], [15.9, 7.9], [16.1, 5.0], [13.5, 8.1]];
    let crowd = Crowd {
        positions: &positions,
        groups: &[0; 5],
        flags: &[2; 5],
        ids: &[0, 1, 2, 3, 4],
        sizes: &[],
        radii: &[0.3],
        colours: &[[0; 3]],
    };
    let speeds = [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [9.0, 0.0], [9.0, 0.0]];
    for tick in 1..=4 {
        measures.look(tick, &plan.map, &crowd, &speeds);
    }
    let report = measures.report();
    assert_eq!(report.series.time_s, [0.1, 0.2]);
    let area = &report.areas[0];
    near(area.free_m2, 24.0, 1e-9);
    assert_eq!(area.series.agents, [3, 3]);
    near(area.mean_density.unwrap(), 3.0 / 24.0, 1e-12);
    near(area.mean_speed.unwrap(), 1.0, 1e-6);
    assert_eq!(area.lane_order_by_chance, None);
}

fn walker(x: f64, y: f64, vx: f64, vy: f64) -> Walker {
    Walker { pos: [x, y], vel: [vx, vy], radius: 0.25 }
}

#[test]
fn perfect_lanes_are_one_and_perfect_mixing_is_none() {
    // Four lanes 1 m apart, wider than ¾ of a diameter of 0.5 m.
    let lanes: Vec<Walker> = (0..80)
        .map(|k| {
            let lane = f64::from(k % 4);
            let way = if k % 2 == 0 { 1.3 } else { -1.1 };
            walker(f64::from(k / 4) * 0.7, lane, way, 0.0)
        })
        .collect();
    let order = lane_order(&lanes).unwrap();
    near(order.order, 1.0, 1e-12);
    near(order.chance, 1.0 / 20.0, 1e-12);
    assert_eq!(order.agents, 80);
    // Every lane has as many of either direction.
    let mixed: Vec<Walker> = (0..80)
        .map(|k| {
            let way = if k / 4 % 2 == 0 { 1.0 } else { -1.0 };
            walker(f64::from(k / 4) * 0.7, f64::from(k % 4), way, 0.0)
        })
        .collect();
    near(lane_order(&mixed).unwrap().order, 0.0, 1e-12);
    // Turned by the angle of (3, 4) / 5 and moved: the same.
    let turn = |[x, y]: [f64; 2]| [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y];
    for (crowd, wanted) in [(&lanes, 1.0), (&mixed, 0.0)] {
        let turned: Vec<Walker> = crowd
            .iter()
            .map(|w| Walker { pos: turn(w.pos).map(|c| c + 50.0), vel: turn(w.vel), ..*w })
            .collect();
        near(lane_order(&turned).unwrap().order, wanted, 1e-9);
    }
}

#[test]
fn without_counterflow_there_is_no_lane_order() {
    assert_eq!(lane_order(&[]), None);
    let one_way: Vec<Walker> = (0..9).map(|k| walker(f64::from(k), 1.0, 1.0, 0.0)).collect();
    assert_eq!(lane_order(&one_way), None);
    // A standing agent has no direction.
    let standing = [&one_way[..], &[walker(3.0, 1.0, -0.05, 0.0)]].concat();
    assert_eq!(lane_order(&standing), None);
    // A cross has no axis.
    let cross = [walker(0.0, 0.0, 1.0, 0.0), walker(0.0, 0.0, 0.0, 1.0)];
    assert_eq!(lane_order(&cross), None);
    // One against eight in the same strip, and one more beside them, alone in its strip.
    let one = [&one_way[..8], &[walker(2.0, 1.3, -1.0, 0.0), walker(2.0, 9.0, -1.0, 0.0)]].concat();
    near(lane_order(&one).unwrap().order, (9.0 * (49.0 / 81.0) + 1.0) / 10.0, 1e-12);
}

/// The definition, pair by pair, for walkers along x.
fn lane_order_plainly(walkers: &[Walker]) -> f64 {
    let mut sum = 0.0;
    for one in walkers {
        let strip = walkers.iter().filter(|o| (o.pos[1] - one.pos[1]).abs() <= 1.5 * one.radius);
        let (mut same, mut opposite) = (0.0, 0.0);
        for other in strip {
            if other.vel[0] * one.vel[0] > 0.0 { same += 1.0 } else { opposite += 1.0 }
        }
        sum += ((same - opposite) / (same + opposite)) * ((same - opposite) / (same + opposite));
    }
    sum / walkers.len() as f64
}

proptest! {
    #![proptest_config(crate::common::cases(400))]
    #[test]
    fn lane_order_is_that_of_all_pairs(
        walkers in prop::collection::vec(
            (0.0f64..20.0, 0.0f64..5.0, prop::bool::ANY, 0.1f64..0.5), 2..60),
    ) {
        let walkers: Vec<Walker> = walkers.into_iter().map(|(x, y, right, radius)| {
            Walker { pos: [x, y], vel: [if right { 1.2 } else { -0.8 }, 0.0], radius }
        }).collect();
        let both = walkers.iter().any(|w| w.vel[0] > 0.0) && walkers.iter().any(|w| w.vel[0] < 0.0);
        match lane_order(&walkers) {
            Some(LaneOrder { order, agents, .. }) => {
                prop_assert!(both && agents == walkers.len() as u64);
                let plain = lane_order_plainly(&walkers);
                prop_assert!((order - plain).abs() < 1e-9, "{} {}", order, plain);
            }
            None => prop_assert!(!both),
        }
    }
}

#[test]
fn chance_is_what_coins_give() {
    let mut state = 7_u64;
    let mut coin = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 60 < 11
    };
    let (mut order, mut chance) = (0.0, 0.0);
    for _ in 0..300 {
        // 40 strips of 10, 11 of 16 to the right.
        let walkers: Vec<Walker> = (0..400)
            .map(|k| walker(0.0, f64::from(k / 10), if coin() { 1.0 } else { -1.0 }, 0.0))
            .collect();
        let found = lane_order(&walkers).unwrap();
        order += found.order / 300.0;
        chance += found.chance / 300.0;
    }
    let lead: f64 = 6.0 / 16.0;
    near(chance, lead * lead + (1.0 - lead * lead) / 10.0, 0.005);
    near(order, chance, 0.005);
}

//! Density and speed by Voronoi cells against a count of points, and levels of service.

use std::collections::BTreeMap;

use throng::map::Map;
use throng::math::{hash3, unit_f64};
use throng::report::Crowd;
use throng::report::measure::{Measures, Options, Report};
use throng::scenario::Plan;

use crate::measures::{near, plan_of};

/// A hall of 12 m × 8 m with two walls that do not meet, and two areas; a room that is cut off.
const HALL: &str = "ticks = 9\n[map]\nsize = [30, 16]\ncell = 0.5\n\
    walls = [{ rect = [6, 0, 6.5, 5] }, { rect = [3, 5.5, 9, 6] }, { rect = [12, 0, 12.5, 8] }]\n\
    [[group]]\nname = \"a\"\nspawn = { point = [1.5, 1.5] }\n\
    [[area]]\nname = \"open\"\nrect = [1, 1, 5, 4]\n\
    [[area]]\nname = \"around the wall\"\nany = [{ rect = [5, 3, 8, 7] }, { disc = [8, 4, 1.5] }]\n";

/// Points of the lattice to a metre.
const FINE: usize = 40;

/// Fourteen in the hall and one in the room beside it, with their speeds.
fn people() -> Vec<([f32; 2], f32)> {
    let place = |i: u64| {
        let unit = |stream: u64| unit_f64(hash3(7, i, stream));
        let x = if i == 14 { 12.8 } else { 11.8 * unit(0) };
        ([x as f32, (7.9 * unit(1)) as f32], (2.0 * unit(2)) as f32)
    };
    (0..40)
        .map(place)
        .filter(|(at, _)| open([f64::from(at[0]), f64::from(at[1])]))
        .take(15)
        .collect()
}

/// Whether a point of the hall or the room is not in a wall.
fn open([x, y]: [f64; 2]) -> bool {
    let within = |[x0, y0, x1, y1]: [f64; 4]| (x0..x1).contains(&x) && (y0..y1).contains(&y);
    let walls = [[6.0, 0.0, 6.5, 5.0], [3.0, 5.5, 9.0, 6.0], [12.0, 0.0, 12.5, 8.0]];
    within([0.0, 0.0, 15.0, 8.0]) && !walls.into_iter().any(within)
}

fn measured(plan: &Plan, people: &[([f32; 2], f32)], cutoff_m: Option<f64>) -> Report {
    let options = Options { every: 1, warm_up_s: 0.0, cutoff_m };
    let mut measures = Measures::new(plan, options);
    let crowd = Crowd {
        positions: &people.iter().map(|&(at, _)| at).collect::<Vec<_>>(),
        groups: &vec![0; people.len()],
        flags: &vec![2; people.len()],
        ids: &(0..people.len() as u32).collect::<Vec<_>>(),
        sizes: &[],
        radii: &[0.2],
        colours: &[[0; 3]],
    };
    let velocities: Vec<[f32; 2]> = people.iter().map(|&(_, speed)| [0.0, -speed]).collect();
    measures.look(1, &plan.map, &crowd, &velocities);
    measures.report()
}

/// Density and speed of an area by counting the points of a lattice that are nearest to each.
fn counted(people: &[([f32; 2], f32)], cutoff: f64, area: &dyn Fn([f64; 2]) -> bool) -> [f64; 2] {
    let at = |i: usize| (i as f64 + 0.5) / FINE as f64;
    let room = |x: f64| x > 12.25;
    let mut owners: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for i in 0..15 * FINE {
        for j in (0..8 * FINE).filter(|&j| open([at(i), at(j)])) {
            let far = |(who, (to, _)): (usize, &([f32; 2], f32))| {
                let [dx, dy] = [f64::from(to[0]) - at(i), f64::from(to[1]) - at(j)];
                (room(f64::from(to[0])) == room(at(i))).then_some((dx * dx + dy * dy, who))
            };
            let near = people.iter().enumerate().filter_map(far).min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, who)) = near.filter(|near| near.0 <= cutoff * cutoff) {
                owners.insert([i, j], who);
            }
        }
    }
    let (mut persons, mut speed) = (0.0, 0.0);
    for (who, &(place, v)) in people.iter().enumerate() {
        // The connected part of the cell around the agent's own place.
        let first = place.map(|c| (f64::from(c) * FINE as f64) as usize);
        let (mut stack, mut seen) = (vec![first], std::collections::BTreeSet::new());
        while let Some([i, j]) = stack.pop() {
            if owners.get(&[i, j]) == Some(&who) && seen.insert([i, j]) {
                stack.extend([[i + 1, j], [i, j + 1], [i.max(1) - 1, j], [i, j.max(1) - 1]]);
            }
        }
        let inside = seen.iter().filter(|[i, j]| area([at(*i), at(*j)])).count() as f64;
        persons += inside / (seen.len() as f64).max(1.0);
        speed += inside / (FINE * FINE) as f64 * f64::from(v);
    }
    [persons, speed]
}

#[test]
fn cells_are_the_ground_nearest_to_each() {
    let (plan, people) = (plan_of(HALL), people());
    let first = |[x, y]: [f64; 2]| (1.0..5.0).contains(&x) && (1.0..4.0).contains(&y);
    let second = |[x, y]: [f64; 2]| {
        let [dx, dy] = [x - 8.0, y - 4.0];
        (5.0..8.0).contains(&x) && (3.0..7.0).contains(&y) || dx * dx + dy * dy < 2.25
    };
    for cutoff in [None, Some(1.3)] {
        let report = measured(&plan, &people, cutoff);
        let wanted = [&first as &dyn Fn([f64; 2]) -> bool, &second]
            .map(|area| counted(&people, cutoff.unwrap_or(f64::INFINITY), area));
        for (area, [persons, speed]) in report.areas.iter().zip(wanted) {
            let density = area.series.voronoi_density[0];
            near(density, persons / area.free_m2, 0.01 * density);
            let found = area.series.voronoi_speed[0].unwrap();
            near(found, speed / area.free_m2, 0.01 * found);
            assert_eq!(area.mean_voronoi_density, Some(density));
        }
        assert_eq!(report.cutoff_m, cutoff);
    }
}

#[test]
fn people_in_a_square_have_its_density_and_two_at_one_place_count_twice() {
    let plan = plan_of(
        "ticks = 9\n[map]\nsize = [20, 20]\n[[group]]\nname = \"a\"\n\
         spawn = { point = [1.5, 1.5] }\n[[area]]\nname = \"x\"\nrect = [3, 3, 17, 17]\n",
    );
    let place = |i: u16| [f32::from(i % 10) * 2.0 + 1.0, f32::from(i / 10) * 2.0 + 1.0];
    let people: Vec<([f32; 2], f32)> = (0..100).map(|i| (place(i), 1.5)).collect();
    let of = |people: &[([f32; 2], f32)]| measured(&plan, people, None).areas.remove(0);
    let area = of(&people);
    near(area.mean_voronoi_density.unwrap(), 0.25, 1e-9);
    near(area.mean_voronoi_speed.unwrap(), 1.5, 1e-6);
    let mut twice = people.clone();
    twice.push((place(44), 1.5));
    near(of(&twice).mean_voronoi_density.unwrap(), 0.25 + 1.0 / 196.0, 1e-9);
    // A single agent has the whole hall; an empty one has no cells.
    near(of(&people[..1]).mean_voronoi_density.unwrap(), 1.0 / 400.0, 1e-9);
    let nobody = of(&[]);
    assert_eq!((nobody.mean_voronoi_density, nobody.mean_voronoi_speed), (Some(0.0), None));
}

#[test]
fn levels_of_service_are_fruins() {
    let plan = plan_of(
        "ticks = 9\n[map]\nsize = [10, 10]\n[[group]]\nname = \"a\"\n\
         spawn = { point = [1.5, 1.5] }\n[[area]]\nname = \"x\"\nrect = [0, 0, 10, 10]\n",
    );
    // By m² for a person: 4, 3, 2, 1, 0.5, 0.4.
    for (count, letter) in [(25, 'A'), (33, 'B'), (50, 'C'), (100, 'D'), (200, 'E'), (250, 'F')] {
        let place = |i: u16| [f32::from(i % 16) * 0.6 + 0.3, f32::from(i / 16) * 0.6 + 0.2];
        let people: Vec<([f32; 2], f32)> = (0..count).map(|i| (place(i), 0.0)).collect();
        let service = measured(&plan, &people, None).areas[0].service.unwrap();
        assert_eq!(service.most(), letter, "{count} people: {service:?}");
        let sum = service.a + service.b + service.c + service.d + service.e + service.f;
        near(sum, 1.0, 1e-12);
    }
}

/// A map of the areas' own kind, to see that nothing is cut off.
#[test]
fn a_map_without_ground_has_no_cells() {
    let map = Map::from_slowness(4, 4, 1.0, &[0; 16]);
    let plan = plan_of(HALL);
    let mut measures = Measures::on(&map, 0.05, &[], &plan.scene.areas, Options::default());
    let nobody = Crowd {
        positions: &[],
        groups: &[],
        flags: &[],
        ids: &[],
        sizes: &[],
        radii: &[0.2],
        colours: &[[0; 3]],
    };
    measures.look(10, &map, &nobody, &[]);
    assert_eq!(measures.report().areas[0].series.voronoi_density, [0.0]);
}

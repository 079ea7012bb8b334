//! Flow fields against the textbook, on random maps and on the benchmark maps.

use crate::common::terrain::Random;
use crate::common::{data, oracle, terrain};
use proptest::prelude::*;
use rayon::prelude::*;
use throng::map::{Clearance, Legend, Map};
use throng::nav::field::{GoalCells, Job, SOLID, UNREACHED, direction, eikonal, solve};

/// Some passable cells.
fn goals(class: &Clearance, random: &mut Random, most: u32) -> Vec<u32> {
    let count = 1 + random.below(most);
    let cells =
        (0..count).filter_map(|_| terrain::passable_cell(class.slowness(), random.below(1000)));
    let mut cells: Vec<u32> = cells.collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Distances of a solver that works in slices of random length.
fn sliced(class: &Clearance, goals: &[u32], random: &mut Random) -> Vec<i32> {
    let mut solver = eikonal::Solver::default();
    solver.start(class, goals, None);
    while !solver.advance(class, 1 + random.below(40)).done {}
    solver.distances().to_vec()
}

/// The first cell from whose centre a step of one cell along its direction touches a wall.
fn leads_into_wall(class: &Clearance, directions: &[u32]) -> Option<(usize, (i16, i16))> {
    let stride = class.stride() as i64;
    let open = |cell: i64| class.slowness()[cell as usize] != 0;
    let wrong = |&cell: &usize| {
        let Some((x, y)) = direction::unpack(directions[cell]) else { return false };
        if (x, y) != (0, 0) && !open(cell as i64) {
            return true;
        }
        let (ax, ay) = (i32::from(x).abs(), i32::from(y).abs());
        let side_x = cell as i64 + i64::from(x.signum());
        let side_y = cell as i64 + i64::from(y.signum()) * stride;
        let across = side_x + side_y - cell as i64;
        // The step leaves the cell by the side of the longer component; by the corner when they are
        // equal, but for the rounding of the stored halves.
        let corner = (ax - ay).abs() <= 2 && ax > 0;
        let enters_x = ax > ay || corner;
        let enters_y = ay > ax || corner;
        // One cell is far enough to cross the second side when the shorter one is above 1/2.
        let enters_across = corner || ax.min(ay) > 8_194;
        enters_x && !open(side_x) || enters_y && !open(side_y) || enters_across && !open(across)
    };
    let found = (0..directions.len()).find(wrong)?;
    Some((found, direction::unpack(directions[found])?))
}

proptest! {
    #![proptest_config(crate::common::cases(300))]

    #[test]
    fn distances_equal_the_heap_on_random_maps(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = terrain::small(&mut random, 40);
        let class = map.class(0.4);
        let goals = goals(&class, &mut random, 4);
        let eikonal = oracle::eikonal(&class, &goals);
        prop_assert_eq!(sliced(&class, &goals, &mut random), eikonal.clone());
        if !goals.is_empty() {
            let field = solve(&class, &GoalCells::new(goals.clone(), vec![]));
            prop_assert_eq!(leads_into_wall(&class, &field.directions), None);
            prop_assert_eq!(field.distances, eikonal);
        }
    }

    #[test]
    fn a_field_does_not_depend_on_its_slices(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = terrain::small(&mut random, 60);
        let class = map.class(0.4);
        let goals = GoalCells::new(goals(&class, &mut random, 3), vec![0, class.stride() + 1]);
        let whole = solve(&class, &goals);
        let mut job = Job::default();
        // The memory of another field must leave no trace.
        job.start(&class, &GoalCells::point(class.stride() + 1), vec![7; 9]);
        job.advance(&class, 1 + random.below(3000));
        let mut total = 0_u64;
        let directions = job.take_directions();
        job.start(&class, &goals, directions);
        loop {
            let progress = job.advance(&class, 1 + random.below(200));
            total += u64::from(progress.work);
            if progress.done {
                break;
            }
        }
        prop_assert_eq!(job.take_directions(), whole.directions);
        prop_assert!(total > 0);
    }

    #[test]
    fn an_early_stop_settles_what_was_asked(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = terrain::small(&mut random, 60);
        let class = map.class(0.4);
        let goals = goals(&class, &mut random, 2);
        let asked = self::goals(&class, &mut random, 3);
        let whole = oracle::eikonal(&class, &goals);
        let mut solver = eikonal::Solver::default();
        solver.start(&class, &goals, Some(&asked));
        while !solver.advance(&class, 1 + random.below(500)).done {}
        let farthest = solver.distances().iter().filter(|&&d| d != UNREACHED).max();
        for (cell, (&found, &whole)) in solver.distances().iter().zip(&whole).enumerate() {
            let settled = Some(&whole) <= farthest;
            prop_assert_eq!(found, if settled { whole } else { UNREACHED }, "cell {}", cell);
        }
        for &cell in &asked {
            prop_assert_eq!(solver.distances()[cell as usize], whole[cell as usize]);
        }
    }

    #[test]
    fn sight_equals_every_segment(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = terrain::small(&mut random, 24);
        let class = map.class(0.4);
        let most = 1 + random.below(5);
        let goals = goals(&class, &mut random, most);
        let field = solve(&class, &GoalCells::new(goals.clone(), vec![]));
        let mut expected = gradients(&class, &field.distances);
        for (cell, &distance) in field.distances.iter().enumerate() {
            let seen = nearest_seen(&class, &goals, cell);
            let unit = 16.0 * f64::from(class.least());
            let longest = f64::from(distance) * (65.0 / 64.0) + unit;
            match seen {
                _ if distance == UNREACHED => {}
                _ if distance == 0 => expected[cell] |= direction::GOAL_AREA,
                Some((square, x, y))
                    if goals.len() == 1 || (square as f64).sqrt() * unit <= longest =>
                {
                    expected[cell] = direction::pack(x as i32, y as i32);
                }
                _ => {}
            }
        }
        prop_assert_eq!(field.directions, expected);
    }

    #[test]
    fn wide_agents_have_fields_of_their_own(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = terrain::small(&mut random, 60);
        let class = map.class(0.5 + f64::from(random.below(20)) / 10.0);
        let goals = goals(&class, &mut random, 2);
        let field = solve(&class, &GoalCells::new(goals.clone(), vec![]));
        prop_assert_eq!(leads_into_wall(&class, &field.directions), None);
        for (cell, &distance) in field.distances.iter().enumerate() {
            let joined = goals.iter().any(|&goal| class.same_component(goal, cell as u32));
            prop_assert_eq!(distance != UNREACHED, joined);
        }
    }
}

/// Directions down some distances, without lines of sight.
fn gradients(class: &Clearance, distances: &[i32]) -> Vec<u32> {
    let stride = class.stride() as usize;
    let mut directions = vec![SOLID; distances.len()];
    let inner = stride..distances.len() - stride;
    direction::write_rows(distances, class.stride(), 1, &mut directions[inner]);
    directions
}

/// The squared distance to the nearest goal that a cell sees, and the way there.
fn nearest_seen(class: &Clearance, goals: &[u32], cell: usize) -> Option<(i64, i64, i64)> {
    let stride = i64::from(class.stride());
    let at = |cell: i64| (cell % stride, cell / stride);
    let opaque = |x: i64, y: i64| class.slowness()[(y * stride + x) as usize] != class.least();
    let from = at(cell as i64);
    let seen = goals.iter().map(|&goal| at(i64::from(goal)));
    let seen = seen.filter(|&to| oracle::sees(from, to, opaque));
    let offsets = seen.map(|to| (to.0 - from.0, to.1 - from.1));
    offsets.map(|(x, y)| (x * x + y * y, x, y)).min_by_key(|offset| offset.0)
}

/// A goal in sight is not pointed at where the way to one on slow ground, which is never in sight,
/// is shorter.
#[test]
fn a_goal_on_slow_ground_may_be_the_nearer_one() {
    let map = Map::from_slowness(3, 3, 1.0, &[0, 1, 2, 1, 1, 1, 4, 4, 1]);
    let class = map.class(0.4);
    let goals = GoalCells::new(vec![map.index(2, 0), map.index(2, 2)], vec![]);
    let directions = solve(&class, &goals).directions;
    let beside = directions[map.index(1, 0) as usize];
    assert_eq!(direction::unpack(beside), Some((16_384, 0)));
}

#[test]
fn open_ground_is_straight() {
    let map = terrain::open(201);
    let class = map.class(0.4);
    for goal in [(100, 100), (0, 0), (200, 17)] {
        let field = solve(&class, &GoalCells::point(map.index(goal.0, goal.1)));
        let mut worst = 1.0_f64;
        for (x, y) in (0..201).flat_map(|y| (0..201).map(move |x| (x, y))) {
            let (dx, dy) = (f64::from(goal.0) - f64::from(x), f64::from(goal.1) - f64::from(y));
            let (vx, vy) = direction::unpack(field.directions[map.index(x, y) as usize]).unwrap();
            if (x, y) == goal {
                assert_eq!((vx, vy), (0, 0));
                continue;
            }
            let (vx, vy) = (f64::from(vx), f64::from(vy));
            let lengths = (dx * dx + dy * dy).sqrt() * (vx * vx + vy * vy).sqrt();
            worst = worst.min((dx * vx + dy * vy) / lengths);
        }
        // The cosine of one degree.
        assert!(worst > 0.999_848, "cosine of the worst angle: {worst}");
    }
}

#[test]
fn fields_have_known_bits() {
    let maps = [terrain::rooms(200, 1), terrain::weighted(200, 1), terrain::noise(200, 30, 1)];
    let hash = |map: &Map| {
        let class = map.class(0.4);
        let goal = terrain::passable_cell(class.slowness(), 400).unwrap();
        let field = solve(&class, &GoalCells::new(vec![goal, goal + 9], vec![goal + 1]));
        let words = field.directions.iter().copied();
        let bytes = words.chain(field.distances.iter().map(|&d| d as u32));
        xxhash_rust::xxh3::xxh3_64(&bytes.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
    };
    let known = [12_483_231_524_619_359_712, 2_628_524_762_789_561_348, 17_863_216_207_126_114_338];
    assert_eq!(maps.each_ref().map(hash), known);
}

#[test]
fn directions_into_walls_are_found() {
    let map = Map::from_rows(&["...", ".@.", "..."], &Legend::default(), 1.0).unwrap();
    let class = map.class(0.4);
    let field = solve(&class, &GoalCells::point(map.index(0, 0)));
    assert_eq!(leads_into_wall(&class, &field.directions), None);
    for (x, y, wrong) in [(0, 0, (1, 1)), (0, 0, (3, 2)), (2, 2, (-1, -1)), (0, 1, (1, 0))] {
        let mut directions = field.directions.clone();
        directions[map.index(x, y) as usize] = direction::pack(wrong.0, wrong.1);
        let found = leads_into_wall(&class, &directions).map(|found| found.0 as u32);
        assert_eq!(found, Some(map.index(x, y)), "{wrong:?}");
    }
}

#[test]
fn goal_area_is_marked_and_nothing_else() {
    let map = terrain::noise(40, 20, 3);
    let class = map.class(0.4);
    let seed = terrain::passable_cell(class.slowness(), 500).unwrap();
    let area: Vec<u32> = (seed - 90..seed + 90).collect();
    let field = solve(&class, &GoalCells::new(vec![seed], area.clone()));
    for (cell, &found) in field.directions.iter().enumerate() {
        let marked = area.contains(&(cell as u32)) && found != SOLID;
        assert_eq!(direction::is_goal_area(found), marked);
        assert_eq!(direction::unpack(found).is_some(), field.distances[cell] != UNREACHED);
    }
    let only_seed = solve(&class, &GoalCells::point(seed));
    for (&with, &without) in field.directions.iter().zip(&only_seed.directions) {
        assert_eq!(direction::unpack(with), direction::unpack(without));
    }
}

#[test]
fn goals_in_walls_give_a_field_that_leads_nowhere() {
    let map = Map::from_slowness(2, 1, 1.0, &[0, 16]);
    let class = map.class(0.0);
    let field = solve(&class, &GoalCells::new(vec![0, map.index(0, 0), u32::MAX], vec![]));
    assert!(field.directions.iter().all(|&d| d == SOLID));
}

#[test]
fn distances_equal_the_heap_on_every_benchmark_map() {
    let Some(folder) = data::folder() else { return };
    data::maps(&folder).par_iter().for_each(|path| {
        let map = data::read_map(path);
        let class = map.class(0.4);
        let mut random = Random(map.hash());
        let goal = terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
        let field = solve(&class, &GoalCells::point(goal));
        assert!(field.distances == oracle::eikonal(&class, &[goal]), "{}", path.display());
        assert_eq!(leads_into_wall(&class, &field.directions), None, "{}", path.display());
    });
}

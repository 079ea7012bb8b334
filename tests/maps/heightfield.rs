//! What a straight shot meets first: the walk over the cells against an oracle in whole numbers, and
//! the rules for corners, edges, muzzles on the ground and inside walls.

use crate::common::data;
use crate::common::terrain::Random;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use throng::kernel::heightfield::{Contact, Obstacle};
use throng::map::Map;
use throng::math::{Fx, Num};
use throng::replay::{Recorder, Replay};
use throng::world::{Settings, World};

/// Steps of a coordinate in a metre; cells are 1 m wide.
const UNIT: i128 = 1024;

/// A share of a segment: numerator, denominator above 0.
type Share = (i128, i128);

fn order(a: &Share, b: &Share) -> Ordering {
    (a.0 * b.1).cmp(&(b.0 * a.1))
}

/// The same segment, in steps and exactly.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: [i128; 3],
    to: [i128; 3],
    /// By how many 2⁻³⁰ steps the shot flies lower than it should.
    sunk: i128,
}

impl Segment {
    fn length(&self, axis: usize) -> i128 {
        self.to[axis] - self.from[axis]
    }

    fn cell(&self, (n, d): Share) -> [i128; 2] {
        [0, 1].map(|i| (self.from[i] * d + self.length(i) * n).div_euclid(UNIT * d))
    }

    fn is_below(&self, (n, d): Share, top: i128) -> bool {
        ((self.from[2] - top) * d + self.length(2) * n) * (1 << 30) < self.sunk * d
    }

    /// Every share at which grid lines are crossed, in order, and of which axes.
    fn crossings(&self) -> Vec<(Share, [bool; 2])> {
        let mut list: Vec<(Share, [bool; 2])> = Vec::new();
        for axis in 0..2 {
            let (from, to, length) = (self.from[axis], self.to[axis], self.length(axis));
            let lines = from.min(to).div_euclid(UNIT) + 1..=from.max(to).div_euclid(UNIT);
            for line in lines {
                let share = ((line * UNIT - from) * length.signum(), length.abs());
                list.push((share, [axis == 0, axis == 1]));
            }
        }
        list.sort_by(|a, b| order(&a.0, &b.0));
        list.dedup_by(|b, a| {
            let same = order(&a.0, &b.0).is_eq();
            if same {
                a.1 = [a.1[0] || b.1[0], a.1[1] || b.1[1]];
            }
            same
        });
        list
    }

    fn points<N: Num>(&self) -> [[N; 3]; 2] {
        [self.from, self.to].map(|p| p.map(|v| N::from_f64(v as f64 / UNIT as f64)))
    }
}

/// The first contact, by the cells in the middle between every two crossings.
fn oracle(map: &Map, segment: &Segment) -> Option<Contact> {
    let size = [i128::from(map.width()), i128::from(map.height())];
    let is_inside = |cell: [i128; 2]| (0..2).all(|i| (0..size[i]).contains(&cell[i]));
    let index = |[i, j]: [i128; 2]| ((j + 1) * (size[0] + 2) + i + 1) as u32;
    let top = |cell| i128::from(map.top(index(cell))) * UNIT / 16;
    let contact = |(n, d): Share, cell, obstacle| {
        Some(Contact { share: n as f64 / d as f64, cell, obstacle })
    };
    let side = |share, cell| {
        let wall = map.slowness()[index(cell) as usize] == 0;
        contact(share, index(cell), if wall { Obstacle::Wall } else { Obstacle::Cliff })
    };
    let down = |cell| {
        let (height, fall) = (segment.from[2] - top(cell), -segment.length(2));
        contact((height, fall), index(cell), Obstacle::Top)
    };
    let crossings = segment.crossings();
    let mut cell = segment.cell((0, 1));
    if !is_inside(cell) {
        return contact((0, 1), 0, Obstacle::Edge);
    }
    if segment.is_below((0, 1), top(cell)) {
        return side((0, 1), cell);
    }
    for (i, &(share, axes)) in crossings.iter().enumerate() {
        if segment.is_below(share, top(cell)) {
            return down(cell);
        }
        let after = match crossings.get(i + 1).map_or((1, 1), |next| next.0) {
            next if order(&next, &share).is_eq() => segment.cell((1, 1)),
            next => segment.cell((share.0 * next.1 + next.0 * share.1, 2 * share.1 * next.1)),
        };
        if !is_inside(after) {
            return contact(share, index(after), Obstacle::Edge);
        }
        let sides = [[after[0], cell[1]], [cell[0], after[1]]];
        if axes == [true; 2] && sides.iter().all(|&s| segment.is_below(share, top(s))) {
            return side(share, sides[0]);
        }
        if segment.is_below(share, top(after)) {
            return side(share, after);
        }
        cell = after;
    }
    if segment.is_below((1, 1), top(cell)) { down(cell) } else { None }
}

/// A rough map: walls, steps, plateaus and holes.
fn rough(random: &mut Random, width: u32, height: u32) -> Map {
    let cells: Vec<u8> =
        (0..width * height).map(|_| if random.below(4) == 0 { 0 } else { 16 }).collect();
    let steps = [1, 8, 16, 40][random.below(4) as usize];
    let heights: Vec<i16> =
        (0..width * height).map(|_| (random.below(5) as i16 - 1).max(0) * steps).collect();
    let wall = f64::from(random.below(5)) * 0.5;
    Map::from_slowness(width, height, 1.0, &cells).with_heights(&heights, wall).unwrap()
}

/// A segment whose ends are multiples of one of several grains, so that corners, lines and tops are
/// met exactly as often as not.
fn random_segment(random: &mut Random, map: &Map) -> Segment {
    let grain = [1, 3, 128, 256, 512, 1024][random.below(6) as usize];
    let rise = [1, 64, 256, 512][random.below(4) as usize];
    let mut point = |low: i128, size: [u32; 2]| {
        let mut along = |cells: u32, grain: i128| {
            let steps = i128::from(cells) * UNIT / grain;
            i128::from(random.below(steps as u32 + 1)) * grain
        };
        let [x, y] = size.map(|side| along(side + 2 * -low as u32, grain) + low * UNIT);
        [x, y, along(7, rise)]
    };
    let size = [map.width(), map.height()];
    let (from, mut to) = (point(0, size), point(-1, size));
    match random.below(8) {
        0 => to[0] = from[0],
        1 => to[1] = from[1],
        2 => to[2] = from[2],
        3 => (to[0], to[1]) = (from[0], from[1]),
        4 => to[0] = from[0] + (to[1] - from[1]),
        _ => {}
    }
    Segment { from, to, sunk: 0 }
}

fn alike(found: Option<Contact>, expected: Option<Contact>) -> bool {
    match (found, expected) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.cell == b.cell && a.obstacle == b.obstacle && (a.share - b.share).abs() < 1e-9
        }
        _ => false,
    }
}

/// Checks a segment in both number types; whether it needed a hair's breadth for a tie of heights.
fn check(map: &Map, segment: Segment) -> (Option<Contact>, bool) {
    let [from, to] = segment.points::<f32>();
    let found = map.first_contact(from, to);
    assert_eq!(map.is_clear(from, to), found.is_none());
    let [from, to] = segment.points::<Fx>();
    let fixed = map.first_contact(from, to);
    assert_eq!(found, fixed, "f32 and fixed point differ on {segment:?}");
    let expected = oracle(map, &segment);
    if alike(found, expected) {
        return (found, false);
    }
    let near = [-1, 1].map(|sunk| oracle(map, &Segment { sunk, ..segment }));
    assert!(
        near.iter().any(|&near| alike(found, near)),
        "{segment:?}\nfound {found:?}\nexpected {expected:?} or {near:?}\n{:?}\nheights {:?}",
        map.slowness(),
        map.heights()
    );
    (found, true)
}

#[test]
fn the_walk_meets_what_whole_numbers_say() {
    let maps = if data::all() { 100_000 } else { 4_000 };
    let mut seen = BTreeMap::<Option<Obstacle>, u32>::new();
    let (mut ties, mut corners, mut checked) = (0, 0, 0);
    for seed in 0..maps {
        let mut random = Random(seed);
        let (width, height) = (1 + random.below(9), 1 + random.below(9));
        let map = rough(&mut random, width, height);
        for _ in 0..25 {
            let segment = random_segment(&mut random, &map);
            let (found, tie) = check(&map, segment);
            *seen.entry(found.map(|contact| contact.obstacle)).or_default() += 1;
            ties += u32::from(tie);
            checked += 1;
            corners += u32::from(segment.crossings().iter().any(|(_, axes)| *axes == [true; 2]));
        }
    }
    eprintln!("{checked} shots, {corners} over corners, {ties} ties of heights: {seen:?}");
    assert_eq!(seen.len(), 5, "each outcome comes: {seen:?}");
    assert!(seen.values().all(|&count| count > checked / 50), "{seen:?}");
    assert!(corners > checked / 20, "{corners} of {checked} go over a corner");
    assert!(ties < checked / 200, "{ties} of {checked} hang by a hair");
}

/// Heights are known by squares of cells: a lonely tower in any square that a shot crosses stops
/// it, and bounds hold all towers.
#[test]
fn towers_in_every_square_stop_shots() {
    let (mut met, mut missed) = (0, 0);
    for seed in 0..80 {
        let mut random = Random(seed);
        let (width, height) = (40 + random.below(40), 40 + random.below(40));
        let mut tower =
            || if random.below(40) == 0 { 16 * (1 + random.below(6) as i16) } else { 0 };
        let heights: Vec<i16> = (0..width * height).map(|_| tower() - tower() / 2).collect();
        let cells = vec![16; heights.len()];
        let map =
            Map::from_slowness(width, height, 1.0, &cells).with_heights(&heights, 3.0).unwrap();
        for _ in 0..100 {
            let size = [width, height].map(|side| side * UNIT as u32);
            let from = size.map(|side| i128::from(random.below(side)));
            let near = |at: i128, side: u32, by: u32| {
                (at + i128::from(by) - 20 * UNIT).clamp(0, i128::from(side) - 1)
            };
            let by = [0, 1].map(|_| random.below(40 * UNIT as u32));
            let to = [0, 1].map(|i| near(from[i], size[i], by[i]));
            let [z0, z1] = [0, 1].map(|_| i128::from(1 + random.below(6 * UNIT as u32)));
            let segment = Segment { from: [from[0], from[1], z0], to: [to[0], to[1], z1], sunk: 0 };
            if check(&map, segment).0.is_some() {
                met += 1
            } else {
                missed += 1
            }

            let metres = |at: [i128; 2]| at.map(|v| v as f64 / UNIT as f64);
            let min = metres([from[0].min(to[0]), from[1].min(to[1])]);
            let max = metres([from[0].max(to[0]), from[1].max(to[1])]);
            let [low, top] = map.heightfield().bounds(min, max);
            for y in min[1] as u32..=max[1] as u32 {
                for x in min[0] as u32..=max[0] as u32 {
                    let height = f64::from(heights[(y * width + x) as usize]) / 16.0;
                    assert!((low..=top).contains(&height), "({x}, {y}) at {height}");
                }
            }
        }
    }
    assert!(met > 1_000 && missed > 1_000, "{met} met something, {missed} nothing");
}

#[test]
fn long_shots_miss_no_cell() {
    let mut random = Random(7);
    for _ in 0..40 {
        let cells: Vec<u8> =
            (0..2_048 * 64).map(|_| if random.below(900) == 0 { 0 } else { 16 }).collect();
        let map = Map::from_slowness(2_048, 64, 1.0, &cells);
        let mut along = |cells: u32| i128::from(random.below(cells * UNIT as u32));
        let from = [along(20), along(64), along(4)];
        let to = [along(40) + 2_000 * UNIT, along(64), along(4)];
        check(&map, Segment { from, to, sunk: 0 });
        check(&map, Segment { from: to, to: from, sunk: 0 });
    }
}

/// A map of 5 × 5 cells with walls of 3 m, and ground at some heights.
fn small(walls: &[[u32; 2]], raised: &[([u32; 2], f64)]) -> Map {
    let (mut cells, mut heights) = (vec![16; 25], vec![0; 25]);
    walls.iter().for_each(|[x, y]| cells[(y * 5 + x) as usize] = 0);
    raised.iter().for_each(|([x, y], h)| heights[(y * 5 + x) as usize] = throng::map::units(*h));
    Map::from_slowness(5, 5, 1.0, &cells).with_heights(&heights, 3.0).unwrap()
}

fn shot(map: &Map, from: [f32; 3], to: [f32; 3]) -> Option<(f64, [u32; 2], Obstacle)> {
    let contact = map.first_contact(from, to)?;
    assert_eq!(map.first_contact(from.map(n), to.map(n)), Some(contact));
    let cell =
        if contact.obstacle == Obstacle::Edge { [0, 0] } else { map.cell(contact.cell).into() };
    Some((contact.share, cell, contact.obstacle))
}

fn n(value: f32) -> Fx {
    Fx::from_f64(f64::from(value))
}

#[test]
fn walls_and_cliffs_stop_what_flies_below_their_top() {
    let map = small(&[[2, 2]], &[([3, 2], 1.5), ([2, 1], 10.0)]);
    // The side of a wall, its top, and over it.
    let wall = Some((0.375, [2, 2], Obstacle::Wall));
    assert_eq!(shot(&map, [0.5, 2.5, 2.75], [4.5, 2.5, 2.75]), wall);
    assert_eq!(shot(&map, [0.5, 2.5, 3.0], [4.5, 2.5, 3.0]), None);
    let top = Some((0.5, [2, 2], Obstacle::Top));
    assert_eq!(shot(&map, [0.5, 2.5, 5.0], [4.5, 2.5, 1.0]), top);
    // The side of higher ground, and down on it.
    let cliff = Some((0.5, [3, 2], Obstacle::Cliff));
    assert_eq!(shot(&map, [3.5, 4.0, 1.0], [3.5, 2.0, 1.0]), cliff);
    let down = Some((0.5, [3, 2], Obstacle::Top));
    assert_eq!(shot(&map, [3.5, 2.5, 2.0], [3.5, 2.5, 1.0]), down);
    // Straight up, straight down, and no way at all.
    assert_eq!(shot(&map, [0.5, 0.5, 0.0], [0.5, 0.5, 900.0]), None);
    let ground = Some((0.25, [0, 0], Obstacle::Top));
    assert_eq!(shot(&map, [0.5, 0.5, 1.0], [0.5, 0.5, -3.0]), ground);
    assert_eq!(shot(&map, [0.5, 0.5, 1.0], [0.5, 0.5, 1.0]), None);
}

#[test]
fn a_muzzle_may_touch_the_ground_but_not_be_in_it() {
    let map = small(&[[2, 2]], &[([0, 0], 2.0)]);
    assert_eq!(shot(&map, [0.5, 0.5, 2.0], [0.9, 0.5, 2.0]), None);
    assert_eq!(shot(&map, [0.5, 0.5, 2.0], [4.5, 0.5, 6.0]), None);
    let at_once = Some((0.0, [0, 0], Obstacle::Top));
    assert_eq!(shot(&map, [0.5, 0.5, 2.0], [4.5, 0.5, 1.0]), at_once);
    let buried = Some((0.0, [0, 0], Obstacle::Cliff));
    assert_eq!(shot(&map, [0.5, 0.5, 1.9375], [4.5, 0.5, 9.0]), buried);
    assert_eq!(shot(&map, [0.5, 0.5, 1.9375], [0.5, 0.5, 1.9375]), buried);
    let walled = Some((0.0, [2, 2], Obstacle::Wall));
    assert_eq!(shot(&map, [2.5, 2.5, 1.0], [4.5, 2.5, 1.0]), walled);
    assert_eq!(shot(&map, [2.5, 2.5, 1.0], [2.5, 2.5, 1.0]), walled);
    // On the roof one stands free.
    assert_eq!(shot(&map, [2.5, 2.5, 3.0], [4.5, 2.5, 3.0]), None);
}

#[test]
fn a_shot_leaves_the_map_at_its_edge() {
    let map = small(&[], &[]);
    let edge = |share| Some((share, [0, 0], Obstacle::Edge));
    assert_eq!(shot(&map, [4.0, 2.5, 1.0], [8.0, 2.5, 1.0]), edge(0.25));
    assert_eq!(shot(&map, [1.0, 2.5, 900.0], [-3.0, 2.5, 900.0]), edge(0.25));
    assert_eq!(shot(&map, [2.5, 1.0, 1.0], [2.5, -9.0, 1.0]), edge(0.1));
    assert_eq!(shot(&map, [2.5, 2.5, 9.0], [2.5, 5.0, 9.0]), edge(1.0));
    assert_eq!(shot(&map, [2.5, 2.5, 9.0], [2.5, 0.0, 9.0]), None);
    assert_eq!(shot(&map, [-0.5, 2.5, 9.0], [2.5, 2.5, 9.0]), edge(0.0));
    // Nothing that is not a number stops the walk from ending.
    for odd in [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN] {
        for axis in 0..3 {
            let (mut from, mut to) = ([2.5; 3], [3.5; 3]);
            to[axis] = odd;
            let _ = map.first_contact(from, to);
            from[axis] = odd;
            let _ = map.first_contact(from, to);
            let _ = map.first_contact(from, [1.0; 3]);
        }
    }
}

#[test]
fn no_shot_slips_between_two_walls_that_meet_at_a_corner() {
    let both = small(&[[2, 1], [1, 2]], &[]);
    let ends = [[0.5, 0.5, 1.0], [3.5, 3.5, 1.0]];
    let held = shot(&both, ends[0], ends[1]).unwrap();
    assert_eq!((held.0, held.2), (0.5, Obstacle::Wall));
    let back = shot(&both, ends[1], ends[0]).unwrap();
    assert_eq!((back.0, back.2), (0.5, Obstacle::Wall));
    // One alone is passed, above both too, and a low step lets by what the wall would not.
    assert_eq!(shot(&small(&[[2, 1]], &[]), ends[0], ends[1]), None);
    assert_eq!(shot(&small(&[[1, 2]], &[]), ends[1], ends[0]), None);
    assert_eq!(shot(&both, [0.5, 0.5, 3.0], [3.5, 3.5, 3.0]), None);
    assert_eq!(shot(&small(&[[2, 1]], &[([1, 2], 1.0)]), ends[0], ends[1]), None);
    assert!(shot(&small(&[[2, 1]], &[([1, 2], 1.0625)]), ends[0], ends[1]).is_some());
    // The same over the other diagonal, and next to the corner on either side of it.
    let other = small(&[[1, 1], [2, 2]], &[]);
    assert!(shot(&other, [3.5, 0.5, 1.0], [0.5, 3.5, 1.0]).is_some());
    assert!(shot(&other, [0.5, 3.5, 1.0], [3.5, 0.5, 1.0]).is_some());
    for near in [1.0, -1.0].map(|sign: f32| sign / 65_536.0) {
        assert!(shot(&both, [0.5, 0.5 + near, 1.0], [3.5, 3.5, 1.0]).is_some());
    }
}

/// A map and a segment seen in a mirror or across the diagonal.
#[test]
fn a_mirror_changes_nothing() {
    let mut walls = 0;
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let side = 2 + random.below(7);
        let map = rough(&mut random, side, side);
        let cells = |place: &dyn Fn(u32, u32) -> u32| {
            let at = |i: u32| {
                map.index(place(i % side, i / side) % side, place(i % side, i / side) / side)
            };
            let list = (0..side * side).map(at);
            let (slowness, heights): (Vec<u8>, Vec<i16>) = list
                .map(|i| {
                    (
                        map.slowness()[i as usize],
                        map.heights().get(i as usize).copied().unwrap_or(0),
                    )
                })
                .unzip();
            let other = Map::from_slowness(side, side, 1.0, &slowness);
            other.with_heights(&heights, map.wall_height()).unwrap()
        };
        let flipped = cells(&|x, y| y * side + side - 1 - x);
        let turned = cells(&|x, y| x * side + y);
        for _ in 0..10 {
            // Odd steps: no end lies on a line, and no shot runs along one.
            let mut point =
                || [side, side, 6].map(|s| random.below(s * 512) as f32 / 512.0 + 1.0 / 1024.0);
            let (a, b) = (point(), point());
            let found = map.first_contact(a, b);
            let flip = |p: [f32; 3]| [side as f32 - p[0], p[1], p[2]];
            let turn = |p: [f32; 3]| [p[1], p[0], p[2]];
            let seen =
                [flipped.first_contact(flip(a), flip(b)), turned.first_contact(turn(a), turn(b))];
            for (i, other) in seen.into_iter().enumerate() {
                let (Some(own), Some(other)) = (found, other) else {
                    assert_eq!(found.is_some(), other.is_some(), "{a:?} {b:?}");
                    continue;
                };
                assert!((own.share - other.share).abs() < 1e-12, "{own:?} {other:?}");
                assert_eq!(own.obstacle == Obstacle::Edge, other.obstacle == Obstacle::Edge);
                let at = [0, 1].map(|k| f64::from(a[k]) + own.share * f64::from(b[k] - a[k]));
                let corner = at.iter().all(|v| (v - v.round()).abs() < 1e-6);
                if corner || own.obstacle == Obstacle::Edge {
                    continue;
                }
                let (x, y) = map.cell(own.cell);
                let place = if i == 0 { (side - 1 - x, y) } else { (y, x) };
                assert_eq!((other.obstacle, flipped.cell(other.cell)), (own.obstacle, place));
                walls += u32::from(own.obstacle == Obstacle::Wall);
            }
        }
    }
    assert!(walls > 1_000, "{walls} walls are met");
}

#[test]
fn a_replay_holds_the_heights() {
    let flat = Map::from_slowness(3, 2, 0.5, &[16, 0, 16, 16, 16, 32]);
    let maps = [
        flat.clone(),
        flat.clone().with_heights(&[], 0.0).unwrap(),
        flat.clone().with_heights(&[1, -2, 16_000, 4, 5, 6], 3.0).unwrap(),
        flat.with_heights(&[0, 0, 0, 0, 0, -7], 12.5).unwrap(),
    ];
    for map in maps {
        let world = World::<Fx>::new(map.clone(), Settings::default()).unwrap();
        let bytes = Recorder::start(&world, "hills", Vec::new()).unwrap().finish().unwrap();
        assert_eq!(*Replay::read(&bytes).unwrap().header.map, map);
    }
}

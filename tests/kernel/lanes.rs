//! Every kernel gives the same bits on 8 lanes and on one, at every length, and agrees with a plain
//! reference in `f64`.

use crate::common::kernel::{Kernel, check, check_kernels, random};
use throng::kernel::wall_limit::OpenCells;
use throng::kernel::{motion, sample, wall};
use throng::lane::{IntLane, Lane, Mask, Numbers};
use throng::map::Map;
use throng::math::{Numeric, hash3, unit_f64};
use throng::nav::field;
use throng::nav::field::GoalCells;

in_both!(no_step_ends_in_a_wall, steps_within_a_cell_end_in_it);

// Kernels, and how far `f32` and fixed point may be from the reference.
check_kernels! {
    limiting_a_vector: Limit, 1e-5, 2e-3;
    turning_steadily: Steady, 1e-5, 2e-3;
    the_wall_and_its_normal: Walls(map(2, 0.2)), 1e-3, 2e-2;
    wall_forces_agree_with_the_intersection_of_segments: Forces, 1e-5, 1e-3;
    discs_are_kept_off_walls: KeepOff, 1e-4, 2e-3;
    arithmetic: Arithmetic, 1e-2, 5e-3;
}

/// A map of random walls.
fn map(seed: u64, share: f64) -> Map {
    let cell = |i| if unit_f64(hash3(seed, 99, i)) < share { 0 } else { 16 };
    let mut cells: Vec<u8> = (0..48 * 40).map(cell).collect();
    cells[20 * 48 + 20] = 16;
    Map::from_slowness(48, 40, 0.5, &cells)
}

struct Limit;

impl Kernel for Limit {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        motion::limit([inputs[0], inputs[1]], inputs[2]).to_vec()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let most = random(2, row, 0.1, 9.0);
        let x = if row.is_multiple_of(7) { 0.0 } else { random(0, row, -20.0, 20.0) };
        vec![x, random(1, row, -20.0, 20.0) * (row % 3) as f64, most]
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        Some(motion::reference_limit([inputs[0], inputs[1]], inputs[2]).to_vec())
    }
}

struct Steady;

impl Kernel for Steady {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        motion::steady([inputs[0], inputs[1]], [inputs[2], inputs[3]], inputs[4]).to_vec()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let stood = row.is_multiple_of(7);
        let vel = |stream| random(stream, row, -4.0, 4.0);
        let former = [30, 31].map(|stream| if stood { 0.0 } else { vel(stream) });
        vec![vel(32), vel(33), former[0], former[1], random(34, row, 0.0, 1.0)]
    }

    /// A share of what is across the former velocity is taken away.
    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let &[x, y, from_x, from_y, share] = inputs else { panic!("five inputs") };
        let length = (from_x * from_x + from_y * from_y).sqrt();
        if length < 0.1 {
            return (length == 0.0).then(|| vec![x, y]);
        }
        let [left_x, left_y] = [-from_y / length, from_x / length];
        let across = share * (x * left_x + y * left_y);
        Some(vec![x - across * left_x, y - across * left_y])
    }
}

struct Sample {
    map: Map,
    codes: Vec<u32>,
}

impl Kernel for Sample {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        use throng::math::Num;
        let stride = self.map.stride() as usize;
        let scale = L::splat(L::Num::from_f64(1.0 / self.map.cell_size()));
        let corners = sample::corners(inputs[0], inputs[1], scale, stride as i32);
        let codes = sample::gather::<L>(&corners, |_, at| sample::quad(&self.codes, at, stride));
        let direction = sample::blend::<L>(&corners, &codes);
        let flag = L::select(direction.in_goal, L::one(), L::zero());
        vec![direction.x, direction.y, flag]
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        vec![random(3, row, 0.0, 23.99), random(4, row, 0.0, 19.99)]
    }

    /// The rule of the book, cell by cell.
    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let [u, v] = [inputs[0] / 0.5 - 0.5, inputs[1] / 0.5 - 0.5];
        let (i, j) = (u.floor(), v.floor());
        let (fx, fy) = (u - i, v - j);
        // Nearly in between, rounding may choose another own cell.
        if (fx - 0.5).abs() < 0.01 || (fy - 0.5).abs() < 0.01 {
            return None;
        }
        let code = |dx: i64, dy: i64| {
            let at = (j as i64 + dy + 1) * i64::from(self.map.stride()) + i as i64 + dx + 1;
            self.codes[at as usize]
        };
        let vector = |code: u32| {
            let (x, y) = (code as u16 as i16 & !1, (code >> 16) as u16 as i16);
            [f64::from(x) / 16_384.0, f64::from(y) / 16_384.0]
        };
        let own = (i64::from(fx > 0.5), i64::from(fy > 0.5));
        let own_code = code(own.0, own.1);
        if own_code == sample::SOLID {
            return None;
        }
        let mut sum = [0.0; 2];
        for dx in 0..2 {
            for dy in 0..2 {
                let weight =
                    if dx == 1 { fx } else { 1.0 - fx } * if dy == 1 { fy } else { 1.0 - fy };
                let across = dx != own.0 && dy != own.1;
                let sides = [code(dx, own.1), code(own.0, dy)];
                let hidden = across && sides.contains(&sample::SOLID);
                if code(dx, dy) != sample::SOLID && !hidden {
                    let [x, y] = vector(code(dx, dy));
                    sum = [sum[0] + weight * x, sum[1] + weight * y];
                }
            }
        }
        let length = (sum[0] * sum[0] + sum[1] * sum[1]).sqrt();
        // Nearly cancelled blends depend on rounding.
        if length < 0.2 {
            return None;
        }
        let flag = f64::from(own_code & 1);
        Some(vec![sum[0] / length, sum[1] / length, flag])
    }
}

#[test]
fn sampling_a_field() {
    let map = map(1, 0.2);
    let class = map.class(0.1);
    let goal = map.index(20, 20);
    let area = vec![goal, goal + 1];
    let codes = field::solve(&class, &GoalCells::new(vec![goal], area)).directions;
    check(&Sample { map, codes }, 1e-4, 5e-3);
}

struct Walls(Map);

impl Walls {
    fn distance(&self, x: f64, y: f64) -> f64 {
        let [u, v] = [x / 0.5 - 0.5, y / 0.5 - 0.5];
        let (i, j) = (u.floor(), v.floor());
        let (fx, fy) = (u - i, v - j);
        let at = |dx: i64, dy: i64| {
            let at = (j as i64 + dy + 1) * i64::from(self.0.stride()) + i as i64 + dx + 1;
            f64::from(self.0.wall_distance()[at as usize]) / 256.0
        };
        let upper = at(0, 0) * (1.0 - fx) + at(1, 0) * fx;
        let lower = at(0, 1) * (1.0 - fx) + at(1, 1) * fx;
        upper * (1.0 - fy) + lower * fy
    }
}

impl Kernel for Walls {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        use throng::math::Num;
        let stride = self.0.stride() as usize;
        let scale = L::splat(L::Num::from_f64(1.0 / self.0.cell_size()));
        let corners = sample::corners(inputs[0], inputs[1], scale, stride as i32);
        let found = wall::wall(&corners, wall::gather(&corners, stride, self.0.wall_distance()));
        vec![found.distance, found.normal[0], found.normal[1]]
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        vec![random(5, row, 0.0, 23.99), random(6, row, 0.0, 19.99)]
    }

    /// The gradient by central differences inside one bilinear patch.
    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let (x, y, h) = (inputs[0], inputs[1], 1e-4);
        let patch = |v: f64| (v / 0.5 - 0.5).floor();
        if patch(x - h) != patch(x + h) || patch(y - h) != patch(y + h) {
            return None;
        }
        let gx = (self.distance(x + h, y) - self.distance(x - h, y)) / (2.0 * h) * 0.5;
        let gy = (self.distance(x, y + h) - self.distance(x, y - h)) / (2.0 * h) * 0.5;
        let length = (gx * gx + gy * gy).sqrt();
        (length > 0.2).then(|| vec![self.distance(x, y), gx / length, gy / length])
    }
}

/// A straight wall along x at y = 0 with the agent above it, against the segment formula.
struct Forces;

impl Kernel for Forces {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let (normal, vel) = ([L::zero(), L::one()], [inputs[1], inputs[2]]);
        let ahead = wall::Wall { distance: inputs[0] + inputs[2], normal, slope: L::one() };
        let lean = L::Mask::from_fn(|_| false);
        wall::forces(&ahead, L::zero(), vel, lean).concat()
    }

    /// Height, and the velocity (for a second's look ahead).
    fn inputs(&self, row: u64) -> Vec<f64> {
        vec![random(7, row, 0.01, 0.4), random(8, row, -2.0, 2.0), random(9, row, -1.0, -0.01)]
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let wall = [[-9.0, 0.0], [9.0, 0.0]];
        let forces = wall::reference([0.0, inputs[0]], [inputs[1], inputs[2]], &[wall]);
        Some(forces.map_or(vec![0.0; 4], |forces| forces.concat()))
    }
}

/// Discs among walls around their cell.
struct KeepOff;

impl Kernel for KeepOff {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let &[x, y, radius, walls] = inputs else { unreachable!() };
        let walls = walls.floor_int();
        let found = wall::nearest([x, y], walls);
        [wall::keep_off([x, y], radius, walls), [found.distance, found.slope]].concat()
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let place = [0, 1].map(|i| random(20 + i, row, 0.0, 0.999));
        vec![place[0], place[1], random(22, row, 0.05, 1.0), random(23, row, 0.0, 256.0).floor()]
    }

    /// Where discs touch, rounding decides.
    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let &[x, y, radius, walls] = inputs else { unreachable!() };
        let walls: [bool; 8] = std::array::from_fn(|bit| walls as u32 >> bit & 1 == 1);
        let squares = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];
        let length = |x: f64, y: f64| (x * x + y * y).sqrt();
        let distance = |[i, j]: [i32; 2]| {
            let aside = |v: f64, low: f64| (low - v).max(v - low - 1.0).max(0.0);
            length(aside(x, f64::from(i)), aside(y, f64::from(j)))
        };
        let distances = squares.map(distance);
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let clear = corners.iter().all(|[a, b]| {
            let far = length(x - a, y - b);
            far > 0.05 && (far - radius).abs() > 0.01
        });
        let all = distances.iter().zip(walls).filter(|(_, wall)| *wall);
        let nearest = all.map(|(distance, _)| *distance).fold(2.0, f64::min);
        let kept = wall::reference_keep_off([x, y], radius, walls);
        if nearest >= radius {
            assert_eq!(kept, [x, y], "a disc that touches nothing stays");
        }
        assert!(kept.iter().all(|v| (0.0..=1.0).contains(v)), "it stays in its cell");
        clear.then(|| vec![kept[0], kept[1], nearest, 1.0])
    }
}

/// The forces of one wall, in a hall of 12 m, on cells of any size.
#[test]
fn wall_forces_do_not_depend_on_the_size_of_cells() {
    let force = |cell: f64, [x, y]: [f64; 2]| {
        let side = (12.0 / cell).round() as u32;
        let first = (6.0 / cell).round() as u32;
        let column = |i: u32| if i % side >= first { 0 } else { 16 };
        let map =
            Map::from_slowness(side, side, cell, &(0..side * side).map(column).collect::<Vec<_>>());
        let stride = map.stride() as usize;
        let scale = 1.0 / cell as f32;
        let corners = sample::corners(x as f32, y as f32, scale, stride as i32);
        let mut ahead = wall::wall(&corners, wall::gather(&corners, stride, map.wall_distance()));
        ahead.distance *= cell as f32;
        wall::forces(&ahead, 0.6, [0.5, 0.25], true)
    };
    for i in 0..40 {
        let at = [5.2 + 0.02 * f64::from(i), 4.0 + 0.07 * f64::from(i)];
        let depth = (0.6 - (6.0 - at[0])).max(0.0) as f32;
        for cell in [0.1, 0.25, 0.5, 1.0, 2.0] {
            let [away, along] = force(cell, at);
            let expected = [[-depth, 0.0], [0.0, depth]];
            for (found, expected) in [away, along].concat().iter().zip(expected.concat()) {
                assert!((found - expected).abs() < 1e-3, "{cell} m, {at:?}: {away:?} {along:?}");
            }
        }
    }
}

/// No push of walls stops an agent: what is left goes forward with half the speed at least.
#[test]
fn a_push_of_walls_stops_nobody() {
    for (push, expected) in
        [([-100.0, 3.0], [-2.8, 3.0]), ([-2.0, 3.0], [-2.0, 3.0]), ([5.0, -9.0], [5.0, -9.0])]
    {
        let found: [f32; 2] = wall::no_stop(push, [1.4, 0.0], 4.0);
        assert!((found[0] - expected[0]).abs() < 1e-5 && found[1] == expected[1], "{found:?}");
    }
    assert_eq!(wall::no_stop([-7.0_f32, 3.0], [0.0, 0.0], 4.0), [-7.0, 3.0]);
}

/// Arithmetic that every kernel rests on.
struct Arithmetic;

impl Kernel for Arithmetic {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let [a, b] = [inputs[0], inputs[1]];
        let positive = b.abs() + L::one();
        vec![
            a + b,
            a - b,
            a * b,
            a.larger(b),
            a.smaller(b),
            a.abs(),
            -a,
            positive.sqrt(),
            a.abs().ratio(a.abs() + positive),
            L::length(a, b),
            L::from_int(a.floor_int()),
        ]
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        vec![random(10, row, -150.0, 150.0), random(11, row, -150.0, 150.0)]
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let [a, b] = [inputs[0], inputs[1]];
        let positive = b.abs() + 1.0;
        let ratio = a.abs() / (a.abs() + positive);
        let length = (a * a + b * b).sqrt();
        let (high, low) = (a.max(b), a.min(b));
        let root = positive.sqrt();
        Some(vec![a + b, a - b, a * b, high, low, a.abs(), -a, root, ratio, length, a.floor()])
    }
}

/// The guard never lets a step end in a wall, however long it is.
fn no_step_ends_in_a_wall<N: Numbers>() {
    let map = map(3, 0.35);
    let size = [map.width(), map.height()];
    let ground = OpenCells::<N>::new(map.wall_distance(), size, map.cell_size());
    let (mut free, mut held) = (0, 0);
    for row in 0..20_000 {
        let from = [random(12, row, 0.0, 23.99), random(13, row, 0.0, 19.99)].map(N::from_f64);
        if !ground.is_open(ground.cell(from)) {
            continue;
        }
        let reach = if row % 2 == 0 { 0.4 } else { 9.0 };
        let delta = [random(14, row, -reach, reach), random(15, row, -reach, reach)];
        let to = [from[0] + N::from_f64(delta[0]), from[1] + N::from_f64(delta[1])];
        let end = ground.step(from, to);
        assert!(ground.is_open(ground.cell(end)), "row {row}: {from:?} to {to:?} ends in {end:?}");
        if end == to { free += 1 } else { held += 1 }
    }
    assert!(free > 1_000 && held > 1_000, "both must occur: {free} free, {held} held");
}

/// What the guard takes for a step within a cell is one for the map, too, a few steps of the numbers
/// from the edges of cells, whatever the side of a cell.
fn steps_within_a_cell_end_in_it<N: Numbers>() {
    let (mut same, mut unsure) = (0, 0);
    for cell in [0.1, 0.3, 0.5, 0.7, 1.5, 3.0, 5.0, 10.0] {
        let map = Map::from_slowness(200, 4, cell, &[16; 800]);
        let size = [map.width(), map.height()];
        let ground = OpenCells::<N>::new(map.wall_distance(), size, cell);
        for row in 0..4_000 {
            let edge = random(20, row, 1.0, 199.99).floor() * cell;
            let step = match N::NUMERIC {
                Numeric::F32 => N::STEP * edge,
                Numeric::Fixed => N::STEP,
            };
            // Every other step is long enough to be clear of the edge.
            let reach = if row % 2 == 0 { 4.0 } else { 4_000.0 };
            let ends = [21, 22].map(|stream| {
                let x = edge + random(stream, row, -reach, reach) * step;
                [x, 1.5 * cell].map(N::from_f64)
            });
            let [from, to] = ends.map(|end| end.map(N::Single::splat));
            let cells = ends.map(|end| ground.cell(end));
            if ground.is_same(from, to).any() {
                assert_eq!(cells[0], cells[1], "sides of {cell} m: {ends:?}");
                same += 1;
            } else {
                unsure += usize::from(cells[0] == cells[1]);
            }
        }
    }
    assert!(same > 1_000 && unsure > 1_000, "{same} are the same for sure, {unsure} too");
}

/// Integers of 64 bits come apart into halves and are joined again, on 8 lanes and on one; and masks are
/// all bits or none.
#[test]
fn halves_are_joined_again() {
    fn check<L: Lane>() {
        let words: [u64; 8] = std::array::from_fn(|i| hash3(5, 0, i as u64));
        let joined = L::Int::joined(L::Int::halves(&words));
        assert_eq!(joined[..L::WIDTH], words[..L::WIDTH]);
        let mask = L::Mask::from_fn(|i| words[i] & 1 == 1);
        let all = L::Int::from_mask(mask);
        assert!((0..L::WIDTH).all(|i| all.get(i) == -((words[i] & 1) as i32)));
    }
    check::<throng::lane::F32x8>();
    check::<f32>();
}

/// Of a raster's last cells none has all four.
#[test]
fn beyond_the_end_of_a_raster_there_is_no_code() {
    let codes: Vec<u32> = (1..=12).collect();
    assert_eq!(sample::quad(&codes, 6, 4), [[7, 8], [11, 12]]);
    assert_eq!(sample::quad(&codes, 7, 4), [[0; 2]; 2]);
    assert_eq!(sample::quad(&[], 0, 4), [[0; 2]; 2]);
}

//! The own side: the same bits on 8 lanes and on one, the answers of a plain reference, and streams
//! of agents that avoid by choice of velocity in a corridor.

use throng::kernel::own_side;
use throng::kernel::own_side::OwnSide;
use throng::lane::{F32x8, F64x8, Mask, Numbers, Real};
use throng::math::{Fx, hash3, unit_f64};
use throng::world::Avoidance;
use throng::{GroupDef, Map, Settings, Shape, Simulation};

/// A desired velocity (m/s), a radius (m), and neighbours: positions (m) and velocities (m/s).
type Scene = ([f64; 2], f64, Vec<([f64; 2], [f64; 2])>);

/// A multiple of 1/256 between two numbers.
fn random(stream: u64, row: u64, low: f64, high: f64) -> f64 {
    let value = low + (high - low) * unit_f64(hash3(78, row, stream));
    (value * 256.0).floor() / 256.0
}

fn scene(row: u64) -> Scene {
    let other = |i: u64| {
        let number = |k, most: f64| random(10 + 4 * i + k, row, -most, most);
        ([number(0, 3.0), number(1, 3.0)], [number(2, 1.0), number(3, 1.0)])
    };
    let desired = [0, 1].map(|k| if row % 11 == 3 { 0.0 } else { random(k, row, -2.0, 2.0) });
    (desired, random(2, row, 0.125, 0.5), (0..row % 4).map(other).collect())
}

/// The half-planes of scenes, normal and offset, `R` lanes at a time.
fn run<R: Real>(scenes: &[Scene]) -> Vec<[f64; 3]> {
    let mut planes = Vec::new();
    for block in scenes.chunks(R::WIDTH) {
        let lane = |i: usize| &block[i.min(block.len() - 1)];
        let desired = [0, 1].map(|k| R::from_fn(|i| lane(i).0[k]));
        let mut side = OwnSide::new(desired, R::from_fn(|i| lane(i).1));
        for slot in 0..4 {
            let other = |i: usize| lane(i).2.get(slot).copied().unwrap_or(([1.0, 0.0], [-9.0; 2]));
            let pos = [0, 1].map(|k| R::from_fn(|i| other(i).0[k]));
            let vel = [0, 1].map(|k| R::from_fn(|i| other(i).1[k]));
            side.add(pos, vel, R::Mask::from_fn(|i| lane(i).2.len() > slot));
        }
        let plane = side.plane();
        let [x, y] = plane.normal;
        planes.extend((0..block.len()).map(|i| [x.get(i), y.get(i), plane.offset.get(i)]));
    }
    planes
}

#[test]
fn lanes_agree_with_one_lane_and_with_the_reference() {
    let mut met = [0, 0];
    for rows in (0..=26).chain([6_000]) {
        let scenes: Vec<Scene> = (0..rows).map(scene).collect();
        let single = run::<f32>(&scenes);
        assert_eq!(run::<F32x8>(&scenes), single, "f32");
        let exact = run::<F64x8>(&scenes);
        assert_eq!(exact, run::<f64>(&scenes), "the real numbers of fixed point");
        for ((desired, radius, others), [x, y, offset]) in scenes.iter().zip(exact) {
            // Skip scenes where rounding decides which agents are in the way.
            let [wider, thinner] =
                [1.001, 0.999].map(|factor| own_side::reference(*desired, radius * factor, others));
            if wider != thinner {
                continue;
            }
            met[usize::from(wider)] += 1;
            let speed = (desired[0] * desired[0] + desired[1] * desired[1]).sqrt();
            if !wider {
                assert!(offset < -1e5, "no plane binds without oncoming agents");
                continue;
            }
            assert!((offset + 0.05 * speed).abs() < 1e-9, "{offset}");
            assert!((x + desired[1] / speed).abs() < 1e-9 && (y - desired[0] / speed).abs() < 1e-9);
        }
    }
    assert!(met.iter().all(|&count| count > 300), "{met:?}");
}

/// Two groups of 250 that go through each other's end of a corridor of 3 m by 60 m. Without an own
/// side they take 181 s and more.
fn corridor<N: Numbers>() {
    let mut cells = vec![16; 192 * 40];
    for (i, cell) in cells.iter_mut().enumerate() {
        let (x, y) = (i % 192, i / 192);
        *cell = if (36..156).contains(&x) && !(17..23).contains(&y) { 0 } else { 16 };
    }
    let map = Map::from_slowness(192, 40, 0.5, &cells);
    let mut sim = Simulation::<N>::new(map, Settings::default()).unwrap();
    let ends = [Shape::rect([1.0, 1.0], [17.0, 19.0]), Shape::rect([79.0, 1.0], [95.0, 19.0])];
    for [from, to] in [[0, 1], [1, 0]] {
        let def = GroupDef { avoidance: Avoidance::Orca, ..GroupDef::default() };
        let group = sim.add_group(def).unwrap();
        sim.spawn(group, ends[from].clone(), 250).unwrap();
        sim.send(group, ends[to].clone()).unwrap();
    }
    for second in 0.. {
        (0..20).for_each(|_| sim.step());
        let arrived = sim.world().arrived();
        assert!(arrived == 500 || second < 165, "{arrived} of 500 are in after {second} s");
        if arrived == 500 {
            break;
        }
    }
}

#[test]
fn streams_leave_each_other_half_of_a_corridor() {
    corridor::<f32>();
    corridor::<Fx>();
}

//! How a crowd presses: depths, quantiles, agents that pass through each other.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::report::crush::CrushMeter;
use throng::report::measures::Depths;
use throng::report::observer::Observer;
use throng::report::passes::{PassMeter, Passes};
use throng::report::{Crowd, measures};
use throng::scenario::{Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::World;

use crate::report::{Owned, coordinate, map, radius};

/// The depths of all pairs in radii, ascending.
fn depths_plainly(crowd: &Crowd) -> Vec<f64> {
    let mut depths = Vec::new();
    for one in 0..crowd.len() {
        for two in 0..one {
            let radius = |row: usize| f64::from(crowd.radii[usize::from(crowd.groups[row])]);
            let apart = distance(crowd.positions[one], crowd.positions[two]);
            let depth = radius(one) + radius(two) - apart;
            let smaller = radius(one).min(radius(two));
            if smaller > 0.0 && depth > 1e-4 {
                depths.push(depth / smaller);
            }
        }
    }
    depths.sort_by(f64::total_cmp);
    depths
}

fn distance(one: [f32; 2], two: [f32; 2]) -> f64 {
    let [dx, dy] = [0, 1].map(|axis| f64::from(one[axis]) - f64::from(two[axis]));
    (dx * dx + dy * dy).sqrt()
}

/// A hundred pairs of discs of 1 m, of depths from 1/128 to 100/128, which floats hold exactly; and
/// an agent of 0.25 m in the disc of one of 1 m, at a depth of 3.
fn known() -> Owned {
    let mut positions = Vec::new();
    for pair in 0..100_u8 {
        let [x, y] = [pair % 10, pair / 10].map(|place| f32::from(place) * 6.0);
        positions.extend([[x, y], [x + 2.0 - f32::from(pair + 1) / 128.0, y]]);
    }
    let mut crowd = Owned::new(positions, &[1.0, 0.25]);
    crowd.groups.fill(0);
    crowd.positions.extend([[62.0, 3.0], [62.5, 3.0]]);
    crowd.groups.extend([0, 1]);
    crowd.flags.extend([0, 3]);
    crowd.ids.extend([900, 300]);
    crowd
}

#[test]
fn depths_of_a_known_crowd() {
    let crowd = known();
    let found = measures::depths(&crowd.view(), &map());
    assert_eq!((found.overlaps.pairs, found.overlaps.max_overlap_radii), (101, 3.0));
    // Beyond 32/128, 64/128 and 128/128, and the one at 3.
    assert_eq!(found.deeper, [68 + 1, 36 + 1, 1]);
    // The 51st of 101 is at 51/128 = 102/256; the 100th, at 100/128.
    let quantiles = [0.0, 0.5, 0.99, 1.0].map(|share| found.quantile(share));
    assert_eq!(quantiles, [3.0 / 256.0, 103.0 / 256.0, 201.0 / 256.0, 3.0]);
    assert_eq!(Depths::default().quantile(0.5), 0.0);
}

#[test]
fn a_run_is_the_mean_of_its_samples_and_the_quantile_of_its_pairs() {
    let mut meter = CrushMeter::default();
    let (crowd, map) = (known(), map());
    let agents = crowd.positions.len();
    meter.take(20, agents, &measures::depths(&crowd.view(), &map));
    // No overlaps; no agents.
    meter.take(40, 10, &Depths::default());
    meter.take(60, 0, &Depths::default());
    // Two equal discs on each other.
    let two = Owned::new(vec![[5.0, 5.0]; 2], &[0.5]);
    meter.take(80, 2, &measures::depths(&two.view(), &map));
    let crush = meter.crush(Passes { same: 3, other: 4 });
    let mean = |first: f64| (first * 1e3 / 202.0 + 1e3 / 2.0) / 3.0;
    let close = |found: f64, wanted: f64| (found - wanted).abs() < 1e-9;
    assert!(close(crush.pairs_per_1000, mean(101.0)), "{crush:?}");
    assert!(close(crush.deeper_25, mean(69.0)), "{crush:?}");
    assert!(close(crush.deeper_50, mean(37.0)), "{crush:?}");
    assert!(close(crush.deeper_100, mean(1.0)), "{crush:?}");
    assert_eq!((crush.worst_deeper_25, crush.worst_at), (500.0, 80));
    // The 51st and the 101st of 102.
    assert_eq!([crush.overlap_p50, crush.overlap_p99], [103.0 / 256.0, 513.0 / 256.0]);
    assert_eq!(crush.overlap_max, 3.0);
    assert_eq!((crush.passed_through_same, crush.passed_through_other), (3, 4));
}

proptest! {
    #[test]
    fn depths_are_those_of_all_pairs(
        positions in prop::collection::vec([coordinate(), coordinate()], 0..200),
        radii in prop::collection::vec(radius(), 1..5),
    ) {
        let crowd = Owned::new(positions, &radii);
        let found = measures::depths(&crowd.view(), &map());
        let plain = depths_plainly(&crowd.view());
        prop_assert_eq!(found.overlaps.pairs, plain.len() as u64);
        let deeper = [0.25, 0.5, 1.0].map(|limit| plain.iter().filter(|&&d| d > limit).count());
        prop_assert_eq!(found.deeper, deeper.map(|count| count as u64));
        for share in [0.1, 0.5, 0.9, 0.99] {
            let nth = (share * plain.len() as f64).ceil() as usize;
            let wanted = plain.get(nth.max(1) - 1).copied().unwrap_or(0.0);
            let quantile = found.quantile(share);
            let fine = (wanted - 1e-9..=wanted + 1.0 / 256.0).contains(&quantile);
            // All that is deeper than 64 radii is one bin.
            prop_assert!(fine || wanted > 63.9, "{} of {}: {}", share, wanted, quantile);
        }
    }
}

/// Looks at agents of 0.5 m, each with an id, a group and a place; rows turn from look to look.
fn look(meter: &mut PassMeter, tick: u64, agents: &[(u32, u16, f32)]) -> (u64, u64) {
    let mut rows = agents.to_vec();
    rows.rotate_left(tick as usize % agents.len().max(1));
    let mut crowd = Owned::new(rows.iter().map(|row| [row.2, 10.0]).collect(), &[0.5, 0.5]);
    crowd.ids = rows.iter().map(|row| row.0).collect();
    crowd.groups = rows.iter().map(|row| row.1).collect();
    meter.observe(tick, &crowd.view(), &map());
    let passes = meter.passes();
    (passes.same, passes.other)
}

#[test]
fn two_who_pass_through_each_other_count_once_a_time() {
    for (groups, wanted) in [([0, 0], [(1, 0), (2, 0)]), ([0, 1], [(0, 1), (0, 2)])] {
        let mut meter = PassMeter::new(0.1);
        // From 0.2 m to 9.8 m and from 9.8 m to 0.2 m, and back, past an agent that keeps clear.
        for tick in 0..200_u64 {
            let step = if tick < 100 { tick } else { 199 - tick } as f32;
            let x = 0.2 + step * (9.6 / 99.0);
            let agents = [(70, groups[0], x), (4, groups[1], 10.0 - x), (5, 0, 60.0)];
            let found = look(&mut meter, tick, &agents);
            match tick {
                0..45 => assert_eq!(found, (0, 0), "{tick}"),
                55..145 => assert_eq!(found, wanted[0], "{tick}"),
                155.. => assert_eq!(found, wanted[1], "{tick}"),
                _ => {}
            }
        }
    }
}

#[test]
fn an_encounter_lasts_until_the_discs_have_parted() {
    let mut meter = PassMeter::new(0.1);
    // Half the sum of the radii is 0.5 m, their sum 1 m.
    let ways = [
        (1.2, 0),
        (0.51, 0),
        (0.49, 1),
        (0.6, 1),
        (0.4, 1),
        (0.99, 1),
        (0.0, 1),
        (1.01, 1),
        (0.51, 1),
        (0.49, 2),
    ];
    for (tick, (apart, passes)) in (0..).zip(ways) {
        let found = look(&mut meter, tick, &[(1, 0, 20.0), (2, 0, 20.0 + apart)]);
        assert_eq!(found, (passes, 0), "{tick}");
    }
    // An agent goes; one that takes its id appears on the other agent: it has not come nearer.
    look(&mut meter, 10, &[(1, 0, 20.0)]);
    for (tick, apart, passes) in [(11, 0.3, 2), (12, 0.2, 2), (13, 1.1, 2), (14, 0.3, 3)] {
        let found = look(&mut meter, tick, &[(1, 0, 20.0), (2, 0, 20.0 + apart)]);
        assert_eq!(found, (passes, 0), "{tick}");
    }
    // Nor have agents that are there from the start.
    let mut meter = PassMeter::new(0.1);
    for tick in 0..5 {
        assert_eq!(look(&mut meter, tick, &[(1, 0, 20.0), (2, 1, 20.1)]), (0, 0));
    }
}

#[test]
fn looks_are_at_most_a_tenth_of_a_second_apart() {
    for (rate, every) in [(1, 1), (9, 1), (10, 1), (20, 2), (30, 3), (59, 5), (60, 6)] {
        let mut meter = PassMeter::new(1.0 / f64::from(rate));
        for tick in 7..40 {
            assert_eq!(meter.is_due(tick), (tick - 7) % every == 0, "{rate} {tick}");
            look(&mut meter, tick, &[(0, 0, 5.0)]);
        }
    }
}

/// The definition, pair by pair: pairs that are near, and pairs that have parted.
#[derive(Default)]
struct Plain {
    before: BTreeSet<u32>,
    /// Pairs that have been near and have not parted since.
    open: BTreeSet<(u32, u32)>,
    passes: Passes,
    /// Pairs that are near, counted at every look.
    near: u64,
}

impl Plain {
    fn look(&mut self, crowd: &Crowd) {
        let mut open = BTreeSet::new();
        for one in 0..crowd.len() {
            for two in 0..crowd.len() {
                let pair = (crowd.ids[one], crowd.ids[two]);
                if pair.0 >= pair.1 {
                    continue;
                }
                let radius = |row: usize| f64::from(crowd.radii[usize::from(crowd.groups[row])]);
                let apart = distance(crowd.positions[one], crowd.positions[two]);
                let sum = radius(one) + radius(two);
                let is_near = apart < sum / 2.0 && radius(one) * radius(two) > 0.0;
                self.near += u64::from(is_near);
                if is_near
                    && !self.open.contains(&pair)
                    && self.before.is_superset(&[pair.0, pair.1].into())
                {
                    let same = crowd.groups[one] == crowd.groups[two];
                    self.passes.same += u64::from(same);
                    self.passes.other += u64::from(!same);
                }
                if is_near || (self.open.contains(&pair) && apart < sum - 1e-4) {
                    open.insert(pair);
                }
            }
        }
        self.open = open;
        self.before = crowd.ids.iter().copied().collect();
    }
}

/// Agents that walk to and fro in a square, some of them away at times.
fn walkers(count: usize, extent: f32, radii: &[f32], seed: u32) -> impl Iterator<Item = Owned> {
    let places = crate::report::scatter(count, seed, extent);
    let ways = crate::report::scatter(count, seed + 1, 2.0);
    let radii = radii.to_vec();
    (0..80_u16).map(move |time| {
        let mut crowd = Owned::new(Vec::new(), &radii);
        for (id, (place, way)) in places.iter().zip(&ways).enumerate() {
            if (id + usize::from(time) / 7) % 9 == 0 {
                continue;
            }
            let at = |axis: usize| {
                let gone = place[axis] + (way[axis] - 1.0) * 0.15 * f32::from(time);
                let turn = gone.rem_euclid(2.0 * extent);
                if turn > extent { 2.0 * extent - turn } else { turn }
            };
            crowd.positions.push([at(0), at(1)]);
            crowd.ids.push(id as u32);
            crowd.groups.push((id % radii.len()) as u16);
            crowd.flags.push(0);
        }
        crowd
    })
}

#[test]
fn passes_are_those_of_all_pairs() {
    let map = map();
    let cases = [
        (60, 12.0, 30.0, &[0.3][..], 1),
        (150, 20.0, -9.0, &[0.3, 0.5], 2),
        (200, 40.0, 5.0, &[0.2, 0.5, 3.0, 0.31], 3),
        (90, 9.0, 800.0, &[0.4, 0.1, 0.0], 4),
    ];
    for (count, extent, from, radii, seed) in cases {
        let (mut meter, mut plain) = (PassMeter::new(0.1), Plain::default());
        for (tick, mut crowd) in (0..).zip(walkers(count, extent, radii, seed)) {
            // Around the corner of the map, and far from it, too.
            crowd.positions.iter_mut().flatten().for_each(|at| *at += from);
            meter.observe(tick, &crowd.view(), &map);
            plain.look(&crowd.view());
            assert_eq!(meter.passes(), plain.passes, "seed {seed}, tick {tick}");
        }
        let Passes { same, other } = plain.passes;
        assert!(same > 20 && (other > 20 || radii.len() == 1), "seed {seed}: {:?}", plain.passes);
        assert!(plain.near > 2 * (same + other), "seed {seed}: looks and encounters are the same");
    }
}

#[test]
fn passes_do_not_depend_on_threads_or_row_order() {
    let map = Map::from_slowness(300, 300, 1.0, &vec![16; 90_000]);
    let mut found = BTreeMap::new();
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for turned in [false, true] {
            let mut meter = PassMeter::new(0.1);
            for (tick, mut crowd) in (0..).zip(walkers(20_000, 200.0, &[0.3, 0.6], 5).take(6)) {
                if turned {
                    crowd.positions.reverse();
                    crowd.groups.reverse();
                    crowd.ids.reverse();
                }
                pool.install(|| meter.observe(tick, &crowd.view(), &map));
            }
            let Passes { same, other } = meter.passes();
            found.insert((same, other), (threads, turned));
        }
    }
    assert!(found.len() == 1 && found.keys().all(|&(same, _)| same > 1_000), "{found:?}");
}

/// Two agents that do not heed each other change places, and a third stands; at 400 ticks the two go
/// back.
const DUEL: &str = r#"
    ticks = 800
    [settings]
    contact_passes = 0
    [map]
    size = [40, 20]
    [[group]]
    name = "right"
    avoidance = "none"
    spawn = { point = [5.5, 10.5] }
    goal = { disc = [34.5, 10.5, 1] }
    [[group]]
    name = "left"
    avoidance = "none"
    spawn = { point = [34.5, 10.5] }
    goal = { disc = [5.5, 10.5, 1] }
    [[group]]
    name = "stands"
    spawn = { point = [20.5, 2.5] }
    [[order]]
    tick = 400
    move = "right"
    goal = { disc = [5.5, 10.5, 1] }
    [[order]]
    tick = 400
    move = "left"
    goal = { disc = [34.5, 10.5, 1] }
"#;

fn plan(text: &str) -> Plan {
    let def = ScenarioDef::parse(text, "made").unwrap_or_else(|error| panic!("{error}"));
    let map = def.load_map(&|path| panic!("{path}")).unwrap();
    Plan::new(&def, map).unwrap_or_else(|error| panic!("{error}"))
}

/// What an observer saw of the first ticks.
fn observed<N: Numbers>(plan: &Plan, ticks: u64, by_state: bool) -> Observer {
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).unwrap();
    let (mut scratch, mut observer) = (Scratch::new(), Observer::new(world.dt(), Vec::new()));
    if by_state {
        observer = observer.by_state(vec![0, 1, 3], vec![[0; 3]; 4]);
    }
    for now in 0..ticks {
        let orders: Vec<_> = plan.orders_at(now).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        observer.observe(&world);
    }
    observer.finish(&world);
    observer
}

#[test]
fn agents_of_a_world_pass_through_each_other() {
    let duel = plan(DUEL);
    let passes = |observer: Observer| {
        let crush = observer.observed().crush;
        (crush.passed_through_same, crush.passed_through_other)
    };
    assert_eq!(passes(observed::<f32>(&duel, 100, false)), (0, 0));
    assert_eq!(passes(observed::<f32>(&duel, 400, false)), (0, 1));
    assert_eq!(passes(observed::<f32>(&duel, 800, false)), (0, 2));
    assert_eq!(passes(observed::<Fx>(&duel, 800, false)), (0, 2));
    assert_eq!(passes(observed::<f32>(&duel, 800, true)), (0, 2));
    let crush = observed::<f32>(&duel, 800, false).observed().crush;
    assert!(crush.overlap_max > 0.5 && crush.worst_at.is_multiple_of(20), "{crush:?}");
    // Of one group, each to the point opposite its own.
    let one = plan(
        "ticks = 400\n[settings]\ncontact_passes = 0\n[map]\nsize = [40, 20]\n\
         [[group]]\nname = \"all\"\navoidance = \"none\"\nopposite = [20, 10]\n\
         spawn = { any = [{ point = [5.5, 10] }, { point = [34.5, 10] }, { point = [20, 2.5] }] }\n",
    );
    let observer = observed::<f32>(&one, 400, false);
    let found = passes(observer);
    assert!(found.0 >= 1 && found.1 == 0, "{found:?}");
}

#[test]
fn a_run_below_a_second_has_a_sample_at_its_end() {
    let group = |name: &str| {
        format!(
            "[[group]]\nname = \"{name}\"\nspawn = {{ point = [5.5, 10.5] }}\navoidance = \"none\"\n"
        )
    };
    let map = "ticks = 9\n[settings]\ncontact_passes = 0\n[map]\nsize = [40, 20]\n";
    let plan = plan(&format!("{map}{}{}", group("one"), group("two")));
    let observer = observed::<f32>(&plan, 3, false);
    let crush = observer.observed().crush;
    assert_eq!(
        (crush.pairs_per_1000, observer.observed().overlapping_pairs),
        (500.0, 1),
        "{crush:?}"
    );
    assert!(crush.overlap_max > 0.0 && crush.overlap_max == crush.overlap_p50, "{crush:?}");
    // They appeared in each other.
    assert_eq!((crush.passed_through_same, crush.passed_through_other), (0, 0));
}

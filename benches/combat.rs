//! Two armies that shoot at each other: whole ticks, and the aim stage's share of them. Each
//! benchmark asserts its answer first.
//!
//! The time of an element is the time of an agent, on one thread. A fight goes on for as long as it
//! is timed, and begins again after some ticks, so that there are always many left.

use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::math::{Fx, hash3, unit_f64};
use throng::state::digest;
use throng::tick::{Probe, Scratch, Stage, tick, tick_with};
use throng::world::{Choice, GroupDef, Settings, WeaponDef, World};

/// Agents of an army.
const ARMY: u32 = 20_000;
/// Ticks before a fight counts, and until it begins again.
const WARM_UP: u64 = 60;
const FIGHT: u64 = 120;

/// How two armies stand, and how they choose.
#[derive(Clone, Copy)]
struct Battle {
    name: &'static str,
    /// Among each other, and not 60 m apart.
    mixed: bool,
    range: f64,
    choice: Choice,
    sticky: bool,
}

const BATTLES: [Battle; 6] = {
    let plain =
        Battle { name: "", mixed: false, range: 100.0, choice: Choice::Nearest, sticky: true };
    [
        Battle { name: "apart", ..plain },
        Battle { name: "mixed", mixed: true, ..plain },
        Battle { name: "apart, nearest anew", sticky: false, ..plain },
        Battle { name: "mixed, nearest anew", mixed: true, sticky: false, ..plain },
        Battle {
            name: "mixed, weakest anew",
            mixed: true,
            sticky: false,
            choice: Choice::Weakest,
            ..plain
        },
        Battle {
            name: "apart, weakest anew, 150 m",
            range: 150.0,
            sticky: false,
            choice: Choice::Weakest,
            ..plain
        },
    ]
};

impl Battle {
    /// The armies at half an agent a square metre, on a shaken lattice.
    fn world<N: Numbers>(self) -> World<N> {
        let (wide, deep) = (200.0, 200.0);
        let side = if self.mixed { 290 } else { 470 };
        let map = Map::from_slowness(side, 290, 1.0, &vec![16; side as usize * 290]);
        let mut world = World::<N>::new(map, Settings::default()).expect("a map that fits");
        let Self { range, choice, sticky, .. } = self;
        let def = WeaponDef { range, choice, sticky, damage: 10.0, ..WeaponDef::default() };
        let weapon = world.add_weapon(def).expect("a good weapon");
        for army in 0..2_u8 {
            let def = GroupDef {
                team: army,
                foes: 2 >> army,
                weapon: Some(weapon),
                ..GroupDef::default()
            };
            let group = world.add_group(def).expect("a good group");
            let columns: u32 = if self.mixed { 202 } else { 141 };
            let (step, all) = (if self.mixed { 1.41 } else { wide / 141.0 }, 2 * ARMY);
            let place = |i: u32| {
                let shake = |axis: u64| 0.1 + 0.8 * unit_f64(hash3(9, axis, u64::from(i)));
                let left = if self.mixed || army == 0 { 2.0 } else { 2.0 + deep + 60.0 };
                let [x, y] = [f64::from(i % columns) + shake(0), f64::from(i / columns) + shake(1)];
                [left + x * step, 2.0 + y * step]
            };
            let places: Vec<_> = if self.mixed {
                let own = |i: &u32| (hash3(10, 0, u64::from(*i)) % 2) as u8 == army;
                (0..all).filter(own).map(place).collect()
            } else {
                (0..ARMY).map(place).collect()
            };
            world.spawn(group, &places).expect("open places");
        }
        world
    }
}

/// Times a stage.
struct Watch {
    since: Instant,
    aim: Duration,
    all: Duration,
}

impl Probe for Watch {
    fn ended<N: Numbers>(&mut self, stage: Stage, _: &World<N>, _: &Scratch<N>) {
        let now = Instant::now();
        if stage == Stage::Aim {
            self.aim += now - self.since;
        }
        self.all += now - self.since;
        self.since = now;
    }
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// The digest and the shots after some ticks.
fn fought<L: Lane>(world: &World<L::Num>, ticks: u64) -> (u64, u64) {
    let (mut world, mut scratch) = (world.clone(), Scratch::new());
    (0..ticks).for_each(|_| tick_with::<L>(&mut world, &[], &mut scratch, &mut ()));
    throng::state::validate(&world).unwrap();
    (digest(&world), world.weapons()[0].tally.fired)
}

/// Times either whole ticks or their aim stages.
fn time<N: Numbers>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    world: &World<N>,
    part: fn(&Watch) -> Duration,
) {
    let one = pool(1);
    let (mut fight, mut scratch) = (world.clone(), Scratch::new());
    let mut timed = |times: u64| {
        let zero = Duration::ZERO;
        let mut watch = Watch { since: Instant::now(), aim: zero, all: zero };
        for _ in 0..times {
            if fight.tick_count() == world.tick_count() + FIGHT {
                fight = world.clone();
            }
            watch.since = Instant::now();
            tick_with::<N::Wide>(&mut fight, &[], &mut scratch, &mut watch);
        }
        part(&watch)
    };
    group.throughput(Throughput::Elements(world.len() as u64));
    group.bench_function(name, |b| b.iter_custom(|times| one.install(|| timed(times))));
}

fn battles<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>) {
    for battle in BATTLES {
        let [one, all] = [1, 0].map(pool);
        let mut world = battle.world::<N>();
        let expected = one.install(|| fought::<N::Wide>(&world, 30));
        assert!(expected.1 > 1_000, "{} shots", expected.1);
        assert_eq!(all.install(|| fought::<N::Wide>(&world, 30)), expected, "threads change bits");
        assert_eq!(all.install(|| fought::<N::Single>(&world, 30)), expected, "lanes change bits");
        let mut scratch = Scratch::new();
        (0..WARM_UP).for_each(|_| tick(&mut world, &[], &mut scratch));
        let name = |what: &str| format!("{what}/{}/{}", N::NUMERIC.word(), battle.name);
        time(group, &name("aim"), &world, |watch| watch.aim);
        if battle.sticky {
            time(group, &name("tick"), &world, |watch| watch.all);
        }
    }
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("combat");
    battles::<f32>(&mut group);
    battles::<Fx>(&mut group);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = bench
}
criterion_main!(benches);

//! A tick in which many choose whom to shoot at allocates nothing once everything has been seen.

use crate::MEMORY;
use crate::common::crowd::blocks;
use crate::common::crowd::on_threads;
use stats_alloc::Region;
use throng::lane::Numbers;
use throng::math::hash3;
use throng::math::unit_f64;
use throng::tick::Scratch;
use throng::tick::tick;
use throng::world::Choice;
use throng::world::GroupDef;
use throng::world::Settings;
use throng::world::WeaponDef;
use throng::world::World;

const RUNS: usize = 4;
const TICKS: usize = 120;
/// Until everybody has fired its first shot, which is its last, and that has ended.
const WARM_UP: usize = 80;

/// Four sides that choose anew all the time.
fn world<N: Numbers>() -> World<N> {
    let mut world = World::new(blocks(90, 90, 1.0, 3), Settings::default()).unwrap();
    for (team, choice) in [(0, Choice::Nearest), (1, Choice::Weakest), (2, Choice::Threat)] {
        let weapon = WeaponDef {
            choice,
            sticky: false,
            sight: team == 0,
            retarget: 0.2,
            cooldown: 3_600.0,
            lifetime: 1.0,
            ..WeaponDef::default()
        };
        let weapon = Some(world.add_weapon(weapon).unwrap());
        let foes = 0b111 & !(1 << team);
        let def = GroupDef { team, foes, weapon, halts: false, ..GroupDef::default() };
        let group = world.add_group(def).unwrap();
        let random = |i, axis| 90.0 * unit_f64(hash3(i, axis, u64::from(team)));
        let places = (0..4_000).map(|i| [random(i, 0), random(i, 1)]);
        let open = |at: &[f64; 2]| world.is_open(at.map(N::from_f64));
        let places: Vec<_> = places.filter(open).take(1_500).collect();
        world.spawn(group, &places).unwrap();
    }
    world
}

fn allocations<N: Numbers>() -> Vec<usize> {
    let (mut world, mut scratch) = (world::<N>(), Scratch::new());
    let mut count = |_| {
        let region = Region::new(MEMORY);
        tick(&mut world, &[], &mut scratch);
        let change = region.change();
        change.allocations + change.reallocations
    };
    let counts = (0..TICKS).map(&mut count).collect();
    assert!((0..world.len()).any(|row| world.target(world.id(row)).is_some()));
    counts
}

pub(crate) fn nothing_is_allocated<N: Numbers>(threads: usize) {
    let runs: Vec<_> = (0..RUNS).map(|_| on_threads(threads, allocations::<N>)).collect();
    let least: Vec<_> =
        (0..TICKS).map(|at| runs.iter().map(|run| run[at]).min().unwrap()).collect();
    let dirty = (WARM_UP..TICKS).find(|&at| least[at] > 0);
    assert_eq!(dirty, None, "{threads} threads: that tick allocates");
    assert!(least[0] > 20, "{}", least[0]);
}

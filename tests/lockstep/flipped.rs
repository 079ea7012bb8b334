//! A bit of one agent's velocity flips in one of two peers: the quick digests notice, and the
//! journals say in which tick, and whether it would happen again.

use std::ops::Range;

use throng::lane::Numbers;
use throng::lockstep::{Audit, Journal, JournalError, Lockstep, Peer, Role, Rules, Step, Tie};
use throng::map::area::Shape;
use throng::math::Numeric;
use throng::replay::{Replay, compare};
use throng::state::{ColumnDifference, Finding};
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};
use throng::{GroupId, state};

use crate::common::terrain::open;

in_both!(a_bug_that_happens_again_is_named_to_the_tick, a_flipped_bit_in_memory_is_told_from_a_bug);

/// Agents of each of the two players.
const AGENTS: u32 = 25_000;
/// In this tick the bit flips.
const FLIPPED: u64 = 77;
/// A chunk is looked at once in so many ticks.
const ROUND: u64 = 32;

/// The column, so many agents, and the word in which the states differ then.
const WHERE: (&str, u64, &str) = ("agents.vel", 1, "x");

/// Which bit: about a tenth of a metre a second in both modes.
fn bit<N: Numbers>() -> usize {
    if N::NUMERIC == Numeric::F32 { 19 } else { 13 }
}

/// A tick after which a bit has flipped, when it is that tick: a bug, if a program runs it.
fn faulty<N: Numbers>(world: &mut World<N>, orders: &[Order], scratch: &mut Scratch<N>) {
    tick(world, orders, scratch);
    if world.tick_count() == FLIPPED + 1 {
        // The first of these agents that is no faster than it can be afterwards.
        let flipped = (31_337..).find(|&row| state::plant(world, WHERE.0, row, bit::<N>()).is_ok());
        assert!(flipped.is_some());
    }
}

struct Machine<N: Numbers> {
    peer: Peer,
    world: World<N>,
    scratch: Scratch<N>,
    journal: Journal<N>,
    step: Step<N>,
}

impl<N: Numbers> Machine<N> {
    /// `live` runs its ticks, `again` re-runs ticks of its journal.
    fn new(seat: u8, rules: Rules, live: Step<N>, again: Step<N>) -> Self {
        let peer = Peer::new(Lockstep::new(rules, Role::Player(seat)).unwrap());
        let world = World::<N>::new(open(256), Settings::default()).unwrap();
        let journal = Journal::with(&world, 32, 4, again);
        Self { peer, world, scratch: Scratch::new(), journal, step: live }
    }

    fn run(&mut self) {
        let Some(due) = self.peer.next_tick() else { return };
        (self.step)(&mut self.world, due.orders, &mut self.scratch);
        self.journal.record(&self.world, due.orders);
        let group = self.journal.end() as u16 / 15 % 2;
        if self.journal.end().is_multiple_of(15) {
            let goal =
                vec![Shape::Disc { centre: [128.0, 40.0 + 80.0 * f64::from(group)], radius: 60.0 }];
            self.peer.issue(&Order::Move { group: GroupId::new(group), goal }).unwrap();
        }
        self.peer.ended(&self.world);
    }
}

fn orders(seat: u8) -> Vec<Order> {
    let group = u16::from(seat);
    let half = |left: bool| {
        let x = if left { 4.0 } else { 130.0 };
        vec![Shape::Rect { min: [x, 4.0], max: [x + 122.0, 252.0] }]
    };
    let def = GroupDef { radius: 0.3, ..GroupDef::default() };
    vec![
        Order::Group { def },
        Order::Spawn { group: GroupId::new(group), area: half(seat == 0), count: AGENTS },
        Order::Move { group: GroupId::new(group), goal: half(seat == 1) },
    ]
}

/// Two machines play until one of them has noticed something, or to the end.
fn play<N: Numbers>(live: Step<N>, again: Step<N>, end: u64) -> [Machine<N>; 2] {
    // The full digest, which sees everything at once, is out of the game.
    let rules = Rules { full_every: 1 << 30, ..Rules::default() };
    let mut machines = [Machine::new(0, rules, tick, tick), Machine::new(1, rules, live, again)];
    let links = [0, 1].map(|me| machines[me].peer.connect(Role::Player(1 - me as u8), Tie::Equal));
    for machine in &mut machines {
        let Role::Player(seat) = machine.peer.lockstep().role() else { unreachable!() };
        for order in orders(seat) {
            machine.peer.issue(&order).unwrap();
        }
    }
    while machines.iter().all(|m| m.peer.desync().is_none() && m.world.tick_count() < end) {
        for me in 0..2 {
            machines[me].run();
            for bytes in machines[me].peer.outgoing(links[me]).unwrap() {
                machines[1 - me].peer.incoming(links[1 - me], &bytes).unwrap();
            }
        }
    }
    assert_eq!(machines[0].world.len(), 2 * AGENTS as usize);
    machines
}

/// The tick at which it was noticed, which is not long after the fault.
fn noticed<N: Numbers>(machines: &[Machine<N>; 2]) -> u64 {
    let desync = machines.iter().find_map(|machine| machine.peer.desync()).expect("it is noticed");
    assert_eq!((&desync.players[..], desync.mine), (&[0, 1][..], true), "two cannot outvote");
    let tick = desync.tick;
    assert!((FLIPPED..FLIPPED + ROUND).contains(&tick), "noticed after tick {tick}");
    tick
}

/// What the dumps of two states after a tick tell, and that only the right one of them comes out
/// when this program runs it again.
fn parting(dumps: &[Vec<u8>; 2], tick: u64, reproduced: [bool; 2]) -> Vec<ColumnDifference> {
    let dumps = dumps.each_ref().map(|bytes| Replay::read(bytes).unwrap());
    let comparison = compare(&dumps[0], &dumps[1]).unwrap();
    assert_eq!(comparison.began, Vec::<String>::new());
    let parting = comparison.parting.expect("they differ");
    assert_eq!((parting.tick, parting.orders), (tick, None));
    assert_eq!(parting.rerun.reproduced, reproduced);
    parting.differences
}

/// All ticks that both journals can run again.
fn common<N: Numbers>(machines: &[Machine<N>; 2]) -> Range<u64> {
    let journals = || machines.iter().map(|machine| &machine.journal);
    let first = journals().map(Journal::first).max().unwrap();
    first..journals().map(Journal::end).min().unwrap()
}

fn audit<N: Numbers>(machine: &Machine<N>) -> Audit {
    machine.journal.audit(&machine.world).unwrap()
}

fn a_bug_that_happens_again_is_named_to_the_tick<N: Numbers>() {
    let machines = play::<N>(faulty, faulty, 200);
    noticed(&machines);
    let ticks = common(&machines);
    assert!(ticks.contains(&FLIPPED), "{ticks:?}");
    let lists = machines.each_ref().map(|m| m.journal.digests(ticks.clone()).unwrap());
    assert_eq!(lists[0].first_difference(&lists[1]), Some(FLIPPED));
    // Dumps of that tick name the agent, or rather the word of its row, and both values.
    let dumps = machines.each_ref().map(|m| m.journal.dump(FLIPPED, "a dump").unwrap());
    let differences = parting(&dumps, FLIPPED, [true, false]);
    assert_eq!(differences.len(), 1, "{differences:?}");
    let Finding::Value { word, bits, .. } = &differences[0].first else {
        panic!("{differences:?}")
    };
    assert_eq!((&differences[0].column[..], differences[0].count, &word[..]), WHERE);
    let [a, b] = bits.each_ref().map(|bits| u32::from_str_radix(bits, 16).unwrap());
    assert_eq!(a ^ b, 1 << bit::<N>(), "{bits:?}");
    // It happens again, so it is in the program.
    assert_eq!(machines.each_ref().map(audit), [Audit::Repeats, Audit::Repeats]);
}

fn a_flipped_bit_in_memory_is_told_from_a_bug<N: Numbers>() {
    let machines = play::<N>(faulty, tick, 200);
    let noticed = noticed(&machines);
    let ticks = common(&machines);
    let lists = machines.each_ref().map(|m| m.journal.digests(ticks.clone()).unwrap());
    assert_eq!(lists[0].first_difference(&lists[1]), None, "run again, both are right");
    assert_eq!(audit(&machines[0]), Audit::Repeats, "nothing has happened to this one");
    match audit(&machines[1]) {
        Audit::Differs { first, last } => {
            assert!((first..=last).contains(&FLIPPED), "{first} to {last}");
            assert!(last - first < ROUND && last <= noticed, "{first} to {last}");
        }
        Audit::Repeats => panic!("the live state is not what its orders make of it"),
    }
    // The live world against the re-run one, after the last tick.
    let Machine { journal, world, .. } = &machines[1];
    let tick = journal.end() - 1;
    let live = journal.dump_live(world, "live").unwrap();
    let dumps = [journal.dump(tick, "again").unwrap(), live];
    let differences = parting(&dumps, tick, [true, false]);
    assert!(differences.iter().any(|difference| difference.column == WHERE.0), "{differences:?}");
    // The other machine has nothing to tell apart.
    let Machine { journal, world, .. } = &machines[0];
    let live = journal.dump_live(world, "live").unwrap();
    let again = journal.dump(journal.end() - 1, "again").unwrap();
    let [live, again] = [live, again].map(|bytes| Replay::read(&bytes).unwrap());
    assert_eq!(compare(&live, &again).unwrap().parting, None);
}

/// Without a fault nothing is noticed, every world of the past is the one that was, and the journal
/// says so.
#[test]
fn a_journal_gives_back_what_was() {
    let machines = play::<f32>(tick, tick, 150);
    for machine in &machines {
        assert_eq!(machine.peer.desync(), None);
        assert!(machine.peer.checked() > 140);
        assert_eq!(audit(machine), Audit::Repeats);
    }
    let journal = &machines[0].journal;
    let (first, end) = (journal.first(), journal.end());
    let ordered = (first..end).filter(|&tick| !journal.orders(tick).unwrap().is_empty());
    assert!(ordered.count() > 5, "there is something to run again");
    assert_eq!((first, end), (32, machines[0].world.tick_count()));
    let now = journal.world_at(end).unwrap();
    assert_eq!(state::digest(&now), state::digest(&machines[0].world));
    for tick in [first, first + 1, first + 40, end - 1] {
        let world = journal.world_at(tick).unwrap();
        assert_eq!(world.tick_count(), tick);
        let list = journal.digests(tick - u64::from(tick > first)..tick + 1).unwrap();
        if tick > first {
            assert_eq!(list.get(tick - 1), Some(state::digest(&world)));
        }
    }
    assert!(matches!(
        journal.world_at(first - 1),
        Err(JournalError::NotKept { tick, first: 32, .. }) if tick == first - 1
    ));
    assert!(journal.digests(first..end + 1).is_err());
}

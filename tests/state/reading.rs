//! Reading never changes a run: the same digests, tick by tick, with millions of random queries of
//! every kind between the ticks and during them, on several threads, as without any.

use std::panic::RefUnwindSafe;

use crate::common::crowd::{Case, Ids, blocks, busy, on_threads};
use crate::common::terrain::Random;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::report::observer::Observer;
use throng::state;
use throng::tick::{Scratch, tick};
use throng::world::{CompanyDef, Formation, GroupDef, Order, Settings, World};
use throng::{Agent, AgentIndex, CompanyId, GroupId};

/// Threads that ask, beside the one that ticks.
const READERS: u64 = 4;
/// Questions that each of them asks between two ticks, and as many during a tick.
const QUESTIONS: u32 = 1_000;
/// Kinds of questions to an index, and to a world.
const INDEX_KINDS: u32 = 5;
const WORLD_KINDS: u32 = 5;

/// How often each kind was asked, and how often it found something.
type Tally = [[u64; 2]; (INDEX_KINDS + WORLD_KINDS) as usize];

/// Groups that avoid crowds, a company in formation, and goals that change so often that fields
/// make room for each other.
fn crowded() -> Case {
    let side = 80.0;
    let map = blocks(80, 80, 1.0, 7);
    let settings = Settings {
        field_cache_bytes: 12 * 8 * map.slowness().len() as u64,
        field_cells_per_tick: 2_000,
        crowding_ticks: 6,
        ..Settings::default()
    };
    let rect = |x: f64, y: f64| vec![Shape::Rect { min: [x, y], max: [x + 30.0, y + 30.0] }];
    let orders = move |at: u64, ids: &Ids| {
        let disc = |share: u64| {
            let at = |share: u64| 8.0 + (side - 16.0) * (share % 7) as f64 / 7.0;
            vec![Shape::Disc { centre: [at(share), at(share / 7)], radius: 6.0 }]
        };
        match at {
            0 => {
                let def = GroupDef { avoid_crowds: true, ..GroupDef::default() };
                let group = || Order::Group { def: def.clone() };
                let formation = Some(Formation::Block);
                let company = CompanyDef {
                    groups: vec![GroupId::new(3)],
                    formation,
                    ..CompanyDef::default()
                };
                let spawn = |group, area, count| Order::Spawn { group, area, count };
                vec![
                    group(),
                    group(),
                    group(),
                    Order::Group { def: GroupDef::default() },
                    Order::Company { def: company },
                    spawn(GroupId::new(0), rect(2.0, 2.0), 700),
                    spawn(GroupId::new(1), rect(45.0, 2.0), 700),
                    spawn(GroupId::new(2), rect(2.0, 45.0), 300),
                    spawn(GroupId::new(3), rect(45.0, 45.0), 50),
                    Order::MoveCompany { company: CompanyId::new(0), goal: disc(3) },
                ]
            }
            _ if at.is_multiple_of(9) => {
                let group = (at / 9 % 3) as u16;
                let some = ids.iter().filter(|(id, own)| *own == group && id.index % 5 == 0);
                let agents = some.map(|(id, _)| *id).collect();
                vec![
                    Order::Move {
                        group: GroupId::new(group),
                        goal: disc(at / 9 * 3 + u64::from(group)),
                    },
                    Order::Assign { agents, group: GroupId::new((group + 1) % 3) },
                ]
            }
            _ => Vec::new(),
        }
    };
    Case { name: "crowded", map, settings, ticks: 150, orders: Box::new(orders) }
}

/// A random point on a map or somewhat beside it.
fn somewhere([width, height]: [f64; 2], random: &mut Random) -> [f64; 2] {
    [width, height].map(|side| f64::from(random.below(1 << 20)) / f64::from(1 << 20) * 1.1 * side)
}

/// A small shape at a random place.
fn somewhat(size: [f64; 2], random: &mut Random) -> Shape {
    let at = somewhere(size, random);
    let side = 0.5 + f64::from(random.below(100)) / 10.0;
    let beyond = [at[0] + side, at[1] + 0.5 * side];
    match random.below(3) {
        0 => Shape::Rect { min: at, max: beyond },
        1 => Shape::Disc { centre: at, radius: 0.5 * side },
        _ => Shape::Polygon { corners: vec![at, beyond, [at[0], beyond[1]]] },
    }
}

/// Asks an index a random question.
fn ask_index<N: Numbers>(index: &AgentIndex<N>, size: [f64; 2], random: &mut Random) -> (u32, u64) {
    let kind = random.below(INDEX_KINDS);
    let group = random.below(5) as u16;
    let keep = |agent: &Agent| agent.group != GroupId::new(group);
    let found = match kind {
        0 => {
            let most = 1 + random.below(12) as usize;
            index.nearest(somewhere(size, random), most, f64::INFINITY, keep).len()
        }
        1 => index.nearest(somewhere(size, random), 20, 2.5, keep).len(),
        2 => index.within(&[somewhat(size, random), somewhat(size, random)], keep).len(),
        3 => index.counts(&[somewhat(size, random)]).iter().sum::<u32>() as usize,
        _ => {
            let id = Id { index: random.below(6_000), generation: random.below(3) };
            usize::from(index.agent(id).is_some())
        }
    };
    (kind, found as u64)
}

/// Asks a world a random question.
fn ask_world<N: Numbers>(world: &World<N>, size: [f64; 2], random: &mut Random) -> (u32, u64) {
    let kind = random.below(WORLD_KINDS);
    let groups = world.groups().len() as u32;
    let field = |random: &mut Random| {
        let group = world.groups().get(random.below(groups.max(1)) as usize)?;
        group.field()
    };
    let found = match kind {
        0 => {
            let group = random.below(groups + 1) as u16;
            u64::from(world.flow(GroupId::new(group), somewhere(size, random)).is_some())
        }
        1 => field(random)
            .and_then(|id| world.fields().directions(id))
            .map_or(0, |codes| u64::from(codes[random.below(codes.len() as u32) as usize] != 0)),
        2 => field(random).map_or(0, |id| {
            let fields = world.fields();
            let crowd = fields.crowd(id).is_some_and(|costs| !costs.is_free());
            u64::from(fields.goals(id).is_some() || crowd || fields.pending() > 0)
        }),
        3 if !world.is_empty() => {
            let row = random.below(world.len() as u32) as usize;
            let (pos, vel) = (world.positions()[row], world.velocities()[row]);
            let open = world.is_open(pos) && vel[0].is_finite();
            u64::from(open && world.is_alive(world.id(row)))
        }
        _ => {
            let crowds = !world.crowding().costs().is_free();
            let spacing = !world.companies().is_empty() && world.spacing(CompanyId::new(0)) > 0.0;
            let members: u32 = world.groups().iter().map(|group| group.members()).sum();
            u64::from(members > 0) + u64::from(crowds || spacing) + world.outcomes().len() as u64
        }
    };
    (INDEX_KINDS + kind, found)
}

/// Asks on several threads while `meanwhile` runs on this one.
fn ask(
    seed: u64,
    tally: &mut Tally,
    question: impl Fn(&mut Random) -> (u32, u64) + Sync,
    meanwhile: impl FnOnce() + Send,
) {
    let question = &question;
    let reader = |thread: u64| {
        let mut random = Random(seed ^ thread << 32);
        let mut tally = Tally::default();
        for _ in 0..QUESTIONS {
            let (kind, found) = question(&mut random);
            tally[kind as usize][0] += 1;
            tally[kind as usize][1] += u64::from(found > 0);
        }
        tally
    };
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS).map(|i| scope.spawn(move || reader(i))).collect();
        meanwhile();
        for reader in readers {
            let found = reader.join().unwrap();
            for (all, found) in tally.iter_mut().flatten().zip(found.iter().flatten()) {
                *all += found;
            }
        }
    });
}

/// Looks once at everything that takes longer.
fn look<N: Numbers>(world: &World<N>, observer: &mut Observer) {
    observer.observe(world);
    state::validate(world).unwrap();
    let (columns, quick) = (state::columns(world), state::quick_digest(world));
    assert_eq!(state::combine(&columns), state::digest(world));
    if world.tick_count().is_multiple_of(16) {
        assert_eq!(state::save(&world.clone()), state::save(world));
    }
    assert_eq!(state::quick_digest(world), quick);
}

/// The digest after every tick, with questions from a seed or without any.
fn digests<N: Numbers>(case: &Case, questions: Option<u64>, tally: &mut Tally) -> Vec<u64> {
    let mut world = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let (mut scratch, mut index) = (Scratch::new(), AgentIndex::new());
    let mut observer = Observer::new(world.dt(), Vec::new());
    let size = throng::map::area::extent(&case.map);
    let mut digests = Vec::new();
    for at in 0..case.ticks {
        let orders = (case.orders)(at, &crate::common::crowd::ids(&world));
        match questions.map(|seed| Random(seed ^ at).next()) {
            None => tick(&mut world, &orders, &mut scratch),
            Some(seed) => {
                // The index answers while the world goes on.
                let go_on = || tick(&mut world, &orders, &mut scratch);
                ask(seed, tally, |random| ask_index(&index, size, random), go_on);
                index.load(&world);
                let world = &world;
                let question = |random: &mut Random| match random.below(2) {
                    0 => ask_index(&index, size, random),
                    _ => ask_world(world, size, random),
                };
                ask(!seed, tally, question, || look(world, &mut observer));
            }
        }
        digests.push(state::digest(&world));
    }
    digests
}

fn reading_changes_nothing<N: Numbers>(case: &Case) -> u64 {
    let mut tally = Tally::default();
    let expected = on_threads(2, || digests::<N>(case, None, &mut tally));
    assert_eq!(tally, Tally::default());
    for seed in [1, 2] {
        let found = on_threads(3, || digests::<N>(case, Some(seed), &mut tally));
        let differs = expected.iter().zip(&found).position(|(a, b)| a != b);
        let (name, numeric) = (case.name, N::NUMERIC.word());
        assert_eq!(differs, None, "{name} in {numeric}: questions change that tick");
        assert_eq!(expected.len(), found.len());
    }
    assert!(tally.iter().all(|&[asked, found]| asked > 10_000 && found > 5_000), "{tally:?}");
    tally.iter().map(|&[asked, _]| asked).sum()
}

#[test]
fn a_busy_world_is_the_same_when_it_is_read() {
    let case = busy();
    let asked = reading_changes_nothing::<f32>(&case) + reading_changes_nothing::<Fx>(&case);
    assert!(asked > 2_000_000, "{asked} questions");
}

/// That world does what it is there for: fields lead around crowds, and make room for each other.
#[test]
fn the_crowded_world_is_crowded() {
    let (case, mut seen) = (crowded(), std::collections::BTreeSet::new());
    let (mut avoided, mut most, mut full) = (0, 0, 0);
    case.run::<<f32 as Numbers>::Wide>(|world| {
        avoided += usize::from(!world.crowding().costs().is_free());
        let fields = world.fields();
        let is_full = fields.bytes() + fields.field_bytes() > case.settings.field_cache_bytes;
        (most, full) = (fields.bytes().max(most), full + usize::from(is_full));
        seen.extend(
            world.groups().iter().filter_map(|group| group.field()).map(|id| format!("{id:?}")),
        );
    });
    assert!(avoided > 100 && full > 50, "{avoided} ticks with crowds, {full} with no memory left");
    let room = most / (8 * case.map.slowness().len() as u64);
    assert!(seen.len() as u64 > 2 * room, "{} fields in room for {room}", seen.len());
}

#[test]
fn a_world_that_avoids_crowds_is_the_same_when_it_is_read() {
    let case = crowded();
    let asked = reading_changes_nothing::<f32>(&case) + reading_changes_nothing::<Fx>(&case);
    assert!(asked > 2_000_000, "{asked} questions");
}

/// A type that many threads may read at once, and that holds no cell.
fn is_read_only<T: Send + Sync + RefUnwindSafe>() {}

/// Compiles only while it holds; atomics and locks are left to `tests/source_rules.rs`.
#[test]
fn worlds_and_indices_can_be_read_by_many_threads() {
    is_read_only::<World<f32>>();
    is_read_only::<World<Fx>>();
    is_read_only::<AgentIndex<f32>>();
    is_read_only::<AgentIndex<Fx>>();
}

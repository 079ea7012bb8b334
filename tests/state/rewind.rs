//! The detectors of what makes a run unrepeatable, each shown its planted fault; and the worlds of
//! the other tests, which have none.

use std::time::Instant;

use crate::common::crowd::{Case, busy, ids, shutters};
use throng::lane::Numbers;
use throng::math::Fx;
use throng::replay::{Driven, Rewind, RewindFault, Subject};
use throng::state::SnapshotError;
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};
use throng::{GroupId, state};

/// Runs a check over some ticks.
fn run<S: Subject>(mut rewind: Rewind, subject: &mut S, ticks: u64) -> Option<RewindFault> {
    (0..ticks).find_map(|_| rewind.step(subject).unwrap())
}

fn repeats<N: Numbers>(case: &Case, rewinds: [Rewind; 2]) {
    let orders = |world: &World<N>| (case.orders)(world.tick_count(), &ids(world));
    let mut plain = World::<N>::new(case.map.clone(), case.settings).unwrap();
    let mut scratch = Scratch::new();
    for _ in 0..case.ticks {
        let orders = orders(&plain);
        tick(&mut plain, &orders, &mut scratch);
    }
    for rewind in rewinds {
        let world = World::<N>::new(case.map.clone(), case.settings).unwrap();
        let mut subject = Driven::new(world, &orders);
        assert_eq!(run(rewind, &mut subject, case.ticks), None, "{}", case.name);
        assert_eq!(subject.ticks(), case.ticks);
        assert_eq!(state::digest(&subject.world), state::digest(&plain), "nothing was changed");
        assert_eq!(Rewind::unseen(&subject), Vec::<String>::new());
    }
}

#[test]
fn sound_worlds_repeat() {
    let cases = [
        Case::of("small", 400, 60),
        Case::of("flock", 605, 60),
        Case::of("formations", 400, 90),
        Case::of("two_routes", 300, 80),
        Case::of("columns", 200, 60),
        Case::of("foyer", 120, 160),
        Case::of("breach", 500, 240),
        shutters(),
        busy(),
    ];
    for case in cases {
        repeats::<f32>(&case, [Rewind::new(1), Rewind::reloading(6)]);
        repeats::<Fx>(&case, [Rewind::new(6), Rewind::reloading(1)]);
    }
}

/// A planted fault of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// A column that is in snapshots, but not in the digest.
    Unhashed,
    /// A column that is in the digest, but not in snapshots.
    Unsaved,
    /// A column that is in neither, and steers the world.
    Hidden,
    /// A sum whose order differs from run to run.
    Sum,
    /// The time of day.
    Clock,
    /// The thread that happens to do the work.
    Thread,
}

/// A game around a world: it adds up how far all agents went, and now and then stops a group when the
/// sum says so.
#[derive(Clone)]
struct Game {
    world: World<f32>,
    scratch: Scratch<f32>,
    case: fn() -> Case,
    began: Instant,
    /// The game's own column: a sum for every group.
    walked: Vec<f32>,
    /// Calls of `step`, as a stand-in for whatever varies from run to run.
    calls: u32,
    fault: Fault,
}

impl Game {
    fn new(fault: Fault) -> Self {
        let case: fn() -> Case = || Case::of("small", 400, 60);
        let world = World::new(case().map, case().settings).unwrap();
        let (scratch, began, walked) = (Scratch::new(), Instant::now(), vec![0.0; 8]);
        Self { world, scratch, case, began, walked, calls: 0, fault }
    }

    /// Adds the speeds of a group's agents up.
    fn add(&mut self) {
        let rows: Vec<usize> = match self.fault {
            // As if another thread were first, every time.
            Fault::Sum => {
                let (rows, calls) = (self.world.len(), self.calls as usize);
                (0..rows).map(|row| (row + 37 * calls) % rows.max(1)).collect()
            }
            _ => (0..self.world.len()).collect(),
        };
        for row in rows {
            let [x, y] = self.world.velocities()[row];
            self.walked[usize::from(self.world.tags()[row].group)] += x.abs() + y.abs();
        }
        match self.fault {
            Fault::Clock => self.walked[0] += self.began.elapsed().as_nanos() as f32,
            Fault::Thread => {
                // A pool hands work to whichever thread is free: the ids come out in no order.
                let worker = std::thread::spawn(|| format!("{:?}", std::thread::current().id()));
                let id = worker.join().unwrap();
                self.walked[0] += id.bytes().map(f32::from).sum::<f32>() + id.len() as f32;
            }
            _ => {}
        }
    }
}

impl Subject for Game {
    fn step(&mut self) {
        self.calls += 1;
        let at = self.world.tick_count();
        let mut orders = ((self.case)().orders)(at, &ids(&self.world));
        let steered = matches!(self.fault, Fault::Unsaved | Fault::Hidden);
        if at > 10 && steered && (self.walked[0] as u32).is_multiple_of(2) {
            orders.push(Order::Stop { group: GroupId::new(0) });
        }
        tick(&mut self.world, &orders, &mut self.scratch);
        self.add();
    }

    fn ticks(&self) -> u64 {
        self.world.tick_count()
    }

    fn digest(&self) -> u64 {
        let mut all = throng::math::Digest::new();
        all.word(state::digest(&self.world));
        if !matches!(self.fault, Fault::Unhashed | Fault::Hidden) {
            self.walked.iter().for_each(|sum| {
                all.word(u64::from(sum.to_bits()));
            });
        }
        all.finish()
    }

    fn save(&self, image: &mut Vec<u8>) {
        state::save_into(&self.world, image);
        if !matches!(self.fault, Fault::Unsaved | Fault::Hidden) {
            image.extend(self.walked.iter().flat_map(|sum| sum.to_le_bytes()));
        }
    }

    fn restore(&mut self, image: &[u8]) -> Result<(), SnapshotError> {
        if matches!(self.fault, Fault::Unsaved | Fault::Hidden) {
            return state::restore(&mut self.world, image);
        }
        let (image, sums) = image.split_at(image.len() - 4 * self.walked.len());
        state::restore(&mut self.world, image)?;
        let sum = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
        self.walked = sums.chunks_exact(4).map(sum).collect();
        Ok(())
    }

    fn fresh(&self) -> Result<Self, SnapshotError> {
        let (began, calls) = (self.began, self.calls);
        Ok(Self { began, calls, ..Self::new(self.fault) })
    }

    fn flipped(&self) -> Vec<(String, u64)> {
        let mut other = self.clone();
        other.walked[2] = f32::from_bits(other.walked[2].to_bits() ^ 1);
        vec![("game.walked".to_owned(), other.digest())]
    }
}

fn found(fault: Fault, rewind: Rewind) -> Option<RewindFault> {
    run(rewind, &mut Game::new(fault), 60)
}

#[test]
fn a_sound_game_repeats() {
    assert_eq!(found(Fault::None, Rewind::new(5)), None);
    assert_eq!(found(Fault::None, Rewind::reloading(5)), None);
    assert_eq!(Rewind::unseen(&Game::new(Fault::None)), Vec::<String>::new());
}

#[test]
fn an_unsaved_column_is_found() {
    for fault in [Fault::Unsaved, Fault::Hidden] {
        assert!(found(fault, Rewind::new(5)).is_some(), "{fault:?} by a rewind");
        let reloaded = found(fault, Rewind::reloading(5)).expect("by a new world");
        assert!(reloaded.reloaded);
    }
}

#[test]
fn an_unhashed_column_is_found() {
    let mut game = Game::new(Fault::Unhashed);
    assert_eq!(run(Rewind::new(5), &mut game, 20), None, "a rewind alone cannot tell");
    assert_eq!(Rewind::unseen(&game), ["game.walked"]);
}

#[test]
fn what_varies_from_run_to_run_is_found() {
    for fault in [Fault::Sum, Fault::Clock, Fault::Thread] {
        let fault_found = found(fault, Rewind::new(3)).expect("a difference");
        assert!(fault_found.tick.is_some(), "{fault:?}: the state was restored well");
        assert!(found(fault, Rewind::reloading(3)).is_some(), "{fault:?} by a new world");
    }
}

/// A bit that flips in memory between two ticks is found, and named.
#[test]
fn a_flipped_bit_is_named() {
    let case = Case::of("small", 400, 60);
    let orders = |world: &World<f32>| (case.orders)(world.tick_count(), &ids(world));
    let world = World::<f32>::new(case.map.clone(), case.settings).unwrap();
    let (mut subject, mut rewind) = (Driven::new(world, &orders), Rewind::new(4));
    assert_eq!((0..30).find_map(|_| rewind.step(&mut subject).unwrap()), None);
    state::plant(&mut subject.world, "agents.vel", 11, 20).unwrap();
    let id = subject.world.tags()[11].id;
    let fault = rewind.step(&mut subject).unwrap().expect("a fault");
    assert_eq!(fault.tick, Some(30), "{fault:?}");
    let named =
        fault.differences.iter().any(|found| found.to_string().contains(&format!("agent {id} ")));
    assert!(named, "{:?}", fault.differences);
}

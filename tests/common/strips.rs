//! Processes that share the work of a world, as threads of one: each has a world of its own, and what
//! they exchange goes through channels.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use super::golden::on_threads;
use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::math::hash3;
use throng::state;
use throng::state::Tree;
use throng::tick::{Exchange, Rows, Scratch, tick_with};
use throng::world::{Order, Settings, World};

/// The byte in rows that a process does not need: it makes a likely number, and a wrong one.
const POISON: u8 = 0x41;

/// A thread that plays a process.
#[derive(Debug)]
struct Seat {
    place: usize,
    count: usize,
    to: Vec<Mutex<Sender<Vec<u8>>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
    ticks: AtomicU64,
    /// Columns shared in this tick, and which of them gets lost on the way, if any.
    shared: AtomicU64,
    lost: Option<u64>,
    /// Bytes sent to others.
    sent: Arc<AtomicU64>,
}

impl Seat {
    /// Sends bytes to all processes, and receives the bytes of all. Panics when a process has panicked.
    fn all(&self, send: impl Fn(usize) -> Vec<u8>, mut have: impl FnMut(usize, Vec<u8>)) {
        for (place, to) in self.to.iter().enumerate() {
            let bytes = send(place);
            if place != self.place {
                self.sent.fetch_add(bytes.len() as u64, Relaxed);
            }
            to.lock().unwrap().send(bytes).expect("the others go on");
        }
        for (place, from) in self.from.iter().enumerate() {
            have(place, from.lock().unwrap().recv().expect("the others go on"));
        }
    }
}

impl Exchange for Seat {
    fn place(&self) -> (usize, usize) {
        (self.place, self.count)
    }

    /// Cuts that move in every tick, and now and then leave a process no rows.
    fn cut(&self, agents: u32, ends: &mut [u32]) {
        let tick = self.ticks.fetch_add(1, Relaxed);
        self.shared.store(0, Relaxed);
        for (i, end) in ends.iter_mut().enumerate() {
            let even = u64::from(agents) * (i as u64 + 1) / self.count as u64;
            let moved = hash3(3, tick, i as u64) % (u64::from(agents) + 1);
            *end = if tick.is_multiple_of(3) { even } else { moved } as u32;
        }
        ends.sort_unstable();
    }

    fn share(&self, column: &mut [u8], rows: &Rows<'_>) {
        let Rows { bytes, own, wanted } = *rows;
        let part = |owner: usize, user: usize| {
            let start = own[owner].start.max(wanted[user].start);
            let end = own[owner].end.min(wanted[user].end).max(start);
            start * bytes..end * bytes
        };
        let sent: Vec<Vec<u8>> =
            (0..self.count).map(|user| column[part(self.place, user)].to_vec()).collect();
        let wanted = &wanted[self.place];
        column[..wanted.start * bytes].fill(POISON);
        column[wanted.end * bytes..].fill(POISON);
        let is_lost = self.lost == Some(self.shared.fetch_add(1, Relaxed));
        self.all(
            |user| sent[user].clone(),
            |owner, bytes| {
                if !is_lost {
                    column[part(owner, self.place)].copy_from_slice(&bytes);
                }
            },
        );
    }

    fn gather(&self, own: &[u8], all: &mut Vec<u8>) {
        all.clear();
        self.all(|_| own.to_vec(), |_, bytes| all.extend_from_slice(&bytes));
    }

    fn trade(&self, to: &[Vec<u8>], from: &mut [Vec<u8>]) {
        self.all(|user| to[user].clone(), |owner, bytes| from[owner] = bytes);
    }
}

/// Seats at one table.
fn seats(count: usize, lost: Option<u64>) -> Vec<Seat> {
    let sent = Arc::new(AtomicU64::new(0));
    let mut seats: Vec<Seat> = (0..count)
        .map(|place| {
            let [ticks, shared] = [0, 0].map(AtomicU64::new);
            let (to, from, sent) = (Vec::new(), Vec::new(), Arc::clone(&sent));
            Seat { place, count, to, from, ticks, shared, lost, sent }
        })
        .collect();
    for sender in 0..count {
        for user in 0..count {
            let (to, from) = channel();
            seats[sender].to.push(Mutex::new(to));
            seats[user].from.push(Mutex::new(from));
        }
    }
    seats
}

/// How processes have agents: all of them all, or where they can each its own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agents {
    Shared,
    Divided,
}

/// The digests of all ticks in each of so many processes that share the work, and the bytes that they
/// sent each other; `lost` of the columns that they share in a tick gets lost.
pub(crate) fn digests<L: Lane>(
    map: &Map,
    settings: Settings,
    ticks: u64,
    orders: &(impl Fn(u64, &World<L::Num>) -> Vec<Order> + Sync),
    (count, agents): (usize, Agents),
    lost: Option<u64>,
) -> (Vec<Vec<u64>>, u64) {
    let seats = seats(count, lost);
    let sent = Arc::clone(&seats[0].sent);
    let play = |seat: Seat| {
        let mut world = World::<L::Num>::new(map.clone(), settings).unwrap();
        let mut scratch = Scratch::new();
        match agents {
            Agents::Shared => scratch.share_with(Some(Arc::new(seat))),
            Agents::Divided => scratch.divide_with(Arc::new(seat)),
        }
        let mut digests = Vec::new();
        let mut shown = world.clone();
        for tick in 0..ticks {
            let orders = orders(tick, &shown);
            tick_with::<L>(&mut world, &orders, &mut scratch, &mut ());
            // A copy, so that the process itself goes on with its own rows alone.
            shown.clone_from(&world);
            scratch.clone().gather(&mut shown);
            digests.push(state::digest(&shown));
            if tick.is_multiple_of(8) {
                // The same digest, of which each process makes a part.
                let rows = scratch.clone().row_digests(&mut world.clone());
                let tree = rows.map(|rows| Tree::of_divided(&world, &rows));
                assert!(tree.is_none_or(|tree| Some(&tree.digest()) == digests.last()));
            }
        }
        digests
    };
    // Each with a pool of its own: one that they shared could be waiting for them.
    let digests = thread::scope(|scope| {
        let play = &play;
        let threads: Vec<_> = seats
            .into_iter()
            .map(|seat| scope.spawn(move || on_threads(1, || play(seat))))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    (digests, sent.load(Relaxed))
}

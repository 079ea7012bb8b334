//! What the ticks of processes exchange, by MPI.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mpi::datatype::PartitionMut;
use mpi::request;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use throng::tick::{Exchange, Rows};
use throng_cli::summary::Shared;

use crate::balance::{Balance, EVERY};
use crate::watchdog::Watchdog;

/// Bytes of which none are sent.
static NOTHING: [u8; 8] = [0; 8];

/// All processes, as one of them sees them.
#[derive(Debug)]
pub(crate) struct World {
    place: usize,
    count: usize,
    watchdog: Watchdog,
    state: Mutex<State>,
}

/// What changes from tick to tick.
#[derive(Debug)]
struct State {
    balance: Balance,
    ticks: u64,
    /// When the last measurement began, and for how long it waited since.
    since: Instant,
    waited: Duration,
    /// Over the whole run: bytes sent; seconds of work and of waiting.
    sent: u64,
    times: [f64; 2],
    counts: Vec<i32>,
    starts: Vec<i32>,
}

/// How often a word is among some.
pub(crate) fn gather_words(all: &[u64], own: u64) -> usize {
    all.iter().filter(|&&word| word == own).count()
}

impl World {
    pub(crate) fn new() -> Self {
        let world = SimpleCommunicator::world();
        let (place, count) = (world.rank() as usize, world.size() as usize);
        let state = State {
            balance: Balance::new(count),
            ticks: 0,
            since: Instant::now(),
            waited: Duration::ZERO,
            sent: 0,
            times: [0.0; 2],
            counts: vec![0; count],
            starts: vec![0; count],
        };
        Self { place, count, watchdog: Watchdog::new(place), state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all have exchanged so far.
    pub(crate) fn figures(&self) -> Shared {
        let mut state = self.state();
        let own = [state.sent as f64, state.times[0], state.times[1]];
        let mut all = vec![0.0; 3 * self.count];
        self.watchdog.watch(|| SimpleCommunicator::world().all_gather_into(&own, &mut all[..]));
        let sum = |i: usize| all.iter().skip(i).step_by(3).sum::<f64>();
        let [sent, work, waiting] = [0, 1, 2].map(sum);
        state.since = Instant::now();
        Shared {
            processes: self.count as u32,
            bytes_per_tick: sent / state.ticks.max(1) as f64,
            imbalance: state.balance.imbalance(),
            waiting: waiting / (work + waiting).max(1e-12),
            moves: state.balance.moves,
            ..Shared::default()
        }
    }
}

impl Exchange for World {
    fn place(&self) -> (usize, usize) {
        (self.place, self.count)
    }

    fn cut(&self, agents: u32, ends: &mut [u32]) {
        let mut state = self.state();
        if state.ticks.is_multiple_of(EVERY) {
            let (all, waited) = (state.since.elapsed(), state.waited);
            let own = (all.saturating_sub(waited)).as_secs_f64();
            // The first tick brings the agents.
            if state.ticks > 0 {
                state.times[0] += own;
                state.times[1] += waited.as_secs_f64();
                let mut times = vec![0.0; self.count];
                self.watchdog
                    .watch(|| SimpleCommunicator::world().all_gather_into(&own, &mut times[..]));
                state.balance.measured(&times);
            }
            (state.since, state.waited) = (Instant::now(), Duration::ZERO);
        }
        state.ticks += 1;
        state.balance.cut(agents, ends);
    }

    fn share(&self, column: &mut [u8], rows: &Rows<'_>) {
        let Rows { bytes, own, wanted } = *rows;
        let part = |owner: usize, user: usize| {
            let start = own[owner].start.max(wanted[user].start);
            let end = own[owner].end.min(wanted[user].end);
            start * bytes..end.max(start) * bytes
        };
        let Range { start, end } = own[self.place];
        let (start, end) = (start * bytes, end * bytes);
        let (before, rest) = column.split_at_mut(start);
        let (mine, after) = rest.split_at_mut(end - start);
        let (world, mut sent) = (SimpleCommunicator::world(), 0);
        let waited = self.watchdog.watch(|| {
            request::scope(|scope| {
                let mut sending = Vec::new();
                for user in (0..self.count).filter(|&user| user != self.place) {
                    let part = part(self.place, user);
                    if !part.is_empty() {
                        let part = &mine[part.start - start..part.end - start];
                        sent += part.len() as u64;
                        let to = world.process_at_rank(user as i32);
                        sending.push(to.immediate_send(scope, part));
                    }
                }
                for owner in (0..self.count).filter(|&owner| owner != self.place) {
                    let part = part(owner, self.place);
                    if !part.is_empty() {
                        let from = world.process_at_rank(owner as i32);
                        let part = match owner < self.place {
                            true => &mut before[part],
                            false => &mut after[part.start - end..part.end - end],
                        };
                        from.receive_into(part);
                    }
                }
                sending.into_iter().for_each(|request| request.wait_without_status());
            });
        });
        let mut state = self.state();
        state.sent += sent;
        state.waited += waited;
    }

    fn gather(&self, own: &[u8], all: &mut Vec<u8>) {
        let world = SimpleCommunicator::world();
        let mut state = self.state();
        let State { counts, starts, .. } = &mut *state;
        let waited = self.watchdog.watch(|| {
            world.all_gather_into(&(own.len() as i32), &mut counts[..]);
            let mut sum = 0;
            for (start, count) in starts.iter_mut().zip(&*counts) {
                *start = sum;
                sum += count;
            }
            all.resize(sum as usize, 0);
            if sum == 0 {
                return;
            }
            // The address of an empty vector is one that means something else to MPI.
            let own = if own.is_empty() { &NOTHING[..0] } else { own };
            let mut parts = PartitionMut::new(&mut all[..], &counts[..], &starts[..]);
            world.all_gather_varcount_into(own, &mut parts);
        });
        state.sent += (own.len() * (self.count - 1)) as u64;
        state.waited += waited;
    }

    fn trade(&self, to: &[Vec<u8>], from: &mut [Vec<u8>]) {
        let world = SimpleCommunicator::world();
        let mut state = self.state();
        let sizes: Vec<u64> = to.iter().map(|bytes| bytes.len() as u64).collect();
        let mut coming = vec![0_u64; self.count];
        let others = || (0..self.count).filter(|&other| other != self.place);
        let waited = self.watchdog.watch(|| {
            world.all_to_all_into(&sizes[..], &mut coming[..]);
            request::scope(|scope| {
                let mut sending = Vec::new();
                for user in others().filter(|&user| !to[user].is_empty()) {
                    let process = world.process_at_rank(user as i32);
                    sending.push(process.immediate_send(scope, &to[user][..]));
                }
                from[self.place].clear();
                for owner in others() {
                    from[owner].resize(coming[owner] as usize, 0);
                    if coming[owner] > 0 {
                        world.process_at_rank(owner as i32).receive_into(&mut from[owner][..]);
                    }
                }
                sending.into_iter().for_each(|request| request.wait_without_status());
            });
        });
        state.sent += others().map(|user| sizes[user]).sum::<u64>();
        state.waited += waited;
    }
}

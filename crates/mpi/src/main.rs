//! `throng-mpi`: `throng run` on several processes, with the bits of one.

mod balance;
mod exchange;
mod watchdog;

use std::process::ExitCode;
use std::sync::Arc;

use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use mpi::{Threading, environment};
use throng::tick::Exchange;
use throng_cli::shared::{self, Processes};
use throng_cli::summary::Shared;

use exchange::{World, gather_words};

/// Exit code of bad use, as the program `throng` has it.
const BAD: u8 = 2;
/// Exit code of a panic, as Rust has it.
const PANICKED: i32 = 101;

/// In which variables launchers tell how many processes there are.
const LAUNCHERS: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "PMIX_SIZE"];

/// This process among the others.
struct Process {
    world: Arc<World>,
    beside: usize,
}

impl Processes for Process {
    fn exchange(&self) -> Arc<dyn Exchange> {
        Arc::<World>::clone(&self.world)
    }

    fn beside(&self) -> usize {
        self.beside
    }

    fn figures(&self) -> Shared {
        self.world.figures()
    }

    fn abort(&self, code: u8) -> ! {
        SimpleCommunicator::world().abort(i32::from(code))
    }
}

fn main() -> ExitCode {
    // A process that panics takes the others with it: unwinding would wait for them for ever.
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::exit(PANICKED);
    }));
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Serialized) else {
        eprintln!("error: MPI has been started before");
        return ExitCode::from(BAD);
    };
    if threading < Threading::Serialized {
        eprintln!("error: this MPI serves one thread of a process only");
        return ExitCode::from(BAD);
    }
    let count = universe.world().size();
    if let Some((name, told)) = launched().filter(|(_, told)| *told > count) {
        eprintln!(
            "error: {name} says {told} processes, and MPI knows {count}: the launcher is of another \
             MPI than the one that throng-mpi was built with"
        );
        return ExitCode::from(BAD);
    }
    let process = Process { world: Arc::new(World::new()), beside: beside() };
    ExitCode::from(shared::main(&process))
}

/// How many processes the launcher tells of, and where.
fn launched() -> Option<(&'static str, i32)> {
    let told = |name: &'static str| Some((name, std::env::var(name).ok()?.parse().ok()?));
    LAUNCHERS.into_iter().find_map(told)
}

/// How many processes share this machine.
fn beside() -> usize {
    let name = environment::processor_name().unwrap_or_default();
    let own = throng::math::Digest::new().bytes(name.as_bytes()).finish();
    let world = SimpleCommunicator::world();
    let mut all = vec![0_u64; world.size() as usize];
    world.all_gather_into(&own, &mut all[..]);
    gather_words(&all, own)
}

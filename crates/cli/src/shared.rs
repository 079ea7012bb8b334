//! A run whose work is divided among processes, as `throng-mpi` starts it: the parts of the first process and
//! of the others.
//!
//! Every process has its part of the agents, or all of them, and computes its part of each tick
//! (`throng::tick::Exchange`). The first one watches, records and writes files as `throng run` does, and gets
//! all agents for that; the others only tick. What moves bytes between them is the caller's.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use throng::lane::Numbers;
use throng::math::{Digest, Fx, Numeric};
use throng::report::observer::{Looks, Observer};
use throng::scenario::Plan;
use throng::tick::{Exchange, Scratch, tick};
use throng::world::{Order, World};

use crate::args::{RunArgs, pool};
use crate::error::CliError;
use crate::output::Output;
use crate::sharing::{Next, Sharing};
use crate::{BAD, load, machine, run, signal, tell};

pub use crate::sharing::Processes;

/// Most bytes of a checkpoint that is read.
const MAX_CHECKPOINT: u64 = 1 << 36;

/// What was typed.
#[derive(Parser)]
#[command(
    name = "throng-mpi",
    version,
    about = "Runs a crowd on several processes, with the bits of one"
)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Typed {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario, as `throng run` does
    #[command(after_help = "\
Examples:
  mpirun -n 4 throng-mpi run scenarios/crossing.toml
  mpirun -n 2 throng-mpi run million --ticks 600 --checkpoint million.state --no-files
  mpirun -n 3 throng-mpi run million --from million.state --no-files")]
    Run(Box<SharedArgs>),
}

#[derive(Args)]
struct SharedArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Write the state here now and then, and at the end: any number of processes can go on from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Ticks from one checkpoint to the next [default: a simulated minute]
    #[arg(long, value_name = "K", requires = "checkpoint", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: Option<u64>,
    /// Go on from a checkpoint of the same scenario
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Compare the digests of all processes after every tick
    #[arg(long)]
    compare: bool,
    /// How often the first process gets all agents, to measure the crowd
    #[arg(long, value_name = "HOW_OFTEN", default_value = "usual")]
    looks: LooksArg,
}

/// How often the first process gets all agents.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LooksArg {
    /// Ten times a simulated second, as `throng run` looks
    Usual,
    /// Once a simulated second: agents that pass through each other are not counted
    Few,
    /// Never, but for files that need them and for the end: the crowd is not measured
    None,
}

impl From<LooksArg> for Looks {
    fn from(arg: LooksArg) -> Self {
        match arg {
            LooksArg::Usual => Self::Usual,
            LooksArg::Few => Self::Few,
            LooksArg::None => Self::None,
        }
    }
}

/// Runs `throng-mpi` with the arguments that were typed, as one of some processes; gives its exit code.
pub fn main(processes: &dyn Processes) -> u8 {
    let (place, _) = processes.exchange().place();
    if let Err(reason) = machine::check() {
        tell(&format!("throng cannot run on this machine: {reason}\n"));
        processes.abort(BAD);
    }
    let Typed { command: Command::Run(args) } = match Typed::try_parse() {
        Ok(typed) => typed,
        Err(asked) => {
            let wrong = asked.use_stderr();
            if place == 0 {
                let _ = asked.print();
            }
            return if wrong { BAD } else { 0 };
        }
    };
    signal::listen();
    match share(processes, &args) {
        Ok(()) => signal::stopped().unwrap_or(0),
        Err(Stopped::Here) => BAD,
        Err(Stopped::Because(error)) => {
            tell(&error.report());
            processes.abort(error.code());
        }
    }
}

/// Why there is no more to do.
enum Stopped {
    /// All processes know, and it has been told.
    Here,
    /// The others do not know.
    Because(Box<CliError>),
}

impl From<CliError> for Stopped {
    fn from(error: CliError) -> Self {
        Self::Because(Box::new(error))
    }
}

/// Reads what all are to run, sees that they agree, and runs it.
fn share(processes: &dyn Processes, args: &SharedArgs) -> Result<(), Stopped> {
    let read = read(args);
    let exchange = processes.exchange();
    let (place, count) = exchange.place();
    agree(&*exchange, read.as_ref().map(|(plan, _, from)| digest(plan, from.as_deref())))?;
    let Ok((plan, map_name, from)) = read else { return Err(Stopped::Here) };
    let every = args.checkpoint_every.unwrap_or(60 * u64::from(plan.settings.tick_rate));
    let checkpoint = args.checkpoint.clone().filter(|_| place == 0).map(|path| (path, every));
    if let Some((path, _)) = &checkpoint {
        // Tried before the work.
        drop(Output::at(path)?);
    }
    let (compare, looks) = (args.compare, args.looks.into());
    let sharing = Sharing { processes, exchange, from, checkpoint, compare, looks };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (cores / processes.beside().max(1)).max(1) as u32;
    let threads = args.run.threads.or(threads);
    signal::heed();
    if place == 0 {
        if count > 1 && !args.run.quiet {
            tell(&format!("{count} processes of {threads} threads"));
        }
        run::run_plan(&args.run, &plan, &map_name, threads, Some(&sharing))?;
        return Ok(());
    }
    let pool = pool(Some(threads))?;
    pool.install(|| match plan.numeric {
        Numeric::F32 => follow::<f32>(&plan, &sharing),
        Numeric::Fixed => follow::<Fx>(&plan, &sharing),
    })?;
    Ok(())
}

/// A plan, the name of its map, and the state to go on from.
type Read = (Plan, String, Option<Vec<u8>>);

fn read(args: &SharedArgs) -> Result<Read, CliError> {
    let run = &args.run;
    let apart = [
        ("--rewind", run.rewind.is_some()),
        ("--reload", run.reload.is_some()),
        ("--trace", run.trace),
    ];
    if let Some((argument, _)) = apart.into_iter().find(|(_, is_there)| *is_there) {
        let why = "no process sees all of every stage; `throng run` takes it";
        return Err(CliError::value("argument", argument, why));
    }
    let (plan, map_name) = load::plan(&run.scenario, &run.changes.changes())?;
    let from = args.from.as_deref().map(|path| load::read(path, MAX_CHECKPOINT)).transpose()?;
    Ok((plan, map_name, from))
}

/// Digests of the program, of what it is to run, and of the state to go on from.
fn digest(plan: &Plan, from: Option<&[u8]>) -> [u64; 3] {
    let of = |bytes: &[u8]| {
        let mut digest = Digest::new();
        digest.bytes(bytes);
        digest.finish()
    };
    let program = std::env::current_exe().and_then(std::fs::read).map_or(0, |bytes| of(&bytes));
    let mut digest = Digest::new();
    digest.bytes(plan.map.slowness());
    let Plan { name, numeric, ticks, end, settings, orders, .. } = plan;
    digest.bytes(format!("{name} {numeric:?} {ticks} {end:?} {settings:?}").as_bytes());
    for order in orders {
        digest.bytes(format!("{order:?}").as_bytes());
    }
    [program, digest.finish(), from.map_or(0, of)]
}

/// Sees that all processes are to do the same; tells what is wrong, once.
fn agree(exchange: &dyn Exchange, own: Result<[u64; 3], &CliError>) -> Result<(), Stopped> {
    let (place, count) = exchange.place();
    let failed = own.as_ref().err();
    let [program, plan, from] = own.as_ref().copied().unwrap_or_default();
    let record = [u64::from(failed.is_some()), program, plan, from];
    let mut all = Vec::new();
    exchange.gather(&record.map(u64::to_le_bytes).concat(), &mut all);
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| all[8 * at + i]));
    let records: Vec<[u64; 4]> =
        (0..count).map(|process| std::array::from_fn(|i| word(4 * process + i))).collect();
    let all_failed = records.iter().all(|record| record[0] == 1);
    if let Some(error) = failed {
        if all_failed && place == 0 {
            tell(&error.report());
        } else if !all_failed {
            tell(&format!("process {place}: {}", error.report()));
        }
        return Err(Stopped::Here);
    }
    if records.iter().any(|record| record[0] == 1) {
        return Err(Stopped::Here);
    }
    let what = ["", "runs another program", "has another scenario", "has another checkpoint"];
    for (process, record) in records.iter().enumerate() {
        if let Some(i) = (1..4).find(|&i| record[i] != records[0][i]) {
            if place == 0 {
                tell(&format!("error: process {process} {} than process 0", what[i]));
            }
            return Err(Stopped::Here);
        }
    }
    Ok(())
}

/// What the processes other than the first one do.
fn follow<N: Numbers>(plan: &Plan, sharing: &Sharing<'_>) -> Result<(), CliError> {
    let mut world = World::<N>::new(plan.map.clone(), plan.settings)
        .map_err(|source| CliError::World { source })?;
    let mut scratch = Scratch::new();
    sharing.begin(&mut world, &mut scratch)?;
    let mut observer = Observer::new(world.dt(), Vec::new());
    loop {
        let next = sharing.next(Next::TICK);
        if next.has(Next::END) {
            break;
        }
        let orders: Vec<Order> = plan.orders_at(world.tick_count()).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        let rows = scratch.rows(&world);
        // Where all processes have all rows the first one looks at them.
        if rows.len() < world.len() {
            observer.observe_part(&world, rows);
        }
        sharing.after(&mut world, &mut scratch, next)?;
    }
    sharing.end(&mut world, &mut scratch, &mut observer)?;
    Ok(())
}

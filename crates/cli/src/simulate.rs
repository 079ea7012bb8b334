//! The run itself: tick, record, watch.

use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use throng::lane::Numbers;
use throng::replay::{RecordOptions, Recorder, ReplayError};
use throng::scenario::Plan;
use throng::tick::{Scratch, tick_with};
use throng::world::{CutOff, Order, World};

use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;
use crate::refusals::refusals;
use crate::sharing::Sharing;
use crate::watch::{Ended, Stream, Streams, Timer, Wanted, Watch};
use crate::{signal, tell};

/// How a run is recorded.
pub(crate) struct Recording {
    pub(crate) output: Option<Output>,
    /// Most bytes of keyframes.
    pub(crate) keyframe_bytes: u64,
    /// Also the digests after every stage.
    pub(crate) trace: bool,
}

/// The results of a run: what was watched, refused orders, and why it ended.
pub(crate) struct Outcomes {
    pub(crate) ended: Ended,
    /// Refused orders, in words.
    pub(crate) refused: Vec<String>,
    pub(crate) why: String,
}

/// A run under way.
struct Run<'a, N: Numbers> {
    plan: &'a Plan,
    world: World<N>,
    scratch: Scratch<N>,
    timer: Timer,
    watch: Watch<'a>,
    recorder: Option<Stream<Recorder<BufWriter<Output>>>>,
    refused: Vec<String>,
}

fn replay_error(path: &Path) -> impl Fn(ReplayError) -> CliError + '_ {
    |source| CliError::Replay { path: path.to_owned(), source }
}

/// Whether a replay takes no more ticks, which is told.
fn is_full(recorded: Result<(), ReplayError>, path: &Path) -> Result<bool, CliError> {
    match recorded {
        Err(full @ ReplayError::Full { .. }) => {
            tell(&format!("{}: {full}; the run goes on", path.display()));
            Ok(true)
        }
        other => other.map(|()| false).map_err(replay_error(path)),
    }
}

/// Runs a plan to its end, and maybe shares the work with other processes.
pub(crate) fn simulate<N: Numbers>(
    plan: &Plan,
    wanted: Wanted<'_>,
    streams: Streams,
    recording: Recording,
    sharing: Option<&Sharing<'_>>,
    quiet: bool,
) -> Result<Outcomes, CliError> {
    let mut run = Run::<N>::new(plan, wanted, streams, recording, sharing)?;
    let mut progress = Progress::new(plan.ticks, quiet);
    let began = Instant::now();
    let mut why = "all ticks done".to_owned();
    let mut all_end = false;
    for tick in run.world.tick_count()..plan.ticks {
        if sharing.is_some_and(|sharing| !sharing.goes_on(true)) {
            why = "a process was stopped".to_owned();
            all_end = true;
            break;
        }
        run.tick(tick)?;
        if let Some(sharing) = sharing {
            sharing.after(&run.world)?;
        }
        progress.set(tick + 1, || run.watch.status(&run.world, &run.timer));
        if let Some(code) = signal::stopped() {
            why = format!("stopped by {}", signal::name(code));
            break;
        }
        if let Some(end) = run.is_over() {
            why = end;
            break;
        }
    }
    progress.finish();
    let elapsed = began.elapsed();
    let shared = match sharing {
        Some(sharing) => {
            let _ = all_end || sharing.goes_on(false);
            Some(sharing.end(&run.world)?)
        }
        None => None,
    };
    run.end_replay()?;
    let Run { world, timer, watch, refused, .. } = run;
    let mut ended = watch.end(&world, &timer, elapsed)?;
    ended.summary.shared = shared;
    Ok(Outcomes { ended, refused, why })
}

impl<'a, N: Numbers> Run<'a, N> {
    fn new(
        plan: &'a Plan,
        wanted: Wanted<'a>,
        streams: Streams,
        recording: Recording,
        sharing: Option<&Sharing<'_>>,
    ) -> Result<Self, CliError> {
        let mut world = World::new(plan.map.clone(), plan.settings)
            .map_err(|source| CliError::World { source })?;
        let mut scratch = Scratch::new();
        if let Some(sharing) = sharing {
            sharing.begin(&mut world, &mut scratch)?;
        }
        let recorder = Stream::start(recording.output, |file, path| {
            let options = RecordOptions {
                label: plan.name.clone(),
                scene: wanted.look.scene.clone(),
                keyframe_bytes: recording.keyframe_bytes,
                ..RecordOptions::default()
            };
            Recorder::start(&world, options, file).map_err(replay_error(path))
        })?;
        Ok(Self {
            plan,
            scratch,
            timer: Timer::new(recording.trace),
            watch: Watch::new(&world, wanted, streams)?,
            world,
            recorder,
            refused: Vec::new(),
        })
    }

    fn tick(&mut self, tick: u64) -> Result<(), CliError> {
        let orders: Vec<Order> = self.plan.orders_at(tick).cloned().collect();
        let (world, scratch) = (&mut self.world, &mut self.scratch);
        self.timer.tick(|timer| {
            tick_with::<N::Wide>(world, &orders, scratch, timer);
            (world.len(), ())
        });
        self.refused.extend(refusals(self.plan, tick, self.world.outcomes()));
        if let Some(Stream { path, to }) = &mut self.recorder {
            let recorded = match &self.timer.trace {
                Some(stages) => to.traced(&self.world, &orders, stages),
                None => to.tick(&self.world, &orders),
            };
            if is_full(recorded, path)? {
                self.end_replay()?;
            }
        }
        self.watch.observe(&self.world)
    }

    /// Why the run is over, if it is; that is looked at once a simulated second.
    fn is_over(&self) -> Option<String> {
        if !self.world.tick_count().is_multiple_of(u64::from(self.plan.settings.tick_rate)) {
            return None;
        }
        if self.plan.end.arrived.is_some_and(|share| self.have_arrived(share)) {
            let why =
                if self.world.is_empty() { "all have left" } else { "enough agents have arrived" };
            return Some(why.to_owned());
        }
        if self.plan.end.left.is_some_and(|share| self.have_left(share)) {
            let all = if self.world.is_empty() { "all" } else { "enough agents" };
            return Some(format!("{all} have left"));
        }
        self.watch.fight.is_over(&self.world)
    }

    /// Whether a share of the agents that there have been has left, and none is still to come.
    fn have_left(&self, share: f64) -> bool {
        let (left, tick) = (self.watch.observer.left(), self.world.tick_count());
        let mut later = self.plan.orders.iter().rev().take_while(|(at, _)| *at >= tick);
        let comes = |(_, order): &(u64, Order)| matches!(order, Order::Spawn { .. });
        let all = self.world.len() as u64 + left;
        left > 0
            && left as f64 >= share * all as f64
            && !self.world.has_comers()
            && !later.any(comes)
    }

    /// Whether a share of the agents has arrived. Once all orders have been given, agents that cannot
    /// arrive do not count.
    fn have_arrived(&self, share: f64) -> bool {
        if self.world.has_comers() {
            return false;
        }
        // Agents around a full goal have come as far as they can.
        let left = self.watch.observer.left() as usize;
        let arrived = self.world.arrived() + self.world.overflowed() + left;
        let mut agents = self.world.len() + left;
        let enough = |agents: usize| arrived as f64 >= share * agents as f64;
        if arrived == 0 || enough(agents) {
            return arrived > 0;
        }
        if self.plan.orders.last().is_none_or(|(at, _)| *at < self.world.tick_count()) {
            let CutOff { unreachable, idle } = self.world.cut_off();
            agents -= unreachable + idle;
        }
        enough(agents)
    }

    /// Ends the replay, if it has not ended yet.
    fn end_replay(&mut self) -> Result<(), CliError> {
        let Some(Stream { path, to: mut recorder }) = self.recorder.take() else { return Ok(()) };
        is_full(recorder.flush(), &path)?;
        Output::end(recorder.finish().map_err(replay_error(&path))?)
    }
}

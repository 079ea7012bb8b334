//! The run itself: tick, record, watch.

use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use throng::lane::Numbers;
use throng::replay::{RecordOptions, Recorder, ReplayError};
use throng::scenario::{EndDef, Plan};
use throng::state::{RowDigests, Tree};
use throng::tick::{Scratch, tick_with};
use throng::world::{CutOff, Order, World};

use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;
use crate::refusals::refusals;
use crate::sharing::{Next, Sharing};
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
        let wished = run.wished(tick + 1, sharing);
        let next = sharing.map_or(wished, |sharing| sharing.next(wished));
        if next.has(Next::END) {
            why = "a process was stopped".to_owned();
            all_end = true;
            break;
        }
        let orders = run.tick(tick);
        let digests = match sharing {
            Some(sharing) => sharing.after(&mut run.world, &mut run.scratch, next)?,
            None => None,
        };
        let looks = next.has(Next::LOOK);
        let saw_all = run.observe(&orders, looks, digests.as_ref())?;
        progress.set(tick + 1, || match saw_all {
            true => run.watch.status(&run.world, &run.timer),
            false => run.timer.speed(),
        });
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
            let _ = all_end || sharing.next(Next::END).has(Next::END);
            let Run { world, scratch, watch, .. } = &mut run;
            Some(sharing.end(world, scratch, &mut watch.observer)?)
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
        let mut watch = Watch::new(&world, wanted, streams)?;
        if let Some(sharing) = sharing {
            watch.observer = watch.observer.with_looks(sharing.looks);
        }
        Ok(Self {
            plan,
            scratch,
            timer: Timer::new(recording.trace),
            watch,
            world,
            recorder,
            refused: Vec::new(),
        })
    }

    /// What is to be done next so that all can be seen and recorded after so many ticks.
    fn wished(&self, tick: u64, sharing: Option<&Sharing<'_>>) -> Next {
        let EndDef { arrived, beaten, left } = self.plan.end;
        let checks_end = tick.is_multiple_of(u64::from(self.plan.settings.tick_rate))
            && arrived.or(beaten).or(left).is_some();
        let recorder = self.recorder.as_ref();
        let keeps = recorder.is_some_and(|recorder| recorder.to.is_keyframe_due(tick));
        let looks = sharing.is_none_or(|sharing| sharing.is_due(tick))
            || checks_end
            || keeps
            || self.watch.looks(tick);
        match (looks, recorder.is_some()) {
            (true, _) => Next::LOOK,
            (false, true) => Next::DIGEST,
            (false, false) => Next::TICK,
        }
    }

    /// Does a tick, and gives its orders.
    fn tick(&mut self, tick: u64) -> Vec<Order> {
        let orders: Vec<Order> = self.plan.orders_at(tick).cloned().collect();
        let (world, scratch) = (&mut self.world, &mut self.scratch);
        self.timer.tick(|timer| {
            tick_with::<N::Wide>(world, &orders, scratch, timer);
            (world.len(), ())
        });
        self.refused.extend(refusals(self.plan, tick, self.world.outcomes()));
        orders
    }

    /// Records the last tick and observes the world after it: all agents if `looks` is set or this process
    /// has all, else its own rows. Returns whether all agents were observed.
    fn observe(
        &mut self,
        orders: &[Order],
        looks: bool,
        digests: Option<&RowDigests>,
    ) -> Result<bool, CliError> {
        let (world, rows) = (&self.world, self.scratch.rows(&self.world));
        let sees_all = looks || rows.len() == world.len();
        if let Some(Stream { path, to }) = &mut self.recorder {
            let recorded = match (&self.timer.trace, digests) {
                (Some(stages), _) => to.traced(world, orders, stages),
                (None, Some(rows)) => to.tick_of(world, orders, &Tree::of_divided(world, rows)),
                (None, None) => to.tick(world, orders),
            };
            if is_full(recorded, path)? {
                self.end_replay()?;
            }
        }
        match sees_all {
            true => self.watch.observe(&self.world)?,
            false => self.watch.observer.observe_part(&self.world, rows),
        }
        Ok(sees_all)
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

//! The run itself: tick, record, watch, film.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::draw::combat_overlay::CombatOverlay;
use crate::draw::film::{Film, FilmColours};
use crate::draw::trails::Trails;
use crate::summary::{FullGoal, Summary, TickTimes, peak_rss_mb};
use crate::traffic::Counts;
use throng::lane::Numbers;
use throng::map::Map;
use throng::replay::{RecordOptions, Recorder, ReplayError, Stages};
use throng::report::measure::{Measures, Options, Report};
use throng::report::minds::{MindMeter, Minds};
use throng::report::observer::Observer;
use throng::report::routes::{RouteMeter, Routes};
use throng::report::trajectories::{Format, Header, Trajectories};
use throng::scenario::Plan;
use throng::state;
use throng::tick::{Probe, Scratch, Stage, tick_with};
use throng::world::{CutOff, Order, Outcome, Refusal, World};

use crate::args::RunArgs;
use crate::error::CliError;
use crate::fight::Fight;
use crate::look::{Look, caption_of};
use crate::output::Output;
use crate::progress::Progress;
use crate::{signal, tell};

/// Films have about this many frames.
const FRAMES: u64 = 240;
/// Frames in which a burst fades.
const FADE: u64 = 2;
/// Frames a second of a film.
const FRAME_RATE: f64 = 20.0;

/// What is wanted of a run beside its summary.
pub(crate) struct Wanted<'a> {
    /// What was typed.
    pub(crate) args: &'a RunArgs,
    /// Keep what a picture of the end needs.
    pub(crate) trails: bool,
    /// How to measure the run, if at all.
    pub(crate) measures: Option<Options>,
    /// How pictures and films look.
    pub(crate) look: &'a Look<'a>,
    pub(crate) map_name: &'a str,
}

/// Files that are written as a run goes.
pub(crate) struct Streams {
    pub(crate) record: Option<Output>,
    pub(crate) film: Option<Output>,
    pub(crate) trajectories: Option<Output>,
}

/// A file that grows with the run, and its name.
struct Stream<T> {
    path: PathBuf,
    to: T,
}

impl<T> Stream<T> {
    /// Starts what writes to a file, if one is wanted.
    fn start(
        output: Option<Output>,
        start: impl FnOnce(BufWriter<Output>, &Path) -> Result<T, CliError>,
    ) -> Result<Option<Self>, CliError> {
        let Some(output) = output else { return Ok(None) };
        let path = output.path().to_owned();
        let to = start(BufWriter::new(output), &path)?;
        Ok(Some(Self { path, to }))
    }
}

/// What a run leaves.
pub(crate) struct Ended {
    pub(crate) summary: Summary,
    pub(crate) observer: Observer,
    pub(crate) trails: Option<Trails>,
    pub(crate) measures: Option<Report>,
    /// The map as it is at the end.
    pub(crate) map: Map,
    /// What was refused, for people.
    pub(crate) refused: Vec<String>,
    pub(crate) why: String,
    pub(crate) combat_overlay: Option<CombatOverlay>,
}

/// Times the stages of every tick, and traces them when that is wanted.
struct Timer {
    stages: [Duration; Stage::ALL.len()],
    last: Instant,
    /// Milliseconds of every tick.
    ticks: Vec<f32>,
    trace: Option<Stages>,
}

impl Probe for Timer {
    fn ended<N: Numbers>(&mut self, stage: Stage, world: &World<N>, scratch: &Scratch<N>) {
        let now = Instant::now();
        self.stages[stage as usize] += now - self.last;
        self.last = now;
        if let Some(trace) = &mut self.trace {
            trace.ended(stage, world, scratch);
            self.last = Instant::now();
        }
    }

    fn reads_scratch(&self) -> bool {
        self.trace.is_some()
    }
}

/// A run under way.
struct Run<'a, N: Numbers> {
    plan: &'a Plan,
    world: World<N>,
    scratch: Scratch<N>,
    timer: Timer,
    /// Sum of the agents of every tick.
    agent_ticks: u64,
    observer: Observer,
    fight: Fight<'a>,
    minds: MindMeter,
    routes: RouteMeter,
    recorder: Option<Stream<Recorder<BufWriter<Output>>>>,
    film: Option<Stream<Film<BufWriter<Output>>>>,
    film_every: u64,
    /// The version of the map that the film shows.
    filmed: u32,
    trails: Option<Trails>,
    measures: Option<Measures>,
    trajectories: Option<Stream<Trajectories<BufWriter<Output>>>>,
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

/// What a file of trajectories says of its run.
fn header(plan: &Plan, every: Option<u32>) -> Header {
    let tick_rate = plan.settings.tick_rate;
    Header {
        scenario: plan.name.clone(),
        numeric: plan.numeric,
        tick_rate,
        every: every.unwrap_or_else(|| Header::usual_every(tick_rate)),
        groups: plan.groups.iter().map(|group| group.name.clone()).collect(),
    }
}

/// Ticks in which a burst fades in pictures: half a second.
pub(crate) fn burst_fade(tick_rate: u32) -> u64 {
    u64::from(tick_rate) / 2
}

/// What is said of an order that was refused.
pub(crate) fn refusal(plan: &Plan, tick: u64, order: &Order, why: &Refusal) -> String {
    let group = order.group().map(|group| plan.groups[usize::from(group)].name.as_str());
    let group = group.unwrap_or(match order {
        Order::Build { .. } | Order::Demolish { .. } => "the map",
        Order::Mind { .. } => "a new mind",
        _ => "a new group",
    });
    format!("order at tick {tick} to `{group}` refused: {why}")
}

/// Runs a plan to its end.
pub(crate) fn simulate<N: Numbers>(
    plan: &Plan,
    wanted: &Wanted<'_>,
    streams: Streams,
) -> Result<Ended, CliError> {
    let mut run = Run::<N>::new(plan, wanted, streams)?;
    let mut progress = Progress::new(plan.ticks, wanted.args.quiet);
    let began = Instant::now();
    let mut why = "all ticks done".to_owned();
    for tick in 0..plan.ticks {
        run.tick(tick)?;
        progress.set(tick + 1, || run.status());
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
    run.end(wanted, began.elapsed(), why)
}

impl<'a, N: Numbers> Run<'a, N> {
    fn new(plan: &'a Plan, wanted: &Wanted<'a>, streams: Streams) -> Result<Self, CliError> {
        let world = World::new(plan.map.clone(), plan.settings)
            .map_err(|source| CliError::World { source })?;
        let colours = &wanted.look.classes.colours;
        let observer = wanted.look.observer(world.dt());
        let recorder = Stream::start(streams.record, |file, path| {
            let options = RecordOptions {
                label: plan.name.clone(),
                scene: wanted.look.scene.clone(),
                keyframe_bytes: wanted.args.keyframes.bytes(),
                ..RecordOptions::default()
            };
            Recorder::start(&world, options, file).map_err(replay_error(path))
        })?;
        let film_colours = FilmColours { groups: colours, letters: &plan.letters };
        let film = Stream::start(streams.film, |file, path| {
            Film::new(file, &plan.map, film_colours, FRAME_RATE).map_err(CliError::film(path))
        })?;
        let trajectories = Stream::start(streams.trajectories, |file, path| {
            let header = header(plan, wanted.args.trajectories_every);
            let started =
                Format::of(path).and_then(|format| Trajectories::start(file, format, &header));
            started.map_err(CliError::trajectories(path))
        })?;
        let film_every = plan.ticks.div_ceil(FRAMES).max(1);
        // In a film a burst shows in some frames.
        let shown = if film.is_some() { FADE * film_every } else { 0 };
        let fade = burst_fade(plan.settings.tick_rate).max(shown);
        Ok(Self {
            plan,
            scratch: Scratch::new(),
            timer: Timer {
                stages: Default::default(),
                last: Instant::now(),
                ticks: Vec::new(),
                trace: wanted.args.trace.then(Stages::default),
            },
            agent_ticks: 0,
            observer,
            minds: MindMeter::default(),
            routes: RouteMeter::default(),
            fight: Fight::new(wanted.look.scene, (wanted.trails || film.is_some()).then_some(fade)),
            world,
            recorder,
            film,
            film_every,
            filmed: 0,
            trails: wanted.trails.then(|| Trails::new(&plan.map)),
            measures: wanted.measures.map(|options| Measures::new(plan, options)),
            trajectories,
            refused: Vec::new(),
        })
    }

    fn tick(&mut self, tick: u64) -> Result<(), CliError> {
        let orders: Vec<Order> = self.plan.orders_at(tick).cloned().collect();
        self.timer.last = Instant::now();
        if let Some(trace) = &mut self.timer.trace {
            trace.clear();
        }
        let before = self.tick_time();
        tick_with::<N::Wide>(&mut self.world, &orders, &mut self.scratch, &mut self.timer);
        self.timer.ticks.push((self.tick_time() - before).as_secs_f32() * 1e3);
        self.agent_ticks += self.world.len() as u64;
        for (order, outcome) in orders.iter().zip(self.world.outcomes()) {
            if let Outcome::Refused(why) = outcome {
                self.refused.push(refusal(self.plan, tick, order, why));
            }
        }
        if let Some(Stream { path, to }) = &mut self.recorder {
            let recorded = match &self.timer.trace {
                Some(stages) => to.traced(&self.world, &orders, stages),
                None => to.tick(&self.world, &orders),
            };
            if is_full(recorded, path)? {
                self.end_replay()?;
            }
        }
        if let Some(Stream { path, to }) = &mut self.trajectories {
            to.observe(&self.world).map_err(CliError::trajectories(path))?;
        }
        if self.observer.observe(&self.world)
            && let Some(trails) = &mut self.trails
        {
            trails.observe(&self.observer.crowd());
        }
        if let Some(measures) = &mut self.measures {
            measures.observe(&self.world);
        }
        self.fight.observe(&self.world);
        self.minds.observe(&self.world);
        self.routes.observe(&self.world);
        if tick.is_multiple_of(self.film_every) {
            self.shoot()?;
        }
        Ok(())
    }

    /// Takes a frame of the film.
    fn shoot(&mut self) -> Result<(), CliError> {
        let Some(Stream { path, to: film }) = &mut self.film else { return Ok(()) };
        self.observer.load(&self.world);
        self.fight.load(&self.world);
        let version = self.world.map_version();
        if std::mem::replace(&mut self.filmed, version) != version {
            film.set_ground(self.world.map());
        }
        if let Some(battle) = self.fight.battle(&self.world) {
            film.set_caption(&battle.strengths());
        }
        film.push_fight(&self.observer.crowd(), self.fight.combat_overlay.as_ref())
            .map_err(CliError::film(path))
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
        self.fight.is_over(&self.world)
    }

    /// Whether a share of the agents that there have been has left, and nobody is still to come.
    fn have_left(&self, share: f64) -> bool {
        let (left, tick) = (self.observer.left(), self.world.tick_count());
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
        let left = self.observer.left() as usize;
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

    fn tick_time(&self) -> Duration {
        self.timer.stages.iter().sum()
    }

    fn status(&self) -> String {
        let seconds = self.tick_time().as_secs_f64().max(1e-9);
        let rate = self.agent_ticks as f64 / seconds / 1e6;
        let per_tick = seconds * 1e3 / self.world.tick_count().max(1) as f64;
        let speed = format!("{rate:.1} M agent-ticks/s  {per_tick:.2} ms/tick");
        if let Some(battle) = self.fight.battle(&self.world) {
            return format!("{speed}  {}", battle.strengths());
        }
        let left = self.observer.left() as usize;
        let arrived = (self.world.arrived() + left) as f64;
        let share = arrived * 100.0 / (self.world.len() + left).max(1) as f64;
        format!("{speed}  {share:.0} % arrived")
    }

    /// Ends the replay, if it has not ended yet.
    fn end_replay(&mut self) -> Result<(), CliError> {
        let Some(Stream { path, to: mut recorder }) = self.recorder.take() else { return Ok(()) };
        is_full(recorder.flush(), &path)?;
        Output::end(recorder.finish().map_err(replay_error(&path))?)
    }

    fn end(
        mut self,
        wanted: &Wanted<'_>,
        elapsed: Duration,
        why: String,
    ) -> Result<Ended, CliError> {
        self.end_replay()?;
        if let Some(Stream { path, to }) = self.trajectories.take() {
            Output::end(to.finish().map_err(CliError::trajectories(&path))?)?;
        }
        if let Some(Stream { path, to }) = self.film.take() {
            Output::end(to.finish().map_err(CliError::film(&path))?)?;
        }
        let measures = self.measures.take().map(|mut measures| {
            measures.finish(&self.world);
            measures.report()
        });
        self.observer.finish(&self.world);
        let per = |time: Duration| time.as_nanos() as f64 / self.agent_ticks.max(1) as f64;
        let stages = Stage::ALL
            .iter()
            .map(|&stage| (stage.name().to_owned(), per(self.timer.stages[stage as usize])));
        let names: Vec<String> = self.plan.groups.iter().map(|group| group.name.clone()).collect();
        let summary = Summary {
            scenario: self.plan.name.clone(),
            map: wanted.map_name.to_owned(),
            numeric: N::NUMERIC.word().to_owned(),
            threads: rayon::current_num_threads() as u32,
            agents: self.world.len() as u64,
            ticks: self.world.tick_count(),
            dt: self.world.dt(),
            digest: format!("{:016x}", state::digest(&self.world)),
            wall_s: elapsed.as_secs_f64(),
            ns_per_agent_tick: per(self.tick_time()),
            tick_ms: TickTimes::of(&self.timer.ticks),
            stages: stages.collect(),
            arrived: self.world.arrived() as u64 + self.observer.left(),
            unreachable: self.world.cut_off().unreachable as u64,
            routes: Routes::new(&self.world, &self.routes),
            overflowed: self.world.overflowed() as u64,
            full_goals: FullGoal::of(&self.world, &names),
            crowd: self.observer.observed(),
            peak_rss_mb: peak_rss_mb().unwrap_or(0.0),
            battle: self.fight.battle(&self.world),
            timeline: self.observer.timeline().named(self.fight.names()),
            minds: Minds::new(&self.world, &names, &self.minds),
            traffic: Counts::of(&self.world, [&self.plan.sources, &self.plan.sinks]),
        };
        self.fight.load(&self.world);
        let Self { observer, trails, fight, refused, world, .. } = self;
        let (combat_overlay, map) = (fight.combat_overlay, world.map().clone());
        Ok(Ended { summary, observer, trails, combat_overlay, map, measures, refused, why })
    }
}

/// The line below a picture.
pub(crate) fn caption(summary: &Summary) -> String {
    let counts = [summary.agents_ever(), summary.arrived];
    caption_of(&summary.scenario, summary.battle.as_ref(), counts, summary.simulated_s())
}

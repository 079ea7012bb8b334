//! The run itself: tick, record, watch, film.

use std::io::BufWriter;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::draw::classes::Classes;
use crate::draw::combat_overlay::CombatOverlay;
use crate::draw::film::{Film, FilmColours};
use crate::draw::trails::Trails;
use crate::summary::{FullGoal, Summary, TickTimes, peak_rss_mb, thousands};
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
use throng::world::{CutOff, Order, Outcome, World};

use crate::error::CliError;
use crate::fight::Fight;
use crate::output::Output;
use crate::progress::Progress;
use crate::{signal, tell};

/// Films have about this many frames.
const FRAMES: u64 = 240;
/// Frames in which a burst fades.
const FADE: u64 = 2;
/// Frames a second of a film.
const FRAME_RATE: f64 = 20.0;
/// Bytes of trajectories that are written together.
const BUFFER: usize = 1 << 20;

/// What is wanted of a run beside its summary.
pub(crate) struct Wanted<'a> {
    pub(crate) record: Option<&'a Path>,
    /// Bytes that keyframes of the replay may take.
    pub(crate) keyframe_bytes: u64,
    /// Record the digests after every stage.
    pub(crate) trace: bool,
    pub(crate) film: Option<&'a Path>,
    pub(crate) trajectories: Option<&'a Path>,
    /// Ticks from one frame of the trajectories to the next.
    pub(crate) trajectories_every: Option<u32>,
    /// Keep what a picture of the end needs.
    pub(crate) trails: bool,
    /// How to measure the run, if at all.
    pub(crate) measures: Option<Options>,
    /// What pictures tell apart, and whether that is states of machines.
    pub(crate) classes: &'a Classes,
    pub(crate) by_state: bool,
    pub(crate) quiet: bool,
    pub(crate) map_name: &'a str,
}

/// Files that are written as a run goes.
pub(crate) struct Streams {
    pub(crate) record: Option<Output>,
    pub(crate) film: Option<Output>,
    pub(crate) trajectories: Option<Output>,
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
    recorder: Option<Recorder<BufWriter<Output>>>,
    film: Option<Film<BufWriter<Output>>>,
    film_every: u64,
    /// The version of the map that the film shows.
    filmed: u32,
    trails: Option<Trails>,
    measures: Option<Measures>,
    trajectories: Option<Trajectories<BufWriter<Output>>>,
    refused: Vec<String>,
}

fn replay_error(path: &Path) -> impl Fn(ReplayError) -> CliError + '_ {
    |source| CliError::Replay { path: path.to_owned(), source }
}

/// Starts the trajectories, if they are wanted.
fn trajectories(
    plan: &Plan,
    wanted: &Wanted<'_>,
    output: Option<Output>,
) -> Result<Option<Trajectories<BufWriter<Output>>>, CliError> {
    let (Some(path), Some(output)) = (wanted.trajectories, output) else { return Ok(None) };
    let tick_rate = plan.settings.tick_rate;
    let header = Header {
        scenario: plan.name.clone(),
        numeric: plan.numeric,
        tick_rate,
        every: wanted.trajectories_every.unwrap_or_else(|| Header::usual_every(tick_rate)),
        groups: plan.groups.iter().map(|group| group.name.clone()).collect(),
    };
    let file = BufWriter::with_capacity(BUFFER, output);
    let started = Format::of(path).and_then(|format| Trajectories::start(file, format, &header));
    Ok(Some(started.map_err(CliError::trajectories(path))?))
}

/// Runs a plan to its end.
pub(crate) fn simulate<N: Numbers>(
    plan: &Plan,
    wanted: &Wanted<'_>,
    streams: Streams,
) -> Result<Ended, CliError> {
    let mut run = Run::<N>::new(plan, wanted, streams)?;
    let mut progress = Progress::new(plan.ticks, wanted.quiet);
    let began = Instant::now();
    let mut why = "all ticks done".to_owned();
    for tick in 0..plan.ticks {
        run.tick(tick, wanted)?;
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
    fn new(plan: &'a Plan, wanted: &Wanted<'_>, streams: Streams) -> Result<Self, CliError> {
        let world = World::new(plan.map.clone(), plan.settings)
            .map_err(|source| CliError::World { source })?;
        let colours = &wanted.classes.colours;
        let observer = Observer::new(world.dt(), colours.clone());
        let observer = match wanted.by_state {
            true => observer.by_state(wanted.classes.first.clone(), colours.clone()),
            false => observer,
        };
        let recorder = match (wanted.record, streams.record) {
            (Some(path), Some(output)) => {
                let options = RecordOptions {
                    label: plan.name.clone(),
                    keyframe_bytes: wanted.keyframe_bytes,
                    ..RecordOptions::default()
                };
                let recorder = Recorder::start(&world, options, BufWriter::new(output));
                Some(recorder.map_err(replay_error(path))?)
            }
            _ => None,
        };
        let film_colours = FilmColours { groups: colours, letters: &plan.letters };
        let film = match (wanted.film, streams.film) {
            (Some(path), Some(output)) => {
                let file = BufWriter::new(output);
                let film = Film::new(file, &plan.map, film_colours, FRAME_RATE);
                Some(film.map_err(CliError::film(path))?)
            }
            _ => None,
        };
        let film_every = plan.ticks.div_ceil(FRAMES).max(1);
        let fade = (u64::from(plan.settings.tick_rate) / 2).max(FADE * film_every);
        Ok(Self {
            plan,
            scratch: Scratch::new(),
            timer: Timer {
                stages: Default::default(),
                last: Instant::now(),
                ticks: Vec::new(),
                trace: wanted.trace.then(Stages::default),
            },
            agent_ticks: 0,
            observer,
            minds: MindMeter::default(),
            routes: RouteMeter::default(),
            fight: Fight::new(plan, (wanted.trails || film.is_some()).then_some(fade)),
            world,
            recorder,
            film,
            film_every,
            filmed: 0,
            trails: wanted.trails.then(|| Trails::new(&plan.map)),
            measures: wanted.measures.map(|options| Measures::new(plan, options)),
            trajectories: trajectories(plan, wanted, streams.trajectories)?,
            refused: Vec::new(),
        })
    }

    fn tick(&mut self, tick: u64, wanted: &Wanted<'_>) -> Result<(), CliError> {
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
                let group = order.group().map(|g| self.plan.groups[usize::from(g)].name.as_str());
                let group = group.unwrap_or(match order {
                    Order::Build { .. } | Order::Demolish { .. } => "the map",
                    Order::Mind { .. } => "a new mind",
                    _ => "a new group",
                });
                self.refused.push(format!("order at tick {tick} to `{group}` refused: {why}"));
            }
        }
        if let (Some(recorder), Some(path)) = (&mut self.recorder, wanted.record) {
            let stages = self.timer.trace.as_ref();
            let recorded = match stages {
                Some(stages) => recorder.traced(&self.world, &orders, stages),
                None => recorder.tick(&self.world, &orders),
            };
            if self.is_full(recorded, path)? {
                self.end_replay(path)?;
            }
        }
        if let (Some(trajectories), Some(path)) = (&mut self.trajectories, wanted.trajectories) {
            trajectories.observe(&self.world).map_err(CliError::trajectories(path))?;
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
            self.shoot(wanted)?;
        }
        Ok(())
    }

    /// Takes a frame of the film.
    fn shoot(&mut self, wanted: &Wanted<'_>) -> Result<(), CliError> {
        let (Some(film), Some(path)) = (&mut self.film, wanted.film) else { return Ok(()) };
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
            return Some("enough agents have arrived".to_owned());
        }
        self.fight.is_over(&self.world)
    }

    /// Whether a share of the agents has arrived. Once all orders have been given, agents that cannot
    /// arrive do not count.
    fn have_arrived(&self, share: f64) -> bool {
        // Agents around a full goal have come as far as they can.
        let arrived = self.world.arrived() + self.world.overflowed();
        let mut agents = self.world.len();
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
        let arrived = self.world.arrived() as f64 * 100.0 / self.world.len().max(1) as f64;
        format!("{speed}  {arrived:.0} % arrived")
    }

    /// Whether a replay takes no more ticks, which is told.
    fn is_full(&self, recorded: Result<(), ReplayError>, path: &Path) -> Result<bool, CliError> {
        match recorded {
            Err(full @ ReplayError::Full { .. }) => {
                tell(&format!("{}: {full}; the run goes on", path.display()));
                Ok(true)
            }
            other => other.map(|()| false).map_err(replay_error(path)),
        }
    }

    /// Ends the replay, if it has not ended yet.
    fn end_replay(&mut self, path: &Path) -> Result<(), CliError> {
        let Some(mut recorder) = self.recorder.take() else { return Ok(()) };
        self.is_full(recorder.flush(), path)?;
        Output::end(recorder.finish().map_err(replay_error(path))?)
    }

    fn end(
        mut self,
        wanted: &Wanted<'_>,
        elapsed: Duration,
        why: String,
    ) -> Result<Ended, CliError> {
        if let Some(path) = wanted.record {
            self.end_replay(path)?;
        }
        if let (Some(trajectories), Some(path)) = (self.trajectories.take(), wanted.trajectories) {
            Output::end(trajectories.finish().map_err(CliError::trajectories(path))?)?;
        }
        if let (Some(film), Some(path)) = (self.film.take(), wanted.film) {
            Output::end(film.finish().map_err(CliError::film(path))?)?;
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
            arrived: self.world.arrived() as u64,
            unreachable: self.world.cut_off().unreachable as u64,
            routes: Routes::new(&self.world, &self.routes),
            overflowed: self.world.overflowed() as u64,
            full_goals: FullGoal::of(&self.world, &names),
            crowd: self.observer.observed(),
            peak_rss_mb: peak_rss_mb().unwrap_or(0.0),
            battle: self.fight.battle(&self.world),
            timeline: self.observer.timeline().named(self.fight.names()),
            minds: Minds::new(&self.world, &names, &self.minds),
        };
        self.fight.load(&self.world);
        let Self { observer, trails, fight, refused, world, .. } = self;
        let (combat_overlay, map) = (fight.combat_overlay, world.map().clone());
        Ok(Ended { summary, observer, trails, combat_overlay, map, measures, refused, why })
    }
}

/// The line below a picture.
pub(crate) fn caption(summary: &Summary) -> String {
    if let Some(battle) = &summary.battle {
        let (name, seconds) = (&summary.scenario, summary.simulated_s());
        return format!("{name}: {}, after {seconds:.0} s", battle.strengths());
    }
    format!(
        "{}: {} agents, {} arrived, after {:.0} s",
        summary.scenario,
        thousands(summary.agents),
        thousands(summary.arrived),
        summary.simulated_s()
    )
}

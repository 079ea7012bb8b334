//! The run itself: tick, record, watch, film.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use throng::lane::Numbers;
use throng::replay::RecordOptions;
use throng::replay::Recorder;
use throng::replay::Stages;
use throng::report::film::Film;
use throng::report::measure::Measures;
use throng::report::measure::Options;
use throng::report::measure::Report;
use throng::report::observer::Observer;
use throng::report::summary::Summary;
use throng::report::summary::peak_rss_mb;
use throng::report::summary::thousands;
use throng::report::trails::Trails;
use throng::report::trajectories::Header;
use throng::report::trajectories::Trajectories;
use throng::scenario::Plan;
use throng::state;
use throng::tick::Probe;
use throng::tick::Scratch;
use throng::tick::Stage;
use throng::tick::tick_with;
use throng::world::Order;
use throng::world::Outcome;
use throng::world::World;

use crate::cli::error::CliError;
use crate::cli::progress::Progress;

/// Films have about this many frames.
const FRAMES: u64 = 240;
/// Frames a second of a film.
const FRAME_RATE: f64 = 20.0;

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
    pub(crate) quiet: bool,
    pub(crate) map_name: &'a str,
    pub(crate) stop: Arc<AtomicBool>,
}

/// What a run leaves.
pub(crate) struct Ended {
    pub(crate) summary: Summary,
    pub(crate) observer: Observer,
    pub(crate) trails: Option<Trails>,
    pub(crate) measures: Option<Report>,
    /// What was refused, for people.
    pub(crate) refused: Vec<String>,
    pub(crate) why: &'static str,
}

/// Times the stages of every tick, and traces them when that is wanted.
struct Timer {
    stages: [Duration; Stage::ALL.len()],
    last: Instant,
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
    recorder: Option<Recorder<BufWriter<File>>>,
    film: Option<Film<BufWriter<File>>>,
    film_every: u64,
    trails: Option<Trails>,
    measures: Option<Measures>,
    trajectories: Option<Trajectories<BufWriter<File>>>,
    refused: Vec<String>,
}

fn write_error(path: &Path) -> impl Fn(std::io::Error) -> CliError + '_ {
    |source| CliError::Write { path: path.to_owned(), source }
}

fn replay_error(path: &Path) -> impl Fn(throng::replay::ReplayError) -> CliError + '_ {
    |source| CliError::Replay { path: path.to_owned(), source }
}

/// Starts the trajectories, if they are wanted.
fn trajectories(
    plan: &Plan,
    wanted: &Wanted<'_>,
) -> Result<Option<Trajectories<BufWriter<File>>>, CliError> {
    let Some(path) = wanted.trajectories else { return Ok(None) };
    let tick_rate = plan.settings.tick_rate;
    let header = Header {
        scenario: plan.name.clone(),
        numeric: plan.numeric,
        tick_rate,
        every: wanted.trajectories_every.unwrap_or_else(|| Header::usual_every(tick_rate)),
        groups: plan.groups.iter().map(|group| group.name.clone()).collect(),
    };
    Ok(Some(Trajectories::create(path, &header).map_err(CliError::trajectories(path))?))
}

/// Runs a plan to its end.
pub(crate) fn simulate<N: Numbers>(plan: &Plan, wanted: &Wanted<'_>) -> Result<Ended, CliError> {
    let mut run = Run::<N>::new(plan, wanted)?;
    let mut progress = Progress::new(plan.ticks, wanted.quiet);
    let began = Instant::now();
    let mut why = "all ticks done";
    for tick in 0..plan.ticks {
        run.tick(tick, wanted)?;
        progress.set(tick + 1, || run.status());
        if wanted.stop.load(Ordering::Relaxed) {
            why = "stopped by Ctrl-C";
            break;
        }
        if run.is_over() {
            why = "enough agents have arrived";
            break;
        }
    }
    progress.finish();
    run.end(wanted, began.elapsed(), why)
}

impl<'a, N: Numbers> Run<'a, N> {
    fn new(plan: &'a Plan, wanted: &Wanted<'_>) -> Result<Self, CliError> {
        let world = World::new(plan.map.clone(), plan.settings)
            .map_err(|source| CliError::World { source })?;
        let colours: Vec<[u8; 3]> = plan.groups.iter().map(|group| group.color).collect();
        let recorder = match wanted.record {
            Some(path) => {
                let file = File::create(path).map_err(write_error(path))?;
                let options = RecordOptions {
                    label: plan.name.clone(),
                    keyframe_bytes: wanted.keyframe_bytes,
                    ..RecordOptions::default()
                };
                let recorder = Recorder::start(&world, options, BufWriter::new(file));
                Some(recorder.map_err(replay_error(path))?)
            }
            None => None,
        };
        let film = match wanted.film {
            Some(path) => Some(
                Film::create(path, &plan.map, &colours, FRAME_RATE)
                    .map_err(|source| CliError::Picture { source })?,
            ),
            None => None,
        };
        Ok(Self {
            plan,
            scratch: Scratch::new(),
            timer: Timer {
                stages: Default::default(),
                last: Instant::now(),
                trace: wanted.trace.then(Stages::default),
            },
            agent_ticks: 0,
            observer: Observer::new(world.dt(), colours),
            world,
            recorder,
            film,
            film_every: plan.ticks.div_ceil(FRAMES).max(1),
            trails: wanted.trails.then(|| Trails::new(&plan.map)),
            measures: wanted.measures.map(|options| Measures::new(plan, options)),
            trajectories: trajectories(plan, wanted)?,
            refused: Vec::new(),
        })
    }

    fn tick(&mut self, tick: u64, wanted: &Wanted<'_>) -> Result<(), CliError> {
        let orders: Vec<Order> = self.plan.orders_at(tick).cloned().collect();
        self.timer.last = Instant::now();
        if let Some(trace) = &mut self.timer.trace {
            trace.clear();
        }
        tick_with::<N::Wide>(&mut self.world, &orders, &mut self.scratch, &mut self.timer);
        self.agent_ticks += self.world.len() as u64;
        for (order, outcome) in orders.iter().zip(self.world.outcomes()) {
            if let Outcome::Refused(why) = outcome {
                let group = order.group().map(|g| self.plan.groups[usize::from(g)].name.as_str());
                let group = group.unwrap_or("a new group");
                self.refused.push(format!("order at tick {tick} to `{group}` refused: {why}"));
            }
        }
        if let (Some(recorder), Some(path)) = (&mut self.recorder, wanted.record) {
            let stages = self.timer.trace.as_ref();
            let recorded = match stages {
                Some(stages) => recorder.traced(&self.world, &orders, stages),
                None => recorder.tick(&self.world, &orders),
            };
            recorded.map_err(replay_error(path))?;
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
        if tick.is_multiple_of(self.film_every)
            && let Some(film) = &mut self.film
        {
            self.observer.load(&self.world);
            film.push(&self.observer.crowd()).map_err(|source| CliError::Picture { source })?;
        }
        Ok(())
    }

    /// Whether the end condition holds; it is looked at once a simulated second.
    fn is_over(&self) -> bool {
        let due = self.world.tick_count().is_multiple_of(u64::from(self.plan.settings.tick_rate));
        let Some(share) = self.plan.end.arrived.filter(|_| due && !self.world.is_empty()) else {
            return false;
        };
        self.world.arrived() as f64 >= share * self.world.len() as f64
    }

    fn tick_time(&self) -> Duration {
        self.timer.stages.iter().sum()
    }

    fn status(&self) -> String {
        let seconds = self.tick_time().as_secs_f64().max(1e-9);
        let rate = self.agent_ticks as f64 / seconds / 1e6;
        let per_tick = seconds * 1e3 / self.world.tick_count().max(1) as f64;
        let arrived = self.world.arrived() as f64 * 100.0 / self.world.len().max(1) as f64;
        format!("{rate:.1} M agent-ticks/s  {per_tick:.2} ms/tick  {arrived:.0} % arrived")
    }

    fn end(
        mut self,
        wanted: &Wanted<'_>,
        elapsed: Duration,
        why: &'static str,
    ) -> Result<Ended, CliError> {
        if let (Some(recorder), Some(path)) = (self.recorder.take(), wanted.record) {
            recorder.finish().map_err(replay_error(path))?;
        }
        if let (Some(trajectories), Some(path)) = (self.trajectories.take(), wanted.trajectories) {
            trajectories.finish().map_err(CliError::trajectories(path))?;
        }
        if let Some(film) = self.film.take() {
            film.finish().map_err(|source| CliError::Picture { source })?;
        }
        let measures = self.measures.take().map(|mut measures| {
            measures.finish(&self.world);
            measures.report()
        });
        self.observer.load(&self.world);
        let per = |time: Duration| time.as_nanos() as f64 / self.agent_ticks.max(1) as f64;
        let stages = Stage::ALL
            .iter()
            .map(|&stage| (stage.name().to_owned(), per(self.timer.stages[stage as usize])));
        let overlaps = self.observer.overlaps();
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
            stages: stages.collect(),
            arrived: self.world.arrived() as u64,
            inside_wall: self.observer.inside_wall(),
            max_overlap_m: overlaps.max_overlap_m,
            max_overlap_radii: overlaps.max_overlap_radii,
            overlapping_pairs: overlaps.pairs,
            mean_speed: self.observer.mean_speed(),
            stuck_agent_s: self.observer.stuck_agent_s(),
            peak_rss_mb: peak_rss_mb().unwrap_or(0.0),
        };
        let (observer, trails, refused) = (self.observer, self.trails, self.refused);
        Ok(Ended { summary, observer, trails, measures, refused, why })
    }
}

/// The line below a picture.
pub(crate) fn caption(summary: &Summary) -> String {
    format!(
        "{}: {} agents, {} arrived, after {:.0} s",
        summary.scenario,
        thousands(summary.agents),
        thousands(summary.arrived),
        summary.simulated_s()
    )
}

//! What looks at a run or at a replay after every tick: the summary, measures, trajectories, films.
//!
//! A run and its replay go through the same code, so they give the same files.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Numeric;
use throng::replay::Stages;
use throng::report::heat::HeatMeter;
use throng::report::measure::{Measures, Options, Report};
use throng::report::minds::{MindMeter, Minds};
use throng::report::observer::Observer;
use throng::report::routes::{RouteMeter, Routes};
use throng::report::timeline::Timeline;
use throng::report::trajectories::{Format, Header, Trajectories};
use throng::state;
use throng::tick::{Probe, Scratch, Stage};
use throng::world::World;

use crate::draw::combat_overlay::CombatOverlay;
use crate::draw::film::{Film, FilmColours, FilmOptions};
use crate::draw::fixtures::Fixtures;
use crate::draw::trails::Trails;
use crate::error::CliError;
use crate::fight::Fight;
use crate::file_args::{FileArgs, film_kind};
use crate::look::{self, Look};
use crate::output::Output;
use crate::refusals::with_names;
use crate::structures::Structures;
use crate::summary::{FullGoal, Summary, TickTimes, peak_rss_mb, plural, thousands};
use crate::traffic::{Before, Counts};

/// Films have about this many frames.
const FRAMES: u64 = 240;
/// Frames in which a burst fades.
const FADE: u64 = 2;
/// Frames a second of a film.
const FRAME_RATE: f64 = 20.0;

/// The run that is watched, and the files that are wanted of it.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The name of the scenario or replay.
    pub(crate) name: &'a str,
    pub(crate) map_name: &'a str,
    /// The map at the beginning.
    pub(crate) map: &'a Map,
    pub(crate) tick_rate: u32,
    /// Ticks done before, and how many there are to come at most.
    pub(crate) first: u64,
    pub(crate) ticks: u64,
    /// Keep what a picture of the end needs.
    pub(crate) picture: bool,
    /// Keep where agents went.
    pub(crate) trails: bool,
    /// How to measure the run, if at all.
    pub(crate) measures: Option<Options>,
    /// What was typed of files: of films, heat maps and trajectories.
    pub(crate) files: &'a FileArgs,
    /// How pictures and films look.
    pub(crate) look: &'a Look<'a>,
}

/// Files that are written as a run goes.
pub(crate) struct Streams {
    pub(crate) film: Option<Output>,
    pub(crate) trajectories: Option<Output>,
}

/// A file that grows with the run, and its name.
pub(crate) struct Stream<T> {
    pub(crate) path: PathBuf,
    pub(crate) to: T,
}

impl<T> Stream<T> {
    /// Starts what writes to a file, if one is wanted.
    pub(crate) fn start(
        output: Option<Output>,
        start: impl FnOnce(BufWriter<Output>, &Path) -> Result<T, CliError>,
    ) -> Result<Option<Self>, CliError> {
        let Some(output) = output else { return Ok(None) };
        let path = output.path().to_owned();
        let to = start(BufWriter::new(output), &path)?;
        Ok(Some(Self { path, to }))
    }
}

/// The results of a run.
pub(crate) struct Ended {
    pub(crate) summary: Summary,
    pub(crate) observer: Observer,
    pub(crate) trails: Option<Trails>,
    pub(crate) heat: Option<HeatMeter>,
    pub(crate) measures: Option<Report>,
    /// The map as it is at the end.
    pub(crate) map: Map,
    /// The structures that stand then, closed doors, sources and sinks.
    pub(crate) fixtures: Fixtures,
    pub(crate) combat_overlay: Option<CombatOverlay>,
}

/// Times the stages of every tick, and traces them when that is wanted.
pub(crate) struct Timer {
    stages: [Duration; Stage::ALL.len()],
    last: Instant,
    /// Milliseconds of every tick.
    ticks: Vec<f32>,
    /// Sum of the agents of every tick.
    agent_ticks: u64,
    pub(crate) trace: Option<Stages>,
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

impl Timer {
    pub(crate) fn new(trace: bool) -> Self {
        Self {
            stages: Default::default(),
            last: Instant::now(),
            ticks: Vec::new(),
            agent_ticks: 0,
            trace: trace.then(Stages::default),
        }
    }

    /// Does a tick; what it gives is the number of agents behind it.
    pub(crate) fn tick<T>(&mut self, tick: impl FnOnce(&mut Self) -> (usize, T)) -> T {
        if let Some(trace) = &mut self.trace {
            trace.clear();
        }
        let before = self.time();
        self.last = Instant::now();
        let (agents, done) = tick(self);
        self.ticks.push((self.time() - before).as_secs_f32() * 1e3);
        self.agent_ticks += agents as u64;
        done
    }

    fn time(&self) -> Duration {
        self.stages.iter().sum()
    }

    fn per(&self, time: Duration) -> f64 {
        time.as_nanos() as f64 / self.agent_ticks.max(1) as f64
    }

    /// How fast it goes, for people.
    pub(crate) fn speed(&self) -> String {
        let seconds = self.time().as_secs_f64().max(1e-9);
        let rate = self.agent_ticks as f64 / seconds / 1e6;
        let per_tick = seconds * 1e3 / self.ticks.len().max(1) as f64;
        format!("{rate:.1} M agent-ticks/s  {per_tick:.2} ms/tick")
    }
}

/// Looks at a world after every tick.
pub(crate) struct Watch<'a> {
    wanted: Wanted<'a>,
    /// Agents that had come and left before.
    before: Before,
    pub(crate) observer: Observer,
    pub(crate) fight: Fight<'a>,
    minds: MindMeter,
    routes: RouteMeter,
    film: Option<Stream<Film<BufWriter<Output>>>>,
    film_every: u64,
    /// The version of the map that the film shows, and what is on it.
    filmed: (u32, Fixtures),
    trails: Option<Trails>,
    heat: Option<HeatMeter>,
    measures: Option<Measures>,
    trajectories: Option<Stream<Trajectories<BufWriter<Output>>>>,
}

/// Ticks in which a burst fades in pictures: half a second.
pub(crate) fn burst_fade(tick_rate: u32) -> u64 {
    u64::from(tick_rate) / 2
}

impl<'a> Watch<'a> {
    /// Begins to look at a world, which is as it was before the first tick.
    pub(crate) fn new<N: Numbers>(
        world: &World<N>,
        wanted: Wanted<'a>,
        streams: Streams,
    ) -> Result<Self, CliError> {
        let Wanted { look, map, tick_rate, first, .. } = wanted;
        let colours = FilmColours { groups: &look.classes.colours, letters: &look.scene.letters };
        let (film_every, fps) = pace(&wanted);
        let film = Stream::start(streams.film, |file, path| {
            let options = FilmOptions {
                kind: film_kind(path),
                fps,
                long_side: wanted.files.films.film_size,
                crop: look.crop(),
                names: &look.classes.names,
                has_walls: !(look.scene.structures.is_empty() && look.scene.doors.is_empty()),
                traffic: look.traffic(),
            };
            Film::with(file, map, colours, &options).map_err(CliError::film(path))
        })?;
        let trajectories = Stream::start(streams.trajectories, |file, path| {
            let header = header(&wanted, N::NUMERIC);
            let started =
                Format::of(path).and_then(|format| Trajectories::start(file, format, &header));
            started.map_err(CliError::trajectories(path))
        })?;
        // In a film a burst shows in some frames.
        let shown = if film.is_some() { FADE * film_every } else { 0 };
        let fade = burst_fade(tick_rate).max(shown);
        let drawn = wanted.picture || film.is_some();
        let measures = wanted.measures.map(|options| {
            let (gates, areas) = (&look.scene.gates, &look.scene.areas);
            let names = look.scene.groups.iter().map(|group| group.name.clone()).collect();
            Measures::on(map, world.dt(), gates, areas, options).named(names).from_tick(first)
        });
        Ok(Self {
            observer: look.observer(world.dt()),
            minds: MindMeter::default(),
            routes: RouteMeter::default(),
            fight: Fight::new(look.scene, drawn.then_some(fade)),
            film,
            film_every,
            filmed: (world.map_version(), Fixtures::default()),
            trails: wanted.trails.then(|| Trails::new(map)),
            heat: wanted
                .files
                .heat
                .as_ref()
                .map(|_| HeatMeter::new(map, world.dt(), wanted.files.heat_side)),
            measures,
            trajectories,
            before: Before::of(world),
            wanted,
        })
    }

    /// Whether it looks at all agents after so many ticks.
    pub(crate) fn looks(&self, tick: u64) -> bool {
        let Self { trajectories, measures, heat, film, .. } = self;
        let all = trajectories.is_some() || measures.is_some() || heat.is_some();
        all || self.observer.is_due(tick) || film.is_some() && self.is_shown(tick)
    }

    /// Whether a film has a frame after so many ticks.
    fn is_shown(&self, tick: u64) -> bool {
        (tick - 1 - self.wanted.first).is_multiple_of(self.film_every)
    }

    /// Looks at a world after a tick.
    pub(crate) fn observe<N: Numbers>(&mut self, world: &World<N>) -> Result<(), CliError> {
        if let Some(Stream { path, to }) = &mut self.trajectories {
            to.observe(world).map_err(CliError::trajectories(path))?;
        }
        if self.observer.observe(world)
            && let Some(trails) = &mut self.trails
        {
            trails.observe(&self.observer.crowd());
        }
        if let Some(measures) = &mut self.measures {
            measures.observe(world);
        }
        if let Some(heat) = &mut self.heat {
            heat.observe(world);
        }
        self.fight.observe(world);
        self.minds.observe(world);
        self.routes.observe(world);
        if self.is_shown(world.tick_count()) {
            self.shoot(world)?;
        }
        Ok(())
    }

    /// Takes a frame of the film.
    fn shoot<N: Numbers>(&mut self, world: &World<N>) -> Result<(), CliError> {
        let Some(Stream { path, to: film }) = &mut self.film else { return Ok(()) };
        self.observer.load(world);
        self.fight.load(world);
        let shown = (world.map_version(), look::fixtures(world));
        if self.filmed != shown {
            film.set_ground_with(world.map(), &shown.1);
            self.filmed = shown;
        }
        if let Some(battle) = self.fight.battle(world) {
            film.set_caption(&battle.strengths());
        } else if !world.sinks().is_empty() {
            let left = thousands(world.left_by_sinks() - self.before.left_by_sinks());
            film.set_caption(&format!("{}, {left} left", plural(world.len() as u64, "agent")));
        }
        film.set_clock(&clock(world.tick_count() as f64 * world.dt()));
        film.push_fight(&self.observer.crowd(), self.fight.combat_overlay.as_ref())
            .map_err(CliError::film(path))
    }

    /// Ends all files, and sums up.
    pub(crate) fn end<N: Numbers>(
        mut self,
        world: &World<N>,
        timer: &Timer,
        elapsed: Duration,
    ) -> Result<Ended, CliError> {
        if let Some(Stream { path, to }) = self.trajectories.take() {
            Output::end(to.finish().map_err(CliError::trajectories(&path))?)?;
        }
        if let Some(Stream { path, to }) = self.film.take() {
            Output::end(to.finish().map_err(CliError::film(&path))?)?;
        }
        let measures = self.measures.take().map(|mut measures| {
            measures.finish(world);
            measures.report()
        });
        self.observer.finish(world);
        let summary = self.summary(world, timer, elapsed);
        self.fight.load(world);
        let Self { observer, trails, heat, fight, .. } = self;
        let (combat_overlay, map) = (fight.combat_overlay, world.map().clone());
        let fixtures = look::fixtures(world);
        Ok(Ended { summary, observer, trails, heat, combat_overlay, map, fixtures, measures })
    }

    fn summary<N: Numbers>(&self, world: &World<N>, timer: &Timer, elapsed: Duration) -> Summary {
        let stages = Stage::ALL
            .iter()
            .map(|&stage| (stage.name().to_owned(), timer.per(timer.stages[stage as usize])));
        let scene = &self.wanted.look.scene;
        let names: Vec<String> = scene.groups.iter().map(|group| group.name.clone()).collect();
        Summary {
            scenario: self.wanted.name.to_owned(),
            map: self.wanted.map_name.to_owned(),
            numeric: N::NUMERIC.word().to_owned(),
            threads: rayon::current_num_threads() as u32,
            agents: world.len() as u64,
            ticks: world.tick_count(),
            first_tick: self.wanted.first,
            dt: world.dt(),
            digest: format!("{:016x}", state::digest(world)),
            wall_s: elapsed.as_secs_f64(),
            ns_per_agent_tick: timer.per(timer.time()),
            tick_ms: TickTimes::of(&timer.ticks).later_by(self.wanted.first),
            stages: stages.collect(),
            arrived: world.arrived() as u64 + self.observer.left(),
            unreachable: world.cut_off().unreachable as u64,
            shared: None,
            routes: Routes::new(world, &self.routes),
            overflowed: world.overflowed() as u64,
            full_goals: FullGoal::of(world, &names),
            crowd: self.observer.observed(),
            peak_rss_mb: peak_rss_mb().unwrap_or(0.0),
            battle: if self.wanted.first == 0 {
                self.fight.battle(world)
            } else {
                self.fight.battle_at(world)
            },
            timeline: self.timeline(),
            minds: Minds::new(world, &names, &self.minds),
            traffic: Counts::of(world, [&scene.sources, &scene.sinks], &self.before),
            structures: Structures::of(world, &scene.structures),
        }
    }

    /// What happened to strategies, with the names of teams and groups.
    fn timeline(&self) -> Timeline {
        let mut timeline = self.observer.timeline().named(self.fight.names());
        let details = timeline.entries.iter_mut().filter_map(|entry| entry.detail.as_mut());
        details.for_each(|detail| *detail = with_names(detail, self.wanted.look.scene));
        timeline
    }

    /// How far it is, for people.
    pub(crate) fn status<N: Numbers>(&self, world: &World<N>, timer: &Timer) -> String {
        let speed = timer.speed();
        if let Some(battle) = self.fight.battle(world) {
            return format!("{speed}  {}", battle.strengths());
        }
        let left = self.observer.left() as usize;
        let arrived = (world.arrived() + left) as f64;
        let share = arrived * 100.0 / (world.len() + left).max(1) as f64;
        format!("{speed}  {share:.0} % arrived")
    }
}

/// Ticks from one frame of a film to the next, and frames a second.
fn pace(wanted: &Wanted<'_>) -> (u64, f64) {
    let Some(speed) = wanted.files.films.film_speed else {
        return (wanted.ticks.div_ceil(FRAMES).max(1), FRAME_RATE);
    };
    // As many frames a second as are usual, or as whole ticks allow.
    let ticks_per_second = speed * f64::from(wanted.tick_rate);
    let every = (ticks_per_second / FRAME_RATE).round().max(1.0);
    (every as u64, ticks_per_second / every)
}

/// A time as clocks show it: `1:05.2`.
fn clock(seconds: f64) -> String {
    let tenths = (seconds * 10.0).round() as u64;
    let (minutes, tenths) = (tenths / 600, tenths % 600);
    format!("{minutes}:{:02}.{}", tenths / 10, tenths % 10)
}

/// What a file of trajectories says of its run.
fn header(wanted: &Wanted<'_>, numeric: Numeric) -> Header {
    let (tick_rate, groups) = (wanted.tick_rate, &wanted.look.scene.groups);
    Header {
        scenario: wanted.name.to_owned(),
        numeric,
        tick_rate,
        every: wanted.files.trajectories_every.unwrap_or_else(|| Header::usual_every(tick_rate)),
        groups: groups.iter().map(|group| group.name.clone()).collect(),
        y_up: wanted.files.y_up,
    }
}

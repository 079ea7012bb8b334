//! The thread that owns the run: it ticks when the clock says so and answers questions in between.
//!
//! Looking never changes the run: questions read the world between two ticks. What a page orders goes
//! into the next tick, as an order of a scenario does.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throng::lane::Numbers;
use throng::state;
use throng::world::{Order, Outcome};

use crate::error::CliError;
use crate::signal;
use crate::view::ask::{AgentsAsk, Answer, Ask, Control, PageOrder, Question};
use crate::view::clock::Clock;
use crate::view::names::Names;
use crate::view::pictures::Picture;
use crate::view::reel::Reel;
use crate::view::{areas, arrows, frame, ground, heat, orders, ways, who};

/// Ticks of a re-run ahead of what is shown, after which pages are told how far it is.
const NEWS: u64 = 16;
/// Longest sleep: signals are looked at so often.
const SLEEP: Duration = Duration::from_millis(50);
/// How long a page waits for news, at most; what it shows of the map may have changed meanwhile.
const NO_NEWS: Duration = Duration::from_millis(200);
/// Time of a seek after which pages see how far it is, and how often.
const PATIENCE: Duration = Duration::from_millis(400);
/// Frames that wait, at most.
const MAX_WAITING: usize = 64;

/// A page that waits for the next frame.
struct Waiting {
    ask: AgentsAsk,
    since: Instant,
    reply: SyncSender<Answer>,
}

/// A seek that is under way.
#[derive(Clone, Debug)]
struct Goal {
    tick: u64,
    /// The picture that is shown meanwhile; `None` where a seek takes no time, or there is no picture.
    picture: Option<Picture>,
    /// Whether the state to begin from is restored.
    is_begun: bool,
    /// When pages were last shown where it is.
    shown: Instant,
}

/// A run and the pages that watch it.
pub(super) struct Theatre<N: Numbers> {
    reel: Reel<N>,
    names: Names,
    clock: Clock,
    goal: Option<Goal>,
    /// Counts all changes of what pages show.
    version: u64,
    waiting: Vec<Waiting>,
    /// The last frame: pages that show the same share it.
    last: Option<(u64, AgentsAsk, Answer)>,
    /// What went wrong, for people.
    trouble: Option<String>,
    /// Milliseconds that the last frame took.
    frame_ms: f64,
    ordered: u32,
}

impl<N: Numbers> Theatre<N> {
    pub(super) fn new(reel: Reel<N>, is_paused: bool) -> Self {
        let dt = reel.world().dt();
        Self {
            names: Names::of(&reel.script),
            reel,
            clock: Clock::new(dt, is_paused),
            goal: None,
            version: 1,
            waiting: Vec::new(),
            last: None,
            trouble: None,
            frame_ms: 0.0,
            ordered: 0,
        }
    }

    /// Runs until a signal stops the program.
    pub(super) fn run(mut self, questions: &Receiver<Question>) -> Result<(), CliError> {
        while signal::stopped().is_none() {
            match questions.recv_timeout(self.wait()) {
                Ok(question) => {
                    self.take(question);
                    while let Ok(question) = questions.try_recv() {
                        self.take(question);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // The picture of a seek comes before the work that it bridges.
            if self.picture().is_some() {
                self.serve();
            }
            self.work();
            self.serve();
        }
        self.reel.finish()
    }

    /// How long there is nothing to do.
    fn wait(&self) -> Duration {
        if self.goal.is_some() || self.may_scout() {
            return Duration::ZERO;
        }
        self.clock.wait().unwrap_or(SLEEP).min(SLEEP)
    }

    /// Whether a replay may be re-run ahead of what is shown.
    fn may_scout(&self) -> bool {
        let script = &self.reel.script;
        self.clock.play == 0 && !script.is_live() && self.reel.head_tick() < script.end()
    }

    /// Does what is due: a tick of a seek, a tick of the clock, or a tick ahead of what is shown.
    fn work(&mut self) {
        if let Some(goal) = self.goal.take() {
            self.go_on(goal);
        } else if self.clock.is_due() {
            if self.clock.play > 0 {
                self.step(Vec::new());
            } else {
                self.seek(self.reel.world().tick_count().saturating_sub(1));
                self.clock.count();
            }
        } else if self.may_scout() {
            let known = self.reel.divergence.is_some();
            let is_on = self.reel.scout();
            let is_news = known != self.reel.divergence.is_some()
                || self.reel.head_tick().is_multiple_of(NEWS)
                || self.reel.head_tick() >= self.reel.script.end();
            self.version += u64::from(is_on && is_news);
        }
    }

    /// A tick on; at the end the clock halts.
    fn step(&mut self, orders: Vec<Order>) {
        if !self.reel.advance(orders) {
            self.clock.play = 0;
        }
        self.clock.count();
        self.version += 1;
    }

    /// Begins to go to a tick.
    fn seek(&mut self, tick: u64) {
        let (first, end) = (self.reel.first, self.reel.script.end());
        let tick = tick.clamp(first, end);
        if tick == first && self.clock.play < 0 {
            self.clock.play = 0;
        }
        self.version += 1;
        let (shown, picture) = (Instant::now(), self.reel.picture(tick));
        let goal = Goal { tick, picture, is_begun: false, shown };
        match goal.picture.is_some() {
            // Where there is a picture to show, no page waits for the state.
            true => self.goal = Some(goal),
            false => self.begin(goal),
        }
    }

    /// Shows the state that is nearest to the end of a seek.
    fn begin(&mut self, mut goal: Goal) {
        goal.is_begun = true;
        match self.reel.approach(goal.tick) {
            Ok(()) if self.reel.world().tick_count() == goal.tick => self.goal = None,
            Ok(()) => self.goal = Some(goal),
            Err(why) => {
                self.trouble = Some(why);
                self.goal = None;
            }
        }
        self.version += u64::from(self.goal.is_none());
    }

    /// A part of a seek: its first state, or a tick.
    fn go_on(&mut self, mut goal: Goal) {
        if !goal.is_begun {
            return self.begin(goal);
        }
        let tick = goal.tick;
        let is_under_way = move |reel: &Reel<N>| reel.world().tick_count() < tick;
        if !(is_under_way(&self.reel) && self.reel.advance(Vec::new()) && is_under_way(&self.reel))
        {
            self.version += 1;
            return;
        }
        let is_late = goal.shown.elapsed() > PATIENCE;
        if is_late {
            goal.shown = Instant::now();
            self.version += 1;
        }
        self.goal = Some(goal);
        if is_late {
            self.serve_all();
        }
    }

    /// Answers a question, or keeps it until there is news.
    fn take(&mut self, Question { ask, reply }: Question) {
        // A page that is gone misses its answer.
        let world = self.reel.world();
        let answer = match ask {
            Ask::Agents(ask) => {
                if self.waiting.len() < MAX_WAITING {
                    self.waiting.push(Waiting { ask, since: Instant::now(), reply });
                }
                return;
            }
            Ask::Info => self.names.answer(&self.reel.script, world),
            Ask::Ground => ground::raster(world, &self.names.letters),
            Ask::Heat { of, frame, cells } => heat::answer(world, of, frame, cells),
            Ask::Arrows { group, frame, cells } => arrows::answer(world, group, frame, cells),
            Ask::Ways(frame) => ways::answer(world, frame),
            Ask::Areas => areas::answer(&self.reel.script, world, &self.names),
            Ask::Agent(id) => who::agent(world, id),
            Ask::Pick { at, reach } => who::pick(world, at, reach),
            Ask::Select(frame) => who::select(world, frame),
            Ask::Order(order) => self.order(order),
            Ask::Control(control) => self.control(&control),
            Ask::Digest => {
                let digest = format!("{:016x}", state::digest(world));
                Answer::json(&json!({ "tick": world.tick_count(), "digest": digest }))
            }
            Ask::Replay => self.file("", self.reel.replay()),
            Ask::Rest => {
                let from = format!("-from-{}", world.tick_count());
                self.file(&from, self.reel.rest())
            }
        };
        let _ = reply.try_send(answer);
    }

    /// A replay as a file, which is named after the run.
    fn file(&self, from: &str, bytes: Result<Vec<u8>, String>) -> Answer {
        match bytes {
            Ok(bytes) => {
                let file = Some(format!("{}{from}.throng", self.names.run));
                Answer { file, ..Answer::bytes(bytes) }
            }
            Err(why) => Answer::refused(409, why),
        }
    }

    fn control(&mut self, control: &Control) -> Answer {
        self.clock.set(control);
        self.trouble = None;
        if control.play.is_some() {
            self.goal = None;
        }
        let now = self.goal.as_ref().map_or(self.reel.world().tick_count(), |goal| goal.tick);
        if let Some(tick) = control.tick {
            self.seek(tick);
        } else if let Some(step) = control.step {
            self.clock.play = 0;
            self.seek(now.saturating_add_signed(step));
        }
        self.version += 1;
        Answer::json(&self.status())
    }

    /// Gives an order in the next tick, which is done at once, and says what became of it.
    fn order(&mut self, order: PageOrder) -> Answer {
        if !self.reel.script.is_live() {
            return Answer::refused(409, "a replay takes no orders");
        }
        let head = self.reel.head_tick();
        if self.reel.world().tick_count() != head {
            return Answer::refused(409, format!("orders are given at the newest tick, {head}"));
        }
        if head >= self.reel.script.end() {
            return Answer::refused(409, "the run has come to its last tick");
        }
        let order = match orders::order(self.reel.world(), order) {
            Ok(order) => order,
            Err(why) => return Answer::refused(400, why),
        };
        self.goal = None;
        self.step(vec![order]);
        match self.reel.outcome() {
            Some(Outcome::Done { agents }) => {
                self.ordered += 1;
                Answer::json(&json!({ "tick": head, "agents": agents }))
            }
            Some(Outcome::Refused(why)) => Answer::refused(409, why.to_string()),
            _ => Answer::refused(409, "nothing became of the order"),
        }
    }

    /// Answers pages that wait, when there is news or they have waited long enough.
    fn serve(&mut self) {
        self.clock.recount();
        // What a seek passes is not shown, unless it takes long or there is a picture of its end.
        if self.goal.is_none() || self.picture().is_some() {
            self.serve_all();
        }
    }

    fn serve_all(&mut self) {
        let version = self.version;
        let is_due =
            |page: &mut Waiting| page.ask.have != version || page.since.elapsed() > NO_NEWS;
        for page in self.waiting.extract_if(.., is_due).collect::<Vec<_>>() {
            let answer = match page.ask.have == version {
                true => Answer { status: 204, ..Answer::bytes(Vec::new()) },
                false => self.frame(&page.ask),
            };
            let _ = page.reply.try_send(answer);
        }
    }

    /// The frame of now.
    fn frame(&mut self, ask: &AgentsAsk) -> Answer {
        let same = AgentsAsk { have: 0, ..*ask };
        if let Some((version, shown, answer)) = &self.last
            && (*version, *shown) == (self.version, same)
        {
            return answer.clone();
        }
        let began = Instant::now();
        let built = match self.picture() {
            Some(picture) => picture.built(),
            None => frame::build(self.reel.world(), ask),
        };
        self.frame_ms = began.elapsed().as_secs_f64() * 1e3;
        let mut head = self.status();
        let parts = json!({
            "near": built.is_near, "places": built.places, "frame": built.frame,
            "shots": built.shots,
            "value": if self.picture().is_some() { "none" } else { ask_word(ask) },
        });
        if let (Value::Object(head), Value::Object(parts)) = (&mut head, parts) {
            head.extend(parts);
        }
        let answer = Answer::with_head(&head, |body| body.extend_from_slice(&built.body));
        self.last = Some((self.version, same, answer.clone()));
        answer
    }

    /// The picture that is shown while a state is restored.
    fn picture(&self) -> Option<&Picture> {
        self.goal.as_ref()?.picture.as_ref()
    }

    /// Where the run is.
    fn status(&self) -> Value {
        let (reel, world) = (&self.reel, self.reel.world());
        let divergence = reel.divergence.as_ref().map(|divergence| {
            json!({
                "tick": divergence.tick,
                "columns": divergence.columns,
                "values": divergence.values,
            })
        });
        let picture = self.picture();
        let speed = Some(self.clock.speed).filter(|speed| speed.is_finite());
        json!({
            "version": self.version,
            "tick": picture.map_or(world.tick_count(), |picture| picture.tick),
            "restoring": picture.map(|_| world.tick_count()),
            "first": reel.first,
            "head": reel.head_tick(),
            "end": reel.script.end(),
            "verified": reel.verified,
            "divergence": divergence,
            "goal": self.goal.as_ref().map(|goal| goal.tick),
            "play": self.clock.play,
            "speed": speed,
            "rate": self.clock.rate,
            "agents": picture.map_or(world.len(), |picture| picture.agents),
            "arrived": world.arrived(),
            "groups": world.groups().len(),
            "map": ground::version(world),
            "projectiles": world.projectiles().shot.len(),
            "stages": reel.timer.stages,
            "tick_ms": reel.timer.tick,
            "frame_ms": self.frame_ms,
            "ordered": self.ordered,
            "shows_head": reel.shows_head() || world.tick_count() == reel.head_tick(),
            "memory": reel.key_bytes(),
            "trouble": self.trouble.as_ref().or(reel.failure.as_ref()),
        })
    }
}

fn ask_word(ask: &AgentsAsk) -> &'static str {
    use crate::view::ask::Value;
    match ask.value {
        Value::Heading => "heading",
        Value::Speed => "speed",
        Value::Health => "health",
        Value::Mind => "mind",
    }
}

//! The run as a reel: a world at its head, a world that is shown, and states to begin from between.
//!
//! The *head* has done more ticks than any other, one after another from the first: in a live run it is
//! the run, in a replay it is re-run and compared. What is shown is the head, or a world of its own
//! behind it; in a replay it may also be before it, from a keyframe of the file.

use throng::lane::Numbers;
use throng::replay::{Recorder, Replay, ReplayError};
use throng::state;
use throng::state::{Image, Tree};
use throng::tick::{Scratch, tick_with};
use throng::world::{Order, Outcome, World};

use crate::error::CliError;
use crate::view::keys::Keys;
use crate::view::pictures::{Picture, Pictures};
use crate::view::script::Script;
use crate::view::tape::Tape;
use crate::view::timer::Timer;

/// Milliseconds of ticks from a state to a tick from which pictures are kept as well.
const FAR: f64 = 800.0;
/// Ticks of the head before their time is known well enough for that.
const KNOWN: u64 = 8;
/// Ticks up to which an older picture is better than none.
const OLDER: u64 = 64;
/// Least bytes for each agent that pictures need: three groups of ticks. With less, few are exact.
const BYTES: usize = 128;
/// Share of the memory for pictures.
const PICTURES: usize = 4;

/// Where a re-run differs from its replay.
#[derive(Clone, Debug)]
pub(super) struct Divergence {
    /// The first tick that differs.
    pub(super) tick: u64,
    /// The columns that differ after it.
    pub(super) columns: Vec<String>,
    /// Values that differ at the next keyframe of the file, once the head has come there.
    pub(super) values: Vec<String>,
}

/// The worlds of a run.
pub(super) struct Reel<N: Numbers> {
    pub(super) script: Script,
    /// The first tick that is shown: the first with agents, where orders of tick 0 bring them.
    pub(super) first: u64,
    head: World<N>,
    /// The world that is shown while the head is not.
    other: Option<World<N>>,
    shows_head: bool,
    scratch: Scratch<N>,
    keys: Keys,
    pictures: Pictures,
    /// Whether pictures are kept, since some ticks are far from all states.
    has_pictures: bool,
    recorder: Option<Recorder<Tape>>,
    /// Why the recording has ended early.
    pub(super) failure: Option<String>,
    pub(super) timer: Timer,
    /// Milliseconds of all ticks of the head.
    head_ms: f64,
    /// Milliseconds of ticks since the last kept state: of the head, and of the other world.
    walked: (f64, f64),
    pub(super) divergence: Option<Divergence>,
    /// Ticks up to which the head has been the same as its replay.
    pub(super) verified: u64,
    /// The tick up to which every state is kept, for going back further.
    keeps_to: u64,
}

impl<N: Numbers> Reel<N> {
    /// At the first tick. `memory` in bytes is for states to begin from.
    pub(super) fn new(
        script: Script,
        memory: usize,
        record: impl FnOnce(&World<N>) -> Result<Option<Recorder<Tape>>, CliError>,
    ) -> Result<Self, CliError> {
        let head = script.first_world::<N>()?;
        let recorder = record(&head)?;
        let mut keys = Keys::new(memory);
        keys.offer(&head, &mut 0.0);
        let is_empty = head.is_empty() && script.first() < script.end();
        let mut reel = Self {
            first: script.first() + u64::from(is_empty),
            verified: script.first(),
            script,
            head,
            other: None,
            shows_head: true,
            scratch: Scratch::new(),
            keys,
            pictures: Pictures::new(memory / PICTURES),
            has_pictures: false,
            recorder,
            failure: None,
            timer: Timer::new(),
            head_ms: 0.0,
            walked: (0.0, 0.0),
            divergence: None,
            keeps_to: 0,
        };
        if is_empty {
            reel.advance(Vec::new());
        }
        Ok(reel)
    }

    /// The world that is shown.
    pub(super) fn world(&self) -> &World<N> {
        match &self.other {
            Some(other) if !self.shows_head => other,
            _ => &self.head,
        }
    }

    /// Ticks done by the head.
    pub(super) fn head_tick(&self) -> u64 {
        self.head.tick_count()
    }

    /// Whether the head is shown.
    pub(super) fn shows_head(&self) -> bool {
        self.shows_head
    }

    /// Bytes of the states and pictures that are kept.
    pub(super) fn key_bytes(&self) -> usize {
        self.keys.bytes() + self.pictures.bytes()
    }

    /// Shows the next tick; `false` at the end. `orders` are for a live run that shows its head.
    pub(super) fn advance(&mut self, orders: Vec<Order>) -> bool {
        if !self.shows_head && self.world().tick_count() == self.head.tick_count() {
            self.shows_head = true;
        }
        if self.shows_head {
            return self.advance_head(orders);
        }
        let Some(world) = &mut self.other else { return false };
        let tick = world.tick_count();
        if tick >= self.script.end() {
            return false;
        }
        self.timer.begin();
        tick_with::<N::Wide>(world, self.script.orders(tick), &mut self.scratch, &mut self.timer);
        self.timer.end();
        self.walked.1 += self.timer.newest;
        self.keys.offer(world, &mut self.walked.1);
        if world.tick_count() <= self.keeps_to {
            self.keys.offer_near(world);
        }
        true
    }

    /// Takes the head a tick on.
    fn advance_head(&mut self, orders: Vec<Order>) -> bool {
        let tick = self.head.tick_count();
        if tick >= self.script.end() {
            return false;
        }
        self.script.decide(tick, orders);
        let orders = self.script.orders(tick);
        self.timer.begin();
        tick_with::<N::Wide>(&mut self.head, orders, &mut self.scratch, &mut self.timer);
        self.timer.end();
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.tick(&self.head, orders)
        {
            self.failure = Some(error.to_string());
            self.end_recording();
        }
        self.compare(tick);
        self.walked.0 += self.timer.newest;
        self.head_ms += self.timer.newest;
        // A live run may be ended at any time.
        self.keys.spread((!self.script.is_live()).then(|| self.all_ms()));
        self.keys.offer(&self.head, &mut self.walked.0);
        self.keep_picture();
        true
    }

    /// Milliseconds of all ticks of a replay, about, and of the ticks of a live run that are done.
    fn all_ms(&self) -> f64 {
        let done = self.head.tick_count() - self.script.first();
        let all =
            if self.script.is_live() { done } else { self.script.end() - self.script.first() };
        self.head_ms / done.max(1) as f64 * all as f64
    }

    /// Keeps a picture of the head, where ticks take so long that restoring the state will.
    fn keep_picture(&mut self) {
        if !self.has_pictures {
            let done = self.head.tick_count() - self.script.first();
            let away = self.keys.farthest(self.all_ms(), self.timer.tick);
            let is_room = self.pictures.budget() >= BYTES * self.head.len();
            if done < KNOWN || away < FAR || !is_room {
                return;
            }
            self.has_pictures = true;
            self.keys.give(self.pictures.budget());
        }
        self.pictures.keep(&self.head);
    }

    /// The picture to show while the state of a tick is restored: of that tick, or of one
    /// before; `None` where the state is at hand.
    pub(super) fn picture(&self, tick: u64) -> Option<Picture> {
        let now = self.world().tick_count();
        let is_at_hand = tick == now || tick == now + 1 || tick == self.head.tick_count();
        let picture = (!is_at_hand).then(|| self.pictures.before(tick))??;
        (tick - picture.tick <= OLDER).then_some(picture)
    }

    /// Compares the head with its replay after a tick.
    fn compare(&mut self, tick: u64) {
        let Some(replay) = self.script.replay() else { return };
        if let Some(divergence) = &mut self.divergence {
            let here = replay.keyframes.iter().find(|keyframe| keyframe.tick == tick + 1);
            if divergence.values.is_empty()
                && let Some(Ok(recorded)) = here.map(|keyframe| keyframe.image())
            {
                let own = state::save(&self.head);
                if let (Ok(recorded), Ok(own)) = (Image::read(&recorded), Image::read(&own)) {
                    let found = state::differences(&recorded, &own);
                    let mut values: Vec<_> = found.iter().map(ToString::to_string).collect();
                    // What differs in agents tells most: a page shows the first of these.
                    values.sort_by_key(|value| !value.starts_with("agents."));
                    values.truncate(8);
                    divergence.values = values;
                }
            }
            return;
        }
        let Some(frame) = replay.frame(tick) else { return };
        let columns = Tree::of(&self.head).column_digests();
        if state::combine(&columns) == frame.digest {
            self.verified = tick + 1;
            return;
        }
        let differ = columns.iter().zip(&frame.columns).zip(&replay.header.columns);
        let differ = differ.filter(|((own, recorded), _)| own.digest as u16 != **recorded);
        let columns = differ.map(|(_, name)| name.clone()).collect();
        self.divergence = Some(Divergence { tick, columns, values: Vec::new() });
    }

    /// Takes the head of a replay a tick on while another tick is shown; `false` when it is at its
    /// end, or this is no replay.
    pub(super) fn scout(&mut self) -> bool {
        if self.script.is_live() || self.head.tick_count() >= self.script.end() {
            return false;
        }
        if self.shows_head {
            self.other = Some(self.head.clone());
            self.shows_head = false;
        }
        self.advance_head(Vec::new())
    }

    /// Shows the last state that is at hand after at most so many ticks. The way from there is gone
    /// by [`Reel::advance`].
    pub(super) fn approach(&mut self, tick: u64) -> Result<(), String> {
        let now = self.world().tick_count();
        let is_step_back = tick + 1 == now;
        let mut key = self.keys.before(tick);
        self.keeps_to = 0;
        if is_step_back && key != Some(tick) {
            self.keeps_to = tick;
            self.keys.clear_near();
            key = self.keys.before(tick);
        }
        let in_file = self.script.replay().and_then(|replay| replay.keyframe_before(tick));
        let in_file = in_file.map(|keyframe| keyframe.tick);
        let head = Some(self.head.tick_count()).filter(|head| *head <= tick);
        let here = Some(now).filter(|now| *now <= tick);
        let best = [key, in_file, head, here].into_iter().flatten().max();
        let best = best.ok_or("there is no state to begin from")?;
        if here == Some(best) {
            return Ok(());
        }
        if head == Some(best) {
            self.shows_head = true;
            return Ok(());
        }
        let recorded;
        let image = match self.keys.image(best) {
            Some(image) => image,
            None => {
                let replay = self.script.replay().and_then(|replay| replay.keyframe_before(tick));
                let keyframe = replay.ok_or("there is no such keyframe")?;
                recorded = keyframe.image().map_err(|error| error.to_string())?;
                &recorded
            }
        };
        let world = self.other.get_or_insert_with(|| self.head.clone());
        state::restore(world, image).map_err(|error| error.to_string())?;
        self.walked.1 = 0.0;
        self.shows_head = false;
        Ok(())
    }

    /// The recording so far as a whole replay; of a replay, its file.
    pub(super) fn replay(&self) -> Result<Vec<u8>, String> {
        if let Script::Replay { file, .. } = &self.script {
            return Ok(file.to_vec());
        }
        let why = || self.failure.clone().unwrap_or_else(|| "nothing is recorded".to_owned());
        let recorder = self.recorder.clone().ok_or_else(why)?;
        let end = |error: ReplayError| error.to_string();
        recorder.finish().map(|tape| tape.bytes).map_err(end)
    }

    /// A replay that begins with the state that is shown.
    pub(super) fn rest(&self) -> Result<Vec<u8>, String> {
        let refused = |error: ReplayError| error.to_string();
        match self.script.replay() {
            Some(replay) => replay.rest(self.world()).map_err(refused),
            None => {
                let replay = Replay::read(&self.replay()?).map_err(refused)?;
                replay.rest(self.world()).map_err(refused)
            }
        }
    }

    /// The outcome of the last order of the last tick.
    pub(super) fn outcome(&self) -> Option<&Outcome> {
        self.head.outcomes().last()
    }

    fn end_recording(&mut self) {
        // A full replay is whole up to where it is full.
        if let Some(recorder) = self.recorder.take()
            && let Ok(tape) = recorder.finish()
            && let Err(error) = tape.end()
        {
            self.failure = Some(error.to_string());
        }
    }

    /// Ends the recording: the file appears.
    pub(super) fn finish(mut self) -> Result<(), CliError> {
        let Some(recorder) = self.recorder.take() else { return Ok(()) };
        let failed = |source| CliError::Replay { path: "the recording".into(), source };
        recorder.finish().map_err(failed)?.end()
    }
}

//! Share: the work of a tick divided among processes.
//!
//! Each process takes a strip: whole bands of grid rows, so that strips one after another are the sorted
//! agents in their order. The stages that cost most compute the rows of the own strip alone. What others
//! need of them is exchanged, above all rows near a cut with the rows beyond it (the halo). So no result
//! depends on the number of strips or on where they are cut.
//!
//! Worlds that can be divided have the rows of a strip in its process alone (see `divide`). In all others
//! every process has all rows: positions and velocities at the end of the move go to all, and of tags
//! changed ones; the stages that are not named here are done by all processes alike.
//!
//! | after | exchanged | among |
//! |---|---|---|
//! | desire | changed tags, what agents that ask for a place desire | all |
//! | desire, behave | desired of all agents, where formations march or shots are fired | all |
//! | aim | desired, where lanes form | within sight of lanes |
//! | lanes | desired | within reach |
//! | motion, contacts | pos, once each pass | within reach |
//! | contacts | pos, vel, changed tags | all |
//!
//! A single process has one strip of all agents, and exchanges nothing.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::data::Column;
use crate::lane::{BLOCK, Numbers};
use crate::par;
use crate::par::PerBand;
use crate::space::Grid;
use crate::state::{CHUNK_ROWS, RowDigests};
use crate::tick::parcels::take;
use crate::tick::strip::Strip;
use crate::tick::{CHUNK, RUN, lanes, near, settle};
use crate::world::{AgentRows, Avoidance, Guidance, Tag, World, state};

/// Agents of a band where strips are cut, at least, and strips that each process could have.
const LEAST_BAND: u32 = 64;
const BANDS_EACH: u32 = 16;

/// How processes that hold the same world exchange what each has computed of a tick.
///
/// All of them call the same functions in the same order with the same sizes. A process that has lost
/// another one ends; it does not return.
pub trait Exchange: Send + Sync + Debug {
    /// The number of this process, from 0, and how many there are.
    fn place(&self) -> (usize, usize);

    /// A tick of so many agents begins: before which row the part of each process is to end. It is the
    /// same in all of them, and no result depends on it.
    fn cut(&self, agents: u32, ends: &mut [u32]);

    /// Completes a column of which each process has its own rows.
    fn share(&self, column: &mut [u8], rows: &Rows<'_>);

    /// Collects the bytes of all processes, in the order of their numbers.
    fn gather(&self, own: &[u8], all: &mut Vec<u8>);

    /// Sends each process its bytes, and receives what each has for this one; nothing to itself.
    fn trade(&self, to: &[Vec<u8>], from: &mut [Vec<u8>]);
}

/// Which process has which rows of a column, and which rows each of them is to have.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Bytes of a row.
    pub bytes: usize,
    /// The rows that each process has computed.
    pub own: &'a [Range<usize>],
    /// The rows that each process needs, its own among them.
    pub wanted: &'a [Range<usize>],
}

/// The strip of this process, and the processes that share the work of a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    exchange: Option<Arc<dyn Exchange>>,
    /// Whether processes have their own rows alone where they can, and whether they do in this tick.
    divides: bool,
    apart: bool,
    /// Whether each process has its own rows alone now, and whether this one has got all in between.
    partial: bool,
    pub(super) was_shown: bool,
    pub(super) strip: Strip,
    /// By process: before which row its part is to end; its rows; these with all within reach of them;
    /// these with all in sight of lanes; all that it knows; all rows.
    ends: Vec<u32>,
    own: Vec<Range<usize>>,
    near: Vec<Range<usize>>,
    seen: Vec<Range<usize>>,
    known: Vec<Range<usize>>,
    whole: Vec<Range<usize>>,
    /// By process: its grid rows. Of this one: all that it knows.
    grid_rows: Vec<Range<usize>>,
    known_grid_rows: Range<usize>,
    /// Tags of the strip before a stage; what is told of them.
    tags: Vec<Tag>,
    told: Vec<u8>,
    heard: Vec<u8>,
}

/// An agent whose tag has changed.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Change {
    row: u32,
    state: u8,
    patience: u8,
    unused: [u8; 2],
}

impl Share {
    /// Shares the work of every tick from now on; `divides` where each process has its own rows alone.
    pub(super) fn with(&mut self, exchange: Option<Arc<dyn Exchange>>, divides: bool) {
        *self = Self { exchange, divides, ..Self::default() };
    }

    /// The other processes, if there are any.
    pub(super) fn exchange(&self) -> Option<Arc<dyn Exchange>> {
        self.exchange.clone()
    }

    /// The other processes, if each has its own rows alone now.
    pub(super) fn others(&self) -> Option<&dyn Exchange> {
        self.exchange.as_deref().filter(|_| self.partial)
    }

    /// Whether processes have their own rows alone where they can.
    pub(super) fn divides(&self) -> bool {
        self.divides
    }

    /// Whether each process computes with its own rows alone in this tick.
    pub(super) fn is_apart(&self) -> bool {
        self.apart
    }

    /// Sets whether each process computes with its own rows alone in this tick, if they ever do.
    pub(super) fn set_apart(&mut self, can: bool) {
        self.apart = self.divides && can;
    }

    /// Whether there are other processes.
    pub(super) fn is_shared(&self) -> bool {
        self.exchange.is_some()
    }

    /// Largest number of agents in a band, about, for so many agents; `None` for the usual number.
    pub(super) fn band(&self, agents: usize) -> Option<u32> {
        let (_, count) = self.exchange.as_ref()?.place();
        let bands = BANDS_EACH * count as u32;
        Some((agents as u32 / bands).max(LEAST_BAND))
    }

    /// Cuts the sorted agents into strips.
    pub(super) fn cut<N: Numbers>(&mut self, world: &World<N>, grid: &Grid<N>) {
        let (agents, bands) = (world.len(), grid.bands());
        let Some(exchange) = &self.exchange else {
            let (rows, bands) = (0..agents, 0..bands.len());
            let [near, seen, known] = [(); 3].map(|()| rows.clone());
            self.strip = Strip { sight: bands.clone(), bands, rows, near, seen, known };
            return;
        };
        let (own, count) = exchange.place();
        self.ends.clear();
        self.ends.resize(count, 0);
        exchange.cut(agents as u32, &mut self.ends);
        let reaches = [reach(world), lanes::sight(world).unwrap_or(0.0)];
        let Self { near, seen, known, whole, grid_rows, .. } = self;
        for column in [&mut self.own, near, seen, known, whole, grid_rows] {
            column.clear();
        }
        let mut first = 0;
        for (process, &wished) in self.ends.iter().enumerate() {
            let behind = bands.partition_point(|&end| end < wished) + 1;
            let end = behind.min(bands.len()).max(first);
            let end = if process + 1 == count { bands.len() } else { end };
            let strip = first..end;
            let around = reaches.map(|reach| grid.bands_within(strip.clone(), reach));
            let [rows, near, seen] = [&strip, &around[0], &around[1]].map(|at| grid.rows_of(at));
            let known = match self.apart {
                true => join([&runs_of(&rows, agents), &near, &seen]),
                false => 0..agents,
            };
            self.grid_rows.push(rows_of_bands(grid, &strip));
            if process == own {
                self.known_grid_rows = rows_of_bands(grid, &join([&around[0], &around[1], &strip]));
                let (rows, near, seen, known) =
                    (rows.clone(), near.clone(), seen.clone(), known.clone());
                let sight = around[1].clone();
                self.strip = Strip { bands: strip, rows, near, sight, seen, known };
            }
            self.own.push(rows);
            self.near.push(near);
            self.seen.push(seen);
            self.known.push(known);
            self.whole.push(0..agents);
            first = end;
        }
    }

    /// The grid rows of a process, and all that this one knows.
    pub(super) fn grid_rows(&self, process: usize) -> Range<usize> {
        self.grid_rows[process].clone()
    }

    /// See [`Self::grid_rows`].
    pub(super) fn known_grid_rows(&self) -> Range<usize> {
        self.known_grid_rows.clone()
    }

    /// The process that has a grid row.
    pub(super) fn owner_of(&self, grid_row: usize) -> usize {
        self.grid_rows.partition_point(|rows| rows.end <= grid_row)
    }

    /// The rows that each process had in the last tick, of so many agents: agents that came since are the
    /// last one's. In the first tick all have as many. Gives this process's own.
    pub(super) fn own(&mut self, agents: usize) -> Range<usize> {
        let Some(exchange) = &self.exchange else { return 0..agents };
        let (place, count) = exchange.place();
        if self.own.len() != count {
            let end = |process: usize| agents * process / count;
            self.own = (0..count).map(|process| end(process)..end(process + 1)).collect();
        }
        for rows in &mut self.own {
            *rows = rows.start.min(agents)..rows.end.min(agents);
        }
        self.own[count - 1].end = agents;
        self.whole.clear();
        self.whole.resize(count, 0..agents);
        self.own[place].clone()
    }

    /// The rows that this process knows after a tick, of so many agents.
    pub(super) fn rows(&self, agents: usize) -> Range<usize> {
        match &self.exchange {
            Some(exchange) if self.partial => self.own[exchange.place().0].clone(),
            _ => 0..agents,
        }
    }

    /// The most rows that a process has.
    pub(super) fn longest(&self) -> usize {
        self.own.iter().map(Range::len).max().unwrap_or(0)
    }

    /// All processes get all rows, if they have not.
    pub(super) fn make_whole<N: Numbers>(&mut self, rows: &mut AgentRows<N>) {
        if self.partial {
            self.own(rows.pos.len());
            self.all(&mut rows.pos);
            self.all(&mut rows.vel);
            self.all(&mut rows.tag);
            self.partial = false;
        }
    }

    /// The digests of all rows, each made by the process that has the first row of a chunk; none where this
    /// process has all rows.
    pub(super) fn digests<N: Numbers>(&mut self, rows: &mut AgentRows<N>) -> Option<RowDigests> {
        let exchange = self.exchange().filter(|_| self.partial)?;
        let agents = rows.pos.len();
        let own = self.own(agents);
        let chunks =
            |rows: &Range<usize>| rows.start.div_ceil(CHUNK_ROWS)..rows.end.div_ceil(CHUNK_ROWS);
        let whole = |rows: &Range<usize>| match chunks(rows) {
            chunks if chunks.is_empty() => rows.clone(),
            chunks => rows.start..(chunks.end * CHUNK_ROWS).min(agents),
        };
        let wanted: Vec<_> = self.own.iter().map(whole).collect();
        self.complete(&mut rows.pos, &wanted);
        self.complete(&mut rows.vel, &wanted);
        self.complete(&mut rows.tag, &wanted);
        self.told.clear();
        let views = rows.columns();
        for view in &views {
            let made = RowDigests::make(view, chunks(&own));
            self.told.extend_from_slice(bytemuck::cast_slice(&made));
        }
        exchange.gather(&self.told, &mut self.heard);
        let mut all = RowDigests(views.iter().map(|view| (view.name, Vec::new())).collect());
        let mut heard = &self.heard[..];
        for own in &self.own {
            for (_, digests) in &mut all.0 {
                digests.extend(chunks(own).map(|_| take::<u64>(&mut heard)));
            }
        }
        Some(all)
    }

    /// The first process gets all rows, if it has not; the others go on with theirs.
    pub(super) fn show_first<N: Numbers>(&mut self, rows: &mut AgentRows<N>) {
        if !self.partial {
            return;
        }
        self.own(rows.pos.len());
        self.was_shown = true;
        let mut wanted = self.own.clone();
        wanted[0] = 0..rows.pos.len();
        self.complete(&mut rows.pos, &wanted);
        self.complete(&mut rows.vel, &wanted);
        self.complete(&mut rows.tag, &wanted);
    }

    /// Completes a column by all rows that this process knows in a tick in which each has its own; rows
    /// right behind them, which kernels may load, become zero.
    pub(super) fn around<T: Pod>(&self, column: &mut Column<T>) {
        self.complete(column, &self.known);
        let end = self.strip.known.end;
        column.padded_mut()[end..end + BLOCK].fill(T::zeroed());
    }

    /// From now on each process has its own rows alone. Nothing is sent.
    pub(super) fn forget<N: Numbers>(&mut self, rows: &mut AgentRows<N>) {
        self.complete(&mut rows.pos, &self.own);
        self.complete(&mut rows.vel, &self.own);
        self.complete(&mut rows.tag, &self.own);
        self.partial = true;
    }

    /// Completes a column in all processes.
    pub(super) fn all<T: Pod>(&self, column: &mut Column<T>) {
        self.complete(column, &self.whole);
    }

    /// Completes a column by the rows near the own ones.
    pub(super) fn near<T: Pod>(&self, column: &mut Column<T>) {
        self.complete(column, &self.near);
    }

    /// Completes a column by the rows in sight of lanes.
    pub(super) fn seen<T: Pod>(&self, column: &mut Column<T>) {
        self.complete(column, &self.seen);
    }

    /// After the move: completes what the agents have changed.
    pub(super) fn moved<N: Numbers>(&mut self, rows: &mut AgentRows<N>) {
        self.all(&mut rows.pos);
        self.all(&mut rows.vel);
        self.tell(&mut rows.tag);
    }

    fn complete<T: Pod>(&self, column: &mut Column<T>, wanted: &[Range<usize>]) {
        if let Some(exchange) = &self.exchange {
            let rows = Rows { bytes: size_of::<T>(), own: &self.own, wanted };
            exchange.share(bytemuck::cast_slice_mut(&mut column[..]), &rows);
        }
    }

    /// Remembers the own tags, before a stage changes some.
    pub(super) fn remember(&mut self, tags: &[Tag]) {
        if self.is_shared() && !self.apart {
            self.tags.clear();
            self.tags.extend_from_slice(&tags[self.strip.rows.clone()]);
        }
    }

    /// Exchanges the tags that have changed with all processes.
    fn tell(&mut self, tags: &mut [Tag]) {
        self.tell_of::<[u32; 2]>(tags, None);
    }

    /// [`Self::tell`], and what agents that ask for a place desire.
    pub(super) fn tell_wishes<T: Pod>(&mut self, tags: &mut [Tag], desired: &mut [T]) {
        self.tell_of(tags, Some(desired));
    }

    fn tell_of<T: Pod>(&mut self, tags: &mut [Tag], mut desired: Option<&mut [T]>) {
        let Some(exchange) = &self.exchange else { return };
        let rows = self.strip.rows.clone();
        self.told.clear();
        self.told.extend([0; 8]);
        let mut counts = [0_u32; 2];
        for (row, (tag, was)) in rows.clone().zip(tags[rows.clone()].iter().zip(&self.tags)) {
            if tag != was {
                let Tag { state, patience, .. } = *tag;
                let change = Change { row: row as u32, state, patience, unused: [0; 2] };
                self.told.extend_from_slice(bytemuck::bytes_of(&change));
                counts[0] += 1;
            }
        }
        if let Some(desired) = &desired {
            for row in rows.filter(|&row| tags[row].state & state::FRESH != 0) {
                self.told.extend_from_slice(bytemuck::bytes_of(&(row as u32)));
                self.told.extend_from_slice(bytemuck::bytes_of(&desired[row]));
                counts[1] += 1;
            }
        }
        self.told[..8].copy_from_slice(bytemuck::bytes_of(&counts));
        exchange.gather(&self.told, &mut self.heard);
        let mut heard = &self.heard[..];
        while !heard.is_empty() {
            let counts: [u32; 2] = take(&mut heard);
            for _ in 0..counts[0] {
                let Change { row, state, patience, .. } = take(&mut heard);
                let tag = &mut tags[row as usize];
                (tag.state, tag.patience) = (state, patience);
            }
            for _ in 0..counts[1] {
                let row: u32 = take(&mut heard);
                let wish = take(&mut heard);
                if let Some(desired) = &mut desired {
                    desired[row as usize] = wish;
                }
            }
        }
    }
}

/// The smallest range that holds three, of which empty ones do not count.
fn join(ranges: [&Range<usize>; 3]) -> Range<usize> {
    let some = || ranges.into_iter().filter(|range| !range.is_empty());
    let start = some().map(|range| range.start).min();
    let end = some().map(|range| range.end).max();
    start.zip(end).map_or(ranges[0].clone(), |(start, end)| start..end)
}

/// Rows up to the ends of their runs.
fn runs_of(rows: &Range<usize>, agents: usize) -> Range<usize> {
    match rows.is_empty() {
        true => rows.clone(),
        false => rows.start / RUN * RUN..rows.end.next_multiple_of(RUN).min(agents),
    }
}

/// The grid rows of some bands.
fn rows_of_bands<N: Numbers>(grid: &Grid<N>, bands: &Range<usize>) -> Range<usize> {
    let end = |band: usize| if band == 0 { 0 } else { grid.band_rows(band - 1).end };
    end(bands.start)..end(bands.end)
}

/// From how far away agents read what others wrote in the same tick, in metres.
fn reach<N: Numbers>(world: &World<N>) -> f64 {
    let groups = world.groups.list.iter().filter(|group| group.members > 0);
    let choosing = groups.filter(|group| group.def.avoidance == Avoidance::Orca);
    let range = choosing.map(|group| group.def.neighbour_range).fold(0.0, f64::max);
    let radius = world.groups.list.iter().map(|group| group.def.radius).fold(0.0, f64::max);
    let range = range.max(settle::REACH * radius);
    range.max(near::range(&world.settings, &world.groups)) + 1.0 / 16.0
}

/// Why every process needs all rows of a world in each tick, if so.
pub(super) fn why_not<N: Numbers>(world: &World<N>, has_force: bool) -> Option<&'static str> {
    let World { groups, routes, minds, combat, teams, traffic, agents, structures, .. } = world;
    let by_points = || groups.traits.iter().any(|traits| traits.guidance == Guidance::Points);
    let steers = || {
        let mut groups = groups.list.iter().filter(|group| group.members > 0);
        groups.any(|group| !group.steering.steps.is_empty())
    };
    let reasons = [
        (has_force, "a force of the caller's own may look at all agents"),
        (!combat.weapons.is_empty(), "agents with weapons look for targets far away"),
        (!structures.is_empty(), "structures are struck from far away"),
        (!minds.variant_sets.is_empty(), "agents that think look around"),
        (!teams.commanders.is_empty(), "strategies look at all agents"),
        (!groups.companies.is_empty(), "formations wait for their members"),
        (routes.by_points || by_points(), "agents that go by navigators remember by id"),
        (routes.sectors.are_used(), "corridors are made where agents are"),
        (steers(), "steering behaviours look far around"),
        (!traffic.choices.is_empty(), "agents that choose exits count all others"),
        (!traffic.followings.is_empty() || !agents.leaders.is_empty(), "agents follow others"),
        (!traffic.sinks.is_empty() || agents.some_leave, "agents leave"),
    ];
    reasons.into_iter().find(|(is_so, _)| *is_so).map(|(_, why)| why)
}

/// Notes the runs in which an agent is to get a place, or a home: a bit a run for every chunk.
pub(super) fn note_news(tags: &[Tag], news: &mut u64) {
    let is_news = |tag: &Tag| tag.state & (state::FRESH | state::HOMELESS) != 0;
    let runs = tags.chunks(RUN).map(|run| run.iter().any(is_news));
    *news = runs.zip(0..).fold(0, |news, (any, run)| news | u64::from(any) << run);
}

/// The same for all chunks.
pub(super) fn note_all_news(tags: &[Tag], news: &mut [u64]) {
    par::chunks(tags.len(), CHUNK, PerBand(news), &|chunk, first, news: PerBand<'_, u64>| {
        let end = ((chunk + 1) * CHUNK).min(tags.len());
        note_news(&tags[first..end], &mut news.0[0]);
    });
}

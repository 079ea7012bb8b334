//! Divide: ticks in which every process has the rows of its own strip alone.
//!
//! Row numbers and columns are those of the whole world, but a process only touches its own rows, and
//! copies of the rows around them (see `share`). It sorts its own agents and the ones that cross a cut to
//! it; what stages that all processes do alike read of agents is sent to all as a list. A world for which
//! a list would be most agents ([`why_not`]) is not divided: every process then has all rows. Where all
//! processes need all rows for once, as when orders are given, they get them ([`Share::make_whole`]).

use crate::lane::Numbers;
use crate::par::Split;
use crate::space::{Gather, Grid};
use crate::tick::parcels::{
    Lists, Memory, add_counts, each_told, put, put_agent, take, tell_counts,
};
use crate::tick::share::why_not;
use crate::tick::sort::Moving;
use crate::tick::{CHUNK, RUN, Scratch, arrivals, crowding, sort};
use crate::world::{AgentRows, Tag, World, state};
use std::ops::Range;

/// A tick begins: all processes get all rows, if that or what comes before the sort needs them.
pub(super) fn begin<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    if !scratch.share.divides() {
        return;
    }
    let is_apart = why_not(world, scratch.force.0.is_some()).is_none();
    let enters = !world.agents.waits.is_empty() || !world.traffic.sources.is_empty();
    if !is_apart || enters {
        scratch.share.make_whole(&mut world.agents.rows);
    }
}

/// After the orders: whether this tick is divided.
pub(super) fn decide<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    if !scratch.share.divides() {
        return;
    }
    let is_apart = why_not(world, scratch.force.0.is_some()).is_none();
    if !is_apart || crowding::needs_all(world) {
        scratch.share.make_whole(&mut world.agents.rows);
    }
    scratch.share.set_apart(is_apart);
}

/// The columns that the sort moves: own old rows, then rows of agents that come.
struct Joining<'a, N> {
    own: Moving<'a, N>,
    pos: &'a [[N; 2]],
    vel: &'a [[N; 2]],
    tag: &'a [Tag],
}

impl<N: Numbers> Split for Joining<'_, N> {
    fn split(self, rows: usize, bands: usize) -> (Self, Self) {
        let (left, right) = self.own.split(rows, bands);
        (Self { own: left, ..self }, Self { own: right, ..self })
    }
}

impl<N: Numbers> Gather for Joining<'_, N> {
    #[inline(always)]
    fn gather(&mut self, to: usize, from: usize) {
        match from.checked_sub(self.own.old_pos.len()) {
            None => self.own.gather(to, from),
            Some(at) => {
                self.own.pos[to] = self.pos[at];
                self.own.vel[to] = self.vel[at];
                self.own.tag[to] = self.tag[at];
            }
        }
    }
}

/// Sorts the own agents and the ones that come, cuts all into strips anew, and gets the rows around the
/// own ones.
pub(super) fn sort_own<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    let World { settings, ground, agents, groups, .. } = &*world;
    sort::fit(agents.rows.pos.len(), settings, ground, groups, scratch);
    let own = scratch.share.own(world.len());
    let Scratch { grid, share, parcels, spare, .. } = scratch;
    let Some(exchange) = share.exchange() else { return };
    let Memory { told, heard, to, from, .. } = parcels;
    let counts = grid.begin_part(&world.agents.rows.pos[own.clone()]);
    tell_counts(counts, told);
    exchange.gather(told, heard);
    grid.plan_parts(|counts| add_counts(heard, counts));
    share.cut(world, grid);
    let (place, count) = exchange.place();
    to.resize_with(count, Vec::new);
    from.resize_with(count, Vec::new);
    to.iter_mut().for_each(Vec::clear);
    let rows = &mut world.agents.rows;
    grid.leavers(&share.grid_rows(place), |grid_row, agent| {
        put_agent(&mut to[share.owner_of(grid_row)], rows, own.start + agent);
    });
    exchange.trade(to, from);
    let before = parcels.receive(place);
    let Memory { pos, vel, tag, .. } = &*parcels;
    let strip = &share.strip;
    let to = strip.rows.clone();
    let moving = Moving {
        old_pos: &rows.pos[own.clone()],
        old_vel: &rows.vel[own.clone()],
        old_tag: &rows.tag[own],
        pos: &mut spare.pos[to.clone()],
        vel: &mut spare.vel[to.clone()],
        tag: &mut spare.tag[to],
    };
    let joining = Joining { own: moving, pos, vel, tag };
    let (before, behind) = pos.split_at(before);
    grid.end_part(strip.bands.clone(), [before, behind], joining);
    std::mem::swap(rows, spare);
    sort::clear_padding(rows);
    parcels.shrink();
    if std::mem::take(&mut share.was_shown) || share.others().is_none() {
        // What was needed for all agents takes no more room.
        *spare = AgentRows::default();
        spare.pos.renew(rows.pos.len());
    }
    share.around(&mut rows.pos);
    share.around(&mut rows.vel);
    share.around(&mut rows.tag);
    let (known, own) = (share.known_grid_rows(), share.grid_rows(place));
    for beside in [known.start..own.start, own.end..known.end] {
        grid.find_cells(beside, &rows.pos);
    }
}

/// After `desire`: tags around the own rows, and to all processes what `arrivals` reads of agents.
pub(super) fn hand_on<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    scratch.share.around(&mut world.agents.rows.tag);
    let Scratch { grid, desired, news, share, parcels, .. } = scratch;
    let Some(exchange) = share.exchange() else { return };
    let Memory { told, heard, lists, .. } = parcels;
    list(world, grid, &share.strip.rows, lists);
    let rows = &mut world.agents.rows;
    told.clear();
    put(told, &lists.counts());
    told.extend_from_slice(bytemuck::cast_slice(&lists.runs));
    for &row in &lists.own {
        put(told, &row);
        put(told, &rows.vel[row as usize]);
        put(told, &desired[row as usize]);
    }
    for &row in &lists.near {
        put(told, &row);
        put(told, &rows.tag[row as usize]);
        put(told, &rows.pos[row as usize]);
    }
    for &at in &lists.entries {
        put(told, &[at, *grid.entry(at as usize)]);
    }
    exchange.gather(told, heard);
    note_runs(heard, &share.strip.known, &mut rows.tag, news);
    each_told(heard, |counts, [_, mut own, mut near, mut entries]| {
        for _ in 0..counts[1] {
            let row = take::<u32>(&mut own) as usize;
            rows.vel[row] = take(&mut own);
            desired[row] = take(&mut own);
        }
        for _ in 0..counts[2] {
            let row = take::<u32>(&mut near) as usize;
            rows.tag[row] = take(&mut near);
            rows.pos[row] = take(&mut near);
        }
        for _ in 0..counts[3] {
            let [at, end]: [u32; 2] = take(&mut entries);
            *grid.entry(at as usize) = end;
        }
    });
}

/// Notes the runs of which all processes have told; their rows are no news until they are told of. `known`
/// are the rows of which this process has copies.
fn note_runs(heard: &[u8], known: &Range<usize>, tags: &mut [Tag], news: &mut Vec<u64>) {
    news.clear();
    news.resize(tags.len().div_ceil(CHUNK), 0);
    each_told(heard, |counts, [mut runs, ..]| {
        for _ in 0..counts[0] {
            let run = take::<u32>(&mut runs) as usize;
            news[run * RUN / CHUNK] |= 1 << (run % (CHUNK / RUN));
            let end = ((run + 1) * RUN).min(tags.len());
            let unknown = (run * RUN..end).filter(|row| !known.contains(row));
            unknown.for_each(|row| tags[row] = Tag::default());
        }
    });
}

/// Lists what `arrivals` may read: runs with agents that are to get a place or a home; the own rows of
/// such agents, and of agents in these runs that have settled, as they may be told to walk on; rows around
/// these, and where they end in the table of cells.
fn list<N: Numbers>(world: &World<N>, grid: &Grid<N>, own: &Range<usize>, lists: &mut Lists) {
    lists.clear();
    let tags = &world.agents.rows.tag[..];
    let is_news = |tag: &Tag| tag.state & (state::FRESH | state::HOMELESS) != 0;
    if own.is_empty() {
        return;
    }
    for run in own.start / RUN..own.end.div_ceil(RUN) {
        let all = run * RUN..((run + 1) * RUN).min(tags.len());
        if !tags[all.clone()].iter().any(is_news) {
            continue;
        }
        lists.runs.push(run as u32);
        let rows = all.start.max(own.start)..all.end.min(own.end);
        for (row, tag) in (rows.start..).zip(&tags[rows]) {
            let looks = tag.state & (state::FRESH | state::SETTLED) != 0;
            if looks {
                let query = arrivals::around(world, row);
                grid.visit(query, |near, _| lists.near.extend(near.map(|row| row as u32)));
                lists.entries.extend(grid.entries(query).map(|at| at as u32));
            }
            if looks || is_news(tag) {
                lists.own.push(row as u32);
                lists.near.push(row as u32);
            }
        }
    }
    for list in [&mut lists.near, &mut lists.entries] {
        list.sort_unstable();
        list.dedup();
    }
}

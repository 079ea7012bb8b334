//! Where possible targets stand: a raster of cells of some metres, and tiles of 8 × 8 cells.
//!
//! A view is a set of teams and a choice; each has its own layer, with the least rank of the view's
//! teams in every cell, so that whole cells, and tiles, are passed over at a glance. A column of
//! cells is a power of two of metres wide and a row of them is a number of whole grid rows, so
//! no rounding can put an agent into another cell than its own.

use crate::data::Column;
use crate::kernel::choose::{Crowd, extent};
use crate::lane::{IntLane, Lane, Numbers, Real};
use crate::math::each::Each;
use crate::par;
use crate::par::{PerBand, Ragged};
use crate::space::{Grid, Query};
use crate::world::{Choice, World, state};

/// Cells along a side of a tile.
pub(in crate::tick) const TILE: usize = 8;
/// Side of the smallest cells, in metres.
const CELL: f64 = 8.0;
/// Most cells that the longest range reaches over.
const REACHED: f64 = 64.0;
/// Most cells along an axis.
const MAX_CELLS: f64 = 512.0;
/// Views from which on new ones share another's layer, which then holds more teams than needed.
const MANY_VIEWS: usize = 16;
/// Agents that are entered together: in one view after the other.
const RUN: usize = 64;
/// The rank of a cell without possible targets.
pub(in crate::tick) const EMPTY: i32 = i32::MAX;

/// The teams in a layer, and the choice that ranks them.
#[derive(Clone, Copy, Debug)]
struct View {
    teams: u32,
    choice: Choice,
}

/// A group as others' target.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tick) struct Target {
    /// Its team as a bit; 0 when no group looks for it.
    pub(in crate::tick) team: u32,
    /// How many different threats of other groups are greater.
    pub(in crate::tick) threat: i32,
}

/// Memory of the raster.
#[derive(Clone, Debug, Default)]
pub(in crate::tick) struct Raster<N> {
    views: Vec<View>,
    /// Cells per metre along x, and metres per cell.
    scale: N,
    width: f64,
    /// Cells of a row, in whole tiles, rows, and grid rows of a row.
    columns: usize,
    rows: usize,
    lines: usize,
    /// The least rank in every cell: row by row, in each view by view.
    least: Vec<i32>,
    /// The least and the largest y of the possible targets in every row.
    spans: Vec<[N; 2]>,
    /// The least rank in every tile, and the spans of rows of tiles.
    tile_least: Vec<i32>,
    tile_spans: Vec<[N; 2]>,
    /// Where every row ends, in agents and in cells.
    row_end: Vec<u32>,
    cell_end: Vec<u32>,
    /// The columns of [`Crowd`].
    teams: Column<u32>,
    health: Column<i32>,
    threat: Column<i32>,
}

/// Input of entering agents.
struct Entry<'a, N: Numbers> {
    world: &'a World<N>,
    targets: &'a [Target],
    views: &'a [View],
    columns: usize,
    scale: N,
    by_health: bool,
    by_threat: bool,
}

impl<'a, N: Numbers> Entry<'a, N> {
    fn new(
        world: &'a World<N>,
        targets: &'a [Target],
        views: &'a [View],
        columns: usize,
        scale: N,
    ) -> Self {
        let uses = |choice: Choice| views.iter().any(|view| view.choice == choice);
        let (by_health, by_threat) = (uses(Choice::Weakest), uses(Choice::Threat));
        Self { world, targets, views, columns, scale, by_health, by_threat }
    }

    /// Enters the agents of a row of cells and returns their span.
    fn row(
        &self,
        first: usize,
        [health, threat]: [&mut [i32]; 2],
        teams: &mut [u32],
        least: &mut [i32],
    ) -> [N; 2] {
        let mut span = nowhere();
        let agents = &self.world.agents.rows;
        for start in (0..teams.len()).step_by(RUN) {
            let end = teams.len().min(start + RUN);
            let teams = &mut teams[start..end];
            let (health, threat) = (&mut health[start..end], &mut threat[start..end]);
            let mut columns = [0; RUN];
            for (i, own_team) in teams.iter_mut().enumerate() {
                let (tag, pos) = (agents.tag[first + start + i], agents.pos[first + start + i]);
                let Target { team, threat: rank } = self.targets[usize::from(tag.group)];
                *own_team = if tag.state & state::LEAVING == 0 { team } else { 0 };
                if *own_team == 0 {
                    continue;
                }
                if self.by_threat {
                    threat[i] = rank;
                }
                if self.by_health {
                    // Above 0, where bits are in the order of numbers.
                    let left = self.world.combat.combatants.health[tag.id as usize][0];
                    health[i] = left.bits() as i32;
                }
                span = joined(span, [pos[1]; 2]);
                columns[i] = N::Single::splat(pos[0] * self.scale).floor_int().get(0) as u16;
            }
            for (view, layer) in self.views.iter().zip(least.chunks_exact_mut(self.columns)) {
                let all = teams
                    .iter()
                    .zip(&columns)
                    .map(|(team, &column)| (team & view.teams != 0, usize::from(column)));
                match view.choice {
                    Choice::Nearest => enter(layer, all.map(|(is_one, at)| (is_one, at, 0))),
                    Choice::Weakest => enter(layer, ranked(all, health)),
                    Choice::Threat => enter(layer, ranked(all, threat)),
                }
            }
        }
        span
    }
}

/// Agents, whether they count and in which columns they stand, with their ranks.
#[inline(always)]
fn ranked(
    all: impl Iterator<Item = (bool, usize)>,
    ranks: &[i32],
) -> impl Iterator<Item = (bool, usize, i32)> {
    all.zip(ranks).map(|((is_one, column), &rank)| (is_one, column, rank))
}

/// Enters agents: whether they count, their columns and ranks.
#[inline(always)]
fn enter(layer: &mut [i32], all: impl Iterator<Item = (bool, usize, i32)>) {
    for (is_one, column, rank) in all {
        // No branch: in a mixed crowd none could be foretold.
        let rank = if is_one { rank } else { EMPTY };
        layer[column] = layer[column].min(rank);
    }
}

/// The span of an empty row.
fn nowhere<N: Numbers>() -> [N; 2] {
    [N::from_f64(N::EXTENT), N::from_f64(-N::EXTENT)]
}

/// The wider of two spans.
fn joined<N: Numbers>(a: [N; 2], b: [N; 2]) -> [N; 2] {
    [a[0].smaller(b[0]), a[1].larger(b[1])]
}

impl<N: Numbers> Raster<N> {
    /// Forgets all views.
    pub(in crate::tick) fn clear_views(&mut self) {
        self.views.clear();
    }

    /// The view for agents that look for these teams and choose so.
    pub(in crate::tick) fn view(&mut self, teams: u32, choice: Choice) -> usize {
        let alike = |view: &View| view.choice == choice;
        let known = self.views.iter().position(|view| alike(view) && view.teams == teams);
        let many = self.views.len() >= MANY_VIEWS;
        let shared = known.or_else(|| many.then(|| self.views.iter().position(alike)).flatten());
        if let Some(view) = shared {
            self.views[view].teams |= teams;
            return view;
        }
        self.views.push(View { teams, choice });
        self.views.len() - 1
    }

    /// Sets the shape, for ranges up to `longest` metres.
    fn shape(&mut self, world: &World<N>, grid: &Grid<N>, longest: f64) {
        let wide = f64::from(world.ground.map.width()) * world.ground.map.cell_size();
        self.width = CELL;
        while wide > MAX_CELLS * self.width || longest > REACHED * self.width {
            self.width *= 2.0;
        }
        self.scale = N::from_f64(1.0 / self.width);
        self.columns = ((wide / self.width) as usize + 1).next_multiple_of(TILE);
        let (line, _) = grid.row_gaps(0, [N::ZERO; 2]);
        let lines = (self.width / line.to_f64()).floor().max(1.0) as usize;
        self.lines = lines.max(grid.rows().div_ceil(MAX_CELLS as usize));
        self.rows = grid.rows().div_ceil(self.lines);
        let cells = self.columns * self.views.len();
        self.row_end.clear();
        self.cell_end.clear();
        for row in 0..self.rows {
            let last = ((row + 1) * self.lines).min(grid.rows()) - 1;
            self.row_end.push(grid.row_agents(last).end as u32);
            self.cell_end.push(((row + 1) * cells) as u32);
        }
        self.least.clear();
        self.least.resize(self.rows * cells, EMPTY);
        self.spans.clear();
        self.spans.resize(self.rows, nowhere());
    }

    /// Enters all agents.
    pub(in crate::tick) fn build(
        &mut self,
        world: &World<N>,
        grid: &Grid<N>,
        targets: &[Target],
        longest: f64,
    ) {
        self.shape(world, grid, longest);
        self.teams.resize(world.len());
        self.teams.clear_padding();
        self.health.resize(world.len());
        self.threat.resize(world.len());
        let Self {
            views,
            columns,
            scale,
            least,
            spans,
            row_end,
            cell_end,
            teams,
            health,
            threat,
            ..
        } = self;
        let entry = Entry::new(world, targets, views, *columns, *scale);
        let parts = (
            (&mut teams[..], &mut health[..], &mut threat[..]),
            Ragged::new(&mut least[..], cell_end, 0),
            PerBand(&mut spans[..]),
        );
        par::bands(
            row_end,
            0..row_end.len(),
            parts,
            &|_, first, ((teams, health, threat), least, span)| {
                span.0[0] = entry.row(first, [health, threat], teams, least.items());
            },
        );
        self.build_tiles();
    }

    fn build_tiles(&mut self) {
        let (high, wide) = (self.rows.div_ceil(TILE), self.columns / TILE);
        self.tile_least.clear();
        self.tile_least.resize(high * wide * self.views.len(), EMPTY);
        self.tile_spans.clear();
        self.tile_spans.resize(high, nowhere());
        let cells = self.columns * self.views.len();
        for (row, layers) in self.least.chunks_exact(cells.max(1)).enumerate() {
            let tiles = wide * self.views.len();
            let to = &mut self.tile_least[row / TILE * tiles..][..tiles];
            for (tile, eight) in to.iter_mut().zip(layers.chunks_exact(TILE)) {
                *tile = eight.iter().fold(*tile, |least, &rank| least.min(rank));
            }
            let span = &mut self.tile_spans[row / TILE];
            *span = joined(*span, self.spans[row]);
        }
    }

    /// The columns to choose from.
    pub(in crate::tick) fn crowd<'a>(&'a self, pos: &'a [[N; 2]], view: usize) -> Crowd<'a, N> {
        let ranks = match self.views[view].choice {
            Choice::Nearest => &[],
            Choice::Weakest => self.health.padded(),
            Choice::Threat => self.threat.padded(),
        };
        Crowd { pos, teams: self.teams.padded(), ranks }
    }

    /// Rows and columns of cells that hold all agents within a range (metres) of a place.
    pub(in crate::tick) fn window(&self, pos: [N; 2], range: N, grid: &Grid<N>) -> [[usize; 2]; 2] {
        let row = |y: N| grid.row(y) / self.lines;
        let column = |x: N| {
            let column = N::Single::splat(x * self.scale).floor_int().get(0).max(0) as usize;
            column.min(self.columns - 1)
        };
        let [x, y] = pos;
        [[row(y - range), row(y + range)], [column(x - range), column(x + range)]]
    }

    /// The least rank in a cell, and the square of the least distance to it.
    #[inline(always)]
    pub(in crate::tick) fn cell(
        &self,
        view: usize,
        [row, column]: [usize; 2],
        pos: [N; 2],
    ) -> (i32, f64) {
        let (least, [near, _]) =
            self.cells::<N::Single>(view, row, column, pos.each(N::Single::splat));
        (least.get(0), near.get(0))
    }

    /// The least rank in a tile, and the square of the least distance to it.
    #[inline(always)]
    pub(in crate::tick) fn tile(
        &self,
        view: usize,
        [row, column]: [usize; 2],
        pos: [N; 2],
    ) -> (i32, f64) {
        let wide = self.columns / TILE;
        let least = self.tile_least[(row * self.views.len() + view) * wide + column];
        if least == EMPTY {
            return (EMPTY, 0.0);
        }
        let side = self.width * TILE as f64;
        let edge = |column: usize| N::from_f64(column as f64 * side);
        let [low, high] = self.tile_spans[row];
        let one = |at: [N; 2]| at.each(N::Single::splat);
        let (min, max) = (one([edge(column), low]), one([edge(column + 1), high]));
        let [near, _] = extent::<N::Single>(one(pos), min, max);
        (least, near.get(0))
    }

    /// The least ranks in the cells of a row of a tile, and the squares of the least and of the
    /// largest distances to them, a block of lanes from the tile's column `first` on.
    #[inline(always)]
    pub(in crate::tick) fn cells<L: Lane<Num = N>>(
        &self,
        view: usize,
        row: usize,
        first: usize,
        pos: [L; 2],
    ) -> (L::Int, [L::Real; 2]) {
        let cells = &self.least[(row * self.views.len() + view) * self.columns + first..];
        let cells = &cells[..L::WIDTH];
        let least = L::Int::from_fn(|i| cells[i]);
        let edge = L::from_int(L::Int::from_fn(|i| (first + i) as i32));
        let (left, width) = (edge * L::splat(N::from_f64(self.width)), N::from_f64(self.width));
        let [low, high] = self.spans[row].each(L::splat);
        (least, extent(pos, [left, low], [left + L::splat(width), high]))
    }

    /// Rows of cells.
    pub(in crate::tick) fn rows(&self) -> usize {
        self.rows
    }

    /// Where the agents of a cell are to be found.
    #[inline(always)]
    pub(in crate::tick) fn query(&self, [row, column]: [usize; 2]) -> Query<N> {
        let [left, right] = [0, 1].each(|i| N::from_f64((column + i) as f64 * self.width));
        let [low, high] = self.spans[row];
        Query { min: [left, low], max: [right, high] }
    }
}

//! Fly: projectiles move and strike.
//!
//! Every projectile goes along the chord of its tick and ends where it first meets something: the
//! ground, a wall, an agent that moves meanwhile, the edge of the map; what stands in the map comes
//! before an agent that is met at the same moment, and among agents the one with the smallest id
//! index. One that meets nothing goes on, until its time is up. Ends are found in parallel, against
//! the agents as they are; then damage is done in the order of the rows.
//!
//! No projectile flies higher than coordinates reach: one that would has left the map.

mod bodies;
mod ends;
mod homing;

use crate::kernel::flight;
use crate::kernel::flight::Flown;
use crate::kernel::heightfield::Obstacle;
use crate::lane::{BLOCK, Compare, IntLane, Lane, Mask, Numbers, Real};
use crate::map::Map;
use crate::math::Num;
use crate::math::each::Each;
use crate::par;
use crate::space::Grid;
use crate::tick::fly::bodies::Crowd;
use crate::tick::fly::homing::Targets;
use crate::world::{Combat, Projectiles, Settings, Shot, Structures, Weapon, World};

/// Projectiles of a chunk: so few that the ones which fly low are shared out.
const CHUNK: usize = 128;

/// How a projectile fares in a tick; the smallest numbers are the row of the agent that it strikes.
mod mark {
    pub(super) const FLIES: u32 = u32::MAX;
    pub(super) const GROUND: u32 = u32::MAX - 1;
    pub(super) const WALL: u32 = u32::MAX - 2;
    pub(super) const NOTHING: u32 = u32::MAX - 3;
    /// Of a projectile that strikes a structure, with its index; rows and the others lie apart.
    pub(super) const STRUCTURE: u32 = 1 << 31;
}

/// Memory of the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N> {
    /// Where agents were before they moved, by row; padded to a whole block.
    before: Vec<[N; 2]>,
    /// The largest move along an axis, for every chunk of agents.
    moves: Vec<N>,
    /// How every projectile fares.
    marks: Vec<u32>,
}

impl<N: Num> Memory<N> {
    /// Notes where agents are before they move.
    pub(super) fn remember(&mut self, pos: &[[N; 2]]) {
        self.before.clear();
        self.before.extend_from_slice(pos);
        self.before.extend([[N::ZERO; 2]; BLOCK]);
    }
}

pub(super) fn run<L: Lane>(
    world: &mut World<L::Num>,
    grid: &Grid<L::Num>,
    rows: &mut Vec<u32>,
    memory: &mut Memory<L::Num>,
) {
    let flying = world.combat.projectiles.shot.len();
    if flying == 0 {
        return;
    }
    let World { settings, log, ground, agents, groups, combat, structures, .. } = world;
    let (agents, ground, groups, structures) = (&*agents, &*ground, &*groups, &*structures);
    let Combat { weapons, projectiles: Projectiles { pos, vel, shot: shots }, impacts, .. } =
        combat;
    homing::look_up(agents, weapons, rows);
    let Memory { before, moves, marks } = memory;
    bodies::note_moves::<L>(before, &agents.rows.pos, moves);
    marks.resize(flying, mark::FLIES);
    impacts.reserve(flying);
    let crowd = Crowd::new(&agents.rows, ground.solid(), groups, weapons, grid, before, moves);
    let targets = Targets { agents, ground, groups, rows, dt: settings.dt() };
    let sky = Sky::new(settings, log.tick, crowd, targets, structures);
    let columns = (&mut pos[..], &mut vel[..], &mut marks[..]);
    par::chunks(flying, CHUNK, columns, &|_, first, (pos, vel, marks)| {
        for at in (0..pos.len()).step_by(L::WIDTH) {
            let block = at..pos.len().min(at + L::WIDTH);
            let shots = &shots[first + block.start..first + block.end];
            let (pos, vel) = (&mut pos[block.clone()], &mut vel[block.clone()]);
            sky.fly::<L>(shots, pos, vel, &mut marks[block]);
        }
    });
    ends::run(world, grid, moves, marks);
}

/// Input of the stage, the same for all projectiles.
struct Sky<'a, N: Numbers> {
    crowd: Crowd<'a, N>,
    targets: Targets<'a, N>,
    structures: &'a Structures,
    map: &'a Map,
    weapons: &'a [Weapon<N>],
    tick_rate: u32,
    /// The lowest bits of the number of ticks done.
    now: u32,
    /// Width and height of the map, and a height above which nothing stands, m.
    size: [f64; 2],
    top: f64,
}

impl<'a, N: Numbers> Sky<'a, N> {
    fn new(
        settings: &Settings,
        tick: u64,
        crowd: Crowd<'a, N>,
        targets: Targets<'a, N>,
        structures: &'a Structures,
    ) -> Self {
        let (map, weapons) = (targets.ground.solid(), crowd.weapons);
        let size = [map.width(), map.height()].each(|n| f64::from(n) * map.cell_size());
        let top = map.highest_top().max(crowd.top());
        let (tick_rate, now) = (settings.tick_rate, tick as u32);
        Self { crowd, targets, structures, map, weapons, tick_rate, now, size, top }
    }

    /// The weapon of a shot.
    #[inline(always)]
    fn weapon(&self, shot: &Shot) -> &'a Weapon<N> {
        &self.weapons[usize::from(shot.weapon)]
    }

    /// Moves a block and finds out how it fares.
    #[inline(always)]
    fn fly<L: Lane<Num = N>>(
        &self,
        shots: &[Shot],
        pos: &mut [[N; 3]],
        vel: &mut [[N; 3]],
        marks: &mut [u32],
    ) {
        for (lane, shot) in shots.iter().enumerate() {
            self.targets.turn(self.weapon(shot), *shot, pos[lane], &mut vel[lane]);
        }
        let flown = self.step::<L>(shots, pos, vel);
        let free = self.free::<L>(pos, &flown).bits();
        for (lane, shot) in shots.iter().enumerate() {
            let to = flown.pos.each(|p| p.get(lane));
            let mut fares = mark::FLIES;
            if free >> lane & 1 == 1 {
                pos[lane] = to.each(N::from_f64);
            } else {
                (pos[lane], fares) = self.follow::<L>(*shot, pos[lane], to);
            }
            vel[lane][2] = flown.rise.get(lane);
            let is_over = fares == mark::FLIES && shot.expires == self.now.wrapping_add(1);
            marks[lane] = if is_over { mark::NOTHING } else { fares };
        }
    }

    /// Positions and upward velocities of a block after the tick.
    #[inline(always)]
    fn step<L: Lane<Num = N>>(&self, shots: &[Shot], pos: &[[N; 3]], vel: &[[N; 3]]) -> Flown<L> {
        let row = |lane: usize| lane.min(shots.len() - 1);
        let weapon = |lane: usize| self.weapon(&shots[row(lane)]);
        let turns = |lane: usize| weapon(lane).def.turn_rate > 0.0;
        let age = |lane: usize| {
            let lifetime = weapon(lane).ballistics.lifetime;
            let left = shots[row(lane)].expires.wrapping_sub(self.now);
            lifetime.wrapping_sub(left).min(lifetime) as i32
        };
        let gravity =
            |lane: usize| if turns(lane) { N::ZERO } else { weapon(lane).ballistics.gravity };
        let block = flight::Block::<L> {
            pos: [0, 1, 2].each(|i| L::from_fn(|lane| pos[row(lane)][i])),
            vel: [0, 1, 2].each(|i| L::from_fn(|lane| vel[row(lane)][i])),
            gravity: L::from_fn(gravity),
            age: L::Int::from_fn(age),
            turns: L::Mask::from_fn(turns),
        };
        flight::step(&block, self.tick_rate)
    }

    /// Projectiles that fly above everything and stay on the map, for certain.
    #[inline(always)]
    fn free<L: Lane<Num = N>>(
        &self,
        pos: &[[N; 3]],
        flown: &Flown<L>,
    ) -> <L::Real as Compare>::Mask {
        let real = L::Real::splat;
        let [x, y, z] = flown.pos;
        let (width, height) = (real(self.size[0] - 0.01), real(self.size[1] - 0.01));
        let on_map = !x.lt(real(0.0)) & !y.lt(real(0.0)) & x.lt(width) & y.lt(height);
        let before = L::from_fn(|lane| pos[lane.min(pos.len() - 1)][2]).real();
        let top = real(self.top + 0.01);
        on_map & top.lt(z) & top.lt(before) & z.lt(real(N::EXTENT))
    }

    /// Where a projectile is at the end of the tick, and how it fares.
    fn follow<L: Lane<Num = N>>(&self, shot: Shot, from: [N; 3], to: [f64; 3]) -> ([N; 3], u32) {
        let start = from.each(N::to_f64);
        let along = |share: f64| [0, 1, 2].each(|i| start[i] + (to[i] - start[i]) * share);
        // The way is cut where coordinates end.
        let most = N::EXTENT;
        let cut = |i: usize| (most.copysign(to[i] - start[i]) - start[i]) / (to[i] - start[i]);
        let beyond = (0..3).filter(|&i| to[i].abs() > most).map(cut);
        let whole = beyond.fold(1.0, f64::min).max(0.0);
        let end = if whole < 1.0 { along(whole) } else { to };
        let mut fares = if whole < 1.0 { mark::NOTHING } else { mark::FLIES };
        let end: [N; 3] = end.each(N::from_f64);
        let finish = end.each(N::to_f64);
        let mut until = 1.0;
        if let Some(contact) = self.map.first_contact(from, end) {
            until = contact.share;
            let wall = self.map.slowness()[contact.cell as usize] == 0;
            fares = match contact.obstacle {
                Obstacle::Top if !wall => mark::GROUND,
                Obstacle::Top | Obstacle::Wall | Obstacle::Cliff => {
                    let structure = self.structures.at(contact.cell);
                    structure.map_or(mark::WALL, |index| mark::STRUCTURE | u32::from(index))
                }
                Obstacle::Edge => mark::NOTHING,
            };
        }
        if start[2].min(finish[2]) <= self.crowd.top()
            && let Some((share, row)) = self.crowd.first::<L>(shot, [from, end], until)
            && (share < until || fares == mark::FLIES)
        {
            (until, fares) = (share, row);
        }
        if until == 1.0 {
            return (end, fares);
        }
        let at = [0, 1, 2].each(|i| start[i] + (finish[i] - start[i]) * until);
        (at.each(N::from_f64), fares)
    }
}

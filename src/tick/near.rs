//! Near agents: they limit a block's approach in this tick, or may touch it after the move. Found
//! once for every block, and visited by `motion` and by every pass of `contacts` in the order of rows.

use crate::kernel::approach;
use crate::kernel::approach::Block;
use crate::kernel::approach::Limit;
use crate::kernel::approach::Mark;
use crate::kernel::separate;
use crate::kernel::separate::ALIKE;
use crate::kernel::separate::ALL;
use crate::kernel::separate::Body;
use crate::lane::BLOCK;
use crate::lane::IntLane;
use crate::lane::Lane;
use crate::lane::Numbers;
use crate::math::Num;
use crate::space::Grid;
use crate::tick::cast::Cast;
use crate::tick::crowd;
use crate::world::Avoidance;
use crate::world::World;

/// By how much the gap between two agents may shrink in a tick, in metres: both move, and are moved in
/// every pass of contacts.
pub(super) fn closing<N: Numbers>(world: &World<N>) -> f64 {
    let present = || {
        let groups = world.groups.iter().zip(&world.traits);
        groups.filter(|(group, _)| group.members > 0)
    };
    let speed = present().map(|(_, traits)| traits.top_speed.to_f64()).fold(0.0, f64::max);
    let radius = present().map(|(group, _)| group.def.radius).fold(0.0, f64::max);
    let passes = f64::from(world.settings.contact_passes);
    2.0 * (speed * world.dt() + passes * MOST_SHIFT * radius)
}

/// Most that an agent is moved in a pass of contacts, in radii.
pub(super) const MOST_SHIFT: f64 = 0.5;

/// Rounds in which a velocity is projected on all limits.
const ROUNDS: usize = 2;

/// Everybody, as agents look at each other.
#[derive(Clone, Copy)]
pub(super) struct Crowd<'a, N> {
    pub(super) grid: &'a Grid<N>,
    /// Empty when agents are alike.
    pub(super) bodies: &'a [Body<N>],
    pub(super) marks: &'a [Mark<N>],
    /// The largest radius, in metres.
    pub(super) largest: N,
    /// By how much the gap between two agents may shrink in a tick, in metres.
    pub(super) closing: N,
}

/// The near agents of the blocks of a band, block by block.
#[derive(Clone, Debug, Default)]
pub(super) struct Near<N> {
    rows: Vec<u32>,
    /// The limits that the near agents of the last block set, lane by lane.
    limits: Vec<[N; 3 * BLOCK]>,
}

impl<N> Near<N> {
    /// Forgets all, and makes room for what so many agents usually have near.
    pub(super) fn clear(&mut self, agents: usize) {
        self.rows.clear();
        self.rows.reserve((16 * agents).next_power_of_two());
        self.limits.reserve(256);
    }

    /// How many there are so far.
    pub(super) fn ends(&self) -> u32 {
        self.rows.len() as u32
    }

    /// All of them.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }
}

/// The agents of a block, as near agents see them.
#[inline(always)]
pub(super) fn block<L: Lane>(
    crowd: &Crowd<'_, L::Num>,
    cast: &Cast<'_, L::Num>,
    row: usize,
    pos: [L; 2],
) -> Block<L> {
    let marks = &crowd.marks[row..row + L::WIDTH];
    Block {
        pos,
        heading: [0, 1].map(|axis| L::from_fn(|i| marks[i][axis])),
        soft: L::from_fn(|i| marks[i][2]),
        radius: cast.lanes(|t| t.radius),
        reach: cast.lanes(|t| t.approach_range),
        rate: cast.lanes(|t| t.approach_rate),
    }
}

/// The share of the contact with a neighbour that an agent of the block makes up for.
#[inline(always)]
pub(super) fn share<L: Lane, const KIND: u8>(
    cast: &Cast<'_, L::Num>,
    bodies: &[Body<L::Num>],
    row: usize,
) -> L {
    if KIND == ALL {
        let layer = L::Int::from_fn(|i| cast.traits(i).layer as i32);
        let avoids = L::Int::from_fn(|i| cast.traits(i).avoids as i32);
        separate::share(cast.lanes(|t| t.weight), [layer, avoids], &bodies[row])
    } else {
        L::one()
    }
}

/// Velocities of a block that bring nobody nearer to others than the gaps between them allow. Notes
/// the near agents.
#[inline(always)]
pub(super) fn obey<L: Lane, const KIND: u8>(
    crowd: &Crowd<'_, L::Num>,
    world: &World<L::Num>,
    cast: &Cast<'_, L::Num>,
    row: usize,
    pos: [L; 2],
    vel: [L; 2],
    near: &mut Near<L::Num>,
) -> [L; 2]
where
    L::Num: Numbers,
{
    let block = block::<L>(crowd, cast, row, pos);
    let all = world.agents.pos.padded();
    let first = near.rows.len();
    find::<L, KIND>(crowd, all, &block, near);
    near.limits.clear();
    for &other in &near.rows[first..] {
        let other = other as usize;
        let share = share::<L, KIND>(cast, crowd.bodies, other).smaller(L::one());
        let limit = approach::limit(&block, all[other], &crowd.marks[other], share);
        let mut lanes = [L::Num::ZERO; 3 * BLOCK];
        limit.normal[0].store(&mut lanes);
        limit.normal[1].store(&mut lanes[BLOCK..]);
        limit.most.store(&mut lanes[2 * BLOCK..]);
        near.limits.push(lanes);
    }
    let mut obeying = vel;
    for _ in 0..ROUNDS {
        for lanes in &near.limits {
            let normal = [L::load(lanes), L::load(&lanes[BLOCK..])];
            let limit = Limit { normal, most: L::load(&lanes[2 * BLOCK..]) };
            obeying = approach::obey(obeying, &limit);
        }
    }
    let heeds = cast.mask::<L>(|t| t.avoidance != Avoidance::None);
    [0, 1].map(|i| L::select(heeds, obeying[i], vel[i]))
}

/// Notes the near agents of a block.
#[inline(always)]
fn find<L: Lane, const KIND: u8>(
    crowd: &Crowd<'_, L::Num>,
    all: &[[L::Num; 2]],
    block: &Block<L>,
    near: &mut Near<L::Num>,
) where
    L::Num: Numbers,
{
    let gap = block.reach.larger(L::splat(crowd.closing));
    let [_, own] = (block.radius + gap).extremes();
    let most = match KIND == ALIKE {
        true => block.radius.get(0),
        false => crowd.largest,
    };
    let more = L::Num::from_f64(1.0 / 16.0);
    let (query, _) = crowd::query(block.pos, own + most + (own + most) * more + more);
    crowd.grid.visit(query, |range, _| {
        for other in range {
            if approach::is_near(block, all[other], &crowd.marks[other], gap) {
                near.rows.push(other as u32);
            }
        }
    });
}

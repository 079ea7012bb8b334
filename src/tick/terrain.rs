//! Terrain: the ground under agents sets their speed, and some of it is forbidden to them.
//!
//! No agent enters forbidden ground by its own will: the part of a desired velocity that would lead
//! there is slowed, from as far away as an agent needs to halt. An agent on such ground, because it
//! was pushed there or has changed its group, goes the shortest way out before all else. All of
//! this is skipped where all ground is plain.

use crate::kernel::sample;
use crate::lane::{IntLane, Lane, Mask, Numbers};
use crate::map::Clearance;
use crate::math::Num;
use crate::math::each::{Each, Make};
use crate::par;
use crate::tick::CHUNK;
use crate::world::{AgentRows, Avoidance, Ground, GroupDef, Groups, Settings, Tag, Traits};

/// Longest time over which agents slow down before forbidden ground, in seconds.
const LOOK_AHEAD: f64 = 16.0;
/// Cells that they look ahead at most.
const FARTHEST: u32 = 16;
/// How far from forbidden ground they halt, in metres.
const MARGIN: f64 = 1.0 / 16.0;

/// The padded cells that hold points.
#[inline(always)]
fn cells<L: Lane>(ground: &Ground<L::Num>, [x, y]: [L; 2]) -> L::Int {
    let cells = ground.open_cells();
    let stride = L::Int::splat(cells.stride as i32);
    sample::own_cell(x, y, L::splat(cells.scale), stride)
}

/// The speeds of agents as shares of their speeds on plain ground. Lanes past the last agent repeat
/// it.
#[inline(never)]
pub(super) fn speed_factor<L: Lane>(
    ground: &Ground<L::Num>,
    groups: &Groups<L::Num>,
    tags: &[Tag],
    pos: [L; 2],
) -> L {
    let cells = cells(ground, pos);
    L::from_fn(|i| {
        let group = usize::from(tags[i.min(tags.len() - 1)].group);
        let class = ground.class_of(&groups.list[group]);
        ground.speed_factors.of(class.ground(&ground.map)[cells.get(i) as usize])
    })
}

/// The directions of agents that are `walking`; of agents on ground that they cannot stand on the way
/// out of it: where it is forbidden, or where they find no other way.
#[inline(never)]
pub(super) fn lead_out<L: Lane>(
    ground: &Ground<L::Num>,
    groups: &Groups<L::Num>,
    tags: &[Tag],
    pos: [L; 2],
    walking: L::Mask,
    dir: [L; 2],
) -> [L; 2] {
    let (zero, cells) = (L::zero(), cells(ground, pos));
    let lost = (dir[0].equal(zero) & dir[1].equal(zero)).bits();
    let walking = walking.bits();
    let exit = |i: usize| {
        let class = ground.class_of(&groups.list[usize::from(tags[i].group)]);
        let cell = cells.get(i) as u32;
        let closed = class.ground(&ground.map)[cell as usize] == 0 || lost >> i & 1 == 1;
        class.exit(cell).filter(|_| closed && walking >> i & 1 == 1)
    };
    let exits: [Option<u8>; 8] = Make::make(|i| if i < L::WIDTH { exit(i) } else { None });
    let leaves = L::Mask::from_fn(|i| exits[i].is_some());
    if !leaves.any() {
        return dir;
    }
    let way = |side: Option<u8>| match side {
        Some(0) => [L::Num::ONE, L::Num::ZERO],
        Some(1) => [L::Num::ZERO, L::Num::ONE],
        Some(2) => [-L::Num::ONE, L::Num::ZERO],
        _ => [L::Num::ZERO, -L::Num::ONE],
    };
    [0, 1].each(|axis| L::select(leaves, L::from_fn(|i| way(exits[i])[axis]), dir[axis]))
}

/// Slows what leads onto forbidden ground, of agents from a row on.
pub(super) fn hold_back<N: Numbers>(
    agents: &AgentRows<N>,
    settings: &Settings,
    ground: &Ground<N>,
    groups: &Groups<N>,
    first: usize,
    desired: &mut [[N; 2]],
) {
    if !ground.forbids(groups) {
        return;
    }
    par::chunks_from(first, desired.len(), CHUNK, desired, &|_, first, desired| {
        for (row, desired) in (first..).zip(desired) {
            let group = usize::from(agents.tag[row].group);
            let class = ground.class_of(&groups.list[group]);
            if *desired != [N::ZERO; 2] && class.forbids() {
                let slower = groups.own.slower(agents.tag[row].id);
                let (def, traits) = (&groups.list[group].def, &groups.traits[group]);
                let time = halting_time(settings, def, traits, slower);
                *desired = allowed(ground, class, time, agents.pos[row], *desired);
            }
        }
    });
}

/// A desired velocity, slowed towards ground forbidden to a class so that an agent comes to a halt
/// before it: along each axis to the distance left over the seconds that it needs.
fn allowed<N: Numbers>(
    ground: &Ground<N>,
    class: &Clearance,
    time: f64,
    pos: [N; 2],
    wish: [N; 2],
) -> [N; 2] {
    let (map, ground) = (&ground.map, ground.open_cells());
    let own = ground.cell(pos);
    let forbidden = |[i, j]: [i32; 2]| {
        let cell = j as usize * ground.stride + i as usize;
        class.ground(map)[cell] == 0 && map.slowness()[cell] != 0
    };
    if forbidden(own) {
        return wish;
    }
    let (size, side) = (map.cell_size(), wish.each(|c| if c < N::ZERO { -1 } else { 1 }));
    // Cells between the own one and a place as far away as matters.
    let cells = |axis: usize| {
        let far = wish[axis].to_f64().abs() * time / size + 1.0;
        far.min(f64::from(FARTHEST)) as i32
    };
    let along = |axis: usize| {
        let mut cell = own;
        (1..=cells(axis)).find(|_| {
            cell[axis] += side[axis];
            // No agent looks through walls, or over the edge.
            !ground.is_open(cell) || forbidden(cell)
        })
    };
    let mut gap = [0, 1].each(|axis| {
        let count = along(axis)?;
        let mut cell = own;
        cell[axis] += side[axis] * count;
        (ground.is_open(cell) && forbidden(cell)).then_some(count)
    });
    let across = [own[0] + side[0], own[1] + side[1]];
    if gap == [None; 2] && ground.is_open(across) && forbidden(across) {
        let [x, y] = wish.each(|c| c.larger(-c));
        gap[usize::from(y < x)] = Some(1);
    }
    [0, 1].each(|axis| {
        let Some(count) = gap[axis] else { return wish[axis] };
        let edge = f64::from(own[axis] - 1 + i32::from(side[axis] > 0));
        let edge = N::from_f64((edge + f64::from(side[axis] * (count - 1))) * size);
        let left = if side[axis] > 0 { edge - pos[axis] } else { pos[axis] - edge };
        let most = (left - N::from_f64(MARGIN)).larger(N::ZERO) * N::from_f64(1.0 / time);
        wish[axis].smaller(most).larger(-most)
    })
}

/// Seconds over which agents of a group spread the way that is left to forbidden ground: with four
/// response times they do not overshoot (critical damping), and more takes them no more than their
/// force. Agents that avoid by choice of velocity take that on at once. `slower` is the share by which
/// an agent's rate is less than its group's.
fn halting_time<N: Numbers>(
    settings: &Settings,
    def: &GroupDef,
    traits: &Traits<N>,
    slower: f64,
) -> f64 {
    let response = def.response.max(settings.dt()) / (1.0 - slower);
    let time = match def.avoidance {
        Avoidance::Orca => response,
        _ => 4.0 * response + def.speed * traits.quickest / def.acceleration,
    };
    time.min(LOOK_AHEAD)
}

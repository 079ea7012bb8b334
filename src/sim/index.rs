//! Where agents are: the nearest to a point, those in an area, the one with an id.
//!
//! For screens, selections and the rules of a game. An index is a copy of one moment: it is filled
//! from a `&World` and belongs to the caller. So asking it changes nothing, and it can be asked on
//! any thread, also while the world goes on.
//!
//! ```
//! use throng::{AgentIndex, GroupDef, Map, Order, Settings, Shape, World};
//!
//! let map = Map::from_slowness(20, 20, 1.0, &[16; 400]);
//! let mut world = World::<f32>::new(map, Settings::default())?;
//! let group = world.add_group(GroupDef::default())?;
//! let ids = world.spawn(group, &[[2.0, 2.0], [5.0, 3.0], [15.0, 9.0]])?;
//!
//! let mut index = AgentIndex::new();
//! index.load(&world); // after a tick; memory is kept from one time to the next
//!
//! // A click takes the nearest agent within 2 m, a selection box all that are in it.
//! let clicked = index.nearest([5.5, 4.0], 1, 2.0, |agent| agent.group == group);
//! assert_eq!(clicked[0].id, ids[1]);
//! let frame = Shape::Rect { min: [0.0, 0.0], max: [10.0, 10.0] };
//! let chosen = index.within(&[frame], |_| true);
//! let agents: Vec<_> = chosen.iter().map(|agent| agent.id).collect();
//! assert_eq!(agents, ids[..2]);
//! let order = Order::Assign { agents, group };
//! # let _ = order;
//! # Ok::<(), throng::world::WorldError>(())
//! ```

use std::cmp::Ordering;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::data::{GroupId, Id};
use crate::lane::{Numbers, built_here};
use crate::map::area;
use crate::map::area::{Bounds, Shape};
use crate::math::each::Each;
use crate::par::Split;
use crate::space::{Gather, Grid, Query};
use crate::world::World;

/// Height of a grid row in metres, at least and at most; in between, it holds two agents on a
/// square of that side.
const ROW: [f64; 2] = [1.0, 4.0];

/// By how much a box grows in metres, so that rounding its corners loses no agent.
const MARGIN: f64 = 1.0 / 256.0;

/// An agent as an index found it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Its id.
    pub id: Id,
    /// Its row in the columns of the world, until the next tick.
    pub row: usize,
    /// Its group; of one that thinks or has an order of its own, the group that it belongs to.
    pub group: GroupId,
    /// Bits of [`world::state`](crate::world::state).
    pub state: u8,
    /// Its centre in metres.
    pub pos: [f64; 2],
}

/// An agent without its place.
#[derive(Clone, Copy, Debug)]
struct Who {
    id: Id,
    row: u32,
    group: u16,
    state: u8,
}

/// Agents of one moment, sorted by place.
#[derive(Debug, Default)]
pub struct AgentIndex<N: Numbers> {
    grid: Grid<N>,
    /// In grid order: positions, and the agents there.
    pos: Vec<[N; 2]>,
    who: Vec<Who>,
    /// By id index: where in grid order an agent is. Means nothing for agents that are gone.
    slots: Vec<AtomicU32>,
    /// Handles of the groups, by index.
    groups: Vec<GroupId>,
    tick: u64,
    /// Width and height of the map in metres.
    size: [f64; 2],
}

impl<N: Numbers> AgentIndex<N> {
    /// An index without agents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills the index with the agents of a world, in parallel, and forgets its former ones. Costs
    /// about as much as the tick's own sort.
    pub fn load(&mut self, world: &World<N>) {
        built_here!(N; fn(index: &mut AgentIndex<N>, world: &World<N>) = AgentIndex::fill)(
            self, world,
        );
    }

    fn fill(&mut self, world: &World<N>) {
        let agents = world.len();
        let nobody = Who { id: Id { index: 0, generation: 0 }, row: 0, group: 0, state: 0 };
        self.pos.resize(agents, [N::ZERO; 2]);
        self.who.resize(agents, nobody);
        let ids = self.slots.len().max(world.agents.ids.capacity());
        self.slots.resize_with(ids, AtomicU32::default);
        self.groups.clear();
        self.groups.extend((0..world.groups().len() as u16).map(|index| world.group_id(index)));
        self.tick = world.tick_count();
        self.size = area::extent(world.map());
        let [width, height] = self.size;
        let row = (2.0 * width * height / agents.max(1) as f64).sqrt().clamp(ROW[0], ROW[1]);
        self.grid.shape(width, height, row);
        let (pos, who, slots) = (&mut self.pos[..], &mut self.who[..], &self.slots[..]);
        self.grid.sort(world.positions(), Loading { world, slots, first: 0, pos, who });
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.who.len()
    }

    /// Whether there is no agent.
    pub fn is_empty(&self) -> bool {
        self.who.is_empty()
    }

    /// How many ticks the world had done when the index was filled.
    pub fn tick_count(&self) -> u64 {
        self.tick
    }

    /// The agent with an id; `None` when it was not there. Costs the same for any number of agents.
    pub fn agent(&self, id: Id) -> Option<Agent> {
        let slot = self.slots.get(id.index as usize)?.load(Relaxed) as usize;
        self.who.get(slot).filter(|who| who.id == id)?;
        Some(self.agent_in(slot))
    }

    /// The `most` agents nearest to a point, of those whose centres are at most `reach` metres away
    /// (`f64::INFINITY`: any distance) and that `keep` takes; sorted by distance, then by id. Fewer
    /// when there are not as many, none when a coordinate is not finite or the reach is negative or
    /// NaN. The point may be off the map.
    ///
    /// The search goes outwards and doubles its radius until it has found enough. So its cost grows
    /// with `most`; where `keep` takes few, with all agents nearer than the last of them. `keep`
    /// may be asked about one agent several times.
    pub fn nearest(
        &self,
        at: [f64; 2],
        most: usize,
        reach: f64,
        keep: impl Fn(&Agent) -> bool,
    ) -> Vec<Agent> {
        let mut found: Vec<(f64, Id, usize)> = Vec::new();
        let valid = at.iter().all(|c| c.is_finite()) && reach >= 0.0;
        if !valid || most == 0 {
            return Vec::new();
        }
        // From off the map the search begins at its edge.
        let away = [0, 1].each(|i| (at[i] - at[i].clamp(0.0, self.size[i])).abs());
        let mut radius = if most < self.len() { ROW[0] + away[0] + away[1] } else { reach };
        loop {
            radius = radius.min(reach);
            let (min, max) = (at.each(|c| c - radius), at.each(|c| c + radius));
            let all = radius >= reach || (0..2).all(|i| min[i] <= 0.0 && self.size[i] <= max[i]);
            let limit = if all { reach * reach } else { radius * radius };
            found.clear();
            self.each_near(Bounds { min, max }, |slot, pos| {
                let (dx, dy) = (pos[0] - at[0], pos[1] - at[1]);
                let square = dx * dx + dy * dy;
                if square <= limit && keep(&self.agent_in(slot)) {
                    found.push((square, self.who[slot].id, slot));
                }
            });
            if all || found.len() >= most {
                break;
            }
            radius *= 2.0;
        }
        let order = |a: &(f64, Id, usize), b: &(f64, Id, usize)| -> Ordering {
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        };
        if found.len() > most {
            found.select_nth_unstable_by(most, order);
            found.truncate(most);
        }
        found.sort_unstable_by(order);
        found.iter().map(|&(_, _, slot)| self.agent_in(slot)).collect()
    }

    /// The agents whose centres lie in an area ([`Shape::contains`]) and that `keep` takes, each
    /// once, sorted by id. A shape that fails [`Shape::validate`], such as a rectangle with its
    /// corners swapped, may hold no agent.
    ///
    /// Costs some nanoseconds for every agent in the shapes' bounding boxes.
    pub fn within(&self, area: &[Shape], keep: impl Fn(&Agent) -> bool) -> Vec<Agent> {
        let mut found = Vec::new();
        self.each_within(area, |slot| {
            let agent = self.agent_in(slot);
            if keep(&agent) {
                found.push(agent);
            }
        });
        found.par_sort_unstable_by_key(|agent| agent.id);
        found
    }

    /// How many agents of each group have their centres in an area, by group. In the whole world it
    /// is [`Group::members`](crate::world::Group::members); agents of groups that think are counted
    /// there by variant.
    pub fn counts(&self, area: &[Shape]) -> Vec<u32> {
        let mut counts = vec![0; self.groups.len()];
        self.each_within(area, |slot| counts[usize::from(self.who[slot].group)] += 1);
        counts
    }

    fn agent_in(&self, slot: usize) -> Agent {
        let Who { id, row, group, state } = self.who[slot];
        let group = self.groups[usize::from(group)];
        Agent { id, row: row as usize, group, state, pos: self.pos[slot].each(N::to_f64) }
    }

    /// Calls `visit` with the slot of every agent in an area, once.
    fn each_within(&self, area: &[Shape], mut visit: impl FnMut(usize)) {
        for (before, shape) in area.iter().enumerate() {
            self.each_near(shape.bounds(), |slot, [x, y]| {
                let seen = || area[..before].iter().any(|shape| shape.contains(x, y));
                if shape.contains(x, y) && !seen() {
                    visit(slot);
                }
            });
        }
    }

    /// Calls `visit` with the slot of every agent in a box, and maybe of some beside it.
    fn each_near(&self, Bounds { min, max }: Bounds, mut visit: impl FnMut(usize, [f64; 2])) {
        let ordered = (0..2).all(|i| min[i] <= max[i]);
        if self.is_empty() || !ordered {
            return;
        }
        let corner = |at: [f64; 2], margin: f64| {
            [0, 1].each(|i| N::from_f64(at[i].clamp(0.0, self.size[i]) + margin))
        };
        let query = Query { min: corner(min, -MARGIN), max: corner(max, MARGIN) };
        self.grid.visit(query, |slots, _| {
            for (slot, pos) in slots.clone().zip(&self.pos[slots]) {
                visit(slot, pos.each(N::to_f64));
            }
        });
    }
}

/// The columns of an index while it is filled. `first` is where its part begins.
struct Loading<'a, N: Numbers> {
    world: &'a World<N>,
    slots: &'a [AtomicU32],
    first: u32,
    pos: &'a mut [[N; 2]],
    who: &'a mut [Who],
}

impl<N: Numbers> Split for Loading<'_, N> {
    fn split(self, rows: usize, _: usize) -> (Self, Self) {
        let Self { world, slots, first, pos, who } = self;
        let (pos, right_pos) = pos.split_at_mut(rows);
        let (who, right_who) = who.split_at_mut(rows);
        let right = first + rows as u32;
        (
            Self { world, slots, first, pos, who },
            Self { world, slots, first: right, pos: right_pos, who: right_who },
        )
    }
}

impl<N: Numbers> Gather for Loading<'_, N> {
    #[inline(always)]
    fn gather(&mut self, to: usize, from: usize) {
        let tag = self.world.tags()[from];
        let id = self.world.id(from);
        self.pos[to] = self.world.positions()[from];
        let group = self.world.base_group(tag.group);
        self.who[to] = Who { id, row: from as u32, group, state: tag.state };
        // Every agent has its own slot, so no two tasks write one.
        self.slots[tag.id as usize].store(self.first + to as u32, Relaxed);
    }
}

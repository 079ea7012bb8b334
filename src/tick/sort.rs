//! Sort: agents into grid order.

use crate::data::renew;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::par::Split;
use crate::space::Gather;
use crate::tick::{Scratch, near};
use crate::world::{AgentRows, Ground, Groups, Settings, Tag};

/// The columns that the sort moves.
pub(super) struct Moving<'a, N> {
    pub(super) old_pos: &'a [[N; 2]],
    pub(super) old_vel: &'a [[N; 2]],
    pub(super) old_tag: &'a [Tag],
    pub(super) pos: &'a mut [[N; 2]],
    pub(super) vel: &'a mut [[N; 2]],
    pub(super) tag: &'a mut [Tag],
}

impl<N: Numbers> Split for Moving<'_, N> {
    fn split(self, rows: usize, _: usize) -> (Self, Self) {
        let (old_pos, old_vel, old_tag) = (self.old_pos, self.old_vel, self.old_tag);
        let (pos, right_pos) = self.pos.split_at_mut(rows);
        let (vel, right_vel) = self.vel.split_at_mut(rows);
        let (tag, right_tag) = self.tag.split_at_mut(rows);
        (
            Self { old_pos, old_vel, old_tag, pos, vel, tag },
            Self { old_pos, old_vel, old_tag, pos: right_pos, vel: right_vel, tag: right_tag },
        )
    }
}

impl<N: Numbers> Gather for Moving<'_, N> {
    #[inline(always)]
    fn gather(&mut self, to: usize, from: usize) {
        self.pos[to] = self.old_pos[from];
        self.vel[to] = self.old_vel[from];
        self.tag[to] = self.old_tag[from];
    }
}

/// Height of a grid row, in ranges at which agents matter to each other: a block of a usual crowd is then
/// about as wide as it is high, so that few agents around it are not near it.
const ROW: f64 = 1.5;

/// Makes room for all agents in the memory of a tick, and sets the shape of the grid.
pub(super) fn fit<N: Numbers>(
    rows: usize,
    settings: &Settings,
    ground: &Ground<N>,
    groups: &Groups<N>,
    scratch: &mut Scratch<N>,
) {
    if scratch.spare.pos.len() != rows && !scratch.share.is_apart() {
        scratch.bodies.bodies.reserve(rows);
        scratch.bodies.spans.reserve(rows);
        scratch.bodies.discs.reserve(rows);
        scratch.bodies.layers.reserve(rows);
    }
    let Scratch { spare: AgentRows { pos, vel, tag }, push, desired, chosen, preferred, .. } =
        scratch;
    for column in [pos, vel, push, desired, chosen, preferred] {
        column.renew(rows);
    }
    tag.renew(rows);
    renew(&mut scratch.near_count, rows);
    let range = ROW * near::range(settings, groups);
    let map = &ground.map;
    let [width, height] = [map.width(), map.height()].each(|n| f64::from(n) * map.cell_size());
    scratch.grid.shape(width, height, range);
    scratch.grid.set_band(scratch.share.band(rows));
}

pub(super) fn run<N: Numbers>(
    agents: &mut AgentRows<N>,
    settings: &Settings,
    ground: &Ground<N>,
    groups: &Groups<N>,
    scratch: &mut Scratch<N>,
) {
    fit(agents.pos.len(), settings, ground, groups, scratch);
    let (old, new) = (&*agents, &mut scratch.spare);
    let moving = Moving {
        old_pos: &old.pos,
        old_vel: &old.vel,
        old_tag: &old.tag,
        pos: &mut new.pos,
        vel: &mut new.vel,
        tag: &mut new.tag,
    };
    scratch.grid.sort(&old.pos, moving);
    std::mem::swap(agents, &mut scratch.spare);
    clear_padding(agents);
}

/// A kernel's last block reads padding; old rows there could name groups that are no more.
pub(super) fn clear_padding<N: Numbers>(agents: &mut AgentRows<N>) {
    agents.pos.clear_padding();
    agents.vel.clear_padding();
    agents.tag.clear_padding();
}

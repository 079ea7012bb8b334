//! Structures as targets: which one an agent strikes at, the point aimed at, and the line of sight to it.

use crate::kernel::heightfield::STEPS;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::nav::field::SOLID;
use crate::nav::navigator::{Ground, nearest_open};
use crate::tick::aim::plan::{Plan, body, muzzle};
use crate::tick::aim::roles::Shooter;
use crate::world::structure::{middle, square_to};
use crate::world::{Aimed, Guidance, World, state};

impl<N: Numbers> Plan<'_, N> {
    /// Whether the agent in a row goes on aiming at a cell of a structure.
    pub(super) fn may_strike(&self, shooter: &Shooter<N>, row: usize, aim: Aimed) -> bool {
        let world = self.world;
        let Some((structure, cell)) = aim.wall() else { return false };
        if world.structures.at(cell) != Some(structure.index()) || !shooter.breaches {
            return false;
        }
        let pos = world.agents.rows.pos[row].each(N::to_f64);
        let square = square_to(&world.ground.map, cell, pos);
        shooter.near <= square && square <= shooter.far
    }

    /// The structure that the agent in a row strikes at without a foe in range, and the cell of it: the
    /// nearest cell in range, of equals the first, of the structure that its group attacks, or, where no way
    /// leads to its goal, of any structure that its shots harm.
    pub(super) fn wall_to_strike(&self, shooter: &Shooter<N>, row: usize) -> Option<(u16, u32)> {
        let world = self.world;
        let tag = world.agents.rows.tag[row];
        let attacked = world.structures.attacked_by(tag.group).map(|structure| structure.index());
        if attacked.is_none() && !is_cut_off(world, row) {
            return None;
        }
        let traits = &world.groups.traits[usize::from(tag.group)];
        let weapon = &world.combat.weapons[usize::from(traits.weapon)];
        let pos = world.agents.rows.pos[row].each(N::to_f64);
        let mut best: Option<(f64, u32, u16)> = None;
        let (map, range) = (&world.ground.map, weapon.ballistics.range.to_f64());
        world.structures.each_near(map, pos, range, |index, cell, square| {
            let is_nearer = best.is_none_or(|(least, ..)| square < least);
            let is_wanted = match attacked {
                Some(attacked) => attacked == index,
                None => {
                    let def = &world.structures.list[usize::from(index)].def;
                    def.is_harmed(&weapon.def, traits)
                }
            };
            if is_nearer && shooter.near <= square && is_wanted {
                best = Some((square, cell, index));
            }
        });
        let (_, cell, index) = best?;
        let is_seen = !shooter.sight || sees(world, row, cell);
        is_seen.then_some((index, cell))
    }

    /// The position of what an agent aims at, in metres, and its velocity in m/s.
    pub(super) fn aimed_at(&self, aim: Aimed) -> ([N; 3], [N; 2]) {
        match aim.wall() {
            Some((_, cell)) => (heart(self.world, cell), [N::ZERO; 2]),
            None => {
                let row = self.row_of(aim);
                (body(self.world, row), self.world.agents.rows.vel[row])
            }
        }
    }

    /// Whether the agent in a row sees what it aims at.
    pub(super) fn sees_target(&self, row: usize, aim: Aimed) -> bool {
        match aim.wall() {
            Some((_, cell)) => sees(self.world, row, cell),
            None => self.sees(row, self.row_of(aim)),
        }
    }
}

/// The middle of a wall: half as high as it stands.
fn heart<N: Numbers>(world: &World<N>, cell: u32) -> [N; 3] {
    let (map, field) = (&world.ground.map, world.ground.map.heightfield());
    let [x, y] = middle(map, cell);
    let heights = f64::from(field.ground(cell as usize)) + f64::from(field.top(cell as usize));
    [x, y, heights / (2.0 * f64::from(STEPS))].each(N::from_f64)
}

/// Whether the first that a straight line from the muzzle of the agent in a row to the middle of a wall
/// meets is the structure that the wall is of.
fn sees<N: Numbers>(world: &World<N>, row: usize, cell: u32) -> bool {
    let contact = world.ground.solid().first_contact(muzzle(world, row), heart(world, cell));
    let met = contact.and_then(|contact| world.structures.at(contact.cell));
    met.is_some() && met == world.structures.at(cell)
}

/// Whether no way leads from where an agent stands to the goal of its group, as the group's flow field
/// has it.
fn is_cut_off<N: Numbers>(world: &World<N>, row: usize) -> bool {
    let tag = world.agents.rows.tag[row];
    let group = &world.groups.list[usize::from(tag.group)];
    let is_led = world.groups.traits[usize::from(tag.group)].guidance == Guidance::Field
        && tag.state & (state::SETTLED | state::ARRIVED | state::PLACED) == 0;
    let codes = group.field.filter(|_| is_led);
    let Some(codes) = codes.and_then(|field| world.routes.fields.directions(field)) else {
        return false;
    };
    // Close to a wall an agent may be in a cell in which it cannot stand.
    let class = world.ground.class_of(group);
    let cell = class.way_out(world.ground.cell_of(world.agents.rows.pos[row]));
    let cell = nearest_open(&Ground::new(class), cell).unwrap_or(cell);
    codes[cell as usize] == SOLID
}

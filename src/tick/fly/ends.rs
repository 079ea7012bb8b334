//! Ends: what projectiles do where they end, and their removal.

use crate::kernel::heightfield::STEPS;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::space::{Grid, Query};
use crate::tick::fly::{bodies, mark};
use crate::world::{Shot, Struck, World};

/// Does the damage of projectiles that have ended, in the order of their rows, and takes them away,
/// from the last row to the first: each time the last row moves into the gap.
pub(super) fn run<N: Numbers>(world: &mut World<N>, grid: &Grid<N>, moves: &[N], marks: &[u32]) {
    let moved = bodies::largest(moves);
    for (row, &fares) in marks.iter().enumerate() {
        if fares == mark::FLIES {
            continue;
        }
        let (at, shot) = (world.combat.projectiles.pos[row], world.combat.projectiles.shot[row]);
        let (mut direct, mut structure) = (None, None);
        let struck = match fares {
            mark::GROUND => Struck::Ground,
            mark::WALL => Struck::Wall,
            mark::NOTHING => Struck::Nothing,
            wall if wall & mark::STRUCTURE != 0 => {
                structure = Some(wall as u16);
                Struck::Wall
            }
            agent => {
                direct = Some(agent as usize);
                Struck::Agent(world.id(agent as usize))
            }
        };
        world.ends(at, struck, shot);
        let damage = world.combat.weapons[usize::from(shot.weapon)].ballistics.damage;
        if let Some(agent) = direct {
            world.hurt(agent, Some(shot), damage);
        }
        if let Some(structure) = structure {
            batter(world, structure, damage.to_f64(), shot);
        }
        if struck != Struck::Nothing {
            let burst = Burst { at, shot, direct, structure };
            shake(world, &burst);
            splash(world, grid, moved, burst);
        }
    }
    for (row, &fares) in marks.iter().enumerate().rev() {
        if fares != mark::FLIES {
            world.combat.projectiles.swap_remove(row);
        }
    }
}

/// A projectile that has struck something.
struct Burst<N> {
    at: [N; 3],
    shot: Shot,
    /// Row of the agent that was struck, which splash spares.
    direct: Option<usize>,
    /// Index of the structure that was struck, which splash spares.
    structure: Option<u16>,
}

/// A structure loses hit points to a shot that harms it.
fn batter<N: Numbers>(world: &mut World<N>, index: u16, damage: f64, shot: Shot) {
    let World { groups, combat, structures, .. } = world;
    let def = &structures.list[usize::from(index)].def;
    if combat.weapons[usize::from(shot.weapon)].harms(groups, shot, def) {
        structures.batter(index, damage, shot);
    }
}

/// Takes hit points off every structure near, once: the damage falls linearly with the distance to the
/// nearest point of its walls, from the ground to their top, and is nothing at the splash radius.
fn shake<N: Numbers>(world: &mut World<N>, burst: &Burst<N>) {
    let ballistics = &world.combat.weapons[usize::from(burst.shot.weapon)].ballistics;
    let (radius, damage) = (ballistics.splash.to_f64(), ballistics.damage.to_f64());
    if radius <= 0.0 || world.structures.is_empty() {
        return;
    }
    let [x, y, z] = burst.at.each(N::to_f64);
    let mut near = std::mem::take(&mut world.structures.near);
    near.clear();
    let (structures, map) = (&world.structures, &world.ground.map);
    let field = map.heightfield();
    structures.each_near(map, [x, y], radius, |index, cell, flat| {
        let metres = |height: i16| f64::from(height) / f64::from(STEPS);
        let (foot, top) = (metres(field.ground(cell as usize)), metres(field.top(cell as usize)));
        let up = z - z.clamp(foot, top);
        let square = flat + up * up;
        match near.iter_mut().find(|(known, _)| *known == index) {
            Some((_, least)) => *least = least.min(square),
            None => near.push((index, square)),
        }
    });
    for &(index, square) in near.iter().filter(|(index, _)| burst.structure != Some(*index)) {
        let share = 1.0 - square.sqrt() / radius;
        batter(world, index, damage * share, burst.shot);
    }
    world.structures.near = near;
}

/// Hurts agents near that the weapon hits, through walls too: the damage falls linearly with the
/// distance to the nearest point of an agent's axis, and is nothing at the splash radius.
fn splash<N: Numbers>(world: &mut World<N>, grid: &Grid<N>, moved: f64, burst: Burst<N>) {
    let Burst { at, shot, direct, .. } = burst;
    let weapon = usize::from(shot.weapon);
    let ballistics = &world.combat.weapons[weapon].ballistics;
    let (radius, damage) = (ballistics.splash.to_f64(), ballistics.damage.to_f64());
    if radius <= 0.0 || world.is_empty() {
        return;
    }
    let [x, y, z] = at.each(N::to_f64);
    let reach = radius + moved;
    let corner = |sign: f64| [x, y].each(|v| N::from_f64(v + sign * reach));
    grid.visit(Query { min: corner(-1.0), max: corner(1.0) }, |agents, _| {
        for row in agents {
            let place = world.agents.rows.pos[row];
            let [dx, dy] = [place[0].to_f64() - x, place[1].to_f64() - y];
            let flat = dx * dx + dy * dy;
            if flat >= radius * radius || direct == Some(row) {
                continue;
            }
            let tag = world.agents.rows.tag[row];
            if !world.combat.weapons[weapon].hits(&world.groups, shot, tag) {
                continue;
            }
            let foot: N = world.ground.map.height_at(place);
            let tall = world.groups.traits[usize::from(tag.group)].height.to_f64();
            let up = z - foot.to_f64();
            let up = up - up.clamp(0.0, tall);
            let distance = (flat + up * up).sqrt();
            if distance < radius {
                world.hurt(row, Some(shot), N::from_f64(damage * (1.0 - distance / radius)));
            }
        }
    });
}

//! Ends: what projectiles do where they end, and their removal.

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::space::{Grid, Query};
use crate::tick::fly::{bodies, mark};
use crate::world::{Shot, Struck, World};

/// Does the damage of those that have ended, in the order of their rows, and takes them away, from
/// the last row to the first: each time the last row moves into the gap.
pub(super) fn run<N: Numbers>(world: &mut World<N>, grid: &Grid<N>, moves: &[N], marks: &[u32]) {
    let moved = bodies::largest(moves);
    for (row, &fares) in marks.iter().enumerate() {
        if fares == mark::FLIES {
            continue;
        }
        let (at, shot) = (world.combat.projectiles.pos[row], world.combat.projectiles.shot[row]);
        let direct = match fares {
            mark::GROUND | mark::WALL | mark::NOTHING => None,
            agent => Some(agent as usize),
        };
        let struck = match (fares, direct) {
            (_, Some(agent)) => Struck::Agent(world.id(agent)),
            (mark::GROUND, _) => Struck::Ground,
            (mark::WALL, _) => Struck::Wall,
            _ => Struck::Nothing,
        };
        world.ends(at, struck, shot);
        if let Some(agent) = direct {
            let damage = world.combat.weapons[usize::from(shot.weapon)].ballistics.damage;
            world.hurt(agent, Some(shot), damage);
        }
        if struck != Struck::Nothing {
            splash(world, grid, moved, Burst { at, shot, direct });
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
}

/// Hurts everybody near, through walls too: the damage falls linearly with the distance to the
/// nearest point of an agent's axis, and is nothing at the splash radius.
fn splash<N: Numbers>(world: &mut World<N>, grid: &Grid<N>, moved: f64, burst: Burst<N>) {
    let Burst { at, shot, direct } = burst;
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

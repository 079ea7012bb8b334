//! Motion: forces become velocities, velocities become positions, and walls hold.

use crate::kernel::motion;
use crate::kernel::wall;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::tick::cast::all_share;
use crate::tick::footing;
use crate::tick::walls::Walls;
use crate::world::Avoidance;
use crate::world::LOOK_AHEAD;
use crate::world::Traits;
use crate::world::World;

/// Agents who mean to stand, slower than this along both axes (m/s), rest at once: as friction does,
/// it keeps a crowd that stands from creeping for ever.
pub(super) const CRAWL: f64 = 0.1;

/// What the whole stage reads.
struct Plan<'a, N: Numbers> {
    world: &'a World<N>,
    walls: Walls<'a, N>,
    dt: N,
    rate: N,
    look_ahead: N,
    /// Whether all groups share the traits that this stage reads.
    alike: bool,
}

pub(super) fn run<L: Lane>(world: &mut World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    if world.is_empty() {
        return;
    }
    footing::hold_back(world, scratch);
    let rows = world.len().next_multiple_of(L::WIDTH);
    let mut pos = std::mem::take(&mut world.agents.pos);
    let mut vel = std::mem::take(&mut world.agents.vel);
    let plan = plan(world);
    let Scratch { push, desired, .. } = &*scratch;
    let columns = (&mut pos.padded_mut()[..rows], &mut vel.padded_mut()[..rows]);
    par::chunks(rows, CHUNK, columns, &|_, first, (pos, vel)| {
        for at in (0..pos.len()).step_by(L::WIDTH) {
            let row = first + at;
            let forces = Forces::<L> {
                desired: L::load_pairs(&desired.padded()[row..]).into(),
                push: L::load_pairs(&push.padded()[row..]).into(),
            };
            block(&plan, row, forces, &mut pos[at..at + L::WIDTH], &mut vel[at..at + L::WIDTH]);
        }
    });
    world.agents.pos = pos;
    world.agents.vel = vel;
}

fn plan<N: Numbers>(world: &World<N>) -> Plan<'_, N> {
    let n = N::from_f64;
    let separates = |t: &Traits<N>| t.avoidance == Avoidance::Separation && !t.hold;
    let groups = world.groups.iter().zip(&world.traits).filter(|(group, _)| group.members > 0);
    let all_separate = groups.map(|(_, traits)| traits).all(separates);
    Plan {
        world,
        walls: Walls::new(world),
        dt: n(world.dt()),
        rate: n(f64::from(world.settings.tick_rate)),
        look_ahead: n(LOOK_AHEAD),
        alike: all_separate
            && all_share(world, |t| {
                let Traits { top_speed, force, response, push, .. } = *t;
                let Traits { margin, clearance, wary, .. } = *t;
                [top_speed, force, response, push, margin, clearance, wary]
            }),
    }
}

/// What moves a block.
struct Forces<L> {
    desired: [L; 2],
    push: [L; 2],
}

/// Moves a block.
#[inline(always)]
fn block<L: Lane>(
    plan: &Plan<'_, L::Num>,
    row: usize,
    forces: Forces<L>,
    pos_rows: &mut [[L::Num; 2]],
    vel_rows: &mut [[L::Num; 2]],
) where
    L::Num: Numbers,
{
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let agents = &plan.world.agents;
    let tags = &agents.tag.padded()[row..row + L::WIDTH];
    let cast = Cast::shared(tags, &plan.world.traits, plan.alike);
    let pos: [L; 2] = L::load_pairs(pos_rows).into();
    let vel: [L; 2] = L::load_pairs(vel_rows).into();
    let (force, speed) = (cast.lanes::<L>(|t| t.force), cast.lanes::<L>(|t| t.top_speed));
    let zero = L::zero();
    let stands = forces.desired[0].equal(zero) & forces.desired[1].equal(zero);
    let mut push = turn_right(forces.push, stands).map(|p| p * cast.lanes::<L>(|t| t.push));
    let wary = plan.walls.near(&cast, pos);
    let any_wary = wary.any();
    if any_wary {
        let ahead = [0, 1].map(|i| pos[i] + vel[i] * L::splat(plan.look_ahead));
        let lean = L::Mask::from_fn(|i| tags[i].id.wrapping_mul(0x9e37_79b1) >> 31 == 1);
        let wall = plan.walls.at(ahead);
        let [away, along] = wall::forces(&wall, cast.lanes(|t| t.margin), vel, lean);
        let walled = [0, 1].map(|i| push[i] + (away[i] + away[i] + along[i]) * force);
        push = [0, 1].map(|i| L::select(wary, walled[i], push[i]));
    }
    let response = cast.lanes::<L>(|t| t.response);
    let dt = L::splat(plan.dt);
    let next = motion::accelerate(vel, forces.desired, push, response, force, speed, dt);
    let crawl = n(CRAWL);
    let rests = stands & next[0].abs().lt(crawl) & next[1].abs().lt(crawl);
    let next = next.map(|v| L::select(rests, L::zero(), v));
    // What avoidance has chosen is taken as it is.
    let held = cast.holds::<L>();
    let next = next.map(|v| L::select(held, zero, v));
    let chosen = cast.mask::<L>(|t| t.avoidance == Avoidance::Orca) & !held;
    let next = [0, 1].map(|i| L::select(chosen, forces.desired[i], next[i]));
    let mut to = [0, 1].map(|i| pos[i] + next[i] * dt);
    let mut walked = next;
    if any_wary {
        to = plan.walls.hold(wary, pos, to, cast.lanes(|t| t.clearance));
        let moved = [0, 1].map(|i| (to[i] - pos[i]) * L::splat(plan.rate));
        let moved = motion::limit(moved, speed);
        walked = [0, 1].map(|i| L::select(wary, moved[i], next[i]));
    }
    L::store_pairs(to[0], to[1], pos_rows);
    L::store_pairs(walked[0], walked[1], vel_rows);
}

/// Turns the push on walkers a little to their right, so that those who meet head-on pass.
#[inline(always)]
fn turn_right<L: Lane>([x, y]: [L; 2], stands: L::Mask) -> [L; 2] {
    let quarter = L::splat(L::Num::from_f64(0.25));
    [
        L::select(stands, x, x + y.mul_coarse(quarter)),
        L::select(stands, y, y - x.mul_coarse(quarter)),
    ]
}

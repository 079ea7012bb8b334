//! Marks: what others see of every agent when they decide how near to come: its heading, how thin it
//! makes itself, its radius. And for how long it has been blocked under way.

use crate::kernel::approach::Mark;
use crate::kernel::approach::polar;
use crate::lane::BLOCK;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::world::Aim;
use crate::world::Avoidance;
use crate::world::Tag;
use crate::world::Traits;
use crate::world::World;
use crate::world::state;

/// Seconds of being blocked after which an agent begins to make itself thin towards those who come
/// the other way, and after which it is as thin as it gets.
const PATIENT: f64 = 2.0;
/// See [`PATIENT`].
const THIN: f64 = 4.0;
/// By how much later those do who choose their velocity by ORCA: they often wait for others.
const AVOIDING: f64 = 4.0;
/// Share of the radii that two who come the other way keep at least: their centres stay farther
/// apart than a radius, and an agent of the same size fits between two that touch.
const THINNEST: f64 = 0.6;
/// Share of its speed below which an agent is blocked.
const BLOCKED: f64 = 0.25;

pub(super) fn run<L: Lane>(world: &mut World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    if world.is_empty() {
        return;
    }
    let rows = world.len().next_multiple_of(L::WIDTH);
    scratch.marks.resize(world.len() + 2 * BLOCK, Mark::default());
    let thinness = thinness::<L::Num>(world.settings.tick_rate);
    let wait = (AVOIDING * f64::from(world.settings.tick_rate)).min(120.0) as u8;
    let mut tags = std::mem::take(&mut world.agents.tag);
    let world_now = &*world;
    let Scratch { desired, marks, .. } = scratch;
    let columns = (&mut tags.padded_mut()[..rows], &mut marks[..rows]);
    par::chunks(rows, CHUNK, columns, &|_, first, (tags, marks)| {
        for at in (0..tags.len()).step_by(L::WIDTH) {
            let row = first + at;
            let desired: [L; 2] = L::load_pairs(&desired.padded()[row..]).into();
            let vel: [L; 2] = L::load_pairs(&world_now.agents.vel.padded()[row..]).into();
            let (speed, heading, _) = polar(desired);
            let along = vel[0] * heading[0] + vel[1] * heading[1];
            let blocked = along.lt(speed * L::splat(L::Num::from_f64(BLOCKED)));
            let tags = &mut tags[at..at + L::WIDTH];
            let rows = world_now.agents.pos.len().saturating_sub(row).min(L::WIDTH);
            count_blocked(world_now, &mut tags[..rows], blocked.bits());
            let cast = Cast::new(tags, &world_now.traits);
            let radius = cast.lanes::<L>(|t| t.radius);
            for (i, mark) in marks[at..at + L::WIDTH].iter_mut().enumerate() {
                let later = if cast.traits(i).avoidance == Avoidance::Orca { wait } else { 0 };
                let soft = match walks(world_now, tags[i]) {
                    true => thinness[usize::from(tags[i].patience.saturating_sub(later))],
                    false => L::Num::ONE,
                };
                *mark = [heading[0], heading[1], L::splat(soft), radius, vel[0], vel[1]]
                    .map(|l| l.get(i));
            }
        }
    });
    world.agents.tag = tags;
}

/// How thin agents are by the ticks for which they have been blocked.
fn thinness<N: Numbers>(rate: u32) -> [N; 256] {
    let from = (PATIENT * f64::from(rate)).min(85.0);
    let to = (THIN * f64::from(rate)).min(255.0);
    std::array::from_fn(|ticks| {
        let share = ((ticks as f64 - from) / (to - from)).clamp(0.0, 1.0);
        N::from_f64(1.0 - (1.0 - THINNEST) * share)
    })
}

/// Whether the agents of a group may be under way to its goal, and keep clear of others.
#[inline(always)]
pub(super) fn goes_somewhere<N>(traits: &Traits<N>) -> bool {
    traits.avoidance != Avoidance::None
        && !matches!(traits.aim, Aim::Stand | Aim::Own | Aim::Formation)
}

/// Whether an agent walks to its group's goal, or to its place in it.
#[inline(always)]
pub(super) fn walks<N: Numbers>(world: &World<N>, tag: Tag) -> bool {
    let rests = state::SETTLED | state::FORMED;
    tag.state & rests == 0 && goes_somewhere(&world.traits[usize::from(tag.group)])
}

/// Whether an agent is under way to its group's goal. Its patience counts ticks of being blocked.
#[inline(always)]
pub(super) fn is_under_way<N: Numbers>(world: &World<N>, tag: Tag) -> bool {
    let there = state::ARRIVED | state::SETTLED | state::PLACED | state::FORMED;
    tag.state & there == 0 && goes_somewhere(&world.traits[usize::from(tag.group)])
}

/// Whether an agent has been blocked for so long that it presses on: it no longer waits until it can
/// avoid everybody, and makes itself thin.
#[inline(always)]
pub(super) fn presses<N: Numbers>(world: &World<N>, tag: Tag) -> bool {
    let patient = ((AVOIDING + THIN) * f64::from(world.settings.tick_rate)).min(250.0);
    f64::from(tag.patience) > patient && walks(world, tag)
}

/// Counts for how many ticks those under way have been blocked; twice as fast back as they get on.
#[inline(always)]
fn count_blocked<N: Numbers>(world: &World<N>, tags: &mut [Tag], blocked: u32) {
    for (i, tag) in tags.iter_mut().enumerate() {
        let blocked = blocked >> i & 1 == 1;
        if !(blocked || tag.patience > 0) || !is_under_way(world, *tag) || world.halts(*tag) {
            continue;
        }
        tag.patience = match blocked {
            true => tag.patience.saturating_add(1),
            false => tag.patience.saturating_sub(2),
        };
    }
}

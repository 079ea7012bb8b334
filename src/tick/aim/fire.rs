//! Shots: where they start, and how fast, 8 at a time.

use crate::kernel::intercept;
use crate::kernel::intercept::{Arc, Effort, Method, Outcome, Shot};
use crate::lane::{BLOCK, Compare, IntLane, Lane, Real};
use crate::math::each::{Each, Make};
use crate::math::{Num, hash2, hash3};
use crate::tick::CHUNK;
use crate::tick::aim::plan::{FIRES, Plan, SHOOTS, drop_target, muzzle};
use crate::world::{Aimed, Power, ShotArc, Weapon};

/// Stream of the random numbers of spread.
const SPREAD: u64 = 0x5b07_5eed;

/// Nearer than this, in metres, a target is where the muzzle is.
const AT_HAND: f64 = 1.0 / 1024.0;

/// Where a projectile starts, in metres, and its velocity in m/s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Muzzle<N> {
    pub(super) pos: [N; 3],
    pub(super) vel: [N; 3],
}

/// How a weapon is pointed.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// Straight at the target: the projectile finds it.
    Straight,
    /// By the answer to an intercept.
    Solved(Method),
}

impl Way {
    const ALL: [Self; 5] = [
        Self::Straight,
        Self::Solved(Method::Constant),
        Self::Solved(Method::Moving(Arc::Low)),
        Self::Solved(Method::Moving(Arc::High)),
        Self::Solved(Method::Least),
    ];

    fn of<N>(weapon: &Weapon<N>) -> Self {
        let def = &weapon.def;
        match (def.power, def.arc) {
            _ if def.turn_rate > 0.0 => Self::Straight,
            (Power::Least, _) => Self::Solved(Method::Least),
            _ if def.gravity == 0.0 => Self::Solved(Method::Constant),
            (Power::Full, ShotArc::Low) => Self::Solved(Method::Moving(Arc::Low)),
            (Power::Full, ShotArc::High) => Self::Solved(Method::Moving(Arc::High)),
        }
    }
}

/// Finds the shots of a chunk's agents that are to fire; an agent that finds none drops its target.
pub(super) fn fire<L: Lane>(
    plan: &Plan<'_, L::Num>,
    first: usize,
    aims: &mut [Aimed],
    flags: &mut [u8],
    muzzles: &mut [Muzzle<L::Num>],
) {
    let world = plan.world;
    let weapon = |i: usize| {
        let group = usize::from(world.agents.rows.tag[first + i].group);
        &world.combat.weapons[usize::from(world.groups.traits[group].weapon)]
    };
    let (mut all, mut count) = ([0_u16; CHUNK], 0);
    for i in 0..flags.len() {
        if flags[i] & FIRES == 0 {
            continue;
        }
        if weapon(i).def.sight && !plan.sees_target(first + i, aims[i]) {
            flags[i] |= drop_target(&mut aims[i]);
        } else {
            all[count] = i as u16;
            count += 1;
        }
    }
    let mut fire_block = |way: Way, block: &[u16]| {
        let shots = shots::<L>(plan, first, way, block, aims);
        for (lane, &i) in block.iter().enumerate() {
            let i = usize::from(i);
            match shots[lane] {
                Some(shot) => {
                    muzzles[i] = shot;
                    flags[i] |= SHOOTS;
                }
                None => flags[i] |= drop_target(&mut aims[i]),
            }
        }
    };
    for way in Way::ALL {
        let (mut block, mut filled) = ([0_u16; BLOCK], 0);
        for &i in all[..count].iter().filter(|&&i| Way::of(weapon(usize::from(i))) == way) {
            block[filled] = i;
            filled += 1;
            if filled == L::WIDTH {
                fire_block(way, &block[..filled]);
                filled = 0;
            }
        }
        if filled > 0 {
            fire_block(way, &block[..filled]);
        }
    }
}

/// The shots of agents of a chunk, at most as many as there are lanes.
fn shots<L: Lane>(
    plan: &Plan<'_, L::Num>,
    first: usize,
    way: Way,
    block: &[u16],
    aims: &[Aimed],
) -> [Option<Muzzle<L::Num>>; BLOCK] {
    let world = plan.world;
    // Lanes past the last agent repeat it.
    let index = |lane: usize| usize::from(block[lane.min(block.len() - 1)]);
    let row = |lane: usize| first + index(lane);
    let weapon = |lane: usize| {
        let group = usize::from(world.agents.rows.tag[row(lane)].group);
        &world.combat.weapons[usize::from(world.groups.traits[group].weapon)]
    };
    let mut from = [[L::Num::ZERO; 3]; BLOCK];
    let mut to = [[L::Num::ZERO; 3]; BLOCK];
    let mut vel = [[L::Num::ZERO; 2]; BLOCK];
    for lane in 0..L::WIDTH {
        from[lane] = muzzle(world, row(lane));
        (to[lane], vel[lane]) = plan.aimed_at(aims[index(lane)]);
    }
    let delta = [0, 1, 2].each(|axis| L::from_fn(|lane| to[lane][axis] - from[lane][axis]));
    let speed = L::from_fn(|lane| weapon(lane).ballistics.speed);
    let (launch, hits) = match way {
        Way::Straight => (straight(delta, speed), L::Int::splat(1)),
        Way::Solved(method) => {
            let dt = world.dt();
            let life = |lane: usize| f64::from(weapon(lane).ballistics.lifetime) * dt;
            let zero = L::zero();
            let case = Shot {
                delta,
                vel: [L::from_fn(|lane| vel[lane][0]), L::from_fn(|lane| vel[lane][1]), zero],
                acc: [zero; 3],
                speed,
                gravity: L::from_fn(|lane| weapon(lane).ballistics.gravity),
                longest: L::from_fn(|lane| L::Num::from_f64(life(lane).min(intercept::LONGEST))),
            };
            let answer = intercept::solve_block(method, &case, Effort::FULL);
            let hits = |lane: usize| Outcome::from_code(answer.outcome.get(lane) as u8).hits();
            (answer.launch, L::Int::from_fn(|lane| i32::from(hits(lane))))
        }
    };
    let seed = hash2(world.settings.seed ^ SPREAD, world.log.tick);
    let id = |lane: usize| u64::from(world.agents.rows.tag[row(lane)].id);
    let spread = L::from_fn(|lane| weapon(lane).ballistics.spread);
    let vel = [0, 1, 2].each(|axis| {
        let error = L::from_q14(L::Int::from_fn(|lane| error(hash3(seed, id(lane), axis))));
        launch[axis as usize] + spread * error
    });
    Make::make(|lane| {
        let vel = |lane: usize| [0, 1, 2].each(|axis: usize| vel[axis].get(lane));
        let hits = lane < block.len() && hits.get(lane) != 0;
        hits.then(|| Muzzle { pos: from[lane], vel: vel(lane) })
    })
}

/// The difference of two uniform numbers below 1, in units of 2⁻¹⁴: symmetric about 0.
#[inline(always)]
fn error(bits: u64) -> i32 {
    (bits >> 50) as i32 - (bits >> 18 & 0x3fff) as i32
}

/// A velocity of this speed towards a target, downwards to one that is at hand.
#[inline(always)]
fn straight<L: Lane>(delta: [L; 3], speed: L) -> [L; 3] {
    let [x, y, z] = delta.each(L::real);
    let length = (x * x + y * y + z * z).sqrt();
    let at_hand = length.lt(L::Real::splat(AT_HAND));
    let scale = speed.real() / L::Real::select(at_hand, L::Real::one(), length);
    let zero = L::Real::zero();
    let [x, y] = [x, y].each(|c| L::Real::select(at_hand, zero, c * scale));
    let z = L::Real::select(at_hand, -speed.real(), z * scale);
    [x, y, z].each(L::from_real)
}

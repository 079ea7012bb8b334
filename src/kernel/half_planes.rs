//! The velocity nearest to a preferred one of all that half-planes and a top speed allow, and
//! the least bad one where they allow none.
//!
//! Half-planes come in order. The first ones are walls, which are never relaxed. Where no velocity
//! satisfies all, the others give way by the same amount: the result is the velocity whose deepest
//! penetration into one of them is least (van den Berg, Guy, Lin, Manocha: Reciprocal n-Body
//! Collision Avoidance, 2011; the incremental linear programmes of de Berg et al., Computational
//! Geometry, ch. 4, as the RVO2 library orders them).
//!
//! Method: a half-plane is a unit normal n and an offset c: n·v ≥ c. Half-planes are tried one after
//! another. Where the result so far lies outside the next one, it moves to the point of that one's
//! border, within the circle and all before it, that is best. Every lane has the same number of
//! half-planes (the ones it lacks never bind), so lanes differ only in whether they take a result; a
//! step that no lane needs is left out.
//!
//! For the least penetration by half-plane i, half-plane j before it becomes "no deeper in j than
//! in i": (n_j − n_i)·v ≥ c_j − c_i. In normals and offsets that needs no intersection of borders.

use crate::kernel::nearest::NEAREST;
use crate::lane::{Mask, Real};

/// Walls of an agent at most.
pub const WALLS: usize = 4;

/// Half-planes of an agent at most: of walls, of its own side, and of neighbours.
pub const MOST: usize = WALLS + 1 + NEAREST;

/// Sine of the angle below which borders count as parallel.
const PARALLEL: f64 = 1e-5;

/// An offset that no velocity fails, in m/s.
const NEVER: f64 = -1e6;

/// The velocities v with `normal · v ≥ offset`.
#[derive(Clone, Copy, Debug)]
pub struct HalfPlane<R> {
    /// A unit vector into the half-plane.
    pub normal: [R; 2],
    /// In m/s.
    pub offset: R,
}

impl<R: Real> HalfPlane<R> {
    /// One that never binds.
    #[inline(always)]
    pub fn all() -> Self {
        Self { normal: [R::one(), R::zero()], offset: R::splat(NEVER) }
    }

    /// This one where the mask is set; elsewhere one that never binds.
    #[inline(always)]
    pub fn only(self, mask: R::Mask) -> Self {
        Self { offset: R::select(mask, self.offset, R::splat(NEVER)), ..self }
    }

    /// How far a velocity lies outside; negative inside.
    #[inline(always)]
    fn depth(&self, vel: [R; 2]) -> R {
        self.offset - R::dot(self.normal, vel)
    }
}

/// The half-planes of a block of agents, walls first.
#[derive(Clone, Copy, Debug)]
pub struct HalfPlanes<R> {
    planes: [HalfPlane<R>; MOST],
    walls: usize,
    count: usize,
}

/// What [`HalfPlanes::solve`] finds.
#[derive(Clone, Copy)]
pub struct Solution<R: Real> {
    /// The velocity, in m/s.
    pub vel: [R; 2],
    /// Where it satisfies every half-plane.
    pub feasible: R::Mask,
}

/// What a velocity should be, among the allowed ones.
#[derive(Clone, Copy)]
enum Aim<R> {
    /// Nearest to this one.
    Point([R; 2]),
    /// Farthest along this unit vector.
    Direction([R; 2]),
}

impl<R: Real> HalfPlanes<R> {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { planes: [HalfPlane::all(); MOST], walls: 0, count: 0 }
    }

    /// Takes all away, for the next block.
    #[inline(always)]
    pub fn clear(&mut self) {
        (self.walls, self.count) = (0, 0);
    }

    /// Adds the wall at `distance` along `−normal`: v·n ≥ −max(0, distance − radius) / horizon.
    /// Lengths are metres, the horizon is in seconds and above 0. Lanes that are not `near` a wall
    /// get none. Walls come before all else, [`WALLS`] at most.
    ///
    /// # Panics
    ///
    /// When a wall comes too late, or is one too many.
    #[inline(always)]
    pub fn add_wall(&mut self, distance: R, normal: [R; 2], radius: R, horizon: R, near: R::Mask) {
        assert!(
            self.walls == self.count && self.walls < WALLS,
            "walls come first, {WALLS} at most"
        );
        let room = (distance - radius).larger(R::zero());
        self.walls += 1;
        self.add(HalfPlane { normal, offset: -(room / horizon) }.only(near));
    }

    /// Adds a half-plane that gives way where it must.
    ///
    /// # Panics
    ///
    /// When there are more than [`MOST`].
    #[inline(always)]
    pub fn add(&mut self, plane: HalfPlane<R>) {
        self.planes[self.count] = plane;
        self.count += 1;
    }

    /// The half-planes in their order.
    pub fn planes(&self) -> &[HalfPlane<R>] {
        &self.planes[..self.count]
    }

    /// The velocity nearest to the preferred one, no longer than `most` (m/s, at least 0).
    #[inline(always)]
    pub fn solve(&self, preferred: [R; 2], most: R) -> Solution<R> {
        let square = R::dot(preferred, preferred);
        let fast = (most * most).lt(square);
        let share = most / R::select(fast, square, R::one()).sqrt();
        let start = R::pick(fast, R::scaled(preferred, share), preferred);
        let everywhere = R::Mask::from_fn(|_| true);
        let planes = self.planes();
        let aim = Aim::Point(preferred);
        let (mut vel, failed) = improve(planes, start, aim, most, everywhere);
        let feasible = match planes.len() {
            0 => everywhere,
            count => !failed[count - 1],
        };
        if (!feasible).any() {
            vel = self.relax(vel, &failed, most);
        }
        Solution { vel, feasible }
    }

    /// The velocity that penetrates least. `failed[i]` says where no velocity was left after
    /// half-plane i; there `vel` satisfies all before it.
    #[cold]
    #[inline(never)]
    fn relax(&self, mut vel: [R; 2], failed: &[R::Mask; MOST], most: R) -> [R; 2] {
        let planes = self.planes();
        if self.walls > 0 {
            // Rest satisfies all walls; only rounding can say that nothing does.
            let lost = failed[self.walls - 1];
            vel = R::pick(lost, [R::zero(); 2], vel);
        }
        let mut deepest = R::zero();
        for (i, plane) in planes.iter().enumerate().skip(self.walls) {
            let deeper = failed[i] & deepest.lt(plane.depth(vel));
            if !deeper.any() {
                continue;
            }
            let mut even = self.planes;
            for (even, other) in even[self.walls..i].iter_mut().zip(&planes[self.walls..i]) {
                *even = no_deeper(other, plane);
            }
            let start = R::scaled(plane.normal, most);
            let aim = Aim::Direction(plane.normal);
            let (point, lost) = improve(&even[..i], start, aim, most, deeper);
            // Only rounding can lose it; what was found before is kept then.
            let found = if i == 0 { deeper } else { deeper & !lost[i - 1] };
            vel = R::pick(found, point, vel);
            deepest = R::select(deeper, plane.depth(vel), deepest);
        }
        vel
    }
}

impl<R: Real> Default for HalfPlanes<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// Where a velocity penetrates `other` no deeper than `plane`.
#[inline(always)]
fn no_deeper<R: Real>(other: &HalfPlane<R>, plane: &HalfPlane<R>) -> HalfPlane<R> {
    let ([a, b], [c, d]) = (other.normal, plane.normal);
    let difference = [a - c, b - d];
    let length = R::dot(difference, difference).sqrt();
    // Borders that run the same way: a velocity deeper in one is deeper in the other.
    let turned = R::splat(PARALLEL).lt(length);
    let scale = R::one() / R::select(turned, length, R::one());
    let offset = (other.offset - plane.offset) * scale;
    HalfPlane { normal: R::scaled(difference, scale), offset }.only(turned)
}

/// Takes `start` through the half-planes in the lanes of `wanted`. For each half-plane: in which
/// lanes nothing was left when it was tried, or before; there the velocity satisfies all before that.
#[inline(always)]
fn improve<R: Real>(
    planes: &[HalfPlane<R>],
    start: [R; 2],
    aim: Aim<R>,
    most: R,
    wanted: R::Mask,
) -> ([R; 2], [R::Mask; MOST]) {
    let mut vel = start;
    let mut none = R::Mask::from_fn(|_| false);
    let mut failed = [none; MOST];
    for (i, plane) in planes.iter().enumerate() {
        let outside = wanted & !none & R::zero().lt(plane.depth(vel));
        if outside.any() {
            let (point, exists) = best_on_border(plane, &planes[..i], aim, most);
            let moves = outside & exists;
            vel = R::pick(moves, point, vel);
            none = none | (outside & !exists);
        }
        failed[i] = none;
    }
    (vel, failed)
}

/// The best velocity on the border of a half-plane within the circle and the others, and where
/// there is one.
#[inline(always)]
fn best_on_border<R: Real>(
    plane: &HalfPlane<R>,
    others: &[HalfPlane<R>],
    aim: Aim<R>,
    most: R,
) -> ([R; 2], R::Mask) {
    let HalfPlane { normal, offset } = *plane;
    let along = [normal[1], -normal[0]];
    let square = most * most - offset * offset;
    let mut none = square.lt(R::zero());
    let mut high = square.larger(R::zero()).sqrt();
    let mut low = -high;
    let parallel = R::splat(PARALLEL);
    for other in others {
        // offset·normal + t·along is in the other one where t·slope ≥ lack.
        let slope = R::dot(other.normal, along);
        let lack = other.offset - offset * R::dot(other.normal, normal);
        let (rises, falls) = (parallel.lt(slope), slope.lt(-parallel));
        let level = !(rises | falls);
        let t = lack / R::select(level, R::one(), slope);
        low = R::select(rises, t.larger(low), low);
        high = R::select(falls, t.smaller(high), high);
        none = none | (level & R::zero().lt(lack));
    }
    let t = match aim {
        Aim::Point(point) => R::dot(along, point).larger(low).smaller(high),
        Aim::Direction(way) => R::select(R::zero().lt(R::dot(along, way)), high, low),
    };
    let point = [offset * normal[0] + t * along[0], offset * normal[1] + t * along[1]];
    (point, !none & !high.lt(low))
}

mod plain;
pub use plain::{Border, reference};

//! Neighbourhoods through the kernels, from columns to velocities.

use crate::avoidance::case::Case;
use throng::kernel::half_planes::HalfPlanes;
use throng::kernel::nearest::{Candidates, Nearest};
use throng::kernel::{nearest, orca};
use throng::lane::{Compare, IntLane, Lane, Mask};
use throng::math::Num;

/// A number of a wall.
type Number<'a> = &'a dyn Fn(&(f64, [f64; 2])) -> f64;

/// The result of a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) vel: [f64; 2],
    pub(crate) feasible: bool,
}

impl Answer {
    pub(crate) fn bits(&self) -> ([u64; 2], bool) {
        (self.vel.map(f64::to_bits), self.feasible)
    }
}

/// Cases that share columns.
const BATCH: usize = 24;

/// Metres between the agents of a batch, more than any of them sees.
const APART: f64 = 256.0;

/// Metres that an agent sees at most: all of its neighbours, and no one of another case.
const RANGE: f64 = 100.0;

/// The results of all cases.
pub(crate) fn run<L: Lane>(cases: &[Case]) -> Vec<Answer> {
    cases.chunks(BATCH).flat_map(run_batch::<L>).collect()
}

/// Columns of a batch: agents first, then their neighbours, farthest first.
struct Columns<N> {
    pos: Vec<[N; 2]>,
    vel: Vec<[N; 2]>,
    bodies: Vec<[N; 2]>,
}

impl<N: Num> Columns<N> {
    fn new(cases: &[Case]) -> Self {
        let mut columns = Self { pos: Vec::new(), vel: Vec::new(), bodies: Vec::new() };
        for (i, case) in cases.iter().enumerate() {
            columns.push(i, &case.agent);
        }
        for (i, case) in cases.iter().enumerate() {
            case.others.iter().rev().for_each(|other| columns.push(i, other));
        }
        columns
    }

    fn push(&mut self, case: usize, body: &orca::Body) {
        let [x, y] = body.pos;
        self.pos.push([x + APART * case as f64, y].map(N::from_f64));
        self.vel.push(body.vel.map(N::from_f64));
        self.bodies.push([body.radius, body.weight].map(N::from_f64));
    }
}

fn run_batch<L: Lane>(cases: &[Case]) -> Vec<Answer> {
    let columns = Columns::<L::Num>::new(cases);
    let mut list = Candidates::new();
    let mut answers = Vec::new();
    for start in (0..cases.len()).step_by(L::WIDTH) {
        let row = |lane: usize| (start + lane).min(cases.len() - 1);
        let case = |lane: usize| &cases[row(lane)];
        let of =
            |number: &dyn Fn(&Case) -> f64| L::from_fn(|lane| L::Num::from_f64(number(case(lane))));
        let pos = L::pairs_from_fn(|lane| columns.pos[row(lane)]);
        let range = L::Num::from_f64(RANGE);
        let coarse = nearest::coarseness(range);
        let mut nearest = Nearest::new(pos, L::splat(range), L::Int::splat(1), coarse);
        list.clear();
        let Columns { pos: column, vel, bodies } = &columns;
        let crowd = nearest::Crowd { pos: column, vel, bodies, layers: &[] };
        nearest.add(0..columns.pos.len(), start, &crowd, &mut list);
        let mut planes = HalfPlanes::new();
        let radius = of(&|case| case.agent.radius).real();
        for wall in 0..3 {
            let exists = |lane| wall < case(lane).walls.len();
            let part =
                |number: Number<'_>| of(&|case| case.walls.get(wall).map_or(1.0, number)).real();
            let normal = [part(&|wall| wall.1[0]), part(&|wall| wall.1[1])];
            let horizon = of(&|case| case.wall_horizon).real();
            let near = <L::Real as Compare>::Mask::from_fn(exists);
            planes.add_wall(part(&|wall| wall.0), normal, radius, horizon, near);
        }
        add_neighbours(cases, start, &columns, &nearest, &list, &mut planes);
        let preferred = [0, 1].map(|axis| of(&|case: &Case| case.preferred[axis]).real());
        let solution = planes.solve(preferred, of(&|case| case.most).real());
        let [x, y] = solution.vel.map(L::from_real);
        let feasible = L::from_real_mask(solution.feasible).bits();
        for lane in 0..L::WIDTH.min(cases.len() - start) {
            let vel = [x.get(lane).to_f64(), y.get(lane).to_f64()];
            answers.push(Answer { vel, feasible: feasible >> lane & 1 == 1 });
        }
    }
    answers
}

fn add_neighbours<L: Lane>(
    cases: &[Case],
    start: usize,
    columns: &Columns<L::Num>,
    nearest: &Nearest<L>,
    list: &Candidates<L::Num>,
    planes: &mut HalfPlanes<L::Real>,
) {
    let row = |lane: usize| (start + lane).min(cases.len() - 1);
    let of = |number: &dyn Fn(&Case) -> f64| {
        L::from_fn(|lane| L::Num::from_f64(number(&cases[row(lane)])))
    };
    let agents = orca::Agents {
        pos: L::pairs_from_fn(|lane| columns.pos[row(lane)]),
        vel: L::pairs_from_fn(|lane| columns.vel[row(lane)]),
        radius: of(&|case| case.agent.radius),
        weight: of(&|case| case.agent.weight),
        horizon: of(&|case| case.horizon),
        part: of(&|case| case.step),
    };
    orca::add(&agents, start, nearest, list, false, planes);
}

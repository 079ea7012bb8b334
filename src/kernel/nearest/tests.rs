use proptest::prelude::*;

use super::{CANDIDATES, Candidates, Crowd, NEAREST, Nearest, ORDINALS, coarseness};
use crate::lane::{IntLane, Lane, Mask, Numbers};
use crate::math::{Fx, Num, hash3, unit_f64};

/// Agents, and in what order their rows are offered.
#[derive(Debug)]
struct Case<N> {
    pos: Vec<[N; 2]>,
    layers: Vec<u32>,
    runs: Vec<std::ops::Range<usize>>,
    ranges: Vec<N>,
    heeds: u32,
}

impl<N: Numbers> Case<N> {
    /// `lattice` is the step of the places in metres: a coarse one has many equals.
    fn new(seed: u64, agents: usize, side: f64, lattice: f64, layered: bool) -> Self {
        let random = |stream, i: usize| unit_f64(hash3(seed, stream, i as u64));
        let place = |i| {
            [0, 1].map(|axis| N::from_f64((random(axis, i) * side / lattice).floor() * lattice))
        };
        let mut cuts: Vec<usize> =
            (0..5).map(|i| (random(7, i) * agents as f64) as usize).collect();
        cuts.extend([0, agents]);
        cuts.sort_unstable();
        let mut runs: Vec<_> = cuts.windows(2).map(|ends| ends[0]..ends[1]).collect();
        runs.sort_by_key(|run| hash3(seed, 8, run.start as u64));
        let layers = if layered { agents } else { 0 };
        Self {
            pos: (0..agents).map(place).collect(),
            layers: (0..layers).map(|i| 1 << (random(2, i) * 4.0) as u32).collect(),
            runs,
            ranges: (0..agents).map(|i| N::from_f64(side * (0.05 + random(3, i)))).collect(),
            heeds: 0b0101,
        }
    }

    fn largest(&self) -> N {
        self.ranges.iter().fold(N::ZERO, |most, &range| most.larger(range))
    }

    /// What a full sort finds for an agent.
    fn naive(&self, row: usize) -> Vec<usize> {
        let coarse = coarseness(self.largest());
        let order = |x: N, y: N| {
            let order = N::Single::square_order(N::Single::splat(x), N::Single::splat(y), coarse);
            order.get(0) & !ORDINALS
        };
        let limit = order(self.ranges[row], N::ZERO);
        let [x, y] = self.pos[row];
        let heeded = |other: usize| self.layers.get(other).is_none_or(|l| l & self.heeds != 0);
        let offered = self.runs.iter().flat_map(|run| run.clone());
        let mut found: Vec<_> = offered
            .filter(|&other| other != row && heeded(other))
            .map(|other| (order(x - self.pos[other][0], y - self.pos[other][1]), other))
            .filter(|&(order, _)| order < limit)
            .collect();
        // Stable: equals stay in the order in which they are offered.
        found.sort_by_key(|&(order, _)| order);
        found.into_iter().map(|(_, other)| other).take(NEAREST).collect()
    }

    /// What the lanes find for every agent, and their farthest distances.
    fn find<L: Lane<Num = N>>(&self) -> Vec<(Vec<usize>, f64)> {
        let agents = self.pos.len();
        let mut list = Candidates::new();
        let zero = vec![[N::ZERO; 2]; agents];
        let mut all = Vec::new();
        for start in (0..agents).step_by(L::WIDTH) {
            let row = |lane: usize| (start + lane).min(agents - 1);
            let pos = L::pairs_from_fn(|lane| self.pos[row(lane)]);
            let range = L::from_fn(|lane| self.ranges[row(lane)]);
            let heeds = L::Int::splat(self.heeds as i32);
            let mut nearest = Nearest::<L>::new(pos, range, heeds, coarseness(self.largest()));
            list.clear();
            let crowd =
                Crowd { pos: &self.pos, vel: &zero, bodies: &self.pos, layers: &self.layers };
            for run in &self.runs {
                nearest.add(run.clone(), start, &crowd, &mut list);
            }
            for lane in 0..L::WIDTH.min(agents - start) {
                let slots =
                    (0..NEAREST).take_while(|&s| nearest.present(s).bits() >> lane & 1 == 1);
                let row = |slot| {
                    let neighbour = nearest.neighbour(slot, &list);
                    let row = list.rows(&neighbour).get(lane) as usize;
                    let body = list.body(&neighbour);
                    let of = |pair: [L; 2]| pair.map(|column| column.get(lane));
                    assert_eq!([of(neighbour.pos), of(body)], [self.pos[row]; 2]);
                    row
                };
                let found = slots.map(row).collect();
                all.push((found, nearest.farthest().to_f64()));
            }
        }
        all
    }
}

/// How many agents had all slots filled, and how many had some empty.
fn compare<N: Numbers>(case: &Case<N>) -> [usize; 2] {
    let (wide, single) = (case.find::<N::Wide>(), case.find::<N::Single>());
    let mut counts = [0; 2];
    for (row, ((found, farthest), (alone, _))) in wide.iter().zip(&single).enumerate() {
        let expected = case.naive(row);
        assert_eq!(*found, expected, "row {row} of {}", case.pos.len());
        assert_eq!(*alone, expected, "row {row} of {}, one lane", case.pos.len());
        for &other in found {
            let [dx, dy] = [0, 1].map(|i| case.pos[row][i].to_f64() - case.pos[other][i].to_f64());
            let distance = (dx * dx + dy * dy).sqrt();
            assert!(distance <= *farthest, "row {row}: {distance} m is beyond {farthest}");
        }
        counts[usize::from(expected.len() < NEAREST)] += 1;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]
    #[test]
    fn the_nearest_are_those_of_a_full_sort(
        seed in 0_u64..1_000_000,
        agents in 0_usize..90,
        side in 0.5..50.0_f64,
        lattice in prop::sample::select(vec![1.0 / 1024.0, 0.25, 2.0]),
        layered in any::<bool>(),
    ) {
        compare(&Case::<f32>::new(seed, agents, side, lattice, layered));
        compare(&Case::<Fx>::new(seed, agents, side, lattice, layered));
    }
}

#[test]
fn every_number_of_agents_up_to_three_blocks_and_two() {
    let mut counts = [0; 2];
    for agents in 0..=26 {
        for layered in [false, true] {
            let wide = compare(&Case::<f32>::new(3, agents, 6.0, 0.5, layered));
            let fixed = compare(&Case::<Fx>::new(3, agents, 6.0, 0.5, layered));
            counts = [0, 1].map(|i| counts[i] + wide[i] + fixed[i]);
        }
    }
    assert!(counts[0] > 100 && counts[1] > 100, "full and not full: {counts:?}");
}

/// More candidates than the list holds, several times over.
#[test]
fn a_full_list_loses_nobody() {
    let agents = 3 * CANDIDATES + 100;
    for lattice in [1.0 / 1024.0, 0.5] {
        let mut case = Case::<f32>::new(5, agents, 40.0, lattice, false);
        // A few blocks tell; the others are candidates.
        let tell = 40;
        case.ranges.iter_mut().for_each(|range| *range = 9.0);
        let wide = case.find::<<f32 as Numbers>::Wide>();
        let single = case.find::<f32>();
        for row in (0..tell).chain(agents - tell..agents) {
            let expected = case.naive(row);
            assert_eq!(wide[row].0, expected, "row {row}");
            assert_eq!(single[row].0, expected, "row {row}, one lane");
            assert_eq!(expected.len(), NEAREST);
        }
    }
}

/// Fixed point far out: differences as long as coordinates allow.
#[test]
fn the_far_ends_of_the_map_are_far_apart() {
    for range in [0.25, 3.0, 50.0] {
        let n = Fx::from_f64;
        let ends = [[0.0, 0.0], [range * 0.9, 0.0], [16_383.0, 16_383.0], [-16_384.0, 16_383.9]];
        let case = Case {
            pos: ends.iter().map(|p| p.map(n)).collect(),
            layers: Vec::new(),
            runs: std::iter::once(0..4).collect(),
            ranges: vec![n(range); 4],
            heeds: 1,
        };
        compare(&case);
        assert_eq!(case.naive(0), [1]);
        assert!(case.naive(2).is_empty());
    }
}

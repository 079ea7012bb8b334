//! Crossings of gates.

use proptest::prelude::*;
use throng::report::measure::GateReport;

use crate::measures::{Agent, Bench, near};

/// At x = 10, from y = 8 up to y = 4: forward is to the right.
const DOOR: &str = "[[gate]]\nname = \"door\"\nfrom = [10, 8]\nto = [10, 4]\n";

/// Walks one agent along these x, a place a tick, at a height.
fn walk(places: &[f64], y: f64) -> GateReport {
    let mut bench = Bench::new(DOOR);
    places.iter().for_each(|&x| bench.tick(&[Agent::at(3, x, y)]));
    bench.measures.report().gates.remove(0)
}

fn counts(gate: &GateReport) -> [u64; 4] {
    let [there, back] = [gate.forward, gate.backward];
    [there.count, there.crossings, back.count, back.crossings]
}

#[test]
fn a_walker_crosses_at_a_known_time_and_comes_back() {
    // 1 m/s from x = 9.03 after tick 1: at x = 10 after 0.05 + 0.97 s.
    let there: Vec<f64> = (0..40).map(|tick| 9.03 + f64::from(tick) * 0.05).collect();
    let gate = walk(&there, 6.0);
    assert_eq!(counts(&gate), [1, 1, 0, 0]);
    near(gate.forward.first_s.unwrap(), 1.02, 1e-5);
    assert_eq!((gate.length_m, gate.open_m), (4.0, 4.0));
    // Back again it has passed in neither direction, but crossed twice.
    let back: Vec<f64> = there.iter().chain(there.iter().rev()).copied().collect();
    let gate = walk(&back, 6.0);
    assert_eq!(counts(&gate), [0, 1, 0, 1]);
    near(gate.crossings[1].time_s, 0.05 * 80.0 - 0.97, 1e-5);
    assert_eq!(gate.crossings.iter().map(|c| c.forward).collect::<Vec<_>>(), [true, false]);
    // And there once more it has passed, the last time.
    let again: Vec<f64> = back.iter().chain(&there).copied().collect();
    let gate = walk(&again, 6.0);
    assert_eq!(counts(&gate), [1, 2, 0, 1]);
    near(gate.forward.first_s.unwrap(), 0.05 * 81.0 + 0.97, 1e-5);
    assert_eq!(gate.forward_count[60], 0);
    assert_eq!(gate.forward_count.last(), Some(&1));
}

#[test]
fn forward_is_from_left_to_right_along_the_gate() {
    // From the left of the map to its right: down is forward.
    for (from, to, forward) in [("[5, 10]", "[15, 10]", true), ("[15, 10]", "[5, 10]", false)] {
        let mut bench = Bench::new(&format!("[[gate]]\nname = \"g\"\nfrom = {from}\nto = {to}\n"));
        [9.0, 9.7, 10.3].iter().for_each(|&y| bench.tick(&[Agent::at(0, 10.0, y)]));
        let gate = bench.measures.report().gates.remove(0);
        assert_eq!(counts(&gate), if forward { [1, 1, 0, 0] } else { [0, 0, 1, 1] });
    }
}

/// Every tick on which a walker is on the line or beyond it, a careless count.
fn careless(places: &[f64]) -> u64 {
    let crossed = |pair: &&[f64]| (pair[0] <= 10.0) != (pair[1] < 10.0);
    places.windows(2).filter(crossed).count() as u64
}

#[test]
fn who_turns_on_the_line_has_not_crossed_and_who_steps_on_it_has_crossed_once() {
    let turn = [9.0, 9.5, 10.0, 10.0, 9.5, 9.0];
    let from_right: Vec<f64> = turn.iter().map(|x| 20.0 - x).collect();
    let through = [9.0, 9.5, 10.0, 10.0, 10.5, 11.0];
    assert_eq!(counts(&walk(&turn, 6.0)), [0; 4]);
    assert_eq!(counts(&walk(&from_right, 6.0)), [0; 4]);
    assert_eq!(counts(&walk(&through, 6.0)), [1, 1, 0, 0]);
    // A count of every touch is wrong on at least one of them, so this can fail.
    let planted = [careless(&turn), careless(&from_right), careless(&through)];
    assert_ne!(planted, [0, 0, 1]);
    assert!(planted.iter().any(|&count| count > 1), "{planted:?}");
}

#[test]
fn only_between_its_ends_and_only_those_who_walk() {
    let through = [9.0, 9.5, 10.5, 11.0];
    for (y, count) in [(3.9, 0), (4.0, 1), (4.1, 1), (7.9, 1), (8.1, 0)] {
        assert_eq!(walk(&through, y).forward.crossings, count, "at {y}");
    }
    // An agent that leaves and another that gets its id beyond the gate: no agent walked.
    let mut bench = Bench::new(DOOR);
    bench.tick(&[Agent::at(7, 9.9, 6.0)]);
    bench.tick(&[]);
    bench.tick(&[Agent::at(7, 10.1, 6.0)]);
    assert_eq!(bench.measures.report().gates[0].both.crossings, 0);
    // They are two persons: one passes there, the other back, and both have passed.
    bench.tick(&[Agent::at(7, 9.9, 6.0)]);
    bench.tick(&[]);
    bench.tick(&[Agent::at(7, 9.9, 6.0)]);
    bench.tick(&[Agent::at(7, 10.1, 6.0)]);
    let gate = bench.measures.report().gates.remove(0);
    assert_eq!(counts(&gate), [1, 1, 1, 1]);
}

#[test]
fn who_appears_on_the_line_has_not_crossed_it() {
    assert_eq!(counts(&walk(&[10.0, 10.5, 11.0], 6.0)), [0; 4]);
    assert_eq!(counts(&walk(&[10.0, 9.5, 9.0], 6.0)), [0; 4]);
    assert_eq!(counts(&walk(&[10.0, 9.5, 10.5], 6.0)), [1, 1, 0, 0]);
}

/// Whether two lines cross, by the sides that the ends of each lie on of the other.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let side = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0
    };
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

proptest! {
    #![proptest_config(crate::common::cases(300))]
    #[test]
    fn a_step_crosses_a_gate_at_any_angle_between_its_ends(
        ends in [[1.0f32..39.0, 1.0f32..19.0], [1.0f32..39.0, 1.0f32..19.0]],
        steps in prop::collection::vec([0.0f32..40.0, 0.0f32..20.0], 2..12),
    ) {
        let [from, to] = ends.map(|end| end.map(f64::from));
        let gate = format!("[[gate]]\nname = \"g\"\nfrom = {from:?}\nto = {to:?}\n");
        let mut bench = Bench::new(&gate);
        let places: Vec<[f64; 2]> = steps.iter().map(|step| step.map(f64::from)).collect();
        places.iter().for_each(|&[x, y]| bench.tick(&[Agent::at(0, x, y)]));
        let found = bench.measures.report().gates.remove(0);
        let crossed = |pair: &&[[f64; 2]]| cross(from, to, pair[0], pair[1]);
        let wanted = places.windows(2).filter(crossed).count() as u64;
        prop_assert_eq!(found.both.crossings, wanted);
    }
}

#[test]
fn the_flow_is_that_between_the_tenths() {
    // 21 walkers, one a second, each through the gate at second k + 0.5; the first 2 and the last 2
    // do not keep to that, which the mean does not see.
    let mut bench = Bench::new(DOOR);
    let start = |k: u32| match k {
        0 | 1 => 1.0 + f64::from(k) * 0.01,
        19 | 20 => 40.0 + f64::from(k),
        _ => f64::from(k) + 0.5,
    };
    for tick in 1..1400 {
        let time = f64::from(tick) * 0.05;
        let agents: Vec<Agent> = (0..21)
            .map(|k| Agent::at(k, (10.0 + 1.0 * (time - start(k))).clamp(2.013, 30.0), 6.0))
            .collect();
        bench.tick(&agents);
    }
    let gate = bench.measures.report().gates.remove(0);
    assert_eq!(gate.forward.count, 21);
    let wanted = 16.0 / 16.0;
    near(gate.forward.flow_per_s.unwrap(), wanted, 1e-4);
    near(gate.forward.specific_flow_per_m_s.unwrap(), wanted / 4.0, 1e-4);
    assert_eq!(gate.backward.flow_per_s, None);
    assert_eq!(gate.both, gate.forward);
    // Over the last 10 s, which are 200 samples, or over all there have been.
    for (at, (&count, &flow)) in gate.forward_count.iter().zip(&gate.forward_flow).enumerate() {
        let before = at.checked_sub(200).map_or(0, |since| gate.forward_count[since]);
        let seconds = (0.05 * (at + 1) as f64).min(10.0);
        near(flow, (count - before) as f64 / seconds, 1e-9);
    }
    assert!(gate.forward_flow.contains(&1.0) && gate.backward_flow.iter().all(|&flow| flow == 0.0));
}

#[test]
fn specific_flow_is_by_the_open_length() {
    let plan = crate::measures::plan_of(
        "ticks = 9\n[map]\nsize = [40, 20]\nwalls = [{ rect = [9, 0, 11, 5] }]\n\
         [[group]]\nname = \"a\"\nspawn = { point = [1.5, 1.5] }\n\
         [[gate]]\nname = \"g\"\nfrom = [10, 8]\nto = [10, 2]\n",
    );
    let measures = throng::report::measure::Measures::new(&plan, Default::default());
    let gate = measures.report().gates.remove(0);
    assert_eq!((gate.length_m, gate.open_m), (6.0, 3.0));
}

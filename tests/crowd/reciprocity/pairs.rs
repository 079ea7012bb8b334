//! Two or four agents whose ways cross, exactly head-on and on exact grid positions too, and walkers
//! with an agent in the way.

use throng::lane::Numbers;
use throng::world::{Avoidance, GroupDef};

use crate::common::meeting::{Party, Way};
use crate::common::stage::distance;
use crate::reciprocity::{TOUCH, crossing, orca};

in_both!(
    two_who_meet_head_on_pass,
    two_at_right_angles_pass,
    four_at_right_angles_pass,
    a_walker_passes_one_who_holds_its_place,
    a_walker_by_separation_passes_one_who_holds_its_place,
    a_walker_passes_one_who_stands,
    one_who_stands_steps_aside_and_returns,
    those_who_stand_let_a_walker_through
);

/// The place of the agent that stands in the way.
const STANDS: [f64; 2] = [20.0, 20.0];
/// Ticks that a meeting of a few may take.
const MOST: u32 = 2_000;

fn kinds() -> [(&'static str, GroupDef, f64); 4] {
    let preset = |name| GroupDef::preset(name).expect("a preset");
    [
        ("orca", orca(), TOUCH),
        ("rts", preset("rts"), TOUCH),
        ("pedestrian", preset("pedestrian"), TOUCH),
        ("separation", GroupDef::default(), TOUCH),
    ]
}

fn pass<N: Numbers>(starts: &[[f64; 2]], share: f64) {
    for (name, def, depth) in kinds() {
        let parties: Vec<_> = starts.iter().map(|start| (def.clone(), *start)).collect();
        let meeting = crossing(&parties);
        let free = meeting.free::<N>(MOST);
        let met = meeting.run::<N::Wide>(MOST);
        let what = format!("{name} from {starts:?}, {}: {free} free", N::NUMERIC.word());
        met.check(&what, share * f64::from(free), depth);
    }
}

fn two_who_meet_head_on_pass<N: Numbers>() {
    for [a, b] in [
        [[10.0, 20.0], [30.0, 20.0]],
        [[20.0, 30.0], [20.0, 10.0]],
        [[12.0, 12.0], [28.0, 28.0]],
        [[10.5, 20.0], [29.5, 20.0]],
        [[16.0, 20.0], [24.0, 20.0]],
    ] {
        pass::<N>(&[a, b], 1.3);
    }
}

fn two_at_right_angles_pass<N: Numbers>() {
    pass::<N>(&[[10.0, 20.0], [20.0, 10.0]], 1.3);
}

fn four_at_right_angles_pass<N: Numbers>() {
    let starts = [[10.0, 20.0], [30.0, 20.0], [20.0, 10.0], [20.0, 30.0]];
    pass::<N>(&starts, 1.4);
}

/// A walker whose way leads through a standing agent: how far that one was moved at most, and how
/// far off it is a while after. Either may have the lower id.
fn walk_into<N: Numbers>(walker: &GroupDef, stander: &GroupDef, what: &str) -> Vec<[f64; 2]> {
    let mut found = Vec::new();
    for first in [0, 1] {
        let mut meeting = crossing(&[(walker.clone(), [10.0, 20.0])]);
        let free = meeting.free::<N>(MOST);
        let starts = vec![STANDS];
        meeting.parties.push(Party { def: stander.clone(), starts, way: Way::Stand });
        meeting.parties.rotate_left(first);
        let met = meeting.run::<N::Wide>(MOST);
        let what = format!("{what}, walker {first}, {}: {free} free", N::NUMERIC.word());
        met.check(&what, 1.3 * f64::from(free), TOUCH);
        let track = &met.tracks[1 - first];
        let most = track.iter().map(|pos| distance(*pos, STANDS)).fold(0.0, f64::max);
        let last = distance(met.end(1 - first), STANDS);
        eprintln!(
            "{what}: the stander was moved by {most:.3} m, and is {last:.3} m off at the end"
        );
        found.push([most, last]);
    }
    found
}

fn both(avoidance: Avoidance) -> [GroupDef; 2] {
    let plain = GroupDef { avoidance, ..GroupDef::default() };
    [plain.clone(), GroupDef { hold: true, ..plain }]
}

fn passes_one_who_holds<N: Numbers>(avoidance: Avoidance) {
    let [walker, stander] = both(avoidance);
    for [most, _] in walk_into::<N>(&walker, &stander, &format!("{avoidance:?} into hold")) {
        assert_eq!(most, 0.0, "one who holds keeps its place");
    }
}

fn a_walker_passes_one_who_holds_its_place<N: Numbers>() {
    passes_one_who_holds::<N>(Avoidance::Orca);
}

fn a_walker_by_separation_passes_one_who_holds_its_place<N: Numbers>() {
    passes_one_who_holds::<N>(Avoidance::Separation);
}

fn passes_one_who_stands<N: Numbers>(avoidance: Avoidance) {
    let [kind, _] = both(avoidance);
    walk_into::<N>(&kind, &kind, &format!("{avoidance:?} into stand"));
}

fn a_walker_passes_one_who_stands<N: Numbers>() {
    for avoidance in [Avoidance::Orca, Avoidance::Separation] {
        passes_one_who_stands::<N>(avoidance);
    }
}

fn steps_aside<N: Numbers>(avoidance: Avoidance) {
    let [kind, _] = both(avoidance);
    let what = format!("{avoidance:?} into stand");
    for [most, last] in walk_into::<N>(&kind, &kind, &what) {
        assert!(most > 0.05 && most < 2.0, "one who stands steps aside, by {most} m");
        assert!(last < kind.radius, "it returns, or has not been moved far: {last} m");
    }
}

fn one_who_stands_steps_aside_and_returns<N: Numbers>() {
    for avoidance in [Avoidance::Orca, Avoidance::Separation] {
        steps_aside::<N>(avoidance);
    }
}

/// A line of standing agents too close for a walker between them, across its way: it is let through.
fn those_who_stand_let_a_walker_through<N: Numbers>() {
    let line: Vec<[f64; 2]> = (-10..=10).map(|i| [20.0, 20.0 + 0.9 * f64::from(i)]).collect();
    for def in [orca(), GroupDef::default()] {
        let mut meeting = crossing(&[(def.clone(), [10.0, 20.0])]);
        let free = meeting.free::<N>(MOST);
        meeting.parties.push(Party { def: def.clone(), starts: line.clone(), way: Way::Stand });
        let met = meeting.run::<N::Wide>(MOST);
        let what = format!("through a line, {:?}: {free} free", def.avoidance);
        met.check(&what, 2.0 * f64::from(free), TOUCH);
    }
}

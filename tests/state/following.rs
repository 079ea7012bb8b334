//! Groups that follow others.

use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::replay::{Replay, verify};
use throng::scenario::{Plan, ScenarioDef};
use throng::{AgentId, FollowDef, GroupDef, GroupId, Leader, Order, Settings, Shape, Simulation};

use crate::common::crowd::{Case, Ids};
use crate::common::stage::{distance, map};
use crate::repeats::{is_the_same_in_all_ways, shows_every_bit};
use crate::traffic::Memory;

in_both!(
    followers_stay_near_on_open_ground_through_a_door_and_around_corners,
    every_bit_of_following_is_in_the_digest
);

/// A guide and followers, each a group; the followers are a little quicker.
fn party<N: Numbers>(map: Map, guide: [f64; 2], followers: &[[f64; 2]]) -> Simulation<N> {
    let mut sim = Simulation::<N>::new(map, Settings::default()).unwrap();
    let [own, other] = [1.3, 1.6].map(|speed| {
        sim.add_group(GroupDef { radius: 0.25, speed, ..GroupDef::default() }).unwrap()
    });
    sim.spawn(own, Shape::Point { at: guide }, 1).unwrap();
    for &at in followers {
        sim.spawn(other, Shape::Point { at }, 1).unwrap();
    }
    sim
}

const GUIDE: GroupId = GroupId::new(0);
const OTHERS: GroupId = GroupId::new(1);

fn of_group<N: Numbers>(sim: &Simulation<N>, group: GroupId) -> Vec<[f64; 2]> {
    let all = sim.agents().filter(|agent| agent.group() == group);
    all.map(|agent| agent.pos()).collect()
}

/// The largest distance of a follower to the guide.
fn farthest<N: Numbers>(sim: &Simulation<N>) -> f64 {
    let guide = of_group(sim, GUIDE)[0];
    of_group(sim, OTHERS).iter().map(|&at| distance(at, guide)).fold(0.0, f64::max)
}

/// Six in two rows.
fn six(x: f64, y: f64) -> Vec<[f64; 2]> {
    (0..6).map(|i| [x + 0.8 * f64::from(i % 2), y + 0.8 * f64::from(i / 2)]).collect()
}

/// The way of a guide: how far the farthest follower is behind on it, at most, and at the end.
fn walk<N: Numbers>(map: Map, from: [f64; 2], goal: [f64; 2], gap: f64) -> (f64, Vec<f64>) {
    let mut sim = party::<N>(map, from, &six(from[0] - 2.2, from[1] - 0.8));
    sim.follow(OTHERS, FollowDef::group(GUIDE).gap(gap)).unwrap();
    sim.send(GUIDE, Shape::Point { at: goal }).unwrap();
    let mut most: f64 = 0.0;
    for _ in 0..1_600 {
        sim.step();
        most = most.max(farthest(&sim));
    }
    assert!(distance(of_group(&sim, GUIDE)[0], goal) < 0.6, "the guide has come");
    let at = of_group(&sim, GUIDE)[0];
    let still = sim.agents().all(|agent| agent.speed() < 0.05);
    assert!(still, "all stand when the guide does");
    (most, of_group(&sim, OTHERS).iter().map(|&other| distance(other, at)).collect())
}

/// Gap, slowing radius and two radii; then three rows of people behind each other.
const OPEN: f64 = 1.0 + 1.5 + 0.5 + 3.0;

fn follows<N: Numbers>() {
    let wall = [[29, 0, 31, 14], [29, 16, 31, 30]];
    let corner = [[20, 10, 40, 30]];
    let cases = [
        (map(60, 30, &[]), [8.0, 15.0], [52.0, 15.0], OPEN),
        // A door of two metres, through which one after the other goes.
        (map(60, 30, &wall), [8.0, 8.0], [52.0, 22.0], OPEN + 3.0),
        // Around two corners, each out of sight of the other.
        (map(60, 30, &corner), [15.0, 26.0], [45.5, 26.0], OPEN + 3.0),
    ];
    for (map, from, goal, most) in cases {
        for gap in [0.3, 1.0] {
            let (found, end) = walk::<N>(map.clone(), from, goal, gap);
            assert!(found < most, "{from:?} to {goal:?}: {found} m behind");
            let near = end.iter().copied().fold(f64::INFINITY, f64::min);
            // The nearest stands at the gap, give or take what is close enough.
            assert!((near - gap - 0.5).abs() < 0.45, "{gap}: {near}");
            assert!(end.iter().all(|&apart| apart < gap + 3.0), "{end:?}");
        }
    }
}

fn followers_stay_near_on_open_ground_through_a_door_and_around_corners<N: Numbers>() {
    follows::<N>();
}

#[test]
fn nobody_follows_through_walls() {
    // The guide stands behind a wall from the start: it has left no trail that can be seen.
    let mut sim = party::<f32>(map(40, 20, &[[20, 0, 21, 19]]), [30.0, 5.0], &[[10.0, 5.0]]);
    sim.follow(OTHERS, FollowDef::group(GUIDE)).unwrap();
    (0..200).for_each(|_| sim.step());
    assert!(distance(of_group(&sim, OTHERS)[0], [10.0, 5.0]) < 0.2, "it stands");
    // Once it comes into sight, the other comes along.
    sim.send(GUIDE, Shape::Point { at: [5.0, 19.5] }).unwrap();
    (0..1_200).for_each(|_| sim.step());
    assert!(farthest(&sim) < 2.0, "{}", farthest(&sim));
}

fn leader_of<N: Numbers>(sim: &Simulation<N>, group: GroupId) -> Vec<Option<AgentId>> {
    let all = sim.agents().filter(|agent| agent.group() == group);
    all.map(|agent| sim.world().leader(agent.id())).collect()
}

#[test]
fn who_loses_its_leader_takes_another_or_goes_to_where_it_was() {
    let mut sim = party::<f32>(map(60, 30, &[]), [10.0, 10.0], &[[8.0, 10.0], [8.0, 20.0]]);
    sim.spawn(GUIDE, Shape::Point { at: [10.0, 20.0] }, 1).unwrap();
    sim.follow(OTHERS, FollowDef::group(GUIDE)).unwrap();
    sim.step();
    let guides: Vec<AgentId> =
        sim.agents().filter(|a| a.group() == GUIDE).map(|a| a.id()).collect();
    let mut leaders = leader_of(&sim, OTHERS);
    leaders.sort();
    assert_eq!(leaders, guides.iter().map(|&id| Some(id)).collect::<Vec<_>>(), "each the nearest");
    sim.send(GUIDE, Shape::rect([40.0, 8.0], [44.0, 22.0])).unwrap();
    (0..200).for_each(|_| sim.step());
    // A guide is taken away: both follow the other.
    let at = sim.agents().find(|agent| agent.id() == guides[0]).unwrap().pos();
    let area = Some(vec![Shape::Disc { centre: at, radius: 0.2 }]);
    sim.order(Order::Remove { group: GUIDE, area }).unwrap();
    (0..8).for_each(|_| sim.step());
    assert_eq!(leader_of(&sim, OTHERS), [Some(guides[1]); 2]);
    (0..900).for_each(|_| sim.step());
    assert!(farthest(&sim) < 3.0);
    // The last one is gone as well, while they stood around it: they stay there.
    let last = of_group(&sim, GUIDE)[0];
    sim.order(Order::Remove { group: GUIDE, area: None }).unwrap();
    (0..200).for_each(|_| sim.step());
    let places = of_group(&sim, OTHERS);
    assert!(places.iter().all(|&at| distance(at, last) < 2.0), "{places:?}, {last:?}");
    // A new guide comes, and they follow it.
    sim.spawn(GUIDE, Shape::Point { at: [20.0, 5.0] }, 1).unwrap();
    (0..900).for_each(|_| sim.step());
    assert!(farthest(&sim) < 3.0, "{}", farthest(&sim));
}

#[test]
fn who_loses_its_only_leader_goes_to_where_that_was() {
    let corner = [[20, 0, 22, 24]];
    let mut sim = party::<f32>(map(60, 30, &corner), [10.0, 10.0], &[[5.0, 10.0]]);
    sim.follow(OTHERS, FollowDef::group(GUIDE)).unwrap();
    sim.send(GUIDE, Shape::Point { at: [50.0, 10.0] }).unwrap();
    while of_group(&sim, GUIDE)[0][0] < 30.0 {
        sim.step();
    }
    // Out of sight of the follower, which has the corner still to go around.
    let last = of_group(&sim, GUIDE)[0];
    sim.order(Order::Remove { group: GUIDE, area: None }).unwrap();
    (0..600).for_each(|_| sim.step());
    // It goes to the middle of the cell.
    let at = of_group(&sim, OTHERS)[0];
    assert!(distance(at, last) < 1.1, "{at:?}, {last:?}");
    assert!(sim.agents().all(|agent| agent.speed() < 0.05), "it stands");
}

#[test]
fn a_company_takes_no_followers() {
    let text = "ticks = 9\n[map]\nsize = [9, 9]\n[[group]]\nname = \"a\"\nspawn = { point = [3, 3] }\n\
        follow = { group = \"b\" }\n[[group]]\nname = \"b\"\n[[company]]\nname = \"c\"\n\
        groups = [\"b\", \"a\"]\n";
    let error = ScenarioDef::parse(text, "bad.toml").unwrap_err().to_string();
    assert!(error.contains("bad.toml:12:10") && error.contains("\"a\" follows others"), "{error}");
}

#[test]
fn followers_leave_by_the_sink_that_their_leader_left_by() {
    let walls = [[20, 0, 21, 9], [20, 11, 21, 20]];
    let mut sim = party::<f32>(map(40, 20, &walls), [5.0, 10.0], &six(2.0, 9.0));
    sim.follow(OTHERS, FollowDef::group(GUIDE)).unwrap();
    let out = Shape::rect([36.0, 2.0], [40.0, 6.0]);
    sim.send(GUIDE, out.clone()).unwrap();
    sim.add_sink(out, []).unwrap();
    (0..1_600).for_each(|_| sim.step());
    assert_eq!(sim.len(), 0, "{:?}", of_group(&sim, OTHERS));
}

/// Children are out soon after their parents, at a narrow exit too, where people keep a gap in time.
#[test]
fn families_leave_together_by_a_narrow_exit() {
    let text = "ticks = 4800\n[map]\nsize = [160, 100]\ncell = 0.25\n\
        [[group]]\nname = \"parents\"\npreset = \"pedestrian\"\n\
        spawn = { rect = [28, 14, 38, 24], count = 6 }\n\
        goal = { rect = [38.5, 12, 40, 14] }\nleave = true\n\
        [[group]]\nname = \"children\"\npreset = \"pedestrian\"\n\
        spawn = { rect = [28, 14, 38, 24], count = 14 }\n\
        follow = { group = \"parents\", gap = 0.3 }\n\
        [[sink]]\nname = \"exit\"\nrect = [38.5, 12, 40, 14]\n";
    fn last<N: Numbers>(text: &str) -> [f64; 2] {
        let def = ScenarioDef::parse(text, "family.toml").unwrap();
        let map = def.load_map(&|_| unreachable!("there is no file")).unwrap();
        let mut sim = Simulation::<N>::from_plan(Plan::new(&def, map).unwrap()).unwrap();
        let mut times = [0.0; 2];
        while sim.seconds() < 120.0 && !(sim.seconds() > 1.0 && sim.is_empty()) {
            sim.step();
            for agent in sim.agents() {
                times[usize::from(agent.group())] = sim.seconds();
            }
        }
        times
    }
    for [parents, children] in [last::<f32>(text), last::<Fx>(text)] {
        assert!(children < parents + 12.0, "{parents} s and {children} s");
    }
}

#[test]
fn an_agent_is_followed_and_another_order_ends_it() {
    let mut sim = party::<f32>(map(60, 30, &[]), [10.0, 10.0], &six(7.0, 9.0));
    let guide = sim.agents().find(|agent| agent.group() == GUIDE).unwrap().id();
    sim.follow(OTHERS, FollowDef::agent(guide).gap(0.5)).unwrap();
    assert_eq!(sim.world().following(OTHERS).unwrap().leader, Leader::Agent(guide));
    sim.send(GUIDE, Shape::Point { at: [50.0, 20.0] }).unwrap();
    (0..400).for_each(|_| sim.step());
    assert!(farthest(&sim) < OPEN);
    sim.send(OTHERS, Shape::rect([2.0, 2.0], [8.0, 8.0])).unwrap();
    (0..800).for_each(|_| sim.step());
    assert!(sim.world().following(OTHERS).is_none());
    assert_eq!(leader_of(&sim, OTHERS), [None; 6]);
    assert!(of_group(&sim, OTHERS).iter().all(|at| at[0] < 9.0 && at[1] < 9.0));
    // The other way round: the followers of a stopped group stand.
    sim.follow(OTHERS, FollowDef::group(GUIDE)).unwrap();
    (0..100).for_each(|_| sim.step());
    sim.stop(OTHERS).unwrap();
    (0..20).for_each(|_| sim.step());
    let before = of_group(&sim, OTHERS);
    (0..100).for_each(|_| sim.step());
    let moved = of_group(&sim, OTHERS)
        .iter()
        .zip(&before)
        .map(|(a, b)| distance(*a, *b))
        .fold(0.0, f64::max);
    assert!(moved < 0.6, "{moved}");
}

#[test]
fn who_cannot_follow_is_told_why() {
    let mut sim = party::<f32>(map(60, 30, &[]), [10.0, 10.0], &six(7.0, 9.0));
    let guide = sim.agents().find(|agent| agent.group() == GUIDE).unwrap().id();
    let mut why = |group, def: FollowDef| sim.follow(group, def).unwrap_err().to_string();
    assert!(why(OTHERS, FollowDef::group(OTHERS)).contains("cannot follow itself"));
    assert!(why(GUIDE, FollowDef::agent(guide)).contains("cannot follow itself"));
    assert!(why(OTHERS, FollowDef::group(GroupId::new(7))).contains('7'));
    assert!(why(OTHERS, FollowDef::group(GUIDE).gap(51.0)).contains("51"));
    let nobody = AgentId { index: 3, generation: 9 };
    assert!(why(OTHERS, FollowDef::agent(nobody)).contains("does not live"));
    assert!(sim.world().following(OTHERS).is_none());
}

/// Families and a chain of followers, leaders that go and come, on a map with corners.
fn case() -> Case {
    let orders = |at: u64, known: &Ids| {
        let group = |speed: f64| Order::Group {
            def: GroupDef { radius: 0.25, speed, ..GroupDef::default() },
        };
        let [a, b, c] = [0, 1, 2].map(GroupId::new);
        let spawn = |group, [x, y]: [f64; 2], count| Order::Spawn {
            group,
            area: vec![Shape::rect([x, y], [x + 6.0, y + 8.0])],
            count,
        };
        let go = |group, [x, y]: [f64; 2]| Order::Move {
            group,
            goal: vec![Shape::rect([x, y], [x + 6.0, y + 6.0])],
        };
        match at {
            0 => vec![
                group(1.2),
                group(1.6),
                group(2.0),
                spawn(a, [2.0, 2.0], 12),
                spawn(b, [2.0, 10.0], 25),
                spawn(c, [8.0, 10.0], 10),
                Order::Follow { group: b, def: FollowDef::group(a).gap(0.4) },
                Order::Follow { group: c, def: FollowDef::group(b) },
                go(a, [32.0, 16.0]),
            ],
            60 => {
                let gone = known.iter().filter(|(id, group)| *group == 0 && id.index % 3 == 0);
                let agents = gone.map(|(id, _)| *id).collect();
                vec![Order::Assign { agents, group: c }]
            }
            100 => vec![spawn(b, [2.0, 2.0], 10), go(a, [2.0, 16.0])],
            130 => vec![
                Order::Remove { group: a, area: Some(vec![Shape::rect([0.0, 0.0], [20.0, 24.0])]) },
                Order::Stop { group: c },
            ],
            150 => vec![Order::Follow { group: c, def: FollowDef::group(a) }],
            _ => Vec::new(),
        }
    };
    let map = map(40, 24, &[[12, 0, 14, 16], [24, 8, 26, 24]]);
    Case {
        name: "following",
        map,
        settings: Settings::default(),
        ticks: 200,
        orders: Box::new(orders),
    }
}

fn every_bit_of_following_is_in_the_digest<N: Numbers>() {
    let columns = ["ids.head", "ids.leader", "traffic.followings"];
    shows_every_bit::<N>(&case(), 120, &columns);
}

#[test]
fn followers_are_the_same_for_all_lanes_threads_and_restored() {
    is_the_same_in_all_ways(&case(), &[0, 3, 59, 61, 131, 150]);
}

#[test]
fn a_replay_repeats_who_follows_whom() {
    let walls = [[20, 0, 21, 9], [20, 11, 21, 20]];
    let mut sim = party::<Fx>(map(40, 20, &walls), [5.0, 10.0], &six(2.0, 9.0));
    let file = Memory::default();
    sim.record(file.clone(), "game").unwrap();
    sim.follow(OTHERS, FollowDef::group(GUIDE)).unwrap();
    sim.send(GUIDE, Shape::Point { at: [35.0, 4.0] }).unwrap();
    (0..500).for_each(|_| sim.step());
    sim.finish_recording().unwrap();
    let replay = Replay::read(&file.bytes()).unwrap();
    assert_eq!(verify(&replay, |_| ()).unwrap().difference, None);
}

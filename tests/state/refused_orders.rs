//! Orders that a world refuses are recorded like any other, so a replay must give them back as they
//! were refused. One with an infinite number, NaN, a polygon without corners or a layer that does
//! not exist used to make the rest of its replay unreadable, and a company with a spacing of 0 was
//! read back as one that leaves it open.

use crate::common::thinkers::hunters;
use throng::GroupId;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::replay::{Recorder, Replay, verify};
use throng::tick::{Scratch, tick};
use throng::world::{
    Behaviour, BehaviourKind, CompanyDef, Destination, GroupDef, Order, Outcome, Settings, World,
};

in_both!(refused_orders_are_read_back_as_they_were);

fn group(change: impl Fn(&mut GroupDef)) -> Order {
    let mut def = GroupDef::default();
    change(&mut def);
    Order::Group { def }
}

fn refused() -> Vec<Order> {
    let to = |shape: Shape| Order::Move { group: GroupId::new(0), goal: vec![shape] };
    let behave = |kind: BehaviourKind, weight: f64| Order::Behave {
        group: GroupId::new(0),
        behaviours: vec![Behaviour::new(kind).weight(weight)],
    };
    let company = |spacing: Option<f64>, files: Option<u32>| Order::Company {
        def: CompanyDef { groups: vec![GroupId::new(0)], formation: None, spacing, files },
    };
    let mind = |shape: Shape| {
        let mut def = hunters(7);
        def.conducts[0].destination = Destination::Go(vec![shape]);
        Order::Mind { def }
    };
    let path = BehaviourKind::Path { points: Vec::new(), radius: 1.0, closed: false };
    let mut orders = vec![
        to(Shape::Polygon { corners: Vec::new() }),
        to(Shape::Polygon { corners: vec![[1.0, 1.0]] }),
        group(|def| def.layer = 200),
        // 500 m/s with a sprint of 4 on ground that is 16 times as quick as plain.
        group(|def| {
            (def.speed, def.sprint) = (500.0, 4.0);
            def.terrain.set('.', 1).unwrap();
        }),
        behave(path, 1.0),
        company(Some(0.0), None),
        company(Some(-0.0), None),
        company(None, Some(0)),
        company(Some(1.0), Some(u32::MAX)),
    ];
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        orders.extend([
            to(Shape::Point { at: [odd, 1.0] }),
            to(Shape::Rect { min: [1.0, 1.0], max: [2.0, odd] }),
            to(Shape::Disc { centre: [2.0, 2.0], radius: odd }),
            to(Shape::Polygon { corners: vec![[1.0, 1.0], [odd, 2.0], [3.0, 1.0]] }),
            Order::Opposite { group: GroupId::new(0), centre: [1.0, odd] },
            group(|def| def.radius = odd),
            group(|def| def.wall_horizon = odd),
            behave(BehaviourKind::Goal, odd),
            behave(BehaviourKind::Wander { turn: odd, rate: 1.0 }, 1.0),
            company(Some(odd), None),
            mind(Shape::Disc { centre: [2.0, 2.0], radius: odd }),
            mind(Shape::Rect { min: [odd, 1.0], max: [2.0, 2.0] }),
        ]);
    }
    orders
}

fn refused_orders_are_read_back_as_they_were<N: Numbers>() {
    let map = Map::from_slowness(12, 12, 1.0, &[16; 144]);
    for order in refused() {
        let mut world = World::<N>::new(map.clone(), Settings::default()).unwrap();
        let mut recorder = Recorder::start(&world, "odd", Vec::new()).unwrap();
        let area = vec![Shape::Rect { min: [1.0, 1.0], max: [6.0, 6.0] }];
        let start = vec![group(|_| ()), Order::Spawn { group: GroupId::new(0), area, count: 5 }];
        let mut scratch = Scratch::new();
        for orders in [start, vec![order.clone()], Vec::new()] {
            tick(&mut world, &orders, &mut scratch);
            recorder.tick(&world, &orders).unwrap();
            if orders.len() == 1 {
                let outcome = &world.outcomes()[0];
                assert!(matches!(outcome, Outcome::Refused(_)), "{order:?}: {outcome:?}");
            }
        }
        let replay = Replay::read(&recorder.finish().unwrap()).unwrap();
        assert_eq!((replay.frames.len(), replay.frames[1].orders.len()), (3, 1));
        let verdict = verify(&replay, |_| ()).unwrap();
        assert_eq!(verdict.difference, None, "{order:?} is not what was recorded");
    }
}

//! `behave` of groups and of orders in scenario files: what it turns into, and what is refused.

use crate::common::scenarios::plan;
use throng::GroupId;
use throng::world::{Behaviour, BehaviourKind, Mark, Order, Side};

/// Two groups; `list` is how the first one behaves.
fn text(list: &str) -> String {
    format!(
        "ticks = 9\n[map]\nsize = [50, 40]\n[[group]]\nname = \"deer\"\nbehave = [{list}]\n\
         spawn = {{ point = [5, 5] }}\n[[group]]\nname = \"wolves\"\nspawn = {{ point = [9, 9] }}\n"
    )
}

/// The behaviours that a list turns into.
fn of(list: &str) -> Vec<Behaviour> {
    let plan = plan(&text(list)).unwrap_or_else(|e| panic!("{e}"));
    let mut orders = plan.orders_at(0).filter_map(|order| match order {
        Order::Behave { group, behaviours } if *group == GroupId::new(0) => {
            Some(behaviours.clone())
        }
        Order::Behave { .. } => panic!("{order:?}"),
        _ => None,
    });
    let found = orders.next();
    assert!(orders.next().is_none());
    found.unwrap_or_default()
}

#[test]
fn every_kind_is_read_with_its_defaults() {
    let point = Mark::Point([3.0, 4.5]);
    let path = |radius, closed| BehaviourKind::Path {
        points: vec![[1.0, 1.0], [9.0, 1.0], [5.0, 7.0]],
        radius,
        closed,
    };
    let wolves = Mark::Group(GroupId::new(1));
    let cases = [
        ("kind = \"goal\"", BehaviourKind::Goal),
        ("kind = \"seek\", to = [3, 4.5]", BehaviourKind::Seek { to: point, range: 30_000.0 }),
        ("kind = \"seek\", to = \"wolves\"", BehaviourKind::Seek { to: wolves, range: 10.0 }),
        ("kind = \"flee\", from = [3, 4.5]", BehaviourKind::Flee { from: point, range: 10.0 }),
        (
            "kind = \"flee\", from = \"wolves\", range = 30",
            BehaviourKind::Flee { from: wolves, range: 30.0 },
        ),
        (
            "kind = \"pursue\", to = \"wolves\"",
            BehaviourKind::Pursue { quarry: GroupId::new(1), range: 10.0, horizon: 3.0 },
        ),
        (
            "kind = \"evade\", from = \"wolves\", horizon = 0",
            BehaviourKind::Evade { hunter: GroupId::new(1), range: 10.0, horizon: 0.0 },
        ),
        ("kind = \"wander\"", BehaviourKind::Wander { turn: 1.0, rate: 0.5 }),
        ("kind = \"cohesion\"", BehaviourKind::Cohesion { with: GroupId::new(0), range: 10.0 }),
        (
            "kind = \"alignment\", with = \"wolves\", range = 4",
            BehaviourKind::Alignment { with: GroupId::new(1), range: 4.0 },
        ),
        ("kind = \"path\", points = [[1, 1], [9, 1], [5, 7]]", path(1.0, false)),
        (
            "kind = \"path\", loop = true, radius = 2, points = [[1, 1], [9, 1], [5, 7]]",
            path(2.0, true),
        ),
        (
            "kind = \"wall\", side = \"right\", distance = 12",
            BehaviourKind::Wall { side: Side::Right, distance: 12.0, range: 12.0 },
        ),
    ];
    for (entry, kind) in cases {
        assert_eq!(of(&format!("{{ {entry} }}")), [Behaviour::new(kind)], "{entry}");
    }
    let list = "{ kind = \"goal\", weight = 0 }, { kind = \"wander\", weight = 2.5, priority = 9 }";
    let [goal, wander] = &of(list)[..] else { panic!("two") };
    assert_eq!((goal.weight, goal.priority, wander.weight, wander.priority), (0.0, 0, 2.5, 9));
    assert_eq!(of(""), []);
}

#[test]
fn an_order_changes_the_behaviours() {
    let order =
        "[[order]]\ntick = 4\nbehave = \"wolves\"\nbehaviours = [{ kind = \"cohesion\" }]\n";
    let plan = plan(&format!("{}{order}", text(""))).unwrap_or_else(|e| panic!("{e}"));
    let behaviours =
        vec![Behaviour::new(BehaviourKind::Cohesion { with: GroupId::new(1), range: 10.0 })];
    assert_eq!(
        Vec::from_iter(plan.orders_at(4)),
        [&Order::Behave { group: GroupId::new(1), behaviours }]
    );
}

/// An entry, the key and what is wrong with it, what is expected.
const BAD: [(&str, &str, &str, &str); 24] = [
    ("1", "behave[0]", "1 is a number", "kind = \"wander\""),
    ("{}", "behave[0].kind", "missing", "`goal`, `seek`"),
    ("{ kind = \"sek\" }", "behave[0].kind", "\"sek\" is no kind", "\"seek\", if"),
    ("{ kind = \"wander\", trun = 1 }", "behave[0].trun", "no such key", "`turn`, if"),
    ("{ kind = \"wander\", range = 1 }", "behave[0].range", "takes no `range`", "`turn`, `rate`"),
    ("{ kind = \"goal\", to = [1, 1] }", "behave[0].to", "takes no `to`", "alone"),
    ("{ kind = \"wander\", turn = 11 }", "behave[0].turn", "11 is above 10", "radians a second"),
    ("{ kind = \"wander\", rate = 0 }", "behave[0].rate", "0 is below 0.01", "changes a second"),
    ("{ kind = \"wander\", weight = -1 }", "behave[0].weight", "-1 is below 0", "a weight"),
    ("{ kind = \"wander\", priority = 256 }", "behave[0].priority", "above 255", "0 to 255"),
    ("{ kind = \"wander\", priority = 0.5 }", "behave[0].priority", "not a whole", "0 to 255"),
    ("{ kind = \"seek\" }", "behave[0].to", "missing", "the name of a group, or a point"),
    ("{ kind = \"seek\", to = \"wolfes\" }", "behave[0].to", "not the name", "\"wolves\", if"),
    ("{ kind = \"seek\", to = [1] }", "behave[0].to", "has 1 number", "[x, y]"),
    ("{ kind = \"seek\", to = [51, 1] }", "behave[0]", "lies off the map", "x from 0 to 50"),
    ("{ kind = \"flee\", from = \"wolves\", range = 31 }", "behave[0].range", "above 30", "metres"),
    ("{ kind = \"pursue\", to = [1, 1] }", "behave[0].to", "is an array", "the name of a group"),
    ("{ kind = \"evade\", horizon = 3 }", "behave[0].from", "missing", "the name of a group"),
    ("{ kind = \"path\", loop = true }", "behave[0].points", "missing", "2 to 256 points"),
    ("{ kind = \"path\", points = [[1, 1]] }", "behave[0].points", "has 1 point", "2 to 256"),
    (
        "{ kind = \"path\", loop = true, points = [[1, 1], [9, 9], [1, 1]] }",
        "behave[0].points",
        "points 2 and 0 are less than a centimetre apart",
        "lie apart",
    ),
    ("{ kind = \"wall\" }", "behave[0].side", "missing", "\"left\" or \"right\""),
    (
        "{ kind = \"wall\", side = \"left\", distance = 4, range = 3 }",
        "behave[0].range",
        "3 is less than `distance`, 4",
        "within range",
    ),
    ("{ kind = \"goal\" }, { kind = \"goal\" }", "behave[1]", "listed twice", "at most one"),
];

#[test]
fn mistakes_are_named() {
    for (list, key, wrong, expected) in BAD {
        let error = plan(&text(list)).expect_err(list);
        let first = error.first();
        assert_eq!((first.key.as_str(), first.line), (&*format!("group[0].{key}"), 6), "{error}");
        assert!(first.wrong.contains(wrong), "{error}");
        assert!(first.expected.contains(expected), "{error}");
        assert_eq!(error.problems.len(), 1, "{error}");
    }
    let many = "{ kind = \"wander\" },".repeat(17);
    let error = plan(&text(&many)).unwrap_err();
    assert!(error.first().wrong.contains("17 entries, more than 16"), "{error}");
}

#[test]
fn mistakes_in_orders_are_named() {
    let order = |lines: &str| plan(&format!("{}[[order]]\ntick = 4\n{lines}\n", text("")));
    let cases = [
        ("behave = \"deer\"", "order[0].behaviours", "missing"),
        ("behave = \"der\"\nbehaviours = []", "order[0].behave", "not the name of a group"),
        ("behave = \"deer\"\nbehaviours = 3", "order[0].behaviours", "3 is a number"),
        ("behave = \"deer\"\nbehaviours = []\ncount = 3", "order[0].count", "takes no `count`"),
        ("stop = \"deer\"\nbehaviours = []", "order[0].behaviours", "takes no `behaviours`"),
        (
            "behave = \"deer\"\nbehaviours = [{ kind = \"seek\", to = [0, 41] }]",
            "order[0].behaviours[0]",
            "lies off the map",
        ),
    ];
    for (lines, key, wrong) in cases {
        let error = order(lines).expect_err(lines);
        assert_eq!(error.first().key, key, "{error}");
        assert!(error.first().wrong.contains(wrong), "{error}");
    }
}

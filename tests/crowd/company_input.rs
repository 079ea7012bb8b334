//! Bad companies: orders that are refused and change nothing, scenarios that say what is wrong.

use crate::common::stage::{Stage, map, point};
use throng::scenario::{Plan, ScenarioDef};
use throng::world::{CompanyDef, Formation, GroupDef, Order, Outcome};
use throng::{CompanyId, GroupId, state};

fn walker(speed: f64) -> GroupDef {
    GroupDef { speed, ..GroupDef::default() }
}

/// Gives an order that must be refused and change nothing.
fn refuse(stage: &mut Stage<f32>, order: Order) -> String {
    let mut silent = stage.clone();
    let text = format!("{order:?}");
    let outcome = stage.order(order);
    silent.tick();
    assert_eq!(state::digest(&stage.world), state::digest(&silent.world), "{text}");
    match outcome {
        Outcome::Refused(why) => why.to_string(),
        _ => panic!("{text} was carried out"),
    }
}

#[test]
fn bad_orders_are_refused() {
    let chamber = [[100, 4, 120, 5], [100, 20, 120, 21], [100, 4, 101, 21], [119, 4, 120, 21]];
    let mut stage = Stage::new(map(160, 60, &chamber));
    for x in [20.0, 30.0] {
        let places: Vec<[f64; 2]> = (0..20).map(|i| [x, 20.0 + f64::from(i)]).collect();
        stage.group(walker(1.4), &places);
    }
    let formation = Some(Formation::Line);
    let def = CompanyDef {
        groups: vec![GroupId::new(0), GroupId::new(1)],
        formation,
        ..CompanyDef::default()
    };
    stage.order(Order::Company { def });
    stage.order(Order::MoveCompany { company: CompanyId::new(0), goal: point(130.0, 30.0) });
    (0..100).for_each(|_| stage.tick());
    let spare = stage.world.add_group(walker(1.0)).unwrap();
    let plain = CompanyDef { groups: vec![spare], ..CompanyDef::default() };
    let defs = [
        (CompanyDef { groups: vec![], ..plain.clone() }, "at least one group"),
        (CompanyDef { groups: vec![GroupId::new(9)], ..plain.clone() }, "no group 9"),
        (
            CompanyDef { groups: vec![spare, GroupId::new(1)], ..plain.clone() },
            "belongs to company 0",
        ),
        (CompanyDef { groups: vec![spare, spare], ..plain.clone() }, "named twice"),
        (CompanyDef { spacing: Some(0.05), ..plain.clone() }, "spacing is 0.05"),
        (CompanyDef { spacing: Some(f64::NAN), ..plain.clone() }, "spacing is NaN"),
        (CompanyDef { files: Some(0), ..plain }, "files is 0"),
    ];
    for (def, expected) in defs {
        let why = refuse(&mut stage, Order::Company { def });
        assert!(why.contains(expected), "{why}");
    }
    let orders = [
        (Order::MoveCompany { company: CompanyId::new(1), goal: point(9.0, 9.0) }, "no company 1"),
        (Order::StopCompany { company: CompanyId::new(7) }, "no company 7"),
        (Order::Form { company: CompanyId::new(1), formation: None }, "no company 1"),
        (Order::MoveCompany { company: CompanyId::new(0), goal: point(100.5, 9.0) }, "walls"),
        (
            Order::MoveCompany { company: CompanyId::new(0), goal: point(500.0, 9.0) },
            "wholly in walls",
        ),
        (Order::MoveCompany { company: CompanyId::new(0), goal: point(f64::NAN, 9.0) }, "NaN"),
        (
            Order::MoveCompany { company: CompanyId::new(0), goal: point(110.0, 12.0) },
            "walls lie between",
        ),
    ];
    for (order, expected) in orders {
        let why = refuse(&mut stage, order);
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn bad_scenarios_are_refused() {
    let text = |company: &str, order: &str| {
        format!(
            "ticks = 9\n[map]\nsize = [40, 20]\n\
             [[group]]\nname = \"pikes\"\nspawn = {{ rect = [1, 1, 9, 9], count = 20 }}\n\
             [[group]]\nname = \"bows\"\n{company}\n{order}\n"
        )
    };
    let plan = |text: &str| {
        let def = ScenarioDef::parse(text, "bad.toml")?;
        let map = def.load_map(&|_| unreachable!())?;
        Plan::new(&def, map)
    };
    let good = "[[company]]\nname = \"first\"\ngroups = [\"pikes\"]\nformation = \"wedge\"";
    let order = "[[order]]\ntick = 1\n";
    let after = plan(&text(good, &format!("{order}form = \"first\"\nformation = \"none\"")));
    let orders = after.unwrap().orders;
    assert!(matches!(orders[2], (0, Order::Company { .. })), "{orders:?}");
    let company = CompanyId::new(0);
    assert_eq!(orders[4], (1, Order::Form { company, formation: None }), "{orders:?}");
    let company = |lines: &str| format!("[[company]]\nname = \"first\"\n{lines}");
    for (lines, line, key, wrong) in [
        ("", 9, "company[0].groups", "missing"),
        ("groups = []", 11, "company[0].groups", "is empty"),
        ("groups = [\"pices\"]", 11, "company[0].groups[0]", "is not the name of a group"),
        ("groups = [\"bows\", \"bows\"]", 11, "company[0].groups[1]", "belongs to company[0]"),
        ("groups = [\"bows\"]\nformation = \"circle\"", 12, "company[0].formation", "is no form"),
        ("groups = [\"bows\"]\nspacing = 0", 12, "company[0].spacing", "is below 0.1"),
        ("groups = [\"bows\"]\nfiles = 1.5", 12, "company[0].files", "not a whole number"),
        ("groups = [\"bows\"]\nwidth = 4", 12, "company[0].width", "no such key"),
        ("groups = [\"bows\"]\ngoal = { point = [50, 5] }", 12, "company[0].goal.point", "map"),
    ] {
        let error = plan(&text(&company(lines), "")).unwrap_err();
        let first = error.first();
        assert_eq!((first.line, first.key.as_str()), (line, key), "{error}");
        assert!(first.wrong.contains(wrong), "{error}");
    }
    let twin = good.replace("first", "bows");
    let error = plan(&text(&twin, "")).unwrap_err();
    assert!(error.first().wrong.contains("already the name of group[1]"), "{error}");
    for (lines, key, wrong) in [
        ("form = \"pikes\"\nformation = \"line\"", "order[0].form", "is a group"),
        ("form = \"first\"", "order[0].formation", "missing"),
        ("spawn = \"first\"\narea = { rect = [1, 1, 5, 5] }\ncount = 2", "order[0].spawn", "comp"),
        ("remove = \"first\"", "order[0].remove", "is a company"),
        ("move = \"first\"\nopposite = [5, 5]", "order[0].move", "takes no `opposite`"),
        ("stop = \"first\"\nformation = \"line\"", "order[0].formation", "takes no `formation`"),
        ("move = \"frist\"\ngoal = { point = [5, 5] }", "order[0].move", "not the name of a group"),
    ] {
        let error = plan(&text(good, &format!("{order}{lines}"))).unwrap_err();
        let first = error.first();
        assert_eq!(first.key.as_str(), key, "{error}");
        assert!(first.wrong.contains(wrong), "{error}");
    }
}

//! Weapons, teams, armed groups, shots and the end of a battle in scenario files: what they become,
//! and every mistake refused with its place, key and what would be right.

use crate::common::scenarios::plan;
use throng::world::{Choice, GroupDef, Order, ShotArc, TEAMS, WeaponDef};
use throng::{GroupId, WeaponId};

const TOP: &str = "ticks = 100\nmap = { size = [40, 20] }\n";
const WEAPON: &str = "[[weapon]]\nname = \"bow\"\n";
const TEAMED: &str = "[[team]]\nname = \"red\"\n[[team]]\nname = \"blue\"\n";
const GROUP: &str = "[[group]]\nname = \"a\"\nspawn = { rect = [1, 1, 9, 9], count = 9 }\n";

/// Checks that a text has one problem, whose message begins and ends so.
fn refused(text: &str, begins: &str, ends: &str) {
    let error = match plan(text) {
        Err(error) => error,
        Ok(_) => panic!("this should have been refused ({begins}):\n{text}"),
    };
    let shown = error.to_string();
    assert_eq!(error.problems.len(), 1, "{shown}\nin:\n{text}");
    let begins = format!("bad.toml:{begins}");
    assert!(shown.starts_with(&begins) && shown.ends_with(ends), "{begins} … {ends}: {shown}");
}

#[test]
fn a_battle_becomes_orders() {
    let text = format!(
        "{TOP}{WEAPON}range = 50\narc = \"high\"\nchoice = \"threat\"\nsight = true\n\
         [[weapon]]\nname = \"gun\"\npreset = \"gun\"\ndamage = 70\n\
         {TEAMED}[[team]]\nname = \"green\"\ncolor = \"#00ff00\"\nallies = [\"red\"]\n\
         {GROUP}team = \"green\"\nweapon = \"gun\"\nhealth = 250\nheight = 2.5\nhalts = false\n\
         [[group]]\nname = \"b\"\ncolor = \"#010203\"\nteam = \"blue\"\n[[group]]\nname = \"c\"\n\
         [[order]]\ntick = 3\nlaunch = \"b\"\nweapon = \"bow\"\nfrom = [4, 5, 6]\n\
         velocity = [7, -8, 9.5]\n[end]\nbeaten = 0.75\n"
    );
    let plan = plan(&text).unwrap_or_else(|e| panic!("{e}"));
    let bow = WeaponDef {
        range: 50.0,
        arc: ShotArc::High,
        choice: Choice::Threat,
        sight: true,
        ..WeaponDef::default()
    };
    let gun = WeaponDef { damage: 70.0, ..WeaponDef::preset("gun").unwrap() };
    let (red, blue, green) = (1, 2, 4);
    let armed = GroupDef {
        team: 2,
        foes: blue,
        weapon: Some(WeaponId::new(1)),
        health: 250.0,
        height: 2.5,
        halts: false,
        ..GroupDef::default()
    };
    let unarmed = GroupDef { team: 1, foes: red | green, ..GroupDef::default() };
    // Groups without a team are on one that no group fights.
    let bystanders = GroupDef { team: TEAMS - 1, ..GroupDef::default() };
    let orders: Vec<Order> = plan.orders.iter().map(|order| order.1.clone()).collect();
    assert_eq!(orders[..2], [bow, gun].map(|def| Order::Weapon { def }));
    assert_eq!(orders[2..5], [armed, unarmed, bystanders].map(|def| Order::Group { def }));
    let (from, velocity) = ([4.0, 5.0, 6.0], [7.0, -8.0, 9.5]);
    let shot = Order::Launch { group: GroupId::new(1), weapon: WeaponId::new(0), from, velocity };
    assert_eq!(plan.orders.last(), Some(&(3, shot)));
    assert_eq!((plan.end.arrived, plan.end.beaten), (None, Some(0.75)));
    let names: Vec<&str> = plan.scene.teams.iter().map(|team| team.name.as_str()).collect();
    assert_eq!(names, ["red", "blue", "green"]);
    assert_eq!(plan.scene.teams.iter().map(|team| team.foes).collect::<Vec<_>>(), [2, 5, 2]);
    assert_eq!(plan.scene.weapons, ["bow", "gun"]);
    let colours: Vec<[u8; 3]> = plan.scene.groups.iter().map(|group| group.color).collect();
    assert_eq!(colours[..2], [[0, 255, 0], [1, 2, 3]]);
}

#[test]
fn without_teams_groups_are_as_ever() {
    let plan = plan(&format!("{TOP}{GROUP}")).unwrap();
    assert_eq!(plan.orders[0].1, Order::Group { def: GroupDef::default() });
    assert!(plan.scene.teams.is_empty() && plan.scene.weapons.is_empty());
}

/// Lines of a weapon, from line 5 on.
const WEAPONS: [(&str, &str, &str); 6] = [
    (
        "range = 0",
        "5:9: key `weapon[0].range`: 0 is below 0.1",
        "a distance in metres, 0.1 to 2000",
    ),
    (
        "min_range = 61",
        "5:13: key `weapon[0].min_range`: the smallest distance is 61 m",
        "at most the `range` of 60 m",
    ),
    (
        "preset = \"catapult\"\nrange = 30",
        "6:9: key `weapon[0].range`: the smallest distance is 40 m",
        "at most the `range` of 30 m",
    ),
    (
        "preset = \"bwo\"",
        "5:10: key `weapon[0].preset`: \"bwo\" is no preset",
        "\"bow\", if that is what you meant",
    ),
    ("[[weapon]]", "5:1: key `weapon[1].name`: missing", "a name of its own"),
    (
        "[[weapon]]\nname = \"bow\"",
        "6:8: key `weapon[1].name`: \"bow\" is already the name of weapon[0]",
        "a name of its own",
    ),
];

#[test]
fn weapons() {
    for (lines, begins, ends) in WEAPONS {
        refused(&format!("{TOP}{WEAPON}{lines}\n{GROUP}"), begins, ends);
    }
    let many = "[[weapon]]\nname = \"w\"\n".repeat(1_025);
    let error = plan(&format!("{TOP}{GROUP}{many}")).unwrap_err().to_string();
    assert!(
        error
            .ends_with("1025 entries, more than 1024; expected `[[weapon]]` tables, at most 1,024")
    );
}

/// Lines of the second team, from line 7 on.
const TEAMS_LINES: [(&str, &str, &str); 7] = [
    ("color = \"red\"", "7:9: key `team[1].color`: \"red\" is not a colour", "as in \"#d94f4f\""),
    (
        "alies = [\"red\"]",
        "7:1: key `team[1].alies`: there is no such key",
        "`allies`, if that is what you meant",
    ),
    (
        "allies = \"red\"",
        "7:10: key `team[1].allies`: \"red\" is a text",
        "an array of names of teams",
    ),
    (
        "allies = [\"rde\"]",
        "7:11: key `team[1].allies[0]`: \"rde\" is not the name of a team",
        "\"red\", if that is what you meant",
    ),
    (
        "allies = [\"blue\"]",
        "7:11: key `team[1].allies[0]`: \"blue\" is the team itself",
        "the name of another team",
    ),
    (
        "[[team]]\nname = \"red\"",
        "8:8: key `team[2].name`: \"red\" is already the name of team[0]",
        "a name of its own",
    ),
    (
        "foes = []",
        "7:1: key `team[1].foes`: there is no such key",
        "one of `name`, `color`, `allies`, `review`, `strategy`",
    ),
];

#[test]
fn teams() {
    for (lines, begins, ends) in TEAMS_LINES {
        refused(&format!("{TOP}{TEAMED}{lines}\n{GROUP}"), begins, ends);
    }
    let named = |i: usize| format!("[[team]]\nname = \"{i}\"\n");
    let many = |count| format!("{TOP}{GROUP}{}", (0..count).map(named).collect::<String>());
    let most = plan(&many(31)).unwrap();
    assert_eq!(most.scene.teams[30].foes, (1 << 30) - 1);
    let error = plan(&many(32)).unwrap_err().to_string();
    assert!(error.ends_with("32 entries, more than 31; expected `[[team]]` tables, at most 31"));
}

/// Lines of the group, from line 6 on; the weapon and two teams follow it.
const GROUPS: [(&str, &str, &str); 5] = [
    (
        "weapon = \"bow\"",
        "6:10: key `group[0].weapon`: the group has a weapon, but is on no team and so has no foes",
        "a `team` beside `weapon`",
    ),
    (
        "weapon = \"bwo\"\nteam = \"red\"",
        "6:10: key `group[0].weapon`: \"bwo\" is not the name of a weapon",
        "\"bow\", if that is what you meant",
    ),
    (
        "team = \"yellow\"",
        "6:8: key `group[0].team`: \"yellow\" is not the name of a team",
        "one of `blue`, `red`",
    ),
    ("team = 1", "6:8: key `group[0].team`: 1 is a number", "the name of a team, a text in quotes"),
    (
        "weapon = \"bow\"\ntaem = \"red\"",
        "7:1: key `group[0].taem`: there is no such key",
        "`team`, if that is what you meant",
    ),
];

#[test]
fn groups() {
    for (lines, begins, ends) in GROUPS {
        refused(&format!("{TOP}{GROUP}{lines}\n{WEAPON}{TEAMED}"), begins, ends);
    }
    let armed = "team = \"red\"\nweapon = \"bow\"\n";
    refused(
        &format!("{TOP}{GROUP}{armed}{TEAMED}"),
        "7:10: key `group[0].weapon`: \"bow\" is not the name of a weapon",
        "a `[[weapon]]` of that name",
    );
}

/// Lines of an order, from line 7 on.
const LAUNCHES: [(&str, &str, &str); 10] = [
    (
        "from = [1, 1, 1]\nvelocity = [1, 1, 1]",
        "6:1: key `order[0].weapon`: missing",
        "the name of a weapon",
    ),
    (
        "weapon = \"bow\"\nvelocity = [1, 1, 1]",
        "6:1: key `order[0].from`: missing",
        "[x, y, height] in metres",
    ),
    (
        "weapon = \"bow\"\nfrom = [1, 1, 1]",
        "6:1: key `order[0].velocity`: missing",
        "[x, y, upwards] in m/s",
    ),
    (
        "weapon = \"bo\"\nfrom = [1, 1, 1]\nvelocity = [1, 1, 1]",
        "9:10: key `order[0].weapon`: \"bo\" is not the name of a weapon",
        "\"bow\", if that is what you meant",
    ),
    (
        "weapon = \"bow\"\nfrom = [1, 1]\nvelocity = [1, 1, 1]",
        "10:8: key `order[0].from`: [1, 1] has 2 numbers, not 3",
        "[x, y, height] in metres",
    ),
    (
        "weapon = \"bow\"\nfrom = [1, 1, 8001]\nvelocity = [1, 1, 1]",
        "10:8: key `order[0].from`: [1, 1, 8001] is too high, or too low",
        "-8000 to 8000 m",
    ),
    (
        "weapon = \"bow\"\nfrom = [1, 1, 1]\nvelocity = [1, 12001, 1]",
        "11:12: key `order[0].velocity`: [1, 12001, 1] is too fast",
        "12000 m/s along each axis",
    ),
    (
        "weapon = \"bow\"\nfrom = [40, 1, 1]\nvelocity = [1, 1, 1]",
        "10:8: key `order[0].from`: the point (40, 1) lies off the map",
        "y from 0 to 20",
    ),
    (
        "weapon = \"bow\"\nfrom = [1, 1, 1]\nvelocity = [1, 1, 1]\ncount = 2",
        "12:9: key `order[0].count`: `launch` takes no `count`",
        "`weapon`, `from`, `velocity` beside `tick` and `launch`",
    ),
    (
        "weapon = \"bow\"\nfrom = [1, 1, 1]\nvelocity = [1, 1, nan]",
        "11:19: key `order[0].velocity[2]`: nan is not a finite number",
        "1000000",
    ),
];

#[test]
fn shots() {
    for (lines, begins, ends) in LAUNCHES {
        let order = format!("[[order]]\ntick = 1\nlaunch = \"a\"\n{lines}\n");
        let text = format!("{TOP}{GROUP}{order}{WEAPON}");
        refused(&text, begins, ends);
    }
    refused(
        &format!(
            "{TOP}{GROUP}[[company]]\nname = \"c\"\ngroups = [\"a\"]\n{WEAPON}[[order]]\ntick = 1\n\
             launch = \"c\"\nweapon = \"bow\"\nfrom = [1, 1, 1]\nvelocity = [1, 1, 1]\n"
        ),
        "13:10: key `order[0].launch`: \"c\" is a company",
        "the name of one of its groups",
    );
}

#[test]
fn ends() {
    let end =
        |share: &str, teams: &str| format!("end = {{ beaten = {share} }}\n{TOP}{GROUP}{teams}");
    refused(&end("0", TEAMED), "1:18: key `end.beaten`: 0 is not above 0", "above 0 and at most 1");
    refused(&end("1.1", TEAMED), "1:18: key `end.beaten`: 1.1 is above 1", "above 0 and at most 1");
    let nobody = "1:18: key `end.beaten`: there are no two teams that fight each other";
    refused(&end("1", ""), nobody, "two `[[team]]` tables that are no allies");
    let allies = format!("{TEAMED}allies = [\"red\"]\n");
    refused(&end("1", &allies), nobody, "two `[[team]]` tables that are no allies");
    plan(&end("1", TEAMED)).unwrap();
}

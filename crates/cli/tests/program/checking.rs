//! What `throng check` finds before a run does, and runs whose agents leave.

use crate::running::Folder;
use serde_json::Value;

/// A street with a wall across.
const STREET: &str = "ticks = 400\n[map]\nsize = [60, 20]\nwalls = [{ rect = [30, 0, 31, 20] }]\n";

#[test]
fn goals_behind_walls_are_found() {
    let folder = Folder::new("check-cut-off");
    let group = "[[group]]\nname = \"walkers\"\ngoal = { disc = [50, 10, 5] }\n\
                 spawn = [{ rect = [2, 2, 8, 18], count = 20 }]\n";
    folder.write("cut.toml", format!("{STREET}{group}"));
    let none = ["order at tick 0 to `walkers` refused: no agent of the group can reach the goal"];
    folder.failed(&["check", "cut.toml"], &none);
    let some = group.replace("count = 20 }", "count = 20 }, { rect = [52, 2, 58, 9], count = 5 }");
    folder.write("some.toml", format!("{STREET}{some}"));
    let words = ["mistake: 20 agents of `walkers` cannot reach the goal of tick 0"];
    folder.failed(&["check", "some.toml"], &words);
    // A door that an order opens in time, and one that it closes.
    let open = "[[order]]\ntick = 9\ndemolish = { rect = [30, 8, 31, 12] }\n\
                [[order]]\ntick = 10\nmove = \"walkers\"\ngoal = { disc = [50, 10, 5] }\n";
    let later = group.replace("goal = { disc = [50, 10, 5] }\n", "");
    folder.write("open.toml", format!("{STREET}{later}{open}"));
    folder.fine(&["check", "open.toml"]);
    let closed = STREET.replace("0, 31, 20]", "0, 31, 8]");
    let close = "[[order]]\ntick = 5\nbuild = { rect = [30, 8, 31, 20] }\n";
    folder.write("close.toml", format!("{closed}{group}{close}"));
    folder.failed(&["check", "close.toml"], &["cannot reach the goal of tick 5"]);
}

#[test]
fn goals_that_are_too_small_are_told_as_a_run_tells_them() {
    let folder = Folder::new("check-small");
    let group = "[[group]]\nname = \"crowd\"\ngoal = { rect = [20, 8, 22, 10] }\n\
                 spawn = [{ rect = [2, 2, 18, 18], count = 120 }]\n";
    folder.write("small.toml", format!("{STREET}{group}"));
    let said = folder.fine(&["check", "small.toml"]).out;
    let note = said.lines().find(|line| line.contains("has room for")).expect("a note");
    // One that its agents leave is never full, but for another that they are sent to later.
    let leave = group.replace("\"crowd\"\n", "\"crowd\"\nleave = true\n");
    folder.write("leave.toml", format!("{STREET}{leave}"));
    assert!(!folder.fine(&["check", "leave.toml"]).out.contains("has room for"));
    let later = "[[order]]\ntick = 9\nmove = \"crowd\"\ngoal = { rect = [24, 8, 26, 10] }\n";
    folder.write("later.toml", format!("{STREET}{leave}{later}"));
    assert!(folder.fine(&["check", "later.toml"]).out.contains("has room for"));
    let told = folder.fine(&["run", "small.toml", "--no-files"]).out;
    let room = note.split("goal of").nth(1).unwrap().split(" (").next().unwrap();
    assert!(told.contains(&format!("goal of{room}")), "{note}\n{told}");
}

#[test]
fn polygons_are_maps_and_what_is_checked_is_drawn() {
    let folder = Folder::new("check-wkt");
    // Two rooms with a door 1 m wide between them, beside (0, 0).
    folder.write(
        "hall.wkt",
        "GEOMETRYCOLLECTION (POLYGON ((-4 2, 0 2, 0 3.5, 0.5 3.5, 0.5 2, 4 2, 4 6, 0.5 6, 0.5 4.5,\n\
         0 4.5, 0 6, -4 6, -4 2)))",
    );
    let said = folder.fine(&["check", "hall.wkt", "--cell", "0.25", "--picture", "hall.png"]);
    // 2 × 16 m² and the door of 0.5 m² of 8 m × 4 m.
    for words in ["32 × 16 cells of 0.25 m, 95.3 % open", "(0, 0) is (-4, 2) of the file"] {
        assert!(said.text().contains(words), "{}", said.out);
    }
    let scenario = "ticks = 900\n[end]\narrived = 1.0\n[map]\nfile = \"hall.wkt\"\ncell = 0.25\n\
         [[group]]\nname = \"people\"\npreset = \"pedestrian\"\ngoal = { rect = [5, 0, 8, 4] }\n\
         spawn = { rect = [0.5, 0.5, 3, 3.5], count = 8 }\n";
    folder.write("hall.toml", scenario);
    folder.fine(&["check", "hall.toml", "--picture", "start.png"]);
    for (name, least) in [("hall.png", [500, 250]), ("start.png", [500, 250])] {
        let picture = image::load_from_memory(&folder.read(name)).unwrap();
        assert!(picture.width() > least[0] && picture.height() > least[1], "{name}");
    }
    assert_ne!(folder.read("hall.png"), folder.read("start.png"));
    let run = folder.fine(&["run", "hall.toml", "--no-files", "--geometry", "again.wkt"]);
    assert!(run.text().contains("enough agents have arrived"), "{}", run.out);
    // The written geometry is the same ground.
    folder.fine(&["check", "again.wkt", "--cell", "0.25"]);
    folder.fine(&["run", "hall.toml", "--no-files", "--ticks", "5", "--map", "again.wkt"]);
    folder.write("bad.wkt", "POLYGON ((0 0, 4 0, 4 x, 0 0))");
    folder.bad(&["check", "bad.wkt"], &["line 1, column 23", "`x, 0 0))` where a number"]);
    folder.write("bad.toml", scenario.replace("hall.wkt", "bad.wkt"));
    folder.bad(&["check", "bad.toml"], &["bad.toml:5:8", "`bad.wkt`: line 1, column 23"]);
    folder.bad(&["check", "hall.toml", "--cell", "2"], &["--cell", "it is for map files"]);
    folder.bad(&["check", "hall.wkt", "--cell", "0"], &["0"]);
}

#[test]
fn all_that_ships_can_go_as_it_says() {
    let folder = Folder::new("check-shipped");
    for name in throng::scenario::builtin_names() {
        let said = folder.fine(&["check", name]).out;
        assert!(!said.contains("mistake"), "{said}");
    }
}

/// Agents that leave after three seconds.
const LEAVING: &str = r#"
ticks = 4000
[end]
arrived = 1.0
[map]
size = [40, 20]
[[machine]]
name = "guest"
start = "walk"
[[machine.state]]
name = "walk"
go = [{ to = "gone", when = "timer > 3" }]
[[machine.state]]
name = "gone"
enter = ["leave"]
[[group]]
name = "guests"
machine = "guest"
spawn = [{ rect = [2, 2, 18, 18], count = 60 }]
goal = { disc = [30, 10, 6] }
"#;

#[test]
fn agents_that_leave_count_as_arrived_and_the_run_ends_when_all_have() {
    let folder = Folder::new("check-leaving");
    folder.write("leave.toml", LEAVING);
    let done = folder.fine(&["run", "leave.toml", "--json", "a.json", "--record", "a.throng"]);
    for words in
        ["ended: all have left", "all have left; nobody inside", "60 more, counted as arrived"]
    {
        assert!(done.out.contains(words), "`{words}` is not in {}", done.out);
    }
    let json: Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
    assert_eq!(
        (&json["agents"], &json["arrived"], &json["left"]),
        (&0.into(), &60.into(), &60.into())
    );
    assert!(json["ticks"].as_u64().unwrap() < 2_000, "{json}");
    folder.fine(&["verify", "a.throng"]);
}

/// The first sentence of a summary says how many cannot get where they are sent.
#[test]
fn agents_that_cannot_arrive_are_told_first() {
    let folder = Folder::new("check-first");
    let group = "[[group]]\nname = \"walkers\"\ngoal = { disc = [50, 10, 5] }\n\
        spawn = [{ rect = [2, 2, 8, 18], count = 20 }, { rect = [52, 2, 58, 9], count = 5 }]\n";
    folder.write("cut.toml", format!("{STREET}{group}"));
    let said = folder.fine(&["run", "cut.toml", "--no-files", "--ticks", "40"]).out;
    let second = said.lines().nth(1).unwrap();
    assert!(second.starts_with("  20 of 25 agents cannot reach their goal; "), "{said}");
    assert!(!said.contains("nobody got stuck"), "{said}");
}

/// Parts of a hall of two rooms: an area in the left room and one in the right.
const ROOMS: &str = "ticks = 400\n[map]\nsize = [60, 20]\nwalls = [{ rect = [30, 0, 31, 20] }]\n\
    [[group]]\nname = \"guides\"\nspawn = { rect = [1, 1, 5, 5], count = 2 }\n\
    goal = { rect = [20, 2, 25, 8] }\n\
    [[group]]\nname = \"walkers\"\ngoal = { disc = [50, 10, 5] }\n";

/// What comes, leaves and follows is looked at as agents that are there are.
#[test]
fn sources_sinks_and_followers_that_are_cut_off_are_told() {
    let folder = Folder::new("check-traffic");
    let source = "[[source]]\nname = \"street\"\ngroup = \"walkers\"\nrate = 1\n";
    let sink = "[[sink]]\nname = \"out\"\ngroups = [\"guides\"]\n";
    let kids = "[[group]]\nname = \"kids\"\nfollow = { group = \"guides\" }\n";
    let cut = "reach the goal of tick 0: no way leads there";
    for (more, told) in [
        (
            format!("{source}rect = [2, 2, 4, 4]\n"),
            format!("mistake: agents of `walkers` that come by `street` cannot {cut}"),
        ),
        (
            format!("{source}rect = [28, 2, 33, 4]\n"),
            format!("mistake: some agents of `walkers` that come by `street` cannot {cut}"),
        ),
        (
            format!("{sink}rect = [50, 2, 58, 9]\n"),
            "note: no agents of `guides` can reach sink `out`: no way leads there".to_owned(),
        ),
        (
            format!("{kids}spawn = {{ rect = [40, 1, 45, 5], count = 3 }}\n"),
            "mistake: 3 agents of `kids` cannot reach the agents of `guides`".to_owned(),
        ),
    ] {
        folder.write("cut.toml", format!("{ROOMS}{more}"));
        let done = folder.run(&["check", "cut.toml"]);
        assert_eq!(done.code, Some(i32::from(told.starts_with("mistake"))), "{done:?}");
        assert!(done.text().contains(&told), "{told}: {}", done.text());
        // A gate in the wall, and all is well.
        folder.write("open.toml", format!("{ROOMS}{more}").replace("31, 20] }", "31, 15] }"));
        let said = folder.fine(&["check", "open.toml"]).text();
        assert!(!said.contains("no way"), "{said}");
    }
    // Around a corner they wait until the guides come by.
    let hidden = format!("{kids}spawn = {{ rect = [40, 1, 45, 5], count = 3 }}\n");
    folder.write("hidden.toml", format!("{ROOMS}{hidden}").replace("31, 20] }", "31, 15] }"));
    let said = folder.fine(&["check", "hidden.toml"]).text();
    assert!(said.contains("note: 3 agents of `kids` do not see the agents of `guides`"), "{said}");
    // Those that come by a source are followed from there.
    let later =
        format!("{ROOMS}{hidden}").replace("\nspawn = { rect = [1, 1, 5, 5], count = 2 }", "");
    let later = format!("{later}{source}rect = [2, 2, 4, 4]\n")
        .replace("\"walkers\"\nrate", "\"guides\"\nrate");
    folder.write("later.toml", later);
    folder.failed(&["check", "later.toml"], &["3 agents of `kids` cannot reach the agents of"]);
}

/// A structure that is laid over walls, and one where there is nothing to build.
#[test]
fn structures_over_walls_are_told_by_their_names() {
    let folder = Folder::new("check-structures");
    let structures = "[[structure]]\nname = \"gate\"\nrect = [29, 8, 32, 12]\n\
        [[structure]]\nname = \"again\"\nrect = [29, 8, 32, 12]\n";
    folder.write("walls.toml", format!("{ROOMS}{structures}").replace("disc = [50", "disc = [20"));
    let told = [
        "structure `gate`: 4 of its 12 cells were walls before",
        "mistake: order at tick 0 to structure `again` refused: there is no open cell in the area",
    ];
    folder.failed(&["check", "walls.toml"], &told);
    let said = folder.fine(&["run", "walls.toml", "--no-files", "--ticks", "5"]).text();
    assert!(said.contains("note: order at tick 0 to structure `again` refused"), "{said}");
}

/// Two teams on either side of a wall; `{plan}` is what red sets out to do.
const WAR: &str = "ticks = 100\n[map]\nsize = [80, 40]\n{walls}\n[[weapon]]\nname = \"bow\"\n\
    [[team]]\nname = \"red\"\n[[team.strategy]]\nname = \"go\"\n{plan}\n{blue}\
    [[group]]\nname = \"spears\"\nteam = \"red\"\nweapon = \"bow\"\n{goal}\n\
    spawn = { rect = [2, 2, 10, 10], count = 5 }\n";
const BLUE: &str = "[[team]]\nname = \"blue\"\n[[group]]\nname = \"foe\"\nteam = \"blue\"\n\
    weapon = \"bow\"\nspawn = { rect = [60, 2, 70, 10], count = 5 }\n";

/// Notes on strategies name the strategy and its step, and say what to do.
#[test]
fn strategies_that_cannot_go_as_they_say_are_told() {
    let folder = Folder::new("check-strategies");
    let wall = "walls = [{ rect = [38, 0, 40, 40] }]";
    let check = |[walls, plan, blue, goal]: [&str; 4], code: i32, told: &str| {
        let text = WAR.replace("{walls}", walls).replace("{plan}", &format!("plan = [{plan}]"));
        folder.write("war.toml", text.replace("{blue}", blue).replace("{goal}", goal));
        let done = folder.run(&["check", "war.toml"]);
        assert!(done.code == Some(code) && done.text().contains(told), "{told}: {}", done.text());
        done.text()
    };
    let (march, area) = ("{ step = \"march\", to = \"enemy\" }", "at = { disc = [60, 20, 5] } }");
    let gather = &format!("{{ step = \"gather\", {area}");
    // The middle of the foe is no goal that has to have room.
    let said = check(["", march, BLUE, ""], 0, "a good scenario");
    assert!(!said.contains("note") && !said.contains("room"), "{said}");
    let told = "mistake: strategy `go`, step 1 (march): `red` has no foes";
    check(["", march, "", ""], 1, told);
    let told = "note: strategy `go`, step 1 (march): agents of `spears` cannot reach a foe";
    check([wall, march, BLUE, ""], 0, told);
    let told = "mistake: strategy `go`, step 1 (gather): agents of `spears` cannot reach its area";
    check([wall, gather, BLUE, ""], 1, told);
    let told = "note: strategy `go`, step 1 (hold) has no effect, as step 2 (march) begins with it";
    check(["", &format!("{{ step = \"hold\" }}, {march}"), BLUE, ""], 0, told);
    let small = gather.replace("20, 5]", "20, 0.5]");
    let told = "note: strategy `go` sends the 5 of `spears` where there is room for 1";
    check(["", &small, BLUE, ""], 0, told);
    let told = "note: `spears` never goes to its goal, as strategy `go` commands it";
    check(["", gather, BLUE, "goal = { rect = [20, 2, 25, 8] }"], 0, told);
}

/// What can have no effect is told, and exits that no way leads to are a mistake.
#[test]
fn what_has_no_effect_is_told() {
    const HALL: &str = "ticks = 400\n[map]\nsize = [60, 30]\nwalls = [{ rect = [29, 0, 31, 30] }]\n\
        [[group]]\nname = \"walkers\"\nspawn = { rect = [2, 2, 20, 28], count = 30 }\n";
    let goal = format!("{HALL}goal = {{ rect = [20, 10, 28, 20] }}\n");
    let source =
        "[[source]]\nname = \"street\"\ngroup = \"walkers\"\nrect = [2, 2, 5, 5]\nrate = 1\n";
    let children = "[[group]]\nname = \"children\"\nspawn = { rect = [2, 2, 9, 9], count = 5 }\n\
        follow = { group = \"parents\" }\n[[group]]\nname = \"parents\"\n";
    let folder = Folder::new("check-idle");
    for (text, told) in [
        (
            format!("{goal}{source}start = 9\nend = 5\n"),
            "source `street` brings no agents: it starts at 9.0 s and ends at 5.0 s",
        ),
        (
            format!("{goal}{source}start = 50\n"),
            "source `street` brings no agents: it starts at 50.0 s, the run ends at 20.0 s",
        ),
        (format!("{goal}{children}"), "`children` follows `parents`, which never has agents"),
        (format!("{goal}[end]\nleft = 1\n"), "`[end] left` never ends the run: there is no sink"),
    ] {
        folder.write("idle.toml", text);
        let done = folder.fine(&["check", "idle.toml"]);
        assert!(done.text().contains(&format!("note: {told}")), "{told}: {}", done.text());
    }
    folder.write("goal.toml", goal);
    assert!(!folder.fine(&["check", "goal.toml"]).text().contains("note"));
    folder.write("exits.toml", format!("{HALL}exits = [{{ rect = [50, 10, 58, 20] }}]\n"));
    let done = folder.run(&["check", "exits.toml"]);
    let told = "30 agents of `walkers` cannot reach the goal of tick 0: no way leads there";
    assert!(done.code == Some(1) && done.text().contains(told), "{}", done.text());
    folder.fine(&["run", "exits.toml", "--quiet", "--no-files", "--json", "exits.json"]);
    let summary: Value = serde_json::from_slice(&folder.read("exits.json")).unwrap();
    assert_eq!(summary["unreachable"], 30);
}

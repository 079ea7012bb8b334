//! Strategies in scenario files: what they become, and every mistake refused with its place, key and
//! what would be right.

use crate::common::scenarios::plan;
use throng::GroupId;
use throng::map::area::Shape;
use throng::mind::{Expression, Place, StepDef, StepKind, StrategiesDef, Wing};
use throng::world::{Order, strategy_input_names};

const TOP: &str = "ticks = 100\ntick_rate = 10\n\
                   map = { size = [40, 20], walls = [{ rect = [20, 8, 24, 12] }] }\n\
                   signals = [\"alarm\"]\n";
const GROUPS: &str = "[[team]]\nname = \"blue\"\n\
    [[machine]]\nname = \"rider\"\n[[machine.state]]\nname = \"wait\"\n[[machine.state]]\nname = \"flank\"\n\
    [[group]]\nname = \"foot\"\nteam = \"red\"\nspawn = { rect = [1, 1, 9, 9], count = 9 }\n\
    [[group]]\nname = \"horse\"\nteam = \"red\"\nmachine = \"rider\"\n\
    [[group]]\nname = \"line\"\nteam = \"blue\"\n";

/// A scenario whose team red is this.
fn with(team: &str) -> String {
    format!("{TOP}[[team]]\nname = \"red\"\n{team}\n{GROUPS}")
}

#[test]
fn strategies_become_an_order() {
    let text = with(
        "review = 0.25\n[[team.strategy]]\nname = \"a\"\npriority = 7\nwhen = \"since.alarm < 5\"\n\
         while = \"strength.horse > 0.5\"\nexcludes = [\"b\"]\nplan = [\n\
         { step = \"gather\", at = { disc = [5, 5, 3] } },\n\
         { step = \"flank\", groups = [\"horse\"], side = \"right\", distance = 12, until = \"arrived\" },\n\
         { step = \"march\", groups = [\"foot\"], to = \"enemy\", renew = 2 },\n\
         { step = \"retreat\", groups = [\"foot\"], to = \"home\" },\n\
         { step = \"hold\", groups = [\"horse\"], state = \"wait\" }]\n\
         [[team.strategy]]\nname = \"b\"\ngroups = [\"foot\"]\nplan = [{ step = \"retreat\" }]\n",
    );
    let plan = plan(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut orders = plan.orders.iter().filter_map(|(tick, order)| match order {
        Order::Strategies { team: 0, def } => Some((*tick, def.clone())),
        _ => None,
    });
    let (tick, def) = orders.next().expect("an order");
    assert_eq!((tick, orders.next()), (0, None));
    let names = ["foot", "horse"].map(str::to_owned);
    let inputs = strategy_input_names(&["alarm".to_owned()], &names);
    let when = |text: &str| Expression::parse(text, &inputs).unwrap();
    let home = vec![Shape::Rect { min: [1.0, 1.0], max: [9.0, 9.0] }];
    let disc = Place::Area(vec![Shape::Disc { centre: [5.0, 5.0], radius: 3.0 }]);
    let steps = vec![
        StepDef {
            place: disc,
            ..StepDef::new(StepKind::Gather, vec![GroupId::new(0), GroupId::new(1)])
        },
        StepDef {
            side: Wing::Right,
            distance: 12.0,
            until: Some(when("arrived")),
            ..StepDef::new(StepKind::Flank, vec![GroupId::new(1)])
        },
        StepDef {
            place: Place::Enemy,
            renew: 2.0,
            ..StepDef::new(StepKind::March, vec![GroupId::new(0)])
        },
        StepDef { place: Place::Home, ..StepDef::new(StepKind::Retreat, vec![GroupId::new(0)]) },
        StepDef {
            state: Some("wait".to_owned()),
            ..StepDef::new(StepKind::Hold, vec![GroupId::new(1)])
        },
    ];
    // 0.25 s are 2.5 ticks, of which the nearest whole number is 3.
    let StrategiesDef { review, groups, strategies } = def;
    assert_eq!(review, 3);
    let homes: Vec<_> = groups.into_iter().map(|c| (c.group, c.home)).collect();
    assert_eq!(homes, [(GroupId::new(0), home), (GroupId::new(1), vec![])]);
    let [a, b] = &strategies[..] else { panic!("two") };
    assert_eq!((a.priority, &a.excludes, &a.steps), (7, &vec![1], &steps));
    assert_eq!(
        (&a.begin, &a.keep),
        (&when("since.alarm < 5"), &Some(when("strength.horse > 0.5")))
    );
    assert_eq!((b.priority, b.begin.is_always(), &b.keep), (0, true, &None));
    assert_eq!(b.steps, [StepDef::new(StepKind::Retreat, vec![GroupId::new(0)])]);
}

/// A strategy with these keys and this plan, and what is wrong with it.
fn refused(keys: &str, steps: &str, begins: &str, ends: &str) {
    let text = with(&format!("[[team.strategy]]\nname = \"a\"\n{keys}plan = [{steps}]\n"));
    let error = match plan(&text) {
        Err(error) => error,
        Ok(_) => panic!("this should have been refused ({begins}): {keys} {steps}"),
    };
    let shown = error.to_string();
    assert_eq!(error.problems.len(), 1, "{shown}\nin: {keys} {steps}");
    let begins = format!("key `team[0].strategy[0].{begins}");
    assert!(shown.contains(&begins) && shown.ends_with(ends), "{begins} … {ends}: {shown}");
    let line = text.lines().nth(error.first().line as usize - 1).unwrap();
    let key = error.first().key.rsplit('.').next().unwrap().split('[').next().unwrap().to_owned();
    assert!(line.contains(&key) || error.first().wrong == "missing", "{shown} points at {line}");
}

#[test]
fn mistakes_are_refused() {
    let hold = "{ step = \"hold\" }, { step = \"flank\", side = \"left\" }";
    refused("priority = 1.5\n", hold, "priority`: 1.5 is not a whole number", "from 0 to 1000");
    refused("priority = -1\n", hold, "priority`: -1 is below 0", "from 0 to 1000");
    refused("priority = 1001\n", hold, "priority`: 1001 is above 1000", "from 0 to 1000");
    let meant = "`strength`, if that is what you meant";
    refused("when = \"strenght < 1\"\n", hold, "when`: found `strenght`", meant);
    refused("when = \"qqq < 1\"\n", hold, "when`: found `qqq`", "expected the name of an input");
    let meant = "`since.alarm`, if that is what you meant";
    refused("while = \"since.alarn < 1\"\n", hold, "while`: found `since.alarn`", meant);
    let meant = "`strength.foot`, if that is what you meant";
    refused("while = \"strength.food < 1\"\n", hold, "while`: found `strength.food`", meant);
    refused(
        "when = \"strength <\"\n",
        hold,
        "when`: the condition ends too early",
        "the name of an input",
    );
    refused(
        "excludes = [\"zebra\"]\n",
        hold,
        "excludes[0]`: \"zebra\" is not the name of a strategy",
        "one of `a`",
    );
    refused(
        "excludes = [\"a\"]\n",
        hold,
        "excludes[0]`: \"a\" is the strategy itself",
        "the name of another strategy",
    );
    refused(
        "groups = [\"fool\"]\n",
        hold,
        "groups[0]`: \"fool\" is not the name of a group",
        "\"foot\", if that is what you meant",
    );
    refused(
        "groups = [\"line\"]\n",
        hold,
        "groups[0]`: \"line\" is a group of another team",
        "a group of the team",
    );
    refused(
        "groups = [\"foot\", \"foot\"]\n",
        hold,
        "groups[1]`: \"foot\" is listed twice",
        "every group once",
    );
    refused("groups = []\n", hold, "groups`: [] names no group", "of the team");
    refused("colour = 1\n", hold, "colour`: there is no such key", "`plan`");
    refused("", "", "plan`: [] has no step", "to = \"enemy\" }]");
    let steps = [
        ("{ step = \"charge\" }", "step`: \"charge\" is no step", "`retreat`"),
        ("{ step = \"march\" }", "to`: missing", "\"enemy\" or \"home\""),
        (
            "{ step = \"march\", to = \"foe\" }",
            "to`: \"foe\" is no place",
            "an area, or one of `enemy`, `home`",
        ),
        ("{ step = \"march\", to = { disc = [50, 5, 3] } }", "to.disc`: ", "y from 0 to 20"),
        (
            "{ step = \"march\", to = { rect = [21, 9, 23, 11] } }",
            "to.rect`: ",
            "an area with open cells",
        ),
        (
            "{ step = \"march\", to = \"home\" }",
            "to`: `horse` has no `spawn`",
            "groups with a `spawn`",
        ),
        (
            "{ step = \"hold\", at = { disc = [5, 5, 3] } }",
            "at`: `hold` takes no `at`",
            "a `hold` without it",
        ),
        (
            "{ step = \"gather\", to = { disc = [5, 5, 3] } }",
            "to`: `gather` takes no `to`",
            "at most `at`",
        ),
        ("{ step = \"flank\" }", "side`: missing", "as seen from the groups"),
        ("{ step = \"flank\", side = \"middle\" }", "side`: \"middle\" is no side", "`right`"),
        (
            "{ step = \"flank\", side = \"left\", distance = 0 }",
            "distance`: 0 is below 1",
            "1 to 1000",
        ),
        (
            "{ step = \"march\", to = \"enemy\", renew = 0.1 }",
            "renew`: 0.1 is below 0.5",
            "0.5 to 3600",
        ),
        (
            "{ step = \"hold\", until = \"arived\" }",
            "until`: found `arived`",
            "`arrived`, if that is what you meant",
        ),
        (
            "{ step = \"hold\", groups = [\"line\"] }",
            "groups[0]`: \"line\" is a group of another team",
            "of the team",
        ),
        (
            "{ step = \"hold\", state = \"flak\" }",
            "state`: \"flak\" is no state of `rider`, the machine of `horse`",
            "\"flank\", if that is what you meant",
        ),
        (
            "{ step = \"hold\", groups = [\"foot\"], state = \"wait\" }",
            "state`: \"wait\" is for groups that think",
            "in at least one of them",
        ),
    ];
    for (step, begins, ends) in steps {
        // A step that uses the state `flank`, which nothing else leads to.
        let plan = format!("{step}, {{ step = \"flank\", side = \"left\" }}");
        refused("", &plan, &format!("plan[0].{begins}"), ends);
    }
}

#[test]
fn mistakes_of_teams_are_refused() {
    let two = "[[team.strategy]]\nname = \"a\"\nplan = [{ step = \"flank\", side = \"left\" }]\n";
    let shown = |text: &str| plan(text).err().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(shown(&with(two)), "");
    let twice = shown(&with(&format!("{two}{two}")));
    assert!(twice.contains("\"a\" is already the name of strategy[0]"), "{twice}");
    let alone = shown(&with("review = 2"));
    assert!(alone.contains("key `team[0].review`: the team has nothing to review"), "{alone}");
    let rare =
        shown(&with(&format!("review = 3600\n{two}")).replace("tick_rate = 10", "tick_rate = 100"));
    assert!(
        rare.contains("3600 is 360000 ticks; expected at most 100,000 ticks, 1000 s"),
        "{rare}"
    );
    let empty = format!("{}[[team]]\nname = \"green\"\n{two}", with(""));
    let empty = shown(&empty);
    assert!(empty.contains("key `team[2].strategy`: the team has 0 groups"), "{empty}");
    // A strategy that always runs leaves nothing to less urgent ones.
    let idle = format!("{two}{}", two.replace("\"a\"", "\"b\"\npriority = 3"));
    let idle = shown(&with(&idle));
    assert!(
        idle.contains(
            "key `team[0].strategy[0]`: strategy `a` can never run: `b`, of priority 3, always runs"
        ),
        "{idle}"
    );
    let equal = shown(&with(&format!("{two}{}", two.replace("\"a\"", "\"b\"\npriority = 0"))));
    assert!(
        equal.contains("key `team[0].strategy[1].priority`: strategy `b` can never run"),
        "{equal}"
    );
    // Without a step that leads to it the state cannot be reached.
    let lost = shown(&with(&two.replace("\"flank\", side = \"left\"", "\"hold\"")));
    assert!(lost.contains("state `flank` cannot be reached from the start"), "{lost}");
}

//! The winners of a battle, what its tables say, and how a fight is drawn.

use throng::map::Map;
use throng::map::area::Shape;
use throng::report::battle::{
    Battle, BattleMeter, BattleNames, Side, TeamOutcome, WeaponOutcome, sides, victors,
};
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, WeaponDef, World};
use throng::{GroupId, WeaponId};
use throng_cli::summary::Summary;

fn side(team: u8, foes: u32, left: u64, fallen: u64) -> Side {
    Side { team, foes, left, fallen }
}

#[test]
fn a_battle_ends_when_no_two_foes_can_fight_on() {
    let two =
        |a: [u64; 2], b: [u64; 2]| victors(&[side(0, 2, a[0], a[1]), side(1, 1, b[0], b[1])], 0.9);
    assert_eq!(two([100, 0], [100, 0]), None);
    assert_eq!(two([100, 0], [11, 89]), None, "89 % are not 90 %");
    assert_eq!(two([100, 0], [10, 90]), Some(1));
    assert_eq!(two([10, 90], [100, 0]), Some(2));
    assert_eq!(two([1, 99], [0, 100]), Some(0), "nobody is left");
    // A team without agents so far is not beaten.
    assert_eq!(two([100, 0], [0, 0]), None);
    assert_eq!(victors(&[side(0, 2, 5, 5), side(1, 1, 0, 10)], 1.0), Some(1));
    assert_eq!(victors(&[side(0, 2, 5, 5), side(1, 1, 1, 9)], 1.0), None);
    // Two allies against a third.
    let three = |a, b, c| victors(&[side(0, 4, a, 9), side(1, 4, b, 9), side(2, 3, c, 9)], 0.9);
    assert_eq!(three(9, 9, 9), None);
    assert_eq!(three(9, 0, 9), None, "the other ally fights on");
    assert_eq!(three(9, 9, 1), Some(0b011));
    assert_eq!(three(1, 1, 9), Some(0b100));
    assert_eq!(victors(&[], 0.9), Some(0));
}

fn battle() -> Battle {
    let team = |name: &str, left: u64, kills| TeamOutcome {
        name: name.to_owned(),
        began: 20_000,
        left,
        losses: 20_000 - left,
        kills,
        friends_killed: Some(0),
    };
    let weapon = WeaponOutcome {
        name: "bow".to_owned(),
        fired: 12_000,
        struck: 3_000,
        ground: 7_000,
        walls: 1_500,
        lost: 400,
        in_flight: 100,
        leaked: 0,
        hurt: 2_900,
        kills: 900,
        damage: 101_500.4,
        hit_rate: 0.25,
        hurt_per_shot: 0.241_7,
    };
    Battle {
        winner: Some("red".to_owned()),
        teams: vec![team("red", 8_123, Some(18_200)), team("blue", 1_800, None)],
        weapons: vec![weapon],
    }
}

#[test]
fn the_tables_of_a_battle_are_aligned() {
    let text = battle().to_string();
    let expected = "  team                began      left    losses     kills
  red                20,000     8,123    11,877    18,200
  blue               20,000     1,800    18,200         ?

  weapon              fired    struck    ground     walls      lost in flight
  bow                12,000     3,000     7,000     1,500       400       100

  weapon           hit rate      hurt hurt a shot     kills    damage
  bow                25.0 %     2,900        0.24       900   101,500
";
    assert_eq!(text, expected);
    let mut bad = battle();
    bad.weapons[0].leaked = -3;
    bad.teams[0].friends_killed = Some(7);
    let text = bad.to_string();
    assert!(text.contains("-3 SHOTS OF bow ARE LOST TRACK OF"), "{text}");
    assert!(
        text.contains(
            "own kills\n  red                20,000     8,123    11,877    18,200         7"
        ),
        "{text}"
    );
    assert_eq!(battle().strengths(), "red 8,123, blue 1,800");
}

#[test]
fn a_summary_has_a_battle_only_where_there_is_one() {
    let plain = Summary { battle: None, ..Summary::default() };
    let fought = Summary { battle: Some(battle()), ..Summary::default() };
    assert!(!plain.to_text().contains("team "));
    let text = fought.to_text();
    assert!(text.contains("\n  red won; nobody inside a wall;"), "{text}");
    assert!(text.contains(&battle().to_string()), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let undecided = Battle { winner: None, ..battle() };
    assert_eq!(undecided.verdict(), "undecided");
}

#[test]
fn json_has_the_battle() {
    let json = |battle| {
        let summary = Summary { battle, ..Summary::default() };
        let text = serde_json::to_string_pretty(&summary).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    assert!(json(None).get("battle").is_none());
    let value = json(Some(battle()));
    assert_eq!(value["battle"]["winner"], "red");
    assert_eq!(value["battle"]["teams"][1]["losses"], 18_200);
    assert!(value["battle"]["teams"][1]["kills"].is_null());
    assert_eq!(value["battle"]["weapons"][0]["hit_rate"], 0.25);
    assert_eq!(value["battle"]["weapons"][0]["leaked"], 0);
}

/// Two teams of five on an open field of 60 m, out of each other's sight, and a shot in the air.
fn field() -> World<f32> {
    let map = Map::from_slowness(60, 40, 1.0, &vec![16; 60 * 40]);
    let mut world = World::<f32>::new(map, Settings::default()).unwrap();
    let group = |team: u8| Order::Group {
        def: GroupDef { team, foes: 3 & !(1 << team), ..GroupDef::default() },
    };
    let spawn = |group: u16, x: f64| Order::Spawn {
        group: GroupId::new(group),
        area: vec![Shape::Rect { min: [x, 5.0], max: [x + 4.0, 9.0] }],
        count: 5,
    };
    let orders = [
        Order::Weapon { def: WeaponDef { splash: 2.0, ..WeaponDef::default() } },
        Order::Weapon { def: WeaponDef::default() },
        group(0),
        group(1),
        spawn(0, 4.0),
        spawn(1, 50.0),
        Order::Launch {
            group: GroupId::new(0),
            weapon: WeaponId::new(0),
            from: [30.0, 20.0, 20.0],
            velocity: [2.0, 0.0, 3.0],
        },
        Order::Launch {
            group: GroupId::new(0),
            weapon: WeaponId::new(1),
            from: [20.0, 30.0, 8.0],
            velocity: [20.0, 0.0, 0.0],
        },
    ];
    tick(&mut world, &orders, &mut Scratch::new());
    world
}

#[test]
fn a_battle_is_read_from_a_world() {
    let world = field();
    assert_eq!(sides(&world), [side(0, 2, 5, 0), side(1, 1, 5, 0)]);
    let names = [String::from("red")];
    let names = BattleNames { teams: &names, weapons: &[] };
    let meter = BattleMeter::default();
    let battle = Battle::new(&world, 0.9, names, Some(&meter)).unwrap();
    assert_eq!(battle.winner, None);
    assert_eq!(battle.strengths(), "red 5, team 1 5");
    assert_eq!((battle.teams[0].kills, battle.teams[0].began), (Some(0), 5));
    for (index, weapon) in battle.weapons.iter().enumerate() {
        assert_eq!(weapon.name, format!("weapon {index}"));
        assert_eq!((weapon.fired, weapon.in_flight, weapon.leaked), (1, 1, 0));
    }
    let uncounted = Battle::new(&world, 0.9, names, None).unwrap();
    assert_eq!(uncounted.teams[0].kills, None);
    let peace = Map::from_slowness(9, 9, 1.0, &[16; 81]);
    let peace = World::<f32>::new(peace, Settings::default()).unwrap();
    assert_eq!(Battle::new(&peace, 0.9, names, None), None);
}

#[test]
fn what_flies_is_drawn_where_it_is() {
    use throng::report::observer::Observer;
    use throng_cli::draw::combat_overlay::CombatOverlay;
    use throng_cli::draw::film::{Film, FilmColours};
    use throng_cli::draw::picture;
    use throng_cli::draw::picture::PictureOptions;

    let world = field();
    let mut observer = Observer::new(0.05, vec![[200, 30, 20]; 2]);
    observer.load(&world);
    let mut combat_overlay = CombatOverlay::new(10);
    combat_overlay.observe(&world);
    combat_overlay.load(&world);
    let draw = |combat_overlay| {
        let options = PictureOptions { caption: "x", combat_overlay, ..PictureOptions::default() };
        picture::draw(world.map(), &observer.crowd(), &options)
    };
    let (without, with) = (draw(None), draw(Some(&combat_overlay)));
    let per_metre = without.width() as f32 / 60.0;
    let top = (40.0 * per_metre) as u32;
    let changed: Vec<[f32; 2]> = without
        .enumerate_pixels()
        .filter(|&(x, y, pixel)| y < top && pixel != with.get_pixel(x, y))
        .map(|(x, y, _)| [x as f32 / per_metre, y as f32 / per_metre])
        .collect();
    // The ball appears a quarter of its height farther up than its shadow; the arrow has a tail.
    let near = |[x, y]: [f32; 2], reach: f32| {
        let is_near = |at: &&[f32; 2]| (at[0] - x).abs() < reach && (at[1] - y).abs() < reach;
        changed.iter().filter(is_near).count()
    };
    let (shadow, ball, arrow) =
        (near([30.1, 20.0], 1.0), near([30.1, 15.0], 1.0), near([20.0, 28.0], 3.5));
    assert!(shadow > 50 && ball > 50 && arrow > 20, "{shadow} {ball} {arrow}");
    assert_eq!(shadow + ball + arrow, changed.len(), "nothing else is drawn");
    let colours = FilmColours { groups: &[[200, 30, 20]; 2], letters: &[] };
    let mut film = Film::new(Vec::new(), world.map(), colours, 20.0).unwrap();
    film.push(&observer.crowd()).unwrap();
    film.push_fight(&observer.crowd(), Some(&combat_overlay)).unwrap();
    assert!(film.finish().unwrap().len() > 1_000);
}

//! Frames hold the world as it is, whichever way it was come to.

use throng::GroupId;
use throng::map::area::extent;
use throng::replay::{Player, RecordOptions, Recorder, Replay};
use throng::scenario::{Plan, ScenarioDef, builtin};
use throng::state;
use throng::tick::{Scratch, tick};
use throng::world::World;

use crate::running::Folder;
use crate::view::client::{FrameOf, Served, serve};

/// Where an agent is by the world, and by the frame's own rule: in steps of the frame's sides.
fn check_dense(frame: &FrameOf, world: &World<f32>) {
    let [width, height] = extent(world.map());
    let places = frame.head["places"].as_u64().unwrap() as usize;
    assert_eq!(frame.head["near"], false);
    assert_eq!(frame.head["agents"], world.len());
    assert_eq!(frame.body.len(), places * 6, "six bytes an agent");
    let (positions, words) = frame.body.split_at(places * 4);
    let mut shown = vec![false; places];
    for (row, tag) in world.tags().iter().enumerate() {
        let id = tag.id as usize;
        shown[id] = true;
        let [x, y] = world.positions()[row].map(f64::from);
        let place = |at: usize| f64::from(u16::from_le_bytes([positions[at], positions[at + 1]]));
        let [fx, fy] = [place(id * 4) / 65_535.0 * width, place(id * 4 + 2) / 65_535.0 * height];
        assert!((fx - x).abs() < 0.6 * width / 65_535.0, "agent {id}: {fx} {x}");
        assert!((fy - y).abs() < 0.6 * height / 65_535.0, "agent {id}: {fy} {y}");
        assert_eq!(u16::from(words[id * 2]), world.base_group(tag.group), "agent {id}");
        // Agents of kinds 1 and 2 have arrived, of kinds 1 and 3 they stand.
        let kind = words[id * 2 + 1] >> 5;
        let has = |bit: u8| tag.state & bit != 0;
        let (arrived, settled) =
            (has(throng::world::state::ARRIVED), has(throng::world::state::SETTLED));
        assert_eq!(matches!(kind, 1 | 2), arrived, "agent {id}: {kind}");
        assert_eq!(matches!(kind, 1 | 3), settled, "agent {id}: {kind}");
    }
    for (id, shown) in shown.into_iter().enumerate() {
        assert_eq!(words[id * 2] == 255, !shown, "place {id}");
    }
}

/// The agents of a window, each with its place to a fraction of a millimetre, its heading and speed.
fn check_near(frame: &FrameOf, world: &World<f32>, window: [f64; 4]) {
    assert_eq!(frame.head["near"], true);
    let sides: Vec<f64> = serde_json::from_value(frame.head["frame"].clone()).unwrap();
    let agents: Vec<&[u8]> = frame.body.chunks_exact(12).collect();
    assert_eq!(agents.len() as u64, frame.head["places"].as_u64().unwrap());
    let ids: Vec<u32> =
        agents.iter().map(|agent| u32::from_le_bytes(agent[..4].try_into().unwrap())).collect();
    assert!(ids.is_sorted());
    let top = world.groups().iter().map(|g| g.def.speed * g.def.sprint).fold(0.1, f64::max);
    let mut inside = 0;
    for (row, tag) in world.tags().iter().enumerate() {
        let [x, y] = world.positions()[row].map(f64::from);
        let is_inside = window[0] <= x && x <= window[2] && window[1] <= y && y <= window[3];
        let Ok(at) = ids.binary_search(&tag.id) else {
            assert!(!is_inside, "agent {} is missing", tag.id);
            continue;
        };
        inside += 1;
        let word =
            |from: usize| f64::from(u16::from_le_bytes([agents[at][from], agents[at][from + 1]]));
        let place = |from: usize, axis: usize| {
            sides[axis] + word(from) / 65_535.0 * (sides[axis + 2] - sides[axis])
        };
        assert!((place(4, 0) - x).abs() < 1e-3 && (place(6, 1) - y).abs() < 1e-3);
        let [vx, vy] = world.velocities()[row].map(f64::from);
        let speed = (vx * vx + vy * vy).sqrt();
        let shown = f64::from(agents[at][11]) / 31.0 * top;
        assert!((shown - speed.min(top)).abs() <= top / 31.0, "{shown} {speed}");
        if speed > 0.1 {
            // Back from the sum of sides to a direction.
            let quarters = f64::from(agents[at][10]) / 64.0;
            let side = quarters % 1.0;
            let [hx, hy] = match quarters as u32 {
                0 => [1.0 - side, side],
                1 => [-side, 1.0 - side],
                2 => [side - 1.0, -side],
                _ => [side, side - 1.0],
            };
            let length = (hx * hx + hy * hy).sqrt();
            assert!((hx * vx + hy * vy) / (length * speed) > 0.998, "[{hx} {hy}] [{vx} {vy}]");
        }
    }
    assert!(inside > 5 && inside == ids.len(), "{inside} {}", ids.len());
}

fn replay_of(folder: &Folder) -> Replay {
    folder.fine(&["run", "small", "--record", "small.throng", "--quiet", "--threads", "1"]);
    Replay::read(&folder.read("small.throng")).unwrap()
}

#[test]
fn frames_are_the_world_and_seeking_back_gives_the_same_bytes() {
    let folder = Folder::new("view-frames");
    let replay = replay_of(&folder);
    let mut player = Player::<f32>::new(&replay).unwrap();
    let served = serve(&folder, &["small.throng", "--paused", "--threads", "1"]);
    assert_eq!(served.json("info")["live"], false);
    let window = [20.0, 10.0, 50.0, 30.0];
    let near = "frame=20,10,50,30&detail=1&value=speed";
    let mut seen = Vec::new();
    // Forwards, back by single ticks, to the first and the last tick.
    for ticks in [60, 150, 59, 58, 57, 151, 1, 200, 2] {
        served.seek(ticks);
        player.seek(ticks).unwrap();
        let (dense, close) = (served.frame(""), served.frame(near));
        assert_eq!((&dense.head["tick"], &close.head["tick"]), (&ticks.into(), &ticks.into()));
        check_dense(&dense, player.world());
        check_near(&close, player.world(), window);
        let digest = format!("{:016x}", state::digest(player.world()));
        assert_eq!(served.json("digest")["digest"], digest, "tick {ticks}");
        seen.push((ticks, dense.body, close.body));
    }
    seen.sort_by_key(|(ticks, ..)| std::cmp::Reverse(*ticks));
    for (ticks, dense, close) in seen {
        served.seek(ticks);
        assert!(served.frame("").body == dense && served.frame(near).body == close, "tick {ticks}");
    }
    served.stop();
}

#[test]
fn steps_back_come_to_every_tick_with_little_memory() {
    let folder = Folder::new("view-back");
    let args = ["crossing", "--agents", "20000", "--paused", "--no-files", "--memory", "16"];
    let served = serve(&folder, &args);
    let shown = |tick: u64| {
        served.wait("a step", |head| head["tick"] == tick && head["goal"].is_null());
        served.json("digest")["digest"].clone()
    };
    let step = |by: i64| assert_eq!(served.post(&format!("control?step={by}"), &[]).status, 200);
    let mut digests = vec![shown(1)];
    for tick in 2..=42 {
        step(1);
        digests.push(shown(tick));
    }
    for tick in (12..42).rev() {
        step(-1);
        assert_eq!(shown(tick), digests[tick as usize - 1], "back at tick {tick}");
    }
    for tick in 13..20 {
        step(1);
        assert_eq!(shown(tick), digests[tick as usize - 1], "on at tick {tick}");
    }
    let memory = served.frame("").head["memory"].as_u64().unwrap();
    assert!(memory <= 16 << 20, "{memory}");
    served.stop();
}

#[test]
fn agents_layers_and_picks_are_those_of_the_world() {
    let folder = Folder::new("view-agents");
    let replay = replay_of(&folder);
    let mut player = Player::<f32>::new(&replay).unwrap();
    let served = serve(&folder, &["small.throng", "--paused"]);
    served.seek(100);
    player.seek(100).unwrap();
    let world = player.world();
    for row in [0, world.len() / 2, world.len() - 1] {
        let [x, y] = world.positions()[row].map(f64::from);
        let found = served.json(&format!("pick?at={x},{y}&reach=0.01"));
        assert_eq!(found["id"], world.tags()[row].id);
        assert_eq!(found["group"], world.base_group(world.tags()[row].group));
        let same = served.json(&format!("agent?id={}", found["id"]));
        assert_eq!(same, found);
        // Of many within reach it is the nearest.
        let [x, y] = [x + 0.4, y - 0.3];
        let away = |row: usize| {
            let [ax, ay] = world.positions()[row].map(f64::from);
            ((ax - x) * (ax - x) + (ay - y) * (ay - y), world.tags()[row].id)
        };
        let within = (0..world.len()).map(away).filter(|(square, _)| *square <= 400.0);
        let within: Vec<_> = within.collect();
        let nearest = within.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
        assert!(within.len() > 10, "{}", within.len());
        assert_eq!(served.json(&format!("pick?at={x},{y}&reach=20"))["id"], nearest.1);
    }
    assert!(served.json("pick?at=-50,-50&reach=1").is_null());
    let ids = served.get("select?frame=0,0,30,48").body;
    let inside = world.positions().iter().filter(|pos| pos[0] <= 30.0).count();
    assert_eq!(ids.len(), inside * 8);

    let arrows = super::client::frame(&served.get("arrows?group=0&frame=0,0,64,48&cells=32").body);
    let side = |name: &str| arrows.head[name].as_u64().unwrap() as usize;
    let (columns, cell) = (side("columns"), arrows.head["cell"].as_f64().unwrap());
    let mut led = 0;
    for (i, way) in arrows.body.chunks_exact(2).enumerate() {
        let middle = |index: usize| (index as f64 + 0.5) * cell;
        let at = [middle(i % columns), middle(i / columns)];
        let expected = world.flow(GroupId::new(0), at);
        assert_eq!(way[0] as i8 == -128, expected.is_none(), "{at:?}");
        if let Some([x, y]) = expected {
            led += 1;
            let off = |code: u8, c: f64| (f64::from(code as i8) / 127.0 - c).abs();
            assert!(off(way[0], x) < 0.01 && off(way[1], y) < 0.01, "{at:?}");
        }
    }
    assert!(led > 100, "{led}");

    let heat = "heat?of=density&frame=0,0,63.9,47.9&cells=16";
    let heat = super::client::frame(&served.get(heat).body);
    let (most, cell) = (heat.head["most"].as_f64().unwrap(), heat.head["cell"].as_f64().unwrap());
    let agents = |code: &u8| f64::from((*code).max(1) - 1) / 254.0 * most * cell * cell;
    let counted: f64 = heat.body.iter().map(agents).sum();
    let all = world.len() as f64;
    assert!((counted - all).abs() < 0.1 * all, "{counted} of {all}");
    served.stop();
}

/// A live run, its recording, and a recording of `run` have the same names, colours and letters, also under
/// another scenario's name.
#[test]
fn a_replay_looks_as_its_run_did() {
    let folder = Folder::new("view-scene");
    let world = "[map]\ncost = { s = 1 }\n[map.generate]\nwidth = 40\nheight = 30\nfill = \"s\"\n\
                 colors = { s = \"#eadfb4\" }\n[[map.generate.step]]\nkind = \"places\"\n\
                 name = \"p\"\ncount = 1\n";
    let group = |name: &str, colour: &str, y: u32| {
        format!(
            "[[group]]\nname = \"{name}\"\ncolor = \"{colour}\"\ngoal = {{ rect = [30, {y}, 38, {}] }}\n\
             spawn = [{{ rect = [2, {y}, 12, {}], count = 9 }}]\n",
            y + 8,
            y + 8
        )
    };
    let text = format!(
        "name = \"hall\"\nticks = 40\n{world}{}{}",
        group("strollers", "#ff8800", 2),
        group("runners", "#113355", 18)
    );
    folder.write("hall.toml", text);
    folder.fine(&["run", "hall.toml", "--record", "run.throng", "--quiet"]);
    let look = |args: &[&str]| {
        let served = serve(&folder, args);
        let info = served.json("info");
        let found = (info["name"].clone(), info["groups"].clone(), served.get("ground").body);
        served.stop();
        found
    };
    let live = look(&["hall.toml", "--paused", "--record", "live.throng"]);
    assert_eq!(
        (&live.0, &live.1[0]["name"], &live.1[1]["name"]),
        (&"hall".into(), &"strollers".into(), &"runners".into())
    );
    assert_eq!(live.1[0]["colour"], serde_json::json!([0xff, 0x88, 0]));
    for recorded in ["live.throng", "run.throng"] {
        assert!(look(&[recorded, "--paused"]) == live, "{recorded} looks otherwise");
    }
}

/// A replay whose run was interfered with after so many ticks.
fn interfered(folder: &Folder, ticks: u64) {
    let def = ScenarioDef::parse(builtin("small").unwrap().text, "small.toml").unwrap();
    let map = def.load_map(&|_| panic!("no file")).unwrap();
    let plan = Plan::new(&def, map).unwrap();
    let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
    let options = RecordOptions { keyframe_bytes: 0, ..RecordOptions::from("small") };
    let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..60 {
        let orders: Vec<_> = plan.orders_at(at).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        if at == ticks {
            state::plant(&mut world, "agents.pos", 7, 3).unwrap();
        }
        recorder.tick(&world, &orders).unwrap();
    }
    recorder.keyframe(&world).unwrap();
    folder.write("parted.throng", recorder.finish().unwrap());
}

#[test]
fn a_replay_that_differs_is_marked_at_its_tick() {
    let folder = Folder::new("view-parted");
    interfered(&folder, 41);
    let served: Served = serve(&folder, &["parted.throng", "--paused"]);
    let head = served.wait("the end", |head| head["head"] == 60);
    assert_eq!(head["verified"], 41);
    assert_eq!(head["divergence"]["tick"], 41);
    assert_eq!(head["divergence"]["columns"][0], "agents.pos");
    assert!(
        head["divergence"]["values"].as_array().unwrap()[0].as_str().unwrap().contains("agent")
    );
    // The shown tick stays the same.
    assert_eq!(head["tick"], 1);
    // A replay from there begins with a state that it had; later there is none.
    served.get("rest");
    served.seek(50);
    let host = format!("Host: 127.0.0.1:{}\r\n", served.port);
    let refused = served.raw("GET", &served.path("rest"), &host, &[]);
    let why = String::from_utf8(refused.body).unwrap();
    assert!(refused.status == 409 && why.contains("after 50 ticks"), "{why}");
    served.stop();
}

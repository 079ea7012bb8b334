//! The program and its replays: any tick can be gone to and drawn, differences are named, runs are
//! taken back and repeated.

use crate::running::Folder;
use throng::replay::{RecordOptions, Recorder, Replay, block};
use throng::scenario::{Plan, ScenarioDef, builtin};
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};
use throng::{GroupDef, GroupId, Shape};

/// The digest in a text.
fn digest(text: &str) -> String {
    let at = text.find("digest ").expect("a digest") + 7;
    text[at..at + 16].to_owned()
}

#[test]
fn any_tick_can_be_gone_to() {
    let folder = Folder::new("seek");
    folder.fine(&["run", "small", "--ticks", "300", "--record", "a.throng", "-q"]);
    let end = folder.fine(&["replay", "a.throng"]);
    for tick in ["1", "77", "160", "299"] {
        folder.fine(&["run", "small", "--ticks", tick, "--record", "b.throng", "-q"]);
        let short = folder.fine(&["replay", "b.throng"]);
        let gone = folder.fine(&["replay", "a.throng", "--seek", tick, "--picture", "a.png"]);
        assert_eq!(digest(&gone.out), digest(&short.out), "tick {tick}");
        assert!(folder.read("a.png").starts_with(b"\x89PNG"));
        assert_ne!(digest(&gone.out), digest(&end.out));
    }
    folder.bad(&["replay", "a.throng", "--seek", "301"], &["no tick 301", "0 to 300"]);
    folder.bad(&["replay", "a.throng", "--seek", "-1"], &["--to", "-1"]);
}

/// Groups that a game has added to a scenario have no names in its replay, and are drawn.
#[test]
fn groups_that_were_added_under_way_are_drawn() {
    let folder = Folder::new("added");
    let def = ScenarioDef::parse(builtin("small").unwrap().text, "small.toml").unwrap();
    let plan = Plan::new(&def, def.load_map(&|_| panic!("no file")).unwrap()).unwrap();
    let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
    let options = RecordOptions { scene: plan.scene.clone(), ..RecordOptions::from("small") };
    let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..10 {
        let mut orders: Vec<_> = plan.orders_at(at).cloned().collect();
        if at == 5 {
            let group = GroupId::new(world.groups().len() as u16);
            orders.push(Order::Group { def: GroupDef::default() });
            let area = vec![Shape::disc([32.0, 24.0], 12.0)];
            orders.push(Order::Spawn { group, area, count: 9 });
        }
        tick(&mut world, &orders, &mut scratch);
        recorder.tick(&world, &orders).unwrap();
    }
    folder.write("added.throng", recorder.finish().unwrap());
    let agents = format!("{} agents", world.len());
    for trails in [&[][..], &["--trails"]] {
        let args = [&["replay", "added.throng", "--picture", "added.png"], trails].concat();
        assert!(folder.fine(&args).out.contains(&agents));
        assert!(folder.read("added.png").starts_with(b"\x89PNG"));
    }
}

/// A scenario whose replay is so small that every byte of it can be tried.
const TINY: &str = "ticks = 6\n[map]\nsize = [8, 8]\n[[group]]\nname = \"a\"\n\
    goal = { point = [6, 6] }\nspawn = [{ rect = [1, 1, 4, 4], count = 3 }]\n";

/// Whatever byte is changed and wherever the file is cut: exit code 1, and the place is told.
#[test]
fn every_changed_byte_and_every_cut_fails() {
    let folder = Folder::new("broken");
    folder.write("tiny.toml", TINY);
    folder.fine(&["run", "tiny.toml", "--record", "a.throng", "--keyframes", "0", "-q"]);
    let bytes = folder.read("a.throng");
    folder.fine(&["verify", "a.throng", "--allow-cut"]);
    let (last, frames) = (bytes.len() - 17, Replay::read(&bytes).unwrap().frames);
    let clean = [last - block(&frames).len(), last];
    let try_out = |name: &str, at: usize, bytes: &[u8]| {
        folder.write(name, bytes);
        let how: [&[&str]; 3] = [&["verify", name, "-q"], &["replay", name], &["diff", name, name]];
        let how = [how[at % 3], &["--allow-cut"][..(at / 3) % 2]].concat();
        let word = if bytes.len() == clean[0] || bytes.len() == last { "cut" } else { "damaged" };
        folder.failed(&how, &[name, word, "byte", "ticks"]);
    };
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        try_out("changed.throng", at, &changed);
        // Behind the header and behind the frames the cut is clean.
        if !clean.contains(&at) || (at / 3) % 2 == 0 {
            try_out("cut.throng", at, &bytes[..at]);
        }
    }
}

/// A cut is allowed behind whole blocks alone, and only when that is asked for.
#[test]
fn a_clean_cut_can_be_allowed() {
    let folder = Folder::new("clean-cut");
    let run = ["run", "small", "--ticks", "70", "--record", "a.throng", "--keyframes", "0", "-q"];
    folder.fine(&run);
    let bytes = folder.read("a.throng");
    let last = bytes.len() - 17;
    folder.write("b.throng", &bytes[..last]);
    for command in ["verify", "replay"] {
        folder.failed(&[command, "b.throng"], &["b.throng is cut", "70 ticks"]);
        let done = folder.fine(&[command, "b.throng", "--allow-cut"]);
        assert!(done.err.contains("b.throng is cut"), "{done:?}");
    }
    folder.failed(&["diff", "a.throng", "b.throng"], &["cut"]);
    folder.fine(&["diff", "a.throng", "b.throng", "--allow-cut"]);
    let mut blocks = Vec::new();
    let mut at = last;
    for frames in Replay::read(&bytes).unwrap().frames.chunks(32).rev() {
        at -= block(frames).len();
        blocks.push(at);
    }
    let [second, first, header] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    for (end, ticks) in [(second, "64 ticks"), (first, "32 ticks")] {
        folder.write("b.throng", &bytes[..end]);
        let done = folder.fine(&["verify", "b.throng", "--allow-cut"]);
        assert!(done.out.contains(ticks), "{done:?}");
        let words = ["different lengths", "A has ticks 0 to 70"];
        folder.failed(&["diff", "a.throng", "b.throng", "--allow-cut"], &words);
        let mut changed = bytes[..end].to_vec();
        changed[first - 6] ^= 1;
        folder.write("b.throng", &changed);
        folder.failed(&["verify", "b.throng", "--allow-cut"], &["damaged", "0 ticks"]);
        for cut in [end - 1, end + 1] {
            folder.write("b.throng", &bytes[..cut]);
            folder.failed(&["verify", "b.throng", "--allow-cut"], &["damaged"]);
        }
    }
    folder.write("b.throng", &bytes[..header]);
    folder.failed(&["verify", "b.throng", "--allow-cut"], &["nothing to verify"]);
}

#[test]
fn differences_are_named() {
    let folder = Folder::new("diff");
    let record = |name: &str, more: &[&str]| {
        let mut args = vec!["run", "small", "--ticks", "120", "--record", name, "-q"];
        args.extend(more);
        folder.fine(&args);
    };
    record("a.throng", &[]);
    record("b.throng", &["--threads", "3", "--keyframes", "0"]);
    record("c.throng", &["--seed", "9"]);
    record("d.throng", &["--trace"]);
    record("e.throng", &["--trace", "--seed", "9"]);
    let same = folder.fine(&["diff", "a.throng", "b.throng"]);
    assert!(same.out.contains("the same: 120 ticks"), "{}", same.out);
    folder.fine(&["diff", "a.throng", "d.throng"]);
    folder.fine(&["verify", "d.throng"]);
    let other = folder.run(&["diff", "a.throng", "c.throng"]);
    assert_eq!(other.code, Some(1), "{other:?}");
    for words in
        ["settings.seed: 7 and 9", "after tick 0", "agents.pos", "both come to their digests"]
    {
        assert!(other.out.contains(words), "{words}: {}", other.out);
    }
    assert!(other.out.contains("stage orders"), "{}", other.out);
    let traced = folder.run(&["diff", "d.throng", "e.throng"]);
    assert!(traced.out.contains("by the traces: stage orders"), "{}", traced.out);
    folder.bad(&["diff", "a.throng", "none.throng"], &["none.throng"]);
}

#[test]
fn a_failed_verification_leaves_a_dump_to_compare() {
    let folder = Folder::new("dump");
    folder.fine(&["run", "small", "--ticks", "120", "--record", "a.throng", "-q"]);
    // What another machine might have come to: one velocity, one bit.
    folder.write("b.throng", planted(&folder.read("a.throng")));
    let done = folder.run(&["verify", "b.throng"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.contains("first at tick 90"), "{}", done.out);
    let done = folder.run(&["diff", "b.throng", "b.tick-90.throng"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    for words in ["after tick 90", "agents.vel", "agent ", "(bits ", "the fault is in A's run"] {
        assert!(done.out.contains(words), "{words}: {}", done.out);
    }
}

/// A recording of the same run in which a bit of a velocity flips after tick 90.
fn planted(bytes: &[u8]) -> Vec<u8> {
    use throng::replay::{Player, Recorder};
    use throng::tick::{Scratch, tick};
    let replay = Replay::read(bytes).unwrap();
    let mut world = Player::<f32>::new(&replay).unwrap().world().clone();
    let mut scratch = Scratch::new();
    let mut recorder = Recorder::start(&world, "small", Vec::new()).unwrap();
    for frame in &replay.frames {
        tick(&mut world, &frame.orders, &mut scratch);
        if frame.tick == 90 {
            throng::state::plant(&mut world, "agents.vel", 17, 20).unwrap();
        }
        recorder.tick(&world, &frame.orders).unwrap();
        if frame.tick == 90 {
            recorder.keyframe(&world).unwrap();
        }
    }
    recorder.finish().unwrap()
}

/// A dump that cannot be written does not keep the program from saying what differs.
#[test]
fn a_difference_is_told_without_room_for_the_dump() {
    let folder = Folder::new("no-dump");
    folder.fine(&["run", "small", "--ticks", "95", "--record", "a.throng", "-q"]);
    folder.write("b.throng", planted(&folder.read("a.throng")));
    std::fs::create_dir(folder.path("b.tick-90.throng")).unwrap();
    folder.failed(&["verify", "b.throng"], &["first at tick 90", "cannot write"]);
}

#[test]
fn runs_can_be_taken_back_and_repeated() {
    let folder = Folder::new("rewind");
    for how in ["--rewind", "--reload"] {
        for numeric in ["f32", "fixed"] {
            let args = ["run", "small", "--ticks", "40", how, "7", "--numeric", numeric, "-q"];
            let done = folder.fine(&args);
            assert!(done.out.contains("the same: 40 ticks"), "{}", done.out);
        }
    }
    folder.bad(&["run", "small", "--rewind", "0"], &["--rewind", "0"]);
    folder.bad(&["run", "small", "--rewind", "1", "--reload", "1"], &["--rewind", "--reload"]);
}

/// A picture of a replay is that of its run, pixel by pixel: names, colours, teams, weapons, areas and
/// trails are in the file.
#[test]
fn a_replay_looks_as_its_run_did() {
    let folder = Folder::new("replay-looks");
    for (name, more) in [
        ("small", &["--ticks", "120"][..]),
        ("battle", &["--agents", "600", "--ticks", "300"]),
        ("horde", &["--agents", "900", "--ticks", "100", "--colour-by", "state"]),
    ] {
        let files = ["--record", "a.throng", "--picture", "run.png", "--quiet"];
        folder.fine(&[&["run", name], more, &files].concat());
        let mut replay = vec!["replay", "a.throng", "--trails", "--picture", "replay.png"];
        replay.extend(more.windows(2).filter(|pair| pair[0] == "--colour-by").flatten());
        folder.fine(&replay);
        assert!(folder.read("run.png") == folder.read("replay.png"), "{name} looks different");
    }
    let text = folder.fine(&["replay", "a.throng"]).out;
    assert!(text.contains("repeater"), "weapons have names: {text}");
}

/// A scenario with a gate and an area, whose run ends before its ticks are over.
const STREET: &str = "ticks = 900\nend = { arrived = 1.0 }\n[map]\nsize = [30, 12]\n\
    walls = [{ rect = [14, 0, 15, 4] }, { rect = [14, 8, 15, 12] }]\n\
    [[group]]\nname = \"west\"\nspawn = [{ rect = [1, 1, 10, 11], count = 25 }]\n\
    goal = { rect = [18, 1, 29, 11] }\n\
    [[gate]]\nname = \"door\"\nfrom = [14.5, 8]\nto = [14.5, 4]\n\
    [[area]]\nname = \"before\"\nrect = [10, 3, 14, 9]\n";

/// Files of a run that its replay gives, too.
const SAME: [&str; 15] = [
    "end.png",
    "film.gif",
    "film.png",
    "all.txt",
    "all.csv",
    "m/measures.txt",
    "m/measures.json",
    "m/measures.csv",
    "m/gates.csv",
    "m/time.png",
    "m/areas.png",
    "h/heat-density.png",
    "h/heat-first.png",
    "h/heat-usage.png",
    "h/heat-service.png",
];

/// Films, pictures, trajectories, measures, heat maps and the summary of a replay are the same as the
/// run's, byte for byte but for times of the machine.
#[test]
fn a_replay_gives_the_files_of_its_run() {
    let folder = Folder::new("replay-files");
    folder.write("street.toml", STREET);
    for (scenario, more) in [
        ("street.toml", &[][..]),
        ("battle", &["--agents", "200", "--ticks", "60"]),
        ("horde", &["--agents", "300", "--ticks", "60", "--numeric", "fixed"]),
    ] {
        let two = |first: &[&str], prefix: &str| {
            // One command writes one film and one table of trajectories.
            for [film, table, heat] in [["film.gif", "all.txt", "h"], ["film.png", "all.csv", "h2"]]
            {
                let at = |name: &str| format!("{prefix}/{name}");
                std::fs::create_dir_all(folder.path(prefix)).unwrap();
                let files = [
                    ("--picture", at("end.png")),
                    ("--film", at(film)),
                    ("--trajectories", at(table)),
                    ("--measure", at("m")),
                    ("--heat", at(heat)),
                    ("--json", at("run.json")),
                ];
                let mut args = first.to_vec();
                files.iter().for_each(|(option, path)| args.extend([option, path.as_str()]));
                folder.fine(&args);
            }
        };
        let record = ["--record", "a.throng", "--quiet"];
        two(&[&["run", scenario], more, &record].concat(), "run");
        two(&["replay", "a.throng", "--trails", "--quiet"], "replay");
        for name in SAME {
            let [run, replay] = ["run", "replay"].map(|from| format!("{from}/{name}"));
            // Without areas there is no plot of them.
            if !name.contains("areas") || folder.path(&run).exists() {
                assert!(folder.read(&run) == folder.read(&replay), "{scenario}: {name} differs");
            }
        }
        let [run, replay] = ["run/run.json", "replay/run.json"].map(|name| {
            let mut summary: serde_json::Value =
                serde_json::from_slice(&folder.read(name)).unwrap();
            let times = ["wall_s", "ns_per_agent_tick", "tick_ms", "stages", "peak_rss_mb"];
            let keys = summary.as_object_mut().unwrap();
            times.iter().for_each(|key| assert!(keys.remove(*key).is_some(), "{key}"));
            summary
        });
        assert_eq!(run, replay, "{scenario}");
    }
}

/// Counts of sources and sinks in a stretch are of the stretch, as all of its counts.
#[test]
fn a_stretch_of_a_replay_counts_its_own_traffic() {
    let folder = Folder::new("replay-traffic");
    folder.write("station.toml", crate::traffic::STATION);
    folder.fine(&["run", "station.toml", "-q", "--record", "a.throng", "--json", "whole.json"]);
    let json =
        |name: &str| -> serde_json::Value { serde_json::from_slice(&folder.read(name)).unwrap() };
    let counts = |summary: &serde_json::Value| {
        let list = |kind: &str, key: &str| -> Vec<u64> {
            let all = summary["traffic"][kind].as_array().unwrap();
            all.iter().map(|one| one[key].as_u64().unwrap()).collect()
        };
        [list("sources", "entered"), list("sinks", "left")].concat()
    };
    let whole = counts(&json("whole.json"));
    let mut sum = vec![0; whole.len()];
    for (from, to) in [("0", "150"), ("150", "400"), ("400", "900")] {
        let part = ["replay", "a.throng", "-q", "--json", "part.json", "--from", from, "--to", to];
        folder.fine(&part);
        let (summary, part) = (json("part.json"), counts(&json("part.json")));
        assert_eq!(part[2..].iter().sum::<u64>(), summary["left"], "{from} to {to}");
        let first = summary.get("first_tick").map_or(0, |first| first.as_u64().unwrap());
        assert_eq!(first, from.parse::<u64>().unwrap());
        sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum += part);
    }
    assert_eq!(sum, whole);
    // The time of a stretch is that of its own ticks.
    let said = folder.fine(&["replay", "a.throng", "--from", "400", "--to", "500"]).text();
    assert!(said.contains("simulated 5.0 s, 100 ticks of 1/20 s, from tick 400 on"), "{said}");
    assert!(whole.iter().filter(|&&count| count > 0).count() > 3, "{whole:?}");
}

/// A stretch has what happened in it, by the same times.
#[test]
fn a_stretch_of_a_replay_is_measured() {
    let folder = Folder::new("replay-stretch");
    folder.write("street.toml", STREET);
    let measures = ["--measure", "run", "--measure-every", "10", "--quiet"];
    let all = ["--trajectories", "run.csv", "--trajectories-every", "2"];
    folder.fine(&[&["run", "street.toml", "--record", "a.throng"], &measures[..], &all].concat());
    let stretch = ["replay", "a.throng", "--from", "100", "--to", "140", "--quiet"];
    let measures = ["--measure", "part", "--measure-every", "10"];
    let part = ["--trajectories", "part.csv", "--trajectories-every", "2"];
    folder.fine(&[&stretch[..], &measures, &part].concat());
    let lines = |name: &str| -> Vec<String> {
        String::from_utf8(folder.read(name)).unwrap().lines().map(str::to_owned).collect()
    };
    // Samples of ticks 110 to 140: positions, speeds, counts and densities need nothing from before.
    let column = |name: &str, column: &str| -> Vec<String> {
        let lines = lines(name);
        let index = lines[0].split(',').position(|found| found == column).expect("a column");
        lines[1..].iter().map(|line| line.split(',').nth(index).unwrap().to_owned()).collect()
    };
    for name in ["time_s", "agents", "arrived", "mean_speed", "area.before.density"] {
        let [run, part] = ["run/measures.csv", "part/measures.csv"].map(|file| column(file, name));
        assert_eq!(part, run[10..14], "{name}");
    }
    // Frames of ticks 101, 103 to 139, each with all agents.
    let positions = |name: &str, skip: usize| -> Vec<String> {
        let lines = lines(name);
        let rows = lines.iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let rows = rows.map(|line| line.split(',').skip(3).collect::<Vec<_>>().join(","));
        rows.skip(skip).take(20 * 25).collect()
    };
    assert_eq!(positions("part.csv", 0), positions("run.csv", 50 * 25));
    folder.bad(&["replay", "a.throng", "--from", "9", "--to", "3"], &["--from", "tick 3"]);
    folder.bad(&["replay", "a.throng", "--from", "5000"], &["no tick 5000"]);
    let done = folder.fine(&["replay", "a.throng", "--from", "100", "--to", "140"]);
    assert!(done.out.contains("played: ticks 100 to 140"), "{}", done.out);
}

/// Films have the size, the part of the map and the speed that are typed; animated PNGs are whole.
#[test]
fn films_are_as_typed() {
    let folder = Folder::new("film-options");
    folder.write("street.toml", STREET);
    let run = ["run", "street.toml", "--ticks", "80", "--quiet"];
    let film = |name: &str, more: &[&str]| {
        folder.fine(&[&run[..], &["--film", name], more].concat());
        folder.read(name)
    };
    let sides = |bytes: &[u8]| {
        let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        [side(16), side(20)]
    };
    // Chunks of an animated PNG by name, with their bytes.
    let chunks = |bytes: &[u8]| {
        let (mut at, mut found) = (8, Vec::new());
        while at < bytes.len() {
            let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
            let body = bytes[at + 4..at + 8 + length].to_vec();
            let checksum = u32::from_be_bytes(bytes[at + 8 + length..][..4].try_into().unwrap());
            assert_eq!(crc32fast::hash(&body), checksum, "{:?}", &body[..4]);
            found.push(body);
            at += 12 + length;
        }
        found
    };
    let frames = |bytes: &[u8]| {
        let chunks = chunks(bytes);
        let count = chunks.iter().filter(|chunk| chunk.starts_with(b"fcTL")).count() as u32;
        let said = chunks.iter().find(|chunk| chunk.starts_with(b"acTL")).expect("animated");
        assert_eq!(u32::from_be_bytes(said[4..8].try_into().unwrap()), count);
        count
    };
    let plain = film("a.png", &[]);
    assert_eq!((sides(&plain)[0], frames(&plain)), (630, 80));
    let small = film("b.apng", &["--film-size", "300"]);
    assert!(sides(&small)[1] < sides(&plain)[1]);
    // 80 ticks of 1/20 s at 4 times real time: a frame every 4 ticks, 20 a second.
    let fast = film("c.png", &["--film-speed", "4"]);
    assert_eq!(frames(&fast), 20);
    let delays = chunks(&fast).into_iter().filter(|chunk| chunk.starts_with(b"fcTL"));
    for chunk in delays {
        let [number, of] =
            [24, 26].map(|at| u16::from_be_bytes(chunk[at..at + 2].try_into().unwrap()));
        assert_eq!((number, of), (50, 1000));
    }
    let cropped = film("d.png", &["--crop", "10,2,20,10", "--film-size", "600"]);
    assert_ne!(sides(&cropped), sides(&plain));
    assert_eq!(sides(&cropped)[0], 600);
    for (option, value) in [
        ("--film-size", "20"),
        ("--film-speed", "0"),
        ("--crop", "1,2,3"),
        ("--crop", "5,0,1,9"),
        ("--crop", "9000,9000,9100,9100"),
        ("--heat-side", "0"),
    ] {
        let more = [option, value, "--heat", "h"];
        folder.bad(&[&run[..], &["--film", "e.png"], &more].concat(), &[option, value]);
    }
    folder.bad(&[&run[..], &["--film", "e.mp4"]].concat(), &["e.mp4"]);
    folder.bad(&[&run[..], &["--film-speed", "2"]].concat(), &["--film"]);
}

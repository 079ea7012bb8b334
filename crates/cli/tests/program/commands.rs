//! The program, from the outside: what it does, writes and answers, and how it takes bad input.

use std::fs;
use std::process::Command;

use crate::running::Folder;
use serde_json::Value;
use throng::data::bytes::Write;
use throng::replay::{FORMAT, Frame, RecordOptions, Replay, Salvage, block};

/// Keys of the JSON summary, in alphabetical order.
const KEYS: [&str; 30] = [
    "agents",
    "arrived",
    "crush",
    "digest",
    "dt",
    "inside_wall",
    "left",
    "map",
    "max_overlap_m",
    "max_overlap_radii",
    "mean_speed",
    "ns_per_agent_tick",
    "numeric",
    "overflowed",
    "overlapping_pairs",
    "peak_rss_mb",
    "scenario",
    "stages",
    "stuck_agent_s",
    "stuck_agents",
    "stuck_agents_end",
    "stuck_agents_max",
    "stuck_agents_max_at",
    "stuck_agents_max_of",
    "stuck_longest_s",
    "threads",
    "tick_ms",
    "ticks",
    "unreachable",
    "wall_s",
];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// All files that a run writes.
const OUTPUTS: [&str; 8] =
    ["--record", "a.throng", "--json", "a.json", "--picture", "a.png", "--film", "a.gif"];

/// The summary of a run with these arguments.
fn summary(folder: &Folder, args: &[&str]) -> Value {
    let all = [&["run"], args, &["--quiet", "--json", "-"]].concat();
    json(&folder.fine(&all).out)
}

#[test]
fn a_run_writes_what_it_is_told_to() {
    let folder = Folder::new("files");
    let done = folder.fine(&[&["run", "small", "--ticks", "60"], &OUTPUTS[..]].concat());
    for word in ["a.throng", "a.json", "a.png", "a.gif", "all ticks done", "small"] {
        assert!(done.out.contains(word), "`{word}` is not in: {}", done.out);
    }
    assert!(folder.read("a.png").starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(folder.read("a.gif").starts_with(b"GIF89a"));
    assert!(folder.read("a.throng").starts_with(throng::replay::MAGIC));
    let text = String::from_utf8(folder.read("a.json")).unwrap();
    let summary = json(&text);
    let mut keys: Vec<&str> = summary.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, KEYS);
    assert_eq!(summary["scenario"], "small");
    assert_eq!(summary["ticks"], 60);
    assert_eq!(summary["inside_wall"], 0);
    assert_eq!(summary["dt"], 0.05);
    let digest = summary["digest"].as_str().unwrap();
    assert!(digest.len() == 16 && u64::from_str_radix(digest, 16).is_ok(), "{digest}");
    let stages = summary["stages"].as_object().unwrap();
    assert_eq!(stages.len(), throng::tick::Stage::ALL.len());
    assert!(stages.values().all(|ns| ns.as_f64().unwrap() >= 0.0));
    let done = folder.fine(&["verify", "a.throng"]);
    assert!(done.out.contains("the same: 60 ticks") && done.out.contains(digest), "{}", done.out);
}

#[test]
fn every_option_has_its_effect() {
    let folder = Folder::new("options");
    let plain = summary(&folder, &["doors", "--agents", "300", "--ticks", "30"]);
    assert_eq!((plain["agents"].as_u64(), plain["ticks"].as_u64()), (Some(300), Some(30)));
    assert_eq!(plain["numeric"], "f32");
    let with = |extra: &[&str]| {
        summary(&folder, &[&["doors", "--agents", "300", "--ticks", "30"], extra].concat())
    };
    for threads in ["1", "3"] {
        let again = with(&["--threads", threads]);
        assert_eq!(again["threads"].to_string(), threads);
        assert_eq!(again["digest"], plain["digest"]);
    }
    let fixed = with(&["--numeric", "fixed"]);
    assert_eq!(fixed["numeric"], "fixed");
    assert_ne!(fixed["digest"], plain["digest"]);
    assert_ne!(with(&["--seed", "77"])["digest"], plain["digest"]);
    let rows = vec![".".repeat(200); 120].join("\n");
    folder.write("open.map", format!("type octile\nheight 120\nwidth 200\nmap\n{rows}\n"));
    let open = with(&["--map", "open.map"]);
    assert!(open["map"].as_str().unwrap().contains("open.map"), "{open}");
    assert_ne!(open["digest"], plain["digest"]);
    let done = folder.fine(&["run", "small", "--ticks", "5", "--no-files", "--quiet"]);
    assert_eq!((done.out.as_str(), done.err.as_str()), ("", ""));
    assert!(!folder.path("out").exists());
    folder.fine(&["run", "small", "--ticks", "5"]);
    assert!(folder.read("out/small.throng").starts_with(throng::replay::MAGIC));
    assert!(folder.read("out/small.png").starts_with(b"\x89PNG"));
}

/// A street with a wall across, walkers on both sides of it, and an agent without an order.
const CUT_OFF: &str = r#"
ticks = 4000
end = { arrived = 1.0 }
[map]
size = [60, 20]
walls = [{ rect = [30, 0, 31, 20] }]
[[group]]
name = "walkers"
navigator = "path"
goal = { disc = [20, 10, 5] }
spawn = [
    { rect = [2, 2, 8, 18], count = 20 },
    { rect = [50, 2, 58, 18], count = 12 },
]
[[group]]
name = "guard"
hold = true
spawn = { point = [4, 1] }
"#;

#[test]
fn a_run_ends_when_all_who_can_arrive_have() {
    let folder = Folder::new("cut-off");
    folder.write("cut.toml", CUT_OFF);
    let done = folder.fine(&["run", "cut.toml"]);
    assert!(done.out.contains("12 cannot reach their goal"), "{}", done.out);
    let ended = summary(&folder, &["cut.toml"]);
    assert_eq!((&ended["arrived"], &ended["unreachable"]), (&Value::from(20), &Value::from(12)));
    assert!(ended["ticks"].as_u64().unwrap() < 1_000, "{ended}");
    assert_eq!(ended["routes"]["waiting"], 0);
    // While orders are to come all agents count: the route may be opened, or the standing one sent.
    let order = "[[order]]\ntick = 2000\nmove = \"guard\"\ngoal = { disc = [20, 10, 5] }\n";
    folder.write("later.toml", format!("{CUT_OFF}{order}"));
    let ended = summary(&folder, &["later.toml"]);
    assert_eq!(ended["arrived"], 21);
    assert!(ended["ticks"].as_u64().unwrap() > 2_000, "{ended}");
}

#[test]
fn the_other_commands_answer() {
    let folder = Folder::new("others");
    let done = folder.fine(&["scenarios"]);
    for name in throng::scenario::builtin_names() {
        assert!(done.out.contains(name), "{}", done.out);
        let done = folder.fine(&["check", name]);
        assert!(done.out.contains("a good scenario"), "{}", done.out);
    }
    folder.write("a.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n@..\n");
    assert!(folder.fine(&["check", "a.map"]).text().contains("3 × 2 cells of 1 m"));
    let field = ["field", "a.map", "--goal", "0.5,0.5", "--picture", "f.png"];
    assert!(folder.fine(&field).text().contains("cells reach the goal"));
    assert!(folder.read("f.png").starts_with(b"\x89PNG"));
    assert!(folder.fine(&["--help"]).out.contains("throng run crossing"));
    let commands = "run verify replay diff check field path compare mesh network aim scenarios";
    for command in commands.split(' ') {
        assert!(folder.fine(&[command, "--help"]).out.contains("Usage"));
    }
    assert!(folder.fine(&["--version"]).out.contains(env!("CARGO_PKG_VERSION")));
    for wrong in [&[][..], &["runn"], &["run"], &["run", "small", "--wat"], &["verify"]] {
        assert_eq!(folder.run(wrong).code, Some(2), "{wrong:?}");
    }
}

/// A run of so many ticks, recorded as `a.throng` without keyframes.
fn recorded(folder: &Folder, ticks: &str) -> Vec<u8> {
    let run = ["run", "small", "--record", "a.throng", "--quiet", "--keyframes", "0", "--ticks"];
    folder.fine(&[&run[..], &[ticks]].concat());
    folder.read("a.throng")
}

/// Frames as the program writes them.
fn blocks(frames: &[Frame]) -> Vec<u8> {
    frames.chunks(RecordOptions::default().flush_ticks as usize).flat_map(block).collect()
}

/// Where the frames of a replay without keyframes begin, and the frames.
fn frames(bytes: &[u8]) -> (usize, Vec<Frame>) {
    let frames = Replay::read(bytes).unwrap().frames;
    let length: usize = blocks(&frames).len();
    (bytes.len() - 17 - length, frames)
}

#[test]
fn a_changed_replay_fails_and_is_explained() {
    let folder = Folder::new("changed");
    let bytes = recorded(&folder, "100");
    let (start, original) = frames(&bytes);
    let columns = Replay::read(&bytes).unwrap().header.columns;
    let position = columns.iter().position(|name| name == "agents.vel").unwrap();
    let save = |name: &str, frames: &[Frame]| {
        let mut changed = bytes[..start].to_vec();
        changed.extend(blocks(frames));
        changed.extend(&bytes[bytes.len() - 17..]);
        folder.write(name, changed);
    };
    let mut digest = original.clone();
    digest[57].columns[position] ^= 4;
    save("digest.throng", &digest);
    let mut order = original;
    assert_eq!(order[90].orders.len(), 1);
    order[90].orders.clear();
    save("order.throng", &order);
    for (name, tick, column) in [("digest", 57, "agents.vel"), ("order", 90, "groups.goal")] {
        for threads in ["1", "3"] {
            let replay = format!("{name}.throng");
            let done = folder.run(&["verify", &replay, "--threads", threads]);
            assert_eq!(done.code, Some(1), "{done:?}");
            assert!(done.out.contains(&format!("tick {tick}")), "{}", done.out);
            assert!(done.out.contains(column), "{}", done.out);
            let dump = format!("{name}.tick-{tick}.throng");
            assert!(done.text().contains(&dump), "{}", done.out);
            assert!(folder.read(&dump).starts_with(b"THRONGR\n"));
            fs::remove_file(folder.path(&dump)).unwrap();
        }
    }
}

#[test]
fn damaged_replays_are_played_as_far_as_they_go_or_refused() {
    let folder = Folder::new("damaged");
    let bytes = recorded(&folder, "50");
    let (start, _) = frames(&bytes);
    let whole = start + (bytes.len() - start) / 2;
    folder.write("cut.throng", &bytes[..whole]);
    folder.failed(&["verify", "cut.throng"], &["cut.throng", "damaged", "ticks before"]);
    for length in [0, 7, 8, 20, start / 2, start - 1] {
        folder.write("short.throng", &bytes[..length]);
        folder.failed(&["verify", "short.throng"], &["short.throng", "damaged", "0 ticks"]);
    }
    let mut garbled = bytes.clone();
    garbled[start / 2] ^= 0x10;
    folder.write("garbled.throng", &garbled);
    folder.failed(&["verify", "garbled.throng"], &["garbled.throng", "damaged", "checksum"]);
    let mut foreign = bytes[..start - 4].to_vec();
    foreign[8] = FORMAT as u8 - 1;
    let checksum = crc32fast::hash(&foreign);
    foreign.u32(checksum);
    folder.write("foreign.throng", &foreign);
    folder.bad(
        &["verify", "foreign.throng"],
        &[&format!("format {}", FORMAT - 1), &format!("only {FORMAT}")],
    );
    folder.write("text.throng", "ticks = 5\n");
    folder.bad(&["verify", "text.throng"], &["text.throng", "no replay"]);
    folder.bad(&["verify", "none.throng"], &["none.throng"]);
    folder.bad(&["verify", "."], &["."]);
    folder.bad(&["verify", "a.throng", "--threads", "0"], &["--threads", "0"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_cleanly() {
    let folder = Folder::new("interrupt");
    let running =
        folder.start(&[&["run", "circle", "--ticks", "100000000"], &OUTPUTS[..]].concat());
    folder.grows("a.throng.part", 20_000);
    running.signal("-INT");
    let done = running.wait();
    assert_eq!(done.code, Some(130), "{done:?}");
    assert!(done.out.contains("stopped by Ctrl-C"), "{}", done.out);
    let ticks = json(&String::from_utf8(folder.read("a.json")).unwrap())["ticks"].as_u64();
    let replay = Replay::read(&folder.read("a.throng")).unwrap();
    assert_eq!(Some(replay.frames.len() as u64), ticks);
    assert!(folder.read("a.png").ends_with(b"IEND\xae\x42\x60\x82"));
    assert_eq!(folder.read("a.gif").last(), Some(&0x3b));
    folder.fine(&["verify", "a.throng"]);
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_a_readable_replay() {
    let folder = Folder::new("killed");
    let running =
        folder.start(&["run", "circle", "--ticks", "100000000", "--record", "a.throng", "-q"]);
    folder.grows("a.throng.part", 400_000);
    running.signal("-KILL");
    assert_eq!(running.wait().code, None);
    let found = Replay::salvage(&folder.read("a.throng.part")).unwrap();
    let Salvage::Part(replay, _) = found else { panic!("it has an end") };
    assert!(replay.frames.len() > 50);
    folder.failed(&["verify", "a.throng.part"], &["a.throng.part", "ticks before"]);
}

/// A replay of a world with wild settings, checksums and all.
#[test]
fn a_replay_with_impossible_settings_is_refused() {
    let folder = Folder::new("settings");
    let bytes = recorded(&folder, "3");
    let (start, _) = frames(&bytes);
    // 65,536 cells and 8 jobs as postcard has them.
    let jobs = bytes.windows(4).position(|bytes| bytes == [0x80, 0x80, 4, 8]).unwrap() + 3;
    let mut header = bytes[..start - 4].to_vec();
    header[jobs] = 100;
    let checksum = crc32fast::hash(&header);
    header.u32(checksum);
    header.extend(&bytes[start..]);
    folder.write("b.throng", header);
    folder.bad(&["verify", "b.throng"], &["field_jobs", "100"]);
}

/// Sets the modes of the processor's floating point before the program begins.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const MODES: &str = "
    char *getenv(const char *);
    unsigned long strtoul(const char *, char **, int);
    __attribute__((constructor)) static void set(void) {
        __builtin_ia32_ldmxcsr((unsigned)strtoul(getenv(\"MODES\"), 0, 16));
    }
";

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn modes_with_other_results_are_refused() {
    let folder = Folder::new("modes");
    folder.write("modes.c", MODES);
    let library = folder.path("modes.so");
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(folder.path("modes.c"));
    if !compile.status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: modes of the processor, as there is no C compiler");
        return;
    }
    let started = |modes: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_throng"));
        program.arg("--version").env("LD_PRELOAD", &library).env("MODES", modes);
        let done = program.output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    assert_eq!(started("1f80"), (Some(0), String::new()));
    // Denormal results, then operands, are zero; then rounding down, up and to zero.
    for (modes, why) in [
        ("9f80", "flushes denormal numbers"),
        ("1fc0", "flushes denormal numbers"),
        ("3f80", "does not round to the nearest"),
        ("5f80", "does not round to the nearest"),
        ("7f80", "does not round to the nearest"),
    ] {
        let (code, told) = started(modes);
        assert_eq!(code, Some(2), "{modes}: {told}");
        assert!(told.contains(why), "{modes}: {told}");
    }
}

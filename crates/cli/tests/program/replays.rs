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
    folder.bad(&["replay", "a.throng", "--seek", "-1"], &["--seek", "-1"]);
}

/// Groups that a game has added to a scenario have no names in its replay, and are drawn.
#[test]
fn groups_that_were_added_under_way_are_drawn() {
    let folder = Folder::new("added");
    let def = ScenarioDef::parse(builtin("small").unwrap().text, "small.toml").unwrap();
    let plan = Plan::new(&def, def.load_map(&|_| panic!("no file")).unwrap()).unwrap();
    let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
    let options = RecordOptions { scene: plan.scene(), ..RecordOptions::from("small") };
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
    for words in ["settings", "seed: 9", "after tick 0", "agents.pos", "both come to their digests"]
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

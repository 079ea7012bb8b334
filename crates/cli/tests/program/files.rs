//! The files that the program writes: never one that it reads, whole or not at all, and an older file
//! stays until a whole one takes its place. Signals end the program with whole files and their code.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::thread::sleep;
use std::time::Duration;

use crate::running::Folder;
use throng::replay::{Replay, Salvage};

const SCENARIO: &str = "ticks = 5\n[map]\nsize = [8, 8]\n[[group]]\nname = \"a\"\n\
    spawn = [{ rect = [1, 1, 4, 4], count = 3 }]\n";

/// Outputs of a run, and the endings that they have.
const OUTPUTS: [(&str, &str); 6] = [
    ("--record", "throng"),
    ("--json", "json"),
    ("--picture", "png"),
    ("--film", "gif"),
    ("--trajectories", "txt"),
    ("--geometry", "wkt"),
];

/// Nothing is left that is not finished.
fn tidy(folder: &Folder) {
    assert_eq!(folder.unfinished(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_read_is_not_written() {
    let folder = Folder::new("files-read");
    fs::create_dir(folder.path("sub")).unwrap();
    for (option, ending) in OUTPUTS {
        let name = format!("s.{ending}");
        folder.write(&name, SCENARIO);
        let link = format!("link.{ending}");
        symlink(&name, folder.path(&link)).unwrap();
        let whole = folder.path(&name).display().to_string();
        let more = match option {
            "--json" => ["--picture", "new.png"],
            _ => ["--json", "new.json"],
        };
        let ways = [name.clone(), format!("./{name}"), format!("sub/../{name}"), link, whole];
        for output in ways {
            folder.bad(&["run", &name, option, &output], &[&output, "read, too"]);
            folder.bad(&[&["run", &name, option, &output], &more[..]].concat(), &[&output]);
        }
        assert_eq!(folder.read(&name), SCENARIO.as_bytes());
        assert!(!folder.path(more[1]).exists());
    }
    folder.fine(&["run", "small", "--ticks", "3", "--record", "p.throng", "-q"]);
    fs::rename(folder.path("p.throng"), folder.path("p.png")).unwrap();
    let replay = folder.read("p.png");
    folder.bad(&["replay", "p.png", "--picture", "p.png"], &["p.png", "read, too"]);
    assert_eq!(folder.read("p.png"), replay);
    folder.write("a.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    folder.fine(&["mesh", "a.map", "-o", "a.mesh"]);
    let mesh = folder.read("a.mesh");
    folder.bad(&["mesh", "a.mesh", "-o", "a.mesh"], &["a.mesh", "read, too"]);
    assert_eq!(folder.read("a.mesh"), mesh);
    tidy(&folder);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new("files-twice");
    folder.write("s.toml", SCENARIO);
    symlink("b.png", folder.path("a.json")).unwrap();
    for [json, picture] in [["x", "x"], ["x", "./x"], ["a.json", "b.png"]] {
        let run = ["run", "s.toml", "--json", json, "--picture", picture];
        folder.bad(&run, &["two outputs"]);
    }
    assert!(!folder.path("x").exists() && !folder.path("b.png").exists());
    tidy(&folder);
}

#[test]
fn endings_fit_the_output() {
    let folder = Folder::new("files-endings");
    folder.write("s.toml", SCENARIO);
    folder.write("a.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    for (option, ending) in OUTPUTS {
        for other in ["toml", "jpg", "part"] {
            let name = format!("x.{other}");
            let words = [&name[..], "end"];
            folder.bad(&["run", "s.toml", option, &name], &words);
            assert!(!folder.path(&name).exists());
        }
        folder.bad(&["run", "s.toml", option, "s.toml"], &["s.toml"]);
        folder.fine(&["run", "s.toml", option, &format!("y.{ending}"), "-q"]);
    }
    let field = ["field", "a.map", "--goal", "1,1", "--picture", "x.map"];
    folder.bad(&field, &["x.map", "`.png`"]);
    folder.bad(&["network", "a.map", "-o", "x.map"], &["x.map", "`.toml`"]);
    assert_eq!(folder.read("s.toml"), SCENARIO.as_bytes());
    tidy(&folder);
}

/// Folders of outputs are made, by whatever command.
#[test]
fn folders_of_outputs_are_made() {
    let folder = Folder::new("files-folders");
    folder.write("s.toml", SCENARIO);
    folder.write("a.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    for (option, ending) in OUTPUTS.into_iter().chain([("--measure", "dir"), ("--heat", "dir")]) {
        let name = format!("of{option}/deep/y.{ending}");
        folder.fine(&["run", "s.toml", option, &name, "-q"]);
        assert!(folder.path(&name).exists(), "{option}");
    }
    folder.fine(&["run", "s.toml", "--record", "p.throng", "-q"]);
    let ways = ["--from", "0.5,0.5", "--to", "2.5,1.5"];
    let aim = ["aim", "--from", "0,0,1", "--target", "40,0,0", "--speed", "60"];
    let sweep = "scenario = \"s.toml\"\nseeds = [1]\n";
    folder.write("plan.toml", sweep);
    for (command, option, name) in [
        (&["replay", "p.throng"][..], "--picture", "replay/x/a.png"),
        (&["check", "s.toml"], "--picture", "check/x/a.png"),
        (&["check", "a.map"], "--picture", "check/y/a.png"),
        (&["field", "a.map", "--goal", "1,1"], "--picture", "field/x/a.png"),
        (&[&["path", "a.map"][..], &ways].concat(), "--picture", "path/x/a.png"),
        (&[&["path", "a.map"][..], &ways].concat(), "--json", "path/y/a.json"),
        (&["mesh", "a.map"], "--output", "mesh/x/a.mesh"),
        (&["mesh", "a.map"], "--picture", "mesh/y/a.png"),
        (&["network", "a.map"], "--output", "network/x/a.toml"),
        (&aim, "--picture", "aim/x/a.png"),
        (&["sweep", "plan.toml"], "--output", "sweep/x/y"),
    ] {
        folder.fine(&[command, &[option, name]].concat());
        assert!(folder.path(name).exists(), "{command:?} {option}");
    }
    tidy(&folder);
}

/// A run that ends badly, at its start or later, costs no older file.
#[test]
fn older_files_stay_until_new_ones_are_whole() {
    let folder = Folder::new("files-older");
    folder.write("s.toml", SCENARIO);
    let older = ["a.throng", "a.json", "a.png", "a.gif", "a.txt", "a.wkt"];
    older.iter().for_each(|name| folder.write(name, "older"));
    let stay = || older.iter().all(|name| folder.read(name) == b"older");
    for (option, ending) in OUTPUTS {
        let name = format!("s.toml/x.{ending}");
        let others = OUTPUTS.iter().zip(older).filter(|((other, _), _)| *other != option);
        let others = others.flat_map(|((other, _), name)| [*other, name]);
        let run: Vec<&str> = ["run", "s.toml", option, &name].into_iter().chain(others).collect();
        folder.bad(&run, &[&name]);
        assert!(stay(), "{option}");
    }
    let full = ["run", "s.toml", "--record", "/dev/full", "--picture", "a.png", "--film", "a.gif"];
    folder.bad(&full, &["/dev/full"]);
    assert!(stay());
    tidy(&folder);
    let mut run = vec!["run", "circle", "--ticks", "100000000", "-q"];
    run.extend(OUTPUTS.iter().zip(older).flat_map(|((option, _), name)| [*option, name]));
    run.retain(|word| !["--geometry", "a.wkt"].contains(word));
    let running = folder.start(&run);
    folder.grows("a.throng.part", 60_000);
    running.signal("-KILL");
    assert_eq!(running.wait().code, None);
    assert!(stay());
    let found = Replay::salvage(&folder.read("a.throng.part")).unwrap();
    assert!(matches!(found, Salvage::Part(replay, _) if replay.frames.len() >= 16));
    folder.fine(&["run", "s.toml", "--record", "a.throng", "--picture", "a.png", "-q"]);
    folder.fine(&["verify", "a.throng"]);
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    assert!(folder.unfinished().contains(&"a.throng.part".to_owned()), "it may be wanted");
}

#[test]
fn links_and_pipes_are_written_to() {
    let folder = Folder::new("files-links");
    folder.write("s.toml", SCENARIO);
    folder.write("real.png", "older");
    symlink("real.png", folder.path("link.png")).unwrap();
    symlink("new.json", folder.path("link.json")).unwrap();
    let pipe = folder.path("pipe.gif");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn(move || fs::read(pipe).unwrap());
    let run = ["run", "s.toml", "--picture", "link.png", "--json", "link.json", "-q"];
    folder.fine(&[&run[..], &["--film", "pipe.gif"]].concat());
    assert!(reader.join().unwrap().starts_with(b"GIF89a"));
    for name in ["link.png", "link.json"] {
        assert!(fs::symlink_metadata(folder.path(name)).unwrap().is_symlink());
    }
    assert!(folder.read("real.png").starts_with(b"\x89PNG"));
    assert!(folder.read("new.json").starts_with(b"{"));
    assert!(!fs::metadata(folder.path("pipe.gif")).unwrap().is_file());
    tidy(&folder);
}

/// A run that is stopped says so, and leaves whole files.
#[test]
fn a_signal_is_told_by_the_exit_code() {
    let folder = Folder::new("files-signal");
    for (signal, code, name) in [("-INT", 130, "Ctrl-C"), ("-TERM", 143, "SIGTERM")] {
        let all = ["run", "circle", "--ticks", "100000000", "--record", "a.throng"];
        let running = folder.start(&[&all[..], &["--trajectories", "a.txt"]].concat());
        folder.grows("a.throng.part", 60_000);
        running.signal(signal);
        let done = running.wait();
        assert_eq!(done.code, Some(code), "{done:?}");
        assert!(done.out.contains(&format!("stopped by {name}")), "{done:?}");
        folder.fine(&["verify", "a.throng"]);
        assert!(folder.read("a.txt").ends_with(b"\n"));
        tidy(&folder);
        for how in ["--rewind", "--reload"] {
            let running = folder.start(&["run", "small", "--ticks", "100000", how, "4", "-q"]);
            sleep(Duration::from_secs(2));
            running.signal(signal);
            let done = running.wait();
            assert_eq!(done.code, Some(code), "{done:?}");
            assert!(done.out.contains(&format!("stopped by {name}")), "{done:?}");
        }
    }
}

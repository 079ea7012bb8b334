//! Every command that help texts and documents show is run, in little: runs end after some ticks.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::documents::{copy, documents, fences, root, text};
use crate::import::{plans, vadere};
use crate::running::Folder;
use crate::view::client::serve;

/// Ticks of a run here, at most.
const TICKS: u64 = 40;
/// Agents of a run here, at most.
const AGENTS: u64 = 20_000;
/// The same where whole crowds are measured again and again.
const MEASURED: u64 = 500;

/// Commands that neither this test nor the gate runs, and why.
const LEFT_OUT: [(&str, &str); 8] = [
    ("cargo build --release -p throng-python --example engine", "a measurement"),
    ("cargo build --release --manifest-path crates/mpi/Cargo.toml", "it needs MPI; see .ci/mpi"),
    ("cargo install --path crates/cli", "it changes the machine"),
    ("cargo publish --dry-run -p throng -p throng-cli", "it asks the registry"),
    ("cargo run --release --example cost", "a measurement; it builds Bevy"),
    ("cargo run --release --manifest-path window/Cargo.toml battle", "it opens a window"),
    ("cargo run --release --example headless", ".ci/bevy runs it"),
    ("cargo run --release -p throng --features golden --bin golden", ".ci/builds plays all of it"),
];

/// Documents whose commands another test runs, with the pictures that come of them.
const ELSEWHERE: [&str; 1] = ["docs/navigators.md"];

/// A command without what is said beside it and where its output goes.
fn command(line: &str) -> &str {
    let line = line.trim();
    let ends = [" #", " > ", "  "].map(|mark| line.find(mark).unwrap_or(line.len()));
    line[..ends.into_iter().min().unwrap_or(line.len())].trim()
}

/// The same arguments for a short run.
fn scaled(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    let is_measured = words[0] == "bench";
    let most_agents = if is_measured { MEASURED } else { AGENTS };
    let mut limit = |option: &str, most: u64| {
        let at = words.iter().position(|word| word == option)?;
        let value: u64 = words[at + 1].replace('_', "").parse().unwrap();
        words[at + 1] = value.min(most).to_string();
        Some(())
    };
    let limits = [("--ticks", TICKS), ("--agents", most_agents), ("--seek", TICKS / 2)];
    let [ticks, agents, _] = limits.map(|(option, most)| limit(option, most));
    if is_measured && agents.is_none() {
        words.extend(["--agents".to_owned(), MEASURED.to_string()]);
    }
    if words[0] == "run" {
        let mut add = |option: &str, value: u64| {
            words.extend([option.to_owned(), value.to_string()]);
        };
        if ticks.is_none() {
            add("--ticks", TICKS);
        }
        if agents.is_none() && words.iter().any(|word| word == "million") {
            words.extend(["--agents".to_owned(), AGENTS.to_string()]);
        }
    }
    words
}

/// Has a plan's sweep try one seed, not several, and end its runs after some ticks.
fn in_little(plan: &Path) {
    let text = fs::read_to_string(plan).unwrap();
    let seeds = text.lines().find(|line| line.starts_with("seeds = "));
    let text = seeds.map_or(text.clone(), |seeds| text.replace(seeds, "seeds = [1]"));
    let head = "\n[parameters]\n";
    fs::write(plan, text.replace(head, &format!("{head}ticks = [{TICKS}]\n"))).unwrap();
}

/// Replays that commands of examples read, by name.
fn replays() -> &'static [(&'static str, Vec<u8>)] {
    static REPLAYS: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();
    REPLAYS.get_or_init(|| {
        let folder = Folder::new("examples-replays");
        let runs = [("a.throng", "small", 20), ("crossing.throng", "crossing", TICKS)];
        let record = |(file, scenario, ticks): (&'static str, &str, u64)| {
            let ticks = ticks.to_string();
            folder.fine(&["run", scenario, "--ticks", &ticks, "--record", file, "--quiet"]);
            (file, folder.read(file))
        };
        runs.map(record).into()
    })
}

/// A folder with all that commands of examples read.
fn prepared(name: &str) -> Folder {
    let folder = Folder::new(name);
    copy(&root().join("scenarios"), &folder.path("scenarios"));
    for plan in fs::read_dir(folder.path("scenarios/sweeps")).unwrap() {
        in_little(&plan.unwrap().path());
    }
    folder.write(
        "hall.wkt",
        "POLYGON ((0 0, 30 0, 30 20, 0 20, 0 0), (10 8, 12 8, 12 12, 10 12, 10 8))",
    );
    folder.write("corner.scenario", vadere::CORNER);
    folder.write("floor.svg", plans::FLOOR);
    let map = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n";
    let rows = "version 1\n0\tarena.map\t4\t3\t0\t1\t3\t1\t5\n";
    for set in ["dao", "movingai"] {
        fs::create_dir_all(folder.path(set)).unwrap();
        folder.write(&format!("{set}/arena.map"), map);
        folder.write(&format!("{set}/arena.map.scen"), rows);
    }
    folder.write("my_scenario.toml", text("scenarios/frontier.toml"));
    replays().iter().for_each(|(file, bytes)| folder.write(file, bytes));
    fs::create_dir_all(folder.path("out")).unwrap();
    for copy in ["b.throng", "out/crossing.throng"] {
        folder.write(copy, folder.read("a.throng"));
    }
    folder
}

/// Runs a command of an example and wants it to succeed.
fn try_out(folder: &Folder, source: &str, line: &str) {
    let words: Vec<String> = command(line).split_whitespace().map(str::to_owned).collect();
    // Documents are read beside the repository's folders; here these are made.
    for word in words.iter().filter(|word| word.contains('/') && !word.starts_with("scenarios/")) {
        let parent = Path::new(word).parent().unwrap();
        fs::create_dir_all(folder.path(parent.to_str().unwrap())).unwrap();
    }
    let words = scaled(&words);
    let args: Vec<&str> = words.iter().map(String::as_str).collect();
    // The viewer serves until it is stopped.
    if args[0] == "view" {
        serve(folder, &args[1..]).stop();
        return;
    }
    let done = folder.run(&args);
    assert_eq!(done.code, Some(0), "{source} shows `{line}`, which fails: {}", done.text());
}

/// The names of all commands, as the program lists them.
pub(super) fn names(folder: &Folder) -> Vec<String> {
    let help = folder.fine(&["--help"]).out;
    let list = help.split("\nCommands:\n").nth(1).expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn the_examples_of_all_help_texts_run() {
    let folder = prepared("examples-help");
    let mut tried = 0;
    let mut commands = vec![None];
    commands.extend(names(&folder).into_iter().filter(|name| name != "help").map(Some));
    assert!(commands.len() > 14, "{commands:?}");
    for name in commands {
        let args: Vec<&str> = name.iter().map(String::as_str).chain(["--help"]).collect();
        let help = folder.fine(&args).out;
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{args:?}: {help}");
        for [line, next] in help.lines().zip(help.lines().skip(1)).map(<[&str; 2]>::from) {
            // A line of our own that was a word too long is broken, and the rest stands alone.
            let is_rest = !line.starts_with(' ') && line.len() > 90 && !next.contains(' ');
            assert!(
                !is_rest || next.len() > 20 || next.ends_with('.') || next.is_empty(),
                "{args:?}: {line}\n{next}"
            );
        }
        for line in help.lines().filter_map(|line| line.strip_prefix("  throng ")) {
            try_out(&folder, &format!("`throng {}`", args.join(" ")), line);
            tried += 1;
        }
    }
    assert!(tried >= 30, "{tried} examples");
}

#[test]
fn the_commands_of_all_documents_run() {
    let gate = text(".ci/run");
    let mut tried = 0;
    for document in documents().iter().filter(|name| !ELSEWHERE.contains(&name.as_str())) {
        let folder = prepared(&format!("examples-{}", document.replace('/', "-")));
        for (_, language, _, lines) in fences(&text(document)) {
            if !["", "console", "sh"].contains(&language.as_str()) {
                continue;
            }
            for line in &lines {
                let line = line.trim();
                let own = line.strip_prefix("throng ");
                if let Some(line) = own.or(line.strip_prefix("cargo run --release -- ")) {
                    try_out(&folder, document, line);
                    tried += 1;
                } else if line.starts_with("cargo ") {
                    let command = command(line);
                    let left_out = LEFT_OUT.iter().any(|(known, _)| *known == command);
                    assert!(
                        left_out || gate.contains(command),
                        "{document} shows `{command}`, which .ci/run does not run"
                    );
                }
            }
        }
    }
    assert!(tried >= 20, "{tried} commands");
}

#[test]
fn commands_are_told_from_what_is_said_of_them() {
    assert_eq!(command("  run doors --film d.gif      # a film"), "run doors --film d.gif");
    assert_eq!(command("man run > throng-run.1"), "man run");
    assert_eq!(command("aim --target 1,2,3        a mortar"), "aim --target 1,2,3");
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(scaled(&words("run a --ticks 4000")), words("run a --ticks 40"));
    assert_eq!(scaled(&words("run million")), words("run million --ticks 40 --agents 20000"));
    assert_eq!(scaled(&words("check a")), words("check a"));
    assert_eq!(scaled(&words("bench")), words("bench --agents 500"));
}

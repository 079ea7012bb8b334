//! Output that README and documents quote is what the program says.
//!
//! A block is a quote when a comment stands right before it: `<!-- quoted: COMMAND -->` for all that
//! the command says, `<!-- quoted from WORD: COMMAND -->` for the paragraphs that begin with the word.
//! Times and memory, which differ from machine to machine, are not compared.
//!
//! The sample run of README takes half a minute. The gate has run it already and names the file with
//! its output in `THRONG_SAMPLE`; without that it is left out. All quotes are written anew by
//!
//! ```console
//! THRONG_BLESS=1 cargo test --release --test program documents::quotes
//! ```

use std::{env, fs};

use crate::documents::{copy, documents, fences, root, text};
use crate::running::Folder;
use throng::tick::Stage;

/// The command of README's sample run, which the gate runs too.
const SAMPLE: &str = "cargo run --release -- run scenarios/crossing.toml";

/// Names of lines that tell of the machine.
const MACHINE: [&str; 5] = ["took", "pace", "cost", "a tick", "memory"];

/// A quote in a document.
struct Quote {
    command: String,
    /// The paragraphs that are quoted begin so; all where it is empty.
    word: String,
    /// The lines, and the number of the first of them.
    lines: Vec<String>,
    first: usize,
}

fn quotes(text: &str) -> Vec<Quote> {
    let quote = |(before, _, first, lines): (String, String, usize, Vec<String>)| {
        let comment = before.trim().strip_prefix("<!-- quoted")?.strip_suffix("-->")?;
        let (word, command) = comment.split_once(": ")?;
        let word = word.trim().trim_start_matches("from").trim().to_owned();
        Some(Quote { command: command.trim().to_owned(), word, lines, first })
    };
    fences(text).into_iter().filter_map(quote).collect()
}

/// The quoted part of an output.
fn part(output: &str, word: &str) -> Vec<String> {
    let output = output.trim_end();
    let paragraphs = output.split("\n\n").filter(|text| text.trim_start().starts_with(word));
    let found: Vec<&str> = paragraphs.collect();
    found.join("\n\n").lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Lines without what differs from machine to machine.
fn masked(lines: &[String]) -> Vec<String> {
    let mut in_stages = false;
    let mask = |line: &String| {
        let words = line.trim();
        // Which stages have a row of their own depends on their times.
        let was_in_stages = in_stages;
        in_stages = (in_stages || words.starts_with("stage ")) && !words.is_empty();
        let name = MACHINE.iter().find(|name| words.starts_with(&format!("{name}  ")));
        let line = name.map_or_else(|| with_any_size(line.trim_end()), |name| (*name).to_owned());
        (!(in_stages && was_in_stages)).then_some(line)
    };
    lines.iter().filter_map(mask).collect()
}

/// A line about a file, whose size may be any: pictures change without a change of what they show.
fn with_any_size(line: &str) -> String {
    let size =
        |(_, size): &(&str, &str)| size.ends_with("B)") && size.as_bytes()[0].is_ascii_digit();
    let sized = line.rsplit_once(" (").filter(size);
    sized.map_or_else(|| line.to_owned(), |(line, _)| format!("{line} (size)"))
}

/// The output of a command, in a folder with the scenarios; `None` for the sample run when it was
/// not run.
fn said(command: &str, folder: &Folder, bless: bool) -> Option<String> {
    let sample = env::var_os("THRONG_SAMPLE").filter(|_| command == SAMPLE);
    if let Some(path) = sample {
        return Some(fs::read_to_string(path).unwrap());
    }
    if command == SAMPLE && !bless {
        return None;
    }
    let args = command.trim_start_matches("cargo run --release -- ").trim_start_matches("throng ");
    let args: Vec<&str> = args.split_whitespace().collect();
    Some(folder.fine(&args).out)
}

#[test]
fn quoted_output_is_what_the_program_says() {
    let bless = env::var_os("THRONG_BLESS").is_some_and(|value| value == "1");
    let folder = Folder::new("quotes");
    copy(&root().join("scenarios"), &folder.path("scenarios"));
    let mut found = 0;
    for document in documents() {
        let old = text(&document);
        let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
        // From the last to the first, as lines move.
        for quote in quotes(&old).iter().rev() {
            found += 1;
            let Some(output) = said(&quote.command, &folder, bless) else {
                eprintln!(
                    "SKIPPED: the sample run of {document}, as THRONG_SAMPLE names no output"
                );
                continue;
            };
            let new = part(&output, &quote.word);
            assert!(!new.is_empty(), "`{}` says nothing of `{}`", quote.command, quote.word);
            if bless {
                lines.splice(quote.first..quote.first + quote.lines.len(), new);
            } else {
                let [old, new] = [&quote.lines, &new].map(|lines| masked(lines).join("\n"));
                assert!(
                    old == new,
                    "{document}, line {}, does not quote `{}`; if that is meant, run this test with \
                     THRONG_BLESS=1; quoted:\n{old}\nsaid:\n{new}",
                    quote.first,
                    quote.command,
                );
            }
        }
        if bless {
            fs::write(root().join(&document), lines.join("\n") + "\n").unwrap();
        }
    }
    assert!(found >= 2, "{found} quotes");
}

/// What holds of the sample run without running it.
#[test]
fn the_sample_run_is_of_these_stages() {
    let readme = text("README.md");
    let all = quotes(&readme);
    let sample = all.iter().find(|quote| quote.command == SAMPLE).expect("README has a sample run");
    let is_head = |line: &String| line.trim().starts_with("stage ");
    let rows = sample.lines.iter().skip_while(|line| !is_head(line)).skip(1);
    let stages: Vec<&str> = rows
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    let all = Stage::ALL.map(Stage::name).into_iter().chain(["others"]);
    let listed: Vec<_> = all.filter(|name| stages.contains(name)).collect();
    assert_eq!(stages, listed, "stages, in the order of a tick");
    assert_eq!((stages.len() > 5, stages.last()), (true, Some(&"others")));
    let names = ["agents", "arrived", "stuck", "took", "digest"];
    for name in names {
        assert!(sample.lines.iter().any(|line| line.trim().starts_with(name)), "{name}");
    }
    assert!(readme.contains(&format!("\n{SAMPLE}\n")), "README shows the command");
}

#[test]
fn only_the_machine_may_differ() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let a = lines(
        "  took            1 s\n  digest          0a\n\n  stage   ns\n  sort   7.07  ██\n\nended",
    );
    let b = lines(
        "  took            9 s\n  digest          0a\n\n  stage   ns\n  sort   1.00  █\n\nended",
    );
    assert_eq!(masked(&a), masked(&b));
    for other in ["digest          0b", "digest          0a\n  more"] {
        let c = lines(&a.join("\n").replace("digest          0a", other));
        assert_ne!(masked(&a), masked(&c));
    }
    assert_eq!(with_any_size("replay: a.throng (65 MB)"), "replay: a.throng (size)");
    assert_eq!(with_any_size("arrived 9 (98.1 %)"), "arrived 9 (98.1 %)");
    let other = lines(&a.join("\n").replace("  sort   7.07  ██", "  sort   7\n  others 1"));
    assert_eq!(masked(&a), masked(&other));
    let other = lines(&a.join("\n").replace("ended", "begun"));
    assert_ne!(masked(&a), masked(&other));
    let text = "<!-- quoted from ab: throng x -->\n```text\nab c\n```\n";
    let found = quotes(text);
    assert_eq!((found[0].command.as_str(), found[0].word.as_str()), ("throng x", "ab"));
    assert_eq!(part("head\n\n  ab 1\n  2\n\nabc\n\nend\n", "ab"), ["  ab 1", "  2", "", "abc"]);
}

//! Rules of the source that the compiler does not know.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules in their order: each names only modules before it.
const ORDER: [&str; 19] = [
    "math", "lane", "data", "par", "kernel", "space", "map", "graph", "generate", "nav", "mind",
    "world", "state", "tick", "scenario", "replay", "sim", "lockstep", "report",
];

/// Sources in a folder, but for what cargo makes in the `target` of a workspace.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("target") {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "tests", "benches", "examples", "fuzz/src", "crates"] {
        if root.join(folder).is_dir() {
            files(&root.join(folder), &mut found);
        }
    }
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path.strip_prefix(root).unwrap().to_path_buf(), text)
    };
    found.into_iter().map(read).collect()
}

/// The text with every import in a line of its own: `use a::{B, C};` becomes `use a::B;`, `use a::C;`.
fn with_imports_apart(text: &str) -> String {
    let mut apart = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("use ") {
        let (before, import) = rest.split_at(at);
        let start = before.rfind('\n').map_or(0, |line| line + 1);
        let visibility = &before[start..];
        let nested = import.split_once(';').and_then(|(import, after)| {
            let (path, names) = import.strip_suffix('}')?.split_once('{')?;
            Some((path, names, after))
        });
        match nested {
            Some((path, names, after))
                if visibility.trim().is_empty() || visibility.contains("pub") =>
            {
                apart.push_str(&before[..start]);
                for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    apart.push_str(&format!("{visibility}{path}{name};\n"));
                }
                rest = after.strip_prefix('\n').unwrap_or(after);
            }
            _ => {
                apart.push_str(before);
                apart.push_str(&import[..4]);
                rest = &import[4..];
            }
        }
    }
    apart + rest
}

/// The module of a file below `src`, as a place in the order; the program itself has none.
fn place(path: &Path) -> Option<usize> {
    let mut parts = path.iter().map(|part| part.to_str().unwrap());
    let (src, module) = (parts.next()?, parts.next()?);
    let module = module.trim_end_matches(".rs");
    if src == "src" { ORDER.iter().position(|&name| name == module) } else { None }
}

/// The upward imports of a file: lines that name a module after its own.
fn upward(path: &Path, text: &str) -> Vec<String> {
    let Some(own) = place(path) else { return Vec::new() };
    let mut found = Vec::new();
    for line in with_imports_apart(text).lines() {
        for (at, _) in line.match_indices("crate::") {
            let name: String = line[at + 7..]
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            let comment = line.trim_start().starts_with("//");
            if !comment && ORDER.iter().position(|&m| m == name).is_some_and(|m| m > own) {
                found.push(format!("{}: {}", path.display(), line.trim()));
            }
        }
    }
    found
}

#[test]
fn a_module_names_only_those_before_it() {
    let bad: Vec<_> = sources().iter().flat_map(|(path, text)| upward(path, text)).collect();
    assert!(bad.is_empty(), "upward imports:\n{}", bad.join("\n"));
    let modules = sources().iter().filter_map(|(path, _)| place(path)).max();
    assert_eq!(modules, Some(18), "the order and the folders must agree");
}

#[test]
fn an_upward_import_is_found() {
    let planted = "use crate::tick::Scratch;\nuse crate::{math, nav};\n";
    let found = upward(Path::new("src/kernel/sample.rs"), planted);
    let lines = ["use crate::tick::Scratch;", "use crate::nav;"];
    assert_eq!(found, lines.map(|line| format!("src/kernel/sample.rs: {line}")));
}

/// The module of a file below the folder of a crate: `tick/mod.rs` is `tick`.
fn module(path: &Path) -> String {
    let path = path.with_extension("");
    let name: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
    name.strip_suffix(&["mod"]).unwrap_or(&name).join("::")
}

/// Groups of files of a crate that name each other in a circle. `crate::` paths count, what
/// `pub use` passes on for the file that it comes from, and tests do not count.
fn circles(files: &[(PathBuf, String)]) -> Vec<Vec<String>> {
    let files: BTreeMap<String, String> = files
        .iter()
        .map(|(path, text)| (module(path), text.split("\nmod tests {").next().unwrap()))
        .map(|(module, code)| (module, with_imports_apart(code)))
        .collect();
    let passed_on = |module: &str, name: &str| {
        files[module].lines().find_map(|line| {
            let from = line.strip_suffix(&format!("::{name};"))?;
            let from = from.strip_prefix("pub")?.split_once("use ")?.1;
            let inner = format!("{module}::{from}");
            let whole = from.strip_prefix("crate::").unwrap_or(&inner).to_owned();
            files.contains_key(&whole).then_some(whole)
        })
    };
    let owner = |path: &str| {
        let mut parts: Vec<&str> = path.split("::").collect();
        let mut name = None;
        while !files.contains_key(&parts.join("::")) {
            name = Some(parts.pop()?);
        }
        let mut module = parts.join("::");
        while let Some(from) = name.and_then(|name| passed_on(&module, name)) {
            module = from;
        }
        Some(module)
    };
    let mut reached: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (module, text) in &files {
        let code = text.lines().filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//")
                && !line.starts_with("pub use")
                && !line.starts_with("pub(crate) use")
        });
        let paths = code.flat_map(|line| line.split("crate::").skip(1));
        let paths = paths.map(|rest| {
            let is_end = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
            rest.split(is_end).next().unwrap_or_default().trim_end_matches(':')
        });
        let named = paths.filter_map(owner).filter(|named| named != module).collect();
        reached.insert(module, named);
    }
    // Whatever a file reaches by any number of steps.
    loop {
        let steps: usize = reached.values().map(BTreeSet::len).sum();
        for module in files.keys() {
            let farther: Vec<String> = reached[&**module]
                .iter()
                .flat_map(|next| reached[&**next].iter().cloned())
                .collect();
            reached.get_mut(&**module).unwrap().extend(farther);
        }
        if reached.values().map(BTreeSet::len).sum::<usize>() == steps {
            break;
        }
    }
    let circle = |module: &&str| -> Vec<String> {
        reached[*module]
            .iter()
            .filter(|next| reached[&***next].contains(*module))
            .cloned()
            .collect()
    };
    let all: BTreeSet<_> = reached.keys().map(circle).filter(|circle| !circle.is_empty()).collect();
    all.into_iter().collect()
}

#[test]
fn files_do_not_name_each_other_in_circles() {
    let sources = sources();
    let crates =
        ["bevy", "capi", "cli", "mpi", "python", "wasm"].map(|name| format!("crates/{name}/src"));
    for crate_folder in std::iter::once("src").chain(crates.iter().map(String::as_str)) {
        let own = sources.iter().filter_map(|(path, text)| {
            Some((path.strip_prefix(crate_folder).ok()?.to_path_buf(), text.clone()))
        });
        let found = circles(&own.collect::<Vec<_>>());
        assert!(found.is_empty(), "circles in {crate_folder}: {found:#?}");
    }
}

#[test]
fn what_is_written_for_javascript_has_no_unsafe_code() {
    // The lint cannot forbid it there: wasm-bindgen's macros write some.
    let own = sources().into_iter().filter(|(path, _)| path.starts_with("crates/wasm"));
    let bad: Vec<_> =
        own.filter(|(_, text)| text.contains("unsafe")).map(|(path, _)| path).collect();
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn a_circle_is_found() {
    let file = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
    let files = [
        file("map/mod.rs", "mod area;\npub use area::{\n    Other, Shape,\n};\n"),
        file("map/area.rs", "use crate::nav::Field;\npub struct Shape;\n"),
        file("nav.rs", "// crate::tick\nuse crate::map::Shape;\npub struct Field;\n"),
        file("tick.rs", "use crate::nav::Field;\n"),
    ];
    assert_eq!(circles(&files), [["map::area", "nav"]]);
    assert!(circles(&files[1..]).is_empty());
}

#[test]
fn files_are_short_and_lines_narrow() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 600, "{} has {lines} lines", path.display());
        for (number, line) in text.lines().enumerate() {
            let width = line.chars().count();
            assert!(width <= 110, "{}:{} is {width} wide", path.display(), number + 1);
        }
    }
}

#[test]
fn nothing_below_the_rim_reads_a_clock_or_iterates_a_hash_map() {
    let banned = ["std::time", "Instant::", "SystemTime", "HashMap", "HashSet", "thread::current"];
    for (path, text) in sources() {
        if place(&path).is_none_or(|module| ORDER[module] == "report") {
            continue;
        }
        for word in banned {
            assert!(!text.contains(word), "{} names {word}", path.display());
        }
    }
}

/// Files below `report` that name something that can be written through `&`, and why they may.
const SHARED_WRITES: [(&str, &str); 14] = [
    ("src/nav/field/eikonal.rs", "a table of constants, made once"),
    ("src/replay/verify.rs", "which part is next, and how many ticks are done"),
    ("src/scenario/error.rs", "what is wrong with a file, told by whatever reads a part of it"),
    ("src/sim/exclusive.rs", "a lock that nobody locks: what it holds is reached through `&mut`"),
    ("src/sim/index.rs", "a caller's copy: slots of ids, each written once while it is filled"),
    ("src/sim/lazy.rs", "tables of one moment, beside the world, made from it alone"),
    ("src/state/mod.rs", "a hash of constants, made once"),
    ("src/state/validate.rs", "sums of whole numbers, in a list of their own"),
    ("src/tick/aim.rs", "rows of ids, each written by its own row alone, in scratch memory"),
    ("src/tick/aim/plan.rs", "reads those rows"),
    ("src/tick/crowding.rs", "sums of whole numbers, in scratch memory"),
    ("src/tick/lanes.rs", "sums of whole numbers, in scratch memory"),
    ("src/tick/march.rs", "sums of whole numbers, in scratch memory"),
    ("src/world/crowding.rs", "written only while the tick has it out of the world"),
];

/// The words of code that stand for something that can be written through `&`.
fn shared_writes(text: &str) -> Vec<&str> {
    let named = |word: &&str| {
        let cells = ["Cell", "RefCell", "UnsafeCell", "OnceCell", "LazyCell", "thread_local"];
        let locks = ["Mutex", "RwLock", "Condvar", "OnceLock", "LazyLock"];
        cells.contains(word) || locks.contains(word) || word.starts_with("Atomic")
    };
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(named).chain(text.contains("static mut").then_some("static mut")).collect()
}

#[test]
fn nothing_below_the_rim_is_written_through_a_shared_reference() {
    for (path, text) in sources() {
        if place(&path).is_none_or(|module| ORDER[module] == "report") {
            continue;
        }
        let named = shared_writes(&text);
        let allowed = SHARED_WRITES.iter().any(|(allowed, _)| path == Path::new(allowed));
        assert_eq!(!named.is_empty(), allowed, "{} names {named:?}", path.display());
    }
}

#[test]
fn a_cell_is_found() {
    let planted =
        "use std::cell::Cell; // a cache\nlast: Cell<u64>,\n// Mutex\nCellSize GoalCells\n";
    assert_eq!(shared_writes(planted), ["Cell", "Cell"]);
    assert_eq!(shared_writes("used: AtomicU64, once: OnceLock<u8>"), ["AtomicU64", "OnceLock"]);
    assert_eq!(shared_writes("static mut LAST: u64 = 0;"), ["static mut"]);
}

/// Public functions that may change a world: all there are.
const CHANGES: [&str; 12] = [
    "add_company",
    "add_group",
    "add_mind",
    "add_weapon",
    // Rows that other processes have.
    "gather",
    "gather_to_first",
    "plant",
    "restore",
    "row_digests",
    "spawn",
    "tick",
    "tick_with",
];

/// The public functions of a file that may change a world: they take a `&mut World`, or in
/// `world` a `&mut self`.
fn changes(path: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split("pub fn ").skip(1) {
        let signature = &part[..part.find(['{', ';']).unwrap_or(part.len())];
        let own = path.starts_with("src/world") && signature.contains("&mut self");
        if own || signature.contains("&mut World<") {
            let name = signature.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            found.push(name.unwrap_or_default().to_owned());
        }
    }
    found
}

#[test]
fn another_way_is_found() {
    let planted =
        "pub fn poke<N: Numbers>(\n    world: &mut World<N>,\n) {}\npub fn look(&self) {}\n";
    assert_eq!(changes(Path::new("src/nav/poke.rs"), planted), ["poke"]);
    let planted = "    pub fn heal(&mut self, id: Id) {\n";
    assert_eq!(changes(Path::new("src/world/heal.rs"), planted), ["heal"]);
    assert!(changes(Path::new("src/nav/heal.rs"), planted).is_empty());
}

#[test]
fn a_world_changes_in_the_known_ways_alone() {
    let sources = sources();
    let below = sources.iter().filter(|(path, _)| path.starts_with("src"));
    let mut found: Vec<_> = below.flat_map(|(path, text)| changes(path, text)).collect();
    found.sort();
    assert_eq!(found, CHANGES);
}

/// The public items and methods of a file below `src`, as they are declared.
fn public(path: &Path, text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let module = module(path.strip_prefix("src").unwrap());
    let mut found = Vec::new();
    let mut of = String::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        if indent == 0 && line.starts_with("impl") {
            of = line.trim_end_matches(" {").to_owned();
        } else if line == "}" {
            of.clear();
        }
        let item = line.trim_start();
        let kinds = ["fn ", "const ", "struct ", "enum ", "trait ", "type "];
        let is_item =
            item.strip_prefix("pub ").is_some_and(|item| kinds.iter().any(|k| item.starts_with(k)));
        if !is_item {
            continue;
        }
        let mut declared = item.to_owned();
        let end = |text: &str| text.find(['{', ';', '=']);
        while end(&declared).is_none() {
            let Some(next) = lines.next() else { break };
            declared = format!("{declared} {}", next.trim());
        }
        let declared = declared[..end(&declared).unwrap_or(declared.len())].trim();
        let owner = if indent == 0 || of.is_empty() { String::new() } else { format!("{of}: ") };
        found.push(format!("{module}: {owner}{}", declared.replace("( ", "(").replace(", )", ")")));
    }
    found
}

/// The surface of the engine changes on purpose: the change is seen in a file.
#[test]
fn the_public_surface_is_as_listed() {
    let hidden = ["data", "lane", "par", "space"];
    let mut found: Vec<String> = Vec::new();
    for (path, text) in sources() {
        let module = place(&path).map(|place| ORDER[place]);
        // Of these the root shows the names of agents and of what is added to a world.
        let is_shown = ["ids.rs", "handles.rs"].iter().any(|file| path.ends_with(file));
        if module.is_some_and(|module| is_shown || !hidden.contains(&module)) {
            found.extend(public(&path, &text));
        }
    }
    found.sort();
    let listed = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api.txt");
    let text = found.join("\n") + "\n";
    if std::env::var_os("THRONG_BLESS").is_some() {
        fs::write(&listed, &text).unwrap();
    }
    let old = fs::read_to_string(&listed).unwrap();
    let [old, new] = [&old, &text].map(|text| text.lines().collect::<BTreeSet<_>>());
    let (gone, come): (Vec<_>, Vec<_>) =
        (old.difference(&new).collect(), new.difference(&old).collect());
    assert!(
        gone.is_empty() && come.is_empty(),
        "docs/api.txt lists what is public; gone: {gone:#?}, new: {come:#?}; if that is meant, run this \
         test with THRONG_BLESS=1"
    );
}

#[test]
fn public_items_are_found() {
    let text = "pub struct A<T> {\n    pub x: T,\n}\nimpl<T> A<T> {\n    pub fn b(\n        self,\n    ) \
                -> T {\n    }\n    pub(crate) fn c() {}\n}\npub const D: u32 = 1;\n";
    let found = public(Path::new("src/map/mod.rs"), text);
    let expected =
        ["map: pub struct A<T>", "map: impl<T> A<T>: pub fn b(self) -> T", "map: pub const D: u32"];
    assert_eq!(found, expected);
}

/// What the crate's page lists: modules that are not hidden, and types.
#[test]
fn the_crate_page_is_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = fs::read_to_string(root).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let is_shown = |i: usize| i == 0 || !lines[i - 1].contains("doc(hidden)");
    let modules = (0..lines.len()).filter(|&i| lines[i].starts_with("pub mod ") && is_shown(i));
    let modules: Vec<&str> = modules.map(|i| lines[i]).collect();
    assert!((1..=10).contains(&modules.len()), "{modules:?}");
    let names = text.split("\npub use ").skip(1).flat_map(|import| {
        let names = import.split_once(';').unwrap().0;
        names.split(['{', '}', ',', ' ', ':', '\n']).filter(|name| !name.is_empty())
    });
    let types: Vec<&str> = names.filter(|name| name.starts_with(char::is_uppercase)).collect();
    assert!((1..=60).contains(&types.len()), "{types:?}");
}

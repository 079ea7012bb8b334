//! `[[map.generate.step]]`: from tables to steps. The recipe itself says which numbers are good.

use crate::data::definition::Limits;
use crate::data::number::plural;
use crate::generate::{
    Biome, Biomes, Blend, Cave, Connect, Heading, Heights, How, Kind, LayRoads, MAX_ENTRIES,
    Method, Noise, Places, Placing, Ramp, RampShape, Region, Rooms, Scatter, Stamp, Step, Walker,
    Walkers,
};
use crate::scenario::error::Problems;
use crate::scenario::parse_shape::area;
use crate::scenario::read::{Node, Table, quoted};

/// The kinds of steps, and the keys that each takes beside `kind` and `salt`.
pub(super) const STEPS: [(&str, &[&str]); 12] = [
    ("noise", &["layer", "scale", "octaves", "gain", "lacunarity", "transfer", "with", "how"]),
    ("ramp", &["layer", "shape", "transfer", "with", "how"]),
    ("blend", &["layer", "of", "transfer", "with", "how"]),
    ("height", &["layer", "range"]),
    ("biomes", &["rules", "within", "on"]),
    ("cave", &["fill", "birth", "survive", "rounds", "wall", "floor", "within", "on"]),
    ("walkers", &["walkers", "within", "on"]),
    (
        "rooms",
        &["count", "size", "gap", "corridor", "loops", "floor", "passage", "name", "within", "on"],
    ),
    (
        "places",
        &[
            "name",
            "method",
            "count",
            "spacing",
            "clearance",
            "layer",
            "near",
            "reach",
            "letter",
            "shape",
            "size",
            "within",
            "on",
        ],
    ),
    (
        "scatter",
        &[
            "letter",
            "shape",
            "size",
            "method",
            "count",
            "spacing",
            "clearance",
            "layer",
            "near",
            "reach",
            "within",
            "on",
        ],
    ),
    ("roads", &["places", "letter", "width", "loops", "slope", "reuse", "bridges", "bridge_cost"]),
    ("connect", &["keep", "wall", "floor", "width", "bridges"]),
];

/// The keys of an entry of `walkers`.
pub(super) const WALKER: [&str; 11] = [
    "count", "steps", "turn", "heading", "pull", "start", "dig", "radius", "depth", "deposit",
    "share",
];

/// The words of `how`, `method`, `heading` and `shape`, the default first.
pub(super) const HOW: [&str; 4] = ["multiply", "add", "max", "min"];
pub(super) const METHOD: [&str; 3] = ["random", "halton", "poisson"];
pub(super) const HEADING: [&str; 4] = ["north", "east", "south", "west"];
pub(super) const RAMP: [&str; 4] = ["disc", "square", "right", "down"];
pub(super) const STAMP: [&str; 2] = ["disc", "rect"];

/// Any number; the recipe knows which are good.
const ANY: Limits = Limits::from("a number", -1.0e9, 1.0e9);

/// A step, and its table; `None` in its place when it is wrong.
pub(super) fn step<'a>(
    node: &Node<'a>,
    problems: &mut Problems<'_>,
) -> Option<(Table<'a>, Option<Step>)> {
    let words = STEPS.map(|(word, _)| word);
    let named = node.text_at("kind");
    let keys = STEPS.iter().find(|(word, _)| Some(*word) == named).map(|(_, keys)| *keys);
    let mut known = vec!["kind", "salt"];
    match keys {
        Some(keys) => known.extend(keys),
        None => known.extend(STEPS.iter().flat_map(|(_, keys)| keys.iter().copied())),
    }
    let table = node.table("a step, as in { kind = \"noise\" }", &known, problems)?;
    if table.get("kind").is_none() {
        table.missing("kind", format!("one of {}", quoted(&words)), problems);
    }
    let word = table.word("kind", &words, problems);
    let mut reader = Reader { table: &table, good: true, problems };
    let kind = word.and_then(|word| reader.kind(word));
    let salt = reader.whole("salt").filter(|_| reader.table.get("salt").is_some());
    let step = kind.filter(|_| reader.good).map(|kind| Step { salt, kind });
    Some((table, step))
}

/// A letter of a map.
pub(super) fn letter(node: &Node<'_>, problems: &mut Problems<'_>) -> Option<u8> {
    let what = "a letter of the map, as in \".\"";
    match node.text(what, problems)?.as_bytes() {
        &[letter] => Some(letter),
        _ => {
            problems.bad_value(&node.at, "is not one letter", what);
            None
        }
    }
}

/// Reads the keys of one table, each over a default, and remembers whether all were good.
struct Reader<'t, 'a, 'p, 'q> {
    table: &'t Table<'a>,
    good: bool,
    problems: &'p mut Problems<'q>,
}

impl<'a> Reader<'_, 'a, '_, '_> {
    fn note<T>(&mut self, value: Option<T>) -> Option<T> {
        self.good &= value.is_some();
        value
    }

    /// The value of a key that `read` understands; nothing when the key is missing.
    fn read<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&Node<'a>, &mut Problems<'_>) -> Option<T>,
    ) -> Option<T> {
        let node = self.table.get(key)?;
        let value = read(&node, self.problems);
        self.note(value)
    }

    fn required<T>(
        &mut self,
        key: &str,
        what: &str,
        read: impl FnOnce(&Node<'a>, &mut Problems<'_>) -> Option<T>,
    ) -> Option<T> {
        if self.table.get(key).is_none() {
            self.table.missing(key, what, self.problems);
            self.good = false;
        }
        self.read(key, read)
    }

    fn number(&mut self, key: &str, default: f64) -> f64 {
        self.read(key, |node, problems| node.number(&ANY, problems)).unwrap_or(default)
    }

    fn whole(&mut self, key: &str) -> Option<u64> {
        self.read(key, |node, problems| node.whole("a number", [0, u64::MAX], problems))
    }

    fn count(&mut self, key: &str, default: u32) -> u32 {
        let most = u64::from(u32::MAX);
        let read = |node: &Node<'_>, problems: &mut Problems<'_>| {
            node.whole("a number", [0, most], problems)
        };
        self.read(key, read).map_or(default, |count| count as u32)
    }

    fn letter(&mut self, key: &str, default: u8) -> u8 {
        self.read(key, letter).unwrap_or(default)
    }

    fn letters(&mut self, key: &str) -> Vec<u8> {
        let what = "letters of the map, as in \".S\"";
        let read = |node: &Node<'a>, problems: &mut Problems<'_>| node.text(what, problems);
        self.read(key, read).map_or_else(Vec::new, |text| text.as_bytes().to_vec())
    }

    fn name(&mut self, key: &str) -> Option<String> {
        let read = |node: &Node<'a>, problems: &mut Problems<'_>| node.text("a name", problems);
        self.read(key, read).map(str::to_owned)
    }

    fn required_name(&mut self, key: &str) -> String {
        let read = |node: &Node<'a>, problems: &mut Problems<'_>| node.text("a name", problems);
        self.required(key, "a name", read).unwrap_or_default().to_owned()
    }

    /// One of several words, by its number.
    fn word(&mut self, key: &str, words: &[&'static str]) -> Option<usize> {
        self.read(key, |node, problems| node.word(key, words, problems))
    }

    /// Two numbers, or one for both.
    fn range(&mut self, key: &str, default: [f64; 2]) -> [f64; 2] {
        self.read(key, range).unwrap_or(default)
    }

    fn region(&mut self) -> Region {
        let within = self.read("within", area).map_or_else(Vec::new, |area| area.shapes);
        Region { within, on: self.letters("on") }
    }

    fn with(&mut self) -> Option<(String, How)> {
        let how = self.word("how", &HOW).map(|i| [How::Multiply, How::Add, How::Max, How::Min][i]);
        match (self.name("with"), self.table.get("how")) {
            (Some(with), _) => Some((with, how.unwrap_or_default())),
            (None, Some(node)) if self.table.get("with").is_none() => {
                let expected = "`with`, the layer that it is joined with, beside it";
                self.problems.problem(&node.at, "there is no `with` for it", expected);
                self.good = false;
                None
            }
            _ => None,
        }
    }

    fn transfer(&mut self) -> Vec<[f64; 2]> {
        let what = "points of a transfer function, as in [[0.5, 0], [0.6, 1]]";
        let read = |node: &Node<'_>, problems: &mut Problems<'_>| {
            let points = node.array(what, MAX_ENTRIES, problems)?;
            points.iter().map(|point| pair(point, problems)).collect()
        };
        self.read("transfer", read).unwrap_or_default()
    }

    /// A table of letters with a letter each.
    fn bridges(&mut self) -> Vec<(u8, u8)> {
        let what = "a table of walls and what crosses them, as in { W = \"b\" }";
        let read = |node: &Node<'_>, problems: &mut Problems<'_>| {
            let names = node.keys();
            let table = node.table(what, &names, problems)?;
            let entry = |(name, node): (&str, Node<'_>)| match name.as_bytes() {
                &[wall] => letter(&node, problems).map(|letter| (wall, letter)),
                _ => {
                    problems.problem(&node.at, format!("`{name}` is not one letter"), what);
                    None
                }
            };
            table.each().map(entry).collect()
        };
        self.read("bridges", read).unwrap_or_default()
    }

    fn counts(&mut self, key: &str, default: Vec<u8>) -> Vec<u8> {
        let what = "an array of counts of neighbours, as in [5, 6, 7, 8]";
        let read = |node: &Node<'_>, problems: &mut Problems<'_>| {
            let parts = node.array(what, 9, problems)?;
            let count = |part: &Node<'_>| part.whole("a count of neighbours", [0, 8], problems);
            parts.iter().map(count).map(|count| count.map(|count| count as u8)).collect()
        };
        self.read(key, read).unwrap_or(default)
    }

    fn placing(&mut self) -> Placing {
        let plain = Placing::default();
        let methods = [Method::Random, Method::Halton, Method::Poisson];
        let count = self.count("count", 0);
        Placing {
            method: self.word("method", &METHOD).map_or(plain.method, |i| methods[i]),
            region: self.region(),
            count: self.table.get("count").map(|_| count),
            spacing: self.number("spacing", plain.spacing),
            clearance: self.number("clearance", plain.clearance),
            layer: self.name("layer"),
            near: self.name("near"),
            reach: self.number("reach", plain.reach),
        }
    }

    fn stamp(&mut self) -> Option<Stamp> {
        for key in self.table.present(&["shape", "size"]) {
            if self.table.get("letter").is_none() {
                let at = self.table.get(key).map_or(self.table.at.clone(), |node| node.at);
                self.problems.problem(&at, "there is no `letter` for it", "both or neither");
                self.good = false;
            }
        }
        let letter = self.read("letter", letter)?;
        let plain = Stamp::of(letter);
        let disc = self.word("shape", &STAMP).is_none_or(|shape| shape == 0);
        Some(Stamp { letter, disc, size: self.range("size", plain.size) })
    }

    fn kind(&mut self, word: &str) -> Option<Kind> {
        let kind = match word {
            "noise" => Kind::Noise(self.noise()),
            "ramp" => {
                let shapes =
                    [RampShape::Disc, RampShape::Square, RampShape::Right, RampShape::Down];
                let layer = self.required_name("layer");
                let shape = self.word("shape", &RAMP).map_or_else(Default::default, |i| shapes[i]);
                Kind::Ramp(Ramp { layer, shape, transfer: self.transfer(), with: self.with() })
            }
            "blend" => {
                let (layer, of) = (self.required_name("layer"), self.required_name("of"));
                Kind::Blend(Blend { layer, of, transfer: self.transfer(), with: self.with() })
            }
            "height" => {
                let layer = self.required_name("layer");
                let range = self.required("range", "[low, high] in metres", pair)?;
                Kind::Heights(Heights { layer, range })
            }
            "biomes" => Kind::Biomes(Biomes { region: self.region(), rules: self.rules()? }),
            "cave" => {
                let plain = Cave::default();
                Kind::Cave(Cave {
                    region: self.region(),
                    fill: self.number("fill", plain.fill),
                    birth: self.counts("birth", plain.birth),
                    survive: self.counts("survive", plain.survive),
                    rounds: self.count("rounds", plain.rounds),
                    wall: self.letter("wall", plain.wall),
                    floor: self.letter("floor", plain.floor),
                })
            }
            "walkers" => Kind::Walkers(Walkers { region: self.region(), walkers: self.walkers()? }),
            "rooms" => Kind::Rooms(self.rooms()),
            "places" => {
                let name = self.required_name("name");
                Kind::Places(Places { name, placing: self.placing(), stamp: self.stamp() })
            }
            "scatter" => {
                let what = "the letter that is painted";
                self.required("letter", what, letter)?;
                Kind::Scatter(Scatter { placing: self.placing(), stamp: self.stamp()? })
            }
            "roads" => Kind::Roads(self.roads()),
            _ => {
                let plain = Connect::default();
                Kind::Connect(Connect {
                    keep: self.count("keep", plain.keep),
                    wall: self.letter("wall", plain.wall),
                    floor: self.letter("floor", plain.floor),
                    width: self.number("width", plain.width),
                    bridges: self.bridges(),
                })
            }
        };
        Some(kind)
    }

    fn noise(&mut self) -> Noise {
        let plain = Noise::default();
        Noise {
            layer: self.required_name("layer"),
            scale: self.number("scale", plain.scale),
            octaves: self.count("octaves", plain.octaves),
            gain: self.number("gain", plain.gain),
            lacunarity: self.number("lacunarity", plain.lacunarity),
            transfer: self.transfer(),
            with: self.with(),
        }
    }

    fn rooms(&mut self) -> Rooms {
        let plain = Rooms::default();
        Rooms {
            region: self.region(),
            count: self.count("count", plain.count),
            size: self.range("size", plain.size),
            gap: self.number("gap", plain.gap),
            corridor: self.number("corridor", plain.corridor),
            loops: self.number("loops", plain.loops),
            floor: self.letter("floor", plain.floor),
            passage: self.read("passage", letter),
            name: self.name("name"),
        }
    }

    fn roads(&mut self) -> LayRoads {
        let plain = LayRoads::default();
        LayRoads {
            places: self.required_name("places"),
            letter: self.letter("letter", plain.letter),
            width: self.number("width", plain.width),
            loops: self.count("loops", plain.loops),
            slope: self.number("slope", plain.slope),
            reuse: self.number("reuse", plain.reuse),
            bridges: self.bridges(),
            bridge_cost: self.number("bridge_cost", plain.bridge_cost),
        }
    }

    /// The tables of a list that must be there, each read by `read`.
    fn entries<T>(
        &mut self,
        key: &str,
        what: &str,
        read: impl Fn(&Node<'a>, &mut Problems<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let nodes = self.required(key, what, |node, problems| {
            let nodes = node.array(what, MAX_ENTRIES, problems)?;
            if nodes.is_empty() {
                problems.bad_value(&node.at, "is empty", what);
            }
            (!nodes.is_empty()).then_some(nodes)
        })?;
        let list: Vec<T> = nodes.iter().filter_map(|node| read(node, self.problems)).collect();
        self.good &= list.len() == nodes.len();
        Some(list)
    }

    fn rules(&mut self) -> Option<Vec<Biome>> {
        let what = "an array of rules, as in [{ letter = \"W\", height = [-10, 0] }]";
        self.entries("rules", what, |node, problems| {
            // Every other key is the name of a layer, which the recipe knows.
            let names = node.keys();
            let table = node.table(what, &names, problems)?;
            let mut reader = Reader { table: &table, good: true, problems };
            let letter = reader.required("letter", "the letter that the rule paints", letter)?;
            let mut rule = Biome { on: reader.letters("on"), ..Biome::of(letter) };
            for name in names {
                match name {
                    "letter" | "on" => {}
                    "height" => rule.height = reader.read(name, pair),
                    "slope" => rule.slope = reader.read(name, pair),
                    _ => {
                        let range = reader.range(name, [0.0, 0.0]);
                        rule.layers.push((name.to_owned(), range));
                    }
                }
            }
            reader.good.then_some(rule)
        })
    }

    fn walkers(&mut self) -> Option<Vec<Walker>> {
        let what = "an array of kinds of walkers, as in [{ count = 4, dig = \".\" }]";
        self.entries("walkers", what, |node, problems| {
            let table = node.table(what, &WALKER, problems)?;
            let mut reader = Reader { table: &table, good: true, problems };
            let plain = Walker::default();
            let ways = [Heading::North, Heading::East, Heading::South, Heading::West];
            let walker = Walker {
                count: reader.count("count", plain.count),
                steps: reader.count("steps", plain.steps),
                turn: reader.number("turn", plain.turn),
                heading: reader.word("heading", &HEADING).map(|i| ways[i]),
                pull: reader.number("pull", plain.pull),
                start: reader.name("start"),
                dig: reader.letter("dig", plain.dig),
                radius: reader.number("radius", plain.radius),
                depth: reader.number("depth", plain.depth),
                deposit: reader.read("deposit", letter),
                share: reader.number("share", plain.share),
            };
            reader.good.then_some(walker)
        })
    }
}

/// Two numbers.
fn pair(node: &Node<'_>, problems: &mut Problems<'_>) -> Option<[f64; 2]> {
    let what = "two numbers, as in [0, 1]";
    let parts = node.array(what, 1000, problems)?;
    let [low, high] = &parts[..] else {
        let wrong = format!("has {}, not 2", plural(parts.len() as u64, "number"));
        problems.bad_value(&node.at, &wrong, what);
        return None;
    };
    let (low, high) = (low.number(&ANY, problems), high.number(&ANY, problems));
    Some([low?, high?])
}

/// Two numbers, or one for both.
fn range(node: &Node<'_>, problems: &mut Problems<'_>) -> Option<[f64; 2]> {
    if node.is_array() {
        return pair(node, problems);
    }
    node.number(&ANY, problems).map(|both| [both, both])
}

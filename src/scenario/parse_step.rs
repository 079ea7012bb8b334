//! `[[map.generate.step]]`: from tables to steps. Numbers are declared; what they must be together, and what
//! letters and names there are, the recipe itself says.

use crate::data::definition::{Definition, Limits};
use crate::generate::{
    Biome, Biomes, Blend, Cave, Connect, Heights, How, Kind, LayRoads, MAX_ENTRIES, Noise, Places,
    Placing, Ramp, Region, Rooms, Scatter, Stamp, Step, Walker, Walkers,
};
use crate::scenario::parse_shape::{area, numbers_within};
use crate::scenario::read::{Node, Table, keys, quoted};

/// The keys of all steps.
pub(super) const STEP: [&str; 2] = ["kind", "salt"];

/// The keys of steps at points, beside those that are declared.
const POINTS: [&str; 8] = ["letter", "shape", "size", "count", "layer", "near", "within", "on"];

/// The keys of the steps of a kind beside those of all.
pub(super) fn keys_of(kind: &str) -> Vec<&'static str> {
    match kind {
        "noise" => keys::<Noise>(&["layer", "transfer", "with", "how"]),
        "ramp" => keys::<Ramp>(&["layer", "transfer", "with", "how"]),
        "blend" => vec!["layer", "of", "transfer", "with", "how"],
        "height" => vec!["layer", "range"],
        "biomes" => vec!["rules", "within", "on"],
        "cave" => keys::<Cave>(&["birth", "survive", "within", "on"]),
        "walkers" => vec!["walkers", "within", "on"],
        "rooms" => keys::<Rooms>(&["size", "name", "within", "on"]),
        "places" => keys::<Placing>(&[&["name"], &POINTS[..]].concat()),
        "scatter" => keys::<Placing>(&POINTS),
        "roads" => keys::<LayRoads>(&["places", "bridges"]),
        _ => keys::<Connect>(&["bridges"]),
    }
}

/// The key of an entry of `walkers` that is not declared.
pub(super) const WALKER: [&str; 1] = ["start"];

/// The shapes of things, the usual one first.
pub(super) const STAMP: [&str; 2] = ["disc", "rect"];

/// Any number; the recipe knows which are good.
const ANY: Limits = Limits::from("a number", -1.0e9, 1.0e9);

/// A step, and its table; `None` in its place when it is wrong.
pub(super) fn step<'a>(node: &Node<'a>) -> Option<(Table<'a>, Option<Step>)> {
    let before = node.problems.count();
    let mut known = STEP.to_vec();
    match node.text_at("kind").filter(|word| Kind::WORDS.contains(word)) {
        Some(word) => known.extend(keys_of(word)),
        None => known.extend(Kind::WORDS.into_iter().flat_map(keys_of)),
    }
    let table = node.table("a step, as in { kind = \"noise\" }", &known)?;
    table.needed("kind", format!("one of {}", quoted(&Kind::WORDS)));
    let word = table.word("kind", &Kind::WORDS);
    let reader = Reader { table: &table };
    let kind = word.and_then(|word| reader.kind(word));
    let salt = reader.read("salt", |node| node.whole("a number", [0, u64::MAX]));
    let step = kind.filter(|_| node.problems.count() == before).map(|kind| Step { salt, kind });
    Some((table, step))
}

/// Reads the keys of one table; those that are missing or wrong have their default, or none.
struct Reader<'t, 'a> {
    table: &'t Table<'a>,
}

impl<'a> Reader<'_, 'a> {
    /// The value of a key that `read` understands.
    fn read<T>(&self, key: &str, read: impl FnOnce(&Node<'a>) -> Option<T>) -> Option<T> {
        read(&self.table.get(key)?)
    }

    /// What is declared.
    fn fields<D: Definition>(&self) -> D {
        self.table.fields(D::default())
    }

    fn letters(&self, key: &str) -> Vec<u8> {
        let what = "letters of the map, as in \".S\"";
        let read = |node: &Node<'a>| node.text(what);
        self.read(key, read).map_or_else(Vec::new, |text| text.as_bytes().to_vec())
    }

    fn name(&self, key: &str) -> Option<String> {
        self.table.text(key, "a name").map(str::to_owned)
    }

    fn required_name(&self, key: &str) -> String {
        self.table.needed(key, "a name");
        self.name(key).unwrap_or_default()
    }

    /// Two numbers, or one for both.
    fn range(&self, key: &str, default: [f64; 2]) -> [f64; 2] {
        self.read(key, range).unwrap_or(default)
    }

    fn region(&self) -> Region {
        let within = self.read("within", area).map_or_else(Vec::new, |area| area.shapes);
        Region { within, on: self.letters("on") }
    }

    fn with(&self) -> Option<(String, How)> {
        let how = self.table.word("how", &How::NAMES).and_then(How::from_name);
        match (self.name("with"), self.table.get("how")) {
            (Some(with), _) => Some((with, how.unwrap_or_default())),
            (None, Some(node)) if self.table.get("with").is_none() => {
                let expected = "`with`, the layer that it is joined with, beside it";
                node.problem("there is no `with` for it", expected);
                None
            }
            _ => None,
        }
    }

    fn transfer(&self) -> Vec<[f64; 2]> {
        let what = "points of a transfer function, as in [[0.5, 0], [0.6, 1]]";
        let read = |node: &Node<'_>| {
            let points = node.array(what, MAX_ENTRIES)?;
            points.iter().map(pair).collect()
        };
        self.read("transfer", read).unwrap_or_default()
    }

    /// A table of letters with a letter each.
    fn bridges(&self) -> Vec<(u8, u8)> {
        let what = "a table of walls and what crosses them, as in { W = \"b\" }";
        let read = |node: &Node<'_>| by_letter(node, what, |node| node.letter());
        self.read("bridges", read).unwrap_or_default()
    }

    fn counts(&self, key: &str) -> Option<Vec<u8>> {
        let what = "an array of counts of neighbours, as in [5, 6, 7, 8]";
        let read = |node: &Node<'_>| {
            let parts = node.array(what, 9)?;
            let count = |part: &Node<'_>| part.whole("a count of neighbours", [0, 8]);
            parts.iter().map(count).map(|count| count.map(|count| count as u8)).collect()
        };
        self.read(key, read)
    }

    fn placing(&self) -> Placing {
        let most = u64::from(u32::MAX);
        let count = self.read("count", |node| node.whole("a number", [0, most]));
        Placing {
            region: self.region(),
            count: count.map(|count| count as u32),
            layer: self.name("layer"),
            near: self.name("near"),
            ..self.fields()
        }
    }

    fn stamp(&self) -> Option<Stamp> {
        let table = self.table;
        for node in ["shape", "size"].iter().filter_map(|key| table.get(key)) {
            if table.get("letter").is_none() {
                node.problem("there is no `letter` for it", "both or neither");
            }
        }
        let letter = self.read("letter", Node::letter)?;
        let plain = Stamp::of(letter);
        let shape = table.word("shape", &STAMP);
        let disc = shape.is_none_or(|shape| shape == STAMP[0]);
        Some(Stamp { letter, disc, size: self.range("size", plain.size) })
    }

    fn kind(&self, word: &str) -> Option<Kind> {
        let kind = match word {
            "noise" => Kind::Noise(Noise {
                layer: self.required_name("layer"),
                transfer: self.transfer(),
                with: self.with(),
                ..self.fields()
            }),
            "ramp" => Kind::Ramp(Ramp {
                layer: self.required_name("layer"),
                transfer: self.transfer(),
                with: self.with(),
                ..self.fields()
            }),
            "blend" => {
                let (layer, of) = (self.required_name("layer"), self.required_name("of"));
                Kind::Blend(Blend { layer, of, transfer: self.transfer(), with: self.with() })
            }
            "height" => {
                let layer = self.required_name("layer");
                let range = self.table.needed("range", "[low, high] in metres")?;
                Kind::Heights(Heights { layer, range: pair(&range)? })
            }
            "biomes" => Kind::Biomes(Biomes { region: self.region(), rules: self.rules()? }),
            "cave" => {
                let plain: Cave = self.fields();
                let region = self.region();
                let birth = self.counts("birth").unwrap_or(plain.birth);
                let survive = self.counts("survive").unwrap_or(plain.survive);
                Kind::Cave(Cave { region, birth, survive, ..plain })
            }
            "walkers" => Kind::Walkers(Walkers { region: self.region(), walkers: self.walkers()? }),
            "rooms" => {
                let plain: Rooms = self.fields();
                let (region, size) = (self.region(), self.range("size", plain.size));
                Kind::Rooms(Rooms { region, size, name: self.name("name"), ..plain })
            }
            "places" => {
                let name = self.required_name("name");
                Kind::Places(Places { name, placing: self.placing(), stamp: self.stamp() })
            }
            "scatter" => {
                self.table.needed("letter", "the letter that is painted");
                Kind::Scatter(Scatter { placing: self.placing(), stamp: self.stamp()? })
            }
            "roads" => {
                let places = self.required_name("places");
                Kind::Roads(LayRoads { places, bridges: self.bridges(), ..self.fields() })
            }
            _ => Kind::Connect(Connect { bridges: self.bridges(), ..self.fields() }),
        };
        Some(kind)
    }

    /// The tables of a list that must be there, each read by `read`.
    fn entries<T>(
        &self,
        key: &str,
        what: &str,
        read: impl Fn(&Node<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let node = self.table.needed(key, what)?;
        let nodes = node.array(what, MAX_ENTRIES)?;
        if nodes.is_empty() {
            node.bad_value("is empty", what);
        }
        Some(nodes.iter().filter_map(read).collect())
    }

    fn rules(&self) -> Option<Vec<Biome>> {
        let what = "an array of rules, as in [{ letter = \"W\", height = [-10, 0] }]";
        self.entries("rules", what, |node| {
            // Every other key is the name of a layer, which the recipe knows.
            let names = node.keys();
            let table = node.table(what, &names)?;
            let letter = table.needed("letter", "the letter that the rule paints")?;
            let letter = letter.letter()?;
            let reader = Reader { table: &table };
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
            Some(rule)
        })
    }

    fn walkers(&self) -> Option<Vec<Walker>> {
        let what = "an array of kinds of walkers, as in [{ count = 4, dig = \".\" }]";
        self.entries("walkers", what, |node| {
            let table = node.table(what, &keys::<Walker>(&WALKER))?;
            let reader = Reader { table: &table };
            Some(Walker { start: reader.name("start"), ..reader.fields() })
        })
    }
}

/// What a table says of letters, each once.
pub(super) fn by_letter<T>(
    node: &Node<'_>,
    what: &str,
    read: impl Fn(&Node<'_>) -> Option<T>,
) -> Option<Vec<(u8, T)>> {
    let table = node.any_table(what)?;
    let entry = |(name, node): (&str, Node<'_>)| match name.as_bytes() {
        &[letter] => read(&node).map(|value| (letter, value)),
        _ => {
            node.problem(format!("`{name}` is not one letter"), what);
            None
        }
    };
    table.each().map(entry).collect()
}

/// Two numbers.
fn pair(node: &Node<'_>) -> Option<[f64; 2]> {
    numbers_within(node, "two numbers, as in [0, 1]", &ANY)
}

/// Two numbers, or one for both.
fn range(node: &Node<'_>) -> Option<[f64; 2]> {
    if node.is_array() {
        return pair(node);
    }
    node.number(&ANY).map(|both| [both, both])
}

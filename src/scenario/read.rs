//! Reads the tables of a TOML file by hand, so that every complaint knows its line, its key and
//! what would be right, and one run finds all of them.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::data::definition::{Definition, Field, Key, Limits, Takes};
use crate::data::number::thousands;
use crate::scenario::error::{Place, Problems};
use crate::scenario::suggest::{meant, nearest};

/// A value and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) at: Place,
    pub(super) value: &'a DeValue<'a>,
    pub(super) problems: &'a Problems<'a>,
}

/// A table whose keys are all known.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// The table itself.
    pub(super) at: Place,
    entries: &'a DeTable<'a>,
    pub(super) problems: &'a Problems<'a>,
    /// Known keys that are there, but misspelt: that has been reported, so they are not missed as well.
    meant: Vec<String>,
}

/// What numbers would be right.
pub(super) fn expected(limits: &Limits) -> String {
    let Limits { what, low, high, above } = limits;
    if *above {
        format!("{what}, above {low} and at most {high}")
    } else {
        format!("{what}, {low} to {high}")
    }
}

/// What whole numbers would be right.
pub(super) fn expected_whole(what: &str, [low, high]: [u64; 2]) -> String {
    format!("{what}, a whole number from {low} to {high}")
}

impl<'a> Node<'a> {
    fn new(key: String, value: &'a Spanned<DeValue<'a>>, problems: &'a Problems<'a>) -> Self {
        Self { at: Place { span: value.span(), key }, value: value.get_ref(), problems }
    }

    /// Reports that the value is wrong: `wrong` follows it, as in `is not above 0`.
    pub(super) fn bad_value(&self, wrong: &str, expected: impl Into<String>) {
        self.problems.bad_value(&self.at, wrong, expected);
    }

    /// Reports something wrong that the value alone does not show.
    pub(super) fn problem(&self, wrong: impl Into<String>, expected: impl Into<String>) {
        self.problems.problem(&self.at, wrong, expected);
    }

    /// The value as it is written.
    pub(super) fn written(&self) -> &'a str {
        self.problems.text_of(&self.at.span)
    }

    /// The number, when it is one within the limits.
    pub(super) fn number(&self, limits: &Limits) -> Option<f64> {
        let number = match self.value {
            DeValue::Integer(whole) => whole_value(whole).map(|n| n as f64),
            DeValue::Float(float) => float.as_str().parse().ok(),
            other => {
                self.wrong_type(other, expected(limits));
                return None;
            }
        };
        let wrong = match number {
            None => "is not a number that this program can hold".to_owned(),
            Some(n) if !n.is_finite() => "is not a finite number".to_owned(),
            Some(n) if limits.above && n <= limits.low => format!("is not above {}", limits.low),
            Some(n) if n < limits.low => format!("is below {}", limits.low),
            Some(n) if n > limits.high => format!("is above {}", limits.high),
            Some(n) => return Some(n),
        };
        self.bad_value(&wrong, expected(limits));
        None
    }

    /// The whole number, when it is one from `low` to `high`.
    pub(super) fn whole(&self, what: &str, [low, high]: [u64; 2]) -> Option<u64> {
        let expected = expected_whole(what, [low, high]);
        let DeValue::Integer(integer) = self.value else {
            if matches!(self.value, DeValue::Float(_)) {
                self.bad_value("is not a whole number", expected);
            } else {
                self.wrong_type(self.value, expected);
            }
            return None;
        };
        let wrong = match whole_value(integer) {
            Some(n) if n < i128::from(low) => format!("is below {low}"),
            Some(n) if n <= i128::from(high) => return Some(n as u64),
            None if integer.as_str().starts_with('-') => format!("is below {low}"),
            _ => format!("is above {high}"),
        };
        self.bad_value(&wrong, expected);
        None
    }

    /// Whether it is true.
    fn truth(&self) -> Option<bool> {
        let DeValue::Boolean(is) = self.value else {
            self.wrong_type(self.value, "true or false".to_owned());
            return None;
        };
        Some(*is)
    }

    /// One of several words, as its index; `key` is what a wrong one is not.
    pub(super) fn word(&self, key: &str, words: &[&str]) -> Option<usize> {
        let expected = format!("one of {}", quoted(words));
        let word = self.text(&expected)?;
        let index = words.iter().position(|known| *known == word);
        if index.is_none() {
            let expected = meant('"', word, words.iter().copied()).unwrap_or(expected);
            self.bad_value(&format!("is no {key}"), expected);
        }
        index
    }

    /// Some of the whole numbers below `count`, a bit for each.
    fn set(&self, of: &str, count: u8) -> Option<u32> {
        let what = format!("an array of {of}s, as in [0, 2]");
        let mut bits = 0;
        for entry in &self.array(&what, count.into())? {
            bits |= 1 << entry.whole(&format!("a {of}"), [0, u64::from(count - 1)])?;
        }
        Some(bits)
    }

    /// A letter of a map; the map knows which there are.
    pub(super) fn letter(&self) -> Option<u8> {
        let what = "a letter of the map, as in \".\"";
        match self.text(what)?.as_bytes() {
            &[letter] => Some(letter),
            _ => {
                self.bad_value("is not one letter", what);
                None
            }
        }
    }

    /// What a field says, as its number; none when it is no field that says all by itself.
    fn field(&self, field: &Field) -> Option<f64> {
        match field.takes {
            Takes::Number(limits) => self.number(&limits),
            Takes::Whole { what, low, high } => {
                self.whole(what, [low, high]).map(|number| number as f64)
            }
            Takes::Truth => self.truth().map(|is| f64::from(u8::from(is))),
            Takes::Word(words) => self.word(field.key, words).map(|index| index as f64),
            Takes::Set { of, count } => self.set(of, count).map(f64::from),
            Takes::Letter(_) => self.letter().map(f64::from),
            Takes::Name { .. } | Takes::Unsaid { .. } => None,
        }
    }

    /// Whether it is a text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }

    /// Whether it is an array.
    pub(super) fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// The entries of an array; none of anything else, which is not reported.
    pub(super) fn entries(&self) -> Vec<Node<'a>> {
        let entries = self.value.as_array().into_iter().flatten().enumerate();
        let node = |(i, value)| Node::new(format!("{}[{i}]", self.at.key), value, self.problems);
        entries.map(node).collect()
    }

    /// The keys of a table, by name; none of anything else.
    pub(super) fn keys(&self) -> Vec<&'a str> {
        let DeValue::Table(entries) = self.value else { return Vec::new() };
        entries.iter().map(|(key, _)| key.get_ref().as_ref()).collect()
    }

    /// The text of a key of a table, without a word when it is none.
    pub(super) fn text_at(&self, key: &str) -> Option<&'a str> {
        let DeValue::Table(entries) = self.value else { return None };
        match entries.get(key)?.get_ref() {
            DeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// Where the value of a key of a table is written.
    pub(super) fn member(&self, key: &str) -> Option<Place> {
        let DeValue::Table(entries) = self.value else { return None };
        Some(Place { span: entries.get(key)?.span(), key: self.at.key(key) })
    }

    /// The text, when it is one.
    pub(super) fn text(&self, what: &str) -> Option<&'a str> {
        let DeValue::String(text) = self.value else {
            self.wrong_type(self.value, format!("{what}, a text in quotes"));
            return None;
        };
        Some(text)
    }

    /// The values of an array of at most `most`.
    pub(super) fn array(&self, what: &str, most: usize) -> Option<Vec<Node<'a>>> {
        let DeValue::Array(array) = self.value else {
            self.wrong_type(self.value, what.to_owned());
            return None;
        };
        if array.len() > most {
            let wrong = format!("has {} entries, more than {most}", array.len());
            self.bad_value(&wrong, what);
            return None;
        }
        Some(self.entries())
    }

    /// The table, its unknown keys reported.
    pub(super) fn table(&self, what: &str, known: &[&str]) -> Option<Table<'a>> {
        let DeValue::Table(entries) = self.value else {
            self.wrong_type(self.value, what.to_owned());
            return None;
        };
        Some(Table::new(self.at.clone(), entries, known, self.problems))
    }

    /// The table, whatever its keys are.
    pub(super) fn any_table(&self, what: &str) -> Option<Table<'a>> {
        let keys = |entries: &'a DeTable<'a>| entries.iter().map(|(key, _)| key.get_ref().as_ref());
        let known: Vec<&str> = self.value.as_table().into_iter().flat_map(keys).collect();
        self.table(what, &known)
    }

    pub(super) fn wrong_type(&self, found: &DeValue<'_>, expected: String) {
        let kind = match found {
            DeValue::String(_) => "is a text",
            DeValue::Integer(_) | DeValue::Float(_) => "is a number",
            DeValue::Boolean(_) => "is true or false",
            DeValue::Datetime(_) => "is a date",
            DeValue::Array(_) => "is an array",
            DeValue::Table(_) => "is a table",
        };
        self.bad_value(kind, expected);
    }
}

impl<'a> Table<'a> {
    /// A table at a place. Keys that are not `known` are reported, with the nearest known one.
    pub(super) fn new(
        at: Place,
        entries: &'a DeTable<'a>,
        known: &[&str],
        problems: &'a Problems<'a>,
    ) -> Self {
        let mut meant = Vec::new();
        for key in entries.iter().map(|(key, _)| key) {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let place = Place { span: key.span(), key: at.key(name) };
            let meaning =
                if problems.is_full() { None } else { nearest(name, known.iter().copied()) };
            let expected = match meaning {
                Some(word) => {
                    meant.push(word.to_owned());
                    format!("`{word}`, if that is what you meant")
                }
                None if problems.is_full() => String::new(),
                None => format!("one of {}", quoted(known)),
            };
            problems.problem(&place, "there is no such key", expected);
        }
        Self { at, entries, problems, meant }
    }

    /// Reports something wrong with the table.
    pub(super) fn problem(&self, wrong: impl Into<String>, expected: impl Into<String>) {
        self.problems.problem(&self.at, wrong, expected);
    }

    /// Reports that the value of a key is wrong: `wrong` follows it.
    pub(super) fn bad_value(&self, key: &str, wrong: &str, expected: impl Into<String>) {
        self.problems.bad_value(&self.place(key), wrong, expected);
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<Node<'a>> {
        self.entries.get(key).map(|value| Node::new(self.at.key(key), value, self.problems))
    }

    /// The keys that are there, of several, in their order.
    pub(super) fn present<'k>(&self, keys: &[&'k str]) -> Vec<&'k str> {
        keys.iter().copied().filter(|key| self.entries.contains_key(*key)).collect()
    }

    /// Whether one of several keys is there, but misspelt.
    pub(super) fn misspelt(&self, keys: &[&str]) -> bool {
        self.meant.iter().any(|meant| keys.contains(&meant.as_str()))
    }

    /// Reports that a key is missing.
    pub(super) fn missing(&self, key: &str, expected: impl Into<String>) {
        if !self.misspelt(&[key]) {
            self.problems.missing(&self.at, key, expected);
        }
    }

    /// The value of a key that must be there.
    pub(super) fn needed(&self, key: &str, expected: impl Into<String>) -> Option<Node<'a>> {
        let node = self.get(key);
        if node.is_none() {
            self.missing(key, expected);
        }
        node
    }

    /// Where a key is written, or else the table.
    pub(super) fn place(&self, key: &str) -> Place {
        self.get(key).map_or(self.at.clone(), |node| node.at)
    }

    /// The tables of an array of tables, `[[key]]`; none when it is not there.
    pub(super) fn tables(
        &self,
        key: &str,
        most: usize,
        example: &str,
        known: &[&str],
    ) -> Vec<Table<'a>> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let what = format!("`[[{key}]]` tables, at most {}", thousands(most as u64));
        let nodes = node.array(&what, most).unwrap_or_default();
        nodes.iter().filter_map(|node| node.table(example, known)).collect()
    }

    /// Every key and its value, by key.
    pub(super) fn each(&self) -> impl Iterator<Item = (&'a str, Node<'a>)> {
        let (path, problems) = (self.at.clone(), self.problems);
        self.entries.iter().map(move |(key, value)| {
            let name: &str = key.get_ref();
            (name, Node::new(path.key(name), value, problems))
        })
    }

    /// The number of a key, or the default when the key is missing (or wrong, which is reported).
    pub(super) fn number(&self, key: &str, limits: &Limits, default: f64) -> f64 {
        self.get(key).and_then(|node| node.number(limits)).unwrap_or(default)
    }

    /// The same of a key that is declared.
    pub(super) fn key(&self, key: &Key) -> f64 {
        self.number(key.name, &key.limits, key.default)
    }

    /// The whole number of a key, or the default.
    pub(super) fn whole(&self, key: &str, what: &str, range: [u64; 2], default: u64) -> u64 {
        self.get(key).and_then(|node| node.whole(what, range)).unwrap_or(default)
    }

    /// Whether a key is true, or the default.
    pub(super) fn truth(&self, key: &str, default: bool) -> bool {
        self.get(key).and_then(|node| node.truth()).unwrap_or(default)
    }

    /// One of several words.
    pub(super) fn word<'k>(&self, key: &str, words: &[&'k str]) -> Option<&'k str> {
        Some(words[self.get(key)?.word(key, words)?])
    }

    /// A definition, changed by what the table says of its fields; names are left to the caller.
    pub(super) fn fields<D: Definition>(&self, mut def: D) -> D {
        for (field, value) in D::FIELDS.iter().zip(def.values()) {
            if let Some(number) = self.get(field.key).and_then(|node| node.field(field)) {
                value.set(number).expect("what a key takes can be held");
            }
        }
        def
    }

    /// The text of a key, when it is there.
    pub(super) fn text(&self, key: &str, what: &str) -> Option<&'a str> {
        self.get(key).and_then(|node| node.text(what))
    }
}

/// A TOML integer, which may be larger than 64 bits in a file.
pub(super) fn whole_value(integer: &toml::de::DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Words in backquotes, joined by commas.
pub(super) fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// The keys of a definition, after others.
pub(super) fn keys<D: Definition>(others: &[&'static str]) -> Vec<&'static str> {
    others.iter().copied().chain(D::keys().map(|field| field.key)).collect()
}

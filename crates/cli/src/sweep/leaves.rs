//! The plain values of a JSON document with their paths, in its order.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// Values at the ends of a document; of `{"a": {"b": 1}}` the number 1 at `a.b`. True is 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Leaves {
    pub(crate) numbers: Vec<(String, Number)>,
    pub(crate) texts: Vec<(String, String)>,
}

impl Leaves {
    /// The text at a path.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.iter().find(|(found, _)| found == path).map(|(_, text)| text.as_str())
    }

    /// The number at a path.
    pub(crate) fn number(&self, path: &str) -> Option<&Number> {
        self.numbers.iter().find(|(found, _)| found == path).map(|(_, number)| number)
    }
}

impl<'de> Deserialize<'de> for Leaves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut leaves = Self::default();
        Below { path: String::new(), leaves: &mut leaves }.deserialize(deserializer)?;
        Ok(leaves)
    }
}

/// The value at a path, whose numbers are added to `leaves`.
struct Below<'a> {
    path: String,
    leaves: &'a mut Leaves,
}

impl Below<'_> {
    fn at(&mut self, key: &str) -> Below<'_> {
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Below { path, leaves: self.leaves }
    }

    fn number(self, number: impl Into<Number>) {
        self.leaves.numbers.push((self.path, number.into()));
    }
}

impl<'de> DeserializeSeed<'de> for Below<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Below<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, is: bool) -> Result<(), E> {
        self.number(u8::from(is));
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.number(number);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.number(number);
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        if let Some(number) = Number::from_f64(number) {
            self.number(number);
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.leaves.texts.push((self.path, text.to_owned()));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let mut index = 0_usize;
        while entries.next_element_seed(self.at(&index.to_string()))?.is_some() {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        while let Some(key) = entries.next_key::<String>()? {
            entries.next_value_seed(self.at(&key))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Leaves;

    #[test]
    fn values_keep_their_order_and_their_digits() {
        let text = r#"{"z": 1, "a": {"y": 0.1, "b": [true, {"c": -3}]}, "d": "text", "n": null}"#;
        let leaves: Leaves = serde_json::from_str(text).unwrap();
        let numbers = leaves.numbers.iter().map(|(path, number)| format!("{path}={number}"));
        let numbers: Vec<String> = numbers.collect();
        assert_eq!(numbers, ["z=1", "a.y=0.1", "a.b.0=1", "a.b.1.c=-3"]);
        assert_eq!(leaves.text("d"), Some("text"));
        // Numbers that a reader of the shortest digits must meet exactly.
        for bits in [0x3FB9_9999_9999_999A_u64, 0x4086_F7F4_0001_2345, 0x3E11_2233_4455_6677] {
            let number = f64::from_bits(bits);
            let text = serde_json::to_string(&[number]).unwrap();
            let leaves: Leaves = serde_json::from_str(&text).unwrap();
            assert_eq!(leaves.number("0").unwrap().as_f64(), Some(number));
        }
    }
}

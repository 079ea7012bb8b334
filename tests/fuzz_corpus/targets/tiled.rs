//! Maps and tilesets of the Tiled editor.

use std::io;

use throng::map::{Legend, Map, TiledRules};

use super::mutate::{Part, Random, edit_text};
use super::{Outcome, Target, map, meter, play};

/// The target.
pub const TARGET: Target = Target { name: "tiled", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of the files, for each cell, and for none.
const CAP: [usize; 3] = [256, 64, 16 << 10];
/// Most cells that a byte of a file unpacks to: 1,032 bytes of Base64 text, 4 a cell.
const UNPACKED: usize = 258;

/// Reads a map, or a tileset for a map; a small map is walked on.
pub fn run(bytes: &[u8]) -> Outcome {
    let is_tileset = bytes.starts_with(b"<tileset");
    let level = if is_tileset { LEVEL.as_bytes() } else { bytes };
    let tileset = if is_tileset { bytes } else { TILESET.as_bytes() };
    let file = |path: &str| -> io::Result<Vec<u8>> {
        if path.contains("no") { Err(io::ErrorKind::NotFound.into()) } else { Ok(tileset.to_vec()) }
    };
    let rules = TiledRules { other: Some(24), empty: 16, ..TiledRules::default() };
    let cells = claimed(level, b"width").saturating_mul(claimed(level, b"height"));
    let files = level.len() + tileset.len() * (1 + count(level, b"source"));
    let cap = CAP[0] * files + CAP[1] * cells.min(UNPACKED * level.len()) + CAP[2];
    let read = || Map::parse_tiled("a.tmx", level, &rules, &Legend::default(), 0.75, &file);
    match meter::within("a Tiled map", |_| cap, read) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            Outcome::Refused
        }
        Ok((map, _)) if !play::is_small(&map) => Outcome::Read,
        Ok((map, legend)) => {
            assert!(map.letters().iter().all(|&letter| legend.get(letter).is_some()));
            map::walk(map);
            Outcome::Played
        }
    }
}

/// The largest number that follows a word and a quotation mark.
fn claimed(text: &[u8], word: &[u8]) -> usize {
    let after = |at: usize| {
        let digits =
            text[at + word.len()..].iter().skip(2).take_while(|byte| byte.is_ascii_digit());
        digits.take(6).fold(0, |number, &digit| number * 10 + usize::from(digit - b'0'))
    };
    let places = text.windows(word.len()).enumerate().filter(|(_, found)| *found == word);
    places.map(|(at, _)| after(at)).max().unwrap_or(0)
}

fn count(text: &[u8], word: &[u8]) -> usize {
    text.windows(word.len()).filter(|found| *found == word).count()
}

const LEVEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="6" height="3" tilewidth="8" tileheight="8" infinite="0">
 <tileset firstgid="1" source="a.tsx"/>
 <layer id="1" name="ground" width="6" height="3">
  <data encoding="csv">
1,1,1,2,3,0,
1,2,1,1073741825,3,1,
4,4,1,1,1,5
</data>
 </layer>
</map>
"#;

const TILESET: &str = r#"<tileset name="a" tilewidth="8" tileheight="8" tilecount="6" columns="3">
 <tile id="1"><properties><property name="cost" value="wall"/></properties></tile>
 <tile id="2">
  <properties>
   <property name="cost" type="float" value="2.5"/>
   <property name="letter" value="S"/>
  </properties>
 </tile>
 <tile id="3"><properties><property name="letter" value="G"/></properties></tile>
</tileset>
"#;

const EMBEDDED: &str = concat!(
    r#"<map orientation="orthogonal" width="4" height="2">
 <tileset firstgid="1" name="b">"#,
    r#"<tile id="0"><properties><property name="cost" value="3"/></properties></tile></tileset>
 <tileset firstgid="9" source="more/a.tsx"/>
 <group>
  <objectgroup><object id="1" x="2" y="3"><point/></object></objectgroup>
  <layer name="one" width="4" height="2"><data encoding="base64">
   AQAAAAoAAAAAAAAAAQAAAAsAAAABAAAAAQAAQAkAAAA=
  </data></layer>
 </group>
</map>
"#
);

const PACKED: &str = r#"<map orientation="orthogonal" width="4" height="2">
 <tileset firstgid="1" source="a.tsx"/>
 <layer name="one" width="4" height="2"><data encoding="base64" compression="zlib">
  eJxjZGBgYARiJiBmBmIWKJ8BSgMAARgADg==
 </data></layer>
</map>
"#;

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let texts = [("csv", LEVEL), ("tileset", TILESET), ("embedded", EMBEDDED), ("packed", PACKED)];
    texts.into_iter().map(|(name, text)| (name, text.as_bytes().to_vec())).collect()
}

/// Words of such files.
const WORDS: [&str; 24] = [
    "map",
    "tileset",
    "tile",
    "layer",
    "data",
    "group",
    "properties",
    "property",
    "cost",
    "letter",
    "wall",
    "csv",
    "base64",
    "zlib",
    "gzip",
    "source",
    "firstgid",
    "width",
    "height",
    "infinite",
    "encoding",
    "compression",
    "id",
    "name",
];

/// Changes lines, numbers and words, or bytes.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let mut text = bytes.to_vec();
    if random.below(8) == 0 {
        part(&mut text, random);
    } else {
        edit_text(&mut text, random, &WORDS);
    }
    text
}

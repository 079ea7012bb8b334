//! Maps of the Tiled editor: encodings, tilesets, properties, and what is refused.

use std::io;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use throng::map::{Legend, Map, MapError, TiledRules};

/// The tileset of most maps: tile 0 plain, 1 a wall, 2 a swamp of cost 2.5, 3 a wall by number.
const TILES: &str = r#"<tile id="0"><properties><property name="cost" type="float" value="1"/>
   <property name="sound" value="grass"/></properties></tile>
  <tile id="1"><properties><property name="cost" value="wall"/></properties></tile>
  <tile id="2"><properties><property name="cost" type="float" value="2.5"/></properties>
   <animation><frame tileid="2" duration="9"/></animation></tile>
  <tile id="3"><properties><property name="cost" type="int" value="0"/></properties></tile>"#;

const SET: &str = r#" name="ground" tilewidth="16" tileheight="16" tilecount="6" columns="2""#;

/// A map of 4 × 2 tiles with an embedded tileset and one layer.
fn map_of(data: &str) -> String {
    with_tileset(&format!("<tileset firstgid=\"1\"{SET}>\n  {TILES}\n </tileset>"), data)
}

fn with_tileset(tileset: &str, data: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" \
         orientation=\"orthogonal\" renderorder=\"right-down\" width=\"4\" height=\"2\" \
         tilewidth=\"16\" tileheight=\"16\" infinite=\"0\" nextlayerid=\"2\">\n {tileset}\n \
         <layer id=\"1\" name=\"floor\" width=\"4\" height=\"2\">\n  {data}\n </layer>\n</map>\n"
    )
}

fn csv(cells: &str) -> String {
    format!("<data encoding=\"csv\">\n{cells}\n</data>")
}

const CELLS: [u32; 8] = [1, 2, 3, 0, 4, 1, 1, 3];

/// The tiles as Tiled packs them.
fn packed(compression: &str, cells: &[u32]) -> String {
    let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    let bytes = match compression {
        "zlib" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        "gzip" => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        _ => bytes,
    };
    let text = STANDARD.encode(bytes);
    let attribute =
        if compression.is_empty() { "" } else { &format!(" compression=\"{compression}\"") };
    format!("<data encoding=\"base64\"{attribute}>\n   {text}\n  </data>")
}

fn no_file(path: &str) -> io::Result<Vec<u8>> {
    panic!("{path} is read")
}

fn read(text: &str, rules: &TiledRules) -> Result<(Map, Legend), MapError> {
    Map::parse_tiled("level.tmx", text.as_bytes(), rules, &Legend::default(), 1.0, &no_file)
}

fn letters(text: &str) -> String {
    let (map, legend) =
        read(text, &TiledRules::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for (cell, &letter) in map.letters().iter().enumerate() {
        let at = map.index(cell as u32 % map.width(), cell as u32 / map.width());
        assert_eq!(legend.get(letter), Some(map.slowness()[at as usize]), "cell {cell}");
    }
    String::from_utf8(map.letters().to_vec()).unwrap()
}

#[test]
fn every_encoding_is_the_same_map() {
    let numbers = "1,2,3,0,\n4,1,1,3";
    let expected = ".@a@@..a";
    assert_eq!(letters(&map_of(&csv(numbers))), expected);
    assert_eq!(letters(&map_of(&csv(numbers)).replace('\n', "\r\n")), expected);
    assert_eq!(letters(&format!("\u{feff}{}", map_of(&csv(numbers)))), expected);
    for compression in ["", "zlib", "gzip"] {
        assert_eq!(letters(&map_of(&packed(compression, &CELLS))), expected, "{compression}");
    }
    // Flipped and turned tiles are the same tiles.
    let turned: Vec<u32> =
        (0..8).map(|i| CELLS[i] | if CELLS[i] == 0 { 0 } else { i as u32 } << 29).collect();
    assert!(turned.iter().any(|&cell| cell >> 29 == 7));
    assert_eq!(letters(&map_of(&packed("zlib", &turned))), expected);
    let map = read(&map_of(&csv(numbers)), &TiledRules::default()).unwrap().0;
    assert_eq!(map.slowness()[6 + 1..][..4], [16, 0, 40, 0]);
}

#[test]
fn tiles_may_be_hexagons_where_the_rules_say_so() {
    let text = map_of(&csv("1,2,3,0,4,1,1,3"));
    let hexagons = text.replace(
        "orientation=\"orthogonal\"",
        "orientation=\"hexagonal\" staggeraxis=\"y\" staggerindex=\"odd\" hexsidelength=\"8\"",
    );
    let rules = TiledRules { hexagons: true, ..TiledRules::default() };
    assert_eq!(read(&hexagons, &rules).unwrap().0.letters(), b".@a@@..a");
    for (text, rules, words) in [
        (
            hexagons.clone(),
            TiledRules::default(),
            "the map is hexagonal; expected an orthogonal map",
        ),
        (text, rules.clone(), "the map is orthogonal; expected a hexagonal map"),
        (
            hexagons.replace("\"y\"", "\"x\""),
            rules.clone(),
            "its `staggeraxis` is `x`; expected rows",
        ),
        (hexagons.replace("\"odd\"", "\"even\""), rules, "its `staggerindex` is `even`"),
    ] {
        let error = read(&text, &rules).unwrap_err().to_string();
        assert!(error.contains(words) && error.starts_with("line 2, column "), "{error}");
    }
}

#[test]
fn tilesets_may_be_files() {
    let text = with_tileset(
        "<tileset firstgid=\"1\" source=\"../sets/a.tsx\"/><tileset firstgid=\"3\" source=\"/b.tsx\"/>",
        &csv("1,2,3,0,3,4,3,1"),
    );
    let load = |read: &dyn Fn(&str) -> io::Result<Vec<u8>>| {
        let bytes = text.as_bytes();
        Map::parse_tiled(
            "maps/town/level.tmx",
            bytes,
            &TiledRules::default(),
            &Legend::default(),
            1.0,
            read,
        )
    };
    let set =
        |tiles: &str| format!("<?xml version=\"1.0\"?>\n<tileset {SET}>\n{tiles}\n</tileset>");
    let tile = |id: u32, cost: &str| {
        format!(
            "<tile id=\"{id}\"><properties><property name=\"cost\" value=\"{cost}\"/></properties></tile>"
        )
    };
    let files = |path: &str| match path {
        "maps/town/../sets/a.tsx" => Ok(set(TILES).into_bytes()),
        "/b.tsx" => Ok(set(&(tile(0, "4") + &tile(1, "0.5"))).into_bytes()),
        _ => panic!("{path} is read"),
    };
    let map = load(&files).unwrap().0;
    assert_eq!(map.letters(), b".@a@aba.");
    let costs: Vec<u8> =
        map.slowness()[7..11].iter().chain(&map.slowness()[13..17]).copied().collect();
    assert_eq!(costs, [16, 0, 64, 0, 64, 8, 64, 16]);

    let missing = load(&|_| Err(io::ErrorKind::NotFound.into())).unwrap_err().to_string();
    assert!(missing.starts_with("line 3, column "), "{missing}");
    assert!(missing.contains("`maps/town/../sets/a.tsx` cannot be read"), "{missing}");
    let bad = load(&|_| Ok(set(&tile(0, "deep")).into_bytes())).unwrap_err().to_string();
    let place = "`maps/town/../sets/a.tsx`, line 3, column 26: the cost of a tile is `deep`";
    assert!(bad.starts_with(place), "{bad}");
    let other = load(&|_| Ok(text.clone().into_bytes())).unwrap_err().to_string();
    assert!(other.contains("the file is a `map`; expected a `tileset`"), "{other}");
}

#[test]
fn layers_are_found_by_name() {
    let mut text = map_of(&csv("1,1,1,1,1,1,1,1"));
    let other = format!(
        "<objectgroup id=\"7\" name=\"walls\"><object id=\"1\" x=\"1\" y=\"2\"/></objectgroup><group \
         name=\"more\"><layer id=\"9\" name=\"walls\" width=\"4\" height=\"2\">{}</layer></group></map>",
        csv("0,2,2,2,0,0,0,0")
    );
    text = text.replace("</map>", &other);
    assert_eq!(letters(&text), "........");
    let rules = TiledRules { layer: Some("walls".to_owned()), empty: 16, ..TiledRules::default() };
    assert_eq!(read(&text, &rules).unwrap().0.letters(), b".@@@....");
    let rules = TiledRules { layer: Some("wall".to_owned()), ..TiledRules::default() };
    let error = read(&text, &rules).unwrap_err().to_string();
    assert_eq!(
        error,
        "line 2, column 1: there is no tile layer `wall`, but `floor`, `walls`; expected the name of \
         a tile layer"
    );
}

#[test]
fn letters_and_costs_go_together() {
    let tile = |id: u32, list: &[(&str, &str)]| {
        let list: Vec<String> =
            list.iter().map(|(k, v)| format!("<property name=\"{k}\" value=\"{v}\"/>")).collect();
        format!("<tile id=\"{id}\"><properties>{}</properties></tile>", list.concat())
    };
    let text = |tiles: &str, cells: &str| {
        with_tileset(&format!("<tileset firstgid=\"1\"{SET}>{tiles}</tileset>"), &csv(cells))
    };
    let tiles = tile(0, &[("letter", "S"), ("cost", "2.5")])
        + &tile(1, &[("letter", "T")])
        + &tile(2, &[("cost", "2.5")])
        + &tile(3, &[("letter", "m")])
        + &tile(4, &[("letter", "S")])
        + &tile(5, &[("mud", "3"), ("cost", "1")]);
    // S costs what the tile says; so does the tile that only costs as much.
    let map = text(&tiles, "1,2,3,1,6,6,6,0");
    assert_eq!(letters(&map), "STSS...@");
    let refused = |cells: &str, rules: &TiledRules| {
        read(&text(&tiles, cells), rules).unwrap_err().to_string()
    };
    let rules = TiledRules::default();
    let found = refused("1,5,1,1,1,1,1,1", &rules);
    assert!(
        found.contains("tile 4 of tileset `ground` has a letter of another tile, `S`"),
        "{found}"
    );
    let found = refused("1,1,1,1,1,1,4,1", &rules);
    assert!(
        found.contains("tile 3 of tileset `ground` has letter `m`, which no legend has"),
        "{found}"
    );
    let found = refused("1,1,1,1,1,1,9,1", &rules);
    let place = "tile 8 of tileset `ground` of cell (2, 1) has no property `cost`; expected what";
    assert!(found.contains(place), "{found}");
    // `other` is for tiles that say nothing, not for unknown letters.
    let rules = TiledRules { other: Some(80), property: "mud".to_owned(), ..TiledRules::default() };
    assert!(refused("4,1,1,1,1,1,9,1", &rules).contains("has letter `m`"));
    let map = read(&text(&tiles, "6,3,2,5,9,9,0,6"), &rules).unwrap().0;
    assert_eq!(map.letters(), b"baTSaa@b");
    assert_eq!(map.slowness()[7..11], [48, 80, 0, 16]);
}

#[test]
fn what_is_no_such_map_is_refused() {
    let good = map_of(&csv("1,2,3,0,4,1,1,3"));
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        read(&good.replacen(from, to, 1), &TiledRules::default()).unwrap_err().to_string()
    };
    let data = |data: &str| read(&map_of(data), &TiledRules::default()).unwrap_err().to_string();
    let base64 =
        |text: &str| data(&format!("<data encoding=\"base64\" compression=\"zlib\">{text}</data>"));
    let cases = [
        (changed("orthogonal", "isometric"), "line 2, column 21: the map is isometric; expected"),
        (changed("infinite=\"0\"", "infinite=\"1\""), "the map is infinite"),
        (changed("width=\"4\"", "width=\"four\""), "line 2, column 71: width is `four`; expected"),
        (changed("width=\"4\"", ""), "line 2, column 1: `map` has no `width`"),
        (changed("width=\"4\"", "width=\"16385\""), "a map of 16385 x 2 cells"),
        (changed("width=\"4\"", "width=\"5\""), "the layer's width is 4, and that of the map 5"),
        (changed("firstgid=\"1\"", "firstgid=\"2\""), "tile 1 of cell (0, 0) is in no tileset"),
        (changed("firstgid=\"1\"", ""), "line 3, column 2: `tileset` has no `firstgid`"),
        (changed("tile id=\"0\"", "tile"), "`tile` has no `id`"),
        (
            changed("value=\"2.5\"", "value=\"16\""),
            "the cost of a tile is `16`; expected `wall`, 0",
        ),
        (changed("value=\"2.5\"", "value=\"NaN\""), "the cost of a tile is `NaN`"),
        (changed("value=\"2.5\"", ""), "the cost of a tile is ``"),
        (changed("name=\"sound\"", "name=\"letter\""), "letter is `grass`; expected one printable"),
        (changed("</layer>", ""), "expected 'layer' tag, not 'map'"),
        (changed("<map", "<!DOCTYPE map [<!ENTITY a \"b\">]><map"), "XML with DTD detected"),
        (changed("csv", "xml"), "tiles are in xml; expected CSV"),
        (changed("<layer", "<level"), "expected 'level' tag, not 'layer'"),
        (changed("1,2,3", "1,2"), "line 12, column 3: the layer has 7 tiles, and the map 4 × 2"),
        (changed("1,2,3", "1,2,3,3"), "the layer has more than 8 tiles"),
        (changed("1,2,3", "1,-2,3"), "`-2` is tile 1 of the layer; expected a whole number"),
        (data(""), "the layer has no `data`"),
        (data("<data encoding=\"csv\"/>"), "`` is tile 0 of the layer"),
        (data("<data><tile gid=\"1\"/></data>"), "tiles are in xml"),
        (data(&packed("zlib", &CELLS).replace("zlib", "zstd")), "tiles are in base64 zstd"),
        (data(&packed("zlib", &CELLS[..7])), "the layer has 7 tiles"),
        (data(&packed("gzip", &[1; 9])), "the layer has more than 8 tiles"),
        (data(&packed("", &CELLS).replace("AAA", "A")), ""),
        (base64("!"), "line 12, column 3: Invalid symbol"),
        (base64("AAAA"), "expected tiles that can be unpacked"),
        (data("<data encoding=\"base64\">AAAA</data>"), "tiles of 3 bytes; expected 4 bytes"),
    ];
    for (found, expected) in cases {
        assert!(found.contains(expected) && !found.is_empty(), "{found}\n{expected}");
    }
    let set = format!("<tileset firstgid=\"1\"{SET}/>");
    let twice = with_tileset(&set.repeat(2), &csv("1"));
    let found = read(&twice, &TiledRules::default()).unwrap_err().to_string();
    assert!(found.contains("firstgid is 1, and that of the tileset before no less"), "{found}");
    let many: String = (1..1002).map(|n| set.replace("\"1\"", &format!("\"{n}\""))).collect();
    let found = read(&with_tileset(&many, ""), &TiledRules::default()).unwrap_err().to_string();
    assert!(found.contains("there are more tilesets; expected at most 1000"), "{found}");
    let binary = Map::parse_tiled(
        "level.tmx",
        b"<map>\n\n \xff",
        &TiledRules::default(),
        &Legend::default(),
        1.0,
        &no_file,
    );
    let found = binary.unwrap_err().to_string();
    assert!(found.starts_with("line 3, column 2: byte 0xff is not text"), "{found}");
}

#[test]
fn hostile_files_are_refused() {
    // 64 MiB of zeros, where 32 bytes are wanted.
    let bomb = packed("zlib", &vec![0; 16 << 20]);
    assert!(bomb.len() < 100_000);
    let found = read(&map_of(&bomb), &TiledRules::default()).unwrap_err().to_string();
    assert!(found.contains("the layer has more than 8 tiles"), "{found}");
    let deep = map_of("")
        .replace("</map>", &("<group>".repeat(100_000) + &"</group>".repeat(100_000) + "</map>"));
    assert!(read(&deep, &TiledRules::default()).unwrap_err().to_string().contains("no `data`"));
    let good = map_of(&packed("zlib", &CELLS));
    for length in 0..good.trim_end().len() {
        let error = read(&good[..length], &TiledRules::default()).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn there_are_as_many_kinds_of_ground_as_letters() {
    let tile = |id: u32| {
        let cost = f64::from(id + 1) / 16.0;
        format!(
            "<tile id=\"{id}\"><properties><property name=\"cost\" value=\"{cost}\"/></properties></tile>"
        )
    };
    let text = |kinds: u32| {
        let tiles: String = (0..kinds).map(tile).collect();
        let cells: Vec<String> = (1..=kinds).map(|cell| cell.to_string()).collect();
        let text = with_tileset(
            &format!("<tileset firstgid=\"1\"{SET}>{tiles}</tileset>"),
            &csv(&cells.join(",")),
        );
        text.replace("width=\"4\"", &format!("width=\"{kinds}\""))
            .replace("height=\"2\"", "height=\"1\"")
    };
    // 57 spare letters, and the plain one.
    assert_eq!(letters(&text(58)).len(), 58);
    let found = read(&text(59), &TiledRules::default()).unwrap_err().to_string();
    assert!(found.contains("there are more kinds of ground than letters for them"), "{found}");
}

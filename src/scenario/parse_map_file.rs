//! `colors` and `tiled` of `[map]`: how map files that have no letters are read.

use crate::map::{Colours, Legend, MapError, TiledRules};
use crate::scenario::parse_terrain::letter_cost;
use crate::scenario::read::Table;

pub(super) const TILED: [&str; 4] = ["layer", "property", "empty", "other"];

/// Colours of a picture at most.
const MAX_COLOURS: usize = 10_000;

/// Which letters the colours of a picture stand for.
pub(super) fn colours(table: &Table<'_>, legend: &Legend) -> Colours {
    let Some(node) = table.get("colors") else { return Colours::default() };
    let mut colours = Colours::empty();
    let what = "a table of colours, as in { \"#202020\" = \"@\", \"128-255\" = \".\" }";
    let Some(entries) = node.any_table(what) else { return colours };
    let count = entries.each().count();
    if count == 0 || count > MAX_COLOURS {
        node.bad_value(&format!("has {count} colours"), "1 to 10,000 colours");
        return colours;
    }
    for (key, node) in entries.each() {
        let expected = "a letter that `cost` names, or one of `.`, `G`, `S`, `@`, `O`, `T`, `W`";
        let Some(text) = node.text(expected) else { continue };
        let &[letter] = text.as_bytes() else {
            node.bad_value("is not one letter", expected);
            continue;
        };
        if legend.get(letter).is_none() {
            node.bad_value("is not a letter of the map", expected);
            continue;
        }
        if let Err(MapError::ColourName { wrong, .. }) = colours.set(key, char::from(letter)) {
            let expected = "`#rrggbb`, `#rrggbbaa` or a range of greys as `0-127`";
            node.problem(format!("`{key}` {wrong}"), expected);
        }
    }
    colours
}

/// What counts in a Tiled map.
pub(super) fn tiled(table: &Table<'_>) -> TiledRules {
    let mut rules = TiledRules::default();
    let Some(node) = table.get("tiled") else { return rules };
    let what = "a table, as in { layer = \"ground\", empty = 1.0 }";
    let Some(table) = node.table(what, &TILED) else { return rules };
    rules.layer = table.text("layer", "the name of a tile layer").map(str::to_owned);
    if let Some(node) = table.get("property") {
        let what = "the name of a property of tiles";
        let name = node.text(what).unwrap_or("cost");
        if name.trim().is_empty() || name == "letter" {
            node.bad_value("is no name for costs", "another name, as \"cost\"");
        }
        name.clone_into(&mut rules.property);
    }
    if let Some(node) = table.get("empty") {
        rules.empty = letter_cost(&node).unwrap_or(rules.empty);
    }
    rules.other = table.get("other").and_then(|node| letter_cost(&node));
    rules
}

#[cfg(test)]
mod tests {
    use crate::map::Map;
    use crate::scenario::heights::tests::grey;
    use crate::scenario::{ScenarioDef, ScenarioError};

    fn load(lines: &str, files: &[(&str, &[u8])]) -> Result<Map, ScenarioError> {
        let group = "[[group]]\nname = \"a\"\nspawn = { point = [1, 1] }";
        let def = ScenarioDef::parse(&format!("ticks = 1\n[map]\n{lines}\n{group}"), "f.toml")?;
        def.load_map(&|path| {
            let file = files.iter().find(|(name, _)| *name == path);
            file.map(|(_, bytes)| bytes.to_vec()).ok_or(std::io::ErrorKind::NotFound.into())
        })
    }

    fn letters(map: &Map) -> String {
        String::from_utf8(map.letters().to_vec()).unwrap()
    }

    #[test]
    fn pictures_are_maps() {
        let file = grey(4, 2, 8, &[0, 127, 128, 255, 70, 70, 255, 0]);
        let files: [(&str, &[u8]); 1] = [("a/b.PNG", &file)];
        let map = load("file = \"a/b.PNG\"", &files).unwrap();
        assert_eq!(letters(&map), "@@..@@.@");
        let lines = "file = \"a/b.PNG\"\ncell = 0.5\ncost = { m = 2.5 }\n\
            colors = { \"0-127\" = \"@\", \"#464646\" = \"m\", \"128-255\" = \".\" }\n\
            terrain = [{ rect = [1.5, 0, 2, 0.5], cost = 2.5 }]";
        let map = load(lines, &files).unwrap();
        assert_eq!(letters(&map), "@@.mmm.@");
        assert_eq!(map.slowness()[7..11], [0, 0, 16, 40]);
        let error = load("file = \"a/b.PNG\"\ncolors = { \"0-126\" = \"@\" }", &files).unwrap_err();
        assert_eq!(
            error.to_string(),
            "f.toml:3:8: key `map.file`: `a/b.PNG`: pixel (1, 0) is #7f7f7f, which stands for no \
             letter; the nearest is #7e7e7e; expected a PNG file of a pixel for each cell, in the \
             colours of `colors`"
        );
    }

    /// Two pixels, or four letters, that are hexagons 4 m wide; shapes are painted on the cells.
    #[test]
    fn pixels_and_letters_may_be_hexagons() {
        let file = grey(2, 1, 8, &[0, 255]);
        let files: [(&str, &[u8]); 2] =
            [("a.png", &file), ("a.wkt", b"POLYGON ((0 0, 9 0, 9 9, 0 0))")];
        let picture = load("file = \"a.png\"\nhexagons = 4.0", &files).unwrap();
        assert_eq!([picture.width(), picture.height()], [8, 5], "8 m by 4.6 m");
        assert_eq!(letters(&picture)[16..24], *"@@@@....");
        let lines = "rows = \"\"\"\n.m\nm.\n\"\"\"\nhexagons = 4.0\ncell = 2.0\ncost = { m = 3 }\n\
            walls = [{ rect = [0, 0, 2, 2] }]";
        let drawn = load(lines, &[]).unwrap();
        assert_eq!([drawn.width(), drawn.height()], [5, 5], "10 m by 8.1 m");
        assert_eq!(letters(&drawn), "@.mm@..mm@@mm..@mm..@@@@@");
        let error = load("file = \"a.wkt\"\nhexagons = 4.0", &files).unwrap_err().to_string();
        assert!(error.contains("map.file`: `a.wkt` holds polygons, not hexagons"), "{error}");
        let error = load("file = \"a.png\"\nhexagons = 900\ncell = 0.1", &files).unwrap_err();
        assert!(error.to_string().contains("of hexagons 900 m wide, "), "{error}");
    }

    /// Tiles 1 to 3 cost 1, 3 and nothing that they say.
    const TOWN: &str = "<map orientation=\"orthogonal\" width=\"3\" height=\"2\">\
        <tileset firstgid=\"1\" source=\"t.tsx\"/><layer name=\"low\" width=\"3\" height=\"2\">\
        <data encoding=\"csv\">1,2,0,1,1,1</data></layer><layer name=\"high\" width=\"3\" height=\"2\">\
        <data encoding=\"csv\">0,3,0,1,1,1</data></layer></map>";
    const TILES: &str = "<tileset><tile id=\"0\"><properties><property name=\"cost\" value=\"1\"/>\
        <property name=\"mud\" value=\"3\"/></properties></tile><tile id=\"1\"><properties>\
        <property name=\"cost\" value=\"3\"/></properties></tile></tileset>";

    #[test]
    fn tiled_maps_are_maps() {
        let files: [(&str, &[u8]); 2] =
            [("maps/town.tmx", TOWN.as_bytes()), ("maps/t.tsx", TILES.as_bytes())];
        let file = "file = \"maps/town.tmx\"\n";
        assert_eq!(letters(&load(file, &files).unwrap()), ".a@...");
        let lines = "tiled = { layer = \"high\", property = \"mud\", empty = 2, other = 0 }\n\
            walls = [{ point = [2.5, 1.5] }]\nterrain = [{ point = [2.5, 0.5], cost = 3 }]";
        let map = load(&format!("{file}{lines}"), &files).unwrap();
        assert_eq!(letters(&map), "a@bbb@", "the letters of tiles are those of shapes too");
        assert_eq!(map.slowness()[6..9], [32, 0, 48]);
        let error = load(&format!("{file}tiled = {{ layer = \"high\" }}"), &files).unwrap_err();
        assert_eq!(
            error.to_string(),
            "f.toml:3:8: key `map.file`: `maps/town.tmx`: line 1, column 176: tile 2 of tileset `` of \
             cell (1, 0) has no property `cost`; expected what the tile costs, or `other` for tiles \
             that do not say"
        );
        let error = load(file, &files[..1]).unwrap_err().to_string();
        assert!(error.contains("`maps/t.tsx` cannot be read"), "{error}");
    }

    #[test]
    fn mistakes_are_told() {
        let cases = [
            ("colors = 3", "map.colors", "is a number; expected a table of colours"),
            ("colors = {}", "map.colors", "{} has 0 colours; expected 1 to 10,000"),
            (
                "colors = { \"#12\" = \"@\" }",
                "map.colors.#12",
                "`#12` is no colour; expected `#rrggbb`",
            ),
            (
                "colors = { \"#112233\" = 1 }",
                "map.colors.#112233",
                "1 is a number; expected a letter",
            ),
            ("colors = { \"#112233\" = \"@@\" }", "map.colors.#112233", "\"@@\" is not one letter"),
            (
                "colors = { \"#112233\" = \"m\" }",
                "map.colors.#112233",
                "is not a letter of the map",
            ),
            (
                "colors = { \"0-9\" = \"@\", \"9-10\" = \".\" }",
                "map.colors.9-10",
                "overlaps another range",
            ),
            ("tiled = \"a\"", "map.tiled", "is a text; expected a table"),
            ("tiled = { layers = \"a\" }", "map.tiled.layers", "expected `layer`"),
            ("tiled = { layer = 1 }", "map.tiled.layer", "expected the name of a tile layer"),
            ("tiled = { property = \"letter\" }", "map.tiled.property", "is no name for costs"),
            ("tiled = { property = \" \" }", "map.tiled.property", "is no name for costs"),
            ("tiled = { empty = 17 }", "map.tiled.empty", "17 is above 15.9375"),
            ("tiled = { other = 0.01 }", "map.tiled.other", "is neither 0 nor at least 0.0625"),
            ("tiled = { other = \"wall\" }", "map.tiled.other", "is a text; expected a cost"),
        ];
        for (line, key, wrong) in cases {
            let error = load(&format!("size = [9, 9]\n{line}"), &[]).unwrap_err();
            let first = error.first();
            assert_eq!((first.line, first.key.as_str()), (4, key), "{error}");
            assert!(error.to_string().contains(wrong), "{error}\n{wrong}");
        }
    }
}

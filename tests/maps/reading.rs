//! Reading, writing and measuring maps.

use crate::common::terrain::Random;
use crate::common::{data, oracle, terrain};
use proptest::prelude::*;
use std::fs;
use throng::map::{Legend, Map, MapError};

fn parse(text: &str) -> Result<Map, MapError> {
    Map::parse_movingai(text.as_bytes(), &Legend::default(), 1.0)
}

const SMALL: &str = "type octile\nheight 2\nwidth 3\nmap\n..@\nGTS\n";

#[test]
fn reads_every_letter() {
    let map = parse("type octile\nheight 1\nwidth 7\nmap\n.GS@OTW\n").unwrap();
    assert_eq!(map.slowness()[9 + 1..][..7], [16, 16, 16, 0, 0, 0, 0]);
    assert_eq!(map.letters(), b".GS@OTW");
    assert_eq!((map.width(), map.height(), map.stride()), (7, 1, 9));
}

#[test]
fn line_ends_and_order_of_sizes_do_not_matter() {
    let map = parse(SMALL).unwrap();
    for text in [
        SMALL.replace('\n', "\r\n"),
        SMALL.trim_end().to_owned(),
        format!("{SMALL}\n\r\n\n"),
        SMALL.replace("height 2\nwidth 3", "width  3 \nheight\t2"),
    ] {
        assert_eq!(parse(&text).unwrap(), map, "{text:?}");
        assert_eq!(parse(&text).unwrap().hash(), map.hash());
    }
    assert_eq!(map.to_movingai(), SMALL);
}

#[test]
fn errors_name_the_place_and_the_value() {
    let header = |sizes: &str| format!("type octile\n{sizes}\nmap\n..\n..\n");
    let cases = [
        ("", "line 1, column 1: the file ends"),
        ("\n", "line 1, column 1: `\\n` where the header needs `type octile`"),
        ("type hex\n", "line 1, column 1: `t` where"),
        ("type octile\nmap\n", "line 2, column 1: `m` where"),
        ("type octile\nheight 2\nheight 2\n", "line 3, column 1: `height` is given twice"),
        (&header("height 2\nwidth 2\nwidth 2"), "line 4, column 1: `width` is given twice"),
        (&header("height\nwidth 2"), "line 2, column 7: `\\n` where"),
        (&header("height 2 2\nwidth 2"), "line 2, column 10: `2` where"),
        (&header("height 0\nwidth 2"), "line 2, column 8: height `0`; a side is 1 to 16384"),
        (&header("height -1\nwidth 2"), "line 2, column 8: height `-1`"),
        (&header("height 1e3\nwidth 2"), "height `1e3`"),
        (&header("height 2\nwidth  4000000000"), "line 3, column 8: width `4000000000`"),
        (&header("height 99999999999999999999\nwidth 2"), "height `99999999999999999999`"),
        (&header("height 16384\nwidth 16384"), "268435456 cells; at most 67108864"),
        (&header("height 2\nwidth 3"), "line 5, column 3: row 1 has 2 letters; every row needs 3"),
        (&header("height 2\nwidth 1"), "line 5, column 2: row 1 has 2 letters; every row needs 1"),
        (&header("height 3\nwidth 2"), "line 7, column 1: the file ends after 2 rows; 3 are"),
        (&header("height 1\nwidth 2"), "line 6, column 1: `.` after the last of 1 rows"),
        (&SMALL.replace('G', "x"), "line 6, column 1: letter `x` is not in the legend"),
        (&SMALL.replace('S', "\0"), "line 6, column 3: byte 0x00 is not text"),
        (&SMALL.replace('S', "é"), "line 6, column 3: byte 0xc3 is not text"),
        ("root:x:0:0:root\n", "line 1, column 1: `r` where the header needs `type octile`"),
        (&header("height secret\nwidth 2"), "line 2, column 8: height `s`; a side is"),
        ("\u{7f}ELF\u{2}\u{1}", "line 1, column 1: byte 0x7f is not text"),
        ("type octile\nheight 2\nwidth 3\nmap", "line 5, column 1: the file ends after 0 rows"),
    ];
    for (text, expected) in cases {
        let message = parse(text).expect_err(text).to_string();
        assert!(message.contains(expected), "{text:?} gives {message:?}, not {expected:?}");
    }
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    for end in 0..SMALL.len() - 1 {
        assert!(parse(&SMALL[..end]).is_err(), "{:?}", &SMALL[..end]);
    }
    let bytes = SMALL.replace('\n', "\r\n");
    for end in 0..bytes.len() - 2 {
        assert!(parse(&bytes[..end]).is_err(), "{:?}", &bytes[..end]);
    }
}

#[test]
fn rows_make_a_map() {
    let mut legend = Legend::default();
    legend.set('m', 40).unwrap();
    legend.set(' ', 16).unwrap();
    let map = Map::from_rows(&["m #".replace('#', "@").as_str(), "..."], &legend, 0.5).unwrap();
    assert_eq!(map.slowness()[6..9], [40, 16, 0]);
    assert_eq!(map.cell_size(), 0.5);
    let error = |rows: &[&str]| Map::from_rows(rows, &legend, 1.0).unwrap_err().to_string();
    assert!(error(&["..", "..."]).contains("line 2, column 3: row 2 has 3 letters"));
    assert!(error(&["..", "."]).contains("line 2, column 2: row 2 has 1 letter;"));
    assert!(error(&["..", ".?"]).contains("line 2, column 2: letter `?`"));
    assert!(error(&["..", ".\n"]).contains("byte 0x0a"));
    assert!(error(&[]).contains("a map of 0 x 0 cells"));
    assert!(error(&[""]).contains("a map of 0 x 1 cells"));
    assert!(legend.set('é', 1).unwrap_err().to_string().contains('é'));
    assert!(legend.set('\n', 1).is_err());
}

#[test]
fn sizes_and_lengths_have_limits() {
    let error = |w, h, size, cells: &[u8]| {
        Map::try_from_slowness(w, h, size, cells).unwrap_err().to_string()
    };
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 8193.0] {
        assert!(error(2, 1, size, &[16, 16]).contains("cell size"), "{size}");
    }
    assert!(Map::try_from_slowness(2, 1, 8192.0, &[16, 16]).is_ok());
    assert!(error(2, 2, 1.0, &[16; 3]).contains("3 cells for a map of 2 x 2; 4 are needed"));
    assert!(error(0, 2, 1.0, &[]).contains("a side is 1 to 16384"));
    assert!(error(u32::MAX, u32::MAX, 1.0, &[]).contains("a side is 1 to 16384"));
    assert!(error(16_384, 8_192, 0.1, &[]).contains("at most 67108864"));
}

#[test]
fn distances_that_could_overflow_are_refused() {
    // A winding corridor of 2048 x 2048 cells: half of them, one after another.
    let side = 2048_u32;
    let cell = |i: u32| {
        let (x, y) = (i % side, i / side);
        let end = if y % 4 == 1 { side - 1 } else { 0 };
        if y % 2 == 0 || x == end { 16 } else { 0 }
    };
    let mut cells: Vec<u8> = (0..side * side).map(cell).collect();
    let longest = Map::try_from_slowness(side, side, 1.0, &cells).expect("half of the limit");
    let class = longest.class(0.4);
    assert_eq!(class.component_count(), 1);
    let distances = oracle::octile(&class, &[longest.index(0, 0)]);
    assert!(distances[longest.index(0, side - 2) as usize] > 0x1fff_0000);
    for cell in &mut cells {
        *cell *= 15;
    }
    let error = Map::try_from_slowness(side, side, 1.0, &cells).unwrap_err();
    assert!(matches!(error, MapError::DistanceBound { .. }), "{error}");
    // As many cells, as slow, but nothing is far.
    Map::try_from_slowness(side, side, 1.0, &vec![240; (side * side) as usize]).expect("open");
}

#[test]
fn classes_follow_the_wall_distance() {
    let rows = ["........", "....@...", "........", "@@@@@@@@", "........"];
    let map = Map::from_rows(&rows, &Legend::default(), 2.0).unwrap();
    let open = map.class(1.0);
    assert_eq!(open.slowness(), map.slowness());
    assert_eq!(open.component_count(), 2);
    assert_eq!((open.component_size(1), open.component_size(2)), (23, 8));
    assert!(open.same_component(map.index(0, 0), map.index(7, 2)));
    assert!(!open.same_component(map.index(0, 0), map.index(0, 4)));
    assert!(!open.same_component(map.index(4, 1), map.index(4, 1)));
    assert!(!open.same_component(u32::MAX, map.index(4, 1)));
    // A little wider than half a cell: where two by two cells are open there is room.
    let wide = map.class(1.01);
    assert_eq!(wide.min_distance(), 130);
    let passable = |x, y| wide.passable(map.index(x, y));
    assert!(passable(1, 1) && passable(3, 1) && passable(0, 0) && passable(5, 2));
    assert!(!passable(4, 0) && !passable(4, 2) && !passable(0, 4));
    assert_eq!(wide.component_count(), 2);
    // Wider than a cell: what is beside a wall is closed.
    let wider = map.class(2.01);
    let passable = |x, y| wider.passable(map.index(x, y));
    assert!(passable(1, 1) && passable(2, 1) && passable(6, 1) && !passable(3, 1));
    assert!(!passable(5, 1) && !passable(0, 1) && !passable(1, 0));
    assert_eq!(wider.component_count(), 2);
    assert_eq!(map.class(200.0).component_count(), 0);
    for radius in [-0.1, f64::NAN, f64::INFINITY, 257.0] {
        assert!(map.try_class(radius).is_err(), "{radius}");
    }
}

proptest! {
    #![proptest_config(crate::common::cases(200))]

    #[test]
    fn components_equal_a_flood(seed in any::<u64>()) {
        let map = terrain::small(&mut Random(seed), 30);
        let class = map.class(0.4);
        let stride = class.stride() as usize;
        let mut expected = vec![0; class.slowness().len()];
        let mut label = 0;
        for start in 0..expected.len() {
            if expected[start] != 0 || class.slowness()[start] == 0 {
                continue;
            }
            label += 1;
            let mut size = 0;
            let mut stack = vec![start];
            while let Some(cell) = stack.pop() {
                if expected[cell] == 0 && class.slowness()[cell] != 0 {
                    expected[cell] = label;
                    size += 1;
                    stack.extend([cell - stride, cell - 1, cell + 1, cell + stride]);
                }
            }
            prop_assert_eq!(class.component_size(class.component(start as u32)), size);
        }
        // The labels may differ, but not which cells share one.
        let mut names = vec![0; label as usize + 1];
        for (cell, &label) in expected.iter().enumerate() {
            let found = class.component(cell as u32);
            let name = std::mem::replace(&mut names[label as usize], found);
            prop_assert!(name == 0 || name == found);
            prop_assert_eq!(found == 0, label == 0);
        }
        names.sort_unstable();
        prop_assert!(names.iter().copied().eq(0..=class.component_count()));
        prop_assert_eq!(class.component_count(), label);
    }

    #[test]
    fn written_maps_read_back(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (width, height) = (1 + random.below(20), 1 + random.below(20));
        let letters = b".GS@OTW";
        let mut row = || -> String {
            (0..width).map(|_| char::from(letters[random.below(7) as usize])).collect()
        };
        let rows: Vec<String> = (0..height).map(|_| row()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let map = Map::from_rows(&rows, &Legend::default(), 1.0).unwrap();
        prop_assert_eq!(parse(&map.to_movingai()).unwrap(), map);
    }

    #[test]
    fn any_bytes_are_a_map_or_an_error(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        at in 0..SMALL.len(),
    ) {
        let read = |bytes: &[u8]| Map::parse_movingai(bytes, &Legend::default(), 1.0).is_ok();
        read(&bytes);
        let mut damaged = SMALL.as_bytes().to_vec();
        damaged.splice(at..(at + bytes.len() % 4).min(SMALL.len()), bytes);
        read(&damaged);
    }
}

#[test]
fn a_hash_sees_everything() {
    let base = Map::from_slowness(3, 2, 1.0, &[16, 0, 16, 16, 16, 32]);
    let others = [
        Map::from_slowness(2, 3, 1.0, &[16, 0, 16, 16, 16, 32]),
        Map::from_slowness(3, 2, 2.0, &[16, 0, 16, 16, 16, 32]),
        Map::from_slowness(3, 2, 1.0, &[16, 0, 16, 16, 16, 33]),
        Map::from_slowness(3, 2, 1.0, &[0, 16, 16, 16, 16, 32]),
    ];
    assert!(others.iter().all(|other| other.hash() != base.hash()));
    assert_eq!(base.clone().hash(), base.hash());
    let letters = |row: &str| Map::from_rows(&[row], &Legend::default(), 1.0).unwrap().hash();
    assert_ne!(letters(".G"), letters(".."));
    // The same on every machine.
    assert_eq!(base.hash(), 2_383_050_360_095_394_851);
}

#[test]
fn a_hash_sees_heights() {
    let flat = Map::from_slowness(3, 2, 1.0, &[16, 0, 16, 16, 16, 32]);
    let with = |heights: &[i16], wall| flat.clone().with_heights(heights, wall).unwrap();
    // Flat ground and walls of 3 m are what a map has from the start.
    assert_eq!(with(&[], 3.0), flat);
    assert_eq!(with(&[0; 6], 3.0).hash(), flat.hash());
    let others = [
        flat.clone(),
        with(&[], 2.0),
        with(&[1, 0, 0, 0, 0, 0], 3.0),
        with(&[0, 1, 0, 0, 0, 0], 3.0),
        with(&[0, 1, 0, 0, 0, 0], 2.0),
        with(&[0, -1, 0, 0, 0, 0], 3.0),
    ];
    for (i, a) in others.iter().enumerate() {
        assert!(others[..i].iter().all(|b| a.hash() != b.hash() && a != b), "{i}");
    }
    // The same on every machine.
    assert_eq!(with(&[1, 2, 3, -4, 5, 16_000], 0.5).hash(), 10_865_219_617_858_779_150);
}

#[test]
fn heights_have_limits() {
    let map = Map::from_slowness(3, 2, 1.0, &[16, 0, 16, 16, 16, 32]);
    let with = |heights: &[i16], wall| map.clone().with_heights(heights, wall);
    let refused = |heights: &[i16], wall| with(heights, wall).unwrap_err().to_string();
    assert_eq!(refused(&[0; 5], 3.0), "5 cells for a map of 3 x 2; 6 are needed");
    let high = refused(&[0, 0, 0, 0, 16_001, 0], 3.0);
    assert_eq!(high, "ground at 1000.0625 m in row 2, column 2; heights go to ±1000 m");
    assert!(refused(&[i16::MIN; 6], 3.0).starts_with("ground at -2048 m in row 1, column 1;"));
    for wall in [-0.1, 1000.1, f64::NAN, f64::INFINITY] {
        assert!(refused(&[], wall).ends_with("they are 0 to 1000 m high"), "{wall}");
    }
    let highest = with(&[16_000; 6], 1000.0).unwrap();
    assert_eq!((highest.highest_top(), highest.top(highest.index(1, 0))), (2000.0, 32_000));
    let deep = with(&[-16_000; 6], 0.0).unwrap();
    assert_eq!((deep.highest_top(), deep.height_at([9.0_f32, -7.0])), (-1000.0, -1000.0));
    let open = Map::from_slowness(2, 1, 1.0, &[16, 16]);
    assert_eq!((open.highest_top(), open.is_flat(), open.wall_height()), (0.0, true, 3.0));
}

#[test]
fn every_benchmark_map_reads_and_reads_back() {
    let Some(folder) = data::folder() else { return };
    for path in data::maps(&folder) {
        let map = data::read_map(&path);
        assert_eq!(parse(&map.to_movingai()).unwrap(), map, "{}", path.display());
        let text = fs::read_to_string(&path).unwrap().replace('\r', "");
        assert_eq!(map.to_movingai().trim_end(), text.trim_end(), "{}", path.display());
    }
}

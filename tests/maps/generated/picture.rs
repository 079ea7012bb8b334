//! Maps from pictures: every kind of PNG, colours and letters, and files that are none.

use crate::common::terrain::Random;
use png::{BitDepth, ColorType, Encoder};
use throng::map::{Colours, Legend, Map, MapError};

fn read(bytes: &[u8], colours: &Colours) -> Result<Map, MapError> {
    Map::parse_picture(bytes, colours, &Legend::default(), 1.0)
}

/// A PNG file of 4 × 3 pixels.
fn png(kind: ColorType, depth: BitDepth, pixels: &[u8], palette: &[u8], alpha: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 4, 3);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette);
    }
    if !alpha.is_empty() {
        encoder.set_trns(alpha);
    }
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    bytes
}

/// The drawing of all pictures: `#` black, ` ` white.
const DRAWING: [u8; 12] = *b"#  #  #  ## ";

/// The drawing with so many bytes for each pixel.
fn bytes_of(black: &[u8], white: &[u8]) -> Vec<u8> {
    DRAWING.iter().flat_map(|&pixel| if pixel == b'#' { black } else { white }).copied().collect()
}

/// The drawing with less than a byte for each pixel.
fn bits_of(bits: u32, black: u8, white: u8) -> Vec<u8> {
    let row = |row: &[u8]| {
        let word = row.iter().fold(0_u32, |word, &pixel| {
            (word << bits) | u32::from(if pixel == b'#' { black } else { white })
        });
        let length = (4 * bits).div_ceil(8);
        (word << (8 * length - 4 * bits)).to_be_bytes()[4 - length as usize..].to_vec()
    };
    DRAWING.chunks(4).flat_map(row).collect()
}

#[test]
fn every_kind_of_picture_is_the_same_map() {
    let expected = ["@..@", "..@.", ".@@."].concat();
    let palette = [255, 255, 255, 9, 9, 9, 0, 0, 0];
    use BitDepth::{Eight, Four, One, Sixteen, Two};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let pictures = [
        png(Grayscale, One, &bits_of(1, 0, 1), &[], &[]),
        png(Grayscale, Two, &bits_of(2, 1, 3), &[], &[]),
        png(Grayscale, Four, &bits_of(4, 7, 8), &[], &[]),
        png(Grayscale, Eight, &bytes_of(&[127], &[128]), &[], &[]),
        png(Grayscale, Sixteen, &bytes_of(&[127, 255], &[128, 0]), &[], &[]),
        png(GrayscaleAlpha, Eight, &bytes_of(&[0, 255], &[255, 255]), &[], &[]),
        png(Indexed, Two, &bits_of(2, 2, 0), &palette, &[]),
        png(Indexed, Eight, &bytes_of(&[1], &[0]), &palette, &[255, 255]),
        png(Rgb, Eight, &bytes_of(&[5; 3], &[250; 3]), &[], &[]),
        png(Rgb, Sixteen, &bytes_of(&[5; 6], &[250; 6]), &[], &[]),
        png(Rgba, Eight, &bytes_of(&[1, 1, 1, 255], &[255; 4]), &[], &[]),
        png(Rgba, Sixteen, &bytes_of(&[1, 0, 1, 0, 1, 0, 255, 255], &[255; 8]), &[], &[]),
    ];
    for (number, picture) in pictures.iter().enumerate() {
        let map = read(picture, &Colours::default()).unwrap_or_else(|e| panic!("{number}: {e}"));
        assert_eq!((map.width(), map.height()), (4, 3));
        assert_eq!(map.letters(), expected.as_bytes(), "picture {number}");
        assert_eq!(map.slowness()[6 + 1..][..4], [0, 16, 16, 0]);
    }
}

#[test]
fn colours_stand_for_letters() {
    let mut colours = Colours::empty();
    for (key, letter) in [
        ("#2050c0", 'W'),
        ("#808080", 'S'),
        ("100-200", '.'),
        ("#00000000", '@'),
        ("#FF000080", 'T'),
    ] {
        colours.set(key, letter).unwrap();
    }
    let pixels = [
        [0x20, 0x50, 0xc0, 255],
        [0x80, 0x80, 0x80, 255],
        [0x81, 0x81, 0x81, 255],
        [9, 8, 7, 0],
        [255, 0, 0, 128],
        [100, 100, 100, 255],
        [200, 200, 200, 255],
        [0, 0, 0, 0],
    ];
    let picture = |last: [u8; 4]| {
        let rest = [last; 4];
        let all: Vec<u8> = pixels.iter().chain(&rest).flatten().copied().collect();
        png(ColorType::Rgba, BitDepth::Eight, &all, &[], &[])
    };
    let map = read(&picture([150, 150, 150, 255]), &colours).unwrap();
    assert_eq!(map.letters(), b"WS.@T..@....");
    let error = |last: [u8; 4]| read(&picture(last), &colours).unwrap_err().to_string();
    let place = "pixel (0, 2) is ";
    for (last, found) in [
        ([99, 99, 99, 255], "#636363, which stands for no letter; the nearest is #646464"),
        ([201, 201, 201, 255], "#c9c9c9, which stands for no letter; the nearest is #c8c8c8"),
        ([0x20, 0x50, 0xc1, 255], "#2050c1, which stands for no letter; the nearest is #2050c0"),
        ([150, 150, 150, 254], "#969696fe, which stands for no letter; the nearest is #969696"),
        ([255, 0, 0, 127], "#ff00007f, which stands for no letter; the nearest is #ff000080"),
        ([150, 151, 150, 255], "#969796, which stands for no letter; the nearest is #969696"),
    ] {
        assert_eq!(error(last), format!("{place}{found}"));
    }
    let none = read(&picture([0; 4]), &Colours::empty()).unwrap_err().to_string();
    assert!(
        none.ends_with("(0, 0) is #2050c0, which stands for no letter; no colour does"),
        "{none}"
    );
    colours.set("#010203", 'x').unwrap();
    let unknown = read(&picture([1, 2, 3, 255]), &colours).unwrap_err().to_string();
    assert_eq!(
        unknown,
        "pixel (0, 2) stands for `x`, which is not in the legend; it has `.@GOSTW`"
    );
}

#[test]
fn names_of_colours_are_checked() {
    let mut colours = Colours::default();
    let cases = [
        ("", "`` is no colour"),
        ("#", "`#` is no colour"),
        ("#12345", "is no colour"),
        ("#1234567", "is no colour"),
        ("#+12345", "is no colour"),
        ("#ggaaaa", "is no colour"),
        ("#123456789", "is no colour"),
        ("7", "is no colour"),
        ("9-8", "is no colour"),
        ("0-256", "is no colour"),
        ("-1-5", "is no colour"),
        ("128-128", "overlaps another range"),
    ];
    for (key, wrong) in cases {
        let error = colours.set(key, '.').unwrap_err().to_string();
        assert!(error.contains(wrong) && error.contains("`#rrggbb`"), "{error}");
    }
    colours.set("#ABCDEF", '.').unwrap();
    let twice = colours.set("#abcdefff", '.').unwrap_err().to_string();
    assert!(twice.contains("`#abcdefff` is given twice"), "{twice}");
    assert_eq!(colours.set("#000000", 'ä'), Err(MapError::LegendLetter { letter: 'ä' }));
}

/// The checksums of a PNG file set right.
fn mended(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut at = 8;
    while at + 12 <= bytes.len() {
        let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = at.saturating_add(8).saturating_add(length);
        if end.saturating_add(4) > bytes.len() {
            break;
        }
        let sum = crc32fast::hash(&bytes[at + 4..end]).to_be_bytes();
        bytes[end..end + 4].copy_from_slice(&sum);
        at = end + 4;
    }
    bytes
}

fn grey(pixels: &[u8]) -> Vec<u8> {
    png(ColorType::Grayscale, BitDepth::Eight, pixels, &[], &[])
}

#[test]
fn what_is_no_picture_is_refused() {
    let good = grey(&[0; 12]);
    assert!(read(&good, &Colours::default()).is_ok());
    for length in 0..good.len() - 4 {
        let Err(error) = read(&good[..length], &Colours::default()) else {
            panic!("{length} of {}", good.len())
        };
        assert!(matches!(error, MapError::Picture { .. }), "{length}: {error}");
    }
    let header = |at: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        read(&mended(file), &Colours::default()).unwrap_err().to_string()
    };
    let cases = [
        (header(0, b"GIF8"), "Invalid PNG signature"),
        (header(28, &[1]), "the picture is interlaced; save it without"),
        (header(16, &[0, 0, 64, 1]), "a map of 16385 x 3 cells; a side is 1 to 16384"),
        (header(16, &[0, 0, 64, 0, 0, 0, 16, 1]), "67125248 cells; at most 67108864"),
        (header(16, &[0, 0, 64, 0, 0, 0, 16, 0]), ""),
        (header(20, &[0, 0, 0, 4]), ""),
        (header(24, &[3]), ""),
    ];
    for (found, expected) in cases {
        assert!(!found.is_empty() && found.contains(expected), "{found}");
    }
    let mut damaged = good.clone();
    damaged[45] ^= 1;
    assert!(read(&damaged, &Colours::default()).unwrap_err().to_string().contains("CRC"));
}

#[test]
fn palettes_are_whole() {
    let good = png(ColorType::Indexed, BitDepth::Eight, &[0; 12], &[250; 9], &[]);
    let at = good.windows(4).position(|name| name == b"PLTE").unwrap();
    let with = |length: usize| {
        let mut file = good[..at - 4].to_vec();
        file.extend((length as u32).to_be_bytes());
        file.extend(b"PLTE");
        file.extend(vec![250; length]);
        file.extend(&good[at + 4 + 9..]);
        read(&mended(file), &Colours::default())
    };
    assert_eq!(with(9).unwrap().letters(), [b'.'; 12]);
    assert!(with(768).is_ok());
    for length in [1, 2, 4, 767, 769, 771, 3000] {
        assert!(matches!(with(length), Err(MapError::Picture { .. })), "{length}");
    }
}

#[test]
fn damage_is_refused_or_read_as_something_else() {
    let mut random = Random(3);
    let palette: Vec<u8> = (0..60).collect();
    let good = [
        grey(&[200; 12]),
        png(ColorType::Indexed, BitDepth::Four, &[0x12; 6], &palette, &[255; 20]),
        png(ColorType::Rgba, BitDepth::Sixteen, &[255; 96], &[], &[]),
    ];
    let (mut read_well, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut file = good[random.below(3) as usize].clone();
        for _ in 0..=random.below(3) {
            let at = 8 + random.below(file.len() as u32 - 8) as usize;
            file[at] = random.below(256) as u8;
        }
        match read(&mended(file), &Colours::default()) {
            Ok(_) => read_well += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    eprintln!("{read_well} read, {refused} refused");
    assert!(read_well > 100 && refused > 1000);
}

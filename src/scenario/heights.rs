//! From `heights`, `ground` and `wall_height` of `[map]` to the heights of a map.

use std::io;
use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Limits};

use crate::data::number::plural;
use crate::map::area::Shape;
use crate::map::{MAX_HEIGHT, Map, area, units};
use crate::math::each::Each;
use crate::scenario::def::{GroundDef, HeightsDef, MapDef};
use crate::scenario::error::Problems;

/// Steps that painting may take, in [`area::work`](crate::map::area::work): seconds at most.
pub(super) const MAX_WORK: u64 = 1 << 33;

/// Bytes that a PNG file may take beside its pixels.
const PNG_BYTES: usize = 1 << 20;

const A_PICTURE: &str = "a PNG file of 8- or 16-bit grey, a pixel for each cell";

/// The heights that a map came with, row by row; none when it is flat.
pub(super) fn of(map: &Map) -> Vec<i16> {
    let rows = map.heights().chunks_exact(map.stride() as usize).skip(1);
    let rows = rows.take(map.height() as usize);
    rows.flat_map(|row| &row[1..=map.width() as usize]).copied().collect()
}

/// The map with its heights: the ones that it came with, or the file's, under the shapes.
pub(super) fn raised(
    def: &MapDef,
    map: Map,
    given: Vec<i16>,
    read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    problems: &Problems<'_>,
) -> Option<Map> {
    let mut heights = given;
    if let Some(picture) = &def.heights {
        let path = &picture.path;
        let bytes = match read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let wrong = format!("`{path}` cannot be read: {error}");
                let expected = "a PNG file, its path from this file's folder";
                problems.problem(&picture.at, wrong, expected);
                return None;
            }
        };
        match decoded(&bytes, picture, [map.width(), map.height()]) {
            Ok(decoded) => heights = decoded,
            Err(wrong) => {
                problems.problem(&picture.at, format!("`{path}`: {wrong}"), A_PICTURE);
                return None;
            }
        }
    }
    if !def.ground.is_empty() {
        heights.resize(map.letters().len(), 0);
        shaped(&def.ground, &map, &mut heights, problems)?;
    }
    match map.with_heights(&heights, def.wall_height) {
        Ok(map) => Some(map),
        Err(error) => {
            problems.problem(&def.at, error.to_string(), "heights of -1000 to 1000 m");
            None
        }
    }
}

/// The heights of a picture in 1/16 m, row by row. Its size is checked before it is unpacked.
fn decoded(bytes: &[u8], def: &HeightsDef, size: [u32; 2]) -> Result<Vec<i16>, String> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: PNG_BYTES });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let info = decoder.read_header_info().map_err(|error| error.to_string())?;
    if [info.width, info.height] != size {
        let [width, height] = size;
        return Err(format!(
            "it has {} × {} pixels, and the map {width} × {height} cells",
            info.width, info.height
        ));
    }
    let bytes_each = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, BitDepth::Eight) => 1,
        (ColorType::Grayscale, BitDepth::Sixteen) => 2,
        (colours, depth) => {
            return Err(format!(
                "its pixels are {colours:?} of {}",
                plural(u64::from(depth as u8), "bit")
            ));
        }
    };
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let mut pixels = vec![0; size[0] as usize * size[1] as usize * bytes_each];
    reader.next_frame(&mut pixels).map_err(|error| error.to_string())?;
    let [low, high] = def.range;
    let height = |share: f64| units(low + (high - low) * share);
    if bytes_each == 1 {
        return Ok(pixels.iter().map(|&grey| height(f64::from(grey) / 255.0)).collect());
    }
    let pairs = pixels.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    Ok(pairs.map(|grey| height(f64::from(grey) / 65_535.0)).collect())
}

/// Raises and lowers the shapes of `ground`.
fn shaped(
    list: &[GroundDef],
    map: &Map,
    heights: &mut [i16],
    problems: &Problems<'_>,
) -> Option<()> {
    let mut work = 0;
    for entry in list {
        work += area::work(map, &entry.shape);
        if work > MAX_WORK {
            let wrong = "the shapes of `ground` are too many for a map of this size";
            let expected = "fewer or smaller shapes, or a file of `heights` in their place";
            problems.problem(&entry.at, wrong, expected);
            return None;
        }
    }
    let (width, limit) = (map.width() as usize, units(MAX_HEIGHT));
    for entry in list {
        let (mut painted, mut beyond) = (false, None);
        area::each_run(map, &entry.shape, |row, columns| {
            painted = true;
            let first = row as usize * width;
            for column in columns {
                let height = &mut heights[first + column as usize];
                if !entry.hill {
                    *height = units(entry.height);
                    continue;
                }
                // Two heights of at most 1,000 m are far from the range's end.
                *height += units(entry.height * profile(map, &entry.shape, [column, row]));
                if !(-limit..=limit).contains(height) {
                    beyond = Some(f64::from(*height) / f64::from(units(1.0)));
                    return false;
                }
            }
            true
        });
        if !painted {
            let [width, height] = area::extent(map);
            let wrong = format!("{} lies off the map", entry.shape.label());
            problems.problem(&entry.at, wrong, format!("a shape on its {width} m × {height} m"));
        }
        if let Some(height) = beyond {
            let wrong = format!("with this hill the ground is at {height} m");
            problems.problem(&entry.at, wrong, "heights of -1000 to 1000 m");
            return None;
        }
    }
    Some(())
}

/// How high a hill is over a cell's centre, as a share of its summit: (1 − d²/r²)², which is level
/// on the summit and at the rim. A hill that holds no cell's centre is all summit.
fn profile(map: &Map, disc: &Shape, cell: [u32; 2]) -> f64 {
    let Shape::Disc { centre, radius } = disc else { return 0.0 };
    let middle = cell.each(|i| (f64::from(i) + 0.5) * map.cell_size());
    let [x, y] = [(middle[0] - centre[0]) / radius, (middle[1] - centre[1]) / radius];
    let inside = 1.0 - (x * x + y * y);
    if inside < -1.0e-9 { 1.0 } else { inside * inside }
}

#[cfg(test)]
pub(super) mod tests {
    use png::{BitDepth, ColorType, Encoder};

    use crate::map::Map;
    use crate::scenario::{ScenarioDef, ScenarioError};

    /// A PNG file of grey pixels; pixels of 16 bits are of two bytes each, the high one first.
    pub(crate) fn grey(width: u32, height: u32, bits: u8, pixels: &[u8]) -> Vec<u8> {
        picture([width, height], ColorType::Grayscale, bits, pixels)
    }

    fn picture(size: [u32; 2], colours: ColorType, bits: u8, pixels: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, size[0], size[1]);
        encoder.set_color(colours);
        encoder.set_depth(BitDepth::from_u8(bits).unwrap());
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
        bytes
    }

    fn load(lines: &str, file: &[u8]) -> Result<Map, ScenarioError> {
        let group = "[[group]]\nname = \"a\"\nspawn = { point = [1, 1] }";
        let def = ScenarioDef::parse(&format!("ticks = 1\n[map]\n{lines}\n{group}"), "h.toml")?;
        def.load_map(&|path| {
            assert_eq!(path, "h.png");
            Ok(file.to_vec())
        })
    }

    const FILE: &str = "size = [3, 2]\nheights = \"h.png\"\nheight_range = [-10, 245]";

    fn row(map: &Map, y: u32) -> Vec<f32> {
        let at = |x: u32| map.height_at([x as f32 + 0.5, y as f32 + 0.5]);
        (0..map.width()).map(at).collect()
    }

    #[test]
    fn grey_is_height() {
        let map = load(FILE, &grey(3, 2, 8, &[0, 1, 2, 10, 128, 255])).unwrap();
        assert_eq!(row(&map, 0), [-10.0, -9.0, -8.0]);
        assert_eq!(row(&map, 1), [0.0, 118.0, 245.0]);
        // 16 bits: 4,112 shades are 16 m here.
        let wide = [[0, 0], [0, 255], [0x10, 0x10], [0xff, 0xff], [0x80, 0x80], [0, 1]].concat();
        let map = load(FILE, &grey(3, 2, 16, &wide)).unwrap();
        assert_eq!(row(&map, 0), [-10.0, -9.0, 6.0]);
        assert_eq!(row(&map, 1), [245.0, 118.0, -10.0]);
        assert_eq!(map.highest_top(), 245.0);
    }

    #[test]
    fn what_is_no_picture_of_the_map_is_refused() {
        let good = grey(3, 2, 8, &[9; 6]);
        let colour = picture([3, 2], ColorType::Rgb, 8, &[9; 18]);
        let alpha = picture([3, 2], ColorType::GrayscaleAlpha, 8, &[9; 12]);
        let cases = [
            (grey(2, 3, 8, &[9; 6]), "it has 2 × 3 pixels, and the map 3 × 2 cells"),
            (grey(30_000, 1, 8, &[9; 30_000]), "it has 30000 × 1 pixels"),
            (colour, "its pixels are Rgb of 8 bits"),
            (alpha, "its pixels are GrayscaleAlpha of 8 bits"),
            (picture([3, 2], ColorType::Grayscale, 4, &[9; 4]), "Grayscale of 4 bits"),
            (Vec::new(), "`h.png`: "),
            (b"type octile".to_vec(), "`h.png`: Invalid PNG signature"),
            (good[..good.len() - 20].to_vec(), "`h.png`: "),
        ];
        for (file, wrong) in cases {
            let error = load(FILE, &file).unwrap_err();
            let first = error.first();
            assert!(first.wrong.contains(wrong), "`{wrong}` is not in: {error}");
            assert!(first.expected.contains("8- or 16-bit grey"), "{error}");
            assert_eq!((first.line, first.column, first.key.as_str()), (4, 11, "map.heights"));
        }
    }

    #[test]
    fn shapes_come_one_after_another() {
        let lines = "size = [40, 20]\nwall_height = 2.5\nwalls = [{ rect = [0, 0, 2, 2] }]\n\
            ground = [{ rect = [0, 0, 20, 20], height = 4 }, { hill = [10.5, 10.5, 5], height = 8 },\n\
            { hill = [30.5, 10.5, 4], height = -3.2 }, { point = [39, 19], height = 7 },\n\
            { hill = [35.5, 2.2, 0.1], height = 1 }]";
        let map = load(lines, &[]).unwrap();
        let middle = row(&map, 10);
        assert_eq!((middle[0], middle[10], middle[20], middle[30]), (4.0, 12.0, 0.0, -3.1875));
        // (1 − 9/25)² = 0.4096 of 8 m, to the nearest 1/16 m.
        assert_eq!(middle[13], 4.0 + 3.25);
        assert_eq!(middle[7], middle[13]);
        assert_eq!(middle[15], 4.0, "the rim is level");
        assert_eq!((row(&map, 19)[39], row(&map, 2)[35]), (7.0, 1.0));
        assert_eq!((map.top(map.index(0, 0)), map.top(map.index(2, 0))), (104, 64));
        assert_eq!(map.highest_top(), 12.0);
    }
}

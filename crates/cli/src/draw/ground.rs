//! The map as a picture: how metres become pixels, and the colours of the ground.

use std::collections::BTreeMap;

use image::RgbImage;
use rayon::prelude::*;

use crate::draw::caption::{Entry, Mark};
use crate::draw::{canvas, colour};
use throng::map::{Map, PLAIN as PLAIN_COST};

/// The longest side of any picture, pixels.
const LONGEST: u32 = 4096;

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Terrain {
    Open,
    Water,
    Trees,
    Wall,
}

/// How a map lies on a picture: some pixels a cell, or some cells a pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Pixels.
    pub(crate) width: u32,
    /// Pixels.
    pub(crate) height: u32,
    /// Side of a cell in pixels, 1 when several cells share a pixel.
    pub(crate) pixels: u32,
    /// Cells along a pixel's side, 1 when a cell has pixels of its own.
    pub(crate) cells: u32,
    /// Pixels in a metre.
    pub(crate) per_metre: f32,
    /// The cell in the upper left corner, and its place in metres.
    origin: [u32; 2],
    pub(crate) offset: [f32; 2],
}

impl View {
    /// The view whose longer side is nearest to `long_side` pixels in whole steps.
    /// Of the map between `crop`'s left, top, right and bottom, metres; of all of it without.
    pub(crate) fn near(map: &Map, long_side: u32, crop: Option<[f64; 4]>) -> Self {
        let shown = shown(map, crop);
        let long = shown[1][0].max(shown[1][1]);
        let wanted = long_side.clamp(1, LONGEST);
        let pixels = ((wanted + long / 2) / long).min(LONGEST / long).max(1);
        let cells = ((long + wanted / 2) / wanted).max(long.div_ceil(LONGEST));
        Self::new(map, pixels, cells, shown)
    }

    /// The largest view whose sides have at most `long_side` pixels, of all of the map or a part.
    pub(crate) fn within(map: &Map, long_side: u32, crop: Option<[f64; 4]>) -> Self {
        let shown = shown(map, crop);
        let long = shown[1][0].max(shown[1][1]);
        Self::new(map, (long_side / long).max(1), long.div_ceil(long_side), shown)
    }

    /// A pixel a cell, or as few cells a pixel as it takes for sides of at most `long_side` pixels.
    pub(crate) fn within_cells(map: &Map, long_side: u32) -> Self {
        let cells = map.width().max(map.height()).max(1).div_ceil(long_side);
        Self::new(map, 1, cells, shown(map, None))
    }

    fn new(map: &Map, pixels: u32, cells: u32, [origin, size]: [[u32; 2]; 2]) -> Self {
        Self {
            width: (size[0] * pixels).div_ceil(cells).max(1),
            height: (size[1] * pixels).div_ceil(cells).max(1),
            pixels,
            cells,
            per_metre: (f64::from(pixels) / f64::from(cells) / map.cell_size()) as f32,
            origin,
            offset: origin.map(|cell| (f64::from(cell) * map.cell_size()) as f32),
        }
    }

    /// A place on the picture, in pixels, of a point in metres.
    pub(crate) fn place(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [left, top] = self.offset;
        [(x - left) * self.per_metre, (y - top) * self.per_metre]
    }

    /// The point in metres of a place on the picture.
    pub(crate) fn metres(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [left, top] = self.offset;
        [x / self.per_metre + left, y / self.per_metre + top]
    }

    /// The cells under a pixel: the first column and row, and the ends.
    pub(crate) fn cells_at(&self, map: &Map, x: u32, y: u32) -> ([u32; 2], [u32; 2]) {
        let [left, top] = self.origin;
        let first = [left + x * self.cells / self.pixels, top + y * self.cells / self.pixels];
        let end = |first: u32, size: u32| (first + self.cells).min(size);
        (first, [end(first[0], map.width()), end(first[1], map.height())])
    }
}

/// The first cell that is shown and how many: all, or the cells that a part in metres touches.
fn shown(map: &Map, crop: Option<[f64; 4]>) -> [[u32; 2]; 2] {
    let all = [map.width().max(1), map.height().max(1)];
    let Some([left, top, right, bottom]) = crop else { return [[0; 2], all] };
    let cell = |at: f64, round: fn(f64) -> f64| round(at / map.cell_size()).max(0.0) as u32;
    let first = [cell(left, f64::floor).min(all[0] - 1), cell(top, f64::floor).min(all[1] - 1)];
    let end = [cell(right, f64::ceil).min(all[0]), cell(bottom, f64::ceil).min(all[1])];
    [first, [0, 1].map(|axis| end[axis].saturating_sub(first[axis]).max(1))]
}

/// The letter and the slowness of a cell.
pub(crate) fn terrain(map: &Map, x: u32, y: u32) -> (Terrain, colour::Rgb) {
    let letter = map.letters()[(y * map.width() + x) as usize];
    let slowness = map.slowness()[map.index(x, y) as usize];
    match (letter, slowness) {
        (b'W', 0) => (Terrain::Water, DEEP_WATER),
        (b'T', 0) => (Terrain::Trees, TREES),
        (_, 0) => (Terrain::Wall, WALL),
        (b'W', _) => (Terrain::Open, SHALLOW_WATER),
        (b'T', _) => (Terrain::Open, UNDERGROWTH),
        (b'S', slowness) => (Terrain::Open, slow(SWAMP, slowness.max(32))),
        (_, slowness) if slowness < 16 => (Terrain::Open, ROAD),
        (_, slowness) => (Terrain::Open, slow(MUD, slowness)),
    }
}

const PLAIN: colour::Rgb = colour::PLAIN;
const ROAD: colour::Rgb = [0xdb, 0xd6, 0xc8];
const SWAMP: colour::Rgb = [0xb4, 0xbf, 0x8c];
const MUD: colour::Rgb = [0xcd, 0xb4, 0x8e];
const SHALLOW_WATER: colour::Rgb = [0xd3, 0xe5, 0xec];
const DEEP_WATER: colour::Rgb = [0xa3, 0xc6, 0xdb];
const UNDERGROWTH: colour::Rgb = [0xd5, 0xe0, 0xc3];
const TREES: colour::Rgb = [0x7f, 0xa0, 0x77];
const WALL: colour::Rgb = [0x5b, 0x61, 0x6e];
const VALLEY: colour::Rgb = [0xd4, 0xdf, 0xc4];
const SUMMIT: colour::Rgb = [0xd9, 0xbf, 0x9c];
const SHADOW: colour::Rgb = [0x3c, 0x35, 0x2b];

/// How far painted ground is from its own colour towards plain ground.
const PALER: f32 = 0.35;

/// Plain ground towards a colour, the more the slower.
fn slow(towards: colour::Rgb, slowness: u8) -> colour::Rgb {
    let extra = f32::from(slowness.max(16)) / 16.0 - 1.0;
    colour::mix(PLAIN, towards, extra / (extra + 0.5))
}

/// Height in 1/16 m of a cell, or of the nearest one on the map.
pub(crate) fn height(map: &Map, x: i64, y: i64) -> f32 {
    let clamp = |v: i64, size: u32| v.clamp(0, i64::from(size) - 1) as u32;
    f32::from(map.heights()[map.index(clamp(x, map.width()), clamp(y, map.height())) as usize])
}

/// How much higher the cell on the right of a cell is than the one on its left, and the one below it
/// than the one above, in 1/16 m.
pub(crate) fn rises(map: &Map, x: u32, y: u32) -> [f32; 2] {
    let (x, y) = (i64::from(x), i64::from(y));
    [height(map, x + 1, y) - height(map, x - 1, y), height(map, x, y + 1) - height(map, x, y - 1)]
}

/// How hills are seen: by their slope towards the light in the upper left, and by their height.
#[derive(Clone, Copy, Debug)]
struct Hills<'a> {
    map: &'a Map,
    /// Lowest ground in 1/16 m, and how far the highest is above it.
    low: f32,
    span: f32,
}

impl<'a> Hills<'a> {
    /// The hills of a map; `None` when it is flat.
    fn of(map: &'a Map) -> Option<Self> {
        if map.is_flat() {
            return None;
        }
        let rows = map.heights().chunks_exact(map.stride() as usize).skip(1);
        let rows = rows.take(map.height() as usize);
        let (low, high) = rows.fold((i16::MAX, i16::MIN), |range, row| {
            let cells = &row[1..=map.width() as usize];
            cells.iter().fold(range, |(low, high), &h| (low.min(h), high.max(h)))
        });
        let (low, high) = (f32::from(low), f32::from(high));
        Some(Self { map, low, span: (high - low).max(1.0) })
    }

    /// The colour of a cell by how high it is.
    fn tint(&self, x: u32, y: u32, colour: colour::Rgb) -> colour::Rgb {
        let share = (height(self.map, i64::from(x), i64::from(y)) - self.low) / self.span;
        colour::mix(colour, colour::mix(VALLEY, SUMMIT, share), 0.4)
    }

    /// The colour of a cell in light and shadow.
    fn light(&self, x: u32, y: u32, colour: colour::Rgb) -> colour::Rgb {
        let [right, down] = rises(self.map, x, y);
        let rise = right + down;
        // Two cells of 1/16 m, along the diagonal.
        let slope = rise / (32.0 * 1.414 * self.map.cell_size() as f32);
        let light = slope / (0.5 + slope.abs());
        if light > 0.0 {
            colour::mix(colour, [0xff; 3], 0.6 * light)
        } else {
            colour::mix(colour, SHADOW, -0.45 * light)
        }
    }
}

/// Colours of letters of the map, in place of colours by the cost of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint([Option<colour::Rgb>; 256]);

impl Paint {
    pub(crate) fn new(letters: &[(u8, colour::Rgb)]) -> Self {
        let mut table = [None; 256];
        for &(letter, colour) in letters {
            table[usize::from(letter)] = Some(colour);
        }
        Self(table)
    }

    /// The colour of a cell's letter; `None` for one that has no colour of its own.
    pub(crate) fn of(&self, map: &Map, x: u32, y: u32) -> Option<colour::Rgb> {
        self.0[usize::from(map.letters()[(y * map.width() + x) as usize])]
    }
}

/// Names the kinds of ground of a map in the legend, but for plain ground: letters that have colours
/// of their own by their names, or by the letter.
pub(crate) fn name(
    map: &Map,
    letters: &[(u8, colour::Rgb)],
    names: &[(u8, String)],
    legend: &mut Vec<Entry>,
) {
    let mut kinds = BTreeMap::new();
    let (paint, hills) = (Paint::new(letters), Hills::of(map));
    let called = |letter| match names.iter().find(|(named, _)| *named == letter) {
        Some((_, name)) => name.clone(),
        None => char::from(letter).to_string(),
    };
    for y in 0..map.height() {
        for x in 0..map.width() {
            let letter = map.letters()[(y * map.width() + x) as usize];
            let slowness = map.slowness()[map.index(x, y) as usize];
            kinds.entry((slowness > 0, letter, slowness)).or_insert([x, y]);
        }
    }
    let mut named: Vec<(String, colour::Rgb)> = Vec::new();
    for ((is_open, letter, slowness), [x, y]) in kinds {
        let (terrain, colour) = terrain(map, x, y);
        let colour = hills.map_or(colour, |hills| hills.tint(x, y, colour));
        let (text, colour) = match (paint.of(map, x, y), letter) {
            (Some(own), _) => (called(letter), colour::mix(own, PLAIN, PALER)),
            (None, _) if is_open && slowness == PLAIN_COST => continue,
            (None, b'W') if is_open => ("shallow water".to_owned(), colour),
            (None, b'T') if is_open => ("undergrowth".to_owned(), colour),
            (None, _) if is_open && slowness < PLAIN_COST => ("road".to_owned(), colour),
            (None, _) if is_open => ("slow ground".to_owned(), colour),
            (None, _) => {
                let word = match terrain {
                    Terrain::Water => "water",
                    Terrain::Trees => "woods",
                    _ => "wall",
                };
                (word.to_owned(), colour)
            }
        };
        if named.iter().all(|(known, _)| *known != text) {
            named.push((text, colour));
        }
    }
    // Kinds whose colours look alike share an entry of the legend.
    let mut entries: Vec<(String, colour::Rgb)> = Vec::new();
    for (text, colour) in named {
        match entries
            .iter_mut()
            .find(|(_, known)| colour::apart(*known, colour) < colour::ALIKE / 2.0)
        {
            Some((all, _)) => all.push_str(&format!(", {text}")),
            None => entries.push((text, colour)),
        }
    }
    legend.extend(
        entries.into_iter().map(|(text, colour)| Entry::marked(Mark::Ground, colour, text)),
    );
}

/// What every pixel shows, row by row, and its colour before light and shadow of walls. Letters of
/// `paint` are paler than there, so that agents stand out.
pub(crate) fn survey(map: &Map, view: &View, paint: &Paint) -> Vec<(Terrain, colour::Rgb)> {
    let hills = Hills::of(map);
    let cell = |x: u32, y: u32| {
        let (kind, usual) = terrain(map, x, y);
        let colour = match paint.of(map, x, y) {
            Some(colour) => colour::mix(colour, PLAIN, PALER),
            None => hills.map_or(usual, |hills| hills.tint(x, y, usual)),
        };
        (kind, hills.map_or(colour, |hills| hills.light(x, y, colour)))
    };
    pixels(map, view, cell)
}

/// What every pixel shows, row by row, where `cell` tells it of a cell.
pub(crate) fn pixels(
    map: &Map,
    view: &View,
    cell: impl Fn(u32, u32) -> (Terrain, colour::Rgb) + Sync,
) -> Vec<(Terrain, colour::Rgb)> {
    let width = view.width as usize;
    (0..view.height as usize * width)
        .into_par_iter()
        .with_min_len(1 << 14)
        .map(|i| pixel(map, view, [(i % width) as u32, (i / width) as u32], &cell))
        .collect()
}

/// The colours of a survey, walls and woods with lit and dark edges and a shadow.
pub(crate) fn draw(pixels: &[(Terrain, colour::Rgb)], view: &View) -> RgbImage {
    let mut image = RgbImage::new(view.width, view.height);
    canvas::each_pixel(&mut image, [view.width, view.height], |x, y, _| {
        Some(shade(pixels, view, x as usize, y as usize))
    });
    image
}

/// The mean colour of the cells under a pixel, and what most of them are.
fn pixel(
    map: &Map,
    view: &View,
    [x, y]: [u32; 2],
    cell: &impl Fn(u32, u32) -> (Terrain, colour::Rgb),
) -> (Terrain, colour::Rgb) {
    let (first, end) = view.cells_at(map, x, y);
    if view.cells == 1 {
        return cell(first[0], first[1]);
    }
    let (mut sum, mut counts, mut cells) = ([0u32; 3], [0u32; 4], 0);
    for y in first[1]..end[1] {
        for x in first[0]..end[0] {
            let (terrain, colour) = cell(x, y);
            counts[terrain as usize] += 1;
            cells += 1;
            (0..3).for_each(|i| sum[i] += u32::from(colour[i]));
        }
    }
    let kinds = [Terrain::Open, Terrain::Water, Terrain::Trees, Terrain::Wall];
    let most = kinds.into_iter().max_by_key(|&kind| counts[kind as usize]);
    (most.unwrap_or(Terrain::Wall), sum.map(|sum| (sum / cells.max(1)) as u8))
}

/// A pixel's colour with the light from the upper left.
fn shade(pixels: &[(Terrain, colour::Rgb)], view: &View, x: usize, y: usize) -> colour::Rgb {
    let (width, height) = (view.width as usize, view.height as usize);
    let at = |dx: isize, dy: isize| {
        let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        if x < width && y < height {
            pixels[y * width + x].0
        } else {
            pixels[0].0.max(Terrain::Wall)
        }
    };
    let (own, colour) = pixels[y * width + x];
    if own == Terrain::Open || own == Terrain::Water {
        let depth = if view.pixels > 1 { 5 } else { 2 };
        let high = |s: &isize| at(-s, -s) > Terrain::Water;
        let shadow = (1..=depth).find(high).map_or(0.0, |s| 1.0 - (s - 1) as f32 / depth as f32);
        let shore = own == Terrain::Water
            && [at(-1, 0), at(1, 0), at(0, -1), at(0, 1)].contains(&Terrain::Open);
        let colour = if shore { colour::mix(colour, [0x3f, 0x7c, 0xa3], 0.55) } else { colour };
        return colour::mix(colour, SHADOW, 0.28 * shadow);
    }
    let dark = [at(1, 0), at(0, 1)].iter().any(|&t| t != own);
    let lit = [at(-1, 0), at(0, -1)].iter().any(|&t| t != own);
    match (dark, lit) {
        (true, _) => colour::darker(colour, 0.55),
        (_, true) => colour::mix(colour, [0xff; 3], 0.28),
        _ => colour,
    }
}

#[cfg(test)]
mod tests {
    use super::{Paint, Terrain, View, name, survey};
    use throng::{Legend, Map};

    #[test]
    fn kinds_that_look_alike_share_an_entry() {
        let mut legend = Legend::default();
        for letter in ['a', 'b', 'c'] {
            legend.set(letter, 24).unwrap();
        }
        let map = Map::from_rows(&["abc.", "abc@"], &legend, 1.0).unwrap();
        let letters = [(b'a', [200, 100, 50]), (b'b', [20, 160, 220]), (b'c', [204, 102, 52])];
        let mut entries = Vec::new();
        let names = [(b'a', "sand".to_owned()), (b'.', "plain".to_owned())];
        name(&map, &letters, &names, &mut entries);
        let texts: Vec<&str> = entries.iter().map(|entry| &entry.text[..]).collect();
        assert_eq!(texts, ["wall", "sand, c", "b"]);
    }

    /// Heights tint the ground; so they do its colour in the legend.
    #[test]
    fn the_legend_has_the_colours_of_the_picture() {
        let map = Map::from_rows(&["....", ".@@.", ".@@.", "...."], &Legend::default(), 1.0);
        let mut heights = [80; 16];
        heights[0] = 0;
        let map = map.unwrap().with_heights(&heights, 3.0).unwrap();
        let mut entries = Vec::new();
        name(&map, &[], &[], &mut entries);
        let pixels = survey(&map, &View::near(&map, 4, None), &Paint::new(&[]));
        let walls: Vec<_> = pixels.iter().filter(|(kind, _)| *kind == Terrain::Wall).collect();
        assert_eq!((entries.len(), walls.len()), (1, 4));
        assert!(walls.iter().all(|(_, colour)| *colour == entries[0].colour));
    }
}

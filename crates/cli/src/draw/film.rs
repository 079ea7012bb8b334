//! A film of a crowd, as an animated GIF or PNG.

use std::collections::HashMap;
use std::io::Write;

use gif::EncodingError;
use image::RgbImage;

use crate::draw::agents::Density;
use crate::draw::caption::{Entry, Mark};
use crate::draw::colour::Rgb;
use crate::draw::combat_overlay::CombatOverlay;
pub use crate::draw::film_file::FilmKind;
use crate::draw::film_file::{FilmFile, Patch};
use crate::draw::fixtures::Fixtures;
use crate::draw::ground::{Paint, View};
use crate::draw::traffic::TrafficNames;
use crate::draw::walls::Walls;
use crate::draw::{agents, canvas, caption, colour, combat_overlay, font, ground, picture};
use throng::map::Map;
use throng::report::Crowd;

/// The longer side of a film when nothing is said, pixels.
pub const LONG_SIDE: u32 = 640;

/// The narrowest film, pixels: its caption has to fit.
const NARROWEST: u32 = 240;

/// Pixels for the caption below.
const CAPTION: u32 = 14;

/// Colours of the ground at most.
const GROUND_COLOURS: usize = 64;

/// The palette's entry for "as in the frame before".
const UNCHANGED: u8 = 255;

/// Colours of a film.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilmColours<'a> {
    /// Of the groups, as in [`Crowd::colours`].
    pub groups: &'a [Rgb],
    /// Of letters of the map, as in
    /// [`PictureOptions::letters`](crate::draw::picture::PictureOptions::letters).
    pub letters: &'a [(u8, Rgb)],
}

/// How a film looks, and the kind of its file.
#[derive(Clone, Copy, Debug)]
pub struct FilmOptions<'a> {
    /// The kind of the file.
    pub kind: FilmKind,
    /// Frames a second, 0.1 to 50.
    pub fps: f64,
    /// The longer side in pixels, at most; the legend comes below.
    pub long_side: u32,
    /// Left, top, right and bottom of what is shown, metres; all of the map without.
    pub crop: Option<[f64; 4]>,
    /// Names of the groups for a legend; without any there is neither a legend nor a scale.
    pub names: &'a [String],
    /// Whether there will be walls with hit points, or doors, which need colours.
    pub has_walls: bool,
    /// Names of the sources and sinks that there will be, for the legend and their colours.
    pub traffic: TrafficNames<'a>,
}

impl Default for FilmOptions<'_> {
    fn default() -> Self {
        Self {
            kind: FilmKind::Gif,
            fps: 20.0,
            long_side: LONG_SIDE,
            crop: None,
            names: &[],
            has_walls: false,
            traffic: TrafficNames::default(),
        }
    }
}

/// A film in the making. Frames hold only what has changed.
pub struct Film<W: Write> {
    file: FilmFile<W>,
    /// Where the text below begins, pixels a dot of its letters, and how wide it may be.
    line: ([u32; 2], u32, u32),
    view: View,
    paint: Paint,
    size: [u32; 2],
    palette: Palette,
    /// The ground with room for the caption, in colours and in palette entries.
    ground: RgbImage,
    still: Vec<u8>,
    /// How many of the fallen have stained the ground.
    stains: usize,
    /// Colours of agents that have arrived, by class.
    arrived: Vec<Rgb>,
    density: Density,
    last: Vec<u8>,
    next: Vec<u8>,
    caption: String,
    clock: String,
    fps: f64,
    frames: u32,
}

impl<W: Write> Film<W> {
    /// Starts a film as animated GIF, without a legend, that goes to a writer; `fps` is frames a
    /// second, up to 50.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(
        writer: W,
        map: &Map,
        colours: FilmColours<'_>,
        fps: f64,
    ) -> Result<Self, EncodingError> {
        Self::with(writer, map, colours, &FilmOptions { fps, ..FilmOptions::default() })
    }

    /// Starts a film that goes to a writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn with(
        writer: W,
        map: &Map,
        colours: FilmColours<'_>,
        options: &FilmOptions<'_>,
    ) -> Result<Self, EncodingError> {
        let paint = Paint::new(colours.letters);
        let view = View::within(map, options.long_side, options.crop);
        let drawn = ground::draw(&ground::survey(map, &view, &paint), &view);
        let (ground, line) = below(drawn, &view, colours.groups, options);
        let size = [ground.width(), ground.height()];
        let walls = Walls::colours().filter(|_| options.has_walls);
        let fixed = walls.chain(options.traffic.colours(colour::PLAIN));
        let mut palette = Palette::new(&ground, colours.groups, fixed);
        let still: Vec<u8> = ground.pixels().map(|pixel| palette.exact(pixel.0)).collect();
        let file = FilmFile::start(options.kind, writer, size, &palette.bytes(), UNCHANGED)?;
        Ok(Self {
            file,
            line,
            density: Density::new(view.width, view.height),
            last: Vec::new(),
            next: still.clone(),
            view,
            paint,
            size,
            palette,
            ground,
            still,
            stains: 0,
            arrived: colour::arrived(colours.groups),
            caption: String::new(),
            clock: String::new(),
            fps: if options.fps.is_finite() { options.fps.clamp(0.1, 50.0) } else { 25.0 },
            frames: 0,
        })
    }

    /// The time that the frames to come show before their line; empty for none.
    pub fn set_clock(&mut self, clock: &str) {
        self.clock = clock.to_owned();
    }

    /// Draws the ground anew for the frames to come: another map of the same size.
    pub fn set_ground(&mut self, map: &Map) {
        self.set_ground_with(map, &Fixtures::default());
    }

    /// The same, with walls that have hit points, closed doors, sources and sinks.
    pub fn set_ground_with(&mut self, map: &Map, fixtures: &Fixtures) {
        let survey = ground::survey(map, &self.view, &self.paint);
        let mut drawn = ground::draw(&survey, &self.view);
        fixtures.walls.stain(&mut drawn, &self.view, map);
        fixtures.traffic.draw(&mut drawn, &self.view, &survey, &[]);
        image::imageops::replace(&mut self.ground, &drawn, 0, 0);
        self.still = self.ground.pixels().map(|pixel| self.palette.near(pixel.0)).collect();
        self.stains = 0;
    }

    /// The line below the frames to come; empty for "… agents, … arrived".
    pub fn set_caption(&mut self, caption: &str) {
        self.caption = caption.to_owned();
    }

    /// Adds a frame.
    ///
    /// # Panics
    /// When columns of the crowd differ in length or name a group without an entry.
    pub fn push(&mut self, crowd: &Crowd) -> Result<(), EncodingError> {
        self.push_fight(crowd, None)
    }

    /// Adds a frame of a fight: always the same one, which has seen every tick.
    ///
    /// # Panics
    /// When columns of the crowd differ in length or name a group without an entry.
    pub fn push_fight(
        &mut self,
        crowd: &Crowd,
        combat_overlay: Option<&CombatOverlay>,
    ) -> Result<(), EncodingError> {
        crowd.check();
        if let Some(combat_overlay) = combat_overlay {
            self.stain(combat_overlay);
        }
        self.render(crowd);
        if let Some(combat_overlay) = combat_overlay {
            self.render_fray(combat_overlay);
        }
        let patch = self.patch();
        self.file.push(patch, UNCHANGED)?;
        self.frames += 1;
        std::mem::swap(&mut self.last, &mut self.next);
        Ok(())
    }

    /// Stains the ground where more have fallen.
    fn stain(&mut self, combat_overlay: &CombatOverlay) {
        let fresh = &combat_overlay.fallen()[self.stains..];
        if fresh.is_empty() {
            return;
        }
        self.stains += fresh.len();
        let before = self.ground.clone();
        CombatOverlay::stain(&mut self.ground, &self.view, fresh);
        for (i, (now, before)) in self.ground.pixels().zip(before.pixels()).enumerate() {
            if now != before {
                self.still[i] = self.palette.near(now.0);
            }
        }
    }

    /// Draws bursts and projectiles over `next`.
    fn render_fray(&mut self, combat_overlay: &CombatOverlay) {
        let under = RgbImage::from_fn(self.size[0], self.size[1], |x, y| {
            let entry = self.next[(y * self.size[0] + x) as usize];
            image::Rgb(self.palette.colours[usize::from(entry)])
        });
        let mut image = under.clone();
        combat_overlay.draw(&mut image, &self.view);
        for (i, (now, before)) in image.pixels().zip(under.pixels()).enumerate() {
            if now != before {
                self.next[i] = self.palette.near(now.0);
            }
        }
    }

    /// Draws a crowd into `next`.
    fn render(&mut self, crowd: &Crowd) {
        self.next.clone_from(&self.still);
        self.density.clear();
        let least = agents::least_radius(&self.view, crowd.len());
        for row in 0..crowd.len() {
            let radius = (crowd.radius(row) * self.view.per_metre).max(least);
            let light = colour::to_light(agents::agent_colour(crowd, &self.arrived, row));
            self.density.add(self.view.place(crowd.positions[row]), radius, light);
        }
        let (width, ground) = (self.size[0] as usize, self.ground.as_raw());
        for y in 0..self.view.height as usize {
            for x in 0..self.view.width as usize {
                let i = y * width + x;
                let ground = [0, 1, 2].map(|part| ground[i * 3 + part]);
                if let Some(colour) = self.density.over(y * self.view.width as usize + x, ground) {
                    self.next[i] = self.palette.near(colour);
                }
            }
        }
        let caption = match self.caption.as_str() {
            "" => picture::counts(crowd),
            caption => caption.to_owned(),
        };
        let caption = match self.clock.as_str() {
            "" => caption,
            clock => format!("{clock}   {caption}"),
        };
        let ink = self.palette.near(caption::INK);
        let ([left, top], dot, room) = self.line;
        font::each_dot(&caption, |x, y| {
            for (dx, dy) in (0..dot).flat_map(|dy| (0..dot).map(move |dx| (dx, dy))) {
                let (x, y) = (left + x * dot + dx, top + y * dot + dy);
                if x < room && y < self.size[1] {
                    self.next[y as usize * width + x as usize] = ink;
                }
            }
        });
    }

    /// The smallest rectangle that has changed, as a frame.
    fn patch(&self) -> Patch {
        let width = self.size[0] as usize;
        let differs = |i: usize| self.last.get(i) != Some(&self.next[i]);
        let rows = self.size[1] as usize;
        let row_differs = |&y: &usize| (y * width..(y + 1) * width).any(differs);
        let top = (0..rows).find(row_differs).unwrap_or(0);
        let bottom = (top..rows).rev().find(row_differs).unwrap_or(top);
        let column_differs = |&x: &usize| (top..=bottom).any(|y| differs(y * width + x));
        let left = (0..width).find(column_differs).unwrap_or(0);
        let right = (left..width).rev().find(column_differs).unwrap_or(left);
        let pixels: Vec<u8> = (top..=bottom)
            .flat_map(|y| y * width + left..=y * width + right)
            .map(|i| if differs(i) { self.next[i] } else { UNCHANGED })
            .collect();
        let time = |frame: u32| f64::from(frame) / self.fps;
        Patch {
            at: [left as u32, top as u32],
            size: [(right - left + 1) as u32, (bottom - top + 1) as u32],
            pixels,
            time: [time(self.frames), time(self.frames + 1)],
        }
    }

    /// Number of frames so far.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Ends the film and gives the writer back.
    pub fn finish(self) -> Result<W, EncodingError> {
        self.file.finish()
    }
}

/// The ground with room for a line of text below and, where groups have names, a legend and a scale;
/// also where the line begins, pixels a dot of its letters, and how wide it may be.
fn below(
    ground: RgbImage,
    view: &View,
    groups: &[Rgb],
    options: &FilmOptions<'_>,
) -> (RgbImage, ([u32; 2], u32, u32)) {
    if options.names.is_empty() {
        let size = [view.width.max(NARROWEST), view.height + CAPTION];
        let mut whole = RgbImage::new(size[0], size[1]);
        canvas::fill(&mut whole, [0, 0], size, caption::PAPER);
        image::imageops::replace(&mut whole, &ground, 0, 0);
        return (whole, ([5, view.height + 4], 1, size[0]));
    }
    let mut entries: Vec<Entry> = Vec::new();
    let arrived = colour::arrived(groups);
    for ((name, &colour), &arrived) in options.names.iter().zip(groups).zip(&arrived) {
        // Classes of one name share an entry.
        if entries.iter().all(|entry| entry.text != *name) {
            entries.push(Entry::marked(Mark::Discs(arrived), colour, name));
        }
    }
    let mut others = vec![Entry::arrived()];
    options.traffic.name(&mut others);
    let (whole, caption) = caption::below_with(ground, "", [entries, others], view.per_metre);
    let line = caption.line_at(&whole);
    (whole, line)
}

/// Up to 255 colours, and the nearest of them to any colour.
struct Palette {
    colours: Vec<Rgb>,
    /// Entry by 5 bits of red, green, blue.
    table: Vec<u8>,
    exact: HashMap<Rgb, u8>,
}

impl Palette {
    /// The commonest colours of the ground, then `fixed` ones, then groups over it at several strengths,
    /// arrived ones, and mixes of two groups while there is room.
    fn new(ground: &RgbImage, groups: &[Rgb], fixed: impl Iterator<Item = Rgb>) -> Self {
        let mut counts = HashMap::<Rgb, u32>::new();
        ground.pixels().for_each(|pixel| *counts.entry(pixel.0).or_default() += 1);
        let mut common: Vec<(u32, Rgb)> = counts.into_iter().map(|(c, n)| (n, c)).collect();
        common.sort_unstable_by(|a, b| b.cmp(a));
        let plain = common.first().map_or(caption::PAPER, |first| first.1);
        let mut colours = vec![caption::PAPER, caption::INK, combat_overlay::FLASH];
        colours
            .extend([0.35, 0.6, 1.0].map(|share| colour::mix(plain, combat_overlay::STAIN, share)));
        colours.extend([0.3, 0.6].map(|share| colour::mix(plain, combat_overlay::FLASH, share)));
        colours.push(colour::mix(plain, caption::INK, 0.5));
        colours.extend(common.iter().take(GROUND_COLOURS).map(|c| c.1));
        colours.extend(fixed);
        let darker = |share: f32| move |&c: &Rgb| colour::darker(c, share);
        let fainter = |share: f32| move |&c: &Rgb| colour::mix(plain, c, share);
        colours.extend(groups);
        colours.extend(colour::arrived(groups));
        colours.extend(groups.iter().map(fainter(0.55)));
        colours.extend(groups.iter().map(fainter(0.28)));
        let pairs = || {
            let others = |i: usize| groups[i + 1..].iter().map(move |b| (groups[i], *b));
            (0..groups.len()).flat_map(others)
        };
        let blend = |share: f32| {
            move |(a, b): (Rgb, Rgb)| {
                let (a, b) = (colour::to_light(a), colour::to_light(b));
                colour::from_light([0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * share))
            }
        };
        colours.extend(pairs().map(blend(0.5)));
        colours.extend(groups.iter().map(fainter(0.78)));
        colours.extend(groups.iter().map(darker(0.8)));
        colours.extend(pairs().map(blend(0.25)));
        colours.extend(pairs().map(blend(0.75)));
        colours.extend(pairs().map(blend(0.5)).map(|c| fainter(0.55)(&c)));
        colours.extend(groups.iter().map(fainter(0.4)));
        let mut seen = std::collections::HashSet::new();
        colours.retain(|&colour| seen.insert(colour));
        colours.truncate(UNCHANGED as usize);
        let middle = |i: usize| (i & 31) as u8 * 8 + 4;
        let table = (0..1 << 15)
            .map(|i: usize| nearest(&colours, [middle(i >> 10), middle(i >> 5), middle(i)]))
            .collect();
        Self { colours, table, exact: HashMap::new() }
    }

    /// The nearest entry, to 5 bits a part.
    fn near(&self, colour: Rgb) -> u8 {
        let [red, green, blue] = colour.map(|part| usize::from(part >> 3));
        self.table[red << 10 | green << 5 | blue]
    }

    /// The nearest entry.
    fn exact(&mut self, colour: Rgb) -> u8 {
        *self.exact.entry(colour).or_insert_with(|| nearest(&self.colours, colour))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colours.iter().flatten().copied().collect();
        bytes.resize(768, 0);
        bytes
    }
}

/// The entry whose colour differs least; green counts most, as in the eye.
fn nearest(colours: &[Rgb], colour: Rgb) -> u8 {
    let weights = [3, 6, 2];
    let differs = |entry: &Rgb| -> i32 {
        let parts = (0..3).map(|i| (i32::from(entry[i]) - i32::from(colour[i]), weights[i]));
        parts.map(|(difference, weight)| difference * difference * weight).sum()
    };
    let best = (0..colours.len()).min_by_key(|&i| differs(&colours[i]));
    best.unwrap_or(0) as u8
}

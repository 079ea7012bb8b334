//! A picture of shots at a target: their arcs from the side and from above.

use image::RgbImage;

use crate::draw::caption::{INK, PAPER, round_down};
use crate::draw::{canvas, caption, colour, font};

/// A projectile's flight.
#[derive(Clone, Debug)]
pub struct Flight {
    /// What it is called in the picture.
    pub name: String,
    /// When it hits, s.
    pub time: f64,
    /// Its velocity at the muzzle, m/s.
    pub launch: [f64; 3],
}

/// What the picture shows.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The line at the top.
    pub title: String,
    /// Where the muzzle is, m.
    pub muzzle: [f64; 3],
    /// Where the target is at first, m.
    pub target: [f64; 3],
    /// Its velocity, m/s.
    pub vel: [f64; 3],
    /// Its acceleration, m/s².
    pub acc: [f64; 3],
    /// What pulls projectiles along −z, m/s².
    pub gravity: f64,
    /// The flights; the target is followed to the last one's end.
    pub flights: Vec<Flight>,
}

/// Points of a path.
const POINTS: usize = 160;
/// Width of the picture in pixels, and of the room for labels around a view.
const WIDTH: u32 = 1200;
const MARGIN: [u32; 2] = [84, 44];
/// Least and largest height of a view, pixels.
const HEIGHTS: [f64; 2] = [150.0, 560.0];
/// Height of the title and the names, pixels.
const TOP: u32 = 66;
const GRID: colour::Rgb = [0xdf, 0xdd, 0xd6];
const TARGET: colour::Rgb = [0x8a, 0x8d, 0x93];
/// Pixels a dot of the font.
const DOT: u32 = 2;

/// A path in the plane of a view, m.
type Path = Vec<[f64; 2]>;

/// A view: what is drawn in it, and where.
struct View {
    label: &'static str,
    /// Whether the second coordinate grows upwards on the picture.
    upwards: bool,
    target: Path,
    flights: Vec<Path>,
}

/// Where metres are on the picture.
struct Frame {
    /// Least coordinates shown, m.
    low: [f64; 2],
    /// Pixels a metre.
    scale: f64,
    /// Upper left corner and size, pixels.
    at: [u32; 2],
    size: [u32; 2],
    upwards: bool,
}

impl Scene {
    fn flown(from: [f64; 3], vel: [f64; 3], acc: [f64; 3], time: f64) -> [f64; 3] {
        [0, 1, 2].map(|i| from[i] + (vel[i] + 0.5 * acc[i] * time) * time)
    }

    /// Points of the target and of every flight.
    fn paths(&self) -> (Vec<[f64; 3]>, Vec<Vec<[f64; 3]>>) {
        let last = self.flights.iter().map(|flight| flight.time).fold(0.0, f64::max);
        let path = |from, vel, acc, end: f64| -> Vec<[f64; 3]> {
            let time = |i: usize| end * i as f64 / POINTS as f64;
            (0..=POINTS).map(|i| Self::flown(from, vel, acc, time(i))).collect()
        };
        let fall = [0.0, 0.0, -self.gravity];
        let flights = self.flights.iter();
        let flights = flights.map(|flight| path(self.muzzle, flight.launch, fall, flight.time));
        (path(self.target, self.vel, self.acc, last), flights.collect())
    }

    /// From the side: how far from the muzzle along the ground, and how high.
    fn side(&self) -> View {
        let (target, flights) = self.paths();
        let flat = |path: Vec<[f64; 3]>| -> Path {
            let [x, y, _] = self.muzzle;
            let along = |p: [f64; 3]| ((p[0] - x) * (p[0] - x) + (p[1] - y) * (p[1] - y)).sqrt();
            path.into_iter().map(|p| [along(p), p[2]]).collect()
        };
        View {
            label: "from the side: metres along the ground, height",
            upwards: true,
            target: flat(target),
            flights: flights.into_iter().map(flat).collect(),
        }
    }

    /// From above: x to the right, y down.
    fn above(&self) -> View {
        let (target, flights) = self.paths();
        let flat = |path: Vec<[f64; 3]>| path.into_iter().map(|p| [p[0], p[1]]).collect();
        View {
            label: "from above: x to the right, y down, metres",
            upwards: false,
            target: flat(target),
            flights: flights.into_iter().map(flat).collect(),
        }
    }
}

impl Frame {
    /// The frame of a view whose upper edge is at `top`: as large as it may be, with one scale.
    fn new(view: &View, top: u32) -> Self {
        let all = || view.flights.iter().flatten().chain(&view.target);
        let [x, y] = [0, 1].map(|axis| {
            let ends = all().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], point| {
                [low.min(point[axis]), high.max(point[axis])]
            });
            let room = 0.05 * (ends[1] - ends[0]).max(1.0);
            [ends[0] - room, ends[1] + room]
        });
        let width = f64::from(WIDTH - MARGIN[0] - MARGIN[1] / 2);
        let (wide, high) = (x[1] - x[0], y[1] - y[0]);
        let scale = (width / wide).min(HEIGHTS[1] / high);
        let height = (high * scale).max(HEIGHTS[0]);
        // What the other axis leaves free goes to both sides; no way along the ground is below 0.
        let spare = if view.upwards { 0.0 } else { 0.5 * (width / scale - wide) };
        let low = [x[0] - spare, y[0] - 0.5 * (height / scale - high)];
        let size = [width as u32, height as u32];
        Self { low, scale, at: [MARGIN[0], top], size, upwards: view.upwards }
    }

    fn pixel(&self, point: [f64; 2]) -> [f32; 2] {
        let [x, y] = [0, 1].map(|i| (point[i] - self.low[i]) * self.scale);
        let y = if self.upwards { f64::from(self.size[1]) - y } else { y };
        [(f64::from(self.at[0]) + x) as f32, (f64::from(self.at[1]) + y) as f32]
    }

    /// Lines at round numbers of metres, with the numbers.
    fn grid(&self, image: &mut RgbImage) {
        let step = round_down(110.0 / self.scale).max(1e-3);
        for axis in 0..2 {
            let (low, length) = (self.low[axis], f64::from(self.size[axis]) / self.scale);
            let first = (low / step).ceil() as i64;
            let last = ((low + length) / step).floor() as i64;
            for line in first..=last {
                let metres = line as f64 * step;
                let mut point = self.low;
                point[axis] = metres;
                let [x, y] = self.pixel(point).map(|pixel| pixel as u32);
                let text = number(metres);
                let width = font::width(&text) * DOT;
                if axis == 0 {
                    canvas::fill(image, [x, self.at[1]], [1, self.size[1]], GRID);
                    let at = [x.saturating_sub(width / 2), self.at[1] + self.size[1] + 8];
                    canvas::text(image, at, &text, DOT, INK);
                } else {
                    canvas::fill(image, [self.at[0], y], [self.size[0], 1], GRID);
                    let at = [self.at[0].saturating_sub(width + 8), y.saturating_sub(7)];
                    canvas::text(image, at, &text, DOT, INK);
                }
            }
        }
    }

    fn draw(&self, image: &mut RgbImage, view: &View) {
        self.grid(image);
        let path = |image: &mut RgbImage, points: &Path, dashed: bool, colour| {
            let pixels: Vec<[f32; 2]> = points.iter().map(|&point| self.pixel(point)).collect();
            for (i, pair) in pixels.windows(2).enumerate() {
                if !dashed || i % 4 < 2 {
                    canvas::line(image, pair[0], pair[1], 3.0, colour, 1.0);
                }
            }
        };
        path(image, &view.target, true, TARGET);
        canvas::disc(image, self.pixel(view.target[0]), 7.0, TARGET);
        for (i, points) in view.flights.iter().enumerate() {
            let colour = colour::group_colour(i);
            path(image, points, false, colour);
            if let [.., end] = points[..] {
                canvas::ring(image, self.pixel(end), 8.0, 3.0, colour, 1.0);
            }
        }
        if let Some([muzzle, ..]) = view.flights.first().map(|points| &points[..]) {
            canvas::disc(image, self.pixel(*muzzle), 7.0, INK);
        }
        let at = [self.at[0] + 6, self.at[1] + self.size[1] + 28];
        canvas::text(image, at, view.label, DOT, INK);
    }
}

/// A whole number, or one with the digits that it needs.
fn number(metres: f64) -> String {
    let text = caption::number(metres.abs());
    if metres < 0.0 { format!("-{text}") } else { text }
}

/// Draws the arcs of all flights from the side and from above, each to scale.
///
/// # Panics
/// When there is no flight.
pub fn draw(scene: &Scene) -> RgbImage {
    assert!(!scene.flights.is_empty(), "a picture of arcs has at least one");
    let views = [scene.side(), scene.above()];
    let side = Frame::new(&views[0], TOP);
    let above = Frame::new(&views[1], TOP + side.size[1] + MARGIN[1] + 28);
    let height = above.at[1] + above.size[1] + MARGIN[1] + 14;
    let mut image = RgbImage::from_pixel(WIDTH, height, image::Rgb(PAPER));
    canvas::text(&mut image, [MARGIN[0], 12], &scene.title, DOT, INK);
    let mut x = MARGIN[0];
    let names = scene.flights.iter().enumerate();
    let names = names.map(|(i, flight)| (colour::group_colour(i), &flight.name[..]));
    for (colour, name) in names.chain([(TARGET, "target")]) {
        canvas::disc(&mut image, [x as f32 + 7.0, 45.0], 7.0, colour);
        canvas::text(&mut image, [x + 20, 38], name, DOT, INK);
        x += 44 + font::width(name) * DOT;
    }
    side.draw(&mut image, &views[0]);
    above.draw(&mut image, &views[1]);
    image
}

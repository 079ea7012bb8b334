//! Pictures of ways, and of what they were found on: cells, networks, meshes.

use image::RgbImage;

use crate::draw::caption::Entry;
use crate::draw::ground::{Paint, View};
use crate::draw::{canvas, caption, colour, ground};
use throng::graph::Mesh;
use throng::graph::network::Network;
use throng::map::{Map, hexagons};

const SEEN: colour::Rgb = [0x4c, 0xa6, 0xd8];
const TRAIL: colour::Rgb = [0xd9, 0x9a, 0x00];
const EDGE: colour::Rgb = [0x2f, 0x6f, 0x62];
const FACES: [colour::Rgb; 5] = [
    [0xbf, 0xe3, 0xd6],
    [0xcf, 0xdf, 0xf2],
    [0xf4, 0xe3, 0xb8],
    [0xe4, 0xd3, 0xea],
    [0xd7, 0xe8, 0xb9],
];
const WAY: colour::Rgb = [0xd5, 0x3e, 0x0c];
const START: colour::Rgb = [0x00, 0x6b, 0xb6];
const GOAL: colour::Rgb = [0xe3, 0x10, 0x38];
const WHITE: colour::Rgb = [0xff; 3];
const BACK: colour::Rgb = [0x5b, 0x61, 0x6e];

/// Most edges of a network that are drawn full; with more they are pale.
const MANY: usize = 4000;

/// A picture that is being drawn, layer by layer. Points are in cells of the map, or in units of a
/// mesh.
#[derive(Debug)]
pub struct WaysPicture {
    image: RgbImage,
    /// The point in the upper left corner.
    low: [f64; 2],
    /// Pixels a cell.
    scale: f64,
    per_metre: f32,
    entries: Vec<Entry>,
}

impl WaysPicture {
    /// The map alone; its longer side is about `long_side` pixels.
    pub fn of_map(map: &Map, long_side: u32) -> Self {
        let view = View::near(map, long_side, None);
        let image = ground::draw(&ground::survey(map, &view, &Paint::new(&[])), &view);
        let scale = f64::from(view.pixels) / f64::from(view.cells);
        let per_metre = view.per_metre;
        Self { image, low: [0.0; 2], scale, per_metre, entries: Vec::new() }
    }

    /// A map whose cells are hexagons, the first rows half a cell to the left of the second ones, with
    /// some cells (padded indices) tinted: a search looked at them. Points are in widths of one.
    pub fn of_hexagons(map: &Map, seen: &[u32], long_side: u32) -> Self {
        let sides = [map.width(), map.height()];
        let [wide, high] = hexagons::extent(sides);
        let scale = (f64::from(long_side) / wide.max(high)).max(1.0);
        let size = [wide, high].map(|side| (side * scale).ceil() as u32);
        let mut image = RgbImage::from_pixel(size[0], size[1], image::Rgb(BACK));
        for (x, y, pixel) in image.enumerate_pixels_mut() {
            let point = [x, y].map(|at| (f64::from(at) + 0.5) / scale);
            let Some((cell, left)) = hexagons::at(sides, point) else { continue };
            let (_, mut own) = ground::terrain(map, cell[0], cell[1]);
            if seen.binary_search(&map.index(cell[0], cell[1])).is_ok() {
                own = colour::mix(own, SEEN, 0.45);
            }
            // The sides of hexagons show where there is room for them.
            if scale >= 6.0 && left * scale < 0.5 {
                own = colour::mix(own, BACK, 0.35);
            }
            *pixel = image::Rgb(own);
        }
        let per_metre = (scale / map.cell_size()) as f32;
        let mut drawn = Self { image, low: [0.0; 2], scale, per_metre, entries: Vec::new() };
        if !seen.is_empty() {
            drawn.enter(SEEN, "looked at");
        }
        drawn
    }

    /// Room for a mesh that no map belongs to. Its units count as metres.
    pub fn of_mesh(mesh: &Mesh, long_side: u32) -> Self {
        let ends = [0, 1].map(|axis| {
            let parts = || mesh.points().iter().map(move |point| point[axis]);
            [parts().fold(f64::INFINITY, f64::min), parts().fold(f64::NEG_INFINITY, f64::max)]
        });
        let [wide, high] = ends.map(|[low, end]| (end - low).max(1e-3));
        let scale = f64::from(long_side) / (1.02 * wide.max(high));
        let margin = 0.01 * wide.max(high);
        let size = [wide, high].map(|side| ((side + 2.0 * margin) * scale).ceil().max(1.0) as u32);
        let image = RgbImage::from_pixel(size[0], size[1], image::Rgb(BACK));
        let low = ends.map(|[low, _]| if low.is_finite() { low - margin } else { 0.0 });
        Self { image, low, scale, per_metre: scale as f32, entries: Vec::new() }
    }

    fn pixel(&self, point: [f64; 2]) -> [f32; 2] {
        [0, 1].map(|i| ((point[i] - self.low[i]) * self.scale) as f32)
    }

    /// Tints cells, given as padded indices, that a search looked at.
    pub fn seen(&mut self, map: &Map, cells: &[u32]) -> &mut Self {
        self.tint(map, cells, "looked at", SEEN, 0.45)
    }

    /// Tints cells that ways are drawn to: `name` is what the legend calls them.
    pub fn trail(&mut self, map: &Map, cells: &[u32], name: &str) -> &mut Self {
        self.tint(map, cells, name, TRAIL, 0.55)
    }

    fn tint(
        &mut self,
        map: &Map,
        cells: &[u32],
        name: &str,
        colour: colour::Rgb,
        share: f32,
    ) -> &mut Self {
        if !cells.is_empty() {
            self.enter(colour, name);
        }
        let side = self.scale.max(1.0).ceil() as i32;
        for &cell in cells {
            let (x, y) = map.cell(cell);
            let [left, top] = self.pixel([f64::from(x), f64::from(y)]).map(|v| v as i32);
            for y in top..top + side {
                for x in left..left + side {
                    canvas::blend(&mut self.image, x, y, colour, share);
                }
            }
        }
        self
    }

    /// Adds a line to the legend.
    fn enter(&mut self, colour: colour::Rgb, name: &str) -> &mut Self {
        self.entries.push(Entry::new(colour, name));
        self
    }

    /// The polygons of a mesh: filled, in colours that neighbours mostly differ in, or their edges
    /// alone.
    pub fn mesh(&mut self, mesh: &Mesh, filled: bool) -> &mut Self {
        let polygons = mesh.polygon_count();
        for polygon in (0..polygons).filter(|_| filled) {
            let places = mesh.places(polygon);
            let corners: Vec<[f32; 2]> = places.iter().map(|&at| self.pixel(at)).collect();
            self.fill(&corners, FACES[polygon as usize % FACES.len()]);
        }
        for polygon in 0..polygons {
            let places = mesh.places(polygon);
            for (i, &across) in mesh.across(polygon).iter().enumerate() {
                // An edge between two is drawn once.
                if across > polygon {
                    let next = places[(i + 1) % places.len()];
                    let ends = [places[i], next].map(|place| self.pixel(place));
                    canvas::line(&mut self.image, ends[0], ends[1], 1.0, EDGE, 0.8);
                }
            }
        }
        self.enter(EDGE, "edges of polygons")
    }

    /// Fills a convex polygon. Every pixel belongs to the polygon that its centre is in.
    fn fill(&mut self, corners: &[[f32; 2]], colour: colour::Rgb) {
        let limit = self.image.height() as f32;
        let rows = corners
            .iter()
            .fold([limit, 0.0_f32], |[low, end], corner| [low.min(corner[1]), end.max(corner[1])]);
        for y in rows[0].max(0.0) as u32..(rows[1].ceil().min(limit)).max(0.0) as u32 {
            let middle = y as f32 + 0.5;
            let (mut low, mut end) = (f32::INFINITY, f32::NEG_INFINITY);
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                if (a[1] <= middle) != (b[1] <= middle) {
                    let x = a[0] + (b[0] - a[0]) * (middle - a[1]) / (b[1] - a[1]);
                    (low, end) = (low.min(x), end.max(x));
                }
            }
            if low < end {
                let [left, right] = [low, end].map(|x| (x + 0.5).floor().max(0.0) as u32);
                let size = [right.saturating_sub(left), 1];
                canvas::fill(&mut self.image, [left, y], size, colour);
            }
        }
    }

    /// The nodes of a network and its edges; `side` is that of a cell in metres.
    pub fn network(&mut self, network: &Network, side: f64) -> &mut Self {
        let at = |node: u32| network.points()[node as usize].map(|part| part / side);
        let share = if network.edges().len() > MANY { 0.25 } else { 0.6 };
        for edge in network.edges().iter().filter(|edge| edge.clearance > 0.0) {
            let [a, b] = edge.nodes.map(|node| self.pixel(at(node)));
            self.thin(a, b, share);
        }
        for node in 0..network.points().len() as u32 {
            let middle = self.pixel(at(node));
            canvas::disc(&mut self.image, middle, 2.0, EDGE, 1.0);
        }
        self.enter(EDGE, "network")
    }

    /// A line of whole pixels: very many lines take less space so.
    fn thin(&mut self, a: [f32; 2], b: [f32; 2], share: f32) {
        let [x, y] = [b[0] - a[0], b[1] - a[1]];
        let steps = x.abs().max(y.abs()).ceil().max(1.0);
        for step in 0..=steps as u32 {
            let along = step as f32 / steps;
            let at = [a[0] + along * x, a[1] + along * y].map(|part| part.floor() as i32);
            canvas::blend(&mut self.image, at[0], at[1], EDGE, share);
        }
    }

    /// A way from point to point.
    pub fn way(&mut self, points: &[[f64; 2]]) -> &mut Self {
        let pixels: Vec<[f32; 2]> = points.iter().map(|&point| self.pixel(point)).collect();
        for (width, colour) in [(5.0, WHITE), (3.0, WAY)] {
            for pair in pixels.windows(2) {
                canvas::line(&mut self.image, pair[0], pair[1], width, colour, 1.0);
            }
        }
        self.enter(WAY, "way")
    }

    /// Where a way should begin and end.
    pub fn ends(&mut self, start: [f64; 2], goal: [f64; 2]) -> &mut Self {
        let [start, goal] = [start, goal].map(|point| self.pixel(point));
        canvas::disc(&mut self.image, start, 6.5, WHITE, 1.0);
        canvas::disc(&mut self.image, start, 5.0, START, 1.0);
        canvas::ring(&mut self.image, goal, 6.0, 5.0, WHITE, 1.0);
        canvas::ring(&mut self.image, goal, 6.0, 3.0, GOAL, 1.0);
        canvas::disc(&mut self.image, goal, 2.0, GOAL, 1.0);
        self.enter(START, "start");
        self.enter(GOAL, "goal")
    }

    /// The picture, with a caption below that says what it shows.
    pub fn finish(self, caption: &str) -> RgbImage {
        caption::below(self.image, caption, self.entries, self.per_metre).0
    }
}

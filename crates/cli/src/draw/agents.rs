//! Agents on a picture: discs where they are large enough to be told apart, else a density.

use std::f32::consts::PI;

use image::RgbImage;

use crate::draw::ground::View;
use crate::draw::{canvas, colour};
use throng::report::{ARRIVED, Crowd};

/// Radius in pixels from which agents are drawn as discs.
const DISC: f32 = 1.1;

/// Draws a crowd over the ground.
pub(crate) fn draw(image: &mut RgbImage, view: &View, crowd: &Crowd, density: &mut Density) {
    let least = least_radius(view, crowd.len());
    density.clear();
    let (mut discs, arrived) = (Vec::new(), colour::arrived(crowd.colours));
    for row in 0..crowd.len() {
        let place = view.place(crowd.positions[row]);
        let radius = (crowd.radius(row) * view.per_metre).max(least);
        let colour = agent_colour(crowd, &arrived, row);
        if !(place[0].is_finite() && place[1].is_finite()) {
            continue;
        }
        if radius < DISC {
            density.add(place, radius, colour::to_light(colour));
        } else {
            discs.push((place, radius, colour));
        }
    }
    density.lay_over(image);
    for (place, radius, colour) in discs {
        if radius < 1.6 {
            canvas::disc(image, place, radius, colour, 1.0);
        } else {
            canvas::disc(image, place, radius, colour::darker(colour, 0.55), 1.0);
            canvas::disc(image, place, radius - (0.22 * radius).clamp(0.5, 1.5), colour, 1.0);
        }
    }
}

/// The radius in pixels below which no agent is drawn: few agents are drawn larger, so that all of
/// them together cover some 2 % of the picture.
pub(crate) fn least_radius(view: &View, agents: usize) -> f32 {
    let area = 0.02 * view.width as f32 * view.height as f32;
    (area / (PI * agents.max(1) as f32)).sqrt().clamp(0.2, 2.2)
}

/// The colour of its group or, once it has arrived, that in `arrived` ([`colour::arrived`]).
pub(crate) fn agent_colour(crowd: &Crowd, arrived: &[colour::Rgb], row: usize) -> colour::Rgb {
    let is_there = crowd.flags[row] & ARRIVED != 0;
    let colours = if is_there { arrived } else { crowd.colours };
    colours[crowd.groups[row] as usize]
}

/// How much of every pixel agents cover, and in which light.
pub(crate) struct Density {
    width: u32,
    height: u32,
    /// Sums of light (red, green, blue) and of covered area.
    sums: Vec<[f32; 4]>,
}

impl Density {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { width, height, sums: vec![[0.0; 4]; width as usize * height as usize] }
    }

    pub(crate) fn clear(&mut self) {
        self.sums.fill([0.0; 4]);
    }

    /// Adds a disc; a small one is shared by the four nearest pixels.
    pub(crate) fn add(&mut self, [x, y]: [f32; 2], radius: f32, light: [f32; 3]) {
        let size = [self.width, self.height];
        if radius >= DISC {
            let put = |x, y, area| self.put(x, y, light, area);
            return canvas::cover_disc(size, [x, y], radius, put);
        }
        let near = |at: f32, size: u32| at > -1.0 && at < size as f32 + 1.0;
        if !(near(x, self.width) && near(y, self.height)) {
            return;
        }
        let area = PI * radius * radius;
        let (left, top) = ((x - 0.5).floor(), (y - 0.5).floor());
        let (right_share, low_share) = (x - 0.5 - left, y - 0.5 - top);
        let (left, top) = (left as i32, top as i32);
        for (dy, share) in [(0, 1.0 - low_share), (1, low_share)] {
            self.put(left, top + dy, light, area * share * (1.0 - right_share));
            self.put(left + 1, top + dy, light, area * share * right_share);
        }
    }

    #[inline(always)]
    fn put(&mut self, x: i32, y: i32, light: [f32; 3], area: f32) {
        if (x as u32) < self.width && (y as u32) < self.height {
            let sum = &mut self.sums[y as usize * self.width as usize + x as usize];
            (0..3).for_each(|i| sum[i] += light[i] * area);
            sum[3] += area;
        }
    }

    /// The colour of pixel `i` over a ground; `None` where no agent is.
    #[inline(always)]
    pub(crate) fn over(&self, i: usize, ground: colour::Rgb) -> Option<colour::Rgb> {
        let [red, green, blue, area] = self.sums[i];
        if area <= 0.0 {
            return None;
        }
        // A lone agent far below a pixel still shows; a crush goes on getting darker past full
        // cover.
        let strength = area.sqrt().min(1.0);
        let crush = 1.0 - 0.3 * (1.0 - 1.0 / area.max(1.0));
        let own = colour::from_light([red, green, blue].map(|light| light / area));
        Some(colour::mix(ground, colour::darker(own, crush), strength))
    }

    /// Lays the crowd over a picture that begins with this density's pixels.
    fn lay_over(&self, image: &mut RgbImage) {
        canvas::each_pixel(image, [self.width, self.height], |x, y, ground| {
            self.over((y * self.width + x) as usize, ground)
        });
    }
}

//! Maps made by rules: noise, caves, walkers, rooms, roads and places, from a seed.
//!
//! A [`Recipe`] is a list of [`Step`]s that run in order on a [`Canvas`] of letters, heights, layers
//! and places. Everything is made of whole numbers and of `+ - * /`, square roots and comparisons, so
//! the same rules and the same seed give the same bytes on every machine. Random numbers are functions
//! of the seed, the step and the cell or the count; rows run in parallel, and no result depends on
//! how many do.
//!
//! ```
//! use throng::Legend;
//! use throng::generate::{Biome, Biomes, Kind, Noise, Recipe, Step};
//!
//! let mut recipe = Recipe::new(64, 48, 1.0);
//! let noise = Noise { layer: "damp".to_owned(), scale: 16.0, ..Noise::default() };
//! let wet = Biome { layers: vec![("damp".to_owned(), [0.6, 1.0])], ..Biome::of(b'W') };
//! recipe.steps.push(Step::new(Kind::Noise(noise)));
//! recipe.steps.push(Step::new(Kind::Biomes(Biomes { rules: vec![wet], ..Biomes::default() })));
//! let world = recipe.make(&Legend::default(), 7)?;
//! assert_eq!((world.map.width(), world.map.height()), (64, 48));
//! assert_eq!(world.map, recipe.make(&Legend::default(), 7)?.map);
//! # Ok::<(), throng::generate::GenerateError>(())
//! ```

mod biomes;
mod canvas;
mod cave;
mod check;
mod connect;
mod error;
mod noise;
mod places;
pub mod points;
mod recipe;
pub mod roads;
mod rooms;
mod transfer;
mod walkers;

pub use canvas::Canvas;
pub use check::{MAX_ENTRIES, MAX_STEPS};
pub use error::GenerateError;
pub use recipe::{
    Biome, Biomes, Blend, Cave, Connect, Heading, Heights, How, Kind, LayRoads, Method, Noise,
    Places, Placing, Ramp, RampShape, Recipe, Region, Rooms, Scatter, Stamp, Step, Walker, Walkers,
};
pub use transfer::transfer;

use crate::map::{Legend, Map, MapError, WALL_HEIGHT, units};
use crate::math::hash3;

/// What a recipe makes.
#[derive(Clone, Debug)]
pub struct Made {
    /// The map, as a file of its letters and heights would give it.
    pub map: Map,
    /// The named points, in metres, in the order in which steps made them.
    pub places: Vec<(String, Vec<[f64; 2]>)>,
}

impl Recipe {
    /// Runs the steps. Every letter means what `legend` says; of the seed all 64 bits count.
    ///
    /// # Errors
    /// What [`Recipe::problems`] finds first, or a step that finds no room for what it is to make.
    pub fn make(&self, legend: &Legend, seed: u64) -> Result<Made, GenerateError> {
        let canvas = self.draw(legend, seed)?;
        let slowness: Vec<u8> =
            canvas.letters.iter().map(|&letter| legend.get(letter).unwrap_or(0)).collect();
        let refused = |error: MapError| {
            GenerateError::whole("step", error.to_string(), "a map that fields can cross")
        };
        let mut map =
            Map::with_letters(self.width, self.height, self.cell, &slowness, &canvas.letters)
                .map_err(refused)?;
        if !canvas.heights.is_empty() {
            let heights: Vec<i16> =
                canvas.heights.iter().map(|&metres| units(f64::from(metres))).collect();
            map = map.with_heights(&heights, WALL_HEIGHT).map_err(refused)?;
        }
        Ok(Made { map, places: canvas.places })
    }

    /// Runs the steps and gives all that they have drawn, the layers too.
    ///
    /// # Errors
    /// As [`Recipe::make`].
    pub fn draw(&self, legend: &Legend, seed: u64) -> Result<Canvas, GenerateError> {
        if let Some(problem) = self.problems(legend).into_iter().next() {
            return Err(problem);
        }
        let mut canvas = Canvas::new(self.width, self.height, self.cell, self.fill);
        for (index, step) in self.steps.iter().enumerate() {
            let seed = self.seed_of(index, seed);
            let done = match &step.kind {
                Kind::Noise(noise) => canvas.noise(noise, seed),
                Kind::Ramp(ramp) => canvas.ramp(ramp),
                Kind::Blend(blend) => canvas.blend(blend),
                Kind::Heights(heights) => canvas.raise(heights),
                Kind::Biomes(biomes) => canvas.biomes(biomes),
                Kind::Cave(cave) => canvas.cave(cave, seed),
                Kind::Walkers(walkers) => canvas.walkers(walkers, seed),
                Kind::Rooms(rooms) => canvas.rooms(rooms, seed),
                Kind::Places(places) => canvas.mark(places, legend, seed),
                Kind::Scatter(scatter) => canvas.scatter(scatter, legend, seed),
                Kind::Roads(roads) => canvas.roads(roads, legend),
                Kind::Connect(connect) => canvas.connect(connect, legend),
            };
            done.map_err(|error| error.of(index))?;
        }
        Ok(canvas)
    }

    /// The seed of a step: of the map's, of the kind of the step and of its salt, which is the number
    /// of earlier steps of its kind unless it says. So a step more changes no other kind's.
    fn seed_of(&self, index: usize, seed: u64) -> u64 {
        let step = &self.steps[index];
        let code = step.kind.code();
        let before = self.steps[..index].iter().filter(|step| step.kind.code() == code).count();
        hash3(seed, code, step.salt.unwrap_or(before as u64))
    }
}

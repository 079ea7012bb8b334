//! Heights from a layer, and letters by rules over height, slope and layers.

use crate::generate::canvas::Done;
use crate::generate::{Biome, Biomes, Canvas, Heights};
use crate::par;

/// Rows to a task.
const ROWS: usize = 16;

/// A rule with its layers found.
struct Rule<'a> {
    letter: u8,
    /// Which letters it paints over.
    on: [bool; 256],
    height: Option<[f64; 2]>,
    slope: Option<[f64; 2]>,
    layers: Vec<(&'a [f32], [f64; 2])>,
}

impl<'a> Rule<'a> {
    fn new(biome: &Biome, canvas: &'a Canvas) -> Self {
        let mut on = [biome.on.is_empty(); 256];
        biome.on.iter().for_each(|&letter| on[usize::from(letter)] = true);
        let layer = |(name, range): &(String, [f64; 2])| (canvas.known_layer(name), *range);
        Self {
            letter: biome.letter,
            on,
            height: biome.height,
            slope: biome.slope,
            layers: biome.layers.iter().map(layer).collect(),
        }
    }

    fn holds(&self, canvas: &Canvas, at: usize, slope: f64) -> bool {
        let within = |value: f64, [low, high]: [f64; 2]| low <= value && value <= high;
        let height = || canvas.heights.get(at).map_or(0.0, |&height| f64::from(height));
        self.on[usize::from(canvas.letters[at])]
            && self.layers.iter().all(|(layer, range)| within(f64::from(layer[at]), *range))
            && self.height.is_none_or(|range| within(height(), range))
            && self.slope.is_none_or(|range| within(slope, range))
    }
}

impl Canvas {
    /// Heights from a layer: 0 is the low end of the range, 1 the high one.
    pub(super) fn raise(&mut self, heights: &Heights) -> Done {
        let [low, high] = heights.range;
        let height = |&share: &f32| (low + (high - low) * f64::from(share)) as f32;
        self.heights = self.known_layer(&heights.layer).iter().map(height).collect();
        Ok(())
    }

    /// Paints every cell of the region by the first rule that holds there.
    pub(super) fn biomes(&mut self, biomes: &Biomes) -> Done {
        let mask = self.mask(&biomes.region);
        let rules: Vec<Rule<'_>> = biomes.rules.iter().map(|rule| Rule::new(rule, self)).collect();
        let steep = rules.iter().any(|rule| rule.slope.is_some());
        let mut letters = self.letters.clone();
        let width = self.width as usize;
        par::chunks(letters.len(), ROWS * width, &mut letters[..], &|_, first, part: &mut [u8]| {
            for (i, letter) in part.iter_mut().enumerate() {
                let at = first + i;
                if !mask[at] {
                    continue;
                }
                let (x, y) = ((at % width) as u32, (at / width) as u32);
                let slope = if steep { self.slope(x, y) } else { 0.0 };
                if let Some(rule) = rules.iter().find(|rule| rule.holds(self, at, slope)) {
                    *letter = rule.letter;
                }
            }
        });
        self.letters = letters;
        Ok(())
    }
}

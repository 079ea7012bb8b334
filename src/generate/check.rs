//! What a recipe must be before it runs.

use crate::data::definition::{Definition, Letters, Takes};
use crate::generate::points::MAX_POINTS;
use crate::generate::{
    Biome, GenerateError, How, Kind, Method, Placing, Recipe, Region, Stamp, Walker,
};
use crate::map::area::Shape;
use crate::map::{Legend, MAX_HEIGHT, limits};

/// Steps of a recipe at most.
pub const MAX_STEPS: usize = 1000;

/// Entries of a list within a step at most: rules, walkers, points of a transfer function, shapes.
pub const MAX_ENTRIES: usize = 1000;

/// Work of a recipe at most, some 15 ns each: a minute or so.
const MAX_WORK: f64 = 4_294_967_296.0;

/// Cells of all layers at most, 4 bytes each; always enough for four layers.
const MAX_LAYER_CELLS: f64 = 134_217_728.0;

/// Words of a rule that are no layers.
const WORDS: [&str; 4] = ["letter", "on", "height", "slope"];

/// What is there when a step begins.
struct Check<'a> {
    recipe: &'a Recipe,
    legend: &'a Legend,
    step: Option<usize>,
    entry: Option<usize>,
    layers: Vec<&'a str>,
    places: Vec<&'a str>,
    has_heights: bool,
    work: f64,
    problems: Vec<GenerateError>,
}

impl Recipe {
    /// Everything that is wrong with the recipe, step by step: numbers out of range, letters that the
    /// legend does not have, layers and places that no step before makes or that two make, and more
    /// cells or work than there may be. A recipe without problems can run.
    pub fn problems(&self, legend: &Legend) -> Vec<GenerateError> {
        self.checked(legend).problems
    }

    /// About how much work it is, in units of some 15 ns.
    pub fn work(&self, legend: &Legend) -> f64 {
        self.checked(legend).work
    }

    fn checked<'a>(&'a self, legend: &'a Legend) -> Check<'a> {
        let mut check = Check {
            recipe: self,
            legend,
            step: None,
            entry: None,
            layers: Vec::new(),
            places: Vec::new(),
            has_heights: false,
            work: 0.0,
            problems: Vec::new(),
        };
        if let Err(error) = limits::check_size(self.width, self.height, self.cell) {
            let expected = "sides of at most 16,384 cells and 16,384 m, 67,108,864 cells in all";
            check.problem("width", error.to_string(), expected);
        }
        check.letter("fill", self.fill);
        if self.steps.len() > MAX_STEPS {
            let wrong = format!("there are {} steps", self.steps.len());
            check.problem("step", wrong, format!("at most {MAX_STEPS}"));
        }
        for (index, step) in self.steps.iter().enumerate() {
            check.step = Some(index);
            check.kind(&step.kind);
        }
        if check.work > MAX_WORK {
            check.step = None;
            let wrong = "the steps are too much work for a map of this size";
            check.problem("step", wrong, "fewer cells, octaves, rounds, steps or corners");
        }
        check
    }
}

/// A letter in words.
fn shown(letter: u8) -> String {
    match letter {
        b' '..=b'~' => format!("`{}`", char::from(letter)),
        _ => format!("byte {letter:#04x}"),
    }
}

impl<'a> Check<'a> {
    fn problem(
        &mut self,
        key: &'static str,
        wrong: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let error = GenerateError::whole(key, wrong, expected);
        self.problems.push(GenerateError { step: self.step, entry: self.entry, ..error });
    }

    fn cells(&self) -> f64 {
        f64::from(self.recipe.width) * f64::from(self.recipe.height)
    }

    fn kind(&mut self, kind: &'a Kind) {
        self.work += self.cells();
        match kind {
            Kind::Noise(noise) => {
                self.fields(noise);
                self.work += self.cells() * f64::from(noise.octaves);
                self.new_layer(&noise.layer, &noise.transfer, &noise.with);
            }
            Kind::Ramp(ramp) => self.new_layer(&ramp.layer, &ramp.transfer, &ramp.with),
            Kind::Blend(blend) => {
                self.layer("of", &blend.of);
                self.new_layer(&blend.layer, &blend.transfer, &blend.with);
            }
            Kind::Heights(heights) => {
                self.layer("layer", &heights.layer);
                self.range("range", heights.range, -MAX_HEIGHT, MAX_HEIGHT);
                self.has_heights = true;
            }
            Kind::Biomes(biomes) => {
                self.region(&biomes.region);
                self.count("rules", biomes.rules.len());
                self.work += self.cells() * biomes.rules.len() as f64 / 4.0;
                self.each(&biomes.rules, Self::rule);
            }
            Kind::Cave(cave) => {
                self.region(&cave.region);
                self.fields(cave);
                for (key, counts) in [("birth", &cave.birth), ("survive", &cave.survive)] {
                    let most = counts.iter().copied().max().unwrap_or(0);
                    self.number(key, f64::from(most), 0.0, 8.0);
                }
                self.work += self.cells() * f64::from(cave.rounds) / 16.0;
            }
            Kind::Walkers(walkers) => {
                self.region(&walkers.region);
                self.count("walkers", walkers.walkers.len());
                self.each(&walkers.walkers, Self::walker);
            }
            Kind::Rooms(rooms) => {
                self.region(&rooms.region);
                self.fields(rooms);
                self.range("size", rooms.size, 0.1, 1000.0);
                rooms.name.iter().for_each(|name| self.new_places(name));
                self.work += f64::from(rooms.count) * f64::from(rooms.count) * 30.0;
            }
            _ => self.kind_of_points(kind),
        }
    }

    fn kind_of_points(&mut self, kind: &'a Kind) {
        match kind {
            Kind::Places(places) => {
                self.placing(&places.placing);
                places.stamp.iter().for_each(|stamp| self.stamp(stamp));
                self.new_places(&places.name);
            }
            Kind::Scatter(scatter) => {
                self.placing(&scatter.placing);
                self.stamp(&scatter.stamp);
            }
            Kind::Roads(roads) => {
                self.known_places("places", &roads.places);
                self.fields(roads);
                self.bridges(&roads.bridges);
                self.work += self.cells() * 16.0;
            }
            Kind::Connect(connect) => {
                self.fields(connect);
                self.bridges(&connect.bridges);
                self.work += self.cells() * 24.0;
            }
            _ => unreachable!("all other kinds are checked elsewhere"),
        }
    }

    fn each<T>(&mut self, list: &'a [T], look: impl Fn(&mut Self, &'a T)) {
        for (entry, item) in list.iter().enumerate() {
            self.entry = Some(entry);
            look(self, item);
        }
        self.entry = None;
    }

    fn rule(&mut self, rule: &'a Biome) {
        self.letter("letter", rule.letter);
        rule.on.iter().for_each(|&letter| self.letter("on", letter));
        for (key, range) in [("height", rule.height), ("slope", rule.slope)] {
            let Some(range) = range else { continue };
            self.range(key, range, -1.0e6, 1.0e6);
            if !self.has_heights {
                let wrong = format!("no step before it gives the ground heights, so `{key}` is 0");
                self.problem(key, wrong, "a step of kind `height` before it");
            }
        }
        for (name, range) in &rule.layers {
            self.layer("rules", name);
            self.range("rules", *range, -1.0e6, 1.0e6);
        }
    }

    fn walker(&mut self, walker: &'a Walker) {
        self.fields(walker);
        if let Some(name) = &walker.start {
            self.known_places("start", name);
        }
        let across = 2.0 * walker.radius / self.recipe.cell + 1.0;
        self.work += f64::from(walker.count) * f64::from(walker.steps) * (across * across + 12.0);
    }

    fn placing(&mut self, placing: &'a Placing) {
        self.region(&placing.region);
        self.fields(placing);
        placing.layer.iter().for_each(|name| self.layer("layer", name));
        placing.near.iter().for_each(|name| self.known_places("near", name));
        let most = f64::from(MAX_POINTS);
        let count = placing.count.map_or(0.0, f64::from);
        if placing.count.is_some() {
            self.number("count", count, 1.0, most);
        }
        let poisson = placing.method == Method::Poisson;
        let mut points = count * 30.0;
        if poisson {
            // Disks of half the spacing do not overlap.
            let side = placing.spacing / self.recipe.cell;
            points = 5.0 * self.cells() / (side * side).max(1.0e-12);
            if points > 5.0 * most {
                let wrong = format!("{} is too small for a map of this size", placing.spacing);
                let expected = "a distance in metres, of which at most 4,194,304 squares fit in";
                self.problem("spacing", wrong, expected);
            }
        } else if placing.count.is_none() {
            self.problem("count", "missing", "how many points there shall be, as in 20");
        }
        let across = 2.0 * placing.clearance / self.recipe.cell + 1.0;
        let each = if poisson { 100.0 } else { 8.0 };
        self.work += points.min(5.0 * most) * (across * across + each);
    }

    fn stamp(&mut self, stamp: &'a Stamp) {
        self.letter("letter", stamp.letter);
        self.range("size", stamp.size, 0.0, 1000.0);
    }

    fn region(&mut self, region: &'a Region) {
        region.on.iter().for_each(|&letter| self.letter("on", letter));
        self.count("within", region.within.len());
        for shape in &region.within {
            if let Err(error) = shape.validate() {
                self.problem("within", error.to_string(), "a shape with an area");
            }
            let corners = match shape {
                Shape::Polygon { corners } => corners.len(),
                _ => 1,
            };
            self.work += self.cells() * corners as f64;
        }
    }

    fn new_layer(
        &mut self,
        name: &'a str,
        points: &'a [[f64; 2]],
        with: &'a Option<(String, How)>,
    ) {
        if let Some((other, _)) = with {
            self.layer("with", other);
        }
        self.count("transfer", points.len());
        for pair in points.windows(2).filter(|pair| pair[0][0] >= pair[1][0]) {
            let wrong = format!("{} comes after {}", pair[1][0], pair[0][0]);
            self.problem("transfer", wrong, "points [x, y] whose x grow");
        }
        for &[x, y] in points {
            self.number("transfer", x, -100.0, 100.0);
            self.number("transfer", y, 0.0, 1.0);
        }
        if name.is_empty() || WORDS.contains(&name) {
            let expected = "a name that is not `letter`, `on`, `height` or `slope`";
            self.problem("layer", format!("`{name}` cannot name a layer"), expected);
        } else if self.layers.contains(&name) {
            let wrong = format!("an earlier step makes the layer `{name}`");
            self.problem("layer", wrong, "another name");
        }
        self.layers.push(name);
        let most = (MAX_LAYER_CELLS / self.cells()).floor().max(4.0);
        if self.layers.len() as f64 == most + 1.0 {
            let wrong = "there are too many layers for a map of this size";
            self.problem("layer", wrong, format!("at most {most}"));
        }
    }

    fn new_places(&mut self, name: &'a str) {
        if name.is_empty() {
            self.problem("name", "`` cannot name places", "a name");
        } else if self.places.contains(&name) {
            let wrong = format!("an earlier step makes the places `{name}`");
            self.problem("name", wrong, "another name");
        }
        self.places.push(name);
    }

    /// A layer that must have been made.
    fn layer(&mut self, key: &'static str, name: &str) {
        if self.layers.contains(&name) {
            return;
        }
        let makes = |kind: &Kind| match kind {
            Kind::Noise(noise) => noise.layer == name,
            Kind::Ramp(ramp) => ramp.layer == name,
            Kind::Blend(blend) => blend.layer == name,
            _ => false,
        };
        let known = self.layers.clone();
        self.unknown(key, "layer", name, makes, &known);
    }

    /// A list of places that must have been made.
    fn known_places(&mut self, key: &'static str, name: &str) {
        if self.places.contains(&name) {
            return;
        }
        let makes = |kind: &Kind| match kind {
            Kind::Places(places) => places.name == name,
            Kind::Rooms(rooms) => rooms.name.as_deref() == Some(name),
            _ => false,
        };
        let known = self.places.clone();
        self.unknown(key, "list of places", name, makes, &known);
    }

    fn unknown(
        &mut self,
        key: &'static str,
        what: &str,
        name: &str,
        makes: impl Fn(&Kind) -> bool,
        known: &[&str],
    ) {
        let later = self.recipe.steps.iter().any(|step| makes(&step.kind));
        let wrong = if later {
            format!("no step before this one makes the {what} `{name}`, but a later one does")
        } else {
            format!("no step makes a {what} `{name}`")
        };
        let expected = match known {
            [] if later => "the steps in the order in which they need each other".to_owned(),
            [] => format!("a step before it that makes the {what}"),
            _ => format!("one of `{}`", known.join("`, `")),
        };
        self.problem(key, wrong, expected);
    }

    fn bridges(&mut self, bridges: &[(u8, u8)]) {
        for &(wall, letter) in bridges {
            self.letter("bridges", wall);
            self.letter_of("bridges", letter, Letters::Open);
        }
    }

    /// The numbers and letters that are declared.
    fn fields<D: Definition>(&mut self, def: &D) {
        for (field, number) in D::FIELDS.iter().zip(def.numbers()) {
            match field.takes {
                Takes::Letter(letters) if number >= 0.0 => {
                    self.letter_of(field.key, number as u8, letters);
                }
                takes => {
                    let limits = takes.limits();
                    limits.iter().for_each(|own| self.number(field.key, number, own.low, own.high));
                }
            }
        }
    }

    /// A letter that the legend must have.
    fn letter(&mut self, key: &'static str, letter: u8) {
        self.letter_of(key, letter, Letters::All);
    }

    /// A letter that must be one of several of the legend.
    fn letter_of(&mut self, key: &'static str, letter: u8, letters: Letters) {
        let (wrong, expected) = match (letters, self.legend.get(letter)) {
            (_, None) => (
                "is not a letter of the map",
                "`.`, `G`, `S` to walk on, `@`, `O`, `T`, `W` for walls, or a letter that `cost` names",
            ),
            (Letters::Open, Some(0)) => ("is a wall", "a letter that does not cost 0"),
            (Letters::Walls, Some(1..)) => ("is no wall", "a letter that costs 0"),
            _ => return,
        };
        self.problem(key, format!("{} {wrong}", shown(letter)), expected);
    }

    fn number(&mut self, key: &'static str, value: f64, low: f64, high: f64) {
        if !(low..=high).contains(&value) {
            let side = if value < low { format!("below {low}") } else { format!("above {high}") };
            self.problem(key, format!("{value} is {side}"), format!("{low} to {high}"));
        }
    }

    fn range(&mut self, key: &'static str, [from, to]: [f64; 2], low: f64, high: f64) {
        self.number(key, from, low, high);
        self.number(key, to, low, high);
        if from > to {
            self.problem(key, format!("{from} is above {to}"), "[low, high] with low ≤ high");
        }
    }

    fn count(&mut self, key: &'static str, count: usize) {
        if count > MAX_ENTRIES {
            let wrong = format!("there are {count} entries");
            self.problem(key, wrong, format!("at most {MAX_ENTRIES}"));
        }
    }
}

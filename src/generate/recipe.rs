//! Recipes: the steps that make a map, and their numbers.
//!
//! Every number has a default, which [`Default`] gives, and a range, which [`Recipe::problems`] checks;
//! `docs/scenario.md` lists them all.

use crate::data::definition::{Letters, Takes, define, words};
use crate::map::MAX_HEIGHT;
use crate::map::area::Shape;

/// The rules of a map: steps that run in order on a canvas.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Cells from left to right.
    pub width: u32,
    /// Cells from top to bottom.
    pub height: u32,
    /// Side of a cell in metres.
    pub cell: f64,
    /// Letter of every cell before the first step.
    pub fill: u8,
    /// What is done, in order.
    pub steps: Vec<Step>,
}

impl Recipe {
    /// Plain ground, `.`, of so many cells with sides of `cell` metres.
    pub fn new(width: u32, height: u32, cell: f64) -> Self {
        Self { width, height, cell, fill: b'.', steps: Vec::new() }
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Steps of one kind and one salt get the same random numbers. `None`: the number of earlier
    /// steps of its kind.
    pub salt: Option<u64>,
    /// Its kind, with its options.
    pub kind: Kind,
}

impl Step {
    /// A step with random numbers of its own.
    pub fn new(kind: Kind) -> Self {
        Self { salt: None, kind }
    }
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A layer of gradient noise.
    Noise(Noise),
    /// A layer that rises evenly.
    Ramp(Ramp),
    /// A layer from another one.
    Blend(Blend),
    /// Heights from a layer.
    Heights(Heights),
    /// Letters by rules over layers, height and slope.
    Biomes(Biomes),
    /// A cave by a cellular automaton.
    Cave(Cave),
    /// Agents that dig and deposit.
    Walkers(Walkers),
    /// Rooms and corridors.
    Rooms(Rooms),
    /// Named points, with something on them if wanted.
    Places(Places),
    /// Things at points: trees, rocks, houses.
    Scatter(Scatter),
    /// Roads that join places.
    Roads(LayRoads),
    /// One open region in place of several.
    Connect(Connect),
}

impl Kind {
    /// The words of the kinds in scenario files, in the order of [`Kind`].
    pub const WORDS: [&'static str; 12] = [
        "noise", "ramp", "blend", "height", "biomes", "cave", "walkers", "rooms", "places",
        "scatter", "roads", "connect",
    ];

    /// Number of the kind, from 0.
    pub(super) fn code(&self) -> u64 {
        match self {
            Self::Noise(_) => 0,
            Self::Ramp(_) => 1,
            Self::Blend(_) => 2,
            Self::Heights(_) => 3,
            Self::Biomes(_) => 4,
            Self::Cave(_) => 5,
            Self::Walkers(_) => 6,
            Self::Rooms(_) => 7,
            Self::Places(_) => 8,
            Self::Scatter(_) => 9,
            Self::Roads(_) => 10,
            Self::Connect(_) => 11,
        }
    }

    /// The word of the kind.
    pub fn word(&self) -> &'static str {
        Self::WORDS[self.code() as usize]
    }
}

/// Where a step works: cells that meet both.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Region {
    /// The cell's centre lies in one of these shapes; empty: anywhere.
    pub within: Vec<Shape>,
    /// The cell bears one of these letters; empty: any.
    pub on: Vec<u8>,
}

words! {
    /// How a new layer is joined with an earlier one. The result is cut to 0..1.
    #[derive(Default)]
    pub enum How {
        /// Product.
        #[default]
        Multiply = "multiply",
        /// Sum.
        Add = "add",
        /// The greater.
        Max = "max",
        /// The less.
        Min = "min",
    }
}

define! {
    /// A layer of gradient noise.
    pub struct Noise {
        /// Size of the largest features: the side of the first octave's lattice.
        scale: f64 = 64.0, Takes::number("a size in metres", 0.1, 1.0e6);
        /// How many octaves, layers of ever finer noise, are added.
        octaves: u32 = 5, Takes::whole("a number of octaves", 1, 16);
        /// Weight of an octave, in that of the one before.
        gain: f64 = 0.5, Takes::number("a share of a weight", 0.01, 1.0);
        /// Fineness of an octave, in that of the one before.
        lacunarity: f64 = 2.0, Takes::number("a multiple of a fineness", 1.0, 8.0);
    }
    beside {
        /// Name of the new layer.
        pub layer: String = String::new();
        /// Points (x, y) of a transfer function from noise to layer; empty changes nothing.
        pub transfer: Vec<[f64; 2]> = Vec::new();
        /// An earlier layer and how it is joined with this one, after the transfer.
        pub with: Option<(String, How)> = None;
    }
}

words! {
    /// Shape of a ramp.
    pub enum RampShape {
        /// From 0 at the edges of the map to 1 in the middle, round: 1 less the distance from the middle,
        /// in half the sides; 0 beyond.
        Disc = "disc",
        /// The same, as a pyramid.
        Square = "square",
        /// From 0 on the left to 1 on the right.
        Right = "right",
        /// From 0 at the top to 1 at the bottom.
        Down = "down",
    }
}

define! {
    /// A layer that rises evenly over the map.
    pub struct Ramp {
        /// 1 in the middle of the map and 0 at its edges, as a cone or a pyramid; or 0 on the left (at the
        /// top) and 1 on the right (at the bottom).
        shape: RampShape = RampShape::Disc;
    }
    beside {
        /// Name of the new layer.
        pub layer: String = String::new();
        /// As in [`Noise`].
        pub transfer: Vec<[f64; 2]> = Vec::new();
        /// As in [`Noise`].
        pub with: Option<(String, How)> = None;
    }
}

/// A layer from an earlier one, through another transfer function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blend {
    /// Name of the new layer.
    pub layer: String,
    /// The earlier layer.
    pub of: String,
    /// As in [`Noise`].
    pub transfer: Vec<[f64; 2]>,
    /// As in [`Noise`].
    pub with: Option<(String, How)>,
}

/// Heights from a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// The layer.
    pub layer: String,
    /// Heights in metres where it is 0 and where it is 1.
    pub range: [f64; 2],
}

/// Rules that paint: in every cell the first that holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Biomes {
    /// The cells that the rules are for.
    pub region: Region,
    /// The rules, first the one that goes before all others.
    pub rules: Vec<Biome>,
}

/// One rule. Ranges hold at both their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Biome {
    /// The letter that it paints.
    pub letter: u8,
    /// Letters that it paints over; empty: any.
    pub on: Vec<u8>,
    /// Height of the ground in metres.
    pub height: Option<[f64; 2]>,
    /// Slope of the ground, metres up for a metre along.
    pub slope: Option<[f64; 2]>,
    /// Layers and their ranges.
    pub layers: Vec<(String, [f64; 2])>,
}

impl Biome {
    /// A rule that holds everywhere.
    pub fn of(letter: u8) -> Self {
        Self { letter, on: Vec::new(), height: None, slope: None, layers: Vec::new() }
    }
}

define! {
    /// A cave: cells are wall or floor by chance, then by their neighbours.
    pub struct Cave {
        /// Share of walls in the beginning.
        fill: f64 = 0.45, Takes::number("a share", 0.0, 1.0);
        /// How often all cells change.
        rounds: u32 = 5, Takes::whole("a number of rounds", 0, 1_000);
        /// What walls are; all outside of the region counts as wall.
        wall: u8 = b'@', Takes::Letter(Letters::All);
        /// What floors are.
        floor: u8 = b'.', Takes::Letter(Letters::All);
    }
    beside {
        /// The cells of the cave.
        pub region: Region = Region::default();
        /// Counts of walls among the 8 neighbours with which a floor becomes a wall.
        pub birth: Vec<u8> = vec![5, 6, 7, 8];
        /// Counts with which a wall stays one.
        pub survive: Vec<u8> = vec![4, 5, 6, 7, 8];
    }
}

/// Agents that dig and deposit, one step each in turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walkers {
    /// Where they may go and what they change; they stay off the outermost cells of the map.
    pub region: Region,
    /// The kinds of walkers, in the order in which they step.
    pub walkers: Vec<Walker>,
}

words! {
    /// A direction on the map.
    pub enum Heading {
        /// Up.
        North = "north",
        /// To the right.
        East = "east",
        /// Down.
        South = "south",
        /// To the left.
        West = "west",
    }
}

define! {
    /// One kind of walkers.
    pub struct Walker {
        /// How many there are.
        count: u32 = 1, Takes::whole("a number of walkers", 1, 1_000_000);
        /// Cells that each goes.
        steps: u32 = 1000, Takes::whole("a number of cells", 1, 1_000_000_000);
        /// Chance at each step that it turns, by 45°.
        turn: f64 = 0.25, Takes::number("a chance", 0.0, 1.0);
        /// Direction in which it begins, and that it favours.
        heading: Option<Heading> = None, Takes::Word(&Heading::NAMES);
        /// Chance that a turn is one towards `heading`, if it does not go there.
        pull: f64 = 0.5, Takes::number("a chance", 0.0, 1.0);
        /// What it makes of the ground.
        dig: u8 = b'.', Takes::Letter(Letters::All);
        /// How far around it digs; below a cell it is one cell.
        radius: f64 = 0.0, Takes::number("a radius in metres", 0.0, 100.0);
        /// How much lower the ground gets where it digs, once there are heights.
        depth: f64 = 0.0, Takes::number("a depth in metres", -MAX_HEIGHT, MAX_HEIGHT);
        /// What it leaves on the cells beside a dug one.
        deposit: Option<u8> = None, Takes::Letter(Letters::All);
        /// Chance for each of the cells beside.
        share: f64 = 1.0, Takes::number("a chance", 0.0, 1.0);
    }
    beside {
        /// Places where they begin, in turn; `None`: in any cell of the region.
        pub start: Option<String> = None;
    }
}

define! {
    /// Rooms joined by corridors.
    pub struct Rooms {
        /// Rooms at most: so many times a room is tried.
        count: u32 = 40, Takes::whole("a number of rooms", 1, 2_000);
        /// Least gap between rooms, and to the edge of the map.
        gap: f64 = 2.0, Takes::number("a gap in metres", 0.0, 1000.0);
        /// Width of corridors.
        corridor: f64 = 2.0, Takes::number("a width in metres", 0.1, 100.0);
        /// Extra corridors, as a share of the rooms; all rooms are joined without them.
        loops: f64 = 0.2, Takes::number("a share of the rooms", 0.0, 10.0);
        /// What rooms are.
        floor: u8 = b'.', Takes::Letter(Letters::All);
        /// What corridors are, if not the same.
        passage: Option<u8> = None, Takes::Letter(Letters::All);
    }
    beside {
        /// Where rooms lie, whole. Corridors may leave it.
        pub region: Region = Region::default();
        /// Least and greatest side of a room in metres.
        pub size: [f64; 2] = [5.0, 14.0];
        /// Name under which the middles of the rooms become places.
        pub name: Option<String> = None;
    }
}

words! {
    /// How points are chosen.
    pub enum Method {
        /// By chance.
        Random = "random",
        /// Halton's sequence.
        Halton = "halton",
        /// Poisson disks.
        Poisson = "poisson",
    }
}

define! {
    /// Which points are taken.
    pub struct Placing {
        /// Points by chance, evenly by Halton's sequence, or as many as fit at a distance.
        method: Method = Method::Random;
        /// Least distance between two points; above 0 with `poisson`.
        spacing: f64 = 0.0, Takes::number("a distance in metres", 0.0, 16_384.0);
        /// Least distance to walls and to the map's edge.
        clearance: f64 = 0.0, Takes::number("a distance in metres", 0.0, 100.0);
        /// How far from one of the places of `near` points lie at most.
        reach: f64 = 50.0, Takes::number("a distance in metres", 0.1, 16_384.0);
    }
    beside {
        /// The cells that points lie in.
        pub region: Region = Region::default();
        /// Points at most. Poisson disks need none; the others try 30 times as many.
        pub count: Option<u32> = None;
        /// A layer: its value is the chance that a point stays.
        pub layer: Option<String> = None;
        /// A list of places, one of which must be in reach.
        pub near: Option<String> = None;
    }
}

/// What is painted at points.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamp {
    /// The letter.
    pub letter: u8,
    /// Whether it is a disc; else a rectangle.
    pub disc: bool,
    /// Least and greatest diameter, or sides, in metres.
    pub size: [f64; 2],
}

impl Stamp {
    /// One cell of a letter.
    pub fn of(letter: u8) -> Self {
        Self { letter, disc: true, size: [0.0, 0.0] }
    }
}

/// Named points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// Name of the list.
    pub name: String,
    /// How the points are chosen.
    pub placing: Placing,
    /// What is painted at each point.
    pub stamp: Option<Stamp>,
}

/// Things at points.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// How the points are chosen.
    pub placing: Placing,
    /// What is painted at each point.
    pub stamp: Stamp,
}

define! {
    /// Roads that join places.
    pub struct LayRoads {
        /// What roads are.
        letter: u8 = b'.', Takes::Letter(Letters::Open);
        /// How wide they are.
        width: f64 = 3.0, Takes::number("a width in metres", 0.1, 100.0);
        /// Extra roads; all places are joined without them.
        loops: u32 = 0, Takes::whole("a number of roads", 0, 1_000);
        /// Slope at which a road costs twice as much as on level ground.
        slope: f64 = 0.1, Takes::number("a slope", 0.001, 1000.0);
        /// What going along an earlier road costs, as a share of what it did.
        reuse: f64 = 0.5, Takes::number("a share of a cost", 0.0, 1.0);
        /// What a cell of a bridge costs.
        bridge_cost: f64 = 8.0, Takes::number("a cost, 1 for plain ground,", 0.0625, 15.9375);
    }
    beside {
        /// Name of the list of places.
        pub places: String = String::new();
        /// Walls that roads cross, and the letter of the bridge or tunnel.
        pub bridges: Vec<(u8, u8)> = Vec::new();
    }
}

define! {
    /// One open region: smaller ones are joined to the largest, the smallest filled.
    pub struct Connect {
        /// Open regions of at least so many cells are joined to the largest; smaller ones are filled.
        keep: u32 = 64, Takes::whole("a number of cells", 1, 67_108_864);
        /// What they are filled with.
        wall: u8 = b'@', Takes::Letter(Letters::Walls);
        /// What is dug to join regions, by as few walls as can be.
        floor: u8 = b'.', Takes::Letter(Letters::Open);
        /// How wide it is dug.
        width: f64 = 1.0, Takes::number("a width in metres", 0.1, 100.0);
    }
    beside {
        /// Walls that get another letter than `floor` where they are dug, and which: bridges.
        pub bridges: Vec<(u8, u8)> = Vec::new();
    }
}

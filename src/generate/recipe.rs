//! Recipes: the steps that make a map, and their numbers.
//!
//! Every number has a default, which [`Default`] gives; `docs/scenario.md` lists them all with their
//! ranges, which [`Recipe::problems`] checks.

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The cell's centre lies in one of these shapes; empty: anywhere.
    pub within: Vec<Shape>,
    /// The cell bears one of these letters; empty: any.
    pub on: Vec<u8>,
}

/// How a new layer is joined with an earlier one. The result is cut to 0..1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum How {
    /// Sum.
    Add,
    /// Product.
    #[default]
    Multiply,
    /// The greater.
    Max,
    /// The less.
    Min,
}

/// Gradient noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// Name of the new layer.
    pub layer: String,
    /// Size of the largest features in metres: the side of the first octave's lattice.
    pub scale: f64,
    /// Octaves that are added.
    pub octaves: u32,
    /// Weight of an octave, in that of the one before.
    pub gain: f64,
    /// Fineness of an octave, in that of the one before.
    pub lacunarity: f64,
    /// Points (x, y) of a transfer function from noise to layer; empty changes nothing.
    pub transfer: Vec<[f64; 2]>,
    /// An earlier layer and how it is joined with this one, after the transfer.
    pub with: Option<(String, How)>,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            layer: String::new(),
            scale: 64.0,
            octaves: 5,
            gain: 0.5,
            lacunarity: 2.0,
            transfer: Vec::new(),
            with: None,
        }
    }
}

/// Shape of a ramp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RampShape {
    /// From 0 at the edges of the map to 1 in the middle, round: 1 less the distance from the middle,
    /// in half the sides; 0 beyond.
    #[default]
    Disc,
    /// The same, as a pyramid.
    Square,
    /// From 0 on the left to 1 on the right.
    Right,
    /// From 0 at the top to 1 at the bottom.
    Down,
}

/// A layer that rises evenly over the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ramp {
    /// Name of the new layer.
    pub layer: String,
    /// Its shape.
    pub shape: RampShape,
    /// As in [`Noise`].
    pub transfer: Vec<[f64; 2]>,
    /// As in [`Noise`].
    pub with: Option<(String, How)>,
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

/// A cave: cells are wall or floor by chance, then by their neighbours.
#[derive(Clone, Debug, PartialEq)]
pub struct Cave {
    /// The cells of the cave. All outside counts as wall.
    pub region: Region,
    /// Share of walls before the first round.
    pub fill: f64,
    /// Counts of walls among the 8 neighbours with which a floor becomes a wall.
    pub birth: Vec<u8>,
    /// Counts with which a wall stays one.
    pub survive: Vec<u8>,
    /// Rounds.
    pub rounds: u32,
    /// Letter of walls.
    pub wall: u8,
    /// Letter of floors.
    pub floor: u8,
}

impl Default for Cave {
    fn default() -> Self {
        Self {
            region: Region::default(),
            fill: 0.45,
            birth: vec![5, 6, 7, 8],
            survive: vec![4, 5, 6, 7, 8],
            rounds: 5,
            wall: b'@',
            floor: b'.',
        }
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

/// A direction on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Up.
    North,
    /// To the right.
    East,
    /// Down.
    South,
    /// To the left.
    West,
}

/// One kind of walkers.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// Number of walkers.
    pub count: u32,
    /// Cells that each goes.
    pub steps: u32,
    /// Chance at every step that it turns by 45°.
    pub turn: f64,
    /// Direction in which it begins, and that it favours.
    pub heading: Option<Heading>,
    /// Chance that a turn is towards the favoured direction, if it does not go there.
    pub pull: f64,
    /// Places where they begin, in turn; `None`: in any cell of the region.
    pub start: Option<String>,
    /// Letter that it digs.
    pub dig: u8,
    /// Radius of what it digs in metres; below a cell it is one cell.
    pub radius: f64,
    /// How much lower the ground is where it digs, in metres.
    pub depth: f64,
    /// Letter that it leaves on cells beside those that it has dug.
    pub deposit: Option<u8>,
    /// Chance for each of the cells beside.
    pub share: f64,
}

impl Default for Walker {
    fn default() -> Self {
        Self {
            count: 1,
            steps: 1000,
            turn: 0.25,
            heading: None,
            pull: 0.5,
            start: None,
            dig: b'.',
            radius: 0.0,
            depth: 0.0,
            deposit: None,
            share: 1.0,
        }
    }
}

/// Rooms joined by corridors.
#[derive(Clone, Debug, PartialEq)]
pub struct Rooms {
    /// Where rooms lie, whole. Corridors may leave it.
    pub region: Region,
    /// Rooms at most: so many times a room is tried.
    pub count: u32,
    /// Least and greatest side of a room in metres.
    pub size: [f64; 2],
    /// Least gap between rooms, and to the map's edge, in metres.
    pub gap: f64,
    /// Width of corridors in metres.
    pub corridor: f64,
    /// Corridors beyond those that join all rooms, as a share of the rooms.
    pub loops: f64,
    /// Letter of rooms and corridors.
    pub floor: u8,
    /// Letter of corridors; `None`: that of rooms.
    pub passage: Option<u8>,
    /// Name under which the middles of the rooms become places.
    pub name: Option<String>,
}

impl Default for Rooms {
    fn default() -> Self {
        Self {
            region: Region::default(),
            count: 40,
            size: [5.0, 14.0],
            gap: 2.0,
            corridor: 2.0,
            loops: 0.2,
            floor: b'.',
            passage: None,
            name: None,
        }
    }
}

/// How points are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By chance.
    #[default]
    Random,
    /// Halton's sequence.
    Halton,
    /// Poisson disks.
    Poisson,
}

/// Which points are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Placing {
    /// How points are chosen.
    pub method: Method,
    /// The cells that points lie in.
    pub region: Region,
    /// Points at most. Poisson disks need none; the others try 30 times as many.
    pub count: Option<u32>,
    /// Least distance between two points in metres; above 0 for Poisson disks.
    pub spacing: f64,
    /// Least distance to walls and to the map's edge in metres.
    pub clearance: f64,
    /// A layer whose value is the chance that a point stays.
    pub layer: Option<String>,
    /// A list of places, one of which must be in reach.
    pub near: Option<String>,
    /// The reach in metres.
    pub reach: f64,
}

impl Default for Placing {
    fn default() -> Self {
        Self {
            method: Method::Random,
            region: Region::default(),
            count: None,
            spacing: 0.0,
            clearance: 0.0,
            layer: None,
            near: None,
            reach: 50.0,
        }
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

/// Roads that join places.
#[derive(Clone, Debug, PartialEq)]
pub struct LayRoads {
    /// Name of the list of places.
    pub places: String,
    /// Letter of roads.
    pub letter: u8,
    /// Their width in metres.
    pub width: f64,
    /// Roads beyond those that join all places.
    pub loops: u32,
    /// Slope at which a road costs twice as much as on level ground.
    pub slope: f64,
    /// What going along an earlier road costs, as a share of what it did.
    pub reuse: f64,
    /// Walls that roads cross, and the letter of the bridge or tunnel.
    pub bridges: Vec<(u8, u8)>,
    /// What a cell of a bridge costs, 1 for plain ground.
    pub bridge_cost: f64,
}

impl Default for LayRoads {
    fn default() -> Self {
        Self {
            places: String::new(),
            letter: b'.',
            width: 3.0,
            loops: 0,
            slope: 0.1,
            reuse: 0.5,
            bridges: Vec::new(),
            bridge_cost: 8.0,
        }
    }
}

/// One open region: smaller ones are joined to the largest, the smallest filled.
#[derive(Clone, Debug, PartialEq)]
pub struct Connect {
    /// Open regions of at least so many cells stay.
    pub keep: u32,
    /// Letter that smaller ones are filled with.
    pub wall: u8,
    /// Letter of what is dug.
    pub floor: u8,
    /// Width of what is dug in metres.
    pub width: f64,
    /// Walls that get another letter than `floor` where they are dug, and which: bridges.
    pub bridges: Vec<(u8, u8)>,
}

impl Default for Connect {
    fn default() -> Self {
        Self { keep: 64, wall: b'@', floor: b'.', width: 1.0, bridges: Vec::new() }
    }
}

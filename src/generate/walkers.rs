//! Walkers that dig and deposit.
//!
//! **Method.** Agents that walk at random and change the ground under them, as in Doran and Parberry,
//! "Controlled procedural terrain generation using software agents" (2010). All kinds walk together:
//! first every walker of the first kind takes a step, then those of the second, and so on, until each
//! has taken its steps. So one kind meets what another has left.
//!
//! A walker has one of eight directions and turns by 45°, so its way bends. A step goes to a cell beside;
//! along a diagonal the two ways that make it take turns, and what it digs is joined over sides.

use crate::generate::canvas::Done;
use crate::generate::{Canvas, GenerateError, Heading, Walker, Walkers};
use crate::math::{hash3, unit_f64};

/// Streams of random numbers of a walker.
const START: u64 = 0;
const TURN: u64 = 1;
const LEAVE: u64 = 2;

/// North, east, south, west: directions 0, 2, 4, 6.
const MOVES: [[i32; 2]; 4] = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/// A walker under way.
#[derive(Clone, Copy)]
struct State {
    /// Number among all walkers: its random numbers are of its own.
    id: u64,
    kind: usize,
    at: [u32; 2],
    way: usize,
}

impl Heading {
    fn way(self) -> usize {
        match self {
            Self::North => 0,
            Self::East => 2,
            Self::South => 4,
            Self::West => 6,
        }
    }
}

impl Walker {
    /// The direction next to one, by chance or towards the favoured one.
    fn direction(&self, way: usize, bits: u64) -> usize {
        let by_chance = if hash3(bits, TURN, 0) >> 63 == 0 { 1 } else { 7 };
        let by = match self.heading {
            Some(heading) if unit_f64(bits) < self.pull => match (heading.way() + 8 - way) % 8 {
                0 => 0,
                1..=3 => 1,
                4 => by_chance,
                _ => 7,
            },
            _ => by_chance,
        };
        (way + by) % 8
    }
}

impl Canvas {
    /// Lets walkers dig.
    pub(super) fn walkers(&mut self, walkers: &Walkers, seed: u64) -> Done {
        let mut mask = self.mask(&walkers.region);
        let (width, height) = (self.width as usize, self.height as usize);
        for (at, inside) in mask.iter_mut().enumerate() {
            let (x, y) = (at % width, at / width);
            *inside &= x > 0 && y > 0 && x + 1 < width && y + 1 < height;
        }
        let room: Vec<u32> = (0..mask.len() as u32).filter(|&at| mask[at as usize]).collect();
        if room.is_empty() {
            let wrong =
                "no cell is left for walkers, which stay off the outermost cells of the map";
            return Err(GenerateError::whole("kind", wrong, "a larger `within`, or other letters"));
        }
        let mut all = self.start(&walkers.walkers, &room, &mask, seed);
        let most = walkers.walkers.iter().map(|walker| walker.steps).max().unwrap_or(0);
        for step in 0..u64::from(most) {
            for state in &mut all {
                let walker = &walkers.walkers[state.kind];
                if step < u64::from(walker.steps) {
                    self.dig(walker, *state, &mask, seed, step);
                    self.go(walker, state, &mask, seed, step);
                }
            }
        }
        Ok(())
    }

    /// Where all walkers begin, kind by kind.
    fn start(&self, kinds: &[Walker], room: &[u32], mask: &[bool], seed: u64) -> Vec<State> {
        let mut all = Vec::new();
        for (kind, walker) in kinds.iter().enumerate() {
            let places = walker.start.as_ref().map(|name| {
                let points = self.known_place(name);
                points.iter().map(|&at| self.cell_at(at)).collect::<Vec<_>>()
            });
            for number in 0..u64::from(walker.count) {
                let id = (kind as u64) << 32 | number;
                let bits = hash3(seed, id, START);
                let cell = room[(unit_f64(bits) * room.len() as f64) as usize];
                let anywhere = [cell % self.width, cell / self.width];
                let at = match &places {
                    Some(places) if !places.is_empty() => places[number as usize % places.len()],
                    _ => anywhere,
                };
                let at = if mask[self.index(at)] { at } else { anywhere };
                let way = match walker.heading {
                    Some(heading) => heading.way(),
                    None => (bits & 7) as usize,
                };
                all.push(State { id, kind, at, way });
            }
        }
        all
    }

    /// Digs where a walker stands, and leaves something on what is beside.
    fn dig(&mut self, walker: &Walker, state: State, mask: &[bool], seed: u64, step: u64) {
        let (width, radius) = (self.width as usize, walker.radius / self.cell);
        let mut dug = Vec::new();
        let depth = if self.heights.is_empty() { 0.0 } else { walker.depth as f32 };
        let around = self.disc(state.at, radius);
        for at in around {
            if mask[at] && self.letters[at] != walker.dig {
                self.letters[at] = walker.dig;
                if depth != 0.0 {
                    self.heights[at] -= depth;
                }
                dug.push(at);
            }
        }
        let Some(letter) = walker.deposit else { return };
        for at in dug {
            for (side, other) in [at - width, at + 1, at + width, at - 1].into_iter().enumerate() {
                let free = mask[other] && self.letters[other] != walker.dig;
                let bits = hash3(seed, state.id, step << 32 | (other as u64) << 2 | side as u64);
                if free && unit_f64(hash3(bits, LEAVE, step)) < walker.share {
                    self.letters[other] = letter;
                }
            }
        }
    }

    /// A step of a walker, in another direction where it cannot go on.
    fn go(&self, walker: &Walker, state: &mut State, mask: &[bool], seed: u64, step: u64) {
        let bits = hash3(seed, state.id, step << 2 | TURN);
        if unit_f64(bits) < walker.turn {
            state.way = walker.direction(state.way, hash3(bits, TURN, 1));
        }
        // At the rim of the region it turns right until it can go.
        for turn in 0..8 {
            let way = (state.way + turn) % 8;
            let part = if step.is_multiple_of(2) { way / 2 } else { way.div_ceil(2) % 4 };
            let [dx, dy] = MOVES[part];
            let next = [state.at[0].wrapping_add_signed(dx), state.at[1].wrapping_add_signed(dy)];
            if mask[self.index(next)] {
                state.way = way;
                state.at = next;
                return;
            }
        }
    }
}

//! Which cells are joined by a way, kept up to date when cells change.
//!
//! The raster is cut into squares of [`SIDE`] cells. Inside a square, a piece is a 4-connected set
//! of cells; pieces of neighbouring squares that touch are joined. A component is a set of joined
//! pieces, so a change of some cells labels only their squares again and then joins all pieces anew,
//! of which there are few.

use crate::data::sets;

/// Cells to a side of a square.
const SIDE: u32 = 32;

/// The pieces of one square.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Square {
    /// Cells of every piece.
    cells: Vec<u32>,
    /// Own pieces and the pieces of the square to the right, or below, that they touch.
    right: Vec<(u16, u16)>,
    below: Vec<(u16, u16)>,
}

/// The components of a padded raster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Components {
    stride: u32,
    rows: u32,
    /// Squares to a row of squares.
    wide: u32,
    /// Piece of every cell within its square, from 1; 0 is impassable.
    pieces: Vec<u16>,
    squares: Vec<Square>,
    /// First piece of every square among all pieces.
    first: Vec<u32>,
    /// Component of every piece, from 1 in the order of their first pieces.
    of_piece: Vec<u32>,
    /// Cells of every component; of 0 none.
    sizes: Vec<u32>,
    stack: Vec<u32>,
}

impl Components {
    /// The components of the cells whose slowness is not 0.
    pub(super) fn new(slowness: &[u8], stride: u32) -> Self {
        let rows = slowness.len() as u32 / stride;
        let (wide, high) = (stride.div_ceil(SIDE), rows.div_ceil(SIDE));
        let mut all = Self {
            stride,
            rows,
            wide,
            pieces: vec![0; slowness.len()],
            squares: vec![Square::default(); (wide * high) as usize],
            first: Vec::new(),
            of_piece: Vec::new(),
            sizes: Vec::new(),
            stack: Vec::new(),
        };
        for square in 0..wide * high {
            all.label(square, slowness);
        }
        for square in 0..wide * high {
            all.link(square);
        }
        all.join();
        all
    }

    /// Takes on what has changed about some cells, in any order.
    pub(super) fn repair(&mut self, slowness: &[u8], changed: impl Iterator<Item = u32>) {
        let squares = sets::distinct(changed.map(|cell| self.square_of(cell)));
        for &square in &squares {
            self.label(square, slowness);
        }
        let beside = |&square: &u32| {
            let left = (!square.is_multiple_of(self.wide)).then(|| square - 1);
            [Some(square), left, square.checked_sub(self.wide)]
        };
        let touched = sets::distinct(squares.iter().flat_map(beside).flatten());
        for square in touched {
            self.link(square);
        }
        if !squares.is_empty() {
            self.join();
        }
    }

    fn square_of(&self, cell: u32) -> u32 {
        cell / self.stride / SIDE * self.wide + cell % self.stride / SIDE
    }

    /// First column and row of a square, and the ones after its last.
    fn bounds(&self, square: u32) -> [u32; 4] {
        let (left, top) = (square % self.wide * SIDE, square / self.wide * SIDE);
        [left, top, (left + SIDE).min(self.stride), (top + SIDE).min(self.rows)]
    }

    /// Finds the pieces of a square.
    fn label(&mut self, square: u32, slowness: &[u8]) {
        let [left, top, right, bottom] = self.bounds(square);
        let stride = self.stride;
        for row in top..bottom {
            let row = (row * stride) as usize;
            self.pieces[row + left as usize..row + right as usize].fill(0);
        }
        let mut counts = std::mem::take(&mut self.squares[square as usize].cells);
        counts.clear();
        for start in (top..bottom).flat_map(|y| (left..right).map(move |x| y * stride + x)) {
            if slowness[start as usize] == 0 || self.pieces[start as usize] != 0 {
                continue;
            }
            let piece = counts.len() as u16 + 1;
            let mut cells = 0;
            self.pieces[start as usize] = piece;
            self.stack.push(start);
            while let Some(cell) = self.stack.pop() {
                cells += 1;
                let (x, y) = (cell % stride, cell / stride);
                let inside = [y > top, x > left, x + 1 < right, y + 1 < bottom];
                let sides = [-(stride as i32), -1, 1, stride as i32];
                for (side, _) in sides.into_iter().zip(inside).filter(|(_, inside)| *inside) {
                    let other = cell.wrapping_add_signed(side);
                    if slowness[other as usize] != 0 && self.pieces[other as usize] == 0 {
                        self.pieces[other as usize] = piece;
                        self.stack.push(other);
                    }
                }
            }
            counts.push(cells);
        }
        self.squares[square as usize].cells = counts;
    }

    /// Finds which pieces of a square touch which to the right and below.
    fn link(&mut self, square: u32) {
        let [left, top, right, bottom] = self.bounds(square);
        let Square { right: mut to_right, below: mut to_below, cells } =
            std::mem::take(&mut self.squares[square as usize]);
        to_right.clear();
        to_below.clear();
        let pieces = &self.pieces;
        let pair = |list: &mut Vec<(u16, u16)>, from: u32, to: u32| {
            let pair = (pieces[from as usize], pieces[to as usize]);
            if pair.0 != 0 && pair.1 != 0 && list.last() != Some(&pair) {
                list.push(pair);
            }
        };
        if right < self.stride {
            let column = right - 1;
            (top..bottom).map(|y| y * self.stride + column).for_each(|cell| {
                pair(&mut to_right, cell, cell + 1);
            });
        }
        if bottom < self.rows {
            let row = (bottom - 1) * self.stride;
            (left..right).map(|x| row + x).for_each(|cell| {
                pair(&mut to_below, cell, cell + self.stride);
            });
        }
        self.squares[square as usize] = Square { right: to_right, below: to_below, cells };
    }

    /// Joins all pieces that touch, and numbers the components.
    fn join(&mut self) {
        self.first.clear();
        let mut count = 0;
        for square in &self.squares {
            self.first.push(count);
            count += square.cells.len() as u32;
        }
        // The piece that each piece is joined to, never a later one: the first one stays.
        let parents = &mut self.of_piece;
        parents.clear();
        parents.extend(0..count);
        for (index, square) in self.squares.iter().enumerate() {
            let own = self.first[index];
            let sides = [(&square.right, index + 1), (&square.below, index + self.wide as usize)];
            for (links, other) in sides {
                for &(a, b) in links {
                    let b = self.first[other] + u32::from(b) - 1;
                    sets::join(parents, own + u32::from(a) - 1, b);
                }
            }
        }
        self.sizes.clear();
        self.sizes.push(0);
        let cells = self.squares.iter().flat_map(|square| &square.cells);
        for (piece, &cells) in cells.enumerate() {
            // Pieces before this one hold their component already.
            let parent = parents[piece] as usize;
            let component = if parent == piece {
                self.sizes.push(0);
                self.sizes.len() as u32 - 1
            } else {
                parents[parent]
            };
            parents[piece] = component;
            self.sizes[component as usize] += cells;
        }
    }

    /// The component of a cell; 0 where it is impassable or off the raster.
    pub(super) fn of(&self, cell: u32) -> u32 {
        match self.pieces.get(cell as usize) {
            None | Some(0) => 0,
            Some(&piece) => {
                let first = self.first[self.square_of(cell) as usize];
                self.of_piece[(first + u32::from(piece)) as usize - 1]
            }
        }
    }

    /// Cells of every component, from 1; the first entry is 0.
    pub(super) fn sizes(&self) -> &[u32] {
        &self.sizes
    }
}

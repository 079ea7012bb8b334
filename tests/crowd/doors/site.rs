//! Two halls with a wall between them and a door in it, on cells of any size.

use crate::common::stage::distance;
use throng::map::Map;
use throng::map::area::Shape;

/// Sizes of cells, in metres.
pub(crate) const CELLS: [f64; 9] = [0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 1.0, 2.0];

/// Sides of the map, in metres, before they are rounded up to cells.
const SIDES: [f64; 2] = [17.0, 12.0];

/// Which way the wall runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    AlongX,
    AlongY,
    /// In steps of a cell.
    Diagonal,
}

/// Where the door is and how thick the wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) cell: f64,
    pub(crate) way: Way,
    /// Cells of the door, across it.
    pub(crate) door: u32,
    /// Thickness of the wall in metres, rounded up to cells; one cell at least.
    pub(crate) thick: f64,
    /// Whether the door is near an end of the wall.
    pub(crate) aside: bool,
}

/// A map and what there is to know about it, in metres.
pub(crate) struct Site {
    pub(crate) map: Map,
    /// The middle of the door.
    pub(crate) door: [f64; 2],
    /// Twenty places to start from, on one side of the wall.
    pub(crate) starts: Vec<[f64; 2]>,
    pub(crate) goal: Vec<Shape>,
    /// Whether the wall runs along x or diagonally, and the coordinate (or x + y) right behind the door.
    turned: bool,
    diagonal: bool,
    behind: f64,
}

impl Site {
    pub(crate) fn new(plan: Plan) -> Self {
        match plan.way {
            Way::Diagonal => Self::diagonal(plan),
            way => Self::straight(plan, way == Way::AlongX),
        }
    }

    /// A wall along y, or along x where everything is `turned`.
    fn straight(plan: Plan, turned: bool) -> Self {
        let Plan { cell, door, .. } = plan;
        let [wide, high] = SIDES.map(|side| (side / cell).ceil() as u32);
        let first = (6.0 / cell).ceil() as u32;
        let last = first + ((plan.thick / cell).ceil() as u32).max(1);
        let low = if plan.aside { (1.0 / cell).ceil() as u32 } else { (high - door) / 2 };
        let open = |x: u32, y: u32| !(first..last).contains(&x) || (low..low + door).contains(&y);
        let (columns, rows) = if turned { (high, wide) } else { (wide, high) };
        let mut cells = Vec::new();
        for y in 0..rows {
            cells.extend((0..columns).map(|x| if turned { open(y, x) } else { open(x, y) }));
        }
        let cells: Vec<u8> = cells.into_iter().map(|open| if open { 16 } else { 0 }).collect();
        let turn = |[x, y]: [f64; 2]| if turned { [y, x] } else { [x, y] };
        let [near, far] = [first, last].map(|column| f64::from(column) * cell);
        let middle = [(near + far) / 2.0, (f64::from(low) + f64::from(door) / 2.0) * cell];
        let bottom = f64::from(high) * cell;
        // Four columns, the last of them nearly at the wall.
        let column = |i: u32| 0.6 + f64::from(i) * (near - 1.05) / 3.0;
        let row = |j: u32| 0.65 + f64::from(j) * (bottom - 1.3) / 4.0;
        let starts = (0..20).map(|i| turn([column(i / 5), row(i % 5)])).collect();
        let right = f64::from(wide) * cell;
        let [min, max] = [turn([far + 1.5, 1.0]), turn([right.max(far + 4.0), bottom - 1.0])];
        Self {
            map: Map::from_slowness(columns, rows, cell, &cells),
            door: turn(middle),
            starts,
            goal: vec![Shape::Rect { min, max }],
            turned,
            diagonal: false,
            behind: far,
        }
    }

    /// A wall from one corner to the other, two cells thick as steps go.
    fn diagonal(plan: Plan) -> Self {
        let Plan { cell, door, .. } = plan;
        let side = (12.0 / cell).ceil() as u32 / 2 * 2 + 1;
        let wall = |x: u32, y: u32| (side - 1..=side).contains(&(x + y)) && x.abs_diff(y) >= door;
        let mut cells = Vec::new();
        for y in 0..side {
            cells.extend((0..side).map(|x| if wall(x, y) { 0 } else { 16 }));
        }
        let whole = f64::from(side) * cell;
        // Twenty places in the triangle up left of the wall.
        let places = (0..6).flat_map(|i| (0..6 - i).map(move |j| [f64::from(i), f64::from(j)]));
        let place = |[i, j]: [f64; 2]| [0.7 + 0.125 * i * whole, 0.7 + 0.125 * j * whole];
        let (low, high) = (0.72 * whole, whole - 0.5);
        Self {
            map: Map::from_slowness(side, side, cell, &cells),
            door: [whole / 2.0; 2],
            starts: places.map(place).take(20).collect(),
            goal: vec![Shape::Rect { min: [low, low], max: [high, high] }],
            turned: false,
            diagonal: true,
            behind: whole + 2.0 * cell,
        }
    }

    /// Whether a disc's centre is through the door by a metre.
    pub(crate) fn is_through(&self, [x, y]: [f64; 2]) -> bool {
        if self.diagonal {
            x + y > self.behind + 1.4
        } else {
            (if self.turned { y } else { x }) > self.behind + 1.0
        }
    }

    /// Metres from a start to a metre behind the door.
    pub(crate) fn walk(&self, start: [f64; 2]) -> f64 {
        let out = if self.diagonal {
            1.4 + 2.0 * self.map.cell_size()
        } else {
            1.0 + self.behind - self.door[usize::from(self.turned)]
        };
        distance(start, self.door) + out
    }
}

//! How deep agents press into walls.

use crate::map::Map;
use crate::math::each::Each;
use crate::par;
use crate::report::Crowd;
use crate::report::measures::CONTACT;

/// How agents' discs overlap walls at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WallContact {
    /// The deepest overlap of a disc with a wall, metres; a centre inside a wall counts as the radius.
    pub max_depth_m: f64,
    /// Agents whose disc overlaps a wall by more than [`CONTACT`].
    pub agents: u64,
    /// Agents whose centre is in a wall, off the map or not finite.
    pub inside: u64,
}

impl WallContact {
    fn join(self, other: Self) -> Self {
        Self {
            max_depth_m: self.max_depth_m.max(other.max_depth_m),
            agents: self.agents + other.agents,
            inside: self.inside + other.inside,
        }
    }
}

/// Overlaps of all agents with walls; what is off the map is wall. Does not depend on the order of
/// rows nor on threads.
pub fn wall_contact(crowd: &Crowd, map: &Map) -> WallContact {
    crowd.check();
    let one = |row: usize| {
        contact(map, crowd.positions[row].each(f64::from), f64::from(crowd.radius(row)))
    };
    let join = |rows: &mut dyn Iterator<Item = WallContact>| {
        rows.fold(WallContact::default(), WallContact::join)
    };
    let parts = par::runs(crowd.len(), 1 << 12, |rows| join(&mut rows.map(one)));
    join(&mut parts.into_iter())
}

fn contact(map: &Map, [x, y]: [f64; 2], radius: f64) -> WallContact {
    let cell = map.cell_at(x, y).filter(|&cell| map.slowness()[cell as usize] > 0);
    let Some(cell) = cell else {
        return WallContact { max_depth_m: radius, agents: 1, inside: 1 };
    };
    // The centre is at most 0.71 cells from its cell's, for which the distance is known.
    let known = f64::from(map.wall_distance()[cell as usize]) / 256.0 - 0.71;
    if known * map.cell_size() >= radius {
        return WallContact::default();
    }
    let depth = radius - wall_distance(map, [x, y], radius);
    if depth <= CONTACT {
        return WallContact::default();
    }
    WallContact { max_depth_m: depth, agents: 1, inside: 0 }
}

/// The distance from a point on open ground to the nearest wall, or `reach` if that is less.
fn wall_distance(map: &Map, [x, y]: [f64; 2], reach: f64) -> f64 {
    let size = map.cell_size();
    let cells = |at: f64, count: u32| {
        let first = ((at - reach) / size).floor().max(-1.0) as i64;
        first..=((at + reach) / size).floor().min(f64::from(count)) as i64
    };
    // From a coordinate to a row or column of cells.
    let gap = |at: f64, cell: i64| {
        let near = cell as f64 * size;
        (near - at).max(at - near - size).max(0.0)
    };
    let mut least = reach * reach;
    for row in cells(y, map.height()) {
        let dy = gap(y, row);
        for column in cells(x, map.width()) {
            // The raster has one cell of padding, which is wall.
            let index = (row + 1) * i64::from(map.stride()) + column + 1;
            let dx = gap(x, column);
            let square = dx * dx + dy * dy;
            if square < least && map.slowness()[index as usize] == 0 {
                least = square;
            }
        }
    }
    least.sqrt()
}

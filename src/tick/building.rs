//! Building and demolishing: cells become walls or open, and agents in the way are moved out.
//!
//! An agent inside a new wall goes to the nearest open cell, found by a flood of the new walls from
//! their edge; an agent without a way out through them goes to the nearest open cell of all.

use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::map::{Ground, Map, Window, area};
use crate::math::each::Each;
use crate::math::{hash2, unit_f64};
use crate::world::{Guidance, Refusal, World, state};

/// Makes walls, and says how many agents had to move.
pub(super) fn build<N: Numbers>(world: &mut World<N>, shapes: &[Shape]) -> Result<u32, Refusal> {
    raise(world, shapes).map(|(_, moved)| moved)
}

/// Makes walls: their cells, as ascending padded indices, and how many agents had to move.
pub(super) fn raise<N: Numbers>(
    world: &mut World<N>,
    shapes: &[Shape],
) -> Result<(Vec<u32>, u32), Refusal> {
    let mut cells = area::cells(&world.ground.map, shapes);
    cells.retain(|&cell| world.ground.map.slowness()[cell as usize] != 0);
    if !cells.is_empty() {
        leaves_ground(world, &cells)?;
    }
    let changed: Vec<_> = cells.iter().map(|&cell| (cell, Ground::WALL)).collect();
    change(world, &changed, "open cell")?;
    let moved = clear(world, &cells);
    Ok((cells, moved))
}

/// Refuses walls on cells (padded indices, ascending) that leave no open ground.
pub(super) fn leaves_ground<N: Numbers>(world: &World<N>, cells: &[u32]) -> Result<(), Refusal> {
    let slowness = world.ground.solid().slowness();
    let open = slowness.iter().filter(|&&slowness| slowness != 0).count();
    let built = cells.iter().filter(|&&cell| slowness[cell as usize] != 0).count();
    match open == built {
        true => Err(Refusal::NoSuchMap("no open ground would be left".to_owned())),
        false => Ok(()),
    }
}

/// Moves agents and anchors out of new walls (padded indices, ascending), and says how many agents.
pub(super) fn clear<N: Numbers>(world: &mut World<N>, walls: &[u32]) -> u32 {
    let exits = Exits::new(world.ground.solid(), walls);
    let moved = move_out(world, &exits);
    move_anchors(world, &exits);
    moved
}

/// Takes walls down.
pub(super) fn demolish<N: Numbers>(world: &mut World<N>, shapes: &[Shape]) -> Result<u32, Refusal> {
    let mut cells = area::cells(&world.ground.map, shapes);
    cells.retain(|&cell| world.ground.map.slowness()[cell as usize] == 0);
    take_down(world, cells).map(|()| 0)
}

/// Takes down the walls of some cells (padded indices, ascending), walls of structures included.
pub(super) fn take_down<N: Numbers>(world: &mut World<N>, cells: Vec<u32>) -> Result<(), Refusal> {
    let before = |cell: u32| match world.ground.given_map.ground(cell) {
        Ground { slowness: 0, .. } => Ground::PLAIN,
        ground => ground,
    };
    let changed: Vec<_> = cells.iter().map(|&cell| (cell, before(cell))).collect();
    change(world, &changed, "wall")?;
    world.structures.undermine(&cells, world.log.tick);
    Ok(())
}

/// Changes cells of an area of which `what` is there to change.
fn change<N: Numbers>(
    world: &mut World<N>,
    cells: &[(u32, Ground)],
    what: &str,
) -> Result<(), Refusal> {
    if cells.is_empty() {
        return Err(Refusal::NothingChanges(format!("there is no {what} in the area")));
    }
    world.change_map(cells).map_err(|error| Refusal::NoSuchMap(error.to_string()))
}

/// No cell.
const NONE: u32 = u32::MAX;

/// The way out of new walls.
struct Exits {
    window: Window,
    stride: u32,
    /// For every cell of the window, the open cell outside that is nearest through new walls.
    nearest: Vec<u32>,
}

impl Exits {
    /// Floods new walls (padded indices, ascending) from the open cells around them.
    fn new(map: &Map, walls: &[u32]) -> Self {
        let stride = map.stride();
        let all = Window::all(map.slowness().len() as u32, stride);
        let window = Window::around(walls, stride).grow(1).within(all);
        let mut exits = Self { window, stride, nearest: vec![NONE; window.cell_count()] };
        let around = |cell: u32| {
            let (up, down) = (cell - stride, cell + stride);
            [up, cell - 1, cell + 1, down, up - 1, up + 1, down - 1, down + 1]
        };
        let mut wave: Vec<u32> = Vec::new();
        for &wall in walls {
            let open = |&cell: &u32| map.slowness()[cell as usize] != 0;
            if let Some(exit) = around(wall).into_iter().find(open) {
                let place = exits.place(wall);
                exits.nearest[place] = exit;
                wave.push(wall);
            }
        }
        let mut next = 0;
        while let Some(&from) = wave.get(next) {
            next += 1;
            let exit = exits.nearest[exits.place(from)];
            for cell in around(from) {
                if walls.binary_search(&cell).is_ok() && exits.nearest[exits.place(cell)] == NONE {
                    let place = exits.place(cell);
                    exits.nearest[place] = exit;
                    wave.push(cell);
                }
            }
        }
        exits
    }

    fn place(&self, cell: u32) -> usize {
        let [x, y] = [cell % self.stride, cell / self.stride];
        ((y - self.window.min[1]) * self.window.width() + x - self.window.min[0]) as usize
    }

    /// The open cell to which agents in this cell have to go; `None` where it is open.
    fn of(&self, map: &Map, cell: u32) -> Option<u32> {
        if map.slowness()[cell as usize] != 0 {
            return None;
        }
        let inside = self.window.contains(cell, self.stride);
        let known = inside.then(|| self.nearest[self.place(cell)]).filter(|&exit| exit != NONE);
        Some(known.unwrap_or_else(|| nearest_open(map, cell)))
    }
}

/// The open cell nearest to a cell; of several the first. There is one.
fn nearest_open(map: &Map, from: u32) -> u32 {
    let (x, y) = map.cell(from);
    let [width, height] = [i64::from(map.width()), i64::from(map.height())];
    let (x, y) = (i64::from(x), i64::from(y));
    let mut best: Option<(i64, u32)> = None;
    for ring in 1..width.max(height) {
        if best.is_some_and(|(square, _)| square < ring * ring) {
            break;
        }
        for j in (y - ring).max(0)..=(y + ring).min(height - 1) {
            let step = if (j - y).abs() == ring { 1 } else { 2 * ring };
            let columns = (x - ring..=x + ring).step_by(step as usize);
            for i in columns.filter(|i| (0..width).contains(i)) {
                let cell = map.index(i as u32, j as u32);
                if map.slowness()[cell as usize] != 0 {
                    let found = ((i - x) * (i - x) + (j - y) * (j - y), cell);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
    }
    best.expect("some ground is open").1
}

/// Where in an open cell an agent from a point ends: as near to the point as it may, or, from farther
/// than the next cell, anywhere, so that many agents do not end on one spot.
fn landing(map: &Map, from: [f64; 2], exit: u32, id: u32) -> [f64; 2] {
    let (i, j) = map.cell(exit);
    let size = map.cell_size();
    let far = [i, j]
        .into_iter()
        .zip(from)
        .any(|(cell, at)| ((at / size).floor() - f64::from(cell)).abs() > 1.0);
    let place = |axis: usize| {
        let low = f64::from([i, j][axis]) * size;
        let share = match far {
            true => unit_f64(hash2(u64::from(id), axis as u64)) * 0.75 + 0.125,
            false => ((from[axis] - low) / size).clamp(0.125, 0.875),
        };
        low + share * size
    };
    [place(0), place(1)]
}

/// Moves out agents that are inside walls, and counts them.
fn move_out<N: Numbers>(world: &mut World<N>, exits: &Exits) -> u32 {
    let mut moved = 0;
    for row in 0..world.len() {
        let ground = world.ground.open_cells();
        let [i, j] = ground.cell(world.agents.rows.pos[row]);
        if ground.is_open([i, j]) {
            continue;
        }
        let cell = j as u32 * world.ground.map.stride() + i as u32;
        let Some(exit) = exits.of(world.ground.solid(), cell) else { continue };
        let tag = &mut world.agents.rows.tag[row];
        let from = world.agents.rows.pos[row].each(N::to_f64);
        world.agents.rows.pos[row] =
            landing(&world.ground.map, from, exit, tag.id).each(N::from_f64);
        let stands = world.groups.traits[usize::from(tag.group)].guidance == Guidance::Stand;
        if stands || tag.state & state::SETTLED != 0 {
            tag.state |= state::HOMELESS;
        }
        moved += 1;
    }
    moved
}

/// Moves the anchors of companies out too.
fn move_anchors<N: Numbers>(world: &mut World<N>, exits: &Exits) {
    let map = world.ground.solid();
    for (index, company) in (0_u32..).zip(&mut world.groups.companies) {
        let Some(anchor) = &mut company.anchor else { continue };
        let from = anchor.pos.each(N::to_f64);
        let exit = map.cell_at(from[0], from[1]).and_then(|cell| exits.of(map, cell));
        if let Some(exit) = exit {
            anchor.pos = landing(map, from, exit, index).each(N::from_f64);
        }
    }
}

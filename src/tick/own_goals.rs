//! Goals of their own for many agents at once.
//!
//! Goals that lie together on open ground share a field, which leads into the box around them; in it
//! each agent sees its own goal and walks straight there. The boxes are found by halving: a box with a
//! wall in it, or a large one, is cut where half of its goals lie to each side.

use crate::data::number::plural;
use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::map::{Clearance, Map};
use crate::math::each::Each;
use crate::tick::detachments::{bases, check_room, detachment, join};
use crate::tick::sending;
use crate::world::{Goal, Refusal, World};

/// Longest side of a box, in metres.
const LONGEST: f64 = 40.0;

/// An agent's row, and where it is to go.
type Sent = (usize, [f64; 2]);

/// Agents of one group with goals in one box.
struct Party {
    base: u16,
    agents: Vec<Sent>,
    /// First and last column and row of cells.
    cells: [[u32; 2]; 2],
}

/// Sends every agent to a goal of its own.
pub(super) fn send<N: Numbers>(
    world: &mut World<N>,
    rows: &[usize],
    to: &[[f64; 2]],
) -> Result<(), Refusal> {
    if to.len() != rows.len() {
        let why = plural(to.len() as u64, "goal") + " for " + &plural(rows.len() as u64, "agent");
        return Err(Refusal::NoSuchPlace(why));
    }
    // All of it is checked before any of it is done.
    let mut parties = Vec::new();
    for base in bases(world, rows)? {
        let all = rows.iter().copied().zip(to.iter().copied());
        let own: Vec<Sent> = all
            .filter(|&(row, _)| world.base_group(world.agents.rows.tag[row].group) == base)
            .collect();
        let class = &world.ground.classes[usize::from(world.groups.list[usize::from(base)].class)];
        for &(row, at) in &own {
            let cell = world.cell_to_stand_in(row, at)?;
            if !world.any_can_reach(base, &[cell], std::iter::once(row)) {
                return Err(Refusal::Unreachable);
            }
        }
        split(&world.ground.map, class, base, own, &mut parties);
    }
    check_room(world, parties.len())?;
    parties.into_iter().try_for_each(|party| go(world, &party))
}

/// Cuts agents into parties: the goals of one party see each other.
fn split(map: &Map, class: &Clearance, base: u16, mut agents: Vec<Sent>, found: &mut Vec<Party>) {
    let Some(cells) = bounds(map, &agents) else { return };
    let [[left, top], [right, bottom]] = cells;
    let sides = [right - left, bottom - top].each(|cells| f64::from(cells) * map.cell_size());
    let is_open = || {
        (top..=bottom).all(|j| {
            let row = (j * map.stride()) as usize;
            let row = &class.slowness()[row + left as usize..=row + right as usize];
            row.iter().all(|&slowness| slowness > 0)
        })
    };
    if left == right && top == bottom || sides.iter().all(|&side| side <= LONGEST) && is_open() {
        found.push(Party { base, agents, cells });
        return;
    }
    let axis = usize::from(sides[1] > sides[0]);
    // Agents stay in their order where goals are level, and none of one cell are parted.
    agents.sort_by(|(_, a), (_, b)| a[axis].total_cmp(&b[axis]));
    let column = |&(_, at): &Sent| (at[axis] / map.cell_size()).floor();
    let middle = column(&agents[agents.len() / 2]);
    let first = column(&agents[0]);
    let cut = agents.partition_point(|sent| match middle > first {
        true => column(sent) < middle,
        false => column(sent) <= middle,
    });
    let rest = agents.split_off(cut);
    split(map, class, base, agents, found);
    split(map, class, base, rest, found);
}

/// The cells of the box around the goals of some agents.
fn bounds(map: &Map, agents: &[Sent]) -> Option<[[u32; 2]; 2]> {
    let cell = |&(_, [x, y]): &Sent| {
        let (i, j) = map.cell(map.cell_at(x, y)?);
        Some([i + 1, j + 1])
    };
    agents.iter().filter_map(cell).fold(None, |bounds, cell| {
        let [low, high] = bounds.unwrap_or([cell; 2]);
        let pick = |by: fn(u32, u32) -> u32, to: [u32; 2]| [0, 1].each(|i| by(to[i], cell[i]));
        Some([pick(u32::min, low), pick(u32::max, high)])
    })
}

/// Sends a party, in a detachment of its own.
fn go<N: Numbers>(world: &mut World<N>, party: &Party) -> Result<(), Refusal> {
    let rows: Vec<usize> = party.agents.iter().map(|&(row, _)| row).collect();
    let index = detachment(world, party.base, &rows)?;
    let places: Vec<[N; 2]> = party.agents.iter().map(|(_, at)| at.each(N::from_f64)).collect();
    if goes_there(world, index, &rows, &places) {
        return Ok(());
    }
    join(world, index, &rows);
    let (cells, shapes) = area(&world.ground.map, party);
    let goal = Goal::of_each(shapes, places);
    if let Err(refusal) = sending::head_for(world, index, cells, goal.clone()) {
        // There is no memory for the field.
        join(world, party.base, &rows);
        return Err(refusal);
    }
    world.groups.list[usize::from(index)].goal = Some(goal);
    for (place, &row) in rows.iter().enumerate() {
        let id = world.agents.rows.tag[row].id;
        world.agents.place_of[id as usize] = place as u32;
    }
    Ok(())
}

/// Whether each of some agents of a group goes to its very place already.
fn goes_there<N: Numbers>(world: &World<N>, index: u16, rows: &[usize], to: &[[N; 2]]) -> bool {
    let goal = world.groups.list[usize::from(index)].goal.as_ref().filter(|goal| goal.each);
    let place = |row: usize| world.agents.place_of[world.agents.rows.tag[row].id as usize] as usize;
    goal.is_some_and(|goal| {
        let is_same = |(&row, to): (&usize, &[N; 2])| {
            world.agents.rows.tag[row].group == index && goal.places.get(place(row)) == Some(to)
        };
        rows.iter().zip(to).all(is_same)
    })
}

/// The cells of a party's box, led to by way of its goals, and the box in metres.
fn area(map: &Map, party: &Party) -> (GoalCells, Vec<Shape>) {
    let [low, high] = party.cells;
    let rows = low[1]..=high[1];
    let area = rows.flat_map(|j| (low[0]..=high[0]).map(move |i| j * map.stride() + i)).collect();
    let seeds = party.agents.iter().filter_map(|(_, [x, y])| map.cell_at(*x, *y)).collect();
    let at = |cell: u32| f64::from(cell) * map.cell_size();
    let shape = Shape::rect(low.each(|cell| at(cell - 1)), high.each(at));
    (GoalCells::new(seeds, area), vec![shape])
}

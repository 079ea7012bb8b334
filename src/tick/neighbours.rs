//! Neighbours: the push and the overlap that everybody feels.

use crate::kernel::separate;
use crate::kernel::separate::Block;
use crate::kernel::separate::Neighbours;
use crate::kernel::separate::Sums;
use crate::lane::Lane;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::space::Query;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::world::World;

pub(super) fn run<L: Lane>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    let alike = all_alike(world);
    if !alike {
        fill_sizes(world, scratch);
    }
    let Scratch { grid, push, contact, sizes, .. } = scratch;
    let (pos, tags) = (world.agents.pos.padded(), world.agents.tag.padded());
    let sizes: &[[L::Num; 2]] = if alike { &[] } else { sizes.padded() };
    let most = world.groups.iter().filter(|g| g.members > 0).map(|g| g.def.reach());
    let most = L::Num::from_f64(most.fold(0.0, f64::max));
    let grid = &*grid;
    par::bands(grid.bands(), (&mut push[..], &mut contact[..]), &|band, first, (push, contact)| {
        for row in grid.band_rows(band) {
            let agents = grid.row_agents(row);
            let mut start = agents.start;
            while start < agents.end {
                let count = L::WIDTH.min(agents.end - start);
                let cast = Cast::new(&tags[start..start + L::WIDTH], &world.traits);
                let block = block::<L>(&pos[start..], &cast);
                let query = query::<L>(&pos[start..start + count], &block, most, count);
                let mut sums = Sums::new();
                let far = !separate::is_compact(query.max[0] - query.min[0])
                    || !separate::is_compact(query.max[1] - query.min[1]);
                grid.visit(query, |range| {
                    let sizes = sizes.get(range.clone()).unwrap_or_default();
                    let neighbours = Neighbours { pos: &pos[range], sizes };
                    if far {
                        separate::add::<L, true>(&block, neighbours, &mut sums);
                    } else {
                        separate::add::<L, false>(&block, neighbours, &mut sums);
                    }
                });
                let at = start - first;
                L::store_some_pairs(sums.push[0], sums.push[1], count, &mut push[at..]);
                L::store_some_pairs(sums.contact[0], sums.contact[1], count, &mut contact[at..]);
                start += count;
            }
        }
    });
}

/// Whether all groups with members have the same radius and reach.
fn all_alike<N: Numbers>(world: &World<N>) -> bool {
    let mut sizes = world
        .groups
        .iter()
        .zip(&world.traits)
        .filter(|(group, _)| group.members > 0)
        .map(|(_, traits)| (traits.reach, traits.radius));
    let first = sizes.next();
    sizes.all(|size| Some(size) == first)
}

/// Copies every agent's half range and radius into a column.
fn fill_sizes<N: Numbers>(world: &World<N>, scratch: &mut Scratch<N>) {
    let tags = &world.agents.tag;
    par::chunks(tags.len(), CHUNK, &mut scratch.sizes[..], &|_, first, sizes| {
        for (size, tag) in sizes.iter_mut().zip(&tags[first..]) {
            let traits = &world.traits[usize::from(tag.group)];
            *size = [traits.reach, traits.radius];
        }
    });
}

#[inline(always)]
fn block<L: Lane>(pos: &[[L::Num; 2]], cast: &Cast<'_, L::Num>) -> Block<L> {
    let (x, y) = L::load_pairs(pos);
    Block {
        x,
        y,
        radius: cast.lanes(|t| t.radius),
        reach: cast.lanes(|t| t.reach),
        reach_scale: cast.lanes(|t| t.reach_scale),
        radius_scale: cast.lanes(|t| t.radius_scale),
    }
}

/// The rectangle that holds all who may push an agent of the block.
#[inline(always)]
fn query<L: Lane>(
    pos: &[[L::Num; 2]],
    block: &Block<L>,
    most: L::Num,
    count: usize,
) -> Query<L::Num> {
    let (mut min, mut max) = (pos[0], pos[0]);
    let mut reach = block.reach.get(0);
    for (i, p) in pos.iter().enumerate().take(count) {
        for axis in 0..2 {
            min[axis] = min[axis].smaller(p[axis]);
            max[axis] = max[axis].larger(p[axis]);
        }
        reach = reach.larger(block.reach.get(i));
    }
    let range = reach + most;
    Query { min: min.map(|v| v - range), max: max.map(|v| v + range) }
}

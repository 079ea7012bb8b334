//! Neighbours: the push and the overlap that everybody feels.

use crate::kernel::separate;
use crate::kernel::separate::Block;
use crate::kernel::separate::Neighbours;
use crate::kernel::separate::Sums;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::space::Grid;
use crate::space::Query;
use crate::tick::CHUNK;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::tick::cast::all_share;
use crate::world::Tag;
use crate::world::Traits;
use crate::world::World;

pub(super) fn run<L: Lane>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    let sizes = |t: &Traits<L::Num>| [t.reach, t.radius, t.reach_scale, t.radius_scale];
    if all_share(world, sizes) {
        sum::<L, true>(world, scratch);
    } else {
        fill_sizes(world, scratch);
        sum::<L, false>(world, scratch);
    }
}

/// Sums what everybody feels. `ALIKE` says that all agents have the same sizes.
fn sum<L: Lane, const ALIKE: bool>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    let Scratch { grid, push, contact, sizes, .. } = scratch;
    let (pos, tags) = (world.agents.pos.padded(), world.agents.tag.padded());
    let sizes: &[[L::Num; 2]] = if ALIKE { &[] } else { sizes.padded() };
    let most = world.groups.iter().filter(|g| g.members > 0).map(|g| g.def.reach());
    let most = L::Num::from_f64(most.fold(0.0, f64::max));
    let grid = &*grid;
    let agents_in_all = world.len();
    par::bands(grid.bands(), (&mut push[..], &mut contact[..]), &|band, first, (push, contact)| {
        for row in grid.band_rows(band) {
            let agents = grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let tags = &tags[start..start + L::WIDTH];
                let cast = Cast::shared(tags, &world.traits, ALIKE);
                let block = block::<L>(&pos[start..], count, &cast);
                let sums = visit::<L, ALIKE>(grid, &block, most, pos, sizes);
                let at = start - first;
                let radius = cast.lanes::<L>(|t| t.radius);
                let touch =
                    unstack(&pos[start..], agents_in_all - start, tags, sums.contact(), radius);
                let ([x, y], [contact_x, contact_y]) = (sums.push(), touch);
                L::store_some_pairs(x, y, count, &mut push[at..]);
                L::store_some_pairs(contact_x, contact_y, count, &mut contact[at..]);
            }
        }
    });
}

/// The contact of agents that stand exactly where the next one in grid order stands: no push can
/// part them, so each gets a little one of its own. `left` agents begin at `pos`.
#[inline(always)]
fn unstack<L: Lane>(
    pos: &[[L::Num; 2]],
    left: usize,
    tags: &[Tag],
    contact: [L; 2],
    radius: L,
) -> [L; 2] {
    let (own, next): ([L; 2], [L; 2]) =
        (L::load_pairs(pos).into(), L::load_pairs(&pos[1..]).into());
    let differs = |i: usize| own[i].lt(next[i]) | next[i].lt(own[i]);
    let stacked = !(differs(0) | differs(1)) & L::Mask::from_fn(|i| i + 1 < left);
    if !stacked.any() {
        return contact;
    }
    let side =
        |bit: u32| L::Mask::from_fn(|i| tags[i].id.wrapping_mul(0x9e37_79b1) >> bit & 1 == 1);
    let step = radius * L::splat(L::Num::from_f64(5.0 / 16.0));
    let nudge = [30, 29].map(|bit| L::select(side(bit), step, -step));
    [0, 1].map(|i| L::select(stacked, contact[i] + nudge[i], contact[i]))
}

/// What a block feels from all near it.
#[inline(always)]
fn visit<L: Lane, const ALIKE: bool>(
    grid: &Grid<L::Num>,
    block: &Block<L>,
    most: L::Num,
    pos: &[[L::Num; 2]],
    sizes: &[[L::Num; 2]],
) -> Sums<L>
where
    L::Num: Numbers,
{
    let mut sums = Sums::new();
    let query = query::<L>(block, most);
    let [wide, high] = [0, 1].map(|axis| query.max[axis] - query.min[axis]);
    let span = wide.larger(high);
    grid.visit(query, |range, slack| {
        let sizes = if ALIKE { &[] } else { &sizes[range.clone()] };
        let neighbours = Neighbours { pos: &pos[range], sizes };
        if separate::is_compact(span + slack) {
            separate::add::<L, false>(block, neighbours, &mut sums);
        } else {
            separate::add::<L, true>(block, neighbours, &mut sums);
        }
    });
    sums
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

/// The agents of a block; the last one stands in for those that are missing behind it.
#[inline(always)]
fn block<L: Lane>(pos: &[[L::Num; 2]], count: usize, cast: &Cast<'_, L::Num>) -> Block<L> {
    let (x, y) = if count == L::WIDTH {
        L::load_pairs(pos)
    } else {
        let row = |i: usize| pos[i.min(count - 1)];
        (L::from_fn(|i| row(i)[0]), L::from_fn(|i| row(i)[1]))
    };
    let root = L::Num::from_f64(std::f64::consts::SQRT_2);
    Block {
        x,
        y,
        radius: cast.lanes(|t| t.radius),
        reach: cast.lanes(|t| t.reach),
        reach_scale: cast.lanes(|t| t.reach_scale),
        touch_scale: cast.lanes::<L>(|t| t.radius_scale) * L::splat(root),
    }
}

/// The rectangle that holds all who may push an agent of the block.
#[inline(always)]
fn query<L: Lane>(block: &Block<L>, most: L::Num) -> Query<L::Num> {
    let [_, reach] = block.reach.extremes();
    let range = reach + most;
    let ([min_x, max_x], [min_y, max_y]) = (block.x.extremes(), block.y.extremes());
    Query { min: [min_x - range, min_y - range], max: [max_x + range, max_y + range] }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::kernel::separate::reference;
    use crate::lane::Lane;
    use crate::lane::Numbers;
    use crate::map::Map;
    use crate::math::Fx;
    use crate::math::hash2;
    use crate::math::unit_f64;
    use crate::tick::Scratch;
    use crate::tick::sort;
    use crate::world::GroupDef;
    use crate::world::Settings;
    use crate::world::World;

    /// A world with agents at random places, clustered, in groups of these radii.
    fn world<N: Numbers>(agents: u64, side: u32, radii: &[f64]) -> World<N> {
        let cells = vec![16; (side * side) as usize];
        let map = Map::from_slowness(side, side, 1.0, &cells);
        let mut world = World::new(map, Settings::default()).unwrap();
        let mut places = vec![Vec::new(); radii.len()];
        for i in 0..agents {
            let [a, b] = [0, 1].map(|axis| unit_f64(hash2(i, axis)) * f64::from(side));
            let near = i % 3 == 0;
            let squeeze = |v: f64| if near { v / 8.0 } else { v };
            places[(i % radii.len() as u64) as usize].push([squeeze(a), squeeze(b)]);
        }
        for (&radius, places) in radii.iter().zip(&places) {
            let group = world.add_group(GroupDef { radius, ..GroupDef::default() }).unwrap();
            world.spawn(group, places).unwrap();
        }
        world
    }

    /// The sums of every agent by a plain double loop in `f64`, each with the sum of the sizes.
    fn naive<N: Numbers>(world: &World<N>) -> Vec<[[f64; 2]; 4]> {
        let body = |row: usize| {
            let def = &world.groups()[usize::from(world.tags()[row].group)].def;
            let [x, y] = world.positions()[row].map(N::to_f64);
            [x, y, def.reach(), def.radius]
        };
        let bodies: Vec<_> = (0..world.len()).map(body).collect();
        let sum = |agent: &[f64; 4]| {
            bodies.iter().fold([[0.0; 2]; 4], |sums, other| {
                let terms = reference(*agent, *other).concat();
                std::array::from_fn(|i| [sums[i][0] + terms[i], sums[i][1] + terms[i].abs()])
            })
        };
        bodies.iter().map(sum).collect()
    }

    fn sums<L: Lane>(world: &mut World<L::Num>) -> Vec<[L::Num; 4]>
    where
        L::Num: Numbers,
    {
        let mut scratch = Scratch::new();
        sort::run(world, &mut scratch);
        run::<L>(world, &mut scratch);
        let rows = scratch.push.iter().zip(scratch.contact.iter());
        rows.map(|(p, c)| [p[0], p[1], c[0], c[1]]).collect()
    }

    fn compare<N: Numbers>(agents: u64, side: u32, radii: &[f64], tolerance: f64) {
        let mut wide_world = world::<N>(agents, side, radii);
        let mut single_world = wide_world.clone();
        let wide = sums::<N::Wide>(&mut wide_world);
        let single = sums::<N::Single>(&mut single_world);
        assert_eq!(wide_world.tags(), single_world.tags());
        for (row, expected) in naive(&wide_world).into_iter().enumerate() {
            let bits = |sums: &[N; 4]| sums.map(|number| number.bits());
            assert_eq!(bits(&wide[row]), bits(&single[row]), "row {row} of {agents}");
            for (value, [expected, size]) in wide[row].iter().zip(expected) {
                let difference = (value.to_f64() - expected).abs();
                let bound = tolerance * (1.0 + size);
                assert!(difference < bound, "row {row} of {agents}: {value:?}, not {expected}");
            }
        }
    }

    #[test]
    fn neighbours_push_as_a_plain_double_loop_says() {
        for agents in [0, 1, 2, 7, 8, 9, 26, 500, 3_000] {
            compare::<f32>(agents, 40, &[0.3], 1e-4);
            compare::<f32>(agents, 40, &[0.3, 0.45, 0.8], 1e-4);
            compare::<Fx>(agents, 40, &[0.3], 0.05);
            compare::<Fx>(agents, 40, &[0.3, 0.45, 0.8], 0.05);
        }
        compare::<f32>(200, 3_000, &[0.3], 1e-4);
        compare::<Fx>(200, 3_000, &[0.3], 0.02);
    }

    /// On a map of 12 km: in the far end, where numbers are largest, and where 32,768 keys end.
    #[test]
    fn neighbours_push_at_the_far_end_of_a_large_map() {
        fn check<N: Numbers>(tolerance: f64) {
            let map = Map::from_slowness(1_500, 10, 8.0, &[16; 15_000]);
            let mut world = World::<N>::new(map, Settings::default()).unwrap();
            let group = world.add_group(GroupDef::default()).unwrap();
            let start = |i| if i % 2 == 0 { 11_979.9 } else { 7_362.8 };
            let random = |i, axis| 20.0 * unit_f64(hash2(i, axis));
            let place = |i| [start(i) + random(i, 0), 30.0 + random(i, 1)];
            world.spawn(group, &(0..400).map(place).collect::<Vec<_>>()).unwrap();
            let found = sums::<N::Wide>(&mut world);
            let expected = naive(&world);
            assert!(expected.iter().flatten().any(|sum| sum[0] > 0.01), "somebody must push");
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                for (value, [expected, size]) in found.iter().zip(expected) {
                    let difference = (value.to_f64() - expected).abs();
                    assert!(
                        difference < tolerance * (1.0 + size),
                        "row {row}: {value:?}, {expected}"
                    );
                }
            }
        }
        check::<f32>(0.05);
        check::<Fx>(0.05);
    }
}

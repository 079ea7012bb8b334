//! Neighbours: the near agents of every agent, and the soft push by them.

use crate::kernel::separate;
use crate::kernel::separate::{ALIKE, ALL, Block, Body, Other, SIZES, Sums};
use crate::lane::{IntLane, Lane};
use crate::math::Num;
use crate::math::each::Each;
use crate::par;
use crate::par::PerBand;
use crate::tick::block_traits::{BlockTraits, all_share};
use crate::tick::near::{Near, Search, Slot};
use crate::tick::{Scratch, crowd, near};
use crate::world::World;

pub(super) fn run<L: Lane>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>) {
    let known = scratch.share.strip.known.clone();
    scratch.kind = crowd::fill_bodies(world, known, &mut scratch.bodies);
    match scratch.kind {
        ALIKE => sum::<L, ALIKE>(world, scratch),
        SIZES => sum::<L, SIZES>(world, scratch),
        _ => sum::<L, ALL>(world, scratch),
    }
}

/// Finds all near agents, and sums the push on every agent; `KIND` says in what agents differ.
fn sum<L: Lane, const KIND: u8>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>) {
    let Scratch { grid, push, bodies, near, near_count, share, .. } = scratch;
    let (rows, band_range) = (share.strip.rows.clone(), share.strip.bands.clone());
    let (pos, tags) = (world.agents.rows.pos.padded(), world.agents.rows.tag.padded());
    let present = world.groups.list.iter().filter(|group| group.members > 0);
    let reach = present.map(|group| group.def.reach()).fold(0.0, f64::max);
    let most = [near::largest_radius(&world.groups), reach].each(L::Num::from_f64);
    let closing = L::splat(L::Num::from_f64(near::closing(&world.settings, &world.groups)));
    let alike = KIND == ALIKE && all_share(&world.groups, |t| [t.approach_range]);
    let (grid, bodies, spans) = (&*grid, &bodies.bodies[..], &bodies.spans[..]);
    near.resize_with(grid.bands().len(), Near::default);
    let counts = &mut near_count[rows.clone()];
    let columns = (&mut push[rows], counts, PerBand(&mut near[band_range.clone()]));
    par::bands(grid.bands(), band_range, columns, &|band, first, (push, counts, near)| {
        let near = &mut near.0[0];
        near.clear(push.len());
        for row in grid.band_rows(band) {
            let agents = grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let tags = &tags[start..start + L::WIDTH];
                let block_traits =
                    BlockTraits::shared(tags, &world.groups, alike).of_kind::<KIND>();
                let block = block::<L>(&pos[start..], count, &block_traits);
                let gap = block_traits.lanes::<L>(|t| t.approach_range).larger(closing);
                let own = block_traits.radius::<L>() + gap;
                let search = Search { pos: block.pos, own, reach: block.reach };
                let slots = near.find(grid, pos, (spans, most), &search, (start, count));
                let mut sums = Sums::new();
                for slot in slots {
                    let others = others::<L, KIND>(&block, pos, bodies, slot);
                    separate::add::<L, KIND>(&block, &others, &mut sums);
                }
                let at = start - first;
                counts[at] = slots.len() as u32;
                L::store_some_pairs(sums.push[0], sums.push[1], count, &mut push[at..]);
            }
        }
    });
}

/// The agents of a block.
#[inline(always)]
fn block<L: Lane>(
    pos: &[[L::Num; 2]],
    count: usize,
    block_traits: &BlockTraits<'_, L::Num>,
) -> Block<L> {
    let [reach, scale] = block_traits.reach();
    Block {
        pos: crowd::positions(pos, count),
        reach,
        scale,
        weight: block_traits.lanes(|t| t.weight),
        layer: L::Int::from_fn(|i| block_traits.traits(i).layer as i32),
        avoids: L::Int::from_fn(|i| block_traits.traits(i).avoids as i32),
    }
}

/// A near agent of every agent of a block.
#[inline(always)]
fn others<L: Lane, const KIND: u8>(
    block: &Block<L>,
    all: &[[L::Num; 2]],
    bodies: &[Body<L::Num>],
    slot: &Slot,
) -> Other<L> {
    let pos = L::pairs_from_fn(|i| all[slot[i] as usize]);
    let Block { reach, weight, layer, avoids, .. } = *block;
    if KIND == ALIKE {
        return Other { pos, reach, weight, layer, avoids };
    }
    let body = |i: usize| &bodies[slot[i] as usize];
    let reach = L::from_fn(|i| body(i).reach);
    if KIND == SIZES {
        return Other { pos, reach, weight, layer, avoids };
    }
    Other {
        pos,
        reach,
        weight: L::from_fn(|i| body(i).weight),
        layer: L::Int::from_fn(|i| body(i).layer as i32),
        avoids: L::Int::from_fn(|i| body(i).avoids as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::kernel::separate::reference;
    use crate::lane::{Lane, Numbers};
    use crate::map::Map;
    use crate::math::{Fx, hash2, unit_f64};
    use crate::tick::{Scratch, near, sort};
    use crate::world::{GroupDef, Settings, World};

    const ALIKE: [[f64; 2]; 1] = [[0.3, 1.0]];
    const SIZES: [[f64; 2]; 3] = [[0.3, 1.0], [0.45, 1.0], [0.8, 1.0]];
    const WEIGHTS: [[f64; 2]; 3] = [[0.3, 1.0], [0.3, 8.0], [0.5, 0.25]];

    /// A world with agents at random places, clustered, in groups of these radii and weights.
    fn world<N: Numbers>(agents: u64, side: u32, kinds: &[[f64; 2]]) -> World<N> {
        let cells = vec![16; (side * side) as usize];
        let map = Map::from_slowness(side, side, 1.0, &cells);
        let mut world = World::new(map, Settings::default()).unwrap();
        let mut places = vec![Vec::new(); kinds.len()];
        for i in 0..agents {
            let [a, b] = [0, 1].map(|axis| unit_f64(hash2(i, axis)) * f64::from(side));
            let near = i % 3 == 0;
            let squeeze = |v: f64| if near { v / 8.0 } else { v };
            places[(i % kinds.len() as u64) as usize].push([squeeze(a), squeeze(b)]);
        }
        for (&[radius, weight], places) in kinds.iter().zip(&places) {
            let def = GroupDef { radius, weight, ..GroupDef::default() };
            let group = world.add_group(def).unwrap();
            world.spawn(group, places).unwrap();
        }
        world
    }

    /// The push on every agent by a plain double loop in `f64`, with the sum of the sizes.
    fn naive<N: Numbers>(world: &World<N>) -> Vec<[[f64; 2]; 2]> {
        let body = |row: usize| {
            let def = &world.groups()[usize::from(world.tags()[row].group)].def;
            let [x, y] = world.positions()[row].map(N::to_f64);
            [x, y, def.reach(), def.weight]
        };
        let bodies: Vec<_> = (0..world.len()).map(body).collect();
        let sum = |agent: &[f64; 4]| {
            bodies.iter().fold([[0.0; 2]; 2], |sums, other| {
                let terms = reference(*agent, *other);
                std::array::from_fn(|i| [sums[i][0] + terms[i], sums[i][1] + terms[i].abs()])
            })
        };
        bodies.iter().map(sum).collect()
    }

    fn sums<L: Lane>(world: &mut World<L::Num>) -> Vec<[L::Num; 2]> {
        let mut scratch = Scratch::new();
        let World { settings, ground, agents, groups, .. } = &mut *world;
        sort::run(&mut agents.rows, settings, ground, groups, &mut scratch);
        scratch.share.cut(world, &scratch.grid);
        run::<L>(world, &mut scratch);
        scratch.push.to_vec()
    }

    fn compare<N: Numbers>(agents: u64, side: u32, kinds: &[[f64; 2]], tolerance: f64) {
        let mut wide_world = world::<N>(agents, side, kinds);
        let mut single_world = wide_world.clone();
        let wide = sums::<N::Wide>(&mut wide_world);
        let single = sums::<N::Single>(&mut single_world);
        assert_eq!(wide_world.tags(), single_world.tags());
        for (row, expected) in naive(&wide_world).into_iter().enumerate() {
            let bits = |sums: &[N; 2]| sums.map(|number| number.bits());
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
            for kinds in [&ALIKE[..], &SIZES, &WEIGHTS] {
                compare::<f32>(agents, 40, kinds, 1e-4);
                compare::<Fx>(agents, 40, kinds, 0.05);
            }
        }
        compare::<f32>(200, 3_000, &ALIKE, 1e-4);
        compare::<Fx>(200, 3_000, &ALIKE, 0.02);
    }

    /// For every row, the rows that are near it.
    fn near_rows<L: Lane>(world: &mut World<L::Num>) -> Vec<Vec<usize>> {
        let mut scratch = Scratch::new();
        let World { settings, ground, agents, groups, .. } = &mut *world;
        sort::run(&mut agents.rows, settings, ground, groups, &mut scratch);
        scratch.share.cut(world, &scratch.grid);
        run::<L>(world, &mut scratch);
        let mut all = vec![Vec::new(); world.len()];
        for band in 0..scratch.grid.bands().len() {
            let mut left = scratch.near[band].slots();
            for row in scratch.grid.band_rows(band) {
                let agents = scratch.grid.row_agents(row);
                for start in agents.clone().step_by(L::WIDTH) {
                    let (slots, rest) = left.split_at(scratch.near_count[start] as usize);
                    left = rest;
                    for own in start..agents.end.min(start + L::WIDTH) {
                        let others = slots.iter().map(|slot| slot[own - start] as usize);
                        all[own].extend(others.filter(|&other| other != own));
                    }
                }
            }
            assert!(left.is_empty(), "all slots belong to a block");
        }
        all
    }

    /// All agents that may touch, limit or push an agent are near it, once each and in the order of
    /// rows, and none that is far away.
    fn check_near<N: Numbers>(kinds: &[[f64; 2]]) {
        let mut world = world::<N>(700, 60, kinds);
        let found = near_rows::<N::Wide>(&mut world);
        assert_eq!(found, near_rows::<N::Single>(&mut world), "lanes change the near agents");
        let closing = near::closing(&world.settings, &world.groups);
        let body = |row: usize| {
            let def = &world.groups()[usize::from(world.tags()[row].group)].def;
            let [x, y] = world.positions()[row].map(N::to_f64);
            let range = (0.2_f64.min(4.0 * def.radius / def.speed) * def.speed).max(closing);
            (x, y, def.radius, range, def.reach())
        };
        let between = |a: usize, b: usize| {
            let ((x, y, r, range, reach), other) = (body(a), body(b));
            let matters = (r + other.2 + range).max(reach + other.4);
            let (dx, dy) = (x - other.0, y - other.1);
            ((dx * dx + dy * dy).sqrt(), matters)
        };
        for (row, found) in found.iter().enumerate() {
            assert!(found.is_sorted_by(|a, b| a < b), "row {row}: {found:?}");
            for other in (0..world.len()).filter(|&other| other != row) {
                let (distance, matters) = between(row, other);
                let is_found = found.binary_search(&other).is_ok();
                assert!(is_found || distance >= matters, "row {row} and {other}");
                assert!(!is_found || distance < matters + 0.1, "row {row} and {other}");
            }
        }
        assert!(found.iter().filter(|found| !found.is_empty()).count() > 100, "some are near");
    }

    #[test]
    fn the_near_agents_are_those_of_a_plain_double_loop() {
        for kinds in [&ALIKE[..], &SIZES, &WEIGHTS] {
            check_near::<f32>(kinds);
            check_near::<Fx>(kinds);
        }
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

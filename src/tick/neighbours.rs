//! Neighbours: the soft push that everybody feels.

use crate::kernel::separate;
use crate::kernel::separate::ALIKE;
use crate::kernel::separate::ALL;
use crate::kernel::separate::Block;
use crate::kernel::separate::Neighbours;
use crate::kernel::separate::SIZES;
use crate::kernel::separate::Sums;
use crate::lane::IntLane;
use crate::lane::Lane;
use crate::lane::Mask;
use crate::lane::Numbers;
use crate::math::Num;
use crate::par;
use crate::tick::Scratch;
use crate::tick::cast::Cast;
use crate::tick::crowd;
use crate::tick::near;
use crate::world::World;

pub(super) fn run<L: Lane>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    scratch.kind = crowd::fill_bodies(world, scratch);
    match scratch.kind {
        ALIKE => sum::<L, ALIKE>(world, scratch),
        SIZES => sum::<L, SIZES>(world, scratch),
        _ => sum::<L, ALL>(world, scratch),
    }
}

/// Sums what everybody feels; `KIND` says in what agents differ.
fn sum<L: Lane, const KIND: u8>(world: &World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    note_lonely(world, KIND, &mut scratch.lonely);
    let Scratch { grid, push, close, bodies, lonely, .. } = scratch;
    let (pos, tags) = (world.agents.pos.padded(), world.agents.tag.padded());
    let most = world.groups.iter().filter(|g| g.members > 0).map(|g| g.def.reach());
    let most = L::Num::from_f64(most.fold(0.0, f64::max));
    let (grid, bodies, lonely) = (&*grid, &bodies[..], &lonely[..]);
    par::bands(grid.bands(), (&mut push[..], &mut close[..]), &|band, first, (push, close)| {
        for row in grid.band_rows(band) {
            let agents = grid.row_agents(row);
            for start in agents.clone().step_by(L::WIDTH) {
                let count = L::WIDTH.min(agents.end - start);
                let tags = &tags[start..start + L::WIDTH];
                let cast = Cast::shared(tags, &world.traits, KIND == ALIKE);
                let block = block::<L>(&pos[start..], count, &cast);
                let mut sums = Sums::new();
                let [_, reach] = block.reach.extremes();
                let (query, span) = crowd::query([block.x, block.y], reach + most);
                grid.visit(query, |range, slack| {
                    let bodies = if KIND == ALIKE { &[] } else { &bodies[range.clone()] };
                    let neighbours = Neighbours { pos: &pos[range], bodies };
                    if separate::is_compact(span + slack) {
                        separate::add::<L, false, KIND>(&block, neighbours, &mut sums);
                    } else {
                        separate::add::<L, true, KIND>(&block, neighbours, &mut sums);
                    }
                });
                let at = start - first;
                L::store_some_pairs(sums.push[0], sums.push[1], count, &mut push[at..]);
                let lonely = if cast.uniform {
                    L::splat(lonely[usize::from(tags[0].group)])
                } else {
                    L::from_fn(|i| lonely[usize::from(tags[i].group)])
                };
                close[at] = lonely.lt(sums.crowding).bits() as u8;
            }
        }
    });
}

/// Sizes may differ so much at most that rounding cannot hide a touch.
const MOST_UNLIKE: f64 = 4.0;
/// Groups that are compared pair by pair.
const MOST_PAIRED: usize = 64;

/// For every group: the crowding up to which nobody is near its agents (see `near`); below anything
/// where that is not known.
fn note_lonely<N: Numbers>(world: &World<N>, kind: u8, lonely: &mut Vec<N>) {
    lonely.clear();
    lonely.resize(world.groups.len(), -N::ONE);
    let present = || world.groups.iter().enumerate().filter(|(_, group)| group.members > 0);
    if kind == ALIKE {
        // Of agents of one size the fastest count.
        let each = present().map(|(index, _)| threshold(world, index, index));
        lonely.fill(each.reduce(N::smaller).unwrap_or(-N::ONE));
        return;
    }
    let reach = || present().map(|(_, group)| group.def.reach());
    let (least, most) = (reach().fold(f64::MAX, f64::min), reach().fold(0.0, f64::max));
    let known = least >= 0.1 && most <= MOST_UNLIKE * least && present().count() <= MOST_PAIRED;
    if known {
        for (index, _) in present() {
            let pairs = present().map(|(other, _)| threshold(world, index, other));
            lonely[index] = pairs.reduce(N::smaller).unwrap_or(-N::ONE);
        }
    }
}

/// The crowding that an agent has at least when one of another group is near.
fn threshold<N: Numbers>(world: &World<N>, own: usize, other: usize) -> N {
    let [own, other] = [own, other].map(|group| (&world.groups[group].def, &world.traits[group]));
    let reach = own.1.approach_range.to_f64().max(near::closing(world));
    let (own, other) = (own.0, other.0);
    let (range, own_range) = (own.reach() + other.reach(), 2.0 * own.reach());
    let meet = own.radius + other.radius + reach;
    let share = (range * range - meet * meet) / (own_range * own_range);
    // Less by what rounding may take from the sum.
    N::from_f64(1.0 + share.max(0.0) * 0.95 - 0.02)
}

/// The agents of a block.
#[inline(always)]
fn block<L: Lane>(pos: &[[L::Num; 2]], count: usize, cast: &Cast<'_, L::Num>) -> Block<L> {
    let [x, y] = crowd::positions(pos, count);
    Block {
        x,
        y,
        reach: cast.lanes(|t| t.reach),
        scale: cast.lanes(|t| t.reach_scale),
        weight: cast.lanes(|t| t.weight),
        layer: L::Int::from_fn(|i| cast.traits(i).layer as i32),
        avoids: L::Int::from_fn(|i| cast.traits(i).avoids as i32),
    }
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

    fn sums<L: Lane>(world: &mut World<L::Num>) -> Vec<[L::Num; 2]>
    where
        L::Num: Numbers,
    {
        let mut scratch = Scratch::new();
        sort::run(world, &mut scratch);
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

    /// An agent with another one near, so that its speed may be limited, is looked at.
    fn check_close<N: Numbers>(kinds: &[[f64; 2]]) {
        let mut world = world::<N>(700, 60, kinds);
        let mut scratch = Scratch::new();
        sort::run(&mut world, &mut scratch);
        run::<N::Single>(&world, &mut scratch);
        let body = |row: usize| {
            let def = &world.groups()[usize::from(world.tags()[row].group)].def;
            let [x, y] = world.positions()[row].map(N::to_f64);
            (x, y, def.radius, 0.2_f64.min(4.0 * def.radius / def.speed) * def.speed)
        };
        let touches = |a: usize, b: usize| {
            let ((x, y, r, reach), (other_x, other_y, other_r, _)) = (body(a), body(b));
            let (dx, dy, meet) = (x - other_x, y - other_y, r + other_r + reach);
            a != b && dx * dx + dy * dy < meet * meet
        };
        let mut touched = 0;
        for row in 0..world.len() {
            let close = scratch.close[row] & 1 == 1;
            if (0..world.len()).any(|other| touches(row, other)) {
                assert!(close, "row {row} has somebody near");
                touched += 1;
            }
        }
        assert!(touched > 100, "{touched} touched");
    }

    #[test]
    fn all_who_have_others_near_are_close() {
        for kinds in [&ALIKE[..], &SIZES, &WEIGHTS] {
            check_close::<f32>(kinds);
            check_close::<Fx>(kinds);
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

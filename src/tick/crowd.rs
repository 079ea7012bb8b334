//! What agents are to each other: sizes, weights and layers, and the rectangle to look in.

use crate::data::renew;
use crate::kernel::separate::{ALIKE, ALL, Body, SIZES};
use crate::lane::{Lane, Numbers};
use crate::par;
use crate::space::Query;
use crate::tick::CHUNK;
use crate::tick::block_traits::all_share;
use crate::world::{Avoidance, Group, Traits, World};
use std::ops::Range;

/// Weight of agents that keep their place, and of agents without avoidance.
const IMMOVABLE: f64 = 10_000.0;

/// Sizes, weights and layers of the agents, by row; empty where all agents are alike.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies<N> {
    pub(super) bodies: Vec<Body<N>>,
    /// Radius and reach, in metres.
    pub(super) spans: Vec<[N; 2]>,
    /// Radius and weight.
    pub(super) discs: Vec<[N; 2]>,
    pub(super) layers: Vec<u32>,
}

/// Copies sizes, weights and layers of some rows into columns, unless all agents are alike; returns in
/// what they differ: `ALIKE`, `SIZES` or `ALL`.
pub(super) fn fill_bodies<N: Numbers>(
    world: &World<N>,
    rows: Range<usize>,
    bodies: &mut Bodies<N>,
) -> u8 {
    let Bodies { bodies, spans, discs, layers } = bodies;
    let present = |group: &&Group<N>| group.members > 0;
    let plain = |def: &Group<N>| {
        !def.def.hold && def.def.avoidance != Avoidance::None && def.def.avoids & 1 == 1
    };
    let sizes = |t: &Traits<N>| [t.reach, t.radius, t.reach_scale];
    let rest = |t: &Traits<N>| [t.weight, N::from_f64(f64::from(t.layer))];
    let equal =
        world.groups.list.iter().filter(present).all(plain) && all_share(&world.groups, rest);
    let own = &world.groups.own;
    if equal && own.smaller.is_empty() && all_share(&world.groups, sizes) {
        bodies.clear();
        spans.clear();
        discs.clear();
        layers.clear();
        return ALIKE;
    }
    let tags = &world.agents.rows.tag;
    renew(bodies, tags.len());
    renew(spans, tags.len());
    renew(discs, tags.len());
    renew(layers, tags.len());
    let columns = (
        (&mut bodies[rows.clone()], &mut spans[rows.clone()]),
        (&mut discs[rows.clone()], &mut layers[rows.clone()]),
    );
    let (first, rows) = (rows.start, rows.len());
    par::chunks_from(
        first,
        rows,
        CHUNK,
        columns,
        &|_, first, ((bodies, spans), (discs, layers))| {
            let rows = bodies.iter_mut().zip(spans).zip(discs.iter_mut().zip(layers));
            for (((body, span), (disc, own_layer)), tag) in rows.zip(&tags[first..]) {
                let traits = &world.groups.traits[usize::from(tag.group)];
                let immovable = traits.avoidance == Avoidance::None || traits.keeps_place(*tag);
                let weight = if immovable { N::from_f64(IMMOVABLE) } else { traits.weight };
                let Traits { radius, layer, avoids, .. } = *traits;
                let less = radius * N::from_f64(own.smaller(tag.id));
                let (reach, radius) = (traits.reach - less, radius - less);
                *body = Body { reach, radius, weight, layer, avoids };
                *span = [radius, reach];
                *disc = [radius, weight];
                *own_layer = layer;
            }
        },
    );
    if equal {
        layers.clear();
        SIZES
    } else {
        ALL
    }
}

/// The positions of a block; lanes past the last agent repeat it.
#[inline(always)]
pub(super) fn positions<L: Lane>(pos: &[[L::Num; 2]], count: usize) -> [L; 2] {
    if count == L::WIDTH {
        return L::load_pairs(pos).into();
    }
    let row = |i: usize| pos[i.min(count - 1)];
    [L::from_fn(|i| row(i)[0]), L::from_fn(|i| row(i)[1])]
}

/// The rectangle that holds all agents within a range of any agent of the block.
#[inline(always)]
pub(super) fn query<L: Lane>([x, y]: [L; 2], range: L::Num) -> Query<L::Num> {
    let ([min_x, max_x], [min_y, max_y]) = (x.extremes(), y.extremes());
    Query { min: [min_x - range, min_y - range], max: [max_x + range, max_y + range] }
}

//! A world's columns as measures and pictures take them.

use rayon::prelude::*;

use crate::lane::Numbers;
use crate::report::ARRIVED;
use crate::report::Crowd;
use crate::report::ORDERED;
use crate::world::World;
use crate::world::state;

/// Rows that are looked at together.
const CHUNK: usize = 4_096;

/// The columns of a world in single precision, kept from one time to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    positions: Vec<[f32; 2]>,
    velocities: Vec<[f32; 2]>,
    groups: Vec<u16>,
    flags: Vec<u8>,
    ids: Vec<u32>,
    radii: Vec<f32>,
    colours: Vec<[u8; 3]>,
}

impl Columns {
    /// Empty, with the colours of the groups.
    pub(crate) fn new(colours: Vec<[u8; 3]>) -> Self {
        Self { colours, ..Self::default() }
    }

    /// Copies a world's columns.
    pub(crate) fn load<N: Numbers>(&mut self, world: &World<N>) {
        let tags = || world.tags().par_iter().with_min_len(CHUNK);
        let single = |pair: &[N; 2]| pair.map(|number| number.to_f64() as f32);
        let pairs =
            [(&mut self.positions, world.positions()), (&mut self.velocities, world.velocities())];
        for (to, from) in pairs {
            from.par_iter().with_min_len(CHUNK).map(single).collect_into_vec(to);
        }
        let ordered: Vec<bool> = world.groups().iter().map(|group| group.has_order()).collect();
        tags().map(|tag| tag.group).collect_into_vec(&mut self.groups);
        tags().map(|tag| tag.id).collect_into_vec(&mut self.ids);
        // Who stands still to shoot is not on its way.
        let halts: Vec<bool> = world.groups().iter().map(|group| group.def.halts).collect();
        let fights = !world.weapons().is_empty();
        tags()
            .enumerate()
            .map(|(row, tag)| {
                let group = usize::from(tag.group);
                let halted = fights && halts[group] && world.target(world.id(row)).is_some();
                let arrived = if tag.state & state::ARRIVED != 0 { ARRIVED } else { 0 };
                arrived | if ordered[group] && !halted { ORDERED } else { 0 }
            })
            .collect_into_vec(&mut self.flags);
        self.radii.clear();
        self.radii.extend(world.groups().iter().map(|group| group.def.radius as f32));
        self.colours.resize(self.radii.len(), [128; 3]);
    }

    /// The crowd as last loaded.
    pub(crate) fn crowd(&self) -> Crowd<'_> {
        Crowd {
            positions: &self.positions,
            groups: &self.groups,
            flags: &self.flags,
            ids: &self.ids,
            radii: &self.radii,
            colours: &self.colours,
        }
    }

    /// Velocities as last loaded, m/s.
    pub(crate) fn velocities(&self) -> &[[f32; 2]] {
        &self.velocities
    }
}

//! A world's columns as measures and pictures take them.

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::par;
use crate::report::{ARRIVED, Crowd, ORDERED};
use crate::world::{Group, World, state};

/// Rows that are looked at together.
const CHUNK: usize = 4_096;

/// The columns of a world in single precision, kept from one time to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    positions: Vec<[f32; 2]>,
    velocities: Vec<[f32; 2]>,
    /// By row: the class, which is the group of which its own is a variant, or a state of that.
    groups: Vec<u16>,
    /// By row: the agent's own group.
    posts: Vec<u16>,
    flags: Vec<u8>,
    ids: Vec<u32>,
    /// By row; empty while no agent's size differs from the group's.
    sizes: Vec<f32>,
    radii: Vec<f32>,
    colours: Vec<[u8; 3]>,
    /// By group: the class of agents in the first state of its machine; empty when groups are classes.
    first: Vec<u16>,
}

impl Columns {
    /// Empty, with the colours of the groups.
    pub(crate) fn new(colours: Vec<[u8; 3]>) -> Self {
        Self { colours, ..Self::default() }
    }

    /// Every state of a group that thinks is a class of its own from now on: `first` of them by group,
    /// with the others behind it, and the colours of all.
    pub(crate) fn tell_states_apart(&mut self, first: Vec<u16>, colours: Vec<[u8; 3]>) {
        self.first = first;
        self.colours = colours;
    }

    /// Copies a world's columns.
    pub(crate) fn load<N: Numbers>(&mut self, world: &World<N>) {
        self.load_places(world);
        let (tags, count) = (world.tags(), world.len());
        let velocities = world.velocities();
        par::fill(&mut self.velocities, count, CHUNK, |row| single(&velocities[row]));
        let ordered: Vec<bool> = world.groups().iter().map(|group| group.has_order()).collect();
        par::fill(&mut self.posts, count, CHUNK, |row| tags[row].group);
        // An agent that stands still to shoot, for want of room in its goal, or because it has not
        // set off, is not on its way.
        let halts: Vec<bool> = world.groups().iter().map(|group| group.def.halts).collect();
        let fights = !world.weapons().is_empty();
        par::fill(&mut self.flags, count, CHUNK, |row| {
            let tag = tags[row];
            let group = usize::from(tag.group);
            let halted = fights && halts[group] && world.target(world.id(row)).is_some();
            let arrived = if tag.state & state::ARRIVED != 0 { ARRIVED } else { 0 };
            let waits = world.sets_off(world.id(row)).is_some();
            let under_way = ordered[group] && !halted && !waits && !tag.has_overflowed();
            arrived | if under_way { ORDERED } else { 0 }
        });
    }

    /// Copies only what tells where discs are: positions, classes, ids and radii. The other columns
    /// are not of this moment then, but as long.
    pub(crate) fn load_places<N: Numbers>(&mut self, world: &World<N>) {
        let (tags, positions, count) = (world.tags(), world.positions(), world.len());
        par::fill(&mut self.positions, count, CHUNK, |row| single(&positions[row]));
        let first = &self.first;
        let class = |row: usize| {
            let tag = tags[row];
            let base = world.base_group(tag.group);
            let Some(&first) = first.get(usize::from(base)) else { return base };
            let state = world.mind_of(base).map(|_| world.thoughts().state[tag.id as usize]);
            first + u16::from(state.unwrap_or(0))
        };
        par::fill(&mut self.groups, count, CHUNK, class);
        par::fill(&mut self.ids, count, CHUNK, |row| tags[row].id);
        self.velocities.resize(self.positions.len(), [0.0; 2]);
        self.posts.resize(self.positions.len(), 0);
        self.flags.resize(self.positions.len(), 0);
        self.sizes.clear();
        if world.differ_in_size() {
            par::fill(&mut self.sizes, count, CHUNK, |row| world.radius(row) as f32);
        }
        self.measure_classes(world);
    }

    /// The radii of the classes.
    fn measure_classes<N: Numbers>(&mut self, world: &World<N>) {
        let radius = |group: &Group<N>| group.def.radius as f32;
        self.radii.clear();
        if self.first.is_empty() {
            let groups = world.groups().iter().take(groups(world));
            self.radii.extend(groups.map(radius));
            self.colours.resize(self.radii.len(), [128; 3]);
            return;
        }
        self.radii.resize(self.colours.len(), 0.0);
        for (i, group) in world.groups().iter().enumerate().take(self.first.len()) {
            let start = usize::from(self.first[i]).min(self.radii.len());
            let end = self.first.get(i + 1).map_or(self.radii.len(), |&next| usize::from(next));
            self.radii[start..end.max(start)].fill(radius(group));
        }
    }

    /// By row, the groups as last loaded: those that agents are in, variants too.
    pub(crate) fn posts(&self) -> &[u16] {
        &self.posts
    }

    /// The crowd as last loaded.
    pub(crate) fn crowd(&self) -> Crowd<'_> {
        Crowd {
            positions: &self.positions,
            groups: &self.groups,
            flags: &self.flags,
            ids: &self.ids,
            sizes: &self.sizes,
            radii: &self.radii,
            colours: &self.colours,
        }
    }

    /// Velocities as last loaded, m/s.
    pub(crate) fn velocities(&self) -> &[[f32; 2]] {
        &self.velocities
    }
}

fn single<N: Numbers>(pair: &[N; 2]) -> [f32; 2] {
    pair.each(|number| number.to_f64() as f32)
}

/// The groups of a world up to the last that is no variant.
pub(crate) fn groups<N: Numbers>(world: &World<N>) -> usize {
    let is_variant = |group: u16| world.base_group(group) != group;
    (0..world.groups().len() as u16).rev().skip_while(|&group| is_variant(group)).count()
}

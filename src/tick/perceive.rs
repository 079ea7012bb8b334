//! What agents perceive of others: the nearest foe and friend, and how many are near.
//!
//! The raster of targets serves here too, with views of its own: one of the foes and one of the team
//! of every group that looks.

use crate::kernel::choose;
use crate::kernel::choose::{Best, Key, Seeker};
use crate::lane::{Lane, Numbers, Real};
use crate::space::{Grid, Query};
use crate::tick::aim::raster::{Raster, Target};
use crate::tick::aim::search::{Field, Search};
use crate::world::mind::input;
use crate::world::{Choice, World};

/// Teams that the agents of a group look for, and how far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight<N> {
    /// Teams, as bits, and their view.
    teams: u32,
    view: usize,
    range: N,
    /// Square of the range, and of what is near.
    far: f64,
    near: f64,
}

/// The foes and friends that the agents of a group look for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sights<N> {
    pub(super) foes: Sight<N>,
    pub(super) friends: Sight<N>,
    /// How far others are seen, and what is near, m.
    pub(super) range: N,
    pub(super) near: N,
}

/// Memory of the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N> {
    raster: Raster<N>,
    targets: Vec<Target>,
    /// By group.
    pub(super) sights: Vec<Sights<N>>,
}

/// The raster of agents that can be seen, ready for searches.
#[derive(Clone, Copy)]
pub(super) struct View<'a, N: Numbers> {
    memory: &'a Memory<N>,
    field: Field<'a, N>,
}

/// The inputs that take a look at others.
pub(super) const OTHERS: [u16; 4] = [input::ENEMY, input::FRIEND, input::ENEMIES, input::FRIENDS];

impl<N: Numbers> Memory<N> {
    /// Enters all agents into the raster; none when no group looks at others.
    pub(super) fn prepare(&mut self, world: &World<N>, grid: &Grid<N>) {
        let Self { raster, targets, sights } = self;
        sights.clear();
        targets.clear();
        raster.clear_views();
        let mut longest: f64 = 0.0;
        for (group, traits) in world.groups.list.iter().zip(&world.groups.traits) {
            let variant_set = world.variant_set(sights.len() as u16).filter(|_| group.members > 0);
            let mind =
                variant_set.map(|variant_set| &world.minds.list[usize::from(variant_set.mind)]);
            let Some(mind) = mind.filter(|mind| mind.reads(&OTHERS) || mind.heads_for_foes) else {
                sights.push(Sights::default());
                continue;
            };
            let square = |metres: f64| {
                let metres = N::Single::splat(N::from_f64(metres)).real();
                (metres * metres).get(0)
            };
            let (range, near) = (mind.def.sight, mind.def.near);
            longest = longest.max(range).max(near);
            let mut sight = |teams: u32| Sight {
                teams,
                view: raster.view(teams, Choice::Nearest),
                range: N::from_f64(range),
                far: square(range),
                near: square(near),
            };
            sights.push(Sights {
                foes: sight(traits.foes),
                friends: sight(traits.team),
                range: N::from_f64(range),
                near: N::from_f64(near),
            });
        }
        if longest > 0.0 {
            let looked_for = sights.iter().fold(0, |all, s| all | s.foes.teams | s.friends.teams);
            let team = |team: u32| Target { team: team & looked_for, threat: 0 };
            targets.extend(world.groups.traits.iter().map(|traits| team(traits.team)));
            raster.build(world, grid, targets, longest);
        }
    }

    /// The view of this tick.
    pub(super) fn view<'a>(&'a self, world: &'a World<N>, grid: &'a Grid<N>) -> View<'a, N> {
        let (pos, tags) = (world.agents.rows.pos.padded(), &world.agents.rows.tag[..]);
        View { memory: self, field: Field { raster: &self.raster, grid, pos, tags } }
    }
}

impl<N: Numbers> View<'_, N> {
    fn seeker(&self, row: usize, sight: &Sight<N>, far: f64) -> Seeker<N> {
        Seeker { pos: self.field.pos[row], row, foes: sight.teams, near: 0.0, far }
    }

    /// The row of the nearest one in sight of the agent in a row, and the square of its distance.
    pub(super) fn nearest<L: Lane<Num = N>>(
        &self,
        row: usize,
        sight: &Sight<N>,
    ) -> Option<(usize, f64)> {
        if sight.teams == 0 {
            return None;
        }
        let crowd = self.memory.raster.crowd(self.field.pos, sight.view);
        let seeker = self.seeker(row, sight, sight.far);
        let (view, range) = (sight.view, sight.range);
        let search = Search { field: &self.field, crowd, seeker, view, range };
        let Best([best]) = search.run::<L, 1>(Key::FIRST, Best::NONE);
        (best != Key::NONE).then_some((best.row as usize, best.square))
    }

    /// How many are near the agent in a row.
    pub(super) fn count<L: Lane<Num = N>>(&self, row: usize, sight: &Sight<N>, near: N) -> u32 {
        if sight.teams == 0 {
            return 0;
        }
        let crowd = self.memory.raster.crowd(self.field.pos, sight.view);
        let seeker = self.seeker(row, sight, sight.near);
        let [x, y] = seeker.pos;
        // Rounding takes less than this from a range.
        let near = near + N::from_f64(1.0 / 64.0);
        let query = Query { min: [x - near, y - near], max: [x + near, y + near] };
        let mut count = 0;
        self.field.grid.visit(query, |rows, _| count += choose::count::<L>(&seeker, &crowd, rows));
        count
    }
}

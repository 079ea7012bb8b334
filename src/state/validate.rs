//! The rows of agents and ids of an image, checked against each other and the map before any of
//! them is taken on.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::data::row;
use crate::kernel::wall_limit::OpenCells;
use crate::lane::Numbers;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::flight::Flight;
use crate::state::lists::{Columns, all_within};
use crate::state::minds::Thoughts;
use crate::state::parts::Parts;
use crate::state::ways::Ways;
use crate::world::{Aimed, Crowding, MAX_AGENTS, MAX_HEALTH, Tag, World, state};

/// Rows that one task checks.
const ROWS_PER_TASK: usize = 8_192;

/// The rows of an image that become columns, checked.
pub(super) struct Tables<'a> {
    pub(super) pos: &'a [u8],
    pub(super) vel: &'a [u8],
    pub(super) tag: &'a [u8],
    pub(super) generation: &'a [u8],
    pub(super) free: &'a [u8],
    pub(super) place: &'a [u8],
    pub(super) home: &'a [u8],
    pub(super) health: &'a [u8],
    pub(super) aim: &'a [u8],
    pub(super) rounds: &'a [u8],
    pub(super) flight: Flight<'a>,
    pub(super) ways: Ways<'a>,
    pub(super) thoughts: Thoughts<'a>,
    pub(super) crowd_cost: &'a [u8],
    pub(super) crowd_past: &'a [u8],
    pub(super) held: &'a [u8],
}

/// What velocities lie between: nobody is faster than the fastest group, but for rounding. Who has
/// changed to a slower group since may be faster than that one.
fn speeds<N: Numbers>(parts: &Parts<N>) -> [N; 2] {
    let groups = parts.groups.iter().zip(&parts.traits);
    let speeds = groups.map(|(group, traits)| group.def.speed * group.def.sprint * traits.quickest);
    let most = speeds.fold(0.0, f64::max) * 1.01 + 0.01;
    [N::from_f64(-most), N::from_f64(most)]
}

/// Whether all of these positions, which are finite, lie in open cells.
fn is_open<N: Numbers>(ground: &OpenCells<'_, N>, pos: &[u8]) -> bool {
    pos.chunks_exact(8).all(|pos| ground.is_open(ground.cell(row::read(pos))))
}

impl<'a> Tables<'a> {
    /// Reads the rows and checks that they are a state's.
    pub(super) fn read<N: Numbers>(
        world: &World<N>,
        parts: &Parts<N>,
        columns: &Columns<'a, '_>,
    ) -> Result<Self, SnapshotError> {
        let tables = Self {
            pos: columns.list("agents.pos")?,
            vel: columns.list("agents.vel")?,
            tag: columns.list("agents.tag")?,
            generation: columns.list("ids.generation")?,
            free: columns.list("ids.free")?,
            place: columns.list("ids.place")?,
            home: columns.list("ids.home")?,
            health: columns.list("fighters.health")?,
            aim: columns.list("fighters.aim")?,
            rounds: columns.list("fighters.rounds")?,
            flight: Flight {
                pos: columns.list("projectiles.pos")?,
                vel: columns.list("projectiles.vel")?,
                shot: columns.list("projectiles.shot")?,
            },
            ways: Ways::read(columns)?,
            thoughts: Thoughts::read(columns)?,
            crowd_cost: columns.list("crowding.cost")?,
            crowd_past: columns.list("crowding.past")?,
            held: columns.list("crowding.held")?,
        };
        let (agents, ids) = (tables.tag.len() / size_of::<Tag>(), tables.generation.len() / 4);
        let widths =
            [tables.pos.len(), tables.vel.len(), tables.place.len() * 2, tables.home.len()];
        if widths != [agents * 8, agents * 8, ids * 8, ids * 8] {
            return Err(contradiction("columns of a table differ in their rows"));
        }
        if agents > MAX_AGENTS || agents + tables.free.len() / 4 != ids {
            let free = tables.free.len() / 4;
            return Err(contradiction(format!("{agents} agents and {free} free ids of {ids}")));
        }
        let combatants = if parts.weapons.is_empty() { 0 } else { ids };
        let found = [tables.health.len() / 4, tables.aim.len() / size_of::<Aimed>()];
        if found != [combatants; 2] || tables.rounds.len() != 4 * combatants {
            return Err(contradiction(format!("there are not {combatants} fighters")));
        }
        if !all_within(tables.health, [N::ZERO, N::from_f64(MAX_HEALTH)]) {
            return Err(contradiction("a health is negative or too large"));
        }
        tables.flight.check(world, parts.tick, parts.groups.len(), &parts.weapons)?;
        tables.ways.check(world, &parts.groups, &parts.traits, ids)?;
        tables.thoughts.check(&parts.minds, &parts.traits, ids, tables.tag)?;
        let blocks = match tables.crowd_cost.len() / 2 {
            0 => [0, 0],
            _ => [Crowding::blocks_on(&world.ground.map), ids],
        };
        if blocks != [tables.crowd_cost.len() / 2, tables.crowd_past.len() / 8] {
            return Err(contradiction("crowds were counted on another map"));
        }
        if !tables.held.is_empty() && tables.held.len() != Crowding::blocks_on(&world.ground.map) {
            return Err(contradiction("ground is held on another map"));
        }
        tables.check_homes::<N>()?;
        tables.check_agents(world, parts)?;
        Ok(tables)
    }

    fn check_homes<N: Numbers>(&self) -> Result<(), SnapshotError> {
        let size = ROWS_PER_TASK * size_of::<[N; 2]>();
        let lists = [self.home, self.crowd_past];
        let range = [N::ZERO, N::from_f64(N::EXTENT)];
        let good = lists.iter().all(|l| l.par_chunks(size).all(|rows| all_within(rows, range)));
        if good { Ok(()) } else { Err(contradiction("a home or a former place is on no map")) }
    }

    /// Every agent has a live id of its own, a group that counts it, and stands on open ground.
    fn check_agents<N: Numbers>(
        &self,
        world: &World<N>,
        parts: &Parts<N>,
    ) -> Result<(), SnapshotError> {
        let (ids, rows) = rayon::join(|| self.check_ids(), || self.check_rows(world, parts));
        ids.and(rows)
    }

    /// Every id belongs to one agent, or is free and of odd generation.
    ///
    /// There are as many agents and free ids as ids, so it is enough that none comes up twice.
    fn check_ids(&self) -> Result<(), SnapshotError> {
        let ids = self.generation.len() / 4;
        let mut seen = vec![0_u64; ids.div_ceil(64)];
        let mut is_new = |id: usize| {
            let (word, bit) = (seen.get_mut(id / 64)?, 1 << (id % 64));
            (id < ids && std::mem::replace(word, *word | bit) & bit == 0).then_some(())
        };
        let is_odd = |generation: &[u8]| generation[0] & 1 == 1;
        for free in self.free.chunks_exact(4) {
            let id = row::read::<u32>(free) as usize;
            let odd = self.generation.get(4 * id..).is_some_and(is_odd);
            if !odd || is_new(id).is_none() {
                return Err(contradiction(format!("the id {id} is listed as free, but is not")));
            }
        }
        let odd = self.generation.chunks_exact(4).filter(|bytes| is_odd(bytes)).count();
        if odd != self.free.len() / 4 {
            return Err(contradiction(format!("{odd} ids of odd generation are not all free")));
        }
        for tag in self.tag.chunks_exact(8) {
            let Tag { id, .. } = row::read(tag);
            if is_new(id as usize).is_none() {
                return Err(contradiction(format!("two agents have the id {id}, or it is free")));
            }
        }
        Ok(())
    }

    fn check_rows<N: Numbers>(
        &self,
        world: &World<N>,
        parts: &Parts<N>,
    ) -> Result<(), SnapshotError> {
        let members: Vec<AtomicU32> = parts.groups.iter().map(|_| AtomicU32::new(0)).collect();
        let size = 8 * ROWS_PER_TASK;
        let numbers = self.pos.par_chunks(size).zip(self.vel.par_chunks(size));
        let (speeds, extent) = (speeds(parts), [N::ZERO, N::from_f64(N::EXTENT)]);
        self.tag.par_chunks(size).zip(numbers).try_for_each(|(tags, (pos, vel))| {
            let ground = world.open_cells();
            let numbers_are_good =
                |pos: &[u8], vel: &[u8]| all_within(vel, speeds) && all_within(pos, extent);
            self.check_tags(parts, tags, &members)?;
            if numbers_are_good(pos, vel) && is_open(&ground, pos) {
                return Ok(());
            }
            let rows = tags.chunks_exact(8).zip(pos.chunks_exact(8)).zip(vel.chunks_exact(8));
            let wrong = rows.into_iter().find(|((_, pos), vel)| {
                let is_good = numbers_are_good(pos, vel) && is_open(&ground, pos);
                !is_good
            });
            let ((tag, pos), vel) = wrong.expect("one of them is wrong");
            let (Tag { id, .. }, [x, y], v): (Tag, [N; 2], [N; 2]) =
                (row::read(tag), row::read(pos), row::read(vel));
            Err(contradiction(format!(
                "agent {id} cannot be at ({x:?}, {y:?}) with velocity {v:?}"
            )))
        })?;
        let counts = parts.groups.iter().zip(members);
        match counts.enumerate().find(|(_, (group, n))| group.members != n.load(Relaxed)) {
            Some((index, _)) => {
                Err(contradiction(format!("group {index} counts its members wrong")))
            }
            None => Ok(()),
        }
    }

    /// Checks tags and counts the members of groups.
    fn check_tags<N: Numbers>(
        &self,
        parts: &Parts<N>,
        tags: &[u8],
        members: &[AtomicU32],
    ) -> Result<(), SnapshotError> {
        let mut counts = vec![0; members.len()];
        for tag in tags.chunks_exact(8) {
            let tag: Tag = row::read(tag);
            match counts.get_mut(usize::from(tag.group)) {
                Some(count) => *count += 1,
                None => return Err(contradiction(format!("there is no group {}", tag.group))),
            }
            if tag.state & (state::LEAVING | state::PLACED) != 0
                && let Some(why) = self.wrong_place(parts, tag)
            {
                return Err(contradiction(format!("agent {}: {why}", tag.id)));
            }
        }
        for (members, count) in members.iter().zip(counts).filter(|(_, count)| *count > 0) {
            members.fetch_add(count, Relaxed);
        }
        Ok(())
    }

    /// What is wrong with an agent that leaves, or has a place of its own.
    fn wrong_place<N: Numbers>(&self, parts: &Parts<N>, tag: Tag) -> Option<&'static str> {
        if tag.state & state::LEAVING != 0 {
            return Some("it should have left");
        }
        let goal = parts.groups.get(usize::from(tag.group))?.goal.as_ref()?;
        let bytes = self.place.get(4 * tag.id as usize..)?.get(..4)?;
        let place: u32 = row::read(bytes);
        (place as usize >= goal.places.len()).then_some("it has a place that there is not")
    }
}

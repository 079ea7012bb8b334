//! The rows of agents and ids of an image, checked against each other and the map before any of
//! them is taken on.

use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::data::{ColumnView, row};
use crate::kernel::wall_limit::OpenCells;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::par;
use crate::state::Image;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::flight::check_projectiles;
use crate::state::kept::{Kept, all_within, expect_lists};
use crate::state::minds::check_thoughts;
use crate::state::parts::Parts;
use crate::state::ways::check_steps;
use crate::world::{Crowding, Guidance, MAX_AGENTS, MAX_HEALTH, PARTS, Tag, Traits, World, state};

/// Rows that one task checks.
const ROWS_PER_TASK: usize = 8_192;

/// Bounds of velocities: no agent is faster than the fastest group, but for rounding. An agent that
/// has changed to a slower group since may be faster than that group.
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

/// Refuses columns of a table that have not as many rows as they should.
fn expect_rows(
    image: &Image<'_>,
    table: &[ColumnView<'_>],
    rows: usize,
) -> Result<(), SnapshotError> {
    for column in table {
        let (name, width) = (column.name, row::width(column.words));
        match image.lists(name)? {
            &[list] if list.len() == rows * width => {}
            &[list] => {
                let found = list.len() / width;
                return Err(contradiction(format!("{name} has {found} rows, not {rows}")));
            }
            lists => return Err(contradiction(format!("{name} has {} lists", lists.len()))),
        }
    }
    Ok(())
}

/// Checks that the rows of an image are a state's.
pub(super) fn check_rows<N: Numbers>(
    world: &World<N>,
    image: &Image<'_>,
    kept: &Kept<'_, N>,
    parts: &Parts<N>,
) -> Result<(), SnapshotError> {
    let (agents, ids, free) = (kept.tag.len(), kept.ids(), kept.free.len());
    let rows_if = |used: bool| if used { ids } else { 0 };
    let by_points = parts.groups.iter().any(|group| group.def.navigator.is_by_points());
    expect_rows(image, &world.agents.rows.columns(), agents)?;
    expect_rows(image, &world.combat.combatants.columns(), rows_if(!parts.weapons.is_empty()))?;
    expect_rows(image, &world.combat.projectiles.columns(), kept.shot.len())?;
    expect_rows(image, &world.routes.steps.columns(), rows_if(by_points))?;
    expect_rows(
        image,
        &world.minds.thoughts.columns(),
        rows_if(!parts.minds.variant_sets.is_empty()),
    )?;
    expect_lists("ids", ids, [kept.place.len(), kept.home.len()])?;
    let own = [kept.smaller, kept.slower];
    let ticks = [kept.waits.len(), kept.chooses.len()];
    let told =
        [kept.labels.len(), kept.paces.len(), ticks[0], ticks[1], own[0].len(), own[1].len()];
    if told.iter().any(|len| ![0, ids].contains(len)) {
        return Err(contradiction(format!(
            "{told:?} labels, paces, waits, choices, radii and responses for {ids} ids"
        )));
    }
    if own.iter().any(|column| column.iter().any(|parts| parts >= PARTS)) {
        return Err(contradiction("an agent is of no size, or never takes on a velocity"));
    }
    if kept.waits.len() > kept.paces.len() {
        return Err(contradiction("agents wait, and none has a pace"));
    }
    if agents > MAX_AGENTS || agents + free != ids {
        return Err(contradiction(format!("{agents} agents and {free} free ids of {ids}")));
    }
    // Agents that have died and not left yet have less than none.
    if !all_within(kept.health.bytes, [-N::ONE, N::from_f64(MAX_HEALTH)]) {
        return Err(contradiction("a health is too small or too large"));
    }
    check_projectiles(world, kept, &parts.weapons)?;
    check_steps(world, kept, &parts.groups, &parts.traits)?;
    check_thoughts(kept, &parts.minds, &parts.traits)?;
    check_followers(kept, parts)?;
    let blocks = match kept.crowd_cost.len() {
        0 => [0, 0],
        _ => [Crowding::blocks_on(&world.ground.map), ids],
    };
    if blocks != [kept.crowd_cost.len(), kept.crowd_past.len()] {
        return Err(contradiction("crowds were counted on another map"));
    }
    let held = kept.held.len();
    if held != 0 && held != Crowding::blocks_on(&world.ground.map) {
        return Err(contradiction("ground is held on another map"));
    }
    check_homes(kept)?;
    let (ids, rows) = rayon::join(|| check_ids(kept), || check_agents(world, kept, parts));
    ids.and(rows)
}

/// Refuses columns of followers that have not a row for every id, or points on no map.
fn check_followers<N: Numbers>(kept: &Kept<'_, N>, parts: &Parts<N>) -> Result<(), SnapshotError> {
    let follows = |traits: &Traits<N>| traits.guidance == Guidance::Leader;
    let (told, ids) = ([kept.heads.len(), kept.leaders.len()], kept.ids());
    let needed = !kept.followings.0.is_empty() || parts.traits.iter().any(follows);
    if told != [ids; 2] && (needed || told != [0; 2]) {
        return Err(contradiction(format!("{told:?} of {ids} agents follow others")));
    }
    match all_within(kept.heads.bytes, [-N::ONE, N::ONE].each(|side| side * N::from_f64(N::EXTENT)))
    {
        true => Ok(()),
        false => Err(contradiction("an agent heads for a place on no map")),
    }
}

fn check_homes<N: Numbers>(kept: &Kept<'_, N>) -> Result<(), SnapshotError> {
    let size = ROWS_PER_TASK * size_of::<[N; 2]>();
    let lists = [kept.home.bytes, kept.crowd_past.bytes];
    let range = [N::ZERO, N::from_f64(N::EXTENT)];
    let good = |list: &[u8]| {
        par::runs(list.len(), size, |bytes| all_within(&list[bytes], range))
            .iter()
            .all(|&good| good)
    };
    if lists.into_iter().all(good) {
        Ok(())
    } else {
        Err(contradiction("a home or a former place is on no map"))
    }
}

/// Every id belongs to one agent, or is free and of odd generation.
///
/// There are as many agents and free ids as ids, so it is enough that none comes up twice.
fn check_ids<N: Numbers>(kept: &Kept<'_, N>) -> Result<(), SnapshotError> {
    let ids = kept.ids();
    let mut seen = vec![0_u64; ids.div_ceil(64)];
    let mut is_new = |id: usize| {
        let (word, bit) = (seen.get_mut(id / 64)?, 1 << (id % 64));
        (id < ids && std::mem::replace(word, *word | bit) & bit == 0).then_some(())
    };
    for id in kept.free.iter() {
        let is_odd = kept.generation.get(id as usize).is_some_and(|generation| generation & 1 == 1);
        if !is_odd || is_new(id as usize).is_none() {
            return Err(contradiction(format!("the id {id} is listed as free, but is not")));
        }
    }
    let odd = kept.generation.iter().filter(|generation| generation & 1 == 1).count();
    if odd != kept.free.len() {
        return Err(contradiction(format!("{odd} ids of odd generation are not all free")));
    }
    for Tag { id, .. } in kept.tag.iter() {
        if is_new(id as usize).is_none() {
            return Err(contradiction(format!("two agents have the id {id}, or it is free")));
        }
    }
    Ok(())
}

/// Every agent has a group that counts it, and stands on open ground.
fn check_agents<N: Numbers>(
    world: &World<N>,
    kept: &Kept<'_, N>,
    parts: &Parts<N>,
) -> Result<(), SnapshotError> {
    let members: Vec<AtomicU32> = parts.groups.iter().map(|_| AtomicU32::new(0)).collect();
    let size = 8 * ROWS_PER_TASK;
    let (speeds, extent) = (speeds(parts), [N::ZERO, N::from_f64(N::EXTENT)]);
    let check = |bytes: Range<usize>| {
        let [tags, pos, vel] =
            [kept.tag.bytes, kept.pos.bytes, kept.vel.bytes].each(|column| &column[bytes.clone()]);
        let ground = world.ground.open_cells();
        let numbers_are_good =
            |pos: &[u8], vel: &[u8]| all_within(vel, speeds) && all_within(pos, extent);
        check_tags(kept, parts, tags, &members)?;
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
        Err(contradiction(format!("agent {id} cannot be at ({x:?}, {y:?}) with velocity {v:?}")))
    };
    par::runs(kept.tag.bytes.len(), size, check).into_iter().collect::<Result<(), _>>()?;
    let counts = parts.groups.iter().zip(members);
    match counts.enumerate().find(|(_, (group, n))| group.members != n.load(Relaxed)) {
        Some((index, _)) => Err(contradiction(format!("group {index} counts its members wrong"))),
        None => Ok(()),
    }
}

/// Checks tags and counts the members of groups.
fn check_tags<N: Numbers>(
    kept: &Kept<'_, N>,
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
        if tag.state & state::LEAVING == 0 && parts.groups[usize::from(tag.group)].is_removed {
            return Err(contradiction(format!("agent {} is in a removed group", tag.id)));
        }
        if tag.state & state::PLACED != 0
            && let Some(why) = wrong_place(kept, parts, tag)
        {
            return Err(contradiction(format!("agent {}: {why}", tag.id)));
        }
    }
    for (members, count) in members.iter().zip(counts).filter(|(_, count)| *count > 0) {
        members.fetch_add(count, Relaxed);
    }
    Ok(())
}

/// What is wrong with an agent that has a place of its own.
fn wrong_place<N: Numbers>(kept: &Kept<'_, N>, parts: &Parts<N>, tag: Tag) -> Option<&'static str> {
    let goal = parts.groups.get(usize::from(tag.group))?.goal.as_ref()?;
    let place = kept.place.get(tag.id as usize)?;
    (place as usize >= goal.places.len()).then_some("it has a place that there is not")
}

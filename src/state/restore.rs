//! Restoring: a world becomes what it was when an image was saved.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::{Row, row};
use crate::lane::{Numbers, built_here};
use crate::map::Clearance;
use crate::state::image::expect;
use crate::state::kept::{Kept, Rows, columns};
use crate::state::map::{changes, doors};
use crate::state::parts::{Class, Parts};
use crate::state::validate::check_rows;
use crate::state::{Image, SnapshotError, minds, save};
use crate::world::navigation::SEARCHES;
use crate::world::{Sectors, World, door, state};

type Checked = Result<(), SnapshotError>;

/// Takes a world back, or forward, to the state of an image. Ids stay valid: they name the agents
/// that they named when it was saved.
///
/// The world must have the same map, settings and number type as the one that was saved; all else
/// is replaced. The image is read and checked as a whole before anything changes. Flow fields are
/// not in an image: fields that the world has already are used again, others are made again, which
/// takes as long as it took the first time. [`World::outcomes`],
/// [`World::impacts`] and [`World::fallen`] are empty afterwards.
///
/// # Errors
/// When the image is damaged, of another version, of another map or with other settings, or
/// contradicts itself. The world is as it was then.
pub fn restore<N: Numbers>(world: &mut World<N>, image: &[u8]) -> Result<(), SnapshotError> {
    let image = Image::read(image)?;
    restore_image(world, &image)
}

/// The same from an image that has been read.
pub(super) fn restore_image<N: Numbers>(
    world: &mut World<N>,
    image: &Image<'_>,
) -> Result<(), SnapshotError> {
    built_here!(N; fn(world: &mut World<N>, image: &Image<'_>) -> Checked = take_back)(world, image)
}

fn take_back<N: Numbers>(world: &mut World<N>, image: &Image<'_>) -> Checked {
    expect("numeric mode", N::NUMERIC.word(), image.numeric.word())?;
    expect("map hash", hex(world.ground.given_map.hash()), hex(image.map_hash))?;
    check_layout(world, image)?;
    let kept = Kept::read(&|name| image.lists(name))?;
    if kept.settings.0[..] != [world.settings] {
        let (expected, found) = (&world.settings, &kept.settings.0);
        expect("settings", format!("{expected:?}"), format!("{found:?}"))?;
    }
    let (changes, doors) = (changes(world, &kept)?, doors(world, &kept)?);
    if changes == world.ground.changes {
        let barred = match doors == world.ground.doors {
            true => world.ground.barred.clone(),
            false => door::barred(&world.ground.map, &doors),
        };
        let (doors, barred) = world.ground.replace_doors(doors, barred);
        match checked(world, image, &kept) {
            Ok(parts) => take_on(world, parts, image, &kept),
            Err(error) => {
                world.ground.replace_doors(doors, barred);
                return Err(error);
            }
        }
        return Ok(());
    }
    // On another map there is nothing to use again but memory.
    let mut other = World::new(Arc::clone(&world.ground.given_map), world.settings)?;
    other.ground.map = changes.apply(&world.ground.given_map);
    other.ground.changes = changes;
    other.ground.barred = door::barred(&other.ground.map, &doors);
    let parts = checked(&other, image, &kept)?;
    world.routes.sectors = Sectors::default();
    world.routes.crowding.forget_map();
    world.ground.classes.clear();
    world.routes.fields = other.routes.fields;
    world.ground.map = other.ground.map;
    world.ground.changes = other.ground.changes;
    world.ground.replace_doors(doors, other.ground.barred);
    take_on(world, parts, image, &kept);
    Ok(())
}

/// The small parts of an image, once all of it is known to fit together on the map of a world.
fn checked<N: Numbers>(
    world: &World<N>,
    image: &Image<'_>,
    kept: &Kept<'_, N>,
) -> Result<Parts<N>, SnapshotError> {
    let parts = Parts::read(world, kept)?;
    check_rows(world, image, kept, &parts)?;
    Ok(parts)
}

/// Checks that a world's state does not contradict itself: what a snapshot of it must hold to be
/// restored.
///
/// # Errors
/// The first contradiction.
pub fn validate<N: Numbers>(world: &World<N>) -> Result<(), SnapshotError> {
    built_here!(N; fn(world: &World<N>) -> Checked = check)(world)
}

fn check<N: Numbers>(world: &World<N>) -> Checked {
    let saved = save(world);
    let image = Image::read(&saved)?;
    let kept = Kept::read(&|name| image.lists(name))?;
    changes(world, &kept)?;
    doors(world, &kept)?;
    checked(world, &image, &kept)?;
    Ok(())
}

fn hex(number: u64) -> String {
    format!("{number:016x}")
}

/// The columns must be this program's, word by word.
fn check_layout<N: Numbers>(world: &World<N>, image: &Image<'_>) -> Result<(), SnapshotError> {
    let own = columns(world);
    let names: Vec<&str> = own.iter().map(|column| column.name).collect();
    let found: Vec<&str> = image.columns.iter().map(|column| &column.name[..]).collect();
    expect("columns", names.join(" "), found.join(" "))?;
    for (own, found) in own.iter().zip(&image.columns) {
        let words = own.words.iter().map(|word| (word.label(), word.kind));
        let found_words = found.words.iter().map(|(name, kind)| (Cow::Borrowed(&name[..]), *kind));
        if !words.eq(found_words) || own.unit != found.unit {
            return Err(SnapshotError::Contradiction(format!("{} has other words", own.name)));
        }
    }
    Ok(())
}

/// Replaces the state by what has been checked.
fn take_on<N: Numbers>(
    world: &mut World<N>,
    parts: Parts<N>,
    image: &Image<'_>,
    kept: &Kept<'_, N>,
) {
    world.forget_corridors();
    world.log.tick = parts.tick;
    world.log.ordered = parts.ordered;
    world.groups.list = parts.groups;
    world.groups.removed.clear();
    let indices = (0..).zip(&world.groups.list).filter(|(_, group)| group.is_removed);
    world.groups.removed.extend(indices.map(|(index, _)| index));
    world.routes.by_points =
        world.groups.list.iter().any(|group| group.def.navigator.is_by_points());
    world.groups.traits = parts.traits;
    world.groups.companies = parts.companies;
    world.combat.weapons = parts.weapons;
    world.teams.commanders = parts.commanders;
    world.traffic = parts.traffic;
    world.structures = parts.structures;
    minds::take_on(world, parts.minds);
    world.log.outcomes.clear();
    world.combat.impacts.clear();
    world.combat.fallen.clear();
    world.teams.plan_events.clear();
    let stays =
        |(index, class): (usize, &Class)| matches!(class, Class::Same(old) if *old == index);
    if !parts.classes.iter().enumerate().take(world.ground.classes.len()).all(stays) {
        world.routes.sectors = Sectors::default();
    }
    let mut old: Vec<Option<Arc<Clearance>>> = world.ground.classes.drain(..).map(Some).collect();
    world.ground.classes.extend(parts.classes.into_iter().map(|class| match class {
        Class::Same(index) => old[index].take().expect("classes differ"),
        Class::New(class) => class,
    }));
    world.routes.fields.become_restored(parts.fields);
    let list = |name| image.lists(name).expect("the columns are this program's")[0];
    world.agents.rows.fill(list);
    world.agents.some_leave =
        world.agents.rows.tag.iter().any(|tag| tag.state & state::LEAVING != 0);
    world.combat.combatants.fill(list);
    world.combat.projectiles.fill(list);
    world.routes.steps.fill(list);
    world.minds.thoughts.fill(list);
    fill(kept.queue, &mut world.routes.navigation.queue);
    world.routes.navigation.debt = [0; SEARCHES];
    for (debt, kept) in world.routes.navigation.debt.iter_mut().zip(kept.debt.iter()) {
        *debt = kept;
    }
    world.prepare_all_ways();
    let (generation, free) = world.agents.ids.parts_mut();
    fill(kept.generation, generation);
    fill(kept.free, free);
    fill(kept.place, &mut world.agents.place_of);
    fill(kept.home, &mut world.agents.home);
    fill(kept.labels, &mut world.agents.labels);
    fill(kept.paces, &mut world.agents.paces);
    fill(kept.waits, &mut world.agents.waits);
    fill(kept.heads, &mut world.agents.heads);
    fill(kept.leaders, &mut world.agents.leaders);
    fill(kept.chooses, &mut world.agents.chooses);
    fill(kept.smaller, &mut world.groups.own.smaller);
    fill(kept.slower, &mut world.groups.own.slower);
    world.routes.crowding.restore(
        &world.ground.map,
        kept.crowd_cost.iter(),
        kept.crowd_past.iter(),
    );
    world.routes.holding.restore(&world.ground.map, kept.held.bytes);
}

fn fill<T: Row + Send>(kept: Rows<'_, T>, rows: &mut Vec<T>) {
    rows.resize(kept.len(), T::zeroed());
    row::read_all(kept.bytes, rows);
}

/// Flips one bit of kept state: of a row, counted through all lists of the column. For tests of
/// whatever is to notice it.
///
/// # Errors
/// When the state would contradict itself.
///
/// # Panics
/// When there is no such column, row or bit.
#[doc(hidden)]
pub fn plant<N: Numbers>(
    world: &mut World<N>,
    column: &str,
    row: usize,
    bit: usize,
) -> Result<(), SnapshotError> {
    let saved = save(world);
    let mut image = Image::read(&saved).expect("a good image");
    let place = image.columns.iter().position(|c| c.name == column).expect("such a column");
    let column = &mut image.columns[place];
    let mut at = row * column.width() + bit / 8;
    let mut changed: Vec<Vec<u8>> = column.lists.iter().map(|list| list.to_vec()).collect();
    let list = changed.iter_mut().find(|list| {
        let is_here = at < list.len();
        if !is_here {
            at -= list.len();
        }
        is_here
    });
    list.expect("such a row")[at] ^= 1 << (bit % 8);
    column.lists = changed.iter().map(|list| &list[..]).collect();
    restore_image(world, &image)
}

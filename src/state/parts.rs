//! The parts of a state that are small: groups, companies and fields, made from their rows.

use std::sync::Arc;

use crate::data::{GroupId, WeaponId};
use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::map::{ClassKind, Clearance, Map, area};
use crate::math::each::Each;
use crate::nav::field::{CrowdCosts, FieldLimits, FieldsSnapshot, Restored};
use crate::state::error::{SnapshotError, contradiction};
use crate::state::kept::{Kept, expect_lists};
use crate::state::minds::Minds;
use crate::state::rows::{Clock, CompanyRow, GoalRow};
use crate::state::strategies::commanders;
use crate::state::structures::structures;
use crate::state::traffic::traffic;
use crate::state::ways::way;
use crate::world::{
    Commander, Company, CompanyDef, CompanyGoal, FormerGround, Goal, Group, GroupDef, Guidance,
    MAX_GROUPS, MAX_TICKS, MAX_WEAPONS, Structures, Tally, Traffic, Traits, Weapon, WeaponDef,
    World, check_classes,
};

/// A class of the restored world.
pub(super) enum Class {
    /// The one of this index, as it is.
    Same(usize),
    /// One that the world has not had.
    New(Arc<Clearance>),
}

/// Everything but the rows of agents and ids, ready to be taken on.
pub(super) struct Parts<N: Numbers> {
    pub(super) tick: u64,
    pub(super) ordered: u64,
    pub(super) groups: Vec<Group<N>>,
    pub(super) traits: Vec<Traits<N>>,
    pub(super) classes: Vec<Class>,
    pub(super) companies: Vec<Company<N>>,
    pub(super) weapons: Vec<Weapon<N>>,
    pub(super) commanders: Vec<Commander<N>>,
    pub(super) minds: Minds<N>,
    pub(super) fields: Restored,
    pub(super) traffic: Traffic,
    pub(super) structures: Structures,
}

impl<N: Numbers> Parts<N> {
    /// Reads and checks the parts. The world lends what it has made already: classes and fields.
    pub(super) fn read(world: &World<N>, kept: &Kept<'_, N>) -> Result<Self, SnapshotError> {
        let &[Clock { ticks: tick, orders: ordered, map_version }] = &kept.clock.0[..] else {
            return Err(contradiction("there is not one clock"));
        };
        if tick > MAX_TICKS {
            return Err(contradiction(format!("{tick} ticks are too many")));
        }
        let count = kept.group_defs.0.len();
        if count > MAX_GROUPS {
            return Err(contradiction(format!("{count} groups are too many")));
        }
        let of_groups = [
            kept.letters.len(),
            kept.groups.0.len(),
            kept.goals.0.len(),
            kept.places.len(),
            kept.free_places.0.len(),
            kept.behaviours.0.len(),
            kept.seeds.len(),
            kept.area.len(),
            kept.crumbs.len(),
        ];
        expect_lists("groups", count, of_groups)?;
        let mut defs = kept.group_defs.0.clone();
        for (def, letters) in defs.iter_mut().zip(&kept.letters) {
            let letters: Vec<[u8; 2]> = letters.iter().collect();
            if !def.terrain.set_all(&letters) {
                return Err(contradiction(format!("{letters:?} are no letters of a map")));
            }
        }
        let weapons = weapons(world, kept)?;
        let unarmed = |weapon: &WeaponId| usize::from(*weapon) >= weapons.len();
        if let Some(weapon) = defs.iter().filter_map(|def| def.weapon).find(unarmed) {
            return Err(contradiction(format!("a group carries weapon {weapon}, which is none")));
        }
        let (classes, indices) = classes(world, &defs)?;
        let (mut groups, mut traits) = (Vec::new(), Vec::new());
        for (index, def) in defs.into_iter().enumerate() {
            let row = kept.groups.0[index];
            let quickest = world.ground.quickest.factor(&def.terrain);
            let mut kernel = Traits::new(&def, &world.ground.map, quickest, world.dt());
            (kernel.guidance, kernel.target) = (row.guidance, row.target);
            traits.push(kernel);
            let behaviours = kept.behaviours.0[index].clone();
            let mut looks_at = behaviours.iter().filter_map(|b| b.kind.group());
            if let Some(group) = looks_at.find(|&group| !is_group(kept, group)) {
                return Err(contradiction(format!("a behaviour looks at group {group}")));
            }
            let steering = world.steering(&def, &behaviours);
            let steering = steering.map_err(|why| contradiction(why.to_string()))?;
            let of_way = [kept.seeds[index], kept.area[index], kept.crumbs[index]];
            let way = way(world, &def, row.target, of_way)?;
            groups.push(Group {
                class: indices[index],
                members: row.members,
                goal: goal(&world.ground.map, kept, index)?,
                field: row.field,
                next_field: row.next_field,
                plain_field: row.plain_field,
                way,
                behaviours,
                steering,
                company: row.company,
                marches: row.marches,
                fallen: row.fallen,
                detached_from: row.detached_from,
                generation: row.generation,
                is_removed: row.is_removed,
                def,
            });
        }
        check_detachments(&groups)?;
        check_removed(&groups, &traits)?;
        let companies = companies(&world.ground.map, kept, &groups)?;
        let commanders = commanders(kept, &groups)?;
        let fields = fields(world, kept, &classes, &groups, map_version)?;
        let minds = Minds::read(kept, count)?;
        let traffic = traffic(kept, &groups, &world.ground.map)?;
        let structures = structures(kept, &world.ground.map, count)?;
        let parts = Self {
            tick,
            ordered,
            groups,
            traits,
            classes,
            companies,
            weapons,
            minds,
            commanders,
            fields,
            traffic,
            structures,
        };
        Ok(parts)
    }
}

/// Whether a group is there.
fn is_group<N: Numbers>(kept: &Kept<'_, N>, group: GroupId) -> bool {
    let row = kept.groups.0.get(usize::from(group));
    row.is_some_and(|row| row.generation == group.generation() && !row.is_removed)
}

/// Agents are detached from groups that are there and are not detached themselves.
fn check_detachments<N: Numbers>(groups: &[Group<N>]) -> Result<(), SnapshotError> {
    let is_wrong = |base: &u16| {
        let base = groups.get(usize::from(*base));
        base.is_none_or(|base| base.detached_from.is_some() || base.is_removed)
    };
    match groups.iter().filter_map(|group| group.detached_from).find(is_wrong) {
        Some(base) => Err(contradiction(format!("agents are detached from group {base}"))),
        None => Ok(()),
    }
}

/// Groups that were removed go nowhere, and belong to nothing.
fn check_removed<N: Numbers>(
    groups: &[Group<N>],
    traits: &[Traits<N>],
) -> Result<(), SnapshotError> {
    let is_wrong = |(group, traits): (&Group<N>, &Traits<N>)| {
        let is_bare = group.goal.is_none()
            && group.fields().next().is_none()
            && group.behaviours.is_empty()
            && group.company.is_none()
            && group.detached_from.is_none()
            && !group.marches
            && traits.guidance == Guidance::Stand;
        group.is_removed && !is_bare
    };
    match groups.iter().zip(traits).position(is_wrong) {
        Some(group) => Err(contradiction(format!("group {group} was removed, and acts"))),
        None => Ok(()),
    }
}

fn weapons<N: Numbers>(
    world: &World<N>,
    kept: &Kept<'_, N>,
) -> Result<Vec<Weapon<N>>, SnapshotError> {
    let (defs, tallies) = (&kept.weapon_defs.0, &kept.tallies.0);
    if defs.len() != tallies.len() || defs.len() > MAX_WEAPONS {
        let why = format!("{} tallies of {} weapons", tallies.len(), defs.len());
        return Err(contradiction(why));
    }
    let weapon = |(def, &tally): (&WeaponDef, &Tally)| {
        def.check()?;
        Ok(Weapon { tally, ..Weapon::new(def.clone(), world.settings.tick_rate) })
    };
    defs.iter().zip(tallies).map(weapon).collect()
}

/// The classes of groups in the order in which they come up, and the class of every group.
fn classes<N: Numbers>(
    world: &World<N>,
    defs: &[GroupDef],
) -> Result<(Vec<Class>, Vec<u16>), SnapshotError> {
    let mut kinds: Vec<ClassKind> = Vec::new();
    let (mut classes, mut indices) = (Vec::new(), Vec::new());
    for def in defs {
        world.check_group(def)?;
        let kind = world
            .ground
            .map
            .kind(def.radius, &def.terrain)
            .map_err(crate::world::WorldError::from)?;
        let index = match kinds.iter().position(|known| *known == kind) {
            Some(index) => index,
            None => {
                check_classes(&world.ground.map, kinds.len() + 1)?;
                let has = |class: &Arc<Clearance>| *class.kind() == kind;
                classes.push(match world.ground.classes.iter().position(has) {
                    Some(same) => Class::Same(same),
                    None => {
                        let class = world.ground.map.class_of(&kind);
                        Class::New(Arc::new(class.map_err(crate::world::WorldError::from)?))
                    }
                });
                kinds.push(kind);
                kinds.len() - 1
            }
        };
        indices.push(index as u16);
    }
    Ok((classes, indices))
}

/// Whether a point lies on a map, its far edges included.
fn is_on<N: Numbers>(map: &Map, point: [N; 2]) -> bool {
    let pairs = point.each(N::to_f64).into_iter().zip(area::extent(map));
    pairs.into_iter().all(|(at, most)| (0.0..=most).contains(&at))
}

/// Refuses shapes that no order can name.
fn check_shapes(shapes: &[Shape]) -> Result<(), SnapshotError> {
    let wrong = shapes.iter().find_map(|shape| shape.validate().err());
    wrong.map_or(Ok(()), |error| Err(contradiction(error.to_string())))
}

/// The goal of a group.
fn goal<N: Numbers>(
    map: &Map,
    kept: &Kept<'_, N>,
    group: usize,
) -> Result<Option<Goal<N>>, SnapshotError> {
    let (shapes, free) = (&kept.goals.0[group], &kept.free_places.0[group]);
    let places: Vec<[N; 2]> = kept.places[group].iter().collect();
    let Some(GoalRow { inside, laid_for, each, target }) = kept.groups.0[group].goal else {
        if shapes.is_empty() && places.is_empty() && free.is_empty() {
            return Ok(None);
        }
        return Err(contradiction("a group without a goal has shapes or places"));
    };
    check_shapes(shapes)?;
    if let Some(place) = places.iter().find(|&&place| !is_on(map, place)) {
        return Err(contradiction(format!("a place is off the map, at {place:?}")));
    }
    if inside as usize > places.len() {
        return Err(contradiction(format!("{inside} of {} places are in the area", places.len())));
    }
    if let Some(place) = free.iter().find(|&&place| place as usize >= places.len()) {
        return Err(contradiction(format!("there is no free place {place}")));
    }
    let (within, around) = free.iter().partition(|&&place| place < inside);
    let mut goal = Goal {
        shapes: shapes.clone(),
        target,
        places,
        inside,
        free: [within, around],
        laid_for,
        each,
        zone: [target; 2],
    };
    goal.note_zone();
    Ok(Some(goal))
}

fn companies<N: Numbers>(
    map: &Map,
    kept: &Kept<'_, N>,
    groups: &[Group<N>],
) -> Result<Vec<Company<N>>, SnapshotError> {
    let rows = &kept.companies.0;
    let (defs, goals, slots) = (&kept.company_defs.0, &kept.company_goals.0, &kept.slots.0);
    expect_lists("companies", rows.len(), [defs.len(), goals.len(), slots.len()])?;
    let mut owner: Vec<Option<u16>> = vec![None; groups.len()];
    let mut companies = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let def = defs[index].clone();
        def.check_numbers()?;
        for &group in &def.groups {
            match owner.get_mut(usize::from(group)) {
                Some(owner @ None) if is_group(kept, group) => *owner = Some(index as u16),
                _ => return Err(contradiction(format!("company {index}: group {group}"))),
            }
        }
        if let Some(anchor) = row.anchor.filter(|anchor| !is_on(map, anchor.pos)) {
            let why = format!("company {index} stands around {:?}, off the map", anchor.pos);
            return Err(contradiction(why));
        }
        let shapes = goals[index].clone();
        check_shapes(&shapes)?;
        let acts = row.forms || row.goal.is_some() || row.anchor.is_some();
        if row.is_removed && (acts || def != CompanyDef::default() || !slots[index].is_empty()) {
            return Err(contradiction(format!("company {index} was removed, and acts")));
        }
        let goal = row.goal.map(|target| CompanyGoal { shapes, target });
        let slots = slots[index].clone();
        let CompanyRow { anchor, forms, generation, is_removed, .. } = *row;
        companies.push(Company { def, goal, anchor, forms, slots, generation, is_removed });
    }
    let differs = groups.iter().zip(owner).position(|(group, owner)| group.company != owner);
    match differs {
        Some(group) => Err(contradiction(format!("group {group} names the wrong company"))),
        None => Ok(companies),
    }
}

fn fields<N: Numbers>(
    world: &World<N>,
    kept: &Kept<'_, N>,
    classes: &[Class],
    groups: &[Group<N>],
    version: u32,
) -> Result<Restored, SnapshotError> {
    let count = kept.fields.0.len();
    let (seeds, area, crowds) = (&kept.field_seeds, &kept.field_area, &kept.field_crowd);
    expect_lists("fields", count, [seeds.len(), area.len(), crowds.len()])?;
    let mut fields = Vec::new();
    for (slot, row) in kept.fields.0.iter().enumerate() {
        let [block, stride] = row.crowd;
        let goals = GoalCells::new(seeds[slot].iter().collect(), area[slot].iter().collect());
        let mut crowd = CrowdCosts::default();
        if !crowds[slot].bytes.is_empty() {
            let fits = |block: u32| {
                let blocks = [world.ground.map.width(), world.ground.map.height()]
                    .each(|s| s.div_ceil(block) + 2);
                blocks[0] == stride && blocks[0] as usize * blocks[1] as usize == crowds[slot].len()
            };
            if block == 0 || !fits(block) {
                return Err(contradiction(format!("field {slot}: crowds of another map")));
            }
            crowd.set(block, stride, crowds[slot].bytes.iter().copied());
        }
        fields.push(row.with(goals, crowd));
    }
    let mut holders = vec![0_u32; count];
    for id in groups.iter().flat_map(Group::fields) {
        let (slot, generation) = id.parts();
        match fields.get(slot as usize) {
            Some(field) if field.generation == generation => holders[slot as usize] += 1,
            _ => return Err(contradiction(format!("a group follows field {slot}, which is gone"))),
        }
    }
    if fields.iter().zip(&holders).any(|(field, &holders)| field.holders != holders) {
        return Err(contradiction("fields count their holders wrong"));
    }
    for group in groups {
        let Some((slot, _)) = group.field.map(crate::nav::field::FieldId::parts) else { continue };
        let field = &fields[slot as usize];
        if field.shown.is_none() || field.outdated || field.class != u32::from(group.class) {
            return Err(contradiction(format!(
                "a group follows field {slot}, which is not for it"
            )));
        }
    }
    let settings = &world.settings;
    let limits = FieldLimits {
        cap_bytes: settings.field_cache_bytes,
        cells_per_tick: settings.field_cells_per_tick,
        max_jobs: settings.field_jobs,
    };
    let queue = kept.field_queue.iter().collect();
    let lend = |class: &Class| match class {
        Class::Same(index) => Arc::clone(&world.ground.classes[*index]),
        Class::New(class) => Arc::clone(class),
    };
    let classes: Vec<Arc<Clearance>> = classes.iter().map(lend).collect();
    let kinds: Vec<ClassKind> = classes.iter().map(|class| class.kind().clone()).collect();
    let (map, log, kinds) = (&*world.ground.map, &world.ground.changes.log[..], &kinds[..]);
    let past = FormerGround { map, version, log, kinds };
    Ok(world.routes.fields.prepare(
        FieldsSnapshot { limits, version, fields, queue },
        &classes,
        &past,
    )?)
}

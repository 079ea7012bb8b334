//! The parts of a state that are small: groups, companies and fields, made from their rows.

use std::sync::Arc;

use crate::data::definition::Definition;
use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::map::{ClassKind, Clearance, Map, area};
use crate::nav::field::{CrowdCosts, FieldLimits, FieldsSnapshot, Restored};
use crate::state::Image;
use crate::state::columns::read_field;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::lists::{Columns, item, rows, words};
use crate::state::minds::Minds;
use crate::state::strategies::commanders;
use crate::state::ways::way;
use crate::world::snapshot_rows::GroupRow;
use crate::world::{
    Commander, Company, CompanyDef, CompanyGoal, FormerGround, Goal, Group, GroupDef, MAX_TICKS,
    MAX_WEAPONS, Slot, Tally, Traits, Weapon, WeaponDef, World, check_classes, read_behaviours,
    read_shapes, snapshot_rows,
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
}

impl<N: Numbers> Parts<N> {
    /// Reads and checks the parts. The world lends what it has made already: classes and fields.
    pub(super) fn read(world: &World<N>, image: &Image<'_>) -> Result<Self, SnapshotError> {
        let columns = Columns(image);
        let clock = item(columns.list("world.clock")?, |from| {
            Ok((from.u64("ticks")?, from.u64("orders")?, from.u32("map_version")?))
        })?;
        if clock.0 > MAX_TICKS {
            return Err(contradiction(format!("{} ticks are too many", clock.0)));
        }
        let mut defs = rows(columns.list("groups.traits")?, GroupDef::read)?;
        let count = defs.len();
        for (def, letters) in defs.iter_mut().zip(columns.lists("groups.costs", count)?) {
            item(letters, |from| def.read_letters(letters.len() / 2, from))?;
        }
        if count > crate::world::MAX_GROUPS {
            return Err(contradiction(format!("{count} groups are too many")));
        }
        let weapons = weapons(world, &columns)?;
        let unarmed = |weapon: &u16| usize::from(*weapon) >= weapons.len();
        if let Some(weapon) = defs.iter().filter_map(|def| def.weapon).find(unarmed) {
            return Err(contradiction(format!("a group carries weapon {weapon}, which is none")));
        }
        let (classes, indices) = classes(world, &defs)?;
        let order = rows(columns.list("groups.order")?, snapshot_rows::read_group::<N>)?;
        if order.len() != count {
            return Err(contradiction(format!("{} orders for {count} groups", order.len())));
        }
        let [goals, places, free] = [
            columns.lists("groups.goal", count)?,
            columns.lists("groups.places", count)?,
            columns.lists("groups.free", count)?,
        ];
        let behaviours = columns.lists("groups.behaviours", count)?;
        let [seeds, area, crumbs] = [
            columns.lists("navigation.seeds", count)?,
            columns.lists("navigation.area", count)?,
            columns.lists("navigation.crumbs", count)?,
        ];
        let (mut groups, mut traits) = (Vec::new(), Vec::new());
        for (index, def) in defs.into_iter().enumerate() {
            let row = order[index];
            let quickest = world.ground.quickest.factor(&def.terrain);
            let mut kernel = Traits::new(&def, &world.ground.map, quickest, world.dt());
            (kernel.guidance, kernel.target) = (row.guidance, row.target);
            traits.push(kernel);
            let list = item(behaviours[index], read_behaviours)?;
            let steering =
                world.steering(count, &def, &list).map_err(|why| contradiction(why.to_string()))?;
            let of_way = [seeds[index], area[index], crumbs[index]];
            let way = way(world, &def, row.target, of_way)?;
            groups.push(Group {
                class: indices[index],
                members: row.members,
                goal: goal(&world.ground.map, &row, [goals[index], places[index], free[index]])?,
                field: row.field,
                next_field: row.next_field,
                plain_field: row.plain_field,
                way,
                behaviours: list,
                steering,
                company: row.company,
                marches: row.marches,
                fallen: row.fallen,
                def,
            });
        }
        let companies = companies(&world.ground.map, &columns, &groups)?;
        let (tick, ordered, version) = clock;
        let commanders = commanders(&columns, &groups, tick)?;
        let fields = fields(world, &columns, &classes, &groups, version)?;
        let minds = Minds::read(&columns, count, tick)?;
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
        };
        Ok(parts)
    }
}

fn weapons<N: Numbers>(
    world: &World<N>,
    columns: &Columns<'_, '_>,
) -> Result<Vec<Weapon<N>>, SnapshotError> {
    let defs = rows(columns.list("weapons.def")?, WeaponDef::read)?;
    let tallies = rows(columns.list("weapons.tally")?, Tally::read)?;
    if defs.len() != tallies.len() || defs.len() > MAX_WEAPONS {
        let why = format!("{} tallies of {} weapons", tallies.len(), defs.len());
        return Err(contradiction(why));
    }
    let weapon = |(def, tally): (WeaponDef, Tally)| {
        def.check()?;
        Ok(Weapon { tally, ..Weapon::new(def, world.settings.tick_rate) })
    };
    defs.into_iter().zip(tallies).map(weapon).collect()
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
    let pairs = point.map(N::to_f64).into_iter().zip(area::extent(map));
    pairs.into_iter().all(|(at, most)| (0.0..=most).contains(&at))
}

fn good_shapes(bytes: &[u8]) -> Result<Vec<Shape>, SnapshotError> {
    let shapes = item(bytes, read_shapes)?;
    match shapes.iter().find_map(|shape| shape.validate().err()) {
        Some(error) => Err(contradiction(error.to_string())),
        None => Ok(shapes),
    }
}

fn goal<N: Numbers>(
    map: &Map,
    row: &GroupRow<N>,
    [shapes, places, free]: [&[u8]; 3],
) -> Result<Option<Goal<N>>, SnapshotError> {
    let shapes = good_shapes(shapes)?;
    let places = rows(places, |from| snapshot_rows::point::<N>(from, "place"))?;
    if let Some(place) = places.iter().find(|&&place| !is_on(map, place)) {
        return Err(contradiction(format!("a place is off the map, at {place:?}")));
    }
    if row.inside as usize > places.len() {
        let why = format!("{} of {} places are in the area", row.inside, places.len());
        return Err(contradiction(why));
    }
    let free = rows(free, |from| from.u32("free"))?;
    if let Some(place) = free.iter().find(|&&place| place as usize >= places.len()) {
        return Err(contradiction(format!("there is no free place {place}")));
    }
    let &GroupRow { goal: target, inside, laid_for, .. } = row;
    let (within, around) = free.into_iter().partition(|&place| place < inside);
    let mut goal = Goal {
        shapes,
        target,
        places,
        inside,
        free: [within, around],
        laid_for,
        zone: [target; 2],
    };
    goal.note_zone();
    if row.has_goal || (goal.shapes.is_empty() && goal.places.is_empty()) {
        return Ok(row.has_goal.then_some(goal));
    }
    Err(contradiction("a group without a goal has shapes or places"))
}

fn companies<N: Numbers>(
    map: &Map,
    columns: &Columns<'_, '_>,
    groups: &[Group<N>],
) -> Result<Vec<Company<N>>, SnapshotError> {
    let order = rows(columns.list("companies.order")?, snapshot_rows::read_company_row::<N>)?;
    let count = order.len();
    let defs = columns.lists("companies.def", count)?;
    let goals = columns.lists("companies.goal", count)?;
    let slots = columns.lists("companies.slots", count)?;
    let mut owner: Vec<Option<u16>> = vec![None; groups.len()];
    let mut companies = Vec::new();
    for (index, row) in order.into_iter().enumerate() {
        let def = item(defs[index], CompanyDef::read)?;
        def.check_numbers()?;
        for &group in &def.groups {
            match owner.get_mut(usize::from(group)) {
                Some(owner @ None) => *owner = Some(index as u16),
                _ => return Err(contradiction(format!("company {index}: group {group}"))),
            }
        }
        if let Some(anchor) = row.anchor.filter(|anchor| !is_on(map, anchor.pos)) {
            let why = format!("company {index} stands around {:?}, off the map", anchor.pos);
            return Err(contradiction(why));
        }
        let shapes = good_shapes(goals[index])?;
        let goal = row.has_goal.then_some(CompanyGoal { shapes, target: row.target });
        let slots = rows(slots[index], |from| {
            Ok(Slot { id: from.u32("id")?, offset: snapshot_rows::point(from, "offset")? })
        })?;
        companies.push(Company { def, goal, anchor: row.anchor, forms: row.forms, slots });
    }
    let differs = groups.iter().zip(owner).position(|(group, owner)| group.company != owner);
    match differs {
        Some(group) => Err(contradiction(format!("group {group} names the wrong company"))),
        None => Ok(companies),
    }
}

fn fields<N: Numbers>(
    world: &World<N>,
    columns: &Columns<'_, '_>,
    classes: &[Class],
    groups: &[Group<N>],
    version: u32,
) -> Result<Restored, SnapshotError> {
    let slots = rows(columns.list("fields.slot")?, read_field)?;
    let count = slots.len();
    let (seeds, area) =
        (columns.lists("fields.seeds", count)?, columns.lists("fields.area", count)?);
    let crowds = columns.lists("fields.crowd", count)?;
    let mut fields = Vec::new();
    for (slot, (mut field, layout)) in slots.into_iter().enumerate() {
        field.goals = GoalCells::new(words(seeds[slot]), words(area[slot]));
        let [block, stride] = layout;
        if !crowds[slot].is_empty() {
            let fits = |block: u32| {
                let blocks = [world.ground.map.width(), world.ground.map.height()]
                    .map(|s| s.div_ceil(block) + 2);
                blocks[0] == stride && blocks[0] as usize * blocks[1] as usize == crowds[slot].len()
            };
            if block == 0 || !fits(block) {
                return Err(contradiction(format!("field {slot}: crowds of another map")));
            }
            let mut crowd = CrowdCosts::default();
            crowd.set(block, stride, crowds[slot].iter().copied());
            field.crowd = crowd;
        }
        fields.push(field);
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
    let queue = words(columns.list("fields.queue")?);
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

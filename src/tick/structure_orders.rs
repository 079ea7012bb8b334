//! Structures: orders to add and to attack them, and their fall.

use crate::data::{GroupId, StructureId};
use crate::lane::Numbers;
use crate::map::area::{self, Shape};
use crate::math::each::Each;
use crate::tick::{building, minds, sending};
use crate::world::{
    Attack, Guidance, MAX_STRUCTURES, Outcome, Refusal, StructureDef, World, WorldError,
};

/// A new structure.
pub(super) fn add<N: Numbers>(
    world: &mut World<N>,
    area: &[Shape],
    def: &StructureDef,
) -> Result<Outcome, Refusal> {
    let refuse = |error: WorldError| Refusal::NoSuchKind(error.to_string());
    def.check().map_err(refuse)?;
    let asked = world.structures.list.len() as u64 + 1;
    if asked > MAX_STRUCTURES as u64 {
        let most = MAX_STRUCTURES as u64;
        return Err(refuse(WorldError::TooMany { what: "structures", asked, most }));
    }
    let (cells, _) = building::raise(world, area)?;
    Ok(Outcome::Structure(world.add_structure(area, def, cells)))
}

/// A group attacks a structure.
pub(super) fn attack<N: Numbers>(
    world: &mut World<N>,
    group: GroupId,
    structure: StructureId,
) -> Result<u32, Refusal> {
    let structures = world.structures.list.len();
    let refuse = |why: String| Err(Refusal::NoSuchKind(why));
    let Some(own) = world.structures.list.get(usize::from(structure)) else {
        return refuse(format!("there is no structure {structure}: the world has {structures}"));
    };
    if !own.stands() {
        return refuse(format!("structure {structure} has fallen"));
    }
    let traits = &world.groups.traits[usize::from(group)];
    let Some(weapon) = world.combat.weapons.get(usize::from(traits.weapon)) else {
        return refuse(format!("group {group} has no weapon"));
    };
    if !own.def.is_harmed(&weapon.def, traits) {
        return refuse(format!("structure {structure} is no foe of group {group}"));
    }
    minds::each(world, group.index(), |world, group| go_up_to(world, group, structure))
}

/// A group goes up to a structure; what it has to do then is remembered.
fn go_up_to<N: Numbers>(
    world: &mut World<N>,
    group: u16,
    structure: StructureId,
) -> Result<u32, Refusal> {
    let known = world.structures.attacks.iter().find(|attack| attack.group == group);
    let then = match known.filter(|attack| is_under_way(world, attack)) {
        Some(attack) => attack.then.clone(),
        None => goal_of(world, group),
    };
    let to = around(world, group, structure);
    if to.is_empty() {
        let why = format!("the agents cannot stand beside structure {structure}");
        return Err(Refusal::NoSuchPlace(why));
    }
    let agents = sending::go(world, group, &to)?;
    let attacks = &mut world.structures.attacks;
    attacks.retain(|attack| attack.group != group);
    let at = attacks.partition_point(|attack| attack.group < group);
    attacks.insert(at, Attack { group, structure, to, then });
    Ok(agents)
}

/// The goal that a group was ordered to.
fn goal_of<N: Numbers>(world: &World<N>, group: u16) -> Vec<Shape> {
    let by_order = matches!(
        world.groups.traits[usize::from(group)].guidance,
        Guidance::Straight | Guidance::FormerField | Guidance::Field | Guidance::Points
    );
    let goal = world.groups.list[usize::from(group)].goal.as_ref().filter(|_| by_order);
    goal.map_or(Vec::new(), |goal| goal.shapes.clone())
}

/// The ground beside a structure from which a group attacks it.
fn around<N: Numbers>(world: &World<N>, group: u16, structure: StructureId) -> Vec<Shape> {
    let (map, row) = (&world.ground.map, &world.groups.list[usize::from(group)]);
    let margin = row.def.radius + 1.5 * map.cell_size();
    let shapes = &world.structures.list[usize::from(structure)].area;
    let slowness = world.ground.class_of(row).slowness();
    let grown = shapes.iter().flat_map(|shape| grown(shape, margin));
    // What reaches farther than coordinates do lies off the map.
    let is_sound = |shape: &Shape| shape.validate().is_ok();
    grown.filter(|shape| is_sound(shape) && area::has_room(map, shape, slowness)).collect()
}

/// What covers a shape and a margin around it.
fn grown(shape: &Shape, margin: f64) -> Vec<Shape> {
    match shape {
        Shape::Point { at } => vec![Shape::Disc { centre: *at, radius: margin }],
        Shape::Rect { min, max } => {
            let (min, max) = (min.each(|at| at - margin), max.each(|at| at + margin));
            vec![Shape::Rect { min, max }]
        }
        Shape::Disc { centre, radius } => {
            vec![Shape::Disc { centre: *centre, radius: radius + margin }]
        }
        Shape::Polygon { corners } => {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(&from, &to)| band(from, to, margin)).collect()
        }
    }
}

/// A band along a line and beyond its ends.
fn band(from: [f64; 2], to: [f64; 2], margin: f64) -> Shape {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let length = (dx * dx + dy * dy).sqrt();
    if length <= 0.0 {
        return Shape::Disc { centre: from, radius: margin };
    }
    let [x, y] = [dx / length * margin, dy / length * margin];
    let corners = vec![
        [from[0] - x - y, from[1] - y + x],
        [to[0] + x - y, to[1] + y + x],
        [to[0] + x + y, to[1] + y - x],
        [from[0] - x + y, from[1] - y - x],
    ];
    Shape::Polygon { corners }
}

/// Whether a group goes, or stands, where its attack has sent it: no order has sent it elsewhere since,
/// or stopped it.
fn is_under_way<N: Numbers>(world: &World<N>, attack: &Attack) -> bool {
    let goal = world.groups.list[usize::from(attack.group)].goal.as_ref();
    goal.is_some_and(|goal| goal.is_of(&attack.to))
}

/// Attacks of groups that were ordered something else are over.
pub(super) fn end<N: Numbers>(world: &mut World<N>) {
    if world.structures.attacks.is_empty() {
        return;
    }
    let mut attacks = std::mem::take(&mut world.structures.attacks);
    attacks.retain(|attack| is_under_way(world, attack));
    world.structures.attacks = attacks;
}

/// Structures without hit points fall, by their index. Where the map does not allow a fall, as routes could
/// become too long, it is tried again in the next tick.
pub(super) fn fall<N: Numbers>(world: &mut World<N>) {
    if world.structures.is_empty() {
        return;
    }
    let mut from = 0;
    while let Some(index) = world.structures.next_to_fall(from) {
        let cells = world.structures.list[usize::from(index)].cells.clone();
        let _ = building::take_down(world, cells);
        from = index + 1;
    }
    go_on(world);
}

/// Groups whose structure has fallen go on to the goal that they had before, or stand.
pub(super) fn go_on<N: Numbers>(world: &mut World<N>) {
    let has_fallen = |attack: &Attack, world: &World<N>| {
        !world.structures.list[usize::from(attack.structure)].stands()
    };
    if world.structures.attacks.iter().all(|attack| !has_fallen(attack, world)) {
        return;
    }
    let attacks = std::mem::take(&mut world.structures.attacks);
    let (over, rest) = attacks.into_iter().partition(|attack| has_fallen(attack, world));
    world.structures.attacks = rest;
    let over: Vec<Attack> = over;
    for attack in &over {
        if !is_under_way(world, attack) {
            continue;
        }
        if attack.then.is_empty() || sending::go(world, attack.group, &attack.then).is_err() {
            sending::stop(world, attack.group);
        }
    }
}

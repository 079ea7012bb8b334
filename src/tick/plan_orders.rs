//! Steps of plans as orders to groups.

use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::map::{Clearance, Map, area};
use crate::math::each::Each;
use crate::mind::{Commanded, Place, StepDef, StepKind, Wing};
use crate::tick::minds::each;
use crate::tick::plan_senses::{Sense, UNITS, distance, nearest_foe};
use crate::tick::sending::{go, stop};
use crate::world::{Refusal, World};

/// How far from a point an open cell is looked for, in cells along each axis.
const MAX_RINGS: i64 = 512;
/// A foe that has moved less than this, or than such a part of its distance, is not aimed at anew.
const LEAST_MOVE: i64 = 2 * UNITS as i64;
const LEAST_PART: i64 = 8;

/// Input for making orders of steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) senses: &'a [Sense],
    /// The teams that are fought, one bit a team.
    pub(super) foes: u32,
    pub(super) groups: &'a [Commanded],
}

/// What a group is to do.
enum Task<'a> {
    Stop,
    Go(&'a [Shape]),
    /// A point to go to, in 1/256 m.
    Point([i64; 2]),
}

impl<'a> Ground<'a> {
    /// A group begins a step; a group that goes around the foe goes at it once it has `turned`. Nothing
    /// happens, which is no error, where a step depends on the middle of a group and none of it live.
    pub(super) fn begin<N: Numbers>(
        &self,
        world: &mut World<N>,
        step: &'a StepDef,
        group: u16,
        turned: bool,
    ) -> Result<(), Refusal> {
        match self.task(world, step, group, turned)? {
            None => return Ok(()),
            Some(Task::Stop) => each(world, group, |world, group| Ok(stop(world, group)))?,
            Some(Task::Go(goal)) => each(world, group, |world, group| go(world, group, goal))?,
            Some(Task::Point(at)) => {
                let goal = [Shape::Point { at: snap(world, group, at)? }];
                each(world, group, |world, group| go(world, group, &goal))?
            }
        };
        Ok(())
    }

    /// A group goes on with a step: it is sent to where the foe is now, unless that is about where
    /// it goes already.
    pub(super) fn renew<N: Numbers>(
        &self,
        world: &mut World<N>,
        step: &'a StepDef,
        group: u16,
        turned: bool,
    ) -> Result<(), Refusal> {
        let aims = match step.kind {
            StepKind::March => step.place == Place::Enemy,
            StepKind::Flank => turned,
            StepKind::Retreat => step.place == Place::Own,
            StepKind::Gather | StepKind::Hold => false,
        };
        let middle = self.senses[usize::from(group)].middle();
        let (true, Some(from)) = (aims, middle) else { return Ok(()) };
        let Some(Task::Point(at)) = self.task(world, step, group, turned)? else { return Ok(()) };
        let at = snap(world, group, at)?;
        let to = at.each(|part| (part * UNITS).floor() as i64);
        let goal = world.groups.list[usize::from(group)].goal.as_ref().map(|goal| &goal.shapes[..]);
        if let Some([Shape::Point { at: former }]) = goal {
            let former = former.each(|part| (part * UNITS).floor() as i64);
            let moved = distance(former, to);
            if moved < LEAST_MOVE || moved * LEAST_PART < distance(from, to) {
                return Ok(());
            }
        }
        each(world, group, |world, group| go(world, group, &[Shape::Point { at }]))?;
        Ok(())
    }

    /// What a group is to do in a step.
    fn task<N: Numbers>(
        &self,
        world: &World<N>,
        step: &'a StepDef,
        group: u16,
        turned: bool,
    ) -> Result<Option<Task<'a>>, Refusal> {
        if step.kind == StepKind::Hold {
            return Ok(Some(Task::Stop));
        }
        match &step.place {
            Place::Area(shapes) => return Ok(Some(Task::Go(shapes))),
            Place::Home => {
                let home = self.groups.iter().find(|commanded| commanded.group.index() == group);
                return Ok(home.map(|commanded| Task::Go(&commanded.home)));
            }
            Place::Own | Place::Enemy => {}
        }
        let Some(from) = self.senses[usize::from(group)].middle() else { return Ok(None) };
        if step.kind == StepKind::Gather {
            return Ok(Some(Task::Point(from)));
        }
        let foe = nearest_foe(&world.groups.list, self.senses, self.foes, from);
        let Some(foe) = foe else {
            return Err(Refusal::NoSuchPlace("there is no foe".to_owned()));
        };
        let far = (step.distance * UNITS).floor() as i64;
        // A group that stands on the foe looks to the right.
        let apart = distance(from, foe);
        let (dx, dy, apart) =
            if apart == 0 { (1, 0, 1) } else { (foe[0] - from[0], foe[1] - from[1], apart) };
        let at = match step.kind {
            StepKind::Flank if !turned => {
                // y goes down, so the left side of a group that looks to the right is up.
                let (x, y) = if step.side == Wing::Left { (dy, -dx) } else { (-dy, dx) };
                [foe[0] + x * far / apart, foe[1] + y * far / apart]
            }
            StepKind::Retreat => [from[0] - dx * far / apart, from[1] - dy * far / apart],
            _ => foe,
        };
        Ok(Some(Task::Point(at)))
    }
}

/// The agents of a group are sent to the state that a step names, at their next look.
pub(super) fn send<N: Numbers>(
    world: &mut World<N>,
    step: &StepDef,
    group: u16,
) -> Result<(), Refusal> {
    let Some(mind) = world.mind_of(group) else { return Ok(()) };
    let name = step.state.as_deref().unwrap_or(step.kind.name());
    let state = world.minds.list[usize::from(mind)].def.machine.state(name);
    if let Some(state) = state {
        let variant_set = usize::from(world.minds.variant_set_of[usize::from(group)]);
        world.minds.variant_sets[variant_set].sent = Some((state as u8, world.log.tick));
    } else if step.state.is_some() {
        let why = format!("the machine of group {group} has no state `{name}`");
        return Err(Refusal::NoSuchKind(why));
    }
    Ok(())
}

/// The point, in metres, that is nearest to another, in units, and that most of a group can reach.
fn snap<N: Numbers>(world: &World<N>, group: u16, at: [i64; 2]) -> Result<[f64; 2], Refusal> {
    let class = &world.ground.classes[usize::from(world.groups.list[usize::from(group)].class)];
    let Some(component) = component(world, class, group) else {
        return Err(Refusal::Unreachable);
    };
    let at = at.each(|part| part as f64 / UNITS);
    let cell = world.ground.map.cell_at(at[0], at[1]);
    if cell.is_some_and(|cell| class.component(cell) == component) {
        return Ok(at);
    }
    nearest_cell(&world.ground.map, class, component, at).ok_or(Refusal::Unreachable)
}

/// The connected part of the ground that most agents of a group stand on.
fn component<N: Numbers>(world: &World<N>, class: &Clearance, group: u16) -> Option<u32> {
    let rows = world.agents.rows.tag.iter().zip(world.agents.rows.pos.iter());
    let members = rows.filter(|(tag, _)| world.base_group(tag.group) == group);
    let mut components: Vec<u32> = members
        .map(|(_, &pos)| class.component(world.ground.cell_of(pos)))
        .filter(|&component| component != 0)
        .collect();
    components.sort_unstable();
    let runs = components.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| (run.len(), std::cmp::Reverse(run[0]))).map(|run| run[0])
}

/// The centre of the cell of a component that is nearest to a point, looked for in square rings.
fn nearest_cell(map: &Map, class: &Clearance, component: u32, at: [f64; 2]) -> Option<[f64; 2]> {
    let size = map.cell_size();
    let sides = [map.width(), map.height()].each(i64::from);
    let extent = area::extent(map);
    let cell = |axis: usize| {
        let inside = at[axis].clamp(0.0, extent[axis]);
        ((inside / size).floor() as i64).min(sides[axis] - 1)
    };
    let (ci, cj) = (cell(0), cell(1));
    let mut best: Option<(f64, [f64; 2])> = None;
    let look = |i: i64, j: i64, best: &mut Option<(f64, [f64; 2])>| {
        if !((0..sides[0]).contains(&i) && (0..sides[1]).contains(&j)) {
            return;
        }
        let centre = [i, j].each(|n| (n as f64 + 0.5) * size);
        let found = map.cell_at(centre[0], centre[1]);
        if found.is_some_and(|cell| class.component(cell) == component) {
            let (dx, dy) = (centre[0] - at[0], centre[1] - at[1]);
            let square = dx * dx + dy * dy;
            if best.is_none_or(|(least, _)| square < least) {
                *best = Some((square, centre));
            }
        }
    };
    let most = MAX_RINGS.min(sides[0].max(sides[1]));
    for ring in 0..=most {
        // A ring lies at least so far from the cell in the middle.
        let least = (ring - 1).max(0) as f64 * size;
        if best.is_some_and(|(square, _)| square <= least * least) {
            break;
        }
        for i in ci - ring..=ci + ring {
            look(i, cj - ring, &mut best);
            if ring > 0 {
                look(i, cj + ring, &mut best);
            }
        }
        for j in cj - ring + 1..cj + ring {
            look(ci - ring, j, &mut best);
            look(ci + ring, j, &mut best);
        }
    }
    best.map(|(_, centre)| centre)
}

//! Groups: agents of one kind under one order.

use crate::lane::Numbers;
use crate::map::Map;
use crate::nav::field::FieldId;
use crate::world::WorldError;
use crate::world::goal::Goal;
use crate::world::settings::check;

/// How far ahead agents look for walls, in seconds.
pub(crate) const LOOK_AHEAD: f64 = 0.4;

/// What the agents of a group are like. Lengths in metres, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupDef {
    /// Radius of an agent's disc, 0.05 ..= 50.
    pub radius: f64,
    /// Top speed in m/s, 0.01 ..= 500.
    pub speed: f64,
    /// Largest force per mass in m/s², 0.01 ..= 1000.
    pub acceleration: f64,
    /// Time in which an agent takes on a new velocity, 0.02 ..= 60.
    pub response: f64,
    /// Gap to another agent at which separation begins, 0 ..= 50.
    pub personal_space: f64,
    /// Strength of separation, 0 ..= 20: 1 pushes with a quarter of `acceleration` at contact.
    pub separation: f64,
    /// Gap to a wall at which avoidance begins, 0 ..= 50.
    pub wall_margin: f64,
    /// Distance from its place in the goal at which an agent begins to slow down, 0.01 ..= 1000.
    pub slowing_radius: f64,
}

impl Default for GroupDef {
    fn default() -> Self {
        Self {
            radius: 0.3,
            speed: 1.4,
            acceleration: 6.0,
            response: 0.25,
            personal_space: 0.3,
            separation: 1.0,
            wall_margin: 0.3,
            slowing_radius: 1.5,
        }
    }
}

impl GroupDef {
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// Names the trait, its value and its range.
    pub fn check(&self) -> Result<(), WorldError> {
        check("radius", self.radius, 0.05, 50.0)?;
        check("speed", self.speed, 0.01, 500.0)?;
        check("acceleration", self.acceleration, 0.01, 1000.0)?;
        check("response", self.response, 0.02, 60.0)?;
        check("personal_space", self.personal_space, 0.0, 50.0)?;
        check("separation", self.separation, 0.0, 20.0)?;
        check("wall_margin", self.wall_margin, 0.0, 50.0)?;
        check("slowing_radius", self.slowing_radius, 0.01, 1000.0)
    }

    /// Half of the range at which two agents of the group start to push each other, in metres.
    pub fn reach(&self) -> f64 {
        self.radius + self.personal_space / 2.0
    }
}

/// A group of a world.
#[derive(Clone, Debug)]
pub struct Group<N: Numbers> {
    /// What its agents are like.
    pub def: GroupDef,
    /// Index of its clearance class.
    pub(crate) class: u16,
    /// How many agents it has.
    pub(crate) members: u32,
    /// Where it is ordered to, if anywhere.
    pub(crate) goal: Option<Goal<N>>,
    /// The field it follows, and the one it will follow as soon as that is done.
    pub(crate) field: Option<FieldId>,
    pub(crate) next_field: Option<FieldId>,
}

impl<N: Numbers> Group<N> {
    /// How many agents it has.
    pub fn members(&self) -> u32 {
        self.members
    }

    /// Whether it is ordered to go somewhere.
    pub fn has_order(&self) -> bool {
        self.goal.is_some()
    }

    /// The field that its agents follow, once it is done.
    pub fn field(&self) -> Option<FieldId> {
        self.field
    }
}

/// A group's numbers as kernels read them.
#[derive(Clone, Copy, Debug)]
pub struct Traits<N> {
    /// Top speed, m/s.
    pub speed: N,
    /// Largest force per mass, m/s².
    pub force: N,
    /// 1 / response time, 1/s.
    pub response: N,
    /// Radius, m.
    pub radius: N,
    /// Half the range of separation, m.
    pub reach: N,
    /// `1 / (2 · reach)²`.
    pub reach_scale: N,
    /// `1 / (2 · radius)²`.
    pub radius_scale: N,
    /// Force per mass of a unit of push, m/s² per m.
    pub push: N,
    /// 1 / the shift at which an agent stops pressing into those it overlaps, 1/m.
    pub yield_scale: N,
    /// Radius and wall distance to keep, in cells.
    pub clearance: N,
    /// See `clearance`.
    pub margin: N,
    /// Wall distance in cells below which walls can matter in a tick.
    pub wary: N,
    /// 1 / slowing radius, 1/m.
    pub slowing_scale: N,
    /// The middle of the goal, m.
    pub target: [N; 2],
    /// How its agents find their direction.
    pub aim: Aim,
}

/// How a group's agents find their direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// They stand.
    Stand,
    /// Straight to the target, until the field is done.
    Straight,
    /// By the field of the goal before, until the new one is done.
    FormerField,
    /// By the field, and inside the goal's area straight to a place of their own.
    Field,
}

impl<N: Numbers> Traits<N> {
    /// The traits of a group on a map.
    pub(super) fn new(def: &GroupDef, map: &Map, dt: f64) -> Self {
        let n = N::from_f64;
        // The look ahead, and a step with the largest contact; a cell's centre is at most 0.71 away.
        let ahead = def.speed * dt.max(LOOK_AHEAD) + 2.0 * def.radius + def.wall_margin;
        let (reach, diameter) = (def.reach(), 2.0 * def.radius);
        Self {
            speed: n(def.speed),
            force: n(def.acceleration),
            response: n(1.0 / def.response),
            radius: n(def.radius),
            reach: n(reach),
            reach_scale: n(1.0 / (4.0 * reach * reach)),
            radius_scale: n(1.0 / (diameter * diameter)),
            push: n(def.separation * def.acceleration / reach),
            yield_scale: n(8.0 / def.radius),
            clearance: n(def.radius / map.cell_size()),
            margin: n((def.radius + def.wall_margin) / map.cell_size()),
            wary: n(ahead / map.cell_size() + 0.75),
            slowing_scale: n(1.0 / def.slowing_radius),
            target: [N::ZERO; 2],
            aim: Aim::Stand,
        }
    }
}

//! What the agents of a group are like.

use crate::data::WeaponId;
use crate::data::definition::{Definition, Takes, define, words};
use crate::map::TerrainCosts;
use crate::map::placement::{MAX_RADIUS, MIN_RADIUS};
use crate::nav::navigator::Navigator;
use crate::world::{MAX_HEALTH, WorldError};

/// Layers that there are.
pub const LAYERS: u8 = 32;

/// Teams that there are.
pub const TEAMS: u8 = 32;

words! {
    /// How agents keep clear of each other.
    #[serde(rename_all = "kebab-case")]
    pub enum Avoidance {
        /// Soft pushes between neighbours: the cheapest, right for dense crowds.
        Separation = "separation",
        /// Optimal reciprocal collision avoidance: each agent picks the velocity nearest to the desired
        /// one with which no agent collides (van den Berg, Guy, Lin, Manocha 2011).
        Orca = "orca",
        /// Nothing: they walk through others, who take all of the care.
        None = "none",
    }
}

define! {
    /// What the agents of a group are like. Lengths in metres, times in seconds.
    pub struct GroupDef {
        /// Radius of an agent.
        radius: f64 = 0.3, Takes::number("a radius in metres", MIN_RADIUS, MAX_RADIUS);
        /// The speed that agents like on plain ground; 1.4 is a brisk walk. On ground of another cost they
        /// like this divided by the cost. With `sprint` and on the quickest ground at most one cell a tick.
        speed: f64 = 1.4, Takes::number("a speed in m/s", 0.01, 500.0);
        /// Largest force per mass.
        acceleration: f64 = 6.0, Takes::number("an acceleration in m/s²", 0.01, 1000.0);
        /// Time in which an agent takes on a new velocity; longer is more sluggish.
        response: f64 = 0.25, Takes::number("a time in seconds", 0.02, 60.0);
        /// Gap between two outlines at which separation begins.
        personal_space: f64 = 0.3, Takes::number("a gap in metres", 0.0, 50.0);
        /// Strength of separation: 1 pushes with a quarter of `acceleration` at contact, 0 not at all.
        separation: f64 = 1.0, Takes::number("a strength, 1 for ordinary,", 0.0, 20.0);
        /// Gap between outline and wall at which avoiding the wall begins.
        wall_margin: f64 = 0.3, Takes::number("a gap in metres", 0.0, 50.0);
        /// Distance from its place in the goal at which an agent begins to slow down.
        slowing_radius: f64 = 1.5, Takes::number("a distance in metres", 0.01, 1000.0);
        /// Top speed in multiples of `speed`: agents hurry only to get out of the way. Where some ground is
        /// quicker than plain, top speed is that much higher.
        sprint: f64 = 1.0, Takes::number("a multiple of `speed`", 1.0, 4.0);
        /// How agents keep clear of each other.
        avoidance: Avoidance = Avoidance::Separation;
        /// `orca`: distance between centres up to which others are seen; the 10 nearest count.
        neighbour_range: f64 = 3.0, Takes::number("a distance in metres", 0.1, 30.0);
        /// `orca`: time for which velocities must be free of collisions with agents, less in a queue.
        time_horizon: f64 = 2.0, Takes::number("a time in seconds", 0.05, 60.0);
        /// `orca`: the same with walls.
        wall_horizon: f64 = 0.5, Takes::number("a time in seconds", 0.05, 60.0);
        /// `orca`: time to keep to whoever walks in front: speed is at most the gap divided by it, and
        /// agents that are held up step aside; 0 is none.
        time_gap: f64 = 0.0, Takes::number("a time in seconds", 0.0, 10.0);
        /// Of two that meet the lighter gives way more.
        weight: f64 = 1.0, Takes::number("a weight, 1 for ordinary,", 0.01, 100.0);
        /// The layer in which the agents live.
        layer: u8 = 0, Takes::Whole { what: "a layer", low: 0, high: LAYERS as u64 - 1 };
        /// The layers whose agents they keep clear of.
        avoids: u32 = u32::MAX, Takes::Set { of: "layer", count: LAYERS };
        /// Whether agents that stand keep their place; others step aside for walkers, and return. Routes of
        /// all groups lead around them.
        hold: bool = false;
        /// Whether routes lead around crowds where that is faster.
        avoid_crowds: bool = true;
        /// The team on whose side they fight.
        team: u8 = 0, Takes::Name { of: "team", most: TEAMS as u16 - 1 };
        /// The teams that they fight, one bit a team.
        foes: u32 = 0, Takes::Unsaid { low: 0, high: u32::MAX as u64 };
        /// What each of them shoots with; needs a `team`.
        weapon: Option<WeaponId> = None, Takes::Name { of: "weapon", most: u16::MAX };
        /// Health that an agent begins with; an agent that has none left falls. With 0 it cannot be hurt and
        /// is nobody's target, but stops shots like anybody else.
        health: f64 = 100.0, Takes::number("a health", 0.0, MAX_HEALTH);
        /// How far an agent rises above the ground, for shots.
        height: f64 = 1.8, Takes::number("a height in metres", 0.1, 50.0);
        /// Whether agents stand still while they have a target.
        halts: bool = true;
        /// Whether agents do not shoot.
        hold_fire: bool = false;
        /// How agents find their way to a goal. In a company they go by flow fields all the same.
        navigator: Navigator = Navigator::Flow;
    }
    with {
        /// What the ground costs them, where that is not what the map says.
        terrain: TerrainCosts
    }
}

impl GroupDef {
    /// Names of the presets.
    pub const PRESETS: [&str; 3] = ["rts", "pedestrian", "horde"];

    /// A set of traits that go together; `None` when there is none of that name.
    ///
    /// * `rts`: units that move smartly and pass each other without touching (ORCA).
    /// * `pedestrian`: people who walk at 1.34 m/s and keep a time gap to the agent in front. Size
    ///   and time gap are a fit to single-file experiments (as in Seyfried et al. 2005).
    /// * `horde`: many that press on, at the least cost (separation).
    pub fn preset(name: &str) -> Option<Self> {
        let plain = Self::default();
        match name {
            "rts" => Some(Self {
                speed: 3.0,
                acceleration: 20.0,
                response: 0.1,
                avoidance: Avoidance::Orca,
                time_horizon: 1.5,
                ..plain
            }),
            "pedestrian" => Some(Self {
                radius: 0.18,
                speed: 1.34,
                acceleration: 3.0,
                response: 0.2,
                avoidance: Avoidance::Orca,
                time_gap: 1.06,
                time_horizon: 0.4,
                wall_horizon: 0.1,
                avoid_crowds: false,
                ..plain
            }),
            "horde" => Some(Self {
                speed: 2.5,
                personal_space: 0.15,
                response: 0.2,
                acceleration: 8.0,
                ..plain
            }),
            _ => None,
        }
    }

    /// Refuses what is out of range.
    ///
    /// # Errors
    /// Names the trait, its value and its range.
    pub fn check(&self) -> Result<(), WorldError> {
        Ok(self.check_fields()?)
    }

    /// Half of the range at which two agents of the group start to push each other, in metres.
    pub fn reach(&self) -> f64 {
        self.radius + self.personal_space / 2.0
    }
}

//! What the agents of a group are like.

use crate::map::MAX_SLOPE_COST;
use crate::map::TerrainCosts;
use crate::nav::navigator::Navigator;
use crate::world::MAX_HEALTH;
use crate::world::WorldError;
use crate::world::settings::check;

/// Layers that there are.
pub const LAYERS: u8 = 32;

/// Teams that there are.
pub const TEAMS: u8 = 32;

/// How agents keep clear of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Avoidance {
    /// Soft pushes between neighbours: the cheapest, right for dense crowds.
    Separation,
    /// Optimal reciprocal collision avoidance: each agent picks the velocity nearest to the desired
    /// one with which nobody collides (van den Berg, Guy, Lin, Manocha 2011).
    Orca,
    /// Nothing: they walk through others, who take all of the care.
    None,
}

/// What the agents of a group are like. Lengths in metres, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupDef {
    /// Radius of an agent's disc, 0.05 ..= 50.
    pub radius: f64,
    /// The speed at which an agent likes to go on plain ground, in m/s, 0.01 ..= 500. On ground of
    /// another cost it likes to go at this divided by the cost.
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
    /// Top speed in multiples of `speed`, 1 ..= 4: agents hurry only to get out of the way. Where
    /// some ground is quicker than plain, top speed is that much higher.
    pub sprint: f64,
    /// How agents keep clear of each other.
    pub avoidance: Avoidance,
    /// ORCA: distance between centres beyond which others are not seen, 0.1 ..= 30. The 10 nearest
    /// within it count.
    pub neighbour_range: f64,
    /// ORCA: time for which velocities must be free of collisions with agents, 0.05 ..= 60.
    pub time_horizon: f64,
    /// ORCA: the same with walls, 0.05 ..= 60.
    pub wall_horizon: f64,
    /// Time to keep to whoever walks in front, 0 ..= 10: speed is limited to the gap divided by it.
    pub time_gap: f64,
    /// Weight, 0.01 ..= 100: of two that meet the lighter gives way more.
    pub weight: f64,
    /// The layer in which the agents live, below [`LAYERS`].
    pub layer: u8,
    /// The layers whose agents they keep clear of, one bit a layer.
    pub avoids: u32,
    /// Whether agents that stand keep their place; others step aside for walkers, and return.
    pub hold: bool,
    /// Whether routes lead around crowds where that is faster.
    pub avoid_crowds: bool,
    /// The team on whose side the agents fight, below [`TEAMS`].
    pub team: u8,
    /// The teams that they fight, one bit a team; none by default.
    pub foes: u32,
    /// Index of the weapon that they carry.
    pub weapon: Option<u16>,
    /// Health that an agent begins with, 0 ..= 16,000. With 0 it cannot be hurt and is nobody's target,
    /// but stops shots like anybody else.
    pub health: f64,
    /// How far an agent rises above the ground, 0.1 ..= 50.
    pub height: f64,
    /// Whether agents stand still while they have a target.
    pub halts: bool,
    /// Whether agents do not shoot.
    pub hold_fire: bool,
    /// How agents find their way to a goal. In a company they go by flow fields all the same.
    pub navigator: Navigator,
    /// What the ground costs them, where that is not what the map says.
    pub terrain: TerrainCosts,
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
            sprint: 1.0,
            avoidance: Avoidance::Separation,
            neighbour_range: 3.0,
            time_horizon: 2.0,
            wall_horizon: 0.5,
            time_gap: 0.0,
            weight: 1.0,
            layer: 0,
            avoids: u32::MAX,
            hold: false,
            avoid_crowds: false,
            team: 0,
            foes: 0,
            weapon: None,
            health: 100.0,
            height: 1.8,
            halts: true,
            hold_fire: false,
            navigator: Navigator::Flow,
            terrain: TerrainCosts::default(),
        }
    }
}

impl GroupDef {
    /// Names of the presets.
    pub const PRESETS: [&str; 3] = ["rts", "pedestrian", "horde"];

    /// A set of traits that go together; `None` when there is none of that name.
    ///
    /// * `rts`: units that move smartly and pass each other without touching (ORCA).
    /// * `pedestrian`: people who walk at 1.34 m/s and keep a time gap to whoever is in front. Size
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
                avoid_crowds: true,
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
        check("radius", self.radius, 0.05, 50.0)?;
        check("speed", self.speed, 0.01, 500.0)?;
        check("acceleration", self.acceleration, 0.01, 1000.0)?;
        check("response", self.response, 0.02, 60.0)?;
        check("personal_space", self.personal_space, 0.0, 50.0)?;
        check("separation", self.separation, 0.0, 20.0)?;
        check("wall_margin", self.wall_margin, 0.0, 50.0)?;
        check("slowing_radius", self.slowing_radius, 0.01, 1000.0)?;
        check("sprint", self.sprint, 1.0, 4.0)?;
        check("neighbour_range", self.neighbour_range, 0.1, 30.0)?;
        check("time_horizon", self.time_horizon, 0.05, 60.0)?;
        check("wall_horizon", self.wall_horizon, 0.05, 60.0)?;
        check("time_gap", self.time_gap, 0.0, 10.0)?;
        check("weight", self.weight, 0.01, 100.0)?;
        check("layer", f64::from(self.layer), 0.0, f64::from(LAYERS - 1))?;
        check("team", f64::from(self.team), 0.0, f64::from(TEAMS - 1))?;
        check("health", self.health, 0.0, MAX_HEALTH)?;
        check("height", self.height, 0.1, 50.0)?;
        check("slope_cost", self.terrain.slope_cost, 0.0, MAX_SLOPE_COST)?;
        check("max_slope", self.terrain.max_slope, 0.0, f64::INFINITY)
    }

    /// Half of the range at which two agents of the group start to push each other, in metres.
    pub fn reach(&self) -> f64 {
        self.radius + self.personal_space / 2.0
    }
}

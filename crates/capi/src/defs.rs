//! Definitions as C has them. Made from the engine's declarations by `tests/declared.rs`: do not edit.

use std::ptr;

use throng::{GroupDef, Settings, WeaponDef};

use crate::declared::{Declared, ThrongTerrainCost, declared};

/// `avoidance`: separation.
pub const THRONG_AVOIDANCE_SEPARATION: u32 = 0;
/// `avoidance`: orca.
pub const THRONG_AVOIDANCE_ORCA: u32 = 1;
/// `avoidance`: none.
pub const THRONG_AVOIDANCE_NONE: u32 = 2;

/// `navigator`: flow.
pub const THRONG_NAVIGATOR_FLOW: u32 = 0;
/// `navigator`: straight.
pub const THRONG_NAVIGATOR_STRAIGHT: u32 = 1;
/// `navigator`: random-avoid.
pub const THRONG_NAVIGATOR_RANDOM_AVOID: u32 = 2;
/// `navigator`: trace.
pub const THRONG_NAVIGATOR_TRACE: u32 = 3;
/// `navigator`: trace-sight.
pub const THRONG_NAVIGATOR_TRACE_SIGHT: u32 = 4;
/// `navigator`: breadcrumbs.
pub const THRONG_NAVIGATOR_BREADCRUMBS: u32 = 5;
/// `navigator`: road.
pub const THRONG_NAVIGATOR_ROAD: u32 = 6;
/// `navigator`: left-hand.
pub const THRONG_NAVIGATOR_LEFT_HAND: u32 = 7;
/// `navigator`: waypoints.
pub const THRONG_NAVIGATOR_WAYPOINTS: u32 = 8;
/// `navigator`: path.
pub const THRONG_NAVIGATOR_PATH: u32 = 9;
/// `navigator`: network.
pub const THRONG_NAVIGATOR_NETWORK: u32 = 10;
/// `navigator`: mesh.
pub const THRONG_NAVIGATOR_MESH: u32 = 11;
/// `navigator`: corridor.
pub const THRONG_NAVIGATOR_CORRIDOR: u32 = 12;

/// `arc`: low.
pub const THRONG_ARC_LOW: u32 = 0;
/// `arc`: high.
pub const THRONG_ARC_HIGH: u32 = 1;

/// `power`: full.
pub const THRONG_POWER_FULL: u32 = 0;
/// `power`: least.
pub const THRONG_POWER_LEAST: u32 = 1;

/// `choice`: nearest.
pub const THRONG_CHOICE_NEAREST: u32 = 0;
/// `choice`: weakest.
pub const THRONG_CHOICE_WEAKEST: u32 = 1;
/// `choice`: threat.
pub const THRONG_CHOICE_THREAT: u32 = 2;

/// What the agents of a group are like. Lengths in metres, times in seconds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongGroupDef {
    /// Set by `throng_default_group`.
    pub size: u32,
    /// Radius of an agent.
    /// Takes a radius in metres, 0.05 to 50; default 0.3.
    pub radius: f64,
    /// The speed that agents like on plain ground; 1.4 is a brisk walk. On ground of another cost
    /// they like this divided by the cost. With `sprint` and on the quickest ground at most one
    /// cell a tick.
    /// Takes a speed in m/s, 0.01 to 500; default 1.4.
    pub speed: f64,
    /// Largest force per mass.
    /// Takes an acceleration in m/s², 0.01 to 1000; default 6.
    pub acceleration: f64,
    /// Time in which an agent takes on a new velocity; longer is more sluggish.
    /// Takes a time in seconds, 0.02 to 60; default 0.25.
    pub response: f64,
    /// Gap between two outlines at which separation begins.
    /// Takes a gap in metres, 0 to 50; default 0.3.
    pub personal_space: f64,
    /// Strength of separation: 1 pushes with a quarter of `acceleration` at contact, 0 not at
    /// all.
    /// Takes a strength, 1 for ordinary, 0 to 20; default 1.
    pub separation: f64,
    /// Gap between outline and wall at which avoiding the wall begins.
    /// Takes a gap in metres, 0 to 50; default 0.3.
    pub wall_margin: f64,
    /// Distance from its place in the goal at which an agent begins to slow down.
    /// Takes a distance in metres, 0.01 to 1000; default 1.5.
    pub slowing_radius: f64,
    /// Top speed in multiples of `speed`: agents hurry only to get out of the way. Where some
    /// ground is quicker than plain, top speed is that much higher.
    /// Takes a multiple of `speed`, 1 to 4; default 1.
    pub sprint: f64,
    /// How agents keep clear of each other.
    /// Takes `THRONG_AVOIDANCE_SEPARATION`, `THRONG_AVOIDANCE_ORCA`, `THRONG_AVOIDANCE_NONE`;
    /// default `THRONG_AVOIDANCE_SEPARATION`.
    pub avoidance: u32,
    /// `orca`: distance between centres up to which others are seen; the 10 nearest count.
    /// Takes a distance in metres, 0.1 to 30; default 3.
    pub neighbour_range: f64,
    /// `orca`: time for which velocities must be free of collisions with agents, less in a queue.
    /// Takes a time in seconds, 0.05 to 60; default 2.
    pub time_horizon: f64,
    /// `orca`: the same with walls.
    /// Takes a time in seconds, 0.05 to 60; default 0.5.
    pub wall_horizon: f64,
    /// `orca`: time to keep to whoever walks in front: speed is at most the gap divided by it,
    /// and agents that are held up step aside; 0 is none.
    /// Takes a time in seconds, 0 to 10; default 0.
    pub time_gap: f64,
    /// Of two that meet the lighter gives way more.
    /// Takes a weight, 1 for ordinary, 0.01 to 100; default 1.
    pub weight: f64,
    /// The layer in which the agents live.
    /// Takes a layer, 0 to 31; default 0.
    pub layer: u32,
    /// The layers whose agents they keep clear of.
    /// Takes a bit for each of 32 layers; default 4294967295.
    pub avoids: u32,
    /// Whether agents that stand keep their place; others step aside for walkers, and return.
    /// Routes of all groups lead around them.
    /// Takes 1 or 0; default 0.
    pub hold: u8,
    /// Whether routes lead around crowds where that is faster.
    /// Takes 1 or 0; default 1.
    pub avoid_crowds: u8,
    /// The team on whose side they fight.
    /// Takes index of a team, up to 31; default 0.
    pub team: u32,
    /// The teams that they fight, one bit a team.
    /// Takes 0 to 4294967295; default 0.
    pub foes: u32,
    /// What each of them shoots with; needs a `team`.
    /// Takes index of a weapon, or -1; default -1.
    pub weapon: i32,
    /// Health that an agent begins with; an agent that has none left falls. With 0 it cannot be
    /// hurt and is nobody's target, but stops shots like anybody else.
    /// Takes a health, 0 to 16000; default 100.
    pub health: f64,
    /// How far an agent rises above the ground, for shots.
    /// Takes a height in metres, 0.1 to 50; default 1.8.
    pub height: f64,
    /// Whether agents stand still while they have a target.
    /// Takes 1 or 0; default 1.
    pub halts: u8,
    /// Whether agents do not shoot.
    /// Takes 1 or 0; default 0.
    pub hold_fire: u8,
    /// How agents find their way to a goal. In a company they go by flow fields all the same.
    /// Takes `THRONG_NAVIGATOR_FLOW`, `THRONG_NAVIGATOR_STRAIGHT`,
    /// `THRONG_NAVIGATOR_RANDOM_AVOID`, `THRONG_NAVIGATOR_TRACE`, `THRONG_NAVIGATOR_TRACE_SIGHT`,
    /// `THRONG_NAVIGATOR_BREADCRUMBS`, `THRONG_NAVIGATOR_ROAD`, `THRONG_NAVIGATOR_LEFT_HAND`,
    /// `THRONG_NAVIGATOR_WAYPOINTS`, `THRONG_NAVIGATOR_PATH`, `THRONG_NAVIGATOR_NETWORK`,
    /// `THRONG_NAVIGATOR_MESH`, `THRONG_NAVIGATOR_CORRIDOR`; default `THRONG_NAVIGATOR_FLOW`.
    pub navigator: u32,
    /// What a cell costs more for each unit of its grade, as a share of its cost on level ground:
    /// with 4, a grade of 0.25 costs twice as much.
    /// Takes a cost for each unit of grade, 0 to 1000; default 0.
    pub slope_cost: f64,
    /// Grade beyond which a cell is forbidden.
    /// Takes a grade, metres up for a metre ahead, 0 to 1000; default inf.
    pub max_slope: f64,
    /// What letters of the map cost them, where that is not what the map says.
    pub terrain: *const ThrongTerrainCost,
    /// How many letters there are.
    pub terrain_count: usize,
}

declared! {
    ThrongGroupDef of GroupDef, "group":
    radius, speed, acceleration, response, personal_space, separation, wall_margin,
    slowing_radius, sprint, avoidance, neighbour_range, time_horizon, wall_horizon, time_gap,
    weight, layer, avoids, hold, avoid_crowds, team, foes, weapon, health, height, halts,
    hold_fire, navigator, slope_cost, max_slope;
    terrain = ptr::null(),
    terrain_count = 0,
}

/// What a group shoots with. Lengths in metres, times in seconds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongWeaponDef {
    /// Set by `throng_default_weapon`.
    pub size: u32,
    /// Largest distance to a target: between centres on the map.
    /// Takes a distance in metres, 0.1 to 2000; default 60.
    pub range: f64,
    /// Smallest distance to a target, at most `range`.
    /// Takes a distance in metres, 0 to 2000; default 0.
    pub min_range: f64,
    /// Time from one shot to the next, a tick at the least.
    /// Takes a time in seconds, 0.05 to 3600; default 3.
    pub cooldown: f64,
    /// Speed at the muzzle.
    /// Takes a speed in m/s, 0.1 to 10000; default 40.
    pub speed: f64,
    /// How strongly a projectile falls; 0 flies straight.
    /// Takes an acceleration in m/s², 0 to 100; default 9.81.
    pub gravity: f64,
    /// Of the two ways to hit under gravity the flat one, which arrives first, or the lob.
    /// Takes `THRONG_ARC_LOW`, `THRONG_ARC_HIGH`; default `THRONG_ARC_LOW`.
    pub arc: u32,
    /// Shots leave at `speed`, or as slowly as still hits.
    /// Takes `THRONG_POWER_FULL`, `THRONG_POWER_LEAST`; default `THRONG_POWER_FULL`.
    pub power: u32,
    /// Largest error of each component of the launch velocity, as a share of `speed`; small
    /// errors are more likely (the sum of two uniform ones).
    /// Takes a share of the speed, 0 to 1; default 0.01.
    pub spread: f64,
    /// Health that a hit takes.
    /// Takes a loss of health, 0 to 16000; default 25.
    pub damage: f64,
    /// Radius in which a hit, on whatever it is, hurts agents; the damage falls linearly from the
    /// middle to the edge, with the distance to the nearest point of an agent's axis, and walls
    /// do not stop it. 0 hurts only the agent that is hit.
    /// Takes a radius in metres, 0 to 50; default 0.
    pub splash: f64,
    /// Height of the muzzle above the ground.
    /// Takes a height in metres, 0 to 50; default 1.5.
    pub muzzle: f64,
    /// Time after which a projectile is gone.
    /// Takes a time in seconds, 0.05 to 120; default 30.
    pub lifetime: f64,
    /// How fast a projectile turns after its target; 0 does not. One that turns keeps its speed,
    /// and does not fall.
    /// Takes a turn in rad/s, 0 to 100; default 0.
    pub turn_rate: f64,
    /// Which of the foes in range it is pointed at: the nearest, the one with the least health,
    /// or the one with the weapon that does the most damage a second.
    /// Takes `THRONG_CHOICE_NEAREST`, `THRONG_CHOICE_WEAKEST`, `THRONG_CHOICE_THREAT`; default
    /// `THRONG_CHOICE_NEAREST`.
    pub choice: u32,
    /// Whether a target is kept while it lives and is in range.
    /// Takes 1 or 0; default 1.
    pub sticky: u8,
    /// Time from one choice of a target to the next.
    /// Takes a time in seconds, 0.05 to 60; default 1.
    pub retarget: f64,
    /// Whether only targets are shot at that a straight line from the muzzle reaches.
    /// Takes 1 or 0; default 0.
    pub sight: u8,
    /// Whether projectiles hit, and splash hurts, friends too; never the agent that shot.
    /// Takes 1 or 0; default 0.
    pub friendly_fire: u8,
    /// Shots that an agent has; 0 is without a limit. An agent that has none left is unarmed.
    /// Takes a number of shots, 0 to 30000; default 0.
    pub ammunition: u32,
}

declared! {
    ThrongWeaponDef of WeaponDef, "weapon":
    range, min_range, cooldown, speed, gravity, arc, power, spread, damage, splash, muzzle,
    lifetime, turn_rate, choice, sticky, retarget, sight, friendly_fire, ammunition;
}

/// Settings of a simulation; they never change while it runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongSettings {
    /// Set by `throng_default_settings`.
    pub size: u32,
    /// Whole ticks a second. A tick is `1 / tick_rate` seconds long.
    /// Takes 1 to 1000; default 20.
    pub tick_rate: u32,
    /// Cells of work that each flow field under way gets in a tick; a field shows once its cells
    /// are paid for.
    /// Takes the cells that flow fields integrate in a tick, 1 to 4294967295; default 65536.
    pub field_cells_per_tick: u32,
    /// Flow fields under way at once; the others wait their turn.
    /// Takes 1 to 64; default 8.
    pub field_jobs: u32,
    /// How often in a tick agents that overlap are moved apart; more for crowds that must not
    /// overlap at all.
    /// Takes how often in a tick agents that overlap are moved apart, 0 to 16; default 1.
    pub contact_passes: u32,
    /// Bytes that finished flow fields may take.
    /// Takes 1 to 17179869184; default 268435456.
    pub field_cache_bytes: u64,
    /// Ticks from one count of the crowds to the next, for groups that avoid them.
    /// Takes the ticks from one count of the crowds to the next, 1 to 1000000; default 30.
    pub crowding_ticks: u32,
    /// Nodes that each of the eight searches for routes expands in a tick; what a search needs
    /// beyond that it pays for in later ticks.
    /// Takes the nodes that each search for routes expands in a tick, 1 to 4294967295; default
    /// 4096.
    pub route_expansions_per_tick: u32,
    /// Seed of all randomness.
    pub seed: u64,
    /// The number type: `THRONG_NUMERIC_F32` or `THRONG_NUMERIC_FIXED`.
    pub numeric: u32,
}

declared! {
    ThrongSettings of Settings, "settings":
    tick_rate, field_cells_per_tick, field_jobs, contact_passes, field_cache_bytes,
    crowding_ticks, route_expansions_per_tick;
    seed = 1,
    numeric = 0,
}

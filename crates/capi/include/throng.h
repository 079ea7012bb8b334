#ifndef THRONG_H
#define THRONG_H

/* Made by cbindgen from crates/capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>

/// `ThrongSettings.numeric`: strict single precision.
#define THRONG_NUMERIC_F32 0

/// `ThrongSettings.numeric`: fixed point Q16.16.
#define THRONG_NUMERIC_FIXED 1

/// `ThrongScenarioDef.numeric`: what the scenario says.
#define THRONG_NUMERIC_OF_SCENARIO 2

/// `ThrongCompanyDef.formation`: each group goes by itself.
#define THRONG_FORMATION_NONE 0

/// `ThrongCompanyDef.formation`: wide, 2 ranks, 3 from 41 members on.
#define THRONG_FORMATION_LINE 1

/// `ThrongCompanyDef.formation`: narrow, 4 files.
#define THRONG_FORMATION_COLUMN 2

/// `ThrongCompanyDef.formation`: as wide as deep.
#define THRONG_FORMATION_BLOCK 3

/// `ThrongCompanyDef.formation`: a triangle of ranks of 1, 3, 5 and so on, its point in front.
#define THRONG_FORMATION_WEDGE 4

/// `avoidance`: separation.
#define THRONG_AVOIDANCE_SEPARATION 0

/// `avoidance`: orca.
#define THRONG_AVOIDANCE_ORCA 1

/// `avoidance`: none.
#define THRONG_AVOIDANCE_NONE 2

/// `navigator`: flow.
#define THRONG_NAVIGATOR_FLOW 0

/// `navigator`: straight.
#define THRONG_NAVIGATOR_STRAIGHT 1

/// `navigator`: random-avoid.
#define THRONG_NAVIGATOR_RANDOM_AVOID 2

/// `navigator`: trace.
#define THRONG_NAVIGATOR_TRACE 3

/// `navigator`: trace-sight.
#define THRONG_NAVIGATOR_TRACE_SIGHT 4

/// `navigator`: breadcrumbs.
#define THRONG_NAVIGATOR_BREADCRUMBS 5

/// `navigator`: road.
#define THRONG_NAVIGATOR_ROAD 6

/// `navigator`: left-hand.
#define THRONG_NAVIGATOR_LEFT_HAND 7

/// `navigator`: waypoints.
#define THRONG_NAVIGATOR_WAYPOINTS 8

/// `navigator`: path.
#define THRONG_NAVIGATOR_PATH 9

/// `navigator`: network.
#define THRONG_NAVIGATOR_NETWORK 10

/// `navigator`: mesh.
#define THRONG_NAVIGATOR_MESH 11

/// `navigator`: corridor.
#define THRONG_NAVIGATOR_CORRIDOR 12

/// `arc`: low.
#define THRONG_ARC_LOW 0

/// `arc`: high.
#define THRONG_ARC_HIGH 1

/// `power`: full.
#define THRONG_POWER_FULL 0

/// `power`: least.
#define THRONG_POWER_LEAST 1

/// `choice`: nearest.
#define THRONG_CHOICE_NEAREST 0

/// `choice`: weakest.
#define THRONG_CHOICE_WEAKEST 1

/// `choice`: threat.
#define THRONG_CHOICE_THREAT 2

/// `ThrongImpact.struck`: nothing: it left the map or grew too old.
#define THRONG_STRUCK_NOTHING 0

/// `ThrongImpact.struck`: an agent.
#define THRONG_STRUCK_AGENT 1

/// `ThrongImpact.struck`: the ground.
#define THRONG_STRUCK_GROUND 2

/// `ThrongImpact.struck`: a wall or a cliff.
#define THRONG_STRUCK_WALL 3

/// `throng_states`: is in the goal that its group was ordered to, give or take a radius.
#define THRONG_ARRIVED 1

/// `throng_states`: stands: it is at its place in the goal or found no way further.
#define THRONG_SETTLED 2

/// `throng_states`: leaves at the end of the tick.
#define THRONG_LEAVING 4

/// `ThrongShape.kind`: one point, `numbers` are x, y.
#define THRONG_POINT 0

/// `ThrongShape.kind`: an axis-parallel rectangle, `numbers` are x, y of one corner and of the
/// opposite.
#define THRONG_RECT 1

/// `ThrongShape.kind`: a disc, `numbers` are x, y and the radius.
#define THRONG_DISC 2

/// `ThrongShape.kind`: a simple polygon of `corners`, in order.
#define THRONG_POLYGON 3

/// `ThrongDistribution.kind`: none; agents do not differ.
#define THRONG_DISTRIBUTION_NONE 0

/// `ThrongDistribution.kind`: all have `numbers[0]`.
#define THRONG_DISTRIBUTION_CONSTANT 1

/// `ThrongDistribution.kind`: evenly from `numbers[0]` to `numbers[1]`.
#define THRONG_DISTRIBUTION_UNIFORM 2

/// `ThrongDistribution.kind`: normally; `numbers` are mean and standard deviation.
#define THRONG_DISTRIBUTION_NORMAL 3

/// `ThrongDistribution.kind`: log-normally; `numbers` are mean and standard deviation of the numbers
/// themselves, not of their logarithms.
#define THRONG_DISTRIBUTION_LOG_NORMAL 4

/// How a call ended. Whatever is not `THRONG_STATUS_OK` has changed nothing, unless it says so.
enum ThrongStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /// It is done.
    THRONG_STATUS_OK = 0,
    /// A pointer is null that must not be.
    THRONG_STATUS_NULL = 1,
    /// The simulation was destroyed, or never was one.
    THRONG_STATUS_NO_SIMULATION = 2,
    /// Another thread is in a call on the same simulation.
    THRONG_STATUS_BUSY = 3,
    /// A fault of throng ended this call on a simulation, or an earlier one. It can only be
    /// destroyed.
    THRONG_STATUS_BROKEN = 4,
    /// A definition was not made by its `throng_default_…` function, or by that of another version.
    THRONG_STATUS_DEFINITION = 5,
    /// A number is none that is possible there.
    THRONG_STATUS_VALUE = 6,
    /// A text is not UTF-8, or not what it should say.
    THRONG_STATUS_TEXT = 7,
    /// There is no group or company of that index or name; in calls that read, no source, sink, door
    /// or structure.
    THRONG_STATUS_NO_SUCH_INDEX = 8,
    /// An agent does not live.
    THRONG_STATUS_NO_AGENT = 9,
    /// The order cannot be carried out.
    THRONG_STATUS_REFUSED = 10,
    /// The buffer is too small; the size that is needed is given.
    THRONG_STATUS_TOO_SMALL = 11,
    /// A file cannot be read or written.
    THRONG_STATUS_FILE = 12,
    /// The scenario has mistakes, each named with its line.
    THRONG_STATUS_SCENARIO = 13,
    /// The map is none.
    THRONG_STATUS_MAP = 14,
    /// The snapshot is damaged, or of another map, settings or version.
    THRONG_STATUS_SNAPSHOT = 15,
    /// The replay cannot be written.
    THRONG_STATUS_REPLAY = 16,
    /// The thread computes in a mode that changes results.
    THRONG_STATUS_HOST = 17,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ThrongStatus ThrongStatus;
#else
typedef uint32_t ThrongStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/// A simulation. Only throng knows what is in it.
typedef struct ThrongSim ThrongSim;

/// Two numbers in double precision.
typedef struct ThrongVec2d {
    /// To the right.
    double x;
    /// Down.
    double y;
} ThrongVec2d;

/// A part of the map, in metres.
typedef struct ThrongShape {
    /// `THRONG_POINT`, `THRONG_RECT`, `THRONG_DISC` or `THRONG_POLYGON`.
    uint32_t kind;
    /// What they are depends on the kind.
    double numbers[4];
    /// Corners of a polygon; they are read when the shape is used.
    const struct ThrongVec2d *corners;
    /// How many corners there are.
    size_t corner_count;
} ThrongShape;

/// Names a door of a simulation.
typedef struct ThrongDoorId {
    /// Doors count from 0, in the order in which they were added.
    uint16_t index;
} ThrongDoorId;

/// A door.
typedef struct ThrongDoor {
    /// Whether it is open: 1 or 0.
    uint8_t is_open;
} ThrongDoor;

/// What a wall with hit points is like.
typedef struct ThrongStructureDef {
    /// Set by `throng_default_structure`.
    uint32_t size;
    /// Hit points that it begins with. Every shot that strikes it, and every splash that reaches
    /// it, takes its damage off them; when none is left the structure falls.
    /// Takes hit points, above 0 to 1000000000; default 1000.
    double health;
    /// The team that it belongs to: only the shots of that team's foes harm it, and shots that
    /// hit friends too. Without one all shots do.
    /// Takes index of a team, or -1; default -1.
    int32_t team;
} ThrongStructureDef;

/// Names a structure of a simulation.
typedef struct ThrongStructureId {
    /// Structures count from 0, in the order in which they were added; fallen ones keep theirs.
    uint16_t index;
} ThrongStructureId;

/// Names a group of a simulation; never another one later. In JSON it is one number,
/// `index + 65536 * generation`.
typedef struct ThrongGroupId {
    /// Groups count from 0, in the order in which they were added. A group that was removed leaves
    /// its index to another.
    uint16_t index;
    /// How many groups had this index before.
    uint16_t generation;
} ThrongGroupId;

/// A structure.
typedef struct ThrongStructure {
    /// Whether it stands: 1 or 0.
    uint8_t stands;
    /// Hit points that are left; 0 once it has fallen.
    double health;
    /// The tick in which it fell, counted from 0; 0 while it stands.
    uint64_t fell;
} ThrongStructure;

/// Open ground and walls in square cells. Either `slowness`, or `file`.
typedef struct ThrongMapDef {
    /// Set by `throng_default_map`.
    uint32_t size;
    /// Cells from left to right.
    uint32_t width;
    /// Cells from top to bottom.
    uint32_t height;
    /// Side of a cell in metres.
    double cell_size;
    /// One number a cell, row by row: 0 is a wall, 16 plain ground, 32 takes twice as long to
    /// cross. It is copied.
    const uint8_t *slowness;
    /// How many numbers there are: `width * height`.
    size_t slowness_count;
    /// Path of a map file (MovingAI, PNG or Tiled), which has its own width and height, or null.
    const char *file;
} ThrongMapDef;

/// What to change of a scenario.
typedef struct ThrongScenarioDef {
    /// Set by `throng_default_scenario`.
    uint32_t size;
    /// A `THRONG_NUMERIC_…`.
    uint32_t numeric;
    /// Agents at tick 0 in all; 0: as the scenario says.
    uint64_t agents;
    /// Whether `seed` counts: 1 or 0.
    uint32_t has_seed;
    /// Seed of everything random.
    uint64_t seed;
} ThrongScenarioDef;

/// Settings of a simulation; they never change while it runs.
typedef struct ThrongSettings {
    /// Set by `throng_default_settings`.
    uint32_t size;
    /// Whole ticks a second. A tick is `1 / tick_rate` seconds long.
    /// Takes 1 to 1000; default 20.
    uint32_t tick_rate;
    /// Cells of work that each flow field under way gets in a tick; a field shows once its cells
    /// are paid for.
    /// Takes the cells that flow fields integrate in a tick, 1 to 4294967295; default 65536.
    uint32_t field_cells_per_tick;
    /// Flow fields under way at once; the others wait their turn.
    /// Takes 1 to 64; default 8.
    uint32_t field_jobs;
    /// How often in a tick agents that overlap are moved apart; more for crowds that must not
    /// overlap at all.
    /// Takes how often in a tick agents that overlap are moved apart, 0 to 16; default 1.
    uint32_t contact_passes;
    /// Bytes that finished flow fields may take.
    /// Takes 1 to 17179869184; default 268435456.
    uint64_t field_cache_bytes;
    /// Ticks from one count of the crowds to the next, for groups that avoid them.
    /// Takes the ticks from one count of the crowds to the next, 1 to 1000000; default 30.
    uint32_t crowding_ticks;
    /// Nodes that each of the eight searches for routes expands in a tick; what a search needs
    /// beyond that it pays for in later ticks.
    /// Takes the nodes that each search for routes expands in a tick, 1 to 4294967295; default
    /// 4096.
    uint32_t route_expansions_per_tick;
    /// Seed of all randomness.
    uint64_t seed;
    /// The number type: `THRONG_NUMERIC_F32` or `THRONG_NUMERIC_FIXED`.
    uint32_t numeric;
} ThrongSettings;

/// The groups of a company and how they go.
typedef struct ThrongCompanyDef {
    /// Set by `throng_default_company`.
    uint32_t size;
    /// A `THRONG_FORMATION_…`.
    uint32_t formation;
    /// Its groups, at least one; in a formation the first stands in front.
    const struct ThrongGroupId *groups;
    /// How many groups there are.
    size_t group_count;
    /// Metres between neighbours in the formation, 0.1 to 100; 0: as the members need.
    double spacing;
    /// Members side by side in the widest rank; 0: as the formation has it.
    uint32_t files;
} ThrongCompanyDef;

/// What a letter of the map costs the agents of a group.
typedef struct ThrongTerrainCost {
    /// The letter, printable ASCII.
    uint8_t letter;
    /// Its slowness in 1/16: 16 is plain ground, 32 takes twice as long to cross, 0 is forbidden.
    uint8_t slowness;
} ThrongTerrainCost;

/// What the agents of a group are like. Lengths in metres, times in seconds.
typedef struct ThrongGroupDef {
    /// Set by `throng_default_group`.
    uint32_t size;
    /// Radius of an agent.
    /// Takes a radius in metres, 0.05 to 50; default 0.3.
    double radius;
    /// The speed that agents like on plain ground; 1.4 is a brisk walk. On ground of another cost
    /// they like this divided by the cost. With `sprint` and on the quickest ground at most one
    /// cell a tick.
    /// Takes a speed in m/s, 0.01 to 500; default 1.4.
    double speed;
    /// Largest force per mass.
    /// Takes an acceleration in m/s², 0.01 to 1000; default 6.
    double acceleration;
    /// Time in which an agent takes on a new velocity; longer is more sluggish.
    /// Takes a time in seconds, 0.02 to 60; default 0.25.
    double response;
    /// Gap between two outlines at which separation begins.
    /// Takes a gap in metres, 0 to 50; default 0.3.
    double personal_space;
    /// Strength of separation: 1 pushes with a quarter of `acceleration` at contact, 0 not at
    /// all.
    /// Takes a strength, 1 for ordinary, 0 to 20; default 1.
    double separation;
    /// Gap between outline and wall at which avoiding the wall begins.
    /// Takes a gap in metres, 0 to 50; default 0.3.
    double wall_margin;
    /// Distance from its place in the goal at which an agent begins to slow down.
    /// Takes a distance in metres, 0.01 to 1000; default 1.5.
    double slowing_radius;
    /// Top speed in multiples of `speed`: agents hurry only to get out of the way. Where some
    /// ground is quicker than plain, top speed is that much higher.
    /// Takes a multiple of `speed`, 1 to 4; default 1.
    double sprint;
    /// How agents keep clear of each other.
    /// Takes `THRONG_AVOIDANCE_SEPARATION`, `THRONG_AVOIDANCE_ORCA`, `THRONG_AVOIDANCE_NONE`;
    /// default `THRONG_AVOIDANCE_SEPARATION`.
    uint32_t avoidance;
    /// `orca`: distance between centres up to which others are seen; the 10 nearest count.
    /// Takes a distance in metres, 0.1 to 30; default 3.
    double neighbour_range;
    /// `orca`: time for which velocities must be free of collisions with agents, less in a queue.
    /// Takes a time in seconds, 0.05 to 60; default 2.
    double time_horizon;
    /// `orca`: the same with walls.
    /// Takes a time in seconds, 0.05 to 60; default 0.5.
    double wall_horizon;
    /// `orca`: time to keep to whoever walks in front: speed is at most the gap divided by it,
    /// and agents that are held up step aside; 0 is none.
    /// Takes a time in seconds, 0 to 10; default 0.
    double time_gap;
    /// Of two that meet the lighter gives way more.
    /// Takes a weight, 1 for ordinary, 0.01 to 100; default 1.
    double weight;
    /// The layer in which the agents live.
    /// Takes a layer, 0 to 31; default 0.
    uint32_t layer;
    /// The layers whose agents they keep clear of.
    /// Takes a bit for each of 32 layers; default 4294967295.
    uint32_t avoids;
    /// Whether agents that stand keep their place; others step aside for walkers, and return.
    /// Routes of all groups lead around them.
    /// Takes 1 or 0; default 0.
    uint8_t hold;
    /// Whether routes lead around crowds where that is faster.
    /// Takes 1 or 0; default 1.
    uint8_t avoid_crowds;
    /// The team on whose side they fight.
    /// Takes index of a team, up to 31; default 0.
    uint32_t team;
    /// The teams that they fight, one bit a team.
    /// Takes 0 to 4294967295; default 0.
    uint32_t foes;
    /// What each of them shoots with; needs a `team`.
    /// Takes index of a weapon, or -1; default -1.
    int32_t weapon;
    /// Health that an agent begins with; an agent that has none left falls. With 0 it cannot be
    /// hurt and is nobody's target, but stops shots like anybody else.
    /// Takes a health, 0 to 16000; default 100.
    double health;
    /// How far an agent rises above the ground, for shots.
    /// Takes a height in metres, 0.1 to 50; default 1.8.
    double height;
    /// Whether agents stand still while they have a target.
    /// Takes 1 or 0; default 1.
    uint8_t halts;
    /// Whether agents do not shoot.
    /// Takes 1 or 0; default 0.
    uint8_t hold_fire;
    /// How agents find their way to a goal. In a company they go by flow fields all the same.
    /// Takes `THRONG_NAVIGATOR_FLOW`, `THRONG_NAVIGATOR_STRAIGHT`,
    /// `THRONG_NAVIGATOR_RANDOM_AVOID`, `THRONG_NAVIGATOR_TRACE`, `THRONG_NAVIGATOR_TRACE_SIGHT`,
    /// `THRONG_NAVIGATOR_BREADCRUMBS`, `THRONG_NAVIGATOR_ROAD`, `THRONG_NAVIGATOR_LEFT_HAND`,
    /// `THRONG_NAVIGATOR_WAYPOINTS`, `THRONG_NAVIGATOR_PATH`, `THRONG_NAVIGATOR_NETWORK`,
    /// `THRONG_NAVIGATOR_MESH`, `THRONG_NAVIGATOR_CORRIDOR`; default `THRONG_NAVIGATOR_FLOW`.
    uint32_t navigator;
    /// What a cell costs more for each unit of its grade, as a share of its cost on level ground:
    /// with 4, a grade of 0.25 costs twice as much.
    /// Takes a cost for each unit of grade, 0 to 1000; default 0.
    double slope_cost;
    /// Grade beyond which a cell is forbidden.
    /// Takes a grade, metres up for a metre ahead, 0 to 1000; default inf.
    double max_slope;
    /// What letters of the map cost them, where that is not what the map says.
    const struct ThrongTerrainCost *terrain;
    /// How many letters there are.
    size_t terrain_count;
} ThrongGroupDef;

/// What a group shoots with. Lengths in metres, times in seconds.
typedef struct ThrongWeaponDef {
    /// Set by `throng_default_weapon`.
    uint32_t size;
    /// Largest distance to a target: between centres on the map.
    /// Takes a distance in metres, 0.1 to 2000; default 60.
    double range;
    /// Smallest distance to a target, at most `range`.
    /// Takes a distance in metres, 0 to 2000; default 0.
    double min_range;
    /// Time from one shot to the next, a tick at the least.
    /// Takes a time in seconds, 0.05 to 3600; default 3.
    double cooldown;
    /// Speed at the muzzle.
    /// Takes a speed in m/s, 0.1 to 10000; default 40.
    double speed;
    /// How strongly a projectile falls; 0 flies straight.
    /// Takes an acceleration in m/s², 0 to 100; default 9.81.
    double gravity;
    /// Of the two ways to hit under gravity the flat one, which arrives first, or the lob.
    /// Takes `THRONG_ARC_LOW`, `THRONG_ARC_HIGH`; default `THRONG_ARC_LOW`.
    uint32_t arc;
    /// Shots leave at `speed`, or as slowly as still hits.
    /// Takes `THRONG_POWER_FULL`, `THRONG_POWER_LEAST`; default `THRONG_POWER_FULL`.
    uint32_t power;
    /// Largest error of each component of the launch velocity, as a share of `speed`; small
    /// errors are more likely (the sum of two uniform ones).
    /// Takes a share of the speed, 0 to 1; default 0.01.
    double spread;
    /// Health that a hit takes.
    /// Takes a loss of health, 0 to 16000; default 25.
    double damage;
    /// Radius in which a hit, on whatever it is, hurts agents; the damage falls linearly from the
    /// middle to the edge, with the distance to the nearest point of an agent's axis, and walls
    /// do not stop it. 0 hurts only the agent that is hit.
    /// Takes a radius in metres, 0 to 50; default 0.
    double splash;
    /// Height of the muzzle above the ground.
    /// Takes a height in metres, 0 to 50; default 1.5.
    double muzzle;
    /// Time after which a projectile is gone.
    /// Takes a time in seconds, 0.05 to 120; default 30.
    double lifetime;
    /// How fast a projectile turns after its target; 0 does not. One that turns keeps its speed,
    /// and does not fall.
    /// Takes a turn in rad/s, 0 to 100; default 0.
    double turn_rate;
    /// Which of the foes in range it is pointed at: the nearest, the one with the least health,
    /// or the one with the weapon that does the most damage a second.
    /// Takes `THRONG_CHOICE_NEAREST`, `THRONG_CHOICE_WEAKEST`, `THRONG_CHOICE_THREAT`; default
    /// `THRONG_CHOICE_NEAREST`.
    uint32_t choice;
    /// Whether a target is kept while it lives and is in range.
    /// Takes 1 or 0; default 1.
    uint8_t sticky;
    /// Time from one choice of a target to the next.
    /// Takes a time in seconds, 0.05 to 60; default 1.
    double retarget;
    /// Whether only targets are shot at that a straight line from the muzzle reaches.
    /// Takes 1 or 0; default 0.
    uint8_t sight;
    /// Whether projectiles hit, and splash hurts, friends too; never the agent that shot.
    /// Takes 1 or 0; default 0.
    uint8_t friendly_fire;
    /// Shots that an agent has; 0 is without a limit. An agent that has none left is unarmed.
    /// Takes a number of shots, 0 to 30000; default 0.
    uint32_t ammunition;
} ThrongWeaponDef;

/// Names an agent for as long as it lives; never another one later.
typedef struct ThrongAgentId {
    /// Index into tables that are keyed by id.
    uint32_t index;
    /// How many agents had this index before.
    uint32_t generation;
} ThrongAgentId;

/// Names a sink of a simulation.
typedef struct ThrongSinkId {
    /// Sinks count from 0, in the order in which they were added.
    uint16_t index;
} ThrongSinkId;

/// An agent that has left by a sink.
typedef struct ThrongDeparture {
    /// The agent; it is gone by now.
    struct ThrongAgentId id;
    /// Its group.
    struct ThrongGroupId group;
    /// The sink.
    struct ThrongSinkId sink;
    /// Where it was, in metres.
    struct ThrongVec2d at;
} ThrongDeparture;

/// Names a weapon of a simulation.
typedef struct ThrongWeaponId {
    /// Weapons count from 0, in the order in which they were added.
    uint16_t index;
} ThrongWeaponId;

/// The death of an agent.
typedef struct ThrongFallen {
    /// Who; it is gone by now.
    struct ThrongAgentId id;
    /// Its group.
    struct ThrongGroupId group;
    /// Whether a shot killed it, and not an order: 1 or 0.
    uint8_t by_shot;
    /// The weapon of that shot.
    struct ThrongWeaponId weapon;
    /// Where, in metres.
    struct ThrongVec2d at;
} ThrongFallen;

/// A structure that has fallen.
typedef struct ThrongCollapse {
    /// The structure.
    struct ThrongStructureId structure;
    /// Whether a shot took its last hit points; else an order took its walls down: 1 or 0.
    uint8_t by_shot;
    /// The weapon of that shot.
    struct ThrongWeaponId weapon;
} ThrongCollapse;

/// Three numbers in double precision.
typedef struct ThrongVec3d {
    /// To the right.
    double x;
    /// Down.
    double y;
    /// Upwards.
    double z;
} ThrongVec3d;

/// The end of a projectile.
typedef struct ThrongImpact {
    /// Where it was then: x, y and height in metres.
    struct ThrongVec3d at;
    /// A `THRONG_STRUCK_…`.
    uint32_t struck;
    /// The agent that it struck, if it struck one.
    struct ThrongAgentId agent;
    /// The weapon that it was shot with.
    struct ThrongWeaponId weapon;
    /// The group on whose side it was.
    struct ThrongGroupId group;
} ThrongImpact;

/// An order that was refused.
typedef struct ThrongRefused {
    /// The order as JSON, as `throng_order` takes it.
    const char *order;
    /// Why, in words.
    const char *why;
} ThrongRefused;

/// What happened in the last tick and by the orders given since. The arrays hold until the next
/// call that changes the simulation.
typedef struct ThrongEvents {
    /// Agents that orders brought, in the order of the orders.
    const struct ThrongAgentId *spawned;
    /// How many.
    size_t spawned_count;
    /// Agents that sources brought, in the order of the sources.
    const struct ThrongAgentId *entered;
    /// How many.
    size_t entered_count;
    /// Agents that have left by a sink, by row.
    const struct ThrongDeparture *left;
    /// How many.
    size_t left_count;
    /// Agents that have come into their goal, by row; none unless `throng_watch_arrivals`.
    const struct ThrongAgentId *arrived;
    /// How many.
    size_t arrived_count;
    /// Agents that have not got on for long, by row; none unless `throng_watch_stuck`.
    const struct ThrongAgentId *stuck;
    /// How many.
    size_t stuck_count;
    /// Agents that died.
    const struct ThrongFallen *fallen;
    /// How many.
    size_t fallen_count;
    /// Structures that fell, by their index.
    const struct ThrongCollapse *collapsed;
    /// How many.
    size_t collapsed_count;
    /// Projectiles that ended, and what they struck.
    const struct ThrongImpact *impacts;
    /// How many.
    size_t impact_count;
    /// Orders that were refused.
    const struct ThrongRefused *refused;
    /// How many.
    size_t refused_count;
} ThrongEvents;

/// Names a company of a simulation; never another one later. In JSON it is one number,
/// `index + 65536 * generation`.
typedef struct ThrongCompanyId {
    /// Companies count from 0, in the order in which they were added. A company that was removed
    /// leaves its index to another.
    uint16_t index;
    /// How many companies had this index before.
    uint16_t generation;
} ThrongCompanyId;

/// Two numbers in single precision.
typedef struct ThrongVec2f {
    /// To the right.
    float x;
    /// Down.
    float y;
} ThrongVec2f;

/// An agent.
typedef struct ThrongAgent {
    /// Its id.
    struct ThrongAgentId id;
    /// Its group.
    struct ThrongGroupId group;
    /// Bits such as `THRONG_ARRIVED`.
    uint8_t state;
    /// Whether it has an order of its own: 1 or 0.
    uint8_t is_detached;
    /// Whether it aims at `target`: 1 or 0.
    uint8_t has_target;
    /// Whether it follows `leader`, which may be gone: 1 or 0.
    uint8_t has_leader;
    /// Index of the state of its machine; 255 when it does not think.
    uint8_t mind_state;
    /// Its row in arrays, until the next call that changes the simulation.
    uint32_t row;
    /// The agent that it aims at.
    struct ThrongAgentId target;
    /// The agent that it follows.
    struct ThrongAgentId leader;
    /// The tick in which it sets off, while it waits for that; else 0.
    uint64_t sets_off;
    /// The number that it was given, or 0.
    uint64_t label;
    /// Its centre in metres.
    struct ThrongVec2d pos;
    /// Its velocity in m/s.
    struct ThrongVec2d velocity;
    /// Radius of its disc in metres.
    double radius;
    /// Health that is left; 0 in a world without weapons.
    double health;
} ThrongAgent;

/// A group.
typedef struct ThrongGroup {
    /// Agents that it has; those with an order of their own count elsewhere.
    uint32_t members;
    /// Agents of it that died.
    uint32_t fallen;
    /// Whether it has an order: 1 or 0.
    uint8_t has_order;
    /// Its name in the scenario, or null. It holds as long as the simulation.
    const char *name;
} ThrongGroup;

/// An entry of the table of a source.
typedef struct ThrongInflow {
    /// In seconds from tick 0.
    double time;
    /// Agents a second from then on; in batches, so many at once.
    double agents;
} ThrongInflow;

/// How the agents of a source come. Times in seconds from tick 0.
typedef struct ThrongSourceDef {
    /// Set by `throng_default_source`.
    uint32_t size;
    /// Nobody comes before this time.
    /// Takes a time in seconds, 0 to 1000000000; default 0.
    double start;
    /// Nobody comes from this time on; agents that wait outside then still enter.
    /// Takes a time in seconds, 0 to 1000000000; default inf.
    double end;
    /// Most agents that come in all; 0 sets no limit.
    /// Takes a number of agents, 0 to 16777216; default 0.
    uint32_t count;
    /// Whether agents come at random, as a Poisson stream of the rate; else evenly.
    /// Takes 1 or 0; default 0.
    uint8_t poisson;
    /// Agents a second, where there are no `entries`.
    double rate;
    /// Whether `entries` are batches and not rates: 1 or 0.
    uint8_t batches;
    /// Rates or batches, by ascending time.
    const struct ThrongInflow *entries;
    /// How many entries there are.
    size_t entry_count;
} ThrongSourceDef;

/// Names a source of a simulation.
typedef struct ThrongSourceId {
    /// Sources count from 0, in the order in which they were added.
    uint16_t index;
} ThrongSourceId;

/// How numbers of agents lie. What lies beyond the bounds is drawn again.
typedef struct ThrongDistribution {
    /// A `THRONG_DISTRIBUTION_…`.
    uint32_t kind;
    /// What they are depends on the kind.
    double numbers[2];
    /// Smallest number; -1000000 and below is without a bound.
    double min;
    /// Largest number; 1000000 and above is without a bound.
    double max;
} ThrongDistribution;

/// In what the agents of a group differ; each draws for itself.
typedef struct ThrongVaryDef {
    /// Set by `throng_default_vary`.
    uint32_t size;
    /// The speed that an agent likes on plain ground in m/s: from a 64th of its group's to twice
    /// that, in 64ths of it.
    struct ThrongDistribution speed;
    /// How long an agent stays before it sets off, in seconds: from when it appears or its group is
    /// first sent somewhere, whichever is later. 0 to 1000000.
    struct ThrongDistribution wait;
    /// Its radius in metres: 0.05 to that of its group, which ways and places are made for.
    struct ThrongDistribution radius;
    /// Time in which it takes on a new velocity in seconds, 0.02 to 60. The group's `response`
    /// becomes the shortest.
    struct ThrongDistribution response;
    /// How long it keeps to the exit that it has chosen in seconds, in place of `every` of
    /// `ThrongExitsDef`. 0 to 1000000.
    struct ThrongDistribution patience;
} ThrongVaryDef;

/// An exit.
typedef struct ThrongExit {
    /// Set by `throng_default_exit`.
    uint32_t size;
    /// Agents a second that get through when there is a queue; 1.3 for each metre of width is
    /// usual.
    /// Takes a number of agents a second, 0.01 to 10000; default 1.3.
    double flow;
    /// Share of the group's agents that know the exit. Agents that know none of them go to the
    /// nearest.
    /// Takes a share, 0 to 1; default 1.
    double known;
    /// Where it is.
    const struct ThrongShape *area;
    /// How many shapes there are.
    size_t area_count;
} ThrongExit;

/// How the agents of a group choose among exits.
typedef struct ThrongExitsDef {
    /// Set by `throng_default_exits`.
    uint32_t size;
    /// Time after which an agent chooses anew.
    /// Takes a time in seconds, 0.05 to 1000000; default 2.
    double every;
    /// What queues count: 1 as they are, 0 not at all, so that all agents take the nearest exit.
    /// Takes a weight, 0 to 100; default 1.
    double crowd;
    /// Share of the expected time that another exit must save an agent that has chosen before.
    /// Takes a share, 0 to 1; default 0.2.
    double stay;
    /// The exits, at least one.
    const struct ThrongExit *exits;
    /// How many exits there are.
    size_t exit_count;
} ThrongExitsDef;

/// How the agents of a group follow others. Lengths in metres.
typedef struct ThrongFollowDef {
    /// Set by `throng_default_follow`.
    uint32_t size;
    /// Gap between the outlines of an agent and of its leader at which it stands.
    /// Takes a gap in metres, 0 to 50; default 1.
    double gap;
    /// Each follows one agent of this group, unless `has_agent`.
    struct ThrongGroupId leaders;
    /// Whether all follow `agent`: 1 or 0.
    uint8_t has_agent;
    /// The one that all follow.
    struct ThrongAgentId agent;
} ThrongFollowDef;

/// A source.
typedef struct ThrongSource {
    /// The group that its agents join.
    struct ThrongGroupId group;
    /// Whether it was closed, or its group removed: 1 or 0.
    uint8_t is_closed;
    /// Agents that have entered.
    uint64_t entered;
    /// Agents that have come and wait outside until there is room.
    uint64_t waiting;
} ThrongSource;

/// A sink.
typedef struct ThrongSink {
    /// Agents that have left there.
    uint64_t left;
} ThrongSink;

/// How many sources, sinks, doors and structures a simulation has, and how many agents have come and
/// gone.
typedef struct ThrongTraffic {
    /// Sources, closed ones too.
    size_t source_count;
    /// Sinks.
    size_t sink_count;
    /// Doors.
    size_t door_count;
    /// Structures, fallen ones too.
    size_t structure_count;
    /// Agents that sources have brought.
    uint64_t entered;
    /// Agents that have come to a source and wait outside until there is room.
    uint64_t waiting;
    /// Agents that have left by sinks.
    uint64_t left;
    /// Whether sources still bring agents, or agents wait outside: 1 or 0.
    uint8_t has_comers;
} ThrongTraffic;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Adds a door, open or closed (1 or 0). Ways lead through it in any case, and agents wait before it
/// while it is closed. Walls of the map in its area are taken down.
///
/// # Safety
/// `area` points to `area_count` shapes; `door` is null or points to room for an id.
ThrongStatus throng_add_door(struct ThrongSim *sim,
                             const struct ThrongShape *area,
                             size_t area_count,
                             uint8_t is_open,
                             struct ThrongDoorId *door);

/// Opens or closes a door (1 or 0). Agents in one that closes are moved to the nearest open cell;
/// `touched`, where it is wanted, is how many these are. Refused for one that is so already.
ThrongStatus throng_set_door(struct ThrongSim *sim,
                             struct ThrongDoorId door,
                             uint8_t is_open,
                             uint32_t *touched);

/// A door.
ThrongStatus throng_door(const struct ThrongSim *sim,
                         struct ThrongDoorId door,
                         struct ThrongDoor *found);

/// Adds a structure: the open cells of an area become walls with hit points, which fall when these
/// are gone. Agents there are moved to the nearest open cell.
///
/// # Safety
/// `area` points to `area_count` shapes; `def` is null or whole; `structure` is null or points to
/// room for an id.
ThrongStatus throng_add_structure(struct ThrongSim *sim,
                                  const struct ThrongShape *area,
                                  size_t area_count,
                                  const struct ThrongStructureDef *def,
                                  struct ThrongStructureId *structure);

/// Has a group go up to a structure and shoot at it while it has no foe to shoot at, until the
/// structure has fallen or the group is sent somewhere or stopped. `touched` may be null.
ThrongStatus throng_attack(struct ThrongSim *sim,
                           struct ThrongGroupId group,
                           struct ThrongStructureId structure,
                           uint32_t *touched);

/// A structure.
ThrongStatus throng_structure(const struct ThrongSim *sim,
                              struct ThrongStructureId structure,
                              struct ThrongStructure *found);

/// A map of nothing, with cells of a metre.
struct ThrongMapDef throng_default_map(void);

/// All as the scenario says.
struct ThrongScenarioDef throng_default_scenario(void);

/// An empty map under these settings. `*sim` is null when it fails.
///
/// # Safety
/// The definitions are null or whole, with all that they point to; `sim` is null or points to room
/// for a pointer.
ThrongStatus throng_create(const struct ThrongMapDef *map_def,
                           const struct ThrongSettings *settings_def,
                           struct ThrongSim **sim);

/// A scenario: a file, or one of those that ship inside throng by its name. The orders of its first
/// tick are given, all others come at their ticks. `*sim` is null when it fails; `changes` may be
/// null.
///
/// # Safety
/// `name` is null or a text; `changes` is null or whole; `sim` is null or points to room for a
/// pointer.
ThrongStatus throng_load_scenario(const char *name,
                                  const struct ThrongScenarioDef *changes,
                                  struct ThrongSim **sim);

/// Lets go of a simulation; a recording that was not finished is cut. Pointers into it hold no
/// more. A null pointer is let go of already.
ThrongStatus throng_destroy(struct ThrongSim *sim);

/// A company of no group, without a formation.
struct ThrongCompanyDef throng_default_company(void);

/// The traits that agents have when nothing is said.
struct ThrongGroupDef throng_default_group(void);

/// The numbers that weapons have when nothing is said.
struct ThrongWeaponDef throng_default_weapon(void);

/// The settings when nothing is said.
struct ThrongSettings throng_default_settings(void);

/// Traits that go together: `rts`, `pedestrian` or `horde`.
///
/// # Safety
/// `name` is null or a text; `def` is null or points to room for a definition.
ThrongStatus throng_group_preset(const char *name, struct ThrongGroupDef *def);

/// Numbers of a weapon that go together: `bow`, `gun` or `catapult`.
///
/// # Safety
/// `name` is null or a text; `def` is null or points to room for a definition.
ThrongStatus throng_weapon_preset(const char *name, struct ThrongWeaponDef *def);

/// What happened in the last tick and by the orders given since.
ThrongStatus throng_events(const struct ThrongSim *sim, struct ThrongEvents *events);

/// From now on events list agents that come into their goal.
ThrongStatus throng_watch_arrivals(struct ThrongSim *sim);

/// From now on events list agents under way that have stayed within their radius for so many
/// seconds.
ThrongStatus throng_watch_stuck(struct ThrongSim *sim, double seconds);

/// Gives any order there is, as JSON: `{"Stop": {"group": 0}}`. The names are those of `Order` in
/// Rust.
///
/// # Safety
/// `json` is null or a text; `touched` is null or points to room for a number.
ThrongStatus throng_order(struct ThrongSim *sim, const char *json, uint32_t *touched);

/// Has an order given in the tick of this number, after all that is ordered by then; never if that
/// tick has been done. Events say if it is refused.
///
/// # Safety
/// `json` is null or a text.
ThrongStatus throng_schedule(struct ThrongSim *sim, uint64_t tick, const char *json);

/// Adds a group without agents.
///
/// # Safety
/// `def` is null or whole, with the terrain that it points to; `group` is null or points to room
/// for an id.
ThrongStatus throng_add_group(struct ThrongSim *sim,
                              const struct ThrongGroupDef *def,
                              struct ThrongGroupId *group);

/// Changes what a group is like, under way or not. Radius, navigator and costs of ground stay.
///
/// # Safety
/// As `throng_add_group`.
ThrongStatus throng_change_group(struct ThrongSim *sim,
                                 struct ThrongGroupId group,
                                 const struct ThrongGroupDef *def,
                                 uint32_t *touched);

/// Removes a group with its agents, who leave in the next step and take no more orders; `touched` is
/// how many these are. It leaves its company. From now on its id is refused; its index is used again
/// by a group that is added, under another id.
ThrongStatus throng_remove_group(struct ThrongSim *sim,
                                 struct ThrongGroupId group,
                                 uint32_t *touched);

/// Adds a weapon, which groups added later can carry.
///
/// # Safety
/// `def` is null or whole; `weapon` is null or points to room for an id.
ThrongStatus throng_add_weapon(struct ThrongSim *sim,
                               const struct ThrongWeaponDef *def,
                               struct ThrongWeaponId *weapon);

/// Joins groups to a company.
///
/// # Safety
/// `def` is null or whole, with the groups that it points to; `company` is null or points to room
/// for an id.
ThrongStatus throng_add_company(struct ThrongSim *sim,
                                const struct ThrongCompanyDef *def,
                                struct ThrongCompanyId *company);

/// Removes a company: its groups stand where they are, by themselves. From now on its id is refused.
ThrongStatus throng_remove_company(struct ThrongSim *sim,
                                   struct ThrongCompanyId company,
                                   uint32_t *touched);

/// Brings new agents to a group, spread over an area, at rest. `*ids`, where it is wanted, points
/// to `count` ids until the next call that changes the simulation.
///
/// # Safety
/// `area` points to `area_count` shapes; `ids` is null or points to room for a pointer.
ThrongStatus throng_spawn(struct ThrongSim *sim,
                          struct ThrongGroupId group,
                          const struct ThrongShape *area,
                          size_t area_count,
                          uint32_t count,
                          const struct ThrongAgentId **ids);

/// Sends a group to a goal: the nearest part of these shapes.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
ThrongStatus throng_send(struct ThrongSim *sim,
                         struct ThrongGroupId group,
                         const struct ThrongShape *area,
                         size_t area_count,
                         uint32_t *touched);

/// Has a group stand where it is.
ThrongStatus throng_stop(struct ThrongSim *sim, struct ThrongGroupId group, uint32_t *touched);

/// Agents of a group leave at the end of the tick: those in an area, or with an `area_count` of 0
/// all.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
ThrongStatus throng_remove(struct ThrongSim *sim,
                           struct ThrongGroupId group,
                           const struct ThrongShape *area,
                           size_t area_count,
                           uint32_t *touched);

/// Builds walls: all cells with their centres in an area. Agents there are moved to the nearest
/// open cell.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
ThrongStatus throng_build(struct ThrongSim *sim,
                          const struct ThrongShape *area,
                          size_t area_count,
                          uint32_t *touched);

/// Takes walls down: all cells with their centres in an area.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
ThrongStatus throng_demolish(struct ThrongSim *sim,
                             const struct ThrongShape *area,
                             size_t area_count,
                             uint32_t *touched);

/// Fires a shot of a group's side, by nobody in particular: from x, y and height in metres, with a
/// velocity in m/s, upwards last.
ThrongStatus throng_launch(struct ThrongSim *sim,
                           struct ThrongGroupId group,
                           struct ThrongWeaponId weapon,
                           struct ThrongVec3d from,
                           struct ThrongVec3d velocity,
                           uint32_t *touched);

/// Sends the groups of a company to a goal, as fast as the slowest, in formation if it has one.
///
/// # Safety
/// `area` points to `area_count` shapes; `touched` is null or points to room for a number.
ThrongStatus throng_send_company(struct ThrongSim *sim,
                                 struct ThrongCompanyId company,
                                 const struct ThrongShape *area,
                                 size_t area_count,
                                 uint32_t *touched);

/// Has the groups of a company stand where they are.
ThrongStatus throng_stop_company(struct ThrongSim *sim,
                                 struct ThrongCompanyId company,
                                 uint32_t *touched);

/// A company takes on another formation (`THRONG_FORMATION_…`), or none.
ThrongStatus throng_form_company(struct ThrongSim *sim,
                                 struct ThrongCompanyId company,
                                 uint32_t formation_code,
                                 uint32_t *touched);

/// Sends agents to a goal of their own: the nearest part of these shapes. They return to the order
/// of their group when that is sent somewhere or stopped.
///
/// # Safety
/// `agents` points to `agent_count` ids, `area` to `area_count` shapes; `touched` is null or points
/// to room for a number.
ThrongStatus throng_send_agents(struct ThrongSim *sim,
                                const struct ThrongAgentId *agents,
                                size_t agent_count,
                                const struct ThrongShape *area,
                                size_t area_count,
                                uint32_t *touched);

/// Sends each of some agents to a point of its own; `to` has one for each.
///
/// # Safety
/// `agents` points to `agent_count` ids, `to` to as many points; `touched` is null or points to
/// room for a number.
ThrongStatus throng_send_each(struct ThrongSim *sim,
                              const struct ThrongAgentId *agents,
                              size_t agent_count,
                              const struct ThrongVec2d *to,
                              uint32_t *touched);

/// Puts agents somewhere else, at rest; `to` has one point for each.
///
/// # Safety
/// `agents` points to `agent_count` ids, `to` to as many points; `touched` is null or points to
/// room for a number.
ThrongStatus throng_teleport_agents(struct ThrongSim *sim,
                                    const struct ThrongAgentId *agents,
                                    size_t agent_count,
                                    const struct ThrongVec2d *to,
                                    uint32_t *touched);

/// Has agents stand where they are, whatever their group does.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_stop_agents(struct ThrongSim *sim,
                                const struct ThrongAgentId *agents,
                                size_t agent_count,
                                uint32_t *touched);

/// Has agents follow the order of their group again.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_rejoin_agents(struct ThrongSim *sim,
                                  const struct ThrongAgentId *agents,
                                  size_t agent_count,
                                  uint32_t *touched);

/// Agents leave at the end of the tick.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_remove_agents(struct ThrongSim *sim,
                                  const struct ThrongAgentId *agents,
                                  size_t agent_count,
                                  uint32_t *touched);

/// Changes the velocity of agents by so much in m/s, up to their top speed.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_push_agents(struct ThrongSim *sim,
                                const struct ThrongAgentId *agents,
                                size_t agent_count,
                                struct ThrongVec2d by,
                                uint32_t *touched);

/// Takes health above 0 from agents, who may die of it.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_damage_agents(struct ThrongSim *sim,
                                  const struct ThrongAgentId *agents,
                                  size_t agent_count,
                                  double health,
                                  uint32_t *touched);

/// Gives health above 0 to agents, up to what their group begins with.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_heal_agents(struct ThrongSim *sim,
                                const struct ThrongAgentId *agents,
                                size_t agent_count,
                                double health,
                                uint32_t *touched);

/// Has agents go at so much of the speed of their group, from 0 to 2.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_pace_agents(struct ThrongSim *sim,
                                const struct ThrongAgentId *agents,
                                size_t agent_count,
                                double factor,
                                uint32_t *touched);

/// Gives agents a number that means something to the caller.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_label_agents(struct ThrongSim *sim,
                                 const struct ThrongAgentId *agents,
                                 size_t agent_count,
                                 uint64_t label,
                                 uint32_t *touched);

/// Agents change to another group, and with it to that group's order.
///
/// # Safety
/// `agents` points to `agent_count` ids; `touched` is null or points to room for a number.
ThrongStatus throng_assign_agents(struct ThrongSim *sim,
                                  const struct ThrongAgentId *agents,
                                  size_t agent_count,
                                  struct ThrongGroupId group,
                                  uint32_t *touched);

/// The number of agents.
ThrongStatus throng_agent_count(const struct ThrongSim *sim, size_t *count);

/// How many agents have arrived.
ThrongStatus throng_arrived_count(const struct ThrongSim *sim, size_t *count);

/// Positions of all agents in metres, in single precision: the simulation's own memory, without a
/// copy, unless it is in fixed point; then they are rounded.
ThrongStatus throng_positions_f32(const struct ThrongSim *sim,
                                  const struct ThrongVec2f **first,
                                  size_t *count);

/// Positions of all agents in metres, exactly.
ThrongStatus throng_positions_f64(const struct ThrongSim *sim,
                                  const struct ThrongVec2d **first,
                                  size_t *count);

/// Velocities of all agents in m/s, in single precision, as `throng_positions_f32`.
ThrongStatus throng_velocities_f32(const struct ThrongSim *sim,
                                   const struct ThrongVec2f **first,
                                   size_t *count);

/// Velocities of all agents in m/s, exactly.
ThrongStatus throng_velocities_f64(const struct ThrongSim *sim,
                                   const struct ThrongVec2d **first,
                                   size_t *count);

/// Ids of all agents.
ThrongStatus throng_ids(const struct ThrongSim *sim,
                        const struct ThrongAgentId **first,
                        size_t *count);

/// Indices of the groups of all agents.
ThrongStatus throng_groups(const struct ThrongSim *sim, const uint16_t **first, size_t *count);

/// States of all agents: bits such as `THRONG_ARRIVED`.
ThrongStatus throng_states(const struct ThrongSim *sim, const uint8_t **first, size_t *count);

/// An agent. The first call after a change makes a table of all rows, about a nanosecond an agent;
/// others cost the same for any number of agents.
ThrongStatus throng_agent(const struct ThrongSim *sim,
                          struct ThrongAgentId id,
                          struct ThrongAgent *found);

/// The `most` agents nearest to a point, of those within `reach` metres, the nearest first. The
/// array holds until the next call of this function or of `throng_within`, too.
ThrongStatus throng_nearest(const struct ThrongSim *sim,
                            struct ThrongVec2d at,
                            size_t most,
                            double reach,
                            const struct ThrongAgentId **first,
                            size_t *count);

/// The agents with their centres in an area, by id. The array holds until the next call of this
/// function or of `throng_nearest`, too.
///
/// # Safety
/// `area` points to `area_count` shapes; `first` and `count` are null or point to room for theirs.
ThrongStatus throng_within(const struct ThrongSim *sim,
                           const struct ThrongShape *area,
                           size_t area_count,
                           const struct ThrongAgentId **first,
                           size_t *count);

/// The number of groups, with those that the engine adds for agents with orders of their own.
ThrongStatus throng_group_count(const struct ThrongSim *sim, size_t *count);

/// A group.
ThrongStatus throng_group(const struct ThrongSim *sim,
                          struct ThrongGroupId group,
                          struct ThrongGroup *found);

/// The group of a name in the scenario.
///
/// # Safety
/// `name` is null or a text; `group` is null or points to room for an id.
ThrongStatus throng_find_group(const struct ThrongSim *sim,
                               const char *name,
                               struct ThrongGroupId *group);

/// A point, in metres.
struct ThrongShape throng_point(double x, double y);

/// An axis-parallel rectangle between two opposite corners, in metres.
struct ThrongShape throng_rect(double x, double y, double to_x, double to_y);

/// A disc, in metres.
struct ThrongShape throng_disc(double x, double y, double radius);

/// A simple polygon, its corners in order, in metres. They are read when the shape is used.
struct ThrongShape throng_polygon(const struct ThrongVec2d *corners, size_t corner_count);

/// The digest of the state: equal for equal states on every machine, different for different ones.
ThrongStatus throng_digest(const struct ThrongSim *sim, uint64_t *digest);

/// Copies the state to a buffer. `*size` is set to the bytes of the state; with a smaller
/// `capacity` nothing is written and the status is `THRONG_STATUS_TOO_SMALL`. So a first call with
/// a capacity of 0, where `buffer` may be null, asks for the size.
///
/// # Safety
/// `buffer` points to `capacity` bytes that may be written; `size` is null or points to room for a
/// number.
ThrongStatus throng_snapshot(const struct ThrongSim *sim,
                             uint8_t *buffer,
                             size_t capacity,
                             size_t *size);

/// Takes the state back, or forward, to a snapshot of a simulation of the same map and settings.
///
/// # Safety
/// `snapshot` points to `size` bytes.
ThrongStatus throng_restore(struct ThrongSim *sim, const uint8_t *snapshot, size_t size);

/// Records the run from here on to a file, which `throng verify` plays again. A file that is there
/// is written over. `label` says what is run, for people; it may be null.
///
/// # Safety
/// `path` is null or a text; so is `label`.
ThrongStatus throng_record(struct ThrongSim *sim, const char *path, const char *label);

/// Ends the recording, if there is one. It fails when writing failed, now or at an earlier tick:
/// the run went on, the recording did not.
ThrongStatus throng_finish_recording(struct ThrongSim *sim);

/// Why the last call of this thread failed that did, in words for people. Valid until another call
/// of this thread fails; empty before one has.
const char *throng_last_error(void);

/// The version of throng, as in `0.1.0`. Always valid.
const char *throng_version(void);

/// Does so many ticks. All pointers into the simulation hold no more.
ThrongStatus throng_step(struct ThrongSim *sim, uint32_t ticks);

/// How many ticks are due after a frame of so many seconds, 8 at most.
ThrongStatus throng_due(struct ThrongSim *sim, double seconds, uint32_t *ticks);

/// How much of the time from the last tick to the next has passed at the end of the frame, 0 to 1.
ThrongStatus throng_alpha(const struct ThrongSim *sim, double *alpha);

/// Ticks done.
ThrongStatus throng_tick_count(const struct ThrongSim *sim, uint64_t *ticks);

/// Simulated time in seconds.
ThrongStatus throng_seconds(const struct ThrongSim *sim, double *seconds);

/// Adds a source: agents of a group appear in an area while the simulation runs. Agents that find no
/// room wait outside.
///
/// # Safety
/// `area` points to `area_count` shapes; `def` is null or whole, with the entries that it points to;
/// `source` is null or points to room for an id.
ThrongStatus throng_add_source(struct ThrongSim *sim,
                               struct ThrongGroupId group,
                               const struct ThrongShape *area,
                               size_t area_count,
                               const struct ThrongSourceDef *def,
                               struct ThrongSourceId *source);

/// No agents come to a source any more; agents that wait outside go.
ThrongStatus throng_close_source(struct ThrongSim *sim, struct ThrongSourceId source);

/// Adds a sink: agents of some groups, or with a `group_count` of 0 of all, leave when they come into
/// an area, and are counted.
///
/// # Safety
/// `area` points to `area_count` shapes, `groups` to `group_count` ids; `sink` is null or points to
/// room for an id.
ThrongStatus throng_add_sink(struct ThrongSim *sim,
                             const struct ThrongShape *area,
                             size_t area_count,
                             const struct ThrongGroupId *groups,
                             size_t group_count,
                             struct ThrongSinkId *sink);

/// Makes the agents of a group differ from now on: its members and agents that join it.
///
/// # Safety
/// `def` is null or whole; `touched` is null or points to room for a number.
ThrongStatus throng_vary(struct ThrongSim *sim,
                         struct ThrongGroupId group,
                         const struct ThrongVaryDef *def,
                         uint32_t *touched);

/// Has each agent of a group choose an exit and go there, until the group is sent somewhere or
/// stopped. The group goes by flow fields, thinks by no machine and is in no company.
///
/// # Safety
/// `def` is null or whole, with the exits, shapes and corners that it points to; `touched` is null or
/// points to room for a number.
ThrongStatus throng_choose(struct ThrongSim *sim,
                           struct ThrongGroupId group,
                           const struct ThrongExitsDef *def,
                           uint32_t *touched);

/// Has the agents of a group go where others go, until the group is sent somewhere or stopped. The
/// group thinks by no machine and is in no company.
///
/// # Safety
/// `def` is null or whole; `touched` is null or points to room for a number.
ThrongStatus throng_follow(struct ThrongSim *sim,
                           struct ThrongGroupId group,
                           const struct ThrongFollowDef *def,
                           uint32_t *touched);

/// A source.
ThrongStatus throng_source(const struct ThrongSim *sim,
                           struct ThrongSourceId source,
                           struct ThrongSource *found);

/// A sink.
ThrongStatus throng_sink(const struct ThrongSim *sim,
                         struct ThrongSinkId sink,
                         struct ThrongSink *found);

/// How many sources, sinks, doors and structures there are, and how many agents have come and gone.
ThrongStatus throng_traffic(const struct ThrongSim *sim, struct ThrongTraffic *found);

/// All have the same number.
struct ThrongDistribution throng_constant(double number);

/// Evenly from `low` to `high`.
struct ThrongDistribution throng_uniform(double low, double high);

/// Normally.
struct ThrongDistribution throng_normal(double mean, double deviation);

/// Log-normally; mean and deviation are of the numbers, not of their logarithms.
struct ThrongDistribution throng_log_normal(double mean, double deviation);

/// A distribution from `min` to `max` only.
struct ThrongDistribution throng_bounded(struct ThrongDistribution distribution,
                                         double min,
                                         double max);

/// Agents that do not differ.
struct ThrongVaryDef throng_default_vary(void);

/// A source at all times, of no agents.
struct ThrongSourceDef throng_default_source(void);

/// An exit that all agents know, without an area.
struct ThrongExit throng_default_exit(void);

/// A choice as usual, among no exits.
struct ThrongExitsDef throng_default_exits(void);

/// The usual gap, behind no leaders.
struct ThrongFollowDef throng_default_follow(void);

/// The hit points that walls have when nothing is said, on no team.
struct ThrongStructureDef throng_default_structure(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* THRONG_H */

"""Keywords of definitions, for type checkers. Made by make_keywords.py: do not edit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypedDict

from ._engine import Weapon


class GroupTraits(TypedDict, total=False):
    """What the agents of a group are like: keywords of `add_group`."""

    #: Radius of an agent. 0.05 to 50.0. 0.3 when it is not said.
    radius: float
    #: The speed that agents like on plain ground; 1.4 is a brisk walk. On ground of another
    #: cost they like this divided by the cost. With `sprint` and on the quickest ground at most
    #: one cell a tick. 0.01 to 500.0. 1.4 when it is not said.
    speed: float
    #: Largest force per mass. 0.01 to 1000.0. 6.0 when it is not said.
    acceleration: float
    #: Time in which an agent takes on a new velocity; longer is more sluggish. 0.02 to 60.0.
    #: 0.25 when it is not said.
    response: float
    #: Gap between two outlines at which separation begins. 0.0 to 50.0. 0.3 when it is not
    #: said.
    personal_space: float
    #: Strength of separation: 1 pushes with a quarter of `acceleration` at contact, 0 not at
    #: all. 0.0 to 20.0. 1.0 when it is not said.
    separation: float
    #: Gap between outline and wall at which avoiding the wall begins. 0.0 to 50.0. 0.3 when it
    #: is not said.
    wall_margin: float
    #: Distance from its place in the goal at which an agent begins to slow down. 0.01 to
    #: 1000.0. 1.5 when it is not said.
    slowing_radius: float
    #: Top speed in multiples of `speed`: agents hurry only to get out of the way. Where some
    #: ground is quicker than plain, top speed is that much higher. 1.0 to 4.0. 1.0 when it is
    #: not said.
    sprint: float
    #: How agents keep clear of each other. 'separation' when it is not said.
    avoidance: Literal["separation", "orca", "none"]
    #: `orca`: distance between centres up to which others are seen; the 10 nearest count. 0.1
    #: to 30.0. 3.0 when it is not said.
    neighbour_range: float
    #: `orca`: time for which velocities must be free of collisions with agents, less in a
    #: queue. 0.05 to 60.0. 2.0 when it is not said.
    time_horizon: float
    #: `orca`: the same with walls. 0.05 to 60.0. 0.5 when it is not said.
    wall_horizon: float
    #: `orca`: time to keep to whoever walks in front: speed is at most the gap divided by it,
    #: and agents that are held up step aside; 0 is none. 0.0 to 10.0. 0.0 when it is not said.
    time_gap: float
    #: Of two that meet the lighter gives way more. 0.01 to 100.0. 1.0 when it is not said.
    weight: float
    #: The layer in which the agents live. 0 to 31. 0 when it is not said.
    layer: int
    #: The layers whose agents they keep clear of. 0 to 31. all when it is not said.
    avoids: Iterable[int] | int
    #: Whether agents that stand keep their place; others step aside for walkers, and return.
    #: Routes of all groups lead around them. False when it is not said.
    hold: bool
    #: Whether routes lead around crowds where that is faster. True when it is not said.
    avoid_crowds: bool
    #: The team on whose side they fight. 0 to 31. 0 when it is not said.
    team: int
    #: The teams that they fight, one bit a team. 0 to 4294967295. 0 when it is not said.
    foes: Iterable[int] | int
    #: What each of them shoots with; needs a `team`. 0 to 65535. None when it is not said.
    weapon: Weapon | int | None
    #: Health that an agent begins with; an agent that has none left falls. With 0 it cannot be
    #: hurt and is nobody's target, but stops shots like anybody else. 0.0 to 16000.0. 100.0
    #: when it is not said.
    health: float
    #: How far an agent rises above the ground, for shots. 0.1 to 50.0. 1.8 when it is not said.
    height: float
    #: Whether agents stand still while they have a target. True when it is not said.
    halts: bool
    #: Whether agents do not shoot. False when it is not said.
    hold_fire: bool
    #: How agents find their way to a goal. In a company they go by flow fields all the same.
    #: 'flow' when it is not said.
    navigator: Literal["flow", "straight", "random-avoid", "trace", "trace-sight", "breadcrumbs", "road", "left-hand", "waypoints", "path", "network", "mesh", "corridor"]
    #: What a cell costs more for each unit of its grade, as a share of its cost on level
    #: ground: with 4, a grade of 0.25 costs twice as much. 0.0 to 1000.0. 0.0 when it is not
    #: said.
    slope_cost: float
    #: Grade beyond which a cell is forbidden. 0.0 to 1000.0. inf when it is not said.
    max_slope: float
    #: Slowness in 1/16 of letters of the map; 0 forbids them.
    terrain: dict[str, int]


class WeaponNumbers(TypedDict, total=False):
    """What a group shoots with: keywords of `add_weapon`."""

    #: Largest distance to a target: between centres on the map. 0.1 to 2000.0. 60.0 when it is
    #: not said.
    range: float
    #: Smallest distance to a target, at most `range`. 0.0 to 2000.0. 0.0 when it is not said.
    min_range: float
    #: Time from one shot to the next, a tick at the least. 0.05 to 3600.0. 3.0 when it is not
    #: said.
    cooldown: float
    #: Speed at the muzzle. 0.1 to 10000.0. 40.0 when it is not said.
    speed: float
    #: How strongly a projectile falls; 0 flies straight. 0.0 to 100.0. 9.81 when it is not
    #: said.
    gravity: float
    #: Of the two ways to hit under gravity the flat one, which arrives first, or the lob. 'low'
    #: when it is not said.
    arc: Literal["low", "high"]
    #: Shots leave at `speed`, or as slowly as still hits. 'full' when it is not said.
    power: Literal["full", "least"]
    #: Largest error of each component of the launch velocity, as a share of `speed`; small
    #: errors are more likely (the sum of two uniform ones). 0.0 to 1.0. 0.01 when it is not
    #: said.
    spread: float
    #: Health that a hit takes. 0.0 to 16000.0. 25.0 when it is not said.
    damage: float
    #: Radius in which a hit, on whatever it is, hurts agents; the damage falls linearly from
    #: the middle to the edge, with the distance to the nearest point of an agent's axis, and
    #: walls do not stop it. 0 hurts only the agent that is hit. 0.0 to 50.0. 0.0 when it is not
    #: said.
    splash: float
    #: Height of the muzzle above the ground. 0.0 to 50.0. 1.5 when it is not said.
    muzzle: float
    #: Time after which a projectile is gone. 0.05 to 120.0. 30.0 when it is not said.
    lifetime: float
    #: How fast a projectile turns after its target; 0 does not. One that turns keeps its speed,
    #: and does not fall. 0.0 to 100.0. 0.0 when it is not said.
    turn_rate: float
    #: Which of the foes in range it is pointed at: the nearest, the one with the least health,
    #: or the one with the weapon that does the most damage a second. 'nearest' when it is not
    #: said.
    choice: Literal["nearest", "weakest", "threat"]
    #: Whether a target is kept while it lives and is in range. True when it is not said.
    sticky: bool
    #: Time from one choice of a target to the next. 0.05 to 60.0. 1.0 when it is not said.
    retarget: float
    #: Whether only targets are shot at that a straight line from the muzzle reaches. False when
    #: it is not said.
    sight: bool
    #: Whether projectiles hit, and splash hurts, friends too; never the agent that shot. False
    #: when it is not said.
    friendly_fire: bool
    #: Shots that an agent has; 0 is without a limit. An agent that has none left is unarmed. 0
    #: to 30000. 0 when it is not said.
    ammunition: int


class Settings(TypedDict, total=False):
    """What holds for the whole run: keywords of `Simulation`."""

    #: Whole ticks a second. A tick is `1 / tick_rate` seconds long. 1 to 1000. 20 when it is
    #: not said.
    tick_rate: int
    #: Cells of work that each flow field under way gets in a tick; a field shows once its cells
    #: are paid for. 1 to 4294967295. 65536 when it is not said.
    field_cells_per_tick: int
    #: Flow fields under way at once; the others wait their turn. 1 to 64. 8 when it is not
    #: said.
    field_jobs: int
    #: How often in a tick agents that overlap are moved apart; more for crowds that must not
    #: overlap at all. 0 to 16. 1 when it is not said.
    contact_passes: int
    #: Bytes that finished flow fields may take. 1 to 17179869184. 268435456 when it is not
    #: said.
    field_cache_bytes: int
    #: Ticks from one count of the crowds to the next, for groups that avoid them. 1 to 1000000.
    #: 30 when it is not said.
    crowding_ticks: int
    #: Nodes that each of the eight searches for routes expands in a tick; what a search needs
    #: beyond that it pays for in later ticks. 1 to 4294967295. 4096 when it is not said.
    route_expansions_per_tick: int
    #: Seed of all randomness. 1 when it is not said.
    seed: int


class SourceTimes(TypedDict, total=False):
    """How the agents of a source come: keywords of `add_source`."""

    #: Nobody comes before this time. 0.0 to 1000000000.0. 0.0 when it is not said.
    start: float
    #: Nobody comes from this time on; agents that wait outside then still enter. 0.0 to
    #: 1000000000.0. inf when it is not said.
    end: float
    #: Most agents that come in all; 0 sets no limit. 0 to 16777216. 0 when it is not said.
    count: int
    #: Whether agents come at random, as a Poisson stream of the rate; else evenly. False when
    #: it is not said.
    poisson: bool


class ExitTraits(TypedDict, total=False):
    """What an exit is like: keywords of `Exit`."""

    #: Agents a second that get through when there is a queue; 1.3 for each metre of width is
    #: usual. 0.01 to 10000.0. 1.3 when it is not said.
    flow: float
    #: Share of the group's agents that know the exit. Agents that know none of them go to the
    #: nearest. 0.0 to 1.0. 1.0 when it is not said.
    known: float


class Choice(TypedDict, total=False):
    """How agents choose among exits: keywords of `choose`."""

    #: Time after which an agent chooses anew. 0.05 to 1000000.0. 2.0 when it is not said.
    every: float
    #: What queues count: 1 as they are, 0 not at all, so that all agents take the nearest exit.
    #: 0.0 to 100.0. 1.0 when it is not said.
    crowd: float
    #: Share of the expected time that another exit must save an agent that has chosen before.
    #: 0.0 to 1.0. 0.2 when it is not said.
    stay: float


class Following(TypedDict, total=False):
    """How agents follow others: keywords of `follow`."""

    #: Gap between the outlines of an agent and of its leader at which it stands. 0.0 to 50.0.
    #: 1.0 when it is not said.
    gap: float


class StructureTraits(TypedDict, total=False):
    """What a wall with hit points is like: keywords of `add_structure`."""

    #: Hit points that it begins with. Every shot that strikes it, and every splash that reaches
    #: it, takes its damage off them; when none is left the structure falls. 0.0 to
    #: 1000000000.0. 1000.0 when it is not said.
    health: float
    #: The team that it belongs to: only the shots of that team's foes harm it, and shots that
    #: hit friends too. Without one all shots do. 0 to 31. None when it is not said.
    team: int | None

"""JuPedSim: the collision-free speed model, each agent to a waypoint in the middle of its goal."""

import math
import statistics
import sys
import time

import jupedsim

RADIUS, SPEED = 0.3, 1.4
# The step that its documentation uses.
STEP = 0.01
WARM_UP, STEPS, TIMES = 200, 40, 5

with open(sys.argv[1], encoding="utf-8") as file:
    side = float(file.readline())
    rows = [tuple(map(float, line.split())) for line in file]

simulation = jupedsim.Simulation(
    model=jupedsim.CollisionFreeSpeedModel(),
    geometry=[(0, 0), (side, 0), (side, side), (0, side)],
    dt=STEP,
)
journeys = {}
for goal in {row[2:] for row in rows}:
    stage = simulation.add_waypoint_stage(goal, 8.0)
    journeys[goal] = simulation.add_journey(jupedsim.JourneyDescription([stage])), stage
goals = {}
for x, y, *goal in rows:
    journey, stage = journeys[tuple(goal)]
    agent = simulation.add_agent(
        jupedsim.CollisionFreeSpeedModelAgentParameters(
            position=(x, y), radius=RADIUS, desired_speed=SPEED, journey_id=journey, stage_id=stage
        )
    )
    goals[agent] = tuple(goal)


def far():
    return statistics.fmean(math.dist(agent.position, goals[agent.id]) for agent in simulation.agents())


simulation.iterate(WARM_UP)
before = far()
times = []
for _ in range(TIMES):
    start = time.process_time()
    simulation.iterate(STEPS)
    times.append((time.process_time() - start) / (STEPS * len(rows)) * 1e9)
nearer = (before - far()) / (TIMES * STEPS * STEP)
if not 0.1 <= nearer <= SPEED:
    sys.exit(f"JuPedSim: they come nearer at {nearer} m/s")
print(f"JuPedSim\t{len(rows)}\t{statistics.median(times):.0f}\t{STEP}\t{nearer:.2f}")

"""throng: crowds of up to millions of agents, with the same bits on every machine.

>>> import throng
>>> sim = throng.Simulation.from_scenario("small")
>>> sim.step(100)
>>> sim.positions().shape
(400, 2)

`docs/python.md` teaches it.
"""

from . import fields, paths
from ._engine import (
    Company,
    Comparison,
    Group,
    Map,
    Shape,
    Simulation,
    Verdict,
    Weapon,
    __version__,
    declared,
    diff,
    digests,
    disc,
    point,
    polygon,
    rect,
    scenarios,
    set_threads,
    verify,
)
from .errors import (
    BusyError,
    Error,
    RangeError,
    RefusedError,
    ReplayError,
    ScenarioError,
    SnapshotError,
)
from .sweeping import sweep
from .trajectories import Trajectories

__all__ = [
    "BusyError",
    "Company",
    "Comparison",
    "Error",
    "Group",
    "Map",
    "RangeError",
    "RefusedError",
    "ReplayError",
    "ScenarioError",
    "Shape",
    "Simulation",
    "SnapshotError",
    "Trajectories",
    "Verdict",
    "Weapon",
    "__version__",
    "declared",
    "diff",
    "digests",
    "disc",
    "fields",
    "paths",
    "point",
    "polygon",
    "rect",
    "scenarios",
    "set_threads",
    "sweep",
    "verify",
]

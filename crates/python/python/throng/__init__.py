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
    Distribution,
    Door,
    Exit,
    Group,
    Map,
    Shape,
    Simulation,
    Sink,
    Source,
    Structure,
    Verdict,
    Weapon,
    __version__,
    declared,
    diff,
    digests,
    disc,
    log_normal,
    normal,
    point,
    polygon,
    rect,
    scenarios,
    set_threads,
    uniform,
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
    "Distribution",
    "Door",
    "Error",
    "Exit",
    "Group",
    "Map",
    "RangeError",
    "RefusedError",
    "ReplayError",
    "ScenarioError",
    "Shape",
    "Simulation",
    "Sink",
    "SnapshotError",
    "Source",
    "Structure",
    "Trajectories",
    "Verdict",
    "Weapon",
    "__version__",
    "declared",
    "diff",
    "digests",
    "disc",
    "fields",
    "log_normal",
    "normal",
    "paths",
    "point",
    "polygon",
    "rect",
    "scenarios",
    "set_threads",
    "sweep",
    "uniform",
    "verify",
]

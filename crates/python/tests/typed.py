"""What type checkers see, for `mypy --strict`; it is never run. An ignored mistake that is none is one."""

from typing import Any, assert_type

import numpy as np
import throng
from numpy.typing import NDArray


def right(sim: throng.Simulation, ground: throng.Map) -> None:
    group = sim.add_group("pedestrian", speed=1.5, avoidance="orca", foes=[1, 2], terrain={"T": 32})
    bow = sim.add_weapon("bow", spread=0.0, arc="high")
    archers = sim.add_group(weapon=bow, team=1)
    company = sim.add_company([group, archers], formation="wedge", spacing=1.5)
    ids = sim.spawn(group, throng.rect(1, 1, 9, 9), 20)
    assert_type(group, throng.Group)
    assert_type(ids, NDArray[np.uint64])
    assert_type(sim.send(ids[:3], np.zeros((3, 2))), int)
    sim.send(company, [throng.disc(5, 5, 2), throng.point(8, 8)])
    sim.send(int(ids[0]), (5.0, 5.0))
    door = sim.add_door(throng.rect(20, 0, 21, 9))
    assert_type(sim.set_door(door, True), int)
    sim.vary(group, speed=throng.normal(1.3, 0.2, min=0.5), wait=3)
    sim.follow(archers, group, gap=0.5)
    sim.follow(archers, ids[0])
    sim.choose(group, [throng.rect(1, 1, 2, 2), throng.Exit((5, 5), flow=2.6)], every=1)
    assert_type(sim.add_source(group, (5, 5), rate=[[0, 1], [5, 2.5]], poisson=True), throng.Source)
    sim.close_source(sim.add_source(group, (5, 5), batches=np.zeros((3, 2)), end=10))
    assert_type(sim.add_sink(throng.disc(5, 5, 2), [group]), throng.Sink)
    sim.attack(archers, sim.add_structure(throng.rect(1, 1, 2, 5), health=50, team=2))
    assert_type(sim.remove_company(company) + sim.remove_group(group), int)
    assert_type(sim.events()["fallen"], Any)
    assert_type(sim.named["red"], throng.Group)
    assert_type(sim.ticks, int | None)
    assert_type(throng.Simulation.from_scenario("small", numeric="fixed").snapshot(), bytes)
    assert_type(throng.paths.shortest(ground, (1, 1), (5, 5)).points, NDArray[np.float64])
    assert_type(throng.fields.distance(ground, throng.disc(5, 5, 1)), NDArray[np.float64])
    assert_type(throng.verify("run.throng").columns, list[str])
    assert_type(sim.track(5).x, NDArray[np.float64])


def wrong(sim: throng.Simulation, group: throng.Group, company: throng.Company) -> None:
    sim.add_group("zombies")  # type: ignore[arg-type]
    sim.add_group(spede=1.5)  # type: ignore[call-arg]
    sim.add_group(avoidance="both")  # type: ignore[arg-type]
    sim.remove_group(company)  # type: ignore[arg-type]
    sim.remove_company(group)  # type: ignore[arg-type]
    sim.vary(group, weight=3)  # type: ignore[call-arg]
    sim.follow(group, company)  # type: ignore[arg-type]
    sim.add_structure((5, 5), hitpoints=3)  # type: ignore[call-arg]
    sim.attack(group, throng.Door(0))  # type: ignore[arg-type]
    sim.form(company, "circle")  # type: ignore[arg-type]
    sim.step("one")  # type: ignore[arg-type]
    sim.tick_count = 5  # type: ignore[misc]
    group.index = 5  # type: ignore[misc]
    throng.declared("weather")  # type: ignore[arg-type]

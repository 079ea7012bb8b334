"""Sources, sinks, what agents differ in, exits, leaders, doors and structures."""

import pathlib

import numpy as np
import pytest
import throng

SCENARIO = pathlib.Path(__file__).parents[2] / "capi/tests/traffic.toml"


def made(numeric):
    """What the scenario file says, by calls."""
    sim = throng.Simulation(throng.Map(np.full((30, 60), 16, np.uint8)), numeric=numeric, seed=5)
    archers = sim.add_group(weapon=sim.add_weapon("bow"), team=0, foes=[1])
    guide, tourists = sim.add_group(team=31), sim.add_group(team=31)
    # As the file's group is: the quickest and the shortest that its agents draw.
    guests = sim.add_group(team=31, sprint=2.0 / 1.4, response=0.2)
    door = sim.add_door(throng.rect(30, 13, 31, 17))
    sim.spawn(archers, throng.rect(4, 2, 8, 10), 12)
    sim.spawn(guide, (4.5, 20.5), 1)
    sim.vary(tourists, radius=throng.uniform(0.2, 0.3))
    sim.spawn(tourists, throng.rect(1, 17, 4, 24), 8)
    sim.vary(
        guests,
        speed=throng.normal(1.34, 0.26, min=0.8, max=2.0),
        wait=throng.log_normal(3, 2, max=8),
        response=throng.uniform(0.2, 0.6),
        patience=2,
    )
    sim.spawn(guests, throng.rect(14, 11, 26, 19), 20)
    sim.send(guide, (50.5, 20.5))
    assert sim.follow(tourists, guide, gap=0.5) == 8
    first, second = throng.rect(55, 2, 59, 8), throng.disc(57, 26, 2)
    exits = [throng.Exit(first, flow=2.6), throng.Exit([second], known=0.5)]
    assert sim.choose(guests, exits, every=1, crowd=0.5, stay=0.1) == 20
    sim.add_source(guests, throng.disc(10, 26, 2), rate=[[0, 1.0], [5, 3.0]], end=12, count=25)
    sim.add_source(guests, throng.rect(20, 22, 28, 28), batches=np.array([[2, 5], [6, 4]]))
    hotel = sim.add_source(tourists, throng.rect(1, 12, 6, 16), rate=0.5, start=1, poisson=True)
    sim.add_sink(first, [guests])
    sim.add_sink(second)
    north = sim.add_structure(throng.rect(30, 0, 31, 13), team=1, health=60)
    sim.add_structure(throng.rect(30, 17, 31, 30))
    return sim, {"archers": archers, "guests": guests}, door, north, hotel


@pytest.mark.parametrize("numeric", ["f32", "fixed"])
def test_calls_give_the_digests_of_the_scenario_file(numeric):
    told = throng.Simulation.from_scenario(SCENARIO, numeric=numeric)
    sim, groups, door, north, hotel = made(numeric)
    entered, left, collapsed = [], [], []
    for tick in range(800):
        if tick == 20:
            sim.attack(groups["archers"], north)
        if tick in (80, 240, 320):
            sim.set_door(door, tick != 240)
        sim.step()
        told.step()
        assert sim.digest() == told.digest(), tick
        events = sim.events()
        entered += events["entered"].tolist()
        left += events["left_by"]
        collapsed += events["collapsed"]
        assert len(events["left"]) == len(events["left_by"]) == len(events["left_at"])
    sources, sinks = sim.sources(), sim.sinks()
    assert [about["source"].index for about in sources] == [0, 1, 2] and sources[2]["source"] == hotel
    assert sum(about["entered"] for about in sources) == len(entered) == len(set(entered)) > 30
    assert sources[0]["entered"] + sources[0]["waiting"] == 25
    assert sinks[0]["groups"] == [groups["guests"]] == [sources[0]["group"]] and sinks[1]["groups"] == []
    assert [about["left"] for about in sinks] == [left.count(about["sink"]) for about in sinks]
    assert len(left) > 5 and collapsed == [north]
    fallen, standing = sim.structures()
    assert (fallen["structure"], fallen["stands"], fallen["health"]) == (north, False, 0)
    assert fallen["fell"] > 20 and standing["stands"] and standing["fell"] is None
    assert sim.doors() == [{"door": door, "open": True}]
    sim.close_source(hotel)
    assert sim.sources()[2]["closed"] and sim.sources()[2]["waiting"] == 0


def hall():
    sim = throng.Simulation(throng.Map(np.full((20, 40), 16, np.uint8)))
    group = sim.add_group()
    return sim, group, sim.spawn(group, throng.rect(10, 10, 14, 14), 4)


def test_agents_differ_and_follow_one_of_them():
    sim, group, ids = hall()
    others = sim.add_group(radius=0.4)
    sim.vary(others, radius=throng.uniform(0.1, 0.4), wait=10)
    followers = sim.spawn(others, throng.rect(2, 2, 8, 8), 20)
    assert sim.follow(others, ids[0], gap=2) == 20 == sim.follow(others, ids[:1])
    sim.send(group, (35, 10))
    sim.step(5)
    radii = {sim.agent(int(one))["radius"] for one in followers}
    assert len(radii) == 20 and 0.1 <= min(radii) < 0.2 < max(radii) <= 0.4
    agent, leader = sim.agent(int(followers[0])), sim.agent(int(ids[0]))
    assert agent["leader"] == int(ids[0]) and agent["sets_off"] == 200
    assert leader["leader"] is None and leader["sets_off"] is None
    sim.step(1000)
    rows = [sim.agent(int(one))["row"] for one in followers]
    assert np.hypot(*(sim.positions()[rows] - [35, 10]).T).max() < 6


def test_a_closed_door_is_waited_at():
    sim, group, _ = hall()
    door = sim.add_door(throng.rect(20, 0, 21, 20))
    assert sim.doors() == [{"door": door, "open": False}]
    sim.send(group, (35, 10))
    sim.step(600)
    assert sim.positions()[:, 0].max() < 20
    sim.set_door(door, True)
    sim.step(600)
    assert sim.arrived().all() and repr(door) == "Door(0)"


def test_mistakes_about_those_that_come_and_go_have_words():
    sim, group, ids = hall()
    area, off = throng.rect(1, 1, 5, 5), throng.rect(-9, -9, -5, -5)
    before = sim.digest()
    wrong = [
        (throng.RangeError, "either `rate` or `batches`", lambda: sim.add_source(group, area)),
        (throng.RangeError, "either", lambda: sim.add_source(group, area, rate=1, batches=[[1, 1]])),
        (throng.RangeError, "start is -1", lambda: sim.add_source(group, area, rate=1, start=-1)),
        (throng.RangeError, "NaN agents", lambda: sim.add_source(group, area, rate=float("nan"))),
        (throng.RangeError, "not come after", lambda: sim.add_source(group, area, rate=[[5, 1], [5, 2]])),
        (ValueError, "2 columns, time and rate", lambda: sim.add_source(group, area, rate=[[5, 1, 2]])),
        (throng.RangeError, "1.5 is no number", lambda: sim.add_source(group, area, batches=[[5, 1.5]])),
        (TypeError, "no keyword 'begin'", lambda: sim.add_source(group, area, rate=1, begin=2)),
        (throng.RefusedError, "off the map", lambda: sim.add_source(group, off, rate=1)),
        (throng.RefusedError, "no source 7", lambda: sim.close_source(throng.Source(7))),
        (throng.RefusedError, "wholly in walls", lambda: sim.add_sink(off)),
        (throng.RefusedError, "no group 9", lambda: sim.add_sink(area, [throng.Group(9)])),
        (throng.RefusedError, "radius is 5", lambda: sim.vary(group, radius=5)),
        (throng.RefusedError, "high end of wait", lambda: sim.vary(group, wait=throng.uniform(5, 1))),
        (TypeError, "real number", lambda: sim.vary(group, speed="fast")),
        (TypeError, "weight", lambda: sim.vary(group, weight=2)),
        (throng.RefusedError, "no exit", lambda: sim.choose(group, [])),
        (throng.RangeError, "stay is 2", lambda: sim.choose(group, [area], stay=2)),
        (throng.RangeError, "known is -1", lambda: throng.Exit(area, known=-1)),
        (throng.RefusedError, "wholly in walls", lambda: sim.choose(group, [off])),
        (throng.RangeError, "gap is 51", lambda: sim.follow(group, int(ids[0]), gap=51)),
        (throng.RangeError, "or one agent", lambda: sim.follow(group, ids)),
        (throng.RefusedError, "itself", lambda: sim.follow(group, group)),
        (throng.RefusedError, "no group 9", lambda: sim.follow(group, throng.Group(9))),
        (throng.RefusedError, "no door 0", lambda: sim.set_door(throng.Door(0), True)),
        (throng.RefusedError, "area of the door", lambda: sim.add_door(off)),
        (throng.RangeError, "health is 0", lambda: sim.add_structure(area, health=0)),
        (throng.RangeError, "team is 32", lambda: sim.add_structure(area, team=32)),
        (throng.RefusedError, "no structure 3", lambda: sim.attack(group, throng.Structure(3))),
    ]
    for error, words, call in wrong:
        with pytest.raises(error, match=words):
            call()
    assert sim.digest() == before
    door = sim.add_door(throng.rect(20, 0, 21, 20))
    with pytest.raises(throng.RefusedError, match="door 0 is closed already"):
        sim.set_door(door, False)
    structure = sim.add_structure(throng.rect(25, 5, 26, 15))
    with pytest.raises(throng.RefusedError, match="has no weapon"):
        sim.attack(group, structure)


@pytest.mark.parametrize("what", ["source", "exit", "choice", "follow", "structure"])
def test_keywords_are_declared(what):
    assert all(about["keyword"] and about["meaning"] for about in throng.declared(what))

"""Simulations: made, ordered, read, kept."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import throng


def field(width=60, height=30):
    return throng.Map(np.full((height, width), 16, np.uint8))


def crowd(count=50, **settings):
    sim = throng.Simulation(field(), **settings)
    walkers = sim.add_group()
    ids = sim.spawn(walkers, throng.rect(2, 2, 20, 28), count)
    return sim, walkers, ids


def test_walkers_arrive():
    sim, walkers, ids = crowd()
    assert sim.send(walkers, throng.disc(50, 15, 6)) == 50
    sim.watch_arrivals()
    seen = set()
    for _ in range(1000):
        sim.step()
        seen.update(sim.events()["arrived"].tolist())
    assert seen == set(ids.tolist())
    assert sim.arrived().all() and sim.seconds == 50.0
    assert np.hypot(*(sim.positions() - [50, 15]).T).max() < 6.6


@pytest.mark.parametrize(("numeric", "dtype"), [("f32", np.float32), ("fixed", np.float64)])
def test_columns_belong_together(numeric, dtype):
    sim, walkers, ids = crowd(numeric=numeric)
    other = sim.add_group("rts")
    sim.spawn(other, throng.rect(30, 2, 50, 28), 7)
    sim.send(walkers, (50, 15))
    sim.step(40)
    positions = sim.positions()
    assert positions.dtype == dtype and positions.shape == (57, 2) == sim.velocities().shape
    assert sorted(sim.ids()[sim.groups() == walkers.index]) == sorted(ids)
    for row, number in enumerate(sim.ids()):
        agent = sim.agent(int(number))
        assert agent["row"] == row and agent["pos"] == positions[row].tolist()
        assert agent["group"] in (walkers, other)
    right = positions[:, 0] > 30
    assert sorted(sim.within(throng.rect(30, 0, 60, 30))) == sorted(sim.ids()[right])
    distance = np.hypot(*(positions.astype(float) - [30, 15]).T)
    assert sim.nearest((30, 15), 5).tolist() == sim.ids()[np.argsort(distance)[:5]].tolist()


def test_every_keyword_has_its_default_and_its_range():
    for field_of in throng.declared("group"):
        keyword, default = field_of["keyword"], field_of["default"]
        sim = throng.Simulation(field())
        sim.add_group(**{keyword: default})
        if "words" in field_of:
            with pytest.raises(throng.RangeError, match="must be one of"):
                sim.add_group(**{keyword: "nonsense"})
        elif "range" in field_of and isinstance(default, float):
            low, high = field_of["range"]
            sim.add_group(**{keyword: high})
            for wrong in (low - 1, high * 2 + 1, float("nan")):
                with pytest.raises(throng.RangeError, match=f"{keyword} is .*must lie in"):
                    sim.add_group(**{keyword: wrong})
        elif "range" in field_of and keyword not in ("avoids", "foes", "weapon"):
            with pytest.raises(throng.RangeError):
                sim.add_group(**{keyword: -1})
            with pytest.raises(throng.RangeError):
                sim.add_group(**{keyword: 1 << 70})
    defaults = {about["keyword"]: about["default"] for about in throng.declared("settings")}
    assert throng.Simulation(field()).tick_rate == defaults["tick_rate"]


def test_keywords_change_what_they_say():
    sim = throng.Simulation(field(), tick_rate=10, seed=4)
    slow, fast = sim.add_group(speed=1.0), sim.add_group("horde", speed=3.0, avoids=[0, 2])
    for group, y in ((slow, 5), (fast, 25)):
        sim.spawn(group, throng.point(5, y), 1)
        sim.send(group, (55, y))
    sim.step(100)
    x = dict(zip(sim.groups().tolist(), sim.positions()[:, 0].tolist(), strict=True))
    assert 13 < x[slow.index] < 15.1 and 30 < x[fast.index] < 35.1
    assert sim.change_group(slow, speed=2.0) == 1
    with pytest.raises(throng.RefusedError, match="radius"):
        sim.change_group(slow, radius=1.0)


def test_mistakes_have_words():
    sim, walkers, ids = crowd()
    with pytest.raises(TypeError, match="no keyword 'radios'; there are radius"):
        sim.add_group(radios=1)
    with pytest.raises(throng.RangeError, match="there is no preset"):
        sim.add_group("nonsense")
    with pytest.raises(throng.RefusedError, match="lies wholly|off the map|reaches over"):
        sim.send(walkers, (500, 500))
    with pytest.raises(throng.RefusedError, match="named twice"):
        sim.stop([int(ids[0])] * 2)
    with pytest.raises(throng.RefusedError, match="does not live"):
        sim.stop(np.array([3 << 40], np.uint64))
    with pytest.raises(throng.RefusedError, match="there is no group 9: the world has 1"):
        sim.order({"Stop": {"group": 9}})
    with pytest.raises(throng.RangeError, match="no order"):
        sim.order({"Nonsense": 1})
    with pytest.raises(throng.ScenarioError, match=r"scenario:3:1: key `group\[0\].nam`"):
        throng.Simulation.from_text("ticks = 5\n[[group]]\nnam=1\n[map]\nsize=[9,9]\n")
    with pytest.raises(FileNotFoundError, match="the scenarios that ship"):
        throng.Simulation.from_scenario("nonsense")
    with pytest.raises(FileNotFoundError):
        throng.Map.load("no/such.map")
    with pytest.raises(throng.RangeError, match="numeric"):
        throng.Simulation(field(), numeric="f64")
    with pytest.raises(throng.RangeError, match="cell"):
        throng.Map(np.full((3, 3), 16, np.uint8), cell=-1)
    with pytest.raises(throng.SnapshotError, match="no snapshot"):
        sim.restore(b"nonsense")
    with pytest.raises(TypeError):
        throng.Map(np.full((3, 3), 16.0))
    assert issubclass(throng.RangeError, ValueError) and issubclass(throng.RefusedError, throng.Error)


def test_orders_to_agents():
    sim, walkers, ids = crowd()
    sim.send(walkers, (50, 15))
    few = ids[:5]
    goals = np.column_stack([np.full(5, 5.0), np.linspace(5, 25, 5)])
    assert sim.send(few, goals) == 5 == sim.label(few, 77) == sim.pace(few, 2.0)
    sim.step(400)
    rows = [sim.agent(int(one))["row"] for one in few]
    assert np.hypot(*(sim.positions()[rows] - goals).T).max() < 2.0
    assert (sim.labels() == 77).sum() == 5
    assert sim.rejoin(few) == 5 and sim.stop(few[0]) == 1
    assert sim.teleport(few, goals + 1) == 5
    assert np.allclose(sim.agent(int(few[2]))["pos"], goals[2] + 1, atol=1e-3)
    assert sim.remove(few) == 5
    sim.step()
    assert len(sim) == 45
    assert sim.remove(walkers, throng.rect(0, 0, 60, 30)) == 45
    sim.step()
    assert len(sim) == 0 and sim.positions().shape == (0, 2) == sim.positions(copy=False).shape


def test_handles_of_what_was_removed_are_refused():
    sim, walkers, ids = crowd(5)
    company = sim.add_company([walkers])
    assert sim.remove_company(company) == 5  # agents that stand now
    assert sim.remove_group(walkers) == 5
    sim.step()
    assert len(sim) == 0
    after = sim.add_group()
    assert (after.index, after.generation, after.bits) == (walkers.index, 1, 65536 + walkers.index)
    again = sim.add_company([after])
    assert (again.index, again.generation) == (company.index, 1) and again != company
    assert after != walkers and after == throng.Group(after.index, 1) and len({after, walkers}) == 2
    assert repr(walkers) == "Group(0)" and repr(after) == "Group(0, 1)"
    [number] = sim.spawn(after, throng.disc(10, 10, 2), 1)
    assert sim.agent(int(number))["group"] == after and sim.groups().tolist() == [after.index]
    refused = [
        lambda: sim.send(walkers, (50, 15)),
        lambda: sim.stop(walkers),
        lambda: sim.remove(walkers),
        lambda: sim.remove_group(walkers),
        lambda: sim.change_group(walkers, speed=1.0),
        lambda: sim.assign(number, walkers),
        lambda: sim.order({"Stop": {"group": walkers}}),
        lambda: sim.order({"RemoveGroup": {"group": walkers}}),
        lambda: sim.send(company, (50, 15)),
        lambda: sim.stop(company),
        lambda: sim.remove_company(company),
        lambda: sim.form(company, "line"),
        lambda: sim.order({"Form": {"company": company, "formation": None}}),
    ]
    for call in refused:
        with pytest.raises(throng.RefusedError, match="there is no (group|company) 0"):
            call()
    with pytest.raises(throng.Error, match="no group 0"):
        sim.spawn(walkers, throng.disc(10, 10, 2), 1)
    with pytest.raises(throng.Error, match="no group 0"):
        sim.add_company([walkers])
    assert sim.order({"Stop": {"group": after}}) == 1
    assert sim.order({"Form": {"company": again, "formation": None}}) >= 0


def test_walls_come_and_go():
    sim, walkers, _ = crowd()
    assert sim.build(throng.rect(30, 0, 32, 30)) >= 0
    assert (sim.map.slowness[:, 30:32] == 0).all()
    with pytest.raises(throng.RefusedError, match="walls lie between"):
        sim.send(walkers, (50, 15))
    sim.demolish(throng.rect(30, 10, 32, 20))
    assert sim.send(walkers, (50, 15)) == 50


def test_going_back_repeats_every_bit():
    sim, walkers, _ = crowd()
    sim.send(walkers, (50, 15))
    saved = sim.snapshot()
    sim.schedule(sim.tick_count + 20, {"Stop": {"group": walkers}})
    sim.step(60)
    digest = sim.digest()
    assert isinstance(saved, bytes) and np.abs(sim.velocities()).max() < 0.5
    sim.restore(saved)
    assert sim.digest() != digest
    sim.step(60)
    assert sim.digest() == digest


def test_recordings_are_verified_and_compared(tmp_path):
    paths = [tmp_path / f"{seed}.throng" for seed in (1, 2)]
    for seed, path in enumerate(paths, 1):
        sim = throng.Simulation.from_scenario("small", seed=seed)
        sim.record(path)
        sim.step(50)
        with pytest.raises(throng.SnapshotError, match="recorded"):
            sim.restore(sim.snapshot())
        sim.finish_recording()
        verdict = throng.verify(path)
        assert verdict and verdict.ticks == 50 and verdict.digest == sim.digest()
    assert throng.diff(paths[0], paths[0]).same
    found = throng.diff(*paths)
    assert not found and found.began and found.tick == 0 and "agents.pos" in "".join(found.columns)
    paths[0].write_bytes(paths[0].read_bytes()[:-5])
    with pytest.raises(throng.ReplayError, match="cut|damaged"):
        throng.verify(paths[0])
    with pytest.raises(OSError):
        sim.record(tmp_path / "no" / "such.throng")


def test_views_refuse_stepping_while_they_live():
    sim, walkers, _ = crowd()
    sim.send(walkers, (50, 15))
    sim.step(10)
    copies, view = sim.positions(), sim.positions(copy=False)
    assert (view == copies).all() and not view.flags.owndata
    with pytest.raises(ValueError):
        view[0] = 5
    with pytest.raises(ValueError):
        view.setflags(write=True)
    part = view[3:5, 0]
    del view
    for change in (
        sim.step,
        lambda: sim.send(walkers, (5, 5)),
        lambda: sim.restore(sim.snapshot()),
        lambda: sim.spawn(walkers, throng.disc(10, 10, 2), 1),
        lambda: sim.add_group(),
        lambda: sim.track(1),
    ):
        with pytest.raises(throng.BusyError, match="while arrays view it"):
            change()
    assert part.tolist() == copies[3:5, 0].tolist()
    del part
    sim.step()
    assert (sim.positions() != copies).any()
    # A view keeps the simulation alive.
    view = sim.velocities(copy=False)
    before = view.copy()
    del sim
    assert (view == before).all()
    with pytest.raises(throng.RangeError, match="fixed point"):
        crowd(numeric="fixed")[0].positions(copy=False)


def test_the_lock_is_free_while_it_steps_and_two_threads_do_not_meet():
    sim, walkers, _ = crowd(count=400)
    sim.send(walkers, (50, 15))
    met, counted, is_over = [], 0, threading.Event()

    def other():
        while not is_over.is_set():
            try:
                sim.digest()
            except throng.BusyError as busy:
                met.append(str(busy))

    thread = threading.Thread(target=other)
    thread.start()
    began = time.monotonic()
    while not met and time.monotonic() < began + 60:
        try:
            sim.step(200)
        except throng.BusyError:
            counted += 1
    is_over.set()
    thread.join()
    assert met and "another thread" in met[0]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_between_two_ticks():
    script = """
import signal, throng
# Shells have what runs in the background ignore it, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
sim = throng.Simulation.from_scenario("small")
print("go", flush=True)
try:
    sim.step(10_000_000)
except KeyboardInterrupt:
    ticks = sim.tick_count
    sim.step()
    print(0 < ticks < 10_000_000, sim.tick_count == ticks + 1, flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "go\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "True True\n"


def test_a_thread_that_flushes_denormals_is_refused():
    import ctypes
    import platform

    if platform.machine() != "x86_64" or not sys.platform.startswith("linux"):
        pytest.skip("needs the control register of x86-64")
    libm = ctypes.CDLL("libm.so.6")
    mode = (ctypes.c_uint32 * 8)()
    assert libm.fegetenv(mode) == 0
    sim = crowd()[0]
    flushing = (ctypes.c_uint32 * 8)(*mode)
    flushing[7] |= 0x8040
    try:
        libm.fesetenv(flushing)
        with pytest.raises(throng.Error, match="flushes denormal numbers"):
            sim.step()
    finally:
        libm.fesetenv(mode)
    sim.step()


def test_trajectories_are_what_positions_were():
    runs = [crowd(seed=3) for _ in range(2)]
    for sim, walkers, _ in runs:
        sim.send(walkers, (50, 15))
    tracked = runs[0][0].track(30, every=10)
    assert tracked.frame_rate == 2.0 and len(tracked) == 4 * 50
    sim = runs[1][0]
    for frame in range(4):
        here = tracked.frame == frame
        assert tracked.id[here].tolist() == sim.ids().astype(np.int64).tolist()
        assert np.column_stack([tracked.x, tracked.y])[here].tolist() == sim.positions().tolist()
        sim.step(10)
    with pytest.raises(throng.RangeError):
        sim.track(5, every=0)


def test_gates_count_who_crosses():
    sim, walkers, _ = crowd()
    sim.measure({"line": ((30, 0), (30, 30))}, {"left": throng.rect(0, 0, 30, 30)})
    sim.send(walkers, throng.rect(45, 5, 58, 25))
    sim.step(600)
    measured = sim.measures()
    gate, area = measured["gates"][0], measured["areas"][0]
    assert len(gate["crossings"]["time_s"]) == 50 and gate["backward_count"][-1] == 50
    assert area["series"]["agents"][0] == 50 and area["series"]["agents"][-1] == 0
    assert measured["ticks"] == 600 and len(measured["series"]["time_s"]) == 60
    with pytest.raises(throng.Error, match="call measure"):
        crowd()[0].measures()


def test_battles_are_told():
    sim = throng.Simulation(field(), seed=2)
    bow = sim.add_weapon("bow", spread=0.0)
    for team, x in ((0, 10), (1, 40)):
        group = sim.add_group(team=team, foes=[1 - team], weapon=bow)
        sim.spawn(group, throng.rect(x, 5, x + 8, 25), 20)
    fallen, struck = [], set()
    for _ in range(600):
        sim.step()
        events = sim.events()
        fallen += events["fallen"].tolist()
        struck.update(events["struck"])
        assert len(events["fallen"]) == len(events["fallen_at"])
    assert len(fallen) == 40 - len(sim) > 0 and "agent" in struck
    assert sim.health().max() <= 100


def test_scenarios_come_by_name_file_and_text(tmp_path):
    assert "crossing" in throng.scenarios()
    text = pathlib.Path(__file__).parents[3].joinpath("scenarios/small.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(text)
    digests = []
    for sim in (
        throng.Simulation.from_scenario("small"),
        throng.Simulation.from_scenario(path),
        throng.Simulation.from_text(text),
    ):
        sim.step(30)
        digests.append(sim.digest())
    assert len(set(digests)) == 1
    more = throng.Simulation.from_scenario("small", agents=777, seed=9, numeric="fixed", ticks=10)
    assert (len(more), more.numeric, more.ticks) == (777, "fixed", 10)
    assert set(more.named) == {"red", "blue", "green"}

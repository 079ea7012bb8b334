"""The same scenario from the command line, Python, C and C++ gives the same digest at every tick.

The programs come by the environment: THRONG_PROGRAM is the command line's, THRONG_C and THRONG_CPP play a
scenario and print its digest after every tick.
"""

import json
import os
import subprocess

import pytest
import throng

TICKS = 300
SCENARIOS = ["skirmish", "formations", "flock"]


def program(name):
    path = os.environ.get(name)
    if path is None:
        pytest.skip(f"{name} is not set")
    return path


def lines(command):
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [int(line, 16) for line in done.stdout.split()]


@pytest.mark.parametrize("numeric", ["f32", "fixed"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_ways_give_the_same_digests(scenario, numeric, tmp_path):
    cli, c, cpp = map(program, ["THRONG_PROGRAM", "THRONG_C", "THRONG_CPP"])
    replays = {name: tmp_path / f"{name}.throng" for name in ("cli", "python", "c", "cpp")}
    options = ["--ticks", str(TICKS), "--numeric", numeric, "--quiet"]
    record = ["--record", replays["cli"], "--json", "-"]
    done = subprocess.run([cli, "run", scenario, *options, *record], check=True, capture_output=True)
    summary = json.loads(done.stdout)
    ticks = summary["ticks"]
    assert ticks >= 200

    sim = throng.Simulation.from_scenario(scenario, numeric=numeric)
    sim.record(replays["python"])
    python = []
    for _ in range(ticks):
        sim.step()
        python.append(sim.digest())
    sim.finish_recording()

    assert python[-1] == int(summary["digest"], 16)
    assert throng.digests(replays["cli"]).tolist() == python
    for name, path in (("c", c), ("cpp", cpp)):
        assert lines([path, scenario, numeric, str(ticks), replays[name]]) == python
    for name in ("python", "c", "cpp"):
        same = subprocess.run([cli, "diff", replays["cli"], replays[name]], capture_output=True, text=True)
        assert same.returncode == 0, same.stdout
    assert len(set(python)) == ticks, "a digest that stands still proves nothing"

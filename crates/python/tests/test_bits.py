"""The same scenario from the command line, Python, C, C++ and Bevy gives the same digest at every tick.

The programs come by the environment: THRONG_PROGRAM is the command line's; THRONG_C, THRONG_CPP and
THRONG_BEVY play a scenario and print its digest after every tick.
"""

import json
import os
import pathlib
import subprocess

import pytest
import throng

TICKS = 300
TRAFFIC = str(pathlib.Path(__file__).parents[2] / "capi/tests/traffic.toml")
SCENARIOS = ["skirmish", "formations", "flock", TRAFFIC]
WAYS = ["c", "cpp", "bevy"]


def program(name):
    path = os.environ.get(name)
    if path is None:
        pytest.skip(f"{name} is not set")
    return path


PLAYED = [(scenario, numeric) for scenario in SCENARIOS for numeric in ("f32", "fixed")]


@pytest.fixture(scope="module", params=PLAYED, ids=lambda p: f"{pathlib.Path(p[0]).stem}-{p[1]}")
def played(request, tmp_path_factory):
    """A scenario as the command line and Python play it: what it is, its digests and the replay."""
    (scenario, numeric), cli = request.param, program("THRONG_PROGRAM")
    folder = tmp_path_factory.mktemp("played")
    replay = folder / "cli.throng"
    options = ["--ticks", str(TICKS), "--numeric", numeric, "--quiet", "--record", replay, "--json", "-"]
    done = subprocess.run([cli, "run", scenario, *options], check=True, capture_output=True)
    summary = json.loads(done.stdout)
    ticks = summary["ticks"]
    assert ticks >= 200

    sim = throng.Simulation.from_scenario(scenario, numeric=numeric)
    sim.record(folder / "python.throng")
    digests = []
    for _ in range(ticks):
        sim.step()
        digests.append(sim.digest())
    sim.finish_recording()
    assert len(set(digests)) == ticks, "a digest that stands still proves nothing"
    assert digests[-1] == int(summary["digest"], 16)
    assert throng.digests(replay).tolist() == digests
    same_replays(replay, folder / "python.throng")
    return scenario, numeric, digests, replay


def same_replays(one, other):
    same = subprocess.run([program("THRONG_PROGRAM"), "diff", one, other], capture_output=True, text=True)
    assert same.returncode == 0, same.stdout


@pytest.mark.parametrize("way", WAYS)
def test_all_ways_give_the_same_digests(played, way, tmp_path):
    scenario, numeric, digests, replay = played
    path = program(f"THRONG_{way.upper()}")
    own = tmp_path / f"{way}.throng"
    command = [path, scenario, numeric, str(len(digests)), own]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert [int(line, 16) for line in done.stdout.split()] == digests
    same_replays(replay, own)

"""What stands beside the simulation: sweeps, PedPy, keywords for type checkers."""

import pathlib
import runpy
import subprocess
import sys

import numpy as np
import pytest
import throng

ROOT = pathlib.Path(__file__).parents[1]


def arrive(seed, speed):
    """How far walkers come in ten seconds."""
    sim = throng.Simulation(throng.Map(np.full((20, 40), 16, np.uint8)), seed=seed)
    walkers = sim.add_group(speed=speed)
    sim.spawn(walkers, throng.rect(1, 1, 5, 19), 20)
    sim.send(walkers, (38, 10))
    sim.step(200)
    return {"x": float(sim.positions()[:, 0].mean()), "digest": sim.digest()}


def test_sweeps_go_over_seeds_and_parameters():
    rows = throng.sweep(arrive, seeds=[1, 2], speed=[1.0, 2.0], processes=2)
    assert [(row["speed"], row["seed"]) for row in rows] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert rows[2]["x"] > rows[0]["x"] + 5
    # The digest of a process with one thread is that of this one.
    assert rows[3] == {"speed": 2.0, "seed": 2, **arrive(2, 2.0)}
    assert len({row["digest"] for row in rows}) == 4


def test_keywords_for_type_checkers_are_those_of_the_engine():
    check = [sys.executable, ROOT / "make_keywords.py", "--check"]
    assert subprocess.run(check, check=False).returncode == 0


def test_all_that_is_public_is_in_the_stubs():
    import inspect
    import re

    from throng import _engine

    stubs = (ROOT / "python/throng/_engine.pyi").read_text()
    for name, thing in vars(_engine).items():
        if name.startswith("__"):
            continue
        assert re.search(rf"(def|class) {name}\b", stubs), name
        if not inspect.isclass(thing):
            continue
        body = re.split(r"\n\S", stubs.split(f"class {name}:")[1])[0]
        for member in vars(thing):
            if not member.startswith("_"):
                assert re.search(rf"\b{member}\b", body), f"{name}.{member}"


def test_pedpy_reads_trajectories_and_measures_the_same():
    pedpy = pytest.importorskip("pedpy")
    sim = throng.Simulation(throng.Map(np.full((20, 80), 16, np.uint8)), seed=3)
    walkers = sim.add_group("pedestrian")
    sim.spawn(walkers, throng.rect(1, 1, 25, 19), 100)
    sim.send(walkers, throng.rect(60, 1, 79, 19))
    sim.measure({"line": ((40, 0), (40, 20))}, {"box": throng.rect(30, 0, 50, 20)}, every=2)
    tracked = sim.track(800, every=2)
    measured = sim.measures()
    read = tracked.to_pedpy()
    assert read.number_pedestrians == 100 and read.frame_rate == tracked.frame_rate == 10.0
    assert len(tracked.to_pandas()) == len(tracked) == 401 * 100

    box = pedpy.MeasurementArea([(30, 0), (50, 0), (50, 20), (30, 20)])
    density = pedpy.compute_classic_density(traj_data=read, measurement_area=box).density
    # Samples of the measure begin after the first tick, frames before it.
    ours = np.array(measured["areas"][0]["series"]["density"])
    theirs = density.to_numpy()
    times = np.array(measured["series"]["time_s"])
    frames = np.rint(times * 10).astype(int)
    whole = np.abs(times * 10 - frames) < 1e-9
    assert whole.sum() > 300 or len(ours) > 300
    assert np.abs(ours - theirs[np.clip(frames, 0, 400)]).max() <= 2 / 400
    assert ours.mean() == pytest.approx(theirs.mean(), rel=0.02)

    line = pedpy.MeasurementLine([(40, 0), (40, 20)])
    passed, _ = pedpy.compute_n_t(traj_data=read, measurement_line=line)
    crossings = np.sort(measured["gates"][0]["crossings"]["time_s"])
    assert int(passed.cumulative_pedestrians.max()) == len(crossings) == 100
    first, last = passed[passed.cumulative_pedestrians > 0].time.iloc[0], crossings[0]
    assert first == pytest.approx(last, abs=0.2)


@pytest.mark.parametrize("cutoff", [None, 0.8])
def test_pedpy_measures_the_same_voronoi_density(cutoff):
    pedpy = pytest.importorskip("pedpy")
    sim = throng.Simulation(throng.Map(np.full((20, 30), 16, np.uint8)), seed=3)
    walkers = sim.add_group("pedestrian")
    sim.spawn(walkers, throng.rect(1, 1, 15, 19), 60)
    sim.send(walkers, throng.rect(20, 1, 29, 19))
    box = throng.rect(8, 4, 20, 16)
    sim.measure({}, {"box": box}, every=40, cutoff=cutoff)
    tracked = sim.track(400, every=40).to_pedpy()
    measured = sim.measures()
    assert measured["cutoff_m"] == cutoff
    cells = pedpy.compute_individual_voronoi_polygons(
        traj_data=tracked,
        walkable_area=pedpy.WalkableArea([(0, 0), (30, 0), (30, 20), (0, 20)]),
        cut_off=pedpy.Cutoff(radius=cutoff, quad_segments=16) if cutoff else None,
    )
    density, _ = pedpy.compute_voronoi_density(
        individual_voronoi_data=cells,
        measurement_area=pedpy.MeasurementArea([(8, 4), (20, 4), (20, 16), (8, 16)]),
    )
    ours = np.array(measured["areas"][0]["series"]["voronoi_density"])
    theirs = density.density.to_numpy()[1:]
    assert len(ours) == len(theirs) == 10 and ours.max() > 0.2
    assert np.abs(ours - theirs).max() < 1e-4


@pytest.mark.parametrize("cutoff", [0, -1.0, float("nan"), float("inf")])
def test_a_cutoff_is_a_length(cutoff):
    sim = throng.Simulation(throng.Map(np.full((20, 30), 16, np.uint8)))
    with pytest.raises(throng.RangeError, match="cutoff is .*, but must be a number of metres"):
        sim.measure(cutoff=cutoff)


@pytest.mark.parametrize("document", ["README.md", "docs/python.md"])
def test_the_page_runs(document, tmp_path, monkeypatch):
    page = (ROOT.parents[1] / document).read_text()
    blocks = [block.split("```")[0] for block in page.split("```python\n")[1:]]
    assert blocks
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks))
    runpy.run_path(str(script), run_name="__main__")

"""Reads trajectories of throng with PedPy and checks what it makes of them.

Arguments: the program, the same built with Parquet, a folder for their files, and `full` for all of the
stadium, which takes minutes.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys

import numpy
import pandas
import pedpy

PROGRAM, WITH_PARQUET = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
FOLDER = pathlib.Path(sys.argv[3])

# Eight walk 4 m apart and far from walls, all the time; 25 stand in a square below.
FREE = """
name = "free"
ticks = 600
[map]
size = [100, 70]
walls = [{ rect = [0, 40, 100, 42] }, { rect = [60, 50, 64, 55] }, { rect = [10, 42, 12, 70] }]
[[group]]
name = "walkers"
spawn = [WALKERS]
goal = { rect = [90, 0, 100, 40] }
[[group]]
name = "standing"
spawn = [{ rect = [20, 45, 40, 65], count = 25 }]
""".replace(
    "WALKERS",
    ", ".join(f"{{ rect = [3, {y}.5, 6, {y + 1}.5], count = 1 }}" for y in range(5, 37, 4)),
)
# A crowd before a door, with walls that stand in the room, and two areas. All agents are in one room.
DOOR = """
name = "door"
ticks = 600
[map]
size = [90, 50]
cell = 0.2
walls = [{ rect = [10, 0, 10.4, 4.4] }, { rect = [10, 5.6, 10.4, 10] }, { rect = [5, 1, 5.2, 4] }]
[[group]]
name = "people"
preset = "pedestrian"
spawn = { rect = [0.5, 0.5, 8, 9.5], count = 80 }
goal = { rect = [12, 0, 18, 10] }
[[gate]]
name = "door"
from = [10.2, 5.6]
to = [10.2, 4.4]
[[area]]
name = "before the door"
rect = [6, 3, 10, 7]
[[area]]
name = "corner"
polygon = [[0, 0], [5, 0], [5, 4], [2, 6]]
"""
# The same areas for PedPy.
MEASURED = [[(6, 3), (10, 3), (10, 7), (6, 7)], [(0, 0), (5, 0), (5, 4), (2, 6)]]
# Measured in the stadium: the flow through its northern exit, and the ground before it.
STADIUM = """
[[gate]]
name = "north"
from = [104, 21]
to = [116, 21]
[[area]]
name = "before the exit"
rect = [100, 22, 120, 30]
"""
STADIUM_LINE = [(104, 21), (116, 21)]
STADIUM_AREA = [(100, 22), (120, 22), (120, 30), (100, 30)]
# The area in m²: the wall across divides it, the wall in the lower left corner makes it three.
AREAS = [100 * 40, 88 * 28 - 4 * 5, 10 * 28]
# m/s; by their id agents walk up to 1/32 slower, so that no two stay in step.
SPEED = 1.4


def run(scenario, ending, *more):
    """Runs a scenario; returns its summary and the file of trajectories."""
    path = FOLDER / f"a.{ending}"
    program = WITH_PARQUET if ending == "parquet" else PROGRAM
    command = [program, "run", scenario, "--trajectories", path, "--json", "-", "--quiet", *more]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout), path


def check(what, found, wanted, tolerance=0.0):
    """Stops when a number is not the wanted one."""
    fine = abs(found - wanted) <= tolerance
    print(f"{'ok    ' if fine else 'FAILED'}  {what}: {found}, want {wanted} ± {tolerance:g}")
    if not fine:
        sys.exit(1)


def same(what, text, other):
    """Compares a file of another format with the text that PedPy has read."""
    check(f"{what}: rows", len(other), len(text.data))
    for column in ["id", "frame"]:
        check(f"{what}: rows whose {column} differs", int((other[column] != text.data[column]).sum()), 0)
    for column in ["x", "y"]:
        difference = float((other[column] - text.data[column]).abs().max())
        check(f"{what}: greatest difference of {column}", difference, 0, 0.0001)


def free():
    """Speed, flow and density where they are known."""
    scenario = FOLDER / "free.toml"
    scenario.write_text(FREE)
    geometry = FOLDER / "a.wkt"
    summary, path = run(scenario, "txt", "--geometry", geometry)
    text = pedpy.load_trajectory(trajectory_file=path)
    check("agents", text.number_pedestrians, summary["agents"])
    check("frame rate", text.frame_rate, 10)
    check("frames", text.frame_range[1] + 1, summary["ticks"] / 2)
    csv = pandas.read_csv(run(scenario, "csv")[1])
    same("CSV", text, csv)
    if importlib.util.find_spec("pyarrow"):
        path = run(scenario, "parquet")[1]
        same("Parquet", text, pandas.read_parquet(path))
        import pyarrow.parquet

        about = pyarrow.parquet.read_metadata(path).metadata
        check("Parquet: frame rate", float(about[b"frame_rate"]), text.frame_rate)

    walking = text.data[text.data.y < 40].id.unique()
    check("walkers", len(walking), 8)
    speed = pedpy.compute_individual_speed(traj_data=text, frame_step=5)
    under_way = speed[speed.frame.between(50, 280)]
    walkers = under_way[under_way.id.isin(walking)].speed
    for what, found in [("least", walkers.min()), ("greatest", walkers.max())]:
        check(f"{what} speed of a walker, m/s", float(found), SPEED * 63 / 64, SPEED / 64 + 0.001)
    both = under_way.merge(csv, on=["id", "frame"])
    difference = (both.speed - numpy.hypot(both.v_x, both.v_y)).abs().max()
    check("greatest difference from the CSV's speed, m/s", float(difference), 0, 0.001)
    others = under_way[~under_way.id.isin(walking)].speed
    check("greatest speed of the others, m/s", float(others.max()), 0, 0.001)

    square = pedpy.MeasurementArea([(19, 44), (41, 44), (41, 66), (19, 66)])
    density = pedpy.compute_classic_density(traj_data=text, measurement_area=square).density
    for what, found in [("least", density.min()), ("greatest", density.max())]:
        check(f"{what} density of those who stand, 1/m²", float(found), 25 / 22**2, 1e-12)

    line = pedpy.MeasurementLine([(25, 0), (25, 40)])
    passed, _ = pedpy.compute_n_t(traj_data=text, measurement_line=line)
    check("walkers who cross a line", int(passed.cumulative_pedestrians.max()), 8)

    import shapely

    parts = shapely.from_wkt(geometry.read_text())
    check("geometry is valid", int(parts.is_valid), 1)
    for part, wanted in zip(parts.geoms, AREAS, strict=True):
        check("walkable area, m²", pedpy.WalkableArea(part).area, wanted)
    upper = pedpy.TrajectoryData(text.data[text.data.id.isin(walking)].copy(), text.frame_rate)
    cells = pedpy.compute_individual_voronoi_polygons(
        traj_data=upper, walkable_area=pedpy.WalkableArea(parts.geoms[0])
    )
    shares = cells.groupby("frame").polygon.apply(lambda polygons: shapely.area(polygons).sum())
    check("Voronoi cells together, m²", float(numpy.max(shares)), AREAS[0], 1e-6)


def comings():
    """Agents who come and go."""
    summary, path = run("small", "txt", "--trajectories-every", "1")
    text = pedpy.load_trajectory(trajectory_file=path)
    check("small: all agents ever", text.number_pedestrians, 250 + 150 + 100)
    check("small: frame rate", text.frame_rate, 20)
    last = text.data[text.data.frame == text.data.frame.max()]
    check("small: agents at the end", len(last), summary["agents"])
    check("small: rows with one id in one frame", int(text.data.duplicated(["id", "frame"]).sum()), 0)


def by_cells(csv, report, geometry, measured, tolerance, every=1):
    """Compares density and speed by Voronoi cells with PedPy's, at the samples that have a frame.

    Everybody is in the first piece of the ground. Left out are samples in which a cell passes the corner
    of a wall by less than positions in the file are exact, which decides whether its parts before and
    behind the wall hang together; at most one in ten. Returns how many samples have a frame.
    """
    import shapely

    cutoff = report["cutoff_m"]
    # Frame 0 is after the first tick, and a frame follows every so many ticks; a sample is after its tick.
    ticks = [round(time / report["dt"]) for time in report["series"]["time_s"]]
    frames = {tick: (tick - 1) // every for tick in ticks if (tick - 1) % every == 0}
    places = [place for place, tick in enumerate(ticks) if tick in frames]
    at = csv[csv.frame.isin(frames.values())]
    text = pedpy.TrajectoryData(at[["id", "frame", "x", "y"]].copy(), 20 / every)
    speeds = pandas.DataFrame({"id": at.id, "frame": at.frame, "speed": numpy.hypot(at.v_x, at.v_y)})
    ground = shapely.from_wkt(geometry.read_text())
    ground = pedpy.WalkableArea(ground.geoms[0] if ground.geom_type == "MultiPolygon" else ground)
    corners = shapely.points(shapely.get_coordinates(ground.polygon))
    clear = []
    for frame in frames.values():
        here = at[at.frame == frame]
        agents = shapely.multipoints(shapely.points(here.x, here.y))
        edges = shapely.voronoi_polygons(agents, only_edges=True)
        clear.append(bool(shapely.distance(edges, corners).min() > 0.0001))
    check("samples left out", clear.count(False), 0, len(clear) // 10)
    round_cells = pedpy.Cutoff(radius=cutoff, quad_segments=16) if cutoff else None
    cells = pedpy.compute_individual_voronoi_polygons(
        traj_data=text, walkable_area=ground, cut_off=round_cells
    )
    for corners, area in zip(measured, report["areas"], strict=True):
        place = pedpy.MeasurementArea(corners)
        # By the ground that is not wall.
        share = place.area / area["free_m2"]
        density, inside = pedpy.compute_voronoi_density(
            individual_voronoi_data=cells, measurement_area=place
        )
        speed = pedpy.compute_voronoi_speed(
            traj_data=text,
            individual_speed=speeds,
            individual_voronoi_intersection=inside,
            measurement_area=place,
        )
        series = area["series"]
        for what, theirs, ours in [
            ("density", density.set_index("frame").density, series["voronoi_density"]),
            ("speed", speed.set_index("frame").speed, series["voronoi_speed"]),
        ]:
            # PedPy has no row for frames in which no cell reaches the area.
            theirs = numpy.array([theirs.get(frame, 0.0) * share for frame in frames.values()])
            ours = numpy.array([ours[place] or 0.0 for place in places])
            worst = float(numpy.max(numpy.abs(ours - theirs)[clear] / numpy.max(theirs)))
            name = f"{area['name']}, cutoff {cutoff}: {what} by Voronoi cells, mean {ours.mean():.3f}"
            check(f"{name}: greatest difference, as a share of the largest", worst, 0, tolerance)
    return len(places)


def voronoi():
    """Density and speed by Voronoi cells, without and with a cutoff, and the flow through a gate."""
    scenario = FOLDER / "door.toml"
    scenario.write_text(DOOR)
    geometry, measures = FOLDER / "door.wkt", FOLDER / "measures"
    for cutoff in [None, 0.8]:
        more = ["--measure-cutoff", str(cutoff)] if cutoff else []
        often = ["--trajectories-every", "1", "--measure-every", "50"]
        files = ["--geometry", geometry, "--measure", measures]
        _, path = run(scenario, "csv", *files, *often, *more)
        csv = pandas.read_csv(path)
        report = json.loads((measures / "measures.json").read_text())
        by_cells(csv, report, geometry, MEASURED, 0.001)
    text = pedpy.TrajectoryData(csv[["id", "frame", "x", "y"]].copy(), 20)
    line = pedpy.MeasurementLine([(10.2, 4.4), (10.2, 5.6)])
    passed, _ = pedpy.compute_n_t(traj_data=text, measurement_line=line)
    both = report["gates"][0]["both"]["count"]
    check("people through the door", int(passed.cumulative_pedestrians.max()), both)


def stadium():
    """The stadium: who passes an exit in which frame, and the crowd before it.

    Few agents and the first seconds, unless a further argument of the script is `full`.
    """
    full = "full" in sys.argv[4:]
    scenario = FOLDER / "stadium.toml"
    text = (pathlib.Path(__file__).parent.parent / "scenarios" / "stadium.toml").read_text()
    scenario.write_text(text + STADIUM)
    geometry, measures = FOLDER / "stadium.wkt", FOLDER / "stadium"
    # 41 is a whole number of frames and one tick, and so is every tenth sample, or every second one.
    every = 10 if full else 2
    _, path = run(
        scenario, "csv", "--geometry", geometry, "--measure", measures, "--measure-cutoff", "2",
        "--trajectories-every", str(every), "--measure-every", "41",
        *([] if full else ["--agents", "1200", "--ticks", "1000"]),
    )
    csv = pandas.read_csv(path, usecols=["id", "frame", "x", "y", "v_x", "v_y"])
    report = json.loads((measures / "measures.json").read_text())
    samples = by_cells(csv, report, geometry, [STADIUM_AREA], 0.02, every)
    print(f"        {csv.id.nunique()} agents, {samples} samples")
    check("stadium: more samples than 10", int(samples > 10), 1)

    walked = pedpy.TrajectoryData(csv[["id", "frame", "x", "y"]].copy(), 20 / every)
    line = pedpy.MeasurementLine(STADIUM_LINE)
    passed, theirs = pedpy.compute_n_t(traj_data=walked, measurement_line=line)
    gates = pandas.read_csv(measures / "gates.csv")
    # The first frame after an agent's first passage, whose moment lies in the tick before. PedPy leaves
    # out passages in the last frame.
    tick = numpy.ceil(gates.groupby("id").time_s.min() / report["dt"]).astype(int)
    ours = -(-(tick - 1) // every)
    ours = ours[ours < csv.frame.max()]
    theirs = theirs.set_index("id").frame
    # For PedPy an agent on the line, to the 0.1 mm that the file has, has not passed it yet.
    on_line = csv[csv.y == STADIUM_LINE[0][1]]
    on_line = set(zip(on_line.id, on_line.frame))
    earlier = [(id, frame - 1) in on_line for id, frame in theirs.items()]
    theirs = theirs - numpy.array(earlier, dtype=int)
    check("stadium: people through the exit", int(passed.cumulative_pedestrians.max()), len(ours))
    check("stadium: more than 100 of them", int(len(ours) > 100), 1)
    check("stadium: the same people", int(len(theirs.index.symmetric_difference(ours.index))), 0)
    check("stadium: people whose frame differs", int((theirs.reindex(ours.index) != ours).sum()), 0)


FOLDER.mkdir(parents=True, exist_ok=True)
print(f"PedPy {pedpy.__version__}")
free()
comings()
voronoi()
stadium()

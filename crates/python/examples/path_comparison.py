"""Every method to find a way, on one map: lengths against the shortest, and work.

    python path_comparison.py [--map file.map] [--from 2,2 --to 60,25] [--plot ways.png]
"""

import argparse
import time

import numpy as np
import throng


def rooms() -> throng.Map:
    """Rooms with doors, and rubble."""
    random = np.random.default_rng(5)
    slowness = np.full((60, 90), 16, np.uint8)
    slowness[random.random(slowness.shape) < 0.05] = 0
    for x in (30, 60):
        slowness[:, x] = 0
        slowness[random.choice(58, 2, replace=False) + 1, x] = 16
    slowness[30, :] = 0
    slowness[30, [10, 45, 80]] = 16
    slowness[:3, :3] = slowness[-3:, -3:] = 16
    return throng.Map(slowness)


def point(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--map", help="a map file in place of the rooms")
    arguments.add_argument("--from", dest="start", type=point, default=(1.5, 1.5))
    arguments.add_argument("--to", dest="end", type=point, default=(88.5, 58.5))
    arguments.add_argument("--plot", help="draw the ways here (PNG)")
    options = arguments.parse_args()

    ground = throng.Map.load(options.map) if options.map else rooms()
    best = throng.paths.shortest(ground, options.start, options.end, "exact")
    ways = []
    print("method          promises   length m   of best   expanded       ms")
    for method, promise in throng.paths.METHODS.items():
        began = time.perf_counter()
        try:
            way = throng.paths.shortest(ground, options.start, options.end, method)
        except throng.RangeError as why:
            print(f"{method:15} {why}")
            continue
        spent = (time.perf_counter() - began) * 1e3
        length = f"{way.length:10.2f} {way.length / best.length:9.3f}" if way else " does not arrive    "
        print(f"{method:15} {promise:10} {length} {way.expanded:10} {spent:8.1f}")
        ways.append(way)

    far = throng.fields.distance(ground, options.end)
    print(f"farthest cell from the goal: {far[np.isfinite(far)].max():.1f} m")

    if options.plot:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        plt.figure(figsize=(10, 7))
        width, height = ground.size
        extent = (0, width, height, 0)
        plt.imshow(np.where(np.isfinite(far), far, np.nan), extent=extent, cmap="viridis", alpha=0.6)
        plt.colorbar(label="distance to the goal, m", shrink=0.7)
        plt.imshow(np.where(ground.slowness == 0, 0.0, np.nan), extent=extent, cmap="gray", vmin=0)
        for way in ways:
            if way and way.method in ("exact", "jump", "flow", "network", "portals", "greedy"):
                plt.plot(*way.points.T, label=f"{way.method} {way.length:.1f} m")
        plt.legend(loc="lower left")
        plt.savefig(options.plot, dpi=120)


if __name__ == "__main__":
    main()

"""Speed against density in a wide corridor, beside what Weidmann measured (1993).

    python fundamental_diagram.py [--measured data.csv] [--plot diagram.png]

`--measured` takes a table with a header whose first two columns are density in 1/m² and speed in m/s.
"""

import argparse
import math

import numpy as np
import throng

WIDTH, START = 6.0, 60.0
MIDDLE = (35.0, 45.0)


def weidmann(density: float) -> float:
    """Speed of people in m/s at a density in 1/m²."""
    return 1.34 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))


def walk(density: float, seconds: float = 20) -> tuple[float, float]:
    """Mean density and speed in the middle of a crowd that walks along a corridor."""
    slowness = np.full((round(WIDTH / 0.5), 400), 16, np.uint8)
    sim = throng.Simulation(throng.Map(slowness, cell=0.5), seed=1)
    walkers = sim.add_group("pedestrian")
    sim.spawn(walkers, throng.rect(2, 0, START, WIDTH), round(density * (START - 2) * WIDTH))
    sim.send(walkers, throng.point(195, WIDTH / 2))
    densities, speeds = [], []
    sim.step(3 * sim.tick_rate)
    for _ in range(round(seconds * sim.tick_rate)):
        sim.step()
        x = sim.positions()[:, 0]
        inside = (x > MIDDLE[0]) & (x < MIDDLE[1])
        speed = np.hypot(*sim.velocities()[inside].T)
        if len(speed):
            densities.append(len(speed) / ((MIDDLE[1] - MIDDLE[0]) * WIDTH))
            speeds.append(speed.mean())
    return float(np.mean(densities)), float(np.mean(speeds))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--measured", help="a table of density and speed to draw beside")
    arguments.add_argument("--plot", help="draw the diagram here (PNG)")
    options = arguments.parse_args()
    points = [walk(density) for density in (0.5, 1.0, 1.5, 2.0, 2.5)]
    print("density 1/m²  speed m/s  Weidmann m/s")
    for density, speed in points:
        print(f"{density:12.2f} {speed:10.2f} {weidmann(density):13.2f}")
    if options.plot:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        if options.measured:
            measured = np.genfromtxt(options.measured, delimiter=",", skip_header=1)
            plt.plot(measured[:, 0], measured[:, 1], ".", color="0.7", label="measured")
        line = np.linspace(0.1, 5.3, 200)
        plt.plot(line, [weidmann(density) for density in line], "k-", label="Weidmann 1993")
        plt.plot(*np.array(points).T, "o", label="throng")
        plt.xlabel("density, 1/m²")
        plt.ylabel("speed, m/s")
        plt.legend()
        plt.savefig(options.plot, dpi=120)


if __name__ == "__main__":
    main()

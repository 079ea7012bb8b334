"""How long it takes to leave a hall, by the width of its door and by seed: runs in processes.

    python evacuation.py [--plot evacuation.png]
"""

import argparse

import numpy as np
import throng

PEOPLE = 150
HALL = throng.rect(1, 1, 19, 19)
OUTSIDE = throng.rect(24, 1, 39, 19)


def evacuate(width: float, seed: int) -> dict[str, float]:
    """A hall of 20 m by 20 m with a door of a width in the right wall."""
    cell = 0.2
    slowness = np.full((100, 200), 16, np.uint8)
    slowness[:, 100] = 0
    door = int(width / cell)
    slowness[50 - door // 2 : 50 - door // 2 + door, 100] = 16
    sim = throng.Simulation(throng.Map(slowness, cell=cell), seed=seed)
    people = sim.add_group("pedestrian")
    sim.spawn(people, HALL, PEOPLE)
    sim.send(people, OUTSIDE)
    sim.measure(gates={"door": ((20.1, 0), (20.1, 20))})
    while sim.seconds < 600 and np.any(sim.positions()[:, 0] < 20.5):
        sim.step(sim.tick_rate)
    crossed = np.sort(sim.measures()["gates"][0]["crossings"]["time_s"])
    middle = crossed[len(crossed) // 10 : -len(crossed) // 10]
    return {"seconds": sim.seconds, "flow": float((len(middle) - 1) / (middle[-1] - middle[0]))}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--plot", help="draw the flow here (PNG)")
    arguments.add_argument("--seeds", type=int, default=2)
    options = arguments.parse_args()
    rows = throng.sweep(evacuate, seeds=range(1, options.seeds + 1), width=[0.8, 1.2, 2.0, 3.0])
    print("width m  seed  seconds  people/s  people/s/m")
    for row in rows:
        print(
            f"{row['width']:7.1f} {row['seed']:5} {row['seconds']:8.0f} {row['flow']:9.2f}"
            f" {row['flow'] / row['width']:11.2f}"
        )
    if options.plot:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        plt.plot([row["width"] for row in rows], [row["flow"] for row in rows], "o")
        plt.xlabel("width of the door, m")
        plt.ylabel("flow, people/s")
        plt.title(f"{PEOPLE} people leave a hall")
        plt.savefig(options.plot, dpi=120)


if __name__ == "__main__":
    main()

"""A battle of two armies: weapons, teams, formations, events, a replay that is verified.

    python battle.py [--plot battle.png]
"""

import argparse
import pathlib
import tempfile

import numpy as np
import throng


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--plot", help="draw strengths over time here (PNG)")
    options = arguments.parse_args()

    plain = throng.Map(np.full((80, 200), 16, np.uint8))
    sim = throng.Simulation(plain, numeric="fixed", seed=3)
    bow = sim.add_weapon("bow")
    gun = sim.add_weapon("gun", range=70.0, cooldown=6.0)
    red = [
        sim.add_group("rts", team=0, foes=[1], weapon=gun, radius=0.4),
        sim.add_group("rts", team=0, foes=[1], weapon=bow, radius=0.4, health=60.0),
    ]
    blue = [
        sim.add_group("rts", team=1, foes=[0], weapon=gun, radius=0.4),
        sim.add_group("rts", team=1, foes=[0], weapon=bow, radius=0.4, health=60.0),
    ]
    for army, left in ((red, 10), (blue, 170)):
        for group, count in zip(army, (120, 60), strict=True):
            sim.spawn(group, throng.rect(left, 10, left + 20, 70), count)
    lines = sim.add_company(red, formation="line", spacing=1.5)

    with tempfile.TemporaryDirectory() as folder:
        replay = pathlib.Path(folder) / "battle.throng"
        sim.record(replay, "battle")
        sim.send(lines, throng.rect(120, 30, 140, 50))
        for group in blue:
            sim.send(group, throng.rect(60, 20, 90, 60))
        strengths = []
        while sim.seconds < 120:
            sim.step(sim.tick_rate)
            groups = sim.groups()
            strengths.append([np.isin(groups, [g.index for g in army]).sum() for army in (red, blue)])
            if 0 in strengths[-1]:
                break
        sim.finish_recording()
        verdict = throng.verify(replay)

    print("seconds   red  blue")
    for second, (reds, blues) in enumerate(strengths, 1):
        if second % 10 == 0 or second == len(strengths):
            print(f"{second:7} {reds:5} {blues:5}")
    print(f"replay: {verdict}")
    assert verdict.same and verdict.digest == sim.digest()

    if options.plot:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        for army, name in zip(np.array(strengths).T, ("red", "blue"), strict=True):
            plt.plot(army, color=name, label=name)
        plt.xlabel("seconds")
        plt.ylabel("agents that stand")
        plt.legend()
        plt.savefig(options.plot, dpi=120)


if __name__ == "__main__":
    main()

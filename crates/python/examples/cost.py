"""What Python costs over the engine: both step the same million agents in turns; and what arrays of them cost.

cargo build --release -p throng-python --example engine
python crates/python/examples/cost.py target/release/examples/engine
"""

import argparse
import statistics
import subprocess
import time
from collections.abc import Callable

import throng

SCENARIO = "million"


def milliseconds(do: Callable[[], object]) -> float:
    """How long something takes."""
    began = time.perf_counter_ns()
    do()
    return (time.perf_counter_ns() - began) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the program of engine.rs")
    parser.add_argument("--agents", type=int, default=1_000_000)
    parser.add_argument("--ticks", type=int, default=100)
    options = parser.parse_args()

    sim = throng.Simulation.from_scenario(SCENARIO, agents=options.agents)
    command = [options.engine, SCENARIO, str(options.agents)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, text=True, bufsize=1, stdin=pipe, stdout=pipe) as engine:
        to, of = engine.stdin, engine.stdout
        assert to and of

        def step_engine() -> tuple[float, int]:
            to.write("1\n")
            nanoseconds, digest = of.readline().split()
            return int(nanoseconds) / 1e6, int(digest)

        python, alone = [], []
        for tick in range(options.ticks):
            # The second one finds a cold cache, so they take turns in that too.
            if tick % 2:
                python.append(milliseconds(sim.step))
            alone.append(step_engine())
            if tick % 2 == 0:
                python.append(milliseconds(sim.step))
        assert alone[-1][1] == sim.digest(), "both are the same run"
        to.close()

    median = statistics.median
    engine_ms, python_ms = median(time for time, _ in alone), median(python)
    over = (python_ms / engine_ms - 1) * 100
    print(f"{len(sim)} agents: engine {engine_ms:.2f} ms a tick, Python {python_ms:.2f} ms, {over:+.1f} %")
    for words, copy in (("a copy", True), ("a view", False)):
        times = [milliseconds(lambda: sim.positions(copy=copy)) for _ in range(201)]  # noqa: B023
        print(f"positions of {len(sim)} agents, {words}: {median(times):.4f} ms")


if __name__ == "__main__":
    main()

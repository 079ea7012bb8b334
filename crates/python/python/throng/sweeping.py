"""Runs of many seeds and parameters, in processes."""

from __future__ import annotations

import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import Any

__all__ = ["sweep"]


def _one_thread() -> None:
    """Runs side by side have one thread each; no result depends on it."""
    from ._engine import set_threads

    set_threads(1)


def _call(task: tuple[Callable[..., Mapping[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    function, keywords = task
    return {**keywords, **function(**keywords)}


def sweep(
    function: Callable[..., Mapping[str, Any]],
    *,
    seeds: Iterable[int] = (1,),
    processes: int | None = None,
    **parameters: Iterable[Any],
) -> list[dict[str, Any]]:
    """Calls a function for every seed and every combination of parameters, each in a process.

    The function takes `seed` and the parameters as keywords and returns a dict; it must be one that
    other processes can import. Rows come in the order of the parameters, seeds last, whoever is done
    first: each is the keywords and what was returned, as pandas.DataFrame takes them.
    """
    names = [*parameters, "seed"]
    values = itertools.product(*(list(value) for value in parameters.values()), list(seeds))
    tasks = [(function, dict(zip(names, row, strict=True))) for row in values]
    workers = max(1, min(processes or os.cpu_count() or 1, len(tasks)))
    # Not by fork: the threads of this process would not be there.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_one_thread) as pool:
        return list(pool.map(_call, tasks))

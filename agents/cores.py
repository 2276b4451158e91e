"""Work shared among the cores of the machine: compiled search lets go of Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def count_cores(threads: int) -> int:
    """So many as asked for; all there are for 0.

    Raises:
        ValueError: fewer than 0.
    """
    if threads < 0:
        raise ValueError(f"threads is {threads}: expected 1 or more, or 0 for one a core")
    return threads or os.cpu_count() or 1


def on_cores(task: Callable[[T], R], parts: Iterable[T], threads: int) -> list[R]:
    """`task` of each part, in order."""
    every = list(parts)
    if threads == 1 or len(every) < 2:
        return [task(part) for part in every]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(task, every))

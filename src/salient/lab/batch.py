"""Many independent games over several processes, in chunks; the results do not depend on how many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def batch(task: Callable[[int], T], count: int, jobs: int = 1) -> Iterator[T]:
    """`task(index)` for each index below `count`, in order; with several jobs the task must be picklable."""
    if jobs <= 1:
        yield from map(task, range(count))
        return
    chunk = max(1, min(25, count // (jobs * 4)))
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(task, range(count), chunksize=chunk)

"""How long the disk takes to keep a little: 4 kB written and brought to it, again and again, beside something else.

python -m bench.disk FOLDER   writes a line a try: when it began, and how many seconds it took
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

SECONDS_BETWEEN = 0.05
SIZE = 4096
SLOW = 0.025


@dataclass
class Probe:
    """A process of its own that asks the disk; what happened elsewhere at the same moment can be compared with it."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="salient-disk-")))
    tries: list[tuple[float, float]] = field(default_factory=list)

    def __enter__(self) -> Probe:
        command = [sys.executable, "-m", "bench.disk", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        said, _ = self.process.communicate(timeout=30)
        lines = [line.split() for line in said.splitlines()]
        self.tries = [(float(began), float(took)) for began, took in lines]
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()

    def percentile(self, of_hundred: int) -> float:
        """So many of a hundred tries took at most so many milliseconds."""
        return statistics.quantiles([took for _, took in self.tries], n=100)[of_hundred - 1] * 1000

    @property
    def most(self) -> float:
        """The slowest try, in milliseconds."""
        return max(took for _, took in self.tries) * 1000

    def was_slow(self, began: float, ended: float) -> bool:
        """Whether a slow try overlaps a span of time."""
        return any(at < ended and at + took > began for at, took in self.tries if took > SLOW)


def probe(folder: Path) -> None:
    """Ask the disk until this process is ended."""
    with (folder / "probe").open("wb", buffering=0) as file:
        while True:
            began = time.perf_counter()
            os.pwrite(file.fileno(), os.urandom(SIZE), 0)
            os.fsync(file.fileno())
            print(began, time.perf_counter() - began, flush=True)
            time.sleep(SECONDS_BETWEEN)


if __name__ == "__main__":
    probe(Path(sys.argv[1]))

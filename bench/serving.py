"""A server in a process of its own, to measure and to kill."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

PROGRAM = "import sys; from salient.server import main; main(port=int(sys.argv[1]), data=sys.argv[2])"
SECONDS_TO_START = 60.0


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def processor_ms(pid: int, ended: bool = False) -> float:
    """Milliseconds of processor time that a process has taken; with `ended` those of its ended children too."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(int(each) for each in fields[11 : 15 if ended else 13])
    return ticks * 1000 / os.sysconf("SC_CLK_TCK")


class ServerProcess:
    """`salient serve` over a data folder or a database's URL; it can be killed and started again."""

    def __init__(self, data: Path | str) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [sys.executable, "-c", PROGRAM, str(self.port), str(self.data)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline:
            try:
                httpx.get(f"{self.url}/api/about", timeout=5).raise_for_status()
                return
            except httpx.HTTPError:
                assert self.process.poll() is None, "the server did not start"
                time.sleep(0.05)
        raise AssertionError("the server did not answer in time")

    def kill(self) -> None:
        """kill -9."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

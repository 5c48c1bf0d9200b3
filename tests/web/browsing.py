"""A real server in a process of its own, and browser windows that waste no time."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000
QUICK = (
    """localStorage.setItem("salient", JSON.stringify("""
    """{ lang: "%s", pace: 0, confirmEnd: false, hoverFan: true, tab: "log" }))"""
)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`salient serve` on a free port; it can be stopped hard and started again on the same data."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start and wait until it answers."""
        program = [sys.executable, "-c", "from salient.cli import app; app()"]
        command = [*program, "serve", "--port", str(self.port), "--data", str(self.data)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/api/library", timeout=30).read()
                return
            except OSError:
                time.sleep(0.1)
        self.kill()
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """Stop at once, as a power cut would."""
        self.process.kill()
        self.process.wait()


def quick_context(browser: Browser, lang: str = "en", **more: object) -> BrowserContext:
    """A browser window without playback pauses and second questions."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", **more)  # type: ignore[arg-type]
    context.add_init_script(f"if (!localStorage.getItem('salient')) {QUICK % lang}")
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    return context

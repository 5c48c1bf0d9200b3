"""The server: games in a database, a JSON API with a socket (docs/API.md), bots, and the web client.

The web framework is imported only when it is needed: the bots' process imports this package too, and does without.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

from salient.server.settings import Settings, settings_for

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["Settings", "create_app", "main"]


def create_app(settings: Settings) -> FastAPI:
    """The server's application."""
    from salient.server.app import build_app

    return build_app(settings)


def main(
    host: str = "127.0.0.1",
    port: int = 8044,
    data: str | Path | None = None,
    open_browser: bool = False,
    hosts: tuple[str, ...] = (),
    public: bool = False,
    settings_file: Path | None = None,
    workers: int = 1,
) -> None:
    """Serve until interrupted. `data` is a folder or a database URL; `hosts` are the names by which others reach it."""
    gc.disable()  # what is imported stays: to look through it over and over is a fifth of the start
    from salient.server.app import open_store
    from salient.server.running import run

    gc.freeze()
    gc.enable()
    settings = settings_for(data, host, hosts, public, settings_file)
    open_store(settings).close()
    run(settings, port, open_browser, workers)

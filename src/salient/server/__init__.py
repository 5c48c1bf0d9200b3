"""The server: games in a database, a JSON API with a socket (docs/API.md), bots, and the web client.

The web framework is imported only when it is needed: the bots' process imports this package too, and does without.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from salient.server.settings import Settings, settings_for

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["Settings", "create_app", "main"]

SOCKET_MESSAGE_LIMIT = 64 * 1024


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
) -> None:
    """Serve until interrupted. `data` is a folder or a database URL; `hosts` are the names by which others reach it."""
    import threading
    import webbrowser

    import uvicorn

    app = create_app(settings_for(data, host, hosts))
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::') else host}:{port}/"
    print(f"Salient is ready at {address}  (Ctrl-C ends it; games are kept)", flush=True)
    if open_browser:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False, ws_max_size=SOCKET_MESSAGE_LIMIT)

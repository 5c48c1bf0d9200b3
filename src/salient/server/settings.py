"""What a server is told when it starts."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_data_path

from salient.server.limits import Allowance

VERSION = version("salient")
BODY_LIMIT = 64 * 1024
IMPORT_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True)
class Settings:
    """Where games are kept, who may ask, and how long bots may think."""

    data: Path
    database: str = ""
    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = ()
    bot_seconds: float = 20.0
    thinkers: int = 1
    worker_setup: Callable[[], None] | None = None
    key_file: Path | None = None
    allowance: Allowance = field(default_factory=Allowance)

    @property
    def url(self) -> str:
        """The database's URL: SQLite in the data folder unless another is named."""
        return self.database or f"sqlite:///{self.data / 'games.sqlite'}"

    @property
    def key(self) -> Path:
        """Where the server's key is kept: beside the games, unless another file is named."""
        return self.key_file or self.data / "server.key"

    @property
    def local(self) -> bool:
        """Whether only this machine can ask, so that a request without a token is the owner's."""
        return not self.hosts and is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Say whether a host name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def settings_for(data: str | Path | None, host: str, hosts: tuple[str, ...] = ()) -> Settings:
    """Settings for `data`: a folder, a database's URL (postgresql+psycopg://...), or None for the user's folder."""
    folder = user_data_path("salient", appauthor=False)
    if data is not None and "://" in str(data):
        return Settings(folder, str(data), host, hosts)
    return Settings(folder if data is None else Path(data), host=host, hosts=hosts)

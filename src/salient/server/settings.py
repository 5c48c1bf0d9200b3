"""What a server is told when it starts."""

from __future__ import annotations

import ipaddress
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_data_path

from salient.kernel.messages import SalientError
from salient.server.limits import Allowance, is_rate
from salient.server.problems import sentence

T = TypeVar("T")

VERSION = version("salient")
BODY_LIMIT = 64 * 1024
IMPORT_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True)
class MailSettings:
    """Where letters are handed in, and who writes them."""

    host: str
    sender: str
    port: int = 587
    user: str = ""
    password: str = ""
    tls: str = "starttls"


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
    public: bool = False
    address: str = ""
    mail: MailSettings | None = None
    hooks_inside: bool = False
    openings: tuple[Path, ...] = ()
    proxies: tuple[str, ...] = ()
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
        return not self.public and not self.hosts and is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Say whether a host name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def settings_for(
    data: str | Path | None,
    host: str,
    hosts: tuple[str, ...] = (),
    public: bool = False,
    file: Path | None = None,
) -> Settings:
    """Settings for `data`: a folder, a database's URL (postgresql+psycopg://...), or None for the user's folder.

    `file` is a TOML file with more: address, key_file, thinkers, hosts, proxies, openings, and tables [mail], [limits].
    """
    more = _read(file) if file else {}
    given = data if data is not None else more.pop("data", None)
    folder = user_data_path("salient", appauthor=False)
    is_url = given is not None and "://" in str(given)
    values: dict[str, Any] = {"data": folder if given is None or is_url else Path(given)}
    values |= {"database": str(given) if is_url else "", "host": host, "public": public or more.pop("public", False)}
    values["hosts"] = (*hosts, *_words(more, "hosts"))
    if "mail" in more:
        values["mail"] = _table(MailSettings, more.pop("mail"), "mail")
    if "limits" in more:
        values["allowance"] = _table(Allowance, more.pop("limits"), "limits")
    if "key_file" in more:
        values["key_file"] = Path(more.pop("key_file"))
    values["openings"] = tuple(map(Path, _words(more, "openings")))
    values["proxies"] = _words(more, "proxies")
    more.pop("data", None)
    return _table(Settings, more | values, "settings")


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not even text
        raise SalientError(sentence("settings-unreadable", "en", file=file, cause=error)) from error


def _words(values: dict[str, Any], name: str) -> tuple[str, ...]:
    """A list of words, taken out of the values of a settings file."""
    found = values.pop(name, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise _impossible(name, found)
    return tuple(found)


def _impossible(name: str, value: object) -> SalientError:
    return SalientError(sentence("settings-value", "en", name=name, value=repr(value)))


def _table(kind: type[T], values: dict[str, Any], where: str) -> T:
    """The values of one table of a settings file; SalientError names what it does not know."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(set(values) - known)
    if unknown:
        names = ", ".join(sorted(known))
        raise SalientError(sentence("settings-unknown", "en", name=unknown[0], where=where, known=names))
    for each in fields(kind):  # type: ignore[arg-type]
        if each.name in values and not _fits(str(each.type), values[each.name]):
            raise _impossible(each.name, values[each.name])
        if kind is Allowance and each.name in values and not is_rate(values[each.name]):
            raise _impossible(each.name, values[each.name])
    return kind(**values)


def _fits(kind: str, value: object) -> bool:
    """Whether a value is of a plain type, as the annotation names it; what is not is made here, not read."""
    types: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (int, float), "bool": (bool,)}
    return kind not in types or (isinstance(value, types[kind]) and (kind == "bool" or not isinstance(value, bool)))

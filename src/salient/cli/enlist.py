"""Computer players for a server: a process that thinks for its database, and a program that plays by an account."""

from __future__ import annotations

import contextlib
import json
import secrets
import time
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from salient import bots as players
from salient.cli.shared import Language, err, out
from salient.games import load
from salient.kernel.messages import SalientError
from salient.kernel.shared_dice import PARTNER, new_chain
from salient.text import phrase

CHAIN = 600  # links of a chain
AHEAD = 64  # links of the passive chain that are shown ahead where nobody waits
LOW = 24
SECONDS_A_LOOK = 1.0
SECONDS_AFTER_TROUBLE = 5.0


def bots(
    data: Annotated[str | None, typer.Option("--data")] = None,
    settings: Annotated[Path | None, typer.Option("--settings")] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=64)] = 1,
    lang: Language = "en",
) -> None:
    """Think for a server's bots in a process of its own."""
    from salient.server.settings import settings_for
    from salient.server.thinking import run

    run(replace(settings_for(data, "127.0.0.1", file=settings), thinkers=jobs))


def enlist(
    server: Annotated[str, typer.Argument(metavar="URL")],
    bot: Annotated[str, typer.Option("--bot")],
    key: Annotated[str, typer.Option("--key", envvar="SALIENT_KEY")],
    seconds: Annotated[float, typer.Option("--seconds", min=0.1)] = players.SECONDS,
    games: Annotated[int, typer.Option("--games", min=0)] = 0,
    lang: Language = "en",
) -> None:
    """Play by a bot account: accept invitations, and play where it is that account's move."""
    soldier = Enlisted(server, key, bot, seconds)
    out.print(phrase("enlisted", lang, name=soldier.name, text=bot), markup=False)
    try:
        while not games or soldier.finished < games:
            try:
                busy = soldier.look()
            except SalientError as trouble:  # the server's refusal, or a program that failed and is started again
                err.print(str(trouble), style="yellow", markup=False)
                time.sleep(SECONDS_AFTER_TROUBLE)
                continue
            if not busy:
                time.sleep(SECONDS_A_LOOK)
    finally:
        soldier.close()


class Refused(SalientError):
    """What the server would not do, or that it does not answer."""


class Enlisted:
    """A computer player that plays the games of a bot account over the API (docs/API.md)."""

    def __init__(self, server: str, key: str, bot: str, seconds: float) -> None:
        self.server = server.rstrip("/")
        self.key = key
        self.bot = bot
        self.seconds = seconds
        self.minds: dict[str, players.Player] = {}
        self.chains: dict[tuple[str, str], list[bytes]] = {}
        self.finished = 0
        self.name = self.ask("GET", "people/me")["name"]

    def ask(self, method: str, path: str, body: Any = None, text: bool = False) -> Any:
        """One request; Refused, in the server's words, if it is no success."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.server}/api/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                found = answer.read().decode()
        except urllib.error.HTTPError as error:
            with contextlib.suppress(ValueError):
                raise Refused(json.loads(error.read())["message"]) from error
            raise Refused(f"{self.server}: {error.code}") from error
        except OSError as error:
            raise Refused(f"{self.server}: {error}") from error
        return found if text else json.loads(found or "null")

    def look(self) -> bool:
        """Accept what is offered, play where it is due; whether there was anything to do."""
        for offer in self.ask("GET", "room"):
            if offer["invited"] == self.name:
                self.ask("POST", f"room/{offer['id']}/join", {})
        busy = False
        for game in self.ask("GET", "games?limit=200"):
            if game["result"] is not None or game.get("broken"):
                self._forget(game["id"])
            elif any(line.get("person") == self.name for line in game["seats"]):
                busy |= self._serve(game["id"])
        return busy

    def _serve(self, game_id: str) -> bool:
        """Do what is due in one game."""
        snapshot = self.ask("GET", f"games/{game_id}")
        if game_id not in self.minds:
            self.minds[game_id] = self._mind(snapshot)
        shares = snapshot["dice"].get("shares")
        body = self._due(game_id, snapshot, shares) if shares else None
        if body:
            self.ask("POST", f"games/{game_id}/shares", body)
            return True
        if not snapshot["yours"]:
            return False
        game = load(snapshot["game"])
        state = game.read_position(self.ask("GET", f"games/{game_id}/position", text=True))
        try:
            action = game.write(self.minds[game_id].choose(state).action)
        except players.BotFault:
            self.minds.pop(game_id).close()
            raise
        self.ask("POST", f"games/{game_id}/actions", {"seen": snapshot["seen"], "action": action})
        return True

    def _mind(self, snapshot: dict[str, Any]) -> players.Player:
        seat = next(line["seat"] for line in snapshot["seats"] if line["mine"])
        return players.seated(self.bot, load(snapshot["game"]), seat, secrets.randbits(31), self.seconds)

    def _forget(self, game_id: str) -> None:
        if game_id in self.minds:
            self.minds.pop(game_id).close()
            self.finished += 1

    def close(self) -> None:
        """Let all players go."""
        for mind in self.minds.values():
            mind.close()

    # ---- its part of shared dice (docs/DICE.md), as the client does it -----------------------

    def _due(self, game_id: str, snapshot: dict[str, Any], shares: dict[str, Any]) -> dict[str, Any] | None:
        """What to send now: commitments where it has none, and the links that are due."""
        commit: dict[str, str] = {}
        show: dict[str, Any] = {}
        for seat, mine in shares["mine"].items():
            for role in ("active", "passive"):
                links = self._chain(game_id, role, mine[role], commit, shares)
                against = self._theirs(shares, role)["head"]
                number = self._wanted(seat, role, snapshot, mine[role]["last"])
                if number and against and role not in commit:
                    link = links[number - mine[role]["first"]].hex()
                    show[role] = {"number": number, "link": link, "against": against}
        return {"commit": commit, "show": show} if commit or show else None

    def _chain(
        self, game_id: str, role: str, known: dict[str, Any], commit: dict[str, str], shares: dict[str, Any]
    ) -> list[bytes]:
        """The chain that the server knows, if it is here and long enough; otherwise a new one to commit to."""
        links = self.chains.get((game_id, role))
        if links and links[0].hex() == known["head"] and max(shares["next"].values()) + AHEAD - known["first"] < CHAIN:
            return links
        links = self.chains[game_id, role] = new_chain(secrets.token_bytes(32), CHAIN)
        commit[role] = links[0].hex()
        return links

    @staticmethod
    def _theirs(shares: dict[str, Any], role: str) -> dict[str, Any]:
        """The chain of the other player that a role's links are mixed with."""
        (theirs,) = shares["theirs"].values()
        found: dict[str, Any] = theirs[PARTNER[role]]
        return found

    def _wanted(self, seat: str, role: str, snapshot: dict[str, Any], last: int) -> int:
        """The number of the link to show, or 0."""
        shares = snapshot["dice"]["shares"]
        due, caster = shares["due"], shares["caster"]
        decider = seat if role == "active" else next(iter(shares["theirs"]))
        number = int(shares["next"][decider])
        if role == "passive" and snapshot["between"]["terms"]["pace"] != "live":
            return number - 1 + AHEAD if last - number + 1 < LOW else 0
        if role == "passive" and self._theirs(shares, role)["last"] < number:
            return 0  # in live play the caster's link comes first
        return number if seat in due and caster == decider and last < number else 0

"""Non-interference: twin games that differ in one secret only, compared answer by answer.

Every route that looks, and the socket, is asked by the other side and by a spectator after every step; the reasons of a
bot that knows the secret too, and the answers to the other side's moves.

python -m bench.secrets_kept [comparisons] [seed]
"""

from __future__ import annotations

import itertools
import random
import re
import sys
import tempfile
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fastapi.testclient import TestClient

from salient.bots.opinion import Opinion, reasons
from salient.games import load
from salient.kernel import CHANCE, OVER, candidates, legal, step
from salient.server import Settings, create_app
from salient.server.limits import Allowance
from salient.server.live import LiveGame
from salient.server.store import Entry

MOST_PLIES = 1500
OFTEN = "1000000/second"
LOOKS = ("", "/log", "/record", "/chat", "/why?action=end", "/preview?action=end", "/situation", "/at/{ply}")
LOOKS += ("/rolls/{ply}", "/reasons/{ply}", "/openings", "/overlay/{overlay}", "/presence", "/verify")
LOOKS += ("POST /previews", "POST /orders", "/in the list")
LONG_LOOKS = ("/replay", "/dice", "/report", "/curve", "/luck", "/socket", "/position")
DRAWS = 8  # of a position, in which what is hidden is drawn anew: the draws must be the same set
LONG_EVERY = 50  # steps
SPECTATOR = "spectator"
FAST = Path("/dev/shm")  # where there is one, the databases are in memory
OPEN = {"pace": "none", "base": 0.0, "increment": 0.0, "rated": False, "watch": True, "timeout": "lose", "dice": "-"}
STOPPED = {"left": {}, "running": None, "since": 0.0}
BOT_SHARE = 0.5  # of the keeper's actions, played by a bot that tells its reasons
VOLATILE = re.compile(r'"(created|changed)":\s*[0-9.]+|"link":\s*"[^"]+"')


@dataclass(frozen=True)
class Case:
    """A game with a secret: who has it, and the two ways it can be chosen, or drawn by a frame at the start."""

    game: str
    keeper: str
    other: str
    choices: tuple[str, str]
    options: dict[str, str]
    scenario: str = ""
    drawn_by: str = ""


CASES = {
    "deadly-woods": Case("deadly-woods", "german", "allied", ("choose 5pz", "choose 6pz"), {}),
    "ardennes44": Case(
        "ardennes44",
        "allied",
        "german",
        ("hide 2831", "hide 3132"),
        {"fuel-depots": "on"},
        "six-turns",
        "salient.games.ardennes44.setup.HideDepot.sample",
    ),
}


class Twin:
    """One of the two games, with both players, who came by link, and open to spectators."""

    def __init__(self, stack: ExitStack, case: Case, dice: str, choice: str) -> None:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=FAST if FAST.is_dir() else None)))
        allowance = Allowance(OFTEN, OFTEN, OFTEN, OFTEN, OFTEN, OFTEN)
        app = create_app(Settings(data, host="0.0.0.0", thinkers=0, allowance=allowance))
        self.client = stack.enter_context(TestClient(app, base_url="http://127.0.0.1:8044"))
        order = {"game": case.game, "dice": dice, "options": case.options, "scenario": case.scenario}
        with (
            _drawing(case, choice),
            patch("secrets.token_urlsafe", _constant),
            patch("secrets.token_hex", lambda n: "5a" * n),
            patch("secrets.token_bytes", bytes),
        ):
            started = self.client.post("/api/games", json=order).json()
        self.id = started["id"]
        self.path = f"/api/games/{self.id}"
        self.table = self.client.app.state.table  # type: ignore[attr-defined]
        owner = {"X-Salient-Token": started["token"]}
        self.tokens = {case.other: self._join(case.other, owner), case.keeper: self._join(case.keeper, owner)}
        with self.table.playing(self.id) as live:
            self.table.change_row(live, terms=OPEN, clock=STOPPED)

    def _join(self, seat: str, owner: dict[str, str]) -> str:
        with patch("secrets.token_urlsafe", lambda n: f"invitation-{seat}"):
            self.client.post(f"{self.path}/invitations", json={"seat": seat}, headers=owner)
        with patch("secrets.token_urlsafe", lambda n: f"guest-{seat}"):
            joined = self.client.post(f"{self.path}/join", json={"invitation": f"invitation-{seat}"})
        return str(joined.json()["token"])

    def play_until(self, choice: str, seed: int) -> bool:
        """Play at random, in memory and then kept, until a choice is offered; whether it was."""
        chance = random.Random(seed)
        with self.table.playing(self.id) as live:
            self.table.commit(live, live.seen, lambda: self._random_plies(live, choice, chance))
            return live.game.read(choice) in legal(live.session.state)

    @staticmethod
    def _random_plies(live: LiveGame, choice: str, chance: random.Random) -> list[Entry]:
        entries: list[Entry] = []
        while live.actor != OVER and live.ply < MOST_PLIES:
            if live.game.read(choice) in legal(live.session.state):
                break
            if live.actor == CHANCE:
                entries += live.roll_typed([chance.randint(1, sides) for sides in live.dice_needed])
            else:
                entries += live.act(live.actor, chance.choice(candidates(live.session.state)))
        return entries

    def _as(self, seat: str) -> dict[str, str]:
        return {} if seat == SPECTATOR else {"X-Salient-Token": self.tokens[seat]}

    def bot_plays(self, seat: str, text: str) -> None:
        """An action with a bot's reasons for it, which it has from all that its seat knows."""
        with self.table.playing(self.id) as live:
            game, state = live.game, live.session.state
            action, opinion = game.read(text), Opinion(game, seat)
            why = reasons(opinion.weighted(state), opinion.expected([(1.0, step(state, action))]))
            self.table.commit(live, live.seen, lambda: live.act(seat, action, reasons=why))

    def get(self, path: str, seat: str) -> str:
        """An answer without what differs by the clock."""
        if path == "/socket":
            return self._told(seat)
        if path == "/in the list":
            return VOLATILE.sub("", self.client.get("/api/games", headers=self._as(seat)).text)
        if path == "/position":
            return "\n".join(sorted({self._drawn(n, seat) for n in range(DRAWS)}))
        if path.startswith("POST "):
            body = {"actions": ["end"]} | ({"seen": self.state()["seen"]} if path.endswith("orders") else {})
            answer = self.client.post(f"{self.path}{path[5:]}", json=body, headers=self._as(seat))
        else:
            answer = self.client.get(f"{self.path}{path}", headers=self._as(seat))
        return f"{answer.status_code} {VOLATILE.sub('', answer.text)}"

    def _drawn(self, number: int, seat: str) -> str:
        with patch("salient.server.routes_look.secrets.token_hex", lambda n: str(number)):
            answer = self.client.get(f"{self.path}/position", headers=self._as(seat))
        return f"{answer.status_code} {answer.text}"

    def _told(self, seat: str) -> str:
        """What a socket brings first, the whole log with it."""
        with self.client.websocket_connect(f"{self.path}/socket", headers={"Host": "127.0.0.1:8044"}) as socket:
            socket.send_json({"token": self.tokens.get(seat), "since": 0})
            return VOLATILE.sub("", str(socket.receive_text()))

    def state(self) -> dict[str, Any]:
        """What the comparison must know of the position to go on."""
        with self.table.playing(self.id) as live:
            texts = [] if live.actor in (CHANCE, OVER) else map(live.game.write, legal(live.session.state))
            known = {"actor": live.actor, "seen": live.seen, "ply": live.ply, "needed": list(live.dice_needed)}
            return known | {"legal": set(texts)}

    def act(self, seat: str, body: dict[str, Any]) -> str:
        """Submit, and what the answer was: what is new for who holds the snapshot."""
        held = {"held": self.client.get(self.path, headers=self._as(seat)).json()["mark"]}
        answer = self.client.post(f"{self.path}/actions", params=held, json=body, headers=self._as(seat))
        return f"{answer.status_code} {VOLATILE.sub('', answer.text)}"


def _constant(_: int = 0) -> str:
    return "the-same-name"


def _drawing(case: Case, choice: str) -> Any:
    """The draw of the secret at the start, as this twin has it."""
    if not case.drawn_by:
        return nullcontext()
    action = load(case.game).read(choice)
    return patch(case.drawn_by, lambda frame, state, roller: action)


def compare(
    case: Case, dice: str, comparisons: int, seed: int = 1, looks: tuple[str, ...] = LOOKS, every: int = LONG_EVERY
) -> tuple[int, list[str]]:
    """Play both games alike but for the secret; how many answers were compared after it, and which differed."""
    chance = random.Random(seed)
    differing: list[str] = []
    done, steps, chosen = 0, 0, bool(case.drawn_by)
    with ExitStack() as stack:
        twins = [Twin(stack, case, dice, choice) for choice in case.choices]
        if not chosen:
            with patch("salient.server.live.ServerDice", _seeded(seed)):
                reached = [twin.play_until(case.choices[0], seed) for twin in twins]
            assert all(reached), "the secret was never chosen"
        overlays = list(load(case.game).components()["overlays"])
        while done < comparisons and not differing:
            keeper = [twin.state() for twin in twins]
            if keeper[0]["actor"] == "over" or keeper[0]["actor"] != keeper[1]["actor"]:
                break
            if chosen and not steps:
                told = [twin.get("", case.keeper) for twin in twins]
                assert told[0] != told[1], "the twins do not differ for the keeper of the secret"
            steps += chosen
            asked = (*looks, *(LONG_LOOKS if every and steps % every == 1 else ())) if chosen else ()
            for look in asked:
                path = look.format(ply=max(1, keeper[0]["ply"]), overlay=overlays[steps % len(overlays)])
                for eyes in (case.other, SPECTATOR):
                    answers = [twin.get(path, eyes) for twin in twins]
                    done += 1
                    if answers[0] != answers[1]:
                        differing.append(f"{path} for {eyes} at ply {keeper[0]['ply']}: {_where(*answers)}")
            stepped = _step(case, twins, keeper, chance, differing)
            chosen = chosen or stepped == "secret"
            if not stepped:
                break
    return done, differing


def _where(one: str, two: str) -> str:
    """Where two answers begin to differ."""
    place = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"...{one[max(0, place - 60) : place + 60]!r} and {two[max(0, place - 60) : place + 60]!r}"


def _step(
    case: Case, twins: list[Twin], keeper: list[dict[str, Any]], chance: random.Random, differing: list[str]
) -> str:
    """One action in both games: the secret where it is chosen, else the same; nothing when that is not possible."""
    seat = keeper[0]["actor"]
    with patch("salient.server.live.ServerDice", _seeded(chance.random())):
        if keeper[0]["needed"]:
            faces = [chance.randint(1, sides) for sides in keeper[0]["needed"]]
            return _submit(case, twins, keeper, case.other, {"faces": faces}, differing)
        lists = [state["legal"] for state in keeper]
        if all(choice in offered for choice, offered in zip(case.choices, lists, strict=True)):
            for twin, snapshot, choice in zip(twins, keeper, case.choices, strict=True):
                twin.act(seat, {"seen": snapshot["seen"], "action": choice})
            return "secret"
        common = sorted(lists[0] & lists[1])
        if not common:
            return ""
        action = chance.choice(common)
        if seat == case.keeper and chance.random() < BOT_SHARE:
            for twin in twins:
                twin.bot_plays(seat, action)
            return "alike"
        return _submit(case, twins, keeper, seat, {"action": action}, differing)


def _submit(
    case: Case,
    twins: list[Twin],
    keeper: list[dict[str, Any]],
    seat: str,
    body: dict[str, Any],
    differing: list[str],
) -> str:
    answers = [twin.act(seat, {"seen": k["seen"], **body}) for twin, k in zip(twins, keeper, strict=True)]
    if seat == case.other and answers[0] != answers[1]:
        differing.append(f"the answer to {body}: {_where(*answers)}")
    return "alike"


def _seeded(seed: float) -> Any:
    from salient.kernel import SeededDice

    return lambda: SeededDice(str(seed))


def main(comparisons: int = 5000, seed: int = 1) -> None:
    """Compare until there are enough, each game with each kind of dice in turn, and say how it went."""
    total, found = 0, []
    kinds = itertools.cycle((case, dice) for case in CASES.values() for dice in ("verified", "typed"))
    while total < comparisons:
        case, dice = next(kinds)
        done, differing = compare(case, dice, max(100, comparisons // 10), seed)
        total += done
        found += [f"{case.game}, {dice}, seed {seed}: {each}" for each in differing]
        print(f"{case.game}, {dice} dice, seed {seed}: {done} comparisons, {len(differing)} differences", flush=True)
        seed += 1
    print(f"secrets: {total} comparisons, {len(found)} differences")
    for each in found[:5]:
        print(each)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))

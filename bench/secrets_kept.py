"""Non-interference: twin games that differ in one secret only, compared answer by answer with the other's eyes.

python -m bench.secrets_kept [comparisons]
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fastapi.testclient import TestClient

from salient.kernel import CHANCE, OVER, candidates, legal
from salient.server import Settings, create_app
from salient.server.limits import Allowance

MOST_PLIES = 1500
OFTEN = "1000000/second"
LOOKS = ("", "/log", "/replay", "/dice", "/report", "/record", "/chat", "/why?action=end", "/preview?action=end")
VOLATILE = re.compile(r'"(created|changed)":\s*[0-9.]+')


@dataclass(frozen=True)
class Case:
    """A game with a secret: who has it, and the two ways to choose it."""

    game: str
    keeper: str
    other: str
    choices: tuple[str, str]
    options: dict[str, str]


CASES = {
    "deadly-woods": Case("deadly-woods", "german", "allied", ("choose 5pz", "choose 6pz"), {}),
}


class Twin:
    """One of the two games, with both players."""

    def __init__(self, stack: ExitStack, case: Case, dice: str) -> None:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        allowance = Allowance(OFTEN, OFTEN, OFTEN, OFTEN, OFTEN, OFTEN)
        app = create_app(Settings(data, host="0.0.0.0", thinkers=0, allowance=allowance))
        self.client = stack.enter_context(TestClient(app, base_url="http://127.0.0.1:8044"))
        order = {"game": case.game, "dice": dice, "options": case.options}
        with patch("secrets.token_urlsafe", _constant), patch("secrets.token_hex", lambda n: "5a" * n):
            started = self.client.post("/api/games", json=order).json()
        self.id = started["id"]
        self.tokens = {case.keeper: started["token"]}
        with patch("secrets.token_urlsafe", lambda n: "invitation"):
            body = {"seat": case.other}
            self.client.post(f"/api/games/{self.id}/invitations", json=body, headers=self._as(case.keeper))
        with patch("secrets.token_urlsafe", lambda n: "guest"):
            joined = self.client.post(f"/api/games/{self.id}/join", json={"invitation": "invitation"})
        self.tokens[case.other] = joined.json()["token"]

    def play_until(self, choice: str, seed: int) -> bool:
        """Play at random, in memory and then kept, until a choice is offered; whether it was."""
        chance = random.Random(seed)
        with self.client.app.state.table.playing(self.id) as live:  # type: ignore[attr-defined]
            table = self.client.app.state.table  # type: ignore[attr-defined]
            while live.actor != OVER and live.ply < MOST_PLIES:
                if live.game.read(choice) in legal(live.session.state):
                    return True
                if live.actor == CHANCE:
                    faces = [chance.randint(1, sides) for sides in live.dice_needed]
                    table.commit(live, live.seen, lambda faces=faces: live.roll_typed(faces))
                else:
                    action = live.game.write(chance.choice(candidates(live.session.state)))
                    table.commit(live, live.seen, lambda action=action: live.act(live.actor, action))
        return False

    def _as(self, seat: str) -> dict[str, str]:
        return {"X-Salient-Token": self.tokens[seat]}

    def get(self, path: str, seat: str) -> str:
        """An answer without what differs by the clock."""
        answer = self.client.get(f"/api/games/{self.id}{path}", headers=self._as(seat))
        return f"{answer.status_code} {VOLATILE.sub('', answer.text)}"

    def snapshot(self, seat: str) -> dict[str, Any]:
        """The position for a seat."""
        return dict(self.client.get(f"/api/games/{self.id}", headers=self._as(seat)).json())

    def act(self, seat: str, body: dict[str, Any]) -> str:
        """Submit, and what the answer was."""
        answer = self.client.post(f"/api/games/{self.id}/actions", json=body, headers=self._as(seat))
        return f"{answer.status_code} {VOLATILE.sub('', answer.text)}"


def _constant(_: int = 0) -> str:
    return "the-same-name"


def compare(
    case: Case, dice: str, comparisons: int, seed: int = 1, looks: tuple[str, ...] = LOOKS
) -> tuple[int, list[str]]:
    """Play both games alike but for the secret; how many answers were compared after it, and which differed."""
    chance = random.Random(seed)
    differing: list[str] = []
    done, chosen = 0, False
    with ExitStack() as stack:
        twins = [Twin(stack, case, dice) for _ in case.choices]
        with patch("salient.server.live.ServerDice", _seeded(seed)):
            reached = [twin.play_until(case.choices[0], seed) for twin in twins]
        assert all(reached), "the secret was never chosen"
        while done < comparisons:
            keeper = [twin.snapshot(case.keeper) for twin in twins]
            if keeper[0]["actor"] == "over" or keeper[0]["actor"] != keeper[1]["actor"]:
                break
            for look in looks if chosen else ():
                answers = [twin.get(look, case.other) for twin in twins]
                done += 1
                if answers[0] != answers[1]:
                    differing.append(f"{look} at ply {keeper[0]['ply']}")
            stepped = _step(case, twins, keeper, chance, differing)
            chosen = chosen or stepped == "secret"
            if differing or not stepped:
                break
    return done, differing


def _step(
    case: Case, twins: list[Twin], keeper: list[dict[str, Any]], chance: random.Random, differing: list[str]
) -> str:
    """One action in both games: the secret where it is chosen, else the same; nothing when that is not possible."""
    seat = keeper[0]["actor"]
    bodies: list[dict[str, Any]]
    if keeper[0]["dice"]["needed"]:
        faces = [chance.randint(1, sides) for sides in keeper[0]["dice"]["needed"]]
        bodies, seat = [{"faces": faces}] * 2, case.other
    else:
        lists = [{action["text"] for action in twin.snapshot(seat)["legal"]} for twin in twins]
        if all(choice in both for choice, both in zip(case.choices, lists, strict=True)):
            bodies = [{"action": choice} for choice in case.choices]
        else:
            common = sorted(lists[0] & lists[1])
            if not common:
                return ""
            bodies = [{"action": chance.choice(common)}] * 2
    with patch("salient.server.live.ServerDice", _seeded(chance.random())):
        answers = [twin.act(seat, {"seen": k["seen"], **b}) for twin, k, b in zip(twins, keeper, bodies, strict=True)]
    if seat == case.other and answers[0] != answers[1]:
        differing.append(f"the answer to {bodies[0]}")
    return "secret" if bodies[0] != bodies[1] else "alike"


def _seeded(seed: float) -> Any:
    from salient.kernel import SeededDice

    return lambda: SeededDice(str(seed))


def main(comparisons: int = 5000) -> None:
    """Compare until there are enough, and say how it went."""
    total, found, seed = 0, [], 0
    while total < comparisons:
        seed += 1
        for dice in ("verified", "typed"):
            done, differing = compare(CASES["deadly-woods"], dice, comparisons // 10, seed)
            total += done
            found += differing
    print(f"secrets: {total} comparisons, {len(found)} differences {found[:5]}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))

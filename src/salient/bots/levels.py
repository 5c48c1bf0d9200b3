"""What a computer player is called: a level, perhaps a persona and a strength: `captain/bold`, `planner@60`."""

from __future__ import annotations

import re
from typing import NamedTuple

from salient.bots.captain import Captain
from salient.bots.exploits import SCRIPTS
from salient.bots.general import General
from salient.bots.greedy import Greedy
from salient.bots.personas import PLAIN, personas
from salient.bots.planner import Planner
from salient.bots.player import FULL, Player
from salient.bots.randomly import Random

PLAYERS: dict[str, type[Player]] = {
    "random": Random,
    "greedy": Greedy,
    "captain": Captain,
    "planner": Planner,
    "general": General,
    **SCRIPTS,
}
DEFAULT = "captain"  # for whoever names none
WRITTEN = re.compile(r"([a-z]+)(?:/([a-z]+))?(?:@(\d{1,3}))?")


class Level(NamedTuple):
    """A kind of player, its persona, and its strength in per cent."""

    name: str
    persona: str = PLAIN
    strength: int = FULL


def read_level(text: str) -> Level | None:
    """The level that a text names; None if there is none."""
    match = WRITTEN.fullmatch(text)
    if not match or match[1] not in PLAYERS:
        return None
    level = Level(match[1], match[2] or PLAIN, int(match[3] or FULL))
    return level if level.persona in personas() and 1 <= level.strength <= FULL else None


LEVELS = (
    "random",
    "greedy",
    DEFAULT,
    *(f"{DEFAULT}/{persona}" for persona in personas() if persona != PLAIN),
    "planner",
    "general",
)

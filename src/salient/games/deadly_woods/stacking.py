"""The Deadly Woods: chapter 6, stacking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from salient.common.sides import ALLIED, SideFrame
from salient.common.stacks import occupied, units_at
from salient.games.deadly_woods.model import (
    ASSET_FORCE,
    BOX,
    CORPS,
    DELAY,
    ELIMINATED,
    ENGINEERS,
    FORMATION,
    HEXES,
    NATION,
    SIDE,
    WoodsState,
    take_off,
)
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink


@lru_cache(maxsize=1 << 14)
def refuse_stack(units: tuple[int, ...], engineer_corps: str = "") -> Refusal | None:
    """Why units may not be together in a hex: a division and one more; one nation; one US corps [6, 6.1]."""
    counts: dict[str, int] = {}
    for u in units:
        counts[FORMATION[u]] = counts.get(FORMATION[u], 0) + 1
    if len(units) - max(counts.values(), default=0) > 1:
        return Refusal("6", "division-and-one")
    return refuse_mixture(units, engineer_corps)


@lru_cache(maxsize=1 << 14)
def refuse_mixture(units: tuple[int, ...], engineer_corps: str = "") -> Refusal | None:
    """Why units may not mix: one nation, one US corps; those without a corps go with any [6.1]."""
    nations, corps = {NATION[u] for u in units}, {engineer_corps, *(CORPS[u] for u in units)}
    if len(nations) > 1:
        return Refusal("6.1", "british-and-us")
    if len(corps - {""}) > 1:
        return Refusal("6.1", "two-corps")
    return None


def engineer_at(s: WoodsState, h: int) -> int:
    """The engineer asset in a hex, -1 if there is none."""
    return next((a for a in ENGINEERS if s.asset[a] == h), -1)


def corps_at(s: WoodsState, h: int) -> str:
    """The corps of the engineers in a hex, empty if there are none."""
    engineer = engineer_at(s, h)
    return ASSET_FORCE[engineer] if engineer >= 0 else ""


def _with_those_at(s: WoodsState, u: int, h: int) -> tuple[int, ...]:
    """A unit and its friends in a hex, from which the US Delay gives way [6.3.1]."""
    return (*(x for x in units_at(s, h) if x not in (u, DELAY) and SIDE[x] == SIDE[u]), u)


def refuse_joining(s: WoodsState, u: int, h: int, others: tuple[int, ...] = ()) -> Refusal | None:
    """Why a unit may not end in a hex beside those that are there and others that come with it [6, 6.1]."""
    return refuse_stack((*_with_those_at(s, u, h), *others), corps_at(s, h) if SIDE[u] == ALLIED else "")


def refuse_mixing(s: WoodsState, u: int, h: int) -> Refusal | None:
    """Why a unit may not even pass through a hex in retreat: nations and corps do not mix [6.2]."""
    return refuse_mixture(_with_those_at(s, u, h), corps_at(s, h) if SIDE[u] == ALLIED else "")


def barred_by_engineers(s: WoodsState, u: int) -> int:
    """The hexes that a unit may pass but not end in, as bits: those with engineers of another corps [6.1]."""
    if SIDE[u] != ALLIED:
        return 0
    there = [a for a in ENGINEERS if s.asset[a] < HEXES and refuse_mixture((u,), ASSET_FORCE[a])]
    return mask_of(s.asset[a] for a in there)


def displace_delay(s: WoodsState, h: int, out: Sink) -> None:
    """The US Delay goes back to its box when an Allied unit enters its hex [6.3.1]."""
    if s.where[DELAY] == h:
        take_off(s, DELAY, BOX)
        out("6.3.1", "delay-returns", unit=DELAY, hex=h)


# ---- 6.2 Enforcement ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stacking(AutoFrame):
    """Stacking limits hold at the end of a movement round, and after retreats."""

    side: int

    def run(self, s: WoodsState, out: Sink) -> None:
        for h in bits(occupied(s, self.side)):
            units = units_at(s, h)
            if refuse_stack(units, corps_at(s, h) if self.side == ALLIED else ""):
                s.push(Overstack(self.side, h))
                return
        s.pop()


@dataclass(frozen=True, slots=True)
class Overstack(SideFrame):
    """The owner chooses a unit to eliminate; asked again until the hex is within the limits."""

    hex: int

    def legal(self, s: WoodsState) -> list[Action]:
        return [("remove", u) for u in units_at(s, self.hex)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        u = int(action[1])
        take_off(s, u, ELIMINATED)
        out("6.2", "removed-overstacked", unit=u, hex=self.hex)
        s.pop()

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("6.2", "remove-excess", hex=self.hex, units=units_at(s, self.hex))

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "remove":
            return [Refusal("6.2", "remove-from-that-hex", unit=int(action[1]), hex=self.hex)]
        return [Refusal("6.2", "remove-first", hex=self.hex)]

"""What a decision did, in sentences about places and units: taken, cut off, relieved, lost; and what weighed for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salient.bots.opinion import Reasons
from salient.kernel import AnyGame, Prompt, Seat, State

MOST_UNITS = 6
MOST_WEIGHTS = 2


def deeds(game: AnyGame, before: State, after: State, seat: Seat) -> list[Prompt]:
    """How two positions differ for a seat, as far as its game tells how it stands."""
    was, now = game.view.situation(before), game.view.situation(after)
    if not was or not now:
        return []
    side = game.view.observe(after, seat).get("command", {}).get(seat, seat)
    return [*_taken(game, was, now, side), *_cut_off(game, was, now, side), *_lost(was, now, side)]


def _taken(game: AnyGame, was: dict[str, Any], now: dict[str, Any], side: Seat) -> list[Prompt]:
    held = {prize["place"]: prize["side"] for prize in was["prizes"]}
    changed = [prize for prize in now["prizes"] if held.get(prize["place"], prize["side"]) != prize["side"]]
    won = [prize["place"] for prize in changed if prize["side"] == side]
    given = [prize["place"] for prize in changed if prize["side"] != side]
    return [*_about(game, "deed-takes", "hex", won), *_about(game, "deed-gives-up", "hex", given)]


def _cut_off(game: AnyGame, was: dict[str, Any], now: dict[str, Any], side: Seat) -> list[Prompt]:
    said: list[Prompt] = []
    for each in now["forces"]:
        before, after = ({*told["forces"][each]["cut_off"]} for told in (was, now))
        cut, freed = sorted(after - before), sorted(before - after)
        if each == side:
            said += [*_about(game, "deed-relieves", "unit", freed), *_about(game, "deed-strays", "unit", cut)]
        else:
            said += _about(game, "deed-cuts-off", "unit", cut)
    return said


def _lost(was: dict[str, Any], now: dict[str, Any], side: Seat) -> list[Prompt]:
    said = []
    for each in now["forces"]:
        n = now["forces"][each]["lost_steps"] - was["forces"][each]["lost_steps"]
        if n > 0:
            said.append(Prompt("", "deed-loses" if each == side else "deed-kills", n=n))
    return said


def _about(game: AnyGame, key: str, kind: str, names: list[str]) -> list[Prompt]:
    values = tuple(int(game.notation.kinds[kind].read(name)) for name in names[:MOST_UNITS])
    if not values:
        return []
    return [Prompt("", key, hexes=values) if kind == "hex" else Prompt("", key, units=values)]


def weighed(reasons: Iterable[tuple[str, float]]) -> list[Prompt]:
    """What spoke for a decision and what against it, the weightiest first."""
    kept: Reasons = list(reasons)
    said = []
    for key, sign in (("weighed-for", 1), ("weighed-against", -1)):
        words = tuple(name for name, gain in kept if gain * sign > 0)[:MOST_WEIGHTS]
        if words:
            said.append(Prompt("", key, words=words))
    return said

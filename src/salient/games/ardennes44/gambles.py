"""Ardennes '44: the exact chances of a firefight (16.2), a determined defence (16.7) and a disengagement (20.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salient.common.odds import (
    ADVANCE,
    CLEARED,
    ENGAGED,
    HOLDS,
    Face,
    Way,
    Ways,
    by_share,
    chance_of,
    die_outcomes,
    to_the_end,
)
from salient.common.stacks import units_at
from salient.games.ardennes44.advances import refuse_entering
from salient.games.ardennes44.components import Ground, roll
from salient.games.ardennes44.disengagement import disengagement_modifier
from salient.games.ardennes44.losses import lose_step, total_steps
from salient.games.ardennes44.model import ArdennesState, steps_left
from salient.games.ardennes44.results import (
    FIREFIGHT_RETREAT,
    RETREATS,
    firefight_modifier,
    may_evade,
    refuse_lead,
    refuse_stand,
    stand_result,
)
from salient.games.ardennes44.retreats import paths, refuse_survival, surroundings
from salient.games.ardennes44.strengths import Battle, bonus, shifting_armor
from salient.hexes.sets import Group, UnitId
from salient.kernel import Refusal
from salient.kernel.messages import ignore_events

DICE = range(1, 7)
LOSSES = {
    "A1": (1, 0), "A1/ENG": (1, 0), "A1/DR2": (1, 0), "A1/D1": (1, 1), "EX": (1, 1), "D1": (0, 1), "DS": (0, 1),
}  # fmt: skip


def result_face(s: ArdennesState, h: int, result: str) -> Face:
    """What a result of the combat or firefight table means: losses of both sides, and whether the hex is cleared."""
    own, enemy = LOSSES.get(result, (0, 0))
    retreats = result in RETREATS or result in ("D1", "A1/D1", "A1/DR2")
    return Face(result, own, enemy, retreats or bool(enemy and total_steps(s, units_at(s, h)) == 1))


# ---- 16.2 Firefight -------------------------------------------------------------------------------------


def firefight_faces(s: ArdennesState, b: Battle, lead: UnitId, added: int) -> list[Face]:
    """What each face of the die means if a unit leads."""
    modifier = added + firefight_modifier(s, b, lead)
    return [result_face(s, b.hex, roll(s.tables, "firefight", die + modifier)) for die in DICE]


def firefight_view(s: ArdennesState, b: Battle, lead: UnitId, added: int) -> dict[str, Any]:
    """The odds of a firefight that a unit leads."""
    modifier = added + firefight_modifier(s, b, lead)
    odds = _gamble(
        s.ground, b.hex, firefight_faces(s, b, lead, added), Refusal("16.2.1", "die-modified", n_added=modifier)
    )
    return odds | to_the_end(Forecast(s, b).firefight(lead, added))


# ---- 16.7 Determined defence ----------------------------------------------------------------------------


def stand_faces(s: ArdennesState, h: int, lead: UnitId) -> list[Face]:
    """What each face of the die means if a unit leads the defence."""
    last_step = total_steps(s, units_at(s, h)) == 1
    results = [stand_result(s.tables, die + s.units.morale[lead] - bonus(s, h)) for die in DICE]
    return [
        Face(f"stand-{result}", int(result == "yes-ex"), int(result != "no"), last_step or not result.startswith("yes"))
        for result in results
    ]


def stand_view(s: ArdennesState, b: Battle, lead: UnitId) -> dict[str, Any]:
    """The odds of a determined defence that a unit leads."""
    added = s.units.morale[lead] - bonus(s, b.hex)
    odds = _gamble(s.ground, b.hex, stand_faces(s, b.hex, lead), Refusal("16.7.2", "die-modified", n_added=added))
    return odds | to_the_end(Forecast(s, b).stand(s, lead, 0))


# ---- 20.2 Disengagement -----------------------------------------------------------------------------------


def disengagement_view(s: ArdennesState, u: UnitId) -> dict[str, Any]:
    """The chances of a unit to get away."""
    modifier = disengagement_modifier(s, u)
    faces = [Face(f"disengage-{roll(s.tables, 'disengage', die + modifier)}", 0, 0, False) for die in DICE]
    odds = _gamble(s.ground, s.where[u], faces, Refusal("20.2", "die-modified", n_added=modifier))
    return {key: value for key, value in odds.items() if key not in ("cleared", "expected")}


# ---- a combat to its end ------------------------------------------------------------------------------------


class Forecast:
    """What becomes of a combat between these units if both sides do what keeps or clears the hex most often."""

    def __init__(self, s: ArdennesState, b: Battle) -> None:
        self.s = s
        self.battle = b
        self.known: dict[str, Way] = {}

    def ways(self, results: Iterable[str]) -> Ways:
        """What the six results of a column or of a firefight lead to."""
        return by_share([self.way(result) for result in results])

    def way(self, result: str) -> Way:
        """What a result of the combat or firefight table leads to [16.1, 16.2.2]."""
        if result not in self.known:
            self.known[result] = self._pressed(result) if result in ("FF", "FF+1") else self._told(result)
        return self.known[result]

    def _told(self, result: str) -> Way:
        own, enemy = LOSSES.get(result, (0, 0))
        s, h = self.s, self.battle.hex
        if result in ("DS", "D1", "A1/D1") and may_evade(s, h):
            return Way(result, own, 0, self._emptied(own))  # 21.4
        after = _with_loss(s, h) if enemy else s
        if not units_at(after, h):
            losers = shifting_armor(s, self.battle) if result == "EX" else ()
            return Way(result, own, enemy, self._emptied(own, losers))
        if result in ("DR2", "D1", "A1/D1", "A1/DR2"):
            return self._held_or_left(after, result)
        if result in RETREATS:
            return Way(result, own, enemy + lost_in_retreat(after, h, RETREATS[result][0]), self._emptied(own))
        return Way(result, own, enemy, ENGAGED if result in ("EX", "ENG", "A1/ENG", "ENG+") else HOLDS)

    def _pressed(self, result: str) -> Way:
        """A firefight, led by the unit with the best prospects; without any the defender is engaged [16.2.1]."""
        leads = [u for u in self.battle.units if refuse_lead(self.s, u, self.battle) is None]
        if not leads:
            return Way(result, 0, 0, ENGAGED)
        tries = {u: self.firefight(u, int(result == "FF+1")) for u in leads}
        best = max(leads, key=lambda u: chance_of(tries[u], ADVANCE))
        return Way(result, 0, 0, "", self.s.units.ids[best], tries[best])

    def firefight(self, lead: UnitId, added: int) -> Ways:
        """What a firefight leads to that a unit leads."""
        modifier = added + firefight_modifier(self.s, self.battle, lead)
        return self.ways(roll(self.s.tables, "firefight", die + modifier) for die in DICE)

    def _held_or_left(self, after: ArdennesState, result: str) -> Way:
        """The best stand of the defender after the losses of the result; a retreat where no stand can hold [16.7]."""
        own, enemy = LOSSES.get(result, (0, 0))
        h = self.battle.hex
        leads = [u for u in units_at(after, h) if refuse_stand(after, u) is None]
        tries: dict[int, Ways] = {u: self.stand(after, u, own) for u in leads}
        best = max(leads, key=lambda u: chance_of(tries[u], ENGAGED), default=-1)
        if best < 0 or not chance_of(tries[best], ENGAGED):
            return Way(result, own, enemy + lost_in_retreat(after, h, FIREFIGHT_RETREAT), self._emptied(own))
        return Way(result, own, enemy, "", after.units.ids[best], tries[best])

    def stand(self, s: ArdennesState, lead: UnitId, spent: int) -> Ways:
        """What a determined defence leads to that a unit leads; `spent`: steps that the attacker has lost [16.7.3]."""
        added = s.units.morale[lead] - bonus(s, self.battle.hex)
        return by_share([self._stood(s, lead, spent, stand_result(s.tables, die + added)) for die in DICE])

    def _stood(self, s: ArdennesState, lead: UnitId, spent: int, result: str) -> Way:
        alive = total_steps(self.s, self.battle.units) > spent
        own, enemy = int(result == "yes-ex" and alive), int(result != "no")
        after = s.clone()
        if enemy:
            lose_step(after, lead, "16.7.3", ignore_events)
        if result.startswith("yes") and units_at(after, self.battle.hex):
            return Way(f"stand-{result}", own, enemy, ENGAGED)
        lost = lost_in_retreat(after, self.battle.hex, FIREFIGHT_RETREAT)
        return Way(f"stand-{result}", own, enemy + lost, self._emptied(spent + own))

    def _emptied(self, own: int, losers: Group = ()) -> str:
        """How a combat ends in which the hex is left: entered if an attacker survives that may enter [19.1].

        Losses fall on `losers`, if there are any [16.3], else on any of the attackers.
        """
        s, b = self.s, self.battle
        able = {u for u in (*b.units, *b.followers) if refuse_entering(s, u, b.hex) is None}
        pool = losers or b.units
        if total_steps(s, pool) <= own:
            able.difference_update(pool)
        return ADVANCE if able else CLEARED


def _with_loss(s: ArdennesState, h: int) -> ArdennesState:
    """The position after the defender has lost a step, from a unit that lives on if there is one."""
    after = s.clone()
    units = units_at(s, h)
    lose_step(after, max(units, key=lambda u: (total_steps(s, (u,)) > 1, not _may_stand(s, u))), "16.3", ignore_events)
    return after


def _may_stand(s: ArdennesState, u: UnitId) -> bool:
    return refuse_stand(s, u) is None


def lost_in_retreat(s: ArdennesState, h: int, length: int) -> int:
    """The steps of a hex that do not survive a retreat: no way, or no order, supply or tractor for it [17.2]."""
    units = units_at(s, h)
    lost = [u for u in units if refuse_survival(s, u, length) or not _has_way(s, u, units, length)]
    return sum(steps_left(s, u) for u in lost)


def _has_way(s: ArdennesState, u: UnitId, fleeing: Group, length: int) -> bool:
    return next(paths(s, u, surroundings(s, u, fleeing), length), None) is not None


def _gamble(ground: Ground, h: int, faces: list[Face], modifier: Refusal) -> dict[str, Any]:
    """One die and its meaning, in the shape of the odds of an attack."""
    shifts = [modifier.as_json()] if modifier.args["n_added"] else []
    return {"target": ground.board.labels[h], "attackers": [], "defenders": [], "shifts": shifts, **die_outcomes(faces)}

"""Battle of the Bulge: what becomes of units that were hit. Rules 6.10 and 6.11."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.games.bulge.components import COMBAT_KINDS, KINDS, SEATS
from salient.games.bulge.model import STACK_LIMIT, BulgeState, fighting, put, room, seat_of, stack_size, zone_of_control
from salient.hexes.masks import bits
from salient.hexes.sets import HexId, UnitId
from salient.kernel import Action, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink, ignore_events

Pool = tuple[int, int, int]  # infantry, tanks, artillery


def changed(pool: Pool, kind: int, n: int) -> Pool:
    """A pool with another number of a kind."""
    infantry, tanks, guns = (n if each == kind else left for each, left in enumerate(pool))
    return infantry, tanks, guns


# ---- 6.10 Destruction ------------------------------------------------------------------------------------------


def destroy(s: BulgeState, side: int, kind: int, h: int, n: int, rule: str, out: Sink) -> None:
    """Take pieces out of the game."""
    put(s, side, kind, h, -n)
    out(rule, "destroyed", word_side=SEATS[side], word_kind=KINDS[kind], n=n, hex=h)


# ---- 6.11 Retreats --------------------------------------------------------------------------------------------


def refuse_retreat(s: BulgeState, side: int, kind: int, h: HexId, to: int) -> Refusal | None:
    """Why a piece cannot retreat from a hex to another."""
    if not s.ground.whole >> to & 1:
        return Refusal("6.11", "partial-hex", hex=to)
    if not s.ground.around[h] >> to & 1:
        return Refusal("6.11", "retreat-one-hex", hex=to)
    if fighting(s, 1 - side) >> to & 1:
        return Refusal("6.11", "enemy-in-hex", hex=to)
    if zone_of_control(s, 1 - side) >> to & 1:
        return Refusal("6.11", "retreat-into-zone", hex=to)
    if not s.ground.steps[kind][h] >> to & 1:
        return Refusal("6.11", "retreat-over-river", hex=to)
    if not room(s, side, kind, to):
        return Refusal("6.11", "retreat-hex-full", hex=to)
    return None


def retreat_hexes(s: BulgeState, side: int, kind: int, h: HexId) -> list[int]:
    """The hexes to which a piece can retreat, ascending."""
    enemies = fighting(s, 1 - side)
    open_hexes = s.ground.steps[kind][h] & ~enemies & ~zone_of_control(s, 1 - side)
    return [to for to in bits(open_hexes) if room(s, side, kind, to)]


def retreat_all(s: BulgeState, side: int, h: HexId, pool: Pool, out: Sink) -> None:
    """Retreat pieces: at once where there is no choice, destroyed where there is no way."""
    for kind in COMBAT_KINDS:
        if pool[kind] and not retreat_hexes(s, side, kind, h):
            destroy(s, side, kind, h, pool[kind], "6.11", out)
            pool = changed(pool, kind, 0)
    frame = Retreat(side, h, pool, ())
    if frame.is_free(s):
        s.push(frame)
        return
    for kind, (to,) in frame.hexes(s).items():
        saved = min(pool[kind], room(s, side, kind, to))
        retreat(s, side, kind, h, to, saved, out)
        if saved < pool[kind]:
            destroy(s, side, kind, h, pool[kind] - saved, "6.11", out)


def retreat(s: BulgeState, side: int, kind: int, h: int, to: int, n: int, out: Sink) -> None:
    """Move pieces back one hex."""
    put(s, side, kind, h, -n)
    put(s, side, kind, to, n)
    out("6.11", "retreats", word_side=SEATS[side], word_kind=KINDS[kind], n=n, hex=h, hex_to=to)


@dataclass(frozen=True, slots=True)
class Retreat(Frame[BulgeState]):
    """The owner retreats pieces one by one, in any order, and is done when nobody else can; then the rest is lost."""

    side: int
    hex: HexId
    pool: Pool  # pieces that have yet to retreat
    back: tuple[UnitId, ...]  # the piles that pieces have retreated to, ascending, one entry a piece

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def hexes(self, s: BulgeState) -> dict[int, list[int]]:
        """By kind that has yet to retreat: where it can."""
        return {kind: retreat_hexes(s, self.side, kind, self.hex) for kind in COMBAT_KINDS if self.pool[kind]}

    def is_free(self, s: BulgeState) -> bool:
        """Whether there is anything to choose: several hexes for a kind, or kinds that want the same scarce room."""
        return self.is_scarce(s) or any(len(ways) > 1 for ways in self.hexes(s).values())

    def is_scarce(self, s: BulgeState) -> bool:
        """Whether a hex open to several kinds cannot take all units that retreat."""
        hexes = list(self.hexes(s).values())
        shared = {to for i, ways in enumerate(hexes) for to in ways if any(to in other for other in hexes[i + 1 :])}
        return any(STACK_LIMIT - stack_size(s, self.side, to) < sum(self.pool) for to in shared)

    def legal(self, s: BulgeState) -> list[Action]:
        return [*(self._retreats(s) or [("done",)]), *(("drop", pile) for pile in sorted(set(self.back)))]

    def candidates(self, s: BulgeState) -> list[Action]:
        return self._in_order(s) or self._retreats(s) or [("done",)]

    def _retreats(self, s: BulgeState) -> list[Action]:
        hexes = self.hexes(s)
        piles = s.units.piles
        return [("retreat", piles[self.side][kind][self.hex], to) for kind, ways in hexes.items() for to in ways]

    def _in_order(self, s: BulgeState) -> list[Action]:
        """Without scarce room the order changes nothing: kinds as on the strips, each to hexes in ascending order."""
        if self.is_scarce(s):
            return []
        units = s.units
        for kind, ways in self.hexes(s).items():
            last = max((units.place[pile] for pile in self.back if units.kind[pile] == kind), default=0)
            open_ways = [to for to in ways if to >= last]
            rooms = [room(s, self.side, kind, to) for to in open_ways]
            needed = min(self.pool[kind], sum(rooms))
            unit = units.piles[self.side][kind][self.hex]
            if open_ways:
                return [("retreat", unit, to) for i, to in enumerate(open_ways) if sum(rooms[i:]) >= needed]
        return []

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        units = s.units
        return tuple(
            ("retreat", units.piles[self.side][units.kind[pile]][self.hex], units.place[pile]) for pile in self.back
        )

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("retreat", UnitId(unit), int(to)):
                kind = s.units.kind[unit]
                pile = s.units.piles[self.side][kind][to]
                retreat(s, self.side, kind, self.hex, to, 1, ignore_events)
                left = changed(self.pool, kind, self.pool[kind] - 1)
                s.swap(replace(self, pool=left, back=tuple(sorted((*self.back, pile)))))
            case ("drop", UnitId(pile)):
                kind, back = s.units.kind[pile], list(self.back)
                back.remove(pile)
                put(s, self.side, kind, s.units.place[pile], -1)
                put(s, self.side, kind, self.hex, 1)
                s.swap(replace(self, pool=changed(self.pool, kind, self.pool[kind] + 1), back=tuple(back)))
            case _:
                s.pop()
                self._tell(s, out)

    def _tell(self, s: BulgeState, out: Sink) -> None:
        units = s.units
        for pile in sorted(set(self.back)):
            kind, n, to = units.kind[pile], self.back.count(pile), units.place[pile]
            out("6.11", "retreats", word_side=SEATS[self.side], word_kind=KINDS[kind], n=n, hex=self.hex, hex_to=to)
        for kind in COMBAT_KINDS:
            if self.pool[kind]:
                destroy(s, self.side, kind, self.hex, self.pool[kind], "6.11", out)

    def prompt(self, s: BulgeState) -> Prompt:
        hexes = tuple(sorted({to for ways in self.hexes(s).values() for to in ways}))
        if not hexes:
            return Prompt("6.11", "retreat-is-done", hex=self.hex)
        return Prompt("6.11", "choose-who-retreats", hex=self.hex, hexes=hexes, n=sum(self.pool))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("retreat", UnitId(unit), int(to)) if self._is_pending(s, unit) and to < s.ground.hexes:
                refusal = refuse_retreat(s, self.side, s.units.kind[unit], self.hex, to)
                return [refusal] if refusal else []
            case ("drop", UnitId(unit)):
                return [Refusal("6.11", "not-named", piece=unit)]
        if not self._retreats(s):
            return [Refusal("6.11", "retreat-is-done", hex=self.hex)]
        return [Refusal("6.11", "retreat-first", hex=self.hex)]

    def _is_pending(self, s: BulgeState, unit: UnitId) -> bool:
        return any(n and unit == s.units.piles[self.side][kind][self.hex] for kind, n in enumerate(self.pool))

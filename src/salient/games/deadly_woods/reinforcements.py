"""The Deadly Woods: 14.8, reinforcements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.naming import with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SEATS, SideFrame
from salient.common.stacks import occupied, put
from salient.games.deadly_woods.components import CHITS
from salient.games.deadly_woods.entering import take, watch_motor
from salient.games.deadly_woods.model import ALLIED_REINFORCEMENTS, WoodsState
from salient.games.deadly_woods.rounds import EndRound, armor_of, clear_round, push_combat, push_moves
from salient.games.deadly_woods.stacking import Stacking, displace_delay
from salient.games.deadly_woods.victory import turns_of
from salient.games.deadly_woods.zones import zone
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import Group, HexId, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink

SOUTH, NORTH = "ABCDE", "JIHGF"  # entry areas of the Allies, each further from the east edge than the one before
DETOUR_AREA = "D"
CONDITIONAL = ("10SS", "11Pz")  # 14.8.3
CONDITION_TURN = 3  # later they do not come at all [14.8.3]
AIR_SUPPLY_SLOT = (5, 2)  # 8.6

# ---- 14.8 Who comes where ---------------------------------------------------------------------------


def slot(s: WoodsState, side: int) -> tuple[int, int]:
    """The box of the track that the last reinforcement chit opened: turn, first or second."""
    return s.turn, s.reinforcements[side]


def due(s: WoodsState, side: int) -> list[UnitId]:
    """The units that come with the last reinforcement chit, those held up before included, ascending."""
    now = slot(s, side)
    return [u for u in s.units.of_side[side] if s.where[u] == s.ground.track and (0, 0) < s.units.arrival[u] <= now]


def open_hexes(s: WoodsState, u: UnitId, area: str) -> list[HexId]:
    """The hexes of an entry area that a unit can use: no enemy and no enemy zone; the British in their zone [9.3]."""
    closed = occupied(s, 1 - s.units.side[u]) | zone(s, 1 - s.units.side[u])
    hexes = mask_of(s.ground.area_hexes[area]) & ~closed
    return bits(hexes & s.ground.british_zone if s.units.nation[u] == "british" else hexes)


def entry_hexes(s: WoodsState, u: UnitId) -> list[HexId]:
    """Where a unit may enter now: its areas, or the next open one away from the east edge; ascending [14.8]."""
    areas = (DETOUR_AREA,) if s.detour >> u & 1 else s.units.entry[u]
    hexes = sorted({h for area in areas for h in open_hexes(s, u, area)})
    if hexes or s.units.side[u] == GERMAN:
        return hexes
    for area in _other_areas(areas[-1]):
        if found := open_hexes(s, u, area):
            return found
    return []


def _other_areas(area: str) -> str:
    """The Allied areas but one, away from the east edge and round the map; at last those nearer to the east."""
    line, other = (SOUTH, NORTH) if area in SOUTH else (NORTH, SOUTH)
    place = line.index(area)
    return line[place + 1 :] + other[::-1] + line[:place][::-1]


def may_detour(s: WoodsState, u: UnitId) -> bool:
    """Whether a III Corps unit may still choose to come by area D, one chit later [14.8.1]."""
    if s.units.corps[u] != "III" or s.detour >> u & 1 or DETOUR_AREA in s.units.entry[u]:
        return False
    return bool(s.cup[ALLIED_REINFORCEMENTS]) or s.hand == ALLIED_REINFORCEMENTS or _chits_to_come(s)


def _chits_to_come(s: WoodsState) -> bool:
    """Whether a later turn of the scenario brings Allied reinforcement chits [17]."""
    later = [s.tables.chits_of(turn, where) for turn in range(s.turn + 1, turns_of(s) + 1) for where in ("cup", "hand")]
    return any(chit == CHITS[ALLIED_REINFORCEMENTS] for chits in later for chit, _ in chits)


# ---- 14.8 The round -------------------------------------------------------------------------------------


def reinforcement_round(s: WoodsState, side: int, out: Sink) -> None:
    """Place all that is due, let it move, then let its armour attack."""
    clear_round(s)
    s.reinforcements[side] += 1
    if side == GERMAN:
        drop_conditional(s, out)
    s.push(EndRound(), Arrivals(side, tuple(due(s, side))))
    if side == ALLIED and slot(s, side) == AIR_SUPPLY_SLOT and s.asset[s.assets.air] == s.ground.box and air_hexes(s):
        s.push(PlaceAir())


def drop_conditional(s: WoodsState, out: Sink) -> None:
    """10th SS and 11th Panzer come on the second chit of turn 3 if their town is held, or never [14.8.3]."""
    towns = dict(zip(CONDITIONAL, (s.ground.st_vith, s.ground.bastogne), strict=True))
    for u in due(s, GERMAN):
        town = towns.get(s.units.division[u])
        if town is not None and not (s.turn == CONDITION_TURN and s.german_held >> town & 1):
            put(s, u, s.ground.gone)
            out("14.8.3", "not-released", unit=u, hex=town)


@dataclass(frozen=True, slots=True)
class Arrivals(AutoFrame[WoodsState]):
    """Brings in the units whose way is clear and asks for the others; then begins their movement and the combats of
    their armour."""

    side: int
    units: Group

    def run(self, s: WoodsState, out: Sink) -> None:
        choosing = tuple(u for u in self.units if has_choice(s, u))
        for u in self.units:
            if u not in choosing:
                if hexes := entry_hexes(s, u):
                    arrive(s, u, hexes[0], out)
                else:
                    out("14.8", "entry-closed", unit=u)
        s.swap(Stacking(self.side), Arrived(self.side))  # stacking at the end of the round, after the combats
        if choosing:
            s.push(Arrive(self.side, choosing, ()))


@dataclass(frozen=True, slots=True)
class Arrived(AutoFrame[WoodsState]):
    """Lets the units that have arrived move, then their armour attack."""

    side: int

    def run(self, s: WoodsState, out: Sink) -> None:
        s.pop()
        push_combat(s, self.side, armor_of(s, s.arrived))
        push_moves(s, self.side, s.arrived)


def has_choice(s: WoodsState, u: UnitId) -> bool:
    """Whether the owner decides how a unit comes in."""
    hexes = entry_hexes(s, u)
    return len(hexes) > 1 or (bool(hexes) and may_detour(s, u))


def arrive(s: WoodsState, u: UnitId, h: int, out: Sink) -> None:
    """Put a reinforcement on its entry hex; overstacking is allowed until the end of the round."""
    put(s, u, h)
    s.arrived |= 1 << u
    s.detour &= ~(1 << u)
    if s.units.division[u] == "5A" and h not in s.ground.area_hexes["J"]:
        s.fifth_free = 1
    if s.units.side[u] == ALLIED:
        displace_delay(s, h, out)
    take(s, s.units.side[u], h, out)
    watch_motor(s, out)
    out("14.8", "arrives", unit=u, hex=h)


@dataclass(frozen=True, slots=True)
class Arrive(SideFrame[WoodsState]):
    """The owner says in any order where his units come in, or that III Corps goes round by area D; `done` does it."""

    units: Group
    named: Group  # the units that stand on their entry hex or go round, ascending

    def left(self) -> list[UnitId]:
        """The units that have not been named yet."""
        return [u for u in self.units if u not in self.named]

    def legal(self, s: WoodsState) -> list[Action]:
        return [*self._entries(s, self.left()), *(("drop", u) for u in self.named)]

    def candidates(self, s: WoodsState) -> list[Action]:
        return self._entries(s, self.left()[:1])

    def _entries(self, s: WoodsState, units: list[UnitId]) -> list[Action]:
        if not units:
            return [("done",)]
        places: list[Action] = [("arrive", u, h) for u in units for h in entry_hexes(s, u)]
        return [*places, *(("detour", u) for u in units if may_detour(s, u))]

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return tuple(("detour", u) if s.where[u] == s.ground.track else ("arrive", u, s.where[u]) for u in self.named)

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("arrive", UnitId(u), int(h)):
                put(s, u, h)
                s.swap(replace(self, named=with_piece(self.named, u)))
            case ("detour", UnitId(u)):
                s.detour |= 1 << u
                s.swap(replace(self, named=with_piece(self.named, u)))
            case ("drop", UnitId(u)):
                if s.where[u] == s.ground.track:
                    s.detour &= ~(1 << u)
                put(s, u, s.ground.track)
                s.swap(replace(self, named=without_piece(self.named, u)))
            case _:
                s.pop()
                self._bring_in(s, out)

    def _bring_in(self, s: WoodsState, out: Sink) -> None:
        for u in self.named:
            if s.where[u] == s.ground.track:
                out("14.8.1", "goes-round", unit=u)
            else:
                arrive(s, u, s.where[u], out)

    def prompt(self, s: WoodsState) -> Prompt:
        units = tuple(self.left())
        return Prompt("14.8", "choose-entry", units=units) if units else Prompt("14.8", "entries-chosen")

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("arrive" | "detour", UnitId(u), *_) if u in self.named:
                return [Refusal("14.8", "entry-named-already", unit=u)]
            case ("arrive", UnitId(u), int(h)) if u in self.units:
                return [Refusal("14.8", "no-entry-there", unit=u, hex=h)]
            case ("detour", UnitId(u)) if u in self.units:
                return [Refusal("14.8.1", "no-detour", unit=u)]
            case ("drop", int(piece)):
                return [Refusal("14.8", "not-named", piece=piece)]
        left = tuple(self.left())
        return [Refusal("14.8", "arrive-first", units=left) if left else Refusal("14.8", "entries-chosen")]


# ---- 8.6 US air supply ----------------------------------------------------------------------------------------


def air_hexes(s: WoodsState) -> HexSet:
    """Allied towns and villages in clear ground, as bits."""
    return s.ground.settled & s.ground.clear & ~s.german_held & ~occupied(s, GERMAN)


@dataclass(frozen=True, slots=True)
class PlaceAir(Frame[WoodsState]):
    """Once in the game the Allies may place their air supply marker."""

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[ALLIED]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("pass",), *(("place", s.assets.air, h) for h in bits(air_hexes(s)))]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "place":
            s.asset[s.assets.air] = int(action[2])
            out("8.6", "asset-placed", asset=s.assets.air, hex=int(action[2]))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("8.6", "place-marker", asset=s.assets.air)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action[0] == "place" and action[1] == s.assets.air:
            return [Refusal("8.6", "no-place-for-marker", asset=s.assets.air, hex=int(action[2]))]
        return [Refusal("8.6", "place-marker-first", asset=s.assets.air)]

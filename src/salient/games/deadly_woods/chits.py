"""The Deadly Woods: chapter 14, the cup, the chits and their rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from salient.common.naming import without_piece
from salient.common.sides import ALLIED, GERMAN, SEATS, SideFrame
from salient.common.stacks import on_map, present
from salient.games.deadly_woods.components import ARMOR, CHITS, INFANTRY, MECHANIZED, Units
from salient.games.deadly_woods.model import (
    ALL_GERMAN,
    ALLIED_MC,
    ALLIED_REINFORCEMENTS,
    CHIT_SIDE,
    FORMATION_CHIT,
    GERMAN_MC,
    GERMAN_REINFORCEMENTS,
    ONE_ARMY,
    PATTON_MONTY,
    PZ5,
    PZ6,
    REACTION,
    SOME_ARMY,
    SUPPLY,
    WoodsState,
)
from salient.games.deadly_woods.movement_phase import Movement
from salient.games.deadly_woods.reinforcements import reinforcement_round
from salient.games.deadly_woods.rounds import EndRound, armor_of, clear_round, push_combat, push_movement, units_on_map
from salient.games.deadly_woods.supply import check_german_supply
from salient.games.deadly_woods.zones import units_in_army
from salient.hexes.masks import bits, units_of
from salient.hexes.sets import NO_UNITS, UnitSet
from salient.kernel import Action, AutoFrame, ChanceFrame, Frame, Prompt, Refusal, Roller, Seat
from salient.kernel.frames import TAKE_BACK
from salient.kernel.messages import Sink

IN_A_ROW = 2  # 14.2
REACTION_UNITS = 3  # 14.3.1
MOVE_PLAYED, COMBAT_PLAYED = 1, 2
FIRST_CHOICE = 4  # the turn from which the German chooses a panzer army [17]

# ---- 14.1, 17 Filling the cup -------------------------------------------------------------------------


def fill_cup(s: WoodsState) -> None:
    """Put the chits of the turn into the cup and the hand; a panzer army to be chosen is left to `offer_army`."""
    s.cup = [0] * len(CHITS)
    for chit, count in s.tables.chits_of(s.turn, "cup"):
        if chit in CHITS:
            s.cup[CHITS.index(chit)] += count
    held = s.tables.chits_of(s.turn, "hand")
    s.hand = CHITS.index(held[0][0]) if held else -1


def holds_both_towns(s: WoodsState) -> bool:
    """Whether the Germans control St. Vith and Bastogne [17]."""
    return bool(s.german_held >> s.ground.st_vith & 1 and s.german_held >> s.ground.bastogne & 1)


def offer_army(s: WoodsState) -> None:
    """Turn 4: one panzer army, both with both towns; turns 5 and 6: one, only with both towns [17]."""
    if s.turn == FIRST_CHOICE and holds_both_towns(s):
        s.cup[PZ5] = s.cup[PZ6] = 1
    elif s.turn == FIRST_CHOICE or (s.turn in (5, 6) and holds_both_towns(s)):
        s.push(ChooseArmy())


@dataclass(frozen=True, slots=True)
class ChooseArmy(Frame[WoodsState]):
    """The German chooses in secret which panzer army's chit goes into the cup."""

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[GERMAN]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("choose", PZ5), ("choose", PZ6)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        s.cup[int(action[1])] += 1
        out("17", "army-chosen")

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("17", "choose-army")

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [Refusal("17", "panzer-armies-only" if action[0] == "choose" else "choose-army-first")]


def army_is_secret(s: WoodsState) -> bool:
    """Whether the Allies cannot know which panzer army's chit is in the cup: one was chosen and is not drawn yet."""
    return s.turn >= FIRST_CHOICE and s.cup[PZ5] + s.cup[PZ6] == 1 and not {PZ5, PZ6} & set(s.track)


def shown_chit(s: WoodsState, chit: int) -> int:
    """A chit of the cup as both players know it: of an army chosen in secret only that it is one."""
    return SOME_ARMY if chit in (PZ5, PZ6) and army_is_secret(s) else chit


# ---- 5.1 The first chit ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstChit(SideFrame[WoodsState]):
    """The player with the initiative chooses the chit that opens the turn; supply checks are nobody's [4.3, 14.2]."""

    def choices(self, s: WoodsState) -> list[int]:
        """The chits of the side that are in the cup or in its hand."""
        return [c for c in range(len(CHITS)) if CHIT_SIDE[c] == self.side and (s.cup[c] or s.hand == c)]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("first", c) for c in self.choices(s)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        chit = int(action[1])
        if s.cup[chit]:
            s.cup[chit] -= 1
        else:
            s.hand = -1
        s.pop()
        play_chit(s, chit, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("5.1", "choose-first-chit")

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("first", int(chit)) if chit == SUPPLY:
                return [Refusal("14.2", "supply-check-is-nobodys")]
            case ("first", int(chit)):
                return [
                    Refusal("5.1", "chit-not-available" if CHIT_SIDE[chit] == self.side else "not-your-chit", chit=chit)
                ]
        return [Refusal("5.1", "first-chit-first")]


# ---- 14.2 Drawing ------------------------------------------------------------------------------------------


def drawable(s: WoodsState) -> list[int]:
    """The kinds of chits that may be drawn now: no third in a row for a side while the other has any in the cup."""
    kinds = [c for c in range(len(CHITS)) if s.cup[c]]
    last = [CHIT_SIDE[c] for c in s.track if CHIT_SIDE[c] >= 0][-IN_A_ROW:]
    if len(last) == IN_A_ROW and last[0] == last[1]:
        side = last[0]
        if any(CHIT_SIDE[c] == 1 - side for c in kinds):
            return [c for c in kinds if CHIT_SIDE[c] != side]
    return kinds


@dataclass(frozen=True, slots=True)
class Rounds(AutoFrame[WoodsState]):
    """Draws chits until the cup is empty and the Allies hold none."""

    def run(self, s: WoodsState, out: Sink) -> None:
        if any(s.cup):
            s.push(Draw())
        elif s.hand == REACTION:
            s.push(React(True))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Draw(ChanceFrame[WoodsState]):
    """A chit is drawn from the cup."""

    rolls_dice = False

    def outcomes(self, s: WoodsState) -> list[tuple[Action, Fraction]]:
        kinds = drawable(s)
        total = sum(s.cup[c] for c in kinds)
        return sorted((("draw", shown_chit(s, c)), Fraction(s.cup[c], total)) for c in kinds)

    def legal(self, s: WoodsState) -> list[Action]:
        return sorted(("draw", shown_chit(s, c)) for c in drawable(s))

    def sample(self, s: WoodsState, roller: Roller) -> Action:
        kinds = drawable(s)
        place = roller.die(sum(s.cup[c] for c in kinds))
        for c in kinds:
            place -= s.cup[c]
            if place <= 0:
                return ("draw", shown_chit(s, c))
        raise AssertionError("the cup is empty")

    def purpose(self, s: WoodsState) -> str:
        return "chit"

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        chit = int(action[1])
        if chit == SOME_ARMY:
            chit = PZ5 if s.cup[PZ5] else PZ6
        s.cup[chit] -= 1
        s.pop()
        out("14.1", "chit-drawn", chit=chit)
        if CHIT_SIDE[chit] == ALLIED and s.hand == ALLIED_REINFORCEMENTS:
            s.push(Held(chit))
        else:
            play_chit(s, chit, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("14.1", "draw-chit")


# ---- 14.8.2 The held reinforcement chit ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Held(Frame[WoodsState]):
    """The Allies may play the reinforcement chit that they hold instead of the one drawn, which goes back."""

    chit: int

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[ALLIED]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("pass",), ("swap",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        chit = self.chit
        if action[0] == "swap":
            s.cup[chit] += 1
            chit, s.hand = s.hand, -1
            out("14.8.2", "held-chit-played", chit=chit)
        elif not any(s.cup[c] for c in range(len(CHITS)) if CHIT_SIDE[c] == ALLIED):
            s.cup[s.hand] += 1
            out("14.8.2", "held-chit-into-cup", chit=s.hand)
            s.hand = -1
        play_chit(s, chit, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("14.8.2", "swap-chit", chit=self.chit)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [Refusal("14.8.2", "swap-or-pass")]


# ---- 14.3.1 to 14.9 The chits one by one ------------------------------------------------------------------------


def play_chit(s: WoodsState, chit: int, out: Sink) -> None:
    """Put a chit on the round track and begin its round."""
    s.track = (*s.track, chit)
    out("14.1", "chit-played", chit=chit)
    clear_round(s)
    if chit in (PZ5, PZ6):
        army_round(s, chit)
    elif chit == GERMAN_MC:
        german_mc(s, out)
    elif chit in (ALLIED_MC, ONE_ARMY, PATTON_MONTY):
        s.push(Mode(chit))
    elif chit == ALL_GERMAN:
        move_then_attack(s, GERMAN, units_on_map(s, GERMAN))
    elif chit == FORMATION_CHIT:
        if ChooseFormation(()).choices(s):
            s.push(ChooseFormation(()))
    elif chit == SUPPLY:
        check_german_supply(s, out)
    else:
        reinforcement_round(s, GERMAN if chit == GERMAN_REINFORCEMENTS else ALLIED, out)


def move_then_attack(s: WoodsState, side: int, units: UnitSet) -> None:
    """Units move, then all of them may attack [14.6, 14.7, 14.9]."""
    s.push(EndRound())
    push_combat(s, side, units)
    push_movement(s, side, units)


def army_round(s: WoodsState, chit: int) -> None:
    """All units in an army's zone move, then those that are armour attack [14.5]."""
    units = units_in_army(s, "5" if chit == PZ5 else "6")
    if s.hand == REACTION:
        s.push(React(False))
    s.push(EndRound())
    push_combat(s, GERMAN, armor_of(s, units))
    push_movement(s, GERMAN, units)


def german_mc(s: WoodsState, out: Sink) -> None:
    """The German plays one movement and one combat round a turn, in the order he likes [14.4]."""
    if s.mc_played:
        begin_mc(s, GERMAN, "combat" if s.mc_played == MOVE_PLAYED else "move", out)
    else:
        s.push(Mode(GERMAN_MC))


def begin_mc(s: WoodsState, side: int, mode: str, out: Sink) -> None:
    """A movement or a combat round of all units; on turn 1 armour has no extra for the Germans [14.3, 14.4]."""
    units = units_on_map(s, side)
    if side == GERMAN:
        s.mc_played |= MOVE_PLAYED if mode == "move" else COMBAT_PLAYED
    out("14.4", f"round-{mode}", seat=SEATS[side])
    s.push(EndRound())
    if mode == "move":
        if s.turn > 1:
            push_combat(s, side, armor_of(s, units), only_still=True)
        push_movement(s, side, units, demolitions=side == ALLIED)
    else:
        push_combat(s, side, units)
        if s.turn > 1:
            push_steps(s, side, units)


def push_steps(s: WoodsState, side: int, units: UnitSet) -> None:
    """Before the combats of a combat round armour away from the enemy may move one hex [14.4]."""
    push_movement(s, side, armor_of(s, units))
    s.swap(Movement(side, False, True))


MODES = {
    GERMAN_MC: ("combat", "move"),
    ALLIED_MC: ("combat", "move"),
    ONE_ARMY: ("army-5", "army-6", "army-7"),
    PATTON_MONTY: ("monty-combat", "monty-move", "patton"),
}


@dataclass(frozen=True, slots=True)
class Mode(Frame[WoodsState]):
    """A side chooses how it plays its chit."""

    chit: int

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[CHIT_SIDE[self.chit]]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("play", mode) for mode in MODES[self.chit]]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        mode = str(action[1])
        if mode in ("move", "combat"):
            begin_mc(s, CHIT_SIDE[self.chit], mode, out)
        elif mode.startswith("army-"):
            out("14.6", "army-activated", word_army=mode)
            move_then_attack(s, GERMAN, units_in_army(s, mode[-1]))
        elif mode == "patton":
            out("14.9", "patton")
            move_then_attack(s, ALLIED, _allies(s, "III"))
        else:
            out("14.9", mode)
            s.push(EndRound())
            units = _allies(s, "VII")
            if mode == "monty-move":
                push_movement(s, ALLIED, units)
            else:
                push_combat(s, ALLIED, units)

    @property
    def rule(self) -> str:
        """The rule of the chit."""
        return {ONE_ARMY: "14.6", PATTON_MONTY: "14.9"}.get(self.chit, "14.4")

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt(self.rule, "choose-mode", chit=self.chit)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [Refusal(self.rule, "mode-of-other-chit" if action[0] == "play" else "mode-first", chit=self.chit)]


def _allies(s: WoodsState, corps: str) -> UnitSet:
    """The units of a US corps on the map; with VII Corps Monty commands the British too [14.9]."""
    british = corps == "VII"
    return units_of(
        u
        for u in s.units.of_side[ALLIED]
        if on_map(s, u) and (s.units.corps[u] == corps or (british and s.units.nation[u] == "british"))
    )


# ---- 14.7 Three formations --------------------------------------------------------------------------------------

FORMATION_ORDER = (ARMOR, MECHANIZED, INFANTRY)


def formation_units(s: WoodsState, formation: str) -> UnitSet:
    """The units of a German formation on the map, as unit bits."""
    return present(s) & s.units.of_formation[formation]


def formation_kind(units: Units, i: int) -> int:
    """The place of a formation's kind in the order of the chit."""
    return FORMATION_ORDER.index(units.formation_kind[units.formations[i]])


@dataclass(frozen=True, slots=True)
class ChooseFormation(Frame[WoodsState]):
    """The German names one formation of each kind or less, in any order; another of a kind takes its place."""

    roles: ClassVar[Mapping[str, str]] = {**Frame.roles, "dismiss": TAKE_BACK}
    chosen: tuple[int, ...]  # in the order of the kinds

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[GERMAN]

    def choices(self, s: WoodsState) -> list[int]:
        """The formations with a unit on the map that have not been named."""
        return [i for i, name in enumerate(s.units.formations) if i not in self.chosen and formation_units(s, name)]

    def legal(self, s: WoodsState) -> list[Action]:
        cancel: list[Action] = [("cancel",)] if self.chosen else []
        dismiss: list[Action] = [("dismiss", i) for i in sorted(self.chosen)]
        return [*cancel, *dismiss, ("done",), *(("formation", i) for i in self.choices(s))]

    def candidates(self, s: WoodsState) -> list[Action]:
        last = max((formation_kind(s.units, i) for i in self.chosen), default=-1)
        return [("done",), *(("formation", i) for i in self.choices(s) if formation_kind(s.units, i) > last)]

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return tuple(("formation", i) for i in self.chosen)

    def units(self, s: WoodsState) -> UnitSet:
        """The units of the formations named so far, as unit bits."""
        units = NO_UNITS
        for i in self.chosen:
            units |= formation_units(s, s.units.formations[i])
        return units

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("formation", int(i)):
                by_kind = {formation_kind(s.units, x): x for x in (*self.chosen, i)}
                s.swap(ChooseFormation(tuple(by_kind[kind] for kind in sorted(by_kind))))
            case ("dismiss", int(i)):
                s.swap(ChooseFormation(without_piece(self.chosen, i)))
            case ("cancel",):
                s.swap(ChooseFormation(()))
            case _:
                s.pop()
                for i in self.chosen:
                    out("14.7", "formation-activated", formation=i)
                move_then_attack(s, GERMAN, self.units(s))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("14.7", "choose-formation", formations=self.chosen)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("dismiss", int(i)):
                return [Refusal("14.7", "formation-not-named", formation=i)]
            case ("formation", int(i)):
                key = "formation-named" if i in self.chosen else "formation-not-on-map"
                return [Refusal("14.7", key, formation=i)]
        return [Refusal("14.7", "formation-first")]


# ---- 14.3.1 Reaction ------------------------------------------------------------------------------------------------


def first_reaction(s: WoodsState, out: Sink) -> None:
    """Three Allied units move, none of the 2nd and 99th Divisions."""
    s.track = (*s.track, REACTION)
    out("14.3.1", "chit-played", chit=REACTION)
    clear_round(s)
    s.left = REACTION_UNITS
    s.push(EndRound())
    able = units_of(u for u in bits(units_on_map(s, ALLIED)) if s.units.division[u] not in ("2", "99"))
    push_movement(s, ALLIED, able)


def second_reaction(s: WoodsState, out: Sink) -> None:
    """Three Allied units move, or attack without moving if they are armour."""
    s.hand = -1
    s.track = (*s.track, REACTION)
    out("14.3.1", "chit-played", chit=REACTION)
    clear_round(s)
    s.left = REACTION_UNITS
    units = units_on_map(s, ALLIED)
    s.push(EndRound())
    push_combat(s, ALLIED, armor_of(s, units), only_still=True)
    push_movement(s, ALLIED, units)


@dataclass(frozen=True, slots=True)
class React(Frame[WoodsState]):
    """After a panzer army's round and at the end of turn 1 the Allies may play their second reaction."""

    last: bool

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[ALLIED]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("pass",), ("react",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "react":
            second_reaction(s, out)
        elif self.last:
            s.hand = -1

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("14.3.1", "react-or-wait")

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [Refusal("14.3.1", "react-or-pass")]

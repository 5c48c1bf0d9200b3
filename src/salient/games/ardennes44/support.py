"""Ardennes '44: support of a combat by guns (22.6 to 22.8), aircraft (15.6) and ruse (27.8.3), and its die (14.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from salient.common.naming import above, with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.games.ardennes44.air import luftwaffe_strikes
from salient.games.ardennes44.components import roll
from salient.games.ardennes44.model import ArdennesState, clear_weather
from salient.games.ardennes44.results import BattleFrame, apply_result
from salient.games.ardennes44.strengths import (
    MOST_GUNS,
    Battle,
    column_name,
    guns_for,
    odds,
    odds_now,
    refuse_gun,
    result_of,
    shifting_armor,
)
from salient.hexes.masks import mask_of
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, Prompt, Refusal, Seat
from salient.kernel.frames import TAKE_BACK, DieFrame
from salient.kernel.messages import Sink

# ---- 15.6, 22.7, 22.8, 27.8.3 Support -----------------------------------------------------------------------------


def ask_support(s: ArdennesState, b: Battle, attacking: bool, out: Sink) -> None:
    """Ask a side for its support if it has any to offer; then the defender; then fighter-bombers; then the die."""
    frame = Support(b, int(attacking), ())
    if frame.has_choice(s):
        s.push(frame)
    elif attacking:
        ask_support(s, b, False, out)
    else:
        call_jabos(s, b, out)


@dataclass(frozen=True, slots=True)
class Support(BattleFrame):
    """A side names guns, aircraft, or tries a ruse: first the attacker, then the defender; `resolve` fires them."""

    roles: ClassVar[Mapping[str, str]] = {**BattleFrame.roles, "ground": TAKE_BACK}
    attacking: int
    barrage: Group  # the gun that the defender has named [22.8]

    @property
    def owner(self) -> int:
        """The side that is asked."""
        return self.side if self.attacking else 1 - self.side

    @property
    def named(self) -> Group:
        """The guns named so far."""
        return self.battle.guns if self.attacking else self.barrage

    @property
    def flies(self) -> bool:
        """Whether the side that is asked has named aircraft: only the attacker does."""
        return bool(self.attacking and self.battle.air)

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[self.owner]

    def choices(self, s: ArdennesState) -> list[UnitId]:
        """The guns that may still be named."""
        if len(self.named) >= (MOST_GUNS if self.attacking else 1):
            return []
        return [u for u in guns_for(s, self.battle, bool(self.attacking)) if u not in self.named]

    def has_choice(self, s: ArdennesState) -> bool:
        """Whether there is any support to offer."""
        return self._may_fly(s) or self._may_deceive(s) or bool(self.choices(s))

    def _may_fly(self, s: ArdennesState) -> bool:
        return bool(self.attacking and self.side == ALLIED and s.air and not s.night and not self.battle.air)

    def _may_deceive(self, s: ArdennesState) -> bool:
        """Whether 150th Brigade may still try; its die falls before guns and aircraft are named [27.8.3]."""
        free = bool(self.attacking) and not self.battle.surprise and not self.named and not self.battle.air
        return free and s.units.brigade_150 in self.battle.units and s.exposed != 2

    def legal(self, s: ArdennesState) -> list[Action]:
        return [
            *([("air",)] if self._may_fly(s) else []),
            *([("surprise",)] if self._may_deceive(s) else []),
            *(("support", u) for u in self.choices(s)),
            *(("drop", u) for u in self.named),
            *([("ground",)] if self.flies else []),
            *([("cancel",)] if self.named or self.flies else []),
            ("resolve",),
        ]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [
            *([("air",)] if self._may_fly(s) and not self.named else []),
            *([("surprise",)] if self._may_deceive(s) else []),
            *(("support", u) for u in above(self.choices(s), self.named)),
            ("resolve",),
        ]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        flown: tuple[Action, ...] = (("air",),) if self.flies else ()
        return (*flown, *(("support", u) for u in self.named))

    def naming(self, action: Action) -> Support:
        """The same question after guns or aircraft are named or taken back; other actions name nothing."""
        match action:
            case ("air",):
                return replace(self, battle=self.battle._replace(air=1))
            case ("ground",):
                return replace(self, battle=self.battle._replace(air=0))
            case ("support", UnitId(u)):
                return self._with_guns(with_piece(self.named, u))
            case ("drop", UnitId(u)):
                return self._with_guns(without_piece(self.named, u))
            case ("cancel",) if self.attacking:
                return replace(self, battle=self.battle._replace(guns=(), air=0))
            case ("cancel",):
                return self._with_guns(())
        return self

    def _with_guns(self, guns: Group) -> Support:
        if self.attacking:
            return replace(self, battle=self.battle._replace(guns=guns))
        return replace(self, barrage=guns)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("surprise",):
                s.swap(SurpriseRoll(self.battle))
            case ("resolve",):
                s.pop()
                self._fire(s, out)
            case _:
                s.swap(self.naming(action))

    def _fire(self, s: ArdennesState, out: Sink) -> None:
        """The guns named fire, the aircraft come; then it is the defender's turn, or the die's."""
        if self.flies:
            s.air -= 1
            out("15.6.2", "air-strike", hex=self.hex)
        s.fired |= mask_of(self.named)
        for u in self.named:
            out("22.7" if self.attacking else "22.8", "supports", unit=u, hex=self.hex)
        if self.attacking:
            ask_support(s, self.battle, False, out)
        elif self.named:
            s.push(BarrageRoll(self.battle))
        else:
            call_jabos(s, self.battle, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        key = "support-attack" if self.attacking else "support-defence"
        return Prompt("22.6", key, hex=self.hex, units=tuple(self.choices(s)))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("support", UnitId(u)) if u in self.named:
                return [Refusal("22.6", "named-already", unit=u)]
            case ("support", UnitId(u)):
                rule = "22.7" if self.attacking else "22.8"
                return [refuse_gun(s, u, self.battle, bool(self.attacking)) or Refusal(rule, "enough-guns", unit=u)]
            case ("drop", UnitId(u)):
                return [Refusal("22.6", "not-named", unit=u)]
            case ("air" | "ground",):
                return [Refusal("15.6.2", "no-air-support")]
            case ("surprise",) if (
                s.units.brigade_150 in self.battle.units and s.exposed != 2 and not self.battle.surprise
            ):
                return [Refusal("27.8.3", "surprise-first")]
        return [Refusal("22.6", "support-first", hex=self.hex)]


@dataclass(frozen=True, slots=True)
class SurpriseRoll(DieFrame[ArdennesState], BattleFrame):
    """Are the defenders deceived by 150th Brigade [27.8.3]?"""

    def purpose(self, s: ArdennesState) -> str:
        return "surprise"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("27.8.3", "roll-surprise", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.exposed = 2
        success = roll(s.tables, "skorzeny", int(action[1])) == "success"
        out("27.8.3", "surprised" if success else "not-surprised", hex=self.hex, n_die=int(action[1]))
        ask_support(s, self.battle._replace(surprise=int(success)), True, out)


@dataclass(frozen=True, slots=True)
class BarrageRoll(DieFrame[ArdennesState], BattleFrame):
    """What the defender's guns do [22.8]."""

    def purpose(self, s: ArdennesState) -> str:
        return "barrage"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("22.8", "roll-barrage", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1])
        result = roll(s.tables, "allied-artillery" if self.side == GERMAN else "german-artillery", die)
        if result == "TOT":
            out("22.8", "time-on-target", hex=self.hex, n_die=die)
            apply_result(s, self.battle, "A1", out)
            return
        out("22.8", "barrage", hex=self.hex, n_die=die, n=int(result))
        call_jabos(s, self.battle._replace(left=self.battle.left + int(result)), out)


def call_jabos(s: ArdennesState, b: Battle, out: Sink) -> None:
    """Fighter-bombers meet every German attack by day in clear weather [15.6.3]."""
    if b.side == GERMAN and clear_weather(s) and not s.night:
        s.push(JaboRoll(b))
    else:
        s.push(CombatRoll(b))


@dataclass(frozen=True, slots=True)
class JaboRoll(DieFrame[ArdennesState], BattleFrame):
    """Columns that fighter-bombers take from a German attack [15.6.3, 35]."""

    def purpose(self, s: ArdennesState) -> str:
        return "fighter-bombers"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("15.6.3", "roll-jabos", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        shifts = int(roll(s.tables, "jabo", int(action[1]) + luftwaffe_strikes(s)))
        out("15.6.3", "jabos", hex=self.hex, n_die=int(action[1]), n=shifts)
        s.push(CombatRoll(self.battle._replace(left=self.battle.left + shifts)))


@dataclass(frozen=True, slots=True)
class CombatRoll(DieFrame[ArdennesState], BattleFrame):
    """One die against the column: low is good for the attacker."""

    def purpose(self, s: ArdennesState) -> str:
        return "combat"

    def prompt(self, s: ArdennesState) -> Prompt:
        column = column_name(s.tables, odds(s, self.battle).column)
        return Prompt("14.4", "roll-combat", hex=self.hex, units=self.battle.units, word_column=column)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        b, die = self.battle, int(action[1])
        o = odds_now(s, b)
        s.pop()
        result = result_of(s.tables, o.column, die)
        shift = {"n_shift": o.column - o.plain}
        words = {"word_plain": column_name(s.tables, o.plain), "word_column": column_name(s.tables, o.column)}
        out("14.4", "odds", hex=self.hex, n_attack=o.attack, n_defence=o.defence, **shift, **words)
        out("16.1", "combat-result", hex=self.hex, n_die=die, word_result=result)
        apply_result(s, b._replace(armor=shifting_armor(s, b)), result, out)

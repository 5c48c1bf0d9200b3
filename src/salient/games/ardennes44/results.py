"""Ardennes '44: chapter 16, what a combat result demands."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import SEATS
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.advances import BONUS, BREAKTHROUGH, LIMITED, REGULAR, Advance, refuse_entering
from salient.games.ardennes44.components import Tables, roll
from salient.games.ardennes44.entering import CAPTURED, set_depot, shown_depot
from salient.games.ardennes44.losses import ask_loss, lose_step, standing
from salient.games.ardennes44.model import ArdennesState, push_noted, set_march
from salient.games.ardennes44.retreats import begin_retreat
from salient.games.ardennes44.strengths import Battle, armor_matters, best_tq, bonus, defenders_of, defending_armor
from salient.hexes.masks import mask_of
from salient.hexes.sets import NOBODY, UnitId
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

RETREATS = {"DR2": (2, REGULAR), "DR3": (3, BONUS), "DR4": (4, BONUS), "DS": (4, BREAKTHROUGH)}
FIREFIGHT_RETREAT = 2


@dataclass(frozen=True, slots=True)
class BattleFrame(Frame[ArdennesState]):
    """A decision or a roll in a combat."""

    battle: Battle

    @property
    def side(self) -> int:
        """The side that attacks."""
        return self.battle.side

    @property
    def hex(self) -> int:
        """The hex that is attacked."""
        return self.battle.hex

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[self.side]


# ---- 16.1 Results ----------------------------------------------------------------------------------------


def apply_result(s: ArdennesState, b: Battle, result: str, out: Sink) -> None:
    """Push what a result demands: what remains first, what comes first last."""
    s.advantage = tuple(x for x in s.advantage if x[1] != b.hex)  # used up [16.6]
    s.push(EndBattle(b))
    if result in ("DS", "D1", "A1/D1") and may_evade(s, b.hex):
        s.push(Evade(b, result, NOBODY))
    else:
        push_result(s, b, result, NOBODY, out)


def push_result(s: ArdennesState, b: Battle, result: str, lead: UnitId, out: Sink) -> None:
    """Losses come before retreats, retreats before advances; a lead unit takes the attacker's loss [16.2.2, 16.3]."""
    defenders = units_at(s, b.hex)
    if result in RETREATS:
        length, kind = RETREATS[result]
        s.push(AdvanceStage(b, kind), RetreatStage(b, length, int(result == "DR2")))
    elif result in ("D1", "A1/D1", "A1/DR2"):
        s.push(AdvanceStage(b, REGULAR), RetreatStage(b, FIREFIGHT_RETREAT, 1))
    elif result == "EX":
        s.push(HoldStage(b))
        ask_loss(s, b.side, b.armor or b.units, out)
        ask_loss(s, 1 - b.side, defending_armor(s, b) or defenders, out)
        return
    elif result in ("ENG", "A1/ENG", "ENG+"):
        engage(s, b.hex, out)
        if result == "ENG+":
            s.push(TakeAdvantage(b))
    elif result in ("FF", "FF+1"):
        _offer_firefight(s, b, result, out)
    if result.startswith("A1"):
        _lose_attacker(s, b, lead, out)
    if result in ("DS", "D1", "A1/D1"):
        ask_loss(s, 1 - b.side, defenders, out)


def _lose_attacker(s: ArdennesState, b: Battle, lead: UnitId, out: Sink) -> None:
    """The lead unit of a firefight loses a step, else one of the attackers [16.2.2, 16.3]."""
    if lead >= 0:
        lose_step(s, lead, "16.2", out)
    else:
        ask_loss(s, b.side, b.units, out)


def engage(s: ArdennesState, h: int, out: Sink) -> None:
    """The defenders of a hex are engaged [16.5]."""
    units = units_at(s, h)
    s.engaged |= mask_of(units)
    if units:
        out("16.5", "engaged", units=units, hex=h)


# ---- 21.4 Reconnaissance --------------------------------------------------------------------------------------


def may_evade(s: ArdennesState, h: int) -> bool:
    """Whether reconnaissance alone in a hex, not in a position, may turn a loss into a retreat of four [21.4]."""
    units = units_at(s, h)
    return len(units) == 1 and s.units.recon[units[0]] and not s.ip >> h & 1


@dataclass(frozen=True, slots=True)
class Evade(BattleFrame):
    """Reconnaissance may slip away instead of losing a step."""

    result: str
    lead: UnitId

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[1 - self.side]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("evade",), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        b = self.battle
        if action[0] == "pass":
            push_result(s, b, self.result, self.lead, out)
            return
        out("21.4", "evades", units=units_at(s, self.hex))
        push_result(s, b, "DR4", self.lead, out)
        if self.result == "A1/D1":
            _lose_attacker(s, b, self.lead, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("21.4", "evade-or-stand", hex=self.hex, word_result=self.result)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [Refusal("21.4", "evade-or-pass", hex=self.hex)]


# ---- 16.2 Firefight --------------------------------------------------------------------------------------------


def refuse_leading(s: ArdennesState, u: UnitId, rule: str) -> Refusal | None:
    """Why a unit can lead neither a firefight nor a determined defence [16.2.1, 16.7.1]."""
    unfit = s.order[u] or s.units.artillery[u] or s.march >> u & 1
    return Refusal(rule, "cannot-lead", unit=u) if unfit else None


def refuse_lead(s: ArdennesState, u: UnitId, b: Battle) -> Refusal | None:
    """Why an attacker cannot lead a firefight: it must be able to advance into the hex [16.2.1]."""
    return refuse_leading(s, u, "16.2.1") or refuse_entering(s, u, b.hex)


def _offer_firefight(s: ArdennesState, b: Battle, result: str, out: Sink) -> None:
    if any(refuse_lead(s, u, b) is None for u in b.units):
        s.push(Firefight(b, int(result == "FF+1")))
    else:
        engage(s, b.hex, out)


def firefight_modifier(s: ArdennesState, b: Battle, lead: UnitId) -> int:
    """Morale of the lead unit, and tanks as good as the defender's where armour counts [16.2.1]."""
    tanks = (
        s.units.grey_tq[lead]
        and armor_matters(s.ground, b.hex)
        and best_tq(s, defenders_of(s, b.hex)) <= s.units.tq[lead]
    )
    return s.units.morale[lead] - int(tanks)


@dataclass(frozen=True, slots=True)
class Firefight(BattleFrame):
    """The attacker names a lead unit and presses on, or leaves the defender engaged."""

    added: int

    def legal(self, s: ArdennesState) -> list[Action]:
        b = self.battle
        return [*(("lead", u) for u in b.units if refuse_lead(s, u, b) is None), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            engage(s, self.hex, out)
            return
        lead = UnitId(action[1])
        out("16.2", "firefight", unit=lead, hex=self.hex)
        s.push(FirefightRoll(self.battle, lead, self.added))

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("16.2.1", "press-on", hex=self.hex, units=self.battle.units)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action[0] == "lead" and action[1] in self.battle.units:
            return [refuse_lead(s, UnitId(action[1]), self.battle) or Refusal("16.2.1", "lead-or-pass")]
        return [Refusal("16.2.1", "lead-or-pass")]


@dataclass(frozen=True, slots=True)
class FirefightRoll(DieFrame[ArdennesState], BattleFrame):
    """One die on the firefight table."""

    lead: UnitId
    added: int

    def purpose(self, s: ArdennesState) -> str:
        return "firefight"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("16.2.1", "roll-firefight", unit=self.lead, hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        b, die = self.battle, int(action[1])
        added = self.added + firefight_modifier(s, b, self.lead)
        result = roll(s.tables, "firefight", die + added)
        out("16.2.1", "firefight-result", hex=self.hex, n_die=die, n_added=added, word_result=result)
        if result in ("D1", "A1/D1") and may_evade(s, self.hex):
            s.push(Evade(b, result, self.lead))
        else:
            push_result(s, b, result, self.lead, out)


# ---- 16.6 Attacker's advantage ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakeAdvantage(BattleFrame):
    """The attacker puts his advantage marker on one of his stacks."""

    def origins(self, s: ArdennesState) -> list[int]:
        """The hexes that attackers fought from."""
        return sorted({s.where[u] for u in self.battle.units if on_map(s, u)})

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("mark", h) for h in self.origins(s)] or [("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "mark":
            h = int(action[1])
            units = mask_of(u for u in self.battle.units if s.where[u] == h)
            s.advantage = tuple(sorted({*(x for x in s.advantage if x[:2] != (h, self.hex)), (h, self.hex, units)}))
            out("16.6", "advantage", hex_from=h, hex=self.hex)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("16.6", "place-advantage", hex=self.hex)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [Refusal("16.6", "mark-first", hex=self.hex)]


# ---- stages between decisions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HoldStage(AutoFrame[ArdennesState], BattleFrame):
    """After an exchange: survivors are engaged, an empty hex may be occupied [16.1, 16.7.4]."""

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.pop()
        if occupied(s, 1 - self.side) >> self.hex & 1:
            engage(s, self.hex, out)
        else:
            s.push(AdvanceStage(self.battle, LIMITED))


@dataclass(frozen=True, slots=True)
class RetreatStage(AutoFrame[ArdennesState], BattleFrame):
    """The defender retreats, or stands in a determined defence where he may [16.7, 17.1]."""

    length: int
    determined: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.pop()
        units = units_at(s, self.hex)
        if not units or s.units.side[units[0]] == self.side:
            return
        s.advantage = tuple(x for x in s.advantage if x[0] != self.hex)
        frame = Determined(self.battle, self.length)
        if self.determined and frame.leads(s):
            s.push(frame)
        else:
            begin_retreat(s, self.hex, self.length, out)


@dataclass(frozen=True, slots=True)
class AdvanceStage(AutoFrame[ArdennesState], BattleFrame):
    """Attackers advance if the hex is empty; a depot that is left alone has fallen [17.3, 19.1, 32.2]."""

    kind: str

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.pop()
        b = self.battle
        if occupied(s, 1 - self.side) >> self.hex & 1:
            return
        if shown_depot(s, self.hex):
            set_depot(s, self.hex, CAPTURED)
            out("32.2", "depot-captured", hex=self.hex)
        s.ip &= ~(1 << self.hex)
        s.digging &= ~(1 << self.hex)
        frame = Advance(b.side, b.hex, self.kind, standing(s, (*b.units, *b.followers)), ())
        if frame.has_choice(s):
            push_noted(s, frame)


@dataclass(frozen=True, slots=True)
class EndBattle(AutoFrame[ArdennesState], BattleFrame):
    """Markers of the combat come off [12.7, 15.8.4, 16.6, 27.8.3]."""

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.pop()
        for u in units_at(s, self.hex):
            if s.units.side[u] != self.side:
                set_march(s, u, False)
        if not occupied(s, 1 - self.side) >> self.hex & 1:
            if not occupied(s, self.side) >> self.hex & 1:
                s.ip &= ~(1 << self.hex)
            s.advantage = tuple(x for x in s.advantage if x[1] != self.hex)


# ---- 16.7 Determined defence ----------------------------------------------------------------------------------


def refuse_stand(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit cannot lead a determined defence [16.7.1]."""
    if refusal := refuse_leading(s, u, "16.7.1"):
        return refusal
    return Refusal("17.5", "cannot-lead", unit=u) if s.retreated >> u & 1 else None


@dataclass(frozen=True, slots=True)
class Determined(BattleFrame):
    """The defender stands behind a lead unit, or retreats."""

    length: int

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[1 - self.side]

    def leads(self, s: ArdennesState) -> list[UnitId]:
        """The units that may lead."""
        return [u for u in units_at(s, self.hex) if refuse_stand(s, u) is None]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [*(("stand", u) for u in self.leads(s)), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            begin_retreat(s, self.hex, self.length, out)
            return
        out("16.7", "stands", unit=UnitId(action[1]), hex=self.hex)
        s.push(StandRoll(self.battle, self.length, UnitId(action[1])))

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("16.7.1", "stand-or-retreat", hex=self.hex, units=tuple(self.leads(s)))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action[0] == "stand" and action[1] in units_at(s, self.hex):
            return [refuse_stand(s, UnitId(action[1])) or Refusal("16.7.1", "stand-first", hex=self.hex)]
        return [Refusal("16.7.1", "stand-first", hex=self.hex)]


def stand_result(tables: Tables, die: int) -> str:
    """The result of a modified die on the determined defence table [16.7.2]."""
    return tables.determined[max(0, min(6, die))]


@dataclass(frozen=True, slots=True)
class StandRoll(DieFrame[ArdennesState], BattleFrame):
    """One die, less the defensive bonus of the hex, with the morale of the lead unit [16.7.2]."""

    length: int
    lead: UnitId

    def purpose(self, s: ArdennesState) -> str:
        return "determined-defence"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("16.7.2", "roll-stand", unit=self.lead, hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die, b = int(action[1]), self.battle
        added = s.units.morale[self.lead] - bonus(s, self.hex)
        result = stand_result(s.tables, die + added)
        out("16.7.3", f"stand-{result}", unit=self.lead, hex=self.hex, n_die=die, n_added=added)
        if result in ("yes", "yes-ex"):
            s.swap(HoldStage(b))  # in the place of the advance
            if result == "yes-ex":
                ask_loss(s, self.side, standing(s, b.armor) or b.units, out)  # 16.3
        elif result == "delay":
            s.swap(AdvanceStage(b, LIMITED), RetreatStage(b, self.length, 0))
        else:
            s.push(RetreatStage(b, self.length, 0))
        if result != "no":
            lose_step(s, self.lead, "16.7.3", out)

"""Frames: the stack of pending decisions that is a game's whole control flow.

A frame is frozen and holds ids only, so that a position can be copied, compared and saved at any moment.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar, get_type_hints

from salient.kernel.messages import Prompt, Refusal, Sink

if TYPE_CHECKING:
    from salient.kernel.dice import Roller
    from salient.kernel.notation import Action
    from salient.kernel.state import State

S = TypeVar("S", bound="State")
Seat = str
CHANCE: Seat = "chance"
OVER: Seat = "over"

# What a verb ends: the naming of a set, which is then carried out, or the whole decision.
SET, DECISION = "set", "decision"
# What a verb does: takes a piece up, takes back what was named, leads on to a waypoint, fights where it points.
TAKE_UP, TAKE_BACK, LEAD, FIGHT = "take-up", "take-back", "lead", "fight"


@dataclass(frozen=True, slots=True)
class Frame(Generic[S]):
    """One pending decision in positions of type `S`.

    Subclasses are frozen, slotted dataclasses whose fields are ints, strs, tuples and named tuples. A verb means the
    same in all games: `ends` and `roles` say what. A frame that uses one of these verbs in another way says so itself.
    """

    automatic: ClassVar[bool] = False
    ends: ClassVar[Mapping[str, str]] = {"pass": DECISION, "done": DECISION, "resolve": SET}
    roles: ClassVar[Mapping[str, str]] = {
        "select": TAKE_UP,
        "cancel": TAKE_BACK,
        "drop": TAKE_BACK,
        "via": LEAD,
        "attack": FIGHT,
        "fight": FIGHT,
        "send": FIGHT,
    }

    def actor(self, s: S) -> Seat:
        """The seat that decides: a named seat, CHANCE, or OVER."""
        raise NotImplementedError

    def legal(self, s: S) -> list[Action]:
        """Every legal action: never empty unless the game is over, in canonical order, no duplicates, no dead ends."""
        raise NotImplementedError

    def candidates(self, s: S) -> list[Action]:
        """The legal actions that lead somewhere new, at least one and in order: all, unless pieces are named here.

        People name the pieces of a set in any order and take them back; random play, perft and search name them in
        canonical order and take none back, so that every set is reached once.
        """
        return self.legal(s)

    def draft(self, s: S) -> tuple[Action, ...]:
        """The actions that led here and can still be taken back by an action, in canonical order; nothing otherwise.

        From the position in which the draft was empty they lead here again, in this order. Records keep them and not
        the detours, so that two orders of naming make one record.
        """
        return ()

    def apply(self, s: S, action: Action, out: Sink) -> None:
        """Carry out a legal action on `s`; may push, swap and pop frames; tells `out` what happens."""
        raise NotImplementedError

    def ending(self, action: Action) -> str:
        """What an action of this frame ends: SET, DECISION, or nothing."""
        return self.ends.get(str(action[0]), "")

    def role(self, action: Action) -> str:
        """What an action of this frame does to what is in hand: TAKE_UP, TAKE_BACK, LEAD; FIGHT; or nothing."""
        return self.roles.get(str(action[0]), "")

    def prompt(self, s: S) -> Prompt:
        """What the actor is asked, with the rule's number."""
        raise NotImplementedError

    def hindrance(self, s: S) -> Refusal | None:
        """Why this decision cannot be ended yet, if its end is barred for now; the refusal names the pieces."""
        return None

    def refusals(self, s: S, action: Action) -> list[Refusal]:
        """Why `action` is not legal, at least one reason; asked only of an action that is not in `legal(s)`."""
        return [Refusal(self.prompt(s).rule, "not-offered")]


AnyFrame: TypeAlias = Frame[Any]  # where many games meet


class AutoFrame(Frame[S]):
    """Bookkeeping between decisions: runs by itself, and must swap or pop itself."""

    __slots__ = ()
    automatic = True

    def run(self, s: S, out: Sink) -> None:
        """Do the bookkeeping and leave the next frame on top."""
        raise NotImplementedError


class ChanceFrame(Frame[S]):
    """Dice are a player: a roll is an action. `rolls_dice` is false where something is drawn instead."""

    __slots__ = ()
    rolls_dice: ClassVar[bool] = True

    def actor(self, s: S) -> Seat:
        return CHANCE

    def outcomes(self, s: S) -> list[tuple[Action, Fraction]]:
        """Every outcome with its exact probability, grouped by effect; the probabilities sum to 1."""
        raise NotImplementedError

    def effect(self, s: S, action: Action) -> Hashable:
        """What an outcome does: equal for outcomes that lead to equal positions."""
        return action

    def sample(self, s: S, roller: Roller) -> Action:
        """One outcome, rolled; where both sides roll, the dice of the first seat come first."""
        raise NotImplementedError

    def purpose(self, s: S) -> str:
        """What is rolled for, in a word: shown to players and bound into verified dice."""
        raise NotImplementedError

    def roller(self, s: S) -> Seat | None:
        """Whose roll it is; None where it belongs to the seat that decided last before it."""
        return None

    def legal(self, s: S) -> list[Action]:
        return [action for action, _ in self.outcomes(s)]

    def refusals(self, s: S, action: Action) -> list[Refusal]:
        return [Refusal(self.prompt(s).rule, "roll-first")]


def chance_frame(s: State) -> ChanceFrame[Any]:
    """The roll that is due; the actor must be CHANCE."""
    frame = s.stack[-1]
    assert isinstance(frame, ChanceFrame)
    return frame


DIE: list[tuple[tuple[str, int], Fraction]] = [(("roll", face), Fraction(1, 6)) for face in range(1, 7)]


class DieFrame(ChanceFrame[S]):
    """A chance frame that rolls one six-sided die: `("roll", face)`."""

    __slots__ = ()

    def outcomes(self, s: S) -> list[tuple[Action, Fraction]]:
        return list(DIE)

    def sample(self, s: S, roller: Roller) -> Action:
        return ("roll", roller.die(6))

    def refusals(self, s: S, action: Action) -> list[Refusal]:
        match action:
            case ("roll", int(face)):
                return [Refusal(self.prompt(s).rule, "no-such-face", n=face, n_sides=6)]
        return [Refusal(self.prompt(s).rule, "roll-first")]


@dataclass(frozen=True, slots=True)
class GameOver(Frame[Any]):
    """The bottom of the stack when nothing remains to be decided."""

    def actor(self, s: State) -> Seat:
        return OVER

    def legal(self, s: State) -> list[Action]:
        return []

    def prompt(self, s: State) -> Prompt:
        return Prompt("", "game-over")

    def refusals(self, s: State, action: Action) -> list[Refusal]:
        return [Refusal("", "game-is-over")]


def encode_frame(frame: AnyFrame) -> list[Any]:
    """The frame as a JSON list: class name, then fields in order, those of a named tuple in its place."""
    values: list[Any] = [type(frame).__name__]
    for name, parts in _layout(type(frame)):
        value = getattr(frame, name)
        values += value if parts else (value,)
    return values


def decode_frame(values: list[Any], types: dict[str, type[AnyFrame]]) -> AnyFrame:
    """The frame that `encode_frame` wrote; the last fields may be left out where they have a default."""
    name, *left = (frozen(value) for value in values)
    args: list[Any] = []
    for _, parts in _layout(types[name]):
        size = len(parts._fields) if parts else 1
        args += [parts(*left[:size])] if parts else left[:1]
        left = left[size:]
    return types[name](*args, *left)


_LAYOUTS: dict[type[AnyFrame], tuple[tuple[str, Any], ...]] = {}


def _layout(cls: type[AnyFrame]) -> tuple[tuple[str, Any], ...]:
    """The fields of a frame by name, each with the named tuple that it holds, or None."""
    if cls not in _LAYOUTS:
        hints = get_type_hints(cls)
        kinds = ((field.name, hints[field.name]) for field in fields(cls))
        _LAYOUTS[cls] = tuple((name, kind if hasattr(kind, "_fields") else None) for name, kind in kinds)
    return _LAYOUTS[cls]


def frozen(value: Any) -> Any:
    """JSON lists as tuples, at every depth."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value

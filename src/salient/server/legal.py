"""The legal list on the wire: what its actions have in common is said once (docs/API.md).

`{ heads, called, runs }`: a run is the number of a head and its rows, separated by semicolons. A row has the values of
an action; those that it lacks at its beginning are those of the row before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from salient.kernel import CHANCE, Action, AnyFrame, AnyGame, State, actor, legal, step
from salient.kernel.frames import LEAD, TAKE_BACK, TAKE_UP
from salient.server import orders
from salient.text import Argument, action_words, describe_action, describe_ending, say_left

Json = dict[str, Any]
NOTHING: Json = {"heads": [], "called": {}, "runs": []}
SAME = ("names", "role", "ends", "left")  # what a head says of all its actions, besides verb and kinds


class Said(NamedTuple):
    """An action in text and words, the same in every position: where its `label` has `{0}`, the first value is called.

    `by` are the values that shape the label, `key` is what they are here; `called` are the values that are called
    otherwise than they are written.
    """

    verb: str
    kinds: tuple[str, ...]
    values: tuple[str, ...]
    label: str
    by: tuple[int, ...]
    key: str
    called: tuple[Argument, ...]


@lru_cache(maxsize=50_000)
def said(game: AnyGame, action: Action, lang: str) -> Said:
    """An action in text and words; it is kept."""
    words = action_words(game, lang)
    arguments, by = words.arguments(action), words.shaped_by(action)
    kinds, values = tuple(each.kind for each in arguments), tuple(each.value for each in arguments)
    called = tuple(each for i, each in enumerate(arguments) if i not in by and each.value != each.called)
    key = " ".join([values[i] for i in by])
    return Said(str(action[0]), kinds, values, words.pattern(action), by, key, called)


def action_json(game: AnyGame, action: Action, lang: str) -> Json:
    """An action by itself: its text, its parts, and what it does in words."""
    args = [{"kind": each.kind, "value": each.value} for each in action_words(game, lang).arguments(action)]
    label = describe_action(game, action, lang)
    return {"text": game.write(action), "verb": str(action[0]), "args": args, "label": label, "names": False}


# ---- packing -----------------------------------------------------------------------


def choices_json(game: AnyGame, state: State, lang: str) -> Json:
    """Every legal action, packed, and by verb that names units how many it could name."""
    actions = legal(state)
    naming, firm = _naming_verbs(state, actions)
    return {"legal": _packed(game, state, actions, naming, firm, lang), "sets": _sets(game, state, naming)}


def _packed(
    game: AnyGame, state: State, actions: list[Action], naming: set[str | int], firm: set[Action], lang: str
) -> Json:
    frame = state.stack[-1]
    packing = Packing()
    words = [said(game, action, lang) for action in actions]
    examples = {action[0]: action for action in actions}
    roles = {verb: frame.role(action) for verb, action in examples.items()}
    usual = {verb: _usual(verb in naming, role) for verb, role in roles.items()}
    ending = {verb for verb, action in examples.items() if frame.ending(action)}
    for action, each in zip(actions, words, strict=True):
        same = usual[action[0]] if action not in firm else _usual(False, roles[action[0]])
        if action[0] in ending:
            onward = [other for other in words if roles[other.verb] not in (TAKE_BACK, LEAD)]
            label, more = _ending(game, state, action, onward, lang)
            each, same = each._replace(label=label, by=(), key="", called=()), same + more
        packing.add(each, same)
    return {"heads": packing.heads, "called": packing.called, "runs": packing.runs()}


Same = tuple[tuple[str, Any], ...]  # what an action has in common with others besides verb and kinds


def _usual(names: bool, role: str) -> Same:
    return (("names", names), ("role", role)) if role else (("names", names),)


class Packing:
    """A legal list in the making."""

    def __init__(self) -> None:
        self.heads: list[Json] = []
        self.called: dict[str, dict[str, str]] = {}
        self.numbers: dict[tuple[Any, ...], int] = {}
        self.rows: list[tuple[int, list[str]]] = []
        self.before: tuple[str, ...] = ()

    def add(self, action: Said, same: Same) -> None:
        """Add an action."""
        verb, kinds, values, label, by, key, called = action
        shape = verb, kinds, by, same
        number = self.numbers.get(shape)
        if number is None:
            number = self.numbers[shape] = len(self.heads)
            self.heads.append({"verb": verb, "kinds": list(kinds), **dict(same), "by": list(by), "labels": {}})
        self.heads[number]["labels"].setdefault(key, label)
        for kind, value, name in called:
            self.called.setdefault(kind, {})[value] = name
        if self.rows and self.rows[-1][0] == number:
            known, last, before = 0, len(values) - 1, self.before
            while known < last and values[known] == before[known]:
                known += 1
            self.rows[-1][1].append(values[last] if known == last else " ".join(values[known:]))
        else:
            self.rows.append((number, [" ".join(values)]))
        self.before = values

    def runs(self) -> list[tuple[int, str]]:
        """The rows by their heads, in the order of the list."""
        return [(number, ";".join(rows)) for number, rows in self.rows]


def unpacked(packed: Json) -> Iterator[Json]:
    """The legal actions of a packed list, one by one."""
    for number, rows in packed["runs"]:
        head = packed["heads"][number]
        values: list[str] = []
        for row in rows.split(";"):
            own = row.split()
            values = [*values[: len(head["kinds"]) - len(own)], *own]
            yield _one(head, values, packed["called"])


def _one(head: Json, values: Sequence[str], called: dict[str, dict[str, str]]) -> Json:
    label = head["labels"][" ".join(values[i] for i in head["by"])]
    for i, (kind, value) in enumerate(zip(head["kinds"], values, strict=True)):
        label = label.replace(f"{{{i}}}", called.get(kind, {}).get(value, value))
    args = [{"kind": kind, "value": value} for kind, value in zip(head["kinds"], values, strict=True)]
    same = {key: head[key] for key in SAME if key in head}
    return {"text": " ".join([head["verb"], *values]), "verb": head["verb"], "args": args, "label": label, **same}


# ---- what an action does to a decision --------------------------------------------------


def _ending(game: AnyGame, state: State, action: Action, onward: list[Said], lang: str) -> tuple[str, Same]:
    """What ends a decision, by the name of what it ends, and what would be left undone."""
    frame = state.stack[-1]
    asked = frame.prompt(state).as_json()
    first = {(each.kinds[0], each.values[0]) for each in onward if each.values}
    counts = {
        "n_units": sum(kind == "unit" for kind, _ in first),
        "n_places": len({value for kind, value in first if kind in ("hex", "place")}),
    }
    left = say_left(game, asked, counts, lang)
    return describe_ending(game, asked, action, lang), (("left", left), ("ends", frame.ending(action)))


def _sets(game: AnyGame, state: State, naming: set[str | int]) -> dict[str, int]:
    """By verb that names units: how many it could name now, one after the other; none where places open decisions."""
    naming = {verb for verb in naming if state.stack[-1].role((verb,)) != TAKE_UP}
    if any(game.notation.verbs[str(verb)] in (("hex",), ("place",)) for verb in naming):
        return {}
    units = [verb for verb, kinds in game.notation.verbs.items() if verb in naming and kinds == ("unit",)]
    able = [verb for verb in units if orders.can_name(state, verb)]
    return {verb: len(orders.all_that_can(game, state, verb).actions) for verb in able}


def _naming_verbs(state: State, actions: list[Action]) -> tuple[set[str | int], set[Action]]:
    """The verbs after which more can be taken back, and their actions after which nothing more can.

    An example of each verb that neither ends nor takes back is tried; where it opens another decision, all are: what is
    opened may have nothing to decide.
    """
    if actor(state) == CHANCE:
        return set(), set()
    frame = state.stack[-1]
    drafted = len(frame.draft(state))

    def after(action: Action) -> AnyFrame:
        then = step(state, action, trusted=True)
        return then.stack[-1] if len(then.stack[-1].draft(then)) > drafted else frame

    examples = {action[0]: action for action in reversed(actions)}
    examples = {v: each for v, each in examples.items() if not frame.ending(each) and frame.role(each) != TAKE_BACK}
    naming = {verb: then for verb, each in examples.items() if (then := after(each)) is not frame}
    opening = {v for v, then in naming.items() if type(then) is not type(frame) and frame.role(examples[v]) != TAKE_UP}
    return set(naming), {action for action in actions if action[0] in opening and after(action) is frame}

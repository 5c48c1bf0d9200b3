"""Templates: sentences with places, filled with numbers, texts, names and lists. `web/template.js` does the same.

| place | prints |
|---|---|
| `{hex}` | the argument |
| `{side:the}` | a form of a name: what the catalog has under `the`, else the name |
| `{kind:n}` | the name's form for the number that the argument `n` gives |
| `{hexes:or}`, `{hexes:path}` | a list with another joint |
| `{ns:sum}` | the sum of a list of numbers |
| `{n:sign}` | a number with its sign |
| `{n|die|dice}` | the first for one, the second for many (a list counts its items) |
| `{kind|m:lost|f:lost}` | the branch whose label fits: gender `m f n`, number `one many`, or a figure |

The last branch stands for every other case; branches may hold places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

HEAD = re.compile(r"\{([a-z][a-z0-9_]*)(?::([a-z][a-z0-9_]*))?([|}])")
LABEL = re.compile(r"(m|f|n|one|many|\d+):")
MINUS = "\u2212"


class Name(str):
    """A name that knows its forms: `one`, `many`, articles and cases, its gender `g` and its number `number`."""

    __slots__ = ("forms",)
    forms: Mapping[str, str]

    def __new__(cls, text: str, forms: Mapping[str, str] = MappingProxyType({})) -> Name:
        name = super().__new__(cls, text)
        name.forms = forms
        return name

    @classmethod
    def of(cls, entry: str | Mapping[str, str]) -> Name:
        """The name of a catalog's entry: a text, or a table whose `name` (else `one`) is the usual form."""
        return cls(entry) if isinstance(entry, str) else cls(entry.get("name") or entry["one"], entry)


@dataclass(frozen=True)
class Listed:
    """The items of a list, and what stands for none of them."""

    items: Sequence[Name | str]
    none: str = ""

    def __len__(self) -> int:
        return len(self.items)


Value = int | str | Name | Listed


@dataclass(frozen=True)
class Place:
    """A place of a template: an argument, perhaps in a form, or the branches it chooses between."""

    argument: str
    form: str = ""
    branches: tuple[tuple[str, Parts], ...] = ()


Parts = tuple[str | Place, ...]


@dataclass
class Filling:
    """What a template is filled with: arguments by name, the language, the words that join a list."""

    args: Mapping[str, Value]
    lang: str
    joints: Mapping[str, str] = field(default_factory=lambda: {"and": "and", "or": "or"})


# ---- reading ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def parse(template: str) -> Parts:
    """The parts of a template; ValueError tells what is wrong with it."""
    parts, end = _parts(template, 0, "")
    assert end == len(template)
    return parts


def _parts(text: str, at: int, stops: str) -> tuple[Parts, int]:
    """Text and places from `at` to the end, or to the first of `stops`."""
    parts: list[str | Place] = []
    start = at
    while at < len(text) and text[at] not in stops:
        if text[at] == "{":
            parts += [text[start:at]] if at > start else []
            place, at = _place(text, at)
            parts.append(place)
            start = at
        elif text[at] == "}":
            raise ValueError(f"a brace is closed that was not opened, before {text[at + 1 :][:20]!r}")
        else:
            at += 1
    parts += [text[start:at]] if at > start else []
    return tuple(parts), at


def _place(text: str, at: int) -> tuple[Place, int]:
    head = HEAD.match(text, at)
    if not head:
        raise ValueError(f"no place begins with {text[at:][:20]!r}")
    at = head.end()
    branches: list[tuple[str, Parts]] = []
    closed = head[3] == "}"
    while not closed:
        label = LABEL.match(text, at)
        parts, at = _parts(text, label.end() if label else at, "|}")
        if at == len(text):
            raise ValueError(f"the brace of {head[1]!r} is not closed")
        branches.append((label[1] if label else "", parts))
        closed = text[at] == "}"
        at += 1
    if len(branches) == 1:
        raise ValueError(f"{head[1]!r} has one branch only")
    return Place(head[1], head[2] or "", tuple(branches)), at


def places(template: str) -> set[str]:
    """The names of the arguments that a template prints or chooses by."""
    return {place.argument for place in _all_places(parse(template))}


def choosers(template: str) -> set[str]:
    """The names of the arguments that choose between words: those with branches, and the numbers of names."""
    found = list(_all_places(parse(template)))
    return {place.argument for place in found if place.branches} | {place.form for place in found if place.form}


def shapers(template: str) -> set[str]:
    """The names of the arguments that do more to a sentence than to be printed in it as they are called."""
    found = list(_all_places(parse(template)))
    return choosers(template) | {place.argument for place in found if place.form}


def _all_places(parts: Parts) -> Iterator[Place]:
    for part in parts:
        if isinstance(part, Place):
            yield part
            for _, inside in part.branches:
                yield from _all_places(inside)


def outline(template: str) -> str:
    """A template with its arguments in capitals, and the last branch of each choice."""
    return _outline(parse(template))


def _outline(parts: Parts) -> str:
    return "".join(
        part if isinstance(part, str) else _outline(part.branches[-1][1]) if part.branches else part.argument.upper()
        for part in parts
    )


# ---- filling ---------------------------------------------------------------------------------------------


def fill(template: str, filling: Filling) -> str:
    """A template with its places filled; a place without an argument stays as it is."""
    return _fill(parse(template), filling)


def _fill(parts: Parts, filling: Filling) -> str:
    return "".join(part if isinstance(part, str) else _filled(part, filling) for part in parts)


def _filled(place: Place, filling: Filling) -> str:
    if place.argument not in filling.args:
        return f"{{{place.argument}}}"
    value = filling.args[place.argument]
    if place.branches:
        return _fill(_chosen(place, value, filling.lang), filling)
    return _printed(value, place.form, filling)


def _chosen(place: Place, value: Value, lang: str) -> Parts:
    if not any(label for label, _ in place.branches[:-1]):
        return place.branches[0 if number_of(value, lang) == "one" else -1][1]
    labels = {gender_of(value), number_of(value, lang), str(len(value) if isinstance(value, Listed) else value)}
    return next((parts for label, parts in place.branches if label in labels), place.branches[-1][1])


def _printed(value: Value, form: str, filling: Filling) -> str:
    if isinstance(value, int):
        return signed(value) if form == "sign" else str(value)
    if isinstance(value, Listed):
        return _joined(value, form, filling)
    if form and isinstance(value, Name):
        number = filling.args.get(form)
        wanted = form if number is None else number_of(number, filling.lang)
        return value.forms.get(wanted, value)
    return str(value)


def _joined(listed: Listed, form: str, filling: Filling) -> str:
    if not listed.items:
        return listed.none
    if form == "sum":
        return str(sum(int(item) for item in listed.items))
    if form == "path":
        return " \u2192 ".join(listed.items)
    joint = filling.joints["or" if form == "or" else "and"]
    *first, last = [_printed(item, "" if form == "or" else form, filling) for item in listed.items]
    return f"{', '.join(first)} {joint} {last}" if first else last


def signed(number: int) -> str:
    """A number with its sign: +1, a true minus, and 0."""
    return f"+{number}" if number > 0 else str(number).replace("-", MINUS)


# ---- number and gender -------------------------------------------------------------------------------------


def plural(number: int, lang: str) -> str:
    """`one` or `many`: French counts none as one, the other languages do not."""
    return "one" if abs(number) == 1 or (number == 0 and lang == "fr") else "many"


def number_of(value: Value, lang: str) -> str:
    """Whether a value is `one` or `many`: a number by the language's rule, a list by its length, a name by its own."""
    if isinstance(value, Listed):
        return plural(len(value), lang)
    if isinstance(value, int):
        return plural(value, lang)
    return value.forms.get("number", "one") if isinstance(value, Name) else "one"


def gender_of(value: Value) -> str:
    """The gender of a name; of a list the one that all items share, else masculine."""
    if isinstance(value, Listed):
        genders = {gender_of(item) for item in value.items}
        return genders.pop() if len(genders) == 1 else "m"
    return value.forms.get("g", "") if isinstance(value, Name) else ""

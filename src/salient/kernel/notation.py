"""Actions as text, one canonical form both ways: a verb, then names as players know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from salient.kernel.messages import Unreadable

if TYPE_CHECKING:
    from salient.kernel.frames import AnyFrame
    from salient.kernel.state import State

S = TypeVar("S", bound="State")
Action = tuple[str | int, ...]
FEW = 12  # a reader who missed one of so few names is told them all


class Kind(Protocol):
    """How one kind of argument is written."""

    def write(self, value: str | int) -> str:
        """The canonical text of a value."""
        ...

    def read(self, text: str) -> str | int:
        """The value of a text, or Unreadable."""
        ...

    def title(self, value: str | int) -> str:
        """What a sentence calls the value: its text and perhaps more."""
        ...


class Names:
    """Things by index: the index in the engine, the name on the wire.

    `also` maps spare names to indices. `titles` are what sentences call the things: a text, or two words of the
    catalogs, what it is and where.
    """

    def __init__(
        self,
        what: str,
        names: Sequence[str],
        also: Mapping[str, int] | None = None,
        titles: Sequence[str | tuple[str, str]] | None = None,
    ) -> None:
        self.what = what
        self.names = tuple(names)
        self.titles = tuple(titles or names)
        self.index = {name.casefold(): i for i, name in enumerate(self.names)}
        assert len(self.index) == len(self.names), f"two {what}s have one name"
        assert not any(set(name) & set(" ;") for name in self.names), (
            f"the name of a {what} is one word without a semicolon"
        )
        for name, i in (also or {}).items():
            self.index.setdefault(name.casefold(), i)

    def write(self, value: str | int) -> str:
        return self.names[int(value)]

    def read(self, text: str) -> int:
        try:
            return self.index[text.casefold()]
        except KeyError:
            about = {"word_what": self.what, "text": text}
            if len(self.names) > FEW:
                raise Unreadable("unknown-name", **about) from None
            raise Unreadable("unknown-word", **about, texts_known=self.names) from None

    def title(self, value: str | int) -> str:
        title = self.titles[int(value)]
        return title if isinstance(title, str) else f"{title[0]} ({title[1]})"

    def parts(self, value: str | int) -> tuple[str, str] | None:
        """What a thing is and where, as words of the catalogs, if its title is composed of them."""
        title = self.titles[int(value)]
        return None if isinstance(title, str) else title


class OneOf(Names):
    """Things of several kinds in one numbering: those of a kind follow on those of the kind before."""

    def __init__(self, what: str, kinds: Mapping[str, Names]) -> None:
        every = list(kinds.values())
        titles = [title for names in every for title in names.titles]
        super().__init__(what, [name for names in every for name in names.names], titles=titles)
        self.kinds = tuple(kind for kind, names in kinds.items() for _ in names.names)


class Words:
    """One of a few fixed words."""

    def __init__(self, what: str, words: Iterable[str]) -> None:
        self.what = what
        self.words = tuple(words)

    def write(self, value: str | int) -> str:
        return str(value)

    def title(self, value: str | int) -> str:
        return str(value)

    def read(self, text: str) -> str:
        if text.casefold() in self.words:
            return text.casefold()
        raise Unreadable("unknown-word", word_what=self.what, text=text, texts_known=self.words)


class Numbers:
    """Whole numbers."""

    def write(self, value: str | int) -> str:
        return str(value)

    def title(self, value: str | int) -> str:
        return str(value)

    def read(self, text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise Unreadable("not-a-number", text=text) from None


class Notation(Generic[S]):
    """The verbs of a game, each with the kinds of its arguments, and its positions as text.

    A last kind with `*` may be repeated. `write_position` gives the canonical text of a position, `read_position` the
    position of a text, whose pending decisions are of the frames named; Unreadable with line and cause if it is none.
    """

    def __init__(
        self,
        kinds: Mapping[str, Kind],
        verbs: Mapping[str, str],
        write_position: Callable[[S], str],
        read_position: Callable[[str, dict[str, type[AnyFrame]]], S],
    ) -> None:
        self.write_position = write_position
        self.read_position = read_position
        self.kinds = dict(kinds)
        self.verbs = {verb: tuple(signature.split()) for verb, signature in verbs.items()}

    def write(self, action: Action) -> str:
        """The canonical text of an action."""
        verb, *args = action
        kinds = self.kinds_for(str(verb), len(args))
        return " ".join([str(verb), *(self.kinds[kind].write(arg) for kind, arg in zip(kinds, args, strict=True))])

    def read(self, text: str) -> Action:
        """The action of a text, or Unreadable with the cause."""
        words = text.split()
        if not words:
            raise Unreadable("no-verb")
        verb, *args = words
        verb = verb.casefold()
        if verb not in self.verbs:
            raise Unreadable("unknown-verb", text=verb, texts_known=tuple(self.verbs))
        kinds = self.kinds_for(verb, len(args))
        return (verb, *(self.kinds[kind].read(arg) for kind, arg in zip(kinds, args, strict=True)))

    def kind_of(self, kind: str, value: str | int) -> str:
        """The one kind that a value of a kind is: of a place, a hex or an area."""
        known = self.kinds[kind]
        return known.kinds[int(value)] if isinstance(known, OneOf) else kind

    def kinds_for(self, verb: str, count: int) -> list[str]:
        """The kinds of a verb's `count` arguments; Unreadable if it does not take that many."""
        signature = list(self.verbs[verb])
        if signature and signature[-1].endswith("*"):
            repeated = signature.pop()[:-1]
            signature += [repeated] * (count - len(signature))
        if len(signature) != count:
            form = " ".join([verb, *(kind.upper() for kind in self.verbs[verb])])
            raise Unreadable("write-it", text=form)
        return signature

"""A table for rule tests: a position in a few lines, moves in the notation that players see."""

from __future__ import annotations

from salient.kernel import AnyGame, Refusal, State, actor, candidates, legal, step, why_not
from salient.kernel.messages import Event, EventList


class Table:
    """A game in one position."""

    def __init__(self, game: AnyGame, state: State) -> None:
        self.game = game
        self.state = state
        self.events: list[Event] = []

    @classmethod
    def position(cls, game: AnyGame, text: str) -> Table:
        """The position of a text, which must be sound."""
        state = game.read_position(text)
        assert game.check(state) == []
        return cls(game, state)

    def play(self, *texts: str) -> Table:
        """Play actions; a roll is an action like any other."""
        for text in texts:
            events = EventList()
            self.state = step(self.state, self.game.read(text), events)
            assert self.game.check(self.state) == [], text
            self.events += events
        return self

    def try_all(self, *texts: str) -> Table:
        """Another table on which the actions have been played; this one stays as it is."""
        return Table(self.game, self.state).play(*texts)

    @property
    def actor(self) -> str:
        """Whose decision it is."""
        return actor(self.state)

    def choices(self, verb: str = "") -> list[str]:
        """The legal actions that begin with a verb and perhaps more words."""
        texts = [self.game.write(action) for action in legal(self.state)]
        return [text for text in texts if text.startswith(f"{verb} ") or text == verb or not verb]

    def candidates(self) -> list[str]:
        """The legal actions without take-backs and other orders of naming."""
        return [self.game.write(action) for action in candidates(self.state)]

    def destinations(self, unit: str) -> set[str]:
        """Where a unit may move."""
        return {text.split()[2] for text in self.choices(f"move {unit}")}

    def refusal(self, text: str) -> tuple[str, str]:
        """The rule and key of the first reason against an action."""
        refusals: list[Refusal] = why_not(self.state, self.game.read(text))
        assert refusals, f"{text!r} is legal"
        return refusals[0].rule, refusals[0].key

    def said(self, key: str) -> list[Event]:
        """The events of a kind that have happened on this table."""
        return [event for event in self.events if event.key == key]

    def warned(self, text: str) -> set[str]:
        """The keys of what the preview of an action says that it would cost or set off."""
        preview = self.game.view.preview(self.state, self.game.read(text))
        return {effect["key"] for effect in preview.get("effects", [])}

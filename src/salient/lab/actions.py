"""Actions as numbers: by their place in `candidates`, what is offered now, or by a code that never changes."""

from __future__ import annotations

from math import prod

from salient.kernel import Action, AnyGame, Names, Numbers, Words

# The size of the action space by index: a power of two above the longest list that random play has met.
MOST_OFFERED = {"target-arnhem": 2048, "bulge": 2048, "deadly-woods": 4096, "ardennes44": 8192}
USUALLY_OFFERED = 1024
MOST_OUTCOMES = 1024
NUMBERS = 100  # numbers as arguments of players' actions: 0 to 99


def most_offered(game: AnyGame) -> int:
    """How many actions an action space by index has room for."""
    return MOST_OFFERED.get(game.id, USUALLY_OFFERED)


class Encoding:
    """Every action that a game can write, as one number: the same in every position, scenario and process.

    Verbs stand in the order of the game's notation; within a verb the arguments count like digits, the last one
    fastest. Verbs with any number of arguments (rolls of many dice) have no code: chance is counted by index.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.bases: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.size = 0
        for verb, signature in game.notation.verbs.items():
            if any(kind.endswith("*") for kind in signature):
                continue
            radices = tuple(self._radix(kind) for kind in signature)
            self.bases[verb] = (self.size, radices)
            self.size += prod(radices)

    def _radix(self, kind: str) -> int:
        match self.game.notation.kinds[kind]:
            case Names(names=names):
                return len(names)
            case Words(words=words):
                return len(words)
            case Numbers():
                return NUMBERS
        raise TypeError(f"{self.game.id}: arguments of kind {kind!r} cannot be counted")

    def encode(self, action: Action) -> int:
        """The code of an action; ValueError if it has none."""
        verb, *args = action
        if verb not in self.bases:
            raise ValueError(f"{self.game.write(action)!r} has no code: it is a roll of any number of dice.")
        base, radices = self.bases[str(verb)]
        code = 0
        for kind, radix, value in zip(self.game.notation.verbs[str(verb)], radices, args, strict=True):
            digit = self._digit(kind, value)
            if not 0 <= digit < radix:
                raise ValueError(f"{self.game.write(action)!r} has no code: {value!r} is out of range.")
            code = code * radix + digit
        return base + code

    def decode(self, code: int) -> Action:
        """The action of a code; ValueError if it is none."""
        for verb, (base, radices) in self.bases.items():
            if base <= code < base + prod(radices):
                return self._read(verb, code - base, radices)
        raise ValueError(f"{code} is no code of {self.game.title}: 0 to {self.size - 1}.")

    def _read(self, verb: str, code: int, radices: tuple[int, ...]) -> Action:
        values: list[str | int] = []
        kinds = self.game.notation.verbs[verb]
        for kind, radix in zip(reversed(kinds), reversed(radices), strict=True):
            code, digit = divmod(code, radix)
            words = self.game.notation.kinds[kind]
            values.append(words.words[digit] if isinstance(words, Words) else digit)
        return (verb, *reversed(values))

    def _digit(self, kind: str, value: str | int) -> int:
        words = self.game.notation.kinds[kind]
        return words.words.index(str(value)) if isinstance(words, Words) else int(value)

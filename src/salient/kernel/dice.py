"""Dice: verified, seeded, scripted and typed. A verified roll depends only on its number in the game."""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from collections.abc import Iterable
from typing import Protocol

from salient.kernel.messages import Unreadable


class Roller(Protocol):
    """Rolls for one chance action."""

    def die(self, sides: int) -> int:
        """A number from 1 to `sides`, each as likely."""
        ...


class Dice(Protocol):
    """A source of rollers."""

    kind: str

    def roller(self, number: int, purpose: str) -> Roller:
        """The roller for the game's chance action of that number, counted from 0."""
        ...


class SeededDice:
    """A plain generator for the laboratory and for tests."""

    kind = "seeded"

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def roller(self, number: int, purpose: str) -> Roller:
        return self

    def die(self, sides: int) -> int:
        return int(self.random.random() * sides) + 1


class ScriptedDice:
    """The faces a test or a rulebook example names, in order."""

    kind = "scripted"

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = list(faces)

    def roller(self, number: int, purpose: str) -> Roller:
        return self

    def die(self, sides: int) -> int:
        if not self.faces:
            raise Unreadable("script-used-up")
        return check_face(self.faces.pop(0), sides)


class TypedDice:
    """People roll real dice and type what they show: `Session.roll_typed`."""

    kind = "typed"

    def roller(self, number: int, purpose: str) -> Roller:
        raise Unreadable("dice-are-typed")


class VerifiedDice:
    """Dice that nobody can foresee and everybody can check.

    The SHA-256 of a 256-bit secret is shown when the game starts, the secret when it ends. Each die is the HMAC
    of the game's name, the number of the roll, the purpose and a counter, taken without bias by rejection.
    """

    kind = "verified"

    def __init__(self, game_name: str, secret: bytes | None = None) -> None:
        self.game_name = game_name
        self.secret = secrets.token_bytes(32) if secret is None else secret

    @property
    def commitment(self) -> str:
        """What is shown at the start."""
        return hashlib.sha256(self.secret).hexdigest()

    def roller(self, number: int, purpose: str) -> Roller:
        return HmacRoller(self.secret, f"{self.game_name}|{number}|{purpose}")


class HmacRoller:
    """Dice by HMAC of a label and a counter, taken without bias by rejection."""

    def __init__(self, secret: bytes, label: str) -> None:
        self.secret = secret
        self.label = label
        self.counter = 0

    def die(self, sides: int) -> int:
        limit = 2**64 - 2**64 % sides
        while True:
            message = f"{self.label}|{self.counter}".encode()
            self.counter += 1
            value = int.from_bytes(hmac.digest(self.secret, message, "sha256")[:8], "big")
            if value < limit:
                return value % sides + 1


def check_face(face: int, sides: int) -> int:
    """The face, if a die of that many sides has it."""
    if not 1 <= face <= sides:
        raise Unreadable("no-such-face", n=face, n_sides=sides)
    return face

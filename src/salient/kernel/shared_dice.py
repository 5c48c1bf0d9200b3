"""Dice of three parties: a secret of the server and hash chains of both players (docs/DICE.md).

A *cast* is a run of rolls between two decisions. It mixes the server's secret, the next link of the chain that its
decider keeps for his own casts (`active`), and the next link of the chain that the other keeps for them (`passive`).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from salient.kernel.dice import HmacRoller, Roller
from salient.kernel.messages import Refusal, SalientError, Unreadable

ACTIVE, PASSIVE = "active", "passive"
ROLES = (ACTIVE, PASSIVE)
PARTNER = {ACTIVE: PASSIVE, PASSIVE: ACTIVE}  # the role of the other's chain that a chain is mixed with
LENGTH = 32  # bytes of a link
MOST_AHEAD = 1_000  # links that may be shown before they are needed
MOST_LINKS = 100_000  # of a chain: no game needs so many


class BadShare(SalientError):
    """A share of the dice that does not fit what was committed to."""

    problem = Refusal("", "bad-share")


def descend(link: bytes, steps: int) -> bytes:
    """The link so many steps nearer to the head of its chain."""
    for _ in range(steps):
        link = hashlib.sha256(link).digest()
    return link


@dataclass
class Segment:
    """A chain from its commitment to the last link shown: links `first + 1` to `last` are known."""

    first: int
    head: bytes
    last: int
    link: bytes

    def holds(self) -> bool:
        """Whether the link leads to the head."""
        return descend(self.link, self.last - self.first) == self.head


@dataclass
class Chain:
    """What one player has committed to and shown, for one role. A player who lost the seed commits anew."""

    segments: list[Segment] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The number of the last link that is known."""
        return self.segments[-1].last if self.segments else 0

    def commit(self, head: bytes, first: int = 0) -> None:
        """Begin a new chain after the last link known, or after link `first` if that is later."""
        if len(head) != LENGTH:
            raise BadShare
        first = max(self.last, first)
        self.segments.append(Segment(first, head, first, head))

    def show(self, number: int, link: bytes) -> None:
        """Show a link, and with it all before; BadShare if it is not of the chain."""
        if not self.segments or not self.last < number <= MOST_LINKS or len(link) != LENGTH:
            raise BadShare
        segment = self.segments[-1]
        if descend(link, number - segment.last) != segment.link:
            raise BadShare
        segment.last, segment.link = number, link

    @property
    def first(self) -> int:
        """The number after which the links of the commitment in force begin."""
        return self.segments[-1].first if self.segments else 0

    @property
    def head(self) -> bytes | None:
        """The commitment in force; None if there is none yet."""
        return self.segments[-1].head if self.segments else None

    def link(self, number: int) -> bytes | None:
        """A link; None if it has not been shown."""
        for segment in self.segments:
            if segment.first < number <= segment.last:
                return descend(segment.link, segment.last - number)
        return None

    def text(self) -> str:
        """All segments, for a record."""
        return ",".join(f"{s.first}:{s.head.hex()}:{s.last}:{s.link.hex()}" for s in self.segments)

    @classmethod
    def read(cls, text: str) -> Chain:
        """What `text` wrote; Unreadable if a link does not lead to its head."""
        chain = cls()
        try:
            for part in filter(None, text.split(",")):
                first, head, last, link = part.split(":")
                chain.segments.append(Segment(int(first), bytes.fromhex(head), int(last), bytes.fromhex(link)))
        except ValueError:
            raise Unreadable("chains-unreadable") from None
        ends = [0, *(segment.last for segment in chain.segments)]
        if ends[-1] > MOST_LINKS or any(
            s.first < end or s.last < s.first or not s.holds() for s, end in zip(chain.segments, ends, strict=False)
        ):
            raise Unreadable("bad-share")
        return chain


@dataclass(frozen=True)
class Cast:
    """The rolls from number `first` on, until the next cast: whose, and which link of the chains."""

    first: int
    decider: str
    number: int


class SharedDice:
    """Dice that neither the server nor a player can foresee or choose, and that everybody can check at the end."""

    kind = "shared"

    def __init__(self, binding: str, secret: bytes, seats: Iterable[str]) -> None:
        self.binding = binding
        self.secret = secret
        self.chains = {seat: {role: Chain() for role in ROLES} for seat in seats}
        self.casts: list[Cast] = []
        self.used = dict.fromkeys(self.chains, 0)
        self.void = dict.fromkeys(self.chains, 0)  # links up to this number are not used for a decider's casts

    @property
    def commitment(self) -> str:
        """What is shown at the start: bound to the game, its scenario, its options and its players."""
        return hashlib.sha256(f"salient-dice-2|{self.binding}|".encode() + self.secret).hexdigest()

    def other(self, seat: str) -> str:
        """The other player."""
        return next(each for each in self.chains if each != seat)

    def next_number(self, decider: str) -> int:
        """The number of the links that the next cast of a decider uses."""
        return max(self.used[decider], self.void[decider]) + 1

    def _decider(self, seat: str, role: str) -> str:
        return seat if role == ACTIVE else self.other(seat)

    def commit(self, seat: str, role: str, head: bytes) -> None:
        """Commit to a chain. Links that the other showed before are void: nobody chooses a chain who knows them."""
        decider = self._decider(seat, role)
        self._make_void(decider, self.chains[self.other(seat)][PARTNER[role]].last)
        self.chains[seat][role].commit(head, self.void[decider])

    def show(self, seat: str, role: str, number: int, link: bytes, against: bytes) -> None:
        """Show a link against the other's commitment `against`; if that is no longer in force, the link is void."""
        theirs, decider = self.chains[self.other(seat)][PARTNER[role]], self._decider(seat, role)
        if theirs.head is None or number >= self.next_number(decider) + MOST_AHEAD:
            raise BadShare
        self.chains[seat][role].show(number, link)
        if against != theirs.head:
            self._make_void(decider, number)

    def _make_void(self, decider: str, number: int) -> None:
        self.void[decider] = max(self.void[decider], number)

    def missing(self, decider: str) -> list[str]:
        """Who must do something before the next cast of a decider: commit, or show a link.

        One after the other. No link is shown before its partner has committed; and the other's comes after the
        decider's, for who knew both before that could throw the roll away with a new commitment.
        """
        number, other = self.next_number(decider), self.other(decider)
        active, passive = self.chains[decider][ACTIVE], self.chains[other][PASSIVE]
        if passive.head is None:
            return [other]
        if active.link(number) is None:
            return [decider]
        return [other] if passive.link(number) is None else []

    def cast(self, first: int, decider: str) -> None:
        """Begin the next cast of a decider with the roll of number `first`; its links must be known."""
        assert not self.missing(decider)
        self.used[decider] = self.next_number(decider)
        self.casts.append(Cast(first, decider, self.used[decider]))

    def cut(self, rolls: int) -> None:
        """Forget the casts after so many rolls; their links are not used again."""
        self.casts = [cast for cast in self.casts if cast.first < rolls]

    def roller(self, number: int, purpose: str) -> Roller:
        """The roller of the game's roll of that number."""
        cast = next(cast for cast in reversed(self.casts) if cast.first <= number)
        mine = self.chains[cast.decider][ACTIVE].link(cast.number) or b""
        theirs = self.chains[self.other(cast.decider)][PASSIVE].link(cast.number) or b""
        label = f"{self.binding}|{cast.decider}|{cast.number}|{mine.hex()}|{theirs.hex()}"
        key = hmac.digest(self.secret, label.encode(), "sha256")
        return HmacRoller(key, f"{number - cast.first}|{purpose}")

    # ---- record ---------------------------------------------------------------

    @property
    def renewals(self) -> dict[str, int]:
        """How often each player has committed anew."""
        return {
            seat: max(0, *(len(chain.segments) - 1 for chain in roles.values())) for seat, roles in self.chains.items()
        }

    def header(self) -> dict[str, str]:
        """What a record says of the shares."""
        chains = {
            f"{seat}.{role}": chain.text() for seat, roles in self.chains.items() for role, chain in roles.items()
        }
        shown = " ".join(f"{name}={text}" for name, text in chains.items() if text)
        casts = " ".join(f"{cast.first}:{cast.decider}:{cast.number}" for cast in self.casts)
        return {"chains": shown, "casts": casts}

    @classmethod
    def from_header(cls, binding: str, header: Mapping[str, str], seats: Iterable[str]) -> SharedDice:
        """The dice of a finished game's record; Unreadable if the shares do not hold."""
        try:
            dice = cls(binding, bytes.fromhex(header["secret"]), seats)
            for word in header.get("chains", "").split():
                name, text = word.split("=", 1)
                seat, role = name.rsplit(".", 1)
                if dice.chains[seat][role].segments:
                    raise ValueError("a chain is named twice")
                dice.chains[seat][role] = Chain.read(text)
            for word in header.get("casts", "").split():
                first, decider, number = word.split(":")
                dice.casts.append(Cast(int(first), decider, int(number)))
        except (ValueError, KeyError):
            raise Unreadable("chains-unreadable") from None
        return dice

    def check(self, number: int, decider: str, begins: bool) -> None:
        """Unreadable unless the roll of that number belongs to a cast of that decider that begins as it must."""
        cast = next((cast for cast in reversed(self.casts) if cast.first <= number), None)
        fits = cast is not None and cast.decider == decider and (cast.first == number) == begins
        fresh = cast is not None and not any(
            each.decider == cast.decider and each.number >= cast.number and each.first < cast.first
            for each in self.casts
        )
        if cast is None or not fits or not fresh or self._unknown(cast):
            raise Unreadable("share-missing")

    def _unknown(self, cast: Cast) -> bool:
        mine = self.chains[cast.decider][ACTIVE].link(cast.number)
        return mine is None or self.chains[self.other(cast.decider)][PASSIVE].link(cast.number) is None


def new_chain(seed: bytes, length: int) -> list[bytes]:
    """A player's chain: the head (to commit to) first, then the links in the order in which they are shown."""
    links = [seed]
    for _ in range(length):
        links.append(hashlib.sha256(links[-1]).digest())
    return links[::-1]

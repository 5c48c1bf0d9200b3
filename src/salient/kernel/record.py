"""Records: a whole game as readable text. Header lines, then numbered moves under headings, dice included.

salient-record 1
game: target-arnhem
...

== Turn 1, reorganisation
1. chance roll 4 ; a comment
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from salient.kernel.dice import Roller, VerifiedDice
from salient.kernel.engine import actor, step
from salient.kernel.frames import CHANCE, OVER, chance_frame
from salient.kernel.game import AnyGame
from salient.kernel.messages import Illegal, NotYourTurn, Refusal, SalientError, Unreadable, at_line, english
from salient.kernel.shared_dice import SharedDice
from salient.kernel.state import State

FORMAT = 1
FIRST_LINE = f"salient-record {FORMAT}"
HEADER = (
    "game",
    "rules",
    "data",
    "name",
    "scenario",
    "options",
    "seats",
    "dice",
    "commitment",
    "secret",
    "chains",
    "casts",
    "ended",
)
HINT = "hint"  # the comment of a decision for which the computer was asked
BETWEEN = "; "  # two comments
REQUIRED = ("game", "rules", "data", "scenario", "seats", "dice")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # what is told of a record must not command a terminal
MOVE = re.compile(r"(\d{1,9})\. (\S+) ([^;]+?)(?: ; (.*))?$")


class Divergence(SalientError):
    """A record that does not replay: the first wrong move (0: none), the cause, and whether its data were others."""

    def __init__(self, number: int, cause: SalientError, other_data: bool = False) -> None:
        self.number = number
        self.cause = cause
        self.other_data = other_data
        super().__init__(number, cause, other_data)

    def __str__(self) -> str:
        cause = str(self.cause)
        told = english(Refusal("", "at-move", n=self.number, text=cause)) if self.number else cause
        return f"{told} {english(Refusal('', 'other-data'))}" if self.other_data else told


@dataclass
class RecordedMove:
    """One line of a record."""

    seat: str
    text: str
    comment: str = ""


@dataclass
class Record:
    """Header and moves of one game; text both ways."""

    header: dict[str, str]
    moves: list[RecordedMove] = field(default_factory=list)
    headings: dict[int, str] = field(default_factory=dict)

    # ---- text both ways -------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> Record:
        """The record of a text; Unreadable names the line and what is wrong with it."""
        lines = text.removeprefix("\ufeff").splitlines()
        if not lines or not lines[0].startswith("salient-record"):
            raise at_line(1, Unreadable("record-begin", text=FIRST_LINE))
        for number, line in enumerate(lines, start=1):
            if CONTROL.search(line):
                raise at_line(number, Unreadable("record-control"))
        if lines[0].strip() != FIRST_LINE:
            found = lines[0].strip()
            raise at_line(1, Unreadable("record-format", n=FORMAT, text=found))
        record = cls({})
        for number, line in enumerate(lines[1:], start=2):
            try:
                record._read_line(line.strip())
            except Unreadable as error:
                raise at_line(number, error) from error
        for name in REQUIRED:
            if name not in record.header:
                raise Unreadable("record-header-missing", text=name)
        return record

    def _read_line(self, line: str) -> None:
        if not line or line.startswith(";"):
            return
        if line.startswith("== "):
            self.headings[len(self.moves)] = line[3:]
        elif match := MOVE.match(line):
            ply, seat, action, comment = match.groups()
            if int(ply) != len(self.moves) + 1:
                missing = len(self.moves) + 1
                raise Unreadable("record-move-missing", n=missing, text=ply)
            self.moves.append(RecordedMove(seat, " ".join(action.split()), comment or ""))
        elif ": " in line and not self.moves:
            name, value = line.split(": ", 1)
            if name not in HEADER or name in self.header:
                raise Unreadable("record-header-unknown", text=name)
            self.header[name] = value
        else:
            raise Unreadable("record-line", text=line)

    def text(self) -> str:
        """The canonical text."""
        lines = [FIRST_LINE, *(f"{name}: {self.header[name]}" for name in HEADER if self.header.get(name)), ""]
        for ply, move in enumerate(self.moves):
            if ply in self.headings:
                lines.append(f"== {self.headings[ply]}")
            comment = f" ; {move.comment}" if move.comment else ""
            lines.append(f"{ply + 1}. {move.seat} {move.text}{comment}")
        return "\n".join(lines) + "\n"

    # ---- header values --------------------------------------------------------

    def options(self) -> dict[str, str]:
        """The chosen options."""
        return read_pairs(self.header.get("options", ""))

    def seats(self) -> dict[str, str]:
        """Who sat where."""
        return read_pairs(self.header["seats"])

    # ---- replay ---------------------------------------------------------------

    def start(self, game: AnyGame) -> State:
        """The first position; Unreadable if the record is of another game or of other rules."""
        played, rules = self.header["game"], self.header["rules"]
        if played != game.id:
            raise Unreadable("other-game", text=played, word=game.id)
        if rules != str(game.rules_version):
            raise Unreadable("other-rules", text=rules, n=game.rules_version, word=game.id)
        return game.new(self.header["scenario"], self.options())

    def has_other_data(self, game: AnyGame) -> bool:
        """Whether the record was played with other data than the game's own: it may still replay."""
        return self.header["data"] != game.data_hash

    def replay(self, game: AnyGame) -> Iterator[State]:
        """Every position from the first to the last; Divergence at the first move that does not fit."""
        state = self.start(game)
        yield state
        for number, move in enumerate(self.moves, start=1):
            try:
                state = step(state, game.read(move.text), seat=move.seat)
            except (Unreadable, Illegal, NotYourTurn) as error:
                raise Divergence(number, error, self.has_other_data(game)) from error
            yield state

    def verify(self, game: AnyGame) -> State:
        """Replay, and check the dice against the revealed secret; the last position, or Divergence."""
        dice = self._revealed_dice(game)
        before: State | None = None
        rolls = 0
        for ply, state in enumerate(self.replay(game)):
            if before is not None and dice is not None and actor(before) == CHANCE:
                self._check_shares(game, dice, ply - 1, rolls)
                self._check_roll(game, before, ply - 1, dice.roller(rolls, chance_frame(before).purpose(before)))
                rolls += 1
            before = state
        assert before is not None
        if self.header.get("secret") and actor(before) != OVER and not self.header.get("ended"):
            raise Divergence(len(self.moves), Unreadable("record-ends-early"))
        return before

    def renewals(self, game: AnyGame) -> dict[str, int]:
        """How often each player has committed anew to shared dice that are shown: each time shown links were void."""
        dice = self._revealed_dice(game)
        return dice.renewals if isinstance(dice, SharedDice) else {}

    def _revealed_dice(self, game: AnyGame) -> VerifiedDice | SharedDice | None:
        if self.header["dice"] not in ("verified", "shared") or "secret" not in self.header:
            return None
        dice: VerifiedDice | SharedDice
        try:
            if self.header["dice"] == "shared":
                dice = SharedDice.from_header(dice_binding(self.header), self.header, game.seats)
            else:
                dice = VerifiedDice(self.header.get("name", ""), bytes.fromhex(self.header["secret"]))
        except ValueError:
            raise Unreadable("secret-not-hex") from None
        if dice.commitment != self.header.get("commitment"):
            raise Divergence(0, Unreadable("secret-mismatch"))
        return dice

    def _check_shares(self, game: AnyGame, dice: VerifiedDice | SharedDice, ply: int, rolls: int) -> None:
        if isinstance(dice, SharedDice):
            deciders = [move.seat for move in self.moves[:ply] if move.seat != CHANCE]
            begins = ply == 0 or self.moves[ply - 1].seat != CHANCE
            try:
                dice.check(rolls, deciders[-1] if deciders else game.seats[0], begins)
            except Unreadable as error:
                raise Divergence(ply + 1, error) from error

    def _check_roll(self, game: AnyGame, before: State, ply: int, roller: Roller) -> None:
        rolled, told = game.write(chance_frame(before).sample(before, roller)), self.moves[ply].text
        if rolled != told:
            raise Divergence(ply + 1, Unreadable("dice-differ", text=rolled, text_told=told))


def with_comment(comment: str, text: str) -> str:
    """A comment that says one more thing, unless it says so already."""
    parts = [part for part in comment.split(BETWEEN) if part]
    return BETWEEN.join(parts if text in parts else [*parts, text])


def has_hint(comment: str) -> bool:
    """Whether the computer was asked what to do."""
    return HINT in comment.split(BETWEEN)


def comments_before(comments: Mapping[int, str], ply: int) -> dict[int, str]:
    """The comments that are left when everything since a ply is taken back: who asked for a hint has asked."""
    kept = {at: text for at, text in comments.items() if at <= ply}
    if any(has_hint(text) for at, text in comments.items() if at > ply):
        kept[ply] = with_comment(kept.get(ply, ""), HINT)
    return kept


def dice_binding(header: Mapping[str, str]) -> str:
    """What shared dice are bound to: the game's own name, its rules, scenario, options and players."""
    return "|".join(header.get(name, "") for name in ("name", "game", "scenario", "options", "seats"))


def write_pairs(pairs: Mapping[str, str]) -> str:
    """`name=value name='two words'`: the text of a header line that holds several values."""
    return " ".join(f"{name}={shlex.quote(' '.join(value.split()))}" for name, value in pairs.items())


def read_pairs(text: str) -> dict[str, str]:
    """The values that `write_pairs` wrote."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise Unreadable("quotation-open", text=text) from None
    for word in words:
        if "=" not in word:
            raise Unreadable("pair-expected", text=word)
    return dict(word.split("=", 1) for word in words)

"""A session: one game being played, with its log, its dice, and undo to the last barrier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from salient.kernel.dice import Dice, VerifiedDice
from salient.kernel.engine import actor, step
from salient.kernel.frames import CHANCE, OVER, Seat, chance_frame
from salient.kernel.game import AnyGame
from salient.kernel.messages import Event, EventList, Illegal, NotYourTurn, Refusal, SalientError, Unreadable
from salient.kernel.notation import Action
from salient.kernel.record import HINT, Divergence, Record, RecordedMove, comments_before, with_comment, write_pairs
from salient.kernel.shared_dice import SharedDice
from salient.kernel.state import State
from salient.kernel.typed import typed_roll

SNAPSHOT_EVERY = 50


class NothingToUndo(SalientError):
    """The last action lies behind a barrier: dice, another seat's decision, or a reveal."""

    problem = Refusal("", "nothing-to-undo")


class Session:
    """A game in progress. Every change is an action in `actions`; the position follows from them."""

    def __init__(
        self,
        game: AnyGame,
        dice: Dice,
        scenario: str = "",
        options: Mapping[str, str] | None = None,
        seats: Mapping[Seat, str] | None = None,
        name: str = "game",
    ) -> None:
        self.game = game
        self.dice = dice
        self.name = name
        self.scenario = game.scenario(scenario).id
        self.options = game.chosen_options(options)
        self.seats = {seat: (seats or {}).get(seat, "human") for seat in game.seats}
        self.state = game.new(self.scenario, self.options)
        self.actions: list[Action] = []
        self.actors: list[Seat] = []
        self.reveals: list[bool] = []
        self.drafts: list[tuple[Action, ...] | None] = []
        self._draft_began = self.state
        self.ended = ""
        self.headings: dict[int, str] = {}
        self.comments: dict[int, str] = {}  # by the ply that is decided
        self.snapshots: dict[int, State] = {0: self.state}

    def resume(
        self,
        state: State,
        log: Sequence[tuple[Seat, Action]],
        reveals: Sequence[bool],
        drafts: Sequence[tuple[Action, ...] | None],
        headings: Mapping[int, str],
    ) -> None:
        """Go on from a position that was kept, with nothing in hand, without playing again what led to it."""
        self.state = self._draft_began = state
        self.actors = [seat for seat, _ in log]
        self.actions = [action for _, action in log]
        self.reveals = list(reveals)
        self.drafts = list(drafts)
        self.headings = dict(headings)
        self.snapshots[len(log)] = state

    # ---- play -----------------------------------------------------------------

    def play(self, seat: Seat, action: Action) -> list[Event]:
        """Carry out a seat's action; raises NotYourTurn or Illegal and changes nothing if it may not."""
        if self.ended:
            raise Illegal(action, [Refusal("", "game-is-over")])
        events = EventList()
        after = step(self.state, action, events, seat=seat)
        self._append(seat, action, after, any(event.key in self.game.reveals for event in events))
        return events

    def roll(self) -> list[Event]:
        """Let the dice act; the actor must be CHANCE."""
        frame = chance_frame(self.state)
        roller = self.dice.roller(self.roll_number(len(self.actions)), frame.purpose(self.state))
        return self.play(CHANCE, frame.sample(self.state, roller))

    def roll_number(self, ply: int) -> int:
        """The number of the roll at ply `ply`: how many came before it."""
        return self.actors[:ply].count(CHANCE)

    def roll_typed(self, faces: Sequence[int]) -> list[Event]:
        """Let dice act that people rolled; MoreDice or Unreadable, and nothing changes, if they are not as needed."""
        return self.play(CHANCE, typed_roll(chance_frame(self.state), self.state, faces))

    def mark_hint(self) -> None:
        """Note that the computer was asked what to do here; it stays with the decision, whatever is taken back."""
        self.comment(HINT)

    def comment(self, text: str) -> None:
        """Say something about the decision that is due."""
        ply = len(self.actions)
        self.comments[ply] = with_comment(self.comments.get(ply, ""), text)

    def _append(self, seat: Seat, action: Action, after: State, reveals: bool) -> None:
        heading = self.game.view.heading(self.state)
        if heading != self._last_heading():
            self.headings[len(self.actions)] = heading
        self.actions.append(action)
        self.actors.append(seat)
        self.reveals.append(reveals)
        self.drafts.append(self._drafted(after))
        self.state = after
        if len(self.actions) % SNAPSHOT_EVERY == 0:
            self.snapshots[len(self.actions)] = after

    def _drafted(self, after: State) -> tuple[Action, ...] | None:
        """What is named and can be taken back after the last action; None once it is committed."""
        draft = after.stack[-1].draft(after)
        if draft or (self.drafts and self.drafts[-1] and after.key() == self._draft_began.key()):
            return draft
        self._draft_began = after
        return None

    def _last_heading(self) -> str:
        return self.headings[max(self.headings)] if self.headings else ""

    @property
    def actor(self) -> Seat:
        """Whose decision it is; nobody's if the game was ended before its rules end it (`ended` says how)."""
        return OVER if self.ended else actor(self.state)

    # ---- looking back ---------------------------------------------------------

    def state_at(self, ply: int) -> State:
        """The position after the first `ply` actions."""
        start = max(known for known in self.snapshots if known <= ply)
        state = self.snapshots[start]
        for action in self.actions[start:ply]:
            state = step(state, action, trusted=True)
        return state

    def barrier(self, seat: Seat) -> int:
        """The ply to which `seat` may take back: everything since is its own decisions, without a secret shown.

        Nothing is taken back after the end of the game.
        """
        ply = len(self.actions)
        while ply and self.actor != OVER and self.actors[ply - 1] == seat and not self.reveals[ply - 1]:
            ply -= 1
        return ply

    def undo(self, seat: Seat, to: int | None = None) -> list[Action]:
        """Take back the seat's last action (or all since ply `to`); returns what was taken back."""
        target = len(self.actions) - 1 if to is None else to
        if target < self.barrier(seat) or target >= len(self.actions):
            raise NothingToUndo
        return self.go_back(target)

    def go_back(self, target: int) -> list[Action]:
        """Take back everything since ply `target`, whoever did it: only for players who agree on it."""
        taken = self.actions[target:]
        self.state = self.state_at(target)
        del self.actions[target:], self.actors[target:], self.reveals[target:], self.drafts[target:]
        self._draft_began = self.state_at(self._committed())
        self.headings = {ply: text for ply, text in self.headings.items() if ply < target}
        self.snapshots = {ply: state for ply, state in self.snapshots.items() if ply <= target}
        self.comments = comments_before(self.comments, target)
        return taken

    def _committed(self) -> int:
        """The ply before which nothing can be taken back by an action."""
        ply = len(self.drafts)
        while ply and self.drafts[ply - 1] is not None:
            ply -= 1
        return ply

    # ---- record ---------------------------------------------------------------

    def record(self) -> Record:
        """The game so far, sets in canonical order without what was taken back.

        A finished game of verified dice shows its secret.
        """
        header = {
            "game": self.game.id,
            "rules": str(self.game.rules_version),
            "data": self.game.data_hash,
            "name": self.name,
            "scenario": self.scenario,
            "options": write_pairs(self.options),
            "seats": write_pairs(self.seats),
            "dice": self.dice.kind,
        }
        if isinstance(self.dice, (VerifiedDice, SharedDice)):
            header["commitment"] = self.dice.commitment
            if self.actor == OVER:
                header["secret"] = self.dice.secret.hex()
        if isinstance(self.dice, SharedDice):
            header |= self.dice.header()
        if self.ended:
            header["ended"] = self.ended
        return Record(header, *self._canonical())

    def _canonical(self) -> tuple[list[RecordedMove], dict[int, str]]:
        """The moves and headings without detours: each draft as it stands at last, not as it came about."""
        moves: list[RecordedMove] = []
        headings: dict[int, str] = {}
        comments: dict[int, str] = {}
        committed = 0
        for ply, (seat, action, draft) in enumerate(zip(self.actors, self.actions, self.drafts, strict=True)):
            if ply in self.headings:
                headings[len(moves)] = self.headings[ply]
            if ply in self.comments:
                comments[committed] = with_comment(comments.get(committed, ""), self.comments[ply])
            if draft is None:
                moves.append(RecordedMove(seat, self.game.write(action)))
                committed = len(moves)
            else:
                moves[committed:] = [RecordedMove(seat, self.game.write(named)) for named in draft]
        for number, text in comments.items():
            if number < len(moves):
                moves[number].comment = text
        return moves, headings

    @classmethod
    def from_record(cls, record: Record, game: AnyGame, dice: Dice) -> Session:
        """Take up the game of a record; Divergence or Unreadable if it does not replay."""
        record.start(game)
        session = cls(
            game, dice, record.header["scenario"], record.options(), record.seats(), record.header.get("name", "")
        )
        for number, move in enumerate(record.moves, start=1):
            if move.comment:
                session.comment(move.comment)
            try:
                session.play(move.seat, game.read(move.text))
            except (Unreadable, Illegal, NotYourTurn) as error:
                raise Divergence(number, error, record.has_other_data(game)) from error
        return session

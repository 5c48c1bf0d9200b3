"""The terminal game: one line a decision, in the notation that records use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import monotonic

from salient.bots import Choice, Player
from salient.bots.advice import advise
from salient.cli.odds_table import print_odds
from salient.cli.saves import autosave_file, resumed, save
from salient.cli.shared import out, sentence, told_how_far
from salient.cli.views import legal_lines, text_map, units_table
from salient.common.boards import board_of
from salient.hexes.rows import DataError
from salient.kernel import (
    CHANCE,
    OVER,
    Action,
    AnyGame,
    ChanceFrame,
    Event,
    Illegal,
    MoreDice,
    Session,
    Unreadable,
    candidates,
    dice_needed,
    legal,
)
from salient.kernel.messages import SalientError
from salient.kernel.session import NothingToUndo
from salient.text import action_places, describe_action, describe_verb, name, phrase, say_error, stage_text, title

KEEP_EVERY = 2.0
HINT_SECONDS = 10.0


class Leave(Exception):
    """The player leaves the game."""


def ask(question: str) -> str:
    """A line that the player types; Leave at the end of the input."""
    out.print(question, end="", markup=False)
    try:
        return input().strip()
    except EOFError:
        out.print()
        raise Leave from None


class Terminal:
    """A session with people at the keyboard, and perhaps bots."""

    def __init__(self, session: Session, minds: Mapping[str, Player], lang: str) -> None:
        self.session = session
        self.minds = minds
        self.lang = lang
        self.heading = ""
        self.kept = 0.0
        self.reasons: list[tuple[str, float]] = []
        self.commands = {
            "?": self.show_legal,
            "why": self.show_why,
            "odds": self.show_odds,
            "reasons": self.show_reasons,
            "plan": self.show_plan,
            "hint": self.show_hint,
            "undo": self.undo,
            "save": self.save,
            "load": self.load,
            "map": self.show_map,
            "units": self.show_units,
            "help": self.show_help,
            "quit": self.leave,
        }

    # ---- the loop -----------------------------------------------------------------

    def run(self) -> None:
        """Play to the end, or until the player leaves."""
        self.say("welcome", title=title(self.game, self.lang))
        try:
            while self.session.actor != OVER:
                self.turn()
            self.show_result()
        except (Leave, KeyboardInterrupt):
            self.say("left", move=len(self.session.actions), game=self.game.id)
        finally:
            save(self.session, autosave_file(self.game))
            for mind in self.minds.values():
                mind.close()

    def turn(self) -> None:
        """One decision: by dice, by a bot, or by the player."""
        self.show_heading()
        actor = self.session.actor
        if actor == CHANCE:
            self.roll()
        elif actor in self.minds:
            action, reasons = self.choice(self.minds[actor])
            self.reasons = reasons or self.reasons  # what only commits a set has none of its own
            self.tell(self.session.play(actor, action))
        else:
            self.keep()
            self.listen(actor)

    def choice(self, mind: Player) -> Choice:
        """What a computer player decides; if it fails, the game goes on all the same."""
        try:
            return mind.choose(self.session.state)
        except (SalientError, DataError):
            raise
        except Exception as error:
            self.complain(phrase("bot-failed", self.lang, cause=f"{type(error).__name__}: {error}"))
            return Choice(candidates(self.session.state)[0], [])

    def roll(self) -> None:
        """Let the dice act; people who roll their own type what they show, and name what they draw."""
        frame, state = self.session.state.stack[-1], self.session.state
        assert isinstance(frame, ChanceFrame)
        if self.session.dice.kind != "typed":
            self.tell(self.session.roll())
        elif frame.rolls_dice:
            self.ask_dice(name(self.game, frame.purpose(state), self.lang), dice_needed(frame, state))
        else:
            self.listen(CHANCE)

    def ask_dice(self, purpose: str, needed: tuple[int, ...]) -> None:
        """Ask for the faces of real dice until they make a roll; ties and hits may have to be rolled again."""
        faces: list[int] = []
        while True:
            line = ask(phrase("type-dice", self.lang, purpose=purpose, n=len(needed), sides=needed[0]) + " ")
            if line.casefold() in ("quit", "q"):
                raise Leave
            try:
                typed = [int(word) for word in line.replace(",", " ").split()]
                self.tell(self.session.roll_typed([*faces, *typed]))
                return
            except MoreDice as more:
                faces, needed = [*faces, *typed], more.sides
            except Unreadable as error:
                self.complain(say_error(self.game, error, self.lang))
            except ValueError:
                self.complain(phrase("no-such-face", self.lang, sides=needed[0]))

    def keep(self) -> None:
        """Save the game where --resume finds it, if the last time is some seconds ago."""
        if monotonic() - self.kept >= KEEP_EVERY:
            save(self.session, autosave_file(self.game))
            self.kept = monotonic()

    def listen(self, seat: str) -> None:
        """Ask the player at a seat for one line, and do it."""
        prompt = self.session.state.stack[-1].prompt(self.session.state)
        out.print(f"{name(self.game, seat, self.lang)}: {sentence(self.game, prompt, self.lang)}", markup=False)
        line = ask(f"{seat}> ")
        if not line:
            return
        word, _, rest = line.partition(" ")
        if line.startswith("?"):
            word, rest = "?", line[1:]
        try:
            if word.casefold() in self.commands and not self.names_action(line):
                self.commands[word.casefold()](rest.strip())
            else:
                self.tell(self.session.play(seat, self.game.read(line)))
        except NothingToUndo:
            self.complain(phrase("nothing-to-undo", self.lang))
        except SalientError as error:
            self.complain(say_error(self.game, error, self.lang))
        except OSError as error:
            self.complain(f"{error.filename}: {error.strerror}")

    def names_action(self, line: str) -> bool:
        """Whether a line is an action of the game, even if it begins like a command."""
        try:
            self.game.read(line)
        except Unreadable:
            return False
        return True

    # ---- words ----------------------------------------------------------------------

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.session.game

    def say(self, key: str, **args: object) -> None:
        """Print a sentence of the terminal's own."""
        out.print(phrase(key, self.lang, **args), markup=False)

    def complain(self, text: str) -> None:
        """Print what went wrong."""
        out.print(text, style="red", markup=False)

    def tell(self, events: list[Event]) -> None:
        """Print what happened."""
        for event in events:
            out.print(f"  {sentence(self.game, event, self.lang)}", style="dim", markup=False)

    def show_heading(self) -> None:
        """Print turn and phase when they change."""
        view = self.game.view.observe(self.session.state, self.game.seats[0])
        heading = stage_text(self.game, (view["turn"], view["at"]), self.lang)
        if heading != self.heading:
            self.heading = heading
            out.print(f"\n== {heading}", style="bold", markup=False)

    def show_result(self) -> None:
        """Print who has won and why."""
        result = self.game.result(self.session.state)
        assert result is not None, "a finished game has a result"
        message = {"rule": result.rule, "key": result.key, "args": {}}
        out.print(sentence(self.game, message, self.lang), style="bold", markup=False)

    # ---- commands -------------------------------------------------------------------

    def show_legal(self, rest: str) -> None:
        """`?`, `? UNIT`, `? VERB HEX`: the legal actions that mention all the words."""
        actions = legal(self.session.state)
        lines = legal_lines(self.game, actions, rest.split())
        for line in lines:
            out.print(f"  {line}", markup=False)
        if lines:
            self.say("legal-count", n=len(actions))
        else:
            self.say("none-mentions", words=rest)

    def show_why(self, rest: str) -> None:
        """`why ACTION`: why an action is not legal, or what it would do."""
        action = self.action("why", rest)
        reasons = self.game.why_not(self.session.state, action)
        for reason in reasons:
            out.print(f"  {sentence(self.game, reason, self.lang)}", markup=False)
        if not reasons:
            self.say("is-legal", action=describe_action(self.game, action, self.lang))

    def show_odds(self, rest: str) -> None:
        """`odds ACTION`: the exact odds of an attack."""
        action = self.action("odds", rest)
        if action not in legal(self.session.state):
            raise Illegal(action, self.game.why_not(self.session.state, action))
        preview = self.game.view.preview(self.session.state, action)
        if "odds" in preview:
            print_odds(self.game, preview["odds"], self.lang)
        else:
            self.say("no-odds", action=rest)

    def action(self, command: str, rest: str) -> Action:
        """The action that a command is about."""
        if not rest:
            example = self.game.write(legal(self.session.state)[0])
            raise SalientError(phrase("name-an-action", self.lang, command=command, example=example))
        return self.game.read(rest)

    def show_reasons(self, rest: str) -> None:
        """`reasons`: why the computer decided as it did last."""
        if not self.reasons:
            self.say("no-reasons")
        for key, gain in self.reasons:
            out.print(f"  {gain:+.2f} {name(self.game, key, self.lang)}", markup=False)

    def show_plan(self, rest: str) -> None:
        """`plan`: what the computer is about to do, if it has a plan."""
        told = [message for mind in self.minds.values() for message in mind.told()]
        for message in told:
            out.print(f"  {sentence(self.game, message, self.lang)}", markup=False)
        if not told:
            self.say("no-plan")

    def show_hint(self, rest: str) -> None:
        """`hint`: two plans for whoever is to decide, with their chances and how they begin."""
        session, deadline = self.session, monotonic() + HINT_SECONDS
        session.mark_hint()
        try:
            with told_how_far("hint") as tell:
                found = advise(self.game, session.state, session.actor, len(session.actions), deadline, tell)
        except KeyboardInterrupt:
            return self.say("hint-stopped")
        for advice in found:
            chance = "?" if advice.share is None else f"{100 * advice.share:.0f}"
            first = describe_action(self.game, advice.action, self.lang)
            self.say("hint", chance=chance, action=first, written=self.game.write(advice.action))
            for message in advice.told:
                out.print(f"  {sentence(self.game, message, self.lang)}", markup=False)
            for key, gain in advice.reasons:
                out.print(f"  {gain:+.2f} {name(self.game, key, self.lang)}", markup=False)

    def undo(self, rest: str) -> None:
        """`undo`: take back the last action, up to dice, a secret shown or the other side's decision."""
        if not self.session.actors or self.session.actors[-1] in (CHANCE, *self.minds):
            raise NothingToUndo
        taken = self.session.undo(self.session.actors[-1])
        self.say("undone", action=self.game.write(taken[0]))

    def save(self, rest: str) -> None:
        """`save FILE`: write the record."""
        save(self.session, self.file(rest))
        self.say("saved", file=rest)

    def load(self, rest: str) -> None:
        """`load FILE`: take up a saved game; the present one is kept if that fails."""
        session, note = resumed(self.game, self.file(rest), self.session.dice, self.lang)
        session.seats = self.session.seats
        self.session = session
        self.heading = ""
        if note:
            out.print(note, style="yellow", markup=False)
        self.say("loaded", file=rest, move=len(session.actions))

    def file(self, rest: str) -> Path:
        """The file that a command names."""
        if not rest:
            raise SalientError(phrase("name-a-file", self.lang))
        return Path(rest).expanduser()

    def show_map(self, rest: str) -> None:
        """`map`, `map HEX`: the map as text, the whole or around a hex."""
        board = board_of(self.game)
        if board is None:
            self.say("no-map")
        elif rest and rest not in board.index:
            raise SalientError(phrase("no-such-hex", self.lang, hex=rest))
        else:
            seen = self.game.view.observe(self.session.state, self.session.actor)
            out.print(text_map(self.game, board, seen, self.lang, rest), soft_wrap=True)

    def show_units(self, rest: str) -> None:
        """`units`, `units SIDE`: where everything stands, as far as the acting seat may see."""
        if rest not in ("", *self.game.seats):
            raise SalientError(phrase("no-such-side", self.lang, side=rest, sides=", ".join(self.game.seats)))
        out.print(
            units_table(self.game, self.game.view.observe(self.session.state, self.session.actor), self.lang, rest)
        )

    def show_help(self, rest: str) -> None:
        """`help`: the commands, and how each action is written."""
        self.say("help")
        for verb in self.game.notation.verbs:
            written = " ".join([verb, *(place.upper() for place in action_places(self.game, verb))])
            out.print(f"  {written:24} {describe_verb(self.game, verb, self.lang)}", markup=False)

    def leave(self, rest: str) -> None:
        """`quit`: leave; the game is kept."""
        raise Leave

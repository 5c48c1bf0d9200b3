"""Saved games of the terminal: a record, and beside it the secret of dice that are still to be rolled."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from salient.kernel import OVER, AnyGame, Dice, Record, SeededDice, Session, VerifiedDice
from salient.text import phrase


def autosave_file(game: AnyGame) -> Path:
    """Where the last terminal game of a kind is kept."""
    return user_data_path("salient", appauthor=False) / "terminal" / f"{game.id}.salient"


def secret_file(path: Path) -> Path:
    """Where the secret of an unfinished game of verified dice is kept."""
    return path.with_name(path.name + ".secret")


def save(session: Session, path: Path) -> None:
    """Write the record; the secret goes beside it until the game is over and the record shows it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(session.record().text(), encoding="utf-8")
    if isinstance(session.dice, VerifiedDice) and session.actor != OVER:
        secret_file(path).write_text(session.dice.secret.hex() + "\n", encoding="utf-8")
    else:
        secret_file(path).unlink(missing_ok=True)


def resumed(game: AnyGame, path: Path, dice: Dice, lang: str) -> tuple[Session, str]:
    """A saved game with its own dice, and a remark if they are lost; other dice than verified ones are `dice`."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    own, note = dice, ""
    if record.header["dice"] == "verified":
        own = _own_dice(record, path) or SeededDice(record.header.get("commitment", ""))
        note = phrase("dice-lost", lang) if isinstance(own, SeededDice) else ""
    elif isinstance(dice, VerifiedDice):
        own = SeededDice(dice.commitment)
    return Session.from_record(record, game, own), note


def _own_dice(record: Record, path: Path) -> VerifiedDice | None:
    try:
        secret = bytes.fromhex(record.header.get("secret") or secret_file(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    dice = VerifiedDice(record.header.get("name", ""), secret)
    return dice if dice.commitment == record.header.get("commitment") else None

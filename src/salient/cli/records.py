"""Records: watch a game again, and check that a record is true."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from salient.cli.shared import (
    Json,
    Language,
    beyond_the_end,
    out,
    print_json,
    read_record,
    sentence,
    with_progress,
)
from salient.games import game_ids, load
from salient.kernel import OVER, AnyGame, Record, SeededDice, Session, State, actor
from salient.kernel.messages import SalientError
from salient.text import heading, name, phrase, say, say_error


def replay(
    file: Annotated[Path, typer.Argument()],
    to: Annotated[int | None, typer.Option("--to", min=0)] = None,
    position: Annotated[bool, typer.Option("--position")] = False,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Tell a recorded game move by move."""
    record, game = read_record(file)
    if to is not None and to > len(record.moves):
        raise beyond_the_end(len(record.moves))
    last = len(record.moves) if to is None else to
    session = Session.from_record(Record(record.header, record.moves[:last]), game, SeededDice(0))
    if position:
        typer.echo(game.write_position(session.state), nl=False)
    elif as_json:
        print_json(list(_told(record, game, last, lang)))
    else:
        for move in _told(record, game, last, lang):
            _print_move(move, name(game, move["seat"], lang))
        _print_result(game, session.state, lang)


def _told(record: Record, game: AnyGame, last: int, lang: str) -> Any:
    session = Session(game, SeededDice(0), record.header["scenario"], record.options(), record.seats())
    for ply, move in enumerate(record.moves[:last]):
        where = heading(game, session.state, lang)
        events = session.play(move.seat, game.read(move.text))
        yield {
            "move": ply + 1,
            "heading": where if ply in session.headings else None,
            "seat": move.seat,
            "action": move.text,
            "comment": move.comment,
            "events": [event.as_json() | {"text": say(game, event, lang)} for event in events],
        }


def _print_move(move: dict[str, Any], seat: str) -> None:
    if move["heading"]:
        out.print(f"\n== {move['heading']}", style="bold", markup=False)
    comment = f"  ; {move['comment']}" if move["comment"] else ""
    out.print(f"{move['move']}. {seat}: {move['action']}{comment}", markup=False)
    for event in move["events"]:
        out.print(f"     {event['text']} [{event['rule']}]", style="dim", markup=False)


def _print_result(game: AnyGame, state: State, lang: str) -> None:
    result = game.result(state)
    if result is not None:
        out.print()
        out.print(
            sentence(game, {"rule": result.rule, "key": result.key, "args": {}}, lang), style="bold", markup=False
        )


def verify(files: Annotated[list[Path], typer.Argument()], lang: Language = "en", as_json: Json = False) -> None:
    """Replay records and check their dice; exit code 1 if one of them is not true."""
    answers = [_verified(file, lang) for file in with_progress(files, len(files), "verify")]
    if as_json:
        print_json(answers)
    else:
        for answer in answers:
            out.print(
                f"{answer['file']}: {answer['text']}",
                style="green" if answer["ok"] else "red",
                markup=False,
                soft_wrap=True,
            )
    if not all(answer["ok"] for answer in answers):
        raise typer.Exit(1)


def _verified(file: Path, lang: str) -> dict[str, Any]:
    record, cause = None, ""
    try:
        record = Record.parse(file.read_text(encoding="utf-8"))
        game = load(record.header["game"])
        state = record.verify(game)
    except UnicodeDecodeError:
        cause = phrase("not-utf8", lang)
    except FileNotFoundError:
        cause = phrase("no-such-file", lang, file=file)
    except OSError as error:
        cause = phrase("not-readable", lang, cause=error.strerror)
    except SalientError as error:
        cause = _cause(error, record, lang)
    if cause:
        return {"file": str(file), "ok": False, "text": cause}
    assert record is not None
    return {"file": str(file), "ok": True, "text": _summary(record, game, state, lang)}


def _cause(error: SalientError, record: Record | None, lang: str) -> str:
    known = record is not None and record.header["game"] in game_ids()
    return say_error(load(record.header["game"]) if record is not None and known else None, error, lang)


def _summary(record: Record, game: AnyGame, state: State, lang: str) -> str:
    ending = phrase("record-finished" if actor(state) == OVER else "record-unfinished", lang)
    dice = phrase("record-checked" if "secret" in record.header else f"record-{record.header['dice']}", lang)
    told = [phrase("record-true", lang, n=len(record.moves), ending=ending, dice=dice)]
    for seat, times in record.renewals(game).items():
        if times:
            told.append(phrase("record-renewed", lang, name=name(game, seat, lang), n=times))
    if record.has_other_data(game):
        told.append(phrase("record-other-data", lang))
    return " ".join(told)

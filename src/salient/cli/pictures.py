"""Pictures: a position of a record as an image, a whole game as a film, any position in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from salient.cli.shared import Language, err, out, read_record
from salient.cli.views import text_map, units_table
from salient.common.boards import board_of
from salient.games import load
from salient.kernel import AnyGame, Record, State, Unreadable
from salient.text import heading, name, phrase, title

Section = Annotated[str, typer.Option("--section")]
Ply = Annotated[int | None, typer.Option("--ply", min=0)]


def picture(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    target: Annotated[Path, typer.Option("--out")],
    ply: Ply = None,
    section: Section = "",
    overlay: Annotated[str, typer.Option("--overlay")] = "",
    seat: Annotated[str, typer.Option("--seat")] = "",
    every: Annotated[str, typer.Option("--every")] = "phase",
    seconds: Annotated[float, typer.Option("--seconds", min=0.02)] = 0.7,
    scale: Annotated[float | None, typer.Option("--scale", min=6, max=96)] = None,
    lang: Language = "en",
) -> None:
    """Draw a position with its counters, or a recorded game as an animated GIF or as frames for a video."""
    from salient import svg
    from salient.svg import film

    with err.status(phrase("drawing", lang, text=target.name)):
        if target.suffix in (".svg", ".png"):
            _, state = state_of(file, ply)
            drawn = svg.board(state, seat=seat, section=section, overlay=overlay, scale=scale, lang=lang)
            target.write_bytes(svg.png(drawn) if target.suffix == ".png" else drawn.encode())
            return
        record, _ = read_record(file)
        if target.suffix == ".gif":
            count = film.save_gif(record, target, seconds, every=every, section=section, scale=scale, lang=lang)
        elif not target.suffix:
            count = film.save_frames(record, target, every=every, section=section, scale=scale, lang=lang)
        else:
            raise Unreadable("picture-ending", text=target.name)
    out.print(phrase("frames-in", lang, file=target, n=count), markup=False)


def show(
    file: Annotated[Path, typer.Argument(metavar="POSITION")],
    ply: Ply = None,
    around: Annotated[str, typer.Option("--around")] = "",
    units: Annotated[bool, typer.Option("--units")] = False,
    seat: Annotated[str, typer.Option("--seat")] = "",
    lang: Language = "en",
) -> None:
    """Show a position in the terminal: turn and phase, the map with its units, and what is known of the result."""
    game, state = state_of(file, ply)
    seen = game.view.observe(state, seat or game.seats[0])
    out.print(f"{title(game, lang)}. {heading(game, state, lang)}", style="bold", markup=False)
    board = board_of(game)
    if board is not None:
        if around and around not in board.index:
            raise Unreadable("unknown-name", word_what="hex", text=around)
        out.print(text_map(game, board, seen, lang, around), soft_wrap=True)
    for track, value in seen["tracks"].items():
        out.print(f"{name(game, track, lang)}: {value}", markup=False)
    if units or board is None:
        out.print(units_table(game, seen, lang))


def state_of(file: Path, ply: int | None) -> tuple[AnyGame, State]:
    """The game and the position of a file: a record after `ply` moves, or a position's text."""
    text = file.read_text(encoding="utf-8")
    if text.startswith("salient-record"):
        record = Record.parse(text)
        game = load(record.header["game"])
        states = list(record.replay(game))
        if ply is not None and ply >= len(states):
            last = len(states) - 1
            raise Unreadable("beyond-the-end", n=last)
        return game, states[-1 if ply is None else ply]
    game = load(text.partition("\n")[0].removeprefix("position").strip())
    return game, game.read_position(text)

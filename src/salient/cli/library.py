"""What there is: games, the coverage of their rules, their maps."""

from __future__ import annotations

from dataclasses import asdict
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

import salient
from salient.cli.coverage import Coverage, coverage_of
from salient.cli.shared import GameName, Json, Language, err, known_language, out, print_json
from salient.common.data import own_folder
from salient.games import load
from salient.hexes.board import Board
from salient.hexes.check import check_board
from salient.hexes.load import load_board
from salient.kernel import Unreadable
from salient.text import name, phrase, say_problem


def games(lang: Language = "en", as_json: Json = False) -> None:
    """List the games with their seats, scenarios and options."""
    known_language(lang)
    listed = [_game_values(game_id) for game_id in salient.game_ids()]
    if as_json:
        print_json(listed)
        return
    for values in listed:
        game = load(values["id"])
        table = Table(title=f"{values['title']}  ({values['id']})", title_justify="left", show_header=False, box=None)
        table.add_row("seats", ", ".join(f"{seat} ({name(game, seat, lang)})" for seat in values["seats"]))
        for scenario in values["scenarios"]:
            title = name(game, scenario["id"], lang)
            table.add_row("scenario", f"{scenario['id']} ({title}), {scenario['turns']} turns [{scenario['rule']}]")
        for option in values["options"]:
            table.add_row("option", f"{option['id']}: {', '.join(option['choices'])} [{option['rule']}]")
        out.print(table)
        out.print()


def _game_values(game_id: str) -> dict[str, Any]:
    game = load(game_id)
    return {
        "id": game.id,
        "title": game.title,
        "seats": list(game.seats),
        "rules_version": game.rules_version,
        "data_hash": game.data_hash,
        "scenarios": [{"id": each.id, "turns": each.turns, "rule": each.rule} for each in game.scenarios],
        "options": [{"id": each.id, "choices": list(each.choices), "rule": each.rule} for each in game.options],
    }


def rules(
    game: GameName,
    missing: Annotated[bool, typer.Option("--missing", help="Only rules without a test.")] = False,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """List every rule with its module and its tests, and how many have one."""
    known_language(lang)
    coverage = coverage_of(load(game))
    if as_json:
        print_json(coverage.as_json())
        return
    out.print(_rules_table(coverage, missing, lang))
    share = f"{coverage.per_cent:.0f}"
    out.print(phrase("rules-covered", lang, n=coverage.covered, n_all=len(coverage.rules), share=share))
    if coverage.strangers:
        out.print(phrase("rules-strangers", lang, tests=", ".join(coverage.strangers)), style="yellow")


def _rules_table(coverage: Coverage, missing: bool, lang: str) -> Table:
    table = Table(box=None, header_style="bold")
    for column in ("rule", "words", "module", "status", "tests"):
        table.add_column(phrase(f"rules-{column}", lang))
    for rule in coverage.rules:
        if not (missing and rule.tests):
            tests = "\n".join(rule.tests) or "-"
            table.add_row(
                rule.number, rule.words, rule.module, rule.status, tests, style="" if rule.tests else "yellow"
            )
    return table


# ---- maps --------------------------------------------------------------------------


def draw_map(
    words: Annotated[list[str], typer.Argument(metavar="[check] GAME", help="A game, or `check` and a game.")],
    png: Annotated[Path | None, typer.Option("--png", help="Write the map as a PNG image.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the map as an SVG drawing.")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", help="Write the map for a printer.")] = None,
    paper: Annotated[str, typer.Option("--paper", help="A0, A1, A2: one sheet; A3, A4: tiles of an A1.")] = "A1",
    scale: Annotated[float, typer.Option("--scale", min=2, max=400, help="Pixels from hex centre to corner.")] = 40.0,
    layer: Annotated[list[str] | None, typer.Option("--layer", help="Draw this layer; may be repeated.")] = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Draw a game's map to a file, or check it (`salient map check GAME`)."""
    known_language(lang)
    if len(words) == 2 and words[0] == "check":
        _check_map(words[1], as_json, lang)
        return
    if len(words) != 1:
        form = "salient map GAME --png FILE, salient map check GAME"
        raise Unreadable(f"Write it: {form}.", "write-it", text=form)
    board = map_of(words[0])
    if png is None and svg is None and pdf is None:
        raise Unreadable("Name a file to draw to: --png FILE, --svg FILE or --pdf FILE.", "name-a-picture")
    from salient.maps import sheet
    from salient.maps.around import read_around

    with err.status(f"Drawing the map of {words[0]}"):
        try:
            around = read_around(_data_of(words[0]))
            options = sheet.Options(scale, lang, tuple(layer or sheet.PRINT_LAYERS), around=around)
            if pdf is not None:
                pdf.write_bytes(sheet.render_pdf(board, paper.upper(), lang, around))
        except (ValueError, ImportError) as error:
            raise Unreadable(str(error)) from None
        if png is None and svg is None:
            return
        drawing = sheet.render_svg(board, options)
        if svg is not None:
            svg.write_text(drawing, encoding="utf-8")
        if png is not None:
            png.write_bytes(sheet.svg_to_png(drawing))


def map_of(game_id: str) -> Board:
    """The map of a game by its id, also of one whose rules are not written yet."""
    folder = _data_of(game_id)
    if not game_id.replace("-", "_").isidentifier() or not (folder / "grid.toml").is_file():
        raise Unreadable(f"There is no map of {game_id!r}.", "no-map-of", text=game_id)
    return load_board(folder, own_folder(game_id))


def _data_of(game_id: str) -> Traversable:
    return resources.files("salient.games") / game_id.replace("-", "_") / "data"


def _check_map(game_id: str, as_json: bool, lang: str) -> None:
    report = check_board(map_of(game_id))
    counts = asdict(report.counts)
    if as_json:
        print_json({"findings": [asdict(finding) for finding in report.findings], "counts": counts})
    else:
        for what, counted in counts.items():
            out.print(f"{what.replace('_', ' ')}: {_counted(counted)}", markup=False)
        for finding in report.findings:
            out.print(say_problem(finding, lang), style="red", markup=False)
        out.print(phrase("map-findings", lang, n=len(report.findings)))
    if report.findings:
        raise typer.Exit(1)


def _counted(counts: Any) -> str:
    if not isinstance(counts, dict):
        return str(counts)
    return ", ".join(f"{key} ({_counted(n)})" if isinstance(n, dict) else f"{key} {n}" for key, n in counts.items())

"""What there is: games, the coverage of their rules, their maps."""

from __future__ import annotations

from dataclasses import asdict
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from salient.cli.shared import GameName, Json, Language, err, out, print_json
from salient.common.data import own_folder
from salient.games import listed_games, load
from salient.kernel import GameListing, Unreadable
from salient.text import name, phrase, say_data_error, say_problem, title

if TYPE_CHECKING:
    from salient.cli.coverage import Coverage
    from salient.hexes.board import Board


def games(lang: Language = "en", as_json: Json = False) -> None:
    """List the games with their seats, scenarios and options."""
    found, errors = listed_games()
    for error in errors:
        err.print(say_data_error(error, lang), markup=False)
    listed = [_game_values(game) for game in found]
    if as_json:
        print_json(listed)
        return
    for game, values in zip(found, listed, strict=True):
        head = f"{title(game, lang)}  ({game.id})"
        table = Table(title=head, title_justify="left", show_header=False, box=None)
        seats = ", ".join(f"{seat} ({name(game, seat, lang)})" for seat in values["seats"])
        table.add_row(phrase("games-seats", lang), seats)
        for scenario in values["scenarios"]:
            called, length = name(game, scenario["id"], lang), phrase("games-turns", lang, n=scenario["turns"])
            table.add_row(phrase("games-scenario", lang), f"{scenario['id']} ({called}), {length} [{scenario['rule']}]")
        for option in values["options"]:
            choices = ", ".join(option["choices"])
            table.add_row(phrase("games-option", lang), f"{option['id']}: {choices} [{option['rule']}]")
        out.print(table)
        out.print()


def _game_values(game: GameListing) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "seats": list(game.seats),
        "rules_version": game.rules_version,
        "scenarios": [{"id": each.id, "turns": each.turns, "rule": each.rule} for each in game.scenarios],
        "options": [{"id": each.id, "choices": list(each.choices), "rule": each.rule} for each in game.options],
    }


def rules(
    game: GameName,
    missing: Annotated[bool, typer.Option("--missing")] = False,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """List every rule with its module and its tests, and how many have one."""
    from salient.cli.coverage import coverage_of, titles_of

    coverage = coverage_of(load(game))
    if as_json:
        print_json(coverage.as_json())
        return
    out.print(_rules_table(coverage, titles_of(load(game), lang), missing, lang))
    share = f"{coverage.per_cent:.0f}"
    out.print(phrase("rules-covered", lang, n=coverage.covered, n_all=len(coverage.rules), share=share))
    if coverage.unlisted:
        out.print(phrase("rules-unlisted", lang, tests=", ".join(coverage.unlisted)), style="yellow")


def _rules_table(coverage: Coverage, titles: dict[str, str], missing: bool, lang: str) -> Table:
    table = Table(box=None, header_style="bold")
    for column in ("rule", "words", "module", "status", "tests"):
        table.add_column(phrase(f"rules-{column}", lang))
    for rule in coverage.rules:
        if not (missing and rule.tests):
            tests = "\n".join(rule.tests) or "-"
            about = titles.get(rule.number, rule.words)
            table.add_row(rule.number, about, rule.module, rule.status, tests, style="" if rule.tests else "yellow")
    return table


# ---- maps --------------------------------------------------------------------------


def draw_map(
    words: Annotated[list[str], typer.Argument(metavar="[check] GAME")],
    png: Annotated[Path | None, typer.Option("--png")] = None,
    svg: Annotated[Path | None, typer.Option("--svg")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf")] = None,
    paper: Annotated[str, typer.Option("--paper")] = "A1",
    scale: Annotated[float, typer.Option("--scale", min=2, max=400)] = 40.0,
    layer: Annotated[list[str] | None, typer.Option("--layer")] = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Draw a game's map to a file, or check it (`salient map check GAME`)."""
    if len(words) == 2 and words[0] == "check":
        _check_map(words[1], as_json, lang)
        return
    if len(words) != 1:
        form = "salient map GAME --png FILE, salient map check GAME"
        raise Unreadable("write-it", text=form)
    board = map_of(words[0])
    if png is None and svg is None and pdf is None:
        raise Unreadable("name-a-picture")
    from salient.maps import sheet
    from salient.maps.around import read_around

    with err.status(phrase("drawing", lang, text=words[0])):
        around = read_around(_data_of(words[0]))
        options = sheet.Options(scale, lang, tuple(layer or sheet.PRINT_LAYERS), around=around)
        if pdf is not None:
            pdf.write_bytes(sheet.render_pdf(board, paper.upper(), lang, around))
        if png is None and svg is None:
            return
        drawing = sheet.render_svg(board, options)
        if svg is not None:
            svg.write_text(drawing, encoding="utf-8")
        if png is not None:
            png.write_bytes(sheet.svg_to_png(drawing))


def map_of(game_id: str) -> Board:
    """The map of a game by its id, also of one whose rules are not written yet."""
    from salient.hexes.load import load_board

    folder = _data_of(game_id)
    if not game_id.replace("-", "_").isidentifier() or not (folder / "grid.toml").is_file():
        raise Unreadable("no-map-of", text=game_id)
    return load_board(folder, own_folder(game_id))


def _data_of(game_id: str) -> Traversable:
    return resources.files("salient.games") / game_id.replace("-", "_") / "data"


def _check_map(game_id: str, as_json: bool, lang: str) -> None:
    from salient.hexes.check import check_board

    report = check_board(map_of(game_id))
    counts = asdict(report.counts)
    if as_json:
        print_json({"findings": [asdict(finding) for finding in report.findings], "counts": counts})
    else:
        for what, counted in counts.items():
            out.print(phrase(f"map-{what.replace('_', '-')}", lang, text=_counted(counted)), markup=False)
        for finding in report.findings:
            out.print(say_problem(finding, lang), style="red", markup=False)
        out.print(phrase("map-findings", lang, n=len(report.findings)))
    if report.findings:
        raise typer.Exit(1)


def _counted(counts: Any) -> str:
    if not isinstance(counts, dict):
        return str(counts)
    return ", ".join(f"{key} ({_counted(n)})" if isinstance(n, dict) else f"{key} {n}" for key, n in counts.items())

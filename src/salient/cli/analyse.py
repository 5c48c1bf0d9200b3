"""The analysis of a recorded game: on the terminal, or as a page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Annotated

import typer

from salient.bots.analysis import Analysis, Mistake, analyse
from salient.cli.shared import Language, out, read_record, told_how_far
from salient.kernel import AnyGame
from salient.kernel.messages import SalientError
from salient.text import describe_action, name, phrase, say_error

WIDTH, HEIGHT = 720, 200
STYLE = (
    ":root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}"
    "body{max-width:46rem;margin:2rem auto;padding:0 1rem}circle{fill:currentColor}"
)
BLOCKS = " ▁▂▃▄▅▆▇█"


def analyse_game(
    file: Annotated[Path, typer.Argument()],
    page: Annotated[Path | None, typer.Option("--out")] = None,
    lang: Language = "en",
) -> None:
    """Tell how the chances of a game went, luck and skill apart, and which decisions cost most."""
    record, game = read_record(file)
    try:
        list(record.replay(game))
    except SalientError as error:
        raise SalientError(say_error(game, error, lang)) from error
    with told_how_far(file.name) as tell:
        found = analyse(game, record, tell)
    lines = told(game, found, lang)
    out.print("".join(BLOCKS[round(point.share * (len(BLOCKS) - 1))] for point in found.points), markup=False)
    for line in lines:
        out.print(line, markup=False, soft_wrap=True)
    if page:
        page.write_text(written(game, found, lines, lang), encoding="utf-8")
        out.print(phrase("analysis-page", lang, text=str(page)), markup=False, soft_wrap=True)


def told(game: AnyGame, found: Analysis, lang: str) -> list[str]:
    """The analysis in sentences."""
    first = name(game, game.seats[0], lang)
    start, end = (f"{100 * found.points[at].share:.0f}" for at in (0, -1))
    lines = [
        phrase("analysis-curve", lang, text=first, text_start=start, text_end=end),
        phrase("analysis-luck", lang, text=first, text_luck=_signed(found.luck), text_skill=_signed(found.skill)),
    ]
    if not found.worst:
        lines.append(phrase("analysis-no-mistakes", lang))
    return lines + [_mistake(game, mistake, lang) for mistake in found.worst]


def _mistake(game: AnyGame, mistake: Mistake, lang: str) -> str:
    reasons = ", ".join(name(game, key, lang) for key, gain in mistake.reasons if gain > 0)
    return phrase(
        "analysis-mistake",
        lang,
        n=mistake.ply + 1,
        text_seat=name(game, mistake.seat, lang),
        text_played=describe_action(game, mistake.played, lang),
        text_better=describe_action(game, mistake.better, lang),
        text_cost=f"{100 * mistake.cost:.0f}",
        text_reasons=reasons or "-",
    )


def _signed(share: float) -> str:
    return f"{100 * share:+.0f}"


def written(game: AnyGame, found: Analysis, lines: list[str], lang: str) -> str:
    """The analysis as one page, with the curve as a picture."""
    last = max(1, found.points[-1].ply)
    curve = " ".join(f"{WIDTH * each.ply / last:.0f},{HEIGHT * (1 - each.share):.0f}" for each in found.points)
    marks = "".join(
        f'<circle cx="{WIDTH * each.ply / last:.0f}" cy="{HEIGHT / 2:.0f}" r="5"><title>{each.ply + 1}</title></circle>'
        for each in found.worst
    )
    title = escape(game.title)
    said = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" fill="none" stroke="currentColor">'
        f'<line x1="0" x2="{WIDTH}" y1="{HEIGHT / 2:.0f}" y2="{HEIGHT / 2:.0f}" stroke-dasharray="4"/>'
        f'<polyline points="{curve}" stroke-width="2"/>{marks}</svg>{said}</html>\n'
    )

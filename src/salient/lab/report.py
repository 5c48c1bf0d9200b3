"""The report of a study: one page with everything in it, figures, plots and maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from statistics import median
from typing import Any

from salient.common.boards import board_of
from salient.games import load
from salient.kernel import AnyGame, Unreadable
from salient.lab.simulate import wilson
from salient.lab.study import Study
from salient.lab.trial import Row
from salient.svg.counters import side_colour
from salient.text import name, phrase, title

TRACK_COLOURS = ("#a3132c", "#0072b2", "#009e73", "#e69f00", "#6a2c91")
PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ background: #f3ecdb; color: #2a2418; font: 17px/1.55 "Alegreya", Georgia, serif; margin: 0; }}
main {{ max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.5rem 5rem; }}
h1 {{ font-size: 2.1rem; margin: 0 0 .2em; }}
h2 {{ margin: 2.4em 0 .5em; border-bottom: 2px solid #a3132c; padding-bottom: .15em; }}
table {{ border-collapse: collapse; width: 100%; background: #fbf7ec; }}
th, td {{ text-align: left; padding: .45em .7em; border-bottom: 1px solid #d9cfb8; }}
td.n, th.n {{ text-align: right; font-variant-numeric: tabular-nums; }}
figure {{ margin: 1.2rem 0; background: #fbf7ec; padding: .8rem; border: 1px solid #d9cfb8; border-radius: 6px; }}
figure svg {{ width: 100%; height: auto; max-height: 58rem; display: block; margin: 0 auto; }}
figcaption {{ font-style: italic; margin-top: .4em; }}
.two {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 0 1.2rem; }}
.about {{ font-size: 1.1em; max-width: 46rem; white-space: pre-line; }}
.finding {{ font-size: 1.15em; border-left: 4px solid #a3132c; padding: .1em 0 .1em 1em; max-width: 46rem; }}
.legend {{ display: flex; flex-wrap: wrap; gap: .2em 1.6em; margin: 0 0 .6em; }}
.line {{ display: inline-block; width: 2.2em; height: .35em; margin-right: .5em; vertical-align: middle; }}
.small {{ color: #6b5f49; font-size: .9em; }}
</style></head><body><main>
{body}
</main></body></html>
"""


class NoGames(Unreadable):
    """A report of a study that has not been played."""


def figures(study: Study, rows: Sequence[Row]) -> dict[str, Any]:
    """The figures of a study as plain values: each cell with its shares of wins, and what variations change."""
    seats = load(study.game).seats
    cells = []
    for cell in study.cells:
        found = [row for row in rows if row["cell"] == cell.number]
        wins = {seat: asdict(wilson(sum(row["winner"] == seat for row in found), len(found))) for seat in seats}
        cells.append(
            {
                "title": cell.title,
                "variation": cell.variation,
                "scenario": cell.scenario,
                "players": dict(cell.players),
                "games": len(found),
                "wins": wins,
                "turns": median([row["turns"] for row in found]) if found else 0,
                "actions": median([row["plies"] for row in found]) if found else 0,
                "seconds": sum(row["seconds"] for row in found),
                "faults": sum(bool(row["fault"]) for row in found),
            }
        )
    return {
        "title": study.title,
        "game": study.game,
        "games": len(rows),
        "cells": cells,
        "effects": _effects(cells, seats),
    }


def _effects(cells: list[dict[str, Any]], seats: Sequence[str]) -> list[dict[str, Any]]:
    from salient.lab.plots import difference

    seat, found = seats[0], []
    for cell in cells:
        same = [c for c in cells if (c["scenario"], c["players"]) == (cell["scenario"], cell["players"])]
        base = next(c for c in same if c["variation"] == "base")
        if cell is base or not cell["games"] or not base["games"]:
            continue
        mine, its = cell["wins"][seat], base["wins"][seat]
        change, low, high = difference(mine["wins"], mine["games"], its["wins"], its["games"])
        found.append({"title": cell["title"], "seat": seat, "change": change, "low": low, "high": high})
    return found


def write_report(study: Study, rows: Sequence[Row], page: Path, lang: str = "en") -> None:
    """Write the page in a language; NoGames if there is nothing to tell."""
    if not rows:
        raise NoGames("no-games-played", text=study.file.name)
    told = titled(figures(study, rows), lang)
    game = load(study.game)
    parts = [
        _head(study, told, lang),
        *_plots(study, rows, told, lang),
        *_maps(game, rows, lang),
        _faults(game, rows, lang),
        _foot(rows, lang),
    ]
    body = "\n".join(part for part in parts if part)
    page.write_text(PAGE.format(lang=escape(lang), title=escape(study.title), body=body), encoding="utf-8")


def titled(told: dict[str, Any], lang: str) -> dict[str, Any]:
    """The figures with the titles of their cells in the reader's language; names that a study gives stay."""
    game = load(told["game"])
    titles = {}
    for cell in told["cells"]:
        variation = phrase("study-base", lang) if cell["variation"] == "base" else cell["variation"]
        players = " - ".join(cell["players"].values())
        titles[cell["title"]] = ", ".join([variation, name(game, cell["scenario"], lang), players])
    return told | {
        part: [each | {"title": titles[each["title"]]} for each in told[part]] for part in ("cells", "effects")
    }


def _head(study: Study, told: dict[str, Any], lang: str) -> str:
    game = load(study.game)
    lines = []
    for cell in told["cells"]:
        shares = "".join(f'<td class="n">{_share(rate, lang)}</td>' for rate in cell["wins"].values())
        lines.append(
            f'<tr><td>{escape(cell["title"])}</td><td class="n">{cell["games"]}</td>{shares}'
            f'<td class="n">{cell["turns"]:g}</td><td class="n">{cell["actions"]:.0f}</td></tr>'
        )
    won = [phrase("study-won-by", lang, seat=name(game, seat, lang)) for seat in game.seats]
    games, turns, actions = (phrase(f"study-head-{column}", lang) for column in ("games", "turns", "actions"))
    columns = "".join(f'<th class="n">{escape(column)}</th>' for column in (games, *won, turns, actions))
    played = phrase("study-games", lang, text=title(game, lang), n=told["games"])
    finding = f"<p class='finding'>{escape(study.finding)}</p>" if study.finding else ""
    return (
        f"<h1>{escape(study.title)}</h1><p class='small'>{escape(played)}</p>"
        f"<p class='about'>{escape(study.about)}</p>{finding}"
        f"<table><tr><th>{escape(phrase('study-head-cell', lang))}</th>{columns}</tr>{''.join(lines)}</table>"
    )


def _share(rate: dict[str, Any], lang: str) -> str:
    interval = phrase("from-to", lang, text_low=f"{rate['low']:.0%}", text_high=f"{rate['high']:.0%}")
    return f"{rate['rate']:.0%} <small>({escape(interval)})</small>"


def _heading(key: str, lang: str) -> str:
    return f"<h2>{escape(phrase(key, lang))}</h2>"


def _plots(study: Study, rows: Sequence[Row], told: dict[str, Any], lang: str) -> list[str]:
    from salient.lab import plots

    game = load(study.game)
    base = [row for row in rows if row["cell"] == 0]
    parts = [_heading("study-who-wins", lang), _figure(plots.win_rates(game, told["cells"], lang))]
    if told["effects"]:
        parts += [_heading("study-variations", lang), _figure(plots.effects(game, told["effects"], lang))]
    parts += [_heading("study-course", lang), "<div class='two'>", *_courses(game, base, lang)]
    if study.luck and any(row["luck"] for row in base):
        parts.append(_figure(plots.luck(game, base, lang)))
    if any(row["odds"] for row in base):
        parts.append(_figure(plots.odds(base, lang)))
    parts.append("</div>")
    return parts


def _courses(game: AnyGame, base: Sequence[Row], lang: str) -> list[str]:
    """What changes from turn to turn: points, strength, the judge's opinion; and when games ended."""
    from salient.lab import plots

    tracks = [track["id"] for track in game.components()["tracks"]]
    points = {f"track_{t}": (name(game, t, lang), colour) for t, colour in zip(tracks, TRACK_COLOURS, strict=False)}
    strength = {f"strength_{side}": (name(game, side, lang), side_colour(side)) for side in _sides(game)}
    worth = {"worth": (phrase("study-worth", lang), "#6a2c91")}
    judge = phrase("study-judge", lang, seat=name(game, game.seats[0], lang))
    return [
        _figure(plots.by_turn(base, points, phrase("study-points", lang), lang)) if points else "",
        _figure(plots.by_turn(base, strength, phrase("study-strength", lang), lang)),
        _figure(plots.lengths(game, base, lang)),
        _figure(plots.by_turn(base, worth, judge, lang, with_end=False)),
    ]


def _sides(game: AnyGame) -> list[str]:
    return sorted({about["side"] for about in game.components()["units"].values()})


def _maps(game: AnyGame, rows: Sequence[Row], lang: str) -> list[str]:
    from salient.lab import chartmaps

    if board_of(game) is None:
        return []
    base = [row for row in rows if row["cell"] == 0]
    return [
        _heading("study-where", lang),
        chartmaps.ground(game, lang),
        chartmaps.fronts(game, base, lang),
        "<div class='two'>",
        *(chartmaps.heat(game, base, side, lang) for side in _sides(game)),
        "</div>",
    ]


def _figure(svg: str) -> str:
    return f"<figure>{svg}</figure>"


def _faults(game: AnyGame, rows: Sequence[Row], lang: str) -> str:
    lines = "".join(f"<li>{escape(_fault(game, row, lang))}</li>" for row in rows if row["fault"])
    if not lines:
        return ""
    about = phrase("study-broken-about", lang)
    return f"{_heading('study-broken', lang)}<p>{escape(about)}</p><ul>{lines}</ul>"


def _fault(game: AnyGame, row: Row, lang: str) -> str:
    told = {"text": f"{row['cell']}/{row['index']}", "text_fault": row["fault"]}
    if row["failed"]:
        return phrase("study-lost", lang, seat=name(game, row["failed"], lang), **told)
    return phrase("study-fault", lang, **told)


def _foot(rows: Sequence[Row], lang: str) -> str:
    first, seconds = rows[0], round(sum(row["seconds"] for row in rows))
    told = phrase(
        "study-foot", lang, text_rules=first["rules"], text_data=first["data"], n=len(rows), n_seconds=seconds
    )
    return f"<p class='small'>{escape(told)}</p>"

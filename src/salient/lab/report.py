"""The report of a study: one page with everything in it, figures, plots and maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from statistics import median
from typing import Any

from salient.games import load
from salient.kernel.messages import SalientError
from salient.lab.simulate import wilson
from salient.lab.study import Study
from salient.lab.trial import Row
from salient.maps.boards import board_of
from salient.svg.counters import side_colour

TRACK_COLOURS = ("#a3132c", "#0072b2", "#009e73", "#e69f00", "#6a2c91")
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
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
.small {{ color: #6b5f49; font-size: .9em; }}
</style></head><body><main>
{body}
</main></body></html>
"""


class NoGames(SalientError):
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


def write_report(study: Study, rows: Sequence[Row], page: Path) -> None:
    """Write the page; NoGames if there is nothing to tell."""
    if not rows:
        raise NoGames(f"{study.file.name} has no finished games yet: `salient study run` plays them.")
    told = figures(study, rows)
    parts = [_head(study, told), *_plots(study, rows, told), *_maps(study, rows), _faults(rows), _foot(rows)]
    page.write_text(
        PAGE.format(title=escape(study.title), body="\n".join(part for part in parts if part)), encoding="utf-8"
    )


def _head(study: Study, told: dict[str, Any]) -> str:
    seats = load(study.game).seats
    lines = []
    for cell in told["cells"]:
        shares = "".join(
            f'<td class="n">{rate["rate"]:.0%} <small>({rate["low"]:.0%} to {rate["high"]:.0%})</small></td>'
            for rate in cell["wins"].values()
        )
        lines.append(
            f'<tr><td>{escape(cell["title"])}</td><td class="n">{cell["games"]}</td>{shares}'
            f'<td class="n">{cell["turns"]:g}</td><td class="n">{cell["actions"]:g}</td></tr>'
        )
    columns = "".join(f'<th class="n">won by {escape(seat)}</th>' for seat in seats)
    return (
        f"<h1>{escape(study.title)}</h1><p class='small'>{escape(load(study.game).title)}, {told['games']} games</p>"
        f"<p class='about'>{escape(study.about)}</p>"
        f'<table><tr><th>cell</th><th class="n">games</th>{columns}'
        f'<th class="n">turns</th><th class="n">actions</th></tr>{"".join(lines)}</table>'
    )


def _plots(study: Study, rows: Sequence[Row], told: dict[str, Any]) -> list[str]:
    from salient.lab import plots

    game = load(study.game)
    base = [row for row in rows if row["cell"] == 0]
    parts = ["<h2>Who wins</h2>", _figure(plots.win_rates(told["cells"], game.seats[0]))]
    if told["effects"]:
        parts += ["<h2>What the variations change</h2>", _figure(plots.effects(told["effects"], game.seats[0]))]
    tracks = [track["id"] for track in game.components()["tracks"]]
    columns = {f"track_{track}": colour for track, colour in zip(tracks, TRACK_COLOURS, strict=False)}
    sides = sorted({about["side"] for about in game.components()["units"].values()})
    strength = {f"strength_{side}": side_colour(side) for side in sides}
    parts.append("<h2>How the games went</h2><div class='two'>")
    parts.append(_figure(plots.by_turn(base, columns, "Points by turn: median and middle half")) if columns else "")
    parts.append(_figure(plots.by_turn(base, strength, "Strength on the map: losses and reinforcements")))
    parts.append(_figure(plots.lengths(base, game.seats)))
    parts.append(_figure(plots.by_turn(base, {"worth": "#6a2c91"}, f"The judge's opinion, for {game.seats[0]}")))
    if study.luck and any(row["luck"] for row in base):
        parts.append(_figure(plots.luck(base, game.seats)))
    if any(row["odds"] for row in base):
        parts.append(_figure(plots.odds(base)))
    parts.append("</div>")
    return parts


def _maps(study: Study, rows: Sequence[Row]) -> list[str]:
    from salient.lab import chartmaps

    game = load(study.game)
    if board_of(game) is None:
        return []
    base = [row for row in rows if row["cell"] == 0]
    sides = sorted({about["side"] for about in game.components()["units"].values()})
    heats = [chartmaps.heat(game, base, side) for side in sides]
    return [
        "<h2>Where it happened</h2>",
        chartmaps.ground(game),
        chartmaps.fronts(game, base),
        "<div class='two'>",
        *heats,
        "</div>",
    ]


def _figure(svg: str) -> str:
    return f"<figure>{svg}</figure>"


def _faults(rows: Sequence[Row]) -> str:
    faults = [row for row in rows if row["fault"]]
    if not faults:
        return ""
    lines = "".join(
        f"<li>Game {row['cell']}/{row['index']}{', lost by ' + escape(row['failed']) if row['failed'] else ''}: "
        f"{escape(row['fault'])}</li>"
        for row in faults
    )
    return f"<h2>Faults</h2><p>Games that a player lost by failing, and games that broke.</p><ul>{lines}</ul>"


def _foot(rows: Sequence[Row]) -> str:
    seconds = sum(row["seconds"] for row in rows)
    first = rows[0]
    return (
        f"<p class='small'>Rules version {first['rules']}, data {escape(first['data'])}. {len(rows)} games took "
        f"{seconds:.0f} seconds of one core. Intervals are of 95 per cent (Wilson; differences by Newcombe). "
        "Made by Salient.</p>"
    )

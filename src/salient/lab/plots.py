"""Plots of a study, in the colours and typefaces of our maps, as SVG text."""

from __future__ import annotations

import io
import logging
import statistics
import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from salient.kernel import AnyGame
from salient.lab.simulate import wilson
from salient.lab.trial import Row
from salient.maps.fonts import font_files
from salient.svg.counters import side_colour
from salient.text import name, phrase

matplotlib.use("svg")
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
for _font in font_files():
    font_manager.fontManager.addfont(_font)
PAPER, INK, GRID, ACCENT = "#fbf7ec", "#2a2418", "#d9cfb8", "#a3132c"
STYLE: Any = {
    "font.family": ["Alegreya Sans", "DejaVu Sans"],
    "font.size": 12.5,
    "font.weight": 500,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": GRID,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.titlelocation": "left",
    "axes.titleweight": 500,
    "axes.titlesize": 15,
    "svg.fonttype": "path",
    "svg.hashsalt": "salient",
}


def drawn(draw: Callable[[Axes], None], width: float = 7.2, height: float = 3.4) -> str:
    """A plot as SVG text; `draw` fills its axes."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots()
        draw(axes)
        title = axes.get_title(loc="left")
        axes.set_title("", loc="left")
        figure.suptitle(title, x=0.01, horizontalalignment="left", fontsize=15, fontweight=500)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return text.getvalue()[text.getvalue().index("<svg") :]


def win_rates(game: AnyGame, cells: Sequence[Mapping[str, Any]], lang: str) -> str:
    """The share of wins of the first seat in each cell, with its interval."""
    seat = game.seats[0]

    def draw(axes: Axes) -> None:
        for place, cell in enumerate(reversed(cells)):
            rate = cell["wins"][seat]
            axes.plot([rate["low"], rate["high"]], [place, place], color=side_colour(seat), linewidth=6, alpha=0.45,
                      solid_capstyle="round")  # fmt: skip
            axes.plot([rate["rate"]], [place], "o", color=side_colour(seat), markersize=9, markeredgecolor=PAPER)
        axes.axvline(0.5, color=INK, linewidth=0.8, linestyle=(0, (4, 4)))
        axes.set_yticks(range(len(cells)), [cell["title"] for cell in reversed(cells)])
        axes.set_ylim(-0.7, len(cells) - 0.3)
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        axes.set_title(phrase("study-shares", lang, seat=name(game, seat, lang)))

    return drawn(draw, 8.4, 1.3 + 0.45 * len(cells))


def effects(game: AnyGame, found: Sequence[Mapping[str, Any]], lang: str) -> str:
    """What each variation changes in the share of wins of the first seat, with its interval."""

    def draw(axes: Axes) -> None:
        for place, effect in enumerate(reversed(found)):
            axes.plot([effect["low"], effect["high"]], [place, place], color=ACCENT, linewidth=6, alpha=0.35,
                      solid_capstyle="round")  # fmt: skip
            axes.plot([effect["change"]], [place], "D", color=ACCENT, markersize=7, markeredgecolor=PAPER)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_yticks(range(len(found)), [effect["title"] for effect in reversed(found)])
        axes.set_ylim(-0.7, len(found) - 0.3)
        axes.xaxis.set_major_formatter(lambda share, _: f"{share:+.0%}")
        axes.set_title(phrase("study-change", lang, seat=name(game, game.seats[0], lang)))

    return drawn(draw, 8.4, 1.3 + 0.45 * len(found))


def by_turn(
    rows: Sequence[Row], columns: Mapping[str, tuple[str, str]], title: str, lang: str, with_end: bool = True
) -> str:
    """Median and middle half of some columns, turn by turn; each column with its name in words and its colour.

    A turn counts by its beginning, the last one by the end of the game, or `with_end` false by its beginning, too.
    """

    def draw(axes: Axes) -> None:
        for column, (label, colour) in columns.items():
            turns: dict[int, list[float]] = {}
            for row in rows:
                noted = row["by_turn"] if with_end else row["by_turn"][:-1]
                for turn, value in {each["turn"]: each.get(column) or 0 for each in noted}.items():
                    turns.setdefault(turn, []).append(value)
            xs = sorted(turns)
            quarters = [statistics.quantiles(turns[x], n=4) if len(turns[x]) > 1 else turns[x] * 3 for x in xs]
            low, middle, high = ([quarter[i] for quarter in quarters] for i in range(3))
            axes.fill_between(xs, low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(xs, middle, color=colour, linewidth=2.2, label=label)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(phrase("study-turn", lang))
        axes.set_title(title)
        axes.legend(frameon=False, loc="best")

    return drawn(draw)


def lengths(game: AnyGame, rows: Sequence[Row], lang: str) -> str:
    """In which turn games ended, and who won them."""

    def draw(axes: Axes) -> None:
        turns = sorted({row["turns"] for row in rows})
        below = dict.fromkeys(turns, 0)
        for seat in (*game.seats, None):
            count = Counter(row["turns"] for row in rows if row["winner"] == seat)
            if count:
                colour = side_colour(seat) if seat else GRID
                heights, feet = [count[t] for t in turns], [below[t] for t in turns]
                label = name(game, seat, lang) if seat else phrase("study-nobody", lang)
                axes.bar(turns, heights, bottom=feet, color=colour, label=label)
                below = {t: below[t] + count[t] for t in turns}
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(0.4, max(turns) + 0.6)
        axes.set_xlabel(phrase("study-last-turn", lang))
        axes.set_title(phrase("study-ends", lang))
        axes.legend(frameon=False)

    return drawn(draw)


def luck(game: AnyGame, rows: Sequence[Row], lang: str) -> str:
    """The luck of the first seat in games that each seat won."""
    seats = game.seats
    names = [name(game, seat, lang) for seat in seats]

    def draw(axes: Axes) -> None:
        for place, seat in enumerate(seats):
            values = [row["luck"] for row in rows if row["winner"] == seat]
            if not values:
                continue
            axes.scatter(values, [place + ((i * 0.618) % 1 - 0.5) * 0.5 for i in range(len(values))], s=16,
                         color=side_colour(seat), alpha=0.55, linewidths=0)  # fmt: skip
            axes.plot([statistics.median(values)] * 2, [place - 0.36, place + 0.36], color=INK, linewidth=2)
        axes.axvline(0, color=INK, linewidth=0.8, linestyle=(0, (4, 4)))
        axes.set_yticks(range(len(seats)), [phrase("study-won-by", lang, seat=each) for each in names])
        axes.set_ylim(-0.6, len(seats) - 0.4)
        axes.set_xlabel(textwrap.fill(phrase("study-luck-worth", lang, seat=names[0]), 64))
        axes.set_title(phrase("study-luck", lang))

    return drawn(draw)


def odds(rows: Sequence[Row], lang: str) -> str:
    """The odds at which attacks were made; those below the table ("-") have none."""
    count = Counter(column for row in rows for column in row["odds"] if column != "-")
    shown = sorted(count, key=_odds_order)

    def draw(axes: Axes) -> None:
        axes.bar(range(len(shown)), [count[column] / len(rows) for column in shown], color="#5f7787")
        labels = [_odds_words(column, lang) for column in shown]
        axes.set_xticks(range(len(shown)), labels, rotation=0 if len(shown) < 14 else 60)
        axes.grid(axis="x", visible=False)
        axes.set_ylabel(phrase("study-attacks", lang))
        axes.set_title(phrase("study-odds", lang))

    return drawn(draw)


def _odds_words(column: str, lang: str) -> str:
    """A column of a table of results as it is printed; a number of dice in words."""
    count, _, dice = column.partition(" ")
    return phrase("study-dice", lang, n=int(count)) if dice == "dice" and count.isdigit() else column


def _odds_order(column: str) -> tuple[float, str]:
    numbers = [float(part) for part in column.replace("-", ":").split(":") if part.replace(".", "", 1).isdigit()]
    if len(numbers) == 2 and numbers[1]:
        return numbers[0] / numbers[1], column
    return (numbers[0] if numbers else 0.0), column


def difference(wins: int, games: int, base_wins: int, base_games: int) -> tuple[float, float, float]:
    """The difference of two shares with Newcombe's interval of 95 per cent."""
    a, b = wilson(wins, games), wilson(base_wins, base_games)
    change = a.rate - b.rate
    low = change - ((a.rate - a.low) ** 2 + (b.high - b.rate) ** 2) ** 0.5
    high = change + ((a.high - a.rate) ** 2 + (b.rate - b.low) ** 2) ** 0.5
    return change, low, high

"""The odds of an attack as tables: strengths with their modifiers, shifts, and each outcome with its probability."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.table import Table

from salient.cli.shared import out, sentence
from salient.kernel import AnyGame
from salient.text import name, phrase


def print_odds(game: AnyGame, odds: dict[str, Any], lang: str) -> None:
    """Print the `odds` of docs/VIEW.md."""
    out.print(phrase("odds-target", lang, target=name(game, str(odds["target"]), lang)), style="bold", markup=False)
    out.print(_strengths(game, odds, lang))
    for shift in odds.get("shifts", ()):
        out.print(f"  {sentence(game, shift, lang)}", markup=False)
    summary = phrase(
        "odds-ratio",
        lang,
        attack=plain(odds["attack"]),
        defence=plain(odds["defence"]),
        ratio=odds["ratio"],
        column=odds["column"],
    )
    out.print(summary, markup=False)
    out.print(_outcomes(odds, lang))
    expected = odds["expected"]
    out.print(phrase("odds-expected", lang, attacker=expected["attacker"], defender=expected["defender"]), markup=False)
    if "cleared" in odds:
        out.print(phrase("odds-cleared", lang, share=per_cent(odds["cleared"])), markup=False)
    for more in odds.get("one_more", ()):
        text = phrase("odds-one-more", lang, unit=name(game, str(more["unit"]), lang), column=more["column"])
        out.print(f"  {text}", markup=False)


def plain(number: float | str) -> str:
    """`9.0` as `9`, `4.5` as it is."""
    return f"{number:g}" if isinstance(number, float) else str(number)


def per_cent(probability: str) -> str:
    """`1/6` as `17%`, with the exact fraction."""
    share = Fraction(probability)
    return f"{float(share):.0%} ({share})"


def _strengths(game: AnyGame, odds: dict[str, Any], lang: str) -> Table:
    table = Table(box=None, header_style="bold")
    for column in ("odds-unit", "odds-strength", "odds-final", "odds-reasons"):
        table.add_column(phrase(column, lang))
    for side in ("attackers", "defenders"):
        for row in odds[side]:
            reasons = "; ".join(sentence(game, reason, lang) for reason in row["modifiers"])
            table.add_row(name(game, str(row["unit"]), lang), str(row["strength"]), plain(row["final"]), reasons)
        table.add_section()
    return table


def _outcomes(odds: dict[str, Any], lang: str) -> Table:
    table = Table(box=None, header_style="bold")
    for column in ("odds-rolls", "odds-probability", "odds-result", "odds-attacker-loss", "odds-defender-loss"):
        table.add_column(phrase(column, lang))
    for outcome in odds["outcomes"]:
        table.add_row(
            ", ".join(str(roll) for roll in outcome["rolls"]),
            per_cent(outcome["probability"]),
            str(outcome["result"]),
            str(outcome["attacker_loss"]),
            str(outcome["defender_loss"]),
        )
    return table

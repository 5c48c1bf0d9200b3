"""Study: matches of computer players, exact odds, counting, fuzzing, benchmarks."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

import salient
from salient.cli.odds_table import print_odds
from salient.cli.shared import (
    GameName,
    Jobs,
    Json,
    Language,
    Options,
    ScenarioName,
    chosen_options,
    err,
    out,
    print_json,
    read_state,
    with_progress,
)
from salient.games import load
from salient.kernel import AnyGame, Illegal, Unreadable, legal, step
from salient.kernel.messages import Message, SalientError
from salient.lab.fuzz import fuzz as fuzz_games
from salient.lab.fuzz import save_failure
from salient.lab.perft import perft as count_lines
from salient.lab.simulate import Match, Rate, Summary, simulate, summarise
from salient.text import phrase, say, say_error

Seed = Annotated[int, typer.Option("--seed")]


# ---- matches -----------------------------------------------------------------------


def sim(
    game: GameName,
    bots: Annotated[str, typer.Option("--bots")] = "greedy,random",
    games: Annotated[int, typer.Option("--games", min=1)] = 20,
    scenario: ScenarioName = "",
    option: Options = None,
    swap: Annotated[bool, typer.Option("--swap")] = False,
    seed: Seed = 1,
    jobs: Jobs = 1,
    file: Annotated[Path | None, typer.Option("--out")] = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Let computer players meet: win rates with confidence intervals, lengths, timing."""
    load(game).new(scenario, chosen_options(option))
    match = Match(game, tuple(bots.split(",")), scenario, tuple(chosen_options(option).items()), swap, seed)
    played = list(with_progress(simulate(match, games, jobs), games, f"{bots}, {game}"))
    summary = summarise(played)
    report = {"match": asdict(match)} | summary.as_json()
    if file is not None:
        file.write_text(json.dumps(report | {"played": [asdict(each) for each in played]}), encoding="utf-8")
    if as_json:
        print_json(report)
    else:
        _print_summary(summary, load(game), lang)


def _print_summary(summary: Summary, game: AnyGame, lang: str) -> None:
    table = Table(box=None, header_style="bold")
    table.add_column("")
    for column in ("wins", "of", "share", "interval"):
        table.add_column(phrase(f"sim-{column}", lang), justify="right")
    for who, rate in (*summary.seats.items(), *summary.bots.items()):
        table.add_row(who, *_rate_cells(rate, lang))
    if summary.draws:
        table.add_row(phrase("sim-draws", lang), str(summary.draws), str(summary.games))
    out.print(table)
    for what, spread in (("actions", summary.plies), ("turns", summary.turns)):
        out.print(phrase(f"sim-{what}", lang, **{f"text_{each}": f"{value:g}" for each, value in spread.items()}))
    endings = " ".join(f"{say(game, Message('', key), lang)} ({count})" for key, count in summary.results.items())
    out.print(phrase("sim-endings", lang, text=endings))
    paces = ", ".join(f"{bot} {seconds * 1000:.1f} ms" for bot, seconds in summary.seconds_per_turn.items())
    out.print(phrase("sim-time", lang, text=f"{summary.seconds_per_game:.2f} s", text_paces=paces))


def _rate_cells(rate: Rate, lang: str) -> tuple[str, str, str, str]:
    return (
        str(rate.wins),
        str(rate.games),
        f"{rate.rate:.1%}",
        phrase("from-to", lang, text_low=f"{rate.low:.1%}", text_high=f"{rate.high:.1%}"),
    )


# ---- odds --------------------------------------------------------------------------


def odds(
    game: GameName,
    position: Annotated[Path, typer.Argument()],
    attack: Annotated[str, typer.Argument()],
    ply: Annotated[int | None, typer.Option("--move")] = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Show the exact odds of an attack before it is made, with every modifier."""
    played = load(game)
    state = read_state(played, position, ply)
    texts = [text for text in attack.split(";") if text.strip()]
    if not texts:
        raise Unreadable("attack-as-action")
    try:
        for text in texts[:-1]:
            state = step(state, played.read(text))
        action = played.read(texts[-1])
        if action not in legal(state):
            raise Illegal(action, played.why_not(state, action))
    except Illegal as error:
        raise SalientError(say_error(played, error, lang)) from error
    preview = played.view.preview(state, action)
    if as_json:
        print_json(preview)
    elif "odds" in preview:
        print_odds(played, preview["odds"], lang)
    else:
        raise SalientError(phrase("no-odds", lang, action=texts[-1].strip()))


# ---- counting and fuzzing ----------------------------------------------------------


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", min=0)] = 2,
    scenario: ScenarioName = "",
    position: Annotated[Path | None, typer.Option("--position")] = None,
    split: Annotated[bool, typer.Option("--divide")] = False,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Count the lines of play of a given length, dice included: a fingerprint of the rules."""
    played = load(game)
    start = played.new(scenario) if position is None else read_state(played, position)
    counts = {}
    if depth > 0:
        actions = legal(start)
        for action in with_progress(actions, len(actions), f"perft {depth}"):
            counts[played.write(action)] = count_lines(step(start, action, trusted=True), depth - 1)
    total = sum(counts.values()) if counts else 1
    if as_json:
        print_json({"game": game, "depth": depth, "lines": total} | ({"divide": counts} if split else {}))
        return
    for text, count in counts.items() if split else ():
        out.print(f"{text}: {count}", markup=False)
    out.print(f"perft {depth}: {total}")


def fuzz(
    game: GameName,
    games: Annotated[int, typer.Option("--games", min=1)] = 100,
    seed: Seed = 1,
    scenario: ScenarioName = "",
    jobs: Jobs = 1,
    folder: Annotated[Path, typer.Option("--out")] = Path("out"),
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Play random games to the end with every invariant checked; exit code 1 if one breaks."""
    load(game).scenario(scenario)
    plies, failures = 0, []
    for played in with_progress(fuzz_games(game, games, seed, jobs, scenario), games, f"fuzz {game}"):
        plies += played.plies
        if played.cause:
            path = save_failure(game, played, folder)
            failures.append({"game": played.index, "move": played.plies, "cause": played.cause, "file": str(path)})
            broken = phrase("fuzz-broken", lang, n=played.index, n_move=played.plies, text=f"{played.cause} ({path})")
            err.print(broken, style="red", markup=False)
    _report_fuzz({"game": game, "games": games, "actions": plies, "failures": failures}, as_json, lang)
    if failures:
        raise typer.Exit(1)


def _report_fuzz(report: dict[str, Any], as_json: bool, lang: str) -> None:
    if as_json:
        print_json(report)
        return
    counts = {"n": report["games"], "n_actions": report["actions"], "n_broken": len(report["failures"])}
    out.print(phrase("fuzz-report", lang, **counts))


# ---- benchmarks --------------------------------------------------------------------


def bench(
    arguments: Annotated[list[str] | None, typer.Argument()] = None,
    lang: Language = "en",
) -> None:
    """Measure the engine against python-chess in the same run (from the source tree)."""
    root = Path(salient.__file__).parents[2]
    if not (root / "bench" / "__main__.py").is_file():
        raise Unreadable("bench-from-source")
    raise typer.Exit(
        subprocess.run(
            [sys.executable, "-m", "bench", "--lang", lang, *(arguments or ())], cwd=root, check=False
        ).returncode
    )

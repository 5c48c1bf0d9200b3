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
    known_language,
    out,
    print_json,
    read_state,
    with_progress,
)
from salient.games import load
from salient.kernel import Illegal, Unreadable, legal, step
from salient.lab.fuzz import fuzz as fuzz_games
from salient.lab.fuzz import save_failure
from salient.lab.perft import perft as count_lines
from salient.lab.simulate import Match, Rate, Summary, simulate, summarise
from salient.text import phrase, say_error

Seed = Annotated[int, typer.Option("--seed", help="Games repeat by their seed.")]


# ---- matches -----------------------------------------------------------------------


def sim(
    game: GameName,
    bots: Annotated[
        str, typer.Option("--bots", help="One bot a seat, in the order of the seats: A,B.")
    ] = "greedy,random",
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 20,
    scenario: ScenarioName = "",
    option: Options = None,
    swap: Annotated[bool, typer.Option("--swap", help="Change seats after every game.")] = False,
    seed: Seed = 1,
    jobs: Jobs = 1,
    file: Annotated[Path | None, typer.Option("--out", help="Write figures and records as JSON to this file.")] = None,
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
        _print_summary(summary)


def _print_summary(summary: Summary) -> None:
    table = Table(box=None, header_style="bold")
    for column in ("", "wins", "of", "share", "95 per cent interval"):
        table.add_column(column, justify="left" if not column else "right")
    for who, rate in (*summary.seats.items(), *summary.bots.items()):
        table.add_row(who, *_rate_cells(rate))
    if summary.draws:
        table.add_row("draws", str(summary.draws), str(summary.games))
    out.print(table)
    for what, spread in (("actions", summary.plies), ("turns", summary.turns)):
        out.print(f"{what} a game: median {spread['median']:g}, from {spread['least']:g} to {spread['most']:g}")
    out.print("endings: " + ", ".join(f"{key} {count}" for key, count in summary.results.items()))
    paces = ", ".join(f"{bot} {seconds * 1000:.1f} ms" for bot, seconds in summary.seconds_per_turn.items())
    out.print(f"time: {summary.seconds_per_game:.2f} s a game; thinking a turn: {paces}")


def _rate_cells(rate: Rate) -> tuple[str, str, str, str]:
    return str(rate.wins), str(rate.games), f"{rate.rate:.1%}", f"{rate.low:.1%} to {rate.high:.1%}"


# ---- odds --------------------------------------------------------------------------


def odds(
    game: GameName,
    position: Annotated[Path, typer.Argument(help="A position, or a record (its last position).")],
    attack: Annotated[
        str, typer.Argument(help="The actions that lead to the attack, separated by ';': the last is weighed.")
    ],
    ply: Annotated[int | None, typer.Option("--move", help="Of a record: the position after this move.")] = None,
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Show the exact odds of an attack before it is made, with every modifier."""
    known_language(lang)
    played = load(game)
    state = read_state(played, position, ply)
    texts = [text for text in attack.split(";") if text.strip()]
    if not texts:
        sentence = "Write the attack as an action of the game, for example 'attack 0305'."
        raise Unreadable(sentence, "attack-as-action")
    try:
        for text in texts[:-1]:
            state = step(state, played.read(text))
        action = played.read(texts[-1])
        if action not in legal(state):
            raise Illegal(action, played.why_not(state, action))
    except Illegal as error:
        raise Unreadable(say_error(played, error, lang)) from error
    preview = played.preview(state, action)
    if as_json:
        print_json(preview)
    elif "odds" in preview:
        print_odds(played, preview["odds"], lang)
    else:
        raise Unreadable(phrase("no-odds", lang, action=texts[-1].strip()))


# ---- counting and fuzzing ----------------------------------------------------------


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", min=0, help="How many actions deep.")] = 2,
    scenario: ScenarioName = "",
    position: Annotated[Path | None, typer.Option("--position", help="Count from this position or record.")] = None,
    split: Annotated[bool, typer.Option("--divide", help="Count behind each first action.")] = False,
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
    games: Annotated[int, typer.Option("--games", min=1, help="How many random games.")] = 100,
    seed: Seed = 1,
    scenario: ScenarioName = "",
    jobs: Jobs = 1,
    folder: Annotated[Path, typer.Option("--out", help="Where records of broken games go.")] = Path("out"),
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
            err.print(
                f"Game {played.index}, after move {played.plies}: {played.cause} ({path})", style="red", markup=False
            )
    _report_fuzz({"game": game, "games": games, "actions": plies, "failures": failures}, as_json)
    if failures:
        raise typer.Exit(1)


def _report_fuzz(report: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(report)
        return
    broken = len(report["failures"])
    out.print(
        f"{report['games']} games, {report['actions']} actions: "
        + (
            f"{broken} broke their rules; their records are kept."
            if broken
            else "no exception, dead end or broken invariant."
        )
    )


# ---- benchmarks --------------------------------------------------------------------


def bench(
    arguments: Annotated[list[str] | None, typer.Argument(help="Passed on to `python -m bench`.")] = None,
) -> None:
    """Measure the engine against python-chess in the same run (from the source tree)."""
    root = Path(salient.__file__).parents[2]
    if not (root / "bench" / "__main__.py").is_file():
        raise Unreadable("The benchmarks are part of the source tree: run `make bench` there.")
    raise typer.Exit(
        subprocess.run([sys.executable, "-m", "bench", *(arguments or ())], cwd=root, check=False).returncode
    )

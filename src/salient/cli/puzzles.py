"""Problems with known best play: look at one, try an answer, see what a computer player makes of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from salient import bots
from salient.cli.shared import Json, Language, out, print_json
from salient.cli.views import text_map
from salient.common.boards import board_of
from salient.games import load
from salient.kernel import Illegal, candidates
from salient.text import describe_action, heading, name, phrase, title

if TYPE_CHECKING:
    from salient.lab.puzzles import Puzzle


def puzzle(
    which: Annotated[str, typer.Argument(metavar="[NAME]")] = "",
    answer: Annotated[str, typer.Option("--answer")] = "",
    player: Annotated[str, typer.Option("--player")] = "",
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Problems with known best play, found by exhaustive search: for people, and as a yardstick for players."""
    from salient.lab.puzzles import puzzle as find
    from salient.lab.puzzles import puzzles

    chosen = (find(which),) if which else puzzles()
    if player:
        _score(chosen, player, lang, as_json)
    elif as_json:
        print_json([asdict(each) for each in chosen])
    elif not which:
        for each in chosen:
            out.print(f"{each.name}: {name(load(each.game), each.seat, lang)}, {_goal(each, lang)}", markup=False)
    elif answer:
        _judge(chosen[0], answer, lang)
    else:
        _show(chosen[0], lang)


def _goal(problem: Puzzle, lang: str) -> str:
    return phrase(f"puzzle-{problem.goal.kind}", lang, hex=problem.goal.hex)


def _show(problem: Puzzle, lang: str) -> None:
    game, state = load(problem.game), problem.state()
    seen = game.view.observe(state, problem.seat)
    out.print(f"{title(game, lang)}. {heading(game, state, lang)}", style="bold", markup=False)
    board = board_of(game)
    if board is not None:
        where = problem.goal.hex or next(
            (u["where"] for u in seen["units"].values() if u.get("where") in board.index), ""
        )
        out.print(text_map(game, board, seen, lang, where), soft_wrap=True)
    out.print(problem.position, markup=False, style="dim")
    task = phrase("puzzle-task", lang, text=name(game, problem.seat, lang), text_goal=_goal(problem, lang))
    out.print(task, style="bold", markup=False)
    for action in candidates(state):
        out.print(f"  {game.write(action)}  ({describe_action(game, action, lang)})", markup=False)


def _judge(problem: Puzzle, answer: str, lang: str) -> None:
    from salient.lab.puzzles import solve

    game, state = load(problem.game), problem.state()
    action = game.read(answer)
    if action not in candidates(state):
        raise Illegal(action, game.why_not(state, action))
    values = solve(game, state, problem.seat, problem.goal, problem.until)
    value, best = values[game.write(action)], max(values.values())
    if value > best - 1e-9:
        out.print(phrase("puzzle-right", lang, text=f"{value:.2f}"), style="green")
    else:
        better = {"text_best": ", ".join(problem.best), "text_value": f"{best:.2f}"}
        out.print(phrase("puzzle-wrong", lang, text=f"{value:.2f}", **better), style="yellow", markup=False)


def _score(chosen: tuple[Puzzle, ...], player: str, lang: str, as_json: bool) -> None:
    from salient.lab.puzzles import score_of

    scores = {}
    for each in chosen:
        mind = bots.seated(player, load(each.game), each.seat, 1)
        try:
            scores[each.name] = score_of(each, mind)
        finally:
            mind.close()
    if as_json:
        print_json(scores)
        return
    table = Table(box=None, header_style="bold")
    table.add_column(phrase("puzzle-problem", lang))
    table.add_column(player, justify="right")
    for problem, score in scores.items():
        table.add_row(problem, f"{score:.0%}")
    out.print(table)

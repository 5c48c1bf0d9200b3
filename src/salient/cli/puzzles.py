"""Problems with known best play: look at one, try an answer, see what a computer player makes of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from salient import bots
from salient.cli.shared import Json, Language, known_language, out, print_json
from salient.cli.views import text_map
from salient.games import load
from salient.kernel import Illegal, candidates
from salient.maps.boards import board_of
from salient.text import describe_action, name

if TYPE_CHECKING:
    from salient.lab.puzzles import Puzzle

GOALS = {
    "take": "stand in {hex} when it is over",
    "hold": "still stand in {hex} when it is over",
    "destroy": "leave the enemy as little strength as you can",
    "cut": "leave as many enemies without supply as you can",
    "save": "keep as much of your own strength as you can",
}


def puzzle(
    which: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A problem by its name; all are listed if none is named.")
    ] = "",
    answer: Annotated[str, typer.Option("--answer", help="Your action, as you would type it in a game.")] = "",
    player: Annotated[str, typer.Option("--player", help="What a level, or cmd:./mybot, makes of the problems.")] = "",
    lang: Language = "en",
    as_json: Json = False,
) -> None:
    """Problems with known best play, found by exhaustive search: for people, and as a yardstick for players."""
    from salient.lab.puzzles import puzzle as find
    from salient.lab.puzzles import puzzles

    known_language(lang)
    chosen = (find(which),) if which else puzzles()
    if player:
        _score(chosen, player, as_json)
    elif as_json:
        print_json([asdict(each) for each in chosen])
    elif not which:
        for each in chosen:
            out.print(f"{each.name}: {name(load(each.game), each.seat, lang)}, {_goal(each)}", markup=False)
    elif answer:
        _judge(chosen[0], answer)
    else:
        _show(chosen[0], lang)


def _goal(problem: Puzzle) -> str:
    return GOALS[problem.goal.kind].format(hex=problem.goal.hex)


def _show(problem: Puzzle, lang: str) -> None:
    game, state = load(problem.game), problem.state()
    seen = game.observe(state, problem.seat)
    out.print(f"{game.title}. {game.heading(state)}", style="bold", markup=False)
    board = board_of(game)
    if board is not None:
        where = problem.goal.hex or next(
            (u["where"] for u in seen["units"].values() if u.get("where") in board.index), ""
        )
        out.print(text_map(game, board, seen, lang, where), soft_wrap=True)
    out.print(problem.position, markup=False, style="dim")
    out.print(f"{name(game, problem.seat, lang)}: {_goal(problem)}. What do you do?", style="bold", markup=False)
    for action in candidates(state):
        out.print(f"  {game.write(action)}  ({describe_action(game, action, lang)})", markup=False)


def _judge(problem: Puzzle, answer: str) -> None:
    from salient.lab.puzzles import solve

    game, state = load(problem.game), problem.state()
    action = game.read(answer)
    if action not in candidates(state):
        raise Illegal(action, game.why_not(state, action))
    values = solve(game, state, problem.seat, problem.goal, problem.until)
    value, best = values[game.write(action)], max(values.values())
    if value > best - 1e-9:
        out.print(f"Yes: {value:.2f}, and nothing is better.", style="green")
    else:
        out.print(
            f"No: {value:.2f}; the best is {', '.join(problem.best)} with {best:.2f}.", style="yellow", markup=False
        )


def _score(chosen: tuple[Puzzle, ...], player: str, as_json: bool) -> None:
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
    for column in ("problem", player):
        table.add_column(column, justify="left" if column == "problem" else "right")
    for title, score in scores.items():
        table.add_row(title, f"{score:.0%}")
    out.print(table)

"""Find problems with known best play: positions of games cut down to a few hexes and searched to the end of the matter.

python tools/puzzles.py GAME [--seeds N]     writes src/salient/lab/positions/<game>-<kind>.toml
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path

from salient.games import game_ids, load
from salient.kernel import CHANCE, OVER, Game, State, actor, candidates, step
from salient.lab.puzzles import GOALS, Goal, TooLarge, solve
from salient.svg import everything
from salient.svg.ground import board_with_map

FOLDER = Path(__file__).parents[1] / "src" / "salient" / "lab" / "positions"
GOALS_OF = {
    "attack": ("take", "destroy"),
    "defend": ("hold", "save"),
    "encircle": ("cut", "destroy"),
    "withdraw": ("save", "hold"),
}
MOST = {"target-arnhem": 250, "bulge": 250}  # positions of a search
MOST_IN_LARGE_GAMES = 1500
CHOICES = range(3, 9)
SMALL = ("target-arnhem",)
FIGHT = {
    "Attack", "Fight", "Support", "Lose", "Retreat", "Advance", "Stand", "Lead", "Evade", "Combat", "Pay", "Hold",
    "Further", "Capture", "Loss", "Withdraw", "Breakthrough", "Follow",
}  # fmt: skip
SHORT = {"deadly-woods": "attack", "ardennes44": "six-turns"}


def cut_down(game: Game, state: State, centre: str, radius: int) -> State | None:
    """The position with the units around a hex only; None if that is no sound position."""
    board = board_with_map(game)
    near = {board.labels[h] for h in board.within(board.index[centre], radius)}
    kept = []
    for line in game.write_position(state).splitlines():
        words = line.split()
        place = words[1] if words[0] == "moved" else words[0]
        if place in board.index and place not in near:
            continue
        kept.append(line)
    try:
        small = game.read_position("\n".join(kept) + "\n")
        if game.check(small) or actor(small) in (CHANCE, OVER) or len(candidates(small)) not in CHOICES:
            return None
    except Exception:
        return None
    return small


def positions(game: Game, seed: int) -> Iterator[State]:
    """Positions of a random game in which both sides like to fight."""
    rng = random.Random(seed)
    state = game.new(SHORT.get(game.id, ""))
    while actor(state) != OVER:
        actions = candidates(state)
        if actor(state) != CHANCE and len(actions) in CHOICES and is_fight(game, state):
            yield state
        bold = [action for action in actions if action[0] in ("attack", "join", "advance", "retreat")]
        state = step(state, rng.choice(bold if bold and rng.random() < 0.7 else actions), trusted=True)


def is_fight(game: Game, state: State) -> bool:
    """Whether the decision is part of a fight; in the small game any decision will do."""
    return game.id in SMALL or type(state.stack[-1]).__name__ in FIGHT


def contacts(game: Game, state: State) -> list[str]:
    """Hexes with units that have enemies next to them."""
    board, view = board_with_map(game), everything(game, state)
    sides = {unit: about["side"] for unit, about in game.components()["units"].items()}
    held = {seen["where"]: sides[unit] for unit, seen in view["units"].items() if seen.get("where", "") in board.index}
    found = []
    for label, side in held.items():
        around = [board.labels[near] for near in board.neighbours[board.index[label]] if near >= 0]
        if any(held.get(near, side) != side for near in around):
            found.append(label)
    return found


def problem(game: Game, state: State, kind: str, goal: Goal, until: int) -> str | None:
    """The file of a problem, if the position is one: a best action that is worth finding."""
    try:
        values = solve(game, state, actor(state), goal, until, MOST.get(game.id, MOST_IN_LARGE_GAMES))
    except (TooLarge, RecursionError, StopIteration, LookupError, AssertionError):
        return None  # too large, or without a piece that the rules count on
    found = list(values.items())
    best, worst = found[0][1], found[-1][1]
    winners = [text for text, value in found if value > best - 1e-9]
    if best - worst < 0.08 or len(winners) > len(found) // 2:
        return None
    lines = [f'game = "{game.id}"', f'kind = "{kind}"', f'seat = "{actor(state)}"']
    lines += [f'goal = "{goal.kind}"', f'side = "{goal.side}"']
    lines += [f'hex = "{goal.hex}"'] if goal.hex else []
    shown = ", ".join(f'"{text}"' for text in winners)
    lines += [f"until = {until}", f"best = [{shown}]", f"value = {best:.9f}", f"worst = {worst:.9f}"]
    lines += ['position = """', game.write_position(state).rstrip("\n"), '"""']
    return "\n".join(lines) + "\n"


def problems(game: Game, state: State, centre: str, kinds: list[str]) -> Iterator[tuple[str, str]]:
    """The problems of a position: their kinds and their files."""
    seat = actor(state)
    side = everything(game, state).get("command", {}).get(seat, seat)
    depth = len(state.stack)
    for kind in kinds:
        for goal_kind in GOALS_OF[kind]:
            goal = Goal(goal_kind, side, centre if goal_kind in ("take", "hold") else "")
            held = goal_kind in ("take", "hold") and goal.score(game, state)
            if (goal_kind == "take" and held) or (goal_kind == "hold" and not held):
                continue
            for until in range(depth - 1, max(0, depth - 4), -1):
                text = problem(game, state, kind, goal, until)
                if text:
                    yield kind, text
                    break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=game_ids())
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=120)
    arguments = parser.parse_args()
    game, rng = load(arguments.game), random.Random(7)
    FOLDER.mkdir(exist_ok=True)
    missing = [kind for kind in GOALS_OF if not (FOLDER / f"{game.id}-{kind}.toml").exists()]
    deadline = time.monotonic() + arguments.seconds
    assert {goal for each in GOALS_OF.values() for goal in each} <= set(GOALS)
    for seed in range(arguments.seeds):
        for state in positions(game, seed):
            if not missing or time.monotonic() > deadline:
                return
            near = contacts(game, state)
            if not near:
                continue
            centre = rng.choice(near)
            small = cut_down(game, state, centre, rng.choice((1, 1, 2, 3))) if game.id in SMALL else state
            if small is None:
                continue
            for kind, text in problems(game, small, centre, list(missing)):
                if kind in missing:
                    (FOLDER / f"{game.id}-{kind}.toml").write_text(text, encoding="utf-8")
                    missing.remove(kind)
                    print(f"{game.id}-{kind}: seed {seed}", flush=True)
                    break


if __name__ == "__main__":
    main()

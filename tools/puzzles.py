"""Find problems with known best play: positions of games cut down to a few hexes and searched to the end of the matter.

python tools/puzzles.py GAME [--seeds N]     writes src/salient/lab/positions/<game>-<kind>.toml
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from salient.games import game_ids, load
from salient.kernel import CHANCE, OVER, AnyGame, ChanceFrame, State, actor, candidates, step
from salient.kernel.game import everything
from salient.lab.puzzles import GOALS, Goal, TooLarge, solve
from salient.svg.ground import board_with_map

View = Mapping[str, Any]

FOLDER = Path(__file__).parents[1] / "src" / "salient" / "lab" / "positions"
GOALS_OF = {
    "attack": ("take", "destroy"),
    "defend": ("hold", "save"),
    "encircle": ("cut", "destroy"),
    "withdraw": ("save", "hold"),
}
MOST = {"target-arnhem": 250, "bulge": 250}  # positions of a search
MOST_IN_LARGE_GAMES = 600
CHOICES = range(3, 9)
SMALL = ("target-arnhem",)
DEFEND = {"Lose", "Stand", "Determined", "Pay", "Hold", "Loss"}
WITHDRAW = {"Retreat", "Evade", "Withdraw", "Disengage", "Disengaging"}
ATTACK = {
    "Attack", "Fight", "Support", "Advance", "Combat", "Further", "Capture", "Breakthrough", "Follow", "Firefight",
}  # fmt: skip
FRAMES = {"attack": ATTACK, "encircle": ATTACK, "defend": DEFEND, "withdraw": WITHDRAW}
DODGES = {"pass", "end"}  # no answer to a problem
SHORT = {"deadly-woods": "attack", "ardennes44": "six-turns"}


def frames_of(game: AnyGame, kind: str) -> set[str]:
    """The decisions that make problems of a kind; in the Bulge a defender only decides where to retreat."""
    return WITHDRAW if (game.id, kind) == ("bulge", "defend") else FRAMES[kind]


def cut_down(game: AnyGame, state: State, centre: str, radius: int) -> State | None:
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


def positions(game: AnyGame, seed: int) -> Iterator[State]:
    """Positions of a random game in which both sides like to fight."""
    rng = random.Random(seed)
    state = game.new(SHORT.get(game.id, ""))
    while actor(state) != OVER:
        actions = candidates(state)
        if actor(state) != CHANCE and len(actions) in CHOICES and is_fight(game, state):
            yield state
        bold = [action for action in actions if action[0] in ("attack", "join", "advance", "retreat")]
        state = step(state, rng.choice(bold if bold and rng.random() < 0.7 else actions), trusted=True)


def is_fight(game: AnyGame, state: State) -> bool:
    """Whether the decision is part of a fight; in the small game any decision will do."""
    return game.id in SMALL or type(state.stack[-1]).__name__ in ATTACK | DEFEND | WITHDRAW


def contacts(game: AnyGame, state: State) -> list[str]:
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


def ends(game: AnyGame, state: State, until: int) -> list[State]:
    """How the matter can end, every way; TooLarge if there are too many positions on the way."""
    beneath, most = state.stack[:until], MOST.get(game.id, MOST_IN_LARGE_GAMES)
    seen, waiting, found = {state.key()}, [state], []
    while waiting:
        here = waiting.pop()
        if actor(here) == OVER or len(here.stack) <= until or here.stack[:until] != beneath:
            found.append(here)
            continue
        frame = here.stack[-1]
        actions = [a for a, _ in frame.outcomes(here)] if isinstance(frame, ChanceFrame) else candidates(here)
        for after in (step(here, action, trusted=True) for action in actions):
            if after.key() not in seen:
                seen.add(after.key())
                waiting.append(after)
        if len(seen) > most:
            raise TooLarge
    return found


def goals(game: AnyGame, kind: str, side: str, now: View, later: Sequence[View]) -> Iterator[Goal]:
    """The goals that some ends reach better than others."""
    for goal_kind in GOALS_OF[kind]:
        hexes = contested(game, side, now, later, goal_kind) if goal_kind in ("take", "hold") else [""]
        for label in hexes:
            goal = Goal(goal_kind, side, label)
            if len({goal.score_of_view(game, end) for end in later}) > 1:
                yield goal


def contested(game: AnyGame, side: str, now: View, later: Sequence[View], goal_kind: str) -> list[str]:
    """Hexes that the side has not, but may take, or has, but may lose."""
    before, after = held(game, side, now), [held(game, side, end) for end in later]
    if goal_kind == "take":
        return sorted(set().union(*after) - before)
    return sorted(label for label in before if not all(label in each for each in after))


def held(game: AnyGame, side: str, view: View) -> set[str]:
    """The hexes where units of a side stand."""
    board, units = board_with_map(game), game.components()["units"]
    seen = view["units"].items()
    return {s["where"] for unit, s in seen if units[unit]["side"] == side and s.get("where", "") in board.index}


def problem(game: AnyGame, state: State, kind: str, goal: Goal, until: int) -> str | None:
    """The file of a problem, if the position is one: a best action that is worth finding."""
    values = solve(game, state, actor(state), goal, until)
    found = list(values.items())
    best, worst = found[0][1], found[-1][1]
    winners = [text for text, value in found if value > best - 1e-9]
    most = len(found) // 2 if FRAMES[kind] is ATTACK else len(found) - 1
    if best - worst < 0.08 or len(winners) > most or DODGES & set(winners):
        return None
    lines = [f'game = "{game.id}"', f'kind = "{kind}"', f'seat = "{actor(state)}"']
    lines += [f'goal = "{goal.kind}"', f'side = "{goal.side}"']
    lines += [f'hex = "{goal.hex}"'] if goal.hex else []
    shown = ", ".join(f'"{text}"' for text in winners)
    lines += [f"until = {until}", f"best = [{shown}]", f"value = {best:.9f}", f"worst = {worst:.9f}"]
    lines += ['position = """', game.write_position(state).rstrip("\n"), '"""']
    return "\n".join(lines) + "\n"


def problems(game: AnyGame, state: State, kinds: list[str]) -> Iterator[tuple[str, str]]:
    """The problems of a position: their kinds and their files."""
    seat = actor(state)
    now = everything(game, state)
    side = now.get("command", {}).get(seat, seat)
    depth = len(state.stack)
    if game.id not in SMALL:
        kinds = [kind for kind in kinds if type(state.stack[-1]).__name__ in frames_of(game, kind)]
    for until in range(depth - 1, max(0, depth - 4), -1) if kinds else ():
        try:
            later = [everything(game, end) for end in ends(game, state, until)]
            for kind in kinds:
                for goal in goals(game, kind, side, now, later):
                    text = problem(game, state, kind, goal, until)
                    if text:
                        yield kind, text
        except (TooLarge, RecursionError, StopIteration, LookupError, AssertionError):
            return  # too large, or without a piece that the rules count on


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=game_ids())
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=120)
    arguments = parser.parse_args()
    game, rng = load(arguments.game), random.Random(7)
    FOLDER.mkdir(exist_ok=True)
    missing = [kind for kind in GOALS_OF if not (FOLDER / f"{game.id}-{kind}.toml").exists()]
    deadline = time.monotonic() + arguments.seconds
    assert {goal for each in GOALS_OF.values() for goal in each} <= set(GOALS)
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        for state in positions(game, seed):
            if not missing or time.monotonic() > deadline:
                return
            near = contacts(game, state)
            if not near:
                continue
            small = cut_down(game, state, rng.choice(near), rng.choice((1, 1, 2, 3))) if game.id in SMALL else state
            if small is None:
                continue
            for kind, text in problems(game, small, list(missing)):
                if kind in missing:
                    (FOLDER / f"{game.id}-{kind}.toml").write_text(text, encoding="utf-8")
                    missing.remove(kind)
                    print(f"{game.id}-{kind}: seed {seed}", flush=True)
                    break


if __name__ == "__main__":
    main()

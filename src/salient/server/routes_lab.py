"""The laboratory in the client: problems with known best play, and what was tried in positions that look alike."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from salient.games import load
from salient.kernel import AnyGame, State
from salient.kernel.messages import SalientError
from salient.lab.puzzles import Puzzle, puzzles, solve
from salient.server.access import Lang, TheRequester
from salient.server.legal import choices_json, unpacked
from salient.server.models import Attempt, OpeningsAnswer, Problems, Solution, Task
from salient.server.openings import Openings
from salient.server.problems import RequestProblem, sentence
from salient.server.routes_look import Looking
from salient.server.wire import message_json
from salient.text import describe_action, name, stage_text

router = APIRouter(prefix="/api", tags=["laboratory"])

AROUND = 3
CLOSE = 36.0  # pixels from the centre of a hex to a corner


@lru_cache(maxsize=1)
def _all() -> dict[str, Puzzle]:
    return {each.name: each for each in puzzles()}


def _puzzle(name: Annotated[str, Path(max_length=64)]) -> Puzzle:
    if name not in _all():
        raise RequestProblem(404, "not-found", "no-such-page")
    return _all()[name]


ThePuzzle = Annotated[Puzzle, Depends(_puzzle)]


def _about(puzzle: Puzzle, lang: str) -> dict[str, Any]:
    game = load(puzzle.game)
    goal = sentence(f"puzzle-{puzzle.goal.kind}", lang, hex=puzzle.goal.hex, side=name(game, puzzle.seat, lang))
    title = name(game, game.id, lang)
    return {
        "name": puzzle.name,
        "game": game.id,
        "title": title,
        "kind": puzzle.kind,
        "seat": puzzle.seat,
        "goal": goal,
    }


@router.get("/puzzles", response_model=Problems)
def list_puzzles(lang: Lang) -> Response:
    """The problems of all games."""
    return JSONResponse({"puzzles": [_about(each, lang) for each in _all().values()]})


@router.get("/puzzles/{name}", response_model=Task)
def read_puzzle(puzzle: ThePuzzle, lang: Lang) -> Response:
    """A problem: what is to be achieved, where the game stands, and what can be chosen."""
    game, state = load(puzzle.game), puzzle.state()
    view = game.view.observe(state, puzzle.seat)
    heading = stage_text(game, (view["turn"], view["at"]), lang)
    prompt = message_json(game, state.stack[-1].prompt(state), lang)["text"]
    actions = list(unpacked(choices_json(game, state, lang)["legal"]))
    return JSONResponse(_about(puzzle, lang) | {"heading": heading, "prompt": prompt, "legal": actions})


@router.get("/puzzles/{name}/board.svg", response_class=Response)
async def draw_puzzle(puzzle: ThePuzzle, request: Request, requester: TheRequester, lang: Lang) -> Response:
    """The part of the map that the problem is about, with its counters."""

    def draw() -> Response:
        from salient.svg import board

        game, state = load(puzzle.game), puzzle.state()
        shown = board(state, seat=puzzle.seat, section=_section(game, state, puzzle), scale=_scale(game), lang=lang)
        return Response(str(shown), media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})

    found: Response = await request.app.state.heavy.run(requester.key, draw)
    return found


def _scale(game: AnyGame) -> float:
    from salient.svg.ground import usual_scale

    return max(CLOSE, usual_scale(game))


def _section(game: AnyGame, state: State, puzzle: Puzzle) -> str:
    """The hexes that can be chosen, those of the units that can, and some around them; all if that is nothing."""
    from salient.svg.ground import board_with_map

    ground = board_with_map(game)
    units = game.view.observe(state, puzzle.seat)["units"]
    words = {word for action in unpacked(choices_json(game, state, "en")["legal"]) for word in action["text"].split()}
    near = [puzzle.goal.hex, *sorted(words), *(units.get(word, {}).get("where", "") for word in sorted(words))]
    places = [label for label in near if label in ground.index]
    return f"{places[0]}+{AROUND}" if places else ""


@router.post("/puzzles/{name}/answers", response_model=Solution)
async def answer_puzzle(
    body: Attempt, puzzle: ThePuzzle, request: Request, requester: TheRequester, lang: Lang
) -> Response:
    """Whether nothing is better, and what every choice achieves with best play of both sides: from 0 to 1."""
    game = load(puzzle.game)
    chosen = game.write(game.read(body.action))

    def weigh() -> Response:
        values = _solved(puzzle.name)
        if chosen not in values:
            raise RequestProblem(422, "illegal", "preview-illegal")
        width = puzzle.value - puzzle.worst
        told = [
            {
                "action": text,
                "label": describe_action(game, game.read(text), lang),
                "share": round((value - puzzle.worst) / width, 3),
            }
            for text, value in values.items()
        ]
        return JSONResponse({"right": chosen in puzzle.best, "told": told})

    found: Response = await request.app.state.heavy.run(requester.key, weigh)
    return found


@lru_cache(maxsize=100)
def _solved(puzzle_name: str) -> dict[str, float]:
    puzzle = _all()[puzzle_name]
    return solve(load(puzzle.game), puzzle.state(), puzzle.seat, puzzle.goal, puzzle.until)


@router.get("/games/{game_id}/openings", response_model=OpeningsAnswer)
async def openings(
    look: Looking, request: Request, ply: Annotated[int | None, Query(ge=0, le=10**9)] = None
) -> Response:
    """What was tried in finished games where the position looked the same to this seat, and who won them."""
    book: Openings = request.app.state.openings

    def read() -> Response:
        live, viewer = look.still()
        state = live.session.state_at(live.ply if ply is None else min(ply, live.ply))
        tried, games = book.at(live.game, state, viewer.seat)
        lines = [
            {
                "action": text,
                "label": _label(live.game, text, viewer.lang),
                "games": found.games,
                "wins": {seat: found.wins.get(seat, 0) for seat in live.game.seats},
            }
            for text, found in tried.items()
        ]
        return JSONResponse({"games": games, "tried": lines})

    return await look.slowly(read)


def _label(game: AnyGame, text: str, lang: str) -> str:
    try:
        return describe_action(game, game.read(text), lang)
    except SalientError:
        return text

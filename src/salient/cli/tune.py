"""Tuning computer players on games that they play: the probability of winning, and the weights that guide them."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salient.cli.shared import GameName, Jobs, Language, ScenarioName, out, spoken, with_progress
from salient.cli.speaking import SpokenCommand, SpokenGroup
from salient.games import load
from salient.kernel import Record, Unreadable
from salient.text import phrase

if TYPE_CHECKING:
    from salient.lab.simulate import Match

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True)
app.callback()(spoken)

LEAST_GAMES = 20
NOT_A_NAME = re.compile(r"[^\w@-]+")  # in the name of a folder


@app.command("value", cls=SpokenCommand)
def value(
    game: GameName,
    games: Annotated[int, typer.Option("--games", min=0)] = 200,
    folder: Annotated[Path, typer.Option("--records")] = Path("tuning"),
    level: Annotated[str, typer.Option("--level")] = "captain",
    scenario: ScenarioName = "",
    target: Annotated[Path | None, typer.Option("--out")] = None,
    jobs: Jobs = 1,
    lang: Language = "en",
) -> None:
    """Fit the probability of winning; begun again, it goes on with the games that are there.

    Every scenario and level has a folder of its own beneath that of the game; all of them are fitted together.
    """
    from salient.lab.fitting import all_samples, fit, written
    from salient.lab.simulate import Match

    played = load(game)
    where = folder / game
    _play(Match(played.id, _both(level), played.scenario(scenario).id, swap="," in level), games, where, jobs)
    records = [Record.parse(file.read_text(encoding="utf-8")) for file in sorted(where.rglob("*.salient"))]
    records = [record for record in records if record.header["game"] == played.id]
    if len(records) < LEAST_GAMES:
        raise Unreadable("too-few-games", n=len(records), n_least=LEAST_GAMES)
    fitted = fit(all_samples(with_progress(records, len(records), "reading")))
    loss, area = f"{fitted.log_loss:.3f}", f"{fitted.area:.3f}"
    figures = {"n": fitted.games, "n_positions": fitted.positions, "text_loss": loss, "text_area": area}
    out.print(phrase("tune-fitted", lang, **figures), markup=False)
    for each in fitted.bins:
        shares = {"text_promised": f"{each.promised:.2f}", "text_won": f"{each.won:.2f}", "n": each.positions}
        out.print(phrase("tune-bin", lang, **shares), markup=False)
    file = target or Path(f"{played.id}.toml")
    file.write_text(written(played.id, fitted), encoding="utf-8")
    out.print(phrase("tune-written", lang, text=str(file)), markup=False, soft_wrap=True)


@app.command("guide", cls=SpokenCommand)
def guide(
    game: GameName,
    rounds: Annotated[int, typer.Option("--rounds", min=1)] = 100,
    pairs: Annotated[int, typer.Option("--pairs", min=1)] = 2,
    most: Annotated[int, typer.Option("--most", min=1)] = 200,
    folder: Annotated[Path, typer.Option("--records")] = Path("tuning"),
    scenario: ScenarioName = "",
    seed: Annotated[int, typer.Option("--seed")] = 1,
    target: Annotated[Path | None, typer.Option("--out")] = None,
    jobs: Jobs = 1,
    lang: Language = "en",
) -> None:
    """Tune the weights of a game's captain, test them and write them if they are better; begun again, it goes on."""
    from salient.lab.guiding import Tuner, Tuning, written

    tuning = Tuning(load(game).id, scenario, rounds, pairs, most, seed)
    folder.mkdir(parents=True, exist_ok=True)
    tuner = Tuner(tuning, folder / f"{tuning.game}-guide-{seed}.jsonl")
    left = rounds + most - tuner.progress.rounds - len(tuner.progress.shares)
    for _ in with_progress(tuner.go(jobs), left, "tuning"):
        pass
    found = tuner.progress
    share = f"{100 * sum(found.shares) / max(1, len(found.shares)):.0f}"
    out.print(phrase(f"tune-guide-{found.verdict}", lang, n=2 * len(found.shares), text_share=share), markup=False)
    if found.verdict == "better":
        file = target or Path(f"{tuning.game}-weights.toml")
        file.write_text(written(tuner), encoding="utf-8")
        out.print(phrase("tune-guide-written", lang, text=str(file)), markup=False, soft_wrap=True)


def _both(level: str) -> tuple[str, ...]:
    """The players of both seats: one level, or two that swap seats, separated by a comma."""
    first, _, second = level.partition(",")
    return first, second or first


def _play(match: Match, games: int, folder: Path, jobs: int) -> None:
    """Play the games that are missing; each is kept as soon as it has ended."""
    from salient.lab.batch import batch

    where = folder / NOT_A_NAME.sub("-", "-".join((match.scenario, *dict.fromkeys(match.bots))))
    where.mkdir(parents=True, exist_ok=True)
    missing = [index for index in range(games) if not (where / f"{index}.salient").exists()]
    task = partial(_one, match, missing)
    for index, record in with_progress(batch(task, len(missing), jobs), len(missing), "playing"):
        (where / f"{index}.salient").write_text(record, encoding="utf-8")


def _one(match: Match, missing: list[int], number: int) -> tuple[int, str]:
    from salient.lab.simulate import play_one

    return missing[number], play_one(match, missing[number]).record

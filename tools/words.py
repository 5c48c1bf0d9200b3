"""The sheet of all sentences: every key of games, server, client and command line in every language, with arguments met
in random games.

    python tools/words.py            writes tests/text/sheet/*.txt anew from the catalogs
    python tools/words.py --collect  first plays random games for tests/text/arguments.json (minutes)

A translator reads the sheet in one go; a test compares it with the catalogs: a change of words is a visible diff.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from salient import game_ids, load
from salient.kernel import AnyGame, State, candidates, step, why_not
from salient.kernel.messages import EventList, Message
from salient.lab.playouts import random_options
from salient.text import LANGUAGES, catalog, describe_action, full_name, name, places, say
from salient.text.catalog import own_catalog, package_of
from salient.text.say import kind_of
from salient.text.template import Filling, choosers, fill
from salient.text.typography import typeset

ROOT = Path(__file__).parents[1] / "tests" / "text"
SOURCE = Path(__file__).parents[1] / "src" / "salient"
ARGUMENTS = ROOT / "arguments.json"
SHEETS = ROOT / "sheet"
SAMPLES = 4  # of each key: enough for every gender and for one thing and several
PLIES = 6000
GAMES = 6
REFUSED = 12  # impossible actions tried at a position

Args = dict[str, Any]
Found = dict[str, list[Args]]


# ---- arguments met in random games ---------------------------------------------------------------------------


def collect(game: AnyGame) -> Found:
    """A few arguments of every message met in random games, as unlike each other as can be."""
    found: dict[str, dict[str, Args]] = {}
    for seed in range(GAMES):
        rng = random.Random(f"{game.id} {seed}")
        state = game.new(rng.choice(game.scenarios).id, random_options(game, rng))
        for ply in itertools.count():
            actions = candidates(state)
            if not actions or ply > PLIES:
                break
            events = EventList()
            _keep(game, found, state.stack[-1].prompt(state))
            for refused in _refusals(game, state, rng) if ply % 20 == 0 else ():
                _keep(game, found, refused)
            state = step(state, rng.choice(actions), events, trusted=True)
            for event in events:
                _keep(game, found, event)
    return {key: list(samples.values()) for key, samples in sorted(found.items())}


def _refusals(game: AnyGame, state: State, rng: random.Random) -> Iterator[Message]:
    """Why actions of other kinds are impossible here: some verbs with arguments drawn at random."""
    notation = game.notation
    for verb in rng.sample(sorted(notation.verbs), min(REFUSED, len(notation.verbs))):
        kinds = [kind.rstrip("*") for kind in notation.verbs[verb]]
        values = [_any_value(notation.kinds[kind], rng) for kind in kinds]
        yield from why_not(state, (verb, *values))


def _any_value(kind: Any, rng: random.Random) -> Any:
    if hasattr(kind, "names"):
        return rng.randrange(len(kind.names))
    return rng.choice(kind.words) if hasattr(kind, "words") else rng.randint(1, 6)


def _keep(game: AnyGame, found: dict[str, dict[str, Args]], message: Message) -> None:
    """Keep a message's arguments if they are of a shape not yet seen: other words, one thing or several."""
    samples = found.setdefault(message.key, {})
    args = {place: _written(game, place, value) for place, value in message.args.items()}
    shape = "|".join(_shape(place, value) for place, value in args.items())
    if len(samples) < SAMPLES:
        samples.setdefault(shape, args)


def _written(game: AnyGame, place: str, value: Any) -> Any:
    """An argument by its written name, so that the file outlives a change of the order of units."""
    if isinstance(value, (tuple, list)):
        return [_written(game, place, item) for item in value]
    kind = kind_of(game, place)
    known = game.notation.kinds.get(kind)
    return known.write(value) if known and kind != "n" else value


def _shape(place: str, value: Any) -> str:
    if isinstance(value, list):
        return f"{place}:{min(len(value), 2)}"
    return f"{place}:{value}" if place.startswith(("word", "seat")) else place


# ---- the sheet ---------------------------------------------------------------------------------------------


def arguments() -> dict[str, Found]:
    """The arguments kept, by game and key."""
    kept: dict[str, Found] = json.loads(ARGUMENTS.read_text("utf-8"))
    return kept


def sheet(game: AnyGame, lang: str, kept: Found) -> list[str]:
    """Every sentence, action and name of a game's own catalog in a language, one a line, each with its key."""
    own = own_catalog(package_of(game), lang)
    lines = [f"# {name(game, game.id, lang)} ({lang}): written by tools/words.py, not by hand"]
    for key in sorted(own["message"]):
        said = (say(game, Message("", key, **args), lang) for args in variants(game, key, kept.get(key, [])))
        lines += [f"{key}: {text}" for text in dict.fromkeys(said)]
    for verb in sorted(game.notation.verbs):
        lines.append(f"action {verb}: {describe_action(game, _any_action(game, verb), lang)}")
    lines += [f"name {key}: {text}" for key, text in sorted(own["name"].items())]
    return [*lines, *(f"unit {unit}: {text}" for unit, text in unit_names(game, lang))]


def unit_names(game: AnyGame, lang: str) -> Iterator[tuple[str, str]]:
    """Units and assets with their full names, composed in the language; each name of a kind of piece once."""
    parts = game.components()
    seen = set()
    for piece, about in (*parts["units"].items(), *parts.get("assets", {}).items()):
        text = full_name(game, about["name"], lang)
        if text not in seen:
            seen.add(text)
            yield piece, text


def plain_sheet(title: str, sentences: Mapping[str, str], lang: str) -> list[str]:
    """Sentences whose places are plain texts and numbers, with 0, 1 and 2 of each number that changes words."""
    lines = [f"# {title} ({lang}): written by tools/words.py, not by hand"]
    for key, template in sorted(sentences.items()):
        args = {place: 3 if is_number(place) else "…" for place in places(template)}
        numbers = sorted(place for place in choosers(template) if is_number(place))
        variants = [args, *({**args, place: n} for place in numbers for n in (0, 1, 2))]
        joints = catalog(None, lang)["name"]
        said = (fill(template, Filling(each, lang, joints)).replace("\n", " / ") for each in variants)
        lines += [f"{key}: {text}" for text in dict.fromkeys(said)]
    return lines


def is_number(place: str) -> bool:
    """Whether a place of a plain sentence holds a number that people count by."""
    return place.partition("_")[0] in ("n", "count", "days", "hours", "rolls", "steps", "turns")


def shared_sentences(lang: str) -> dict[str, str]:
    """What all games and the command line say."""
    return {
        f"{table} {key}": text
        for table, texts in own_catalog("salient.text", lang).items()
        for key, text in texts.items()
    }


def server_sentences(lang: str) -> dict[str, str]:
    """What the server says."""
    tables = tomllib.loads((SOURCE / "server" / "text" / f"{lang}.toml").read_text("utf-8"))
    return {f"{table} {key}": typeset(text, lang) for table, texts in tables.items() for key, text in texts.items()}


def client_sentences(lang: str) -> dict[str, str]:
    """What the client says."""
    texts = json.loads((SOURCE / "web" / "i18n" / f"{lang}.json").read_text("utf-8"))
    return {key: typeset(text, lang) for key, text in texts.items()}


OTHERS = {"shared": shared_sentences, "server": server_sentences, "client": client_sentences}


def variants(game: AnyGame, key: str, samples: list[Args]) -> Iterator[Args]:
    """The arguments of a sentence: those met, then the same with 0, 1 and 2 of each number that changes its words."""
    wanted = places(catalog(game, "en")["message"][key])
    chosen = {place for lang in LANGUAGES for place in choosers(catalog(game, lang)["message"][key])}
    for sample in [_known(game, args) for args in samples if wanted <= set(args)] or [_made_up(game, wanted)]:
        yield sample
        for place in sorted(place for place in wanted & chosen if place.partition("_")[0] == "n"):
            yield from ({**sample, place: n} for n in (0, 1, 2))


def _known(game: AnyGame, args: Args) -> Args:
    """Arguments as the engine has them; a name that the data no longer has gives way to the first of its kind."""
    return {place: _read(game, place, value) for place, value in args.items()}


def _read(game: AnyGame, place: str, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_read(game, place, item) for item in value)
    known = game.notation.kinds.get(kind_of(game, place))
    if known is None or kind_of(game, place) == "n":
        return value
    names = getattr(known, "names", None)
    return known.read(value) if names is None or value in names else 0


def _made_up(game: AnyGame, wanted: set[str]) -> Args:
    """Arguments for a sentence that no random game has met: the first of each kind."""
    return {place: _first(game, place) for place in wanted}


def _first(game: AnyGame, place: str) -> Any:
    kind = kind_of(game, place)
    if kind == "n":
        return 1
    plural = place.partition("_")[0] != kind
    known = game.notation.kinds.get(kind)
    value = 0 if hasattr(known, "names") else known.words[0] if hasattr(known, "words") else "…"
    return (value, value) if plural else value


def _any_action(game: AnyGame, verb: str) -> tuple[Any, ...]:
    return (verb, *(_first(game, kind.rstrip("*")) for kind in game.notation.verbs[verb]))


def all_sheets() -> Mapping[str, str]:
    """Every sheet by its file's name."""
    kept = arguments()
    sheets = {
        (game_id, lang): sheet(load(game_id), lang, kept[game_id]) for game_id in game_ids() for lang in LANGUAGES
    }
    sheets |= {(each, lang): plain_sheet(each, said(lang), lang) for each, said in OTHERS.items() for lang in LANGUAGES}
    return {f"{each}.{lang}.txt": "\n".join(lines) + "\n" for (each, lang), lines in sheets.items()}


def main() -> None:
    """Write the sheets, after collecting arguments if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collect", action="store_true", help="play random games for arguments first")
    if parser.parse_args().collect:
        found = {game_id: collect(load(game_id)) for game_id in game_ids()}
        ARGUMENTS.write_text(
            json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("]},", "]},\n") + "\n"
        )
    SHEETS.mkdir(exist_ok=True)
    for file, text in all_sheets().items():
        (SHEETS / file).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

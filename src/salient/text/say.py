"""Sentences: a template of the catalog with its places filled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from salient.kernel import Action, Game, Illegal, NotYourTurn, Refusal
from salient.kernel.messages import Message, SalientError
from salient.kernel.notation import Kind
from salient.kernel.record import Divergence
from salient.text.catalog import Catalog, catalog

PLACE = re.compile(r"\{([a-z][a-z0-9_]*)(?:\|([^{}|]*)\|([^{}|]*))?\}")


def say(game: Game | None, message: Message | Mapping[str, Any], lang: str) -> str:
    """An event, prompt or refusal (or its JSON values) as a sentence, without the rule's number."""
    key, args = (message.key, message.args) if isinstance(message, Message) else (message["key"], message["args"])
    words = catalog(game, lang)
    return _fill(game, words["message"].get(key, key), args, words, lang)


def say_error(game: Game | None, error: SalientError, lang: str) -> str:
    """An error as a sentence, with the numbers of the rules; in English where the catalogs do not have it."""
    if isinstance(error, Illegal) and game is not None:
        reasons = " ".join(_with_rule(say(game, reason, lang), reason.rule) for reason in error.refusals)
        known = str(error.action[0]) in game.notation.verbs
        return f"{game.write(error.action)}: {reasons}" if known else reasons
    if isinstance(error, NotYourTurn):
        return say(game, Refusal("", "not-your-turn", seat=error.seat, seat_actor=error.actor), lang)
    if isinstance(error, Divergence):
        cause = say_error(game, error.cause, lang)
        if error.number:
            cause = say(game, Refusal("", "at-move", n=error.number, text=cause), lang)
        return f"{cause} {say(game, Refusal('', 'other-data'), lang)}" if error.other_data else cause
    if error.problem is None:
        return str(error)
    args = dict(error.problem.args)
    if isinstance(error.__cause__, SalientError) and "text" in args:
        args["text"] = say_error(game, error.__cause__, lang)
    return say(game, Refusal("", error.problem.key, **args), lang)


def _with_rule(sentence: str, rule: str) -> str:
    return f"{sentence} [{rule}]" if rule else sentence


def describe_action(game: Game, action: Action, lang: str) -> str:
    """An action as a short sentence; its notation where the catalog has no sentence for the verb."""
    words = catalog(game, lang)
    template = words["action"].get(str(action[0]))
    if template is None:
        return game.write(action)
    return _fill(game, template, _action_args(game, action), words, lang)


def describe_verb(game: Game, verb: str, lang: str) -> str:
    """What a verb does, with its arguments in capitals."""
    template = catalog(game, lang)["action"].get(verb, verb)
    return PLACE.sub(lambda place: place[3] if place[2] is not None else place[1].upper(), template)


def name(game: Game | None, key: str, lang: str) -> str:
    """The name of a seat, phase, area, unit, option or other word; the key itself if it has none."""
    return catalog(game, lang)["name"].get(key, key)


def phrase(key: str, lang: str, **args: object) -> str:
    """A sentence of the terminal client, with its places filled as they are."""
    template = catalog(None, lang)["play"][key]
    return PLACE.sub(
        lambda place: _plural(place, args, lang) if place[2] is not None else str(args[place[1]]), template
    )


def stage_text(game: Game, stage: tuple[int, int], lang: str) -> str:
    """Turn and place in the sequence of play in words: "Turn 3 · Allies · Impulse 2"."""
    turn, at = stage
    phase = game.components()["sequence"][at]
    side = [name(game, phase["side"], lang)] if phase.get("side") else []
    number = f" {phase['n']}" if "n" in phase else ""
    return " · ".join([phrase("turn", lang, n=turn), *side, name(game, phase["key"], lang) + number])


def places(template: str) -> set[str]:
    """The names of a template's places."""
    return {place[1] for place in PLACE.finditer(template)}


def action_places(game: Game, verb: str) -> list[str]:
    """The places of a verb's sentence: its arguments' kinds, `hex`, `hex_2` for two of a kind, `units` if repeated."""
    names: list[str] = []
    for kind in game.notation.verbs[verb]:
        base = kind[:-1] + "s" if kind.endswith("*") else kind
        same = sum(known.partition("_")[0] == base for known in names)
        names.append(f"{base}_{same + 1}" if same else base)
    return names


def _action_args(game: Game, action: Action) -> dict[str, Any]:
    verb, *values = action
    names = action_places(game, str(verb))
    signature = game.notation.verbs[str(verb)]
    if signature and signature[-1].endswith("*"):
        fixed = len(names) - 1
        values = [*values[:fixed], tuple(values[fixed:])]  # type: ignore[list-item]
    return dict(zip(names, values, strict=True))


def _fill(game: Game | None, template: str, args: Mapping[str, Any], words: Catalog, lang: str) -> str:
    def replace(place: re.Match[str]) -> str:
        if place[1] not in args:
            return place[0]
        if place[2] is not None:
            return _plural(place, args, lang)
        return _argument(game, place[1], args[place[1]], words)

    return PLACE.sub(replace, template)


def _plural(place: re.Match[str], args: Mapping[str, Any], lang: str) -> str:
    value = args[place[1]]
    count = value if isinstance(value, int) else len(value)
    one = count in (0, 1) if lang == "fr" else count == 1
    return place[2] if one else place[3]


def _argument(game: Game | None, place: str, value: Any, words: Catalog) -> str:
    kind = kind_of(game, place)
    if isinstance(value, (tuple, list)):
        return _listed([_one(game, kind, item, words) for item in value], words)
    return _one(game, kind, value, words)


def kind_of(game: Game | None, place: str) -> str:
    """The kind that an argument's name tells: the part before the underscore, in the singular (`units`, `hexes`)."""
    kind = place.partition("_")[0]
    singulars = (kind, kind.removesuffix("s"), kind.removesuffix("es"))
    return next((each for each in singulars if each in _kinds(game)), kind.removesuffix("s"))


def _kinds(game: Game | None) -> Mapping[str, Kind]:
    return game.notation.kinds if game else {}


def _one(game: Game | None, kind: str, value: str | int, words: Catalog) -> str:
    if kind in ("n", "text"):
        return str(value)
    known = _kinds(game).get(kind)
    if known is None or not isinstance(value, int):
        return words["name"].get(str(value), str(value))
    return words["name"].get(known.write(value), known.title(value))


def _listed(items: Sequence[str], words: Catalog) -> str:
    if not items:
        return words["name"]["none"]
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} {words['name']['and']} {items[-1]}"

"""Sentences: a template of the catalog with its places filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from salient.hexes.rows import DataError, Problem
from salient.kernel import Action, AnyGame, GameListing, Illegal, Refusal, State
from salient.kernel.messages import Message, SalientError
from salient.kernel.notation import Kind, Names
from salient.kernel.record import Divergence
from salient.text.catalog import Catalog, catalog
from salient.text.designations import designation
from salient.text.template import Filling, Listed, Name, Value, fill, outline, places, shapers


def say(game: AnyGame | None, message: Message | Mapping[str, Any], lang: str) -> str:
    """An event, prompt or refusal (or its JSON values) as a sentence, without the rule's number."""
    key, args = (message.key, message.args) if isinstance(message, Message) else (message["key"], message["args"])
    words = catalog(game, lang)
    template = words["message"].get(key)
    if template is None:
        return key
    sentence = _fill(game, template, args, words, lang)
    begins = template.startswith("{") and not template.startswith("{text") and template.endswith(".")
    return sentence[:1].upper() + sentence[1:] if begins else sentence


def say_error(game: AnyGame | None, error: SalientError, lang: str) -> str:
    """An error as a sentence, with the numbers of the rules."""
    if isinstance(error, Illegal) and game is not None:
        reasons = " ".join(_with_rule(say(game, reason, lang), reason.rule) for reason in error.refusals)
        known = str(error.action[0]) in game.notation.verbs
        return f"{game.write(error.action)}: {reasons}" if known else reasons
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
    if isinstance(error.__cause__, DataError) and "text" in args:
        args["text"] = say_data_error(error.__cause__, lang)
    return say(game, Refusal("", error.problem.key, **args), lang)


def say_data_error(error: DataError, lang: str) -> str:
    """Every problem of data that cannot be used, with file and line, in the reader's language."""
    heading = say(None, Refusal("", "data-problems", n=len(error.problems)), lang)
    return "\n".join([heading, *(f"  {say_problem(problem, lang)}" for problem in error.problems)])


def say_problem(problem: Problem, lang: str) -> str:
    """A problem of a data file as a sentence."""
    cause = say(None, problem.cause, lang)
    if not problem.line:
        return f"{problem.file}: {cause}"
    return say(None, Refusal("", "at-file-line", text_file=problem.file, n=problem.line, text=cause), lang)


def _with_rule(sentence: str, rule: str) -> str:
    return f"{sentence} [{rule}]" if rule else sentence


def describe_action(game: AnyGame, action: Action, lang: str) -> str:
    """An action as a short sentence; its notation where the catalog has no sentence for the verb."""
    words = action_words(game, lang)
    sentence = words.pattern(action)
    for i, argument in enumerate(words.arguments(action)):
        sentence = sentence.replace(f"{{{i}}}", argument.called)
    return sentence


class Argument(NamedTuple):
    """An argument of an action: of which kind it is, how it is written, what a sentence calls it."""

    kind: str
    value: str
    called: str


class ActionWords:
    """The sentences of a game's actions in a language, as patterns: `{0}`, `{1}` where an argument is only printed.

    What was found once is kept: a list of a thousand moves has a handful of patterns and a name for each hex.
    """

    def __init__(self, game: AnyGame, lang: str) -> None:
        self.game, self.lang = game, lang
        self.words = catalog(game, lang)
        self.forms: dict[Action, tuple[list[str], tuple[int, ...]]] = {}
        self.patterns: dict[Action, str] = {}
        self.known: dict[tuple[str, str | int], Argument] = {}

    def arguments(self, action: Action) -> list[Argument]:
        """The arguments of an action in text and words."""
        known, found = self.known, []
        for key in zip(self._form(action)[0], action[1:], strict=True):
            if key not in known:
                known[key] = self._argument(*key)
            found.append(known[key])
        return found

    def _argument(self, kind: str, value: str | int) -> Argument:
        written = self.game.notation.kinds[kind].write(value)
        called = str(_name(self.game, kind, value, self.words, self.lang))
        return Argument(self.game.notation.kind_of(kind, value), written, called)

    def shaped_by(self, action: Action) -> tuple[int, ...]:
        """The arguments that shape the sentence: all actions of the verb that agree in them have one pattern."""
        return self._form(action)[1]

    def _form(self, action: Action) -> tuple[list[str], tuple[int, ...]]:
        """The kinds of an action's arguments, and which of them shape its sentence."""
        key = action[0], len(action)
        if key not in self.forms:
            verb, count = str(action[0]), len(action) - 1
            self.forms[key] = self.game.notation.kinds_for(verb, count), self._shaping(verb, count)
        return self.forms[key]

    def _shaping(self, verb: str, count: int) -> tuple[int, ...]:
        template = self.words["action"].get(verb)
        signature = self.game.notation.verbs[verb]
        if template is None or (signature and signature[-1].endswith("*")):
            return tuple(range(count))
        shaping = shapers(template)
        return tuple(i for i, place in enumerate(action_places(self.game, verb)) if place in shaping)

    def pattern(self, action: Action) -> str:
        """The sentence of an action with `{0}`, `{1}` for the arguments that do not shape it."""
        by = self.shaped_by(action)
        if by and len(by) == len(action) - 1:
            return self._pattern(action, by)  # there are as many as actions: none is kept
        key = action[0], len(action), *(action[i + 1] for i in by)
        if key not in self.patterns:
            self.patterns[key] = self._pattern(action, by)
        return self.patterns[key]

    def _pattern(self, action: Action, by: tuple[int, ...]) -> str:
        template = self.words["action"].get(str(action[0]))
        if template is None:
            return self.game.write(action)
        args = _action_args(self.game, action)
        values = {place: _argument(self.game, place, value, self.words, self.lang) for place, value in args.items()}
        marks = {place: f"{{{i}}}" for i, place in enumerate(args) if i not in by and len(args) == len(action) - 1}
        return fill(template, Filling(values | marks, self.lang, self.words["name"]))


@lru_cache(maxsize=64)
def action_words(game: AnyGame, lang: str) -> ActionWords:
    """The sentences of a game's actions in a language."""
    return ActionWords(game, lang)


def describe_ending(game: AnyGame, asked: Mapping[str, Any], action: Action, lang: str) -> str:
    """An action that ends what a prompt (its JSON values) asked for: it says what it ends."""
    words = catalog(game, lang)
    template = words["ending"].get(asked["key"])
    return (
        describe_action(game, action, lang) if template is None else _fill(game, template, asked["args"], words, lang)
    )


def say_left(game: AnyGame, asked: Mapping[str, Any], counts: Mapping[str, int], lang: str) -> str:
    """What an ending leaves undone, from how many units and places could still be named; nothing if none could."""
    words = catalog(game, lang)
    template = words["left"].get(asked["key"])
    if template is None or not all(counts.get(place, 1) for place in places(template)):
        return ""
    return _fill(game, template, {**asked["args"], **counts}, words, lang)


def describe_faces(game: AnyGame, faces: Sequence[int], lang: str) -> str:
    """What several dice showed, die by die."""
    words = catalog(game, lang)
    return _fill(game, words["action"]["faces"], {"ns": tuple(faces)}, words, lang)


def describe_verb(game: AnyGame, verb: str, lang: str) -> str:
    """What a verb does, with its arguments in capitals."""
    template = catalog(game, lang)["action"].get(verb)
    return verb if template is None else outline(template)


def name(game: AnyGame | GameListing | None, key: str, lang: str) -> str:
    """The name of a seat, phase, area, unit, option or other word; the key itself if it has none."""
    return catalog(game, lang)["name"].get(key, key)


def title(game: AnyGame | GameListing, lang: str) -> str:
    """The game's title, as its map prints it."""
    return catalog(game, lang)["name"].get(game.id, game.title)


def full_name(game: AnyGame, english: str, lang: str) -> str:
    """What a unit or a marker is called in full, from the name in its data."""
    return catalog(game, lang)["name"].get(english) or designation(english, lang)


def phrase(key: str, lang: str, **args: object) -> str:
    """A sentence of the terminal client, with its places filled as they are."""
    words = catalog(None, lang)
    plain = {place: value if isinstance(value, (int, Name)) else str(value) for place, value in args.items()}
    return fill(words["play"][key], Filling(plain, lang, words["name"]))


def stage_text(game: AnyGame, stage: tuple[int, int], lang: str) -> str:
    """Turn and place in the sequence of play in words: "Turn 3 · Allies · Impulse 2"."""
    turn, at = stage
    phase = game.components()["sequence"][at]
    side = [name(game, phase["side"], lang)] if phase.get("side") else []
    number = f" {phase['n']}" if "n" in phase else ""
    return " · ".join([phrase("turn", lang, n=turn), *side, name(game, phase["key"], lang) + number])


def heading(game: AnyGame, state: State, lang: str) -> str:
    """Turn and place in the sequence of play of a position, in words."""
    seen = game.view.observe(state, game.seats[0])
    return stage_text(game, (seen["turn"], seen["at"]), lang)


def action_places(game: AnyGame, verb: str) -> list[str]:
    """The places of a verb's sentence: its arguments' kinds, `hex`, `hex_2` for two of a kind, `units` if repeated."""
    names: list[str] = []
    for kind in game.notation.verbs[verb]:
        base = kind[:-1] + "s" if kind.endswith("*") else kind
        same = sum(known.partition("_")[0] == base for known in names)
        names.append(f"{base}_{same + 1}" if same else base)
    return names


def _action_args(game: AnyGame, action: Action) -> dict[str, Any]:
    verb, *values = action
    names = action_places(game, str(verb))
    signature = game.notation.verbs[str(verb)]
    if signature and signature[-1].endswith("*"):
        fixed = len(names) - 1
        values = [*values[:fixed], tuple(values[fixed:])]  # type: ignore[list-item]
    return dict(zip(names, values, strict=True))


def _fill(game: AnyGame | None, template: str, args: Mapping[str, Any], words: Catalog, lang: str) -> str:
    values = {place: _argument(game, place, value, words, lang) for place, value in args.items()}
    return fill(template, Filling(values, lang, words["name"]))


def _argument(game: AnyGame | None, place: str, value: Any, words: Catalog, lang: str) -> Value:
    kind = kind_of(game, place)
    if isinstance(value, (tuple, list)):
        return Listed([_name(game, kind, item, words, lang) for item in value], _none(kind, words))
    if kind == "n" and isinstance(value, int):
        return value
    return _name(game, kind, value, words, lang)


def kind_of(game: AnyGame | None, place: str) -> str:
    """The kind that an argument's name tells: the part before the underscore, in the singular (`units`, `hexes`)."""
    kind = place.partition("_")[0]
    singulars = (kind, kind.removesuffix("s"), kind.removesuffix("es"))
    return next((each for each in singulars if each in _kinds(game)), kind.removesuffix("s"))


def _kinds(game: AnyGame | None) -> Mapping[str, Kind]:
    return game.notation.kinds if game else {}


def _name(game: AnyGame | None, kind: str, value: str | int, words: Catalog, lang: str) -> Name:
    if kind in ("n", "text"):
        return Name(str(value))
    names, known = words["name"], _kinds(game).get(kind)
    if known is None or not isinstance(value, int):
        return names.get(str(value)) or Name(str(value))
    written = names.get(known.write(value))
    if written is not None:
        return written
    parts = known.parts(value) if isinstance(known, Names) else None
    return _composed(*parts, words) if parts else Name(designation(known.title(value), lang))


def _composed(what: str, where: str, words: Catalog) -> Name:
    """A thing by what it is and where, in every form that the language has for what it is."""
    noun, place = (words["name"].get(part) or Name(part) for part in (what, where))
    forms = {form: text if form in ("g", "number") else f"{text} ({place})" for form, text in noun.forms.items()}
    return Name(f"{noun} ({place})", forms)


def _none(kind: str, words: Catalog) -> str:
    """What an empty list prints, in the gender of its kind: nessuno, nessuna."""
    none, gender = words["name"]["none"], words["name"].get(kind, Name("")).forms.get("g", "")
    return none.forms.get(gender, none)

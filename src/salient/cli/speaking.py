"""Help and refusals of the command line in the reader's language: words from the catalogs, by what a person types.

The table `help` of a catalog has a line for every command ("play", "admin suspend") and for every argument and option:
"play --seat" if the command has its own words for it, else "--seat" for all commands.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import typer
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from salient.cli.shared import err, out
from salient.hexes.rows import DataError
from salient.kernel import Unreadable
from salient.kernel.messages import SalientError
from salient.text import catalog, languages, phrase, say_data_error, say_error

UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # typer does not export it
LANG = "salient.lang"  # in the meta of a context


def asked_language(words: list[str]) -> str:
    """The language that a command line asks for with --lang; English if it asks for none that there is."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "--lang" and following in languages():
            return following
        if word.removeprefix("--lang=") in languages():
            return word.removeprefix("--lang=")
    return "en"


# ---- help ------------------------------------------------------------------------------


def help_of(command: str, word: str, lang: str) -> str:
    """The words for a command, or for one of its arguments and options."""
    words = catalog(None, lang)["help"]
    return str(words.get(f"{command} {word}".strip()) or words[word])


def typed(param: Any) -> str:
    """A parameter as a person types it: --seat, GAME."""
    return str(max(param.opts, key=len) if _is_option(param) else param.metavar or param.name.upper())


def command_name(ctx: Any) -> str:
    """What follows the program's name: "play", "admin suspend"; nothing for the program itself."""
    return str(ctx.command_path.removeprefix(ctx.find_root().command_path).strip())


def print_help(command: Any, ctx: Any) -> None:
    """A command's usage, words, arguments, options and commands."""
    lang, name = ctx.meta.get(LANG, "en"), command_name(ctx)
    params = command.get_params(ctx)
    arguments = [param for param in params if not _is_option(param)]
    options = [param for param in params if _is_option(param) and not param.hidden]
    commands = getattr(command, "commands", {})
    places = [typed(param) for param in arguments] + [phrase("help-a-command", lang)] * bool(commands)
    usage = " ".join([ctx.command_path, phrase("help-some-options", lang), *places])
    out.print(f"{phrase('help-usage', lang)} {usage}", style="bold", markup=False)
    out.print(f"\n{help_of('', name, lang) if name else help_of('', 'salient', lang)}", markup=False)
    for title, listed in (("help-arguments", arguments), ("help-options", options)):
        _print_table(title, [(_written(param, lang), _told(param, name, lang)) for param in listed], lang)
    panels: dict[str, list[tuple[str, str]]] = {}
    for word, each in commands.items():
        panel = each.rich_help_panel or "commands"
        panels.setdefault(f"help-{panel.lower()}", []).append((word, help_of("", f"{name} {word}".strip(), lang)))
    for title, rows in panels.items():
        _print_table(title, rows, lang)


def _is_option(param: Any) -> bool:
    return bool(param.opts[0].startswith("-"))


def _written(param: Any, lang: str) -> str:
    if not _is_option(param):
        return typed(param)
    value = "" if param.is_flag else f" {phrase('help-value', lang)}"
    return ", ".join(sorted(param.opts, key=len, reverse=True)) + value


def _told(param: Any, name: str, lang: str) -> str:
    words = help_of(name, typed(param), lang)
    if param.default and not isinstance(param.default, (bool, list)) and not callable(param.default):
        words += f" ({phrase('help-default', lang, text=param.default)})"
    return words


def _print_table(title: str, rows: list[tuple[str, str]], lang: str) -> None:
    if not rows:
        return
    out.print(f"\n{phrase(title, lang)}", style="bold", markup=False)
    table = Table.grid(padding=(0, 2), pad_edge=True)
    table.add_column(no_wrap=True, style="cyan")
    table.add_column()
    for left, right in rows:
        table.add_row(Text(left), Text(right))
    out.print(table)


# ---- refusals ---------------------------------------------------------------------------


def usage_error(error: Any, command: Any, path: str, lang: str) -> str:
    """What is wrong with a command line, and where its help is."""
    return f"{_wrong(error, command, lang)} {phrase('help-hint', lang, text=f'{path} --help')}"


def _wrong(error: Any, command: Any, lang: str) -> str:
    kind, param = type(error).__name__, getattr(error, "param", None)
    if kind == "NoSuchOption":
        return _no_such("no-such-option", error.option_name, list(error.possibilities or ()), lang)
    if kind == "MissingParameter" and param is not None:
        return phrase("missing-parameter", lang, text=typed(param))
    if kind == "BadOptionUsage":
        option = next(param for param in command.params if error.option_name in param.opts)
        return phrase("takes-no-value" if option.is_flag else "needs-a-value", lang, text=error.option_name)
    if kind == "BadParameter" and param is not None:
        return _bad_value(param, lang)
    return phrase("extra-words", lang)


def _no_such(key: str, text: str, near: list[str], lang: str) -> str:
    sentence = phrase(key, lang, text=text)
    return f"{sentence} {phrase('did-you-mean', lang, text=', '.join(sorted(near)))}" if near else sentence


def _bad_value(param: Any, lang: str) -> str:
    least, most = getattr(param, "min", None), getattr(param, "max", None)
    if most is not None:
        return phrase("bad-value-between", lang, text=typed(param), text_least=f"{least:g}", text_most=f"{most:g}")
    if least is not None:
        return phrase("bad-value-least", lang, text=typed(param), text_least=f"{least:g}")
    return phrase("bad-value", lang, text=typed(param))


def sentence_of(error: Exception, lang: str) -> str | None:
    """An error as one sentence; None if it is not one that people cause."""
    if isinstance(error, SalientError):
        return say_error(None, error, lang)
    if isinstance(error, DataError):
        return say_data_error(error, lang)
    if isinstance(error, FileNotFoundError):
        return phrase("no-such-file", lang, file=error.filename)
    if isinstance(error, IsADirectoryError):
        return phrase("is-a-folder", lang, file=error.filename)
    if isinstance(error, UnicodeDecodeError):
        return phrase("no-text-file", lang)
    if isinstance(error, OSError):
        return phrase("file-fails", lang, file=error.filename or "", text=error.strerror or error)
    return None


# ---- commands and groups ----------------------------------------------------------------


class Spoken:
    """A command whose help and refusals are in the reader's language."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the command line; what cannot be read is one sentence and exit code 2."""
        lang = parent.meta[LANG] if parent else asked_language(args)
        try:
            return super().make_context(info_name, args, parent, **extra)  # type: ignore[misc]
        except UsageError as error:
            if type(error).__name__ != "NoArgsIsHelpError":  # that one has printed the help
                path = f"{parent.command_path} {info_name}" if parent else info_name or ""
                err.print(usage_error(error, self, path, lang), style="red", markup=False)
            raise typer.Exit(2) from None
        except SalientError as error:
            err.print(say_error(None, error, lang), style="red", markup=False)
            raise typer.Exit(2) from None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Note the language before anything is said."""
        if ctx.parent is None:
            ctx.meta[LANG] = asked_language(args)
        ctx.default_map = {"lang": ctx.meta[LANG]}  # given once, before or after the command
        rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]
        return rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        print_help(self, ctx)


class SpokenCommand(Spoken, TyperCommand):
    """A command."""


class SpokenGroup(Spoken, TyperGroup):
    """Commands whose errors are a sentence, not a traceback."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first word names."""
        if args[0] not in self.commands:
            near = get_close_matches(args[0], self.commands) or list(self.commands)
            raise Unreadable("no-such-command", text=args[0], texts_known=tuple(near))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what people cause is one sentence and exit code 2."""
        if ctx.parent is not None:
            return super().invoke(ctx)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        except Exception as error:
            sentence = sentence_of(error, ctx.meta[LANG])
            if sentence is None:
                raise
            err.print(sentence, style="red", markup=False)
            raise typer.Exit(2) from None

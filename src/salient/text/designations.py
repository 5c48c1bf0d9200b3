"""Names of units in every language, composed from the parts of the English name: "3rd Battalion, 12th Infantry"."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from salient.text.typography import typeset

PART = re.compile(
    r"(?P<battalion>[IVX]+\./)?"
    r"(?:(?P<first>[\d/]+)(?:st|nd|rd|th)? |(?P<corps>[IVX]+) (?=Corps))?"
    r"(?P<noun>.+?)"
    r"(?P<note> \([^)]*\))?"
)


@cache
def designation(english: str, lang: str) -> str:
    """A unit's name in a language; what the language has no word for stays English."""
    if lang == "en":
        return english
    text = ", ".join(_part(part, lang) for part in english.split(", "))
    return typeset(text[:1].upper() + text[1:], lang)


def _part(english: str, lang: str) -> str:
    if english in _parts():
        return _numbered(_parts()[english].get(lang, english), "")
    part = PART.fullmatch(english)
    assert part, english
    number = part["first"] or part["corps"] or ""
    text = _noun(part["noun"], number, lang)
    note = f" ({_part(part['note'][2:-1], lang)})" if part["note"] else ""
    battalion = (part["battalion"] or "").replace("./", "./" if lang == "de" else "/")
    return battalion + text + note


def _noun(noun: str, number: str, lang: str) -> str:
    """The longest known beginning of a noun, with its number; what follows is a number, a letter or a proper name."""
    words = noun.split(" ")
    for size in range(len(words), 0, -1):
        known = _parts().get(" ".join(words[:size]), {}).get(lang)
        rest = " ".join(words[size:])
        if known:
            if rest and "#" in known and not number:
                return _numbered(known, rest)
            return " ".join(filter(None, (_numbered(known, number), _part(rest, lang) if rest else "")))
    return f"{number} {noun}".strip()


def _numbered(text: str, number: str) -> str:
    """A part with its number in the place of `#`, or without it."""
    if not number:
        return re.sub(r"#\S* | ?#", "", text)
    if number != "1":
        text = re.sub(r"#(er|re)\b", "#e", text)
    return text.replace("#", number)


@cache
def _parts() -> dict[str, dict[str, str]]:
    file = resources.files(str(__package__)) / "units.toml"
    return dict(tomllib.loads(file.read_text(encoding="utf-8"))["part"])

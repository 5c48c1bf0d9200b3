"""Signs that translators do not type: spaces that do not break, true apostrophes. `web/template.js` sets them too."""

from __future__ import annotations

import re

NARROW, FIRM = "\u202f", "\u00a0"
APOSTROPHE = re.compile(r"(?<=\w)'|(?<!\w)'(?=\d\d\b)")


def typeset(text: str, lang: str) -> str:
    """A text with the apostrophes and, in French, the spaces that a printer sets."""
    text = APOSTROPHE.sub("\u2019", text)
    if lang != "fr":
        return text
    text = re.sub(r" ([;?!])", NARROW + r"\1", text)
    text = re.sub(r" ([:\u00bb])", FIRM + r"\1", text)
    return text.replace("\u00ab ", "\u00ab" + FIRM)

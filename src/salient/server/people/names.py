"""Names of people: what they may look like, and when two look alike."""

from __future__ import annotations

import re
import unicodedata

from salient.server.problems import RequestProblem

SHORTEST, LONGEST = 3, 20
ALLOWED = re.compile(r"[^\W_](?:[^\W_]|[-_.](?=[^\W_]))*", re.UNICODE)
LAST_LETTER = "\u017f"  # the Latin letters of European languages; those after them are made to look like others
MORE_LETTERS = frozenset("ȘșȚț")
LOOKALIKES = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b", "ı": "l", "ø": "o", "ß": "s"})
LOOKALIKES |= str.maketrans({"ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "p", "ŋ": "n", "ĸ": "k", "æ": "ae"})
LOOKALIKES |= str.maketrans({"œ": "oe"})
RESERVED = frozenset({"adm1n", "admin", "salient", "system", "server", "root", "me", "bot", "guest", "moderator"})


def checked_name(name: str) -> str:
    """The name in its normal form; RequestProblem if its length or one of its characters cannot be."""
    normal = unicodedata.normalize("NFC", name.strip())
    if not SHORTEST <= len(normal) <= LONGEST or not ALLOWED.fullmatch(normal) or not all(map(_is_latin, normal)):
        raise RequestProblem(422, "invalid", "bad-name", least=SHORTEST, most=LONGEST)
    if name_key(normal) in {name_key(word) for word in RESERVED}:
        raise RequestProblem(409, "not-possible", "name-taken")
    return normal


def _is_latin(letter: str) -> bool:
    return letter in MORE_LETTERS or letter <= LAST_LETTER if letter.isalpha() else letter.isascii()


def name_key(name: str) -> str:
    """What names that look alike have in common: no accents, no case, no punctuation, one form of l, 1 and I."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(c for c in plain if c.isalnum())
    return letters.translate(LOOKALIKES).replace("rn", "m").replace("vv", "w")[:40]

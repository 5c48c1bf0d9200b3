"""Non-interference: what one side chose in secret makes no difference to any answer that the other gets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from salient.server import Settings, create_app

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("game", "dice"), [("deadly-woods", "typed"), ("ardennes44", "verified")], ids=["panzer army", "depots"]
)
def test_twin_games_look_alike_to_the_other_side(monkeypatch: pytest.MonkeyPatch, game: str, dice: str) -> None:
    """A moment of `python -m bench.secrets_kept`, with the dice that once showed the secret (R-5)."""
    monkeypatch.syspath_prepend(ROOT)
    from bench.secrets_kept import CASES, compare

    looks = ("", "/in the list", "/log", "/dice", "/record", "/situation", "/reasons/{ply}")
    looks += ("/openings", "/overlay/{overlay}")
    done, differing = compare(CASES[game], dice, 20, looks=looks, every=0)
    assert differing == []
    assert done >= 20


def test_a_difference_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the keeper's own eyes the twins differ at once: the comparison sees what it has to."""
    monkeypatch.syspath_prepend(ROOT)
    from bench.secrets_kept import CASES, compare

    open_case = replace(CASES["ardennes44"], other="allied", keeper="german")
    with pytest.raises(AssertionError, match="the twins do not differ for the keeper"):
        compare(open_case, "verified", 20, looks=("",), every=0)


ONES_OWN = {"/note", "/advice", "/analysis"}  # nobody else's; refused between people; when the game is over


def test_every_look_at_a_game_is_compared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A route by which one looks at a game is either compared, or named here with the reason."""
    monkeypatch.syspath_prepend(ROOT)
    from bench.secrets_kept import LONG_LOOKS, LOOKS

    game = "/api/games/{game_id}"
    paths = create_app(Settings(tmp_path, public=True)).openapi()["paths"]
    served = {path.removeprefix(game) for path, methods in paths.items() if path.startswith(game) and "get" in methods}
    compared = {look.split("?")[0] for look in (*LOOKS, *LONG_LOOKS) if not look.startswith("POST")}
    assert served == compared - {"/socket", "/in the list"} | ONES_OWN

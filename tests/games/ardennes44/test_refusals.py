"""Decisions refuse what is not allowed with the rule and the real cause."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.ardennes44.positions import hexagon
from salient import load
from salient.games.ardennes44 import model
from salient.kernel import CHANCE, OVER, AnyGame, actor, candidates, legal, step, why_not
from salient.lab.playouts import random_options
from salient.text import LANGUAGES, say

FAR_AWAY = "0129 2SS/3"


@pytest.mark.parametrize(
    ("side", "lines", "first", "text", "refusal"),
    [
        ("german", "6637 2Pz/2", [], "select 84/334", ("11.1", "not-your-unit")),
        ("german", "6637 2Pz/2 engaged", [], "select 2Pz/2", ("16.5", "is-engaged")),
        ("german", "6637 2Pz/2", ["select 2Pz/2"], "via 2Pz/2 6637", ("11.1", "is-there")),
        ("german", "6637 2Pz/2", ["select 2Pz/2"], "via 2Pz/2 6620", ("11.1", "too-far")),
        ("german", "6637 2Pz/2\n6636 84/334", ["select 2Pz/2"], "via 2Pz/2 6636", ("11.1", "enemy-in-hex")),
        ("german", "6637 2Pz/2", ["select 2Pz/2"], "infiltrate 2Pz/2 6636", ("27.8.2", "no-disguise")),
        ("german", "6637 2Pz/2", ["select 2Pz/2"], "select 2Pz/2", ("11.1", "finish-move-first")),
        ("german", "6637 2Pz/2", ["select 2Pz/2", "via 2Pz/2 6636"], "cancel", ("11.1", "finish-move-first")),
        ("german", "6637 2Pz/2", ["select 2Pz/2", "via 2Pz/2 6636"], "dig 2Pz/2", ("11.1", "finish-move-first")),
        ("german", "6637 212VG/320", ["select 212VG/320"], "march 212VG/320 6636", ("12.1", "germans-have-no-trucks")),
        ("german", "6637 2Pz/2", ["select 2Pz/2"], "exit 2Pz/2 6637", ("11.9.3", "no-exit-there")),
        ("german", "6637 2Pz/2", ["select 2Pz/2"], "tow 2Pz/2 6636", ("22.3", "no-tractor")),
        ("allied", "6637 84/334", ["select 84/334"], "leave 84/334 northeast", ("11.9.1", "no-way-to-box")),
        ("allied", "6637 84/334", ["select 84/334"], "station 84/334 west", ("13.5", "not-off-map")),
        ("allied", "6637 84/334 disrupted\n6638 2Pz/2", ["select 84/334"], "stay 84/334", ("18.3", "withdraw-first")),
        ("allied", "6637 84/334 disrupted\n6638 2Pz/2", [], "pass", ("18.3", "withdraw-first")),
        ("allied", "6637 84/334\n6636 84/335 engaged", ["select 84/334"], "move 84/334 6636", ("8.1", "hex-is-full")),
        ("allied", "6637 84/334\n6638 2Pz/2", [], "load 84/334", ("12.4.3", "load-on-road")),
        ("allied", "6637 84/334", [], "unload 84/334", ("12.7", "no-trucks")),
        ("allied", "6637 84/771", [], "dig 84/771", ("15.8.2", "cannot-dig")),
    ],
)
def test_11_1_movement(
    moving: Any, side: str, lines: str, first: list[str], text: str, refusal: tuple[str, str]
) -> None:
    """What a movement phase, a unit in hand and a unit under way refuse."""
    anchor = FAR_AWAY if side == "german" else "3413 101/501"
    assert moving(side, f"{lines}\n{anchor}").play(*first).refusal(text) == refusal


def test_25_3_5_a_marked_unit_has_moved_before(moving: Any) -> None:
    table = moving("german", f"6637 2SS/4, 2SS/2/1\n{FAR_AWAY}", turn=8).play("night 6637")
    assert table.refusal("select 2SS/4") == ("25.3.5", "marked-for-the-night")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("blow 2020/2119", ("7.3", "no-enemy-near")),
        ("build 2020/2119", ("7.8", "nothing-to-build")),
        ("burn 2831", ("32.3", "no-depot-to-burn")),
        ("commando 2020/2119", ("36", "no-commando")),
        ("done", ("7.1", "bridges-first")),
    ],
)
def test_7_1_bridges(bridging: Any, text: str, refusal: tuple[str, str]) -> None:
    """A bridge phase in which only the bridge of Dasburg can be blown."""
    table = bridging("allied", "2016 2Pz/2\n2115 84/334")
    assert table.choices("blow") == ["blow 2016/2115"]
    assert table.refusal(text) == refusal


def test_33_2_roadblocks(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS).play("done")
    assert table.refusal("block 6637") == ("33.2", "no-roadblock-there")
    assert table.refusal("traffic 6637") == ("33.2", "roadblock-first")


def test_24_3_1_no_seventh_marker(phase: Any) -> None:
    hexes = [hexagon(label) for label in ("2113", "1913", "1713", "1513", "1313")]
    table = phase("allied-traffic", "allied", "", turn=5, traffic=[*hexes, *[-1] * 7]).play("traffic 6637")
    assert table.refusal("traffic 6630") == ("24.3.1", "no-traffic-left")


# ---- any action at any time ----------------------------------------------------------------------------------------


def random_action(game: AnyGame, rng: random.Random) -> Any:
    """Any verb with any arguments of its kinds."""
    verb = rng.choice(list(game.notation.verbs))
    kinds = [game.notation.kinds[kind] for kind in game.notation.verbs[verb]]
    return (verb, *(rng.randrange(len(getattr(kind, "names", range(9)))) for kind in kinds))


@pytest.mark.parametrize("scenario", ["six-turns", "patton"])
def test_no_refusal_is_vague_and_no_legal_action_is_refused(scenario: str) -> None:
    """In a random game: nothing speaks against a legal action, and something particular against any other."""
    game, rng = load("ardennes44"), random.Random(scenario)
    state = game.new(scenario, random_options(game, rng))
    for _ in range(900):
        if actor(state) == OVER:
            break
        actions = legal(state) if rng.random() < 0.3 else candidates(state)
        chosen = rng.choice(actions)
        assert why_not(state, chosen) == []
        action = random_action(game, rng)
        for refusal in why_not(state, action):
            assert actor(state) == CHANCE or refusal.key != "not-offered", game.write(action)
            assert not any("{" in say(game, refusal, lang) for lang in LANGUAGES), refusal
        state = step(state, chosen, trusted=True)

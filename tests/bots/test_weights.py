"""Weights are data: read through one door that names what is wrong, and by them a player judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from salient import bots, load
from salient.common.data import data_folder
from salient.common.weights import FILE, read_weight_file, read_weights
from salient.games import game_ids
from salient.hexes.rows import DataError

SIDES, NAMES = ("allied", "german"), ("arnhem", "losses")
GOOD = '{value = 2.0, range = [0.0, 3.0], source = "house"}'


def written(folder: Path, *lines: str) -> Path:
    file = folder / FILE
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.mark.parametrize("name", game_ids())
def test_every_feature_of_every_game_has_a_weight_for_both_sides(name):
    game = load(name)
    for seat in game.seats:
        assert {*game.judge.features(game.new(), seat), "victory"} == set(game.judge.weights(seat))
        assert game.judge.weights(seat)["victory"] == 1000


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (f"arnem = {GOOD}", "line 2: there is no feature “arnem” to weigh: perhaps arnhem."),
        ("arnhem = 3.0", "line 2: “arnhem” must be written"),
        (
            'arnhem = {value = 9.0, range = [0.0, 3.0], source = "house"}',
            "line 2: “arnhem” is 9.0: it must be a number",
        ),
        ('arnhem = {value = "two", range = [0.0, 3.0], source = "house"}', "line 2: “arnhem” is two: it must be"),
        ('arnhem = {value = nan, range = [0.0, 3.0], source = "house"}', "line 2: “arnhem” is nan: it must be"),
        (
            'arnhem = {value = 1.0, range = [0.0], source = "house"}',
            "line 2: the range of “arnhem” must be two numbers",
        ),
        ('arnhem = {value = 1.0, range = [0.0, 3.0], source = "guess"}', "line 2: unknown source “guess”"),
        ("arnhem = = 3", "line 2: the file is not valid TOML"),
    ],
)
def test_a_wrong_line_is_named_with_its_cause(tmp_path, line, sentence):
    with pytest.raises(DataError) as error:
        read_weight_file(written(tmp_path, "[allied]", line), SIDES, NAMES)
    assert f"{FILE}, {sentence}" in str(error.value)


def test_an_unknown_side_is_named_with_its_line(tmp_path):
    with pytest.raises(DataError, match=r"line 3: there is no side “axis”"):
        read_weight_file(written(tmp_path, "[allied]", f"arnhem = {GOOD}", "[axis]", f"arnhem = {GOOD}"), SIDES, NAMES)


def test_a_feature_without_a_weight_is_named(tmp_path):
    written(tmp_path, "[allied]", f"arnhem = {GOOD}", "[german]", f"arnhem = {GOOD}", f"losses = {GOOD}")
    with pytest.raises(DataError, match=r"\[allied\] has no weight “losses”"):
        read_weights(tmp_path, SIDES)


def test_own_weights_replace_ours_and_leave_the_rest(tmp_path):
    sides = [f"[{side}]\narnhem = {GOOD}\nlosses = {GOOD}" for side in SIDES]
    written(tmp_path, *sides)
    own = tmp_path / "own"
    own.mkdir()
    written(own, "[german]", 'losses = {value = 1.5, range = [0.0, 3.0], source = "house"}')
    assert read_weights(tmp_path, SIDES, own) == {
        "allied": {"arnhem": 2.0, "losses": 2.0},
        "german": {"arnhem": 2.0, "losses": 1.5},
    }


def test_a_player_judges_by_the_weights_that_it_is_given():
    """With nothing but its strength of garrisons in mind a captain judges as that feature alone."""
    game = load("target-arnhem")
    only = dict.fromkeys(game.judge.weights("allied"), 0.0) | {"supply-points": 2.0}
    state = game.new()
    captain = bots.make("captain", game, "allied", 1, only)
    assert captain.opinion.evaluate(state) == 2.0 * game.judge.features(state, "allied")["supply-points"]


def test_the_weights_of_the_games_are_read_from_their_files():
    text = (data_folder("salient.games.bulge") / FILE).read_text(encoding="utf-8")
    assert f"raids = {{value = {load('bulge').judge.weights('axis')['raids']}," in text

"""Ardennes '44: chapter 30, victory."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    FAR_AWAY,
    GAME,
    GROUND,
    effects,
    hexagon,
    stage,
    where,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.supply import (
    supplied_hexes,
)
from salient.games.ardennes44.victory import (
    allies_in_areas,
    exited_factors,
    german_reason,
    german_victory_hexes,
)
from salient.kernel import legal, step

WON = GROUND.objectives & ~(GROUND.victory & GROUND.west_map) | GROUND.liege  # what Germans hold who have taken Liège


def to_the_end_of_the_allied_turn(table: Any) -> Any:
    """The Allies do nothing more."""
    while not table.state.winner and (table.state.turn, table.state.night) == (9, 0):
        table.play(next((text for text in table.choices() if text in ("pass", "done")), table.choices()[0]))
    return table


def test_30_1_1_victory_is_checked_in_the_allied_player_turn_and_ends_the_game_at_once(phase: Any) -> None:
    """Liège has fallen in the German turn: nobody has won before the Allies have played theirs; then all is over."""
    table = phase("german-supply", "german", "6637 84/334\n6030 2Pz/2", turn=9, held=WON)
    assert (table.actor, table.state.player, table.state.winner) == ("allied", ALLIED, "")
    assert german_reason(table.state) == "german-liege"
    to_the_end_of_the_allied_turn(table)
    assert (table.state.winner, table.state.result_key, table.state.turn) == ("german", "german-liege", 9)
    assert (table.actor, table.choices()) == ("over", [])


def test_30_1_1_the_allies_may_take_back_what_would_have_won(phase: Any) -> None:
    table = phase("allied-movement", "allied", "3838 84/771\n6030 2Pz/2", turn=9, held=WON)
    assert german_reason(table.state) == "german-liege"
    table.play("select 84/771", "move 84/771 4040")
    assert to_the_end_of_the_allied_turn(table).state.winner == ""
    assert table.state.turn == 10


ST_VITH = 1 << GROUND.st_vith


def test_30_1_2_a_town_is_taken_in_passing(moving: Any) -> None:
    """The cheapest way leaves St. Vith aside; led through it, the reconnaissance takes it and goes on."""
    table = moving("german", f"2328 2Pz/Rec\n{FAR_AWAY}")
    plain = table.try_all("select 2Pz/Rec", "move 2Pz/Rec 2027")
    assert not plain.state.held & ST_VITH  # type: ignore[attr-defined]
    table.play("select 2Pz/Rec")
    assert effects(table, "via 2Pz/Rec 2125").count("way-takes") >= 1
    table.play("via 2Pz/Rec 2125")
    assert table.state.held & ST_VITH
    table.play("move 2Pz/Rec 2027")
    assert where(table, "2Pz/Rec") == "2027"


def test_30_1_2_cavalry_takes_a_town_back_and_goes_on(moving: Any) -> None:
    table = moving("allied", "2328 4Cav/4\n2711 84/334", held=ST_VITH)
    table.play("select 4Cav/4", "via 4Cav/4 2125", "move 4Cav/4 2027")
    assert not table.state.held & ST_VITH


def test_30_1_2_either_hex_of_bastogne(moving: Any) -> None:
    """Both cost the same: the player leads through the one that he wants."""
    for town, other in (("3313", "3413"), ("3413", "3313")):
        table = moving("german", f"3514 2Pz/Rec\n{FAR_AWAY}").play("select 2Pz/Rec", f"via 2Pz/Rec {town}")
        table.play("move 2Pz/Rec 3312")
        assert table.state.held >> hexagon(town) & 1
        assert not table.state.held >> hexagon(other) & 1


def test_30_1_2_a_plain_move_takes_the_towns_on_its_way(moving: Any) -> None:
    """A victory hex in the middle of a way changes hands, not only the one at its end."""
    s: Any = moving("german", "3514 2Pz/Rec\n0129 2SS/3").play("select 2Pz/Rec").state
    ways = [GAME.view.preview(s, action)["path"] for action in legal(s) if action[0] == "move"]
    mine = [h for h in range(GROUND.hexes) if GROUND.objectives >> h & ~s.held >> h & 1]
    towns = {h: way for way in ways for h in way[1:-1] if hexagon(h) in mine}
    town, way = next(iter(towns.items()))
    after: Any = step(s, GAME.read(f"move 2Pz/Rec {way[-1]}"))
    assert after.held >> hexagon(town) & 1


def test_30_1_2_a_victory_hex_must_be_in_supply() -> None:
    cut = stage("german", "3413 2Pz/2\n3414 84/334\n3512 84/335\n3312 84/333")
    assert not german_victory_hexes(cut) >> hexagon("3413") & 1
    fed = stage("german", "1105 2Pz/2", blown=0)
    assert german_victory_hexes(fed) >> hexagon("1105") & 1
    assert supplied_hexes(fed, GERMAN) >> hexagon("1105") & 1


def test_30_1_2_control_needs_supply() -> None:
    """Liège wins the game, but not with all bridges behind it blown."""
    s = stage("german", "", turn=9)
    s.held |= GROUND.liege
    assert german_reason(s) == "german-liege"
    s.blown = (1 << len(GROUND.bridges)) - 1
    assert german_reason(s) == ""


def test_30_2_exited_factors_need_a_road(phase: Any) -> None:
    s = stage("german", "antwerp 9SS/19, 9SS/20, 9SS/9/1, 9SS/9/2", turn=9, exits=1 << hexagon("7021"))
    assert exited_factors(s) == 0


def with_west(hexes: int) -> Any:
    """A position without Allies in which the Germans hold everything but the victory hexes that are not named."""
    eastern = GROUND.victory & ~GROUND.west_map & ~GROUND.liege
    return stage("german", "", turn=9, held=GROUND.objectives & ~GROUND.victory | hexes | eastern)


def test_30_2_liege_needs_all_four() -> None:
    assert german_reason(with_west(GROUND.liege)) == "german-liege"
    assert german_reason(with_west(GROUND.liege & ~(1 << hexagon("4040")))) == ""


def test_30_2_four_of_six_on_the_meuse() -> None:
    towns = [h for h in range(GROUND.hexes) if GROUND.meuse_towns >> h & 1]
    assert len(towns) == 6
    assert german_reason(with_west(sum(1 << h for h in towns[:4]))) == "german-meuse"
    assert german_reason(with_west(sum(1 << h for h in towns[:3]))) == ""


def test_30_2_six_in_the_west() -> None:
    inland = GROUND.victory & GROUND.west_map & ~GROUND.meuse_towns & ~GROUND.liege
    towns = [h for h in range(GROUND.hexes) if GROUND.meuse_towns >> h & 1]
    others = [h for h in range(GROUND.hexes) if inland >> h & 1]
    six = sum(1 << h for h in (*towns[:3], *others)[:6])
    assert six.bit_count() == 6
    assert german_reason(with_west(six)) == "german-west"
    assert german_reason(with_west(six & (six - 1))) == ""


def test_30_2_twenty_four_factors_by_a_road_in_supply() -> None:
    lines = "antwerp 9SS/19, 9SS/20, 9SS/9/1, 9SS/9/2"
    fed = stage("german", lines, turn=9, exits=1 << hexagon("7021"), held=GROUND.objectives)
    assert exited_factors(fed) == 24
    cut = stage("german", f"{lines}\n7021 84/334", turn=9, exits=1 << hexagon("7021"), held=GROUND.objectives)
    assert exited_factors(cut) == 0


def test_30_3_allies_in_three_german_areas_twice(phase: Any) -> None:
    lines = "1638 84/334\n1334 84/335\n1130 84/333"
    table = phase("victory", "allied", lines, turn=9, german_areas=1)
    assert table.state.winner == "allied"
    assert phase("victory", "allied", lines, turn=9).state.german_areas == 1


def test_30_3_three_areas_in_two_phases(phase: Any) -> None:
    """Germany is in Allied hands, so that they are fed."""
    hexes = [
        next(GROUND.board.labels[h] for h in range(GROUND.hexes) if area >> h & 1) for area in GROUND.areas.values()
    ]
    lines = "\n".join(f"{h} {name}" for h, name in zip(hexes, ("84/334", "84/335", "84/333"), strict=False))
    assert allies_in_areas(stage("allied", lines, turn=9, held=0)) == 3
    assert phase("victory", "allied", lines, turn=9, held=0, german_areas=1).state.winner == "allied"
    assert phase("victory", "allied", lines, turn=9, held=0, german_areas=0).state.winner == ""


def test_30_1_2_leaving_a_victory_hex_empty_is_warned_of(moving: Any) -> None:
    """The last Allied unit that leaves Monschau."""
    table = moving("allied", "1838 99/395/3\n6012 1/26").play("select 99/395/3")
    away = [text for text in table.choices("move 99/395/3") if not text.endswith(" 1838")]
    assert all("would-leave-empty" in table.warned(text) for text in away)

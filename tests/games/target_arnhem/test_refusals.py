"""Every kind of decision refuses what is not allowed with the rule and the real cause."""

from __future__ import annotations

import random

import pytest

from salient import legal, load, step
from salient.kernel import OVER, actor, why_not
from salient.text import LANGUAGES, say
from table import Table

ALLIES = "0203 5Gds, 32Gds\n0103 8Armd acted\n0602 504\n1503 1Para\n0303 406"


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("zone xxx 0601", ("9.3", "no-zone-of-its-own")),
        ("done", ("9.3", "place-zones-first")),
        ("zone 1abn 0601", ("9.3", "zone-not-historical")),
        ("pass", ("9.3", "place-zones-first")),
        ("roll 3", ("9.3", "place-zones-first")),
    ],
)
def test_9_3_placing_zones(action, refusal):
    game = load("target-arnhem")
    assert Table(game, game.new("", {"supply-zones": "historical"})).refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("arrive 151", ("8", "not-due")),
        ("arrive 5Gds", ("8", "arrived-already")),
        ("arrive 501", ("3.4", "is-eliminated")),
        ("arrive 59/A", ("8", "not-your-unit")),
        ("move 5Gds 0203", ("3.2", "reinforcements-first")),
    ],
)
def test_8_placing_reinforcements(before, action, refusal):
    table = before("0103 5Gds\nwaiting 151, 231, 129, 59/A").play("roll 1")
    assert table.refusal(action) == refusal


def test_8_reinforcements_named_twice_or_not_at_all(before):
    table = before("0103 5Gds\nwaiting 231, 8Armd, 129").play("roll 1", "arrive 8Armd")
    assert table.refusal("arrive 8Armd") == ("8", "arrives-already")
    assert table.refusal("drop 231") == ("8", "not-named")
    assert table.refusal("drop 406") == ("8", "not-your-unit")


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("move 406 0403", ("3.1", "not-your-unit")),
        ("move 501 0403", ("3.4", "is-eliminated")),
        ("move 327 0403", ("8", "has-not-arrived")),
        ("move 8Armd 0102", ("3.3", "acted-already")),
        ("move 5Gds 0203", ("4", "is-there-already")),
        ("move 5Gds waiting", ("4", "no-such-move")),
        ("move 5Gds 0303", ("3.5", "enemy-in-hex")),
        ("move 5Gds 0503", ("4.2", "no-road-move-next-to-enemy")),
        ("move 504 A", ("4", "allies-stay-on-map")),
        ("via 8Armd 0102", ("3.3", "acted-already")),
        ("attack 0602", ("5", "no-enemy-there")),
        ("attack 0403", ("5", "no-enemy-there")),
        ("attack 1504", ("5", "no-enemy-there")),
        ("recover 5Gds xxx", ("6", "not-damaged")),
        ("land 327 0603", ("8.3", "zone-lost")),
        ("land 5Gds 0603", ("8.3", "not-airborne")),
        ("land 504 0603", ("8", "arrived-already")),
        ("land 325 0603", ("8", "not-due")),
        ("join 504", ("5", "name-target-first")),
        ("resolve", ("5", "name-target-first")),
        ("arrive 327", ("3.2", "arrivals-in-reorganisation")),
        ("advance 5Gds", ("3.3", "not-an-impulse-action")),
        ("roll 1", ("3.3", "not-an-impulse-action")),
    ],
)
def test_3_3_an_impulse(impulse, action, refusal):
    assert impulse("allied", 1, f"{ALLIES}\nwaiting 327, 325").refusal(action) == refusal


@pytest.mark.parametrize(
    ("lines", "action", "refusal"),
    [
        ("0805 504", "move 504 0606", ("4.1", "stops-in-forest")),
        ("0102 504\n0204 406", "move 504 0104", ("4.1", "stops-next-to-enemy")),
        ("1503 1Para\n1504 406", "move 1Para 1404", ("4.1", "river-without-bridge")),
        ("0703 504", "move 504 0805", ("4.1", "canal-is-whole-move")),
        ("0103 5Gds\n0503 406", "move 5Gds 0803", ("4.2", "road-held-up")),
        ("0904 504", "move 504 0503", ("4.1", "too-far")),
        ("1003 504\n1102 406", "attack 1102", ("5", "river-without-bridge")),
        ("0904 504\n0103 406", "attack 0103", ("5", "nobody-adjacent")),
        ("zone 82abn 1104\n1104 504 damage=1\n0103 406", "recover 504 xxx", ("7.4", "not-supplied-from-entry")),
        ("0203 504 damage=1", "recover 504 82abn", ("7.3", "points-lost-with-zone")),
        ("zone 82abn 0203\n0203 504 damage=1", "recover 504 82abn", ("7.4", "pool-empty")),
        ("zone 82abn 0203\n0203 504 damage=1", "recover 504 101abn", ("7.4", "pool-not-usable")),
    ],
)
def test_4_to_7_the_cause_nearest_to_success(impulse, lines, action, refusal):
    points = "wehrmacht=5 82abn=1" if "1104 504" in lines else "wehrmacht=5"
    assert impulse("allied", 1, lines, points=points).refusal(action) == refusal


@pytest.mark.parametrize(
    ("lines", "action", "refusal"),
    [
        ("1504 406\n1404 504", "via 406 1205", ("4.2", "no-road-move-next-to-enemy")),
        ("A 406", "via 406 0501", ("4", "move-ends-there")),
        ("0501 406\n0602 504", "move 406 A", ("4.2", "no-road-exit-next-to-enemy")),
        ("0602 406\n0401 504", "move 406 A", ("4.2", "road-exit-held-up")),
        ("1504 406 damage=1", "recover 406 ss", ("7.4", "pool-not-usable")),
    ],
)
def test_4_and_7_3_german_refusals(impulse, lines, action, refusal):
    assert impulse("german", 1, lines).refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("resolve", ("5.1", "join-first")),
        ("bombard xxx", ("5.1", "join-first")),
        ("join 406", ("3.1", "not-your-unit")),
        ("join 8Armd", ("3.3", "acted-already")),
        ("join 504", ("5", "not-adjacent")),
        ("join 327", ("3.4", "is-eliminated")),
        ("move 5Gds 0103", ("5.1", "finish-attack-first")),
        ("pass", ("5.1", "finish-attack-first")),
    ],
)
def test_5_naming_attackers(impulse, action, refusal):
    assert impulse("allied", 1, ALLIES).play("attack 0303").refusal(action) == refusal


def test_5_attackers_named_twice_or_not_at_all(impulse):
    table = impulse("allied", 1, ALLIES).play("attack 0303", "join 32Gds")
    assert table.refusal("join 32Gds") == ("5", "joined-already")
    assert table.refusal("drop 5Gds") == ("5.1", "not-named")
    assert table.refusal("bombard 82abn") == ("7.4", "pool-not-usable")


def test_7_4_bombardment_from_an_empty_pool(impulse):
    table = impulse("german", 1, "0904 Krafft\n0903 504", points="wehrmacht=0 ss=0").play("attack 0903", "join Krafft")
    assert table.refusal("bombard ss") == ("7.4", "pool-empty")
    assert table.refusal("bombard wehrmacht") == ("7.4", "pool-empty")
    assert table.refusal("bombard xxx") == ("7.4", "pool-not-usable")


def test_5_2_the_combat_roll(impulse):
    table = impulse("allied", 1, ALLIES).play("attack 0303", "join 5Gds", "resolve")
    assert table.refusal("roll 7") == ("5.2", "no-such-face")
    assert table.refusal("pass") == ("5.2", "roll-first")


def test_5_2_sharing_out_damage(impulse):
    """Two points on two attackers, one of which can take a single point."""
    table = impulse("allied", 1, "0203 5Gds, 32Gds damage=2\n0103 8Armd\n0303 406")
    table.play("attack 0303", "join 5Gds", "join 32Gds", "resolve", "roll 6", "lose 32Gds")
    assert table.refusal("lose 32Gds") == ("5.2", "takes-no-more")
    assert table.refusal("lose 8Armd") == ("5.2", "takes-no-damage")
    assert table.refusal("lose 406") == ("5.2", "not-your-unit")
    assert table.refusal("lose 501") == ("3.4", "is-eliminated")
    assert table.refusal("drop 5Gds") == ("5.2", "not-named")
    assert table.refusal("done") == ("5.2", "share-damage")
    table.play("lose 5Gds")
    assert table.refusal("lose 5Gds") == ("5.2", "no-damage-left")
    assert table.refusal("pass") == ("5.2", "damage-is-shared")


def test_5_2_advancing(impulse):
    table = impulse("allied", 1, ALLIES).play("attack 0303", "join 5Gds", "join 32Gds", "resolve", "roll 1")
    assert table.refusal("advance 8Armd") == ("5.2", "does-not-advance")
    assert table.refusal("advance 406") == ("3.4", "is-eliminated")
    assert table.refusal("move 504 0603") == ("5.2", "advance")
    table.play("advance 5Gds")
    assert table.refusal("advance 5Gds") == ("5.2", "advances-already")
    assert table.refusal("drop 32Gds") == ("5.2", "not-named")


def test_5_4_choosing_a_fortified_unit(impulse):
    table = impulse("allied", 1, "0203 5Gds\n0303 Henke fortified, Krafft fortified, 406\n1504 Kussin")
    table.play("attack 0303", "join 5Gds", "resolve", "roll 2")
    assert table.refusal("flip 406") == ("5.4", "not-fortified")
    assert table.refusal("flip Kussin") == ("5.4", "not-under-attack")
    assert table.refusal("lose 406") == ("5.4", "flip-fortified")


def test_3_5_removing_the_excess(impulse):
    table = impulse("allied", 1, "0103 5Gds, 32Gds, 129, 214, 231\n0303 504").play("pass", "remove 32Gds")
    assert table.refusal("remove 32Gds") == ("3.5", "removed-already")
    assert table.refusal("remove 504") == ("3.5", "not-in-hex")
    assert table.refusal("drop 5Gds") == ("3.5", "not-named")
    assert table.refusal("done") == ("3.5", "remove-excess")
    assert table.play("remove 5Gds").refusal("remove 129") == ("3.5", "excess-is-named")


def test_3_2_the_supply_roll(before):
    table = before("0103 5Gds")
    assert table.refusal("roll 0") == ("3.2", "no-such-face")
    assert table.refusal("pass") == ("3.2", "roll-first")


@pytest.mark.parametrize("seed", range(4))
def test_no_refusal_is_vague_and_no_legal_action_is_refused(seed):
    """In a random game: nothing speaks against a legal action, and something particular against any other."""
    game, rng = load("target-arnhem"), random.Random(seed)
    state = game.new()
    while actor(state) != OVER:
        actions = legal(state)
        assert why_not(state, rng.choice(actions)) == []
        for _ in range(3):
            verb = rng.choice(list(game.notation.verbs))
            kinds = [game.notation.kinds[kind] for kind in game.notation.verbs[verb]]
            action = (verb, *(rng.randrange(len(getattr(kind, "names", range(9)))) for kind in kinds))
            if action not in actions:
                (refusal,) = why_not(state, action)
                assert refusal.key != "not-offered"
                assert not any("{" in say(game, refusal, lang) for lang in LANGUAGES), refusal
        state = step(state, rng.choice(actions), trusted=True)

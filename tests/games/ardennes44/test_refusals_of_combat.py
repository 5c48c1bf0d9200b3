"""Every kind of decision in a combat refuses what is not allowed with the rule and the real cause."""

from __future__ import annotations

from typing import Any

import pytest

FAR = "0129 2SS/3"
FRONT = (
    "6637 84/334\n6638 2Pz/2\n6636 116Pz/60 disrupted\n6537 2Pz/304 march\n6737 VAK766\n6736 26VG/39 fresh\n"
    f"6630 9SS/19\n6631 84/335\n{FAR}"
)
Refusal = tuple[str, str]


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("attack 6638", ("14.1", "no-enemy-there")),
        ("attack 6640", ("14.1", "no-enemy-there")),
        ("disengage 84/334", ("14.1", "not-your-unit")),
        ("disengage 2SS/3", ("20.1", "not-next-to-enemy")),
        ("split 84/334", ("14.1", "not-your-unit")),
        ("split VAK766", ("26.2", "no-split-counter")),
        ("commando 2020/2119", ("36", "no-commando")),
        ("resolve", ("14.1", "attack-or-pass")),
        ("cancel", ("14.1", "attack-or-pass")),
        ("drop 2Pz/2", ("14.1", "attack-or-pass")),
    ],
)
def test_14_1_choosing_a_combat(fighting: Any, action: str, refusal: Refusal) -> None:
    assert fighting("german", FRONT).refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("join 116Pz/60", ("18.3", "disrupted-cannot-attack")),
        ("join 2Pz/304", ("12.5", "marching-cannot-attack")),
        ("join VAK766", ("22.9", "guns-only-support")),
        ("join 26VG/39", ("25.2.4", "fresh-cannot-attack")),
        ("join 9SS/19", ("14.1", "not-adjacent")),
        ("join 84/335", ("14.1", "not-your-unit")),
        ("follow 2Pz/2", ("14.4", "cannot-join")),
        ("drop 2Pz/2", ("14.4", "not-named")),
        ("resolve", ("14.4", "finish-attack-first")),
        ("pass", ("14.4", "finish-attack-first")),
        ("attack 6631", ("14.4", "finish-attack-first")),
    ],
)
def test_14_4_naming_attackers(fighting: Any, action: str, refusal: Refusal) -> None:
    assert fighting("german", FRONT).play("attack 6637").refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("support VAK401", ("22.4", "out-of-range")),
        ("support 2Pz/2", ("22.6", "not-your-guns")),
        ("support VII/18", ("22.6", "not-your-guns")),
        ("air", ("15.6.2", "no-air-support")),
        ("surprise", ("22.6", "support-first")),
        ("drop VAK766", ("22.6", "not-named")),
        ("cancel", ("22.6", "support-first")),
        ("pass", ("22.6", "support-first")),
    ],
)
def test_22_6_naming_guns(fighting: Any, action: str, refusal: Refusal) -> None:
    table = fighting("german", FRONT).play("attack 6637", "join 2Pz/2", "resolve")
    assert table.refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("support VAK766", ("22.6", "not-your-guns")),
        ("support VII/142", ("22.8", "enough-guns")),
        ("air", ("15.6.2", "no-air-support")),
    ],
)
def test_22_8_the_defender_names_one_gun(fighting: Any, action: str, refusal: Refusal) -> None:
    table = fighting("german", "6637 84/334\n6636 VII/18\n6635 VII/142\n6638 2Pz/2\n6640 VAK402")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VII/18")
    assert table.refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [("roll 7", ("14.4", "no-such-face")), ("roll 0", ("14.4", "no-such-face")), ("resolve", ("14.4", "roll-first"))],
)
def test_14_4_the_die(fighting: Any, action: str, refusal: Refusal) -> None:
    table = fighting("german", FRONT).play("attack 6637", "join 2Pz/2", "resolve", "resolve")
    assert table.refusal(action) == refusal


def test_7_4_the_defender_answers_for_the_bridge(fighting: Any) -> None:
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1", turn=5).play("attack 4111", "join 2Pz/3/1", "resolve")
    assert table.refusal("resolve") == ("7.4", "blow-or-pass")
    table.play("blow 4111/4211", "roll 1")
    assert table.refusal("resolve") == ("14.4", "cancel-or-pass")


@pytest.mark.parametrize("action", ["lead 26VG/39", "resolve", "stand 28/109/3"])
def test_16_2_1_the_lead(fighting: Any, action: str) -> None:
    table = fighting("german", f"1807 28/109/3\n1707 352VG/914\n{FAR}", turn=2)
    table.play("attack 1807", "join 352VG/914", "resolve", "roll 3")
    assert table.refusal(action) == ("16.2.1", "lead-or-pass")


def test_16_3_the_loss(fighting: Any) -> None:
    table = fighting("german", f"6637 84/334\n6638 9SS/19\n6636 9SS/20, 9SS/9/1\n{FAR}")
    table.play("attack 6637", "join 9SS/19", "join 9SS/20", "resolve", "roll 3")
    assert table.refusal("lose 9SS/9/1") == ("16.3", "cannot-lose")
    assert table.refusal("pass") == ("16.3", "lose-first")


def test_17_1_the_retreat(fighting: Any) -> None:
    table = fighting("german", f"6637 28/110/1\n6636 9SS/19\n{FAR}").play(
        "attack 6637", "join 9SS/19", "resolve", "roll 1"
    )
    assert table.refusal("retreat 28/110/1 6636") == ("17.1", "no-retreat-there")
    assert table.refusal("via 28/110/1 6639") == ("17.1", "no-retreat-there")
    assert table.refusal("pass") == ("17.1", "retreat-first")


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("stand VII/18", ("16.7.1", "cannot-lead")),
        ("stand 84/771", ("16.7.1", "cannot-lead")),
        ("stand 9SS/19", ("16.7.1", "stand-first")),
        ("retreat 84/334 6639", ("16.7.1", "stand-first")),
    ],
)
def test_16_7_1_the_stand(fighting: Any, action: str, refusal: Refusal) -> None:
    table = fighting("german", f"6637 84/334, VII/18, 84/771 disrupted\n6638 9SS/19, 9SS/9/1\n6636 9SS/20\n{FAR}")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "join 9SS/20", "resolve")
    die = next(n for n in range(1, 7) if table.try_all(f"roll {n}").choices("stand"))
    assert table.play(f"roll {die}").refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("advance 9SS/19 6630", ("19.2", "no-advance-there")),
        ("advance 2SS/3 6637", ("19.1.1", "advance-or-pass")),
        ("via 9SS/19 6630", ("19.2", "no-advance-there")),
        ("leave 9SS/19 southeast", ("11.9.1", "no-way-to-box")),
        ("split 9SS/9/1", ("26.2", "no-split-counter")),
        ("attack 6631", ("19.1.1", "advance-or-pass")),
    ],
)
def test_19_1_1_the_advance(fighting: Any, action: str, refusal: Refusal) -> None:
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\n{FAR}\n6630 84/334")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1")
    assert table.refusal(action) == refusal


def test_19_4_1_the_breakthrough(fighting: Any) -> None:
    table = fighting("german", f"6637 99/394/1\n6638 9SS/19, 9SS/9/1\n6436 99/394/2\n{FAR}")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 1", "advance 9SS/9/1 6536", "pass")
    start = table.state.key()
    assert table.refusal("breakthrough 6536 6637") == ("19.4.3", "no-breakthrough-there")
    assert table.refusal("attack 6436") == ("19.4.1", "breakthrough-or-pass")
    assert table.play("breakthrough 6536 6436", "join 9SS/9/1", "cancel").state.key() == start


def test_20_3_the_way_out(fighting: Any) -> None:
    table = fighting("allied", f"6637 28/110/1 engaged\n6636 9SS/19\n{FAR}")
    table.play("disengage 28/110/1", "resolve", "roll 1")
    assert table.refusal("retreat 28/110/1 6636") == ("20.3", "no-retreat-there")
    assert table.refusal("pass") == ("20.3", "retreat-first")

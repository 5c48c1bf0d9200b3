"""Dice of three parties: chains, casts, and what a record proves."""

from __future__ import annotations

import pytest

from salient.kernel.messages import Unreadable
from salient.kernel.shared_dice import (
    ACTIVE,
    MOST_AHEAD,
    MOST_LINKS,
    PARTNER,
    PASSIVE,
    BadShare,
    Chain,
    SharedDice,
    new_chain,
)

SEED = {
    ("red", ACTIVE): b"a" * 32,
    ("red", PASSIVE): b"b" * 32,
    ("blue", ACTIVE): b"c" * 32,
    ("blue", PASSIVE): b"d" * 32,
}


def dice(secret: bytes = bytes(32), change: tuple[str, str] | None = None) -> SharedDice:
    """Dice whose players have shown ten links each; one seed can be another."""
    found, shown = SharedDice("game", secret, ("red", "blue")), {}
    for (seat, role), seed in SEED.items():
        links = new_chain(b"x" * 32 if change == (seat, role) else seed, 20)
        found.commit(seat, role, links[0])
        shown[seat, role] = links[10]
    for (seat, role), link in shown.items():
        against = found.chains[found.other(seat)][PARTNER[role]].head
        assert against is not None
        found.show(seat, role, 10, link, against)
    return found


def faces(found: SharedDice, decider: str, rolls: int = 20) -> list[int]:
    found.cast(0, decider)
    return [found.roller(number, "attack").die(6) for number in range(rolls)]


def test_each_party_changes_the_dice() -> None:
    """The server's secret, the decider's own chain and the other's for him: each alone makes other dice."""
    usual = faces(dice(), "red")
    assert faces(dice(), "red") == usual
    assert faces(dice(b"1" * 32), "red") != usual
    assert faces(dice(change=("red", ACTIVE)), "red") != usual
    assert faces(dice(change=("blue", PASSIVE)), "red") != usual
    assert faces(dice(change=("red", PASSIVE)), "red") == usual
    assert faces(dice(change=("blue", ACTIVE)), "red") == usual


def test_a_link_that_is_not_of_the_chain_is_refused() -> None:
    """Nobody can choose a share after the commitment; links are shown in order."""
    chain, links = Chain(), new_chain(b"s" * 32, 50)
    with pytest.raises(BadShare):
        chain.show(1, links[1])
    chain.commit(links[0])
    with pytest.raises(BadShare):
        chain.show(1, b"z" * 32)
    chain.show(3, links[3])
    assert [chain.link(number) for number in (1, 2, 3, 4)] == [links[1], links[2], links[3], None]
    with pytest.raises(BadShare):
        chain.show(3, links[3])


def test_who_lost_the_seed_commits_anew() -> None:
    """What was shown before stays; the new chain goes on after it."""
    chain, old, new = Chain(), new_chain(b"s" * 32, 50), new_chain(b"t" * 32, 50)
    chain.commit(old[0])
    chain.show(2, old[2])
    chain.commit(new[0])
    chain.show(4, new[2])
    assert [chain.link(number) for number in (2, 3, 4)] == [old[2], new[1], new[2]]
    assert Chain.read(chain.text()).link(3) == new[1]


@pytest.mark.parametrize("damage", [("1", "2"), (":10:", ":9:"), ("0:", "1:")])
def test_chains_that_do_not_hold_are_not_read(damage: tuple[str, str]) -> None:
    """A changed digit or number is noticed."""
    text = dice().chains["red"][ACTIVE].text()
    assert Chain.read(text).last == 10
    broken = text.replace(*damage, 1) if damage[0] != "1" else text[:-1] + ("0" if text[-1] != "0" else "1")
    with pytest.raises(Unreadable):
        Chain.read(broken)


def test_a_share_is_used_once_and_only_when_known() -> None:
    """Who has not shown a link is waited for; a record in which one is used twice does not verify."""
    found = dice()
    assert found.missing("red") == []
    for number in range(10):
        found.cast(number, "red")
    assert found.missing("red") == ["red"]
    assert found.missing("blue") == []
    header = found.header() | {"secret": bytes(32).hex()}
    again = SharedDice.from_header("game", header, ("red", "blue"))
    again.check(3, "red", True)
    for number, decider, begins in ((3, "blue", True), (3, "red", False)):
        with pytest.raises(Unreadable):
            again.check(number, decider, begins)
    twice = SharedDice.from_header("game", header | {"casts": "0:red:1 1:red:1"}, ("red", "blue"))
    with pytest.raises(Unreadable):
        twice.check(1, "red", True)


def test_one_after_the_other_does_what_the_dice_wait_for() -> None:
    """The other commits, the decider commits and shows, then the other shows: nobody waits for what cannot be done."""
    found = SharedDice("game", bytes(32), ("red", "blue"))
    links = {key: new_chain(seed, 20) for key, seed in SEED.items()}
    assert found.missing("red") == ["blue"]  # red cannot show a link yet, and red's clock does not run
    found.commit("blue", PASSIVE, links["blue", PASSIVE][0])
    assert found.missing("red") == ["red"]
    found.commit("red", ACTIVE, links["red", ACTIVE][0])
    assert found.missing("red") == ["red"]
    found.show("red", ACTIVE, 1, links["red", ACTIVE][1], links["blue", PASSIVE][0])
    assert found.missing("red") == ["blue"]
    found.show("blue", PASSIVE, 1, links["blue", PASSIVE][1], links["red", ACTIVE][0])
    assert found.missing("red") == []
    assert found.renewals == {"red": 0, "blue": 0}
    found.commit("blue", PASSIVE, links["blue", ACTIVE][0])
    assert found.renewals == {"red": 0, "blue": 1}


def test_the_commitment_is_bound_to_the_game() -> None:
    """The same secret in another game, scenario or company has another commitment."""
    assert SharedDice("a", bytes(32), ("x", "y")).commitment != SharedDice("b", bytes(32), ("x", "y")).commitment


def test_no_link_is_shown_before_the_other_has_committed() -> None:
    """Whoever knew a link could choose a chain that makes the roll wanted: the first link waits for the commitment."""
    found, links = SharedDice("game", bytes(32), ("red", "blue")), new_chain(b"s" * 32, 50)
    found.commit("red", PASSIVE, links[0])
    with pytest.raises(BadShare):
        found.show("red", PASSIVE, 5, links[5], b"h" * 32)


@pytest.mark.parametrize(("seat", "role", "decider"), [("red", ACTIVE, "red"), ("blue", PASSIVE, "red")])
def test_who_commits_anew_cannot_use_the_links_that_the_other_has_shown(seat: str, role: str, decider: str) -> None:
    """A chain chosen with knowledge of ten links of the other's meets the eleventh first."""
    found = dice()
    assert found.next_number(decider) == 1
    fresh = new_chain(b"chosen" + bytes(26), 20)
    found.commit(seat, role, fresh[0])
    other = found.other(seat)
    assert (found.next_number(decider), found.chains[seat][role].first) == (11, 10)
    found.show(seat, role, 11, fresh[1], found.chains[other][PARTNER[role]].head or b"")
    assert found.missing(decider) == [other]
    assert found.next_number(found.other(decider)) == 1


def test_a_link_shown_against_a_commitment_that_has_gone_is_void() -> None:
    """The other committed anew while the link was under way: the server may have known it first."""
    found = dice()
    links, old = new_chain(SEED["red", ACTIVE], 20), found.chains["blue"][PASSIVE].head
    assert old is not None
    found.commit("blue", PASSIVE, new_chain(b"e" * 32, 20)[0])
    found.show("red", ACTIVE, 11, links[11], old)
    assert found.next_number("red") == 12


def test_nobody_makes_the_others_count_for_ever() -> None:
    """Links far ahead, chains without end and chains named twice are refused, in play and in records."""
    found, long = dice(), new_chain(SEED["red", ACTIVE], 20)
    against = found.chains["blue"][PASSIVE].head or b""
    with pytest.raises(BadShare):
        found.show("red", ACTIVE, MOST_AHEAD + 1, long[11], against)
    endless = f"0:{'00' * 32}:{MOST_LINKS + 1}:{'00' * 32}"
    text = found.chains["red"][ACTIVE].text()
    for chains in (f"red.active={endless}", f"red.active={text} red.active={text}"):
        with pytest.raises(Unreadable):
            SharedDice.from_header("game", {"secret": "00" * 32, "chains": chains}, ("red", "blue"))

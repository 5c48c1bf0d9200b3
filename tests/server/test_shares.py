"""Shared dice over the API: nobody foresees a roll, nobody has to wait for a sleeper, and the end proves it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from salient.kernel import Record
from salient.kernel.shared_dice import PARTNER, new_chain
from server.people import Browser, meet, public
from server.tabletop import eventually


@pytest.fixture
def server(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with public(tmp_path) as client:
        yield client


class Player:
    """A person whose program keeps the seeds, as the client does."""

    def __init__(self, browser: Browser, game_id: str) -> None:
        self.browser = browser
        self.path = f"/api/games/{game_id}"
        self.links = {role: new_chain(secrets.token_bytes(32), 100) for role in ("active", "passive")}

    def look(self) -> dict[str, Any]:
        return dict(self.browser.get(self.path).json())

    def commit(self, *roles: str) -> Any:
        """Commit to chains, both unless roles are named."""
        heads = {role: self.links[role][0].hex() for role in roles or self.links}
        return self.browser.post(f"{self.path}/shares", {"commit": heads})

    def show(self, role: str, number: int, first: int = 0) -> Any:
        """Show a link against the other's commitment; `first` is the number after which the chain begins."""
        (theirs,) = self.look()["dice"]["shares"]["theirs"].values()
        against = theirs[PARTNER[role]]["head"] or "00" * 32
        shown = {"number": number, "link": self.links[role][number - first].hex(), "against": against}
        return self.browser.post(f"{self.path}/shares", {"show": {role: shown}})

    def play(self, action: str) -> Any:
        return self.browser.play(self.path.rsplit("/", 1)[1], action)


@pytest.fixture
def players(server: TestClient) -> tuple[Player, Player]:
    """Ann plays blue, Ben red; Ben is about to roll on the trap."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben, dice="shared")
    blue, red = Player(ann, game_id), Player(ben, game_id)
    assert blue.commit().status_code == 200
    assert blue.show("passive", 10).status_code == 422  # Ben could still choose his chain
    assert red.commit().status_code == 200
    for player in (blue, red):
        assert player.show("passive", 10).status_code == 200  # ahead, as in play by correspondence
    blue.play("hide 2")
    red.play("move r1 2")
    return blue, red


def test_the_dice_fall_when_the_mover_shows_his_share_and_the_other_sleeps(players: tuple[Player, Player]) -> None:
    """The action is fixed first; then the mover's own link, unknown to all until then, lets the dice fall."""
    blue, red = players
    update = red.play("end").json()["snapshot"]
    assert (update["actor"], update["dice"]["shares"]["due"], update["yours"]) == ("chance", ["red"], False)
    assert update["between"]["clock"]["running"] == "red"
    assert red.browser.post(f"{red.path}/undo", {"seen": update["seen"]}).status_code == 409
    rolled = red.show("active", 1).json()
    assert rolled["actor"] != "chance"
    assert rolled["dice"]["shares"]["next"] == {"red": 2, "blue": 1}
    log = blue.browser.get(f"{blue.path}/log").json()["entries"]
    assert log[3]["roll"]["faces"]


def test_in_live_play_the_dice_wait_for_both(server: TestClient) -> None:
    """Where nothing is shown ahead, not even the server together with the mover foresees a roll."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben, dice="shared", pace="live")
    blue, red = Player(ann, game_id), Player(ben, game_id)
    blue.commit()
    red.commit()
    for player, action in ((blue, "hide 2"), (red, "move r1 2"), (red, "end")):
        player.play(action)
    assert red.look()["dice"]["shares"]["due"] == ["red"]
    assert red.show("active", 1).json()["actor"] == "chance"
    assert red.look()["between"]["clock"]["running"] == "blue"
    assert blue.show("passive", 1).json()["actor"] != "chance"


def test_a_game_that_waits_for_a_share_is_listed_with_who_must_show_it(players: tuple[Player, Player]) -> None:
    """ "Your move", the list of games that wait and the clock name the same person; not in an adjourned game."""
    blue, red = players

    def listed(player: Player) -> list[bool]:
        waiting = bool(player.browser.get("/api/notices/waiting").json())
        return [waiting, *(game["yours"] for game in player.browser.get("/api/games").json())]

    assert (listed(red), listed(blue)) == ([True, True], [False, False])
    red.play("end")
    assert red.look()["actor"] == "chance"
    assert (listed(red), listed(blue)) == ([True, True], [False, False])
    for player in players:
        player.browser.post(f"{player.path}/offers", {"kind": "pause"})
    assert (listed(red), listed(blue)) == ([False, False], [False, False])


def test_wrong_shares_are_refused_and_change_nothing(players: tuple[Player, Player]) -> None:
    """A link of another chain, another number, nonsense; a spectator's; after it the true one is taken."""
    blue, red = players
    red.play("end")
    wrong = {"show": {"active": {"number": 1, "link": "00" * 32, "against": "00" * 32}}}
    assert red.browser.post(f"{red.path}/shares", wrong).status_code == 422
    assert red.show("active", 2).json()["dice"]["shares"]["mine"]["red"]["active"]["last"] == 2
    assert blue.show("active", 50).status_code == 200
    nonsense = {"show": {"active": {"number": 1, "link": "zz", "against": "zz"}}}
    assert red.browser.post(f"{red.path}/shares", nonsense).status_code == 422


def test_a_finished_game_proves_every_roll_also_after_a_new_device(
    players: tuple[Player, Player], tmp_path: Path
) -> None:
    """Ben's second device commits anew; the record verifies, and not if a die, a link or a name is changed."""
    from salient.games import load
    from salient.kernel.messages import SalientError

    blue, red = players
    red.play("end")
    red.show("active", 1)
    renewed = 0
    red.browser.server.app.state.table.live.clear()  # type: ignore[attr-defined]
    for _ in range(40):
        snapshot = red.look()
        if snapshot["actor"] == "over":
            break
        shares = snapshot["dice"]["shares"]
        mover = {"red": red, "blue": blue}
        if snapshot["actor"] == "chance":
            if shares["caster"] == "red":
                red.links["active"] = new_chain(secrets.token_bytes(32), 100)
                renewed += 1
                shares = red.commit("active").json()["dice"]["shares"]
                number, first = shares["next"]["red"], shares["mine"]["red"]["active"]["first"]
                assert number > shares["theirs"]["blue"]["passive"]["last"]  # what Ann has shown is void now
                assert red.show("active", number, first).json()["dice"]["shares"]["due"] == ["blue"]
                assert blue.show("passive", number).status_code == 200
            else:
                assert blue.show("active", shares["next"]["blue"]).status_code == 200
        else:
            acting = mover[snapshot["actor"]]
            acting.play(acting.look()["legal"][0]["text"])
    else:
        red.browser.post(f"{red.path}/resign")
    assert eventually(lambda: red.look()["actor"] == "over")
    game = load("tiny")
    text = red.browser.get(f"{red.path}/record").text
    Record.parse(text).verify(game)
    assert red.browser.get(f"{red.path}/verify").json()["ok"] is True
    assert renewed
    assert _verified(text, tmp_path) == f"New commitments to the dice by Red: {renewed}."
    line = next(line for line in text.splitlines() if "chance roll" in line)
    lies = [text.replace(line, f"{line[:-1]}{int(line[-1]) % 6 + 1}"), text.replace("red=Ben", "red=Bob")]
    lies += [text.replace("casts: 0:red:1", "casts: 0:red:2"), text.replace("casts: 0:red", "casts: 0:blue")]
    for lie in lies:
        assert lie != text
        with pytest.raises(SalientError):
            Record.parse(lie).verify(game)


def _verified(text: str, folder: Path) -> str:
    """What `salient verify` says of a record's shares."""
    from typer.testing import CliRunner

    from salient.cli import app

    file = folder / "game.salient"
    file.write_text(text)
    result = CliRunner().invoke(app, ["verify", str(file)])
    assert result.exit_code == 0, result.output
    return result.output[result.output.index("New commitments") :].strip()


def test_the_secret_and_the_links_stay_hidden(players: tuple[Player, Player]) -> None:
    """Neither player is shown the other's links before the end, nor the secret."""
    blue, red = players
    red.play("end")
    secret = red.browser.server.app.state.table.store.game(red.path.rsplit("/", 1)[1]).secret  # type: ignore[attr-defined]
    for look in ("", "/log", "/replay", "/dice", "/record"):
        answer = red.browser.get(f"{red.path}{look}").text
        assert secret not in answer
        assert blue.links["passive"][10].hex() not in answer or look == "/record"

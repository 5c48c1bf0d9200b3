"""Games between people: the waiting room, the referee, clocks, offers, talk, spectators."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from salient.kernel import Record
from server.people import Browser, meet, public
from server.tabletop import eventually


@pytest.fixture
def server(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with public(tmp_path) as client:
        yield client


@pytest.fixture
def two(server: TestClient) -> tuple[Browser, Browser]:
    return Browser(server, "Ann"), Browser(server, "Ben")


# ---- meeting -------------------------------------------------------------------


def test_two_meet_in_the_waiting_room_and_play(two: tuple[Browser, Browser]) -> None:
    """The offer goes when it is taken; each sees and plays only the own seat; a third cannot join."""
    ann, ben = two
    game_id = meet(ann, ben)
    assert ann.get("/api/room").json() == []
    mine = ann.get(f"/api/games/{game_id}").json()
    assert [(line["seat"], line["person"], line["mine"]) for line in mine["seats"]] == [
        ("red", "Ben", False),
        ("blue", "Ann", True),
    ]
    assert ben.play(game_id, "hide 3").status_code == 403
    assert ann.play(game_id, "hide 3").status_code == 200
    assert ben.get(f"/api/games/{game_id}?seat=blue").status_code == 403
    assert ben.get(f"/api/games/{game_id}").json()["view"]["markers"] == []
    assert [line["id"] for line in ben.get("/api/games").json()] == [game_id]
    assert [line["id"] for line in ben.get("/api/notices/waiting").json()] == [game_id]


def test_of_many_who_want_a_seat_one_gets_it(server: TestClient, two: tuple[Browser, Browser]) -> None:
    """The second is told that the offer is gone."""
    ann, ben = two
    cat = Browser(server, "Cat")
    ann.post("/api/room", {"game": "tiny"})
    (offer,) = ben.get("/api/room").json()
    assert ben.post(f"/api/room/{offer['id']}/join").status_code == 200
    assert cat.post(f"/api/room/{offer['id']}/join").status_code == 404


def test_the_match_maker_pairs_tickets_of_one_game_and_pace(server: TestClient, two: tuple[Browser, Browser]) -> None:
    """Another pace, another side wished for by both, a rating out of range do not match."""
    ann, ben = two
    cat = Browser(server, "Cat")
    assert (
        ann.post("/api/room", {"game": "tiny", "kind": "ticket", "pace": "live", "seat": "red"}).json()["game"] is None
    )
    assert ben.post("/api/room", {"game": "tiny", "kind": "ticket", "pace": "slow"}).json()["game"] is None
    assert cat.get("/api/room").json() == []
    same = {"game": "tiny", "kind": "ticket", "pace": "live"}
    assert cat.post("/api/room", same | {"seat": "red"}).json()["game"] is None
    assert cat.post("/api/room", same | {"highest": 1000}).json()["game"] is None
    game_id = cat.post("/api/room", same).json()["game"]
    seats = {line["person"]: line["seat"] for line in cat.get(f"/api/games/{game_id}").json()["seats"]}
    assert seats == {"Ann": "red", "Cat": "blue"}


def test_an_invitation_by_name_is_for_one_only(server: TestClient, two: tuple[Browser, Browser]) -> None:
    """Others do not see it; the invited is told, and may refuse."""
    ann, ben = two
    cat = Browser(server, "Cat")
    ann.post("/api/room", {"game": "tiny", "kind": "invite", "invite": "Ben"})
    assert cat.get("/api/room").json() == []
    (offer,) = ben.get("/api/room").json()
    assert "Ann" in ben.get("/api/notices").json()["notices"][0]["text"]
    assert cat.post(f"/api/room/{offer['id']}/join").status_code == 404
    assert ben.ask("DELETE", f"/api/room/{offer['id']}").status_code == 204
    assert ann.get("/api/room").json() == []


def test_a_rematch_changes_sides(two: tuple[Browser, Browser]) -> None:
    """One offers, the other takes it by offering the same."""
    ann, ben = two
    game_id = meet(ann, ben)
    assert ann.post(f"/api/games/{game_id}/rematch").status_code == 409
    ann.post(f"/api/games/{game_id}/resign")
    assert ann.post(f"/api/games/{game_id}/rematch").json()["game"] is None
    again = ben.post(f"/api/games/{game_id}/rematch").json()["game"]
    seats = {line["person"]: line["seat"] for line in ann.get(f"/api/games/{again}").json()["seats"]}
    assert seats == {"Ann": "red", "Ben": "blue"}
    ann.ask("PUT", "/api/people/Ben/block")
    ann.post(f"/api/games/{again}/resign")
    assert ben.post(f"/api/games/{again}/rematch").status_code == 403


def test_the_match_maker_takes_the_nearest_rating(server: TestClient) -> None:
    """Of three who wait, the one nearest in strength; of equals, who waited longest."""
    from salient.server.people.ratings import MODEL
    from salient.server.tables import RATINGS

    people = {name: Browser(server, name) for name in ("Ann", "Ben", "Cat", "Dan")}
    accounts = server.app.state.accounts  # type: ignore[attr-defined]
    with accounts.store.writing() as db:
        for name, mu in (("Ann", 20.0), ("Ben", 31.0), ("Cat", 40.0), ("Dan", 30.0)):
            values = {"person_id": accounts.by_name(name).id, "game": "tiny", "mu": mu, "sigma": MODEL.sigma}
            db.execute(RATINGS.insert().values(**values, games=9))
    ticket = {"game": "tiny", "kind": "ticket", "pace": "live"}
    for name in ("Ann", "Cat"):
        near = {"lowest": 0, "highest": 1400} if name == "Ann" else {"lowest": 2000}
        assert people[name].post("/api/room", ticket | near).json()["game"] is None
    assert people["Ben"].post("/api/room", ticket).json()["game"] is None
    game_id = people["Dan"].post("/api/room", ticket).json()["game"]
    assert {line["person"] for line in people["Dan"].get(f"/api/games/{game_id}").json()["seats"]} == {"Ben", "Dan"}
    assert len(people["Ann"].get("/api/room").json()) == 1


def test_an_offer_is_lost_with_nothing_but_the_game_that_it_began(
    two: tuple[Browser, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the game cannot be kept the offer stands; an offer of somebody suspended is gone."""
    from salient.server.between import room

    ann, ben = two
    ann.post("/api/room", {"game": "tiny"})
    (offer,) = ben.get("/api/room").json()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(room, "start", fail)
        assert ben.post(f"/api/room/{offer['id']}/join").status_code == 507
    assert [each["id"] for each in ben.get("/api/room").json()] == [offer["id"]]
    accounts = ann.server.app.state.accounts  # type: ignore[attr-defined]
    accounts.suspend(accounts.by_name("Ann"), time.time() + 100)
    assert ben.get("/api/room").json() == []
    assert ben.post(f"/api/room/{offer['id']}/join").status_code == 404


# ---- the referee ---------------------------------------------------------------


def test_neither_can_evict_look_or_delete(server: TestClient, two: tuple[Browser, Browser]) -> None:
    """Who offered the game is no owner of it (R-3)."""
    ann, ben = two
    game_id = meet(ann, ben)
    for person in two:
        assert person.ask("DELETE", f"/api/games/{game_id}").status_code == 403
        change = {"seats": {"red": "human", "blue": "human"}}
        assert person.ask("PATCH", f"/api/games/{game_id}", change).status_code == 403
        assert person.post(f"/api/games/{game_id}/invitations", {"seat": "red"}).status_code == 403
    assert ann.get(f"/api/games/{game_id}?seat=red").status_code == 403


def test_a_guest_by_link_is_safe_from_the_owner_too(tmp_path: Path, registered_tiny: str) -> None:
    """No eviction, no second invitation, no deletion while both play; resigning frees both (R-3)."""
    from server.tabletop import serve, start

    with serve(tmp_path, host="0.0.0.0") as client:
        game = start(client)
        path, owner = f"/api/games/{game['id']}", {"X-Salient-Token": game["token"]}
        invitation = client.post(f"{path}/invitations", json={"seat": "red"}, headers=owner).json()["invitation"]
        guest = {"X-Salient-Token": client.post(f"{path}/join", json={"invitation": invitation}).json()["token"]}
        assert client.patch(path, json={"seats": {"red": "human"}}, headers=owner).status_code == 409
        assert client.post(f"{path}/invitations", json={"seat": "red"}, headers=owner).status_code == 409
        assert client.delete(path, headers=owner).status_code == 409
        assert client.get(f"{path}?seat=red", headers=owner).status_code == 403
        over = client.post(f"{path}/resign", headers=owner).json()
        assert (over["actor"], over["result"]["winner"]) == ("over", "red")
        assert client.get(path, headers=guest).json()["actor"] == "over"
        assert client.delete(path, headers=owner).status_code == 204


def test_a_resigned_game_is_over_and_its_record_proves_it(two: tuple[Browser, Browser]) -> None:
    """Nothing more can be played or taken back; the secret is shown and the record verifies."""
    from salient.games import load

    ann, ben = two
    game_id = meet(ann, ben)
    ann.play(game_id, "hide 2")
    ben.play(game_id, "move r1 2")
    ben.play(game_id, "end")
    over = ben.post(f"/api/games/{game_id}/resign").json()
    assert over["result"]["key"] == "ended-resigned"
    assert over["undo_to"] is None
    assert ann.play(game_id, "probe 2").status_code == 403
    assert ben.post(f"/api/games/{game_id}/resign").status_code == 409
    record = Record.parse(ann.get(f"/api/games/{game_id}/record").text)
    assert record.header["ended"] == "resigned blue"
    assert record.seats() == {"red": "Ben", "blue": "Ann"}
    record.verify(load("tiny"))
    assert ann.get(f"/api/games/{game_id}/verify").json()["ok"] is True
    assert ann.post(f"/api/games/{game_id}/hide").status_code == 204
    assert ann.get("/api/games").json() == []


def test_a_draw_needs_both(two: tuple[Browser, Browser]) -> None:
    """An offer can be refused, taken back, and taken; not by who made it."""
    ann, ben = two
    game_id = meet(ann, ben)
    offer, path = {"kind": "draw"}, f"/api/games/{game_id}"
    assert ann.post(f"{path}/offers", offer).json()["between"]["offers"] == {"draw": {"by": "blue"}}
    assert ann.post(f"{path}/answers", offer | {"yes": True}).status_code == 409
    assert ben.post(f"{path}/answers", offer | {"yes": False}).json()["between"]["offers"] == {}
    assert ben.post(f"{path}/answers", offer | {"yes": True}).status_code == 409
    ann.post(f"{path}/offers", offer)
    over = ben.post(f"{path}/answers", offer | {"yes": True}).json()
    assert (over["actor"], over["result"]["winner"], over["result"]["key"]) == ("over", None, "ended-agreed")


def test_going_back_beyond_the_barrier_needs_consent(two: tuple[Browser, Browser]) -> None:
    """Past dice and the other's moves, by agreement; the log is then what it was, also after a restart."""
    ann, ben = two
    game_id = meet(ann, ben)
    ann.play(game_id, "hide 2")
    ben.play(game_id, "move r1 2")
    ben.play(game_id, "end")
    path = f"/api/games/{game_id}"
    asked = ben.post(f"{path}/offers", {"kind": "undo", "to": 1}).json()
    assert asked["between"]["offers"]["undo"] == {"by": "red", "to": 1}
    back = ann.post(f"{path}/answers", {"kind": "undo", "yes": True}).json()
    assert (back["ply"], back["actor"]) == (1, "red")
    table = ben.server.app.state.table  # type: ignore[attr-defined]
    table.live.clear()
    assert ben.get(path).json()["ply"] == 1
    assert ben.play(game_id, "move r2 2").status_code == 200


# ---- clocks --------------------------------------------------------------------


def test_who_runs_out_of_time_loses_also_after_a_restart(tmp_path: Path, registered_tiny: str) -> None:
    """The deadline is in the database: a server that starts later ends the game."""
    from salient.server.tables import GAMES

    with public(tmp_path) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        game_id = meet(ann, ben, pace="live", base=60)
        assert ann.get(f"/api/games/{game_id}").json()["between"]["clock"]["running"] == "blue"
        late = time.time() - 100
        clock = {"left": {"red": 60, "blue": 60}, "running": "blue", "since": late}
        with server.app.state.table.store.writing() as db:  # type: ignore[attr-defined]
            db.execute(GAMES.update().values(clock=clock, deadline=late + 60, version=GAMES.c.version + 1))
        server.app.state.referee.sweep = lambda: 0  # type: ignore[attr-defined]
    with public(tmp_path) as server:
        ben.server = server
        snapshot = eventually(lambda: _over(ben, game_id))
        assert (snapshot["result"]["key"], snapshot["result"]["winner"]) == ("ended-time", "red")


def _over(browser: Browser, game_id: str) -> dict[str, object] | None:
    snapshot = browser.get(f"/api/games/{game_id}").json()
    return snapshot if snapshot["actor"] == "over" else None


def test_a_pause_by_consent_stops_the_clock(two: tuple[Browser, Browser]) -> None:
    """Both agree; then no deadline; either goes on."""
    ann, ben = two
    game_id = meet(ann, ben, pace="fast")
    path = f"/api/games/{game_id}"
    assert ann.get(path).json()["between"]["deadline"] is not None
    ann.post(f"{path}/offers", {"kind": "pause"})
    paused = ben.post(f"{path}/answers", {"kind": "pause", "yes": True}).json()
    assert (paused["between"]["deadline"], paused["between"]["clock"]["paused"]) == (None, True)
    assert ann.play(game_id, "hide 3").status_code == 409
    assert ann.post(f"{path}/resume").json()["between"]["deadline"] is not None
    assert ann.play(game_id, "hide 3").status_code == 200


def test_an_adjourned_game_goes_on_when_both_want_to_or_after_some_days(two: tuple[Browser, Browser]) -> None:
    """Whose time would not run asks; the other agrees, cannot refuse, and after three days it goes on by itself."""
    from salient.server.tables import GAMES

    ann, ben = two
    game_id = meet(ann, ben, pace="live", timeout="claim")
    path, app = f"/api/games/{game_id}", ann.server.app

    def adjourn() -> None:
        ann.post(f"{path}/offers", {"kind": "pause"})
        assert ben.post(f"{path}/answers", {"kind": "pause", "yes": True}).json()["between"]["clock"]["paused"]

    adjourn()
    asked = ben.post(f"{path}/resume").json()["between"]
    assert (asked["clock"]["paused"], asked["offers"]) == (True, {"resume": {"by": "red"}})
    assert asked["deadline"] > time.time() + 2 * 86400
    assert ann.get("/api/notices").json()["notices"][0]["kind"] == "offer-resume"
    assert ann.post(f"{path}/answers", {"kind": "resume", "yes": False}).status_code == 409
    assert ann.post(f"{path}/answers", {"kind": "resume", "yes": True}).json()["between"]["clock"]["running"] == "blue"
    adjourn()
    ben.post(f"{path}/resume")
    withdrawn = ben.post(f"{path}/answers", {"kind": "resume", "yes": False}).json()["between"]
    assert (withdrawn["offers"], withdrawn["deadline"]) == ({}, None)
    ben.post(f"{path}/resume")
    with app.state.table.store.writing() as db:  # type: ignore[attr-defined]
        db.execute(GAMES.update().values(deadline=time.time() - 1, version=GAMES.c.version + 1))
    app.state.referee.sweep()  # type: ignore[attr-defined]
    assert ben.get(path).json()["between"]["clock"]["running"] == "blue"


def test_time_that_must_be_claimed(two: tuple[Browser, Browser]) -> None:
    """Where so agreed, nobody loses by himself; the other claims."""
    from salient.server.tables import GAMES

    ann, ben = two
    game_id = meet(ann, ben, pace="fast", timeout="claim")
    assert ben.post(f"/api/games/{game_id}/claim").status_code == 409
    app = ann.server.app
    with app.state.table.store.writing() as db:  # type: ignore[attr-defined]
        db.execute(GAMES.update().values(deadline=time.time() - 1, version=GAMES.c.version + 1))
    assert app.state.referee.sweep() == 0  # type: ignore[attr-defined]
    late = meet(ann, ben, pace="fast")
    with app.state.table.store.writing() as db:  # type: ignore[attr-defined]
        db.execute(GAMES.update().values(deadline=time.time() - 1, version=GAMES.c.version + 1))
    eventually(lambda: ann.get(f"/api/games/{late}").json()["actor"] == "over")  # the others are not in its way
    assert ann.post(f"/api/games/{game_id}/claim").status_code == 409
    assert ben.post(f"/api/games/{game_id}/claim").json()["result"]["winner"] == "red"


# ---- spectators and talk ---------------------------------------------------------


def test_a_spectator_sees_no_secret_and_no_talk_until_the_end(server: TestClient, two: tuple[Browser, Browser]) -> None:
    """The view is that of nobody; the players' talk and the record wait for the end."""
    ann, ben = two
    cat = Browser(server, "Cat")
    game_id = meet(ann, ben)
    ann.play(game_id, "hide 3")
    ann.post(f"/api/games/{game_id}/chat", {"text": "have fun"})
    assert [line["text"] for line in ben.get(f"/api/games/{game_id}/chat").json()] == ["have fun"]
    seen = cat.get(f"/api/games/{game_id}").json()
    assert (seen["seat"], seen["legal"], seen["yours"]) == ("spectator", [], False)
    for look in ("", "/log", "/replay", "/at/1", "/record", "/report", "/dice"):
        answer = cat.get(f"/api/games/{game_id}{look}").text
        assert "hide 3" not in answer
        assert '"trap"' not in answer
    assert cat.get(f"/api/games/{game_id}/chat").status_code == 403
    assert cat.post(f"/api/games/{game_id}/chat", {"text": "hello"}).status_code == 403
    assert cat.play(game_id, "end").status_code == 403
    for path in ("resign", "resume", "claim"):
        assert cat.post(f"/api/games/{game_id}/{path}").status_code == 403
    ben.post(f"/api/games/{game_id}/resign")
    assert cat.get(f"/api/games/{game_id}/chat").json()[0]["name"] == "Ann"
    private = meet(ann, ben, watch=False)
    assert cat.get(f"/api/games/{private}").status_code == 404


def test_who_is_muted_is_not_heard_and_notes_are_private(server: TestClient, two: tuple[Browser, Browser]) -> None:
    """Muting is for oneself, and a block mutes too; a note is nobody else's, and only players keep one."""
    ann, ben = two
    game_id = meet(ann, ben)
    ann.ask("PUT", "/api/people/Ben/mute")
    ben.post(f"/api/games/{game_id}/chat", {"text": "hey"})
    assert ann.get(f"/api/games/{game_id}/chat").json() == []
    assert len(ben.get(f"/api/games/{game_id}/chat").json()) == 1
    ann.ask("PUT", f"/api/games/{game_id}/note", {"text": "his left is weak"})
    assert ann.get(f"/api/games/{game_id}/note").json()["text"] == "his left is weak"
    assert ben.get(f"/api/games/{game_id}/note").json()["text"] == ""
    assert Browser(server, "Cat").ask("PUT", f"/api/games/{game_id}/note", {"text": "hm"}).status_code == 404
    ann.ask("DELETE", "/api/people/Ben/mute")
    assert len(ann.get(f"/api/games/{game_id}/chat").json()) == 1
    ann.ask("PUT", "/api/people/Ben/block")
    assert ann.get(f"/api/games/{game_id}/chat").json() == []

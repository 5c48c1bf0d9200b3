"""People: registration, signing in, keys, profiles, blocks, export, deletion."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from salient.server.tables import META
from server.people import ORIGIN, PASSWORD, Browser, meet, public
from server.tabletop import heard, serve


@pytest.fixture
def server(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with public(tmp_path) as client:
        yield client


def test_a_person_registers_signs_out_and_in_again(server: TestClient) -> None:
    """The cookie is out of the reach of scripts and of other sites; a wrong password opens nothing."""
    ann = Browser(server, "Ann")
    assert ann.get("/api/people/me").json()["name"] == "Ann"
    assert ann.post("/api/people/sign-out").status_code == 204
    assert ann.get("/api/people/me").status_code == 401
    assert ann.post("/api/people/sign-in", {"name": "ann", "password": "wrong horse"}).status_code == 403
    answer = ann.post("/api/people/sign-in", {"name": "ANN", "password": PASSWORD})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" in cookie
    assert ann.get("/api/people/me").status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        *("Bo", "x" * 21, "a b", "tab\tname", "zero\u200bwidth", "Аnn", "-dash", "a..b", "", "adm\u0131n", "Admin"),
        *("Ann\u0661", "\u0251nn\u0251", "A\uff4e\uff4e", "Ann\u00b2", "\u1d00nn", "Bob\u0000", "Ann\u202e"),
    ],
)
def test_names_that_hide_something_are_refused(server: TestClient, name: str) -> None:
    """Control characters, other alphabets and digits, letters made to look like others, odd punctuation, offices."""
    answer = Browser(server).post("/api/people/register", {"name": name, "password": PASSWORD})
    assert answer.status_code in (409, 422)
    assert "message" in answer.json()


@pytest.mark.parametrize("name", ["willi", "Wi11i", "WILLI", "w.i.l.l.i", "Wïlli", "Wiłłi", "vvilli"])
def test_names_that_look_alike_are_one(server: TestClient, name: str) -> None:
    """Case, accents, points and digits for letters make no other person."""
    Browser(server, "Willi")
    answer = Browser(server).post("/api/people/register", {"name": name, "password": PASSWORD})
    assert (answer.status_code, answer.json()["error"]) == (409, "not-possible")


def test_passwords_are_kept_as_argon2_and_tokens_as_hashes(tmp_path: Path, registered_tiny: str) -> None:
    """A thief of the database can sign in as nobody."""
    with public(tmp_path) as server:
        ann = Browser(server, "Ann")
        key = ann.post("/api/people/me/keys", {"name": "laptop"}).json()["key"]
        secrets = [PASSWORD, key, ann.cookies["salient"]]
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as db:
        dump = "\n".join(db.iterdump())
    assert "$argon2id$" in dump
    assert not [secret for secret in secrets if secret in dump]


def test_another_sites_page_changes_nothing_with_the_cookie(server: TestClient) -> None:
    """Without a sign that the own page asks, a cookie is not enough; reading is harmless."""
    ann = Browser(server, "Ann")
    cookie = {"Cookie": f"salient={ann.cookies['salient']}"}
    body = {"game": "tiny"}
    assert server.post("/api/games", json=body, headers=cookie).status_code == 403
    assert server.post("/api/games", json=body, headers=cookie | {"Origin": "http://evil.example"}).status_code == 403
    assert server.post("/api/games", json=body, headers=cookie | {"Sec-Fetch-Site": "same-origin"}).status_code == 201


def test_a_key_acts_within_its_scopes_and_never_on_the_account(server: TestClient) -> None:
    """A reading key cannot play, no key changes a password, a dropped key is void."""
    ann = Browser(server, "Ann")
    reads = ann.post("/api/people/me/keys", {"name": "reads", "scopes": ["read"]}).json()["key"]
    plays = ann.post("/api/people/me/keys", {"name": "plays"}).json()["key"]

    def bearer(key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"}

    assert server.get("/api/people/me", headers=bearer(reads)).json()["name"] == "Ann"
    assert server.post("/api/games", json={"game": "tiny"}, headers=bearer(reads)).status_code == 403
    assert server.post("/api/games", json={"game": "tiny"}, headers=bearer(plays)).status_code == 201
    assert server.get("/api/people/me/keys", headers=bearer(plays)).status_code == 403
    assert server.delete("/api/people/me", headers=bearer(plays)).status_code in (403, 422)
    (first, _) = ann.get("/api/people/me/keys").json()
    assert ann.ask("DELETE", f"/api/people/me/keys/{first['id']}").status_code == 204
    assert server.get("/api/people/me", headers=bearer(reads)).status_code == 403
    assert server.get("/api/people/me", headers=bearer("guess")).status_code == 403


def test_a_new_password_ends_all_sessions_and_keys(server: TestClient) -> None:
    """Whoever has stolen a cookie has it no longer."""
    ann, thief = Browser(server, "Ann"), Browser(server)
    thief.cookies = dict(ann.cookies)
    assert thief.get("/api/people/me").status_code == 200
    change = {"old": PASSWORD, "new": "another horse"}
    assert ann.post("/api/people/me/password", change | {"old": "guess it"}).status_code == 403
    assert ann.post("/api/people/me/password", change).status_code == 204
    assert thief.get("/api/people/me").status_code == 401
    assert ann.post("/api/people/sign-in", {"name": "Ann", "password": "another horse"}).status_code == 200


def test_a_bot_account_says_so_and_names_who_answers_for_it(server: TestClient) -> None:
    """It plays by its key and cannot sign in."""
    ann = Browser(server, "Ann")
    bot = ann.post("/api/people/me/bots", {"name": "AnnBot"}).json()
    profile = ann.get("/api/people/AnnBot").json()
    assert (profile["kind"], profile["keeper"]) == ("bot", "Ann")
    me = server.get("/api/people/me", headers={"Authorization": f"Bearer {bot['key']}"}).json()
    assert me["name"] == "AnnBot"
    assert ann.post("/api/people/sign-in", {"name": "AnnBot", "password": ""}).status_code == 403


def test_profiles_show_results_and_ratings_of_rated_games(server: TestClient) -> None:
    """The winner of a rated game goes up, the loser down; reliability counts moves and games left."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben)
    assert ann.play(game_id, "hide 3").status_code == 200
    assert ben.post(f"/api/games/{game_id}/resign").status_code == 200
    up, down = ann.get("/api/people/Ann").json(), ann.get("/api/people/Ben").json()
    assert up["ratings"]["tiny"]["rating"] > 1500 > down["ratings"]["tiny"]["rating"]
    assert up["results"] == [{"game": "tiny", "seat": "blue", "won": 1, "drawn": 0, "lost": 0}]
    assert (up["moves_in_time"], down["games_left"]) == (1, 0)
    left = meet(ann, ben, rated=False)
    ben.post(f"/api/games/{left}/abandon")
    assert ann.get("/api/people/Ben").json()["games_left"] == 1
    assert ann.get("/api/people/Ann").json()["ratings"]["tiny"]["games"] == 1


def test_who_is_blocked_meets_nobody(server: TestClient) -> None:
    """Offers of one are not there for the other, nor are invitations possible."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    assert ann.ask("PUT", "/api/people/Ben/block").status_code == 204
    ann.post("/api/room", {"game": "tiny"})
    assert ben.get("/api/room").json() == []
    assert ben.post("/api/room", {"game": "tiny", "kind": "invite", "invite": "Ann"}).status_code == 403
    assert ann.ask("DELETE", "/api/people/Ben/block").status_code == 204
    assert len(ben.get("/api/room").json()) == 1


def test_a_person_takes_the_data_along_and_goes(server: TestClient) -> None:
    """The export has everything; after the deletion nothing tells who it was, and running games are resigned."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben)
    ben.post(f"/api/games/{game_id}/chat", {"text": "good luck"})
    key = ben.post("/api/people/me/bots", {"name": "Helper"}).json()["key"]
    data = ben.get("/api/people/me/export").json()
    assert (data["person"]["name"], data["chat"][0]["text"]) == ("Ben", "good luck")
    assert "hash" not in data["sign_ins"][0]
    assert ben.ask("DELETE", "/api/people/me", {"password": "guess it"}).status_code == 403
    assert ben.ask("DELETE", "/api/people/me", {"password": PASSWORD}).status_code == 204
    assert ben.get("/api/people/me").status_code == 401
    assert ann.get("/api/people/Ben").status_code == 404
    assert ann.get("/api/people/Helper").status_code == 404
    assert Browser(server).get("/api/room", Authorization=f"Bearer {key}").status_code == 403
    snapshot = ann.get(f"/api/games/{game_id}").json()
    assert (snapshot["actor"], snapshot["result"]["winner"]) == ("over", "blue")
    assert "good luck" not in ann.get(f"/api/games/{game_id}/chat").text


def test_on_ones_own_machine_there_are_no_accounts(tmp_path: Path, registered_tiny: str) -> None:
    """Nothing to register at; games start without a name."""
    with serve(tmp_path) as client:
        body = {"name": "Ann", "password": PASSWORD}
        assert client.post("/api/people/register", json=body).status_code in (404, 405)
        assert client.post("/api/games", json={"game": "tiny"}).status_code == 201


def test_a_suspended_person_may_only_look(tmp_path: Path, registered_tiny: str) -> None:
    """`salient admin` suspends, renames, ends games and closes reports, and writes down what it did."""
    from typer.testing import CliRunner

    from salient.cli import app

    def admin(*words: str) -> str:
        result = CliRunner().invoke(app, ["admin", *words, "--data", str(tmp_path)])
        assert result.exit_code == 0, result.output
        return result.output

    with public(tmp_path) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        game_id = meet(ann, ben)
        ann.post("/api/people/Ben/report", {"text": "was rude", "game": game_id})
        for odd in ({"text": "x", "game": "\x1b[31m"}, {"text": "\x1b[31m"}):  # read in a terminal
            assert ann.post("/api/people/Ben/report", odd).status_code == 422
        assert "was rude" in admin("reports")
        helper = ben.post("/api/people/me/bots", {"name": "Helper"}).json()["key"]
        ben.post("/api/room", {"game": "tiny"})
        admin("suspend", "Ben", "--days", "3")
        assert ann.get("/api/room").json() == []
        by_bot = Browser(server).post("/api/room", {"game": "tiny"}, Authorization=f"Bearer {helper}")
        assert (by_bot.status_code, by_bot.json()["error"]) == (403, "suspended")
        assert ben.get(f"/api/games/{game_id}").status_code == 200
        refused = ben.post(f"/api/games/{game_id}/resign")
        assert (refused.status_code, refused.json()["error"]) == (403, "suspended")
        admin("close-report", "1", "warned")
        taken = CliRunner().invoke(app, ["admin", "rename", "Ben", "Ann", "--data", str(tmp_path), "--lang", "it"])
        assert (taken.exit_code, "Traceback" in taken.output) == (2, False)
        admin("rename", "Ben", "Benno")
        assert ann.get("/api/people/Benno").status_code == 200
        admin("end-game", game_id)
        assert ann.get(f"/api/games/{game_id}").json()["actor"] == "over"
        admin("unsuspend", "Benno")
        assert ben.post("/api/room", {"game": "tiny"}).status_code == 201
        log = admin("audit")
        assert all(word in log for word in ("suspend", "rename", "end-game", "close-report"))


@pytest.mark.parametrize(
    "words", [("end-game", "no-such-game"), ("suspend", "Nobody"), ("close-report", "7", "-"), ("rename", "A", "B")]
)
def test_what_an_administrator_mistypes_is_a_sentence_and_not_in_the_log(
    tmp_path: Path, registered_tiny: str, words: tuple[str, ...]
) -> None:
    """The settings file names database and key, as for the server itself."""
    from typer.testing import CliRunner

    from salient.cli import app

    file = tmp_path / "settings.toml"
    file.write_text(f'data = "{tmp_path}"\nkey_file = "{tmp_path / "own.key"}"\n')
    with public(tmp_path, key_file=tmp_path / "own.key"):
        done = CliRunner().invoke(app, ["admin", *words, "--settings", str(file)])
        assert (done.exit_code, "Traceback" in done.output, len(done.output.strip().splitlines())) == (2, False, 1)
        log = CliRunner().invoke(app, ["admin", "audit", "--settings", str(file)])
        assert (log.exit_code, log.output) == (0, "")


def test_a_game_that_an_administrator_ends_is_over_at_the_table_too(
    server: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With SQLite nobody tells the server: it looks by itself."""
    from typer.testing import CliRunner

    from salient.cli import app

    monkeypatch.setattr("salient.server.app.SECONDS_TO_CATCH_UP", 0.2)
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben)
    headers = {"Host": "127.0.0.1:8044", "Cookie": f"salient={ann.cookies['salient']}", "Origin": ORIGIN}
    with server.websocket_connect(f"/api/games/{game_id}/socket", headers=headers) as socket:
        socket.send_json({})
        heard(socket)
        done = CliRunner().invoke(app, ["admin", "end-game", game_id, "--data", str(tmp_path)])
        assert done.exit_code == 0, done.output
        assert heard(socket)["change"]["actor"] == "over"


def test_a_deleted_person_leaves_the_name_only_where_it_is_told(server: TestClient) -> None:
    """docs/DEPLOY.md names the places: the games with their records, and what others were told or wrote."""
    gone, ben = Browser(server, "Zebulon"), Browser(server, "Ben")
    finished, running = meet(gone, ben), meet(gone, ben)
    gone.play(finished, "hide 3")
    for game_id in (finished, running):
        gone.post(f"/api/games/{game_id}/chat", {"text": "I am Zebulon"})
        gone.ask("PUT", f"/api/games/{game_id}/note", {"text": "Zebulon was here"})
    ben.post(f"/api/games/{finished}/resign")
    gone.post("/api/room", {"game": "tiny", "kind": "invite", "invite": "Ben"})
    ben.ask("PUT", "/api/people/Zebulon/block")
    ben.post("/api/people/Zebulon/report", {"text": "Zebulon is rude", "game": finished})
    mail = {"mail": "zebulon@play.example", "password": PASSWORD}
    gone.post("/api/people/me/mail", mail)
    assert gone.ask("DELETE", "/api/people/me", {"password": PASSWORD}).status_code == 204

    store = server.app.state.table.store  # type: ignore[attr-defined]
    with store.reading() as db:
        kept = {
            f"{table.name}.{name}"
            for table in META.sorted_tables
            for row in db.execute(select(table))
            for name, value in row._mapping.items()
            if "zebulon" in str(value).casefold()
        }
    assert kept == {"games.name", "games.terms", "notices.words", "reports.text"}
    assert ben.get("/api/people/Zebulon").status_code == 404
    for game_id in (finished, running):
        over = ben.get(f"/api/games/{game_id}").json()
        assert over["actor"] == "over"
        assert "Zebulon" in over["name"]
        assert "Zebulon" in ben.get(f"/api/games/{game_id}/record").text
        assert "Zebulon" not in ben.get(f"/api/games/{game_id}/chat").text

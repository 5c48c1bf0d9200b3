"""People who are told: the clock runs out, a letter and a push arrive, a spectator is told no secret."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, Page, expect

from server.tabletop import eventually
from server.test_post import Mailbox, endpoint, mail_server
from web.table import TABLE
from web.test_online import PLAY, PublicServer, person, to_room

pytestmark = pytest.mark.browser

SEND = """async ([method, path, body]) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`/api/${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}"""


class Telling(PublicServer):
    """A server for strangers that sends letters and pushes to this machine."""

    def __init__(self, data: Path, port: int) -> None:
        self.mail_port = port
        super().__init__(data)

    def more(self) -> list[str]:
        """The settings file."""
        file = self.data / "settings.toml"
        mail = f'[mail]\nhost = "127.0.0.1"\nport = {self.mail_port}\nsender = "salient@example.org"\ntls = "none"\n'
        file.write_text(f'address = "{self.url}"\nhooks_inside = true\n{mail}[limits]\nregistrations = "99/hour"\n')
        return ["--settings", str(file)]


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Telling, Mailbox]]:
    with mail_server() as (box, port):
        running = Telling(tmp_path_factory.mktemp("telling"), port)
        yield running, box
        running.kill()


def offered(page: Page, server: PublicServer, **offer: object) -> None:
    """An offer in the waiting room, as the form would make it but with terms that it does not have."""
    to_room(page, server)
    page.evaluate(SEND, ["POST", "room", offer])


def joined(page: Page, server: PublicServer) -> str:
    """Join the only offer; the game."""
    to_room(page, server)
    page.locator("[data-join]").first.click()
    page.wait_for_selector("between-bar [data-clock]")
    return page.url.split("/")[-1]


def test_the_clock_runs_out(browser: Browser, telling: tuple[Telling, Mailbox]) -> None:
    """A live game with a minute on the clock of nobody: who does not move loses, and both see it without reloading."""
    server, _ = telling
    (one, ann), (two, ben) = person(browser, server, "Ann"), person(browser, server, "Ben")
    offered(ann, server, game="target-arnhem", seat="allied", pace="live", base=60, dice="verified", rated=False)
    game = joined(ben, server)
    ann.goto(ben.url)
    ann.wait_for_selector("between-bar [data-running]")
    expect(ann.locator("[data-clock=allied] time")).to_contain_text(re.compile(r"0:\d\d"))
    for page in (ann, ben):
        page.locator("[data-between=rematch]").wait_for(timeout=120_000)
        expect(page.locator("action-panel")).to_contain_text("on time")
    ended = ann.evaluate(SEND, ["GET", f"games/{game}", None])
    assert ended["actor"] == "over"
    one.close()
    two.close()


def test_a_letter_and_a_push_arrive(browser: Browser, telling: tuple[Telling, Mailbox]) -> None:
    """An address is confirmed by its letter; then a letter with a link and a push that is shown tell of a game."""
    server, box = telling
    (one, cat), (two, dan) = person(browser, server, "Cat"), person(browser, server, "Dan")
    cat.evaluate(SEND, ["POST", "people/me/mail", {"mail": "cat@example.org"}])
    _, letter = eventually(lambda: box.letters and box.letters[-1], 60)
    cat.goto(re.findall(r"http\S+#confirm/\S+", letter)[0])
    cat.get_by_text("Your address is confirmed.").wait_for()
    key = ec.generate_private_key(ec.SECP256R1())
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    secret = b"0123456789abcdef"
    plain = [base64.urlsafe_b64encode(each).rstrip(b"=").decode() for each in (public, secret)]
    with endpoint() as (taken, address):
        cat.evaluate(SEND, ["POST", "notices/push", {"endpoint": address, "p256dh": plain[0], "auth": plain[1]}])
        cat.evaluate(SEND, ["PATCH", "people/me", {"mail": True, "push": True}])
        before = len(box.letters)
        offered(cat, server, game="target-arnhem", seat="allied", dice="verified", rated=False)
        cat.goto("about:blank")
        game = joined(dan, server)
        eventually(lambda: len(box.letters) > before and taken, 90)
        pushed = json.loads(http_ece.decrypt(taken[-1][1], private_key=key, auth_secret=secret))
    to, letter = box.letters[-1]
    assert to == ["cat@example.org"]
    assert f"#game/{game}" in letter
    assert f"#game/{game}" in pushed["link"]
    cat.goto(pushed["link"])
    cat.wait_for_selector("between-bar [data-clock]")
    shown = show_push(cat, server, pushed)
    assert shown == [pushed["text"]]
    one.close()
    two.close()


def show_push(page: Page, server: PublicServer, pushed: dict[str, str]) -> list[str]:
    """Hand a push to the client's service worker, as the browser does; the notifications that it shows."""
    page.context.grant_permissions(["notifications"], origin=server.url)
    page.evaluate(
        "async () => { await navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready }"
    )
    devtools = page.context.new_cdp_session(page)
    known: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: known.extend(each["registrationId"] for each in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    eventually(lambda: page.wait_for_timeout(100) or known, 20)
    message = {"origin": f"{server.url}/", "registrationId": known[0], "data": json.dumps(pushed)}
    bodies = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ body }) => body)"

    def delivered() -> object:
        """A message is lost while the worker starts: a push service would send it again."""
        devtools.send("ServiceWorker.deliverPushMessage", message)
        page.wait_for_timeout(500)
        return page.evaluate(bodies)

    return list(eventually(delivered, 30))


def test_a_spectator_is_told_no_secret(browser: Browser, telling: tuple[Telling, Mailbox]) -> None:
    """Fuel depots: the Allies know the real one; who watches has what the Germans have, in the browser too."""
    server, _ = telling
    (one, flo), (two, gil), (three, hal) = (person(browser, server, name) for name in ("Flo", "Gil", "Hal"))
    options = {"fuel-depots": "on"}
    offered(flo, server, game="ardennes44", scenario="six-turns", seat="allied", options=options, dice="verified")
    joined(gil, server)
    seen = {}
    for name, page in (("allied", flo), ("german", gil), ("watching", hal)):
        page.goto(gil.url)
        page.wait_for_selector("between-bar [data-clock]")
        seen[name] = page.evaluate(f"() => JSON.stringify({TABLE}.game.shown.markers)")
    assert seen["allied"] != seen["german"]
    assert seen["watching"] == seen["german"]
    assert hal.locator("[data-between=resign]").count() == 0
    for context in (one, two, three):
        context.close()


def test_a_spectator_with_a_delay_sees_the_past(browser: Browser, telling: tuple[Telling, Mailbox]) -> None:
    """What was agreed on is told; a move is with the players at once and with who watches not yet."""
    server, _ = telling
    (one, ida), (two, jon), (three, kim) = (person(browser, server, name) for name in ("Ida", "Jon", "Kim"))
    offered(ida, server, game="bulge", seat="axis", dice="verified", rated=False, delay=3600)
    game = joined(jon, server)
    kim.goto(jon.url)
    kim.wait_for_selector("between-bar [data-clock]")
    expect(kim.locator("between-bar")).to_contain_text("shown 60 minutes later")
    ida.evaluate(PLAY, [game, "attack 0309 0308"])
    jon.wait_for_function(f"() => {TABLE}.game.snapshot.ply > 0")
    plies = [page.evaluate(SEND, ["GET", f"games/{game}", None])["ply"] for page in (ida, jon, kim)]
    assert plies == [1, 1, 0]
    assert kim.evaluate(f"() => {TABLE}.game.snapshot.ply") == 0
    for context in (one, two, three):
        context.close()


def test_an_offer_states_its_terms_and_a_move_is_told_within_seconds(
    browser: Browser, telling: tuple[Telling, Mailbox]
) -> None:
    """Range, options, watching and time-outs are read before joining; the bell of who is elsewhere rings by itself."""
    server, _ = telling
    (one, fay), (two, guy) = person(browser, server, "Fay"), person(browser, server, "Guy")
    to_room(fay, server)
    fay.locator("[name=game]").select_option("bulge")
    fay.locator("[name=seat]").select_option("axis")
    fay.locator("[name=pace]").select_option("live")
    fay.locator("[name=base]").fill("45")
    fay.locator("details:has([name=watch]) summary").click()
    fay.locator("[name=timeout]").select_option("claim")
    fay.locator("[name=watch]").select_option("3600")
    fay.locator("[name=highest]").fill("2000")
    fay.locator("[data-offer-game]").click()
    fay.wait_for_selector("[data-offer] [data-close]")
    to_room(guy, server)
    offer = guy.locator("[data-offer]", has_text="Fay")
    expect(offer).to_contain_text("45 min")
    expect(offer.locator("[data-terms]")).to_have_text(
        "rating 0 to 2000 · the win on time must be claimed · shown 60 minutes later"
    )
    offer.locator("[data-join]").click()
    guy.wait_for_selector("between-bar [data-clock]")
    guy.goto(server.url)
    guy.locator("[data-nav=notices]").click()
    guy.locator("dialog .close").click()
    expect(guy.locator("notice-bell .count")).to_be_hidden()
    fay.wait_for_url("**#game/**", timeout=30_000)
    fay.wait_for_selector("between-bar [data-clock]")
    fay.locator("[data-between=draw]").click()
    guy.locator("notice-bell .count:not([hidden])").wait_for(timeout=10_000)
    one.close()
    two.close()

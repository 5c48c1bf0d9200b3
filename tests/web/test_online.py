"""Two people meet in the waiting room and play: in two browsers, against a server for strangers."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from web.browsing import Server, quick_context

pytestmark = pytest.mark.browser


PLAY = """async ([game, action]) => {
  const { seen } = await (await fetch(`/api/games/${game}`)).json();
  const body = JSON.stringify({ seen, action });
  await fetch(`/api/games/${game}/actions`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
}"""
NEW_GAME = """async () => {
  const order = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"game": "target-arnhem"}' };
  const answer = await fetch("/api/games", order);
  return (await answer.json()).id;
}"""
STICKING_OUT = """() => {
  const edges = (element) => element.getBoundingClientRect();
  const inputs = [...document.querySelectorAll("section input, section select")];
  return inputs.filter((input) => edges(input).right > edges(input.closest("label")).right + 1).map(({ name }) => name);
}"""
ROLLED = """async (game) => (await (await fetch(`/api/games/${game}/dice`)).json()).rolls.length > 0"""


class PublicServer(Server):
    """`salient serve --public`, where more people register within the hour than from one house."""

    limits = 'registrations = "99/hour"'

    def more(self) -> list[str]:
        """More arguments: the settings file."""
        file = self.data / "settings.toml"
        file.write_text(f"[limits]\n{self.limits}\n")
        return ["--settings", str(file)]

    def start(self) -> None:
        """Start and wait until it answers."""
        program = [sys.executable, "-c", "from salient.cli import app; app()", "serve", "--public"]
        command = [*program, "--port", str(self.port), "--data", str(self.data), *self.more()]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/api/health", timeout=30).read()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PublicServer]:
    running = PublicServer(tmp_path_factory.mktemp("strangers"))
    yield running
    running.kill()


def person(browser: Browser, server: Server, name: str) -> tuple[BrowserContext, Page]:
    """A browser in which somebody has registered."""
    context = quick_context(browser)
    page = context.new_page()
    page.goto(server.url)
    page.locator("[data-nav=register]").click()
    page.locator("dialog [name=name]").fill(name)
    page.locator("dialog [name=password]").fill("correct horse")
    page.locator("dialog [type=submit]").click()
    page.wait_for_selector("[data-nav=room]")
    return context, page


def to_room(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/#room")
    page.wait_for_selector("[data-offer-game]")


def test_two_meet_play_talk_reload_and_rematch(browser: Browser, strangers: PublicServer) -> None:
    """One offers, the other joins; a move arrives; one reloads, one loses the connection; resign, rematch, profile."""
    (one, ann), (two, ben) = person(browser, strangers, "Ann"), person(browser, strangers, "Ben")
    to_room(ann, strangers)
    assert ann.evaluate(STICKING_OUT) == []
    ann.locator("[name=game]").select_option("bulge")
    ann.locator("[name=seat]").select_option("axis")
    ann.locator("[data-offer-game]").click()
    ann.wait_for_selector("[data-offer] [data-close]")
    to_room(ben, strangers)
    ben.locator("[data-join]").first.click()
    ben.wait_for_selector("between-bar [data-clock]")
    ann.wait_for_url("**#game/**", timeout=30_000)
    ann.wait_for_selector("between-bar [data-clock]")
    expect(ann.locator("[data-clock=axis] b")).to_have_text("Ann")
    expect(ben.locator("between-bar")).to_contain_text("Ben")
    for page in (ann, ben):
        expect(page.locator("[data-clock][data-here]")).to_have_count(2)

    ann.locator("between-bar [name=say]").fill("Good luck!")
    ann.locator("between-bar form [type=submit]").click()
    expect(ben.locator(".talk")).to_contain_text("Good luck!")

    game = ann.url.split("/")[-1]
    for action in ("attack 0309 0308", "pay 0309", "resolve"):
        ann.evaluate(PLAY, [game, action])
    ben.wait_for_function(ROLLED, arg=game)  # each browser has shown its share of the dice by itself

    ben.locator(".memo summary").click()
    ben.locator("[name=memo]").fill("The north is thin.")
    ben.locator("[name=memo]").blur()
    ben.reload()
    ben.wait_for_selector("between-bar [data-clock]")
    expect(ben.locator("[name=memo]")).to_have_value("The north is thin.")
    two.set_offline(True)
    ann.locator("[data-between=draw]").click()
    two.set_offline(False)
    ben.locator("[data-answer=draw]").wait_for(timeout=40_000)
    ben.locator("between-bar button:has-text('No')").click()

    ben.locator("[data-between=resign]").click()
    ben.locator("dialog .danger").click()
    ann.locator("[data-between=rematch]").click(timeout=40_000)
    ann.get_by_text("The rematch is offered").wait_for()
    ben.locator("[data-between=rematch]").click()
    ben.wait_for_url(lambda url: url != ann.url and "#game/" in url)
    expect(ben.locator("[data-clock=axis] b")).to_have_text("Ben")

    ann.goto(f"{strangers.url}/#profile/Ann")
    expect(ann.locator("salient-profile")).to_contain_text("1 – 0 – 0")
    one.close()
    two.close()


def test_a_socket_that_died_without_a_word_comes_again_with_the_network(
    browser: Browser, strangers: PublicServer
) -> None:
    """Nothing tells the page that its socket is dead; the network that is there again does."""
    (one, ann), (two, ben) = person(browser, strangers, "Una"), person(browser, strangers, "Vic")
    deaf = [True]

    def lose(socket: WebSocketRoute) -> None:
        server, dead = socket.connect_to_server(), deaf[0]
        server.on_message(lambda message: None if dead and "change" in message else socket.send(message))

    ben.route_web_socket(re.compile("/api/games/.*/socket$"), lose)
    to_room(ann, strangers)
    ann.locator("[data-offer-game]").click()
    to_room(ben, strangers)
    ben.locator("[data-join]").first.click()
    ben.wait_for_selector("between-bar [data-clock]")
    ann.wait_for_url("**#game/**", timeout=30_000)
    ann.locator("[data-between=draw]").click()
    ann.get_by_text("A draw is offered.").wait_for()
    expect(ben.locator("[data-answer=draw]")).to_have_count(0)
    deaf[0] = False
    two.set_offline(True)
    two.set_offline(False)
    ben.locator("[data-answer=draw]").wait_for()
    one.close()
    two.close()


CHECKS = """async () => {
  const { checkedShares, checkRecord } = await import("/shares.js");
  const chain = (head) => ({ first: 0, last: 0, head });
  const seen = (next, active, passive) => {
    const blue = { active: chain(active), passive: chain(passive) };
    return { mine: { red: {} }, theirs: { blue }, next: { red: next, blue: 1 } };
  };
  const tried = (check) => { try { check(); return "good"; } catch (error) { return "bad"; } };
  const kept = checkedShares({}, seen(1, "a", "p"));
  kept.against.active[0].shown = 3;  // three links of the own casts were shown against the head p
  const segment = (head) => `chains: blue.passive=0:${head}:3:00 red.active=0:r:3:00\ncasts: 0:red:3\n`;
  return {
    same: tried(() => checkedShares(kept, seen(3, "a", "p"))),
    later: tried(() => checkedShares({ ...kept, next: { red: 4 } }, seen(4, "a", "other"))),
    renewed: checkedShares(kept, seen(4, "a", "other")).renewed ? "told" : "not told",
    used: checkedShares({ ...kept, next: { red: 4 } }, seen(4, "a", "other")).renewed ? "told" : "not told",
    late: tried(() => checkedShares(kept, seen(3, "a", "other"))),
    back: tried(() => checkedShares({ ...kept, next: { red: 3 } }, seen(2, "a", "p"))),
    record: tried(() => checkRecord(kept, "red", "blue", segment("p"))),
    forged: tried(() => checkRecord(kept, "red", "blue", segment("other"))),
  };
}"""


def test_the_client_notices_promises_about_the_dice_that_change(page: Page, strangers: PublicServer) -> None:
    """Another head after a link was shown, a cast that goes back, a record with another chain: docs/DICE.md."""
    page.goto(strangers.url)
    found = page.evaluate(CHECKS)
    bad = {name for name, judged in found.items() if judged == "bad"}
    assert bad == {"late", "back", "forged"}
    assert (found["renewed"], found["used"]) == ("told", "not told")


def test_a_spectator_watches_without_a_seat_and_notices_are_told(browser: Browser, strangers: PublicServer) -> None:
    """The bell counts; a third person sees the table and no buttons."""
    (one, cat), (two, dan), (three, eve) = (person(browser, strangers, name) for name in ("Cat", "Dan", "Eve"))
    to_room(cat, strangers)
    cat.locator("[name=kind]").select_option("invite")
    cat.locator("[name=invite]").fill("Dan")
    cat.locator("[data-offer-game]").click()
    cat.wait_for_selector("[data-offer] [data-close]")
    dan.goto(strangers.url)
    dan.wait_for_selector("notice-bell .count:not([hidden])")
    to_room(dan, strangers)
    dan.locator("[data-join]").first.click()
    dan.wait_for_selector("between-bar [data-clock]")
    eve.goto(dan.url)
    eve.wait_for_selector("between-bar [data-clock]")
    expect(eve.locator("between-bar")).to_contain_text("You are watching")
    expect(dan.locator("[data-watchers]")).to_have_text("1 is watching")
    expect(eve.locator("[data-between=resign]")).to_have_count(0)
    for context in (one, two, three):
        context.close()


class Narrow(PublicServer):
    """A server that allows an address a few requests a second, fewer than one page asks at once."""

    limits = 'requests = "5/second"'


def test_a_table_opens_at_the_limit_of_requests(browser: Browser, tmp_path: Path) -> None:
    """Two people of one house use up what their address may ask: waiting room and table come a moment later."""
    server = Narrow(tmp_path)
    (one, kay), (two, lea) = person(browser, server, "Kay"), person(browser, server, "Lea")
    refused: list[str] = []
    two.on("response", lambda answer: refused.append(answer.url) if answer.status == 429 else None)
    to_room(kay, server)
    kay.locator("[data-offer-game]").click()
    kay.wait_for_selector("[data-offer] [data-close]")
    to_room(lea, server)
    lea.locator("[data-join]").click()
    lea.wait_for_selector("between-bar [data-clock]")
    assert refused
    kay.wait_for_url("**#game/**")
    kay.wait_for_selector("between-bar [data-clock]")
    for context in (one, two):
        context.close()
    server.kill()


def test_a_page_that_cannot_be_shown_now_is_tried_again(browser: Browser, strangers: PublicServer) -> None:
    """Waiting room and table without an answer say so and come when asked again; the address stays."""
    context, page = person(browser, strangers, "Mia")
    game = page.evaluate(NEW_GAME)
    for address, shown in (("room", "[data-offer-game]"), (f"game/{game}", "salient-board")):
        page.goto(strangers.url)
        page.wait_for_selector("[data-nav=room]")
        context.route("**/api/library*", lambda route: route.fulfill(status=503, body="{}"))
        context.route("**/api/games/*", lambda route: route.fulfill(status=503, body="{}"))
        page.evaluate("(hash) => { location.hash = hash }", address)
        page.locator(".trouble").wait_for()
        context.unroute_all()
        page.locator(".trouble + button").click()
        page.wait_for_selector(shown)
        assert page.url.endswith(f"#{address}")
    context.close()

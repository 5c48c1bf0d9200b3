"""The table as a tester uses it: by mouse, by keyboard, by touch, never by calling the client's code to play."""

from __future__ import annotations

import json
import random
import urllib.request
from typing import Any

from playwright.sync_api import Page, Response, TimeoutError

from salient import load
from salient.kernel import CHANCE, OVER, SeededDice, Session, candidates, legal

TABLE = "document.querySelector('salient-table')"


class Table:
    """One open game in one browser window."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.failures: list[str] = []
        self.refusals: list[str] = []
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        page.on("response", self.note_refusal)

    def note_refusal(self, response: Response) -> None:
        """Remember what the server refused, for the message of a test that waits in vain."""
        if response.status >= 400:
            self.refusals.append(f"{response.status} {response.request.method} {response.url}")

    @classmethod
    def start(cls, page: Page, url: str, **more: Any) -> Table:
        """Start a game through the API and open it."""
        body = {"game": "target-arnhem", "options": {"supply-zones": "historical"}, **more}
        table = cls(page, url)
        table.open(api(url, "games", body)["id"])
        return table

    def open(self, game: str) -> None:
        """Open a game by its address."""
        self.page.goto(f"{self.url}/#game/{game}")
        self.page.wait_for_selector("action-panel .prompt")
        self.game = game

    # ---- looking ----------------------------------------------------------------

    def state(self, expression: str) -> Any:
        """A value of the client's model, e.g. `snapshot.ply`."""
        return self.page.evaluate(f"{TABLE}.game.{expression}")

    @property
    def ply(self) -> int:
        """How many actions have been taken."""
        return int(self.state("snapshot.ply"))

    @property
    def legal(self) -> list[dict[str, Any]]:
        """The legal actions."""
        return list(self.state("snapshot.legal"))

    def wait_for_ply(self, ply: int) -> None:
        """Wait until the log has that length and the table rests."""
        rests = f"() => {{ const g = {TABLE}.game; return g.snapshot.ply >= {ply} && !g.busy && !g.playing }}"
        try:
            self.page.wait_for_function(rests)
        except TimeoutError as error:
            seen = {name: self.state(name) for name in ("snapshot.ply", "busy", "playing", "choosing", "connected")}
            panel = self.page.locator("action-panel").inner_text()
            said = f"waited for ply {ply}: {seen}, refused {self.refusals}, failed {self.failures}, panel {panel!r}"
            raise AssertionError(said) from error

    def wait_after(self, ply: int) -> None:
        """Wait until something was played after that ply."""
        self.wait_for_ply(ply + 1)

    # ---- by mouse ---------------------------------------------------------------

    def point_of(self, place: str) -> tuple[float, float]:
        """Where a place lies on the screen, after bringing it into sight."""
        script = f"""(place) => {{
            const board = {TABLE}.board;
            const box = board.viewport.getBoundingClientRect();
            const at = () => {{
                const p = board.camera.toScreen(board.geometry.centre(place));
                return [p.x + box.left, p.y + box.top];
            }};
            board.reveal(place);
            if (!board.viewport.contains(document.elementFromPoint(...at()))) board.goTo(place);
            return at();
        }}"""
        x, y = self.page.evaluate(script, place)
        return x, y

    def click_place(self, place: str) -> None:
        """Click a hex or an area on the map, or the button of a box in a chart beside it."""
        box = self.page.locator(f"[data-cell='{place}'] > .action")
        if box.count():
            self.turn_to_forces()
            box.click()
            return
        self.page.mouse.click(*self.ground_of(place))

    def ground_of(self, place: str) -> tuple[float, float]:
        """A point of a place beside its counters if there is one: a click on a counter may mean the counter."""
        x, y = self.point_of(place)
        if "/" in place:  # a hexside
            return x, y
        script = f"""([x, y]) => {{
            const {{ geometry, camera, viewport }} = {TABLE}.board;
            const r = geometry.size * camera.scale * 0.8;
            const around = [0, 60, 120, 180, 240, 300, 30, 90, 150, 210, 270, 330].map((a) => (a * Math.PI) / 180);
            const points = [[x, y], ...around.map((a) => [x + r * Math.cos(a), y + r * Math.sin(a)])];
            const place = geometry.placeAt(camera.toMap(x, y));
            const bare = (at) => {{
                const top = document.elementFromPoint(...at);
                const inside = geometry.placeAt(camera.toMap(...at)) === place;
                return inside && viewport.contains(top) && !top.closest(".counter");
            }};
            return points.find(bare) ?? [x, y];
        }}"""
        x, y = self.page.evaluate(script, [x, y])
        return x, y

    def click_unit(self, unit: str) -> None:
        """Click a counter: on the map (its stack fans out first) or in a box beside it."""
        counter = self.page.locator(f".counter[data-unit='{unit}']")
        if counter.count() == 0:
            self.turn_to_forces()
            self.page.locator(f".tray-unit[data-unit='{unit}']").click()
            return
        place = self.state(f"shown.units['{unit}'].where")
        centre = self.centre_of(unit, place)
        script = f"(at) => {TABLE}.board.viewport.contains(document.elementFromPoint(...at))"
        if not self.page.evaluate(script, centre):  # a wide fan under the buttons of the map
            self.page.evaluate(f"(place) => {TABLE}.board.goTo(place)", place)
            centre = self.centre_of(unit, place)
        self.page.mouse.click(*centre)

    def turn_to_forces(self) -> None:
        """Open the page of what lies beside the map, if its tab says that something can be chosen there."""
        tab = self.page.locator("[data-tab=forces].lit[aria-selected=false]")
        if tab.count():
            tab.click()

    def centre_of(self, unit: str, place: str) -> tuple[float, float]:
        """Where a counter on the map lies on the screen, after its stack has fanned out."""
        counter = self.page.locator(f".counter[data-unit='{unit}']")
        x, y = self.point_of(place)
        self.page.mouse.move(x, y)
        if self.page.evaluate(f"(place) => {TABLE}.board.pieces.opens(place)", place):
            self.wait_for_fan(f".counter.fanned[data-unit='{unit}']", x, y)
        counter.wait_for()  # what lies outside the window is not drawn until the map has moved
        self.wait_until_counters_lie_still()
        box = counter.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def wait_until_counters_lie_still(self) -> None:
        """Wait for the end of every slide: a hand that aims at a sliding counter takes hold of its neighbour."""
        slides = f"{TABLE}.board.counterLayer.getAnimations({{ subtree: true }})"
        moving = "(slide) => slide instanceof CSSTransition || slide.id === 'way'"
        self.page.wait_for_function(f"() => !{slides}.some({moving})")

    def wait_for_fan(self, counter: str, x: float, y: float) -> None:
        """Wait until a stack is open: counters may still be on their way, and a waiting hand is never still."""
        for i in range(1, 60):
            self.page.wait_for_timeout(380)
            if self.page.locator(counter).count():
                return
            self.page.mouse.move(x + i % 2, y)
        raise AssertionError(f"{counter} did not open")

    def play_by_mouse(self, action: dict[str, Any]) -> None:
        """Carry out a legal action by clicking what it names."""
        before = self.ply
        button = f".action[data-action='{action['text']}']"
        if action["verb"] == "drop":
            self.page.locator(button).first.click()
            self.wait_after(before)
            return
        for arg in action["args"]:
            if self.ply > before:
                return
            if arg["kind"] == "unit":
                if arg["value"] not in self.page.evaluate(f"{TABLE}.choice.pinnedUnits()"):
                    self.click_unit(arg["value"])
            elif arg["kind"] in ("hex", "place", "bridge"):
                self.click_place(arg["value"])
        if self.happens(before, button) == "button":
            self.page.locator(button).first.click()
        self.wait_after(before)

    def happens(self, before: int, button: str) -> str:
        """What comes first: the action was played, or its button can be pressed."""
        script = f"""([before, button]) => {{
            const game = {TABLE}.game;
            if (!game.busy && document.querySelector(button)) return "button";
            return game.snapshot.ply > before ? "played" : null;
        }}"""
        return str(self.page.wait_for_function(script, arg=[before, button]).json_value())


def api(url: str, path: str, body: Any = None) -> Any:
    """Ask the server directly."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}/api/{path}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        text = answer.read().decode()
    return json.loads(text) if answer.headers["Content-Type"].startswith("application/json") else text


def record_until(game_id: str, *verbs: str) -> str:
    """The record of a random game up to the first decision with one of the verbs."""
    game = load(game_id)
    for seed in range(100):
        session, chosen = Session(game, SeededDice(seed)), random.Random(seed)
        for _ in range(300):
            if session.actor == OVER:
                break
            if session.actor == CHANCE:
                session.roll()
                continue
            actions = legal(session.state)
            if any(action[0] in verbs for action in actions):
                return session.record().text()
            session.play(session.actor, chosen.choice(candidates(session.state)))
    raise AssertionError(f"no decision with {verbs}")


def random_record(game_id: str, seed: int, plies: int) -> str:
    """The record of a random game up to a decision of a person after some actions."""
    session, chosen = Session(load(game_id), SeededDice(seed)), random.Random(seed)
    while len(session.actions) < plies or session.actor == CHANCE:
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, chosen.choice(legal(session.state)))
    return session.record().text()

"""First battles: every instruction is true when it is given, in every game, and a lesson ends in a real game."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from salient import load
from salient.kernel import CHANCE, State, actor, legal, step, typed_roll
from salient.kernel.frames import chance_frame
from salient.server.legal import choices_json, unpacked
from salient.server.mapfiles import board_of
from salient.text import LANGUAGES
from salient.text.typography import typeset
from web.browsing import Server
from web.table import TABLE, Table, api

LESSONS = files("salient.web") / "lessons"
QUOTED = re.compile(r"[“«„](.+?)[”»“]")
GAMES = sorted(path.name.removesuffix(".json") for path in LESSONS.iterdir() if path.name.count(".") == 1)


def read(name: str) -> Any:
    return json.loads((LESSONS / name).read_text("utf-8"))


def played(game: Any, state: State, action: str | list[int]) -> State:
    """The position after an action or after dice, which must be possible."""
    if isinstance(action, list):
        assert actor(state) == CHANCE, action
        return step(state, typed_roll(chance_frame(state), state, action))
    assert game.read(action) in legal(state), action
    return step(state, game.read(action))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_task_can_be_done_when_it_is_given(game_id: str) -> None:
    """By itself, then by the player; what is answered instead is possible at some moment of its step, too."""
    game, script = load(game_id), read(f"{game_id}.json")
    state = game.new(script.get("scenario", ""), script["options"])
    for part in script["steps"]:
        for action in part.get("auto", []):
            state = played(game, state, action)
        possible: set[str] = set()
        for action in part.get("do", []):
            assert actor(state) == script["side"], (part["key"], action)
            possible |= {game.write(each) for each in legal(state)}
            state = played(game, state, action)
        assert set(part.get("instead", {})) <= possible, part["key"]


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_step_has_its_words(game_id: str, lang: str) -> None:
    """Title, reason and task in every language, and no sentence that nothing uses."""
    script, words = read(f"{game_id}.json"), read(f"{game_id}.{lang}.json")
    wanted = set()
    for part in script["steps"]:
        wanted |= {part["key"], f"{part['key']}.title", *part.get("instead", {}).values()}
        wanted |= {f"{part['key']}.task"} if "do" in part else set()
    assert set(words) == wanted


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_task_names_the_button_that_ends_it_by_its_words(game_id: str, lang: str) -> None:
    """What is quoted stands on a button, and every ending of the task is quoted: nobody looks for "Pass" (T-59)."""
    game, script, words = load(game_id), read(f"{game_id}.json"), read(f"{game_id}.{lang}.json")
    state = game.new(script.get("scenario", ""), script["options"])
    for part in script["steps"]:
        for action in part.get("auto", []):
            state = played(game, state, action)
        endings = []
        for action in part.get("do", []):
            said = next(each for each in unpacked(choices_json(game, state, lang)["legal"]) if each["text"] == action)
            endings += [said["label"]] if said.get("ends") else []
            state = played(game, state, action)
        task = typeset(words.get(f"{part['key']}.task", ""), lang)
        assert [quoted.strip() for quoted in QUOTED.findall(task)] == endings, part["key"]


@pytest.mark.parametrize("game_id", GAMES)
def test_hexes_named_in_the_words_are_those_of_the_map(game_id: str) -> None:
    labels = set(board_of(load(game_id)).labels)
    for lang in LANGUAGES:
        for text in read(f"{game_id}.{lang}.json").values():
            assert set(re.findall(r"\b\d{4}\b", text)) - {"1944", "1945"} <= labels


@pytest.mark.parametrize("game_id", GAMES)
def test_a_lesson_is_played_through_and_goes_on_against_the_computer(page: Page, server: Server, game_id: str) -> None:
    """Step by step with the card's buttons and the actions of the script; then the other side is the computer's."""
    page.goto(server.url)
    page.locator(f"input[value={game_id}]").check(force=True)
    page.locator("[data-guide]").click()
    page.wait_for_selector(".guide h2")
    table, script = Table(page, server.url), read(f"{game_id}.json")
    for index, part in enumerate(script["steps"]):
        expect(page.locator(".guide small")).to_contain_text(f"Step {index + 1} ")
        for action in part.get("do", []):
            before = table.ply
            page.evaluate(f"(text) => {TABLE}.game.play(text)", action)
            table.wait_after(before)
        if "do" not in part and part["key"] != "end":
            page.locator("[data-lesson=next]").click()
    lesson = table.state("id")
    page.locator("[data-lesson=play]").click()
    page.wait_for_function(f"(old) => {TABLE}?.game?.snapshot && {TABLE}.game.id !== old", arg=lesson)
    players = {seat["seat"]: seat["player"] for seat in table.state("snapshot.seats")}
    assert players == {seat: "human" if seat == script["side"] else "bot:greedy" for seat in players}
    assert table.failures == []


def test_what_is_not_the_task_is_answered_and_taken_back(page: Page, server: Server) -> None:
    """A landing that leaves the supply zone open has its own answer; committing too early waits for the rest."""
    page.goto(server.url)
    page.locator("[data-guide]").click()
    table = Table(page, server.url)
    for _ in range(2):
        page.locator("[data-lesson=next]").click()
    page.locator("[data-lesson=show]").click()
    expect(page.locator(".guide small")).to_contain_text("Step 4 ")
    ply = table.ply
    page.evaluate(f"() => {TABLE}.game.play('land 1Para 1604')")
    expect(page.locator(".lesson-answer")).to_contain_text("supply zone")
    page.wait_for_function(f"() => {TABLE}.game.snapshot.ply === {ply}")


def test_a_lesson_goes_on_where_it_was_left_when_the_page_is_loaded_again(page: Page, server: Server) -> None:
    """Dice and the other side's actions of the steps before are not played anew, and half a task stays half done."""
    page.goto(server.url)
    page.locator("input[value=deadly-woods]").check(force=True)
    page.locator("[data-guide]").click()
    for _ in range(2):
        page.locator("[data-lesson=next]").click()
    table = Table(page, server.url)
    for action in ("attack 3710", "join 3FJ/5"):
        before = table.ply
        page.evaluate(f"(text) => {TABLE}.game.play(text)", action)
        table.wait_after(before)
    page.reload()
    expect(page.locator(".guide small")).to_contain_text("Step 3 ")
    assert page.evaluate(f"{TABLE}.guide.left") == ["join 3FJ/8", "join 1SS/Peiper", "resolve"]
    for _ in range(3):
        before = table.ply
        page.locator("[data-lesson=show]").click()
        table.wait_after(before)
    expect(page.locator(".guide small")).to_contain_text("Step 4 ")
    page.reload()
    expect(page.locator(".guide small")).to_contain_text("Step 4 ")
    assert table.failures == []


def test_of_two_ways_none_is_urged(page: Page, server: Server) -> None:
    """Keep the result or turn it into losses: the wrong one of the two was the green button (The Deadly Woods)."""
    table, script = Table(page, server.url), read("deadly-woods.json")
    table.open(
        api(server.url, "games", {"game": "deadly-woods", "scenario": "attack", "options": {}, "dice": "typed"})["id"]
    )
    while "convert" not in {action["text"] for action in table.legal}:
        before = table.ply
        part = next(each for each in script["steps"] if set(each.get("do", [])) & {a["text"] for a in table.legal})
        wanted = [action for action in part["do"] if action in {a["text"] for a in table.legal}]
        page.evaluate(f"(text) => {TABLE}.game.play(text)", wanted[0])
        table.wait_after(before)
        if table.state("snapshot.actor") == "chance":
            page.evaluate(f"() => {TABLE}.game.play('roll 4')")
            table.wait_after(before + 1)
    expect(page.locator(".action[data-action=convert]")).to_be_visible()
    expect(page.locator("action-panel .action.primary")).to_have_count(0)


@pytest.mark.parametrize("narrow", [False, True])
def test_the_task_is_in_sight_and_the_card_beside_it(page: Page, server: Server, narrow: bool) -> None:
    """From the Guards in the south the view goes to Heumen; on a phone the card leaves the map free (T-59)."""
    if narrow:
        page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server.url)
    page.locator("[data-guide]").click()
    for _ in range(2):
        page.locator("[data-lesson=next]").click()
    expect(page.locator(".guide small")).to_contain_text("Step 3 ")
    for place in ("1104", "1105"):  # both that can be chosen
        assert page.evaluate(f"{TABLE}.board.sees('{place}') && !{TABLE}.sight.covered('{place}', {TABLE}.guide.card)")
    Table(page, server.url).click_place("1104")
    expect(page.locator(".guide small")).to_contain_text("Step 4 ")


def test_after_the_dice_of_a_step_the_view_is_at_the_task(page: Page, server: Server) -> None:
    """The Germans roll for supply; then 1Para is to land at Oosterbeek, far from where the view came back to (T-59)."""
    page.goto(server.url)
    page.locator("[data-guide]").click()
    for _ in range(2):
        page.locator("[data-lesson=next]").click()
    page.locator("[data-lesson=show]").click()
    expect(page.locator(".guide small")).to_contain_text("Step 4 ")
    page.wait_for_function(f"() => !{TABLE}.game.busy && !{TABLE}.game.playing && {TABLE}.game.choosing")
    page.wait_for_function(f"() => {TABLE}.board.sees('1503')", timeout=5000)


OF_A_HUNDRED = re.compile(r"\b(\d+)\b[^\d.]*\b100\b")


def ends_in_advance(game: Any, state: State) -> set[int]:
    """In how many of a hundred cases the attacks that can be rolled for now end with the hex cleared."""
    found = set()
    for action in legal(state):
        odds = game.view.preview(state, action).get("odds", {}) if action[0] == "resolve" else {}
        ends = odds.get("whole", {}).get("ends", [])
        found |= {round(100 * Fraction(each["probability"])) for each in ends if each["end"] == "advance"}
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chances_that_a_lesson_states_are_those_that_the_table_shows(lang: str) -> None:
    """Firefights included: "one roll in three" stood beside odds of 53 per cent (T-59)."""
    game, script, words = load("ardennes44"), read("ardennes44.json"), read(f"ardennes44.{lang}.json")
    state = game.new(script["scenario"], script["options"])
    stated: dict[str, set[int]] = {}
    shown: dict[str, set[int]] = {}
    for part in script["steps"]:
        for action in part.get("auto", []):
            state = played(game, state, action)
        key = part["key"]
        stated[key] = {int(number) for number in OF_A_HUNDRED.findall(words[key])}
        shown[key] = set()
        for action in part.get("do", []):
            shown[key] |= ends_in_advance(game, state)
            state = played(game, state, action)
    assert [key for key, numbers in stated.items() if numbers] == ["attack", "guns"]
    assert all(numbers <= shown[key] for key, numbers in stated.items())

"""The table: undo, looking back, why not, odds, reload, restart, two windows, languages, accessibility."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

import salient
from web.browsing import Server, quick_context
from web.table import Table, api

pytestmark = pytest.mark.browser

LANGUAGES = ("en", "it", "fr", "de")


def play_until(table: Table, *verbs: str) -> None:
    """Take first choices until one of the verbs is legal."""
    for _ in range(60):
        if any(action["verb"] in verbs for action in table.legal):
            return
        table.play_by_mouse(next((a for a in table.legal if a["verb"] != "pass"), table.legal[0]))
    raise AssertionError(f"no decision with {verbs}")


def action_of(table: Table, verb: str) -> dict[str, object]:
    return next(action for action in table.legal if action["verb"] == verb)


# ---- what the table says ------------------------------------------------------------


def test_the_prompt_names_its_rule_and_opens_the_digest(table: Table) -> None:
    table.page.locator(".question .rule").click()
    expect(table.page.locator("dialog.help .asked").first).to_be_visible()


@pytest.mark.parametrize(
    ("asked", "answer"), [("4.2b", "4.2b"), ("4.2c", "4.2"), ("4.2", "4.2"), ("4.10", "4"), ("7", "7.1"), ("9", None)]
)
def test_a_rule_number_finds_itself_before_its_neighbours(table: Table, asked: str, answer: str | None) -> None:
    digest = ["4", "4.1", "4.2", "4.2b", "7.1", "7.2"]
    script = "async ([rules, asked]) => (await import('/help.js')).answering(rules, asked)"
    assert table.page.evaluate(script, [digest, asked]) == answer


def test_counters_that_have_acted_stay_readable(table: Table) -> None:
    """The values stand out from the paler body by 4.5 to 1 in every colour, and a tick says that they are done."""
    worst = table.page.evaluate(
        """async () => {
            const { counterMarkup } = await import('/counters.js');
            const light = (colour) => [1, 3, 5]
                .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
                .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const colours = ['german', 'ss', 'luftwaffe', 'us', 'us-82', 'british', 'british-airborne', 'polish'];
            return Math.min(...colours.map((colour) => {
                const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
                const unit = { side: '', name: 'A', symbol: 'infantry', colour, values: '6-3' };
                svg.innerHTML = counterMarkup('a', unit, { done: true });
                if (!svg.querySelector('.done')) return 0;
                const body = svg.querySelectorAll('rect')[1].getAttribute('fill');
                return contrast(light(body), light(svg.querySelector('.values').getAttribute('fill')));
            }));
        }"""
    )
    assert worst >= 4.5


def test_pointing_at_a_legal_hex_shows_the_path(table: Table) -> None:
    play_until(table, "move")
    move = action_of(table, "move")
    unit, place = (arg["value"] for arg in move["args"])  # type: ignore[index, attr-defined]
    table.click_unit(unit)
    expect(table.page.locator(f".counter.selected[data-unit='{unit}']")).to_have_count(1)
    expect(table.page.locator(f".marks .legal[data-place='{place}']")).to_have_count(1)
    table.page.mouse.move(*table.point_of(place))
    table.page.wait_for_selector(".path .line", state="attached")


def test_a_click_on_what_is_not_allowed_says_why_with_the_rule(table: Table) -> None:
    play_until(table, "move")
    actor = table.state("snapshot.actor")
    enemy = table.page.evaluate(
        """(actor) => {
            const { game, board, choice } = document.querySelector('salient-table');
            return [...board.pieces.stacks].find(([place, ids]) => ids.length === 1
                && game.components.units[ids[0]].side !== actor && !choice.places().has(place))[1][0];
        }""",
        actor,
    )
    table.click_unit(enemy)
    expect(table.page.locator(".why .rule").first).to_be_visible()


def test_odds_are_shown_before_the_attack_is_resolved(table: Table) -> None:
    play_until(table, "attack")
    target = action_of(table, "attack")["args"][0]["value"]  # type: ignore[index]
    table.page.mouse.move(*table.point_of(target))
    expect(table.page.locator("odds-panel .outcome").first).to_be_visible()
    shares = table.page.locator("odds-panel .outcomes tbody tr td:last-child").all_inner_texts()
    assert 98 <= sum(float(share.rstrip("%").replace(",", ".")) for share in shares) <= 102


def test_what_would_cut_supply_is_marked_and_names_the_units(table: Table) -> None:
    overlay = f"games/{table.game}/overlay/allied-cuts"
    while not api(table.url, overlay)["units"]:
        table.play_by_mouse(next((a for a in table.legal if a["verb"] != "pass"), table.legal[0]))
    place, units = next(iter(api(table.url, overlay)["units"].items()))
    table.page.keyboard.press("o")
    table.page.locator("dialog [name=allied-cuts]").check()
    table.page.keyboard.press("Escape")
    expect(table.page.locator(".legend li").first).to_be_visible()
    assert table.page.locator(f".overlay-hex[data-hex='{place}']").count() == 1
    table.page.mouse.move(*table.point_of(place))
    names = [table.state(f"components.units['{unit}'].name") for unit in units]
    note = table.page.locator(".note:visible")
    for name in names:
        expect(note.filter(has_text=name)).to_be_visible()
    table.page.evaluate("place => document.querySelector('salient-table').cursor.go(place)", place)
    expect(table.page.locator("[aria-live]").filter(has_text=names[0]).first).to_be_attached()


def test_the_list_of_all_actions_stays_as_it_was_left(table: Table) -> None:
    """Open it once and it is open at the next decision too, whatever was shown in between."""
    play_until(table, "move")
    opened, summary = table.page.locator("details.all[open]"), table.page.locator("details.all > summary")
    expect(opened).to_have_count(0)
    summary.click()
    for _ in range(4):
        table.play_by_mouse(table.legal[0])
        expect(opened).to_have_count(1 if len(table.legal) > 1 else 0)
    play_until(table, "move")
    summary.click()
    table.play_by_mouse(table.legal[0])
    expect(opened).to_have_count(0)


def test_an_update_that_says_nothing_new_leaves_the_panel_alone(table: Table) -> None:
    """The socket repeats what a request was answered with; a button must not vanish under a finger for that."""
    table.play_by_mouse(table.legal[0])
    table.page.wait_for_timeout(300)
    script = """() => {
        const { game, panel } = document.querySelector('salient-table');
        const before = panel.firstElementChild;
        game.receive({ seen: game.snapshot.seen, ply: game.snapshot.ply, cut: game.entries.length, entries: [],
            snapshot: structuredClone(game.snapshot) });
        return panel.firstElementChild === before;
    }"""
    assert table.page.evaluate(script) is True


# ---- taking back and looking back ------------------------------------------------------


def test_undo_redo_and_reset_by_button_and_key(table: Table) -> None:
    play_until(table, "move")
    start = table.ply
    table.play_by_mouse(action_of(table, "move"))
    assert table.ply == start + 1
    table.page.locator(".turn-back [data-key=undo]").click()
    table.page.wait_for_function(f"() => document.querySelector('salient-table').game.snapshot.ply === {start}")
    table.page.keyboard.press("y")
    table.wait_for_ply(start + 1)
    lowest = table.state("snapshot.undo_to")
    table.page.keyboard.press("U")
    table.page.wait_for_function(f"() => document.querySelector('salient-table').game.snapshot.ply === {lowest}")


def test_a_key_pressed_before_the_answer_to_the_last_one_counts(table: Table) -> None:
    play_until(table, "move")
    start = table.ply
    table.play_by_mouse(action_of(table, "move"))
    seen = int(table.state("snapshot.seen"))

    def answer_late(route: Route) -> None:
        answer = route.fetch()
        table.page.keyboard.press("y")
        route.fulfill(response=answer)

    table.page.route("**/undo*", answer_late)
    table.page.keyboard.press("u")
    taken_back_and_played_again = f"() => document.querySelector('salient-table').game.snapshot.seen === {seen + 2}"
    table.page.wait_for_function(taken_back_and_played_again)
    table.wait_for_ply(start + 1)


def test_a_button_that_is_drawn_anew_while_it_is_pressed_is_clicked(table: Table) -> None:
    play_until(table, "move")
    start = table.ply
    table.page.locator(".turn-back [data-key=undo]").hover()
    table.page.mouse.down()
    table.page.evaluate("document.querySelector('salient-table').render()")
    table.page.mouse.up()
    table.page.wait_for_function(f"() => document.querySelector('salient-table').game.snapshot.ply < {start}")
    table.page.keyboard.press("y")
    table.wait_for_ply(start)


def test_the_log_looks_back_and_escape_returns(table: Table) -> None:
    play_until(table, "move")
    units_now = table.state("shown.units")
    table.page.locator("[data-tab=log]").click()
    table.page.locator(".entry:visible .what").first.click()
    expect(table.page.locator(".prompt.back")).to_be_visible()
    assert table.state("shown.units") != units_now
    table.page.keyboard.press("Escape")
    expect(table.page.locator(".prompt.back")).to_have_count(0)
    assert table.state("shown.units") == units_now


def test_the_scrubber_plays_from_the_start_to_the_present(table: Table) -> None:
    play_until(table, "move")
    for _ in range(3):
        table.page.locator("replay-bar .speed").click()
    table.page.locator("[data-step=first]").click()
    table.page.wait_for_function("() => document.querySelector('salient-table').game.back === 0")
    table.page.locator("replay-bar .replay-buttons button").nth(2).click()
    table.page.wait_for_function("() => document.querySelector('salient-table').game.back === null")


# ---- nothing is lost ----------------------------------------------------------------------


def test_a_reload_in_the_middle_of_a_combat_goes_on_there(table: Table) -> None:
    play_until(table, "attack")
    table.play_by_mouse(action_of(table, "attack"))
    legal = [action["text"] for action in table.legal]
    table.page.reload()
    table.page.wait_for_selector("action-panel .question")
    assert [action["text"] for action in table.legal] == legal
    table.play_by_mouse(table.legal[0])


def test_a_server_killed_in_the_middle_of_a_game_loses_nothing(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path)
    context = quick_context(browser)
    try:
        table = Table.start(context.new_page(), server.url)
        play_until(table, "move")
        ply = table.ply
        server.kill()
        expect(table.page.locator(".offline")).to_be_visible()
        server.start()
        expect(table.page.locator(".offline")).to_be_hidden()
        assert table.ply == ply
        table.play_by_mouse(action_of(table, "move"))
        assert table.ply == ply + 1
    finally:
        context.close()
        server.kill()


def test_of_two_windows_the_stale_click_changes_nothing_and_both_agree(browser: Browser, server: Server) -> None:
    context = quick_context(browser)
    first = Table.start(context.new_page(), server.url)
    second = Table(context.new_page(), server.url)
    second.open(first.game)
    before = first.ply
    action = first.legal[0]["text"]
    second.page.route("**/actions*", lambda route: (first_plays(first, action), route.continue_()))
    second.page.locator(f".action[data-action='{action}']").click()
    expect(second.page.locator(".notice.bad")).to_be_visible()
    second.wait_for_ply(before + 1)
    assert first.state("snapshot.seen") == second.state("snapshot.seen")
    assert api(server.url, f"games/{first.game}")["ply"] == before + 1
    context.close()


def first_plays(table: Table, action: str) -> None:
    """The other window is quicker."""
    api(table.url, f"games/{table.game}/actions", {"seen": table.state("snapshot.seen"), "action": action})
    table.page.wait_for_function("() => document.querySelector('salient-table').game.entries.length > 0")


# ---- languages and access ---------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_screen_in_every_language(browser: Browser, server: Server, lang: str) -> None:
    context = quick_context(browser, lang)
    page = context.new_page()
    page.goto(server.url)
    words = json.loads((Path(salient.__file__).parent / "web" / "i18n" / f"{lang}.json").read_text())
    expect(page.get_by_role("heading", name=words["lobby.new"])).to_be_visible()
    assert page.locator("html").get_attribute("lang") == lang
    table = Table.start(page, server.url)
    expect(page.locator(".turn-back [data-key=undo]")).to_have_text(words["panel.undo"])
    assert page.locator("action-panel").inner_text().count("panel.") == 0
    table.page.keyboard.press("?")
    expect(page.locator("dialog.help [data-tab=rules]")).to_have_text(words["help.rules"])
    context.close()


def test_the_catalogs_have_the_same_keys() -> None:
    folder = Path(salient.__file__).parent / "web" / "i18n"
    keys = [set(json.loads((folder / f"{lang}.json").read_text())) for lang in LANGUAGES]
    assert all(each == keys[0] for each in keys)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Page, server: Server, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(server.url)
    page.wait_for_selector(".setup")
    assert serious(page) == []
    table = Table.start(page, server.url)
    play_until(table, "attack")
    table.click_place(action_of(table, "attack")["args"][0]["value"])  # type: ignore[index]
    page.wait_for_selector("odds-panel .outcome")
    assert serious(page) == []
    page.keyboard.press("?")
    page.wait_for_selector("dialog.help .digest")
    assert serious(page) == []


@pytest.mark.parametrize("game_id", ["bulge", "deadly-woods", "ardennes44"])
def test_every_game_in_every_look(page: Page, server: Server, game_id: str) -> None:
    """High contrast, dark, and text of twice the size: nothing serious for axe, nothing cut off at the sides."""
    page.emulate_media(reduced_motion="reduce")  # colours on their way from one look to another prove nothing
    Table.start(page, server.url, game=game_id, options={})
    for look in ("{ theme: 'light', contrast: true }", "{ theme: 'dark', contrast: false }"):
        page.evaluate(f"async () => (await import('/settings.js')).change({look})")
        assert serious(page) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".question")).to_be_in_viewport()
    expect(page.locator(".foot .action").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def serious(page: Page) -> list[str]:
    """Axe's serious and critical findings."""
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['nodes'][0]['html'][:120]}" for rule in found if rule["impact"] in ("serious", "critical")
    ]


def test_the_table_in_words_takes_typed_commands(table: Table) -> None:
    before = table.ply
    text = table.legal[0]["text"]
    table.page.keyboard.press("t")
    table.page.locator("#command").fill(text)
    table.page.keyboard.press("Enter")
    table.wait_after(before)
    assert table.state("entries")[before]["action"] == text


def test_text_of_twice_the_size_keeps_the_buttons_in_sight(table: Table) -> None:
    table.page.evaluate("document.documentElement.style.fontSize = '200%'")
    play_until(table, "move")
    expect(table.page.locator(".question")).to_be_in_viewport()
    expect(table.page.locator(".turn-back [data-key=undo]")).to_be_in_viewport()
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert table.page.evaluate("document.documentElement.scrollTop") == 0
    right = "(part) => document.querySelector(part).getBoundingClientRect().right"
    for part, within in ((".replay-label", "replay-bar"), (".top > :last-child", "body")):
        assert table.page.evaluate(right, part) <= table.page.evaluate(right, within), part

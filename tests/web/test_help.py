"""The rules digest of the client: every game, every language, every rule number that the game's own RULES.md lists."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from salient import game_ids, load
from salient.text import LANGUAGES
from salient.text.catalog import package_of
from web.browsing import Server
from web.table import Table

HELP = files("salient.web") / "help"
RULE_ROW = re.compile(r"^\| (\d+(?:\.\d+)*[a-z]?) \|", re.MULTILINE)


def digest(game_id: str, lang: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = json.loads((HELP / f"{game_id}.{lang}.json").read_text("utf-8"))
    return found


def numbers(game_id: str, lang: str) -> list[str]:
    return [entry["rule"] for entry in digest(game_id, lang)["rules"]]


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_digest_has_every_rule_of_the_game_once(game_id: str, lang: str) -> None:
    """A prompt's link to a rule finds its words in the player's language."""
    rules = RULE_ROW.findall((files(package_of(load(game_id))) / "RULES.md").read_text("utf-8"))
    assert rules
    assert set(rules) - set(numbers(game_id, lang)) == set()
    assert len(set(numbers(game_id, lang))) == len(numbers(game_id, lang))


@pytest.mark.parametrize("game_id", game_ids())
def test_the_languages_have_the_same_rules_and_as_many_terms(game_id: str) -> None:
    for lang in LANGUAGES:
        assert numbers(game_id, lang) == numbers(game_id, "en"), lang
        assert len(digest(game_id, lang)["glossary"]) == len(digest(game_id, "en")["glossary"]), lang


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entry_has_a_name_and_words(game_id: str, lang: str) -> None:
    found = digest(game_id, lang)
    assert all(entry[key].strip() for entry in found["rules"] for key in ("rule", "title", "text"))
    assert all(entry[key].strip() for entry in found["glossary"] for key in ("term", "text"))


def test_the_lobby_lists_the_keys_too(page: Page, server: Server) -> None:
    """Whoever looks them up before a game finds all of them (T-60)."""
    page.goto(server.url)
    page.locator("nav button").first.click()
    page.locator("dialog [data-tab=keys]").click()
    expect(page.locator("dialog dl.keys kbd").first).to_be_visible()
    assert page.locator("dialog dl.keys kbd").count() > 20


def test_the_search_finds_by_meaning_and_says_when_it_finds_nothing(table: Table) -> None:
    """The question who wins leads to victory, crt to combat; nonsense is answered with a sentence (T-60)."""
    table.page.keyboard.press("?")
    field = table.page.locator(".help-body input[type=search]")
    field.fill("who wins")
    expect(table.page.locator(".digest > div:visible").first).to_contain_text("9.1")
    field.fill("crt")
    expect(table.page.locator(".digest > div:visible")).not_to_have_count(0)
    field.fill("xyzzy")
    expect(table.page.locator(".digest > div:visible")).to_have_count(0)
    expect(table.page.locator(".search p")).to_contain_text("Nothing found")


def test_the_rules_lie_beside_the_map(table: Table) -> None:
    """A tab of the column has the digest with its search, and it is reworded with everything else."""
    page = table.page
    page.locator("[data-tab=rules]").click()
    page.locator("rule-book input").fill("who wins")
    expect(page.locator("rule-book dt:visible").first).to_contain_text("9.1")
    page.evaluate("() => import('/i18n.js').then((words) => words.chooseLanguage('it'))")
    expect(page.locator("rule-book input")).to_have_attribute("placeholder", re.compile("Cerca"))

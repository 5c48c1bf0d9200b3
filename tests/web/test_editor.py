"""The map and counter editor in a real browser."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.browsing import free_port


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """`salient edit target-arnhem` with an empty folder of one's own."""
    port = free_port()
    program = [sys.executable, "-c", "from salient.cli import app; app()", "edit", "target-arnhem"]
    process = subprocess.Popen(
        [*program, "--port", str(port), "--folder", str(tmp_path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}/edit.html"
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=30).read()
            break
        except OSError:
            time.sleep(0.1)
    yield url, tmp_path / "target-arnhem"
    process.kill()
    process.wait()


def click_hex(page: Page, label: str) -> None:
    """Click into the middle of a hex, a little off, as people do."""
    at = page.evaluate(
        """async (label) => {
            const { geometry, scale } = await (await fetch("/api/edit")).json();
            const stage = document.querySelector(".stage").getBoundingClientRect();
            const [x, y] = geometry.centres[label];
            const ratio = stage.width / geometry.width;
            return [stage.left + x * ratio + 3, stage.top + y * ratio - 2];
        }""",
        label,
    )
    page.mouse.click(*at)


def test_a_click_shows_the_facts_and_a_change_is_checked_kept_and_drawn(page: Page, editor: tuple[str, Path]) -> None:
    """Groesbeek becomes forest: kept as one's own row, drawn anew, taken back; a place off the map is refused."""
    url, folder = editor
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    click_hex(page, "1105")
    form = page.locator('form[data-file="hexes.csv"]')
    expect(form).to_contain_text("as delivered")
    form.locator("select[name=terrain]").select_option("forest")
    form.get_by_role("button", name="Keep").click()
    expect(page.locator(".facts .said").first).to_contain_text("Kept in your own data.")
    expect(page.locator("img.patch")).to_have_count(1)
    expect(form).to_contain_text("your own")
    assert "1105,forest" in (folder / "hexes.csv").read_text()
    expect(page.locator(".changes")).to_contain_text("Your changes (1)")

    place = page.locator('form[data-file="places.csv"][data-key=""]')
    place.locator("input[name=name]").fill("Nowhere")
    place.locator("input[name=hex]").fill("9999")
    place.locator("select[name=size]").select_option("town")
    place.get_by_role("button", name="Keep").click()
    expect(place.locator(".said.bad")).to_contain_text("9999 is not on the map")
    assert place.locator("input[name=name]").input_value() == "Nowhere"
    assert not (folder / "places.csv").exists()

    form.get_by_role("button", name="Back to ours").click()
    expect(form).to_contain_text("as delivered")
    assert not (folder / "hexes.csv").exists()


def test_a_conflict_with_a_stated_fact_is_said_in_the_browser(page: Page, editor: tuple[str, Path]) -> None:
    """The rulebook says that Arnhem is a town: who takes the town away is told."""
    url, _ = editor
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    click_hex(page, "1504")
    form = page.locator('form[data-file="hexes.csv"]')
    form.locator("input[name=features]").fill("")
    form.get_by_role("button", name="Keep").click()
    expect(page.locator(".facts .said.conflict")).to_contain_text("Arnhem is a town")

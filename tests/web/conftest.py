"""The client's tests drive Debian's Chromium against a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from web.browsing import CHROMIUM, FLAGS, Server, quick_context
from web.table import Table


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("games"))
    yield running
    running.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = quick_context(browser)
    yield context.new_page()
    context.close()


@pytest.fixture
def table(page: Page, server: Server) -> Table:
    """A new solitaire game of Target Arnhem with the historical supply zones."""
    return Table.start(page, server.url)

"""The after-action report: a game in words, with pictures of the map, in one HTML file."""

from __future__ import annotations

from salient.server.access import Viewer
from salient.server.sessions import LiveGame


def report_html(live: LiveGame, viewer: Viewer) -> str:
    """The report for a viewer."""
    return ""

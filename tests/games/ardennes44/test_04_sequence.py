"""Ardennes '44: chapter 4, sequence."""

from __future__ import annotations

from salient.games.ardennes44.sequence import PHASES


def test_4_the_sequence_of_play() -> None:
    """German, Allied, and after PM turns the night with the Allies first."""
    order = ["german-artillery", "german-fuel", "german-bridges", "german-movement", "german-recovery", "german-combat",
             "german-traffic", "german-supply",
             "allied-artillery", "allied-bridges", "allied-movement", "allied-recovery",
             "allied-combat", "allied-traffic", "allied-supply", "victory", "allied-night-replacements",
             "allied-night-movement", "allied-night-combat", "german-night-replacements", "german-night-movement",
             "german-night-combat"]  # fmt: skip
    assert [name for name in PHASES.names if name in order] == order

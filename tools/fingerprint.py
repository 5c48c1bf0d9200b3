"""Write the fingerprints of all games to tests/fingerprints.csv: `python tools/fingerprint.py`.

After a change that is meant to change nothing but speed, nothing in that file may change; after a change of rules the
rows of that game do, and the commit says why.
"""

from __future__ import annotations

import csv
from pathlib import Path

from salient.games import game_ids, load
from salient.lab.fingerprint import player_fingerprint, rules_fingerprint

FILE = Path(__file__).parent.parent / "tests" / "fingerprints.csv"
SEEDS = range(3)
PLIES = {"target-arnhem": 900, "bulge": 900, "deadly-woods": 700, "ardennes44": 500}
CHOICES = {"target-arnhem": 60, "bulge": 30, "deadly-woods": 30, "ardennes44": 12}
LEVEL = "captain"


def rows() -> list[dict[str, str]]:
    """One row for each game, scenario and seed, and one for the captains of each game."""
    found = []
    for game_id in game_ids():
        game = load(game_id)
        for scenario in game.scenarios:
            for seed in SEEDS:
                checksum = rules_fingerprint(game, scenario.id, seed, PLIES[game_id])
                found.append(_row(game_id, scenario.id, "rules", seed, PLIES[game_id], checksum))
        first = game.scenarios[0].id
        checksum = player_fingerprint(game, first, LEVEL, 1, CHOICES[game_id])
        found.append(_row(game_id, first, LEVEL, 1, CHOICES[game_id], checksum))
    return found


def _row(game: str, scenario: str, what: str, seed: int, length: int, checksum: str) -> dict[str, str]:
    return {
        "game": game,
        "scenario": scenario,
        "what": what,
        "seed": str(seed),
        "length": str(length),
        "checksum": checksum,
    }


def main() -> None:
    """Write the file."""
    found = rows()
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, found[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)


if __name__ == "__main__":
    main()

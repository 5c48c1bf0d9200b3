"""Write what the list of games tells to src/salient/games/library.json: `python tools/library.py`.

The list is shown before any game is loaded; a test sees that it says what the games say.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from salient.games import game_ids, listed, load

FILE = Path(__file__).parent.parent / "src" / "salient" / "games" / "library.json"


def main() -> None:
    """Write the file."""
    games = [asdict(listed(load(game_id))) for game_id in game_ids()]
    FILE.write_text(json.dumps(games, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

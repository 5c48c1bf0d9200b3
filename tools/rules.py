"""The words of every RULES.md, from the English digest that players read: `python tools/rules.py`.

A rule is told once, in src/salient/web/help/<game>.en.json; RULES.md adds the module that carries it out and its
status.
"""

from __future__ import annotations

import json
from pathlib import Path

from salient import game_ids

SOURCE = Path(__file__).parents[1] / "src" / "salient"


def digest(game_id: str, lang: str = "en") -> dict[str, str]:
    """The title and the text of each rule of a game."""
    rules = json.loads((SOURCE / "web" / "help" / f"{game_id}.{lang}.json").read_text("utf-8"))["rules"]
    return {rule["rule"]: f"{rule['title']}: {rule['text']}" for rule in rules}


def rules_file(game_id: str) -> Path:
    """The table of a game's rules."""
    return SOURCE / "games" / game_id.replace("-", "_") / "RULES.md"


def told_anew(table: str, words: dict[str, str]) -> str:
    """A RULES.md with the words of the digest in its rows."""
    lines = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and cells[0] in words:
            line = f"| {cells[0]} | {words[cells[0]].replace('|', '/')} | {cells[2]} | {cells[3]} |"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the words of all tables."""
    for game_id in game_ids():
        file = rules_file(game_id)
        file.write_text(told_anew(file.read_text("utf-8"), digest(game_id)), "utf-8")


if __name__ == "__main__":
    main()

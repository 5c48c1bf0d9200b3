"""The after-action report: a game in words, with pictures of the map, in one HTML file."""

from __future__ import annotations

from html import escape
from pathlib import Path

from salient.kernel import VerifiedDice
from salient.server.access import Viewer
from salient.server.dicestats import dice_statistics
from salient.server.live import LiveGame, is_bot
from salient.server.mapfiles import has_map
from salient.server.pictures import definitions, picture
from salient.server.problems import sentence
from salient.server.settings import VERSION
from salient.server.wire import entries_json, result_json
from salient.text import name, stage_text

STYLE = """
body { font: 1rem/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #222; background: #faf7f0; }
h1, h2, h3 { font-family: system-ui, sans-serif; line-height: 1.2; }
h2 { border-bottom: 2px solid #8a7a55; margin-top: 2.5rem; }
li { margin: .15rem 0; } ol, ul { padding-left: 1.3rem; }
.rule { color: #75663f; font-size: .8em; } .who { font-weight: 600; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; border: 1px solid #8a7a55; }
figcaption, footer { color: #6a6252; font-size: .9em; }
svg text { font-family: system-ui, sans-serif; }
"""


def report_html(live: LiveGame, viewer: Viewer, folder: Path) -> str:
    """The report as a seat may read it; `folder` keeps the map's image."""
    lang, game = viewer.lang, live.game
    title = f"{live.row.name}: {sentence('report-title', lang)}"
    shared = definitions(game, lang, folder) if has_map(game) else ""
    body = [_front(live, viewer), *_story(live, viewer), _dice(live, viewer), _foot(live, viewer)]
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f"<body>{shared}<h1>{escape(title)}</h1>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _front(live: LiveGame, viewer: Viewer) -> str:
    lang, game = viewer.lang, live.game
    seats = "".join(
        f"<li>{escape(name(game, seat, lang))}: {escape(_player(player, lang))}</li>"
        for seat, player in live.row.seats.items()
    )
    result = result_json(game, live.summary()["result"], lang)
    outcome = result["text"] if result else sentence("report-not-over", lang)
    title, scenario = name(game, game.id, lang), name(game, live.session.scenario, lang)
    return (
        f"<p>{escape(title)}, {escape(scenario)}</p><h2>{sentence('report-players', lang)}</h2><ul>{seats}</ul>"
        f"<h2>{sentence('report-result', lang)}</h2><p>{escape(outcome)}</p>"
    )


def _player(player: str, lang: str) -> str:
    return sentence("bot", lang, level=player.removeprefix("bot:")) if is_bot(player) else sentence("person", lang)


def _story(live: LiveGame, viewer: Viewer) -> list[str]:
    """Every event under its turn and phase, and the map when a turn begins and at the end."""
    parts: list[str] = [_picture(live, viewer, 0, sentence("report-start", viewer.lang))]
    turn = 1
    for entry in entries_json(live, viewer, 0, live.ply, changes=False):
        stage = live.stages.get(entry["ply"] - 1)
        if stage is not None and stage[0] != turn:
            turn = stage[0]
            parts.append(_picture(live, viewer, entry["ply"] - 1, sentence("turn", viewer.lang, n=turn)))
        if stage is not None:
            parts.append(f"<h3>{escape(stage_text(live.game, stage, viewer.lang))}</h3>")
        said = "; ".join(
            f'{escape(event["text"])} <span class="rule">[{escape(event["rule"])}]</span>' for event in entry["events"]
        )
        if said:
            who = escape(name(live.game, entry["seat"], viewer.lang))
            parts.append(f'<li><span class="who">{who}:</span> {said}</li>')
    parts.append(_picture(live, viewer, live.ply, sentence("report-end", viewer.lang)))
    return _with_lists(parts)


def _with_lists(parts: list[str]) -> list[str]:
    """Put runs of items into lists."""
    whole: list[str] = []
    inside = False
    for part in parts:
        item = part.startswith("<li>")
        if item != inside:
            whole.append("<ul>" if item else "</ul>")
            inside = item
        whole.append(part)
    return whole


def _picture(live: LiveGame, viewer: Viewer, ply: int, when: str) -> str:
    if not has_map(live.game):
        return ""
    view = live.game.observe(live.session.state_at(ply), viewer.seat)
    return picture(live.game, view, sentence("report-position", viewer.lang, when=when))


def _dice(live: LiveGame, viewer: Viewer) -> str:
    lines = "".join(
        f"<li>{escape(sentence('report-dice-line', viewer.lang, side=name(live.game, seat, viewer.lang), **side))}</li>"
        for seat, side in dice_statistics(live)["sides"].items()
    )
    return f"<h2>{sentence('report-dice', viewer.lang)}</h2><ul>{lines}</ul>"


def _foot(live: LiveGame, viewer: Viewer) -> str:
    dice = live.session.dice
    commitment = dice.commitment if isinstance(dice, VerifiedDice) else "-"
    written = sentence("report-written", viewer.lang, version=VERSION, commitment=commitment)
    return f"<footer><p>{escape(written)}</p></footer>"

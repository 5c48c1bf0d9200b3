"""The after-action report: a game in words, with pictures of the map, in one HTML file."""

from __future__ import annotations

from html import escape
from itertools import groupby
from pathlib import Path

from salient.kernel import VerifiedDice
from salient.server.access import Viewer
from salient.server.dicestats import dice_statistics
from salient.server.live import LiveGame, is_bot
from salient.server.mapfiles import has_map
from salient.server.pictures import definitions, picture
from salient.server.problems import sentence
from salient.server.settings import VERSION
from salient.server.standing import curve_json, luck_json, luck_of
from salient.server.wire import Json, entries_json, result_json
from salient.text import name

STYLE = """
body { font: 1rem/1.55 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #222; background: #faf7f0; }
h1, h2, h3 { font-family: system-ui, sans-serif; line-height: 1.2; }
h2 { border-bottom: 2px solid #8a7a55; margin-top: 2.5rem; }
li { margin: .15rem 0; } ol, ul { padding-left: 1.3rem; }
.rule { color: #75663f; font-size: .8em; } .who, .phase { font-weight: 600; }
.outcome { font-size: 1.3rem; } .all { color: #6a6252; font-size: .9em; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; border: 1px solid #8a7a55; }
figcaption, footer { color: #6a6252; font-size: .9em; }
svg text { font-family: system-ui, sans-serif; }
@media print {
  body { max-width: none; margin: 0; background: none; font-size: 10pt; }
  .turn { break-before: page; } figure, h3, p { break-inside: avoid; } .all { display: none; }
}
"""
CURVE_WIDTH, CURVE_HEIGHT = 900, 200
LONGEST_NAME = 4  # words of a hex with its place


def report_html(live: LiveGame, viewer: Viewer, folder: Path) -> str:
    """The report as a seat may read it; `folder` keeps the map's image."""
    lang, game = viewer.lang, live.game
    title = f"{live.row.name}: {sentence('report-title', lang)}"
    shared = definitions(game, lang, folder) if has_map(game) else ""
    parts = (_front, _course)
    body = [*(part(live, viewer) for part in parts), *_story(live, viewer), _dice(live, viewer), _foot(live, viewer)]
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
    if result and result["winner"]:
        outcome = f"{sentence('report-winner', lang, side=name(game, result['winner'], lang))} {outcome}"
    title, scenario = name(game, game.id, lang), name(game, live.session.scenario, lang)
    return (
        f"<p>{escape(title)}, {escape(scenario)}</p><h2>{sentence('report-players', lang)}</h2><ul>{seats}</ul>"
        f'<h2>{sentence("report-result", lang)}</h2><p class="outcome">{escape(outcome)}</p>'
    )


def _player(player: str, lang: str) -> str:
    return sentence("bot", lang, level=player.removeprefix("bot:")) if is_bot(player) else sentence("person", lang)


# ---- how it went -----------------------------------------------------------------------------------------


def _course(live: LiveGame, viewer: Viewer) -> str:
    """The advantage over time, and what each side lost."""
    lang, game = viewer.lang, live.game
    forces = game.view.situation(live.session.state).get("forces", {})
    losses = [
        sentence("report-lost", lang, side=name(game, seat, lang), units=force["lost_units"], steps=force["lost_steps"])
        for seat, force in forces.items()
    ]
    lost = "".join(f"<li>{escape(line)}</li>" for line in losses)
    return (
        f"<h2>{sentence('report-curve', lang)}</h2>{_curve(live, viewer)}"
        f"<h2>{sentence('report-losses', lang)}</h2><ul>{lost}{_luck(live, viewer)}</ul>"
    )


def _curve(live: LiveGame, viewer: Viewer) -> str:
    """A line from phase to phase: above the middle the first seat is ahead."""
    points = curve_json(live, viewer, 0)["points"]
    last = max(1, points[-1]["ply"])
    line = " ".join(f"{p['ply'] / last * CURVE_WIDTH:.1f},{(1 - p['share']) * CURVE_HEIGHT:.1f}" for p in points)
    first, second = (escape(name(live.game, seat, viewer.lang)) for seat in live.game.seats)
    half = CURVE_HEIGHT / 2
    return (
        f'<figure><svg viewBox="0 0 {CURVE_WIDTH} {CURVE_HEIGHT}" width="{CURVE_WIDTH}" role="img">'
        f'<line x1="0" x2="{CURVE_WIDTH}" y1="{half}" y2="{half}" stroke="#8a7a55"/>'
        f'<polyline points="{line}" fill="none" stroke="#222" stroke-width="3"/>'
        f'<text x="6" y="20" font-size="16">▲ {first}</text>'
        f'<text x="6" y="{CURVE_HEIGHT - 8}" font-size="16">▼ {second}</text></svg></figure>'
    )


def _luck(live: LiveGame, viewer: Viewer) -> str:
    fights = luck_json(live)
    lines = []
    for side in (luck_of(fights, seat) for seat in live.game.seats if fights):
        key = "report-luck-more" if side["more_lost"] > 0 else "report-luck-less"
        words = {"side": name(live.game, side["seat"], viewer.lang), "n": f"{abs(side['more_lost']):.1f}"}
        lines.append(f"<li>{escape(sentence(key, viewer.lang, **words))}</li>")
    return "".join(lines)


# ---- the story ---------------------------------------------------------------------------------------------


def _story(live: LiveGame, viewer: Viewer) -> list[str]:
    """Turn by turn: the map as the turn begins, what mattered in each phase, and every event on demand."""
    turns: dict[int, list[Json]] = {}
    turn = 1
    for entry in entries_json(live, viewer, 0, live.ply, changes=False):
        stage = live.stages.get(entry["ply"] - 1)
        turn = stage[0] if stage else turn
        turns.setdefault(turn, []).append(entry)
    parts = [_turn(live, viewer, turn, entries) for turn, entries in turns.items()]
    return [*parts, _picture(live, viewer, live.ply, sentence("report-end", viewer.lang))]


def _turn(live: LiveGame, viewer: Viewer, turn: int, entries: list[Json]) -> str:
    title = sentence("turn", viewer.lang, n=turn)
    whole = "".join(_line(live, viewer, entry) for entry in entries)
    return (
        f'<section class="turn"><h2>{title}</h2>{_picture(live, viewer, entries[0]["ply"] - 1, title)}'
        f"{_narrative(entries, name(live.game, 'and', viewer.lang))}"
        f'<details class="all"><summary>{sentence("report-all", viewer.lang)}</summary><ul>{whole}</ul></details>'
        "</section>"
    )


def _narrative(entries: list[Json], joint: str) -> str:
    """A paragraph for each phase in which something happened that matters."""
    phases: list[tuple[str, list[Json]]] = []
    for entry in entries:
        if "heading" in entry or not phases:
            phases.append((entry.get("heading", ""), []))
        phases[-1][1].extend(event for event in entry["events"] if event.get("news"))
    told = [(heading, " ".join(drawn_together(events, joint))) for heading, events in phases if events]
    return "".join(f'<p><span class="phase">{escape(heading)}.</span> {escape(text)}</p>' for heading, text in told)


def drawn_together(events: list[Json], joint: str) -> list[str]:
    """The sentences; those that begin alike and end in a place or a unit become one: "They now control A, B and C." """
    sentences: list[str] = []
    for key, alike in groupby(events, lambda event: (event["key"], _opening(event))):
        texts = [event["text"] for event in alike]
        opening = key[1]
        ends = [text.removeprefix(opening).removesuffix(".") for text in dict.fromkeys(texts)]
        whole = f"{opening}{', '.join(ends[:-1])} {joint} {ends[-1]}."
        sentences += [whole] if opening and len(ends) > 1 else texts
    return sentences


def _opening(event: Json) -> str:
    """The part of a sentence before the name that ends it; nothing if none does."""
    text = event["text"].removesuffix(".")
    begins = max((text.rfind(f" {value}") for value in event["args"].values() if isinstance(value, str)), default=-1)
    return text[: begins + 1] if len(text[begins + 1 :].split()) <= LONGEST_NAME else ""


def _line(live: LiveGame, viewer: Viewer, entry: Json) -> str:
    said = "; ".join(
        f'{escape(event["text"])} <span class="rule">[{escape(event["rule"])}]</span>' for event in entry["events"]
    )
    who = escape(name(live.game, entry["seat"], viewer.lang))
    return f'<li><span class="who">{who}:</span> {said}</li>' if said else ""


def _picture(live: LiveGame, viewer: Viewer, ply: int, when: str) -> str:
    if not has_map(live.game):
        return ""
    view = live.game.view.observe(live.session.state_at(ply), viewer.seat)
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

"""A recorded game as a film: an animated GIF, or numbered frames for a video program."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from salient.games import load
from salient.kernel import Record, Unreadable
from salient.maps.sheet import svg_to_png
from salient.svg import caption_of, pieces, section_box
from salient.svg.ground import map_image, usual_scale
from salient.text import heading

if TYPE_CHECKING:
    from PIL.Image import Image as Drawn

EVERY = ("turn", "phase", "move")
STILL = 4  # the last frame stays so many times as long


def frames(
    record: Record, every: str = "phase", section: str = "", scale: float | None = None, lang: str = "en"
) -> Iterator[Drawn]:
    """A frame for every turn, phase or move of a record, and the last position; the map is drawn once."""
    from PIL import Image

    if every not in EVERY:
        raise Unreadable("frame-every", text=every, texts_known=tuple(EVERY))
    game = load(record.header["game"])
    size = scale or usual_scale(game)
    left, top, width, height = section_box(game, section, size)
    whole = Image.open(io.BytesIO(map_image(game.id, size, lang))).convert("RGBA")
    ground = whole.crop((int(left), int(top), int(left + width), int(top + height)))
    view = f'width="{width:g}" height="{height:g}" viewBox="{left:g} {top:g} {width:g} {height:g}"'
    shown = None
    states = list(record.replay(game))
    for ply, state in enumerate(states):
        where = heading(game, state, lang)
        mark = {"turn": where.split(" · ")[0], "phase": where, "move": ply}[every]
        if mark == shown and ply + 1 < len(states):
            continue
        shown = mark
        body = pieces(state, scale=size) + caption_of(where, left, top, size)
        layer = svg_to_png(f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{body}</svg>')
        yield Image.alpha_composite(ground, Image.open(io.BytesIO(layer)).convert("RGBA")).convert("RGB")


def save_gif(record: Record, file: Path, seconds: float = 0.7, **settings: str | float | None) -> int:
    """Write an animated GIF; how many frames it has."""
    from PIL import Image

    first, *rest = frames(record, **settings)  # type: ignore[arg-type]
    palette = first.quantize(colors=255, dither=Image.Dither.NONE)
    drawn = [palette, *(frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in rest)]
    stays = [round(seconds * 1000)] * (len(drawn) - 1) + [round(seconds * 1000 * STILL)]
    drawn[0].save(file, save_all=True, append_images=drawn[1:], duration=stays, loop=0)
    return len(drawn)


def save_frames(record: Record, folder: Path, **settings: str | float | None) -> int:
    """Write numbered PNG files, as video programs take them; how many."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, frame in enumerate(frames(record, **settings), start=1):  # type: ignore[arg-type]
        frame.save(folder / f"frame-{count:05}.png")
    return count

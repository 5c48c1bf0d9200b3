"""The bundled typefaces and the widths of text set in them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent / "fonts"


@dataclass(frozen=True)
class Face:
    """A typeface: its file and how SVG asks for it."""

    file: str
    family: str
    weight: int
    style: str


FACES = {
    "regular": Face("Alegreya-Regular.ttf", "Alegreya", 400, "normal"),
    "bold": Face("Alegreya-Bold.ttf", "Alegreya", 700, "normal"),
    "italic": Face("Alegreya-MediumItalic.ttf", "Alegreya", 500, "italic"),
    "sans": Face("AlegreyaSans-Medium.ttf", "Alegreya Sans", 500, "normal"),
}
FALLBACKS = {"Alegreya": "Georgia, serif", "Alegreya Sans": "Arial, sans-serif"}

# Heights in ems: capitals and tall letters above the baseline, tails below it.
RISE = 0.70
FALL = 0.24


def font_files() -> list[str]:
    """Return the paths of the bundled fonts."""
    return [str(FOLDER / face.file) for face in FACES.values()]


@cache
def _advances(face: str) -> tuple[dict[int, int], int]:
    font = TTFont(FOLDER / FACES[face].file, lazy=True)
    metrics, names = font["hmtx"].metrics, font.getBestCmap()
    return {code: metrics[name][0] for code, name in names.items()}, font["head"].unitsPerEm


def text_width(text: str, face: str, size: float, spacing: float = 0.0) -> float:
    """Return the width of a line of text; `spacing` is extra space after each letter, in ems."""
    advances, em = _advances(face)
    units = sum(advances.get(ord(letter), em // 2) for letter in text)
    return size * (units / em + spacing * max(0, len(text) - 1))


def fitted(text: str, face: str, size: float, room: float, spacing: float = 0.0) -> float:
    """Return the size at which a line of text fits a room, at most the size wanted."""
    return min(size, size * room / max(1.0, text_width(text, face, size, spacing)))

"""The legend: a sample and a name for everything that the map uses."""

from collections.abc import Iterator
from dataclasses import dataclass

from salient.maps.canvas import UNIT, Canvas, words
from salient.maps.ground import ground_swatch
from salient.maps.style import (
    COLOURS,
    FAINT_INK,
    GROUND_FEATURES,
    PAPER,
    ROADS,
    SOURCE_COLOURS,
    THROUGH,
    WATERS,
    Line,
    split_zone_look,
)
from salient.maps.svg import box, disc, element, group, path, polyline, text
from salient.maps.symbols import ROOF_EDGE, ROOFS, SETTLEMENTS, TOWN_GROUND, bunker, settlement_blocks
from salient.maps.texts import word
from salient.maps.water import draw_bridge_sample
from salient.maps.zones import FEATURE_MARKS, LINES, RADII, draw_symbol

# A sample fits a box of two drawing units by one and a half, around the origin.
SAMPLE_WIDTH = 2.1 * UNIT
ENTRY_HEIGHT = 1.75 * UNIT
TYPE_SIZE = 0.62 * UNIT


@dataclass(frozen=True)
class LegendEntry:
    """A legend entry: a drawing around the origin, and its name."""

    sample: str
    name: str


def entries(canvas: Canvas, with_areas: bool, with_sources: bool) -> list[LegendEntry]:
    """Return the legend of a map in the order ground, features, waters, bridges, roads, zones, areas."""
    found = [*_terrain(canvas), *_features(canvas), *_hexsides(canvas), *_roads(canvas), *_zones(canvas)]
    if canvas.board.rows["lines.csv"]:
        dashes = {"stroke": COLOURS["violet"], "stroke_width": 0.05 * UNIT, "stroke_dasharray": "24 10 0 10"}
        line = path(polyline([(-UNIT, 0), (UNIT, 0)]), stroke_linecap="round", **dashes)
        found.append(LegendEntry(line, word("frontier", canvas.language)))
    if with_areas and canvas.board.areas:
        panel = box((0, 0), 1.6 * UNIT, 0.95 * UNIT)
        sample = path(panel, fill="#d9ceb0", stroke=FAINT_INK, stroke_width=0.03 * UNIT)
        found.append(
            LegendEntry(sample + text("A", (0, 0.2 * UNIT), 0.6 * UNIT, "bold"), word("area", canvas.language))
        )
    if with_sources:
        found += [
            LegendEntry(
                path(box((0, 0), UNIT, 0.8 * UNIT), fill=colour, fill_opacity=0.55), word(source, canvas.language)
            )
            for source, colour in SOURCE_COLOURS.items()
        ]
    return found


def _used(canvas: Canvas, section: str, keys: set[str]) -> Iterator[tuple[str, str]]:
    """Yield (look, name) of the entries of terrain.toml that the map uses, each pair once, in the file's order."""
    seen = set()
    for key in canvas.board.legend.get(section, {}):
        entry = canvas.entry(section, key)
        name = words(entry["legend"], canvas.language) if "legend" in entry else canvas.name(section, key)
        pair = canvas.look(section, key), name
        if key in keys and pair not in seen and pair[0] != "hidden":
            seen.add(pair)
            yield pair


def _terrain(canvas: Canvas) -> Iterator[LegendEntry]:
    for look, name in _used(canvas, "terrain", set(canvas.board.terrain)):
        yield LegendEntry(group([ground_swatch(look)], transform="scale(0.8)"), name)


def _features(canvas: Canvas) -> Iterator[LegendEntry]:
    for look, name in _used(canvas, "feature", set().union(*canvas.board.features)):
        if look in SETTLEMENTS:
            yield LegendEntry(_blocks(look), name)
        elif look == "westwall":
            yield LegendEntry(bunker((0, 0), 0.6 * UNIT), name)
        elif look in FEATURE_MARKS:
            yield LegendEntry(draw_symbol(look, (0, 0), 0.45 * UNIT, "", "black"), name)
        elif look in GROUND_FEATURES:
            yield LegendEntry(group([ground_swatch(GROUND_FEATURES[look])], transform="scale(0.8)"), name)
        else:
            hatched = element("rect", x=-60, y=-50, width=120, height=100, fill="url(#closed)", stroke=FAINT_INK)
            yield LegendEntry(hatched, name)


def _blocks(look: str) -> str:
    town = SETTLEMENTS[look]
    ground = path(disc((0, 0), (town.radius + 0.08) * UNIT), fill=TOWN_GROUND) if town.has_ground else ""
    blocks = settlement_blocks(look, (0.0, 0.0), 0.0)
    return ground + path(blocks, fill=ROOFS, stroke=ROOF_EDGE, stroke_width=0.012 * UNIT)


def _hexsides(canvas: Canvas) -> Iterator[LegendEntry]:
    rows = canvas.board.rows["hexsides.csv"]
    for look, name in _used(canvas, "hexside", {row["kind"] for row in rows}):
        if look in WATERS or look == THROUGH:
            wave = f"M{-UNIT} 0Q{-0.5 * UNIT} {-0.45 * UNIT} 0 0T{UNIT} 0"
            straight = polyline([(-UNIT, 10), (-20, 10), (20, -10), (UNIT, -10)])
            yield LegendEntry(
                _stroked(straight if look == "canal" else wave, WATERS.get(look, WATERS["minor-river"])), name
            )
        elif look == "westwall":
            yield LegendEntry(bunker((0, 0), 0.6 * UNIT), name)
        else:
            colour = COLOURS["red"] if look == "front" else "#8a6a3f"
            yield LegendEntry(path(polyline([(-UNIT, 0), (UNIT, 0)]), stroke=colour, stroke_width=6.0), name)
    states = {row["bridge"] for row in rows if row["bridge"]}
    for state in ("bridge", "blown", "unbuilt"):
        if state in states or (state == "bridge" and states - {"blown", "unbuilt"}):
            yield LegendEntry(draw_bridge_sample(state), word(state, canvas.language))


def _stroked(d: str, line: Line) -> str:
    dash = " ".join(f"{length * UNIT:.0f}" for length in line.dash)
    casing = path(d, fill="none", stroke=line.casing, stroke_width=line.casing_width * UNIT) if line.casing else ""
    cap = "round" if line.dash else None
    core = {"stroke": line.core, "stroke_width": line.width * UNIT, "stroke_dasharray": dash, "stroke_linecap": cap}
    return casing + path(d, fill="none", **core)


def _roads(canvas: Canvas) -> Iterator[LegendEntry]:
    used = {row["class"] for row in canvas.board.rows["roads.csv"]}
    for look, name in _used(canvas, "road", used):
        curve = f"M{-UNIT} {0.15 * UNIT}C{-0.4 * UNIT} {-0.25 * UNIT} {0.4 * UNIT} {0.25 * UNIT} {UNIT} {-0.15 * UNIT}"
        yield LegendEntry(_stroked(curve, ROADS[look]), name)


def _zones(canvas: Canvas) -> Iterator[LegendEntry]:
    for look, name in _used(canvas, "zone", set(canvas.board.zones)):
        shape, colour = split_zone_look(look)
        if shape in RADII:
            yield LegendEntry(draw_symbol(shape, (0, 0), 0.42 * UNIT, "", colour), name)
        elif shape in LINES:
            fill = COLOURS[colour] if shape == "tint" else PAPER
            yield LegendEntry(
                path(
                    box((0, 0), 1.7 * UNIT, 0.95 * UNIT),
                    fill=fill,
                    fill_opacity=0.13 if shape == "tint" else 0.5,
                    stroke=COLOURS[colour],
                    stroke_width=0.06 * UNIT,
                    stroke_dasharray="16 8",
                ),
                name,
            )
        else:
            line = path(polyline([(-UNIT, 0), (UNIT, 0)]), stroke=COLOURS[colour], stroke_width=0.07 * UNIT)
            teeth = "".join(f"M{x - 10} 0L{x} 18L{x + 10} 0Z" for x in (-60, -20, 20, 60))
            yield LegendEntry(line + path(teeth, fill=COLOURS[colour]), name)

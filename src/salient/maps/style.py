"""Named looks: `look = "..."` of an entry in terrain.toml picks one of these.

Looks by section of terrain.toml (an unknown look is an error that lists those of its section):

`[terrain.*]`  clear, fields, heath, light-woods, woods, forest, rough, rough-woods, hills, marsh, city, lake, sea
`[feature.*]`  village, town, city, fortress, westwall, lake, hill, woods, rough, fuel, star, bottleneck, airfield,
               partial (the hex is cut by the map edge), hidden
`[hexside.*]`  stream, minor-river, river, major-river, canal, lake-shore, slope, westwall, front, wall, hidden,
               through (a minor river passes from the middle of one hex into the next; where a river along hexsides ends
               at a hex with a hidden feature that is water, it is drawn on through that hex)
               (a bridge on a water hexside is drawn by its state: bridge, blown, unbuilt, and other words as intact)
`[road.*]`     highway (red), primary, secondary, track, rail, hidden
`[zone.*]`     boundary-COLOUR (dashed line around the zone), between-COLOUR (only where two such zones meet),
               tint-COLOUR (the same with a faint fill),
               front-COLOUR (solid line with teeth towards the zone), star (a star, with the row's value),
               entry or entry-COLOUR (an arrow into the map, blue by itself), drop-zone (a parachute with the value),
               fuel (a jerrycan), mark-COLOUR (a disc with the value), label-COLOUR (the zone's name across
               its hexes, with a dashed line), hidden.
COLOUR is one of red, blue, green, gold, orange, violet, brown, teal, grey, black.

An entry may have `legend = { en = ..., it = ..., fr = ... }`, its name in the legend: entries with the same look and
the same legend are listed once (fourteen set-up areas as one "Set-up area"). In areas.csv, `label_at` may be north,
east, south or west (the side on which the panel lies) or hidden (no panel); else the side follows from the hexes.

`[map.title]`, `[map.subtitle]`: en, it, fr and source, for the cartouche; `[map.north]`: degrees (clockwise from the
top of the map to geographic north) and source, for the compass.

All lengths are in hex sizes (centre to corner).
"""

from dataclasses import dataclass, field

PAPER = "#f3ead3"
SHEET = "#e9dcbd"
INK = "#3a2f22"
FAINT_INK = "#7d6c52"
GRID_INK = "#6b5a40"
WATER_EDGE = "#3f6f8f"
WATER_TEXT = "#2d5f82"
ROAD_TEXT = "#6b3417"
HALO = "#f7f0de"

# The fewest pixels of a letter on the picture: nine on a screen that opens it at seven eighths of its size.
LEAST_LETTER = 10.2

COLOURS = {
    "red": "#b3261e",
    "blue": "#24569c",
    "green": "#3f7a35",
    "gold": "#b98a12",
    "orange": "#cc6a1a",
    "violet": "#7a3f8f",
    "brown": "#7a4a22",
    "teal": "#1f7d7a",
    "grey": "#6a6a66",
    "black": "#26221c",
}

SOURCE_COLOURS = {
    "rulebook": "#2b6cb0",
    "derived": "#2f855a",
    "geography": "#c9a227",
    "history": "#a0522d",
    "house": "#b83280",
}


@dataclass(frozen=True)
class Ground:
    """How a terrain (or a ground-like feature) fills its hexes."""

    fill: str
    edge: str = ""
    trees: int = 0
    tree_colours: tuple[str, str] = ("#8ba169", "#aebf86")
    hachures: int = 0
    hachure_colour: str = "#9a7b52"
    tufts: int = 0
    furrows: int = 0
    is_water: bool = False
    is_built: bool = False


LIGHT_TREES = ("#a3b07c", "#c3cd98")
WOOD_TREES = ("#8ba169", "#aebf86")
DEEP_TREES = ("#7a925b", "#97ae74")

GROUNDS = {
    "clear": Ground("#f1e7cb", furrows=2),
    "fields": Ground("#f3e9c4", furrows=4),
    "heath": Ground("#e6dcbd", "#cbb98d", tufts=5),
    "light-woods": Ground("#dfe0b6", "#bcc28d", trees=7, tree_colours=LIGHT_TREES),
    "woods": Ground("#cdd6a4", "#9fb077", trees=13, tree_colours=WOOD_TREES),
    "forest": Ground("#b4c48c", "#84995f", trees=22, tree_colours=DEEP_TREES),
    "rough": Ground("#e3d2a9", "#bfa571", hachures=9),
    "rough-woods": Ground("#cfc593", "#9d9560", trees=10, tree_colours=WOOD_TREES, hachures=7),
    "hills": Ground("#e8d8b0", "#c8b080", hachures=6),
    "marsh": Ground("#dcdfc2", "#a9b79a", tufts=9),
    "city": Ground("#dccdb2", "#b39a78", is_built=True),
    "lake": Ground("#a9c8d8", WATER_EDGE, is_water=True),
    "sea": Ground("#a9c8d8", WATER_EDGE, is_water=True),
}

GROUND_FEATURES = {"lake": "lake", "hill": "hills", "woods": "woods", "rough": "rough"}
SYMBOL_FEATURES = ("village", "town", "city", "fortress", "westwall", "fuel", "star", "bottleneck", "airfield")
FEATURES = (*SYMBOL_FEATURES, *GROUND_FEATURES, "partial", "hidden")


@dataclass(frozen=True)
class Line:
    """A stroked line: a casing under a core, widths in hex sizes; `least` is the fewest pixels that the core keeps."""

    core: str
    width: float
    casing: str = ""
    casing_width: float = 0.0
    dash: tuple[float, ...] = field(default=())
    rank: int = 0
    least: float = 0.8


WATERS = {
    "stream": Line("#8fb8cf", 0.05, WATER_EDGE, 0.075, rank=1),
    "minor-river": Line("#86b4d0", 0.1, WATER_EDGE, 0.14, rank=2, least=1.1),
    "river": Line("#86b4d0", 0.13, WATER_EDGE, 0.175, rank=3, least=1.5),
    "major-river": Line("#86b4d0", 0.22, WATER_EDGE, 0.275, rank=4, least=2.6),
    "canal": Line("#9cc4da", 0.075, "#31597a", 0.125, rank=2, least=1.0),
    "lake-shore": Line("#86b4d0", 0.14, WATER_EDGE, 0.18, rank=3),
}
SIDE_MARKS = ("slope", "westwall", "front", "wall")
THROUGH = "through"
HEXSIDES = (*WATERS, *SIDE_MARKS, THROUGH, "hidden")

ROADS = {
    "highway": Line("#c4382b", 0.115, "#5b1712", 0.165, rank=4, least=2.4),
    "primary": Line("#cf7d45", 0.088, "#6b3417", 0.132, rank=3, least=1.5),
    "secondary": Line("#f0d190", 0.056, "#84602f", 0.094, rank=2, least=0.9),
    "track": Line("#84602f", 0.042, dash=(0.0, 0.1), rank=1, least=0.9),
    "rail": Line("#57504a", 0.03, dash=(0.14, 0.05), rank=0),
}
ROAD_LOOKS = (*ROADS, "hidden")

ZONE_SHAPES = ("boundary", "between", "tint", "front", "mark", "label", "entry")
ZONE_SYMBOLS = ("star", "entry", "drop-zone", "fuel", "hidden")


@dataclass(frozen=True)
class PlaceLook:
    """The type of a place name: never smaller than `least` pixels, and shown from a scale on (pixels a hex size)."""

    size: float
    face: str
    colour: str = INK
    spaced: float = 0.0
    importance: int = 0
    least: float = 0.0
    shown_from: float = 0.0
    is_capitals: bool = False


PLACES = {
    "city": PlaceLook(0.6, "bold", spaced=0.05, importance=5, least=14.0, is_capitals=True),
    "town": PlaceLook(0.38, "bold", importance=4, least=11.0),
    "village": PlaceLook(0.26, "regular", importance=3, least=LEAST_LETTER, shown_from=20.0),
    "hamlet": PlaceLook(0.22, "regular", importance=2, least=LEAST_LETTER, shown_from=30.0),
    "region": PlaceLook(0.38, "italic", "#56683c", 0.16, importance=1, least=11.0),
}

CHOICES = {
    "terrain": tuple(GROUNDS),
    "feature": FEATURES,
    "hexside": HEXSIDES,
    "road": ROAD_LOOKS,
}


class UnknownLook(ValueError):
    """A `look` in terrain.toml that no style has."""


def split_zone_look(look: str) -> tuple[str, str]:
    """Return the shape and the colour of a zone look, such as ("tint", "red"), raising UnknownLook."""
    if look in ZONE_SYMBOLS:
        return look, "blue" if look == "entry" else "black"
    shape, _, colour = look.partition("-")
    if shape in ZONE_SHAPES and colour in COLOURS:
        return shape, colour
    shapes = ", ".join(f"{name}-COLOUR" for name in ZONE_SHAPES)
    raise UnknownLook(
        f"terrain.toml: unknown zone look {look!r}: give one of {', '.join(ZONE_SYMBOLS)}, {shapes} "
        f"with a colour of {', '.join(COLOURS)}."
    )


def check_look(section: str, key: str, look: str) -> None:
    """Raise UnknownLook unless a look exists in its section of terrain.toml."""
    if section == "zone":
        split_zone_look(look)
    elif section in CHOICES and look not in CHOICES[section]:
        choices = ", ".join(CHOICES[section])
        raise UnknownLook(f"terrain.toml: [{section}.{key}] has the unknown look {look!r}: give one of {choices}.")

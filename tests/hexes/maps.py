"""A small map on disk, to be spoilt by the tests."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from salient.hexes.rows import Problem

# Columns 01-04 and rows 01-04 of flat-top hexes, numbers growing east and south, even columns lower:
# a river from the north edge to the south edge between columns 02 and 03, a road over it at 0203/0303.
GRID = """\
orientation = "flat"
number = "CCRR"
columns_grow = "east"
rows_grow = "south"
shifted = "even"
shift_towards = "south"
km = 2.6
"""
TERRAIN = """\
[terrain.clear]
source = "rulebook"
[terrain.lake]
source = "rulebook"
[feature.town]
source = "rulebook"
[hexside.river]
source = "rulebook"
[hexside.stream]
bridges = false
source = "rulebook"
[hexside.cliff]
source = "rulebook"
[road.primary]
source = "rulebook"
[zone.victory]
source = "rulebook"
"""
RIVER = ("0201/0301", "0201/0302", "0202/0302", "0202/0303", "0203/0303", "0203/0304", "0204/0304")


def write_map(folder: Path) -> Path:
    """Write the small map into a folder."""
    hexes = [f"{column:02d}{row:02d}" for column in range(1, 5) for row in range(1, 5)]
    files = {
        "grid.toml": GRID,
        "terrain.toml": TERRAIN,
        "hexes.csv": "hex,terrain,features,source\n"
        + "".join(f"{label},clear,{'town' if label == '0203' else ''},house\n" for label in hexes),
        "hexsides.csv": "a,b,kind,name,bridge,source\n"
        + "".join(river_row(pair, "bridge" if pair == "0203/0303" else "") for pair in RIVER),
        "roads.csv": "a,b,class,name,source\n0103,0203,primary,,house\n0203,0303,primary,,house\n",
        "places.csv": "name,hex,size,source\nDasburg,0203,town,house\n",
        "areas.csv": "area,kind,name,hexes,areas,roads,label_at,source\n"
        "A,entry,,0101 0102,B,0101,,house\nB,entry,,,A,,,house\n",
        "zones.csv": "zone,hex,value,source\nvictory,0203,2,house\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def river_row(pair: str, bridge: str = "", name: str = "Our", kind: str = "river") -> str:
    """Return a line of hexsides.csv."""
    a, b = pair.split("/")
    return f"{a},{b},{kind},{name},{bridge},house\n"


def replace(folder: Path, name: str, old: str, new: str) -> None:
    """Replace a text that occurs once in a file of the map."""
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")


def append(folder: Path, name: str, line: str) -> int:
    """Add a line to a file of the map and return its number."""
    text = (folder / name).read_text(encoding="utf-8") + line
    (folder / name).write_text(text, encoding="utf-8")
    return text.count("\n")


class Told(NamedTuple):
    """A problem in English."""

    file: str
    line: int
    cause: str


def told(problems: Iterable[Problem]) -> tuple[Told, ...]:
    """Problems as a reader of English is told them."""
    return tuple(Told(problem.file, problem.line, str(problem.cause)) for problem in problems)

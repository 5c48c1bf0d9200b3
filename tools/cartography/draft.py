"""One configuration and one geography in, draft CSVs out: the order is fit, places, terrain, rivers, roads, bridges."""

import csv
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.cartography.fit import fit_from_config, report
from tools.cartography.geography import Cloud, Feature, Geography, inside, read_land_cover
from tools.cartography.paths import Roads, Side, Waters
from tools.cartography.plane import Hex, Plane, Point
from tools.cartography.woods import cover_by_hex, polygon_share, terrain_for

Row = tuple[str, ...]


class Draft:
    """A map being drafted; every step can be called on its own, `write` does them all."""

    def __init__(self, config: Path, geography: Path, land_cover: Path | None = None) -> None:
        self.config: dict[str, Any] = tomllib.loads(config.read_text(encoding="utf-8"))
        self.geography = Geography(geography)
        self.land_cover = read_land_cover(land_cover) if land_cover else []
        self.plane = Plane.from_config(self.config["grid"])
        self.fit, self.controls = fit_from_config(self.config["fit"], self.plane, self.geography.place)
        self._places = self.config.get("places", {})

    # ---- places ----------------------------------------------------------------

    def place_hexes(self, name: str) -> list[Hex]:
        """The hexes of a place: as set in `[places.hex]`, else by its position (`[places.lonlat]` or the geography)."""
        fixed = self._places.get("hex", {}).get(name)
        if fixed:
            return [self.plane.parse(label) for label in ([fixed] if isinstance(fixed, str) else fixed)]
        lonlat = self._places.get("lonlat", {}).get(name) or self.geography.place(name)
        hex_ = self.plane.at(self.fit((lonlat[0], lonlat[1])))
        return [hex_] if hex_ else []

    def spot(self, text: str) -> Hex:
        """The hex of a stop: a hex number or the first hex of a place."""
        if text[:4].isdigit():
            return self.plane.parse(text)
        hexes = self.place_hexes(text)
        if not hexes:
            raise ValueError(f"{text} lies off the map: leave it out or name an edge hex")
        return hexes[0]

    def point(self, text: str | list[float]) -> Point:
        """A point on the plane: [lon, lat], a hex, a hexside or a place."""
        if not isinstance(text, str):
            return self.fit((text[0], text[1]))
        if text[:4].isdigit():
            return self.plane.parse_spot(text)
        lonlat = self._places.get("lonlat", {}).get(text) or self.geography.place(text)
        return self.fit((lonlat[0], lonlat[1]))

    def place_rows(self) -> Iterable[Row]:
        """Rows of places.csv."""
        for size in ("city", "town", "village", "hamlet", "region"):
            for name in self._places.get(size, []):
                source = next((s for s in ("rulebook", "derived") if name in self._places.get(s, [])), "geography")
                for hex_ in self.place_hexes(name):
                    yield name.partition("@")[0], self.plane.label(hex_), size, source

    # ---- terrain ---------------------------------------------------------------

    def terrain(self) -> dict[Hex, tuple[str, str]]:
        """Terrain and source of each hex: land cover first, then polygons, then the lists of `[terrain]`."""
        woods = self.config.get("woods", {})
        otherwise = woods.get("otherwise", "clear")
        cover = cover_by_hex(self.plane, self.fit, self.land_cover)
        drawn = [f for f in self.geography.polygons("forest") if not str(f.properties["source"]).startswith("corine")]
        drawn += [
            Feature("forest", (p["name"],), {}, [[(x, y) for x, y in p["ring"]]]) for p in woods.get("polygon", [])
        ]
        shares = polygon_share(self.plane, self.fit, drawn)
        found = {}
        for hex_ in self.plane.hexes:
            by_polygon = terrain_for(shares.get(hex_, 0.0), woods.get("by_polygon", []), otherwise)
            by_cover = (
                terrain_for(cover[hex_][0], woods.get("by_cover", []), otherwise) if hex_ in cover else by_polygon
            )
            found[hex_] = (by_cover, "geography")
        for _, label, size, _ in self.place_rows():
            cleared = woods.get("around", {}).get(size)
            if cleared and found[self.plane.parse(label)][0] in woods.get("cleared", []):
                found[self.plane.parse(label)] = (cleared, "house")
        for terrain, labels in self.config.get("terrain", {}).items():
            for label in labels:
                found[self.plane.parse(label)] = (terrain, "house")
        return found

    def features(self) -> dict[Hex, list[str]]:
        """Features of each hex: towns by size, then the lists of `[features]`."""
        found: dict[Hex, list[str]] = {}
        for _, label, size, _ in self.place_rows():
            if size in self._places.get("as_feature", ["city", "town", "village"]):
                names = found.setdefault(self.plane.parse(label), [])
                names += [size] if size not in names else []
        for feature, labels in self.config.get("features", {}).items():
            for label in labels:
                found.setdefault(self.plane.parse(label), []).append(feature)
        return found

    # ---- rivers and roads --------------------------------------------------------

    def waters(self) -> Waters:
        """All rivers of `[[river]]`, in order (a river must come after the one it flows into)."""
        waters = Waters(self.plane)
        for river in self.config.get("river", []):
            lines = self.geography.named("water", river.get("lines", []))
            lines += [[tuple(p) for p in river["chain"]]] if "chain" in river else []
            waters.lay(
                river["name"],
                Cloud(lines, self.fit),
                self.point(river["start"]) if "start" in river else None,
                self.point(river["end"]) if "end" in river else None,
                river.get("into"),
                [self.side(text) for text in river.get("via", [])],
                [self.side(text) for text in river.get("keep_off", [])],
                [self.plane.parse(label) for label in river.get("through", [])],
            )
        return waters

    def side(self, text: str) -> Side:
        """The hexside written "2016/2115", lower hex first."""
        a, b = (self.plane.parse(part) for part in text.split("/"))
        if b not in self.plane.neighbours(a):
            raise ValueError(f"{text}: the two hexes do not touch")
        return min(a, b), max(a, b)

    def roads(self, rivers: set[Side]) -> Roads:
        """All roads of `[[road]]`, in order of importance."""
        roads = Roads(self.plane, rivers)
        for road in self.config.get("road", []):
            lines = self.geography.named("road", road.get("lines", []))
            roads.lay(
                road["name"],
                road["class"],
                [self.spot(stop) for stop in road["stops"]],
                Cloud(lines, self.fit) if lines else None,
                [self.plane.parse(label) for label in road.get("avoid", [])],
            )
        self._apply_road_terrain(roads)
        return roads

    def _apply_road_terrain(self, roads: Roads) -> None:
        """`[road_in]`: a road of one class becomes another in some terrain, unless a better road shares that hex."""
        rule = self.config.get("road_in")
        if not rule:
            return
        terrain = self.terrain()
        better = {h for step, (class_, _) in roads.steps.items() if class_ in rule["unless"] for h in step}
        for step, (class_, name) in roads.steps.items():
            if class_ == rule["from"] and any(terrain[h][0] in rule["terrain"] and h not in better for h in step):
                roads.steps[step] = (rule["to"], name)

    # ---- zones and output --------------------------------------------------------

    def zone_rows(self) -> Iterable[Row]:
        """Rows of zones.csv from `[[zone]]`: listed hexes and hexes whose centre lies in a lon/lat ring."""
        for zone in self.config.get("zone", []):
            hexes = {self.plane.parse(label) for label in zone.get("hexes", [])}
            if "ring" in zone:
                ring = [self.fit((x, y)) for x, y in zone["ring"]]
                hexes |= {h for h, centre in self.plane.hexes.items() if inside(centre, [ring])}
            for hex_ in hexes:
                yield zone["zone"], self.plane.label(hex_), str(zone.get("value", "")), zone.get("source", "geography")

    def write(self, folder: Path) -> list[str]:
        """Writes all draft files and returns what was done, one line a file."""
        folder.mkdir(parents=True, exist_ok=True)
        terrain, features, waters = self.terrain(), self.features(), self.waters()
        roads = self.roads(set(waters.sides))
        label = self.plane.label
        for hex_ in waters.inner:
            features.setdefault(hex_, []).append("river-through")
        hexes = [(label(h), t, " ".join(features.get(h, [])), s) for h, (t, s) in terrain.items()]
        kinds = {r["name"]: r.get("kind", "river") for r in self.config.get("river", [])}
        states = {self.side(k): v for k, v in self.config.get("bridges", {}).items()}
        stated = {self.side(text) for text in self.config.get("stated_hexsides", [])}
        sides = []
        for side, name in waters.sides.items():
            bridge = states.get(side, "bridge" if side in roads.steps else "")
            a, b = sorted(map(label, side))
            sides.append((a, b, kinds[name], name, bridge, "rulebook" if side in stated else "geography"))
        for side, name in waters.links.items():
            sides.append((*sorted(map(label, side)), "valley-river", name, "", "geography"))
        for group in self.config.get("hexsides", []):
            for side in map(self.side, group["at"]):
                a, b = sorted(map(label, side))
                sides = [row for row in sides if row[:2] != (a, b)]
                bridge = "bridge" if side in roads.steps else ""
                sides.append((a, b, group["kind"], group["name"], bridge, group.get("source", "geography")))
        steps = [(*sorted(map(label, s)), class_, name, "geography") for s, (class_, name) in roads.steps.items()]
        return [
            _save(folder / "hexes.csv", "hex,terrain,features,source", hexes),
            _save(folder / "hexsides.csv", "a,b,kind,name,bridge,source", sides),
            _save(folder / "roads.csv", "a,b,class,name,source", steps),
            _save(folder / "places.csv", "name,hex,size,source", self.place_rows(), ordered=False),
            _save(folder / "zones.csv", "zone,hex,value,source", self.zone_rows()),
        ]

    def report(self) -> list[str]:
        """How well the grid fits its control points."""
        return report(self.fit, self.controls)


def _save(path: Path, header: str, rows: Iterable[Row], ordered: bool = True) -> str:
    listed = sorted(rows) if ordered else list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header.split(","))
        out.writerows(listed)
    return f"{path.name}: {len(listed)} rows"

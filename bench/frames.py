"""Frame times of the client's board with 2,600 hexes and 600 counters while panning and zooming, without a GPU."""

from __future__ import annotations

import functools
import http.server
import json
import math
import shutil
import statistics
import threading
from importlib import resources
from pathlib import Path
from typing import Any

import resvg_py
from playwright.sync_api import sync_playwright

COLUMNS, ROWS = 65, 40
COUNTERS = 600
SIZE = 40.0
SCALES = (20.0, 40.0, 80.0)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
TINTS = ("#efe6cd", "#e9dfc2", "#a9c489", "#f2ead4", "#d9cfa6")
SYMBOLS = ("infantry", "armor", "artillery", "panzergrenadier", "engineer")


def centres() -> dict[str, tuple[float, float]]:
    """Flat-top hexes by their number."""
    across, down = 1.5 * SIZE, math.sqrt(3) * SIZE
    return {
        f"{column + 1:02}{row + 1:02}": (SIZE * 1.2 + column * across, SIZE * 1.2 + (row + column % 2 / 2) * down)
        for column in range(COLUMNS)
        for row in range(ROWS)
    }


def position() -> dict[str, Any]:
    """A map and counters in stacks of one to three, as the server would describe them."""
    hexes = centres()
    width = max(x for x, _ in hexes.values()) + SIZE * 1.2
    height = max(y for _, y in hexes.values()) + SIZE * 1.2
    places = list(hexes)
    units = {
        f"u{i}": {
            "side": "allied" if i % 2 else "german",
            "name": f"{i} Inf",
            "symbol": SYMBOLS[i % len(SYMBOLS)],
            "size": "regiment",
            "colour": "us" if i % 2 else "german",
            "values": "5-4",
        }
        for i in range(COUNTERS)
    }
    badges = [{"key": "damage", "n": 1}]
    live = {
        unit: {"where": places[(i // 2 * 9) % len(places)], "badges": badges if i % 7 == 0 else []}
        for i, unit in enumerate(units)
    }
    geometry = {"size": SIZE, "orientation": "flat", "width": width, "height": height, "centres": hexes, "areas": {}}
    images = {f"{scale:g}": f"map-{scale:g}.png" for scale in SCALES}
    return {"map": {"geometry": geometry, "scale": SIZE, "images": images}, "units": units, "live": live}


def map_png(geometry: dict[str, Any], scale: float) -> bytes:
    """A plain map image of that scale."""
    ratio = scale / SIZE
    corners = [(SIZE * math.cos(math.radians(60 * i)), SIZE * math.sin(math.radians(60 * i))) for i in range(6)]
    shapes = []
    for i, (x, y) in enumerate(geometry["centres"].values()):
        points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
        shapes.append(f'<polygon points="{points}" fill="{TINTS[i * 7 % 5]}" stroke="#8a8268" stroke-width="1.5"/>')
    width, height = geometry["width"], geometry["height"]
    size = f'width="{width * ratio:.0f}" height="{height * ratio:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return bytes(
        resvg_py.svg_to_bytes(svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(shapes)}</svg>')
    )


class Handler(http.server.SimpleHTTPRequestHandler):
    """The client's files, the page that measures, and the synthetic position."""

    made: dict[str, bytes]

    def do_GET(self) -> None:
        name = self.path.lstrip("/").split("?")[0]
        if name not in self.made:
            super().do_GET()
            return
        kinds = {".json": "application/json", ".png": "image/png", ".html": "text/html", ".js": "text/javascript"}
        self.send_response(200)
        self.send_header("Content-Type", kinds[Path(name).suffix])
        self.end_headers()
        self.wfile.write(self.made[name])

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve() -> http.server.ThreadingHTTPServer:
    """A server on a free port in a thread of its own."""
    synthetic = position()
    here = Path(__file__).parent
    Handler.made = {name: (here / name).read_bytes() for name in ("frames.html", "frames.js")}
    Handler.made["position.json"] = json.dumps(synthetic).encode()
    for scale in SCALES:
        Handler.made[f"map-{scale:g}.png"] = map_png(synthetic["map"]["geometry"], scale)
    files = functools.partial(Handler, directory=str(resources.files("salient") / "web"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def measure(rounds: int = 3) -> dict[str, list[float]]:
    """The intervals between frames in milliseconds, by movement, of the round that was disturbed least."""
    server = serve()
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        measured: list[dict[str, list[float]]] = []
        for _ in range(rounds):
            page.goto(f"http://127.0.0.1:{server.server_address[1]}/frames.html")
            page.wait_for_function("() => window.measured", timeout=60_000)
            measured.append(page.evaluate("window.measured"))
        browser.close()
    server.shutdown()
    return {kind: min((m[kind] for m in measured), key=statistics.fmean) for kind in measured[0]}


def main() -> None:
    """Print median and slow frames; the goal is a median of 17 ms."""
    for kind, intervals in measure().items():
        slow = statistics.quantiles(intervals, n=20)[-1]
        print(f"{kind:5} median {statistics.median(intervals):5.1f} ms, p95 {slow:5.1f} ms (goal: median 17 ms)")


if __name__ == "__main__":
    main()

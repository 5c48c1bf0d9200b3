"""Command line: `python -m tools.cartography fit|draft|where CONFIG --geography FILE [...]` (see README.md)."""

import argparse
from pathlib import Path

from tools.cartography.draft import Draft


def main() -> None:
    """Reads the command line and runs one of the three commands."""
    parser = argparse.ArgumentParser(prog="python -m tools.cartography", description="Draft hex maps from geography.")
    parser.add_argument("command", choices=["fit", "draft", "where"])
    parser.add_argument("config", type=Path, help="the game's TOML, for example tools/cartography/ardennes44.toml")
    parser.add_argument("--geography", type=Path, required=True, help="GeoJSON with places, water, roads, forests")
    parser.add_argument("--landcover", type=Path, help="CSV of land cover shares (optional)")
    parser.add_argument("--out", type=Path, help="folder for the draft CSVs (command draft)")
    parser.add_argument("--places", nargs="*", default=[], help="places to locate (command where)")
    args = parser.parse_args()
    draft = Draft(args.config, args.geography, args.landcover)
    if args.command == "fit":
        lines = draft.report()
    elif args.command == "where":
        lines = [
            f"{name}: {', '.join(map(draft.plane.label, draft.place_hexes(name))) or 'off the map'}"
            for name in args.places
        ]
    else:
        if not args.out:
            parser.error("draft needs --out FOLDER")
        lines = draft.write(args.out)
    print("\n".join(lines))


if __name__ == "__main__":
    main()

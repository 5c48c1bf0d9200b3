"""The import graph: layers point downward, no game imports another, engine packages need the standard library only."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import salient

ROOT = Path(salient.__file__).parent
LAYERS = (
    ("kernel",),
    ("hexes",),
    ("common",),
    ("games",),
    ("text", "maps", "bots", "lab", "svg"),
    ("server",),
    ("cli",),
)
RANK = {package: rank for rank, packages in enumerate(LAYERS) for package in packages}
ENGINE = ("kernel", "hexes", "common", "games")
FILES = sorted(ROOT.rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, the lazy ones included."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            source = ".".join(part for part in (base, node.module) if part)
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names if source == "salient")


def part(module: str) -> str:
    """The package of a module below `salient`."""
    names = module.split(".")
    return names[1] if len(names) > 1 else ""


def package_edges() -> set[tuple[str, str]]:
    return {
        (part(module_name(path)), part(target))
        for path in FILES
        for target in imports(path)
        if target.split(".")[0] == "salient" and part(module_name(path)) in RANK and part(target) in RANK
    }


def test_every_package_has_a_layer() -> None:
    known = {*RANK, "", "web"}
    assert {part(module_name(path)) for path in FILES} <= known


def test_imports_point_downward() -> None:
    upward = {(here, there) for here, there in package_edges() if RANK[there] > RANK[here]}
    assert upward == set()


def test_packages_of_one_layer_import_each_other_in_no_circle() -> None:
    level = {(here, there) for here, there in package_edges() if RANK[here] == RANK[there] and here != there}
    while level:
        removable = {edge for edge in level if not any(here == edge[1] for here, _ in level)}
        assert removable, f"a circle among {sorted(level)}"
        level -= removable


def test_no_game_imports_another() -> None:
    for path in sorted((ROOT / "games").rglob("*.py")):
        own = module_name(path).split(".")[:3]
        if len(own) < 3:
            continue
        for target in imports(path):
            names = target.split(".")
            assert names[:2] != ["salient", "games"] or len(names) < 3 or names[:3] == own, f"{path.name}: {target}"


@pytest.mark.parametrize("package", ENGINE)
def test_engine_packages_import_the_standard_library_only(package: str) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        foreign = {target.split(".")[0] for target in imports(path)} - {"salient"} - sys.stdlib_module_names
        assert foreign == set(), path.name


@pytest.mark.parametrize("package", ENGINE)
def test_engine_packages_never_import_the_public_front(package: str) -> None:
    """`salient/__init__.py` gathers the engine's names, so the engine itself must name its own parts."""
    for path in sorted((ROOT / package).rglob("*.py")):
        assert "salient" not in set(imports(path)), path.name

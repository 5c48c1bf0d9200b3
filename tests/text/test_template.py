"""Templates and typography: the same cases through Python and through the client's code."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import salient
from salient.text.template import Filling, Listed, Name, Value, fill, parse
from salient.text.typography import typeset

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text("utf-8"))


def as_value(value: Any) -> Value:
    if isinstance(value, list):
        return Listed([Name.of(item) for item in value])
    return value if isinstance(value, int) else Name.of(value)


@pytest.mark.parametrize(("lang", "template", "args", "text"), CASES["fill"])
def test_places_are_filled(lang: str, template: str, args: dict[str, Any], text: str) -> None:
    assert fill(template, Filling({key: as_value(value) for key, value in args.items()}, lang)) == text


@pytest.mark.parametrize("template", CASES["malformed"])
def test_a_malformed_template_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match=r"brace|place|branch"):
        parse(template)


@pytest.mark.parametrize(("lang", "typed", "printed"), CASES["typeset"])
def test_signs_are_set(lang: str, typed: str, printed: str) -> None:
    assert typeset(typed, lang) == printed


def node() -> str:
    """The node that Playwright brings, or the one of the machine."""
    playwright = pytest.importorskip("playwright")
    bundled = Path(playwright.__file__).parent / "driver" / "node"
    return str(bundled) if bundled.exists() else shutil.which("node") or pytest.skip("no node")


def test_the_client_agrees(tmp_path: Path) -> None:
    """The client's formatter gives the same sentence in every case, and refuses what Python refuses."""
    web = Path(salient.__file__).parent / "web"
    (tmp_path / "template.mjs").write_text((web / "template.js").read_text("utf-8"), "utf-8")
    (tmp_path / "run.mjs").write_text((HERE / "run_cases.mjs").read_text("utf-8"), "utf-8")
    run = subprocess.run(
        [node(), tmp_path / "run.mjs", HERE / "cases.json"], capture_output=True, text=True, timeout=60
    )
    assert run.stdout.split("\n")[0] == f"same: {sum(len(cases) for cases in CASES.values())}", run.stdout + run.stderr

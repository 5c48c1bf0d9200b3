"""The mutations that `tools/mutate.py` tries: each still finds the text that it breaks."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tools" / "mutations").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_every_mutation_finds_its_text_once(file: Path) -> None:
    package = ROOT / "src" / "salient" / "games" / file.stem.replace("-", "_")
    stale = [
        (mutation["rule"], mutation["old"])
        for mutation in tomllib.loads(file.read_text("utf-8"))["mutation"]
        if (package / mutation["file"]).read_text("utf-8").count(mutation["old"]) != 1
    ]
    assert stale == []

"""The client's logic, tested by Node's own runner: choosing, the queue of updates, the camera, changes, orders."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from text.test_template import node

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "src/salient/web"
VERB_BY_NAME = re.compile(r"""verb\b\s*[!=]==?\s*["'`]|["'`]\s*[!=]==?\s*\w*\.?verb\b|\bhas\((\w+\.)?verb\)""")


@pytest.mark.parametrize("file", sorted(file.name for file in HERE.glob("*.test.js")))
def test_the_client(file: str) -> None:
    run = subprocess.run([node(), "--test", HERE / file], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# pass 0" not in run.stdout


def test_no_verb_is_known_by_name() -> None:
    """What an action ends and does is told by the server (`ends`, `role`); no word of a game is compared here."""
    lines = [(file.name, line) for file in WEB.glob("*.js") for line in file.read_text("utf-8").splitlines()]
    assert [(name, line) for name, line in lines if VERB_BY_NAME.search(line)] == []
    old = ['verb === "cancel"', "ASIDE.has(action.verb)", "ENDING.has(verb)", 'action.verb !== "select"']
    assert all(VERB_BY_NAME.search(line) for line in old)

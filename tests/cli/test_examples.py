"""Every example runs, and the tutorial shows the code that is there."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest

from cli.conftest import Run
from salient.lab.executors import Serial
from salient.lab.runner import open_journal, run_study
from salient.lab.study import read_study

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
TUTORIAL = (ROOT / "docs" / "TUTORIAL.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL)


@pytest.mark.parametrize("code", SHOWN)
def test_the_tutorial_shows_the_code_of_the_example(code: str) -> None:
    """Every piece stands in the files as it is printed."""
    assert any(code in path.read_text(encoding="utf-8") for path in (EXAMPLES / "tiny").glob("*.py"))


def test_the_tutorial_can_be_typed() -> None:
    """The session of the last step gives what it shows."""
    assert len(SHOWN) > 8
    (session,) = re.findall(r"```pycon\n(.*?)```", TUTORIAL, re.DOTALL)
    test = doctest.DocTestParser().get_doctest(session, {}, "tutorial", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_first_bot_speaks_the_protocol(run: Run) -> None:
    """The conformance test passes the example in Python."""
    result = run("protocol", "test", f"{sys.executable} {EXAMPLES / 'bots' / 'first.py'}")
    assert result.exit_code == 0, result.output


def test_the_first_study_runs(tmp_path: Path) -> None:
    """Four games as the data are, and four with the second wave later."""
    path = tmp_path / "first.toml"
    path.write_bytes((EXAMPLES / "study" / "first.toml").read_bytes())
    study = read_study(path)
    journal = open_journal(study)
    assert len(run_study(study, Serial(), journal)) == 8
    journal.close()


def test_the_first_correction_is_sound(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The overlay is named by `data diff` and passes the check of the map."""
    monkeypatch.setenv("SALIENT_DATA", str(EXAMPLES / "correction"))
    assert "Oosterbeek-Laag" in run("data", "diff", "target-arnhem").output

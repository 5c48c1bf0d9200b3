"""Break one rule at a time and see whether a test fails: `python tools/mutate.py target-arnhem [RULE...]`.

The mutations of a game are in tools/mutations/<game>.toml: a file of its package, a text in it, and what replaces it.
The tests of the rule's chapter run first, all others only if those pass. With rules only their mutations are tried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
NO_TESTS = 5  # pytest's exit code when no test was chosen


def passes(package: str, sandbox: Path, *which: str) -> bool:
    """Whether the tests of a game pass, all or those that are chosen."""
    options = ("-q", "-x", "-p", "no:cacheprovider", *which)
    tests = [sys.executable, "-m", "pytest", *options, str(ROOT / "tests" / "games" / package)]
    done = subprocess.run(tests, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(sandbox)}, capture_output=True)
    return done.returncode in (0, NO_TESTS)


def survives(game: str, mutation: dict[str, str], sandbox: Path) -> bool:
    """Whether all tests of the game still pass with the mutation."""
    package = game.replace("-", "_")
    file = sandbox / "salient" / "games" / package / mutation["file"]
    text = file.read_text(encoding="utf-8")
    if text.count(mutation["old"]) != 1:
        raise SystemExit(f"{mutation['rule']}: {mutation['old']!r} does not stand exactly once in {mutation['file']}.")
    file.write_text(text.replace(mutation["old"], mutation["new"]), encoding="utf-8")
    try:
        chapter = mutation["rule"].partition(".")[0]
        return passes(package, sandbox, "-k", f"test_{chapter}_ or test_{chapter:0>2}_") and passes(package, sandbox)
    finally:
        file.write_text(text, encoding="utf-8")


def main(game: str, *rules: str) -> int:
    """Try every mutation, or those of some rules; the exit code is the number of survivors."""
    mutations = tomllib.loads((ROOT / "tools" / "mutations" / f"{game}.toml").read_text(encoding="utf-8"))["mutation"]
    mutations = [mutation for mutation in mutations if not rules or mutation["rule"] in rules]
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Path(folder)
        shutil.copytree(ROOT / "src" / "salient", sandbox / "salient")
        for mutation in mutations:
            alive = survives(game, mutation, sandbox)
            survivors += alive
            print(f"{'SURVIVES' if alive else 'killed':8}  {mutation['rule']:5} {mutation['what']}", flush=True)
    print(f"{len(mutations) - survivors} of {len(mutations)} mutations killed")
    return survivors


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Programs as players: the examples keep the protocol, and what a bad one does is named."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from salient import bots
from salient.bots.outside import MOST_LINES, Outside, Program
from salient.games import game_ids, load
from salient.kernel import actor, candidates
from salient.lab.conformance import DECISIONS, examine

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
NODE = shutil.which("node") or compute_driver_executable()[0]
PYTHON_BOT = f"{sys.executable} {EXAMPLES / 'first.py'}"
NODE_BOT = f"{NODE} {EXAMPLES / 'first.mjs'}"

READY = """import sys, time
for line in sys.stdin:
    w = line.split()
    if w[:1] == ['salient']: print('ready', flush=True)
    if w[:1] == ['quit']: break
"""


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    return tmp_path / "bad.py"


def arnhem_player(command: str, seconds: float = 2.0) -> Outside:
    game = load("target-arnhem")
    return Outside(command, game, actor(game.new()), 1, seconds)


@pytest.mark.parametrize("command", [PYTHON_BOT, NODE_BOT], ids=["python", "javascript"])
def test_the_examples_keep_the_protocol(command: str) -> None:
    found = list(examine(command, ("target-arnhem",)))
    assert [finding.fault for finding in found] == [""] * 4
    assert found[0].what == f"plays target-arnhem: {DECISIONS} decisions of each seat"


@pytest.mark.parametrize("game", game_ids())
def test_a_program_plays_every_game(game: str) -> None:
    assert next(examine(PYTHON_BOT, (game,))).fault == ""


def test_the_program_is_shown_what_its_seat_may_see(tmp_path: Path) -> None:
    """It gets the position, the view if it wants it, and the legal list; it is told its seat."""
    log = tmp_path / "log"
    script = tmp_path / "bot.py"
    script.write_text(
        "import sys\n"
        f"log = open({str(log)!r}, 'w')\n"
        "for line in sys.stdin:\n"
        "    log.write(line); log.flush()\n"
        "    if line.startswith('salient'): print('name Spy', 'want view', 'ready', sep='\\n', flush=True)\n"
        "    if line.startswith('quit'): break\n"
        "    if line.startswith('legal'): first = next(sys.stdin)\n"
        "    if line.startswith('go'): print('best', first, flush=True)\n"
    )
    player = arnhem_player(f"{sys.executable} {script}")
    state = player.game.new()
    choice = player.choose(state)
    player.close()
    told = log.read_text()
    assert player.title == "Spy"
    assert choice.action == candidates(state)[0]
    for line in (
        "game target-arnhem\n",
        f"seat {player.seat}\n",
        "position target-arnhem\n",
        'view {"turn": 1',
        "go time 2000\n",
    ):
        assert line in told


def test_a_program_that_crashes_is_named_with_its_last_words(bad: Path) -> None:
    bad.write_text(READY + "    if w[:1] == ['go']: raise KeyError('no plan')\n")
    player = arnhem_player(f"{sys.executable} {bad}")
    with pytest.raises(bots.BotFault, match=r"bad.py ended by itself with code 1: KeyError: 'no plan'"):
        player.choose(player.game.new())
    player.close()


def test_a_program_that_hangs_is_ended(bad: Path) -> None:
    bad.write_text(READY + "    if w[:1] == ['go']: time.sleep(60)\n")
    player = arnhem_player(f"{sys.executable} {bad}", 0.3)
    with pytest.raises(bots.BotFault, match=r"bad.py gave no answer within 0.3 s"):
        player.choose(player.game.new())
    assert not player.program.close()
    assert player.program.process.returncode is not None


def test_an_illegal_answer_is_told(bad: Path) -> None:
    bad.write_text(READY + "    if w[:1] == ['go']: print('best attack Berlin', flush=True)\n")
    player = arnhem_player(f"{sys.executable} {bad}")
    with pytest.raises(bots.BotFault, match="answered “attack Berlin”, which is not legal here"):
        player.choose(player.game.new())
    player.close()


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(bots.BotFault, match=r"\./nobody cannot be started: nobody: No such file or directory"):
        arnhem_player("./nobody")


def test_a_flood_of_lines_does_not_fill_the_memory(bad: Path) -> None:
    bad.write_text("while True: print('info ' + 'x' * 1000)\n")
    program = Program(f"{sys.executable} {bad}")
    time.sleep(0.5)
    assert program.answers.qsize() == MOST_LINES
    assert not program.close()


def test_the_server_knows_no_commands() -> None:
    """`make` takes levels only: whoever names a level to the server cannot start a program."""
    game = load("target-arnhem")
    with pytest.raises(bots.Unreadable, match="There is no computer player “cmd:"):
        bots.make(f"cmd:{PYTHON_BOT}", game, game.seats[0])
    assert os.access(EXAMPLES / "first.py", os.X_OK)

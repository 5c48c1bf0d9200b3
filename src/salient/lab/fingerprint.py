"""Fingerprints: checksums of seeded games, so that a change of speed can be told from a change of rules.

A rules fingerprint covers every legal list of random games, a player's fingerprint its choices.
"""

from __future__ import annotations

import hashlib
import random

from salient import bots
from salient.kernel import CHANCE, AnyGame, actor, candidates, legal, step
from salient.lab.playouts import random_options


def rules_fingerprint(game: AnyGame, scenario: str, seed: int, plies: int) -> str:
    """The checksum of all legal lists in the first `plies` actions of one random game."""
    rng = random.Random(f"fingerprint {seed}")
    digest = hashlib.sha256()
    state = game.new(scenario, random_options(game, rng))
    for _ in range(plies):
        actions = legal(state)
        digest.update(repr(actions).encode())
        if not actions:
            break
        state = step(state, rng.choice(candidates(state)), trusted=True)
    return digest.hexdigest()[:16]


def player_fingerprint(game: AnyGame, scenario: str, level: str, seed: int, choices: int) -> str:
    """The checksum of the first choices that two players of a level make in one game."""
    rng = random.Random(f"fingerprint {seed}")
    players = {seat: bots.make(level, game, seat, seed) for seat in game.seats}
    digest = hashlib.sha256()
    state = game.new(scenario)
    made = 0
    while made < choices and legal(state):
        if actor(state) == CHANCE:
            action = rng.choice(legal(state))
        else:
            action = players[actor(state)].choose(state).action
            digest.update(game.write(action).encode())
            made += 1
        state = step(state, action, trusted=True)
    return digest.hexdigest()[:16]

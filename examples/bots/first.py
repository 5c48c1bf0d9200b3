#!/usr/bin/env python3
"""A computer player in a few lines of Python: attacks if it can, otherwise takes any legal action."""

import random
import sys


def main() -> None:
    legal: list[str] = []
    rng = random.Random(0)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "salient":
            answer("name First steps (Python)", "ready")
        elif word == "seed":
            rng.seed(int(rest))
        elif word in ("position", "legal"):
            block = [next(sys.stdin).strip() for _ in range(int(rest))]
            legal = block if word == "legal" else legal
        elif word == "go":
            attacks = [text for text in legal if text.startswith("attack")]
            answer(f"info {len(legal)} actions, {len(attacks)} attacks", f"best {rng.choice(attacks or legal)}")
        elif word == "quit":
            return


def answer(*lines: str) -> None:
    print("\n".join(lines), flush=True)


main()

"""Battle of the Bulge: what must hold after every action."""

from __future__ import annotations

from collections.abc import Iterator

from salient.common.checks import wrong_time
from salient.games.bulge.components import ALLIED, AXIS, COMBAT_KINDS, SIDES
from salient.games.bulge.model import STACK_LIMIT, BulgeState, count, fighting, has_stale_masks, present, stack_size
from salient.games.bulge.sequence import PHASES
from salient.hexes.masks import bits

MOVING = PHASES.names[PHASES.names.index("axis-movement") :]  # stacks may be above the limits [7.11, 9.6]


def broken_invariants(s: BulgeState) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    yield from wrong_time(s, s.tables.turns)
    if min(s.base) < 0 or min(s.totals) < 0:
        yield "there are fewer than no pieces off the board, or points"
    if has_stale_masks(s):
        yield "the hexes remembered are not those of the pieces"
    if s.control & ~s.ground.whole:
        yield "the front line runs around a partial hex [7.15]"
    if (present(s, AXIS) | present(s, ALLIED)) & ~s.ground.whole:
        yield "a piece stands in a partial hex [7.15]"
    if fighting(s, AXIS) & fighting(s, ALLIED):
        yield "combat units of both sides share a hex [7.7]"
    yield from _charts(s)
    yield from _moving(s)
    if not _is_moving(s):
        yield from _stacking(s)


def _charts(s: BulgeState) -> Iterator[str]:
    for f, pieces in enumerate(s.formations.pieces):
        if any(s.charts[f * 3 + kind] > pieces[kind] for kind in COMBAT_KINDS):
            yield f"{s.formations.ids[f]} has more pieces than its chart shows [8.1]"


def _is_moving(s: BulgeState) -> bool:
    """Whether stacks may be above the limits: from the movement phase until they are enforced [7.11, 9.6]."""
    return PHASES.stage(s, s.turn).phase in MOVING


def _moving(s: BulgeState) -> Iterator[str]:
    """What only a moving side has is gone when it has moved."""
    if not _is_moving(s) and (any(s.moved) or any(s.aboard) or s.activated or s.parked):
        yield "marks of movement outside the movement phase [8.8]"
    for i in range(s.ground.hexes) if any(s.moved) else ():
        for kind in range(4):
            moved = s.moved[kind * s.ground.hexes + i]
            if moved and moved > max(count(s, side, kind, i) for side in SIDES):
                yield f"more pieces have moved to {s.ground.board.labels[i]} than stand there [7.10]"


def _stacking(s: BulgeState) -> Iterator[str]:
    for side in SIDES:
        for h in bits(present(s, side)):
            if stack_size(s, side, h) > STACK_LIMIT or any(
                count(s, side, kind, h) > s.units.stack_limit[kind] for kind in COMBAT_KINDS
            ):
                yield f"too many units in {s.ground.board.labels[h]} [7.11]"

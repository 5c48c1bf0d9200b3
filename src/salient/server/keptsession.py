"""The session of a live game: the positions of the last plies at hand, the earlier ones on pages."""

from __future__ import annotations

from bisect import bisect_right

from salient.kernel import Session, State, step
from salient.server.pages import Pages

REMEMBERED_STATES = 16


class KeptSession(Session):
    """A session whose earlier positions lie on pages."""

    pages: Pages
    page_ends: list[int]
    recent: dict[int, State]  # the positions of the last plies

    def state_at(self, ply: int) -> State:
        """The position after the first `ply` actions, from the nearest one that is known."""
        if ply in self.recent:
            return self.recent[ply]
        known = max((at for at in self.snapshots if at <= ply), default=0)
        page = ([0, *self.page_ends])[bisect_right(self.page_ends, ply)]
        if page <= known:
            return super().state_at(ply)
        state = self.pages.state(page)
        for action in self.actions[page:ply]:
            state = step(state, action, trusted=True)
        return state

    def remember(self) -> None:
        """Keep the present position, and the last ones before it."""
        ply = len(self.actions)
        self.recent = {at: state for at, state in self.recent.items() if ply - REMEMBERED_STATES < at < ply}
        self.recent[ply] = self.state

    def forget(self, before: int) -> None:
        """Keep only positions since ply `before` in memory."""
        self.snapshots = {ply: state for ply, state in self.snapshots.items() if ply in (0, before) or ply > before}

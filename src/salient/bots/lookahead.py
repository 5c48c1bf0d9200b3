"""What an action leads to, once everything that it sets off has been decided.

An action may push further decisions: who joins an attack, the die, the losses of both sides, the advance. They lie on
the stack above the decision that is being made, so the look ahead ends where the stack has come back down, before the
sequence of play goes on. Dice are averaged exactly; each side is taken to decide for its own good, one decision at a
time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import NamedTuple

from salient.bots.chance import MOST_OUTCOMES
from salient.bots.clock import Clock
from salient.bots.opinion import Opinion, Parts
from salient.bots.player import leaves_phase
from salient.kernel import CHANCE, OVER, Action, ChanceFrame, State, actor, candidates, settle, step
from salient.kernel.messages import ignore_events
from salient.kernel.state import fields_of

MOST_LEAVES = 400
FEW_CHOICES = 2  # after a roll so few are all carried through
LONGEST_SEQUENCE = 12  # a decision that goes on, piece by piece, with so few choices is carried through


class Node(NamedTuple):
    """A position ahead, and whether all that the root decision set off was over before the play went on."""

    state: State
    over: bool


Branch = tuple[Action | None, Node]  # an action and what it leads to; None for a set that was named piece by piece


class Outlook(NamedTuple):
    """What a position is worth on average, what each feature adds to that, and the seat's next choices there.

    It holds no positions: thousands of them are remembered during one decision.
    """

    value: float
    parts: Parts
    line: tuple[Action, ...] = ()


Named = tuple[list[Action], Outlook]  # the pieces of a set and the action that commits them, and what comes of it


class Numbers:
    """Numbers positions by what sets them apart from one of them: that is looked at once for each."""

    def __init__(self, root: State) -> None:
        columns = [(slot, getattr(root, slot)) for slot in fields_of(root, "column")]
        self.columns = [(slot, then, bytes if isinstance(then, bytearray) else tuple) for slot, then in columns]
        self.others = attrgetter(*(slot for slot, field in root.FIELDS.items() if field.is_saved and not field.mutable))
        self.beneath = root.stack[:-1]
        self.known: dict[Hashable, int] = {}

    def number(self, state: State) -> int:
        """Equal for equal positions: columns that have not changed are left out, and what lies beneath."""
        changed = tuple(
            [None if (now := getattr(state, slot)) == then else frozen(now) for slot, then, frozen in self.columns]
        )
        depth = len(self.beneath)
        above = state.stack[depth:] if state.stack[:depth] == self.beneath else state.stack
        return self.known.setdefault((changed, self.others(state), above), len(self.known))


class Lookahead:
    """Looks ahead from one decision of a seat. What the same position leads to is found once.

    The judge is asked anew: it is seldom asked of the same position, and to recognize one takes as long as to judge it.
    """

    def __init__(self, opinion: Opinion, root: State) -> None:
        self.opinion = opinion
        self.game = opinion.game
        self.seat = opinion.seat
        self.root = root
        self.beneath = root.stack[:-1]
        self.numbers = Numbers(root)
        self.here = Node(root, False)
        self.known: dict[tuple[int, bool], tuple[Outlook, int]] = {}  # by number and `rolled`: with those judged
        self.judged = 0
        self.rolled = 0  # rolls behind which the position that is weighed lies

    # ---- the ground ---------------------------------------------------------------

    def after(self, state: State, action: Action) -> Node:
        """The position after an action; the play does not go on beyond what the root decision set off."""
        after = state.clone()
        after.stack[-1].apply(after, action, ignore_events)
        settle(after, floor=len(self.beneath))
        return Node(after, len(after.stack) <= len(self.beneath))

    def is_quiet(self, node: Node) -> bool:
        """Whether nothing is pending of what the root decision set off."""
        if node.over:
            return True
        state = node.state
        above = len(state.stack) - len(self.beneath)
        if above <= 0 or leaves_phase(self.root, state) or actor(state) == OVER:
            return True
        if above > 1 or type(state.stack[-1]) is not type(self.root.stack[-1]) or declares(self.root, state):
            return False
        return state.stack[-1] == self.root.stack[-1] or len(candidates(state)) > LONGEST_SEQUENCE

    def judge(self, node: Node) -> Outlook:
        """The evaluation of a position as it stands, with what is under way."""
        self.judged += 1
        return Outlook(*self.opinion.promises(node.state))

    # ---- looking ahead ------------------------------------------------------------

    def outlook(self, node: Node, number: int | None = None) -> Outlook:
        """What a position leads to; its number is found unless it is given."""
        if self.is_quiet(node) or self.judged > MOST_LEAVES:
            return self.judge(node)
        key = (self.numbers.number(node.state) if number is None else number, self.rolled > 0)
        if key in self.known:
            ahead, judged = self.known[key]
            if self.judged + judged <= MOST_LEAVES:
                self.judged += judged
                return ahead
        before = self.judged
        ahead = self._average(node) if actor(node.state) == CHANCE else self._decide(node.state)
        if self.judged <= MOST_LEAVES:
            self.known[key] = ahead, self.judged - before
        return ahead

    def _average(self, node: Node) -> Outlook:
        state = node.state
        roll = state.stack[-1]
        assert isinstance(roll, ChanceFrame)
        outcomes = roll.outcomes(state)
        if len(outcomes) > MOST_OUTCOMES:
            return self.judge(node)
        shares: dict[int, float] = {}
        nodes: dict[int, Node] = {}
        numbers: dict[Hashable, int] = {}  # by effect
        for action, chance in outcomes:
            effect = roll.effect(state, action)
            if effect not in numbers:
                after = self.after(state, action)
                numbers[effect] = self.numbers.number(after.state)
                nodes[numbers[effect]] = after
            shares[numbers[effect]] = shares.get(numbers[effect], 0.0) + float(chance)
        value = 0.0
        parts: Parts = {}
        self.rolled += 1
        for number, share in shares.items():
            ahead = self.outlook(nodes[number], number)
            value += share * ahead.value
            for key, part in ahead.parts.items():
                parts[key] = parts.get(key, 0.0) + share * part
        self.rolled -= 1
        return Outlook(value, parts)

    def _decide(self, state: State) -> Outlook:
        """The actor's best choice; a set that is named piece by piece is taken whole or not at all.

        Of points that are shared out, as many as possible go to one piece, whichever is best, and then to the next.
        """
        branches = self._branches(state)
        named = [(action, child) for action, child in branches if declares(state, child.state)]
        if named:
            branches = [(action, child) for action, child in branches if not declares(state, child.state)]
            firsts = named if can_repeat(*named[0]) else named[:1]
            branches += [(None, child) for _, first in firsts for child in self._all_named(first.state)]
        if len(branches) == 1:
            action, child = branches[0]
            ahead = self.outlook(child)
        else:
            best: Callable[..., tuple[Outlook, Branch]] = max if actor(state) == self.seat else min
            opened = self.rolled > 0 and len(branches) <= FEW_CHOICES
            glance = self.outlook if opened else self._glance
            glances = ((glance(branch[1]), branch) for branch in branches)
            ahead, (action, child) = best(glances, key=lambda pair: pair[0].value)
            if not opened and not self._is_final(child):
                ahead = self.outlook(child)
        mine = actor(state) == self.seat
        again = type(state.stack[-1]) is type(self.root.stack[-1])  # the same question will be weighed anew
        return ahead._replace(line=(action, *ahead.line) if action and mine and not again else ())

    def _branches(self, state: State) -> list[Branch]:
        return [(action, self.after(state, action)) for action in self.game.judge.candidates(state)]

    def _all_named(self, state: State) -> list[Node]:
        while True:
            children: list[Node] = []
            for action in self.game.judge.candidates(state):
                child = self.after(state, action)
                if declares(state, child.state):
                    state = child.state
                    break
                children.append(child)
            else:
                return children

    def _glance(self, node: Node) -> Outlook:
        """What a choice seems worth: a roll that follows at once is averaged, later decisions are left open."""
        return self.outlook(node) if self._is_final(node) else self.judge(node)

    def _is_final(self, node: Node) -> bool:
        return self.is_quiet(node) or (actor(node.state) == CHANCE and not self.game.judge.weighs_rolls)

    # ---- sets named piece by piece --------------------------------------------------

    def best_set(self, state: State, worth_keeping: float, clock: Clock) -> Named | None:
        """The pieces to name and the action that commits them; None if this is not such a decision.

        Begins with all pieces and leaves out, in order, each whose absence costs less than `worth_keeping`, as long as
        there is time.
        """
        actions = candidates(state)
        examples = {action[0]: action for action in actions}
        naming = {verb for verb, action in examples.items() if declares(state, step(state, action, trusted=True))}
        pieces = [action for action in actions if action[0] in naming]
        if not pieces or can_repeat(pieces[0], self.after(state, pieces[0])):
            return None
        self.opinion.weighted(state)  # what the judge counts here it need not count again ahead
        kept = Naming(state, actions, ())
        named = kept.with_all(pieces)
        best = self._commit(named)
        for i, piece in enumerate(pieces):
            if best and clock.is_over:
                break
            fewer = kept.with_all(pieces[i + 1 :]) if piece in named.pieces else named
            without = self._commit(fewer, best[0][-1] if best else None)
            if without and (best is None or self._is_enough(without, best, worth_keeping)):
                best, named = without, fewer
            else:
                kept = kept.with_all([piece])
        return best

    def _is_enough(self, found: Named, best: Named, worth_keeping: float) -> bool:
        """Whether a set is as good as the best one; one of fewer pieces may be a little worse."""
        fewer = len(found[0]) < len(best[0])
        return found[1].value >= best[1].value - (worth_keeping if fewer else 0.0)

    def _commit(self, named: Naming, wanted: Action | None = None) -> Named | None:
        """Commit the pieces named in the wanted way if that is legal, else in the best."""
        found = []
        for action in [wanted] if wanted in named.actions else named.actions:
            after = self.after(named.state, action)
            if not declares(named.state, after.state):
                found.append((action, self.outlook(after)))
        if not found:
            return None
        action, ahead = max(found, key=lambda pair: pair[1].value)
        return [*named.pieces, action], ahead


class Naming(NamedTuple):
    """A position in which some pieces have been named, and what can be done there."""

    state: State
    actions: list[Action]
    pieces: tuple[Action, ...]

    def with_all(self, more: list[Action]) -> Naming:
        """The same with more pieces, one after the other, of which those are left out that cannot be named then."""
        state, actions, pieces = self
        for piece in more:
            if piece in actions:
                state = step(state, piece, trusted=True)
                actions = candidates(state)
                pieces = (*pieces, piece)
        return Naming(state, actions, pieces)


def can_repeat(naming: Action | None, after: Node) -> bool:
    """Whether an action that named something can follow itself: points are shared out, no set is named."""
    return not after.over and naming in candidates(after.state)


def declares(before: State, after: State) -> bool:
    """Whether an action only named something: the same decision goes on and nothing has changed but the stack."""
    if before.stack[:-1] != after.stack[:-1] or type(before.stack[-1]) is not type(after.stack[-1]):
        return False
    return takes_in_hand(before, after)


def takes_in_hand(before: State, after: State) -> bool:
    """Whether an action has done nothing yet but say what the same actor decides about next."""
    if actor(before) != actor(after):
        return False
    return before.stands_as(after)

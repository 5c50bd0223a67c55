"""Whole turns with a drawn rhomb that are one button each: those that look best."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from engine.computer.tomtube.placing import Turn, whole_turns
from engine.game import Action
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PAIRS
from engine.tomtube.rules import apply, legal
from engine.tomtube.state import State
from engine.tomtube.view import TomTubeView
from render.i18n import N_, _
from render.renderer import Button, Row, rows_of
from render.tomtube.areas import AREAS, pair_of, pairs_of
from render.tomtube.layout import Layout
from render.tomtube.words import label

MAX_SUGGESTED = 5
"""Number of shortcuts, which are drawn on the board with their numbers."""

MAX_LAST_TURNS = 12
"""Number of turns of a rhomb at its place."""

LOOKED_AT = 30
"""Number of turns considered for the shortcuts."""

FILLED_SIGNS = {"tube": "▲", "blank": "△"}

HEADING = N_("Place it as drawn on the board:")
FILLING = N_("{tube}, {blank}: what it isolates gets your tube triangle, or a blank one")
SEVERAL = N_("{filling}, from left to right and from top to bottom")
LATER = N_("{filling}; without a sign you choose next")


def rows(view: TomTubeView, actions: Sequence[Action], where: Layout) -> tuple[Row, ...]:
    """Return the shortcuts among these placings by number; whole turns in the last step."""
    suggested = turns(view, actions)
    if not suggested:
        return _last_step(view, actions, where) if view.phase == "rhomb" else ()
    numbered = enumerate(suggested, 1)
    return _rows([_button(turn, str(number), where) for number, turn in numbered], _(HEADING))


def _last_step(view: TomTubeView, actions: Sequence[Action], where: Layout) -> tuple[Row, ...]:
    """Return the turns of a rhomb at its place with what they isolate; empty if it is nothing."""
    if len(pairs_of(actions)) > 1:
        return ()
    state = state_of(view)
    last_turns = list(islice(whole_turns(state, actions), MAX_LAST_TURNS))
    if not any(more for __, *more in last_turns):
        return ()
    last_turns.sort(key=lambda turn: actions.index(turn[0]))
    last_turns += [(action,) for action in actions if _isolates_several(state, action)]
    return _rows(
        [_button(turn, label(view, turn[0]), where) for turn in last_turns], "", is_last=True
    )


def _isolates_several(state: State, rhomb: Action) -> bool:
    """Return whether a rhomb isolates several triangles; whole turns may begin with one only."""
    after, _ = apply(state, rhomb)
    return after.phase == "fill" and len({filling.args for filling in legal(after)}) > 1


def _rows(buttons: Sequence[Button], heading: str, *, is_last: bool = False) -> tuple[Row, ...]:
    """Return buttons below a heading that explains the signs on them."""
    if fillings := [{action.verb for action in button.more} for button in buttons if button.more]:
        signs = _(FILLING).format(**FILLED_SIGNS)
        if any(len(verbs) > 1 for verbs in fillings):
            signs = _(SEVERAL).format(filling=signs)
        if is_last and len(fillings) < len(buttons):
            signs = _(LATER).format(filling=signs)
        heading = f"{heading}\n-# {signs}" if heading else f"-# {signs}"
    return rows_of(buttons, heading)


def _button(turn: Turn, words: str, where: Layout) -> Button:
    """Return a button with a sign of how isolated triangles are filled, or one for each."""
    first, *more = turn
    places = {filling: tuple(map(round, where.triangle(filling.args[0]))) for filling in more}
    verbs = [filling.verb for filling in sorted(more, key=places.__getitem__)]
    signs = "".join(map(FILLED_SIGNS.__getitem__, verbs if len({*verbs}) > 1 else verbs[:1]))
    return Button(first, words + signs, more=tuple(more))


def turns(view: TomTubeView, actions: Sequence[Action]) -> list[Turn]:
    """Return the shortcuts among places in several areas, the most promising first.

    They can be drawn together: no two cover a triangle.
    """
    if view.phase != "rhomb" or len({AREAS[pair] for pair in pairs_of(actions)}) < len("AB"):
        return []
    covered: set[int] = set()
    suggested: list[Turn] = []
    for turn in _turns(view, LOOKED_AT):
        triangles = set(PAIRS[pair_of(turn[0])])
        if covered.isdisjoint(triangles):
            covered |= triangles
            suggested.append(turn)
    return suggested[:MAX_SUGGESTED]


@lru_cache(maxsize=64)
def _turns(view: TomTubeView, count: int) -> tuple[Turn, ...]:
    """Return the turns that look best; it takes 30 ms, and up to 130."""
    return tuple(islice(whole_turns(state_of(view), view.legal), count))

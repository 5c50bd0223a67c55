"""Whole turns with a drawn rhomb that are one button each: those that look best.

Finding them takes long. Until then the nearest places have a button each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import islice

from engine.computer.tomtube.placing import Turn, whole_turns
from engine.game import Action
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PAIRS
from engine.tomtube.rules import apply, legal
from engine.tomtube.state import State
from engine.tomtube.view import TomTubeView
from render.i18n import N_, _
from render.renderer import Button, Row, Shortcuts, rows_of
from render.tomtube.areas import pair_of, pairs_of
from render.tomtube.buttons import MAX_PLACES
from render.tomtube.layout import Layout
from render.tomtube.words import distance_from_astronaut, label

PAGES = (9, 9)
"""Number of placings on each page, which are drawn on one picture."""

MAX_FILLINGS = 2
"""Number of turns with a placing, which differ in how isolated triangles are filled."""

MAX_LAST_TURNS = 12
"""Number of turns of a rhomb at its place."""

FILLED_SIGNS = {"tube": "▲", "blank": "△"}

HEADING = N_("Choose a place on the picture:")
FILLING = N_("This cuts off a triangle: {tube} fills it with tubes, {blank} leaves it blank")
SEVERAL = N_("{filling}, from left to right and from top to bottom")
LATER = N_("{filling}; without a sign you choose next")


def shortcuts(view: TomTubeView, actions: Sequence[Action], where: Layout, page: int) -> Shortcuts:
    """Return the turns that look best, numbered, or those at a place.

    In an area, the picture has the names of all places instead, and so has the second page if
    there are too few places for areas.
    """
    places = len(pairs_of(actions))
    if view.phase != "rhomb" or places == 1:
        return Shortcuts(_last_step(view, actions, where) if places else ())
    return _numbered(view, actions, where, page, _turns)


def nearest(view: TomTubeView, actions: Sequence[Action], where: Layout, page: int) -> Shortcuts:
    """Return the nearest places, numbered, where `shortcuts` numbers those that look best.

    It takes 0.3 ms. What a rhomb isolates is chosen afterwards.
    """
    if view.phase != "rhomb" or len(pairs_of(actions)) == 1:
        return Shortcuts()
    return _numbered(view, actions, where, page, _nearest_turns)


def _numbered(
    view: TomTubeView,
    actions: Sequence[Action],
    where: Layout,
    page: int,
    turns_of: Callable[[TomTubeView], Sequence[Turn]],
) -> Shortcuts:
    """Return the first turns as numbered places; nothing beside the names of all places."""
    if len(actions) < len(view.legal) or (page and len(pairs_of(actions)) <= MAX_PLACES):
        return Shortcuts()
    turns = turns_of(view)
    best = _placings(turns, page)
    fillings: dict[Action, list[Turn]] = {action: [] for action in best}
    for turn in turns:
        if turn[0] in fillings:
            fillings[turn[0]].append(turn)
    buttons = [
        _button(turn, str(number), where)
        for number, action in enumerate(best, 1)
        for turn in fillings[action][:MAX_FILLINGS]
    ]
    return Shortcuts(_rows(buttons, _(HEADING)), tuple(best))


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


def _placings(turns: Iterable[Turn], page: int) -> list[Action]:
    """Return the placings on a page: the first ones that do not overlap."""
    rest = list(dict.fromkeys(turn[0] for turn in turns))
    for size in PAGES[: page + 1]:
        best: list[Action] = []
        covered: set[int] = set()
        for action in rest:
            triangles = {*PAIRS[pair_of(action)]}
            if not covered & triangles and len(best) < size:
                best.append(action)
                covered |= triangles
        rest = [action for action in rest if action not in best]
    return best


@lru_cache(maxsize=64)
def _turns(view: TomTubeView) -> tuple[Turn, ...]:
    """Return all turns, the best first; it takes 30 ms, and up to 130."""
    return tuple(whole_turns(state_of(view), view.legal))


def _nearest_turns(view: TomTubeView) -> list[Turn]:
    """Return all placings, the nearest to the player's astronaut first."""
    placings = sorted(view.legal, key=partial(distance_from_astronaut, view))
    return [(action,) for action in placings]

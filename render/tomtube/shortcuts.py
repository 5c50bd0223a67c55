"""Whole turns with a drawn rhomb that are one button each: those that look best."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from engine.computer.tomtube.placing import Turn, whole_turns
from engine.game import Action
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PLACE_INDEX, PLACE_NAMES
from engine.tomtube.rules import apply, legal
from engine.tomtube.state import State
from engine.tomtube.view import Rhomb, TomTubeView
from render.i18n import N_, _
from render.renderer import Button, Row, rows_of
from render.tomtube.areas import AREAS, PAIR_NAMES, SIDE_NAMES, pair_of, pairs_of
from render.tomtube.buttons import MAX_PLACES
from render.tomtube.layout import Layout
from render.tomtube.words import label, tubes

MAX_TURNS, MAX_AREA_TURNS = 15, 6
"""Number of shortcuts on the whole board, and of others in an area."""

MAX_LAST_TURNS = 12
"""Number of turns of a rhomb at its place."""

MAX_BUTTONS = 21
"""Number of shortcuts, areas and places in a message, which has at most 40 components."""

LOOKED_AT = 72
"""Number of turns considered for the shortcuts of areas."""

FILLED_SIGNS = {"tube": "▲", "blank": "△"}

HEADING = N_("Place, and where your tube leads:")
OTHER_HEADING = N_("Place, and where {name}'s tube leads (yours is the same both ways):")
FILLING = N_("{tube}, {blank}: what it isolates gets your tube triangle, or a blank one")
SEVERAL = N_("{filling}, from left to right and from top to bottom")
LATER = N_("{filling}; without a sign you choose next")


def rows(view: TomTubeView, actions: Sequence[Action], where: Layout) -> tuple[Row, ...]:
    """Return the shortcuts among these placings, by place; whole turns in the last step."""
    sorted_turns = sorted(turns(view, actions), key=lambda turn: PAIR_NAMES[pair_of(turn[0])])
    if not sorted_turns:
        return _last_step(view, actions, where) if view.phase == "rhomb" else ()
    seat = _distinguishing_seat(view, sorted_turns[0][0])
    heading = _(HEADING) if seat == view.seat else _(OTHER_HEADING).format(name=SIDE_NAMES[seat])
    return _rows(
        [_button(turn, _label(view, turn[0], seat), where) for turn in sorted_turns], heading
    )


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
    """Return the shortcuts among these placings, the most promising first."""
    places = pairs_of(actions)
    if view.phase != "rhomb" or len(places) < len("AB"):
        return []
    areas = {AREAS[pair] for pair in places}
    if len(areas) > 1:
        steps = len(areas) if len(places) > MAX_PLACES else len(places)
        return list(_turns(view, MAX_TURNS)[: MAX_BUTTONS - steps])
    inside, room = set(actions), max(0, MAX_BUTTONS - len(places))
    others = [turn for turn in _turns(view, LOOKED_AT)[MAX_TURNS:] if turn[0] in inside]
    return others[: min(MAX_AREA_TURNS, room)]


@lru_cache(maxsize=64)
def _turns(view: TomTubeView, count: int) -> tuple[Turn, ...]:
    """Return the turns that look best; it takes 30 ms, and up to 130."""
    return tuple(islice(whole_turns(state_of(view), view.legal), count))


def _distinguishing_seat(view: TomTubeView, rhomb: Action) -> str:
    """Return the seat whose tube distinguishes both turns of a rhomb, if possible the actor."""
    place = PLACE_INDEX[rhomb.args[0]]
    turned = rhomb._replace(args=(PLACE_NAMES[place ^ 1],))
    ends = {frozenset(_ends(view, placing, rhomb.actor).split("-")) for placing in (rhomb, turned)}
    return (
        rhomb.actor if len(ends) > 1 else next(name for name in SIDE_NAMES if name != rhomb.actor)
    )


def _label(view: TomTubeView, rhomb: Action, seat: str) -> str:
    """Return the place of a rhomb, and where a seat's tube leads: not its tips, as elsewhere."""
    return f"{PAIR_NAMES[pair_of(rhomb)]} → {_ends(view, rhomb, seat)}"


def _ends(view: TomTubeView, rhomb: Action, seat: str) -> str:
    """Return the ends of a seat's tube."""
    return tubes(Rhomb(rhomb.args[0], view.drawn))[[*SIDE_NAMES].index(seat)]

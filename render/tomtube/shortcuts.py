"""Whole turns with a drawn rhomb that are one button each: those that look best, numbered.

Finding them takes long. Until then the nearest places have a button each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from render.renderer import (
    BUTTONS_PER_ROW,
    NUMBERS_PER_ROW,
    TEXT_VARIATION,
    Button,
    Row,
    Shortcuts,
    rows_of,
)
from render.tomtube.areas import SIDE_NAMES, pair_of, pairs_of
from render.tomtube.drawn_rhomb import TURNED
from render.tomtube.layout import Layout
from render.tomtube.own_tubes import joins, own_ends
from render.tomtube.words import distance_from_astronaut, label

MAX_TURNS, MAX_AREA_TURNS = 17, 15
"""Number of turns of the whole board and of an area: a message has room for as many."""

MAX_GHOSTS = 8
"""Number of placings that are drawn for them."""

MAX_LAST_TURNS = 12
"""Number of turns of a rhomb at its place."""

FILLED_SIGNS = {"tube": "▲", "blank": "△"}

HEADING = N_(
    "You play {side}; rings mark your gates. Choose a number on the picture, or below it more "
    "places:"
)
HEADING_WITH_TURNS = N_(
    "You play {side}; rings mark your gates. Choose a number on the picture ({turned}: the tile "
    "lies the other way around, as at its top left), or below it more places:"
)
FILLING = N_("This cuts off a triangle: {tube} fills it with tubes, {blank} leaves it blank.")
SEVERAL = N_(
    "This cuts off triangles, from left to right: {tube} gets tubes, {blank} stays blank; "
    "one sign is for all."
)
LATER = N_("Without a sign, you choose next.")


def shortcuts(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return the turns that look best, numbered, or those at a place.

    Of an area, they are others than those of the whole board.
    """
    places = len(pairs_of(actions))
    if view.phase != "rhomb" or places == 1:
        return Shortcuts(_last_step(view, actions, where) if places else ())
    return _numbered(_first_of(view, actions, _turns(view)), where)


def nearest(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return the nearest places, numbered, where `shortcuts` numbers those that look best.

    It takes 0.3 ms. What a rhomb isolates is chosen afterwards.
    """
    if view.phase != "rhomb" or len(pairs_of(actions)) == 1:
        return Shortcuts()
    return _numbered(_first_of(view, actions, _nearest_turns(view)), where)


def _first_of(view: TomTubeView, actions: Sequence[Action], turns: Sequence[Turn]) -> list[Turn]:
    """Return a page of turns; if they are those of an area, others than the whole board has."""
    first = page(turns)
    if len(actions) == len(view.legal):
        return first
    inside = {*actions} - {turn[0] for turn in first}
    return page([turn for turn in turns if turn[0] in inside], MAX_AREA_TURNS)


def page(turns: Iterable[Turn], most: int = MAX_TURNS) -> list[Turn]:
    """Return the first `most` of these turns that can be drawn together, in the same order.

    No rhomb overlaps one before it; on both triangles of one before it, it is the same one, turned
    around.
    """
    pairs: set[int] = set()
    covered: set[int] = set()
    fitting: list[Turn] = []
    for turn in turns:
        pair = pair_of(turn[0])
        if pair not in pairs:
            if len(pairs) == MAX_GHOSTS or not covered.isdisjoint(PAIRS[pair]):
                continue
            pairs.add(pair)
            covered.update(PAIRS[pair])
        fitting.append(turn)
        if len(fitting) == most:
            break
    return fitting


def _numbered(turns: Sequence[Turn], where: Layout) -> Shortcuts:
    """Return the buttons of turns below the numbers of their rhombs, which are ghosts."""
    places: dict[int, list[Turn]] = {}
    for turn in turns:
        places.setdefault(pair_of(turn[0]), []).append(turn)
    ghosts = tuple(ways[0][0] for ways in places.values())
    buttons = [
        _button(turn, f"{number}{'' if turn[0] == ghost else _TURNED_LABEL}", where)
        for number, (ghost, ways) in enumerate(zip(ghosts, places.values(), strict=True), 1)
        for turn in sorted(ways, key=lambda turn: turn[0] != ghost)
    ]
    is_turned = any(_TURNED_LABEL in button.label for button in buttons)
    heading = _(HEADING_WITH_TURNS if is_turned else HEADING)
    heading = heading.format(turned=TURNED, side=SIDE_NAMES[turns[0][0].actor])
    return Shortcuts(_rows(buttons, heading, NUMBERS_PER_ROW), ghosts)


_TURNED_LABEL = f" {TURNED}{TEXT_VARIATION}"


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
    buttons = [_button(turn, label(view, turn[0]), where) for turn in last_turns]
    return _rows(buttons, "", BUTTONS_PER_ROW)


def _isolates_several(state: State, rhomb: Action) -> bool:
    """Return whether a rhomb isolates several triangles; whole turns may begin with one only."""
    after, _ = apply(state, rhomb)
    return after.phase == "fill" and len({filling.args for filling in legal(after)}) > 1


def _rows(buttons: Sequence[Button], heading: str, most: int) -> tuple[Row, ...]:
    """Return buttons below a heading that explains the signs on them, at most `most` in a row."""
    fillings = [{action.verb for action in button.more} for button in buttons if button.more]
    lines = [heading] if heading else []
    if fillings:
        signs = SEVERAL if any(len(verbs) > 1 for verbs in fillings) else FILLING
        lines.append(f"-# {_(signs).format(**FILLED_SIGNS)}")
        if not heading and len(fillings) < len(buttons):
            lines[-1] += f" {_(LATER)}"
    return rows_of(buttons, "\n".join(lines), most=most)


def _button(turn: Turn, words: str, where: Layout) -> Button:
    """Return a button with a sign of how isolated triangles are filled, or one for each."""
    first, *more = turn
    places = {filling: tuple(map(round, where.triangle(filling.args[0]))) for filling in more}
    verbs = [filling.verb for filling in sorted(more, key=places.__getitem__)]
    signs = "".join(map(FILLED_SIGNS.__getitem__, verbs if len({*verbs}) > 1 else verbs[:1]))
    return Button(first, words + signs, more=tuple(more))


@lru_cache(maxsize=64)
def _turns(view: TomTubeView) -> tuple[Turn, ...]:
    """Return all turns, the best first, then those that join the player's gates or tubes.

    It takes 30 ms, and up to 130.
    """
    best, *others = whole_turns(state_of(view), view.legal)
    ends = own_ends(view)
    return (best, *sorted(others, key=lambda turn: not joins(view.drawn, turn[0], ends)))


def _nearest_turns(view: TomTubeView) -> list[Turn]:
    """Return all placings, the nearest to the player's astronaut first."""
    placings = sorted(view.legal, key=partial(distance_from_astronaut, view))
    return [(action,) for action in placings]

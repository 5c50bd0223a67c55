"""Whole turns with a drawn rhomb that are one button each: those that look best, numbered.

Finding them takes long. Until then the nearest places have a button each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from math import ceil

from engine.computer.tomtube.placing import Turn, turns_of, whole_turns
from engine.game import Action
from engine.tomtube.drifting import unfinished_knots
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PAIRS
from engine.tomtube.view import TomTubeView
from render.i18n import N_, _
from render.renderer import NUMBERS_PER_ROW, Button, Group, Row, Shortcuts, rows_of
from render.tomtube.areas import from_left, pair_of, pairs_of, triangle_of, turn_of
from render.tomtube.buttons import MAX_GHOSTS, MAX_TURNS, NOTED_TURNS, groups
from render.tomtube.cut_off import completes, isolated
from render.tomtube.layout import Layout
from render.tomtube.own_tubes import joins, own_ends
from render.tomtube.words import distance_from_astronaut, drawn_label, filled_later, filled_with

ROOM = 28
"""Number of components for numbers and sections, below their two headings: a player's board has
them."""

MAX_FILLED = 3
"""Maximum number of numbered turns that fill triangles: more need a second screen of a phone."""

PLAYER = {
    "T": N_("-# You're Tom, orange. Rings: your gates."),
    "D": N_("-# You're Dave, red. Rings: your gates."),
}
NUMBER = N_("Choose a number on the picture:")
CUT_OFF = N_("-# Small letters: triangles cut off, to fill with tubes or a blank.")
OTHERS = N_("-# Other places, by how it lies:")
BY_SIDES = N_("-# Other places, by how it lies and side:")
"""Texts beside the picture, short enough for one screen of a phone with it: only that of letters
has two lines there."""


def shortcuts(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return the turns that look best, numbered, and of a section all turns.

    Of the ways to fill what a place isolates, only the best one is beside its number, and that only
    at the best places.
    """
    if view.phase == "rhomb" and (sections := groups(view, actions, where)):
        best = _best_fillings(view, _turns(view))
        turns = page(best, _room_beside(sections), most_filled=MAX_FILLED)
        return _numbered(view, turns, sections)
    return _every_turn(view, actions, where)


def _best_fillings(view: TomTubeView, turns: Iterable[Turn]) -> Iterator[Turn]:
    """Yield each placing once, and if it isolates triangles, once more with the best filling.

    The other ways to fill them are the next step. None is offered that leaves one to the opponent.
    """
    placings: set[Action] = set()
    for turn in turns:
        placing, *more = turn
        if placing not in placings:
            placings.add(placing)
            yield (placing,)
            if more and len(more) == len(isolated(view, placing)):
                yield turn


def nearest(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return the nearest places, numbered, where `shortcuts` numbers those that look best.

    It takes 3 ms. What these rhombs isolate is chosen afterwards.
    """
    if view.phase == "rhomb" and (sections := groups(view, actions, where)):
        turns = page(_nearest_turns(view), _room_beside(sections))
        return _numbered(view, turns, sections)
    return _every_turn(view, actions, where)


def _room_beside(sections: Sequence[Group]) -> int:
    """Return the number of turns for which there is room, four in a row, beside sections."""
    room = ROOM - len(sections) - ceil(len(sections) / NUMBERS_PER_ROW)
    return min(MAX_TURNS, room * (NUMBERS_PER_ROW - 1) // NUMBERS_PER_ROW)


def page(
    turns: Iterable[Turn], most: int = MAX_TURNS, *, most_filled: int = MAX_TURNS
) -> list[Turn]:
    """Return the first `most` of these turns that can be drawn together, in the same order.

    No rhomb overlaps one before it; on both triangles of one before it, it is the same one. At most
    `most_filled` of them fill triangles.
    """
    filled = 0
    placings: dict[int, Action] = {}
    covered: set[int] = set()
    fitting: list[Turn] = []
    for turn in turns:
        pair = pair_of(turn[0])
        if pair not in placings:
            if len(placings) == MAX_GHOSTS or not covered.isdisjoint(PAIRS[pair]):
                continue
            placings[pair] = turn[0]
            covered.update(PAIRS[pair])
        if placings[pair] == turn[0] and (len(turn) == 1 or filled < most_filled):
            filled += len(turn) > 1
            fitting.append(turn)
        if len(fitting) == most:
            break
    return fitting


def _every_turn(view: TomTubeView, actions: Sequence[Action], where: Layout) -> Shortcuts:
    """Return all turns with these placings, numbered as one reads.

    At the only place the numbers are those of the ways in which the rhomb lies there, and there are
    no ghosts: the picture of that place has both.
    """
    if view.phase != "rhomb":
        return Shortcuts()
    state = state_of(view)
    if len(pairs_of(view.legal)) == 1:
        turns = [turn for action in actions for turn in turns_of(state, action)]
        if len(turns) == 1:
            ((placing, *more),) = turns
            button = Button(placing, drawn_label(view, placing), more=tuple(more))
            return Shortcuts(rows_of([button]))
        return Shortcuts(_rows(view, [(f"{turn_of(turn[0])}", turn) for turn in turns]))
    ordered = sorted(actions, key=partial(_reading_order, where))
    return _numbered(view, [turn for action in ordered for turn in turns_of(state, action)])


def _reading_order(where: Layout, action: Action) -> tuple[int, int]:
    x, y = where.place(action.args[0])
    return round(y), round(x)


def _numbered(
    view: TomTubeView, turns: Sequence[Turn], sections: Sequence[Group] = ()
) -> Shortcuts:
    """Return the buttons of turns with the numbers of their rhombs, which are ghosts.

    Those of one number are side by side. Below them is a line about the sections.
    """
    ghosts = (*dict.fromkeys(turn[0] for turn in turns),)
    ordered = sorted(turns, key=lambda turn: ghosts.index(turn[0]))
    numbered = [(f"{ghosts.index(turn[0]) + 1}", turn) for turn in ordered]
    rows = _rows(view, numbered)
    if sections:
        by_sides = any(section.label[1:] for section in sections)
        rows += (Row(_(BY_SIDES if by_sides else OTHERS), ()),)
    return Shortcuts(rows, ghosts)


def _rows(view: TomTubeView, turns: Sequence[tuple[str, Turn]]) -> tuple[Row, ...]:
    """Return buttons of turns with their numbers, below a heading.

    It explains letters if there are any. In the first turns it says whose tubes are the player's.
    """
    heading = _(NUMBER)
    if view.turn <= NOTED_TURNS:
        heading = f"{_(PLAYER[view.seat])}\n{heading}"
    if any(isolated(view, turn[0]) for _number, turn in turns):
        heading = f"{heading}\n{_(CUT_OFF)}"
    buttons = [_button(view, turn, number) for number, turn in turns]
    return rows_of(buttons, heading, most=NUMBERS_PER_ROW)


def _button(view: TomTubeView, turn: Turn, number: str) -> Button:
    """Return a button with the letters of the triangles that a turn fills, by what fills them.

    If it fills none of those that it cuts off, it says that they are filled later.
    """
    placing, *more = turn
    ordered = sorted(more, key=lambda filling: from_left(triangle_of(filling.args[0])))
    filled = filled_with(view, ordered) if ordered else filled_later(view, placing)
    return Button(placing, f"{number} {filled}".strip(), more=tuple(ordered))


@lru_cache(maxsize=64)
def _turns(view: TomTubeView) -> tuple[Turn, ...]:
    """Return all turns: the best, then those that complete knots to which the player's tubes lead.

    After these come those that join the player's gates or tubes. It takes 30 ms, and up to 130.
    """
    state = state_of(view)
    best, *others = whole_turns(state, view.legal)
    ends, knots = own_ends(view), unfinished_knots(state, view.seat)

    def rank(turn: Turn) -> tuple[bool, bool]:
        return not completes(view, turn[0], knots), not joins(view.drawn, turn[0], ends)

    return (best, *sorted(others, key=rank))


def _nearest_turns(view: TomTubeView) -> list[Turn]:
    """Return all placings, the nearest to the player's astronaut first."""
    placings = sorted(view.legal, key=partial(distance_from_astronaut, view))
    return [(action,) for action in placings]

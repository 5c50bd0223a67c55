"""Buttons of Tom Tube: moves below their kind; for a rhomb the way it lies, then the place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from engine.game import Action
from engine.tomtube.drifting import unfinished_knots
from engine.tomtube.homeward import is_in_the_way
from engine.tomtube.knowledge import state_of
from engine.tomtube.lattice import PAIRS
from engine.tomtube.view import TomTubeView
from render.i18n import _, format_list, ngettext
from render.renderer import Button, Group, Row, minor_rows_of, rows_of
from render.tomtube.areas import SIDE_NAMES, pair_of, pairs_of
from render.tomtube.layout import Layout
from render.tomtube.sections import count_turns, sections
from render.tomtube.terms import place_name
from render.tomtube.words import (
    distance_from_astronaut,
    gain,
    label,
    leads_home,
    mark,
    short_label,
)

MAX_TURNS, MAX_GHOSTS = 17, 8
"""Maximum number of turns that are numbered on the whole board, and of their places."""


def groups(view: TomTubeView, actions: Sequence[Action], where: Layout) -> tuple[Group, ...]:
    """Group placings by the way the rhomb lies.

    It is empty if all can be numbered on one picture, or are at one place.
    """
    placings = [action for action in actions if action.verb == "rhomb"]
    if len(pairs_of(placings)) == 1 or _fit_together(view, placings):
        return ()
    lying = sections(view, placings, where)
    return lying if len(lying) > 1 else ()


def _fit_together(view: TomTubeView, placings: Sequence[Action]) -> bool:
    """Return whether rhombs do not overlap, and are few enough for numbers."""
    triangles = [triangle for placing in placings for triangle in PAIRS[pair_of(placing)]]
    return (
        len(placings) <= MAX_GHOSTS
        and len({*triangles}) == len(triangles)
        and sum(count_turns(view, action) for action in placings) <= MAX_TURNS
    )


MAX_MOVES = 12
"""Maximum number of moves that are shown at once; more are a step further."""

NOTED_TURNS, MAX_UNFINISHED = 20, 3
"""Last turn that says whose tubes are whose, and the maximum number of unfinished knots named."""

MOVES = ("drift", "jump", "control")
FILLINGS = ("tube", "blank", "pass")

MAX_GAIN = 100
"""More points than a move can gain: the way home comes first."""


def rows(view: TomTubeView, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice: what a move gains first, then the nearest places.

    Ways to fill triangles are in the order of the letters, tubes before blank ones.
    Many moves of the kind that costs most are one button. So are jumps to where a drift is free,
    unless these are the only choices: then those come last.
    """
    moves = at_first_sight(actions)
    wasteful = any(action.verb == "jump" for action in _wasteful(actions))
    others = [action for action in actions if action.verb not in MOVES]
    if all(action.verb in FILLINGS for action in others):
        others.sort(key=lambda action: (mark(view, action), FILLINGS.index(action.verb)))
    first = [Button(action, label(view, action)) for action in others]
    lines: list[Row] = []
    needless = _needless(view, actions)
    for verb in MOVES:
        kind = [action for action in moves if action.verb == verb]
        kind.sort(key=lambda move: (move in needless, _gain_first(view, move)))
        for is_needless, group in groupby(kind, needless.__contains__):
            buttons = [Button(move, short_label(view, move)) for move in group]
            heading = label(view, Action(view.seat, verb))
            lines += rows_of(buttons, f"{heading}\n{_why_needless()}" if is_needless else heading)
        if not kind and verb == "control" and any(action.verb == verb for action in actions):
            first.append(Button(Action(view.seat, verb), _("Pay control and drift …")))
    lines += rows_of(first)
    more = Button(Action(view.seat, "jump"), _("Jumps that gain nothing …"))
    notes = [_unfinished(view, actions), _occupied(view, actions)]
    if lines and any(notes):
        heading = "\n".join(filter(None, (lines[0].heading, *notes)))
        lines[0] = lines[0]._replace(heading=heading)
    return (*lines, *minor_rows_of([more] if wasteful else []))


def _needless(view: TomTubeView, actions: Sequence[Action]) -> set[Action]:
    """Return the needless jumps that are listed after the others, if all choices are jumps."""
    return _wasteful(view.legal) if {action.verb for action in actions} == {"jump"} else set()


def _why_needless() -> str:
    return _(
        "-# Where a drift is free, a jump gains nothing: it only costs an energy counter, a point."
    )


def _occupied(view: TomTubeView, actions: Sequence[Action]) -> str:
    """Return in a line where the other astronaut is, if a move would end there otherwise."""
    if not any(action.verb in ("build", *MOVES) for action in actions):
        return ""
    if not is_in_the_way(state_of(view), view.seat):
        return ""
    other = next(astronaut for astronaut in view.astronauts if astronaut.seat != view.seat)
    words = _("-# {name} is on {place}: you can't end there or pass.")
    return words.format(name=SIDE_NAMES[other.seat], place=place_name(other.place))


def _unfinished(view: TomTubeView, actions: Sequence[Action]) -> str:
    """Return in a line where the player's tubes lead but no drift."""
    if not any(action.verb in ("build", "drift") for action in actions):
        return ""
    knots = unfinished_knots(state_of(view), view.seat)[:MAX_UNFINISHED]
    words = ngettext(
        "-# A tube of yours leads to {knots}, but this knot is unfinished (⊘): tiles must lie all "
        "around it before you can go there.",
        "-# Tubes of yours lead to {knots}, but these knots are unfinished (⊘): tiles must lie "
        "all around them before you can go there.",
        len(knots),
    )
    return words.format(knots=format_list([place_name(knot) for knot in knots])) if knots else ""


def at_first_sight(actions: Sequence[Action]) -> list[Action]:
    """Return the moves that have a button of their own beside all other choices."""
    wasteful = _wasteful(actions)
    moves = [action for action in actions if action.verb in MOVES and action not in wasteful]
    if len(moves) > MAX_MOVES and len({action.verb for action in actions}) > 1:
        return [action for action in moves if action.verb != "control"]
    return moves


def _wasteful(actions: Sequence[Action]) -> set[Action]:
    """Return the jumps to where a drift is free."""
    free = {action.args for action in actions if action.verb == "drift"}
    return {action for action in actions if action.verb == "jump" and action.args in free}


def _gain_first(view: TomTubeView, action: Action) -> tuple[int, float]:
    """Return a key that sorts moves: the way home, then the most points, then the nearest."""
    gained = MAX_GAIN if leads_home(view, action) else gain(view, action)
    return -gained, distance_from_astronaut(view, action)

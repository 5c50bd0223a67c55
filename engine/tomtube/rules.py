"""Legal actions of Tom Tube and their effects (T3–T5).

Read from `apply` downwards. An action changes a draft of the position, by functions of building.py
and moving.py. After a turn the rules of the end are checked, and the next turn begins. The phase of
the draft says which decision is pending.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.dispatch import Handler, TurnRules, dispatch, wrong_actor
from engine.endings import apply_ending, is_ending, story_events
from engine.game import CHANCE, Action, Event, IllegalActionError
from engine.tomtube import building, moving
from engine.tomtube.homeward import is_stranded
from engine.tomtube.lattice import BASES, CENTRES, KNOT_NAMES, PLACE_NAMES, TRIANGLE_NAMES
from engine.tomtube.state import NONE, Draft, State
from engine.tomtube.tables import KINDS, MAX_QUIET_TURNS, POINTS, SEATS, SOLAR_POINTS, SOLARS

FIRST_LIST = (Action(CHANCE, "first", ("?",)),)
DRAW_LIST = (Action(CHANCE, "draw", ("?",)),)
"""Legal lists before chance events."""


def pending(state: Draft) -> str:
    """See `Game.pending`."""
    phase = state.phase
    if phase == "over":
        return ""
    if phase in ("first", "draw"):
        return CHANCE
    return SEATS[building.helper(state) if phase == "help" else state.turn]


def legal(state: State) -> tuple[Action, ...]:
    """See `Game.legal`; sorted by triangle or place; in a turn: building, then moves by kind."""
    return _LISTS[state.phase](state)


def points(state: Draft) -> Mapping[str, int]:
    """Return the points of each seat so far (T5.5)."""
    return {
        letter: sum(POINTS[kind] * state.holds(kind, seat) for kind in range(len(KINDS)))
        + SOLAR_POINTS * state.solar[seat]
        + state.bonus * (seat == state.faster)
        for seat, letter in enumerate(SEATS)
    }


def apply(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """See `Game.apply`."""
    draft = state.draft()
    pending_seats = pending(draft)
    if is_ending(action):
        events = apply_ending(draft, SEATS, pending_seats, action, "T5.7")
        draft.story += story_events(events)
        if draft.result:
            draft.phase = "over"
        return draft.freeze(), events
    if action.actor != pending_seats:
        raise wrong_actor(action, pending_seats, SEATS, _TURN_RULES)
    events = dispatch(draft, action, _HANDLERS)
    return draft.freeze(), events


# Turns


def _first(draft: Draft, letter: str) -> None:
    if letter not in tuple(SEATS):
        raise IllegalActionError("T5.7", "The random draw gives T or D.")
    draft.add_event("first", letter)
    _begin_turn(draft, SEATS.index(letter))


def _begin_turn(draft: Draft, seat: int) -> None:
    """Begin a turn; a player without a legal action misses it (T3.5)."""
    draft.story_is_old = 1
    draft.turn = seat
    draft.number += 1
    draft.phase = "turn"
    _miss_unless_able(draft)


def _miss_unless_able(draft: Draft) -> None:
    seat = draft.turn
    if moving.can_act(draft, seat):
        return
    if draft.faster != NONE:
        _strand(draft, seat)
    elif not moving.can_act(draft, 1 - seat):
        _end(draft, "points")
    else:
        draft.add_event("missed", SEATS[seat])
        draft.quiet += 1
        _end_turn(draft)


def _exchange(draft: Draft) -> None:
    moving.exchange(draft)
    _miss_unless_able(draft)


def _is_home(draft: Draft, seat: int) -> bool:
    return draft.at[seat] == BASES[seat]


def _begin_count(draft: Draft, seat: int) -> None:
    """Begin counting the other player's turns, the bonus of the player at home (T5.1, T5.3)."""
    slower = 1 - seat
    draft.faster, draft.quiet = seat, 0
    draft.add_event("home", SEATS[seat])
    if _is_home(draft, slower):
        _end(draft, "points")
    elif is_stranded(draft, slower):
        _strand(draft, slower)
    else:
        _begin_turn(draft, slower)


def _end_turn(draft: Draft) -> None:
    """Check the rules of the end in their order, then begin the next turn (T5.8)."""
    if draft.faster != NONE:
        _end_counted_turn(draft)
        return
    if not draft.board.room:
        if _is_home(draft, 0) or _is_home(draft, 1):
            _end(draft, "points")
            return
        stranded = [seat for seat in (0, 1) if is_stranded(draft, seat)]
        if stranded:
            _strand(draft, *stranded)
            return
    if draft.quiet >= MAX_QUIET_TURNS:
        _end(draft, "points")
    else:
        _begin_turn(draft, 1 - draft.turn)


def _end_counted_turn(draft: Draft) -> None:
    """Count a turn of the slower player as a point for the faster one (T5.1)."""
    draft.bonus += 1
    if _is_home(draft, draft.turn) or draft.quiet >= MAX_QUIET_TURNS:
        _end(draft, "points")
    else:
        _begin_turn(draft, draft.turn)


def _strand(draft: Draft, *seats: int) -> None:
    """End the match without a bonus because astronauts are stranded (T5.3)."""
    for seat in seats:
        draft.add_event("stranded", SEATS[seat])
    draft.bonus = 0
    _end(draft, "stranded")


def _end(draft: Draft, reason: str) -> None:
    tom, dave = points(draft).values()
    winner = "-" if tom == dave else SEATS[dave > tom]
    draft.phase, draft.story_is_old = "over", 1
    draft.result = f"{winner} {reason}"
    draft.add_event("ended", winner, reason)


_LISTS: dict[str, Callable[[State], tuple[Action, ...]]] = {
    "first": lambda _: FIRST_LIST,
    "turn": moving.list_turn,
    "draw": lambda _: DRAW_LIST,
    "rhomb": building.list_rhomb,
    "fill": building.list_fill,
    "help": building.list_help,
    "over": lambda _: (),
}


def plannable(state: State, seat: str) -> tuple[Action, ...]:
    """See `Game.plannable`: all actions that the board may offer later."""
    board, player = state.board, SEATS.index(seat)
    nodes = [board.name(node, player) for node in range(CENTRES)] + list(PLACE_NAMES)
    building_room = state.faster == NONE and bool(board.room)
    ends = {
        "drift": nodes,
        "control": nodes,
        "jump": KNOT_NAMES,
        "rhomb": PLACE_NAMES * building_room,
        "tube": TRIANGLE_NAMES * building_room,
        "blank": TRIANGLE_NAMES * building_room,
        "pass": TRIANGLE_NAMES * building_room,
    }
    actions = [Action(seat, "exchange"), *[Action(seat, "build")] * building_room]
    return (*actions, *(Action(seat, verb, (end,)) for verb in ends for end in ends[verb]))


def _handler(apply: Callable[[Draft, str], None], *phases: str, rule: str) -> Handler[Draft]:
    """Return a handler that calls `apply` with the argument and ends the turn if it is done."""

    def apply_and_end(draft: Draft, action: Action) -> None:
        apply(draft, action.args[0])
        if draft.phase == "done":
            _end_turn(draft)

    return Handler(apply_and_end, phases, 1, rule)


def _mover(move: Callable[[Draft, str], None]) -> Handler[Draft]:
    """Return a handler that moves, and then ends the turn or begins to count turns (T5.1)."""

    def move_and_end(draft: Draft, action: Action) -> None:
        move(draft, action.args[0])
        seat = draft.turn
        is_complete = draft.solar[seat] == SOLARS and _is_home(draft, seat)
        if is_complete and draft.faster == NONE and draft.board.room:
            _begin_count(draft, seat)
        else:
            _end_turn(draft)

    return Handler(move_and_end, ("turn",), 1, "T3.4")


_HANDLERS: dict[str, Handler[Draft]] = {
    "first": _handler(_first, "first", rule="T5.7"),
    "build": Handler(
        lambda draft, _: building.build(draft), ("turn",), 0, "T3.1", is_announcement=True
    ),
    "draw": Handler(
        lambda draft, action: building.draw(draft, action.args[0]),
        ("draw",),
        1,
        "T3.1",
        is_announcement=True,
    ),
    "rhomb": _handler(building.rhomb, "rhomb", rule="T3.1"),
    "tube": _handler(building.tube, "fill", "help", rule="T3.2"),
    "blank": _handler(building.blank, "fill", "help", rule="T3.2"),
    "pass": _handler(building.decline, "fill", "help", rule="T3.2"),
    "drift": _mover(moving.drift),
    "control": _mover(moving.control),
    "jump": _mover(moving.jump),
    "exchange": Handler(lambda draft, _: _exchange(draft), ("turn",), 0, "T3.6"),
}
"""By verb."""

_TURN_RULES = TurnRules(over="T5", chance="T3.1", players="T2.5", turn="T3")

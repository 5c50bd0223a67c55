"""Legal actions of Warp 6 and their effects (X2–X5).

Read from `apply` downwards. An action changes a draft of the position together with all forced
consequences, until a player must decide, a die must be rolled, or the match is over. The phase of
the draft says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.dispatch import Handler, TurnRules, dispatch, wrong_actor
from engine.endings import ABANDONED, FORFEIT_REASONS, apply_ending, is_ending, story_events
from engine.game import CHANCE, OPEN_VALUE, Action, Event, IllegalActionError
from engine.i18n import NP_
from engine.warp6.board import OUTERMOST, RING, RINGS, WARP
from engine.warp6.pieces import KITS, MAX_CHANGES, SEATS, SIDES, Kit
from engine.warp6.state import IN_HAND, NO_DIE, OFF, OUT_OF_PLAY, Draft, State


def pending(state: Draft) -> str:
    """See `Game.pending`."""
    phase = state.phase
    if phase in _ON_TURN:
        return SEATS[state.turn]
    if phase == "set":
        return "".join(SEATS[seat] for seat in still_in(state) if not state.done >> seat & 1)
    return CHANCE if phase != "over" else ""


def still_in(state: Draft) -> list[int]:
    """Return the seats that have not left (X5.3)."""
    return [seat for seat in range(state.seats) if not state.left >> seat & 1]


def legal(state: State) -> tuple[Action, ...]:
    """See `Game.legal`; sorted by die, then move, up, down."""
    return _LISTS[state.phase](state, KITS[state.seats])


def points(state: State) -> dict[str, int] | None:
    """Return each seat's score; None during the match, and without a result (X5.2)."""
    if state.result in ("", ABANDONED):
        return None
    kit = KITS[state.seats]
    winner = state.result[0]
    return {
        letter: 0 if letter == winner else _distance(state, kit, seat)
        for seat, letter in enumerate(kit.seats)
    }


def _distance(state: Draft, kit: Kit, seat: int) -> int:
    """Add up the rings of the nearest dice that a seat lacks to reach the target."""
    spaces = [state.spaces[die] for die in kit.own(seat)]
    rings = sorted(RING[space] if space > 0 else RINGS for space in spaces if space != OFF)
    return sum(rings[: kit.target - spaces.count(OFF)])


def free_space(state: Draft) -> int:
    """Return the space of the next die to be placed (X2.3)."""
    return OUTERMOST - sum(space > 0 for space in state.spaces)


def apply(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """See `Game.apply`."""
    draft = state.draft()
    if is_ending(action):
        return _leave(draft, action)
    pending_seats = pending(draft)
    if action.actor not in tuple(pending_seats):
        raise _wrong_actor(draft, action, pending_seats)
    events = dispatch(draft, action, _HANDLERS)
    return draft.freeze(), events


def _wrong_actor(draft: Draft, action: Action, pending_seats: str) -> IllegalActionError:
    seat = SEATS.find(action.actor)
    if pending_seats in ("", CHANCE) or action.actor not in tuple(KITS[draft.seats].seats):
        chance = _CHANCE_RULES.get(draft.phase, "")
        rules = TurnRules(over="X5.1", chance=chance, players="X3", turn="X3")
        return wrong_actor(action, pending_seats, KITS[draft.seats].seats, rules)
    if draft.left >> seat & 1:
        return IllegalActionError("X5.3", "You have left this match.")
    if draft.phase == "set":
        return IllegalActionError("X2.4", "You have already set your dice; they can't be changed.")
    rule = "X2.3" if draft.phase == "place" else "X3"
    return IllegalActionError(rule, "It's {side}'s turn.", side=SIDES[pending_seats])


# Leaving (X5.3)


def _leave(draft: Draft, action: Action) -> tuple[State, tuple[Event, ...]]:
    staying = "".join(SEATS[seat] for seat in still_in(draft))
    pending_seats = pending(draft)
    events = apply_ending(draft, staying, pending_seats, action, "X5.3", seat_count=draft.seats)
    draft.story += story_events(events)
    before = len(draft.story)
    leaves = draft.seats > 2 and action.verb in FORFEIT_REASONS
    if leaves:
        _take_out(draft, SEATS.index(action.actor))
    if draft.result:
        draft.phase = "over"
    elif leaves:
        _go_on_without(draft, SEATS.index(action.actor))
    return draft.freeze(), events + draft.story[before:]


def _take_out(draft: Draft, seat: int) -> None:
    """Remove a seat: its placed dice stay as obstacles, the others are out of play."""
    draft.left |= 1 << seat
    for die in KITS[draft.seats].own(seat):
        if draft.spaces[die] == IN_HAND:
            draft.spaces = _with(draft.spaces, die, OUT_OF_PLAY)
            draft.numbers = _with(draft.numbers, die, 0)


def _go_on_without(draft: Draft, seat: int) -> None:
    """Pass the decision of a seat that has left to the next one."""
    if draft.phase == "set":
        _reveal_when_done(draft)
    elif draft.turn == seat and draft.phase == "place":
        _next_to_place(draft)
    elif draft.turn == seat:
        draft.turn = _left_of(draft, seat)


def _left_of(draft: Draft, seat: int) -> int:
    """Return the next seat to the left that is still in the match."""
    seats, left = draft.seats, draft.left
    seat = (seat + 1) % seats
    while left >> seat & 1:
        seat = (seat + 1) % seats
    return seat


def _with(values: tuple[int, ...], die: int, value: int) -> tuple[int, ...]:
    return (*values[:die], value, *values[die + 1 :])


# The starting player (X2.2, X2.4)


def _set(draft: Draft, action: Action) -> None:
    kit = KITS[draft.seats]
    seat = SEATS.index(action.actor)
    _take_numbers(draft, kit.own(seat), action.args, "X2.4")
    draft.done |= 1 << seat
    draft.add_event("set", action.actor)
    _reveal_when_done(draft)


def _reveal_when_done(draft: Draft) -> None:
    if pending(draft):
        return
    seats = still_in(draft)
    for seat in seats:
        draft.add_event("revealed", SEATS[seat], _shown(draft, seat))
    _find_start(draft, seats, "lot")


def _roll(draft: Draft, action: Action) -> None:
    kit = KITS[draft.seats]
    seats = _seats_of(draft.tied)
    _take_numbers(draft, [die for seat in seats for die in kit.own(seat)], action.args, "X2.2")
    for seat in seats:
        draft.add_event("rolled", SEATS[seat], _shown(draft, seat))
    _find_start(draft, seats, "roll")


def _take_numbers(draft: Draft, dice: Iterable[int], args: tuple[str, ...], rule: str) -> None:
    """Set these dice to the numbers in the arguments, e.g. `b8a5 b8b3`."""
    kit = KITS[draft.seats]
    dice = list(dice)
    if [arg[:-1] for arg in args] != [kit.names[die] for die in dice]:
        form = " ".join(kit.names[die] + OPEN_VALUE for die in dice)
        raise IllegalActionError(
            rule, "Give all dice their numbers in this order: {form}", form=form
        )
    numbers = list(draft.numbers)
    for die, arg in zip(dice, args, strict=True):
        numbers[die] = _number(kit, die, arg[-1:], rule)
    draft.numbers = tuple(numbers)


def _number(kit: Kit, die: int, digit: str, rule: str) -> int:
    number = _DIGITS.get(digit, 0)
    if not 1 <= number <= kit.faces[die]:
        raise IllegalActionError(
            rule,
            "{die} can show 1 to {faces}, not “{number}”.",
            die=kit.names[die],
            faces=kit.faces[die],
            number=digit,
        )
    return number


def _shown(draft: Draft, seat: int) -> str:
    return "".join(str(draft.numbers[die]) for die in KITS[draft.seats].own(seat))


def _find_start(draft: Draft, seats: list[int], after_tie: str) -> None:
    """Find the starting player: compare the highest dice, then the next, and so on (X2.2)."""
    kit = KITS[draft.seats]
    hands = {
        seat: sorted((draft.numbers[die] for die in kit.own(seat)), reverse=True) for seat in seats
    }
    highest = max(hands.values())
    tied = [seat for seat in seats if hands[seat] == highest]
    if len(tied) == 1:
        _start_with(draft, tied[0])
        return
    draft.phase = after_tie
    draft.tied = sum(1 << seat for seat in tied)
    draft.add_event("tied", "".join(SEATS[seat] for seat in tied))


def _seats_of(bits: int) -> list[int]:
    return [seat for seat in range(len(SEATS)) if bits >> seat & 1]


def _lot(draft: Draft, action: Action) -> None:
    tied = "".join(SEATS[seat] for seat in _seats_of(draft.tied))
    if len(action.args) != 1 or action.args[0] not in tuple(tied):
        raise IllegalActionError("X2.4", "The random draw is between {sides}.", sides=_sides(tied))
    draft.add_event("lot", action.args[0])
    _start_with(draft, SEATS.index(action.args[0]))


def _sides(letters: str) -> tuple[str, ...]:
    return tuple(SIDES[letter] for letter in letters)


def _start_with(draft: Draft, seat: int) -> None:
    draft.phase, draft.tied, draft.done = "place", 0, 0
    draft.start = draft.turn = seat
    draft.story_is_old = 1
    draft.add_event("starts", SEATS[seat])


# Set-up (X2.3)


def _place(draft: Draft, action: Action) -> None:
    die = _own_die(draft, action, "X2.3")
    if draft.spaces[die] != IN_HAND:
        raise IllegalActionError("X2.3", "You have already placed {die}.", die=action.args[0])
    space = free_space(draft)
    draft.spaces = _with(draft.spaces, die, space)
    draft.add_event("placed", action.args[0], str(space))
    draft.story_is_old = 1
    _next_to_place(draft)


def _next_to_place(draft: Draft) -> None:
    """Pass placing to the left, or begin the race once all dice are placed."""
    if IN_HAND in draft.spaces:
        draft.turn = _left_of(draft, draft.turn)
        return
    draft.phase = "play"
    draft.number = 1
    draft.turn = draft.start
    if draft.left >> draft.start & 1:
        draft.turn = _left_of(draft, draft.start)


def _own_die(draft: Draft, action: Action, rule: str) -> int:
    """Return the die named by an action."""
    kit = KITS[draft.seats]
    name = action.args[0]
    die = kit.index.get(name, NO_DIE)
    if die not in kit.own(draft.turn):
        raise IllegalActionError(rule, "“{die}” is not one of your dice.", die=name)
    return die


# The turn (X3, X4)


def _on_board(draft: Draft, action: Action, rule: str) -> int:
    die = _own_die(draft, action, rule)
    if draft.spaces[die] == OFF:
        raise IllegalActionError(rule, "{die} is already through the wormhole.", die=action.args[0])
    return die


def _move(draft: Draft, action: Action) -> None:
    die = _on_board(draft, action, "X3.1")
    name = action.args[0]
    start = draft.spaces[die]
    end = max(start - draft.numbers[die], OFF)
    draft.changes = 0
    draft.add_event("moved", name, str(start), str(end))
    warped = False
    while end != OFF and end in draft.spaces:
        draft.add_event("warped", name, str(end), str(WARP[end]))
        end = WARP[end]
        warped = True
    draft.spaces = _with(draft.spaces, die, end)
    if end == OFF:
        _leave_board(draft, die)
    elif warped:
        draft.phase, draft.focus = "reroll", die
    else:
        _end_turn(draft)


def _leave_board(draft: Draft, die: int) -> None:
    kit = KITS[draft.seats]
    fleet = kit.own(draft.turn)
    draft.add_event("off", kit.names[die])
    if draft.spaces[fleet.start : fleet.stop].count(OFF) < kit.target:
        _end_turn(draft)
        return
    seat = SEATS[draft.turn]
    draft.phase = "over"
    draft.result = f"{seat} {END_REASON}"
    draft.add_event("ended", seat, END_REASON)


def _end_turn(draft: Draft) -> None:
    draft.phase = "play"
    draft.turn = _left_of(draft, draft.turn)
    draft.number += 1
    draft.story_is_old = 1


def _reroll(draft: Draft, action: Action) -> None:
    kit = KITS[draft.seats]
    die = draft.focus
    if len(action.args) != len(kit.reroll[die].args) or action.args[0] != kit.names[die]:
        raise IllegalActionError("X4.2", "{die} is rolled again.", die=kit.names[die])
    number = _number(kit, die, action.args[1], "X4.2")
    draft.numbers = _with(draft.numbers, die, number)
    draft.focus = NO_DIE
    draft.add_event("rerolled", kit.names[die], str(number))
    _end_turn(draft)


def _change(draft: Draft, action: Action) -> None:
    die = _on_board(draft, action, "X3.2")
    if draft.changes >= MAX_CHANGES:
        raise IllegalActionError(
            "X3.4",
            NP_(
                "After {count} change in a row you have to move one of your dice.",
                "After {count} changes in a row you have to move one of your dice.",
            ),
            count=MAX_CHANGES,
        )
    before = draft.numbers[die]
    number = before + (1 if action.verb == "up" else -1)
    if not 1 <= number <= KITS[draft.seats].faces[die]:
        raise IllegalActionError(
            "X3.2",
            "{die} already shows {number} and can't go further.",
            die=action.args[0],
            number=before,
        )
    draft.numbers = _with(draft.numbers, die, number)
    draft.changes += 1
    draft.add_event("changed", action.args[0], str(before), str(number))
    _end_turn(draft)


# Legal lists


def plannable(state: State, seat: str) -> tuple[Action, ...]:
    """See `Game.plannable`: setting and placing dice in hand, and turns of all other dice."""
    kit = KITS[state.seats]
    fleet = kit.own(SEATS.index(seat))
    actions = [form for form in legal(state) if state.phase == "set" and form.actor == seat]
    actions += [kit.place[die] for die in fleet if state.spaces[die] == IN_HAND]
    return (
        *actions,
        *(action for die in fleet if state.spaces[die] != OFF for action in kit.turns[die]),
    )


def _list_settings(state: State, kit: Kit) -> tuple[Action, ...]:
    return tuple(kit.settings[SEATS.index(letter)] for letter in pending(state))


def _list_roll(state: State, kit: Kit) -> tuple[Action, ...]:
    args = [arg for seat in _seats_of(state.tied) for arg in kit.settings[seat].args]
    return (Action(CHANCE, "roll", tuple(args)),)


def _list_place(state: State, kit: Kit) -> tuple[Action, ...]:
    return tuple(kit.place[die] for die in kit.own(state.turn) if state.spaces[die] == IN_HAND)


def _list_play(state: State, kit: Kit) -> tuple[Action, ...]:
    spaces, numbers = state.spaces, state.numbers
    actions: list[Action] = []
    may_change = state.changes < MAX_CHANGES
    for die in kit.own(state.turn):
        if spaces[die] != OFF:
            actions += kit.choices[die][numbers[die] if may_change else 0]
    return tuple(actions)


END_REASON = "dice"
"""Reason in the Result of a match played to the end (X5.1)."""

_ON_TURN = frozenset({"place", "play"})
"""Phases where the seat on turn decides."""

_CHANCE_RULES = {"roll": "X2.2", "lot": "X2.4", "reroll": "X4.2"}
"""Phase → number of the rule about its chance event."""

_DIGITS = {str(number): number for number in range(1, 9)}

_LISTS: dict[str, Callable[[State, Kit], tuple[Action, ...]]] = {
    "set": _list_settings,
    "roll": _list_roll,
    "lot": lambda _, __: (Action(CHANCE, "lot", (OPEN_VALUE,)),),
    "place": _list_place,
    "play": _list_play,
    "reroll": lambda state, kit: (kit.reroll[state.focus],),
    "over": lambda _, __: (),
}

_HANDLERS: dict[str, Handler[Draft]] = {
    "set": Handler(_set, ("set",), None, "X2.4"),
    "roll": Handler(_roll, ("roll",), None, "X2.2"),
    "lot": Handler(_lot, ("lot",), None, "X2.4"),
    "place": Handler(_place, ("place",), 1, "X2.3"),
    "move": Handler(_move, ("play",), 1, "X3.1"),
    "up": Handler(_change, ("play",), 1, "X3.2"),
    "down": Handler(_change, ("play",), 1, "X3.2"),
    "reroll": Handler(_reroll, ("reroll",), None, "X4.2"),
}
"""By verb."""

"""Hidden information: dice that are set in secret are hidden until all are set (X2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.game import OPEN_VALUE, PUBLIC, Action, RandomSource
from engine.warp6.board import RING
from engine.warp6.pieces import DICE, KITS, MAX_CHANGES, SEATS, Kit
from engine.warp6.rules import free_space, legal, pending, points
from engine.warp6.state import IN_HAND, NO_DIE, OFF, OUT_OF_PLAY, State
from engine.warp6.view import Die, Score, Warp6View

GAME = "warp6"
RULES = "standard"


def view(state: State, seat: str = PUBLIC) -> Warp6View:
    """Return the view of a seat or of the public."""
    kit = KITS[state.seats]
    phase = state.phase
    return Warp6View(
        game=GAME,
        rules=RULES,
        options=(("seats", str(state.seats)), ("setup", "secret" if state.secret else "rolled")),
        seats=kit.seats,
        seat=seat,
        pending=pending(state),
        turn=state.number,
        legal=tuple(action for action in legal(state) if action.actor == seat),
        story=state.story,
        offer=state.offer,
        result=state.result,
        phase=phase,
        turn_seat=SEATS[state.turn] if phase in _IN_TURNS else "",
        departed="".join(letter for i, letter in enumerate(kit.seats) if state.left >> i & 1),
        dice=tuple(_die(state, seat, die) for die in range(DICE)),
        free=free_space(state) if phase in _SET_UP else 0,
        off=tuple(
            sum(state.spaces[die] == OFF for die in kit.own(i)) for i in range(len(kit.seats))
        ),
        target=kit.target,
        changes=state.changes,
        most_changes=MAX_CHANGES,
        focus=kit.names[state.focus] if state.focus != NO_DIE else "",
        points=tuple(Score(*score) for score in (points(state) or {}).items()),
    )


def revealed_view(state: State) -> Warp6View:
    """Return the public view with the numbers of the dice that were set in secret (X2.4)."""
    kit = KITS[state.seats]
    dice = (_die(state, kit.seats[die // kit.dice_per_seat], die) for die in range(DICE))
    return replace(view(state), dice=tuple(dice))


_SET_UP = frozenset({"set", "roll", "lot", "place"})
_IN_TURNS = frozenset({"place", "play", "reroll"})

_WHERE = {OFF: "off", IN_HAND: "hand", OUT_OF_PLAY: "out"}


def _die(state: State, seat: str, die: int) -> Die:
    kit = KITS[state.seats]
    owner = kit.seats[die // kit.dice_per_seat]
    number = 0 if _is_secret(state, seat, owner) else state.numbers[die]
    space = state.spaces[die]
    return Die(
        kit.names[die],
        owner,
        kit.faces[die],
        str(number) if number else OPEN_VALUE,
        _WHERE.get(space, "board"),
        max(space, 0),
        RING[max(space, 0)],
    )


def _is_secret(state: State, seat: str, owner: str) -> bool:
    """Return whether the owner's dice are still hidden from this seat."""
    return state.phase == "set" and seat != owner


def resample_view(state: State, seat: str, draw: RandomSource) -> State:
    """Return another state with an equal view: the others' secret dice are set again."""
    if state.phase != "set":
        return state
    kit = KITS[state.seats]
    draft = state.draft()
    draft.numbers = tuple(
        draw(kit.faces[die]) + 1
        if number and kit.seats[die // kit.dice_per_seat] != seat
        else number
        for die, number in enumerate(state.numbers)
    )
    return draft.freeze()


def redact(state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Replace the other seats' settings by `set ?` until all have set their dice (X2.4)."""
    return tuple(
        action._replace(args=(OPEN_VALUE,))
        if action.verb == "set" and _is_secret(state, seat, action.actor)
        else action
        for action in actions
    )


def fill_redacted(kit: Kit, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Let every die that was set in secret show 1 (X2.4)."""
    hidden = {
        Action(form.actor, "set", (OPEN_VALUE,)): form._replace(
            args=tuple(arg.replace(OPEN_VALUE, "1") for arg in form.args)
        )
        for form in kit.settings
    }
    return tuple(hidden.get(action, action) for action in actions)

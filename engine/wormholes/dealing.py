"""Coins that are dealt at random or placed in secret, in redacted records (W3.7, W3.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from engine.game import OPEN_VALUE, Action, IllegalActionError, RandomSource
from engine.wormholes.actions import PLACE
from engine.wormholes.board import FREE_FOR_COINS, INDEX, SPACES
from engine.wormholes.pieces import COINS, VALUES
from engine.wormholes.rules import apply, legal
from engine.wormholes.state import Draft, State

HIDING = frozenset({"secret", "random"})
"""Values of `placing` that make a record hide more than the values of placed coins."""


def deal(draw: RandomSource) -> tuple[str, ...]:
    """Draw a space for each coin."""
    free = list(FREE_FOR_COINS)
    return tuple(name + SPACES[free.pop(draw(len(free)))] for name in COINS)


def fill_redacted(options: Mapping[str, str], actions: Sequence[Action]) -> tuple[Action, ...]:
    """See `Game.fill_redacted`: replay the setup, with the first coin and space that fit."""
    notes = int(options.get("notes") == "on")
    state: State = Draft("0.6", notes, placing=options["placing"]).freeze()
    named_coins = {action.args[0] for action in actions if action.verb == "place" and action.args}
    filled: list[Action] = []
    for action in actions:
        if state.number:
            break
        filled.append(_complete_action(state, action, named_coins))
        try:
            state, _ = apply(state, filled[-1])
        except IllegalActionError:  # replaying the record reports it
            break
    return (*filled, *actions[len(filled) :])


def _complete_action(state: State, action: Action, named_coins: AbstractSet[str]) -> Action:
    if action.verb == "deal":
        return action._replace(args=_complete_deal(action.args))
    if action.verb == "place" and len(action.args) == len(PLACE[0][0].args):
        return _complete_place(state, action, named_coins)
    return action


def _complete_deal(args: tuple[str, ...]) -> tuple[str, ...]:
    """Return the deal in the order of coins; hidden values are given in the order of spaces."""
    hidden = sorted(
        (arg for arg in args if arg[1:2] == OPEN_VALUE), key=lambda arg: INDEX.get(arg[2:], 0)
    )
    by_coin = {arg[:2]: arg for arg in args if arg not in hidden}
    for arg in hidden:
        free = [arg[0] + value for value in VALUES if arg[0] + value not in by_coin]
        if free:
            by_coin[free[0]] = free[0] + arg[2:]
    return tuple(by_coin[name] for name in sorted(by_coin, key=_order))


def _order(name: str) -> int:
    return COINS.index(name) if name in COINS else len(COINS)


def _complete_place(state: State, action: Action, named_coins: AbstractSet[str]) -> Action:
    """Return a legal placing that agrees with the visible part of one; itself if there is none."""
    if not any(OPEN_VALUE in arg for arg in action.args):
        return action
    fitting = [
        option
        for option in legal(state)
        if option.actor == action.actor
        and option.args[0] not in named_coins
        and all(_fits(arg, visible) for arg, visible in zip(option.args, action.args, strict=True))
    ]
    return fitting[0] if fitting else action


def _fits(arg: str, visible: str) -> bool:
    return arg == visible or (
        OPEN_VALUE in visible and arg.startswith(visible.partition(OPEN_VALUE)[0])
    )

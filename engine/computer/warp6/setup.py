"""Rate the choices of the set-up of Warp 6 by what won in many matches of two equal players."""

from __future__ import annotations

from collections.abc import Sequence

from engine.computer.situation import SCALE, Situation
from engine.game import Action, RandomSource
from engine.warp6.pieces import KITS
from engine.warp6.state import State

RANK_LOSS = SCALE // 100
"""What the next die in order is worth less; the levels weigh it as any loss."""

SETTINGS = {
    2: (
        (7, 1, 6, 5, 5, 3, 2, 2, 1),
        (7, 2, 5, 3, 3, 4, 4, 4, 3),
        (7, 7, 6, 6, 5, 4, 4, 3, 3),
        (6, 5, 6, 4, 3, 4, 4, 3, 2),
        (8, 6, 5, 3, 2, 4, 3, 2, 2),
        (8, 1, 6, 6, 3, 3, 3, 3, 3),
    ),
}
"""Numbers of secret setups by number of players, in the order of the dice (X2.4).

Each scored .54 to .62 against a mixture of others; a seat draws one, so that none can be expected.
All numbers as high as possible scored less than half.
"""


def rate_setup(situation: Situation, state: State, draw: RandomSource) -> list[tuple[int, Action]]:
    """Return the choices of the set-up with their scores."""
    if state.phase == "place":
        return rate_placing(state, situation.legal)
    return [(SCALE // 2, _setting(situation, state, form, draw)) for form in situation.legal]


def rate_placing(state: State, actions: Sequence[Action]) -> list[tuple[int, Action]]:
    """Return the dice to place with their scores: high numbers first, then many faces (X2.3).

    Fast dice catch up from behind, and warp where they land on others.
    """
    kit = KITS[state.seats]
    dice = [kit.index[action.args[0]] for action in actions]
    keys = [(state.numbers[die], kit.faces[die]) for die in dice]
    order = sorted(set(keys), reverse=True)
    return [
        (SCALE // 2 - RANK_LOSS * order.index(key), action)
        for key, action in zip(keys, actions, strict=True)
    ]


def _setting(situation: Situation, state: State, form: Action, draw: RandomSource) -> Action:
    """Return a secret setting: one of `SETTINGS`; for three players any."""
    settings = SETTINGS.get(state.seats)
    if settings is None:
        return situation.game.fill(form, draw)
    numbers = settings[draw(len(settings))]
    args = tuple(f"{arg[:-1]}{number}" for arg, number in zip(form.args, numbers, strict=True))
    return form._replace(args=args)

"""Random matches of any game from the start to the end, with draw offers and resignations."""

from __future__ import annotations

from random import Random
from typing import Any

from engine import games
from engine.endings import DRAW_ANSWERS, FORFEIT_REASONS
from engine.game import CHANCE, Action, AnyGame, IllegalActionError
from engine.record import Record

OFFER_SHARE = 0.05
"""Share of the choices before which a player offers a draw or answers an offer."""

LONGEST = 300
"""Number of lines after which a player gives up: a match may begin after at most 1,000."""


def whole_match(name: str, seed: int, offer_share: float = OFFER_SHARE) -> Record:
    """Return a match that is over, with random options."""
    random, game = Random(seed), games.get(name)
    options = {option: random.choice(values) for option, values in game.options.items()}
    rules = random.choice(game.rules)
    headers = {"Game": name, "Rules": rules}
    headers["Options"] = " ".join(f"{option}={value}" for option, value in options.items())
    state, actions = game.start(rules, options), list[Action]()
    while game.pending(state):
        if random.random() < offer_share:
            state = _offer(game, state, actions, random)
            continue
        if len(actions) >= LONGEST and game.pending(state) != CHANCE:
            state = _give_up(game, state, actions)
            continue
        actions.append(any_action(game, state, random))
        state, _ = game.apply(state, actions[-1])
    return Record(headers, tuple(actions))


def any_action(game: AnyGame, state: Any, random: Random) -> Action:
    """Return a random action, also of chance."""
    if game.pending(state) == CHANCE:
        return game.chance(state, random.randrange)
    return game.fill(random.choice(game.legal(state)), random.randrange)


def _offer(game: AnyGame, state: Any, actions: list[Action], random: Random) -> Any:
    """Offer a draw, or answer an offer, seldom by agreeing; nothing if that is not possible."""
    seat = random.choice(game.view(state).playing)
    answer = DRAW_ANSWERS[random.random() < 0.9]
    action = Action(seat, "draw", (answer if state.offer else "offer",))
    return _tried(game, state, actions, action)


def _give_up(game: AnyGame, state: Any, actions: list[Action]) -> Any:
    """Have the first seat resign, or leave."""
    seat = game.view(state).playing[0]
    for verb in FORFEIT_REASONS:
        after = _tried(game, state, actions, Action(seat, verb))
        if after is not state:
            return after
    raise AssertionError("no player can give up")


def _tried(game: AnyGame, state: Any, actions: list[Action], action: Action) -> Any:
    try:
        after, _ = game.apply(state, action)
    except IllegalActionError:
        return state
    actions.append(action)
    return after

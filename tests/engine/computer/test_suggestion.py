"""A suggestion for a setup is made again after the match, whenever it was asked for."""

from __future__ import annotations

from random import Random

import pytest

from engine import games
from engine.computer.players import ComputerPlayer
from engine.computer.suggestion import SetupSuggestion, has_setup, is_setup, suggested_places
from engine.game import CHANCE, Action
from engine.plans import Order
from engine.record import Record

GAME = games.get("wormholes")
HEADERS = {"Game": GAME.name, "Rules": GAME.rules[0], "Version": str(GAME.version)}


def suggested(record: Record, seat: str, player: ComputerPlayer) -> list[Order]:
    suggestion = SetupSuggestion(record, seat, player.seed)
    while seat_record := suggestion.ask():
        suggestion.add(player.choose(seat_record, seat).action)
    return suggestion.orders


def test_a_setup_is_a_choice_before_the_first_turn() -> None:
    setups = {
        name: {has_setup(games.get(name), rules, {}) for rules in games.get(name).rules}
        for name in ("wormholes", "warp6", "tomtube")
    }
    assert setups == {"wormholes": {True}, "warp6": {True}, "tomtube": {False}}


@pytest.mark.parametrize("asked_at", range(2, 12))
def test_suggested_choices_are_known_after_the_match(asked_at: int) -> None:
    """Before its suggestion, seat O places at random; D always does, and may be in the way."""
    random, player = Random(asked_at), ComputerPlayer("random", bytes(range(32)))
    state, actions, orders = GAME.start(GAME.rules[0], {}), list[Action](), list[Order]()
    suggested_at = set[int]()
    while is_setup(GAME, state) or GAME.pending(state) == CHANCE:
        if len(actions) == asked_at:
            visible_actions = GAME.redact_for_infostate(state, "O", actions)
            orders = suggested(Record(HEADERS, visible_actions), "O", player)
        legal = GAME.legal(state)
        if GAME.pending(state) == CHANCE:
            action = GAME.chance(state, random.randrange)
        elif GAME.pending(state) == "O" and orders:
            order = orders.pop(0)
            action = next(option for option in order.actions if option in legal)
            suggested_at.add(len(actions))
        else:
            action = random.choice(legal)
        state, _ = GAME.apply(state, action)
        actions.append(action)
    record = Record(HEADERS, tuple(actions))
    states = [position.state for position in record.positions()]
    assert suggested_at
    assert suggested_at == {*suggested_places(record, states, "O", player)}
    other = ComputerPlayer("random", bytes(32))
    coins = {place for place, action in enumerate(actions) if action.verb == "place"}
    assert len(coins & {*suggested_places(record, states, "O", other)}) <= 1, "by chance"

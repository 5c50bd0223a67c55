"""The rules of Dudo, and all that Starpost expects of a game."""

import pytest
from starpost_dudo.rules import State

from engine import games
from engine.game import Action, IllegalActionError
from engine.testing import game_test

test_contract_and_secrets = game_test("dudo", matches=8)


def after(*lines: str) -> State:
    game = games.get("dudo")
    state: State = game.start("standard", {})
    for line in lines:
        state, _ = game.apply(state, Action.parse(line))
    return state


@pytest.mark.parametrize(("bid", "left"), [("3 4", (1, 2)), ("2 4", (2, 1))])
def test_d3_player_who_was_wrong_loses_a_die(bid: str, left: tuple[int, int]) -> None:
    state = after("* roll 4 1 0 2", f"L bid {bid}", "R doubt")
    assert state.left == left
    assert games.get("dudo").legal(state) == (Action.parse("* roll ? ? ?"),)


def test_d2_lower_bid_is_refused() -> None:
    state = after("* roll 4 1 0 2", "L bid 2 4")
    with pytest.raises(IllegalActionError, match="more dice"):
        games.get("dudo").apply(state, Action.parse("R bid 2 3"))


def test_d4_player_without_dice_has_lost() -> None:
    state = after(
        *("* roll 1 1 2 2", "L bid 3 1", "R doubt"),
        *("* roll 1 2 2", "L bid 2 1", "R doubt"),
    )
    assert games.get("dudo").result(state) == "R dice"

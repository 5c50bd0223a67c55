"""The opponents who are named decide how many seats a match has."""

from __future__ import annotations

import pytest

from bot.domain.ids import MatchId
from bot.domain.seating import options_for
from engine import games
from engine.game import IllegalActionError
from tests.support.harness import Stage, ids, play, words


@pytest.mark.slow
async def test_two_opponents_make_three_seats(stage: Stage) -> None:
    people = {"opponent": stage.bo, "opponent2": stage.eve}
    await play(stage.ada, stage.channel, **people, game="warp6")
    match = await stage.client.context.queries.match(MatchId(1))
    assert {player.name for player in match.players.values()} == {"Ada", "Bo", "Eve"}
    assert match.options == {"seats": "3"}
    assert "accept:1" in ids(stage.last())


@pytest.mark.slow
async def test_other_options_stay_with_two_opponents(stage: Stage) -> None:
    people = {"opponent": stage.bo, "opponent2": stage.eve}
    await play(stage.ada, stage.channel, **people, game="warp6", setup="secret")
    match = await stage.client.context.queries.match(MatchId(1))
    assert match.options == {"setup": "secret", "seats": "3"}


def test_contradicting_seats_are_refused_with_a_way_out() -> None:
    with pytest.raises(IllegalActionError, match="leave out “seats”") as caught:
        options_for(games.get("warp6"), {"setup": "secret", "seats": "2"}, 3)
    assert caught.value.rule == ""


@pytest.mark.parametrize("options", [{}, {"notes": "on"}, {"seats": "2"}])
def test_two_opponents_in_a_game_for_two_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(IllegalActionError, match="Wormholes is for 2 players") as caught:
        options_for(games.get("wormholes"), options, 3)
    assert caught.value.rule == ""


@pytest.mark.slow
async def test_open_seat_beside_one_opponent_stays(stage: Stage) -> None:
    await play(stage.ada, stage.channel, game="warp6", opponent=stage.bo, seats="3")
    assert "an open seat" in words(stage.last())

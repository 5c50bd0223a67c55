"""The opponents who are named decide how many seats a match has."""

from __future__ import annotations

from typing import Any

from tests.support.harness import Stage, ids, words


async def play(stage: Stage, **options: Any) -> Any:
    """Ada challenges Bo and Eve."""
    people = {"opponent": stage.bo, "opponent2": stage.eve}
    return await stage.ada.slash(stage.channel, "play", **people, **options)


async def test_two_opponents_make_three_seats(stage: Stage) -> None:
    await play(stage, game="warp6")
    match = await stage.client.context.queries.match(1)
    assert {player.name for player in match.players.values()} == {"Ada", "Bo", "Eve"}
    assert match.options == {"seats": "3"}
    assert "accept:1" in ids(stage.last())


async def test_other_options_stay_with_two_opponents(stage: Stage) -> None:
    await play(stage, game="warp6", setup="secret")
    match = await stage.client.context.queries.match(1)
    assert match.options == {"setup": "secret", "seats": "3"}


async def test_contradicting_seats_are_refused_with_a_way_out(stage: Stage) -> None:
    refused = await play(stage, game="warp6", seats="2")
    assert refused.ephemeral
    assert "leave out “seats”" in words(refused.response)
    assert not stage.public()


async def test_two_opponents_in_a_game_for_two_are_refused(stage: Stage) -> None:
    refused = await play(stage, game="wormholes")
    assert "Wormholes is for 2 players" in words(refused.response)
    assert not stage.public()


async def test_open_seat_beside_one_opponent_stays(stage: Stage) -> None:
    await stage.ada.slash(stage.channel, "play", game="warp6", opponent=stage.bo, seats="3")
    assert "an open seat" in words(stage.last())

"""The player who resigns loses, whichever made the challenge or is on turn."""

from __future__ import annotations

import pytest

from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.terms import Terms
from tests.support.harness import Stage, words
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, opponent_of, terms


async def begun(env: MatchFixture, challenger: UserId, side: str) -> MatchId:
    """A match that Ada or Bo has asked for, on this side."""
    players = PLAYERS if challenger == ADA else PLAYERS[::-1]
    outcome = await env.challenges.challenge(next(env.ids), terms(), players, side=side)
    await env.challenges.accept(next(env.ids), outcome.match_id, opponent_of(challenger))
    return outcome.match_id


@pytest.mark.parametrize("side", ["O", "D"])
@pytest.mark.parametrize("loser", [ADA, BO])
@pytest.mark.parametrize("challenger", [ADA, BO])
async def test_the_other_player_wins_by_resignation(
    env: MatchFixture, challenger: UserId, loser: UserId, side: str
) -> None:
    match_id = await begun(env, challenger, side)
    match = await env.queries.match(match_id)
    outcome = await env.matches.act(next(env.ids), match_id, loser, "resign")
    assert outcome.kind == "done"
    record = await env.queries.record(match_id)
    assert record.headers["Result"] == f"{match.seat_of(opponent_of(loser))} resign"
    assert str(record.actions[-1]) == f"{match.seat_of(loser)} resign"


@pytest.mark.parametrize("on_turn", [True, False])
async def test_one_can_resign_on_turn_or_not(env: MatchFixture, on_turn: bool) -> None:
    match_id = await begun(env, ADA, "O")
    user = await env.on_turn(match_id)
    loser = user if on_turn else opponent_of(user)
    winner = (await env.queries.match(match_id)).seat_of(opponent_of(loser))
    await env.matches.act(next(env.ids), match_id, loser, "resign")
    assert (await env.queries.view(match_id)).view.result == f"{winner} resign"


@pytest.mark.parametrize("leaver", [ADA, BO, EVE])
async def test_who_leaves_a_match_of_three_is_the_one_who_is_out(
    env: MatchFixture, leaver: UserId
) -> None:
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    players = [*PLAYERS, Player(EVE, "Eve")]
    outcome = await env.challenges.challenge(next(env.ids), three, players)
    for user in (EVE, BO):
        await env.challenges.accept(next(env.ids), outcome.match_id, user)
    match = await env.queries.match(outcome.match_id)
    assert (await env.matches.act(next(env.ids), match.id, leaver, "leave")).kind == "done"
    record = await env.queries.record(match.id)
    assert str(record.actions[-1]) == f"{match.seat_of(leaver)} leave"
    second = await env.matches.act(next(env.ids), match.id, leaver, "leave")
    assert second.kind == "refused"
    other = next(user for user in (ADA, BO, EVE) if user != leaver)
    await env.matches.act(next(env.ids), match.id, other, "leave")
    last = next(user for user in (ADA, BO, EVE) if user not in (leaver, other))
    assert (await env.queries.view(match.id)).view.result == f"{match.seat_of(last)} left"


@pytest.mark.parametrize("loser", [ADA, BO])
async def test_deleting_the_own_data_loses_the_own_matches(
    env: MatchFixture, loser: UserId
) -> None:
    match_id = await begun(env, ADA, "O")
    winner = (await env.queries.match(match_id)).seat_of(opponent_of(loser))
    async with env.database.write() as connection:
        await env.matches.leave_all(connection, loser)
    assert (await env.queries.view(match_id)).view.result == f"{winner} resign"


@pytest.mark.slow
@pytest.mark.parametrize("loser", ["Ada", "Bo"])
async def test_the_command_gives_up_for_who_types_it(stage: Stage, loser: str) -> None:
    match_id = await stage.begin()
    actor = stage.ada if loser == "Ada" else stage.bo
    winner = stage.bo if loser == "Ada" else stage.ada
    confirmation = await actor.slash(stage.channel, "resign")
    await stage.click(actor, confirmation.response, "resign:")
    match = await stage.client.context.queries.match(match_id)
    assert (await stage.perspective(match_id)).view.result == f"{match.seat_of(winner.id)} resign"
    assert f"{stage.name(winner)} wins" in words(stage.last())

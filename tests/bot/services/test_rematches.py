"""Rematches: beside one that has begun, and players who may not ask for one."""

from __future__ import annotations

import pytest

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.outcomes import Outcome
from bot.domain.terms import Terms
from bot.services import abuse_limits
from bot.services.preferences import Preferences
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture, terms


async def ended(env: MatchFixture, game: str = "tomtube") -> MatchId:
    """A match of Ada and Bo that Ada has lost."""
    match_id = await env.begin("", game)
    assert (await env.matches.act(next(env.ids), match_id, ADA, "resign")).kind == "done"
    return match_id


async def again(
    env: MatchFixture, match_id: MatchId, user: UserId, handicap: int | None = None
) -> Outcome:
    """A player asks for a rematch."""
    return await env.rematches.rematch(next(env.ids), match_id, user, handicap)


async def test_rematch_that_has_begun_is_not_called_open(env: MatchFixture) -> None:
    match_id = await ended(env)
    begun = await again(env, match_id, BO, 0)
    assert (await again(env, match_id, ADA, 0)).kind == "done"
    assert (await env.queries.match(begun.match_id)).status == "running"
    for handicap in (0, None):
        late = await again(env, match_id, BO, handicap)
        assert (late.kind, late.match_id) == ("stale", begun.match_id)


@pytest.fixture
def one_computer_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a single running match against the computer."""
    monkeypatch.setattr(abuse_limits, "MAX_COMPUTER_MATCHES", 1)


@pytest.mark.usefixtures("one_computer_match")
async def test_computer_matches_do_not_limit_those_of_people(env: MatchFixture) -> None:
    match_id = await ended(env)
    against = [PLAYERS[0], computer_player()]
    assert (await env.challenges.challenge(next(env.ids), terms(), against)).kind == "done"
    refused = await env.challenges.challenge(next(env.ids), terms(), against)
    assert "against the computer" in refused.sentence
    assert (await again(env, match_id, ADA)).kind == "done"


async def test_blocked_player_gets_no_rematch_beside_a_computer(env: MatchFixture) -> None:
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    players: list[Player] = [*PLAYERS, computer_player()]
    challenge = await env.challenges.challenge(next(env.ids), three, players)
    await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    for user in (ADA, BO):
        left = await env.matches.act(next(env.ids), challenge.match_id, user, "leave")
        assert left.kind == "done"
    await Preferences(env.database).block(BO, ADA)
    refused = await again(env, challenge.match_id, ADA)
    assert refused.kind == "refused"
    assert "Bo isn't accepting challenges from you" in refused.sentence
    assert (await again(env, challenge.match_id, BO)).kind == "done"

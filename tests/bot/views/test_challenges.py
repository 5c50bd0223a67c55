"""The public message of a challenge."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.ids import ChannelId
from bot.domain.models import MatchStatus
from bot.views.challenges import begun_in, challenge
from tests.support.matches import BO, MatchFixture
from tests.support.view_messages import ids, kinds, open_to_all, words


async def test_first_sight_has_accept_decline_and_more(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert kinds(challenge(match)) == ["accept", "decline", "more"]
    assert kinds(challenge(open_to_all(match))) == ["accept", "more"]


async def test_no_text_of_a_challenge_has_a_hash(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    running = replace(match, status=MatchStatus.RUNNING)
    for message in (challenge(match), challenge(running), begun_in(match, ChannelId(5))):
        text = words(message)
        assert match.commitment not in text
        assert "sha256" not in text
        assert match.commitment in "".join(ids(message))


async def test_a_broken_commitment_is_told_at_first_sight(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await env.ask()), commitment_holds=False)
    running = replace(match, status=MatchStatus.RUNNING)
    for message in (challenge(match), challenge(running), begun_in(match, ChannelId(5))):
        assert "doesn't match its commitment" in words(message)


async def test_only_an_unfinished_match_can_be_joined(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await env.ask()), joinable="D")
    running = replace(match, status=MatchStatus.RUNNING)
    assert kinds(challenge(running)) == ["accept", "dice"]
    assert kinds(challenge(replace(running, joinable=""))) == ["dice"]
    assert kinds(challenge(replace(match, status=MatchStatus.FINISHED))) == ["dice"]
    assert kinds(challenge(replace(match, status=MatchStatus.CLOSED), BO)) == []

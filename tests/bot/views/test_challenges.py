"""The public message of a challenge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bot.domain.ids import OPEN_USER_ID, ChannelId
from bot.domain.models import Match, MatchStatus, Player
from bot.views.challenges import begun_in, challenge
from bot.views.message import Message
from tests.support import harness
from tests.support.limits import components
from tests.support.matches import BO, MatchFixture


class Sent(NamedTuple):
    """A message as a test looks at it."""

    components: Sequence[Any]


def ids(message: Message) -> list[str]:
    """Return the custom_ids of a message."""
    return harness.ids(Sent(components(message)))


def words(message: Message) -> str:
    """Return the texts of a message."""
    return harness.words(Sent(components(message)))


def kinds(message: Message) -> list[str]:
    """Return the prefix of each custom_id in order."""
    return [custom_id.partition(":")[0] for custom_id in ids(message)]


def open_to_all(match: Match) -> Match:
    """Return a challenge whose second seat is open."""
    (seat,) = (seat for seat, player in match.players.items() if player.user_id == BO)
    return replace(match, players={**match.players, seat: Player(OPEN_USER_ID, "")})


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

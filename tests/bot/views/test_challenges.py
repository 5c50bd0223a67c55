"""The public message of a challenge, and what *More…* offers to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from bot.domain.ids import OPEN_USER_ID, ChannelId, UserId
from bot.domain.models import Match, MatchStatus, Player, Rated
from bot.views.challenges import begun_in, challenge, more
from bot.views.message import Message
from tests.support import harness
from tests.support.limits import components
from tests.support.matches import ADA, BO, EVE, MatchFixture

SEAL = "sha256:0f"
ABOUT_IT = ["dice", "howto", "rules"]
"""What everyone is offered."""


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


def offered(match: Match, user: UserId, *, computers: bool = True) -> list[str]:
    """Return the prefixes of the further buttons behind *More…*, besides `ABOUT_IT`."""
    prefixes = kinds(more(match, user, SEAL, computers=computers))
    assert prefixes[-3:] == ABOUT_IT
    return prefixes[:-3]


async def test_first_sight_has_accept_decline_and_more(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert kinds(challenge(match)) == ["accept", "decline", "more"]
    assert kinds(challenge(open_to_all(match))) == ["accept", "more"]


async def test_more_offers_each_user_only_what_they_may_do(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert offered(match, ADA) == ["withdraw"]
    assert offered(match, BO) == ["luck", "block"]
    assert offered(match, EVE) == []


async def test_more_offers_one_who_accepted_no_second_accepting(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await env.ask()), unaccepted="")
    assert offered(match, BO) == ["block"]


async def test_more_of_an_open_challenge_offers_to_join(env: MatchFixture) -> None:
    match = open_to_all(await env.queries.match(await env.ask()))
    assert offered(match, EVE) == ["luck"]
    assert offered(match, ADA) == ["computer", "withdraw"]
    assert offered(match, ADA, computers=False) == ["withdraw"]
    assert offered(replace(match, rated=Rated.RATED), ADA) == ["withdraw"]


async def test_computer_takes_no_seat_of_an_invited_player(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert "computer" not in offered(match, ADA)


@pytest.mark.parametrize("status", [MatchStatus.RUNNING, MatchStatus.FINISHED, MatchStatus.CLOSED])
async def test_more_of_a_settled_challenge_offers_no_answer(
    env: MatchFixture, status: MatchStatus
) -> None:
    match = replace(await env.queries.match(await env.ask()), status=status)
    assert offered(match, ADA) == offered(match, BO) == []


async def test_more_hands_on_the_published_commitment(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert f"dice:1:{SEAL}" in ids(more(match, BO, SEAL, computers=False))
    assert f"dice:1:{match.commitment}" in ids(more(match, BO, "", computers=False))


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

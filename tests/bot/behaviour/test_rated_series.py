"""Rated series that are not played to their end, as players see them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.services.match_store import load
from bot.services.series import remind
from tests.support.harness import Stage, ids, words
from tests.support.rated import place_dice, resign, results

pytestmark = pytest.mark.slow

LOST = "The series is over before its last match, so Bo loses it."


async def first_match(stage: Stage) -> Any:
    """Play the first match of a series, and return the challenge to the second."""
    await stage.without_threads()
    match_id = await stage.begin(game="warp6", rated=True, series="3")
    await place_dice(stage, match_id)
    await resign(stage, stage.ada)
    return challenge(stage)


def challenge(stage: Stage) -> Any:
    """Return the newest challenge that can be accepted."""
    with_button = [e for e in stage.public() if any(i.startswith("accept:") for i in ids(e))]
    return max(with_button, key=lambda message: int(message.id))


def shown(stage: Stage, message: Any) -> Any:
    """Return a public message as it is now."""
    return next(post for post in stage.public() if post.id == message.id)


async def test_the_challenge_says_who_loses_a_series(stage: Stage) -> None:
    challenge = await stage.challenge(game="warp6", rated=True, series="3")
    assert "Stop after its first match and you lose it" in words(challenge)
    single = await stage.challenge(game="warp6", rated=True)
    assert "you lose it" not in words(single)


async def test_declining_tells_the_end_of_the_series(stage: Stage) -> None:
    challenge = await first_match(stage)
    assert not await results(stage)
    await stage.click(stage.bo, challenge, "decline:")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    end = words(shown(stage, challenge))
    assert LOST in end
    assert "Ratings in Warp 6 for 2: " in end
    assert "Ada 1088 (+88, provisional)" in end
    assert "Bo 968 (−32, provisional)" in end
    assert await results(stage) == 2


async def test_an_early_end_of_a_series_says_why_it_does_not_count(stage: Stage) -> None:
    await stage.without_threads()
    await stage.begin(game="warp6", rated=True, series="3")
    await resign(stage, stage.ada)
    first_challenge = challenge(stage)
    await stage.click(stage.bo, first_challenge, "decline:")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    end = words(shown(stage, first_challenge))
    assert "No ratings change: fewer than 8 moves had been made." in end
    assert LOST not in end


@pytest.mark.parametrize("declined", [False, True])
async def test_a_reminder_comes_while_the_match_is_open(stage: Stage, declined: bool) -> None:
    challenge = await first_match(stage)
    if declined:
        await stage.click(stage.bo, challenge, "decline:")
    before = {message.id for message in stage.public()}
    match_id = int(
        next(custom_id for custom_id in ids(challenge) if custom_id.startswith("accept:")).split(
            ":"
        )[1]
    )
    async with stage.database.write() as connection:
        row = await load(connection, MatchId(match_id))
        assert row
        await remind(stage.client.context.challenges._match_store, connection, row, 1)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    new = [message for message in stage.public() if message.id not in before]
    assert len(new) == (not declined)
    for message in new:
        assert f"<@{stage.bo.id}>: the next match of your rated series" in words(message)
        await stage.click(stage.bo, message, "accept:")
        assert "the match has started" in words(shown(stage, challenge))

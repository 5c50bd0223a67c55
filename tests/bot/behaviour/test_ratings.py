"""Rated matches, as players see them."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.domain.ids import MatchId
from bot.services.servers import Servers
from bot.storage.schema import matches
from tests.support.harness import Stage, ids, play, words
from tests.support.rated import place_dice, resign, results


async def rated_of(stage: Stage, match_id: MatchId) -> str:
    """Whether a match is rated, as stored."""
    async with stage.database.read() as connection:
        query = select(matches.c.rated).where(matches.c.id == match_id)
        return str((await connection.execute(query)).scalar_one())


@pytest.mark.slow
async def test_accepting_a_rated_challenge_is_agreeing(stage: Stage) -> None:
    await stage.without_threads()
    match_id = await stage.begin(game="warp6", rated=True)
    assert "· rated" in words(stage.last())
    await place_dice(stage, match_id)
    assert not await results(stage)
    end = words(await resign(stage, stage.bo))
    assert "Ratings in Warp 6 for 2: Bo 968 (−32, provisional), Ada 1088 (+88, provisional)." in end
    assert await results(stage) == 2


@pytest.mark.slow
async def test_a_challenge_says_that_it_is_rated(stage: Stage) -> None:
    challenge = await stage.challenge(rated=True)
    assert "**Rated**: by accepting you agree" in words(challenge)
    casual = await stage.challenge()
    assert "Rated" not in words(casual)


@pytest.mark.slow
async def test_the_card_switches_between_rated_and_casual(stage: Stage) -> None:
    card = await stage.ada.slash(stage.channel, "play", opponent=stage.bo)
    assert "Rated" not in words(card.response)
    more = await stage.click(stage.ada, card.response, "card:more")
    (custom_id,) = [
        custom_id for custom_id in ids(more.response) if custom_id.startswith("card:rated:")
    ]
    for value, is_rated in (("on", True), ("off", False), ("on", True)):
        more = await stage.ada.select(more.response, [value], custom_id=custom_id)
        assert words(more.response).count("Rated: yes") == (2 if is_rated else 1), (
            "also in the list"
        )
        (custom_id,) = [
            custom_id for custom_id in ids(more.response) if custom_id.startswith("card:rated:")
        ]
    await stage.click(stage.ada, more.response, "card:send")
    assert "**Rated**" in words(stage.last())


@pytest.mark.slow
async def test_a_server_chooses_its_own_default(stage: Stage) -> None:
    await Servers(stage.database).choose(stage.guild.id, rated="on")
    assert "**Rated**" in words(await stage.challenge())
    assert "**Rated**" not in words(await stage.challenge(rated=False))


async def test_the_default_is_not_what_was_chosen_last(stage: Stage) -> None:
    await stage.challenge(rated=True)
    assert "**Rated**" not in words(await stage.challenge())


@pytest.mark.slow
async def test_the_card_says_what_cannot_be_rated(stage: Stage) -> None:
    card = await stage.ada.slash(
        stage.channel, "play", opponent=stage.bo, game="tomtube", rated=True
    )
    assert "Rated: yes" in words(card.response)
    more = await stage.click(stage.ada, card.response, "card:more")
    (custom_id,) = [
        custom_id for custom_id in ids(more.response) if custom_id.startswith("card:=launch_T:")
    ]
    handicap = await stage.ada.select(more.response, ["1"], custom_id=custom_id)
    assert "Rated: no. A match with a handicap can't be rated." in words(handicap.response)
    await stage.click(stage.ada, handicap.response, "card:send")
    assert "**Rated**" not in words(stage.last())


async def test_the_computer_is_not_offered_in_a_rated_challenge(stage: Stage) -> None:
    await play(stage.ada, stage.channel, rated=True)
    assert "**Rated**" in words(stage.last())
    more = await stage.click(stage.ada, stage.last(), "more:")
    kinds = [custom_id.partition(":")[0] for custom_id in ids(more.response)]
    assert "withdraw" in kinds
    assert "computer" not in kinds


@pytest.mark.slow
async def test_a_rematch_of_a_rated_match_is_rated(stage: Stage) -> None:
    await stage.without_threads()
    await stage.begin(game="warp6", rated=True)
    end = await resign(stage, stage.bo)
    assert "No ratings change: fewer than 8 moves had been made." in words(end)
    await stage.click(stage.bo, end, "rematch:")
    assert "**Rated**" in words(stage.last())


@pytest.mark.slow
async def test_a_fourth_match_of_a_pair_says_that_it_counts_no_more(stage: Stage) -> None:
    await stage.without_threads()
    for _ in range(3):
        match_id = await stage.begin(game="warp6", rated=True)
        await place_dice(stage, match_id)
        await resign(stage, stage.bo)
    challenge = await stage.challenge(game="warp6", rated=True)
    assert "finished 3 rated matches together in 30 days" in words(challenge)
    await stage.click(stage.bo, challenge, "accept:")
    await place_dice(stage, MatchId(match_id + 1))
    end = words(await resign(stage, stage.bo))
    assert "No ratings change: two of the players had already finished 3" in end
    assert await results(stage) == 6
    assert await rated_of(stage, MatchId(match_id + 1)) == "pair"

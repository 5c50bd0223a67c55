"""`/play` opens a card that only the challenger sees; its first button sends the challenge."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.services.servers import Servers
from tests.support.harness import Stage, ids, play, walk, words
from tests.support.locales import Locales
from tests.support.matches import ListingQueries


def button(answer: Any, start: str) -> str:
    """Return the custom_id of the card that begins so."""
    return next(custom_id for custom_id in ids(answer.response) if custom_id.startswith(start))


async def opened(stage: Stage, **options: Any) -> Any:
    """Open a card as Ada, by default against Bo."""
    return await stage.ada.slash(stage.channel, "play", **{"opponent": stage.bo} | options)


async def detailed(stage: Stage, **options: Any) -> Any:
    """Open a card with all its lists."""
    answer = await opened(stage, **options)
    return await stage.ada.click(answer.response, custom_id=button(answer, "card:more"))


async def test_a_challenge_takes_two_interactions(stage: Stage) -> None:
    answer = await opened(stage)
    assert answer.ephemeral
    assert not stage.public()
    assert answer.response.attachments[0].description
    sent = await stage.ada.click(answer.response, label="Challenge")
    assert words(sent.response) == "Wormholes #1: challenge sent to Bo."
    assert not sent.response.attachments
    assert "accept:1" in ids(stage.last())


async def test_challenge_lists_two_opponents_with_and(stage: Stage, locales: Locales) -> None:
    for language, word in {"en-GB": "and", "de": "und"}.items():
        locales[stage.ada.id] = language
        terms = {"game": "warp6", "seats": "3", "opponent": stage.bo, "opponent2": stage.eve}
        sent = await play(stage.ada, stage.channel, **terms)
        assert f"Bo {word} Eve" in words(sent.response)
    bo, eve = (f"<@{actor.id}>" for actor in (stage.bo, stage.eve))
    assert f"### {bo} and {eve}: Ada challenges you" in words(stage.last())


async def test_one_card_sends_one_challenge(stage: Stage) -> None:
    answer = await opened(stage)
    (card,) = stage.env.backend.messages[stage.channel.id].values()
    before, custom_id = deepcopy(card.components), button(answer, "card:send")
    for _ in range(2):
        card.components = before  # the second click comes before the card is seen to change
        sent = await stage.ada.click(answer.response, custom_id=custom_id)
        assert words(sent.response) == "Wormholes #1: challenge sent to Bo."
    assert len(await ListingQueries(stage.database).list_for(stage.ada.id, "challenge")) == 1


@pytest.mark.slow
async def test_a_card_works_after_a_restart(stage: Stage) -> None:
    answer = await detailed(stage, game="warp6")
    await stage.restart()
    answer = await stage.ada.select(
        answer.response, ["secret"], custom_id=button(answer, "card:=setup")
    )
    assert "each player sets them in secret" in words(answer.response)
    await stage.restart()
    await stage.ada.click(answer.response, label="Challenge")
    assert (await stage.client.context.queries.match(MatchId(1))).options == {"setup": "secret"}


@pytest.mark.slow
async def test_the_last_terms_are_offered_next_time(stage: Stage) -> None:
    await play(
        stage.ada,
        stage.channel,
        opponent=stage.bo,
        game="tomtube",
        clock="3 days per turn",
        rules="basic",
        side="Dave",
        launch_T="2",
    )
    text = words((await opened(stage)).response)
    assert "### Tom Tube" in text
    assert "Clock: 3 days per turn" in text
    assert "without control and alien counters" in text
    assert "Your side: drawn at random" in text
    assert "Extra energy" not in text
    other = words((await opened(stage, game="warp6")).response)
    assert "Clock: 3 days per turn" in other


async def test_a_match_between_people_has_three_days_a_turn(stage: Stage) -> None:
    assert "Clock: 3 days per turn" in words((await opened(stage)).response)
    await play(stage.ada, stage.channel, opponent=stage.bo, clock=None)
    assert (await stage.client.context.queries.match(MatchId(1))).clock == "3d"


async def test_a_server_can_choose_no_clock(stage: Stage) -> None:
    await Servers(stage.database).choose(stage.guild.id, clock="")
    assert "Clock: no clock" in words((await opened(stage)).response)


async def test_no_clock_is_remembered(stage: Stage) -> None:
    await play(stage.ada, stage.channel, opponent=stage.bo, clock="no clock")
    assert "Clock: no clock" in words((await opened(stage)).response)


async def test_the_memory_of_coins_is_a_choice_at_first_sight(stage: Stage) -> None:
    answer = await opened(stage, game="wormholes")
    memory = button(answer, "card:=notes")
    assert "Memory: from memory, as the rules say" in words(answer.response)
    answer = await stage.ada.select(answer.response, ["on"], custom_id=memory)
    assert "card:more" in " ".join(ids(answer.response))
    assert len([i for i in ids(answer.response) if i.startswith("card:=")]) == 1
    await stage.ada.click(answer.response, label="Challenge")
    assert (await stage.client.context.queries.match(MatchId(1))).options["notes"] == "on"
    assert "Memory: the coins that you've seen are shown" in words((await opened(stage)).response)
    other = await opened(stage, game="warp6")
    assert not [i for i in ids(other.response) if i.startswith("card:=")]


async def test_the_first_card_has_the_clock_of_the_server(stage: Stage) -> None:
    await Servers(stage.database).choose(stage.guild.id, clock="7d")
    assert "Clock: 7 days per turn" in words((await opened(stage)).response)


async def test_another_game_keeps_opponent_and_clock(stage: Stage) -> None:
    answer = await opened(stage, clock="1 day per turn")
    answer = await stage.ada.select(
        answer.response, ["warp6"], custom_id=button(answer, "card:game")
    )
    text = words(answer.response)
    assert "### Warp 6" in text
    assert "Clock: 1 day per turn" in text
    assert f"<@{stage.bo.id}>" in text


async def test_a_third_player_is_chosen_where_there_is_a_seat(stage: Stage) -> None:
    for game, most in (("wormholes", 1), ("warp6", 2)):
        answer = await detailed(stage, game=game)
        (people,) = [part for part in walk(answer.response.components) if part["type"] == 5]
        assert people["max_values"] == most
        assert people["default_values"] == [{"id": stage.bo.id, "type": "user"}]
    answer = await stage.ada.select(
        answer.response, [stage.bo, stage.eve], custom_id=button(answer, "card:who")
    )
    assert f"<@{stage.bo.id}> and <@{stage.eve.id}>" in words(answer.response)
    await stage.ada.click(answer.response, label="Challenge")
    text = words(stage.last())
    assert "Accepted: Ada. Still to accept: Bo and Eve." in text
    await stage.click(stage.bo, stage.last(), "accept:")
    (challenge,) = stage.public()
    assert "Accepted: Ada and Bo. Still to accept: Eve." in words(challenge)


async def test_without_opponents_anyone_can_join(stage: Stage) -> None:
    answer = await detailed(stage)
    answer = await stage.ada.select(answer.response, [], custom_id=button(answer, "card:who"))
    assert "Against: anyone here who joins" in words(answer.response)
    await stage.ada.click(answer.response, label="Challenge")
    assert "Ada is looking for players" in words(stage.last())


async def test_an_opponent_who_has_left_is_named_on_sending(stage: Stage) -> None:
    answer = await opened(stage)
    del stage.env.backend.get_guild(stage.guild.id).members[stage.bo.id]
    refusal = await stage.ada.click(answer.response, label="Challenge")
    assert refusal.ephemeral
    assert f"<@{stage.bo.id}> would be missing" in words(refusal.response)
    assert not stage.public()


async def test_no_card_for_a_challenge_to_oneself(stage: Stage) -> None:
    answer = await opened(stage, opponent=stage.ada)
    assert "against yourself" in words(answer.response)
    assert not ids(answer.response)


async def test_words_of_the_challenger_are_typed_into_a_window(stage: Stage) -> None:
    answer = await detailed(stage)
    window = await stage.ada.click(answer.response, label="Add my own words to the dice…")
    assert "salt" in str(window.modal)
    sent = await stage.ada.submit_modal(window, {"words": "heads"})
    assert "challenge sent to Bo" in words(sent.response)
    assert (await stage.client.context.queries.match(MatchId(1))).salt.endswith(":heads")


async def test_days_off_chosen_on_the_card_are_terms_of_the_match(stage: Stage) -> None:
    answer = await detailed(stage, game="warp6")
    for value, words_of in (("w", "not on weekends"), ("o", "days off"), ("w", "not on weekends")):
        answer = await stage.ada.select(
            answer.response, [value], custom_id=button(answer, "card:off")
        )
        assert words_of in words(answer.response)
    answer = await stage.ada.select(answer.response, ["7d"], custom_id=button(answer, "card:clock"))
    assert "7 days per turn, not on weekends" in words(answer.response), "another clock keeps them"
    await stage.ada.click(answer.response, label="Challenge")
    assert (await stage.client.context.queries.match(MatchId(1))).clock == "7dw"
    assert "7 days per turn, not on weekends" in words(stage.last())
    again = await detailed(stage, game="warp6", clock="1 day per turn")
    assert "1 day per turn, not on weekends" in words(again.response), "as chosen last time"
    answer = await stage.ada.select(again.response, ["-"], custom_id=button(again, "card:clock"))
    assert not any(custom_id.startswith("card:off") for custom_id in ids(answer.response))

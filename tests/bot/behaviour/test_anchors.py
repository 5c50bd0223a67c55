"""Rated matches against the computer, as players see them."""

from __future__ import annotations

import pytest
from simcord import MemberActor, UserHandle

from bot.services.servers import Servers
from tests.support.computers import chosen_by, start, turn
from tests.support.harness import Stage, ids, words
from tests.support.match_card import on_card

pytestmark = pytest.mark.computers


def computer(stage: Stage) -> MemberActor:
    """Return the bot as an opponent."""
    return MemberActor(stage.env, stage.guild, UserHandle(stage.env, stage.env.backend.bot_user))


@pytest.mark.slow
async def test_a_loss_against_the_computer_changes_the_rating(stage: Stage) -> None:
    await stage.without_threads()
    match_id = await start(stage, game="wormholes", rated=True, level="cadet")
    assert "· rated" in words(stage.last())
    assert not [custom_id for custom_id in ids(stage.last()) if custom_id.startswith("hint:")]
    while sum(mark is None for _, mark in (await chosen_by(stage)).values()) < 10:
        await turn(stage, match_id)
    confirmation = await on_card(stage, stage.ada, stage.channel, "abandon:")
    assert "It is rated: from move 8 on, this is a loss;" in words(confirmation.response)
    await stage.click(stage.ada, confirmation.response, "abandon:")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    end = words(stage.last())
    assert "Against the computer, ending a match early is a loss." in end
    assert "Ratings in Wormholes against the computer: Ada 9" in end
    assert "provisional" in end


async def test_the_card_says_what_is_agreed_to(stage: Stage) -> None:
    card = await stage.ada.slash(
        stage.channel, "play", opponent=computer(stage), game="wormholes", rated=True
    )
    text = words(card.response)
    assert "Rated: yes" in text
    assert "Rated matches have no hints. From move 8 on" in text
    assert "Clock: 3 days per turn" in text, "it needs one"
    more = await stage.click(stage.ada, card.response, "card:more")
    (custom_id,) = [
        custom_id for custom_id in ids(more.response) if custom_id.startswith("card:clock:")
    ]
    without = await stage.ada.select(more.response, ["-"], custom_id=custom_id)
    assert "Rated: no. A match against the computer needs a clock" in words(without.response)


async def test_a_server_decides_only_about_people(stage: Stage) -> None:
    await Servers(stage.database).choose(stage.guild.id, rated="on")
    card = await stage.ada.slash(stage.channel, "play", opponent=computer(stage))
    assert "Rated" not in words(card.response)
    people = await stage.ada.slash(stage.channel, "play", opponent=stage.bo)
    assert "Rated: yes" in words(people.response)
    more = await stage.click(stage.ada, people.response, "card:more")
    (custom_id,) = [
        custom_id for custom_id in ids(more.response) if custom_id.startswith("card:who:")
    ]
    against = await stage.ada.select(more.response, [computer(stage)], custom_id=custom_id)
    assert words(against.response).count("Rated: yes") == 1, "only in the list"


@pytest.mark.slow
async def test_a_match_of_three_with_computers_is_rated(stage: Stage) -> None:
    await stage.without_threads()
    await start(stage, game="warp6", seats="3", rated=True, level="cadet")
    assert "· rated" in words(stage.last())

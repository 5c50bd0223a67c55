"""With several matches a command asks which one, or offers the others below its reply."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import MatchId
from tests.support.driver import lists
from tests.support.harness import Stage, words
from tests.support.interactions import fire, payload, sentence, unchanged
from tests.support.matches import ListingQueries

pytestmark = pytest.mark.slow


@pytest.fixture
async def two(stage: Stage) -> Stage:
    """A stage with two matches between Ada and Bo."""
    await stage.begin()
    stage.clock.now += 60
    await stage.begin()
    return stage


async def undecided(stage: Stage) -> Any:
    """Return a player who is on turn in none or several matches; begin another one if needed."""
    while True:
        matches = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
        for actor in (stage.ada, stage.bo):
            if sum(match.seat_of(actor.id) in match.decisions for match in matches) != 1:
                return actor
        await stage.begin()


async def choose(stage: Stage, question: Any, number: int, actor: Any = None) -> Any:
    """Choose a match from the list."""
    entries = lists(question.response)
    custom_id = next(custom_id for custom_id in entries if custom_id.startswith("resume:"))
    assert f"{number}" in entries[custom_id]
    return await (actor or stage.ada).select(question.response, [str(number)], custom_id=custom_id)


async def test_resign_asks_about_the_latest_and_offers_others(two: Stage) -> None:
    question = await two.ada.slash(two.channel, "resign")
    assert "Resign Wormholes #2" in words(question.response)
    assert "This is Wormholes #2. The same in another match:" in words(question.response)
    confirmation = await choose(two, question, 1)
    assert "Resign Wormholes #1" in words(confirmation.response)
    assert confirmation.response.id == question.response.id
    await two.click(two.ada, confirmation.response, "resign:1:")
    statuses = [
        (await two.client.context.queries.match(MatchId(number))).status for number in (1, 2)
    ]
    assert statuses == ["finished", "running"]


async def test_list_in_another_channel_names_no_place(two: Stage) -> None:
    elsewhere = two.guild.create_text_channel("elsewhere")
    question = await two.ada.slash(elsewhere, "draw")
    assert words(question.response).startswith("You have several matches. Which one?")


async def test_list_goes_when_it_is_asked_again_or_moot(two: Stage) -> None:
    elsewhere = two.guild.create_text_channel("elsewhere")
    lists = [(await two.ada.slash(elsewhere, "draw")).response for _ in "12"]
    kept = two.env.backend.messages[elsewhere.id]
    assert [message.id in kept for message in lists] == [False, True]
    await two.ada.slash(elsewhere, "board", match=1)
    assert lists[1].id in kept, "a look decides nothing"
    await two.ada.slash(elsewhere, "draw", match=2)
    assert lists[1].id not in kept


async def test_list_goes_when_its_user_moves_by_a_click(two: Stage) -> None:
    elsewhere = two.guild.create_text_channel("elsewhere")
    mover = await two.deciding(MatchId(1))
    question = (await mover.slash(elsewhere, "draw")).response
    kept = two.env.backend.messages[elsewhere.id]
    await two.click(mover, two.board(MatchId(1)), "text:1:")
    assert question.id in kept, "a look decides nothing"
    await two.click(mover, two.board(MatchId(1)), "act:1:")
    assert question.id not in kept


async def test_command_is_about_the_match_clicked_last(two: Stage) -> None:
    await two.click(two.ada, two.board(MatchId(1)), "text:1:")
    offer = await two.ada.slash(two.channel, "draw")
    assert words(offer.response).splitlines()[1] == "You've offered a draw to Bo."
    assert "This is Wormholes #1. The same in another match:" in words(offer.response)
    assert (await two.perspective(MatchId(1))).view.offer
    again = await choose(two, offer, 2)
    assert (await two.perspective(MatchId(2))).view.offer
    assert "in another match" not in words(again.response)


async def test_reply_that_changes_its_match_follows_only_the_new_one(two: Stage) -> None:
    await two.click(two.ada, two.board(MatchId(1)), "text:1:")
    board = await two.ada.slash(two.channel, "plan")
    plan = await choose(two, board, 2)
    assert "Wormholes #2" in words(plan.response)
    mover = await two.deciding(MatchId(1))
    (action, *_) = (await two.perspective(MatchId(1), mover)).view.legal
    await mover.slash(two.channel, "do", action=action.notation, match=1)
    await two.env.settle()
    kept = two.env.backend.get_message(two.channel.id, plan.response.id)
    assert "plan:2:" in str(kept.components)


@pytest.mark.parametrize("number", [1, 2])
async def test_draw_goes_on_from_the_list(two: Stage, number: int) -> None:
    question = await two.ada.slash(two.channel, "draw")
    await choose(two, question, number)
    offers = [(await two.perspective(MatchId(match_id))).view.offer for match_id in (1, 2)]
    assert [bool(offer) for offer in offers] == [number == 1, number == 2]


async def test_typed_choice_is_kept_by_the_list(two: Stage) -> None:
    actor = await undecided(two)
    question = await actor.slash(two.channel, "do", action="draw offer")
    done = await choose(two, question, 2, actor)
    assert "You've offered a draw to" in words(done.response)
    assert (await two.perspective(MatchId(2))).view.offer


async def test_board_in_words_keeps_its_option(two: Stage) -> None:
    actor = await undecided(two)
    question = await actor.slash(two.channel, "board", text=True)
    board = await choose(two, question, 1, actor)
    assert "Ships: " in words(board.response)
    assert not board.response.attachments


async def test_takeback_goes_on_from_the_list(two: Stage) -> None:
    question = await two.ada.slash(two.channel, "takeback")
    answer = await choose(two, question, 1)
    assert "take back" in words(answer.response)


async def test_list_works_after_a_restart(two: Stage) -> None:
    question = await two.ada.slash(two.channel, "resign")
    await two.restart()
    confirmation = await choose(two, question, 1)
    assert "Resign Wormholes #1" in words(confirmation.response)


FORGED = (
    "resume", "resume:", "resume:play:{}", "resume:do:[1]", 'resume:do:{"action":5}',
    'resume:do:{"x":"y"}', "resume:do:{", "resume:wormholes place:{}", "resume:games:{}",
)  # fmt: skip


async def test_forged_list_is_refused(stage: Stage) -> None:
    await stage.begin()
    for custom_id in FORGED:
        record, data = payload(stage, stage.ada, stage.last(), "hand:", custom_id)
        data["data"] |= {"component_type": 3, "values": ["1"]}
        async with unchanged(stage):
            text = sentence(await fire(stage, (record, data)))
        assert "no longer works" in text, custom_id

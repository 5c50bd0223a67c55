"""The position of the day, from `/server` to the solution with its shares."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.daily.service import DailyPositions, channel_of, closing_time, day_of
from bot.rulebook.positions import of_day
from bot.services.servers import Servers
from bot.views.choices import enter_nearest_area
from tests.support.daily import lines_of, place_of, stored
from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload, sentence
from tests.support.server_panel import check_server

pytestmark = pytest.mark.usefixtures("long_pauses")


@pytest.fixture
def square(stage: Stage) -> Any:
    """A channel for positions of the day."""
    return stage.guild.create_text_channel("square")


async def switch(stage: Stage, host: Any, channels: list[Any]) -> str:
    """Choose the channel in `/server`; return the answer."""
    panel = await host.slash(stage.channel, "server")
    answer = await host.select(panel.response, channels, custom_id="server:daily")
    await finish(stage)
    return words(answer.response)


async def finish(stage: Stage) -> None:
    """Wait until all that is due is posted."""
    job = stage.client.runtime.jobs["the position of the day"]
    await job.start()
    if job.task:
        await job.task
    await stage.env.settle()


async def pass_days(stage: Stage, days: int = 1) -> None:
    """Let time pass until the open position closes, and some days more."""
    end = closing_time(stage.clock.now)
    await stage.spend(end - stage.clock.now + (days - 1) * 86_400.0 + 1)
    await finish(stage)


async def answer(stage: Stage, actor: Any, message: Any, line: str) -> Any:
    """Answer in private, as if the choice had been found step by step."""
    panel = await stage.click(actor, message, "daily:")
    assert panel.response.ephemeral
    custom_id = next(
        custom_id for custom_id in ids(panel.response) if custom_id.startswith("answer:")
    )
    number = custom_id.split(":")[1]
    return await actor.click(panel.response, custom_id=f"answer:{number}:{line}")


def public(stage: Stage) -> dict[int, str]:
    """All that everyone can see, in every channel."""
    return {
        number: repr(vars(message))
        for kept in stage.env.backend.messages.values()
        for number, message in kept.items()
        if message.visible_to(None)
    }


@pytest.mark.slow
async def test_position_is_answered_in_private_and_solved(
    stage: Stage, host: Any, square: Any
) -> None:
    await switch(stage, host, [square])
    (question,) = square.history()
    (row,) = await stored(stage.database)
    assert "Position of the day" in words(question)
    assert len(question.attachments) == 1
    best, other, *_rest = lines_of(row)
    first_reply = await answer(stage, stage.ada, question, best)
    assert "Saved: " in words(first_reply.response)
    await answer(stage, stage.bo, question, best)
    await answer(stage, stage.bo, question, other)
    panel = await stage.click(stage.bo, question, "daily:")
    assert "Your answer so far: **" in words(panel.response)
    await pass_days(stage)
    solved, following = square.history()
    assert solved.id == question.id
    assert "**1 of 2** found it." in words(solved)
    assert "Other answers: 1 × " in words(solved)
    assert "What's best?" in words(following)
    reply = await stage.click(stage.ada, solved, "daily:")
    assert "You found it!" in words(reply.response)
    reply = await stage.click(stage.bo, solved, "daily:")
    assert "You chose **" in words(reply.response)
    reply = await stage.click(stage.eve, solved, "daily:")
    assert reply.response.ephemeral
    assert "You didn't answer this one." in words(reply.response)


@pytest.mark.slow
async def test_answers_show_in_public_only_as_shares(stage: Stage, host: Any, square: Any) -> None:
    await switch(stage, host, [square])
    (question,) = square.history()
    (row,) = await stored(stage.database)
    best, other, *_rest = lines_of(row)
    before = public(stage)
    for actor, line in ((stage.ada, best), (stage.bo, other), (stage.bo, best), (stage.eve, other)):
        replied = await answer(stage, actor, question, line)
        assert replied.response.ephemeral
        await finish(stage)
        assert public(stage) == before
    await pass_days(stage)
    posts = public(stage)
    assert "**2 of 3** found it." in posts[question.id]
    for actor, name in ((stage.ada, "Ada"), (stage.bo, "Bo"), (stage.eve, "Eve")):
        texts = [words(message) for message in square.history()]
        assert not any(name in text or f"{actor.id}" in text for text in texts)


@pytest.mark.slow
async def test_reply_does_not_tell_whether_the_answer_is_right(
    stage: Stage, host: Any, square: Any
) -> None:
    await switch(stage, host, [square])
    (question,) = square.history()
    (row,) = await stored(stage.database)
    replies = set[str]()
    for line in lines_of(row)[:3]:
        text = words((await answer(stage, stage.ada, question, line)).response)
        label = text.partition("Saved: **")[2].partition("**. Only")[0]
        assert label
        replies.add(text.replace(label, "…"))
    assert len(replies) == 1


@pytest.mark.slow
async def test_many_choices_are_narrowed_down_to_an_answer(
    stage: Stage, host: Any, square: Any
) -> None:
    while not enter_nearest_area(of_day(day_of(closing_time(stage.clock.now))).view):
        await stage.spend(86_400.0)
    await switch(stage, host, [square])
    (question,) = square.history()
    panel = await stage.click(stage.ada, question, "daily:")
    panel = await stage.click(stage.ada, panel.response, "within:")
    panel = await stage.click(stage.ada, panel.response, "answer:")
    assert "Saved: " in words(panel.response)
    (row,) = await stored(stage.database)
    kept = await stage.client.context.of(DailyPositions).answer_of(row.id, stage.ada.id)
    assert kept in {action.notation for action in place_of(row).view.legal}


async def test_resigning_is_no_answer(stage: Stage, host: Any, square: Any) -> None:
    await switch(stage, host, [square])
    (question,), (row,) = square.history(), await stored(stage.database)
    forged = payload(stage, stage.ada, question, "daily:", f"answer:{row.id}:resign")
    assert sentence(await fire(stage, forged)) == "I can't read “resign”."
    assert not await stage.client.context.of(DailyPositions).answer_of(row.id, stage.ada.id)


@pytest.mark.slow
async def test_late_click_gets_a_sentence(stage: Stage, host: Any, square: Any) -> None:
    await switch(stage, host, [square])
    (question,) = square.history()
    panel = await stage.click(stage.ada, question, "daily:")
    custom_id = next(
        custom_id for custom_id in ids(panel.response) if custom_id.startswith("answer:")
    )
    await stage.spend(closing_time(stage.clock.now) - stage.clock.now)
    too_late = await stage.click(stage.bo, question, "daily:")
    assert "its solution will be in the channel in a moment" in words(too_late.response)
    await finish(stage)
    too_late = await stage.ada.click(panel.response, custom_id=custom_id)
    assert "The day is over for this position" in words(too_late.response)
    (row, _next) = await stored(stage.database)
    assert not await stage.client.context.of(DailyPositions).answer_of(row.id, stage.ada.id)


@pytest.mark.slow
async def test_position_that_is_no_longer_kept_gets_a_sentence(
    stage: Stage, host: Any, square: Any
) -> None:
    await switch(stage, host, [square])
    (question,) = square.history()
    await switch(stage, host, [])
    await pass_days(stage, 37)
    await finish(stage)
    assert await stored(stage.database) == []
    too_late = await stage.click(stage.ada, question, "daily:")
    assert "no longer kept" in words(too_late.response)


@pytest.mark.slow
async def test_days_without_the_bot_bring_one_position(
    stage: Stage, host: Any, square: Any
) -> None:
    await switch(stage, host, [square])
    await pass_days(stage, 4)
    await finish(stage)
    assert len(square.history()) == 2
    assert "There were no answers." in words(square.history()[0])


@pytest.mark.slow
async def test_switched_off_nothing_more_is_posted(stage: Stage, host: Any, square: Any) -> None:
    assert "No channel" in await switch(stage, host, [square])
    await switch(stage, host, [])
    for _day in range(2):
        await pass_days(stage)
    (only,) = square.history()
    assert "The best choice for " in words(only)


async def test_channel_without_permissions_is_refused(stage: Stage, host: Any) -> None:
    denied = discord.PermissionOverwrite(attach_files=False)
    closed = stage.guild.create_text_channel("closed", overwrites={stage.client.user: denied})
    reply = await switch(stage, host, [closed])
    assert "can't have the position of the day yet: I need Attach Files there." in reply
    assert not channel_of(await Servers(stage.database).settings(stage.guild.id))
    assert not closed.history()


@pytest.mark.slow
async def test_deleted_channel_is_told_by_the_doctor(stage: Stage, host: Any, square: Any) -> None:
    async def doctor() -> str:
        return words((await check_server(stage, host)).response).replace("\\", "")

    await switch(stage, host, [square])
    assert "#square: the position of the day works." in await doctor()
    stage.env.backend.delete_channel(square.id)
    await stage.env.settle()
    assert "The channel of the position of the day was deleted" in await doctor()
    await pass_days(stage)
    assert [row.status for row in await stored(stage.database)] == ["solved"]

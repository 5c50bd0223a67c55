"""*Publish my plan…*: private until its player publishes it, then beside the story for all."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from bot.domain.ids import MatchId, Version
from bot.features.published_plans import commands
from bot.features.published_plans.service import OrderStatus, PlannedLine, PlayersPlan
from bot.features.published_plans.views import own_plan
from bot.interactions.replies import edit_reply
from bot.services.plans import SeenPlan
from bot.storage.schema import matches, seats, written_plans
from engine.game import Action
from engine.plans import MAX_CHARACTERS, Order
from render.renderer import DEFAULT_STYLE
from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload, sentence
from tests.support.limits import check_limits
from tests.support.locales import Locales
from tests.support.match_card import card_of

pytestmark = pytest.mark.slow

PRIVATE = "Only you see this: your plan as you last wrote it."

NO_PLAN = "There's no plan of yours in this match any more."


class Ended:
    """A finished match of Warp 6: its number, the player with a plan, and the opponent."""

    def __init__(self, stage: Stage, number: MatchId, owner: Any, other: Any) -> None:
        self.stage, self.id, self.owner, self.other = stage, number, owner, other

    @property
    def readers(self) -> tuple[Any, Any, Any]:
        return self.owner, self.other, self.stage.eve

    async def card(self, actor: Any) -> Any:
        return await card_of(self.stage, actor, self.stage.channel, self.id, "replay")

    async def click(self, actor: Any, start: str) -> Any:
        """Click a button of the card."""
        return await self.stage.click(actor, (await self.card(actor)).response, start)

    async def step(self, step: str) -> Any:
        """The owner opens the plan from the card and clicks a button of it."""
        opened = await self.click(self.owner, "ownplan:")
        return await self.stage.click(self.owner, opened.response, f"ownplan:{self.id}:{step}")


async def ended(stage: Stage, **options: Any) -> Ended:
    """A match ends in which one of two orders of a plan was carried out."""
    return await ended_match(stage, await stage.begin(game="warp6", **options))


async def ended_match(stage: Stage, match_id: MatchId) -> Ended:
    """See `ended`, about a match that has begun."""
    first = await stage.deciding(match_id)
    owner = stage.bo if first is stage.ada else stage.ada
    match = (await stage.perspective(match_id)).match
    mine, theirs = (match.seat_of(actor.id).lower() for actor in (owner, first))
    orders = f"place {mine}8a or place {mine}8b\nif {theirs}8b: place {mine}6a"
    services = stage.client.context
    number = 10 * match_id
    await services.plans.write(number, match_id, owner.id, orders, SeenPlan(Version(0)))
    await services.matches.act(number + 1, match_id, first.id, f"place {theirs}8a")
    await services.matches.act(number + 2, match_id, first.id, "resign")
    await stage.computers()
    return Ended(stage, match_id, owner, first)


def buttons_of(message: Any) -> list[str]:
    """The custom_ids that lead to plans."""
    return [name for name in ids(message) if name.startswith(("ownplan:", "seatplan:"))]


async def beside_the_story(match: Ended, actor: Any) -> list[list[str]]:
    """The buttons to plans on the card, in the replay and in *What happened?*."""
    stage = match.stage
    since = payload(stage, actor, stage.last(), "", f"since:{match.id}")
    rows: list[list[str]] = []
    for answer in (
        match.card(actor),
        actor.slash(stage.channel, "replay", match=match.id),
        fire(stage, since),
    ):
        response = (await answer).response  # the next one replaces it
        assert response.ephemeral
        rows.append(buttons_of(response))
    return rows


async def test_two_clicks_publish_a_plan_to_all_who_see_the_match(stage: Stage) -> None:
    match = await ended(stage)
    opened = await match.click(match.owner, "ownplan:")
    assert opened.response.ephemeral
    assert PRIVATE in words(opened.response)
    published = await stage.click(match.owner, opened.response, f"ownplan:{match.id}:publish")
    text = words(published.response)
    assert "your plan**\n1. Place ◆A or Place ◆B – **played: Place ◆A**\n2. If " in text
    assert "Place ■A – not reached\n-# Published: everyone who can see this match" in text
    assert PRIVATE not in text
    for reader in (match.other, stage.eve):
        answer = await match.click(reader, "seatplan:")
        assert answer.response.ephemeral
        assert f"{stage.name(match.owner)}'s plan**\n1. Place ◆A or Place" in words(answer.response)
        assert "– not reached" in words(answer.response)
        assert buttons_of(answer.response) == []


@pytest.mark.slow
async def test_buttons_stand_beside_the_story_for_those_who_may_read(stage: Stage) -> None:
    match = await ended(stage)
    seat = (await stage.perspective(match.id)).match.seat_of(match.owner.id)
    for_owner, for_others = [f"ownplan:{match.id}"], [f"seatplan:{match.id}:{seat}"]
    for reader in match.readers:
        expected = for_owner if reader is match.owner else []
        assert await beside_the_story(match, reader) == [expected] * 3
    await match.step("publish")
    for reader in match.readers:
        expected = for_owner if reader is match.owner else for_others
        assert await beside_the_story(match, reader) == [expected] * 3
    await match.step("unpublish")
    for reader in match.readers:
        expected = for_owner if reader is match.owner else []
        assert await beside_the_story(match, reader) == [expected] * 3


async def test_story_says_what_the_plan_had_foreseen(stage: Stage) -> None:
    match = await ended(stage)
    page = await stage.eve.slash(stage.channel, "replay", match=match.id)
    texts = [words(page.response)]
    while (steps := [name for name in ids(page.response) if ":Next" in name]) and len(texts) < 9:
        page = await stage.eve.click(page.response, custom_id=steps[0])
        texts.append(words(page.response))
        if "resign" in texts[-1]:
            break
    assert any("(foreseen in a plan)" in text for text in texts)


@pytest.mark.slow
async def test_plan_can_be_unpublished_and_deleted(stage: Stage) -> None:
    match = await ended(stage)
    await match.step("publish")
    answer = await match.card(match.other)
    unpublished = await match.step("unpublish")
    assert PRIVATE in words(unpublished.response)
    late = await stage.click(match.other, answer.response, "seatplan:")
    assert "This plan isn't published any more." in words(late.response)
    deleted = await match.step("delete")
    assert "Your plan is deleted." in words(deleted.response)
    for reader in match.readers:
        assert await beside_the_story(match, reader) == [[], [], []]
    late = payload(stage, match.owner, stage.last(), "", f"ownplan:{match.id}:publish")
    assert NO_PLAN in sentence(await fire(stage, late))


@pytest.mark.slow
@pytest.mark.slow
async def test_plan_is_published_while_its_series_goes_on(stage: Stage) -> None:
    """Each match of a series has plans of its own, and keeps them private until its end."""
    match = await ended(stage, series=2)
    next_id = MatchId(match.id + 1)
    challenge = next(m for m in reversed(stage.public()) if f"accept:{next_id}" in ids(m))
    for player in (match.owner, match.other):
        await stage.click(player, challenge, f"accept:{next_id}")
    await match.step("publish")
    for reader in (match.other, stage.eve):
        answer = await match.click(reader, "seatplan:")
        assert f"{stage.name(match.owner)}'s plan**\n1. Place" in words(answer.response)
        now = await card_of(stage, reader, stage.channel, next_id)
        assert buttons_of(now.response) == []
    later = await ended_match(stage, next_id)
    for reader in later.readers:
        assert buttons_of((await later.card(reader)).response) == (
            [f"ownplan:{next_id}"] if reader is later.owner else []
        )
        assert buttons_of((await match.card(reader)).response) != []


@pytest.mark.slow
@pytest.mark.parametrize("by_owner", [False, True])
async def test_published_plan_is_read_despite_a_block(stage: Stage, by_owner: bool) -> None:
    """As the match itself; it reaches the other player only if that player looks."""
    match = await ended(stage)
    blocking = (match.owner, match.other) if by_owner else (match.other, match.owner)
    await stage.client.context.preferences.block(*(user.id for user in blocking))
    count = len(stage.public())
    await match.step("publish")
    await stage.ping()
    assert len(stage.public()) == count
    answer = await match.click(match.other, "seatplan:")
    assert f"{stage.name(match.owner)}'s plan**\n1. Place" in words(answer.response)
    await match.step("unpublish")
    assert buttons_of((await match.card(match.other)).response) == []


async def test_plan_can_be_published_after_a_restart(stage: Stage) -> None:
    match = await ended(stage)
    opened = await match.click(match.owner, "ownplan:")
    await stage.restart()
    await stage.click(match.owner, opened.response, f"ownplan:{match.id}:publish")
    assert len(buttons_of((await match.card(match.other)).response)) == 1


async def test_answer_comes_after_the_change_is_stored(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await ended(stage)
    stored: list[list[bool]] = []

    async def read_first(*answer: Any) -> None:
        async with stage.database.read() as connection:
            rows = await connection.execute(select(written_plans.c.published_at))
            stored.append([at is not None for (at,) in rows])
        await edit_reply(*answer)

    monkeypatch.setattr(commands, "edit_reply", read_first)
    for step in ("publish", "unpublish", "delete"):
        await match.step(step)
    assert stored == [[True], [False], []]


@pytest.mark.first(test=1)
@pytest.mark.parametrize("step", ["show", "publish", "unpublish", "delete"])
async def test_forged_click_changes_no_other_plan(stage: Stage, step: str) -> None:
    match = await ended(stage)
    for actor in (match.other, stage.eve):
        custom_id = f"ownplan:{match.id}:{step}".removesuffix(":show")
        answer = await fire(stage, payload(stage, actor, stage.last(), "", custom_id))
        assert NO_PLAN in sentence(answer)
    async with stage.database.read() as connection:
        (row,) = (await connection.execute(select(written_plans))).all()
    assert (row.user_id, row.published_at) == (match.owner.id, None)


@pytest.mark.parametrize("published_at", [None, 1.0])
async def test_forged_click_reads_no_private_plan(stage: Stage, published_at: float | None) -> None:
    match = await ended(stage)
    async with stage.database.write() as connection:
        await connection.execute(update(written_plans).values(published_at=published_at))
    seat = (await stage.perspective(match.id)).match.seat_of(match.owner.id)
    for actor in (match.other, stage.eve):
        for wanted in (seat, "X"):
            custom_id = f"seatplan:{match.id}:{wanted}"
            answer = await fire(stage, payload(stage, actor, stage.last(), "", custom_id))
            is_shown = bool(published_at) and wanted == seat
            assert ("Place ◆A" in words(answer.response)) == is_shown
            assert ("isn't published any more" in words(answer.response)) != is_shown


@pytest.mark.first(test=1)
@pytest.mark.parametrize("kind", ["ownplan:{id}", "ownplan:{id}:publish", "seatplan:{id}:B"])
async def test_match_in_progress_shows_no_plan(stage: Stage, kind: str) -> None:
    match = await ended(stage)
    async with stage.database.write() as connection:
        await connection.execute(update(written_plans).values(published_at=1.0))
        await connection.execute(update(matches).values(status="running"))
        await connection.execute(update(seats).values(ended_at=None))
    for actor in match.readers:
        answer = await fire(
            stage, payload(stage, actor, stage.last(), "", kind.format(id=match.id))
        )
        assert "This match isn't over yet" in sentence(answer)
        card = await card_of(stage, actor, stage.channel, match.id)
        assert buttons_of(card.response) == []


@pytest.mark.slow
async def test_plan_speaks_german(stage: Stage, locales: Locales) -> None:
    match = await ended(stage)
    locales |= {match.owner.id: "de", match.other.id: "de"}
    opened = await match.click(match.owner, "ownplan:")
    assert "Das siehst nur du" in words(opened.response)
    await stage.click(match.owner, opened.response, f"ownplan:{match.id}:publish")
    text = words((await match.click(match.other, "seatplan:")).response)
    assert f"Plan von {stage.name(match.owner)}**" in text
    assert "**gespielt: " in text
    assert "– nicht erreicht" in text


async def test_longest_plan_fits_into_a_message(stage: Stage) -> None:
    match = await ended(stage)
    perspective = await stage.perspective(match.id, match.owner)
    action = Action.parse(f"{perspective.seat} place {perspective.seat.lower()}8a")
    count = MAX_CHARACTERS // len(action.notation)
    line = PlannedLine(Order((action,) * 12, ("y8a",) * 9), OrderStatus.NOT_REACHED)
    message = own_plan(perspective, PlayersPlan("B", [line] * count, False), DEFAULT_STYLE)
    check_limits(message)

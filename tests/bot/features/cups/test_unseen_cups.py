"""Visibility of cups: each condition, without a connection to Discord."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.app.registry import HANDLERS
from bot.domain.ids import UserId
from bot.features.cups import commands as cups
from bot.features.cups.ids import (
    CupJoinId,
    CupLeaveId,
    CupMineId,
    CupStartId,
    CupStatusId,
    CupWithdrawId,
)
from bot.features.cups.offers import joinable_cups
from bot.features.cups.service import Cups
from bot.interactions.replies import UserError
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import EVE, MatchFixture
from tests.support.visitors import HIDDEN, INSIDER, OPEN, Server

MANAGER = discord.Permissions(manage_guild=True)

NO_CUP = "There is no such cup"


@pytest.fixture
def server() -> Server:
    return Server()


def context_of(env: MatchFixture) -> Any:
    """Return a context with which cups are read."""
    return SimpleNamespace(of={Cups: env.cups}.__getitem__)


async def hidden_cup(env: MatchFixture, **fields: Any) -> int:
    """Open a cup of two players in a channel that Eve cannot see."""
    return await CupFixture(env).create(2, channel_id=HIDDEN, **fields)


@pytest.mark.parametrize(
    ("user_id", "rights", "seen"),
    [
        (EVE, discord.Permissions.none(), False),
        (EVE, discord.Permissions(manage_channels=True), False),
        (EVE, MANAGER, True),
        (INSIDER, discord.Permissions.none(), True),
        (ORGANISER, discord.Permissions.none(), True),
        (user(1), discord.Permissions.none(), True),
    ],
)
async def test_hidden_cup_is_for_its_people_and_managers(
    env: MatchFixture, server: Server, user_id: UserId, rights: discord.Permissions, seen: bool
) -> None:
    cup_id, context = await hidden_cup(env), context_of(env)
    interaction = server.interaction(user_id, permissions=rights)
    rows = await env.cups.of_server(GUILD)
    assert await cups._visible(context, interaction, rows) == ({cup_id: "Spring"} if seen else {})
    for number in (cup_id, None):  # named, and by default
        if seen:
            assert (await cups._cup(context, interaction, number)).row.id == cup_id
        else:
            with pytest.raises(UserError, match=NO_CUP):
                await cups._cup(context, interaction, number)


async def test_default_cup_is_the_latest_of_those_seen(env: MatchFixture, server: Server) -> None:
    open_cup = await CupFixture(env).create(2, channel_id=OPEN)
    hidden = await hidden_cup(env)
    context = context_of(env)
    assert (await cups._cup(context, server.interaction(EVE), None)).row.id == open_cup
    assert (await cups._cup(context, server.interaction(INSIDER), None)).row.id == hidden


@pytest.mark.parametrize("user_id", [EVE, INSIDER, ORGANISER])
async def test_cup_of_another_server_is_not_seen(
    env: MatchFixture, server: Server, user_id: UserId
) -> None:
    cup_id = await hidden_cup(env, guild_id=GUILD + 1)
    interaction = server.interaction(user_id, HIDDEN, permissions=MANAGER)
    with pytest.raises(UserError, match=NO_CUP):
        await cups._cup(context_of(env), interaction, cup_id)


async def test_proposals_leave_out_hidden_cups(env: MatchFixture, server: Server) -> None:
    await hidden_cup(env)
    for user_id, names in ((EVE, []), (INSIDER, ["Spring"])):
        choices = await cups._names(context_of(env))(server.interaction(user_id), "")
        assert [choice.name for choice in choices] == names


async def test_click_on_a_hidden_cup_answers_as_if_none(env: MatchFixture, server: Server) -> None:
    clicks = (CupJoinId, CupLeaveId, CupMineId, CupStartId, CupStatusId)
    for cup_id in (await hidden_cup(env), 999):
        for click in (*(kind(cup_id) for kind in clicks), CupWithdrawId(cup_id, EVE)):
            with pytest.raises(UserError, match=NO_CUP):
                await HANDLERS[type(click)](context_of(env), server.interaction(EVE), click)


async def test_games_offer_no_hidden_cup(env: MatchFixture, server: Server) -> None:
    hidden, seen = await hidden_cup(env), await CupFixture(env).create(2, channel_id=OPEN)
    for user_id, cup_ids in ((EVE, {seen}), (INSIDER, {hidden, seen})):
        offers = await joinable_cups(context_of(env), server.interaction(user_id))
        sections: Any = offers.items
        joins = {int(section.accessory.custom_id.split(":")[1]) for section in sections}
        assert joins == cup_ids

"""The channel with the position of the day: its problems, and what the check says of it."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bot.domain.ids import ChannelId
from bot.features.daily.server_options import channel_problem, check_channel
from bot.interactions.context import Context
from bot.interactions.permissions import START_PERMISSIONS
from bot.services.servers import ServerSettings
from tests.support.guilds import channel, forum, me, without


@pytest.mark.parametrize(("name", "words"), START_PERMISSIONS.items())
def test_each_missing_permission_is_named(name: str, words: str) -> None:
    problem = channel_problem(me(channel(bot=without(name))), ChannelId(1))
    assert problem == f"#games: there is no position of the day; I need {words}."


def test_channel_that_is_gone_is_named() -> None:
    assert channel_problem(me(channel()), ChannelId(1)) == ""
    assert "was deleted" in channel_problem(me(None), ChannelId(1))
    assert "was deleted" in channel_problem(me(forum()), ChannelId(1))


def context_with(channel_id: int) -> Any:
    settings = ServerSettings.of({"daily": channel_id} if channel_id else {})
    servers = Mock(settings=AsyncMock(return_value=settings))
    return Mock(spec=Context, servers=servers)


async def test_doctor_checks_the_chosen_channel() -> None:
    (works,) = await check_channel(context_with(6), me(channel()), None)
    assert works == ("#games: the position of the day works.", False, False)
    (gone,) = await check_channel(context_with(6), me(None), None)
    assert gone.problem
    assert not gone.fatal, "matches can be played all the same"


@pytest.mark.parametrize(("channel_id", "only"), [(0, None), (6, ChannelId(6)), (6, ChannelId(7))])
async def test_doctor_names_it_only_when_all_is_checked(
    channel_id: int, only: ChannelId | None
) -> None:
    assert not await check_channel(context_with(channel_id), me(None), only)

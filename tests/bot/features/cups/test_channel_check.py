"""Which problems of cups the check of the server names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.ids import ChannelId
from bot.features.cups.channel_check import channel_problem, check_channels
from bot.features.cups.service import Actor, Cups
from tests.support.cups import CHANNEL, ORGANISER, CupFixture
from tests.support.fake_objects import GUILD
from tests.support.guilds import channel, me, without
from tests.support.matches import MatchFixture


def test_channel_of_a_cup_is_checked() -> None:
    assert channel_problem(me(channel()), "Spring", ChannelId(1)) == ""
    assert "“Spring” was deleted, archived, or hidden" in channel_problem(
        me(None), "Spring", ChannelId(1)
    )
    problem = channel_problem(me(channel(bot=without("attach_files"))), "Spring", ChannelId(1))
    assert problem.startswith("I can't update the cup “Spring”.")
    assert problem.endswith("I need Attach Files.")


@pytest.mark.parametrize(
    ("place", "channel_id", "problems"),
    [(None, None, 2), (None, CHANNEL, 0), (channel(), None, 0)],
)
async def test_unfinished_cups_are_checked_with_the_whole_server(
    env: MatchFixture, place: Any, channel_id: ChannelId | None, problems: int
) -> None:
    cup = CupFixture(env)
    await cup.create(1, name="Sign-up")
    await cup.begun(3, name="Running")
    over = await cup.create(1, name="Over")
    await cup.cups.cancel(next(env.ids), over, Actor(ORGANISER))
    await cup.create(1, name="Elsewhere", guild_id=GUILD + 1)
    bot = me(place)
    bot.guild.id = GUILD
    context: Any = SimpleNamespace(of={Cups: env.cups}.__getitem__)
    findings = await check_channels(context, bot, channel_id)
    assert len(findings) == problems
    assert all(finding.problem and not finding.fatal for finding in findings)
    names = ("Sign-up", "Running")
    assert all(any(name in finding.text for name in names) for finding in findings)

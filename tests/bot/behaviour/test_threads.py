"""A match is played in a thread of its own, in the channel, or in the place it is moved to."""

from __future__ import annotations

from random import Random
from typing import Any

import discord
import pytest

from bot.domain.ids import MatchId
from bot.services.servers import Servers
from tests.support.driver import by_click, by_command, play_on, silently
from tests.support.harness import Stage, ids, words
from tests.support.match_card import forged_on_card, on_card

pytestmark = pytest.mark.slow


@pytest.fixture
async def club(stage: Stage) -> Stage:
    """A stage on which matches get threads."""
    await Servers(stage.database).choose(stage.guild.id, threads="on")
    return stage


async def test_a_match_gets_a_thread_with_the_names_of_its_players(club: Stage) -> None:
    match_id = await club.begin()
    (thread,) = club.channel.threads
    assert thread.name == f"Wormholes #{match_id}: Bo – Ada" or thread.name.endswith("Ada – Bo")
    club.where = thread
    assert any(a.filename == "board.png" for a in club.last(thread).attachments)
    assert not any(a.filename == "board.png" for m in club.public() for a in m.attachments)
    await play_on(club, match_id, Random(1), ways=(by_click, by_command), limit=6)
    assert (await club.client.context.queries.match(match_id)).channel_id == thread.id


async def test_without_the_permission_it_stays_in_the_channel(club: Stage) -> None:
    club.channel = club.guild.create_text_channel(
        "narrow",
        overwrites={club.env.bot.user: discord.PermissionOverwrite(create_public_threads=False)},
    )
    await club.begin()
    assert not club.channel.threads
    assert any(i.startswith("hand:") for i in ids(club.last()))


@pytest.mark.parametrize(("status", "code"), [(400, 160004), (500, 0)])
async def test_whatever_becomes_of_the_thread_the_board_comes_at_once(
    club: Stage, status: int, code: int
) -> None:
    """Also where Discord says that there is a thread, and then knows none."""
    club.env.inject_error(
        "POST", "/channels/*/messages/*/threads", status=status, code=code, times=None
    )
    challenge = await club.challenge()
    await club.click(club.bo, challenge, "accept:")
    match = await club.client.context.queries.match(MatchId(1))
    boards: list[Any] = [m for m in club.public() if any(i.startswith("hand:") for i in ids(m))]
    assert len(boards) == 1
    assert (match.channel_id, match.parent_channel_id) == (club.channel.id, None)


async def test_a_match_can_go_on_elsewhere(stage: Stage) -> None:
    match_id = await stage.begin()
    other = stage.guild.create_text_channel("elsewhere")
    answer = await on_card(stage, stage.ada, other, "move:")
    assert "continues here" in words(answer.response)
    assert any(i.startswith("hand:") for i in ids(other.last_message))
    assert not any(i.startswith(("act:", "menu:")) for i in ids(stage.last()))
    stranger = await forged_on_card(stage, stage.eve, stage.channel, match_id, "move:")
    assert "not playing" in words(stranger.response)


async def test_the_dice_of_a_finished_match_are_verified(stage: Stage) -> None:
    match_id = await stage.begin()
    early = await forged_on_card(stage, stage.ada, stage.channel, match_id, "verify:")
    assert "when the match is over" in words(early.response)
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=30)
    confirmation = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, confirmation.response, "resign:")
    answer = await on_card(stage, stage.eve, stage.channel, "verify:", match_id)
    assert "follow from the seed" in words(answer.response)
    assert [a.filename for a in answer.response.attachments] == [f"wormholes-{match_id}.match"]

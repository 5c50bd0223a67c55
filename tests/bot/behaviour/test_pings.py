"""A public message pings those it is for, once, and no other player."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Any, NamedTuple

import discord
import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import OutboxKind, OutboxMessage
from bot.outbox.transport import MessageFactory, Transport
from tests.support.driver import by_click, play_on, silently
from tests.support.harness import Stage, ids, pinged, play, walk, words
from tests.support.match_card import on_card
from tests.support.strategies import Strategy, ahead, racing


def silent(stage: Stage, message: Any, where: Any = None) -> bool:
    """Return whether a message arrived without a notification."""
    stored_message = stage.env.backend.get_message((where or stage.channel).id, message.id)
    return discord.MessageFlags._from_value(stored_message.flags).suppress_notifications


class Post(NamedTuple):
    """A message as it was posted: by DM to a user, or to a channel (0); pings are sorted."""

    receiver: UserId | None
    pings: tuple[int, ...]
    silent: bool


@pytest.fixture
def posts(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Post]]:
    """All messages that the outbox posts, by their kind."""
    by_kind: dict[str, list[Post]] = defaultdict(list)
    post = Transport.post

    async def record(
        self: Transport,
        channel: Any,
        queued: OutboxMessage,
        make: MessageFactory,
        receiver: UserId | None = None,
    ) -> discord.Message:
        message = make()
        by_kind[queued.kind].append(
            Post(receiver, tuple(sorted(message.pings)), message.is_silent(receiver))
        )
        return await post(self, channel, queued, make, receiver)

    monkeypatch.setattr(Transport, "post", record)
    return by_kind


@pytest.mark.slow
async def test_a_notification_reaches_only_those_who_act(
    stage: Stage, posts: dict[str, list[Post]]
) -> None:
    ada, bo = stage.ada.id, stage.bo.id
    await stage.prefer(stage.bo, turns="on")
    await play(stage.ada, stage.channel)
    await stage.click(stage.ada, stage.last(), "withdraw:")
    match_id = await stage.begin(placing="random")
    await play_on(stage, match_id, Random(2), limit=12)
    await stage.spend(DAY + 1)
    await stage.env.advance_time(30)
    confirmation = await stage.ada.slash(stage.channel, "resign", match=match_id)
    await stage.click(stage.ada, confirmation.response, "resign:")
    assert posts[OutboxKind.POST_CHALLENGE] == [
        Post(None, (), True),
        Post(None, (bo,), False),
    ]
    assert sorted(posts[OutboxKind.PRIVATE_HAND]) == [Post(ada, (), True), Post(bo, (), True)]
    assert set(posts[OutboxKind.POST_BOARD]) == {
        Post(None, (ada, bo), False),
        Post(None, (ada,), False),
        Post(None, (bo,), False),
    }
    assert set(posts[OutboxKind.TURN_DM]) == {Post(bo, (bo,), False)}
    ((_, called, is_silent),) = posts[OutboxKind.POST_RESULT]
    assert (sorted(called), is_silent) == ([ada, bo], True)
    assert silent(stage, stage.last())


@pytest.mark.slow
async def test_a_takeback_request_calls_only_the_others(
    stage: Stage, posts: dict[str, list[Post]]
) -> None:
    match_id = await stage.begin(game="warp6", setup="secret")
    for actor in (stage.ada, stage.bo):
        panel = await stage.click(actor, stage.last(), "menu:")
        await stage.click(actor, panel.response, "act:")
    await stage.bo.slash(stage.channel, "takeback", match=match_id)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    assert posts[OutboxKind.TAKEBACK_REQUEST] == [Post(None, (stage.ada.id,), False)]


@pytest.mark.slow
async def test_copies_by_dm_notify_only_the_one_who_decides(
    stage: Stage, posts: dict[str, list[Post]]
) -> None:
    challenge = await stage.challenge()
    stage.env.inject_error(
        "POST", f"/channels/{stage.channel.id}/messages", status=403, code=50001, times=None
    )
    await stage.click(stage.bo, challenge, "accept:")
    (deciding,) = posts[OutboxKind.POST_BOARD][-1].pings
    copies = {post.receiver: post.silent for post in posts[OutboxKind.POST_BOARD] if post.receiver}
    assert copies == {user_id: user_id != deciding for user_id in (stage.ada.id, stage.bo.id)}


async def test_challenge_pings_the_challenged(stage: Stage) -> None:
    assert pinged(stage, await stage.challenge()) == [stage.bo.id]


@pytest.mark.slow
async def test_end_pings_both_players_once(stage: Stage) -> None:
    match_id = await stage.begin()
    for actor in (stage.bo, stage.ada):
        before = stage.public()
        confirmation = await actor.slash(stage.channel, "resign", match=match_id)
        await stage.click(actor, confirmation.response, "resign:")
        (end,) = stage.public()[len(before) :]
        assert pinged(stage, end) == sorted([stage.ada.id, stage.bo.id])
        await stage.restart()
        await stage.env.advance_time(60)
        assert len(stage.public()) == len(before) + 1
        match_id = await stage.begin()


async def placed(stage: Stage, **options: str) -> tuple[MatchId, Any]:
    """Make a choice on a match's board; return the match and the player on turn."""
    match_id = await stage.begin(**options)
    board, first = stage.last(), await stage.deciding(match_id)
    while await stage.deciding(match_id) is first:
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    assert stage.last().id == board.id
    return match_id, await stage.deciding(match_id)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "strategy"),
    [pytest.param("wormholes", ahead, marks=pytest.mark.slow), ("warp6", racing)],
)
async def test_board_of_the_set_up_is_one_message(
    stage: Stage, game: str, strategy: Strategy
) -> None:
    match_id = await stage.begin(game=game)
    board, random = stage.last(), Random(1)
    posts = len(stage.public())
    while not (await stage.perspective(match_id)).view.turn:
        assert [message.id for message in stage.public()][posts - 1 :] == [board.id]
        assert pinged(stage, stage.public()[-1]) == pinged(stage, board)
        await play_on(stage, match_id, random, ways=(by_click,), strategy=strategy, limit=1)
    assert len(stage.public()) == posts + 1
    assert pinged(stage, stage.last()) == [(await stage.deciding(match_id)).id]


@pytest.mark.slow
async def test_who_does_not_decide_in_a_set_up_is_pinged_once(stage: Stage) -> None:
    _, actor = await placed(stage)
    board = stage.last()
    for _ in range(3):
        await stage.ping()
    ping = stage.last()
    assert [message.id for message in stage.public()][-2:] == [board.id, ping.id]
    assert pinged(stage, ping) == [actor.id]
    links = [part["url"] for part in walk(ping.components) if "url" in part]
    assert [link.endswith(f"/{stage.channel.id}/{board.id}") for link in links] == [True]
    await stage.restart()
    await stage.ping()
    assert stage.last().id == ping.id


@pytest.mark.slow
async def test_ping_is_deleted_when_its_player_has_decided(stage: Stage) -> None:
    match_id, _ = await placed(stage)
    board = stage.last()
    for _ in range(3):
        await stage.ping()
        assert stage.last().id != board.id
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
        assert stage.last().id == board.id
    await stage.ping()
    assert len([message for message in stage.public() if message.id > board.id]) == 1


@pytest.mark.slow
async def test_ping_stays_while_others_do_something_else(stage: Stage) -> None:
    match_id, actor = await placed(stage)
    await stage.ping()
    ping = stage.last()
    await stage.ada.slash(stage.channel, "vacation", days=2)
    await stage.ada.slash(stage.channel, "vacation", days=0)
    assert stage.last().id == ping.id
    assert await stage.deciding(match_id) is actor


@pytest.mark.slow
async def test_takeback_before_the_ping_spares_it(stage: Stage) -> None:
    match_id, other = await placed(stage)
    actor = next(actor for actor in (stage.ada, stage.bo) if actor is not other)
    board = stage.last()
    await actor.slash(stage.channel, "takeback")
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=1)
    await stage.ping()
    (ping,) = [message for message in stage.public() if message.id > board.id]
    assert pinged(stage, ping) == [other.id]


@pytest.mark.slow
async def test_board_posted_again_replaces_the_ping(stage: Stage) -> None:
    _, actor = await placed(stage)
    await stage.ping()
    ping = stage.last()
    await stage.spend(DAY + 1)
    await stage.env.advance_time(30)
    reminder = stage.last()
    assert pinged(stage, reminder) == [actor.id]
    assert ping.id not in [message.id for message in stage.public()]
    await stage.ping()
    assert stage.last().id == reminder.id


@pytest.mark.slow
async def test_deleted_board_is_posted_with_the_only_ping(stage: Stage) -> None:
    match_id, actor = await placed(stage)
    stage.env.backend.delete_message(stage.channel.id, stage.last().id)
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=1)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    board = stage.last()
    other = await stage.deciding(match_id)
    assert other is not actor
    assert pinged(stage, board) == [other.id]
    await stage.ping()
    assert stage.last().id == board.id


@pytest.mark.slow
async def test_moved_board_has_the_only_ping(stage: Stage) -> None:
    match_id, actor = await placed(stage)
    await stage.ping()
    ping, lounge = stage.last(), stage.guild.create_text_channel("lounge")
    await on_card(stage, actor, lounge, "move:", match_id)
    assert ping.id not in [message.id for message in stage.public()]
    await stage.ping()
    assert len(lounge.history()) == 1


@pytest.mark.slow
async def test_reminder_pings_the_one_who_decides(stage: Stage) -> None:
    match_id = await stage.begin()
    actor, before = await stage.deciding(match_id), stage.last().id
    await stage.spend(DAY + 1)
    await stage.env.advance_time(30)
    reminder = stage.last()
    assert reminder.id != before
    assert pinged(stage, reminder) == [actor.id]


@pytest.mark.slow
async def test_board_without_read_history_posts_nothing(stage: Stage) -> None:
    match_id = await stage.begin()
    before = [message.id for message in stage.public()]
    stage.env.inject_error("GET", "/channels/*/messages/*", status=403, code=50001, times=None)
    for _ in range(2):
        await stage.bo.slash(stage.channel, "board", match=match_id)
    assert [message.id for message in stage.public()] == before


@pytest.mark.slow
async def test_match_without_read_history_is_not_begun(stage: Stage) -> None:
    match_id = await stage.begin()
    forbidden = discord.PermissionOverwrite(read_message_history=False)
    narrow = stage.guild.create_text_channel("narrow", overwrites={stage.env.bot.user: forbidden})
    challenge = await play(stage.ada, narrow, opponent=stage.bo)
    moved = await on_card(stage, stage.ada, narrow, "move:", match_id)
    for answer in (challenge, moved):
        assert "missing: Read Message History" in words(answer.response)
    assert stage.last(narrow) is None
    assert any(custom_id.startswith("hand:") for custom_id in ids(stage.last()))

"""Threads of matches: created if Discord answers soon, and never at the cost of the board."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import update

from bot.discord_errors import HAS_THREAD
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import Match, MatchStatus
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, PostedKind, SentCopy
from bot.domain.terms import Terms
from bot.outbox.threads import THREAD_ATTEMPTS, ThreadNames, start_thread
from bot.services.deliveries import MessageState
from bot.services.servers import Servers
from bot.storage.schema import outbox
from bot.views.names import title_of
from tests.support.deliveries import CHANNEL, DeliveryFixture, accept, ask
from tests.support.fake_objects import BOT, GUILD, dm
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture

THREAD = ChannelId(900)
"""A thread that was there before."""


@pytest.mark.parametrize("failures", [THREAD_ATTEMPTS - 1, THREAD_ATTEMPTS])
async def test_thread_is_tried_several_times(delivery: DeliveryFixture, failures: int) -> None:
    delivery.fake.text_channels.add(CHANNEL)
    await Servers(delivery.env.database).choose(GUILD, threads="on")
    match_id = await ask(delivery)
    delivery.fake.resets_thread_requests = True
    await accept(delivery, match_id)
    for _ in range(failures - 1):
        assert ("start_thread", "waiting") in await delivery.left()
        assert not delivery.moments(match_id)
        delivery.env.now += 300.0
        await delivery.worker.flush()
    delivery.fake.resets_thread_requests = False
    delivery.env.now += 300.0
    await delivery.worker.flush()
    match = await delivery.env.queries.match(match_id)
    is_late = failures == THREAD_ATTEMPTS
    assert match.parent_channel_id == (None if is_late else CHANNEL)
    assert delivery.moments(match_id, match.channel_id) == ["1"]
    assert await delivery.left() == []


async def test_challenge_by_dm_gets_no_thread(delivery: DeliveryFixture) -> None:
    delivery.fake.text_channels.add(CHANNEL)
    await Servers(delivery.env.database).choose(GUILD, threads="on")
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    match_id = await ask(delivery)
    assert len(delivery.fake.texts(dm(ADA))) == 1
    await accept(delivery, match_id)
    assert delivery.fake.threads_asked == 0
    assert await delivery.left() == []


async def test_challenge_in_the_thread_of_a_match_gets_none(delivery: DeliveryFixture) -> None:
    """The next match of the same players continues there."""
    env = delivery.env
    terms = Terms(game="wormholes", guild_id=GUILD, channel_id=THREAD, parent_channel_id=CHANNEL)
    outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="O")
    await delivery.worker.flush()
    await accept(delivery, outcome.match_id)
    assert delivery.fake.threads_asked == 0
    assert delivery.moments(outcome.match_id, THREAD) == ["1"]
    assert await delivery.left() == []


async def test_retry_for_a_match_by_dm_asks_for_no_thread(delivery: DeliveryFixture) -> None:
    """The process that tried it first was killed."""
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO)
    async with delivery.env.database.write() as connection:
        statement = update(outbox).where(outbox.c.kind == OutboxKind.START_THREAD)
        await connection.execute(statement.values(attempts=1, first_attempt_at=delivery.env.now))
    await delivery.worker.flush()
    assert delivery.fake.threads_asked == 0
    assert delivery.moments(match_id) == ["1"]
    assert await delivery.left() == []


@pytest.mark.parametrize("answer", ["reset", "none", "refused", "created", "exists"])
async def test_start_of_a_thread_returns_whether_it_exists(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    match_id = await ask(delivery)
    match = await delivery.env.queries.match(match_id)
    if answer == "none":
        monkeypatch.setattr("bot.outbox.threads.THREAD_TIMEOUT_SECONDS", 0.01)
        delivery.fake.thread_gate = asyncio.Event()
    delivery.fake.resets_thread_requests = answer == "reset"
    message_id = max(delivery.fake.channels[CHANNEL])
    code = {"refused": 50013, "exists": HAS_THREAD}.get(answer)
    delivery.fake.thread_refusal = None if code is None else (400, code)
    kind, tries = OutboxKind.START_THREAD, THREAD_ATTEMPTS
    queued = OutboxMessage(1, match_id, EVERYONE, kind, {}, tries, delivery.env.now, "key")
    exists = await start_thread(delivery.client, queued, match, message_id)
    assert exists == (answer in {"created", "exists"})


class Threads:
    """A client with one thread, which notes the names that it is given."""

    def __init__(self, match: Match, **attributes: Any) -> None:
        me = SimpleNamespace(id=BOT)
        about = {"id": THREAD, "owner_id": BOT, "archived": False, "guild": SimpleNamespace(me=me)}
        about |= {"name": f"{title_of(match)}: Al – Bo"} | attributes
        self.thread = SimpleNamespace(**about)
        self.asked: list[str] = []
        self.error: Exception | None = None
        self.http = SimpleNamespace(edit_channel=self.edit_channel)

    def get_guild(self, _number: int) -> Any:
        return SimpleNamespace(get_thread={THREAD: self.thread}.get)

    async def edit_channel(self, _number: int, *, name: str) -> None:
        self.asked.append(name)
        if self.error:
            raise self.error


@pytest.mark.parametrize(
    ("attributes", "renamed"),
    [
        ({}, True),
        ({"name": "Wormholes #1: Ada – Bo"}, False),
        ({"name": "Grand final"}, False),
        ({"owner_id": ADA}, False),
        ({"archived": True}, False),
    ],
)
async def test_own_thread_gets_the_names_of_today(
    env: MatchFixture, attributes: dict[str, Any], renamed: bool
) -> None:
    match = await env.queries.match(await env.ask())
    client: Any = Threads(match, **attributes)
    await ThreadNames(client).update(match, THREAD)
    await ThreadNames(client).update(match, ChannelId(THREAD + 1))
    assert client.asked == (["Wormholes #1: Ada – Bo"] if renamed else [])


@pytest.mark.parametrize(("status", "times"), [(403, 1), (400, 1), (429, 2), (503, 2)])
async def test_refused_name_is_not_asked_for_again(
    env: MatchFixture, status: int, times: int
) -> None:
    match = await env.queries.match(await env.ask())
    client: Any = Threads(match)
    answer: Any = SimpleNamespace(status=status, reason="no")
    client.error = discord.HTTPException(answer, None)
    names = ThreadNames(client)
    for _ in range(2):
        await names.update(match, THREAD)
    assert len(client.asked) == times


@pytest.mark.parametrize("error", [TimeoutError(), OSError(), discord.RateLimited(60.0)])
async def test_name_that_is_not_confirmed_is_asked_for_again(
    env: MatchFixture, error: Exception
) -> None:
    match = await env.queries.match(await env.ask())
    client: Any = Threads(match)
    client.error, names = error, ThreadNames(client)
    for _ in range(2):
        await names.update(match, THREAD)
    assert len(client.asked) == 2


@pytest.mark.parametrize(
    ("kind", "status", "named"),
    [
        (OutboxKind.POST_BOARD, MatchStatus.RUNNING, [CHANNEL]),
        (OutboxKind.EDIT_BOARD, MatchStatus.RUNNING, [CHANNEL]),
        (OutboxKind.POST_BOARD, MatchStatus.FINISHED, []),
        (OutboxKind.EDIT_BOARD, MatchStatus.CLOSED, []),
        (OutboxKind.TURN_DM, MatchStatus.RUNNING, []),
        (OutboxKind.START_POST, MatchStatus.CHALLENGE, []),
    ],
)
async def test_thread_of_a_match_or_its_post_is_named(
    delivery: DeliveryFixture,
    monkeypatch: pytest.MonkeyPatch,
    kind: OutboxKind,
    status: MatchStatus,
    named: list[int],
) -> None:
    """A thread in which the match is over keeps its name."""
    sender, thread_ids = delivery.sender, list[int]()

    async def update(_match: Match, thread_id: int) -> None:
        thread_ids.append(thread_id)

    monkeypatch.setattr(sender._thread_names, "update", update)
    match = SimpleNamespace(status=status, channel_id=CHANNEL)
    posted = {PostedKind.POST: MessageState((SentCopy(None, THREAD, THREAD),))}
    read: Any = SimpleNamespace(match=match, posted=posted)
    await sender._update_names(
        OutboxMessage(1, MatchId(1), EVERYONE, kind, {}, 1, 0.0, "key"), read
    )
    assert thread_ids == named

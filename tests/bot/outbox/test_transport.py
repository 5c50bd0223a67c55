"""Messages are recognised by their mark and author; pauses are those that Discord asks for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import ui
from discord.utils import DISCORD_EPOCH
from multidict import CIMultiDict

from bot.clicked_messages import ClickedMessages
from bot.discord_errors import TOO_MANY_EDITS
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, PostedKind, SentCopy
from bot.outbox.refusals import Refusals
from bot.outbox.transport import (
    DISCORD_CLOCK_SKEW_SECONDS,
    NEWEST_LIMIT,
    SEARCH_AFTER_SECONDS,
    UNAUTHORIZED_PAUSE_SECONDS,
    Transport,
    is_closed,
    is_edit_limited,
    may_pass,
    pause,
)
from bot.views.message import Message, layout_of, note
from tests.support.deliveries import CHANNEL, DAYS, DeliveryFixture, posted, race
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import GUILD, PERSON
from tests.support.matches import ADA, BO
from tests.support.pings import called, hand_over


class Refusal:
    """As much of an HTTP answer as discord.py's exceptions read."""

    reason = "refused"

    def __init__(self, status: int, **headers: str) -> None:
        self.status, self.headers = status, CIMultiDict(headers)


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (503, {}, 0.0),
        (503, {"Retry-After": "120"}, 120.0),
        (503, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0.0),
        (401, {"Retry-After": "1"}, UNAUTHORIZED_PAUSE_SECONDS),
    ],
)
def test_pause_is_that_of_the_answer(status: int, headers: dict[str, str], seconds: float) -> None:
    answer: Any = Refusal(status, **headers)
    assert pause(discord.HTTPException(answer, None)) == seconds


@pytest.mark.parametrize(
    ("status", "passes"),
    [
        (400, False),
        (401, True),
        (404, False),
        (408, True),
        (409, False),
        (429, True),
        (499, False),
        (500, True),
        (503, True),
    ],
)
def test_only_errors_unrelated_to_the_request_may_pass(status: int, passes: bool) -> None:
    answer: Any = Refusal(status)
    assert may_pass(discord.HTTPException(answer, None)) == passes


@pytest.mark.parametrize(
    ("error", "code", "closed"),
    [
        (discord.Forbidden, 50013, True),
        (discord.NotFound, 10003, True),
        (discord.HTTPException, 50083, True),
        (discord.HTTPException, 50008, True),
        (discord.HTTPException, 50035, False),
    ],
)
def test_channel_is_closed_if_no_message_can_be_sent(
    error: type[discord.HTTPException], code: int, closed: bool
) -> None:
    answer: Any = Refusal(400)
    assert is_closed(error(answer, {"code": code})) == closed


def transport_of(delivery: DeliveryFixture) -> Transport:
    """Return a transport to the fake Discord, today instead of in 1970."""
    delivery.env.now = DISCORD_EPOCH / 1000 + DAYS
    refusals = Refusals(delivery.env.database)
    return Transport(delivery.client, lambda: delivery.env.now, ClickedMessages(), refusals)


def queued(tried: float) -> OutboxMessage:
    """Return a message that was first tried at a time."""
    return OutboxMessage(1, MatchId(1), EVERYONE, OutboxKind.NUDGE, {}, 2, tried, "key")


def call() -> Message:
    """Return a message that pings a player."""
    return Message(layout_of(ui.TextDisplay("hello")), pings=(ADA,))


def looks(delivery: DeliveryFixture) -> int:
    """Return the number of requests that read messages of the channel."""
    return sum(not request.nonce for request in delivery.fake.asked)


@pytest.mark.parametrize(
    ("elapsed", "is_searched"),
    [(-1.0, True), (0.0, False), (SEARCH_AFTER_SECONDS, False), (SEARCH_AFTER_SECONDS + 1, True)],
)
async def test_channel_is_searched_when_the_nonce_may_have_expired(
    delivery: DeliveryFixture, elapsed: float, is_searched: bool
) -> None:
    transport = transport_of(delivery)
    channel = transport.channel(CHANNEL, GUILD)
    sent = await transport.post(channel, queued(delivery.env.now - elapsed), call)
    assert bool(looks(delivery)) == is_searched
    assert [*delivery.fake.channels[CHANNEL]] == [sent.id]
    assert delivery.fake.pings == [{ADA}]
    assert not sent.flags.suppress_notifications


async def test_message_is_found_by_a_clock_that_was_ahead(delivery: DeliveryFixture) -> None:
    transport = transport_of(delivery)
    channel = transport.channel(CHANNEL, GUILD)
    message = queued(delivery.env.now + DISCORD_CLOCK_SKEW_SECONDS - 1)
    sent = await transport.post(channel, message, call)
    delivery.fake.chat(CHANNEL, NEWEST_LIMIT)
    assert await transport.find(channel, message) == sent


async def test_search_reads_no_messages_before_the_first_attempt(
    delivery: DeliveryFixture,
) -> None:
    transport = transport_of(delivery)
    message = queued(delivery.env.now + DISCORD_CLOCK_SKEW_SECONDS)
    delivery.fake.chat(CHANNEL, NEWEST_LIMIT)
    delivery.env.now += 1
    delivery.fake.chat(CHANNEL, NEWEST_LIMIT - 1)
    assert await transport.find(transport.channel(CHANNEL, GUILD), message) is None
    assert looks(delivery) == NEWEST_LIMIT / 100  # Discord returns at most 100 at once


@pytest.mark.parametrize(
    ("status", "code", "is_gone"), [(204, 0, True), (404, 10008, True), (403, 50013, False)]
)
async def test_delete_returns_whether_the_message_is_gone(
    delivery: DeliveryFixture, status: int, code: int, is_gone: bool
) -> None:
    transport = transport_of(delivery)
    sent = await transport.post(transport.channel(CHANNEL, GUILD), queued(0.0), call)
    if code:
        delivery.fake.edit_refusals[sent.id] = (status, code)
    assert await transport.delete(SentCopy(None, CHANNEL, sent.id), GUILD) == is_gone


async def test_message_of_another_author_is_not_taken_for_the_own(
    delivery: DeliveryFixture,
) -> None:
    match_id = await race(delivery)
    await delivery.play(match_id)
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    copied = max(delivery.fake.channels[CHANNEL])
    delivery.fake.channels[CHANNEL][copied]["author"] = PERSON
    delivery.env.now += 300.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert max(delivery.fake.channels[CHANNEL]) > copied


@pytest.mark.parametrize(
    ("status", "code", "is_kept"), [(404, 10008, False), (403, 50013, True), (204, 0, False)]
)
async def test_ping_is_remembered_until_it_is_gone(
    delivery: DeliveryFixture, status: int, code: int, is_kept: bool
) -> None:
    match_id, user = await called(delivery)
    await delivery.worker.flush()
    ping = max(delivery.fake.channels[CHANNEL])
    if code:
        delivery.fake.edit_refusals[ping] = (status, code)
    assert await hand_over(delivery, match_id) != user
    await delivery.worker.flush()
    message = await posted(delivery.env.database, match_id, PostedKind.PING)
    assert bool(message.copies) == is_kept


class Channel:
    """A DM that records its messages, their silence, and their edits."""

    def __init__(self) -> None:
        self.id = CHANNEL
        self.silent: list[bool] = []
        self.edits: list[int] = []

    async def send(self, *, silent: bool, **_fields: Any) -> Any:
        self.silent.append(silent)
        return SimpleNamespace(id=900)

    def get_partial_message(self, number: int) -> Any:
        async def edit(**_fields: Any) -> None:
            self.edits.append(number)

        return SimpleNamespace(edit=edit)


def transport_in(channel: Channel, *, clicked: bool = False) -> tuple[Transport, list[int]]:
    """Return a transport for one channel, and the servers whose refusals it stores."""
    noted: list[int] = []

    async def edit(_number: int, _changes: Any) -> bool:
        return clicked

    async def note_refusal(guild_id: GuildId, _refusal: Any) -> None:
        noted.append(guild_id)

    client: Any = SimpleNamespace(get_partial_messageable=lambda *_given, **_fields: channel)
    messages: Any = SimpleNamespace(edit=edit)
    refusals: Any = SimpleNamespace(note=note_refusal)
    return Transport(client, lambda: 0.0, messages, refusals), noted


QUEUED = OutboxMessage(1, MatchId(1), EVERYONE, OutboxKind.POST_BOARD, {}, 1, 0.0, "key")


@pytest.mark.parametrize(("receiver", "is_silent"), [(ADA, True), (BO, False), (0, False)])
async def test_dm_is_silent_for_those_who_need_not_act(receiver: UserId, is_silent: bool) -> None:
    channel: Any = Channel()
    transport, _ = transport_in(channel)
    message = note("Bo decides")._replace(pings=(BO,))
    await transport.post(channel, QUEUED, lambda: message, receiver)
    assert channel.silent == [is_silent]


@pytest.mark.parametrize("clicked", [False, True])
async def test_clicked_message_is_edited_once(clicked: bool) -> None:
    channel = Channel()
    transport, _ = transport_in(channel, clicked=clicked)
    await transport.edit(SentCopy(None, CHANNEL, 900), None, dict)
    assert channel.edits == [900] * (not clicked)


@pytest.mark.parametrize(
    ("status", "code", "is_noted"),
    [
        (400, 200000, True),
        (413, 0, True),
        (403, 50013, False),
        (404, 10003, False),
        (503, 0, False),
    ],
)
@pytest.mark.parametrize("guild_id", [None, 7])
async def test_refusal_of_an_open_channel_is_stored(
    status: int, code: int, is_noted: bool, guild_id: GuildId | None
) -> None:
    """An outage is none, and the settings of a closed channel can be read."""
    transport, noted = transport_in(Channel())
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    response: Any = SimpleNamespace(status=status, reason="")
    error = kinds.get(status, discord.HTTPException)(response, {"code": code, "message": ""})
    with pytest.raises(discord.HTTPException):
        async with transport.noting(guild_id, CHANNEL):
            raise error
    assert noted == [7] * (is_noted and guild_id is not None)


def test_only_a_limit_of_edits_is_one() -> None:
    def refused(code: int) -> discord.HTTPException:
        response: Any = SimpleNamespace(status=429, reason="")
        return discord.HTTPException(response, {"code": code, "message": ""})

    assert is_edit_limited(discord.RateLimited(60.0))
    assert is_edit_limited(refused(TOO_MANY_EDITS))
    assert not is_edit_limited(refused(0))

"""Comparing the members who can see two channels."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, UserId
from bot.features.halls.audiences import Audiences, ServerChannels
from tests.support.fake_objects import guild as guild_data
from tests.support.fake_objects import text_channel
from tests.support.tiers import sampled
from tests.support.visitors import Server

EVERYONE, RED, BLUE, BOTS, HOSTS = 2, 21, 22, 23, 24
OWN, MEMBER = 1, 77
VIEW, ADMIN = 1024, 8
INNER, OUTER = ChannelId(5), ChannelId(6)

Rules = dict[int, bool]
"""Role or user ID → whether it may see a channel."""


def role(number: int, permissions: int = 0, **fields: Any) -> dict[str, Any]:
    data = {"id": str(number), "name": "role", "permissions": str(permissions), "position": 1}
    return data | {"color": 0, "hoist": False, "managed": False, "mentionable": False} | fields


def guild(*, opens: bool = True, roles: list[dict[str, Any]] | None = None) -> discord.Guild:
    """A server whose members see channels by default, or not."""
    client = discord.Client(intents=discord.Intents.none())
    bots = role(BOTS, managed=True, tags={"bot_id": "1"})
    every = [role(EVERYONE, VIEW * opens), role(RED), role(BLUE), bots, role(HOSTS, ADMIN)]
    data: Any = guild_data(EVERYONE, "en-US") | {"roles": roles or every}
    return discord.Guild(data=data, state=client._connection)


def channels(server: discord.Guild, inner: Rules, outer: Rules) -> ServerChannels:
    channels_by_id: dict[int, Any] = {}
    for number, rules in ((INNER, inner), (OUTER, outer)):
        data: Any = text_channel(number, set(), server.id)
        data["permission_overwrites"] = [
            {
                "id": str(target),
                "type": int(target in (OWN, MEMBER)),
                "allow": str(VIEW * allowed),
                "deny": str(VIEW * (not allowed)),
            }
            for target, allowed in rules.items()
        ]
        channels_by_id[number] = discord.TextChannel(state=server._state, guild=server, data=data)
    return ServerChannels(server, channels_by_id, OWN)


def within(inner: Rules, outer: Rules, *, opens: bool = True) -> bool:
    return channels(guild(opens=opens), inner, outer).is_within(INNER, OUTER)


def test_open_channels_have_the_same_audience() -> None:
    assert within({}, {})


def test_private_channel_is_not_for_an_open_hall() -> None:
    assert not within({}, {EVERYONE: False, RED: True})
    assert within({EVERYONE: False, RED: True}, {})


def test_role_that_is_kept_out_counts() -> None:
    assert not within({}, {RED: False})
    assert within({RED: False}, {RED: False})
    assert not within({BLUE: True}, {RED: False})


def test_another_role_may_open_only_one_of_the_channels() -> None:
    private = {EVERYONE: False, RED: True}
    assert within(private, private)
    assert not within(private | {BLUE: True}, private)
    assert within(private, private | {BLUE: True})


def test_bots_and_hosts_are_no_audience() -> None:
    private = {EVERYONE: False, RED: True}
    assert within(private | {BOTS: True, HOSTS: True, OWN: True}, private)


def test_member_with_a_permission_counts() -> None:
    private = {EVERYONE: False, RED: True}
    assert not within(private | {MEMBER: True}, private)
    assert not within({}, {MEMBER: False})


def test_channel_that_was_deleted_has_no_audience() -> None:
    server = channels(guild(), {}, {})
    assert not server.is_within(INNER, ChannelId(99))
    assert not server.is_within(ChannelId(0), ChannelId(0))


@sampled(test=50, check=160, soak=4000)
def test_answer_is_that_of_discord_py_for_every_member(samples: int) -> None:
    """The sets of roles that are tried suffice, against all sets and `permissions_for`."""
    roles = [role(EVERYONE, VIEW), role(RED), role(BLUE), role(25), role(26, VIEW)]
    for case in range(samples):
        random = Random(case)
        roles[0] = role(EVERYONE, VIEW * random.randrange(2))
        server = guild(roles=roles)
        inner, outer = (
            {
                target: random.random() < 0.5
                for target in (EVERYONE, RED, BLUE, 25, MEMBER)
                if random.random() < 0.5
            }
            for _ in range(2)
        )
        both = channels(server, inner, outer)
        sees = [
            _sees(server, both, number, roles, UserId(user))
            for number, (roles, user) in product((INNER, OUTER), _members())
        ]
        half = len(sees) // 2
        expected = all(o or not i for i, o in zip(sees[:half], sees[half:], strict=True))
        assert both.is_within(INNER, OUTER) == expected, (case, inner, outer)


def _members() -> list[tuple[tuple[int, ...], int]]:
    sets = [s for size in range(5) for s in combinations((RED, BLUE, 25, 26), size)]
    return list(product(sets, (MEMBER, 78)))


def _sees(
    server: discord.Guild, both: ServerChannels, number: int, roles: Any, user: UserId
) -> bool:
    person = {"id": str(user), "username": "x", "discriminator": "0", "avatar": None}
    data: Any = {"user": person, "roles": [str(role_id) for role_id in roles], "joined_at": None}
    member = discord.Member(data=data | {"flags": 0}, guild=server, state=server._state)
    channel = both.channel(ChannelId(number))
    assert channel
    return channel.permissions_for(member).view_channel


CHANNEL, THREAD = ChannelId(5), ChannelId(900)

PUBLIC_THREAD, PRIVATE_THREAD = 11, 12
"""Discord's numbers of these types of channels."""


class Threads:
    """A client that asks Discord about a thread, and how often."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, list[int]()
        self.http = self

    async def get_channel(self, number: int) -> Any:
        self.asked.append(number)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def refused(kind: type[discord.HTTPException], status: int) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, "")


@pytest.mark.parametrize(
    ("answer", "channel"),
    [
        ({"type": PUBLIC_THREAD, "parent_id": str(CHANNEL)}, CHANNEL),
        ({"type": PRIVATE_THREAD, "parent_id": str(CHANNEL)}, 0),
        ({"type": PUBLIC_THREAD}, 0),
        (refused(discord.Forbidden, 403), 0),
        (refused(discord.NotFound, 404), 0),
    ],
)
async def test_audience_of_a_thread_is_that_of_its_channel(answer: Any, channel: int) -> None:
    """A private one has members of its own, and so may one that the bot cannot see."""
    client: Any = Threads(answer)
    audiences, server = Audiences(client, client), channels(guild(), {}, {})
    for _ in range(2):
        assert await audiences.channel_of(server, THREAD) == channel
    assert client.asked == [THREAD], "it is remembered"
    assert await audiences.channel_of(server, INNER) == INNER


@pytest.mark.parametrize("private", [False, True])
async def test_thread_that_the_gateway_described_is_not_asked_for(private: bool) -> None:
    client: Any = Threads(refused(discord.NotFound, 404))
    server = Server()
    server.add_thread(THREAD, CHANNEL, private=private)
    channels = ServerChannels(server.guild, {}, OWN)
    assert await Audiences(client, client).channel_of(channels, THREAD) == (
        0 if private else CHANNEL
    )
    assert not client.asked


async def test_outage_makes_no_thread_private() -> None:
    client: Any = Threads(refused(discord.HTTPException, 503))
    audiences, server = Audiences(client, client), channels(guild(), {}, {})
    with pytest.raises(discord.HTTPException):
        await audiences.channel_of(server, THREAD)
    client.answer = {"type": PUBLIC_THREAD, "parent_id": str(CHANNEL)}
    assert await audiences.channel_of(server, THREAD) == CHANNEL


async def test_threads_of_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.halls.audiences.MAX_THREADS", 2)
    client: Any = Threads({"type": PUBLIC_THREAD, "parent_id": str(CHANNEL)})
    audiences, server = Audiences(client, client), channels(guild(), {}, {})
    for number in (1, 2, 3, 3, 2, 1):
        await audiences.channel_of(server, ChannelId(THREAD + number))
    assert client.asked == [THREAD + number for number in (1, 2, 3, 1)]

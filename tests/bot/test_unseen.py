"""Visibility of matches: each condition, without a connection to Discord."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import discord
import pytest
from sqlalchemy import update

from bot.app.registry import HANDLERS
from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.models import Match
from bot.features.replays import commands as replays
from bot.features.replays import continuation_commands as continuations
from bot.features.rules import commands as rules_commands
from bot.interactions.board_messages import ShownBoard
from bot.interactions.match_option import find, typed_about
from bot.interactions.replies import UserError
from bot.interactions.visibility import (
    require_finished,
    sees_channel,
    visible_match,
    visible_perspective,
)
from bot.services.match_repository import NoMatchError
from bot.storage.database import Database
from bot.storage.schema import matches
from bot.views.custom_id_codec import CustomId, CustomIdError, parse
from bot.views.custom_ids import PlayOnId
from engine.game import Action
from tests.support.fake_objects import GUILD
from tests.support.harness import actor_bot
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.visitors import HIDDEN, INSIDER, OPEN, Server, not_found
from tests.verification.malformed.data import FORMS, UNKNOWN

THREAD, PRIVATE = 51, 52


@pytest.fixture
def server() -> Server:
    return Server()


def at(channel_id: int, guild_id: GuildId | None = GUILD) -> Match:
    """Return a match that has nothing but a place."""
    place: Any = SimpleNamespace(guild_id=guild_id, channel_id=channel_id)
    return place  # type: ignore[no-any-return]


# Channels


@pytest.mark.parametrize(
    ("channel", "user_id", "is_seen"),
    [(OPEN, EVE, True), (HIDDEN, EVE, False), (HIDDEN, INSIDER, True)],
)
async def test_channel_is_seen_by_permissions(
    server: Server, channel: int, user_id: UserId, is_seen: bool
) -> None:
    server.add_thread(THREAD, OPEN)
    interaction = server.interaction(user_id, THREAD)
    assert await sees_channel(interaction, at(channel)) is is_seen


async def test_channel_of_the_interaction_itself_is_seen(server: Server) -> None:
    assert await sees_channel(server.interaction(EVE, HIDDEN), at(HIDDEN))
    assert not await sees_channel(server.interaction(EVE, OPEN), at(HIDDEN))


@pytest.mark.parametrize("channel", [OPEN, HIDDEN])
async def test_channel_of_another_server_is_not_seen(server: Server, channel: int) -> None:
    assert not await sees_channel(
        server.interaction(INSIDER, channel), at(channel, GuildId(GUILD + 1))
    )
    assert not await sees_channel(server.interaction(INSIDER, channel), at(channel, None))


async def test_channel_is_not_seen_from_a_dm_or_by_a_stranger(server: Server) -> None:
    assert not await sees_channel(server.interaction(EVE, guild=None), at(OPEN))
    assert not await sees_channel(server.interaction(EVE, guild=None), at(OPEN, None))
    stranger = SimpleNamespace(id=EVE)
    assert not await sees_channel(server.interaction(EVE, user=stranger), at(OPEN))


async def test_channel_that_cannot_be_read_is_not_seen(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fetch(_guild: discord.Guild, _channel_id: int) -> Any:
        raise not_found()

    monkeypatch.setattr(discord.Guild, "fetch_channel", fetch)
    assert not await sees_channel(server.interaction(EVE), at(99))


@pytest.mark.parametrize("parent", [OPEN, HIDDEN])
async def test_public_thread_is_seen_with_its_channel(server: Server, parent: int) -> None:
    server.add_thread(THREAD, parent)
    assert await sees_channel(server.interaction(EVE), at(THREAD)) is (parent == OPEN)
    assert await sees_channel(server.interaction(INSIDER), at(THREAD))


@pytest.mark.parametrize("parent", [OPEN, HIDDEN])
async def test_private_thread_is_seen_by_its_members(
    server: Server, parent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fetch(_thread: discord.Thread, user_id: UserId) -> Any:
        if user_id != ADA:
            raise not_found()

    monkeypatch.setattr(discord.Thread, "fetch_member", fetch)
    server.add_thread(PRIVATE, parent, private=True)
    assert await sees_channel(server.interaction(ADA), at(PRIVATE)) is (parent == OPEN)
    assert not await sees_channel(server.interaction(EVE), at(PRIVATE))


async def test_private_thread_is_seen_by_moderators(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.add_thread(PRIVATE, OPEN, private=True)
    permissions = discord.Permissions(view_channel=True, manage_threads=True)
    monkeypatch.setattr(discord.TextChannel, "permissions_for", lambda *_: permissions)
    assert await sees_channel(server.interaction(EVE), at(PRIVATE))
    unseen = discord.Permissions(manage_threads=True)
    monkeypatch.setattr(discord.TextChannel, "permissions_for", lambda *_: unseen)
    assert not await sees_channel(server.interaction(EVE), at(PRIVATE))


async def test_thread_in_a_thread_is_not_seen(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fetch(_guild: discord.Guild, _channel_id: int) -> Any:
        return parent

    parent = server.add_thread(THREAD, OPEN)
    server.add_thread(PRIVATE, THREAD)
    monkeypatch.setattr(discord.Guild, "fetch_channel", fetch)
    assert await sees_channel(server.interaction(EVE), at(THREAD))
    assert not await sees_channel(server.interaction(EVE), at(PRIVATE))


@pytest.mark.parametrize(
    ("channel", "user_id", "is_seen"),
    [(OPEN, EVE, True), (HIDDEN, EVE, False), (HIDDEN, INSIDER, True)],
)
async def test_match_goes_on_only_in_a_channel_that_is_seen(
    server: Server, monkeypatch: pytest.MonkeyPatch, channel: int, user_id: UserId, is_seen: bool
) -> None:
    async def fetch(_guild: discord.Guild, member_id: UserId) -> discord.Member:
        return server.member(member_id)

    monkeypatch.setattr(discord.Guild, "fetch_member", fetch)
    direct = server.interaction(user_id, guild=None, guild_id=None)
    place = await continuations._place_of(direct, at(channel))
    assert (place is not None) is is_seen
    assert await continuations._place_of(direct, at(channel, None)) is None


@pytest.mark.parametrize(("seat", "is_seen"), [("O", True), ("D", False), ("", False)])
async def test_better_choice_is_shown_to_who_decided(seat: str, is_seen: bool) -> None:
    best = Action("O", "first", ("move",))

    async def analysis_of(_match_id: int) -> Any:
        decisions = {"O": [SimpleNamespace(place=4, best=best)]}
        return SimpleNamespace(of=lambda seat: decisions.get(seat, []))

    context: Any = SimpleNamespace(queries=SimpleNamespace(analysis=analysis_of))
    for place in (3, 4):
        better = await continuations._better(context, seat, PlayOnId(place, MatchId(1)))
        assert better == (best if is_seen and place == 4 else None)


# Matches


async def hide(env: MatchFixture, match_id: MatchId) -> None:
    """Have a match in a channel that Eve cannot see."""
    place = update(matches).where(matches.c.id == match_id)
    async with env.database.write() as connection:
        await connection.execute(place.values(guild_id=GUILD, channel_id=HIDDEN))


async def hidden_match(env: MatchFixture) -> MatchId:
    """Begin a match of Ada and Bo in a channel that Eve cannot see."""
    match_id = await env.begin()
    await hide(env, match_id)
    return match_id


def context_of(env: MatchFixture) -> Any:
    """Return a context with which matches are read."""
    return SimpleNamespace(queries=env.queries, cards=Mock(), clicks=Mock())


async def test_hidden_match_is_shown_to_its_players_alone(
    env: MatchFixture, server: Server
) -> None:
    match_id, context = await hidden_match(env), context_of(env)
    for user_id in (ADA, BO, INSIDER):
        interaction = server.interaction(user_id)
        assert (await visible_match(context, interaction, match_id)).id == match_id
        perspective = await visible_perspective(context, interaction, match_id)
        assert bool(perspective.seat) is (user_id != INSIDER)
        assert (await find(context, interaction, match_id)).id == match_id
    eve = server.interaction(EVE)
    for show in (visible_match, visible_perspective, find):
        with pytest.raises(NoMatchError):
            await show(context, eve, match_id)
    typing = server.interaction(EVE, namespace=SimpleNamespace(match=match_id))
    assert await typed_about(context, typing) is None


async def test_only_a_finished_match_is_replayed(env: MatchFixture, server: Server) -> None:
    match_id, context = await hidden_match(env), context_of(env)
    for user_id in (ADA, INSIDER):
        with pytest.raises(UserError, match="isn't over yet"):
            await require_finished(context, server.interaction(user_id), match_id)
    await env.matches.act(next(env.ids), match_id, BO, "resign")
    for user_id in (ADA, INSIDER):
        await require_finished(context, server.interaction(user_id), match_id)
    with pytest.raises(NoMatchError):
        await require_finished(context, server.interaction(EVE), match_id)


def clicks_on(match_id: MatchId) -> dict[type[CustomId], str]:
    """Return a custom_id of each kind that names a match."""
    clicks: dict[type[CustomId], str] = {}
    for form in (form for forms in FORMS.values() for form in forms):
        custom_id = form.format(m=match_id, v=1)
        with suppress(CustomIdError):
            click = parse(custom_id)
            if getattr(click, "match_id", None) == match_id:
                clicks.setdefault(type(click), custom_id)
    return clicks


def test_each_kind_of_click_on_a_match_is_tried() -> None:
    kinds = {kind for kind in HANDLERS if "match_id" in kind.__annotations__}
    assert {kind.__name__ for kind in kinds} == {kind.__name__ for kind in clicks_on(MatchId(7))}


@pytest.mark.first(test=1)
@pytest.mark.parametrize("status", ["running", "finished", "challenge"])
async def test_click_on_an_unseen_match_answers_as_if_none(database: Database, status: str) -> None:
    env = MatchFixture(database, 1000)
    match_id = await (env.ask() if status == "challenge" else env.begin())
    if status == "finished":
        await env.matches.act(next(env.ids), match_id, BO, "resign")
    await hide(env, match_id)
    bot = actor_bot(database)
    server = Server(bot)
    for number in (match_id, UNKNOWN):
        for kind, custom_id in clicks_on(MatchId(number)).items():
            click = server.interaction(EVE, data={"custom_id": custom_id})
            with pytest.raises(NoMatchError):
                await HANDLERS[kind](bot.context, click, parse(custom_id))


async def test_menu_of_a_message_shows_no_unseen_match(
    env: MatchFixture, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await hidden_match(env)
    board = ShownBoard(match_id, 0)
    message: Any = None
    for module, show in (
        (rules_commands, rules_commands._rules_of_board),
        (replays, replays._replay_from_board),
    ):
        monkeypatch.setattr(module, "board_of", lambda *_: board)
        with pytest.raises(NoMatchError):
            await show(context_of(env), server.interaction(EVE), message)

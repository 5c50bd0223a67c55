"""Who may replay, download, verify and continue a match, without a connection to Discord."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import discord
import pytest

from bot.app.registry import HANDLERS
from bot.domain.ids import MatchId, UserId
from bot.domain.terms import Terms
from bot.features.replays import continuation_commands as continuations
from bot.features.replays.continuation_commands import _Request
from bot.interactions.invocation import MatchInvocation
from bot.interactions.private_cards import PrivateCards
from bot.interactions.replies import UserError
from bot.interactions.user_limits import UserLimits
from bot.services.match_repository import NoMatchError
from bot.views.custom_ids import (
    AnimationId,
    DownloadId,
    PlayOnId,
    PlayOnTypedId,
    ReplayId,
    VerifyId,
)
from engine.game import Action, IllegalActionError
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, choose
from tests.support.visitors import HIDDEN, INSIDER, OPEN, Server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server whose members are known."""
    server = Server()

    async def member(_guild: discord.Guild, user_id: int) -> discord.Member:
        return server.member(user_id)

    monkeypatch.setattr(discord.Guild, "fetch_member", member)
    return server


def context_of(env: MatchFixture) -> Any:
    """Return a context with which matches are read; nothing is drawn or sent with it."""
    cards = PrivateCards(AsyncMock(), AsyncMock())
    clicks = env.match_store.clicks
    return SimpleNamespace(
        queries=env.queries, limits=UserLimits(), cards=cards, clicks=clicks, computers=True
    )


async def hidden_match(env: MatchFixture, *, finished: bool = True) -> MatchId:
    """Return a match of Ada and Bo in a channel that Eve cannot see, resigned by Ada."""
    terms = Terms(game="warp6", guild_id=GUILD, channel_id=HIDDEN)
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
    match_id = challenge.match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    await choose(env, match_id, await env.on_turn(match_id))
    if finished:
        await env.matches.act(next(env.ids), match_id, ADA, "resign")
    return match_id


def clicks_on(match_id: MatchId) -> Iterable[Any]:
    yield from (ReplayId(match_id, 0), DownloadId(match_id), AnimationId(match_id))
    yield from (PlayOnId(2, match_id), PlayOnId(2, match_id, "try"), PlayOnTypedId(2, match_id))


def every_click_on(match_id: MatchId) -> Iterable[Any]:
    yield from (*clicks_on(match_id), VerifyId(match_id))


@pytest.mark.parametrize("finished", [True, False])
async def test_match_in_a_hidden_channel_is_as_if_none(
    env: MatchFixture, server: Server, finished: bool
) -> None:
    for match_id in (await hidden_match(env, finished=finished), MatchId(99)):
        for click in every_click_on(match_id):
            with pytest.raises(NoMatchError):
                await HANDLERS[type(click)](context_of(env), server.interaction(EVE), click)


@pytest.mark.parametrize("user_id", [ADA, BO, INSIDER])
async def test_running_match_is_neither_replayed_nor_continued(
    env: MatchFixture, server: Server, user_id: UserId
) -> None:
    match_id, refused = await hidden_match(env, finished=False), (UserError, IllegalActionError)
    for click in clicks_on(match_id):
        with pytest.raises(refused, match="isn't over yet"):
            await HANDLERS[type(click)](context_of(env), server.interaction(user_id), click)
    with pytest.raises(UserError, match="when the match is over"):
        await HANDLERS[VerifyId](context_of(env), server.interaction(user_id), VerifyId(match_id))


async def test_match_continues_only_in_a_channel_that_the_user_sees(
    env: MatchFixture, server: Server
) -> None:
    match = await env.queries.match(await hidden_match(env))
    for user_id, is_seen in ((EVE, False), (INSIDER, True)):
        place = await continuations._place_of(server.interaction(user_id), match)
        assert isinstance(place, MatchInvocation) is is_seen


async def test_no_match_continues_where_the_bot_may_not_write(
    env: MatchFixture, server: Server
) -> None:
    click = PlayOnId(2, await hidden_match(env))
    asked = server.interaction(INSIDER, OPEN, app_permissions=discord.Permissions.none())
    with pytest.raises(UserError, match="I can't play here"):
        await continuations._request(context_of(env), asked, click)


async def test_choice_that_an_analysis_recommends_is_for_its_player(env: MatchFixture) -> None:
    match_id = await hidden_match(env)
    origin = await env.queries.origin(match_id, 2)
    best = {seat: Action(seat, "place", ("8a",)) for seat in origin.match.players}
    decisions = [SimpleNamespace(place=place, seat=seat, best=best[seat]) for place, seat in AT]
    analysis = SimpleNamespace(
        decisions=decisions, of=lambda seat: [row for row in decisions if row.seat == seat]
    )
    context = SimpleNamespace(queries=SimpleNamespace(analysis=AsyncMock(return_value=analysis)))
    for user_id, seat in ((ADA, "B"), (BO, "Y"), (EVE, "")):
        assert origin.match.seat_of(user_id) == seat
        for place, decider in AT:
            click = PlayOnId(place, match_id)
            better = await continuations._better(cast("Any", context), seat, click)
            assert better == (best[seat] if decider == seat else None)


AT = ((1, "B"), (2, "Y"), (3, "B"))
"""Numbers of actions, each with the seat that decided then."""


async def test_side_of_a_continued_match_is_one_of_its_seats(
    env: MatchFixture, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, begun = await hidden_match(env), AsyncMock()
    origin = await env.queries.origin(match_id, 2)
    asked = server.interaction(INSIDER)
    request = _Request(context_of(env), asked, origin, asked)
    monkeypatch.setattr(continuations, "_request", AsyncMock(return_value=request))
    monkeypatch.setattr(continuations, "_begin", begun)
    for side in ("X", "", "Y"):
        monkeypatch.setattr(continuations, "filled_in", lambda _, s=side: {"side": [s]})
        click = PlayOnTypedId(2, match_id)
        if side == "Y":
            await continuations._chosen(request.context, asked, click)
        else:
            with pytest.raises(UserError, match="Choose your side"):
                await continuations._chosen(request.context, asked, click)
    begun.assert_awaited_once_with(request, "Y", "", [])

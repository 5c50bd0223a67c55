"""The match that a command without one is about: the likeliest, or the user is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.interactions.command import command
from bot.interactions.match_option import (
    PRESENT_SECONDS,
    after_own_move,
    between_people,
    find,
    in_any,
    typed_about,
)
from bot.interactions.moves import _where_readable
from bot.interactions.private_cards import PrivateCards
from bot.interactions.replies import OTHER_MATCHES, UserError
from bot.services.preferences import Preferences
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture, act
from tests.support.visitors import OPEN, Server

HERE, ELSEWHERE = ChannelId(OPEN), ChannelId(99)


def context_of(env: MatchFixture) -> Any:
    """Return a context in which matches are read."""
    cards = PrivateCards(AsyncMock(), AsyncMock())
    clicks, preferences = env.match_store.clicks, Preferences(env.database)
    return SimpleNamespace(**vars(env), cards=cards, clicks=clicks, preferences=preferences)


def invoked(user_id: UserId, **values: Any) -> Any:
    """Return an interaction with a command that has a `match` option, in the open channel."""

    @command(name="plan", description="-")
    async def plan(interaction: Any, match: int | None = None, action: str = "") -> None:
        raise AssertionError

    namespace = SimpleNamespace(match=None, **values)
    return Server().interaction(user_id, command=plan, namespace=namespace)


async def begin(
    env: MatchFixture,
    channel_id: ChannelId = HERE,
    *,
    game: str = "warp6",
    side: str = "B",
) -> MatchId:
    """Begin a match between Ada, on this side, and Bo, a minute after whatever was before."""
    env.now += 60
    terms = Terms(game=game, guild_id=None, channel_id=channel_id)
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side=side)
    assert (await env.challenges.accept(next(env.ids), challenge.match_id, BO)).kind == "done"
    return challenge.match_id


async def turn_of(env: MatchFixture, match_id: MatchId, user_id: UserId) -> MatchId:
    """Play until it is the turn of a user."""
    while await env.on_turn(match_id) != user_id:
        await act(env, match_id)
    return match_id


def offered(interaction: Any) -> tuple[str, list[str]]:
    """Return the words that name the match of a reply, and the other matches it offers."""
    text, row = interaction.extras[OTHER_MATCHES]
    return text.content, [option.value for option in row.children[0].options]


async def asked(context: Any, interaction: Any, **options: Any) -> list[str]:
    """Return the matches among which a user is asked to choose."""
    with pytest.raises(UserError, match="Which one") as error:
        await find(context, interaction, None, **options)
    (row,) = error.value.more
    return [option.value for option in row.children[0].options]  # type: ignore[attr-defined]


async def test_command_that_acts_asks_unless_its_user_was_there(env: MatchFixture) -> None:
    context = context_of(env)
    first, second = [await turn_of(env, await begin(env), ADA) for _ in "12"]
    interaction = invoked(ADA)
    assert await asked(context, interaction, acts=True) == [f"{second}", f"{first}"]
    assert OTHER_MATCHES not in interaction.extras
    context.clicks.record(first, ADA)
    context.clicks.record(second, BO)
    env.now += PRESENT_SECONDS
    assert (await find(context, interaction, None, acts=True)).id == first
    words, others = offered(interaction)
    assert words == f"-# This is Warp 6 #{first}. The same in another match:"
    assert others == [f"{second}"]


async def test_click_long_ago_does_not_decide(env: MatchFixture) -> None:
    context = context_of(env)
    first, second = [await turn_of(env, await begin(env), ADA) for _ in "12"]
    context.clicks.record(first, ADA)
    env.now += PRESENT_SECONDS + 1
    assert await asked(context, invoked(ADA), acts=True) == [f"{second}", f"{first}"]


async def test_command_that_only_shows_takes_the_latest_match(env: MatchFixture) -> None:
    context = context_of(env)
    first, second = [await turn_of(env, await begin(env), ADA) for _ in "12"]
    interaction = invoked(ADA)
    assert (await find(context, interaction, None)).id == second
    assert offered(interaction)[1] == [f"{first}"]
    assert (await find(context, invoked(ADA), None)).id == second, "finding is a click"


async def test_latest_click_counts_before_earlier_ones(env: MatchFixture) -> None:
    context = context_of(env)
    first, second, third = [await turn_of(env, await begin(env), ADA) for _ in "123"]
    for match_id in (second, first):
        context.clicks.record(match_id, ADA)
        env.now += 1
    interaction = invoked(ADA)
    assert (await find(context, interaction, None, acts=True)).id == first
    assert offered(interaction)[1] == [f"{second}", f"{third}"]


async def test_only_sensible_matches_count_and_offer_no_others(env: MatchFixture) -> None:
    context = context_of(env)
    awaiting = await turn_of(env, await begin(env), ADA)
    waiting = await turn_of(env, await begin(env), BO)
    context.clicks.record(waiting, ADA)
    env.now += 1
    interaction = invoked(ADA)
    assert (await find(context, interaction, None, acts=True)).id == awaiting
    assert OTHER_MATCHES not in interaction.extras
    assert (await find(context, interaction, None, sensible=in_any, acts=True)).id == awaiting


async def test_match_in_this_channel_counts_before_others(env: MatchFixture) -> None:
    context = context_of(env)
    inside = await turn_of(env, await begin(env), BO)
    outside = await turn_of(env, await begin(env, ELSEWHERE), ADA)
    context.clicks.record(outside, ADA)
    interaction = invoked(ADA)
    assert (await find(context, interaction, None, acts=True)).id == inside
    assert OTHER_MATCHES not in interaction.extras


async def test_takeback_is_about_the_match_of_the_last_own_move(env: MatchFixture) -> None:
    context = context_of(env)
    moved, answered, untouched = [await begin(env) for _ in "123"]
    for match_id, last in ((moved, ADA), (answered, BO)):
        await turn_of(env, match_id, last)
        await act(env, match_id)
    target = await find(context, invoked(ADA), None, sensible=after_own_move, acts=True)
    assert target.id == moved
    target = await find(context, invoked(BO), None, sensible=after_own_move, acts=True)
    assert target.id == answered
    assert await env.queries.last_movers([untouched]) == {}


async def test_draw_is_offered_to_people(env: MatchFixture) -> None:
    context = context_of(env)
    with_bo = await begin(env)
    terms = Terms(game="warp6", guild_id=None, channel_id=HERE)
    players = [Player(ADA, "Ada"), computer_player("admiral")]
    against = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    context.clicks.record(against.match_id, ADA)
    target = await find(context, invoked(ADA), None, sensible=between_people, acts=True)
    assert target.id == with_bo


async def test_typed_move_is_about_the_match_where_it_is_legal(env: MatchFixture) -> None:
    context = context_of(env)
    warp6 = await turn_of(env, await begin(env), ADA)
    tomtube = await turn_of(env, await begin(env, game="tomtube", side="T"), ADA)
    for match_id in (warp6, tomtube):
        view = (await env.queries.view(match_id, ADA)).view
        line = next(action for action in view.legal if not action.is_form).notation
        readable = _where_readable(line)
        target = await find(context, invoked(ADA), None, sensible=readable, acts=True)
        assert target.id == match_id
    for unclear in ("", "gibberish"):
        env.now += PRESENT_SECONDS + 1
        readable = _where_readable(unclear)
        matches = await asked(context, invoked(ADA), sensible=readable, acts=True)
        assert set(matches) == {f"{warp6}", f"{tomtube}"}


async def test_typed_move_is_about_a_match_where_it_is_understood(env: MatchFixture) -> None:
    context = context_of(env)
    warp6 = await turn_of(env, await begin(env), ADA)
    wormholes = await turn_of(env, await begin(env, game="wormholes", side="O"), ADA)
    for text, match_id in (("crowns down", wormholes), ("raise 8a", warp6)):
        readable = _where_readable(text)
        target = await find(context, invoked(ADA), None, sensible=readable, acts=True)
        assert target.id == match_id, text
        env.now += PRESENT_SECONDS + 1


async def test_legal_meaning_counts_before_one_that_is_understood(env: MatchFixture) -> None:
    context = context_of(env)
    first, second = [await turn_of(env, await begin(env), ADA) for _ in "12"]
    await act(env, first)
    await turn_of(env, first, ADA)
    views = [(await env.queries.view(match_id, ADA)).view for match_id in (first, second)]
    legal = [{action.notation for action in view.legal} for view in views]
    (line,) = legal[1] - legal[0]  # of the die that is placed already in the first match
    target = await find(context, invoked(ADA), None, sensible=_where_readable(line), acts=True)
    assert target.id == second


async def test_typed_move_off_turn_asks_only_where_it_is_understood(env: MatchFixture) -> None:
    context = context_of(env)
    warp6 = [await turn_of(env, await begin(env), BO) for _ in "12"]
    wormholes = await turn_of(env, await begin(env, game="wormholes", side="O"), BO)
    target = await find(
        context, invoked(ADA), None, sensible=_where_readable("crowns down"), acts=True
    )
    assert target.id == wormholes
    env.now += PRESENT_SECONDS + 1
    matches = await asked(context, invoked(ADA), sensible=_where_readable("raise 8a"), acts=True)
    assert set(matches) == {f"{match_id}" for match_id in warp6}


async def test_named_match_of_another_game_says_how_it_is_played(env: MatchFixture) -> None:
    match_id = await begin(env, game="wormholes", side="O")
    with pytest.raises(UserError) as error:
        await find(context_of(env), invoked(ADA), match_id, "warp6")
    commands = (
        "`/wormholes place`, `/wormholes move`, `/wormholes jump`, `/wormholes send` and `/do`"
    )
    assert str(error.value) == (f"Wormholes #{match_id} is played with other commands: {commands}.")


async def test_proposals_are_those_of_the_match_that_will_be_meant(env: MatchFixture) -> None:
    context = context_of(env)
    first, second = [await turn_of(env, await begin(env), ADA) for _ in "12"]
    assert await typed_about(context, invoked(ADA)) is None
    latest = await typed_about(context, invoked(ADA), acts=False)
    assert latest
    assert latest.match.id == second
    env.now += 1
    context.clicks.record(first, ADA)
    meant = await typed_about(context, invoked(ADA))
    assert meant
    assert meant.match.id == first


async def test_last_mover_is_a_person_who_chose(env: MatchFixture) -> None:
    match_id = await begin(env)
    await turn_of(env, match_id, ADA)
    await act(env, match_id)
    seat = (await env.queries.match(match_id)).seat_of(ADA)
    assert await env.queries.last_movers([match_id, MatchId(77)]) == {match_id: seat}
    await env.takebacks.take_back(next(env.ids), match_id, ADA)
    assert (await env.queries.last_movers([match_id])).get(match_id) != seat

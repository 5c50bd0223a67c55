"""Replays as one player knew the match then: nothing of what that player learned later."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from sqlalchemy import select, update

from bot.domain.ids import MatchId
from bot.features.replays import views
from bot.services.positions import ALL_REVEALED
from bot.services.queries import Queries
from bot.storage.schema import actions
from bot.views.images import Drawn
from engine import games
from engine.game import CHANCE, PUBLIC
from render.renderer import DEFAULT_STYLE
from tests.support.driver import lists, play_on, silently
from tests.support.harness import Stage, ids, words
from tests.support.limits import components
from tests.support.matches import ADA, BO, MatchFixture, act, begun, choose, warp6

Pages = Sequence[tuple[Any, str]]
"""Of each page of a replay its view, and all texts, custom_ids and alt texts."""


async def pages_of(env: MatchFixture, match_id: MatchId, reader: str) -> Pages:
    """Return all pages of a replay, read again from the database."""
    queries, pages = Queries(env.database), list[tuple[Any, str]]()
    _perspective, turns = await queries.turns(match_id)
    for place, turn in enumerate(turns):
        perspective, has_secrets = await queries.seen_by(match_id, turn.action_count, reader)
        page = views.Page(perspective, turns, place, reader, has_secrets)
        message = views.replay(page, Drawn(b"", DEFAULT_STYLE), user_id=ADA)
        alts = [file.description for file in message.files]
        pages.append((perspective.view, json.dumps([components(message), alts], default=str)))
    return pages


async def placed_all(env: MatchFixture) -> MatchId:
    """Return a match that Bo has resigned once all coins were placed; none was turned over."""
    match_id = await begun(env, "")
    while not (await env.queries.view(match_id)).view.turn:
        await act(env, match_id)
    assert (await env.matches.act(next(env.ids), match_id, BO, "resign")).kind == "done"
    return match_id


async def swap_coins(env: MatchFixture, match_id: MatchId) -> None:
    """Let Bo have placed two coins of a suit the other way round."""
    placed = (actions.c.match_id == match_id) & actions.c.line.like("D place C%")
    async with env.database.write() as connection:
        query = select(actions.c.number, actions.c.line).where(placed)
        rows = (await connection.execute(query.order_by(actions.c.number))).all()
        coins = [row.line.split()[2] for row in rows[:2]]
        for row, coin in zip(rows[:2], reversed(coins), strict=True):
            space = row.line.split()[3]
            change = update(actions).where(placed, actions.c.number == row.number)
            await connection.execute(change.values(line=f"D place {coin} {space}"))


@pytest.mark.first(test=1)
@pytest.mark.parametrize("reader", ["O", PUBLIC, "D", ALL_REVEALED])
async def test_replay_shows_no_coin_that_its_reader_could_not_know(
    env: MatchFixture, reader: str
) -> None:
    match_id = await placed_all(env)
    first = await pages_of(env, match_id, reader)
    await swap_coins(env, match_id)
    second = await pages_of(env, match_id, reader)
    assert len(first) == len(second) > 20
    is_equal = [page == other for page, other in zip(first, second, strict=True)]
    assert not is_equal[-1], "the end shows all coins"
    assert all(is_equal[:-1]) is (reader not in ("D", ALL_REVEALED))


@pytest.mark.parametrize("reader", ["B", "Y", PUBLIC])
async def test_replay_keeps_secret_dice_until_they_are_shown(
    env: MatchFixture, reader: str
) -> None:
    match_id = await warp6(env, "", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    (view, _text), *_ = [
        page for page in await pages_of(env, match_id, reader) if page[0].phase == "set"
    ][1:]
    numbers: dict[str, set[str]] = {}
    for die in view.dice:
        numbers.setdefault(die.seat, set()).add(die.number)
    assert ("?" in numbers["B"]) is (reader != "B")
    assert numbers["Y"] == {"?"}, "they were not set yet"
    assert view.seat == reader


@pytest.mark.slow
async def test_everything_is_revealed_from_the_first_coin_on(env: MatchFixture) -> None:
    match_id = await placed_all(env)
    for view, _text in await pages_of(env, match_id, ALL_REVEALED):
        assert not any("?" in (coin.suit, coin.value) for coin in view.coins)
        assert not view.seat
    for reader, texts in (("O", True), ("D", True), (PUBLIC, False)):
        pages = (await pages_of(env, match_id, reader))[:-1]
        assert any("?" in (coin.suit, coin.value) for view, _ in pages for coin in view.coins)
        assert all(("still to place" in text) is texts for _, text in pages[1:20])


async def test_replay_has_no_choices_to_mark(env: MatchFixture) -> None:
    match_id = await placed_all(env)
    assert not any(view.legal for view, _ in await pages_of(env, match_id, "O"))


@pytest.mark.slow
async def test_unknown_reader_is_the_public(env: MatchFixture) -> None:
    match_id = await placed_all(env)
    public = await pages_of(env, match_id, PUBLIC)
    unknown = await pages_of(env, match_id, "Q")
    assert [view for view, _ in unknown] == [view for view, _ in public]


@pytest.mark.first(test=1)
@pytest.mark.parametrize(
    ("name", "options", "has_secrets"),
    [("warp6", {}, False), ("warp6", {"setup": "secret"}, True), ("wormholes", {}, True)],
)
async def test_readers_are_offered_where_something_is_hidden(
    env: MatchFixture, name: str, options: dict[str, str], *, has_secrets: bool
) -> None:
    if name == "warp6":
        match_id = await warp6(env, "", **options)
        await choose(env, match_id, await env.on_turn(match_id))
        await env.matches.act(next(env.ids), match_id, ADA, "resign")
    else:
        match_id = await placed_all(env)
    pages = await pages_of(env, match_id, PUBLIC)
    assert all((":reader" in text) is has_secrets for _, text in pages)


@pytest.mark.parametrize("placing", ["one", "secret", "random"])
def test_revealed_view_shows_all_coins_of_a_placing(placing: str) -> None:
    game, random = games.get("wormholes"), Random(1)
    state = game.start("0.6", {"placing": placing})
    while not game.view(state).turn:
        view = game.revealed_view(state)
        assert not any("?" in (coin.suit, coin.value) for coin in view.coins)
        is_chance = game.pending(state) == CHANCE
        legal = random.choice(game.legal(state))
        action = game.chance(state, random.randrange) if is_chance else legal
        state, _ = game.apply(state, action)
    assert len(game.revealed_view(state).coins) == 24


@pytest.mark.slow
async def test_reader_is_chosen_from_the_list_and_kept(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=40)
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    page = await stage.eve.slash(stage.channel, "replay", match=match_id)
    ((custom_id, values),) = (
        entry for entry in lists(page.response).items() if ":reader" in entry[0]
    )
    assert set(values) == {"-", "O", "D", "*"}
    pictures = {}
    for value in values:
        await stage.eve.select(page.response, [value], custom_id=custom_id)
        pictures[value] = await page.response.attachments[0].read()
        assert ("still to place" in words(page.response)) is (value in "OD")
        (custom_id,) = (name for name in lists(page.response) if ":reader" in name)
    await stage.eve.select(page.response, ["O"], custom_id=custom_id)
    await stage.eve.click(page.response, label="Next")
    assert "still to place" in words(page.response)
    assert any(name.endswith(":Next:O") for name in ids(page.response))

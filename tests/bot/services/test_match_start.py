"""The start of a match: its first position, drawn seats, and the messages about it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId
from bot.domain.models import Player
from bot.domain.outbox import OutboxKind
from bot.services.match_store import load
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import actions
from engine import games
from engine.game import CHANCE, Action
from tests.support.installed import install
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture, act, lines_of, terms
from tests.support.nim import Nim, State
from tests.support.statements import sent_statements

HEAP = Action(CHANCE, "heap", ("5",))
"""Smaller than any that the dice make."""


class NimWithOneFirstMove(Nim):
    """Nim in which the first player has no choice but to take one stick."""

    def legal(self, state: State) -> tuple[Action, ...]:
        return super().legal(state)[:1] if state.number == 1 else super().legal(state)


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add this Nim to the games."""
    install(monkeypatch, NimWithOneFirstMove())


async def begun(env: MatchFixture, players: list[Player] = PLAYERS, **asked: Any) -> MatchId:
    """A match on these terms that has begun."""
    game = games.get(asked.pop("game"))
    asked = {"rules": ""} | asked
    seats = game.seats(asked.get("options", {}))
    outcome = await env.challenges.challenge(
        next(env.ids), terms(game=game.name, **asked), players, side=seats
    )
    assert outcome.kind == "done", outcome
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    assert (await env.queries.match(outcome.match_id)).status == "running"
    return outcome.match_id


async def queued(env: MatchFixture, kind: OutboxKind) -> list[tuple[int, str]]:
    """Match and target of each waiting message of a kind."""
    return [(row.match_id, row.target) for row in await env.queued(kind=kind)]


@pytest.mark.usefixtures("nim")
async def test_a_match_begins_with_dice_and_forced_choices(env: MatchFixture) -> None:
    heap, *choices = await lines_of(env, await begun(env, game="nim"))
    assert heap.startswith("* heap")
    assert choices == ["A take 1"]


@pytest.mark.usefixtures("nim")
async def test_a_taken_over_position_stays_as_chosen(env: MatchFixture) -> None:
    parent = await env.begin()
    assert (await env.matches.act(next(env.ids), parent, ADA, "resign")).kind == "done"
    edits = await queued(env, OutboxKind.EDIT_BOARD)
    match_id = await begun(env, game="nim", lines=(HEAP,), parent_id=parent)
    assert await lines_of(env, match_id) == [str(HEAP)]
    perspective = await env.queries.view(match_id)
    assert (perspective.view.turn, perspective.view.pending) == (1, "A")
    after = await queued(env, OutboxKind.EDIT_BOARD)
    assert after == edits, "the other match still has its button"
    await act(env, match_id)
    async with env.database.read() as connection:
        numbers = select(actions.c.number).where(actions.c.match_id == match_id)
        assert list((await connection.execute(numbers)).scalars()) == [1, 2]


async def test_a_rematch_removes_the_button_before_it(env: MatchFixture) -> None:
    other, first = await env.begin(), await env.begin()
    for match_id in (other, first):
        await env.matches.act(next(env.ids), match_id, ADA, "resign")
    challenge = await env.rematches.rematch(next(env.ids), first, BO)
    edits = await queued(env, OutboxKind.EDIT_BOARD)
    await env.challenges.accept(next(env.ids), challenge.match_id, ADA)
    assert await queued(env, OutboxKind.EDIT_BOARD) == [*edits, (first, "channel")]


async def test_a_begun_match_does_not_expire(env: MatchFixture) -> None:
    waiting, match_id = await env.ask(), await env.begin()
    assert (await env.queries.match(match_id)).expires_at is None
    assert (await env.queries.match(waiting)).expires_at


async def test_rules_may_change_between_challenge_and_start(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await env.ask()
    game = type(games.get("wormholes"))
    monkeypatch.setattr(game, "version", game.version + 1)
    await env.challenges.accept(next(env.ids), match_id, BO)
    await act(env, match_id)


async def test_hands_go_to_people_who_want_them(env: MatchFixture) -> None:
    await Preferences(env.database).set(BO, PreferenceKey.HAND, "off")
    players = [*PLAYERS, computer_player()]
    match_id = await begun(env, players, game="warp6", options={"seats": "3"})
    assert await queued(env, OutboxKind.PRIVATE_HAND) == [(match_id, f"user:{ADA}")]


async def test_drawn_seats_hold_the_players_in_order(env: MatchFixture) -> None:
    drawn = set()
    for _ in range(6):
        challenge = await env.challenges.challenge(next(env.ids), terms(), PLAYERS)
        await env.challenges.accept(next(env.ids), challenge.match_id, BO)
        async with env.database.write() as connection:
            row = await load(connection, challenge.match_id)
        match = await env.queries.match(challenge.match_id)
        assert row
        assert row.seat_order == match.seat_of(ADA) + match.seat_of(BO)
        drawn.add(row.seat_order)
    assert drawn == {"OD", "DO"}


@pytest.mark.parametrize("clock", ["", "3d"])
async def test_accepting_a_challenge_takes_few_statements(env: MatchFixture, clock: str) -> None:
    asked = terms("standard", "warp6", clock=clock)
    outcome = await env.challenges.challenge(next(env.ids), asked, PLAYERS, side="B")
    with sent_statements() as statements:
        assert (await env.challenges.accept(next(env.ids), outcome.match_id, BO)).kind == "done"
    assert 0 < len(statements) <= 16


async def test_challenging_the_computer_takes_few_statements(env: MatchFixture) -> None:
    players = [PLAYERS[0], computer_player("cadet")]
    with sent_statements() as statements:
        asked = terms("standard", "warp6")
        outcome = await env.challenges.challenge(next(env.ids), asked, players, side="B")
    assert outcome.kind == "done"
    assert 0 < len(statements) <= 20

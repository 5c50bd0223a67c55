"""A match whose game has changed its rules since it began: refused in a sentence, never retried."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from bot.app.registry import personal_data
from bot.domain.clocks import DAY
from bot.domain.ids import ChannelId
from bot.domain.terms import Terms
from bot.features.privacy.service import Privacy
from bot.services.match_repository import OutdatedMatchError
from bot.storage.leases import Leases
from bot.storage.schema import matches, outbox, timers
from engine import games
from engine.game import AnyGame
from tests.support.deliveries import DeliveryFixture
from tests.support.harness import Stage, words
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture
from tests.support.privacy import export_of


def change_rules(monkeypatch: pytest.MonkeyPatch, name: str = "wormholes") -> None:
    """Install a program whose game has other rules."""
    game = type(games.get(name))
    monkeypatch.setattr(game, "version", game.version + 1)


def change_positions(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Install a program whose game has other rules and cannot read earlier positions."""

    def load(_game: AnyGame, text: str) -> Any:
        raise ValueError(text)

    change_rules(monkeypatch, name)
    monkeypatch.setattr(type(games.get(name)), "load", load)


async def test_move_after_a_change_of_rules_is_refused(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await delivery.env.begin()
    await delivery.play(match_id)
    await delivery.worker.flush()
    lines, user = await delivery.env.lines(), await delivery.env.on_turn(match_id)
    change_rules(monkeypatch)
    for line in ("first place", "draw offer"):
        outcome = await delivery.env.matches.act(next(delivery.env.ids), match_id, user, line)
        assert outcome.kind == "refused"
        assert "have changed since #1 started" in outcome.sentence
    undone = await delivery.env.takebacks.take_back(next(delivery.env.ids), match_id, user)
    assert undone.kind == "refused"
    assert await delivery.env.lines() == lines
    assert await delivery.left() == []
    with pytest.raises(OutdatedMatchError, match="have changed since"):
        await delivery.env.queries.view(match_id)


async def test_row_waiting_at_a_change_of_rules_is_given_up(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    await delivery.play(match_id)
    change_rules(monkeypatch)
    await delivery.worker.flush()
    assert await delivery.left() == [("edit_board", "failed")]


async def test_timers_after_a_change_of_rules_post_nothing(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await delivery.env.begin()
    await delivery.worker.flush()
    clocked = delivery.env.timers()
    async with delivery.env.database.write() as connection:
        await connection.execute(update(timers).values(due_at=delivery.env.now))
    change_rules(monkeypatch)
    assert await clocked.fire() > 0
    assert await delivery.left() == []
    delivery.env.now += 60
    assert await clocked.fire() == 0


async def test_resigning_after_a_change_of_rules_ends_the_match(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    change_rules(monkeypatch)
    outcome = await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "resign")
    assert outcome.kind == "done"
    assert (await delivery.env.queries.match(match_id)).status == "closed"
    too_late = await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "first place")
    assert (too_late.kind, too_late.sentence) == ("stale", "This match is over.")
    assert await delivery.left() == []


@pytest.mark.slow
async def test_finished_match_after_a_change_of_rules_is_not_shown(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    question = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, question.response, "resign:")
    change_rules(monkeypatch)
    for command in ("replay", "board"):
        answer = await stage.ada.slash(stage.channel, command, match=match_id)
        sentence = "My rules of Wormholes have changed since #1, so I can't replay it."
        assert words(answer.response) == sentence


async def test_deleting_data_after_a_change_of_rules_works(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await delivery.env.begin()
    database = delivery.env.database
    change_rules(monkeypatch)
    await Privacy(database, delivery.env.matches, Leases(database, "0"), personal_data()).erase(ADA)
    match = await delivery.env.queries.match(match_id)
    assert ADA not in {player.user_id for player in match.players.values()}
    assert match.status == "closed"


async def test_export_after_a_change_of_rules_has_no_lines(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await delivery.env.begin()
    user = await delivery.env.on_turn(match_id)
    await delivery.play(match_id)
    database = delivery.env.database
    change_positions(monkeypatch, "wormholes")
    data = await export_of(database, user)
    (action,) = data["matches"][0]["actions"]
    assert action["made_at"] == delivery.env.now
    assert "line" not in action


async def test_series_after_a_change_of_rules_has_no_standing(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = Terms(game="warp6", rounds=3, guild_id=None, channel_id=ChannelId(5))
    first = await env.challenges.challenge(next(env.ids), series, PLAYERS, side="B")
    await env.challenges.accept(next(env.ids), first.match_id, BO)
    await env.matches.act(next(env.ids), first.match_id, ADA, "resign")
    assert (await env.queries.match(first.match_id)).standing
    change_positions(monkeypatch, "warp6")
    (following,) = await env.queries.list_for(ADA, "challenge")
    assert not following.standing


async def test_handicap_after_a_change_of_rules_is_refused(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = Terms(game="tomtube", guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    await env.matches.act(next(env.ids), challenge.match_id, ADA, "resign")
    change_positions(monkeypatch, "tomtube")
    refused = await env.rematches.rematch(next(env.ids), challenge.match_id, BO, 0)
    assert (refused.kind, "can't replay it" in refused.sentence) == ("refused", True)
    assert (await env.rematches.rematch(next(env.ids), challenge.match_id, BO)).kind == "done"


async def test_challenge_before_a_change_of_rules_begins_by_new_ones(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await delivery.env.ask()
    change_rules(monkeypatch)
    assert (
        await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO)
    ).kind == "done"
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == []
    async with delivery.env.database.read() as connection:
        version = (await connection.execute(select(matches.c.engine_version))).scalar_one()
    assert version == games.get("wormholes").version


async def test_challenge_before_a_change_of_rules_expires(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await env.ask()
    change_rules(monkeypatch)
    env.now += DAY
    await env.timers().fire()
    assert (await env.queries.match(match_id)).status == "closed"


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
async def test_click_after_a_change_of_rules_gets_a_sentence(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    actor, before = await stage.deciding(match_id), stage.last()
    change_rules(monkeypatch)
    for answer in (
        await stage.click(actor, before, "text:"),
        await stage.click(actor, before, "act:"),
        await actor.slash(stage.channel, "board", match=match_id),
        await actor.slash(stage.channel, "do", action="first place", match=match_id),
    ):
        assert "it can't continue; `/resign` ends it" in words(answer.response)
    await stage.spend(DAY + 1)
    await stage.env.advance_time(60)
    assert stage.last().id == before.id
    async with stage.database.read() as connection:
        assert (await connection.execute(select(outbox))).all() == []

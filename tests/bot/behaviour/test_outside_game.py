"""A game from another distribution, as a stranger writes it: `tests/packages/`."""

from __future__ import annotations

import logging
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

import render
from bot.app.client import Starpost
from bot.domain.clocks import DAY
from bot.domain.ids import MatchId
from bot.features.cups.rows import CupStatus
from bot.features.cups.service import Cups
from bot.storage.database import Database
from bot.storage.schema import computer_jobs, outbox, timers
from bot.workers.pool import WorkerPool
from engine import games, packages
from engine.computer import games as computers
from engine.computer.players import VERSION
from engine.game import Action
from tests.support import staged_cups
from tests.support.announced import Shelf
from tests.support.computers import chosen_by
from tests.support.driver import by_click, by_command, play_on, silently
from tests.support.harness import Stage, actor_bot, words

PACKAGES = Path(__file__).parents[2] / "packages"

MATCH = MatchId(1)

ABSENT = "spoof isn't installed here right now, so #{} waits. Nothing is lost"


def install(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Install the packages, as a process finds them at its start."""
    shelf = Shelf(PACKAGES, monkeypatch)
    shelf.install()
    monkeypatch.setattr(computers, "COMPUTER_SUPPORT", packages.collect(computers._load))
    return shelf


def remove(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the packages, as a process finds it at its next start."""
    monkeypatch.delitem(packages._packages().installed, "spoof")
    monkeypatch.delitem(games._all(), "spoof")
    monkeypatch.delitem(render._all(), "spoof")


@pytest.fixture
def simcord_bot(monkeypatch: pytest.MonkeyPatch, database: Database) -> Starpost:
    """A bot with a fourth game."""
    install(monkeypatch)
    return actor_bot(database, workers=WorkerPool(1))


def anything(state: Any, random: Random) -> Action:
    """Any legal action."""
    return random.choice(games.get("spoof").legal(state))


@pytest.mark.slow
async def test_it_is_played_to_the_end(stage: Stage) -> None:
    match_id = await stage.begin(game="spoof")
    ways = (by_click, by_command)
    await play_on(stage, match_id, Random(1), ways=ways, strategy=anything)
    assert (await stage.client.context.queries.match(match_id)).status == "finished"
    rules = await stage.ada.slash(stage.channel, "rules", game="spoof")
    assert "Two players hide up to three coins" in words(rules.response)
    await stage.stop_computers()


@pytest.mark.slow
async def test_the_computer_plays_it_in_its_own_process(stage: Stage) -> None:
    help_card = await stage.ada.slash(stage.channel, "help")
    await stage.click(stage.ada, help_card.response, "now:spoof")
    await stage.computers()
    await play_on(stage, MATCH, Random(1), ways=(by_click,), strategy=anything, limit=1)
    await stage.computers()
    players = {player for _, player in (await chosen_by(stage)).values()}
    assert players == {None, f"cadet/{VERSION}"}
    await stage.stop_computers()


@pytest.mark.slow
async def test_matches_wait_while_it_is_not_installed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await stage.begin(game="spoof", clock="1 day per turn")
    board = stage.board(match_id)
    challenge = await stage.challenge(game="spoof")
    before = await everything(stage)
    remove(monkeypatch)
    await stage.restart()
    with caplog.at_level(logging.WARNING):
        await say_that_it_waits(stage, match_id, board)
        refused = await stage.click(stage.bo, challenge, "accept:")
        assert "isn't installed here right now" in words(refused.response)
        await stage.spend(30 * DAY)
        await stage.client.runtime.timers.fire()
        await stage.client.runtime.outbox.flush()
        await stage.env.settle()
        listed = words((await stage.ada.slash(stage.channel, "games")).response)
        assert "spoof #1" in listed
        other = await stage.begin(game="wormholes")
        assert (await stage.client.context.queries.match(other)).status == "running"
    assert not caplog.records
    assert (await everything(stage))["timers"] == before["timers"]
    install(monkeypatch)
    await stage.restart()
    await play_on(stage, match_id, Random(1), ways=(by_command,), strategy=anything)
    assert (await stage.client.context.queries.match(match_id)).status == "finished"
    await stage.stop_computers()


async def resigned(stage: Stage, match_id: MatchId) -> None:
    """Ada resigns a match after a few choices."""
    await play_on(stage, match_id, Random(1), ways=(silently,), strategy=anything, limit=2)
    question = await stage.ada.slash(stage.channel, "resign", match=match_id)
    await stage.click(stage.ada, question.response, "resign:")


@pytest.mark.slow
async def test_it_is_replayed_imported_and_analysed(stage: Stage) -> None:
    match_id = await stage.begin(game="spoof")
    await resigned(stage, match_id)
    end = stage.last()
    page = await stage.click(stage.bo, end, "replay:")
    assert ": step 1 of " in words(page.response)
    await stage.bo.click(page.response, label="Last")
    assert "wins" in words(page.response)
    file = next(f for f in end.attachments if f.filename.endswith(".match"))
    question = await stage.click(stage.eve, (await no_match(stage)).response, "open")
    opened = await stage.eve.submit_modal(question, {"file": [(file.filename, await file.read())]})
    assert ": step 1 of " in words(opened.response)
    analysis = await stage.click(stage.ada, end, "analyse:")
    assert "luck and play" in words(analysis.response)
    await stage.stop_computers()


async def no_match(stage: Stage) -> Any:
    """Eve asks for a replay, and has none."""
    return await stage.eve.slash(stage.channel, "replay")


@pytest.mark.slow
async def test_its_cup_waits_and_profiles_are_shown_while_it_is_absent(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await resigned(stage, await stage.begin(game="spoof"))
    await staged_cups.begun(stage, game="spoof")
    remove(monkeypatch)
    await stage.restart()
    with caplog.at_level(logging.WARNING):
        status = await stage.bo.slash(stage.channel, "cup status")
        assert "Spring" in words(status.response)
        for command in ("profile", "leaderboard", "games"):
            answer = await stage.ada.slash(stage.channel, command)
            assert words(answer.response), command
        await stage.spend(30 * DAY)
        await staged_cups.finish(stage)
    assert not caplog.records
    cup = await stage.client.context.of(Cups).get(1)
    assert cup
    assert cup.row.status == CupStatus.RUNNING
    install(monkeypatch)
    await stage.restart()
    await staged_cups.play(stage)
    cup = await stage.client.context.of(Cups).get(1)
    assert cup
    assert cup.row.status == CupStatus.FINISHED
    await stage.stop_computers()


async def say_that_it_waits(stage: Stage, match_id: MatchId, board: Any) -> None:
    """Check that clicks and commands about the match say that it waits, and change nothing."""
    sentence = ABSENT.format(match_id)
    clicked = await stage.click(stage.ada, board, f"text:{match_id}:")
    assert sentence in words(clicked.response)
    for command, options in (
        ("board", {}),
        ("do", {"action": "hold 1"}),
        ("plan", {}),
        ("draw", {}),
    ):
        answer = await stage.ada.slash(stage.channel, command, match=match_id, **options)
        assert sentence in words(answer.response), command
    question = await stage.ada.slash(stage.channel, "resign", match=match_id)
    confirmed = await stage.click(stage.ada, question.response, f"resign:{match_id}:")
    assert sentence in words(confirmed.response).replace("\\#", "#")


async def everything(stage: Stage) -> dict[str, list[Any]]:
    """Return the stored rows about the match."""
    async with stage.database.read() as connection:
        return {
            table.name: [
                tuple(row)
                for row in await connection.execute(
                    select(table).where(table.c.match_id == MATCH).order_by(table.c.id)
                )
            ]
            for table in (timers, outbox, computer_jobs)
        }

"""The sandbox: the bot on a simulated Discord, and its page in a real browser."""

from __future__ import annotations

import asyncio
import gc
import itertools
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import simcord

from bot.app import simulation as simulations
from bot.app.client import Starpost
from bot.app.sandbox import welcome, welcome_text
from bot.app.simulation import LOOK_SECONDS, Simulation, run_at_once, simulated, time_zone
from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.features.halls.service import Halls
from bot.storage.database import Database
from bot.workers.pool import WorkerPool
from bot.workers.process import Outcome, Worker, WorkerError
from engine import games
from render.renderer import LABEL_LENGTH
from tests.support.chromium import opened_tab
from tests.support.fake_discord import until
from tests.support.harness import SEED, ids, play, words

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
"""simcord leaves the pipes of processes open that it kills while they read a picture."""

HEARTBEAT_SECONDS = 15.0


@pytest.fixture(autouse=True)
def known_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """All matches have the same dice; in the sandbox they are random."""
    monkeypatch.setattr(simulations, "Starpost", partial(Starpost, make_seed=lambda: SEED))


@asynccontextmanager
async def opened(database: Database) -> AsyncIterator[Simulation]:
    """Three players in a channel in which the bot has said welcome."""
    async with simulated(database) as simulation:
        await welcome(simulation)
        yield simulation
        assert simulation.world.errors == []


async def challenge(simulation: Simulation, **options: Any) -> None:
    """Ada challenges Bo."""
    ada, bo, _ = simulation.players
    await play(ada, simulation.channel, opponent=bo, **options)


async def begin(simulation: Simulation, **options: Any) -> None:
    """Ada challenges Bo, and each opponent accepts."""
    _, *others = simulation.players
    await challenge(simulation, **options)
    for other in others[: 2 if "opponent2" in options else 1]:
        await accept(simulation, other)


async def accept(simulation: Simulation, player: simcord.MemberActor) -> None:
    """Press *Accept* under the newest challenge."""
    challenge, name = next(
        (message, custom_id)
        for message in reversed(simulation.channel.history())
        for custom_id in ids(message)
        if custom_id.startswith("accept:")
    )
    await player.click(challenge, custom_id=name)


async def play_until_dice(simulation: Simulation) -> None:
    """Place all coins of match 1, until a player moves a ship by its die."""
    client = simulation.client
    for number in itertools.count(1):
        match = await client.context.queries.match(MatchId(1))
        player = match.players[next(iter(match.decisions))].user_id
        view = (await client.context.queries.view(MatchId(1), player)).view
        if view.phase == "act":  # type: ignore[attr-defined]
            break
        await client.context.matches.act(number, MatchId(1), player, view.legal[0].notation)
    client.runtime.outbox.wake()
    await simulation.world.settle()


def dates(simulation: Simulation) -> list[float]:
    """Return every date that the bot has written, as UTC seconds."""
    texts = (words(message) for message in simulation.channel.history())
    return [float(stamp) for text in texts for stamp in re.findall(r"<t:(\d+)", text)]


async def test_deadlines_count_from_the_time_of_the_messages(database: Database) -> None:
    async with opened(database) as simulation:
        await challenge(simulation)
        stamps = [message.created_at.timestamp() for message in simulation.channel.history()]
        assert max(stamps) == pytest.approx(time.time(), abs=600)
        assert dates(simulation)
        for deadline in dates(simulation):
            assert 0 < deadline - max(stamps) <= 8 * 24 * 3600


@pytest.mark.slow
async def test_three_players_begin_a_match_of_warp6(database: Database) -> None:
    async with opened(database) as simulation:
        await begin(simulation, game="warp6", opponent2=simulation.players[2])
        match = await simulation.client.context.queries.match(MatchId(1))
        assert {player.user_id for player in match.players.values()} == {
            player.id for player in simulation.players
        }
        assert match.decisions


async def test_owner_may_change_the_server(database: Database) -> None:
    async with opened(database) as simulation:
        ada, bo, _ = simulation.players
        assert "server" in ada.available_commands(simulation.channel)
        answer = await ada.slash(simulation.channel, "server")
        assert ids(answer.response)
        assert "server" not in bo.available_commands(simulation.channel)


@pytest.mark.slow
async def test_direct_messages_are_printed_once(database: Database) -> None:
    async with opened(database) as simulation:
        await begin(simulation)
        lines = list(simulation.direct_messages())
        assert {line.partition(": ")[0] for line in lines} == {
            "Direct message to Ada",
            "Direct message to Bo",
        }
        assert all("coins" in line and "\n" not in line for line in lines)
        assert list(simulation.direct_messages()) == []


@pytest.mark.soak
@pytest.mark.timeout(120)
async def test_slow_analysis_holds_up_no_click(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, ask = asyncio.Event(), WorkerPool.ask

    async def hold(pool: WorkerPool, request: Any, *args: Any, **named: Any) -> Any:
        if request["do"] == "analyse":
            await release.wait()
        return await ask(pool, request, *args, **named)

    monkeypatch.setattr(WorkerPool, "ask", hold)
    monkeypatch.setattr(simulations, "SETTLE_TIMEOUT_SECONDS", 5.0)
    async with opened(database) as simulation, followed(simulation):
        await begin(simulation, game="warp6")
        await choose(simulation, Random(1), 30)
        ada = simulation.players[0]
        await simulation.client.context.matches.act(1, MatchId(1), UserId(ada.id), "resign")
        analysis = (await ada.slash(simulation.channel, "analyse", match=1)).response
        assert "Still working" in words(analysis)
        assert "/play" in words((await ada.slash(simulation.channel, "help")).response)
        release.set()
        await until(lambda: "Still working" not in words(analysis))
        assert "luck" in words(analysis)


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_worker_that_does_not_start_holds_up_no_click(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[str] = []

    async def fail(pool: WorkerPool) -> Worker:
        starts.append("start")
        raise WorkerError(Outcome.TIMEOUT, "the worker had no answer after 30 s")

    monkeypatch.setattr(WorkerPool, "_start", fail)
    monkeypatch.setattr(simulations, "SETTLE_TIMEOUT_SECONDS", 5.0)
    async with opened(database) as simulation, followed(simulation):
        await begin(simulation, game="warp6")
        ada = simulation.players[0]
        await simulation.client.context.matches.act(1, MatchId(1), UserId(ada.id), "resign")
        analysis = (await ada.slash(simulation.channel, "analyse", match=1)).response
        assert "Still working" in words(analysis)
        for count in (2, 3):
            await until(lambda count=count: len(starts) >= count)  # type: ignore[misc]
            assert "/play" in words((await ada.slash(simulation.channel, "help")).response)


@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_work_for_a_click_is_announced_until_it_is_done(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click on a suggestion is answered at once; a second one starts nothing, and says so."""
    release, ask, choices = asyncio.Event(), WorkerPool.ask, 0

    async def hold(pool: WorkerPool, request: Any, *args: Any, **options: Any) -> Any:
        nonlocal choices
        choices += request["do"] == "choose"
        await release.wait()
        return await ask(pool, request, *args, **options)

    monkeypatch.setattr(WorkerPool, "ask", hold)
    monkeypatch.setattr(simulations, "SETTLE_TIMEOUT_SECONDS", 5.0)
    async with opened(database) as simulation, followed(simulation):
        await begin(simulation, game="warp6", setup="secret")
        ada = simulation.players[0]
        panel: Any = (await ada.slash(simulation.channel, "plan", match=1)).response
        (suggest,) = (name for name in ids(panel) if ":suggest" in name)
        await ada.click(panel, custom_id=suggest)
        assert words(panel).startswith("Working out a setup …")
        assert ids(panel) == ["show:1"], "the way back works even after a restart"
        again: Any = (await ada.slash(simulation.channel, "plan", match=1)).response
        (suggest,) = (name for name in ids(again) if ":suggest" in name)
        refusal = (await ada.click(again, custom_id=suggest)).response
        assert "still thinking" in words(refusal)
        assert choices == 1
        release.set()
        await until(lambda: "Working out" not in words(panel))
        assert "*Use this plan*: I play" in words(panel)


async def test_clock_that_advances_makes_the_heart_beat(database: Database) -> None:
    async with opened(database) as simulation:
        before, start = simulation.client.runtime.heartbeat.last, simulation.world.now()
        while simulation.client.runtime.heartbeat.last == before:
            run_at_once(simulation.world.advance_time(1))
            await asyncio.sleep(0)
        assert (simulation.world.now() - start).total_seconds() <= HEARTBEAT_SECONDS + 1
        await simulation.world.settle()
        assert simulation.client.context.clock() == simulation.world.now().timestamp()


@pytest.mark.slow
@pytest.mark.timeout(60)
async def test_no_click_is_refused_while_the_page_is_followed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database) as simulation:
        monkeypatch.setattr("bot.app.simulation.LOOK_SECONDS", 0)
        monkeypatch.setattr("bot.app.simulation.TICK_SECONDS", 0)
        async with followed(simulation):
            await begin(simulation)
            for _ in range(20):
                await asyncio.sleep(0)
                await simulation.players[0].slash(simulation.channel, "help")


@pytest.mark.slow
async def test_direct_messages_are_shown_while_the_page_is_followed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.simulation.LOOK_SECONDS", 0)
    lines: list[str] = []
    async with opened(database) as simulation, followed(simulation, lines):
        await begin(simulation)
        await until(lambda: len(lines) == 2)
    assert {line.partition(": ")[0] for line in lines} == {
        "Direct message to Ada",
        "Direct message to Bo",
    }


@asynccontextmanager
async def followed(
    simulation: Simulation, lines: list[str] | None = None
) -> AsyncIterator[simcord.Preview]:
    """Open the page, and show each change on it; collect the lines for the terminal."""
    lines = [] if lines is None else lines
    async with await simulation.preview(0) as page:
        following = asyncio.create_task(simulation.follow(page, lines.append))
        try:
            yield page
            assert not following.done()
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
    gc.collect()  # what simcord has left open would warn in a later test


@pytest.mark.slow
async def test_new_tab_begins_at_the_newest_message(database: Database) -> None:
    async with opened(database) as simulation, followed(simulation) as page:
        await begin(simulation)
        newest = str(simulation.channel.history()[-1].id)
        while (await page.snapshot())["targetId"] != newest:  # noqa: ASYNC110 - no event
            await asyncio.sleep(LOOK_SECONDS)


TEXT = "document.querySelector('#channel-message-list').innerText"
VIEWERS = "[...document.querySelectorAll('#viewer-picker option')].map((each) => each.label)"
BO = """(() => {
  const picker = document.querySelector('#viewer-picker');
  picker.selectedIndex = 1;
  picker.dispatchEvent(new Event('change'));
})()"""
ACCEPT = """[...document.querySelectorAll('button.component-button')].find(
  (each) => each.innerText.trim() === 'Accept')"""
EMOJIS = "[...document.querySelectorAll('.custom-emoji, .emoji-unavailable')]"


@pytest.mark.slow
async def test_browser_follows_a_match_without_missing_pictures(
    database: Database, tmp_path: Path
) -> None:
    async with (
        opened(database) as simulation,
        followed(simulation) as page,
        opened_tab(page.url, tmp_path) as tab,
    ):
        await tab.until("window.simcordPreview?.ready")
        assert "F5" in await tab.evaluate(TEXT)
        assert await tab.evaluate(VIEWERS) == ["Ada", "Bo", "Cy"]
        await challenge(simulation)
        await tab.evaluate(BO)
        text = await tab.until(f"/opening roll/.test({TEXT}) ? {TEXT} : ({ACCEPT}?.click(), '')")
        now = simulation.world.now().astimezone(ZoneInfo(time_zone()))
        assert f"{now.month}/{now.day}/{now:%y}, " in text
        await play_until_dice(simulation)
        await tab.until(f"{EMOJIS}.length")
        assert await tab.evaluate(f"{EMOJIS}.map((each) => each.innerText).join('')") == ""
        await tab.until(f"{EMOJIS}.every((each) => each.naturalWidth)")


PHONE = 400
"""Width of a phone in pixels."""

MAIN_ROWS = """((message) => {
  const rows = new Map();
  const key = `button.button-style-1[data-control-key^="message:${message}:"]`;
  for (const each of document.querySelectorAll(key)) {
    rows.set(each.parentElement, [...(rows.get(each.parentElement) ?? []), each]);
  }
  return [...rows.values()].map((buttons) => ({
    labels: buttons.map((each) => each.innerText.trim()),
    wraps: buttons.some((each) =>
      each.getBoundingClientRect().top >= buttons[0].getBoundingClientRect().bottom),
  }));
})"""
WIDTHS = """[document.documentElement, document.querySelector('#channel-timeline')].map(
  (each) => [each.scrollWidth, each.clientWidth])"""


async def choose(simulation: Simulation, random: Random, limit: int) -> None:
    """Make so many choices in match 1, or fewer until its end."""
    matches, queries = simulation.client.context.matches, simulation.client.context.queries
    for _ in range(limit):
        match = await queries.match(MatchId(1))
        for seat in list(match.decisions)[:1]:
            player = match.players[seat].user_id
            legal = (await queries.view(MatchId(1), player)).view.legal
            action = games.get(match.game).fill(random.choice(legal), random.randrange)
            await matches.act(random.getrandbits(40), MatchId(1), player, action.notation)
    simulation.client.runtime.outbox.wake()
    await simulation.world.settle()


@pytest.mark.first(check=1)
@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_choices_fit_on_a_phone(database: Database, tmp_path: Path, game: str) -> None:
    random, row_count = Random(8), 0
    async with (
        opened(database) as simulation,
        followed(simulation) as page,
        opened_tab(page.url, tmp_path, PHONE) as tab,
    ):
        await tab.until("window.simcordPreview?.ready")
        await begin(simulation, game=game)
        for _ in range(2):
            await choose(simulation, random, 14)
            board = await simulation.players[0].slash(simulation.channel, "board", match=1)
            assert board.response
            for message in (board.response.id, simulation.channel.history()[-1].id):
                key = f'[data-control-key^="message:{message}:"]'
                await tab.until(f"document.querySelector('{key}')")
                await tab.until(f"{EMOJIS}.every((each) => each.naturalWidth)")
                rows = await tab.evaluate(f"{MAIN_ROWS}('{message}')")
                row_count += len(rows)
                assert all(len(row["labels"]) <= 3 for row in rows)
                short = [row for row in rows if max(map(len, row["labels"])) <= LABEL_LENGTH]
                assert not [row for row in short if row["wraps"]]
            assert all(inside <= width for inside, width in await tab.evaluate(WIDTHS))
    assert row_count


@pytest.mark.slow
async def test_list_of_a_hall_fits_on_a_phone(database: Database, tmp_path: Path) -> None:
    async with (
        opened(database) as simulation,
        followed(simulation) as page,
        opened_tab(page.url, tmp_path, PHONE) as tab,
    ):
        await tab.until("window.simcordPreview?.ready")
        ada, _, third = simulation.players
        for game in games.names():
            await begin(simulation, game=game)
        for player in (ada, third):
            await play(player, simulation.channel, game="warp6", clock="3 days + 12 h per turn")
        context, guild_id = simulation.client.context, simulation.client.guilds[0].id
        await context.of(Halls).choose(
            GuildId(guild_id), ChannelId(simulation.channel.id), is_forum=False, now=context.clock()
        )
        await simulation.client.runtime.outbox.flush()
        await simulation.world.settle()
        message = simulation.channel.history()[-1]
        assert "Matches in progress" in words(message)
        await tab.until(
            f"""document.querySelector('[data-control-key^="message:{message.id}:"]')"""
        )
        assert all(inside <= width for inside, width in await tab.evaluate(WIDTHS))


def test_welcome_has_three_paragraphs_and_its_buttons_last() -> None:
    text = welcome_text()
    assert text.count("\n\n") == 2
    assert len(text) <= 800
    assert "for Warp 6 with three players" in text
    hidden = text.partition("This page has no")[2]
    assert all(topic in hidden for topic in ("direct messages", "threads", "channels", "pings"))

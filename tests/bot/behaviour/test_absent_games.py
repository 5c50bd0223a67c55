"""Matches of a game that is no longer installed wait for it, and nothing of them is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, update

from bot.domain.clocks import DAY, OFFERED_CLOCKS
from bot.domain.computer_players import computer_player, has_computer
from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus, Player
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage
from bot.domain.outcomes import OutcomeKind
from bot.domain.pools import pool_title, terms_refusal
from bot.outbox.worker import LONGEST_PAUSE_SECONDS, RetryLaterError
from bot.services.match_repository import AbsentGameError, OutdatedMatchError
from bot.storage.database import Database
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import facts, matches, seats, timers
from bot.views.computers import play_now
from engine import games, packages
from render import for_game
from tests.support import installed
from tests.support.any_game import install_bids
from tests.support.bids import Bids
from tests.support.bids_drawn import BidsRenderer
from tests.support.computer_turns import begin, claim, job_count, play_all, turns
from tests.support.harness import Clock, actor_bot
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture, terms

CLOCK = OFFERED_CLOCKS["1 day per turn"]

Toggle = Callable[[], None]


@pytest.fixture
def remove(monkeypatch: pytest.MonkeyPatch) -> Toggle:
    """Installs Bids, and removes it when called."""
    install_bids(monkeypatch)

    def now() -> None:
        monkeypatch.delitem(packages._packages().installed, "bids")

    return now


async def stored(env: MatchFixture) -> list[Any]:
    """Return the matches and their timers."""
    async with env.database.read() as connection:
        return [
            tuple(row)
            for table in (matches, timers)
            for row in await connection.execute(select(table).order_by(table.c.id))
        ]


async def timed(env: MatchFixture) -> MatchId:
    """Begin a match of Bids with a clock."""
    challenge = await env.challenges.challenge(
        next(env.ids), terms("plain", "bids", clock=CLOCK), PLAYERS
    )
    assert (await env.challenges.accept(next(env.ids), challenge.match_id, BO)).kind == "done"
    return challenge.match_id


async def test_a_choice_is_refused_and_changes_nothing(env: MatchFixture, remove: Toggle) -> None:
    match_id = await env.begin("plain", "bids")
    remove()
    before = await stored(env)
    for line in ("bid 1", "resign", "abandon"):
        outcome = await env.matches.act(next(env.ids), match_id, ADA, line)
        assert outcome.kind is OutcomeKind.REFUSED
        assert outcome.sentence == (
            f"bids isn't installed here right now, so #{match_id} waits. Nothing is lost: it "
            "continues when my host installs the game again."
        )
    assert await stored(env) == before


async def test_a_challenge_to_it_cannot_begin(env: MatchFixture, remove: Toggle) -> None:
    match_id = await env.ask("plain", "bids")
    remove()
    outcome = await env.challenges.accept(next(env.ids), match_id, BO)
    assert outcome.kind is OutcomeKind.REFUSED
    assert "bids isn't installed here right now" in outcome.sentence
    match = await env.queries.match(match_id)
    assert (match.status, match.game) == (MatchStatus.CHALLENGE, "bids")
    assert set(match.players) == {"A", "B"}
    outcome = await env.challenges.challenge(next(env.ids), terms("plain", "bids"), PLAYERS)
    assert "bids isn't installed here right now" in outcome.sentence


async def test_its_board_is_not_shown(env: MatchFixture, remove: Toggle) -> None:
    match_id, other = await env.begin("plain", "bids"), await env.begin()
    remove()
    with pytest.raises(AbsentGameError, match=f"so #{match_id} waits"):
        await env.queries.view(match_id, ADA)
    assert (await env.queries.view(other, ADA)).match.game == "wormholes"
    page = await env.queries.page_of(ADA, 0, 5)
    assert {row.match.game for row in page.rows} == {"bids", "wormholes"}


async def test_a_finished_match_says_it_in_its_words(env: MatchFixture, remove: Toggle) -> None:
    match_id = await env.begin("plain", "bids")
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    remove()
    with pytest.raises(OutdatedMatchError) as caught:
        await env.queries.view(match_id, ADA)
    assert str(caught.value) == (
        f"bids isn't installed here right now, so I can't show #{match_id}."
    )
    assert pool_title("bids/2") == "bids"


async def test_its_timers_wait_and_others_fire(
    env: MatchFixture, remove: Toggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    await timed(env)
    await env.timers().fire()
    remove()
    before, fired = await stored(env), env.timers()
    for _ in range(3):
        env.now += 30.0
        assert await fired.fire() == 0
    assert await stored(env) == before
    await be_there(env, DAY)
    assert await fired.fire() == 0
    assert await stored(env) == before
    install_bids(monkeypatch)
    assert await fired.fire() > 0


async def times(env: MatchFixture) -> list[float]:
    """Return the times of timers, and when clocks were started."""
    async with env.database.read() as connection:
        due = await connection.execute(select(timers.c.due_at).order_by(timers.c.id))
        started = select(seats.c.clock_started_at).order_by(seats.c.match_id, seats.c.seat)
        clocks = await connection.execute(started)
        return [*due.scalars(), *filter(None, clocks.scalars())]


async def be_there(env: MatchFixture, seconds: float) -> None:
    """Let time pass while the bot looks at its clock all the time."""
    env.now += seconds
    async with env.database.write() as connection:
        beats = update(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
        await connection.execute(beats.values(value=repr(env.now)))


async def test_the_time_without_the_game_does_not_count(
    env: MatchFixture, remove: Toggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    await timed(env)
    await env.timers().fire()
    before = await times(env)
    assert len(before) >= 4
    remove()
    await env.timers().fire()
    await be_there(env, 3 * DAY)
    await env.timers().fire()
    env.now += 2 * DAY  # an outage, which counts once
    await env.timers().fire()
    assert await times(env) == before
    install_bids(monkeypatch)
    env.now += DAY / 2
    assert await env.timers().fire() == 0
    assert await times(env) == [time + 5.5 * DAY for time in before]
    await be_there(env, DAY + 1)
    assert await env.timers().fire() > 0


async def test_an_outage_moves_other_matches_meanwhile(env: MatchFixture, remove: Toggle) -> None:
    await timed(env)
    other = await env.challenges.challenge(next(env.ids), terms(clock=CLOCK), PLAYERS)
    await env.challenges.accept(next(env.ids), other.match_id, BO)
    await env.timers().fire()
    remove()
    await env.timers().fire()
    before = await times(env)
    env.now += 1000.0
    await env.timers().fire()
    moved = {after - time for time, after in zip(before, await times(env), strict=True)}
    assert moved == {0.0, 1000.0}


async def test_turns_of_the_computer_wait(env: MatchFixture, remove: Toggle) -> None:
    await begin(env, "bids")
    remove()
    (job,) = await claim(env)
    with pytest.raises(AbsentGameError):
        await turns(env).play(job)
    assert await job_count(env) == 1


async def test_turns_go_on_when_it_is_back(
    env: MatchFixture, remove: Toggle, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await begin(env, "bids")
    remove()
    install_bids(monkeypatch)
    await play_all(env)
    assert await job_count(env) == 0
    assert "B" not in (await env.queries.view(match_id)).view.pending


async def test_messages_about_it_wait(database: Database, remove: Toggle) -> None:
    client = actor_bot(database, Clock())
    env = MatchFixture(database)
    match_id = await env.begin("plain", "bids")
    remove()
    payload = {"action_count": 1, "version": 1}
    message = OutboxMessage(1, match_id, EVERYONE, OutboxKind.POST_BOARD, payload, 1, 0.0, "key", 0)
    with pytest.raises(RetryLaterError, match="its game is not installed") as caught:
        await client.runtime.outbox._sender.deliver(message)
    assert caught.value.after == LONGEST_PAUSE_SECONDS


def test_nothing_is_known_of_a_game_that_is_not_installed() -> None:
    game = games.get("chess")
    assert (game.name, game.title, game.version) == ("chess", "chess", 0)
    assert not games.is_installed("chess")
    assert not has_computer("chess")
    assert for_game("chess").invitation == for_game("draughts").invitation


# A game without computer players


@pytest.fixture
def people_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install Bids without computer players."""
    installed.install(monkeypatch, Bids(), BidsRenderer())


@pytest.mark.usefixtures("people_only")
async def test_the_computer_is_refused_where_it_cannot_play(env: MatchFixture) -> None:
    players = [Player(ADA, "Ada"), computer_player()]
    outcome = await env.challenges.challenge(next(env.ids), terms("plain", "bids"), players)
    assert outcome.kind is OutcomeKind.REFUSED
    assert outcome.sentence == "I can't play Bids myself; it's a game for people."
    match_id = await env.begin("plain", "bids")
    outcome = await env.stand_ins.agree(next(env.ids), match_id, ADA, "B", is_gone=True)
    assert outcome.sentence == "The computer can't play this game, so it can't step in."


@pytest.mark.usefixtures("people_only")
def test_the_computer_is_not_offered_where_it_cannot_play() -> None:
    row: Any = play_now()[0]
    items: list[Any] = row.children
    labels = [item.label for item in items]
    assert labels == ["Play Wormholes now", "Play Warp 6 now", "Play Tom Tube now"]


def test_a_game_without_anchors_is_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    install_bids(monkeypatch)
    rated = terms("plain", "bids", clock=CLOCK, rated=True)
    assert terms_refusal(rated, PLAYERS) == ""
    sentence = terms_refusal(rated, [Player(ADA, "Ada"), computer_player()])
    assert sentence == (
        "The computer's strength in this game isn't measured, so this match can't be rated."
    )

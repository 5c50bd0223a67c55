"""Turns of the computer in matches that are played by the services alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from sqlalchemy import select

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.computer_jobs import ComputerJob, claim_jobs
from bot.services.computer_turns import ChoiceRequest, ComputerChoice, ComputerTurns
from bot.storage.schema import actions, computer_jobs
from engine.computer.players import ComputerPlayer
from tests.support.matches import ADA, MatchFixture

Answer = Callable[[ChoiceRequest], Awaitable[ComputerChoice]]


async def begin(env: MatchFixture, game: str = "wormholes") -> MatchId:
    """Begin a match of Ada against the computer, in which the computer has to act."""
    while True:
        players = [Player(ADA, "Ada"), computer_player("admiral")]
        terms = Terms(game=game, guild_id=None, channel_id=ChannelId(5))
        challenged = await env.challenges.challenge(next(env.ids), terms, players)
        assert challenged.kind == "done"
        match = await env.queries.match(challenged.match_id)
        if any(match.players[seat].level for seat in match.decisions):
            return challenged.match_id
        await env.matches.act(next(env.ids), challenged.match_id, ADA, "resign")


async def properly(request: ChoiceRequest) -> ComputerChoice:
    """Choose as a worker does."""
    player = ComputerPlayer(request.level, request.seed)
    choice = player.choose(request.record, request.seat)
    return ComputerChoice(choice.action.notation, player.name)


def turns(env: MatchFixture, answer: Answer = properly) -> ComputerTurns:
    """Play without a pause."""
    return ComputerTurns(env.match_store, env.matches, answer, 0.0)


async def claim(env: MatchFixture, worker: str = "one") -> list[ComputerJob]:
    """Claim all free jobs."""
    async with env.database.write() as connection:
        return await claim_jobs(connection, worker, env.now, 10)


async def play_all(env: MatchFixture, answer: Answer = properly) -> None:
    """Play the turns of the computer until there are none."""
    while jobs := await claim(env):
        for job in jobs:
            await turns(env, answer).play(job)


async def choosers(env: MatchFixture, match_id: MatchId) -> list[str]:
    """Return the players that chose the computer's actions."""
    async with env.database.read() as connection:
        query = select(actions.c.chosen_by).where(actions.c.match_id == match_id)
        rows = await connection.execute(query.order_by(actions.c.number))
        return [row for row in rows.scalars() if row]


async def job_count(env: MatchFixture) -> int:
    """Return the number of queued jobs."""
    async with env.database.read() as connection:
        return len((await connection.execute(select(computer_jobs))).all())

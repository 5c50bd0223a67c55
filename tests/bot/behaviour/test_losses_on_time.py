"""The loser's acts after the warning do not decide whether a rated loss on time counts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random

import pytest
from sqlalchemy import update

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Rated
from bot.domain.terms import Terms
from bot.services.match_store import load
from bot.services.rated_matches import MIN_PLIES
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import facts
from engine import games
from engine.game import Action
from tests.support.matches import BO, PLAYERS, MatchFixture, choose, plan, scheduled, take_back

Tricks = Callable[[MatchFixture, int, int], Awaitable[None]]
"""What a player who has a day does with a match, up to 17 to 23 hours after the turn began."""


async def live(env: MatchFixture, hours: int) -> None:
    """Let time pass while the bot runs, and fire the due timers."""
    env.now += hours * HOUR
    async with env.database.write() as connection:
        beats = update(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
        await connection.execute(beats.values(value=repr(env.now)))
    await env.timers().fire()


async def begin(env: MatchFixture, game: str = "warp6") -> MatchId:
    """Begin a rated match in which each player has a day for a turn."""
    await env.timers().fire()
    terms = Terms(game=game, clock="1d", guild_id=None, channel_id=ChannelId(5), rated=True)
    outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    return outcome.match_id


async def act(env: MatchFixture, match_id: MatchId, action: Action) -> None:
    user = await env.on_turn(match_id)
    line = " ".join((action.verb, *action.args))
    assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"


async def claim(env: MatchFixture, match_id: MatchId, loser: UserId) -> Rated:
    """Have the other player claim the match; return whether it counts."""
    match = await env.queries.match(match_id)
    other = next(player.user_id for player in match.players.values() if player.user_id != loser)
    claimed = await env.deadlines.claim_win(next(env.ids), match_id, other, match.seat_of(loser))
    assert claimed.kind == "done", claimed
    return (await env.queries.match(match_id)).rated


async def nothing(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    await live(env, 20)


async def takeback(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    await live(env, 20)
    assert (await choose(env, match_id, user)).kind == "done"
    assert (await take_back(env, match_id, user)).kind == "done"


async def takeback_over_the_warning(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    """The choice is made before the warning, and taken back after it would have come."""
    await live(env, 17)
    assert (await choose(env, match_id, user)).kind == "done"
    await live(env, 3)
    assert (await take_back(env, match_id, user)).kind == "done"


async def takebacks(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    await live(env, 17)
    for _ in range(3):
        assert (await choose(env, match_id, user)).kind == "done"
        await live(env, 1)
        assert (await take_back(env, match_id, user)).kind == "done"
        await live(env, 1)


async def planned_takeback(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    """The choice is made by a plan."""
    await live(env, 20)
    line = (await env.queries.view(match_id, user)).view.legal[0]
    assert (await plan(env, match_id, user, line.notation.partition(" ")[2])).kind == "done"
    assert await env.on_turn(match_id) != user
    assert (await take_back(env, match_id, user)).kind == "done"


async def takeback_after_a_vacation(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    await live(env, 20)
    assert (await choose(env, match_id, user)).kind == "done"
    await env.vacations.begin(user, env.now + DAY)
    await live(env, 2)
    await env.vacations.end(user)
    assert (await take_back(env, match_id, user)).kind == "done"


async def snooze(env: MatchFixture, match_id: MatchId, user: UserId) -> None:
    await live(env, 20)
    assert (await env.deadlines.snooze(next(env.ids), match_id, user)).kind == "done"


@pytest.mark.first(test=3)
@pytest.mark.parametrize(
    "tricks",
    [
        nothing,
        takeback,
        takeback_over_the_warning,
        takebacks,
        planned_takeback,
        takeback_after_a_vacation,
        snooze,
    ],
)
async def test_loss_on_time_counts_whatever_the_loser_does(
    env: MatchFixture, tricks: Tricks
) -> None:
    match_id = await begin(env)
    for _ in range(10):
        await choose(env, match_id, await env.on_turn(match_id))
    user = await env.on_turn(match_id)
    await tricks(env, match_id, user)
    assert await env.on_turn(match_id) == user
    (flag,) = (await scheduled(env, match_id))["flag"]
    await live(env, int((flag - env.now) / HOUR) + 1)
    assert await claim(env, match_id, user) == Rated.RATED


async def to_a_longer_turn(env: MatchFixture, match_id: MatchId) -> Action:
    """Play until a player may make a choice after which the turn goes on; return this choice."""
    random = Random(1)
    for number in range(200):
        async with env.database.write() as connection:
            row = await load(connection, match_id)
        assert row
        game, state = games.get(row.game), row.state()
        legal = [game.fill(action, random.randrange) for action in game.legal(state)]
        after = [(action, game.apply(state, action)[0]) for action in legal]
        longer = [
            action
            for action, then in after
            if game.pending(then) == action.actor and len(game.legal(then)) > 1
        ]
        if longer and number > MIN_PLIES:
            return longer[0]
        await act(env, match_id, random.choice(legal))
    pytest.fail("no choice leaves the turn to its player")


@pytest.mark.parametrize("game", ["wormholes", "tomtube"])
async def test_loss_on_time_counts_in_the_middle_of_a_turn(env: MatchFixture, game: str) -> None:
    match_id = await begin(env, game)
    choice, user = await to_a_longer_turn(env, match_id), await env.on_turn(match_id)
    before = await env.decision(match_id, user)
    await live(env, 20)
    await act(env, match_id, choice)
    assert await env.decision(match_id, user) > before
    await live(env, 4)
    assert await claim(env, match_id, user) == Rated.RATED

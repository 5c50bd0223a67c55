"""Matches for profiles: played at random through the services, with time between the choices."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.domain.computer_players import computer_player
from bot.domain.ids import COMPUTER_USER_ID, ChannelId, MatchId, UserId, is_person
from bot.domain.models import Player
from bot.domain.terms import Terms
from engine import games
from engine.endings import FORFEIT_REASONS
from tests.support.matches import ADA, BO, EVE, TABLE, MatchFixture

PEOPLE = {player.user_id: player for player in TABLE}

KINDS: tuple[tuple[str, dict[str, str], tuple[UserId, ...]], ...] = (
    ("wormholes", {}, (ADA, BO)),
    ("wormholes", {"placing": "secret"}, (BO, ADA)),
    ("warp6", {}, (ADA, EVE)),
    ("warp6", {"seats": "3"}, (ADA, BO, EVE)),
    ("tomtube", {}, (ADA, BO)),
    ("tomtube", {}, (EVE, ADA)),
    ("warp6", {}, (ADA, COMPUTER_USER_ID)),
    ("tomtube", {}, (BO, EVE)),
)
"""Game, options and players."""


async def begin(
    env: MatchFixture, game: str, options: dict[str, str], users: tuple[UserId, ...], **fields: Any
) -> MatchId:
    """A match that has begun; the first user is the challenger."""
    players = [PEOPLE[user] if is_person(user) else computer_player() for user in users]
    terms = Terms(game=game, options=options, guild_id=None, channel_id=ChannelId(5), **fields)
    challenge = await env.challenges.challenge(next(env.ids), terms, players)
    assert challenge.kind == "done", challenge
    for user in users[1:]:
        if is_person(user):
            await env.challenges.accept(next(env.ids), challenge.match_id, user)
    return challenge.match_id


async def choose(env: MatchFixture, match_id: MatchId, random: Random) -> bool:
    """A player on turn makes any choice, after some time; False if the computer is on turn."""
    match = await env.queries.match(match_id)
    deciding = [
        match.players[seat] for seat in match.decisions if match.players[seat].decides_itself
    ]
    if not deciding:
        return False
    user = random.choice(deciding).user_id
    env.now += random.choice((1.0, 60.0, 4000.0))
    view = (await env.queries.view(match_id, user)).view
    action = games.get(match.game).fill(random.choice(view.legal), random.randrange)
    line = " ".join((action.verb, *action.args))
    assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"
    return True


async def play(env: MatchFixture, match_id: MatchId, random: Random, most: int) -> None:
    """Players make up to this many choices."""
    for _ in range(most):
        match = await env.queries.match(match_id)
        if match.status != "running" or not await choose(env, match_id, random):
            break


async def end(env: MatchFixture, match_id: MatchId, random: Random, *, lose: bool = False) -> None:
    """A match ends: by resigning or leaving, or sometimes by a draw or without a result."""
    match = await env.queries.match(match_id)
    players = [person for person in match.people.values() if person.decides_itself]
    random.shuffle(players)
    lines = ["resign" if len(match.players) == 2 else "leave"]
    if not lose and len(players) == 2 and not random.randrange(3):
        lines = ["draw offer", "draw accept"]
    if not lose and not random.randrange(6):
        await abandon(env, match_id, players)
        return
    for turn in range(4):
        match = await env.queries.match(match_id)
        if match.status != "running":
            return
        env.now += 10
        user = players[turn % len(players)].user_id
        line = lines[turn % len(lines)]
        assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"


async def abandon(env: MatchFixture, match_id: MatchId, players: list[Player]) -> None:
    """All players agree to end a match without a result."""
    for player in players:
        version = (await env.queries.match(match_id)).version
        await env.abandoning.agree(next(env.ids), match_id, player.user_id, version)


def departed(lines: list[str]) -> dict[str, str]:
    """Seat → how it left a match."""
    split = [line.split() for line in lines]
    return {seat: verb for seat, verb, *_ in split if verb in FORFEIT_REASONS}

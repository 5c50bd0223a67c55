"""Matches as boards show them."""

from __future__ import annotations

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId, Version
from bot.domain.models import Match, MatchStatus, Player
from engine.wormholes.state import State
from tests.support.wormholes.positions import GAME

NAMES = {"O": "Ada", "D": "Bo"}


def match_of(state: State, names: dict[str, str] | None = None) -> Match:
    """A match that stands like this."""
    names = names or NAMES
    return Match(
        id=MatchId(987654321),
        game="wormholes",
        rules="0.6",
        options={},
        status=MatchStatus.RUNNING,
        version=Version(12_345),
        decisions=dict.fromkeys(GAME.pending(state), Version(12_345)),
        guild_id=GuildId(10**18),
        channel_id=ChannelId(10**18 + 1),
        challenger_id=UserId(10**18 + 2),
        players={
            seat: Player(UserId(10**18 + i), name) for i, (seat, name) in enumerate(names.items())
        },
        unaccepted="",
        commitment="f" * 64,
        expires_at=None,
    )

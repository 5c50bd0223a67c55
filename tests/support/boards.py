"""A match of any game as its messages show it."""

from __future__ import annotations

from typing import Any

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId, Version
from bot.domain.models import Match, MatchStatus, Perspective, Player
from bot.views import inbox, private_boards, public_boards
from bot.views.images import Drawn
from bot.views.message import Message
from bot.views.public_boards import BoardState
from engine.game import CHANCE
from engine.testing.matches import Played
from render.renderer import DEFAULT_STYLE
from tests.support.limits import components

NAMES = ("Ada", "Bo", "Cy")

FIRST_USER = 10**18


def names_of(seats: str) -> dict[str, str]:
    """Return seat → name of its player."""
    return dict(zip(seats, NAMES, strict=False))


def match_of(played: Played) -> Match:
    """Return a match that stands like this."""
    game, state = played.game, played.state
    pending = game.pending(state).replace(CHANCE, "")
    names = names_of(played.seats)
    return Match(
        id=MatchId(987654321),
        game=game.name,
        rules=played.headers["Rules"],
        options=played.options,
        status=MatchStatus.RUNNING,
        version=Version(12_345),
        decisions=dict.fromkeys(pending, Version(12_345)),
        guild_id=GuildId(FIRST_USER),
        channel_id=ChannelId(FIRST_USER + 1),
        challenger_id=UserId(FIRST_USER),
        players={seat: Player(UserId(FIRST_USER + n), names[seat]) for n, seat in enumerate(names)},
        unaccepted="",
        commitment="f" * 64,
        expires_at=None,
    )


def messages(played: Played, reader: str) -> list[Message]:
    """Return the messages of a running match for a seat; for the public, its board."""
    game, state = played.game, played.state
    match, drawn = match_of(played), Drawn(b"PNG", DEFAULT_STYLE)
    perspective = Perspective(match, reader, game.view(state, reader))
    if not reader:
        legal = {seat: game.view(state, seat) for seat in match.decisions}
        return [public_boards.board(perspective, drawn, legal, 120, BoardState(live=True))]
    return [
        private_boards.board(perspective, drawn),
        private_boards.text_board(perspective),
        inbox.hand(perspective),
        inbox.turn_dm(perspective),
    ]


def content(message: Message) -> tuple[Any, ...]:
    """Return everything of a message that reaches Discord."""
    files = [(file.filename, file.description, file.fp.read()) for file in message.files]
    return components(message), files, message.pings

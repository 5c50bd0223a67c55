"""The parts of messages that views return, for tests of views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bot.domain.ids import OPEN_USER_ID
from bot.domain.models import Match, Player
from bot.views.message import Message
from tests.support import harness
from tests.support.limits import components
from tests.support.matches import BO


class Sent(NamedTuple):
    """A message as a test looks at it."""

    components: Sequence[Any]


def ids(message: Message) -> list[str]:
    """Return the custom_ids of a message."""
    return harness.ids(Sent(components(message)))


def words(message: Message) -> str:
    """Return the texts of a message."""
    return harness.words(Sent(components(message)))


def kinds(message: Message) -> list[str]:
    """Return the prefix of each custom_id in order."""
    return [custom_id.partition(":")[0] for custom_id in ids(message)]


def open_to_all(match: Match) -> Match:
    """Return a challenge whose second seat is open."""
    (seat,) = (seat for seat, player in match.players.items() if player.user_id == BO)
    return replace(match, players={**match.players, seat: Player(OPEN_USER_ID, "")})

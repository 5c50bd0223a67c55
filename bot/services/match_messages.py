"""Messages about matches, before they are stored in the outbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bot.domain.ids import MatchId
from bot.domain.outbox import EVERYONE, OutboxKind, Target
from bot.services.preferences import PreferenceKey, wants
from bot.services.rows import SeatRow


class MatchMessage(NamedTuple):
    """A message about a match to queue; its content is read when it is sent.

    Attributes:
        match_id: number of the match.
        kind: the kind of message.
        payload: see `bot.domain.outbox.OutboxMessage`.
        target: the recipient.
        pause: seconds until it is sent.
    """

    match_id: MatchId
    kind: OutboxKind
    payload: Mapping[str, int] = MappingProxyType({})
    target: Target = EVERYONE
    pause: float = 0.0


def turn_dms(
    people: Sequence[SeatRow], notify: str, payload: Mapping[str, int]
) -> list[MatchMessage]:
    """Return a DM to each player of the seats `notify` who has turn DMs enabled."""
    return [
        MatchMessage(person.match_id, OutboxKind.TURN_DM, payload, Target(person.user_id))
        for person in people
        if person.seat in notify
        and person.decides_itself
        and wants(person.preferences, PreferenceKey.TURNS)
    ]


def hands(people: Sequence[SeatRow]) -> list[MatchMessage]:
    """Return a DM with hidden information to each player who wants one."""
    return [
        MatchMessage(person.match_id, OutboxKind.PRIVATE_HAND, target=Target(person.user_id))
        for person in people
        if person.is_person and wants(person.preferences, PreferenceKey.HAND)
    ]

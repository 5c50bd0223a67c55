"""Outbox messages, as queued by services and posted by the sender."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import NamedTuple, Protocol

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId

LOWEST_MARK = 1 << 30
"""Lowest component id that marks a delivery; the highest is just below twice this number."""

SERVER_PREFIX = "hall"
"""Prefix of the targets whose messages concern a server, not one match; it is stored."""

PING_PREFIX = "ping:"
"""Prefix of the payload fields of a ping: for each seat, the version of its decision."""

TAKEN_BACK_PREFIX = "taken_back:"
"""Prefix of the payload fields for the seats whose choices were taken back: 1 for the player who
took back, and more for those who had answered."""

VOID_PREFIX = "void:"
"""Prefix of the payload fields of a notice that no longer holds, with the seat of its player."""

IN_CHANNEL = 0
"""Stands for the user ID of a message in a channel, where the messages are stored."""

_USER = "user:"


class OutboxKind(StrEnum):
    """The kind of a message of the core; features have kinds of their own."""

    POST_CHALLENGE = "post_challenge"
    UPDATE_CHALLENGE = "update_challenge"
    START_THREAD = "start_thread"
    POST_BOARD = "post_board"
    EDIT_BOARD = "edit_board"
    ENSURE_BOARD = "ensure_board"
    RETIRE_BOARD = "retire_board"
    CLOSE_QUESTION = "close_question"
    POST_RESULT = "post_result"
    TURN_PING = "turn_ping"
    NUDGE = "nudge"
    TAKEBACK_REQUEST = "takeback_request"
    ABANDON_REQUEST = "abandon_request"
    NOTICE = "notice"
    SERIES_REMINDER = "series_reminder"
    PRIVATE_HAND = "private_hand"
    TURN_DM = "turn_dm"
    START_POST = "start_post"
    UPDATE_POST = "update_post"


class Priority(IntEnum):
    """The priority of a message if not all can be sent at once."""

    AWAITED = 0
    BACKGROUND = 1


_BACKGROUND = frozenset(
    {
        OutboxKind.UPDATE_POST,
        OutboxKind.TURN_PING,
        OutboxKind.TURN_DM,
        OutboxKind.RETIRE_BOARD,
        OutboxKind.CLOSE_QUESTION,
    }
)
"""Kinds that no player waits for: their readers are elsewhere."""


class OutboxStatus(StrEnum):
    """The status of a message: waiting for delivery, or given up."""

    WAITING = "waiting"
    FAILED = "failed"


class PostedKind(StrEnum):
    """The kind of a message that is kept up to date; `ping`: the latest that pinged players."""

    CHALLENGE = "challenge"
    BOARD = "board"
    POST = "post"
    PING = "ping"
    TAKEBACK_REQUEST = "takeback_request"
    ABANDON_REQUEST = "abandon_request"
    SERIES_REMINDER = "series_reminder"


QUESTIONS = frozenset(
    {PostedKind.TAKEBACK_REQUEST, PostedKind.ABANDON_REQUEST, PostedKind.SERIES_REMINDER}
)
"""Kinds of messages that ask players and lose their buttons once they have been answered."""


@dataclass(frozen=True, slots=True)
class Target:
    """The receiver of a message; each target of a match gets its messages in order.

    Attributes:
        user_id: a user, by DM; None for everyone.
        place: for everyone: the channel of the match, its post in a forum, or something on its
            server, see `server_target`.

    Example:
        >>> str(Target(7)), str(Target()), str(server_target(9))
        ('user:7', 'channel', 'hall:9')
        >>> Target.parse("user:7").user_id
        7
    """

    user_id: UserId | None = None
    place: str = "channel"

    @classmethod
    def parse(cls, text: str) -> Target:
        """Parse the stored form of a target."""
        if text.startswith(_USER):
            return cls(UserId(int(text.removeprefix(_USER))))
        return cls(place=text)

    @property
    def recipient(self) -> UserId:
        """Return the user to send a DM to.

        Raises:
            ValueError: the messages are for everyone.
        """
        if self.user_id is None:
            raise ValueError(self.place)
        return self.user_id

    def __str__(self) -> str:
        return f"{_USER}{self.user_id}" if self.user_id else self.place


FORUM_POST = Target(place="post")

FORMER = Target(place="former")
"""Former boards and questions in channels: no other message waits until they have lost their
controls."""


def server_target(guild_id: GuildId, purpose: str = "") -> Target:
    """Return a target whose messages are in one order across all matches of a server.

    Args:
        purpose: begins with a hyphen, if a server has several such targets.
    """
    return Target(place=f"{SERVER_PREFIX}{purpose}:{guild_id}")


EVERYONE = Target()


def outbox_row(
    match_id: MatchId,
    kind: str,
    target: Target,
    payload: Mapping[str, int],
    due: float,
    *,
    priority: Priority | None = None,
) -> dict[str, object]:
    """Return the columns of a message to send at a given time.

    Args:
        payload: see `OutboxMessage`.
        due: when to send it, in UTC seconds.
        priority: None for the priority of a core kind.
    """
    by_kind = Priority.BACKGROUND if kind in _BACKGROUND else Priority.AWAITED
    return {
        "match_id": match_id,
        "target": str(target),
        "kind": kind,
        "payload": dict(payload),
        "status": OutboxStatus.WAITING,
        "attempts": 0,
        "next_attempt_at": due,
        "priority": by_kind if priority is None else priority,
    }


class MatchMessage(NamedTuple):
    """A message about a match to queue; its content is read when it is sent.

    Attributes:
        payload: see `OutboxMessage`.
        pause: seconds until it is sent.
    """

    match_id: MatchId
    kind: OutboxKind
    payload: Mapping[str, int] = MappingProxyType({})
    target: Target = EVERYONE
    pause: float = 0.0


class Delivery(Protocol):
    """A message that is posted only once, even after several attempts."""

    @property
    def first_attempt_at(self) -> float:
        """Return the time of the first attempt."""

    @property
    def mark(self) -> int:
        """Return the component id that identifies the posted message in the channel's history."""

    def nonce(self, channel_id: ChannelId) -> str:
        """Return the nonce that makes Discord post the message only once in a channel."""


def nonce_of(key: str, channel_id: ChannelId) -> str:
    """Return a nonce (≤ 25 characters) for a channel.

    Discord compares nonces per author, not per channel: each channel needs its own.

    Args:
        key: random name of the delivery.
    """
    return hashlib.sha256(f"starpost {key} {channel_id}".encode()).hexdigest()[:24]


def mark_of(key: str) -> int:
    """Return the component id that marks a delivery.

    Discord returns component ids as sent and does not show them. They are positive 32-bit
    numbers; small ones are used for components that Discord numbers itself.
    """
    digest = hashlib.sha256(f"starpost mark {key}".encode()).digest()
    return LOWEST_MARK + int.from_bytes(digest[:4], "big") % LOWEST_MARK


class OutboxMessage(NamedTuple):
    """One message to deliver.

    Attributes:
        id: number of its row.
        payload: numbers that identify the position it shows.
        attempts: number of attempts, including the current one; also identifies the lease.
        first_attempt_at: time of the first attempt.
        key: random name of this delivery, the same for each attempt.
        errors: number of earlier attempts that ended in a bug.
    """

    id: int
    match_id: MatchId
    target: Target
    kind: str
    payload: Mapping[str, int]
    attempts: int
    first_attempt_at: float
    key: str
    errors: int = 0

    def nonce(self, channel_id: ChannelId) -> str:
        """See `Delivery`."""
        return nonce_of(self.key, channel_id)

    @property
    def mark(self) -> int:
        """See `Delivery`."""
        return mark_of(self.key)


class SentCopy(NamedTuple):
    """A message as sent to one channel or DM.

    Attributes:
        user_id: the recipient of a DM; None for a message in a channel.
    """

    user_id: UserId | None
    channel_id: ChannelId
    message_id: int


class SentMessage(NamedTuple):
    """A message on Discord that is kept up to date.

    Attributes:
        revision: number of actions of the match that it shows; of a ping, the version of the
            latest decision that it is about; of a post in a forum, the `Stage` of its match; of a
            question, the version of the match.
        copies: one in a channel, or one for each player by DM; none if it was deleted.
        ping: the ping that was posted, or deleted, together with it.
        unretired: the former board and answered questions, with the copies that still have their
            controls.
    """

    kind: PostedKind
    revision: int
    copies: Sequence[SentCopy]
    ping: SentMessage | None = None
    unretired: tuple[SentMessage, ...] = ()


def retirements(match_id: MatchId, former: SentMessage, due: float) -> list[dict[str, object]]:
    """Return the rows that remove the controls from copies of a former board or of a question.

    A copy by DM is for its recipient, so that it is forgotten with the recipient's data.
    """
    return [
        outbox_row(
            match_id,
            OutboxKind.CLOSE_QUESTION if former.kind in QUESTIONS else OutboxKind.RETIRE_BOARD,
            Target(copy.user_id) if copy.user_id else FORMER,
            {
                "channel": copy.channel_id,
                "message": copy.message_id,
                "action_count": former.revision,
            },
            due,
        )
        for copy in former.copies
    ]

"""Messages of the outbox, as services queue them and the sender has posted them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

LOWEST_MARK = 1 << 30
"""Lowest component id that marks a delivery; the highest one is just below twice as much."""


EVERYONE = "channel"
"""The target of messages that everyone in the channel of the match sees."""


class OutboxMessage(NamedTuple):
    """One thing to send.

    Attributes:
        id: number of its row.
        match_id: what it is about.
        target: `channel` or `user:ID`.
        kind: what it is.
        what: numbers that say which moment it shows.
        attempts: how often it has been tried, this time included; it tells this lease from others.
        tried: time of the first attempt.
        key: random name of this delivery; empty in rows that an earlier version has written.
        errors: how many earlier attempts ended in a bug.
    """

    id: int
    match_id: int
    target: str
    kind: str
    what: Mapping[str, int]
    attempts: int
    tried: float
    key: str = ""
    errors: int = 0

    @property
    def name(self) -> str:
        """The name of this delivery: the same for each attempt, and no other one has it."""
        return self.key or f"{self.id} {self.match_id} {self.kind} {self.what}"

    @property
    def user_id(self) -> int:
        """The user to whom it goes, where the target is one."""
        return int(self.target.removeprefix("user:"))

    def nonce(self, channel_id: int) -> str:
        """Return what makes Discord post it in this channel only once (≤ 25 characters).

        Discord compares nonces for an author, not for a channel: each channel needs its own.
        """
        text = f"starpost {self.name} {channel_id}"
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @property
    def mark(self) -> int:
        """Return the component id by which the posted message is found in the channel's history.

        Discord returns component ids as they were sent, and does not show them. They are positive
        32-bit numbers; small ones are for components that Discord numbers itself.
        """
        digest = hashlib.sha256(f"starpost mark {self.name}".encode()).digest()
        return LOWEST_MARK + int.from_bytes(digest[:4], "big") % LOWEST_MARK


class Copy(NamedTuple):
    """A message as it was sent to one place.

    Attributes:
        user_id: the receiver of a DM; 0 for a message in a channel.
        channel_id: where it is.
        message_id: which one it is.
    """

    user_id: int
    channel_id: int
    message_id: int


class PostedMessage(NamedTuple):
    """A message that now stands on Discord and is to be kept up to date.

    Attributes:
        kind: `challenge` or `notice`.
        channel_id: where it is.
        message_id: which one it is.
        lines: how many actions of the match it tells of.
        copies: all of its copies, where it was sent to the players by DM.
    """

    kind: str
    channel_id: int
    message_id: int
    lines: int
    copies: tuple[Copy, ...] = ()

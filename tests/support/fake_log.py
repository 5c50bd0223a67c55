"""Records of the fake Discord: faults, messages, requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from aiohttp import web


class Trouble(NamedTuple):
    """Probability of each fault for a request, from 0 to 1."""

    limited: float = 0.0
    bad_gateway: float = 0.0
    dropped: float = 0.0


CALM = Trouble()


@dataclass
class MessageState:
    """A message as it was when it was new.

    Attributes:
        id: number of the message; later ones are higher.
        marks: its custom_ids and texts.
        nonce: what the bot called it.
        at: UTC seconds.
        mark: id of its first component, see `bot.domain.outbox.OutboxMessage.mark`.
    """

    id: int
    channel: int
    marks: frozenset[str]
    nonce: str
    at: float
    mark: int = 0


@dataclass
class Asked:
    """A request for a new message, or a look into a channel.

    Attributes:
        at: UTC seconds.
        nonce: of the new message; empty for a look.
        did: what became of it, and which message that is about.
        fate: which fault its answer met.
    """

    at: float
    channel: int
    nonce: str
    did: str
    fate: str = "answered"

    def __str__(self) -> str:
        return f"{self.at:.3f} {self.nonce or 'history'} in {self.channel}: {self.did}, {self.fate}"


ASKED = web.RequestKey("asked", Asked)

"""Private cards: a user has at most one in a match, and it follows the match.

A card is a private reply about a match: the board with the user's choices, a hint, a plan, hidden
information. The next one deletes it. When the match has changed, a card whose buttons are outdated
is replaced or deleted. Discord permits both for 15 minutes, with the token of the latest click on
the card; nothing is stored, so cards from before a restart stay until they are clicked.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import Any, NamedTuple

import aiohttp
import discord

from bot.domain.ids import MatchId
from bot.views.message import Message

log = logging.getLogger(__name__)

KEPT_SECONDS = 14 * 60.0
"""Seconds that a card is kept; its token is valid for 15 minutes."""

MAX_CARDS = 1000
"""Maximum number of users and matches with cards, about 10 kB each."""

MAX_MATCHES = 10_000
"""Maximum number of matches whose changes are counted."""

UNREACHABLE = (discord.HTTPException, aiohttp.ClientError, RuntimeError)
"""Errors that mean a reply cannot be delivered; aiohttp raises RuntimeError when its
session is closed, as during shutdown."""

Key = tuple[int, MatchId]
"""A user and a match."""


class CardKind(Enum):
    """How a private reply replaces others: a card all but pending ones, a note only notes."""

    CARD = auto()
    NOTE = auto()
    """A refusal or confirmation beside the card."""
    PENDING = auto()
    """A report of work in progress, whose result replaces the others."""


class Card(NamedTuple):
    """A private reply about a match.

    Attributes:
        interaction: the click or command whose reply it is.
        custom_ids: those of its buttons, lists and windows that can be used.
        changes: the number of changes of the match when the interaction arrived.
        shown_at: when it was shown, by `time.monotonic`.
        kind: how it replaces others.
    """

    interaction: discord.Interaction[Any]
    match_id: MatchId
    message_id: int
    custom_ids: tuple[str, ...]
    changes: int
    shown_at: float
    kind: CardKind = CardKind.CARD

    @property
    def key(self) -> Key:
        """Return its user and match."""
        return self.interaction.user.id, self.match_id


_STAYING = {
    CardKind.CARD: (CardKind.PENDING,),
    CardKind.NOTE: (CardKind.CARD, CardKind.PENDING),
    CardKind.PENDING: (CardKind.PENDING,),
}
"""The kinds of earlier replies that stay beside a new one."""


class Renewal(NamedTuple):
    """The change of an outdated card: its new content, or None to delete it."""

    message: Message | None


Edit = Callable[[discord.Interaction[Any], Message], Awaitable[None]]
"""Replaces the reply to an interaction."""

Delete = Callable[[discord.Interaction[Any]], Awaitable[None]]
"""Deletes the reply to an interaction."""

Renew = Callable[[Card], Awaitable[Renewal | None]]
"""Returns the change of a card after a change of its match; None if its buttons still work."""


class PrivateCards:
    """Keeps the private cards of users in matches.

    Args:
        edit: see `bot.interactions.replies.edit_card`.
        delete: see `bot.interactions.replies.delete_card`.

    Attributes:
        renew: returns how a card changes with its match; None leaves it as it is.
    """

    def __init__(self, edit: Edit, delete: Delete) -> None:
        self._edit_card = edit
        self._delete_card = delete
        self.renew: Renew | None = None
        self._cards: OrderedDict[Key, list[Card]] = OrderedDict()
        self._changes: OrderedDict[MatchId, int] = OrderedDict()
        self._handling: Counter[Key] = Counter()
        self._renewing: dict[Key, asyncio.Task[None]] = {}
        self._deleted: deque[int] = deque(maxlen=MAX_CARDS)

    def changes(self, match_id: MatchId) -> int:
        """Return a number that rises whenever a new position of a match is shown."""
        return self._changes.get(match_id, 0)

    def is_deleted(self, message_id: int) -> bool:
        """Return whether a card was deleted lately, though a window of it may still be open."""
        return message_id in self._deleted

    @contextmanager
    def handling(self, user_id: int, match_id: MatchId) -> Iterator[None]:
        """Leave the card of a user alone while a click that may replace it is handled."""
        key = user_id, match_id
        self._handling[key] += 1
        try:
            yield
        finally:
            self._handling[key] -= 1
            if not self._handling[key]:
                del self._handling[key]
            self._begin_renewal(key)

    async def show(
        self,
        interaction: discord.Interaction[Any],
        match_id: MatchId,
        message_id: int,
        message: Message,
        changes: int,
        *,
        kind: CardKind = CardKind.CARD,
    ) -> None:
        """Keep a private reply that has been sent or edited, and delete those that it replaces.

        For the parameters see `Card`.
        """
        card = Card(
            interaction,
            match_id,
            message_id,
            tuple(_usable_ids(message)),
            changes,
            time.monotonic(),
            kind,
        )
        earlier = self._cards.pop(card.key, [])
        staying = _STAYING[kind]
        cards = [
            other for other in earlier if other.kind in staying and other.message_id != message_id
        ]
        self._cards[card.key] = [*cards, card]
        if len(self._cards) > MAX_CARDS:
            self._cards.popitem(last=False)
        for other in earlier:
            if other not in cards and other.message_id != message_id:
                await self._delete(other)
        self._begin_renewal(card.key)

    async def dismiss(self, user_id: int, match_id: MatchId) -> None:
        """Delete the replies to a user about a match, which have become moot."""
        for card in self._cards.pop((user_id, match_id), []):
            await self._delete(card)

    def forget(self, message_id: int) -> None:
        """Forget a card that is being deleted."""
        self._deleted.append(message_id)
        self.release(message_id)

    def release(self, message_id: int) -> None:
        """Keep a message no longer as a card, because it may become one of another match."""
        for key, cards in self._cards.items():
            if any(card.message_id == message_id for card in cards):
                self._cards[key] = [card for card in cards if card.message_id != message_id]

    def match_changed(self, match_id: MatchId) -> None:
        """Begin to renew the cards of a match, because its board shows a new position."""
        self._changes[match_id] = self._changes.pop(match_id, 0) + 1
        if len(self._changes) > MAX_MATCHES:
            self._changes.popitem(last=False)
        for key in [key for key in self._cards if key[1] == match_id]:
            self._begin_renewal(key)

    def clear(self) -> None:
        """Drop all cards, because they contain names of players."""
        self._cards.clear()

    def close(self) -> None:
        """Stop renewing cards."""
        self.renew = None
        for task in self._renewing.values():
            task.cancel()

    def _outdated(self, key: Key) -> Card | None:
        """Return the card of a user if its match has changed since, and it may be renewed now."""
        card = next((card for card in self._cards.get(key, ()) if card.kind is CardKind.CARD), None)
        if card is None or key in self._handling or card.changes == self.changes(card.match_id):
            return None
        return card if time.monotonic() - card.shown_at < KEPT_SECONDS else None

    def _begin_renewal(self, key: Key) -> None:
        if self.renew and key not in self._renewing and self._outdated(key):
            task = asyncio.create_task(self._renew_while_outdated(key), name="private card")
            self._renewing[key] = task
            task.add_done_callback(lambda _task: self._renewing.pop(key, None))

    async def _renew_while_outdated(self, key: Key) -> None:
        while self.renew and (card := self._outdated(key)):
            changes, renewal = self.changes(card.match_id), None
            try:
                renewal = await self.renew(card)
                if self._outdated(key) is not card:
                    continue  # its user has clicked meanwhile
                if renewal and renewal.message is None:
                    await self._delete(card)
                    self.forget(card.message_id)
                    continue
                if renewal and (message := renewal.message):
                    card = card._replace(custom_ids=tuple(_usable_ids(message)))
                    await self._edit_card(card.interaction, message)
            except UNREACHABLE as error:
                log.info("a private card stays as it is: %s", error)
            self._update(card._replace(changes=changes))

    def _update(self, card: Card) -> None:
        """Keep a changed card in place of itself, unless it was replaced meanwhile."""
        cards = self._cards.get(card.key, [])
        for place, other in enumerate(cards):
            if other.interaction is card.interaction and other.kind is CardKind.CARD:
                cards[place] = card

    async def _delete(self, card: Card) -> None:
        """Delete a message; if its token has expired, it stays, with outdated buttons."""
        if time.monotonic() - card.shown_at >= KEPT_SECONDS:
            return
        self._deleted.append(card.message_id)
        try:
            await self._delete_card(card.interaction)
        except UNREACHABLE as error:
            log.info("a private card stays: %s", error)


def _usable_ids(message: Message) -> Iterator[str]:
    """Yield the custom_ids of a message's components that are not disabled."""
    for item in message.layout.walk_children():
        custom_id = getattr(item, "custom_id", None)
        if custom_id and not getattr(item, "disabled", False):
            yield custom_id

"""Leaks made on purpose, one for each way in which the bot could tell a hidden value.

Each of them tells the value of the coin that Ada placed last.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import discord
import pytest
from discord import ui
from sqlalchemy import select, update

from bot.domain.ids import UserId
from bot.domain.models import Match
from bot.domain.outbox import MatchMessage, OutboxKind, OutboxMessage
from bot.domain.outcomes import Outcome
from bot.domain.quiet_hours import ActiveHours, active_hours
from bot.features.privacy import exports
from bot.features.privacy import views as personal
from bot.features.privacy.export_files import ExportedFile
from bot.features.replays.animations import Animation, Animations
from bot.interactions import boards, match_option
from bot.interactions.context import Context
from bot.interactions.private_lines import private_lines
from bot.outbox.boards import Boards
from bot.outbox.notifications import Notifications
from bot.outbox.transport import MessageFactory
from bot.services.deadlines import Deadlines
from bot.services.deliveries import DeliverySnapshot
from bot.services.match_store import MatchStore
from bot.services.matches import Matches
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.connection import Connection
from bot.storage.schema import actions, matches, timers
from bot.views import attachments, controls, public_boards
from bot.views.images import BoardImages, Drawn
from bot.views.message import Message
from bot.views.policies import Policies
from engine.game import View
from engine.record import Record
from tests.verification.leaks.diff import Difference
from tests.verification.leaks.story import Story

log = logging.getLogger("bot.planted")

PLACING = re.compile(r"place [SM](\d)")
"""A line that places a coin of Ada's."""

LOW = 3
"""Values below this are low; each low value has a higher one in the other world."""


class Secret:
    """The value of the coin that Ada placed last.

    Attributes:
        value: 0 before the first one.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.value = 0
        honest = Matches.act

        async def act(matches: Matches, *args: Any, **kwargs: Any) -> Outcome:
            if placing := PLACING.match(args[3]):
                self.value = int(placing[1])
            return await honest(matches, *args, **kwargs)

        patch.setattr(Matches, "act", act)

    @property
    def is_low(self) -> bool:
        """Whether the value is low."""
        return self.value < LOW


def text(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """Name the action that was taken back on the board after a takeback."""
    del secret
    honest = Boards._factory

    async def telling(
        self: Boards, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> MessageFactory:
        make = await honest(self, queued, delivery)
        undone = select(actions.c.line).where(
            actions.c.match_id == queued.match_id, actions.c.undone_at.is_not(None)
        )
        async with self._queries._database.read() as connection:
            lines = (await connection.execute(undone)).scalars().all()

        def careless() -> Any:
            message = make()
            for line in lines:
                message.layout.add_item(ui.TextDisplay(f"Taken back: {line}"))
            return message

        return careless

    patch.setattr(Boards, "_factory", telling)


def alt_text(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """The alt text of a board ends in it."""
    honest = attachments.alt_text

    def with_secret(*args: Any, **kwargs: Any) -> str:
        return f"{honest(*args, **kwargs)} alt {secret.value}"

    patch.setattr(attachments, "alt_text", with_secret)


def picture_size(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """The file of a board is longer by so many bytes; the picture looks the same."""
    honest = BoardImages.with_actions

    async def with_actions(self: BoardImages, *args: Any, **kwargs: Any) -> Drawn:
        drawn = await honest(self, *args, **kwargs)
        return drawn._replace(png=drawn.png + bytes(secret.value))

    patch.setattr(BoardImages, "with_actions", with_actions)


def custom_id(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """A button carries it."""
    honest = personal.privacy

    def careless(policies: Policies) -> Message:
        message = honest(policies)
        for item in message.layout.walk_children():
            if isinstance(item, ui.Button) and item.custom_id == "erase:ask":
                item.custom_id = f"erase:{secret.value}"
        return message

    patch.setattr(personal, "privacy", careless)


def file_name(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """The export is called so."""
    honest = personal.export

    def careless(file: ExportedFile) -> Message:
        return honest(file._replace(name=f"starpost-{secret.value}.json"))

    patch.setattr(personal, "export", careless)


def export(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """An export tells the position."""
    del secret
    everything = [column.name for column in matches.c if column.name not in ("seed", "salt")]
    patch.setattr(exports, "OPEN_COLUMNS", everything)


def proposal(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """It is proposed while a command is typed."""
    honest = match_option._title
    patch.setattr(match_option, "_title", lambda *args: f"{honest(*args)} value {secret.value}")


def order(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """Two buttons change places."""
    honest = controls.draw_answers

    def answers(*args: Any) -> list[ui.Item[Any]]:
        rows = honest(*args)
        if not secret.is_low:
            return rows
        return [ui.ActionRow[Any](*reversed(row.children)) for row in rows]  # type: ignore[attr-defined]

    patch.setattr(public_boards, "draw_answers", answers)


def number(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """There is one more request."""
    honest = Notifications.send_turn_dm

    async def nudge(self: Notifications, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        if secret.is_low:
            user = discord.Object(queued.target.recipient)
            channel = await self._client.create_dm(user)
            await self._client.http.send_typing(channel.id)
        await honest(self, queued, delivery)

    patch.setattr(Notifications, "send_turn_dm", nudge)


def moment(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """A reminder comes so many seconds later."""
    honest = Deadlines.snooze

    async def snooze(self: Deadlines, *args: Any) -> Outcome:
        outcome = await honest(self, *args)
        async with self._match_store.database.write() as connection:
            later = update(timers).where(timers.c.kind == "snooze")
            await connection.execute(later.values(due_at=timers.c.due_at + secret.value))
        return outcome

    patch.setattr(Deadlines, "snooze", snooze)


def animation(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """An animation shows what Ada sees."""
    del secret

    def views(self: Animations, animation: Animation, record: Record) -> Iterator[View]:
        del self
        for game, state in record.positions():
            yield game.view(state, "O")
            animation.done += 1

    patch.setattr(Animations, "_views", views)


def outbox(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """The rows of DMs tell it."""
    honest = MatchStore.queue_all

    async def queue_all(
        self: MatchStore, connection: Connection, messages: Sequence[MatchMessage]
    ) -> None:
        leaking = [
            message._replace(payload={**message.payload, "value": secret.value})
            if message.kind == OutboxKind.TURN_DM
            else message
            for message in messages
        ]
        await honest(self, connection, leaking)

    patch.setattr(MatchStore, "queue_all", queue_all)


def notes(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """A private board has the notes of all players of its match."""
    del secret
    honest = private_lines

    async def careless(context: Context, match: Match, user_id: UserId) -> str:
        del user_id
        people = match.people.values()
        return "".join([await honest(context, match, player.user_id) for player in people])

    patch.setattr(boards, "private_lines", careless)


def hours(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """The card of a match has the active hours of players who do not show them."""
    del secret

    async def careless(self: Preferences, user_id: UserId, now: float) -> ActiveHours | None:
        preferences = await self.preferences(user_id)
        return active_hours(preferences[PreferenceKey.QUIET], preferences[PreferenceKey.ZONE], now)

    patch.setattr(Preferences, "active_hours", careless)


def log_line(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """Log the choice at DEBUG."""
    del secret
    honest = Matches.act

    async def act(self: Matches, *args: Any, **kwargs: Any) -> Outcome:
        log.debug("chosen: %s", args[3])
        return await honest(self, *args, **kwargs)

    patch.setattr(Matches, "act", act)


class Plant(NamedTuple):
    """A leak, and where it is found.

    Attributes:
        channels: names of all fields of `Told` that differ then.
        is_shown: whether a difference is this leak's.
    """

    plant: Callable[[pytest.MonkeyPatch, Secret], None]
    channels: set[str]
    is_shown: Callable[[Difference], bool]


def differing(channel: str, pattern: str) -> Callable[[Difference], bool]:
    """Return whether a pattern finds something in both lines, and not the same."""

    def is_shown(difference: Difference) -> bool:
        one, two = (re.search(pattern, line) for line in difference[1:])
        return bool(difference.channel == channel and one and two and one[0] != two[0])

    return is_shown


def _is_more(difference: Difference) -> bool:
    return difference.channel == "requests" and "/typing" in difference.one + difference.two


PLANTS = {
    "message text": Plant(text, {"requests", "seen"}, differing("requests", r"Taken back: O .+")),
    "alt text": Plant(
        alt_text, {"requests", "pictures", "seen"}, differing("requests", r"description.*? alt \d")
    ),
    "picture size": Plant(picture_size, {"pictures"}, differing("pictures", r"\d+ bytes")),
    "custom_id": Plant(
        custom_id, {"requests", "seen"}, differing("requests", r"custom_id': 'erase:\d")
    ),
    "file name": Plant(
        file_name, {"requests", "files", "seen"}, differing("files", r"starpost-\d\.json")
    ),
    "file": Plant(export, {"files"}, differing("files", r'"position": ".*')),
    "autocomplete": Plant(proposal, {"requests"}, differing("requests", r"name': '[^']* value \d")),
    "order of components": Plant(
        order, {"requests", "seen"}, differing("requests", r"draw (accept|decline)")
    ),
    "number of requests": Plant(number, {"requests"}, _is_more),
    "time of a timer": Plant(moment, {"timers"}, differing("timers", r"snooze.*")),
    "animation": Plant(animation, {"animations"}, differing("animations", r"[0-9a-f]{16}.*")),
    "outbox": Plant(outbox, {"outbox"}, differing("outbox", r'"value": \d')),
    "notes": Plant(notes, {"requests", "seen"}, differing("requests", r"a (low|high) coin")),
    "hours": Plant(hours, {"requests"}, differing("requests", r"antwortet meist zwischen <t:\d+")),
    "log line": Plant(log_line, {"logs"}, differing("logs", r"chosen: place .*")),
}
"""Way in which a value could leak → a leak in that way."""


async def glimpse(story: Story) -> None:
    """A short story in which each planted leak has its chance."""
    await story.begin(side="OrthogonAliens", clock="3 days per turn", notes="off")
    for _ in range(4):
        await story.choose()
        await story.act(story.own_takeback)
        await story.choose()
    for act in (
        story.note,
        story.hours,
        story.look_around,
        story.draw_offers,
        story.reminders,
        story.export,
    ):
        await story.act(act)
    await story.act(story.agree_on_draw)
    await story.act(story.watch_again)

"""The list of a hall and its ping of a role: posting, editing, deleting."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.outbox import SERVER_PREFIX, OutboxMessage, Target
from bot.features.halls.message_kinds import HallKind, hall_call, hall_list
from bot.features.halls.posts import HallSender
from bot.features.halls.service import CALL_PAUSE_SECONDS, Hall, HallSnapshot, Listing
from bot.outbox.store import RowChange
from bot.services.servers import ServerSettings
from bot.storage.schema import halls
from bot.views.message import note

GUILD, HALL, FORMER, ROLE = GuildId(2), ChannelId(6), ChannelId(7), 77

LIST, CALL, NEW = 900, 901, 910
"""The messages of before, and a new one."""

NOW = 10 * CALL_PAUSE_SECONDS


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="no")
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": ""})


class Fakes:
    """A hall with a list and a call, and Discord as its sender sees it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hall = Hall(GUILD, False, HALL, HALL, LIST, 0.0, HALL, CALL)
        self.server = ServerSettings.of({"hall": HALL, "hall_role": ROLE})
        self.is_open, self.is_forum = True, False
        self.log: list[tuple[Any, ...]] = []
        self.edit_error: Exception | None = None
        self.post_error: Exception | None = None
        self.new = NEW
        self.marks: list[int] = []
        stub: Any = self
        self.sender = HallSender(stub, stub, stub, halls=stub, transport=stub, clock=lambda: NOW)
        monkeypatch.setattr(self.sender, "_forums", self)
        monkeypatch.setattr("bot.features.halls.views.hall_list", lambda _listing: note("list"))
        monkeypatch.setattr("bot.features.halls.views.role_call", lambda *_given: note("call"))

    async def deliver(self, kind: str = HallKind.UPDATE_LIST, attempts: int = 1) -> Any:
        target = hall_list(GUILD) if kind == HallKind.UPDATE_LIST else hall_call(GUILD)
        self.queued = OutboxMessage(1, MatchId(1), target, kind, {}, attempts, NOW - 50, "key")
        return await self.sender.deliver(self.queued)

    # Halls

    async def read(self, _match_id: int) -> HallSnapshot:
        return HallSnapshot(self.hall, self.server, ())

    async def listing(self, *_given: Any) -> Listing:
        seat: Any = object()
        return Listing(open=[seat] if self.is_open else [])

    async def forget_list(self, message_id: int) -> None:
        self.log.append(("forget list", message_id))

    async def forget_call(self, message_id: int) -> None:
        self.log.append(("forget call", message_id))

    async def forget(self, guild_id: GuildId) -> None:
        self.log.append(("forget", guild_id))

    async def postpone(self, _queued: OutboxMessage, due: float) -> None:
        self.log.append(("postpone", due))

    # Servers

    async def locale(self, _guild_id: int) -> None:
        return None

    async def of_server(self, _guild_id: int) -> Any:
        return SimpleNamespace(
            forum={HALL: object()}.get if self.is_forum else lambda _number: None
        )

    # Discord

    def channel(self, number: int, _guild_id: int) -> Any:
        def partial(message_id: int) -> Any:
            async def delete() -> None:
                self.log.append(("delete", number, message_id))

            return SimpleNamespace(delete=delete)

        return SimpleNamespace(id=number, get_partial_message=partial)

    async def post(self, channel: Any, _queued: OutboxMessage, make: Any) -> Any:
        make()
        if self.post_error:
            raise self.post_error
        self.log.append(("post", channel.id))
        return SimpleNamespace(id=self.new)

    async def edit(self, copy: Any, _guild_id: int, changes: Any) -> None:
        self.marks.append(changes()["view"].children[0].id)
        if self.edit_error:
            raise self.edit_error
        self.log.append(("edit", copy.channel_id, copy.message_id))

    async def find_or_none(self, _channel: Any, _queued: OutboxMessage) -> Any:
        return SimpleNamespace(id=NEW)

    async def delete(self, _post_id: int) -> bool:
        return False


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    return Fakes(monkeypatch)


async def test_list_is_edited_without_a_mark(hall: Fakes) -> None:
    """So a retry does not take it for a new one."""
    assert await hall.deliver() is None
    assert hall.log == [("edit", HALL, CALL), ("edit", HALL, LIST)], "both with the open seats"
    assert hall.marks == [None, None]


async def test_newer_list_of_a_lost_reply_is_edited_with_its_mark(hall: Fakes) -> None:
    """So a retry finds it even if the reply to the edit was lost."""
    columns = {"posted_in": HALL, "list_channel_id": HALL, "list_message_id": NEW}
    assert await hall.deliver(attempts=2) == RowChange(halls, {"guild_id": GUILD}, columns)
    assert hall.log == [("edit", HALL, CALL), ("edit", HALL, NEW), ("delete", HALL, LIST)]
    assert hall.marks == [None, hall.queued.mark]


@pytest.mark.parametrize("error", [discord.RateLimited(600.0), refusal(404)])
async def test_list_that_cannot_be_edited_is_replaced(hall: Fakes, error: Exception) -> None:
    hall.edit_error = error
    columns = {"posted_in": HALL, "list_channel_id": HALL, "list_message_id": NEW}
    assert await hall.deliver() == RowChange(halls, {"guild_id": GUILD}, columns)
    assert hall.log[:2] == [("delete", HALL, CALL), ("forget call", CALL)], "it has seats of before"
    assert hall.log[2:] == [("post", HALL), ("delete", HALL, LIST)]


@pytest.mark.parametrize("attempts", [1, 2])
async def test_first_list_may_be_an_earlier_one_so_it_is_edited(hall: Fakes, attempts: int) -> None:
    hall.hall = hall.hall._replace(list_message_id=None)
    await hall.deliver(attempts=attempts)
    assert hall.log[1:] == [("post", HALL), ("edit", HALL, NEW)]


async def test_list_of_a_former_hall_is_deleted_first(hall: Fakes) -> None:
    hall.hall = hall.hall._replace(posted_in=FORMER, list_channel_id=FORMER)
    await hall.deliver()
    assert hall.log[:2] == [("delete", FORMER, LIST), ("forget list", LIST)]
    assert hall.log[3] == ("post", HALL)


async def test_hall_switched_off_leaves_no_message(hall: Fakes) -> None:
    hall.server = ServerSettings.of({"hall": 0, "hall_role": ROLE})
    assert await hall.deliver() is None
    assert hall.log == [
        ("delete", HALL, LIST),
        ("forget list", LIST),
        ("delete", HALL, CALL),
        ("forget call", CALL),
        ("forget", GUILD),
    ]


async def test_call_without_open_seats_is_deleted(hall: Fakes) -> None:
    hall.is_open = False
    await hall.deliver()
    assert hall.log == [("delete", HALL, CALL), ("forget call", CALL), ("edit", HALL, LIST)]
    hall.log.clear()
    for attempts in (1, 2):
        assert await hall.deliver(HallKind.CALL_ROLE, attempts) is None
    assert hall.log == [("delete", HALL, NEW)], "an earlier attempt may have called"


@pytest.mark.parametrize("is_same", [False, True])
async def test_new_call_replaces_the_last_one(hall: Fakes, is_same: bool) -> None:
    """Unless it is the one that an earlier attempt has posted."""
    hall.new = CALL if is_same else NEW
    columns = {"called_at": NOW, "call_channel_id": HALL, "call_message_id": hall.new}
    change = RowChange(halls, {"guild_id": GUILD}, columns)
    assert await hall.deliver(HallKind.CALL_ROLE) == change
    deleted = [("delete", HALL, CALL), ("forget call", CALL)]
    assert hall.log == [("post", HALL), *deleted * (not is_same)]


@pytest.mark.parametrize(
    ("seconds", "is_early"),
    [(1.0, True), (CALL_PAUSE_SECONDS - 1, True), (CALL_PAUSE_SECONDS, False), (-60.0, False)],
)
async def test_role_is_not_called_again_soon(hall: Fakes, seconds: float, is_early: bool) -> None:
    """A call of the future was stored by a clock that was ahead."""
    hall.hall = hall.hall._replace(called_at=NOW - seconds)
    await hall.deliver(HallKind.CALL_ROLE)
    postponed = ("postpone", NOW - seconds + CALL_PAUSE_SECONDS)
    assert hall.log[0] == (postponed if is_early else ("post", HALL))
    assert (len(hall.log) == 1) is is_early


@pytest.mark.parametrize("posted_in", [HALL, FORMER, None])
async def test_call_in_a_forum_needs_the_post_of_its_list(
    hall: Fakes, posted_in: int | None
) -> None:
    """Not that of a list in a former forum."""
    hall.is_forum = True
    hall.hall = hall.hall._replace(posted_in=posted_in, list_channel_id=ChannelId(800))
    await hall.deliver(HallKind.CALL_ROLE)
    assert hall.log[:1] == [("post", 800)] * (posted_in == HALL)


@pytest.mark.parametrize("settings", [{"hall": HALL, "hall_role": 0}, {"hall": 0}])
async def test_role_is_called_only_where_one_is_chosen(hall: Fakes, settings: Any) -> None:
    hall.server = ServerSettings.of(settings)
    assert await hall.deliver(HallKind.CALL_ROLE) is None
    assert not hall.log


async def test_closed_hall_is_logged_once_until_it_opens(
    hall: Fakes, caplog: pytest.LogCaptureFixture
) -> None:
    lines = []
    with caplog.at_level(logging.WARNING, "bot.features.halls.posts"):
        for error in (refusal(403, 1), refusal(403, 1), refusal(403, 2), None, refusal(403, 2)):
            hall.edit_error = error
            assert await hall.deliver() is None
            lines.append(caplog.text.count("cannot be used"))
    assert lines == [1, 1, 2, 2, 3]


async def test_outage_of_a_hall_is_no_refusal(hall: Fakes) -> None:
    hall.edit_error = refusal(503)
    with pytest.raises(discord.HTTPException):
        await hall.deliver()


def test_targets_of_a_hall_are_two_queues() -> None:
    targets = {str(hall_list(GUILD)), str(hall_call(GUILD))}
    assert len(targets) == 2
    assert all(Target.parse(target).place.startswith(SERVER_PREFIX) for target in targets)

"""Check that only the newest board of each match of a simulation shows its position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bot.domain.outbox import OutboxKind
from tests.support.fake_log import MessageState
from tests.support.fake_objects import dm, is_dm
from tests.verification.kills.audit_log import Queued
from tests.verification.kills.deliveries import ALL_CLOSED, Deliveries

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

BOARDS = frozenset(
    {
        OutboxKind.POST_BOARD,
        OutboxKind.POST_RESULT,
        OutboxKind.EDIT_BOARD,
        OutboxKind.ENSURE_BOARD,
    }
)
"""Kinds that post a board of a match; the last two do so only where the old one is gone."""


class BoardAudit:
    """Compares the boards on Discord with the matches in the database."""

    def __init__(self, simulation: Simulation, deliveries: Deliveries) -> None:
        self._fake, self._audit_log, self._report = (
            simulation.fake,
            simulation.audit_log,
            simulation.report,
        )
        self._unreachable = set(map(dm, simulation.erased | simulation.unreachable))
        self._deliveries = deliveries

    def check(self, match: int) -> None:
        """The newest board of a match shows its position; the others have no controls."""
        ((channel,),) = self._audit_log.rows("SELECT channel_id FROM matches WHERE id=?", match)
        query = "SELECT count(*) FROM actions WHERE match_id=? AND undone_at IS NULL"
        ((lines,),) = self._audit_log.rows(query, match)
        boards = [
            queued
            for queued in self._deliveries.queued
            if queued.message.match_id == match and queued.message.kind in BOARDS
        ]
        newest = self._newest(match, boards)
        if newest is None:
            return
        copies = {post.id for post in self._deliveries.posts[newest.number]}
        for board in boards:
            for post in self._deliveries.posts[board.number]:
                self._check_copy(match, post, lines, channel, newest=post.id in copies)

    def _newest(self, match: int, boards: Iterable[Queued]) -> Queued | None:
        """Return the delivery that has posted the newest board; blame if there is none."""
        posted_boards = [board for board in boards if self._deliveries.posts[board.number]]
        if not posted_boards:
            if ALL_CLOSED not in self._errors_of_failed(match):
                self._report.blame("unannounced", f"match {match} has no board")
            return None
        return posted_boards[-1]

    def _errors_of_failed(self, match: int) -> set[str]:
        query = "SELECT error FROM outbox WHERE match_id=? AND status='failed'"
        return {reason for (reason,) in self._audit_log.rows(query, match)}

    def _check_copy(
        self, match: int, post: MessageState, lines: int, channel: int, *, newest: bool
    ) -> None:
        """The newest board stands where the match is played; the others have no controls."""
        fake = self._fake
        gone = fake.deleted | fake.locked | self._unreachable
        if post.channel in gone or post.id in fake.removed:
            return  # it cannot be changed, or the bot has forgotten where it is
        custom_ids = fake.marks(post.channel, post.id)
        where = f"match {match}: message {post.id} in {post.channel}"
        if not newest:
            if any(
                custom_id.startswith((f"act:{match}:", f"part:{match}:", f"menu:{match}"))
                for custom_id in custom_ids
            ):
                self._report.blame("wrong_boards", f"{where} has controls")
            return
        if _moments(custom_ids, match) != [lines] and ALL_CLOSED not in self._errors_of_failed(
            match
        ):
            self._report.blame(
                "wrong_boards", f"{where} shows {_moments(custom_ids, match)}, {lines}"
            )
        if post.channel != channel and not is_dm(post.channel):
            self._report.blame("misplaced", f"{where}, but it is played in {channel}")


def _moments(custom_ids: Iterable[str], match: int) -> list[int]:
    """Return the action counts of a match that these marks show."""
    start = f"text:{match}:"
    return [
        int(custom_id.removeprefix(start))
        for custom_id in custom_ids
        if custom_id.startswith(start)
    ]

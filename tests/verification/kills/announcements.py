"""Check that each announcement of a simulation is on Discord once, in the right place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.domain.outbox import SERVER_PREFIX, OutboxKind, Target
from tests.support.fake_log import MessageState
from tests.support.fake_objects import dm, is_dm
from tests.verification.kills.audit_log import Queued
from tests.verification.kills.deliveries import ALL_CLOSED, Deliveries
from tests.verification.kills.halls import HallAudit

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

ALWAYS = frozenset({OutboxKind.POST_CHALLENGE, OutboxKind.POST_BOARD, OutboxKind.POST_RESULT})
"""Kinds that are posted whatever happens meanwhile."""

WHILE_PRESENT = frozenset(
    {OutboxKind.TAKEBACK_REQUEST, OutboxKind.ABANDON_REQUEST, OutboxKind.TURN_DM}
)
"""Kinds that are left out once the match has gone on."""


class AnnouncementAudit:
    """Compares the queued messages with those on Discord.

    Args:
        halls: says which messages belong to a hall.
    """

    def __init__(self, simulation: Simulation, deliveries: Deliveries, halls: HallAudit) -> None:
        self._simulation = simulation
        self._fake, self._audit_log, self._report = (
            simulation.fake,
            simulation.audit_log,
            simulation.report,
        )
        self._deliveries = deliveries
        self._halls = halls

    def check(self) -> None:
        """Everything that was to be sent has been sent once, in order, where it belongs."""
        for _ in range(self._deliveries.unknown):
            self._report.blame("misplaced", "a message that was never queued")
        failed = self._audit_log.failed()
        for queued in self._deliveries.queued:
            posts = self._deliveries.posts[queued.number]
            self._report.announcements += bool(posts)
            if posts:
                self._report.sent[_name(queued)] += 1
            if self._is_double(posts):
                detail = f"{_name(queued)} of match {queued.message.match_id}, {len(posts)} times"
                self._report.blame("announced_twice", detail, *self._tell_of(queued, posts))
            if not posts and self._must_be_sent(queued):
                self._check_reason(queued, failed.get(queued.message.key, ""))
            self._check_places(queued, posts)
        self._check_order()

    def _is_double(self, posts: list[MessageState]) -> bool:
        """Whether something stands twice: in one channel, or in two that both exist.

        By DM each player has one.
        """
        left = [post for post in posts if post.id not in self._fake.removed]
        channels = [post.channel for post in left if post.channel not in self._fake.deleted]
        direct = set(filter(is_dm, channels))
        public = set(channels) - direct
        return len(channels) > len(set(channels)) or len(public) + bool(direct) > 1

    def _must_be_sent(self, queued: Queued) -> bool:
        """Whether this can be left out for no other reason than that everything is closed."""
        message = queued.message
        user = message.target.user_id
        if user in self._simulation.unreachable | self._simulation.erased:
            self._report.dropped["DMs closed or data deleted"] += 1
            return False
        if message.kind in WHILE_PRESENT:
            query = "SELECT version FROM matches WHERE id=?"
            ((version,),) = self._audit_log.rows(query, message.match_id)
            present = bool(version == message.payload["version"])
            self._report.dropped["the match has gone on"] += not present
            return present
        return message.kind in ALWAYS or (
            message.kind == OutboxKind.PRIVATE_HAND and self._has_hand(message.match_id)
        )

    def _has_hand(self, match: int) -> bool:
        """Whether something is hidden in a match from its beginning on."""
        ((game,),) = self._audit_log.rows("SELECT game FROM matches WHERE id=?", match)
        return bool(game == "wormholes")

    def _check_reason(self, queued: Queued, reason: str) -> None:
        if reason == ALL_CLOSED and not self._is_open(queued.message.match_id):
            self._report.dropped[reason] += 1
        else:
            detail = f"{_name(queued)} of match {queued.message.match_id}: {reason or 'no reason'}"
            self._report.blame("unannounced", detail, *self._tell_of(queued, []))

    def _check_places(self, queued: Queued, posts: list[MessageState]) -> None:
        """A message stands where its match is or was played, or with one of its players."""
        expected = self._simulation.expected.get(queued.message.match_id)
        if expected is None:
            return  # its challenger was told to try again, and never heard of it
        rooms = {str(channel) for channel in expected.channels}
        for post in posts:
            parent = self._fake.threads.get(post.channel, {}).get("parent_id")
            is_right = post.channel in expected.channels or parent in rooms
            is_right = self._halls.is_here(queued, post.channel) or (
                is_right and not queued.message.target.place.startswith(SERVER_PREFIX)
            )
            if user := queued.message.target.user_id:
                is_right = post.channel == dm(user)
            elif is_dm(post.channel):
                is_right = any(post.channel == dm(user) for user in expected.users)
                is_right = is_right and not self._is_open(queued.message.match_id)
            if not is_right:
                detail = f"{_name(queued)} of match {queued.message.match_id} in {post.channel}"
                self._report.blame("misplaced", detail)

    def _is_open(self, match: int) -> bool:
        """Return whether all channels in which a match was played have always been open."""
        fake, expected = self._fake, self._simulation.expected.get(match)
        closed = fake.silenced | fake.allowed_again | fake.locked | fake.deleted
        return expected is not None and not expected.channels & closed

    def _check_order(self) -> None:
        """Check that a match's messages arrive in the order in which they were queued."""
        came: defaultdict[tuple[int, Target], list[tuple[int, int]]] = defaultdict(list)
        for queued in self._deliveries.queued:
            if queued.message.kind == OutboxKind.START_THREAD:
                continue  # a match that moves drops it, even while Discord carries it out
            for post in self._deliveries.posts[queued.number]:
                came[queued.message.match_id, queued.message.target].append(
                    (post.id, queued.number)
                )
        for (match, target), posts in came.items():
            numbers = [number for _, number in sorted(posts)]
            if numbers != sorted(numbers):
                late = {
                    number
                    for place, number in enumerate(numbers)
                    if number < max(numbers[: place + 1])
                }
                details = [
                    line
                    for queued in self._deliveries.queued
                    if queued.number in late
                    for line in self._tell_of(queued, self._deliveries.posts[queued.number])
                ]
                self._report.blame("out_of_order", f"match {match}, {target}: {numbers}", *details)

    def _tell_of(self, queued: Queued, posts: list[MessageState]) -> Iterator[str]:
        """All that is known of a delivery: its messages, its attempts, the requests."""
        message = queued.message
        yield f"  queued {message.id} for {message.target}: {message.kind} {message.payload}"
        query = (
            "SELECT attempts, worker_id, first_attempt_at, lease_expires_at, note FROM handled "
            "WHERE name=? ORDER BY number"
        )
        for row in self._audit_log.rows(query, message.key):
            attempts, worker, tried, lease, note = row
            yield f"    attempt {attempts} by {worker}, {tried}, lease until {lease}: {note}"
        for post in posts:
            yield f"    message {post.id} in {post.channel}, nonce {post.nonce}"
        nonces, channels = {p.nonce for p in posts}, {p.channel for p in posts}
        begin, end = (posts[0].at, posts[-1].at) if posts else (0.0, 0.0)
        for asked in self._fake.asked:
            look = asked.channel in channels and begin <= asked.at <= end
            if asked.nonce in nonces or (look and not asked.nonce):
                yield f"    {asked}"


def _name(queued: Queued) -> str:
    """Return the name of a queued announcement."""
    payload = queued.message.payload
    return (
        "reminder"
        if payload.get("reminder")
        else "move"
        if payload.get("moved")
        else queued.message.kind
    )

"""Whom a change of a match pings: by a new board, a message after an edited one, or a DM."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from sqlalchemy import bindparam, select

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import TimerKind
from bot.domain.outbox import MatchMessage, OutboxKind, Target
from bot.services.clocks import schedule
from bot.services.preferences import PreferenceKey, wants
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import actions
from engine.game import CHANCE, Action

PING_DELAY_SECONDS = 60.0
"""Seconds between redrawing a board and pinging its players, so that players who are watching can
act first."""

WATCHING_SECONDS = 180.0
"""Seconds since a player's last choice during which the player counts as watching the board."""

_RECENT_ACTIONS = 20
"""Number of recent actions that are searched for players who are watching."""


MAX_CLICKS = 10_000
"""Maximum number of clicks kept."""


class Redraw(StrEnum):
    """The condition for redrawing the board in place after a change, instead of reposting it."""

    ALWAYS = "always"
    IF_WATCHED = "if_watched"
    NEVER = "never"


class RecentClicks:
    """Keeps in memory when players last clicked or typed in their matches.

    Other processes and those before a restart do not count: then a player is pinged early.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._clicked_at: OrderedDict[tuple[MatchId, UserId], float] = OrderedDict()

    def record(self, match_id: MatchId, user_id: UserId) -> None:
        """Record that a user clicks or types in a match now."""
        self._clicked_at[match_id, user_id] = self._clock()
        self._clicked_at.move_to_end((match_id, user_id))
        if len(self._clicked_at) > MAX_CLICKS:
            self._clicked_at.popitem(last=False)

    def latest(self, match_id: MatchId, user_id: UserId) -> float | None:
        """Return the time of a user's latest click in a match; None if it is not known."""
        return self._clicked_at.get((match_id, user_id))


_RECENT = select(actions.c.line).where(
    actions.c.match_id == bindparam("this"),
    actions.c.number > bindparam("before"),
    actions.c.made_at > bindparam("since"),
    actions.c.automatic.is_(None),
)


_LATEST = (
    select(actions.c.line, actions.c.chosen_by)
    .where(actions.c.match_id == bindparam("this"), actions.c.undone_at.is_(None))
    .order_by(actions.c.number.desc())
    .limit(_RECENT_ACTIONS)
)


async def answered_count(connection: Connection, match_id: MatchId) -> int:
    """Return the number of actions from the last turn of a person on that computers have answered.

    The computer answers before the board with the turn of the person has been read.
    """
    count, person = 0, ""
    rows = await connection.execute(_LATEST, {"this": match_id})
    for number, (line, chosen_by) in enumerate(rows, 1):
        actor = Action.parse(line).actor
        if actor == CHANCE:
            continue
        if person and (chosen_by or actor != person):
            break
        if not chosen_by:
            count, person = number, actor
    return count


def waits_for_computers(people: Sequence[SeatRow], pending: str) -> bool:
    """Return whether only the computer has to decide."""
    computers = {person.seat for person in people if not person.decides_itself}
    return bool(pending) and set(pending) <= computers


def board_kind(people: Sequence[SeatRow], pending: str, notify: str | None) -> OutboxKind:
    """Return the kind of message that shows a new position; for `notify` see `MatchChange`."""
    if not pending:
        return OutboxKind.POST_RESULT
    if notify is None or waits_for_computers(people, pending):
        return OutboxKind.EDIT_BOARD
    return OutboxKind.POST_BOARD


async def are_watching(
    connection: Connection, row: MatchRow, seats: str, number: int, now: float
) -> bool:
    """Return whether the players of all these seats have made a choice a moment ago.

    Args:
        row: the match before the change.
        number: number of the last action before the change.
    """
    since = now - WATCHING_SECONDS
    if not seats or row.changed_at <= since:
        return False
    values = {"this": row.id, "before": number - _RECENT_ACTIONS, "since": since}
    lines = (await connection.execute(_RECENT, values)).scalars()
    return set(seats) <= {Action.parse(line).actor for line in lines}


async def schedule_pings(
    connection: Connection, people: Sequence[SeatRow], decisions: Mapping[str, Version], now: float
) -> None:
    """Set timers to ping the players who have to make these new decisions."""
    for person in people:
        if person.seat in decisions and person.is_person and person.decides_itself:
            due = {TimerKind.PING: now + PING_DELAY_SECONDS}
            await schedule(connection, person, decisions[person.seat], due)


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

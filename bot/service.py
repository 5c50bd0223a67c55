"""What all services on matches share: the transaction of one interaction, and how it is written.

Nothing here knows Discord. A change is: seen before? → load → is it still asked for? → the rules →
the dice that follow → write all of it and what is to be sent → commit. Only then may anybody answer
(reliability.md).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import SystemRandom
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks import Clock, warning
from bot.logs import concern
from bot.players import is_away, reminder, wants
from bot.storage.database import Database
from bot.storage.schema import actions, interactions, matches, outbox, seats, timers
from bot.tables import CHALLENGE, CLOSED, FINISHED, RUNNING
from engine.dice import Dice
from engine.game import CHANCE, PUBLIC, Action, AnyGame
from render.language import _, later

_TOO_LATE = {
    CHALLENGE: later("This match has not begun."),
    RUNNING: later("This match has begun already."),
    FINISHED: later("This match is over."),
    CLOSED: later("This challenge is settled already."),
}

BY_SEAT = ("flag", "warn", "remind")
"""Kinds of timers that are about a decision of one seat."""

_RANDOM = SystemRandom()

Work = Callable[[AsyncConnection, Row[Any]], Awaitable["Outcome"]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an interaction led to.

    Attributes:
        kind: `done`, `refused`, `stale` (that decision is made already), `missing` (the words are
            the beginning of several actions) or `unknown`.
        match_id: which match, 0 if none.
        rule: number of the rule that refuses.
        sentence: why, in one friendly sentence; empty when done.
    """

    kind: str
    match_id: int = 0
    rule: str = ""
    sentence: str = ""


def random_seed() -> bytes:
    """32 bytes that nobody can guess."""
    return secrets.token_bytes(32)


class Rolled(NamedTuple):
    """A position without pending dice, the lines that led to it, and all chance events so far."""

    state: Any
    lines: tuple[Action, ...]
    chances: int


class Service:
    """Changes matches.

    Args:
        database: where they are.
        clock: the time in UTC seconds.
        make_seed: 32 secret bytes for the dice of a new match.
        shuffle: puts the sides of a new match in a random order.
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time.time,
        make_seed: Callable[[], bytes] = random_seed,
        shuffle: Callable[[list[str]], None] = _RANDOM.shuffle,
    ) -> None:
        self._database = database
        self._clock = clock
        self._make_seed = make_seed
        self._shuffle = shuffle

    async def _transact(
        self,
        interaction: int,
        match_id: int,
        user_id: int,
        status: str,
        work: Work,
        *,
        anyone: bool = False,
    ) -> Outcome:
        """One interaction of a player with a match of this status, in one transaction.

        Args:
            interaction: its id; delivered again, it gets the same outcome.
            match_id: which match.
            user_id: who.
            status: what the match must be.
            work: what is to be done.
            anyone: not only those who have a seat may do it.
        """
        concern(match=match_id)
        async with self._database.write() as connection:
            row = await load(connection, match_id)
            if (known := await seen(connection, interaction)) is not None:
                return known
            may = anyone or await seat_of(connection, match_id, user_id)
            if row is None or not may:
                sentence = _("You do not play in this match.")
                return Outcome("unknown", match_id, sentence=sentence)
            if row.status != status:
                return Outcome("stale", match_id, sentence=_(_TOO_LATE[row.status]))
            outcome = await work(connection, row)
            if outcome.kind == "done":
                await self._remember(connection, interaction, outcome)
            return outcome

    async def _remember(
        self, connection: AsyncConnection, interaction: int, outcome: Outcome
    ) -> None:
        await connection.execute(
            insert(interactions).values(id=interaction, result=asdict(outcome), at=self._clock())
        )

    async def _store(
        self,
        connection: AsyncConnection,
        row: Row[Any],
        game: AnyGame,
        rolled: Rolled,
        *,
        kept: Mapping[str, int],
        asked: str | None,
        **fields: Any,
    ) -> None:
        """Write a new position, its lines, and what is to be sent.

        Args:
            connection: of the transaction.
            row: the match as it was.
            game: its rules.
            rolled: the new position, and how it came about.
            kept: the decisions that this change leaves as they were.
            asked: the seats that must be called; None if nobody has to be.
            fields: further columns of the match.
        """
        now, version = self._clock(), row.version + 1
        pending = game.pending(rolled.state)
        decisions = {seat: kept.get(seat, version) for seat in pending}
        position = game.dump(rolled.state)
        fields |= {"position": position, "decisions": decisions, "rolled": rolled.chances}
        await change(connection, row, changed=now, **fields)
        last = select(func.coalesce(func.max(actions.c.number), 0))
        number = (await connection.execute(last.where(actions.c.match_id == row.id))).scalar_one()
        if rolled.lines:
            await connection.execute(
                insert(actions),
                [
                    {"match_id": row.id, "number": number + i, "line": str(action), "at": now}
                    for i, action in enumerate(rolled.lines, 1)
                ],
            )
        kind = "end" if not pending else "refresh" if asked is None else "turn"
        what = {"lines": await count_lines(connection, row.id), "version": version}
        await self._queue(connection, row.id, kind, what)
        for user_id in await _to_nudge(connection, row.id, asked or ""):
            await self._queue(connection, row.id, "nudge", what, f"user:{user_id}")
        await self._set_clocks(connection, row, decisions)

    async def _set_clocks(
        self, connection: AsyncConnection, row: Row[Any], decisions: Mapping[str, int]
    ) -> None:
        """Stop the clocks of those who have decided, start those of others, and arm the timers."""
        clock, now = Clock.parse(row.clock), self._clock()
        await connection.execute(
            delete(timers).where(timers.c.match_id == row.id, timers.c.kind.in_(BY_SEAT))
        )
        sitting = select(seats).where(seats.c.match_id == row.id)
        for seat in (await connection.execute(sitting)).all():
            asked, was_asked = seat.seat in decisions, seat.seat in row.decisions
            away = asked and await is_away(connection, seat.user_id)
            due: dict[str, float] = {}
            if clock and was_asked and not asked:
                spent = 0.0 if seat.since is None else now - seat.since
                left = clock.after_turn(seat.left or 0.0, spent)
                await sit(connection, seat, left=left, since=None)
            elif clock and asked and not was_asked:
                left = clock.budget if seat.left is None else seat.left
                await sit(connection, seat, left=left, since=None if away else now)
                due = deadlines(left, now)
            elif clock and asked and seat.since is not None:
                due = deadlines(seat.left, seat.since)
            if not asked or away:
                continue
            if pause := await reminder(connection, seat.user_id):
                due["remind"] = now + pause
            if due:
                await arm(connection, seat, decisions[seat.seat], due)

    async def _queue(
        self,
        connection: AsyncConnection,
        match_id: int,
        kind: str,
        what: Mapping[str, int] | None = None,
        target: str = "channel",
    ) -> None:
        """Have something sent about a match; what it shows is read when it is sent."""
        await connection.execute(
            insert(outbox).values(
                match_id=match_id,
                target=target,
                kind=kind,
                what=dict(what or {}),
                state="waiting",
                attempts=0,
                due=self._clock(),
            )
        )


def roll_on(
    game: AnyGame, state: Any, dice: Dice, count: int, lines: tuple[Action, ...] = ()
) -> Rolled:
    """Roll until a player has to decide or the match is over."""
    while game.pending(state) == CHANCE:
        action = game.chance(state, dice.draw(count))
        state, __ = game.apply(state, action)
        count += 1
        lines += (action,)
    return Rolled(state, lines, count)


async def load(connection: AsyncConnection, match_id: int) -> Row[Any] | None:
    """A match as it is stored, held until the transaction ends.

    This comes first in each transaction about a match: what is read after it stays as it is.
    """
    held = select(matches).where(matches.c.id == match_id).with_for_update(key_share=True)
    return (await connection.execute(held)).one_or_none()


async def change(connection: AsyncConnection, row: Row[Any], **fields: Any) -> None:
    """Change a match if nobody else has done so since it was read."""
    changed = await connection.execute(
        update(matches)
        .where(matches.c.id == row.id, matches.c.version == row.version)
        .values(version=row.version + 1, **fields)
    )
    if changed.rowcount != 1:
        raise RuntimeError("a match was changed by two at once")


async def seen(connection: AsyncConnection, interaction: int) -> Outcome | None:
    """What an interaction led to when it was delivered before."""
    found = select(interactions.c.result).where(interactions.c.id == interaction)
    result = (await connection.execute(found)).scalar_one_or_none()
    return None if result is None else Outcome(**result)


async def count_lines(connection: AsyncConnection, match_id: int) -> int:
    """How many lines the match has that were not taken back."""
    live = (actions.c.match_id == match_id) & actions.c.undone.is_(None)
    counted = select(func.count()).select_from(actions).where(live)
    return int((await connection.execute(counted)).scalar_one())


async def seat_of(connection: AsyncConnection, match_id: int, user_id: int) -> str:
    """The seat of a user, or the public's."""
    found = select(seats.c.seat).where(seats.c.match_id == match_id, seats.c.user_id == user_id)
    return (await connection.execute(found)).scalar_one_or_none() or PUBLIC


async def played_by(connection: AsyncConnection, user_id: int, status: str) -> Sequence[Row[Any]]:
    """The matches of a user with this status."""
    own = select(seats.c.match_id).where(seats.c.user_id == user_id)
    chosen = select(matches).where(matches.c.id.in_(own), matches.c.status == status)
    return (await connection.execute(chosen.order_by(matches.c.id))).all()


async def waiting(connection: AsyncConnection, match_id: int) -> list[Row[Any]]:
    """The seats of those who have not agreed to play yet, open seats included."""
    found = select(seats).where(seats.c.match_id == match_id, seats.c.joined.is_(None))
    return list((await connection.execute(found)).all())


async def users_of(connection: AsyncConnection, match_id: int) -> Sequence[int]:
    """All players of a match."""
    found = select(seats.c.user_id).where(seats.c.match_id == match_id).order_by(seats.c.seat)
    return (await connection.execute(found)).scalars().all()


async def sit(connection: AsyncConnection, seat: Row[Any], **fields: Any) -> None:
    """Change what is stored of somebody's seat."""
    same = (seats.c.match_id == seat.match_id) & (seats.c.seat == seat.seat)
    await connection.execute(update(seats).where(same).values(**fields))


def deadlines(left: float, since: float) -> dict[str, float]:
    """When the timers of a clock fire that has had so many seconds left since then."""
    return {"flag": since + left, "warn": since + left - warning(left)}


async def arm(
    connection: AsyncConnection, seat: Row[Any], version: int, due: Mapping[str, float]
) -> None:
    """Set timers, kind → time, that are about a seat's pending decision."""
    same = {"match_id": seat.match_id, "seat": seat.seat, "version": version}
    rows = [{**same, "kind": kind, "due": at} for kind, at in due.items()]
    await connection.execute(insert(timers), rows)


async def _to_nudge(connection: AsyncConnection, match_id: int, asked: str) -> list[int]:
    """Those of the asked players who want a DM at each own turn."""
    found = select(seats.c.user_id).where(
        seats.c.match_id == match_id, seats.c.seat.in_(list(asked))
    )
    users = (await connection.execute(found)).scalars().all() if asked else []
    return [user_id for user_id in users if await wants(connection, user_id, "turns")]

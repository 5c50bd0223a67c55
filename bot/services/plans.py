"""Plans: choices that players make in advance; `bot.services.automatic_moves` carries them out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from sqlalchemy import delete, select

from bot.domain.ids import NO_VERSION, MatchId, UserId, Version
from bot.domain.models import NO_DECISION, MatchStatus, Perspective
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.i18n import refusal_text
from bot.services.automatic_moves import Automatic, Progress, StopReason, apply_automatic_moves
from bot.services.chance import ChanceResult
from bot.services.match_changes import MatchChange
from bot.services.match_repository import NoMatchError, begun_match_with_board, match_of, seats_of
from bot.services.match_store import MatchStore
from bot.services.matches import Matches
from bot.services.rows import MatchRow, PlanRow
from bot.storage.connection import Connection
from bot.storage.database import get_or_create, upsert
from bot.storage.schema import actions, plans, written_plans
from engine import games
from engine.game import PUBLIC, Action, IllegalActionError
from engine.plans import MAX_ORDERS, Plan, PlanError, load_plan, parse_plan
from render.i18n import _

MAX_READINGS = 3
"""Number of times that a plan is read while the match continues, before it is refused."""


class OwnPlan(NamedTuple):
    """The plan of a player.

    Attributes:
        perspective: the match as the player sees it.
        plan: the orders.
        version: rises with each change; 0 without a plan.
        stopped: the reason why the plan no longer fires; None while it does.
        stopped_at: version of the match when it stopped.
        planned_at: the number of actions before each choice that a plan has made in the match.
        chosen_at: the number of actions before the player's own latest choice; None without one.
    """

    perspective: Perspective
    plan: Plan
    version: Version = NO_VERSION
    stopped: StopReason | None = None
    stopped_at: int | None = None
    planned_at: tuple[int, ...] = ()
    chosen_at: int | None = None

    @property
    def made_at(self) -> tuple[int, ...]:
        """Those of `planned_at` since the player's own latest choice."""
        return tuple(
            place for place in self.planned_at if self.chosen_at is None or place > self.chosen_at
        )


class _Parsed(NamedTuple):
    """A plan as a user typed it, read at a version of its match."""

    user_id: UserId
    version: Version
    plan: Plan | PlanError


class _MovedOnError(Exception):
    """The match has changed since a plan was read."""


class SeenPlan(NamedTuple):
    """The plan that a player has seen.

    Attributes:
        version: of the plan.
        decision: the player's pending decision then, or `NO_DECISION`; a plan is not carried out
            at another one, which the player may not have seen. None for any decision.
    """

    version: Version
    decision: Version | None = None


class Spelling(NamedTuple):
    """How a player types lines of a plan.

    Attributes:
        in_notation: returns a typed line in notation, or raises an IllegalActionError if it can
            mean several choices; it is called in a thread.
        as_typed: returns a line of notation as the player types it.
    """

    in_notation: Callable[[str], str] = str
    as_typed: Callable[[str], str] = str


NOTATION = Spelling()
"""The spelling of records."""


class Plans:
    """Writes, clears and reads plans.

    A plan is read outside of the event loop and of the transaction that stores it.

    Args:
        match_store: stores the changes.
        matches: stores the choices that a new plan makes at once.
    """

    def __init__(self, match_store: MatchStore, matches: Matches) -> None:
        self._match_store = match_store
        self._matches = matches

    async def read(self, match_id: MatchId, user_id: UserId) -> OwnPlan:
        """Return a player's plan; without orders if there is none.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._match_store.database.read() as connection:
            with_board = await begun_match_with_board(connection, match_id, user_id)
            match = await match_of(connection, with_board)
            seat = match.seat_of(user_id)
            view = games.get(match.game).view(with_board.match.state(), seat)
            stored = await _stored(connection, match_id, seat)
            chosen_at, planned_at = await _choices(connection, match_id, seat)
        perspective = Perspective(match, seat, view)
        if stored is None:
            return OwnPlan(perspective, Plan(()), planned_at=planned_at, chosen_at=chosen_at)
        plan = load_plan(seat, stored.orders, stored.turn)
        reason = StopReason(stored.stopped) if stored.stopped else None
        return OwnPlan(
            *(perspective, plan, stored.version, reason, stored.stopped_at, planned_at, chosen_at)
        )

    async def plannable(self, match_id: MatchId, user_id: UserId) -> tuple[Action, ...]:
        """Return the actions that a player can plan; none to others.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._match_store.database.read() as connection:
            row = (await begun_match_with_board(connection, match_id, user_id)).match
            people = await seats_of(connection, match_id)
        seat = next((row.seat for row in people if row.user_id == user_id), PUBLIC)
        if seat == PUBLIC:
            return ()
        return await asyncio.to_thread(games.get(row.game).plannable, row.state(), seat)

    async def write(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        text: str,
        seen: SeenPlan,
        *,
        suggested: bool = False,
        spelling: Spelling = NOTATION,
    ) -> Outcome:
        """Replace a player's plan; carry out the orders that fit, if it is the player's turn.

        Args:
            user_id: user ID of the player.
            text: the orders, see `engine.plans`; empty for no plan.
            seen: the plan that the player has seen.
            suggested: whether the player still has to accept the plan.
            spelling: how the player types its lines.
        """
        for _attempt in range(MAX_READINGS):
            parsed = await self._parse(match_id, user_id, text, spelling.in_notation)
            work = partial(
                self._write,
                seen=seen,
                parsed=parsed,
                suggested=suggested,
                as_typed=spelling.as_typed,
            )
            with suppress(_MovedOnError):
                return await self._match_store.handle(
                    interaction_id, match_id, user_id, MatchStatus.RUNNING, work
                )
        sentence = _("The match moved on while I read your plan. Please try again.")
        return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)

    async def _write(
        self,
        connection: Connection,
        row: MatchRow,
        seat: str,
        *,
        seen: SeenPlan,
        parsed: _Parsed | None,
        suggested: bool,
        as_typed: Callable[[str], str],
    ) -> Outcome:
        """Replace a plan by one that was read; see `write`.

        Raises:
            _MovedOnError: the match has changed since it was read.
        """
        stored = await _stored(connection, row.id, seat)
        version = stored.version if stored else 0
        if version != seen.version:
            sentence = _("Your plan has changed since you opened it. Please look again.")
            return Outcome(OutcomeKind.STALE, row.id, sentence=sentence)
        if seen.decision not in (None, row.decisions.get(seat, NO_DECISION)):
            sentence = _("The match has moved on since you opened this. Please look again.")
            return Outcome(OutcomeKind.STALE, row.id, sentence=sentence)
        if seat not in games.get(row.game).view(row.state()).playing:
            sentence = _("You've left this match.")
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        if parsed is None or parsed.version != row.version:
            raise _MovedOnError
        if isinstance(parsed.plan, PlanError):
            error = parsed.plan
            reason = refusal_text(error.error, as_typed=as_typed)
            sentence = _("Line {line}: {reason}").format(line=error.line, reason=reason)
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence, line=error.line)
        if suggested:
            stopped = StopReason.SUGGESTED
            await self._store(
                connection, row, seat, parsed.plan, version=Version(version + 1), stopped=stopped
            )
            return Outcome(OutcomeKind.DONE, row.id)
        await _keep(connection, row.id, parsed.user_id, parsed.plan, stored)
        return await self._replace(connection, row, seat, parsed.plan, Version(version + 1))

    async def _parse(
        self, match_id: MatchId, user_id: UserId, text: str, in_notation: Callable[[str], str]
    ) -> _Parsed | None:
        """Read a plan; return None if the user does not play in such a match."""
        async with self._match_store.database.read() as connection:
            try:
                row = (await begun_match_with_board(connection, match_id)).match
            except NoMatchError:
                return None
            people = await seats_of(connection, match_id)
            seat = next((row.seat for row in people if row.user_id == user_id), PUBLIC)
            if seat == PUBLIC:
                return None
            stored = await _stored(connection, match_id, seat)
        before = load_plan(seat, stored.orders) if stored else None
        plan = await asyncio.to_thread(_read, row, seat, text, in_notation, before)
        return _Parsed(user_id, row.version, plan)

    async def _replace(
        self, connection: Connection, row: MatchRow, seat: str, plan: Plan, version: Version
    ) -> Outcome:
        """Store a plan, and carry out the orders that fit."""
        if not plan.orders:
            seat_plan = (plans.c.match_id == row.id) & (plans.c.seat == seat)
            await connection.execute(delete(plans).where(seat_plan))
            return Outcome(OutcomeKind.DONE, row.id)
        await self._store(connection, row, seat, plan, version=version)
        if seat not in row.decisions:
            return Outcome(OutcomeKind.DONE, row.id)
        people = await seats_of(connection, row.id)
        unchanged = {other: decision for other, decision in row.decisions.items() if other != seat}
        now = self._match_store.clock()
        chance_result = ChanceResult(row.state(), (), row.chance_count)
        no_change = Progress.of(games.get(row.game), chance_result)
        progress = await apply_automatic_moves(
            connection, row, people, no_change, unchanged, now=now, written=seat
        )
        if not progress.rolled.actions:
            return Outcome(OutcomeKind.DONE, row.id)
        change = MatchChange.of_choices(row, progress, people, unchanged, by=seat)
        await self._matches.store_change(connection, change)
        return Outcome(OutcomeKind.DONE, row.id, again=seat in change.pending)

    async def _store(
        self,
        connection: Connection,
        row: MatchRow,
        seat: str,
        plan: Plan,
        *,
        version: Version,
        stopped: StopReason | None = None,
    ) -> None:
        now = self._match_store.clock()
        values = {"orders": str(plan), "version": version, "turn": 0, "changed_at": now}
        state = {"stopped": stopped, "stopped_at": None}
        await upsert(connection, plans, match_id=row.id, seat=seat, **values, **state)


async def _keep(
    connection: Connection, match_id: MatchId, user_id: UserId, plan: Plan, stored: PlanRow | None
) -> None:
    """Keep a plan as it was written, for its player after the match.

    A stopped plan that is continued stays as it was written, with the orders that were carried out.

    Args:
        stored: the plan that is replaced.
    """
    key, orders = {"match_id": match_id, "user_id": user_id}, str(plan)
    if not orders:
        of_user = [written_plans.c[name] == value for name, value in key.items()]
        await connection.execute(delete(written_plans).where(*of_user))
    elif stored and stored.orders == orders and stored.stopped != StopReason.SUGGESTED:
        await get_or_create(connection, written_plans, **key, orders=orders)
    else:
        await upsert(connection, written_plans, **key, orders=orders, orders_left="")


def _read(
    row: MatchRow, seat: str, text: str, in_notation: Callable[[str], str], stored: Plan | None
) -> Plan | PlanError:
    """Read a plan; this runs in a thread."""
    try:
        notation = _translated(text, in_notation)
        return parse_plan(games.get(row.game), row.state(), seat, notation, stored)
    except PlanError as error:
        return error


def _translated(text: str, in_notation: Callable[[str], str]) -> str:
    """Return the lines of a plan in notation, up to the first one beyond the limit.

    Raises:
        PlanError: a line can mean several choices.
    """
    lines: list[str] = []
    orders = 0
    for number, line in enumerate(text.splitlines(), 1):
        orders += bool(line.strip())
        try:
            lines.append(in_notation(line) if line.strip() else "")
        except IllegalActionError as error:
            raise PlanError(number, error) from error
        if orders > MAX_ORDERS:
            break
    return "\n".join(lines)


async def _stored(connection: Connection, match_id: MatchId, seat: str) -> PlanRow | None:
    """Return the stored plan of a seat."""
    query = select(plans).where(plans.c.match_id == match_id, plans.c.seat == seat)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else PlanRow(*row)


async def _choices(
    connection: Connection, match_id: MatchId, seat: str
) -> tuple[int | None, tuple[int, ...]]:
    """Return the number of actions before a player's own latest choice, and before planned ones."""
    live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
    query = select(actions.c.line, actions.c.automatic).where(live).order_by(actions.c.number)
    chosen_at: int | None = None
    planned: list[int] = []
    for place, (line, automatic) in enumerate(await connection.execute(query)):
        if line.partition(" ")[0] != seat:
            continue
        if automatic == Automatic.PLAN:
            planned.append(place)
        elif not automatic:
            chosen_at = place
    return chosen_at, tuple(planned)

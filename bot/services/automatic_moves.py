"""Automatic choices: forced and planned ones.

They belong to the transaction of the change that made their decision appear, so they are stored
with that change and shown by the same message. Only decisions that have just appeared count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from itertools import zip_longest
from typing import Any, NamedTuple, Unpack

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    select,
    update,
)

from bot.domain.ids import MatchId, Version
from bot.domain.models import MatchStatus
from bot.services.chance import ChanceResult, resolve_match_chance
from bot.services.clocks import DecisionChange, EarlierClock
from bot.services.match_repository import actions_of
from bot.services.preferences import PreferenceKey, wants
from bot.services.rows import LoggedAction, MatchRow, PlanFields, PlanRow, SeatRow
from bot.storage.connection import Connection, send
from bot.storage.database import upsert
from bot.storage.schema import actions, facts, matches, plans, written_plans
from engine import games
from engine.endings import ENDING_VERBS
from engine.game import CHANCE, Action, AnyGame
from engine.plans import Misfit, Step, forced_action, load_plan, next_step, turn_of
from engine.stories import STORY_ACTIONS, Mark

MAX_AUTOMATIC_CHOICES = 200
"""Maximum number of automatic choices in one change; the next choice is left to its player."""

_SEAT = (plans.c.match_id == bindparam("this")) & (plans.c.seat == bindparam("where"))
_PLANS = select(plans).where(plans.c.match_id == bindparam("this"))
_UPDATE = update(plans).where(_SEAT)
_DELETE = delete(plans).where(_SEAT)
_NOTE_PLAYED = (
    update(written_plans)
    .where(
        written_plans.c.match_id == bindparam("this"), written_plans.c.user_id == bindparam("user")
    )
    .values(orders_left=written_plans.c.orders_left + bindparam("left"))
)


class Automatic(StrEnum):
    """The reason why the bot made an action for a player: `automatic` in the table of actions."""

    PLAN = "plan"
    FORCED = "forced"


class StopReason(StrEnum):
    """The reason why a plan no longer fires: `stopped` in the table of plans."""

    CONDITION = Misfit.CONDITION.value
    ILLEGAL = Misfit.ILLEGAL.value
    DRAW = "draw"
    """The player has to answer a draw offer first."""
    TAKEBACK = "takeback"
    """An action of the plan, or one before the plan was written, was taken back."""
    SUGGESTED = "suggested"
    """It is a suggestion that the player has not accepted yet."""
    STAND_IN = "stand_in"
    """The computer has decided for the player."""


class AppliedChoice(NamedTuple):
    """A choice with the dice that follow it, and the seats that decide afterwards.

    Attributes:
        actions: the choice and the dice; may be empty, or several actions that belong together.
        pending: the seats that have to decide afterwards.
        automatic: the reason if the bot has made it; None if a player has.
        turn: number of the turn afterwards, see `View.turn`.
    """

    actions: tuple[Action, ...]
    pending: str
    automatic: Automatic | None = None
    turn: int = 0

    @classmethod
    def of(
        cls, game: AnyGame, rolled: ChanceResult, automatic: Automatic | None = None
    ) -> AppliedChoice:
        """Return the choice that led to a position."""
        view = game.view(rolled.state)
        return cls(rolled.actions, view.pending, automatic, view.turn)


class Progress(NamedTuple):
    """A change of a match with all automatic choices that follow from it.

    Attributes:
        rolled: the last position, and all actions.
        choices: the choices of the change itself, then the automatic ones.
    """

    rolled: ChanceResult
    choices: tuple[AppliedChoice, ...]

    @classmethod
    def of(cls, game: AnyGame, rolled: ChanceResult) -> Progress:
        """Return a change without automatic choices."""
        return cls(rolled, (AppliedChoice.of(game, rolled),))

    def followed_by(
        self, game: AnyGame, rolled: ChanceResult, why: Automatic | None = None
    ) -> Progress:
        """Return this change with another choice after it."""
        choice = AppliedChoice.of(game, rolled, why)
        return Progress(
            rolled._replace(actions=self.rolled.actions + rolled.actions), (*self.choices, choice)
        )

    def decisions(
        self, unchanged: Mapping[str, Version], version: Version
    ) -> list[dict[str, Version]]:
        """Return the pending decisions after each choice: seat → version.

        Args:
            unchanged: the decisions that the change itself leaves pending.
            version: version of the match after the change.
        """
        after: list[dict[str, Version]] = []
        for choice in self.choices:
            if after:
                unchanged = unchanged_decisions(after[-1], choice.actions)
            after.append({seat: unchanged.get(seat, version) for seat in choice.pending})
        return after


def unchanged_decisions(
    decisions: Mapping[str, Version], actions: Sequence[Action]
) -> dict[str, Version]:
    """Return the decisions that actions leave pending: other seats' ones; all for an ending."""
    actors = {action.actor for action in actions if action.verb not in ENDING_VERBS}
    return {seat: version for seat, version in decisions.items() if seat not in actors}


async def apply_automatic_moves(
    connection: Connection,
    row: MatchRow,
    people: Sequence[SeatRow],
    progress: Progress,
    unchanged: Mapping[str, Version],
    *,
    now: float,
    written: str = "",
) -> Progress:
    """Make the automatic choices that follow a change, and store the remaining plans.

    Args:
        row: the match before the change.
        progress: the choices of the change itself.
        unchanged: the decisions that the change leaves pending.
        now: the time in UTC seconds.
        written: a seat whose plan has just been written: a misfit does not stop that plan now.
    """
    walk = _Walk(connection, row, people, progress, dict(unchanged))
    await walk.read_plans(written)
    await walk.finish()
    await walk.store_plans(now)
    return walk.progress


async def apply_forced_moves(
    connection: Connection, row: MatchRow, people: Sequence[SeatRow], progress: Progress
) -> Progress:
    """Make the forced choices in a match that begins: it has no plans yet."""
    walk = _Walk(connection, row, people, progress, {})
    await walk.finish()
    return walk.progress


async def stop_plans(
    connection: Connection,
    row: MatchRow,
    reason: StopReason,
    *,
    made_by: Collection[str],
    since: float,
    deciding: Collection[str],
) -> None:
    """Stop the plans affected by a takeback.

    Args:
        row: the match before the takeback.
        reason: why they stop.
        made_by: the seats whose plans have made actions that are taken back.
        since: the earliest UTC time when a plan may refer to a position that is taken back.
        deciding: the seats that decide then; others are notified at their next decision.
    """
    affected = plans.c.seat.in_([*made_by]) | (plans.c.changed_at >= since)
    active = (plans.c.match_id == row.id) & plans.c.stopped.is_(None)
    stopped_at = case((plans.c.seat.in_([*deciding]), row.version + 1), else_=None)
    await connection.execute(
        update(plans)
        .where(active, affected)
        .values(version=plans.c.version + 1, stopped=reason, stopped_at=stopped_at)
    )


class _Planned(NamedTuple):
    """An action that a plan has made.

    Attributes:
        number: number of the action.
        left: number of orders that were left after it.
    """

    number: int
    left: int


async def put_back_orders(
    connection: Connection, player: SeatRow, undone: Sequence[LoggedAction], *, now: float
) -> None:
    """Put orders back at the front of a plan, before their actions are marked as undone.

    The plan is then as it was before the first of them. One that its player has rewritten since,
    or cleared, stays as it is.

    Args:
        player: the seat whose plan has made some of the actions.
        undone: the actions to take back.
        now: the time in UTC seconds.
    """
    match_id, seat = player.match_id, player.seat
    of_user = (written_plans.c.match_id == match_id) & (written_plans.c.user_id == player.user_id)
    written = (await connection.execute(select(written_plans).where(of_user))).one_or_none()
    of_seat = (plans.c.match_id == match_id) & (plans.c.seat == seat)
    stored = (await connection.execute(select(plans).where(of_seat))).one_or_none()
    if written is None:
        return
    played = await _played(connection, match_id, seat, written.orders_left)
    kept = [planned for planned in played if planned.number < undone[0].number]
    if len(kept) == len(played):
        return
    lines = written.orders.splitlines()
    orders = lines[len(lines) - kept[-1].left :] if kept else lines
    left = stored.orders.splitlines() if stored else []
    if orders[len(orders) - len(left) :] != left:
        return
    turn = await _turn(connection, match_id, seat, lines, kept[-1]) if kept else 0
    version = (stored.version if stored else 0) + 1
    values = {"orders": "\n".join(orders), "turn": turn, "version": version, "changed_at": now}
    await upsert(connection, plans, match_id=match_id, seat=seat, **values)


async def _played(
    connection: Connection, match_id: MatchId, seat: str, orders_left: str
) -> list[_Planned]:
    """Return the actions of a plan that were not taken back, in order.

    Args:
        orders_left: see `written_plans`.
    """
    left = [int(count) for count in orders_left.split()]
    played = await latest_by_plan(connection, match_id, seat, len(left))
    return [
        _Planned(action.number, count)
        for action, count in zip(played, left, strict=True)
        if not action.is_undone
    ]


class ByPlan(NamedTuple):
    """An action that a plan has made, taken back or not."""

    number: int
    line: str
    is_undone: bool


async def latest_by_plan(
    connection: Connection, match_id: MatchId, seat: str, count: int
) -> list[ByPlan]:
    """Return a seat's latest actions that plans have made, in order."""
    by_plan = (actions.c.match_id == match_id) & (actions.c.automatic == Automatic.PLAN)
    query = select(actions.c.number, actions.c.line, actions.c.undone_at).where(by_plan)
    of_seat = query.where(actions.c.line.like(f"{seat} %")).order_by(actions.c.number.desc())
    rows = (await connection.execute(of_seat.limit(count))).all()
    return [
        ByPlan(number, line, undone_at is not None) for number, line, undone_at in reversed(rows)
    ]


async def _turn(
    connection: Connection, match_id: MatchId, seat: str, lines: Sequence[str], latest: _Planned
) -> int:
    """Return the turn to which the orders after the latest one that was carried out belong.

    See `Plan.turn`.

    Args:
        lines: the plan as it was written.
        latest: the action of that order.
    """
    (order,) = load_plan(seat, lines[len(lines) - latest.left - 1]).orders
    if not order.condition:
        return 0
    live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
    before = select(actions.c.line).where(live, actions.c.number < latest.number)
    log = (await connection.execute(before.order_by(actions.c.number))).scalars()
    return turn_of([Action.parse(line) for line in log], seat)


class _Walk:
    """A change of a match that automatic choices are added to one by one."""

    def __init__(
        self,
        connection: Connection,
        row: MatchRow,
        people: Sequence[SeatRow],
        progress: Progress,
        unchanged: dict[str, Version],
    ) -> None:
        self.progress = progress
        self._connection = connection
        self._row = row
        self._game = games.get(row.game)
        self._people = {person.seat: person for person in people if person.is_person}
        self._unchanged = unchanged
        self._plans: dict[str, PlanRow] = {}
        self._before: dict[str, PlanRow] = {}
        self._orders_left: defaultdict[str, str] = defaultdict(str)
        self._log: tuple[Action, ...] | None = None
        self._written = ""

    async def read_plans(self, written: str) -> None:
        """Read the plans of the match, if there are any.

        Args:
            written: a seat whose plan may be newer than the rows of the seats.
        """
        self._written = written
        if not written and not any(person.has_plan for person in self._people.values()):
            return
        rows = await self._connection.execute(_PLANS, {"this": self._row.id})
        self._before = {plan.seat: plan for plan in (PlanRow(*row) for row in rows)}
        self._plans = dict(self._before)

    async def finish(self) -> None:
        """Make all automatic choices."""
        while len(self.progress.choices) <= MAX_AUTOMATIC_CHOICES and await self._advance():
            pass

    async def _advance(self) -> bool:
        """Make the next automatic choice; return False if there is none."""
        state = self.progress.rolled.state
        view = self._game.view(state)
        for seat in self._game.pending(state):
            if seat in self._unchanged or seat not in self._people or view.result:
                continue
            self._report_takeback(seat)
            if not self._people[seat].decides_itself:
                self._stop(seat, StopReason.STAND_IN)
            elif seat in view.answering:
                self._stop(seat, StopReason.DRAW)
            elif await self._choose(seat, state):
                return True
        return False

    async def _choose(self, seat: str, state: Any) -> bool:
        """Make the choice of a seat's plan, or a forced one; return whether there was one."""
        step = await self._step(seat, state)
        if isinstance(step, Step):
            self._change(seat, orders=str(step.rest), turn=step.rest.turn)
            self._orders_left[seat] += f"{len(step.rest.orders)} "
            self._make(step.action, step.after, Automatic.PLAN)
            return True
        forced = forced_action(self._game, state, seat)
        if forced and wants(self._people[seat].preferences, PreferenceKey.FORCED):
            self._make(forced, self._game.apply(state, forced)[0], Automatic.FORCED)
            return True
        if step and seat != self._written:
            self._stop(seat, StopReason(step))
        return False

    async def _step(self, seat: str, state: Any) -> Step | Misfit | None:
        """Return the next step of a seat's plan; None without a plan."""
        stored = self._plans.get(seat)
        if stored is None or stored.stopped:
            return None
        if self._log is None:
            self._log = await actions_of(self._connection, self._row.id)
        plan = load_plan(seat, stored.orders, stored.turn)
        step = next_step(self._game, state, seat, plan, self._log + self.progress.rolled.actions)
        if step is None:
            self._change(seat, orders="")
        return step

    def _make(self, action: Action, after: Any, why: Automatic) -> None:
        if action.actor == self._written:
            self._written = ""
        self._unchanged = unchanged_decisions(self._unchanged, (action,))
        count = self.progress.rolled.chance_count
        rolled = resolve_match_chance(self._row, self._game, after, (action,), count)
        self.progress = self.progress.followed_by(self._game, rolled, why)

    def _report_takeback(self, seat: str) -> None:
        """Queue a report to a player whose plan a takeback stopped while another one decided."""
        stored = self._plans.get(seat)
        if stored and stored.stopped == StopReason.TAKEBACK and stored.stopped_at is None:
            self._change(seat, stopped_at=Version(self._row.version + 1))

    def _stop(self, seat: str, reason: StopReason) -> None:
        stored = self._plans.get(seat)
        if stored and not stored.stopped:
            self._change(seat, stopped=reason, stopped_at=Version(self._row.version + 1))

    def _change(self, seat: str, **changes: Unpack[PlanFields]) -> None:
        """Change the named columns of a seat's plan."""
        stored = self._plans[seat]
        version = Version(self._before[seat].version + 1)
        self._plans[seat] = replace(stored, version=version, **changes)

    async def store_plans(self, now: float) -> None:
        """Store the plans that have changed; delete those that are finished.

        For the end of the match, note which orders were carried out.
        """
        for seat, left in self._orders_left.items():
            user_id = self._people[seat].user_id
            values = {"this": self._row.id, "user": user_id, "left": left}
            await send(self._connection, _NOTE_PLAYED, values)
        state = self.progress.rolled.state
        playing = "" if self._game.result(state) else self._game.view(state).playing
        for seat, plan in self._plans.items():
            key = {"this": self._row.id, "where": seat}
            if not plan.orders or seat not in playing:
                await self._connection.execute(_DELETE, key)
            elif plan != self._before[seat]:
                values = {**asdict(plan), "changed_at": now}
                await self._connection.execute(_UPDATE, {**key, **values})


def action_rows(
    match_id: MatchId, number: int, progress: Progress, chosen_by: Sequence[str | None], now: float
) -> list[dict[str, Any]]:
    """Return the rows of new actions.

    Args:
        number: number of the last action before them.
        progress: the choices.
        chosen_by: see `MatchChange`.
        now: the time in UTC seconds.
    """
    new_actions = [
        (action, choice.automatic) for choice in progress.choices for action in choice.actions
    ]
    return [
        {
            "match_id": match_id,
            "number": number + i,
            "line": str(action),
            "made_at": now,
            "chosen_by": player,
            "automatic": automatic if action.actor != CHANCE else None,
        }
        for i, ((action, automatic), player) in enumerate(zip_longest(new_actions, chosen_by), 1)
    ]


def clock_changes(
    row: MatchRow,
    number: int,
    progress: Progress,
    decisions: Sequence[Mapping[str, Version]],
    *,
    stays: bool,
    now: float,
    earlier: Mapping[str, EarlierClock] | None = None,
) -> list[DecisionChange]:
    """Return the changes of pending decisions, one for each choice.

    Args:
        row: the match before the first choice.
        number: number of the last action before it.
        progress: the choices.
        decisions: the pending decisions after each: seat → version.
        stays: whether the first choice cannot be taken back, nor anything before it.
        now: the time in UTC seconds.
        earlier: for a takeback, seat → the clock to restore.
    """
    changes: list[DecisionChange] = []
    turn = 0 if row.position is None else games.get(row.game).view(row.state()).turn
    for choice, after in zip(progress.choices, decisions, strict=True):
        can_go_back = choice.automatic or not stays
        undoable = can_go_back and choice.pending and _can_be_undone(choice.actions)
        undo_number = number + 1 if undoable else 0
        still = unchanged_decisions(row.decisions, choice.actions)
        again = (row.decisions.keys() & after.keys()) - still.keys()
        begin_turns = frozenset(again if choice.turn != turn else ())
        changes.append(DecisionChange(row, after, undo_number, now, earlier, begin_turns))
        row, turn = replace(row, decisions=after), choice.turn
        number += len(choice.actions)
    return changes


def _can_be_undone(choice: Sequence[Action]) -> bool:
    """Return whether these actions are a choice that can be taken back later."""
    return bool(choice) and all(
        action.actor != CHANCE and action.verb not in ENDING_VERBS for action in choice
    )


PRIVATE_UNTIL_FACT = "private_plans_until"
"""Name of the fact that the plans of matches up to this number stay private after their end.

An installation that began later has none.
"""

_PRIVATE_UNTIL = func.coalesce(
    select(cast(facts.c.value, BigInteger))
    .where(facts.c.name == PRIVATE_UNTIL_FACT)
    .scalar_subquery(),
    0,
)
_IS_OVER = exists().where(
    matches.c.id == actions.c.match_id,
    matches.c.status == MatchStatus.FINISHED,
    matches.c.id > _PRIVATE_UNTIL,
)
_MARK = case(
    (actions.c.automatic == Automatic.FORCED, Mark.FORCED.value),
    ((actions.c.automatic == Automatic.PLAN) & _IS_OVER, Mark.FORESEEN.value),
    else_=None,
)
"""What all may know about the reason for a choice: that it was a plan's only after the match."""

_LIVE = (actions.c.match_id == bindparam("this")) & actions.c.undone_at.is_(None)
_LATEST = (
    select(actions.c.line, _MARK)
    .where(_LIVE)
    .order_by(actions.c.number.desc())
    .limit(STORY_ACTIONS)
)
_MARKS = select(_MARK).where(_LIVE).order_by(actions.c.number)


def mark_count(match_id: ColumnElement[int]) -> Select[int]:
    """Return the query for the number of a match's choices that stand and have a mark."""
    live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
    return select(func.count(_MARK)).where(live)


async def marks_of(connection: Connection, match_id: MatchId) -> dict[int, Mark]:
    """Return place among the actions that were not taken back → mark, of those that have one."""
    marks = (await connection.execute(_MARKS, {"this": match_id})).scalars()
    return {place: Mark(mark) for place, mark in enumerate(marks) if mark}


async def latest_log(connection: Connection, match_id: MatchId) -> list[tuple[Action, Mark | None]]:
    """Return the latest actions that stand, each with its mark; see `with_marks`."""
    rows = (await connection.execute(_LATEST, {"this": match_id})).all()
    return [(Action.parse(line), Mark(mark) if mark else None) for line, mark in reversed(rows)]

"""Plans after a match: kept for their players, who may publish them.

During the match, `bot.services.plans` writes them and `bot.services.automatic_moves` notes which
of their orders were carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.sql.dml import Delete, Update

from bot.domain.ids import OPEN_USER_ID, MatchId, UserId
from bot.domain.models import Match, MatchStatus
from bot.personal import rows_of_user
from bot.services.automatic_moves import ByPlan, latest_by_plan
from bot.storage.database import Database
from bot.storage.schema import matches, written_plans
from engine.game import Action
from engine.plans import Order, load_plan


class NoPlanError(LookupError):
    """There is no such plan that the reader may see."""


class OrderStatus(StrEnum):
    """The status of an order after the match."""

    PLAYED = "played"
    TAKEN_BACK = "taken_back"
    PASSED = "passed"
    """A later order was carried out before it, or its condition did not hold."""
    NOT_REACHED = "not_reached"


class PlannedLine(NamedTuple):
    """An order of a plan after the match.

    Attributes:
        order: the order.
        status: its status.
        action: the alternative that was carried out; None if none was.
    """

    order: Order
    status: OrderStatus
    action: Action | None = None


class PlayersPlan(NamedTuple):
    """A plan as its player last wrote it.

    Attributes:
        seat: the player's seat.
        lines: its orders.
        is_published: whether others may read it.
    """

    seat: str
    lines: Sequence[PlannedLine]
    is_published: bool


class PublishedPlans:
    """Reads, publishes and deletes plans of finished matches.

    Args:
        database: contains them.
        clock: the time in UTC seconds.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    async def readable(self, match_id: MatchId, reader_id: UserId) -> dict[UserId, bool]:
        """Return user ID → whether published, of the plans of a match that a user may read."""
        query = select(written_plans.c.user_id, written_plans.c.published_at).where(
            _readable_by(reader_id), written_plans.c.match_id == match_id
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query.order_by(written_plans.c.user_id))).all()
        return {user_id: published_at is not None for user_id, published_at in rows}

    async def read(self, match: Match, seat: str, reader_id: UserId) -> PlayersPlan:
        """Return the plan of a seat's player.

        Raises:
            NoPlanError: there is none that the reader may see.
        """
        player = match.players.get(seat)
        player_id = player.user_id if player else OPEN_USER_ID
        query = select(written_plans).where(
            _readable_by(reader_id), _of_player(match.id, player_id)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
            if row is None:
                raise NoPlanError(match.id, seat)
            left = [int(count) for count in row.orders_left.split()]
            played = await latest_by_plan(connection, match.id, seat, len(left))
        orders = load_plan(seat, row.orders).orders
        return PlayersPlan(seat, _lines(orders, left, played), row.published_at is not None)

    async def publish(self, match_id: MatchId, user_id: UserId) -> None:
        """Let others read a user's plan.

        Raises:
            NoPlanError: there is none, or the match is not finished.
        """
        published = update(written_plans).values(published_at=self._clock())
        await self._change(published, match_id, user_id)

    async def unpublish(self, match_id: MatchId, user_id: UserId) -> None:
        """Make a user's plan private again; for errors see `publish`."""
        await self._change(update(written_plans).values(published_at=None), match_id, user_id)

    async def delete(self, match_id: MatchId, user_id: UserId) -> None:
        """Delete a user's plan; for errors see `publish`."""
        await self._change(delete(written_plans), match_id, user_id)

    async def _change(self, statement: Update | Delete, match_id: MatchId, user_id: UserId) -> None:
        async with self._database.write() as connection:
            changed = await connection.execute(
                statement.where(_IS_OVER, _of_player(match_id, user_id))
            )
            if not changed.rowcount:
                raise NoPlanError(match_id, user_id)


_IS_OVER = (
    select(matches.c.id)
    .where(matches.c.id == written_plans.c.match_id, matches.c.status == MatchStatus.FINISHED)
    .exists()
)


def _of_player(match_id: MatchId, user_id: UserId) -> ColumnElement[bool]:
    return (written_plans.c.match_id == match_id) & (written_plans.c.user_id == user_id)


def _readable_by(reader_id: UserId) -> ColumnElement[bool]:
    """Return the condition for plans that a user may read: of finished matches, if published."""
    is_open = written_plans.c.published_at.is_not(None)
    return _IS_OVER & or_(is_open, written_plans.c.user_id == reader_id)


def _lines(
    orders: Sequence[Order], left: Sequence[int], played: Sequence[ByPlan]
) -> list[PlannedLine]:
    """Return the orders of a plan with their statuses.

    Args:
        orders: the plan as it was written.
        left: the number of orders that were left after each one that was carried out.
        played: the actions of those.
    """
    choices = {len(orders) - count - 1: choice for count, choice in zip(left, played, strict=True)}
    reached = max(choices, default=-1)
    lines: list[PlannedLine] = []
    for place, order in enumerate(orders):
        if place in choices:
            choice = choices[place]
            status = OrderStatus.TAKEN_BACK if choice.is_undone else OrderStatus.PLAYED
            lines.append(PlannedLine(order, status, Action.parse(choice.line)))
        else:
            lines.append(
                PlannedLine(
                    order, OrderStatus.PASSED if place < reached else OrderStatus.NOT_REACHED
                )
            )
    return lines


PERSONAL = rows_of_user(written_plans, "plans as written")

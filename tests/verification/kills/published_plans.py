"""Plans of a simulation's users after their matches: no user reads another one's private plan.

What users have published, unpublished and deleted is stored once an answer says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from bot.features.published_plans.views import DELETED, NO_PLAN, PRIVATE, PUBLISHED
from tests.verification.kills.payloads import tells

if TYPE_CHECKING:
    from tests.verification.kills.audit_log import AuditLog
    from tests.verification.kills.table import Table

STEPS = {"publish": PUBLISHED, "unpublish": PRIVATE, "delete": DELETED}
"""What a user does with a plan → the answer."""

STATES = {"publish": "published", "unpublish": "private", "delete": "deleted"}

WRITTEN = (
    "SELECT w.match_id, w.user_id, w.orders, w.orders_left, w.published_at, m.status, s.seat"
    " FROM written_plans AS w JOIN matches AS m ON m.id = w.match_id"
    " JOIN seats AS s ON s.match_id = w.match_id AND s.user_id = w.user_id"
)

BY_PLAN = (
    "SELECT line FROM actions WHERE match_id=? AND automatic='plan' AND line LIKE ?"
    " ORDER BY number DESC LIMIT ?"
)


class Fault(NamedTuple):
    """A plan that differs from what its user knows of it, and the field of the report."""

    kind: str
    details: str


class PlansAfterMatches:
    """What users did with their plans after matches, as far as they know."""

    def __init__(self) -> None:
        self._states: dict[tuple[int, int], str] = {}
        self._doubtful: set[tuple[int, int]] = set()

    def changed(self, match: int, user: int, state: str, *, doubtful: bool) -> None:
        """Note the state of a user's plan.

        Args:
            state: `published`, `private` or `deleted`.
            doubtful: whether an earlier attempt may be carried out later.
        """
        key = match, user
        if doubtful:
            self._doubtful.add(key)
        self._states[key] = state

    def forget(self, user: int) -> None:
        """Note that a user's data was deleted."""
        for key in [key for key in self._states if key[1] == user]:
            self._states[key] = "deleted"

    def wrong(self, audit_log: AuditLog) -> Iterator[Fault]:
        """Yield the faults of the stored plans."""
        stored = dict.fromkeys(self._states, "deleted")
        for match, user, orders, left, published_at, status, seat in audit_log.rows(WRITTEN):
            name = f"the plan of user {user} in match {match}"
            stored[match, user] = "private" if published_at is None else "published"
            if published_at is not None and status != "finished":
                yield Fault("traces", f"{name} is published before its end")
            counts = [int(count) for count in left.split()]
            played = audit_log.rows(BY_PLAN, match, f"{seat} %", len(counts))[::-1]
            lines = [line.partition(" ")[2] for (line,) in played]
            if not _fits(orders.splitlines(), counts, lines):
                yield Fault("applied_twice", f"{name}: {orders!r}, {counts}, {lines}")
        for key, state in self._states.items():
            if key not in self._doubtful and stored[key] != state:
                yield Fault("lost", f"plan of user {key[1]} in match {key[0]}: {stored[key]}")


def _fits(orders: list[str], counts: list[int], lines: list[str]) -> bool:
    """Return whether each order noted as carried out has the action that was made for it."""
    noted = [orders[len(orders) - count - 1].split(" or ") for count in counts]
    return len(noted) == len(lines) and all(
        line in alternatives for line, alternatives in zip(lines, noted, strict=True)
    )


async def publish_plan(table: Table, match: int) -> None:
    """Publish, unpublish or delete a plan of a finished match; or there is none."""
    query = "SELECT user_id FROM written_plans WHERE match_id=?"
    users = [user for (user,) in table.rows(query, match) if user in table.users]
    user = table.random.choice(users or table.users)
    step = table.random.choice([*STEPS])
    answer = await table.click(user, f"ownplan:{match}:{step}")
    done, missing = bool(tells(answer, STEPS[step])), bool(tells(answer, NO_PLAN))
    doubtful = bool(answer["doubtful"]) or not (done or missing)
    state = STATES[step] if done else "deleted"
    table.simulation.plans.changed(match, user, state, doubtful=doubtful)
    table.count(f"plan: {step}" if done else "plans not changed")

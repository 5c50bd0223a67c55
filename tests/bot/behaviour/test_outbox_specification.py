"""All states of the specified outbox are right, and none of its cures can be left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.outbox.transport import SEARCH_AFTER_SECONDS
from bot.outbox.worker import ATTEMPT_TIMEOUT_SECONDS, LEASE_SECONDS, WORKER_CLOCK_SKEW_SECONDS
from tests.support.fake_discord import REMEMBERED
from tests.verification.specification.explorer import DEAD_END, explore
from tests.verification.specification.outbox_model import (
    DELIVERED,
    IN_ORDER,
    INVARIANTS,
    LAST_CLAIM,
    ONCE,
    OutboxSpecification,
)
from tests.verification.specification.outbox_state import TICK_SECONDS, Cures, Times

BOARD = OutboxSpecification(rows=1)
TWO_BOARDS = OutboxSpecification(crashes=0, orphans=0)
BUSY_CHANNEL = OutboxSpecification(rows=1, floods=1, crashes=0, orphans=0)
FORUM = OutboxSpecification(in_forum=True, orphans=0)

WITHOUT = {
    "exclusive": (FORUM, ONCE, 8),
    "lease_ends": (BOARD, DEAD_END, 2),
    "timeout": (FORUM, ONCE, 12),
    "fencing": (BOARD, LAST_CLAIM, 10),
    "nonce": (BOARD, ONCE, 6),
    "search": (BOARD, ONCE, 16),
    "search_from_start": (BUSY_CHANNEL, ONCE, 17),
    "mark_names_delivery": (TWO_BOARDS, DELIVERED, 11),
    "order_by_match": (TWO_BOARDS, IN_ORDER, 8),
}
"""For each cure: a small model, what fails there without it, and the length of the trace."""

BEYOND = {
    "a request takes 30 s to arrive": (OutboxSpecification(rows=1, times=Times(latency=2)), 18),
    "clocks differ by 30 s": (OutboxSpecification(rows=1, skew=2), 18),
    "many messages before and after it": (
        OutboxSpecification(rows=1, floods=2, crashes=0, orphans=0),
        18,
    ),
    "a request for a post outlives its attempt": (OutboxSpecification(rows=1, in_forum=True), 10),
}
"""What the outbox does not survive: a message is posted twice then."""

PAGE = Path(__file__).parents[3] / "docs" / "developers" / "reliability-tests.md"


@pytest.mark.slow
@pytest.mark.parametrize("model", [BOARD, TWO_BOARDS, BUSY_CHANNEL, FORUM])
def test_no_reachable_state_of_the_outbox_is_wrong(model: OutboxSpecification) -> None:
    exploration = explore(model)
    assert exploration.violation is None, str(exploration.violation)
    assert any(model.is_end(state) for state in exploration.parents)


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        pytest.param(OutboxSpecification(), marks=pytest.mark.soak),
        pytest.param(OutboxSpecification(skew=0), marks=pytest.mark.soak),
        OutboxSpecification(rows=1, crashes=2, orphans=2),
        OutboxSpecification(rows=1, floods=1),
        OutboxSpecification(rows=3, in_forum=True, orphans=0, crashes=2),
    ],
)
def test_no_state_of_a_larger_outbox_is_wrong(model: OutboxSpecification) -> None:
    violation = explore(model).violation
    assert violation is None, str(violation)


@pytest.mark.slow
@pytest.mark.parametrize("cure", Cures._fields)
def test_outbox_without_one_cure_fails(cure: str) -> None:
    model, broken, length = WITHOUT[cure]
    violation = explore(replace(model, cures=Cures()._replace(**{cure: False}))).violation
    assert violation is not None
    assert (violation.broken, len(violation.trace)) == (broken, length), str(violation)


@pytest.mark.slow
def test_result_of_a_former_claim_leads_to_two_posts() -> None:
    """Fencing matters for players, too: without it, two workers create the same post."""
    invariants = {name: holds for name, holds in INVARIANTS.items() if name != LAST_CLAIM}
    model = replace(FORUM, cures=Cures(fencing=False), invariants=invariants)
    violation = explore(model).violation
    assert violation is not None
    assert (violation.broken, len(violation.trace)) == (ONCE, 15), str(violation)


@pytest.mark.slow
@pytest.mark.parametrize("fault", BEYOND)
def test_fault_beyond_the_limits_posts_twice(fault: str) -> None:
    model, length = BEYOND[fault]
    violation = explore(model).violation
    assert violation is not None
    assert (violation.broken, len(violation.trace)) == (ONCE, length), str(violation)


@pytest.mark.slow
def test_search_after_a_minute_would_be_too_late() -> None:
    """This was the value; the retry that breaks it is also in test_sender.py."""
    violation = explore(OutboxSpecification(rows=1, times=Times(search_after=4))).violation
    assert violation is not None
    assert violation.broken == ONCE


def test_times_of_the_outbox_are_multiples_of_a_tick() -> None:
    seconds = (
        LEASE_SECONDS,
        ATTEMPT_TIMEOUT_SECONDS,
        SEARCH_AFTER_SECONDS,
        WORKER_CLOCK_SKEW_SECONDS,
        REMEMBERED,
    )
    assert Times()[:5] == tuple(second / TICK_SECONDS for second in seconds)


@pytest.mark.parametrize("cure", Cures._fields)
def test_page_lists_each_cure_with_its_trace(cure: str) -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{cure}`: ")]
    _, broken, length = WITHOUT[cure]
    assert len(rows) == 1
    assert rows[0].endswith(f"| {broken} | {length} |")

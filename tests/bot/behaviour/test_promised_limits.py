"""Limits that players are told of, or on which fairness rests: the pages change with them."""

from __future__ import annotations

import pytest

from bot.domain.clocks import DAY, HOUR
from bot.domain.origin import MAX_LINES_TAKEN_OVER
from bot.domain.waiting import GONE_SECONDS, NOTICE_SECONDS, SILENCE_SECONDS
from bot.features.analyses.service import MAX_ATTEMPTS
from bot.services.abuse_limits import (
    MAX_COMPUTER_MATCHES,
    MAX_OPEN_CHALLENGES,
    MAX_OPEN_PER_PAIR,
    MAX_REQUESTS_PER_CHOICE,
)
from bot.services.automatic_moves import MAX_AUTOMATIC_CHOICES
from bot.services.computer_jobs import RETRY_SECONDS
from bot.services.nudges import NUDGE_PAUSE_SECONDS
from bot.services.rated_matches import EARLY_LIMIT, EARLY_SECONDS, MIN_PLIES, MIN_REMINDERS
from bot.services.rated_results import (
    PAIR_LIMIT,
    PAIR_SECONDS,
    TIMEOUT_LIMIT,
    TIMEOUT_SECONDS,
)
from bot.services.requests import REQUEST_SECONDS
from bot.services.vacation import ALLOWANCE_DAYS, MAX_OVERRUN_SECONDS, MAX_REDRAWN, PERIOD_DAYS


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((EARLY_LIMIT, EARLY_SECONDS), (3, 30 * DAY)),
        ((PAIR_LIMIT, PAIR_SECONDS), (3, 30 * DAY)),
        ((TIMEOUT_LIMIT, TIMEOUT_SECONDS), (3, 7 * DAY)),
        ((MIN_PLIES, MIN_REMINDERS), (8, 2)),
        ((ALLOWANCE_DAYS, PERIOD_DAYS, MAX_OVERRUN_SECONDS), (30, 365, HOUR)),
        ((GONE_SECONDS, SILENCE_SECONDS, NOTICE_SECONDS), (3 * DAY, 28 * DAY, 3 * DAY)),
        ((NUDGE_PAUSE_SECONDS, REQUEST_SECONDS), (DAY, 7 * DAY)),
        ((MAX_OPEN_CHALLENGES, MAX_OPEN_PER_PAIR, MAX_COMPUTER_MATCHES), (20, 3, 10)),
        ((MAX_REQUESTS_PER_CHOICE, MAX_ATTEMPTS), (3, 3)),
        ((MAX_LINES_TAKEN_OVER, MAX_AUTOMATIC_CHOICES, MAX_REDRAWN), (1000, 200, 50)),
        (RETRY_SECONDS, (15.0, 60.0, 300.0, 3600.0)),
    ],
)
def test_limits_are_those_that_were_promised(
    limits: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    assert limits == expected

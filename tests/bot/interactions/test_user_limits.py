"""Each user has one request of a kind in progress, and stops no other user."""

from __future__ import annotations

import pytest

from bot import metrics
from bot.domain.ids import UserId
from bot.interactions.replies import UserError
from bot.interactions.user_limits import OnePerUser, UserLimits
from tests.support.user_limits import is_running

ADA, BO = UserId(1), UserId(2)


def refusals() -> float:
    """Return the number of requests refused because of a user's limit."""
    (family,) = metrics.LIMITED.collect()
    return next(
        sample.value for sample in family.samples if sample.name == "starpost_limited_total"
    )


def test_second_request_is_refused_until_the_first_has_ended() -> None:
    limit, before = OnePerUser("Still running."), refusals()
    with limit.running(ADA), limit.running(BO):
        for _ in range(2):
            with pytest.raises(UserError, match=r"^Still running\.$"), limit.running(ADA):
                pass
    assert refusals() - before == 2
    assert not is_running(limit, ADA)
    assert not is_running(limit, BO)
    with limit.running(ADA):
        pass


def test_failed_request_has_ended() -> None:
    limit = OnePerUser("Still running.")
    with pytest.raises(ValueError, match="broken"), limit.running(ADA):
        raise ValueError("broken")
    assert not is_running(limit, ADA)


def test_kinds_of_work_are_limited_separately() -> None:
    limits = UserLimits()
    with limits.of("Still reading.").running(ADA):
        assert is_running(limits.of("Still reading."), ADA)
        assert not is_running(limits.of("Still thinking."), ADA)
    assert not is_running(limits.of("Still reading."), ADA)

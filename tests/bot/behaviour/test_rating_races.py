"""Rated matches that end at the same moment on PostgreSQL are stored one after the other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.support.postgres import Server, long_waits
from tests.verification.kills.rating_races import race, race_processes

ATTEMPTS = 5
"""Races within which the planted fault must show."""


@pytest.fixture
def new_database(postgres: Server) -> Iterator[Callable[[], str]]:
    """Return addresses of new databases."""
    with long_waits(), ExitStack() as opened:
        yield lambda: opened.enter_context(postgres.database())


Race = Callable[..., Awaitable[list[str]]]


RUNS = [race, race_processes]


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
async def test_results_that_come_at_once_have_an_order(
    run: Race, new_database: Callable[[], str]
) -> None:
    assert await run(new_database()) == []


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
async def test_without_the_lock_results_are_wrong(
    run: Race, new_database: Callable[[], str]
) -> None:
    for _ in range(ATTEMPTS):
        if await run(new_database(), locks=False):
            return
    pytest.fail("the planted fault was not found")

"""Tiers of tests: `pytest --tier=test`, `check` or `soak`, each with all of the one before.

`@pytest.mark.slow` leaves a test to `check`, `@pytest.mark.soak` to `soak`. A test with random
samples names their number in each tier, with `@sampled` or, for Hypothesis, with `@examples`.
`@pytest.mark.first(test=3, check=9)` runs three cases of a test with many in the first tier, and
nine in the second. This is a plugin of pytest, named in pyproject.toml, so that test modules can
ask for the tier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from math import inf
from typing import Any

import pytest
from hypothesis import settings

SOAK_TIMEOUT = 7200.0  # seconds


class Tier(StrEnum):
    """A tier of tests."""

    TEST = "test"
    CHECK = "check"
    SOAK = "soak"


_chosen = [Tier.TEST]


def by_tier(test: int, check: int, soak: int) -> int:
    """Return the number for the tier that runs."""
    return {Tier.TEST: test, Tier.CHECK: check, Tier.SOAK: soak}[_chosen[-1]]


def sampled(test: int, check: int, soak: int) -> pytest.MarkDecorator:
    """Give a test that takes `samples` their number in each tier."""
    return pytest.mark.samples(test, check, soak)


def examples(test: int, check: int, soak: int) -> Callable[[Any], Any]:
    """Give a property test the number of examples in each tier."""

    def decorate(function: Any) -> Any:
        sized = settings(max_examples=by_tier(test, check, soak))
        return pytest.mark.samples(test, check, soak)(sized(function))

    return decorate


@pytest.fixture
def samples(request: pytest.FixtureRequest) -> int:
    """The number that `@sampled` gives in this tier."""
    return by_tier(*request.node.get_closest_marker("samples").args)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    tiers = list(Tier)
    parser.addoption("--tier", type=Tier, choices=tiers, default=Tier.TEST, help="how much is run")


def pytest_configure(config: pytest.Config) -> None:
    """Note the tier before the test modules are imported; Hypothesis measures no time."""
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
    _chosen.append(config.getoption("--tier"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of later tiers; in the last one, give long tests their time."""
    _mark_later_cases(items)
    later = {Tier.TEST: ("slow", "soak"), Tier.CHECK: ("soak",), Tier.SOAK: ()}[_chosen[-1]]
    left_out = {item for item in items if any(map(item.get_closest_marker, later))}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    for item in items if _chosen[-1] is Tier.SOAK else ():
        if item.get_closest_marker("soak") or item.get_closest_marker("samples"):
            item.add_marker(pytest.mark.timeout(SOAK_TIMEOUT))


def _mark_later_cases(items: list[pytest.Item]) -> None:
    """Leave the cases behind those that the mark `first` counts to later tiers."""
    cases: Counter[str] = Counter()
    for item in items:
        if first := item.get_closest_marker("first"):
            test = item.nodeid.partition("[")[0]
            cases[test] += 1
            if cases[test] > first.kwargs.get("check", inf):
                item.add_marker(pytest.mark.soak)
            elif cases[test] > first.kwargs.get("test", inf):
                item.add_marker(pytest.mark.slow)

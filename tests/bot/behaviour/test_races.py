"""Two processes choose at the same moment: the version of the decision decides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.faults.races import race


@pytest.mark.parametrize(
    "races",
    [
        pytest.param(100, id="100 races"),
        pytest.param(2000, id="2000 races", marks=pytest.mark.soak),
    ],
)
async def test_a_race_has_exactly_one_winner(
    url: str, say: Callable[[object], None], races: int
) -> None:
    done = await race(url, races)
    say(done)
    assert done.one_winner == done.choices == races, done
    assert 0 < done.twice < races

"""Two processes choose at the same moment: the version of the decision decides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.tiers import sampled
from tests.verification.kills.races import race


@pytest.mark.slow
@sampled(15, 25, 2000)
async def test_a_race_has_exactly_one_winner(
    url: str, say: Callable[[object], None], samples: int
) -> None:
    done = await race(url, samples)
    say(done)
    assert done.one_winner == done.choices == samples, done
    assert 0 < done.twice < samples

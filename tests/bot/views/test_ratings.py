"""The end of a rated match that does not count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.models import Rated
from bot.views.ratings import rating_lines
from tests.support.matches import MatchFixture

SENTENCES = {
    Rated.PAIR: "two of the players had already finished 3 rated matches with each other within 30"
    " days.",
    Rated.EARLY: "fewer than 8 moves had been made.",
    Rated.UNREMINDED: "a player out of time had been reminded fewer than 2 times.",
    Rated.TIMEOUTS: "a player had already lost 3 rated matches on time within 7 days.",
    Rated.STAND_IN: "the computer has played for a player.",
    Rated.FALLBACK: "the computer has not played at its level throughout, because of a fault or an"
    " update.",
    Rated.ABANDONED: "the match has ended without a result.",
}


@pytest.mark.parametrize("rated", [reason for reason in Rated if reason != Rated.CASUAL])
async def test_the_end_says_why_no_ratings_change(env: MatchFixture, rated: Rated) -> None:
    match = replace(await env.queries.match(await env.begin()), rated=rated)
    text = "\n".join(rating_lines(match, "X", []))
    assert text == (f"No ratings change: {SENTENCES[rated]}" if rated != Rated.RATED else "")

"""The check of cups in simulated worlds accepts the bot's behaviour, and finds faults."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.cups import views
from bot.features.cups.rows import Cup
from tests.support.cups import CupFixture
from tests.support.matches import MatchFixture
from tests.verification.kills.cups import GROUPS, LEFT, OFFERED, CupAudit, Done, news


@pytest.mark.parametrize("left_numbers", [set[int](), {1, 2}, {1, 2, 3, 4}])
async def test_simulated_worlds_expect_what_a_post_says(
    env: MatchFixture, left_numbers: set[int]
) -> None:
    """Of a finished cup, the winner may have left the server, too."""
    fixture = CupFixture(env)
    cup_id = await fixture.begun(4)
    for cup in (await fixture.get(cup_id), await fixture.play_out(cup_id)):
        absent = [
            replace(entrant, has_left=entrant.number in left_numbers) for entrant in cup.entrants
        ]
        current = Cup(cup.row, absent, cup.pairings)
        post = components(views.post(current, {}, b""))
        assert [words for words in news(current) if words not in post] == []


def components(message: Any) -> str:
    return str(message.layout.to_components())


@pytest.mark.parametrize(
    ("done", "lost"),
    [
        ([(1, 301, "join")], ["join of 301 in 1 is lost"]),
        ([(1, 301, "join"), (2, 301, LEFT)], []),
        ([(2, 301, LEFT), (1, 301, "join")], ["join of 301 in 1 is lost"]),
        ([(1, 301, "join"), (2, 302, LEFT)], ["join of 301 in 1 is lost"]),
        ([(1, 301, OFFERED), (1, 301, "join")], []),
        ([(2, 301, OFFERED), (1, 301, "join")], ["join of 301 in 1 is lost"]),
        ([(1, 301, "withdraw"), (1, 301, LEFT)], ["withdraw of 301 in 1 is lost"]),
        ([(9, 301, "resign"), (1, 301, LEFT)], ["resign of 301 in 9 is lost"]),
    ],
)
def test_what_is_not_stored_is_lost_unless_it_was_undone(done: list[Done], lost: list[str]) -> None:
    """Who leaves the server has signed up no more; this ends nothing else."""

    def rows(query: str, number: int, *_: int) -> list[tuple[int]]:
        return [(number,)] if query == GROUPS else []

    empty: Any = SimpleNamespace(fake=None, audit_log=SimpleNamespace(rows=rows))
    assert list(CupAudit(empty, done, "")._lost()) == lost

"""Puzzles on demand: positions of former days, never those of today or of a day to come."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.domain.clocks import DAY, HOUR
from bot.features.rules import puzzle_commands as handlers
from bot.interactions.replies import UserError
from bot.rulebook.positions import find, key_of, of_day, past, pool
from bot.views.custom_ids import PuzzleId, PuzzlePartId, PuzzleTryId
from bot.views.images import Drawn
from engine import games
from render.renderer import DEFAULT_STYLE
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.matches import ADA

TODAY = 20_000
NOW = TODAY * DAY + 11 * HOUR
"""An hour before the day ends."""


class Clicks:
    """Clicks of Ada, and what they lead to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        drawn = AsyncMock(return_value=Drawn(b"PNG", DEFAULT_STYLE))
        self.context: Any = SimpleNamespace(
            clock=lambda: NOW,
            preferences=SimpleNamespace(style=AsyncMock(return_value=DEFAULT_STYLE)),
            images=SimpleNamespace(with_actions=drawn),
        )
        self.messages: list[Any] = []

        async def edit_reply(_interaction: Any, message: Any) -> None:
            self.messages.append(message)

        monkeypatch.setattr(handlers, "edit_reply", edit_reply)

    def interaction(self, number: int = 0) -> Any:
        return SimpleNamespace(
            id=number << handlers.TIME_BITS, user=SimpleNamespace(id=ADA), guild_id=None, data={}
        )

    def text(self) -> str:
        parts = walk(components(self.messages[-1]))
        return "\n".join(part["content"] for part in parts if "content" in part)

    def ids(self) -> list[str]:
        parts = walk(components(self.messages[-1]))
        return [part["custom_id"] for part in parts if "custom_id" in part]


@pytest.fixture
def clicks(monkeypatch: pytest.MonkeyPatch) -> Clicks:
    return Clicks(monkeypatch)


@pytest.mark.parametrize("game", games.names())
def test_puzzles_are_positions_of_former_days(game: str) -> None:
    keys = {key_of(place) for place in past(game, NOW)}
    assert len(keys) > 5
    ahead = [of_day(TODAY + days) for days in range(len(pool()) - len(pool()) // 2)]
    assert not keys & {key_of(place) for place in ahead}
    yesterday = of_day(TODAY - 1)
    assert yesterday in past(yesterday.game, NOW)
    assert of_day(TODAY) not in past(of_day(TODAY).game, NOW)
    assert of_day(TODAY) in past(of_day(TODAY).game, NOW + HOUR), "the day has ended"


async def test_another_puzzle_is_another_one(clicks: Clicks) -> None:
    places = past("warp6", NOW)
    seen = set()
    for number in range(len(places)):
        click = PuzzleId("warp6", key_of(places[0]))
        await handlers._another(clicks.context, clicks.interaction(number), click)
        (key,) = {
            i.split(":")[1] for i in clicks.ids() if i.startswith(("puzzletry", "puzzlepart"))
        }
        seen.add(key)
    assert seen == {key_of(place) for place in places[1:]}


async def test_choice_is_compared_with_the_best_one(clicks: Clicks) -> None:
    place = past("warp6", NOW)[0]
    best, other = [line for line, _value in place.step.values[:2]]
    for line, words, label in ((best, "You found it!", 1), (other, "You chose", 2)):
        click = PuzzleTryId(key_of(place), line)
        await handlers._try(clicks.context, clicks.interaction(), click)
        assert words in clicks.text()
        assert "The best choice for" in clicks.text()
        assert len(clicks.ids()) == label
        assert f"puzzle:warp6:{key_of(place)}" in clicks.ids()


async def test_beginning_of_a_choice_shows_fewer(clicks: Clicks) -> None:
    place = past("wormholes", NOW)[0]
    verb = place.view.legal[0].verb
    await handlers._show_part(
        clicks.context, clicks.interaction(), PuzzlePartId(key_of(place), verb)
    )
    assert "What's best?" in clicks.text()
    assert "The best choice" not in clicks.text()


@pytest.mark.parametrize("days", [0, 1, 40])
async def test_solution_of_a_day_that_has_not_ended_is_not_shown(clicks: Clicks, days: int) -> None:
    key = key_of(of_day(TODAY + days))
    assert find(key)
    clicked: list[tuple[Any, Any]] = [
        (handlers._try, PuzzleTryId(key, of_day(TODAY + days).step.values[0][0])),
        (handlers._show_part, PuzzlePartId(key, "")),
    ]
    for handler, click in clicked:
        with pytest.raises(UserError, match="no longer have this puzzle"):
            await handler(clicks.context, clicks.interaction(), click)
    assert not clicks.messages


@pytest.mark.parametrize(
    ("click", "sentence"),
    [
        (PuzzleId("chess"), "no puzzle"),
        (PuzzlePartId("0" * 16, ""), "no longer have"),
        (PuzzleTryId("0" * 16, "first"), "no longer have"),
    ],
)
async def test_unknown_puzzle_is_refused(clicks: Clicks, click: Any, sentence: str) -> None:
    handler: Any = {
        PuzzleId: handlers._another,
        PuzzlePartId: handlers._show_part,
        PuzzleTryId: handlers._try,
    }[type(click)]
    with pytest.raises(UserError, match=sentence):
        await handler(clicks.context, clicks.interaction(), click)

"""Clicks on a position of the day, without a connection to Discord."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.features.daily.commands import _answer, _show, _show_part
from bot.features.daily.ids import DailyAnswerId, DailyId, DailyPartId
from bot.features.daily.service import DailyPosition, DailyPositions
from bot.interactions.replies import UserError
from bot.rulebook.positions import find
from tests.support.matches import ADA, BO, MatchFixture

NOON = 20_000 * DAY + DAY / 2

COMMANDS = sys.modules[_show.__module__]
"""The package has a function of the same name."""


class Clicks:
    """An open position, the clicks of Ada on it, and what they led to."""

    def __init__(self, env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        env.now = NOON
        self.daily = DailyPositions(env.database, env.clock)
        self.context: Any = SimpleNamespace(
            of={DailyPositions: self.daily}.get, clock=env.clock, preferences=self, images=self
        )
        self.interaction: Any = SimpleNamespace(user=SimpleNamespace(id=ADA), guild_id=61, data={})
        self.shown: list[tuple[str, str]] = []
        self.styles: list[tuple[UserId, int | None]] = []

        async def compare(*given: Any) -> None:
            answer = given[-1]
            self.shown.append(("compare", answer))

        async def choose(*_given: Any, answer: str = "", path: str = "") -> None:
            self.shown.append(("choose", answer or path))

        async def edit_reply(*_given: Any) -> None:
            self.shown.append(("answered", ""))

        for name, stub in {
            "_compare": compare,
            "_choose": choose,
            "edit_reply": edit_reply,
            "selected": lambda _interaction: "",
        }.items():
            monkeypatch.setattr(COMMANDS, name, stub)
        monkeypatch.setattr("bot.features.daily.views.answered", lambda *_given: None)

    async def style(self, user_id: UserId, guild_id: int | None) -> None:
        self.styles.append((user_id, guild_id))

    async def with_actions(self, *_given: Any) -> None:
        return None

    async def open(self) -> DailyPosition:
        """Post a position."""
        await self.daily.choose(GuildId(7), ChannelId(6))
        position = await self.daily.begin(GuildId(7))
        assert position
        await self.daily.posted(position.id, 100)
        return position


@pytest.fixture
def clicks(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> Clicks:
    return Clicks(env, monkeypatch)


@pytest.mark.parametrize("user", [ADA, BO])
async def test_own_answer_is_shown_and_compared(clicks: Clicks, user: UserId) -> None:
    row = await clicks.open()
    assert await clicks.daily.answer(row.id, user, "chosen")
    line = "chosen" if user == ADA else ""
    await _show(clicks.context, clicks.interaction, DailyId(row.id))
    await clicks.daily.solved(row.id)
    await _show(clicks.context, clicks.interaction, DailyId(row.id))
    assert clicks.shown == [("choose", line), ("compare", line)]


async def test_closed_position_shows_no_choices(clicks: Clicks, env: MatchFixture) -> None:
    row = await clicks.open()
    await _show_part(clicks.context, clicks.interaction, DailyPartId(row.id, "up"))
    assert clicks.shown == [("choose", "up")]
    env.now += DAY
    late: list[Any] = [(_show, DailyId(row.id)), (_show_part, DailyPartId(row.id, "up"))]
    for show, click in late:
        with pytest.raises(UserError, match="in a moment"):
            await show(clicks.context, clicks.interaction, click)
    assert len(clicks.shown) == 1


async def test_solution_is_shown_to_no_user_before_it_is_posted(clicks: Clicks) -> None:
    await clicks.daily.choose(GuildId(7), ChannelId(6))
    row = await clicks.daily.begin(GuildId(7))  # its posting may be unconfirmed
    assert row
    await _show(clicks.context, clicks.interaction, DailyId(row.id))
    await clicks.daily.close(row.id)
    with pytest.raises(UserError, match="in a moment"):
        await _show(clicks.context, clicks.interaction, DailyId(row.id))
    assert [name for name, _text in clicks.shown] == ["choose"]


async def test_answer_is_stored_until_the_day_is_over(clicks: Clicks, env: MatchFixture) -> None:
    row = await clicks.open()
    place = find(row.position)
    assert place
    line = place.view.legal[0].notation
    click = DailyAnswerId(row.id, line)
    await _answer(clicks.context, clicks.interaction, click)
    assert await clicks.daily.answer_of(row.id, ADA) == line
    assert (clicks.shown, clicks.styles) == ([("answered", "")], [(ADA, 61)])
    env.now += DAY
    with pytest.raises(UserError, match="in a moment"):
        await _answer(clicks.context, clicks.interaction, click)
    await clicks.daily.solved(row.id)
    with pytest.raises(UserError, match="in the channel"):
        await _answer(clicks.context, clicks.interaction, click)
    assert len(clicks.shown) == 1

"""Nothing leaks of a player's time zone, nor of days off that are chosen during a match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bot.domain.ids import UserId
from bot.domain.models import Match
from bot.services.preferences import Preferences
from bot.storage.schema import seats
from bot.views import clocks, public_boards
from tests.verification.leaks.diff import readable
from tests.verification.leaks.plants import differing
from tests.verification.leaks.time_settings import TimeStory, with_days_off
from tests.verification.leaks.twins import both

ACTS = {
    *("days off", "active hours", "settings", "reminder", "vacation", "moved", "time over"),
    *("taken back", "exported", "claimed"),
}


@pytest.mark.slow
def test_story_with_days_off_reads_the_same(tmp_path: Path) -> None:
    twins = both(tmp_path, with_days_off, kind=TimeStory)
    assert not twins.found, readable(twins.found)
    assert {act for act, count in twins.done.items() if count} >= ACTS


@pytest.mark.slow
def test_planted_zone_beside_a_deadline_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = clocks.time_left

    def careless(match: Match, asked: str, playing: str) -> str:
        zones = [days_off.zone for days_off in match.days_off.values()]
        return f"{honest(match, asked, playing)} {zones}"

    monkeypatch.setattr(public_boards, "time_left", careless)
    differences = both(tmp_path, with_days_off, kind=TimeStory).found
    assert any(map(differing("requests", r"Europe/\w+"), differences)), readable(differences)


@pytest.mark.slow
def test_planted_change_of_days_off_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would apply to the match in progress, whose timers tell them."""
    honest = Preferences.set_all

    async def careless(self: Preferences, user_id: UserId, changes: Any) -> dict[str, str]:
        stored = await honest(self, user_id, changes)
        days = stored["days_off"].replace("off", "")
        async with self._database.write() as connection:
            change = update(seats).where(seats.c.user_id == user_id)
            await connection.execute(change.values(days_off=f"{days} UTC"))
        return stored

    monkeypatch.setattr(Preferences, "set_all", careless)
    differences = both(tmp_path, with_days_off, kind=TimeStory).found
    assert "timers" in {difference.channel for difference in differences}, readable(differences)

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


@pytest.mark.soak
def test_planted_zone_and_change_of_days_off_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The zone stands beside a deadline; new days off apply to the match in progress."""
    honest_time, honest_settings = clocks.time_left, Preferences.set_all

    def with_zones(match: Match, asked: str, playing: str) -> str:
        zones = [days_off.zone for days_off in match.days_off.values()]
        return f"{honest_time(match, asked, playing)} {zones}"

    async def with_change(self: Preferences, user_id: UserId, changes: Any) -> dict[str, str]:
        stored = await honest_settings(self, user_id, changes)
        days = stored["days_off"].replace("off", "")
        async with self._database.write() as connection:
            change = update(seats).where(seats.c.user_id == user_id)
            await connection.execute(change.values(days_off=f"{days} UTC"))
        return stored

    monkeypatch.setattr(public_boards, "time_left", with_zones)
    monkeypatch.setattr(Preferences, "set_all", with_change)
    differences = both(tmp_path, with_days_off, kind=TimeStory).found
    assert any(map(differing("requests", r"Europe/\w+"), differences)), readable(differences)
    assert "timers" in {difference.channel for difference in differences}, readable(differences)

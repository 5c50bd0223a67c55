"""Players who are gone: lookups of members at Discord."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import GuildId, UserId
from bot.guilds import Guilds
from bot.interactions.member_lookup import gone_seats
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, EVE, TABLE

NOW = 50 * DAY


class Asked:
    """Discord's answers about members, and whom it was asked about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *left_users: int) -> None:
        self.users: list[UserId] = []

        async def has_left(_guilds: Guilds, guild_id: GuildId, user_id: UserId) -> bool:
            assert guild_id == GUILD
            self.users.append(user_id)
            return user_id in left_users

        monkeypatch.setattr(Guilds, "has_left", has_left)


def table(guild_id: GuildId | None = GUILD, **waits_since: float) -> Any:
    """Return a match of Ada (B), Bo (Y) and Eve (W), some of whom have to decide since a time."""
    players = dict(zip("BYW", TABLE, strict=True))
    return SimpleNamespace(
        guild_id=guild_id,
        players=players,
        decisions=dict.fromkeys(waits_since, 1),
        waits_since=waits_since,
        unreachable={"Y"},
        seat_of=lambda number: next((s for s, p in players.items() if p.user_id == number), ""),
    )


async def gone(reader: int, match: Any, after: float = 0.0) -> str:
    context: Any = SimpleNamespace(clock=lambda: NOW)
    interaction: Any = SimpleNamespace(user=SimpleNamespace(id=reader), client=None)
    return await gone_seats(context, interaction, match, after=after)


@pytest.mark.parametrize(
    ("reader", "asked_users", "seats"),
    [(ADA, [BO, EVE], "Y"), (BO, [], ""), (EVE, [], ""), (99, [], "")],
)
async def test_only_who_waits_asks_for_the_others(
    monkeypatch: pytest.MonkeyPatch, reader: int, asked_users: list[int], seats: str
) -> None:
    """Not one who has to decide as well, or does not play."""
    answers = Asked(monkeypatch, BO)
    assert await gone(reader, table(Y=NOW, W=NOW)) == seats
    assert sorted(answers.users) == asked_users


@pytest.mark.parametrize(("seconds", "asked_users"), [(DAY - 1, []), (DAY, [BO]), (DAY + 1, [BO])])
async def test_discord_is_asked_only_after_a_while(
    monkeypatch: pytest.MonkeyPatch, seconds: float, asked_users: list[int]
) -> None:
    answers = Asked(monkeypatch, BO)
    assert await gone(ADA, table(Y=NOW - seconds), DAY) == "Y" * len(asked_users)
    assert answers.users == asked_users


async def test_match_by_dm_asks_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who is not reached is gone."""
    answers = Asked(monkeypatch, BO, EVE)
    assert await gone(ADA, table(None, Y=NOW, W=NOW)) == "Y"
    assert not answers.users

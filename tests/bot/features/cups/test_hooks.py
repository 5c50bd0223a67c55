"""Cups handle events of the core."""

from __future__ import annotations

import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import NO_MATCH, GuildId, MatchId
from bot.features.cups.matches import TOPIC
from bot.features.cups.service import Actor
from bot.services.events import ClockShifted, MatchEnding, NameChanged, NameSeen, PlayerSilent
from bot.shards import Shards
from bot.storage.hooks import publish
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def published(env: MatchFixture, event: object) -> bool:
    async with env.database.write() as connection:
        return await publish(connection, event)


async def refusals(env: MatchFixture, match_id: MatchId) -> list[str]:
    """Return the reasons for refusing to end a match; only the clock may end it then."""
    event = PlayerSilent(match_id, [])
    await published(env, event)
    return event.refusals


async def test_only_running_cups_know_their_matches(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3)
    match_id = (await cup.pairing(cup_id)).match_id or NO_MATCH
    sentence = "This match belongs to a cup, where only the clock decides."
    assert await published(env, MatchEnding(match_id))
    assert await refusals(env, match_id) == [sentence]
    other = await env.begin()
    assert not await published(env, MatchEnding(other))
    assert not await refusals(env, other)
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    assert not await published(env, MatchEnding(match_id))
    assert not await refusals(env, match_id)


@pytest.mark.parametrize(
    ("guild_id", "name", "outdated"),
    [(GUILD, "New", True), (GUILD, f"P{user(1)}", False), (GUILD + 1, "New", False)],
)
async def test_new_name_is_stored_in_cups_of_its_server(
    cup: CupFixture, env: MatchFixture, guild_id: GuildId, name: str, outdated: bool
) -> None:
    woken: list[str] = []
    env.database.listen(TOPIC, lambda: woken.append(TOPIC))
    joined, running, over = await cup.create(2), await cup.begun(3), await cup.begun(3)
    await cup.cups.cancel(next(env.ids), over, Actor(ORGANISER))
    before = {number: (await cup.get(number)).row.version for number in (joined, running, over)}
    woken.clear()
    seen = NameSeen(user(1), guild_id, name)
    async with env.database.read() as connection:
        assert await env.database.hooks.publish(connection, seen) == outdated
    await published(env, NameChanged(*seen))
    for number, version in before.items():
        row = await cup.get(number)
        entrant = row.entrant_of(user(1))
        is_renamed = outdated and number != over
        assert entrant
        assert (entrant.name == "New") == is_renamed
        assert (row.row.version > version) == is_renamed
    assert woken == [TOPIC] * outdated
    async with env.database.read() as connection:
        assert not await env.database.hooks.publish(connection, seen)


@pytest.mark.parametrize(
    ("gap", "starts", "ends"),
    [
        (DAY, -1, 0),
        (DAY, 0, 1),
        (DAY, 1, 5),
        (-DAY, -DAY, 1),
        (-DAY, 1 - DAY, 2),
        (-DAY, -2 * DAY, 1),
    ],
)
async def test_dates_ahead_move_with_the_clock(
    cup: CupFixture, env: MatchFixture, gap: float, starts: float, ends: float
) -> None:
    """With a clock set back, also those that have been due since the present."""
    last = env.now
    env.now -= 10 * DAY
    dates = last + starts, last + ends
    cup_id = await cup.create(2, starts_at=dates[0], ends_at=dates[1])
    version = (await cup.get(cup_id)).row.version
    await published(env, ClockShifted(Shards(), last, gap))
    row = (await cup.get(cup_id)).row
    since = min(last, last + gap)
    moved = tuple(date + gap if date > since else date for date in dates)
    assert (row.starts_at, row.ends_at) == moved
    assert (row.version > version) == (moved != dates)

"""Names of players are those of today, on each server, wherever they are shown."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.outbox import OutboxKind
from bot.domain.terms import Terms
from bot.features.cups.service import Actor
from bot.features.halls.message_kinds import HallKind
from bot.features.halls.service import Halls
from bot.features.leaderboards.service import Leaderboards
from bot.services import player_names
from bot.services.player_names import PlayerNames
from bot.storage.schema import leaderboard_entries
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, MatchFixture

OTHER_GUILD = GuildId(GUILD + 1)


@pytest.fixture
def names(env: MatchFixture) -> PlayerNames:
    return PlayerNames(env.database, env.clock)


async def challenge(env: MatchFixture, guild_id: GuildId | None) -> MatchId:
    terms = Terms(game="warp6", guild_id=guild_id, channel_id=ChannelId(5))
    players = [Player(ADA, "Ada"), Player(BO, "Bo")]
    return (await env.challenges.challenge(next(env.ids), terms, players)).match_id


async def begin(env: MatchFixture, guild_id: GuildId | None = GUILD) -> MatchId:
    match_id = await challenge(env, guild_id)
    await env.challenges.accept(next(env.ids), match_id, BO)
    return match_id


async def names_in(env: MatchFixture, match_id: MatchId) -> set[str]:
    return {player.name for player in (await env.queries.match(match_id)).players.values()}


async def test_new_name_is_stored_in_matches_that_are_not_over(
    env: MatchFixture, names: PlayerNames
) -> None:
    open_id, running, finished = await challenge(env, GUILD), await begin(env), await begin(env)
    await env.matches.act(next(env.ids), finished, ADA, "resign")
    await names.update(ADA, GUILD, "Ada II")
    assert await names_in(env, open_id) == {"Ada II", "Bo"}
    assert await names_in(env, running) == {"Ada II", "Bo"}
    assert await names_in(env, finished) == {"Ada", "Bo"}


async def test_name_counts_on_its_own_server_only(env: MatchFixture, names: PlayerNames) -> None:
    on_server, elsewhere, by_dm = [await begin(env, guild) for guild in (GUILD, OTHER_GUILD, None)]
    await names.update(ADA, GUILD, "Captain Ada")
    assert await names_in(env, on_server) == {"Captain Ada", "Bo"}
    assert await names_in(env, elsewhere) == {"Ada", "Bo"}
    assert await names_in(env, by_dm) == {"Ada", "Bo"}
    await names.update(ADA, OTHER_GUILD, "Pilot Ada")
    assert await names_in(env, on_server) == {"Captain Ada", "Bo"}
    assert await names_in(env, elsewhere) == {"Pilot Ada", "Bo"}


async def test_leaderboards_have_the_new_name(env: MatchFixture, names: PlayerNames) -> None:
    boards = Leaderboards(env.database, env.clock)
    for guild_id, user_id in ((GUILD, ADA), (OTHER_GUILD, ADA), (GUILD, BO)):
        await boards.join(guild_id, user_id, "Old")
    await names.update(ADA, GUILD, "New")
    entries = leaderboard_entries.c
    query = select(entries.name).where(entries.guild_id == GUILD, entries.user_id == ADA)
    async with env.database.read() as connection:
        stored = list((await connection.execute(select(entries.name))).scalars())
        assert (await connection.execute(query)).scalar_one() == "New"
    assert sorted(stored) == ["New", "Old", "Old"]


async def test_cups_that_are_not_over_have_the_new_name_and_show_it(env: MatchFixture) -> None:
    cup = CupFixture(env)
    names = PlayerNames(env.database, env.clock)
    running, sign_up, cancelled = await cup.begun(3), await cup.create(3), await cup.create(3)
    await cup.cups.cancel(next(env.ids), cancelled, Actor(ORGANISER))
    versions = {cup_id: (await cup.get(cup_id)).row.version for cup_id in (running, sign_up)}
    await names.update(user(1), (await cup.get(running)).row.guild_id, "Renamed")
    for cup_id, version in versions.items():
        changed = await cup.get(cup_id)
        assert [entrant.name for entrant in changed.entrants if entrant.user_id == user(1)] == [
            "Renamed"
        ]
        assert changed.row.version == version + 1
    assert "Renamed" not in [entrant.name for entrant in (await cup.get(cancelled)).entrants]


async def test_the_hall_shows_the_new_name(env: MatchFixture, names: PlayerNames) -> None:
    await Halls(env.database).choose(GUILD, ChannelId(7), is_forum=True, now=env.now)
    await begin(env)
    await env.clear_outbox()
    await names.update(ADA, GUILD, "Ada II")
    kinds = {row.kind for row in await env.queued()}
    assert kinds == {HallKind.UPDATE_LIST, OutboxKind.UPDATE_POST}


async def test_a_name_that_was_seen_is_not_looked_up_again(
    env: MatchFixture, names: PlayerNames, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(env)
    read, reads = env.database.read, list[int]()

    def counted() -> Any:
        reads.append(1)
        return read()

    async def update(user_id: UserId, name: str) -> int:
        """Update a name; return how often the database was read."""
        monkeypatch.setattr(env.database, "read", counted)
        reads.clear()
        await names.update(user_id, GUILD, name)
        monkeypatch.setattr(env.database, "read", read)
        return len(reads)

    assert await update(ADA, "Ada") == 1
    assert await update(ADA, "Ada") == 0
    assert await update(ADA, "Ada II") == 1
    assert await update(ADA, "Ada") == 1
    assert await names_in(env, MatchId(1)) == {"Ada", "Bo"}
    monkeypatch.setattr(player_names, "MAX_SEEN", 1)
    assert await update(BO, "Bo") == 1
    assert await update(ADA, "Ada") == 1, "the oldest name is forgotten"
    names.clear_cache()
    assert await update(ADA, "Ada") == 1


async def test_seats_of_others_keep_their_names(env: MatchFixture, names: PlayerNames) -> None:
    match_id = await begin(env)
    await names.update(UserId(999), GUILD, "Eve")
    assert await names_in(env, match_id) == {"Ada", "Bo"}

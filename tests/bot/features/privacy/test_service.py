"""A user's stored data: exported, and deleted without a trace."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from sqlalchemy import BigInteger, select

from bot.app.registry import personal_data
from bot.domain.ids import ChannelId
from bot.domain.terms import Terms
from bot.features.privacy.retention import RETENTION_SECONDS
from bot.features.privacy.service import SCRUB_DUE, SCRUB_LEASE_SECONDS, user_id_columns
from bot.personal import SCRUB
from bot.services.challenges import OPEN_SEAT
from bot.storage.due import Conditions
from bot.storage.leases import Leases, LostLeaseError
from bot.storage.schema import ID, METADATA, absences, outbox, plans, seats
from bot.storage.sqlite import SQLite
from tests.support.command import ROOT
from tests.support.databases import contents
from tests.support.driver import play_on
from tests.support.harness import Stage, ids, words
from tests.support.matches import BO, EVE, MatchFixture, terms
from tests.support.privacy import ADA, PLAYERS, busy, export_of, noted_purges, privacy_of, traces

NO_PERSON = {
    "cup_entrants.joined_by",
    "cups.channel_id",
    "cups.guild_id",
    "cups.message_id",
    "cups.parent_channel_id",
    "daily_positions.channel_id",
    "daily_positions.guild_id",
    "daily_positions.message_id",
    "erasures.number",
    "guilds.guild_id",
    "halls.call_channel_id",
    "halls.call_message_id",
    "halls.guild_id",
    "halls.list_channel_id",
    "halls.list_message_id",
    "halls.posted_in",
    "interactions.id",
    "leaderboard_entries.guild_id",
    "leases.token",
    "matches.channel_id",
    "leagues.guild_id",
    "matches.guild_id",
    "matches.parent_channel_id",
    "posted_messages.channel_id",
    "posted_messages.message_id",
    "rank_grants.guild_id",
    "rank_grants.role_id",
    "rank_roles.guild_id",
    "rank_roles.role_id",
}
"""Wide columns that hold something else than the number of a user."""


def test_policy_template_names_how_long_data_is_kept() -> None:
    policy = (ROOT / "docs" / "hosts" / "privacy-policy.md").read_text("utf-8")
    assert f"For {RETENTION_SECONDS / 3600:.0f} hours the bot also stores the number" in policy


async def test_nothing_of_a_deleted_player_stays_in_the_file(env: MatchFixture) -> None:
    running, finished, asked = await busy(env)
    privacy = privacy_of(env)
    async with env.database.read() as connection:
        assert (await connection.execute(select(outbox).where(outbox.c.target != "channel"))).all()
    assert await traces(env.database, ADA)
    await privacy.erase(ADA)
    await privacy.scrub()
    assert not await traces(env.database, ADA)
    if isinstance(env.database, SQLite):
        assert b"Ada L." not in env.database.path.read_bytes()
    matches_after = {
        number: await env.queries.match(number) for number in (running, finished, asked)
    }
    assert [match.status for match in matches_after.values()] == ["finished", "finished", "closed"]
    for match in matches_after.values():
        assert match.names == {"O": "Deleted player", "D": "Bo"}
        assert list(match.people) == ["D"]
    record = await env.queries.record(running)
    assert record.headers["Result"] == "D resign"
    assert record.verify() > 0


async def test_scrubbing_is_done_once_and_waits_for_readers(env: MatchFixture) -> None:
    await busy(env)
    privacy = privacy_of(env)
    await privacy.erase(ADA)
    async with env.database.read() as connection:
        await connection.execute(select(seats))
        await privacy.scrub()
    await privacy.scrub()
    assert not await traces(env.database, ADA)


async def test_one_process_scrubs_at_a_time(env: MatchFixture) -> None:
    await busy(env)
    privacy, other = privacy_of(env), Leases(env.database, "other", lambda: env.now)
    await privacy.erase(ADA)

    async def is_due() -> list[bool]:
        return await Conditions(env.database, [SCRUB_DUE]).read(env.now)

    assert await other.take(SCRUB, SCRUB_LEASE_SECONDS)
    await privacy.scrub()
    assert await is_due() == [True]
    env.now += SCRUB_LEASE_SECONDS + env.database.purge_pause + 1
    await privacy.scrub()
    assert await is_due() == [False]
    assert not await traces(env.database, ADA)


async def test_a_process_that_lost_its_lease_is_not_done(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await busy(env)
    privacy, other = privacy_of(env), Leases(env.database, "other", lambda: env.now)
    await privacy.erase(ADA)

    async def purge() -> bool:
        env.now += SCRUB_LEASE_SECONDS + 1
        assert await other.take(SCRUB, SCRUB_LEASE_SECONDS)
        return True

    monkeypatch.setattr(env.database, "purge", purge)
    with pytest.raises(LostLeaseError):
        await privacy.scrub()
    assert await Conditions(env.database, [SCRUB_DUE]).read(env.now) == [True]


async def test_deleting_nothing_writes_nothing(env: MatchFixture) -> None:
    await busy(env)
    privacy = privacy_of(env)
    before = await contents(env.database)
    for _ in range(2):
        assert not await privacy.erase(EVE)
        assert await privacy.erase_again() == 0
        await privacy.scrub()
    assert await contents(env.database) == before


async def test_only_a_deletion_purges_the_files(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await busy(env)
    calls = noted_purges(env, monkeypatch)
    privacy = privacy_of(env)
    await privacy.erase(EVE)
    await privacy.scrub()
    assert not calls
    assert await privacy.erase(ADA)
    for _ in range(3):
        await privacy.scrub()
    assert len(calls) == 1


@pytest.mark.slow
async def test_a_shared_server_is_tidied_once_an_hour(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = noted_purges(env, monkeypatch)
    monkeypatch.setattr(env.database, "purge_pause", 3600.0)
    privacy = privacy_of(env)
    for _ in range(9):
        await env.challenges.challenge(next(env.ids), terms(), PLAYERS)
        await privacy.erase(ADA)
        await privacy.scrub()
        env.now += 1000
    assert calls == [1000.0, 5000.0, 9000.0]


async def test_absences_are_deleted_and_others_stay(env: MatchFixture) -> None:
    async with env.database.write() as connection:
        for user in (ADA, BO):
            row = {"user_id": user, "ends_at": env.now + 1000}
            await connection.execute(absences.insert().values(row))
    await privacy_of(env).erase(ADA)
    async with env.database.read() as connection:
        left = (await connection.execute(select(absences.c.user_id))).scalars().all()
    assert left == [BO]


def test_every_column_that_may_name_a_person_is_known() -> None:
    wide = {
        f"{table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.columns
        if isinstance(column.type, BigInteger) and column.type is not ID
    }
    assert wide - {str(column) for column in user_id_columns(personal_data())} == NO_PERSON


async def test_looking_at_ones_data_stores_nothing(stage: Stage, locales: dict[int, str]) -> None:
    locales[stage.eve.id] = "de"
    panel = await stage.eve.slash(stage.channel, "privacy")
    question = await stage.click(stage.eve, panel.response, "erase:ask")
    await stage.click(stage.eve, question.response, "erase:yes")
    assert not await traces(stage.database, stage.eve.id)
    await stage.eve.slash(stage.channel, "settings")
    assert await traces(stage.database, stage.eve.id)


async def test_the_others_play_on_without_a_deleted_player(env: MatchFixture) -> None:
    three = Terms(
        game="warp6", options={"seats": "3"}, rounds=2, guild_id=None, channel_id=ChannelId(5)
    )
    outcome = await env.challenges.challenge(
        next(env.ids), three, [PLAYERS[0], PLAYERS[1], OPEN_SEAT]
    )
    match_id = outcome.match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    await env.challenges.accept(next(env.ids), match_id, EVE, "Eve")
    privacy = privacy_of(env)
    await privacy.erase(ADA)
    match = await env.queries.match(match_id)
    assert match.status == "running"
    assert not {"Deleted player"} & {match.names[seat] for seat in match.decisions}
    await privacy.erase(ADA)
    assert (await env.matches.act(next(env.ids), match_id, BO, "leave")).kind == "done"
    assert not await env.queries.list_for(BO, "challenge"), (
        "a series does not go on without a player"
    )
    rematch = await env.rematches.rematch(next(env.ids), match_id, EVE)
    assert rematch.kind == "refused"
    assert "has deleted their data" in rematch.sentence


async def test_a_series_ends_with_a_deletion(env: MatchFixture) -> None:
    series = Terms(game="warp6", rounds=3, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), series, PLAYERS)
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    await privacy_of(env).erase(ADA)
    assert not await env.queries.list_for(BO, "challenge", "running")


@pytest.mark.slow
async def test_who_is_forgotten_while_others_play_leaves_no_trace(env: MatchFixture) -> None:
    matches = [(await busy(env))[0]]
    for _ in range(4):
        challenge = await env.challenges.challenge(next(env.ids), terms(), PLAYERS, side="O")
        await env.challenges.accept(next(env.ids), challenge.match_id, BO)
        matches.append(challenge.match_id)
    privacy = privacy_of(env)
    await asyncio.gather(
        *(env.matches.act(next(env.ids), match_id, BO, "draw offer") for match_id in matches),
        privacy.erase(ADA),
        *(env.matches.act(next(env.ids), match_id, ADA, "first place") for match_id in matches),
        *(env.rematches.rematch(next(env.ids), match_id, BO) for match_id in matches),
    )
    await privacy.scrub()
    assert not await traces(env.database, ADA)
    for match in matches:
        assert (await env.queries.match(match)).status == "finished"
        assert (await env.queries.record(match)).verify() > 0


@pytest.mark.slow
async def test_privacy_is_one_screen_and_gives_the_file_in_private(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(3), limit=4)
    panel = await stage.ada.slash(stage.channel, "privacy")
    assert panel.ephemeral
    assert len(words(panel.response)) < 1200
    answer = await stage.click(stage.ada, panel.response, "export")
    assert answer.ephemeral
    (file,) = answer.response.attachments
    assert file.filename == "starpost.json"


@pytest.mark.slow
async def test_erasure_asks_once_more_and_informs_the_others(stage: Stage) -> None:
    match_id = await stage.begin()
    panel = await stage.ada.slash(stage.channel, "privacy")
    question = await stage.click(stage.ada, panel.response, "erase:ask")
    assert "resign 1 match." in words(question.response)
    assert (await stage.client.context.queries.match(match_id)).status == "running"
    done = await stage.click(stage.ada, question.response, "erase:yes")
    assert "Your data is deleted" in words(done.response)
    end: Any = stage.last()
    assert "Bo wins by resignation" in words(end)
    assert "Ada" not in words(end)
    assert str(stage.ada.id) not in words(end)
    stored = stage.env.backend.get_message(stage.channel.id, end.id)
    assert stored.ping_user_ids == [stage.bo.id]
    refused = await stage.click(stage.bo, end, "rematch:")
    assert "start a new match with `/play`." in words(refused.response)
    await stage.env.advance_time(30)
    assert not await traces(stage.database, stage.ada.id)
    assert any(custom_id.startswith("rematch:") for custom_id in ids(end))


async def test_plans_are_exported_and_deleted_with_their_owner(env: MatchFixture) -> None:
    running, _, _ = await busy(env)
    async with env.database.write() as connection:
        for seat in "OD":
            plan = {"orders": f"place {seat}", "version": 1, "changed_at": env.now}
            await connection.execute(plans.insert().values(match_id=running, seat=seat, **plan))
    privacy = privacy_of(env)
    data = await export_of(env.database, ADA)
    exported = [plan["orders"] for match in data["matches"] for plan in match["plans"]]
    assert exported == ["place O"]
    await privacy.erase(ADA)
    async with env.database.read() as connection:
        assert not (await connection.execute(select(plans).where(plans.c.seat == "O"))).all()

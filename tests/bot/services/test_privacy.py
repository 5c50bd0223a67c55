"""What is stored about somebody: to be taken along, and deleted without a trace."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest
from sqlalchemy import BigInteger, select

from bot.services.challenges import OPEN_SEAT
from bot.services.privacy import PERSONAL
from bot.services.terms import Terms
from bot.storage.database import Database
from bot.storage.schema import ID, METADATA, absences, outbox, seats
from bot.storage.sqlite import SQLite
from tests.support.driver import play_on
from tests.support.harness import Stage, ids, words
from tests.support.matches import BO, EVE, Club, terms
from tests.support.privacy import ADA, PLAYERS, busy, office, traces

NO_PERSON = {
    "erasures.number",
    "guilds.guild_id",
    "interactions.id",
    "leases.token",
    "matches.channel_id",
    "matches.guild_id",
    "matches.parent_channel_id",
    "posted_messages.channel_id",
    "posted_messages.message_id",
}
"""Wide columns that hold something else than the number of a user."""


async def contents(database: Database) -> list[list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    async with database.read() as connection:
        return [
            [tuple(row) for row in await connection.execute(select(table))]
            for table in METADATA.sorted_tables
        ]


async def test_nothing_of_a_deleted_player_stays_in_the_file(club: Club) -> None:
    running, finished, asked = await busy(club)
    privacy = office(club)
    async with club.database.read() as connection:
        assert (await connection.execute(select(outbox).where(outbox.c.target != "channel"))).all()
    assert await traces(club.database, ADA)
    await privacy.erase(ADA)
    await privacy.scrub()
    assert not await traces(club.database, ADA)
    if isinstance(club.database, SQLite):
        assert b"Ada L." not in club.database.path.read_bytes()
    found = {number: await club.queries.match(number) for number in (running, finished, asked)}
    assert [match.status for match in found.values()] == ["finished", "finished", "closed"]
    for match in found.values():
        assert match.names == {"O": "Deleted player", "D": "Bo"}
        assert list(match.people) == ["D"]
    record = await club.queries.record(running)
    assert record.headers["Result"] == "D resign"
    assert record.verify() > 0


async def test_scrubbing_is_done_once_and_waits_for_readers(club: Club) -> None:
    await busy(club)
    privacy = office(club)
    await privacy.erase(ADA)
    async with club.database.read() as connection:
        await connection.execute(select(seats))
        await privacy.scrub()
    await privacy.scrub()
    assert not await traces(club.database, ADA)


async def test_deleting_nothing_writes_nothing(club: Club) -> None:
    await busy(club)
    privacy = office(club)
    before = await contents(club.database)
    for _ in range(2):
        assert not await privacy.erase(EVE)
        await privacy.scrub()
    assert await contents(club.database) == before


async def test_only_a_deletion_overwrites_the_files(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await busy(club)
    calls: list[float] = []

    async def overwrite() -> bool:
        calls.append(club.now)
        return True

    monkeypatch.setattr(club.database, "overwrite", overwrite)
    privacy = office(club)
    await privacy.erase(EVE)
    await privacy.scrub()
    assert not calls
    assert await privacy.erase(ADA)
    for _ in range(3):
        await privacy.scrub()
    assert len(calls) == 1


async def test_a_shared_server_is_tidied_once_an_hour(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[float] = []

    async def overwrite() -> bool:
        calls.append(club.now)
        return True

    monkeypatch.setattr(club.database, "overwrite", overwrite)
    monkeypatch.setattr(club.database, "overwrite_pause", 3600.0)
    privacy = office(club)
    for _ in range(9):
        await club.matches.challenge(next(club.ids), terms(), PLAYERS)
        await privacy.erase(ADA)
        await privacy.scrub()
        club.now += 1000
    assert calls == [1000.0, 5000.0, 9000.0]


async def test_absences_are_deleted_and_others_stay(club: Club) -> None:
    async with club.database.write() as connection:
        for user in (ADA, BO):
            row = {"user_id": user, "until": club.now + 1000}
            await connection.execute(absences.insert().values(row))
    await office(club).erase(ADA)
    async with club.database.read() as connection:
        left = (await connection.execute(select(absences.c.user_id))).scalars().all()
    assert left == [BO]


def test_every_column_that_may_name_a_person_is_known() -> None:
    wide = {
        f"{table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.columns
        if isinstance(column.type, BigInteger) and column.type is not ID
    }
    assert wide - {str(column) for column in PERSONAL} == NO_PERSON


async def test_looking_at_ones_data_stores_nothing(stage: Stage, locales: dict[int, str]) -> None:
    locales[stage.eve.id] = "de"
    shown = await stage.eve.slash(stage.channel, "privacy")
    asked = await stage.click(stage.eve, shown.response, "erase:ask")
    await stage.click(stage.eve, asked.response, "erase:yes")
    assert not await traces(stage.database, stage.eve.id)
    await stage.eve.slash(stage.channel, "settings")
    assert await traces(stage.database, stage.eve.id)


async def test_the_others_play_on_without_a_deleted_player(club: Club) -> None:
    three = Terms(game="warp6", options={"seats": "3"}, rounds=2, guild_id=None, channel_id=5)
    outcome = await club.matches.challenge(
        next(club.ids), three, [PLAYERS[0], PLAYERS[1], OPEN_SEAT]
    )
    match_id = outcome.match_id
    await club.matches.accept(next(club.ids), match_id, BO)
    await club.matches.accept(next(club.ids), match_id, EVE, "Eve")
    privacy = office(club)
    await privacy.erase(ADA)
    match = await club.queries.match(match_id)
    assert match.status == "running"
    assert not {"Deleted player"} & {match.names[seat] for seat in match.decisions}
    await privacy.erase(ADA)
    assert (await club.matches.act(next(club.ids), match_id, BO, "leave")).kind == "done"
    assert not await club.queries.list_for(BO, "challenge"), (
        "a series does not go on without a player"
    )
    again = await club.matches.rematch(next(club.ids), match_id, EVE)
    assert again.kind == "refused"
    assert "gone" in again.sentence


async def test_a_series_ends_with_a_deletion(club: Club) -> None:
    series = Terms(game="warp6", rounds=3, guild_id=None, channel_id=5)
    outcome = await club.matches.challenge(next(club.ids), series, PLAYERS)
    await club.matches.accept(next(club.ids), outcome.match_id, BO)
    await office(club).erase(ADA)
    assert not await club.queries.list_for(BO, "challenge", "running")


async def test_an_export_tells_no_more_than_its_owner_may_know(club: Club) -> None:
    match_id = (await busy(club))[0]
    while await club.on_turn(match_id) != ADA:
        action = (await club.queries.view(match_id, BO)).view.legal[0]
        await club.matches.act(next(club.ids), match_id, BO, " ".join((action.verb, *action.args)))
    for _ in range(2):
        if await club.on_turn(match_id) == ADA:
            action = (await club.queries.view(match_id, ADA)).view.legal[0]
            await club.matches.act(
                next(club.ids), match_id, ADA, " ".join((action.verb, *action.args))
            )
    data = await office(club).export(ADA)
    assert json.loads(json.dumps(data)) == data
    assert [each["id"] for each in data["matches"]] == [1, 2, 3]
    assert data["settings"] == [{"user_id": ADA, "preferences": {"hand": "on"}}]
    assert len(data["messages waiting"]) == 2
    own = [each["line"] for each in data["matches"][0]["actions"]]
    shown = [str(a) for a in (await club.queries.record(match_id, ADA)).actions if a.actor == "O"]
    assert own == shown
    assert not {"seed", "salt", "position"} & set(data["matches"][0])
    assert str(BO) not in json.dumps(data)


async def test_who_is_forgotten_while_others_play_leaves_no_trace(club: Club) -> None:
    matches = [(await busy(club))[0]]
    for _ in range(4):
        asked = await club.matches.challenge(next(club.ids), terms(), PLAYERS, side="O")
        await club.matches.accept(next(club.ids), asked.match_id, BO)
        matches.append(asked.match_id)
    privacy = office(club)
    await asyncio.gather(
        *(club.matches.act(next(club.ids), each, BO, "draw offer") for each in matches),
        privacy.erase(ADA),
        *(club.matches.act(next(club.ids), each, ADA, "first place") for each in matches),
        *(club.matches.rematch(next(club.ids), each, BO) for each in matches),
    )
    await privacy.scrub()
    assert not await traces(club.database, ADA)
    for each in matches:
        assert (await club.queries.match(each)).status == "finished"
        assert (await club.queries.record(each)).verify() > 0


async def test_privacy_is_one_screen_and_gives_the_file_in_private(stage: Stage) -> None:
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(3), limit=4)
    shown = await stage.ada.slash(stage.channel, "privacy")
    assert shown.ephemeral
    assert len(words(shown.response)) < 1200
    answer = await stage.click(stage.ada, shown.response, "export")
    assert answer.ephemeral
    (file,) = answer.response.attachments
    assert file.filename == "starpost.json"


async def test_being_forgotten_asks_once_more_and_tells_the_others(stage: Stage) -> None:
    match_id = await stage.begin()
    shown = await stage.ada.slash(stage.channel, "privacy")
    asked = await stage.click(stage.ada, shown.response, "erase:ask")
    assert "1 running match." in words(asked.response)
    assert (await stage.client.context.queries.match(match_id)).status == "running"
    done = await stage.click(stage.ada, asked.response, "erase:yes")
    assert "forgotten" in words(done.response)
    end: Any = stage.last()
    assert "Bo wins by resignation" in words(end)
    assert "Ada" not in words(end)
    assert str(stage.ada.id) not in words(end)
    stored = stage.env.backend.get_message(stage.channel.id, end.id)
    assert stored.ping_user_ids == [stage.bo.id]
    refused = await stage.click(stage.bo, end, "rematch:")
    assert "gone" in words(refused.response)
    await stage.env.advance_time(30)
    assert not await traces(stage.database, stage.ada.id)
    assert any(each.startswith("rematch:") for each in ids(end))

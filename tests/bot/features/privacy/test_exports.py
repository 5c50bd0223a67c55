"""Exports: what they contain, and that others go on while they are made."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from typing import Any

import pytest
from sqlalchemy import insert, update

from bot.app.registry import personal_data
from bot.domain.ids import UserId
from bot.features.privacy import export_files, exports
from bot.features.privacy.exports import Exports, Progress
from bot.storage import connection as connections
from bot.storage.schema import matches, seat_figures, seats
from engine.wormholes.game import Wormholes
from tests.support.command import ROOT
from tests.support.history import give_history
from tests.support.matches import ADA as FIRST
from tests.support.matches import BO, MatchFixture, begun, choose, warp6
from tests.support.privacy import ADA, busy, export_of


async def test_an_export_shows_no_more_than_its_owner_may_know(env: MatchFixture) -> None:
    match_id = (await busy(env))[0]
    while await env.on_turn(match_id) != ADA:
        action = (await env.queries.view(match_id, BO)).view.legal[0]
        await env.matches.act(next(env.ids), match_id, BO, " ".join((action.verb, *action.args)))
    for _ in range(2):
        if await env.on_turn(match_id) == ADA:
            action = (await env.queries.view(match_id, ADA)).view.legal[0]
            await env.matches.act(
                next(env.ids), match_id, ADA, " ".join((action.verb, *action.args))
            )
    data = await export_of(env.database, ADA)
    assert json.loads(json.dumps(data)) == data
    assert [match["id"] for match in data["matches"]] == [1, 2, 3]
    assert data["settings"] == [{"user_id": ADA, "preferences": {"hand": "on"}}]
    assert [set(row) for row in data["messages waiting"]] == [{"match_id", "kind"}] * 2
    exported_lines = [action["line"] for action in data["matches"][0]["actions"]]
    visible_lines = [
        str(a) for a in (await env.queries.record(match_id, ADA)).actions if a.actor == "O"
    ]
    assert exported_lines == visible_lines
    assert not {"seed", "salt", "position", "decisions"} & set(data["matches"][0])
    assert str(BO) not in json.dumps(data)


async def test_own_secret_set_up_is_exported(env: MatchFixture) -> None:
    match_id = await warp6(env, "", setup="secret")
    await choose(env, match_id, FIRST)
    (match,) = (await export_of(env.database, FIRST))["matches"]
    (line,) = [action["line"] for action in match["actions"]]
    (public,) = [str(action) for action in (await env.queries.record(match_id)).actions]
    assert "?" in public
    assert "?" not in line
    (match,) = (await export_of(env.database, BO))["matches"]
    assert match["actions"] == []


async def test_own_part_of_the_salt_may_be_unknown(env: MatchFixture) -> None:
    await busy(env)
    parts = [
        match["own part of the salt"] for match in (await export_of(env.database, ADA))["matches"]
    ]
    assert all(parts)
    async with env.database.write() as connection:  # as in matches of earlier versions
        await connection.execute(update(matches).values(seat_order=None))
    parts = [
        match["own part of the salt"] for match in (await export_of(env.database, ADA))["matches"]
    ]
    assert parts == ["", "", ""]


async def test_policy_template_names_each_part_of_an_export(env: MatchFixture) -> None:
    policy = (ROOT / "docs" / "hosts" / "privacy-policy.md").read_text("utf-8")
    named = re.findall(r"\| `([^`]+)` \|$", policy, re.MULTILINE)
    exported = await export_of(env.database, ADA)
    assert sorted(named) == sorted(set(exported) - {"about"})


async def long_history(env: MatchFixture, count: int) -> None:
    """Ada and Bo have 2 * count + 1 matches, each with a choice of both."""
    match_id = await begun(env, "3d")
    for _ in range(2):
        user = await env.on_turn(match_id)
        view = (await env.queries.view(match_id, user)).view
        await env.matches.act(next(env.ids), match_id, user, view.legal[0].notation)
    await give_history(env, match_id, count)


async def test_an_export_has_all_matches_in_order(env: MatchFixture) -> None:
    await long_history(env, 3)
    progress = Progress()
    (file,) = [part async for part in Exports(env.database, personal_data()).files(FIRST, progress)]
    data = json.loads(file.content)
    numbers = [match["id"] for match in data["matches"]]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == progress.done == progress.total == 7
    assert len(data["boards sent by DM"]) == 7
    for match in data["matches"]:
        assert {row["match_id"] for row in match["actions"]} == {match["id"]}
        assert {row["line"][:2] for row in match["actions"]} == {f"{match['seat']['seat']} "}


async def test_rows_are_read_in_slices(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    await long_history(env, 3)
    whole = await export_of(env.database, FIRST)
    monkeypatch.setattr(connections, "ROWS_AT_ONCE", 3)
    assert await export_of(env.database, FIRST) == whole


async def test_others_go_on_between_two_matches(env: MatchFixture) -> None:
    await long_history(env, 5)
    progress, seen = Progress(), list[int]()

    async def others() -> None:
        while progress.done < 11:
            seen.append(progress.done)
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    async for _ in Exports(env.database, personal_data()).files(FIRST, progress):
        pass
    await task
    assert sorted(set(seen)) == list(range(11))


async def test_lines_are_redacted_beside_the_event_loop(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await long_history(env, 1)
    threads: set[threading.Thread] = set()
    redact = Wormholes.redact

    def note(self: Wormholes, *args: Any) -> Any:
        threads.add(threading.current_thread())
        return redact(self, *args)

    monkeypatch.setattr(Wormholes, "redact", note)
    await export_of(env.database, FIRST)
    assert len(threads) == 1
    assert threading.main_thread() not in threads


async def test_a_large_export_is_several_files(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await long_history(env, 3)
    whole = await export_of(env.database, FIRST)
    monkeypatch.setattr(export_files, "FULL_BYTES", 1)
    files = [part async for part in Exports(env.database, personal_data()).files(FIRST, Progress())]
    assert len(files) > 7
    assert [file.name for file in files[:2]] == ["starpost.json", "starpost-2.json"]
    together: dict[str, Any] = {}
    for file in files:
        for section, value in json.loads(file.content).items():
            if isinstance(value, list):
                together.setdefault(section, []).extend(value)
            else:
                assert together.setdefault(section, value) == value
    assert together == whole


async def test_exports_wait_for_each_other(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await long_history(env, 1)
    monkeypatch.setattr(export_files, "FULL_BYTES", 1)  # each has several files
    service, order = Exports(env.database, personal_data()), list[str]()

    async def export(name: str, user_id: UserId) -> None:
        async for _ in service.files(user_id, Progress()):
            order.append(name)
            await asyncio.sleep(0)
        order.append(name)

    await asyncio.gather(export("Ada", FIRST), export("Bo", BO))
    assert sorted(set(order)) == ["Ada", "Bo"]
    assert order == sorted(order)
    assert len(order) > 4


async def test_a_seat_taken_over_meanwhile_is_left_out(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await long_history(env, 1)
    monkeypatch.setattr(exports, "MATCHES_AT_ONCE", 1)
    progress = Progress()
    sections = Exports(env.database, personal_data())._sections(FIRST, progress)
    exported: list[int] = []
    async for section, rows in sections:
        if section == "matches":
            exported += [row["id"] for row in rows]
        if len(exported) == 1 and rows:
            others = (seats.c.user_id == FIRST) & (seats.c.match_id > exported[0])
            async with env.database.write() as connection:
                await connection.execute(update(seats).where(others).values(user_id=33))
    assert len(exported) == 1
    assert progress.done == progress.total == 3


async def test_figures_in_an_export_are_those_of_its_owner(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    async with env.database.write() as connection:
        figures = {"match_id": match_id, "version": 1, "outcome": "won", "seconds": 0.0}
        for seat, turns in (("B", 1), ("Y", 2)):
            row = {"seat": seat, "turns": turns, "opening": "", **figures}
            await connection.execute(insert(seat_figures).values(row))
    for user_id in (FIRST, BO):
        (match,) = (await export_of(env.database, user_id))["matches"]
        assert [row["seat"] for row in match["figures"]] == [match["seat"]["seat"]]

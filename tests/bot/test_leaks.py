"""Nothing leaks: the same story is told in two worlds that differ only in Ada's hidden values.

Whatever anybody but Ada can read — messages, edits, files, alt texts, custom_ids, answers, DMs,
exports — has to be equal to the byte in both, and so have the outbox and the logs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from discord import ui
from sqlalchemy import select

from bot import delivery, privacy
from bot.courier import DiscordCourier, Make
from bot.delivery import Parcel
from bot.films import Film, Films
from bot.matches import Matches
from bot.presses import DEAD
from bot.service import Outcome, Service
from bot.storage.database import Connection
from bot.storage.schema import actions, matches
from bot.tables import Table, Tables
from engine.game import View
from engine.record import Record
from tests.bot.leak_story import (
    Locales,
    SecretStory,
    Story,
    Teller,
    random_walk,
    secretly,
    short,
    tell,
)
from tests.bot.leak_world import Told

MOST = {
    *("agreed", "too late", "by DM", "closed", "draws", "exported", "moved", "reminders", "rules"),
    *("secret taken back", "vacations", "watched"),
}
"""What happens in each short story."""

log = logging.getLogger("bot.planted")


@pytest.fixture(autouse=True)
def _in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send one message at a time, so that the order can be compared; no news of films."""
    monkeypatch.setattr(delivery, "AT_ONCE", 1)
    monkeypatch.setattr("bot.replays.NEWS", 600.0)
    monkeypatch.setattr("bot.controls._ANY", lambda _: 0)  # what is proposed to Bo


def both(
    folder: Path, locales: Locales, teller: Teller, seed: int = 0, kind: type[Story] = Story
) -> tuple[Told, Told, set[str]]:
    """Tell a story in both worlds; return what others can know, and what has happened in both."""
    (one, first), (two, second) = (
        asyncio.run(tell(folder, locales, teller, swapped=swapped, seed=seed, kind=kind))
        for swapped in (False, True)
    )
    assert first == second
    return one, two, first


def differences(one: Told, two: Told) -> dict[str, list[tuple[str, str]]]:
    """Return name → what differs there, up to three pairs."""
    pairs = {
        name: list(zip(a, b, strict=False))
        for name, a, b in zip(one._fields, one, two, strict=True)
    }
    found = {
        name: [pair for pair in each if pair[0] != pair[1]][:3] for name, each in pairs.items()
    }
    lengths = zip(one._fields, map(len, one), map(len, two), strict=True)
    for name, *both_lengths in lengths:
        if both_lengths[0] != both_lengths[1]:
            found[name].append((f"{both_lengths[0]}", f"{both_lengths[1]}"))
    return {name: each for name, each in found.items() if each}


@pytest.mark.parametrize(
    ("notes", "end", "more"),
    [("off", "claim", {"locked", "claimed"}), ("on", "erase", {"deleted", "erased"})],
)
def test_story_with_other_coins_reads_the_same(
    tmp_path: Path, locales: Locales, notes: str, end: str, more: set[str]
) -> None:
    one, two, happened = both(tmp_path, locales, partial(short, end=end, notes=notes), seed=2)
    assert not differences(one, two)
    assert happened == MOST | more
    assert all(one)


def test_x2_4_story_with_other_secret_dice_reads_the_same(tmp_path: Path, locales: Locales) -> None:
    one, two, happened = both(tmp_path, locales, secretly, kind=SecretStory)
    assert not differences(one, two)
    assert happened == MOST - {"agreed", "too late"} | {"locked", "claimed"}
    assert all(one)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20))
def test_random_stories_read_the_same(tmp_path: Path, locales: Locales, seed: int) -> None:
    teller = partial(random_walk, length=30 + 10 * (seed % 5), notes=("off", "on")[seed % 2])
    one, two, _ = both(tmp_path, locales, teller, seed)
    assert not differences(one, two)


# leaks made on purpose


def test_planted_leak_through_another_view_is_found(
    tmp_path: Path, locales: Locales, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Tables.look

    async def careless(
        self: Tables, match_id: int, user_id: int = 0, lines: int | None = None
    ) -> Table:
        match = await self.match(match_id)
        return await honest(self, match_id, user_id or match.challenger_id, lines)

    monkeypatch.setattr(Tables, "look", careless)
    one, two, _ = both(tmp_path, locales, secretly, kind=SecretStory)
    assert {"texts", "pictures"} <= set(differences(one, two))


@pytest.fixture
def _planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five leaks, each in something else than the others."""
    _plant_takeback_notice(monkeypatch)
    _plant_film(monkeypatch)
    _plant_outbox(monkeypatch)
    _plant_log(monkeypatch)
    everything = [column for column in matches.c if column.name not in ("seed", "salt")]
    monkeypatch.setattr(privacy, "OPEN_COLUMNS", everything)


def _plant_takeback_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The notice after a takeback says what was taken back."""
    honest = DiscordCourier._telling

    async def telling(self: DiscordCourier, table: Table, parcel: Parcel) -> Make:
        make = await honest(self, table, parcel)
        undone = select(actions.c.line).where(
            actions.c.match_id == parcel.match_id, actions.c.undone.is_not(None)
        )
        async with self._database.read() as connection:
            lines = (await connection.execute(undone)).scalars().all()

        def careless() -> Any:
            message = make()
            for line in lines:
                message.layout.add_item(ui.TextDisplay(f"Taken back: {line}"))
            return message

        return careless

    monkeypatch.setattr(DiscordCourier, "_telling", telling)


def _plant_film(monkeypatch: pytest.MonkeyPatch) -> None:
    """An animation shows what Ada sees."""

    def views(self: Films, film: Film, record: Record) -> Iterator[View]:
        del self
        for game, state in record.positions():
            yield game.view(state, "O")
            film.done += 1

    monkeypatch.setattr(Films, "_views", views)


def _plant_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of DMs repeat the last line."""
    honest = Service._queue

    async def queue(self: Service, connection: Connection, *given: Any, **named: Any) -> None:
        match_id, kind, *rest = given
        if kind == "nudge":
            last = select(actions.c.line).where(actions.c.match_id == match_id)
            found = await connection.execute(last.order_by(actions.c.number.desc()).limit(1))
            rest[0] = {**rest[0], "line": found.scalar_one_or_none()}
        await honest(self, connection, match_id, kind, *rest, **named)

    monkeypatch.setattr(Service, "_queue", queue)


def _plant_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """At DEBUG the log tells what is chosen."""
    honest = Matches.act

    async def act(self: Matches, *given: Any, **named: Any) -> Outcome:
        log.debug("chosen: %s", given[3])
        return await honest(self, *given, **named)

    monkeypatch.setattr(Matches, "act", act)


@pytest.mark.usefixtures("_planted")
def test_planted_leaks_are_found_each_in_its_place(tmp_path: Path, locales: Locales) -> None:
    one, two, _ = both(tmp_path, locales, short, 2)
    found = differences(one, two)
    assert set(found) >= {"texts", "films", "files", "seen", "outbox", "logs"}
    assert all("Taken back: O place" in "".join(pair) for pair in found["texts"])
    assert all("position" in "".join(pair) for pair in found["files"])
    assert all("line" in "".join(pair) for pair in found["outbox"])
    assert all("chosen: place" in "".join(pair) for pair in found["logs"])
    assert "pictures" not in found


def test_the_sentence_for_dead_buttons_tells_nothing() -> None:
    assert not any(letter.isdigit() for letter in DEAD)

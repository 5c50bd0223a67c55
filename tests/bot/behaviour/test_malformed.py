"""Malformed input of every kind: an answer, no traceback, no change."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import simcord
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.app.registry import HANDLERS
from bot.app.run import open_database
from bot.domain.ids import MatchId
from bot.services.servers import Servers
from bot.storage.schema import actions, matches, players
from engine import games
from engine.notation import parse
from engine.record import Record, RecordError
from tests.support.harness import SETTLE_TIMEOUT_SECONDS, NoRateLimit, Stage, actor_bot, play, words
from tests.support.interactions import payload
from tests.support.tiers import by_tier, examples, sampled

BATCH = 25
"""Clicks that arrive together."""

ABROAD = ("Yan", "Zoe")
"""Players on another server, whose matches 2 to 4 runs, waits for players and is over."""

PREFIXES = sorted({"gap", *(kind.prefix.partition(":")[0] for kind in HANDLERS)})

FIELD = st.one_of(
    st.integers(-2, 10**20).map(str),
    st.sampled_from(["1", "2", "3", "4", "5", "O", "D", "-", "", " ", "place S4 e9", "move S NE"]),
    st.sampled_from(
        ["set", "set b8a1", "0:set", "1:set", "9:set b8a1", "ask", "yes", "all", "role"]
    ),
    st.text(max_size=12),
)
CUSTOM_ID = st.builds(
    lambda name, fields: ":".join((name, *fields))[:100],
    st.one_of(st.sampled_from(PREFIXES), st.text(min_size=1, max_size=8)),
    st.lists(FIELD, max_size=5),
).filter(lambda custom_id: custom_id and not custom_id.startswith("resign:1"))
"""Anything but the one click that would be understood: to give up the match that is there."""
VALUES = st.lists(st.one_of(FIELD, st.text(max_size=90)), max_size=3)

QUICK = settings(
    max_examples=by_tier(8, 40, 400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


class Hall:
    """A running bot that a property can be tried on."""

    def __init__(self, runner: asyncio.Runner, stage: Stage) -> None:
        self.runner = runner
        self.stage = stage

    async def written(self) -> Any:
        """All that must not change."""
        async with self.stage.database.read() as connection:
            return [
                (await connection.execute(select(table))).all()
                for table in (matches, actions, players)
            ]

    async def click(self, clicks: list[tuple[str, list[str]]]) -> None:
        """Let Ada, Bo and Eve click on missing components, all at once."""
        stage, before = self.stage, await self.written()
        people = (stage.ada, stage.bo, stage.eve)
        records = []
        for number, (custom_id, values) in enumerate(clicks):
            record, data = payload(stage, people[number % 3], stage.last(), "", custom_id)
            data["data"] |= {"component_type": 3, "values": values}
            records.append(record)
            stage.env.backend.emit("INTERACTION_CREATE", data)
        await stage.env.settle()
        for record, click in zip(records, clicks, strict=True):
            result = simcord.InteractionResult(stage.env, record)
            assert result.acknowledged, click
            text = words(result.response) if result.response else ""
            assert not any(name in text for name in ABROAD), click
        assert await self.written() == before

    async def type(self, command: str, **options: Any) -> None:
        """Let Eve, who plays nowhere, and Ada type."""
        before = await self.written()
        for player in (self.stage.eve, self.stage.ada):
            result = await player.slash(self.stage.channel, command, **options)
            assert result.acknowledged
            assert result.ephemeral
            assert 0 < len(words(result.response)) <= 4000
        assert await self.written() == before

    async def fill(self, text: str) -> None:
        """Let Ada type into the window of `/do`."""
        before = await self.written()
        window = await self.stage.ada.slash(self.stage.channel, "do")
        result = await self.stage.ada.submit_modal(window, {"line": text})
        assert result.ephemeral
        assert 0 < len(words(result.response)) <= 4000
        assert await self.written() == before


async def abroad(stage: Stage) -> None:
    """Begin matches on another server: one runs, one waits for players, one is over."""
    guild = stage.env.create_guild("Abroad")
    channel = guild.create_text_channel("games")
    await Servers(stage.database).choose(guild.id, threads="off")
    yan, zoe = (
        guild.add_member(stage.env.create_user(name.lower(), global_name=name)) for name in ABROAD
    )
    for number in (2, 3, 4):
        await play(yan, channel, **({} if number == 3 else {"opponent": zoe}))
        if number != 3:
            await zoe.click(stage.last(channel), custom_id=f"accept:{number}")
    await stage.client.context.matches.act(1, MatchId(4), yan.id, "resign")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    assert [(await stage.client.context.queries.match(MatchId(n))).status for n in (2, 3, 4)] == [
        "running",
        "challenge",
        "finished",
    ]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Begin a match in which Ada or Bo has to choose, and matches abroad, for all examples."""
    folder: Path = tmp_path_factory.mktemp("hall")
    with asyncio.Runner() as runner:
        ready: asyncio.Future[Stage] = runner.get_loop().create_future()
        ended = asyncio.Event()

        async def live() -> None:
            async with (
                open_database(f"sqlite+aiosqlite:///{folder / 'hall.db'}") as database,
                simcord.run(actor_bot(database), settle_timeout=SETTLE_TIMEOUT_SECONDS) as env,
            ):
                stage = await Stage(env, database).without_threads()
                stage.client.gate._limits = NoRateLimit()
                await stage.begin()
                await abroad(stage)
                ready.set_result(stage)
                await ended.wait()

        async def result() -> Stage:
            return await ready

        # One task lives from the beginning to the end: simcord leaves in the context it came in.
        life = runner.get_loop().create_task(live())
        life.add_done_callback(lambda _: ready.done() or ready.cancel())  # it has failed
        yield Hall(runner, runner.run(result()))
        ended.set()
        runner.run(asyncio.wait_for(life, 10))


@pytest.mark.slow
@sampled(1, 10, 400)
def test_ids_of_buttons_and_lists(
    hall: Hall, caplog: pytest.LogCaptureFixture, samples: int
) -> None:
    @settings(QUICK, max_examples=samples)
    @given(st.lists(st.tuples(CUSTOM_ID, VALUES), min_size=BATCH, max_size=BATCH))
    def tried(clicks: list[tuple[str, list[str]]]) -> None:
        meant = [click for click in clicks if not _is_meant(*click)]
        hall.runner.run(hall.click(meant))

    tried()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def _is_meant(custom_id: str, values: list[str]) -> bool:
    """Whether this is, by chance, something that a player may do."""
    name, _, arguments = custom_id.partition(":")
    match = arguments.partition(":")[0]
    if custom_id in ("erase:yes", "seek"):
        return True
    if name in ("resign", "accept", "lucky", "decline", "snooze"):
        return match in ("1", "2")
    return name in ("prefer", "lesson", "howto") or (name in ("act", "pick") and match == "1")


@pytest.mark.slow
@sampled(10, 10, 1)
@pytest.mark.parametrize("match_id", [2, 3, 4])
@pytest.mark.parametrize("prefix", PREFIXES)
def test_id_of_another_server_shows_and_changes_nothing(
    hall: Hall, prefix: str, match_id: MatchId, samples: int
) -> None:
    ends = ("", ":0", ":1", ":O", ":1:set", ":1:0:set", ":-:draw offer", ":0:Next")
    values = [[], ["1"], ["first move"]]
    clicks = [(f"{prefix}:{match_id}{end}", submitted) for end in ends for submitted in values]
    hall.runner.run(hall.click(clicks[::samples]))


@pytest.mark.samples(3, 40, 400)
@QUICK
@given(text=st.text(min_size=1, max_size=300), number=st.integers(1 - 2**53, 2**53 - 1))
def test_typed_choices_and_numbers_of_matches(hall: Hall, text: str, number: int) -> None:
    hall.runner.run(hall.type("do", action=f"?{text}"))
    hall.runner.run(hall.type("board", match=number or 99))
    hall.runner.run(hall.type("wormholes place", coin=f"?{text}", space=text))


@pytest.mark.samples(8, 40, 400)
@QUICK
@given(st.text(min_size=1, max_size=90))
def test_what_is_typed_into_a_window(hall: Hall, text: str) -> None:
    hall.runner.run(hall.fill(f"?{text}"))


@pytest.mark.parametrize("name", games.names())
@examples(100, 160, 10_000)
@given(text=st.text(max_size=200))
def test_words_of_the_notation(name: str, text: str) -> None:
    game = games.get(name)
    state = game.start(game.rules[0], {})
    for seat in (*game.seats({}), ""):
        assert parse(game, state, seat, text)


HEADER = st.sampled_from(["Game", "Rules", "Options", "Seat O", "Seed", "Salt", "Dice", "Result"])
LINE = st.one_of(
    st.text(max_size=60),
    st.builds("{}: {}".format, HEADER, st.text(max_size=30)),
    st.sampled_from(["", "Game: wormholes", "Game: warp6", "* rolloff S1 M2 C3 A4", "O resign"]),
)


@examples(80, 240, 30_000)
@given(lines=st.lists(LINE, max_size=12))
def test_records(lines: list[str]) -> None:
    with contextlib.suppress(RecordError):
        Record.parse("\n".join(lines)).replay()
    with contextlib.suppress(RecordError):
        Record.parse("\n".join(lines)).verify()

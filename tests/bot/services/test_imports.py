"""Uploaded bytes: any of them are a record or refused in a sentence."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.run import open_database
from bot.services import positions
from bot.services.imports import (
    MAX_RECORD_BYTES,
    REPLAY_SECONDS,
    ImportedRecord,
    Imports,
    UnreadableRecordError,
)
from engine import games
from engine.game import PUBLIC
from engine.record import Record, play
from tests.support.tiers import examples

OPTIONS = {
    "wormholes": ("", "notes=on"),
    "warp6": ("", "seats=3", "setup=secret"),
    "tomtube": ("", "launch_T=2"),
}

WORDS = ("?", "S?", "-", "*", "O", "99999999999999999999", "\u0661", "1,2", "a1", "9" * 5000, "")


@cache
def record_of(name: str, options: str, seed: int) -> Record:
    """A match of random choices that may not have ended."""
    game, random = games.get(name), Random(seed)
    headers = {"Game": name, **({"Options": options} if options else {})}
    start = game.start(game.rules[0], Record(headers, ()).options())
    _, actions = play(
        game,
        start,
        lambda legal: game.fill(random.choice(legal), random.randrange),
        lambda _: random.randrange,
        60,
    )
    return Record(headers, actions)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A record of which some lines or words were changed."""
    name = draw(st.sampled_from(sorted(OPTIONS)))
    record = record_of(name, draw(st.sampled_from(OPTIONS[name])), draw(st.integers(0, 3)))
    if draw(st.booleans()):
        record = record.redact(draw(st.sampled_from((PUBLIC, *record.game().sides))))
    lines = str(record).split("\n")
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        words = lines[place].split(" ")
        words[draw(st.integers(0, len(words) - 1))] = draw(
            st.one_of(st.sampled_from(WORDS), st.text(max_size=6))
        )
        change = draw(st.sampled_from(("word", "drop", "twice", "swap")))
        if change == "word":
            lines[place] = " ".join(words)
        elif change == "drop":
            lines[place] = ""
        elif change == "twice":
            lines.insert(place, lines[place])
        else:
            lines[place], lines[-2] = lines[-2], lines[place]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


class Reader:
    """Opens files on a database without matches."""

    def __init__(self, runner: asyncio.Runner, imports: Imports) -> None:
        self._runner, self._imports = runner, imports

    def run(self, work: Awaitable[ImportedRecord]) -> ImportedRecord:
        async def wait() -> ImportedRecord:
            return await work

        return self._runner.run(wait())

    def open(self, data: bytes) -> ImportedRecord | None:
        """Return the record, or None if it was refused in a sentence."""
        try:
            return self.run(self._imports.open(data))
        except UnreadableRecordError as error:
            self.refused(str(error))
            return None

    def refused(self, sentence: str) -> None:
        """Check the sentence of a refusal."""
        assert 10 < len(sentence) < 500
        assert sentence.isprintable()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    path: Path = tmp_path_factory.mktemp("imports") / "starpost.db"
    with asyncio.Runner() as runner:
        opening = open_database(f"sqlite+aiosqlite:///{path}")
        database = runner.run(opening.__aenter__())
        yield Reader(runner, Imports(database))
        runner.run(opening.__aexit__(None, None, None))


@examples(30, 80, 4000)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_bytes_are_a_record_or_refused(reader: Reader, data: bytes) -> None:
    reader.open(data)


@examples(20, 80, 4000)
@given(data=damaged())
def test_a_damaged_record_is_shown_or_refused(reader: Reader, data: bytes) -> None:
    if opened := reader.open(data):
        assert opened.turns[0].action_count == 0
        assert opened.turns[-1].action_count <= len(opened.record.actions)
        assert all(turn.view.seat == PUBLIC for turn in opened.turns)


def test_the_size_of_a_file_counts_in_bytes(reader: Reader) -> None:
    text = f"{record_of('warp6', '', 1)}\n#{'é' * (MAX_RECORD_BYTES // 4)}"
    data = text.encode().ljust(MAX_RECORD_BYTES)
    assert reader.open(data)
    sentence = f"A record has at most {MAX_RECORD_BYTES // 1024} kB."
    with pytest.raises(UnreadableRecordError, match=re.escape(sentence)):
        reader.run(reader._imports.open(data + b" "))


@pytest.mark.parametrize("calls", [1, 8, 12])
def test_replay_and_views_have_to_end_in_time(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """The clock is read once at the start, once a position, then once a turn."""
    record = record_of("warp6", "", calls)
    data = str(Record(record.headers, record.actions[:5])).encode()
    ticks = count()
    late = [0.0 if tick < calls else REPLAY_SECONDS + 1 for tick in range(100)]
    monkeypatch.setattr(positions, "monotonic", lambda: late[next(ticks)])
    assert reader.open(data) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_a_redacted_record_shows_what_the_whole_one_does(reader: Reader, name: str) -> None:
    for options in OPTIONS[name]:
        for seed in range(2):
            whole = record_of(name, options, seed)
            for seat in (PUBLIC, *whole.game().seats(whole.options())):
                opened = reader.open(str(whole.redact(seat)).encode())
                complete = reader.open(str(whole).encode())
                assert opened
                assert complete
                assert opened.turns[-1].view == complete.turns[-1].view
